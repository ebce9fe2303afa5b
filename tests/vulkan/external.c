/* Memory, semaphores and fences that go from one device to another as file descriptors. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vkt.h"

#define SIZE_B 65536u
#define LONG 20000000000ull

static struct vkx *devices[2];

/* ---- memory ---- */

struct shared {
   VkBuffer buffer;
   VkDeviceMemory memory;
};

/* fd: imported; -1: to be exported. */
static VkDeviceMemory
memory_create(struct vkx *vkx, VkDeviceSize size_B, uint32_t memory_type, VkExternalMemoryHandleTypeFlagBits type,
              int fd)
{
   const VkExportMemoryAllocateInfo exported = {.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                                .handleTypes = type};
   const VkImportMemoryFdInfoKHR imported = {
      .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, .handleType = type, .fd = fd};
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                          .pNext = fd >= 0 ? (const void *)&imported : &exported,
                                          .allocationSize = size_B,
                                          .memoryTypeIndex = memory_type};
   VkDeviceMemory memory;
   vkx_check(vkAllocateMemory(vkx->device, &allocate, NULL, &memory), "vkAllocateMemory");
   return memory;
}

static int
export_memory(struct vkx *vkx, VkDeviceMemory memory, VkExternalMemoryHandleTypeFlagBits type)
{
   PFN_vkGetMemoryFdKHR get = VKT_PROC(vkx, vkGetMemoryFdKHR);
   const VkMemoryGetFdInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = memory, .handleType = type};
   int fd = -1;
   VkResult result = get(vkx->device, &info, &fd);
   vkt_expect(result == VK_SUCCESS && fd >= 0, "vkGetMemoryFdKHR: %d", result);
   return fd;
}

static struct shared
shared_create(struct vkx *vkx, VkExternalMemoryHandleTypeFlagBits type, int fd)
{
   const VkExternalMemoryBufferCreateInfo external = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
                                                      .handleTypes = type};
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                    .pNext = &external,
                                    .size = SIZE_B,
                                    .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
   struct shared shared;
   VkMemoryRequirements needs;
   vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &shared.buffer), "vkCreateBuffer");
   vkGetBufferMemoryRequirements(vkx->device, shared.buffer, &needs);
   uint32_t memory_type = (uint32_t)__builtin_ctz(needs.memoryTypeBits);
   PFN_vkGetMemoryFdPropertiesKHR get_properties = VKT_PROC(vkx, vkGetMemoryFdPropertiesKHR);
   VkMemoryFdPropertiesKHR properties = {.sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR};
   if (fd >= 0 && type == VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT) {
      VkResult result = get_properties(vkx->device, type, fd, &properties);
      if (vkt_expect(result == VK_SUCCESS && properties.memoryTypeBits & needs.memoryTypeBits,
                     "vkGetMemoryFdPropertiesKHR: %d, types 0x%x", result, properties.memoryTypeBits))
         memory_type = (uint32_t)__builtin_ctz(properties.memoryTypeBits & needs.memoryTypeBits);
   }
   shared.memory = memory_create(vkx, needs.size, memory_type, type, fd);
   vkx_check(vkBindBufferMemory(vkx->device, shared.buffer, shared.memory, 0), "vkBindBufferMemory");
   return shared;
}

static void
shared_destroy(struct vkx *vkx, struct shared *shared)
{
   vkDestroyBuffer(vkx->device, shared->buffer, NULL);
   vkFreeMemory(vkx->device, shared->memory, NULL);
}

static void
fill(struct vkx *vkx, const struct shared *shared, uint32_t value)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdFillBuffer(cmd, shared->buffer, 0, SIZE_B, value);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

static bool
holds(struct vkx *vkx, const struct shared *shared, uint32_t value)
{
   struct vkx_buffer buffer = vkt_buffer_create(vkx, SIZE_B, 0);
   VkCommandBuffer cmd = vkx_begin(vkx);
   bool same = true;
   vkCmdCopyBuffer(cmd, shared->buffer, buffer.buffer, 1, &(VkBufferCopy){0, 0, SIZE_B});
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned i = 0; i < SIZE_B / 4; i++)
      same &= ((uint32_t *)buffer.map)[i] == value;
   vkx_buffer_destroy(vkx, &buffer);
   return same;
}

