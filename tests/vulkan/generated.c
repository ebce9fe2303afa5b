/* VK_EXT_device_generated_commands: dispatches. Sequences of a stream choose programs, set push constants and
 * dispatch, with and without a count in memory, preprocessed before or not, in secondaries, on compute queues, under
 * conditions. Expected: what the CPU adds up. */
#include "generated.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t generated_comp[] = {
#include "generated.comp.inc"
};

#define PROGRAMS 3u
#define WORDS 4096u
#define COMPUTE VK_SHADER_STAGE_COMPUTE_BIT
static const uint32_t local_size[PROGRAMS] = {8, 64, 24}, factor[PROGRAMS] = {1, 3, 5};

struct push {
   uint32_t kept, place, value, sequence;
};

/* A sequence of the stream, with all tokens. */
struct sequence {
   uint32_t program, place, value;
   VkDispatchIndirectCommand groups;
};

enum { KEPT = 7, FIRST_VALUE = 11 };
/* APART: preprocessed by an earlier command buffer, with the state of the later one. */
enum way { IMPLICIT, EXPLICIT, APART, SECONDARY, WAYS };
static const char *const way_names[WAYS] = {"implicit", "explicit", "apart", "secondary"};

static struct vkx *vkx;
static struct vkx_buffer data, stream, conditions;
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static VkDescriptorSet set;
static VkPipeline pipelines[PROGRAMS];
static VkShaderEXT shaders[PROGRAMS];

/* What a run has. */
struct run {
   const char *name;
   bool set, pushes, numbers, shaders; /* tokens; sets of shader objects */
   uint32_t max, count;                /* sequences; count: UINT32_MAX: not in memory */
   enum way way;
   bool own_ranges; /* of push constants, without a pipeline layout */
   int condition;   /* 0: none, 1: holds, 2: does not */
};

static VkSpecializationInfo
specialization(uint32_t values[2], uint32_t program)
{
   static const VkSpecializationMapEntry entries[2] = {{0, 0, 4}, {1, 4, 4}};
   values[0] = local_size[program];
   values[1] = factor[program];
   return (VkSpecializationInfo){2, entries, 8, values};
}

static void
create_pipeline(uint32_t i)
{
   uint32_t values[2];
   const VkSpecializationInfo special = specialization(values, i);
   VkShaderModule module = vkx_shader_create(vkx, generated_comp, sizeof(generated_comp));
   const VkPipelineCreateFlags2CreateInfo flags = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
                                                   .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .pNext = &flags,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = COMPUTE,
                .module = module,
                .pName = "main",
                .pSpecializationInfo = &special},
      .layout = layout,
   };
   vkx_check(vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipelines[i]),
             "vkCreateComputePipelines");
   vkDestroyShaderModule(vkx->device, module, NULL);
}

static void
create_shader(uint32_t i)
{
   uint32_t values[2];
   const VkSpecializationInfo special = specialization(values, i);
   const VkPushConstantRange range = {COMPUTE, 0, sizeof(struct push)};
   const VkShaderCreateInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
      .flags = VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT,
      .stage = COMPUTE,
      .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
      .codeSize = sizeof(generated_comp),
      .pCode = generated_comp,
      .pName = "main",
      .setLayoutCount = 1,
      .pSetLayouts = &set_layout,
      .pushConstantRangeCount = 1,
      .pPushConstantRanges = &range,
      .pSpecializationInfo = &special,
   };
   vkx_check(VKT_PROC(vkx, vkCreateShadersEXT)(vkx->device, 1, &info, NULL, &shaders[i]), "vkCreateShadersEXT");
}

static void
start(void)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   data = vkt_buffer_create(vkx, 4 * WORDS, 0);
   stream = stream_buffer(vkx, 2 << 20);
   conditions = vkx_buffer_create(vkx, 64, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT, true);
   set_layout = vkx_set_layout_create(vkx, 1, &type, COMPUTE);
   layout = vkx_pipeline_layout_create(vkx, set_layout, COMPUTE, sizeof(struct push));
   set = vkt_set_create(vkx, set_layout, type, &data);
   for (uint32_t i = 0; i < PROGRAMS; i++) {
      create_pipeline(i);
      if (vkt_has("VK_EXT_shader_object"))
         create_shader(i);
   }
}

