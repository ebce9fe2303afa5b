/* Packets of SDMA. Internal to this folder. */
#ifndef INDIUM_AMD_SIM_SDMA_PRIVATE_H
#define INDIUM_AMD_SIM_SDMA_PRIVATE_H

#include "amd/sim/sdma/sdma.h"
#include "amd/sim/surface/meta.h"
#include "sim/texel/texel.h"

/* words: the whole packet of `count` dwords, checked against the table. */
typedef bool (*sdma_handler)(struct amd_sdma *sdma, const uint32_t *words, uint32_t count);

/* sdma_copy.c: one after another in memory */
bool sdma_copy_linear(struct amd_sdma *sdma, const uint32_t *words, uint32_t count);
bool sdma_constant_fill(struct amd_sdma *sdma, const uint32_t *words, uint32_t count);
bool sdma_write(struct amd_sdma *sdma, const uint32_t *words, uint32_t count);
/* sdma_window.c: boxes of surfaces */
bool sdma_copy_linear_window(struct amd_sdma *sdma, const uint32_t *words, uint32_t count);
bool sdma_copy_tiled_window(struct amd_sdma *sdma, const uint32_t *words, uint32_t count);
bool sdma_copy_tiled_to_tiled(struct amd_sdma *sdma, const uint32_t *words, uint32_t count);
/* sdma_sync.c */
bool sdma_nop(struct amd_sdma *sdma, const uint32_t *words, uint32_t count);
bool sdma_fence(struct amd_sdma *sdma, const uint32_t *words, uint32_t count);
bool sdma_poll(struct amd_sdma *sdma, const uint32_t *words, uint32_t count);
bool sdma_timestamp(struct amd_sdma *sdma, const uint32_t *words, uint32_t count);
bool sdma_atomic(struct amd_sdma *sdma, const uint32_t *words, uint32_t count);

/* sdma_memory.c: faults on unmapped addresses and on copies that are under way there. */
bool sdma_memory_read(struct amd_sdma *sdma, struct sim_va va, void *data, uint64_t size_B);
bool sdma_memory_write(struct amd_sdma *sdma, struct sim_va va, const void *data, uint64_t size_B);
/* The packet's writes continue after it: begins them; one of them. */
void sdma_memory_begin(struct amd_sdma *sdma);
bool sdma_memory_write_late(struct amd_sdma *sdma, struct sim_va va, const void *data, uint64_t size_B);

/* sdma_dcc.c: colours that metadata stands for. */
struct sdma_dcc {
   uint64_t meta_va;
   uint32_t data_format, number_type, surface_type;
   bool alpha_is_on_msb, pipe_aligned, write_compress;
   /* Of the level; sdma_dcc_init sets them: */
   bool plain; /* it has none */
   struct sim_texel_format format;
   struct amd_meta meta;
};
/* Of a packet's last dwords. */
struct sdma_dcc sdma_dcc_unpack(const uint32_t *end);
bool sdma_dcc_init(struct amd_sdma *sdma, struct sdma_dcc *dcc, const struct amd_surface_desc *desc,
                   const struct amd_surface *surface, unsigned level);
/* A texel of the surface, at its coordinates. */
bool sdma_dcc_read(struct amd_sdma *sdma, const struct sdma_dcc *dcc, const struct amd_surface *surface,
                   const uint32_t at[3], uint8_t *texel);
/* Before a write there: its 256 bytes are plain afterwards. */
bool sdma_dcc_open(struct amd_sdma *sdma, const struct sdma_dcc *dcc, const struct amd_surface *surface,
                   const uint32_t at[3]);

bool sdma_refuse(struct amd_sdma *sdma, const char *what, uint32_t value);

#endif
