/* What drivers do alike around their compilers. */
#ifndef INDIUM_AUX_SHADER_H
#define INDIUM_AUX_SHADER_H

#include "compiler/nir/nir_shader_info.h"

/* What the source says of resources, against what the hardware has: more would be cut off by fields of registers and
 * records, and threads would write to what is not theirs. False with *error, in the shader's arena. */
bool aux_shader_fits(const struct nir_shader *nir, uint32_t max_workgroup_invocations, uint32_t max_shared_B,
                     const char **error);

/* One after the other, as malloc() gives it; NULL when out of memory. */
char *aux_nir_text(struct nir_shader *const *shaders, unsigned count);

/* INDIUM_DEBUG=nir: the shader as the back end gets it, or as it was refused. In one piece, as threads compile. */
void aux_nir_print(struct nir_shader *nir);

#endif
