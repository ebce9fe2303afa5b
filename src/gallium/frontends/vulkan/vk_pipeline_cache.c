/* Pipeline caches: saved programs by their keys. Their data is the header that Vulkan gives it and after that the
 * programs, each with a checksum: what was damaged, or comes from another build, is as if it were not there. */
#include "gallium/frontends/vulkan/vk_cache.h"
#include "util/macros.h"

#define BUCKETS 256

struct node {
   struct node *next;
   struct vk_saved *saved;
};

struct vk_pipeline_cache {
   struct vk_device *device;
   VkPipelineCacheHeaderVersionOne header;
   pthread_mutex_t lock; /* of all that follows */
   struct node *buckets[BUCKETS];
};

/* In front of each program in the data, at multiples of 8 bytes. */
struct entry {
   struct vk_cache_key key;
   uint64_t size_B, checksum; /* of the bytes and, in this order, the key */
};

static uint64_t
checksum(const struct vk_cache_key *key, const void *bytes, size_t size_B)
{
   const uint64_t all[4] = {hash_bytes(bytes, size_B), size_B, key->hash.low, key->hash.high};
   return hash_bytes(all, sizeof(all));
}

/* ---- programs ---- */

/* With the lock. */
static struct node **
place_of(struct vk_pipeline_cache *cache, const struct vk_cache_key *key)
{
   struct node **at = &cache->buckets[key->hash.low % BUCKETS];
   while (*at && memcmp(&(*at)->saved->key, key, sizeof(*key)) != 0)
      at = &(*at)->next;
   return at;
}

struct vk_saved *
vk_pipeline_cache_find(struct vk_pipeline_cache *cache, const struct vk_cache_key *key)
{
   pthread_mutex_lock(&cache->lock);
   const struct node *node = *place_of(cache, key);
   struct vk_saved *saved = node ? vk_saved_ref(node->saved) : NULL;
   pthread_mutex_unlock(&cache->lock);
   return saved;
}

bool
vk_pipeline_cache_add(struct vk_pipeline_cache *cache, struct vk_saved *saved)
{
   pthread_mutex_lock(&cache->lock);
   struct node **at = place_of(cache, &saved->key);
   if (!*at && (*at = vk_alloc(&cache->device->alloc, NULL, sizeof(**at))))
      (*at)->saved = vk_saved_ref(saved);
   const bool added = *at;
   pthread_mutex_unlock(&cache->lock);
   return added;
}

/* ---- data ---- */

/* Up to what is damaged. */
static void
read_data(struct vk_pipeline_cache *cache, const char *data, size_t size_B)
{
   VkPipelineCacheHeaderVersionOne header;
   struct entry entry;
   if (size_B < sizeof(header))
      return;
   memcpy(&header, data, sizeof(header));
   if (memcmp(&header, &cache->header, sizeof(header)) != 0)
      return;
   for (size_t at = sizeof(header); size_B - at >= sizeof(entry);) {
      memcpy(&entry, data + at, sizeof(entry));
      at += sizeof(entry);
      if (entry.size_B > size_B - at || checksum(&entry.key, data + at, entry.size_B) != entry.checksum)
         return;
      struct vk_saved *saved = vk_saved(&entry.key, data + at, entry.size_B);
      if (saved)
         vk_pipeline_cache_add(cache, saved);
      vk_saved_unref(saved);
      at += MIN2(align_up(entry.size_B, 8), size_B - at);
   }
}

/* Whole programs, as many as there is room for. */
static VkResult
write_data(const struct vk_pipeline_cache *cache, char *data, size_t room_B, size_t *size_B)
{
   VkResult result = VK_SUCCESS;
   size_t at = sizeof(cache->header);
   memcpy(data, &cache->header, at);
   for (unsigned i = 0; i < BUCKETS; i++) {
      for (const struct node *node = cache->buckets[i]; node; node = node->next) {
         const struct vk_saved *saved = node->saved;
         const struct entry entry = {saved->key, saved->size_B, checksum(&saved->key, saved->bytes, saved->size_B)};
         if (room_B - at < sizeof(entry) + align_up(saved->size_B, 8)) {
            result = VK_INCOMPLETE;
            continue;
         }
         memcpy(data + at, &entry, sizeof(entry));
         memcpy(data + at + sizeof(entry), saved->bytes, saved->size_B);
         at += sizeof(entry) + saved->size_B;
         memset(data + at, 0, align_up(at, 8) - at);
         at = align_up(at, 8);
      }
   }
   *size_B = at;
   return result;
}

