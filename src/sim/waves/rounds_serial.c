/* The serial phase: which queued operations land, which waves run next (schedule.h). */
#include "sim/waves/rounds_private.h"

#include <stdio.h>
#include <string.h>

#include "util/macros.h"

enum {
   QUANTUM = ROUNDS_QUANTUM,
   QUANTUM_TURN = 32, /* the same, round-robin */
   QUANTUM_WORST = 4096,
   TURN_LOG2 = 2,   /* seed: one wave in four runs */
   LATE_LOG2 = 2,   /* seed: one load in four is late, and those after it */
   IDLE_SLACK = 16, /* worst: rounds without a gain, until what is held back lands */
};

/* Where random numbers of one round differ. */
enum { CHANCE_LOAD = 0, CHANCE_LAND = 1, CHANCE_RUN = 2, CHANCE_FORCED = 3 };

static uint64_t
chance(const struct sim_rounds *r, unsigned what, const struct sim_wave *w)
{
   uint64_t who = w ? (uint64_t)w->group->number * SIM_MAX_WAVES_PER_GROUP + w->index : 0;
   return sim_schedule_random(r->schedule.seed, r->round * 4 + what, who);
}

bool
sim_rounds_late_load(const struct sim_wave *w)
{
   const struct sim_rounds *r = w->rounds;
   return r->schedule.kind == SIM_SCHEDULE_SEED &&
          !(sim_schedule_random(chance(r, CHANCE_LOAD, w), w->instructions, 0) & bit_mask(LATE_LOG2));
}

/* Under seeds a wait takes some rounds. */
static bool
keeps_waiting(const struct sim_rounds *r, const struct sim_wave *w, bool last)
{
   return w->state == SIM_WAVE_COMMIT && r->schedule.kind == SIM_SCHEDULE_SEED && !last && !r->impatient &&
          sim_queue_needed(&w->queue) && chance(r, CHANCE_LAND, w) & 4;
}

/* How many queued operations of the wave land now. */
static uint32_t
landing(const struct sim_rounds *r, const struct sim_wave *w, bool last)
{
   if (!w->queue.count || last || r->impatient)
      return w->queue.count;
   if (w->state == SIM_WAVE_COMMIT)
      return keeps_waiting(r, w, last) ? 0 : sim_queue_needed(&w->queue);
   switch (r->schedule.kind) {
   case SIM_SCHEDULE_WORST:
      return 0;
   case SIM_SCHEDULE_SEED: {
      uint64_t random = chance(r, CHANCE_LAND, w);
      return random & 2 ? 0 : random & 1 ? w->queue.count : (uint32_t)(random >> 8) % (w->queue.count + 1);
   }
   case SIM_SCHEDULE_IN_ORDER:
   case SIM_SCHEDULE_ROUND_ROBIN:
      break;
   }
   return w->queue.count;
}

/* Returns whether the wave gets somewhere: in the last round, or with the writes that land. */
static bool
note_round(struct sim_rounds *r, struct sim_wave *w, bool lands)
{
   bool ran = w->quantum && w->instructions != w->round_start, polls = w->instructions < w->spin_end;
   bool repeats = ran ? sim_loop_round(w) : w->loop.period != 0;
   if (ran) {
      w->spins = polls || repeats || w->exhausted || w->lets ? w->spins + 1 : 0;
      r->impatient = (w->exhausted && !polls) || repeats ? 2 : r->impatient;
   }
   w->quantum = 0;
   w->exhausted = w->lets = false;
   w->round_start = w->instructions;
   return !repeats && ((ran && !polls) || lands);
}

/* Lands the first `count` queued operations, and the rest of the last one's instruction. */
static bool
commit(struct sim_wave *w, uint32_t count, struct sim_fault *fault)
{
   struct sim_queue *q = &w->queue;
   uint32_t done = 0;
   while (done < q->count && (done < count || (done && q->entries[done].seq == q->entries[done - 1].seq))) {
      if (!w->rounds->model->land(w, &q->entries[done++], fault))
         return false;
   }
   sim_queue_drop(q, done);
   return true;
}

