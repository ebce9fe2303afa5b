/* Selection of arithmetic on two 16-bit components at once, and of the registers that hold two of them: component 2i
 * in the low half, 2i + 1 in the high half. */
#include "amd/compiler/aco_select.h"

/* Register with the two components, or NONE if they have not one of their own. */
static struct aco_operand
packed_of(const struct isel *c, const struct nir_def *def, unsigned pair)
{
   return pair < ARRAY_SIZE(c->values[def->index].packed) ? c->values[def->index].packed[pair]
                                                          : (struct aco_operand){0};
}

void
isel_set_packed(struct isel *c, const struct nir_def *def, unsigned pair, struct aco_operand op)
{
   struct isel_value *value = &c->values[def->index];
   if (!aco_is_v(&op)) {
      isel_set(c, def, 2 * pair, op);
      isel_set(c, def, 2 * pair + 1, isel_s2(c, AMD_OP_s_lshr_b32, ACO_S1, op, k(16)));
      return;
   }
   value->packed[pair] = op;
   value->comp[2 * pair] = op; /* what stands above a small integer does not matter */
   value->comp[2 * pair + 1] = isel_v2(c, AMD_OP_v_lshrrev_b32, ACO_V1, k(16), op);
}

void
isel_keep_packed(struct isel *c, const struct nir_alu_instr *alu)
{
   struct isel_value *value = &c->values[alu->def.index];
   for (unsigned i = 0; alu->def.bit_size == 16 && i < alu->def.num_components / 2; i++) {
      const struct nir_alu_src *a = &alu->src[2 * i], *b = &alu->src[2 * i + 1];
      if (a->src.def == b->src.def && a->swizzle[0] % 2 == 0 && b->swizzle[0] == a->swizzle[0] + 1)
         value->packed[i] = packed_of(c, a->src.def, a->swizzle[0] / 2);
   }
}

struct aco_operand
isel_pack(struct isel *c, const struct nir_src *src, unsigned low, unsigned high)
{
   struct aco_operand own = packed_of(c, src->def, low / 2);
   if (low % 2 == 0 && high == low + 1 && own.kind != ACO_OP_NONE)
      return own;
   struct aco_operand a = isel_src(c, src, low), b = isel_src(c, src, high);
   if (a.kind == ACO_OP_CONST && b.kind == ACO_OP_CONST)
      return k((a.value & 0xffff) | b.value << 16);
   if (!aco_is_v(&a) && !aco_is_v(&b))
      return isel_s2(c, AMD_OP_s_pack_ll_b32_b16, ACO_S1, a, b);
   return isel_v3(c, AMD_OP_v_perm_b32, ACO_V1, b, a, k(0x05040100));
}

/* A source of a packed operation, with the halves that low and high component come from. */
static struct aco_operand
source(struct isel *c, const struct nir_alu_instr *alu, unsigned s, bool *low_half, bool *high_half)
{
   const struct nir_src *src = &alu->src[s].src;
   unsigned low = alu->src[s].swizzle[0], high = alu->src[s].swizzle[1];
   struct aco_operand op = packed_of(c, src->def, low / 2);
   if (low / 2 == high / 2 && op.kind != ACO_OP_NONE) {
      *low_half = low & 1;
      *high_half = high & 1;
      return op;
   }
   *low_half = false;
   *high_half = low != high;
   op = low == high ? isel_src(c, src, low) : isel_pack(c, src, low, high);
   if (op.kind != ACO_OP_CONST)
      return op;
   if (low == high)
      op.value = (op.value & 0xffff) * 0x10001;
   int16_t number = (int16_t)op.value;
   if ((op.value >> 16) != (op.value & 0xffff) || number < -16 || number > 64)
      return isel_as_s(c, op, 1);
   *high_half = false; /* an inline number stands in the low half */
   return k((uint32_t)(int32_t)number);
}

