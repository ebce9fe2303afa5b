/* Writing and copying descriptors, directly and by template. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/macros.h"

/* Elements of one binding. By value where a function is not inlined: loops then keep it in registers. */
struct run {
   const struct pipe_screen *screen;
   const struct vk_descriptor_set *set;
   const struct pipe_set_binding *binding;
   uint32_t first, count;
   VkDescriptorType type; /* of what is written: mutable bindings hold several */
};

/* Where the VkDescriptor*Info or VkBufferViews are: in the array of a write that the kind of descriptor chooses, or
 * wherever a template says. */
struct source {
   const VkWriteDescriptorSet *write;
   const char *data; /* of a template */
   size_t stride_B;
};

/* One element: the i-th of the run. */
typedef void (*write_element)(const struct run *run, uint32_t i, const void *data, void *words);

/* The loop is written out for every kind of descriptor: its writer is inlined. `array` is that of a write. */
static inline __attribute__((always_inline)) void
write_each(const struct run *run, const struct source *from, uint32_t done, write_element write, const void *array,
           size_t stride_B)
{
   const char *data = from->write ? array : from->data;
   const size_t element_B = run->binding->stride_B; /* read once: writers are called, and may change memory */
   uint8_t *words = run->set->words + run->binding->offset_B + run->first * element_B;
   stride_B = from->write ? stride_B : from->stride_B;
   data += done * stride_B;
   for (uint32_t i = 0, count = run->count; i < count; i++) {
      write(run, i, data, words);
      data += stride_B;
      words += element_B;
   }
}

static uint64_t
range_B(const VkDescriptorBufferInfo *info, const struct vk_buffer *buffer)
{
   return info->range == VK_WHOLE_SIZE ? buffer->size_B - info->offset : info->range;
}

static inline void
write_buffer(const struct run *run, uint32_t i, const void *data, void *words)
{
   const VkDescriptorBufferInfo *info = data;
   VK_FROM(vk_buffer, buffer, info->buffer);
   if (buffer)
      run->screen->descriptor_write_buffer(run->screen, buffer->resource, info->offset, range_B(info, buffer), words);
   else
      run->screen->descriptor_write_buffer(run->screen, NULL, 0, 0, words);
}

static inline void
write_dynamic(const struct run *run, uint32_t i, const void *data, void *words)
{
   const VkDescriptorBufferInfo *info = data;
   VK_FROM(vk_buffer, buffer, info->buffer);
   struct pipe_dynamic_buffer *to = &run->set->dynamic[run->binding->dynamic_index + run->first + i];
   to->buffer = buffer ? buffer->resource : NULL;
   to->offset_B = info->offset;
   to->size_B = buffer ? range_B(info, buffer) : 0;
   to->storage = run->binding->kind == PIPE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC;
}

static inline void
write_texel_buffer(const struct run *run, uint32_t i, const void *data, void *words)
{
   VK_FROM(vk_buffer_view, view, *(const VkBufferView *)data);
   run->screen->descriptor_write_texel_buffer(run->screen, view ? view->view : NULL, words);
}

static struct pipe_image_view *
image_view(const VkDescriptorImageInfo *info)
{
   VK_FROM(vk_image_view, view, info->imageView);
   return view ? view->planes[0] : NULL;
}

static inline void
write_sampled_image(const struct run *run, uint32_t i, const void *data, void *words)
{
   run->screen->descriptor_write_image(run->screen, image_view(data), false, words);
}

static inline void
write_storage_image(const struct run *run, uint32_t i, const void *data, void *words)
{
   run->screen->descriptor_write_image(run->screen, image_view(data), true, words);
}

static struct pipe_sampler *
sampler(const struct run *run, uint32_t i, const VkDescriptorImageInfo *info)
{
   VK_FROM(vk_sampler, sampler, info->sampler);
   if (run->binding->immutable_samplers)
      return run->binding->immutable_samplers[run->first + i];
   return sampler ? sampler->sampler : NULL;
}

static inline void
write_sampler(const struct run *run, uint32_t i, const void *data, void *words)
{
   run->screen->descriptor_write_sampler(sampler(run, i, data), words);
}

static inline void
write_image_sampler(const struct run *run, uint32_t i, const void *data, void *words)
{
   run->screen->descriptor_write_image_sampler(run->screen, image_view(data), sampler(run, i, data), words);
}

