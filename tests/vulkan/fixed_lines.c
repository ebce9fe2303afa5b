/* Lines as VK_EXT_line_rasterization has them, to the pixel: Bresenham's, rectangles, wide ones, patterns. */
#include "fixed.h"

/* A line, and the pixels that it covers: `x` and `y` of the first, a step, how many. */
struct line {
   const char *name;
   float x0, y0, x1, y1;
   uint32_t x, y, step_x, step_y, count;
};

/* The pixel that a line ends in is not its own. */
static const struct line lines[] = {
   {"to the right", 2.5f, 5.5f, 12.5f, 5.5f, 2, 5, 1, 0, 10},
   {"down", 7.5f, 3.5f, 7.5f, 29.5f, 7, 3, 0, 1, 26},
   {"a diagonal", 4.5f, 2.5f, 20.5f, 18.5f, 4, 2, 1, 1, 16},
};

static VkQueryPool queries; /* one: samples that pass */

struct way {
   VkLineRasterizationModeEXT mode;
   float width;
   bool stippled, dynamic;
   bool strip; /* of one line: its pattern begins anew, whatever the submit before has drawn */
   uint32_t factor;
   uint16_t pattern;
   VkSampleCountFlagBits samples;
};

static bool
in_pattern(const struct way *way, uint32_t i)
{
   return !way->stippled || way->pattern >> (i / way->factor % 16) & 1;
}

/* Whether the pixel belongs to the line of one pixel's width. */
static bool
is_covered(const struct line *line, const struct way *way, uint32_t x, uint32_t y)
{
   for (uint32_t i = 0; i < line->count; i++) {
      if (x == line->x + i * line->step_x && y == line->y + i * line->step_y)
         return in_pattern(way, i);
   }
   return false;
}

/* Wide Bresenham lines are so many lines side by side, along the minor axis. */
static bool
is_wanted(const struct line *line, const struct way *way, uint32_t x, uint32_t y)
{
   const uint32_t half = (uint32_t)way->width / 2;
   for (uint32_t i = 0; i <= 2 * half; i++) {
      const bool up = line->step_x > 0;
      if (is_covered(line, way, up ? x : x + half - i, up ? y + half - i : y))
         return true;
   }
   return false;
}

static VkPipeline
line_pipeline(VkRenderPass pass, const struct way *way)
{
   static const VkDynamicState states[] = {VK_DYNAMIC_STATE_LINE_WIDTH, VK_DYNAMIC_STATE_LINE_STIPPLE_EXT,
                                           VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT,
                                           VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT};
   const VkPipelineRasterizationLineStateCreateInfoEXT state = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
      .lineRasterizationMode = way->mode,
      .stippledLineEnable = way->stippled,
      .lineStippleFactor = way->factor,
      .lineStipplePattern = way->pattern};
   VkPipelineRasterizationStateCreateInfo raster = plain_raster;
   raster.lineWidth = way->width;
   raster.pNext = way->dynamic ? NULL : &state;
   return create_pipeline(&(struct vkt_pipeline_info){.pass = pass,
                                                      .topology = way->strip ? VK_PRIMITIVE_TOPOLOGY_LINE_STRIP
                                                                             : VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                                                      .samples = way->samples,
                                                      .raster = &raster,
                                                      .num_dynamic = way->dynamic ? 4 : 0,
                                                      .dynamic = states});
}

static void
set_way(VkCommandBuffer cmd, const struct way *way)
{
   vkCmdSetLineWidth(cmd, way->width);
   VKT_PROC(vkx, vkCmdSetLineStippleEXT)(cmd, way->factor, way->pattern);
   VKT_PROC(vkx, vkCmdSetLineRasterizationModeEXT)(cmd, way->mode);
   VKT_PROC(vkx, vkCmdSetLineStippleEnableEXT)(cmd, way->stippled);
}

static void
check_line(const struct line *line, const struct way *way, uint64_t passed)
{
   unsigned wrong = 0, wanted = 0;
   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < SIZE; x++) {
         const uint32_t got = ((const uint32_t *)buffer.map)[y * SIZE + x];
         const bool lit = is_wanted(line, way, x, y);
         wrong += got != (lit ? BYTES(0, 0, 0, 255) : 0);
         wanted += lit;
      }
   }
   vkt_expect(!wrong, "%s: mode %d, width %g, pattern %d, %u samples%s%s: %u pixels", line->name, way->mode,
              (double)way->width, way->stippled, way->samples, way->dynamic ? ", set" : "",
              way->strip ? ", strip" : "", wrong);
   vkt_expect(passed == (uint64_t)wanted * way->samples, "%s: mode %d, %u samples: %llu pass for %u pixels",
              line->name, way->mode, way->samples, (unsigned long long)passed, wanted);
}

