/* GFX9: VGPR index mode. While MODE.GPR_IDX_EN is set, M0 7:0 is added to the numbers of those VGPR operands of
 * vector instructions that M0 15:12 names (sources 0 to 2, result). Source: "Vega" ISA, VGPR Indexing,
 * S_SET_GPR_IDX_*. */
#include "amd/sim/wave/exec_private.h"

#define GPR_IDX_EN (1u << 27)

static enum step
run_set(struct wave *w, const struct code *c)
{
   uint32_t *m0 = &w->state.sgpr[AMD_M0], operands = (c->in.simm16 & 15u) << 12;
   uint32_t index = c->info->src[0].cls ? (uint32_t)exec_scalar(w, c, 0) & 255 : 0;
   switch ((int)c->in.op) {
   case AMD_OP_s_set_gpr_idx_on:
      w->state.mode |= GPR_IDX_EN;
      *m0 = (*m0 & ~0xf0ffu) | operands | index;
      break;
   case AMD_OP_s_set_gpr_idx_off:
      w->state.mode &= ~GPR_IDX_EN;
      break;
   case AMD_OP_s_set_gpr_idx_mode:
      *m0 = (*m0 & ~0xf000u) | operands;
      break;
   default: /* others: s_set_gpr_idx_idx is all that is left */
      *m0 = (*m0 & ~255u) | index;
   }
   return STEP_NEXT;
}

bool
exec_index_bind(struct code *c)
{
   switch ((int)c->in.op) {
   case AMD_OP_s_set_gpr_idx_on:
   case AMD_OP_s_set_gpr_idx_off:
   case AMD_OP_s_set_gpr_idx_mode:
   case AMD_OP_s_set_gpr_idx_idx:
      c->run = run_set;
      return true;
   default: /* others: no part of it */
      return false;
   }
}

bool
exec_has_index_mode(const struct wave *w)
{
   return w->state.mode & GPR_IDX_EN;
}

bool
exec_is_indexed(const struct wave *w, const struct code *c)
{
   return exec_has_index_mode(w) && c->in.enc >= AMD_ENC_VOP1 && c->in.enc <= AMD_ENC_VOP3P;
}

/* The operand `index` registers further on. False: the wave has no such. */
static bool
move(const struct wave *w, struct code *c, uint16_t *operand, unsigned size_dw, unsigned index)
{
   if (!amd_is_vgpr(*operand))
      return true;
   *operand = (uint16_t)(*operand + index);
   c->uses[c->use_count++] = (struct use){*operand, (uint16_t)size_dw};
   return *operand - AMD_VGPR0 + size_dw <= w->state.vgpr_count;
}

enum step
exec_run_indexed(struct wave *w, const struct code *c)
{
   if (!c->by_halves || c->in.modifier)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0),
                        "the model has VGPR index mode for plain vector instructions only");
   struct code moved = *c; /* its uses: those of operands that move; the caller knows the others */
   uint32_t m0 = w->state.sgpr[AMD_M0], index = m0 & 255;
   bool fits = true;
   moved.use_count = 0;
   for (unsigned i = 0; i < 3; i++) {
      if (!(m0 >> (12 + i) & 1))
         continue;
      fits &= move(w, &moved, &moved.in.src[i], c->info->src[i].size_dw, index);
      moved.src[i].reg = moved.in.src[i];
   }
   if (m0 >> 15 & 1)
      fits &= move(w, &moved, &moved.in.dst, c->info->dst.size_dw, index);
   if (!fits)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "register index %u leads out of %u VGPRs", index,
                        w->state.vgpr_count);
   return wave_check_uses(w, &moved) ? moved.run_checked(w, &moved) : STEP_FAULT;
}
