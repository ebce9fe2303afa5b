/* Writing and copying descriptors, directly and by template. */
#include "gallium/frontends/vulkan/vk_private.h"

static struct pipe_descriptor_write
buffer_write(enum pipe_descriptor kind, const VkDescriptorBufferInfo *info)
{
   VK_FROM(vk_buffer, buffer, info->buffer);
   if (!buffer)
      return (struct pipe_descriptor_write){.kind = kind};
   return (struct pipe_descriptor_write){
      .kind = kind,
      .buffer = buffer->resource,
      .offset_B = info->offset,
      .size_B = info->range == VK_WHOLE_SIZE ? buffer->size_B - info->offset : info->range,
   };
}

/* data: the VkDescriptor*Info or VkBufferView of one element. */
static void
write_element(struct vk_descriptor_set *set, const struct pipe_set_binding *binding, uint32_t element,
              const void *data)
{
   const struct pipe_screen *screen = set->pool->device->screen;
   struct pipe_descriptor_write write = {.kind = binding->kind};
   switch (binding->kind) {
   case PIPE_DESCRIPTOR_SAMPLER:
   case PIPE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER:
   case PIPE_DESCRIPTOR_SAMPLED_IMAGE:
   case PIPE_DESCRIPTOR_STORAGE_IMAGE:
   case PIPE_DESCRIPTOR_INPUT_ATTACHMENT: {
      const VkDescriptorImageInfo *info = data;
      if (binding->kind != PIPE_DESCRIPTOR_SAMPLER && info->imageView)
         write.view = ((struct vk_image_view *)info->imageView)->view;
      if (binding->immutable_samplers)
         write.sampler = binding->immutable_samplers[element];
      else if (binding->kind <= PIPE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER && info->sampler)
         write.sampler = ((struct vk_sampler *)info->sampler)->sampler;
      break;
   }
   case PIPE_DESCRIPTOR_UNIFORM_TEXEL_BUFFER:
   case PIPE_DESCRIPTOR_STORAGE_TEXEL_BUFFER: {
      VK_FROM(vk_buffer_view, view, *(const VkBufferView *)data);
      if (view) {
         write.buffer = view->buffer->resource;
         write.offset_B = view->offset_B;
         write.size_B = view->size_B;
         write.texel_format = view->format;
      }
      break;
   }
   case PIPE_DESCRIPTOR_UNIFORM_BUFFER:
   case PIPE_DESCRIPTOR_STORAGE_BUFFER:
      write = buffer_write(binding->kind, data);
      break;
   case PIPE_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC:
   case PIPE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC:
      write = buffer_write(binding->kind, data);
      set->dynamic[binding->dynamic_index + element] = (struct pipe_dynamic_buffer){
         .buffer = write.buffer,
         .offset_B = write.offset_B,
         .size_B = write.size_B,
         .storage = binding->kind == PIPE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC,
      };
      return;
   case PIPE_DESCRIPTOR_KINDS:
      return;
   }
   screen->descriptor_write(screen, &write, set->words + binding->offset_B + (size_t)element * binding->stride_B);
}

/* Moves (binding, element) past the end of a binding into the next one that has elements. */
static const struct pipe_set_binding *
next_element(const struct pipe_set_layout *layout, uint32_t *binding, uint32_t *element)
{
   while (*element >= layout->bindings[*binding].count) {
      *element = 0;
      ++*binding;
   }
   return &layout->bindings[*binding];
}

static void
write_elements(struct vk_descriptor_set *set, uint32_t binding, uint32_t element, uint32_t count, const void *data,
               size_t stride_B)
{
   for (uint32_t i = 0; i < count; i++, element++) {
      const struct pipe_set_binding *to = next_element(set->layout->layout, &binding, &element);
      write_element(set, to, element, (const char *)data + i * stride_B);
   }
}

