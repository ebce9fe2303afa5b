/* VK_KHR_maintenance5 to 7: newer forms of commands and descriptions do what the older ones do. With them markers in
 * buffers and identifiers of shader modules. */
#include <string.h>

#include "vkt_draw.h"

static const uint32_t step_code[] = {
#include "step.comp.inc"
};
static const uint32_t other_code[] = {
#include "push.comp.inc"
};
static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};

enum { WORDS = 64, LAYERS = 3, SIDE_PX = 8 };

struct setup {
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline pipeline;
};

static void
create_layouts(struct vkx *vkx, struct setup *s)
{
   const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                                 NULL};
   const VkDescriptorSetLayoutCreateInfo set_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
   vkx_check(vkCreateDescriptorSetLayout(vkx->device, &set_info, NULL, &s->set_layout), "a layout of sets");
   const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
   const VkPipelineLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                   .setLayoutCount = 1,
                                                   .pSetLayouts = &s->set_layout,
                                                   .pushConstantRangeCount = 1,
                                                   .pPushConstantRanges = &range};
   vkx_check(vkCreatePipelineLayout(vkx->device, &layout_info, NULL, &s->layout), "vkCreatePipelineLayout");
}

/* Without a module; the flags that count are those of the chain. */
static void
create_pipeline(struct vkx *vkx, struct setup *s)
{
   const VkShaderModuleCreateInfo code = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizeof(step_code), .pCode = step_code};
   const VkPipelineCreateFlags2CreateInfoKHR flags = {.sType =
                                                         VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
                                                      .flags = VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT_KHR};
   const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                             .pNext = &flags,
                                             .flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT,
                                             .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                       .pNext = &code,
                                                       .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                       .pName = "main"},
                                             .layout = s->layout};
   vkx_check(vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &s->pipeline),
             "vkCreateComputePipelines");
}

static void
check_dispatch(struct vkx *vkx)
{
   struct setup s;
   create_layouts(vkx, &s);
   create_pipeline(vkx, &s);
   struct vkx_buffer buffer = vkt_buffer_create(vkx, WORDS * 4, 0);
   uint32_t *words = buffer.map;
   words[1] = 10;
   const VkDescriptorSet set = vkt_set_create(vkx, s.set_layout, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &buffer);
   const uint32_t step[4] = {1, 16, 3, 7};
   const VkBindDescriptorSetsInfoKHR sets = {.sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO_KHR,
                                             .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                             .layout = s.layout,
                                             .descriptorSetCount = 1,
                                             .pDescriptorSets = &set};
   const VkPushConstantsInfoKHR constants = {.sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO_KHR,
                                             .layout = s.layout,
                                             .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                             .size = sizeof(step),
                                             .pValues = step};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s.pipeline);
   VKT_PROC(vkx, vkCmdBindDescriptorSets2KHR)(cmd, &sets);
   VKT_PROC(vkx, vkCmdPushConstants2KHR)(cmd, &constants);
   vkCmdDispatchBase(cmd, 4, 0, 0, 2, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < WORDS; i++) {
      const uint32_t wanted = i == 1 ? 10 : i == 20 || i == 21 ? 37 : 0;
      vkt_expect(words[i] == wanted, "word %u is %u, not %u", i, words[i], wanted);
   }
   vkt_sets_destroy(vkx);
   vkx_buffer_destroy(vkx, &buffer);
   vkDestroyPipeline(vkx->device, s.pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, s.layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, s.set_layout, NULL);
}

/* A buffer that says its usage in the chain, and the result of its bind. */
static void
check_bind(struct vkx *vkx)
{
   const VkBufferUsageFlags2CreateInfoKHR usage = {.sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR,
                                                   .usage = VK_BUFFER_USAGE_2_TRANSFER_DST_BIT_KHR};
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .pNext = &usage, .size = WORDS * 4};
   VkMemoryRequirements needs;
   VkDeviceMemory memory;
   VkBuffer buffer;
   VkResult one = VK_ERROR_UNKNOWN;
   vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &buffer), "vkCreateBuffer");
   vkGetBufferMemoryRequirements(vkx->device, buffer, &needs);
   const VkMemoryAllocateInfo memory_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                             .allocationSize = needs.size,
                                             .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
   vkx_check(vkAllocateMemory(vkx->device, &memory_info, NULL, &memory), "vkAllocateMemory");
   const VkBindMemoryStatusKHR status = {.sType = VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS_KHR, .pResult = &one};
   const VkBindBufferMemoryInfo bind = {
      .sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO, .pNext = &status, .buffer = buffer, .memory = memory};
   vkt_expect(vkBindBufferMemory2(vkx->device, 1, &bind) == VK_SUCCESS && one == VK_SUCCESS, "bind: %d", one);
   vkDestroyBuffer(vkx->device, buffer, NULL);
   vkFreeMemory(vkx->device, memory, NULL);
}

