/* One picture of many texture accesses: kinds of images, filters, address modes, formats. Compared with another
 * driver's. */
#include <stdio.h>
#include <string.h>

#include "vkt.h"

static const uint32_t textures_code[] = {
#include "textures.comp.inc"
};

enum { CELL_PX = 32, COLUMNS = 20, MAX_CASES = 120, KINDS = 21 };

struct texture {
   VkImage image;
   VkDeviceMemory memory;
   VkImageView view;
};

struct test {
   struct vkx vkx;
   VkDescriptorPool pool;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   struct vkx_buffer picture;
   uint32_t cases;
};

struct push {
   uint32_t kind, x, y, pitch;
   float lod;
};

static VkDeviceMemory
allocate(struct vkx *vkx, VkImage image)
{
   VkMemoryRequirements needs;
   VkDeviceMemory memory;
   vkGetImageMemoryRequirements(vkx->device, image, &needs);
   uint32_t type = 0;
   while (!(needs.memoryTypeBits >> type & 1))
      type++;
   const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
   vkx_check(vkAllocateMemory(vkx->device, &info, NULL, &memory), "vkAllocateMemory");
   vkx_check(vkBindImageMemory(vkx->device, image, memory, 0), "vkBindImageMemory");
   return memory;
}

/* Bytes that differ everywhere but change smoothly enough for filters to matter. */
static void
fill(uint8_t *bytes, size_t size_B, uint32_t seed)
{
   for (size_t i = 0; i < size_B; i++) {
      seed = seed * 1664525u + 1013904223u;
      bytes[i] = (uint8_t)(seed >> 24);
   }
}

/* Values in [0, 1] for formats of floats. */
static void
fill_floats(float *values, size_t count, uint32_t seed)
{
   for (size_t i = 0; i < count; i++) {
      seed = seed * 1664525u + 1013904223u;
      values[i] = (float)(seed >> 8) / 16777216.0f;
   }
}

static void
upload(struct vkx *vkx, VkImage image, VkFormat format, uint32_t texel_B, VkExtent3D extent, uint32_t levels,
       uint32_t slices, VkImageAspectFlags aspect)
{
   /* size: fields of an image */
   struct vkx_buffer staging = vkx_buffer_create(vkx, 1 << 20, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, true);
   if (format == VK_FORMAT_R32G32B32A32_SFLOAT || format == VK_FORMAT_D32_SFLOAT)
      fill_floats(staging.map, staging.size / 4, (uint32_t)format);
   else
      fill(staging.map, staging.size, (uint32_t)format);
   VkBufferImageCopy copies[16];
   VkDeviceSize at = 0;
   const bool block = format == VK_FORMAT_BC1_RGBA_UNORM_BLOCK || format == VK_FORMAT_BC3_UNORM_BLOCK ||
                      format == VK_FORMAT_BC7_UNORM_BLOCK;
   for (uint32_t level = 0; level < levels; level++) {
      const VkExtent3D size = {extent.width >> level ? extent.width >> level : 1,
                               extent.height >> level ? extent.height >> level : 1,
                               extent.depth >> level ? extent.depth >> level : 1};
      copies[level] =
         (VkBufferImageCopy){.bufferOffset = at, .imageSubresource = {aspect, level, 0, slices}, .imageExtent = size};
      const VkDeviceSize texels = block ? (VkDeviceSize)((size.width + 3) / 4) * ((size.height + 3) / 4)
                                        : (VkDeviceSize)size.width * size.height;
      at += (texels * size.depth * slices * texel_B + 15) & ~(VkDeviceSize)15;
   }
   VkCommandBuffer cmd = vkx_begin(vkx);
   VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                   .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                   .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                   .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .image = image,
                                   .subresourceRange = {aspect, 0, levels, 0, slices}};
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL,
                        1, &barrier);
   vkCmdCopyBufferToImage(cmd, staging.buffer, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, levels, copies);
   barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
   barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
   barrier.oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
   barrier.newLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, NULL, 0,
                        NULL, 1, &barrier);
   vkx_submit_and_wait(vkx, cmd);
   vkx_buffer_destroy(vkx, &staging);
}

