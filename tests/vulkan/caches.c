/* Programs that were compiled before: pipeline caches, their data in another cache, whole and damaged; the cache on
 * disk, whole and damaged, of several processes at once, and no larger than it may be. Whatever is there, pipelines
 * compute and draw what they should. With --own 1 the driver promises what others do not: damage hurts nobody, and
 * the folder has the entries of ours. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vkt_draw.h"

static const uint32_t compute_code[] = {
#include "caches.comp.inc"
};
static const uint32_t vertex_code[] = {
#include "quad.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "quad.frag.inc"
};

enum { LANES = 64, SIZE = 16, MAX_DATA_B = 1 << 20 };

/* What pipelines are made with, and what creation tells. */
struct tool {
   struct vkx *vkx;
   VkPipelineCache cache;
   VkPipelineCreateFlags flags;
   bool by_identifier, without_code, blends_later; /* blends_later: dynamic, if the device can */
   bool rendering;                                 /* without a pass */
   const void *chain;                              /* of the description */
   VkResult result;
   VkPipelineCreationFeedbackFlags feedback;
};

static char folder[512];

/* ---- compute ---- */

static const uint32_t table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

static uint32_t
expected(uint32_t id, uint32_t factor, uint32_t add)
{
   const uint32_t of = (id + 1) % LANES,
                  at = (of * 11 + of) % 24; /* own[(i * 5 + of) % 24] = i: the inverse of 5 is 5 */
   return (at + 24 * 5 - of % 24) * 5 % 24 * factor + table[(id + 7) % 8] + add;
}

struct identifier {
   VkShaderModuleIdentifierEXT identifier;
   VkPipelineShaderStageModuleIdentifierCreateInfoEXT only;
};

static VkShaderModule
module_of(struct tool *tool, struct vkt_code code)
{
   return tool->by_identifier || tool->without_code ? VK_NULL_HANDLE
                                                    : vkx_shader_create(tool->vkx, code.words, code.size_B);
}

/* In place of code; NULL where the tool has the code. */
static const void *
identify(const struct tool *tool, struct vkt_code code, struct identifier *to)
{
   const VkShaderModuleCreateInfo module = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, code.size_B,
                                            code.words};
   if (!tool->by_identifier)
      return NULL;
   to->identifier = (VkShaderModuleIdentifierEXT){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT};
   VKT_PROC(tool->vkx, vkGetShaderModuleCreateInfoIdentifierEXT)(tool->vkx->device, &module, &to->identifier);
   to->only = (VkPipelineShaderStageModuleIdentifierCreateInfoEXT){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
      .identifierSize = to->identifier.identifierSize,
      .pIdentifier = to->identifier.identifier};
   return &to->only;
}

struct compute {
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline pipeline;
};

static struct compute
compute_create(struct tool *tool, uint32_t factor)
{
   struct vkx *vkx = tool->vkx;
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct compute c = {vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT), VK_NULL_HANDLE,
                       VK_NULL_HANDLE};
   c.layout = vkx_pipeline_layout_create(vkx, c.set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 4);
   const VkSpecializationMapEntry entry = {0, 0, 4};
   const VkSpecializationInfo constants = {1, &entry, 4, &factor};
   struct identifier identifier;
   VkPipelineCreationFeedback feedback = {0}, of_stage = {0};
   const VkPipelineCreationFeedbackCreateInfo feedbacks = {VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
                                                           tool->chain, &feedback, 1, &of_stage};
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .pNext = vkt_has("VK_EXT_pipeline_creation_feedback") ? &feedbacks : tool->chain,
      .flags = tool->flags,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .pNext = identify(tool, VKT_CODE(compute_code), &identifier),
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module =
                   tool->by_identifier ? VK_NULL_HANDLE : vkx_shader_create(vkx, compute_code, sizeof(compute_code)),
                .pName = "main",
                .pSpecializationInfo = &constants},
      .layout = c.layout};
   tool->result = vkCreateComputePipelines(vkx->device, tool->cache, 1, &info, NULL, &c.pipeline);
   tool->feedback = feedback.flags;
   vkDestroyShaderModule(vkx->device, info.stage.module, NULL);
   return c;
}

