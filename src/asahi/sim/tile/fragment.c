/* A launch of pixel programs: quads become waves of eight, in the order of the API within a tile. */
#include <stdio.h>
#include <string.h>

#include "asahi/sim/tile/tile.h"
#include "sim/waves/pool.h"
#include "sim/waves/race.h"
#include "util/macros.h"

/* One wave. */
struct job {
   uint32_t segment, first, count; /* quads of the tile */
   uint32_t coefficients;          /* of the first primitive: index of its first register; each one that differs from
                                      the one before has its own set after it */
   uint32_t older_count, older[AGX_WAVE_MAX_OLDER];
};

/* Where what a segment needs begins. */
struct place {
   uint32_t draw; /* of the launch */
   uint32_t job, coefficients;
};

struct launch {
   struct agx_tiles *t; /* first: the hooks of the tile buffer look here */
   const struct agx_segment *segments;
   struct place *places; /* of each segment */
   uint32_t *tasks;      /* first segment of each: those of tiles abreast */
   uint32_t task_count, segment_count;
   uint32_t group_stamp;
   struct job *jobs;
   struct agx_wave_coefficients *coefficients;
};

static const struct agx_drawn *
drawn_of(const struct launch *l, const struct agx_segment *segment)
{
   return dynarray_at(&l->t->render->draws, struct agx_drawn, segment->draw);
}

static const struct agx_quad *
quads_of(const struct launch *l, uint32_t tile)
{
   return l->t->tiles[tile].quads.data;
}

static bool
overlap(const struct agx_quad *a, const struct agx_quad *b)
{
   if (a->x != b->x || a->y != b->y)
      return false;
   for (unsigned i = 0; i < 4; i++) {
      if (a->cover[i] && b->cover[i])
         return true;
   }
   return false;
}

/* How many of the quads share a wave: the fragments of a pixel wait for each other, which those of a wave cannot. */
static uint32_t
quads_of_wave(const struct agx_segment *segment, const struct agx_quad *quads, uint32_t count)
{
   count = MIN2(count, (uint32_t)AGX_WAVE_QUADS);
   for (uint32_t i = 1; segment->ordered && i < count; i++) {
      for (uint32_t k = 0; k < i; k++) {
         if (overlap(&quads[i], &quads[k]))
            return i;
      }
   }
   return count;
}

/* Waves of a segment, and the sets of coefficients that they need. */
static void
count_jobs(const struct launch *l, const struct agx_segment *segment, uint32_t *jobs, uint32_t *sets)
{
   const struct agx_quad *quads = quads_of(l, segment->tile) + segment->first;
   for (uint32_t i = 0, end; i < segment->count; i = end) {
      end = i + quads_of_wave(segment, quads + i, segment->count - i);
      ++*jobs;
      ++*sets;
      for (uint32_t k = i + 1; k < end; k++)
         *sets += quads[k].prim != quads[k - 1].prim;
   }
}

/* From the primitive's origin to the corner of the 32x32 pixels around the tile. */
static void
move_coefficients(const struct launch *l, const struct agx_tile *tile, uint32_t prim, uint32_t registers,
                  struct agx_wave_coefficients *to)
{
   const struct agx_render *r = l->t->render;
   const struct agx_prim *p = dynarray_at(&r->prims, struct agx_prim, prim);
   const struct agx_wave_coefficients *from =
      dynarray_at(&r->coefficients, struct agx_wave_coefficients, p->coefficients);
   double dx = (tile->x0 & ~(AGX_BIN_PX - 1)) - p->origin_x, dy = (tile->y0 & ~(AGX_BIN_PX - 1)) - p->origin_y;
   for (uint32_t i = 0; i < registers; i++) {
      to[i] = from[i];
      /* Flat values are not moved: they may be no numbers. */
      bool varies = (float_bits(from[i].a) | float_bits(from[i].b)) << 1;
      if (varies)
         to[i].c = (float)((double)from[i].a * dx + (double)from[i].b * dy + (double)from[i].c);
   }
}

static void
note_older(const struct launch *l, struct agx_tile *tile, const struct agx_quad *quad, uint32_t group,
           struct job *job)
{
   for (unsigned i = 0; i < 4; i++) {
      if (!quad->cover[i])
         continue;
      uint32_t *last = &tile->last_group[agx_tile_pixel(l->t, tile, quad->x + (i & 1), quad->y + (i >> 1))];
      if (*last > l->group_stamp && *last != l->group_stamp + group + 1) {
         uint32_t older = *last - l->group_stamp - 1, k = 0;
         while (k < job->older_count && job->older[k] != older)
            k++;
         if (k == job->older_count)
            job->older[job->older_count++] = older;
      }
      *last = l->group_stamp + group + 1;
   }
}