static void
finish(void)
{
   vkt_sets_destroy(vkx);
   for (uint32_t i = 0; i < PROGRAMS; i++) {
      vkDestroyPipeline(vkx->device, pipelines[i], NULL);
      if (shaders[i])
         VKT_PROC(vkx, vkDestroyShaderEXT)(vkx->device, shaders[i], NULL);
   }
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkx_buffer_destroy(vkx, &data);
   vkx_buffer_destroy(vkx, &conditions);
   vkDestroyBuffer(vkx->device, stream.buffer, NULL);
   vkFreeMemory(vkx->device, stream.memory, NULL);
}

static struct tokens
tokens_of(const struct run *run)
{
   struct tokens t = {0};
   if (run->set)
      token_set(&t, run->shaders ? VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT
                                 : VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT);
   if (run->pushes) {
      token_push(&t, VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT,
                 (VkPushConstantRange){COMPUTE, offsetof(struct push, place), 8});
   }
   if (run->numbers)
      token_push(&t, VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT,
                 (VkPushConstantRange){COMPUTE, offsetof(struct push, sequence), 4});
   token_add(&t, VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT, sizeof(VkDispatchIndirectCommand));
   return t;
}

/* Many sequences dispatch nothing. */
static void
choose(struct sequence *sequences, const struct run *run)
{
   for (uint32_t i = 0; i < run->max; i++) {
      const bool works = run->max < 100 ? i % 4 != 2 : i % 1009 == 5 || i + 2 == run->max;
      sequences[i] = (struct sequence){
         .program = vkt_random_below(PROGRAMS),
         .place = vkt_random_below(WORDS / 2),
         .value = vkt_random_below(900),
         .groups = {1 + vkt_random_below(3), works ? 1 + vkt_random_below(2) : 0, 1 + vkt_random_below(2)},
      };
   }
}

/* The stream has what there are tokens for. */
static void
write_stream(const struct sequence *sequences, const struct run *run)
{
   uint32_t *to = stream.map;
   for (uint32_t i = 0; i < run->max; i++) {
      if (run->set)
         *to++ = sequences[i].program;
      if (run->pushes) {
         *to++ = sequences[i].place;
         *to++ = sequences[i].value;
      }
      memcpy(to, &sequences[i].groups, sizeof(sequences[i].groups));
      to += 3;
   }
   *(uint32_t *)((char *)stream.map + stream.size - 16) = run->count;
}

static void
add_up(const struct sequence *sequences, const struct run *run, uint32_t *expected)
{
   const uint32_t count = run->count < run->max ? run->count : run->max;
   memset(expected, 0, 4 * WORDS);
   for (uint32_t i = 0; i < count && run->condition != 2; i++) {
      const struct sequence *s = &sequences[i];
      const uint32_t program = run->set ? s->program : 0;
      const uint32_t place = run->pushes ? s->place : 0, value = run->pushes ? s->value : FIRST_VALUE;
      const uint32_t words = s->groups.x * s->groups.y * s->groups.z * local_size[program];
      for (uint32_t w = 0; w < words; w++)
         expected[place + w] += KEPT + factor[program] * value + 1000 * (run->numbers ? i : 0);
   }
}

