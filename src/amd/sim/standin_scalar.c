/* Scalar instructions: SOP1, SOP2, SOPK, SOPC, SOPP, SMEM. */
#include "amd/sim/standin.h"
#include "sim/vm.h"

/* The program counter has 48 bits; what a program sees of it is not sign-extended. */
#define PC_MASK UINT64_C(0xffffffffffff)

static uint64_t
wqm(uint64_t value)
{
   uint64_t any = value | value >> 1 | value >> 2 | value >> 3;
   any &= UINT64_C(0x1111111111111111);
   return any * 15;
}

static uint64_t
reverse_bits(uint64_t v, unsigned bits)
{
   uint64_t r = 0;
   for (unsigned i = 0; i < bits; i++)
      r |= (v >> i & 1) << (bits - 1 - i);
   return r;
}

static void
result32(struct wave *w, const struct amd_inst *inst, uint32_t value)
{
   set_sgpr(w, inst->dst, value);
}

static void
logic32(struct wave *w, const struct amd_inst *inst, uint32_t value)
{
   set_sgpr(w, inst->dst, value);
   w->scc = value != 0;
}

static void
logic64(struct wave *w, const struct amd_inst *inst, uint64_t value)
{
   set_sgpr64(w, inst->dst, value);
   w->scc = value != 0;
}

/* D = EXEC; EXEC = value. */
static void
save_exec(struct wave *w, const struct amd_inst *inst, uint64_t value, bool wide)
{
   uint64_t old = (uint64_t)w->sgpr[AMD_EXEC_HI] << 32 | w->sgpr[AMD_EXEC_LO];
   if (wide) {
      set_sgpr64(w, inst->dst, old);
      set_sgpr64(w, AMD_EXEC_LO, value);
      w->scc = value != 0;
   } else {
      set_sgpr(w, inst->dst, (uint32_t)old);
      set_sgpr(w, AMD_EXEC_LO, (uint32_t)value);
      w->scc = (uint32_t)value != 0;
   }
}

static int
first_differing_bit(uint64_t value, unsigned bits)
{
   uint64_t sign = value >> (bits - 1) & 1;
   for (unsigned i = 1; i < bits; i++) {
      if ((value >> (bits - 1 - i) & 1) != sign)
         return (int)i;
   }
   return -1;
}

