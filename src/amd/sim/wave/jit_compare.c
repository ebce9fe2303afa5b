/* Comparisons of a strip: a byte of a lane mask each. */
#include "amd/sim/wave/jit_private.h"

enum how { NONE, FLOAT, EQUAL, SIGNED, UNSIGNED };

/* SIGNED, UNSIGNED: whether a > b; swapped: whether b > a; negated: the opposite. */
struct row {
   uint8_t how, predicate;
   bool swapped, negated;
};

/* clang-format off */
#define ROW(name, ...) [AMD_OP_v_cmp_##name] = {__VA_ARGS__}, [AMD_OP_v_cmpx_##name] = {__VA_ARGS__}
static const struct row rows[AMD_OP_COUNT] = {
   ROW(lt_f32, FLOAT, X86_LT),
   ROW(eq_f32, FLOAT, X86_EQ),
   ROW(le_f32, FLOAT, X86_LE),
   ROW(gt_f32, FLOAT, X86_GT),
   ROW(lg_f32, FLOAT, X86_LESS_GREATER),
   ROW(ge_f32, FLOAT, X86_GE),
   ROW(o_f32, FLOAT, X86_ORDERED),
   ROW(u_f32, FLOAT, X86_UNORDERED),
   ROW(nge_f32, FLOAT, X86_NOT_GE),
   ROW(nlg_f32, FLOAT, X86_EQ_OR_NAN),
   ROW(ngt_f32, FLOAT, X86_NOT_GT),
   ROW(nle_f32, FLOAT, X86_NOT_LE),
   ROW(neq_f32, FLOAT, X86_NOT_EQ),
   ROW(nlt_f32, FLOAT, X86_NOT_LT),
   ROW(eq_i32, EQUAL),
   ROW(ne_i32, EQUAL, .negated = true),
   ROW(gt_i32, SIGNED),
   ROW(lt_i32, SIGNED, .swapped = true),
   ROW(le_i32, SIGNED, .negated = true),
   ROW(ge_i32, SIGNED, .swapped = true, .negated = true),
   ROW(eq_u32, EQUAL),
   ROW(ne_u32, EQUAL, .negated = true),
   ROW(gt_u32, UNSIGNED),
   ROW(lt_u32, UNSIGNED, .swapped = true),
   ROW(le_u32, UNSIGNED, .negated = true),
   ROW(ge_u32, UNSIGNED, .swapped = true, .negated = true),
};
#undef ROW
/* clang-format on */

bool
jit_has_compare(enum amd_op op)
{
   return rows[op].how != NONE;
}

unsigned
jit_mask_written(const struct code *c)
{
   if (!jit_has_compare((enum amd_op)c->in.op))
      return AMD_OPERAND_NONE;
   if (c->info->dst.cls != AMD_CLASS_MASK)
      return AMD_EXEC_LO;
   return c->in.dst == AMD_NULL ? AMD_OPERAND_NONE : c->in.dst;
}

/* Numbers of signed words order as those of unsigned ones do, with the highest bit flipped. */
static unsigned
flipped(struct jit_builder *b, unsigned from)
{
   const unsigned to = jit_temp(b);
   x86_vector(&b->x86, X86_XORPS, to, from, x86_constant(&b->x86, 0x80000000));
   return to;
}

static void
compare_words(struct jit_builder *b, const struct row *row, unsigned to, unsigned first, unsigned second)
{
   if (row->how == UNSIGNED) {
      first = flipped(b, first);
      second = flipped(b, second);
   }
   const enum x86_vector op = row->how == EQUAL ? X86_PCMPEQD : X86_PCMPGTD;
   if (row->swapped)
      x86_vector(&b->x86, op, to, second, x86_reg(first));
   else
      x86_vector(&b->x86, op, to, first, x86_reg(second));
}

void
jit_emit_compare(struct jit_builder *b, const struct code *c)
{
   const struct row *row = &rows[c->in.op];
   struct x86 *x = &b->x86;
   const unsigned first = jit_source(b, c, 0), second = jit_source(b, c, 1), to = jit_temp(b);
   const unsigned mask = jit_mask_written(c);
   if (row->how == FLOAT)
      x86_vector_byte(x, X86_CMPPS, to, first, x86_reg(second), row->predicate);
   else
      compare_words(b, row, to, first, second);
   x86_vector(x, X86_MOVMSKPS, X86_RAX, 0, x86_reg(to));
   if (row->negated)
      x86_op_number(x, false, X86_XOR, x86_reg(X86_RAX), 255);
   if (b->partial)
      x86_op(x, false, X86_AND, X86_RAX, x86_at(JIT_MASKS, 4 * AMD_EXEC_LO));
   if (mask == AMD_OPERAND_NONE)
      return;
   x86_store_byte(x, x86_at(JIT_MASKS, (int32_t)(4 * mask)), X86_RAX);
   jit_set_mask(b, mask, to, !row->negated);
}
