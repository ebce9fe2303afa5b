/* Scalar instructions: those that shaders run most have code of their own, the rest are calls of their functions. */
#include "amd/sim/wave/jit_private.h"

struct row;
typedef void (*emit_fn)(struct jit_builder *b, const struct code *c, const struct row *row);

/* op: the host's; scc: when SCC is set. */
struct row {
   emit_fn emit;
   enum x86_op op;
   enum x86_condition scc;
   bool inverts; /* the second source */
};

static struct x86_operand
scc(void)
{
   return x86_at(JIT_WAVE, offsetof(struct wave, state.scc));
}

static struct x86_operand
sgpr(unsigned reg)
{
   return x86_at(JIT_SGPRS, (int32_t)(4 * reg));
}

static bool
is_wide(const struct code *c)
{
   return c->info->dst.size_dw == 2;
}

static void
load(struct jit_builder *b, const struct code *c, unsigned i, bool wide, enum x86_reg to)
{
   const struct source *s = &c->src[i];
   if (s->kind == SOURCE_CONST)
      x86_load_number(&b->x86, to, s->lo | (wide ? (uint64_t)s->hi << 32 : 0));
   else
      x86_op(&b->x86, wide, X86_MOV, to, sgpr(s->reg));
}

static void
store(struct jit_builder *b, const struct code *c, enum x86_reg from)
{
   if (c->in.dst != AMD_NULL)
      x86_store(&b->x86, is_wide(c), sgpr(c->in.dst), from);
}

static void
set_scc(struct jit_builder *b, enum x86_condition condition)
{
   if (!b->scc_is_dead)
      x86_set(&b->x86, condition, scc());
}

/* ---- rows ---- */

static void
emit_move(struct jit_builder *b, const struct code *c, const struct row *row)
{
   load(b, c, 0, is_wide(c), X86_RAX);
   store(b, c, X86_RAX);
}

static void
emit_move_constant(struct jit_builder *b, const struct code *c, const struct row *row)
{
   if (c->in.dst != AMD_NULL)
      x86_store_number(&b->x86, false, sgpr(c->in.dst), (int16_t)c->in.simm16);
}

static void
emit_two(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const bool wide = is_wide(c);
   load(b, c, 0, wide, X86_RAX);
   load(b, c, 1, wide, X86_RCX);
   if (row->inverts)
      x86_not(&b->x86, wide, X86_RCX);
   x86_op(&b->x86, wide, row->op, X86_RAX, x86_reg(X86_RCX));
   set_scc(b, row->scc);
   store(b, c, X86_RAX);
}

static void
emit_multiply(struct jit_builder *b, const struct code *c, const struct row *row)
{
   load(b, c, 0, false, X86_RAX);
   load(b, c, 1, false, X86_RCX);
   x86_op(&b->x86, false, X86_IMUL, X86_RAX, x86_reg(X86_RCX));
   store(b, c, X86_RAX);
}

/* op: enum x86_shift. The host takes five or six bits of the distance, too. */
static void
emit_shift(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const bool wide = is_wide(c);
   load(b, c, 0, wide, X86_RAX);
   load(b, c, 1, false, X86_RCX);
   x86_shift(&b->x86, wide, (enum x86_shift)row->op, X86_RAX);
   x86_op(&b->x86, wide, X86_OR, X86_RAX, x86_reg(X86_RAX));
   set_scc(b, X86_IF_NOT_ZERO);
   store(b, c, X86_RAX);
}

static void
emit_not(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const bool wide = is_wide(c);
   load(b, c, 0, wide, X86_RAX);
   x86_not(&b->x86, wide, X86_RAX);
   x86_op(&b->x86, wide, X86_OR, X86_RAX, x86_reg(X86_RAX));
   set_scc(b, X86_IF_NOT_ZERO);
   store(b, c, X86_RAX);
}

static void
emit_compare(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const bool wide = c->info->src[0].size_dw == 2;
   load(b, c, 0, wide, X86_RAX);
   load(b, c, 1, wide, X86_RCX);
   x86_op(&b->x86, wide, X86_CMP, X86_RAX, x86_reg(X86_RCX));
   set_scc(b, row->scc);
}

static void
emit_compare_constant(struct jit_builder *b, const struct code *c, const struct row *row)
{
   x86_op(&b->x86, false, X86_MOV, X86_RAX, sgpr(c->in.src[0]));
   x86_op_number(&b->x86, false, X86_CMP, x86_reg(X86_RAX), (int16_t)c->in.simm16);
   set_scc(b, row->scc);
}

