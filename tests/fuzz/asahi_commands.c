/* The flat command buffer of an asahi submit. */
#include "commands_try.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   commands_try(data, size_B);
   return 0;
}
