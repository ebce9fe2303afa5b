/* Inside the winsys only. */
#ifndef INDIUM_GALLIUM_WINSYS_ASAHI_ASAHI_PRIVATE_H
#define INDIUM_GALLIUM_WINSYS_ASAHI_ASAHI_PRIVATE_H

#include <pthread.h>

#include "gallium/winsys/asahi/asahi_winsys.h"

/* Free addresses of a range: pieces from low to high, none next to another. */
struct asahi_va_heap {
   struct asahi_va_piece {
      uint64_t start, end;
   } *pieces;
   uint32_t count, capacity;
   pthread_mutex_t lock;
};

/* False when out of memory. start and end: multiples of the page. */
bool asahi_va_init(struct asahi_va_heap *heap, uint64_t start, uint64_t end);
void asahi_va_finish(struct asahi_va_heap *heap);

/* The highest place for size_B bytes (whole pages) and an unmapped page after them; 0 if there is none. */
uint64_t asahi_va_alloc(struct asahi_va_heap *heap, uint64_t size_B, uint64_t alignment_B);
/* The lowest place, and that from va on (false: it is taken), for WS_VA_REPLAYED. */
uint64_t asahi_va_alloc_low(struct asahi_va_heap *heap, uint64_t size_B, uint64_t alignment_B);
bool asahi_va_take(struct asahi_va_heap *heap, uint64_t va, uint64_t size_B);
/* va: an address, WS_VA_REPLAYED or 0; what of these functions is meant. */
uint64_t asahi_va_alloc_at(struct asahi_va_heap *heap, uint64_t size_B, uint64_t alignment_B, uint64_t va);
void asahi_va_free(struct asahi_va_heap *heap, uint64_t va, uint64_t size_B);

struct asahi_ws {
   int fd; /* handles of all kinds belong to it */
   uint32_t vm_id;
   struct asahi_ws_info info;
   struct asahi_va_heap usc, heap;

   pthread_mutex_t shared_lock;
   struct asahi_shared {
      uint32_t handle, users;
   } *shared; /* handles that other processes may have, and how many buffers have them */
   uint32_t shared_count, shared_capacity;
};

/* VM_BIND of all of them. 0 or a negative errno. */
int asahi_vm_binds(struct asahi_ws *ws, const struct drm_asahi_gem_bind_op *ops, uint32_t count);

static inline struct asahi_va_heap *
asahi_heap_of(struct asahi_ws *ws, unsigned bo_flags)
{
   return bo_flags & ASAHI_WS_BO_USC ? &ws->usc : &ws->heap;
}

#endif
