#include "gallium/drivers/asahi/program/agx_glsl_programs.h"

#include "compiler/nir/nir.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "gallium/drivers/asahi/program/agx_program.h"
#include "util/log.h"
#include "util/within_memory.h"

struct creation {
   struct agx_screen *screen;
   const struct agx_glsl_module *modules;
   unsigned count;
   void (*lower)(struct nir_shader *shader);
   struct pipe_program **programs;
   struct arena arena;
   bool ok;
};

static bool
create(struct creation *c, unsigned number)
{
   static const struct pipe_pipeline_layout layout = {.push_constant_B = PIPE_MAX_PUSH_CONSTANT_B};
   static const struct pipe_compute_options compute = {.layout = &layout};
   const struct agx_glsl_module *module = &c->modules[number];
   const struct spirv_options options = {
      .stage = NIR_STAGE_COMPUTE, .features = SPIRV_FEATURE_ALL, .offered = SPIRV_FEATURE_ALL};
   const char *error;
   struct nir_shader *nir = spirv_to_nir(&c->arena, module->words, module->count, &options, &error);

   if (!nir) {
      log_error("asahi: internal program %s: %s", module->name, error);
      return false;
   }
   nir->name = module->name;
   if (c->lower)
      c->lower(nir);
   return agx_compute_program_create(&c->screen->base, nir, &compute, &c->programs[number]) == PIPE_OK;
}

static void
create_all(void *data)
{
   struct creation *c = data;

   for (unsigned i = 0; i < c->count && c->ok; i++)
      c->ok = create(c, i);
}

bool
agx_glsl_programs_create(struct agx_screen *screen, const struct agx_glsl_module *modules, unsigned count,
                         void (*lower)(struct nir_shader *shader), struct pipe_program **programs)
{
   struct creation c = {
      .screen = screen, .modules = modules, .count = count, .lower = lower, .programs = programs, .ok = true};
   bool within = within_memory(create_all, &c);

   arena_free(&c.arena);
   return within && c.ok;
}
