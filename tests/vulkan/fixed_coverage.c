/* What decides which pixels and samples a primitive covers: discard rectangles, conservative rasterization, locations
 * of samples. Results are known beforehand. */
#include "fixed.h"

static void
place(uint32_t count, const float at[][2])
{
   struct vertex *v = vertices.map;
   for (uint32_t i = 0; i < count; i++)
      v[i] = at_px(at[i][0], at[i][1], 0.5f);
}

static bool
is_drawn(uint32_t x, uint32_t y)
{
   return ((const uint32_t *)buffer.map)[y * SIZE + x] != 0;
}

/* ---- discard rectangles ---- */

static const VkRect2D rectangles[4] = {
   {{2, 3}, {10, 8}}, {{8, 5}, {20, 12}}, {{30, 0}, {100, 32}}, {{5, 20}, {1, 7}}};

static void
check_discard(uint32_t count, bool exclusive, const char *way)
{
   unsigned wrong = 0;
   for (uint32_t i = 0; i < SIZE * SIZE; i++) {
      const uint32_t x = i % SIZE, y = i / SIZE;
      bool inside = false;
      for (uint32_t r = 0; r < count; r++) {
         const VkRect2D *at = &rectangles[r];
         inside |= x - (uint32_t)at->offset.x < at->extent.width && y - (uint32_t)at->offset.y < at->extent.height;
      }
      wrong += is_drawn(x, y) != (count ? inside != exclusive : true);
   }
   vkt_expect(!wrong, "%u rectangles, exclusive %d, %s: %u pixels are wrong", count, exclusive, way, wrong);
}

static void
test_discard(uint32_t count, bool exclusive, unsigned dynamic)
{
   static const VkDynamicState states[3] = {VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT,
                                            VK_DYNAMIC_STATE_DISCARD_RECTANGLE_ENABLE_EXT,
                                            VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT};
   const VkPipelineDiscardRectangleStateCreateInfoEXT described = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT,
      .discardRectangleMode = exclusive != (dynamic == 3) ? VK_DISCARD_RECTANGLE_MODE_EXCLUSIVE_EXT
                                                          : VK_DISCARD_RECTANGLE_MODE_INCLUSIVE_EXT,
      .discardRectangleCount = count,
      .pDiscardRectangles = dynamic ? NULL : rectangles};
   VkPipeline plain = create_pipeline(&(struct vkt_pipeline_info){0});
   VkPipeline pipeline =
      create_pipeline(&(struct vkt_pipeline_info){.next = &described, .num_dynamic = dynamic, .dynamic = states});
   place(4, (const float[][2]){{0, 0}, {SIZE, 0}, {0, SIZE}, {SIZE, SIZE}});
   VkCommandBuffer cmd = begin_with(pipeline);
   if (dynamic)
      VKT_PROC(vkx, vkCmdSetDiscardRectangleEXT)(cmd, 0, count ? count : 1, rectangles);
   if (dynamic > 1)
      VKT_PROC(vkx, vkCmdSetDiscardRectangleEnableEXT)(cmd, count != 0);
   if (dynamic > 2)
      VKT_PROC(vkx, vkCmdSetDiscardRectangleModeEXT)(cmd, exclusive ? VK_DISCARD_RECTANGLE_MODE_EXCLUSIVE_EXT
                                                                    : VK_DISCARD_RECTANGLE_MODE_INCLUSIVE_EXT);
   vkCmdDraw(cmd, 4, 1, 0, 0);
   end_and_read(cmd);
   check_discard(count, exclusive, dynamic == 3 ? "all dynamic" : dynamic ? "dynamic" : "static");
   /* Clears pass through; and so do draws of a pipeline that knows nothing of it. */
   cmd = begin_with(pipeline);
   if (dynamic)
      VKT_PROC(vkx, vkCmdSetDiscardRectangleEXT)(cmd, 0, count ? count : 1, rectangles);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, plain);
   vkCmdDraw(cmd, 4, 1, 0, 0);
   end_and_read(cmd);
   check_discard(0, false, "another pipeline");
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipeline(vkx->device, plain, NULL);
}

static void
test_discards(bool layer)
{
   if (!vkt_has("VK_EXT_discard_rectangles")) {
      vkt_skip("VK_EXT_discard_rectangles");
      return;
   }
   const bool second = VKT_PROC(vkx, vkCmdSetDiscardRectangleEnableEXT) && !layer;
   for (uint32_t count = 0; count <= 4; count++) {
      for (unsigned i = 0; i < 8; i++) {
         if (second || i / 2 < 2)
            test_discard(count, i & 1, i / 2);
      }
   }
}

/* ---- conservative rasterization ---- */

