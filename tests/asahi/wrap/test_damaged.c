/* Damaged calls: each file's calls go through the tracer as they are, and with bytes changed, cut and doubled at
 * random.
 *
 * Usage: test_damaged RUNS FILE... */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wrap_try.h"

#define MAX_B 65536

static uint64_t seed = 0x9e3779b97f4a7c15u;

static size_t
below(size_t limit)
{
   seed ^= seed << 13;
   seed ^= seed >> 7;
   seed ^= seed << 17;
   return (size_t)(seed % limit);
}

static size_t
damage(uint8_t *bytes, size_t size_B)
{
   for (size_t i = 1 + below(8); i; i--) {
      size_t at = below(size_B), count = 1 + below(size_B - at);
      switch (below(5)) {
      case 0:
         bytes[at] = (uint8_t)below(256);
         break;
      case 1:
         bytes[at] ^= (uint8_t)(1u << below(8));
         break;
      case 2: /* as a number, too large or too small */
         memset(bytes + at, below(2) ? 0xff : 0, count < 8 ? count : 8);
         break;
      case 3: /* doubled */
         if (size_B + count <= MAX_B) {
            memmove(bytes + at + count, bytes + at, size_B - at);
            size_B += count;
         }
         break;
      default: /* cut */
         if (size_B > count + 1) {
            memmove(bytes + at, bytes + at + count, size_B - at - count);
            size_B -= count;
         }
      }
   }
   return size_B;
}

static bool
try_file(const char *path, unsigned runs)
{
   static uint8_t whole[MAX_B], bytes[MAX_B];
   FILE *file = fopen(path, "rbe");
   size_t size_B = file ? fread(whole, 1, sizeof(whole), file) : 0;
   unsigned with_reports = 0;
   if (file)
      fclose(file);
   if (!size_B || wrap_try(whole, size_B))
      return fprintf(stderr, "%s: nothing in it, or reports\n", path), false;
   for (unsigned i = 0; i < runs; i++) {
      memcpy(bytes, whole, size_B);
      with_reports += wrap_try(bytes, damage(bytes, size_B)) != 0;
   }
   printf("%s: %u of %u with reports\n", path, with_reports, runs);
   return with_reports > runs / 4;
}

int
main(int argc, char **argv)
{
   bool ok = argc > 2;
   for (int i = 2; i < argc; i++)
      ok = try_file(argv[i], (unsigned)strtoul(argv[1], NULL, 10)) && ok;
   return !ok;
}