static void
test_memory(VkExternalMemoryHandleTypeFlagBits type, const char *name)
{
   const VkPhysicalDeviceExternalBufferInfo ask = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
                                                   .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                                   .handleType = type};
   VkExternalBufferProperties answer = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
   vkGetPhysicalDeviceExternalBufferProperties(devices[0]->physical, &ask, &answer);
   const VkExternalMemoryFeatureFlags both =
      VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
   if (!vkt_expect((answer.externalMemoryProperties.externalMemoryFeatures & both) == both, "%s: features", name))
      return;
   struct shared first = shared_create(devices[0], type, -1);
   int fd = export_memory(devices[0], first.memory, type);
   struct shared second = shared_create(devices[1], type, fd);
   fill(devices[0], &first, 0x11223344);
   vkt_expect(holds(devices[1], &second, 0x11223344), "%s: the second device sees what the first wrote", name);
   fill(devices[1], &second, 0x55667788);
   vkt_expect(holds(devices[0], &first, 0x55667788), "%s: the first device sees what the second wrote", name);
   shared_destroy(devices[0], &first);
   vkt_expect(holds(devices[1], &second, 0x55667788), "%s: memory whose first owner is gone", name);
   shared_destroy(devices[1], &second);
}

static uint32_t
visible_type(struct vkx *vkx)
{
   const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
   uint32_t type = 0;
   while ((vkx->memory.memoryTypes[type].propertyFlags & wanted) != wanted)
      type++;
   return type;
}

/* Bytes of ones all around a mapping of the memory's half: nothing beyond its size is replaced. */
static void
test_placed_half(struct vkx *vkx, VkDeviceMemory half)
{
   unsigned char *place = mmap(NULL, 2 * SIZE_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   const VkMemoryMapPlacedInfoEXT placed = {VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT, NULL, place + SIZE_B / 2};
   const VkMemoryMapInfoKHR info = {
      VK_STRUCTURE_TYPE_MEMORY_MAP_INFO_KHR, &placed, VK_MEMORY_MAP_PLACED_BIT_EXT, half, 0, VK_WHOLE_SIZE};
   const VkMemoryUnmapInfoKHR unmap = {.sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO_KHR, .memory = half};
   void *map = NULL;
   unsigned ones = 0;
   memset(place, 1, 2 * SIZE_B);
   vkt_expect(VKT_PROC(vkx, vkMapMemory2KHR)(vkx->device, &info, &map) == VK_SUCCESS, "a mapping in its place");
   memset(map, 2, SIZE_B / 2);
   for (unsigned i = 0; i < SIZE_B / 2; i++)
      ones += place[i] == 1 && place[i + SIZE_B] == 1 && place[i + SIZE_B + SIZE_B / 2] == 1;
   vkt_expect(ones == SIZE_B / 2, "a mapping of half of what was exported: of %u bytes around it %u remain",
              SIZE_B / 2, ones);
   vkt_expect(VKT_PROC(vkx, vkUnmapMemory2KHR)(vkx->device, &unmap) == VK_SUCCESS, "vkUnmapMemory2KHR");
   munmap(place, SIZE_B / 2);
   munmap(place + SIZE_B, SIZE_B);
}

/* Less than the whole of a dma-buf may be imported, more not: then the descriptor stays the caller's (RADV 26 and
 * Honeykrisp 26 import more; Honeykrisp maps the whole). */
static void
test_sizes(const char *quirks)
{
   const VkExternalMemoryHandleTypeFlagBits type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
   const uint32_t visible = visible_type(devices[0]);
   VkDeviceMemory whole = memory_create(devices[0], SIZE_B, visible, type, -1), more = VK_NULL_HANDLE;
   const int fd = export_memory(devices[0], whole, type);
   if (!strcmp(quirks, "indium")) {
      const VkImportMemoryFdInfoKHR imported = {
         .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, .handleType = type, .fd = fd};
      const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &imported, 4 * SIZE_B, visible};
      const VkResult result = vkAllocateMemory(devices[1]->device, &info, NULL, &more);
      if (!vkt_expect(result == VK_ERROR_INVALID_EXTERNAL_HANDLE, "more than there is: %d", result))
         goto done;
   }
   VkDeviceMemory half = memory_create(devices[1], SIZE_B / 2, visible, type, fd);
   if (strcmp(quirks, "honeykrisp") && vkt_has("VK_EXT_map_memory_placed") && vkt_has("VK_KHR_map_memory2"))
      test_placed_half(devices[1], half);
   vkFreeMemory(devices[1]->device, half, NULL);
done:
   vkFreeMemory(devices[1]->device, more, NULL);
   vkFreeMemory(devices[0]->device, whole, NULL);
}

