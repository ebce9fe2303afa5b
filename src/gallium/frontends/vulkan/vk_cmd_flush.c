#include "gallium/frontends/vulkan/vk_cmd_flush.h"

#include "gallium/frontends/vulkan/vk_shader_object.h"
#include "util/log.h"

/* What no command sets: with shader objects it comes from the rendering. */
static const uint64_t of_rendering = PIPE_BIT(TARGETS) | PIPE_BIT(RELAXED_ORDER) | PIPE_BIT(SAMPLE_SHADING);

static inline uint32_t
equation_word(const struct pipe_blend_equation *equation)
{
   uint32_t word;
   _Static_assert(sizeof(*equation) == sizeof(word), "an equation is a word");
   memcpy(&word, equation, sizeof(word));
   return word;
}

/* Where programs blend and only equations changed: the place of the program that follows the one before. */
static struct vk_next_variant *
next_variant(struct vk_command_buffer *cmd)
{
   uint32_t hash = (uint32_t)((uintptr_t)cmd->variant >> 6);
   for (uint32_t i = 0; i < cmd->state.targets.num_colors; i++)
      hash = (hash ^ equation_word(&cmd->state.blend[i])) * 0x9e3779b9u;
   return &cmd->next_variants[hash / (UINT32_MAX / VK_NEXT_VARIANTS + 1)];
}

/* Whether it is the one for the equations: `before` has what else programs depend on. */
static bool
is_next_variant(const struct vk_command_buffer *cmd, const struct vk_next_variant *next)
{
   if (next->before != cmd->variant)
      return false;
   uint32_t differs = 0;
   for (uint32_t i = 0; i < cmd->state.targets.num_colors; i++) {
      if (cmd->state.blend_enable >> i & 1)
         differs |= equation_word(&cmd->state.blend[i]) ^ next->equations[i];
   }
   return !differs;
}

static bool
find_variant(struct vk_command_buffer *cmd)
{
   enum pipe_result result = vk_variants_find(cmd->variants, cmd->graphics, &cmd->state, cmd->changed, &cmd->variant);
   if (result != PIPE_OK)
      cmd->result = vk_result(result);
   return result == PIPE_OK;
}

static bool
find_next_variant(struct vk_command_buffer *cmd)
{
   struct vk_next_variant *next = next_variant(cmd);
   if (is_next_variant(cmd, next)) {
      cmd->variant = next->after;
      return true;
   }
   const struct vk_variant *before = cmd->variant;
   if (!find_variant(cmd))
      return false;
   next->before = before;
   next->after = cmd->variant;
   for (uint32_t i = 0; i < cmd->state.targets.num_colors; i++)
      next->equations[i] = equation_word(&cmd->state.blend[i]);
   return true;
}

/* These two stay out of line: few draws need them. */
static __attribute__((noinline)) bool
bind_program(struct vk_command_buffer *cmd)
{
   const struct vk_variant *before = cmd->variant;
   if (!(before && cmd->changed == PIPE_BIT(BLEND) ? find_next_variant(cmd) : find_variant(cmd)))
      return false;
   if (cmd->variant != before)
      cmd->pipe->bind_program(cmd->pipe, PIPE_BIND_GRAPHICS, cmd->variant->program);
   return true;
}

/* The programs of the shader objects. */
static __attribute__((noinline)) bool
find_variants(struct vk_command_buffer *cmd)
{
   if (!cmd->shaders[NIR_STAGE_VERTEX] && !cmd->shaders[NIR_STAGE_MESH]) {
      log_error("a draw without a vertex or mesh shader");
      return false;
   }
   cmd->variants = vk_shader_set(cmd->pool->device, cmd->shaders);
   if (!cmd->variants)
      cmd->result = VK_ERROR_OUT_OF_HOST_MEMORY;
   return cmd->variants;
}

/* Whether all that changed are equations of blending of which the program knows no more than before. */
static inline bool
keeps_program(const struct vk_command_buffer *cmd)
{
   return cmd->changed == PIPE_BIT(BLEND) && cmd->variant &&
          vk_blend_alphas(&cmd->state) == cmd->variant->blend_alphas;
}

