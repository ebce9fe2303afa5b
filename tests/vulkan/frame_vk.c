/* Preloaded into a program of Vulkan in a window of X (vkcube): it finds surfaces and a swapchain whose images are
 * plain images of the driver, and what it presents goes into a file. So it runs with drivers that know no windows,
 * and those that do are asked for no more than those; all else goes to the loader as the program says it. */
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "frame.h"

#define IMAGES 2
#define FORMAT VK_FORMAT_B8G8R8A8_UNORM
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

struct swapchain {
   VkDevice device;
   VkImage images[IMAGES];
   VkDeviceMemory memory[IMAGES], pixels_memory;
   VkBuffer pixels;
   VkCommandPool pool;
   VkCommandBuffer copies[IMAGES];
   void *map;
   uint32_t next, size_B;
};

static VkPhysicalDevice physical_device;
static VkQueue queue;

static void
check(bool good, const char *what)
{
   if (!good) {
      fprintf(stderr, "frame_vk: %s\n", what);
      exit(2);
   }
}

/* The loader's, which the program is linked with. */
static void *
loader(const char *name)
{
   void *function = dlsym(RTLD_NEXT, name);
   check(function, name);
   return function;
}
#define LOADER(name) ((PFN_##name)loader(#name))

static VkExtent2D
window_size(void)
{
   unsigned size[2];
   frame_size(size);
   return (VkExtent2D){size[0], size[1]};
}

/* The driver's extensions and then `count` of ours. */
static VkResult
list(VkResult result, uint32_t known, const char *const *names, uint32_t names_count, uint32_t *count,
     VkExtensionProperties *all)
{
   for (uint32_t i = 0; all && result == VK_SUCCESS && i < names_count; i++) {
      if (known + i == *count)
         return VK_INCOMPLETE;
      all[known + i] = (VkExtensionProperties){.specVersion = 1};
      strcpy(all[known + i].extensionName, names[i]);
   }
   *count = known + names_count;
   return result;
}

/* Without those that are ours. */
static uint32_t
strip(const char *const *names, uint32_t count, const char **kept)
{
   static const char *const ours[] = {"VK_KHR_surface", "VK_KHR_xcb_surface", "VK_KHR_swapchain"};
   uint32_t used = 0;
   for (uint32_t i = 0; i < count; i++) {
      bool mine = false;
      for (unsigned j = 0; j < ARRAY_SIZE(ours); j++)
         mine |= !strcmp(names[i], ours[j]);
      if (!mine)
         kept[used++] = names[i];
   }
   return used;
}

VkResult
vkEnumerateInstanceExtensionProperties(const char *layer, uint32_t *count, VkExtensionProperties *all)
{
   static const char *const names[] = {"VK_KHR_surface", "VK_KHR_xcb_surface"};
   uint32_t known = all ? *count : 0;
   VkResult result = LOADER(vkEnumerateInstanceExtensionProperties)(layer, &known, all);
   return list(result, known, names, layer ? 0 : 2, count, all);
}

VkResult
vkEnumerateDeviceExtensionProperties(VkPhysicalDevice device, const char *layer, uint32_t *count,
                                     VkExtensionProperties *all)
{
   static const char *const names[] = {"VK_KHR_swapchain"};
   uint32_t known = all ? *count : 0;
   VkResult result = LOADER(vkEnumerateDeviceExtensionProperties)(device, layer, &known, all);
   return list(result, known, names, layer ? 0 : 1, count, all);
}

VkResult
vkCreateInstance(const VkInstanceCreateInfo *asked, const VkAllocationCallbacks *callbacks, VkInstance *instance)
{
   const char *kept[64];
   VkInstanceCreateInfo info = *asked;
   check(info.enabledExtensionCount <= ARRAY_SIZE(kept), "too many extensions");
   info.enabledExtensionCount = strip(info.ppEnabledExtensionNames, info.enabledExtensionCount, kept);
   info.ppEnabledExtensionNames = kept;
   return LOADER(vkCreateInstance)(&info, callbacks, instance);
}

