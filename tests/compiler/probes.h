/* How far from its place a hash table of open addressing finds a slot: what a bad hash costs. */
#ifndef INDIUM_PROBES_H
#define INDIUM_PROBES_H

#include <stdint.h>
#include <stdlib.h>

/* Slots that are looked at to put in all of them, in a table at least twice as large; a random hash needs 1.5 each.
 */
static inline uint64_t
count_probes(const uint32_t *hashes, uint32_t count)
{
   uint32_t size = 64;
   while (size < 2 * count)
      size *= 2;
   uint8_t *taken = calloc(size, 1);
   uint64_t probes = 0;
   for (uint32_t i = 0; i < count; i++) {
      uint32_t at = hashes[i] & (size - 1);
      for (probes++; taken[at]; probes++)
         at = (at + 1) & (size - 1);
      taken[at] = 1;
   }
   free(taken);
   return probes;
}

#endif
