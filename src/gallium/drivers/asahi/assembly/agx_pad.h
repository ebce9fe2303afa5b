/* Draws whose indices may lie past the end of their buffer. The API has zeros there (robustBufferAccess2), the
 * hardware does not [Honeykrisp: draws that read past the end get another index buffer]. */
#ifndef INDIUM_AGX_PAD_H
#define INDIUM_AGX_PAD_H

#include <stdint.h>

struct agx_context;

/* Splits a draw, whose parameters are a VkDrawIndexedIndirectCommand, into two in a new struct agx_assembly, whose
 * address is the result; 0 when out of memory, which end() reports. `in_place` is the draw if its indices lie within
 * the bound buffer, `draw` otherwise, with the heap (render.heap_va) as index buffer; the other one is empty. known:
 * the CPU's copy of the parameters, or NULL. May split the render. */
uint64_t agx_pad_indices(struct agx_context *ctx, uint64_t parameters_va, const uint32_t *known);

#endif
