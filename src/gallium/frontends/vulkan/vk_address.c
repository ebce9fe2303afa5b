/* Buffers by device address: a list in the order of addresses. Buffers of the same memory overlap. */
#include "gallium/frontends/vulkan/vk_address.h"

#include <inttypes.h>

#include "util/log.h"
#include "util/macros.h"

struct vk_addresses {
   pthread_rwlock_t lock;
   uint32_t count, room;
   struct entry {
      uint64_t va;
      struct vk_buffer *buffer;
   } *entries;         /* in the order of addresses */
   uint64_t largest_B; /* of all buffers that there were */
};

VkResult
vk_addresses_create(struct vk_device *device)
{
   if (!device->features.deviceAddressCommands)
      return VK_SUCCESS;
   device->addresses = vk_alloc(&device->alloc, NULL, sizeof(*device->addresses));
   if (!device->addresses)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pthread_rwlock_init(&device->addresses->lock, NULL);
   return VK_SUCCESS;
}

void
vk_addresses_destroy(struct vk_device *device)
{
   if (!device->addresses)
      return;
   pthread_rwlock_destroy(&device->addresses->lock);
   vk_free(&device->alloc, NULL, device->addresses->entries);
   vk_free(&device->alloc, NULL, device->addresses);
}

/* The first entry above an address. */
static uint32_t
above(const struct vk_addresses *all, uint64_t va)
{
   uint32_t low = 0, high = all->count;
   while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (all->entries[middle].va <= va)
         low = middle + 1;
      else
         high = middle;
   }
   return low;
}

/* Room for one more. */
static bool
grow(struct vk_device *device)
{
   struct vk_addresses *all = device->addresses;
   if (all->count < all->room)
      return true;
   const uint32_t room = MAX2(2 * all->room, 64u);
   struct entry *entries = vk_alloc(&device->alloc, NULL, room * sizeof(*entries));
   if (!entries)
      return false;
   if (all->count)
      memcpy(entries, all->entries, all->count * sizeof(*entries));
   vk_free(&device->alloc, NULL, all->entries);
   all->entries = entries;
   all->room = room;
   return true;
}

VkResult
vk_address_note(struct vk_device *device, struct vk_buffer *buffer)
{
   struct vk_addresses *all = device->addresses;
   const uint64_t va = device->screen->resource_address(buffer->resource);
   if (!all)
      return VK_SUCCESS;
   pthread_rwlock_wrlock(&all->lock);
   const bool has_room = grow(device);
   if (has_room) {
      const uint32_t place = above(all, va);
      memmove(&all->entries[place + 1], &all->entries[place], (all->count - place) * sizeof(all->entries[0]));
      all->entries[place] = (struct entry){va, buffer};
      all->count++;
      all->largest_B = MAX2(all->largest_B, buffer->size_B);
   }
   pthread_rwlock_unlock(&all->lock);
   return has_room ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void
vk_address_forget(struct vk_device *device, const struct vk_buffer *buffer)
{
   struct vk_addresses *all = device->addresses;
   if (!all)
      return;
   pthread_rwlock_wrlock(&all->lock);
   const uint64_t va = device->screen->resource_address(buffer->resource);
   uint32_t i = above(all, va);
   while (i && all->entries[i - 1].va == va && all->entries[i - 1].buffer != buffer)
      i--;
   if (i && all->entries[i - 1].buffer == buffer) {
      memmove(&all->entries[i - 1], &all->entries[i], (all->count - i) * sizeof(all->entries[0]));
      all->count--;
   }
   pthread_rwlock_unlock(&all->lock);
}

/* The buffer that has all bytes of the range; otherwise one that has the first, then *past is set. */
static struct vk_place
find(const struct vk_addresses *all, VkDeviceAddressRangeKHR range, bool *past)
{
   struct vk_place first = {VK_NULL_HANDLE, 0};
   for (uint32_t i = above(all, range.address); i; i--) {
      const struct entry *entry = &all->entries[i - 1];
      const uint64_t offset_B = range.address - entry->va;
      if (offset_B >= all->largest_B)
         break;
      if (offset_B >= entry->buffer->size_B)
         continue;
      *past = range.size > entry->buffer->size_B - offset_B;
      const struct vk_place place = {VK_TO(VkBuffer, entry->buffer), offset_B};
      if (!*past)
         return place;
      if (!first.buffer)
         first = place;
   }
   return first;
}

struct vk_place
vk_address_find(struct vk_device *device, VkDeviceAddressRangeKHR range, const char *command)
{
   struct vk_place place = {VK_NULL_HANDLE, 0};
   bool past = false;
   if (!range.address || !device->addresses)
      return place;
   pthread_rwlock_rdlock(&device->addresses->lock);
   place = find(device->addresses, range, &past);
   pthread_rwlock_unlock(&device->addresses->lock);
   if (!place.buffer)
      log_error("%s: no buffer is at 0x%" PRIx64, command, range.address);
   else if (past)
      log_error("%s: the %" PRIu64 " bytes at 0x%" PRIx64 " go past the end of the buffer", command, range.size,
                range.address);
   return place;
}
