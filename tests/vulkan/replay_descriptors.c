/* descriptorBufferCaptureReplay: images, sparse images and samplers that are created again have the bytes of
 * descriptors that they had, whatever else was created before. */
#include <string.h>

#include "vkt.h"

enum { MAX_B = 128, SIZE_PX = 256, OTHERS = 5 };

static struct vkx *vkx;
static VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes = {
   .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};

struct bytes {
   uint8_t of[MAX_B];
};

static struct bytes
descriptor(VkDescriptorType type, size_t size_B, const VkDescriptorDataEXT *data)
{
   const VkDescriptorGetInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT, .type = type, .data = *data};
   struct bytes bytes = {{0}};
   VKT_PROC(vkx, vkGetDescriptorEXT)(vkx->device, &info, size_B, bytes.of);
   return bytes;
}

static bool
are_same(const struct bytes *a, const struct bytes *b)
{
   return !memcmp(a->of, b->of, MAX_B);
}

/* ---- samplers ---- */

/* data: captured, or NULL. */
static VkResult
create_sampler(float red, VkSamplerCreateFlags flags, const void *data, VkSampler *sampler)
{
   const VkOpaqueCaptureDescriptorDataCreateInfoEXT captured = {
      .sType = VK_STRUCTURE_TYPE_OPAQUE_CAPTURE_DESCRIPTOR_DATA_CREATE_INFO_EXT, .opaqueCaptureDescriptorData = data};
   const VkSamplerCustomBorderColorCreateInfoEXT border = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
      .pNext = data ? &captured : NULL,
      .customBorderColor = {.float32 = {red, 0.5f, 0.25f, 1}},
      .format = VK_FORMAT_R8G8B8A8_UNORM};
   const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                     .pNext = &border,
                                     .flags = flags,
                                     .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                     .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                     .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                     .borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT};
   *sampler = VK_NULL_HANDLE;
   return vkCreateSampler(vkx->device, &info, NULL, sampler);
}

static struct bytes
sampler_bytes(VkSampler sampler)
{
   return descriptor(VK_DESCRIPTOR_TYPE_SAMPLER, sizes.samplerDescriptorSize,
                     &(VkDescriptorDataEXT){.pSampler = &sampler});
}

static void
test_samplers(void)
{
   const VkSamplerCreateFlags flag = VK_SAMPLER_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT;
   /* RADV gives their places to others. */
   const uint32_t num_others = vkt_is_indium(vkx) ? OTHERS : 0;
   uint8_t data[2][MAX_B];
   VkSampler samplers[2], others[OTHERS], taken;
   struct bytes before[2];
   for (uint32_t i = 0; i < 2; i++) {
      vkx_check(create_sampler((float)i, flag, NULL, &samplers[i]), "vkCreateSampler");
      const VkSamplerCaptureDescriptorDataInfoEXT info = {
         .sType = VK_STRUCTURE_TYPE_SAMPLER_CAPTURE_DESCRIPTOR_DATA_INFO_EXT, .sampler = samplers[i]};
      vkx_check(VKT_PROC(vkx, vkGetSamplerOpaqueCaptureDescriptorDataEXT)(vkx->device, &info, data[i]), "its data");
      before[i] = sampler_bytes(samplers[i]);
   }
   vkDestroySampler(vkx->device, samplers[0], NULL);
   vkDestroySampler(vkx->device, samplers[1], NULL);
   for (uint32_t i = 0; i < num_others; i++)
      vkx_check(create_sampler(2 + (float)i, 0, NULL, &others[i]), "vkCreateSampler");
   for (uint32_t i = 2; i--;) {
      const VkResult result = create_sampler((float)i, flag, data[i], &samplers[i]);
      const struct bytes after = samplers[i] ? sampler_bytes(samplers[i]) : (struct bytes){{0}};
      vkt_expect(result == VK_SUCCESS && are_same(&after, &before[i]), "sampler %u again: VkResult %d", i, result);
   }
   const VkResult result = create_sampler(9, flag, data[0], &taken);
   vkt_expect(result == VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS, "a place that is taken: VkResult %d", result);
   vkDestroySampler(vkx->device, taken, NULL);
   for (uint32_t i = 0; i < num_others; i++)
      vkDestroySampler(vkx->device, others[i], NULL);
   vkDestroySampler(vkx->device, samplers[0], NULL);
   vkDestroySampler(vkx->device, samplers[1], NULL);
}

/* ---- images ---- */

struct image {
   VkImage image;
   VkDeviceMemory memory;
   uint64_t address; /* of memory */
   uint8_t data[MAX_B];
   struct bytes bytes;
};

