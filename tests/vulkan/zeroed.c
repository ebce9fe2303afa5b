/* VK_EXT_zero_initialize_device_memory: new memory is zeros, and so are images that start in the layout for it. */
#include <stdlib.h>
#include <string.h>

#include "vkt.h"

enum { SIDE = 64, BYTES = 4 * SIDE * SIDE };
#define GENERAL VK_IMAGE_LAYOUT_GENERAL
#define FRESH VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT
#define COPIED (VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT)

static struct vkx vkx;
static struct vkx_buffer got;

static VkDeviceMemory
allocate(const VkMemoryRequirements *needs, bool zero)
{
   const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                            .flags = zero ? VK_MEMORY_ALLOCATE_ZERO_INITIALIZE_BIT_EXT : 0};
   VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &flags, .allocationSize = needs->size};
   VkDeviceMemory memory;
   while (!(needs->memoryTypeBits >> info.memoryTypeIndex & 1))
      info.memoryTypeIndex++;
   vkx_check(vkAllocateMemory(vkx.device, &info, NULL, &memory), "vkAllocateMemory");
   return memory;
}

static void
expect_zeros(const char *what)
{
   static const uint8_t zeros[BYTES];
   vkt_expect(!memcmp(got.map, zeros, BYTES), "%s is zeros", what);
   memset(got.map, 0x55, BYTES);
}

/* dirty: leaves other values in the memory that it gives back. */
static void
test_buffer(bool dirty)
{
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = BYTES, .usage = COPIED /* the same bits */};
   const VkBufferCopy all = {.size = BYTES};
   VkMemoryRequirements needs;
   VkBuffer buffer;
   vkx_check(vkCreateBuffer(vkx.device, &info, NULL, &buffer), "vkCreateBuffer");
   vkGetBufferMemoryRequirements(vkx.device, buffer, &needs);
   VkDeviceMemory memory = allocate(&needs, !dirty);
   vkBindBufferMemory(vkx.device, buffer, memory, 0);
   VkCommandBuffer cmd = vkx_begin(&vkx);
   if (dirty)
      vkCmdFillBuffer(cmd, buffer, 0, BYTES, 0xabababab);
   else
      vkCmdCopyBuffer(cmd, buffer, got.buffer, 1, &all);
   vkt_barrier(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   if (!dirty)
      expect_zeros("a buffer");
   vkDestroyBuffer(vkx.device, buffer, NULL);
   vkFreeMemory(vkx.device, memory, NULL);
}

static struct vkt_image
create(VkFormat format, VkSampleCountFlagBits samples, VkImageUsageFlags usage, bool zero)
{
   struct vkt_image image = {.info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                      .imageType = VK_IMAGE_TYPE_2D,
                                      .format = format,
                                      .extent = {SIDE, SIDE, 1},
                                      .mipLevels = 1,
                                      .arrayLayers = 1,
                                      .samples = samples,
                                      .usage = usage,
                                      .initialLayout = zero ? FRESH : VK_IMAGE_LAYOUT_UNDEFINED}};
   VkMemoryRequirements needs;
   vkx_check(vkCreateImage(vkx.device, &image.info, NULL, &image.image), "vkCreateImage");
   vkGetImageMemoryRequirements(vkx.device, image.image, &needs);
   image.memory = allocate(&needs, zero);
   vkx_check(vkBindImageMemory(vkx.device, image.image, image.memory, 0), "vkBindImageMemory");
   return image;
}

static void
make_dirty(VkCommandBuffer cmd, const struct vkt_image *image, VkImageAspectFlags aspect)
{
   const VkImageSubresourceRange range = {aspect, 0, 1, 0, 1};
   const VkClearColorValue color = {.float32 = {0.3f, 0.5f, 0.7f, 0.9f}};
   const VkClearDepthStencilValue depth = {0.7f, 99};
   vkt_transition(cmd, image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   if (aspect == VK_IMAGE_ASPECT_COLOR_BIT)
      vkCmdClearColorImage(cmd, image->image, GENERAL, &color, 1, &range);
   else
      vkCmdClearDepthStencilImage(cmd, image->image, GENERAL, &depth, 1, &range);
}

/* samples: resolved into an image of one. */
static void
read_image(VkCommandBuffer cmd, const struct vkt_image *image, VkImageAspectFlags aspect,
           const struct vkt_image *resolved)
{
   const VkImageSubresourceLayers layer = {aspect, 0, 0, 1};
   const VkImageResolve resolve = {.srcSubresource = layer, .dstSubresource = layer, .extent = image->info.extent};
   const VkBufferImageCopy copy = {.imageSubresource = layer, .imageExtent = image->info.extent};
   const bool single = image->info.samples == VK_SAMPLE_COUNT_1_BIT;
   vkt_transition(cmd, image, FRESH, GENERAL);
   if (!single) {
      vkt_transition(cmd, resolved, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
      vkCmdResolveImage(cmd, image->image, GENERAL, resolved->image, GENERAL, 1, &resolve);
      vkt_barrier(cmd);
   }
   vkCmdCopyImageToBuffer(cmd, single ? image->image : resolved->image, GENERAL, got.buffer, 1, &copy);
   vkt_barrier(cmd);
}

static void
test_image(const char *what, VkFormat format, VkSampleCountFlagBits samples, VkImageUsageFlags usage)
{
   const VkImageAspectFlags aspect = vkt_aspects(format);
   struct vkt_image dirty = create(format, samples, COPIED | usage, false);
   VkCommandBuffer cmd = vkx_begin(&vkx);
   make_dirty(cmd, &dirty, aspect);
   vkx_submit_and_wait(&vkx, cmd);
   vkt_image_destroy(&vkx, &dirty);
   struct vkt_image image = create(format, samples, COPIED | usage, true);
   struct vkt_image resolved = create(format, VK_SAMPLE_COUNT_1_BIT, COPIED | usage, false);
   cmd = vkx_begin(&vkx);
   read_image(cmd, &image, aspect, &resolved);
   vkx_submit_and_wait(&vkx, cmd);
   expect_zeros(what);
   vkt_image_destroy(&vkx, &image);
   vkt_image_destroy(&vkx, &resolved);
}

int
main(void)
{
   VkPhysicalDeviceZeroInitializeDeviceMemoryFeaturesEXT feature = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_DEVICE_MEMORY_FEATURES_EXT,
      .zeroInitializeDeviceMemory = VK_TRUE};
   vkx = vkx_create_with("zeroed", "VK_EXT_zero_initialize_device_memory", &feature);
   got = vkt_buffer_create(&vkx, BYTES, 0x55);
   test_buffer(true);
   test_buffer(false);
   test_image("a colour target", VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_1_BIT,
              VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   test_image("a storage image", VK_FORMAT_R32_UINT, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_STORAGE_BIT);
   test_image("4 samples", VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   test_image("a depth target", VK_FORMAT_D32_SFLOAT, VK_SAMPLE_COUNT_1_BIT,
              VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   vkx_buffer_destroy(&vkx, &got);
   return vkt_finish(&vkx);
}
