/* What programs with a geometry shader add to the linking of graphics programs. */
#ifndef INDIUM_AGX_GEOMETRY_PROGRAM_H
#define INDIUM_AGX_GEOMETRY_PROGRAM_H

#include "gallium/drivers/asahi/program/agx_graphics_program.h"

/* The shaders, whose variables are values, become: vertex and geometry, compute; a vertex shader of the draw, which
 * takes the place of shaders[NIR_STAGE_VERTEX]. What draws need to know goes to *geometry. False with *error. */
bool agx_lower_geometry(struct nir_shader *shaders[NIR_STAGES], const struct pipe_graphics_state *state,
                        struct agx_program_geometry *geometry, const char **error);

#endif
