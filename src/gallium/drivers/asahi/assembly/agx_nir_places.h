/* Outputs of shaders that run as compute ahead of a draw, in memory. On nir whose variables are values
 * (nir_lower_variables()) and whose inputs and outputs have 32 bits (nir_widen_io()). */
#ifndef INDIUM_AGX_NIR_PLACES_H
#define INDIUM_AGX_NIR_PLACES_H

#include "gallium/drivers/asahi/nir/agx_nir.h"

/* Where the slots of a vertex are in memory, 16 bytes each. */
struct agx_slot_places {
   uint8_t place[NIR_SLOT_COUNT];      /* 1 and more; 0: not there */
   uint8_t components[NIR_SLOT_COUNT]; /* that somebody writes */
   uint8_t floats[NIR_SLOT_COUNT];     /* of these */
   uint32_t vertex_B;
};

/* Of the outputs of a shader. Locations are side by side, so that arrays of them are. False with *error, in the
 * shader's arena, for what outputs cannot be. */
bool agx_nir_gather_places(struct nir_shader *shader, struct agx_slot_places *places, const char **error);

/* An invocation for each vertex of each instance (shaded_vertices of struct agx_assembly), which stores its outputs.
 */
void agx_nir_store_vertices(struct nir_shader *vertex, const struct agx_slot_places *places);

/* ---- for those that lower shaders to that ---- */

/* NULL: the instruction is another one. */
struct nir_intrinsic_instr *agx_nir_as_op(struct nir_instr *instr, enum nir_intrinsic_op op);

/* Of the vertex with this number. base: the address of the first one, two words. */
struct nir_def *agx_nir_place_address(struct nir_builder *b, struct nir_def *base, struct nir_def *number,
                                      const struct agx_slot_places *places);

struct nir_def *agx_nir_component_address(struct nir_builder *b, struct nir_def *vertex,
                                          const struct agx_slot_places *places, unsigned slot, unsigned component);

/* A store_output goes to the vertex at that address. */
void agx_nir_store_place(struct nir_builder *b, struct nir_intrinsic_instr *store, struct nir_def *vertex,
                         const struct agx_slot_places *places);

/* All of a shader. */
void agx_nir_store_places(struct nir_shader *shader, struct nir_def *vertex, const struct agx_slot_places *places);

/* A load_per_vertex_input is of the vertex with this number in vertices_va. */
void agx_nir_load_place(struct nir_builder *b, struct nir_intrinsic_instr *load, struct nir_def *number,
                        const struct agx_slot_places *places);

/* The shader is one of compute, in workgroups of AGX_ASSEMBLY_GROUP: the number of the invocation, at the start of
 * the body. */
struct nir_def *agx_nir_begin_compute(struct nir_builder *b, struct nir_shader *shader);

/* The quotient; *number becomes the remainder. */
struct nir_def *agx_nir_divide(struct nir_builder *b, struct nir_def **number, struct nir_def *by);

#endif