static VkIndirectExecutionSetEXT
create_set(const struct run *run)
{
   VkIndirectExecutionSetEXT made;
   const VkPushConstantRange range = {COMPUTE, 0, sizeof(struct push)};
   const VkIndirectExecutionSetShaderLayoutInfoEXT sets = {
      .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_LAYOUT_INFO_EXT,
      .setLayoutCount = 1,
      .pSetLayouts = &set_layout};
   const VkIndirectExecutionSetShaderInfoEXT shader_info = {
      .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_INFO_EXT,
      .shaderCount = 1,
      .pInitialShaders = shaders,
      .pSetLayoutInfos = &sets,
      .maxShaderCount = PROGRAMS,
      .pushConstantRangeCount = 1,
      .pPushConstantRanges = &range};
   const VkIndirectExecutionSetPipelineInfoEXT pipeline_info = {
      .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT,
      .initialPipeline = pipelines[0],
      .maxPipelineCount = PROGRAMS};
   VkIndirectExecutionSetCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
                                               .type = run->shaders
                                                          ? VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT
                                                          : VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT};
   if (run->shaders)
      info.info.pShaderInfo = &shader_info;
   else
      info.info.pPipelineInfo = &pipeline_info;
   vkx_check(VKT_PROC(vkx, vkCreateIndirectExecutionSetEXT)(vkx->device, &info, NULL, &made),
             "vkCreateIndirectExecutionSetEXT");
   for (uint32_t i = 1; i < PROGRAMS; i++) {
      const VkWriteIndirectExecutionSetShaderEXT shader = {
         .sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_SHADER_EXT, .index = i, .shader = shaders[i]};
      const VkWriteIndirectExecutionSetPipelineEXT pipeline = {
         .sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_PIPELINE_EXT, .index = i, .pipeline = pipelines[i]};
      if (run->shaders)
         VKT_PROC(vkx, vkUpdateIndirectExecutionSetShaderEXT)(vkx->device, made, 1, &shader);
      else
         VKT_PROC(vkx, vkUpdateIndirectExecutionSetPipelineEXT)(vkx->device, made, 1, &pipeline);
   }
   return made;
}

static void
bind(VkCommandBuffer cmd, const struct run *run)
{
   const struct push push = {KEPT, 0, FIRST_VALUE, 0};
   const VkShaderStageFlagBits stage = COMPUTE;
   if (run->shaders)
      VKT_PROC(vkx, vkCmdBindShadersEXT)(cmd, 1, &stage, &shaders[0]);
   else
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[0]);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, layout, COMPUTE, 0, sizeof(push), &push);
}

static VkCommandBuffer
begin_secondary(const struct vkx *on, bool in_condition)
{
   const VkCommandBufferInheritanceConditionalRenderingInfoEXT conditional = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT,
      .conditionalRenderingEnable = in_condition};
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                       .pNext = &conditional};
   const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .pInheritanceInfo = &inheritance};
   const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                 .commandPool = on->pool,
                                                 .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                                 .commandBufferCount = 1};
   VkCommandBuffer cmd;
   vkx_check(vkAllocateCommandBuffers(on->device, &allocate, &cmd), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(cmd, &info), "vkBeginCommandBuffer");
   return cmd;
}

static bool
is_explicit(const struct run *run)
{
   return run->way == EXPLICIT || run->way == APART;
}

/* Another dispatch comes after the generated ones: it finds push constants set anew. */
static void
execute(VkCommandBuffer cmd, const struct run *run, const VkGeneratedCommandsInfoEXT *info)
{
   const struct push push = {1, WORDS - 8, 0, 0};
   bind(cmd, run);
   VKT_PROC(vkx, vkCmdExecuteGeneratedCommandsEXT)(cmd, is_explicit(run), info);
   bind(cmd, run);
   vkCmdPushConstants(cmd, layout, COMPUTE, 0, sizeof(push), &push);
   vkCmdDispatch(cmd, 1, 1, 1);
}

static VkCommandBuffer
begin_apart(const struct vkx *on)
{
   struct vkx copy = *on;
   return vkx_begin(&copy);
}

