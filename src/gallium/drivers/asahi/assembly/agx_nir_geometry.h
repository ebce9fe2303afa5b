/* Vertex and geometry shaders as compute, and the vertex shader of the draw that reads what they made. On nir whose
 * variables are values (nir_lower_variables()) and whose inputs and outputs have 32 bits (nir_widen_io()). False with
 * *error, in the shader's arena, for what outputs cannot be. */
#ifndef INDIUM_AGX_NIR_GEOMETRY_H
#define INDIUM_AGX_NIR_GEOMETRY_H

#include "gallium/drivers/asahi/nir/agx_nir.h"

/* Where the slots of a vertex are in memory, 16 bytes each. */
struct agx_slot_places {
   uint8_t place[NIR_SLOT_COUNT];      /* 1 and more; 0: not there */
   uint8_t components[NIR_SLOT_COUNT]; /* that somebody writes */
   uint32_t vertex_B;
};

/* Of the outputs of a shader. Locations are side by side, so that arrays of them are. */
bool agx_nir_gather_places(struct nir_shader *shader, struct agx_slot_places *places, const char **error);

/* An invocation for each vertex of each instance (shaded_vertices of struct agx_assembly), which stores its outputs.
 */
void agx_nir_store_vertices(struct nir_shader *vertex, const struct agx_slot_places *places);

/* Corners of a primitive that a geometry shader makes. */
unsigned agx_made_corners(const struct nir_shader_info *geometry);

/* Streams from 0 on that it makes primitives of, at least 1. */
unsigned agx_made_streams(const struct nir_shader_info *geometry);

/* The most that an invocation makes of a stream, at least 1. */
unsigned agx_max_primitives(const struct nir_shader_info *geometry);

/* An invocation for each one of each primitive of each instance. */
void agx_nir_geometry(struct nir_shader *geometry, const struct agx_slot_places *inputs,
                      const struct agx_slot_places *outputs, bool provoking_last);

/* The vertex shader of the draw: its outputs are those of the geometry shader. The number of primitives goes by a
 * location, primitive_slot, if that is not 0. */
struct nir_shader *agx_nir_fetch_emitted(const struct nir_shader *geometry, const struct agx_slot_places *places,
                                         unsigned primitive_slot);

/* In a fragment shader, the number of the primitive is the flat input of that location. */
void agx_nir_read_primitive_slot(struct nir_shader *fragment, unsigned primitive_slot);

#endif
