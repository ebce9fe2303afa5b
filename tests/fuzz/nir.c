/* The text of nir. */
#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir.h"
#include "fuzz.h"
#include "nir_try.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   char *text = malloc(size_B + 1);
   memcpy(text, data, size_B);
   text[size_B] = 0;
   char *end = strstr(text, "# becomes"); /* in a golden file */
   if (end)
      *end = 0;
   nir_try_text(text, false);
   free(text);
   return 0;
}
