/* Programs of both kinds: upload, statistics, destruction. */
#include "gallium/drivers/radeonsi/shader/si_program.h"

#include <stdlib.h>

#include "amd/hw/registers.h"
#include "compiler/nir/nir.h"
#include "gallium/drivers/radeonsi/base/si_scratch.h"
#include "gallium/drivers/radeonsi/shader/si_stage.h"
#include "util/macros.h"

bool
si_program_add_code(struct si_screen *screen, struct si_program *program, const struct aco_stage *stage,
                    const struct aco_output *out)
{
   const struct aco_stats *stats = &out->stats;
   struct si_program_stage *to = &program->stages[stage->hw];

   /* Of a geometry shader's copy the application knows nothing. */
   const bool copies = stage->hw == ACO_HW_VS && stage->shaders[0]->stage == NIR_STAGE_GEOMETRY;

   for (unsigned i = 0; i < stage->num_shaders && !copies; i++)
      to->shaders |= 1u << stage->shaders[i]->stage;
   to->wave_size = (uint8_t)out->wave_size;
   to->scratch_sgpr = stage->args.scratch_address;
   to->code = aux_code_upload(&screen->code, out->code, 4 * out->code_dw);
   to->stats = (struct pipe_shader_stats){
      .instructions = stats->instructions,
      .code_B = stats->code_B,
      .sgprs = stats->sgprs,
      .vgprs = stats->vgprs,
      .spilled_sgprs = stats->spilled_sgprs,
      .spilled_vgprs = stats->spilled_vgprs,
      .scratch_B = out->scratch_B,
      .lds_B = out->lds_B,
      .waves = stats->waves,
      .valu = stats->valu,
      .salu = stats->salu,
      .smem = stats->smem,
      .vmem = stats->vmem,
      .lds = stats->lds,
      .branches = stats->branches,
      .copies = stats->copies,
      .loops = stats->loops,
      .code_hash = stats->hash,
   };
   if (!to->code.block)
      return false;
   if (out->scratch_B) {
      const struct si_scratch *scratch = si_scratch_get(screen, out->scratch_B, out->wave_size);

      if (!scratch)
         return false;
      if (!program->scratch || scratch->wave_B > program->scratch->wave_B)
         program->scratch = scratch;
   }
   return true;
}

/* SGPRs are given out in blocks of 16, and counted in blocks of 8. */
static uint32_t
sgpr_granules(uint32_t num_sgprs)
{
   return S_COMPUTE_PGM_RSRC1_SGPRS((uint32_t)align_up(num_sgprs, 16) / 8 - 1);
}

/* VGPRS, SGPRS, FLOAT_MODE, DX10_CLAMP, SCRATCH_EN and USER_SGPR lie in the same place in every stage. */
void
si_program_registers(const struct si_screen *screen, struct si_program *program, const struct aco_stage *stage,
                     const struct aco_output *out, uint32_t rsrc1, uint32_t rsrc2)
{
   const struct amd_stage_regs *hw = si_stage_regs(screen->info.gen, stage->hw);
   uint64_t va = program->stages[stage->hw].code.va;

   program->hw_stages |= 1u << stage->hw;
   program->user_data[stage->hw] = hw->user_data;
   if (program->stages[stage->hw].shaders >> NIR_STAGE_VERTEX & 1)
      program->vertex_user_data = hw->user_data;
   if (program->stages[stage->hw].shaders >> NIR_STAGE_TESS_EVAL & 1)
      program->tess_user_data = hw->user_data;
   si_pm4_reg(&program->regs, hw->pgm_lo, (uint32_t)(va >> 8));
   program->stages[stage->hw].address_dw = (uint8_t)(program->regs.count_dw - 1);
   si_pm4_reg(&program->regs, hw->pgm_hi, (uint32_t)(va >> 40) & 0xff);
   si_pm4_reg(&program->regs, hw->rsrc1,
              S_COMPUTE_PGM_RSRC1_VGPRS(ac_vgpr_granules(out->num_vgprs, out->wave_size)) |
                 S_COMPUTE_PGM_RSRC1_FLOAT_MODE(out->float_mode) | S_COMPUTE_PGM_RSRC1_DX10_CLAMP(1) |
                 (screen->info.rdna ? hw->mem_ordered.mask : sgpr_granules(out->num_sgprs)) | rsrc1);
   si_pm4_reg(&program->regs, hw->rsrc2,
              S_COMPUTE_PGM_RSRC2_SCRATCH_EN(out->scratch_B > 0) |
                 S_COMPUTE_PGM_RSRC2_USER_SGPR(stage->args.num_user_sgprs) | rsrc2);
}

static void
program_destroy(struct pipe_screen *screen, struct pipe_program *pipe)
{
   struct si_program *program = si_program(pipe);

   if (program->task)
      program_destroy(screen, si_program_handle(program->task));
   for (unsigned i = 0; i < ARRAY_SIZE(program->stages); i++) {
      const struct si_program_stage *stage = &program->stages[i];

      aux_code_free(&si_screen(screen)->code, stage->code);
      free(stage->texts.nir);
      free(stage->texts.machine_ir);
      free(stage->texts.assembly);
   }
   free(program);
}

static struct pipe_shader_info
program_shader_info(struct pipe_screen *screen, struct pipe_program *pipe, enum nir_stage stage)
{
   const struct si_program_stage *hw = si_program(pipe)->stages, *end = hw + ARRAY_SIZE(si_program(pipe)->stages);

   if (stage == NIR_STAGE_TASK && si_program(pipe)->task)
      return program_shader_info(screen, si_program_handle(si_program(pipe)->task), stage);
   while (hw < end && !(hw->shaders >> stage & 1))
      hw++;
   if (hw == end)
      return (struct pipe_shader_info){0};
   return (struct pipe_shader_info){
      .stats = hw->stats,
      .wave_size = hw->wave_size,
      .nir = hw->texts.nir,
      .machine_ir = hw->texts.machine_ir,
      .assembly = hw->texts.assembly,
   };
}

void
si_init_program(struct si_screen *screen)
{
   screen->base.graphics_program_create = si_graphics_program_create;
   screen->base.compute_program_create = si_compute_program_create;
   screen->base.program_load = si_program_load;
   screen->base.program_destroy = program_destroy;
   screen->base.program_shader_info = program_shader_info;
}
