/* What happens to caches in the serial phase: writes to memory, invalidates, the ends of jobs. */
#include "amd/sim/cache/cache_private.h"

#include <stdlib.h>
#include <string.h>

#include "util/macros.h"
#include "util/within_memory.h"

static bool
is_empty(const struct cache_set *set)
{
   uint64_t any = 0;
   for (unsigned i = 0; i < CACHE_MAX / 64; i++)
      any |= set->bits[i];
   return !any;
}

/* Frees versions of a line that nobody holds. */
static void
sweep_line(struct amd_cache_page *page, unsigned line)
{
   for (struct amd_cache_version **at = &page->versions->of_line[line], *v; (v = *at);) {
      if (is_empty(&v->holders)) {
         *at = v->next;
         free(v);
      } else {
         at = &v->next;
      }
   }
   if (!page->versions->of_line[line])
      page->stale_lines &= ~(1u << line);
}

/* The page has no version left. */
static void
forget_stale(struct amd_caches *c, const struct amd_cache_page *page)
{
   struct amd_cache_page **pages = c->stale.data;
   struct amd_cache_page *last = pages[dynarray_count(&c->stale, struct amd_cache_page *) - 1];
   pages[page->versions->number] = last;
   last->versions->number = page->versions->number;
   c->stale.size_B -= sizeof(*pages);
}

void
cache_free_versions(struct amd_cache_page *page)
{
   for (uint32_t stale = page->stale_lines; stale; stale &= stale - 1) {
      for (struct amd_cache_version *v = page->versions->of_line[__builtin_ctz(stale)], *after; v; v = after) {
         after = v->next;
         free(v);
      }
   }
   free(page->versions);
}

/* Holders of a line, without one cache, that do not hold an older version of it already. False: there are none. */
static bool
collect_holders(const struct amd_caches *c, const struct amd_cache_page *page, unsigned line, unsigned without,
                struct cache_set *set, bool *live)
{
   struct cache_set older = {0};
   *set = (struct cache_set){0};
   *live = false;
   for (const struct amd_cache_version *v = page->stale_lines >> line & 1 ? page->versions->of_line[line] : NULL; v;
        v = v->next)
      for (unsigned i = 0; i < CACHE_MAX / 64; i++)
         older.bits[i] |= v->holders.bits[i];
   for (unsigned k = 0; k < CACHE_MAX / 64; k++) {
      for (uint64_t readers = page->readers[k]; readers; readers &= readers - 1) {
         const unsigned cache = 64 * k + (unsigned)__builtin_ctzll(readers);
         if (!(cache_present(c, page, cache) >> line & 1))
            continue;
         *live = true;
         if (!cache_set_has(&older, cache) && cache != without)
            cache_set_add(set, cache);
      }
   }
   return !is_empty(set);
}

static struct amd_cache_version *
keep_version(struct amd_caches *c, struct amd_cache_page *page, unsigned line, const struct cache_set *holders,
             const uint8_t *data)
{
   if (!page->versions)
      page->versions = need_calloc("older lines", 1, sizeof(*page->versions));
   struct amd_cache_version *v = need_malloc("an older line", sizeof(*v));
   struct amd_cache_version **first = &page->versions->of_line[line];
   v->next = *first;
   v->line = line;
   v->holders = *holders;
   memcpy(v->data, data, CACHE_LINE_B);
   if (!page->stale_lines) {
      page->versions->number = (uint32_t)dynarray_count(&c->stale, struct amd_cache_page *);
      dynarray_append(&c->stale, struct amd_cache_page *, page);
   }
   *first = v;
   page->stale_lines |= 1u << line;
   for (unsigned i = 0; i < CACHE_MAX / 64; i++)
      c->held.bits[i] |= holders->bits[i];
   return v;
}

