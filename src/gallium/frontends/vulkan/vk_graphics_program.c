#include "gallium/frontends/vulkan/vk_graphics_program.h"

#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/frontends/vulkan/vk_cache.h"
#include "gallium/frontends/vulkan/vk_compiled.h"
#include "gallium/frontends/vulkan/vk_shader.h"
#include "gallium/frontends/vulkan/vk_ycbcr.h"
#include "util/log.h"
#include "util/within_memory.h"

#include <stdlib.h>

/* What happens within an arena. */
struct work {
   const struct vk_graphics_program *from;
   enum nir_stage stage; /* to be compiled separately */
   bool incomplete;      /* without what it depends on */
   struct pipe_graphics_options options;
   struct pipe_saved_program *save; /* or NULL */
   struct arena arena;
   enum pipe_result result;
   struct pipe_shader *shader;
   struct pipe_program *program;
};

/* The set of its stages. */
static uint32_t
stages_of(const struct vk_graphics_program *from)
{
   uint32_t stages = 0;
   nir_foreach_stage(stage, NIR_STAGES_GRAPHICS)
      stages |= (uint32_t)(from->stages[stage] != NULL) << stage;
   return stages;
}

/* Whether the module declares input attachments; their indexing implies them. */
static bool
has_input_attachments(struct vk_spirv code)
{
   enum { HEADER_WORDS = 5, OP_CAPABILITY = 17, ATTACHMENT = 40, DYNAMIC_INDEXING = 5303, NON_UNIFORM = 5310 };
   for (size_t i = HEADER_WORDS; i + 1 < code.words && code.code[i] == (2u << 16 | OP_CAPABILITY); i += 2) {
      uint32_t capability = code.code[i + 1];
      if (capability == ATTACHMENT || capability == DYNAMIC_INDEXING || capability == NON_UNIFORM)
         return true;
   }
   return false;
}

/* The states are those of `known` from then on. */
static void
fill_options(struct work *work, const struct vk_graphics_program *from, struct vk_graphics_state *known)
{
   work->from = from;
   work->options = (struct pipe_graphics_options){
      .layout = from->layout,
      .custom_borders = from->device->features.customBorderColors,
      .counts_generated = from->device->features.primitivesGeneratedQuery,
      .counts_meshes = from->device->features.meshShaderQueries,
      .legacy_attributes = from->device->features.legacyVertexAttributes,
      .shading_rate = vk_shading_rate_enabled(from->device),
      .capture_text = from->capture_text,
   };
   *known = *from->state;
   if (known->without_pass && from->stages[NIR_STAGE_FRAGMENT] &&
       has_input_attachments(vk_stage_code(from->stages[NIR_STAGE_FRAGMENT])))
      known->reads_color = known->reads_depth_stencil = true;
   vk_graphics_state_options(known, &work->options);
   work->options.incomplete = work->incomplete;
   work->options.save = work->save;
}

static enum pipe_result
link_within_memory(struct work *work, const struct vk_graphics_program *from, void (*function)(void *data))
{
   struct vk_graphics_state known;
   fill_options(work, from, &known);
   struct vk_spirv code[NIR_STAGES];
   uint32_t count = 0;
   nir_foreach_stage(stage, stages_of(from))
      code[count++] = vk_stage_code(from->stages[stage]);
   if (!vk_within_memory(code, count, function, work))
      work->result = PIPE_OUT_OF_HOST_MEMORY;
   arena_free(&work->arena);
   return work->result;
}

static struct nir_shader *
translate(struct work *work, enum nir_stage stage)
{
   const struct vk_graphics_program *from = work->from;
   struct nir_shader *shader = vk_shader_to_nir(from->device, &work->arena, from->stages[stage]);
   if (!shader || !vk_lower_ycbcr(shader, from->layout))
      return NULL;
   shader->info.color_targets = from->state->color_targets;
   const bool is_last = stage == nir_last_pre_raster(stages_of(from));
   if (from->state->device_index_views & vk_part_of_stage(stage))
      nir_lower_view_index_to_device(shader);
   nir_lower_input_attachments(shader, from->state->view_mask);
   nir_lower_view_index(shader, from->state->view_mask, is_last, VK_VIEW_INDEX_OFFSET_B);
   return shader;
}

/* ---- together ---- */

