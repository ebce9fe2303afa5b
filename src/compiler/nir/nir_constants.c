/* Constants of sources. */
#include "compiler/nir/nir.h"

#include "util/half.h"

bool
nir_src_is_const(struct nir_src src)
{
   return src.def->parent->type == NIR_INSTR_LOAD_CONST;
}

uint64_t
nir_src_comp_as_uint(struct nir_src src, unsigned component)
{
   assert(nir_src_is_const(src) && component < src.def->num_components);
   return nir_as_load_const(src.def->parent)->value[component].u64;
}

double
nir_const_as_float(union nir_const_value value, unsigned bit_size)
{
   if (bit_size == 16)
      return half_to_float(value.u16);
   return bit_size == 32 ? value.f32 : value.f64;
}
