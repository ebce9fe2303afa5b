/* The usual loads: by waves that gave up no line, of lines where no write is under way that they may not meet. They
 * bring lines into caches at most: that is noted where no other thread looks, once for each wave and page, and comes
 * in later. */
#include "amd/sim/cache/cache_private.h"

#include <stdlib.h>

#include "util/macros.h"
#include "util/within_memory.h"

enum { BLOCK_READS = 1023 };

/* Those of one thread. */
struct cache_reads {
   uint32_t count;
   struct cache_read list[BLOCK_READS];
};

/* NULL: there is no place for more. */
static struct cache_read *
new_read(struct amd_caches *c)
{
   static _Thread_local struct {
      uint64_t serial;
      struct cache_reads *block;
   } own;
   if (own.serial != c->reads_serial || own.block->count == BLOCK_READS) {
      uint32_t number = atomic_fetch_add_explicit(&c->reads_used, 1, memory_order_relaxed);
      own.serial = 0;
      if (number >= CACHE_READ_BLOCKS)
         return NULL;
      own.block = c->reads[number] ? c->reads[number] : need_malloc("reads", sizeof(*own.block));
      own.block->count = 0;
      c->reads[number] = own.block;
      own.serial = c->reads_serial;
   }
   return &own.block->list[own.block->count++];
}

/* What the wave knows of a page, nothing at first. */
static struct amd_cache_memo *
find_known(struct amd_cache_port *port, uint64_t page_number)
{
   if (port->known_since != *port->since) {
      port->known_in++;
      port->known_since = *port->since;
   }
   struct amd_cache_page *page = cache_port_page(port, page_number << AMD_CACHE_PAGE_LOG2);
   struct amd_cache_memo *memo = &port->memo[page_number % AMD_CACHE_MEMO];
   if (memo->known_in != port->known_in)
      *memo = (struct amd_cache_memo){.page = memo->page, .lines = page, .known_in = port->known_in};
   return memo;
}

/* Where they lie in L1, a load that passes by it and misses the first cache evicts them there. */
static bool
evicts(const struct amd_cache_port *port, unsigned path, const struct amd_cache_page *page, uint32_t lines)
{
   return path & AMD_PATH_DLC && cache_present(port->caches, page, port->l1) & lines;
}

/* What a load finds in a line that has older versions, NULL: what memory has. */
static const struct amd_cache_version *
find_old(const struct amd_cache_port *port, unsigned path, const struct amd_cache_page *page, unsigned line)
{
   const unsigned cache = path & AMD_PATH_SCALAR ? port->scalar : port->l0;
   if (cache_present(port->caches, page, cache) >> line & 1)
      return cache_held_version(page, line, cache);
   return cache_present(port->caches, page, port->l1) >> line & 1 ? cache_held_version(page, line, port->l1) : NULL;
}

/* False: one may be being written. After a hazard, which may be forgotten and met again, all that were are. */
static bool
look_at_lines(struct amd_cache_port *port, unsigned path, struct amd_cache_page *page, uint32_t lines, uint32_t *old)
{
   const uint32_t written = atomic_load_explicit(&page->written, memory_order_relaxed);
   for (uint32_t left = lines & (page->stale_lines | written); left; left &= left - 1) {
      const unsigned line = (unsigned)__builtin_ctz(left);
      if (written >> line & 1 && (port->hazard.tag || order_may_meet(port, page, line)))
         return false;
      if (page->stale_lines >> line & 1 && find_old(port, path, page, line))
         *old |= 1u << line;
   }
   return true;
}

/* Loads that pass by both caches change nothing where neither of these has the lines. */
static bool
pass_lines(struct amd_cache_port *port, unsigned path, struct amd_cache_page *page, uint32_t lines)
{
   const struct amd_caches *c = port->caches;
   uint32_t old = 0;
   return path & AMD_PATH_DLC &&
          !((cache_present(c, page, path & AMD_PATH_SCALAR ? port->scalar : port->l0) |
             cache_present(c, page, port->l1)) &
            lines) &&
          look_at_lines(port, path, page, lines, &old);
}

