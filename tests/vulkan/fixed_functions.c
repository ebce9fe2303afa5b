/* Fixed functions of extensions, with results that are known beforehand: which vertex provokes, which part of depth
 * is clipped, which targets are written, many draws in one command. */
#include "fixed.h"

static const uint32_t number_code[] = {
#include "fixed_number.frag.inc"
};
static const uint32_t two_code[] = {
#include "fixed_two.frag.inc"
};
static const uint32_t half_code[] = {
#include "fixed_half.frag.inc"
};

/* ---- which vertex provokes ---- */

/* Vertices of primitive i, as Vulkan counts them for the first one: entry 0 provokes; `last` if the last one does. */
struct kind {
   const char *name;
   VkPrimitiveTopology topology;
   uint32_t vertices, primitives, corners;
   uint32_t step; /* of primitive i: from vertex i * step on */
   uint32_t first, last;
   uint32_t skip, gap; /* vertices ahead of its first corner, and between corners: neighbours */
};

static const struct kind kinds[] = {
   {"points", VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 6, 6, 1, 1, 0, 0, 0, 0},
   {"lines", VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 8, 4, 2, 2, 0, 1, 0, 0},
   {"a strip of lines", VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, 6, 5, 2, 1, 0, 1, 0, 0},
   {"triangles", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 12, 4, 3, 3, 0, 2, 0, 0},
   {"a strip", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 8, 6, 3, 1, 0, 2, 0, 0},
   {"a fan", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, 7, 5, 3, 1, 1, 2, 0, 0},
   {"lines with neighbours", VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, 16, 4, 2, 4, 1, 2, 1, 0},
   {"a strip of lines with neighbours", VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY, 8, 5, 2, 1, 1, 2, 1, 0},
   {"triangles with neighbours", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, 24, 4, 3, 6, 0, 4, 0, 1},
   {"a strip with neighbours", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 14, 5, 3, 2, 0, 4, 0, 1},
};

/* --quirks: of odd triangles in strips with neighbours the middle corner provokes where the last one should; RADV,
 * lavapipe and NVIDIA's driver take the last. */
static bool honeykrisp;

static bool
has_neighbours(const struct kind *kind)
{
   return kind->skip || kind->gap;
}

/* Around a circle for fans, else zigzag from left to right. */
static void
place_vertices(const struct kind *kind)
{
   static const float around[][2] = {{16, 16}, {16, 30}, {28, 24}, {28, 8}, {16, 2}, {4, 8}, {4, 24}};
   struct vertex *v = vertices.map;
   for (uint32_t i = 0; i < kind->vertices; i++) {
      const bool fan = kind->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
      v[i] = fan ? at_px(around[i][0], around[i][1], 0.5f)
                 : at_px(2.5f + (float)i * 28 / (float)(kind->vertices - 1), i / (1 + kind->gap) % 2 ? 26.5f : 5.5f,
                         0.5f);
   }
}

static void
middle_of(const struct kind *kind, uint32_t prim, uint32_t px[2])
{
   const struct vertex *v = vertices.map;
   float sum[2] = {0, 0};
   for (uint32_t i = 0; i < kind->corners; i++) {
      const bool hub = kind->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN && i == 0;
      const struct vertex *corner = &v[hub ? 0 : prim * kind->step + kind->skip + i * (1 + kind->gap)];
      sum[0] += (corner->x + 1) * SIZE / 2 / (float)kind->corners;
      sum[1] += (corner->y + 1) * SIZE / 2 / (float)kind->corners;
   }
   px[0] = (uint32_t)sum[0];
   px[1] = (uint32_t)sum[1];
}

/* Lines have no surely covered pixel in their middle: one of the two neighbours is covered. */
static uint32_t
find_pixel(const struct kind *kind, uint32_t prim)
{
   uint32_t px[2];
   middle_of(kind, prim, px);
   const uint32_t *texel = (const uint32_t *)buffer.map + px[1] * SIZE + px[0];
   if (!*texel && kind->corners == 2)
      texel += texel[1] ? 1 : -1;
   return *texel;
}

