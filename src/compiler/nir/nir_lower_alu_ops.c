#include "compiler/nir/nir_lower_division.h"
#include "compiler/nir/nir_passes.h"
#include "util/dynarray.h"
#include "util/within_memory.h"

/* Two Newton steps on the reciprocal, then one on the quotient. */
static struct nir_def *
divide_f64(struct nir_builder *b, struct nir_def *x, struct nir_def *y)
{
   struct nir_def *one = nir_imm_floatN(b, 1, 64), *minus = nir_fneg(b, y), *reciprocal = nir_frcp(b, y);
   for (unsigned i = 0; i < 2; i++)
      reciprocal = nir_ffma(b, reciprocal, nir_ffma(b, minus, reciprocal, one), reciprocal);
   struct nir_def *quotient = nir_fmul(b, x, reciprocal);
   struct nir_def *refined = nir_ffma(b, nir_ffma(b, minus, quotient, x), reciprocal, quotient);
   /* Zero, infinity and NaN come from the plain product. */
   struct nir_def *plain = nir_fmul(b, x, nir_frcp(b, y));
   struct nir_def *special = nir_funord(b, refined, refined);
   return nir_bcsel(b, special, plain, refined);
}

/* Whatever the base, its power of 0 is 1: the logarithm of 0 is infinite. */
static struct nir_def *
power(struct nir_builder *b, struct nir_def *x, struct nir_def *y)
{
   struct nir_def *log = nir_flog2(b, x);
   if (y->bit_size == 32)
      return nir_fexp2(b, nir_fmulz(b, y, log));
   struct nir_def *zero = nir_feq(b, y, nir_imm_floatN(b, 0, y->bit_size));
   return nir_bcsel(b, zero, nir_imm_floatN(b, 1, y->bit_size), nir_fexp2(b, nir_fmul(b, y, log)));
}

static bool
is_lowered(enum nir_op op)
{
   switch ((int)op) {
   case NIR_OP_fdiv:
   case NIR_OP_fpow:
   case NIR_OP_udiv:
   case NIR_OP_umod:
   case NIR_OP_idiv:
   case NIR_OP_irem:
   case NIR_OP_imod:
      return true;
   default: /* others: stay */
      return false;
   }
}

/* A source with its swizzle applied. All these opcodes work component by component. */
static struct nir_def *
source(struct nir_builder *b, const struct nir_alu_instr *alu, unsigned i)
{
   unsigned swizzle[NIR_MAX_COMPONENTS];
   for (unsigned c = 0; c < alu->def.num_components; c++)
      swizzle[c] = alu->src[i].swizzle[c];
   return nir_swizzle(b, alu->src[i].src.def, swizzle, alu->def.num_components);
}

static void
lower(struct nir_shader *shader, struct nir_alu_instr *alu)
{
   struct nir_builder b = nir_builder_at(shader, nir_before_instr(&alu->instr));
   b.exact = alu->exact;
   struct nir_def *x = source(&b, alu, 0), *y = source(&b, alu, 1), *result;
   if (alu->op == NIR_OP_fpow)
      result = power(&b, x, y);
   else if (alu->op == NIR_OP_fdiv)
      result = x->bit_size == 64 ? divide_f64(&b, x, y) : nir_fmul(&b, x, nir_frcp(&b, y));
   else
      result = nir_lower_division(&b, alu->op, x, y);
   assert(result->num_components == alu->def.num_components && result->bit_size == alu->def.bit_size);
   nir_def_replace(&alu->def, result);
   nir_instr_remove(&alu->instr);
}

bool
nir_lower_alu_ops(struct nir_shader *shader)
{
   struct dynarray work = {}; /* collected first: a lowering may split blocks */
   struct owned owned;
   own(&owned, dynarray_release, &work);
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_ALU && is_lowered(nir_as_alu(instr)->op))
            dynarray_append(&work, struct nir_alu_instr *, nir_as_alu(instr));
      }
   }
   size_t count = dynarray_count(&work, struct nir_alu_instr *);
   for (size_t i = 0; i < count; i++)
      lower(shader, *dynarray_at(&work, struct nir_alu_instr *, i));
   disown(&owned);
   return count > 0;
}
