/* The parts of agx_nir_lower_fragment_inputs(). */
#ifndef INDIUM_AGX_NIR_FRAGMENT_INPUTS_H
#define INDIUM_AGX_NIR_FRAGMENT_INPUTS_H

#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"

struct agx_input_lowering {
   struct nir_builder b;
   const struct agx_fragment_registers *registers;
   const struct agx_fragment_key *key;
   struct nir_def *turned; /* agx_nir_lower_per_vertex_input(): made by the first that asks */
};

/* `count` planes from register cf on, where the barycentric says. perspective: divided by that of W. */
struct nir_def *agx_nir_interpolate(struct agx_input_lowering *l, unsigned cf, unsigned count, unsigned bits,
                                    bool perspective, struct nir_intrinsic_instr *barycentric);

/* The planes in the middle of the pixel. */
struct nir_def *agx_nir_interpolate_center(struct agx_input_lowering *l, unsigned cf, unsigned count);

/* load_per_vertex_input, load_barycentric_coord (agx_nir_fragment_vertices.c). */
struct nir_def *agx_nir_lower_per_vertex_input(struct agx_input_lowering *l, const struct nir_intrinsic_instr *load);
struct nir_def *agx_nir_lower_barycentric_coord(struct agx_input_lowering *l, const struct nir_intrinsic_instr *load);

#endif
