/* Three levels of tables with 4096 slots each cover the 36 bits of a page number:
 *
 *    47        36 35        24 23        12 11       0
 *   +------------+------------+------------+----------+
 *   |  level 0   |  level 1   |  level 2   |  offset  |
 *   +------------+------------+------------+----------+
 *
 * A slot is empty, a table of the next level (lowest bit set), or the mapping that covers all of the slot's
 * addresses. Lookups take no lock: tables live as long as the address space, and a dropped mapping's memory is used
 * again only after many others were dropped, long after a lookup that still reads it has ended. */
#include "sim/vm/vm.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"
#include "util/within_memory.h"

#define LEVEL_BITS 12
#define SLOTS (1u << LEVEL_BITS)
#define PAGE_BITS 12
#define PAGE_B (1u << PAGE_BITS)
#define PAGES_END (UINT64_C(1) << 36)
#define QUARANTINE 4096
#define TABLE_BIT 1

typedef _Atomic(uintptr_t) slot_t;

struct table {
   slot_t slots[SLOTS];
};

struct mapping {
   uint64_t first_page, page_count; /* page: bits 47..12 of the address */
   char *host;
   unsigned access;
   uint64_t repeat_mask; /* the memory shows again when these bits of an address do; ~0: not */
   struct mapping *next; /* in the quarantine */
};

struct sim_vm {
   struct table *root;
   uint64_t serial;
   sim_vm_watcher watcher;
   void *watcher_data;
   pthread_mutex_t lock; /* for changes */
   struct mapping *oldest, *newest;
   unsigned quarantined;
};

static void *
allocate(size_t size_B)
{
   return need_calloc("page tables", 1, size_B);
}

static struct table *
slot_table(uintptr_t slot)
{
   return slot & TABLE_BIT ? (struct table *)(slot - TABLE_BIT) : NULL;
}

/* Pages that a slot of the level covers, log2. */
static unsigned
slot_bits(unsigned level)
{
   return (2 - level) * LEVEL_BITS;
}

struct sim_vm *
sim_vm_create(void)
{
   struct sim_vm *vm = allocate(sizeof(*vm));
   static _Atomic uint64_t serials;
   vm->root = allocate(sizeof(*vm->root));
   vm->serial = ++serials;
   pthread_mutex_init(&vm->lock, NULL);
   return vm;
}

uint64_t
sim_vm_serial(const struct sim_vm *vm)
{
   return vm->serial;
}

/* Frees each mapping at the last slot that names it. */
static void
free_table(struct table *table, unsigned level, uint64_t first_page)
{
   for (unsigned i = 0; i < SLOTS; i++) {
      uintptr_t slot = atomic_load_explicit(&table->slots[i], memory_order_relaxed);
      uint64_t page = first_page + ((uint64_t)i << slot_bits(level));
      struct mapping *mapping = (struct mapping *)slot;
      if (slot_table(slot))
         free_table(slot_table(slot), level + 1, page);
      else if (mapping && page + (UINT64_C(1) << slot_bits(level)) == mapping->first_page + mapping->page_count)
         free(mapping);
   }
   free(table);
}

void
sim_vm_destroy(struct sim_vm *vm)
{
   free_table(vm->root, 0, 0);
   for (struct mapping *it = vm->oldest, *next; it; it = next) {
      next = it->next;
      free(it);
   }
   pthread_mutex_destroy(&vm->lock);
   free(vm);
}

static void
retire(struct sim_vm *vm, struct mapping *mapping)
{
   mapping->next = NULL;
   if (vm->newest)
      vm->newest->next = mapping;
   else
      vm->oldest = mapping;
   vm->newest = mapping;
   vm->quarantined++;
}

static struct mapping *
new_mapping(struct sim_vm *vm, uint64_t first_page, uint64_t page_count, char *host, unsigned access,
            uint64_t repeat_mask)
{
   struct mapping *mapping = vm->oldest;
   if (vm->quarantined > QUARANTINE) {
      vm->oldest = mapping->next;
      vm->quarantined--;
   } else {
      mapping = allocate(sizeof(*mapping));
   }
   *mapping = (struct mapping){first_page, page_count, host, access, repeat_mask, NULL};
   return mapping;
}