static enum pipe_result
translate_and_create(struct work *work)
{
   struct pipe_screen *screen = work->from->device->screen;
   struct nir_shader *shaders[NIR_STAGES] = {NULL};
   nir_foreach_stage(stage, stages_of(work->from)) {
      if (!(shaders[stage] = translate(work, stage)))
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

/* ---- separately ---- */

static void
compile_separate(void *data)
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

#define INPUT_STATES (PIPE_BIT(ATTRIBUTES) | PIPE_BIT(TOPOLOGY))

/* What a stage depends on besides its own part: another part, and states if they are dynamic. */
static const struct {
   VkGraphicsPipelineLibraryFlagsEXT part;
   uint64_t states;
} dependencies[NIR_STAGES] = {
   [NIR_STAGE_VERTEX] = {VK_PART_VERTEX_INPUT, INPUT_STATES},
   [NIR_STAGE_FRAGMENT] = {VK_PART_OUTPUT, ~INPUT_STATES},
};

static bool
can_compile(const struct vk_graphics_program *from, enum nir_stage stage, bool incomplete)
{
   const struct pipe_screen *screen = from->device->screen;
   if (!screen->shader_create || (incomplete && !screen->shader_complete) ||
       !(from->state->parts & vk_part_of_stage(stage)) || !knows_sets(from->layout))
      return false;
   return stage == NIR_STAGE_FRAGMENT || stage == nir_last_pre_raster(stages_of(from));
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
   const uint64_t dynamic = from->state->dynamic & from->device->program_states;
   return dependencies[stage].part & ~from->state->parts || dependencies[stage].states & dynamic;
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
   enum pipe_result result = link_within_memory(&work, from, has ? complete : compile_separate);
   if (result == PIPE_OK && !(*out = vk_compiled(from->device, work.shader, work.incomplete)))
      return PIPE_OUT_OF_HOST_MEMORY;
   return result == PIPE_UNSUPPORTED ? PIPE_OK : result;
}

enum pipe_result
vk_graphics_program_prepare(const struct vk_graphics_program *from, enum nir_stage stage)
{
   struct work work = {.stage = stage};
   const VkGraphicsPipelineLibraryFlagsEXT parts = from->state->parts;
   if (!from->device->screen->shader_prepare || !dependencies[stage].part || is_incomplete(from, stage) ||
       parts & vk_part_of_stage(stage))
      return PIPE_OK;
   return link_within_memory(&work, from, prepare);
}

/* A fragment stage that nothing reaches may be any. PIPE_UNSUPPORTED: only together. */
static enum pipe_result
link_separate(const struct vk_graphics_program *from, struct pipe_program **program)
{
   struct vk_compiled *compiled[NIR_STAGES] = {NULL};
   struct pipe_shader *shaders[NIR_STAGES] = {NULL};
   struct pipe_screen *screen = from->device->screen;
   enum pipe_result result = PIPE_OK;
   nir_foreach_stage(stage, stages_of(from) | 1u << NIR_STAGE_FRAGMENT) {
      if (result == PIPE_OK)
         result = vk_graphics_program_compile(from, stage, &compiled[stage]);
      if (result == PIPE_OK && !compiled[stage])
         result = PIPE_UNSUPPORTED;
      if (result == PIPE_OK)
         shaders[stage] = compiled[stage]->shader;
   }
   if (result == PIPE_OK)
      result = screen->graphics_program_link(screen, shaders, program);
   for (unsigned i = 0; i < NIR_STAGES; i++)
      vk_compiled_unref(from->device, compiled[i]);
   return result;
}

/* Compiled, unless it is in a cache. */
static enum pipe_result
find_or_compile(const struct vk_graphics_program *from, struct pipe_program **program)
{
   struct pipe_saved_program saved = {0};
   struct work work = {0};
   struct vk_cache_key key;
   const bool keeps = vk_cache_graphics_key(from, &key);
   if (keeps && vk_cache_load(from->device, from->cache, &key, program))
      return PIPE_OK;
   if (from->cache && from->cache->only)
      return PIPE_COMPILE_REQUIRED;
   work.save = keeps || (from->cache && from->cache->keep) ? &saved : NULL;
   enum pipe_result result = link_within_memory(&work, from, create_together);
   *program = work.program;
   if (result == PIPE_OK && work.save)
      return vk_cache_store(from->device, from->cache, &key, &saved, keeps, program);
   free(saved.bytes);
   return result;
}

enum pipe_result
vk_graphics_program_create(const struct vk_graphics_program *from, bool optimize, struct pipe_program **program)
{
   bool separate = false;
   if (!from->stages[NIR_STAGE_VERTEX] && !from->stages[NIR_STAGE_MESH]) {
      log_error("a graphics pipeline without a vertex or mesh shader");
      return PIPE_INVALID_SHADER;
   }
   nir_foreach_stage(stage, NIR_STAGES_GRAPHICS)
      separate |= from->compiled[stage] != NULL;
   /* Shaders that were compiled separately have colours at their own places. */
   if (separate && !optimize && !from->state->color_targets && !(from->cache && from->cache->only)) {
      enum pipe_result linked = link_separate(from, program);
      if (linked != PIPE_UNSUPPORTED)
         return linked;
   }
   return find_or_compile(from, program);
}
