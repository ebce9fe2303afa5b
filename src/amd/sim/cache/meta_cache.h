/* Caches of metadata (DCC, CMASK, FMASK, HTILE): that of the texture units, which stands at L2, and those of CB and
 * DB. They go stale like the others, and hold no data either: whoever finds a line there that something else has
 * written since it came in is a hazard, and not old data. docs/caches.md says what invalidates them. */
#ifndef INDIUM_AMD_SIM_META_CACHE_H
#define INDIUM_AMD_SIM_META_CACHE_H

#include <stddef.h>

#include "amd/sim/cache/cache.h"

enum amd_meta_cache {
   AMD_META_CACHE_TEX, /* GLM; on GFX9 L2's metadata */
   AMD_META_CACHE_CB,
   AMD_META_CACHE_DB,
   AMD_META_CACHES,
};

/* The lines of a page, by cache. */
struct amd_meta_lines {
   struct amd_meta_lines *next; /* of all pages' */
   struct {
      _Atomic uint32_t held, stale;
   } in[AMD_META_CACHES];
};

/* Bits by cache: they lose all lines. Serial phase. */
void amd_meta_invalidate(struct amd_caches *caches, unsigned which);

/* CB or DB reads or writes a line, serial phase. Returns the tag (order.h) of the write that it does not know of; 0:
 * there is none. */
uint64_t amd_meta_look(struct amd_caches *caches, enum amd_meta_cache cache, struct sim_va va);

/* The texture unit writes a byte itself: it is old in the others. Any phase. */
void amd_meta_store(struct amd_cache_port *port, struct sim_va va);

/* SIM_FAULT_HAZARD that names the write and what is missing after it. Returns false. */
bool amd_meta_fault(const struct amd_caches *caches, enum amd_meta_cache cache, uint64_t tag, struct sim_va at,
                    struct sim_fault *fault);

void amd_meta_read_slow(struct amd_cache_port *port, struct sim_va va);

/* The texture unit reads metadata; what it must not find is noted in the port. Any phase. */
static inline void
amd_meta_read(struct amd_cache_port *port, struct sim_va va)
{
   uint64_t number = va.va >> AMD_CACHE_PAGE_LOG2;
   unsigned slot = number % AMD_CACHE_MEMO, line = va.va >> AMD_CACHE_LINE_LOG2 & 31;
   const struct amd_cache_page *page = port->memo[slot].page == number + 1 ? port->memo[slot].lines : NULL;
   const struct amd_meta_lines *meta = page ? atomic_load_explicit(&page->meta, memory_order_acquire) : NULL;
   if (meta) {
      uint32_t held = atomic_load_explicit(&meta->in[AMD_META_CACHE_TEX].held, memory_order_relaxed);
      uint32_t slow = atomic_load_explicit(&meta->in[AMD_META_CACHE_TEX].stale, memory_order_relaxed) |
                      atomic_load_explicit(&page->written, memory_order_relaxed);
      if ((held & ~slow) >> line & 1)
         return;
   }
   amd_meta_read_slow(port, va);
}

#endif
