/* Control and evaluation shaders as compute, or an evaluation shader as the draw's vertex shader. On nir whose
 * variables are values (nir_lower_variables()) and whose inputs and outputs have 32 bits (nir_widen_io()). */
#ifndef INDIUM_AGX_NIR_TESSELLATION_H
#define INDIUM_AGX_NIR_TESSELLATION_H

#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/asahi/assembly/agx_nir_places.h"

/* A workgroup for each patch of each instance. inputs: what lies in vertices_va. */
void agx_nir_control(struct nir_shader *control, const struct nir_tess_io *io, const struct agx_slot_places *inputs);

/* An invocation for each point of each patch, which stores its outputs (emitted_va). */
void agx_nir_evaluate(struct nir_shader *evaluation, const struct nir_tess_io *io,
                      const struct agx_slot_places *outputs);

/* A vertex for each of these. */
void agx_nir_draw_points(struct nir_shader *evaluation, const struct nir_tess_io *io);

/* Ahead of these: one more output is the number of the patch, at NIR_SLOT_PRIMITIVE_ID. */
void agx_nir_store_patch_number(struct nir_shader *evaluation);

/* The number in its instance of the patch that a point belongs to. */
struct nir_def *agx_nir_patch_of_point(struct nir_builder *b, struct nir_def *point);

#endif
