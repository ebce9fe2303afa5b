/* Images of several planes and samplers that convert from Y'CbCr, in random pairs of formats, models, ranges, filters
 * and ways to fill the planes. Every expected value is computed here, from the Vulkan specification's chapter
 * "Sampler Y'CbCr conversion"; --exact: to a thousandth, so that 10 and 12 bits count without the padding of their
 * words, and filters are no coarser than their weights. --no-host-copies: copies by the processor are left out. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ycbcr_reference.h"

static const uint32_t code[] = {
#include "ycbcr.comp.inc"
};

enum { LANES = 64 };

/* How the planes get their texels. */
enum way { BY_BUFFER, BY_IMAGE, BY_HOST, MAPPED, WAYS };

static struct vkx *vkx;
static bool exact, host_copies, arrays;
static struct vkx_buffer results, places, staging;
static PFN_vkCopyMemoryToImageEXT copy_to_image;
static PFN_vkCopyImageToMemoryEXT copy_to_memory;

/* ---- images ---- */

static VkDeviceMemory
allocate(VkMemoryRequirements needs, bool mapped, VkDeviceSize more_B)
{
   uint32_t type = 0;
   const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
   while (!(needs.memoryTypeBits >> type & 1) ||
          (mapped && (vkx->memory.memoryTypes[type].propertyFlags & wanted) != wanted))
      type++;
   const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, needs.size + more_B, type};
   VkDeviceMemory memory;
   vkx_check(vkAllocateMemory(vkx->device, &info, NULL, &memory), "vkAllocateMemory");
   return memory;
}

static VkMemoryRequirements
requirements(const struct planar *p, uint32_t plane)
{
   const VkImagePlaneMemoryRequirementsInfo of = {VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO, NULL,
                                                  VK_IMAGE_ASPECT_PLANE_0_BIT << plane};
   const VkImageMemoryRequirementsInfo2 info = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
                                                p->disjoint ? &of : NULL, p->image};
   VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
   vkGetImageMemoryRequirements2(vkx->device, &info, &needs);
   return needs.memoryRequirements;
}

/* Of disjoint images each plane after some bytes of a memory of its own. */
static void
bind_memory(struct planar *p)
{
   VkBindImagePlaneMemoryInfo of[MAX_PLANES];
   VkBindImageMemoryInfo binds[MAX_PLANES];
   const uint32_t count = p->disjoint ? p->format->planes : 1;
   for (uint32_t i = 0; i < count; i++) {
      const VkMemoryRequirements needs = requirements(p, i);
      p->memory[i] = allocate(needs, p->linear, p->disjoint ? needs.alignment : 0);
      of[i] = (VkBindImagePlaneMemoryInfo){VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO, NULL,
                                           VK_IMAGE_ASPECT_PLANE_0_BIT << i};
      binds[i] = (VkBindImageMemoryInfo){VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, p->disjoint ? &of[i] : NULL,
                                         p->image, p->memory[i], p->disjoint ? needs.alignment : 0};
   }
   vkx_check(vkBindImageMemory2(vkx->device, count, binds), "vkBindImageMemory2");
}

static VkImageCreateInfo
image_info(const struct planar *p)
{
   return (VkImageCreateInfo){
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | (p->disjoint ? VK_IMAGE_CREATE_DISJOINT_BIT : 0),
      .imageType = VK_IMAGE_TYPE_2D,
      .format = p->format->format,
      .extent = {SIZE_PX, SIZE_PX, 1},
      .mipLevels = 1,
      .arrayLayers = p->layers,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .tiling = p->linear ? VK_IMAGE_TILING_LINEAR : VK_IMAGE_TILING_OPTIMAL,
      .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
               (host_copies ? VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT : 0),
      .initialLayout = p->linear ? VK_IMAGE_LAYOUT_PREINITIALIZED : VK_IMAGE_LAYOUT_UNDEFINED,
   };
}

