/* VK_EXT_device_generated_commands: draws. Sequences bind vertex and index buffers, set push constants and draw, with
 * indices or without, once or as many times as a count says, or workgroups of mesh shaders. Each vertex is a point
 * whose place and colour the CPU knows. */
#include "pass_helpers.h"

#include "generated.h"

static const uint32_t generated_vert[] = {
#include "generated.vert.inc"
};
static const uint32_t generated_mesh[] = {
#include "generated.mesh.inc"
};
static const uint32_t generated_task[] = {
#include "generated.task.inc"
};
static const uint32_t generated_tasks_mesh[] = {
#include "generated_tasks.mesh.inc"
};
static const uint32_t generated_frag[] = {
#include "generated.frag.inc"
};

#define STAGES (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT)
#define MESH_STAGES (VK_SHADER_STAGE_MESH_BIT_EXT | VK_SHADER_STAGE_FRAGMENT_BIT)
#define TASK_STAGES (VK_SHADER_STAGE_TASK_BIT_EXT | MESH_STAGES)
#define SEQUENCES 6u
#define VERTICES 64u
#define KEPT 3u

struct vertex {
   uint32_t x, y, color;
};

struct push {
   uint32_t kept, row, sequence;
};

enum kind { DRAW, INDEXED, DRAW_COUNT, INDEXED_COUNT, MESHES, MESHES_COUNT, TASKS, TASKS_COUNT, KINDS };
static const struct {
   const char *name;
   VkIndirectCommandsTokenTypeEXT type;
   uint32_t size_B;
} kinds[KINDS] = {
   {"draws", VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT, sizeof(VkDrawIndirectCommand)},
   {"indexed draws", VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_EXT, sizeof(VkDrawIndexedIndirectCommand)},
   {"counted draws", VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_COUNT_EXT, sizeof(VkDrawIndirectCountIndirectCommandEXT)},
   {"counted indexed draws", VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_COUNT_EXT,
    sizeof(VkDrawIndirectCountIndirectCommandEXT)},
   {"meshes", VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_EXT, sizeof(VkDrawMeshTasksIndirectCommandEXT)},
   {"counted meshes", VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_EXT,
    sizeof(VkDrawIndirectCountIndirectCommandEXT)},
   {"tasks", VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_EXT, sizeof(VkDrawMeshTasksIndirectCommandEXT)},
   {"counted tasks", VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_EXT,
    sizeof(VkDrawIndirectCountIndirectCommandEXT)},
};

/* What a run has besides its draws. */
struct run {
   enum kind kind;
   bool vertices, own_strides;                     /* tokens; the strides are those of the stream */
   VkIndirectCommandsInputModeFlagBitsEXT indices; /* 0: no token */
   bool explicit, secondary;
   int condition; /* 0: none, 1: holds, 2: does not */
};

#define MAX_DRAWS 3u /* of a token with a count; streams ask for more */

struct sequence {
   uint32_t row, first_vertex_buffer, stride_B, index_size_B, index_offset_el;
   uint32_t draws;
   VkDrawIndexedIndirectCommand draw[MAX_DRAWS + 1]; /* also those without indices */
   VkDrawMeshTasksIndirectCommandEXT meshes[MAX_DRAWS + 1];
};

static struct vkt_target target;
static struct vkx_buffer stream, vertices, indices, commands, conditions;
static VkPipelineLayout layouts[3]; /* vertex, mesh, task shader */
static VkPipeline pipelines[4];     /* static strides, dynamic ones, mesh shader, task shader */
static const VkShaderStageFlags stages[3] = {STAGES, MESH_STAGES, TASK_STAGES};

/* Vertices at two strides, in two buffers; indices of three sizes, one after the other. */
enum { WIDE_AT = 4096, WIDE_STRIDE_B = 20, INDEX_PART_B = 1024, COMMAND_STRIDE_B = 32, COMMANDS_B = 256 };

static struct vertex
vertex_at(uint32_t i)
{
   return (struct vertex){i % SIZE, i / SIZE, 40 + i};
}

static uint32_t
index_at(uint32_t i)
{
   return (i * 7 + 3) % (VERTICES - 4);
}

static void
fill(void)
{
   for (uint32_t i = 0; i < VERTICES; i++) {
      const struct vertex v = vertex_at(i);
      memcpy((char *)vertices.map + i * sizeof(v), &v, sizeof(v));
      memcpy((char *)vertices.map + WIDE_AT + i * WIDE_STRIDE_B, &v, sizeof(v));
      ((uint8_t *)indices.map)[i] = (uint8_t)index_at(i);
      ((uint16_t *)((char *)indices.map + INDEX_PART_B))[i] = (uint16_t)index_at(i);
      ((uint32_t *)((char *)indices.map + 2 * INDEX_PART_B))[i] = index_at(i);
   }
}

