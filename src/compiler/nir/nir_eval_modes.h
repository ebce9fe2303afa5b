/* Opcodes in the float modes that a shader asks for. */
#ifndef INDIUM_NIR_EVAL_MODES_H
#define INDIUM_NIR_EVAL_MODES_H

#include "compiler/nir/nir.h"

/* bits: the size of unsized types. */
struct nir_eval {
   enum nir_op op;
   unsigned num_components, bits, dest_bits;
};

/* nir_eval_alu() with denormals and rounding by `controls` (nir_shader_info.float_controls). */
void nir_eval_modes(unsigned controls, const struct nir_eval *e, union nir_const_value *dst,
                    const union nir_const_value *const *srcs);

#endif