bool
vk_cmd_flush(struct vk_command_buffer *cmd)
{
   if (!cmd->variants && cmd->graphics == &cmd->loose && !find_variants(cmd))
      return false;
   if (cmd->variants && !keeps_program(cmd) && cmd->changed & cmd->pool->device->program_states && !bind_program(cmd))
      return false;
   cmd->pipe->set_graphics_state(cmd->pipe, &cmd->state, cmd->changed);
   cmd->changed = 0;
   return true;
}

void
vk_cmd_use_strides(struct vk_command_buffer *cmd)
{
   if (cmd->graphics)
      cmd->changed |=
         vk_copy_states(&cmd->state, &cmd->loose.state, cmd->graphics->dynamic & PIPE_BIT(VERTEX_STRIDES_B));
}

void
vk_cmd_bind_shaders(struct vk_command_buffer *cmd)
{
   cmd->loose.parts = VK_ALL_PARTS;
   cmd->loose.dynamic = PIPE_ALL_STATES & ~of_rendering;
   cmd->graphics = &cmd->loose;
   cmd->pipeline = NULL;
   cmd->variants = NULL;
   cmd->variant = NULL;
   cmd->changed |= vk_copy_states(&cmd->state, &cmd->loose.state, of_rendering) | cmd->pool->device->program_states;
   vk_cmd_use_strides(cmd);
}

/* What a pipeline for `known` draws to in a rendering to `there`. Where programs do not care for other targets, only
 * for tests it makes a difference which of them are there. */
static struct pipe_targets
matched_targets(const struct pipe_targets *known, const struct pipe_targets *there, bool place_colors)
{
   struct pipe_targets targets = *known;
   targets.pass_depth_over = !known->depth_format;
   targets.pass_stencil_over = !known->stencil_format;
   if (!place_colors)
      return targets;
   targets.num_colors = there->num_colors;
   for (uint32_t i = 0; i < PIPE_MAX_COLOR_TARGETS; i++) {
      const bool is_known = i < known->num_colors && known->color_formats[i];
      targets.color_formats[i] = i < there->num_colors ? there->color_formats[i] : 0;
      targets.passed_over |= (uint32_t)(targets.color_formats[i] && !is_known) << i;
   }
   return targets;
}

void
vk_cmd_match_targets(struct vk_command_buffer *cmd)
{
   struct vk_device *device = cmd->pool->device;
   const struct vk_pipeline *pipeline = cmd->pipeline;
   if (!pipeline || !pipeline->graphics.any_targets)
      return;
   const struct pipe_targets *known = &pipeline->graphics.state.targets;
   const bool place_colors = device->screen->caps.programs_place_colors;
   const struct pipe_targets targets = matched_targets(known, &cmd->loose.state.targets, place_colors);
   cmd->state.targets = targets;
   cmd->changed |= PIPE_BIT(TARGETS);
   if (!pipeline->for_others)
      return;
   const bool is_own = targets.num_colors == known->num_colors && !targets.passed_over &&
                       !memcmp(targets.color_formats, known->color_formats, sizeof(known->color_formats));
   cmd->variants = is_own ? NULL : pipeline->for_others;
   cmd->variant = NULL;
   if (is_own)
      cmd->pipe->bind_program(cmd->pipe, PIPE_BIND_GRAPHICS, pipeline->program);
   else
      cmd->changed |= device->program_states;
}

void
vk_cmd_set_targets(struct vk_command_buffer *cmd, const struct pipe_targets *targets, uint32_t view_mask,
                   bool shading_rate_attachment)
{
   struct vk_graphics_state *loose = &cmd->loose;
   loose->state.targets = *targets;
   loose->view_mask = view_mask;
   loose->shading_rate_attachment = shading_rate_attachment;
   loose->without_pass = true;
   loose->color_targets = 0;
   if (cmd->graphics == loose)
      vk_cmd_bind_shaders(cmd);
   else
      vk_cmd_match_targets(cmd);
}