static struct texture
create_texture(struct vkx *vkx, VkImageViewType view_type, VkFormat format, uint32_t texel_B, VkExtent3D extent,
               uint32_t levels, uint32_t slices)
{
   /* size: fields of an image */
   struct texture t;
   const VkImageAspectFlags aspect =
      format == VK_FORMAT_D32_SFLOAT ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = view_type == VK_IMAGE_VIEW_TYPE_CUBE ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
      .imageType = view_type == VK_IMAGE_VIEW_TYPE_3D ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
      .format = format,
      .extent = extent,
      .mipLevels = levels,
      .arrayLayers = slices,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .tiling = VK_IMAGE_TILING_OPTIMAL,
      .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   vkx_check(vkCreateImage(vkx->device, &info, NULL, &t.image), "vkCreateImage");
   t.memory = allocate(vkx, t.image);
   upload(vkx, t.image, format, texel_B, extent, levels, slices, aspect);
   const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .image = t.image,
                                       .viewType = view_type,
                                       .format = format,
                                       .subresourceRange = {aspect, 0, levels, 0, slices}};
   vkx_check(vkCreateImageView(vkx->device, &view, NULL, &t.view), "vkCreateImageView");
   return t;
}

static void
destroy_texture(struct vkx *vkx, struct texture *t)
{
   vkDestroyImageView(vkx->device, t->view, NULL);
   vkDestroyImage(vkx->device, t->image, NULL);
   vkFreeMemory(vkx->device, t->memory, NULL);
}

/* One set of the five textures through one sampler, and a cell for each kind from first to last. */
static void
draw_cells(struct test *test, const struct texture textures[5], const VkSamplerCreateInfo *sampler_info,
           uint32_t first, uint32_t last, float lod)
{
   struct vkx *vkx = &test->vkx;
   VkSampler samplers[2];
   VkSamplerCreateInfo info = *sampler_info;
   vkx_check(vkCreateSampler(vkx->device, &info, NULL, &samplers[0]), "vkCreateSampler");
   info.compareEnable = VK_TRUE;
   info.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
   vkx_check(vkCreateSampler(vkx->device, &info, NULL, &samplers[1]), "vkCreateSampler");
   struct vkt_descriptor descriptors[6];
   for (uint32_t i = 0; i < 5; i++)
      descriptors[i] =
         (struct vkt_descriptor){VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .view = textures[i].view,
                                 .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, .sampler = samplers[i == 4]};
   descriptors[5] = (struct vkt_descriptor){VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = test->picture.buffer};
   const VkDescriptorSet set = vkt_bindings_create(vkx, &test->pool, test->set_layout, 6, descriptors);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, test->pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, test->layout, 0, 1, &set, 0, NULL);
   for (uint32_t kind = first; kind <= last; kind++, test->cases++) {
      const struct push push = {kind, test->cases % COLUMNS * CELL_PX, test->cases / COLUMNS * CELL_PX,
                                COLUMNS * CELL_PX, lod};
      vkCmdPushConstants(cmd, test->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), &push);
      vkCmdDispatch(cmd, CELL_PX / 8, CELL_PX / 8, 1);
   }
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
   vkx_submit_and_wait(vkx, cmd);
   vkDestroySampler(vkx->device, samplers[0], NULL);
   vkDestroySampler(vkx->device, samplers[1], NULL);
}

static const VkSamplerCreateInfo nearest = {
   .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .maxLod = 16, .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE};

