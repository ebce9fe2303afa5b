/* Pixel waves. Internal to spi_ps*.c. */
#ifndef INDIUM_AMD_SIM_SPI_PS_H
#define INDIUM_AMD_SIM_SPI_PS_H

#include "amd/sim/draw/pipeline.h"

enum {
   AMD_EXPORT_SLOTS = AMD_MAX_TARGETS + 1, /* MRT0 to 7, MRTZ */
   AMD_EXPORT_Z = AMD_MAX_TARGETS,
};

/* What a wave exported. */
struct amd_wave_out {
   uint64_t exec;           /* pixels that live */
   uint16_t present, compr; /* bit per slot */
   uint8_t en[AMD_EXPORT_SLOTS];
};

/* Primitives of a wave: list[first .. first + count). */
struct amd_wave_prims {
   uint32_t first, count;
};

/* One run of pixel waves over quads [first, first + count) of the batch. */
struct amd_launch {
   struct amd_pipeline *p;
   uint32_t first, count, quads_per_wave;
   /* With ordered sections a wave's quads lie apart: pops.order, and place of each quad. Else NULL, and quads fill
    * waves one after another. */
   const uint32_t *place;
   struct amd_pops_launch pops;
   const struct amd_wave_prims *wave_prims;
   const uint32_t *prim_list;
   float *params;
   uint32_t prim_floats; /* parameter floats of a primitive */
   struct amd_wave_out *out;
   uint32_t *values; /* [wave][slot index][component][lane] */
   uint8_t slot_index[AMD_EXPORT_SLOTS];
   uint16_t halves; /* slots whose format says that they hold pairs */
   uint32_t slots;
};

static inline uint32_t
amd_launch_quad_count(const struct amd_launch *l, uint32_t wave)
{
   uint32_t rest = l->count - wave * l->quads_per_wave;
   return l->place ? l->pops.waves[wave].count : rest < l->quads_per_wave ? rest : l->quads_per_wave;
}

/* Quad i of a wave. */
static inline const struct amd_quad *
amd_launch_quad(const struct amd_launch *l, uint32_t wave, uint32_t i)
{
   uint32_t index = l->place ? l->pops.order[l->pops.waves[wave].first + i] : wave * l->quads_per_wave + i;
   return dynarray_at(&l->p->memory->quads, struct amd_quad, l->first + index);
}

/* Starting registers of a wave. */
void amd_spi_ps_start(void *launch, uint32_t group, uint32_t wave, uint32_t scratch_slot,
                      struct amd_wave_start *start);

/* Keeps what a wave has exported: of struct amd_wave_launch. */
void amd_spi_ps_retire(void *launch, uint32_t group, uint32_t wave, const struct amd_wave_result *result);

/* Late depth and colour of the launch's quads, bins in parallel. */
void amd_spi_ps_commit(struct amd_launch *launch);

/* What one bin's quads share. */
struct amd_commit {
   const struct amd_launch *l;
   bool tiles; /* quads of a tile go together */
   struct amd_htile_memo htile;
   uint64_t samples_passed;
};

/* What the lanes of a quad exported: components of 32 bits each, floats, or integers for the integer formats. */
void amd_spi_ps_read_export(const struct amd_launch *l, uint32_t wave, unsigned slot, unsigned lane, unsigned format,
                            v4u value[4]);

/* spi_ps_tile.c: whether the launch's quads can go as tiles. */
bool amd_spi_ps_takes_tiles(const struct amd_launch *launch);
/* Commits the quads from index on, below end, that follow each other in a tile and a wave: how many. 0: the quad goes
 * alone. */
uint32_t amd_spi_ps_commit_tile(struct amd_commit *commit, uint32_t index, uint32_t end);

#endif
