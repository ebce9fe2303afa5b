/* Selection: emission of single instructions with legal operands. */
#include "amd/compiler/aco_select.h"

struct aco_instr *
isel_emit(struct isel *c, unsigned op, unsigned num_defs, unsigned num_ops)
{
   struct aco_instr *instr = aco_instr_create(c->program, op, num_defs, num_ops);
   aco_block_append(c->program, c->block, instr);
   return instr;
}

struct aco_operand
isel_result(const struct isel *c, const struct aco_instr *instr, unsigned def)
{
   return aco_op_temp(c->program, instr->defs[def].temp);
}

static struct aco_operand
emit_n(struct isel *c, unsigned op, aco_rc rc, unsigned count, const struct aco_operand *ops)
{
   struct aco_instr *instr = isel_emit(c, op, 1, count);
   for (unsigned i = 0; i < count; i++)
      instr->ops[i] = ops[i];
   instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, rc), .rc = rc};
   return isel_result(c, instr, 0);
}

struct aco_operand
isel_op1(struct isel *c, unsigned op, aco_rc rc, struct aco_operand a)
{
   return emit_n(c, op, rc, 1, &a);
}

struct aco_operand
isel_op2(struct isel *c, unsigned op, aco_rc rc, struct aco_operand a, struct aco_operand b)
{
   return emit_n(c, op, rc, 2, (struct aco_operand[]){a, b});
}

static bool
is_scalar(const struct aco_operand *op)
{
   return (op->kind == ACO_OP_TEMP && !aco_rc_is_v(op->rc)) || op->kind == ACO_OP_FIXED;
}

/* Moves into VGPRs what exceeds the scalar reads of one vector instruction, and literals that it does not take. The
 * mask operand of v_cndmask and carries count too. */
static void
legalise_valu(struct isel *c, unsigned op, unsigned count, struct aco_operand *ops)
{
   const struct amd_op_info *info = aco_info(c->program, op);
   unsigned limit = aco_constant_bus(c->program->target, op);
   struct aco_operand seen[3];
   unsigned num_seen = 0;
   for (unsigned pass = 0; pass < 2; pass++) {
      for (unsigned i = 0; i < count; i++) {
         /* Masks first: they cannot move to a VGPR. */
         bool mask = info->src[i].cls == AMD_CLASS_MASK;
         if (mask != (pass == 0))
            continue;
         bool wide = info->src[i].size_dw == 2;
         bool literal = ops[i].kind == ACO_OP_CONST &&
                        (wide ? aco_const_operand(ops[i].value, AMD_TYPE_I64)
                              : aco_const_operand(ops[i].value, (enum amd_type)info->src[i].type)) == AMD_LITERAL;
         if (!literal && !is_scalar(&ops[i]))
            continue;
         bool known = false;
         for (unsigned k = 0; k < num_seen; k++)
            known |= seen[k].kind == ops[i].kind && seen[k].value == ops[i].value && seen[k].reg == ops[i].reg;
         bool refused = literal && (wide || !aco_takes_literal(c->program, op, i, ops, count));
         if (known && !refused)
            continue;
         if (num_seen == limit || refused)
            ops[i] = isel_as_v(c, ops[i], wide ? 2 : 1);
         else
            seen[num_seen++] = ops[i];
      }
   }
}

struct aco_instr *
isel_valu(struct isel *c, unsigned op, aco_rc rc, unsigned count, const struct aco_operand *ops)
{
   struct aco_operand legal[4];
   for (unsigned i = 0; i < count; i++)
      legal[i] = ops[i];
   legalise_valu(c, op, count, legal);
   /* Two different literals: the second was counted, but only one literal fits. */
   int literal = -1;
   const struct amd_op_info *info = aco_info(c->program, op);
   for (unsigned i = 0; i < count; i++) {
      if (legal[i].kind != ACO_OP_CONST ||
          aco_const_operand(legal[i].value, (enum amd_type)info->src[i].type) != AMD_LITERAL)
         continue;
      if (literal >= 0 && legal[literal].value != legal[i].value)
         legal[i] = isel_as_v(c, legal[i], 1);
      else
         literal = (int)i;
   }
   emit_n(c, op, rc, count, legal);
   return c->block->instrs[c->block->count - 1];
}

struct aco_operand
isel_v1(struct isel *c, unsigned op, aco_rc rc, struct aco_operand a)
{
   return isel_result(c, isel_valu(c, op, rc, 1, &a), 0);
}

struct aco_operand
isel_v2(struct isel *c, unsigned op, aco_rc rc, struct aco_operand a, struct aco_operand b)
{
   return isel_result(c, isel_valu(c, op, rc, 2, (struct aco_operand[]){a, b}), 0);
}

struct aco_operand
isel_v3(struct isel *c, unsigned op, aco_rc rc, struct aco_operand a, struct aco_operand b, struct aco_operand d)
{
   return isel_result(c, isel_valu(c, op, rc, 3, (struct aco_operand[]){a, b, d}), 0);
}

static bool
is_literal32(const struct aco_operand *op)
{
   return op->kind == ACO_OP_CONST && aco_const_operand(op->value, AMD_TYPE_B32) == AMD_LITERAL;
}

