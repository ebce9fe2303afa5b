/* Vertex shaders as compute, before a draw. On nir whose variables are values (nir_lower_variables()) and whose
 * inputs are loads (agx_nir_lower_vertex_inputs()). */
#ifndef INDIUM_AGX_NIR_ASSEMBLY_H
#define INDIUM_AGX_NIR_ASSEMBLY_H

#include "gallium/drivers/asahi/nir/agx_nir.h"

/* count words of the draw's struct agx_assembly, from the member on. */
#define agx_nir_assembly(b, member, count)                                                                           \
   agx_nir_arg(b, AGX_TABLE_ASSEMBLY, (unsigned)offsetof(struct agx_assembly, member) / 4, count)

/* Where corner k of primitive p of an instance is in the list of vertices. */
struct nir_def *agx_nir_corner_position(struct nir_builder *b, struct nir_def *p, struct nir_def *k);

/* The index at a position, or the position. */
struct nir_def *agx_nir_index(struct nir_builder *b, struct nir_def *position);

/* The number of the vertex at a position: what gl_VertexIndex is. */
struct nir_def *agx_nir_vertex_index(struct nir_builder *b, struct nir_def *position);

/* These in place of what the hardware puts into registers of vertex shaders. */
void agx_nir_replace_vertex(struct nir_shader *shader, struct nir_def *vertex_index, struct nir_def *instance);

/* The whole body goes into an if with the condition, which is built before; the cursor is then at the body's start.
 */
struct nir_if *agx_nir_enclose(struct nir_builder *b, struct nir_def *condition);

/* The shader becomes one of compute, in workgroups of AGX_ASSEMBLY_GROUP: an invocation for each corner of each
 * primitive that buffers of transform feedback have room for, which stores what is captured. Other outputs go. False
 * with *error, in the shader's arena, for what outputs cannot be. */
bool agx_nir_capture(struct nir_shader *shader, const char **error);

#endif