static struct mapping *
find(const struct sim_vm *vm, uint64_t page)
{
   struct table *table = vm->root;
   for (unsigned level = 0;; level++) {
      uintptr_t slot =
         atomic_load_explicit(&table->slots[page >> slot_bits(level) & (SLOTS - 1)], memory_order_acquire);
      if (!(slot & TABLE_BIT))
         return (struct mapping *)slot;
      table = slot_table(slot);
   }
}

static struct table *
split(uintptr_t slot)
{
   struct table *table = allocate(sizeof(*table));
   for (unsigned i = 0; slot && i < SLOTS; i++)
      atomic_store_explicit(&table->slots[i], slot, memory_order_relaxed);
   return table;
}

/* Makes the tables that fill() of [first, end) needs, of which no slot changes its meaning. */
static void
reserve(struct table *table, unsigned level, uint64_t first, uint64_t end)
{
   uint64_t span = UINT64_C(1) << slot_bits(level);
   for (uint64_t page = first; page < end;) {
      slot_t *slot = &table->slots[page >> slot_bits(level) & (SLOTS - 1)];
      uint64_t slot_end = MIN2((page | (span - 1)) + 1, end);
      uintptr_t value = atomic_load_explicit(slot, memory_order_relaxed);
      if (slot_end - page != span && !slot_table(value)) {
         value = (uintptr_t)split(value) | TABLE_BIT;
         atomic_store_explicit(slot, value, memory_order_release);
      }
      if (slot_table(value))
         reserve(slot_table(value), level + 1, page, slot_end);
      page = slot_end;
   }
}

/* Points every slot of [first, end) to the mapping, or empties it (NULL). */
static void
fill(struct table *table, unsigned level, uint64_t first, uint64_t end, struct mapping *mapping)
{
   uint64_t span = UINT64_C(1) << slot_bits(level);
   for (uint64_t page = first; page < end;) {
      slot_t *slot = &table->slots[page >> slot_bits(level) & (SLOTS - 1)];
      uint64_t slot_end = MIN2((page | (span - 1)) + 1, end);
      uintptr_t value = atomic_load_explicit(slot, memory_order_relaxed);
      if (slot_end - page == span && !slot_table(value)) {
         atomic_store_explicit(slot, (uintptr_t)mapping, memory_order_release);
      } else {
         if (!slot_table(value)) {
            value = (uintptr_t)split(value) | TABLE_BIT;
            atomic_store_explicit(slot, value, memory_order_release);
         }
         fill(slot_table(value), level + 1, page, slot_end, mapping);
      }
      page = slot_end;
   }
}

/* The first mapping that touches [first, end), or NULL. */
static struct mapping *
first_mapping(struct table *table, unsigned level, uint64_t first, uint64_t end)
{
   uint64_t span = UINT64_C(1) << slot_bits(level);
   for (uint64_t page = first; page < end; page = (page | (span - 1)) + 1) {
      uintptr_t slot =
         atomic_load_explicit(&table->slots[page >> slot_bits(level) & (SLOTS - 1)], memory_order_relaxed);
      struct mapping *mapping = (struct mapping *)slot;
      if (slot_table(slot))
         mapping = first_mapping(slot_table(slot), level + 1, page, MIN2((page | (span - 1)) + 1, end));
      if (mapping)
         return mapping;
   }
   return NULL;
}

static uint64_t
page_of(struct sim_va va)
{
   return va.va >> PAGE_BITS & (PAGES_END - 1);
}

/* Pages of the range, or 0 if it is not aligned, empty or not canonical from end to end. */
static uint64_t
pages_of(struct sim_va va, uint64_t size_B)
{
   if (!size_B || (va.va | size_B) % PAGE_B || size_B > UINT64_C(1) << 47)
      return 0;
   uint64_t last = va.va + (size_B - 1);
   return sim_va(va.va).va == va.va && sim_va(last).va == last && last >> 47 == va.va >> 47 ? size_B >> PAGE_BITS : 0;
}

