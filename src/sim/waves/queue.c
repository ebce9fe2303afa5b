#include "sim/waves/queue.h"

#include <stdlib.h>
#include <string.h>

#include "util/macros.h"
#include "util/within_memory.h"

/* size_B: of memory that it writes. */
static struct sim_queued *
push(struct sim_queue *q, struct sim_va va, unsigned size_B)
{
   if (q->count == q->capacity) {
      uint32_t capacity = q->capacity ? q->capacity * 2 : 64;
      q->entries = need_realloc("a wave's writes", q->entries, capacity * sizeof(*q->entries));
      q->capacity = capacity;
   }
   if (!q->count) {
      q->low = UINT64_MAX;
      q->high = 0;
   }
   if (size_B) {
      q->low = MIN2(q->low, va.va);
      q->high = MAX2(q->high, va.va + size_B);
   }
   q->operations++;
   return &q->entries[q->count++];
}

/* Of what has just been stored word by word: a load of several such words would wait until they have left the store
 * buffer of the host's processor. */
static inline void
copy_words(uint8_t *to, const void *from, unsigned size_B)
{
   for (unsigned at_B = 0; at_B < size_B; at_B += 4) {
      uint32_t word;
      memcpy(&word, (const uint8_t *)from + at_B, 4);
      __asm__("" : "+r"(word)); /* not as vectors */
      memcpy(to + at_B, &word, 4);
   }
}

enum { FEW_B = 64 };

/* After the bytes that payload_B counts. */
static void
copy_payload(struct sim_queue *q, const void *data, unsigned size_B)
{
   if (q->payload_B + size_B > q->payload_capacity_B) {
      uint32_t capacity_B = q->payload_capacity_B ? q->payload_capacity_B * 2 : 4096;
      capacity_B = MAX2(capacity_B, q->payload_B + size_B);
      q->payload = need_realloc("a wave's writes", q->payload, capacity_B);
      q->payload_capacity_B = capacity_B;
   }
   if (size_B <= FEW_B && size_B % 4 == 0)
      copy_words(q->payload + q->payload_B, data, size_B);
   else
      memcpy(q->payload + q->payload_B, data, size_B);
}

/* What reads, or writes no memory that loads could meet. */
static void
push_access(struct sim_queue *q, enum sim_queued_kind kind, uint32_t place, const void *access, unsigned size_B)
{
   copy_payload(q, access, size_B);
   *push(q, sim_va(0), 0) = (struct sim_queued){
      .size_B = size_B, .kind = (uint8_t)kind, .place = place, .seq = q->issue_seq + 1, .payload = q->payload_B};
   q->payload_B += size_B;
}

void
sim_queue_other(struct sim_queue *q, uint32_t place, const void *access, unsigned size_B)
{
   push_access(q, SIM_QUEUED_OTHER, place, access, size_B);
}

void
sim_queue_other_ahead(struct sim_queue *q, uint32_t place, const void *access, unsigned size_B, uint32_t after)
{
   sim_queue_other(q, place, access, size_B);
   struct sim_queued *first = &q->entries[q->count - 1 - after], last = q->entries[q->count - 1];
   if (after)
      last.seq = first->seq - 1;
   memmove(first + 1, first, after * sizeof(*first));
   *first = last;
}

void
sim_queue_load(struct sim_queue *q, uint32_t place, const void *access, unsigned size_B)
{
   push_access(q, SIM_QUEUED_LOAD, place, access, size_B);
   q->loads++;
}

static uint64_t
end_of(const struct sim_queued *store)
{
   const uint32_t pieces = sim_queued_pieces(store);
   return store->va.va +
          (store->step_B ? UINT64_C(1) * store->step_B * (pieces - 1) + store->piece_B : store->size_B);
}

/* The store of the same instruction that ends at the address; NULL: none. */
static struct sim_queued *
find_last(const struct sim_queue *q, struct sim_va va)
{
   struct sim_queued *last = q->count ? &q->entries[q->count - 1] : NULL;
   const bool is_same = last && last->kind == SIM_QUEUED_STORE && last->seq == q->issue_seq + 1;
   return is_same && end_of(last) == va.va ? last : NULL;
}

