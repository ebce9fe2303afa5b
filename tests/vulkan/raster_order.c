/* One draw for each thing that decides whether the order of fragments matters; draw number n has 100 + n vertices.
 * Prints "n RIGHT NAME" for each: yes where no result can depend on the order, relaxed where the application says
 * that it does not mind. raster_order_test.py compares that with what the driver has programmed. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

enum { SIZE = 32, FIRST_VERTICES = 100 };

static const uint32_t vertex_code[] = {
#include "quad.vert.inc"
};
static const uint32_t fragment_0[] = {
#include "raster_order_0.frag.inc"
};
static const uint32_t fragment_1[] = {
#include "raster_order_1.frag.inc"
};
static const uint32_t fragment_2[] = {
#include "raster_order_2.frag.inc"
};
static const uint32_t fragment_3[] = {
#include "raster_order_3.frag.inc"
};
static const uint32_t fragment_4[] = {
#include "raster_order_4.frag.inc"
};
static const uint32_t fragment_5[] = {
#include "raster_order_5.frag.inc"
};
static const uint32_t fragment_6[] = {
#include "raster_order_6.frag.inc"
};
static const uint32_t fragment_7[] = {
#include "raster_order_7.frag.inc"
};
static const struct vkt_code fragments[] = {VKT_CODE(fragment_0), VKT_CODE(fragment_1), VKT_CODE(fragment_2),
                                            VKT_CODE(fragment_3), VKT_CODE(fragment_4), VKT_CODE(fragment_5),
                                            VKT_CODE(fragment_6), VKT_CODE(fragment_7)};

enum shader { COLOR, STORES, EARLY_STORES, ORDERED, UNORDERED, DISCARDS, EARLY_DISCARDS, ORDERED_READS };
enum targets { NOT_READ, COLOR_READ, DEPTH_READ, TARGETS }; /* that fragments of the subpass may read as inputs */
enum query { NO_QUERY, BOOLEAN, PRECISE, STATISTICS };

struct row {
   enum targets targets; /* in their order */
   const char *right, *name;
   VkPipelineDepthStencilStateCreateInfo tests;
   VkPipelineColorBlendAttachmentState blend;
   enum shader shader;
   enum query query;
   bool relaxed;
   uint32_t back_reference; /* dynamic, as the reference of both faces and the masks are; the front's is 1 */
};