/* A change of [first, end), under the lock. */
struct change {
   struct sim_vm *vm;
   uint64_t first, end;
   void *host;
   unsigned access;
   uint64_t repeat_mask;
   bool is_free;
};

static void
map(void *data)
{
   struct change *c = data;
   struct sim_vm *vm = c->vm;
   c->is_free = !first_mapping(vm->root, 0, c->first, c->end);
   if (!c->is_free)
      return;
   reserve(vm->root, 0, c->first, c->end);
   fill(vm->root, 0, c->first, c->end,
        new_mapping(vm, c->first, c->end - c->first, c->host, c->access, c->repeat_mask));
}

static bool
map_masked(struct sim_vm *vm, struct sim_va va, uint64_t size_B, void *host, unsigned access, uint64_t repeat_mask)
{
   uint64_t first = page_of(va), count = pages_of(va, size_B);
   struct change change = {vm, first, first + count, host, access, repeat_mask, false};
   if (!count || (!host && !(access & SIM_PRT)))
      return false;
   pthread_mutex_lock(&vm->lock);
   bool ok = within_memory(map, &change);
   pthread_mutex_unlock(&vm->lock);
   return ok && change.is_free;
}

bool
sim_vm_map(struct sim_vm *vm, struct sim_va va, uint64_t size_B, void *host, unsigned access)
{
   return map_masked(vm, va, size_B, host, access, UINT64_MAX);
}

bool
sim_vm_map_repeated(struct sim_vm *vm, struct sim_va va, uint64_t size_B, void *host, uint64_t repeat_B,
                    unsigned access)
{
   bool fits = repeat_B >= PAGE_B && !(repeat_B & (repeat_B - 1)) && !((va.va | size_B) & (repeat_B - 1));
   return fits && map_masked(vm, va, size_B, host, access, repeat_B - 1);
}

/* Replaces a mapping by the parts of it outside [first, end); at no time do these look unmapped. */
static void
cut(struct sim_vm *vm, struct mapping *mapping, uint64_t first, uint64_t end)
{
   uint64_t old_first = mapping->first_page, old_end = old_first + mapping->page_count;
   reserve(vm->root, 0, MAX2(first, old_first), MIN2(end, old_end));
   if (old_first < first) {
      reserve(vm->root, 0, old_first, first);
      fill(vm->root, 0, old_first, first,
           new_mapping(vm, old_first, first - old_first, mapping->host, mapping->access, mapping->repeat_mask));
   }
   if (end < old_end) {
      reserve(vm->root, 0, end, old_end);
      bool moves = mapping->host && mapping->repeat_mask == UINT64_MAX;
      char *host = moves ? mapping->host + ((end - old_first) << PAGE_BITS) : mapping->host;
      fill(vm->root, 0, end, old_end,
           new_mapping(vm, end, old_end - end, host, mapping->access, mapping->repeat_mask));
   }
   fill(vm->root, 0, MAX2(first, old_first), MIN2(end, old_end), NULL);
   retire(vm, mapping);
}

static void
unmap(void *data)
{
   struct change *c = data;
   struct mapping *mapping;
   while ((mapping = first_mapping(c->vm->root, 0, c->first, c->end)))
      cut(c->vm, mapping, c->first, c->end);
}

bool
sim_vm_unmap(struct sim_vm *vm, struct sim_va va, uint64_t size_B)
{
   uint64_t first = page_of(va), count = pages_of(va, size_B);
   struct change change = {vm, first, first + count, NULL, 0, 0, false};
   pthread_mutex_lock(&vm->lock);
   bool ok = within_memory(unmap, &change);
   pthread_mutex_unlock(&vm->lock);
   return ok;
}

