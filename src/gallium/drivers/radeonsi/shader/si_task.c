/* Task shaders: their program, and the rings. */
#include "gallium/drivers/radeonsi/shader/si_task.h"

#include <pthread.h>
#include <stdlib.h>

#include "amd/hw/registers.h"
#include "compiler/nir/nir.h"
#include "gallium/drivers/radeonsi/shader/si_shader.h"
#include "gallium/drivers/radeonsi/si_abi.h"

/* What the command processor knows: numbers of the next entry to be written, to be read, and of the first one in use;
 * they count from the number of entries on. */
struct control {
   uint64_t write, read, free;
   uint32_t entries;
   uint32_t draws_lo, draws_hi;
};

static bool
create_rings(struct si_screen *screen)
{
   screen->task_rings = amdgpu_ws_bo_create(screen->ws, SI_TASK_RINGS_B, 65536, AMDGPU_WS_VRAM,
                                            AMDGPU_WS_BO_VA_32BIT | AMDGPU_WS_BO_CPU_ACCESS);
   struct control *control = screen->task_rings ? amdgpu_ws_bo_map(screen->task_rings) : NULL;

   if (!control)
      return false;
   const uint64_t draws_va = screen->task_rings->va + SI_TASK_CONTROL_B;

   memset(control, 0, SI_TASK_PAYLOADS_B);
   *control = (struct control){.write = SI_TASK_ENTRIES,
                               .read = SI_TASK_ENTRIES,
                               .free = SI_TASK_ENTRIES,
                               .entries = SI_TASK_ENTRIES,
                               .draws_lo = (uint32_t)draws_va,
                               .draws_hi = (uint32_t)(draws_va >> 32)};
   return true;
}

bool
si_task_rings_create(struct si_screen *screen)
{
   pthread_mutex_lock(&screen->scratch_lock);
   const bool made = screen->task_rings || create_rings(screen);

   pthread_mutex_unlock(&screen->scratch_lock);
   return made;
}

bool
si_program_place_task_rings(struct si_program *program, struct si_screen *screen)
{
   if (!program->task_rings_dw)
      return true;
   if (!si_task_rings_create(screen))
      return false;
   program->regs.dw[program->task_rings_dw] = (uint32_t)screen->task_rings->va;
   return true;
}

void
si_program_task_rings_argument(struct si_program *program)
{
   si_pm4_reg(&program->regs, program->user_data[ACO_HW_GS] + 4 * SI_SGPR_MS_TASK_RINGS, 0);
   program->task_rings_dw = (uint8_t)(program->regs.count_dw - 1);
}

enum pipe_result
si_task_program_create(struct si_screen *screen, struct arena *arena, struct nir_shader *task,
                       const struct pipe_graphics_options *options, struct pipe_saved_program *save,
                       struct si_program **out)
{
   struct si_shader_options own = si_shader_options(screen, task, options->layout);
   const struct aco_stage stage = {.hw = ACO_HW_CS, .num_shaders = 1, .shaders = {task}, .args = si_args_ts()};
   struct si_program *program = *out = calloc(1, sizeof(*program));
   struct aco_output code;

   if (!program)
      return PIPE_OUT_OF_HOST_MEMORY;
   program->point = PIPE_BIND_COMPUTE;
   for (unsigned i = 0; i < 3; i++)
      program->workgroup_size[i] = task->info.workgroup_size[i];
   own.nir.used_sets = &program->used_sets;
   own.nir.counts_meshes = options->counts_meshes;
   own.texts = options->capture_text ? &program->stages[ACO_HW_CS].texts : NULL;
   if (!si_shader_compile(arena, &stage, &own, &code))
      return PIPE_INVALID_SHADER;
   if (!si_program_add_code(screen, program, &stage, &code))
      return PIPE_OUT_OF_DEVICE_MEMORY;
   program->stages[ACO_HW_CS].shaders = 1u << NIR_STAGE_TASK;
   si_compute_registers(screen, program, &stage, &code);
   struct aco_output outs[ACO_HW_STAGES] = {[ACO_HW_CS] = code};

   return si_program_save(program, outs, NULL, save) ? PIPE_OK : PIPE_OUT_OF_HOST_MEMORY;
}
