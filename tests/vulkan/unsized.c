/* VK_EXT_shader_uniform_buffer_unsized_array: the last member of a uniform block is an array without a size. */
#include "vkt.h"

static const uint32_t code[] = {
#include "unsized.inc"
};

enum { LANES = 64, SCALE = 3 };

static uint32_t
word(uint32_t i, uint32_t component)
{
   return 1000 * (i + 1) + component;
}

int
main(void)
{
   VkPhysicalDeviceShaderUniformBufferUnsizedArrayFeaturesEXT feature = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_UNIFORM_BUFFER_UNSIZED_ARRAY_FEATURES_EXT,
      .shaderUniformBufferUnsizedArray = VK_TRUE};
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   struct vkx vkx = vkx_create_with("unsized", "VK_EXT_shader_uniform_buffer_unsized_array", &feature);
   struct vkx_buffer in = vkt_buffer_create(&vkx, 16 + 16 * LANES, 0), out = vkt_buffer_create(&vkx, 16 * LANES, 0);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(&vkx, 2, types, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(&vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 0);
   VkPipeline pipeline = vkx_compute_pipeline_create(&vkx, layout, vkx_shader_create(&vkx, code, sizeof(code)));
   VkDescriptorPool pool = VK_NULL_HANDLE;
   VkDescriptorSet set = vkt_bindings_create(
      &vkx, &pool, set_layout, 2,
      (struct vkt_descriptor[]){{.type = types[0], .buffer = in.buffer}, {.type = types[1], .buffer = out.buffer}});
   uint32_t *words = in.map;
   words[0] = SCALE;
   for (uint32_t i = 0; i < 4 * LANES; i++)
      words[4 + i] = word(i / 4, i % 4);
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   for (uint32_t i = 0; i < 4 * LANES; i++) {
      const uint32_t wanted = SCALE * word((i / 4) ^ 5, i % 4) + word(0, i % 4), value = ((uint32_t *)out.map)[i];
      vkt_expect(value == wanted, "word %u is %u, not %u", i, value, wanted);
   }
   vkDestroyDescriptorPool(vkx.device, pool, NULL);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx.device, set_layout, NULL);
   vkx_buffer_destroy(&vkx, &in);
   vkx_buffer_destroy(&vkx, &out);
   return vkt_finish(&vkx);
}