static void
compute_destroy(struct vkx *vkx, struct compute *c)
{
   vkDestroyPipeline(vkx->device, c->pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, c->layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, c->set_layout, NULL);
}

static void
compute_check(struct vkx *vkx, const struct compute *c, uint32_t factor, const char *what)
{
   struct vkx_buffer buffer = vkt_buffer_create(vkx, 4 * (LANES + 1), 0);
   uint32_t *data = buffer.map, add = 1000 * factor, wrong = 0;
   for (uint32_t i = 0; i <= LANES; i++)
      data[i] = i < LANES ? i * 11 : 7;
   VkDescriptorSet set = vkt_set_create(vkx, c->set_layout, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &buffer);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, c->pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, c->layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, c->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &add);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < LANES; i++)
      wrong += data[i] != expected(i, factor, add);
   vkt_expect(!wrong, "%s: %u of %u values are wrong; the first is %u, not %u", what, wrong, LANES, data[0],
              expected(0, factor, add));
   vkt_sets_destroy(vkx);
   vkx_buffer_destroy(vkx, &buffer);
}

/* ---- graphics ---- */

struct graphics {
   struct vkt_target target;
   VkPipelineLayout layout;
   VkPipeline pipeline;
};

static const VkFormat color_format = VK_FORMAT_R8G8B8A8_UNORM;

static struct graphics
graphics_create(struct tool *tool, const VkPipelineColorBlendAttachmentState *blend)
{ /* size: fields of VkGraphicsPipelineCreateInfo */
   struct vkx *vkx = tool->vkx;
   const VkExtent2D extent = {SIZE, SIZE};
   struct graphics g = {
      .target = vkt_target_create(vkx, color_format, VK_FORMAT_UNDEFINED, extent, 1, 1),
      .layout = vkt_quad_layout_create(vkx),
   };
   const VkDynamicState dynamic[3] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                      VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT};
   struct identifier identifiers[2];
   VkPipelineShaderStageCreateInfo stages[2] = {
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .pNext = identify(tool, VKT_CODE(vertex_code), &identifiers[0]),
       .stage = VK_SHADER_STAGE_VERTEX_BIT,
       .module = module_of(tool, VKT_CODE(vertex_code)),
       .pName = "main"},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .pNext = identify(tool, VKT_CODE(fragment_code), &identifiers[1]),
       .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
       .module = module_of(tool, VKT_CODE(fragment_code)),
       .pName = "main"},
   };
   VkPipelineCreationFeedback feedback = {0}, of_stages[2] = {{0}};
   const VkPipelineCreationFeedbackCreateInfo feedbacks = {VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
                                                           tool->chain, &feedback, 2, of_stages};
   const VkPipelineVertexInputStateCreateInfo vertices = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
   const VkPipelineInputAssemblyStateCreateInfo input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
   const VkPipelineViewportStateCreateInfo viewport = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
   const VkPipelineMultisampleStateCreateInfo multisample = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = 1};
   const VkPipelineColorBlendStateCreateInfo blending = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1, .pAttachments = blend};
   const VkPipelineDynamicStateCreateInfo dynamics = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                      .dynamicStateCount = tool->blends_later ? 3 : 2,
                                                      .pDynamicStates = dynamic};
   const VkPipelineRenderingCreateInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
      .pNext = vkt_has("VK_EXT_pipeline_creation_feedback") ? &feedbacks : tool->chain,
      .colorAttachmentCount = 1,
      .pColorAttachmentFormats = &color_format};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .pNext = tool->rendering ? &rendering : rendering.pNext,
                                              .flags = tool->flags,
                                              .stageCount = 2,
                                              .pStages = stages,
                                              .pVertexInputState = &vertices,
                                              .pInputAssemblyState = &input,
                                              .pViewportState = &viewport,
                                              .pRasterizationState = &raster,
                                              .pMultisampleState = &multisample,
                                              .pColorBlendState = &blending,
                                              .pDynamicState = &dynamics,
                                              .layout = g.layout,
                                              .renderPass = tool->rendering ? VK_NULL_HANDLE : g.target.pass};
   tool->result = vkCreateGraphicsPipelines(vkx->device, tool->cache, 1, &info, NULL, &g.pipeline);
   tool->feedback = feedback.flags;
   for (unsigned i = 0; i < 2; i++)
      vkDestroyShaderModule(vkx->device, stages[i].module, NULL);
   return g;
}

