/* Descriptor set layouts. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/hash.h"
#include "util/macros.h"

enum pipe_descriptor
vk_descriptor_kind(VkDescriptorType type)
{
   switch ((uint32_t)type) {
   case VK_DESCRIPTOR_TYPE_SAMPLER:
      return PIPE_DESCRIPTOR_SAMPLER;
   case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      return PIPE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER;
   case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
      return PIPE_DESCRIPTOR_SAMPLED_IMAGE;
   case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      return PIPE_DESCRIPTOR_STORAGE_IMAGE;
   case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
      return PIPE_DESCRIPTOR_UNIFORM_TEXEL_BUFFER;
   case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return PIPE_DESCRIPTOR_STORAGE_TEXEL_BUFFER;
   case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
      return PIPE_DESCRIPTOR_UNIFORM_BUFFER;
   case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      return PIPE_DESCRIPTOR_STORAGE_BUFFER;
   case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
      return PIPE_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC;
   case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
      return PIPE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC;
   case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return PIPE_DESCRIPTOR_INPUT_ATTACHMENT;
   case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
      return PIPE_DESCRIPTOR_INLINE_UNIFORM_BLOCK;
   case VK_DESCRIPTOR_TYPE_MUTABLE_EXT:
      return PIPE_DESCRIPTOR_MUTABLE;
   default: /* others: of extensions that are not offered */
      return PIPE_DESCRIPTOR_KINDS;
   }
}

static bool
is_dynamic(enum pipe_descriptor kind)
{
   return kind == PIPE_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC || kind == PIPE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC;
}

static uint32_t
num_immutable(const VkDescriptorSetLayoutBinding *binding)
{
   bool samples = binding->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
                  binding->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   return samples && binding->pImmutableSamplers ? binding->descriptorCount : 0;
}

uint32_t
vk_descriptor_size_B(const struct pipe_caps *caps, VkDescriptorType type,
                     const VkMutableDescriptorTypeCreateInfoEXT *lists, uint32_t index)
{
   const bool has_list = lists && index < lists->mutableDescriptorTypeListCount;
   const enum pipe_descriptor kind = vk_descriptor_kind(type);
   uint32_t size_B = 0;
   if (kind == PIPE_DESCRIPTOR_KINDS)
      return 0;
   if (kind != PIPE_DESCRIPTOR_MUTABLE)
      return caps->descriptor_size_B[kind];
   for (uint32_t i = 0; has_list && i < lists->pMutableDescriptorTypeLists[index].descriptorTypeCount; i++)
      size_B = MAX2(
         size_B, vk_descriptor_size_B(caps, lists->pMutableDescriptorTypeLists[index].pDescriptorTypes[i], NULL, 0));
   for (uint32_t i = 0; !size_B && i < PIPE_DESCRIPTOR_KINDS; i++)
      size_B = MAX2(size_B, caps->descriptor_size_B[i]);
   return size_B;
}

/* Descriptors of an element: planes of images that its samplers convert. *converts: some do. */
static uint32_t
num_planes(const VkDescriptorSetLayoutBinding *binding, bool *converts)
{
   const bool combined = binding->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   uint32_t planes = 0;
   for (uint32_t i = 0; combined && i < num_immutable(binding); i++)
      planes = MAX2(planes, ((const struct vk_sampler *)binding->pImmutableSamplers[i])->conversion.planes);
   *converts = planes;
   return MAX2(planes, 1u);
}

/* Gives each binding its place, in binding order. */
static void
place_bindings(const struct pipe_caps *caps, struct pipe_set_layout *layout)
{
   uint64_t offset_B = 0;
   for (uint32_t i = 0; i < layout->num_bindings; i++) {
      struct pipe_set_binding *binding = &layout->bindings[i];
      if (is_dynamic(binding->kind)) {
         binding->dynamic_index = layout->num_dynamic;
         layout->num_dynamic += binding->count;
         continue;
      }
      binding->offset_B = (uint32_t)offset_B;
      offset_B = align_up(offset_B + (uint64_t)binding->stride_B * binding->count, VK_DESCRIPTOR_ALIGNMENT_B);
   }
   layout->size_B = (uint32_t)align_up(offset_B, caps->descriptor_alignment_B);
}

