/* Commands that bind descriptor sets, push descriptors and push constants. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/macros.h"

enum pipe_bind_point
vk_bind_point(VkPipelineBindPoint point)
{
   return point == VK_PIPELINE_BIND_POINT_COMPUTE ? PIPE_BIND_COMPUTE : PIPE_BIND_GRAPHICS;
}

/* Calls `each` for the bind points of some stages. */
static void
for_stages(VkShaderStageFlags stages, void (*each)(void *data, VkPipelineBindPoint point), void *data)
{
   if (stages & VK_SHADER_STAGE_COMPUTE_BIT)
      each(data, VK_PIPELINE_BIND_POINT_COMPUTE);
   if (stages & ~(VkShaderStageFlags)VK_SHADER_STAGE_COMPUTE_BIT)
      each(data, VK_PIPELINE_BIND_POINT_GRAPHICS);
}

struct bind {
   VkCommandBuffer cmd;
   const VkBindDescriptorSetsInfo *info;
};

static void
bind_sets(const struct bind *bind, VkPipelineBindPoint point)
{
   VK_FROM(vk_command_buffer, cmd, bind->cmd);
   VK_FROM(vk_pipeline_layout, layout, bind->info->layout);
   const uint32_t *offsets = bind->info->pDynamicOffsets;
   for (uint32_t i = 0; i < bind->info->descriptorSetCount; i++) {
      VK_FROM(vk_descriptor_set, set, bind->info->pDescriptorSets[i]);
      const uint32_t index = bind->info->firstSet + i;
      if (!set)
         continue;
      struct pipe_dynamic_buffer buffers[PIPE_MAX_DYNAMIC_BUFFERS];
      const struct pipe_dynamic_buffers dynamic = {
         .first = layout->layout.dynamic_base[index],
         .count = MIN2(set->layout->layout.num_dynamic, PIPE_MAX_DYNAMIC_BUFFERS),
         .buffers = buffers,
      };
      for (uint32_t j = 0; j < dynamic.count; j++) {
         buffers[j] = set->dynamic[j];
         buffers[j].offset_B += *offsets++;
      }
      cmd->pipe->bind_descriptor_set(cmd->pipe, vk_bind_point(point), index, &set->set, &dynamic);
   }
}