void
cache_keep_versions(struct amd_caches *c, struct amd_cache_page *page, uint32_t lines, unsigned without,
                    const uint8_t *old)
{
   c->stored.line = 0;
   for (lines &= page->lines_read; lines; lines &= lines - 1) {
      unsigned line = (unsigned)__builtin_ctz(lines);
      struct cache_set holders;
      bool live;
      uint64_t run_B;
      if (collect_holders(c, page, line, without, &holders, &live)) {
         const uint8_t *data =
            old ? old + line * CACHE_LINE_B
                : sim_vm_lookup(c->vm, sim_va(page->va + line * CACHE_LINE_B), SIM_READ, &run_B, NULL);
         if (data)
            keep_version(c, page, line, &holders, data);
      } else if (!live) {
         page->lines_read &= ~(1u << line);
      }
   }
}

void
cache_add_lines(struct amd_caches *c, struct amd_cache_page *page, uint32_t lines, unsigned cache)
{
   lines &= ~cache_present(c, page, cache);
   if (!lines)
      return;
   c->stored.line = 0;
   for (uint32_t stale = lines & page->stale_lines; stale; stale &= stale - 1) {
      struct amd_cache_version *v = cache_held_version(page, (unsigned)__builtin_ctz(stale), c->parent[cache]);
      if (v) {
         cache_set_add(&v->holders, cache);
         cache_set_add(&c->held, cache);
      }
   }
   struct amd_cache_lines *in = cache_lines(page, cache);
   in->present = cache_present(c, page, cache) | lines;
   in->epoch = c->epoch[cache];
   page->readers[cache / 64] |= UINT64_C(1) << cache % 64;
   page->last_read = page->region->last_read = c->clock;
   page->lines_read |= lines;
}

static void
merge_page(struct amd_caches *c, struct amd_cache_page *page, unsigned cache)
{
   struct amd_cache_lines *in = cache_lines(page, cache);
   uint32_t lines = in->incoming;
   in->incoming = 0;
   cache_add_lines(c, page, lines, cache);
}

/* Without the reads of caches that lose everything (may be NULL). */
static void
merge_without(struct amd_caches *c, const struct cache_set *lost)
{
   cache_merge_reads(c, lost);
   uint32_t count = c->fill_count;
   c->fill_count = 0;
   for (uint32_t i = 0; i < count && count <= CACHE_FILLS; i++) {
      const struct cache_fill *soon = &c->fills[MIN2(i + 8, count - 1)];
      __builtin_prefetch(cache_lines(soon->page, soon->cache), 1);
      merge_page(c, c->fills[i].page, c->fills[i].cache);
   }
   for (unsigned b = 0; b < CACHE_BUCKETS && count > CACHE_FILLS; b++)
      for (struct cache_region *r = c->regions[b]; r; r = r->next)
         for (unsigned i = 0; i < CACHE_REGION_PAGES; i++)
            for (unsigned cache = 0; r->pages[i] && r->pages[i]->in && cache < c->count; cache++)
               merge_page(c, r->pages[i], cache);
}

void
cache_merge_fills(struct amd_caches *c)
{
   merge_without(c, NULL);
}

void
cache_drop_line(struct amd_caches *c, struct amd_cache_page *page, unsigned line, unsigned cache)
{
   if (!(cache_present(c, page, cache) >> line & 1))
      return;
   c->stored.line = 0;
   cache_lines(page, cache)->present &= ~(1u << line);
   if (!(page->stale_lines >> line & 1))
      return;
   for (struct amd_cache_version *v = page->versions->of_line[line]; v; v = v->next)
      v->holders.bits[cache / 64] &= ~(UINT64_C(1) << cache % 64);
   sweep_line(page, line);
   if (!page->stale_lines)
      forget_stale(c, page);
}

/* Nobody of the set holds a version of the page. */
static void
take_holders(struct amd_cache_page *page, const struct cache_set *set)
{
   for (uint32_t stale = page->stale_lines; stale; stale &= stale - 1) {
      const unsigned line = (unsigned)__builtin_ctz(stale);
      for (struct amd_cache_version *v = page->versions->of_line[line]; v; v = v->next)
         for (unsigned i = 0; i < CACHE_MAX / 64; i++)
            v->holders.bits[i] &= ~set->bits[i];
      sweep_line(page, line);
   }
}

