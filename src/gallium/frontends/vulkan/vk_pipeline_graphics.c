/* Graphics pipelines: the parts of the description, its own and those of libraries, become programs and a
 * state of draws. A library keeps what it was given for those that are linked with it, and shaders that it can
 * compile already. */
#include "gallium/frontends/vulkan/vk_compiled.h"
#include "gallium/frontends/vulkan/vk_graphics_program.h"
#include "gallium/frontends/vulkan/vk_pipeline_binary.h"
#include "gallium/frontends/vulkan/vk_shader.h"
#include "gallium/frontends/vulkan/vk_stage_copy.h"
#include "gallium/frontends/vulkan/vk_variants.h"
#include "util/macros.h"

enum { BEFORE_RASTER, FRAGMENT, LAYOUTS }; /* of vk_library */

struct creation {
   struct vk_device *device;
   const VkGraphicsPipelineCreateInfo *info;
   VkPipelineCreateFlags2 flags;
   VkGraphicsPipelineLibraryFlagsEXT own_parts; /* that info describes */
   const VkPipelineLibraryCreateInfoKHR *libraries;
   struct vk_pipeline *pipeline;
   struct vk_graphics_state complete;
   struct vk_graphics_program program;
   struct vk_cache_use *cache;
   struct vk_robust_stage stages[NIR_STAGES];
   struct pipe_pipeline_layout layout;
   /* Of a binary: */
   const struct vk_saved *binary; /* NULL: none */
   struct vk_stage_copy *of_binary[NIR_STAGES];
   VkGraphicsPipelineCreateInfo info_of_binary;
   VkPipelineShaderStageCreateInfo stages_of_binary[NIR_STAGES];
};

/* ---- parts ---- */

/* Pipelines without libraries, and without a word of parts, have all. */
static VkGraphicsPipelineLibraryFlagsEXT
own_parts(const VkGraphicsPipelineCreateInfo *info, const VkPipelineLibraryCreateInfoKHR *libraries)
{
   const VkGraphicsPipelineLibraryCreateInfoEXT *parts =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
   if (parts)
      return parts->flags;
   return libraries && libraries->libraryCount ? 0 : VK_ALL_PARTS;
}

static bool
fill_state(struct creation *c)
{
   struct vk_graphics_state *state = &c->pipeline->graphics;
   if (!vk_graphics_state_fill(state, c->info, c->own_parts, c->device->screen->caps.shader_stages))
      return false;
   for (uint32_t i = 0; c->libraries && i < c->libraries->libraryCount; i++)
      vk_graphics_state_add(state, &((const struct vk_pipeline *)c->libraries->pLibraries[i])->graphics);
   return true;
}

/* Of stages that neither their part nor rasterizer discard leaves out. False: the device lacks one. */
static bool
find_stages(struct creation *c)
{
   for (uint32_t i = 0; i < c->info->stageCount; i++) {
      const VkPipelineShaderStageCreateInfo *stage = &c->info->pStages[i];
      if (!(vk_part_of_stage(vk_shader_stage(stage->stage)) & c->own_parts))
         continue;
      if (!vk_device_has_stage(c->device, stage))
         return false;
      c->program.stages[vk_shader_stage(stage->stage)] =
         vk_robust_stage(stage, c->info->pNext, &c->stages[vk_shader_stage(stage->stage)]);
   }
   for (uint32_t i = 0; c->libraries && i < c->libraries->libraryCount; i++) {
      const struct vk_pipeline *library = (const struct vk_pipeline *)c->libraries->pLibraries[i];
      for (unsigned stage = 0; stage < NIR_STAGES; stage++) {
         if (library->library.stages[stage])
            c->program.stages[stage] = &library->library.stages[stage]->info;
         if (library->library.compiled[stage])
            c->program.compiled[stage] = library->library.compiled[stage];
      }
   }
   if (c->pipeline->graphics.state.discard)
      c->program.stages[NIR_STAGE_FRAGMENT] = NULL;
   return true;
}

/* ---- layouts ---- */

/* Sets that one layout lacks are another's. */
static void
add_layout(struct creation *c, const struct vk_pipeline_layout *from)
{
   struct pipe_pipeline_layout *to = &c->layout;
   if (!from)
      return;
   to->num_sets = MAX2(to->num_sets, from->layout.num_sets);
   to->push_constant_B = MAX2(to->push_constant_B, from->layout.push_constant_B);
   for (uint32_t i = 0; i < from->layout.num_sets; i++) {
      if (from->layout.sets[i])
         to->sets[i] = from->layout.sets[i];
   }
}

