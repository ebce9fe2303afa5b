/* Shader objects: what pipelines draw with the same states they draw, to the bit: each vertex shader with each
 * fragment shader and with none, linked and not, from SPIR-V and from binaries, in targets of two formats. A compute
 * shader with constants; views. Binaries that were damaged are refused, and forged ones do no harm. --time: how many
 * draws with changes are recorded in a second. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "dynamic_states.h"

static const uint32_t a_vert[] = {
#include "linked_a.vert.inc"
};
static const uint32_t b_vert[] = {
#include "linked_b.vert.inc"
};
static const uint32_t a_frag[] = {
#include "linked_a.frag.inc"
};
static const uint32_t b_frag[] = {
#include "linked_b.frag.inc"
};
static const uint32_t c_frag[] = {
#include "linked_c.frag.inc"
};
static const uint32_t numbers_comp[] = {
#include "shader_object.comp.inc"
};
static const uint32_t view_vert[] = {
#include "view.vert.inc"
};
static const uint32_t view_frag[] = {
#include "view.frag.inc"
};

enum { SIZE = 48, MAX_B = 8 * SIZE * SIZE, CASES = 48, VERTS = 2, FRAGS = 4, FORMATS = 2, NUMBERS = 64 }; /* px */
/* How objects are made. */
enum way { UNLINKED, LINKED, FROM_BINARIES, WAYS };

static const struct vkt_code verts[VERTS] = {VKT_CODE(a_vert), VKT_CODE(b_vert)};
static const struct vkt_code frags[FRAGS] = {VKT_CODE(a_frag), VKT_CODE(b_frag), VKT_CODE(c_frag), {NULL, 0}};
static const VkFormat formats[FORMATS] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R16G16B16A16_SFLOAT};

static struct vkx vkx;
static struct vkt_target targets[FORMATS];
static struct dynamic_shapes shapes;
static struct vkx_buffer pixels;
static VkPipelineLayout layout;

static PFN_vkCreateShadersEXT create_shaders;
static PFN_vkDestroyShaderEXT destroy_shader;
static PFN_vkGetShaderBinaryDataEXT get_binary;
static PFN_vkCmdBindShadersEXT bind_shaders;
static PFN_vkCmdBeginRenderingKHR begin_rendering;
static PFN_vkCmdEndRenderingKHR end_rendering;
static PFN_vkCmdSetViewportWithCountEXT set_viewports;
static PFN_vkCmdSetScissorWithCountEXT set_scissors;

/* ---- objects ---- */

static VkShaderCreateInfoEXT
describe(VkShaderStageFlagBits stage, struct vkt_code code, VkShaderCreateFlagsEXT flags)
{
   return (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                  .flags = flags,
                                  .stage = stage,
                                  .nextStage = stage == VK_SHADER_STAGE_VERTEX_BIT ? VK_SHADER_STAGE_FRAGMENT_BIT : 0,
                                  .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                  .codeSize = code.size_B,
                                  .pCode = code.words,
                                  .pName = "main"};
}

/* From malloc. */
static void *
binary_of(VkShaderEXT shader, size_t *size_B)
{
   vkx_check(get_binary(vkx.device, shader, size_B, NULL), "vkGetShaderBinaryDataEXT");
   void *data = malloc(*size_B);
   size_t less_B = *size_B - 1;
   VkResult less = get_binary(vkx.device, shader, &less_B, data);
   vkt_expect(less == VK_INCOMPLETE && !less_B, "a binary in too little room");
   vkx_check(get_binary(vkx.device, shader, size_B, data), "vkGetShaderBinaryDataEXT");
   return data;
}

/* Goes in favour of one that is made of its binary. */
static VkShaderEXT
by_binary(VkShaderEXT shader, const VkShaderCreateInfoEXT *described)
{
   size_t size_B;
   void *data = binary_of(shader, &size_B);
   VkShaderCreateInfoEXT info = *described;
   info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
   info.codeSize = size_B;
   info.pCode = data;
   destroy_shader(vkx.device, shader, NULL);
   VkShaderEXT again = VK_NULL_HANDLE;
   vkx_check(create_shaders(vkx.device, 1, &info, NULL, &again), "vkCreateShadersEXT of a binary");
   free(data);
   return again;
}

