/* Selection of conversions and packing. Of 64 bits are left: extension to them, and halves. */
#include "asahi/compiler/agx_select.h"

#define SRC(n) sel_alu_src(c, alu, n, i)

/* Bits of the result that is meant: the lowest 8 of a register. */
static struct agx_ref
extend(struct sel *c, struct nir_alu_instr *alu, unsigned i, bool is_signed)
{
   struct agx_builder *b = &c->b;
   struct agx_ref x = SRC(0);
   const unsigned from = alu->src[0].src.def->bit_size, to = alu->def.bit_size, size = sel_size(&alu->def);
   if (to <= from || to <= 8) { /* cut */
      while (x.size > size)
         x = sel_low(c, x);
      return x;
   }
   if (from == 8) {
      if (!is_signed)
         return size == 64 ? agx_iadd(b, 64, agx_and(b, 16, x, agx_imm(0xff)), agx_imm(0))
                           : agx_and(b, size, x, agx_imm(0xff));
      const struct agx_ref high = agx_shl(b, 16, x, agx_imm(8));
      const struct agx_ref wide = agx_iadd(b, 32, agx_imm(0), agx_sext(high));
      const struct agx_ref value = agx_asr(b, size == 16 ? 16 : 32, wide, agx_imm(8), agx_imm(0));
      return size == 64 ? agx_iadd(b, 64, agx_imm(0), agx_sext(value)) : value;
   }
   if (!is_signed)
      return size == 64 && from == 32 ? sel_pack64(c, x, sel_imm(c, 32, 0)) : agx_iadd(b, size, agx_imm(0), x);
   return agx_iadd(b, size, agx_imm(0), agx_sext(x));
}

static struct agx_ref
from_bool(struct sel *c, struct nir_alu_instr *alu, unsigned i, bool is_float)
{
   const unsigned size = sel_size(&alu->def);
   struct sel_condition cond = sel_condition(c, &alu->src[0].src, alu->src[0].swizzle[i]);
   const bool plain = !cond.is_float && cond.code == AGX_ICOND_INE && cond.a.size == 16 &&
                      alu->src[0].src.def->parent->type != NIR_INSTR_ALU;
   if (is_float) {
      struct agx_ref one = sel_imm(c, size, size == 16 ? 0x3c00 : 0x3f800000);
      return sel_csel(c, size, &cond, one, agx_imm(0));
   }
   if (size == 64)
      return sel_pack64(c, sel_csel(c, 32, &cond, agx_imm(1), agx_imm(0)), sel_imm(c, 32, 0));
   if (plain)
      return size == 16 ? SRC(0) : agx_iadd(&c->b, size, agx_imm(0), SRC(0));
   return sel_csel(c, size, &cond, agx_imm(1), agx_imm(0));
}

static struct agx_ref
to_float(struct sel *c, struct nir_alu_instr *alu, unsigned i, bool is_signed)
{
   const struct nir_alu_instr *wide = sel_alu_of(c, alu->src[0].src.def);
   const enum nir_op widens = is_signed ? NIR_OP_i2i32 : NIR_OP_u2u32;
   struct agx_ref x = SRC(0), result;
   struct agx_builder *b = &c->b;
   const unsigned size = alu->def.bit_size;
   if (wide && wide->op == widens && wide->src[0].src.def->bit_size == 16)
      x = sel_alu_src(c, wide, 0, alu->src[0].swizzle[i]);
   if (x.size == 16)
      result = is_signed ? agx_s16_to_f(b, size, x) : agx_u16_to_f(b, size, x);
   else
      result = is_signed ? agx_s32_to_f(b, size, x) : agx_u32_to_f(b, size, x);
   b->last->mod.round = AGX_ROUND_RTE;
   return result;
}

static struct agx_ref
to_int(struct sel *c, struct nir_alu_instr *alu, unsigned i, bool is_signed)
{
   const struct agx_ref x = SRC(0);
   struct agx_builder *b = &c->b;
   struct agx_ref result;
   if (alu->def.bit_size == 16)
      result = is_signed ? agx_f_to_s16(b, 16, x) : agx_f_to_u16(b, 16, x);
   else
      result = is_signed ? agx_f_to_s32(b, 32, x) : agx_f_to_u32(b, 32, x);
   b->last->mod.round = AGX_ROUND_RTZ;
   return result;
}