/* ---- images ---- */

#define SIDE_PX 128u
#define IMAGE_B (SIDE_PX * SIDE_PX * 2)

/* Depth: even drivers that lay out what they share in rows tile that. */
static struct vkt_image
shared_image_create(struct vkx *vkx, VkExternalMemoryHandleTypeFlagBits type, int fd)
{
   const VkExternalMemoryImageCreateInfo external = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
                                                     .handleTypes = type};
   struct vkt_image image = {.info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                      .pNext = &external,
                                      .imageType = VK_IMAGE_TYPE_2D,
                                      .format = VK_FORMAT_D16_UNORM,
                                      .extent = {SIDE_PX, SIDE_PX, 1},
                                      .mipLevels = 1,
                                      .arrayLayers = 1,
                                      .samples = VK_SAMPLE_COUNT_1_BIT,
                                      .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                               VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT}};
   VkMemoryRequirements needs;
   vkx_check(vkCreateImage(vkx->device, &image.info, NULL, &image.image), "vkCreateImage");
   vkGetImageMemoryRequirements(vkx->device, image.image, &needs);
   image.memory = memory_create(vkx, needs.size, (uint32_t)__builtin_ctz(needs.memoryTypeBits), type, fd);
   vkx_check(vkBindImageMemory(vkx->device, image.image, image.memory, 0), "vkBindImageMemory");
   image.info.pNext = NULL;
   return image;
}

