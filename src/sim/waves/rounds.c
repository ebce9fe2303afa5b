/* The chosen groups run in parallel, then queues land in order, groups retire and others start. */
#include "sim/waves/rounds.h"

#include <stdlib.h>
#include <string.h>

#include "sim/waves/host_float.h"
#include "sim/waves/pool.h"
#include "sim/waves/rounds_private.h"
#include "util/macros.h"
#include "util/within_memory.h"

#define IDLE_ROUNDS 512 /* of waves that poll in vain, until they count as hung */

void
sim_rounds_init(struct sim_rounds *r, const struct sim_wave_model *model, struct sim_pool *pool)
{
   r->model = model;
   r->pool = pool;
}

static void
free_waves(struct sim_rounds *r, uint8_t *waves)
{
   for (uint32_t i = 0; i < r->group_waves && waves; i++) {
      struct sim_wave *w = (struct sim_wave *)(waves + (size_t)i * r->model->wave_B);
      sim_queue_free(&w->queue);
      r->model->free_wave(w);
   }
   free(waves);
}

static void
free_lonely(struct sim_rounds *r, struct sim_group *group)
{
   if (!group)
      return;
   free_waves(r, group->waves);
   r->model->free_group(group);
   free(group);
}

static void
free_groups(struct sim_rounds *r)
{
   for (uint32_t g = 0; g < r->group_capacity; g++) {
      struct sim_group *group = sim_rounds_in_slot(r, g);
      free_waves(r, group->waves);
      r->model->free_group(group);
   }
   for (unsigned i = 0; i < SIM_SPARES; i++) {
      free_waves(r, atomic_exchange(&r->spares[i].waves, NULL));
      free_lonely(r, atomic_exchange(&r->spares[i].lonely, NULL));
   }
   free(r->groups);
   free(r->chosen);
   r->groups = NULL;
   r->chosen = NULL;
   r->group_capacity = r->group_waves = 0;
}

void
sim_rounds_free(struct sim_rounds *r)
{
   free_groups(r);
}

/* Of a group; NULL: out of memory. */
static uint8_t *
new_waves(const struct sim_rounds *r)
{
   void *memory = NULL;
   size_t size_B = (size_t)r->group_waves * r->model->wave_B;
   if (posix_memalign(&memory, 64, size_B))
      return NULL;
   return memset(memory, 0, size_B);
}

static bool
reserve_groups(struct sim_rounds *r, uint32_t groups, uint32_t waves)
{
   if (r->group_capacity < groups || r->group_waves < waves) {
      groups = MAX2(groups, r->group_capacity);
      waves = MAX2(waves, r->group_waves);
      free_groups(r);
      r->groups = calloc(groups, r->model->group_B);
      r->chosen = calloc(groups, sizeof(*r->chosen));
      if (!r->groups || !r->chosen) {
         free_groups(r);
         return false;
      }
      r->group_capacity = groups;
      r->group_waves = waves;
   }
   for (uint32_t g = 0; g < groups && !r->brief; g++) {
      struct sim_group *group = sim_rounds_in_slot(r, g);
      group->waves = group->waves ? group->waves : new_waves(r);
      if (!group->waves) {
         free_groups(r);
         return false;
      }
   }
   return true;
}

/* The thread's own place for what it has just used. */
static struct sim_spare *
own_spare(struct sim_rounds *r)
{
   static atomic_uint threads;
   static _Thread_local unsigned number;
   number = number ? number : ++threads;
   return &r->spares[number % SIM_SPARES];
}

static void
renew_waves(struct sim_rounds *r, struct sim_group *group, uint32_t quantum)
{
   for (uint32_t i = 0; i < group->wave_count; i++) {
      struct sim_wave *w = sim_group_wave(group, i);
      struct sim_queue queue = w->queue;
      sim_queue_reset(&queue);
      *w = (struct sim_wave){
         .rounds = r, .group = group, .index = i, .state = SIM_WAVE_RUN, .quantum = quantum, .queue = queue};
   }
}

