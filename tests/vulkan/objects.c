/* What objects have besides their use: private data, which goes with the object and is 0 for a new one, also in the
 * same memory; what memory a buffer or an image would need; attachments without load and store; feedback of the
 * creation of pipelines, and creation that must not compile. */
#include <string.h>

#include "vkt.h"

static const uint32_t compute_code[] = {
#include "step.comp.inc"
};

/* ---- private data ---- */

static struct {
   PFN_vkCreatePrivateDataSlotEXT create;
   PFN_vkDestroyPrivateDataSlotEXT destroy;
   PFN_vkSetPrivateDataEXT set;
   PFN_vkGetPrivateDataEXT get;
} private_data;

static VkPrivateDataSlotEXT
create_slot(struct vkx *vkx)
{
   const VkPrivateDataSlotCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
   VkPrivateDataSlotEXT slot;
   vkx_check(private_data.create(vkx->device, &info, NULL, &slot), "vkCreatePrivateDataSlotEXT");
   return slot;
}

static uint64_t
get(struct vkx *vkx, VkObjectType type, const void *object, VkPrivateDataSlotEXT slot)
{
   uint64_t value = 0xbad;
   private_data.get(vkx->device, type, (uint64_t)(uintptr_t)object, slot, &value);
   return value;
}

static void
set(struct vkx *vkx, VkObjectType type, const void *object, VkPrivateDataSlotEXT slot, uint64_t value)
{
   vkx_check(private_data.set(vkx->device, type, (uint64_t)(uintptr_t)object, slot, value), "vkSetPrivateDataEXT");
}

/* Two slots keep two values of an object. */
static void
check_object(struct vkx *vkx, VkObjectType type, const void *object)
{
   VkPrivateDataSlotEXT slots[2] = {create_slot(vkx), create_slot(vkx)};
   vkt_expect(get(vkx, type, object, slots[0]) == 0, "type %u: 0 before the first value", type);
   set(vkx, type, object, slots[0], UINT64_MAX);
   set(vkx, type, object, slots[1], 7);
   set(vkx, type, object, slots[0], UINT64_C(0x123456789abcdef));
   vkt_expect(get(vkx, type, object, slots[0]) == UINT64_C(0x123456789abcdef), "type %u, slot 0", type);
   vkt_expect(get(vkx, type, object, slots[1]) == 7, "type %u, slot 1", type);
   private_data.destroy(vkx->device, slots[0], NULL);
   VkPrivateDataSlotEXT next = create_slot(vkx);
   vkt_expect(get(vkx, type, object, next) == 0, "type %u: 0 in a new slot", type);
   private_data.destroy(vkx->device, next, NULL);
   private_data.destroy(vkx->device, slots[1], NULL);
}

/* Each new object has 0, though most have the memory of the one before. */
static void
check_new_objects(struct vkx *vkx, VkPrivateDataSlotEXT slot)
{
   const VkSemaphoreCreateInfo semaphore_info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4};
   const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 4, .poolSizeCount = 1, .pPoolSizes = &size};
   const VkDescriptorSetLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
   VkDescriptorPool pool;
   VkDescriptorSetLayout layout;
   vkx_check(vkCreateDescriptorPool(vkx->device, &pool_info, NULL, &pool), "vkCreateDescriptorPool");
   vkx_check(vkCreateDescriptorSetLayout(vkx->device, &layout_info, NULL, &layout), "vkCreateDescriptorSetLayout");
   for (unsigned i = 0; i < 8; i++) {
      const VkDescriptorSetAllocateInfo set_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                    .descriptorPool = pool,
                                                    .descriptorSetCount = 1,
                                                    .pSetLayouts = &layout};
      VkSemaphore semaphore;
      VkDescriptorSet descriptors;
      vkx_check(vkCreateSemaphore(vkx->device, &semaphore_info, NULL, &semaphore), "vkCreateSemaphore");
      vkx_check(vkAllocateDescriptorSets(vkx->device, &set_info, &descriptors), "vkAllocateDescriptorSets");
      vkt_expect(get(vkx, VK_OBJECT_TYPE_SEMAPHORE, semaphore, slot) == 0, "semaphore %u is new", i);
      vkt_expect(get(vkx, VK_OBJECT_TYPE_DESCRIPTOR_SET, descriptors, slot) == 0, "set %u is new", i);
      set(vkx, VK_OBJECT_TYPE_SEMAPHORE, semaphore, slot, i + 1);
      set(vkx, VK_OBJECT_TYPE_DESCRIPTOR_SET, descriptors, slot, i + 1);
      vkDestroySemaphore(vkx->device, semaphore, NULL);
      vkx_check(vkResetDescriptorPool(vkx->device, pool, 0), "vkResetDescriptorPool");
   }
   vkDestroyDescriptorSetLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
}

