/* Quads that wait for their launch. Fragments of all draws that a tile meets may be in flight together, so a launch
 * has as many draws as there are; what ends one is listed in docs/drivers/asahi/render.md. */
#include <stdlib.h>

#include "asahi/sim/tile/tile.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum {
   LAUNCH_QUADS = 1 << 16,     /* where tiles share nothing, another launch begins after these */
   LAUNCH_MAX_QUADS = 1 << 18, /* and here in any case */
   PENDING_QUADS = 1 << 20,
   ABREAST = 32, /* tiles, whose fragments keep host threads busy while some sleep */
};

/* How many tiles, one after the other in the batch, go through their draws side by side: the more there are, the
 * fewer draws of a tile are in flight together. */
static uint32_t
tiles_abreast(const struct agx_tiles *t)
{
   const struct sim_schedule *s = &t->render->gpu->schedule;
   switch (s->kind) {
   case SIM_SCHEDULE_IN_ORDER:
   case SIM_SCHEDULE_ROUND_ROBIN:
      return ABREAST;
   case SIM_SCHEDULE_WORST:
      return 1;
   case SIM_SCHEDULE_SEED:
      break;
   }
   return 1u << sim_schedule_random(s->seed, t->tiles->bin, 3) % 4;
}

static void
add_segment(struct agx_tiles *t, uint32_t tile, uint32_t draw, uint32_t first, uint32_t end, bool ordered)
{
   const struct agx_drawn *drawn = dynarray_at(&t->render->draws, struct agx_drawn, draw);
   const struct agx_segment segment = {
      .draw = draw, .tile = tile, .first = first, .count = end - first, .order = t->next_order++, .ordered = ordered};
   dynarray_append(&t->segments, struct agx_segment, segment);
   t->quads_waiting += end - first;
   if (drawn->test == AGX_TEST_LATE) {
      t->tiles[tile].late_reads_zs |= agx_zs_reads(drawn);
      t->tiles[tile].late_writes_zs |= agx_zs_writes(drawn);
   }
}

static uint32_t
draw_of(const struct agx_tiles *t, const struct agx_quad *quad)
{
   return dynarray_at(&t->render->prims, struct agx_prim, quad->prim)->draw;
}

void
agx_pending_add(struct agx_tiles *t, uint32_t number, bool ordered)
{
   struct agx_tile *tile = &t->tiles[number];
   const struct agx_quad *quads = tile->quads.data;
   uint32_t count = (uint32_t)dynarray_count(&tile->quads, struct agx_quad);
   for (uint32_t first = tile->quads_waiting, end; first < count; first = end) {
      uint32_t draw = draw_of(t, &quads[first]);
      for (end = first + 1; end < count && draw_of(t, &quads[end]) == draw; end++)
         ;
      add_segment(t, number, draw, first, end, ordered);
   }
   tile->quads_waiting = count;
}

static int
by_launch(const void *a, const void *b)
{
   const struct agx_segment *sa = a, *sb = b;
   if (sa->abreast != sb->abreast)
      return sa->abreast < sb->abreast ? -1 : 1;
   return sa->order < sb->order ? -1 : sa->order > sb->order;
}

/* Moves the segments that are due out of those that wait. */
static uint32_t
take_due(struct agx_tiles *t, struct agx_segment *due)
{
   const uint32_t abreast = tiles_abreast(t);
   uint32_t count = 0, left = 0;
   dynarray_for_each(struct agx_segment, s, &t->segments) {
      s->abreast = s->tile / abreast;
      if (t->tiles[s->tile].due)
         due[count++] = *s;
      else
         *dynarray_at(&t->segments, struct agx_segment, left++) = *s;
   }
   t->segments.size_B = left * sizeof(struct agx_segment);
   if (count)
      qsort(due, count, sizeof(*due), by_launch);
   return count;
}

static bool
run_launches(struct agx_tiles *t, const struct agx_segment *segments, uint32_t count)
{
   bool ok = true;
   for (uint32_t first = 0, end; ok && first < count; first = end) {
      uint32_t quads = segments[first].count;
      for (end = first + 1; end < count; end++) {
         bool meet = segments[end].abreast == segments[end - 1].abreast;
         if (quads + segments[end].count > (meet ? LAUNCH_MAX_QUADS : LAUNCH_QUADS))
            break;
         quads += segments[end].count;
      }
      ok = agx_fragments_run(t, segments + first, end - first);
      t->quads_waiting -= quads;
   }
   return ok;
}

bool
agx_pending_run(struct agx_tiles *t)
{
   struct agx_segment *due = need_malloc("quads", t->segments.size_B + 1);
   struct owned owned;
   own(&owned, free, due);
   bool ok = run_launches(t, due, take_due(t, due));
   disown(&owned);
   for (uint32_t i = 0; i < t->count; i++) {
      struct agx_tile *tile = &t->tiles[i];
      if (!tile->due)
         continue;
      tile->due = tile->late_reads_zs = tile->late_writes_zs = false;
      tile->quads.size_B = 0;
      tile->quads_waiting = 0;
   }
   return ok;
}

bool
agx_pending_run_all(struct agx_tiles *t)
{
   for (uint32_t i = 0; i < t->count; i++)
      t->tiles[i].due = true;
   return agx_pending_run(t);
}

bool
agx_pending_is_much(const struct agx_tiles *t)
{
   return t->quads_waiting > PENDING_QUADS;
}
