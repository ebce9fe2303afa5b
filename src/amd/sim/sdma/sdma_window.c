/* Copies of boxes: between linear and tiled surfaces, element by element. */
#include <stdlib.h>
#include <string.h>

#include "amd/hw/descriptors.h"
#include "amd/hw/sdma.h"
#include "amd/sim/sdma/sdma_private.h"
#include "amd/sim/surface/surface.h"
#include "util/macros.h"

/* One end of a copy. In elements, but for sizes in bytes. */
struct end {
   bool tiled;
   uint32_t x, y, z;
   struct sim_va va; /* linear */
   uint64_t pitch, slice_pitch;
   struct amd_surface surface; /* tiled */
};

struct box {
   uint32_t width, height, depth, element_B;
};

static struct sim_va
element_at(const struct end *end, uint32_t element_B, uint32_t x, uint32_t y, uint32_t z)
{
   if (end->tiled)
      return sim_va_add(end->surface.base,
                        (int64_t)amd_surface_offset(&end->surface, end->x + x, end->y + y, end->z + z, 0));
   return sim_va_add(
      end->va, (int64_t)(((end->z + z) * end->slice_pitch + (end->y + y) * end->pitch + end->x + x) * element_B));
}

static bool
read_row(struct amd_sdma *sdma, const struct end *src, const struct box *box, uint32_t y, uint32_t z, uint8_t *row)
{
   if (!src->tiled)
      return sdma_memory_read(sdma, element_at(src, box->element_B, 0, y, z), row, box->width * box->element_B);
   for (uint32_t x = 0; x < box->width; x++)
      if (!sdma_memory_read(sdma, element_at(src, box->element_B, x, y, z), row + x * box->element_B, box->element_B))
         return false;
   return true;
}

static bool
write_row(struct amd_sdma *sdma, const struct end *dst, const struct box *box, uint32_t y, uint32_t z,
          const uint8_t *row)
{
   if (!dst->tiled)
      return sdma_memory_write_late(sdma, element_at(dst, box->element_B, 0, y, z), row, box->width * box->element_B);
   for (uint32_t x = 0; x < box->width; x++)
      if (!sdma_memory_write_late(sdma, element_at(dst, box->element_B, x, y, z), row + x * box->element_B,
                                  box->element_B))
         return false;
   return true;
}

static bool
copy(struct amd_sdma *sdma, const struct end *dst, const struct end *src, const struct box *box)
{
   uint8_t *row = malloc((size_t)box->width * box->element_B);
   bool ok = row != NULL;
   if (!row)
      return sim_fault_set(sdma->gpu->fault, SIM_FAULT_EXHAUSTED, sdma->packet_va, "out of host memory for a row");
   sdma_memory_begin(sdma);
   for (uint32_t z = 0; ok && z < box->depth; z++)
      for (uint32_t y = 0; ok && y < box->height; y++)
         ok = read_row(sdma, src, box, y, z, row) && write_row(sdma, dst, box, y, z, row);
   free(row);
   return ok;
}

static bool
check_element(struct amd_sdma *sdma, uint32_t element_log2)
{
   return element_log2 <= 4 || sdma_refuse(sdma, "log2 of an element's bytes", element_log2);
}

bool
sdma_copy_linear_window(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   enum amd_gen gen = sdma->gpu->model->gen;
   uint32_t element_log2 = G_SDMA_COPY_LINEAR_WINDOW_HEADER_ELEMENT_LOG2_B(words[0]);
   struct end ends[2]; /* source, destination: dwords of one shape */
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t *w = &words[1 + 5 * i];
      ends[i] = (struct end){.va = sdma_va(w),
                             .x = G_SDMA_COPY_LINEAR_WINDOW_SRC_XY_X(w[2]),
                             .y = G_SDMA_COPY_LINEAR_WINDOW_SRC_XY_Y(w[2]),
                             .z = G_SDMA_COPY_LINEAR_WINDOW_SRC_Z_Z(gen, w[3]),
                             .pitch = (uint64_t)G_SDMA_COPY_LINEAR_WINDOW_SRC_Z_PITCH_1(w[3]) + 1,
                             .slice_pitch = (uint64_t)G_SDMA_COPY_LINEAR_WINDOW_SRC_SLICE_SLICE_PITCH_1(w[4]) + 1};
   }
   if (!check_element(sdma, element_log2))
      return false;
   const struct box box = {G_SDMA_COPY_LINEAR_WINDOW_RECT_XY_WIDTH_1(words[11]) + 1,
                           G_SDMA_COPY_LINEAR_WINDOW_RECT_XY_HEIGHT_1(words[11]) + 1,
                           G_SDMA_COPY_LINEAR_WINDOW_RECT_Z_DEPTH_1(gen, words[12]) + 1, 1u << element_log2};
   return copy(sdma, &ends[1], &ends[0], &box);
}