static void
check_provoking(const struct kind *kind, bool last, const char *way, bool numbers)
{
   for (uint32_t i = 0; i < kind->primitives; i++) {
      const uint32_t wanted = BYTES(i * kind->step + (last ? kind->last : kind->first), 0, numbers ? i : 0, 255);
      const uint32_t got = find_pixel(kind, i);
      vkt_expect(got == wanted, "primitive %u of %s, %s provokes, %s: %08x, not %08x", i, kind->name,
                 last ? "the last" : "the first", way, got, wanted);
   }
}

static VkPipeline
provoking_pipeline(const struct kind *kind, bool last, bool dynamic, bool numbers)
{
   static const VkDynamicState state = VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT;
   const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT mode = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
      .provokingVertexMode =
         last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT};
   VkPipelineRasterizationStateCreateInfo raster = plain_raster;
   raster.pNext = dynamic ? NULL : &mode;
   return create_pipeline(
      &(struct vkt_pipeline_info){.topology = kind->topology,
                                  .points = kind->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                  .raster = &raster,
                                  .fragment = numbers ? VKT_CODE(number_code) : VKT_CODE(fragment_code),
                                  .num_dynamic = dynamic,
                                  .dynamic = &state});
}

static void
test_provoking_kind(const struct kind *kind, PFN_vkCmdSetProvokingVertexModeEXT set)
{
   place_vertices(kind);
   for (unsigned way = 0; way < 8; way++) {
      const bool last = way & 1, dynamic = way & 2, numbers = way & 4;
      const bool other = honeykrisp && last && kind->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
      if ((dynamic && !set) || (numbers && !vkt_features.geometryShader) || other)
         continue;
      VkPipeline pipeline = provoking_pipeline(kind, last, dynamic, numbers);
      VkCommandBuffer cmd = begin_with(pipeline);
      if (dynamic)
         set(cmd, last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
      vkCmdDraw(cmd, kind->vertices, 1, 0, 0);
      end_and_read(cmd);
      check_provoking(kind, last, dynamic ? "set" : "of the pipeline", numbers);
      vkDestroyPipeline(vkx->device, pipeline, NULL);
   }
}

static void
test_provoking(void)
{
   if (!vkt_has("VK_EXT_provoking_vertex")) {
      vkt_skip("VK_EXT_provoking_vertex");
      return;
   }
   PFN_vkCmdSetProvokingVertexModeEXT set = NULL;
   if (vkt_has("VK_EXT_extended_dynamic_state3"))
      set = VKT_PROC(vkx, vkCmdSetProvokingVertexModeEXT);
   for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
      if (!has_neighbours(&kinds[i]) || vkt_features.geometryShader)
         test_provoking_kind(&kinds[i], set);
   }
}

/* ---- depth clip ---- */

/* Depth runs from -1 at the left to 2 at the right: a third of the pixels is before the range, another third beyond
 * it. */
static void
check_clip(bool clip, const char *way)
{
   static const struct {
      uint32_t x;
      bool inside;
   } places[] = {{2, false}, {9, false}, {12, true}, {19, true}, {23, false}, {29, false}};
   for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
      const bool shown = places[i].inside || !clip;
      const uint32_t got = ((const uint32_t *)buffer.map)[16 * SIZE + places[i].x];
      vkt_expect(!got == !shown, "%s: x %u is %08x", way, places[i].x, got);
   }
}

