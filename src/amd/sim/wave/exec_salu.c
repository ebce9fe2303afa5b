/* Scalar instructions: arithmetic, branches, waits, hardware registers. size: flat switches over the operations. */
#include <assert.h>

#include "amd/sim/wave/wave_float.h"
#include "amd/sim/wave/exec_private.h"
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

static void
write_dst(struct wave *w, const struct code *c, uint64_t value)
{
   if (c->info->dst.size_dw == 2)
      state_write64(&w->state, c->in.dst, value);
   else
      state_write(&w->state, c->in.dst, (uint32_t)value);
}

static uint64_t
bitfield(uint64_t v, uint32_t spec, bool sign, unsigned bits)
{
   unsigned offset = spec & (bits - 1), width = spec >> 16 & 127;
   if (!width)
      return 0;
   width = MIN2(width, bits);
   v = offset ? v >> offset : v;
   if (sign && offset)
      v = (uint64_t)(sign_extend(v << (64 - bits + offset), 64) >> (64 - bits + offset));
   return sign ? (uint64_t)sign_extend(v, width) : v & bit_mask(width);
}

static enum step
run_sop2(struct wave *w, const struct code *c)
{
   /* size: flat switch over the operations */
   uint64_t a = exec_scalar(w, c, 0), b = exec_scalar(w, c, 1), r = 0;
   uint32_t x = (uint32_t)a, y = (uint32_t)b;
   bool wide = c->info->dst.size_dw == 2, scc = w->state.scc, logic = true;
   switch ((int)c->in.op) {
   case AMD_OP_s_add_u32:
      r = (uint32_t)(x + y), scc = r < x, logic = false;
      break;
   case AMD_OP_s_sub_u32:
      r = (uint32_t)(x - y), scc = y > x, logic = false;
      break;
   case AMD_OP_s_add_i32:
      r = x + y, scc = __builtin_add_overflow((int32_t)x, (int32_t)y, &(int32_t){0}), logic = false;
      break;
   case AMD_OP_s_sub_i32:
      r = x - y, scc = __builtin_sub_overflow((int32_t)x, (int32_t)y, &(int32_t){0}), logic = false;
      break;
   case AMD_OP_s_addc_u32:
      r = (uint64_t)x + y + scc, scc = r >> 32, logic = false;
      break;
   case AMD_OP_s_subb_u32:
      r = (uint64_t)x - y - scc, scc = r >> 32 & 1, logic = false;
      break;
   case AMD_OP_s_min_i32:
      scc = (int32_t)x < (int32_t)y, r = scc ? x : y, logic = false;
      break;
   case AMD_OP_s_min_u32:
      scc = x < y, r = scc ? x : y, logic = false;
      break;
   case AMD_OP_s_max_i32:
      scc = (int32_t)x > (int32_t)y, r = scc ? x : y, logic = false;
      break;
   case AMD_OP_s_max_u32:
      scc = x > y, r = scc ? x : y, logic = false;
      break;
   case AMD_OP_s_cselect_b32:
   case AMD_OP_s_cselect_b64:
      r = scc ? a : b, logic = false;
      break;
   case AMD_OP_s_and_b32:
   case AMD_OP_s_and_b64:
      r = a & b;
      break;
   case AMD_OP_s_or_b32:
   case AMD_OP_s_or_b64:
      r = a | b;
      break;
   case AMD_OP_s_xor_b32:
   case AMD_OP_s_xor_b64:
      r = a ^ b;
      break;
   case AMD_OP_s_andn2_b32:
   case AMD_OP_s_andn2_b64:
      r = a & ~b;
      break;
   case AMD_OP_s_orn2_b32:
   case AMD_OP_s_orn2_b64:
      r = a | ~b;
      break;
   case AMD_OP_s_nand_b32:
   case AMD_OP_s_nand_b64:
      r = ~(a & b);
      break;
   case AMD_OP_s_nor_b32:
   case AMD_OP_s_nor_b64:
      r = ~(a | b);
      break;
   case AMD_OP_s_xnor_b32:
   case AMD_OP_s_xnor_b64:
      r = ~(a ^ b);
      break;
   case AMD_OP_s_lshl_b32:
      r = x << (y & 31);
      break;
   case AMD_OP_s_lshl_b64:
      r = a << (y & 63);
      break;
   case AMD_OP_s_lshr_b32:
      r = x >> (y & 31);
      break;
   case AMD_OP_s_lshr_b64:
      r = a >> (y & 63);
      break;
   case AMD_OP_s_ashr_i32:
      r = (uint32_t)((int32_t)x >> (y & 31));
      break;
   case AMD_OP_s_ashr_i64:
      r = (uint64_t)((int64_t)a >> (y & 63));
      break;
   case AMD_OP_s_bfm_b32:
      r = ((1u << (x & 31)) - 1) << (y & 31), logic = false;
      break;
   case AMD_OP_s_bfm_b64:
      r = ((UINT64_C(1) << (x & 63)) - 1) << (y & 63), logic = false;
      break;
   case AMD_OP_s_mul_i32:
      r = x * y, logic = false;
      break;
   case AMD_OP_s_mul_hi_u32:
      r = (uint64_t)x * y >> 32, logic = false;
      break;
   case AMD_OP_s_mul_hi_i32:
      r = (uint64_t)((int64_t)(int32_t)x * (int32_t)y) >> 32, logic = false;
      break;
   case AMD_OP_s_bfe_u32:
      r = bitfield(x, y, false, 32);
      break;
   case AMD_OP_s_bfe_i32:
      r = (uint32_t)bitfield(x, y, true, 32);
      break;
   case AMD_OP_s_bfe_u64:
      r = bitfield(a, y, false, 64);
      break;
   case AMD_OP_s_bfe_i64:
      r = bitfield(a, y, true, 64);
      break;
   case AMD_OP_s_absdiff_i32:
      r = (uint32_t)((int32_t)(x - y) < 0 ? y - x : x - y);
      break;
   case AMD_OP_s_lshl1_add_u32:
   case AMD_OP_s_lshl2_add_u32:
   case AMD_OP_s_lshl3_add_u32:
   case AMD_OP_s_lshl4_add_u32:
      r = ((uint64_t)x << (c->in.op - AMD_OP_s_lshl1_add_u32 + 1)) + y, scc = r >> 32, logic = false;
      break;
   case AMD_OP_s_pack_ll_b32_b16:
      r = (x & 0xffff) | y << 16, logic = false;
      break;
   case AMD_OP_s_pack_lh_b32_b16:
      r = (x & 0xffff) | (y & 0xffff0000), logic = false;
      break;
   case AMD_OP_s_pack_hl_b32_b16:
      r = x >> 16 | y << 16, logic = false;
      break;
   case AMD_OP_s_pack_hh_b32_b16:
      r = x >> 16 | (y & 0xffff0000), logic = false;
      break;
   default: /* others: unknown */
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "instruction without a model");
   }
   w->state.scc = logic ? (wide ? r : (uint32_t)r) != 0 : scc;
   write_dst(w, c, r);
   return STEP_NEXT;
}