/* How many layers such an image may have; 0: there is none. descriptors: of a combined image and sampler. */
static uint32_t
max_layers(const struct planar *p, uint32_t *descriptors)
{
   const VkImageCreateInfo create = image_info(p);
   const VkPhysicalDeviceImageFormatInfo2 info = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
                                                  .format = create.format,
                                                  .type = create.imageType,
                                                  .tiling = create.tiling,
                                                  .usage = create.usage,
                                                  .flags = create.flags};
   VkSamplerYcbcrConversionImageFormatProperties conversion = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_IMAGE_FORMAT_PROPERTIES};
   VkImageFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, .pNext = &conversion};
   if (vkGetPhysicalDeviceImageFormatProperties2(vkx->physical, &info, &properties) != VK_SUCCESS)
      return 0;
   *descriptors = conversion.combinedImageSamplerDescriptorCount;
   return arrays ? properties.imageFormatProperties.maxArrayLayers : 1;
}

static void
barrier(VkCommandBuffer cmd, const struct planar *p, VkImageAspectFlags aspect, VkImageLayout from, VkImageLayout to)
{
   const VkImageMemoryBarrier image = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                       .srcAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                       .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                       .oldLayout = from,
                                       .newLayout = to,
                                       .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                       .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                       .image = p->image,
                                       .subresourceRange = {aspect, 0, 1, 0, p->layers}};
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 0, NULL, 0, NULL, 1,
                        &image);
}

static VkImageSubresourceLayers
layers_of(const struct planar *p, uint32_t plane)
{
   return (VkImageSubresourceLayers){VK_IMAGE_ASPECT_PLANE_0_BIT << plane, 0, 0, p->layers};
}

static VkExtent3D
plane_extent(const struct planar *p, uint32_t plane)
{
   return (VkExtent3D){plane_width(p->format, plane), plane_height(p->format, plane), 1};
}

static VkBufferImageCopy
buffer_region(const struct planar *p, uint32_t plane)
{
   return (VkBufferImageCopy){.bufferOffset = plane * PLANE_B,
                              .imageSubresource = layers_of(p, plane),
                              .imageExtent = plane_extent(p, plane)};
}

static struct vkt_image
image_of_plane(const struct planar *p, uint32_t plane)
{
   return vkt_image_create(
      vkx,
      (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                          .format = plane_format(p->format, plane),
                          .extent = plane_extent(p, plane),
                          .arrayLayers = p->layers,
                          .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
      false);
}

/* From an image of one plane, which gets them from a buffer. */
static void
fill_by_image(struct planar *p, uint32_t plane)
{
   struct vkt_image from = image_of_plane(p, plane);
   VkBufferImageCopy region = buffer_region(p, plane);
   const VkImageCopy copy = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, p->layers},
                             .dstSubresource = layers_of(p, plane),
                             .extent = plane_extent(p, plane)};
   region.imageSubresource.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &from, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdCopyBufferToImage(cmd, staging.buffer, from.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
   vkt_barrier(cmd);
   vkCmdCopyImage(cmd, from.image, VK_IMAGE_LAYOUT_GENERAL, p->image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
   vkx_submit_and_wait(vkx, cmd);
   vkt_image_destroy(vkx, &from);
}

static void
fill_by_host(struct planar *p, uint32_t plane)
{
   const VkMemoryToImageCopyEXT region = {.sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY_EXT,
                                          .pHostPointer = p->texels[plane],
                                          .imageSubresource = layers_of(p, plane),
                                          .imageExtent = plane_extent(p, plane)};
   const VkCopyMemoryToImageInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO_EXT,
                                            .dstImage = p->image,
                                            .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .regionCount = 1,
                                            .pRegions = &region};
   vkx_check(copy_to_image(vkx->device, &info), "vkCopyMemoryToImageEXT");
}

