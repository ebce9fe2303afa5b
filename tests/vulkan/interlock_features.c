/* VK_EXT_fragment_shader_interlock: what is offered, and that a shader cannot use what was not switched on.
 * --rules=keep: nothing that an application must not do, for drivers that do not look. */
#include <stdio.h>
#include <string.h>

#include "render.h"

static const uint32_t vertex_code[] = {
#include "oit.vert.inc"
};
static const uint32_t pixel_code[] = {
#include "oit_blend_PIXEL.frag.inc"
};
static const uint32_t sample_code[] = {
#include "oit_blend_SAMPLE.frag.inc"
};

static unsigned failures;
static bool breaks_rules;

static void
expect(bool good, const char *what)
{
   if (!good)
      printf("not so: %s\n", what);
   failures += !good;
}

static VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT
features(bool pixel, bool sample)
{
   return (VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT){
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT,
      .fragmentShaderPixelInterlock = pixel,
      .fragmentShaderSampleInterlock = sample,
   };
}

static VkResult
create_device(struct vkx *vkx, const VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT *wanted, VkDevice *device)
{
   static const char *const extension = VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME;
   const float priority = 1;
   const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueFamilyIndex = vkx->family,
                                          .queueCount = 1,
                                          .pQueuePriorities = &priority};
   const VkPhysicalDeviceFeatures core = {.fragmentStoresAndAtomics = VK_TRUE};
   const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                    .pNext = wanted,
                                    .queueCreateInfoCount = 1,
                                    .pQueueCreateInfos = &queue,
                                    .enabledExtensionCount = 1,
                                    .ppEnabledExtensionNames = &extension,
                                    .pEnabledFeatures = &core};

   return vkCreateDevice(vkx->physical, &info, NULL, device);
}

static void
check_offered(struct vkx *vkx)
{
   VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT offered = features(false, false);
   VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &offered};
   VkDevice device;

   offered.fragmentShaderShadingRateInterlock = VK_TRUE;
   vkGetPhysicalDeviceFeatures2(vkx->physical, &all);
   expect(offered.fragmentShaderPixelInterlock, "pixel interlock is offered");
   expect(offered.fragmentShaderSampleInterlock, "sample interlock is offered");
   expect(!offered.fragmentShaderShadingRateInterlock, "shading rate interlock is not offered");
   offered = features(true, true);
   offered.fragmentShaderShadingRateInterlock = VK_TRUE;
   expect(create_device(vkx, &offered, &device) == VK_ERROR_FEATURE_NOT_PRESENT, "shading rate interlock is refused");
}

static VkResult
create_pipeline(VkDevice device, const uint32_t *code, size_t size_B)
{
   static const VkVertexInputBindingDescription binding = {0, 48, VK_VERTEX_INPUT_RATE_VERTEX};
   static const VkVertexInputAttributeDescription attributes[3] = {{0, 0, VK_FORMAT_R32G32_SINT, 0},
                                                                   {1, 0, VK_FORMAT_R32G32B32A32_UINT, 8},
                                                                   {2, 0, VK_FORMAT_R32G32B32A32_UINT, 24}};
   static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 1,
                                                       .pVertexBindingDescriptions = &binding,
                                                       .vertexAttributeDescriptionCount = 3,
                                                       .pVertexAttributeDescriptions = attributes};
   struct vkx vkx = {.device = device};
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(&vkx, 1, &type, VK_SHADER_STAGE_FRAGMENT_BIT);
   struct pipeline_info info = {
      .pass = render_pass_create(&vkx, VK_SAMPLE_COUNT_1_BIT),
      .layout = vkx_pipeline_layout_create(&vkx, set_layout, VK_SHADER_STAGE_FRAGMENT_BIT, 4),
      .vertex = vkx_shader_create(&vkx, vertex_code, sizeof(vertex_code)),
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .extent = {64, 64},
      .vertex_input = &input,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
   };
   const VkShaderModuleCreateInfo module = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size_B, .pCode = code};
   VkPipeline pipeline = VK_NULL_HANDLE;
   VkResult result = vkCreateShaderModule(device, &module, NULL, &info.fragment);

   if (result == VK_SUCCESS) {
      result = render_pipeline_try(&vkx, &info, &pipeline);
      vkDestroyShaderModule(device, info.fragment, NULL);
   }
   vkDestroyPipeline(device, pipeline, NULL);
   vkDestroyShaderModule(device, info.vertex, NULL);
   vkDestroyRenderPass(device, info.pass, NULL);
   vkDestroyPipelineLayout(device, info.layout, NULL);
   vkDestroyDescriptorSetLayout(device, set_layout, NULL);
   return result;
}