static void
graphics_destroy(struct vkx *vkx, struct graphics *g)
{
   vkDestroyPipeline(vkx->device, g->pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, g->layout, NULL);
   vkt_target_destroy(vkx, &g->target);
}

static PFN_vkCmdSetLogicOpEnableEXT set_logic_op; /* NULL: pipelines say it */

/* Cleared. colors: of which the pipeline knows one. 0: in the pass. */
static void
begin_targets(struct vkx *vkx, VkCommandBuffer cmd, const struct graphics *g, uint32_t colors)
{
   const VkRenderingAttachmentInfo of[2] = {{.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                             .imageView = g->target.views[0],
                                             .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                             .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR},
                                            {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO}};
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea.extent = g->target.extent,
                                 .layerCount = 1,
                                 .colorAttachmentCount = colors,
                                 .pColorAttachments = of};
   if (!colors) {
      vkt_target_begin(cmd, &g->target, g->target.pass, VK_SUBPASS_CONTENTS_INLINE);
      return;
   }
   vkt_transition(cmd, &g->target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_set_viewport(cmd, g->target.extent);
   VKT_PROC(vkx, vkCmdBeginRenderingKHR)(cmd, &info);
}

/* Two quads of half the values over each other: added or not, by blending. colors: of begin_targets. */
static void
graphics_check_on(struct vkx *vkx, const struct graphics *g, uint32_t colors, uint32_t color, const char *what)
{
   static const float half[4] = {0.4f, 0, 0.2f, 1};
   struct vkx_buffer buffer = vkt_buffer_create(vkx, 4 * SIZE * SIZE, 0xcc);
   VkCommandBuffer cmd = vkx_begin(vkx);
   begin_targets(vkx, cmd, g, colors);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, g->pipeline);
   if (set_logic_op)
      set_logic_op(cmd, VK_FALSE);
   for (unsigned i = 0; i < 2; i++)
      vkt_draw_quad(cmd, g->layout, g->target.extent, 0, 0, SIZE / 2, SIZE, 0, half);
   if (colors)
      VKT_PROC(vkx, vkCmdEndRenderingKHR)(cmd);
   else
      vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &g->target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &buffer);
   unsigned wrong = 0;
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      wrong += ((const uint32_t *)buffer.map)[i] != (i % SIZE < SIZE / 2 ? color : 0);
   vkt_expect(!wrong, "%s: %u pixels are wrong; the first is %08x, not %08x", what, wrong, *(uint32_t *)buffer.map,
              color);
   vkx_buffer_destroy(vkx, &buffer);
}

static void
graphics_check(struct vkx *vkx, const struct graphics *g, uint32_t color, const char *what)
{
   graphics_check_on(vkx, g, 0, color, what);
}

static const VkPipelineColorBlendAttachmentState plain = {.colorWriteMask = 0xf};
static const VkPipelineColorBlendAttachmentState added = {
   .blendEnable = VK_TRUE,
   .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
   .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
   .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
   .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
   .colorWriteMask = 0x5, /* red and blue */
};

/* ---- all pipelines ---- */

static bool
is_hit(const struct tool *tool)
{
   return tool->feedback & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
}

/* How many of the four were hits of the application's cache. */
static unsigned
check_all(struct tool *tool, const char *what)
{
   unsigned hits = 0;
   for (uint32_t factor = 2; factor < 4; factor++) {
      struct compute c = compute_create(tool, factor);
      hits += is_hit(tool);
      if (vkt_expect(tool->result == VK_SUCCESS, "%s: a compute pipeline: %d", what, tool->result))
         compute_check(tool->vkx, &c, factor, what);
      compute_destroy(tool->vkx, &c);
   }
   for (unsigned i = 0; i < 2; i++) {
      struct graphics g = graphics_create(tool, i ? &added : &plain);
      hits += is_hit(tool);
      if (vkt_expect(tool->result == VK_SUCCESS, "%s: a graphics pipeline: %d", what, tool->result))
         graphics_check(tool->vkx, &g, i ? 0x006600cc : 0xff330066, what);
      graphics_destroy(tool->vkx, &g);
   }
   return hits;
}

