/* Viewports as large and as far away as the limits allow (maxViewportDimensions, viewportBoundsRange): a rectangle at
 * known pixels stays there, whatever viewport its coordinates are for. */
#include <string.h>

#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "quad.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "quad.frag.inc"
};

enum { SIZE_PX = 32, FIRST_PX = 5, END_PX = 19, PIXELS = SIZE_PX * SIZE_PX };

static struct vkx *vkx;
static struct vkt_target target;
static struct vkx_buffer picture;
static VkPipelineLayout layout;
static VkPipeline pipeline;

/* A pixel as a coordinate of the clip volume of [origin, origin + size). */
static float
clip(double px, double origin, double size)
{
   return (float)((px - origin) * 2 / size - 1);
}

static void
test(const char *what, VkViewport v, bool is_there)
{
   const struct vkt_quad quad = {clip(FIRST_PX, v.x, v.width),
                                 clip(FIRST_PX, v.y, v.height),
                                 clip(END_PX, v.x, v.width),
                                 clip(END_PX, v.y, v.height),
                                 {1, 1, 1, 1},
                                 0.5f};
   const VkRect2D scissor = {{0, 0}, {SIZE_PX, SIZE_PX}};
   unsigned wrong = 0;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdSetViewport(cmd, 0, 1, &v);
   vkCmdSetScissor(cmd, 0, 1, &scissor);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdPushConstants(cmd, layout, VKT_QUAD_STAGES, 0, sizeof(quad), &quad);
   vkCmdDraw(cmd, 4, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &picture);
   for (int i = 0; i < PIXELS; i++) {
      const int x = i % SIZE_PX, y = i / SIZE_PX;
      const bool inside = x >= FIRST_PX && x < END_PX && y >= FIRST_PX && y < END_PX;
      wrong += ((const uint32_t *)picture.map)[i] != (is_there && inside ? UINT32_MAX : 0);
   }
   vkt_expect(!wrong, "%s: %u pixels are wrong", what, wrong);
}

static void
test_all(const VkPhysicalDeviceLimits *limits, bool is_radv)
{
   const float w = (float)limits->maxViewportDimensions[0], h = (float)limits->maxViewportDimensions[1];
   const float low = limits->viewportBoundsRange[0], high = limits->viewportBoundsRange[1];
   test("at the origin", (VkViewport){0, 0, w, h, 0, 1}, true);
   test("around the target", (VkViewport){-w / 2, -h / 2, w, h, 0, 1}, true);
   test("with its end in the target", (VkViewport){SIZE_PX - w, SIZE_PX - h, w, h, 0, 1}, true);
   test("left of and above the target", (VkViewport){-w, -h, w, h, 0, 1}, false);
   if (!is_radv) /* its guard band is inside of the viewport then, and rectangles right of it are drawn */
      test("at the lower bounds", (VkViewport){low, low, w, h, 0, 1}, false);
   test("at the upper bounds", (VkViewport){high - w, high - h, w, h, 0, 1}, false);
   test("upside down", (VkViewport){-w / 2, h / 2, w, -h, 0, 1}, true);
   test("upside down, with its end in the target", (VkViewport){SIZE_PX - w, SIZE_PX, w, -h, 0, 1}, true);
}

int
main(int argc, char **argv)
{
   struct vkx device = vkt_create("far_viewports");
   const VkExtent2D extent = {SIZE_PX, SIZE_PX};
   VkPhysicalDeviceProperties properties;
   vkx = &device;
   vkGetPhysicalDeviceProperties(vkx->physical, &properties);
   target = vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   picture = vkt_buffer_create(vkx, 4 * PIXELS, 0);
   layout = vkt_quad_layout_create(vkx);
   pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                   .layout = layout,
                                                                   .vertex = VKT_CODE(vertex_code),
                                                                   .fragment = VKT_CODE(fragment_code)});
   test_all(&properties.limits, !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv"));
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkx_buffer_destroy(vkx, &picture);
   vkt_target_destroy(vkx, &target);
   return vkt_finish(vkx);
}
