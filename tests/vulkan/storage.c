/* Storage images of all formats without a format in the shader: 1D and 2D arrays and 3D images, of a level.
 * --quirks indium: of 3D images of blocks the driver may refuse views of levels (docs/drivers/asahi/driver.md). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "color_texels.h"
#include "vkt.h"

static const uint32_t storage_comp[] = {
#include "storage.comp.inc"
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define LEVEL 1u
#define DEPTH 3u /* slices or layers of the level */

static struct vkx *vkx;
static struct vkx_buffer buffer, loaded;
static bool refuses_views;
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static VkPipeline pipelines[3][3]; /* by the shader's which and kind */

static const struct shape {
   const char *name;
   VkImageType type;
   VkImageViewType view;
   VkExtent3D extent; /* of level 0; level 1 has 8 x 4 */
   uint32_t layers;
} shapes[3] = {
   {"2d array", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, {16, 8, 1}, DEPTH},
   {"3d", VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D, {16, 8, 2 * DEPTH}, 1},
   {"1d array", VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D_ARRAY, {16, 1, 1}, DEPTH},
};

static uint32_t
which_of(VkFormat format)
{
   switch ((int)format) {
   case VK_FORMAT_R8G8B8A8_UINT:
   case VK_FORMAT_A2B10G10R10_UINT_PACK32:
   case VK_FORMAT_R16G16B16A16_UINT:
   case VK_FORMAT_R32_UINT:
      return 1;
   case VK_FORMAT_R8G8B8A8_SINT:
   case VK_FORMAT_R16G16_SINT:
   case VK_FORMAT_R32G32B32A32_SINT:
      return 2;
   default: /* others: floats */
      return 0;
   }
}

static uint32_t
components_of(const struct color_clear *row)
{
   switch ((int)row->format) {
   case VK_FORMAT_R8_UNORM:
   case VK_FORMAT_R16_UNORM:
   case VK_FORMAT_R16_SFLOAT:
   case VK_FORMAT_R32_UINT:
      return 1;
   case VK_FORMAT_R8G8_SNORM:
   case VK_FORMAT_R16G16_SINT:
   case VK_FORMAT_R16G16_SNORM:
   case VK_FORMAT_R32G32_SFLOAT:
      return 2;
   case VK_FORMAT_B10G11R11_UFLOAT_PACK32:
   case VK_FORMAT_R5G6B5_UNORM_PACK16:
   case VK_FORMAT_E5B9G9R9_UFLOAT_PACK32:
      return 3;
   default: /* others: 32 bits */
      return 4;
   }
}

static void
create_pipelines(void)
{
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   const VkSpecializationMapEntry entries[2] = {{0, 0, 4}, {1, 4, 4}};
   set_layout = vkx_set_layout_create(vkx, 2, types, VK_SHADER_STAGE_COMPUTE_BIT);
   layout = vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 16);
   for (int i = 0; i < 9; i++) {
      const int values[2] = {i / 3, i % 3};
      const VkSpecializationInfo constants = {2, entries, sizeof(values), values};
      const VkComputePipelineCreateInfo info = {
         .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
         .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                   .module = vkx_shader_create(vkx, storage_comp, sizeof(storage_comp)),
                   .pName = "main",
                   .pSpecializationInfo = &constants},
         .layout = layout};
      vkx_check(vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipelines[i / 3][i % 3]),
                "vkCreateComputePipelines");
      vkDestroyShaderModule(vkx->device, info.stage.module, NULL);
   }
}

static VkDescriptorSet
create_set(VkImageView view, VkDescriptorPool *pool)
{
   const struct vkt_descriptor descriptors[2] = {{VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = view},
                                                 {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = loaded.buffer}};
   *pool = VK_NULL_HANDLE;
   return vkt_bindings_create(vkx, pool, set_layout, 2, descriptors);
}

/* What was loaded: the colour as the format rounds it; absent components are 0, 0, 1. */
static void
check_loaded(const struct color_clear *row, const char *shape)
{
   const uint32_t *got = loaded.map, which = which_of(row->format);
   for (uint32_t c = 0; c < 4; c++) {
      bool there = c < components_of(row);
      float f, wanted = there ? row->color.float32[c] : c == 3;
      memcpy(&f, &got[c], 4);
      uint32_t integer = there ? row->color.uint32[c] : c == 3;
      vkt_expect(which ? got[c] == integer : fabsf(f - wanted) < 0.02f, "format %d, %s: component %u is loaded as %x",
                 row->format, shape, c, got[c]);
   }
}