static bool
sop2(struct wave *w, const struct amd_inst *inst)
{
   /* size: a flat switch over opcodes */
   uint32_t a = scalar_operand(w, inst, inst->src[0]), b = scalar_operand(w, inst, inst->src[1]);
   uint64_t a64 = scalar_operand64(w, inst, inst->src[0]), b64 = scalar_operand64(w, inst, inst->src[1]);
   uint64_t wide;
   switch ((int)inst->op) {
   case AMD_OP_s_add_u32: wide = (uint64_t)a + b; result32(w, inst, (uint32_t)wide); w->scc = wide >> 32; return true;
   case AMD_OP_s_sub_u32: result32(w, inst, a - b); w->scc = b > a; return true;
   case AMD_OP_s_add_i32: result32(w, inst, a + b); w->scc = (~(a ^ b) & (a ^ (a + b))) >> 31; return true;
   case AMD_OP_s_sub_i32: result32(w, inst, a - b); w->scc = ((a ^ b) & (a ^ (a - b))) >> 31; return true;
   case AMD_OP_s_addc_u32: wide = (uint64_t)a + b + w->scc; result32(w, inst, (uint32_t)wide); w->scc = wide >> 32; return true;
   case AMD_OP_s_subb_u32: wide = (uint64_t)b + w->scc; result32(w, inst, a - b - w->scc); w->scc = wide > a; return true;
   case AMD_OP_s_min_i32: w->scc = (int32_t)a < (int32_t)b; result32(w, inst, w->scc ? a : b); return true;
   case AMD_OP_s_min_u32: w->scc = a < b; result32(w, inst, w->scc ? a : b); return true;
   case AMD_OP_s_max_i32: w->scc = (int32_t)a > (int32_t)b; result32(w, inst, w->scc ? a : b); return true;
   case AMD_OP_s_max_u32: w->scc = a > b; result32(w, inst, w->scc ? a : b); return true;
   case AMD_OP_s_cselect_b32: result32(w, inst, w->scc ? a : b); return true;
   case AMD_OP_s_cselect_b64: set_sgpr64(w, inst->dst, w->scc ? a64 : b64); return true;
   case AMD_OP_s_and_b32: logic32(w, inst, a & b); return true;
   case AMD_OP_s_and_b64: logic64(w, inst, a64 & b64); return true;
   case AMD_OP_s_or_b32: logic32(w, inst, a | b); return true;
   case AMD_OP_s_or_b64: logic64(w, inst, a64 | b64); return true;
   case AMD_OP_s_xor_b32: logic32(w, inst, a ^ b); return true;
   case AMD_OP_s_xor_b64: logic64(w, inst, a64 ^ b64); return true;
   case AMD_OP_s_andn2_b32: logic32(w, inst, a & ~b); return true;
   case AMD_OP_s_andn2_b64: logic64(w, inst, a64 & ~b64); return true;
   case AMD_OP_s_orn2_b32: logic32(w, inst, a | ~b); return true;
   case AMD_OP_s_orn2_b64: logic64(w, inst, a64 | ~b64); return true;
   case AMD_OP_s_nand_b32: logic32(w, inst, ~(a & b)); return true;
   case AMD_OP_s_nand_b64: logic64(w, inst, ~(a64 & b64)); return true;
   case AMD_OP_s_nor_b32: logic32(w, inst, ~(a | b)); return true;
   case AMD_OP_s_nor_b64: logic64(w, inst, ~(a64 | b64)); return true;
   case AMD_OP_s_xnor_b32: logic32(w, inst, ~(a ^ b)); return true;
   case AMD_OP_s_xnor_b64: logic64(w, inst, ~(a64 ^ b64)); return true;
   case AMD_OP_s_lshl_b32: logic32(w, inst, a << (b & 31)); return true;
   case AMD_OP_s_lshl_b64: logic64(w, inst, a64 << (b & 63)); return true;
   case AMD_OP_s_lshr_b32: logic32(w, inst, a >> (b & 31)); return true;
   case AMD_OP_s_lshr_b64: logic64(w, inst, a64 >> (b & 63)); return true;
   case AMD_OP_s_ashr_i32: logic32(w, inst, (uint32_t)((int32_t)a >> (b & 31))); return true;
   case AMD_OP_s_ashr_i64: logic64(w, inst, (uint64_t)((int64_t)a64 >> (b & 63))); return true;
   case AMD_OP_s_bfm_b32: result32(w, inst, (uint32_t)(bit_mask(a & 31) << (b & 31))); return true;
   case AMD_OP_s_bfm_b64: set_sgpr64(w, inst->dst, bit_mask(a & 63) << (b & 63)); return true;
   case AMD_OP_s_mul_i32: result32(w, inst, a * b); return true;
   case AMD_OP_s_mul_hi_u32: result32(w, inst, (uint32_t)((uint64_t)a * b >> 32)); return true;
   case AMD_OP_s_mul_hi_i32: result32(w, inst, (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32)); return true;
   case AMD_OP_s_bfe_u32: logic32(w, inst, (uint32_t)((uint64_t)a >> (b & 31) & bit_mask(b >> 16 & 127))); return true;
   case AMD_OP_s_bfe_i32: {
      unsigned bits = b >> 16 & 127;
      uint32_t v = (uint32_t)((int32_t)a >> (b & 31));
      logic32(w, inst, !bits ? 0 : bits >= 32 ? v : (uint32_t)sign_extend(v, bits));
      return true;
   }
   case AMD_OP_s_bfe_u64: logic64(w, inst, a64 >> (b & 63) & bit_mask(b >> 16 & 127)); return true;
   case AMD_OP_s_bfe_i64: {
      unsigned bits = b >> 16 & 127;
      uint64_t v = (uint64_t)((int64_t)a64 >> (b & 63));
      logic64(w, inst, !bits ? 0 : bits >= 64 ? v : (uint64_t)sign_extend(v, bits));
      return true;
   }
   case AMD_OP_s_absdiff_i32: {
      int64_t d = (int64_t)(int32_t)a - (int32_t)b;
      logic32(w, inst, (uint32_t)(d < 0 ? -d : d));
      return true;
   }
   case AMD_OP_s_lshl1_add_u32: case AMD_OP_s_lshl2_add_u32: case AMD_OP_s_lshl3_add_u32: case AMD_OP_s_lshl4_add_u32:
      wide = ((uint64_t)a << (inst->op - AMD_OP_s_lshl1_add_u32 + 1)) + b;
      result32(w, inst, (uint32_t)wide);
      w->scc = wide >> 32 != 0;
      return true;
   case AMD_OP_s_pack_ll_b32_b16: result32(w, inst, (a & 0xffff) | b << 16); return true;
   case AMD_OP_s_pack_lh_b32_b16: result32(w, inst, (a & 0xffff) | (b & 0xffff0000)); return true;
   case AMD_OP_s_pack_hh_b32_b16: result32(w, inst, a >> 16 | (b & 0xffff0000)); return true;
   default: return false;
   }
}

