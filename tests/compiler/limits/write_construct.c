/* Writes a module of a construct: NAME SIZE FILE. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "constructs.h"

int
main(int argc, char **argv)
{
   const struct construct *const lists[] = {constructs_flow, constructs_types, constructs_calls};
   for (size_t i = 0; argc == 1 && i < 3; i++) {
      for (const struct construct *c = lists[i]; c->name; c++)
         printf("%s %u %u %u\n", c->name, c->sizes[0], c->sizes[1], c->sizes[2]);
   }
   for (size_t i = 0; argc == 4 && i < 3; i++) {
      for (const struct construct *c = lists[i]; c->name; c++) {
         if (strcmp(c->name, argv[1]))
            continue;
         struct spv_words words = construct_module(c, (uint32_t)atoi(argv[2]), 64);
         FILE *file = fopen(argv[3], "wb");
         return !file || fwrite(words.at, 4, words.count, file) != words.count || fclose(file);
      }
   }
   return argc != 1;
}
