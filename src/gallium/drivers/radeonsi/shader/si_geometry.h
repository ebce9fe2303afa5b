/* Geometry shaders: in the legacy pipeline, and in NGG. */
#ifndef INDIUM_SI_GEOMETRY_H
#define INDIUM_SI_GEOMETRY_H

#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "gallium/drivers/radeonsi/si_abi.h"

/* What a subgroup of ES-GS waves has at most: vertices in LDS, primitives, and threads of these. */
struct si_gs_subgroup {
   unsigned vertices, primitives, threads;
};

/* vertex_B: of a vertex in LDS. */
struct si_gs_subgroup si_gs_subgroup(const struct nir_shader_info *gs, uint32_t vertex_B);

/* The same in NGG, where what is made lies in LDS too (place_B: of a vertex of that), from si_ngg_gs_taken_B() on.
 * alone: each thread has a subgroup of its own. */
struct si_ngg_gs {
   struct si_gs_subgroup taken;
   unsigned made; /* vertices and primitives */
   bool alone;
};
struct si_ngg_gs si_ngg_gs(const struct nir_shader_info *gs, uint32_t vertex_B, uint32_t place_B);
uint32_t si_ngg_gs_taken_B(const struct nir_shader_info *gs, uint32_t vertex_B);
uint32_t si_ngg_gs_lds_B(const struct nir_shader_info *gs, uint32_t vertex_B, uint32_t place_B);
/* VGT_GS_OUT_PRIM_TYPE. */
uint32_t si_gs_output_type(const struct nir_shader_info *gs);

/* All registers of the ES-GS stage but for the copy shader's. */
void si_geometry_registers(struct si_program *program, const struct si_screen *screen, const struct aco_stage *stage,
                           const struct aco_output *out, const struct si_gs_layout *layout);

/* What primitives of the geometry shader are like: lists, or strips. */
enum pipe_topology si_gs_topology(unsigned output);

/* The size of the ring, and its argument in the user SGPRs of a stage, whose registers are there already. */
uint32_t si_gsvs_ring_B(const struct si_screen *screen);
void si_program_ring_argument(struct si_program *program, const struct si_screen *screen, enum aco_hw_stage hw);

#endif
