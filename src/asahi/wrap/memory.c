#include <stdlib.h>
#include <string.h>

#include "asahi/wrap/wrap_private.h"
#include "util/peek.h"
#include "util/within_memory.h"

#define MAX_MEMORY_B (UINT64_C(1) << 47)

struct agx_wrap_memory *
agx_wrap_memory_add(struct agx_tracer *wrap, const void *host, uint64_t size_B, bool is_ours)
{
   struct agx_wrap_memory *memory = need_calloc("the tracer", 1, sizeof(*memory));
   if (size_B > MAX_MEMORY_B || (uintptr_t)host > UINTPTR_MAX - size_B)
      host = NULL; /* no process has so much */
   *memory = (struct agx_wrap_memory){wrap, host, size_B, is_ours, NULL};
   return memory;
}

/* The first range that shows the memory, or NULL. */
static const struct agx_wrap_range *
range_of(const struct agx_wrap_space *space, const struct agx_wrap_memory *memory)
{
   dynarray_for_each(const struct agx_wrap_range, range, &space->ranges.array)
      if (range->memory == memory)
         return range;
   return NULL;
}

void
agx_wrap_memory_remove(struct agx_wrap_memory *memory)
{
   if (!memory)
      return;
   list_for_each(struct agx_wrap_space, space, &memory->wrap->spaces, link)
      for (const struct agx_wrap_range *range; (range = range_of(space, memory));)
         agx_wrap_unbind(space, range->va, range->size_B);
   if (memory->recorded)
      sim_recorder_remove(memory->wrap->recorder, memory->recorded);
   free(memory);
}

uint64_t
agx_wrap_memory_size_B(const struct agx_wrap_memory *memory)
{
   return memory->size_B;
}

bool
agx_wrap_memory_read(const struct agx_wrap_memory *memory, uint64_t offset_B, void *out, size_t size_B)
{
   if (!memory->host || offset_B > memory->size_B || size_B > memory->size_B - offset_B)
      return false;
   if (!memory->is_ours)
      return peek_memory(memory->host + offset_B, out, size_B);
   memcpy(out, memory->host + offset_B, size_B);
   return true;
}
