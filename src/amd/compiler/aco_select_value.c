/* Selection: what nir values became, booleans, EXEC. */
#include "amd/compiler/aco_select.h"

/* The value is selected for a place after the one where lanes diverged. */
static bool
is_outside(const struct isel *c, const struct isel_value *value)
{
   return value->scope && !isel_is_inside(c->place, value->scope);
}

struct aco_operand
isel_src(struct isel *c, const struct nir_src *src, unsigned component)
{
   const struct nir_def *def = src->def;
   if (def->parent->type == NIR_INSTR_LOAD_CONST) {
      const union nir_const_value *value = &nir_as_load_const(def->parent)->value[component];
      if (def->bit_size < 64)
         return aco_op_const(value->u32);
      if (value->i64 >= -16 && value->i64 <= 64)
         return aco_op_const((uint32_t)value->i64);
      struct aco_operand parts[2] = {aco_op_const((uint32_t)value->u64), aco_op_const((uint32_t)(value->u64 >> 32))};
      return isel_vector(c, ACO_S2, 2, parts);
   }
   if (def->parent->type == NIR_INSTR_UNDEF)
      return aco_op_const(0);
   const struct isel_value *value = &c->values[def->index];
   if (is_outside(c, value) && value->outside[component].kind != ACO_OP_NONE)
      return value->outside[component];
   assert(value->comp[component].kind != ACO_OP_NONE && "a value is used before it was selected");
   return value->comp[component];
}

struct aco_operand
isel_alu_src(struct isel *c, const struct nir_alu_instr *alu, unsigned src, unsigned component)
{
   return isel_src(c, &alu->src[src].src, alu->src[src].swizzle[component]);
}

struct aco_operand
isel_src_vec_s(struct isel *c, const struct nir_src *src)
{
   const struct nir_def *def = src->def;
   const struct isel_value *value = &c->values[def->index];
   bool constant = def->parent->type == NIR_INSTR_LOAD_CONST || def->parent->type == NIR_INSTR_UNDEF;
   if (!constant && value->vec && !aco_rc_is_v(c->program->temp_rc[value->vec]) && !is_outside(c, value))
      return aco_op_temp(c->program, value->vec);
   unsigned size = def->bit_size == 64 ? 2 : 1, count = def->num_components;
   struct aco_operand parts[NIR_MAX_COMPONENTS];
   for (unsigned i = 0; i < count; i++) {
      parts[i] = isel_src(c, src, i);
      if (size == 2 && parts[i].kind == ACO_OP_CONST)
         parts[i] = isel_as_s(c, parts[i], 2);
   }
   if (count == 1 && parts[0].kind == ACO_OP_TEMP)
      return isel_as_s(c, parts[0], size);
   if (count * size == 3) {
      parts[3] = aco_op_const(0); /* scalar vectors have 1, 2, 4 ... dwords */
      count = 4;
   }
   return isel_vector(c, aco_rc_s(count * size), count, parts);
}

void
isel_set(struct isel *c, const struct nir_def *def, unsigned component, struct aco_operand op)
{
   c->values[def->index].comp[component] = op;
}

aco_rc
isel_rc_of(const struct nir_def *def, bool vector)
{
   unsigned size = def->bit_size == 64 ? 2 : 1;
   return vector ? aco_rc_v(size) : aco_rc_s(size);
}

/* ---- booleans ---- */

struct aco_operand
isel_bool_mask(struct isel *c, const struct nir_src *src, unsigned component)
{
   struct aco_operand op = isel_src(c, src, component);
   if (op.kind == ACO_OP_CONST)
      return aco_op_const(op.value ? UINT32_MAX : 0);
   if (aco_is_v(&op))
      return isel_v2(c, AMD_OP_v_cmp_ne_u32, c->program->lm, aco_op_const(0), op);
   if (src->def->divergent)
      return op;
   isel_scmp(c, AMD_OP_s_cmp_lg_u32, op, aco_op_const(0));
   return isel_scc_select(c, c->program->lm, aco_op_const(UINT32_MAX), aco_op_const(0));
}

void
isel_bool_to_scc(struct isel *c, const struct nir_src *src, unsigned component)
{
   struct aco_operand op = isel_src(c, src, component);
   if (src->def->divergent && op.kind != ACO_OP_CONST && !aco_is_v(&op)) {
      isel_s2(c, ISEL_LM(c, s_and), c->program->lm, op, isel_exec(c));
      return;
   }
   if (aco_is_v(&op))
      op = isel_as_s(c, op, 1);
   isel_scmp(c, AMD_OP_s_cmp_lg_u32, op, aco_op_const(0));
}

