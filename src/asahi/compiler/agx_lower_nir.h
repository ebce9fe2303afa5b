/* What the instruction set lacks, in nir. A file a concern; agx_lower_nir() calls them in order. */
#ifndef INDIUM_AGX_LOWER_NIR_H
#define INDIUM_AGX_LOWER_NIR_H

#include "asahi/compiler/agx.h"
#include "compiler/nir/nir_builder.h"

/* What stands for an instruction, of the same shape, or NULL: it stays. src: its sources, swizzled. */
typedef struct nir_def *agx_alu_lowering(struct nir_builder *b, const struct nir_alu_instr *alu,
                                         struct nir_def *const *src);

/* True: the instruction was replaced. */
typedef bool agx_intrinsic_lowering(struct nir_builder *b, struct nir_intrinsic_instr *intr,
                                    const struct agx_options *options);
bool agx_lower_each_intrinsic(struct nir_shader *nir, agx_intrinsic_lowering *lower,
                              const struct agx_options *options);
/* Its value is that from here on. */
bool agx_replace_intrinsic(struct nir_intrinsic_instr *intr, struct nir_def *by);

agx_alu_lowering agx_lower_float_op; /* classes, scaling, packing, bit fields */
agx_alu_lowering agx_lower_half_op;  /* divisions and powers of halves, whose steps need the range of 32 bits */
agx_alu_lowering agx_lower_small_op; /* 8 bits become 16 */
agx_alu_lowering agx_lower_int64_op; /* 64 bits become pairs, but for sums and products of 32 bits */

/* Other orders of products; changes nothing else. */
agx_alu_lowering agx_lower_product_op;
bool agx_is_product(enum nir_op op);

/* Buffers become addresses with an index and bounds; atomics of floats become loops. */
bool agx_lower_nir_memory(struct nir_shader *nir, const struct agx_options *options);
/* System values that others or constants say. */
bool agx_lower_nir_system(struct nir_shader *nir, const struct agx_options *options);
/* Operations between threads that the hardware does not have. */
bool agx_lower_nir_subgroup(struct nir_shader *nir, const struct agx_options *options);

#endif