static void
create_pair(enum way way, unsigned v, unsigned f, VkShaderEXT pair[2])
{
   const VkShaderCreateFlagsEXT flags = way == LINKED && frags[f].words ? VK_SHADER_CREATE_LINK_STAGE_BIT_EXT : 0;
   const VkShaderCreateInfoEXT infos[2] = {describe(VK_SHADER_STAGE_VERTEX_BIT, verts[v], flags),
                                           describe(VK_SHADER_STAGE_FRAGMENT_BIT, frags[f], flags)};
   pair[1] = VK_NULL_HANDLE;
   vkx_check(create_shaders(vkx.device, frags[f].words ? 2 : 1, infos, NULL, pair), "vkCreateShadersEXT");
   for (unsigned i = 0; i < 2 && way == FROM_BINARIES; i++)
      pair[i] = pair[i] ? by_binary(pair[i], &infos[i]) : VK_NULL_HANDLE;
}

/* ---- pictures ---- */

static VkRenderingAttachmentInfo
attach(VkImageView view, VkClearValue clear)
{
   return (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                      .imageView = view,
                                      .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                      .clearValue = clear};
}

static void
begin(VkCommandBuffer cmd, const struct vkt_target *target)
{
   const VkRenderingAttachmentInfo color =
      attach(target->views[0], (VkClearValue){.color = {.float32 = {0.2f, 0.4f, 0.6f, 0.8f}}});
   const VkRenderingAttachmentInfo depth = attach(target->views[1], (VkClearValue){.depthStencil = {0.5f, 1}});
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea = {{0, 0}, {SIZE, SIZE}},
                                 .layerCount = 1,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &color,
                                 .pDepthAttachment = &depth,
                                 .pStencilAttachment = &depth};
   const VkViewport viewports[2] = {{0, 0, SIZE, SIZE, 0, 1}, {4, 8, SIZE - 8, SIZE - 8, 0, 1}};
   const VkRect2D scissors[2] = {{{0, 0}, {SIZE, SIZE}}, {{0, 0}, {SIZE, SIZE}}};
   begin_rendering(cmd, &info);
   set_viewports(cmd, 2, viewports);
   set_scissors(cmd, 2, scissors);
   vkt_barrier(cmd);
}

/* What pipelines have and nothing else sets. */
static void
set_rest(VkCommandBuffer cmd, const struct dynamic_state *s)
{
   const float constants[4] = {0};
   dynamic_state_set(cmd, s, true);
   vkCmdSetLineWidth(cmd, 1);
   vkCmdSetDepthBias(cmd, s->raster.depthBiasConstantFactor, 0, 0);
   vkCmdSetBlendConstants(cmd, constants);
   vkCmdSetDepthBounds(cmd, s->tests.minDepthBounds, s->tests.maxDepthBounds);
   vkCmdSetStencilCompareMask(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, 0xff);
   vkCmdSetStencilWriteMask(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, s->tests.front.writeMask);
}