/* Of a triangle whose edges at x 4.75 and y 6.25 are all that the picture shows, and of one within a pixel. */
static void
test_conservative(VkConservativeRasterizationModeEXT mode, bool dynamic)
{
   static const VkDynamicState state = VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT;
   const VkPipelineRasterizationConservativeStateCreateInfoEXT described = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT,
      .conservativeRasterizationMode = mode};
   VkPipelineRasterizationStateCreateInfo raster = plain_raster;
   raster.pNext = dynamic ? NULL : &described;
   VkPipeline pipeline = create_pipeline(&(struct vkt_pipeline_info){
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .raster = &raster, .num_dynamic = dynamic, .dynamic = &state});
   const bool over = mode == VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT;
   const bool under = mode == VK_CONSERVATIVE_RASTERIZATION_MODE_UNDERESTIMATE_EXT;
   for (unsigned small = 0; small < 2; small++) {
      if (small)
         place(3, (const float[][2]){{20.125f, 20.125f}, {20.25f, 20.125f}, {20.125f, 20.25f}});
      else
         place(3, (const float[][2]){{4.75f, 6.25f}, {100.75f, 6.25f}, {4.75f, 102.25f}});
      VkCommandBuffer cmd = begin_with(pipeline);
      if (dynamic)
         VKT_PROC(vkx, vkCmdSetConservativeRasterizationModeEXT)(cmd, mode);
      vkCmdDraw(cmd, 3, 1, 0, 0);
      end_and_read(cmd);
      unsigned wrong = 0;
      for (uint32_t i = 0; i < SIZE * SIZE; i++) {
         const uint32_t x = i % SIZE, y = i / SIZE;
         const bool wanted = small ? over && x == 20 && y == 20 : x >= (over ? 4u : 5u) && y >= (under ? 7u : 6u);
         wrong += is_drawn(x, y) != wanted;
      }
      vkt_expect(!wrong, "conservative mode %d, dynamic %d, triangle %u: %u pixels are wrong", mode, dynamic, small,
                 wrong);
   }
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

static void
test_conservatives(void)
{
   if (!vkt_has("VK_EXT_conservative_rasterization")) {
      vkt_skip("VK_EXT_conservative_rasterization");
      return;
   }
   const bool dynamic = vkt_has("VK_EXT_extended_dynamic_state3");
   for (unsigned mode = 0; mode < 3; mode++) {
      test_conservative((VkConservativeRasterizationModeEXT)mode, false);
      if (dynamic)
         test_conservative((VkConservativeRasterizationModeEXT)mode, true);
   }
}

/* ---- locations of samples ---- */

struct several {
   struct vkt_target target;
   struct vkt_image resolved;
   uint32_t samples;
};

static struct several
several_create(uint32_t samples)
{
   struct several s = {vkt_target_create(vkx, RGBA8, VK_FORMAT_UNDEFINED, extent, 1, (VkSampleCountFlagBits)samples),
                       image_create(RGBA8, 1, 1, 0), samples};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &s.resolved, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkx_submit_and_wait(vkx, cmd);
   return s;
}

static void
several_destroy(struct several *s)
{
   vkt_image_destroy(vkx, &s->resolved);
   vkt_target_destroy(vkx, &s->target);
}

static void
resolve_and_read(VkCommandBuffer cmd, const struct several *s)
{
   const VkImageResolve region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                  .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                  .extent = {SIZE, SIZE, 1}};
   vkCmdEndRenderPass(cmd);
   vkCmdResolveImage(cmd, s->target.color.image, GENERAL, s->resolved.image, GENERAL, 1, &region);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&s->resolved);
}

/* What lies right of x 10 + edge / 16, or with `below` under y 10 + edge / 16, is drawn; the edge is between places
 * that samples can have. */
static void
check_locations(const struct several *s, const VkSampleLocationsInfoEXT *info, unsigned edge, bool below)
{
   unsigned wrong = 0;
   const uint32_t width = info->sampleLocationGridSize.width, height = info->sampleLocationGridSize.height;
   for (uint32_t i = 0; i < SIZE * SIZE; i++) {
      const uint32_t x = i % SIZE, y = i / SIZE;
      const VkSampleLocationEXT *at = info->pSampleLocations + (y % height * width + x % width) * s->samples;
      uint32_t covered = 0;
      for (uint32_t n = 0; n < s->samples; n++)
         covered += (float)(below ? y : x) + (below ? at[n].y : at[n].x) > 10 + ((float)edge + 0.5f) / 16;
      const int wanted = (int)(255 * covered / s->samples), got = ((const uint8_t *)buffer.map)[4 * i + 3];
      wrong += got < wanted - 1 || got > wanted + 1;
   }
   vkt_expect(!wrong, "%u samples, grid %ux%u, edge %u, below %d: %u pixels are wrong", s->samples, width, height,
              edge, below, wrong);
}

