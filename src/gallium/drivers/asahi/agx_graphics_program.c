/* The shaders of draws together: linked, lowered for the pipeline's targets, compiled, and their records' words. */
#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/asahi/agx_nir_graphics.h"
#include "gallium/drivers/asahi/agx_program.h"
#include "util/format.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/mutant.h"
#include "util/within_memory.h"

struct link {
   struct agx_screen *screen;
   struct agx_program *program;
   const struct pipe_graphics_options *options;
   struct nir_shader *vertex, *fragment;
   struct arena arena;
   enum pipe_result result;
   struct agx_varyings varyings;
   struct agx_fragment_key key;
   struct agx_fragment_info info;
   struct agx_fragment_reads reads;
};

/* ---- nir ---- */

static bool
choose_key(struct link *l, const char **error)
{
   const struct pipe_graphics_options *options = l->options;

   if (!agx_tile_layout_init(&l->key.tile, options->color_formats, options->num_colors, options->samples)) {
      *error = "a target of a format that cannot be one";
      return false;
   }
   l->key.blend = options->blend;
   memcpy(l->key.color_write_mask, options->color_write_mask, sizeof(l->key.color_write_mask));
   l->key.per_sample = options->samples > 1 && (options->sample_shading || l->fragment->info.uses_sample_shading);
   l->key.alpha_to_coverage = options->alpha_to_coverage;
   l->key.alpha_to_one = options->alpha_to_one;
   l->key.sample_mask = options->sample_mask;
   return true;
}

static bool
lower(struct link *l, const char **error)
{
   const struct pipe_graphics_options *options = l->options;
   struct agx_vertex_leaves leaves;

   nir_gather_info(l->vertex);
   nir_gather_info(l->fragment);
   if (!choose_key(l, error))
      return false;
   nir_lower_variables(l->vertex);
   nir_lower_variables(l->fragment);
   agx_nir_gather_vertex_leaves(l->vertex, &leaves);
   agx_nir_gather_fragment_reads(l->fragment, &l->reads);
   if (l->reads.error || !agx_varyings_link(&l->varyings, &leaves, &l->reads, options->topology)) {
      *error = l->reads.error ? l->reads.error : "more varyings than the hardware has";
      return false;
   }
   bool ok = agx_nir_lower_vertex_inputs(l->vertex, options->attributes, options->num_attributes, error) &&
             agx_nir_lower_vertex_outputs(l->vertex, &l->varyings.vertex, error) &&
             agx_nir_lower_fragment(l->fragment, &l->varyings.fragment, &l->key, &l->info, error);

   if (ok)
      agx_nir_lower_vertex_sysvals(l->vertex);
   /* All of them have become something else: whoever lowers variables again must not find them. */
   nir_remove_dead_variables(l->vertex, NIR_VAR_SHADER_IN | NIR_VAR_SHADER_OUT);
   nir_remove_dead_variables(l->fragment, NIR_VAR_SHADER_IN | NIR_VAR_SHADER_OUT);
   return ok;
}

/* ---- words of records ---- */

static enum agx_pass_type
pass_type(const struct agx_fragment_info *info)
{
   if (info->reads_tile)
      return info->tests_late ? AGX_PASS_TYPE_TRANSLUCENT_PUNCH_THROUGH : AGX_PASS_TYPE_TRANSLUCENT;
   if (info->writes_memory && mutant("agx-interlock-pass-opaque"))
      return AGX_PASS_TYPE_OPAQUE;
   if (info->writes_memory)
      return info->tests_late ? AGX_PASS_TYPE_TRANSLUCENT_PUNCH_THROUGH : AGX_PASS_TYPE_TRANSLUCENT;
   if (info->tests_late)
      return info->keeps_colors ? AGX_PASS_TYPE_TRANSLUCENT_PUNCH_THROUGH : AGX_PASS_TYPE_PUNCH_THROUGH;
   return info->keeps_colors ? AGX_PASS_TYPE_TRANSLUCENT : AGX_PASS_TYPE_OPAQUE;
}

