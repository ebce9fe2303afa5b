/* What is the same for all threads of a draw is computed once, by a program that runs before, and lies in uniforms.
 */
#ifndef INDIUM_AGX_PREAMBLE_H
#define INDIUM_AGX_PREAMBLE_H

#include "asahi/compiler/agx_ir.h"

/* By nir_def.index. */
struct agx_preamble {
   bool *omitted;    /* the main program does not compute it */
   bool *computed;   /* the preamble does */
   int16_t *uniform; /* where the main program finds it: number of the first half, or -1 */
};

/* NULL: nothing is worth it. Takes uniforms of `main`. Values are indexed. */
struct agx_preamble *agx_plan_preamble(struct agx_ir *main, struct nir_shader *nir);

#endif