/* A tiled surface from its address, coordinates, size and INFO dword (w), and level dwords of the generation's own
 * place. */
static bool
open_tiled(struct amd_sdma *sdma, const uint32_t *w, uint32_t header, struct end *end)
{
   const struct amd_chip *chip = sdma->gpu->chip;
   const bool in_header = sdma->gpu->model->traits->sdma_levels_in_header;
   uint32_t info = w[5], dimension = G_SDMA_COPY_TILED_WINDOW_TILED_INFO_DIMENSION(info);
   uint32_t levels = in_header ? header >> 20 & 15 : info >> 16 & 15,
            level = in_header ? header >> 24 & 15 : info >> 20 & 15;
   uint32_t element_log2 = G_SDMA_COPY_TILED_WINDOW_TILED_INFO_ELEMENT_LOG2_B(info);
   if (!check_element(sdma, element_log2))
      return false;
   if (dimension != V_SDMA_DIMENSION_2D && dimension != V_SDMA_DIMENSION_3D)
      return sdma_refuse(sdma, "tiled surface of DIMENSION", dimension);
   const struct amd_surface_desc desc = {
      .gen = chip->gen,
      .gb_addr_config = chip->gb_addr_config,
      .base_256B = sdma_va(w).va >> 8,
      .mode = (uint8_t)G_SDMA_COPY_TILED_WINDOW_TILED_INFO_SW_MODE(info),
      .element_log2 = (uint8_t)element_log2,
      .element_B = (uint8_t)(1u << element_log2),
      .levels = (uint8_t)(levels + 1),
      .texel_px = 1,
      .is_3d = dimension == V_SDMA_DIMENSION_3D,
      .width_px = G_SDMA_COPY_TILED_WINDOW_TILED_Z_WIDTH_1(w[3]) + 1,
      .height_px = G_SDMA_COPY_TILED_WINDOW_TILED_SIZE_HEIGHT_1(w[4]) + 1,
      .slices = (w[4] >> 16) + 1,
      .pitch_el = in_header ? (info >> 16) + 1 : 0,
   };
   *end = (struct end){.tiled = true,
                       .x = G_SDMA_COPY_TILED_WINDOW_TILED_XY_X(w[2]),
                       .y = G_SDMA_COPY_TILED_WINDOW_TILED_XY_Y(w[2]),
                       .z = w[3] & 0x1fff};
   return amd_surface_init(&end->surface, &desc, level, sdma->gpu->fault);
}

bool
sdma_copy_tiled_window(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   enum amd_gen gen = sdma->gpu->model->gen;
   struct end tiled;
   if (!open_tiled(sdma, &words[1], words[0], &tiled))
      return false;
   const struct end linear = {
      .va = sdma_va(&words[7]),
      .x = G_SDMA_COPY_TILED_WINDOW_LINEAR_XY_X(words[9]),
      .y = G_SDMA_COPY_TILED_WINDOW_LINEAR_XY_Y(words[9]),
      .z = G_SDMA_COPY_TILED_WINDOW_LINEAR_Z_Z(gen, words[10]),
      .pitch = (uint64_t)G_SDMA_COPY_TILED_WINDOW_LINEAR_Z_PITCH_1(words[10]) + 1,
      .slice_pitch = (uint64_t)G_SDMA_COPY_TILED_WINDOW_LINEAR_SLICE_SLICE_PITCH_1(words[11]) + 1,
   };
   const struct box box = {G_SDMA_COPY_TILED_WINDOW_RECT_XY_WIDTH_1(words[12]) + 1,
                           G_SDMA_COPY_TILED_WINDOW_RECT_XY_HEIGHT_1(words[12]) + 1,
                           G_SDMA_COPY_TILED_WINDOW_RECT_Z_DEPTH_1(gen, words[13]) + 1, tiled.surface.element_B};
   bool detile = G_SDMA_COPY_TILED_WINDOW_HEADER_DETILE(words[0]);
   return copy(sdma, detile ? &linear : &tiled, detile ? &tiled : &linear, &box);
}

bool
sdma_copy_tiled_to_tiled(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   struct end src, dst;
   if (!open_tiled(sdma, &words[1], words[0], &src) || !open_tiled(sdma, &words[7], words[0], &dst))
      return false;
   if (src.surface.element_B != dst.surface.element_B)
      return sdma_refuse(sdma, "tiled copy into elements of other bytes", dst.surface.element_B);
   const struct box box = {G_SDMA_COPY_TILED_TO_TILED_RECT_XY_WIDTH_1(words[13]) + 1,
                           G_SDMA_COPY_TILED_TO_TILED_RECT_XY_HEIGHT_1(words[13]) + 1,
                           G_SDMA_COPY_TILED_TO_TILED_RECT_Z_DEPTH_1(words[14]) + 1, src.surface.element_B};
   return copy(sdma, &dst, &src, &box);
}
