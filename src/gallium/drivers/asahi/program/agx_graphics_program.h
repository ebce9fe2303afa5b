/* What graphics programs are made of, whether their stages are compiled together or separately. */
#ifndef INDIUM_AGX_GRAPHICS_PROGRAM_H
#define INDIUM_AGX_GRAPHICS_PROGRAM_H

#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"
#include "gallium/drivers/asahi/program/agx_program.h"

/* How the fragment shader is run; false with *error for formats that no target has. for_samples: it asks for that. */
bool agx_fragment_key_init(struct agx_fragment_key *key, const struct pipe_graphics_options *options,
                           bool for_samples, const char **error);

/* Vertex inputs become loads of the state's attributes; false with *error. */
bool agx_lower_vertex_inputs(const struct agx_screen *screen, struct nir_shader *vertex,
                             const struct pipe_graphics_state *state, const char **error);

/* How shaders are compiled, whose options these are. fragment: of that stage. texts: to be filled, or NULL. */
struct agx_shader_options agx_graphics_shader_options(const struct agx_screen *screen,
                                                      const struct pipe_graphics_options *graphics, bool fragment,
                                                      struct agx_shader_texts *texts);

/* Adds compiled code to the program. key: of fragment shaders, else NULL. */
enum pipe_result agx_graphics_add_code(struct agx_screen *screen, struct agx_program *program, enum nir_stage stage,
                                       const struct agx_fragment_key *key, const struct agx_arguments *arguments,
                                       struct agx_output *out);

/* What all stages of a program are compiled with. */
struct agx_graphics_compiler {
   struct arena *arena;
   struct agx_screen *screen;
   struct agx_program *program;
   const struct pipe_graphics_options *options;
};

/* Compiles a lowered shader and adds it to the program as that stage: of shaders that run as compute it is not their
 * own. key: of fragment shaders, else NULL. On failure one line is
 * logged. */
enum pipe_result agx_graphics_compile(const struct agx_graphics_compiler *compiler, enum nir_stage stage,
                                      struct nir_shader *shader, const struct agx_fragment_key *key,
                                      struct agx_output *out);

/* ---- words of records (agx_graphics_words.c) ---- */

/* Those that follow from the fragment shader. */
void agx_fragment_words(struct agx_graphics_program *g, const struct agx_fragment_info *info,
                        enum nir_depth_layout layout, const struct agx_output *out);

/* Those that follow from what goes from shader to shader. */
void agx_varying_words(struct agx_graphics_program *g, const struct agx_vertex_words *w,
                       const struct agx_fragment_reads *reads, struct agx_primitives prims, bool reads_coefficients);

/* False when out of memory. */
bool agx_upload_bindings(struct agx_screen *screen, struct agx_graphics_program *g, const struct agx_cf_bindings *b,
                         unsigned num_cf);

void agx_fill_attributes(struct agx_graphics_program *g, const struct pipe_graphics_options *options);

#endif