struct aco_operand
isel_bool_v(struct isel *c, const struct nir_src *src, unsigned component)
{
   struct aco_operand op = isel_src(c, src, component);
   if (op.kind == ACO_OP_CONST || aco_is_v(&op) || !src->def->divergent)
      return isel_as_v(c, op, 1);
   return isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, aco_op_const(0), aco_op_const(1), op);
}

void
isel_set_mask(struct isel *c, const struct nir_def *def, unsigned component, struct aco_operand mask)
{
   if (!def->divergent) {
      isel_s2(c, ISEL_LM(c, s_and), c->program->lm, mask, isel_exec(c));
      mask = isel_scc_bool(c);
   }
   isel_set(c, def, component, mask);
}

void
isel_set_scc(struct isel *c, const struct nir_def *def, unsigned component)
{
   isel_set(c, def, component,
            def->divergent ? isel_scc_select(c, c->program->lm, aco_op_const(UINT32_MAX), aco_op_const(0))
                           : isel_scc_bool(c));
}

struct aco_operand
isel_extend(struct isel *c, struct aco_operand op, unsigned bits, bool is_signed)
{
   if (bits >= 32)
      return op;
   if (op.kind == ACO_OP_CONST)
      return aco_op_const(is_signed ? (uint32_t)sign_extend(op.value, bits) : op.value & (uint32_t)bit_mask(bits));
   if (aco_is_v(&op)) {
      if (!is_signed)
         return isel_v2(c, AMD_OP_v_and_b32, ACO_V1, aco_op_const((uint32_t)bit_mask(bits)), op);
      return isel_v3(c, AMD_OP_v_bfe_i32, ACO_V1, op, aco_op_const(0), aco_op_const(bits));
   }
   if (!is_signed)
      return isel_s2(c, AMD_OP_s_and_b32, ACO_S1, op, aco_op_const((uint32_t)bit_mask(bits)));
   return isel_s1(c, bits == 8 ? AMD_OP_s_sext_i32_i8 : AMD_OP_s_sext_i32_i16, ACO_S1, op);
}

/* ---- EXEC ---- */

struct aco_operand
isel_exec(const struct isel *c)
{
   struct aco_operand op = aco_op_fixed(AMD_EXEC_LO);
   op.rc = c->program->lm;
   return op;
}

struct aco_operand
isel_active(struct isel *c)
{
   if (c->masks->exact.kind == ACO_OP_NONE)
      return isel_exec(c);
   struct aco_operand real = isel_s2(c, ISEL_LM(c, s_and), c->program->lm, isel_exec(c), c->masks->exact);
   return isel_scc_select(c, c->program->lm, real, isel_exec(c));
}

struct aco_operand
isel_begin_exact(struct isel *c)
{
   if (c->masks->exact.kind == ACO_OP_NONE)
      return (struct aco_operand){0};
   struct aco_operand saved = isel_s1(c, ISEL_LM(c, s_and_saveexec), c->program->lm, c->masks->exact);
   c->block->instrs[c->block->count - 1]->drops_helpers = true;
   return saved;
}

void
isel_end_exact(struct isel *c, struct aco_operand saved)
{
   if (saved.kind == ACO_OP_NONE)
      return;
   struct aco_instr *instr = isel_emit(c, ISEL_LM(c, s_mov), 1, 1);
   instr->ops[0] = saved;
   isel_fixed_result(instr, AMD_EXEC_LO);
}

void
isel_demote(struct isel *c, const struct nir_src *condition, bool ends)
{
   struct aco_operand dead = condition ? isel_bool_mask(c, condition, 0) : aco_op_const(UINT32_MAX);
   /* bits of inactive lanes of a mask are undefined */
   dead = isel_s2(c, ISEL_LM(c, s_and), c->program->lm, dead, isel_exec(c));
   c->masks->exact = isel_s2(c, ISEL_LM(c, s_andn2), c->program->lm, c->masks->exact, dead);
   /* A discard ends the invocation: it may not keep a loop running, nor continue after one that it left midway. */
   for (unsigned i = 0; ends && i < 2 * c->masked_depth; i++) {
      struct aco_operand *mask = i % 2 ? &c->masks->loops[i / 2].iterating : &c->masks->loops[i / 2].live;
      *mask = isel_s2(c, ISEL_LM(c, s_andn2), c->program->lm, *mask, dead);
   }
   if (ends && c->masked_depth)
      c->masks->alive = isel_s2(c, ISEL_LM(c, s_andn2), c->program->lm, c->masks->alive, dead);
}
