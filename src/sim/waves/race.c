#include "sim/waves/race.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/dynarray.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum {
   SHOWN = 8,
   TEXT = 80,
   PC_STEP_B = 2, /* no two instructions start closer */
};

/* Where an access comes from. */
struct origin {
   uint32_t launch; /* since the last begin_draw that forgot all; waves count within it */
   uint32_t draw;   /* as shown */
   uint64_t number; /* as waited for */
   uint32_t text;   /* index in texts */
};

struct entry {
   struct sim_race_access access;
   struct origin origin;
   uint32_t next; /* index + 1 of the bucket's next entry */
};

/* An instruction of a program. */
struct text {
   struct sim_va va;
   char text[TEXT];
};

/* A pair of instructions that raced. */
struct found {
   uint32_t text[2];
   uint8_t flags[2];
   bool no_common_sample; /* they share no sample */
   uint16_t x, y;         /* the first pixel */
   uint32_t draw, later;  /* of the first access, of the second */
   uint64_t count;
};

struct sim_races {
   FILE *out;
   uint64_t total;
   uint32_t draw; /* how many draws before this one */
   uint64_t number, done;
   uint32_t launch;
   struct dynarray entries, found, texts;
   uint32_t *buckets; /* index + 1 */
   uint32_t bucket_count;
   /* Of the launch. */
   struct sim_va program_va;
   void (*print)(const void *data, uint32_t pc_B, char *text, unsigned size);
   const void *print_data;
   struct dynarray text_of; /* by pc_B / PC_STEP_B: index in texts + 1 */
};

struct sim_races *
sim_races_create(FILE *out)
{
   struct sim_races *r = calloc(1, sizeof(*r));
   if (r)
      r->out = out;
   return r;
}

void
sim_races_destroy(struct sim_races *r)
{
   if (!r)
      return;
   dynarray_free(&r->entries);
   dynarray_free(&r->found);
   dynarray_free(&r->texts);
   dynarray_free(&r->text_of);
   free(r->buckets);
   free(r);
}

uint64_t
sim_races_count(const struct sim_races *r)
{
   return r->total;
}

void
sim_races_begin_draw(struct sim_races *r, uint64_t number, uint64_t done)
{
   /* Numbers are those of a job's ring: one that does not grow is another ring's, after the end of a job. */
   bool forget = done >= r->number || number <= r->number;
   r->number = number;
   r->done = done;
   if (!forget)
      return;
   r->entries.size_B = r->texts.size_B = r->text_of.size_B = 0;
   r->program_va = sim_va(0);
   r->launch = 0;
   if (r->buckets)
      memset(r->buckets, 0, r->bucket_count * sizeof(*r->buckets));
}

void
sim_races_name_draw(struct sim_races *r, uint32_t name)
{
   r->draw = name;
}

void
sim_races_begin_launch(struct sim_races *r, struct sim_va program_va,
                       void (*print)(const void *data, uint32_t pc_B, char *text, unsigned size), const void *data)
{
   r->launch++;
   sim_races_continue(r, program_va, print, data);
}

void
sim_races_continue(struct sim_races *r, struct sim_va program_va,
                   void (*print)(const void *data, uint32_t pc_B, char *text, unsigned size), const void *data)
{
   if (r->program_va.va != program_va.va || r->print_data != data)
      r->text_of.size_B = 0;
   r->program_va = program_va;
   r->print = print;
   r->print_data = data;
}

/* Index + 1 of the same text; it is appended if there is none. */
static uint32_t
keep_text(struct sim_races *r, const struct text *text)
{
   const struct text *texts = r->texts.data;
   uint32_t count = (uint32_t)dynarray_count(&r->texts, struct text);
   for (uint32_t i = 0; i < count; i++)
      if (texts[i].va.va == text->va.va && !strcmp(texts[i].text, text->text))
         return i + 1;
   dynarray_append(&r->texts, struct text, *text);
   return count + 1;
}

