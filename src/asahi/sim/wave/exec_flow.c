/* Control flow: nesting counters (r0l), of all threads whether active or not, and jumps. */
#include "asahi/sim/wave/exec.h"

static enum step
run_nest(struct wave *w, const struct code *c)
{
   struct agx_wave_registers *s = &w->state;
   _Alignas(64) uint32_t scratch[2][LANES];
   const struct exec_kernels *kernels = exec_kernels();
   uint32_t holds = 0;
   bool is_float = c->alu.is_float;
   if (c->alu.src[0].load) {
      const uint32_t *a = kernels->fetch(w, &c->alu.src[0], scratch[0]);
      const uint32_t *b = kernels->fetch(w, &c->alu.src[1], scratch[1]);
      holds = kernels->compare(a, b, is_float ? c->in.mod.fcond : c->in.mod.icond, is_float);
   }
   state_set_exec(s, kernels->nest(s->r[0], (enum agx_op)c->in.op, c->in.mod.nest, holds));
   return STEP_NEXT;
}

static enum step
jump(struct wave *w, const struct code *c, uint32_t target)
{
   if (target == NO_CODE)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "jumps to where the model has no code");
   sim_loop_jump(&w->base.loop, (uint32_t)(c - w->code->codes), target);
   w->base.next = target;
   return STEP_NEXT;
}

static enum step
run_jump(struct wave *w, const struct code *c)
{
   return !w->state.exec == (c->in.op != AGX_OP_JMP_ANY) ? jump(w, c, c->target) : STEP_NEXT;
}

/* r1 of the active threads: where to come back to, from the USC base. */
static enum step
run_call(struct wave *w, const struct code *c)
{
   uint32_t back = (uint32_t)(wave_va(w, c).va + c->in.size_B - w->program->usc_base.va);
   for (unsigned l = 0; l < LANES; l++)
      if (w->state.exec >> l & 1)
         w->state.r[1][l] = back;
   return jump(w, c, c->target);
}

static enum step
run_return(struct wave *w, const struct code *c)
{
   const uint32_t *r = w->state.r[c->in.src[0].value / 2];
   unsigned first = w->state.exec ? (unsigned)__builtin_ctz(w->state.exec) : 0;
   for (unsigned l = 0; l < LANES; l++)
      if (w->state.exec >> l & 1 && r[l] != r[first])
         return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "threads return to 0x%x and 0x%x", r[first], r[l]);
   struct sim_va to = sim_va_add(w->program->usc_base, r[first]);
   return jump(w, c, wave_code_at(w->code, (int64_t)(to.va - w->code->va.va)));
}

/* What must be so where threads end. */
static bool
may_end(struct wave *w, const struct code *c)
{
   if (w->program->stage == AGX_STAGE_VERTEX && !w->outputs_done) {
      wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "a vertex program ends without st_var that says last");
      return false;
   }
   for (unsigned l = 0; l < LANES && w->code->has_tests; l++) {
      uint32_t left = w->fragments.samples[l] & ~(uint32_t)(w->tested[l] | w->killed[l]);
      if (left && w->state.exec >> l & 1) {
         wave_fault(w, c, SIM_FAULT_STATE, sim_va(0),
                    "samples 0x%x of lane %u are neither tested nor killed, where the program tests", left, l);
         return false;
      }
   }
   return true;
}

static enum step
left_over(struct wave *w, const struct code *c)
{
   return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "the program ends, and threads 0x%x are not active",
                     w->state.lanes);
}

/* The active threads end, and the others continue (as programs of Honeykrisp count on, which stop in a branch). */
static enum step
run_stop(struct wave *w, const struct code *c)
{
   if (!w->engine->bindings && w->state.exec && !may_end(w, c))
      return STEP_FAULT;
   if (wave_order_has_overtaken(w) && wave_order_tile_waits(w, &w->base.queue.needed_seq))
      return STEP_AGAIN;
   w->state.lanes &= ~w->state.exec;
   state_set_exec(&w->state, 0);
   if (w->state.lanes && c->next == NO_CODE)
      return left_over(w, c);
   return w->state.lanes ? STEP_NEXT : STEP_END;
}

static enum step
run_trap(struct wave *w, const struct code *c)
{
   return w->state.exec ? wave_fault(w, c, SIM_FAULT_INSTRUCTION, wave_va(w, c), "trap") : left_over(w, c);
}

/* A doorbell rings whether threads are active or not, so that programs jump over it where none are (as Honeykrisp's
 * helper does; assumed). */
bool
exec_doorbell_jump_bind(struct code *c)
{
   c->run = run_jump;
   return true;
}

bool
exec_flow_bind(struct code *c)
{
   const struct agx_inst *in = &c->in;
   switch (in->op) {
   case AGX_OP_STOP:
      c->run = run_stop;
      return true;
   case AGX_OP_TRAP:
      c->run = run_trap;
      return true;
   case AGX_OP_JMP_ANY:
   case AGX_OP_JMP_NONE:
      c->run = run_jump;
      return true;
   case AGX_OP_CALL:
      c->run = run_call;
      return true;
   case AGX_OP_RET:
      c->run = run_return;
      return true;
   case AGX_OP_JMP_INCOMPLETE: /* seen ahead of Apple's programs; nobody knows what they do */
   case AGX_OP_CALL_REG:
      return false;
   case AGX_OP_IF_ICMP:
   case AGX_OP_ELSE_ICMP:
   case AGX_OP_WHILE_ICMP:
   case AGX_OP_IF_FCMP:
   case AGX_OP_ELSE_FCMP:
   case AGX_OP_WHILE_FCMP:
   case AGX_OP_POP_EXEC:
   case AGX_OP_UPDATE_EXEC:
      break;
   default: /* others: of other classes */
      return false;
   }
   bool is_float = in->op == AGX_OP_IF_FCMP || in->op == AGX_OP_ELSE_FCMP || in->op == AGX_OP_WHILE_FCMP;
   enum as as = is_float ? AS_FLOAT : in->mod.icond & 4 ? AS_SIGNED : AS_BITS;
   exec_bind_source(&c->alu.src[0], &in->src[0], as);
   exec_bind_source(&c->alu.src[1], &in->src[1], as);
   c->alu.is_float = is_float;
   c->run = run_nest;
   return true;
}