static VkPipeline
create_pipeline(bool dynamic)
{
   static const VkVertexInputBindingDescription binding = {0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX};
   static const VkVertexInputAttributeDescription attributes[2] = {{0, 0, VK_FORMAT_R32G32_UINT, 0},
                                                                   {1, 0, VK_FORMAT_R32_UINT, 8}};
   static const VkPipelineVertexInputStateCreateInfo input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = 1,
      .pVertexBindingDescriptions = &binding,
      .vertexAttributeDescriptionCount = 2,
      .pVertexAttributeDescriptions = attributes};
   static const VkDynamicState state = VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE;
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                               .layout = layouts[0],
                                                               .vertex = VKT_CODE(generated_vert),
                                                               .fragment = VKT_CODE(generated_frag),
                                                               .points = true,
                                                               .vertex_input = &input,
                                                               .num_dynamic = dynamic,
                                                               .dynamic = &state});
}

static void
start(void)
{
   buffer = vkt_buffer_create(vkx, 64 << 10, 0);
   stream = stream_buffer(vkx, 4096);
   vertices = stream_buffer(vkx, 8192);
   indices = stream_buffer(vkx, 3 * INDEX_PART_B);
   commands = stream_buffer(vkx, SEQUENCES * COMMANDS_B);
   conditions = vkx_buffer_create(vkx, 64, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT, true);
   ((uint32_t *)conditions.map)[1] = 1;
   ((uint32_t *)conditions.map)[2] = 0;
   fill();
   target = vkt_target_create(vkx, RGBA8, VK_FORMAT_UNDEFINED, extent, 1, 1);
   layouts[0] = vkx_pipeline_layout_create(vkx, VK_NULL_HANDLE, STAGES, sizeof(struct push));
   pipelines[0] = create_pipeline(false);
   pipelines[1] = create_pipeline(true);
   if (!vkt_has("VK_EXT_mesh_shader"))
      return;
   layouts[1] = vkx_pipeline_layout_create(vkx, VK_NULL_HANDLE, MESH_STAGES, sizeof(struct push));
   layouts[2] = vkx_pipeline_layout_create(vkx, VK_NULL_HANDLE, TASK_STAGES, sizeof(struct push));
   pipelines[2] = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                       .layout = layouts[1],
                                                                       .mesh = VKT_CODE(generated_mesh),
                                                                       .fragment = VKT_CODE(generated_frag)});
   pipelines[3] = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                       .layout = layouts[2],
                                                                       .task = VKT_CODE(generated_task),
                                                                       .mesh = VKT_CODE(generated_tasks_mesh),
                                                                       .fragment = VKT_CODE(generated_frag)});
}

static void
destroy(struct vkx_buffer *of)
{
   vkDestroyBuffer(vkx->device, of->buffer, NULL);
   vkFreeMemory(vkx->device, of->memory, NULL);
}

static void
finish(void)
{
   for (unsigned i = 0; i < 4; i++)
      vkDestroyPipeline(vkx->device, pipelines[i], NULL);
   for (unsigned i = 0; i < 3; i++)
      vkDestroyPipelineLayout(vkx->device, layouts[i], NULL);
   vkt_target_destroy(vkx, &target);
   vkx_buffer_destroy(vkx, &buffer);
   vkx_buffer_destroy(vkx, &conditions);
   destroy(&stream);
   destroy(&vertices);
   destroy(&indices);
   destroy(&commands);
}

static bool
is_counted(enum kind kind)
{
   return kind == DRAW_COUNT || kind == INDEXED_COUNT || kind == MESHES_COUNT || kind == TASKS_COUNT;
}

static bool
is_indexed(enum kind kind)
{
   return kind == INDEXED || kind == INDEXED_COUNT;
}

static bool
is_mesh(enum kind kind)
{
   return kind >= MESHES;
}