/* Elements of several descriptors, one for each plane. */
static void
write_planes(struct run run, struct source from, uint32_t done)
{
   const struct pipe_set_binding *binding = run.binding;
   const size_t stride_B = from.write ? sizeof(VkDescriptorImageInfo) : from.stride_B;
   const char *data = (from.write ? (const char *)from.write->pImageInfo : from.data) + done * stride_B;
   for (uint32_t i = 0; i < run.count * binding->planes; i++) {
      const uint32_t at = run.first * binding->planes + i, plane = i % binding->planes;
      const VkDescriptorImageInfo *info = (const void *)(data + i / binding->planes * stride_B);
      VK_FROM(vk_image_view, view, info->imageView);
      run.screen->descriptor_write_image_sampler(
         run.screen, view ? view->planes[plane < view->num_planes ? plane : 0] : NULL,
         binding->immutable_samplers[at], run.set->words + binding->offset_B + (size_t)at * binding->stride_B);
   }
}

/* Elements are bytes. */
static void
write_inline(struct run run, struct source from, uint32_t done)
{
   const VkWriteDescriptorSetInlineUniformBlock *block =
      from.write ? vk_find_struct(from.write->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK)
                 : NULL;
   const char *data = from.write ? block->pData : from.data;
   memcpy(run.set->words + run.binding->offset_B + run.first, data + done, run.count);
}

/* done: elements of the source that other runs took. */
static inline __attribute__((always_inline)) void
write_run(const struct run *run, const struct source *from, uint32_t done)
{
#define EACH(writer, array)                                                                                          \
   write_each(run, from, done, writer, from->write ? from->write->array : NULL, sizeof(*from->write->array))
   const bool is_mutable = run->binding->kind == PIPE_DESCRIPTOR_MUTABLE;
   switch (is_mutable ? vk_descriptor_kind(run->type) : run->binding->kind) {
   case PIPE_DESCRIPTOR_SAMPLER:
      EACH(write_sampler, pImageInfo);
      return;
   case PIPE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER:
      if (run->binding->planes > 1)
         write_planes(*run, *from, done);
      else
         EACH(write_image_sampler, pImageInfo);
      return;
   case PIPE_DESCRIPTOR_SAMPLED_IMAGE:
   case PIPE_DESCRIPTOR_INPUT_ATTACHMENT:
      EACH(write_sampled_image, pImageInfo);
      return;
   case PIPE_DESCRIPTOR_STORAGE_IMAGE:
      EACH(write_storage_image, pImageInfo);
      return;
   case PIPE_DESCRIPTOR_UNIFORM_TEXEL_BUFFER:
   case PIPE_DESCRIPTOR_STORAGE_TEXEL_BUFFER:
      EACH(write_texel_buffer, pTexelBufferView);
      return;
   case PIPE_DESCRIPTOR_UNIFORM_BUFFER:
   case PIPE_DESCRIPTOR_STORAGE_BUFFER:
      EACH(write_buffer, pBufferInfo);
      return;
   case PIPE_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC:
   case PIPE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC:
      EACH(write_dynamic, pBufferInfo);
      return;
   case PIPE_DESCRIPTOR_INLINE_UNIFORM_BLOCK:
      write_inline(*run, *from, done);
      return;
   case PIPE_DESCRIPTOR_MUTABLE:
   case PIPE_DESCRIPTOR_KINDS:
      return;
   }
#undef EACH
}

/* Of the API. */
static uint32_t
elements(const struct pipe_set_binding *binding)
{
   return binding->planes > 1 ? binding->count / binding->planes : binding->count;
}

/* Moves (binding, element) past the end of a binding into the next one that has elements. */
static const struct pipe_set_binding *
next_element(const struct pipe_set_layout *layout, uint32_t *binding, uint32_t *element)
{
   while (*element >= elements(&layout->bindings[*binding])) {
      *element = 0;
      ++*binding;
   }
   return &layout->bindings[*binding];
}

static void
write_elements(struct run run, uint32_t binding, struct source from)
{
   const struct pipe_set_layout *layout = &run.set->layout->layout;
   uint32_t element = run.first, count = run.count;
   for (uint32_t done = 0; done < count; done += run.count, element += run.count) {
      run.binding = next_element(layout, &binding, &element);
      run.first = element;
      run.count = MIN2(count - done, elements(run.binding) - element);
      write_run(&run, &from, done);
   }
}