static void
test_clip_way(bool clamp, unsigned clip, PFN_vkCmdSetDepthClipEnableEXT set)
{
   static const VkDynamicState state = VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT;
   const VkPipelineRasterizationDepthClipStateCreateInfoEXT enable = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT,
      .depthClipEnable = clip == 1};
   VkPipelineRasterizationStateCreateInfo raster = plain_raster;
   char way[64];
   raster.depthClampEnable = clamp;
   raster.pNext = clip == 2 || set ? NULL : &enable;
   snprintf(way, sizeof(way), "clamped %d, clipped %u%s", clamp, clip, set ? " (set)" : "");
   VkPipeline pipeline =
      create_pipeline(&(struct vkt_pipeline_info){.raster = &raster, .num_dynamic = set != NULL, .dynamic = &state});
   VkCommandBuffer cmd = begin_with(pipeline);
   if (set)
      set(cmd, clip == 1);
   vkCmdDraw(cmd, 4, 1, 0, 0);
   end_and_read(cmd);
   check_clip(clip == 2 ? !clamp : clip, way);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

static void
test_depth_clip(void)
{
   if (!vkt_has("VK_EXT_depth_clip_enable") || !vkt_features.depthClamp) {
      vkt_skip("VK_EXT_depth_clip_enable");
      return;
   }
   for (unsigned i = 0; i < 4; i++)
      ((struct vertex *)vertices.map)[i] = at_px(i & 1 ? SIZE : 0, i & 2 ? SIZE : 0, i & 1 ? 2.0f : -1.0f);
   for (unsigned way = 0; way < 6; way++)
      test_clip_way(way % 2, way / 2, NULL);
   PFN_vkCmdSetDepthClipEnableEXT set = VKT_PROC(vkx, vkCmdSetDepthClipEnableEXT);
   for (unsigned way = 0; set && way < 4; way++)
      test_clip_way(way % 2, way / 2, set);
}

/* ---- which targets are written ---- */

static void
test_color_write_way(VkRenderPass pass, VkFramebuffer framebuffer, struct vkt_image images[2], unsigned enables,
                     PFN_vkCmdSetColorWriteEnableEXT set)
{
   static const VkDynamicState state = VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT;
   const VkBool32 on[2] = {enables & 1, enables >> 1 & 1};
   const VkPipelineColorWriteCreateInfoEXT writes = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT,
                                                     .attachmentCount = 2,
                                                     .pColorWriteEnables = on};
   const VkClearValue clears[2] = {clear_color(BYTES(1, 2, 3, 4)), clear_color(BYTES(5, 6, 7, 8))};
   const VkDeviceSize zero = 0;
   VkPipeline pipeline = create_pipeline(&(struct vkt_pipeline_info){.pass = pass,
                                                                     .colors = 2,
                                                                     .fragment = VKT_CODE(two_code),
                                                                     .blend_next = set ? NULL : &writes,
                                                                     .num_dynamic = set != NULL,
                                                                     .dynamic = &state});
   VkCommandBuffer cmd = vkx_begin(vkx);
   begin(cmd, pass, framebuffer, (VkRect2D){{0, 0}, extent}, 2, clears);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &zero);
   if (set) { /* what counts is set last */
      set(cmd, 2, (const VkBool32[2]){!on[0], !on[1]});
      vkCmdDraw(cmd, 4, 1, 4, 0);
      set(cmd, 2, on);
   }
   vkCmdDraw(cmd, 4, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t cleared = i ? BYTES(5, 6, 7, 8) : BYTES(1, 2, 3, 4);
      read_back(&images[i]);
      const uint32_t in = ((uint32_t *)buffer.map)[4 * SIZE + 4], out = ((uint32_t *)buffer.map)[28 * SIZE + 28];
      vkt_expect((in == cleared) == !on[i], "target %u, enables %u%s: %08x", i, enables, set ? " (set)" : "", in);
      vkt_expect((out == cleared) == (!set || on[i]), "target %u before, enables %u: %08x", i, enables, out);
   }
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