/* Of a wave that ran, or whose stores land. */
static bool
land_wave(struct sim_rounds *r, struct sim_wave *w, uint32_t count, bool waits, bool *moved, struct sim_fault *fault)
{
   *moved |= !w->fault.kind && note_round(r, w, count != 0);
   if (w->fault.kind) {
      if (!fault->kind)
         *fault = w->fault;
      return false;
   }
   r->model->update(w);
   if (waits)
      return true;
   if ((count || !w->queue.count || w->state == SIM_WAVE_COMMIT) && !commit(w, count, fault))
      return false;
   if (w->state == SIM_WAVE_COMMIT || w->state == SIM_WAVE_YIELD)
      w->state = SIM_WAVE_RUN;
   w->queue.needed_seq = 0;
   r->model->update(w);
   return true;
}

static bool
land_group(struct sim_rounds *r, struct sim_group *group, bool last, bool *moved, struct sim_fault *fault)
{
   bool done = !group->starting;
   for (uint32_t i = 0; i < group->wave_count; i++) {
      struct sim_wave *w = sim_group_wave(group, i);
      uint32_t count = landing(r, w, last);
      bool waits = keeps_waiting(r, w, last);
      if ((w->quantum || count) && !land_wave(r, w, count, waits, moved, fault))
         return false;
      done &= w->state == SIM_WAVE_END && !w->queue.count;
      r->asleep |= w->state == SIM_WAVE_SLEEP;
   }
   group->done = done;
   return true;
}

uint64_t
sim_rounds_queued(const struct sim_rounds *r)
{
   uint64_t count = 0;
   for (uint32_t g = r->first; g < r->end; g++) {
      const struct sim_group *group = sim_rounds_group(r, g);
      for (uint32_t i = 0; i < group->wave_count && !group->done && rounds_has_waves(r, group); i++)
         count += sim_group_wave(group, i)->queue.operations - sim_group_wave(group, i)->queue.loads;
   }
   return count;
}

void
sim_rounds_forget_spins(struct sim_rounds *r)
{
   for (uint32_t g = r->first; g < r->end; g++) {
      struct sim_group *group = sim_rounds_group(r, g);
      for (uint32_t i = 0; i < group->wave_count && rounds_has_waves(r, group); i++)
         sim_group_wave(group, i)->spins = 0;
   }
}

static void
wake(struct sim_group *group)
{
   for (uint32_t i = 0; i < group->wave_count; i++) {
      struct sim_wave *w = sim_group_wave(group, i);
      if (w->state == SIM_WAVE_SLEEP && w->rounds->model->wakes(w))
         w->state = SIM_WAVE_RUN;
   }
}

bool
rounds_land(struct sim_rounds *r, bool last, struct sim_fault *fault)
{
   bool moved = false;
   r->asleep = false;
   for (uint32_t g = r->first; g < r->end; g++) {
      struct sim_group *group = sim_rounds_group(r, g);
      r->instructions += group->ran;
      r->lead += !r->any_long ? 0 : r->exclusive ? (int64_t)group->ran : -(int64_t)group->ran;
      moved |= group->quiet && group->ran;
      group->ran = 0;
      if (group->done || !rounds_has_waves(r, group))
         continue;
      if (!land_group(r, group, last, &moved, fault))
         return false;
   }
   r->impatient -= r->impatient != 0;
   r->model->end_round(r);
   for (uint32_t g = r->first; g < r->end && r->asleep; g++)
      if (rounds_has_waves(r, sim_rounds_group(r, g)))
         wake(sim_rounds_group(r, g));
   r->idle_rounds = moved ? 0 : r->idle_rounds + 1;
   /* Each has polled in vain, without a sleep: only what is held back can help them. */
   if (r->schedule.kind == SIM_SCHEDULE_WORST && r->ready && r->idle_rounds > 2 * r->ready + IDLE_SLACK)
      r->impatient = 1;
   return true;
}