static void
fill_mapped(struct planar *p, uint32_t plane)
{
   const struct format *f = p->format;
   const VkImageSubresource of = {VK_IMAGE_ASPECT_PLANE_0_BIT << plane, 0, 0};
   const uint32_t row_B = plane_width(f, plane) * texel_B(f, plane);
   VkDeviceMemory memory = p->memory[p->disjoint ? plane : 0];
   VkSubresourceLayout layout;
   void *map;
   vkGetImageSubresourceLayout(vkx->device, p->image, &of, &layout);
   vkx_check(vkMapMemory(vkx->device, memory, 0, VK_WHOLE_SIZE, 0, &map), "vkMapMemory");
   char *to = (char *)map + layout.offset + (p->disjoint ? requirements(p, plane).alignment : 0);
   for (uint32_t layer = 0; layer < p->layers; layer++) {
      for (uint32_t y = 0; y < plane_height(f, plane); y++)
         memcpy(to + layer * layout.arrayPitch + y * layout.rowPitch,
                p->texels[plane] + layer * layer_B(f, plane) + y * row_B, row_B);
   }
   vkUnmapMemory(vkx->device, memory);
}

static void
fill_plane(struct planar *p, uint32_t plane, enum way way)
{
   if (way == BY_IMAGE) {
      fill_by_image(p, plane);
      return;
   }
   if (way == BY_HOST || way == MAPPED) {
      (way == BY_HOST ? fill_by_host : fill_mapped)(p, plane);
      return;
   }
   const VkBufferImageCopy region = buffer_region(p, plane);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdCopyBufferToImage(cmd, staging.buffer, p->image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
   vkx_submit_and_wait(vkx, cmd);
}

/* Disjoint planes change their layouts one by one: a plane keeps its texels when the next one is discarded. */
static void
fill_image(struct planar *p)
{
   const VkImageLayout from = p->linear ? VK_IMAGE_LAYOUT_PREINITIALIZED : VK_IMAGE_LAYOUT_UNDEFINED;
   fill_texels(p);
   for (uint32_t i = 0; i < p->format->planes; i++)
      memcpy((char *)staging.map + i * PLANE_B, p->texels[i], PLANE_B);
   for (uint32_t i = 0; i < p->format->planes; i++) {
      enum way way = vkt_random_below(WAYS);
      if ((way == BY_HOST && !host_copies) || (way == MAPPED && !p->linear))
         way = BY_BUFFER;
      if (p->disjoint || !i) {
         VkCommandBuffer cmd = vkx_begin(vkx);
         barrier(cmd, p, p->disjoint ? VK_IMAGE_ASPECT_PLANE_0_BIT << i : VK_IMAGE_ASPECT_COLOR_BIT, from,
                 VK_IMAGE_LAYOUT_GENERAL);
         vkx_submit_and_wait(vkx, cmd);
      }
      fill_plane(p, i, way);
   }
}

/* Both by buffer and by the processor. */
static void
expect_planes(const struct planar *p)
{
   const struct format *f = p->format;
   static uint8_t read[PLANE_B];
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_barrier(cmd);
   for (uint32_t i = 0; i < f->planes; i++) {
      const VkBufferImageCopy region = buffer_region(p, i);
      vkCmdCopyImageToBuffer(cmd, p->image, VK_IMAGE_LAYOUT_GENERAL, staging.buffer, 1, &region);
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < f->planes; i++) {
      const uint32_t size_B = p->layers * layer_B(f, i);
      vkt_expect(!memcmp((char *)staging.map + i * PLANE_B, p->texels[i], size_B), "%s: plane %u, read by buffer",
                 f->name, i);
      const VkImageToMemoryCopyEXT region = {.sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY_EXT,
                                             .pHostPointer = read,
                                             .imageSubresource = layers_of(p, i),
                                             .imageExtent = plane_extent(p, i)};
      const VkCopyImageToMemoryInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO_EXT,
                                               .srcImage = p->image,
                                               .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                               .regionCount = 1,
                                               .pRegions = &region};
      if (host_copies && copy_to_memory(vkx->device, &info) == VK_SUCCESS)
         vkt_expect(!memcmp(read, p->texels[i], size_B), "%s: plane %u, read by the processor", f->name, i);
   }
}

