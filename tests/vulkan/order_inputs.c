/* What the decision about the order of fragments is fed: each case of order_inputs_cases.c shows another value where
 * one of these facts is wrong, or old, and the chip takes the triangles in another order.
 *
 *   order_inputs [--other]
 *
 * --other: the chip is told to take all triangles backwards, and each case must show that. */
#include <stdio.h>
#include <string.h>

#include "order_inputs.h"
#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "order_inputs.vert.inc"
};
static const uint32_t code_0[] = {
#include "order_inputs_0.frag.inc"
};
static const uint32_t code_1[] = {
#include "order_inputs_1.frag.inc"
};
static const uint32_t code_2[] = {
#include "order_inputs_2.frag.inc"
};
static const uint32_t code_3[] = {
#include "order_inputs_3.frag.inc"
};
static const uint32_t code_4[] = {
#include "order_inputs_4.frag.inc"
};
static const uint32_t code_5[] = {
#include "order_inputs_5.frag.inc"
};
static const uint32_t code_6[] = {
#include "order_inputs_6.frag.inc"
};
static const uint32_t code_7[] = {
#include "order_inputs_7.frag.inc"
};
static const struct vkt_code fragments[ORDER_KINDS] = {VKT_CODE(code_0), VKT_CODE(code_1), VKT_CODE(code_2),
                                                       VKT_CODE(code_3), VKT_CODE(code_4), VKT_CODE(code_5),
                                                       VKT_CODE(code_6), VKT_CODE(code_7)};

enum {
   PIXELS = ORDER_PX * ORDER_PX,
   SCENE_B = 256 + 4 * 4 * PIXELS, /* as in the shaders: triangles, then slots */
   COLORS = 2,
   DEPTH_FORMAT = VK_FORMAT_D32_SFLOAT_S8_UINT,
};

/* The targets of a case. */
struct targets {
   VkSampleCountFlagBits samples;
   unsigned colors;
   VkFormat formats[COLORS];
   struct vkt_image color[COLORS], depth;
   VkImageView views[COLORS + 1];
};

static struct {
   struct vkx vkx;
   struct vkx_buffer scene, texels;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkDescriptorSet set;
   VkQueryPool queries[2]; /* occlusion, statistics */
   bool other;
   PFN_vkCmdBeginRenderingKHR begin_rendering;
   PFN_vkCmdEndRenderingKHR end_rendering;
   PFN_vkCmdSetCullModeEXT cull_mode;
   PFN_vkCmdSetDepthTestEnableEXT depth_test;
   PFN_vkCmdSetDepthWriteEnableEXT depth_write;
   PFN_vkCmdSetDepthCompareOpEXT compare;
   PFN_vkCmdSetStencilTestEnableEXT stencil;
   PFN_vkCmdSetStencilOpEXT stencil_op;
   PFN_vkCmdSetLogicOpEnableEXT logic;
   PFN_vkCmdSetLogicOpEXT logic_op;
   PFN_vkCmdSetColorBlendEnableEXT blend;
   PFN_vkCmdSetColorBlendEquationEXT equations;
} s;

static const VkDynamicState dynamic[] = {
   VK_DYNAMIC_STATE_CULL_MODE,
   VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
   VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
   VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
   VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
   VK_DYNAMIC_STATE_STENCIL_OP,
   VK_DYNAMIC_STATE_STENCIL_REFERENCE,
   VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
   VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,
   VK_DYNAMIC_STATE_LOGIC_OP_EXT,
   VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT,
   VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
   VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
};

/* ---- targets ---- */

