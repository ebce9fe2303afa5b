#include "amd/sim/check/order_check.h"

#include <stdlib.h>
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/cache/meta_cache.h"
#include "amd/sim/cache/order.h"
#include "amd/sim/check/undo.h"
#include "amd/sim/state/draw_state.h"
#include "amd/sim/draw/spell_out.h"
#include "amd/sim/wave/wave.h"
#include "util/macros.h"

enum { MAX_CLASSES = 1024, WORDS_B = 256 };

enum verdict {
   ALONE, /* one primitive, or none: nothing to order */
   FREE,
   SENSITIVE,
   FAULTED,
   VERDICTS,
};
/* What became of a class's order. */
enum leave {
   KEPT,    /* as submitted */
   LET,     /* only by the driver */
   RELAXED, /* by the driver, and the program had asked for it */
   LEAVES,
};
static const char *const leave_names[LEAVES] = {"kept", "let", "relaxed"};

static const char *const verdict_names[VERDICTS] = {"alone", "free", "sensitive", "faulted"};

struct class
{
   char words[WORDS_B];
   enum verdict verdict;
   enum leave leave;
   unsigned differs;
   uint64_t draws, batches;
};

struct amd_order_check {
   const struct amd_chip *chip;
   unsigned orders;
   struct amd_wave_engine *engine;
   struct amd_caches *caches;
   struct amd_draw_memory *draw_memory;
   struct amd_undo undo;
   struct amd_regs regs;
   struct amd_counters counters;
   struct amd_gds gds;
   struct dynarray classes;
   bool full; /* classes were left out */
};

/* What a run of a batch did, besides memory. */
struct outcome {
   bool ok;
   uint64_t zpass, runs, prims;
};

struct batch {
   struct amd_order_check *check;
   struct amd_gpu *gpu;
   const struct amd_batch_draw *draws;
   uint32_t count;
   bool spell_out;
};

struct amd_order_check *
amd_order_check_create(const struct amd_chip *chip, struct sim_pool *pool, unsigned orders)
{
   struct amd_order_check *check = calloc(1, sizeof(*check));
   if (!check)
      return NULL;
   check->chip = chip;
   check->orders = orders;
   check->engine = amd_wave_engine_create(pool);
   check->caches = amd_caches_create(chip);
   amd_undo_init(&check->undo);
   if (!check->engine || !check->caches) {
      amd_order_check_destroy(check);
      return NULL;
   }
   amd_wave_engine_set_limit(check->engine, UINT64_MAX);
   return check;
}

void
amd_order_check_destroy(struct amd_order_check *check)
{
   if (!check)
      return;
   if (check->engine)
      amd_wave_engine_destroy(check->engine);
   amd_caches_destroy(check->caches);
   amd_draw_memory_free(check->draw_memory);
   amd_undo_free(&check->undo);
   dynarray_free(&check->classes);
   free(check);
}

static bool
run_draw(const struct batch *batch, struct amd_gpu *gpu, uint32_t number)
{
   struct amd_order_check *check = batch->check;
   const struct amd_batch_draw *draw = &batch->draws[number];
   check->regs = draw->regs;
   gpu->reorder.draw = number;
   amd_order_begin(check->caches, gpu->slot, draw->packet_name, draw->packet_va, false);
   amd_caches_launch(check->caches);
   return amd_draw_run(gpu, &draw->draw);
}

/* One run, in a GPU whose waves and caches are its own. */
static struct outcome
run_batch(const struct batch *batch, struct sim_schedule schedule)
{
   struct amd_order_check *check = batch->check;
   uint32_t order[AMD_REORDER_MOST] = {0};
   bool stats_on = true;
   uint64_t clock = 1;
   struct sim_fault fault = {0};
   struct amd_gpu gpu = *batch->gpu;
   check->counters = *gpu.counters;
   check->counters.zpass = 0;
   memset(check->counters.stats, 0, sizeof(check->counters.stats));
   check->gds = *gpu.gds;
   check->regs = batch->draws[0].regs;
   gpu.fault = &fault, gpu.regs = &check->regs, gpu.counters = &check->counters, gpu.gds = &check->gds;
   gpu.engine = check->engine, gpu.caches = check->caches, gpu.draw_memory = &check->draw_memory;
   gpu.races = NULL, gpu.dump = NULL, gpu.report = NULL, gpu.order_check = NULL;
   gpu.stats_on = &stats_on, gpu.clock = &clock;
   gpu.reorder = (struct amd_reorder){.schedule = schedule, .forced = true};
   if (amd_draws_mix(&gpu, batch->draws, batch->count))
      amd_reorder_choose(&schedule, batch->count, AMD_REORDER_MOST, batch->count, order);
   else
      for (uint32_t i = 0; i < batch->count; i++)
         order[i] = i;
   bool ok = true;
   for (uint32_t i = 0; ok && i < batch->count; i++)
      ok = run_draw(batch, &gpu, order[i]);
   ok = ok && amd_draws_wait(&gpu);
   if (!ok)
      amd_draws_forget(check->draw_memory, check->engine);
   else if (batch->spell_out)
      amd_draw_spell_out(check->draw_memory);
   amd_order_idle(check->caches, gpu.slot);
   amd_meta_invalidate(check->caches, 1u << AMD_META_CACHE_TEX | 1u << AMD_META_CACHE_CB | 1u << AMD_META_CACHE_DB);
   return (struct outcome){ok, check->counters.zpass, check->counters.stats[AMD_STAT_PS_INVOCATIONS],
                           check->counters.stats[AMD_STAT_CLIP_PRIMITIVES]};
}

