/* The order of fragments of a pixel: `pixwait` sleeps until all older ones have ended or released its fences. */
#include "asahi/sim/wave/wave_helper.h"

/* Fences that the groups which a wave names, and theirs in turn, have released. */
static uint32_t
older_clear(const struct wave *w)
{
   const struct sim_rounds *r = w->base.rounds;
   uint32_t clear = UINT32_MAX;
   for (uint32_t i = 0; i < w->fragments.older_count; i++) {
      uint32_t older = w->fragments.older[i];
      if (older < r->first)
         continue;
      if (older >= w->base.group->index) /* the caller's mistake: it would wait for ever */
         return 0;
      clear &= ((const struct wave *)sim_group_wave(sim_rounds_group(r, older), 0))->clear;
   }
   return clear;
}

/* What drivers wait for ahead of the tile and of memory. The others are of depth and stencil: nobody waits for them
 * but ahead of tests, so they count as signalled when those are over (assumed). */
enum { FENCES_OF_MEMORY = 0xc };

static enum agx_class
class_of(const struct wave *w, const struct sim_queued *q)
{
   return (enum agx_class)agx_isa_op_info((enum agx_op)w->code->codes[q->place].in.op).class;
}

bool
wave_order_tile_waits(const struct wave *w, uint32_t *seq)
{
   const struct sim_queue *q = &w->base.queue;
   uint32_t end = q->count;
   while (end && class_of(w, &q->entries[end - 1]) != AGX_CLASS_TILE)
      end--;
   *seq = end ? q->entries[end - 1].seq : 0;
   return end;
}

/* Whatever has to do with the tile is no reason for what fragments have sent to memory to arrive. */
void
wave_order_queue_tile(struct wave *w, const struct code *c, const void *access, unsigned size_B)
{
   struct sim_queue *q = &w->base.queue;
   bool may_overtake = w->program->stage == AGX_STAGE_FRAGMENT &&
                       (w->base.rounds->schedule.kind == SIM_SCHEDULE_WORST || sim_rounds_late_load(&w->base));
   uint32_t after = 0;
   while (may_overtake && after < q->count) {
      const struct sim_queued *last = &q->entries[q->count - 1 - after];
      if (last->kind != SIM_QUEUED_STORE && (last->kind != SIM_QUEUED_OTHER || class_of(w, last) != AGX_CLASS_IMAGE))
         break;
      after++;
   }
   sim_queue_other_ahead(q, (uint32_t)(c - w->code->codes), access, size_B, after);
   q->issue_seq++;
}

bool
wave_order_has_overtaken(const struct wave *w)
{
   const struct sim_queue *q = &w->base.queue;
   return w->program->stage == AGX_STAGE_FRAGMENT && q->count &&
          class_of(w, &q->entries[q->count - 1]) != AGX_CLASS_TILE;
}

static bool
is_tested(const struct wave *w)
{
   for (unsigned l = 0; l < LANES; l++)
      if (w->fragments.samples[l] & ~(w->tested[l] | w->killed[l]))
         return false;
   return true;
}

/* Whether the wave has ended and the tile has what it gave. What it has stored to memory and images, and no fence has
 * waited for, may still be on its way. */
static bool
has_ended(const struct wave *w)
{
   uint32_t seq;
   return w->base.state == SIM_WAVE_END && !wave_order_tile_waits(w, &seq);
}

static uint32_t
signalled(const struct wave *w)
{
   bool tested = !w->code->has_tests || (!w->tests_queued && is_tested(w));
   return has_ended(w) ? UINT32_MAX : w->released | (tested ? ~(uint32_t)FENCES_OF_MEMORY : 0);
}

void
wave_order_advance(struct sim_rounds *r)
{
   for (uint32_t g = r->first; g < r->end; g++) {
      const struct sim_group *group = sim_rounds_group(r, g);
      struct wave *w = (struct wave *)sim_group_wave(group, 0);
      w->clear = group->starting ? 0 : older_clear(w) & (group->done ? UINT32_MAX : signalled(w));
   }
}

bool
wave_order_clears(const struct wave *w, uint32_t fences)
{
   return !(fences & ~older_clear(w));
}

bool
wave_order_wakes(const struct sim_wave *base)
{
   const struct wave *w = (const struct wave *)base;
   return w->base.instructions ? wave_order_clears(w, w->waits_for) : wave_stack_wakes(w);
}
