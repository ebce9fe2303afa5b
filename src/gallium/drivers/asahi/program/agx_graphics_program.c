/* The shaders of draws together: linked, lowered for the pipeline's targets, compiled, and their records' words. */
#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir_clone.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/asahi/assembly/agx_assembly_programs.h"
#include "gallium/drivers/asahi/assembly/agx_nir_assembly.h"
#include "gallium/drivers/asahi/program/agx_lower_ahead.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/within_memory.h"

struct link {
   struct agx_screen *screen;
   struct agx_program *program;
   const struct pipe_graphics_options *options;
   uint32_t stages; /* bit per enum nir_stage; a fragment shader is always one */
   struct nir_shader *shaders[NIR_STAGES];
   struct arena arena;
   enum pipe_result result;
   struct agx_varyings varyings;
   struct agx_fragment_key key;
   struct agx_fragment_info info;
   struct agx_fragment_reads reads;
   struct nir_shader *compute; /* the vertex shader as compute, for transform feedback or the next stages; or NULL */
};

/* ---- nir ---- */

bool
agx_fragment_key_init(struct agx_fragment_key *key, const struct pipe_graphics_options *options, bool for_samples,
                      const char **error)
{
   const struct pipe_graphics_state *state = options->state;

   *key = (struct agx_fragment_key){
      .blend = state,
      .per_sample = state->samples > 1 && (pipe_shades_samples(state) || for_samples),
      .alpha_to_coverage = state->alpha_to_coverage,
      .alpha_to_one = state->alpha_to_one,
      .sample_mask = state->sample_mask,
   };
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++)
      key->color_write_mask[i] = (uint8_t)pipe_color_mask(state, i);
   if (agx_tile_layout_init(&key->tile, state->targets.color_formats, state->targets.num_colors, state->samples))
      return true;
   *error = "a target of a format that cannot be one";
   return false;
}

bool
agx_lower_vertex_inputs(const struct agx_screen *screen, struct nir_shader *vertex,
                        const struct pipe_graphics_state *state, const char **error)
{
   const struct agx_vertex_inputs inputs = {.attributes = state->attributes.of,
                                            .count = state->attributes.count,
                                            .nowhere_hi = agx_read_nowhere_hi(screen)};

   return agx_nir_lower_vertex_inputs(vertex, &inputs, error);
}

static bool
prepare_assembly(struct link *l, const char **error)
{
   if (agx_assembly_prepare(l->screen))
      return true;
   *error = "out of memory";
   return false;
}

/* Of transform feedback, a copy of the vertex shader before its outputs are lowered. */
static bool
lower_capture(struct link *l, const char **error)
{
   const struct nir_shader *vertex = l->shaders[NIR_STAGE_VERTEX];
   struct agx_graphics_program *g = l->program->graphics;

   if (!vertex->info.xfb.buffers)
      return true;
   g->xfb_buffers = vertex->info.xfb.buffers;
   memcpy(g->xfb_stride_B, vertex->info.xfb.stride_B, sizeof(g->xfb_stride_B));
   l->compute = nir_clone_shader(l->shaders[NIR_STAGE_VERTEX]);
   agx_nir_lower_vertex_sysvals(l->compute);
   nir_remove_dead_variables(l->compute, NIR_VAR_SHADER_IN | NIR_VAR_SHADER_OUT);
   return prepare_assembly(l, error) && agx_nir_capture(l->compute, error);
}

/* Stages that the hardware does not have. */
static bool
has_shaders_ahead(const struct link *l)
{
   return l->shaders[NIR_STAGE_TESS_EVAL] || l->shaders[NIR_STAGE_GEOMETRY];
}

static bool
lower_ahead(struct link *l, const struct nir_tess_io *io, const char **error)
{
   enum nir_stage last = l->shaders[NIR_STAGE_GEOMETRY] ? NIR_STAGE_GEOMETRY : NIR_STAGE_TESS_EVAL;
   const struct nir_shader_info *info = &l->shaders[last]->info;
   struct agx_graphics_program *g = l->program->graphics;

   g->xfb_buffers = info->xfb.buffers;
   memcpy(g->xfb_stride_B, info->xfb.stride_B, sizeof(g->xfb_stride_B));
   memcpy(g->xfb_streams, info->xfb.streams, sizeof(g->xfb_streams));
   l->compute = l->shaders[NIR_STAGE_VERTEX];
   if (!agx_lower_vertex_inputs(l->screen, l->compute, l->options->state, error))
      return false;
   agx_nir_lower_vertex_sysvals(l->compute);
   nir_remove_dead_variables(l->compute, NIR_VAR_SHADER_IN | NIR_VAR_SHADER_OUT);
   return prepare_assembly(l, error) && agx_lower_ahead(l->shaders, l->options->state, io, g, error);
}

