/* The last stage before the rasteriser: as a vertex shader of the hardware, or in the next-generation pipeline; what
 * it exports is the same. */
#include "amd/hw/registers.h"
#include "compiler/nir/nir.h"
#include "gallium/drivers/radeonsi/shader/si_geometry.h"
#include "gallium/drivers/radeonsi/shader/si_tessellation.h"
#include "util/macros.h"

/* Sizes of vertices, in dwords. */
static void
xfb_registers(struct si_program *program, const struct nir_xfb *xfb)
{
   for (unsigned i = 0; i < NIR_XFB_BUFFERS; i++) {
      if (program->xfb_buffers >> i & 1)
         si_pm4_reg(&program->regs, R_VGT_STRMOUT_VTX_STRIDE_0 + R_VGT_STRMOUT_VTX_STRIDE_0_STEP * i,
                    xfb->stride_B[i] / 4);
   }
}

static void
legacy_registers(struct si_program *program, const struct si_screen *screen, const struct aco_stage *stage,
                 const struct aco_output *vs)
{
   const struct ac_gpu_info *info = &screen->info;
   const bool copies = stage->shaders[0]->stage == NIR_STAGE_GEOMETRY;

   si_program_registers(screen, program, stage, vs, S_SPI_SHADER_PGM_RSRC1_VS_VGPR_COMP_CNT(vs->vs.vgpr_comp_cnt),
                        S_SPI_SHADER_PGM_RSRC2_VS_OC_LDS_EN(program->tess.on && !copies) |
                           S_SPI_SHADER_PGM_RSRC2_VS_SO_EN(program->xfb_buffers != 0) |
                           S_SPI_SHADER_PGM_RSRC2_VS_SO_BASE0_EN(1) * program->xfb_buffers);
   si_pm4_reg(&program->regs, R_VGT_SHADER_STAGES_EN,
              (copies ? S_VGT_SHADER_STAGES_EN_ES_EN(program->tess.on ? V_ES_STAGE_DS : V_ES_STAGE_REAL) |
                           S_VGT_SHADER_STAGES_EN_GS_EN(1) | S_VGT_SHADER_STAGES_EN_VS_EN(V_VS_STAGE_COPY_SHADER)
                      : 0) |
                 si_tess_stages(program, info) |
                 S_VGT_SHADER_STAGES_EN_VS_EN(program->tess.on && !copies ? V_VS_STAGE_DS : 0) |
                 S_VGT_SHADER_STAGES_EN_MAX_PRIMGRP_IN_WAVE(2) |
                 S_VGT_SHADER_STAGES_EN_VS_W32_EN(vs->wave_size == 32));
   if (copies) {
      si_program_ring_argument(program, screen, ACO_HW_VS);
      return;
   }
   si_pm4_reg(&program->regs, R_VGT_GS_MODE, 0);
   /* Points of odd spacing are far apart. Source: RADV. */
   if (info->has_vgt)
      si_pm4_reg(&program->regs, R_VGT_VERTEX_REUSE_BLOCK_CNTL,
                 S_VGT_VERTEX_REUSE_BLOCK_CNTL_VTX_REUSE_DEPTH(program->tess.odd ? 14 : 30));
   if (!info->has_vgt && !program->tess.on)
      si_pm4_reg(&program->regs, R_GE_CNTL, S_GE_CNTL_PRIM_GRP_SIZE(info->gen, 128) | S_GE_CNTL_VERT_GRP_SIZE(256));
}

void
si_vertex_registers(struct si_program *program, const struct si_screen *screen, const struct aco_stage *stage,
                    const struct aco_output *vs)
{
   struct si_pm4 *regs = &program->regs;
   unsigned distances = vs->vs.clip_mask | vs->vs.cull_mask;
   bool misc = vs->vs.writes_psize || vs->vs.writes_shading_rate || vs->vs.writes_layer || vs->vs.writes_viewport;
   const int of_vertices = vs->vs.num_params - vs->vs.num_primitive_params;
   uint32_t pos_format = 0;

   for (unsigned i = 0; i < MAX2(vs->vs.num_pos, 1); i++)
      pos_format |= (uint32_t)V_SPI_SHADER_4COMP << (4 * i);
   if (program->mesh)
      assert(stage->hw == ACO_HW_GS && "si_mesh_registers() came before");
   else if (stage->hw == ACO_HW_GS)
      si_ngg_registers(program, screen, stage, vs);
   else
      legacy_registers(program, screen, stage, vs);
   program->last_user_data = program->user_data[stage->hw];
   if (screen->info.has_strmout)
      xfb_registers(program, &stage->shaders[stage->num_shaders - 1]->info.xfb);
   si_pm4_reg(regs, R_SPI_VS_OUT_CONFIG,
              S_SPI_VS_OUT_CONFIG_VS_EXPORT_COUNT(MAX2(of_vertices, 1) - 1) |
                 S_SPI_VS_OUT_CONFIG_PRIM_EXPORT_COUNT(vs->vs.num_primitive_params) |
                 S_SPI_VS_OUT_CONFIG_NO_PC_EXPORT(screen->info.rdna && vs->vs.num_params == 0));
   si_pm4_reg(regs, R_SPI_SHADER_POS_FORMAT, pos_format);
   si_pm4_reg(regs, R_PA_CL_VS_OUT_CNTL,
              vs->vs.clip_mask | (uint32_t)vs->vs.cull_mask << 8 |
                 S_PA_CL_VS_OUT_CNTL_USE_VTX_POINT_SIZE(vs->vs.writes_psize) |
                 S_PA_CL_VS_OUT_CNTL_USE_VTX_VRS_RATE(vs->vs.writes_shading_rate) |
                 S_PA_CL_VS_OUT_CNTL_USE_VTX_RENDER_TARGET_INDX(vs->vs.writes_layer) |
                 S_PA_CL_VS_OUT_CNTL_USE_VTX_VIEWPORT_INDX(vs->vs.writes_viewport) |
                 S_PA_CL_VS_OUT_CNTL_VS_OUT_MISC_VEC_ENA(misc) |
                 S_PA_CL_VS_OUT_CNTL_VS_OUT_CCDIST0_VEC_ENA((distances & 0x0f) != 0) |
                 S_PA_CL_VS_OUT_CNTL_VS_OUT_CCDIST1_VEC_ENA((distances & 0xf0) != 0) |
                 S_PA_CL_VS_OUT_CNTL_VS_OUT_MISC_SIDE_BUS_ENA(vs->vs.num_pos > 1));
}