static void
test_color_write(void)
{
   if (!vkt_has("VK_EXT_color_write_enable")) {
      vkt_skip("VK_EXT_color_write_enable");
      return;
   }
   struct vkt_image images[2];
   VkImageView views[2];
   VkAttachmentDescription attachments[2];
   for (unsigned i = 0; i < 2; i++) {
      images[i] = image_create(RGBA8, 1, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
      views[i] = view_create(&images[i]);
      attachments[i] = attachment(RGBA8, 1, VK_ATTACHMENT_LOAD_OP_CLEAR);
   }
   const VkAttachmentReference references[2] = {{0, GENERAL}, {1, GENERAL}};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 2, .pColorAttachments = references};
   VkRenderPass pass = pass_create(2, attachments, 1, &subpass, NULL);
   VkFramebuffer framebuffer = framebuffer_create(pass, 2, views, 1);
   for (unsigned i = 0; i < 8; i++) {
      const float from = i < 4 ? 0 : 24;
      ((struct vertex *)vertices.map)[i] = at_px(from + (i & 1 ? 8 : 0), from + (i & 2 ? 8 : 0), 0.5f);
   }
   for (unsigned enables = 0; enables < 4; enables++) {
      test_color_write_way(pass, framebuffer, images, enables, NULL);
      test_color_write_way(pass, framebuffer, images, enables, VKT_PROC(vkx, vkCmdSetColorWriteEnableEXT));
   }
   destroy_pass(pass, framebuffer, 0, NULL);
   destroy_images(2, images, 2, views);
}

/* ---- many draws in one command ---- */

enum { DRAWS = 5 };

/* Triangle i covers the left of row i of cells, from vertex 3i on. */
static void
place_triangles(void)
{
   struct vertex *v = vertices.map;
   for (unsigned i = 0; i < DRAWS; i++) {
      const float y = (float)i * 6;
      v[3 * i] = at_px(0, y, 0.5f);
      v[3 * i + 1] = at_px(24, y, 0.5f);
      v[3 * i + 2] = at_px(0, y + 6, 0.5f);
   }
   for (unsigned i = 0; i < MAX_VERTICES; i++)
      ((uint16_t *)indices.map)[i] = (uint16_t)i;
}

static void
check_draws(const char *what, uint32_t count)
{
   for (uint32_t i = 0; i < DRAWS; i++)
      expect(what, 0, 2, 6 * i + 2, i < count ? BYTES(3 * i, i, 3, 255) : 0);
}

