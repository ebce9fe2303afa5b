/* Texels and their residency codes, which are instructions of their own: hardware gives both at once. */
#ifndef INDIUM_NIR_RESIDENCY_H
#define INDIUM_NIR_RESIDENCY_H

#include "compiler/nir/nir.h"

/* The instruction after tex in its block that asks whether its texel is there; NULL: none, or tex asks itself. */
const struct nir_tex_instr *nir_residency_of_tex(const struct nir_tex_instr *tex);

/* The same of a load with its sources, indices of images and access: intrinsic `code`. */
const struct nir_intrinsic_instr *nir_residency_of_load(const struct nir_intrinsic_instr *load,
                                                        enum nir_intrinsic_op code);

#endif