static VkImageView
create_view(const struct planar *p, VkFormat format, VkImageAspectFlags aspect, const void *chain)
{
   const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .pNext = chain,
                                       .image = p->image,
                                       .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                       .format = format,
                                       .subresourceRange = {aspect, 0, 1, 0, p->layers}};
   VkImageView view;
   vkx_check(vkCreateImageView(vkx->device, &info, NULL, &view), "vkCreateImageView");
   return view;
}

/* ---- conversions ---- */

static VkComponentMapping
random_components(const struct format *f)
{
   static const VkComponentSwizzle orders[][3] = {
      {VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_IDENTITY},
      {VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_R},
      {VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_R},
      {VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_G}};
   static const VkComponentSwizzle alphas[] = {VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_ONE,
                                               VK_COMPONENT_SWIZZLE_ZERO};
   const VkComponentSwizzle *order = orders[vkt_random_below(f->divisor_x == 1 ? 4 : 2)];
   return (VkComponentMapping){order[0], order[1], order[2], alphas[vkt_random_below(3)]};
}

static VkChromaLocation
random_location(const struct planar *p)
{
   const bool cosited = p->features & VK_FORMAT_FEATURE_COSITED_CHROMA_SAMPLES_BIT;
   const bool midpoint = p->features & VK_FORMAT_FEATURE_MIDPOINT_CHROMA_SAMPLES_BIT;
   const bool choice = vkt_random_below(2);
   return cosited && (choice || !midpoint) ? VK_CHROMA_LOCATION_COSITED_EVEN : VK_CHROMA_LOCATION_MIDPOINT;
}

static void
create_sampler(struct planar *p)
{
   const bool linear = p->features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER_BIT;
   const bool separate =
      p->features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_YCBCR_CONVERSION_SEPARATE_RECONSTRUCTION_FILTER_BIT;
   const VkFilter other = vkt_random_below(2);
   p->info = (VkSamplerYcbcrConversionCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
                                                  .format = p->format->format,
                                                  .ycbcrModel = vkt_random_below(5),
                                                  .ycbcrRange = vkt_random_below(2),
                                                  .components = random_components(p->format),
                                                  .xChromaOffset = random_location(p),
                                                  .yChromaOffset = random_location(p),
                                                  .chromaFilter = vkt_random_below(2) && linear};
   p->filter = separate ? other : p->info.chromaFilter;
   vkx_check(vkCreateSamplerYcbcrConversion(vkx->device, &p->info, NULL, &p->conversion),
             "vkCreateSamplerYcbcrConversion");
   const VkSamplerYcbcrConversionInfo chain = {VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, NULL, p->conversion};
   const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                     .pNext = &chain,
                                     .magFilter = p->filter,
                                     .minFilter = p->filter,
                                     .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
   vkx_check(vkCreateSampler(vkx->device, &info, NULL, &p->sampler), "vkCreateSampler");
   p->view = create_view(p, p->format->format, VK_IMAGE_ASPECT_COLOR_BIT, &chain);
}

/* False: the device has no such images. */
static bool
create_planar(struct planar *p, const struct format *format)
{
   VkFormatProperties properties;
   uint32_t descriptors = 0;
   const bool linear = vkt_random_below(2), disjoint = vkt_random_below(2);
   const uint32_t layers = 1 + vkt_random_below(MAX_LAYERS);
   vkGetPhysicalDeviceFormatProperties(vkx->physical, format->format, &properties);
   *p = (struct planar){.format = format};
   p->linear = linear && properties.linearTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
   p->features = p->linear ? properties.linearTilingFeatures : properties.optimalTilingFeatures;
   p->disjoint = disjoint && p->features & VK_FORMAT_FEATURE_DISJOINT_BIT;
   p->layers = 1;
   const uint32_t max = p->features ? max_layers(p, &descriptors) : 0;
   if (!max)
      return false;
   p->layers = layers < max ? layers : max;
   vkt_expect(descriptors >= 1 && descriptors <= format->planes, "%s: %u descriptors", format->name, descriptors);
   const VkImageCreateInfo info = image_info(p);
   vkx_check(vkCreateImage(vkx->device, &info, NULL, &p->image), "vkCreateImage");
   bind_memory(p);
   fill_image(p);
   expect_planes(p);
   create_sampler(p);
   return true;
}