static void
bind_memory(struct image *image, const struct image *before)
{
   VkMemoryRequirements needs;
   vkGetImageMemoryRequirements(vkx->device, image->image, &needs);
   const VkMemoryOpaqueCaptureAddressAllocateInfo wanted = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO,
      .opaqueCaptureAddress = before ? before->address : 0};
   const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                            .pNext = &wanted,
                                            .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT |
                                                     VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT};
   uint32_t type = 0;
   while (!(needs.memoryTypeBits >> type & 1))
      type++;
   const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags, needs.size, type};
   vkx_check(vkAllocateMemory(vkx->device, &info, NULL, &image->memory), "vkAllocateMemory");
   const VkDeviceMemoryOpaqueCaptureAddressInfo of = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_OPAQUE_CAPTURE_ADDRESS_INFO, .memory = image->memory};
   image->address = VKT_PROC(vkx, vkGetDeviceMemoryOpaqueCaptureAddressKHR)(vkx->device, &of);
   vkx_check(vkBindImageMemory(vkx->device, image->image, image->memory, 0), "vkBindImageMemory");
}

static void
capture(struct image *image)
{
   const struct vkt_image of = {.image = image->image, .info = {.format = VK_FORMAT_R8G8B8A8_UNORM}};
   const VkImageCaptureDescriptorDataInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CAPTURE_DESCRIPTOR_DATA_INFO_EXT, .image = image->image};
   vkx_check(VKT_PROC(vkx, vkGetImageOpaqueCaptureDescriptorDataEXT)(vkx->device, &info, image->data), "its data");
   VkImageView view = vkt_view_create(vkx, &of, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
   const VkDescriptorImageInfo shown = {VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
   image->bytes = descriptor(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, sizes.sampledImageDescriptorSize,
                             &(VkDescriptorDataEXT){.pSampledImage = &shown});
   vkDestroyImageView(vkx->device, view, NULL);
}

/* before: the one that it is to be again, or NULL. */
static struct image
create_image(bool sparse, const struct image *before)
{
   const VkOpaqueCaptureDescriptorDataCreateInfoEXT captured = {
      .sType = VK_STRUCTURE_TYPE_OPAQUE_CAPTURE_DESCRIPTOR_DATA_CREATE_INFO_EXT,
      .opaqueCaptureDescriptorData = before ? before->data : NULL};
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                   .pNext = before ? &captured : NULL,
                                   .flags = VK_IMAGE_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT |
                                            (sparse ? VK_IMAGE_CREATE_SPARSE_BINDING_BIT : 0),
                                   .imageType = VK_IMAGE_TYPE_2D,
                                   .format = VK_FORMAT_R8G8B8A8_UNORM,
                                   .extent = {SIZE_PX, SIZE_PX, 1},
                                   .mipLevels = 1,
                                   .arrayLayers = 1,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
   struct image image = {0};
   vkx_check(vkCreateImage(vkx->device, &info, NULL, &image.image), "vkCreateImage");
   if (!sparse)
      bind_memory(&image, before);
   capture(&image);
   return image;
}

static void
destroy_image(const struct image *image)
{
   vkDestroyImage(vkx->device, image->image, NULL);
   vkFreeMemory(vkx->device, image->memory, NULL);
}

static void
test_images(bool sparse)
{
   struct image first = create_image(sparse, NULL), second = create_image(sparse, NULL);
   vkt_expect(!are_same(&first.bytes, &second.bytes), "two images have different descriptors");
   destroy_image(&first);
   destroy_image(&second);
   struct image second_again = create_image(sparse, &second), first_again = create_image(sparse, &first);
   vkt_expect(are_same(&first.bytes, &first_again.bytes), "%s image again", sparse ? "a sparse" : "an");
   vkt_expect(are_same(&second.bytes, &second_again.bytes), "the other %simage again", sparse ? "sparse " : "");
   destroy_image(&first_again);
   destroy_image(&second_again);
}

int
main(void)
{
   VkPhysicalDeviceDescriptorBufferFeaturesEXT offered = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &offered, {0}};
   VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &sizes, {0}};
   vkt_descriptor_buffers = vkt_samplers = true;
   struct vkx device = vkt_create("replay_descriptors");
   vkx = &device;
   if (vkt_has("VK_EXT_descriptor_buffer"))
      vkGetPhysicalDeviceFeatures2(device.physical, &features);
   if (!offered.descriptorBufferCaptureReplay) {
      vkt_skip("descriptorBufferCaptureReplay");
      return vkt_finish(vkx);
   }
   vkGetPhysicalDeviceProperties2(device.physical, &properties);
   vkt_expect(sizes.samplerCaptureReplayDescriptorDataSize <= MAX_B &&
                 sizes.imageCaptureReplayDescriptorDataSize <= MAX_B && sizes.samplerDescriptorSize <= MAX_B &&
                 sizes.sampledImageDescriptorSize <= MAX_B,
              "sizes");
   test_samplers();
   test_images(false);
   if (vkt_features.sparseBinding)
      test_images(true);
   return vkt_finish(vkx);
}
