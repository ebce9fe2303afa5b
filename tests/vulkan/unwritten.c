/* Descriptors that were never written. Such a set reads as if they were null (docs/radeonsi.md, "Descriptors");
 * --lost: the driver was told to poison them, and the device is lost. */
#include <stdio.h>
#include <string.h>

#include "vkx.h"

static const uint32_t code[] = {
#include "unwritten.inc"
};

enum { BINDINGS = 4, CASES = 3 };

static VkPipeline
create_pipeline(struct vkx *vkx, VkPipelineLayout layout, const int *which)
{
   const VkSpecializationMapEntry entry = {0, 0, 4};
   const VkSpecializationInfo constants = {1, &entry, 4, which};
   const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                             .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                       .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                       .module = vkx_shader_create(vkx, code, sizeof(code)),
                                                       .pName = "main",
                                                       .pSpecializationInfo = &constants},
                                             .layout = layout};
   VkPipeline pipeline;
   vkx_check(vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "a pipeline");
   return pipeline;
}

/* Only binding 0 is written. */
static VkDescriptorSet
create_set(struct vkx *vkx, VkDescriptorSetLayout layout, const struct vkx_buffer *out)
{
   const VkDescriptorPoolSize sizes[3] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1},
                                          {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}};
   const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 3, .pPoolSizes = sizes};
   VkDescriptorPool pool;
   VkDescriptorSet set;
   vkx_check(vkCreateDescriptorPool(vkx->device, &pool_info, NULL, &pool), "vkCreateDescriptorPool");
   const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                 .descriptorPool = pool,
                                                 .descriptorSetCount = 1,
                                                 .pSetLayouts = &layout};
   vkx_check(vkAllocateDescriptorSets(vkx->device, &allocate, &set), "vkAllocateDescriptorSets");
   const VkDescriptorBufferInfo buffer = {out->buffer, 0, VK_WHOLE_SIZE};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = set,
                                       .descriptorCount = 1,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       .pBufferInfo = &buffer};
   vkUpdateDescriptorSets(vkx->device, 1, &write, 0, NULL);
   return set;
}

/* On a device of its own, which is left to the end of the process. Whether it ended as expected. */
static bool
run_case(int which, bool lost)
{
   struct vkx vkx = vkx_create("unwritten");
   const VkDescriptorType types[BINDINGS] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                             VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(&vkx, BINDINGS, types, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(&vkx, set_layout, 0, 0);
   struct vkx_buffer out = vkx_buffer_create(&vkx, 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, true);
   memset(out.map, 0xcc, 4);
   VkDescriptorSet set = create_set(&vkx, set_layout, &out);
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, create_pipeline(&vkx, layout, &which));
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   VkResult result = vkQueueSubmit(vkx.queue, 1, &submit, VK_NULL_HANDLE);
   if (result == VK_SUCCESS)
      result = vkQueueWaitIdle(vkx.queue);
   const uint32_t value = *(const uint32_t *)out.map;
   const bool right = lost ? result == VK_ERROR_DEVICE_LOST : result == VK_SUCCESS && value == 0;
   printf("%s: case %d: result %d, value %#x\n", right ? "ok" : "FAILED", which, result, value);
   return right;
}

int
main(int argc, char **argv)
{
   const bool lost = argc > 1 && !strcmp(argv[1], "--lost");
   unsigned wrong = 0;
   for (int which = 0; which < CASES; which++)
      wrong += !run_case(which, lost);
   return wrong != 0;
}
