/* Copies of surfaces with DCC: what is read is decompressed, what is written becomes plain. Source: RADV, which says
 * of each packet which surface has metadata; the metadata is that of CB and of descriptors. */
#include <string.h>

#include "amd/hw/sdma.h"
#include "amd/sim/sdma/sdma_private.h"
#include "amd/sim/surface/dcc.h"
#include "amd/sim/surface/formats.h"

struct sdma_dcc
sdma_dcc_unpack(const uint32_t *end)
{
   const uint32_t config = end[-1];
   return (struct sdma_dcc){
      .meta_va = end[-3] | (uint64_t)end[-2] << 32,
      .data_format = G_SDMA_COPY_TILED_WINDOW_META_CONFIG_DATA_FORMAT(config),
      .number_type = G_SDMA_COPY_TILED_WINDOW_META_CONFIG_NUMBER_TYPE(config),
      .surface_type = G_SDMA_COPY_TILED_WINDOW_META_CONFIG_SURFACE_TYPE(config),
      .alpha_is_on_msb = G_SDMA_COPY_TILED_WINDOW_META_CONFIG_ALPHA_IS_ON_MSB(config),
      .pipe_aligned = G_SDMA_COPY_TILED_WINDOW_META_CONFIG_PIPE_ALIGNED(config),
      .write_compress = G_SDMA_COPY_TILED_WINDOW_META_CONFIG_WRITE_COMPRESS(config),
   };
}

bool
sdma_dcc_init(struct amd_sdma *sdma, struct sdma_dcc *dcc, const struct amd_surface_desc *desc,
              const struct amd_surface *surface, unsigned level)
{
   const struct amd_meta_desc from = {AMD_META_DCC,     {.pipe = dcc->pipe_aligned}, desc, surface, level,
                                      dcc->meta_va >> 8};
   if (dcc->surface_type != V_SDMA_SURFACE_COLOR)
      return sdma_refuse(sdma, "metadata of SURFACE_TYPE", dcc->surface_type);
   dcc->format = amd_format_color(dcc->data_format, dcc->number_type);
   if (dcc->format.size_B != desc->element_B)
      return sdma_refuse(sdma, "metadata of DATA_FORMAT", dcc->data_format);
   dcc->plain = !amd_meta_has_level(desc, surface, level);
   return dcc->plain || amd_meta_init(&dcc->meta, &from, sdma->gpu->fault);
}

/* Whether metadata says what the texel is. block_va: its 256 bytes. */
static bool
constant(struct amd_sdma *sdma, const struct sdma_dcc *dcc, uint8_t byte, struct sim_va block_va, uint8_t texel[16])
{
   enum amd_dcc_key key = amd_dcc_key(sdma->gpu->model->gen, byte);
   if (key == AMD_DCC_SINGLE)
      return sdma_memory_read(sdma, block_va, texel, dcc->format.size_B);
   return amd_dcc_constant(key, &dcc->format, dcc->alpha_is_on_msb, texel);
}

static struct sim_va
block_of(const struct amd_surface *surface, uint64_t offset_B)
{
   return sim_va_add(surface->base, (int64_t)(offset_B & ~(uint64_t)(AMD_DCC_BLOCK_B - 1)));
}

bool
sdma_dcc_read(struct amd_sdma *sdma, const struct sdma_dcc *dcc, const struct amd_surface *surface,
              const uint32_t at[3], uint8_t *texel)
{
   uint64_t offset_B = amd_surface_offset(surface, at[0], at[1], at[2], 0);
   uint8_t byte = AMD_DCC_BYTE_PLAIN, value[16];
   if (!dcc->plain) {
      uint64_t meta_B = amd_meta_offset(&dcc->meta, at[0], at[1], at[2], 0);
      if (!sdma_memory_read(sdma, sim_va_add(dcc->meta.base, (int64_t)meta_B), &byte, 1))
         return false;
   }
   if (byte == AMD_DCC_BYTE_PLAIN || !constant(sdma, dcc, byte, block_of(surface, offset_B), value))
      return !sdma->gpu->fault->kind &&
             sdma_memory_read(sdma, sim_va_add(surface->base, (int64_t)offset_B), texel, dcc->format.size_B);
   memcpy(texel, value, dcc->format.size_B);
   return true;
}

bool
sdma_dcc_open(struct amd_sdma *sdma, const struct sdma_dcc *dcc, const struct amd_surface *surface,
              const uint32_t at[3])
{
   uint8_t byte, texel[16], block[AMD_DCC_BLOCK_B];
   if (dcc->plain || !dcc->write_compress)
      return true;
   struct sim_va block_va = block_of(surface, amd_surface_offset(surface, at[0], at[1], at[2], 0));
   struct sim_va meta_va = sim_va_add(dcc->meta.base, (int64_t)amd_meta_offset(&dcc->meta, at[0], at[1], at[2], 0));
   /* What this packet has opened is no hazard. */
   if (sim_vm_read(sdma->gpu->vm, meta_va, &byte, 1, NULL) && byte == AMD_DCC_BYTE_PLAIN)
      return true;
   if (!sdma_memory_read(sdma, meta_va, &byte, 1))
      return false;
   if (constant(sdma, dcc, byte, block_va, texel)) {
      for (unsigned i = 0; i < AMD_DCC_BLOCK_B; i += dcc->format.size_B)
         memcpy(block + i, texel, dcc->format.size_B);
      if (!sdma_memory_write_late(sdma, block_va, block, AMD_DCC_BLOCK_B))
         return false;
   }
   byte = AMD_DCC_BYTE_PLAIN;
   return !sdma->gpu->fault->kind && sdma_memory_write_late(sdma, meta_va, &byte, 1);
}