static VkPipelineCache
cache_create(struct vkx *vkx, size_t size_B, const void *data)
{
   const VkPipelineCacheCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .initialDataSize = size_B, .pInitialData = data};
   VkPipelineCache cache = VK_NULL_HANDLE;
   vkx_check(vkCreatePipelineCache(vkx->device, &info, NULL, &cache), "vkCreatePipelineCache");
   return cache;
}

static bool own;

/* ---- pipeline caches ---- */

/* Nothing that is there may hurt, however it got there. */
static void
check_damaged(struct tool *tool, const uint8_t *data, size_t size_B)
{
   static uint8_t changed[MAX_DATA_B];
   const VkPipelineCache whole = tool->cache;
   for (unsigned i = 0; i < 24; i++) {
      size_t cut_B = i % 3 ? size_B : vkt_random_below((uint32_t)size_B);
      memcpy(changed, data, size_B);
      for (unsigned j = 0; j < i; j++)
         changed[vkt_random_below((uint32_t)size_B)] ^= (uint8_t)(1u << vkt_random_below(8));
      tool->cache = cache_create(tool->vkx, cut_B, changed);
      check_all(tool, "damaged data");
      vkDestroyPipelineCache(tool->vkx->device, tool->cache, NULL);
   }
   tool->cache = whole;
}

/* As many bytes as there is room for, and never more. */
static void
check_room(struct tool *tool, size_t size_B)
{
   static uint8_t some[MAX_DATA_B + 1];
   const VkPipelineCache whole = tool->cache;
   for (size_t room_B = 32; room_B < size_B; room_B += 1 + size_B / 7) {
      size_t got_B = room_B;
      memset(some, 0xcc, sizeof(some));
      VkResult result = vkGetPipelineCacheData(tool->vkx->device, whole, &got_B, some);
      vkt_expect(result == VK_INCOMPLETE && got_B <= room_B && some[room_B] == 0xcc, "%zu bytes of a cache: %d, %zu",
                 room_B, result, got_B);
      tool->cache = cache_create(tool->vkx, got_B, some);
      check_all(tool, "some of the data");
      vkDestroyPipelineCache(tool->vkx->device, tool->cache, NULL);
   }
   tool->cache = whole;
}

static void
check_caches(struct vkx *vkx)
{
   static uint8_t data[MAX_DATA_B];
   struct tool tool = {.vkx = vkx};
   const bool tells = vkt_has("VK_EXT_pipeline_creation_feedback");
   tool.cache = cache_create(vkx, 0, NULL);
   unsigned hits = check_all(&tool, "an empty cache");
   vkt_expect(hits < (own ? 1 : 4), "%u hits in an empty cache", hits); /* parts of pipelines may be the same */
   hits = check_all(&tool, "a cache");
   vkt_expect(!tells || hits == 4, "%u hits in a cache", hits);
   size_t size_B = sizeof(data);
   vkx_check(vkGetPipelineCacheData(vkx->device, tool.cache, &size_B, data), "vkGetPipelineCacheData");
   check_room(&tool, size_B);
   VkPipelineCache first = tool.cache;
   tool.cache = cache_create(vkx, size_B, data);
   hits = check_all(&tool, "a cache of data");
   vkt_expect(!tells || hits == 4, "%u hits in a cache of data", hits);
   if (own)
      check_damaged(&tool, data, size_B);
   vkDestroyPipelineCache(vkx->device, tool.cache, NULL);
   tool.cache = cache_create(vkx, 0, NULL);
   vkx_check(vkMergePipelineCaches(vkx->device, tool.cache, 1, &first), "vkMergePipelineCaches");
   hits = check_all(&tool, "merged");
   vkt_expect(!tells || hits == 4, "%u hits in a merged cache", hits);
   vkDestroyPipelineCache(vkx->device, tool.cache, NULL);
   vkDestroyPipelineCache(vkx->device, first, NULL);
}