static enum agx_conservative_depth
conservative_depth(const struct link *l)
{
   static const enum agx_conservative_depth of[] = {
      [NIR_DEPTH_LAYOUT_ANY] = AGX_CONSERVATIVE_DEPTH_ANY,
      [NIR_DEPTH_LAYOUT_GREATER] = AGX_CONSERVATIVE_DEPTH_GREATER,
      [NIR_DEPTH_LAYOUT_LESS] = AGX_CONSERVATIVE_DEPTH_LESS,
      [NIR_DEPTH_LAYOUT_UNCHANGED] = AGX_CONSERVATIVE_DEPTH_UNCHANGED,
   };

   return l->info.writes_depth ? of[l->fragment->info.depth_layout] : AGX_CONSERVATIVE_DEPTH_UNCHANGED;
}

static void
fragment_words(struct link *l, const struct agx_output *out)
{
   struct agx_graphics_program *g = l->program->graphics;
   const struct agx_fragment_info *info = &l->info;
   bool idle = !info->writes_colors && !info->writes_memory && !info->tests_late;
   struct agx_fragment_control_2 control = {
      .unk_9 = true,
      .tag_write_disable = idle || (mutant("agx-tags-off") && !info->writes_colors),
      .disable_tri_merging = out->fs.disables_tri_merging || info->writes_memory || info->spills,
      .pass_type = idle || mutant("agx-pass-opaque") ? AGX_PASS_TYPE_OPAQUE : pass_type(info),
   };
   struct agx_front_face_2 face = {
      .disable_depth_write = !info->writes_depth,
      .conservative_depth = conservative_depth(l),
      .depth_function = AGX_ZS_FUNC_ALWAYS,
   };
   struct agx_usc_fragment_properties properties = {
      .early_z_testing = !info->tests_late || mutant("agx-early-tests"), .unk_9 = true, .unk_12 = 0xf, .unk_16 = 2};

   agx_fragment_control_2_pack(&g->control_2, &control);
   agx_front_face_2_pack(&g->face_2, &face);
   agx_usc_fragment_properties_pack(&g->fragment_properties, &properties);
}

static void
varying_words(struct link *l, bool reads_coefficients)
{
   struct agx_graphics_program *g = l->program->graphics;
   const struct agx_vertex_words *w = &l->varyings.vertex;
   bool fan = l->options->topology == PIPE_TRIANGLE_FAN;
   struct agx_varying_counts_32 counts_32 = {w->counts_32.smooth, w->counts_32.flat, w->counts_32.linear};
   struct agx_varying_counts_16 counts_16 = {w->counts_16.smooth, w->counts_16.flat, w->counts_16.linear};
   struct agx_output_select select = {
      .varyings = reads_coefficients,
      .point_size = w->point_size,
      .viewport_target = w->layer_viewport,
      .render_target = w->layer_viewport,
      .frag_coord_z = l->reads.frag_coord_z,
   };
   struct agx_cull cull = {.flat_shading_vertex = fan ? AGX_PPP_VERTEX_1 : AGX_PPP_VERTEX_0};
   struct agx_cull_2 cull_2 = {.needs_primitive_id = l->reads.primitive_id};
   struct agx_vdm_vertex_outputs outputs = {w->words, w->words};
   struct agx_vdm_vertex_unknown unknown = {.flat_shading_control =
                                               fan || mutant("agx-flat-vertex") ? AGX_VDM_VERTEX_1 : AGX_VDM_VERTEX_0,
                                            .generate_primitive_id = l->reads.primitive_id};

   agx_varying_counts_32_pack(&g->varying_counts_32, &counts_32);
   agx_varying_counts_16_pack(&g->varying_counts_16, &counts_16);
   agx_output_select_pack(&g->output_select, &select);
   g->output_select |= (1u << w->num_clip) - 1; /* bit i: plane i */
   agx_cull_pack(&g->cull, &cull);
   agx_cull_2_pack(&g->cull_2, &cull_2);
   agx_vdm_vertex_outputs_pack(&g->vertex_outputs, &outputs);
   agx_vdm_vertex_unknown_pack(&g->vertex_unknown, &unknown);
   g->output_size = w->words;
}

static bool
upload_bindings(struct link *l)
{
   struct agx_graphics_program *g = l->program->graphics;
   const struct agx_cf_bindings *b = &l->varyings.bindings;
   struct agx_cf_binding_header header = {.slots_dw = b->slots_32,
                                          .coefficient_registers = l->varyings.fragment.num_cf};
   uint32_t words[1 + AGX_MAX_BINDINGS];

   agx_cf_binding_header_pack(words, &header);
   for (unsigned i = 0; i < b->count; i++)
      agx_cf_binding_pack(&words[1 + i], &b->binding[i]);
   g->cf_bindings_count = b->count;
   g->cf_bindings = aux_code_upload(&l->screen->code, words, 4 * (1 + b->count));
   return g->cf_bindings.block;
}