/* Sets EXEC to an operation on it and writes the old value to dst; wrexec: the new one. */
static enum step
saveexec(struct wave *w, const struct code *c, uint64_t a)
{
   /* size: a flat switch */
   bool wide = c->info->dst.size_dw == 2;
   uint64_t e = wide ? state_read64(&w->state, AMD_EXEC_LO) : w->state.sgpr[AMD_EXEC_LO], r = 0, save = e;
   switch ((int)c->in.op) {
   case AMD_OP_s_and_saveexec_b32:
   case AMD_OP_s_and_saveexec_b64:
      r = a & e;
      break;
   case AMD_OP_s_or_saveexec_b32:
   case AMD_OP_s_or_saveexec_b64:
      r = a | e;
      break;
   case AMD_OP_s_xor_saveexec_b32:
   case AMD_OP_s_xor_saveexec_b64:
      r = a ^ e;
      break;
   case AMD_OP_s_andn2_saveexec_b32:
   case AMD_OP_s_andn2_saveexec_b64:
      r = a & ~e;
      break;
   case AMD_OP_s_orn2_saveexec_b32:
   case AMD_OP_s_orn2_saveexec_b64:
      r = a | ~e;
      break;
   case AMD_OP_s_nand_saveexec_b32:
   case AMD_OP_s_nand_saveexec_b64:
      r = ~(a & e);
      break;
   case AMD_OP_s_nor_saveexec_b32:
   case AMD_OP_s_nor_saveexec_b64:
      r = ~(a | e);
      break;
   case AMD_OP_s_xnor_saveexec_b32:
   case AMD_OP_s_xnor_saveexec_b64:
      r = ~(a ^ e);
      break;
   case AMD_OP_s_andn1_saveexec_b32:
   case AMD_OP_s_andn1_saveexec_b64:
      r = ~a & e;
      break;
   case AMD_OP_s_orn1_saveexec_b32:
   case AMD_OP_s_orn1_saveexec_b64:
      r = ~a | e;
      break;
   case AMD_OP_s_andn1_wrexec_b32:
   case AMD_OP_s_andn1_wrexec_b64:
      save = r = ~a & e;
      break;
   case AMD_OP_s_andn2_wrexec_b32:
   case AMD_OP_s_andn2_wrexec_b64:
      save = r = a & ~e;
      break;
   default: /* others: unknown */
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "instruction without a model");
   }
   w->state.sgpr[AMD_EXEC_LO] = (uint32_t)r;
   if (wide)
      w->state.sgpr[AMD_EXEC_HI] = (uint32_t)(r >> 32);
   w->state.scc = (wide ? r : (uint32_t)r) != 0;
   write_dst(w, c, save);
   return STEP_NEXT;
}

