/* The calls that a tracer of AGX sees pass, with their answers. */
#include "fuzz.h"
#include "wrap_try.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   wrap_try(data, size_B);
   return 0;
}