static bool
sop1(struct wave *w, const struct amd_inst *inst)
{
   /* size: a flat switch over opcodes */
   uint32_t a = scalar_operand(w, inst, inst->src[0]);
   uint64_t a64 = scalar_operand64(w, inst, inst->src[0]);
   uint64_t exec = (uint64_t)w->sgpr[AMD_EXEC_HI] << 32 | w->sgpr[AMD_EXEC_LO];
   switch ((int)inst->op) {
   case AMD_OP_s_mov_b32: result32(w, inst, a); return true;
   case AMD_OP_s_mov_b64: set_sgpr64(w, inst->dst, a64); return true;
   case AMD_OP_s_cmov_b32: if (w->scc) result32(w, inst, a); return true;
   case AMD_OP_s_cmov_b64: if (w->scc) set_sgpr64(w, inst->dst, a64); return true;
   case AMD_OP_s_not_b32: logic32(w, inst, ~a); return true;
   case AMD_OP_s_not_b64: logic64(w, inst, ~a64); return true;
   case AMD_OP_s_wqm_b32: logic32(w, inst, (uint32_t)wqm(a)); return true;
   case AMD_OP_s_wqm_b64: logic64(w, inst, wqm(a64)); return true;
   case AMD_OP_s_brev_b32: result32(w, inst, (uint32_t)reverse_bits(a, 32)); return true;
   case AMD_OP_s_brev_b64: set_sgpr64(w, inst->dst, reverse_bits(a64, 64)); return true;
   case AMD_OP_s_bcnt0_i32_b32: logic32(w, inst, (uint32_t)__builtin_popcount(~a)); return true;
   case AMD_OP_s_bcnt0_i32_b64: logic32(w, inst, (uint32_t)__builtin_popcountll(~a64)); return true;
   case AMD_OP_s_bcnt1_i32_b32: logic32(w, inst, (uint32_t)__builtin_popcount(a)); return true;
   case AMD_OP_s_bcnt1_i32_b64: logic32(w, inst, (uint32_t)__builtin_popcountll(a64)); return true;
   case AMD_OP_s_ff0_i32_b32: result32(w, inst, ~a ? (uint32_t)__builtin_ctz(~a) : UINT32_MAX); return true;
   case AMD_OP_s_ff0_i32_b64: result32(w, inst, ~a64 ? (uint32_t)__builtin_ctzll(~a64) : UINT32_MAX); return true;
   case AMD_OP_s_ff1_i32_b32: result32(w, inst, a ? (uint32_t)__builtin_ctz(a) : UINT32_MAX); return true;
   case AMD_OP_s_ff1_i32_b64: result32(w, inst, a64 ? (uint32_t)__builtin_ctzll(a64) : UINT32_MAX); return true;
   case AMD_OP_s_flbit_i32_b32: result32(w, inst, a ? (uint32_t)__builtin_clz(a) : UINT32_MAX); return true;
   case AMD_OP_s_flbit_i32_b64: result32(w, inst, a64 ? (uint32_t)__builtin_clzll(a64) : UINT32_MAX); return true;
   case AMD_OP_s_flbit_i32: result32(w, inst, (uint32_t)first_differing_bit(a, 32)); return true;
   case AMD_OP_s_flbit_i32_i64: result32(w, inst, (uint32_t)first_differing_bit(a64, 64)); return true;
   case AMD_OP_s_sext_i32_i8: result32(w, inst, (uint32_t)(int8_t)a); return true;
   case AMD_OP_s_sext_i32_i16: result32(w, inst, (uint32_t)(int16_t)a); return true;
   case AMD_OP_s_bitset0_b32: result32(w, inst, scalar_operand(w, inst, inst->dst) & ~(1u << (a & 31))); return true;
   case AMD_OP_s_bitset1_b32: result32(w, inst, scalar_operand(w, inst, inst->dst) | 1u << (a & 31)); return true;
   case AMD_OP_s_bitset0_b64: set_sgpr64(w, inst->dst, scalar_operand64(w, inst, inst->dst) & ~(UINT64_C(1) << (a & 63))); return true;
   case AMD_OP_s_bitset1_b64: set_sgpr64(w, inst->dst, scalar_operand64(w, inst, inst->dst) | UINT64_C(1) << (a & 63)); return true;
   case AMD_OP_s_getpc_b64: set_sgpr64(w, inst->dst, (w->code->base.va + w->pc * 4ull) & PC_MASK); return true;
   case AMD_OP_s_setpc_b64: w->pc = (uint32_t)(((a64 - w->code->base.va) & PC_MASK) / 4); return true;
   case AMD_OP_s_swappc_b64:
      set_sgpr64(w, inst->dst, (w->code->base.va + w->pc * 4ull) & PC_MASK);
      w->pc = (uint32_t)(((a64 - w->code->base.va) & PC_MASK) / 4);
      return true;
   case AMD_OP_s_and_saveexec_b64: save_exec(w, inst, a64 & exec, true); return true;
   case AMD_OP_s_or_saveexec_b64: save_exec(w, inst, a64 | exec, true); return true;
   case AMD_OP_s_xor_saveexec_b64: save_exec(w, inst, a64 ^ exec, true); return true;
   case AMD_OP_s_andn2_saveexec_b64: save_exec(w, inst, a64 & ~exec, true); return true;
   case AMD_OP_s_orn2_saveexec_b64: save_exec(w, inst, a64 | ~exec, true); return true;
   case AMD_OP_s_nand_saveexec_b64: save_exec(w, inst, ~(a64 & exec), true); return true;
   case AMD_OP_s_nor_saveexec_b64: save_exec(w, inst, ~(a64 | exec), true); return true;
   case AMD_OP_s_xnor_saveexec_b64: save_exec(w, inst, ~(a64 ^ exec), true); return true;
   case AMD_OP_s_andn1_saveexec_b64: save_exec(w, inst, ~a64 & exec, true); return true;
   case AMD_OP_s_orn1_saveexec_b64: save_exec(w, inst, ~a64 | exec, true); return true;
   case AMD_OP_s_and_saveexec_b32: save_exec(w, inst, a & exec, false); return true;
   case AMD_OP_s_or_saveexec_b32: save_exec(w, inst, a | exec, false); return true;
   case AMD_OP_s_xor_saveexec_b32: save_exec(w, inst, a ^ exec, false); return true;
   case AMD_OP_s_andn2_saveexec_b32: save_exec(w, inst, a & ~exec, false); return true;
   case AMD_OP_s_orn2_saveexec_b32: save_exec(w, inst, a | ~exec, false); return true;
   case AMD_OP_s_nand_saveexec_b32: save_exec(w, inst, ~(a & exec), false); return true;
   case AMD_OP_s_nor_saveexec_b32: save_exec(w, inst, ~(a | exec), false); return true;
   case AMD_OP_s_xnor_saveexec_b32: save_exec(w, inst, ~(a ^ exec), false); return true;
   case AMD_OP_s_andn1_saveexec_b32: save_exec(w, inst, ~a & exec, false); return true;
   case AMD_OP_s_orn1_saveexec_b32: save_exec(w, inst, ~a | exec, false); return true;
   case AMD_OP_s_andn1_wrexec_b64: set_sgpr64(w, AMD_EXEC_LO, ~a64 & exec); logic64(w, inst, ~a64 & exec); return true;
   case AMD_OP_s_andn2_wrexec_b64: set_sgpr64(w, AMD_EXEC_LO, a64 & ~exec); logic64(w, inst, a64 & ~exec); return true;
   case AMD_OP_s_andn1_wrexec_b32: a = ~a & (uint32_t)exec; set_sgpr(w, AMD_EXEC_LO, a); logic32(w, inst, a); return true;
   case AMD_OP_s_andn2_wrexec_b32: a = a & ~(uint32_t)exec; set_sgpr(w, AMD_EXEC_LO, a); logic32(w, inst, a); return true;
   case AMD_OP_s_quadmask_b32: case AMD_OP_s_quadmask_b64: {
      uint64_t v = inst->op == AMD_OP_s_quadmask_b32 ? a : a64, r = 0;
      for (unsigned i = 0; i < 16; i++)
         r |= (uint64_t)((v >> (4 * i) & 15) != 0) << i;
      if (inst->op == AMD_OP_s_quadmask_b32)
         logic32(w, inst, (uint32_t)r);
      else
         logic64(w, inst, r);
      return true;
   }
   case AMD_OP_s_movrels_b32: result32(w, inst, scalar_operand(w, inst, inst->src[0] + w->sgpr[AMD_M0])); return true;
   case AMD_OP_s_movrels_b64: set_sgpr64(w, inst->dst, scalar_operand64(w, inst, inst->src[0] + w->sgpr[AMD_M0])); return true;
   case AMD_OP_s_movreld_b32: set_sgpr(w, inst->dst + w->sgpr[AMD_M0], a); return true;
   case AMD_OP_s_movreld_b64: set_sgpr64(w, inst->dst + w->sgpr[AMD_M0], a64); return true;
   case AMD_OP_s_abs_i32: logic32(w, inst, (int32_t)a < 0 ? 0u - a : a); return true;
   case AMD_OP_s_bitreplicate_b64_b32: {
      uint64_t r = 0;
      for (unsigned i = 0; i < 32; i++)
         r |= (uint64_t)(a >> i & 1) * 3 << (2 * i);
      set_sgpr64(w, inst->dst, r);
      return true;
   }
   default: return false;
   }
}