static void
test_multi_draw(void)
{
   if (!vkt_has("VK_EXT_multi_draw")) {
      vkt_skip("VK_EXT_multi_draw");
      return;
   }
   struct {
      VkMultiDrawInfoEXT draw;
      uint32_t other[3];
   } draws[DRAWS];
   VkMultiDrawIndexedInfoEXT by_draw[DRAWS], shared[DRAWS];
   PFN_vkCmdDrawMultiEXT draw_multi = VKT_PROC(vkx, vkCmdDrawMultiEXT);
   PFN_vkCmdDrawMultiIndexedEXT draw_multi_indexed = VKT_PROC(vkx, vkCmdDrawMultiIndexedEXT);
   VkPipeline pipeline =
      create_pipeline(&(struct vkt_pipeline_info){.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST});
   place_triangles();
   for (uint32_t i = 0; i < DRAWS; i++) {
      draws[i].draw = (VkMultiDrawInfoEXT){3 * i, 3};
      by_draw[i] = (VkMultiDrawIndexedInfoEXT){i, 3, (int32_t)(2 * i)};  /* index i is i */
      shared[i] = (VkMultiDrawIndexedInfoEXT){3 * i + 2, 3, 1000000000}; /* the offset of all counts */
   }
   for (uint32_t count = 0; count <= DRAWS; count += DRAWS) {
      VkCommandBuffer cmd = begin_with(pipeline);
      draw_multi(cmd, count, &draws[0].draw, 1, 3, sizeof(draws[0]));
      end_and_read(cmd);
      check_draws("draws", count);
   }
   for (unsigned way = 0; way < 2; way++) {
      const int32_t offset = -2;
      VkCommandBuffer cmd = begin_with(pipeline);
      draw_multi_indexed(cmd, DRAWS, way ? shared : by_draw, 1, 3, sizeof(by_draw[0]), way ? &offset : NULL);
      end_and_read(cmd);
      check_draws(way ? "indexed draws with one offset" : "indexed draws", DRAWS);
   }
   /* The number of a draw that follows is 0. */
   VkCommandBuffer cmd = begin_with(pipeline);
   draw_multi(cmd, 2, &draws[0].draw, 1, 3, sizeof(draws[0]));
   vkCmdDraw(cmd, 3, 1, 6, 3);
   end_and_read(cmd);
   expect("a draw after them", 0, 2, 14, BYTES(6, 0, 3, 255));
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* ---- lists that restart ---- */

/* Of the first triangle two vertices come before the restart: it never is one. */
static void
test_list_restart(void)
{
   static const uint16_t order[] = {0, 1, 0xffff, 3, 4, 5, 0xffff, 9, 10, 11, 0xffff, 0xffff, 12, 13, 14};
   if (!vkt_has("VK_EXT_primitive_topology_list_restart")) {
      vkt_skip("VK_EXT_primitive_topology_list_restart");
      return;
   }
   VkPipeline pipeline =
      create_pipeline(&(struct vkt_pipeline_info){.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .restart = true});
   place_triangles();
   memcpy(indices.map, order, sizeof(order));
   VkCommandBuffer cmd = begin_with(pipeline);
   vkCmdDrawIndexed(cmd, sizeof(order) / sizeof(order[0]), 1, 0, 0, 3);
   end_and_read(cmd);
   for (uint32_t i = 0; i < DRAWS; i++)
      expect("lists that restart", 0, 2, 6 * i + 2, i == 0 || i == 2 ? 0 : BYTES(3 * i, 0, 3, 255));
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* Indices 7 restart, until an index buffer is bound. */
static void
test_restart_index(void)
{
   static const uint16_t order[] = {0, 1, 7, 3, 4, 5, 7, 9, 10, 11, 7, 7, 12, 13, 14};
   const uint32_t num_indices = sizeof(order) / sizeof(order[0]);
   if (!vkt_has("VK_EXT_primitive_restart_index") || !vkt_has("VK_EXT_primitive_topology_list_restart")) {
      vkt_skip("VK_EXT_primitive_restart_index");
      return;
   }
   PFN_vkCmdSetPrimitiveRestartIndexEXT set = VKT_PROC(vkx, vkCmdSetPrimitiveRestartIndexEXT);
   VkPipeline pipeline =
      create_pipeline(&(struct vkt_pipeline_info){.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .restart = true});
   place_triangles();
   for (unsigned bound_again = 0; bound_again < 2; bound_again++) {
      for (uint32_t i = 0; i < num_indices; i++)
         ((uint16_t *)indices.map)[i] = bound_again && order[i] == 7 ? 0xffff : order[i];
      VkCommandBuffer cmd = begin_with(pipeline);
      set(cmd, 7);
      if (bound_again)
         vkCmdBindIndexBuffer(cmd, indices.buffer, 0, VK_INDEX_TYPE_UINT16);
      vkCmdDrawIndexed(cmd, num_indices, 1, 0, 0, 3);
      end_and_read(cmd);
      for (uint32_t i = 0; i < DRAWS; i++)
         expect(bound_again ? "the index buffer's restart index" : "a restart index", 0, 2, 6 * i + 2,
                i == 0 || i == 2 ? 0 : BYTES(3 * i, 0, 3, 255));
   }
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* ---- ranges of depth ---- */

static void
place_quad(float z)
{
   for (unsigned i = 0; i < 4; i++)
      ((struct vertex *)vertices.map)[i] = at_px(i & 1 ? SIZE : 0, i & 2 ? SIZE : 0, z);
}

static float
depth_of_draw(const struct vkt_pipeline_info *from, float z, float min, float max)
{
   const VkViewport viewport = {0, 0, SIZE, SIZE, min, max};
   struct vkt_pipeline_info info = *from;
   VkPipelineDepthStencilStateCreateInfo tests = write_all;
   tests.stencilTestEnable = VK_FALSE;
   info.depth_stencil = &tests;
   place_quad(z);
   VkPipeline pipeline = create_pipeline(&info);
   VkCommandBuffer cmd = begin_with(pipeline);
   vkCmdSetViewport(cmd, 0, 1, &viewport);
   vkCmdDraw(cmd, 4, 1, 0, 0);
   end_and_read(cmd);
   vkt_read(vkx, &target.depth, VK_IMAGE_ASPECT_DEPTH_BIT, 0, &buffer);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   return ((const float *)buffer.map)[16 * SIZE + 16];
}

static void
expect_depth(const char *what, float got, float wanted)
{
   vkt_expect(got > wanted - 1e-6f && got < wanted + 1e-6f, "%s: depth %g, not %g", what, (double)got,
              (double)wanted);
}

static void
test_clip_control(void)
{
   const VkPipelineViewportDepthClipControlCreateInfoEXT control = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT, .negativeOneToOne = VK_TRUE};
   const struct vkt_pipeline_info info = {.viewport_next = &control};
   if (!vkt_has("VK_EXT_depth_clip_control")) {
      vkt_skip("VK_EXT_depth_clip_control");
      return;
   }
   expect_depth("-1 of -1 to 1", depth_of_draw(&info, -1, 0.25f, 0.75f), 0.25f);
   expect_depth("0.5 of -1 to 1", depth_of_draw(&info, 0.5f, 0.25f, 0.75f), 0.625f);
   expect_depth("1 of -1 to 1", depth_of_draw(&info, 1, 1, 0), 0);
   expect_depth("-1.01 of -1 to 1 is clipped", depth_of_draw(&info, -1.01f, 0.25f, 0.75f), 1);
}

static void
test_unrestricted(void)
{
   const struct vkt_pipeline_info info = {0};
   if (!vkt_has("VK_EXT_depth_range_unrestricted")) {
      vkt_skip("VK_EXT_depth_range_unrestricted");
      return;
   }
   expect_depth("0 of -2 to 3", depth_of_draw(&info, 0, -2, 3), -2);
   expect_depth("1 of -2 to 3", depth_of_draw(&info, 1, -2, 3), 3);
   expect_depth("0.25 of 8 to 4", depth_of_draw(&info, 0.25f, 8, 4), 7);
}

static void
test_clamp_range(void)
{
   const VkDepthClampRangeEXT range = {0.3125f, 0.625f};
   const VkPipelineViewportDepthClampControlCreateInfoEXT control = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT,
      .depthClampMode = VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT,
      .pDepthClampRange = &range};
   VkPipelineRasterizationStateCreateInfo raster = plain_raster;
   raster.depthClampEnable = VK_TRUE;
   struct vkt_pipeline_info info = {.raster = &raster};
   expect_depth("clamped to the viewport", depth_of_draw(&info, 7, 0.25f, 0.75f), 0.75f);
   if (!vkt_has("VK_EXT_depth_clamp_control")) {
      vkt_skip("VK_EXT_depth_clamp_control");
      return;
   }
   info.viewport_next = &control;
   expect_depth("clamped from above", depth_of_draw(&info, 7, 0.25f, 0.75f), 0.625f);
   expect_depth("clamped from below", depth_of_draw(&info, 0, 0.25f, 0.75f), 0.3125f);
   expect_depth("within the range", depth_of_draw(&info, 0.5f, 0.25f, 0.75f), 0.5f);
}

static void
test_bias_units(void)
{
   VkDepthBiasRepresentationInfoEXT unit = {.sType = VK_STRUCTURE_TYPE_DEPTH_BIAS_REPRESENTATION_INFO_EXT,
                                            .depthBiasRepresentation = VK_DEPTH_BIAS_REPRESENTATION_FLOAT_EXT,
                                            .depthBiasExact = VK_TRUE};
   VkPipelineRasterizationStateCreateInfo raster = plain_raster;
   raster.depthBiasEnable = VK_TRUE;
   raster.pNext = &unit;
   const struct vkt_pipeline_info info = {.raster = &raster};
   if (!vkt_has("VK_EXT_depth_bias_control")) {
      vkt_skip("VK_EXT_depth_bias_control");
      return;
   }
   VkPhysicalDeviceDepthBiasControlFeaturesEXT has = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_BIAS_CONTROL_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &has};
   vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   raster.depthBiasConstantFactor = 0.25f;
   if (has.floatRepresentation)
      expect_depth("a bias in floats", depth_of_draw(&info, 0.5f, 0, 1), 0.75f);
   /* The same far from 1 as near to it, where a unit of floats is smaller. */
   unit.depthBiasRepresentation = VK_DEPTH_BIAS_REPRESENTATION_LEAST_REPRESENTABLE_VALUE_FORCE_UNORM_EXT;
   raster.depthBiasConstantFactor = 1 << 21;
   /* Honeykrisp's constants have the unit 1 on hardware, it seems, and 2^-16 on the model (docs/quirks.md). */
   if (!has.leastRepresentableValueForceUnormRepresentation || honeykrisp)
      return;
   const float high = depth_of_draw(&info, 0.5f, 0, 1) - 0.5f, low = depth_of_draw(&info, 0.125f, 0, 1) - 0.125f;
   vkt_expect(high == 0.125f, "2^21 units are %g", (double)high);
   vkt_expect(low == high, "2^21 units are %g near 0.125, and %g near 0.5", (double)low, (double)high);
}

