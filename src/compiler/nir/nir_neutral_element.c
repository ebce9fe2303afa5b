#include "compiler/nir/nir_neutral_element.h"

#include "util/macros.h"

bool
nir_neutral_element(enum nir_op op, unsigned bits, union nir_const_value *value)
{
   const uint64_t sign = UINT64_C(1) << (bits - 1);
   const uint64_t one = bits == 16 ? 0x3c00 : bits == 32 ? 0x3f800000 : double_bits(1);
   const uint64_t infinity = bits == 16 ? 0x7c00 : bits == 32 ? 0x7f800000 : UINT64_C(0x7ff0000000000000);
   *value = (union nir_const_value){.u64 = 0}; /* {} clears only the first member */
   switch ((int)op) {
   case NIR_OP_iadd:
   case NIR_OP_ior:
   case NIR_OP_ixor:
   case NIR_OP_umax:
      return true;
   case NIR_OP_fadd: /* -0 */
   case NIR_OP_imax:
      value->u64 = sign;
      return true;
   case NIR_OP_imul:
      value->u64 = 1;
      return true;
   case NIR_OP_fmul:
      value->u64 = one;
      return true;
   case NIR_OP_iand:
   case NIR_OP_umin:
      value->u64 = bit_mask(bits);
      return true;
   case NIR_OP_imin:
      value->u64 = bit_mask(bits) >> 1;
      return true;
   case NIR_OP_fmin:
      value->u64 = infinity;
      return true;
   case NIR_OP_fmax:
      value->u64 = infinity | sign;
      return true;
   default: /* others: without a neutral element */
      return false;
   }
}
