/* Geometry shaders in the legacy pipeline: subgroups of merged ES-GS waves with the vertices between the two in LDS,
 * the GSVS ring behind them, and the registers of both. */
#include "amd/hw/registers.h"
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/radeonsi/shader/si_geometry.h"
#include "util/macros.h"

/* The most that a subgroup may have, and how many primitives keep its waves full. Source: radeonsi. */
enum { MAX_ES_VERTICES = 255, MAX_OUT_PRIMITIVES = 32 * 1024, GOOD_PRIMITIVES = 64, MAX_INSTANCED = 127 };
enum { HALF_LDS_B = 32 * 1024 };

struct si_gs_subgroup
si_gs_subgroup(const struct nir_shader_info *info, uint32_t vertex_B)
{
   const unsigned corners = nir_primitive_vertices(info->gs_input), invocations = info->gs_invocations;
   const bool halves = invocations > 1 || info->gs_input >= NIR_PRIMITIVE_LINES_ADJACENCY;
   unsigned primitives = MIN2(halves ? MAX_INSTANCED / invocations : GOOD_PRIMITIVES, GOOD_PRIMITIVES);
   unsigned vertices = MAX_ES_VERTICES;

   primitives = MIN2(primitives, MAX_OUT_PRIMITIVES / (info->gs_vertices * invocations));
   if (vertex_B)
      vertices = MIN2(vertices, HALF_LDS_B / vertex_B);
   vertices = MIN2(vertices, corners * primitives);
   return (struct si_gs_subgroup){
      .vertices = vertices, .primitives = primitives, .threads = primitives * invocations};
}

enum pipe_topology
si_gs_topology(unsigned output)
{
   return output == NIR_PRIMITIVE_POINTS  ? PIPE_POINT_LIST
          : output == NIR_PRIMITIVE_LINES ? PIPE_LINE_STRIP
                                          : PIPE_TRIANGLE_STRIP;
}

/* A strip is cut after so many vertices at the latest. */
static uint32_t
cut_mode(unsigned vertices)
{
   return vertices <= 128 ? V_GS_CUT_128 : vertices <= 256 ? V_GS_CUT_256 : V_GS_CUT_512;
}

uint32_t
si_gs_output_type(const struct nir_shader_info *info)
{
   static const uint8_t types[] = {
      [PIPE_POINT_LIST] = V_POINTLIST, [PIPE_LINE_STRIP] = V_LINESTRIP, [PIPE_TRIANGLE_STRIP] = V_TRISTRIP};

   return types[si_gs_topology(info->gs_output)];
}

static void
ring_registers(struct si_pm4 *regs, const struct si_screen *screen, const struct si_gs_layout *layout)
{
   static const uint32_t items[NIR_XFB_STREAMS] = {R_VGT_GS_VERT_ITEMSIZE, R_VGT_GS_VERT_ITEMSIZE_1,
                                                   R_VGT_GS_VERT_ITEMSIZE_2, R_VGT_GS_VERT_ITEMSIZE_3};

   si_pm4_reg(regs, R_VGT_GSVS_RING_OFFSET_1, si_gs_stream_offset_dw(layout, 1));
   si_pm4_reg(regs, R_VGT_GSVS_RING_OFFSET_2, si_gs_stream_offset_dw(layout, 2));
   si_pm4_reg(regs, R_VGT_GSVS_RING_OFFSET_3, si_gs_stream_offset_dw(layout, 3));
   si_pm4_reg(regs, R_VGT_GSVS_RING_ITEMSIZE, si_gs_stream_offset_dw(layout, NIR_XFB_STREAMS));
   for (unsigned i = 0; i < NIR_XFB_STREAMS; i++)
      si_pm4_reg(regs, items[i], si_gs_vertex_dw(layout, i));
   si_pm4_reg(regs, R_VGT_GSVS_RING_SIZE, si_gsvs_ring_B(screen) / 256);
}

