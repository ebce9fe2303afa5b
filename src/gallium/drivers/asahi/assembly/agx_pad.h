/* Draws whose indices may lie past the end of their buffer. The API has zeros there (robustBufferAccess2), the
 * hardware does not [Honeykrisp: draws that read past the end get another index buffer]. */
#ifndef INDIUM_AGX_PAD_H
#define INDIUM_AGX_PAD_H

#include <stdint.h>

#include "gallium/drivers/asahi/agx_context.h"

/* A draw as two, of which one is empty: VkDrawIndexedIndirectCommand. */
struct agx_padded {
   uint64_t in_place_va;            /* by the bound index buffer; 0: out of memory, which end() reports */
   uint64_t moved_va;               /* if an index lies past its end: by these: */
   struct agx_index_buffer indices; /* the heap */
};

/* The draw's parameters are a VkDrawIndexedIndirectCommand; known: the CPU's copy of them, or NULL. May split the
 * render. */
struct agx_padded agx_pad_indices(struct agx_context *ctx, uint64_t parameters_va, const uint32_t *known);

#endif
