/* An address space as the ioctls have asked for it: ranges of GPU addresses, and the buffers that they show. The
 * shim's lock is held. */
#ifndef INDIUM_DRM_SHIM_MAPPING_H
#define INDIUM_DRM_SHIM_MAPPING_H

#include <stdint.h>

#include "util/dynarray.h"

struct shim_bo;

struct shim_mapping {
   uint64_t va, size_B;
   struct shim_bo *bo; /* a reference; NULL: no memory */
   uint64_t offset_B;  /* in the buffer */
   uint64_t repeat_B;  /* 0, or all of the range shows these bytes of the buffer again and again */
   uint32_t flags;     /* the vendor's */
};

static inline uint64_t
shim_mapping_end(const struct shim_mapping *mapping)
{
   return mapping->va + mapping->size_B;
}

/* Mappings that do not overlap, rising va. A zeroed one is empty. */
struct shim_mappings {
   struct dynarray array; /* struct shim_mapping */
};

/* Index of the first one that ends above va. */
unsigned shim_mappings_above(const struct shim_mappings *mappings, uint64_t va);

/* NULL after the last. Valid until the next change. */
struct shim_mapping *shim_mappings_at(const struct shim_mappings *mappings, unsigned index);

/* Nothing is mapped there. Takes a reference of its own to the buffer. */
void shim_mappings_insert(struct shim_mappings *mappings, const struct shim_mapping *mapping);

/* The caller gets the reference to the buffer. */
struct shim_mapping shim_mappings_take(struct shim_mappings *mappings, unsigned index);

/* Called with what is mapped no more, and its reference. */
typedef void (*shim_mapping_gone)(void *data, const struct shim_mapping *mapping);

/* Cuts [va, end) out of all mappings. */
void shim_mappings_clear(struct shim_mappings *mappings, uint64_t va, uint64_t end, shim_mapping_gone gone,
                         void *data);

/* Drops all mappings of the buffer. */
void shim_mappings_forget(struct shim_mappings *mappings, const struct shim_bo *bo, shim_mapping_gone gone,
                          void *data);

#endif
