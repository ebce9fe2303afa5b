/* What only helper programs have: doorbells, and blocks of private memory. */
#include "asahi/sim/wave/exec.h"
#include "asahi/sim/wave/wave_helper.h"

static enum step
answer(struct wave *w, const struct code *c, enum helper_answer answer)
{
   struct helper *h = w->helps;
   const uint32_t all = (1u << AGX_STACK_BLOCKS) - 1;
   if (!h->asked || h->answer || h->op == AGX_HELPER_END)
      return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "the helper program answers, and nothing is asked");
   if (answer == HELPER_DONE && h->op == AGX_HELPER_STACK_ALLOC && !(h->named & 1))
      return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "the helper program gives memory, and has mapped none");
   if (answer == HELPER_DONE && h->op == AGX_HELPER_STACK_FREE && h->named != all)
      return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0),
                        "the helper program takes memory back, and leaves it mapped");
   h->answer = answer;
   return STEP_NEXT;
}

static enum step
run_doorbell(struct wave *w, const struct code *c)
{
   if (!w->helps)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "a doorbell, which only helper programs have");
   if (!w->state.exec)
      return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "a doorbell rings, and no thread is active");
   switch (c->in.mod.imm) {
   case AGX_DOORBELL_NEXT:
      if (w->helps->asked && !w->helps->answer)
         return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0),
                           "the helper program leaves operation %u without an answer", w->helps->op);
      return STEP_SLEEP;
   case AGX_DOORBELL_DONE:
      return answer(w, c, HELPER_DONE);
   case AGX_DOORBELL_REFUSES:
      return answer(w, c, HELPER_REFUSES);
   default: /* others: seen nowhere */
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "a doorbell whose meaning nobody knows");
   }
}

static bool
may_name(struct wave *w, const struct code *c, enum agx_helper_op op)
{
   const struct helper *h = w->helps;
   uint32_t block = c->in.mod.block;
   if (!h || !h->asked || h->answer || h->op != op)
      wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "a block of private memory, where %s",
                 op == AGX_HELPER_STACK_ALLOC ? "none is asked for" : "none comes back");
   else if (block >= AGX_STACK_BLOCKS || c->in.mod.target)
      wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "block %u of target %u: nobody knows what it is", block,
                 (unsigned)c->in.mod.target);
   else if (h->named >> block & 1)
      wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "block %u a second time", block);
   return !w->base.fault.kind;
}

static enum step
run_map(struct wave *w, const struct code *c)
{
   if (!w->state.exec)
      return STEP_NEXT;
   if (!may_name(w, c, AGX_HELPER_STACK_ALLOC))
      return STEP_FAULT;
   w->helps->words[c->in.mod.block] = (uint32_t)exec_value(w, &c->in.src[0], 0);
   w->helps->named |= 1u << c->in.mod.block;
   return STEP_NEXT;
}

static enum step
run_unmap(struct wave *w, const struct code *c)
{
   if (!w->state.exec)
      return STEP_NEXT;
   if (!may_name(w, c, AGX_HELPER_STACK_FREE))
      return STEP_FAULT;
   state_put(&w->state, (unsigned)c->in.dst.value, 32, 0, w->helps->words[c->in.mod.block]);
   w->helps->named |= 1u << c->in.mod.block;
   return STEP_NEXT;
}

bool
exec_helper_bind(struct code *c)
{
   switch (c->in.op) {
   case AGX_OP_DOORBELL:
      c->run = run_doorbell;
      return true;
   case AGX_OP_MAP:
      c->run = run_map;
      return true;
   case AGX_OP_UNMAP:
      c->run = run_unmap;
      return true;
   case AGX_OP_JMP_IF_SKIPPING_DOORBELL:
      return exec_doorbell_jump_bind(c);
   default: /* others: of other classes */
      return false;
   }
}