/* One in four draws nothing. */
static void
choose(struct sequence *s, const struct run *run, uint32_t number)
{
   memset(s, 0, sizeof(*s));
   s->row = 4 * number;
   s->first_vertex_buffer = vkt_random_below(2);
   s->stride_B = run->own_strides && s->first_vertex_buffer ? WIDE_STRIDE_B : sizeof(struct vertex);
   s->first_vertex_buffer &= run->own_strides;
   s->index_size_B = run->indices ? 1u << vkt_random_below(3) : 4;
   s->index_offset_el = run->indices ? 4 * vkt_random_below(4) : 0;
   s->draws = is_counted(run->kind) ? vkt_random_below(MAX_DRAWS + 2) : 1;
   for (uint32_t i = 0; i < s->draws; i++) {
      const uint32_t first = vkt_random_below(20);
      s->draw[i] = (VkDrawIndexedIndirectCommand){
         .indexCount = vkt_random_below(4) ? 1 + vkt_random_below(12) : 0,
         .instanceCount = vkt_random_below(4) ? 1 + vkt_random_below(2) : 0,
         .firstIndex = first,
         .vertexOffset = is_indexed(run->kind) ? (int32_t)vkt_random_below(3) : (int32_t)first,
         .firstInstance = vkt_random_below(5),
      };
      s->meshes[i] =
         (VkDrawMeshTasksIndirectCommandEXT){1 + vkt_random_below(4), vkt_random_below(4), 1 + vkt_random_below(3)};
   }
}

static VkDrawIndirectCommand
plain(const VkDrawIndexedIndirectCommand *draw)
{
   return (VkDrawIndirectCommand){draw->indexCount, draw->instanceCount, (uint32_t)draw->vertexOffset,
                                  draw->firstInstance};
}

static void
put(char **to, const void *data, size_t size_B)
{
   memcpy(*to, data, size_B);
   *to += size_B;
}

static void
put_draw(char **to, const struct run *run, const struct sequence *s, uint32_t i)
{
   const VkDrawIndirectCommand draw = plain(&s->draw[i]);
   if (is_mesh(run->kind))
      put(to, &s->meshes[i], sizeof(s->meshes[i]));
   else if (is_indexed(run->kind))
      put(to, &s->draw[i], sizeof(s->draw[i]));
   else
      put(to, &draw, sizeof(draw));
}

static void
put_indices(char **to, const struct run *run, const struct sequence *s)
{
   static const uint32_t vulkan[5] = {0, VK_INDEX_TYPE_UINT8, VK_INDEX_TYPE_UINT16, 0, VK_INDEX_TYPE_UINT32};
   static const uint32_t dxgi[5] = {0, 62, 57, 0, 42};
   const bool is_vulkan = run->indices == VK_INDIRECT_COMMANDS_INPUT_MODE_VULKAN_INDEX_BUFFER_EXT;
   const uint32_t part = s->index_size_B == 4 ? 2 : s->index_size_B - 1,
                  skipped_B = s->index_offset_el * s->index_size_B;
   const VkBindIndexBufferIndirectCommandEXT bind = {
      .bufferAddress = vkt_address(vkx, &indices) + part * INDEX_PART_B + skipped_B,
      .size = VERTICES * s->index_size_B - skipped_B,
      .indexType = (VkIndexType)(is_vulkan ? vulkan : dxgi)[s->index_size_B]};
   put(to, &bind, sizeof(bind));
}

static void
put_sequence(char **to, const struct run *run, const struct sequence *s, uint32_t number)
{
   put(to, &s->row, 4);
   if (run->vertices) {
      const VkBindVertexBufferIndirectCommandEXT bind = {.bufferAddress = vkt_address(vkx, &vertices) +
                                                                          s->first_vertex_buffer * WIDE_AT,
                                                         .size = VERTICES * s->stride_B,
                                                         .stride = s->stride_B};
      put(to, &bind, sizeof(bind));
   }
   if (run->indices)
      put_indices(to, run, s);
   if (!is_counted(run->kind)) {
      put_draw(to, run, s, 0);
      return;
   }
   char *at = (char *)commands.map + number * COMMANDS_B;
   for (uint32_t i = 0; i < s->draws; i++) {
      char *next = at + i * COMMAND_STRIDE_B;
      put_draw(&next, run, s, i);
   }
   const VkDrawIndirectCountIndirectCommandEXT count = {.bufferAddress =
                                                           vkt_address(vkx, &commands) + number * COMMANDS_B,
                                                        .stride = COMMAND_STRIDE_B,
                                                        .commandCount = s->draws};
   put(to, &count, sizeof(count));
}

/* ---- what is drawn ---- */

