/* Registers of geometry shaders that write the GSVS ring, and of stream output. */
#include "amd/hw/registers.h"
#include "amd/sim/state/draw_state_private.h"

static bool
choose_kinds(struct amd_gs_state *gs, const struct amd_gpu *gpu)
{
   static const uint8_t kinds[] = {
      [V_POINTLIST] = AMD_PRIM_POINT, [V_LINESTRIP] = AMD_PRIM_LINE, [V_TRISTRIP] = AMD_PRIM_TRIANGLE};
   uint32_t types = amd_regs_get(gpu->regs, R_VGT_GS_OUT_PRIM_TYPE(gpu->model->gen));
   bool unique = types >> 31; /* UNIQUE_TYPE_PER_STREAM */
   for (unsigned i = 0; i < AMD_STREAMS; i++) {
      static const uint8_t shifts[AMD_STREAMS] = {0, 8, 16, 22};
      unsigned type = types >> (unique ? shifts[i] : 0) & 0x3f;
      if (type > V_TRISTRIP)
         return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0), "the model does not have output primitives %u",
                              type);
      gs->kind[i] = kinds[type];
   }
   return true;
}

static bool
check_ring(const struct amd_gs_state *gs, const struct amd_gpu *gpu)
{
   uint32_t used_dw = 0;
   for (unsigned i = 0; i < AMD_STREAMS; i++) {
      if (gs->vertex_dw[i] && gs->stream_offset_dw[i] != used_dw)
         return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                              "stream %u of the GSVS ring begins at dword %u, those before it end at %u", i,
                              gs->stream_offset_dw[i], used_dw);
      used_dw += gs->vertex_dw[i] * gs->max_vertices;
   }
   if (used_dw > gs->ring_item_dw)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "%u vertices of all streams have %u dwords, VGT_GSVS_RING_ITEMSIZE is %u",
                           gs->max_vertices, used_dw, gs->ring_item_dw);
   return true;
}

bool
amd_draw_state_gs(struct amd_draw_state *state, const struct amd_gpu *gpu)
{
   const struct amd_regs *regs = gpu->regs;
   struct amd_gs_state *gs = &state->gs;
   uint32_t mode = amd_regs_get(regs, R_VGT_GS_MODE);
   if (G_VGT_GS_MODE_MODE(mode) != V_GS_SCENARIO_G)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0), "a geometry shader with VGT_GS_MODE 0x%x", mode);
   if (state->shaders[AMD_STAGE_GS].wave_size != 64)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "geometry shaders that write the GSVS ring run in waves of 64 lanes only");
   *gs = (struct amd_gs_state){
      .ring_B = (uint64_t)amd_regs_get(regs, R_VGT_GSVS_RING_SIZE) * 256,
      .ring_item_dw = amd_regs_get(regs, R_VGT_GSVS_RING_ITEMSIZE) & 0x7fff,
      .max_vertices = G_VGT_GS_MAX_VERT_OUT_MAX_VERT_OUT(amd_regs_get(regs, R_VGT_GS_MAX_VERT_OUT)),
      .vertex_dw = {amd_regs_get(regs, R_VGT_GS_VERT_ITEMSIZE) & 0x7fff,
                    amd_regs_get(regs, R_VGT_GS_VERT_ITEMSIZE_1) & 0x7fff,
                    amd_regs_get(regs, R_VGT_GS_VERT_ITEMSIZE_2) & 0x7fff,
                    amd_regs_get(regs, R_VGT_GS_VERT_ITEMSIZE_3) & 0x7fff},
      .stream_offset_dw = {0, amd_regs_get(regs, R_VGT_GSVS_RING_OFFSET_1) & 0x7fff,
                           amd_regs_get(regs, R_VGT_GSVS_RING_OFFSET_2) & 0x7fff,
                           amd_regs_get(regs, R_VGT_GSVS_RING_OFFSET_3) & 0x7fff},
   };
   return check_ring(gs, gpu) && choose_kinds(gs, gpu);
}

bool
amd_draw_state_strmout(struct amd_strmout_state *s, const struct amd_gpu *gpu)
{
   const struct amd_regs *regs = gpu->regs;
   uint32_t config = amd_regs_get(regs, R_VGT_STRMOUT_CONFIG),
            buffers = amd_regs_get(regs, R_VGT_STRMOUT_BUFFER_CONFIG);
   *s = (struct amd_strmout_state){.streams = config & 15,
                                   .count_needed = G_VGT_STRMOUT_CONFIG_EN_PRIMS_NEEDED_CNT(config),
                                   .raster_stream = G_VGT_STRMOUT_CONFIG_RAST_STREAM(config)};
   for (unsigned i = 0; i < AMD_STRMOUT_BUFFERS; i++) {
      s->buffers[i] = buffers >> 4 * i & 15;
      s->size_dw[i] = amd_regs_get(regs, R_VGT_STRMOUT_BUFFER_SIZE_0 + R_VGT_STRMOUT_BUFFER_SIZE_0_STEP * i);
      s->stride_dw[i] = G_VGT_STRMOUT_VTX_STRIDE_0_STRIDE(
         amd_regs_get(regs, R_VGT_STRMOUT_VTX_STRIDE_0 + R_VGT_STRMOUT_VTX_STRIDE_0_STEP * i));
   }
   if (G_VGT_STRMOUT_CONFIG_USE_RAST_STREAM_MASK(config))
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "the model does not have masks of streams to rasterise (VGT_STRMOUT_CONFIG 0x%08x)",
                           config);
   return true;
}