static bool
compare(struct wave *w, const struct amd_inst *inst, uint32_t a, uint32_t b)
{
   int32_t sa = (int32_t)a, sb = (int32_t)b;
   switch ((int)inst->op) {
   case AMD_OP_s_cmp_eq_i32: case AMD_OP_s_cmp_eq_u32: case AMD_OP_s_cmpk_eq_i32: case AMD_OP_s_cmpk_eq_u32: w->scc = a == b; return true;
   case AMD_OP_s_cmp_lg_i32: case AMD_OP_s_cmp_lg_u32: case AMD_OP_s_cmpk_lg_i32: case AMD_OP_s_cmpk_lg_u32: w->scc = a != b; return true;
   case AMD_OP_s_cmp_gt_i32: case AMD_OP_s_cmpk_gt_i32: w->scc = sa > sb; return true;
   case AMD_OP_s_cmp_ge_i32: case AMD_OP_s_cmpk_ge_i32: w->scc = sa >= sb; return true;
   case AMD_OP_s_cmp_lt_i32: case AMD_OP_s_cmpk_lt_i32: w->scc = sa < sb; return true;
   case AMD_OP_s_cmp_le_i32: case AMD_OP_s_cmpk_le_i32: w->scc = sa <= sb; return true;
   case AMD_OP_s_cmp_gt_u32: case AMD_OP_s_cmpk_gt_u32: w->scc = a > b; return true;
   case AMD_OP_s_cmp_ge_u32: case AMD_OP_s_cmpk_ge_u32: w->scc = a >= b; return true;
   case AMD_OP_s_cmp_lt_u32: case AMD_OP_s_cmpk_lt_u32: w->scc = a < b; return true;
   case AMD_OP_s_cmp_le_u32: case AMD_OP_s_cmpk_le_u32: w->scc = a <= b; return true;
   case AMD_OP_s_bitcmp0_b32: w->scc = !(a >> (b & 31) & 1); return true;
   case AMD_OP_s_bitcmp1_b32: w->scc = a >> (b & 31) & 1; return true;
   case AMD_OP_s_bitcmp0_b64: w->scc = !(scalar_operand64(w, inst, inst->src[0]) >> (b & 63) & 1); return true;
   case AMD_OP_s_bitcmp1_b64: w->scc = scalar_operand64(w, inst, inst->src[0]) >> (b & 63) & 1; return true;
   case AMD_OP_s_cmp_eq_u64: w->scc = scalar_operand64(w, inst, inst->src[0]) == scalar_operand64(w, inst, inst->src[1]); return true;
   case AMD_OP_s_cmp_lg_u64: w->scc = scalar_operand64(w, inst, inst->src[0]) != scalar_operand64(w, inst, inst->src[1]); return true;
   default: return false;
   }
}

