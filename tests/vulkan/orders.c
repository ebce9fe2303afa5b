/* Triangles over each other, in states whose results depend on their order and in others: depth, stencil, colour,
 * queries and counts of shaders' runs must be those of the order of submission, whatever order the chip takes.
 *
 *   orders [--any] [--seed N] [--count N] [--relaxed]
 *
 * First fixed cases, then so many random ones. --any: those of any order are taken, a line says of each fixed case
 * whether another order was seen; for drivers and models that are told to mix. --relaxed: the pipelines ask for it
 * (VK_AMD_rasterization_order). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "orders.h"
#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "orders.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "orders.frag.inc"
};
static const uint32_t stores_code[] = {
#include "orders_stores.frag.inc"
};

enum { ENOUGH = 60 /* random cases for all pairs of choices */ };

struct scene {
   struct vkx *vkx;
   struct vkt_target target;
   VkPipelineLayout layout;
   VkDescriptorSet set;
   VkQueryPool queries[2]; /* boolean, precise */
   struct vkx_buffer scene, colors, depths, stencils;
   bool any, relaxed;
};

static VkPipeline
create_pipeline(const struct scene *s, const struct orders_case *c)
{
   const VkPipelineDepthStencilStateCreateInfo depth = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = c->depth_test,
      .depthWriteEnable = c->depth_write,
      .depthCompareOp = c->depth_func,
      .depthBoundsTestEnable = c->bounds,
      .stencilTestEnable = c->stencil,
      .front = c->faces[0],
      .back = c->faces[1],
      .minDepthBounds = c->low,
      .maxDepthBounds = c->high,
   };
   const VkPipelineColorBlendAttachmentState blend = {
      .blendEnable = c->blend == ORDERS_MAX || c->blend == ORDERS_ADD,
      .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
      .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
      .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
      .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
      .colorBlendOp = c->blend == ORDERS_MAX ? VK_BLEND_OP_MAX : VK_BLEND_OP_ADD,
      .alphaBlendOp = c->blend == ORDERS_MAX ? VK_BLEND_OP_MAX : VK_BLEND_OP_ADD,
      .colorWriteMask = c->blend == ORDERS_NOTHING ? 0 : 0xf,
   };
   const VkPipelineRasterizationStateRasterizationOrderAMD order = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_RASTERIZATION_ORDER_AMD,
      .rasterizationOrder = VK_RASTERIZATION_ORDER_RELAXED_AMD};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .pNext = s->relaxed ? &order : NULL,
      .frontFace = VK_FRONT_FACE_CLOCKWISE,
      .lineWidth = 1};
   return vkt_pipeline_create(s->vkx, &(struct vkt_pipeline_info){
                                         .pass = s->target.pass,
                                         .layout = s->layout,
                                         .vertex = VKT_CODE(vertex_code),
                                         .fragment = c->stores ? VKT_CODE(stores_code) : VKT_CODE(fragment_code),
                                         .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                         .depth_stencil = &depth,
                                         .blend = &blend,
                                         .logic_op_enable = c->blend == ORDERS_XOR,
                                         .logic_op = VK_LOGIC_OP_XOR,
                                         .raster = &raster,
                                      });
}

static void
begin_pass(const struct scene *s, VkCommandBuffer cmd)
{
   const float gray = ORDERS_CLEAR_C / 255.0f;
   const VkClearValue clear[2] = {{.color = {{gray, gray, gray, gray}}},
                                  {.depthStencil = {ORDERS_CLEAR_Z, ORDERS_CLEAR_S}}};
   const VkRenderPassBeginInfo begin = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
      .renderPass = s->target.pass,
      .framebuffer = s->target.framebuffer,
      .renderArea = {{0, 0}, s->target.extent},
      .clearValueCount = 2,
      .pClearValues = clear,
   };
   vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
   vkt_set_viewport(cmd, s->target.extent);
}