#define DEPTH(compare, write)                                                                                        \
   .tests = {.depthTestEnable = VK_TRUE, .depthWriteEnable = write, .depthCompareOp = VK_COMPARE_OP_##compare}
#define STENCIL(front_fail, back_fail)                                                                               \
   .tests = {.depthTestEnable = VK_TRUE,                                                                             \
             .depthCompareOp = VK_COMPARE_OP_LESS,                                                                   \
             .stencilTestEnable = VK_TRUE,                                                                           \
             .front = {.compareOp = VK_COMPARE_OP_ALWAYS, .depthFailOp = VK_STENCIL_OP_##front_fail},                \
             .back = {.compareOp = VK_COMPARE_OP_ALWAYS, .depthFailOp = VK_STENCIL_OP_##back_fail}}
#define PLAIN .blend = {.colorWriteMask = 0xf}
#define BLEND(op, src, dst)                                                                                          \
   .blend = {VK_TRUE,                                                                                                \
             VK_BLEND_FACTOR_##src,                                                                                  \
             VK_BLEND_FACTOR_##dst,                                                                                  \
             VK_BLEND_OP_##op,                                                                                       \
             VK_BLEND_FACTOR_##src,                                                                                  \
             VK_BLEND_FACTOR_##dst,                                                                                  \
             VK_BLEND_OP_##op,                                                                                       \
             0xf}

static const struct row rows[] = {
   {.right = "yes", .name = "prepass", DEPTH(LESS, VK_TRUE)},
   {.right = "no", .name = "colour and depth", DEPTH(LESS, VK_TRUE), PLAIN},
   {.right = "no", .name = "colour behind a prepass", DEPTH(EQUAL, VK_FALSE), PLAIN},
   {.right = "no", .name = "colour", PLAIN},
   {.right = "yes", .name = "MAX", DEPTH(LESS, VK_FALSE), BLEND(MAX, ONE, ONE)},
   {.right = "no", .name = "MAX and depth", DEPTH(LESS, VK_TRUE), BLEND(MAX, ONE, ONE)},
   {.right = "no", .name = "added", DEPTH(LESS, VK_FALSE), BLEND(ADD, ONE, ONE)},
   {.right = "no", .name = "alpha", DEPTH(LESS, VK_FALSE), BLEND(ADD, SRC_ALPHA, ONE_MINUS_SRC_ALPHA)},
   {.right = "relaxed",
    .name = "alpha, relaxed",
    DEPTH(LESS, VK_FALSE),
    BLEND(ADD, SRC_ALPHA, ONE_MINUS_SRC_ALPHA),
    .relaxed = true},
   {.right = "relaxed", .name = "ordered sections, relaxed", PLAIN, .shader = ORDERED, .relaxed = true},
   {.right = "yes", .name = "shadow volume", STENCIL(DECREMENT_AND_WRAP, INCREMENT_AND_WRAP), .back_reference = 1},
   {.right = "no", .name = "zero and invert", STENCIL(ZERO, INVERT), .back_reference = 1},
   {.right = "yes", .name = "one reference", STENCIL(REPLACE, REPLACE), .back_reference = 1},
   {.right = "no", .name = "two references", STENCIL(REPLACE, REPLACE), .back_reference = 2},
   {.right = "yes", .name = "boolean query", DEPTH(LESS, VK_TRUE), .query = BOOLEAN},
   {.right = "no", .name = "precise query", DEPTH(LESS, VK_TRUE), .query = PRECISE},
   {.right = "yes", .name = "precise query, depth kept", DEPTH(LESS, VK_FALSE), .query = PRECISE},
   {.right = "yes", .name = "after the queries", DEPTH(LESS, VK_TRUE)},
   {.right = "no",
    .name = "statistics after early tests",
    DEPTH(LESS, VK_TRUE),
    .query = STATISTICS,
    .shader = EARLY_DISCARDS},
   {.right = "yes", .name = "stores", DEPTH(LESS, VK_TRUE), .shader = STORES},
   {.right = "no", .name = "stores after early tests", DEPTH(LESS, VK_TRUE), .shader = EARLY_STORES},
   {.right = "yes", .name = "stores after early tests, depth kept", DEPTH(LESS, VK_FALSE), .shader = EARLY_STORES},
   {.right = "no", .name = "ordered sections", .shader = ORDERED},
   {.right = "no", .name = "ordered sections that only read, MAX", BLEND(MAX, ONE, ONE), .shader = ORDERED_READS},
   {.right = "yes", .name = "unordered sections", .shader = UNORDERED},
   {.right = "yes", .name = "discards", DEPTH(LESS, VK_TRUE), .shader = DISCARDS},
   {.right = "no",
    .name = "boolean query of who discards after early tests",
    DEPTH(LESS, VK_TRUE),
    .query = BOOLEAN,
    .shader = EARLY_DISCARDS},
   {.targets = COLOR_READ, .right = "no", .name = "MAX, which is an input", BLEND(MAX, ONE, ONE)},
   {.targets = COLOR_READ, .right = "yes", .name = "prepass, colour is an input", DEPTH(LESS, VK_TRUE)},
   {.targets = DEPTH_READ, .right = "no", .name = "prepass, which is an input", DEPTH(LESS, VK_TRUE)},
   {.targets = DEPTH_READ, .right = "yes", .name = "MAX, depth kept", DEPTH(LESS, VK_FALSE), BLEND(MAX, ONE, ONE)},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static VkPipeline
pipeline_create(struct vkx *vkx, const struct row *row, VkRenderPass pass, VkPipelineLayout layout)
{
   const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK, VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,
                                     VK_DYNAMIC_STATE_STENCIL_REFERENCE};
   const VkPipelineRasterizationStateRasterizationOrderAMD order = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_RASTERIZATION_ORDER_AMD,
      .rasterizationOrder = VK_RASTERIZATION_ORDER_RELAXED_AMD};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .pNext = row->relaxed && vkt_has("VK_AMD_rasterization_order") ? &order : NULL,
      .lineWidth = 1};
   VkPipelineDepthStencilStateCreateInfo tests = row->tests;
   tests.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = pass,
                                                               .layout = layout,
                                                               .vertex = VKT_CODE(vertex_code),
                                                               .fragment = fragments[row->shader],
                                                               .depth_stencil = &tests,
                                                               .blend = &row->blend,
                                                               .raster = &raster,
                                                               .num_dynamic = 3,
                                                               .dynamic = dynamic});
}

static void
draw(VkCommandBuffer cmd, unsigned i, VkPipelineLayout layout, const VkQueryPool pools[2])
{
   const struct row *row = &rows[i];
   const struct vkt_quad quad = {-0.5f, -0.5f, 0.5f, 0.5f, {0.25f, 0.5f, 0.75f, 0.5f}, 0.5f};
   VkQueryPool pool = pools[row->query == STATISTICS];
   vkCmdSetStencilCompareMask(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, 0xff);
   vkCmdSetStencilWriteMask(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, 0xff);
   vkCmdSetStencilReference(cmd, VK_STENCIL_FACE_FRONT_BIT, 1);
   vkCmdSetStencilReference(cmd, VK_STENCIL_FACE_BACK_BIT, row->back_reference);
   vkCmdPushConstants(cmd, layout, VKT_QUAD_STAGES, 0, sizeof(quad), &quad);
   if (row->query)
      vkCmdBeginQuery(cmd, pool, i, row->query == PRECISE ? VK_QUERY_CONTROL_PRECISE_BIT : 0);
   vkCmdDraw(cmd, FIRST_VERTICES + i, 1, 0, 0);
   if (row->query)
      vkCmdEndQuery(cmd, pool, i);
}

