/* Descriptor pools: one buffer per pool; a set is a range of it. */

#include "gallium/frontends/vulkan/vk_private.h"
#include "util/log.h"
#include "util/macros.h"

static enum pipe_result
create_buffer(struct vk_descriptor_pool *pool)
{
   struct pipe_screen *screen = pool->device->screen;
   uint64_t size_B = MAX2(pool->size_B, 64);
   enum pipe_result result = screen->buffer_create(screen, size_B, &pool->buffer);
   if (result != PIPE_OK)
      return result;
   struct pipe_memory_requirements needs = screen->resource_requirements(pool->buffer);
   result = screen->memory_create(screen, PIPE_MEMORY_TYPE_DESCRIPTORS, needs.size_B, -1, &pool->memory);
   if (result != PIPE_OK)
      return result;
   screen->resource_bind(pool->buffer, pool->memory, 0);
   pool->map = screen->memory_map(screen, pool->memory);
   return pool->map ? PIPE_OK : PIPE_OUT_OF_DEVICE_MEMORY;
}

static void
destroy_buffer(struct vk_descriptor_pool *pool)
{
   struct pipe_screen *screen = pool->device->screen;
   if (pool->buffer)
      screen->resource_destroy(screen, pool->buffer);
   if (pool->memory)
      screen->memory_destroy(screen, pool->memory);
}

/* An upper bound of the bytes that sets of these sizes take: each set is rounded up, and each inline block. */
static uint64_t
pool_size_B(const struct pipe_caps *caps, const VkDescriptorPoolCreateInfo *info)
{
   const VkDescriptorPoolInlineUniformBlockCreateInfo *blocks =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO);
   const VkMutableDescriptorTypeCreateInfoEXT *lists =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
   uint64_t size_B = blocks ? (uint64_t)blocks->maxInlineUniformBlockBindings * VK_DESCRIPTOR_ALIGNMENT_B : 0;
   uint32_t largest_B = 0;
   for (unsigned i = 0; i < PIPE_DESCRIPTOR_KINDS; i++)
      largest_B = MAX2(largest_B, caps->descriptor_size_B[i]);
   for (uint32_t i = 0; i < info->poolSizeCount; i++) {
      uint32_t each_B = vk_descriptor_size_B(caps, info->pPoolSizes[i].type, lists, i);
      if (each_B > 1) /* no bytes of an inline block: another kind may take the place of this one */
         each_B = largest_B;
      size_B += (uint64_t)each_B * info->pPoolSizes[i].descriptorCount;
   }
   return size_B + (uint64_t)info->maxSets * caps->descriptor_alignment_B;
}

/* ---- the places of sets ---- */

static uint64_t
end_B(const struct vk_descriptor_pool *pool, uint32_t slot)
{
   return slot == pool->max_sets ? 0 : pool->sets[slot].set.offset_B + pool->sets[slot].size_B;
}

/* Between the set and the one before. */
static uint64_t
gap_B(const struct vk_descriptor_pool *pool, uint32_t slot)
{
   return pool->sets[slot].set.offset_B - end_B(pool, pool->sets[slot].before);
}

static void
note_gap(struct vk_descriptor_pool *pool, uint32_t slot, uint64_t size_B)
{
   if (pool->individual_free)
      max_tree_set(&pool->gaps, slot, size_B);
}

static void
forget_places(struct vk_descriptor_pool *pool)
{
   const uint32_t end = pool->max_sets;
   note_gap(pool, end, 0);
   if (pool->individual_free)
      max_tree_clear(&pool->gaps, pool->num_touched);
   pool->sets[end].set.offset_B = pool->size_B;
   pool->sets[end].before = pool->sets[end].after = end;
   note_gap(pool, end, pool->size_B);
   pool->used_B = 0;
   pool->num_used = pool->num_touched = 0;
   pool->first_free = UINT32_MAX;
}

/* The slot before whose set there are so many bytes. Without frees they are at the end. */
static bool
find_gap(const struct vk_descriptor_pool *pool, uint64_t size_B, uint32_t *slot)
{
   *slot = pool->max_sets;
   if (!pool->individual_free || !size_B)
      return gap_B(pool, *slot) >= size_B;
   *slot = max_tree_find(&pool->gaps, size_B);
   return *slot != MAX_TREE_NONE;
}

