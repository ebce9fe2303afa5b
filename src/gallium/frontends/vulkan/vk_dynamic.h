/* Parts of state objects and of programs that the application sets while it records: what it has set, and the objects
 * that a draw needs for it. */
#ifndef INDIUM_VK_DYNAMIC_H
#define INDIUM_VK_DYNAMIC_H

#include "gallium/frontends/vulkan/vk_graphics_state.h"

struct vk_command_buffer;
struct vk_pipeline;

/* As last set; what was not is 0. */
struct vk_dynamic_values {
   enum pipe_topology topology;
   bool restart;
   uint32_t strides_B[PIPE_MAX_VERTEX_BUFFERS];
   uint8_t cull; /* enum pipe_cull bits */
   bool front_ccw, discard, depth_bias;
   struct pipe_depth_stencil_desc tests;
   enum pipe_logic_op logic_op;
};

/* The states that vk_dynamic_flush binds. */
#define VK_DYNAMIC_FLUSHED                                                                                           \
   (VK_DYNAMIC_RASTERIZER | VK_DYNAMIC_DEPTH_STENCIL | VK_DYNAMIC_BLEND | VK_DYNAMIC_BIT(TOPOLOGY) |                 \
    VK_DYNAMIC_BIT(RESTART) | VK_DYNAMIC_BIT(STRIDES))

/* Binds what the bound pipeline's dynamic states need, of those in cmd->stale; before draws, if there are any. False
 * if there is nothing that can be drawn with; vkEndCommandBuffer reports it. */
bool vk_dynamic_flush(struct vk_command_buffer *cmd);

#endif