static void
start_group(struct sim_rounds *r, struct sim_group *group, uint32_t slot)
{
   if (r->brief) {
      group->waves = group->waves ? group->waves : atomic_exchange(&own_spare(r)->waves, NULL);
      group->waves = group->waves ? group->waves : new_waves(r);
      if (!group->waves)
         out_of_memory("a group's waves", (size_t)r->group_waves * r->model->wave_B);
      renew_waves(r, group, ROUNDS_QUANTUM);
   }
   r->model->start(r, group, slot);
   group->starting = false;
}

/* Of a brief launch: what has ended needs no serial phase, but for its place in the order. */
static void
finish_group(struct sim_rounds *r, struct sim_group *group)
{
   for (uint32_t i = 0; i < group->wave_count; i++) {
      const struct sim_wave *w = sim_group_wave(group, i);
      if (w->state != SIM_WAVE_END || w->queue.count || w->fault.kind || w->instructions < w->spin_end)
         return;
   }
   if (!r->model->finish(r, group))
      return;
   group->done = group->quiet = true;
}

/* Releases the barrier if every wave that has not ended stands at it. */
static bool
release_barrier(struct sim_group *group)
{
   bool any = false;
   for (uint32_t i = 0; i < group->wave_count; i++) {
      const struct sim_wave *w = sim_group_wave(group, i);
      if (w->state != SIM_WAVE_BARRIER && w->state != SIM_WAVE_END)
         return false;
      any |= w->state == SIM_WAVE_BARRIER;
   }
   for (uint32_t i = 0; i < group->wave_count; i++)
      if (sim_group_wave(group, i)->state == SIM_WAVE_BARRIER)
         sim_group_wave(group, i)->state = SIM_WAVE_RUN;
   return any;
}

static void
run_waves(struct sim_rounds *r, struct sim_group *group)
{
   bool backward = r->schedule.kind == SIM_SCHEDULE_WORST;
   for (bool again = true; again;) {
      for (uint32_t i = 0; i < group->wave_count; i++) {
         struct sim_wave *w = sim_group_wave(group, backward ? group->wave_count - 1 - i : i);
         if (w->state != SIM_WAVE_RUN || !w->quantum)
            continue;
         uint64_t before = w->instructions;
         r->model->run(w);
         group->ran += w->instructions - before;
         if (w->fault.kind)
            return;
      }
      again = release_barrier(group);
   }
}

static void
run_group(struct sim_rounds *r, struct sim_group *group, uint32_t slot)
{
   if (group->starting)
      start_group(r, group, slot);
   uint32_t saved = sim_host_float_save();
   run_waves(r, group);
   sim_host_float_restore(saved);
   if (r->brief)
      finish_group(r, group);
}

static void
round_task(void *data, unsigned task)
{
   struct sim_rounds *r = data;
   struct sim_group *group = sim_rounds_in_slot(r, r->chosen[task]);
   run_group(r, group, r->chosen[task]);
   if (group->quiet)
      group->waves = atomic_exchange(&own_spare(r)->waves, group->waves);
}

static void
admit_group(struct sim_rounds *r, struct sim_group *group, uint32_t index)
{
   group->index = group->number = index;
   group->wave_count = r->waves_per_group;
   group->wave_B = r->model->wave_B;
   group->starting = true;
   group->done = group->quiet = false;
   group->ran = 0;
   if (!r->brief)
      renew_waves(r, group, 0);
   r->model->admit(r, group);
}

/* Takes the next group into its slot. */
static void
admit_next(struct sim_rounds *r)
{
   uint32_t index = r->end++;
   admit_group(r, sim_rounds_group(r, index), index);
}

/* Retires what is done in order and fills free slots, many at a time so that rounds stay wide. Returns whether any
 * group retired. */
static bool
turn_over(struct sim_rounds *r)
{
   uint32_t before = r->first;
   while (r->first < r->end && r->first < r->retire_end && sim_rounds_group(r, r->first)->done) {
      if (!sim_rounds_group(r, r->first)->quiet)
         r->model->retire(r, sim_rounds_group(r, r->first));
      r->first_slot = sim_rounds_slot(r, r->first + 1);
      r->first++;
   }
   if (r->end - r->first <= r->window - r->window / 4) {
      while (r->end < r->group_count && r->end - r->first < r->window)
         admit_next(r);
   }
   return r->first != before;
}

