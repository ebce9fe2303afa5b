/* Matrices of 16x16 that the invocations of a subgroup hold together, as the products of AMD's GFX11 take them
 * ("RDNA3.5" ISA, 7.9). An invocation has some elements, and its number in the subgroup says which. Those of A are a
 * row, those of B a column, and each 16 invocations have all of them: they must hold the same. Of C and of the result
 * each element is there once.
 *
 * matrix_multiply_add takes elements from the low bits on, as components of 64 bits: of A and B without gaps, of C
 * and the result one in each 32 bits, of which elements of 16 bits have the lower half; the upper half of the result
 * is undefined. All invocations of the subgroup must be active. Floats: the order of sums and their roundings are the
 * hardware's. */
#ifndef INDIUM_NIR_MATRIX_H
#define INDIUM_NIR_MATRIX_H

#include "compiler/nir/nir_intrinsics.h"

enum { NIR_MATRIX_SIDE = 16 };

enum nir_matrix_use {
   NIR_MATRIX_A,
   NIR_MATRIX_B,
   NIR_MATRIX_C,
   NIR_MATRIX_USES,
};

/* A row or column: the sum of invocation % 16, invocation / 16 and the element's number, with these factors. */
struct nir_matrix_axis {
   unsigned by_low, by_high, by_element;
};

struct nir_matrix_place {
   struct nir_matrix_axis row, column;
};

static inline struct nir_matrix_place
nir_matrix_place(enum nir_matrix_use use, unsigned subgroup_size)
{
   const struct nir_matrix_axis low = {.by_low = 1}, element = {.by_element = 1};
   const struct nir_matrix_axis both = {.by_high = 1, .by_element = subgroup_size / NIR_MATRIX_SIDE};
   return (struct nir_matrix_place){.row = use == NIR_MATRIX_C   ? both
                                           : use == NIR_MATRIX_A ? low
                                                                 : element,
                                    .column = use == NIR_MATRIX_A ? element : low};
}

static inline unsigned
nir_matrix_at(const struct nir_matrix_axis *axis, unsigned invocation, unsigned element)
{
   return axis->by_low * (invocation % NIR_MATRIX_SIDE) + axis->by_high * (invocation / NIR_MATRIX_SIDE) +
          axis->by_element * element;
}

/* How many elements an invocation has. */
static inline unsigned
nir_matrix_length(enum nir_matrix_use use, unsigned subgroup_size)
{
   return use == NIR_MATRIX_C ? NIR_MATRIX_SIDE * NIR_MATRIX_SIDE / subgroup_size : NIR_MATRIX_SIDE;
}

/* Of an element of A and B. */
static inline unsigned
nir_matrix_factor_bits(enum nir_matrix_op op)
{
   return op == NIR_MATRIX_I32_I8 ? 8 : 16;
}

#endif
