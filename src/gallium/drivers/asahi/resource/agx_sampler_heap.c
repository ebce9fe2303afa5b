#include <string.h>

#include "asahi/hw/records.h"
#include "gallium/drivers/asahi/base/agx_abi.h"
#include "gallium/drivers/asahi/agx_screen.h"
#include "util/log.h"

/* Of the level that is asked for, outside of the image zero. */
static uint64_t
fetch_sampler(void)
{
   struct agx_sampler sampler = {
      .maximum_lod = 14,
      .maximum_anisotropy = 1,
      .mip_filter = AGX_MIP_FILTER_NEAREST,
      .wrap_s = AGX_WRAP_CLAMP_TO_BORDER,
      .wrap_t = AGX_WRAP_CLAMP_TO_BORDER,
      .wrap_r = AGX_WRAP_CLAMP_TO_BORDER,
      .border_colour = AGX_BORDER_COLOUR_TRANSPARENT_BLACK,
   };
   uint64_t words;

   agx_sampler_pack(&words, &sampler);
   return words;
}

bool
agx_sampler_heap_init(struct agx_screen *screen)
{
   struct agx_sampler_heap *heap = &screen->samplers;

   pthread_mutex_init(&heap->lock, NULL);
   heap->bo = asahi_ws_bo_create(screen->ws, AGX_SAMPLER_HEAP_ENTRIES * sizeof(uint64_t), 0, ASAHI_WS_BO_READ_ONLY);
   heap->entries = heap->bo ? asahi_ws_bo_map(heap->bo) : NULL;
   return heap->entries && agx_sampler_heap_add(heap, fetch_sampler()) == AGX_FETCH_SAMPLER;
}

void
agx_sampler_heap_finish(struct agx_screen *screen)
{
   asahi_ws_bo_destroy(screen->samplers.bo);
   pthread_mutex_destroy(&screen->samplers.lock);
}

uint32_t
agx_sampler_heap_add(struct agx_sampler_heap *heap, uint64_t words)
{
   uint32_t index = 0;

   pthread_mutex_lock(&heap->lock);
   while (index < heap->count && heap->entries[index] != words)
      index++;
   if (index == heap->count && index < AGX_SAMPLER_HEAP_ENTRIES)
      heap->entries[heap->count++] = words;
   pthread_mutex_unlock(&heap->lock);
   if (index < AGX_SAMPLER_HEAP_ENTRIES)
      return index;
   log_error("samplers: the heap has %u different ones, and they are all taken", AGX_SAMPLER_HEAP_ENTRIES);
   return UINT32_MAX;
}
