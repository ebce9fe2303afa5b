/* Denormals of 32 bits where a shader asks for them: v_rcp, v_rsq, v_sqrt, v_log and v_exp take and give zeros in
 * their place, whatever MODE says (ACO: emit_scaled_op). So numbers that are too small, or whose results are, are
 * scaled by a power of two. */
#include "amd/compiler/aco_ir.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

static struct nir_def *
number(struct nir_builder *b, double x)
{
   return nir_imm_floatN(b, x, 32);
}

/* op(x * before) * after where `scaled` holds, else op(x). */
static struct nir_def *
scale(struct nir_builder *b, enum nir_op op, struct nir_def *x, struct nir_def *scaled, const double factors[2])
{
   struct nir_def *in = nir_bcsel(b, scaled, nir_fmul(b, x, number(b, factors[0])), x);
   struct nir_def *out = nir_build_alu(b, op, in, NULL, NULL, NULL);
   return nir_bcsel(b, scaled, nir_fmul(b, out, number(b, factors[1])), out);
}

/* NULL: the operation keeps them. */
static struct nir_def *
keep(struct nir_builder *b, enum nir_op op, struct nir_def *x)
{
   if (op != NIR_OP_frcp && op != NIR_OP_frsq && op != NIR_OP_fsqrt && op != NIR_OP_flog2 && op != NIR_OP_fexp2)
      return NULL;
   struct nir_def *small = nir_flt(b, nir_fabs(b, x), number(b, 0x1p-126)), *out;
   switch ((int)op) {
   case NIR_OP_frcp: { /* the reciprocal of a large number is small */
      struct nir_def *large = nir_flt(b, number(b, 0x1p126), nir_fabs(b, x));
      struct nir_def *factor =
         nir_bcsel(b, small, number(b, 0x1p24), nir_bcsel(b, large, number(b, 0x1p-24), number(b, 1)));
      return nir_fmul(b, nir_frcp(b, nir_fmul(b, x, factor)), factor);
   }
   case NIR_OP_frsq:
      return scale(b, op, x, small, (const double[]){0x1p24, 0x1p12});
   case NIR_OP_fsqrt:
      return scale(b, op, x, small, (const double[]){0x1p24, 0x1p-12});
   case NIR_OP_flog2:
      out = nir_flog2(b, nir_bcsel(b, small, nir_fmul(b, x, number(b, 0x1p24)), x));
      return nir_bcsel(b, small, nir_fadd(b, out, number(b, -24)), out);
   case NIR_OP_fexp2:
      small = nir_flt(b, x, number(b, -126));
      out = nir_fexp2(b, nir_bcsel(b, small, nir_fadd(b, x, number(b, 24)), x));
      return nir_bcsel(b, small, nir_fmul(b, out, number(b, 0x1p-24)), out);
   default: /* others: keep them */
      return NULL;
   }
}

bool
aco_keep_denormals(struct nir_shader *nir)
{
   bool progress = false;
   if (!(nir->info.float_controls & NIR_FLOAT_CONTROL(NIR_FLOAT_PRESERVE, 32)))
      return false;
   nir_foreach_block(block, nir) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_alu_instr *alu = instr->type == NIR_INSTR_ALU ? nir_as_alu(instr) : NULL;
         if (!alu || alu->def.bit_size != 32 || alu->def.num_components != 1 || nir_op_infos[alu->op].num_srcs != 1)
            continue;
         struct nir_builder b = nir_builder_at(nir, nir_before_instr(instr));
         b.exact = true;
         struct nir_def *kept = keep(&b, alu->op, nir_channel(&b, alu->src[0].src.def, alu->src[0].swizzle[0]));
         if (!kept)
            continue;
         nir_def_replace(&alu->def, kept);
         nir_instr_remove(&alu->instr);
         progress = true;
      }
   }
   return progress;
}
