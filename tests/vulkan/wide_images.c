/* VK_EXT_shader_image_atomic_int64: storage images of 64-bit integers of several shapes. Four invocations meet in a
 * texel, in operations whose order makes no difference; exchanges have texels of their own. */
#include <string.h>

#include "sparse_binds.h"
#include "vkt_dispatch.h"

static const uint32_t code_2d[] = {
#include "wide_images_2d.inc"
};
static const uint32_t code_2d_signed[] = {
#include "wide_images_2d_signed.inc"
};
static const uint32_t code_3d[] = {
#include "wide_images_3d.inc"
};
static const uint32_t code_array[] = {
#include "wide_images_array.inc"
};

enum { COUNT = 256, ROWS = 8, SHARED = 64, INPUTS = COUNT * (ROWS + 1), STEPS = 4 };

static const struct shape {
   const char *name;
   struct vkt_code code;
   VkImageType type;
   VkImageViewType view;
   uint32_t height, layers;
   bool is_signed, is_sparse;
} shapes[] = {
   {"2D", VKT_CODE(code_2d), VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, ROWS, 1, false, false},
   {"2D, signed", VKT_CODE(code_2d_signed), VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, ROWS, 1, true, false},
   {"3D", VKT_CODE(code_3d), VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D, ROWS, 1, false, false},
   {"1D array, signed", VKT_CODE(code_array), VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D_ARRAY, 1, ROWS, true, false},
   {"sparse", VKT_CODE(code_2d), VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, 64, 1, false, true},
};

static uint64_t
combine(unsigned row, uint64_t a, uint64_t b, bool is_signed)
{
   const bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
   return row == 0   ? a + b
          : row == 1 ? (less ? a : b)
          : row == 2 ? (less ? b : a)
          : row == 3 ? (a & b)
          : row == 4 ? (a | b)
                     : (a ^ b);
}

/* What a texel holds in the end. */
static uint64_t
expected(const uint64_t *input, unsigned row, unsigned i, bool is_signed)
{
   uint64_t value = input[COUNT * (row + 1) + i];
   for (unsigned k = i; row < 6 && i < SHARED && k < COUNT; k += SHARED)
      value = combine(row, value, input[k], is_signed);
   return row == 6 || (row == 7 && !(i & 1)) ? input[i] : value;
}

static void
check(const struct shape *shape, const uint64_t *input, struct vkx_buffer outs[STEPS], const uint64_t *copied)
{
   const uint64_t *old = outs[1].map, *results = outs[2].map, *nulls = outs[3].map;
   unsigned wrong[ROWS] = {0}, olds = 0, bytes = 0, others = 0;
   for (unsigned i = 0; i < COUNT; i++) {
      olds += old[i] != input[COUNT * 7 + i];
      olds += old[COUNT + i] != input[COUNT * 8 + i];
      for (unsigned row = 0; row < ROWS; row++) {
         const uint64_t want = expected(input, row, i, shape->is_signed);
         wrong[row] += results[COUNT * row + i] != want;
         bytes += copied[COUNT * row + i] != want;
         others += nulls[COUNT * row + i] != 0;
      }
   }
   for (unsigned row = 0; row < ROWS; row++)
      vkt_expect(!wrong[row], "%s: row %u has %u wrong texels", shape->name, row, wrong[row]);
   vkt_expect(!olds, "%s: %u exchanges gave another value", shape->name, olds);
   vkt_expect(!bytes, "%s: %u texels of the copy", shape->name, bytes);
   vkt_expect(!others, "%s: %u texels of a null descriptor are not 0", shape->name, others);
}

/* All of it has memory, which the second half of the image gets first. */
static struct vkt_image
create_sparse(struct vkx *vkx, struct sparse *sparse, const VkImageCreateInfo *info)
{
   struct vkt_image image = {.info = *info};
   VkMemoryRequirements needs;
   VkSparseImageMemoryBind bind = {.subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0},
                                   .extent = {COUNT / 2, info->extent.height, 1}};
   image.info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
   image.info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
   image.info.mipLevels = 1;
   image.info.samples = VK_SAMPLE_COUNT_1_BIT;
   vkx_check(vkCreateImage(vkx->device, &image.info, NULL, &image.image), "vkCreateImage");
   vkGetImageMemoryRequirements(vkx->device, image.image, &needs);
   const VkDeviceMemory memory = sparse_memory(sparse, &needs, needs.size);
   for (uint32_t i = 0; i < 2; i++) {
      bind.offset.x = i ? 0 : COUNT / 2;
      bind.memory = memory;
      bind.memoryOffset = i * (needs.size / 2);
      sparse_bind_box(sparse, image.image, &bind);
   }
   return image;
}

