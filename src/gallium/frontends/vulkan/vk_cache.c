/* Programs that were compiled before: in the application's pipeline cache, then in that on disk. */
#include "gallium/frontends/vulkan/vk_cache.h"

#include <stdlib.h>

#include "util/build_id.h"
#include "util/disk_cache.h"
#include "util/log.h"

_Static_assert(sizeof(struct vk_cache_key) == DISK_CACHE_KEY_B, "keys are those of entries on disk");

struct vk_device_cache {
   struct hash_128 base;
   bool keeps;           /* programs are kept at all */
   pthread_mutex_t lock; /* of the following, before the first program */
   bool opened;
   struct disk_cache *disk; /* NULL: there is none */
};

/* ---- saved programs ---- */

struct vk_saved *
vk_saved(const struct vk_cache_key *key, const void *bytes, size_t size_B)
{
   struct vk_saved *saved = malloc(sizeof(*saved) + size_B);
   if (!saved)
      return NULL;
   *saved = (struct vk_saved){.references = 1, .key = *key, .size_B = size_B};
   memcpy(saved->bytes, bytes, size_B);
   return saved;
}

struct vk_saved *
vk_saved_ref(struct vk_saved *saved)
{
   __atomic_add_fetch(&saved->references, 1, __ATOMIC_RELAXED);
   return saved;
}

void
vk_saved_unref(struct vk_saved *saved)
{
   if (saved && __atomic_sub_fetch(&saved->references, 1, __ATOMIC_ACQ_REL) == 0)
      free(saved);
}

/* ---- of a device ---- */

/* Not where compiling does more than to compile, or where mistakes are made on purpose. */
static bool
keeps_programs(void)
{
   size_t size_B;
   return build_id_at((const void *)(uintptr_t)vk_cache_init, &size_B) && !debug_any() && !getenv("INDIUM_MUTANT");
}

VkResult
vk_cache_init(struct vk_device *device, const void *chain)
{
   const VkDevicePipelineBinaryInternalCacheControlKHR *control =
      vk_find_struct(chain, VK_STRUCTURE_TYPE_DEVICE_PIPELINE_BINARY_INTERNAL_CACHE_CONTROL_KHR);
   struct vk_device_cache *cache = vk_alloc(&device->alloc, NULL, sizeof(*cache));
   if (!cache)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pthread_mutex_init(&cache->lock, NULL);
   cache->keeps = keeps_programs();
   cache->opened = control && control->disableInternalCache;
   cache->base = vk_cache_device_key(device);
   device->cache = cache;
   return VK_SUCCESS;
}

void
vk_cache_finish(struct vk_device *device)
{
   if (!device->cache)
      return;
   disk_cache_close(device->cache->disk);
   pthread_mutex_destroy(&device->cache->lock);
   vk_free(&device->alloc, NULL, device->cache);
}

struct hash_128
vk_cache_base(const struct vk_device *device)
{
   return device->cache->base;
}

bool
vk_cache_keeps(const struct vk_device *device)
{
   return device->cache->keeps;
}

static struct disk_cache *
disk_of(struct vk_device *device)
{
   struct vk_device_cache *cache = device->cache;
   pthread_mutex_lock(&cache->lock);
   if (!cache->opened) {
      uint64_t max_B = 0;
      char *folder = disk_cache_folder("indium_shader_cache", &max_B);
      cache->disk = folder ? disk_cache_open(folder, max_B) : NULL;
      cache->opened = true;
      free(folder);
   }
   pthread_mutex_unlock(&cache->lock);
   return cache->disk;
}

/* ---- programs ---- */

struct vk_saved *
vk_cache_find_on_disk(struct vk_device *device, const struct vk_cache_key *key)
{
   struct disk_cache *disk = disk_of(device);
   size_t size_B = 0;
   void *bytes = disk ? disk_cache_get(disk, (const uint8_t *)key, &size_B) : NULL;
   struct vk_saved *saved = bytes ? vk_saved(key, bytes, size_B) : NULL;
   free(bytes);
   return saved;
}

/* Into what the creation wants to have it in; false when out of memory. */
static bool
hand_over(struct vk_cache_use *use, struct vk_saved *saved, bool found)
{
   bool added = true;
   if (use && use->cache && !found)
      added = vk_pipeline_cache_add(use->cache, saved);
   if (use && use->keep && !use->saved)
      use->saved = vk_saved_ref(saved);
   if (use)
      use->hit = found;
   return added;
}

bool
vk_cache_load(struct vk_device *device, struct vk_cache_use *use, const struct vk_cache_key *key,
              struct pipe_program **program)
{
   struct vk_saved *saved = use && use->cache ? vk_pipeline_cache_find(use->cache, key) : NULL;
   const bool found = saved;
   if (!saved)
      saved = vk_cache_find_on_disk(device, key);
   const bool loaded =
      saved && device->screen->program_load(device->screen, saved->bytes, saved->size_B, program) == PIPE_OK;
   if (loaded)
      hand_over(use, saved, found);
   vk_saved_unref(saved);
   return loaded;
}

enum pipe_result
vk_cache_store(struct vk_device *device, struct vk_cache_use *use, const struct vk_cache_key *key,
               struct pipe_saved_program *saved, bool kept, struct pipe_program **program)
{ /* size: what is stored, and where */
   const bool wanted = saved->bytes && use && ((use->cache && kept) || use->keep);
   struct disk_cache *disk = kept ? disk_of(device) : NULL;
   struct vk_saved *own = wanted ? vk_saved(key, saved->bytes, saved->size_B) : NULL;
   const bool stored = !wanted || (own && hand_over(use, own, !kept));
   if (use)
      use->hit = false;
   if (saved->bytes && disk)
      disk_cache_put(disk, (const uint8_t *)key, saved->bytes, saved->size_B);
   vk_saved_unref(own);
   free(saved->bytes);
   if (stored)
      return PIPE_OK;
   device->screen->program_destroy(device->screen, *program);
   *program = NULL;
   return PIPE_OUT_OF_HOST_MEMORY;
}
