#include "compiler/nir/nir_builder.h"
#include "util/format.h"
#include "util/macros.h"

/* Small floats have the exponent of halves, and fewer bits below. */
static struct nir_def *
small_float(struct nir_builder *b, struct nir_def *bits, unsigned count)
{
   const unsigned missing = count < 15 ? 15 - count : 0; /* without a sign */
   struct nir_def *half = nir_u2uN(b, missing ? nir_ishl_imm(b, bits, missing) : bits, 16);

   return nir_f2fN(b, half, 32);
}

static struct nir_def *
convert(struct nir_builder *b, struct nir_def *value, unsigned bits, enum format_numeric numeric)
{
   struct nir_def *sign =
      bits < 32 ? nir_ishr_imm(b, nir_ishl_imm(b, value, 32 - bits), 32 - bits) : value; /* extended */
   double most = (double)bit_mask(bits), signed_most = (double)bit_mask(bits - 1);

   switch (numeric) {
   case FORMAT_UNORM:
      return nir_fmul_imm(b, nir_u2fN(b, value, 32), 1.0 / most);
   case FORMAT_SNORM:
      return nir_fmax(b, nir_fmul_imm(b, nir_i2fN(b, sign, 32), 1.0 / signed_most), nir_imm_float(b, -1));
   case FORMAT_USCALED:
      return nir_u2fN(b, value, 32);
   case FORMAT_SSCALED:
      return nir_i2fN(b, sign, 32);
   case FORMAT_SINT:
      return sign;
   case FORMAT_UFLOAT:
   case FORMAT_SFLOAT:
      return bits < 32 ? small_float(b, value, bits) : value;
   case FORMAT_UINT:
   case FORMAT_VOID:
   case FORMAT_SRGB:
   case FORMAT_FIXED:
      break;
   }
   return value;
}

struct nir_def *
nir_unpack_component(struct nir_builder *b, struct nir_def *word, unsigned shift,
                     const struct format_component *component)
{
   struct nir_def *bits = shift ? nir_ushr_imm(b, word, shift) : word;

   if (shift + component->bits < 32)
      bits = nir_iand_imm(b, bits, bit_mask(component->bits));
   return convert(b, bits, component->bits, (enum format_numeric)component->numeric);
}
