/* The last stage before the rasteriser in the next-generation pipeline: waves of subgroups, each with up to so many
 * vertices and primitives. */
#include "amd/hw/registers.h"
#include "compiler/nir/nir.h"
#include "gallium/drivers/radeonsi/base/si_debug.h"
#include "gallium/drivers/radeonsi/shader/si_geometry.h"
#include "gallium/drivers/radeonsi/shader/si_tessellation.h"
#include "util/macros.h"

bool
si_ngg_choose(const struct ac_gpu_info *info)
{
   return info->has_ngg && (info->ngg_only || !si_debug(SI_DEBUG_NONGG));
}

unsigned
si_ngg_vertices(const struct nir_xfb *xfb)
{
   enum { HALF_LDS_B = 32 * 1024 };

   return si_nir_xfb_vertex_B(xfb) * ACO_NGG_MAX_VERTICES > HALF_LDS_B ? ACO_NGG_MAX_VERTICES / 2
                                                                       : ACO_NGG_MAX_VERTICES;
}

/* GFX11: 252 primitives stay with one engine. Source: RADV. Before, limits have a register of their own, and GE fills
 * subgroups in groups of vertices: of as many as fit, or what erratum ge-vert-grp-size asks for. */
void
si_ngg_limit_registers(struct si_program *program, const struct ac_gpu_info *info, const struct si_ngg_limits *limits)
{
   enum { RESERVE = 5 };
   struct si_pm4 *regs = &program->regs;

   si_pm4_reg(regs, R_GE_MAX_OUTPUT_PER_SUBGROUP, limits->made);
   si_pm4_reg(regs, R_GE_NGG_SUBGRP_CNTL, S_GE_NGG_SUBGRP_CNTL_PRIM_AMP_FACTOR(limits->amplification));
   si_pm4_reg(regs, R_VGT_ESGS_RING_ITEMSIZE, 1);
   if (info->ngg_only) {
      si_pm4_reg(regs, R_GE_CNTL,
                 S_GE_CNTL_PRIMS_PER_SUBGRP(limits->primitives) | S_GE_CNTL_VERTS_PER_SUBGRP(limits->vertices) |
                    S_GE_CNTL_BREAK_PRIMGRP_AT_EOI(program->tess.numbers_patches) |
                    S_GE_CNTL_PRIM_GRP_SIZE(info->gen, 252));
      return;
   }
   si_pm4_reg(regs, R_VGT_GS_ONCHIP_CNTL,
              S_VGT_GS_ONCHIP_CNTL_ES_VERTS_PER_SUBGRP(limits->vertices) |
                 S_VGT_GS_ONCHIP_CNTL_GS_PRIMS_PER_SUBGRP(limits->primitives) |
                 S_VGT_GS_ONCHIP_CNTL_GS_INST_PRIMS_IN_SUBGRP(limits->primitives));
   si_pm4_reg(
      regs, R_GE_CNTL,
      S_GE_CNTL_PRIM_GRP_SIZE(info->gen, limits->primitives) |
         S_GE_CNTL_VERT_GRP_SIZE(limits->vertices - (info->vertex_groups_hang && !program->tess.on ? RESERVE : 0)) |
         S_GE_CNTL_BREAK_WAVE_AT_EOI(program->tess.numbers_patches));
}

static void
geometry_registers(struct si_program *program, const struct si_screen *screen, const struct nir_shader_info *gs)
{
   struct si_pm4 *regs = &program->regs;
   const struct si_ngg_gs group = si_ngg_gs(gs, program->merged_vertex_B, program->gs_place_B);
   const struct si_ngg_limits limits = {.vertices = group.taken.vertices,
                                        .primitives = group.taken.primitives,
                                        .made = group.made,
                                        .amplification = gs->gs_vertices};

   si_pm4_reg(regs, R_VGT_GS_INSTANCE_CNT,
              S_VGT_GS_INSTANCE_CNT_ENABLE(gs->gs_invocations > 1) | S_VGT_GS_INSTANCE_CNT_CNT(gs->gs_invocations) |
                 S_VGT_GS_INSTANCE_CNT_EN_MAX_VERT_OUT_PER_GS_INSTANCE(group.alone));
   si_pm4_reg(regs, R_VGT_GS_MAX_VERT_OUT, gs->gs_vertices);
   si_pm4_reg(regs, R_VGT_GS_OUT_PRIM_TYPE(screen->info.gen), si_gs_output_type(gs));
   si_ngg_limit_registers(program, &screen->info, &limits);
}

