/* What `indium shader` does for Apple's GPUs. */
#ifndef INDIUM_TOOLS_SHADER_AGX_H
#define INDIUM_TOOLS_SHADER_AGX_H

#include <stdbool.h>

#include "asahi/compiler/agx.h"

/* From nir as the back end takes it (agx.h), or where that is NULL from the text of machine IR, which continues after
 * its phase. after: phases that print what they leave. False with *error. What has a chip comes from the driver
 * (agx_shader_standalone.h). */
bool shader_agx_compile(struct arena *arena, struct nir_shader *nir, const char *text, const char *after,
                        struct agx_output *out, const char **error);
void shader_agx_print_code(const struct agx_output *out);
void shader_agx_print_stats(const struct agx_output *out);

#endif