enum { HWREG_FLAT_SCR_LO = 20, HWREG_FLAT_SCR_HI = 21, HWREG_MODE = 1, HWREG_SHADER_CYCLES = 29 };

static bool
sopk(struct wave *w, const struct amd_inst *inst)
{
   uint32_t k = (uint32_t)(int16_t)inst->simm16;
   bool is_unsigned = false;
   switch ((int)inst->op) {
   case AMD_OP_s_movk_i32: set_sgpr(w, inst->dst, k); return true;
   case AMD_OP_s_cmovk_i32: if (w->scc) set_sgpr(w, inst->dst, k); return true;
   case AMD_OP_s_addk_i32: {
      uint32_t a = scalar_operand(w, inst, inst->dst);
      set_sgpr(w, inst->dst, a + k);
      w->scc = (~(a ^ k) & (a ^ (a + k))) >> 31;
      return true;
   }
   case AMD_OP_s_mulk_i32: set_sgpr(w, inst->dst, scalar_operand(w, inst, inst->dst) * k); return true;
   case AMD_OP_s_waitcnt_vscnt: case AMD_OP_s_waitcnt_vmcnt: case AMD_OP_s_waitcnt_expcnt: case AMD_OP_s_waitcnt_lgkmcnt: return true;
   case AMD_OP_s_getreg_b32: {
      unsigned id = inst->simm16 & 63, offset = inst->simm16 >> 6 & 31, bits = (inst->simm16 >> 11 & 31) + 1;
      uint32_t value = id == HWREG_FLAT_SCR_LO ? w->flat_scratch[0] : id == HWREG_FLAT_SCR_HI ? w->flat_scratch[1]
                       : id == HWREG_SHADER_CYCLES ? (uint32_t)w->instructions : id == HWREG_MODE ? w->launch->float_mode : 0;
      set_sgpr(w, inst->dst, value >> offset & (uint32_t)bit_mask(bits));
      return true;
   }
   case AMD_OP_s_setreg_b32: case AMD_OP_s_setreg_imm32_b32: {
      unsigned id = inst->simm16 & 63;
      uint32_t value = inst->op == AMD_OP_s_setreg_b32 ? scalar_operand(w, inst, inst->src[0]) : inst->literal;
      if (id == HWREG_FLAT_SCR_LO || id == HWREG_FLAT_SCR_HI)
         w->flat_scratch[id - HWREG_FLAT_SCR_LO] = value;
      return true;
   }
   case AMD_OP_s_cmpk_eq_u32: case AMD_OP_s_cmpk_lg_u32: case AMD_OP_s_cmpk_gt_u32: case AMD_OP_s_cmpk_ge_u32:
   case AMD_OP_s_cmpk_lt_u32: case AMD_OP_s_cmpk_le_u32:
      is_unsigned = true;
      break;
   default:
      break;
   }
   return compare(w, inst, scalar_operand(w, inst, inst->src[0]), is_unsigned ? inst->simm16 : k);
}

