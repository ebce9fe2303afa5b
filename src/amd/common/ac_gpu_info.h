/* What a driver wants to know of a GPU, derived from what the kernel reports. Comparisons of generations happen where
 * this structure is filled; everybody else asks for a capability. */
#ifndef INDIUM_AC_GPU_INFO_H
#define INDIUM_AC_GPU_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "amd/common/ac_pops_caps.h"
#include "amd/hw/traits_driver.h"

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
   union { /* of the generation, each a member of this struct, too */
      struct ac_gpu_traits traits;
      struct {
         AC_GPU_TRAITS_MEMBERS
      };
   };
   const char *name; /* "navi21" */
   uint32_t num_se, num_cu;
   uint32_t num_rb; /* as many slots an occlusion query has: 16 bytes each */
   uint32_t enabled_rb_mask;
   uint32_t gb_addr_config;
   uint32_t address32_hi;
   uint32_t clock_kHz;
   bool apu;
   bool rolls_lose_scissors;     /* erratum gfx9-scissors */
   bool has_etc2;                /* textures of ETC2 and EAC blocks */
   bool low_ls_vgprs;            /* erratum gfx9-ls-vgprs */
   bool out_of_order;            /* primitives may be rasterised in another order than they come in */
   bool stores_spoil_loads;      /* erratum image-load-dcc */
   bool more_vgprs;              /* half as many again as others of the generation (observed: RADV) */
   uint8_t max_tiles_in_wave[4]; /* with depth targets, by log2 of samples; 0: any */
   uint32_t lds_granularity_B;
   uint32_t raw_buffer_word3; /* ac_raw_buffer_word3() */
   uint32_t byte_word3;       /* of V# of single bytes, where aligned_formats; else 0 */
   const struct ac_pops_caps *pops;
};

/* False if no chip of the table matches, its generation has no column in the tables, or its tiled layouts no rows. */
bool ac_gpu_info_init(struct ac_gpu_info *info, const struct ac_gpu_source *source);

/* VGPRs field of *_PGM_RSRC1. */
uint32_t ac_vgpr_granules(unsigned num_vgprs, unsigned wave_size);

#endif
