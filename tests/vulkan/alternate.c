/* Draws among which little changes: programs, equations of blending, and what else draws depend on, at random, over
 * each other in one render pass. The picture is that of the same draws in a pass each, which set everything. */
#include <string.h>

#include "choices.h"
#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "alternate.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "alternate.frag.inc"
};

enum { SIZE = 8, SIZE_B = 4 * SIZE * SIZE, SEQUENCES = 300, DRAWS = 24, PIPELINES = 3 };

/* What draws have, and how many values each has. */
enum {
   PIPELINE,
   EQUATION,
   ENABLE,
   WRITE_MASK,
   CONSTANTS,
   CULL,
   PUSH,
   BUFFER,
   INSTANCE,
   STATES,
   OTHER = STATES,
   CHOICES
};
static const struct choice table[CHOICES] = {
   [EQUATION] = {"equation", 5},
   [CONSTANTS] = {"blend constants", 3},
   [WRITE_MASK] = {"write mask", 2, .one_in = 3},
   [ENABLE] = {"no blending", 2, .one_in = 4},
   [CULL] = {"cull mode", 2},
   [PUSH] = {"push constants", 2},
   [BUFFER] = {"vertex buffer", 2},
   [INSTANCE] = {"first instance", 2},
   [PIPELINE] = {"pipeline", PIPELINES},
   [OTHER] = {"another state that changes", STATES},
};
static struct choices choices = {.table = table, .count = CHOICES};

static const VkColorBlendEquationEXT equations[] = {
   {VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO,
    VK_BLEND_OP_ADD},
   {VK_BLEND_FACTOR_CONSTANT_COLOR, VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR, VK_BLEND_OP_ADD,
    VK_BLEND_FACTOR_CONSTANT_ALPHA, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_SUBTRACT},
   {VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
    VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD},
   {VK_BLEND_FACTOR_DST_COLOR, VK_BLEND_FACTOR_SRC_COLOR, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_DST_ALPHA,
    VK_BLEND_FACTOR_ONE, VK_BLEND_OP_REVERSE_SUBTRACT},
   {VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
    VK_BLEND_FACTOR_ONE, VK_BLEND_OP_MAX},
};

/* The first of them, where equation and write mask are the pipeline's. */
enum { FIXED_DYNAMIC = 2 };
static const VkDynamicState dynamic[] = {
   VK_DYNAMIC_STATE_BLEND_CONSTANTS,          VK_DYNAMIC_STATE_CULL_MODE,
   VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT,
   VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
};

static struct vkx vkx;
static struct vkt_target target;
static struct vkx_buffer vertices, pixels;
static VkPipelineLayout layout;
static VkPipeline pipelines[PIPELINES];
static PFN_vkCmdSetCullModeEXT set_cull_mode;
static PFN_vkCmdSetColorBlendEquationEXT set_equation;
static PFN_vkCmdSetColorWriteMaskEXT set_write_mask;
static PFN_vkCmdSetColorBlendEnableEXT set_enable;

/* pushed: without anything of instances, with push constants. Where programs blend, those of pipelines with another
 * equation are found for draws. The attribute lies elsewhere in each. */
static VkPipeline
create(bool pushed, uint32_t num_dynamic, uint32_t offset_B)
{
   const VkBool32 value = pushed;
   const VkSpecializationMapEntry entry = {0, 0, sizeof(value)};
   const VkSpecializationInfo specialization = {1, &entry, sizeof(value), &value};
   const VkVertexInputBindingDescription binding = {
      0, 16, pushed ? VK_VERTEX_INPUT_RATE_VERTEX : VK_VERTEX_INPUT_RATE_INSTANCE};
   const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offset_B};
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 1,
                                                       .pVertexBindingDescriptions = &binding,
                                                       .vertexAttributeDescriptionCount = 1,
                                                       .pVertexAttributeDescriptions = &attribute};
   const VkPipelineColorBlendAttachmentState blend = {.blendEnable = VK_TRUE,
                                                      .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                                      .dstColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_COLOR,
                                                      .colorWriteMask = 0xf};
   return vkt_pipeline_create(&vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                .layout = layout,
                                                                .vertex = VKT_CODE(vertex_code),
                                                                .fragment = VKT_CODE(fragment_code),
                                                                .specialization = &specialization,
                                                                .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                                                .vertex_input = &input,
                                                                .blend = &blend,
                                                                .num_dynamic = num_dynamic,
                                                                .dynamic = dynamic});
}

/* One state of the draws that follow, if it is not their pipeline's. */
static void
set(VkCommandBuffer cmd, const unsigned states[STATES], unsigned state)
{
   const unsigned value = states[state];
   static const float constants[3][4] = {{0.75f, 0.25f, 0.5f, 1}, {0.125f, 0.5f, 1, 0.25f}, {0, 0, 0.375f, 0.5f}};
   static const float pushes[2][4] = {{0.25f, 0, 0.125f, 0}, {0, 0.375f, 0, 0.25f}};
   const VkColorComponentFlags mask = value ? VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_B_BIT : 0xf;
   const VkDeviceSize offset_B = 32 * value;
   const VkBool32 enable = !value;
   if (state == PIPELINE)
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[value]);
   else if (state == EQUATION && !states[PIPELINE])
      set_equation(cmd, 0, 1, &equations[value]);
   else if (state == CONSTANTS)
      vkCmdSetBlendConstants(cmd, constants[value]);
   else if (state == ENABLE && !states[PIPELINE])
      set_enable(cmd, 0, 1, &enable);
   else if (state == WRITE_MASK && !states[PIPELINE])
      set_write_mask(cmd, 0, 1, &mask);
   else if (state == CULL)
      set_cull_mode(cmd, value ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_NONE);
   else if (state == PUSH)
      vkCmdPushConstants(cmd, layout, VKT_QUAD_STAGES, 0, sizeof(pushes[value]), pushes[value]);
   else if (state == BUFFER)
      vkCmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &offset_B);
}

