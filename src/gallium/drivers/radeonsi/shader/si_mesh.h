/* Mesh shaders: workgroups in the place of vertices, or that start like those of compute shaders (info.mesh_groups).
 */
#ifndef INDIUM_SI_MESH_H
#define INDIUM_SI_MESH_H

#include "gallium/drivers/radeonsi/shader/si_program.h"

/* What NGG can address. Source: RADV. */
enum { SI_MESH_MAX_LDS_B = 32 * 1024 };

/* Memory for outputs that do not fit into LDS: subgroups in flight have different numbers (VGT_GS_MAX_WAVE_ID), each
 * with an entry that the largest outputs fit into: 256 vertices of 40 slots. Source: RADV. */
enum { SI_MESH_MEMORY_ENTRIES = 2048, SI_MESH_MEMORY_ENTRY_B = 256 * 40 * 16 };

/* What is in memory, and not in LDS. */
enum si_mesh_memory { SI_MESH_NONE, SI_MESH_VERTICES, SI_MESH_ALL /* but the first dword of primitives */ };

/* Where a mesh shader's outputs lie in LDS, and how it exports them. */
struct si_mesh_layout {
   uint64_t unread;                           /* slots that nothing reads */
   bool culls;                                /* primitives, by a byte of theirs */
   bool groups;                               /* info.mesh_groups */
   uint8_t layer_bit, rate_x_bit, rate_y_bit; /* of the second word of a primitive */
   struct si_gs_stream vertex, primitive;     /* of a vertex and of a primitive: filled by si_nir_lower_mesh() */
   enum si_mesh_memory in_memory;
   uint32_t info_B, vertices_B, primitives_B; /* of LDS or of the entry in memory */
   uint32_t bytes_B, end_B;                   /* of LDS: the first dword of primitives; the end */
   uint32_t memory_B;
   uint16_t threads; /* of the hardware's workgroup */
};

/* What its outputs are before they are known. read: slots that the fragment shader reads. */
struct si_mesh_layout si_mesh_layout(const struct ac_gpu_info *info, uint64_t read);

enum pipe_topology si_mesh_topology(const struct nir_shader_info *info);

/* Outputs and values of the system become what NGG has. False with *error set if the outputs are too large. */
bool si_nir_lower_mesh(struct nir_shader *shader, const struct si_nir_options *options, const char **error);

/* Of a primitive's first dword: not 0 culls it. */
enum { SI_MESH_CULL_BYTE = 3 };

/* The first word of a primitive by its first dword. A vertex that is not there would hang the hardware: it becomes
 * the last one. */
struct nir_def *si_nir_mesh_primitive(struct nir_builder *b, const struct si_mesh_layout *layout,
                                      struct nir_def *bytes, struct nir_def *vertices);
/* The second one: layer, viewport and rate, of the primitive's outputs; NULL: the shader writes none of them. */
struct nir_def *si_nir_mesh_payload(struct nir_builder *b, const struct si_mesh_layout *layout,
                                    struct nir_def *values[NIR_SLOT_COUNT][4]);

/* The address of the workgroup's entry in memory, 64 bits. */
struct nir_def *si_nir_mesh_memory(struct nir_builder *b, const struct si_nir_options *options);

/* A place for the address of the memory in the registers of a program that needs it, */
void si_program_mesh_memory_argument(struct si_program *program);
/* and the address there; makes the memory if need be. False when out of memory. */
bool si_program_place_mesh_memory(struct si_program *program, struct si_screen *screen);

/* Registers of the one stage that runs the mesh shader. */
void si_mesh_registers(struct si_program *program, const struct si_screen *screen, const struct aco_stage *stage,
                       const struct aco_output *out, const struct si_mesh_layout *layout);

#endif