/* Once 0 it stays. */
static void
add_hash(struct vk_set_layout *set, uint32_t binding, uint64_t hash)
{
   const uint64_t all[3] = {set->samplers_hash, binding, hash};
   set->samplers_hash = set->samplers_hash && hash ? hash_bytes(all, sizeof(all)) | 1 : 0;
}

/* The descriptors of each sampler are one after another; the first is plane 0's. */
static void
fill_samplers(struct vk_set_layout *set, const VkDescriptorSetLayoutBinding *from, struct pipe_sampler **samplers,
              struct nir_ycbcr *converting)
{
   bool converts;
   const uint32_t planes = num_planes(from, &converts), count = num_immutable(from);
   for (uint32_t i = 0; i < count * planes; i++) {
      VK_FROM(vk_sampler, sampler, from->pImmutableSamplers[i / planes]);
      samplers[i] = i % planes && sampler->chroma ? sampler->chroma : sampler->sampler;
      add_hash(set, from->binding, sampler->hash);
   }
   if (!converts)
      return;
   for (uint32_t i = 0; i < count; i++)
      converting[i] = ((const struct vk_sampler *)from->pImmutableSamplers[i])->conversion;
   set->conversions[set->num_conversions++] =
      (struct nir_ycbcr_binding){.binding = from->binding, .planes = planes, .count = count, .elements = converting};
}

static void
fill_bindings(const struct pipe_caps *caps, struct vk_set_layout *set, const VkDescriptorSetLayoutCreateInfo *info)
{
   const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
   const VkMutableDescriptorTypeCreateInfoEXT *lists =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
   struct pipe_sampler **sampler = set->samplers;
   set->samplers_hash = 1;
   struct nir_ycbcr *converting = set->converting;
   bool converts;
   for (uint32_t i = 0; i < info->bindingCount; i++) {
      const VkDescriptorSetLayoutBinding *from = &info->pBindings[i];
      struct pipe_set_binding *binding = &set->layout.bindings[from->binding];
      binding->kind = vk_descriptor_kind(from->descriptorType);
      binding->stride_B = vk_descriptor_size_B(caps, from->descriptorType, lists, i);
      binding->planes = num_planes(from, &converts);
      binding->count = from->descriptorCount * binding->planes;
      binding->variable_count = flags && flags->bindingCount &&
                                flags->pBindingFlags[i] & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
      uint32_t immutable = num_immutable(from);
      binding->immutable_samplers = immutable ? sampler : NULL;
      fill_samplers(set, from, sampler, converting);
      sampler += immutable * binding->planes;
      converting += converts ? immutable : 0;
   }
}

/* What a layout is made of. */
struct counts {
   uint32_t bindings, samplers, conversions, converting;
};

