/* States of draws for `indium order --explain`: any text either becomes a state that the driver's functions have an
 * answer for, or a place and a message that can be printed. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tools/order/order_state.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   struct order_state state;
   struct order_error error = {0};

   if (order_state_parse((const char *)data, size_B, &state, &error)) {
      unsigned need = 0;

      for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++)
         need |= si_order_target_need(&state.blend, i, state.commutative_blend_add);
      if ((si_order_kept(&state.tests) | need) & ~(unsigned)SI_ORDER_ALL || !state.chip)
         abort();
      return 0;
   }
   if (!error.line || !error.column || error.column > size_B + 1 || !error.message[0] ||
       strnlen(error.message, sizeof(error.message)) == sizeof(error.message))
      abort();
   for (const char *c = error.message; *c; c++) {
      if (!isprint((unsigned char)*c))
         abort();
   }
   return 0;
}
