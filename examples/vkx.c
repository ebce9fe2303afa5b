#include "vkx.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void
vkx_check(VkResult result, const char *what)
{
   if (result < 0) {
      fprintf(stderr, "%s failed: VkResult %d\n", what, result);
      exit(1);
   }
}

static void
fail(const char *message)
{
   fprintf(stderr, "%s\n", message);
   exit(1);
}

static bool
find_family(VkPhysicalDevice physical, uint32_t *family)
{
   VkQueueFamilyProperties families[16];
   uint32_t count = 16;
   vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
   for (uint32_t i = 0; i < count; i++) {
      VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
      if ((families[i].queueFlags & both) == both) {
         *family = i;
         return true;
      }
   }
   return false;
}

static VkInstance
create_instance(const char *program, uint32_t api_version)
{
   const VkApplicationInfo app = {
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pApplicationName = program, .apiVersion = api_version};
   const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app};
   VkInstance instance;
   vkx_check(vkCreateInstance(&info, NULL, &instance), "vkCreateInstance");
   return instance;
}

static void
choose_device(struct vkx *vkx)
{
   VkPhysicalDevice devices[8];
   uint32_t count = 8, chosen = 0;
   vkx_check(vkEnumeratePhysicalDevices(vkx->instance, &count, devices), "vkEnumeratePhysicalDevices");
   while (chosen < count && !find_family(devices[chosen], &vkx->family))
      chosen++;
   if (chosen == count)
      fail("no Vulkan device with a queue for graphics and compute");
   vkx->physical = devices[chosen];
   vkGetPhysicalDeviceProperties(vkx->physical, &vkx->properties);
   vkGetPhysicalDeviceMemoryProperties(vkx->physical, &vkx->memory);
   printf("device: %s\n", vkx->properties.deviceName);
}

static void
require_extension(const struct vkx *vkx, const char *name)
{
   uint32_t count = 0;
   vkx_check(vkEnumerateDeviceExtensionProperties(vkx->physical, NULL, &count, NULL), "extensions");
   VkExtensionProperties *extensions = calloc(count + 1, sizeof(*extensions));
   bool found = false;
   vkx_check(vkEnumerateDeviceExtensionProperties(vkx->physical, NULL, &count, extensions), "extensions");
   for (uint32_t i = 0; i < count; i++)
      found |= !strcmp(extensions[i].extensionName, name);
   free(extensions);
   if (!found) {
      fprintf(stderr, "%s does not have %s\n", vkx->properties.deviceName, name);
      exit(1);
   }
}

static struct vkx
create(const char *program, uint32_t api_version, const char *extension, const void *more_features)
{
   struct vkx vkx = {.instance = create_instance(program, api_version)};
   choose_device(&vkx);
   if (extension)
      require_extension(&vkx, extension);
   const float priority = 1;
   const VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                               .queueFamilyIndex = vkx.family,
                                               .queueCount = 1,
                                               .pQueuePriorities = &priority};
   VkPhysicalDeviceFeatures features;
   vkGetPhysicalDeviceFeatures(vkx.physical, &features);
   features.robustBufferAccess = VK_FALSE;
   const VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                           .pNext = more_features,
                                           .queueCreateInfoCount = 1,
                                           .pQueueCreateInfos = &queue_info,
                                           .enabledExtensionCount = extension ? 1 : 0,
                                           .ppEnabledExtensionNames = &extension,
                                           .pEnabledFeatures = &features};
   vkx_check(vkCreateDevice(vkx.physical, &device_info, NULL, &vkx.device), "vkCreateDevice");
   vkGetDeviceQueue(vkx.device, vkx.family, 0, &vkx.queue);
   const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                              .queueFamilyIndex = vkx.family};
   vkx_check(vkCreateCommandPool(vkx.device, &pool_info, NULL, &vkx.pool), "vkCreateCommandPool");
   return vkx;
}

struct vkx
vkx_create(const char *program)
{
   return create(program, VK_API_VERSION_1_0, NULL, NULL);
}

struct vkx
vkx_create_with(const char *program, const char *extension, const void *features)
{
   return create(program, VK_API_VERSION_1_1, extension, features);
}

void
vkx_destroy(struct vkx *vkx)
{
   vkDestroyCommandPool(vkx->device, vkx->pool, NULL);
   vkDestroyDevice(vkx->device, NULL);
   vkDestroyInstance(vkx->instance, NULL);
}