static void
count_binding(struct counts *counts, const VkDescriptorSetLayoutBinding *binding)
{
   bool converts;
   counts->bindings = MAX2(counts->bindings, binding->binding + 1);
   counts->samplers += num_immutable(binding) * num_planes(binding, &converts);
   counts->conversions += converts;
   counts->converting += converts ? num_immutable(binding) : 0;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateDescriptorSetLayout(VkDevice _device, const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkDescriptorSetLayout *pSetLayout)
{
   VK_FROM(vk_device, device, _device);
   struct counts counts = {0};
   for (uint32_t i = 0; i < pCreateInfo->bindingCount; i++) {
      count_binding(&counts, &pCreateInfo->pBindings[i]);
      if (vk_descriptor_kind(pCreateInfo->pBindings[i].descriptorType) == PIPE_DESCRIPTOR_KINDS)
         return VK_ERROR_FEATURE_NOT_PRESENT;
   }
   const size_t bindings_B = counts.bindings * sizeof(struct pipe_set_binding);
   const size_t samplers_B = counts.samplers * sizeof(struct pipe_sampler *);
   const size_t conversions_B = counts.conversions * sizeof(struct nir_ycbcr_binding);
   struct vk_set_layout *set =
      vk_alloc(&device->alloc, pAllocator,
               sizeof(*set) + bindings_B + samplers_B + conversions_B + counts.converting * sizeof(struct nir_ycbcr));
   if (!set)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   set->references = 1;
   set->has_allocator = pAllocator;
   if (pAllocator)
      set->allocator_copy = *pAllocator;
   set->num_samplers = counts.samplers;
   set->samplers = (struct pipe_sampler **)((char *)set->layout.bindings + bindings_B);
   set->conversions = (struct nir_ycbcr_binding *)((char *)set->samplers + samplers_B);
   set->converting = (struct nir_ycbcr *)((char *)set->conversions + conversions_B);
   set->layout.num_bindings = counts.bindings;
   fill_bindings(&device->screen->caps, set, pCreateInfo);
   place_bindings(&device->screen->caps, &set->layout);
   *pSetLayout = VK_TO(VkDescriptorSetLayout, set);
   return VK_SUCCESS;
}

void
vk_set_layout_unref(struct vk_device *device, struct vk_set_layout *layout, uint32_t references)
{
   if (layout && __atomic_sub_fetch(&layout->references, references, __ATOMIC_ACQ_REL) == 0) {
      VkAllocationCallbacks allocator = layout->allocator_copy;
      vk_free(&device->alloc, layout->has_allocator ? &allocator : NULL, layout);
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyDescriptorSetLayout(VkDevice _device, VkDescriptorSetLayout descriptorSetLayout,
                                  const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   vk_set_layout_unref(device, (struct vk_set_layout *)descriptorSetLayout, 1);
}

/* Mutable descriptors are of no kind that has no words, whose words are bytes, or that is mutable itself. */
static bool
can_be_bound(const VkDescriptorSetLayoutBinding *binding, const VkMutableDescriptorTypeCreateInfoEXT *lists,
             uint32_t index)
{
   const enum pipe_descriptor kind = vk_descriptor_kind(binding->descriptorType);
   if (kind != PIPE_DESCRIPTOR_MUTABLE)
      return kind != PIPE_DESCRIPTOR_KINDS;
   if (!lists || index >= lists->mutableDescriptorTypeListCount)
      return false;
   const VkMutableDescriptorTypeListEXT *list = &lists->pMutableDescriptorTypeLists[index];
   for (uint32_t i = 0; i < list->descriptorTypeCount; i++) {
      const enum pipe_descriptor of = vk_descriptor_kind(list->pDescriptorTypes[i]);
      if (is_dynamic(of) || of == PIPE_DESCRIPTOR_INLINE_UNIFORM_BLOCK || of >= PIPE_DESCRIPTOR_MUTABLE)
         return false;
   }
   return true;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetDescriptorSetLayoutSupport(VkDevice _device, const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
                                     VkDescriptorSetLayoutSupport *pSupport)
{
   VK_FROM(vk_device, device, _device);
   VkDescriptorSetVariableDescriptorCountLayoutSupport *variable = (void *)vk_find_struct(
      pSupport->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT);
   const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags =
      vk_find_struct(pCreateInfo->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
   const VkMutableDescriptorTypeCreateInfoEXT *lists =
      vk_find_struct(pCreateInfo->pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
   uint64_t total_B = 0;
   bool converts;
   pSupport->supported = VK_TRUE;
   if (variable)
      variable->maxVariableDescriptorCount = 0;
   for (uint32_t i = 0; i < pCreateInfo->bindingCount; i++) {
      const VkDescriptorSetLayoutBinding *binding = &pCreateInfo->pBindings[i];
      const bool is_variable = flags && flags->bindingCount &&
                               flags->pBindingFlags[i] & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
      if (!can_be_bound(binding, lists, i))
         pSupport->supported = VK_FALSE;
      if (variable && is_variable)
         variable->maxVariableDescriptorCount = binding->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK
                                                   ? VK_MAX_INLINE_BLOCK_B
                                                   : VK_MAX_DESCRIPTORS;
      total_B += align_up((uint64_t)binding->descriptorCount * num_planes(binding, &converts) *
                             vk_descriptor_size_B(&device->screen->caps, binding->descriptorType, lists, i),
                          VK_DESCRIPTOR_ALIGNMENT_B);
   }
   if (total_B > VK_MAX_SET_B)
      pSupport->supported = VK_FALSE;
}