/* More elements than the binding has: the next bindings take the rest. */
static __attribute__((noinline)) void
write_several_bindings(const struct pipe_screen *screen, const struct vk_descriptor_set *set,
                       const VkWriteDescriptorSet *write)
{
   write_elements(
      (struct run){screen, set, NULL, write->dstArrayElement, write->descriptorCount, write->descriptorType},
      write->dstBinding, (struct source){.write = write});
}

static inline __attribute__((always_inline)) void
write_descriptors(const struct pipe_screen *screen, const struct vk_descriptor_set *set,
                  const VkWriteDescriptorSet *write)
{
   const struct pipe_set_binding *binding = &set->layout->layout.bindings[write->dstBinding];
   const struct source from = {.write = write};
   const struct run run = {
      screen, set, binding, write->dstArrayElement, write->descriptorCount, write->descriptorType};
   if (run.first + run.count <= elements(binding))
      write_run(&run, &from, 0);
   else
      write_several_bindings(screen, set, write);
}

void
vk_write_descriptors(const struct pipe_screen *screen, const struct vk_descriptor_set *set,
                     const VkWriteDescriptorSet *write)
{
   write_descriptors(screen, set, write);
}

void
vk_write_by_template(const struct pipe_screen *screen, const struct vk_descriptor_set *set,
                     const struct vk_update_template *template, const void *data)
{
   for (uint32_t i = 0; i < template->count; i++) {
      const VkDescriptorUpdateTemplateEntry *entry = &template->entries[i];
      const struct source from = {.data = (const char *)data + entry->offset, .stride_B = entry->stride};
      const struct run run = {
         screen, set, NULL, entry->dstArrayElement, entry->descriptorCount, entry->descriptorType};
      write_elements(run, entry->dstBinding, from);
   }
}

void
vk_write_immutable_samplers(const struct pipe_screen *screen, const struct vk_descriptor_set *set)
{
   const uint32_t *size_B = screen->caps.descriptor_size_B;
   const struct pipe_set_layout *layout = &set->layout->layout;
   for (uint32_t i = 0; i < layout->num_bindings; i++) {
      const struct pipe_set_binding *binding = &layout->bindings[i];
      if (!binding->immutable_samplers)
         continue;
      uint8_t *words = set->words + binding->offset_B + size_B[binding->kind] - size_B[PIPE_DESCRIPTOR_SAMPLER];
      const uint64_t room =
         binding->variable_count ? (set->size_B - binding->offset_B) / binding->stride_B : binding->count;
      for (uint32_t j = 0; j < MIN2(binding->count, room); j++)
         screen->descriptor_write_sampler(binding->immutable_samplers[j], words + (size_t)j * binding->stride_B);
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
      const struct pipe_set_binding *from = next_element(&src->layout->layout, &src_binding, &src_element);
      const struct pipe_set_binding *to = next_element(&dst->layout->layout, &dst_binding, &dst_element);
      const size_t to_B = to->stride_B * to->planes, from_B = from->stride_B * from->planes;
      if (to->stride_B)
         memcpy(dst->words + to->offset_B + dst_element * to_B, src->words + from->offset_B + src_element * from_B,
                MIN2(to_B, from_B));
      else
         dst->dynamic[to->dynamic_index + dst_element] = src->dynamic[from->dynamic_index + src_element];
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_UpdateDescriptorSets(VkDevice _device, uint32_t descriptorWriteCount,
                            const VkWriteDescriptorSet *pDescriptorWrites, uint32_t descriptorCopyCount,
                            const VkCopyDescriptorSet *pDescriptorCopies)
{
   VK_FROM(vk_device, device, _device);
   for (uint32_t i = 0; i < descriptorWriteCount; i++) {
      VK_FROM(vk_descriptor_set, set, pDescriptorWrites[i].dstSet);
      write_descriptors(device->screen, set, &pDescriptorWrites[i]); /* inlined: most writes are of one element */
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
   template->point = pCreateInfo->pipelineBindPoint;
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
indium_UpdateDescriptorSetWithTemplate(VkDevice _device, VkDescriptorSet descriptorSet,
                                       VkDescriptorUpdateTemplate descriptorUpdateTemplate, const void *pData)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_descriptor_set, set, descriptorSet);
   VK_FROM(vk_update_template, template, descriptorUpdateTemplate);
   vk_write_by_template(device->screen, set, template, pData);
}
