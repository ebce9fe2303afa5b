/* The pixel work of a render: batches of tiles, in each of them draw after draw. */
#include "asahi/sim/tile/tile.h"

#include <stdlib.h>
#include <string.h>

#include "sim/waves/pool.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum { BATCH_B = 64 << 20, WORST_BATCH_TILES = 8 };

/* What a draw meets in a tile. */
struct visit {
   uint32_t draw, tile;
};

/* Bytes of one tile: depth, tags, groups, stencil, colour. */
static size_t
tile_B(const struct agx_tiles *t)
{
   size_t colour_B = (size_t)t->places * t->render->command->sample_size_B;
   return (size_t)t->places * (sizeof(float) + sizeof(uint32_t) + 1) + t->pixels * sizeof(uint32_t) + colour_B;
}

static void
place_tile(const struct agx_tiles *t, uint32_t index)
{
   struct agx_tile *tile = &t->tiles[index];
   uint8_t *at = t->memory + index * tile_B(t);
   tile->depth = (float *)at;
   at += t->places * sizeof(float);
   tile->tags = (uint32_t *)at;
   at += t->places * sizeof(uint32_t);
   tile->last_group = (uint32_t *)at;
   at += t->pixels * sizeof(uint32_t);
   tile->stencil = at;
   tile->colour = at + t->places;
}

/* The number-th tile of the render; false: it has nothing to do. */
static bool
open_tile(const struct agx_tiles *t, uint64_t number, struct agx_tile *tile)
{
   const struct agx_render *r = t->render;
   const struct agx_render_command *c = r->command;
   uint32_t height_px = t->pixels / t->row_px;
   uint32_t wide = (uint32_t)div_round_up(c->width_px, t->row_px);
   uint32_t high = (uint32_t)div_round_up(c->height_px, height_px);
   uint32_t x = (uint32_t)(number % wide), y = (uint32_t)(number / wide % high);
   tile->layer = (uint16_t)(number / wide / high);
   tile->x0 = (uint16_t)(x * t->row_px);
   tile->y0 = (uint16_t)(y * height_px);
   tile->x1 = (uint16_t)MIN2(tile->x0 + t->row_px, c->width_px);
   tile->y1 = (uint16_t)MIN2(tile->y0 + height_px, c->height_px);
   tile->bin = (tile->layer * r->bins_high + tile->y0 / AGX_BIN_PX) * r->bins_wide + tile->x0 / AGX_BIN_PX;
   tile->cursor = 0;
   tile->visits = 0;
   tile->has_tags = tile->due = tile->late_reads_zs = tile->late_writes_zs = false;
   tile->quads.size_B = 0;
   tile->quads_waiting = 0;
   return c->flag_process_empty_tiles || r->bins[tile->bin].prims.size_B;
}

struct zs_task {
   struct agx_tiles *t;
   const uint32_t *list;     /* of the tiles */
   struct sim_fault *faults; /* of each tile */
};

static void
load_task(void *data, unsigned task)
{
   const struct zs_task *z = data;
   struct agx_tile *tile = &z->t->tiles[z->list[task]];
   memset(tile->tags, 0, z->t->places * sizeof(uint32_t));
   memset(tile->last_group, 0, z->t->pixels * sizeof(uint32_t));
   /* What the tile buffer had before. */
   memset(tile->colour, 0xb5, (size_t)z->t->places * z->t->render->command->sample_size_B);
   agx_tile_load_zs(z->t, tile, &z->faults[task]);
}

static void
store_task(void *data, unsigned task)
{
   const struct zs_task *z = data;
   agx_tile_store_zs(z->t, &z->t->tiles[z->list[task]], &z->faults[task]);
}

static void
spill_task(void *data, unsigned task)
{
   const struct zs_task *z = data;
   agx_tile_spill_zs(z->t, &z->t->tiles[z->list[task]], &z->faults[task]);
}

static bool
run_zs(struct agx_tiles *t, const uint32_t *list, uint32_t count, sim_pool_task task)
{
   struct zs_task z = {.t = t, .list = list, .faults = need_calloc("tiles", count, sizeof(*z.faults))};
   struct owned owned;
   own(&owned, free, z.faults);
   sim_pool_run(t->render->gpu->pool, count, task, &z);
   bool ok = true;
   for (uint32_t i = 0; i < count && ok; i++) {
      if (z.faults[i].kind)
         ok = sim_fault_set(t->render->gpu->fault, z.faults[i].kind, z.faults[i].va,
                            "depth and stencil of a tile: %s", z.faults[i].message);
   }
   disown(&owned);
   return ok;
}

static int
by_draw(const void *a, const void *b)
{
   const struct visit *va = a, *vb = b;
   if (va->draw != vb->draw)
      return va->draw < vb->draw ? -1 : 1;
   return va->tile < vb->tile ? -1 : va->tile > vb->tile;
}

