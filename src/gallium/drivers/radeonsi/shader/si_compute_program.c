#include <stdlib.h>

#include "amd/hw/registers.h"
#include "compiler/nir/nir.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "gallium/drivers/radeonsi/shader/si_shader.h"
#include "gallium/drivers/radeonsi/shader/si_stage.h"
#include "util/macros.h"
#include "util/within_memory.h"

void
si_compute_registers(const struct si_screen *screen, struct si_program *program, const struct aco_stage *stage,
                     const struct aco_output *out)
{
   struct si_pm4 *regs = &program->regs;
   uint32_t lds = (uint32_t)div_round_up(out->lds_B, screen->info.lds_granularity_B);

   si_pm4_reg(regs, R_COMPUTE_NUM_THREAD_X, S_COMPUTE_NUM_THREAD_X_NUM_THREAD_FULL(program->workgroup_size[0]));
   si_pm4_reg(regs, R_COMPUTE_NUM_THREAD_Y, S_COMPUTE_NUM_THREAD_Y_NUM_THREAD_FULL(program->workgroup_size[1]));
   si_pm4_reg(regs, R_COMPUTE_NUM_THREAD_Z, S_COMPUTE_NUM_THREAD_Z_NUM_THREAD_FULL(program->workgroup_size[2]));
   si_program_registers(
      screen, program, stage, out, 0,
      S_COMPUTE_PGM_RSRC2_TGID_X_EN(out->cs.tgid[0]) | S_COMPUTE_PGM_RSRC2_TGID_Y_EN(out->cs.tgid[1]) |
         S_COMPUTE_PGM_RSRC2_TGID_Z_EN(out->cs.tgid[2]) | S_COMPUTE_PGM_RSRC2_TIDIG_COMP_CNT(out->cs.tidig_comp_cnt) |
         S_COMPUTE_PGM_RSRC2_LDS_SIZE(lds));
   si_pm4_reg(regs, R_COMPUTE_RESOURCE_LIMITS, 0);
   if (screen->info.rdna)
      si_pm4_reg(regs, R_COMPUTE_PGM_RSRC3, 0);
}

struct compilation {
   const struct aco_stage *stage;
   const struct si_shader_options *options;
   struct arena arena;
   struct aco_output out[ACO_HW_STAGES];
   bool ok;
};

static void
compile(void *data)
{
   struct compilation *c = data;

   c->ok = si_shader_compile(&c->arena, c->stage, c->options, &c->out[ACO_HW_CS]);
}

enum pipe_result
si_compute_program_create(struct pipe_screen *pipe, struct nir_shader *nir,
                          const struct pipe_compute_options *compute, struct pipe_program **out_program)
{
   struct si_screen *screen = si_screen(pipe);
   struct si_program *program = calloc(1, sizeof(*program));
   struct si_shader_options options = si_shader_options(screen, nir, compute->layout);
   const struct aco_stage stage = si_stage(screen, nir);
   struct compilation c = {.stage = &stage, .options = &options};
   enum pipe_result result = PIPE_OK;

   if (!program)
      return PIPE_OUT_OF_HOST_MEMORY;
   program->point = PIPE_BIND_COMPUTE;
   for (unsigned i = 0; i < 3; i++)
      program->workgroup_size[i] = nir->info.workgroup_size[i];
   options.nir.used_sets = &program->used_sets;
   options.texts = compute->capture_text ? &program->stages[ACO_HW_CS].texts : NULL;
   if (!within_memory(compile, &c))
      result = PIPE_OUT_OF_HOST_MEMORY;
   else if (!c.ok)
      result = PIPE_INVALID_SHADER;
   else if (!si_program_add_code(screen, program, &stage, &c.out[ACO_HW_CS]))
      result = PIPE_OUT_OF_DEVICE_MEMORY;
   else
      si_compute_registers(screen, program, &stage, &c.out[ACO_HW_CS]);
   if (result == PIPE_OK && !si_program_save(program, c.out, NULL, compute->save))
      result = PIPE_OUT_OF_HOST_MEMORY;
   arena_free(&c.arena);
   *out_program = si_program_handle(program);
   if (result != PIPE_OK) {
      pipe->program_destroy(pipe, *out_program);
      *out_program = NULL;
   }
   return result;
}
