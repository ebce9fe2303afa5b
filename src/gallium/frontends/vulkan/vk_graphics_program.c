#include "gallium/frontends/vulkan/vk_graphics_program.h"

#include "compiler/nir/nir_passes.h"
#include "gallium/frontends/vulkan/vk_compiled.h"
#include "gallium/frontends/vulkan/vk_shader.h"
#include "util/log.h"
#include "util/within_memory.h"

/* What happens within an arena. */
struct work {
   const struct vk_graphics_program *from;
   enum nir_stage stage; /* to be compiled apart */
   bool incomplete;      /* without what it depends on */
   struct pipe_graphics_options options;
   struct arena arena;
   enum pipe_result result;
   struct pipe_shader *shader;
   struct pipe_program *program;
};

static enum pipe_result
run(struct work *work, const struct vk_graphics_program *from, void (*function)(void *data))
{
   work->from = from;
   work->options = (struct pipe_graphics_options){
      .layout = from->layout,
      .robust = from->device->features.robustBufferAccess,
      .shading_rate = vk_shading_rate_enabled(from->device),
      .capture_text = from->capture_text,
   };
   vk_graphics_state_options(from->state, &work->options);
   work->options.incomplete = work->incomplete;
   struct vk_spirv code[NIR_STAGES];
   uint32_t count = 0;
   for (unsigned stage = 0; stage < NIR_STAGES; stage++) {
      if (from->stages[stage])
         code[count++] = vk_stage_code(from->stages[stage]);
   }
   if (!vk_within_memory(code, count, function, work))
      work->result = PIPE_OUT_OF_HOST_MEMORY;
   arena_free(&work->arena);
   return work->result;
}

static bool
is_last_before_raster(const struct vk_graphics_program *from, enum nir_stage stage)
{
   for (unsigned later = stage + 1u; later < NIR_STAGE_FRAGMENT; later++) {
      if (from->stages[later])
         return false;
   }
   return stage < NIR_STAGE_FRAGMENT;
}

static struct nir_shader *
translate(struct work *work, enum nir_stage stage)
{
   const struct vk_graphics_program *from = work->from;
   struct nir_shader *shader = vk_shader_to_nir(from->device, &work->arena, from->stages[stage]);
   if (!shader)
      return NULL;
   if (from->state->device_index_views & (stage == NIR_STAGE_FRAGMENT ? VK_PART_FRAGMENT : VK_PART_PRE_RASTER))
      nir_lower_view_index_to_device(shader);
   nir_lower_input_attachments(shader, from->state->view_mask);
   nir_lower_view_index(shader, from->state->view_mask, is_last_before_raster(from, stage), VK_VIEW_INDEX_OFFSET_B);
   return shader;
}

/* ---- together ---- */

static enum pipe_result
translate_and_create(struct work *work)
{
   struct pipe_screen *screen = work->from->device->screen;
   struct nir_shader *shaders[NIR_STAGES] = {NULL};
   for (unsigned stage = 0; stage < NIR_STAGES; stage++) {
      if (work->from->stages[stage] && !(shaders[stage] = translate(work, (enum nir_stage)stage)))
         return PIPE_INVALID_SHADER;
   }
   if (!shaders[NIR_STAGE_VERTEX]) {
      log_error("a graphics pipeline without a vertex shader");
      return PIPE_INVALID_SHADER;
   }
   return screen->graphics_program_create(screen, shaders, &work->options, &work->program);
}

static void
create_together(void *data)
{
   struct work *work = data;
   work->result = translate_and_create(work);
}

/* ---- apart ---- */

static void
compile_apart(void *data)
{
   struct work *work = data;
   struct pipe_screen *screen = work->from->device->screen;
   struct nir_shader *shader = NULL;
   work->result = PIPE_INVALID_SHADER;
   if (work->from->stages[work->stage] && !(shader = translate(work, work->stage)))
      return;
   work->result = screen->shader_create(screen, shader, &work->options, &work->shader);
}

/* Where the dynamic buffers of a set begin is known if no set before it is missing. */
static bool
knows_sets(const struct pipe_pipeline_layout *layout)
{
   bool missing = false, knows = true;
   for (uint32_t i = 0; i < layout->num_sets; i++) {
      knows &= !missing || !layout->sets[i] || !layout->sets[i]->num_dynamic;
      missing |= !layout->sets[i];
   }
   return knows;
}

/* The part of the stage, and what else it depends on. */
static const VkGraphicsPipelineLibraryFlagsEXT part_of[NIR_STAGES] = {
   [NIR_STAGE_VERTEX] = VK_PART_PRE_RASTER, [NIR_STAGE_FRAGMENT] = VK_PART_FRAGMENT};
