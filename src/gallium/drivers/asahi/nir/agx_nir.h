/* Lowering of nir to what the compiler takes (asahi/compiler/agx.h) and to the ABI of agx_abi.h. */
#ifndef INDIUM_AGX_NIR_H
#define INDIUM_AGX_NIR_H

#include "compiler/nir/nir_builder.h"
#include "gallium/drivers/asahi/base/agx_abi.h"
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

/* A level of an image, or rows in a buffer, as a shader knows it. */
struct agx_nir_level {
   struct nir_def *start, *layer_B; /* u64; of the table, if it is sparse */
   struct nir_def *tiles;           /* u32: AGX_STORAGE_TILES */
   struct nir_def *row_B;           /* u32: of linear ones */
   struct nir_def *level;           /* u32: AGX_STORAGE_LEVEL */
   bool straight; /* no control flow may be made: a word is loaded for images that are not sparse, too */
};

/* The u64 address of an element. place: x and y in elements, layer. Where a sparse image has no memory: nowhere. */
struct nir_def *agx_nir_element_address(struct nir_builder *b, const struct agx_nir_level *level,
                                        struct nir_def *const place[3]);

/* Samples are stored as texels of a linear image of AGX_TEXEL_ROW_LOG2 rows and columns and as many layers as it
 * takes, as the pixel back end of programs knows none. The u32x3 coordinates there of a sample of an element. */
struct agx_nir_sample {
   struct nir_def *number, *count_log2; /* u32 */
};
struct nir_def *agx_nir_sample_place(struct nir_builder *b, const struct agx_nir_level *level,
                                     struct nir_def *const place[3], const struct agx_nir_sample *sample);

/* A copy of the instruction at the cursor, with another sampler (NULL: it has none). */
struct nir_def *agx_nir_sample_again(struct nir_builder *b, const struct nir_tex_instr *tex, struct nir_def *sampler);

/* A sampler may have a custom colour of the border: words AGX_SAMPLER_ZEROS and AGX_SAMPLER_IS_CUSTOM of its
 * descriptor, and the colour. */
struct agx_nir_border {
   struct nir_tex_instr *tex;
   struct nir_def *words, *color;
   struct agx_nir_border *next;
};

/* Splits the block of the instruction, which has its descriptors lowered. */
void agx_nir_add_border(struct nir_shader *shader, const struct agx_nir_border *border);

/* A fetch from a texel buffer, which may have texels of AGX_TRIPLE_B: the texture unit has none of three components.
 * Its descriptor has the address of texel 0 (AGX_STORAGE_ADDRESS), and size: texels, bytes of a texel. */
struct agx_nir_triple {
   struct nir_tex_instr *tex;
   struct nir_def *index, *address, *size;
   struct agx_nir_triple *next;
};

/* Splits the block of the instruction, which has its descriptors lowered. */
void agx_nir_add_triple(struct nir_shader *shader, const struct agx_nir_triple *triple);

/* How descriptors are lowered. */
struct agx_descriptor_rules {
   uint64_t nowhere;    /* the address of atomics outside of images */
   bool custom_borders; /* agx_nir_border */
};

/* Buffers named by vulkan_resource_index become u32x4 descriptors, textures, samplers and images handles, push
 * constants arguments or loads. False with *error set if the shader uses a binding that the layout does not have. */
bool agx_nir_lower_descriptors(struct nir_shader *shader, const struct pipe_pipeline_layout *layout,
                               const struct agx_descriptor_rules *rules, uint32_t *used_sets, const char **error);

/* After nir_optimize(): what agx_nir_lower_descriptors() has hidden from it. */
void agx_nir_trim_cube_derivatives(struct nir_shader *shader);

/* Workgroups count from the base of the dispatch (AGX_COMPUTE_BASE_WORKGROUP). */
void agx_nir_lower_base_workgroup(struct nir_shader *shader);

/* Gives arguments (load_scalar_arg) their places in the uniform file. The last step before agx_compile(). */
bool agx_nir_assign_uniforms(struct nir_shader *shader, struct agx_arguments *arguments, const char **error);

#endif
