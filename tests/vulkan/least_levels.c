/* Least levels of detail that an instruction names (shaderResourceMinLod): gradients in compute shaders, implicit
 * levels and bias in fragment shaders, residency codes with them. Each level of each image has one value; levels
 * between two are blended. */
#include <math.h>

#include "vkt_draw.h"

static const uint32_t least_levels_comp[] = {
#include "least_levels.comp.inc"
};
static const uint32_t least_levels_frag[] = {
#include "least_levels.frag.inc"
};
static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};

enum { SIDE = 8, LEVELS = 4, IMAGES = 4, ROWS = 14, COLUMNS = 8, WIDTH = 16 };

static struct vkx *vkx;
static struct vkt_image images[IMAGES];
static VkImageView views[IMAGES];
static VkSampler sampler;

static float
value_of(float level, float least)
{
   const float there = fminf(fmaxf(level, least), LEVELS - 1);
   return 10 + 10 * there;
}

static void
create_image(uint32_t i)
{
   static const VkImageViewType types[IMAGES] = {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                                 VK_IMAGE_VIEW_TYPE_CUBE, VK_IMAGE_VIEW_TYPE_3D};
   const bool is_3d = types[i] == VK_IMAGE_VIEW_TYPE_3D, is_cube = types[i] == VK_IMAGE_VIEW_TYPE_CUBE;
   const uint32_t layers = is_cube ? 6 : types[i] == VK_IMAGE_VIEW_TYPE_2D_ARRAY ? 2 : 1;
   images[i] =
      vkt_image_create(vkx,
                       (VkImageCreateInfo){.flags = is_cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
                                           .imageType = is_3d ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
                                           .format = VK_FORMAT_R16_SFLOAT,
                                           .extent = {SIDE, SIDE, is_3d ? SIDE : 1},
                                           .mipLevels = LEVELS,
                                           .arrayLayers = layers,
                                           .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
                       false);
   const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .image = images[i].image,
                                       .viewType = types[i],
                                       .format = VK_FORMAT_R16_SFLOAT,
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, LEVELS, 0, layers}};
   vkx_check(vkCreateImageView(vkx->device, &view, NULL, &views[i]), "vkCreateImageView");
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &images[i], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   for (uint32_t level = 0; level < LEVELS; level++) {
      const VkClearColorValue color = {.float32 = {value_of((float)level, 0)}};
      const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, layers};
      vkCmdClearColorImage(cmd, images[i].image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

static VkDescriptorSet
create_set(VkDescriptorSetLayout layout, uint32_t count, const struct vkx_buffer *data, VkDescriptorPool *pool)
{
   const VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, count},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
   const VkDescriptorPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 2, .pPoolSizes = sizes};
   vkx_check(vkCreateDescriptorPool(vkx->device, &info, NULL, pool), "vkCreateDescriptorPool");
   const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                 .descriptorPool = *pool,
                                                 .descriptorSetCount = 1,
                                                 .pSetLayouts = &layout};
   VkDescriptorSet set;
   vkx_check(vkAllocateDescriptorSets(vkx->device, &allocate, &set), "vkAllocateDescriptorSets");
   for (uint32_t i = 0; i < count + (data != NULL); i++) {
      const VkDescriptorImageInfo image = {sampler, views[i % IMAGES], VK_IMAGE_LAYOUT_GENERAL};
      const VkDescriptorBufferInfo buffer = {data ? data->buffer : VK_NULL_HANDLE, 0, VK_WHOLE_SIZE};
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstSet = set,
                                          .dstBinding = i,
                                          .descriptorCount = 1,
                                          .descriptorType = sizes[i == count].type,
                                          .pImageInfo = &image,
                                          .pBufferInfo = &buffer};
      vkUpdateDescriptorSets(vkx->device, 1, &write, 0, NULL);
   }
   return set;
}

