/* What programs with shaders ahead of the draw add to the linking of graphics programs. */
#ifndef INDIUM_AGX_LOWER_AHEAD_H
#define INDIUM_AGX_LOWER_AHEAD_H

#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/asahi/program/agx_graphics_program.h"

/* The shaders, whose variables are values, become compute, and a vertex shader of the draw takes the place of
 * shaders[NIR_STAGE_VERTEX]: an evaluation shader, which goes from its own place, or one that reads what they made.
 * io: of tessellation, if there is any. What draws need to know goes to *g. False with *error. */
bool agx_lower_ahead(struct nir_shader *shaders[NIR_STAGES], const struct pipe_graphics_state *state,
                     const struct nir_tess_io *io, struct agx_graphics_program *g, const char **error);

#endif
