/* Images of swapchains, and the copy of each that is not direct to memory that the processor reads. */
#include "gallium/frontends/vulkan/wsi/wsi.h"
#include "util/macros.h"

static VkDevice
handle(const struct wsi_swapchain *swapchain)
{
   return VK_TO(VkDevice, swapchain->device);
}

/* The type that suits best: on the device, or read by the processor. */
static uint32_t
memory_type(const struct vk_device *device, uint32_t allowed, bool host)
{
   const struct pipe_caps *caps = &device->screen->caps;
   uint32_t best = 0, most = 0;
   for (uint32_t i = 0; i < caps->num_memory_types; i++) {
      const struct pipe_memory_type *type = &caps->memory_types[i];
      const uint32_t fit = host ? 2u * type->host_visible + type->host_cached : 1u + type->device_local;
      if (allowed >> i & 1 && !type->descriptors && fit > most) {
         most = fit;
         best = i;
      }
   }
   return best;
}

static VkResult
allocate(struct wsi_swapchain *swapchain, const VkMemoryRequirements *needs, bool host, VkDeviceMemory *memory)
{
   const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = needs->size,
      .memoryTypeIndex = memory_type(swapchain->device, needs->memoryTypeBits, host),
   };
   return indium_AllocateMemory(handle(swapchain), &info, NULL, memory);
}

static VkResult
create_image(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   VkMemoryRequirements needs;
   VkResult result = indium_CreateImage(handle(swapchain), &swapchain->image_info, NULL, &image->image);
   if (result != VK_SUCCESS)
      return result;
   indium_GetImageMemoryRequirements(handle(swapchain), image->image, &needs);
   result = allocate(swapchain, &needs, false, &image->memory);
   return result == VK_SUCCESS ? indium_BindImageMemory(handle(swapchain), image->image, image->memory, 0) : result;
}

static VkResult
create_pixels(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   const VkExtent3D *extent = &swapchain->image_info.extent;
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = (VkDeviceSize)extent->width * extent->height * swapchain->pixel_B,
      .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
   };
   VkMemoryRequirements needs;
   VkResult result = indium_CreateBuffer(handle(swapchain), &info, NULL, &image->pixels);
   if (result != VK_SUCCESS)
      return result;
   indium_GetBufferMemoryRequirements(handle(swapchain), image->pixels, &needs);
   result = allocate(swapchain, &needs, true, &image->pixels_memory);
   if (result == VK_SUCCESS)
      result = indium_BindBufferMemory(handle(swapchain), image->pixels, image->pixels_memory, 0);
   if (result == VK_SUCCESS)
      result = indium_MapMemory(handle(swapchain), image->pixels_memory, 0, VK_WHOLE_SIZE, 0, &image->map);
   return result;
}

VkResult
wsi_image_init(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                    .flags = VK_FENCE_CREATE_SIGNALED_BIT};
   image->fd = -1;
   VkResult result = create_image(swapchain, image);
   if (result == VK_SUCCESS)
      result = swapchain->direct ? wsi_direct_add(swapchain, image) : create_pixels(swapchain, image);
   return result == VK_SUCCESS ? indium_CreateFence(handle(swapchain), &fence, NULL, &image->done) : result;
}

void
wsi_image_finish(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   indium_DestroyFence(handle(swapchain), image->done, NULL);
   wsi_direct_finish(swapchain, image);
   indium_DestroyBuffer(handle(swapchain), image->pixels, NULL);
   indium_FreeMemory(handle(swapchain), image->pixels_memory, NULL);
   indium_DestroyImage(handle(swapchain), image->image, NULL);
   indium_FreeMemory(handle(swapchain), image->memory, NULL);
}

/* ---- the copy ---- */

static const VkImageSubresourceRange all_color = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

/* From the layout of presenting to that of the copy, or back. */
static void
transition(VkCommandBuffer cmd, VkImage image, VkImageLayout from, VkImageLayout to)
{
   const VkImageMemoryBarrier2 barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
      .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
      .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
      .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
      .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
      .oldLayout = from,
      .newLayout = to,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image,
      .subresourceRange = all_color,
   };
   const VkDependencyInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
   indium_CmdPipelineBarrier2(cmd, &info);
}

static void
copy_to_pixels(VkCommandBuffer cmd, const struct wsi_swapchain *swapchain, const struct wsi_image *image,
               VkImageLayout layout)
{
   const VkBufferImageCopy region = {
      .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
      .imageExtent = swapchain->image_info.extent,
   };
   const VkMemoryBarrier2 to_host = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
      .srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
      .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
      .dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT,
      .dstAccessMask = VK_ACCESS_2_HOST_READ_BIT,
   };
   const VkDependencyInfo host = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &to_host};
   indium_CmdCopyImageToBuffer(cmd, image->image, layout, image->pixels, 1, &region);
   indium_CmdPipelineBarrier2(cmd, &host);
}

static VkResult
record(struct wsi_swapchain *swapchain, const struct wsi_image *image, VkCommandBuffer cmd)
{
   const bool shared = wsi_mode_shared(swapchain->mode);
   const VkImageLayout shown = shared ? VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR : VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
   const VkImageLayout read = shared ? shown : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
   const VkResult result = indium_BeginCommandBuffer(cmd, &begin);
   if (result != VK_SUCCESS)
      return result;
   transition(cmd, image->image, shown, read);
   copy_to_pixels(cmd, swapchain, image, read);
   transition(cmd, image->image, read, shown);
   return indium_EndCommandBuffer(cmd);
}

static VkResult
create_pool(struct wsi_swapchain *swapchain, uint32_t family)
{
   const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .queueFamilyIndex = family};
   if (swapchain->pools[family])
      return VK_SUCCESS;
   return indium_CreateCommandPool(handle(swapchain), &info, NULL, &swapchain->pools[family]);
}

VkResult
wsi_image_copy(struct wsi_swapchain *swapchain, struct wsi_image *image, uint32_t family)
{
   VkCommandBuffer cmd;
   VkResult result = create_pool(swapchain, family);
   const VkCommandBufferAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = swapchain->pools[family],
      .commandBufferCount = 1,
   };
   if (result != VK_SUCCESS || image->copies[family])
      return result;
   result = indium_AllocateCommandBuffers(handle(swapchain), &info, &cmd);
   if (result == VK_SUCCESS)
      result = record(swapchain, image, cmd); /* a failed one goes with the pool */
   if (result == VK_SUCCESS)
      image->copies[family] = cmd;
   return result;
}

/* ---- the application's own images of the same memory ---- */

const VkImageCreateInfo *
wsi_image_info(const VkImageCreateInfo *info)
{
   const VkImageSwapchainCreateInfoKHR *of =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR);
   return of && of->swapchain ? &((struct wsi_swapchain *)of->swapchain)->image_info : info;
}

VkDeviceMemory
wsi_bound_memory(const void *chain)
{
   const VkBindImageMemorySwapchainInfoKHR *of =
      vk_find_struct(chain, VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR);
   return of && of->swapchain ? ((struct wsi_swapchain *)of->swapchain)->images[of->imageIndex].memory
                              : VK_NULL_HANDLE;
}
