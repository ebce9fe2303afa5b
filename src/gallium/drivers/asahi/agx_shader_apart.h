/* Shaders of graphics programs that are compiled apart (pipe_screen.shader_create). */
#ifndef INDIUM_AGX_SHADER_APART_H
#define INDIUM_AGX_SHADER_APART_H

#include "gallium/drivers/asahi/agx_graphics_program.h"

/* Programs that are linked from it keep it. */
struct agx_shader {
   uint32_t references;
   enum nir_stage stage;
   struct agx_program program;           /* of this stage alone */
   struct agx_graphics_program graphics; /* what the stage says of draws */
   /* Vertex: */
   enum pipe_topology topology;
   struct agx_vertex_leaves leaves;
   /* Fragment: */
   struct agx_fragment_reads reads;
   struct agx_fragment_registers registers;
   bool loads_varyings;
};
PIPE_HANDLE(agx, shader)

/* NULL is fine. */
void agx_shader_unref(struct agx_screen *screen, struct agx_shader *stage);

enum pipe_result agx_graphics_program_link(struct pipe_screen *screen, struct pipe_shader *vertex,
                                           struct pipe_shader *fragment, struct pipe_program **program);

void agx_init_shader_apart(struct agx_screen *screen);

#endif
