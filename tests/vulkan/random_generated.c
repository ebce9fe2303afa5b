#include "random_generated.h"

#include <string.h>

#include "generated.h"

static struct vkx *vkx;

bool
random_can_generate(struct vkx *device)
{
   VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT has = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_EXT};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &has};
   vkx = device;
   if (!vkt_is_indium(vkx) || !vkt_has("VK_EXT_device_generated_commands"))
      return false;
   vkGetPhysicalDeviceProperties2(vkx->physical, &properties);
   return has.supportedIndirectCommandsShaderStages & VK_SHADER_STAGE_VERTEX_BIT;
}

void
random_generated_draw(VkCommandBuffer cmd, const struct random_draw *draw, VkPipelineLayout layout,
                      VkPipeline pipeline, const struct vkx_buffer *commands, struct random_generated *generated)
{
   const uint32_t size_B = draw->indexed ? sizeof(VkDrawIndexedIndirectCommand) : sizeof(VkDrawIndirectCommand);
   struct tokens tokens = {0};
   token_add(&tokens,
             draw->indexed ? VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_EXT
                           : VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT,
             size_B);
   generated->layout = tokens_layout(vkx, &tokens, VKT_QUAD_STAGES, layout, NULL, false);
   generated->stream = stream_buffer(vkx, draw->commands * size_B);
   for (uint32_t i = 0; i < draw->commands; i++)
      memcpy((char *)generated->stream.map + i * size_B,
             (const char *)commands->map + draw->command_offset_B + i * draw->command_stride_B, size_B);
   const VkGeneratedCommandsPipelineInfoEXT of = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT,
                                                  .pipeline = pipeline};
   VkGeneratedCommandsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                      .pNext = &of,
                                      .shaderStages = VKT_QUAD_STAGES,
                                      .indirectCommandsLayout = generated->layout,
                                      .indirectAddress = vkt_address(vkx, &generated->stream),
                                      .indirectAddressSize = generated->stream.size,
                                      .maxSequenceCount = draw->commands,
                                      .maxDrawCount = 1};
   generated->memory = generated_memory(vkx, &info);
   VKT_PROC(vkx, vkCmdExecuteGeneratedCommandsEXT)(cmd, false, &info);
}

void
random_generated_destroy(struct random_generated *generated)
{
   if (!generated->layout)
      return;
   VKT_PROC(vkx, vkDestroyIndirectCommandsLayoutEXT)(vkx->device, generated->layout, NULL);
   vkx_buffer_destroy(vkx, &generated->stream);
   vkx_buffer_destroy(vkx, &generated->memory);
   *generated = (struct random_generated){0};
}