/* The instruction's text, made when it is first met: later the program may be gone. */
static uint32_t
text_of(struct sim_races *r, uint32_t pc_B)
{
   uint32_t at = pc_B / PC_STEP_B;
   size_t count = dynarray_count(&r->text_of, uint32_t);
   if (at >= count) {
      size_t size_B = (at + 1 - count) * sizeof(uint32_t);
      memset(dynarray_grow(&r->text_of, size_B), 0, size_B);
   }
   uint32_t *index = dynarray_at(&r->text_of, uint32_t, at);
   if (!*index) {
      struct text text = {.va = sim_va_add(r->program_va, pc_B)};
      if (r->print)
         r->print(r->print_data, pc_B, text.text, TEXT);
      *index = keep_text(r, &text);
   }
   return *index - 1;
}

/* Whether an interlock knows two invocations on one pixel as overlapping. Of two draws the coarser one's counts. */
static bool
share_samples(const struct sim_race_access *a, const struct sim_race_access *b)
{
   unsigned log2 = MIN2(a->samples_log2, b->samples_log2);
   return !log2 || sim_fold_samples(a->samples, log2) & sim_fold_samples(b->samples, log2);
}

static bool
race(const struct entry *e, const struct origin *origin, const struct sim_race_access *b)
{
   const struct sim_race_access *a = &e->access;
   if (!((a->flags | b->flags) & SIM_RACE_WRITE) || (a->flags & b->flags & SIM_RACE_ATOMIC))
      return false;
   if (e->origin.launch == origin->launch && a->wave == b->wave)
      return a->instance == b->instance && a->lane != b->lane;
   return (a->flags | b->flags) & SIM_RACE_UNORDERED || a->flags & SIM_RACE_LATE || b->flags & SIM_RACE_EARLY ||
          !share_samples(a, b);
}

static void
note(struct sim_races *r, const struct entry *a, const struct origin *origin, const struct sim_race_access *b)
{
   r->total++;
   dynarray_for_each(struct found, f, &r->found) {
      if (f->text[0] == a->origin.text && f->text[1] == origin->text && f->draw == a->origin.draw &&
          f->later == origin->draw) {
         f->count++;
         return;
      }
   }
   struct found f = {.text = {a->origin.text, origin->text},
                     .flags = {a->access.flags, b->flags},
                     .no_common_sample = !share_samples(&a->access, b),
                     .x = b->x,
                     .y = b->y,
                     .draw = a->origin.draw,
                     .later = origin->draw,
                     .count = 1};
   dynarray_append(&r->found, struct found, f);
}

static uint32_t
bucket_of(const struct sim_races *r, const struct sim_race_access *a)
{
   uint64_t h = (a->word * UINT64_C(0x9e3779b97f4a7c15)) ^ ((uint64_t)a->x << 32 | (uint64_t)a->y << 48);
   return (uint32_t)((h * UINT64_C(0xd1b54a32d192ed03)) >> 32) & (r->bucket_count - 1);
}

static void
grow(struct sim_races *r)
{
   uint32_t count = (uint32_t)dynarray_count(&r->entries, struct entry);
   if (count < r->bucket_count)
      return;
   uint32_t bucket_count = MAX2(r->bucket_count * 2, 4096u), *buckets;
   buckets = need_calloc("accesses", bucket_count, sizeof(*buckets));
   free(r->buckets);
   r->buckets = buckets;
   r->bucket_count = bucket_count;
   for (uint32_t i = 0; i < count; i++) {
      struct entry *e = dynarray_at(&r->entries, struct entry, i);
      uint32_t *bucket = &r->buckets[bucket_of(r, &e->access)];
      e->next = *bucket;
      *bucket = i + 1;
   }
}

static bool
is_same_kind(const struct sim_race_access *a, const struct sim_race_access *b)
{
   return a->flags == b->flags && a->samples == b->samples && a->samples_log2 == b->samples_log2 &&
          a->bytes == b->bytes;
}

