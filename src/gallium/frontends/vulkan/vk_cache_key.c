/* What programs depend on, as a hash. */
#include "gallium/frontends/vulkan/vk_cache.h"

#include <stdlib.h>

#include "gallium/frontends/vulkan/vk_variants.h"
#include "util/build_id.h"
#include "util/macros.h"

#define MIX(hash, value) ((hash) = hash_more((hash), &(value), sizeof(value)))

static void
mix_number(struct hash_128 *hash, uint64_t number)
{
   MIX(*hash, number);
}

static void
mix_text(struct hash_128 *hash, const char *text)
{
   *hash = hash_more(*hash, text ? text : "", text ? strlen(text) + 1 : 0);
}

/* ---- devices ---- */

/* Without a build id nothing tells this driver from the next. */
static struct hash_128
build_hash(const struct pipe_caps *caps)
{
   size_t size_B = 0;
   const uint8_t *id = build_id_at((const void *)(uintptr_t)vk_cache_device_key, &size_B);
   struct hash_128 hash = hash_more((struct hash_128){0}, id, id ? size_B : 0);
   mix_text(&hash, caps->device_name);
   MIX(hash, caps->device_id);
   MIX(hash, caps->driver_uuid);
   MIX(hash, caps->code_key);
   return hash;
}

struct vk_cache_uuid
vk_cache_uuid(const struct pipe_caps *caps)
{
   const struct hash_128 hash = build_hash(caps);
   struct vk_cache_uuid uuid;
   memcpy(uuid.bytes, &hash, sizeof(uuid.bytes));
   return uuid;
}

struct hash_128
vk_cache_device_key(const struct vk_device *device)
{
   static const char *const variables[] = {"RADEONSI_DEBUG", "ASAHI_DEBUG"};
   struct hash_128 hash = build_hash(&device->screen->caps);
   for (size_t i = 0; i < ARRAY_SIZE(variables); i++)
      mix_text(&hash, getenv(variables[i]));
   MIX(hash, device->physical->features);
   MIX(hash, device->features);
   MIX(hash, device->extensions);
   mix_number(&hash, device->physical->instance->api_version);
   return hash;
}

/* ---- stages ---- */

struct hash_128
vk_code_hash(struct vk_spirv code)
{
   return hash_more((struct hash_128){0}, code.code, 4 * code.words);
}

