/* Commands of VK_EXT_device_generated_commands. */
#include "gallium/frontends/vulkan/vk_cmd_flush.h"
#include "gallium/frontends/vulkan/vk_generated.h"

/* What the commands are made of, by the state of a command buffer, which is flushed. False: nothing. */
static bool
describe(struct vk_command_buffer *state, const VkGeneratedCommandsInfoEXT *from, struct pipe_generated *to)
{
   VK_FROM(vk_token_layout, layout, from->indirectCommandsLayout);
   VK_FROM(vk_execution_set, set, from->indirectExecutionSet);
   const bool draws = layout->layout.point == PIPE_BIND_GRAPHICS;
   if (!from->maxSequenceCount || (draws && state->changed && !vk_cmd_flush(state)))
      return false;
   *to = (struct pipe_generated){
      .layout = &layout->layout,
      .set = set ? set->set : NULL,
      .stream_va = from->indirectAddress,
      .memory_va = from->preprocessAddress,
      .max_sequences = from->maxSequenceCount,
      .count_va = from->sequenceCountAddress,
      .max_draws = from->maxDrawCount,
      .own_strides = draws && state->graphics && state->graphics->dynamic & PIPE_BIT(VERTEX_STRIDES_B),
   };
   return true;
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdPreprocessGeneratedCommandsEXT(VkCommandBuffer commandBuffer,
                                         const VkGeneratedCommandsInfoEXT *pGeneratedCommandsInfo,
                                         VkCommandBuffer stateCommandBuffer)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_command_buffer, state, stateCommandBuffer);
   struct pipe_generated info;
   if (describe(state, pGeneratedCommandsInfo, &info))
      cmd->pipe->generate(cmd->pipe, state->pipe, &info);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdExecuteGeneratedCommandsEXT(VkCommandBuffer commandBuffer, VkBool32 isPreprocessed,
                                      const VkGeneratedCommandsInfoEXT *pGeneratedCommandsInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   struct pipe_generated info;
   if (describe(cmd, pGeneratedCommandsInfo, &info))
      cmd->pipe->execute_generated(cmd->pipe, &info, isPreprocessed);
}
