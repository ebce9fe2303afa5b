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

/* In the legacy pipeline: the V# of the GSVS ring, and of its bytes for component number n of a lane's vertices,
 * that for vertex 0. */
struct nir_def *si_gsvs_ring(struct nir_builder *b, const struct si_nir_options *options);
uint32_t si_gsvs_component_B(const struct si_gs_layout *layout, unsigned n);

/* In NGG: counts the primitives that the wave's threads complete; flags as of si_nir_capture_emitted(). */
void si_nir_count_emitted(struct nir_builder *b, const struct si_nir_options *options,
                          struct nir_def *const flags[NIR_XFB_STREAMS]);

/* In NGG: flags of a place in LDS, in front of its components. */
enum { SI_EMITTED_COMPLETES = 1, SI_EMITTED_ODD = 2, SI_EMITTED_LIVE = 4, SI_EMITTED_FLAGS_B = 4 };
enum { SI_EMITTED_CORNERS = 3 };
/* In NGG: where a stream has its part of a place. */
bool si_gs_has_place(const struct si_gs_layout *layout, unsigned stream);
uint32_t si_gs_stream_place_B(const struct si_gs_layout *layout, unsigned stream);
/* The vertices of the primitive that vertex i of the subgroup completes, and how many there are. */
unsigned si_nir_emitted_count(const struct nir_shader *shader);
void si_nir_emitted_corners(struct nir_builder *b, struct nir_def *i, struct nir_def *flags,
                            struct nir_def **corners);

#endif