/* Those that are drawn. */
static struct agx_primitives
primitives_of(const struct link *l)
{
   struct agx_primitives prims = agx_primitives_of(l->options->state);
   uint32_t corners = l->program->graphics->ahead.corners;

   if (corners)
      prims.topology = agx_list_topology(corners);
   return prims;
}

/* Inputs of control shaders are no memory of a workgroup. */
static struct nir_tess_io
link_tessellation(struct link *l)
{
   struct nir_tess_io io =
      nir_link_tessellation(&l->shaders[NIR_STAGE_TESS_CTRL]->info, &l->shaders[NIR_STAGE_TESS_EVAL]->info);

   io.inputs = 0;
   return io;
}

static void
find_stages(struct link *l)
{
   l->stages = 0;
   nir_foreach_stage(stage, NIR_STAGES_GRAPHICS)
      l->stages |= (uint32_t)(l->shaders[stage] != NULL) << stage;
}

static bool
lower(struct link *l, const char **error)
{
   const struct pipe_graphics_options *options = l->options;
   struct nir_shader *vertex, *fragment = l->shaders[NIR_STAGE_FRAGMENT];
   struct agx_vertex_outputs outputs;
   bool is_tessellated = l->shaders[NIR_STAGE_TESS_EVAL], is_ahead = has_shaders_ahead(l);
   struct nir_tess_io io;

   nir_foreach_stage(stage, l->stages)
      nir_gather_info(l->shaders[stage]);
   if (is_tessellated)
      io = link_tessellation(l);
   if (!agx_fragment_key_init(&l->key, options, fragment->info.uses_sample_shading, error))
      return false;
   nir_foreach_stage(stage, l->stages)
      nir_lower_variables(l->shaders[stage]);
   if (is_ahead && !lower_ahead(l, is_tessellated ? &io : NULL, error))
      return false;
   vertex = l->shaders[NIR_STAGE_VERTEX];
   agx_nir_gather_vertex_outputs(vertex, &outputs);
   agx_nir_gather_fragment_reads(fragment, &l->reads);
   if (l->reads.error || !agx_varyings_link(&l->varyings, &outputs, &l->reads, primitives_of(l))) {
      *error = l->reads.error ? l->reads.error : "more varyings than the hardware has";
      return false;
   }
   bool ok =
      (is_ahead || (agx_lower_vertex_inputs(l->screen, vertex, options->state, error) && lower_capture(l, error))) &&
      agx_nir_lower_vertex_outputs(vertex, &l->varyings.vertex, error) &&
      agx_nir_lower_fragment(fragment, &l->varyings.fragment, &l->key, &l->info, error);

   if (ok)
      agx_nir_lower_vertex_sysvals(vertex);
   /* All of them have become something else: whoever lowers variables again must not find them. */
   find_stages(l);
   nir_foreach_stage(stage, l->stages)
      nir_remove_dead_variables(l->shaders[stage], NIR_VAR_SHADER_IN | NIR_VAR_SHADER_OUT);
   return ok;
}

/* ---- together ---- */

struct agx_shader_options
agx_graphics_shader_options(const struct agx_screen *screen, const struct pipe_graphics_options *graphics,
                            bool fragment, struct agx_shader_texts *texts)
{
   struct agx_shader_options options = agx_shader_options(screen, graphics->layout);

   options.custom_borders = graphics->custom_borders;
   options.texts = graphics->capture_text ? texts : NULL;
   if (fragment)
      options.agx.uniforms_max_h = AGX_COUNTER_UNIFORM;
   return options;
}

enum pipe_result
agx_graphics_add_code(struct agx_screen *screen, struct agx_program *program, enum nir_stage stage,
                      const struct agx_fragment_key *key, const struct agx_arguments *arguments,
                      struct agx_output *out)
{
   uint32_t shared = agx_shared_word(out);

   if (key) {
      struct agx_usc_shared memory = agx_tile_shared(&key->tile);

      agx_usc_shared_pack(&shared, &memory);
      program->stages[agx_hw_stage(stage)].code.per_sample = key->per_sample;
      /* The list names the states of all spilled targets, whether the program has something for them or not. */
      out->texture_states = (uint8_t)MAX2(out->texture_states, 2 * key->tile.num_spilled);
   }
   return agx_program_add_code(screen, program, stage, arguments, out, shared) ? PIPE_OK : PIPE_OUT_OF_DEVICE_MEMORY;
}

