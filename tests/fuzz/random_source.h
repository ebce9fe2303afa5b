/* Where a random test's choices come from: bytes of libFuzzer and then zeros, or a seed where bytes is NULL. */
#ifndef INDIUM_TESTS_RANDOM_SOURCE_H
#define INDIUM_TESTS_RANDOM_SOURCE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct random_source {
   const uint8_t *bytes;
   size_t size_B;
   uint32_t seed;
};

static inline uint32_t
random_source_next(struct random_source *source)
{
   if (source->bytes) {
      uint32_t value = 0;
      size_t size_B = source->size_B < sizeof(value) ? source->size_B : sizeof(value);
      memcpy(&value, source->bytes, size_B);
      source->bytes += size_B;
      source->size_B -= size_B;
      return value;
   }
   source->seed = source->seed * 1664525u + 1013904223u;
   return source->seed >> 4 ^ source->seed << 20;
}

#endif
