/* Storage images of several samples: every sample is stored, then loaded and fetched. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t code[] = {
#include "sample_stores.comp.inc"
};

enum { WIDTH = 21, HEIGHT = 13, MAX_SAMPLES = 16 };
enum what { STORE, LOAD, FETCH, COUNT };

struct push {
   uint32_t what, value;
};

static struct vkx *vkx;
static struct vkx_buffer results;
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static VkPipeline pipeline;
static VkDescriptorPool pool;
static VkSampler sampler;

static VkDescriptorSet
create_set(VkImageView view)
{
   const struct vkt_descriptor descriptors[3] = {
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = results.buffer},
      {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = view},
      {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .view = view, .sampler = sampler}};
   vkx_check(vkResetDescriptorPool(vkx->device, pool, 0), "vkResetDescriptorPool");
   return vkt_bindings_create(vkx, &pool, set_layout, 3, descriptors);
}

static const uint32_t *
dispatch(VkDescriptorSet set, enum what what, uint32_t value, uint32_t samples)
{
   const struct push push = {what, value};
   VkCommandBuffer cmd = vkx_begin(vkx);
   memset(results.map, 0xee, results.size);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), &push);
   vkCmdDispatch(cmd, (WIDTH + 7) / 8, (HEIGHT + 7) / 8, samples);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   return results.map;
}

static bool
are_right(const uint32_t *got, uint32_t samples, uint32_t value, uint32_t step)
{
   for (uint32_t i = 0; i < WIDTH * HEIGHT * samples; i++) {
      if (got[i] != value + step * i)
         return false;
   }
   return true;
}

static void
check(uint32_t samples, VkImageUsageFlags more)
{
   const VkImageUsageFlags usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | more;
   VkImageFormatProperties limits;
   if (vkGetPhysicalDeviceImageFormatProperties(vkx->physical, VK_FORMAT_R32_UINT, VK_IMAGE_TYPE_2D,
                                                VK_IMAGE_TILING_OPTIMAL, usage, 0, &limits) != VK_SUCCESS ||
       !(limits.sampleCounts & samples))
      return;
   struct vkt_image image = vkt_image_create(vkx,
                                             (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                                                 .format = VK_FORMAT_R32_UINT,
                                                                 .extent = {WIDTH, HEIGHT, 1},
                                                                 .samples = (VkSampleCountFlagBits)samples,
                                                                 .usage = usage},
                                             false);
   VkImageView view = vkt_view_create(vkx, &image, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkx_submit_and_wait(vkx, cmd);
   VkDescriptorSet set = create_set(view);
   const uint32_t value = vkt_random();
   dispatch(set, STORE, value, samples);
   vkt_expect(are_right(dispatch(set, LOAD, 0, samples), samples, value, 7), "loads of %u samples", samples);
   vkt_expect(are_right(dispatch(set, FETCH, 0, samples), samples, value, 7), "fetches of %u samples", samples);
   vkt_expect(are_right(dispatch(set, COUNT, 0, samples), samples, samples, 0), "the number of %u samples", samples);
   vkDestroyImageView(vkx->device, view, NULL);
   vkt_image_destroy(vkx, &image);
}

int
main(void)
{
   struct vkx device = vkt_create("sample_stores");
   const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
   const VkDescriptorPoolSize sizes[3] = {{types[0], 1}, {types[1], 1}, {types[2], 1}};
   const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 3, .pPoolSizes = sizes};
   const VkSamplerCreateInfo sampler_info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   vkx = &device;
   if (!vkt_features.shaderStorageImageMultisample) {
      vkt_skip("storage images of several samples");
      vkt_expect(true, "the device");
      return vkt_finish(vkx);
   }
   results = vkt_buffer_create(vkx, WIDTH * HEIGHT * MAX_SAMPLES * 4, 0);
   set_layout = vkx_set_layout_create(vkx, 3, types, VK_SHADER_STAGE_COMPUTE_BIT);
   layout = vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(struct push));
   pipeline = vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, code, sizeof(code)));
   vkx_check(vkCreateDescriptorPool(vkx->device, &pool_info, NULL, &pool), "vkCreateDescriptorPool");
   vkx_check(vkCreateSampler(vkx->device, &sampler_info, NULL, &sampler), "vkCreateSampler");
   for (uint32_t samples = 2; samples <= MAX_SAMPLES; samples *= 2) {
      check(samples, 0);
      check(samples, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   }
   vkDestroySampler(vkx->device, sampler, NULL);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkx_buffer_destroy(vkx, &results);
   return vkt_finish(vkx);
}
