/* An address space as a driver has asked for it: ranges of GPU addresses, and the memories that they show. */
#ifndef INDIUM_ASAHI_WRAP_RANGES_H
#define INDIUM_ASAHI_WRAP_RANGES_H

#include <stdint.h>

#include "util/dynarray.h"

struct agx_wrap_memory;

struct agx_wrap_range {
   uint64_t va, size_B;
   struct agx_wrap_memory *memory;
   uint64_t offset_B; /* in the memory */
   uint64_t repeat_B; /* 0, or all of the range shows these bytes of the memory again and again */
};

/* Ranges that do not overlap, rising. A zeroed one is empty; dynarray_free() of the array ends it. */
struct agx_wrap_ranges {
   struct dynarray array; /* struct agx_wrap_range */
};

/* The range that has the address, or NULL. Valid until the next change. */
const struct agx_wrap_range *agx_wrap_ranges_find(const struct agx_wrap_ranges *ranges, uint64_t va);

/* Nothing is there. va + size_B does not wrap around. */
void agx_wrap_ranges_insert(struct agx_wrap_ranges *ranges, const struct agx_wrap_range *range);

/* Cuts [va, end) out; calls gone with each piece that is there no more. */
void agx_wrap_ranges_cut(struct agx_wrap_ranges *ranges, uint64_t va, uint64_t end,
                         void (*gone)(void *data, const struct agx_wrap_range *piece), void *data);

#endif
