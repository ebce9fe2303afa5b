/* Private memory of programs: what does not fit into registers, and arrays that are indexed at run time. The hardware
 * gives memory to a simd-group when it starts, and asks a helper program for it, which hands out pieces of a buffer.
 */
#ifndef INDIUM_AGX_SCRATCH_H
#define INDIUM_AGX_SCRATCH_H

#include <pthread.h>
#include <stdint.h>

#include "gallium/auxiliary/aux_code.h"
#include "gallium/winsys/asahi/asahi_winsys.h"

struct agx_screen;

/* The most that a thread can have: 4 blocks of the largest size. */
#define AGX_SCRATCH_MAX_B (4u * 4 * 8 * 4096)

/* Programs raise the sizes when they are created, and what was recorded before keeps the old buffer, which lives as
 * long as the screen. */
struct agx_scratch {
   struct asahi_ws_bo *bo;
   uint32_t thread_B;
   uint32_t group_waves; /* simd-groups of a core for which there surely is room */
   struct agx_scratch *older;
};

struct agx_scratch_heap {
   pthread_mutex_t lock;
   struct agx_scratch *newest; /* NULL if no program needs any */
   struct aux_code helper;     /* compiled with the first */
};

void agx_scratch_heap_init(struct agx_scratch_heap *heap);
void agx_scratch_heap_finish(struct agx_screen *screen);

/* A buffer for at least thread_B bytes a thread, at most AGX_SCRATCH_MAX_B, and on each core for the simd-groups of
 * one workgroup at least, which may wait for each other. NULL when out of memory. */
const struct agx_scratch *agx_scratch_get(struct agx_screen *screen, uint32_t thread_B, uint32_t group_waves);

/* Of two, either of which may be NULL. */
static inline const struct agx_scratch *
agx_scratch_larger(const struct agx_scratch *a, const struct agx_scratch *b)
{
   return !a || (b && (b->thread_B > a->thread_B || b->group_waves > a->group_waves)) ? b : a;
}

/* What a command says of it; scratch NULL: nothing. */
struct drm_asahi_helper_program agx_scratch_helper(const struct agx_screen *screen,
                                                   const struct agx_scratch *scratch);

/* The size of USC_REGISTERS: a number for the hardware's counters, but 0 means none. */
uint32_t agx_scratch_bucket(uint32_t thread_B);

#endif
