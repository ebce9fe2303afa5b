#include "gallium/frontends/vulkan/vk_variants.h"

#include "gallium/frontends/vulkan/vk_compiled.h"
#include "gallium/frontends/vulkan/vk_shader.h"
#include "gallium/frontends/vulkan/vk_stage_copy.h"
#include "util/macros.h"

/* ---- keys ---- */

static void
put_attributes(struct vk_variant_key *key, const struct pipe_vertex_attributes *attributes)
{
   uint32_t *out = key->attributes;
   for (uint32_t i = 0; i < attributes->count; i++) {
      const struct pipe_vertex_attribute *attribute = &attributes->of[i];
      *out++ = attribute->format;
      *out++ = attribute->offset_B;
      *out++ = (uint32_t)attribute->location | (uint32_t)attribute->binding << 8 |
               (uint32_t)attribute->per_instance << 16 | (uint32_t)attribute->dynamic_stride << 17;
      *out++ = attribute->dynamic_stride ? 0 : attribute->stride_B;
      *out++ = attribute->per_instance ? attribute->divisor : 0;
   }
   key->num_attributes = (unsigned)(out - key->attributes);
}

static uint32_t
equation_word(const struct pipe_graphics_state *state, unsigned target)
{
   const struct pipe_blend_equation *e = &state->blend[target];
   if (!pipe_is_blended(state, target))
      return 0;
   if (e->advanced)
      return 1u << 31 | (uint32_t)e->advanced << 1 | (uint32_t)e->op_rgb << 11 | (uint32_t)e->op_alpha << 24 | 1;
   return 1 | (uint32_t)e->src_rgb << 1 | (uint32_t)e->dst_rgb << 6 | (uint32_t)e->op_rgb << 11 |
          (uint32_t)e->src_alpha << 14 | (uint32_t)e->dst_alpha << 19 | (uint32_t)e->op_alpha << 24;
}

/* A program that does not blend knows whether a target is blended, and whether that needs its alpha. */
static uint32_t *
put_targets(uint32_t *out, const struct pipe_screen *screen, const struct pipe_graphics_state *state)
{
   for (uint32_t i = 0; i < state->targets.num_colors; i++) {
      const unsigned mask = pipe_color_mask(state, i);
      *out++ = state->targets.color_formats[i];
      *out++ =
         mask | (uint32_t)(mask && pipe_is_blended(state, i)) << 4 | (uint32_t)pipe_blend_reads_alpha(state, i) << 5;
      if (screen->caps.programs_blend)
         *out++ = equation_word(state, i);
   }
   *out++ = state->feedback;
   *out++ = state->targets.depth_format;
   *out++ = state->targets.stencil_format;
   return out;
}

static uint32_t *
put_samples(uint32_t *out, const struct pipe_screen *screen, const struct pipe_graphics_state *state)
{
   *out++ = (uint32_t)state->samples | (uint32_t)pipe_shades_samples(state) << 8 |
            (uint32_t)(state->sample_shading > 0) << 9 | (uint32_t)state->alpha_to_coverage << 10 |
            (uint32_t)state->alpha_to_one << 11;
   if (!screen->caps.programs_blend)
      return out;
   *out++ = state->sample_mask;
   *out++ = state->logic_op_enable ? 1 + (uint32_t)state->logic_op : 0;
   return out;
}

/* Points, lines or triangles. */
static enum pipe_topology
kind_of(enum pipe_topology topology)
{
   topology = pipe_topology_without_neighbours(topology);
   return topology == PIPE_LINE_STRIP                                        ? PIPE_LINE_LIST
          : topology == PIPE_TRIANGLE_STRIP || topology == PIPE_TRIANGLE_FAN ? PIPE_TRIANGLE_LIST
                                                                             : topology;
}

/* Points, fans or others; where shaders may look at vertices, lines, and lists and strips of triangles. */
static uint32_t
primitives(const struct vk_device *device, enum pipe_topology topology)
{
   if (!device->screen->caps.programs_by_topology)
      return device->features.fragmentShaderBarycentric ? 1 + (uint32_t)kind_of(topology) : 0;
   if (topology == PIPE_POINT_LIST || topology == PIPE_TRIANGLE_FAN || device->features.fragmentShaderBarycentric)
      return 1 + (uint32_t)(topology == PIPE_LINE_STRIP ? PIPE_LINE_LIST : topology);
   return 1 + PIPE_TRIANGLE_LIST;
}

static bool
provokes_last(const struct vk_device *device, const struct pipe_graphics_state *state)
{
   return device->screen->caps.programs_by_topology && state->provoking_last;
}

/* All but attributes. What the pipeline says of targets that it reads is the same for all its programs, but for what
 * draws write. */
static void
put_others(struct vk_variant_key *key, const struct vk_device *device, const struct vk_graphics_state *pipeline,
           const struct pipe_graphics_state *state)
{
   uint32_t *out = key->targets;
   *out++ = primitives(device, state->topology) | (uint32_t)provokes_last(device, state) << 7 |
            (uint32_t)pipeline->shading_rate_attachment << 8 | state->targets.num_colors << 9;
   *out++ = pipeline->view_mask;
   *out++ = pipeline->color_targets;
   out = put_targets(out, device->screen, state);
   out = put_samples(out, device->screen, state);
   key->num_targets = (unsigned)(out - key->targets);
}

void
vk_variant_key(struct vk_variant_key *key, const struct vk_device *device, const struct vk_graphics_state *pipeline,
               const struct pipe_graphics_state *state)
{
   put_others(key, device, pipeline, state);
   put_attributes(key, &state->attributes);
}

