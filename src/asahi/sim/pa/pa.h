/* Primitive assembly: culling, clipping, viewport, setup, bins; coefficients of what varies. */
#ifndef INDIUM_ASAHI_SIM_PA_PA_H
#define INDIUM_ASAHI_SIM_PA_PA_H

#include "asahi/sim/batch/pipeline.h"

/* pa.c: sets prims_in up as primitives of the storage, in order, and bins them. */
bool agx_pa_run(struct agx_render *render);

/* coefficients.c. False if the draw's bindings say what hardware does not define or the model does not have. */
bool agx_coefficients_check(const struct agx_render *render);
/* A bit for each register that they fill. */
void agx_coefficients_bound(const struct agx_render *render, uint32_t bound[AGX_COEFFICIENT_WORDS]);
/* Clears the bits of registers that take a word which a vertex of the batch has not written: a program that reads
 * them is at fault, one that does not touch them is not. */
void agx_coefficients_unbind(const struct agx_render *render, uint32_t bound[AGX_COEFFICIENT_WORDS]);
/* The coefficient registers of a primitive, from its origin. */
void agx_coefficients_set(const struct agx_render *render, const struct agx_prim_in *in,
                          const struct agx_prim_planes *planes, struct agx_wave_coefficients *out);

#endif
