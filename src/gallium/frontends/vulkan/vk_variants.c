#include "gallium/frontends/vulkan/vk_variants.h"

#include "gallium/frontends/vulkan/vk_compiled.h"
#include "gallium/frontends/vulkan/vk_shader.h"
#include "gallium/frontends/vulkan/vk_stage_copy.h"
#include "util/macros.h"

#define ATTRIBUTE_WORDS 5
#define KEY_WORDS (ATTRIBUTE_WORDS * PIPE_MAX_VERTEX_ATTRIBUTES + 3 * PIPE_MAX_COLOR_TARGETS + 12)

struct key {
   unsigned count;
   uint32_t words[KEY_WORDS];
};

struct vk_variant {
   struct vk_variant *next;
   struct key key;
   struct pipe_program *program;
};

/* ---- keys: what programs depend on ---- */

static void
put(struct key *key, uint32_t word)
{
   key->words[key->count++] = word;
}

static void
put_attributes(struct key *key, const struct pipe_vertex_attributes *attributes)
{
   put(key, attributes->count);
   for (uint32_t i = 0; i < attributes->count; i++) {
      const struct pipe_vertex_attribute *attribute = &attributes->of[i];
      put(key, attribute->format);
      put(key, attribute->offset_B);
      put(key, (uint32_t)attribute->location | (uint32_t)attribute->binding << 8 |
                  (uint32_t)attribute->per_instance << 16 | (uint32_t)attribute->dynamic_stride << 17);
      put(key, attribute->dynamic_stride ? 0 : attribute->stride_B);
      put(key, attribute->per_instance ? attribute->divisor : 0);
   }
}

static uint32_t
equation_word(const struct pipe_graphics_state *state, unsigned target)
{
   const struct pipe_blend_equation *e = &state->blend[target];
   if (!pipe_is_blended(state, target))
      return 0;
   return 1 | (uint32_t)e->src_rgb << 1 | (uint32_t)e->dst_rgb << 6 | (uint32_t)e->op_rgb << 11 |
          (uint32_t)e->src_alpha << 14 | (uint32_t)e->dst_alpha << 19 | (uint32_t)e->op_alpha << 24;
}

/* A program that does not blend knows whether a target is blended, and whether that needs its alpha. */
static void
put_target(struct key *key, const struct pipe_screen *screen, const struct pipe_graphics_state *state, unsigned i)
{
   const unsigned mask = pipe_color_mask(state, i);
   put(key, state->targets.color_formats[i]);
   put(key,
       mask | (uint32_t)(mask && pipe_is_blended(state, i)) << 4 | (uint32_t)pipe_blend_reads_alpha(state, i) << 5);
   if (screen->caps.programs_blend)
      put(key, equation_word(state, i));
}

static void
put_targets(struct key *key, const struct pipe_screen *screen, const struct pipe_graphics_state *state)
{
   put(key, state->targets.num_colors);
   for (uint32_t i = 0; i < state->targets.num_colors; i++)
      put_target(key, screen, state, i);
   put(key, state->targets.depth_format);
   put(key, state->targets.stencil_format);
   put(key, (uint32_t)state->samples | (uint32_t)pipe_shades_samples(state) << 8 |
               (uint32_t)(state->sample_shading > 0) << 9 | (uint32_t)state->alpha_to_coverage << 10 |
               (uint32_t)state->alpha_to_one << 11);
   if (!screen->caps.programs_blend)
      return;
   put(key, state->sample_mask);
   put(key, state->logic_op_enable ? 1 + (uint32_t)state->logic_op : 0);
}

/* Points, fans or others; where shaders may look at vertices, lines, and lists and strips of triangles. */
static uint32_t
primitives(const struct vk_device *device, enum pipe_topology topology)
{
   if (!device->screen->caps.programs_by_topology)
      return 0;
   if (topology == PIPE_POINT_LIST || topology == PIPE_TRIANGLE_FAN || device->barycentric)
      return 1 + (uint32_t)(topology == PIPE_LINE_STRIP ? PIPE_LINE_LIST : topology);
   return 1 + PIPE_TRIANGLE_LIST;
}

/* What the pipeline says of targets that it reads is the same for all its programs, but for what draws write. */
static struct key
key_of(const struct vk_device *device, const struct vk_graphics_state *pipeline,
       const struct pipe_graphics_state *state)
{
   struct key key;
   key.count = 0;
   put(&key, primitives(device, state->topology));
   put(&key, pipeline->view_mask);
   put(&key, pipeline->shading_rate_attachment);
   put_attributes(&key, &state->attributes);
   put_targets(&key, device->screen, state);
   return key;
}

/* ---- programs ---- */

/* What was compiled apart knows of no views but its own. */
static enum pipe_result
add(struct vk_variants *variants, const struct key *key, const struct vk_graphics_state *pipeline,
    const struct pipe_graphics_state *state, struct pipe_program **program)
{
   struct vk_graphics_state known = *pipeline;
   struct pipe_pipeline_layout layout = variants->layout;
   struct vk_graphics_program from = {
      .device = variants->device, .state = &known, .layout = &layout, .capture_text = variants->capture_text};
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
   enum pipe_result result = vk_graphics_program_create(&from, false, program);
   if (result != PIPE_OK) {
      vk_free(&variants->device->alloc, NULL, variant);
      return result;
   }
   *variant = (struct vk_variant){.next = variants->first, .key = *key, .program = *program};
   variants->first = variant;
   return PIPE_OK;
}

enum pipe_result
vk_variants_program(struct vk_variants *variants, const struct vk_graphics_state *pipeline,
                    const struct pipe_graphics_state *state, struct pipe_program **program)
{
   const struct key key = key_of(variants->device, pipeline, state);
   enum pipe_result result = PIPE_OK;
   *program = NULL;
   pthread_mutex_lock(&variants->lock);
   for (const struct vk_variant *it = variants->first; it && !*program; it = it->next) {
      if (it->key.count == key.count && !memcmp(it->key.words, key.words, key.count * sizeof(key.words[0])))
         *program = it->program;
   }
   if (!*program)
      result = add(variants, &key, pipeline, state, program);
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
   static const enum nir_stage stages[2] = {NIR_STAGE_VERTEX, NIR_STAGE_FRAGMENT};
   static const VkGraphicsPipelineLibraryFlagsEXT parts[2] = {VK_PART_PRE_RASTER, VK_PART_FRAGMENT};
   enum pipe_result result = PIPE_OK;
   for (unsigned i = 0; i < 2 && result == PIPE_OK; i++) {
      struct vk_graphics_state alone = *state;
      struct vk_graphics_program from = {.device = variants->device,
                                         .state = &alone,
                                         .layout = &variants->layout,
                                         .capture_text = variants->capture_text};
      alone.parts = parts[i];
      for (unsigned stage = 0; stage < NIR_STAGES; stage++)
         from.stages[stage] = variants->stages[stage] ? &variants->stages[stage]->info : NULL;
      if (!variants->compiled[stages[i]])
         result = vk_graphics_program_compile(&from, stages[i], &variants->compiled[stages[i]]);
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