static void
fill_layout(struct creation *c)
{
   struct pipe_pipeline_layout *to = &c->layout;
   for (uint32_t i = 0; c->libraries && i < c->libraries->libraryCount; i++) {
      const struct vk_pipeline *library = (const struct vk_pipeline *)c->libraries->pLibraries[i];
      for (unsigned j = 0; j < LAYOUTS; j++)
         add_layout(c, library->library.layouts[j]);
   }
   if (c->info->layout && (c->own_parts & (VK_PART_PRE_RASTER | VK_PART_FRAGMENT) || c->libraries))
      add_layout(c, (const struct vk_pipeline_layout *)c->info->layout);
   for (uint32_t i = 0; i < to->num_sets; i++) {
      to->dynamic_base[i] = to->num_dynamic;
      to->num_dynamic += to->sets[i] ? to->sets[i]->num_dynamic : 0;
   }
}

/* ---- pipelines ---- */

static bool
optimizes_links(const struct creation *c)
{
   return c->flags & VK_PIPELINE_CREATE_2_LINK_TIME_OPTIMIZATION_BIT_EXT;
}

/* Whether creation compiles what no library has compiled. */
static bool
compiles(const struct creation *c)
{
   bool any = false, all = true;
   for (unsigned stage = 0; stage < NIR_STAGES; stage++) {
      any |= c->program.stages[stage] != NULL;
      all &= !c->program.stages[stage] || c->program.compiled[stage];
   }
   return any && (!all || optimizes_links(c) || c->complete.dynamic & c->device->program_states);
}

/* Whether renderings with other targets need programs of their own. */
static bool
has_others(const struct creation *c)
{
   return c->complete.any_targets && c->device->screen->caps.programs_place_colors;
}

/* Whether a stage has only the identifier of its code. */
static bool
lacks_code(const struct creation *c)
{
   for (unsigned stage = 0; stage < NIR_STAGES; stage++) {
      if (c->program.stages[stage] && !vk_stage_code(c->program.stages[stage]).words)
         return true;
   }
   return false;
}

/* Whether caches cannot help with that: they have no shaders that were compiled separately, and what draws may
 * compile later needs the code. */
static bool
must_compile(const struct creation *c)
{
   const uint64_t later = c->complete.dynamic & c->device->program_states;
   return compiles(c) && (c->flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR ||
                          (later && c->device->screen->shader_create) || ((later || has_others(c)) && lacks_code(c)));
}

/* Parts that are not there are empty. */
static void
prepare_program(struct creation *c)
{
   c->pipeline->graphics.any_targets =
      c->pipeline->graphics.without_pass && c->device->features.dynamicRenderingUnusedAttachments;
   c->complete = c->pipeline->graphics;
   vk_graphics_state_complete(&c->complete);
   if (c->complete.view_mask)
      c->layout.push_constant_B = VK_VIEW_INDEX_OFFSET_B + 4;
   c->program.device = c->device;
   c->program.state = &c->complete;
   c->program.layout = &c->layout;
   c->program.capture_text = vk_pipeline_captures_text(c->pipeline);
   c->program.cache = c->cache;
   c->cache->only = c->flags & VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT && compiles(c);
}

static enum pipe_result
find_variant(struct vk_pipeline *pipeline, const struct vk_graphics_state *state)
{
   const struct vk_variant *variant = NULL;
   enum pipe_result result = vk_variants_find(pipeline->variants, state, &state->state, PIPE_ALL_STATES, &variant);
   pipeline->program = variant ? variant->program : NULL;
   return result;
}

/* The programs of pipelines with dynamic states that programs depend on: those that are known to be wanted, or the
 * one for the states as they are given. */
static enum pipe_result
create_variants(struct creation *c)
{
   static const enum pipe_topology triangles[] = {PIPE_TRIANGLE_LIST, PIPE_TRIANGLE_STRIP, PIPE_TRIANGLE_FAN};
   struct vk_pipeline *pipeline = c->pipeline;
   struct vk_graphics_state state = c->complete;
   if (optimizes_links(c))
      memset(c->program.compiled, 0, sizeof(c->program.compiled));
   pipeline->variants = vk_variants_create(&c->program);
   if (!pipeline->variants)
      return PIPE_OUT_OF_HOST_MEMORY;
   pipeline->variants->cache = c->cache;
   const uint64_t known = PIPE_BIT(TOPOLOGY);
   bool all_known = !(state.dynamic & c->device->program_states & ~known);
   enum pipe_result result = PIPE_OK;
   if (!all_known || state.state.topology < PIPE_TRIANGLE_LIST) {
      result = find_variant(pipeline, &state);
      return result == PIPE_OK && !all_known ? vk_variants_compile(pipeline->variants, &state) : result;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(triangles) && result == PIPE_OK; i++) {
      state.state.topology = triangles[i];
      result = find_variant(pipeline, &state);
   }
   return result;
}