static void
take_back(const struct batch *batch)
{
   amd_undo_restore(&batch->check->undo);
   amd_caches_invalidate(batch->check->caches, AMD_CACHE_ALL & ~AMD_CACHE_CODE);
}

static bool
stop(void *data, const uint8_t *host)
{
   return false;
}

struct places {
   const struct amd_order_check *check;
   unsigned differs;
};

static bool
name_place(void *data, const uint8_t *host)
{
   struct places *places = data;
   switch (amd_draw_place(places->check->draw_memory, host)) {
   case AMD_DRAW_PLACE_COLOR:
      places->differs |= AMD_ORDER_COLOR;
      return true;
   case AMD_DRAW_PLACE_DEPTH:
      places->differs |= AMD_ORDER_DEPTH;
      return true;
   case AMD_DRAW_PLACE_STENCIL:
      places->differs |= AMD_ORDER_STENCIL;
      return true;
   case AMD_DRAW_PLACE_META:
      return true;
   case AMD_DRAW_PLACE_OTHER:
      places->differs |= AMD_ORDER_MEMORY;
      return true;
   }
   return true;
}

/* Both again, with all spelled out: what differs then differs in the picture. */
static unsigned
compare_places(struct batch *batch, struct sim_schedule schedule)
{
   struct amd_undo *undo = &batch->check->undo;
   struct places places = {.check = batch->check};
   batch->spell_out = true;
   run_batch(batch, (struct sim_schedule){SIM_SCHEDULE_IN_ORDER, 0});
   amd_undo_keep(undo);
   take_back(batch);
   run_batch(batch, schedule);
   amd_undo_compare(undo, name_place, &places);
   take_back(batch);
   batch->spell_out = false;
   run_batch(batch, (struct sim_schedule){SIM_SCHEDULE_IN_ORDER, 0});
   amd_undo_keep(undo);
   take_back(batch);
   return places.differs;
}

static bool
counts_one_by_one(const struct amd_order_check *check)
{
   return G_DB_COUNT_CONTROL_PERFECT_ZPASS_COUNTS(amd_regs_get(&check->regs, R_DB_COUNT_CONTROL));
}

/* The run in the order of submission, and another. */
static unsigned
compare(struct batch *batch, const struct outcome *first, struct sim_schedule schedule)
{
   struct amd_order_check *check = batch->check;
   const struct outcome other = run_batch(batch, schedule);
   const bool same = amd_undo_compare(&check->undo, stop, NULL);
   take_back(batch);
   unsigned differs = same ? 0 : compare_places(batch, schedule);
   const struct amd_draw_state *state = amd_draw_last_state(check->draw_memory);
   if (differs & AMD_ORDER_MEMORY && state->pops.enable)
      differs = (differs & ~(unsigned)AMD_ORDER_MEMORY) | AMD_ORDER_SECTION;
   if (differs & AMD_ORDER_MEMORY && state->depth.early && other.runs != first->runs)
      differs = (differs & ~(unsigned)AMD_ORDER_MEMORY) | AMD_ORDER_RUNS;
   if (!other.zpass != !first->zpass)
      differs |= AMD_ORDER_ANY;
   if (other.zpass != first->zpass && counts_one_by_one(check))
      differs |= AMD_ORDER_COUNT;
   return differs;
}

static void
note(struct amd_order_check *check, const struct class *found)
{
   dynarray_for_each(struct class, class, &check->classes) {
      if (class->verdict == found->verdict && class->leave == found->leave && class->differs == found->differs &&
          !strcmp(class->words, found->words)) {
         class->draws += found->draws;
         class->batches++;
         return;
      }
   }
   if (dynarray_count(&check->classes, struct class) < MAX_CLASSES)
      dynarray_append(&check->classes, struct class, *found);
   else
      check->full = true;
}

/* Batches hold draws of one kind: marks end them. */
static enum leave
leave(const struct batch *batch)
{
   if (!amd_reorder_is_let(batch->gpu))
      return KEPT;
   return batch->draws[0].relaxed ? RELAXED : LET;
}

