/* Parts of nir_lower_alu_ops: each returns the value that replaces the instruction, or NULL. */
#ifndef INDIUM_NIR_LOWER_ALU_INTERNAL_H
#define INDIUM_NIR_LOWER_ALU_INTERNAL_H

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

/* src: the sources with their swizzles applied. */
struct nir_def *nir_lower_float_op(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def **src,
                                   const struct nir_lower_options *options);
struct nir_def *nir_lower_pack_op(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def **src,
                                  const struct nir_lower_options *options);
struct nir_def *nir_lower_int_op(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def **src,
                                 const struct nir_lower_options *options);
struct nir_def *nir_lower_division(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def **src,
                                   const struct nir_lower_options *options);
struct nir_def *nir_lower_int64_op(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def **src,
                                   const struct nir_lower_options *options);

#endif
