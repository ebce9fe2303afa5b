/* What the ways of emission share: the vertices that a geometry shader emits, found in its code. */
#ifndef INDIUM_SI_NIR_GEOMETRY_H
#define INDIUM_SI_NIR_GEOMETRY_H

#include "compiler/nir/nir_builder.h"
#include "gallium/drivers/radeonsi/shader/si_nir.h"

/* A place where the shader emits a vertex, with the outputs that were stored for it; NULL: not written. */
struct si_emission {
   struct nir_intrinsic_instr *emit;
   struct nir_def *values[NIR_SLOT_COUNT][4];
};

/* All emissions, in the order of the code; the stores are gone then. Outputs are stored with each vertex, in the
 * block that emits it (nir_lower_io_to_temporaries). *count: how many. */
struct si_emission *si_nir_find_emissions(struct nir_shader *shader, unsigned *count);

/* The layout of vertices of those slots that are needed. */
void si_gs_lay_out(struct si_gs_layout *layout, const struct nir_shader *shader, const struct si_emission *emissions,
                   unsigned count);

#endif