static void
copy_elements(const VkCopyDescriptorSet *copy)
{
   VK_FROM(vk_descriptor_set, src, copy->srcSet);
   VK_FROM(vk_descriptor_set, dst, copy->dstSet);
   uint32_t src_binding = copy->srcBinding, src_element = copy->srcArrayElement;
   uint32_t dst_binding = copy->dstBinding, dst_element = copy->dstArrayElement;
   for (uint32_t i = 0; i < copy->descriptorCount; i++, src_element++, dst_element++) {
      const struct pipe_set_binding *from = next_element(src->layout->layout, &src_binding, &src_element);
      const struct pipe_set_binding *to = next_element(dst->layout->layout, &dst_binding, &dst_element);
      if (to->stride_B)
         memcpy(dst->words + to->offset_B + (size_t)dst_element * to->stride_B,
                src->words + from->offset_B + (size_t)src_element * from->stride_B, to->stride_B);
      else
         dst->dynamic[to->dynamic_index + dst_element] = src->dynamic[from->dynamic_index + src_element];
   }
}

/* Where a write of this type finds its data, and how far apart. */
static const void *
write_data(const VkWriteDescriptorSet *write, size_t *stride_B)
{
   switch ((uint32_t)write->descriptorType) {
   case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
   case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
   case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
   case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
      *stride_B = sizeof(VkDescriptorBufferInfo);
      return write->pBufferInfo;
   case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
   case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      *stride_B = sizeof(VkBufferView);
      return write->pTexelBufferView;
   default:
      *stride_B = sizeof(VkDescriptorImageInfo);
      return write->pImageInfo;
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_UpdateDescriptorSets(VkDevice device, uint32_t descriptorWriteCount,
                            const VkWriteDescriptorSet *pDescriptorWrites, uint32_t descriptorCopyCount,
                            const VkCopyDescriptorSet *pDescriptorCopies)
{
   for (uint32_t i = 0; i < descriptorWriteCount; i++) {
      const VkWriteDescriptorSet *write = &pDescriptorWrites[i];
      size_t stride_B;
      const void *data = write_data(write, &stride_B);
      write_elements((struct vk_descriptor_set *)write->dstSet, write->dstBinding, write->dstArrayElement,
                     write->descriptorCount, data, stride_B);
   }
   for (uint32_t i = 0; i < descriptorCopyCount; i++)
      copy_elements(&pDescriptorCopies[i]);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateDescriptorUpdateTemplate(VkDevice _device, const VkDescriptorUpdateTemplateCreateInfo *pCreateInfo,
                                      const VkAllocationCallbacks *pAllocator,
                                      VkDescriptorUpdateTemplate *pDescriptorUpdateTemplate)
{
   VK_FROM(vk_device, device, _device);
   size_t entries_B = pCreateInfo->descriptorUpdateEntryCount * sizeof(VkDescriptorUpdateTemplateEntry);
   struct vk_update_template *template = vk_alloc(&device->alloc, pAllocator, sizeof(*template) + entries_B);
   if (!template)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   template->count = pCreateInfo->descriptorUpdateEntryCount;
   memcpy(template->entries, pCreateInfo->pDescriptorUpdateEntries, entries_B);
   *pDescriptorUpdateTemplate = VK_TO(VkDescriptorUpdateTemplate, template);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyDescriptorUpdateTemplate(VkDevice _device, VkDescriptorUpdateTemplate descriptorUpdateTemplate,
                                       const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   vk_free(&device->alloc, pAllocator, (void *)descriptorUpdateTemplate);
}

VKAPI_ATTR void VKAPI_CALL
indium_UpdateDescriptorSetWithTemplate(VkDevice device, VkDescriptorSet descriptorSet,
                                       VkDescriptorUpdateTemplate descriptorUpdateTemplate, const void *pData)
{
   VK_FROM(vk_descriptor_set, set, descriptorSet);
   VK_FROM(vk_update_template, template, descriptorUpdateTemplate);
   for (uint32_t i = 0; i < template->count; i++) {
      const VkDescriptorUpdateTemplateEntry *entry = &template->entries[i];
      write_elements(set, entry->dstBinding, entry->dstArrayElement, entry->descriptorCount,
                     (const char *)pData + entry->offset, entry->stride);
   }
}
