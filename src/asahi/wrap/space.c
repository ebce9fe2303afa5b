#include <inttypes.h>
#include <stdlib.h>

#include "asahi/wrap/wrap_private.h"
#include "sim/record/snapshot.h"
#include "util/macros.h"
#include "util/within_memory.h"

#define RECORDED_PAGE_B 4096
#define MAX_REPEATS 65536 /* of a page in a recording, which has a line for each */

struct agx_wrap_space *
agx_wrap_space_add(struct agx_tracer *wrap)
{
   struct agx_wrap_space *space = need_calloc("the tracer", 1, sizeof(*space));
   space->wrap = wrap;
   space->id = ++wrap->space_count;
   list_add_tail(&space->link, &wrap->spaces);
   return space;
}

void
agx_wrap_space_remove(struct agx_wrap_space *space)
{
   agx_wrap_unbind(space, 0, UINT64_MAX);
   list_remove(&space->link);
   dynarray_free(&space->ranges.array);
   free(space);
}

static void
record_unbind(void *data, const struct agx_wrap_range *piece)
{
   struct agx_wrap_space *space = data;
   uint64_t first = piece->va & ~(uint64_t)(RECORDED_PAGE_B - 1);
   if (piece->memory->recorded)
      sim_recorder_unmap(space->wrap->recorder, space->id, sim_va(first),
                         align_up(piece->va + piece->size_B - first, RECORDED_PAGE_B));
}

void
agx_wrap_unbind(struct agx_wrap_space *space, uint64_t va, uint64_t size_B)
{
   uint64_t end = size_B > UINT64_MAX - va ? UINT64_MAX : va + size_B;
   agx_wrap_ranges_cut(&space->ranges, va, end, record_unbind, space);
}

/* A size that somebody has made up is no reason to look for so much memory. */
static bool
is_there(const struct agx_wrap_memory *memory)
{
   char byte;
   return memory->size_B && agx_wrap_memory_read(memory, 0, &byte, 1) &&
          agx_wrap_memory_read(memory, memory->size_B - 1, &byte, 1);
}

static void
record_bind(struct agx_wrap_space *space, const struct agx_wrap_range *range, unsigned access)
{
   struct agx_tracer *wrap = space->wrap;
   struct agx_wrap_memory *memory = range->memory;
   uint64_t one_B = range->repeat_B ? range->repeat_B : range->size_B;
   unsigned rights = (access & AGX_WRAP_READ ? SIM_READ | SIM_EXECUTE : 0) | /* programs need none of their own */
                     (access & AGX_WRAP_WRITE ? SIM_WRITE : 0);
   if (!memory->recorded && is_there(memory))
      memory->recorded = sim_recorder_add(wrap->recorder, memory->host, align_up(memory->size_B, RECORDED_PAGE_B),
                                          memory->is_ours ? SIM_SNAPSHOT_MAPPED : SIM_SNAPSHOT_FOREIGN);
   if (!memory->recorded || (range->va | range->size_B | range->offset_B) % RECORDED_PAGE_B) {
      agx_wrap_report(wrap, "0x%" PRIx64 ": 0x%" PRIx64 " bytes that the recording cannot show", range->va,
                      range->size_B);
      return;
   }
   for (uint64_t done_B = 0; done_B < range->size_B; done_B += one_B)
      sim_recorder_map(wrap->recorder, space->id, sim_va(range->va + done_B), one_B, rights, memory->recorded,
                       range->offset_B);
}

/* NULL or what is wrong. */
static const char *
fault_of(const struct agx_tracer *wrap, const struct agx_wrap_range *range)
{
   uint64_t shown_B = range->repeat_B ? range->repeat_B : range->size_B, size_B = range->memory->size_B;
   if (range->size_B > UINT64_MAX - range->va)
      return "more addresses than there are";
   if (range->offset_B > size_B || shown_B > size_B - range->offset_B)
      return "more bytes than the memory has";
   if (range->repeat_B && range->size_B % range->repeat_B)
      return "no whole number of pages";
   if (wrap->recorder && range->repeat_B && range->size_B / range->repeat_B > MAX_REPEATS)
      return "a page again and again, more often than a recording takes";
   return NULL;
}

bool
agx_wrap_bind(struct agx_wrap_space *space, uint64_t va, uint64_t size_B, struct agx_wrap_memory *memory,
              uint64_t offset_B, uint64_t repeat_B, unsigned access)
{
   struct agx_wrap_range range = {va, size_B, memory, offset_B, repeat_B};
   const char *fault = fault_of(space->wrap, &range);
   agx_wrap_unbind(space, va, size_B);
   if (fault) {
      agx_wrap_report(space->wrap, "0x%" PRIx64 ": 0x%" PRIx64 " bytes: %s", va, size_B, fault);
      return false;
   }
   if (!size_B)
      return true;
   agx_wrap_ranges_insert(&space->ranges, &range);
   if (space->wrap->recorder)
      record_bind(space, &range, access);
   return true;
}

/* Of the bytes from va on, those that are contiguous in a memory; at most size_B. 0: there are none. */
static size_t
read_run(const struct agx_wrap_range *range, uint64_t va, void *out, size_t size_B)
{
   uint64_t into_B = va - range->va, run_B = range->size_B - into_B;
   if (range->repeat_B) {
      into_B %= range->repeat_B;
      run_B = MIN2(run_B, range->repeat_B - into_B);
   }
   size_B = MIN2(size_B, run_B);
   return agx_wrap_memory_read(range->memory, range->offset_B + into_B, out, size_B) ? size_B : 0;
}

size_t
agx_wrap_space_read(const struct agx_wrap_space *space, uint64_t va, void *out, size_t size_B)
{
   size_t done_B = 0;
   while (done_B < size_B) {
      const struct agx_wrap_range *range = agx_wrap_ranges_find(&space->ranges, va + done_B);
      size_t run_B = range ? read_run(range, va + done_B, (char *)out + done_B, size_B - done_B) : 0;
      if (!run_B)
         break;
      done_B += run_B;
   }
   return done_B;
}
