/* What the two ways of transform feedback share. */
#ifndef INDIUM_SI_NIR_XFB_H
#define INDIUM_SI_NIR_XFB_H

#include "compiler/nir/nir.h"
#include "gallium/drivers/radeonsi/shader/si_nir.h"

/* Where a vertex goes in each buffer: its V#, and the byte. */
struct si_xfb_places {
   struct nir_def *buffer[NIR_XFB_BUFFERS], *offset_B[NIR_XFB_BUFFERS];
};

/* The V#s of the buffers that the shader captures to. */
void si_xfb_load_buffers(struct nir_builder *b, const struct si_nir_options *options, struct si_xfb_places *places);

/* values: up to four neighbours of the output, from the first component on; NULL ends them, and so does the output.
 * Returns how many were stored, at least 1. */
unsigned si_xfb_store(struct nir_builder *b, const struct nir_xfb_output *out, struct nir_def *const *values,
                      unsigned first, const struct si_xfb_places *places);

#endif
