/* The internal program that generates commands, compiled when an application makes its first layout of tokens. */
#include "compiler/nir/nir.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "gallium/drivers/radeonsi/generate/si_generate.h"
#include "gallium/drivers/radeonsi/si_generate_spv.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/within_memory.h"

struct creation {
   struct si_screen *screen;
   struct arena arena;
   enum pipe_result result;
};

static void
create_program(void *data)
{
   struct creation *c = data;
   const struct pipe_pipeline_layout layout = {.push_constant_B = PIPE_MAX_PUSH_CONSTANT_B};
   const struct pipe_compute_options compute = {.layout = &layout};
   const struct spirv_options options = {
      .stage = NIR_STAGE_COMPUTE, .features = SPIRV_FEATURE_ALL, .offered = SPIRV_FEATURE_ALL};
   const char *error;
   struct nir_shader *nir = spirv_to_nir(&c->arena, si_generate_spv, ARRAY_SIZE(si_generate_spv), &options, &error);

   if (!nir) {
      log_error("radeonsi: the program that generates commands: %s", error);
      c->result = PIPE_INVALID_SHADER;
      return;
   }
   c->result = c->screen->base.compute_program_create(&c->screen->base, nir, &compute, &c->screen->generate);
}

enum pipe_result
si_generate_prepare(struct pipe_screen *pipe)
{
   struct si_screen *screen = si_screen(pipe);
   struct creation c = {.screen = screen};

   pthread_mutex_lock(&screen->generate_lock);
   if (!screen->generate) {
      if (!within_memory(create_program, &c))
         c.result = PIPE_OUT_OF_HOST_MEMORY;
      arena_free(&c.arena);
   }
   pthread_mutex_unlock(&screen->generate_lock);
   return c.result;
}

void
si_generate_finish(struct si_screen *screen)
{
   if (screen->generate)
      screen->base.program_destroy(&screen->base, screen->generate);
   pthread_mutex_destroy(&screen->generate_lock);
}