VkResult
vkCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *asked, const VkAllocationCallbacks *callbacks,
               VkDevice *device)
{
   const char *kept[64];
   VkDeviceCreateInfo info = *asked;
   check(info.enabledExtensionCount <= ARRAY_SIZE(kept), "too many extensions");
   info.enabledExtensionCount = strip(info.ppEnabledExtensionNames, info.enabledExtensionCount, kept);
   info.ppEnabledExtensionNames = kept;
   physical_device = physical;
   return LOADER(vkCreateDevice)(physical, &info, callbacks, device);
}

void
vkGetDeviceQueue(VkDevice device, uint32_t family, uint32_t index, VkQueue *result)
{
   LOADER(vkGetDeviceQueue)(device, family, index, result);
   queue = *result;
}

/* A surface has nothing to say. */
VkResult vkCreateXcbSurfaceKHR(VkInstance instance, const void *info, const VkAllocationCallbacks *callbacks,
                               VkSurfaceKHR *surface); /* whose header wants those of X */
VkResult
vkCreateXcbSurfaceKHR(VkInstance instance, const void *info, const VkAllocationCallbacks *callbacks,
                      VkSurfaceKHR *surface)
{
   *surface = (VkSurfaceKHR)(uintptr_t)1;
   return VK_SUCCESS;
}

void
vkDestroySurfaceKHR(VkInstance instance, VkSurfaceKHR surface, const VkAllocationCallbacks *callbacks)
{
}

static VkResult
get_support(VkPhysicalDevice physical, uint32_t family, VkSurfaceKHR surface, VkBool32 *supported)
{
   *supported = VK_TRUE;
   return VK_SUCCESS;
}

static VkResult
get_capabilities(VkPhysicalDevice physical, VkSurfaceKHR surface, VkSurfaceCapabilitiesKHR *capabilities)
{
   const VkExtent2D size = window_size();
   *capabilities = (VkSurfaceCapabilitiesKHR){
      .minImageCount = IMAGES,
      .maxImageCount = IMAGES,
      .currentExtent = size,
      .minImageExtent = size,
      .maxImageExtent = size,
      .maxImageArrayLayers = 1,
      .supportedTransforms = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .supportedCompositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
      .supportedUsageFlags = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
   };
   return VK_SUCCESS;
}

static VkResult
get_formats(VkPhysicalDevice physical, VkSurfaceKHR surface, uint32_t *count, VkSurfaceFormatKHR *formats)
{
   *count = 1;
   if (formats)
      *formats = (VkSurfaceFormatKHR){FORMAT, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR};
   return VK_SUCCESS;
}

static VkResult
get_modes(VkPhysicalDevice physical, VkSurfaceKHR surface, uint32_t *count, VkPresentModeKHR *modes)
{
   *count = 1;
   if (modes)
      *modes = VK_PRESENT_MODE_FIFO_KHR;
   return VK_SUCCESS;
}

static VkDeviceMemory
allocate(VkDevice device, VkMemoryRequirements needs, VkMemoryPropertyFlags wanted)
{
   VkPhysicalDeviceMemoryProperties properties;
   LOADER(vkGetPhysicalDeviceMemoryProperties)(physical_device, &properties);
   uint32_t type = 0;
   while (type < properties.memoryTypeCount &&
          !(needs.memoryTypeBits >> type & 1 && (properties.memoryTypes[type].propertyFlags & wanted) == wanted))
      type++;
   const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
   VkDeviceMemory memory;
   check(!LOADER(vkAllocateMemory)(device, &info, NULL, &memory), "vkAllocateMemory");
   return memory;
}