static void
begin(VkCommandBuffer cmd, VkRenderPass pass, const unsigned states[STATES])
{
   vkt_target_begin(cmd, &target, pass, VK_SUBPASS_CONTENTS_INLINE);
   for (unsigned i = 0; i < STATES; i++)
      set(cmd, states, i);
}

static void
end(VkCommandBuffer cmd)
{
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
}

static void
submit(VkCommandBuffer cmd, uint8_t picture[SIZE_B])
{
   vkx_submit_and_wait(&vkx, cmd);
   vkt_read(&vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &pixels);
   memcpy(picture, pixels.map, SIZE_B);
}

static unsigned
other_value(unsigned state, unsigned value)
{
   return (value + 1 + vkt_random_below(table[state].values - 1)) % table[state].values;
}

/* In a sequence the equation changes, maybe the pipeline, and another state, these between two values. */
static void
choose(unsigned draws[DRAWS][STATES])
{
   unsigned sum[STATES];
   choices_draw(&choices, vkt_random());
   const unsigned changing[3] = {EQUATION, vkt_random_below(2) ? PIPELINE : EQUATION, choices.now[OTHER]};
   for (unsigned state = 0; state < STATES; state++)
      sum[state] = choices.now[state] + other_value(state, choices.now[state]);
   for (unsigned i = 0; i < DRAWS; i++) {
      const unsigned state = changing[vkt_random_below(3)], now = choices.now[state];
      choices.now[state] = state == EQUATION ? other_value(state, now) : sum[state] - now;
      memcpy(draws[i], choices.now, sizeof(draws[i]));
      choices_count(&choices);
   }
}

static void
test(unsigned number)
{
   static uint8_t wanted[SIZE_B], found[SIZE_B];
   unsigned draws[DRAWS][STATES];
   choose(draws);
   VkCommandBuffer cmd = vkx_begin(&vkx);
   for (unsigned i = 0; i < DRAWS; i++) {
      begin(cmd, i ? target.load_pass : target.pass, draws[i]);
      vkCmdDraw(cmd, 3, 1, 0, draws[i][INSTANCE]);
      end(cmd);
   }
   submit(cmd, wanted);
   cmd = vkx_begin(&vkx);
   begin(cmd, target.pass, draws[0]);
   for (unsigned i = 0; i < DRAWS; i++) {
      for (unsigned state = 0; i && state < STATES; state++) {
         /* Binding a pipeline that has these states overwrites them. */
         const bool lost = state >= EQUATION && state <= WRITE_MASK && draws[i][PIPELINE] != draws[i - 1][PIPELINE];
         if (draws[i][state] != draws[i - 1][state] || lost)
            set(cmd, draws[i], state);
      }
      vkCmdDraw(cmd, 3, 1, 0, draws[i][INSTANCE]);
   }
   end(cmd);
   submit(cmd, found);
   const unsigned wrong = vkt_different(found, wanted, SIZE_B, 0);
   vkt_expect(!wrong, "sequence %u: %u bytes", number, wrong);
}

int
main(void)
{
   static const float tints[6][4] = {{0.5f, 0.125f, 0.25f, 0.5f}, {0.125f, 0.75f, 0.25f, 0.25f},
                                     {0.25f, 0.25f, 0.5f, 0.75f}, {0.5f, 0, 0.125f, 1},
                                     {0, 0.5f, 0.25f, 0},         {0.25f, 0, 0.75f, 0.125f}};
   vkx = vkt_create("alternate");
   target = vkt_target_create(&vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, (VkExtent2D){SIZE, SIZE}, 1,
                              VK_SAMPLE_COUNT_1_BIT);
   vertices = vkt_buffer_create(&vkx, sizeof(tints), 0);
   memcpy(vertices.map, tints, sizeof(tints));
   pixels = vkt_buffer_create(&vkx, SIZE_B, 1);
   layout = vkt_quad_layout_create(&vkx);
   set_cull_mode = VKT_PROC(&vkx, vkCmdSetCullModeEXT);
   set_equation = VKT_PROC(&vkx, vkCmdSetColorBlendEquationEXT);
   set_enable = VKT_PROC(&vkx, vkCmdSetColorBlendEnableEXT);
   set_write_mask = VKT_PROC(&vkx, vkCmdSetColorWriteMaskEXT);
   if (vkt_has("VK_EXT_extended_dynamic_state3")) {
      pipelines[0] = create(false, sizeof(dynamic) / sizeof(dynamic[0]), 0);
      pipelines[1] = create(false, FIXED_DYNAMIC, 4);
      pipelines[2] = create(true, FIXED_DYNAMIC, 8);
      for (unsigned i = 0; i < SEQUENCES; i++)
         test(i);
      const unsigned missing = choices_missing(&choices, stdout);
      vkt_expect(!missing, "%u pairs of choices that no draw had", missing);
      for (unsigned i = 0; i < PIPELINES; i++)
         vkDestroyPipeline(vkx.device, pipelines[i], NULL);
   } else {
      vkt_skip("VK_EXT_extended_dynamic_state3");
   }
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkx_buffer_destroy(&vkx, &pixels);
   vkx_buffer_destroy(&vkx, &vertices);
   vkt_target_destroy(&vkx, &target);
   return vkt_finish(&vkx);
}