static void
legalise_salu(struct isel *c, struct aco_operand *a, struct aco_operand *b)
{
   *a = aco_is_v(a) ? isel_as_s(c, *a, aco_rc_size_dw(a->rc)) : *a;
   *b = aco_is_v(b) ? isel_as_s(c, *b, aco_rc_size_dw(b->rc)) : *b;
   if (is_literal32(a) && is_literal32(b) && a->value != b->value)
      *b = isel_as_s(c, *b, 1);
}

struct aco_operand
isel_s1(struct isel *c, unsigned op, aco_rc rc, struct aco_operand a)
{
   if (aco_is_v(&a))
      a = isel_as_s(c, a, aco_rc_size_dw(a.rc));
   return isel_op1(c, op, rc, a);
}

struct aco_operand
isel_s2(struct isel *c, unsigned op, aco_rc rc, struct aco_operand a, struct aco_operand b)
{
   legalise_salu(c, &a, &b);
   return isel_op2(c, op, rc, a, b);
}

void
isel_scmp(struct isel *c, unsigned op, struct aco_operand a, struct aco_operand b)
{
   legalise_salu(c, &a, &b);
   struct aco_instr *instr = isel_emit(c, op, 0, 2);
   instr->ops[0] = a;
   instr->ops[1] = b;
}

void
isel_use_scc(struct isel *c)
{
   c->block->instrs[c->block->count - 1]->uses_scc = true;
}

struct aco_operand
isel_scc_select(struct isel *c, aco_rc rc, struct aco_operand a, struct aco_operand b)
{
   isel_use_scc(c);
   return isel_op2(c, rc == ACO_S1 ? AMD_OP_s_cselect_b32 : AMD_OP_s_cselect_b64, rc, a, b);
}

struct aco_operand
isel_scc_bool(struct isel *c)
{
   return isel_scc_select(c, ACO_S1, aco_op_const(1), aco_op_const(0));
}

struct aco_operand
isel_fixed_result(struct aco_instr *instr, uint16_t reg)
{
   instr->defs[0] = (struct aco_def){.reg = reg, .fixed = true};
   return aco_op_fixed(reg);
}

struct aco_operand
isel_as_v(struct isel *c, struct aco_operand op, unsigned size_dw)
{
   if (aco_is_v(&op))
      return op;
   if (size_dw == 1)
      return isel_op1(c, AMD_OP_v_mov_b32, ACO_V1, op);
   if (op.kind == ACO_OP_CONST) {
      struct aco_operand parts[2] = {op, aco_op_const((int32_t)op.value < 0 ? UINT32_MAX : 0)};
      return isel_vector(c, ACO_V2, 2, parts);
   }
   return isel_op1(c, ACO_P_PARALLELCOPY, aco_rc_v(size_dw), op);
}

struct aco_operand
isel_as_s(struct isel *c, struct aco_operand op, unsigned size_dw)
{
   if (op.kind == ACO_OP_TEMP && !aco_rc_is_v(op.rc))
      return op;
   if (op.kind != ACO_OP_TEMP)
      return isel_op1(c, size_dw == 2 ? AMD_OP_s_mov_b64 : AMD_OP_s_mov_b32, aco_rc_s(size_dw), op);
   if (size_dw == 1)
      return isel_op1(c, AMD_OP_v_readfirstlane_b32, ACO_S1, op);
   struct aco_operand parts[8];
   isel_split(c, op, size_dw, parts);
   for (unsigned i = 0; i < size_dw; i++)
      parts[i] = isel_op1(c, AMD_OP_v_readfirstlane_b32, ACO_S1, parts[i]);
   return isel_vector(c, aco_rc_s(size_dw), size_dw, parts);
}

struct aco_operand
isel_vector(struct isel *c, aco_rc rc, unsigned count, const struct aco_operand *parts)
{
   if (count == 1 && parts[0].kind == ACO_OP_TEMP && parts[0].rc == rc)
      return parts[0];
   struct aco_operand own[ISEL_MAX_ADDRESSES];
   assert(count <= ARRAY_SIZE(own));
   for (unsigned i = 0; i < count; i++) {
      own[i] = parts[i];
      if (!aco_rc_is_v(rc) && aco_is_v(&own[i]))
         own[i] = isel_as_s(c, own[i], aco_rc_size_dw(own[i].rc));
   }
   return emit_n(c, ACO_P_CREATE_VECTOR, rc, count, own);
}

void
isel_split(struct isel *c, struct aco_operand vec, unsigned count, struct aco_operand *parts)
{
   unsigned size = aco_rc_size_dw(vec.rc) / count;
   aco_rc rc = aco_rc_is_v(vec.rc) ? aco_rc_v(size) : aco_rc_s(size);
   if (count == 1) {
      parts[0] = vec;
      return;
   }
   struct aco_instr *instr = isel_emit(c, ACO_P_SPLIT_VECTOR, count, 1);
   instr->ops[0] = vec;
   for (unsigned i = 0; i < count; i++) {
      instr->defs[i] = (struct aco_def){.temp = aco_temp(c->program, rc), .rc = rc};
      parts[i] = isel_result(c, instr, i);
   }
}

void
isel_split64(struct isel *c, struct aco_operand op, struct aco_operand *lo, struct aco_operand *hi)
{
   if (op.kind == ACO_OP_CONST) {
      *lo = op;
      *hi = aco_op_const((int32_t)op.value < 0 ? UINT32_MAX : 0);
      return;
   }
   struct aco_operand parts[2];
   isel_split(c, op, 2, parts);
   *lo = parts[0];
   *hi = parts[1];
}