static void
create_image(struct swapchain *chain, unsigned i, const VkSwapchainCreateInfoKHR *asked)
{
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                   .imageType = VK_IMAGE_TYPE_2D,
                                   .format = asked->imageFormat,
                                   .extent = {asked->imageExtent.width, asked->imageExtent.height, 1},
                                   .mipLevels = 1,
                                   .arrayLayers = 1,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .usage = asked->imageUsage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
   VkMemoryRequirements needs;
   check(!LOADER(vkCreateImage)(chain->device, &info, NULL, &chain->images[i]), "vkCreateImage");
   LOADER(vkGetImageMemoryRequirements)(chain->device, chain->images[i], &needs);
   chain->memory[i] = allocate(chain->device, needs, 0);
   LOADER(vkBindImageMemory)(chain->device, chain->images[i], chain->memory[i], 0);
}

static void
create_pixels(struct swapchain *chain, VkExtent2D size)
{
   chain->size_B = size.width * size.height * 4;
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                    .size = chain->size_B,
                                    .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
   VkMemoryRequirements needs;
   check(!LOADER(vkCreateBuffer)(chain->device, &info, NULL, &chain->pixels), "vkCreateBuffer");
   LOADER(vkGetBufferMemoryRequirements)(chain->device, chain->pixels, &needs);
   chain->pixels_memory =
      allocate(chain->device, needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
   LOADER(vkBindBufferMemory)(chain->device, chain->pixels, chain->pixels_memory, 0);
   check(!LOADER(vkMapMemory)(chain->device, chain->pixels_memory, 0, VK_WHOLE_SIZE, 0, &chain->map), "vkMapMemory");
}

/* What the program drew last is in an image of the layout to present, which without a swapchain is not one. */
static void
record_copy(struct swapchain *chain, unsigned i, VkExtent2D size)
{
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
   const VkImageMemoryBarrier before = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
                                        .oldLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                                        .newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                        .image = chain->images[i],
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
   const VkMemoryBarrier after = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = {size.width, size.height, 1}};
   VkCommandBuffer copy = chain->copies[i];
   LOADER(vkBeginCommandBuffer)(copy, &begin);
   LOADER(vkCmdPipelineBarrier)(copy, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                0, 0, NULL, 0, NULL, 1, &before);
   LOADER(vkCmdCopyImageToBuffer)(copy, chain->images[i], VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, chain->pixels, 1,
                                  &region);
   LOADER(vkCmdPipelineBarrier)(copy, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &after, 0,
                                NULL, 0, NULL);
   check(!LOADER(vkEndCommandBuffer)(copy), "vkEndCommandBuffer");
}

static VkResult
create_swapchain(VkDevice device, const VkSwapchainCreateInfoKHR *asked, const VkAllocationCallbacks *callbacks,
                 VkSwapchainKHR *made)
{
   struct swapchain *chain = calloc(1, sizeof(*chain));
   check(chain, "no memory");
   chain->device = device;
   create_pixels(chain, asked->imageExtent);
   const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
   check(!LOADER(vkCreateCommandPool)(device, &pool_info, NULL, &chain->pool), "vkCreateCommandPool");
   const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = chain->pool,
                                             .commandBufferCount = IMAGES};
   check(!LOADER(vkAllocateCommandBuffers)(device, &info, chain->copies), "vkAllocateCommandBuffers");
   for (unsigned i = 0; i < IMAGES; i++) {
      create_image(chain, i, asked);
      record_copy(chain, i, asked->imageExtent);
   }
   *made = (VkSwapchainKHR)(uintptr_t)chain;
   return VK_SUCCESS;
}

static void
destroy_swapchain(VkDevice device, VkSwapchainKHR swapchain, const VkAllocationCallbacks *callbacks)
{
   struct swapchain *chain = (struct swapchain *)(uintptr_t)swapchain;
   for (unsigned i = 0; i < IMAGES; i++) {
      LOADER(vkDestroyImage)(device, chain->images[i], NULL);
      LOADER(vkFreeMemory)(device, chain->memory[i], NULL);
   }
   LOADER(vkDestroyCommandPool)(device, chain->pool, NULL);
   LOADER(vkDestroyBuffer)(device, chain->pixels, NULL);
   LOADER(vkFreeMemory)(device, chain->pixels_memory, NULL);
   free(chain);
}