/* Pipelines that may not be compiled, also of only identifiers. */
static void
check_required(struct vkx *vkx)
{
   struct tool tool = {.vkx = vkx, .cache = cache_create(vkx, 0, NULL)};
   const VkPipelineCreateFlags fails = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
   for (unsigned round = 0; round < 3; round++) {
      tool.flags = round == 1 ? 0 : fails;
      tool.by_identifier = round == 2 && vkt_has("VK_EXT_shader_module_identifier");
      struct compute c = compute_create(&tool, 77);
      VkResult result = round ? VK_SUCCESS : VK_PIPELINE_COMPILE_REQUIRED;
      if (vkt_expect(tool.result == result, "compute, round %u: %d", round, tool.result) && c.pipeline)
         compute_check(vkx, &c, 77, "without compiling");
      compute_destroy(vkx, &c);
   }
   tool.by_identifier = false;
   for (unsigned round = 0; round < 3; round++) {
      tool.flags = round == 1 ? 0 : fails;
      struct graphics g = graphics_create(&tool, &added);
      VkResult result = round ? VK_SUCCESS : VK_PIPELINE_COMPILE_REQUIRED;
      if (vkt_expect(tool.result == result, "graphics, round %u: %d", round, tool.result) && g.pipeline)
         graphics_check(vkx, &g, 0x006600cc, "without compiling");
      graphics_destroy(vkx, &g);
   }
   vkDestroyPipelineCache(vkx->device, tool.cache, NULL);
}

/* A pipeline of only identifiers may be refused, but what is created draws to other targets, too. */
static void
check_required_targets(struct vkx *vkx)
{
   struct tool tool = {.vkx = vkx, .cache = cache_create(vkx, 0, NULL), .rendering = true};
   for (unsigned round = 0; round < 2; round++) {
      tool.flags = round ? VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT : 0;
      tool.by_identifier = round;
      struct graphics g = graphics_create(&tool, &added);
      vkt_expect(tool.result == VK_SUCCESS || (round && tool.result == VK_PIPELINE_COMPILE_REQUIRED),
                 "a pipeline for renderings, round %u: %d", round, tool.result);
      for (uint32_t colors = 1; g.pipeline && colors < 3; colors++)
         graphics_check_on(vkx, &g, colors, 0x006600cc, colors == 1 ? "its own targets" : "other targets");
      graphics_destroy(vkx, &g);
   }
   vkDestroyPipelineCache(vkx->device, tool.cache, NULL);
}

/* ---- binaries ---- */

enum { MAX_BINARIES = 8 };

struct binaries {
   uint32_t count;
   VkPipelineBinaryKeyKHR keys[MAX_BINARIES];
   VkPipelineBinaryDataKHR data[MAX_BINARIES];
};

static void
read_data(struct vkx *vkx, VkPipelineBinaryKHR binary, VkPipelineBinaryKeyKHR *key, VkPipelineBinaryDataKHR *data)
{
   PFN_vkGetPipelineBinaryDataKHR get = VKT_PROC(vkx, vkGetPipelineBinaryDataKHR);
   const VkPipelineBinaryDataInfoKHR of = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR, NULL, binary};
   *key = (VkPipelineBinaryKeyKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
   vkx_check(get(vkx->device, &of, key, &data->dataSize, NULL), "the size of a binary");
   data->pData = malloc(data->dataSize);
   size_t little_B = data->dataSize - 1;
   VkResult result = get(vkx->device, &of, key, &little_B, data->pData);
   vkt_expect(result == VK_ERROR_NOT_ENOUGH_SPACE_KHR, "a byte too little: %d", result);
   vkx_check(get(vkx->device, &of, key, &data->dataSize, data->pData), "the data of a binary");
}

