/* 8 bits become 16: sources are extended as the opcode's types say, and the result is cut. */
#include "asahi/compiler/agx_lower_nir.h"

static bool
has_small_source(const struct nir_alu_instr *alu)
{
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_srcs; i++) {
      if (alu->src[i].src.def->bit_size == 8)
         return true;
   }
   return false;
}

/* Those that selection takes with 8 bits. */
static bool
is_native(enum nir_op op)
{
   switch ((int)op) {
   case NIR_OP_mov:
   case NIR_OP_vec2:
   case NIR_OP_vec3:
   case NIR_OP_vec4:
   case NIR_OP_bcsel:
   case NIR_OP_i2i8:
   case NIR_OP_i2i16:
   case NIR_OP_i2i32:
   case NIR_OP_i2i64:
   case NIR_OP_u2u8:
   case NIR_OP_u2u16:
   case NIR_OP_u2u32:
   case NIR_OP_u2u64:
   case NIR_OP_b2i8:
      return true;
   default: /* others: widened */
      return false;
   }
}

static struct nir_def *
float_to_small(struct nir_builder *b, struct nir_def *x, bool is_signed)
{
   if (!is_signed)
      return nir_u2u8(b, nir_umin(b, nir_f2u32(b, x), nir_imm_int(b, 255)));
   struct nir_def *value = nir_imin(b, nir_f2i32(b, x), nir_imm_int(b, 127));
   return nir_i2i8(b, nir_imax(b, value, nir_imm_int(b, -128)));
}

struct nir_def *
agx_lower_small_op(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def *const *src)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   struct nir_def *wide[4] = {NULL};
   if ((alu->def.bit_size != 8 && !has_small_source(alu)) || is_native(alu->op))
      return NULL;
   if (alu->op == NIR_OP_f2i8 || alu->op == NIR_OP_f2u8)
      return float_to_small(b, src[0], alu->op == NIR_OP_f2i8);
   for (unsigned i = 0; i < info->num_srcs; i++) {
      const bool is_signed = info->src_base[i] == NIR_TYPE_INT;
      wide[i] = src[i]->bit_size != 8 ? src[i] : is_signed ? nir_i2i16(b, src[i]) : nir_u2u16(b, src[i]);
   }
   if (alu->op == NIR_OP_ishl || alu->op == NIR_OP_ishr || alu->op == NIR_OP_ushr)
      wide[1] = nir_iand_imm(b, wide[1], 7);
   if (alu->op == NIR_OP_uadd_carry)
      return nir_u2u8(b, nir_ushr_imm(b, nir_iadd(b, wide[0], wide[1]), 8));
   struct nir_def *result = nir_build_alu(b, alu->op, wide[0], wide[1], wide[2], wide[3]);
   return alu->def.bit_size == 8 ? nir_u2u8(b, result) : result;
}
