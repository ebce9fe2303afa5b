/* Reads of compressed images: what metadata says in place of texels. Internal to the texture unit. */
#ifndef INDIUM_AMD_SIM_TEX_META_H
#define INDIUM_AMD_SIM_TEX_META_H

#include "amd/sim/tex/tex_image.h"

/* The descriptor's metadata; its surface is decoded. False after a fault. */
bool tex_meta_decode(struct tex_image *image, struct sim_fault *fault);

/* Of a level whose surface is there. */
bool tex_meta_level(struct tex_image *image, struct tex_level *level, unsigned number, struct sim_fault *fault);

/* Finds the memory. False after a fault. */
bool tex_meta_map(struct tex_image *image, const struct sim_vm *vm, struct sim_fault *fault);

/* True with the texel's bytes if metadata stands for it; else it is in memory. offset_B: its place there. *bad:
 * metadata that the model cannot read. */
bool tex_meta_texel(const struct tex_image *image, const struct tex_level *level, struct tex_place p,
                    uint64_t offset_B, uint8_t texel[16], bool *bad);

/* False with a fault where the chip reads something else (erratum image-load-dcc). */
bool tex_meta_can_read(const struct tex_image *image, struct sim_fault *fault);

/* Before a store to a texel: with WRITE_COMPRESS_ENABLE the 256 bytes around it are plain afterwards; without, the
 * store goes to memory, whatever metadata says of it. Host threads may do so at the same time. */
bool tex_meta_open(struct tex_image *image, const struct tex_level *level, const struct sim_vm *vm,
                   struct amd_cache_port *port, struct tex_place p, struct sim_fault *fault);

/* FMASK as shaders see it: four bits for each sample. */
uint32_t tex_meta_spread_fmask(const struct tex_image *image, uint32_t bits);

#endif
