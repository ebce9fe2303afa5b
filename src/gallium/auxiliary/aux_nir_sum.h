/* Sums of floats that do not depend on the order: an average of samples must not depend on which of them have a
 * value, and where it lies between two values of the format, rounding makes much of a last bit. */
#ifndef INDIUM_AUX_NIR_SUM_H
#define INDIUM_AUX_NIR_SUM_H

#include "compiler/nir/nir_builder.h"

struct aux_sum {
   struct nir_def *rounded, *lost; /* lost: what the roundings have left out, at first 0 */
};

/* One more number, of as many components and bits. Source: Knuth, TAOCP 2, 4.2.2 (a sum of two numbers and its
 * error). */
struct aux_sum aux_nir_add(struct nir_builder *b, struct aux_sum sum, struct nir_def *number);

/* All of it, rounded once; of infinities and NaN, what additions in turn give. */
struct nir_def *aux_nir_sum(struct nir_builder *b, struct aux_sum sum);

#endif