/* ---- lines of half a pixel ---- */

/* One goes through the middles of pixels, one along their edges. */
static void
test_thin_lines(void)
{
   VkPipelineRasterizationStateCreateInfo raster = plain_raster;
   raster.lineWidth = 0.5f;
   if (!vkt_features.wideLines || vkx->properties.limits.lineWidthRange[0] > 0.5f)
      return vkt_skip("lines of half a pixel");
   VkPipeline pipeline =
      create_pipeline(&(struct vkt_pipeline_info){.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST, .raster = &raster});
   for (unsigned i = 0; i < 4; i++)
      ((struct vertex *)vertices.map)[i] = at_px(i & 1 ? 30 : 2, i & 2 ? 20 : 8.5f, 0.5f);
   VkCommandBuffer cmd = begin_with(pipeline);
   vkCmdDraw(cmd, 4, 1, 0, 0);
   end_and_read(cmd);
   for (uint32_t y = 7; y < 22; y++)
      vkt_expect(!((const uint32_t *)buffer.map)[y * SIZE + 16] == (y != 8), "thin lines: row %u is %08x", y,
                 ((const uint32_t *)buffer.map)[y * SIZE + 16]);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* ---- samples without attachments ---- */

/* Pipelines of one and of four samples in one subpass: each counts its own. */
static void
test_variable_samples(void)
{
   const VkSampleCountFlagBits counts[] = {1, 4, 2, 1};
   const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
   const VkQueryPoolCreateInfo query_info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 4};
   VkPipeline pipelines[4];
   VkQueryPool queries;
   uint32_t samples[4];
   if (!vkt_features.variableMultisampleRate)
      return vkt_skip("variableMultisampleRate");
   VkRenderPass pass = pass_create(0, NULL, 1, &subpass, NULL);
   VkFramebuffer framebuffer = framebuffer_create(pass, 0, NULL, 1);
   vkx_check(vkCreateQueryPool(vkx->device, &query_info, NULL, &queries), "vkCreateQueryPool");
   place_quad(0.5f);
   for (unsigned i = 0; i < 4; i++)
      pipelines[i] = create_pipeline(&(struct vkt_pipeline_info){
         .pass = pass, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, .no_color = true, .samples = counts[i]});
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdResetQueryPool(cmd, queries, 0, 4);
   begin(cmd, pass, framebuffer, (VkRect2D){{0, 0}, extent}, 0, NULL);
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &(VkDeviceSize){0});
   for (uint32_t i = 0; i < 4; i++) {
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
      vkCmdBeginQuery(cmd, queries, i, VK_QUERY_CONTROL_PRECISE_BIT);
      vkCmdDraw(cmd, 4, 1, 0, 0);
      vkCmdEndQuery(cmd, queries, i);
   }
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkx_check(vkGetQueryPoolResults(vkx->device, queries, 0, 4, sizeof(samples), samples, 4, VK_QUERY_RESULT_WAIT_BIT),
             "vkGetQueryPoolResults");
   for (unsigned i = 0; i < 4; i++)
      vkt_expect(samples[i] == SIZE * SIZE * counts[i], "%u samples of %u a pixel", samples[i], counts[i]);
   vkDestroyQueryPool(vkx->device, queries, NULL);
   destroy_pass(pass, framebuffer, 4, pipelines);
}

