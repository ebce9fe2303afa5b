#include "random_set.h"

bool
random_has_descriptor_buffers(struct vkx *vkx)
{
   return vkt_is_indium(vkx) && vkt_has("VK_EXT_descriptor_buffer");
}

void
random_set_create(struct vkx *vkx, struct random_set *set)
{
   const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1,
                                                 VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
   const VkDescriptorSetLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .flags = set->in_buffer ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0,
      .bindingCount = 1,
      .pBindings = &binding};
   vkx_check(vkCreateDescriptorSetLayout(vkx->device, &info, NULL, &set->layout), "vkCreateDescriptorSetLayout");
}

static uint32_t
visible_type(const struct vkx *vkx, uint32_t types)
{
   const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
   uint32_t type = 0;
   while (!(types >> type & 1) || (vkx->memory.memoryTypes[type].propertyFlags & wanted) != wanted)
      type++;
   return type;
}

/* For descriptors of resources. */
static struct vkx_buffer
create_buffer(struct vkx *vkx, VkDeviceSize size_B)
{
   struct vkx_buffer buffer = {.size = size_B};
   VkMemoryRequirements needs;
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                    .size = size_B,
                                    .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                             VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
   vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &buffer.buffer), "vkCreateBuffer");
   vkGetBufferMemoryRequirements(vkx->device, buffer.buffer, &needs);
   const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                            .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                          .pNext = &flags,
                                          .allocationSize = needs.size,
                                          .memoryTypeIndex = visible_type(vkx, needs.memoryTypeBits)};
   vkx_check(vkAllocateMemory(vkx->device, &allocate, NULL, &buffer.memory), "vkAllocateMemory");
   vkx_check(vkBindBufferMemory(vkx->device, buffer.buffer, buffer.memory, 0), "vkBindBufferMemory");
   vkx_check(vkMapMemory(vkx->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.map), "vkMapMemory");
   return buffer;
}

static void
fill_buffer(struct vkx *vkx, struct random_set *set, VkImageView view)
{
   VkPhysicalDeviceDescriptorBufferPropertiesEXT has = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &has};
   const VkDescriptorImageInfo image = {.imageView = view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
   const VkDescriptorGetInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
                                        .type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                                        .data = {.pInputAttachmentImage = &image}};
   VkDeviceSize size_B, offset_B;
   vkGetPhysicalDeviceProperties2(vkx->physical, &properties);
   VKT_PROC(vkx, vkGetDescriptorSetLayoutSizeEXT)(vkx->device, set->layout, &size_B);
   VKT_PROC(vkx, vkGetDescriptorSetLayoutBindingOffsetEXT)(vkx->device, set->layout, 0, &offset_B);
   set->buffer = create_buffer(vkx, size_B);
   VKT_PROC(vkx, vkGetDescriptorEXT)
   (vkx->device, &info, has.inputAttachmentDescriptorSize, (char *)set->buffer.map + offset_B);
}

void
random_set_bind(struct vkx *vkx, VkCommandBuffer cmd, struct random_set *set, VkPipelineLayout layout,
                VkImageView view)
{
   const uint32_t index = 0;
   const VkDeviceSize offset_B = 0;
   if (!set->in_buffer) {
      const struct vkt_descriptor input = {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, .view = view};
      VkDescriptorSet bound = vkt_bindings_create(vkx, &set->pool, set->layout, 1, &input);
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &bound, 0, NULL);
      return;
   }
   fill_buffer(vkx, set, view);
   const VkDescriptorBufferBindingInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
                                                  .address = vkt_address(vkx, &set->buffer),
                                                  .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT};
   VKT_PROC(vkx, vkCmdBindDescriptorBuffersEXT)(cmd, 1, &info);
   VKT_PROC(vkx, vkCmdSetDescriptorBufferOffsetsEXT)
   (cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &index, &offset_B);
}

void
random_set_destroy(struct vkx *vkx, struct random_set *set)
{
   vkDestroyDescriptorPool(vkx->device, set->pool, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set->layout, NULL);
   if (set->buffer.buffer)
      vkx_buffer_destroy(vkx, &set->buffer);
}
