/* Files for `indium uav`: any text either is a stream that is walked to where it ends, or a message with a line. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "intel/sim/stream_check.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   struct intel_stream stream;
   struct intel_stream_counts counts;
   char error[160] = "";
   char *text = malloc(size_B + 1);
   FILE *out = fopen("/dev/null", "w");
   if (!text || !out)
      abort();
   memcpy(text, data, size_B);
   text[size_B] = 0;
   bool fine =
      intel_stream_read(&stream, text, size_B, error) && intel_stream_check(out, &stream, size_B % 2, &counts, error);
   if (!fine && strncmp(error, "line ", 5))
      abort();
   intel_stream_free(&stream);
   fclose(out);
   free(text);
   return 0;
}
