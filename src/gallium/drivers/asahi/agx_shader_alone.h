/* One shader as the driver compiles it, without a device and without the rest of its pipeline. */
#ifndef INDIUM_AGX_SHADER_ALONE_H
#define INDIUM_AGX_SHADER_ALONE_H

#include <stdbool.h>

#include "asahi/compiler/agx.h"

struct agx_chip;

/* Sets have just the bindings of the shader. The options of the compiler are the driver's, with what the request has.
 * False with *error: what depends on the pipeline around is not there, and only compute shaders do without. */
bool agx_shader_alone_compile(struct arena *arena, const struct agx_chip *chip, struct nir_shader *nir,
                              const char *print_ir, struct agx_output *out, const char **error);

#endif
