/* VK_KHR_shader_quad_control in fragment shaders: quads are whole, with helpers where nothing is covered or where
 * pixels were demoted, in control flow that differs between quads. */
#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "quads.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "quads.frag.inc"
};
static const uint32_t demote_code[] = {
#include "quads_demote.frag.inc"
};

enum { SIZE_PX = 16, CLEARED = 0 };

static bool
is_inside(unsigned x, unsigned y)
{
   return x + y < SIZE_PX - 1;
}

/* What shaders/quads.frag writes. */
static uint32_t
expected(unsigned x, unsigned y, bool demote)
{
   const unsigned left = x & ~1u, top = y & ~1u;
   const bool whole = is_inside(left + 1, top + 1);
   if (!is_inside(x, y) || (demote && (x & 3) == 2 && !(y & 1)))
      return CLEARED;
   uint32_t color = 1u << 31 | 1u << 2 | (whole ? 1u : 2u);
   color |= ((x ^ 1) << 4 | (y ^ 1)) << 4;
   /* (left + 1)^2 - left^2 and 64 in every second turn */
   const unsigned turns = left >> 1 ^ top >> 1;
   return color | (turns + 1) / 2 * (2 * left + 1 + 64) << 12;
}

static void
draw(struct vkx *vkx, const char *name, struct vkt_code fragment, bool demote)
{
   struct vkt_target target = vkt_target_create(vkx, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED,
                                                (VkExtent2D){SIZE_PX, SIZE_PX}, 1, VK_SAMPLE_COUNT_1_BIT);
   struct vkx_buffer out = vkt_buffer_create(vkx, SIZE_PX * SIZE_PX * 4, 0xcc);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, VK_NULL_HANDLE, 0, 0);
   VkPipeline pipeline =
      vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                           .layout = layout,
                                                           .vertex = VKT_CODE(vertex_code),
                                                           .fragment = fragment,
                                                           .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST});
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdDraw(cmd, 3, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &out);
   unsigned wrong = 0, first = 0;
   for (unsigned i = SIZE_PX * SIZE_PX; i-- > 0;) {
      if (((const uint32_t *)out.map)[i] == expected(i % SIZE_PX, i / SIZE_PX, demote))
         continue;
      first = i;
      wrong++;
   }
   vkt_expect(!wrong, "%s: %u pixels are wrong, the first at %u, %u: %#x, not %#x", name, wrong, first % SIZE_PX,
              first / SIZE_PX, ((const uint32_t *)out.map)[first],
              expected(first % SIZE_PX, first / SIZE_PX, demote));
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkx_buffer_destroy(vkx, &out);
   vkt_target_destroy(vkx, &target);
}

int
main(void)
{
   struct vkx vkx = vkt_create("quads");
   const bool demotes = vkt_has("VK_EXT_shader_demote_to_helper_invocation");
   vkt_expect(true, "the device is there");
   if (!vkt_has("VK_KHR_shader_quad_control")) {
      vkt_skip("VK_KHR_shader_quad_control");
      return vkt_finish(&vkx);
   }
   draw(&vkx, "quads", VKT_CODE(fragment_code), false);
   if (demotes)
      draw(&vkx, "quads with demoted pixels", VKT_CODE(demote_code), true);
   else
      vkt_skip("VK_EXT_shader_demote_to_helper_invocation");
   return vkt_finish(&vkx);
}
