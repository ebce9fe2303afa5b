/* The part of nir_lower_alu_ops() that is about integers. */
#ifndef INDIUM_NIR_LOWER_DIVISION_H
#define INDIUM_NIR_LOWER_DIVISION_H

#include "compiler/nir/nir_builder.h"

/* n op d by other opcodes at the cursor, which ends in another block for 64 bits. op: udiv, umod, idiv, irem or imod.
 * n, d: integers of equal shape. */
struct nir_def *nir_lower_division(struct nir_builder *b, enum nir_op op, struct nir_def *n, struct nir_def *d);

#endif