static unsigned
packed_op(enum nir_op op)
{
   switch ((int)op) { /* others: not in pairs */
   case NIR_OP_iadd:
      return AMD_OP_v_pk_add_u16;
   case NIR_OP_isub:
      return AMD_OP_v_pk_sub_u16;
   case NIR_OP_imul:
      return AMD_OP_v_pk_mul_lo_u16;
   case NIR_OP_imin:
      return AMD_OP_v_pk_min_i16;
   case NIR_OP_imax:
      return AMD_OP_v_pk_max_i16;
   case NIR_OP_umin:
      return AMD_OP_v_pk_min_u16;
   case NIR_OP_umax:
      return AMD_OP_v_pk_max_u16;
   case NIR_OP_ishl:
      return AMD_OP_v_pk_lshlrev_b16;
   case NIR_OP_ushr:
      return AMD_OP_v_pk_lshrrev_b16;
   case NIR_OP_ishr:
      return AMD_OP_v_pk_ashrrev_i16;
   case NIR_OP_fadd:
   case NIR_OP_fsub:
      return AMD_OP_v_pk_add_f16;
   case NIR_OP_fmul:
      return AMD_OP_v_pk_mul_f16;
   case NIR_OP_ffma:
      return AMD_OP_v_pk_fma_f16;
   case NIR_OP_fmin:
      return AMD_OP_v_pk_min_f16;
   case NIR_OP_fmax:
      return AMD_OP_v_pk_max_f16;
   default:
      return AMD_OP_COUNT;
   }
}

static void
arithmetic(struct isel *c, struct nir_alu_instr *alu, unsigned op)
{
   unsigned count = nir_op_infos[alu->op].num_srcs, low = 0, high = 0;
   bool reversed = alu->op == NIR_OP_ishl || alu->op == NIR_OP_ishr || alu->op == NIR_OP_ushr;
   struct aco_operand ops[3];
   for (unsigned i = 0; i < count; i++) {
      unsigned place = reversed ? 1 - i : i;
      bool halves[2];
      ops[place] = source(c, alu, i, &halves[0], &halves[1]);
      low |= (unsigned)halves[0] << place;
      high |= (unsigned)halves[1] << place;
   }
   struct aco_instr *instr = isel_valu(c, op, ACO_V1, count, ops);
   instr->vop3p = true;
   instr->exact = alu->exact;
   instr->opsel = (uint8_t)low;
   instr->opsel_hi = (uint8_t)high;
   if (alu->op == NIR_OP_fsub)
      instr->neg = instr->neg_hi = 2;
   isel_set_packed(c, &alu->def, 0, isel_result(c, instr, 0));
}

/* The halves lie in place: nir_opt_pair_16bit() makes no others. */
static bool
bitwise(struct isel *c, struct nir_alu_instr *alu)
{
   static const struct {
      enum nir_op op;
      uint16_t code;
      uint32_t mask;
   } rows[] = {
      {NIR_OP_iand, AMD_OP_v_and_b32, 0},          {NIR_OP_ior, AMD_OP_v_or_b32, 0},
      {NIR_OP_ixor, AMD_OP_v_xor_b32, 0},          {NIR_OP_inot, AMD_OP_v_xor_b32, 0xffffffff},
      {NIR_OP_fneg, AMD_OP_v_xor_b32, 0x80008000}, {NIR_OP_fabs, AMD_OP_v_and_b32, 0x7fff7fff},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (rows[i].op != alu->op)
         continue;
      const struct nir_alu_src *a = &alu->src[0], *b = &alu->src[1];
      struct aco_operand x = isel_pack(c, &a->src, a->swizzle[0], a->swizzle[1]);
      struct aco_operand y = rows[i].mask ? k(rows[i].mask) : isel_pack(c, &b->src, b->swizzle[0], b->swizzle[1]);
      isel_set_packed(c, &alu->def, 0, isel_v2(c, rows[i].code, ACO_V1, y, x));
      return true;
   }
   return false;
}

bool
isel_alu_packed(struct isel *c, struct nir_alu_instr *alu)
{
   bool is_float = nir_op_infos[alu->op].dest_base == NIR_TYPE_FLOAT;
   if (alu->def.bit_size != 16 || alu->def.num_components != 2 || (!alu->def.divergent && !is_float))
      return false;
   unsigned op = packed_op(alu->op);
   if (op == AMD_OP_COUNT)
      return bitwise(c, alu);
   arithmetic(c, alu, op);
   return true;
}