static bool
begin(struct sim_rounds *r, uint32_t group_count, uint32_t waves_per_group, uint32_t window)
{
   r->group_count = r->retire_end = group_count;
   r->waves_per_group = waves_per_group;
   r->first = r->end = r->first_slot = 0;
   r->window = window;
   r->idle_rounds = 0;
   r->watches = r->any_long = r->exclusive = false;
   r->lead = 0;
   r->brief &= r->schedule.kind == SIM_SCHEDULE_IN_ORDER;
   return reserve_groups(r, window, waves_per_group);
}

bool
sim_rounds_begin(struct sim_rounds *r, uint32_t group_count, uint32_t waves_per_group, uint32_t max_waves)
{
   return begin(r, group_count, waves_per_group, MIN2(MAX2(max_waves / waves_per_group, 1), MAX2(group_count, 1)));
}

bool
sim_rounds_open(struct sim_rounds *r, uint32_t waves_per_group, uint32_t max_waves)
{
   r->brief = r->independent = false;
   return begin(r, 0, waves_per_group, MAX2(max_waves / waves_per_group, 1));
}

void
sim_rounds_add(struct sim_rounds *r, uint32_t group_count)
{
   r->group_count += group_count;
}

/* A group that a thread has for a while. */
struct lent {
   struct sim_rounds *rounds;
   struct sim_group *group;
};

static void
give_back(void *object)
{
   const struct lent *lent = object;
   free_lonely(lent->rounds, atomic_exchange(&own_spare(lent->rounds)->lonely, lent->group));
}

static void
independent_task(void *data, unsigned task)
{
   struct sim_rounds *r = data;
   struct lent lent = {r, atomic_exchange(&own_spare(r)->lonely, NULL)};
   struct owned owned;
   if (!lent.group)
      lent.group = need_calloc("a group of waves", 1, r->model->group_B);
   own(&owned, give_back, &lent);
   admit_group(r, lent.group, task);
   run_group(r, lent.group, 0);
   if (!lent.group->quiet)
      atomic_store_explicit(&r->meet, true, memory_order_relaxed);
   atomic_fetch_add_explicit(&own_spare(r)->instructions, lent.group->ran, memory_order_relaxed);
   disown(&owned);
}

/* All groups, each from its start to its end. False: one did not end, and it is as if none had run. */
static bool
run_independent(struct sim_rounds *r)
{
   uint64_t ran = 0;
   r->meet = false;
   sim_pool_run(r->pool, r->group_count, independent_task, r);
   for (unsigned i = 0; i < SIM_SPARES; i++)
      ran += atomic_exchange_explicit(&r->spares[i].instructions, 0, memory_order_relaxed);
   if (r->meet)
      return false;
   r->instructions += ran;
   r->round += div_round_up(r->group_count, r->window);
   return true;
}

bool
sim_rounds_run_some(struct sim_rounds *r, uint32_t end, uint64_t *left, struct sim_fault *fault)
{
   bool last = false;
   r->retire_end = end;
   turn_over(r);
   for (; r->first < end && *left; --*left) {
      rounds_choose(r);
      if (!r->chosen_count && last)
         return rounds_hang(r, fault);
      last = !r->chosen_count;
      sim_pool_run(r->pool, r->chosen_count, round_task, r);
      r->round++;
      if (!rounds_land(r, last, fault))
         return false;
      if (turn_over(r))
         last = false;
      if (r->idle_rounds > IDLE_ROUNDS + r->ready) /* under worst one wave runs a round */
         return rounds_hang(r, fault);
   }
   return true;
}

bool
sim_rounds_run(struct sim_rounds *r, struct sim_fault *fault)
{
   uint64_t left = UINT64_MAX;
   r->independent = r->independent && r->brief && run_independent(r);
   return r->independent || sim_rounds_run_some(r, r->group_count, &left, fault);
}
