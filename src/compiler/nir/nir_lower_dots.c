/* Dot products of integers that the instruction set lacks become products and sums. */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

/* How the opcodes read their sources. */
struct dot {
   uint8_t count, bits; /* of the vectors in a source of 32 bits */
   bool is_signed[2], saturates;
   uint8_t kind; /* enum nir_dots */
};

static bool
dot_of(enum nir_op op, struct dot *d)
{
   switch ((int)op) {
   case NIR_OP_sdot_4x8_iadd:
   case NIR_OP_sdot_4x8_iadd_sat:
      *d = (struct dot){4, 8, {true, true}, op == NIR_OP_sdot_4x8_iadd_sat, NIR_DOTS_4X8};
      return true;
   case NIR_OP_udot_4x8_uadd:
   case NIR_OP_udot_4x8_uadd_sat:
      *d = (struct dot){4, 8, {false, false}, op == NIR_OP_udot_4x8_uadd_sat, NIR_DOTS_4X8};
      return true;
   case NIR_OP_sudot_4x8_iadd:
   case NIR_OP_sudot_4x8_iadd_sat:
      *d = (struct dot){4, 8, {true, false}, op == NIR_OP_sudot_4x8_iadd_sat, NIR_DOTS_4X8_MIXED};
      return true;
   case NIR_OP_sdot_2x16_iadd:
   case NIR_OP_sdot_2x16_iadd_sat:
      *d = (struct dot){2, 16, {true, true}, op == NIR_OP_sdot_2x16_iadd_sat, NIR_DOTS_2X16};
      return true;
   case NIR_OP_udot_2x16_uadd:
   case NIR_OP_udot_2x16_uadd_sat:
      *d = (struct dot){2, 16, {false, false}, op == NIR_OP_udot_2x16_uadd_sat, NIR_DOTS_2X16};
      return true;
   default: /* others: no dot products of integers */
      return false;
   }
}

static struct nir_def *
part(struct nir_builder *b, struct nir_def *x, const struct dot *d, unsigned source, unsigned i)
{
   struct nir_def *offset = nir_imm_int(b, (int32_t)(i * d->bits)), *bits = nir_imm_int(b, d->bits);
   return d->is_signed[source] ? nir_ibitfield_extract(b, x, offset, bits)
                               : nir_ubitfield_extract(b, x, offset, bits);
}

/* Two products of 16 bits and what they are added to have more than 32 bits. */
static struct nir_def *
saturated_2x16(struct nir_builder *b, struct nir_def *const *src, const struct dot *d)
{
   struct nir_def *sum = d->is_signed[0] ? nir_i2i64(b, src[2]) : nir_u2u64(b, src[2]);
   for (unsigned i = 0; i < 2; i++) {
      struct nir_def *x = part(b, src[0], d, 0, i), *y = part(b, src[1], d, 1, i);
      sum = nir_iadd(b, sum, d->is_signed[0] ? nir_imul_2x32_64(b, x, y) : nir_umul_2x32_64(b, x, y));
   }
   if (d->is_signed[0])
      sum = nir_imax(b, nir_imin(b, sum, nir_imm_int64(b, INT32_MAX)), nir_imm_int64(b, INT32_MIN));
   else
      sum = nir_umin(b, sum, nir_imm_int64(b, UINT32_MAX));
   return nir_u2u32(b, sum);
}

static struct nir_def *
add_saturated(struct nir_builder *b, struct nir_def *x, struct nir_def *y, bool is_signed)
{
   struct nir_def *sum = nir_iadd(b, x, y);
   if (!is_signed)
      return nir_bcsel(b, nir_ult(b, sum, x), nir_imm_int(b, -1), sum);
   struct nir_def *over = nir_iand(b, nir_ixor(b, x, sum), nir_ixor(b, y, sum));
   struct nir_def *limit = nir_ixor(b, nir_ishr_imm(b, x, 31), nir_imm_int(b, INT32_MAX));
   return nir_bcsel(b, nir_ilt(b, over, nir_imm_int(b, 0)), limit, sum);
}

static void
lower(struct nir_shader *shader, struct nir_alu_instr *alu, const struct dot *d)
{
   struct nir_builder b = nir_builder_at(shader, nir_before_instr(&alu->instr));
   struct nir_def *results[NIR_MAX_COMPONENTS];
   for (unsigned c = 0; c < alu->def.num_components; c++) {
      struct nir_def *src[3], *sum = NULL;
      for (unsigned i = 0; i < 3; i++)
         src[i] = nir_channel(&b, alu->src[i].src.def, alu->src[i].swizzle[c]);
      if (d->saturates && d->bits == 16) {
         results[c] = saturated_2x16(&b, src, d);
         continue;
      }
      for (unsigned i = 0; i < d->count; i++) {
         struct nir_def *product = nir_imul(&b, part(&b, src[0], d, 0, i), part(&b, src[1], d, 1, i));
         sum = sum ? nir_iadd(&b, sum, product) : product;
      }
      results[c] = d->saturates ? add_saturated(&b, src[2], sum, d->is_signed[0]) : nir_iadd(&b, src[2], sum);
   }
   nir_def_replace(&alu->def, nir_vec(&b, results, alu->def.num_components));
   nir_instr_remove(&alu->instr);
}

bool
nir_lower_dots(struct nir_shader *shader, uint32_t kept)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         struct dot d;
         if (instr->type != NIR_INSTR_ALU || !dot_of(nir_as_alu(instr)->op, &d) || kept & d.kind)
            continue;
         lower(shader, nir_as_alu(instr), &d);
         progress = true;
      }
   }
   return progress;
}