static uint32_t
seed_quantum(uint64_t r)
{
   switch (r >> 8 & 3) {
   case 0:
      return 1 + (r >> 16 & 7);
   case 1:
      return 1 + (r >> 16 & 63);
   default:
      return QUANTUM;
   }
}

/* The wave that `worst` lets run: fewest vain rounds, then the youngest. */
static bool
is_worse(const struct sim_wave *w, const struct sim_wave *than)
{
   return !than || w->spins < than->spins ||
          (w->spins == than->spins &&
           (w->group->number > than->group->number || (w->group == than->group && w->index > than->index)));
}

static uint32_t
quantum(const struct sim_rounds *r, const struct sim_wave *w)
{
   switch (r->schedule.kind) {
   case SIM_SCHEDULE_ROUND_ROBIN:
      return QUANTUM_TURN;
   case SIM_SCHEDULE_SEED: {
      uint64_t random = chance(r, CHANCE_RUN, w);
      return random & bit_mask(TURN_LOG2) ? 0 : seed_quantum(random);
   }
   case SIM_SCHEDULE_WORST:
      return 0;
   case SIM_SCHEDULE_IN_ORDER:
      break;
   }
   return sim_loop_quantum(w, QUANTUM);
}

static void
list_chosen(struct sim_rounds *r)
{
   r->chosen_count = 0;
   for (uint32_t g = r->first; g < r->end; g++) {
      const struct sim_group *group = sim_rounds_group(r, g);
      bool shows = rounds_has_waves(r, group), any = !shows && !r->exclusive;
      for (uint32_t i = 0; i < group->wave_count && shows; i++)
         any |= sim_group_wave(group, i)->quantum && sim_group_wave(group, i)->state == SIM_WAVE_RUN;
      if (any && !group->done)
         r->chosen[r->chosen_count++] = sim_rounds_slot(r, g);
   }
}

static bool
is_long(const struct sim_wave *w)
{
   return w->state == SIM_WAVE_RUN && !w->loop.period && w->instructions >= w->spin_end && sim_loop_is_long(w);
}

static struct sim_wave *
first_long(const struct sim_rounds *r)
{
   for (uint32_t g = r->first; g < r->end; g++) {
      struct sim_group *group = sim_rounds_group(r, g);
      for (uint32_t i = 0; i < group->wave_count && !group->done && !group->starting; i++)
         if (is_long(sim_group_wave(group, i)))
            return sim_group_wave(group, i);
   }
   return NULL;
}

/* Many endless waves, each to its budget, would take for ever; one is enough. So the first long one, with its group
 * if that meets at barriers, is the only one that runs half of the time: in the other half those run that it may wait
 * for. */
static void
prefer_long(struct sim_rounds *r)
{
   struct sim_wave *exclusive = r->any_long && r->lead < 0 ? first_long(r) : NULL;
   r->exclusive = exclusive != NULL;
   for (uint32_t g = r->first; g < r->end && exclusive; g++) {
      struct sim_group *group = sim_rounds_group(r, g);
      bool together = group == exclusive->group && r->model->meets_group(exclusive);
      for (uint32_t i = 0; i < group->wave_count && rounds_has_waves(r, group); i++)
         sim_group_wave(group, i)->quantum = together || sim_group_wave(group, i) == exclusive
                                                ? sim_loop_quantum(sim_group_wave(group, i), QUANTUM)
                                                : 0;
   }
}