/* pair: NULL of the pipeline. The first state's triangles lie under the second's. */
static void
picture(unsigned format, VkPipeline pipelines[2], const VkShaderEXT *pair, const struct dynamic_state states[2])
{
   static const VkShaderStageFlagBits stages[2] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
   VkCommandBuffer cmd = vkx_begin(&vkx);
   if (pair && states[0].ahead)
      bind_shaders(cmd, 2, stages, pair);
   begin(cmd, &targets[format]);
   for (unsigned i = 0; i < 2; i++) {
      if (pair) {
         if (states[i].ahead == (i != 0))
            bind_shaders(cmd, 2, stages, pair);
         set_rest(cmd, &states[i]);
      } else {
         vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
      }
      if (!pair && states[i].ahead)
         dynamic_state_draw_other_stride(cmd, &shapes, &states[i]);
      else
         dynamic_state_draw(cmd, &shapes, &states[i], pair != NULL);
   }
   end_rendering(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   vkt_read(&vkx, &targets[format].color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &pixels);
}

static void
test_case(unsigned number, const struct dynamic_state states[2])
{
   static uint8_t wanted[MAX_B];
   const unsigned v = number % VERTS, f = number / VERTS % FRAGS, format = number / (VERTS * FRAGS) % FORMATS;
   const size_t size_B = (format ? 8 : 4) * SIZE * SIZE;
   const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                    .colorAttachmentCount = 1,
                                                    .pColorAttachmentFormats = &formats[format],
                                                    .depthAttachmentFormat = VK_FORMAT_D32_SFLOAT_S8_UINT,
                                                    .stencilAttachmentFormat = VK_FORMAT_D32_SFLOAT_S8_UINT};
   VkPipeline pipelines[2];
   for (unsigned i = 0; i < 2; i++)
      pipelines[i] =
         dynamic_state_pipeline(&vkx, VK_NULL_HANDLE, &rendering, layout, verts[v], frags[f], &states[i], 0);
   picture(format, pipelines, NULL, states);
   memcpy(wanted, pixels.map, size_B);
   for (unsigned way = 0; way < WAYS; way++) {
      VkShaderEXT pair[2];
      create_pair((enum way)way, v, f, pair);
      memset(pixels.map, 0, size_B);
      picture(format, NULL, pair, states);
      vkt_expect(!memcmp(pixels.map, wanted, size_B), "case %u, shaders %u and %u, way %u", number, v, f, way);
      destroy_shader(vkx.device, pair[0], NULL);
      destroy_shader(vkx.device, pair[1], NULL);
   }
   for (unsigned i = 0; i < 2; i++)
      vkDestroyPipeline(vkx.device, pipelines[i], NULL);
}

static struct dynamic_state
random_state(void)
{
   struct dynamic_state s = dynamic_state_random();
   s.tests.depthBoundsTestEnable &= vkt_features.depthBounds;
   s.logic_op_enable &= vkt_features.logicOp;
   return s;
}

/* Objects that are kept, in other company and with other states at each draw. Lines on stderr say when all shaders
 * are there (linked_test.py). */
static void
test_mixed(void)
{
   static const VkShaderStageFlagBits stages[2] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
   static uint8_t wanted[MAX_B];
   VkShaderEXT v[VERTS], f[FRAGS], pair[2];
   struct dynamic_state s[24];
   for (unsigned i = 0; i < 24; i++)
      s[i] = random_state();
   for (unsigned i = 0; i < FRAGS; i++) {
      create_pair(UNLINKED, i % VERTS, i, pair);
      f[i] = pair[1];
      if (i < VERTS)
         v[i] = pair[0];
      else
         destroy_shader(vkx.device, pair[0], NULL);
   }
   fprintf(stderr, "linked: only draws from here\n");
   for (unsigned round = 0; round < 2; round++) {
      VkCommandBuffer cmd = vkx_begin(&vkx);
      begin(cmd, &targets[0]);
      for (unsigned i = 0; i < 24; i++) {
         bind_shaders(cmd, 1, &stages[i & 1], i & 1 ? &f[i / 2 % FRAGS] : &v[i / 2 % VERTS]);
         if (!i)
            bind_shaders(cmd, 1, &stages[1], &f[0]);
         set_rest(cmd, &s[i]);
         dynamic_state_draw(cmd, &shapes, &s[i], true);
      }
      end_rendering(cmd);
      vkx_submit_and_wait(&vkx, cmd);
      vkt_read(&vkx, &targets[0].color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &pixels);
      vkt_expect(!round || !memcmp(wanted, pixels.map, 4 * SIZE * SIZE), "what is kept draws otherwise");
      memcpy(wanted, pixels.map, 4 * SIZE * SIZE);
   }
   fprintf(stderr, "linked: up to here\n");
   for (unsigned i = 0; i < VERTS; i++)
      destroy_shader(vkx.device, v[i], NULL);
   for (unsigned i = 0; i < FRAGS; i++)
      destroy_shader(vkx.device, f[i], NULL);
}