static void
form_segment(const struct launch *l, uint32_t number)
{
   const struct agx_segment *segment = &l->segments[number];
   struct agx_tile *tile = &l->t->tiles[segment->tile];
   const struct agx_quad *quads = quads_of(l, segment->tile) + segment->first;
   uint32_t group = l->places[number].job, at = l->places[number].coefficients;
   uint32_t registers = drawn_of(l, segment)->coefficient_count;
   for (uint32_t i = 0, end; i < segment->count; i = end, group++) {
      end = i + quads_of_wave(segment, quads + i, segment->count - i);
      struct job *job = &l->jobs[group];
      *job = (struct job){.segment = number, .first = segment->first + i, .count = end - i, .coefficients = at};
      for (uint32_t k = i; k < end; k++) {
         if (k == i || quads[k].prim != quads[k - 1].prim) {
            move_coefficients(l, tile, quads[k].prim, registers, l->coefficients + at);
            at += registers;
         }
         note_older(l, tile, &quads[k], group, job);
      }
   }
}

/* Those of a tile one after the other. */
static void
form_jobs(void *data, unsigned task)
{
   const struct launch *l = data;
   uint32_t end = task + 1 < l->task_count ? l->tasks[task + 1] : l->segment_count;
   for (uint32_t i = l->tasks[task]; i < end; i++)
      form_segment(l, i);
}

static void
start(void *user, uint32_t group, uint32_t wave, struct agx_wave_start *start)
{
   (void)wave; /* groups are single waves */
   const struct launch *l = user;
   const struct job *job = &l->jobs[group];
   const struct agx_segment *segment = &l->segments[job->segment];
   const struct agx_tile *tile = &l->t->tiles[segment->tile];
   const struct agx_quad *quads = quads_of(l, segment->tile) + job->first;
   struct agx_wave_fragments *f = &start->fragments;
   uint32_t at = job->coefficients;
   start->draw = l->places[job->segment].draw;
   start->lanes = (uint32_t)bit_mask(job->count * 4);
   f->tile = segment->tile;
   f->layer = tile->layer;
   f->coefficient_count = drawn_of(l, segment)->coefficient_count;
   for (uint32_t q = 0; q < job->count; q++) {
      const struct agx_quad *quad = &quads[q];
      at += q && quad->prim != quads[q - 1].prim ? f->coefficient_count : 0;
      f->coefficients[q] = l->coefficients + at;
      bool front = dynarray_at(&l->t->render->prims, struct agx_prim, quad->prim)->front;
      for (unsigned i = 0; i < 4; i++) {
         unsigned lane = q * 4 + i;
         f->x[lane] = (uint16_t)(quad->x + (i & 1));
         f->y[lane] = (uint16_t)(quad->y + (i >> 1));
         f->samples[lane] = quad->cover[i];
         f->back_facing |= (uint32_t)!front << lane;
      }
   }
   f->older_count = job->older_count;
   memcpy(f->older, job->older, job->older_count * sizeof(f->older[0]));
}

/* sample_mask and zs_emit. */
static bool
test(void *user, const struct agx_wave_test *a, uint8_t passed[AGX_WAVE_LANES], struct sim_fault *fault)
{
   const struct launch *l = user;
   const struct job *job = &l->jobs[a->group];
   const struct agx_segment *segment = &l->segments[job->segment];
   const struct agx_quad *quads = quads_of(l, segment->tile) + job->first;
   const struct agx_drawn *drawn = drawn_of(l, segment);
   unsigned all = (1u << l->t->render->samples) - 1;
   uint64_t count = 0;
   if (drawn->test == AGX_TEST_EARLY && (a->has_depth || a->has_stencil))
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0),
                           "the program gives depth or stencil, and the tests are over when it starts");
   for (unsigned lane = 0; lane < job->count * 4; lane++) {
      uint8_t samples = (uint8_t)(a->samples[lane] & all);
      passed[lane] = samples;
      if (!samples || drawn->test == AGX_TEST_EARLY)
         continue;
      const struct agx_prim *prim = dynarray_at(&l->t->render->prims, struct agx_prim, quads[lane / 4].prim);
      passed[lane] =
         agx_zs_test(l->t, &l->t->tiles[segment->tile], drawn, prim, a->fragments->x[lane], a->fragments->y[lane],
                     samples, a->has_depth ? &a->depth[lane] : NULL, a->has_stencil ? a->stencil[lane] : -1);
      count += (unsigned)__builtin_popcount(passed[lane]);
   }
   if (count && drawn->visibility != AGX_VISIBILITY_MODE_NONE)
      agx_query_add(l->t->render, drawn, count);
   return true;
}

static const struct agx_wave_hooks hooks = {
   .load_tile = agx_tile_load,
   .store_tile = agx_tile_store,
   .test = test,
};

/* Stamps start again before they overflow. */
static void
take_stamps(struct agx_tiles *t, uint32_t groups)
{
   if (t->group_stamp + groups + 1 < t->group_stamp) {
      for (uint32_t i = 0; i < t->count; i++)
         memset(t->tiles[i].last_group, 0, t->pixels * sizeof(uint32_t));
      t->group_stamp = 0;
   }
}

