/* Pixel waves. Internal to spi_ps*.c. */
#ifndef INDIUM_AMD_SIM_SPI_PS_H
#define INDIUM_AMD_SIM_SPI_PS_H

#include "amd/sim/batch/blocks.h"
#include "amd/sim/rb/rb.h"
#include "amd/sim/spi/spi_private.h"

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
   uint32_t first_bin; /* of the touched ones, while it is committed */
   /* With ordered sections a wave's quads are not adjacent: pops.order, and place of each quad. Else NULL, and quads
    * fill waves one after another. */
   const uint32_t *place;
   struct amd_pops_launch pops;
   /* Blocks in place of quads: from the one with the launch's first quad on; NULL: there are none. By wave, in which
    * of them its first quad is. */
   const struct amd_block *blocks;
   const uint32_t *wave_blocks;
   const struct amd_wave_prims *wave_prims;
   const uint32_t *prim_list;
   float *params;
   uint32_t prim_floats; /* parameter floats of a primitive */
   struct amd_wave_out *out;
   uint32_t *values; /* [wave][slot index][component][lane] */
   uint8_t slot_index[AMD_EXPORT_SLOTS];
   uint16_t halves; /* slots whose format says that they hold pairs */
   uint32_t slots;
   /* Where quads go by tiles, texels are kept in place of values: [wave][word of the wave's texels][lane]. */
   uint32_t *texels;
   uint8_t words, first_word[AMD_EXPORT_SLOTS], target[AMD_EXPORT_SLOTS]; /* whose a slot's texels are */
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

/* spi_ps.c: each wave's distinct primitives, in the order of its quads, or the blocks that it begins in. */
void amd_spi_ps_list_prims(struct amd_launch *launch, uint32_t waves);
/* spi_ps.c: room for what waves export: as values, or (tiles: if amd_spi_ps_takes_tiles()) as texels. */
void amd_spi_ps_allocate(struct amd_launch *launch, uint32_t waves, bool tiles);

/* Of the waves of the launch's quads, for which there is room; waves_alike: struct amd_wave_launch. */
struct amd_wave_launch amd_spi_ps_launch(struct amd_launch *launch, uint32_t waves, uint32_t waves_alike);

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
   struct amd_htile_memo htile;
   uint64_t samples_passed;
};

/* A slot's values: components of 64 lanes each, 2 of them if they are compressed. */
struct amd_export_lanes {
   const uint32_t (*v)[AMD_WAVE_MAX_LANES];
   uint8_t en;
   bool compressed, alpha_second; /* of 32_AR */
   uint8_t format;
};

/* What four lanes exported: components of 32 bits each, floats, or integers for the integer formats. */
void amd_spi_ps_read_export(const struct amd_export_lanes *lanes, unsigned lane, v4u value[4]);

/* What four lanes of a launch whose values are kept exported to a slot, zero if they did not. */
void amd_spi_ps_read_slot(const struct amd_launch *launch, uint32_t wave, unsigned slot, unsigned lane,
                          unsigned format, v4u value[4]);

/* The words of texels that a lane of a wave's slot has, quads_per_wave * 4 words apart. */
static inline uint32_t *
amd_launch_texels(const struct amd_launch *l, uint32_t wave, unsigned slot)
{
   return l->texels + ((size_t)wave * l->words + l->first_word[slot]) * l->quads_per_wave * 4;
}

/* Depth and colour of quad `index` of the launch. */
void amd_spi_ps_commit_quad(struct amd_commit *commit, const struct amd_quad *quad, uint32_t index);

/* spi_ps_block.c: where the launch's waves begin in the batch's blocks. */
void amd_spi_ps_place_blocks(struct amd_launch *launch, uint32_t waves);
/* Commits those quads of a block that are the launch's. next: the block after it, or NULL. */
/* The first of the blocks, which follow each other, that does not end before the quad; their end: none. */
const struct amd_block *amd_spi_ps_find_block(const struct amd_block *blocks, uint32_t count, uint32_t quad);
void amd_spi_ps_commit_block(struct amd_commit *commit, const struct amd_block *block, const struct amd_block *next);

/* spi_ps_tile.c: whether the launch's quads can go as tiles. */
bool amd_spi_ps_takes_tiles(const struct amd_launch *launch);
/* Makes texels of what a wave exported for a slot. lanes: which ones, a mask. */
void amd_spi_ps_encode(const struct amd_launch *launch, uint32_t wave, unsigned slot,
                       const struct amd_export_lanes *lanes, uint64_t which);
/* Commits the quads from index on, below end, that follow each other in a tile and a wave: how many. */
uint32_t amd_spi_ps_commit_tile(struct amd_commit *commit, uint32_t index, uint32_t end);

/* Where of a primitive's vertices the API's first one is. */
static inline unsigned
amd_first_vertex(const struct amd_pipeline *p)
{
   return p->state.clip.provoking_last && p->kind == AMD_PRIM_TRIANGLE;
}

/* SGPRs: user data, PRIM_MASK, COLLISION_WAVEID, INTRAWAVE_COLLISION (place after COLLISION_WAVEID: assumed), first
 * vertices (so in RADV), scratch offset. RSRC1 and RSRC2 say which are there; what the scan converter was not told to
 * compute is 0. */
void amd_spi_ps_start_sgprs(const struct amd_launch *l, uint32_t wave, uint32_t scratch_slot,
                            struct amd_wave_start *start);

/* A primitive's parameters, as waves find them in LDS: P0, P10 and P20 of each channel. */
void amd_spi_ps_fill_params(const struct amd_launch *l, const struct amd_prim *prim, float *params);

#endif
