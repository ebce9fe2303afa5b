/* Depth and stencil of one image on different queues (separateDepthStencilLayouts): a queue for transfers discards
 * and writes one aspect, while the other keeps what a rendering cleared it to. */
#include <string.h>

#include "vkt_draw.h"

enum { SIZE = 64, TEXELS = SIZE * SIZE };

static struct vkx device, *vkx = &device;
static struct vkx transfer; /* the queue, and a pool of its own */
static const VkFormat format = VK_FORMAT_D32_SFLOAT_S8_UINT;
static const VkImageAspectFlags both = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;

struct picture {
   struct vkt_image image;
   VkImageView view;
};

static struct picture
create(void)
{
   struct picture picture = {
      .image = vkt_image_create(vkx,
                                (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                                    .format = format,
                                                    .extent = {SIZE, SIZE, 1},
                                                    .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                                             VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                                             VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT},
                                false)};
   picture.view = vkt_view_create(vkx, &picture.image, VK_IMAGE_VIEW_TYPE_2D, both, 0, 0, 1);
   return picture;
}

static void
destroy(struct picture *picture)
{
   vkDestroyImageView(vkx->device, picture->view, NULL);
   vkt_image_destroy(vkx, &picture->image);
}

/* Layouts of one aspect or both; families as those of VkImageMemoryBarrier. */
static void
change(VkCommandBuffer cmd, const struct picture *picture, VkImageAspectFlags aspects, VkImageLayout from,
       VkImageLayout to, const uint32_t families[2])
{
   const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                         .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                         .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                         .oldLayout = from,
                                         .newLayout = to,
                                         .srcQueueFamilyIndex = families[0],
                                         .dstQueueFamilyIndex = families[1],
                                         .image = picture->image.image,
                                         .subresourceRange = {aspects, 0, 1, 0, 1}};
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                        NULL, 1, &barrier);
}

static const uint32_t same[2] = {VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED};

static void
clear(VkCommandBuffer cmd, const struct picture *picture, float depth, uint32_t stencil)
{
   const VkRenderingAttachmentInfo target = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                             .imageView = picture->view,
                                             .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                             .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                             .clearValue.depthStencil = {depth, stencil}};
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea.extent = {SIZE, SIZE},
                                 .layerCount = 1,
                                 .pDepthAttachment = &target,
                                 .pStencilAttachment = &target};
   change(cmd, picture, both, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, same);
   VKT_PROC(vkx, vkCmdBeginRenderingKHR)(cmd, &info);
   VKT_PROC(vkx, vkCmdEndRenderingKHR)(cmd);
}

static void
expect_aspect(const struct picture *picture, VkImageAspectFlags aspect, float depth, uint8_t stencil,
              const char *which)
{
   struct vkx_buffer read = vkt_buffer_create(vkx, TEXELS * 4, 0xcc);
   unsigned wrong = 0;
   vkt_read(vkx, &picture->image, aspect, 0, &read);
   for (unsigned i = 0; i < TEXELS; i++)
      wrong += aspect == VK_IMAGE_ASPECT_DEPTH_BIT ? ((const float *)read.map)[i] != depth
                                                   : ((const uint8_t *)read.map)[i] != stencil;
   vkt_expect(!wrong, "%s: %u texels are wrong; the first word is %08x", which, wrong, *(const uint32_t *)read.map);
   vkx_buffer_destroy(vkx, &read);
}

/* The aspect goes from one image to the other on the queue for transfers, the destination's was something else. */
static void
test(VkImageAspectFlags aspect)
{
   const uint32_t there[2] = {vkx->family, transfer.family}, back[2] = {transfer.family, vkx->family};
   const VkImageCopy copy = {
      .srcSubresource = {aspect, 0, 0, 1}, .dstSubresource = {aspect, 0, 0, 1}, .extent = {SIZE, SIZE, 1}};
   struct picture from = create(), to = create();
   VkCommandBuffer cmd = vkx_begin(vkx);
   clear(cmd, &from, 0.75f, 200);
   /* Twice: drivers clear to these values without writing the texels. */
   clear(cmd, &to, 0.25f, 77);
   clear(cmd, &to, 1, 0);
   change(cmd, &from, both, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL, there);
   change(cmd, &to, both, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL, same);
   vkx_submit_and_wait(vkx, cmd);
   cmd = vkx_begin(&transfer);
   change(cmd, &from, both, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL, there);
   change(cmd, &to, aspect, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, same);
   vkCmdCopyImage(cmd, from.image.image, VK_IMAGE_LAYOUT_GENERAL, to.image.image,
                  VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
   change(cmd, &to, aspect, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL, back);
   vkx_submit_and_wait(&transfer, cmd);
   cmd = vkx_begin(vkx);
   change(cmd, &to, aspect, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL, back);
   vkx_submit_and_wait(vkx, cmd);
   const bool depth = aspect == VK_IMAGE_ASPECT_DEPTH_BIT;
   expect_aspect(&to, VK_IMAGE_ASPECT_DEPTH_BIT, depth ? 0.75f : 1, 0, depth ? "copied depth" : "kept depth");
   expect_aspect(&to, VK_IMAGE_ASPECT_STENCIL_BIT, 0, depth ? 0 : 200, depth ? "kept stencil" : "copied stencil");
   destroy(&from);
   destroy(&to);
}

static bool
find_transfer(void)
{
   const VkQueueFlags all = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
   for (uint32_t i = 0; i < vkt_num_queues; i++) {
      if ((vkt_queues[i].flags & all) != VK_QUEUE_TRANSFER_BIT)
         continue;
      const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                            .queueFamilyIndex = vkt_queues[i].family};
      transfer = *vkx;
      transfer.family = vkt_queues[i].family;
      transfer.queue = vkt_queues[i].queue;
      vkx_check(vkCreateCommandPool(vkx->device, &info, NULL, &transfer.pool), "vkCreateCommandPool");
      return true;
   }
   return false;
}

static bool
is_format_there(void)
{
   VkFormatProperties properties;
   vkGetPhysicalDeviceFormatProperties(vkx->physical, format, &properties);
   return properties.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
}

int
main(void)
{
   vkt_all_queues = true;
   device = vkt_create("aspects");
   if (!find_transfer() || !is_format_there() || !vkt_has("VK_KHR_dynamic_rendering")) {
      vkt_skip("a queue for transfers");
      return vkt_finish(vkx);
   }
   test(VK_IMAGE_ASPECT_DEPTH_BIT);
   test(VK_IMAGE_ASPECT_STENCIL_BIT);
   vkDestroyCommandPool(vkx->device, transfer.pool, NULL);
   return vkt_finish(vkx);
}