/* A free slot becomes a set at the begin of the gap before `after`. Sets without bytes have no place among the
 * others.
 */
static struct vk_descriptor_set *
add_place(struct vk_descriptor_pool *pool, uint32_t after, uint64_t size_B)
{
   const uint32_t slot = pool->first_free == UINT32_MAX ? pool->num_touched++ : pool->first_free;
   const uint32_t before = pool->sets[after].before;
   struct vk_descriptor_set *set = &pool->sets[slot];
   if (slot == pool->first_free)
      pool->first_free = set->after;
   set->set = (struct pipe_descriptor_set){.buffer = pool->buffer, .offset_B = size_B ? end_B(pool, before) : 0};
   set->size_B = size_B;
   pool->num_used++;
   pool->used_B += size_B;
   if (!size_B)
      return set;
   set->before = before;
   set->after = after;
   pool->sets[before].after = pool->sets[after].before = slot;
   note_gap(pool, after, gap_B(pool, after));
   return set;
}

static void
remove_place(struct vk_descriptor_pool *pool, struct vk_descriptor_set *set)
{
   const uint32_t slot = (uint32_t)(set - pool->sets);
   if (set->size_B) {
      pool->sets[set->before].after = set->after;
      pool->sets[set->after].before = set->before;
      note_gap(pool, slot, 0);
      note_gap(pool, set->after, gap_B(pool, set->after));
   }
   set->after = pool->first_free;
   pool->first_free = slot;
   pool->num_used--;
   pool->used_B -= set->size_B;
}

/* ---- pools ---- */

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateDescriptorPool(VkDevice _device, const VkDescriptorPoolCreateInfo *pCreateInfo,
                            const VkAllocationCallbacks *pAllocator, VkDescriptorPool *pDescriptorPool)
{
   VK_FROM(vk_device, device, _device);
   const bool frees = pCreateInfo->flags & VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
   if (pCreateInfo->maxSets >= INT32_MAX)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const uint32_t slots = pCreateInfo->maxSets + 1;
   const size_t sets_B = slots * sizeof(struct vk_descriptor_set);
   const size_t gaps_B = frees ? max_tree_nodes(slots) * sizeof(uint64_t) : 0;
   struct vk_descriptor_pool *pool = vk_alloc(&device->alloc, pAllocator, sizeof(*pool) + sets_B + gaps_B);
   if (!pool)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pool->device = device;
   pool->individual_free = frees;
   pool->max_sets = pCreateInfo->maxSets;
   pool->fill = debug_named("poison", NULL, "descriptors") ? 0xff : 0;
   pool->sets = (struct vk_descriptor_set *)(pool + 1);
   pool->gaps = max_tree((uint64_t *)(pool->sets + slots), slots);
   pool->size_B = pool_size_B(&device->screen->caps, pCreateInfo);
   forget_places(pool);
   enum pipe_result result = create_buffer(pool);
   if (result != PIPE_OK) {
      destroy_buffer(pool);
      vk_free(&device->alloc, pAllocator, pool);
      return vk_result(result);
   }
   *pDescriptorPool = VK_TO(VkDescriptorPool, pool);
   return VK_SUCCESS;
}

/* Of one set. */
static void
free_memory(struct vk_descriptor_set *set)
{
   vk_free(&set->pool->device->alloc, NULL, set->dynamic);
   vk_private_values_free(&set->private_values);
   set->dynamic = NULL;
}

/* All but the reference to the layout. */
static void
free_set(struct vk_descriptor_set *set)
{
   if ((uintptr_t)set->dynamic | (uintptr_t)set->private_values) /* one branch: pools have many sets */
      free_memory(set);
   set->layout = NULL;
}