static struct class try_batch(struct batch *batch)
{
   struct amd_order_check *check = batch->check;
   struct class class = {.leave = leave(batch), .draws = batch->count, .batches = 1};
   const struct outcome first = run_batch(batch, (struct sim_schedule){SIM_SCHEDULE_IN_ORDER, 0});
   amd_undo_keep(&check->undo);
   take_back(batch);
   class.verdict = !first.ok ? FAULTED : first.prims < 2 ? ALONE : FREE;
   if (first.ok)
      amd_order_words(amd_draw_last_state(check->draw_memory), counts_one_by_one(check), class.words, WORDS_B);
   if (class.verdict != FREE)
      return class;
   class.differs = compare(batch, &first, (struct sim_schedule){SIM_SCHEDULE_WORST, 0});
   for (unsigned i = 1; i <= check->orders; i++)
      class.differs |= compare(batch, &first, (struct sim_schedule){SIM_SCHEDULE_SEED, i});
   class.verdict = class.differs & AMD_ORDER_MATTERS ? SENSITIVE : FREE;
   return class;
}

bool
amd_order_check_batch(struct amd_order_check *check, struct amd_gpu *gpu, const struct amd_batch_draw *draws,
                      uint32_t count)
{
   struct batch batch = {check, gpu, draws, count, false};
   if (!amd_draws_wait(gpu))
      return false;
   amd_caches_settle(gpu->caches);
   amd_caches_job_start(check->caches, gpu->vm);
   amd_caches_invalidate(check->caches, AMD_CACHE_ALL);
   amd_undo_forget(&check->undo);
   sim_vm_watch(gpu->vm, amd_undo_watch, &check->undo);
   const struct class found = try_batch(&batch);
   sim_vm_watch(gpu->vm, NULL, NULL);
   amd_caches_job_end(check->caches);
   note(check, &found);
   return true;
}

static void
write_differs(unsigned differs, FILE *out)
{
   static const char *const names[] = {"colour", "depth",         "stencil",          "whether any passes",
                                       "count",  "shaders' runs", "ordered sections", "memory"};
   for (unsigned i = 0, some = 0; i < ARRAY_SIZE(names); i++)
      if (differs >> i & 1)
         fprintf(out, "%s%s", some++ ? ", " : ": ", names[i]);
}

struct sums {
   uint64_t draws[VERDICTS][LEAVES], batches;
   uint64_t counts; /* sensitive ones that were let, if only the count of samples differs */
};

static void
write_class(const struct class *class, FILE *out)
{
   fprintf(out, "%8lu %-8s %s", (unsigned long)class->draws, leave_names[class->leave],
           verdict_names[class->verdict]);
   write_differs(class->differs, out);
   fprintf(out, " | %s\n", class->words);
}

static unsigned long
all_of(const struct sums *sums, enum verdict verdict)
{
   uint64_t sum = 0;
   for (unsigned i = 0; i < LEAVES; i++)
      sum += sums->draws[verdict][i];
   return (unsigned long)sum;
}

static void
write_sums(const struct sums *sums, FILE *out)
{
   const uint64_t *sensitive = sums->draws[SENSITIVE];
   unsigned long all = 0;
   for (unsigned i = 0; i < VERDICTS; i++)
      all += all_of(sums, i);
   fprintf(out, "%lu draws in %lu batches: %lu alone, %lu free (%lu of them let, %lu kept in order), %lu sensitive\n",
           all, (unsigned long)sums->batches, all_of(sums, ALONE), all_of(sums, FREE),
           all_of(sums, FREE) - (unsigned long)sums->draws[FREE][KEPT], (unsigned long)sums->draws[FREE][KEPT],
           all_of(sums, SENSITIVE));
   fprintf(out, "sensitive draws that the driver let through: %lu", (unsigned long)(sensitive[LET] - sums->counts));
   if (sums->counts)
      fprintf(out, ", and %lu only in the count, which a boolean query does not show", (unsigned long)sums->counts);
   if (sensitive[RELAXED])
      fprintf(out, ", and %lu in relaxed order, as the program asked", (unsigned long)sensitive[RELAXED]);
   fprintf(out, "\n");
}

void
amd_order_check_report(const struct amd_order_check *check, FILE *out)
{
   struct sums sums = {.batches = 0};
   fprintf(out, "order of primitives on %s: submission, its reverse, %u random ones\n", check->chip->name,
           check->orders);
   dynarray_for_each(const struct class, class, &check->classes) {
      write_class(class, out);
      sums.draws[class->verdict][class->leave] += class->draws;
      if (class->leave == LET && (class->differs & AMD_ORDER_MATTERS) == AMD_ORDER_COUNT)
         sums.counts += class->draws;
      sums.batches += class->batches;
   }
   if (check->full)
      fprintf(out, "more classes of draws than %d: the others are not here\n", MAX_CLASSES);
   write_sums(&sums, out);
}