void *
sim_vm_lookup(const struct sim_vm *vm, struct sim_va va, unsigned access, uint64_t *run_B, bool *prt)
{
   const struct mapping *mapping = find(vm, page_of(va));
   bool hole = mapping && !mapping->host;
   if (prt)
      *prt = hole;
   if (run_B)
      *run_B = 0;
   if (!mapping)
      return NULL;
   uint64_t offset_B = ((page_of(va) - mapping->first_page) << PAGE_BITS) + va.va % PAGE_B;
   if (run_B)
      *run_B = (mapping->page_count << PAGE_BITS) - offset_B;
   if (mapping->repeat_mask != UINT64_MAX) {
      offset_B = va.va & mapping->repeat_mask; /* whatever was cut off before it */
      if (run_B)
         *run_B = MIN2(*run_B, mapping->repeat_mask + 1 - offset_B);
   }
   return hole || access & ~mapping->access ? NULL : mapping->host + offset_B;
}

/* One of the two buffers is NULL: `to` is written to the GPU's memory or `from` filled from it. */
static bool
copy(const struct sim_vm *vm, struct sim_va va, void *from_gpu, const void *to_gpu, uint64_t size_B,
     struct sim_va *bad)
{
   for (uint64_t done_B = 0, run_B; done_B < size_B; done_B += run_B) {
      struct sim_va here = sim_va_add(va, (int64_t)done_B);
      bool prt;
      char *host = sim_vm_lookup(vm, here, to_gpu ? SIM_WRITE : SIM_READ, &run_B, &prt);
      if (!host && !prt) {
         *bad = here;
         return false;
      }
      run_B = MIN2(run_B, size_B - done_B);
      if (to_gpu && host) {
         if (vm->watcher)
            vm->watcher(vm->watcher_data, host, run_B);
         memmove(host, (const char *)to_gpu + done_B, run_B);
      } else if (from_gpu && host) {
         memmove((char *)from_gpu + done_B, host, run_B);
      } else if (from_gpu) {
         memset((char *)from_gpu + done_B, 0, run_B);
      }
   }
   return true;
}

bool
sim_vm_read(const struct sim_vm *vm, struct sim_va va, void *data, uint64_t size_B, struct sim_va *bad)
{
   return copy(vm, va, data, NULL, size_B, bad);
}

bool
sim_vm_write(const struct sim_vm *vm, struct sim_va va, const void *data, uint64_t size_B, struct sim_va *bad)
{
   uint64_t run_B;
   char *host = sim_vm_lookup(vm, va, SIM_WRITE, &run_B, NULL);
   if (!host || run_B < size_B)
      return copy(vm, va, NULL, data, size_B, bad);
   if (vm->watcher && size_B)
      vm->watcher(vm->watcher_data, host, size_B);
   memmove(host, data, size_B);
   return true;
}

static inline void
copy_pieces(char *to, const struct sim_vm_pieces *p, uint32_t piece_B)
{
   const uint8_t *from = p->data;
   for (uint32_t i = 0; i < p->count; i++, to += p->step_B, from += piece_B)
      memcpy(to, from, piece_B);
}

bool
sim_vm_write_pieces(const struct sim_vm *vm, const struct sim_vm_pieces *p)
{
   const uint64_t size_B = sim_vm_pieces_end(p) - p->va.va;
   uint64_t run_B;
   char *host = sim_vm_lookup(vm, p->va, SIM_WRITE, &run_B, NULL);
   if (!host || run_B < size_B)
      return false;
   if (vm->watcher)
      vm->watcher(vm->watcher_data, host, size_B);
   if (p->piece_B == 4)
      copy_pieces(host, p, 4);
   else
      copy_pieces(host, p, p->piece_B);
   return true;
}

void
sim_vm_watch(struct sim_vm *vm, sim_vm_watcher watcher, void *data)
{
   vm->watcher_data = data;
   vm->watcher = watcher;
}

void
sim_vm_tell_write(const struct sim_vm *vm, struct sim_va va, uint64_t size_B)
{
   for (uint64_t done_B = 0, run_B; vm->watcher && done_B < size_B; done_B += run_B) {
      bool prt;
      void *host = sim_vm_lookup(vm, sim_va_add(va, (int64_t)done_B), SIM_WRITE, &run_B, &prt);
      if (!host && !prt)
         return;
      run_B = MIN2(run_B, size_B - done_B);
      if (host)
         vm->watcher(vm->watcher_data, host, run_B);
   }
}