static void
check_private_data(struct vkx *vkx)
{
   private_data.create = VKT_PROC(vkx, vkCreatePrivateDataSlotEXT);
   private_data.destroy = VKT_PROC(vkx, vkDestroyPrivateDataSlotEXT);
   private_data.set = VKT_PROC(vkx, vkSetPrivateDataEXT);
   private_data.get = VKT_PROC(vkx, vkGetPrivateDataEXT);
   VkPrivateDataSlotEXT slot = create_slot(vkx);
   check_object(vkx, VK_OBJECT_TYPE_DEVICE, vkx->device);
   check_object(vkx, VK_OBJECT_TYPE_QUEUE, vkx->queue);
   check_object(vkx, VK_OBJECT_TYPE_COMMAND_POOL, vkx->pool);
   check_object(vkx, VK_OBJECT_TYPE_PRIVATE_DATA_SLOT, slot);
   check_new_objects(vkx, slot);
   private_data.destroy(vkx->device, slot, NULL);
}

/* ---- memory of what is not there ---- */

static bool
equal(const VkMemoryRequirements *a, const VkMemoryRequirements *b)
{
   return a->size == b->size && a->alignment == b->alignment && a->memoryTypeBits == b->memoryTypeBits;
}

static void
check_requirements(struct vkx *vkx)
{
   PFN_vkGetDeviceBufferMemoryRequirementsKHR of_buffer = VKT_PROC(vkx, vkGetDeviceBufferMemoryRequirementsKHR);
   PFN_vkGetDeviceImageMemoryRequirementsKHR of_image = VKT_PROC(vkx, vkGetDeviceImageMemoryRequirementsKHR);
   for (unsigned i = 0; i < 16; i++) {
      const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .size = 1 + vkt_random_below(1u << 20),
                                       .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
      const VkDeviceBufferMemoryRequirements asked = {.sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS,
                                                      .pCreateInfo = &info};
      VkMemoryRequirements2 answer = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
      VkMemoryRequirements needs;
      VkBuffer buffer;
      vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &buffer), "vkCreateBuffer");
      vkGetBufferMemoryRequirements(vkx->device, buffer, &needs);
      of_buffer(vkx->device, &asked, &answer);
      vkt_expect(equal(&needs, &answer.memoryRequirements), "a buffer of %llu bytes", (unsigned long long)info.size);
      vkDestroyBuffer(vkx->device, buffer, NULL);
   }
   for (unsigned i = 0; i < 16; i++) {
      const VkImageCreateInfo info = {
         .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
         .imageType = VK_IMAGE_TYPE_2D,
         .format = VK_FORMAT_R8G8B8A8_UNORM,
         .extent = {1 + vkt_random_below(300), 1 + vkt_random_below(300), 1},
         .mipLevels = 1,
         .arrayLayers = 1 + vkt_random_below(5),
         .samples = VK_SAMPLE_COUNT_1_BIT,
         .tiling = VK_IMAGE_TILING_OPTIMAL,
         .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
      };
      const VkDeviceImageMemoryRequirements asked = {.sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS,
                                                     .pCreateInfo = &info};
      VkMemoryRequirements2 answer = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
      VkMemoryRequirements needs;
      VkImage image;
      vkx_check(vkCreateImage(vkx->device, &info, NULL, &image), "vkCreateImage");
      vkGetImageMemoryRequirements(vkx->device, image, &needs);
      of_image(vkx->device, &asked, &answer);
      vkt_expect(equal(&needs, &answer.memoryRequirements), "an image of %ux%u texels", info.extent.width,
                 info.extent.height);
      vkDestroyImage(vkx->device, image, NULL);
   }
}

/* ---- pipelines ---- */

#define PIPELINES 3

