/* What passes from vertices to fragments, at the places that the specification's formulas say: of 32 bits and of
 * relaxed precision, in perspective, linear and flat, of lists, strips and fans. */
#include <math.h>

#include "vkt_draw.h"

static const uint32_t varyings_vert[] = {
#include "varyings.vert.inc"
};
static const uint32_t varyings_frag[] = {
#include "varyings.frag.inc"
};

enum { SIZE_PX = 16, PASSES = 3, VERTICES = 3 };

/* As the vertex shader has them, in the order of the passes. */
static double
value(unsigned pass, unsigned component, double i)
{
   const double values[PASSES][4] = {{i * 0.25, 1 - i * 0.5, 0.125 + i * i * 0.0625, 0.1 + i * 0.3},
                                     {0.9 - i * 0.2, 0.5 + i * 0.125, i * 0.375, -3 - i},
                                     {200 + i, -1000 * i, 100000 + i, -70000 - i}};
   return values[pass][component];
}

static double
expected(unsigned pass, unsigned component, unsigned x, unsigned y, unsigned provoking)
{
   static const char kinds[PASSES][5] = {"ssss", "sllf", "ffff"}; /* smooth, linear, flat */
   static const double w[VERTICES] = {1, 2, 4};
   const char kind = kinds[pass][component];
   double b1 = (x + 0.5) / SIZE_PX, b2 = (y + 0.5) / SIZE_PX, weights[VERTICES] = {1 - b1 - b2, b1, b2};
   double sum = 0, all = 0;
   if (kind == 'f')
      return value(pass, component, provoking);
   for (unsigned v = 0; v < VERTICES; v++) {
      double weight = kind == 's' ? weights[v] / w[v] : weights[v];
      sum += weight * value(pass, component, v);
      all += weight;
   }
   return sum / all;
}

/* Relaxed precision has 10 bits. */
static bool
is_near(double a, double b, bool relaxed)
{
   return fabs(a - b) <= (relaxed ? 2.0 / 1024 : 2e-5);
}

static void
check(const float *texels, unsigned pass, unsigned provoking, const char *name)
{
   static const char relaxed[PASSES][5] = {"yyyn", "nyyn", "nnnn"};
   unsigned wrong = 0;
   for (unsigned i = 0; i < SIZE_PX * SIZE_PX * 4; i++) {
      unsigned x = i / 4 % SIZE_PX, y = i / 4 / SIZE_PX;
      double want = expected(pass, i % 4, x, y, provoking);
      if (x + y < SIZE_PX - 1) /* inside of the triangle, which is half of the picture */
         wrong += !is_near((double)texels[i], want, relaxed[pass][i % 4] == 'y');
   }
   vkt_expect(!wrong, "%s, values %u: %u are wrong (%g %g %g %g at the first pixel)", name, pass, wrong,
              (double)texels[0], (double)texels[1], (double)texels[2], (double)texels[3]);
}

static void
draw(struct vkx *vkx, VkPrimitiveTopology topology, unsigned provoking, const char *name)
{
   struct vkt_target target = vkt_target_create(vkx, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_UNDEFINED,
                                                (VkExtent2D){SIZE_PX, SIZE_PX}, 1, VK_SAMPLE_COUNT_1_BIT);
   struct vkx_buffer out = vkt_buffer_create(vkx, SIZE_PX * SIZE_PX * 16, 0);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, VK_NULL_HANDLE, VK_SHADER_STAGE_FRAGMENT_BIT, 4);
   VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                              .layout = layout,
                                                                              .vertex = VKT_CODE(varyings_vert),
                                                                              .fragment = VKT_CODE(varyings_frag),
                                                                              .topology = topology});
   for (unsigned pass = 0; pass < PASSES; pass++) {
      VkCommandBuffer cmd = vkx_begin(vkx);
      vkt_transition(cmd, &target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4, &pass);
      vkCmdDraw(cmd, 3, 1, 0, 0);
      vkCmdEndRenderPass(cmd);
      vkx_submit_and_wait(vkx, cmd);
      vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &out);
      check(out.map, pass, provoking, name);
   }
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkx_buffer_destroy(vkx, &out);
   vkt_target_destroy(vkx, &target);
}

int
main(void)
{
   struct vkx vkx = vkt_create("varyings");
   draw(&vkx, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0, "list");
   draw(&vkx, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 0, "strip");
   draw(&vkx, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, 1, "fan");
   return vkt_finish(&vkx);
}
