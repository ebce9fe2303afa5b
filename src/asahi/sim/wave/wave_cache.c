/* What the caches of cores keep. While a launch of fragments runs, of however many draws, a load without coherency
 * bits may find what was there when the launch began, and so does a fetch of a texture that is no image: whoever
 * wrote since was on another core. Here it always finds that. What the simd-group has written itself it sees.
 *
 * Of the pages that are written the first write keeps what was there. */
#include <stdlib.h>
#include <string.h>

#include "asahi/sim/wave/wave_private.h"
#include "util/hash.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum { PAGE_B = 4096 /* mappings consist of these */ };

struct page {
   uint64_t va;
   uint8_t before[PAGE_B];
};

struct wave_cache {
   struct dynarray pages; /* struct page *; the first `used` are in the table */
   uint32_t used;
   struct hash_table table;
   uint64_t low, high; /* hull of the pages */
};

struct range {
   uint64_t va, end;
};

void
wave_cache_begin(struct agx_wave_engine *engine)
{
   engine->caches = false;
   dynarray_for_each(const struct draw, draw, &engine->draws)
      engine->caches |=
         wave_is_of_pixels(engine) && (draw->code->loads_cached || (engine->clusters && draw->code->loads_clustered));
   if (!engine->caches)
      return;
   if (!engine->cache)
      engine->cache = need_calloc("a cache", 1, sizeof(*engine->cache));
   hash_free(&engine->cache->table);
   engine->cache->table = (struct hash_table){0};
   engine->cache->used = 0;
   engine->cache->low = UINT64_MAX;
   engine->cache->high = 0;
}

void
wave_cache_destroy(struct wave_cache *cache)
{
   if (!cache)
      return;
   for (size_t i = 0; i < dynarray_count(&cache->pages, struct page *); i++)
      free(*dynarray_at(&cache->pages, struct page *, i));
   dynarray_free(&cache->pages);
   hash_free(&cache->table);
   free(cache);
}

static struct page *
next_page(struct wave_cache *cache)
{
   if (cache->used == dynarray_count(&cache->pages, struct page *)) {
      struct page *page = need_malloc("a cache", sizeof(*page));
      dynarray_append(&cache->pages, struct page *, page);
   }
   return *dynarray_at(&cache->pages, struct page *, cache->used++);
}

static void
keep_page(struct wave_cache *cache, const struct sim_vm *vm, uint64_t va)
{
   uint64_t run_B = 0;
   const void *host = NULL;
   if (!hash_find(&cache->table, &va, sizeof(va)))
      host = sim_vm_lookup(vm, sim_va(va), SIM_READ, &run_B, NULL);
   if (!host || run_B < PAGE_B)
      return;
   struct page *page = next_page(cache);
   page->va = va;
   memcpy(page->before, host, PAGE_B);
   hash_add(&cache->table, &page->va, sizeof(va), page);
   cache->low = MIN2(cache->low, va);
   cache->high = MAX2(cache->high, va + PAGE_B);
}

void
wave_cache_note_write(struct wave *w, struct sim_va va, unsigned size_B)
{
   if (!w->engine->caches || !size_B)
      return;
   for (uint64_t page = va.va & ~(uint64_t)(PAGE_B - 1); page < va.va + size_B; page += PAGE_B)
      keep_page(w->engine->cache, w->launch->vm, page);
   dynarray_append(&w->written, struct range, ((struct range){va.va, va.va + size_B}));
}

bool
wave_cache_keeps(const struct wave *w, const struct code *c)
{
   return w->program->stage == AGX_STAGE_FRAGMENT && c->in.op == AGX_OP_STORE && !c->in.mod.coherency;
}

static bool
has_written(const struct wave *w, uint64_t va, unsigned size_B)
{
   dynarray_for_each(const struct range, range, &w->written)
      if (va < range->end && range->va < va + size_B)
         return true;
   return false;
}

bool
wave_cache_may_hold(const struct wave *w, struct sim_va va, unsigned size_B)
{
   const struct wave_cache *cache = w->engine->cache;
   return w->engine->caches && va.va < cache->high && va.va + size_B > cache->low;
}

const uint8_t *
wave_cache_read(const struct wave *w, struct sim_va va, unsigned size_B)
{
   const struct wave_cache *cache = w->engine->cache;
   uint64_t at_B = va.va % PAGE_B, page_va = va.va - at_B;
   if (!w->engine->caches || va.va < cache->low || va.va >= cache->high || at_B + size_B > PAGE_B)
      return NULL;
   const struct page *page = hash_find(&cache->table, &page_va, sizeof(page_va));
   return page && !has_written(w, va.va, size_B) ? page->before + at_B : NULL;
}

bool
wave_cache_is_empty(const struct wave *w)
{
   return !w->engine->caches || !w->engine->cache->used;
}

void
wave_cache_swap(const struct wave *w, const uint64_t va[LANES], unsigned size_B, uint8_t kept[LANES][16])
{
   for (unsigned l = 0; l < LANES && size_B <= 16; l++) {
      uint64_t run_B = 0;
      const uint8_t *before = va[l] ? wave_cache_read(w, sim_va(va[l]), size_B) : NULL;
      uint8_t *host = before ? sim_vm_lookup(w->launch->vm, sim_va(va[l]), SIM_READ, &run_B, NULL) : NULL;
      if (!host || run_B < size_B)
         continue;
      memcpy(kept[l], host, size_B);
      memcpy(host, before, size_B);
   }
}

void
wave_cache_swap_back(const struct wave *w, const uint64_t va[LANES], unsigned size_B, const uint8_t kept[LANES][16])
{
   for (unsigned l = LANES; l-- > 0 && size_B <= 16;) { /* two lanes may have the same texel */
      uint64_t run_B = 0;
      const uint8_t *before = va[l] ? wave_cache_read(w, sim_va(va[l]), size_B) : NULL;
      uint8_t *host = before ? sim_vm_lookup(w->launch->vm, sim_va(va[l]), SIM_READ, &run_B, NULL) : NULL;
      if (host && run_B >= size_B)
         memcpy(host, kept[l], size_B);
   }
}