/* False: there is no place for it. */
static bool
note_read(struct amd_cache_port *port, struct amd_cache_memo *memo, unsigned scalar, uint16_t l1)
{
   struct amd_caches *c = port->caches;
   struct cache_read *read = memo->read[scalar] = new_read(c);
   if (!read)
      return false;
   memo->dlc[scalar] = l1 == CACHE_MAX ? AMD_PATH_DLC : 0;
   *read = (struct cache_read){.page = memo->lines, .cache = scalar ? port->scalar : port->l0, .l1 = l1};
   if (l1 != CACHE_MAX && !atomic_load_explicit(&c->reads_pass_l1, memory_order_relaxed))
      atomic_store_explicit(&c->reads_pass_l1, true, memory_order_relaxed);
   if (atomic_load_explicit(&memo->lines->noted, memory_order_relaxed) != c->reads_serial)
      atomic_store_explicit(&memo->lines->noted, c->reads_serial, memory_order_relaxed);
   return true;
}

bool
amd_cache_read_lines(struct amd_cache_port *port, unsigned path, uint64_t page_number, uint32_t lines, uint32_t *old)
{
   struct amd_caches *c = port->caches;
   const unsigned scalar = path & AMD_PATH_SCALAR;
   const uint16_t l1 = path & AMD_PATH_DLC ? CACHE_MAX : port->l1;
   *old = 0;
   if (amd_cache_port_changes(port) || c->reference)
      return false;
   struct amd_cache_memo *memo = find_known(port, page_number);
   struct amd_cache_page *page = memo->lines;
   if (path & AMD_PATH_GLC)
      return pass_lines(port, path, page, lines);
   const uint32_t written = atomic_load_explicit(&page->written, memory_order_relaxed);
   if ((page->stale_lines | written) & lines && (path & AMD_PATH_DLC || !look_at_lines(port, path, page, lines, old)))
      return false;
   if (evicts(port, path, page, lines) || (!memo->read[scalar] && !note_read(port, memo, scalar, l1)) ||
       memo->read[scalar]->l1 != l1)
      return false;
   memo->known[scalar] |= lines & ~*old;
   memo->read[scalar]->lines |= lines;
   return true;
}

const uint8_t *
amd_cache_old_line(struct amd_cache_port *port, unsigned path, struct sim_va va)
{
   const struct amd_cache_version *v =
      find_old(port, path, cache_port_page(port, va.va), va.va >> AMD_CACHE_LINE_LOG2 & 31);
   return v ? v->data : NULL;
}

static bool
is_lost(const struct cache_read *read, const struct cache_set *lost)
{
   return lost && cache_set_has(lost, read->cache) && (read->l1 == CACHE_MAX || cache_set_has(lost, read->l1));
}

/* The same of every read. */
static bool
are_lost(const struct amd_caches *c, const struct cache_set *lost)
{
   for (unsigned i = 0; lost && i < c->count; i++)
      if (!cache_set_has(lost, i) && (c->level[i] != AMD_CACHE_L1 || c->reads_pass_l1))
         return false;
   return lost;
}

void
cache_merge_reads(struct amd_caches *c, const struct cache_set *lost)
{
   const uint32_t used = MIN2(c->reads_used, (uint32_t)CACHE_READ_BLOCKS), looked = are_lost(c, lost) ? 0 : used;
   for (uint32_t b = 0; b < 2 * looked; b++) {
      const struct cache_reads *block = c->reads[b % looked];
      const bool ends_in_l1 = b < looked; /* first of all: another read may bring the lines into the first cache */
      for (uint32_t i = 0; block && i < block->count; i++) {
         const struct cache_read *read = &block->list[i];
         const uint16_t cache = ends_in_l1 ? read->l1 : read->cache;
         const uint32_t lines = is_lost(read, lost) ? 0 : read->lines & ~cache_present(c, read->page, read->cache);
         if (lines && cache != CACHE_MAX)
            cache_add_lines(c, read->page, lines, cache);
      }
   }
   if (used)
      cache_forget_reads(c);
}

void
cache_forget_reads(struct amd_caches *c)
{
   c->reads_used = 0;
   c->reads_pass_l1 = false;
   c->reads_serial = cache_new_serial();
}

void
cache_free_reads(struct amd_caches *c)
{
   for (unsigned i = 0; i < CACHE_READ_BLOCKS; i++)
      free(c->reads[i]);
}
