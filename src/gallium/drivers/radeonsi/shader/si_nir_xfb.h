/* What the two ways of transform feedback share. */
#ifndef INDIUM_SI_NIR_XFB_H
#define INDIUM_SI_NIR_XFB_H

#include "compiler/nir/nir.h"
#include "gallium/drivers/radeonsi/shader/si_nir.h"

/* Where a vertex goes in each buffer: its V#, and the byte. */
struct si_xfb_places {
   struct nir_def *buffer[NIR_XFB_BUFFERS], *offset_B[NIR_XFB_BUFFERS];
};

/* Scalars of outputs; NULL: not written. */
struct si_xfb_values {
   struct nir_def *of[NIR_SLOT_COUNT][4];
};

/* In the legacy pipeline: what of a stream is captured of vertices of a wave. */
void si_xfb_capture(struct nir_builder *b, const struct si_nir_options *options, const struct si_xfb_values *values,
                    unsigned stream);
/* The number of the stream that the wave's vertices are of. */
struct nir_def *si_xfb_stream(struct nir_builder *b, const struct si_nir_options *options);

/* The V#s of the buffers that the shader captures to. */
void si_xfb_load_buffers(struct nir_builder *b, const struct si_nir_options *options, struct si_xfb_places *places);

/* values: up to four neighbours of the output, from the first component on; NULL ends them, and so does the output.
 * Returns how many were stored, at least 1. */
unsigned si_xfb_store(struct nir_builder *b, const struct nir_xfb_output *out, struct nir_def *const *values,
                      unsigned first, const struct si_xfb_places *places);

/* In NGG: a subgroup's turn to take room for so many primitives of so many corners, by its first wave. In LDS there
 * are then, from lds_B on, how many of each stream fit, and each buffer's byte of the first one. */
#define SI_XFB_TURN_B (4 * NIR_XFB_STREAMS + 4 * NIR_XFB_BUFFERS)
#define SI_XFB_FITTING_B(lds_B, stream) ((lds_B) + 4 * (stream))
#define SI_XFB_PLACE_B(lds_B, buffer) ((lds_B) + 4 * NIR_XFB_STREAMS + 4 * (buffer))
struct si_xfb_turn {
   uint32_t lds_B;
   struct nir_def *subgroup, *wave; /* SGPR 2 of the hardware's, which has its number; the wave's number in it */
   struct nir_def *primitives[NIR_XFB_STREAMS]; /* NULL: there are none of this stream */
   struct nir_def *corners;
   const struct si_xfb_places *places;
};
void si_xfb_take_turn(struct nir_builder *b, const struct si_xfb_turn *turn);

/* In NGG: captures the primitives that a geometry shader's vertices in LDS complete. All lanes of the subgroup run
 * it; flags: those of the thread's place by stream, 0 without one, NULL without the stream. */
void si_nir_capture_emitted(struct nir_builder *b, const struct si_nir_options *options,
                            struct nir_def *const flags[NIR_XFB_STREAMS]);

#endif