static struct agx_ref
pack(struct sel *c, struct nir_alu_instr *alu)
{
   struct agx_ref parts[2];
   for (unsigned i = 0; i < 2; i++) {
      parts[i] = alu->op == NIR_OP_pack_half_2x16
                    ? agx_fadd(&c->b, 16, sel_float_src(c, alu, 0, i), agx_fimm(AGX_FIMM_NEG_ZERO))
                    : sel_alu_src(c, alu, 0, i);
   }
   return agx_build_collect(&c->b, alu->def.bit_size, 1, parts, 2);
}

static void
unpack(struct sel *c, struct nir_alu_instr *alu)
{
   struct agx_ref parts[2];
   const struct agx_ref x = sel_alu_src(c, alu, 0, 0);
   agx_build_split(&c->b, x, x.size / 2, parts, 2);
   for (unsigned i = 0; i < 2; i++) {
      if (alu->op == NIR_OP_unpack_half_2x16)
         parts[i] = agx_fadd(&c->b, 32, parts[i], agx_fimm(AGX_FIMM_NEG_ZERO));
      sel_set(c, &alu->def, i, parts[i]);
   }
}

static struct agx_ref
component(struct sel *c, struct nir_alu_instr *alu, unsigned i)
{
   /* size: a flat switch */
   const unsigned from = alu->src[0].src.def->bit_size;
   switch ((int)alu->op) {
   case NIR_OP_f2f16:
   case NIR_OP_f2f32:
      if (from == 64)
         break;
      return agx_fadd(&c->b, alu->def.bit_size, sel_float_src(c, alu, 0, i), agx_fimm(AGX_FIMM_NEG_ZERO));
   case NIR_OP_f2i16:
   case NIR_OP_f2i32:
      return from == 64 ? agx_none() : to_int(c, alu, i, true);
   case NIR_OP_f2u16:
   case NIR_OP_f2u32:
      return from == 64 ? agx_none() : to_int(c, alu, i, false);
   case NIR_OP_i2f16:
   case NIR_OP_i2f32:
      return from == 64 || from == 8 ? agx_none() : to_float(c, alu, i, true);
   case NIR_OP_u2f16:
   case NIR_OP_u2f32:
      return from == 64 || from == 8 ? agx_none() : to_float(c, alu, i, false);
   case NIR_OP_i2i8:
   case NIR_OP_i2i16:
   case NIR_OP_i2i32:
   case NIR_OP_i2i64:
      return extend(c, alu, i, true);
   case NIR_OP_u2u8:
   case NIR_OP_u2u16:
   case NIR_OP_u2u32:
   case NIR_OP_u2u64:
      return extend(c, alu, i, false);
   case NIR_OP_b2f16:
   case NIR_OP_b2f32:
      return from_bool(c, alu, i, true);
   case NIR_OP_b2i8:
   case NIR_OP_b2i16:
   case NIR_OP_b2i32:
   case NIR_OP_b2i64:
      return from_bool(c, alu, i, false);
   case NIR_OP_pack_half_2x16:
   case NIR_OP_pack_32_2x16:
   case NIR_OP_pack_64_2x32:
      return pack(c, alu);
   default: /* others: no conversions */
      break;
   }
   return agx_none();
}

bool
sel_alu_convert(struct sel *c, struct nir_alu_instr *alu)
{
   if (alu->op == NIR_OP_unpack_half_2x16 || alu->op == NIR_OP_unpack_32_2x16 || alu->op == NIR_OP_unpack_64_2x32) {
      unpack(c, alu);
      return true;
   }
   for (unsigned i = 0; i < alu->def.num_components; i++) {
      const struct agx_ref result = component(c, alu, i);
      if (result.kind == AGX_NONE)
         return false;
      sel_set(c, &alu->def, i, result);
   }
   return true;
}
