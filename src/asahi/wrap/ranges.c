#include "asahi/wrap/ranges.h"

#include <string.h>

#include "util/macros.h"

static uint64_t
end_of(const struct agx_wrap_range *range)
{
   return range->va + range->size_B;
}

/* Index of the first one that ends above va. */
static size_t
above(const struct agx_wrap_ranges *ranges, uint64_t va)
{
   size_t low = 0, high = dynarray_count(&ranges->array, struct agx_wrap_range);
   while (low < high) {
      size_t middle = (low + high) / 2;
      if (end_of(dynarray_at(&ranges->array, struct agx_wrap_range, middle)) > va)
         high = middle;
      else
         low = middle + 1;
   }
   return low;
}

const struct agx_wrap_range *
agx_wrap_ranges_find(const struct agx_wrap_ranges *ranges, uint64_t va)
{
   size_t index = above(ranges, va);
   if (index == dynarray_count(&ranges->array, struct agx_wrap_range))
      return NULL;
   const struct agx_wrap_range *range = dynarray_at(&ranges->array, struct agx_wrap_range, index);
   return range->va <= va ? range : NULL;
}

void
agx_wrap_ranges_insert(struct agx_wrap_ranges *ranges, const struct agx_wrap_range *range)
{
   size_t index = above(ranges, range->va), count = dynarray_count(&ranges->array, struct agx_wrap_range);
   struct agx_wrap_range copy = *range; /* it may be one of the array */
   dynarray_grow(&ranges->array, sizeof(copy));
   struct agx_wrap_range *place = dynarray_at(&ranges->array, struct agx_wrap_range, index);
   memmove(place + 1, place, (count - index) * sizeof(*place));
   *place = copy;
}

/* What of the range lies in [va, end). */
static struct agx_wrap_range
piece_of(const struct agx_wrap_range *range, uint64_t va, uint64_t end)
{
   struct agx_wrap_range piece = *range;
   piece.va = MAX2(range->va, va);
   piece.size_B = MIN2(end_of(range), end) - piece.va;
   piece.offset_B += range->repeat_B ? 0 : piece.va - range->va;
   return piece;
}

void
agx_wrap_ranges_cut(struct agx_wrap_ranges *ranges, uint64_t va, uint64_t end,
                    void (*gone)(void *data, const struct agx_wrap_range *piece), void *data)
{
   for (size_t index = above(ranges, va); index < dynarray_count(&ranges->array, struct agx_wrap_range);) {
      struct agx_wrap_range *place = dynarray_at(&ranges->array, struct agx_wrap_range, index), old = *place;
      if (old.va >= end)
         return;
      memmove(place, place + 1, ranges->array.size_B - (index + 1) * sizeof(*place));
      ranges->array.size_B -= sizeof(*place);
      if (old.va < va) {
         agx_wrap_ranges_insert(
            ranges, &(struct agx_wrap_range){old.va, va - old.va, old.memory, old.offset_B, old.repeat_B});
         index++;
      }
      struct agx_wrap_range piece = piece_of(&old, va, end), rest = piece_of(&old, end, UINT64_MAX);
      if (end_of(&old) > end)
         agx_wrap_ranges_insert(ranges, &rest);
      gone(data, &piece);
   }
}