static enum step
jump(struct wave *w, const struct code *c, int64_t target_dw)
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

/* Into the program or into another one (the parts that drivers compile apart: prologs, epilogs), which is found in
 * the serial phase, when nothing of this one is on its way any more. */
static enum step
jump_to_va(struct wave *w, const struct code *c, struct sim_va va)
{
   const struct program *p = w->program;
   int64_t target_dw = (int64_t)(va.va - p->va.va) >> 2;
   if (target_dw >= 0 && target_dw < p->dw_count && p->index_of[target_dw] != UINT32_MAX)
      return jump(w, c, target_dw);
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

/* As programs see it: the program counter has 48 bits and is not sign-extended. Shaders put it into buffer
 * descriptors. */
static uint64_t
next_va(const struct wave *w, const struct code *c)
{
   return (w->program->va.va + 4ull * c->next_dw) & bit_mask(48);
}

static enum step
call(struct wave *w, const struct code *c, struct sim_va va)
{
   enum step step = jump_to_va(w, c, va);
   if (step == STEP_NEXT || w->jumps)
      state_write64(&w->state, c->in.dst, next_va(w, c));
   return step;
}

static uint64_t
bit_reverse(uint64_t v)
{
   uint64_t r = 0;
   for (unsigned i = 0; i < 64; i++)
      r |= (v >> i & 1) << (63 - i);
   return r;
}

static int32_t
first_sign_change(uint64_t v, unsigned bits)
{
   uint64_t top = v >> (bits - 1) & 1;
   for (unsigned i = 1; i < bits; i++)
      if ((v >> (bits - 1 - i) & 1) != top)
         return (int32_t)i;
   return -1;
}

static enum step
run_sop1(struct wave *w, const struct code *c)
{
   /* size: flat switch over the operations */
   uint64_t a = exec_scalar(w, c, 0), r = 0;
   uint32_t x = (uint32_t)a;
   bool logic = false;
   switch ((int)c->in.op) {
   case AMD_OP_s_mov_b32:
   case AMD_OP_s_mov_b64:
      r = a;
      break;
   case AMD_OP_s_cmov_b32:
   case AMD_OP_s_cmov_b64:
      if (!w->state.scc)
         return STEP_NEXT;
      r = a;
      break;
   case AMD_OP_s_not_b32:
      r = (uint32_t)~x, logic = true;
      break;
   case AMD_OP_s_not_b64:
      r = ~a, logic = true;
      break;
   case AMD_OP_s_wqm_b32:
   case AMD_OP_s_wqm_b64:
      r = wave_quads(a), logic = true;
      break;
   case AMD_OP_s_quadmask_b32:
   case AMD_OP_s_quadmask_b64:
      for (unsigned i = 0; i < 16; i++)
         r |= (uint64_t)((a >> 4 * i & 15) != 0) << i;
      logic = true;
      break;
   case AMD_OP_s_brev_b32:
      r = bit_reverse(a) >> 32;
      break;
   case AMD_OP_s_brev_b64:
      r = bit_reverse(a);
      break;
   case AMD_OP_s_bcnt0_i32_b32:
      r = 32 - (unsigned)__builtin_popcount(x), logic = true;
      break;
   case AMD_OP_s_bcnt0_i32_b64:
      r = 64 - (unsigned)__builtin_popcountll(a), logic = true;
      break;
   case AMD_OP_s_bcnt1_i32_b32:
   case AMD_OP_s_bcnt1_i32_b64:
      r = (unsigned)__builtin_popcountll(a), logic = true;
      break;
   case AMD_OP_s_ff0_i32_b32:
      r = ~x ? (unsigned)__builtin_ctz(~x) : UINT32_MAX;
      break;
   case AMD_OP_s_ff0_i32_b64:
      r = ~a ? (unsigned)__builtin_ctzll(~a) : UINT32_MAX;
      break;
   case AMD_OP_s_ff1_i32_b32:
   case AMD_OP_s_ff1_i32_b64:
      r = a ? (unsigned)__builtin_ctzll(a) : UINT32_MAX;
      break;
   case AMD_OP_s_flbit_i32_b32:
      r = x ? (unsigned)__builtin_clz(x) : UINT32_MAX;
      break;
   case AMD_OP_s_flbit_i32_b64:
      r = a ? (unsigned)__builtin_clzll(a) : UINT32_MAX;
      break;
   case AMD_OP_s_flbit_i32:
      r = (uint32_t)first_sign_change(x, 32);
      break;
   case AMD_OP_s_flbit_i32_i64:
      r = (uint32_t)first_sign_change(a, 64);
      break;
   case AMD_OP_s_sext_i32_i8:
      r = (uint32_t)(int8_t)x;
      break;
   case AMD_OP_s_sext_i32_i16:
      r = (uint32_t)(int16_t)x;
      break;
   case AMD_OP_s_bitset0_b32:
      r = w->state.sgpr[c->in.dst] & ~(1u << (x & 31));
      break;
   case AMD_OP_s_bitset0_b64:
      r = state_read64(&w->state, c->in.dst) & ~(UINT64_C(1) << (x & 63));
      break;
   case AMD_OP_s_bitset1_b32:
      r = w->state.sgpr[c->in.dst] | 1u << (x & 31);
      break;
   case AMD_OP_s_bitset1_b64:
      r = state_read64(&w->state, c->in.dst) | UINT64_C(1) << (x & 63);
      break;
   case AMD_OP_s_getpc_b64:
      r = next_va(w, c);
      break;
   case AMD_OP_s_setpc_b64:
      return jump_to_va(w, c, sim_va(a));
   case AMD_OP_s_swappc_b64:
      return call(w, c, sim_va(a));
   case AMD_OP_s_abs_i32:
      r = (int32_t)x < 0 ? 0u - x : x, logic = true;
      break;
   case AMD_OP_s_bitreplicate_b64_b32:
      for (unsigned i = 0; i < 32; i++)
         r |= (uint64_t)(x >> i & 1) * 3 << 2 * i;
      break;
   case AMD_OP_s_movrels_b32:
      r = w->state.sgpr[(c->src[0].reg + w->state.sgpr[AMD_M0]) & 127];
      break;
   case AMD_OP_s_movrels_b64:
      r = state_read64(&w->state, (c->src[0].reg + w->state.sgpr[AMD_M0]) & 126);
      break;
   case AMD_OP_s_movreld_b32:
      state_write(&w->state, (c->in.dst + w->state.sgpr[AMD_M0]) & 127, x);
      return STEP_NEXT;
   case AMD_OP_s_movreld_b64:
      state_write64(&w->state, (c->in.dst + w->state.sgpr[AMD_M0]) & 126, a);
      return STEP_NEXT;
   default: /* others: on EXEC */
      return saveexec(w, c, a);
   }
   if (logic)
      w->state.scc = r != 0;
   write_dst(w, c, r);
   return STEP_NEXT;
}

static bool
compare(unsigned kind, int64_t a, int64_t b)
{
   switch (kind) {
   case 0:
      return a == b;
   case 1:
      return a != b;
   case 2:
      return a > b;
   case 3:
      return a >= b;
   case 4:
      return a < b;
   case 5:
      return a <= b;
   }
   assert(!"no such comparison");
   return false;
}

static enum step
run_sopc(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), b = exec_scalar(w, c, 1);
   unsigned op = c->in.op;
   if (op >= AMD_OP_s_cmp_eq_i32 && op <= AMD_OP_s_cmp_le_i32)
      w->state.scc = compare(op - AMD_OP_s_cmp_eq_i32, (int32_t)a, (int32_t)b);
   else if (op >= AMD_OP_s_cmp_eq_u32 && op <= AMD_OP_s_cmp_le_u32)
      w->state.scc = compare(op - AMD_OP_s_cmp_eq_u32, (uint32_t)a, (uint32_t)b);
   else if (op == AMD_OP_s_bitcmp0_b32 || op == AMD_OP_s_bitcmp1_b32)
      w->state.scc = (a >> (b & 31) & 1) == (op == AMD_OP_s_bitcmp1_b32);
   else if (op == AMD_OP_s_bitcmp0_b64 || op == AMD_OP_s_bitcmp1_b64)
      w->state.scc = (a >> (b & 63) & 1) == (op == AMD_OP_s_bitcmp1_b64);
   else
      w->state.scc = (a == b) == (op == AMD_OP_s_cmp_eq_u64);
   return STEP_NEXT;
}

