#include "gallium/drivers/asahi/program/agx_shader_separate.h"

#include <stdlib.h>

#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/asahi/varyings/agx_link.h"
#include "gallium/drivers/asahi/program/agx_part.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/within_memory.h"

struct creation {
   struct agx_screen *screen;
   const struct pipe_graphics_options *options;
   struct nir_shader *shader;
   struct agx_shader *stage;
   struct agx_fragment_key key;
   struct agx_fragment_info info;
   struct arena arena;
   enum pipe_result result;
};

/* ---- nir ---- */

/* PIPE_INVALID_SHADER with *error. */
static enum pipe_result
lower_vertex(struct creation *c, const char **error)
{
   const struct pipe_graphics_options *options = c->options;
   struct agx_vertex_words words;

   if (c->shader->info.xfb.buffers)
      return PIPE_UNSUPPORTED;
   agx_nir_gather_vertex_outputs(c->shader, &c->stage->outputs);
   c->stage->outputs.any_topology = options->incomplete;
   if (options->incomplete && !agx_nir_take_vertex_inputs(c->shader, &c->stage->body->locations))
      return PIPE_UNSUPPORTED;
   if (!agx_link_vertex(&words, &c->stage->outputs, agx_primitives_of(options->state)))
      return PIPE_UNSUPPORTED;
   if ((!options->incomplete && !agx_lower_vertex_inputs(c->screen, c->shader, options->state, error)) ||
       !agx_nir_lower_vertex_outputs(c->shader, &words, error))
      return PIPE_INVALID_SHADER;
   agx_nir_lower_vertex_sysvals(c->shader);
   return PIPE_OK;
}

/* Whether the shader interpolates at a sample by its number: then it must know how many there are. */
static bool
asks_for_samples(struct nir_shader *shader)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC &&
             nir_as_intrinsic(instr)->op == NIR_INTRINSIC_load_barycentric_at_sample)
            return true;
      }
   }
   return false;
}

static enum pipe_result
lower_fragment(struct creation *c, const char **error)
{
   struct agx_shader *stage = c->stage;

   agx_nir_gather_fragment_reads(c->shader, &stage->reads);
   *error = stage->reads.error;
   c->key.open = c->options->incomplete;
   if (c->key.open)
      c->key.per_sample = stage->body->per_sample =
         pipe_shades_samples(c->options->state) || c->shader->info.uses_sample_shading;
   if (c->key.open && asks_for_samples(c->shader))
      return PIPE_UNSUPPORTED;
   if (*error ||
       (!c->key.open && !agx_fragment_key_init(&c->key, c->options, c->shader->info.uses_sample_shading, error)))
      return PIPE_INVALID_SHADER;
   if (stage->reads.vertices || stage->reads.barycentric_coord)
      return PIPE_UNSUPPORTED;
   if (!agx_link_fragment(&stage->registers, &stage->reads))
      return PIPE_UNSUPPORTED;
   return agx_nir_lower_fragment(c->shader, &stage->registers, &c->key, &c->info, error) ? PIPE_OK
                                                                                         : PIPE_INVALID_SHADER;
}

/* NULL: only together with other stages. */
static enum pipe_result (*const lower_stage[NIR_STAGES])(struct creation *c, const char **error) = {
   [NIR_STAGE_VERTEX] = lower_vertex,
   [NIR_STAGE_FRAGMENT] = lower_fragment,
};

static enum pipe_result
lower(struct creation *c)
{
   const char *error = NULL;

   if (!lower_stage[c->stage->stage])
      return PIPE_UNSUPPORTED;
   nir_gather_info(c->shader);
   nir_lower_variables(c->shader);
   enum pipe_result result = lower_stage[c->stage->stage](c, &error);

   if (result == PIPE_INVALID_SHADER)
      log_error("shader %s: %s", c->shader->name ? c->shader->name : "without a name", error);
   /* As whoever compiles stages together does. */
   nir_remove_dead_variables(c->shader, NIR_VAR_SHADER_IN | NIR_VAR_SHADER_OUT);
   return result;
}

/* ---- code ---- */

void
agx_shader_samples(struct agx_shader *stage, const struct agx_fragment_key *key)
{
   stage->samples = key->sample_mask & (uint32_t)bit_mask(key->tile.samples);
}