static bool
same_targets(const struct vk_variant_key *a, const struct vk_variant_key *b)
{
   uint32_t differs = a->num_targets ^ b->num_targets;
   for (unsigned i = 0; i < a->num_targets && !differs; i++)
      differs = a->targets[i] ^ b->targets[i];
   return !differs;
}

static bool
same_attributes(const struct vk_variant_key *a, const struct vk_variant_key *b)
{
   return a->num_attributes == b->num_attributes &&
          !memcmp(a->attributes, b->attributes, a->num_attributes * sizeof(a->attributes[0]));
}

/* ---- programs ---- */

/* What was compiled separately knows of no views but its own. */
static enum pipe_result
add_variant(struct vk_variants *variants, const struct vk_variant_key *key, const struct vk_graphics_state *pipeline,
            const struct pipe_graphics_state *state, const struct vk_variant **out)
{
   struct vk_graphics_state known = *pipeline;
   struct pipe_pipeline_layout layout = variants->layout;
   struct vk_graphics_program from = {.device = variants->device,
                                      .state = &known,
                                      .layout = &layout,
                                      .capture_text = variants->capture_text,
                                      .cache = variants->cache};
   known.state = *state;
   known.dynamic &= ~variants->device->program_states;
   if (pipeline->view_mask)
      layout.push_constant_B = VK_VIEW_INDEX_OFFSET_B + 4;
   for (unsigned stage = 0; stage < NIR_STAGES; stage++) {
      from.stages[stage] = variants->stages[stage] ? &variants->stages[stage]->info : NULL;
      from.compiled[stage] = pipeline->view_mask == variants->view_mask ? variants->compiled[stage] : NULL;
   }
   struct vk_variant *variant = vk_alloc(&variants->device->alloc, NULL, sizeof(*variant));
   if (!variant)
      return PIPE_OUT_OF_HOST_MEMORY;
   enum pipe_result result = vk_graphics_program_create(&from, false, &variant->program);
   if (result != PIPE_OK) {
      vk_free(&variants->device->alloc, NULL, variant);
      return result;
   }
   variant->key = *key;
   variant->blend_alphas = variants->device->screen->caps.programs_blend ? UINT32_MAX : vk_blend_alphas(state);
   variant->next = variants->first;
   *out = variants->first = variant;
   return PIPE_OK;
}

enum pipe_result
vk_variants_find(struct vk_variants *variants, const struct vk_graphics_state *pipeline,
                 const struct pipe_graphics_state *state, uint64_t changed, const struct vk_variant **variant)
{
   const struct vk_variant *before = *variant;
   struct vk_variant_key key;
   put_others(&key, variants->device, pipeline, state);
   /* What most changes come to. */
   if (before && !(changed & PIPE_BIT(ATTRIBUTES)) && same_targets(&before->key, &key))
      return PIPE_OK;
   enum pipe_result result = PIPE_OK;
   put_attributes(&key, &state->attributes);
   *variant = NULL;
   pthread_mutex_lock(&variants->lock);
   for (const struct vk_variant *it = variants->first; it && !*variant; it = it->next) {
      if (same_targets(&it->key, &key) && same_attributes(&it->key, &key))
         *variant = it;
   }
   if (!*variant)
      result = add_variant(variants, &key, pipeline, state, variant);
   pthread_mutex_unlock(&variants->lock);
   return result;
}

/* ---- their life ---- */

struct vk_variants *
vk_variants_create(const struct vk_graphics_program *from)
{
   struct vk_variants *variants = vk_alloc(&from->device->alloc, NULL, sizeof(*variants));
   if (!variants)
      return NULL;
   variants->device = from->device;
   variants->layout = *from->layout;
   variants->capture_text = from->capture_text;
   variants->view_mask = from->state ? from->state->view_mask : 0;
   pthread_mutex_init(&variants->lock, NULL);
   vk_layout_sets_ref(&variants->layout);
   for (unsigned stage = 0; stage < NIR_STAGES; stage++) {
      if (from->compiled[stage])
         variants->compiled[stage] = vk_compiled_ref(from->compiled[stage]);
      if (!from->stages[stage])
         continue;
      variants->stages[stage] = vk_stage_copy(from->device, from->stages[stage]);
      if (!variants->stages[stage]) {
         vk_variants_destroy(variants);
         return NULL;
      }
   }
   return variants;
}

enum pipe_result
vk_variants_compile(struct vk_variants *variants, const struct vk_graphics_state *state)
{
   enum pipe_result result = PIPE_OK;
   nir_foreach_stage(stage, NIR_STAGES_GRAPHICS) {
      struct vk_graphics_state single = *state;
      struct vk_graphics_program from = {.device = variants->device,
                                         .state = &single,
                                         .layout = &variants->layout,
                                         .capture_text = variants->capture_text};
      single.parts = vk_part_of_stage(stage);
      for (unsigned i = 0; i < NIR_STAGES; i++)
         from.stages[i] = variants->stages[i] ? &variants->stages[i]->info : NULL;
      if (result == PIPE_OK && !variants->compiled[stage])
         result = vk_graphics_program_compile(&from, stage, &variants->compiled[stage]);
   }
   return result;
}

void
vk_variants_destroy(struct vk_variants *variants)
{
   if (!variants)
      return;
   struct vk_device *device = variants->device;
   for (struct vk_variant *variant = variants->first, *next; variant; variant = next) {
      next = variant->next;
      device->screen->program_destroy(device->screen, variant->program);
      vk_free(&device->alloc, NULL, variant);
   }
   for (unsigned stage = 0; stage < NIR_STAGES; stage++) {
      vk_compiled_unref(device, variants->compiled[stage]);
      vk_stage_copy_unref(device, variants->stages[stage]);
   }
   vk_layout_sets_unref(device, &variants->layout);
   pthread_mutex_destroy(&variants->lock);
   vk_free(&device->alloc, NULL, variants);
}
