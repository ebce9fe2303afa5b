#ifndef INDIUM_SI_XFB_H
#define INDIUM_SI_XFB_H

#include "gallium/drivers/radeonsi/si_context.h"

/* Primitives needed and written, 64 bits each, where programs count them. */
void si_sample_programs_xfb(struct si_context *ctx, unsigned stream, uint64_t va);

/* What a draw with USE_OPAQUE finds its number of vertices by. */
void si_load_byte_count(struct si_context *ctx, const struct pipe_byte_count *count);

#endif