/* Row 0 keeps its bytes, the others hold the colour; of a 1D image all do. */
static void
check_texels(const struct color_clear *row, const struct shape *shape)
{
   const uint8_t *texel = buffer.map;
   unsigned bad = 0;
   for (uint32_t i = 0; i < 8 * (shape->extent.height > 1 ? 4u : 1u) * DEPTH; i++, texel += row->size_B) {
      static const uint8_t zero[16];
      bool written = shape->extent.height == 1 || i / 8 % 4 > 0;
      bad += memcmp(texel, written ? row->bytes : zero, row->size_B) != 0;
   }
   vkt_expect(!bad, "format %d, %s: %u texels", row->format, shape->name, bad);
}

static void
test_format(const struct color_clear *row, uint32_t kind)
{
   const struct shape *shape = &shapes[kind];
   const VkImageUsageFlags usage =
      VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
   VkImageFormatProperties properties;
   if (vkGetPhysicalDeviceImageFormatProperties(vkx->physical, row->format, shape->type, VK_IMAGE_TILING_OPTIMAL,
                                                usage, 0, &properties) != VK_SUCCESS)
      return;
   struct vkt_image image = vkt_image_create(vkx,
                                             (VkImageCreateInfo){.imageType = shape->type,
                                                                 .format = row->format,
                                                                 .extent = shape->extent,
                                                                 .mipLevels = 2,
                                                                 .arrayLayers = shape->layers,
                                                                 .usage = usage},
                                             false);
   VkImageView view = vkt_view_create(vkx, &image, shape->view, VK_IMAGE_ASPECT_COLOR_BIT, LEVEL, 0, shape->layers);
   VkDescriptorPool pool;
   VkDescriptorSet set = create_set(view, &pool);
   const VkClearColorValue black = {.uint32 = {0, 0, 0, 0}};
   const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 2, 0, VK_REMAINING_ARRAY_LAYERS};
   const VkBufferImageCopy copy = {
      .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, LEVEL, 0, shape->layers},
      .imageExtent = {8, shape->extent.height > 1 ? 4 : 1, shape->type == VK_IMAGE_TYPE_3D ? DEPTH : 1}};
   memset(loaded.map, 0xcc, loaded.size);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &all);
   vkt_barrier(cmd);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[which_of(row->format)][kind]);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 16, &row->color);
   vkCmdDispatch(cmd, 3, 2, DEPTH + 1); /* more than the image has */
   vkt_barrier(cmd);
   vkCmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, buffer.buffer, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check_loaded(row, shape->name);
   check_texels(row, shape);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyImageView(vkx->device, view, NULL);
   vkt_image_destroy(vkx, &image);
}

/* Copies of the levels 1 to 3 of three layers of 52 x 36 texels in blocks of 16 bytes; the number of blocks. */
static uint32_t
block_copies(VkBufferImageCopy copies[9])
{
   VkDeviceSize at = 0;
   for (uint32_t level = 1; level < 4; level++) {
      for (uint32_t layer = 0; layer < 3; layer++) {
         uint32_t width = 52u >> level, height = 36u >> level;
         copies[3 * (level - 1) + layer] =
            (VkBufferImageCopy){.bufferOffset = at,
                                .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, layer, 1},
                                .imageExtent = {width, height, 1}};
         at += 16u * ((width + 3) / 4) * ((height + 3) / 4);
      }
   }
   return (uint32_t)at / 16;
}

/* The blocks of one level and layer of a compressed image as texels: 13 x 9 texels are 4 x 3 blocks, although 52 x 36
 * are 13 x 9. */