enum { MESSAGE_DEALLOC_VGPRS = 3, MESSAGE_ORDERED_PS_DONE = 7 };

enum { MODE_PACKERS = 3 << 24 }; /* GFX9 */

/* Hardware registers that programs read or write. Those named without a value read as 0. */
static enum step
run_hwreg(struct wave *w, const struct code *c)
{
   unsigned id = amd_hwreg_id(c->in.simm16), offset = amd_hwreg_first(c->in.simm16);
   uint32_t mask = (uint32_t)bit_mask(MIN2(amd_hwreg_bits(c->in.simm16), 32 - offset)) << offset, value = 0;
   bool known = amd_isa_hwregs[w->program->gen] >> id & 1;
   switch (id) {
   case AMD_HWREG_MODE:
      value = w->state.mode;
      break;
   case AMD_HWREG_STATUS:
      value = (uint32_t)w->state.scc | (uint32_t)!state_exec(&w->state) << 9 |
              (uint32_t)!state_read_mask(&w->state, AMD_VCC_LO) << 10;
      break;
   case AMD_HWREG_FLAT_SCR_LO:
      value = (uint32_t)w->state.flat_scratch;
      break;
   case AMD_HWREG_FLAT_SCR_HI:
      value = (uint32_t)(w->state.flat_scratch >> 32);
      break;
   case AMD_HWREG_SHADER_CYCLES:
      /* It goes on from draw to draw, slowly enough that one soon after another does not see it start anew. */
      value = (uint32_t)(((w->launch->time >> 4) + w->base.instructions) & 0xfffff);
      w->base.loop.read_clock |= known;
      break;
   case AMD_HWREG_POPS_PACKER:
      value = wave_pops_read_register(w);
      break;
   case AMD_HWREG_TRAPSTS:
   case AMD_HWREG_HW_ID1:
   case AMD_HWREG_HW_ID2:
      break;
   default: /* others: unknown, even if the chip has them */
      known = false;
   }
   if (!known)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "hardware register %u without a model", id);
   if (c->in.op == AMD_OP_s_getreg_b32) {
      state_write(&w->state, c->in.dst, (value & mask) >> offset);
      return STEP_NEXT;
   }
   uint32_t in = c->in.op == AMD_OP_s_setreg_b32 ? w->state.sgpr[c->in.src[0]] : c->in.literal;
   value = (value & ~mask) | (in << offset & mask);
   if (id == AMD_HWREG_MODE) {
      w->state.mode = value;
      wave_float_mode(value);
      if (w->program->traits->pops_in_mode && mask & MODE_PACKERS)
         return wave_pops_write_mode(w, c, (value & MODE_PACKERS) >> 24);
   } else if (id == AMD_HWREG_FLAT_SCR_LO) {
      w->state.flat_scratch = (w->state.flat_scratch & ~UINT64_C(0xffffffff)) | value;
   } else if (id == AMD_HWREG_FLAT_SCR_HI) {
      w->state.flat_scratch = (uint32_t)w->state.flat_scratch | (uint64_t)value << 32;
   } else if (id == AMD_HWREG_POPS_PACKER) {
      return wave_pops_write_register(w, c, value);
   } else if (id != AMD_HWREG_STATUS) {
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "write of hardware register %u", id);
   }
   return STEP_NEXT;
}