static void
compile_complete(struct creation *c)
{
   struct agx_shader *stage = c->stage;
   bool is_fragment = stage->stage == NIR_STAGE_FRAGMENT;
   enum nir_depth_layout layout = c->shader->info.depth_layout;
   const struct agx_graphics_compiler compiler = {&c->arena, c->screen, &stage->program, c->options};
   struct agx_output out;

   c->result = agx_graphics_compile(&compiler, stage->stage, c->shader, is_fragment ? &c->key : NULL, &out);
   if (c->result != PIPE_OK)
      return;
   if (is_fragment) {
      agx_fragment_words(&stage->graphics, &c->info, layout, &out);
      stage->graphics.tile = c->key.tile;
      agx_shader_samples(stage, &c->key);
      stage->loads_varyings = out.fs.loads_varyings;
   } else {
      agx_fill_attributes(&stage->graphics, c->options);
   }
}

static void
compile_body(struct creation *c)
{
   struct agx_shader *stage = c->stage;
   struct agx_body *body = stage->body;
   bool is_fragment = stage->stage == NIR_STAGE_FRAGMENT;
   struct agx_shader_options options = agx_graphics_shader_options(
      c->screen, c->options, is_fragment, &stage->program.stages[agx_hw_stage(stage->stage)].texts);
   struct agx_output out;

   body->info = c->info;
   body->depth_layout = c->shader->info.depth_layout;
   options.agx.continues = is_fragment;
   options.agx.first_register_h = body->per_sample ? AGX_PART_BODY_H : 0;
   options.reserved_h =
      is_fragment ? AGX_PART_BLEND_UNIFORM_END : (uint16_t)AGX_PART_ATTRIBUTE_UNIFORM(agx_body_locations_end(body));
   if (!agx_shader_compile(&c->arena, c->shader, &options, &body->arguments, &out)) {
      c->result = PIPE_INVALID_SHADER;
      return;
   }
   /* What lies in private memory would be there anew for each sample. */
   if (body->per_sample && out.scratch_B) {
      c->result = PIPE_UNSUPPORTED;
      return;
   }
   agx_output_keep(&body->arena, &out, &body->output);
   stage->loads_varyings = out.fs.loads_varyings;
}

static void
compile(void *data)
{
   struct creation *c = data;

   if (!c->shader)
      c->shader = nir_shader_create(&c->arena, NIR_STAGE_FRAGMENT);
   c->stage->stage = c->shader->stage;
   c->result = lower(c);
   if (c->result == PIPE_OK)
      (c->stage->body ? compile_body : compile_complete)(c);
}

static enum pipe_result
shader_create(struct pipe_screen *pipe, struct nir_shader *shader, const struct pipe_graphics_options *options,
              struct pipe_shader **out)
{
   struct creation c = {.screen = agx_screen(pipe), .options = options, .shader = shader};

   c.stage = calloc(1, sizeof(*c.stage));
   if (!c.stage)
      return PIPE_OUT_OF_HOST_MEMORY;
   c.stage->references = 1;
   c.stage->prims = agx_primitives_of(options->state);
   c.stage->program.point = PIPE_BIND_GRAPHICS;
   if (options->incomplete)
      c.stage->body = calloc(1, sizeof(*c.stage->body));
   if ((options->incomplete && !c.stage->body) || !within_memory(compile, &c))
      c.result = PIPE_OUT_OF_HOST_MEMORY;
   arena_free(&c.arena);
   *out = agx_shader_handle(c.stage);
   if (c.result != PIPE_OK) {
      agx_shader_unref(c.screen, c.stage);
      *out = NULL;
   }
   return c.result;
}

void
agx_shader_unref(struct agx_screen *screen, struct agx_shader *stage)
{
   if (!stage || __atomic_sub_fetch(&stage->references, 1, __ATOMIC_ACQ_REL))
      return;
   agx_program_free_code(screen, &stage->program.stages[agx_hw_stage(stage->stage)]);
   if (stage->body)
      arena_free(&stage->body->arena);
   free(stage->body);
   free(stage);
}

static void
shader_destroy(struct pipe_screen *screen, struct pipe_shader *stage)
{
   agx_shader_unref(agx_screen(screen), agx_shader(stage));
}

void
agx_init_shader_separate(struct agx_screen *screen)
{
   screen->base.shader_create = shader_create;
   screen->base.shader_destroy = shader_destroy;
   screen->base.shader_complete = agx_shader_complete;
   screen->base.shader_prepare = agx_shader_prepare;
   screen->base.graphics_program_link = agx_graphics_program_link;
}