/* Every combination of features, both kinds of shader. */
static void
check_enabled(struct vkx *vkx)
{
   for (unsigned i = 0; i < 4; i++) {
      bool pixel = i & 1, sample = i >> 1;
      VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT wanted = features(pixel, sample);
      VkDevice device;

      vkx_check(create_device(vkx, &wanted, &device), "vkCreateDevice");
      if (pixel || breaks_rules)
         expect((create_pipeline(device, pixel_code, sizeof(pixel_code)) == VK_SUCCESS) == pixel,
                pixel ? "pixel interlock with its feature compiles" : "pixel interlock without is an error");
      if (sample || breaks_rules)
         expect((create_pipeline(device, sample_code, sizeof(sample_code)) == VK_SUCCESS) == sample,
                sample ? "sample interlock with its feature compiles" : "sample interlock without is an error");
      vkDestroyDevice(device, NULL);
   }
}

/* The pixel interlock shader with words changed: instructions of one word, or (before: the first word) the operand of
 * an execution mode. */
static VkResult
create_changed(VkDevice device, uint32_t before, uint32_t from, uint32_t to)
{
   static uint32_t code[sizeof(pixel_code) / 4];

   memcpy(code, pixel_code, sizeof(code));
   for (size_t i = 5; i < sizeof(code) / 4; i += code[i] >> 16) {
      if (!before && code[i] == from)
         code[i] = to;
      else if (code[i] == before && code[i + 2] == from)
         code[i + 2] = to;
   }
   return create_pipeline(device, code, sizeof(code));
}

static void
check_broken(VkDevice device)
{
   enum { NOP = 1 << 16, BEGIN = 1 << 16 | 5364, END = 1 << 16 | 5365, EXECUTION_MODE = 3 << 16 | 16 };
   enum { PIXEL_ORDERED = 5366, SAMPLE_ORDERED = 5368 };

   expect(create_changed(device, 0, BEGIN, NOP) != VK_SUCCESS, "an end without begin is an error");
   expect(create_changed(device, 0, END, NOP) != VK_SUCCESS, "a begin without end is an error");
   expect(create_changed(device, 0, END, BEGIN) != VK_SUCCESS, "two begins are an error");
   expect(create_changed(device, EXECUTION_MODE, PIXEL_ORDERED, SAMPLE_ORDERED) != VK_SUCCESS,
          "a mode without its capability is an error");
   expect(create_changed(device, EXECUTION_MODE, PIXEL_ORDERED, 9 /* EarlyFragmentTests */) != VK_SUCCESS,
          "a section without interlock mode is an error");
}

/* Modules that break the rules of ordered sections make no pipeline, with the features on. */
static void
check_modules(struct vkx *vkx)
{
   enum { NOP = 1 << 16, EXECUTION_MODE = 3 << 16 | 16, PIXEL_ORDERED = 5366, PIXEL_UNORDERED = 5367 };
   VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT wanted = features(true, true);
   VkDevice device;

   vkx_check(create_device(vkx, &wanted, &device), "vkCreateDevice");
   expect(create_changed(device, 0, NOP, NOP) == VK_SUCCESS, "the unchanged module compiles");
   expect(create_changed(device, EXECUTION_MODE, PIXEL_ORDERED, PIXEL_UNORDERED) == VK_SUCCESS,
          "the module without order compiles");
   if (breaks_rules)
      check_broken(device);
   vkDestroyDevice(device, NULL);
}

int
main(int argc, char **argv)
{
   struct vkx vkx = vkx_create_with("interlock_features", NULL, NULL);

   breaks_rules = argc < 2 || strcmp(argv[1], "--rules=keep") != 0;

   check_offered(&vkx);
   check_enabled(&vkx);
   check_modules(&vkx);
   vkx_destroy(&vkx);
   printf("%u failures\n", failures);
   return failures != 0;
}