/* The newest access of each kind stands for all before it. */
void
sim_races_add(struct sim_races *r, const struct sim_race_access *b)
{
   struct origin origin = {r->launch, r->draw, r->number, text_of(r, b->pc_B)};
   grow(r);
   uint32_t *bucket = &r->buckets[bucket_of(r, b)];
   struct entry *same = NULL;
   for (uint32_t i = *bucket; i;) {
      struct entry *e = dynarray_at(&r->entries, struct entry, i - 1);
      i = e->next;
      if (e->access.word != b->word || e->access.x != b->x || e->access.y != b->y)
         continue;
      if (e->origin.number > r->done && e->access.bytes & b->bytes && race(e, &origin, b))
         note(r, e, &origin, b);
      if (is_same_kind(&e->access, b))
         same = e;
   }
   if (same) {
      same->access = *b;
      same->origin = origin;
      return;
   }
   dynarray_append(&r->entries, struct entry, (struct entry){*b, origin, *bucket});
   *bucket = (uint32_t)dynarray_count(&r->entries, struct entry);
}

static void
print_access(const struct sim_races *r, const struct found *f, unsigned which)
{
   const struct text *text = dynarray_at(&r->texts, struct text, f->text[which]);
   unsigned flags = f->flags[which];
   const char *kind = flags & SIM_RACE_ATOMIC ? "atomic" : flags & SIM_RACE_WRITE ? "write" : "read";
   fprintf(r->out, "%s at 0x%" PRIx64 " (%s)", kind, text->va.va, text->text);
   if (!which && f->draw != f->later)
      fprintf(r->out, " of draw %" PRIu32, f->draw);
   if (!(flags & SIM_RACE_UNORDERED) && flags & (which ? SIM_RACE_EARLY : SIM_RACE_LATE))
      fputs(which ? " ahead of the section" : " after the section", r->out);
}

static const char *
why(const struct found *f)
{
   bool first = f->flags[0] & SIM_RACE_UNORDERED, second = f->flags[1] & SIM_RACE_UNORDERED;
   if (first || second)
      return first && second ? "; neither is ordered"
             : first         ? "; the first is not ordered"
                             : "; the second is not ordered";
   return f->no_common_sample ? "; they share no sample" : "";
}

/* The next draw of which something was found, after `last`; false: there is none. */
static bool
next_draw(const struct sim_races *r, int64_t last, uint32_t *draw)
{
   int64_t next = INT64_MAX;
   dynarray_for_each(const struct found, f, &r->found)
      next = (int64_t)f->later > last ? MIN2(next, (int64_t)f->later) : next;
   *draw = (uint32_t)next;
   return next != INT64_MAX;
}

static uint64_t
print_draw(const struct sim_races *r, uint32_t draw)
{
   uint64_t count = 0;
   unsigned shown = 0, pairs = 0;
   dynarray_for_each(const struct found, f, &r->found) {
      count += f->later == draw ? f->count : 0;
      pairs += f->later == draw;
   }
   fprintf(r->out, "indium: draw %" PRIu32 ": %" PRIu64 " races of overlapping pixel shader invocations\n", draw,
           count);
   dynarray_for_each(const struct found, f, &r->found) {
      if (f->later != draw)
         continue;
      if (shown++ == SHOWN) {
         fprintf(r->out, "indium:   and %u more pairs of instructions\n", pairs - SHOWN);
         break;
      }
      fprintf(r->out, "indium:   %" PRIu64 " times, first at pixel (%u, %u): ", f->count, f->x, f->y);
      print_access(r, f, 0);
      fputs(", then ", r->out);
      print_access(r, f, 1);
      fprintf(r->out, "%s\n", why(f));
   }
   return count;
}

uint64_t
sim_races_end_draw(struct sim_races *r)
{
   uint64_t count = 0;
   uint32_t draw;
   for (int64_t last = -1; next_draw(r, last, &draw); last = draw)
      count += print_draw(r, draw);
   r->found.size_B = 0;
   r->draw++;
   return count;
}