static bool
check_program(const struct agx_tiles *t, const struct agx_drawn *drawn)
{
   const struct agx_usc_shared *shared = &drawn->fragment->shared;
   const struct agx_render_command *c = t->render->command;
   if (shared->uses_shared_memory &&
       (shared->sample_stride_B != c->sample_size_B || shared->sample_count != c->samples))
      return sim_fault_set(
         t->render->gpu->fault, SIM_FAULT_STATE, drawn->at,
         "draw %u of the render: its program is bound for %u samples of %u bytes, tiles have %u of %u", drawn->number,
         shared->sample_count, shared->sample_stride_B, c->samples, c->sample_size_B);
   return true;
}

/* The draw's place in the launch, where it is put when it is first met. False after a fault. */
static bool
place_draw(struct agx_tiles *t, uint32_t number, uint32_t *index)
{
   const struct agx_drawn *drawn = dynarray_at(&t->render->draws, struct agx_drawn, number);
   struct agx_draw_place *place = &t->places_of_draws[number];
   if (place->launch != t->launches) {
      if (!check_program(t, drawn))
         return false;
      *place = (struct agx_draw_place){t->launches, (uint32_t)dynarray_count(&t->draws, struct agx_wave_draw)};
      dynarray_append(&t->draws, struct agx_wave_draw,
                      ((struct agx_wave_draw){drawn->fragment, drawn->number, drawn->bound}));
   }
   *index = place->index;
   return true;
}

/* What the segments need, one after the other. */
static bool
place_segments(struct launch *l, uint32_t *jobs, uint32_t *coefficients)
{
   for (uint32_t i = 0; i < l->segment_count; i++) {
      const struct agx_segment *segment = &l->segments[i];
      uint32_t sets = 0;
      l->places[i] = (struct place){.job = *jobs, .coefficients = *coefficients};
      if (!place_draw(l->t, segment->draw, &l->places[i].draw))
         return false;
      count_jobs(l, segment, jobs, &sets);
      *coefficients += sets * drawn_of(l, segment)->coefficient_count;
      if (!i || segment->abreast != segment[-1].abreast)
         l->tasks[l->task_count++] = i;
   }
   return true;
}

static bool
form_launch(struct launch *l, uint32_t *groups)
{
   struct agx_tiles *t = l->t;
   uint32_t count = l->segment_count, coefficients = 0;
   size_t lists_B = align_up(count * (sizeof(struct place) + sizeof(uint32_t)), 16);
   t->jobs.size_B = t->coefficients.size_B = t->draws.size_B = 0;
   l->places = dynarray_grow(&t->jobs, lists_B);
   l->tasks = (uint32_t *)(l->places + count);
   if (!place_segments(l, groups, &coefficients))
      return false;
   dynarray_grow(&t->jobs, *groups * sizeof(struct job));
   l->places = t->jobs.data;
   l->tasks = (uint32_t *)(l->places + count);
   l->jobs = (struct job *)((char *)t->jobs.data + lists_B);
   l->coefficients = dynarray_grow(&t->coefficients, (size_t)coefficients * sizeof(*l->coefficients) + 1);
   take_stamps(t, *groups);
   l->group_stamp = t->group_stamp;
   t->group_stamp += *groups;
   sim_pool_run(t->render->gpu->pool, l->task_count, form_jobs, l);
   return true;
}

void
agx_sample_positions(const struct agx_render *r, struct agx_wave_launch *launch)
{
   for (unsigned i = 0; i < r->samples; i++) {
      launch->sample_position[i][0] = (float)(r->positions.x16[i] + 8) / 16.0f;
      launch->sample_position[i][1] = (float)(r->positions.y16[i] + 8) / 16.0f;
   }
}

bool
agx_fragments_run(struct agx_tiles *t, const struct agx_segment *segments, uint32_t count)
{
   struct launch l = {.t = t, .segments = segments, .segment_count = count};
   const struct agx_gpu *gpu = t->render->gpu;
   uint32_t groups = 0;
   t->launches++;
   if (!form_launch(&l, &groups))
      return false;
   struct agx_wave_launch launch = {
      .draws = t->draws.data,
      .draw_count = (uint32_t)dynarray_count(&t->draws, struct agx_wave_draw),
      .vm = gpu->vm,
      .soft_faults = gpu->soft_faults,
      .group_count = groups,
      .waves_per_group = 1,
      .samples_log2 = (uint8_t)t->render->samples_log2,
      .hooks = &hooks,
      .races = gpu->races,
      .user = &l,
      .start = start,
   };
   agx_sample_positions(t->render, &launch);
   if (launch.races)
      sim_races_begin_draw(launch.races, t->launches, t->launches_done);
   bool ok = agx_wave_run(gpu->engine, &launch, gpu->fault);
   if (launch.races)
      sim_races_end_draw(launch.races);
   return ok;
}
