/* The pipeline layout of one shader without the rest of its pipeline. */
#ifndef INDIUM_AUX_SHADER_STANDALONE_H
#define INDIUM_AUX_SHADER_STANDALONE_H

#include "compiler/nir/nir_shader_info.h"
#include "gallium/include/pipe/p_screen.h"

/* Sets with just the bindings of the shader, one after another in their order. In the shader's arena. */
struct pipe_pipeline_layout *aux_shader_standalone_layout(struct nir_shader *nir, const struct pipe_caps *caps);

#endif
