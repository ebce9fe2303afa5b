#include <stdlib.h>

#include "gallium/winsys/asahi/asahi_private.h"
#include "util/macros.h"

#define GUARD_B ASAHI_WS_PAGE_B

bool
asahi_va_init(struct asahi_va_heap *heap, uint64_t start, uint64_t end)
{
   *heap = (struct asahi_va_heap){.count = 1, .capacity = 64};
   heap->pieces = malloc(heap->capacity * sizeof(*heap->pieces));
   if (!heap->pieces)
      return false;
   heap->pieces[0] = (struct asahi_va_piece){start, end};
   pthread_mutex_init(&heap->lock, NULL);
   return true;
}

void
asahi_va_finish(struct asahi_va_heap *heap)
{
   if (!heap->pieces)
      return;
   free(heap->pieces);
   pthread_mutex_destroy(&heap->lock);
}

static bool
insert(struct asahi_va_heap *heap, uint32_t at, struct asahi_va_piece piece)
{
   if (heap->count == heap->capacity) {
      void *pieces = realloc(heap->pieces, 2 * heap->capacity * sizeof(*heap->pieces));

      if (!pieces)
         return false;
      heap->pieces = pieces;
      heap->capacity *= 2;
   }
   for (uint32_t i = heap->count++; i > at; i--)
      heap->pieces[i] = heap->pieces[i - 1];
   heap->pieces[at] = piece;
   return true;
}

static void
erase(struct asahi_va_heap *heap, uint32_t at)
{
   heap->count--;
   for (uint32_t i = at; i < heap->count; i++)
      heap->pieces[i] = heap->pieces[i + 1];
}

/* Cuts [start, end) out of a piece that holds it. */
static bool
cut(struct asahi_va_heap *heap, uint32_t at, uint64_t start, uint64_t end)
{
   struct asahi_va_piece *piece = &heap->pieces[at], above = {end, piece->end};

   if (start > piece->start && above.end > above.start) {
      if (!insert(heap, at + 1, above))
         return false;
      heap->pieces[at].end = start;
   } else if (start > piece->start) {
      piece->end = start;
   } else if (above.end > above.start) {
      piece->start = end;
   } else {
      erase(heap, at);
   }
   return true;
}

uint64_t
asahi_va_alloc(struct asahi_va_heap *heap, uint64_t size_B, uint64_t alignment_B)
{
   uint64_t va = 0, whole_B = size_B + GUARD_B;

   alignment_B = MAX2(alignment_B, ASAHI_WS_PAGE_B);
   pthread_mutex_lock(&heap->lock);
   for (uint32_t i = heap->count; i-- > 0 && !va;) {
      const struct asahi_va_piece *piece = &heap->pieces[i];
      uint64_t start = piece->end - piece->start < whole_B ? 0 : (piece->end - whole_B) & ~(alignment_B - 1);

      if (start >= piece->start && start && cut(heap, i, start, start + whole_B))
         va = start;
   }
   pthread_mutex_unlock(&heap->lock);
   return va;
}

uint64_t
asahi_va_alloc_low(struct asahi_va_heap *heap, uint64_t size_B, uint64_t alignment_B)
{
   uint64_t va = 0, whole_B = size_B + GUARD_B;

   alignment_B = MAX2(alignment_B, ASAHI_WS_PAGE_B);
   pthread_mutex_lock(&heap->lock);
   for (uint32_t i = 0; i < heap->count && !va; i++) {
      const struct asahi_va_piece *piece = &heap->pieces[i];
      uint64_t start = align_up(MAX2(piece->start, 1u), alignment_B);

      if (start < piece->end && piece->end - start >= whole_B && cut(heap, i, start, start + whole_B))
         va = start;
   }
   pthread_mutex_unlock(&heap->lock);
   return va;
}

bool
asahi_va_take(struct asahi_va_heap *heap, uint64_t va, uint64_t size_B)
{
   bool taken = false;

   if (!va || va % ASAHI_WS_PAGE_B)
      return false;
   pthread_mutex_lock(&heap->lock);
   for (uint32_t i = 0; i < heap->count && !taken; i++) {
      const struct asahi_va_piece *piece = &heap->pieces[i];

      if (va >= piece->start && va < piece->end && piece->end - va >= size_B + GUARD_B)
         taken = cut(heap, i, va, va + size_B + GUARD_B);
   }
   pthread_mutex_unlock(&heap->lock);
   return taken;
}

uint64_t
asahi_va_alloc_at(struct asahi_va_heap *heap, uint64_t size_B, uint64_t alignment_B, uint64_t va)
{
   if (va > WS_VA_REPLAYED)
      return asahi_va_take(heap, va, size_B) ? va : 0;
   return va ? asahi_va_alloc_low(heap, size_B, alignment_B) : asahi_va_alloc(heap, size_B, alignment_B);
}

void
asahi_va_free(struct asahi_va_heap *heap, uint64_t va, uint64_t size_B)
{
   struct asahi_va_piece piece = {va, va + size_B + GUARD_B};
   uint32_t at = 0;

   pthread_mutex_lock(&heap->lock);
   while (at < heap->count && heap->pieces[at].end < piece.start)
      at++;
   if (at < heap->count && heap->pieces[at].end == piece.start) {
      heap->pieces[at].end = piece.end;
      if (at + 1 < heap->count && heap->pieces[at + 1].start == piece.end) {
         heap->pieces[at].end = heap->pieces[at + 1].end;
         erase(heap, at + 1);
      }
   } else if (at < heap->count && heap->pieces[at].start == piece.end) {
      heap->pieces[at].start = piece.start;
   } else {
      insert(heap, at, piece); /* or lost, when out of memory: there are more addresses than memory */
   }
   pthread_mutex_unlock(&heap->lock);
}