static void
fill_attributes(struct link *l)
{
   struct agx_graphics_program *g = l->program->graphics;

   g->num_attributes = l->options->num_attributes;
   for (unsigned i = 0; i < g->num_attributes; i++) {
      const struct pipe_vertex_attribute *from = &l->options->attributes[i];
      const struct format_info *info = format_info(from->format);

      g->attributes[i] = (struct agx_attribute){
         .binding = from->binding, .element_B = info ? info->block_size_B : 4, .offset_B = from->offset_B};
   }
}

/* ---- together ---- */

static bool
compile(struct link *l, struct nir_shader *shader, uint32_t shared, struct agx_output *out)
{
   struct agx_shader_options options = agx_shader_options(l->screen, l->options->layout);
   struct agx_arguments arguments;
   enum nir_stage stage = shader->stage;

   options.agx.robust = l->options->robust;
   if (stage == NIR_STAGE_FRAGMENT) {
      options.agx.uniforms_max_h = AGX_COUNTER_UNIFORM;
      l->program->code[stage].per_sample = l->key.per_sample;
   }
   options.texts = l->options->capture_text ? &l->program->texts[stage] : NULL;
   if (!agx_shader_compile(&l->arena, shader, &options, &arguments, out)) {
      l->result = PIPE_INVALID_SHADER;
      return false;
   }
   /* The list names the states of all spilled targets, whether the program has something for them or not. */
   if (stage == NIR_STAGE_FRAGMENT)
      out->texture_states = (uint8_t)MAX2(out->texture_states, 2 * l->key.tile.num_spilled);
   if (agx_program_add_code(l->screen, l->program, stage, &arguments, out, shared))
      return true;
   l->result = PIPE_OUT_OF_DEVICE_MEMORY;
   return false;
}

static void
link_program(void *data)
{
   struct link *l = data;
   const char *error = NULL;
   /* Programs without shared memory have all of it, as other drivers say. */
   struct agx_usc_shared none = {
      .layout = AGX_SHARED_LAYOUT_VERTEX_COMPUTE, .sample_count = 1, .threadgroup_B = 65536};
   struct agx_usc_shared tile;
   struct agx_output vs, fs;
   uint32_t shared;

   if (!l->fragment)
      l->fragment = nir_shader_create(&l->arena, NIR_STAGE_FRAGMENT);
   if (!lower(l, &error)) {
      log_error("shader %s: %s", l->vertex->name ? l->vertex->name : "without a name", error);
      l->result = PIPE_INVALID_SHADER;
      return;
   }
   agx_usc_shared_pack(&shared, &none);
   if (!compile(l, l->vertex, shared, &vs))
      return;
   tile = agx_tile_shared(&l->key.tile);
   agx_usc_shared_pack(&shared, &tile);
   if (!compile(l, l->fragment, shared, &fs))
      return;
   fragment_words(l, &fs);
   varying_words(l, fs.fs.loads_varyings);
   fill_attributes(l);
   l->program->graphics->tile = l->key.tile;
   l->result = !fs.fs.loads_varyings || upload_bindings(l) ? PIPE_OK : PIPE_OUT_OF_DEVICE_MEMORY;
}

enum pipe_result
agx_graphics_program_create(struct pipe_screen *pipe, struct nir_shader *const shaders[NIR_STAGES],
                            const struct pipe_graphics_options *options, struct pipe_program **out)
{
   struct link l = {.screen = agx_screen(pipe),
                    .options = options,
                    .vertex = shaders[NIR_STAGE_VERTEX],
                    .fragment = shaders[NIR_STAGE_FRAGMENT],
                    .result = PIPE_OUT_OF_HOST_MEMORY};

   l.program = calloc(1, sizeof(*l.program));
   if (!l.program)
      return PIPE_OUT_OF_HOST_MEMORY;
   l.program->point = PIPE_BIND_GRAPHICS;
   l.program->graphics = calloc(1, sizeof(*l.program->graphics));
   if (l.program->graphics && !within_memory(link_program, &l))
      l.result = PIPE_OUT_OF_HOST_MEMORY;
   arena_free(&l.arena);
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
   free(program->graphics);
}