static VkDeviceMemory
allocate(struct vkx *vkx, VkMemoryRequirements needs, bool host_visible)
{
   VkMemoryPropertyFlags wanted = host_visible
                                     ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
                                     : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
   uint32_t type = 0;
   while (type < vkx->memory.memoryTypeCount &&
          !(needs.memoryTypeBits >> type & 1 && (vkx->memory.memoryTypes[type].propertyFlags & wanted) == wanted))
      type++;
   if (type == vkx->memory.memoryTypeCount)
      fail("no fitting memory type");
   const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
   VkDeviceMemory memory;
   vkx_check(vkAllocateMemory(vkx->device, &info, NULL, &memory), "vkAllocateMemory");
   return memory;
}

struct vkx_buffer
vkx_buffer_create(struct vkx *vkx, VkDeviceSize size, VkBufferUsageFlags usage, bool host_visible)
{
   struct vkx_buffer buffer = {.size = size};
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
   vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &buffer.buffer), "vkCreateBuffer");
   VkMemoryRequirements needs;
   vkGetBufferMemoryRequirements(vkx->device, buffer.buffer, &needs);
   buffer.memory = allocate(vkx, needs, host_visible);
   vkx_check(vkBindBufferMemory(vkx->device, buffer.buffer, buffer.memory, 0), "vkBindBufferMemory");
   if (host_visible)
      vkx_check(vkMapMemory(vkx->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.map), "vkMapMemory");
   return buffer;
}

void
vkx_buffer_destroy(struct vkx *vkx, struct vkx_buffer *buffer)
{
   vkDestroyBuffer(vkx->device, buffer->buffer, NULL);
   vkFreeMemory(vkx->device, buffer->memory, NULL);
}

struct vkx_image
vkx_image_create(struct vkx *vkx, VkFormat format, VkExtent2D extent, uint32_t levels, VkSampleCountFlagBits samples,
                 VkImageUsageFlags usage, VkImageAspectFlags aspect)
{
   struct vkx_image image = {.format = format, .extent = extent, .levels = levels};
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = format,
      .extent = {extent.width, extent.height, 1},
      .mipLevels = levels,
      .arrayLayers = 1,
      .samples = samples,
      .usage = usage,
   };
   vkx_check(vkCreateImage(vkx->device, &info, NULL, &image.image), "vkCreateImage");
   VkMemoryRequirements needs;
   vkGetImageMemoryRequirements(vkx->device, image.image, &needs);
   image.memory = allocate(vkx, needs, false);
   vkx_check(vkBindImageMemory(vkx->device, image.image, image.memory, 0), "vkBindImageMemory");
   image.view = vkx_view_create(vkx, &image, 0, levels, aspect);
   return image;
}

VkImageView
vkx_view_create(struct vkx *vkx, const struct vkx_image *image, uint32_t level, uint32_t levels,
                VkImageAspectFlags aspect)
{
   const VkImageViewCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = image->image,
      .viewType = VK_IMAGE_VIEW_TYPE_2D,
      .format = image->format,
      .subresourceRange = {aspect, level, levels, 0, 1},
   };
   VkImageView view;
   vkx_check(vkCreateImageView(vkx->device, &info, NULL, &view), "vkCreateImageView");
   return view;
}

void
vkx_image_destroy(struct vkx *vkx, struct vkx_image *image)
{
   vkDestroyImageView(vkx->device, image->view, NULL);
   vkDestroyImage(vkx->device, image->image, NULL);
   vkFreeMemory(vkx->device, image->memory, NULL);
}

VkShaderModule
vkx_shader_create(struct vkx *vkx, const uint32_t *code, size_t size)
{
   const VkShaderModuleCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = code};
   VkShaderModule shader;
   vkx_check(vkCreateShaderModule(vkx->device, &info, NULL, &shader), "vkCreateShaderModule");
   return shader;
}

VkDescriptorSetLayout
vkx_set_layout_create(struct vkx *vkx, uint32_t count, const VkDescriptorType *types, VkShaderStageFlags stages)
{
   VkDescriptorSetLayoutBinding bindings[32] = {0};
   for (uint32_t i = 0; i < count; i++) {
      bindings[i].binding = i;
      bindings[i].descriptorType = types[i];
      bindings[i].descriptorCount = 1;
      bindings[i].stageFlags = stages;
   }
   const VkDescriptorSetLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = count, .pBindings = bindings};
   VkDescriptorSetLayout layout;
   vkx_check(vkCreateDescriptorSetLayout(vkx->device, &info, NULL, &layout), "vkCreateDescriptorSetLayout");
   return layout;
}

