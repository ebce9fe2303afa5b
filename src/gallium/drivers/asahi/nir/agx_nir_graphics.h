/* Lowering of what is special about vertex and fragment shaders. All run on nir whose variables are values
 * (nir_lower_variables()), before agx_shader_compile(). False with *error set, in the shader's arena, where a shader
 * does what the hardware or this driver cannot. */
#ifndef INDIUM_AGX_NIR_GRAPHICS_H
#define INDIUM_AGX_NIR_GRAPHICS_H

#include "asahi/compiler/agx.h"
#include "gallium/drivers/asahi/nir/agx_nir.h"
#include "gallium/drivers/asahi/base/agx_tile.h"
#include "gallium/drivers/asahi/varyings/agx_varyings.h"

struct agx_vertex_inputs {
   const struct pipe_vertex_attribute *attributes;
   unsigned count;
   uint32_t nowhere_hi; /* of the address where zeros are: agx_read_nowhere_hi() */
};

/* Vertex attributes become loads from the addresses of AGX_TABLE_VERTEX. Elements that do not lie in the buffer, and
 * all of a buffer that is not there, are read from nowhere: zeros. */
bool agx_nir_lower_vertex_inputs(struct nir_shader *shader, const struct agx_vertex_inputs *inputs,
                                 const char **error);

/* The same separately: what fetches one attribute into its registers (agx_abi.h), false for a format that
 * no attribute has; a shader that finds its attributes there. False, and nothing is said, if it reads what has none.
 */
bool agx_nir_fetch_attribute(struct nir_builder *b, const struct pipe_vertex_attribute *attribute,
                             uint32_t nowhere_hi);
bool agx_nir_take_vertex_inputs(struct nir_shader *shader, uint32_t *locations);

/* Base vertex, base instance, draw and view number become arguments. */
void agx_nir_lower_vertex_sysvals(struct nir_shader *shader);

/* Outputs become the words of the vertex, all at the end. */
bool agx_nir_lower_vertex_outputs(struct nir_shader *shader, const struct agx_vertex_words *words,
                                  const char **error);

/* How the fragment shader is run and what its outputs become. */
struct agx_fragment_key {
   struct agx_tile_layout tile;
   const struct pipe_graphics_state *blend; /* NULL: none */
   uint8_t color_write_mask[PIPE_MAX_COLOR_TARGETS];
   bool per_sample; /* the shader runs once for each sample, in a loop */
   bool alpha_to_coverage, alpha_to_one;
   uint32_t sample_mask;
   bool open; /* of parts: nothing of this but per_sample is known, and values are in registers (agx_abi.h) */
};

/* The outputs of an open shader in registers, and what it asks of tests. */
struct agx_fragment_outputs {
   uint8_t colors; /* bit per target */
   bool second, samples, depth, stencil;
   bool early, writes_memory;
};

/* What the lowered shader does, for the records of a draw. */
struct agx_fragment_info {
   bool reads_tile; /* blends, or keeps components */
   bool tests_late; /* samples are tested by the program */
   bool writes_depth, writes_stencil;
   bool writes_memory;
   bool keeps_colors; /* some colour under it may stay: it is not opaque */
   bool writes_colors;
   bool spills; /* loads and stores targets as images */
   bool loads_varyings;
   struct agx_fragment_outputs outputs; /* of an open shader */
};

/* Inputs become interpolations of coefficient registers, system values what the hardware has. per_sample: values at
 * the sample that load_sample_id names. */
bool agx_nir_lower_fragment_inputs(struct nir_shader *shader, const struct agx_fragment_registers *registers,
                                   const struct agx_fragment_key *key, const char **error);

/* A discard sets this variable, and the invocation continues as a helper; out of loops it breaks. NULL: there are
 * none. Needs nir_lower_vars_to_ssa() later. */
struct nir_variable *agx_nir_lower_discards(struct nir_shader *shader,
                                            const struct agx_fragment_registers *registers);