static enum step
run_sopk(struct wave *w, const struct code *c)
{
   int32_t k = (int16_t)c->in.simm16;
   unsigned op = c->in.op, dst = c->in.dst;
   if (op >= AMD_OP_s_cmpk_eq_i32 && op <= AMD_OP_s_cmpk_le_i32) {
      w->state.scc = compare(op - AMD_OP_s_cmpk_eq_i32, (int32_t)w->state.sgpr[c->in.src[0]], k);
      return STEP_NEXT;
   }
   if (op >= AMD_OP_s_cmpk_eq_u32 && op <= AMD_OP_s_cmpk_le_u32) {
      w->state.scc = compare(op - AMD_OP_s_cmpk_eq_u32, w->state.sgpr[c->in.src[0]], c->in.simm16);
      return STEP_NEXT;
   }
   switch ((int)op) {
   case AMD_OP_s_movk_i32:
      state_write(&w->state, dst, (uint32_t)k);
      return STEP_NEXT;
   case AMD_OP_s_cmovk_i32:
      if (w->state.scc)
         state_write(&w->state, dst, (uint32_t)k);
      return STEP_NEXT;
   case AMD_OP_s_addk_i32:
      w->state.scc = __builtin_add_overflow((int32_t)w->state.sgpr[dst], k, &(int32_t){0});
      state_write(&w->state, dst, w->state.sgpr[dst] + (uint32_t)k);
      return STEP_NEXT;
   case AMD_OP_s_mulk_i32:
      state_write(&w->state, dst, w->state.sgpr[dst] * (uint32_t)k);
      return STEP_NEXT;
   case AMD_OP_s_call_b64:
      state_write64(&w->state, dst, next_va(w, c));
      return jump(w, c, (int64_t)c->next_dw + k);
   case AMD_OP_s_waitcnt_vscnt:
      return wave_wait(w, COUNTER_VS, c->in.simm16 & 63) ? STEP_NEXT : STEP_AGAIN;
   case AMD_OP_s_waitcnt_vmcnt:
      return wave_wait(w, COUNTER_VM, c->in.simm16 & 63) ? STEP_NEXT : STEP_AGAIN;
   case AMD_OP_s_waitcnt_expcnt:
      return wave_wait(w, COUNTER_EXP, c->in.simm16 & 7) ? STEP_NEXT : STEP_AGAIN;
   case AMD_OP_s_waitcnt_lgkmcnt:
      return wave_wait(w, COUNTER_LGKM, c->in.simm16 & 63) ? STEP_NEXT : STEP_AGAIN;
   case AMD_OP_s_getreg_b32:
   case AMD_OP_s_setreg_b32:
   case AMD_OP_s_setreg_imm32_b32:
      return run_hwreg(w, c);
   case AMD_OP_s_version: /* for tools: "do nothing" (doc: RDNA 2 ISA, chapter 12.2) */
      return STEP_NEXT;
   default: /* others: unknown */
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "instruction without a model");
   }
}