/* ---- views ---- */

static VkCommandBuffer
begin_secondary(uint32_t view_mask)
{
   const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = vkx.pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                             .commandBufferCount = 1};
   const VkCommandBufferInheritanceRenderingInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
      .viewMask = view_mask,
      .colorAttachmentCount = 1,
      .pColorAttachmentFormats = formats,
      .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                       .pNext = &rendering};
   const VkCommandBufferBeginInfo begin_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                                .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                                .pInheritanceInfo = &inheritance};
   VkCommandBuffer cmd;
   vkx_check(vkAllocateCommandBuffers(vkx.device, &info, &cmd), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(cmd, &begin_info), "vkBeginCommandBuffer");
   return cmd;
}

/* Over everything, in the first view 1 and in the second 18 of 255. */
static void
draw_views(VkCommandBuffer cmd, VkPipelineLayout quad_layout, const VkShaderEXT pair[2])
{
   static const VkShaderStageFlagBits stages[2] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
   const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
   const VkRect2D scissor = {{0, 0}, {SIZE, SIZE}};
   struct dynamic_state s = random_state();
   s.raster.rasterizerDiscardEnable = s.tests.stencilTestEnable = s.tests.depthTestEnable = VK_FALSE;
   s.raster.cullMode = 0;
   s.raster.polygonMode = VK_POLYGON_MODE_FILL;
   s.logic_op_enable = s.blend.blendEnable = s.tests.depthBoundsTestEnable = VK_FALSE;
   s.blend.colorWriteMask = 0xf;
   s.sample_mask = 1;
   s.color_written = VK_TRUE;
   s.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
   bind_shaders(cmd, 2, stages, pair);
   set_rest(cmd, &s);
   set_viewports(cmd, 1, &viewport);
   set_scissors(cmd, 1, &scissor);
   vkt_draw_quad(cmd, quad_layout, (VkExtent2D){SIZE, SIZE}, 0, 0, SIZE, SIZE, 0, (const float[4]){1, 1, 1, 1});
}

static void
test_views(bool secondary)
{
   struct vkt_target target =
      vkt_target_create(&vkx, formats[0], VK_FORMAT_UNDEFINED, (VkExtent2D){SIZE, SIZE}, 2, VK_SAMPLE_COUNT_1_BIT);
   struct vkx_buffer layers = vkt_buffer_create(&vkx, 2 * 4 * SIZE * SIZE, 0xee);
   VkPipelineLayout quad_layout = vkt_quad_layout_create(&vkx);
   const VkPushConstantRange range = {VKT_QUAD_STAGES, 0, sizeof(struct vkt_quad)};
   VkShaderCreateInfoEXT infos[2] = {describe(VK_SHADER_STAGE_VERTEX_BIT, VKT_CODE(view_vert), 0),
                                     describe(VK_SHADER_STAGE_FRAGMENT_BIT, VKT_CODE(view_frag), 0)};
   for (unsigned i = 0; i < 2; i++) {
      infos[i].pushConstantRangeCount = 1;
      infos[i].pPushConstantRanges = &range;
   }
   VkShaderEXT pair[2];
   vkx_check(create_shaders(vkx.device, 2, infos, NULL, pair), "vkCreateShadersEXT");
   const VkRenderingAttachmentInfo color = attach(target.views[0], (VkClearValue){0});
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .flags = secondary ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT : 0,
                                 .renderArea = {{0, 0}, {SIZE, SIZE}},
                                 .viewMask = 3,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &color};
   VkCommandBuffer inner = secondary ? begin_secondary(3) : NULL, cmd = vkx_begin(&vkx);
   begin_rendering(cmd, &info);
   draw_views(secondary ? inner : cmd, quad_layout, pair);
   if (secondary) {
      vkx_check(vkEndCommandBuffer(inner), "vkEndCommandBuffer");
      vkCmdExecuteCommands(cmd, 1, &inner);
   }
   end_rendering(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   vkt_read(&vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &layers);
   const uint8_t *texels = layers.map;
   for (uint32_t layer = 0; layer < 2; layer++) {
      const uint8_t red = texels[4 * (layer * SIZE * SIZE + SIZE * SIZE / 2 + 5)];
      vkt_expect(red == 17 * layer + 1, "view %u: %u", layer, red);
   }
   destroy_shader(vkx.device, pair[0], NULL);
   destroy_shader(vkx.device, pair[1], NULL);
   vkDestroyPipelineLayout(vkx.device, quad_layout, NULL);
   vkx_buffer_destroy(&vkx, &layers);
   vkt_target_destroy(&vkx, &target);
}

