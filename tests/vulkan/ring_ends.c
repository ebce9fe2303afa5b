/* A draw whose vertices have more outputs than fit into memory that chips have for them (GFX11: a ring of 1 MiB for
 * each shader engine), so that it is used several times over. Each vertex is a pixel that compares all its numbers.
 */
#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "ring_ends.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "ring_ends.frag.inc"
};

enum { SIZE_PX = 128, PIXELS = SIZE_PX * SIZE_PX, DRAWN = 7 };

static void
test(struct vkx *vkx, uint32_t draws)
{
   struct vkt_target target = vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_UNDEFINED,
                                                (VkExtent2D){SIZE_PX, SIZE_PX}, 1, VK_SAMPLE_COUNT_1_BIT);
   struct vkx_buffer picture = vkt_buffer_create(vkx, 4 * PIXELS, 0);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, VK_NULL_HANDLE, 0, 0);
   VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                              .layout = layout,
                                                                              .vertex = VKT_CODE(vertex_code),
                                                                              .fragment = VKT_CODE(fragment_code),
                                                                              .points = true});
   VkCommandBuffer cmd = vkx_begin(vkx);
   unsigned wrong = 0;
   vkt_transition(cmd, &target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   for (uint32_t i = 0; i < draws; i++)
      vkCmdDraw(cmd, PIXELS / draws, 1, i * (PIXELS / draws), 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &picture);
   for (unsigned i = 0; i < PIXELS; i++)
      wrong += ((const uint32_t *)picture.map)[i] != DRAWN;
   vkt_expect(!wrong, "%u draws: %u of %u vertices have wrong numbers", draws, wrong, PIXELS);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkx_buffer_destroy(vkx, &picture);
   vkt_target_destroy(vkx, &target);
}

int
main(void)
{
   struct vkx vkx = vkt_create("ring_ends");
   test(&vkx, 1);
   test(&vkx, 16);
   return vkt_finish(&vkx);
}