struct pipelines {
   VkComputePipelineCreateInfo infos[PIPELINES];
   VkPipeline pipelines[PIPELINES];
};

static VkResult
create(struct vkx *vkx, struct pipelines *p)
{
   memset(p->pipelines, 0xcc, sizeof(p->pipelines));
   return vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, PIPELINES, p->infos, NULL, p->pipelines);
}

static void
destroy(struct vkx *vkx, struct pipelines *p)
{
   for (unsigned i = 0; i < PIPELINES; i++)
      vkDestroyPipeline(vkx->device, p->pipelines[i], NULL);
}

static void
check_feedback(struct vkx *vkx, struct pipelines *p)
{
   VkPipelineCreationFeedback all, stage;
   memset(&all, 0xcc, sizeof(all));
   memset(&stage, 0xcc, sizeof(stage));
   const VkPipelineCreationFeedbackCreateInfo feedback = {.sType =
                                                             VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
                                                          .pPipelineCreationFeedback = &all,
                                                          .pipelineStageCreationFeedbackCount = 1,
                                                          .pPipelineStageCreationFeedbacks = &stage};
   p->infos[1].pNext = &feedback;
   vkx_check(create(vkx, p), "vkCreateComputePipelines");
   p->infos[1].pNext = NULL;
   destroy(vkx, p);
   vkt_expect(all.flags == VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT && all.duration > 0 &&
                 all.duration < UINT64_C(60000000000),
              "feedback %x, %llu ns", all.flags, (unsigned long long)all.duration);
   vkt_expect(!(stage.flags & ~VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT), "feedback of the stage: %x", stage.flags);
}

/* One of three must not compile. A driver that keeps the code of the others succeeds. */
static void
check_compile_required(struct vkx *vkx, struct pipelines *p)
{
   p->infos[1].flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
   VkResult result = create(vkx, p);
   const bool kept = result == VK_SUCCESS;
   vkt_expect(p->pipelines[0] && p->pipelines[2] &&
                 (kept ? p->pipelines[1] != NULL : result == VK_PIPELINE_COMPILE_REQUIRED && !p->pipelines[1]),
              "compile required: %d", result);
   destroy(vkx, p);
   p->infos[1].flags |= VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
   result = create(vkx, p);
   vkt_expect(p->pipelines[0] &&
                 (kept ? result == VK_SUCCESS
                       : result == VK_PIPELINE_COMPILE_REQUIRED && !p->pipelines[1] && !p->pipelines[2]),
              "early return: %d", result);
   destroy(vkx, p);
   p->infos[1].flags = 0;
}

/* Without protected memory all that can be asked is that a pipeline needs none. */
static void
check_protected(struct vkx *vkx, struct pipelines *p)
{
   p->infos[1].flags = VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT_EXT;
   const VkResult result = create(vkx, p);
   vkt_expect(result == VK_SUCCESS && p->pipelines[1], "no protected access: %d", result);
   destroy(vkx, p);
   p->infos[1].flags = 0;
}

static void
check_pipelines(struct vkx *vkx)
{
   const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                                 NULL};
   const VkDescriptorSetLayoutCreateInfo set_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
   VkDescriptorSetLayout set_layout;
   vkx_check(vkCreateDescriptorSetLayout(vkx->device, &set_info, NULL, &set_layout), "vkCreateDescriptorSetLayout");
   const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
   const VkPipelineLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                   .setLayoutCount = 1,
                                                   .pSetLayouts = &set_layout,
                                                   .pushConstantRangeCount = 1,
                                                   .pPushConstantRanges = &range};
   VkPipelineLayout layout;
   vkx_check(vkCreatePipelineLayout(vkx->device, &layout_info, NULL, &layout), "vkCreatePipelineLayout");
   VkShaderModule module = vkx_shader_create(vkx, compute_code, sizeof(compute_code));
   struct pipelines p;
   for (unsigned i = 0; i < PIPELINES; i++)
      p.infos[i] =
         (VkComputePipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                       .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                 .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                 .module = module,
                                                 .pName = "main"},
                                       .layout = layout};
   if (vkt_has("VK_EXT_pipeline_creation_feedback"))
      check_feedback(vkx, &p);
   else
      vkt_skip("VK_EXT_pipeline_creation_feedback");
   if (vkt_has("VK_EXT_pipeline_creation_cache_control"))
      check_compile_required(vkx, &p);
   else
      vkt_skip("VK_EXT_pipeline_creation_cache_control");
   if (vkt_has("VK_EXT_pipeline_protected_access"))
      check_protected(vkx, &p);
   else
      vkt_skip("VK_EXT_pipeline_protected_access");
   vkDestroyShaderModule(vkx->device, module, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
}