/* ---- time ---- */

enum change { CHANGE_NOTHING, CHANGE_CULLING, CHANGE_BLENDING, CHANGES };

static double
now_s(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The best of some runs, in draws a second. */
static double
draw_rate(const VkShaderEXT pair[2], enum change change)
{
   static const VkShaderStageFlagBits stages[2] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
   enum { DRAWS = 20000, RUNS = 15 };
   const VkColorBlendEquationEXT equations[2] = {{.srcColorBlendFactor = VK_BLEND_FACTOR_ONE},
                                                 {.dstColorBlendFactor = VK_BLEND_FACTOR_ONE}};
   PFN_vkCmdSetCullModeEXT set_cull_mode = VKT_PROC(&vkx, vkCmdSetCullModeEXT);
   PFN_vkCmdSetColorBlendEquationEXT set_equation = VKT_PROC(&vkx, vkCmdSetColorBlendEquationEXT);
   struct dynamic_state s = random_state();
   double best = 0;
   s.blend.blendEnable = VK_TRUE;
   s.indexed = false;
   s.logic_op_enable = VK_FALSE;
   for (unsigned run = 0; run < RUNS; run++) {
      VkCommandBuffer cmd = vkx_begin(&vkx);
      begin(cmd, &targets[0]);
      bind_shaders(cmd, 2, stages, pair);
      set_rest(cmd, &s);
      dynamic_state_draw(cmd, &shapes, &s, true);
      const double start = now_s();
      for (uint32_t i = 0; i < DRAWS; i++) {
         if (change == CHANGE_CULLING)
            set_cull_mode(cmd, 1u << (i & 1));
         else if (change == CHANGE_BLENDING)
            set_equation(cmd, 0, 1, &equations[i & 1]);
         vkCmdDraw(cmd, 3, 1, 0, 0);
      }
      const double rate = DRAWS / (now_s() - start);
      best = rate > best ? rate : best;
      end_rendering(cmd);
      vkEndCommandBuffer(cmd);
      vkFreeCommandBuffers(vkx.device, vkx.pool, 1, &cmd);
   }
   return best;
}

static void
print_times(void)
{
   static const char *const names[CHANGES] = {"nothing", "culling", "blending"};
   VkShaderEXT pair[2];
   create_pair(UNLINKED, 0, 0, pair);
   for (unsigned change = 0; change < CHANGES; change++)
      printf("  draw, %-24s %8.2f M/s\n", names[change], draw_rate(pair, (enum change)change) * 1e-6);
   destroy_shader(vkx.device, pair[0], NULL);
   destroy_shader(vkx.device, pair[1], NULL);
}

/* ---- compute ---- */

static void
test_compute(bool binary)
{
   const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
   const VkSpecializationMapEntry entries[2] = {{0, 0, 4}, {1, 4, 4}};
   const uint32_t constants[2] = {7, 16}, term = 5;
   const VkSpecializationInfo specialization = {2, entries, sizeof(constants), constants};
   const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(&vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout compute_layout = vkx_pipeline_layout_create(&vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 4);
   struct vkx_buffer numbers = vkt_buffer_create(&vkx, 4 * NUMBERS, 0xee);
   VkDescriptorSet set = vkt_set_create(&vkx, set_layout, type, &numbers);
   VkShaderCreateInfoEXT info = describe(stage, (struct vkt_code)VKT_CODE(numbers_comp), 0);
   info.setLayoutCount = 1;
   info.pSetLayouts = &set_layout;
   info.pushConstantRangeCount = 1;
   info.pPushConstantRanges = &range;
   info.pSpecializationInfo = &specialization;
   VkShaderEXT shader;
   vkx_check(create_shaders(vkx.device, 1, &info, NULL, &shader), "vkCreateShadersEXT of compute");
   if (binary)
      shader = by_binary(shader, &info);
   VkCommandBuffer cmd = vkx_begin(&vkx);
   bind_shaders(cmd, 1, &stage, &shader);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, compute_layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, compute_layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &term);
   vkCmdDispatch(cmd, NUMBERS / 16, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   unsigned wrong = 0;
   for (uint32_t i = 0; i < NUMBERS; i++)
      wrong += ((const uint32_t *)numbers.map)[i] != 7 * i + 5;
   vkt_expect(!wrong, "compute: %u numbers", wrong);
   destroy_shader(vkx.device, shader, NULL);
   vkx_buffer_destroy(&vkx, &numbers);
   vkDestroyPipelineLayout(vkx.device, compute_layout, NULL);
   vkt_sets_destroy(&vkx);
   vkDestroyDescriptorSetLayout(vkx.device, set_layout, NULL);
}

/* ---- what is refused ---- */

static void
expect_refused(const char *what, VkShaderStageFlagBits stage, const void *data, size_t size_B)
{
   VkShaderCreateInfoEXT info = describe(stage, (struct vkt_code){data, size_B}, 0);
   info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
   VkShaderEXT shader = (VkShaderEXT)(uintptr_t)1;
   VkResult result = create_shaders(vkx.device, 1, &info, NULL, &shader);
   vkt_expect(result == VK_INCOMPATIBLE_SHADER_BINARY_EXT && !shader, "%s: result %d", what, result);
}

/* With a checksum that is right: whatever comes of it, it can be destroyed. Where the checksum lies, and that it is
 * XXH3 of all after it, is the driver's; with another's these are refused. */
static void
try_forged(uint8_t *data, size_t size_B)
{
   for (unsigned i = 0; i < 300; i++) {
      const size_t at = 16 + (i < 150 ? i % 64 : vkt_random_below((uint32_t)size_B - 16));
      const uint8_t was = data[at];
      data[at] ^= (uint8_t)(1u << vkt_random_below(8));
      const uint64_t checksum = XXH3_64bits(data + 16, size_B - 16);
      memcpy(data + 8, &checksum, sizeof(checksum));
      VkShaderCreateInfoEXT info = describe(VK_SHADER_STAGE_VERTEX_BIT, (struct vkt_code){(void *)data, size_B}, 0);
      info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
      VkShaderEXT shader;
      VkResult result = create_shaders(vkx.device, 1, &info, NULL, &shader);
      vkt_expect((result == VK_SUCCESS) == (shader != VK_NULL_HANDLE), "a forged binary: result %d", result);
      destroy_shader(vkx.device, shader, NULL);
      data[at] = was;
   }
   const uint64_t checksum = XXH3_64bits(data + 16, size_B - 16);
   memcpy(data + 8, &checksum, sizeof(checksum));
}

static void
test_damaged(void)
{
   VkShaderEXT pair[2];
   size_t size_B;
   create_pair(UNLINKED, 0, 0, pair);
   uint8_t *data = binary_of(pair[0], &size_B);
   for (unsigned i = 0; i < 300; i++) {
      const size_t at = i < 80 ? i : vkt_random_below((uint32_t)size_B);
      const uint8_t was = data[at];
      data[at] ^= (uint8_t)(1 + vkt_random_below(255));
      expect_refused("a byte is another", VK_SHADER_STAGE_VERTEX_BIT, data, size_B);
      data[at] = was;
      expect_refused("cut off", VK_SHADER_STAGE_VERTEX_BIT, data, at);
   }
   try_forged(data, size_B);
   expect_refused("the other stage's", VK_SHADER_STAGE_FRAGMENT_BIT, data, size_B);
   expect_refused("SPIR-V", VK_SHADER_STAGE_VERTEX_BIT, a_vert, sizeof(a_vert));
   free(data);
   /* The second of two linked ones is no SPIR-V: there is none. */
   const uint32_t garbage[8] = {1, 2, 3};
   const VkShaderCreateInfoEXT infos[2] = {
      describe(VK_SHADER_STAGE_VERTEX_BIT, verts[0], VK_SHADER_CREATE_LINK_STAGE_BIT_EXT),
      describe(VK_SHADER_STAGE_FRAGMENT_BIT, VKT_CODE(garbage), VK_SHADER_CREATE_LINK_STAGE_BIT_EXT)};
   VkShaderEXT both[2];
   vkt_expect(create_shaders(vkx.device, 2, infos, NULL, both) < 0 && !both[0] && !both[1], "linked garbage");
   destroy_shader(vkx.device, pair[0], NULL);
   destroy_shader(vkx.device, pair[1], NULL);
}

/* ---- all ---- */

static void
find_commands(void)
{
   create_shaders = VKT_PROC(&vkx, vkCreateShadersEXT);
   destroy_shader = VKT_PROC(&vkx, vkDestroyShaderEXT);
   get_binary = VKT_PROC(&vkx, vkGetShaderBinaryDataEXT);
   bind_shaders = VKT_PROC(&vkx, vkCmdBindShadersEXT);
   begin_rendering = VKT_PROC(&vkx, vkCmdBeginRenderingKHR);
   end_rendering = VKT_PROC(&vkx, vkCmdEndRenderingKHR);
   set_viewports = VKT_PROC(&vkx, vkCmdSetViewportWithCountEXT);
   set_scissors = VKT_PROC(&vkx, vkCmdSetScissorWithCountEXT);
   dynamic_states_init(&vkx);
}

static void
test_all(void)
{
   for (unsigned i = 0; i < CASES; i++) {
      struct dynamic_state states[2] = {random_state(), random_state()};
      test_case(i, states);
   }
   dynamic_states_expect_pairs();
   test_mixed();
   test_views(false);
   test_views(true);
   test_compute(false);
   test_compute(true);
   test_damaged();
}

static void
run_tests(bool times)
{
   find_commands();
   for (unsigned i = 0; i < FORMATS; i++)
      targets[i] = vkt_target_create(&vkx, formats[i], VK_FORMAT_D32_SFLOAT_S8_UINT, (VkExtent2D){SIZE, SIZE}, 1,
                                     VK_SAMPLE_COUNT_1_BIT);
   shapes = dynamic_shapes_create(&vkx);
   pixels = vkt_buffer_create(&vkx, MAX_B, 1);
   layout = vkx_pipeline_layout_create(&vkx, VK_NULL_HANDLE, 0, 0);
   if (times)
      print_times();
   else
      test_all();
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   dynamic_shapes_destroy(&vkx, &shapes);
   vkx_buffer_destroy(&vkx, &pixels);
   for (unsigned i = 0; i < FORMATS; i++)
      vkt_target_destroy(&vkx, &targets[i]);
}

int
main(int argc, char **argv)
{
   vkt_shader_objects = true;
   vkx = vkt_create("shader_objects");
   if (vkt_has("VK_EXT_shader_object"))
      run_tests(argc > 1 && !strcmp(argv[1], "--time"));
   else
      vkt_skip("VK_EXT_shader_object");
   return vkt_finish(&vkx);
}