static void
test_blocks(void)
{
   static const uint32_t color[4] = {0x01020304, 0xdeadbeef, 0x55aa55aa, 0xfedcba98};
   struct vkt_image image = vkt_image_create(
      vkx,
      (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                          .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT |
                                   VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT,
                          .format = VK_FORMAT_BC3_UNORM_BLOCK,
                          .extent = {52, 36, 1},
                          .mipLevels = 4,
                          .arrayLayers = 3,
                          .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                   VK_IMAGE_USAGE_TRANSFER_DST_BIT},
      false);
   const VkImageViewUsageCreateInfo usage = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
                                             .usage = VK_IMAGE_USAGE_STORAGE_BIT};
   const VkImageViewCreateInfo view_info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                            .pNext = &usage,
                                            .image = image.image,
                                            .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                            .format = VK_FORMAT_R32G32B32A32_UINT,
                                            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 2, 1, 1, 1}};
   VkImageView view;
   vkx_check(vkCreateImageView(vkx->device, &view_info, NULL, &view), "vkCreateImageView");
   VkDescriptorPool pool;
   VkDescriptorSet set = create_set(view, &pool);
   VkBufferImageCopy copies[9];
   uint32_t blocks = block_copies(copies);
   memset(buffer.map, 0x77, buffer.size);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdCopyBufferToImage(cmd, buffer.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL, 9, copies);
   vkt_barrier(cmd);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[1][0]);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 16, color);
   vkCmdDispatch(cmd, 3, 3, 1); /* more than there are blocks */
   vkt_barrier(cmd);
   vkCmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, buffer.buffer, 9, copies);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   uint32_t bad = 0;
   static const uint32_t before[4] = {0x77777777, 0x77777777, 0x77777777, 0x77777777};
   for (uint32_t i = 0; i < blocks; i++) {
      uint32_t first = (uint32_t)copies[4].bufferOffset / 16; /* level 2, layer 1 */
      bool written = i >= first + 4 && i < first + 12;        /* all rows but the first */
      bad += memcmp((char *)buffer.map + 16 * i, written ? color : before, 16) != 0;
   }
   vkt_expect(!bad, "blocks of a compressed image: %u of %u differ", bad, blocks);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyImageView(vkx->device, view, NULL);
   vkt_image_destroy(vkx, &image);
}

/* ---- levels of 3D images of blocks ---- */

/* extent: of level 0. */
static const struct volume {
   VkFormat format, view;
   uint32_t block_B;
   VkExtent3D extent;
   uint32_t levels;
} volumes[] = {
   {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, VK_FORMAT_R32G32_UINT, 8, {61, 37, 5}, 6},
   {VK_FORMAT_BC4_UNORM_BLOCK, VK_FORMAT_R16G16B16A16_UINT, 8, {64, 64, 8}, 4},
   {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, VK_FORMAT_R32G32_UINT, 8, {511, 20, 2}, 9},
   {VK_FORMAT_BC3_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {61, 37, 5}, 6},
   {VK_FORMAT_BC7_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {260, 41, 3}, 9},
   {VK_FORMAT_BC7_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {9, 300, 40}, 9},
};

static VkExtent3D
volume_level_px(const struct volume *v, uint32_t level)
{
   const VkExtent3D e = v->extent;
   return (VkExtent3D){e.width >> level ? e.width >> level : 1, e.height >> level ? e.height >> level : 1,
                       e.depth >> level ? e.depth >> level : 1};
}

/* In blocks. */
static VkExtent3D
volume_level(const struct volume *v, uint32_t level)
{
   const VkExtent3D px = volume_level_px(v, level);
   return (VkExtent3D){(px.width + 3) / 4, (px.height + 3) / 4, px.depth};
}

/* Levels one after the other; the bytes of all. */
static uint32_t
volume_copies(const struct volume *v, VkBufferImageCopy *copies)
{
   uint32_t at = 0;
   for (uint32_t level = 0; level < v->levels; level++) {
      const VkExtent3D blocks = volume_level(v, level);
      copies[level] = (VkBufferImageCopy){.bufferOffset = at,
                                          .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1},
                                          .imageExtent = volume_level_px(v, level)};
      at += blocks.width * blocks.height * blocks.depth * v->block_B;
   }
   return at;
}

/* False: the driver refuses views of such levels. */
static bool
store_blocks(const struct volume *v, const struct vkt_image *image, uint32_t level, const uint32_t color[4])
{
   const VkImageViewUsageCreateInfo usage = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
                                             .usage = VK_IMAGE_USAGE_STORAGE_BIT};
   const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .pNext = &usage,
                                       .image = image->image,
                                       .viewType = VK_IMAGE_VIEW_TYPE_3D,
                                       .format = v->view,
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1}};
   const VkExtent3D blocks = volume_level(v, level);
   VkImageView view;
   const VkResult result = vkCreateImageView(vkx->device, &info, NULL, &view);
   if (refuses_views && result == VK_ERROR_FEATURE_NOT_PRESENT)
      return false;
   vkx_check(result, "vkCreateImageView");
   VkDescriptorPool pool;
   VkDescriptorSet set = create_set(view, &pool);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[1][1]);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 16, color);
   vkCmdDispatch(cmd, blocks.width / 4 + 2, blocks.height / 4 + 2, blocks.depth + 1); /* more than there are */
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyImageView(vkx->device, view, NULL);
   return true;
}

