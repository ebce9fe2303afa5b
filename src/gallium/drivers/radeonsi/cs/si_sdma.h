/* Transfer queues: copies by SDMA, an engine that knows no compression. Images that its queues own are plain: whoever
 * hands one over makes it so (si_metadata_hand_over()). */
#ifndef INDIUM_SI_SDMA_H
#define INDIUM_SI_SDMA_H

#include "gallium/drivers/radeonsi/si_context.h"

static inline bool
si_is_sdma(const struct si_context *ctx)
{
   return ctx->ring == AMDGPU_WS_SDMA;
}

/* As si_dma_copy() and its like. */
void si_sdma_copy(struct si_context *ctx, uint64_t dst_va, uint64_t src_va, uint64_t size_B);
void si_sdma_fill(struct si_context *ctx, uint64_t dst_va, uint64_t size_B, uint32_t value);
void si_sdma_wait(struct si_context *ctx); /* until all copies are done */

/* When all earlier work has finished. */
void si_sdma_write(struct si_context *ctx, uint64_t va, uint32_t value);
void si_sdma_timestamp(struct si_context *ctx, uint64_t va);

/* A place in one slice of a level of a tiled surface with one sample. Elements. */
struct si_sdma_tiled {
   uint64_t va; /* of the surface */
   const struct ac_surface *surface;
   bool is_3d;
   unsigned level;
   uint32_t x_el, y_el, slice;
};

struct si_sdma_rows {
   uint64_t va, pitch_B;
};

/* Between a tiled surface and rows anywhere. */
void si_sdma_copy_rows(struct si_context *ctx, const struct si_sdma_tiled *tiled, const struct si_sdma_rows *rows,
                       uint32_t width_el, uint32_t height_el, bool to_tiled);
/* Between tiled surfaces with elements of the same size. */
void si_sdma_copy_tiled(struct si_context *ctx, const struct si_sdma_tiled *dst, const struct si_sdma_tiled *src,
                        uint32_t width_el, uint32_t height_el);

#endif