static void
copy_whole(struct vkx *vkx, const struct vkt_image *image, const struct vkx_buffer *buffer, bool to_image)
{
   const VkBufferImageCopy whole = {.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1},
                                    .imageExtent = image->info.extent};
   VkCommandBuffer cmd = vkx_begin(vkx);
   if (to_image) {
      vkt_transition(cmd, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      vkCmdCopyBufferToImage(cmd, buffer->buffer, image->image, VK_IMAGE_LAYOUT_GENERAL, 1, &whole);
   } else {
      vkCmdCopyImageToBuffer(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL, buffer->buffer, 1, &whole);
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

static void
test_image(VkExternalMemoryHandleTypeFlagBits type)
{
   struct vkx_buffer in = vkt_buffer_create(devices[0], IMAGE_B, 0), out = vkt_buffer_create(devices[1], IMAGE_B, 0);
   /* Something before, so that the image's memory does not happen to lie at a round address. */
   VkDeviceMemory odd = memory_create(devices[0], 61440, 0, type, -1);
   VkDeviceMemory same = memory_create(devices[1], 61440, 0, type, export_memory(devices[0], odd, type));
   struct vkt_image first = shared_image_create(devices[0], type, -1);
   struct vkt_image second = shared_image_create(devices[1], type, export_memory(devices[0], first.memory, type));
   for (unsigned i = 0; i < IMAGE_B; i++)
      ((uint8_t *)in.map)[i] = (uint8_t)vkt_random();
   copy_whole(devices[0], &first, &in, true);
   copy_whole(devices[1], &second, &out, false);
   vkt_expect(!memcmp(in.map, out.map, IMAGE_B), "the second device sees the image that the first wrote");
   vkt_image_destroy(devices[0], &first);
   vkt_image_destroy(devices[1], &second);
   vkFreeMemory(devices[0]->device, odd, NULL);
   vkFreeMemory(devices[1]->device, same, NULL);
   vkx_buffer_destroy(devices[0], &in);
   vkx_buffer_destroy(devices[1], &out);
}

/* ---- semaphores ---- */

static VkSemaphore
semaphore_create(struct vkx *vkx, bool timeline, VkExternalSemaphoreHandleTypeFlags exported)
{
   const VkExportSemaphoreCreateInfo export_info = {.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
                                                    .handleTypes = exported};
   const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                           .pNext = &export_info,
                                           .semaphoreType =
                                              timeline ? VK_SEMAPHORE_TYPE_TIMELINE : VK_SEMAPHORE_TYPE_BINARY};
   const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
   VkSemaphore semaphore;
   vkx_check(vkCreateSemaphore(vkx->device, &info, NULL, &semaphore), "vkCreateSemaphore");
   return semaphore;
}

static int
export_semaphore(struct vkx *vkx, VkSemaphore semaphore, VkExternalSemaphoreHandleTypeFlagBits type)
{
   PFN_vkGetSemaphoreFdKHR get = VKT_PROC(vkx, vkGetSemaphoreFdKHR);
   const VkSemaphoreGetFdInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, .semaphore = semaphore, .handleType = type};
   int fd = -1;
   vkx_check(get(vkx->device, &info, &fd), "vkGetSemaphoreFdKHR");
   return fd;
}

static void
import_semaphore(struct vkx *vkx, VkSemaphore semaphore, VkExternalSemaphoreHandleTypeFlagBits type, int fd,
                 bool temporary)
{
   PFN_vkImportSemaphoreFdKHR import = VKT_PROC(vkx, vkImportSemaphoreFdKHR);
   const VkImportSemaphoreFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
                                            .semaphore = semaphore,
                                            .flags = temporary ? VK_SEMAPHORE_IMPORT_TEMPORARY_BIT : 0,
                                            .handleType = type,
                                            .fd = fd};
   vkx_check(import(vkx->device, &info), "vkImportSemaphoreFdKHR");
}

static void
submit(struct vkx *vkx, VkSemaphore wait, uint64_t wait_value, VkSemaphore signal, uint64_t signal_value,
       VkFence fence)
{
   const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   const VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                 .waitSemaphoreValueCount = wait ? 1 : 0,
                                                 .pWaitSemaphoreValues = &wait_value,
                                                 .signalSemaphoreValueCount = signal ? 1 : 0,
                                                 .pSignalSemaphoreValues = &signal_value};
   const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .pNext = wait_value || signal_value ? &values : NULL,
                              .waitSemaphoreCount = wait ? 1 : 0,
                              .pWaitSemaphores = &wait,
                              .pWaitDstStageMask = &stage,
                              .signalSemaphoreCount = signal ? 1 : 0,
                              .pSignalSemaphores = &signal};
   vkx_check(vkQueueSubmit(vkx->queue, 1, &info, fence), "vkQueueSubmit");
}

static VkFence
fence_create(struct vkx *vkx, bool signaled, VkExternalFenceHandleTypeFlags exported)
{
   const VkExportFenceCreateInfo export_info = {.sType = VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO,
                                                .handleTypes = exported};
   const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                   .pNext = &export_info,
                                   .flags = signaled ? VK_FENCE_CREATE_SIGNALED_BIT : 0};
   VkFence fence;
   vkx_check(vkCreateFence(vkx->device, &info, NULL, &fence), "vkCreateFence");
   return fence;
}

/* Whether the device's queue gets past a wait for the semaphore. */
static bool
passes(struct vkx *vkx, VkSemaphore semaphore, uint64_t value)
{
   VkFence fence = fence_create(vkx, false, 0);
   submit(vkx, semaphore, value, VK_NULL_HANDLE, 0, fence);
   bool passed = vkWaitForFences(vkx->device, 1, &fence, VK_TRUE, LONG) == VK_SUCCESS;
   vkDestroyFence(vkx->device, fence, NULL);
   return passed;
}