/* As vkt_target_create() makes them, and one of the two is an input attachment as well. */
static struct vkt_target
target_create(struct vkx *vkx, enum targets targets)
{
   enum {
      SAMPLES = VK_SAMPLE_COUNT_1_BIT,
      CLEAR = VK_ATTACHMENT_LOAD_OP_CLEAR,
      STORE = VK_ATTACHMENT_STORE_OP_STORE
   };
   const VkFormat formats[2] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT_S8_UINT};
   const VkImageUsageFlags usages[2] = {VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                        VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT};
   const VkAttachmentReference refs[2] = {{0, VK_IMAGE_LAYOUT_GENERAL}, {1, VK_IMAGE_LAYOUT_GENERAL}};
   struct vkt_target target = {.extent = {SIZE, SIZE}, .layers = 1};
   struct vkt_image *images[2] = {&target.color, &target.depth};
   VkAttachmentDescription attachments[2];
   for (unsigned i = 0; i < 2; i++) {
      attachments[i] = (VkAttachmentDescription){.format = formats[i],
                                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                                 .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                 .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                 .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
      *images[i] = vkt_image_create(vkx,
                                    (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                                        .format = formats[i],
                                                        .extent = {SIZE, SIZE, 1},
                                                        .usage = usages[i] | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT},
                                    false);
      target.views[i] = vkt_view_create(vkx, images[i], VK_IMAGE_VIEW_TYPE_2D, vkt_aspects(formats[i]), 0, 0, 1);
   }
   const VkSubpassDescription subpass = {.inputAttachmentCount = targets != NOT_READ,
                                         .pInputAttachments = &refs[targets == DEPTH_READ],
                                         .colorAttachmentCount = 1,
                                         .pColorAttachments = &refs[0],
                                         .pDepthStencilAttachment = &refs[1]};
   const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 2,
                                        .pAttachments = attachments,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   vkx_check(vkCreateRenderPass(vkx->device, &pass, NULL, &target.pass), "vkCreateRenderPass");
   const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                .renderPass = target.pass,
                                                .attachmentCount = 2,
                                                .pAttachments = target.views,
                                                .width = SIZE,
                                                .height = SIZE,
                                                .layers = 1};
   vkx_check(vkCreateFramebuffer(vkx->device, &framebuffer, NULL, &target.framebuffer), "vkCreateFramebuffer");
   return target;
}

static VkQueryPool
query_pool_create(struct vkx *vkx, VkQueryType type, VkQueryPipelineStatisticFlags statistics)
{
   const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                       .queryType = type,
                                       .queryCount = ROWS,
                                       .pipelineStatistics = statistics};
   VkQueryPool pool;
   vkx_check(vkCreateQueryPool(vkx->device, &info, NULL, &pool), "vkCreateQueryPool");
   return pool;
}

int
main(void)
{
   struct vkx vkx = vkt_create("raster_order");
   if (!vkt_has("VK_EXT_fragment_shader_interlock") || !vkt_features.occlusionQueryPrecise ||
       !vkt_features.pipelineStatisticsQuery) {
      vkt_skip("interlock or queries");
      return vkt_finish(&vkx);
   }
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct vkt_target targets[TARGETS];
   for (unsigned i = 0; i < TARGETS; i++)
      targets[i] = target_create(&vkx, i);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(&vkx, 1, &type, VK_SHADER_STAGE_FRAGMENT_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(&vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct vkt_quad));
   struct vkx_buffer words = vkt_buffer_create(&vkx, 4096, 0);
   VkDescriptorSet set = vkt_set_create(&vkx, set_layout, type, &words);
   VkQueryPool pools[2] = {query_pool_create(&vkx, VK_QUERY_TYPE_OCCLUSION, 0),
                           query_pool_create(&vkx, VK_QUERY_TYPE_PIPELINE_STATISTICS,
                                             VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT)};
   VkPipeline pipelines[ROWS];

   VkCommandBuffer cmd = vkx_begin(&vkx);
   for (unsigned i = 0; i < 2; i++)
      vkCmdResetQueryPool(cmd, pools[i], 0, ROWS);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   for (unsigned i = 0; i < ROWS; i++) {
      const struct vkt_target *target = &targets[rows[i].targets];
      if (i && rows[i].targets != rows[i - 1].targets)
         vkCmdEndRenderPass(cmd);
      if (!i || rows[i].targets != rows[i - 1].targets)
         vkt_target_begin(cmd, target, target->pass, VK_SUBPASS_CONTENTS_INLINE);
      pipelines[i] = pipeline_create(&vkx, &rows[i], target->pass, layout);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
      draw(cmd, i, layout, pools);
      printf("%u %s %s\n", i, rows[i].right, rows[i].name);
   }
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   vkt_expect(((const uint32_t *)words.map)[STORES * 32] > 0, "nobody has stored anything");

   for (unsigned i = 0; i < ROWS; i++)
      vkDestroyPipeline(vkx.device, pipelines[i], NULL);
   for (unsigned i = 0; i < 2; i++)
      vkDestroyQueryPool(vkx.device, pools[i], NULL);
   vkx_buffer_destroy(&vkx, &words);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx.device, set_layout, NULL);
   vkt_sets_destroy(&vkx);
   for (unsigned i = 0; i < TARGETS; i++)
      vkt_target_destroy(&vkx, &targets[i]);
   return vkt_finish(&vkx);
}
