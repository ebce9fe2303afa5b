/* Page tables of sparse images: from a byte of a layer to the page that holds it. Facts:
 * docs/drivers/asahi/layouts.md.
 *
 * Mode 3 has counters in the second half of each folio. What they count is not known (the document: "probably sparse
 * texture counters"); here, what is read through the page, up to the largest number, whether it has memory or not. So
 * a driver that allots one half, or keeps something of its own in the other, finds out. */
#include "asahi/sim/surface/surface_private.h"

/* Where the walk is, for sentences. */
struct walk {
   uint32_t layer;
   uint64_t page;
   struct sim_va word_va;
};

static void
count(uint32_t *counter)
{
   uint32_t now = __atomic_load_n(counter, __ATOMIC_RELAXED);
   while (now != UINT32_MAX &&
          !__atomic_compare_exchange_n(counter, &now, now + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      continue;
}

static bool
count_read(const struct sim_vm *vm, const struct walk *walk, struct sim_fault *fault)
{
   uint64_t run_B;
   struct sim_va va = sim_va_add(walk->word_va, SURFACE_FOLIO_PAGES * 4);
   uint32_t *counter = (uint32_t *)sim_vm_lookup(vm, va, SIM_READ | SIM_WRITE, &run_B, NULL);
   if (!counter || run_B < 4)
      return sim_fault_set(fault, SIM_FAULT_ADDRESS, va,
                           "the counter of page %lu of layer %u of a sparse image at unmapped address 0x%010lx",
                           (unsigned long)walk->page, walk->layer, (long)va.va);
   sim_vm_tell_write(vm, va, sizeof(*counter));
   count(counter);
   return true;
}

/* The page's address; *absent without one. False after a fault. */
static bool
walk_table(const struct sim_vm *vm, const struct walk *walk, struct sim_va *page_va, bool *absent,
           struct sim_fault *fault)
{
   struct sim_va bad;
   uint32_t word;
   struct agx_sparse_block block;
   if (!sim_vm_read(vm, walk->word_va, &word, sizeof(word), &bad))
      return sim_fault_set(fault, SIM_FAULT_ADDRESS, bad,
                           "page table of a sparse image at unmapped address 0x%010lx (page %lu of layer %u)",
                           (long)bad.va, (unsigned long)walk->page, walk->layer);
   agx_sparse_block_unpack(&block, &word);
   if (block.enabled != block.unk_30)
      return sim_fault_set(fault, SIM_FAULT_STATE, walk->word_va,
                           "word 0x%08x of page %lu of layer %u of a sparse image: bits 30 and 31 go together", word,
                           (unsigned long)walk->page, walk->layer);
   *absent = !block.enabled;
   *page_va = sim_va(block.address);
   return true;
}

uint8_t *
surface_sparse_body(const struct agx_surface *s, const struct sim_vm *vm, uint32_t layer, uint64_t offset_B,
                    uint32_t size_B, unsigned access, bool *absent, struct sim_fault *fault)
{
   struct walk walk = {layer, offset_B / SURFACE_PAGE_B, {0}};
   uint64_t folio = (uint64_t)layer * s->folios_per_layer + walk.page / SURFACE_FOLIO_PAGES;
   uint64_t word = folio * SURFACE_FOLIO_WORDS + walk.page % SURFACE_FOLIO_PAGES;
   struct sim_va page_va = {0};
   walk.word_va = sim_va_add(s->base, (int64_t)word * 4);
   if (!walk_table(vm, &walk, &page_va, absent, fault) || (access == SIM_READ && !count_read(vm, &walk, fault)) ||
       *absent)
      return NULL;
   uint64_t run_B;
   struct sim_va va = sim_va_add(page_va, (int64_t)(offset_B % SURFACE_PAGE_B));
   uint8_t *host = sim_vm_lookup(vm, va, access, &run_B, NULL);
   if (host && run_B >= size_B)
      return surface_tell(vm, va, size_B, access, host);
   sim_fault_set(fault, SIM_FAULT_ADDRESS, va, "page %lu of layer %u of a sparse image at %s address 0x%010lx",
                 (unsigned long)walk.page, layer,
                 access == SIM_WRITE && sim_vm_lookup(vm, va, SIM_READ, &run_B, NULL) ? "the read-only" : "unmapped",
                 (long)va.va);
   return NULL;
}