/* A stage without code may have the hash of it. False: it has neither. */
static bool
mix_code(struct hash_128 *hash, const VkPipelineShaderStageCreateInfo *stage)
{
   const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *identifier =
      vk_find_struct(stage->pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
   const struct vk_spirv code = vk_stage_code(stage);
   struct hash_128 own = vk_code_hash(code);
   if (!code.words) {
      if (!identifier || identifier->identifierSize != sizeof(own))
         return false;
      memcpy(&own, identifier->pIdentifier, sizeof(own));
   }
   MIX(*hash, own);
   return true;
}

static void
mix_constants(struct hash_128 *hash, const VkSpecializationInfo *info)
{
   mix_number(hash, info ? info->mapEntryCount : 0);
   for (uint32_t i = 0; info && i < info->mapEntryCount; i++) {
      const VkSpecializationMapEntry *entry = &info->pMapEntries[i];
      mix_number(hash, entry->constantID);
      *hash = hash_more(*hash, (const char *)info->pData + entry->offset, entry->size);
   }
}

static bool
mix_stage(struct hash_128 *hash, const VkPipelineShaderStageCreateInfo *stage)
{
   const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *subgroup =
      vk_find_struct(stage->pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
   const VkPipelineRobustnessCreateInfo *robustness =
      vk_find_struct(stage->pNext, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO);
   mix_number(hash, stage->stage);
   mix_number(hash, stage->flags);
   mix_number(hash, subgroup ? subgroup->requiredSubgroupSize : 0);
   mix_number(hash, robustness != NULL);
   if (robustness) {
      mix_number(hash, (uint64_t)robustness->storageBuffers << 32 | robustness->uniformBuffers);
      mix_number(hash, (uint64_t)robustness->vertexInputs << 32 | robustness->images);
   }
   mix_text(hash, stage->pName);
   mix_constants(hash, stage->pSpecializationInfo);
   return mix_code(hash, stage);
}

/* ---- layouts ---- */

/* Whoever adds a member says here what it means for programs. */
_Static_assert(sizeof(struct pipe_set_binding) == 40, "all that programs depend on is in their keys");

/* False: of samplers that programs are not kept for. */
static bool
mix_set(struct hash_128 *hash, const struct pipe_set_layout *layout)
{
   mix_number(hash, layout ? 1 + (uint64_t)layout->num_bindings : 0);
   if (!layout)
      return true;
   for (uint32_t i = 0; i < layout->num_bindings; i++) {
      const struct pipe_set_binding *binding = &layout->bindings[i];
      const uint32_t words[] = {
         binding->kind,     binding->count,          binding->planes,        binding->offset_B,
         binding->stride_B, binding->variable_count, binding->dynamic_index, binding->immutable_samplers != NULL};
      MIX(*hash, words);
   }
   const uint64_t samplers = container_of(layout, struct vk_set_layout, layout)->samplers_hash;
   mix_number(hash, samplers);
   return samplers;
}

static bool
mix_layout(struct hash_128 *hash, const struct pipe_pipeline_layout *layout)
{
   bool kept = true;
   mix_number(hash, (uint64_t)layout->num_sets << 32 | layout->push_constant_B);
   for (uint32_t i = 0; i < layout->num_sets; i++) {
      kept &= mix_set(hash, layout->sets[i]);
      mix_number(hash, layout->dynamic_base[i]);
   }
   return kept;
}

/* ---- pipelines ---- */

bool
vk_cache_compute_key(const struct vk_device *device, const VkPipelineShaderStageCreateInfo *stage,
                     const struct pipe_compute_options *options, struct vk_cache_key *key)
{
   key->hash = vk_cache_base(device);
   mix_number(&key->hash, (uint64_t)options->dispatch_base | (uint64_t)options->custom_borders << 1);
   bool kept = vk_cache_keeps(device) && !options->capture_text;
   kept &= mix_layout(&key->hash, options->layout);
   kept &= mix_stage(&key->hash, stage);
   return kept;
}

/* What is read of targets; where only shaders know, both what it is if they read none and if they read any. */
static void
mix_reads(struct hash_128 *hash, const struct vk_graphics_state *state)
{
   struct vk_graphics_state reads = *state;
   for (unsigned i = 0; i < 2; i++) {
      struct pipe_graphics_options options = {0};
      vk_graphics_state_options(&reads, &options);
      mix_number(hash, (uint64_t)options.reads_depth_target | (uint64_t)options.reads_color_target << 1 |
                          (uint64_t)options.shading_rate_attachment << 2);
      reads.reads_color |= state->without_pass;
      reads.reads_depth_stencil |= state->without_pass;
   }
}

bool
vk_cache_graphics_key(const struct vk_graphics_program *program, struct vk_cache_key *key)
{
   struct vk_variant_key states;
   struct hash_128 hash = vk_cache_base(program->device);
   vk_variant_key(&states, program->device, program->state, &program->state->state);
   hash = hash_more(hash, states.targets, states.num_targets * sizeof(states.targets[0]));
   hash = hash_more(hash, states.attributes, states.num_attributes * sizeof(states.attributes[0]));
   mix_reads(&hash, program->state);
   mix_number(&hash, program->state->device_index_views);
   mix_number(&hash, (uint64_t)program->device->features.primitivesGeneratedQuery |
                        (uint64_t)program->device->features.meshShaderQueries << 1 |
                        (uint64_t)program->device->features.legacyVertexAttributes << 2);
   bool kept = vk_cache_keeps(program->device) && !program->capture_text;
   kept &= mix_layout(&hash, program->layout);
   nir_foreach_stage(stage, NIR_STAGES_GRAPHICS) {
      mix_number(&hash, program->stages[stage] != NULL);
      if (program->stages[stage])
         kept &= mix_stage(&hash, program->stages[stage]);
   }
   key->hash = hash;
   return kept;
}
