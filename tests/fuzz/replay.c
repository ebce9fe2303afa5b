/* Runs a fuzz target on files: the corpus in every build, and what libFuzzer found.
 *
 * fuzz_NAME FILE... */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

int
main(int argc, char **argv)
{
   for (int i = 1; i < argc; i++) {
      static uint8_t buffer[1 << 20];
      FILE *file = fopen(argv[i], "rb");
      if (!file) {
         perror(argv[i]);
         return 1;
      }
      size_t size_B = fread(buffer, 1, sizeof(buffer), file);
      fclose(file);
      uint8_t *data = malloc(size_B ? size_B : 1); /* exactly as large: a read beyond is seen */
      for (size_t b = 0; b < size_B; b++)
         data[b] = buffer[b];
      LLVMFuzzerTestOneInput(data, size_B);
      free(data);
   }
   printf("%d inputs\n", argc - 1);
   return argc < 2;
}
