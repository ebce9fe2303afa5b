/* SPIR-V to nir; the stage is that of the first entry point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz.h"
#include "spirv_test.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   size_t count = size_B / 4;
   uint32_t *words = malloc(count * 4 + 1);
   memcpy(words, data, count * 4);
   spirv_test_try(words, count, spirv_find_stage(words, count), "this input");
   free(words);
   return 0;
}