static void
fill_scene(const struct scene *s, const struct orders_case *c)
{
   float triangles[1 + ORDERS_TRIANGLES][4] = {{0}}; /* ahead of them the count of runs */
   for (unsigned i = 0; i < c->count; i++) {
      const struct orders_triangle *t = &c->triangles[i];
      const float values[4] = {t->z, (float)t->gray / 255.0f, t->front, 0};
      memcpy(triangles[1 + i], values, sizeof(values));
   }
   memcpy(s->scene.map, triangles, sizeof(triangles));
}

static void
draw(VkCommandBuffer cmd, const struct orders_case *c)
{
   for (unsigned d = 0; d < c->draws; d++) {
      const unsigned first = c->count * d / c->draws, end = c->count * (d + 1) / c->draws;
      vkCmdDraw(cmd, 3 * (end - first), 1, 3 * first, 0);
   }
}

/* All pixels are alike. */
static void
read_targets(const struct scene *s, struct orders_result *r)
{
   const float *z = s->depths.map;
   const uint8_t *stencil = s->stencils.map, *color = s->colors.map;
   bool alike = true;
   vkt_read(s->vkx, &s->target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &s->colors);
   vkt_read(s->vkx, &s->target.depth, VK_IMAGE_ASPECT_DEPTH_BIT, 0, &s->depths);
   vkt_read(s->vkx, &s->target.depth, VK_IMAGE_ASPECT_STENCIL_BIT, 0, &s->stencils);
   for (unsigned i = 1; i < ORDERS_PX * ORDERS_PX; i++)
      alike &= !memcmp(&z[i], z, sizeof(*z)) && stencil[i] == *stencil && !memcmp(&color[4 * i], color, 4);
   vkt_expect(alike, "all pixels are alike");
   r->z = *z;
   r->s = *stencil;
   r->c = *color;
}

static struct orders_result
draw_case(const struct scene *s, const struct orders_case *c)
{
   const uint32_t pixels = ORDERS_PX * ORDERS_PX;
   struct orders_result r = {.z = 0};
   VkQueryPool pool = c->query ? s->queries[c->query == ORDERS_PRECISE] : VK_NULL_HANDLE;
   VkPipeline pipeline = create_pipeline(s, c);
   fill_scene(s, c);
   VkCommandBuffer cmd = vkx_begin(s->vkx);
   if (pool)
      vkCmdResetQueryPool(cmd, pool, 0, 1);
   begin_pass(s, cmd);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0, NULL);
   if (pool)
      vkCmdBeginQuery(cmd, pool, 0, c->query == ORDERS_PRECISE ? VK_QUERY_CONTROL_PRECISE_BIT : 0);
   draw(cmd, c);
   if (pool)
      vkCmdEndQuery(cmd, pool, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(s->vkx, cmd);
   read_targets(s, &r);
   uint32_t passed = 0;
   if (pool)
      vkx_check(vkGetQueryPoolResults(s->vkx->device, pool, 0, 1, 4, &passed, 4, VK_QUERY_RESULT_WAIT_BIT),
                "vkGetQueryPoolResults");
   r.passed = c->query == ORDERS_PRECISE ? passed / pixels : passed > 0;
   r.stores = *(const uint32_t *)s->scene.map / pixels;
   vkDestroyPipeline(s->vkx->device, pipeline, NULL);
   return r;
}

static void
check(const struct scene *s, const struct orders_case *c, unsigned number)
{
   static const uint8_t submission[ORDERS_TRIANGLES] = {0, 1, 2, 3, 4, 5};
   const struct orders_result right = orders_run(c, submission), r = draw_case(s, c);
   const bool same = orders_equal(&r, &right), free_ = orders_are_free(c);
   vkt_expect(same || (s->any && orders_give(c, &r)),
              "%s %u: depth %.3f stencil %u gray %u passed %u runs %u instead of %.3f %u %u %u %u (%s)", c->name,
              number, (double)r.z, r.s, r.c, r.passed, r.stores, (double)right.z, right.s, right.c, right.passed,
              right.stores, free_ ? "free" : "sensitive");
   if (s->any && orders_fixed(number) == c)
      printf("%s: %s, %s\n", c->name, free_ ? "free" : "sensitive", same ? "same" : "other");
}

