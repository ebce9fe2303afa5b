#include "sim/waves/pending.h"

#include <stddef.h>
#include <string.h>

#include "util/macros.h"

void
sim_pending_reset(struct sim_pending *p)
{
   memset(p, 0, offsetof(struct sim_pending, operations));
}

static void
mark_some(struct sim_pending *p, unsigned first, unsigned count, bool reads, int step)
{
   uint8_t *marks = reads ? p->read : p->written;
   for (unsigned i = 0; i < count; i++) {
      unsigned reg = (first + i) % SIM_PENDING_REGISTERS;
      marks[reg] += (uint8_t)step;
      if (!reads && marks[reg])
         sim_registers_add(&p->poison, reg);
      else if (!reads)
         p->poison.bits[reg / 64] &= ~(UINT64_C(1) << reg % 64);
   }
}

static void
mark(struct sim_pending *p, const struct sim_operation *o, int step)
{
   mark_some(p, o->reg, o->count, o->reads, step);
   for (unsigned i = 0; i < ARRAY_SIZE(o->others) && o->other_count; i++)
      if (o->others[i])
         mark_some(p, o->others[i], o->other_count, o->reads, step);
   p->with_registers += o->count ? (uint32_t)step : 0;
}

static void
drop_oldest(struct sim_pending *p, unsigned counter, uint32_t count)
{
   struct sim_operation *operations = p->operations[counter];
   for (uint32_t i = 0; i < count; i++)
      mark(p, &operations[i], -1);
   p->count[counter] -= count;
   for (uint32_t i = 0; i < p->count[counter]; i++)
      operations[i] = operations[i + count];
}

void
sim_pending_add(struct sim_pending *p, unsigned counter, const struct sim_operation *operation)
{
   p->issued[counter]++;
   if (p->count[counter] == SIM_PENDING_MAX)
      drop_oldest(p, counter, 1);
   p->operations[counter][p->count[counter]++] = *operation;
   mark(p, operation, 1);
}

/* The operation must be done. */
static bool
need(struct sim_queue *q, const struct sim_operation *o)
{
   if (o->seq <= q->commit_seq)
      return true;
   q->needed_seq = MAX2(q->needed_seq, o->seq);
   return false;
}

/* With operations that overtake others under way: one that returns in order is done if it and its followers that do
 * so too are more than `limit`. False: one that must be done has not committed. */
static bool
wait_among_unordered(struct sim_pending *p, struct sim_queue *q, unsigned counter, unsigned limit)
{
   uint32_t have = p->count[counter], ordered = 0, kept = 0;
   bool done = true;
   for (uint32_t i = have; i-- > 0;) {
      const struct sim_operation *o = &p->operations[counter][i];
      if (!o->unordered && ++ordered > limit)
         done &= need(q, o);
   }
   if (!done)
      return false;
   for (uint32_t i = 0; i < have; i++) {
      const struct sim_operation o = p->operations[counter][i];
      if (!o.unordered && ordered-- > limit)
         mark(p, &o, -1);
      else
         p->operations[counter][kept++] = o;
   }
   p->count[counter] = kept;
   return true;
}

bool
sim_pending_wait(struct sim_pending *p, struct sim_queue *q, unsigned counter, unsigned limit)
{
   uint32_t have = p->count[counter];
   if (have <= limit)
      return true;
   uint32_t drop = have - limit;
   for (uint32_t i = 0; i < have && limit; i++)
      if (p->operations[counter][i].unordered)
         return wait_among_unordered(p, q, counter, limit);
   bool done = true;
   for (uint32_t i = 0; i < drop; i++)
      done &= need(q, &p->operations[counter][i]);
   if (done)
      drop_oldest(p, counter, drop);
   return done;
}

static bool
has_register(const struct sim_operation *o, unsigned reg)
{
   bool has = reg >= o->reg && reg < (unsigned)o->reg + o->count;
   for (unsigned i = 0; i < ARRAY_SIZE(o->others) && !has; i++)
      has = o->others[i] && reg >= o->others[i] && reg < (unsigned)o->others[i] + o->other_count;
   return has;
}

bool
sim_pending_find(const struct sim_pending *p, unsigned reg, uint64_t lanes, bool reads)
{
   for (unsigned counter = 0; counter < SIM_PENDING_COUNTERS; counter++) {
      for (uint32_t i = 0; i < p->count[counter]; i++) {
         const struct sim_operation *o = &p->operations[counter][i];
         if (o->reads == reads && o->lanes & lanes && has_register(o, reg))
            return true;
      }
   }
   return false;
}