static void
destroy_planar(struct planar *p)
{
   vkDestroyImageView(vkx->device, p->view, NULL);
   vkDestroySampler(vkx->device, p->sampler, NULL);
   vkDestroySamplerYcbcrConversion(vkx->device, p->conversion, NULL);
   vkDestroyImage(vkx->device, p->image, NULL);
   for (uint32_t i = 0; i < MAX_PLANES; i++)
      vkFreeMemory(vkx->device, p->memory[i], NULL);
}

/* ---- looks ---- */

struct looks {
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkDescriptorPool pool;
   VkDescriptorSet set;
};

/* samplers: immutable ones. */
static struct looks
create_looks(const VkSampler *samplers, const VkDescriptorImageInfo images[2])
{
   struct looks l;
   const VkDescriptorType buffer = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   const VkDescriptorType image = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   const VkDescriptorSetLayoutBinding bindings[3] = {
      {0, buffer, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
      {1, image, 2, VK_SHADER_STAGE_COMPUTE_BIT, samplers},
      {2, buffer, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
   };
   const VkDescriptorSetLayoutCreateInfo set_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 3, .pBindings = bindings};
   vkx_check(vkCreateDescriptorSetLayout(vkx->device, &set_info, NULL, &l.set_layout), "a set's layout");
   l.layout = vkx_pipeline_layout_create(vkx, l.set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 8);
   l.pipeline = vkx_compute_pipeline_create(vkx, l.layout, vkx_shader_create(vkx, code, sizeof(code)));
   const VkDescriptorPoolSize sizes[2] = {{buffer, 2}, {image, 2 * MAX_PLANES}};
   const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 2, .pPoolSizes = sizes};
   vkx_check(vkCreateDescriptorPool(vkx->device, &pool_info, NULL, &l.pool), "vkCreateDescriptorPool");
   const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                 .descriptorPool = l.pool,
                                                 .descriptorSetCount = 1,
                                                 .pSetLayouts = &l.set_layout};
   vkx_check(vkAllocateDescriptorSets(vkx->device, &allocate, &l.set), "vkAllocateDescriptorSets");
   const VkDescriptorBufferInfo buffers[2] = {{results.buffer, 0, VK_WHOLE_SIZE}, {places.buffer, 0, VK_WHOLE_SIZE}};
   const VkWriteDescriptorSet first = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = l.set,
                                       .descriptorCount = 1,
                                       .descriptorType = buffer,
                                       .pBufferInfo = &buffers[0]};
   VkWriteDescriptorSet writes[3] = {first, first, first};
   writes[1].dstBinding = 1;
   writes[1].descriptorCount = 2;
   writes[1].descriptorType = image;
   writes[1].pImageInfo = images;
   writes[2].dstBinding = 2;
   writes[2].pBufferInfo = &buffers[1];
   vkUpdateDescriptorSets(vkx->device, 3, writes, 0, NULL);
   return l;
}

static void
destroy_looks(const struct looks *l)
{
   vkDestroyDescriptorPool(vkx->device, l->pool, NULL);
   vkDestroyPipeline(vkx->device, l->pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, l->layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, l->set_layout, NULL);
}

/* By both samplers, then both images' sizes. */
static void
look(const struct looks *l)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_barrier(cmd);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, l->pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, l->layout, 0, 1, &l->set, 0, NULL);
   for (uint32_t i = 0; i < 4; i++) {
      const uint32_t push[2] = {i * LANES, i};
      vkCmdPushConstants(cmd, l->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), push);
      vkCmdDispatch(cmd, 1, 1, 1);
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

