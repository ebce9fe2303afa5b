/* Mipmapped textures written by compute shaders. */
#include "scene.h"

static const uint32_t texture_code[] = {
#include "texture.comp.inc"
};
static const uint32_t downsample_code[] = {
#include "downsample.comp.inc"
};

#define SIZE 256u
#define LEVELS 9u

struct writer {
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline texture, downsample;
   VkDescriptorPool pool;
   VkDescriptorSet sets[LEVELS]; /* level written, level read */
   VkImageView views[LEVELS];
};

static void
create_sets(struct vkx *vkx, struct writer *writer)
{
   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 2 * LEVELS};
   const VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                 .maxSets = LEVELS,
                                                 .poolSizeCount = 1,
                                                 .pPoolSizes = &size};
   vkx_check(vkCreateDescriptorPool(vkx->device, &pool_info, NULL, &writer->pool), "vkCreateDescriptorPool");
   for (uint32_t level = 0; level < LEVELS; level++) {
      const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                .descriptorPool = writer->pool,
                                                .descriptorSetCount = 1,
                                                .pSetLayouts = &writer->set_layout};
      vkx_check(vkAllocateDescriptorSets(vkx->device, &info, &writer->sets[level]), "vkAllocateDescriptorSets");
      const VkDescriptorImageInfo images[2] = {
         {.imageView = writer->views[level], .imageLayout = VK_IMAGE_LAYOUT_GENERAL},
         {.imageView = writer->views[level ? level - 1 : 0], .imageLayout = VK_IMAGE_LAYOUT_GENERAL},
      };
      const VkWriteDescriptorSet write = {
         .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = writer->sets[level],
         .descriptorCount = 2,
         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
         .pImageInfo = images,
      };
      vkUpdateDescriptorSets(vkx->device, 1, &write, 0, NULL);
   }
}

static struct writer
create_writer(struct vkx *vkx, const struct vkx_image *image)
{
   struct writer writer;
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
   writer.set_layout = vkx_set_layout_create(vkx, 2, types, VK_SHADER_STAGE_COMPUTE_BIT);
   writer.layout = vkx_pipeline_layout_create(vkx, writer.set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 4);
   writer.texture =
      vkx_compute_pipeline_create(vkx, writer.layout, vkx_shader_create(vkx, texture_code, sizeof(texture_code)));
   writer.downsample = vkx_compute_pipeline_create(vkx, writer.layout,
                                                   vkx_shader_create(vkx, downsample_code, sizeof(downsample_code)));
   for (uint32_t level = 0; level < LEVELS; level++)
      writer.views[level] = vkx_view_create(vkx, image, level, 1, VK_IMAGE_ASPECT_COLOR_BIT);
   create_sets(vkx, &writer);
   return writer;
}

static void
destroy_writer(struct vkx *vkx, struct writer *writer)
{
   for (uint32_t level = 0; level < LEVELS; level++)
      vkDestroyImageView(vkx->device, writer->views[level], NULL);
   vkDestroyDescriptorPool(vkx->device, writer->pool, NULL);
   vkDestroyPipeline(vkx->device, writer->texture, NULL);
   vkDestroyPipeline(vkx->device, writer->downsample, NULL);
   vkDestroyPipelineLayout(vkx->device, writer->layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, writer->set_layout, NULL);
}

struct vkx_image
scene_texture_create(struct vkx *vkx, uint32_t kind)
{
   struct vkx_image image =
      vkx_image_create(vkx, COLOR_FORMAT, (VkExtent2D){SIZE, SIZE}, LEVELS, VK_SAMPLE_COUNT_1_BIT,
                       VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT, VK_IMAGE_ASPECT_COLOR_BIT);
   struct writer writer = create_writer(vkx, &image);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkx_image_barrier(cmd, image.image, VK_IMAGE_ASPECT_COLOR_BIT, 0, LEVELS, VK_IMAGE_LAYOUT_UNDEFINED,
                     VK_IMAGE_LAYOUT_GENERAL, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0,
                     VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
   for (uint32_t level = 0; level < LEVELS; level++) {
      const uint32_t groups = ((SIZE >> level) + 7) / 8;
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, level ? writer.downsample : writer.texture);
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, writer.layout, 0, 1, &writer.sets[level], 0, NULL);
      vkCmdPushConstants(cmd, writer.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &kind);
      vkCmdDispatch(cmd, groups, groups, 1);
      vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
   }
   vkx_image_barrier(cmd, image.image, VK_IMAGE_ASPECT_COLOR_BIT, 0, LEVELS, VK_IMAGE_LAYOUT_GENERAL,
                     VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                     VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
   vkx_submit_and_wait(vkx, cmd);
   destroy_writer(vkx, &writer);
   return image;
}
