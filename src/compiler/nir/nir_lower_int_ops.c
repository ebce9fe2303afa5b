/* Integer opcodes of 8, 16 and 32 bits in terms of simpler ones of 32 bits. */
#include "compiler/nir/nir_lower_alu_internal.h"

static struct nir_def *
field_mask(struct nir_builder *b, struct nir_def *bits)
{
   struct nir_def *mask = nir_iadd_imm(b, nir_ishl(b, nir_imm_int(b, 1), bits), -1);
   return nir_bcsel(b, nir_uge_imm(b, bits, 32), nir_imm_int(b, -1), mask);
}

static struct nir_def *
lower_bitfield(struct nir_builder *b, enum nir_op op, struct nir_def **src)
{
   if (op == NIR_OP_bitfield_insert) {
      struct nir_def *mask = nir_ishl(b, field_mask(b, src[3]), src[2]);
      struct nir_def *insert = nir_iand(b, nir_ishl(b, src[1], src[2]), mask);
      return nir_ior(b, nir_iand(b, src[0], nir_inot(b, mask)), insert);
   }
   struct nir_def *shifted = nir_ushr(b, src[0], src[1]);
   if (op == NIR_OP_ubitfield_extract)
      return nir_iand(b, shifted, field_mask(b, src[2]));
   /* The field up to the top, and down with its sign; a field of no bits is 0. */
   struct nir_def *unused = nir_isub(b, nir_imm_int(b, 32), src[2]);
   struct nir_def *field = nir_ishr(b, nir_ishl(b, shifted, unused), unused);
   return nir_bcsel(b, nir_ieq_imm(b, src[2], 0), nir_imm_int(b, 0), field);
}

/* The opcode at 32 bits on extended sources; the result cut. */
static struct nir_def *
widen(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def **src, unsigned bits)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   struct nir_def *wide[4] = {};
   for (unsigned i = 0; i < info->num_srcs; i++) {
      wide[i] = src[i];
      if (!info->src_bits[i])
         wide[i] = info->src_base[i] == NIR_TYPE_INT ? nir_i2i32(b, src[i]) : nir_u2u32(b, src[i]);
   }
   if (alu->op == NIR_OP_uadd_carry)
      return nir_u2uN(b, nir_ushr_imm(b, nir_iadd(b, wide[0], wide[1]), bits), bits);
   if (alu->op == NIR_OP_ishl || alu->op == NIR_OP_ishr || alu->op == NIR_OP_ushr)
      wide[1] = nir_iand_imm(b, wide[1], bits - 1);
   struct nir_def *result = nir_build_alu(b, alu->op, wide[0], wide[1], wide[2], wide[3]);
   return info->dest_bits ? result : nir_u2uN(b, result, bits);
}

/* Size of the unsized integer operands if the opcode computes on integers of less than 32 bits, else 0. */
static unsigned
small_bits(const struct nir_alu_instr *alu)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   if (alu->op <= NIR_OP_bcsel || !info->bit_sizes || (info->bit_sizes & 32 && info->flags & NIR_OP_FLAG_CONVERSION &&
                                                       info->dest_base != NIR_TYPE_FLOAT))
      return 0;
   for (unsigned i = 0; i < info->num_srcs; i++) {
      bool integer = info->src_base[i] == NIR_TYPE_INT || info->src_base[i] == NIR_TYPE_UINT;
      unsigned bits = alu->src[i].src.def->bit_size;
      if (!info->src_bits[i] && integer && (bits == 8 || bits == 16))
         return bits;
   }
   return 0;
}

static struct nir_def *
float_to_small(struct nir_builder *b, enum nir_op op, struct nir_def *x)
{
   int32_t high = op == NIR_OP_f2i8 ? 127 : 32767;
   switch ((int)op) {
   case NIR_OP_f2i8:
   case NIR_OP_f2i16: {
      struct nir_def *low = nir_imax(b, nir_f2i32(b, x), nir_imm_int(b, -high - 1));
      return nir_i2iN(b, nir_imin(b, low, nir_imm_int(b, high)), op == NIR_OP_f2i8 ? 8 : 16);
   }
   case NIR_OP_f2u8:
      return nir_u2u8(b, nir_umin_imm(b, nir_f2u32(b, x), 255));
   case NIR_OP_f2u16:
      return nir_u2u16(b, nir_umin_imm(b, nir_f2u32(b, x), 65535));
   default:
      return NULL;
   }
}

static struct nir_def *
lower_imul_2x32_64(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def **src)
{
   struct nir_def *low = nir_imul(b, src[0], src[1]);
   struct nir_def *high = alu->op == NIR_OP_imul_2x32_64 ? nir_imul_high(b, src[0], src[1])
                                                         : nir_umul_high(b, src[0], src[1]);
   struct nir_def *channels[NIR_MAX_COMPONENTS];
   for (unsigned c = 0; c < alu->def.num_components; c++) {
      struct nir_def *pair[2] = {nir_channel(b, low, c), nir_channel(b, high, c)};
      channels[c] = nir_pack_64_2x32(b, nir_vec(b, pair, 2));
   }
   return nir_vec(b, channels, alu->def.num_components);
}

struct nir_def *
nir_lower_int_op(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def **src,
                 const struct nir_lower_options *options)
{
   switch ((int)alu->op) {
   case NIR_OP_isub:
      if (options->isub)
         return nir_iadd(b, src[0], nir_ineg(b, src[1]));
      break;
   case NIR_OP_imul_2x32_64:
   case NIR_OP_umul_2x32_64:
      return options->imul_2x32_64 ? lower_imul_2x32_64(b, alu, src) : NULL;
   case NIR_OP_bitfield_insert:
   case NIR_OP_ubitfield_extract:
   case NIR_OP_ibitfield_extract:
      return options->bitfield ? lower_bitfield(b, alu->op, src) : NULL;
   case NIR_OP_f2i8:
   case NIR_OP_f2i16:
   case NIR_OP_f2u8:
   case NIR_OP_f2u16:
      return options->small_int ? float_to_small(b, alu->op, src[0]) : NULL;
   default:
      break;
   }
   unsigned bits = options->small_int ? small_bits(alu) : 0;
   return bits ? widen(b, alu, src, bits) : NULL;
}