static void
test_gradients(void)
{
   static const char *const kinds[IMAGES] = {"2D", "an array", "a cube", "3D, with its residency"};
   const VkDescriptorType image = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   const VkDescriptorType types[] = {image, image, image, image, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   struct vkx_buffer data = vkt_buffer_create(vkx, ROWS * COLUMNS * 16, 0xee);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 5, types, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, 0, 0);
   VkPipeline pipeline =
      vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, least_levels_comp, sizeof(least_levels_comp)));
   VkDescriptorPool pool;
   VkDescriptorSet set = create_set(set_layout, IMAGES, &data, &pool);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdDispatch(cmd, ROWS, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   const float(*texels)[4] = data.map;
   for (uint32_t kind = 0; kind < IMAGES; kind++) {
      uint32_t wrong = 0, first = 0;
      for (uint32_t i = 0; i < ROWS * COLUMNS; i++) {
         const float wanted = value_of((float)(i % COLUMNS / 2), 0.25f * (float)(i / COLUMNS));
         const bool is_wrong = !(fabsf(texels[i][kind] - wanted) < 0.1f);
         first = is_wrong && !wrong ? i : first;
         wrong += is_wrong;
      }
      vkt_expect(!wrong, "gradients, %s: %u of %u, the first in row %u, column %u: %g", kinds[kind], wrong,
                 ROWS * COLUMNS, first / COLUMNS, first % COLUMNS, texels[first][kind]);
   }
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkx_buffer_destroy(vkx, &data);
}

/* A number of 16 bits that is no denormal. */
static float
half(uint16_t bits)
{
   return bits ? ldexpf((float)(0x400 | (bits & 0x3ff)), (bits >> 10 & 31) - 25) : 0;
}

static void
test_fragments(void)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   const VkExtent2D extent = {WIDTH, 4};
   const float unused[4] = {0};
   struct vkx_buffer data = vkt_buffer_create(vkx, WIDTH * 4 * 8, 0xee);
   struct vkt_target target =
      vkt_target_create(vkx, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_FRAGMENT_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct vkt_quad));
   VkPipeline pipeline =
      vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                           .layout = layout,
                                                           .vertex = VKT_CODE(quad_vert),
                                                           .fragment = VKT_CODE(least_levels_frag)});
   VkDescriptorPool pool;
   VkDescriptorSet set = create_set(set_layout, 1, NULL, &pool);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   vkt_draw_quad(cmd, layout, extent, 0, 0, WIDTH, 4, 0, unused);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &data);
   const uint16_t(*pixels)[4] = data.map;
   for (uint32_t biased = 0; biased < 2; biased++) {
      uint32_t wrong = 0;
      for (uint32_t i = 0; i < WIDTH * 4; i++) {
         const float wanted = value_of(1 + (float)biased, 0.25f * (float)(i % WIDTH));
         wrong += !(fabsf(half(pixels[i][biased]) - wanted) < 0.1f);
      }
      vkt_expect(!wrong, "implicit levels%s: %u of %u", biased ? " with bias" : "", wrong, WIDTH * 4);
   }
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkt_target_destroy(vkx, &target);
   vkx_buffer_destroy(vkx, &data);
}

int
main(void)
{
   struct vkx device = vkt_create("least_levels");
   vkx = &device;
   if (!vkt_features.shaderResourceMinLod || !vkt_features.shaderResourceResidency) {
      vkt_skip("least levels of detail");
      return vkt_finish(vkx);
   }
   const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                     .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
                                     .maxLod = VK_LOD_CLAMP_NONE};
   vkx_check(vkCreateSampler(vkx->device, &info, NULL, &sampler), "vkCreateSampler");
   for (uint32_t i = 0; i < IMAGES; i++)
      create_image(i);
   test_gradients();
   test_fragments();
   for (uint32_t i = 0; i < IMAGES; i++) {
      vkDestroyImageView(vkx->device, views[i], NULL);
      vkt_image_destroy(vkx, &images[i]);
   }
   vkDestroySampler(vkx->device, sampler, NULL);
   return vkt_finish(vkx);
}
