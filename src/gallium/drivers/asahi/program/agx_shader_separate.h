/* Shaders of graphics programs that are compiled separately (pipe_screen.shader_create). */
#ifndef INDIUM_AGX_SHADER_SEPARATE_H
#define INDIUM_AGX_SHADER_SEPARATE_H

#include "gallium/drivers/asahi/program/agx_graphics_program.h"
#include "util/arena.h"

/* A shader without what stands ahead of it, or after it (agx_part.h), and what whoever completes it must know. */
struct agx_body {
   struct arena arena;
   struct agx_output output;
   struct agx_arguments arguments;
   uint32_t locations;            /* bits: attributes that a vertex shader reads */
   struct agx_fragment_info info; /* of a fragment shader */
   bool per_sample;               /* likewise: it runs for samples */
   enum nir_depth_layout depth_layout;
};

/* One after the last location. */
static inline unsigned
agx_body_locations_end(const struct agx_body *body)
{
   return body->locations ? 32 - (unsigned)__builtin_clz(body->locations) : 0;
}

/* Programs that are linked from it keep it. */
struct agx_shader {
   uint32_t references;
   enum nir_stage stage;
   struct agx_body *body;                /* NULL: the shader is complete */
   struct agx_program program;           /* only of this stage; of an incomplete shader, its texts */
   struct agx_graphics_program graphics; /* what the stage says of draws */
   /* Vertex: */
   struct agx_primitives prims;
   struct agx_vertex_outputs outputs;
   /* Fragment: */
   struct agx_fragment_reads reads;
   struct agx_fragment_registers registers;
   uint32_t samples; /* AGX_LINK_SAMPLES */
   bool loads_varyings;
};
PIPE_HANDLE(agx, shader)

/* What links tell a fragment shader of its samples. */
void agx_shader_samples(struct agx_shader *stage, const struct agx_fragment_key *key);

/* NULL is fine. */
void agx_shader_unref(struct agx_screen *screen, struct agx_shader *stage);

enum pipe_result agx_graphics_program_link(struct pipe_screen *screen, struct pipe_shader *const shaders[NIR_STAGES],
                                           struct pipe_program **program);

/* agx_shader_complete.c */
enum pipe_result agx_shader_complete(struct pipe_screen *screen, struct pipe_shader *incomplete,
                                     const struct pipe_graphics_options *options, struct pipe_shader **complete);
enum pipe_result agx_shader_prepare(struct pipe_screen *screen, enum nir_stage stage,
                                    const struct pipe_graphics_options *options);

void agx_init_shader_separate(struct agx_screen *screen);

#endif