static void
test_semaphores(void)
{
   const VkExternalSemaphoreHandleTypeFlagBits opaque = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
                                               sync_fd = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
   VkSemaphore first = semaphore_create(devices[0], false, opaque | sync_fd),
               second = semaphore_create(devices[1], false, 0), third = semaphore_create(devices[1], false, 0);
   import_semaphore(devices[1], second, opaque, export_semaphore(devices[0], first, opaque), false);
   for (unsigned round = 0; round < 2; round++) {
      submit(devices[0], VK_NULL_HANDLE, 0, first, 0, VK_NULL_HANDLE);
      vkt_expect(passes(devices[1], second, 0), "an opaque semaphore, round %u", round);
   }
   /* A payload for one wait; then the semaphore's own is back, which no other device sees. */
   import_semaphore(devices[1], third, opaque, export_semaphore(devices[0], first, opaque), true);
   submit(devices[0], VK_NULL_HANDLE, 0, first, 0, VK_NULL_HANDLE);
   vkt_expect(passes(devices[1], third, 0), "a temporary import");
   submit(devices[1], VK_NULL_HANDLE, 0, third, 0, VK_NULL_HANDLE);
   submit(devices[0], VK_NULL_HANDLE, 0, first, 0, VK_NULL_HANDLE);
   vkt_expect(passes(devices[1], third, 0), "the own payload after a temporary import");
   vkt_expect(passes(devices[0], first, 0), "the other's payload after a temporary import");
   /* Sync files: of a signal that was submitted, and -1 for signaled. */
   submit(devices[0], VK_NULL_HANDLE, 0, first, 0, VK_NULL_HANDLE);
   import_semaphore(devices[1], third, sync_fd, export_semaphore(devices[0], first, sync_fd), true);
   vkt_expect(passes(devices[1], third, 0), "a sync file");
   import_semaphore(devices[1], third, sync_fd, -1, true);
   vkt_expect(passes(devices[1], third, 0), "a sync file that is signaled");
   submit(devices[0], VK_NULL_HANDLE, 0, first, 0, VK_NULL_HANDLE);
   vkt_expect(passes(devices[0], first, 0), "a semaphore whose signal left as a sync file");
   vkDestroySemaphore(devices[0]->device, first, NULL);
   vkDestroySemaphore(devices[1]->device, second, NULL);
   vkDestroySemaphore(devices[1]->device, third, NULL);
}

static void
test_timelines(void)
{
   const VkExternalSemaphoreHandleTypeFlagBits opaque = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
   VkSemaphore first = semaphore_create(devices[0], true, opaque), second = semaphore_create(devices[1], true, 0);
   PFN_vkGetSemaphoreCounterValueKHR counter = VKT_PROC(devices[1], vkGetSemaphoreCounterValueKHR);
   uint64_t value = 0;
   import_semaphore(devices[1], second, opaque, export_semaphore(devices[0], first, opaque), false);
   submit(devices[0], VK_NULL_HANDLE, 0, first, 5, VK_NULL_HANDLE);
   vkt_expect(passes(devices[1], second, 5), "an opaque timeline");
   vkx_check(counter(devices[1]->device, second, &value), "vkGetSemaphoreCounterValueKHR");
   vkt_expect(value == 5, "the value of an opaque timeline");
   vkDestroySemaphore(devices[0]->device, first, NULL);
   vkDestroySemaphore(devices[1]->device, second, NULL);
}

/* ---- fences ---- */

static int
export_fence(struct vkx *vkx, VkFence fence, VkExternalFenceHandleTypeFlagBits type)
{
   PFN_vkGetFenceFdKHR get = VKT_PROC(vkx, vkGetFenceFdKHR);
   const VkFenceGetFdInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR, .fence = fence, .handleType = type};
   int fd = -1;
   vkx_check(get(vkx->device, &info, &fd), "vkGetFenceFdKHR");
   return fd;
}

