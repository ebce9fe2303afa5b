/* A graphics program of stages that were compiled separately. */
#include <stdlib.h>

#include "gallium/drivers/asahi/varyings/agx_link.h"
#include "gallium/drivers/asahi/program/agx_shader_separate.h"

/* Code and texts stay the shader's. */
static void
copy_stage(struct agx_program *program, struct agx_shader *shader)
{
   const enum agx_hw_stage hw = agx_hw_stage(shader->stage);

   __atomic_add_fetch(&shader->references, 1, __ATOMIC_RELAXED);
   program->used_sets |= shader->program.used_sets;
   program->stages[hw] = shader->program.stages[hw];
   program->stages[hw].linked = shader;
}

/* The words of draws that each stage decides. */
static void
copy_words(struct agx_program *program)
{
   struct agx_graphics_program *g = program->graphics;
   const struct agx_graphics_program *vertex = &program->stages[AGX_HW_VERTEX].linked->graphics;

   *g = program->stages[AGX_HW_FRAGMENT].linked->graphics;
   g->num_attributes = vertex->num_attributes;
   for (unsigned i = 0; i < g->num_attributes; i++)
      g->attributes[i] = vertex->attributes[i];
}

/* From the stage that feeds the rasterizer to the fragment stage. */
static enum pipe_result
link_varyings(struct agx_screen *screen, struct agx_program *program)
{
   struct agx_graphics_program *g = program->graphics;
   const struct agx_shader *last = program->stages[AGX_HW_VERTEX].linked;
   const struct agx_shader *fragment = program->stages[AGX_HW_FRAGMENT].linked;
   struct agx_varyings varyings;
   uint32_t table[AGX_LINK_DW] = {0};

   if (!agx_link_varyings(&varyings, table, &last->outputs, &fragment->reads, &fragment->registers, last->prims))
      return PIPE_UNSUPPORTED;
   table[AGX_LINK_SAMPLES] = fragment->samples;
   agx_varying_words(g, &varyings.vertex, &fragment->reads, last->prims, fragment->loads_varyings);
   g->link = aux_code_upload(&screen->code, table, sizeof(table));
   if (!g->link.block)
      return PIPE_OUT_OF_DEVICE_MEMORY;
   if (fragment->loads_varyings && !agx_upload_bindings(screen, g, &varyings.bindings, varyings.fragment.num_cf))
      return PIPE_OUT_OF_DEVICE_MEMORY;
   return PIPE_OK;
}

enum pipe_result
agx_graphics_program_link(struct pipe_screen *pipe, struct pipe_shader *const shaders[NIR_STAGES],
                          struct pipe_program **out)
{
   struct agx_program *program = calloc(1, sizeof(*program));

   *out = NULL;
   if (!program)
      return PIPE_OUT_OF_HOST_MEMORY;
   program->point = PIPE_BIND_GRAPHICS;
   nir_foreach_stage(stage, NIR_STAGES_GRAPHICS) {
      if (shaders[stage])
         copy_stage(program, agx_shader(shaders[stage]));
   }
   program->graphics = calloc(1, sizeof(*program->graphics));
   enum pipe_result result = PIPE_OUT_OF_HOST_MEMORY;

   if (program->graphics) {
      copy_words(program);
      result = link_varyings(agx_screen(pipe), program);
   }
   if (result == PIPE_OK)
      *out = agx_program_handle(program);
   else
      pipe->program_destroy(pipe, agx_program_handle(program));
   return result;
}
