#include "sim/waves/race_lds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"
#include "util/within_memory.h"

enum { SHOWN = 8, TEXT = 80 };

/* A wave's first access of its kind to a dword in the epoch; its others would race with the same. */
struct entry {
   struct sim_lds_access access;
   uint8_t bytes; /* of the dword */
   bool mixed;    /* the wave has written several values, not only */
   uint32_t value;
   uint32_t next; /* index + 1 */
};

/* Two instructions that raced, and where they first did. */
struct found {
   struct sim_va va[2];
   char text[2][TEXT];
   uint32_t wave[2];
   unsigned flags[2];
   uint32_t address_B, group;
   uint64_t count;
};

struct sim_lds_races {
   FILE *out;
   uint64_t total;
   struct dynarray found; /* in the launch */
};

void
sim_lds_watch_start(struct sim_lds_watch *w, uint32_t size_B)
{
   uint32_t dwords = (size_B + 3) / 4;
   if (dwords > w->dwords)
      w->heads = need_realloc("watched LDS", w->heads, dwords * sizeof(*w->heads));
   w->dwords = MAX2(w->dwords, dwords);
   if (w->dwords)
      memset(w->heads, 0, w->dwords * sizeof(*w->heads));
   w->entries.size_B = w->found.size_B = 0;
   w->epoch = 0;
}

void
sim_lds_watch_free(struct sim_lds_watch *w)
{
   free(w->heads);
   dynarray_free(&w->entries);
   dynarray_free(&w->found);
}

/* The pair among those found, or a new one that counts nothing yet. */
static struct found *
found_pair(struct dynarray *all, const struct found *like)
{
   dynarray_for_each(struct found, f, all) {
      if (f->va[0].va == like->va[0].va && f->va[1].va == like->va[1].va)
         return f;
   }
   dynarray_append(all, struct found, *like);
   struct found *f = dynarray_at(all, struct found, dynarray_count(all, struct found) - 1);
   f->count = 0;
   return f;
}

static void
note(struct sim_lds_watch *w, const struct sim_lds_access *a, const struct sim_lds_access *b, uint32_t address_B,
     sim_lds_print print)
{
   const struct sim_lds_access *both[2] = {a, b};
   struct found like = {.address_B = address_B, .count = 0};
   for (unsigned i = 0; i < 2; i++) {
      like.va[i] = sim_va_add(both[i]->program_va, both[i]->pc_B);
      like.wave[i] = both[i]->wave;
      like.flags[i] = both[i]->flags;
   }
   struct found *f = found_pair(&w->found, &like);
   for (unsigned i = 0; i < 2 && !f->count; i++)
      print(both[i]->program, both[i]->pc_B, f->text[i], TEXT);
   f->count++;
}

/* Of two waves. */
static bool
race(const struct entry *a, const struct entry *b)
{
   unsigned any = a->access.flags | b->access.flags, both = a->access.flags & b->access.flags;
   if (!(a->bytes & b->bytes) || !(any & SIM_LDS_WRITE) || both & SIM_LDS_ATOMIC)
      return false;
   uint32_t mask = 0;
   for (unsigned i = 0; i < 4; i++)
      mask |= (a->bytes & b->bytes) >> i & 1 ? 0xffu << 8 * i : 0;
   bool plain = both & SIM_LDS_WRITE && !(any & SIM_LDS_ATOMIC);
   return !plain || a->mixed || b->mixed || (a->value ^ b->value) & mask;
}

static void
add_dword(struct sim_lds_watch *w, uint32_t dword, const struct entry *b, sim_lds_print print)
{
   bool known = false;
   for (uint32_t i = w->heads[dword]; i;) {
      struct entry *e = dynarray_at(&w->entries, struct entry, i - 1);
      i = e->next;
      if (e->access.wave != b->access.wave) {
         if (race(e, b))
            note(w, &e->access, &b->access, dword * 4, print);
      } else if (e->bytes == b->bytes && e->access.flags == b->access.flags) {
         e->mixed |= e->value != b->value;
         known = true;
      }
   }
   if (known)
      return;
   struct entry *added = dynarray_grow(&w->entries, sizeof(*added));
   *added = *b;
   added->next = w->heads[dword];
   w->heads[dword] = (uint32_t)dynarray_count(&w->entries, struct entry);
}

void
sim_lds_watch_add(struct sim_lds_watch *w, uint32_t epoch, const struct sim_lds_access *access, sim_lds_print print)
{
   if (epoch != w->epoch) {
      memset(w->heads, 0, w->dwords * sizeof(*w->heads));
      w->entries.size_B = 0;
      w->epoch = epoch;
   }
   const uint64_t end_B = (uint64_t)access->address_B + access->size_B;
   for (uint64_t at_B = access->address_B; at_B < end_B && at_B / 4 < w->dwords; at_B = (at_B & ~UINT64_C(3)) + 4) {
      struct entry entry = {.access = *access};
      for (uint64_t b = at_B; b < end_B && b / 4 == at_B / 4; b++) {
         entry.bytes |= (uint8_t)(1u << b % 4);
         if (access->value)
            entry.value |= (uint32_t)((const uint8_t *)access->value)[b - access->address_B] << 8 * (b % 4);
      }
      add_dword(w, (uint32_t)(at_B / 4), &entry, print);
   }
}

struct sim_lds_races *
sim_lds_races_create(FILE *out)
{
   struct sim_lds_races *r = calloc(1, sizeof(*r));
   if (r)
      r->out = out;
   return r;
}

void
sim_lds_races_destroy(struct sim_lds_races *r)
{
   if (r)
      dynarray_free(&r->found);
   free(r);
}

uint64_t
sim_lds_races_count(const struct sim_lds_races *r)
{
   return r->total;
}

void
sim_lds_races_take(struct sim_lds_races *r, struct sim_lds_watch *w, uint32_t group)
{
   dynarray_for_each(struct found, f, &w->found) {
      f->group = group;
      found_pair(&r->found, f)->count += f->count;
   }
   w->found.size_B = 0;
}

static void
print_access(FILE *out, const struct found *f, unsigned i)
{
   const char *kind = f->flags[i] & SIM_LDS_ATOMIC ? "atomic" : f->flags[i] & SIM_LDS_WRITE ? "write" : "read";
   fprintf(out, "wave %" PRIu32 ", %s at 0x%" PRIx64 " (%s)", f->wave[i], kind, f->va[i].va, f->text[i]);
}

void
sim_lds_races_end_launch(struct sim_lds_races *r)
{
   unsigned shown = 0, pairs = (unsigned)dynarray_count(&r->found, struct found);
   dynarray_for_each(struct found, f, &r->found) {
      r->total += f->count;
      if (shown++ >= SHOWN)
         continue;
      fprintf(r->out,
              "indium: LDS race: %" PRIu64 " times, first at LDS address 0x%" PRIx32 " of group %" PRIu32 ": ",
              f->count, f->address_B, f->group);
      print_access(r->out, f, 0);
      fputs(", and ", r->out);
      print_access(r->out, f, 1);
      fputs("; no barrier between\n", r->out);
   }
   if (pairs > SHOWN)
      fprintf(r->out, "indium: LDS race: and %u more pairs of instructions\n", pairs - SHOWN);
   r->found.size_B = 0;
}