static struct vkt_image
create_image(VkFormat format, VkSampleCountFlagBits samples, VkImageUsageFlags usage)
{
   return vkt_image_create(
      &s.vkx,
      (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                          .format = format,
                          .extent = {ORDER_PX, ORDER_PX, 1},
                          .samples = samples,
                          .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
      false);
}

static struct targets
create_targets(const struct order_case *c)
{
   struct targets t = {.samples = c->coverage ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT,
                       .colors = c->formats[1] ? 2 : 1,
                       .formats = {c->formats[0] ? c->formats[0] : VK_FORMAT_R8G8B8A8_UNORM, c->formats[1]}};
   for (unsigned i = 0; i < t.colors; i++) {
      t.color[i] = create_image(t.formats[i], t.samples, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
      t.views[i] = vkt_view_create(&s.vkx, &t.color[i], VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
   }
   t.depth = create_image((VkFormat)DEPTH_FORMAT, t.samples, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   t.views[COLORS] =
      vkt_view_create(&s.vkx, &t.depth, VK_IMAGE_VIEW_TYPE_2D, vkt_aspects((VkFormat)DEPTH_FORMAT), 0, 0, 1);
   return t;
}

static void
destroy_targets(struct targets *t)
{
   for (unsigned i = 0; i < t->colors; i++) {
      vkDestroyImageView(s.vkx.device, t->views[i], NULL);
      vkt_image_destroy(&s.vkx, &t->color[i]);
   }
   vkDestroyImageView(s.vkx.device, t->views[COLORS], NULL);
   vkt_image_destroy(&s.vkx, &t->depth);
}

/* The first of `texels` in its bits; all pixels are alike. */
static uint32_t
read_image(const struct vkt_image *image, VkImageAspectFlags aspect, unsigned texel_B, unsigned seen_B)
{
   const uint8_t *texels = s.texels.map;
   uint32_t value = 0;
   bool alike = true;
   vkt_read(&s.vkx, image, aspect, 0, &s.texels);
   for (unsigned i = 1; i < PIXELS; i++)
      alike &= !memcmp(texels + texel_B * i, texels, seen_B);
   vkt_expect(alike, "all pixels are alike");
   memcpy(&value, texels, seen_B);
   return value;
}

static uint32_t
read_color(const struct targets *t, unsigned i)
{
   const bool half = t->formats[i] == VK_FORMAT_R16G16B16A16_SFLOAT;
   const unsigned channel_B = half ? 2 : 1;
   if (t->samples == VK_SAMPLE_COUNT_1_BIT)
      return read_image(&t->color[i], VK_IMAGE_ASPECT_COLOR_BIT, 4 * channel_B, channel_B);
   struct vkt_image resolved = create_image(t->formats[i], VK_SAMPLE_COUNT_1_BIT, 0);
   const VkImageResolve region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                  .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                  .extent = {ORDER_PX, ORDER_PX, 1}};
   VkCommandBuffer cmd = vkx_begin(&s.vkx);
   vkt_transition(cmd, &resolved, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdResolveImage(cmd, t->color[i].image, VK_IMAGE_LAYOUT_GENERAL, resolved.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                     &region);
   vkx_submit_and_wait(&s.vkx, cmd);
   const uint32_t value = read_image(&resolved, VK_IMAGE_ASPECT_COLOR_BIT, 4 * channel_B, channel_B);
   vkt_image_destroy(&s.vkx, &resolved);
   return value;
}

/* ---- pipelines and state ---- */

static VkPipeline
create_pipeline(const struct order_case *c, const struct order_draw *draw, const struct targets *t)
{
   const VkPipelineRenderingCreateInfoKHR rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO_KHR,
                                                       .colorAttachmentCount = t->colors,
                                                       .pColorAttachmentFormats = t->formats,
                                                       .depthAttachmentFormat = (VkFormat)DEPTH_FORMAT,
                                                       .stencilAttachmentFormat = (VkFormat)DEPTH_FORMAT};
   const VkPipelineRasterizationStateRasterizationOrderAMD order = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_RASTERIZATION_ORDER_AMD,
      .rasterizationOrder = VK_RASTERIZATION_ORDER_RELAXED_AMD};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .pNext = draw->relaxed ? &order : NULL,
      .frontFace = VK_FRONT_FACE_CLOCKWISE,
      .lineWidth = 1};
   return vkt_pipeline_create(&s.vkx, &(struct vkt_pipeline_info){
                                         .next = &rendering,
                                         .colors = t->colors,
                                         .layout = s.layout,
                                         .vertex = VKT_CODE(vertex_code),
                                         .fragment = fragments[draw->kind],
                                         .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                         .samples = t->samples,
                                         .alpha_to_coverage = c->coverage,
                                         .raster = &raster,
                                         .num_dynamic = sizeof(dynamic) / sizeof(*dynamic),
                                         .dynamic = dynamic,
                                      });
}

/* Only what has changed, as far as that is known: anything else could refresh what must not be old. */
static void
set_stencil(VkCommandBuffer cmd, const struct order_state *now, const struct order_state *before)
{
   for (unsigned i = 0; i < 2; i++) {
      const VkStencilFaceFlags side = i ? VK_STENCIL_FACE_BACK_BIT : VK_STENCIL_FACE_FRONT_BIT;
      const VkStencilOpState *face = &now->faces[i], *old = before ? &before->faces[i] : NULL;
      if (!old || face->passOp != old->passOp || face->compareOp != old->compareOp)
         s.stencil_op(cmd, side, face->failOp, face->passOp, face->depthFailOp, face->compareOp);
      if (!old || face->reference != old->reference)
         vkCmdSetStencilReference(cmd, side, face->reference);
      if (!old || face->compareMask != old->compareMask)
         vkCmdSetStencilCompareMask(cmd, side, face->compareMask);
      if (!old || face->writeMask != old->writeMask)
         vkCmdSetStencilWriteMask(cmd, side, face->writeMask);
   }
}

static void
set_state(VkCommandBuffer cmd, const struct order_state *now, const struct order_state *before, unsigned colors)
{
   if (!before)
      s.cull_mode(cmd, VK_CULL_MODE_NONE);
   if (!before || now->depth_test != before->depth_test)
      s.depth_test(cmd, now->depth_test);
   if (!before || now->depth_write != before->depth_write)
      s.depth_write(cmd, now->depth_write);
   if (!before || now->compare != before->compare)
      s.compare(cmd, now->compare);
   if (!before || now->stencil != before->stencil)
      s.stencil(cmd, now->stencil);
   set_stencil(cmd, now, before);
   if (!before || now->logic != before->logic)
      s.logic(cmd, now->logic);
   if (!before || now->logic_op != before->logic_op)
      s.logic_op(cmd, now->logic_op);
   if (!before || memcmp(now->blend, before->blend, sizeof(now->blend)))
      s.blend(cmd, 0, colors, now->blend);
   if (!before || memcmp(now->equations, before->equations, sizeof(now->equations)))
      s.equations(cmd, 0, colors, now->equations);
}

/* ---- recording ---- */

/* Of a case under way. */
struct recording {
   const struct order_case *c;
   const struct targets *targets;
   VkCommandBuffer cmd, secondary; /* secondary: NULL, or the one that is recorded */
   VkPipeline pipelines[ORDER_DRAWS];
   bool in_rendering, in_secondary;
   const struct order_draw *last; /* in this command buffer since state was last unknown */
   VkPipeline bound;
};

static void
begin_rendering(struct recording *r, bool clear, bool secondary)
{
   const VkAttachmentLoadOp load = clear ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD;
   VkRenderingAttachmentInfoKHR attachments[COLORS + 1];
   for (unsigned i = 0; i <= COLORS; i++) {
      attachments[i] = (VkRenderingAttachmentInfoKHR){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO_KHR,
                                                      .imageView = r->targets->views[i],
                                                      .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                      .loadOp = load,
                                                      .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
      if (i == COLORS)
         attachments[i].clearValue.depthStencil = (VkClearDepthStencilValue){ORDER_CLEAR_Z, ORDER_CLEAR_S};
      for (unsigned channel = 0; i < COLORS && channel < 4; channel++)
         attachments[i].clearValue.color.float32[channel] = ORDER_CLEAR_GRAY;
   }
   s.begin_rendering(
      r->cmd, &(VkRenderingInfoKHR){.sType = VK_STRUCTURE_TYPE_RENDERING_INFO_KHR,
                                    .flags = secondary ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT_KHR : 0,
                                    .renderArea = {{0, 0}, {ORDER_PX, ORDER_PX}},
                                    .layerCount = 1,
                                    .colorAttachmentCount = r->targets->colors,
                                    .pColorAttachments = attachments,
                                    .pDepthAttachment = &attachments[COLORS],
                                    .pStencilAttachment = &attachments[COLORS]});
   r->in_rendering = true;
   r->in_secondary = secondary;
}

static VkCommandBuffer
begin_secondary(const struct recording *r, enum order_query query)
{
   const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = s.vkx.pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                             .commandBufferCount = 1};
   const VkCommandBufferInheritanceRenderingInfoKHR rendering = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO_KHR,
      .colorAttachmentCount = r->targets->colors,
      .pColorAttachmentFormats = r->targets->formats,
      .depthAttachmentFormat = (VkFormat)DEPTH_FORMAT,
      .stencilAttachmentFormat = (VkFormat)DEPTH_FORMAT,
      .rasterizationSamples = r->targets->samples};
   const VkCommandBufferInheritanceInfo inheritance = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
      .pNext = &rendering,
      .occlusionQueryEnable = query == ORDER_BOOLEAN || query == ORDER_PRECISE,
      .queryFlags = query == ORDER_PRECISE ? VK_QUERY_CONTROL_PRECISE_BIT : 0,
      .pipelineStatistics =
         query == ORDER_INVOCATIONS ? VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT : 0};
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                           .pInheritanceInfo = &inheritance};
   VkCommandBuffer cmd;
   vkx_check(vkAllocateCommandBuffers(s.vkx.device, &info, &cmd), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
   return cmd;
}

