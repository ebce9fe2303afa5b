/* What an instruction is to compiled code. */
#include "amd/sim/wave/jit_private.h"

static bool
has_no_effect(enum amd_op op)
{
   switch ((int)op) {
   case AMD_OP_v_nop:
   case AMD_OP_s_nop:
   case AMD_OP_s_setprio:
   case AMD_OP_s_clause:
   case AMD_OP_s_delay_alu:
   case AMD_OP_s_inst_prefetch:
   case AMD_OP_s_waitcnt_depctr:
      return true;
   default: /* others: do something */
      return false;
   }
}

static enum jit_kind
branch_kind(const struct program *p, const struct code *c)
{
   switch ((int)c->in.op) {
   case AMD_OP_s_branch:
   case AMD_OP_s_cbranch_scc0:
   case AMD_OP_s_cbranch_scc1:
   case AMD_OP_s_cbranch_vccz:
   case AMD_OP_s_cbranch_vccnz:
   case AMD_OP_s_cbranch_execz:
   case AMD_OP_s_cbranch_execnz:
      return jit_target(p, c) == UINT32_MAX ? JIT_OTHER : JIT_BRANCH;
   default: /* others: leave the program, or wait */
      return JIT_OTHER;
   }
}

static enum jit_kind
short_constant_kind(enum amd_op op)
{
   return op == AMD_OP_s_movk_i32 || op == AMD_OP_s_cmovk_i32 || op == AMD_OP_s_addk_i32 || op == AMD_OP_s_mulk_i32 ||
                (op >= AMD_OP_s_cmpk_eq_i32 && op <= AMD_OP_s_cmpk_le_u32)
             ? JIT_SCALAR
             : JIT_OTHER;
}

/* Those that may end in a fault, since they compute the numbers of registers, are the interpreter's. */
static enum jit_kind
vector_kind(const struct code *c)
{
   switch ((int)c->in.op) {
   case AMD_OP_v_movrels_b32:
   case AMD_OP_v_movreld_b32:
   case AMD_OP_v_movrelsd_b32:
   case AMD_OP_v_movrelsd_2_b32:
   case AMD_OP_v_swaprel_b32:
      return JIT_OTHER;
   case AMD_OP_v_readfirstlane_b32:
      return c->src[0].kind == SOURCE_VGPR && c->in.dst < AMD_VCC_LO ? JIT_SCALAR : JIT_CALLED_VECTOR;
   case AMD_OP_v_readlane_b32:
   case AMD_OP_v_writelane_b32:
      return JIT_CALLED_VECTOR;
   default: /* others: by their operands */
      break;
   }
   if (jit_has_vector(c))
      return JIT_VECTOR;
   return c->by_halves ? JIT_CALLED_VECTOR : JIT_OTHER;
}

enum jit_kind
jit_kind_of(const struct program *p, const struct code *c)
{
   if (!c->info || c->run_polling || c->run_counted)
      return JIT_OTHER;
   if (has_no_effect((enum amd_op)c->in.op))
      return JIT_NO_EFFECT;
   switch ((int)c->in.enc) {
   case AMD_ENC_SOP1:
   case AMD_ENC_SOP2:
   case AMD_ENC_SOPC:
      return c->info->flags & (AMD_FLAG_BRANCH | AMD_FLAG_BARRIER) ? JIT_OTHER : JIT_SCALAR;
   case AMD_ENC_SOPK:
      return short_constant_kind((enum amd_op)c->in.op);
   case AMD_ENC_SOPP:
      return branch_kind(p, c);
   case AMD_ENC_VOP1:
   case AMD_ENC_VOP2:
   case AMD_ENC_VOPC:
   case AMD_ENC_VOP3:
      return vector_kind(c);
   case AMD_ENC_VOPD:
      return p->lanes == 32 && jit_has_vector(c) ? JIT_VECTOR : JIT_OTHER;
   default: /* others: memory, exports, and what is too rare */
      return JIT_OTHER;
   }
}

uint32_t
jit_target(const struct program *p, const struct code *c)
{
   const int64_t target_dw = (int64_t)c->next_dw + (int16_t)c->in.simm16;
   return target_dw >= 0 && target_dw < p->dw_count ? p->index_of[target_dw] : UINT32_MAX;
}