VkPipelineLayout
vkx_pipeline_layout_create(struct vkx *vkx, VkDescriptorSetLayout set_layout, VkShaderStageFlags stages,
                           uint32_t push_constant_size)
{
   const VkPushConstantRange range = {stages, 0, push_constant_size};
   const VkPipelineLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = set_layout ? 1 : 0,
      .pSetLayouts = &set_layout,
      .pushConstantRangeCount = push_constant_size ? 1 : 0,
      .pPushConstantRanges = &range,
   };
   VkPipelineLayout layout;
   vkx_check(vkCreatePipelineLayout(vkx->device, &info, NULL, &layout), "vkCreatePipelineLayout");
   return layout;
}

VkPipeline
vkx_compute_pipeline_create(struct vkx *vkx, VkPipelineLayout layout, VkShaderModule shader)
{
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = shader,
                .pName = "main"},
      .layout = layout,
   };
   VkPipeline pipeline;
   vkx_check(vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
             "vkCreateComputePipelines");
   vkDestroyShaderModule(vkx->device, shader, NULL);
   return pipeline;
}

VkCommandBuffer
vkx_begin(struct vkx *vkx)
{
   const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = vkx->pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                             .commandBufferCount = 1};
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
   VkCommandBuffer cmd;
   vkx_check(vkAllocateCommandBuffers(vkx->device, &info, &cmd), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
   return cmd;
}

void
vkx_submit_and_wait(struct vkx *vkx, VkCommandBuffer cmd)
{
   const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   VkFence fence;
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   vkx_check(vkCreateFence(vkx->device, &fence_info, NULL, &fence), "vkCreateFence");
   vkx_check(vkQueueSubmit(vkx->queue, 1, &submit, fence), "vkQueueSubmit");
   vkx_check(vkWaitForFences(vkx->device, 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
   vkDestroyFence(vkx->device, fence, NULL);
   vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &cmd);
}

void
vkx_expect_device(struct vkx *vkx)
{
   vkx_submit_and_wait(vkx, vkx_begin(vkx));
}

void
vkx_memory_barrier(VkCommandBuffer cmd, VkPipelineStageFlags src_stages, VkAccessFlags src_access,
                   VkPipelineStageFlags dst_stages, VkAccessFlags dst_access)
{
   const VkMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = src_access, .dstAccessMask = dst_access};
   vkCmdPipelineBarrier(cmd, src_stages, dst_stages, 0, 1, &barrier, 0, NULL, 0, NULL);
}

void
vkx_image_barrier(VkCommandBuffer cmd, VkImage image, VkImageAspectFlags aspect, uint32_t level, uint32_t levels,
                  VkImageLayout old_layout, VkImageLayout new_layout, VkPipelineStageFlags src_stages,
                  VkAccessFlags src_access, VkPipelineStageFlags dst_stages, VkAccessFlags dst_access)
{
   const VkImageMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .srcAccessMask = src_access,
      .dstAccessMask = dst_access,
      .oldLayout = old_layout,
      .newLayout = new_layout,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image,
      .subresourceRange = {aspect, level, levels, 0, 1},
   };
   vkCmdPipelineBarrier(cmd, src_stages, dst_stages, 0, 0, NULL, 0, NULL, 1, &barrier);
}

void
vkx_write_png(const char *path, uint32_t width, uint32_t height, const void *rgba)
{
   png_image image = {.version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGBA};
   FILE *file = fopen(path, "wb");
   bool written = file && png_image_write_to_stdio(&image, file, 0, rgba, 0, NULL);
   if ((file && fclose(file)) || !written) { /* what is small gets to the disk when the file is closed */
      fprintf(stderr, "%s: %s\n", path, *image.message ? image.message : strerror(errno));
      exit(1);
   }
   printf("wrote %s (%ux%u)\n", path, width, height);
}

const char *
vkx_option(int argc, char **argv, const char *name, const char *otherwise)
{
   for (int i = 1; i + 1 < argc; i++) {
      if (!strcmp(argv[i], name))
         return argv[i + 1];
   }
   return otherwise;
}

void
vkx_expect_options(int argc, char **argv, const char *const *names, const char *usage)
{
   for (int i = 1; i < argc; i += 2) {
      const char *const *name = names;
      while (*name && strcmp(*name, argv[i]))
         name++;
      if (!*name || i + 1 == argc) {
         fprintf(stderr, "usage: %s\n", usage);
         exit(2);
      }
   }
}

double
vkx_seconds(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