/* The pipeline's binaries as keys and bytes, which the caller frees. */
static struct binaries
binaries_of(struct vkx *vkx, VkPipeline pipeline)
{
   const VkPipelineBinaryCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                                               .pipeline = pipeline};
   VkPipelineBinaryHandlesInfoKHR handles = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR};
   VkPipelineBinaryKHR all[MAX_BINARIES];
   PFN_vkCreatePipelineBinariesKHR create = VKT_PROC(vkx, vkCreatePipelineBinariesKHR);
   struct binaries binaries;
   memset(&binaries, 0, sizeof(binaries));
   vkx_check(create(vkx->device, &info, NULL, &handles), "how many binaries there are");
   if (!vkt_expect(handles.pipelineBinaryCount && handles.pipelineBinaryCount <= MAX_BINARIES,
                   "%u binaries of a pipeline", handles.pipelineBinaryCount))
      return binaries;
   handles.pPipelineBinaries = all;
   vkx_check(create(vkx->device, &info, NULL, &handles), "vkCreatePipelineBinariesKHR");
   binaries.count = handles.pipelineBinaryCount;
   for (uint32_t i = 0; i < binaries.count; i++) {
      read_data(vkx, all[i], &binaries.keys[i], &binaries.data[i]);
      VKT_PROC(vkx, vkDestroyPipelineBinaryKHR)(vkx->device, all[i], NULL);
   }
   return binaries;
}

static VkResult
make_binaries(struct vkx *vkx, const struct binaries *from, VkPipelineBinaryKHR all[MAX_BINARIES])
{
   const VkPipelineBinaryKeysAndDataKHR keys = {from->count, from->keys, from->data};
   const VkPipelineBinaryCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                                               .pKeysAndDataInfo = &keys};
   VkPipelineBinaryHandlesInfoKHR handles = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR, NULL, from->count,
                                             all};
   memset(all, 0, MAX_BINARIES * sizeof(*all));
   return VKT_PROC(vkx, vkCreatePipelineBinariesKHR)(vkx->device, &info, NULL, &handles);
}

/* None may be made of bytes that were changed. */
static void
check_damaged_binary(struct vkx *vkx, struct binaries *binaries)
{
   VkPipelineBinaryDataKHR *data = &binaries->data[0];
   VkPipelineBinaryKHR all[MAX_BINARIES];
   uint8_t *bytes = data->pData;
   const size_t size_B = data->dataSize;
   for (unsigned i = 0; i < 64; i++) {
      const uint32_t at = vkt_random_below((uint32_t)size_B), bit = vkt_random_below(8);
      bytes[at] ^= (uint8_t)(1u << bit);
      VkResult result = make_binaries(vkx, binaries, all);
      vkt_expect(result < 0 && !all[0], "byte %u of a binary changed: %d", at, result);
      bytes[at] ^= (uint8_t)(1u << bit);
      data->dataSize = vkt_random_below((uint32_t)size_B);
      result = make_binaries(vkx, binaries, all);
      vkt_expect(result < 0 && !all[0], "%zu bytes of a binary: %d", data->dataSize, result);
      data->dataSize = size_B;
   }
}

/* From a pipeline that was created to be captured to one that has no code but that. */
static void
check_binary(struct vkx *vkx, unsigned kind, const char *what)
{
   const VkPipelineCreateFlags2CreateInfoKHR captures = {VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
                                                         NULL, VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR};
   struct tool tool = {.vkx = vkx, .chain = &captures, .blends_later = kind == 2};
   struct compute c = {0};
   struct graphics g = {0};
   if (kind)
      g = graphics_create(&tool, &added);
   else
      c = compute_create(&tool, 5);
   if (!vkt_expect(tool.result == VK_SUCCESS, "%s that is captured: %d", what, tool.result))
      return;
   struct binaries bytes = binaries_of(vkx, kind ? g.pipeline : c.pipeline);
   const VkReleaseCapturedPipelineDataInfoKHR release = {VK_STRUCTURE_TYPE_RELEASE_CAPTURED_PIPELINE_DATA_INFO_KHR,
                                                         NULL, kind ? g.pipeline : c.pipeline};
   VKT_PROC(vkx, vkReleaseCapturedPipelineDataKHR)(vkx->device, &release, NULL);
   if (kind)
      graphics_destroy(vkx, &g);
   else
      compute_destroy(vkx, &c);
   VkPipelineBinaryKHR all[MAX_BINARIES];
   VkResult result = make_binaries(vkx, &bytes, all);
   if (!vkt_expect(result == VK_SUCCESS && all[0], "%s of bytes: %d", what, result))
      return;
   const VkPipelineBinaryInfoKHR binaries = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, NULL, bytes.count, all};
   tool.chain = &binaries;
   tool.without_code = true;
   if (kind) {
      g = graphics_create(&tool, &added);
      if (vkt_expect(tool.result == VK_SUCCESS, "%s by its binary: %d", what, tool.result))
         graphics_check(vkx, &g, 0x006600cc, what);
      graphics_destroy(vkx, &g);
   } else {
      c = compute_create(&tool, 5);
      if (vkt_expect(tool.result == VK_SUCCESS, "%s by its binary: %d", what, tool.result))
         compute_check(vkx, &c, 5, what);
      compute_destroy(vkx, &c);
   }
   if (own)
      check_damaged_binary(vkx, &bytes);
   for (uint32_t i = 0; i < bytes.count; i++) {
      VKT_PROC(vkx, vkDestroyPipelineBinaryKHR)(vkx->device, all[i], NULL);
      free(bytes.data[i].pData);
   }
}