static enum step
run_waitcnt(struct wave *w, const struct code *c)
{
   enum amd_gen gen = w->program->gen;
   bool ok = wave_wait(w, COUNTER_VM, amd_isa_wait_left(gen, AMD_WAIT_VM, c->in.simm16));
   ok &= wave_wait(w, COUNTER_EXP, amd_isa_wait_left(gen, AMD_WAIT_EXP, c->in.simm16));
   ok &= wave_wait(w, COUNTER_LGKM, amd_isa_wait_left(gen, AMD_WAIT_LGKM, c->in.simm16));
   return ok ? STEP_NEXT : STEP_AGAIN;
}

static bool
all_done(struct wave *w)
{
   bool ok = true;
   for (unsigned i = 0; i < COUNTER_COUNT; i++)
      ok &= wave_wait(w, (enum counter)i, 0);
   return ok;
}

/* Only an exit of its packer ends a long sleep of a wave that polls; any other just lets others run. */
static enum step
run_sleep(struct wave *w, const struct code *c)
{
   if (w->pops.polled && !wave_pops_wakes(&w->engine->pops, w))
      w->base.spin_end = w->base.instructions + SPIN_INSTRUCTIONS;
   return wave_pops_sleeps(w, c) ? STEP_SLEEP : STEP_YIELD;
}