/* Primitives continue as they come. */
static void
passthrough_registers(struct si_program *program, const struct si_screen *screen, const struct nir_xfb *xfb)
{
   struct si_pm4 *regs = &program->regs;
   const unsigned vertices = si_ngg_vertices(xfb);
   const struct si_ngg_limits limits = {
      .vertices = vertices, .primitives = vertices, .made = vertices, .amplification = 1};

   si_pm4_reg(regs, R_VGT_GS_INSTANCE_CNT, 0);
   si_pm4_reg(regs, R_VGT_GS_MAX_VERT_OUT, 0);
   si_ngg_limit_registers(program, &screen->info, &limits);
}

void
si_program_place_ring(struct si_program *program, const struct si_screen *screen)
{
   uint32_t *words = &program->regs.dw[program->ring_dw];

   words[0] = (uint32_t)screen->attribute_ring->va;
   words[1] = (uint32_t)(screen->attribute_ring->va >> 32) & 0xffff; /* above are STRIDE and flags of a V# */
}

void
si_program_ring(struct si_program *program, const struct si_screen *screen)
{
   uint32_t sgpr = program->user_data[ACO_HW_GS] + 4 * SI_SGPR_VS_ATTRIBUTE_RING;

   si_pm4_reg(&program->regs, sgpr, 0);
   program->ring_dw = program->regs.count_dw - 1u;
   si_pm4_reg(&program->regs, sgpr + 4, 0);
   si_program_place_ring(program, screen);
}

void
si_ngg_registers(struct si_program *program, const struct si_screen *screen, const struct aco_stage *stage,
                 const struct aco_output *vs)
{
   struct si_pm4 *regs = &program->regs;
   const struct nir_shader_info *info = &stage->shaders[stage->num_shaders - 1]->info;
   const bool made = program->gs_output != 0;
   uint32_t lds = (uint32_t)div_round_up(vs->lds_B, screen->info.lds_granularity_B);

   si_pm4_reg(regs, R_VGT_SHADER_STAGES_EN,
              S_VGT_SHADER_STAGES_EN_ES_EN(program->tess.on ? V_ES_STAGE_DS : V_ES_STAGE_REAL) |
                 si_tess_stages(program, &screen->info) | S_VGT_SHADER_STAGES_EN_PRIMGEN_EN(1) |
                 S_VGT_SHADER_STAGES_EN_GS_EN(made) | S_VGT_SHADER_STAGES_EN_MAX_PRIMGRP_IN_WAVE(2) |
                 S_VGT_SHADER_STAGES_EN_GS_W32_EN(vs->wave_size == 32) |
                 S_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_EN(!made) |
                 S_VGT_SHADER_STAGES_EN_NGG_WAVE_ID_EN(program->xfb_buffers != 0) |
                 S_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_NO_MSG(!made && !vs->vs.ngg_asks));
   si_program_registers(
      screen, program, stage, vs, S_SPI_SHADER_PGM_RSRC1_GS_GS_VGPR_COMP_CNT(vs->vs.gs_vgpr_comp_cnt),
      S_SPI_SHADER_PGM_RSRC2_GS_ES_VGPR_COMP_CNT(vs->vs.vgpr_comp_cnt) |
         S_SPI_SHADER_PGM_RSRC2_GS_OC_LDS_EN(program->tess.on) | S_SPI_SHADER_PGM_RSRC2_GS_LDS_SIZE(lds));
   if (screen->info.ngg_only)
      si_program_ring(program, screen);
   si_pm4_reg(regs, R_SPI_SHADER_IDX_FORMAT, S_SPI_SHADER_IDX_FORMAT_IDX0_EXPORT_FORMAT(V_SPI_SHADER_1COMP));
   if (screen->info.has_mesh)
      si_pm4_reg(regs, R_VGT_DRAW_PAYLOAD_CNTL, si_draw_payload(&screen->info, false));
   if (made)
      geometry_registers(program, screen, info);
   else
      passthrough_registers(program, screen, &info->xfb);
}

/* Kinds of primitives after the vertex shader. */
static uint32_t
output_type(uint32_t primitive_type)
{
   switch (primitive_type) {
   case V_DI_PT_POINTLIST:
      return V_POINTLIST;
   case V_DI_PT_LINELIST:
   case V_DI_PT_LINESTRIP:
   case V_DI_PT_LINELIST_ADJ:
   case V_DI_PT_LINESTRIP_ADJ:
      return V_LINESTRIP;
   case V_DI_PT_RECTLIST:
      return V_RECT_2D; /* before GFX11: RECTLIST, by the same number */
   default:             /* others: triangles */
      return V_TRISTRIP;
   }
}

void
si_emit_ngg_output(struct si_context *ctx, uint32_t primitive_type)
{
   const struct ac_gpu_info *info = &ctx->screen->info;
   uint32_t reg = R_VGT_GS_OUT_PRIM_TYPE(info->gen), type = output_type(primitive_type);

   if (info->ngg_only)
      si_cs_uconfig_reg(&ctx->cs, reg, type);
   else
      si_cs_context_reg(&ctx->cs, reg, type);
}
