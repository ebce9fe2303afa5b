/* What the tests of VK_EXT_device_generated_commands share: layouts of tokens, memory, and the ways to run them. */
#ifndef GENERATED_H
#define GENERATED_H

#include "vkt_draw.h"

#define MAX_TOKENS 8

/* Tokens in the order of calls; each takes size_B bytes of the stream. */
struct tokens {
   uint32_t count, stride_B;
   VkIndirectCommandsLayoutTokenEXT list[MAX_TOKENS];
   VkIndirectCommandsPushConstantTokenEXT push[MAX_TOKENS];
   VkIndirectCommandsVertexBufferTokenEXT vertex[MAX_TOKENS];
   VkIndirectCommandsIndexBufferTokenEXT index[MAX_TOKENS];
   VkIndirectCommandsExecutionSetTokenEXT set;
};

static inline VkIndirectCommandsLayoutTokenEXT *
token_add(struct tokens *tokens, VkIndirectCommandsTokenTypeEXT type, uint32_t size_B)
{
   VkIndirectCommandsLayoutTokenEXT *token = &tokens->list[tokens->count++];
   *token = (VkIndirectCommandsLayoutTokenEXT){
      .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT, .type = type, .offset = tokens->stride_B};
   tokens->stride_B += size_B;
   return token;
}

/* PUSH_CONSTANT or SEQUENCE_INDEX. */
static inline void
token_push(struct tokens *tokens, VkIndirectCommandsTokenTypeEXT type, VkPushConstantRange range)
{
   VkIndirectCommandsPushConstantTokenEXT *push = &tokens->push[tokens->count];
   push->updateRange = range;
   token_add(tokens, type, type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT ? range.size : 0)
      ->data.pPushConstant = push;
}

static inline void
token_vertices(struct tokens *tokens, uint32_t binding)
{
   VkIndirectCommandsVertexBufferTokenEXT *vertex = &tokens->vertex[tokens->count];
   vertex->vertexBindingUnit = binding;
   token_add(tokens, VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_EXT, sizeof(VkBindVertexBufferIndirectCommandEXT))
      ->data.pVertexBuffer = vertex;
}

static inline void
token_indices(struct tokens *tokens, VkIndirectCommandsInputModeFlagBitsEXT mode)
{
   VkIndirectCommandsIndexBufferTokenEXT *index = &tokens->index[tokens->count];
   index->mode = mode;
   token_add(tokens, VK_INDIRECT_COMMANDS_TOKEN_TYPE_INDEX_BUFFER_EXT, sizeof(VkBindIndexBufferIndirectCommandEXT))
      ->data.pIndexBuffer = index;
}

static inline void
token_set(struct tokens *tokens, VkIndirectExecutionSetInfoTypeEXT type)
{
   tokens->set = (VkIndirectCommandsExecutionSetTokenEXT){type, VK_SHADER_STAGE_COMPUTE_BIT};
   token_add(tokens, VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT, 4)->data.pExecutionSet = &tokens->set;
}

/* With pipeline_layout VK_NULL_HANDLE the ranges of push constants are in the layout
 * (dynamicGeneratedPipelineLayout).
 */
static inline VkIndirectCommandsLayoutEXT
tokens_layout(struct vkx *vkx, const struct tokens *tokens, VkShaderStageFlags stages,
              VkPipelineLayout pipeline_layout, const VkPipelineLayoutCreateInfo *ranges, bool explicit)
{
   const VkIndirectCommandsLayoutCreateInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
      .pNext = pipeline_layout ? NULL : ranges,
      .flags = explicit ? VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT : 0,
      .shaderStages = stages,
      .indirectStride = tokens->stride_B,
      .pipelineLayout = pipeline_layout,
      .tokenCount = tokens->count,
      .pTokens = tokens->list,
   };
   VkIndirectCommandsLayoutEXT layout = VK_NULL_HANDLE;
   vkx_check(VKT_PROC(vkx, vkCreateIndirectCommandsLayoutEXT)(vkx->device, &info, NULL, &layout),
             "vkCreateIndirectCommandsLayoutEXT");
   return layout;
}

/* Memory that the device generates into, for what `info` asks; info's address and size are set. */
static inline struct vkx_buffer
generated_memory(struct vkx *vkx, VkGeneratedCommandsInfoEXT *info)
{
   const VkGeneratedCommandsMemoryRequirementsInfoEXT asked = {
      .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
      .pNext = (void *)(uintptr_t)info->pNext,
      .indirectExecutionSet = info->indirectExecutionSet,
      .indirectCommandsLayout = info->indirectCommandsLayout,
      .maxSequenceCount = info->maxSequenceCount,
      .maxDrawCount = info->maxDrawCount,
   };
   VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
   VKT_PROC(vkx, vkGetGeneratedCommandsMemoryRequirementsEXT)(vkx->device, &asked, &needs);
   if (!needs.memoryRequirements.size)
      return (struct vkx_buffer){0};
   const VkBufferUsageFlags2CreateInfo usage = {.sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
                                                .usage = VK_BUFFER_USAGE_2_PREPROCESS_BUFFER_BIT_EXT |
                                                         VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT};
   const VkBufferCreateInfo create = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .pNext = &usage, .size = needs.memoryRequirements.size};
   struct vkx_buffer buffer = {.size = create.size};
   VkMemoryRequirements own;
   vkx_check(vkCreateBuffer(vkx->device, &create, NULL, &buffer.buffer), "vkCreateBuffer");
   vkGetBufferMemoryRequirements(vkx->device, buffer.buffer, &own);
   const uint32_t types = own.memoryTypeBits & needs.memoryRequirements.memoryTypeBits;
   vkt_expect(types != 0, "a type of memory for generated commands");
   const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                            .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                          .pNext = &flags,
                                          .allocationSize = own.size,
                                          .memoryTypeIndex = (uint32_t)__builtin_ctz(types)};
   vkx_check(vkAllocateMemory(vkx->device, &allocate, NULL, &buffer.memory), "vkAllocateMemory");
   vkx_check(vkBindBufferMemory(vkx->device, buffer.buffer, buffer.memory, 0), "vkBindBufferMemory");
   info->preprocessAddress = vkt_address(vkx, &buffer);
   info->preprocessSize = buffer.size;
   return buffer;
}

/* A host-visible buffer with an address, for anything. */
static inline struct vkx_buffer
stream_buffer(struct vkx *vkx, VkDeviceSize size_B)
{
   return vkt_addressed_create(vkx, size_B, 0);
}

static inline void
preprocess_barrier(VkCommandBuffer cmd)
{
   const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_COMMAND_PREPROCESS_WRITE_BIT_EXT,
                                    .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT};
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMMAND_PREPROCESS_BIT_EXT, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0, 1,
                        &barrier, 0, NULL, 0, NULL);
}

#endif