/* ---- alpha ---- */

/* A colour with an alpha of a half on four samples, resolved. */
static void
test_alpha_way(struct vkt_target *four, const struct vkt_image *resolved, bool covers, bool one, uint32_t wanted)
{
   const VkImageResolve region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                  .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                  .extent = {SIZE, SIZE, 1}};
   const VkDeviceSize zero = 0;
   VkPipeline pipeline = create_pipeline(&(struct vkt_pipeline_info){.pass = four->pass,
                                                                     .samples = VK_SAMPLE_COUNT_4_BIT,
                                                                     .fragment = VKT_CODE(half_code),
                                                                     .alpha_to_coverage = covers,
                                                                     .alpha_to_one = one});
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, four, four->pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &zero);
   vkCmdDraw(cmd, 4, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkCmdResolveImage(cmd, four->color.image, GENERAL, resolved->image, GENERAL, 1, &region);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(resolved);
   const uint8_t *got = (const uint8_t *)buffer.map + 4 * (16 * SIZE + 16);
   for (unsigned i = 0; i < 4; i++) {
      const int value = (int)(wanted >> (8 * i) & 0xff);
      vkt_expect(got[i] >= value - 1 && got[i] <= value + 1, "alpha covers %d, is one %d: component %u is %u, not %d",
                 covers, one, i, got[i], value);
   }
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

static void
test_alpha(void)
{
   if (!vkt_features.alphaToOne) {
      vkt_skip("alphaToOne");
      return;
   }
   struct vkt_target four = vkt_target_create(vkx, RGBA8, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_4_BIT);
   struct vkt_image resolved = image_create(RGBA8, 1, 1, 0);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &resolved, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkx_submit_and_wait(vkx, cmd);
   place_quad(0.5f);
   test_alpha_way(&four, &resolved, false, false, BYTES(255, 255, 255, 128));
   test_alpha_way(&four, &resolved, false, true, BYTES(255, 255, 255, 255));
   test_alpha_way(&four, &resolved, true, false, BYTES(128, 128, 128, 64));
   test_alpha_way(&four, &resolved, true, true, BYTES(128, 128, 128, 128));
   vkt_image_destroy(vkx, &resolved);
   vkt_target_destroy(vkx, &four);
}

int
main(int argc, char **argv)
{
   honeykrisp = !strcmp(vkx_option(argc, argv, "--quirks", ""), "honeykrisp");
   vkt_unrestricted_depth = true;
   struct vkx device = vkt_create("fixed_functions");
   fixed_start(&device);
   test_provoking();
   test_depth_clip();
   test_color_write();
   test_multi_draw();
   test_list_restart();
   test_restart_index();
   test_clip_control();
   test_unrestricted();
   test_clamp_range();
   test_bias_units();
   test_thin_lines();
   test_variable_samples();
   test_alpha();
   return fixed_finish();
}
