/* What a driver wants to know of a GPU, derived from what the kernel reports. Comparisons of generations happen where
 * this structure is filled; everybody else asks for a capability. */
#ifndef INDIUM_AC_GPU_INFO_H
#define INDIUM_AC_GPU_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "amd/common/ac_pops_caps.h"
#include "amd/hw/gen.h"

/* As the kernel reports it. */
struct ac_gpu_source {
   uint32_t family, external_rev;
   uint32_t num_se, num_sa_per_se, num_cu, num_rb;
   uint32_t enabled_rb_mask;
   uint32_t gb_addr_config;
   uint32_t address32_hi; /* high dword of the range of 32-bit addresses */
   uint32_t clock_kHz;    /* of timestamps */
   uint64_t ids_flags;
};

struct ac_gpu_info {
   enum amd_gen gen;
   const char *name; /* "navi21" */
   uint32_t num_se, num_cu;
   uint32_t num_rb; /* as many slots an occlusion query has: 16 bytes each */
   uint32_t enabled_rb_mask;
   uint32_t gb_addr_config;
   uint32_t address32_hi;
   uint32_t clock_kHz;
   bool apu;
   bool has_rbplus;               /* SX_PS_DOWNCONVERT and friends exist */
   bool empty_index_buffer_hangs; /* erratum gfx10-empty-index-buffer */
   bool rolls_lose_scissors;      /* erratum gfx9-scissors */
   bool out_of_order;             /* primitives may be rasterised in another order than they come in */
   bool has_interlock;            /* the compiler makes ordered sections */
   bool has_vgt;                  /* the vertex front end is VGT and IA of GFX9; else GE */
   bool cache_actions;            /* packets name caches in GFX9's way, and an end of the pipe needs ZPASS_DONE */
   bool rdna;                     /* memory in order, all SGPRs for each wave, and the fields of programs with that */
   bool levels_beside;            /* all levels of a surface lie in one plane */
   bool has_covered_centroid;     /* centroids can be told to be the centre of covered pixels */
   bool htile;                    /* depth is compressed, and textures read it so */
   bool dcc;                      /* colour, too */
   bool fdcc;                     /* FDCC_CONTROL has DCC, whose bytes know no formats; else DCC_CONTROL and INFO */
   bool overrides_fragments;      /* FDCC_CONTROL says how many fragments are compressed */
   bool dcc_one_element;          /* its bytes can say that all is as the first element */
   bool dcc_stores;               /* shaders store to compressed images */
   bool stores_spoil_loads;       /* erratum image-load-dcc */
   uint8_t dcc_block;             /* MAX_COMPRESSED_BLOCK_SIZE */
   uint32_t cb_dcc_control;       /* or CB_FDCC_CONTROL */
   bool rates_in_htile;           /* shading rates of 8x8 pixels are bits of HTILE */
   bool rate_images;              /* they are images of the scan converter's */
   bool has_ngg;                  /* vertices have the next-generation pipeline */
   bool ngg_only;                 /* and no other, and parameters are in the attribute ring */
   uint8_t ngg_reuse_depth;       /* PA_CL_NGG_CNTL.VERTEX_REUSE_DEPTH; 0: there is no such field */
   bool vertex_groups_hang;       /* erratum ge-vert-grp-size */
   bool has_eqaa;                 /* more samples than fragments: registers of CMASK and FMASK */
   bool has_depth_info;           /* DB_DEPTH_INFO */
   bool iterates_256;             /* DB and textures of compressed depth with samples want ITERATE_256 */
   bool always_iterates_256;      /* DB of all depth */
   bool few_planes_4x;            /* erratum two-planes-iterate256 */
   bool plain_d16_4x;             /* erratum gfx9-d16-4x */
   bool has_scratch_base;         /* registers say where scratch is, and waves find it by themselves */
   bool counts_pixel_pipes;       /* samples are counted as PIXEL_PIPE_STAT_CONTROL says */
   uint8_t max_tiles_in_wave[4];  /* with depth targets, by log2 of samples; 0: any */
   uint32_t num_statistics;       /* counters that SAMPLE_PIPELINESTAT writes */
   uint32_t simds_per_cu;
   uint32_t lds_granularity_B;
   uint32_t scratch_granularity_B; /* of the size field of a scratch ring, for each wave */
   uint32_t raw_buffer_word3;      /* ac_raw_buffer_word3() */
   const struct ac_pops_caps *pops;
};

/* False if no chip of the table matches, its generation has no column in the tables, or its tiled layouts no rows. */
bool ac_gpu_info_init(struct ac_gpu_info *info, const struct ac_gpu_source *source);

/* VGPRs field of *_PGM_RSRC1. */
uint32_t ac_vgpr_granules(unsigned num_vgprs, unsigned wave_size);

#endif
