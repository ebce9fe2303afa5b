/* The serial phase's choices: which queued stores land, which waves run next (schedule.h). */
#include "amd/sim/wave/wave_schedule.h"

#include <stdio.h>
#include <string.h>

#include "amd/sim/wave/wave_watch.h"
#include "util/macros.h"

enum {
   QUANTUM = 65536,     /* instructions of a wave in a round */
   QUANTUM_TURN = 32,   /* the same, round-robin */
   QUANTUM_WORST = 4096,
   TURN_LOG2 = 2,       /* seed: one wave in four runs */
   LATE_LOG2 = 2,       /* seed: one load in four is late, and those behind it */
};

/* Where random numbers of one round differ. */
enum { DRAW_LOAD = 0, DRAW_LAND = 1, DRAW_RUN = 2, DRAW_FORCED = 3 };

static uint64_t
draw(const struct amd_wave_engine *engine, unsigned what, const struct wave *w)
{
   uint64_t who = w ? (uint64_t)w->group->index * AMD_WAVE_MAX_PER_GROUP + w->index : 0;
   return sim_schedule_random(engine->schedule.seed, engine->rounds * 4 + what, who);
}

bool
wave_schedule_late_load(const struct wave *w)
{
   const struct amd_wave_engine *engine = w->engine;
   return engine->schedule.kind == SIM_SCHEDULE_SEED &&
          !(sim_schedule_random(draw(engine, DRAW_LOAD, w), w->instructions, 0) & bit_mask(LATE_LOG2));
}

/* A store without GLC has CU scope, where nothing but ORDERED_PS_DONE comes behind its wait (docs/caches.md). What
 * the wave writes later, with GLC or by an atomic, lands behind it: under the two schedules that hold stores back. */
bool
wave_schedule_stays_in_l0(const struct wave *w, const struct code *store)
{
   enum sim_schedule_kind kind = w->engine->schedule.kind;
   return w->pops.info && !(store->path & AMD_PATH_GLC) && (kind == SIM_SCHEDULE_SEED || kind == SIM_SCHEDULE_WORST);
}

/* How many queued operations what the wave waits for takes: those before it land first. */
static uint32_t
needed(const struct wave *w)
{
   uint32_t count = w->needed_seq ? 0 : w->queue_count;
   while (count < w->queue_count && w->queue[count].seq <= w->needed_seq)
      count++;
   return count;
}

/* Under seeds a wait takes some rounds. */
static bool
goes_on_waiting(const struct amd_wave_engine *engine, const struct wave *w, bool last)
{
   return w->state == WAVE_COMMIT && engine->schedule.kind == SIM_SCHEDULE_SEED && !last && !engine->impatient &&
          needed(w) && draw(engine, DRAW_LAND, w) & 4;
}

/* How many queued operations of the wave land now. */
static uint32_t
landing(const struct amd_wave_engine *engine, const struct wave *w, bool last)
{
   if (!w->queue_count || last || engine->impatient)
      return w->queue_count;
   if (w->state == WAVE_COMMIT)
      return goes_on_waiting(engine, w, last) ? 0 : needed(w);
   switch (engine->schedule.kind) {
   case SIM_SCHEDULE_WORST:
      return 0;
   case SIM_SCHEDULE_SEED: {
      uint64_t r = draw(engine, DRAW_LAND, w);
      return r & 2 ? 0 : r & 1 ? w->queue_count : (uint32_t)(r >> 8) % (w->queue_count + 1);
   }
   case SIM_SCHEDULE_IN_ORDER:
   case SIM_SCHEDULE_ROUND_ROBIN:
      break;
   }
   return w->queue_count;
}

/* Returns whether the wave gets somewhere: in the last round, or with the writes that land. */
static bool
note_round(struct amd_wave_engine *engine, struct wave *w, bool lands)
{
   bool ran = w->quantum && w->instructions != w->round_start, polls = w->instructions < w->spin_end;
   bool repeats = ran ? wave_loop_round(w) : w->loop.period != 0;
   if (ran) {
      w->spins = polls || repeats || w->exhausted ? w->spins + 1 : 0;
      engine->impatient |= (w->exhausted && !polls) || repeats;
   }
   w->quantum = 0;
   w->exhausted = false;
   w->round_start = w->instructions;
   return !repeats && ((ran && !polls) || lands);
}