void
cache_invalidate_set(struct amd_caches *c, const struct cache_set *set)
{
   bool any = false;
   c->stored.line = 0;
   c->clock++;
   c->oldest_epoch = c->clock;
   for (unsigned i = 0; i < c->count; i++) {
      if (cache_set_has(set, i)) {
         any |= cache_set_has(&c->held, i);
         c->epoch[i] = c->clock;
      }
      c->oldest_epoch = MIN2(c->oldest_epoch, c->epoch[i]);
   }
   if (!any)
      return;
   for (unsigned i = 0; i < CACHE_MAX / 64; i++)
      c->held.bits[i] &= ~set->bits[i];
   for (size_t p = dynarray_count(&c->stale, struct amd_cache_page *); p-- > 0;) {
      struct amd_cache_page *page = ((struct amd_cache_page **)c->stale.data)[p];
      take_holders(page, set);
      if (!page->stale_lines)
         forget_stale(c, page);
   }
}

void
amd_caches_invalidate(struct amd_caches *c, unsigned levels)
{
   struct cache_set set = {0};
   c->code_epoch += (levels & AMD_CACHE_CODE) != 0;
   if (!(levels & ~(unsigned)AMD_CACHE_CODE))
      return;
   for (unsigned i = 0; i < c->count; i++)
      if (c->level[i] & levels)
         cache_set_add(&set, i);
   merge_without(c, &set);
   cache_invalidate_set(c, &set);
}

/* Lines of a page change. */
static void
write_lines(struct amd_caches *c, struct amd_cache_page *page, uint64_t first_va, uint64_t end_va)
{
   if (page->last_read < c->oldest_epoch)
      return;
   unsigned first = first_va >> AMD_CACHE_LINE_LOG2 & 31, last = (end_va - 1) >> AMD_CACHE_LINE_LOG2 & 31;
   cache_keep_versions(c, page, (2u << last) - (1u << first), CACHE_MAX, NULL);
}

/* A stale line of a cache takes bytes that its wave stores: what others wrote around them stays unseen. */
static void
patch_version(struct amd_caches *c, struct amd_cache_page *page, struct amd_cache_version *v, unsigned cache,
              uint64_t va, uint64_t size_B, const uint8_t *data)
{
   /* size: a range of bytes in a version */
   struct cache_set own = {0};
   cache_set_add(&own, cache);
   if (memcmp(&v->holders, &own, sizeof(own))) {
      v->holders.bits[cache / 64] &= ~own.bits[cache / 64];
      v = keep_version(c, page, v->line, &own, v->data);
   }
   uint64_t line_va = page->va + v->line * CACHE_LINE_B;
   uint64_t first = MAX2(va, line_va), end = MIN2(va + size_B, line_va + CACHE_LINE_B);
   memcpy(v->data + (first - line_va), data + (first - va), end - first);
}

/* Stores write through. They leave no line in the L1 on their way. In the writer's own L0 the line takes the new
 * bytes and stays as it is, unless the store evicts it (data: NULL). */
static void
store_lines(struct amd_caches *c, const struct amd_cache_port *writer, struct amd_cache_page *page, uint64_t va,
            uint64_t size_B, const uint8_t *data)
{
   if (page->last_read < c->oldest_epoch)
      return;
   unsigned first = va >> AMD_CACHE_LINE_LOG2 & 31, last = (va + size_B - 1) >> AMD_CACHE_LINE_LOG2 & 31;
   uint32_t lines = ((2u << last) - (1u << first)) & page->lines_read;
   for (uint32_t left = lines; left; left &= left - 1) {
      unsigned line = (unsigned)__builtin_ctz(left);
      struct amd_cache_version *held = cache_held_version(page, line, writer->l0);
      if (!data)
         cache_drop_line(c, page, line, writer->l0);
      else if (held)
         patch_version(c, page, held, writer->l0, va, size_B, data);
      cache_drop_line(c, page, line, writer->l1);
   }
   cache_keep_versions(c, page, lines, writer->l0, NULL);
}