static void
draw_all(struct test *test)
{
   struct vkx *vkx = &test->vkx;
   const VkFormat rgba = VK_FORMAT_R8G8B8A8_UNORM;
   struct texture base[5] = {
      create_texture(vkx, VK_IMAGE_VIEW_TYPE_2D, rgba, 4, (VkExtent3D){20, 12, 1}, 5, 1),
      create_texture(vkx, VK_IMAGE_VIEW_TYPE_CUBE, rgba, 4, (VkExtent3D){8, 8, 1}, 3, 6),
      create_texture(vkx, VK_IMAGE_VIEW_TYPE_3D, rgba, 4, (VkExtent3D){8, 8, 8}, 1, 1),
      create_texture(vkx, VK_IMAGE_VIEW_TYPE_2D_ARRAY, rgba, 4, (VkExtent3D){16, 16, 1}, 2, 4),
      create_texture(vkx, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_D32_SFLOAT, 4, (VkExtent3D){16, 16, 1}, 1, 1),
   };
   VkSamplerCreateInfo sampler = nearest;
   draw_cells(test, base, &sampler, 0, KINDS - 1, 0.0f);
   sampler.magFilter = sampler.minFilter = VK_FILTER_LINEAR;
   draw_cells(test, base, &sampler, 0, KINDS - 1, 0.0f);
   sampler.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
   draw_cells(test, base, &sampler, 0, KINDS - 1, 1.3f);
   for (uint32_t mode = 0; mode < 4; mode++) {
      sampler.addressModeU = sampler.addressModeV = sampler.addressModeW = (VkSamplerAddressMode)mode;
      sampler.addressModeV = (VkSamplerAddressMode)((mode + 1) % 4);
      sampler.borderColor = mode == 3 ? VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK : VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
      sampler.mipLodBias = 0.25f * (float)mode;
      draw_cells(test, base, &sampler, 0, 9, 0.6f);
   }
   static const struct {
      VkFormat format;
      uint32_t texel_B;
   } formats[] = {{VK_FORMAT_R8_UNORM, 1},
                  {VK_FORMAT_R8G8_SNORM, 2},
                  {VK_FORMAT_R8G8B8A8_SRGB, 4},
                  {VK_FORMAT_B8G8R8A8_UNORM, 4},
                  {VK_FORMAT_R16G16B16A16_UNORM, 8},
                  {VK_FORMAT_R32G32B32A32_SFLOAT, 16},
                  {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4},
                  {VK_FORMAT_R5G6B5_UNORM_PACK16, 2},
                  {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, 8},
                  {VK_FORMAT_BC3_UNORM_BLOCK, 16},
                  {VK_FORMAT_BC7_UNORM_BLOCK, 16}};
   for (uint32_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      VkFormatProperties properties;
      vkGetPhysicalDeviceFormatProperties(vkx->physical, formats[i].format, &properties);
      if (!(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT)) {
         printf("format %u is not filtered\n", formats[i].format);
         test->cases++;
         continue;
      }
      struct texture changed[5] = {base[0], base[1], base[2], base[3], base[4]};
      changed[0] = create_texture(vkx, VK_IMAGE_VIEW_TYPE_2D, formats[i].format, formats[i].texel_B,
                                  (VkExtent3D){20, 12, 1}, 3, 1);
      draw_cells(test, changed, &sampler, 0, 0, 0.0f);
      destroy_texture(vkx, &changed[0]);
   }
   for (uint32_t i = 0; i < 5; i++)
      destroy_texture(vkx, &base[i]);
}

int
main(int argc, char **argv)
{
   struct test test = {.vkx = vkx_create("textures")};
   struct vkx *vkx = &test.vkx;
   const uint32_t rows = (MAX_CASES + COLUMNS - 1) / COLUMNS;
   VkDescriptorType types[6];
   for (uint32_t i = 0; i < 6; i++)
      types[i] = i < 5 ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   const VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 5 * 64},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64}};
   const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 64, .poolSizeCount = 2, .pPoolSizes = sizes};
   vkx_check(vkCreateDescriptorPool(vkx->device, &pool_info, NULL, &test.pool), "vkCreateDescriptorPool");
   test.set_layout = vkx_set_layout_create(vkx, 6, types, VK_SHADER_STAGE_COMPUTE_BIT);
   test.layout = vkx_pipeline_layout_create(vkx, test.set_layout, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(struct push));
   test.pipeline =
      vkx_compute_pipeline_create(vkx, test.layout, vkx_shader_create(vkx, textures_code, sizeof(textures_code)));
   test.picture =
      vkx_buffer_create(vkx, 4ull * COLUMNS * CELL_PX * rows * CELL_PX, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, true);
   memset(test.picture.map, 0xff, test.picture.size);
   draw_all(&test);
   printf("%u cells\n", test.cases);
   vkx_write_png(vkx_option(argc, argv, "-o", "textures.png"), COLUMNS * CELL_PX,
                 (test.cases + COLUMNS - 1) / COLUMNS * CELL_PX, test.picture.map);
   vkDestroyPipeline(vkx->device, test.pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, test.layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, test.set_layout, NULL);
   vkDestroyDescriptorPool(vkx->device, test.pool, NULL);
   vkx_buffer_destroy(vkx, &test.picture);
   vkx_destroy(vkx);
   return 0;
}
