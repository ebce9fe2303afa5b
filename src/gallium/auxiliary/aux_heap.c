#include "gallium/auxiliary/aux_heap.h"

#include <inttypes.h>

#include "util/log.h"

bool
aux_heap_take(struct pipe_screen *screen, uint8_t heap, uint64_t size_B, struct aux_heap_share *share)
{
   uint64_t *used_B = &aux_screen(screen)->heap_used_B[heap], heap_B = screen->caps.heaps[heap].size_B;
   uint64_t before_B = __atomic_load_n(used_B, __ATOMIC_RELAXED);

   do {
      if (size_B > heap_B - before_B) {
         log_error("memory: %" PRIu64 " bytes, and %" PRIu64 " of %" PRIu64 " are left in heap %u", size_B,
                   heap_B - before_B, heap_B, heap);
         return false;
      }
   } while (
      !__atomic_compare_exchange_n(used_B, &before_B, before_B + size_B, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
   *share = (struct aux_heap_share){size_B, heap};
   return true;
}

void
aux_heap_give_back(struct pipe_screen *screen, const struct aux_heap_share *share)
{
   __atomic_sub_fetch(&aux_screen(screen)->heap_used_B[share->heap], share->size_B, __ATOMIC_RELAXED);
}

uint64_t
aux_heap_used(const struct pipe_screen *screen, uint32_t heap)
{
   return __atomic_load_n(&aux_screen(screen)->heap_used_B[heap], __ATOMIC_RELAXED);
}
