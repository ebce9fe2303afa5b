/* Parts of state objects and of programs that the application sets while it records: what it has set, and the objects
 * that a draw needs for it. */
#ifndef INDIUM_VK_DYNAMIC_H
#define INDIUM_VK_DYNAMIC_H

#include "gallium/frontends/vulkan/vk_graphics_state.h"

struct pipe_screen;
struct vk_command_buffer;
struct vk_pipeline;

/* As last set; what was not is 0. */
struct vk_dynamic_values {
   enum pipe_topology topology;
   bool restart;
   uint32_t strides_B[PIPE_MAX_VERTEX_BUFFERS];
   uint32_t num_attributes;
   struct pipe_vertex_attribute attributes[PIPE_MAX_VERTEX_ATTRIBUTES];
   struct pipe_rasterizer_desc rasterizer; /* but for sample_shading */
   struct pipe_depth_stencil_desc tests;
   struct pipe_blend_desc blend; /* but for formats */
};

/* The states that vk_dynamic_flush binds. */
#define VK_DYNAMIC_FLUSHED                                                                                           \
   (VK_DYNAMIC_RASTERIZER | VK_DYNAMIC_DEPTH_STENCIL | VK_DYNAMIC_BLEND | VK_DYNAMIC_BIT(TOPOLOGY) |                 \
    VK_DYNAMIC_BIT(RESTART) | VK_DYNAMIC_BIT(STRIDES) | VK_DYNAMIC_BIT(VERTEX_INPUT))

/* Binds what the bound pipeline's dynamic states need, of those in cmd->stale; before draws, if there are any. False
 * if there is nothing that can be drawn with; vkEndCommandBuffer reports it. */
bool vk_dynamic_flush(struct vk_command_buffer *cmd);

/* Draws are made of cmd->vertex and cmd->fragment from now on. */
void vk_dynamic_bind_shaders(struct vk_command_buffer *cmd);

/* The targets that draws with shader objects go to, with formats and num_colors of `output`. */
void vk_dynamic_set_targets(struct vk_command_buffer *cmd, const struct vk_fragment_output *output,
                            uint32_t view_mask, bool shading_rate_attachment);

#endif
