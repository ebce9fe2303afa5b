#include "amd/sim/race.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/dynarray.h"
#include "util/macros.h"

enum { SHOWN = 8, TEXT = 80 };

struct entry {
   struct amd_race_access access;
   uint32_t next; /* index + 1 of the bucket's next entry */
};

/* A pair of instructions that raced. */
struct found {
   uint32_t pc_dw[2];
   uint8_t flags[2];
   uint16_t x, y; /* the first pixel */
   uint64_t count;
   char text[2][TEXT];
};

struct amd_races {
   FILE *out;
   uint64_t total;
   uint32_t draw; /* number of the draw */
   struct dynarray entries, found;
   uint32_t *buckets; /* index + 1 */
   uint32_t bucket_count;
   uint64_t program_va;
   void (*print)(const void *data, uint32_t pc_dw, char *text, unsigned size);
   const void *print_data;
};

struct amd_races *
amd_races_create(FILE *out)
{
   struct amd_races *r = calloc(1, sizeof(*r));
   if (r)
      r->out = out;
   return r;
}

void
amd_races_destroy(struct amd_races *r)
{
   if (!r)
      return;
   dynarray_free(&r->entries);
   dynarray_free(&r->found);
   free(r->buckets);
   free(r);
}

uint64_t
amd_races_count(const struct amd_races *r)
{
   return r->total;
}

void
amd_races_set_text(struct amd_races *r, uint64_t program_va,
                   void (*print)(const void *data, uint32_t pc_dw, char *text, unsigned size), const void *data)
{
   r->program_va = program_va;
   r->print = print;
   r->print_data = data;
}

static bool
overlap(const struct amd_race_access *a, const struct amd_race_access *b)
{
   return a->word == b->word && a->x == b->x && a->y == b->y && a->samples & b->samples;
}

static bool
race(const struct amd_race_access *a, const struct amd_race_access *b)
{
   if (!((a->flags | b->flags) & AMD_RACE_WRITE) || (a->flags & b->flags & AMD_RACE_ATOMIC))
      return false;
   if (a->wave == b->wave)
      return a->instance == b->instance && a->lane != b->lane;
   return a->flags & AMD_RACE_LATE || b->flags & AMD_RACE_EARLY;
}

static void
note(struct amd_races *r, const struct amd_race_access *a, const struct amd_race_access *b)
{
   r->total++;
   dynarray_for_each(struct found, f, &r->found) {
      if (f->pc_dw[0] == a->pc_dw && f->pc_dw[1] == b->pc_dw) {
         f->count++;
         return;
      }
   }
   struct found f = {.pc_dw = {a->pc_dw, b->pc_dw}, .flags = {a->flags, b->flags}, .x = b->x, .y = b->y, .count = 1};
   for (unsigned i = 0; i < 2 && r->print; i++)
      r->print(r->print_data, f.pc_dw[i], f.text[i], TEXT);
   dynarray_append(&r->found, struct found, f);
}

static uint32_t
bucket_of(const struct amd_races *r, const struct amd_race_access *a)
{
   uint64_t h = (a->word * UINT64_C(0x9e3779b97f4a7c15)) ^ ((uint64_t)a->x << 32 | (uint64_t)a->y << 48);
   return (uint32_t)((h * UINT64_C(0xd1b54a32d192ed03)) >> 32) & (r->bucket_count - 1);
}

static void
grow(struct amd_races *r)
{
   uint32_t count = (uint32_t)dynarray_count(&r->entries, struct entry);
   if (count < r->bucket_count)
      return;
   r->bucket_count = MAX2(r->bucket_count * 2, 4096u);
   free(r->buckets);
   r->buckets = calloc(r->bucket_count, sizeof(*r->buckets));
   if (!r->buckets)
      abort();
   for (uint32_t i = 0; i < count; i++) {
      struct entry *e = dynarray_at(&r->entries, struct entry, i);
      uint32_t *bucket = &r->buckets[bucket_of(r, &e->access)];
      e->next = *bucket;
      *bucket = i + 1;
   }
}

/* The newest access of each kind stands for all before it. */
void
amd_races_add(struct amd_races *r, const struct amd_race_access *b)
{
   grow(r);
   uint32_t *bucket = &r->buckets[bucket_of(r, b)];
   struct entry *same = NULL;
   for (uint32_t i = *bucket; i;) {
      struct entry *e = dynarray_at(&r->entries, struct entry, i - 1);
      i = e->next;
      if (!overlap(&e->access, b))
         continue;
      if (race(&e->access, b))
         note(r, &e->access, b);
      if (e->access.flags == b->flags && e->access.samples == b->samples)
         same = e;
   }
   if (same) {
      same->access = *b;
      return;
   }
   dynarray_append(&r->entries, struct entry, (struct entry){*b, *bucket});
   *bucket = (uint32_t)dynarray_count(&r->entries, struct entry);
}

static const char *
kind(unsigned flags)
{
   return flags & AMD_RACE_ATOMIC ? "atomic" : flags & AMD_RACE_WRITE ? "write" : "read";
}

uint64_t
amd_races_end_draw(struct amd_races *r)
{
   uint64_t count = 0;
   unsigned shown = 0;
   dynarray_for_each(struct found, f, &r->found)
      count += f->count;
   if (count)
      fprintf(r->out, "indium: draw %" PRIu32 ": %" PRIu64 " races of overlapping pixel shader invocations\n", r->draw,
              count);
   dynarray_for_each(struct found, f, &r->found) {
      if (shown++ == SHOWN)
         break;
      fprintf(r->out,
              "indium:   %" PRIu64 " times, first at pixel (%u, %u): %s at 0x%" PRIx64 " (%s)%s, then %s at 0x%" PRIx64
              " (%s)%s\n",
              f->count, f->x, f->y, kind(f->flags[0]), r->program_va + (uint64_t)4 * f->pc_dw[0], f->text[0],
              f->flags[0] & AMD_RACE_LATE ? " behind the section" : "", kind(f->flags[1]),
              r->program_va + (uint64_t)4 * f->pc_dw[1], f->text[1], f->flags[1] & AMD_RACE_EARLY ? " ahead of the section" : "");
   }
   r->entries.size_B = r->found.size_B = 0;
   if (r->buckets)
      memset(r->buckets, 0, r->bucket_count * sizeof(*r->buckets));
   r->draw++;
   return count;
}
