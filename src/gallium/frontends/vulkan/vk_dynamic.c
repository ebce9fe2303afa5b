#include "gallium/frontends/vulkan/vk_dynamic.h"

#include "gallium/frontends/vulkan/vk_private.h"
#include "gallium/frontends/vulkan/vk_variants.h"

#define TAKE(state, which, to, from)                                                                                 \
   do {                                                                                                              \
      if (vk_is_dynamic(state, VK_DYNAMIC_##which))                                                                  \
         (to) = (from);                                                                                              \
   } while (0)

static bool
bind_rasterizer(struct vk_command_buffer *cmd, const struct vk_graphics_state *state)
{
   struct vk_device *device = cmd->pool->device;
   const struct vk_dynamic_values *values = &cmd->values;
   struct pipe_rasterizer_desc desc = state->pre_raster.rasterizer;
   TAKE(state, CULL_MODE, desc.cull, values->cull);
   TAKE(state, FRONT_FACE, desc.front_ccw, values->front_ccw);
   TAKE(state, DISCARD, desc.discard, values->discard);
   TAKE(state, DEPTH_BIAS_ENABLE, desc.depth_bias, values->depth_bias);
   struct pipe_rasterizer *object = vk_state_objects_rasterizer(&device->objects, device->screen, &desc);
   if (object)
      cmd->pipe->bind_rasterizer(cmd->pipe, object);
   return object;
}

static bool
bind_depth_stencil(struct vk_command_buffer *cmd, const struct vk_graphics_state *state)
{
   struct vk_device *device = cmd->pool->device;
   const struct pipe_depth_stencil_desc *values = &cmd->values.tests;
   struct pipe_depth_stencil_desc desc = state->tests.desc;
   TAKE(state, DEPTH_TEST, desc.depth_test, values->depth_test);
   TAKE(state, DEPTH_WRITE, desc.depth_write, values->depth_write);
   TAKE(state, DEPTH_COMPARE, desc.depth_compare, values->depth_compare);
   TAKE(state, DEPTH_BOUNDS_TEST, desc.depth_bounds_test, values->depth_bounds_test);
   TAKE(state, STENCIL_TEST, desc.stencil_test, values->stencil_test);
   TAKE(state, STENCIL_OP, desc.front, values->front);
   TAKE(state, STENCIL_OP, desc.back, values->back);
   vk_graphics_state_complete_tests(&desc, &state->output);
   struct pipe_depth_stencil *object = vk_state_objects_depth_stencil(&device->objects, device->screen, &desc);
   if (object)
      cmd->pipe->bind_depth_stencil(cmd->pipe, object);
   return object;
}

static bool
bind_blend(struct vk_command_buffer *cmd, const struct vk_graphics_state *state)
{
   struct vk_device *device = cmd->pool->device;
   struct pipe_blend_desc desc = state->output.blend;
   TAKE(state, LOGIC_OP, desc.logic_op, cmd->values.logic_op);
   struct pipe_blend *object = vk_state_objects_blend(&device->objects, device->screen, &desc);
   if (object)
      cmd->pipe->bind_blend(cmd->pipe, object);
   return object;
}

static void
set_input(struct vk_command_buffer *cmd, const struct vk_graphics_state *state)
{
   enum pipe_topology topology = state->vertex_input.topology;
   bool restart = state->vertex_input.primitive_restart;
   TAKE(state, TOPOLOGY, topology, cmd->values.topology);
   TAKE(state, RESTART, restart, cmd->values.restart);
   cmd->pipe->set_topology(cmd->pipe, topology, restart);
}

static bool
bind_program(struct vk_command_buffer *cmd, const struct vk_pipeline *pipeline)
{
   struct vk_graphics_state state = pipeline->state;
   struct pipe_program *program;
   TAKE(&state, TOPOLOGY, state.vertex_input.topology, cmd->values.topology);
   TAKE(&state, LOGIC_OP, state.output.blend.logic_op, cmd->values.logic_op);
   enum pipe_result result = vk_variants_program(pipeline->variants, &state, &program);
   if (result == PIPE_OK)
      cmd->pipe->bind_program(cmd->pipe, PIPE_BIND_GRAPHICS, program);
   else
      cmd->result = vk_result(result);
   return result == PIPE_OK;
}

/* Each group with something to say; what objects lack is memory. */
static bool
flush(struct vk_command_buffer *cmd, const struct vk_pipeline *pipeline, uint64_t stale)
{
   const struct vk_graphics_state *state = &pipeline->state;
   bool ok = true;
   if (stale & VK_DYNAMIC_RASTERIZER)
      ok &= bind_rasterizer(cmd, state);
   if (stale & VK_DYNAMIC_DEPTH_STENCIL)
      ok &= bind_depth_stencil(cmd, state);
   if (stale & VK_DYNAMIC_BLEND)
      ok &= bind_blend(cmd, state);
   if (!ok)
      cmd->result = VK_ERROR_OUT_OF_HOST_MEMORY;
   if (stale & (VK_DYNAMIC_BIT(TOPOLOGY) | VK_DYNAMIC_BIT(RESTART)))
      set_input(cmd, state);
   if (stale & VK_DYNAMIC_BIT(STRIDES))
      cmd->pipe->set_vertex_strides(cmd->pipe, PIPE_MAX_VERTEX_BUFFERS, cmd->values.strides_B);
   if (pipeline->variants && stale & vk_dynamic_of_programs(cmd->pipe->screen))
      ok &= bind_program(cmd, pipeline);
   return ok;
}

bool
vk_dynamic_flush(struct vk_command_buffer *cmd)
{
   const struct vk_pipeline *pipeline = cmd->graphics;
   if (!pipeline || flush(cmd, pipeline, cmd->stale & pipeline->state.dynamic)) {
      cmd->stale = 0;
      return true;
   }
   return false;
}
