/* agxdecode: the bytes are the size of a command buffer, the buffer, and then all memory, again and again. */
#include <stdlib.h>
#include <string.h>

#include "asahi/lib/agx_decode.h"
#include "fuzz.h"
#include "util/macros.h"

struct memory {
   const uint8_t *bytes;
   size_t size_B;
};

static size_t
read_memory(void *data, uint64_t va, void *out, size_t size_B)
{
   const struct memory *memory = data;
   if (!memory->size_B || va >> 60)
      return 0;
   for (size_t i = 0; i < size_B; i++)
      ((uint8_t *)out)[i] = memory->bytes[(va + i) % memory->size_B];
   return size_B;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   if (size_B < 2)
      return 0;
   const size_t wanted_B = data[0] | (size_t)data[1] << 8, commands_B = MIN2(size_B - 2, wanted_B);
   struct memory memory = {data + 2 + commands_B, size_B - 2 - commands_B};
   FILE *out = fopen("/dev/null", "w");
   uint8_t *commands = malloc(commands_B + 1); /* aligned, and just as long */
   if (!out || !commands)
      abort();
   memcpy(commands, data + 2, commands_B);
   for (unsigned gen = 0; gen < AGX_GEN_COUNT; gen++) {
      struct agx_decode decode = {.gen = (enum agx_gen)gen,
                                  .usc_base = UINT64_C(0x1100000000),
                                  .max_records = 2000,
                                  .data = &memory,
                                  .read = read_memory,
                                  .out = out};
      agx_decode_submit(&decode, commands, commands_B);
   }
   free(commands);
   fclose(out);
   return 0;
}