static void
draw(struct recording *r, VkCommandBuffer cmd, unsigned i)
{
   const struct order_draw *d = &r->c->draw[i];
   if (!r->last)
      vkt_set_viewport(cmd, (VkExtent2D){ORDER_PX, ORDER_PX});
   if (!r->last)
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.layout, 0, 1, &s.set, 0, NULL);
   if (!r->last || r->bound != r->pipelines[i])
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, r->pipelines[i]);
   set_state(cmd, &d->state, r->last ? &r->last->state : NULL, r->targets->colors);
   vkCmdDraw(cmd, 3 * d->count, 1, 3 * ORDER_TRIANGLES * i, 0);
   r->bound = r->pipelines[i];
   r->last = d;
}

static VkQueryPool
pool_of(enum order_query query)
{
   return s.queries[query == ORDER_INVOCATIONS];
}

static void
draw_in_secondary(struct recording *r, unsigned i)
{
   const VkCommandBuffer secondary = begin_secondary(r, r->c->draw[i].query);
   r->last = NULL;
   draw(r, secondary, i);
   r->last = NULL;
   vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
   vkCmdExecuteCommands(r->cmd, 1, &secondary);
}

static void
record_draw(struct recording *r, unsigned i)
{
   const struct order_draw *d = &r->c->draw[i];
   const bool begins = !r->in_rendering || r->in_secondary != d->secondary;
   if (begins && r->in_rendering) {
      s.end_rendering(r->cmd);
      vkt_barrier(r->cmd);
   }
   const VkQueryControlFlags flags = d->query == ORDER_PRECISE ? VK_QUERY_CONTROL_PRECISE_BIT : 0;
   if (d->query && d->secondary) /* among secondary command buffers no query begins */
      vkCmdBeginQuery(r->cmd, pool_of(d->query), i, flags);
   if (begins)
      begin_rendering(r, i == 0, d->secondary);
   if (d->query && !d->secondary)
      vkCmdBeginQuery(r->cmd, pool_of(d->query), i, flags);
   if (d->secondary)
      draw_in_secondary(r, i);
   else
      draw(r, r->cmd, i);
   if (d->query && d->secondary) {
      s.end_rendering(r->cmd);
      r->in_rendering = false;
   }
   if (d->query)
      vkCmdEndQuery(r->cmd, pool_of(d->query), i);
}

