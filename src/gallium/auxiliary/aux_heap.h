/* What pipe_memory takes of a screen's heaps. The kernel would give more than a heap has and move buffers to slower
 * memory; Vulkan's applications count on an error and go for less. */
#ifndef INDIUM_AUX_HEAP_H
#define INDIUM_AUX_HEAP_H

#include "gallium/auxiliary/aux_screen.h"

/* What one memory takes; nothing if zero. */
struct aux_heap_share {
   uint64_t size_B;
   uint8_t heap;
};

/* False, with a message and nothing taken, where less than size_B is left. */
bool aux_heap_take(struct pipe_screen *screen, uint8_t heap, uint64_t size_B, struct aux_heap_share *share);
void aux_heap_give_back(struct pipe_screen *screen, const struct aux_heap_share *share);

/* pipe_screen.heap_used */
uint64_t aux_heap_used(const struct pipe_screen *screen, uint32_t heap);

#endif
