/* Shader processor input: waves of vertices, patches, primitives and pixels, and what becomes of their exports. */
#ifndef INDIUM_AMD_SIM_SPI_H
#define INDIUM_AMD_SIM_SPI_H

#include "amd/sim/batch/pipeline.h"

/* spi_hs.c: runs the LS-HS threadgroups of p->patches, from the start of their rings. */
bool amd_spi_run_patches(struct amd_pipeline *p);

/* The stages between ge and pa, by enum amd_vertex_path: from vertices_in, prims_in and corners to vertex_data and
 * prims_out. False after a fault. spi_vs.c: one vertex shader; gs.c: a geometry shader that writes the GSVS ring;
 * ngg.c: subgroups of ES-GS waves. */
bool amd_spi_run_vertices(struct amd_pipeline *p);
bool amd_spi_run_gs(struct amd_pipeline *p);
bool amd_spi_run_ngg(struct amd_pipeline *p);

/* spi_ps_alike.c: whether all pixels export the same, as the draw's state and its program say. */
enum amd_waves_alike amd_spi_ps_alike(struct amd_pipeline *p);
/* Shades and commits the bins' tiles. False after a fault. */
bool amd_spi_run_alike(struct amd_pipeline *p);

/* spi_ps.c: how many quads of the bins, or of their blocks, are to be shaded. False after a fault. */
bool amd_spi_count_quads(const struct amd_pipeline *p, uint32_t *quads);
/* Forms the waves of `count` quads from `first` on: memory->launch, memory->wave_launch. No launch uses these. */
void amd_spi_form_launch(struct amd_pipeline *p, uint32_t first, uint32_t count);
/* When the waves of memory->launch have ended: depth and colour. */
void amd_spi_commit_launch(struct amd_pipeline *p);

#endif