enum pipe_result
agx_graphics_compile(const struct agx_graphics_compiler *compiler, enum nir_stage stage, struct nir_shader *shader,
                     const struct agx_fragment_key *key, struct agx_output *out)
{
   struct agx_shader_options options = agx_graphics_shader_options(
      compiler->screen, compiler->options, key, &compiler->program->stages[agx_hw_stage(stage)].texts);
   struct agx_arguments arguments;

   if (!agx_shader_compile(compiler->arena, shader, &options, &arguments, out))
      return PIPE_INVALID_SHADER;
   return agx_graphics_add_code(compiler->screen, compiler->program, stage, key, &arguments, out);
}

static void
link_program(void *data)
{
   struct link *l = data;
   struct agx_graphics_program *g = l->program->graphics;
   const char *error = NULL;
   struct agx_output out[NIR_STAGES];
   const struct agx_output *fs = &out[NIR_STAGE_FRAGMENT];

   if (!l->shaders[NIR_STAGE_FRAGMENT])
      l->shaders[NIR_STAGE_FRAGMENT] = nir_shader_create(&l->arena, NIR_STAGE_FRAGMENT);
   find_stages(l);
   if (!lower(l, &error)) {
      const struct nir_shader *vertex = l->shaders[NIR_STAGE_VERTEX];

      log_error("shader %s: %s", vertex->name ? vertex->name : "without a name", error);
      l->result = PIPE_INVALID_SHADER;
      return;
   }
   enum nir_depth_layout layout = l->shaders[NIR_STAGE_FRAGMENT]->info.depth_layout;
   const struct agx_graphics_compiler compiler = {&l->arena, l->screen, l->program, l->options};

   if (l->compute)
      memcpy(l->program->workgroup_size, l->compute->info.workgroup_size, sizeof(l->program->workgroup_size));
   l->result = PIPE_OK;
   nir_foreach_stage(stage, l->stages) {
      const struct agx_fragment_key *key = stage == NIR_STAGE_FRAGMENT ? &l->key : NULL;

      if (l->result == PIPE_OK)
         l->result = agx_graphics_compile(&compiler, stage, l->shaders[stage], key, &out[stage]);
   }
   if (l->result == PIPE_OK && l->compute)
      l->result = agx_graphics_compile(&compiler, NIR_STAGE_COMPUTE, l->compute, NULL, &out[NIR_STAGE_COMPUTE]);
   if (l->result != PIPE_OK)
      return;
   agx_fragment_words(g, &l->info, layout, fs);
   agx_varying_words(g, &l->varyings.vertex, &l->reads, primitives_of(l), fs->fs.loads_varyings);
   agx_fill_attributes(g, l->options);
   g->tile = l->key.tile;
   if (fs->fs.loads_varyings &&
       !agx_upload_bindings(l->screen, g, &l->varyings.bindings, l->varyings.fragment.num_cf))
      l->result = PIPE_OUT_OF_DEVICE_MEMORY;
}

enum pipe_result
agx_graphics_program_create(struct pipe_screen *pipe, struct nir_shader *const shaders[NIR_STAGES],
                            const struct pipe_graphics_options *options, struct pipe_program **out)
{
   struct link l = {.screen = agx_screen(pipe), .options = options, .result = PIPE_OUT_OF_HOST_MEMORY};

   memcpy(l.shaders, shaders, sizeof(l.shaders));
   l.program = calloc(1, sizeof(*l.program));
   if (!l.program)
      return PIPE_OUT_OF_HOST_MEMORY;
   l.program->point = PIPE_BIND_GRAPHICS;
   l.program->graphics = calloc(1, sizeof(*l.program->graphics));
   if (l.program->graphics && agx_saving_begin(l.program, options->save) && !within_memory(link_program, &l))
      l.result = PIPE_OUT_OF_HOST_MEMORY;
   arena_free(&l.arena);
   if (!agx_saving_end(l.program, l.result == PIPE_OK) && l.result == PIPE_OK)
      l.result = PIPE_OUT_OF_HOST_MEMORY;
   *out = agx_program_handle(l.program);
   if (l.result != PIPE_OK) {
      pipe->program_destroy(pipe, *out);
      *out = NULL;
   }
   return l.result;
}

void
agx_graphics_program_finish(struct agx_screen *screen, struct agx_program *program)
{
   if (!program->graphics)
      return;
   aux_code_free(&screen->code, program->graphics->cf_bindings);
   aux_code_free(&screen->code, program->graphics->link);
   free(program->graphics);
}
