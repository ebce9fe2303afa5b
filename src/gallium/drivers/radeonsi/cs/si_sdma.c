#include "gallium/drivers/radeonsi/cs/si_sdma.h"

#include "amd/common/ac_surface.h"
#include "amd/hw/sdma.h"
#include "util/macros.h"

/* Counts of copies and fills have 22 bits on all generations; whole pages keep later pieces aligned. */
#define MAX_PIECE_B ((1u << 22) - 4096)
/* PITCH of rows next to a tiled surface. */
#define MAX_PITCH_EL (1u << 14)
/* Rows that pass from one place to another. */
#define TEMPORARY_B 32768u

static enum amd_gen
gen_of(const struct si_context *ctx)
{
   return ctx->screen->info.gen;
}

/* Room for a packet of size_dw dwords, which is written at once. */
static uint32_t *
packet_room(struct si_context *ctx, unsigned size_dw)
{
   uint32_t *words;

   si_cs_reserve(&ctx->cs, size_dw);
   words = ctx->cs.cur;
   ctx->cs.cur += size_dw;
   return words;
}

void
si_sdma_copy(struct si_context *ctx, uint64_t dst_va, uint64_t src_va, uint64_t size_B)
{
   for (uint64_t at = 0; at < size_B; at += MAX_PIECE_B) {
      const struct amd_sdma_copy_linear packet = {
         .count_B_1 = (uint32_t)MIN2(size_B - at, MAX_PIECE_B) - 1, .src = src_va + at, .dst = dst_va + at};

      amd_sdma_copy_linear_pack(gen_of(ctx), &packet, packet_room(ctx, AMD_SDMA_COPY_LINEAR_DW));
   }
   ctx->dma_busy = true;
}

void
si_sdma_fill(struct si_context *ctx, uint64_t dst_va, uint64_t size_B, uint32_t value)
{
   enum { DWORDS = 2 };

   for (uint64_t at = 0; at < size_B; at += MAX_PIECE_B) {
      const struct amd_sdma_constant_fill packet = {.fill_size = DWORDS,
                                                    .dst = dst_va + at,
                                                    .data = value,
                                                    .count_B_1 = (uint32_t)MIN2(size_B - at, MAX_PIECE_B) - 1};

      amd_sdma_constant_fill_pack(gen_of(ctx), &packet, packet_room(ctx, AMD_SDMA_CONSTANT_FILL_DW));
   }
   ctx->dma_busy = true;
}

/* Source: RADV, which waits by a NOP, too. */
void
si_sdma_wait(struct si_context *ctx)
{
   if (ctx->dma_busy)
      amd_sdma_nop_pack(gen_of(ctx), &(const struct amd_sdma_nop){0}, packet_room(ctx, AMD_SDMA_NOP_DW));
   ctx->dma_busy = false;
}

void
si_sdma_write(struct si_context *ctx, uint64_t va, uint32_t value)
{
   enum { UNCACHED = 3 };
   const struct amd_sdma_fence packet = {
      .address = va, .data = value, .mtype = ctx->screen->info.rdna ? UNCACHED : 0};

   amd_sdma_fence_pack(gen_of(ctx), &packet, packet_room(ctx, AMD_SDMA_FENCE_DW));
}

void
si_sdma_timestamp(struct si_context *ctx, uint64_t va)
{
   si_sdma_wait(ctx);
   amd_sdma_timestamp_pack(gen_of(ctx), &(const struct amd_sdma_timestamp){.address = va},
                           packet_room(ctx, AMD_SDMA_TIMESTAMP_DW));
}

/* ---- tiled surfaces ---- */

/* Rows that the packet takes: dwords, and a pitch that fits. Source: RADV's radv_sdma_check_pitches(). */
static bool
fits(const struct si_sdma_rows *rows, unsigned element_log2)
{
   return rows->va % 4 == 0 && rows->pitch_B % MAX2(4u, 1u << element_log2) == 0 &&
          rows->pitch_B >> element_log2 <= MAX_PITCH_EL;
}

/* One packet. */
static void
copy_window(struct si_context *ctx, const struct si_sdma_tiled *tiled, const struct si_sdma_rows *rows,
            uint32_t width_el, uint32_t height_el, bool to_tiled)
{
   /* size: a box in two places */
   const struct ac_surface *surface = tiled->surface;
   const uint32_t pitch_el = (uint32_t)(rows->pitch_B >> surface->element_log2);
   const struct amd_sdma_copy_tiled_window packet = {
      .detile = !to_tiled,
      .levels_1 = surface->num_levels - 1u,
      .level = tiled->level,
      .tiled = tiled->va,
      .tiled_xy_x = tiled->x_el,
      .tiled_xy_y = tiled->y_el,
      .tiled_z_z = tiled->slice,
      .tiled_z_width_1 = surface->levels[0].width_el - 1,
      .tiled_size_height_1 = surface->levels[0].height_el - 1,
      .tiled_size_depth_1 = surface->slices - 1,
      .element_log2_B = surface->element_log2,
      .sw_mode = surface->mode,
      .dimension = tiled->is_3d ? V_SDMA_DIMENSION_3D : V_SDMA_DIMENSION_2D,
      .epitch = surface->epitch_el ? surface->epitch_el - 1 : 0,
      .linear = rows->va,
      .pitch_1 = pitch_el - 1,
      .slice_pitch_1 = (uint32_t)align_up(pitch_el * height_el, 4) - 1,
      .rect_xy_width_1 = width_el - 1,
      .rect_xy_height_1 = height_el - 1,
   };

   amd_sdma_copy_tiled_window_pack(gen_of(ctx), &packet, packet_room(ctx, AMD_SDMA_COPY_TILED_WINDOW_DW));
   ctx->dma_busy = true;
}

