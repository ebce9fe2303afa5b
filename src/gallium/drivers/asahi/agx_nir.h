/* Lowering of nir to what the compiler takes (asahi/compiler/agx.h) and to the ABI of agx_abi.h. */
#ifndef INDIUM_AGX_NIR_H
#define INDIUM_AGX_NIR_H

#include "compiler/nir/nir_builder.h"
#include "gallium/drivers/asahi/agx_abi.h"
#include "gallium/include/pipe/p_state.h"

/* count words (1 to 4) of a table. */
static inline struct nir_def *
agx_nir_arg(struct nir_builder *b, enum agx_table table, unsigned word, unsigned count)
{
   return nir_load_scalar_arg(b, count, .base = AGX_ARG(table, word));
}

/* The same as a 64-bit address. */
static inline struct nir_def *
agx_nir_address_arg(struct nir_builder *b, enum agx_table table, unsigned word)
{
   return nir_pack_64_2x32(b, agx_nir_arg(b, table, word, 2));
}

/* Buffers named by vulkan_resource_index become u32x4 descriptors, textures, samplers and images handles, push
 * constants arguments or loads. False with *error set if the shader uses a binding that the layout does not have. */
bool agx_nir_lower_descriptors(struct nir_shader *shader, const struct pipe_pipeline_layout *layout,
                               uint32_t *used_sets, const char **error);

/* Gives arguments (load_scalar_arg) their places in the uniform file. The last step before agx_compile(). */
bool agx_nir_assign_uniforms(struct nir_shader *shader, struct agx_arguments *arguments, const char **error);

#endif