static void
draw_line(struct vkt_target *to, const struct vkt_image *resolved, const struct line *line, const struct way *way)
{
   const VkImageResolve region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                  .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                  .extent = {SIZE, SIZE, 1}};
   const VkDeviceSize zero = 0;
   struct vertex *v = vertices.map;
   VkPipeline pipeline = line_pipeline(to->pass, way);
   v[0] = at_px(line->x0, line->y0, 0.5f);
   v[1] = at_px(line->x1, line->y1, 0.5f);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdResetQueryPool(cmd, queries, 0, 1);
   vkt_target_begin(cmd, to, to->pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &zero);
   if (way->dynamic)
      set_way(cmd, way);
   vkCmdBeginQuery(cmd, queries, 0, vkt_features.occlusionQueryPrecise ? VK_QUERY_CONTROL_PRECISE_BIT : 0);
   vkCmdDraw(cmd, 2, 1, 0, 0);
   vkCmdEndQuery(cmd, queries, 0);
   vkCmdEndRenderPass(cmd);
   if (way->samples > 1)
      vkCmdResolveImage(cmd, to->color.image, GENERAL, resolved->image, GENERAL, 1, &region);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(way->samples > 1 ? resolved : &to->color);
   uint64_t passed = 0;
   vkx_check(vkGetQueryPoolResults(vkx->device, queries, 0, 1, sizeof(passed), &passed, sizeof(passed),
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
             "vkGetQueryPoolResults");
   check_line(line, way, passed);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

static VkPhysicalDeviceLineRasterizationFeaturesEXT
line_features(void)
{
   VkPhysicalDeviceLineRasterizationFeaturesEXT has = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &has};
   vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   return has;
}

static void
test_ways(struct vkt_target *four, const struct vkt_image *resolved)
{
   const VkPhysicalDeviceLineRasterizationFeaturesEXT has = line_features();
   const bool dynamic = vkt_has("VK_EXT_extended_dynamic_state3");
   for (unsigned i = 0; i < 64; i++) {
      const struct way way = {.mode = i & 1 ? VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT
                                            : VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT,
                              .width = i & 2 ? 3 : 1,
                              .stippled = i & 4,
                              .dynamic = i & 8,
                              .factor = i & 2 ? 2 : 1,
                              .pattern = 0x2f37,
                              .strip = i & 32,
                              .samples = i & 16 ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT};
      const bool bresenham = i & 1;
      if ((bresenham ? !has.bresenhamLines : !has.rectangularLines) || (way.dynamic && !dynamic) ||
          (way.strip && !way.stippled) || (way.stippled && !(bresenham && has.stippledBresenhamLines)) ||
          (way.width > 1 && !vkt_features.wideLines))
         continue;
      for (unsigned k = 0; k < sizeof(lines) / sizeof(lines[0]); k++) {
         /* Rectangles begin and end at edges of pixels, and cut through those of diagonals. */
         struct line line = lines[k];
         line.x0 -= bresenham ? 0 : (float)line.step_x / 2;
         line.x1 -= bresenham ? 0 : (float)line.step_x / 2;
         line.y0 -= bresenham ? 0 : (float)line.step_y / 2;
         line.y1 -= bresenham ? 0 : (float)line.step_y / 2;
         if (bresenham || line.step_x != line.step_y)
            draw_line(way.samples > 1 ? four : &target, resolved, &line, &way);
      }
   }
}

int
main(void)
{
   struct vkx device = vkt_create("fixed_lines");
   fixed_start(&device);
   struct vkt_target four = vkt_target_create(vkx, RGBA8, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_4_BIT);
   struct vkt_image resolved = image_create(RGBA8, 1, 1, 0);
   const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 1};
   vkx_check(vkCreateQueryPool(vkx->device, &info, NULL, &queries), "vkCreateQueryPool");
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &resolved, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkx_submit_and_wait(vkx, cmd);
   if (vkt_has("VK_EXT_line_rasterization"))
      test_ways(&four, &resolved);
   else
      vkt_skip("VK_EXT_line_rasterization");
   vkDestroyQueryPool(vkx->device, queries, NULL);
   vkt_image_destroy(vkx, &resolved);
   vkt_target_destroy(vkx, &four);
   return fixed_finish();
}