static const VkGraphicsPipelineLibraryFlagsEXT other_part_of[NIR_STAGES] = {
   [NIR_STAGE_VERTEX] = VK_PART_VERTEX_INPUT, [NIR_STAGE_FRAGMENT] = VK_PART_OUTPUT};

static bool
can_compile(const struct vk_graphics_program *from, enum nir_stage stage, bool incomplete)
{
   const struct pipe_screen *screen = from->device->screen;
   if (!screen->shader_create || (incomplete && !screen->shader_complete) || !(from->state->parts & part_of[stage]) ||
       !knows_sets(from->layout))
      return false;
   return stage == NIR_STAGE_FRAGMENT || (from->stages[stage] && is_last_before_raster(from, stage));
}

static void
complete(void *data)
{
   struct work *work = data;
   struct pipe_screen *screen = work->from->device->screen;
   work->result =
      screen->shader_complete(screen, work->from->compiled[work->stage]->shader, &work->options, &work->shader);
}

static void
prepare(void *data)
{
   struct work *work = data;
   struct pipe_screen *screen = work->from->device->screen;
   work->result = screen->shader_prepare(screen, work->stage, &work->options);
}

/* That part is missing, or something of it is dynamic. */
static bool
is_incomplete(const struct vk_graphics_program *from, enum nir_stage stage)
{
   const uint64_t of_input = PIPE_BIT(ATTRIBUTES) | PIPE_BIT(TOPOLOGY);
   const uint64_t dynamic = from->state->dynamic & from->device->program_states;
   return !(from->state->parts & other_part_of[stage]) ||
          (dynamic & (stage == NIR_STAGE_VERTEX ? of_input : ~of_input)) != 0;
}

enum pipe_result
vk_graphics_program_compile(const struct vk_graphics_program *from, enum nir_stage stage, struct vk_compiled **out)
{
   struct work work = {.stage = stage, .incomplete = is_incomplete(from, stage)};
   struct vk_compiled *has = from->compiled[stage];
   *out = NULL;
   if (has && (!has->incomplete || work.incomplete)) {
      *out = vk_compiled_ref(has);
      return PIPE_OK;
   }
   if (!has && !can_compile(from, stage, work.incomplete))
      return PIPE_OK;
   enum pipe_result result = run(&work, from, has ? complete : compile_apart);
   if (result == PIPE_OK && !(*out = vk_compiled(from->device, work.shader, work.incomplete)))
      return PIPE_OUT_OF_HOST_MEMORY;
   return result == PIPE_UNSUPPORTED ? PIPE_OK : result;
}

enum pipe_result
vk_graphics_program_prepare(const struct vk_graphics_program *from, enum nir_stage stage)
{
   struct work work = {.stage = stage};
   const VkGraphicsPipelineLibraryFlagsEXT parts = from->state->parts;
   if (!from->device->screen->shader_prepare || is_incomplete(from, stage) || parts & part_of[stage])
      return PIPE_OK;
   return run(&work, from, prepare);
}

/* A fragment stage that nothing reaches may be any. PIPE_UNSUPPORTED: only together. */
static enum pipe_result
link_apart(const struct vk_graphics_program *from, struct pipe_program **program)
{
   static const enum nir_stage order[2] = {NIR_STAGE_VERTEX, NIR_STAGE_FRAGMENT};
   struct vk_compiled *both[2] = {NULL};
   struct pipe_screen *screen = from->device->screen;
   enum pipe_result result = PIPE_OK;
   for (unsigned i = 0; i < 2 && result == PIPE_OK; i++) {
      result = vk_graphics_program_compile(from, order[i], &both[i]);
      if (result == PIPE_OK && !both[i])
         result = PIPE_UNSUPPORTED;
   }
   if (result == PIPE_OK)
      result = screen->graphics_program_link(screen, both[0]->shader, both[1]->shader, program);
   for (unsigned i = 0; i < 2; i++)
      vk_compiled_unref(from->device, both[i]);
   return result;
}

enum pipe_result
vk_graphics_program_create(const struct vk_graphics_program *from, bool optimize, struct pipe_program **program)
{
   struct work work = {0};
   bool apart = from->compiled[NIR_STAGE_VERTEX] || from->compiled[NIR_STAGE_FRAGMENT];
   if (apart && !optimize) {
      enum pipe_result linked = link_apart(from, program);
      if (linked != PIPE_UNSUPPORTED)
         return linked;
   }
   enum pipe_result result = run(&work, from, create_together);
   *program = work.program;
   return result;
}
