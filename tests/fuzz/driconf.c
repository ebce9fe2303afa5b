/* Files of options: any bytes either set options or are told about in one line, and then nothing is set. */
#include <ctype.h>
#include <stdlib.h>

#include "fuzz.h"
#include "gallium/auxiliary/aux_driconf.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   struct aux_driconf_option options[] = {{"nooutoforder", false}, {"assume_no_z_fights", true}};
   char message[AUX_DRICONF_MESSAGE_B] = "";

   if (aux_driconf_parse((const char *)data, size_B, "game", options, 2, message))
      return 0;
   if (options[0].value || !options[1].value || !message[0])
      abort();
   for (const char *c = message; *c; c++) {
      if (!isprint((unsigned char)*c))
         abort();
   }
   return 0;
}