static void
expect_draw(uint32_t expected[SIZE * SIZE], const struct run *run, const struct sequence *s, uint32_t i,
            uint32_t number)
{
   const VkDrawIndexedIndirectCommand *draw = &s->draw[i];
   for (uint32_t instance = 0; instance < draw->instanceCount; instance++) {
      for (uint32_t v = 0; v < draw->indexCount; v++) {
         const uint32_t index = is_indexed(run->kind) ? index_at(draw->firstIndex + v + s->index_offset_el) : v;
         const uint32_t n = index + (uint32_t)draw->vertexOffset;
         const struct vertex vertex = vertex_at(n);
         if (n < VERTICES)
            expected[(vertex.y + s->row) * SIZE + vertex.x] =
               BYTES(vertex.color + KEPT, instance + draw->firstInstance, i, number);
      }
   }
}

static void
expect_meshes(uint32_t expected[SIZE * SIZE], const struct sequence *s, uint32_t i, uint32_t number)
{
   const VkDrawMeshTasksIndirectCommandEXT *groups = &s->meshes[i];
   for (uint32_t z = 0; z < groups->groupCountZ; z++)
      for (uint32_t y = 0; y < groups->groupCountY; y++)
         for (uint32_t x = 0; x < groups->groupCountX; x++)
            expected[(y + s->row) * SIZE + x + 4 * z] = BYTES(x + KEPT, y, i, number);
}

static void
expect_all(uint32_t expected[SIZE * SIZE], const struct run *run, const struct sequence *sequences)
{
   memset(expected, 0, 4 * SIZE * SIZE);
   for (uint32_t number = 0; number < SEQUENCES && run->condition != 2; number++) {
      const struct sequence *s = &sequences[number];
      for (uint32_t i = 0; i < s->draws && i < MAX_DRAWS; i++) {
         if (is_mesh(run->kind))
            expect_meshes(expected, s, i, number);
         else
            expect_draw(expected, run, s, i, number);
      }
   }
}

/* ---- runs ---- */

/* Index of `stages` and `layouts`. */
static unsigned
stages_of(const struct run *run)
{
   return run->kind >= TASKS ? 2 : is_mesh(run->kind);
}

static VkPipeline
pipeline_of(const struct run *run)
{
   return stages_of(run) ? pipelines[1 + stages_of(run)] : pipelines[run->own_strides];
}

static void
bind(VkCommandBuffer cmd, const struct run *run)
{
   const struct push push = {KEPT, 0, 0};
   const VkDeviceSize zero = 0;
   vkt_set_viewport(cmd, extent);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_of(run));
   vkCmdPushConstants(cmd, layouts[stages_of(run)], stages[stages_of(run)], 0, sizeof(push), &push);
   if (is_mesh(run->kind))
      return;
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &zero);
   vkCmdBindIndexBuffer(cmd, indices.buffer, 2 * INDEX_PART_B, VK_INDEX_TYPE_UINT32);
}

static VkIndirectCommandsLayoutEXT
create_layout(const struct run *run)
{
   const VkShaderStageFlags all = stages[stages_of(run)];
   struct tokens tokens = {0};
   token_push(&tokens, VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT,
              (VkPushConstantRange){all, offsetof(struct push, row), 4});
   token_push(&tokens, VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT,
              (VkPushConstantRange){all, offsetof(struct push, sequence), 4});
   if (run->vertices)
      token_vertices(&tokens, 0);
   if (run->indices)
      token_indices(&tokens, run->indices);
   token_add(&tokens, kinds[run->kind].type, kinds[run->kind].size_B);
   return tokens_layout(vkx, &tokens, all, layouts[stages_of(run)], NULL, run->explicit);
}

static void
execute(VkCommandBuffer cmd, const struct run *run, const VkGeneratedCommandsInfoEXT *info)
{
   bind(cmd, run);
   VKT_PROC(vkx, vkCmdExecuteGeneratedCommandsEXT)(cmd, run->explicit, info);
}

static void
record(VkCommandBuffer cmd, const struct run *run, const VkGeneratedCommandsInfoEXT *info)
{
   if (run->explicit) {
      bind(cmd, run);
      VKT_PROC(vkx, vkCmdPreprocessGeneratedCommandsEXT)(cmd, info, cmd);
      preprocess_barrier(cmd);
   }
   if (run->condition)
      vkt_begin_condition(vkx, cmd, &conditions, (uint32_t)run->condition, false);
   if (run->secondary) {
      VkCommandBuffer secondary = vkt_secondary_begin(vkx, &target, 0, false);
      execute(secondary, run, info);
      vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
      vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
      vkCmdExecuteCommands(cmd, 1, &secondary);
   } else {
      vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
      execute(cmd, run, info);
   }
   vkCmdEndRenderPass(cmd);
   if (run->condition)
      VKT_PROC(vkx, vkCmdEndConditionalRenderingEXT)(cmd);
}

