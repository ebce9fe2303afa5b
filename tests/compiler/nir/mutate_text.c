#include "mutate_text.h"

#include <string.h>

#include "nir_random.h"

static uint32_t
random_number(uint64_t *state, size_t below)
{
   return nir_random_next(state) % (uint32_t)below;
}

void
mutate_text(char *text, size_t capacity, uint64_t *state)
{
   for (unsigned changes = 1 + random_number(state, 3); changes; changes--) {
      size_t length = strlen(text), at = random_number(state, length), from = random_number(state, length);
      char *piece = text + at, *other = text + from;
      switch (random_number(state, 4)) {
      case 0:
         piece += strcspn(piece, "0123456789");
         if (*piece)
            *piece = (char)('0' + random_number(state, 10));
         break;
      case 1: { /* a word in another's place */
         char word[32] = {0};
         piece += strcspn(piece, " ");
         other += strcspn(other, " ");
         size_t new = *other ? strcspn(other + 1, " ,\n") + 1 : 0;
         size_t old = *piece ? strcspn(piece + 1, " ,\n") + 1 : 0;
         if (!new || !old || new >= sizeof(word) || length + new >= capacity)
            break;
         memcpy(word, other, new);
         memmove(piece + new, piece + old, strlen(piece + old) + 1);
         memcpy(piece, word, new);
         break;
      }
      case 2: { /* without a line */
         piece += strcspn(piece, "\n");
         size_t line = *piece ? strcspn(piece + 1, "\n") + 1 : 0;
         memmove(piece, piece + line, strlen(piece + line) + 1);
         break;
      }
      default:
         *piece = " \n%:,=@!_-#vsx[\"\\"[random_number(state, 17)];
         break;
      }
   }
}