static void
bind_of_point(void *data, VkPipelineBindPoint point)
{
   bind_sets(data, point);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindDescriptorSets(VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint,
                             VkPipelineLayout layout, uint32_t firstSet, uint32_t descriptorSetCount,
                             const VkDescriptorSet *pDescriptorSets, uint32_t dynamicOffsetCount,
                             const uint32_t *pDynamicOffsets)
{
   const VkBindDescriptorSetsInfo info = {.layout = layout,
                                          .firstSet = firstSet,
                                          .descriptorSetCount = descriptorSetCount,
                                          .pDescriptorSets = pDescriptorSets,
                                          .dynamicOffsetCount = dynamicOffsetCount,
                                          .pDynamicOffsets = pDynamicOffsets};
   bind_sets(&(struct bind){commandBuffer, &info}, pipelineBindPoint);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindDescriptorSets2(VkCommandBuffer commandBuffer, const VkBindDescriptorSetsInfo *pBindDescriptorSetsInfo)
{
   for_stages(pBindDescriptorSetsInfo->stageFlags, bind_of_point,
              &(struct bind){commandBuffer, pBindDescriptorSetsInfo});
}

/* ---- push descriptors ---- */

/* The set that descriptors are pushed to: what was pushed before stays. NULL: no memory. */
static uint8_t *
push_words(struct vk_command_buffer *cmd, enum pipe_bind_point point, uint32_t size_B)
{
   const struct vk_device *device = cmd->pool->device;
   struct vk_push_set *set = &cmd->push_sets[point];
   if (size_B <= set->size_B)
      return set->words;
   uint8_t *words = vk_alloc(&device->alloc, NULL, size_B);
   if (!words) {
      cmd->result = VK_ERROR_OUT_OF_HOST_MEMORY;
      return NULL;
   }
   if (set->words)
      memcpy(words, set->words, set->size_B);
   vk_free(&device->alloc, NULL, set->words);
   *set = (struct vk_push_set){words, size_B};
   return words;
}

/* What a command pushes: writes, or the data of a template. */
struct push {
   VkCommandBuffer cmd;
   VkPipelineLayout layout;
   uint32_t set, count;
   const VkWriteDescriptorSet *writes;
   const struct vk_update_template *template;
   const void *data;
};

static void
push_set(const struct push *push, VkPipelineBindPoint point)
{
   VK_FROM(vk_command_buffer, cmd, push->cmd);
   VK_FROM(vk_pipeline_layout, layout, push->layout);
   const struct pipe_screen *screen = cmd->pool->device->screen;
   struct vk_descriptor_set set = {.layout = layout->sets[push->set]};
   const uint32_t size_B = set.layout->layout.size_B;
   set.words = push_words(cmd, vk_bind_point(point), size_B);
   if (!set.words)
      return;
   vk_write_immutable_samplers(screen, &set);
   for (uint32_t i = 0; i < push->count; i++)
      vk_write_descriptors(screen, &set, &push->writes[i]);
   if (push->template)
      vk_write_by_template(screen, &set, push->template, push->data);
   cmd->pipe->push_descriptor_set(cmd->pipe, vk_bind_point(point), push->set, set.words, size_B);
}

void
vk_push_immutable_samplers(struct vk_command_buffer *cmd, VkPipelineBindPoint point, VkPipelineLayout _layout,
                           uint32_t set)
{
   VK_FROM(vk_pipeline_layout, layout, _layout);
   const struct vk_device *device = cmd->pool->device;
   struct vk_descriptor_set samplers = {.layout = layout->sets[set]};
   const uint32_t size_B = samplers.layout->layout.size_B;
   samplers.words = vk_alloc(&device->alloc, NULL, size_B);
   if (!samplers.words) {
      cmd->result = VK_ERROR_OUT_OF_HOST_MEMORY;
      return;
   }
   vk_write_immutable_samplers(device->screen, &samplers);
   cmd->pipe->push_descriptor_set(cmd->pipe, vk_bind_point(point), set, samplers.words, size_B);
   vk_free(&device->alloc, NULL, samplers.words);
}

static void
push_of_point(void *data, VkPipelineBindPoint point)
{
   push_set(data, point);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdPushDescriptorSet(VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint,
                            VkPipelineLayout layout, uint32_t set, uint32_t descriptorWriteCount,
                            const VkWriteDescriptorSet *pDescriptorWrites)
{
   const struct push push = {
      .cmd = commandBuffer, .layout = layout, .set = set, .count = descriptorWriteCount, .writes = pDescriptorWrites};
   push_set(&push, pipelineBindPoint);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdPushDescriptorSet2(VkCommandBuffer commandBuffer, const VkPushDescriptorSetInfo *pPushDescriptorSetInfo)
{
   const VkPushDescriptorSetInfo *info = pPushDescriptorSetInfo;
   struct push push = {.cmd = commandBuffer,
                       .layout = info->layout,
                       .set = info->set,
                       .count = info->descriptorWriteCount,
                       .writes = info->pDescriptorWrites};
   for_stages(info->stageFlags, push_of_point, &push);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdPushDescriptorSetWithTemplate(VkCommandBuffer commandBuffer,
                                        VkDescriptorUpdateTemplate descriptorUpdateTemplate, VkPipelineLayout layout,
                                        uint32_t set, const void *pData)
{
   VK_FROM(vk_update_template, template, descriptorUpdateTemplate);
   const struct push push = {.cmd = commandBuffer, .layout = layout, .set = set, .template = template, .data = pData};
   push_set(&push, template->point);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdPushDescriptorSetWithTemplate2(
   VkCommandBuffer commandBuffer, const VkPushDescriptorSetWithTemplateInfo *pPushDescriptorSetWithTemplateInfo)
{
   const VkPushDescriptorSetWithTemplateInfo *info = pPushDescriptorSetWithTemplateInfo;
   indium_CmdPushDescriptorSetWithTemplate(commandBuffer, info->descriptorUpdateTemplate, info->layout, info->set,
                                           info->pData);
}

/* ---- push constants ---- */

VKAPI_ATTR void VKAPI_CALL
indium_CmdPushConstants(VkCommandBuffer commandBuffer, VkPipelineLayout layout, VkShaderStageFlags stageFlags,
                        uint32_t offset, uint32_t size, const void *pValues)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   cmd->pipe->push_constants(cmd->pipe, offset, size, pValues);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdPushConstants2(VkCommandBuffer commandBuffer, const VkPushConstantsInfo *pPushConstantsInfo)
{
   const VkPushConstantsInfo *info = pPushConstantsInfo;
   indium_CmdPushConstants(commandBuffer, info->layout, info->stageFlags, info->offset, info->size, info->pValues);
}