/* Each level holds its colour but in row 0, which nobody stored to. */
static void
check_volume(const struct volume *v, const uint8_t *bytes, const uint32_t colors[9][4])
{
   static const uint32_t before[4] = {0x77777777, 0x77777777, 0x77777777, 0x77777777};
   for (uint32_t level = 0; level < v->levels; level++) {
      const VkExtent3D blocks = volume_level(v, level);
      uint32_t bad = 0;
      for (uint32_t i = 0; i < blocks.width * blocks.height * blocks.depth; i++, bytes += v->block_B) {
         bool written = i / blocks.width % blocks.height > 0;
         bad += memcmp(bytes, written ? colors[level] : before, v->block_B) != 0;
      }
      vkt_expect(!bad, "format %d, %ux%ux%u, level %u as format %d: %u blocks", v->format, v->extent.width,
                 v->extent.height, v->extent.depth, level, v->view, bad);
   }
}

/* Every level of a 3D image of blocks through a view of its own. */
static void
test_volume(const struct volume *v)
{
   VkImageCreateInfo info = {.imageType = VK_IMAGE_TYPE_3D,
                             .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT |
                                      VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT,
                             .format = v->format,
                             .extent = v->extent,
                             .mipLevels = v->levels,
                             .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                      VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   VkImageFormatProperties properties;
   if (vkGetPhysicalDeviceImageFormatProperties(vkx->physical, info.format, info.imageType, VK_IMAGE_TILING_OPTIMAL,
                                                info.usage, info.flags, &properties) != VK_SUCCESS ||
       properties.maxMipLevels < v->levels || properties.maxExtent.width < v->extent.width ||
       properties.maxExtent.height < v->extent.height) {
      vkt_skip("3D images whose blocks are stored");
      return;
   }
   struct vkt_image image = vkt_image_create(vkx, info, false);
   VkBufferImageCopy copies[9];
   uint32_t colors[9][4];
   struct vkx_buffer bytes = vkt_buffer_create(vkx, volume_copies(v, copies), 0x77);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdCopyBufferToImage(cmd, bytes.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL, v->levels, copies);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t level = 0; level < v->levels; level++) {
      for (uint32_t c = 0; c < 4; c++)
         colors[level][c] = vkt_random();
      uint32_t color[4] = {colors[level][0], colors[level][1], colors[level][2], colors[level][3]};
      if (v->view == VK_FORMAT_R16G16B16A16_UINT) {
         for (uint32_t c = 0; c < 4; c++)
            color[c] = colors[level][c / 2] >> (c % 2 * 16) & 0xffff;
      }
      if (!store_blocks(v, &image, level, color))
         memset(colors[level], 0x77, sizeof(colors[level])); /* as it was */
   }
   cmd = vkx_begin(vkx);
   vkCmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, bytes.buffer, v->levels, copies);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check_volume(v, bytes.map, colors);
   vkx_buffer_destroy(vkx, &bytes);
   vkt_image_destroy(vkx, &image);
}

int
main(int argc, char **argv)
{
   struct vkx device = vkt_create("storage");
   vkx = &device;
   refuses_views = !strcmp(vkx_option(argc, argv, "--quirks", ""), "indium");
   if (!vkt_features.shaderStorageImageReadWithoutFormat || !vkt_features.shaderStorageImageWriteWithoutFormat) {
      printf("no storage images without format\n");
      return 0;
   }
   buffer = vkt_buffer_create(vkx, 8192, 0);
   loaded = vkt_buffer_create(vkx, 256, 0);
   create_pipelines();
   for (unsigned i = 0; i < ARRAY_SIZE(color_clears); i++) {
      for (uint32_t kind = 0; kind < 3; kind++)
         test_format(&color_clears[i], kind);
   }
   if (vkt_features.textureCompressionBC) {
      test_blocks();
      for (unsigned i = 0; i < ARRAY_SIZE(volumes); i++)
         test_volume(&volumes[i]);
   }
   for (int i = 0; i < 9; i++)
      vkDestroyPipeline(vkx->device, pipelines[i / 3][i % 3], NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkx_buffer_destroy(vkx, &buffer);
   vkx_buffer_destroy(vkx, &loaded);
   return vkt_finish(vkx);
}