static void
fill_scene(const struct order_case *c)
{
   float(*triangles)[4] = (float(*)[4])((uint8_t *)s.scene.map + 16);
   memset(s.scene.map, 0, SCENE_B);
   for (unsigned i = 0; i < c->draws; i++) {
      for (unsigned j = 0; j < c->draw[i].count; j++) {
         const struct order_triangle *t = &c->draw[i].triangles[j];
         const float values[4] = {t->z, t->gray, t->back ? 0 : 1, t->dropped};
         memcpy(triangles[ORDER_TRIANGLES * i + j], values, sizeof(values));
      }
   }
}

static void
run_draws(const struct order_case *c, const struct targets *t)
{
   struct recording r = {.c = c, .targets = t, .cmd = vkx_begin(&s.vkx)};
   for (unsigned i = 0; i < c->draws; i++) {
      for (unsigned j = 0; j < i && !r.pipelines[i]; j++) {
         if (c->draw[j].kind == c->draw[i].kind && c->draw[j].relaxed == c->draw[i].relaxed)
            r.pipelines[i] = r.pipelines[j];
      }
      if (!r.pipelines[i])
         r.pipelines[i] = create_pipeline(c, &c->draw[i], t);
   }
   fill_scene(c);
   for (unsigned i = 0; i < t->colors; i++)
      vkt_transition(r.cmd, &t->color[i], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_transition(r.cmd, &t->depth, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   for (unsigned i = 0; i < 2; i++) {
      if (s.queries[i])
         vkCmdResetQueryPool(r.cmd, s.queries[i], 0, ORDER_DRAWS);
   }
   for (unsigned i = 0; i < c->draws; i++)
      record_draw(&r, i);
   if (r.in_rendering)
      s.end_rendering(r.cmd);
   vkt_barrier(r.cmd);
   vkx_submit_and_wait(&s.vkx, r.cmd);
   for (unsigned i = 0; i < c->draws; i++) {
      bool again = false;
      for (unsigned j = 0; j < i; j++)
         again |= r.pipelines[j] == r.pipelines[i];
      if (!again)
         vkDestroyPipeline(s.vkx.device, r.pipelines[i], NULL);
   }
}

/* ---- results ---- */

static uint32_t
read_query(const struct order_case *c)
{
   const struct order_draw *d = &c->draw[c->draws - 1];
   uint64_t value = 0;
   vkx_check(vkGetQueryPoolResults(s.vkx.device, pool_of(d->query), c->draws - 1, 1, sizeof(value), &value,
                                   sizeof(value), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
             "vkGetQueryPoolResults");
   return d->query == ORDER_BOOLEAN ? value > 0 : (uint32_t)value / PIXELS;
}

static uint32_t
read_memory(void)
{
   const uint32_t *words = s.scene.map;
   uint32_t sum = words[0];
   for (unsigned i = 256 / 4; i < SCENE_B / 4; i++)
      sum += words[i];
   return sum / PIXELS;
}

static uint32_t
read_depth(const struct targets *t)
{
   const uint32_t bits = read_image(&t->depth, VK_IMAGE_ASPECT_DEPTH_BIT, 4, 4);
   float z;
   memcpy(&z, &bits, sizeof(z));
   return (uint32_t)(8 * z);
}

static uint32_t
see(const struct order_case *c, const struct targets *t)
{
   switch (c->seen) {
   case ORDER_SEEN_COLOR:
      return read_color(t, 0);
   case ORDER_SEEN_SECOND:
      return read_color(t, 1);
   case ORDER_SEEN_DEPTH:
      return read_depth(t);
   case ORDER_SEEN_STENCIL:
      return read_image(&t->depth, VK_IMAGE_ASPECT_STENCIL_BIT, 1, 1);
   case ORDER_SEEN_QUERY:
      return read_query(c);
   case ORDER_SEEN_MEMORY:
      return read_memory();
   }
   return 0;
}

static bool
blends(VkFormat format)
{
   VkFormatProperties properties;
   vkGetPhysicalDeviceFormatProperties(s.vkx.physical, format, &properties);
   return properties.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
}

/* Why the device does not draw it, or NULL. */
static const char *
lacks(const struct order_case *c)
{
   for (unsigned i = 0; i < COLORS; i++) {
      if (c->formats[i] && !blends(c->formats[i]))
         return "blending of the format";
   }
   if (c->formats[1] && !vkt_features.independentBlend)
      return "independentBlend";
   for (unsigned i = 0; i < c->draws; i++) {
      const struct order_draw *d = &c->draw[i];
      if (d->state.logic && !vkt_features.logicOp)
         return "logicOp";
      if (d->kind == ORDER_EXPORT && !vkt_has("VK_EXT_shader_stencil_export"))
         return "VK_EXT_shader_stencil_export";
      if (d->kind == ORDER_ORDERED && !vkt_has("VK_EXT_fragment_shader_interlock"))
         return "VK_EXT_fragment_shader_interlock";
      if (d->relaxed && !vkt_has("VK_AMD_rasterization_order"))
         return "VK_AMD_rasterization_order";
      if ((d->query == ORDER_PRECISE && !vkt_features.occlusionQueryPrecise) ||
          (d->query == ORDER_INVOCATIONS && !vkt_features.pipelineStatisticsQuery) ||
          (d->query && d->secondary && !vkt_features.inheritedQueries))
         return "queries";
   }
   return NULL;
}

static void
check(const struct order_case *c)
{
   if (lacks(c)) {
      vkt_skip(lacks(c));
      return;
   }
   struct targets t = create_targets(c);
   run_draws(c, &t);
   const uint32_t seen = see(c, &t), right = s.other ? c->other : c->right;
   vkt_expect(seen == right, "%s: 0x%x instead of 0x%x", c->name, seen, right);
   destroy_targets(&t);
}

static void
load_commands(struct vkx *vkx)
{
   s.begin_rendering = VKT_PROC(vkx, vkCmdBeginRenderingKHR);
   s.end_rendering = VKT_PROC(vkx, vkCmdEndRenderingKHR);
   s.cull_mode = VKT_PROC(vkx, vkCmdSetCullModeEXT);
   s.depth_test = VKT_PROC(vkx, vkCmdSetDepthTestEnableEXT);
   s.depth_write = VKT_PROC(vkx, vkCmdSetDepthWriteEnableEXT);
   s.compare = VKT_PROC(vkx, vkCmdSetDepthCompareOpEXT);
   s.stencil = VKT_PROC(vkx, vkCmdSetStencilTestEnableEXT);
   s.stencil_op = VKT_PROC(vkx, vkCmdSetStencilOpEXT);
   s.logic = VKT_PROC(vkx, vkCmdSetLogicOpEnableEXT);
   s.logic_op = VKT_PROC(vkx, vkCmdSetLogicOpEXT);
   s.blend = VKT_PROC(vkx, vkCmdSetColorBlendEnableEXT);
   s.equations = VKT_PROC(vkx, vkCmdSetColorBlendEquationEXT);
}

static VkQueryPool
create_queries(VkQueryType type)
{
   const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
      .queryType = type,
      .queryCount = ORDER_DRAWS,
      .pipelineStatistics =
         type == VK_QUERY_TYPE_PIPELINE_STATISTICS ? VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT : 0};
   VkQueryPool pool;
   vkx_check(vkCreateQueryPool(s.vkx.device, &info, NULL, &pool), "vkCreateQueryPool");
   return pool;
}

int
main(int argc, char **argv)
{
   static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   s.vkx = vkt_create("order_inputs");
   s.other = argc > 1 && !strcmp(argv[1], "--other");
   if (!vkt_has("VK_KHR_dynamic_rendering") || !vkt_has("VK_EXT_extended_dynamic_state2") ||
       !vkt_has("VK_EXT_extended_dynamic_state3") || !vkt_features.fragmentStoresAndAtomics) {
      vkt_skip("dynamic states");
      return vkt_finish(&s.vkx);
   }
   load_commands(&s.vkx);
   s.scene = vkt_buffer_create(&s.vkx, SCENE_B, 0);
   s.texels = vkt_buffer_create(&s.vkx, 8 * PIXELS, 0);
   s.set_layout = vkx_set_layout_create(&s.vkx, 1, &type, VKT_QUAD_STAGES);
   s.layout = vkx_pipeline_layout_create(&s.vkx, s.set_layout, VKT_QUAD_STAGES, 0);
   s.set = vkt_set_create(&s.vkx, s.set_layout, type, &s.scene);
   s.queries[0] = create_queries(VK_QUERY_TYPE_OCCLUSION);
   if (vkt_features.pipelineStatisticsQuery)
      s.queries[1] = create_queries(VK_QUERY_TYPE_PIPELINE_STATISTICS);
   for (unsigned i = 0; order_case(i); i++)
      check(order_case(i));
   for (unsigned i = 0; i < 2; i++)
      vkDestroyQueryPool(s.vkx.device, s.queries[i], NULL);
   vkt_sets_destroy(&s.vkx);
   vkDestroyPipelineLayout(s.vkx.device, s.layout, NULL);
   vkDestroyDescriptorSetLayout(s.vkx.device, s.set_layout, NULL);
   vkx_buffer_destroy(&s.vkx, &s.scene);
   vkx_buffer_destroy(&s.vkx, &s.texels);
   return vkt_finish(&s.vkx);
}