void
amd_caches_settle(struct amd_caches *c)
{
   cache_merge_fills(c);
}

/* Bytes of a region. Where nothing has been read since every cache was emptied, none of its pages has to know. */
static void
write_region(struct amd_caches *c, uint64_t va, uint64_t end)
{
   const struct cache_region *region = cache_region(c, va, false);
   if (!region || (!c->reads_used && region->last_read < c->oldest_epoch))
      return;
   for (uint64_t at = va, next; at < end; at = next) {
      next = MIN2((at | (CACHE_PAGE_B - 1)) + 1, end);
      struct amd_cache_page *page = cache_page(c, at, false);
      if (page && page->noted == c->reads_serial)
         cache_merge_fills(c);
      if (page)
         write_lines(c, page, at, next);
   }
}

void
amd_caches_write(struct amd_caches *c, struct sim_va va, uint64_t size_B)
{
   if (!c->page_count || !size_B)
      return;
   if (c->fill_count || c->carried.size_B)
      cache_merge_fills(c);
   cache_check_host_writes(c);
   for (uint64_t at = va.va, end = at + size_B, next; at < end; at = next) {
      next = MIN2((at | (CACHE_REGION_B - 1)) + 1, end);
      write_region(c, at, next);
   }
}

static bool
is_stored_again(const struct cache_stored *stored, const struct amd_cache_port *port, uint64_t at, uint64_t end,
                bool evicts)
{
   return stored->line == (at >> AMD_CACHE_LINE_LOG2) + 1 &&
          at >> AMD_CACHE_LINE_LOG2 == (end - 1) >> AMD_CACHE_LINE_LOG2 && stored->tag == port->tag &&
          stored->l0 == port->l0 && stored->l1 == port->l1 && stored->evicts == evicts;
}

/* A store has come to the line, as others like it would. */
static void
note_stored(struct amd_caches *c, const struct amd_cache_port *port, struct amd_cache_page *page, uint64_t at,
            bool evicts)
{
   const unsigned line = at >> AMD_CACHE_LINE_LOG2 & 31;
   c->stored = (struct cache_stored){.line = c->reference ? 0 : (at >> AMD_CACHE_LINE_LOG2) + 1,
                                     .tag = port->tag,
                                     .l0 = port->l0,
                                     .l1 = port->l1,
                                     .evicts = evicts,
                                     .page = page,
                                     .held = evicts ? NULL : cache_held_version(page, line, port->l0)};
}

uint64_t
amd_cache_store(struct amd_cache_port *port, struct sim_va va, uint64_t size_B, const void *data,
                struct sim_va *hazard)
{
   struct amd_caches *c = port->caches;
   if (c->fill_count || c->reads_used)
      cache_merge_fills(c);
   if (c->carried.size_B)
      cache_check_host_writes(c);
   if (is_stored_again(&c->stored, port, va.va, va.va + size_B, !data)) {
      if (c->stored.held)
         memcpy(c->stored.held->data + va.va % CACHE_LINE_B, data, size_B);
      order_mark_more(c->stored.page, port->tag, va.va, (unsigned)size_B);
      return 0;
   }
   c->stored.line = 0;
   for (uint64_t at = va.va, end = at + size_B, next; at < end; at = next) {
      next = MIN2((at | (CACHE_PAGE_B - 1)) + 1, end);
      struct amd_cache_page *page = cache_port_page(port, at);
      uint64_t tag = page->written ? order_check_store(port, page, at, next, hazard) : 0;
      if (tag)
         return tag;
      store_lines(c, port, page, at, next - at, data ? (const uint8_t *)data + (at - va.va) : NULL);
      order_mark_lines(page, port->tag, at, next);
      if (size_B < CACHE_LINE_B)
         note_stored(c, port, page, next - 1, !data);
   }
   return 0;
}