/* What the other messages do is their receiver's, when the wave retires. */
static enum step
run_message(struct wave *w, const struct code *c)
{
   if (w->program->traits->gives_vgprs_back && c->in.simm16 == MESSAGE_DEALLOC_VGPRS)
      return STEP_NEXT; /* others may start earlier, which no wave can tell */
   if ((c->in.simm16 & 15) == MESSAGE_ORDERED_PS_DONE && !w->program->traits->ordered_by_exports)
      return wave_pops_send_done(w, c);
   if (dynarray_count(&w->messages, struct amd_wave_message) == AMD_WAVE_MAX_MESSAGES)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "more than %d messages", AMD_WAVE_MAX_MESSAGES);
   const struct amd_wave_message message = {.simm16 = c->in.simm16,
                                            .m0 = w->state.sgpr[AMD_M0],
                                            .exec = state_exec(&w->state),
                                            .exports = w->export_count,
                                            .barriers = w->barriers};
   dynarray_append(&w->messages, struct amd_wave_message, message);
   return STEP_NEXT;
}

/* GFX11: a message with an answer. Only clocks are asked for. */
static enum step
run_question(struct wave *w, const struct code *c)
{
   enum { MESSAGE_GET_REALTIME = 131 };
   if (c->in.simm16 != MESSAGE_GET_REALTIME)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "message %u without a model", c->in.simm16);
   w->base.loop.read_clock = true;
   uint64_t time = w->launch->time + w->engine->rounds.round * 1024 + w->base.instructions / 16;
   unsigned size_dw = c->info->dst.size_dw;
   if (size_dw == 2)
      state_write64(&w->state, c->in.dst, time);
   else
      state_write(&w->state, c->in.dst, (uint32_t)time);
   wave_outstanding(w, COUNTER_LGKM, c->in.dst, size_dw, false, true);
   return STEP_NEXT;
}

