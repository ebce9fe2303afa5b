#include "asahi/sim/cache/tex_cache.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "asahi/sim/surface/surface.h"
#include "util/dynarray.h"
#include "util/hash.h"
#include "util/macros.h"

#define MOST_B (UINT64_C(64) << 20) /* of a texture that is looked at */
#define PAGE_B 4096                 /* mappings consist of these */

/* A texture that caches may hold. */
struct entry {
   uint64_t space, base, size_B;
   uint64_t hash;    /* of what was there when it was read first */
   unsigned command; /* that has read it last */
};

struct agx_tex_cache {
   pthread_mutex_t lock;
   struct dynarray entries; /* struct entry */
   uint64_t turn;           /* new for each command and invalidation, of all caches */
   unsigned command;
};

static _Atomic uint64_t turns;

struct agx_tex_cache *
agx_tex_cache_create(void)
{
   struct agx_tex_cache *cache = calloc(1, sizeof(*cache));
   if (cache)
      pthread_mutex_init(&cache->lock, NULL);
   return cache;
}

void
agx_tex_cache_destroy(struct agx_tex_cache *cache)
{
   if (!cache)
      return;
   dynarray_free(&cache->entries);
   pthread_mutex_destroy(&cache->lock);
   free(cache);
}

void
agx_tex_cache_begin(struct agx_tex_cache *cache, unsigned command)
{
   cache->command = command;
   cache->turn = ++turns;
}

void
agx_tex_cache_invalidate(struct agx_tex_cache *cache)
{
   cache->entries.size_B = 0;
   cache->turn = ++turns;
}

/* Holes count as nothing. */
static uint64_t
hash_range(const struct sim_vm *vm, struct sim_va va, uint64_t size_B, uint64_t hash)
{
   uint64_t run_B;
   for (uint64_t at_B = 0; at_B < size_B; at_B += run_B) {
      const void *host = sim_vm_lookup(vm, sim_va_add(va, (int64_t)at_B), SIM_READ, &run_B, NULL);
      if (!host) {
         run_B = PAGE_B;
         continue;
      }
      run_B = MIN2(run_B, size_B - at_B);
      const uint64_t both[2] = {hash, hash_bytes(host, run_B)};
      hash = hash_bytes(both, sizeof(both));
   }
   return hash;
}

static uint64_t
hash_surface(const struct agx_surface *surface, const struct sim_vm *vm)
{
   const uint64_t metadata_B = surface->compressed ? surface->metadata_layer_stride_B * surface->layers : 0;
   return hash_range(vm, surface->metadata, metadata_B, hash_range(vm, surface->base, surface->size_B, 0));
}

static struct entry *
find_entry(struct agx_tex_cache *cache, const struct sim_vm *vm, const struct agx_surface *surface)
{
   dynarray_for_each(struct entry, it, &cache->entries) {
      if (it->base == surface->base.va && it->size_B == surface->size_B && it->space == sim_vm_serial(vm))
         return it;
   }
   return NULL;
}

static bool
look(struct agx_tex_cache *cache, const struct sim_vm *vm, const struct agx_surface *surface, struct sim_fault *fault)
{
   struct entry *entry = find_entry(cache, vm, surface);
   if (!entry) {
      const struct entry first = {sim_vm_serial(vm), surface->base.va, surface->size_B, hash_surface(surface, vm),
                                  cache->command};
      dynarray_append(&cache->entries, struct entry, first);
      return true;
   }
   if (entry->command != cache->command && entry->hash != hash_surface(surface, vm))
      return sim_fault_set(
         fault, SIM_FAULT_HAZARD, surface->base,
         "the texture at 0x%010lx may be stale: command %u has read it, it was written since, and no "
         "barrier has invalidated the caches of cores (USC_CACHE_INVAL)",
         (long)surface->base.va, entry->command);
   entry->command = cache->command;
   return true;
}

bool
agx_tex_cache_look(struct agx_tex_cache *cache, const struct sim_vm *vm, struct agx_surface *surface,
                   struct sim_fault *fault)
{
   if (surface->cache_turn == cache->turn || surface->sparse || surface->size_B > MOST_B)
      return true;
   pthread_mutex_lock(&cache->lock);
   const bool ok = look(cache, vm, surface, fault);
   pthread_mutex_unlock(&cache->lock);
   surface->cache_turn = cache->turn;
   return ok;
}