static bool
sopp(struct wave *w, const struct amd_inst *inst)
{
   bool vccz = constant_operand(w, inst, AMD_VCCZ), execz = !wave_exec(w), taken;
   switch ((int)inst->op) {
   case AMD_OP_s_endpgm: w->status = WAVE_ENDED; return true;
   case AMD_OP_s_barrier: w->status = WAVE_BARRIER; return true;
   case AMD_OP_s_branch: taken = true; break;
   case AMD_OP_s_cbranch_scc0: taken = !w->scc; break;
   case AMD_OP_s_cbranch_scc1: taken = w->scc; break;
   case AMD_OP_s_cbranch_vccz: taken = vccz; break;
   case AMD_OP_s_cbranch_vccnz: taken = !vccz; break;
   case AMD_OP_s_cbranch_execz: taken = execz; break;
   case AMD_OP_s_cbranch_execnz: taken = !execz; break;
   case AMD_OP_s_nop: case AMD_OP_s_wakeup: case AMD_OP_s_waitcnt: case AMD_OP_s_sleep: case AMD_OP_s_setprio:
   case AMD_OP_s_icache_inv: case AMD_OP_s_inst_prefetch: case AMD_OP_s_clause: case AMD_OP_s_wait_idle:
   case AMD_OP_s_waitcnt_depctr: case AMD_OP_s_round_mode: case AMD_OP_s_denorm_mode: case AMD_OP_s_sethalt:
      return true;
   default: return false;
   }
   if (taken)
      w->pc += (uint32_t)(int16_t)inst->simm16;
   return true;
}