static size_t
data_B(const struct vk_pipeline_cache *cache)
{
   size_t size_B = sizeof(cache->header);
   for (unsigned i = 0; i < BUCKETS; i++) {
      for (const struct node *node = cache->buckets[i]; node; node = node->next)
         size_B += sizeof(struct entry) + align_up(node->saved->size_B, 8);
   }
   return size_B;
}

/* ---- commands ---- */

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreatePipelineCache(VkDevice _device, const VkPipelineCacheCreateInfo *pCreateInfo,
                           const VkAllocationCallbacks *pAllocator, VkPipelineCache *pPipelineCache)
{
   VK_FROM(vk_device, device, _device);
   struct vk_pipeline_cache *cache = vk_alloc(&device->alloc, pAllocator, sizeof(*cache));
   if (!cache)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const struct vk_cache_uuid uuid = vk_cache_uuid(&device->screen->caps);
   cache->device = device;
   cache->header = (VkPipelineCacheHeaderVersionOne){
      .headerSize = sizeof(cache->header),
      .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
      .vendorID = device->screen->caps.vendor_id,
      .deviceID = device->screen->caps.device_id,
   };
   memcpy(cache->header.pipelineCacheUUID, uuid.bytes, VK_UUID_SIZE);
   pthread_mutex_init(&cache->lock, NULL);
   if (pCreateInfo->initialDataSize)
      read_data(cache, pCreateInfo->pInitialData, pCreateInfo->initialDataSize);
   *pPipelineCache = VK_TO(VkPipelineCache, cache);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyPipelineCache(VkDevice _device, VkPipelineCache pipelineCache, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_pipeline_cache, cache, pipelineCache);
   if (!cache)
      return;
   for (unsigned i = 0; i < BUCKETS; i++) {
      for (struct node *node = cache->buckets[i], *next; node; node = next) {
         next = node->next;
         vk_saved_unref(node->saved);
         vk_free(&device->alloc, NULL, node);
      }
   }
   pthread_mutex_destroy(&cache->lock);
   vk_free(&device->alloc, pAllocator, cache);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPipelineCacheData(VkDevice device, VkPipelineCache pipelineCache, size_t *pDataSize, void *pData)
{
   VK_FROM(vk_pipeline_cache, cache, pipelineCache);
   VkResult result = VK_SUCCESS;
   pthread_mutex_lock(&cache->lock);
   if (!pData) {
      *pDataSize = data_B(cache);
   } else if (*pDataSize < sizeof(cache->header)) {
      *pDataSize = 0;
      result = VK_INCOMPLETE;
   } else {
      result = write_data(cache, pData, *pDataSize, pDataSize);
   }
   pthread_mutex_unlock(&cache->lock);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_MergePipelineCaches(VkDevice device, VkPipelineCache dstCache, uint32_t srcCacheCount,
                           const VkPipelineCache *pSrcCaches)
{
   VK_FROM(vk_pipeline_cache, to, dstCache);
   bool added = true;
   for (uint32_t i = 0; i < srcCacheCount; i++) {
      struct vk_pipeline_cache *from = (struct vk_pipeline_cache *)pSrcCaches[i];
      pthread_mutex_lock(&from->lock);
      for (unsigned j = 0; j < BUCKETS; j++) {
         for (const struct node *node = from->buckets[j]; node; node = node->next)
            added &= vk_pipeline_cache_add(to, node->saved);
      }
      pthread_mutex_unlock(&from->lock);
   }
   return added ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}
