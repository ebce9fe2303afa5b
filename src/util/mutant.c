#include "util/mutant.h"

#include <stdlib.h>
#include <string.h>

bool
mutant(const char *name)
{
   const char *chosen = getenv("INDIUM_MUTANT");
   return chosen && !strcmp(chosen, name);
}
