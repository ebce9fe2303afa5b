/* Wait counters and the poison of results that are under way. */
#include "amd/sim/wave/wave_private.h"
#include "util/macros.h"

#include <assert.h>

enum counter
wave_counter(const struct wave *w, enum counter counter)
{
   return counter == COUNTER_VS && w->program->traits->stores_in_vmcnt ? COUNTER_VM : counter;
}

void
wave_outstanding_operation(struct wave *w, enum counter counter, const struct sim_operation *operation,
                           bool mixes_reads)
{
   if (w->way) {
      assert(w->way_log.count < WAVE_WAY_OPERATIONS && "those that were noted");
      w->way_log.lanes[w->way_log.count++] = operation->lanes;
      return;
   }
   if (w->notes_way) {
      const struct wave_way_operation noted = {*operation, (uint32_t)w->base.instructions, (uint8_t)counter,
                                               mixes_reads};
      dynarray_append(&w->way_log.operations, struct wave_way_operation, noted);
   }
   struct sim_operation o = *operation;
   o.unordered |= mixes_reads && wave_has_pending(w, counter, !o.reads);
   sim_pending_add(&w->state.pending, counter, &o);
}

/* A full counter of 6 bits stalls the hardware until the oldest operation is done: compilers rely on it, as no wait
 * can name it any more (s_waitcnt vmcnt(63) waits for nothing; assumed). */
void
wave_outstanding(struct wave *w, enum counter counter, unsigned reg, unsigned count, bool needs_commit,
                 bool unordered)
{
   const struct sim_operation operation = {.reg = (uint16_t)reg,
                                           .count = (uint8_t)count,
                                           .seq = needs_commit ? ++w->base.queue.issue_seq : 0,
                                           .lanes = reg < AMD_VGPR0 ? UINT64_MAX : state_exec(&w->state),
                                           .unordered = unordered,
                                           .reads = counter == COUNTER_EXP};
   w->stores_in_vm += counter != wave_counter(w, counter);
   wave_outstanding_operation(w, wave_counter(w, counter), &operation, false);
}

bool
wave_has_pending(const struct wave *w, enum counter counter, bool reads)
{
   const struct sim_pending *p = &w->state.pending;
   for (uint32_t i = 0; i < p->count[counter]; i++) {
      if (p->operations[counter][i].reads == reads)
         return true;
   }
   return false;
}

bool
wave_wait(struct wave *w, enum counter counter, unsigned limit)
{
   return w->way || sim_pending_wait(&w->state.pending, &w->base.queue, counter, limit);
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

/* Those of a register that the instruction touches: an SGPR has none. */
static uint64_t
lanes_of(const struct wave *w, const struct code *c, unsigned reg)
{
   if (reg >= AMD_VGPR0 && (c->in.enc == AMD_ENC_VINTERP || c->in.enc == AMD_ENC_LDSDIR))
      return wave_quads(state_exec(&w->state));
   if (reg >= AMD_VGPR0 && c->in.op == AMD_OP_v_readfirstlane_b32) {
      const uint64_t exec = state_exec(&w->state);
      return exec ? exec & -exec : 1;
   }
   return reg < AMD_VGPR0 || crosses_lanes(c) ? UINT64_MAX : state_exec(&w->state);
}

/* At once, or as soon as a load from LDS is back. */
static bool
writes_vgprs(const struct code *c)
{
   bool by_encoding = (c->in.enc >= AMD_ENC_VOP1 && c->in.enc <= AMD_ENC_VINTRP) || c->in.enc >= AMD_ENC_LDSDIR;
   return by_encoding && amd_is_vgpr(c->in.dst);
}

bool
wave_check_uses(struct wave *w, const struct code *c)
{
   /* Of what EXPCNT counts nothing has to land first. */
   if (c->in.enc == AMD_ENC_VINTERP)
      wave_wait(w, COUNTER_EXP, c->in.wait_exp);
   bool may_meet = sim_pending_may_write(&w->state.pending, &c->used);
   for (unsigned u = 0; u < c->use_count && may_meet; u++) {
      for (unsigned i = 0; i < c->uses[u].count; i++) {
         unsigned reg = c->uses[u].reg + i;
         if (sim_pending_writes(&w->state.pending, reg, lanes_of(w, c, reg))) {
            wave_fault(w, c, SIM_FAULT_POISON, sim_va(0), "%s%u is used before the wait for its result",
                       reg < 256 ? "s" : "v", reg & 255);
            return false;
         }
      }
   }
   bool vector = c->info && writes_vgprs(c);
   for (unsigned i = 0; w->state.pending.count[COUNTER_EXP] && vector && i < c->info->dst.size_dw; i++) {
      if (sim_pending_reads(&w->state.pending, c->in.dst + i, lanes_of(w, c, c->in.dst + i))) {
         wave_fault(w, c, SIM_FAULT_POISON, sim_va(0), "v%u is overwritten while an export reads it",
                    (c->in.dst + i) & 255u);
         return false;
      }
   }
   return true;
}