static bool
smem(struct wave *w, const struct amd_inst *inst)
{
   unsigned count = 0;
   bool buffer = false;
   switch ((int)inst->op) {
   case AMD_OP_s_buffer_load_dword: case AMD_OP_s_load_dword: count = 1; break;
   case AMD_OP_s_buffer_load_dwordx2: case AMD_OP_s_load_dwordx2: count = 2; break;
   case AMD_OP_s_buffer_load_dwordx4: case AMD_OP_s_load_dwordx4: count = 4; break;
   case AMD_OP_s_buffer_load_dwordx8: case AMD_OP_s_load_dwordx8: count = 8; break;
   case AMD_OP_s_buffer_load_dwordx16: case AMD_OP_s_load_dwordx16: count = 16; break;
   case AMD_OP_s_gl1_inv: case AMD_OP_s_dcache_inv: return true;
   case AMD_OP_s_memtime: case AMD_OP_s_memrealtime: set_sgpr64(w, inst->dst, w->launch->time + w->instructions / 64); return true;
   default: return false;
   }
   buffer = inst->op >= AMD_OP_s_buffer_load_dword && inst->op <= AMD_OP_s_buffer_load_dwordx16;
   uint64_t base = scalar_operand64(w, inst, inst->src[0]);
   uint64_t limit = UINT64_MAX;
   int64_t offset = inst->offset + (int64_t)(inst->src[1] == AMD_OPERAND_NONE ? 0 : scalar_operand(w, inst, inst->src[1]));
   if (buffer) {
      const uint32_t *v = &w->sgpr[inst->src[0]];
      unsigned stride = v[1] >> 16 & 0x3fff;
      limit = stride ? (uint64_t)v[2] * stride : v[2];
      base &= UINT64_C(0xffffffffffff);
   }
   uint32_t data[16] = {0};
   offset &= ~INT64_C(3);
   struct sim_va at = sim_va_add(sim_va(base & ~UINT64_C(3)), offset), bad;
   if (!buffer || (uint64_t)offset + count * 4 <= limit) {
      if (!sim_vm_read(w->launch->vm, at, data, count * 4, &bad))
         return standin_fault(w, SIM_FAULT_ADDRESS, bad, "scalar load from an unmapped address");
   } else {
      for (unsigned i = 0; i < count; i++) {
         if ((uint64_t)offset + i * 4 + 4 <= limit && !sim_vm_read(w->launch->vm, sim_va_add(at, i * 4), &data[i], 4, &bad))
            return standin_fault(w, SIM_FAULT_ADDRESS, bad, "scalar load from an unmapped address");
      }
   }
   for (unsigned i = 0; i < count; i++)
      set_sgpr(w, inst->dst + i, data[i]);
   return true;
}

bool
standin_scalar(struct wave *w, const struct amd_inst *inst)
{
   switch ((int)inst->enc) {
   case AMD_ENC_SOP2:
      return sop2(w, inst);
   case AMD_ENC_SOP1:
      return sop1(w, inst);
   case AMD_ENC_SOPK:
      return sopk(w, inst);
   case AMD_ENC_SOPC:
      return compare(w, inst, scalar_operand(w, inst, inst->src[0]), scalar_operand(w, inst, inst->src[1]));
   case AMD_ENC_SOPP:
      return sopp(w, inst);
   case AMD_ENC_SMEM:
      return smem(w, inst);
   default:
      return false;
   }
}
