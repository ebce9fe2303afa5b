/* The state of draws on its way from commands to the driver. */
#ifndef INDIUM_VK_CMD_FLUSH_H
#define INDIUM_VK_CMD_FLUSH_H

#include "gallium/frontends/vulkan/vk_graphics_states.h"

struct vk_command_buffer;

/* Hands cmd->changed to the driver, with the program that the state asks for; before draws, if anything changed.
 * False if there is nothing that can be drawn with; vkEndCommandBuffer reports it. */
bool vk_cmd_flush(struct vk_command_buffer *cmd);

/* Strides that commands set, cmd->loose has them, count where they are dynamic: vkCmdBindVertexBuffers2 may bring
 * some to a pipeline that has its own. */
void vk_cmd_use_strides(struct vk_command_buffer *cmd);

/* From now on draws use cmd->shaders. */
void vk_cmd_bind_shaders(struct vk_command_buffer *cmd);

/* Draws of the bound pipeline do not write targets that it does not know, and run without those that are missing. */
void vk_cmd_match_targets(struct vk_command_buffer *cmd);

/* The targets that draws go to; of shader objects, and of pipelines that know others. */
void vk_cmd_set_targets(struct vk_command_buffer *cmd, const struct pipe_targets *targets, uint32_t view_mask,
                        bool shading_rate_attachment);

#endif
