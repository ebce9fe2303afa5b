/* What the files of spi share. */
#ifndef INDIUM_AMD_SIM_SPI_PRIVATE_H
#define INDIUM_AMD_SIM_SPI_PRIVATE_H

#include "amd/sim/spi/spi.h"

enum { AMD_MERGED_SGPRS = 8 }; /* of LS-HS and ES-GS, ahead of user data */

/* spi_launch.c: what launches of a draw's shaders have in common: one wave a group. */
struct amd_wave_launch amd_spi_launch(const struct amd_pipeline *p, enum amd_stage stage);
/* Gives a wave its scratch, if its stage has any: in FLAT_SCRATCH, or as an offset in the SGPR. Returns whether the
 * SGPR has it. */
bool amd_spi_start_scratch(const struct amd_pipeline *p, enum amd_stage stage, uint32_t slot, unsigned sgpr,
                           struct amd_wave_start *start);
/* Whether a stage has a program, and no more arguments than there can be. */
bool amd_spi_check_stage(const struct amd_pipeline *p, enum amd_stage stage);

/* Garbage for lanes [first, end) of the VGPRs that a wave starts with: they have no thread, or nothing is given. */
void amd_spi_leave_lanes(struct amd_wave_start *start, unsigned first, unsigned end);

/* Vertices and primitives of the VS stage. */
struct amd_vs_input {
   const uint32_t *vertices; /* NULL: all of vertices_in */
   uint32_t vertex_count;
   const uint32_t *corners; /* prim_vertices each: places among the vertices */
   uint32_t prim_count, prim_vertices;
   const struct amd_prim_in *prims; /* NULL: with all edges */
   bool copy;                       /* vertices are places in the GSVS ring (dwords) */
   uint8_t stream;
};
/* spi_vs.c: stream output, and what the rasteriser takes to vertex_data and prims_out. */
bool amd_spi_run_vs(struct amd_pipeline *p, const struct amd_vs_input *in);
/* The VGPRs of a vertex by its number in vertices_in: those of the VS stage, or of ES from its first one. */
void amd_spi_vertex_args(const struct amd_pipeline *p, uint32_t vertex, uint32_t args[4]);

/* The next primitives of a stream. */
struct amd_strmout_run {
   unsigned stream;
   uint32_t vertices;     /* that are written, from the first on */
   uint32_t first_vertex; /* its index */
   uint32_t offset_dw[AMD_STRMOUT_BUFFERS];
};
/* strmout.c: counts primitives, and takes their place in the buffers. False: the stream is not written. */
bool amd_strmout_begin(struct amd_pipeline *p, unsigned stream, uint32_t prims, uint32_t prim_vertices,
                       struct amd_strmout_run *run);
/* The SGPR of a wave with `lanes` vertices, from the run's vertex `first` on. */
uint32_t amd_strmout_config(const struct amd_strmout_run *run, uint32_t first, uint32_t lanes);

/* spi_export.c: room for `count` more vertices in vertex_data, all zero; the number of the first. */
uint32_t amd_spi_add_vertices(struct amd_pipeline *p, uint32_t count);
/* Puts what a wave exported into vertex_data: position, misc vector, distances and parameters. Lane l is vertex
 * first + l. */
void amd_spi_store_export(struct amd_pipeline *p, const struct amd_wave_export *export, uint32_t first);

#endif
