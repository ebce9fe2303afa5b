/* What an application gets for bad input: errors, never a crash. Run on the model; returns 0 if all is as it
 * should. */
#include <stdio.h>
#include <string.h>

#include "vkx.h"

static const uint32_t endless_code[] = {
#include "endless.comp.inc"
};

static unsigned failed, passed;

static void
expect(bool condition, const char *what)
{
   printf("%s: %s\n", condition ? "ok" : "FAILED", what);
   *(condition ? &passed : &failed) += 1;
}

/* VK_SUCCESS of vkCreateShaderModule is allowed if the pipeline then fails. */
static bool
is_rejected(struct vkx *vkx, const uint32_t *code, size_t size_B, VkPipelineLayout layout)
{
   const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size_B,
                                          .pCode = code};
   VkShaderModule module;
   if (vkCreateShaderModule(vkx->device, &info, NULL, &module) != VK_SUCCESS)
      return true;
   const VkComputePipelineCreateInfo pipeline_info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module, .pName = "main"},
      .layout = layout,
   };
   VkPipeline pipeline;
   VkResult result = vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, 1, &pipeline_info, NULL, &pipeline);
   if (result == VK_SUCCESS)
      vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyShaderModule(vkx->device, module, NULL);
   return result != VK_SUCCESS;
}

static void
test_shaders(struct vkx *vkx, VkPipelineLayout layout)
{
   uint32_t words[sizeof(endless_code) / 4];
   bool all = true;
   for (size_t count = 1; count < sizeof(endless_code) / 4; count += 3)
      all &= is_rejected(vkx, endless_code, count * 4, layout);
   expect(all, "a truncated module is rejected");
   uint32_t seed = 1;
   all = true;
   for (unsigned run = 0; run < 200; run++) {
      for (size_t i = 0; i < sizeof(words) / 4; i++)
         words[i] = i < 5 ? endless_code[i] : (seed = seed * 1664525u + 1013904223u);
      all &= is_rejected(vkx, words, sizeof(words), layout);
   }
   expect(all, "random words are rejected");
   memset(words, 0, sizeof(words));
   expect(is_rejected(vkx, words, sizeof(words), layout), "zeros are rejected");
   for (unsigned run = 0; run < 500; run++) { /* may be accepted, must not crash */
      memcpy(words, endless_code, sizeof(words));
      seed = seed * 1664525u + 1013904223u;
      words[5 + (seed >> 8) % (sizeof(words) / 4 - 5)] ^= 1u << (seed & 31);
      is_rejected(vkx, words, sizeof(words), layout);
   }
   expect(true, "500 modules with one bit flipped were survived");
}

static void
test_memory(struct vkx *vkx)
{
   const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = 1ull << 50};
   VkDeviceMemory memory;
   VkResult result = vkAllocateMemory(vkx->device, &info, NULL, &memory);
   expect(result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY,
          "a petabyte is out of memory");
}

int
main(void)
{
   struct vkx vkx = vkx_create("bad_input");
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(&vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(&vkx, set_layout, 0, 0);
   test_shaders(&vkx, layout);
   test_memory(&vkx);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx.device, set_layout, NULL);
   vkx_destroy(&vkx);
   printf("%u passed, %u failed\n", passed, failed);
   return failed != 0;
}