static void
check_tools(struct vkx *vkx)
{
   PFN_vkGetPhysicalDeviceToolPropertiesEXT tools = (PFN_vkGetPhysicalDeviceToolPropertiesEXT)vkGetInstanceProcAddr(
      vkx->instance, "vkGetPhysicalDeviceToolPropertiesEXT");
   VkPhysicalDeviceToolProperties list[8];
   uint32_t count = 99;
   for (unsigned i = 0; i < 8; i++)
      list[i] = (VkPhysicalDeviceToolProperties){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES};
   vkt_expect(tools(vkx->physical, &count, NULL) == VK_SUCCESS && count <= 8, "%u tools", count);
   vkt_expect(tools(vkx->physical, &count, list) == VK_SUCCESS, "tools");
}

/* ---- attachments that nothing is done with keep their contents ---- */

#define SIDE_PX 40

static void
render_nothing(struct vkx *vkx, VkCommandBuffer cmd, VkImageView view, VkAttachmentLoadOp load)
{
   const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                            .imageView = view,
                                            .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .loadOp = load,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_NONE};
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea = {{0, 0}, {SIDE_PX, SIDE_PX}},
                                 .layerCount = 1,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &color};
   VKT_PROC(vkx, vkCmdBeginRenderingKHR)(cmd, &info);
   VKT_PROC(vkx, vkCmdEndRenderingKHR)(cmd);
}

static void
check_ops(struct vkx *vkx)
{
   static const VkAttachmentLoadOp loads[] = {VK_ATTACHMENT_LOAD_OP_NONE_KHR, VK_ATTACHMENT_LOAD_OP_LOAD};
   const VkImageCreateInfo info = {.imageType = VK_IMAGE_TYPE_2D,
                                   .format = VK_FORMAT_R8G8B8A8_UNORM,
                                   .extent = {SIDE_PX, SIDE_PX, 1},
                                   .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                            VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   const VkClearColorValue green = {.float32 = {0, 1, 0, 1}};
   for (unsigned i = 0; i < 2; i++) {
      struct vkt_image image = vkt_image_create(vkx, info, false);
      struct vkx_buffer buffer = vkt_buffer_create(vkx, SIDE_PX * SIDE_PX * 4, 0);
      VkImageView view = vkt_view_create(vkx, &image, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
      VkCommandBuffer cmd = vkx_begin(vkx);
      vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &green, 1, &range);
      vkt_barrier(cmd);
      render_nothing(vkx, cmd, view, loads[i]);
      vkt_barrier(cmd);
      const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = info.extent};
      vkCmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, buffer.buffer, 1, &copy);
      vkt_barrier(cmd);
      vkx_submit_and_wait(vkx, cmd);
      unsigned wrong = 0;
      for (unsigned j = 0; j < SIDE_PX * SIDE_PX; j++)
         wrong += ((const uint32_t *)buffer.map)[j] != 0xff00ff00;
      vkt_expect(!wrong, "load operation %u: %u pixels changed", loads[i], wrong);
      vkDestroyImageView(vkx->device, view, NULL);
      vkx_buffer_destroy(vkx, &buffer);
      vkt_image_destroy(vkx, &image);
   }
}

int
main(void)
{
   struct vkx vkx = vkt_create("objects");
   const struct {
      const char *extension;
      void (*check)(struct vkx *vkx);
   } checks[] = {
      {"VK_EXT_private_data", check_private_data},
      {"VK_KHR_maintenance4", check_requirements},
      {"VK_EXT_tooling_info", check_tools},
      {"VK_EXT_load_store_op_none", vkt_has("VK_KHR_dynamic_rendering") ? check_ops : NULL},
   };
   for (unsigned i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
      if (checks[i].check && vkt_has(checks[i].extension))
         checks[i].check(&vkx);
      else
         vkt_skip(checks[i].extension);
   }
   check_pipelines(&vkx);
   return vkt_finish(&vkx);
}
