/* VK_AMD_shader_explicit_vertex_parameter: what a fragment shader makes of its vertices' values with I and J is what
 * the hardware interpolates, and each vertex is there once. */
#include <math.h>

#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "explicit_vertices.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "explicit_vertices.frag.inc"
};

enum { SIZE_PX = 16, PASSES = 6 };

/* The y of values is linear on the screen; in perspective the weights of the vertices are divided by w = 1, 2, 3. */
static double
expected_y(unsigned pass, unsigned x, unsigned y)
{
   const double second = (x + 0.5) / SIZE_PX / 2, third = (y + 0.5) / SIZE_PX / 2, first = 1 - second - third;
   const bool linear = pass == 1 || pass == 4;
   const double weights[3] = {first, second / (linear ? 1 : 2), third / (linear ? 1 : 3)};
   return (-weights[0] + 3 * weights[1] - weights[2]) / (weights[0] + weights[1] + weights[2]);
}

static bool
is_right(const float *texel, unsigned pass, unsigned x, unsigned y)
{
   if (pass == PASSES - 1)
      return texel[0] == texel[2];
   return fabsf(texel[0] - texel[2]) < 1e-3f && fabsf(texel[1] - texel[3]) < 1e-3f &&
          fabs((double)texel[1] - expected_y(pass, x, y)) < 1e-3;
}

int
main(void)
{
   struct vkx vkx = vkt_create("explicit_vertices");
   vkt_expect(true, "the device is there");
   if (!vkt_has("VK_AMD_shader_explicit_vertex_parameter")) {
      vkt_skip("VK_AMD_shader_explicit_vertex_parameter");
      return vkt_finish(&vkx);
   }
   struct vkt_target target = vkt_target_create(&vkx, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_UNDEFINED,
                                                (VkExtent2D){SIZE_PX, SIZE_PX}, 1, VK_SAMPLE_COUNT_1_BIT);
   struct vkx_buffer out = vkt_buffer_create(&vkx, SIZE_PX * SIZE_PX * 16, 0xcc);
   VkPipelineLayout layout = vkx_pipeline_layout_create(&vkx, VK_NULL_HANDLE, VK_SHADER_STAGE_FRAGMENT_BIT, 4);
   VkPipeline pipeline =
      vkt_pipeline_create(&vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                            .layout = layout,
                                                            .vertex = VKT_CODE(vertex_code),
                                                            .fragment = VKT_CODE(fragment_code),
                                                            .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST});
   for (unsigned pass = 0; pass < PASSES; pass++) {
      VkCommandBuffer cmd = vkx_begin(&vkx);
      vkt_transition(cmd, &target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4, &pass);
      vkCmdDraw(cmd, 3, 1, 0, 0);
      vkCmdEndRenderPass(cmd);
      vkx_submit_and_wait(&vkx, cmd);
      vkt_read(&vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &out);
      const float *texels = out.map;
      unsigned wrong = 0;
      for (unsigned i = 0; i < SIZE_PX * SIZE_PX; i++)
         wrong += !is_right(texels + 4 * i, pass, i % SIZE_PX, i / SIZE_PX);
      vkt_expect(!wrong, "pass %u: %u wrong, the first pixel: %g %g %g %g", pass, wrong, (double)texels[0],
                 (double)texels[1], (double)texels[2], (double)texels[3]);
   }
   vkDestroyPipeline(vkx.device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkx_buffer_destroy(&vkx, &out);
   vkt_target_destroy(&vkx, &target);
   return vkt_finish(&vkx);
}