/* Ahead of what is being recorded. */
static void
submit_apart(const struct vkx *on, VkCommandBuffer cmd)
{
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   vkx_check(vkQueueSubmit(on->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
}

static void
record(VkCommandBuffer cmd, const struct vkx *on, const struct run *run, const VkGeneratedCommandsInfoEXT *info)
{
   if (is_explicit(run)) {
      VkCommandBuffer by = run->way == APART ? begin_apart(on) : cmd;
      bind(cmd, run);
      VKT_PROC(vkx, vkCmdPreprocessGeneratedCommandsEXT)(by, info, cmd);
      preprocess_barrier(by);
      if (by != cmd)
         submit_apart(on, by);
   }
   if (run->condition)
      vkt_begin_condition(vkx, cmd, &conditions, (uint32_t)run->condition, false);
   if (run->way == SECONDARY) {
      VkCommandBuffer secondary = begin_secondary(on, run->condition != 0);
      execute(secondary, run, info);
      vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
      vkCmdExecuteCommands(cmd, 1, &secondary);
   } else {
      execute(cmd, run, info);
   }
   if (run->condition)
      VKT_PROC(vkx, vkCmdEndConditionalRenderingEXT)(cmd);
}

static void
test(struct vkx *on, const struct run *run)
{
   struct sequence *sequences = malloc(run->max * sizeof(*sequences));
   uint32_t expected[WORDS];
   const VkPushConstantRange range = {COMPUTE, 0, sizeof(struct push)};
   const VkPipelineLayoutCreateInfo ranges = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .setLayoutCount = 1,
                                              .pSetLayouts = &set_layout,
                                              .pushConstantRangeCount = 1,
                                              .pPushConstantRanges = &range};
   const struct tokens tokens = tokens_of(run);
   const VkGeneratedCommandsPipelineInfoEXT pipeline = {
      .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = pipelines[0]};
   const VkGeneratedCommandsShaderInfoEXT shader = {
      .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_SHADER_INFO_EXT, .shaderCount = 1, .pShaders = &shaders[0]};
   VkGeneratedCommandsInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
      .pNext = run->set       ? NULL
               : run->shaders ? (const void *)&shader
                              : &pipeline,
      .shaderStages = COMPUTE,
      .indirectExecutionSet = run->set ? create_set(run) : VK_NULL_HANDLE,
      .indirectCommandsLayout =
         tokens_layout(vkx, &tokens, COMPUTE, run->own_ranges ? VK_NULL_HANDLE : layout, &ranges, is_explicit(run)),
      .indirectAddress = vkt_address(vkx, &stream),
      .indirectAddressSize = run->max * tokens.stride_B,
      .maxSequenceCount = run->max,
      .sequenceCountAddress = run->count == UINT32_MAX ? 0 : vkt_address(vkx, &stream) + stream.size - 16,
   };
   struct vkx_buffer memory = generated_memory(vkx, &info);
   choose(sequences, run);
   write_stream(sequences, run);
   add_up(sequences, run, expected);
   for (uint32_t i = 0; i < local_size[0] && run->condition != 2; i++)
      expected[WORDS - 8 + i] += 1;
   memset(data.map, 0, 4 * WORDS);
   VkCommandBuffer cmd = vkx_begin(on);
   record(cmd, on, run, &info);
   vkt_barrier(cmd);
   vkx_submit_and_wait(on, cmd);
   unsigned wrong = 0;
   for (uint32_t i = 0; i < WORDS; i++)
      wrong += ((uint32_t *)data.map)[i] != expected[i];
   vkt_expect(!wrong, "%s, %s, %u sequences of %u, condition %d, family %u: %u words are wrong", run->name,
              way_names[run->way], run->count, run->max, run->condition, on->family, wrong);
   VKT_PROC(vkx, vkDestroyIndirectCommandsLayoutEXT)(vkx->device, info.indirectCommandsLayout, NULL);
   VKT_PROC(vkx, vkDestroyIndirectExecutionSetEXT)(vkx->device, info.indirectExecutionSet, NULL);
   vkx_buffer_destroy(vkx, &memory);
   free(sequences);
}

/* Quirks of RADV (docs/found.md): secondaries do not pass conditions on, and their streams on compute rings end with
 * the generated commands; there a condition that begins after preprocessing does not count. */
static bool
fails_on_radv(const struct vkx *on, const struct run *run)
{
   const bool compute = on->family != vkx->family;
   return (run->way == SECONDARY && (compute || run->condition)) || (is_explicit(run) && compute && run->condition);
}