/* The stream's own, made when first needed: what is in it is of one piece. */
static uint64_t
temporary_va(struct si_context *ctx)
{
   if (!ctx->sdma_temporary_va)
      si_upload_alloc(ctx, TEMPORARY_B / 4, 64, &ctx->sdma_temporary_va);
   return ctx->sdma_temporary_va;
}

/* Of a region in pieces that fit into the temporary rows. */
struct piece {
   uint32_t x, y, width, height;
};

static bool
next_piece(struct piece *piece, uint32_t width_el, uint32_t height_el, unsigned element_log2)
{
   const uint32_t most = TEMPORARY_B >> element_log2;

   if (!piece->width) {
      piece->width = MIN2(width_el, most);
   } else if (piece->y + piece->height < height_el) {
      piece->y += piece->height;
   } else {
      piece->x += piece->width;
      piece->y = 0;
   }
   if (piece->x >= width_el)
      return false;
   piece->width = MIN2(piece->width, width_el - piece->x);
   piece->height = MIN2(most / (uint32_t)align_up(piece->width, 4), height_el - piece->y);
   piece->height = MAX2(piece->height, 1u);
   return true;
}

static struct si_sdma_tiled
moved(const struct si_sdma_tiled *from, const struct piece *piece)
{
   struct si_sdma_tiled tiled = *from;

   tiled.x_el += piece->x;
   tiled.y_el += piece->y;
   return tiled;
}

static struct si_sdma_rows
temporary_rows(struct si_context *ctx, const struct piece *piece, unsigned element_log2)
{
   return (struct si_sdma_rows){temporary_va(ctx), align_up((uint64_t)piece->width << element_log2, 4)};
}

/* Rows to rows, one by one. */
static void
copy_each(struct si_context *ctx, struct si_sdma_rows dst, struct si_sdma_rows src, uint32_t row_B, uint32_t rows)
{
   for (uint32_t row = 0; row < rows; row++)
      si_sdma_copy(ctx, dst.va + row * dst.pitch_B, src.va + row * src.pitch_B, row_B);
}

void
si_sdma_copy_rows(struct si_context *ctx, const struct si_sdma_tiled *tiled, const struct si_sdma_rows *rows,
                  uint32_t width_el, uint32_t height_el, bool to_tiled)
{
   /* size: a box in two places */
   const unsigned element_log2 = tiled->surface->element_log2;
   struct piece piece = {0};

   if (fits(rows, element_log2)) {
      copy_window(ctx, tiled, rows, width_el, height_el, to_tiled);
      return;
   }
   while (next_piece(&piece, width_el, height_el, element_log2)) {
      const struct si_sdma_tiled place = moved(tiled, &piece);
      const struct si_sdma_rows temporary = temporary_rows(ctx, &piece, element_log2);
      const struct si_sdma_rows far = {rows->va + piece.y * rows->pitch_B + ((uint64_t)piece.x << element_log2),
                                       rows->pitch_B};

      si_sdma_wait(ctx);
      if (to_tiled)
         copy_each(ctx, temporary, far, piece.width << element_log2, piece.height);
      else
         copy_window(ctx, &place, &temporary, piece.width, piece.height, false);
      si_sdma_wait(ctx);
      if (to_tiled)
         copy_window(ctx, &place, &temporary, piece.width, piece.height, true);
      else
         copy_each(ctx, far, temporary, piece.width << element_log2, piece.height);
   }
}

void
si_sdma_copy_tiled(struct si_context *ctx, const struct si_sdma_tiled *dst, const struct si_sdma_tiled *src,
                   uint32_t width_el, uint32_t height_el)
{
   const unsigned element_log2 = src->surface->element_log2;
   struct piece piece = {0};

   while (next_piece(&piece, width_el, height_el, element_log2)) {
      const struct si_sdma_tiled from = moved(src, &piece), to = moved(dst, &piece);
      const struct si_sdma_rows temporary = temporary_rows(ctx, &piece, element_log2);

      si_sdma_wait(ctx);
      copy_window(ctx, &from, &temporary, piece.width, piece.height, false);
      si_sdma_wait(ctx);
      copy_window(ctx, &to, &temporary, piece.width, piece.height, true);
   }
}
