/* Null images of every kind in fragment shaders (nullDescriptor): lookups, gathers and fetches anywhere read zero,
 * and both levels of a query are zero, whatever the coordinates. */
#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "quads.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "null_views.frag.inc"
};
static const uint32_t cubes_code[] = {
#include "null_views_cubes.frag.inc"
};

enum { SIZE_PX = 16, TEXELS = 4, BINDINGS = 7, RIGHT = INT32_MIN };

static const VkExtent2D extent = {SIZE_PX, SIZE_PX};

static struct vkt_image
create_image(struct vkx *vkx)
{
   struct vkt_image image =
      vkt_image_create(vkx,
                       (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                           .format = VK_FORMAT_R8G8B8A8_UNORM,
                                           .extent = {TEXELS, TEXELS, 1},
                                           .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
                       false);
   const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &(VkClearColorValue){.float32 = {1, 1, 1, 1}}, 1,
                        &all);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   return image;
}

/* Binding 0 is the view, all others are null. */
static VkDescriptorSet
create_set(struct vkx *vkx, VkDescriptorSetLayout layout, VkDescriptorPool *pool, VkSampler sampler, VkImageView view)
{
   struct vkt_descriptor descriptors[BINDINGS];
   for (unsigned i = 0; i < BINDINGS; i++)
      descriptors[i] = (struct vkt_descriptor){VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                               .view = i ? VK_NULL_HANDLE : view, .sampler = sampler};
   return vkt_bindings_create(vkx, pool, layout, BINDINGS, descriptors);
}

static void
draw(struct vkx *vkx, const struct vkt_target *target, VkPipelineLayout layout, VkDescriptorSet set)
{
   const bool cubes = vkt_features.imageCubeArray;
   VkPipeline pipeline = vkt_pipeline_create(
      vkx, &(struct vkt_pipeline_info){.pass = target->pass,
                                       .layout = layout,
                                       .vertex = VKT_CODE(vertex_code),
                                       .fragment = cubes ? VKT_CODE(cubes_code) : VKT_CODE(fragment_code),
                                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST});
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &target->color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_target_begin(cmd, target, target->pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   vkCmdDraw(cmd, 3, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* Bits of a pixel name the lookups of the shader that were wrong. Below the diagonal is nothing. */
static void
check(struct vkx *vkx, const struct vkt_target *target)
{
   struct vkx_buffer out = vkt_buffer_create(vkx, SIZE_PX * SIZE_PX * 4, 0xcc);
   uint32_t bits = 0, missing = 0;
   vkt_read(vkx, &target->color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &out);
   for (unsigned i = 0; i < SIZE_PX * SIZE_PX; i++) {
      const uint32_t pixel = ((const uint32_t *)out.map)[i];
      if (i % SIZE_PX + i / SIZE_PX >= SIZE_PX - 1)
         continue;
      bits |= pixel & ~(uint32_t)RIGHT;
      missing += !(pixel & (uint32_t)RIGHT);
   }
   vkt_expect(!missing, "%u pixels are not drawn", missing);
   vkt_expect(!bits, "lookups of the bits %#x are wrong", bits);
   vkx_buffer_destroy(vkx, &out);
}

static void
test(struct vkx *vkx)
{
   const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .maxLod = VK_LOD_CLAMP_NONE};
   VkDescriptorType types[BINDINGS];
   VkSampler sampler;
   VkDescriptorPool pool = VK_NULL_HANDLE;
   for (unsigned i = 0; i < BINDINGS; i++)
      types[i] = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   struct vkt_image image = create_image(vkx);
   VkImageView view = vkt_view_create(vkx, &image, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
   vkx_check(vkCreateSampler(vkx->device, &info, NULL, &sampler), "vkCreateSampler");
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, BINDINGS, types, VK_SHADER_STAGE_FRAGMENT_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, 0, 0);
   struct vkt_target target =
      vkt_target_create(vkx, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   draw(vkx, &target, layout, create_set(vkx, set_layout, &pool, sampler, view));
   check(vkx, &target);
   vkt_target_destroy(vkx, &target);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkDestroySampler(vkx->device, sampler, NULL);
   vkDestroyImageView(vkx->device, view, NULL);
   vkt_image_destroy(vkx, &image);
}

int
main(void)
{
   struct vkx vkx = vkt_create("null_views");
   VkPhysicalDeviceRobustness2FeaturesEXT nulls = {.sType =
                                                      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &nulls};
   vkt_expect(true, "the device is there");
   if (vkt_has("VK_EXT_robustness2"))
      vkGetPhysicalDeviceFeatures2(vkx.physical, &features);
   if (nulls.nullDescriptor)
      test(&vkx);
   else
      vkt_skip("nullDescriptor");
   return vkt_finish(&vkx);
}
