/* One shader as the driver compiles it, without a device and without the rest of its pipeline. */
#ifndef INDIUM_AGX_SHADER_STANDALONE_H
#define INDIUM_AGX_SHADER_STANDALONE_H

#include <stdbool.h>

#include "asahi/compiler/agx.h"

struct agx_chip;

/* What the pipeline around is taken to be: sets with just the bindings of the shader; attribute n a vector of floats
 * in binding n, 16 bytes apart; outputs of vertices that the next stage reads; colours R8G8B8A8_UNORM of one sample,
 * not blended. The options of the compiler are the driver's, with what the request has. False with *error. */
bool agx_shader_standalone_compile(struct arena *arena, const struct agx_chip *chip, struct nir_shader *nir,
                                   const char *print_ir, struct agx_output *out, const char **error);

#endif
