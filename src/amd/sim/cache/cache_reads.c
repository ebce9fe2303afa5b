/* The usual loads: of lines that nobody wrote, by waves that gave up none. They find memory, and bring lines into
 * caches at most: that is noted where no other thread looks, once for each wave and page, and comes in later. */
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

bool
amd_cache_read_lines(struct amd_cache_port *port, unsigned path, uint64_t page_number, uint32_t lines)
{
   struct amd_caches *c = port->caches;
   const unsigned scalar = path & AMD_PATH_SCALAR;
   const uint16_t l1 = path & AMD_PATH_DLC ? CACHE_MAX : port->l1;
   if (path & AMD_PATH_GLC || amd_cache_port_changes(port) || c->reference)
      return false;
   struct amd_cache_memo *memo = find_known(port, page_number);
   struct amd_cache_page *page = memo->lines;
   uint32_t written = atomic_load_explicit(&page->written, memory_order_relaxed);
   if ((page->stale_lines | written) & lines || evicts(port, path, page, lines))
      return false;
   if (!memo->read[scalar]) {
      struct cache_read *read = memo->read[scalar] = new_read(c);
      if (!read)
         return false;
      *read = (struct cache_read){.page = page, .cache = scalar ? port->scalar : port->l0, .l1 = l1};
      if (l1 != CACHE_MAX && !atomic_load_explicit(&c->reads_pass_l1, memory_order_relaxed))
         atomic_store_explicit(&c->reads_pass_l1, true, memory_order_relaxed);
      if (atomic_load_explicit(&page->noted, memory_order_relaxed) != c->reads_serial)
         atomic_store_explicit(&page->noted, c->reads_serial, memory_order_relaxed);
   }
   if (memo->read[scalar]->l1 != l1)
      return false;
   memo->known[scalar] |= lines;
   memo->read[scalar]->lines = memo->known[scalar];
   return true;
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
   for (uint32_t b = 0; b < looked; b++) {
      const struct cache_reads *block = c->reads[b];
      for (uint32_t i = 0; block && i < block->count; i++) {
         const struct cache_read *read = &block->list[i];
         uint32_t lines = is_lost(read, lost) ? 0 : read->lines & ~cache_present(c, read->page, read->cache);
         if (lines && read->l1 != CACHE_MAX)
            cache_add_lines(c, read->page, lines, read->l1);
         if (lines)
            cache_add_lines(c, read->page, lines, read->cache);
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