/* dynamic: the locations; 2: and whether they count. */
static void
test_locations(const struct several *s, VkExtent2D grid, unsigned dynamic)
{
   static const VkDynamicState states[2] = {VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT,
                                            VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT};
   VkSampleLocationEXT at[4 * 8];
   const uint32_t count = grid.width * grid.height * s->samples;
   for (uint32_t i = 0; i < count; i++)
      at[i] = (VkSampleLocationEXT){(float)vkt_random_below(16) / 16, (float)vkt_random_below(16) / 16};
   const VkSampleLocationsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
                                          .sampleLocationsPerPixel = (VkSampleCountFlagBits)s->samples,
                                          .sampleLocationGridSize = grid,
                                          .sampleLocationsCount = count,
                                          .pSampleLocations = at};
   const VkPipelineSampleLocationsStateCreateInfoEXT described = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
      .sampleLocationsEnable = dynamic < 2,
      .sampleLocationsInfo = info};
   VkPipeline pipeline = create_pipeline(&(struct vkt_pipeline_info){.pass = s->target.pass,
                                                                     .multisample_next = &described,
                                                                     .samples = (VkSampleCountFlagBits)s->samples,
                                                                     .num_dynamic = dynamic,
                                                                     .dynamic = states});
   const VkDeviceSize zero = 0;
   for (unsigned i = 0; i < 4; i++) {
      const unsigned edge = vkt_random_below(15);
      const float e = 10 + ((float)edge + 0.5f) / 16;
      const bool below = i & 1;
      place(4, below ? (const float[][2]){{0, e}, {SIZE, e}, {0, SIZE}, {SIZE, SIZE}}
                     : (const float[][2]){{e, 0}, {SIZE, 0}, {e, SIZE}, {SIZE, SIZE}});
      VkCommandBuffer cmd = vkx_begin(vkx);
      vkt_target_begin(cmd, &s->target, s->target.pass, VK_SUBPASS_CONTENTS_INLINE);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      vkCmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &zero);
      if (dynamic)
         VKT_PROC(vkx, vkCmdSetSampleLocationsEXT)(cmd, &info);
      if (dynamic > 1)
         VKT_PROC(vkx, vkCmdSetSampleLocationsEnableEXT)(cmd, VK_TRUE);
      vkCmdDraw(cmd, 4, 1, 0, 0);
      resolve_and_read(cmd, s);
      check_locations(s, &info, edge, below);
   }
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

static void
test_all_locations(void)
{
   if (!vkt_has("VK_EXT_sample_locations")) {
      vkt_skip("VK_EXT_sample_locations");
      return;
   }
   VkPhysicalDeviceSampleLocationsPropertiesEXT offered = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLE_LOCATIONS_PROPERTIES_EXT};
   VkPhysicalDeviceProperties2 two = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &offered};
   vkGetPhysicalDeviceProperties2(vkx->physical, &two);
   for (uint32_t samples = 2; samples <= 8; samples *= 2) {
      VkMultisamplePropertiesEXT of = {.sType = VK_STRUCTURE_TYPE_MULTISAMPLE_PROPERTIES_EXT};
      if (!(offered.sampleLocationSampleCounts & samples))
         continue;
      ((PFN_vkGetPhysicalDeviceMultisamplePropertiesEXT)vkGetInstanceProcAddr(
         vkx->instance, "vkGetPhysicalDeviceMultisamplePropertiesEXT"))(vkx->physical, (VkSampleCountFlagBits)samples,
                                                                        &of);
      vkt_expect(of.maxSampleLocationGridSize.width && of.maxSampleLocationGridSize.height, "%u samples have a grid",
                 samples);
      struct several s = several_create(samples);
      for (unsigned dynamic = 0; dynamic < 3; dynamic++) {
         if (dynamic == 2 && !vkt_has("VK_EXT_extended_dynamic_state3"))
            continue;
         test_locations(&s, (VkExtent2D){1, 1}, dynamic);
         test_locations(&s, of.maxSampleLocationGridSize, dynamic);
      }
      several_destroy(&s);
   }
}

/* --quirks validation: Debian 12's layer does not know all dynamic states. */
int
main(int argc, char **argv)
{
   const bool layer = !strcmp(vkx_option(argc, argv, "--quirks", ""), "validation");
   struct vkx device = vkt_create("fixed_coverage");
   fixed_start(&device);
   test_discards(layer);
   test_conservatives();
   test_all_locations();
   return fixed_finish();
}
