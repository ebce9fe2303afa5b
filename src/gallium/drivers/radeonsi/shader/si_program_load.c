/* Programs as bytes: the struct, the code of its stages after it, and then the program of its tasks. Only their
 * addresses differ, and those of rings. */
#include <stdlib.h>

#include "gallium/drivers/radeonsi/base/si_scratch.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "gallium/drivers/radeonsi/shader/si_mesh.h"
#include "gallium/drivers/radeonsi/shader/si_task.h"
#include "gallium/drivers/radeonsi/shader/si_tessellation.h"
#include "util/macros.h"

struct saved {
   struct si_program program; /* without pointers */
   uint32_t code_dw[ACO_HW_STAGES];
   uint32_t task_B; /* 0: there are no tasks */
};

/* What belongs to a device in use. */
static void
forget(struct si_program *program)
{
   program->scratch = NULL;
   program->task = NULL;
   for (unsigned i = 0; i < ARRAY_SIZE(program->stages); i++) {
      memset(&program->stages[i].code, 0, sizeof(program->stages[i].code));
      memset(&program->stages[i].texts, 0, sizeof(program->stages[i].texts));
   }
}

static bool
has_stage(const struct si_program *program, unsigned stage)
{
   return program->hw_stages >> stage & 1;
}

/* Addresses of rings. */
static void
forget_rings(struct si_program *program)
{
   if (program->ring_dw)
      memset(&program->regs.dw[program->ring_dw], 0, 8);
   for (unsigned i = 0; i < program->num_gsvs; i++)
      program->regs.dw[program->gsvs_dw[i]] = 0;
   if (program->task_rings_dw)
      program->regs.dw[program->task_rings_dw] = 0;
   if (program->mesh_memory_dw)
      program->regs.dw[program->mesh_memory_dw] = 0;
}

bool
si_program_save(const struct si_program *program, const struct aco_output *out, const struct pipe_saved_program *task,
                struct pipe_saved_program *save)
{
   struct saved *saved;
   size_t size_B = sizeof(*saved) + (task ? task->size_B : 0);

   if (!save)
      return true;
   for (unsigned i = 0; i < ACO_HW_STAGES; i++)
      size_B += has_stage(program, i) ? 4 * (size_t)out[i].code_dw : 0;
   saved = calloc(1, size_B);
   if (!saved)
      return false;
   memcpy(&saved->program, program, sizeof(*program));
   forget(&saved->program);
   forget_rings(&saved->program);
   char *to = (char *)(saved + 1);

   for (unsigned i = 0; i < ACO_HW_STAGES; i++) {
      if (!has_stage(program, i))
         continue;
      uint32_t *address = &saved->program.regs.dw[program->stages[i].address_dw];

      address[0] = address[1] = 0;
      saved->code_dw[i] = out[i].code_dw;
      memcpy(to, out[i].code, 4 * (size_t)out[i].code_dw);
      to += 4 * (size_t)out[i].code_dw;
   }
   if (task) {
      saved->task_B = (uint32_t)task->size_B;
      memcpy(to, task->bytes, task->size_B);
   }
   *save = (struct pipe_saved_program){saved, size_B};
   return true;
}

/* Whether all lies within what is there. */
static bool
check(const struct saved *saved, size_t size_B)
{
   const struct si_program *program = &saved->program;
   size_t code_B = 0;
   bool good = program->point < PIPE_BIND_POINTS && program->hw_stages && !(program->hw_stages >> ACO_HW_STAGES) &&
               program->regs.count_dw <= SI_PM4_MAX_DW && program->num_attributes <= SI_MAX_ATTRIBUTES &&
               (!program->ring_dw || program->ring_dw + 1u < program->regs.count_dw) &&
               program->num_gsvs <= ARRAY_SIZE(program->gsvs_dw) && program->task_rings_dw < program->regs.count_dw &&
               program->mesh_memory_dw < program->regs.count_dw;

   for (unsigned i = 0; good && i < program->num_gsvs; i++)
      good = program->gsvs_dw[i] < program->regs.count_dw;

   for (unsigned i = 0; i < ACO_HW_STAGES && good; i++) {
      code_B += 4 * (size_t)saved->code_dw[i];
      good = has_stage(program, i) ? saved->code_dw[i] && program->stages[i].address_dw + 1u < program->regs.count_dw
                                   : !saved->code_dw[i];
   }
   return good && size_B == sizeof(*saved) + code_B + saved->task_B;
}

static enum pipe_result
load_stage(struct si_screen *screen, struct si_program *program, unsigned hw, const void *code, uint32_t code_dw)
{
   struct si_program_stage *stage = &program->stages[hw];

   stage->code = aux_code_upload(&screen->code, code, 4 * code_dw);
   if (!stage->code.block)
      return PIPE_OUT_OF_DEVICE_MEMORY;
   program->regs.dw[stage->address_dw] = (uint32_t)(stage->code.va >> 8);
   program->regs.dw[stage->address_dw + 1] = (uint32_t)(stage->code.va >> 40) & 0xff;
   if (!stage->stats.scratch_B)
      return PIPE_OK;
   const struct si_scratch *scratch = si_scratch_get(screen, stage->stats.scratch_B, stage->wave_size);

   if (!scratch)
      return PIPE_OUT_OF_DEVICE_MEMORY;
   if (!program->scratch || scratch->wave_B > program->scratch->wave_B)
      program->scratch = scratch;
   return PIPE_OK;
}

static enum pipe_result
load_task(struct pipe_screen *screen, struct si_program *program, const void *bytes, size_t size_B)
{
   struct pipe_program *task = NULL;
   const enum pipe_result result = size_B ? si_program_load(screen, bytes, size_B, &task) : PIPE_OK;

   program->task = size_B ? si_program(task) : NULL;
   return result;
}

enum pipe_result
si_program_load(struct pipe_screen *screen, const void *bytes, size_t size_B, struct pipe_program **out)
{
   const struct saved *saved = bytes;
   const char *code = (const char *)(saved + 1);
   enum pipe_result result = PIPE_OK;

   *out = NULL;
   if (size_B < sizeof(*saved) || !check(saved, size_B))
      return PIPE_UNSUPPORTED;
   struct si_program *program = malloc(sizeof(*program));

   if (!program)
      return PIPE_OUT_OF_HOST_MEMORY;
   memcpy(program, &saved->program, sizeof(*program));
   forget(program);
   if (program->ring_dw)
      si_program_place_ring(program, si_screen(screen));
   if (!si_program_place_gsvs(program, si_screen(screen)) ||
       !si_program_make_tess_rings(program, si_screen(screen)) ||
       !si_program_place_task_rings(program, si_screen(screen)) ||
       !si_program_place_mesh_memory(program, si_screen(screen)))
      result = PIPE_OUT_OF_DEVICE_MEMORY;
   for (unsigned i = 0; i < ACO_HW_STAGES && result == PIPE_OK; i++) {
      if (has_stage(program, i))
         result = load_stage(si_screen(screen), program, i, code, saved->code_dw[i]);
      code += 4 * (size_t)saved->code_dw[i];
   }
   if (result == PIPE_OK)
      result = load_task(screen, program, code, saved->task_B);
   if (result == PIPE_OK)
      *out = si_program_handle(program);
   else
      screen->program_destroy(screen, si_program_handle(program));
   return result;
}