/* Of a wave that ran, or whose stores land. */
static bool
land_wave(struct amd_wave_engine *engine, struct wave *w, uint32_t count, bool waits, bool *moved,
          struct sim_fault *fault)
{
   *moved |= !w->fault.kind && note_round(engine, w, count != 0);
   if (w->fault.kind) {
      if (!fault->kind)
         *fault = w->fault;
      return false;
   }
   amd_cache_port_commit(&w->cache);
   wave_pops_update(&engine->pops, w);
   if (waits)
      return true;
   if ((count || !w->queue_count || w->state == WAVE_COMMIT) && !wave_commit(w, count, fault))
      return false;
   if (w->state == WAVE_COMMIT || w->state == WAVE_YIELD)
      w->state = WAVE_RUN;
   w->needed_seq = 0;
   wave_pops_update(&engine->pops, w);
   return true;
}

static bool
land_group(struct amd_wave_engine *engine, struct group *group, bool last, bool *moved, struct sim_fault *fault)
{
   bool done = !group->starting;
   for (uint32_t i = 0; i < group->wave_count; i++) {
      struct wave *w = &group->waves[i];
      uint32_t count = landing(engine, w, last);
      bool waits = goes_on_waiting(engine, w, last);
      if ((w->quantum || count) && !land_wave(engine, w, count, waits, moved, fault))
         return false;
      done &= w->state == WAVE_END && !w->queue_count;
   }
   group->done = done;
   return true;
}

static uint64_t
count_queued(const struct amd_wave_engine *engine, const struct residents *r)
{
   uint64_t count = 0;
   for (uint32_t g = r->head; g < r->next; g++) {
      const struct group *group = resident_group(engine, r, g);
      for (uint32_t i = 0; i < group->wave_count && !group->done; i++)
         count += group->waves[i].queue_count - group->waves[i].queued_loads;
   }
   return count;
}

