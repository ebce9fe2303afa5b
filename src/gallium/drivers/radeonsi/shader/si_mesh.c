/* Registers of mesh shaders. Source: RADV. */
#include "gallium/drivers/radeonsi/shader/si_mesh.h"

#include "amd/hw/registers.h"
#include "compiler/nir/nir.h"
#include "util/macros.h"

/* The rate's bits in the word of a primitive. */
enum { GFX103_RATE_X = 28, GFX103_RATE_Y = 30, GFX11_RATE_X = 30, GFX11_RATE_Y = 28 };

struct si_mesh_layout
si_mesh_layout(const struct ac_gpu_info *info, uint64_t read)
{
   const uint64_t params = (bit_mask(NIR_SLOT_VAR31 + 1) & ~bit_mask(NIR_SLOT_VAR0)) | UINT64_C(1)
                                                                                          << NIR_SLOT_PRIMITIVE_ID;
   const bool layer_first = info->payload_layer_first;

   return (struct si_mesh_layout){.unread = params & ~read,
                                  .groups = info->mesh_groups,
                                  .layer_bit = layer_first ? 0 : 17,
                                  .rate_x_bit = layer_first ? GFX11_RATE_X : GFX103_RATE_X,
                                  .rate_y_bit = layer_first ? GFX11_RATE_Y : GFX103_RATE_Y};
}

enum pipe_topology
si_mesh_topology(const struct nir_shader_info *info)
{
   return info->mesh_output == NIR_PRIMITIVE_POINTS  ? PIPE_POINT_LIST
          : info->mesh_output == NIR_PRIMITIVE_LINES ? PIPE_LINE_LIST
                                                     : PIPE_TRIANGLE_LIST;
}

static uint32_t
output_type(const struct nir_shader_info *info)
{
   static const uint8_t types[] = {[NIR_PRIMITIVE_POINTS] = V_POINTLIST,
                                   [NIR_PRIMITIVE_LINES] = V_LINESTRIP,
                                   [NIR_PRIMITIVE_TRIANGLES] = V_TRISTRIP};

   return types[info->mesh_output];
}

/* Workgroups that start like those of compute shaders. Threads find their place in them by their number. */
static void
group_registers(struct si_pm4 *regs, const struct nir_shader_info *info, const struct si_mesh_layout *layout)
{
   si_pm4_reg(regs, R_SPI_SHADER_GS_MESHLET_DIM,
              S_SPI_SHADER_GS_MESHLET_DIM_MESHLET_NUM_THREAD_X(layout->threads - 1u) |
                 S_SPI_SHADER_GS_MESHLET_DIM_MESHLET_THREADGROUP_SIZE(layout->threads - 1u));
   si_pm4_reg(regs, R_SPI_SHADER_GS_MESHLET_EXP_ALLOC,
              S_SPI_SHADER_GS_MESHLET_EXP_ALLOC_MAX_EXP_VERTS(info->mesh_vertices) |
                 S_SPI_SHADER_GS_MESHLET_EXP_ALLOC_MAX_EXP_PRIMS(info->mesh_primitives));
}

void
si_mesh_registers(struct si_program *program, const struct si_screen *screen, const struct aco_stage *stage,
                  const struct aco_output *out, const struct si_mesh_layout *layout)
{
   const struct nir_shader_info *info = &stage->shaders[0]->info;
   const struct si_ngg_limits limits = {
      .vertices = 1, .primitives = 1, .made = info->mesh_vertices, .amplification = info->mesh_primitives};
   const bool payload = out->vs.writes_payload;
   struct si_pm4 *regs = &program->regs;
   const uint32_t lds = (uint32_t)div_round_up(out->lds_B, screen->info.lds_granularity_B);

   si_pm4_reg(regs, R_VGT_SHADER_STAGES_EN,
              S_VGT_SHADER_STAGES_EN_GS_EN(1) | S_VGT_SHADER_STAGES_EN_PRIMGEN_EN(1) |
                 S_VGT_SHADER_STAGES_EN_MAX_PRIMGRP_IN_WAVE(2) |
                 S_VGT_SHADER_STAGES_EN_GS_FAST_LAUNCH(layout->groups ? 2 : 1) |
                 S_VGT_SHADER_STAGES_EN_NGG_WAVE_ID_EN(layout->memory_B != 0) |
                 S_VGT_SHADER_STAGES_EN_GS_W32_EN(out->wave_size == 32));
   si_program_registers(screen, program, stage, out, 0, S_SPI_SHADER_PGM_RSRC2_GS_LDS_SIZE(lds));
   if (screen->info.ngg_only)
      si_program_ring(program, screen);
   si_pm4_reg(regs, R_VGT_GS_INSTANCE_CNT, 0);
   si_pm4_reg(regs, R_VGT_GS_MAX_VERT_OUT, layout->groups ? info->mesh_vertices : layout->threads);
   si_pm4_reg(regs, R_VGT_GS_OUT_PRIM_TYPE(screen->info.gen), output_type(info));
   si_ngg_limit_registers(program, &screen->info, &limits);
   if (layout->groups)
      group_registers(regs, info, layout);
   si_pm4_reg(regs, R_SPI_SHADER_IDX_FORMAT,
              S_SPI_SHADER_IDX_FORMAT_IDX0_EXPORT_FORMAT(payload ? V_SPI_SHADER_2COMP : V_SPI_SHADER_1COMP));
   si_pm4_reg(regs, R_VGT_DRAW_PAYLOAD_CNTL, si_draw_payload(&screen->info, payload));
}