static VkQueryPool
create_queries(const struct vkx *vkx)
{
   VkQueryPool pool;
   const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 1};
   vkx_check(vkCreateQueryPool(vkx->device, &info, NULL, &pool), "vkCreateQueryPool");
   return pool;
}

/* What the device does not have is left out. */
static struct orders_case
random_case(uint64_t seed)
{
   const VkPhysicalDeviceFeatures *f = &vkt_features;
   struct orders_case c = orders_random(seed, vkt_random_below);
   c.bounds &= f->depthBounds;
   c.stores &= f->fragmentStoresAndAtomics;
   if (c.blend == ORDERS_XOR && !f->logicOp)
      c.blend = ORDERS_REPLACE;
   if (c.query == ORDERS_PRECISE && !f->occlusionQueryPrecise)
      c.query = ORDERS_BOOLEAN;
   return c;
}

static bool
takes(const VkPhysicalDeviceFeatures *f, const struct orders_case *c)
{
   return (!c->bounds || f->depthBounds) && (c->blend != ORDERS_XOR || f->logicOp) &&
          (c->query != ORDERS_PRECISE || f->occlusionQueryPrecise) && (!c->stores || f->fragmentStoresAndAtomics);
}

int
main(int argc, char **argv)
{
   static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct vkx device = vkt_create("orders");
   struct scene s = {.vkx = &device};
   unsigned count = 0, seed = 1, pixels = ORDERS_PX * ORDERS_PX;
   for (int i = 1; i < argc; i++) {
      s.any |= !strcmp(argv[i], "--any");
      s.relaxed |= !strcmp(argv[i], "--relaxed");
      count = !strcmp(argv[i], "--count") && argv[i + 1] ? (unsigned)atoi(argv[i + 1]) : count;
      seed = !strcmp(argv[i], "--seed") && argv[i + 1] ? (unsigned)atoi(argv[i + 1]) : seed;
   }
   if (s.relaxed && !vkt_has("VK_AMD_rasterization_order")) {
      vkt_skip("VK_AMD_rasterization_order");
      return vkt_finish(s.vkx);
   }
   s.scene = vkt_buffer_create(s.vkx, 256, 0);
   s.colors = vkt_buffer_create(s.vkx, pixels * 4, 0);
   s.depths = vkt_buffer_create(s.vkx, pixels * 4, 0);
   s.stencils = vkt_buffer_create(s.vkx, pixels * 4, 0);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(s.vkx, 1, &type, VKT_QUAD_STAGES);
   s.layout = vkx_pipeline_layout_create(s.vkx, set_layout, VKT_QUAD_STAGES, 0);
   s.set = vkt_set_create(s.vkx, set_layout, type, &s.scene);
   s.target = vkt_target_create(s.vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT_S8_UINT,
                                (VkExtent2D){ORDERS_PX, ORDERS_PX}, 1, VK_SAMPLE_COUNT_1_BIT);
   for (unsigned i = 0; i < 2; i++)
      s.queries[i] = create_queries(s.vkx);
   for (unsigned i = 0; orders_fixed(i); i++)
      if (takes(&vkt_features, orders_fixed(i)))
         check(&s, orders_fixed(i), i);
   vkt_seed(seed);
   for (unsigned i = 0; i < count; i++) {
      const struct orders_case c = random_case((uint64_t)seed << 32 | i);
      check(&s, &c, i);
   }
   vkt_expect(count < ENOUGH || !orders_missing_pairs(), "a pair of choices is in no random case");
   for (unsigned i = 0; i < 2; i++)
      vkDestroyQueryPool(device.device, s.queries[i], NULL);
   vkt_target_destroy(s.vkx, &s.target);
   vkt_sets_destroy(s.vkx);
   vkDestroyPipelineLayout(device.device, s.layout, NULL);
   vkDestroyDescriptorSetLayout(device.device, set_layout, NULL);
   struct vkx_buffer *buffers[] = {&s.scene, &s.colors, &s.depths, &s.stencils};
   for (unsigned i = 0; i < 4; i++)
      vkx_buffer_destroy(s.vkx, buffers[i]);
   return vkt_finish(s.vkx);
}