/* Eighths of texels of luma, sixteenths of chroma, and no edge of either: weights and nearest texels are exact. */
static void
choose_places(uint32_t which, uint32_t layers)
{
   float(*at)[4] = (float(*)[4])places.map + which * LANES;
   for (uint32_t i = 0; i < LANES; i++) {
      at[i][0] = (float)(1 + 2 * vkt_random_below(8 * SIZE_PX / 2)) / (8 * SIZE_PX);
      at[i][1] = (float)(1 + 2 * vkt_random_below(8 * SIZE_PX / 2)) / (8 * SIZE_PX);
      at[i][2] = (float)vkt_random_below(layers);
   }
}

/* How many looks are wrong; prints the first. */
static unsigned
count_wrong(const struct planar *p, uint32_t which, bool shifted, bool print)
{
   const float(*at)[4] = (const float(*)[4])places.map + which * LANES;
   const float(*got)[4] = (const float(*)[4])results.map + which * LANES;
   const double tolerance = exact ? 0.001 : 0.02;
   unsigned wrong = 0;
   for (uint32_t i = 0; i < LANES; i++) {
      double want[4];
      expected(p, at[i], shifted, want);
      bool ok = true;
      for (uint32_t c = 0; c < 4; c++)
         ok &= fabs(got[i][c] - want[c]) <= tolerance;
      if (!ok && !wrong++ && print)
         printf("at %g %g: %g %g %g %g instead of %g %g %g %g\n", at[i][0], at[i][1], got[i][0], got[i][1], got[i][2],
                got[i][3], want[0], want[1], want[2], want[3]);
   }
   return wrong;
}

static void
expect_conversion(const struct planar *p, uint32_t which)
{
   const float(*size)[4] = (const float(*)[4])results.map + (2 + which) * LANES;
   const bool linear = p->info.chromaFilter == VK_FILTER_LINEAR;
   const bool ok = !linear && !count_wrong(p, which, false, false);
   const unsigned wrong = ok ? 0 : count_wrong(p, which, true, true);
   vkt_expect(!wrong, "%s: %u of %u wrong: model %u, range %u, offsets %u %u, filters %u %u", p->format->name, wrong,
              LANES, p->info.ycbcrModel, p->info.ycbcrRange, p->info.xChromaOffset, p->info.yChromaOffset, p->filter,
              p->info.chromaFilter);
   vkt_expect(size[0][0] == SIZE_PX && size[0][1] == SIZE_PX && size[0][2] == (float)p->layers, "%s: its size",
              p->format->name);
}

static void
expect_plane(const struct planar *p, uint32_t which, uint32_t plane)
{
   const struct format *f = p->format;
   const float(*at)[4] = (const float(*)[4])places.map + which * LANES;
   const float(*got)[4] = (const float(*)[4])results.map + which * LANES;
   const double tolerance = f->bits == 10 || f->bits == 12 ? 0.001 : 1e-5;
   unsigned wrong = 0;
   for (uint32_t i = 0; i < LANES; i++) {
      for (uint32_t c = 0; c < plane_components(f, plane); c++) {
         const struct spot spot = {plane, c, at[i][0] * plane_width(f, plane), at[i][1] * plane_height(f, plane),
                                   (uint32_t)at[i][2]};
         wrong += fabs(got[i][c] - filtered(p, &spot, VK_FILTER_NEAREST)) > tolerance;
      }
   }
   vkt_expect(!wrong, "%s: view of plane %u: %u components wrong", f->name, plane, wrong);
}