static void
check_binaries(struct vkx *vkx)
{
   VkPipelineBinaryKeyKHR keys[2];
   for (unsigned i = 0; i < 2; i++) {
      keys[i] = (VkPipelineBinaryKeyKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
      vkx_check(VKT_PROC(vkx, vkGetPipelineKeyKHR)(vkx->device, NULL, &keys[i]), "vkGetPipelineKeyKHR");
   }
   vkt_expect(keys[0].keySize && keys[0].keySize == keys[1].keySize &&
                 !memcmp(keys[0].key, keys[1].key, keys[0].keySize),
              "the device's key");
   check_binary(vkx, 0, "a compute pipeline");
   check_binary(vkx, 1, "a graphics pipeline");
   set_logic_op = vkt_has("VK_EXT_extended_dynamic_state3") ? VKT_PROC(vkx, vkCmdSetLogicOpEnableEXT) : NULL;
   if (set_logic_op)
      check_binary(vkx, 2, "a pipeline with dynamic state");
   set_logic_op = NULL;
}

/* ---- on disk ---- */

/* Calls for each file of the folders below; the sum of their sizes. */
static size_t
each_file(void (*call)(const char *path, unsigned number), unsigned *count)
{
   size_t sum_B = 0;
   *count = 0;
   for (unsigned i = 0; i < 256; i++) {
      char path[1024];
      snprintf(path, sizeof(path), "%s/indium_shader_cache/%02x", folder, i);
      DIR *dir = opendir(path);
      for (struct dirent *it; dir && (it = readdir(dir));) {
         char file[2048];
         struct stat status;
         snprintf(file, sizeof(file), "%s/%s", path, it->d_name);
         if (stat(file, &status) || !S_ISREG(status.st_mode))
            continue;
         vkt_expect(strlen(it->d_name) == 30, "%s is no entry", it->d_name);
         sum_B += (size_t)status.st_size;
         if (call)
            call(file, *count);
         ++*count;
      }
      if (dir)
         closedir(dir);
   }
   return sum_B;
}

static void
damage(const char *path, unsigned number)
{
   struct stat status;
   int fd = open(path, O_RDWR);
   if (fd < 0 || fstat(fd, &status))
      return;
   uint32_t at = vkt_random_below((uint32_t)status.st_size);
   uint8_t byte;
   if (number % 2 && pread(fd, &byte, 1, at) == 1) {
      byte ^= (uint8_t)(1u << vkt_random_below(8));
      vkt_expect(pwrite(fd, &byte, 1, at) == 1, "%s is written", path);
   } else {
      vkt_expect(!ftruncate(fd, at), "%s is cut off", path);
   }
   close(fd);
}

static struct vkx
device_with(const char *max)
{
   setenv("MESA_SHADER_CACHE_DISABLE", "false", 1);
   setenv("MESA_SHADER_CACHE_DIR", folder, 1);
   setenv("MESA_SHADER_CACHE_MAX_SIZE", max, 1);
   return vkt_create("caches");
}

static void
write_size(const void *bytes, size_t size_B)
{
   char path[1024];
   snprintf(path, sizeof(path), "%s/indium_shader_cache/size", folder);
   int fd = open(path, O_WRONLY | O_TRUNC);
   vkt_expect(fd >= 0 && write(fd, bytes, size_B) == (ssize_t)size_B, "%s is written", path);
   close(fd);
}

/* Four entries become found ones, whole or damaged; a wrong sum does no harm. */
static void
check_disk(struct vkx *vkx)
{
   struct tool tool = {.vkx = vkx};
   unsigned count, again;
   check_all(&tool, "the first on disk");
   each_file(NULL, &count);
   vkt_expect(count == 4, "%u entries on disk", count);
   tool.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
   check_all(&tool, "from disk");
   for (unsigned i = 0; i < 12; i++) {
      each_file(damage, &count);
      tool.flags = 0;
      check_all(&tool, "damaged on disk");
      each_file(NULL, &again);
      vkt_expect(again == 4, "%u entries after %u were damaged", again, count);
      tool.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
      check_all(&tool, "mended on disk");
      write_size("0123456", i);
   }
}

/* Programs of other constants, as many as do not fit. */
static void
check_limit(struct vkx *vkx, size_t max_B)
{
   struct tool tool = {.vkx = vkx};
   unsigned count;
   for (uint32_t factor = 100; factor < 180; factor++) {
      struct compute c = compute_create(&tool, factor);
      vkt_expect(tool.result == VK_SUCCESS, "compute by %u: %d", factor, tool.result);
      if (factor % 16 == 0)
         compute_check(vkx, &c, factor, "with little room");
      compute_destroy(vkx, &c);
      size_t sum_B = each_file(NULL, &count);
      vkt_expect(sum_B <= max_B && count, "%zu bytes of %zu in %u entries", sum_B, max_B, count);
   }
   const uint64_t wrong = UINT64_MAX;
   write_size(&wrong, sizeof(wrong));
   check_all(&tool, "a wrong sum");
   vkt_expect(each_file(NULL, &count) <= max_B && count >= 4, "%u entries after a wrong sum", count);
}

/* Without a word of the others, in the same folder. */
static void
check_processes(const char *max)
{
   pid_t children[4];
   for (unsigned i = 0; i < 4; i++) {
      fflush(NULL);
      children[i] = fork();
      if (children[i])
         continue;
      struct vkx vkx = device_with(max);
      struct tool tool = {.vkx = &vkx};
      for (unsigned round = 0; round < 3; round++) {
         check_all(&tool, "one of several");
         struct compute c = compute_create(&tool, 1000 + i % 2 + 2 * round);
         compute_destroy(&vkx, &c);
      }
      _exit(vkt_finish(&vkx));
   }
   for (unsigned i = 0; i < 4; i++) {
      int status = -1;
      waitpid(children[i], &status, 0);
      vkt_expect(!status, "process %u: status %d", i, status);
   }
}

int
main(int argc, char **argv)
{
   const char *base = getenv("TMPDIR");
   own = *vkx_option(argc, argv, "--own", "0") == '1';
   char command[600];
   snprintf(folder, sizeof(folder), "%s/caches.XXXXXX", base ? base : "/tmp");
   if (!mkdtemp(folder))
      return 2;
   check_processes("1M");
   struct vkx vkx = device_with("40K");
   if (own)
      check_limit(&vkx, 40 << 10);
   else
      vkt_skip("how large the cache on disk is");
   vkx_destroy(&vkx);
   snprintf(command, sizeof(command), "rm -rf '%s'", folder);
   vkt_expect(!system(command), "%s", command);
   vkx = device_with("1M");
   if (own)
      check_disk(&vkx);
   vkx_destroy(&vkx);
   vkt_expect(!system(command), "%s", command);
   setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
   vkx = vkt_create("caches");
   check_caches(&vkx);
   if (vkt_has("VK_KHR_pipeline_binary"))
      check_binaries(&vkx);
   else
      vkt_skip("VK_KHR_pipeline_binary");
   if (vkt_has("VK_EXT_pipeline_creation_cache_control"))
      check_required(&vkx);
   else
      vkt_skip("VK_EXT_pipeline_creation_cache_control");
   if (vkt_has("VK_EXT_pipeline_creation_cache_control") && vkt_has("VK_EXT_shader_module_identifier") &&
       vkt_has("VK_EXT_dynamic_rendering_unused_attachments"))
      check_required_targets(&vkx);
   else
      vkt_skip("VK_EXT_dynamic_rendering_unused_attachments");
   return vkt_finish(&vkx);
}