static void
subgroup_registers(struct si_pm4 *regs, const struct ac_gpu_info *info, const struct nir_shader_info *gs,
                   const struct si_gs_subgroup *group)
{
   /* A primitive's vertices may still come when the limit is reached. */
   const unsigned vertices = group->vertices - (nir_primitive_vertices(gs->gs_input) - 1);

   si_pm4_reg(regs, R_VGT_GS_ONCHIP_CNTL,
              S_VGT_GS_ONCHIP_CNTL_ES_VERTS_PER_SUBGRP(vertices) |
                 S_VGT_GS_ONCHIP_CNTL_GS_PRIMS_PER_SUBGRP(group->primitives) |
                 S_VGT_GS_ONCHIP_CNTL_GS_INST_PRIMS_IN_SUBGRP(group->threads));
   si_pm4_reg(regs, R_VGT_GS_MAX_PRIMS_PER_SUBGROUP, group->threads * gs->gs_vertices);
   if (!info->has_vgt) /* with tessellation draws set it again */
      si_pm4_reg(regs, R_GE_CNTL,
                 S_GE_CNTL_PRIM_GRP_SIZE(info->gen, group->primitives) | S_GE_CNTL_VERT_GRP_SIZE(vertices));
}

void
si_geometry_registers(struct si_program *program, const struct si_screen *screen, const struct aco_stage *stage,
                      const struct aco_output *out, const struct si_gs_layout *layout)
{
   struct si_pm4 *regs = &program->regs;
   const struct nir_shader_info *gs = &stage->shaders[stage->num_shaders - 1]->info;
   const struct si_gs_subgroup group = si_gs_subgroup(gs, program->merged_vertex_B);
   const uint32_t lds = (uint32_t)div_round_up(out->lds_B, screen->info.lds_granularity_B);

   si_program_registers(
      screen, program, stage, out, S_SPI_SHADER_PGM_RSRC1_GS_GS_VGPR_COMP_CNT(out->vs.gs_vgpr_comp_cnt),
      S_SPI_SHADER_PGM_RSRC2_GS_ES_VGPR_COMP_CNT(out->vs.vgpr_comp_cnt) |
         S_SPI_SHADER_PGM_RSRC2_GS_OC_LDS_EN(program->tess.on) | S_SPI_SHADER_PGM_RSRC2_GS_LDS_SIZE(lds));
   si_program_ring_argument(program, screen, ACO_HW_GS);
   si_pm4_reg(regs, R_VGT_GS_MODE,
              S_VGT_GS_MODE_MODE(V_GS_SCENARIO_G) | S_VGT_GS_MODE_CUT_MODE(cut_mode(gs->gs_vertices)) |
                 S_VGT_GS_MODE_GS_WRITE_OPTIMIZE(1) | S_VGT_GS_MODE_ONCHIP(1));
   subgroup_registers(regs, &screen->info, gs, &group);
   ring_registers(regs, screen, layout);
   si_pm4_reg(regs, R_VGT_GS_OUT_PRIM_TYPE(screen->info.gen), si_gs_output_type(gs));
   si_pm4_reg(regs, R_VGT_ESGS_RING_ITEMSIZE, 1);
   si_pm4_reg(regs, R_VGT_GS_MAX_VERT_OUT, gs->gs_vertices);
   si_pm4_reg(regs, R_VGT_GS_INSTANCE_CNT,
              S_VGT_GS_INSTANCE_CNT_ENABLE(1) | S_VGT_GS_INSTANCE_CNT_CNT(gs->gs_invocations));
}

/* ---- the ring ---- */

uint32_t
si_gsvs_ring_B(const struct si_screen *screen)
{
   enum { ENGINE_B = 4 << 20 };

   return ENGINE_B * MAX2(screen->info.num_se, 1u);
}

/* Made for the first program that needs it. */
static bool
make_ring(struct si_screen *screen)
{
   pthread_mutex_lock(&screen->scratch_lock);
   if (!screen->gsvs_ring)
      screen->gsvs_ring =
         amdgpu_ws_bo_create(screen->ws, si_gsvs_ring_B(screen), 65536, AMDGPU_WS_VRAM, AMDGPU_WS_BO_VA_32BIT);
   const bool made = screen->gsvs_ring != NULL;

   pthread_mutex_unlock(&screen->scratch_lock);
   return made;
}

void
si_program_ring_argument(struct si_program *program, const struct si_screen *screen, enum aco_hw_stage hw)
{
   si_pm4_reg(&program->regs, program->user_data[hw] + 4 * SI_SGPR_GS_GSVS_RING, 0);
   program->gsvs_dw[program->num_gsvs++] = (uint8_t)(program->regs.count_dw - 1);
}

bool
si_program_place_gsvs(struct si_program *program, struct si_screen *screen)
{
   if (program->num_gsvs && !make_ring(screen))
      return false;
   for (unsigned i = 0; i < program->num_gsvs; i++)
      program->regs.dw[program->gsvs_dw[i]] = (uint32_t)screen->gsvs_ring->va;
   return true;
}
