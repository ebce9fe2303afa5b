/* Geometry shaders as compute, and the vertex shader of the draw that reads what they made. On nir whose variables
 * are values (nir_lower_variables()) and whose inputs and outputs have 32 bits (nir_widen_io()). */
#ifndef INDIUM_AGX_NIR_GEOMETRY_H
#define INDIUM_AGX_NIR_GEOMETRY_H

#include "gallium/drivers/asahi/assembly/agx_nir_places.h"

/* Corners of a primitive that a geometry shader makes. */
unsigned agx_made_corners(const struct nir_shader_info *geometry);

/* Streams from 0 on that it makes primitives of, at least 1. */
unsigned agx_made_streams(const struct nir_shader_info *geometry);

/* The most that an invocation makes of a stream, at least 1. */
unsigned agx_max_primitives(const struct nir_shader_info *geometry);

struct agx_geometry_options {
   bool provoking_last; /* vertices of primitives */
   bool of_patches;     /* primitives come from a tessellator: their number is the patch's */
};

/* An invocation for each one of each primitive of each instance. */
void agx_nir_geometry(struct nir_shader *geometry, const struct agx_slot_places *inputs,
                      const struct agx_slot_places *outputs, const struct agx_geometry_options *options);

/* The vertex shader of the draw: its outputs are those of the last shader ahead of it, at emitted_va. The number of
 * primitives goes by a location, primitive_slot, if that is not 0. */
struct nir_shader *agx_nir_fetch_emitted(const struct nir_shader *last, const struct agx_slot_places *places,
                                         unsigned primitive_slot);

/* In that vertex shader, if it is a shader of the application: the number of the primitive goes there; slot 0:
 * nowhere.
 */
void agx_nir_write_primitive_slot(struct nir_shader *vertex, unsigned primitive_slot);

/* In a fragment shader, the number of the primitive is the flat input of that location. */
void agx_nir_read_primitive_slot(struct nir_shader *fragment, unsigned primitive_slot);

#endif
