/* Layers, faces and levels outside of an image view, with robustImageAccess2: loads and fetches read zero, also where
 * the image has that layer or level. */
#include "vkt_dispatch.h"

static const uint32_t load_1d_array[] = {
#include "outside_load_1d_array.inc"
};
static const uint32_t load_2d_array[] = {
#include "outside_load_2d_array.inc"
};
static const uint32_t load_cube[] = {
#include "outside_load_cube.inc"
};
static const uint32_t load_cube_array[] = {
#include "outside_load_cube_array.inc"
};
static const uint32_t fetch_1d_array[] = {
#include "outside_fetch_1d_array.inc"
};
static const uint32_t fetch_2d[] = {
#include "outside_fetch_2d.inc"
};
static const uint32_t fetch_2d_array[] = {
#include "outside_fetch_2d_array.inc"
};

enum { PLACES = 32, FIRST = -8, LEVELS = 3, LAYERS = 24, VALUE = 7 };

static const struct shape {
   const char *name;
   struct vkt_code code;
   VkImageType type;
   VkImageViewType view;
   uint32_t layers; /* of the view */
   bool is_storage;
} shapes[] = {
   {"1D array, loads", VKT_CODE(load_1d_array), VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D_ARRAY, 5, true},
   {"2D array, loads", VKT_CODE(load_2d_array), VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, 5, true},
   {"cube, loads", VKT_CODE(load_cube), VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE, 6, true},
   {"cube array, loads", VKT_CODE(load_cube_array), VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, 12, true},
   {"1D array, fetches", VKT_CODE(fetch_1d_array), VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D_ARRAY, 5, false},
   {"2D, fetches", VKT_CODE(fetch_2d), VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, 1, false},
   {"2D array, fetches", VKT_CODE(fetch_2d_array), VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, 5, false},
};

/* Every texel has the value. */
static struct vkt_image
create_image(struct vkx *vkx, VkImageType type)
{
   const bool is_2d = type == VK_IMAGE_TYPE_2D;
   struct vkt_image image =
      vkt_image_create(vkx,
                       (VkImageCreateInfo){.flags = is_2d ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
                                           .imageType = type,
                                           .format = VK_FORMAT_R32_UINT,
                                           .extent = {16, is_2d ? 16 : 1, 1},
                                           .mipLevels = LEVELS,
                                           .arrayLayers = LAYERS,
                                           .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                                    VK_IMAGE_USAGE_TRANSFER_DST_BIT},
                       false);
   const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, LEVELS, 0, LAYERS};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &(VkClearColorValue){.uint32 = {VALUE}}, 1, &all);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   return image;
}

static void
test(struct vkx *vkx, const struct shape *shape)
{
   struct vkt_image image = create_image(vkx, shape->type);
   struct vkx_buffer out = vkt_buffer_create(vkx, 2 * PLACES * 4, 0xcc);
   const VkDescriptorImageInfo info = {
      .imageView = vkt_view_create(vkx, &image, shape->view, VK_IMAGE_ASPECT_COLOR_BIT, 1, 0, shape->layers),
      .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
   unsigned wrong[2] = {0};
   vkt_dispatch(vkx, &(struct vkt_dispatch){.code = shape->code,
                                            .num_buffers = 1,
                                            .buffers = &out,
                                            .image = &info,
                                            .image_type = shape->is_storage ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                                                                            : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                            .groups = 1});
   for (int i = 0; i < 2 * PLACES; i++) {
      const int place = i % PLACES + FIRST, end = i < PLACES ? (int)shape->layers : 1;
      const bool has_places = i < PLACES ? shape->layers > 1 : !shape->is_storage;
      const bool inside = !has_places || (place >= 0 && place < end);
      wrong[i / PLACES] += ((uint32_t *)out.map)[i] != (inside ? VALUE : 0u);
   }
   vkt_expect(!wrong[0], "%s: %u layers of %d wrong", shape->name, wrong[0], PLACES);
   vkt_expect(!wrong[1], "%s: %u levels of %d wrong", shape->name, wrong[1], PLACES);
   vkDestroyImageView(vkx->device, info.imageView, NULL);
   vkx_buffer_destroy(vkx, &out);
   vkt_image_destroy(vkx, &image);
}

int
main(void)
{
   vkt_robust = vkt_robust2 = true;
   struct vkx vkx = vkt_create("outside");
   vkt_expect(true, "the device is there");
   if (!vkt_has("VK_EXT_robustness2")) {
      vkt_skip("robustImageAccess2");
      return vkt_finish(&vkx);
   }
   for (unsigned i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
      test(&vkx, &shapes[i]);
   return vkt_finish(&vkx);
}
