#include <stdlib.h>

#include "asahi/hw/hw_limits.h"
#include "asahi/hw/records.h"
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/asahi/program/agx_program.h"
#include "util/within_memory.h"

/* Programs without threadgroup memory say the most of it, and that they do not use it [seen]. */
#define NO_THREADGROUP_B 65536

uint32_t
agx_shared_word(const struct agx_output *out)
{
   struct agx_usc_shared shared = {
      .uses_shared_memory = out->local_B > 0,
      .layout = AGX_SHARED_LAYOUT_VERTEX_COMPUTE,
      .sample_count = 1,
      .threadgroup_B = out->local_B ? out->local_B : NO_THREADGROUP_B,
   };
   uint32_t word;

   agx_usc_shared_pack(&word, &shared);
   return word;
}

struct compilation {
   struct nir_shader *nir;
   const struct agx_shader_options *options;
   struct arena arena;
   struct agx_arguments arguments;
   struct agx_output out;
   bool ok;
};

static void
compile(void *data)
{
   struct compilation *c = data;

   nir_lower_variables(c->nir);
   c->ok = agx_shader_compile(&c->arena, c->nir, c->options, &c->arguments, &c->out);
}

/* A workgroup must fit into a core whole: the more threads it has, the fewer registers each may take. */
static unsigned
max_registers(unsigned threads)
{
   unsigned registers_h = AGX_REGISTERS;

   while (registers_h > 8 && agx_max_threads(registers_h) < threads)
      registers_h -= 8;
   return registers_h;
}

enum pipe_result
agx_compute_program_create(struct pipe_screen *pipe, struct nir_shader *nir,
                           const struct pipe_compute_options *compute, struct pipe_program **out_program)
{
   struct agx_screen *screen = agx_screen(pipe);
   struct agx_program *program = calloc(1, sizeof(*program));
   struct agx_shader_options options = agx_shader_options(screen, compute->layout);
   struct compilation c = {.nir = nir, .options = &options};
   enum pipe_result result = PIPE_OK;
   unsigned threads = 1;

   if (!program)
      return PIPE_OUT_OF_HOST_MEMORY;
   program->point = PIPE_BIND_COMPUTE;
   for (unsigned i = 0; i < 3; i++) {
      program->workgroup_size[i] = nir->info.workgroup_size[i];
      threads *= nir->info.workgroup_size[i];
   }
   options.agx.registers_max_h = max_registers(threads);
   options.custom_borders = compute->custom_borders;
   options.dispatch_base = compute->dispatch_base;
   options.texts = compute->capture_text ? &program->stages[AGX_HW_COMPUTE].texts : NULL;
   if (!agx_saving_begin(program, compute->save) || !within_memory(compile, &c))
      result = PIPE_OUT_OF_HOST_MEMORY;
   else if (!c.ok)
      result = PIPE_INVALID_SHADER;
   else if (!agx_program_add_code(screen, program, NIR_STAGE_COMPUTE, &c.arguments, &c.out, agx_shared_word(&c.out)))
      result = PIPE_OUT_OF_DEVICE_MEMORY;
   arena_free(&c.arena);
   if (!agx_saving_end(program, result == PIPE_OK) && result == PIPE_OK)
      result = PIPE_OUT_OF_HOST_MEMORY;
   *out_program = agx_program_handle(program);
   if (result != PIPE_OK) {
      pipe->program_destroy(pipe, *out_program);
      *out_program = NULL;
   }
   return result;
}
