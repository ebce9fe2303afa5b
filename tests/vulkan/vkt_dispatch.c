#include "vkt_dispatch.h"

#define MAX_BUFFERS 8
#define MAX_CONSTANTS 16

static VkDescriptorType
type_of(const struct vkt_dispatch *dispatch, uint32_t binding)
{
   if (dispatch->image && binding == dispatch->image_binding)
      return dispatch->image_type;
   return dispatch->uniforms >> binding & 1 ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static uint32_t
bindings_of(const struct vkt_dispatch *dispatch)
{
   return dispatch->num_buffers + (dispatch->image != NULL);
}

bool
vkt_offers_lanes(struct vkx *vkx, uint32_t lanes)
{
   VkPhysicalDeviceSubgroupSizeControlProperties control = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                             .pNext = &control};
   if (!vkt_has("VK_EXT_subgroup_size_control"))
      return false;
   vkGetPhysicalDeviceProperties2(vkx->physical, &properties);
   return (control.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) && lanes >= control.minSubgroupSize &&
          lanes <= control.maxSubgroupSize;
}

static VkPipeline
create_pipeline(struct vkx *vkx, const struct vkt_dispatch *dispatch, VkPipelineLayout layout)
{
   VkSpecializationMapEntry entries[MAX_CONSTANTS];
   for (uint32_t i = 0; i < dispatch->num_constants; i++)
      entries[i] = (VkSpecializationMapEntry){i, 4 * i, 4};
   const VkSpecializationInfo specialization = {dispatch->num_constants, entries, 4 * dispatch->num_constants,
                                                dispatch->constants};
   const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
      .requiredSubgroupSize = dispatch->subgroup_size};
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .pNext = dispatch->subgroup_size ? &size : NULL,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = vkx_shader_create(vkx, dispatch->code.words, dispatch->code.size_B),
                .pName = "main",
                .pSpecializationInfo = dispatch->specialization  ? dispatch->specialization
                                       : dispatch->num_constants ? &specialization
                                                                 : NULL},
      .layout = layout,
   };
   VkPipeline pipeline;
   vkx_check(vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
             "vkCreateComputePipelines");
   vkDestroyShaderModule(vkx->device, info.stage.module, NULL);
   return pipeline;
}

static VkDescriptorPool
create_set(struct vkx *vkx, const struct vkt_dispatch *dispatch, VkDescriptorSetLayout layout, VkDescriptorSet *set)
{
   struct vkt_descriptor descriptors[MAX_BUFFERS];
   for (uint32_t i = 0, next = 0; i < bindings_of(dispatch); i++) {
      const VkDescriptorImageInfo *image = dispatch->image && i == dispatch->image_binding ? dispatch->image : NULL;
      descriptors[i] = (struct vkt_descriptor){.type = type_of(dispatch, i)};
      if (image) {
         descriptors[i].view = image->imageView;
         descriptors[i].sampler = image->sampler;
      } else {
         descriptors[i].buffer = dispatch->buffers[next++].buffer;
      }
   }
   VkDescriptorPool pool = VK_NULL_HANDLE;
   *set = vkt_bindings_create(vkx, &pool, layout, bindings_of(dispatch), descriptors);
   return pool;
}

void
vkt_dispatch(struct vkx *vkx, const struct vkt_dispatch *dispatch)
{
   VkDescriptorType types[MAX_BUFFERS];
   for (uint32_t i = 0; i < MAX_BUFFERS; i++)
      types[i] = type_of(dispatch, i);
   VkDescriptorSetLayout set_layout =
      vkx_set_layout_create(vkx, bindings_of(dispatch), types, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(
      vkx, set_layout, dispatch->push_B ? VK_SHADER_STAGE_COMPUTE_BIT : 0, dispatch->push_B);
   VkPipeline pipeline = create_pipeline(vkx, dispatch, layout);
   VkDescriptorSet set;
   VkDescriptorPool pool = create_set(vkx, dispatch, set_layout, &set);

   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_barrier(cmd);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   if (dispatch->push_B)
      vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, dispatch->push_B, dispatch->push);
   vkCmdDispatch(cmd, dispatch->groups, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);

   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
}