static enum pipe_result
create_programs(struct creation *c)
{
   if (c->complete.dynamic & c->device->program_states) {
      enum pipe_result result = create_variants(c);
      if (c->pipeline->variants)
         c->pipeline->variants->cache = NULL;
      return result;
   }
   enum pipe_result result = vk_graphics_program_create(&c->program, optimizes_links(c), &c->pipeline->program);
   if (result != PIPE_OK || !has_others(c))
      return result;
   memset(c->program.compiled, 0, sizeof(c->program.compiled));
   c->pipeline->for_others = vk_variants_create(&c->program);
   if (c->pipeline->for_others)
      c->pipeline->for_others->cache = NULL;
   return c->pipeline->for_others ? PIPE_OK : PIPE_OUT_OF_HOST_MEMORY;
}

static enum pipe_result
create_pipeline(struct creation *c)
{
   struct vk_pipeline *pipeline = c->pipeline;
   pipeline->graphics = c->complete;
   for (unsigned stage = 0; stage < NIR_STAGES; stage++) {
      if (c->program.stages[stage])
         pipeline->stages |= 1u << stage;
   }
   return create_programs(c);
}

static void
keep_layout(struct vk_library *library, unsigned which, struct vk_pipeline_layout *layout)
{
   if (!layout || library->layouts[which])
      return;
   __atomic_add_fetch(&layout->references, 1, __ATOMIC_RELAXED);
   library->layouts[which] = layout;
}

static enum pipe_result
keep_own(struct creation *c)
{
   struct vk_library *library = &c->pipeline->library;
   struct vk_pipeline_layout *layout = (struct vk_pipeline_layout *)c->info->layout;
   for (uint32_t i = 0; i < c->info->stageCount; i++) {
      const VkPipelineShaderStageCreateInfo *stage = &c->info->pStages[i];
      if (!(vk_part_of_stage(vk_shader_stage(stage->stage)) & c->own_parts))
         continue;
      struct vk_robust_stage room;
      struct vk_stage_copy *copy = vk_stage_copy(c->device, vk_robust_stage(stage, c->info->pNext, &room));
      if (!copy)
         return PIPE_OUT_OF_HOST_MEMORY;
      library->stages[vk_shader_stage(stage->stage)] = copy;
   }
   if (c->own_parts & VK_PART_PRE_RASTER)
      keep_layout(library, BEFORE_RASTER, layout);
   if (c->own_parts & VK_PART_FRAGMENT)
      keep_layout(library, FRAGMENT, layout);
   return PIPE_OK;
}

static enum pipe_result
create_library(struct creation *c)
{
   struct vk_library *library = &c->pipeline->library;
   library->is_library = true;
   for (uint32_t i = 0; c->libraries && i < c->libraries->libraryCount; i++) {
      const struct vk_library *from = &((const struct vk_pipeline *)c->libraries->pLibraries[i])->library;
      for (unsigned stage = 0; stage < NIR_STAGES; stage++) {
         if (from->stages[stage])
            library->stages[stage] = vk_stage_copy_ref(from->stages[stage]);
      }
      for (unsigned j = 0; j < LAYOUTS; j++)
         keep_layout(library, j, from->layouts[j]);
   }
   enum pipe_result result = keep_own(c);
   nir_foreach_stage(stage, NIR_STAGES_GRAPHICS) {
      if (result == PIPE_OK)
         result = vk_graphics_program_compile(&c->program, stage, &library->compiled[stage]);
      if (result == PIPE_OK)
         result = vk_graphics_program_prepare(&c->program, stage);
   }
   return result;
}

/* A program is there, or the stages stand in place of those that the description lacks. */
static bool
read_binary(struct creation *c)
{
   c->binary = vk_pipeline_binary_of(c->info->pNext);
   if (!c->binary)
      return true;
   if (!vk_pipeline_binary_stages(c->device, c->binary, c->of_binary))
      return false;
   c->info_of_binary = *c->info;
   c->info_of_binary.stageCount = 0;
   c->info_of_binary.pStages = c->stages_of_binary;
   for (unsigned i = 0; i < NIR_STAGES; i++) {
      if (c->of_binary[i])
         c->stages_of_binary[c->info_of_binary.stageCount++] = c->of_binary[i]->info;
   }
   c->info = &c->info_of_binary;
   return true;
}