/* Whether a branch of SOPP jumps. */
static bool
is_taken(const struct wave *w, const struct code *c)
{
   switch ((int)c->in.op) {
   case AMD_OP_s_cbranch_scc0:
      return !w->state.scc;
   case AMD_OP_s_cbranch_scc1:
      return w->state.scc;
   case AMD_OP_s_cbranch_vccz:
      return !state_read_mask(&w->state, AMD_VCC_LO);
   case AMD_OP_s_cbranch_vccnz:
      return state_read_mask(&w->state, AMD_VCC_LO) != 0;
   case AMD_OP_s_cbranch_execz:
      return !state_exec(&w->state);
   case AMD_OP_s_cbranch_execnz:
      return state_exec(&w->state) != 0;
   default: /* others: s_branch */
      return true;
   }
}

static enum step
run_sopp(struct wave *w, const struct code *c)
{
   switch ((int)c->in.op) {
   case AMD_OP_s_branch:
   case AMD_OP_s_cbranch_scc0:
   case AMD_OP_s_cbranch_scc1:
   case AMD_OP_s_cbranch_vccz:
   case AMD_OP_s_cbranch_vccnz:
   case AMD_OP_s_cbranch_execz:
   case AMD_OP_s_cbranch_execnz:
      return is_taken(w, c) ? jump(w, c, (int64_t)c->next_dw + (int16_t)c->in.simm16) : STEP_NEXT;
   case AMD_OP_s_endpgm:
      return wave_pops_end(w, c);
   case AMD_OP_s_endpgm_ordered_ps_done:
      if (!all_done(w))
         return STEP_AGAIN;
      return wave_pops_send_done(w, c) == STEP_NEXT ? STEP_END : STEP_FAULT;
   case AMD_OP_s_wait_event:
      return wave_pops_wait_event(w, c);
   case AMD_OP_s_sleep:
      return run_sleep(w, c);
   case AMD_OP_s_sendmsg:
      return run_message(w, c);
   case AMD_OP_s_barrier:
      w->barriers++;
      return STEP_BARRIER;
   case AMD_OP_s_waitcnt:
      return run_waitcnt(w, c);
   case AMD_OP_s_round_mode:
      w->state.mode = (w->state.mode & ~15u) | (c->in.simm16 & 15u);
      wave_float_mode(w->state.mode);
      break;
   case AMD_OP_s_denorm_mode:
      w->state.mode = (w->state.mode & ~0xf0u) | (c->in.simm16 & 15u) << 4;
      wave_float_mode(w->state.mode);
      break;
   case AMD_OP_s_nop: /* timing, priority, prefetch and clauses change nothing in the model */
   case AMD_OP_s_setprio:
   case AMD_OP_s_clause:
   case AMD_OP_s_delay_alu:
   case AMD_OP_s_singleuse_vdst:
   case AMD_OP_s_inst_prefetch:
   case AMD_OP_s_waitcnt_depctr:
   case AMD_OP_s_icache_inv:
   case AMD_OP_s_wakeup:
      break;
   default: /* others: unknown */
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "instruction without a model");
   }
   return STEP_NEXT;
}

bool
exec_salu_bind(struct code *c)
{
   if (exec_salu_float_bind(c))
      return true;
   switch ((int)c->in.enc) {
   case AMD_ENC_SOP1:
      c->run = c->in.op == AMD_OP_s_sendmsg_rtn_b32 || c->in.op == AMD_OP_s_sendmsg_rtn_b64 ? run_question : run_sop1;
      return true;
   case AMD_ENC_SOP2:
      c->run = run_sop2;
      return true;
   case AMD_ENC_SOPK:
      c->run = run_sopk;
      return true;
   case AMD_ENC_SOPC:
      c->run = run_sopc;
      return true;
   case AMD_ENC_SOPP:
      c->run = run_sopp;
      return true;
   default: /* others: not of the scalar ALU */
      return false;
   }
}
