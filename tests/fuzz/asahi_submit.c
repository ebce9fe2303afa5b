/* Submissions to AGX on the model: the bytes choose a recording and what is damaged in it. */
#include <stdio.h>

#include "damaged_try.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   char path[4096];
   if (!size_B)
      return 0;
   snprintf(path, sizeof(path), "%s/%s", DAMAGED_RECORDINGS_FOLDER, damaged_names[data[0] % DAMAGED_RECORDINGS]);
   damaged_try(path, &(struct random_source){.bytes = data + 1, .size_B = size_B - 1});
   return 0;
}