static void
import_fence(struct vkx *vkx, VkFence fence, VkExternalFenceHandleTypeFlagBits type, int fd, bool temporary)
{
   PFN_vkImportFenceFdKHR import = VKT_PROC(vkx, vkImportFenceFdKHR);
   const VkImportFenceFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR,
                                        .fence = fence,
                                        .flags = temporary ? VK_FENCE_IMPORT_TEMPORARY_BIT : 0,
                                        .handleType = type,
                                        .fd = fd};
   vkx_check(import(vkx->device, &info), "vkImportFenceFdKHR");
}

static void
test_fences(void)
{
   const VkExternalFenceHandleTypeFlagBits opaque = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT,
                                           sync_fd = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
   VkDevice two = devices[1]->device;
   VkFence first = fence_create(devices[0], false, opaque | sync_fd), second = fence_create(devices[1], false, 0),
           third = fence_create(devices[1], false, 0);
   import_fence(devices[1], second, opaque, export_fence(devices[0], first, opaque), false);
   vkt_expect(vkGetFenceStatus(two, second) == VK_NOT_READY, "an opaque fence before its signal");
   submit(devices[0], VK_NULL_HANDLE, 0, VK_NULL_HANDLE, 0, first);
   vkt_expect(vkWaitForFences(two, 1, &second, VK_TRUE, LONG) == VK_SUCCESS, "an opaque fence");
   /* Reset gives the fence its own payload back after a temporary import. */
   import_fence(devices[1], third, opaque, export_fence(devices[0], first, opaque), true);
   vkt_expect(vkWaitForFences(two, 1, &third, VK_TRUE, LONG) == VK_SUCCESS, "a temporary fence");
   vkx_check(vkResetFences(two, 1, &third), "vkResetFences");
   vkt_expect(vkGetFenceStatus(two, third) == VK_NOT_READY, "the own payload of a fence");
   vkt_expect(vkGetFenceStatus(devices[0]->device, first) == VK_SUCCESS, "the payload that was borrowed");
   import_fence(devices[1], third, sync_fd, export_fence(devices[0], first, sync_fd), true);
   vkt_expect(vkWaitForFences(two, 1, &third, VK_TRUE, LONG) == VK_SUCCESS, "a sync file of a fence");
   vkt_expect(vkGetFenceStatus(devices[0]->device, first) == VK_NOT_READY, "a fence that left as a sync file");
   vkx_check(vkResetFences(two, 1, &third), "vkResetFences");
   import_fence(devices[1], third, sync_fd, -1, true);
   vkt_expect(vkGetFenceStatus(two, third) == VK_SUCCESS, "a sync file that is signaled, as a fence");
   vkDestroyFence(devices[0]->device, first, NULL);
   vkDestroyFence(two, second, NULL);
   vkDestroyFence(two, third, NULL);
}

int
main(int argc, char **argv)
{
   const char *quirks = vkx_option(argc, argv, "--quirks", "");
   struct vkx one = vkt_create("external"), two = vkt_create_second(&one);
   devices[0] = &one;
   devices[1] = &two;
   if (!vkt_has("VK_KHR_external_memory_fd") || !vkt_has("VK_KHR_external_semaphore_fd") ||
       !vkt_has("VK_KHR_external_fence_fd")) {
      vkt_skip("file descriptors");
      vkt_expect(true, "nothing");
   } else {
      test_memory(VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, "opaque");
      if (vkt_has("VK_EXT_external_memory_dma_buf")) {
         test_memory(VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT, "dma-buf");
         test_sizes(quirks);
      }
      test_image(VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT);
      test_semaphores();
      if (vkt_has("VK_KHR_timeline_semaphore"))
         test_timelines();
      test_fences();
   }
   vkDestroyCommandPool(two.device, two.pool, NULL);
   vkDestroyDevice(two.device, NULL);
   return vkt_finish(&one);
}
