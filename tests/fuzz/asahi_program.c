/* Programs of AGX on the model: the bytes are what is bound, and code. */
#include "fuzz.h"
#include "program_try.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   program_try(data, size_B);
   return 0;
}