/* As images of one plane, without a conversion. */
static void
test_plane_views(struct planar p[2])
{
   const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                     .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
   VkDescriptorImageInfo images[2];
   uint32_t planes[2];
   VkSampler sampler;
   vkx_check(vkCreateSampler(vkx->device, &info, NULL, &sampler), "vkCreateSampler");
   for (uint32_t i = 0; i < 2; i++) {
      planes[i] = vkt_random_below(p[i].format->planes);
      const VkFormat format = plane_format(p[i].format, planes[i]);
      images[i] =
         (VkDescriptorImageInfo){sampler, create_view(&p[i], format, VK_IMAGE_ASPECT_PLANE_0_BIT << planes[i], NULL),
                                 VK_IMAGE_LAYOUT_GENERAL};
      choose_places(i, p[i].layers);
   }
   const struct looks looks = create_looks(NULL, images);
   look(&looks);
   for (uint32_t i = 0; i < 2; i++)
      expect_plane(&p[i], i, planes[i]);
   destroy_looks(&looks);
   for (uint32_t i = 0; i < 2; i++)
      vkDestroyImageView(vkx->device, images[i].imageView, NULL);
   vkDestroySampler(vkx->device, sampler, NULL);
}

/* Two formats in one array of descriptors. */
static void
test_pair(const struct format *a, const struct format *b)
{
   static struct planar p[2];
   const bool first = create_planar(&p[0], a), second = create_planar(&p[1], b);
   if (first && second) {
      const VkSampler samplers[2] = {p[0].sampler, p[1].sampler};
      const VkDescriptorImageInfo images[2] = {{VK_NULL_HANDLE, p[0].view, VK_IMAGE_LAYOUT_GENERAL},
                                               {VK_NULL_HANDLE, p[1].view, VK_IMAGE_LAYOUT_GENERAL}};
      const struct looks looks = create_looks(samplers, images);
      for (uint32_t i = 0; i < 2; i++)
         choose_places(i, p[i].layers);
      look(&looks);
      for (uint32_t i = 0; i < 2; i++)
         expect_conversion(&p[i], i);
      destroy_looks(&looks);
      test_plane_views(p);
   }
   destroy_planar(&p[0]);
   destroy_planar(&p[1]);
}

/* The first of those that the device has, from a random one on. */
static const struct format *
random_format(void)
{
   const uint32_t from = vkt_random_below(YCBCR_FORMATS);
   for (uint32_t i = 0; i < YCBCR_FORMATS; i++) {
      const struct format *f = &ycbcr_formats[(from + i) % YCBCR_FORMATS];
      VkFormatProperties properties;
      vkGetPhysicalDeviceFormatProperties(vkx->physical, f->format, &properties);
      if (properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)
         return f;
   }
   return NULL;
}

int
main(int argc, char **argv)
{
   bool no_host_copies = false;
   for (int i = 1; i < argc; i++) {
      exact |= !strcmp(argv[i], "--exact");
      no_host_copies |= !strcmp(argv[i], "--no-host-copies");
   }
   vkt_samplers = true;
   struct vkx device = vkt_create(argv[0]);
   vkx = &device;
   if (!vkt_has("VK_KHR_sampler_ycbcr_conversion")) {
      vkt_skip("VK_KHR_sampler_ycbcr_conversion");
      return vkt_finish(vkx);
   }
   arrays = vkt_has("VK_EXT_ycbcr_image_arrays");
   copy_to_image = VKT_PROC(vkx, vkCopyMemoryToImageEXT);
   copy_to_memory = VKT_PROC(vkx, vkCopyImageToMemoryEXT);
   results = vkt_buffer_create(vkx, 4 * LANES * 16, 0xff);
   places = vkt_buffer_create(vkx, 4 * LANES * 16, 0);
   staging = vkt_buffer_create(vkx, MAX_PLANES * PLANE_B, 0);
   for (uint32_t round = 0; round < 4; round++) {
      host_copies = round % 2 && vkt_has("VK_EXT_host_image_copy") && !no_host_copies;
      for (uint32_t i = 0; i < YCBCR_FORMATS; i++) {
         const struct format *other = random_format();
         if (other)
            test_pair(&ycbcr_formats[i], other);
      }
   }
   vkx_buffer_destroy(vkx, &results);
   vkx_buffer_destroy(vkx, &places);
   vkx_buffer_destroy(vkx, &staging);
   return vkt_finish(vkx);
}