static void
test_all(struct vkx *on, bool radv)
{
   static const struct run kinds[] = {
      {.name = "dispatches"},
      {.name = "push constants", .pushes = true, .numbers = true},
      {.name = "numbers", .numbers = true, .own_ranges = true},
      {.name = "pipelines", .set = true, .pushes = true, .numbers = true},
      {.name = "shader objects", .set = true, .pushes = true, .shaders = true},
   };
   for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
      if (kinds[i].shaders && !shaders[0])
         continue;
      for (unsigned way = 0; way < WAYS; way++) {
         for (int condition = 0; condition <= (vkt_has("VK_EXT_conditional_rendering") ? 2 : 0); condition++) {
            struct run run = kinds[i];
            run.way = (enum way)way;
            run.condition = condition;
            run.max = 5 + 8 * i;
            run.count = i % 3 == 0 ? UINT32_MAX : i % 3 == 1 ? 3 + i : 1000;
            if (!radv || !fails_on_radv(on, &run))
               test(on, &run);
         }
      }
   }
   /* More packets than a buffer of them has. */
   test(on, &(struct run){.name = "many", .pushes = true, .numbers = true, .max = 30000, .count = UINT32_MAX});
   test(on, &(struct run){.name = "none", .pushes = true, .max = 70, .count = 0, .way = EXPLICIT});
}

/* What Indium does not offer is refused. */
static void
test_refused(void)
{
   struct tokens rays = {0}, graphics = {0};
   token_add(&rays, VK_INDIRECT_COMMANDS_TOKEN_TYPE_TRACE_RAYS2_EXT, 64);
   token_set(&graphics, VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT);
   graphics.set.shaderStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
   token_add(&graphics, VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT, sizeof(VkDrawIndirectCommand));
   const struct {
      const struct tokens *tokens;
      VkShaderStageFlags stages;
   } layouts[] = {
      {&rays, COMPUTE}, {&graphics, VK_SHADER_STAGE_VERTEX_BIT}, {&graphics, VK_SHADER_STAGE_RAYGEN_BIT_KHR}};
   for (unsigned i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
      const VkIndirectCommandsLayoutCreateInfoEXT info = {
         .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
         .shaderStages = layouts[i].stages,
         .indirectStride = layouts[i].tokens->stride_B,
         .pipelineLayout = layout,
         .tokenCount = layouts[i].tokens->count,
         .pTokens = layouts[i].tokens->list,
      };
      VkIndirectCommandsLayoutEXT made = VK_NULL_HANDLE;
      const VkResult result = VKT_PROC(vkx, vkCreateIndirectCommandsLayoutEXT)(vkx->device, &info, NULL, &made);
      vkt_expect(result == VK_ERROR_FEATURE_NOT_PRESENT && !made, "layout %u of tokens that are not offered: %d", i,
                 (int)result);
   }
}

/* On a queue that has no graphics. */
static void
test_compute_queue(bool radv)
{
   struct vkx other = *vkx;
   for (uint32_t i = 0; i < vkt_num_queues; i++) {
      if ((vkt_queues[i].flags & (VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT)) == VK_QUEUE_COMPUTE_BIT) {
         other.queue = vkt_queues[i].queue;
         other.family = vkt_queues[i].family;
      }
   }
   if (other.family == vkx->family)
      return;
   const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .queueFamilyIndex = other.family};
   vkx_check(vkCreateCommandPool(vkx->device, &info, NULL, &other.pool), "vkCreateCommandPool");
   test_all(&other, radv);
   vkDestroyCommandPool(vkx->device, other.pool, NULL);
}

int
main(int argc, char **argv)
{
   const char *quirks = vkx_option(argc, argv, "--quirks", "");
   const bool radv = !strcmp(quirks, "radv");
   vkt_all_queues = vkt_generated_commands = vkt_shader_objects = true;
   struct vkx device = vkt_create("generated");
   vkx = &device;
   if (!vkt_has("VK_EXT_device_generated_commands")) {
      vkt_skip("VK_EXT_device_generated_commands");
      return vkt_finish(vkx);
   }
   start();
   ((uint32_t *)conditions.map)[1] = 1;
   ((uint32_t *)conditions.map)[2] = 0;
   test_all(vkx, radv);
   test_compute_queue(radv);
   if (!strcmp(quirks, "indium"))
      test_refused();
   finish();
   return vkt_finish(vkx);
}