/* Of pieces, the last one becomes an entry of its own. Returns it. */
static struct sim_queued *
part_last_piece(struct sim_queue *q)
{
   struct sim_queued part = q->entries[q->count - 1];
   const uint32_t pieces = sim_queued_pieces(&part);
   q->entries[q->count - 1].size_B -= part.piece_B;
   if (pieces == 2)
      q->entries[q->count - 1].step_B = 0;
   part.va = sim_va_add(part.va, (int64_t)part.step_B * (pieces - 1));
   part.payload += part.size_B - part.piece_B;
   part.size_B = part.piece_B;
   part.step_B = 0;
   struct sim_queued *last = push(q, part.va, part.size_B);
   *last = part;
   q->operations--;
   return last;
}

void
sim_queue_store(struct sim_queue *q, uint32_t place, struct sim_va va, const void *data, unsigned size_B)
{
   copy_payload(q, data, size_B);
   struct sim_queued *last = find_last(q, va);
   if (last && last->step_B)
      last = part_last_piece(q);
   if (last) {
      last->size_B += size_B;
      q->high = MAX2(q->high, va.va + size_B);
   } else {
      *push(q, va, size_B) = (struct sim_queued){.va = va,
                                                 .size_B = size_B,
                                                 .kind = SIM_QUEUED_STORE,
                                                 .place = place,
                                                 .seq = q->issue_seq + 1,
                                                 .payload = q->payload_B};
   }
   q->payload_B += size_B;
}

void
sim_queue_store_pieces(struct sim_queue *q, const struct sim_queued *store, const void *data)
{
   struct sim_queued rest = *store;
   const bool goes_on = find_last(q, store->va);
   if (goes_on) {
      sim_queue_store(q, store->place, store->va, data, store->piece_B);
      rest.va = sim_va_add(store->va, store->step_B);
      rest.size_B -= store->piece_B;
      data = (const uint8_t *)data + store->piece_B;
   }
   copy_payload(q, data, rest.size_B);
   rest.kind = SIM_QUEUED_STORE;
   rest.seq = q->issue_seq + 1;
   rest.payload = q->payload_B;
   q->payload_B += rest.size_B;
   *push(q, rest.va, (unsigned)(end_of(&rest) - rest.va.va)) = rest;
   q->operations += sim_queued_pieces(&rest) - 1;
   if (rest.size_B == rest.piece_B)
      q->entries[q->count - 1].step_B = 0;
}

void
sim_queue_atomic(struct sim_queue *q, const struct sim_queued *atomic)
{
   struct sim_queued *queued = push(q, atomic->va, atomic->size_B);
   *queued = *atomic;
   queued->kind = SIM_QUEUED_ATOMIC;
   queued->seq = q->issue_seq + 1;
}

uint32_t
sim_queue_needed(const struct sim_queue *q)
{
   uint32_t count = q->needed_seq ? 0 : q->count;
   while (count < q->count && q->entries[count].seq <= q->needed_seq)
      count++;
   return count;
}

void
sim_queue_drop(struct sim_queue *q, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      q->loads -= q->entries[i].kind == SIM_QUEUED_LOAD;
      q->operations -= q->entries[i].kind == SIM_QUEUED_STORE ? sim_queued_pieces(&q->entries[i]) : 1;
   }
   q->count -= count;
   q->commit_seq = q->count ? q->entries[count].seq - 1 : q->issue_seq;
   if (q->count)
      memmove(q->entries, q->entries + count, q->count * sizeof(*q->entries));
   else
      q->payload_B = 0;
}

void
sim_queue_reset(struct sim_queue *q)
{
   *q = (struct sim_queue){.entries = q->entries,
                           .capacity = q->capacity,
                           .payload = q->payload,
                           .payload_capacity_B = q->payload_capacity_B};
}

void
sim_queue_free(struct sim_queue *q)
{
   free(q->entries);
   free(q->payload);
}
