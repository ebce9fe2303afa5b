/* Units and their caches; loads. */
#include "amd/sim/cache/cache_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "amd/hw/chips.h"
#include "sim/waves/schedule.h"
#include "util/macros.h"
#include "util/within_memory.h"

static void *
allocate(size_t size_B)
{
   return need_calloc("caches", 1, size_B);
}

static uint16_t
add_cache(struct amd_caches *c, enum amd_cache_level level, uint16_t l1)
{
   assert(c->count < CACHE_MAX && "no chip has more caches");
   c->level[c->count] = (uint8_t)level;
   c->parent[c->count] = level == AMD_CACHE_L1 ? (uint16_t)c->count : l1;
   return (uint16_t)c->count++;
}

static unsigned
wgps_per_sa(const struct amd_chip *chip)
{
   return (chip->num_cu_per_sa + 1) / 2;
}

/* An L1 for each array, and three caches for each WGP. */
bool
amd_caches_fit(const struct amd_chip *chip)
{
   return (uint64_t)chip->num_se * chip->num_sa_per_se * (1 + 3 * wgps_per_sa(chip)) <= CACHE_MAX;
}

/* Bits of the chip's CU bitmap go in pairs: a WGP is there if one of its compute units is. */
static void
add_units(struct amd_caches *c, const struct amd_chip *chip)
{
   for (unsigned i = 0; i < chip->num_se * chip->num_sa_per_se; i++)
      add_cache(c, AMD_CACHE_L1, 0);
   /* Neighbours in the list are on different shader arrays. */
   for (unsigned pair = 0; pair < wgps_per_sa(chip); pair++) {
      for (unsigned sa = 0; sa < chip->num_sa_per_se; sa++) {
         for (unsigned se = 0; se < chip->num_se; se++) {
            uint32_t units = amd_chip_cu_bits(chip, se, sa) >> 2 * pair & 3;
            if (!units)
               continue;
            struct cache_wgp *wgp = &c->wgps[c->wgp_count++];
            wgp->l1 = (uint16_t)(se * chip->num_sa_per_se + sa);
            wgp->scalar = add_cache(c, AMD_CACHE_SCALAR, wgp->l1);
            wgp->l0[0] = add_cache(c, AMD_CACHE_L0, wgp->l1);
            wgp->l0[1] = units == 3 ? add_cache(c, AMD_CACHE_L0, wgp->l1) : wgp->l0[0];
         }
      }
   }
}

uint64_t
cache_new_serial(void)
{
   static _Atomic uint64_t last;
   return ++last;
}

struct amd_caches *
amd_caches_create(const struct amd_chip *chip)
{
   struct amd_caches *c = calloc(1, sizeof(*c));
   if (!c)
      return NULL;
   c->wgps = calloc(chip->num_se * chip->num_sa_per_se * wgps_per_sa(chip), sizeof(*c->wgps));
   c->fills = calloc(CACHE_FILLS, sizeof(*c->fills));
   if (!c->wgps || !c->fills) {
      amd_caches_destroy(c);
      return NULL;
   }
   add_units(c, chip);
   c->clock = c->oldest_epoch = 1;
   c->page_serial = cache_new_serial();
   cache_forget_reads(c);
   for (unsigned i = 0; i < c->count; i++)
      c->epoch[i] = 1;
   return c;
}

static void
forget_everything(struct amd_caches *c)
{
   c->stored.line = 0;
   c->page_serial = cache_new_serial();
   cache_forget_reads(c);
   for (unsigned b = 0; b < CACHE_BUCKETS; b++) {
      for (struct cache_region *r = c->regions[b], *next; r; r = next) {
         next = r->next;
         for (unsigned i = 0; i < CACHE_REGION_PAGES; i++) {
            struct amd_cache_page *page = r->pages[i];
            if (page) {
               cache_free_versions(page);
               free(page->in);
               free(page->writes);
               free(page->meta);
            }
            free(page);
         }
         free(r);
      }
      c->regions[b] = NULL;
   }
   c->page_count = c->fill_count = 0;
   c->meta_lines = NULL;
   c->stale.size_B = c->carried.size_B = 0;
   c->held = (struct cache_set){0};
}

void
amd_caches_destroy(struct amd_caches *c)
{
   if (!c)
      return;
   forget_everything(c);
   dynarray_free(&c->stale);
   dynarray_free(&c->carried);
   for (unsigned i = 0; i < ARRAY_SIZE(c->orders); i++)
      dynarray_free(&c->orders[i].releases);
   cache_free_reads(c);
   free(c->fills);
   free(c->wgps);
   free(c);
}

void
amd_caches_set_reference(struct amd_caches *c, bool reference)
{
   c->reference = reference;
}

struct cache_region *
cache_region(struct amd_caches *c, uint64_t va, bool create)
{
   const uint64_t number = va >> CACHE_REGION_LOG2;
   _Atomic(struct cache_region *) *slot = &c->regions[(number ^ number >> 10) % CACHE_BUCKETS];
   struct cache_region *head = atomic_load_explicit(slot, memory_order_acquire), *fresh = NULL;
   for (;;) {
      for (struct cache_region *r = head; r; r = r->next) {
         if (r->number == number) {
            free(fresh);
            return r;
         }
      }
      if (!create)
         return NULL;
      if (!fresh)
         fresh = allocate(sizeof(*fresh));
      fresh->number = number;
      fresh->next = head;
      if (atomic_compare_exchange_strong(slot, &head, fresh))
         return fresh;
   }
}

