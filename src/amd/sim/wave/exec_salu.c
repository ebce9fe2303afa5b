/* Scalar instructions: their sources, jumps, and which table has their function. */
#include "amd/sim/wave/exec_salu_private.h"
#include "util/macros.h"

uint64_t
exec_scalar(const struct wave *w, const struct code *c, unsigned i)
{
   const struct source *s = &c->src[i];
   switch ((enum source_kind)s->kind) {
   case SOURCE_SGPR:
      return s->dw == 2 ? state_read64(&w->state, s->reg) : w->state.sgpr[s->reg];
   case SOURCE_MASK:
      return state_read_mask(&w->state, s->reg);
   case SOURCE_CONST:
      return s->dw == 2 ? s->lo | (uint64_t)s->hi << 32 : s->lo;
   case SOURCE_SCC:
      return w->state.scc;
   case SOURCE_VCCZ:
      return !state_read_mask(&w->state, AMD_VCC_LO);
   case SOURCE_EXECZ:
      return !state_exec(&w->state);
   case SOURCE_POPS:
      return w->pops.value;
   case SOURCE_VGPR:
      return w->state.vgpr[(size_t)(s->reg - AMD_VGPR0) * w->state.lanes];
   case SOURCE_NONE:
      break;
   }
   return 0;
}

enum step
exec_jump(struct wave *w, const struct code *c, int64_t target_dw)
{
   const struct program *p = w->program;
   uint32_t index = target_dw >= 0 && target_dw < p->dw_count ? p->index_of[target_dw] : UINT32_MAX;
   if (index == UINT32_MAX)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(p->va.va + 4 * (uint64_t)target_dw),
                        "jump out of the program");
   w->base.next = index;
   sim_loop_jump(&w->base.loop, c->pc_dw, (uint32_t)target_dw);
   return STEP_NEXT;
}

enum step
exec_jump_to_va(struct wave *w, const struct code *c, struct sim_va va)
{
   const struct program *p = w->program;
   int64_t target_dw = (int64_t)(va.va - p->va.va) >> 2;
   if (target_dw >= 0 && target_dw < p->dw_count && p->index_of[target_dw] != UINT32_MAX)
      return exec_jump(w, c, target_dw);
   if (w->jump_failed)
      return wave_fault(w, c, SIM_FAULT_ADDRESS, va, "jump to where no executable memory is");
   if (w->base.queue.count) {
      w->base.queue.needed_seq = 0;
      return STEP_AGAIN;
   }
   w->jumps = true;
   w->jump_va = va;
   return STEP_AGAIN;
}

uint64_t
exec_next_va(const struct wave *w, const struct code *c)
{
   return (w->program->va.va + 4ull * c->next_dw) & bit_mask(48);
}

bool
exec_salu_bind(struct code *c)
{
   if (exec_salu_float_bind(c))
      return true;
   switch ((int)c->in.enc) {
   case AMD_ENC_SOP1:
      return exec_sop1_bind(c);
   case AMD_ENC_SOP2:
      return exec_sop2_bind(c);
   case AMD_ENC_SOPK:
      return exec_sopk_bind(c);
   case AMD_ENC_SOPC:
      return exec_sopc_bind(c);
   case AMD_ENC_SOPP:
      return exec_sopp_bind(c);
   default: /* others: not of the scalar ALU */
      return false;
   }
}