static void
free_all_sets(struct vk_descriptor_pool *pool)
{
   struct vk_set_layout *layout = NULL;
   uint32_t references = 0; /* given back together: neighbours mostly have one layout */
   for (uint32_t i = 0; i < pool->num_touched; i++) {
      struct vk_descriptor_set *set = &pool->sets[i];
      if (!set->layout)
         continue;
      if (set->layout != layout) {
         vk_set_layout_unref(pool->device, layout, references);
         layout = set->layout;
         references = 0;
      }
      references++;
      free_set(set);
   }
   vk_set_layout_unref(pool->device, layout, references);
   forget_places(pool);
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyDescriptorPool(VkDevice _device, VkDescriptorPool descriptorPool,
                             const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_descriptor_pool, pool, descriptorPool);
   if (!pool)
      return;
   free_all_sets(pool);
   destroy_buffer(pool);
   vk_free(&device->alloc, pAllocator, pool);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_ResetDescriptorPool(VkDevice _device, VkDescriptorPool descriptorPool, VkDescriptorPoolResetFlags flags)
{
   VK_FROM(vk_descriptor_pool, pool, descriptorPool);
   free_all_sets(pool);
   return VK_SUCCESS;
}

/* Of a set of the layout, with so many elements in a last binding of variable count. */
static uint64_t
set_size_B(const struct pipe_caps *caps, const struct pipe_set_layout *layout, uint32_t variable_count)
{
   const struct pipe_set_binding *last = layout->num_bindings ? &layout->bindings[layout->num_bindings - 1] : NULL;
   if (!last || !last->variable_count)
      return layout->size_B;
   return align_up(last->offset_B + (uint64_t)variable_count * last->planes * last->stride_B,
                   caps->descriptor_alignment_B);
}

static VkResult
allocate_set(struct vk_descriptor_pool *pool, struct vk_set_layout *layout, uint32_t variable_count,
             VkDescriptorSet *handle)
{
   uint32_t after;
   uint64_t size_B = set_size_B(&pool->device->screen->caps, &layout->layout, variable_count);
   if (pool->num_used == pool->max_sets)
      return VK_ERROR_OUT_OF_POOL_MEMORY;
   if (!find_gap(pool, size_B, &after)) /* fragmented: there is room, if not in one piece */
      return pool->size_B - pool->used_B >= size_B ? VK_ERROR_FRAGMENTED_POOL : VK_ERROR_OUT_OF_POOL_MEMORY;
   struct pipe_dynamic_buffer *dynamic = NULL;
   if (layout->layout.num_dynamic) {
      dynamic = vk_alloc(&pool->device->alloc, NULL, layout->layout.num_dynamic * sizeof(*dynamic));
      if (!dynamic)
         return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   struct vk_descriptor_set *set = add_place(pool, after, size_B);
   set->pool = pool;
   set->layout = layout;
   __atomic_add_fetch(&layout->references, 1, __ATOMIC_RELAXED);
   set->dynamic = dynamic;
   set->words = pool->map + set->set.offset_B;
   if (size_B)
      memset(set->words, pool->fill, size_B);
   if (layout->num_samplers)
      vk_write_immutable_samplers(pool->device->screen, set);
   *handle = VK_TO(VkDescriptorSet, set);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_AllocateDescriptorSets(VkDevice device, const VkDescriptorSetAllocateInfo *pAllocateInfo,
                              VkDescriptorSet *pDescriptorSets)
{
   VK_FROM(vk_descriptor_pool, pool, pAllocateInfo->descriptorPool);
   const VkDescriptorSetVariableDescriptorCountAllocateInfo *counts =
      vk_find_struct(pAllocateInfo->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
   for (uint32_t i = 0; i < pAllocateInfo->descriptorSetCount; i++) {
      VkResult result =
         allocate_set(pool, (struct vk_set_layout *)pAllocateInfo->pSetLayouts[i],
                      counts && counts->descriptorSetCount ? counts->pDescriptorCounts[i] : 0, &pDescriptorSets[i]);
      if (result != VK_SUCCESS) {
         indium_FreeDescriptorSets(device, pAllocateInfo->descriptorPool, i, pDescriptorSets);
         memset(pDescriptorSets, 0, pAllocateInfo->descriptorSetCount * sizeof(*pDescriptorSets));
         return result;
      }
   }
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_FreeDescriptorSets(VkDevice device, VkDescriptorPool descriptorPool, uint32_t descriptorSetCount,
                          const VkDescriptorSet *pDescriptorSets)
{
   VK_FROM(vk_descriptor_pool, pool, descriptorPool);
   for (uint32_t i = descriptorSetCount; i-- > 0;) {
      VK_FROM(vk_descriptor_set, set, pDescriptorSets[i]);
      if (!set)
         continue;
      remove_place(pool, set);
      vk_set_layout_unref(pool->device, set->layout, 1);
      free_set(set);
   }
   return VK_SUCCESS;
}
