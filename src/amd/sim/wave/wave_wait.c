/* Wait counters and the poison of results that are under way. */
#include "amd/sim/wave/wave_private.h"
#include "util/macros.h"

static void
mark(struct wave *w, const struct outstanding *o, enum counter counter, int step)
{
   for (unsigned i = 0; i < o->count; i++) {
      if (counter == COUNTER_EXP)
         w->exporting[(o->reg + i) & 255] += (uint8_t)step;
      else
         w->pending[(o->reg + i) & 511] += (uint8_t)step;
   }
}

static void
update_any(struct wave *w)
{
   w->any_pending = w->out_count[COUNTER_VM] || w->out_count[COUNTER_LGKM] || w->out_count[COUNTER_EXP];
}

static void
drop_oldest(struct wave *w, enum counter counter, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++)
      mark(w, &w->out[counter][i], counter, -1);
   w->out_count[counter] -= count;
   for (uint32_t i = 0; i < w->out_count[counter]; i++)
      w->out[counter][i] = w->out[counter][i + count];
}

/* A full counter of 6 bits stalls the hardware until the oldest operation is done: compilers rely on it, as no wait
 * can name it any more (s_waitcnt vmcnt(63) waits for nothing; assumed). */
void
wave_outstanding(struct wave *w, enum counter counter, unsigned reg, unsigned count, bool needs_commit,
                 bool unordered)
{
   w->issued[counter]++;
   if (w->out_count[counter] == MAX_OUTSTANDING)
      drop_oldest(w, counter, 1);
   struct outstanding *o = &w->out[counter][w->out_count[counter]++];
   *o = (struct outstanding){(uint16_t)reg, (uint16_t)count, needs_commit ? ++w->base.queue.issue_seq : 0,
                             wave_exec(w), unordered};
   mark(w, o, counter, 1);
   update_any(w);
}

/* The operation must be done. */
static bool
need(struct wave *w, const struct outstanding *o)
{
   if (o->seq <= w->base.queue.commit_seq)
      return true;
   w->base.queue.needed_seq = MAX2(w->base.queue.needed_seq, o->seq);
   return false;
}

/* With operations that overtake others under way: one that returns in order is done if it and its followers that do
 * so too are more than `limit`. False: one that must be done has not committed. */
static bool
wait_among_unordered(struct wave *w, enum counter counter, unsigned limit)
{
   uint32_t have = w->out_count[counter], ordered = 0, kept = 0;
   bool done = true;
   for (uint32_t i = have; i-- > 0;) {
      const struct outstanding *o = &w->out[counter][i];
      if (!o->unordered && ++ordered > limit)
         done &= need(w, o);
   }
   if (!done)
      return false;
   for (uint32_t i = 0; i < have; i++) {
      const struct outstanding o = w->out[counter][i];
      if (!o.unordered && ordered-- > limit)
         mark(w, &o, counter, -1);
      else
         w->out[counter][kept++] = o;
   }
   w->out_count[counter] = kept;
   update_any(w);
   return true;
}

bool
wave_wait(struct wave *w, enum counter counter, unsigned limit)
{
   uint32_t have = w->out_count[counter];
   if (have <= limit)
      return true;
   uint32_t drop = have - limit;
   for (uint32_t i = 0; i < have && limit; i++)
      if (w->out[counter][i].unordered)
         return wait_among_unordered(w, counter, limit);
   bool done = true;
   for (uint32_t i = 0; i < drop; i++)
      done &= need(w, &w->out[counter][i]);
   if (!done)
      return false;
   drop_oldest(w, counter, drop);
   update_any(w);
   return true;
}

/* Whether the instruction reads lanes other than its own. */
static bool
crosses_lanes(const struct code *c)
{
   switch ((int)c->in.op) {
   case AMD_OP_v_readlane_b32:
   case AMD_OP_v_readfirstlane_b32:
   case AMD_OP_v_permlane16_b32:
   case AMD_OP_v_permlanex16_b32:
   case AMD_OP_ds_bpermute_b32:
   case AMD_OP_ds_swizzle_b32:
      return true;
   default: /* others: if a modifier does */
      return c->in.modifier == AMD_MOD_DPP16 || c->in.modifier == AMD_MOD_DPP8;
   }
}

/* Whether a VGPR or SGPR is under way in the lanes that the instruction touches. */
static bool
is_poison(const struct wave *w, const struct code *c, unsigned reg, enum counter first, enum counter last)
{
   uint64_t lanes = reg < AMD_VGPR0 || crosses_lanes(c) ? UINT64_MAX : wave_exec(w);
   for (unsigned counter = first; counter <= last; counter++) {
      for (uint32_t i = 0; i < w->out_count[counter]; i++) {
         const struct outstanding *o = &w->out[counter][i];
         if (reg >= o->reg && reg < (unsigned)o->reg + o->count && (reg < AMD_VGPR0 || o->lanes & lanes))
            return true;
      }
   }
   return false;
}

bool
wave_check_uses(struct wave *w, const struct code *c)
{
   for (unsigned u = 0; u < c->use_count; u++) {
      for (unsigned i = 0; i < c->uses[u].count; i++) {
         unsigned reg = c->uses[u].reg + i;
         if (w->pending[reg & 511] && is_poison(w, c, reg, COUNTER_VM, COUNTER_LGKM)) {
            wave_fault(w, c, SIM_FAULT_POISON, sim_va(0), "%s%u is used before the wait for its result",
                       reg < 256 ? "s" : "v", reg & 255);
            return false;
         }
      }
   }
   bool vector = c->info && c->in.enc >= AMD_ENC_VOP1 && c->in.enc <= AMD_ENC_VINTRP && amd_is_vgpr(c->in.dst);
   for (unsigned i = 0; w->out_count[COUNTER_EXP] && vector && i < c->info->dst.size_dw; i++) {
      if (w->exporting[(c->in.dst + i) & 255] && is_poison(w, c, c->in.dst + i, COUNTER_EXP, COUNTER_EXP)) {
         wave_fault(w, c, SIM_FAULT_POISON, sim_va(0), "v%u is overwritten while an export reads it",
                    (c->in.dst + i) & 255u);
         return false;
      }
   }
   return true;
}