static void
test(const struct run *run)
{
   struct sequence sequences[SEQUENCES];
   uint32_t expected[SIZE * SIZE];
   const VkGeneratedCommandsPipelineInfoEXT pipeline = {
      .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = pipeline_of(run)};
   VkGeneratedCommandsInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
      .pNext = &pipeline,
      .shaderStages = stages[stages_of(run)],
      .indirectCommandsLayout = create_layout(run),
      .indirectAddress = vkt_address(vkx, &stream),
      .maxSequenceCount = SEQUENCES,
      .maxDrawCount = MAX_DRAWS,
   };
   struct vkx_buffer memory = generated_memory(vkx, &info);
   char *to = stream.map;
   for (uint32_t i = 0; i < SEQUENCES; i++) {
      choose(&sequences[i], run, i);
      put_sequence(&to, run, &sequences[i], i);
   }
   info.indirectAddressSize = (VkDeviceSize)(to - (char *)stream.map);
   expect_all(expected, run, sequences);
   VkCommandBuffer cmd = vkx_begin(vkx);
   record(cmd, run, &info);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&target.color);
   unsigned wrong = 0;
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      wrong += ((uint32_t *)buffer.map)[i] != expected[i];
   vkt_expect(!wrong, "%s, vertices %d %d, indices %d, explicit %d, secondary %d, condition %d: %u pixels are wrong",
              kinds[run->kind].name, run->vertices, run->own_strides, run->indices, run->explicit, run->secondary,
              run->condition, wrong);
   VKT_PROC(vkx, vkDestroyIndirectCommandsLayoutEXT)(vkx->device, info.indirectCommandsLayout, NULL);
   vkx_buffer_destroy(vkx, &memory);
}

static bool
offers_stage(VkShaderStageFlagBits stage)
{
   VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT has = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_EXT};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &has};
   vkGetPhysicalDeviceProperties2(vkx->physical, &properties);
   return has.supportedIndirectCommandsShaderStages & stage;
}

/* Quirks of RADV (docs/found.md): direct draws of meshes have the sequence's number as gl_DrawID, or fault; what
 * tasks of secondaries generate is never run. On the model its draws of tasks that draw nothing, or under a
 * condition, take what the tasks of other sequences ask for; whether hardware does so is not known. */
static bool
fails_on_radv(const struct run *run)
{
   return run->kind == MESHES || run->kind >= TASKS;
}

static void
test_all(bool radv)
{
   static const VkIndirectCommandsInputModeFlagBitsEXT modes[] = {
      0, VK_INDIRECT_COMMANDS_INPUT_MODE_VULKAN_INDEX_BUFFER_EXT,
      VK_INDIRECT_COMMANDS_INPUT_MODE_DXGI_INDEX_BUFFER_EXT};
   const bool meshes = vkt_has("VK_EXT_mesh_shader") && offers_stage(VK_SHADER_STAGE_MESH_BIT_EXT);
   const bool tasks = meshes && offers_stage(VK_SHADER_STAGE_TASK_BIT_EXT);
   for (unsigned i = 0; i < 80; i++) {
      struct run run = {.kind = (enum kind)(i % KINDS)};
      if (is_mesh(run.kind) && (!meshes || (run.kind >= TASKS && !tasks)))
         continue;
      run.vertices = !is_mesh(run.kind) && i / KINDS % 2;
      run.own_strides = run.vertices && vkt_random_below(2);
      run.indices = is_indexed(run.kind) ? modes[vkt_random_below(3)] : 0;
      run.explicit = vkt_random_below(2);
      run.secondary = vkt_random_below(3) == 0;
      run.condition = vkt_has("VK_EXT_conditional_rendering") && !run.secondary ? (int)vkt_random_below(5) - 2 : 0;
      run.condition = run.condition < 0 ? 0 : run.condition;
      if (!radv || !fails_on_radv(&run))
         test(&run);
   }
}

int
main(int argc, char **argv)
{
   vkt_generated_commands = vkt_mesh_shaders = true;
   struct vkx device = vkt_create("generated_draws");
   vkx = &device;
   if (!vkt_has("VK_EXT_device_generated_commands")) {
      vkt_skip("VK_EXT_device_generated_commands");
      return vkt_finish(vkx);
   }
   start();
   test_all(!strcmp(vkx_option(argc, argv, "--quirks", ""), "radv"));
   finish();
   return vkt_finish(vkx);
}
