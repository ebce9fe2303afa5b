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
   const struct sdma_dcc *dcc; /* of that; NULL: none */
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
   for (uint32_t x = 0; x < box->width; x++) {
      const uint32_t at[] = {src->x + x, src->y + y, src->z + z};
      uint8_t *texel = row + x * box->element_B;
      if (!(src->dcc ? sdma_dcc_read(sdma, src->dcc, &src->surface, at, texel)
                     : sdma_memory_read(sdma, element_at(src, box->element_B, x, y, z), texel, box->element_B)))
         return false;
   }
   return true;
}

static bool
write_row(struct amd_sdma *sdma, const struct end *dst, const struct box *box, uint32_t y, uint32_t z,
          const uint8_t *row)
{
   if (!dst->tiled)
      return sdma_memory_write_late(sdma, element_at(dst, box->element_B, 0, y, z), row, box->width * box->element_B);
   for (uint32_t x = 0; x < box->width; x++) {
      const uint32_t at[] = {dst->x + x, dst->y + y, dst->z + z};
      if ((dst->dcc && !sdma_dcc_open(sdma, dst->dcc, &dst->surface, at)) ||
          !sdma_memory_write_late(sdma, element_at(dst, box->element_B, x, y, z), row + x * box->element_B,
                                  box->element_B))
         return false;
   }
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
   const struct amd_sdma_copy_linear_window p = amd_sdma_copy_linear_window_unpack(sdma->gpu->model->gen, words);
   const struct end src = {.va = sim_va(p.src),
                           .x = p.src_xy_x,
                           .y = p.src_xy_y,
                           .z = p.src_z_z,
                           .pitch = (uint64_t)p.src_z_pitch_1 + 1,
                           .slice_pitch = (uint64_t)p.src_slice_slice_pitch_1 + 1};
   const struct end dst = {.va = sim_va(p.dst),
                           .x = p.dst_xy_x,
                           .y = p.dst_xy_y,
                           .z = p.dst_z_z,
                           .pitch = (uint64_t)p.dst_z_pitch_1 + 1,
                           .slice_pitch = (uint64_t)p.dst_slice_slice_pitch_1 + 1};
   if (!check_element(sdma, p.element_log2_B))
      return false;
   const struct box box = {p.width_1 + 1, p.height_1 + 1, p.depth_1 + 1, 1u << p.element_log2_B};
   return copy(sdma, &dst, &src, &box);
}

/* What packets say of a tiled surface. */
struct tiled {
   uint64_t va;
   uint32_t x, y, z, width, height, depth, element_log2, mode, dimension, levels, level;
   uint32_t pitch_el; /* 0: the generation has none */
};

/* dcc: NULL: the surface has no metadata. */
static bool
open_tiled(struct amd_sdma *sdma, const struct tiled *tiled, struct sdma_dcc *dcc, struct end *end)
{
   const struct amd_chip *chip = sdma->gpu->chip;
   if (!check_element(sdma, tiled->element_log2))
      return false;
   if (tiled->dimension != V_SDMA_DIMENSION_2D && tiled->dimension != V_SDMA_DIMENSION_3D)
      return sdma_refuse(sdma, "tiled surface of DIMENSION", tiled->dimension);
   const struct amd_surface_desc desc = {
      .gen = chip->gen,
      .gb_addr_config = chip->gb_addr_config,
      .base_256B = tiled->va >> 8,
      .mode = (uint8_t)tiled->mode,
      .element_log2 = (uint8_t)tiled->element_log2,
      .element_B = (uint8_t)(1u << tiled->element_log2),
      .levels = (uint8_t)tiled->levels,
      .texel_px = 1,
      .is_3d = tiled->dimension == V_SDMA_DIMENSION_3D,
      .width_px = tiled->width,
      .height_px = tiled->height,
      .slices = tiled->depth,
      .pitch_el = tiled->pitch_el,
   };
   *end = (struct end){.tiled = true, .x = tiled->x, .y = tiled->y, .z = tiled->z, .dcc = dcc};
   return amd_surface_init(&end->surface, &desc, tiled->level, sdma->gpu->fault) &&
          (!dcc || sdma_dcc_init(sdma, dcc, &desc, &end->surface, tiled->level));
}

