/* What sampled and storage images share: optional operands and coordinates. */
#ifndef INDIUM_SPIRV_IMAGE_H
#define INDIUM_SPIRV_IMAGE_H

#include "compiler/spirv/spirv_emit.h"

struct spirv_image_operands {
   uint32_t mask;                                                      /* SpvImageOperandsMask bits */
   uint32_t access;                                                    /* enum nir_access bits */
   struct nir_def *bias, *lod, *ddx, *ddy, *offset, *sample, *min_lod; /* NULL if absent */
   const struct spirv_type *lod_type;
   const struct spirv_constant *offsets;
};

/* The operands from word `at` of the instruction, none if it ends before; fails on bits not in `allowed`. */
struct spirv_image_operands spirv_image_operands(struct spirv_emit *e, const uint32_t *w, uint32_t at,
                                                 uint32_t allowed);
/* OpImageSparse*, which gives a residency code besides the texel; the instruction that gives only the texel. */
bool spirv_is_sparse(const uint32_t *w);
uint32_t spirv_dense_opcode(const uint32_t *w);

/* The type of the texel that is the result of w, or in it; the result, with the code of a sparse instruction. */
const struct spirv_type *spirv_texel_type(struct spirv_emit *e, const uint32_t *w);
void spirv_set_texel(struct spirv_emit *e, const uint32_t *w, struct nir_def *texel, struct nir_def *code);

/* Components of a coordinate, without layer. */
unsigned spirv_dim_components(enum nir_image_dim dim);

/* The atomic of w on a texel: op as for memory. compare is NULL but for compare-exchange. */
struct nir_def *spirv_image_atomic(struct spirv_emit *e, const struct spirv_pointer *texel, enum nir_atomic_op op,
                                   struct nir_def *compare, struct nir_def *data, uint32_t access);
struct nir_def *spirv_image_load_texel(struct spirv_emit *e, const struct spirv_pointer *texel, uint32_t access);
void spirv_image_store_texel(struct spirv_emit *e, const struct spirv_pointer *texel, struct nir_def *value,
                             uint32_t access);

#endif