static VkResult
get_images(VkDevice device, VkSwapchainKHR swapchain, uint32_t *count, VkImage *images)
{
   *count = IMAGES;
   if (images)
      memcpy(images, ((struct swapchain *)(uintptr_t)swapchain)->images, sizeof(VkImage[IMAGES]));
   return VK_SUCCESS;
}

/* Presenting waits for its copy: any image is free. */
static VkResult
acquire(VkDevice device, VkSwapchainKHR swapchain, uint64_t timeout, VkSemaphore semaphore, VkFence fence,
        uint32_t *index)
{
   struct swapchain *chain = (struct swapchain *)(uintptr_t)swapchain;
   const VkSubmitInfo signal = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .signalSemaphoreCount = semaphore ? 1 : 0,
                                .pSignalSemaphores = &semaphore};
   *index = chain->next++ % IMAGES;
   return LOADER(vkQueueSubmit)(queue, 1, &signal, fence);
}

static VkResult
present(VkQueue on, const VkPresentInfoKHR *info)
{
   static const VkPipelineStageFlags stages[] = {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                                 VK_PIPELINE_STAGE_ALL_COMMANDS_BIT};
   check(info->swapchainCount == 1 && info->waitSemaphoreCount <= ARRAY_SIZE(stages), "one swapchain at a time");
   struct swapchain *chain = (struct swapchain *)(uintptr_t)info->pSwapchains[0];
   const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .waitSemaphoreCount = info->waitSemaphoreCount,
                                .pWaitSemaphores = info->pWaitSemaphores,
                                .pWaitDstStageMask = stages,
                                .commandBufferCount = frame_is_wanted(),
                                .pCommandBuffers = &chain->copies[info->pImageIndices[0]]};
   VkResult result = LOADER(vkQueueSubmit)(on, 1, &submit, VK_NULL_HANDLE);
   result = result ? result : LOADER(vkQueueWaitIdle)(on);
   check(!result, "the device was lost");
   if (frame_write(chain->map, chain->size_B))
      exit(0);
   return VK_SUCCESS;
}

static PFN_vkVoidFunction
own_function(const char *name)
{
   static const struct {
      const char *name;
      PFN_vkVoidFunction function;
   } own[] = {
      {"vkGetPhysicalDeviceSurfaceSupportKHR", (PFN_vkVoidFunction)get_support},
      {"vkGetPhysicalDeviceSurfaceCapabilitiesKHR", (PFN_vkVoidFunction)get_capabilities},
      {"vkGetPhysicalDeviceSurfaceFormatsKHR", (PFN_vkVoidFunction)get_formats},
      {"vkGetPhysicalDeviceSurfacePresentModesKHR", (PFN_vkVoidFunction)get_modes},
      {"vkCreateSwapchainKHR", (PFN_vkVoidFunction)create_swapchain},
      {"vkDestroySwapchainKHR", (PFN_vkVoidFunction)destroy_swapchain},
      {"vkGetSwapchainImagesKHR", (PFN_vkVoidFunction)get_images},
      {"vkAcquireNextImageKHR", (PFN_vkVoidFunction)acquire},
      {"vkQueuePresentKHR", (PFN_vkVoidFunction)present},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(own); i++) {
      if (!strcmp(name, own[i].name))
         return own[i].function;
   }
   return NULL;
}

static PFN_vkVoidFunction
get_device_function(VkDevice device, const char *name)
{
   PFN_vkVoidFunction own = own_function(name);
   return own ? own : LOADER(vkGetDeviceProcAddr)(device, name);
}

PFN_vkVoidFunction
vkGetInstanceProcAddr(VkInstance instance, const char *name)
{
   PFN_vkVoidFunction own =
      strcmp(name, "vkGetDeviceProcAddr") ? own_function(name) : (PFN_vkVoidFunction)get_device_function;
   return own ? own : LOADER(vkGetInstanceProcAddr)(instance, name);
}