void
rounds_choose(struct sim_rounds *r)
{
   bool is_worst = r->schedule.kind == SIM_SCHEDULE_WORST, any = false;
   /* When those that `worst` prefers have polled in vain, one after another. */
   bool in_turn = r->ready && r->idle_rounds > r->ready;
   uint32_t ready = 0, pick;
   struct sim_wave *worst = NULL;
   for (uint32_t g = r->first; g < r->end; g++) {
      struct sim_group *group = sim_rounds_group(r, g);
      bool shows = rounds_has_waves(r, group);
      any |= !shows && !group->done;
      for (uint32_t i = 0; i < group->wave_count && !group->done && shows; i++) {
         struct sim_wave *w = sim_group_wave(group, i);
         if (w->state == SIM_WAVE_RUN) {
            worst = is_worst && (in_turn ? ready == r->idle_rounds % r->ready : is_worse(w, worst)) ? w : worst;
            ready++;
         }
         /* One that waits at a barrier continues in this round if the others come to it. */
         w->quantum = w->state == SIM_WAVE_RUN || w->state == SIM_WAVE_BARRIER ? quantum(r, w) : 0;
         any |= w->state == SIM_WAVE_RUN && w->quantum;
      }
   }
   if (worst)
      worst->quantum = QUANTUM_WORST;
   r->ready = ready;
   pick = ready ? (uint32_t)(chance(r, CHANCE_FORCED, NULL) % ready) : 0;
   for (uint32_t g = r->first; g < r->end && ready && !any && !worst; g++) {
      struct sim_group *group = sim_rounds_group(r, g);
      for (uint32_t i = 0; i < group->wave_count && !group->done; i++) {
         if (sim_group_wave(group, i)->state == SIM_WAVE_RUN && !pick--)
            sim_group_wave(group, i)->quantum = QUANTUM;
      }
   }
   prefer_long(r);
   list_chosen(r);
}

/* Which wave a report means. */
static void
name_wave(const struct sim_group *group, uint32_t wave, char *text, size_t size_B)
{
   if (group->wave_count > 1)
      snprintf(text, size_B, "wave %u of group %u", wave, group->index);
   else
      snprintf(text, size_B, "wave %u", group->index);
}

/* What a wave waits for. The loop of the first that repeats itself is told in full. */
static void
describe_wait(const struct sim_rounds *r, const struct sim_group *group, uint32_t wave, bool *told, char *text,
              size_t size_B)
{
   char who[48], loop[600] = "";
   const struct sim_wave *w = rounds_has_waves(r, group) ? sim_group_wave(group, wave) : NULL;
   if (w && r->model->describe_wait(w, text, size_B))
      return;
   name_wave(group, wave, who, sizeof(who));
   if (group->starting) {
      snprintf(text, size_B, "%s has not started", who);
      return;
   }
   if (w->loop.period && !*told)
      r->model->describe_loop(w, loop, sizeof(loop));
   *told |= *loop;
   snprintf(text, size_B, "%s waits %s at pc 0x%llx%s%s", who,
            w->state == SIM_WAVE_BARRIER ? "at a barrier"
            : w->loop.period             ? "for memory in which it sees no change"
                                         : "for memory",
            (unsigned long long)r->model->place_va(w).va, *loop ? ": " : "", loop);
}

bool
rounds_hang(const struct sim_rounds *r, struct sim_fault *fault)
{
   char list[700] = "", message[sizeof(list) + 40];
   struct sim_wave *first = NULL;
   size_t used = 0;
   unsigned more = 0;
   bool told = false;
   for (uint32_t g = r->first; g < r->end; g++) {
      const struct sim_group *group = sim_rounds_group(r, g);
      for (uint32_t i = 0; i < group->wave_count && !group->done; i++) {
         struct sim_wave *w = rounds_has_waves(r, group) ? sim_group_wave(group, i) : NULL;
         char text[700];
         if (w && w->state == SIM_WAVE_END)
            continue;
         first = first || group->starting ? first : w;
         describe_wait(r, group, i, &told, text, sizeof(text));
         if (used + strlen(text) + 32 > sizeof(list))
            more++;
         else
            used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", used ? "; " : "", text);
      }
   }
   if (more)
      snprintf(list + used, sizeof(list) - used, "; and %u more", more);
   if (!first)
      return sim_fault_set(fault, SIM_FAULT_HANG, sim_va(0), "no wave of the launch can continue");
   snprintf(message, sizeof(message), "no wave of the launch can continue: %s", list);
   r->model->hang(first, message);
   *fault = first->fault;
   return false;
}