/* Stores and atomics happen only where the invocation is no helper. killed: of agx_nir_lower_discards(). */
bool agx_nir_lower_helper_writes(struct nir_shader *shader, struct nir_variable *killed, bool per_sample);

/* The ordered sections of invocations become one of the simd-group (nir_lower_interlock()), whose loads and stores
 * are coherent. False: there are none. First, as discards matter to where it lies. */
bool agx_nir_lower_interlock(struct nir_shader *shader);

/* Outputs become tests, blending and stores to the tile, at the end. */
bool agx_nir_lower_fragment_outputs(struct nir_shader *shader, const struct agx_fragment_key *key,
                                    struct nir_variable *killed, struct agx_fragment_info *info, const char **error);

/* After an open shader: its tests, which leave the samples to store to if `early` asks for it; then what becomes of
 * the colour of one target. masked: the samples to store to lie in their register. info: only of the part. */
void agx_nir_test_part(struct nir_shader *shader, const struct agx_fragment_key *key,
                       const struct agx_fragment_outputs *outputs, struct agx_fragment_info *info);
bool agx_stores_are_masked(const struct agx_fragment_key *key, const struct agx_fragment_outputs *outputs);
void agx_nir_target_part(struct nir_shader *shader, const struct agx_fragment_key *key, unsigned target, bool masked,
                         struct agx_fragment_info *info);

/* The body once for each sample; load_sample_id is its number. Of one sample, or not per sample: 0. */
void agx_nir_lower_samples(struct nir_shader *shader, const struct agx_fragment_key *key);

/* All of the above for fragments, in order. */
bool agx_nir_lower_fragment(struct nir_shader *shader, const struct agx_fragment_registers *registers,
                            const struct agx_fragment_key *key, struct agx_fragment_info *info, const char **error);

/* agx_nir_tile_color.c: colours of four components. */

/* In the range of a target, where its format has one. */
struct nir_def *agx_nir_clamp_to_target(struct nir_builder *b, struct nir_def *color,
                                        const struct agx_tile_format *format);
/* Components narrower than words of the tile are rounded to their bits, so that what is read back is what the image
 * will have. */
struct nir_def *agx_nir_round_to_target(struct nir_builder *b, const struct agx_tile_format *format,
                                        struct nir_def *color);
/* Missing components (NULL) are 0, and alpha 1. */
struct nir_def *agx_nir_complete_color(struct nir_builder *b, struct nir_def *const components[4],
                                       const struct agx_tile_format *format);
/* What the tile buffer holds. format: of the load. */
struct nir_def *agx_nir_load_tile_color(struct nir_builder *b, const struct agx_tile_target *target,
                                        enum agx_format format, struct nir_def *samples);
/* A component of a normalized format as the bits that the image has, and back. */
struct nir_def *agx_nir_color_to_bits(struct nir_builder *b, struct nir_def *color,
                                      const struct agx_tile_format *format, unsigned component);
struct nir_def *agx_nir_color_from_bits(struct nir_builder *b, struct nir_def *value,
                                        const struct agx_tile_format *format, unsigned component);

/* A colour blended with what the target holds; four components of 32-bit floats each, in the target's range.
 * constant: NULL if the equation has none. */
struct nir_def *agx_nir_blend(struct nir_builder *b, const struct pipe_blend_equation *blend, struct nir_def *src,
                              struct nir_def *src1, struct nir_def *dst, struct nir_def *constant);
/* The same of an equation of enum pipe_advanced. */
struct nir_def *agx_nir_blend_advanced(struct nir_builder *b, const struct pipe_blend_equation *blend,
                                       struct nir_def *src, struct nir_def *dst);
bool agx_blends_second(const struct pipe_graphics_state *state); /* target 0; NULL: no */
bool agx_blend_reads_constant(const struct pipe_blend_equation *blend);
bool agx_blend_reads_target(const struct pipe_blend_equation *blend);

/* Bits of integers or of packed normalized numbers. */
struct nir_def *agx_nir_logic_op(struct nir_builder *b, enum pipe_logic_op op, struct nir_def *src,
                                 struct nir_def *dst);

#endif
