/* The command processor and the fixed blocks of the model: the bytes are the choices of random_stream(). */
#include <stdio.h>

#include "fuzz.h"
#include "random_stream.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   struct random_source source = {.bytes = data, .size_B = size_B};
   struct stream s = stream_create(1);
   random_stream(&s, &source);
   if (!stream_run(&s) && s.fault.kind == SIM_FAULT_NONE) {
      fprintf(stderr, "it failed without a fault\n");
      abort();
   }
   stream_destroy(&s);
   return 0;
}
