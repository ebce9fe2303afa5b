#include "amd/sim/cache/meta_cache.h"

#include <stdlib.h>

#include "amd/sim/cache/cache_private.h"
#include "util/within_memory.h"

/* Made if there are none; other threads may do so at the same time. */
static struct amd_meta_lines *
get_lines(struct amd_caches *c, struct amd_cache_page *page)
{
   struct amd_meta_lines *lines = atomic_load_explicit(&page->meta, memory_order_acquire);
   if (lines)
      return lines;
   struct amd_meta_lines *fresh = need_calloc("lines of metadata", 1, sizeof(*fresh));
   if (!atomic_compare_exchange_strong(&page->meta, &lines, fresh)) {
      free(fresh);
      return lines;
   }
   fresh->next = atomic_load(&c->meta_lines);
   while (!atomic_compare_exchange_weak(&c->meta_lines, &fresh->next, fresh))
      ;
   return fresh;
}

void
amd_meta_invalidate(struct amd_caches *c, unsigned which)
{
   for (struct amd_meta_lines *lines = c->meta_lines; lines; lines = lines->next)
      for (unsigned i = 0; i < AMD_META_CACHES; i++)
         if (which >> i & 1)
            lines->in[i].held = lines->in[i].stale = 0;
}

void
cache_meta_written(struct amd_meta_lines *lines, uint32_t line_mask, unsigned by)
{
   for (unsigned i = 0; i < AMD_META_CACHES; i++) {
      uint32_t old = i != by ? atomic_load_explicit(&lines->in[i].held, memory_order_relaxed) & line_mask : 0;
      if (old)
         atomic_fetch_or_explicit(&lines->in[i].stale, old, memory_order_relaxed);
   }
}

/* The line comes in; whether it was there and is stale. */
static bool
hold(struct amd_meta_lines *lines, enum amd_meta_cache cache, unsigned line)
{
   if (!(atomic_load_explicit(&lines->in[cache].held, memory_order_relaxed) >> line & 1))
      atomic_fetch_or_explicit(&lines->in[cache].held, 1u << line, memory_order_relaxed);
   return atomic_load_explicit(&lines->in[cache].stale, memory_order_relaxed) >> line & 1;
}

/* What was written last there; a line is stale by a write that was marked, or one of the texture units. */
static uint64_t
newest_tag(const struct amd_cache_page *page, unsigned line)
{
   uint64_t tag = order_line_tag(page, line);
   return tag ? tag : UINT64_MAX;
}

uint64_t
amd_meta_look(struct amd_caches *c, enum amd_meta_cache cache, struct sim_va va)
{
   struct amd_cache_page *page = cache_page(c, va.va, true);
   unsigned line = va.va >> AMD_CACHE_LINE_LOG2 & 31;
   return hold(get_lines(c, page), cache, line) ? newest_tag(page, line) : 0;
}

void
amd_meta_read_slow(struct amd_cache_port *port, struct sim_va va)
{
   struct amd_cache_page *page = cache_port_page(port, va.va);
   unsigned line = va.va >> AMD_CACHE_LINE_LOG2 & 31;
   if (atomic_load_explicit(&page->written, memory_order_relaxed) >> line & 1)
      amd_order_check_load(port, page, va, 1);
   if (!hold(get_lines(port->caches, page), AMD_META_CACHE_TEX, line) || port->hazard.tag)
      return;
   port->hazard.tag = newest_tag(page, line);
   port->hazard.va = va;
   port->hazard.stale_meta = true;
}

void
amd_meta_store(struct amd_cache_port *port, struct sim_va va)
{
   struct amd_cache_page *page = cache_port_page(port, va.va);
   struct amd_meta_lines *lines = atomic_load_explicit(&page->meta, memory_order_acquire);
   if (lines)
      cache_meta_written(lines, 1u << (va.va >> AMD_CACHE_LINE_LOG2 & 31), AMD_META_CACHE_TEX);
}

bool
amd_meta_fault(const struct amd_caches *c, enum amd_meta_cache cache, uint64_t tag, struct sim_va at,
               struct sim_fault *fault)
{
   static const struct {
      const char *who, *missing;
   } texts[AMD_META_CACHES] = {
      [AMD_META_CACHE_TEX] = {"the texture units'", "GLM_INV (GFX9: TC_ACTION with metadata)"},
      [AMD_META_CACHE_CB] = {"CB's", "FLUSH_AND_INV_CB_META or CACHE_FLUSH_AND_INV_TS"},
      [AMD_META_CACHE_DB] = {"DB's", "FLUSH_AND_INV_DB_META (not on GFX11) or CACHE_FLUSH_AND_INV_TS"},
   };
   char writer[96];
   amd_order_writer(c, tag, writer, sizeof(writer));
   return sim_fault_set(fault, SIM_FAULT_HAZARD, at,
                        "read of metadata at 0x%llx from %s cache, which has what was there before %s: no %s since",
                        (unsigned long long)at.va, texts[cache].who, writer, texts[cache].missing);
}