static void
list_visits(const struct agx_tiles *t, struct dynarray *visits)
{
   const struct agx_render *r = t->render;
   for (uint32_t i = 0; i < t->count; i++) {
      uint32_t last = UINT32_MAX;
      dynarray_for_each(uint32_t, prim, &r->bins[t->tiles[i].bin].prims) {
         uint32_t draw = dynarray_at(&r->prims, struct agx_prim, *prim)->draw;
         if (draw != last)
            dynarray_append(visits, struct visit, (struct visit){draw, i});
         last = draw;
      }
   }
   if (visits->size_B)
      qsort(visits->data, dynarray_count(visits, struct visit), sizeof(struct visit), by_draw);
}

struct scan_task {
   struct agx_tiles *t;
   const struct visit *visits; /* NULL: all tiles */
};

static void
flush_task(void *data, unsigned task)
{
   const struct scan_task *s = data;
   agx_isp_flush(s->t, &s->t->tiles[s->visits ? s->visits[task].tile : task]);
}

static void
scan_task(void *data, unsigned task)
{
   const struct scan_task *s = data;
   agx_isp_scan(s->t, &s->t->tiles[s->visits[task].tile], s->visits[task].draw);
}

/* What the tags of those tiles show is to be shaded; visits NULL: of all. */
static void
flush_tags(struct agx_tiles *t, const struct visit *visits, uint32_t count)
{
   struct scan_task task = {t, visits};
   sim_pool_run(t->render->gpu->pool, count, flush_task, &task);
   for (uint32_t i = 0; i < count; i++)
      agx_pending_add(t, visits ? visits[i].tile : i, false);
}

/* Tests of a scan come after those of programs that wait, if one may change what another one looks at. */
static bool
finish_late_tests(struct agx_tiles *t, const struct agx_drawn *drawn, const struct visit *visits, uint32_t count)
{
   bool reads = agx_zs_reads(drawn), writes = agx_zs_writes(drawn), any = false;
   for (uint32_t i = 0; drawn->test == AGX_TEST_EARLY && i < count; i++) {
      struct agx_tile *tile = &t->tiles[visits[i].tile];
      tile->due = ((reads || writes) && tile->late_writes_zs) || (writes && tile->late_reads_zs);
      any |= tile->due;
   }
   return !any || agx_pending_run(t);
}

static bool
run_draw(struct agx_tiles *t, const struct visit *visits, uint32_t count)
{
   const struct agx_drawn *drawn = dynarray_at(&t->render->draws, struct agx_drawn, visits->draw);
   if (!finish_late_tests(t, drawn, visits, count))
      return false;
   if (drawn->fragment && !drawn->hides)
      flush_tags(t, visits, count);
   struct scan_task task = {t, visits};
   sim_pool_run(t->render->gpu->pool, count, scan_task, &task);
   for (uint32_t i = 0; i < count; i++) {
      struct agx_tile *tile = &t->tiles[visits[i].tile];
      agx_pending_add(t, visits[i].tile, true);
      if (drawn->visibility != AGX_VISIBILITY_MODE_NONE)
         agx_query_add(t->render, drawn, tile->passed);
   }
   return !agx_pending_is_much(t) || agx_pending_run_all(t);
}

/* Out to memory and back, as when parameter storage is full. What memory does not have is lost. */
static bool
store_and_load(struct agx_tiles *t, const uint32_t *list, uint32_t count)
{
   if (!agx_end_of_tile_run(t, list, count, true) || !run_zs(t, list, count, spill_task))
      return false;
   for (uint32_t i = 0; i < count; i++)
      memset(t->tiles[list[i]].colour, 0x5b, (size_t)t->places * t->render->command->sample_size_B);
   return agx_background_run(t, list, count, true);
}

/* Whether the schedule wants a partial render of the tile before this draw. `worst`: before one in four, so that
 * there are draws which meet each other; tiles next to each other differ in which. */
static bool
wants_partial(const struct agx_tiles *t, const struct agx_tile *tile, uint32_t draw)
{
   const struct sim_schedule *s = &t->render->gpu->schedule;
   switch (s->kind) {
   case SIM_SCHEDULE_IN_ORDER:
   case SIM_SCHEDULE_ROUND_ROBIN:
      return false;
   case SIM_SCHEDULE_SEED:
      return sim_schedule_random(s->seed, draw, tile->bin) % 4 == 0;
   case SIM_SCHEDULE_WORST:
      break;
   }
   return (tile->visits + tile->bin) % 4 == 0;
}

static bool
render_partially(struct agx_tiles *t, const struct visit *visits, uint32_t count)
{
   struct visit *some = need_malloc("tiles", count * sizeof(*some));
   uint32_t *list = need_malloc("tiles", count * sizeof(*list)), some_count = 0;
   struct owned owned_some, owned_list;
   own(&owned_some, free, some);
   own(&owned_list, free, list);
   for (uint32_t i = 0; i < count; i++) {
      struct agx_tile *tile = &t->tiles[visits[i].tile];
      tile->due = wants_partial(t, tile, visits[i].draw);
      tile->visits++;
      if (tile->due) {
         list[some_count] = visits[i].tile;
         some[some_count++] = visits[i];
      }
   }
   if (some_count)
      flush_tags(t, some, some_count);
   bool ok = !some_count || (agx_pending_run(t) && store_and_load(t, list, some_count));
   disown(&owned_list);
   disown(&owned_some);
   return ok;
}