/* All layers from the second on, without their number. */
static void
check_layers(struct vkx *vkx)
{
   const VkImageCreateInfo info = {.imageType = VK_IMAGE_TYPE_2D,
                                   .format = VK_FORMAT_R32_UINT,
                                   .extent = {SIDE_PX, SIDE_PX, 1},
                                   .arrayLayers = LAYERS,
                                   .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   struct vkt_image image = vkt_image_create(vkx, info, false);
   struct vkx_buffer buffer = vkt_buffer_create(vkx, LAYERS * SIDE_PX * SIDE_PX * 4, 0xee);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   for (uint32_t i = 0; i < LAYERS; i++) {
      const VkClearColorValue color = {.uint32 = {100 + i}};
      const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, i, 1};
      vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
   }
   vkt_barrier(cmd);
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, VK_REMAINING_ARRAY_LAYERS},
                                   .imageExtent = info.extent};
   vkCmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, buffer.buffer, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   unsigned wrong = 0;
   for (uint32_t i = 0; i < LAYERS * SIDE_PX * SIDE_PX; i++) {
      const uint32_t layer = 1 + i / (SIDE_PX * SIDE_PX);
      wrong += ((const uint32_t *)buffer.map)[i] != (layer < LAYERS ? 100 + layer : 0xeeeeeeee);
   }
   vkt_expect(!wrong, "the remaining layers: %u texels are wrong", wrong);
   vkx_buffer_destroy(vkx, &buffer);
   vkt_image_destroy(vkx, &image);
}

static void
check_subresource_layout(struct vkx *vkx)
{
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                   .imageType = VK_IMAGE_TYPE_2D,
                                   .format = VK_FORMAT_R8G8B8A8_UNORM,
                                   .extent = {33, 17, 1},
                                   .mipLevels = 1,
                                   .arrayLayers = 1,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .tiling = VK_IMAGE_TILING_LINEAR,
                                   .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
   const VkImageSubresource2KHR part = {.sType = VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2_KHR,
                                        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0}};
   const VkDeviceImageSubresourceInfoKHR asked = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_SUBRESOURCE_INFO_KHR, .pCreateInfo = &info, .pSubresource = &part};
   VkSubresourceLayout2KHR answer = {.sType = VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2_KHR};
   VkSubresourceLayout wanted;
   VkImage image;
   vkx_check(vkCreateImage(vkx->device, &info, NULL, &image), "vkCreateImage");
   vkGetImageSubresourceLayout(vkx->device, image, &part.imageSubresource, &wanted);
   VKT_PROC(vkx, vkGetDeviceImageSubresourceLayoutKHR)(vkx->device, &asked, &answer);
   vkt_expect(wanted.rowPitch == answer.subresourceLayout.rowPitch && wanted.size == answer.subresourceLayout.size,
              "rows of %llu bytes", (unsigned long long)answer.subresourceLayout.rowPitch);
   vkDestroyImage(vkx->device, image, NULL);
}

static void
check_5(struct vkx *vkx)
{
   check_layers(vkx);
   check_subresource_layout(vkx);
   if (vkt_has("VK_KHR_maintenance6")) {
      check_dispatch(vkx);
      check_bind(vkx);
   }
}

