#include "amd/sim/check/undo.h"

#include <stdlib.h>
#include <string.h>

#include "util/macros.h"
#include "util/within_memory.h"

enum { STEP_B = 64 };

void
amd_undo_init(struct amd_undo *undo)
{
   *undo = (struct amd_undo){.last = NULL};
   pthread_mutex_init(&undo->lock, NULL);
}

void
amd_undo_free(struct amd_undo *undo)
{
   dynarray_free(&undo->pages);
   dynarray_free(&undo->first);
   dynarray_free(&undo->golden);
   free(undo->slots);
   pthread_mutex_destroy(&undo->lock);
}

void
amd_undo_forget(struct amd_undo *undo)
{
   undo->pages.size_B = undo->first.size_B = undo->golden.size_B = 0;
   undo->last = NULL;
   if (undo->slots)
      memset(undo->slots, 0, undo->slot_count * sizeof(*undo->slots));
}

static uint32_t *
find_slot(const struct amd_undo *undo, const uint8_t *page)
{
   uint64_t hash = (uint64_t)(uintptr_t)page / AMD_UNDO_PAGE_B * UINT64_C(0x9e3779b97f4a7c15);
   for (uint32_t i = (uint32_t)(hash >> 32);; i++) {
      uint32_t *slot = &undo->slots[i & (undo->slot_count - 1)];
      if (!*slot || *dynarray_at(&undo->pages, amd_undo_page, *slot - 1) == page)
         return slot;
   }
}

static void
grow_slots(struct amd_undo *undo)
{
   const uint32_t count = (uint32_t)dynarray_count(&undo->pages, amd_undo_page);
   if (2 * (count + 1) <= undo->slot_count)
      return;
   undo->slot_count = MAX2(2 * undo->slot_count, 1024);
   undo->slots = need_realloc("pages", undo->slots, undo->slot_count * sizeof(*undo->slots));
   memset(undo->slots, 0, undo->slot_count * sizeof(*undo->slots));
   for (uint32_t i = 0; i < count; i++)
      *find_slot(undo, *dynarray_at(&undo->pages, amd_undo_page, i)) = i + 1;
}

static void
see(struct amd_undo *undo, uint8_t *page)
{
   if (page == undo->last)
      return;
   grow_slots(undo);
   uint32_t *slot = find_slot(undo, page);
   undo->last = page;
   if (*slot)
      return;
   memcpy(dynarray_grow(&undo->first, AMD_UNDO_PAGE_B), page, AMD_UNDO_PAGE_B);
   dynarray_append(&undo->pages, amd_undo_page, page);
   *slot = (uint32_t)dynarray_count(&undo->pages, amd_undo_page);
}

void
amd_undo_watch(void *data, void *host, uint64_t size_B)
{
   struct amd_undo *undo = data;
   uint8_t *start = (uint8_t *)host - (uintptr_t)host % AMD_UNDO_PAGE_B, *end = (uint8_t *)host + size_B;
   pthread_mutex_lock(&undo->lock);
   for (uint8_t *page = start; page < end; page += AMD_UNDO_PAGE_B)
      see(undo, page);
   pthread_mutex_unlock(&undo->lock);
}

void
amd_undo_keep(struct amd_undo *undo)
{
   undo->golden.size_B = 0;
   dynarray_for_each(amd_undo_page, page, &undo->pages)
      memcpy(dynarray_grow(&undo->golden, AMD_UNDO_PAGE_B), *page, AMD_UNDO_PAGE_B);
}

void
amd_undo_restore(const struct amd_undo *undo)
{
   const uint8_t *first = undo->first.data;
   dynarray_for_each(amd_undo_page, page, &undo->pages) {
      if (memcmp(*page, first, AMD_UNDO_PAGE_B))
         memcpy(*page, first, AMD_UNDO_PAGE_B);
      first += AMD_UNDO_PAGE_B;
   }
}

bool
amd_undo_compare(const struct amd_undo *undo, bool (*differs)(void *data, const uint8_t *host), void *data)
{
   bool same = true;
   size_t at_B = 0;
   dynarray_for_each(amd_undo_page, page, &undo->pages) {
      const struct dynarray *kept = at_B < undo->golden.size_B ? &undo->golden : &undo->first;
      const uint8_t *golden = (const uint8_t *)kept->data + at_B;
      at_B += AMD_UNDO_PAGE_B;
      if (!memcmp(*page, golden, AMD_UNDO_PAGE_B))
         continue;
      for (unsigned i = 0; i < AMD_UNDO_PAGE_B; i += STEP_B) {
         if (!memcmp(*page + i, golden + i, STEP_B))
            continue;
         same = false;
         if (!differs(data, *page + i))
            return false;
      }
   }
   return same;
}