bool
amd_cache_store_more(struct amd_cache_port *port, const struct sim_vm_pieces *p, bool evicts)
{
   struct amd_caches *c = port->caches;
   const struct cache_stored *stored = &c->stored;
   if (c->fill_count || c->reads_used || c->carried.size_B ||
       !is_stored_again(stored, port, p->va.va, sim_vm_pieces_end(p), evicts))
      return false;
   for (uint32_t i = 0; i < p->count && stored->held; i++)
      memcpy(stored->held->data + p->va.va % CACHE_LINE_B + i * p->step_B, p->data + i * p->piece_B, p->piece_B);
   order_mark_pieces(stored->page, port->tag, p);
   return true;
}

void
amd_cache_port_commit(struct amd_cache_port *port)
{
   struct amd_caches *c = port->caches;
   if (!c || !amd_cache_port_changes(port))
      return;
   struct cache_set set = {0};
   cache_merge_fills(c);
   if (port->invalidated & AMD_CACHE_L0)
      cache_set_add(&set, port->l0);
   if (port->invalidated & AMD_CACHE_SCALAR)
      cache_set_add(&set, port->scalar);
   if (port->invalidated & AMD_CACHE_L1)
      cache_set_add(&set, port->l1);
   if (port->invalidated & AMD_CACHE_CODE)
      c->code_epoch++;
   if (port->invalidated & ~AMD_CACHE_CODE)
      cache_invalidate_set(c, &set);
   for (unsigned i = 0; i < port->drop_count; i++) {
      struct amd_cache_page *page = cache_page(c, port->drops[i].line_va, false);
      unsigned level = port->drops[i].level;
      if (page)
         cache_drop_line(c, page, port->drops[i].line_va >> AMD_CACHE_LINE_LOG2 & 31,
                         level == AMD_CACHE_L0   ? port->l0
                         : level == AMD_CACHE_L1 ? port->l1
                                                 : port->scalar);
   }
   port->invalidated = port->drop_count = 0;
}

/* Lines that live on after the end of a job: the host may write their memory before the next one, unseen. */
void
amd_caches_job_end(struct amd_caches *c)
{
   if (c->fill_count)
      cache_merge_fills(c);
   c->carried.size_B = 0;
   for (unsigned b = 0; b < CACHE_BUCKETS; b++) {
      for (struct cache_region *r = c->regions[b]; r; r = r->next) {
         for (unsigned i = 0; i < CACHE_REGION_PAGES; i++) {
            struct amd_cache_page *page = r->pages[i];
            uint64_t run_B;
            if (!page || (page->last_read < c->oldest_epoch && page->noted != c->reads_serial))
               continue;
            const void *host = sim_vm_lookup(c->vm, sim_va(page->va), SIM_READ, &run_B, NULL);
            if (!host)
               continue;
            struct cache_carried *out = dynarray_grow(&c->carried, sizeof(*out));
            out->page = page;
            memcpy(out->data, host, CACHE_PAGE_B);
         }
      }
   }
}

void
cache_check_host_writes(struct amd_caches *c)
{
   dynarray_for_each(struct cache_carried, it, &c->carried) {
      uint64_t run_B;
      uint32_t lines = 0;
      const uint8_t *now = sim_vm_lookup(c->vm, sim_va(it->page->va), SIM_READ, &run_B, NULL);
      if (!now || it->page->last_read < c->oldest_epoch)
         continue;
      for (unsigned at = 0; at < CACHE_PAGE_B; at += CACHE_LINE_B)
         lines |= (uint32_t)(memcmp(now + at, it->data + at, CACHE_LINE_B) != 0) << at / CACHE_LINE_B;
      cache_keep_versions(c, it->page, lines, CACHE_MAX, it->data);
   }
   c->carried.size_B = 0;
}
