#include "gallium/frontends/vulkan/vk_dynamic.h"

#include "gallium/frontends/vulkan/vk_shader_object.h"
#include "util/log.h"
#include "util/macros.h"

#define TAKE(state, which, to, from)                                                                                 \
   do {                                                                                                              \
      if (vk_is_dynamic(state, VK_DYNAMIC_##which))                                                                  \
         (to) = (from);                                                                                              \
   } while (0)

/* ---- what has been set, in place of what the pipeline says ---- */

static void
take_rasterizer(struct pipe_rasterizer_desc *desc, const struct vk_graphics_state *state,
                const struct pipe_rasterizer_desc *values)
{
   TAKE(state, CULL_MODE, desc->cull, values->cull);
   TAKE(state, FRONT_FACE, desc->front_ccw, values->front_ccw);
   TAKE(state, DISCARD, desc->discard, values->discard);
   TAKE(state, DEPTH_BIAS_ENABLE, desc->depth_bias, values->depth_bias);
   TAKE(state, DEPTH_CLAMP, desc->depth_clamp, values->depth_clamp);
   TAKE(state, DEPTH_CLAMP, desc->depth_clip, !values->depth_clamp);
   TAKE(state, POLYGON_MODE, desc->polygon_mode, values->polygon_mode);
   TAKE(state, SAMPLES, desc->samples, MAX2(values->samples, 1));
   TAKE(state, SAMPLE_MASK, desc->sample_mask, values->sample_mask);
   desc->sample_shading = vk_shades_samples(&state->output, desc->samples);
}

static void
take_blend(struct pipe_blend_desc *desc, const struct vk_graphics_state *state, const struct pipe_blend_desc *values)
{
   TAKE(state, LOGIC_OP_ENABLE, desc->logic_op_enable, values->logic_op_enable);
   TAKE(state, LOGIC_OP, desc->logic_op, values->logic_op);
   TAKE(state, ALPHA_TO_COVERAGE, desc->alpha_to_coverage, values->alpha_to_coverage);
   TAKE(state, ALPHA_TO_ONE, desc->alpha_to_one, values->alpha_to_one);
   for (uint32_t i = 0; i < state->output.num_colors; i++) {
      const struct pipe_blend_target *from = &values->targets[i];
      struct pipe_blend_target *to = &desc->targets[i], was = *to;
      TAKE(state, BLEND_EQUATION, *to, *from);
      to->enable = was.enable;
      to->write_mask = was.write_mask;
      TAKE(state, BLEND_ENABLE, to->enable, from->enable);
      TAKE(state, WRITE_MASK, to->write_mask, from->write_mask);
   }
}

static void
take_input(struct vk_vertex_input *input, const struct vk_graphics_state *state,
           const struct vk_dynamic_values *values)
{
   TAKE(state, TOPOLOGY, input->topology, values->topology);
   TAKE(state, RESTART, input->primitive_restart, values->restart);
   if (!vk_is_dynamic(state, VK_DYNAMIC_VERTEX_INPUT))
      return;
   input->num_attributes = values->num_attributes;
   memcpy(input->attributes, values->attributes, values->num_attributes * sizeof(values->attributes[0]));
}

/* ---- binding ---- */

static bool
bind_rasterizer(struct vk_command_buffer *cmd, const struct vk_graphics_state *state)
{
   struct vk_device *device = cmd->pool->device;
   struct pipe_rasterizer_desc desc = state->pre_raster.rasterizer;
   take_rasterizer(&desc, state, &cmd->values.rasterizer);
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
   take_blend(&desc, state, &cmd->values.blend);
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
bind_program(struct vk_command_buffer *cmd)
{
   const struct vk_graphics_state *bound = cmd->graphics;
   struct vk_graphics_state state = *bound;
   struct pipe_program *program;
   take_input(&state.vertex_input, bound, &cmd->values);
   take_rasterizer(&state.pre_raster.rasterizer, bound, &cmd->values.rasterizer);
   take_blend(&state.output.blend, bound, &cmd->values.blend);
   state.output.samples = state.pre_raster.rasterizer.samples;
   state.output.sample_mask = state.pre_raster.rasterizer.sample_mask;
   state.output.sample_shading = state.pre_raster.rasterizer.sample_shading;
   enum pipe_result result = vk_variants_program(cmd->variants, &state, &program);
   if (result == PIPE_OK)
      cmd->pipe->bind_program(cmd->pipe, PIPE_BIND_GRAPHICS, program);
   else
      cmd->result = vk_result(result);
   return result == PIPE_OK;
}

/* Each group with something to say; what objects lack is memory. */
static bool
flush(struct vk_command_buffer *cmd, const struct vk_graphics_state *state, uint64_t stale)
{
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
   if (stale & (VK_DYNAMIC_BIT(STRIDES) | VK_DYNAMIC_BIT(VERTEX_INPUT)))
      cmd->pipe->set_vertex_strides(cmd->pipe, PIPE_MAX_VERTEX_BUFFERS, cmd->values.strides_B);
   if (cmd->variants && stale & vk_dynamic_of_programs(cmd->pipe->screen))
      ok &= bind_program(cmd);
   return ok;
}

/* The programs of the shader objects. */
static bool
find_pair(struct vk_command_buffer *cmd)
{
   if (!cmd->vertex) {
      log_error("a draw without a vertex shader");
      return false;
   }
   cmd->variants = vk_shader_pair(cmd->pool->device, cmd->vertex, cmd->fragment);
   if (!cmd->variants)
      cmd->result = VK_ERROR_OUT_OF_HOST_MEMORY;
   return cmd->variants;
}

bool
vk_dynamic_flush(struct vk_command_buffer *cmd)
{
   const struct vk_graphics_state *state = cmd->graphics;
   if (state == &cmd->loose && !cmd->variants && !find_pair(cmd))
      return false;
   if (state && !flush(cmd, state, cmd->stale & state->dynamic))
      return false;
   cmd->stale = 0;
   return true;
}

/* ---- shader objects ---- */

void
vk_dynamic_bind_shaders(struct vk_command_buffer *cmd)
{
   struct vk_graphics_state *loose = &cmd->loose;
   loose->parts = VK_ALL_PARTS;
   loose->dynamic = VK_DYNAMIC_FLUSHED;
   cmd->graphics = loose;
   cmd->variants = NULL;
   cmd->stale |= VK_DYNAMIC_FLUSHED;
}

void
vk_dynamic_set_targets(struct vk_command_buffer *cmd, const struct vk_fragment_output *output, uint32_t view_mask,
                       bool shading_rate_attachment)
{
   struct vk_graphics_state *loose = &cmd->loose;
   loose->output = *output;
   memcpy(loose->output.blend.formats, output->color_formats, sizeof(output->color_formats));
   loose->view_mask = view_mask;
   loose->shading_rate_attachment = shading_rate_attachment;
   if (cmd->graphics == loose)
      cmd->stale |= VK_DYNAMIC_FLUSHED;
}