/* Quads of one pass, drawn inline and by secondary command buffers in turns. */
static void
check_mixed(struct vkx *vkx)
{
   const VkExtent2D extent = {4 * SIDE_PX, SIDE_PX};
   struct vkt_target target =
      vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   VkPipelineLayout layout = vkt_quad_layout_create(vkx);
   VkPipeline pipeline = vkt_pipeline_create(
      vkx, &(struct vkt_pipeline_info){
              .pass = target.pass, .layout = layout, .vertex = VKT_CODE(quad_vert), .fragment = VKT_CODE(quad_frag)});
   struct vkx_buffer buffer = vkt_buffer_create(vkx, extent.width * extent.height * 4, 0);
   VkCommandBuffer secondaries[2];
   float color[4] = {0, 0, 1, 1};
   for (uint32_t i = 0; i < 2; i++) {
      secondaries[i] = vkt_secondary_begin(vkx, &target, 0, false);
      vkCmdBindPipeline(secondaries[i], VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      color[0] = 1;
      const uint32_t x = (2 * i + 1) * SIDE_PX;
      vkt_draw_quad(secondaries[i], layout, extent, x, 0, x + SIDE_PX, SIDE_PX, 0, color);
      vkx_check(vkEndCommandBuffer(secondaries[i]), "vkEndCommandBuffer");
   }
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE_AND_SECONDARY_COMMAND_BUFFERS_KHR);
   for (uint32_t i = 0; i < 2; i++) {
      vkt_set_viewport(cmd, extent);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      color[0] = 0;
      color[1] = 1;
      vkt_draw_quad(cmd, layout, extent, 2 * i * SIDE_PX, 0, (2 * i + 1) * SIDE_PX, SIDE_PX, 0, color);
      vkCmdExecuteCommands(cmd, 1, &secondaries[i]);
   }
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &buffer);
   unsigned wrong = 0;
   for (uint32_t i = 0; i < extent.width * extent.height; i++)
      wrong += ((const uint32_t *)buffer.map)[i] != (i % extent.width / SIDE_PX % 2 ? 0xffff00ff : 0xffffff00);
   vkt_expect(!wrong, "inline and secondary: %u pixels are wrong", wrong);
   vkFreeCommandBuffers(vkx->device, vkx->pool, 2, secondaries);
   vkx_buffer_destroy(vkx, &buffer);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkt_target_destroy(vkx, &target);
}

static void
check_marker(struct vkx *vkx)
{
   struct vkx_buffer buffer = vkt_buffer_create(vkx, WORDS * 4, 0);
   VkCommandBuffer cmd = vkx_begin(vkx);
   PFN_vkCmdWriteBufferMarkerAMD write = VKT_PROC(vkx, vkCmdWriteBufferMarkerAMD);
   for (uint32_t i = 0; i < 8; i++)
      write(cmd, i % 2 ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, buffer.buffer,
            i * 12, 0xabc00000 + i);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < WORDS; i++)
      vkt_expect(((uint32_t *)buffer.map)[i] == (i % 3 || i >= 24 ? 0 : 0xabc00000 + i / 3), "marker at word %u", i);
   vkx_buffer_destroy(vkx, &buffer);
}

static void
check_identifiers(struct vkx *vkx)
{
   PFN_vkGetShaderModuleIdentifierEXT of_module = VKT_PROC(vkx, vkGetShaderModuleIdentifierEXT);
   PFN_vkGetShaderModuleCreateInfoIdentifierEXT of_info = VKT_PROC(vkx, vkGetShaderModuleCreateInfoIdentifierEXT);
   const VkShaderModuleCreateInfo infos[2] = {
      {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, sizeof(step_code), step_code},
      {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, sizeof(other_code), other_code}};
   VkShaderModule module;
   VkShaderModuleIdentifierEXT ids[3];
   for (unsigned i = 0; i < 3; i++)
      ids[i] = (VkShaderModuleIdentifierEXT){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT};
   vkx_check(vkCreateShaderModule(vkx->device, &infos[0], NULL, &module), "vkCreateShaderModule");
   of_module(vkx->device, module, &ids[0]);
   of_info(vkx->device, &infos[0], &ids[1]);
   of_info(vkx->device, &infos[1], &ids[2]);
   vkt_expect(ids[0].identifierSize > 0 && ids[0].identifierSize <= VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT &&
                 ids[0].identifierSize == ids[1].identifierSize &&
                 !memcmp(ids[0].identifier, ids[1].identifier, ids[0].identifierSize),
              "the identifier of a module is that of its description");
   vkt_expect(ids[2].identifierSize != ids[0].identifierSize ||
                 memcmp(ids[0].identifier, ids[2].identifier, ids[0].identifierSize),
              "another module has another identifier");
   vkDestroyShaderModule(vkx->device, module, NULL);
}

int
main(void)
{
   static const struct {
      const char *extension;
      void (*check)(struct vkx *vkx);
   } checks[] = {
      {"VK_KHR_maintenance5", check_5},
      {"VK_KHR_maintenance7", check_mixed},
      {"VK_AMD_buffer_marker", check_marker},
      {"VK_EXT_shader_module_identifier", check_identifiers},
   };
   struct vkx vkx = vkt_create("renewed");
   for (unsigned i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
      if (vkt_has(checks[i].extension))
         checks[i].check(&vkx);
      else
         vkt_skip(checks[i].extension);
   }
   return vkt_finish(&vkx);
}