static bool
run_draws(struct agx_tiles *t)
{
   struct dynarray visits = {0};
   struct owned owned;
   own(&owned, dynarray_release, &visits);
   list_visits(t, &visits);
   const struct visit *v = visits.data;
   uint32_t count = (uint32_t)dynarray_count(&visits, struct visit);
   bool ok = true;
   for (uint32_t first = 0, end; ok && first < count; first = end) {
      for (end = first + 1; end < count && v[end].draw == v[first].draw; end++)
         ;
      ok = render_partially(t, &v[first], end - first) && run_draw(t, &v[first], end - first);
   }
   if (ok) {
      flush_tags(t, NULL, t->count);
      ok = agx_pending_run_all(t);
   }
   disown(&owned);
   return ok;
}

static bool
run_batch(struct agx_tiles *t)
{
   if (!t->count)
      return true;
   uint32_t *all = need_malloc("tiles", t->count * sizeof(*all));
   struct owned owned;
   own(&owned, free, all);
   t->launches_done = t->launches;
   t->segments.size_B = 0;
   t->quads_waiting = t->next_order = 0;
   for (uint32_t i = 0; i < t->count; i++)
      all[i] = i;
   bool ok = run_zs(t, all, t->count, load_task) && agx_background_run(t, all, t->count, false) && run_draws(t) &&
             agx_end_of_tile_run(t, all, t->count, false) && run_zs(t, all, t->count, store_task);
   disown(&owned);
   return ok;
}

/* How many tiles go together. */
static uint32_t
batch_tiles(const struct agx_tiles *t)
{
   uint32_t fit = (uint32_t)MAX2(BATCH_B / tile_B(t), 1u);
   return t->render->gpu->schedule.kind == SIM_SCHEDULE_WORST ? MIN2(fit, (uint32_t)WORST_BATCH_TILES) : fit;
}

static uint64_t
greatest_common_divisor(uint64_t a, uint64_t b)
{
   while (b) {
      uint64_t rest = a % b;
      a = b;
      b = rest;
   }
   return a;
}

/* A one-to-one mapping of [0, count) that the schedule chooses. */
static uint64_t
tile_number(const struct sim_schedule *schedule, uint64_t i, uint64_t count)
{
   switch (schedule->kind) {
   case SIM_SCHEDULE_IN_ORDER:
   case SIM_SCHEDULE_ROUND_ROBIN:
      return i;
   case SIM_SCHEDULE_WORST:
      return count - 1 - i;
   case SIM_SCHEDULE_SEED:
      break;
   }
   uint64_t offset = sim_schedule_random(schedule->seed, count, 1) % count;
   uint64_t step = sim_schedule_random(schedule->seed, count, 2) % count;
   while (greatest_common_divisor(step, count) != 1)
      step++;
   return (i * step + offset) % count;
}

static bool
run_all(struct agx_tiles *t)
{
   const struct agx_render_command *c = t->render->command;
   uint64_t wide = div_round_up(c->width_px, t->row_px), high = div_round_up(c->height_px, t->pixels / t->row_px);
   uint64_t total = wide * high * c->layers;
   uint32_t most = (uint32_t)MIN2((uint64_t)batch_tiles(t), total);
   t->tiles = need_calloc("tiles", most, sizeof(*t->tiles));
   t->capacity = most;
   t->memory = need_malloc("tiles", most * tile_B(t));
   for (uint32_t i = 0; i < most; i++)
      place_tile(t, i);
   for (uint64_t i = 0; i < total;) {
      for (t->count = 0; i < total && t->count < most; i++)
         t->count += open_tile(t, tile_number(&t->render->gpu->schedule, i, total), &t->tiles[t->count]);
      if (!run_batch(t))
         return false;
   }
   return true;
}

static void
free_tiles(void *object)
{
   struct agx_tiles *t = object;
   for (uint32_t i = 0; t->tiles && i < t->capacity; i++)
      dynarray_free(&t->tiles[i].quads);
   struct dynarray *arrays[] = {&t->segments, &t->jobs, &t->coefficients, &t->draws};
   for (unsigned i = 0; i < ARRAY_SIZE(arrays); i++)
      dynarray_free(arrays[i]);
   free(t->places_of_draws);
   free(t->tiles);
   free(t->memory);
   free(t->background);
   free(t->end_of_tile);
   free(t->partial_background);
   free(t->partial_end_of_tile);
   free(t);
}

bool
agx_tiles_run(struct agx_render *render)
{
   struct agx_tiles *t = need_calloc("tiles", 1, sizeof(*t));
   struct owned owned;
   own(&owned, free_tiles, t);
   t->render = render;
   t->row_px = render->tile_width_px;
   t->pixels = render->tile_width_px * render->tile_height_px;
   t->places = t->pixels * render->samples;
   t->places_of_draws =
      need_calloc("draws", dynarray_count(&render->draws, struct agx_drawn) + 1, sizeof(*t->places_of_draws));
   bool ok = run_all(t) && agx_queries_store(render);
   disown(&owned);
   return ok;
}