static void
emit_select(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const bool wide = is_wide(c);
   load(b, c, 0, wide, X86_RAX);
   load(b, c, 1, wide, X86_RCX);
   x86_compare_byte(&b->x86, scc(), 0);
   x86_op(&b->x86, wide, X86_CMOVZ, X86_RAX, x86_reg(X86_RCX));
   store(b, c, X86_RAX);
}

/* EXEC = source op EXEC (inverts: op ~EXEC); the result is what EXEC was. */
static void
emit_save_exec(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const bool wide = is_wide(c);
   struct x86 *x = &b->x86;
   load(b, c, 0, wide, X86_RAX);
   x86_op(x, wide, X86_MOV, X86_RCX, sgpr(AMD_EXEC_LO));
   x86_op(x, wide, X86_MOV, X86_RDX, x86_reg(X86_RCX));
   if (row->inverts)
      x86_not(x, wide, X86_RDX);
   x86_op(x, wide, row->op, X86_RAX, x86_reg(X86_RDX));
   x86_store(x, wide, sgpr(AMD_EXEC_LO), X86_RAX);
   set_scc(b, row->scc);
   store(b, c, X86_RCX);
}

/* Of the lowest active lane; of lane 0 if none is. */
static void
emit_first_lane(struct jit_builder *b, const struct code *c)
{
   struct x86 *x = &b->x86;
   x86_load_number(x, X86_RDX, 0);
   x86_op(x, b->lanes == 64, X86_MOV, X86_RCX, sgpr(AMD_EXEC_LO));
   x86_op(x, true, X86_BSF, X86_RCX, x86_reg(X86_RCX));
   x86_op(x, true, X86_CMOVZ, X86_RCX, x86_reg(X86_RDX));
   x86_op(x, true, X86_ADD, X86_RCX, x86_reg(X86_RCX));
   x86_op(x, true, X86_ADD, X86_RCX, x86_reg(X86_RCX));
   x86_op(x, true, X86_ADD, X86_RCX, x86_at(JIT_WAVE, offsetof(struct wave, state.vgpr)));
   x86_op(x, false, X86_MOV, X86_RAX, x86_at(X86_RCX, (int32_t)((c->in.src[0] - AMD_VGPR0) * b->lanes * 4)));
   x86_store(x, false, sgpr(c->in.dst), X86_RAX);
}

/* clang-format off */
static const struct row rows[AMD_OP_COUNT] = {
#define ROW(name, ...) [AMD_OP_s_##name] = {__VA_ARGS__}
#define BOTH(name, ...) ROW(name##_b32, __VA_ARGS__), ROW(name##_b64, __VA_ARGS__)
   BOTH(mov, emit_move),
   ROW(movk_i32, emit_move_constant),
   BOTH(not, emit_not),
   ROW(add_u32, emit_two, X86_ADD, X86_IF_BELOW),
   ROW(sub_u32, emit_two, X86_SUB, X86_IF_BELOW),
   ROW(add_i32, emit_two, X86_ADD, X86_IF_OVERFLOW),
   ROW(sub_i32, emit_two, X86_SUB, X86_IF_OVERFLOW),
   BOTH(and, emit_two, X86_AND, X86_IF_NOT_ZERO),
   BOTH(or, emit_two, X86_OR, X86_IF_NOT_ZERO),
   BOTH(xor, emit_two, X86_XOR, X86_IF_NOT_ZERO),
   BOTH(andn2, emit_two, X86_AND, X86_IF_NOT_ZERO, true),
   BOTH(orn2, emit_two, X86_OR, X86_IF_NOT_ZERO, true),
   BOTH(xnor, emit_two, X86_XOR, X86_IF_NOT_ZERO, true),
   ROW(mul_i32, emit_multiply),
   BOTH(lshl, emit_shift, (enum x86_op)X86_SHIFT_LEFT),
   BOTH(lshr, emit_shift, (enum x86_op)X86_SHIFT_RIGHT),
   ROW(ashr_i32, emit_shift, (enum x86_op)X86_SHIFT_RIGHT_SIGNED),
   BOTH(cselect, emit_select),
   BOTH(and_saveexec, emit_save_exec, X86_AND, X86_IF_NOT_ZERO),
   BOTH(or_saveexec, emit_save_exec, X86_OR, X86_IF_NOT_ZERO),
   BOTH(andn2_saveexec, emit_save_exec, X86_AND, X86_IF_NOT_ZERO, true),
   ROW(cmp_eq_u32, emit_compare, 0, X86_IF_ZERO),
   ROW(cmp_eq_i32, emit_compare, 0, X86_IF_ZERO),
   ROW(cmp_eq_u64, emit_compare, 0, X86_IF_ZERO),
   ROW(cmp_lg_u32, emit_compare, 0, X86_IF_NOT_ZERO),
   ROW(cmp_lg_i32, emit_compare, 0, X86_IF_NOT_ZERO),
   ROW(cmp_lg_u64, emit_compare, 0, X86_IF_NOT_ZERO),
   ROW(cmp_gt_u32, emit_compare, 0, X86_IF_ABOVE),
   ROW(cmp_ge_u32, emit_compare, 0, X86_IF_ABOVE_EQ),
   ROW(cmp_lt_u32, emit_compare, 0, X86_IF_BELOW),
   ROW(cmp_le_u32, emit_compare, 0, X86_IF_BELOW_EQ),
   ROW(cmp_gt_i32, emit_compare, 0, X86_IF_GREATER),
   ROW(cmp_ge_i32, emit_compare, 0, X86_IF_GREATER_EQ),
   ROW(cmp_lt_i32, emit_compare, 0, X86_IF_LESS),
   ROW(cmp_le_i32, emit_compare, 0, X86_IF_LESS_EQ),
   ROW(cmpk_eq_i32, emit_compare_constant, 0, X86_IF_ZERO),
   ROW(cmpk_lg_i32, emit_compare_constant, 0, X86_IF_NOT_ZERO),
   ROW(cmpk_gt_i32, emit_compare_constant, 0, X86_IF_GREATER),
   ROW(cmpk_ge_i32, emit_compare_constant, 0, X86_IF_GREATER_EQ),
   ROW(cmpk_lt_i32, emit_compare_constant, 0, X86_IF_LESS),
   ROW(cmpk_le_i32, emit_compare_constant, 0, X86_IF_LESS_EQ),
#undef BOTH
#undef ROW
};
/* clang-format on */