struct amd_cache_page *
cache_page(struct amd_caches *c, uint64_t va, bool create)
{
   struct cache_region *region = cache_region(c, va, create);
   if (!region)
      return NULL;
   _Atomic(struct amd_cache_page *) *slot = &region->pages[va >> AMD_CACHE_PAGE_LOG2 & (CACHE_REGION_PAGES - 1)];
   struct amd_cache_page *page = atomic_load_explicit(slot, memory_order_acquire);
   if (page || !create)
      return page;
   struct amd_cache_page *fresh = allocate(sizeof(*fresh));
   fresh->va = va & ~(uint64_t)(CACHE_PAGE_B - 1);
   fresh->region = region;
   if (atomic_compare_exchange_strong(slot, &page, fresh)) {
      c->page_count++;
      return fresh;
   }
   free(fresh);
   return page;
}

void
amd_caches_job_start(struct amd_caches *c, const struct sim_vm *vm)
{
   /* Lines of another address space: the model keeps those of one. */
   if (c->vm_serial != sim_vm_serial(vm)) {
      forget_everything(c);
      c->code_epoch++;
   }
   c->vm = vm;
   c->vm_serial = sim_vm_serial(vm);
}

void
amd_caches_launch(struct amd_caches *c)
{
   cache_merge_fills(c);
   cache_check_host_writes(c);
   if (amd_caches_are_full(c))
      forget_everything(c);
   c->launches++;
}

bool
amd_caches_are_full(const struct amd_caches *c)
{
   return c->page_count > CACHE_MAX_PAGES;
}

struct amd_cache_packet
amd_caches_packet(const struct amd_caches *c)
{
   return (struct amd_cache_packet){.number = c->orders[c->current_ring].number,
                                    .turn = (uint32_t)c->launches,
                                    .ring = c->current_ring,
                                    .ordered = c->current_ordered};
}

uint64_t
amd_caches_code_epoch(const struct amd_caches *c)
{
   return c->code_epoch;
}

void
amd_cache_port_open(struct amd_cache_port *port, struct amd_caches *c, const struct amd_cache_packet *packet,
                    enum amd_stage stage, uint32_t group, uint32_t wave, bool wgp_mode)
{
   port->caches = c;
   port->invalidated = port->drop_count = 0;
   port->hazard.tag = 0;
   port->hazard.stale_meta = false;
   if (!c)
      return;
   uint32_t turn = group + packet->turn;
   /* By chance: at a place on the screen groups may come back at any distance. */
   if (packet->crowded)
      turn = (uint32_t)sim_schedule_random(0, turn, 0) & 1;
   const struct cache_wgp *wgp = &c->wgps[turn % c->wgp_count];
   port->since = &c->reads_serial;
   port->known_since = 0;
   port->order = &c->orders[packet->ring];
   port->tag = amd_order_packet_tag(packet, AMD_WRITER_STAGES + stage);
   port->l0 = wgp->l0[wgp_mode ? wave & 1 : turn / c->wgp_count & 1];
   port->scalar = wgp->scalar;
   port->l1 = wgp->l1;
   if (port->memo_serial && port->memo_serial != c->page_serial)
      memset(port->memo, 0, sizeof(port->memo));
   port->memo_serial = c->page_serial;
}

void
amd_cache_port_invalidate(struct amd_cache_port *port, unsigned levels)
{
   port->known_in += !amd_cache_port_changes(port);
   port->invalidated |= (uint8_t)levels;
}

static bool
is_dropped(const struct amd_cache_port *port, uint64_t line_va, unsigned level)
{
   if (port->invalidated & level)
      return true;
   for (unsigned i = 0; i < port->drop_count; i++)
      if (port->drops[i].line_va == line_va && port->drops[i].level & level)
         return true;
   return false;
}

/* The line leaves the cache in the next serial phase, for this wave at once. A full list stands for all lines. */
static void
drop(struct amd_cache_port *port, uint64_t line_va, unsigned level)
{
   if (is_dropped(port, line_va, level))
      return;
   port->known_in += !amd_cache_port_changes(port);
   if (port->drop_count == AMD_CACHE_DROPS) {
      port->invalidated |= (uint8_t)level;
      return;
   }
   port->drops[port->drop_count].line_va = line_va;
   port->drops[port->drop_count++].level = (uint8_t)level;
}

/* The line comes into the cache, as its L1 has it. */
static void
fill(struct amd_caches *c, struct amd_cache_page *page, unsigned line, unsigned cache)
{
   _Atomic uint32_t *incoming = &cache_lines(page, cache)->incoming;
   if (atomic_load_explicit(incoming, memory_order_relaxed) >> line & 1)
      return;
   if (!atomic_fetch_or_explicit(incoming, 1u << line, memory_order_relaxed)) {
      uint32_t i = atomic_fetch_add_explicit(&c->fill_count, 1, memory_order_relaxed);
      if (i < CACHE_FILLS)
         c->fills[i] = (struct cache_fill){page, cache};
   }
}