static void
test(struct vkx *vkx, const struct shape *shape, struct sparse *sparse)
{
   const VkFormat format = shape->is_signed ? VK_FORMAT_R64_SINT : VK_FORMAT_R64_UINT;
   const VkImageCreateInfo create = {.imageType = shape->type,
                                     .format = format,
                                     .extent = {COUNT, shape->height, 1},
                                     .arrayLayers = shape->layers,
                                     .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
   struct vkt_image image =
      shape->is_sparse ? create_sparse(vkx, sparse, &create) : vkt_image_create(vkx, create, false);
   struct vkx_buffer input = vkt_buffer_create(vkx, INPUTS * 8, 0);
   struct vkx_buffer outs[STEPS], copied = vkt_buffer_create(vkx, 64 * COUNT * 8, 0);
   for (unsigned i = 0; i < 2 * INPUTS; i++)
      ((uint32_t *)input.map)[i] = vkt_random();
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkx_submit_and_wait(vkx, cmd);
   const VkDescriptorImageInfo null = {.imageLayout = VK_IMAGE_LAYOUT_GENERAL};
   VkDescriptorImageInfo info = null;
   info.imageView = vkt_view_create(vkx, &image, shape->view, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, shape->layers);
   for (uint32_t step = 0; step < STEPS; step++) {
      outs[step] = vkt_buffer_create(vkx, ROWS * COUNT * 8, 0xcc);
      const struct vkx_buffer buffers[2] = {input, outs[step]};
      vkt_dispatch(vkx, &(struct vkt_dispatch){.code = shape->code,
                                               .num_buffers = 2,
                                               .buffers = buffers,
                                               .image = step == 3 ? &null : &info,
                                               .image_type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                               .num_constants = 1,
                                               .constants = &step,
                                               .groups = COUNT / 64});
   }
   vkt_read(vkx, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, &copied);
   check(shape, input.map, outs, copied.map);
   vkDestroyImageView(vkx->device, info.imageView, NULL);
   for (unsigned i = 0; i < STEPS; i++)
      vkx_buffer_destroy(vkx, &outs[i]);
   vkx_buffer_destroy(vkx, &copied);
   vkx_buffer_destroy(vkx, &input);
   vkt_image_destroy(vkx, &image);
}

/* The extension demands these. */
static void
check_features(struct vkx *vkx)
{
   const VkFormat formats[2] = {VK_FORMAT_R64_UINT, VK_FORMAT_R64_SINT};
   const VkFormatFeatureFlags wanted =
      VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT;
   for (unsigned i = 0; i < 2; i++) {
      VkFormatProperties properties;
      vkGetPhysicalDeviceFormatProperties(vkx->physical, formats[i], &properties);
      vkt_expect((properties.optimalTilingFeatures & wanted) == wanted, "format %d: features %#x", formats[i],
                 properties.optimalTilingFeatures);
   }
}

static bool
has_sparse_atomics(struct vkx *vkx)
{
   VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT atomics = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &atomics};
   vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   return atomics.sparseImageInt64Atomics;
}

int
main(void)
{
   struct sparse sparse;
   vkt_all_queues = true; /* for one that binds */
   struct vkx vkx = vkt_create("wide_images");
   vkt_expect(true, "the device is there");
   if (!vkt_has("VK_EXT_shader_image_atomic_int64")) {
      vkt_skip("VK_EXT_shader_image_atomic_int64");
      return vkt_finish(&vkx);
   }
   check_features(&vkx);
   const bool has_sparse = has_sparse_atomics(&vkx) && sparse_start(&sparse, &vkx);
   for (unsigned i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
      if (!shapes[i].is_sparse || has_sparse)
         test(&vkx, &shapes[i], &sparse);
      else
         vkt_skip("sparseImageInt64Atomics");
   }
   if (has_sparse)
      sparse_finish(&sparse);
   return vkt_finish(&vkx);
}
