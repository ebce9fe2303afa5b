/* Opcodes in the float modes that a shader asks for (nir_shader_info.float_controls). */
#include "compiler/nir/nir_eval_modes.h"

#include <fenv.h>

#include "util/macros.h"

static bool
asks(unsigned controls, enum nir_float_control control, unsigned bits)
{
   return bits >= 16 && controls & NIR_FLOAT_CONTROL(control, bits);
}

static union nir_const_value
flushed(union nir_const_value value, unsigned bits)
{
   const unsigned mantissa = bits == 16 ? 10 : bits == 32 ? 23 : 52;
   const uint64_t sign = UINT64_C(1) << (bits - 1), exponent = (sign - 1) & ~bit_mask(mantissa);
   if (!(value.u64 & exponent))
      value.u64 &= sign;
   return value;
}

/* A half that is rounded towards zero: by way of 32 bits, which are rounded so, too. */
static void
half_to_zero(const struct nir_eval *e, union nir_const_value *dst, const union nir_const_value *const *srcs)
{
   const struct nir_op_info *info = &nir_op_infos[e->op];
   union nir_const_value wide[4][NIR_MAX_COMPONENTS], result[NIR_MAX_COMPONENTS] = {0};
   const union nir_const_value *sources[4] = {wide[0], wide[1], wide[2], wide[3]};
   const union nir_const_value *const results[1] = {result};
   enum nir_op op = e->op == NIR_OP_i2f16 ? NIR_OP_i2f32 : e->op == NIR_OP_u2f16 ? NIR_OP_u2f32 : e->op;
   if (op == NIR_OP_f2f16 || op == NIR_OP_f2f16_rtz) {
      nir_eval_alu(NIR_OP_f2f16_rtz, e->num_components, e->bits, dst, srcs);
      return;
   }
   for (unsigned i = 0; i < info->num_srcs; i++) {
      const bool is_half = info->src_base[i] == NIR_TYPE_FLOAT && !info->src_bits[i];
      const unsigned count = info->src_components[i] ? info->src_components[i] : e->num_components;
      for (unsigned c = 0; c < count; c++) {
         wide[i][c] = srcs[i][c];
         const union nir_const_value *const one[1] = {&srcs[i][c]};
         if (is_half)
            nir_eval_alu(NIR_OP_f2f32, 1, 16, &wide[i][c], one);
      }
   }
   nir_eval_alu(op, e->num_components, op == e->op ? 32 : e->bits, result, sources);
   nir_eval_alu(NIR_OP_f2f16_rtz, e->num_components, 32, dst, results);
}

/* Halves in a word are halves all the same. */
static bool
halves_of_word(unsigned controls, const struct nir_eval *e, union nir_const_value *dst,
               const union nir_const_value *const *srcs)
{
   const bool pack = e->op == NIR_OP_pack_half_2x16;
   union nir_const_value parts[2];
   if (!pack && e->op != NIR_OP_unpack_half_2x16)
      return false;
   for (unsigned i = 0; i < 2; i++) {
      const union nir_const_value half = {.u64 = pack ? 0 : srcs[0]->u32 >> (16 * i) & 0xffff};
      const union nir_const_value *const one[1] = {pack ? &srcs[0][i] : &half};
      const struct nir_eval conversion =
         pack ? (struct nir_eval){NIR_OP_f2f16, 1, 32, 16} : (struct nir_eval){NIR_OP_f2f32, 1, 16, 32};
      nir_eval_modes(controls, &conversion, &parts[i], one);
   }
   if (pack) {
      dst->u64 = parts[0].u16 | (uint32_t)parts[1].u16 << 16;
   } else {
      dst[0] = parts[0];
      dst[1] = parts[1];
   }
   return true;
}

void
nir_eval_modes(unsigned controls, const struct nir_eval *e, union nir_const_value *dst,
               const union nir_const_value *const *srcs)
{
   const struct nir_op_info *info = &nir_op_infos[e->op];
   union nir_const_value values[4][NIR_MAX_COMPONENTS];
   const union nir_const_value *own[4] = {values[0], values[1], values[2], values[3]};
   const bool is_float = info->dest_base == NIR_TYPE_FLOAT;
   if (e->op != NIR_OP_f2f16_rtz && info->flags & NIR_OP_FLAG_CONVERSION && is_float &&
       info->src_base[0] == NIR_TYPE_FLOAT && e->bits == e->dest_bits) {
      nir_eval_alu(e->op, e->num_components, e->bits, dst, srcs); /* a move */
      return;
   }
   if (halves_of_word(controls, e, dst, srcs))
      return;
   for (unsigned i = 0; i < info->num_srcs; i++) {
      const unsigned bits = info->src_bits[i] ? info->src_bits[i] : e->bits;
      const bool flush = info->src_base[i] == NIR_TYPE_FLOAT && asks(controls, NIR_FLOAT_FLUSH, bits);
      const unsigned count = info->src_components[i] ? info->src_components[i] : e->num_components;
      for (unsigned c = 0; c < count; c++)
         values[i][c] = flush ? flushed(srcs[i][c], bits) : srcs[i][c];
   }
   const bool to_zero = is_float && e->op != NIR_OP_fround_even && asks(controls, NIR_FLOAT_TO_ZERO, e->dest_bits);
   /* A sign is no arithmetic. */
   const bool half =
      to_zero && e->dest_bits == 16 && e->op != NIR_OP_fneg && e->op != NIR_OP_fabs && e->op != NIR_OP_b2f16;
   fesetround(to_zero ? FE_TOWARDZERO : FE_TONEAREST);
   if (half)
      half_to_zero(e, dst, own);
   else
      nir_eval_alu(e->op, e->num_components, e->bits, dst, own);
   fesetround(FE_TONEAREST);
   for (unsigned c = 0; is_float && asks(controls, NIR_FLOAT_FLUSH, e->dest_bits) && c < e->num_components; c++)
      dst[c] = flushed(dst[c], e->dest_bits);
}