/* What a load that missed the first cache finds in one line. */
static struct amd_cache_version *
read_l1(struct amd_cache_port *port, struct amd_cache_page *page, unsigned line, unsigned path)
{
   struct amd_caches *c = port->caches;
   uint64_t line_va = page->va + line * CACHE_LINE_B;
   bool present = cache_present(c, page, port->l1) >> line & 1;
   if (path & AMD_PATH_DLC) {
      if (present)
         drop(port, line_va, AMD_CACHE_L1);
      return NULL;
   }
   if (present)
      return is_dropped(port, line_va, AMD_CACHE_L1) ? NULL : cache_held_version(page, line, port->l1);
   fill(c, page, line, port->l1);
   return NULL;
}

/* What a load finds in one line: a version, or NULL: memory. */
static struct amd_cache_version *
read_line(struct amd_cache_port *port, struct amd_cache_page *page, unsigned line, unsigned path)
{
   struct amd_caches *c = port->caches;
   unsigned cache = path & AMD_PATH_SCALAR ? port->scalar : port->l0;
   unsigned level = path & AMD_PATH_SCALAR ? AMD_CACHE_SCALAR : AMD_CACHE_L0;
   uint64_t line_va = page->va + line * CACHE_LINE_B;
   bool present = cache_present(c, page, cache) >> line & 1;
   if (path & AMD_PATH_GLC) {
      /* Or a load of the same round brings in what L1 has kept. */
      if (present || (path & AMD_PATH_DLC && cache_held_version(page, line, port->l1)))
         drop(port, line_va, level);
      return read_l1(port, page, line, path);
   }
   if (present && !is_dropped(port, line_va, level))
      return cache_held_version(page, line, cache);
   struct amd_cache_version *v = read_l1(port, page, line, path);
   /* Another wave may find another version in the same round: the cache takes what is in L1. */
   fill(c, page, line, cache);
   return v;
}

/* With a place for what caches have of it. */
static struct amd_cache_page *
page_of_waves(struct amd_caches *c, uint64_t va)
{
   struct amd_cache_page *page = cache_page(c, va, true);
   struct amd_cache_lines *none = NULL, *fresh;
   if (atomic_load_explicit(&page->in, memory_order_acquire))
      return page;
   fresh = allocate(c->count * sizeof(*fresh));
   if (!atomic_compare_exchange_strong(&page->in, &none, fresh))
      free(fresh);
   return page;
}

struct amd_cache_page *
cache_port_page(struct amd_cache_port *port, uint64_t va)
{
   uint64_t number = va >> AMD_CACHE_PAGE_LOG2;
   struct amd_cache_memo *memo = &port->memo[number % AMD_CACHE_MEMO];
   if (memo->page != number + 1)
      *memo = (struct amd_cache_memo){.page = number + 1, .lines = page_of_waves(port->caches, va)};
   return memo->lines;
}

const uint8_t *
amd_cache_read_slow(struct amd_cache_port *port, unsigned path, struct sim_va va, const uint8_t *host,
                    unsigned size_B)
{
   uint32_t lines = amd_cache_lines_of(va, size_B), old;
   if (lines && amd_cache_read_lines(port, path, va.va >> AMD_CACHE_PAGE_LOG2, lines, &old) && !old)
      return host;
   const uint8_t *result = host;
   assert(size_B <= sizeof(port->copy) && "no load is longer than a line");
   for (uint64_t at = va.va, end = at + size_B, next; at < end; at = next) {
      struct amd_cache_page *page = cache_port_page(port, at);
      next = MIN2((at | (CACHE_LINE_B - 1)) + 1, end);
      unsigned line = at >> AMD_CACHE_LINE_LOG2 & 31;
      if (page->written >> line & 1)
         amd_order_check_load(port, page, sim_va(at), (unsigned)(next - at));
      const struct amd_cache_version *v = read_line(port, page, line, path);
      if (!v)
         continue;
      if (result == host) {
         memcpy(port->copy, host, size_B);
         result = port->copy;
      }
      memcpy(port->copy + (at - va.va), v->data + at % CACHE_LINE_B, next - at);
   }
   return result;
}

const uint8_t *
amd_cache_read_line_slow(struct amd_cache_port *port, unsigned path, struct sim_va va, const uint8_t *host)
{
   const unsigned line = va.va >> AMD_CACHE_LINE_LOG2 & 31;
   uint32_t old;
   if (amd_cache_read_lines(port, path, va.va >> AMD_CACHE_PAGE_LOG2, 1u << line, &old))
      return old ? amd_cache_old_line(port, path, va) : host;
   struct amd_cache_page *page = cache_port_page(port, va.va);
   if (page->written >> line & 1 && order_may_meet(port, page, line))
      return NULL;
   const struct amd_cache_version *v = read_line(port, page, line, path);
   return v ? v->data : host;
}
