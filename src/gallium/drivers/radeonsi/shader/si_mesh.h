/* Mesh shaders: workgroups in the place of vertices, or that start like those of compute shaders (info.mesh_groups).
 */
#ifndef INDIUM_SI_MESH_H
#define INDIUM_SI_MESH_H

#include "gallium/drivers/radeonsi/shader/si_program.h"

/* What NGG can address. Source: RADV. */
enum { SI_MESH_MAX_LDS_B = 32 * 1024 };

/* Where a mesh shader's outputs lie in LDS, and how it exports them. */
struct si_mesh_layout {
   uint64_t unread;                           /* slots that nothing reads */
   bool culls;                                /* primitives, by a byte of theirs */
   bool groups;                               /* info.mesh_groups */
   uint8_t layer_bit, rate_x_bit, rate_y_bit; /* of the second word of a primitive */
   struct si_gs_stream vertex, primitive;     /* of a vertex and of a primitive: filled by si_nir_lower_mesh() */
   uint32_t info_B, vertices_B, primitives_B, end_B;
   uint16_t threads; /* of the hardware's workgroup */
};

/* What its outputs are before they are known. read: slots that the fragment shader reads. */
struct si_mesh_layout si_mesh_layout(const struct ac_gpu_info *info, uint64_t read);

enum pipe_topology si_mesh_topology(const struct nir_shader_info *info);

/* Outputs and values of the system become what NGG has. False with *error set if the outputs are too large. */
bool si_nir_lower_mesh(struct nir_shader *shader, const struct si_nir_options *options, const char **error);

/* Registers of the one stage that runs the mesh shader. */
void si_mesh_registers(struct si_program *program, const struct si_screen *screen, const struct aco_stage *stage,
                       const struct aco_output *out, const struct si_mesh_layout *layout);

#endif
