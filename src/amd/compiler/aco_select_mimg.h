/* Internal to the selection of texturing and images. */
#ifndef INDIUM_ACO_SELECT_MIMG_H
#define INDIUM_ACO_SELECT_MIMG_H

#include "amd/compiler/aco_select.h"

/* Values of the dim field: RDNA 2 ISA, "MIMG", DIM. */
unsigned isel_dim_code(enum nir_image_dim dim, bool array);
/* Coordinates of a texel, layers included, samples not. */
unsigned isel_coord_count(enum nir_image_dim dim, bool array);
/* Makes two coordinates of one where the generation has no images of one dimension; returns how many there are. */
unsigned isel_flatten_1d(const struct isel *c, enum nir_image_dim dim, struct aco_operand *texel, unsigned count);

/* Highest component of a value that is read, plus one. */
unsigned isel_used_components(const struct nir_def *def);

/* Whether a source is the constant 0. Of vectors: the first component. */
bool isel_is_zero(const struct nir_src *src);

/* A descriptor in SGPRs: 4 dwords, or 8 of two halves. False and an error if it differs between lanes. */
bool isel_image_descriptor(struct isel *c, const struct nir_src *lo, const struct nir_src *hi,
                           struct aco_operand *out);

/* What the registers of a load's result hold before, where a status of its memory comes after (TFE); else nothing.
 */
struct aco_operand isel_before_status(struct isel *c, unsigned result_dw, bool status);

/* An MIMG instruction with its addresses as separate VGPRs (the emitter finds out whether they stand in a row).
 * result_dw 0: no result. before: in whose registers it comes, if it is something; of loads a status comes after. */
struct aco_instr *isel_mimg(struct isel *c, unsigned op, const struct aco_operand *addresses, unsigned count,
                            struct aco_operand texture, struct aco_operand sampler, struct aco_operand data,
                            unsigned dmask, unsigned result_dw, struct aco_operand before);
/* size: the operands of the instruction */

/* Components of a result of `count` dwords; missing ones are 0. 16-bit results come from 32-bit ones. code: what gets
 * the status after them, only the status if def is the same; NULL: there is none. */
void isel_set_texels(struct isel *c, const struct nir_def *def, const struct nir_def *code, struct aco_operand vec,
                     unsigned count, enum nir_base_type type);

/* Width, height, depth or layers at a level: what image_get_resinfo returns, layers of cubes divided by faces. */
void isel_size_query(struct isel *c, struct nir_def *def, struct aco_operand texture, struct aco_operand lod,
                     enum nir_image_dim dim, bool array);
/* The number of samples, or of levels. */
void isel_descriptor_query(struct isel *c, struct nir_def *def, struct aco_operand texture, bool samples);

/* A texel of a buffer; code as of isel_set_texels(). */
void isel_texel_buffer_load(struct isel *c, struct nir_def *def, const struct nir_def *code,
                            const struct nir_src *desc, struct aco_operand index, enum nir_base_type type,
                            uint32_t access, bool reorder);
/* size: the operands of the instruction */

#endif
