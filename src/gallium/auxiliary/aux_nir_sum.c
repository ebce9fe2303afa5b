#include "gallium/auxiliary/aux_nir_sum.h"

struct aux_sum
aux_nir_add(struct nir_builder *b, struct aux_sum sum, struct nir_def *number)
{
   const bool exact = b->exact;

   b->exact = true;
   struct nir_def *rounded = nir_fadd(b, sum.rounded, number), *added = nir_fsub(b, rounded, sum.rounded);
   struct nir_def *lost =
      nir_fadd(b, nir_fsub(b, sum.rounded, nir_fsub(b, rounded, added)), nir_fsub(b, number, added));
   const struct aux_sum out = {rounded, nir_fadd(b, sum.lost, lost)};

   b->exact = exact;
   return out;
}

struct nir_def *
aux_nir_sum(struct nir_builder *b, struct aux_sum sum)
{
   const bool exact = b->exact;

   b->exact = true;
   struct nir_def *is_number = nir_feq(b, sum.lost, sum.lost); /* infinities lose NaN */
   struct nir_def *out = nir_bcsel(b, is_number, nir_fadd(b, sum.rounded, sum.lost), sum.rounded);

   b->exact = exact;
   return out;
}
