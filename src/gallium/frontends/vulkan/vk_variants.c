#include "gallium/frontends/vulkan/vk_variants.h"

#include "gallium/frontends/vulkan/vk_compiled.h"
#include "gallium/frontends/vulkan/vk_shader.h"
#include "gallium/frontends/vulkan/vk_stage_copy.h"
#include "gallium/frontends/vulkan/vk_state_objects.h"
#include "util/macros.h"

#define ATTRIBUTE_WORDS 5
#define KEY_WORDS                                                                                                    \
   (ATTRIBUTE_WORDS * PIPE_MAX_VERTEX_ATTRIBUTES + 2 * PIPE_MAX_COLOR_TARGETS + VK_BLEND_KEY_WORDS + 10)

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
put_attributes(struct key *key, const struct pipe_graphics_options *options)
{
   put(key, options->num_attributes);
   for (uint32_t i = 0; i < options->num_attributes; i++) {
      const struct pipe_vertex_attribute *attribute = &options->attributes[i];
      put(key, attribute->format);
      put(key, attribute->offset_B);
      put(key, (uint32_t)attribute->location | (uint32_t)attribute->binding << 8 |
                  (uint32_t)attribute->per_instance << 16 | (uint32_t)attribute->dynamic_stride << 17);
      put(key, attribute->dynamic_stride ? 0 : attribute->stride_B);
      put(key, attribute->per_instance ? attribute->divisor : 0);
   }
}

static uint32_t
blending_targets(const struct pipe_graphics_options *options)
{
   uint32_t targets = 0;
   for (uint32_t i = 0; i < options->num_colors; i++)
      targets |= (uint32_t)(options->color_write_mask[i] && options->blend->targets[i].enable) << i;
   return targets;
}

static void
put_targets(struct key *key, const struct pipe_screen *screen, const struct pipe_graphics_options *options)
{
   put(key, options->num_colors | (uint32_t)options->blend_reads_alpha << 8);
   for (uint32_t i = 0; i < options->num_colors; i++) {
      put(key, options->color_formats[i]);
      put(key, options->color_write_mask[i]);
   }
   put(key, options->depth_format);
   put(key, options->stencil_format);
   put(key, (uint32_t)options->samples | (uint32_t)options->sample_shading << 8 | (uint32_t)options->pixel_rate << 9 |
               (uint32_t)options->alpha_to_coverage << 10 | (uint32_t)options->alpha_to_one << 11 |
               (uint32_t)options->reads_depth_target << 12 | (uint32_t)options->reads_color_target << 13 |
               (uint32_t)options->shading_rate_attachment << 14);
   put(key, blending_targets(options));
   if (!screen->caps.programs_blend)
      return;
   put(key, options->sample_mask);
   key->count += vk_blend_key(options->blend, key->words + key->count);
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

static struct key
key_of(const struct vk_device *device, const struct vk_graphics_state *state)
{
   struct pipe_graphics_options options = {0};
   struct key key = {0};
   vk_graphics_state_options(state, &options);
   put(&key, primitives(device, options.topology));
   put(&key, state->view_mask);
   put_attributes(&key, &options);
   put_targets(&key, device->screen, &options);
   return key;
}

/* ---- programs ---- */

/* What was compiled apart knows of no views but its own. */
static enum pipe_result
add(struct vk_variants *variants, const struct key *key, const struct vk_graphics_state *state,
    struct pipe_program **program)
{
   struct vk_graphics_state known = *state;
   struct pipe_pipeline_layout layout = variants->layout;
   struct vk_graphics_program from = {
      .device = variants->device, .state = &known, .layout = &layout, .capture_text = variants->capture_text};
   known.dynamic &= ~vk_dynamic_of_programs(variants->device->screen);
   if (state->view_mask)
      layout.push_constant_B = VK_VIEW_INDEX_OFFSET_B + 4;
   for (unsigned stage = 0; stage < NIR_STAGES; stage++) {
      from.stages[stage] = variants->stages[stage] ? &variants->stages[stage]->info : NULL;
      from.compiled[stage] = state->view_mask == variants->view_mask ? variants->compiled[stage] : NULL;
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
vk_variants_program(struct vk_variants *variants, const struct vk_graphics_state *state,
                    struct pipe_program **program)
{
   const struct key key = key_of(variants->device, state);
   enum pipe_result result = PIPE_OK;
   *program = NULL;
   pthread_mutex_lock(&variants->lock);
   for (const struct vk_variant *it = variants->first; it && !*program; it = it->next) {
      if (it->key.count == key.count && !memcmp(it->key.words, key.words, key.count * sizeof(key.words[0])))
         *program = it->program;
   }
   if (!*program)
      result = add(variants, &key, state, program);
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