static enum pipe_result
create(struct creation *c)
{
   if (c->cache->only && must_compile(c))
      return PIPE_COMPILE_REQUIRED;
   if (c->flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR)
      return create_library(c);
   if (!c->binary || !vk_pipeline_binary_has_program(c->binary))
      return create_pipeline(c);
   c->pipeline->graphics = c->complete;
   return vk_pipeline_binary_load(c->device, c->binary, c->pipeline);
}

/* Programs are not enough where others may follow. */
static enum pipe_result
capture(struct creation *c)
{
   const bool one = !c->pipeline->variants && !c->pipeline->for_others && !c->pipeline->library.is_library;
   return vk_pipeline_binary_capture(c->device, c->pipeline, c->binary, one ? c->cache->saved : NULL,
                                     c->program.stages);
}

static bool
describe(struct creation *c)
{
   c->own_parts = own_parts(c->info, c->libraries);
   if (!fill_state(c) || !find_stages(c))
      return false;
   fill_layout(c);
   prepare_program(c);
   return true;
}

static struct creation
creation(struct vk_device *device, const VkGraphicsPipelineCreateInfo *info, struct vk_cache_use *cache,
         struct vk_pipeline *pipeline)
{
   struct creation c = {
      .device = device,
      .info = info,
      .cache = cache,
      .flags = vk_pipeline_flags(info->flags, info->pNext),
      .libraries = vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR),
      .pipeline = pipeline,
   };
   pipeline->point = PIPE_BIND_GRAPHICS;
   pipeline->capture = c.flags & VK_CAPTURE_FLAGS;
   cache->keep = c.flags & VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
   return c;
}

static VkResult
create_graphics(struct vk_device *device, const VkGraphicsPipelineCreateInfo *info, struct vk_cache_use *cache,
                const VkAllocationCallbacks *allocator, struct vk_pipeline **out)
{
   struct vk_pipeline *pipeline = vk_alloc(&device->alloc, allocator, sizeof(*pipeline));
   if (!pipeline)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   struct creation c = creation(device, info, cache, pipeline);
   VkResult result = VK_ERROR_FEATURE_NOT_PRESENT;
   if (read_binary(&c) && describe(&c)) {
      enum pipe_result created = create(&c);
      if (created == PIPE_OK && cache->keep)
         created = capture(&c);
      result = vk_result(created);
   }
   for (unsigned i = 0; i < NIR_STAGES; i++)
      vk_stage_copy_unref(device, c.of_binary[i]);
   if (result != VK_SUCCESS) {
      vk_pipeline_destroy(device, pipeline, allocator);
      return result;
   }
   *out = pipeline;
   return VK_SUCCESS;
}

bool
vk_graphics_pipeline_key(struct vk_device *device, const VkGraphicsPipelineCreateInfo *info, struct vk_cache_key *key,
                         bool *simple)
{
   struct vk_cache_use cache = {0};
   struct vk_pipeline *pipeline = vk_alloc(&device->alloc, NULL, sizeof(*pipeline));
   if (!pipeline)
      return false;
   struct creation c = creation(device, info, &cache, pipeline);
   const bool described = describe(&c);
   if (described) {
      vk_cache_graphics_key(&c.program, key);
      *simple = !(c.complete.dynamic & device->program_states) && !has_others(&c) &&
                !(c.flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR);
      if (!*simple) {
         const uint64_t more[2] = {c.complete.dynamic & device->program_states, c.own_parts};
         key->hash = hash_more(key->hash, more, sizeof(more));
      }
   }
   vk_pipeline_destroy(device, pipeline, NULL);
   return described;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateGraphicsPipelines(VkDevice _device, VkPipelineCache pipelineCache, uint32_t createInfoCount,
                               const VkGraphicsPipelineCreateInfo *pCreateInfos,
                               const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
   VK_FROM(vk_device, device, _device);
   VkResult one = VK_SUCCESS, result = VK_SUCCESS;
   memset(pPipelines, 0, createInfoCount * sizeof(*pPipelines));
   for (uint32_t i = 0; i < createInfoCount; i++) {
      const VkPipelineCreateFlags2 flags = vk_pipeline_flags(pCreateInfos[i].flags, pCreateInfos[i].pNext);
      const struct vk_feedback feedback = vk_feedback_begin(pCreateInfos[i].pNext);
      struct vk_cache_use cache = {.cache = (struct vk_pipeline_cache *)pipelineCache};
      struct vk_pipeline *pipeline = NULL;
      one = create_graphics(device, &pCreateInfos[i], &cache, pAllocator, &pipeline);
      vk_feedback_end(&feedback, cache.hit);
      vk_saved_unref(cache.saved);
      pPipelines[i] = VK_TO(VkPipeline, pipeline);
      if (!vk_pipelines_continue(one, flags, &result))
         break;
   }
   return result;
}