bool
wave_schedule_land(struct amd_wave_engine *engine, const struct residents *r, bool last, struct sim_fault *fault)
{
   bool moved = false;
   for (uint32_t g = r->head; g < r->next; g++) {
      struct group *group = resident_group(engine, r, g);
      if (group->done)
         continue;
      engine->instructions += group->ran;
      engine->lead += !engine->any_long ? 0 : engine->alone ? (int64_t)group->ran : -(int64_t)group->ran;
      group->ran = 0;
      if (!land_group(engine, group, last, &moved, fault))
         return false;
   }
   engine->impatient = false;
   if (engine->trace)
      wave_trace_round(engine->trace, engine, count_queued(engine, r));
   wave_pops_advance(&engine->pops);
   for (uint32_t g = r->head; g < r->next && engine->pops.launch; g++) {
      struct wave *w = &resident_group(engine, r, g)->waves[0];
      if (w->state == WAVE_SLEEP && wave_pops_wakes(&engine->pops, w))
         w->state = WAVE_RUN;
   }
   engine->idle_rounds = moved ? 0 : engine->idle_rounds + 1;
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
is_worse(const struct wave *w, const struct wave *than)
{
   return !than || w->spins < than->spins ||
          (w->spins == than->spins && (w->group->index > than->group->index ||
                                       (w->group == than->group && w->index > than->index)));
}

static uint32_t
quantum(const struct amd_wave_engine *engine, const struct wave *w)
{
   switch (engine->schedule.kind) {
   case SIM_SCHEDULE_ROUND_ROBIN:
      return QUANTUM_TURN;
   case SIM_SCHEDULE_SEED: {
      uint64_t r = draw(engine, DRAW_RUN, w);
      return r & bit_mask(TURN_LOG2) ? 0 : seed_quantum(r);
   }
   case SIM_SCHEDULE_WORST:
      return 0;
   case SIM_SCHEDULE_IN_ORDER:
      break;
   }
   return wave_loop_quantum(w, QUANTUM);
}

static void
list_chosen(struct amd_wave_engine *engine, const struct residents *r)
{
   engine->chosen_count = 0;
   for (uint32_t g = r->head; g < r->next; g++) {
      const struct group *group = resident_group(engine, r, g);
      bool any = false;
      for (uint32_t i = 0; i < group->wave_count; i++)
         any |= group->waves[i].quantum && group->waves[i].state == WAVE_RUN;
      if (any && !group->done)
         engine->chosen[engine->chosen_count++] = resident_slot(r, g);
   }
}

static bool
is_long(const struct wave *w)
{
   return w->state == WAVE_RUN && !w->loop.period && w->instructions >= w->spin_end && wave_loop_is_long(w);
}

static struct wave *
first_long(const struct amd_wave_engine *engine, const struct residents *r)
{
   for (uint32_t g = r->head; g < r->next; g++) {
      struct group *group = resident_group(engine, r, g);
      for (uint32_t i = 0; i < group->wave_count && !group->done && !group->starting; i++)
         if (is_long(&group->waves[i]))
            return &group->waves[i];
   }
   return NULL;
}

/* Many endless waves, each to its budget, would take for ever; one is enough. So the first long one, with its group
 * if that meets at barriers, runs alone half of the time: the other half keeps those going that it may wait for. */
static void
prefer_long(struct amd_wave_engine *engine, const struct residents *r)
{
   struct wave *alone = engine->any_long && engine->lead < 0 ? first_long(engine, r) : NULL;
   engine->alone = alone != NULL;
   for (uint32_t g = r->head; g < r->next && alone; g++) {
      struct group *group = resident_group(engine, r, g);
      bool together = group == alone->group && alone->program->has_barrier;
      for (uint32_t i = 0; i < group->wave_count; i++)
         group->waves[i].quantum =
            together || &group->waves[i] == alone ? wave_loop_quantum(&group->waves[i], QUANTUM) : 0;
   }
}

void
wave_schedule_choose(struct amd_wave_engine *engine, const struct residents *r)
{
   bool is_worst = engine->schedule.kind == SIM_SCHEDULE_WORST, any = false;
   uint32_t ready = 0, pick;
   struct wave *worst = NULL;
   for (uint32_t g = r->head; g < r->next; g++) {
      struct group *group = resident_group(engine, r, g);
      for (uint32_t i = 0; i < group->wave_count && !group->done; i++) {
         struct wave *w = &group->waves[i];
         if (w->state == WAVE_RUN) {
            ready++;
            worst = is_worst && is_worse(w, worst) ? w : worst;
         }
         /* One that waits at a barrier goes on in this round if the others come to it. */
         w->quantum = w->state == WAVE_RUN || w->state == WAVE_BARRIER ? quantum(engine, w) : 0;
         any |= w->state == WAVE_RUN && w->quantum;
      }
   }
   if (worst)
      worst->quantum = QUANTUM_WORST;
   pick = ready ? (uint32_t)(draw(engine, DRAW_FORCED, NULL) % ready) : 0;
   for (uint32_t g = r->head; g < r->next && ready && !any && !worst; g++) {
      struct group *group = resident_group(engine, r, g);
      for (uint32_t i = 0; i < group->wave_count && !group->done; i++) {
         if (group->waves[i].state == WAVE_RUN && !pick--)
            group->waves[i].quantum = QUANTUM;
      }
   }
   prefer_long(engine, r);
   list_chosen(engine, r);
}

/* What a wave waits for. The loop of the first that repeats itself is told in full. */
static void
describe_wait(const struct amd_wave_engine *engine, const struct wave *w, bool *told, char *text, size_t size_B)
{
   char who[48], loop[600] = "";
   if (w->pops.info && w->pops.polled) {
      wave_pops_describe(&engine->pops, w, text, size_B);
      return;
   }
   if (w->group->wave_count > 1)
      snprintf(who, sizeof(who), "wave %u of group %u", w->index, w->group->index);
   else
      snprintf(who, sizeof(who), "wave %u", w->group->index);
   if (w->group->starting) {
      snprintf(text, size_B, "%s has not started", who);
      return;
   }
   const struct code *c = &w->program->codes[MAX2(w->ip, 1) - 1];
   if (w->loop.period && !*told)
      wave_loop_describe(w, loop, sizeof(loop));
   *told |= *loop;
   snprintf(text, size_B, "%s waits %s at pc 0x%llx%s%s", who,
            w->state == WAVE_BARRIER ? "at a barrier"
            : w->loop.period         ? "for memory in which it sees no change"
                                     : "for memory",
            (unsigned long long)(w->program->va.va + 4ull * c->pc_dw), *loop ? ": " : "", loop);
}

bool
wave_schedule_hang(const struct amd_wave_engine *engine, const struct residents *r, struct sim_fault *fault)
{
   char list[700] = "";
   struct wave *first = NULL;
   size_t used = 0;
   unsigned more = 0;
   bool told = false;
   for (uint32_t g = r->head; g < r->next; g++) {
      const struct group *group = resident_group(engine, r, g);
      for (uint32_t i = 0; i < group->wave_count; i++) {
         struct wave *w = &group->waves[i];
         char text[700];
         if (group->done || w->state == WAVE_END)
            continue;
         first = first || group->starting ? first : w;
         describe_wait(engine, w, &told, text, sizeof(text));
         if (used + strlen(text) + 32 > sizeof(list))
            more++;
         else
            used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", used ? "; " : "", text);
      }
   }
   if (more)
      snprintf(list + used, sizeof(list) - used, "; and %u more", more);
   if (!first)
      return sim_fault_set(fault, SIM_FAULT_HANG, sim_va(0), "no wave of the launch can go on");
   wave_fault(first, &first->program->codes[MIN2(first->ip, first->program->code_count - 1)], SIM_FAULT_HANG,
              sim_va(first->program->va.va), "no wave of the launch can go on: %s", list);
   *fault = first->fault;
   return false;
}