static bool
has_row(const struct code *c)
{
   bool known = rows[c->in.op].emit && !(is_wide(c) && c->in.dst + 1 == AMD_NULL);
   for (unsigned i = 0; i < c->info->src_count; i++)
      known &= c->src[i].kind == SOURCE_SGPR || c->src[i].kind == SOURCE_CONST;
   return known;
}

void
jit_emit_call(struct jit_builder *b, const struct code *c)
{
   x86_vector_end(&b->x86);
   x86_op(&b->x86, true, X86_MOV, X86_RDI, x86_reg(JIT_WAVE));
   x86_load_number(&b->x86, X86_RSI, (uintptr_t)c);
   x86_load_number(&b->x86, X86_RAX, (uintptr_t)c->run_checked);
   x86_call(&b->x86, X86_RAX);
}

void
jit_emit_scalar(struct jit_builder *b, const struct code *c)
{
   if (c->in.op == AMD_OP_v_readfirstlane_b32)
      emit_first_lane(b, c);
   else if (has_row(c))
      rows[c->in.op].emit(b, c, &rows[c->in.op]);
   else
      jit_emit_call(b, c);
}

/* Compares a lane mask with 0. */
static void
test_mask(struct jit_builder *b, unsigned reg)
{
   x86_op_number(&b->x86, b->lanes == 64, X86_CMP, sgpr(reg), 0);
}

void
jit_emit_branch(struct jit_builder *b, const struct code *c, unsigned label)
{
   enum x86_condition condition = X86_ALWAYS;
   switch ((int)c->in.op) {
   case AMD_OP_s_cbranch_scc0:
   case AMD_OP_s_cbranch_scc1:
      x86_compare_byte(&b->x86, scc(), 0);
      condition = c->in.op == AMD_OP_s_cbranch_scc0 ? X86_IF_ZERO : X86_IF_NOT_ZERO;
      break;
   case AMD_OP_s_cbranch_vccz:
   case AMD_OP_s_cbranch_vccnz:
      test_mask(b, AMD_VCC_LO);
      condition = c->in.op == AMD_OP_s_cbranch_vccz ? X86_IF_ZERO : X86_IF_NOT_ZERO;
      break;
   case AMD_OP_s_cbranch_execz:
   case AMD_OP_s_cbranch_execnz:
      test_mask(b, AMD_EXEC_LO);
      condition = c->in.op == AMD_OP_s_cbranch_execz ? X86_IF_ZERO : X86_IF_NOT_ZERO;
      break;
   default: /* others: s_branch is all that is left */
      break;
   }
   x86_jump(&b->x86, condition, label);
}