/* EPITCH is that of generations whose images have a pitch in every mode. */
static uint32_t
pitch_of(const struct amd_sdma *sdma, uint32_t epitch)
{
   return sdma->gpu->model->traits->pitch_of_every_mode ? epitch + 1 : 0;
}

bool
sdma_copy_tiled_window(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   const struct amd_sdma_copy_tiled_window p = amd_sdma_copy_tiled_window_unpack(sdma->gpu->model->gen, words);
   const struct tiled from = {.va = p.tiled,
                              .x = p.tiled_xy_x,
                              .y = p.tiled_xy_y,
                              .z = p.tiled_z_z,
                              .width = p.tiled_z_width_1 + 1,
                              .height = p.tiled_size_height_1 + 1,
                              .depth = p.tiled_size_depth_1 + 1,
                              .element_log2 = p.element_log2_B,
                              .mode = p.sw_mode,
                              .dimension = p.dimension,
                              .levels = p.levels_1 + 1,
                              .level = p.level,
                              .pitch_el = pitch_of(sdma, p.epitch)};
   struct sdma_dcc dcc;
   struct end tiled;
   if (p.compressed)
      dcc = sdma_dcc_unpack(words + count);
   if (!open_tiled(sdma, &from, p.compressed ? &dcc : NULL, &tiled))
      return false;
   const struct end linear = {.va = sim_va(p.linear),
                              .x = p.linear_xy_x,
                              .y = p.linear_xy_y,
                              .z = p.linear_z_z,
                              .pitch = (uint64_t)p.pitch_1 + 1,
                              .slice_pitch = (uint64_t)p.slice_pitch_1 + 1};
   const struct box box = {p.rect_xy_width_1 + 1, p.rect_xy_height_1 + 1, p.rect_z_depth_1 + 1,
                           tiled.surface.element_B};
   return copy(sdma, p.detile ? &linear : &tiled, p.detile ? &tiled : &linear, &box);
}

bool
sdma_copy_tiled_to_tiled(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   const struct amd_sdma_copy_tiled_to_tiled p = amd_sdma_copy_tiled_to_tiled_unpack(sdma->gpu->model->gen, words);
   const struct tiled from = {.va = p.src,
                              .x = p.src_xy_x,
                              .y = p.src_xy_y,
                              .z = p.src_z_z,
                              .width = p.src_z_width_1 + 1,
                              .height = p.src_size_height_1 + 1,
                              .depth = p.src_size_depth_1 + 1,
                              .element_log2 = p.src_info_element_log2_B,
                              .mode = p.src_info_sw_mode,
                              .dimension = p.src_info_dimension,
                              .levels = (p.header_levels_1 | p.src_info_levels_1) + 1,
                              .level = p.src_info_level,
                              .pitch_el = pitch_of(sdma, p.src_info_epitch)};
   const struct tiled to = {.va = p.dst,
                            .x = p.dst_xy_x,
                            .y = p.dst_xy_y,
                            .z = p.dst_z_z,
                            .width = p.dst_z_width_1 + 1,
                            .height = p.dst_size_height_1 + 1,
                            .depth = p.dst_size_depth_1 + 1,
                            .element_log2 = p.dst_info_element_log2_B,
                            .mode = p.dst_info_sw_mode,
                            .dimension = p.dst_info_dimension,
                            .levels = (p.header_levels_1 | p.dst_info_levels_1) + 1,
                            .level = p.dst_info_level,
                            .pitch_el = pitch_of(sdma, p.dst_info_epitch)};
   struct sdma_dcc dcc;
   struct end src, dst;
   if (p.compressed)
      dcc = sdma_dcc_unpack(words + count);
   if (!open_tiled(sdma, &from, p.compressed && p.decompress ? &dcc : NULL, &src) ||
       !open_tiled(sdma, &to, p.compressed && !p.decompress ? &dcc : NULL, &dst))
      return false;
   if (src.surface.element_B != dst.surface.element_B)
      return sdma_refuse(sdma, "tiled copy into elements of other bytes", dst.surface.element_B);
   const struct box box = {p.rect_xy_width_1 + 1, p.rect_xy_height_1 + 1, p.rect_z_depth_1 + 1,
                           src.surface.element_B};
   return copy(sdma, &dst, &src, &box);
}
