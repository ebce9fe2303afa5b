/* One row per chip: what the kernel driver reports of it. The rows are in chips.toml. */
#ifndef INDIUM_AMD_HW_CHIPS_H
#define INDIUM_AMD_HW_CHIPS_H

#include <stdint.h>

#include "amd/hw/gen.h"

#define AMD_PCI_VENDOR 0x1002 /* PCI-SIG's list of vendors */

struct amd_firmware {
   uint32_t version, feature;
};

/* Field names and layouts follow the kernel's DEV_INFO query where it has them. */
struct amd_chip {
   const char *name;       /* navi21 */
   const char *gfx_target; /* gfx1030: LLVM's name of the instruction set */
   enum amd_gen gen;

   /* PCI identity. other_device_ids: further ids of the same row, 0 after the last. */
   uint16_t device_id, other_device_ids[4];
   uint8_t pci_rev;
   uint16_t subsystem_vendor, subsystem_id;

   /* Kernel identity; the driver tells chips apart by family and external_rev within [first, last]. */
   uint32_t family, external_rev, external_rev_first, external_rev_last, chip_rev;
   uint32_t hw_ip_major, hw_ip_minor, ip_discovery_version;
   uint32_t sdma_version, sdma_rings; /* as ip_discovery_version: major 23:16, minor 15:8, revision 7:0 */

   uint32_t num_se, num_sa_per_se, num_cu_per_sa, num_cu_active;
   uint32_t cu_bitmap[4][4]; /* [se % 4][se / 4 * 2 + sa] */
   uint32_t num_rb_pipes, enabled_rb_pipes_mask, num_tcc_blocks, gb_addr_config;

   uint32_t gpu_counter_freq_kHz;
   uint64_t max_engine_clock_kHz, max_memory_clock_kHz;
   uint32_t vram_type, vram_bit_width; /* vram_type: AMDGPU_VRAM_TYPE_* of the UAPI */
   uint64_t vram_B, visible_vram_B, gtt_B;

   uint64_t ids_flags; /* 1 APU, 4 TMZ, 8 conformant truncation of coordinates */
   uint32_t wave_front_size, num_shader_visible_vgprs, ce_ram_B;
   uint32_t gc_double_offchip_lds_buf, pa_sc_tile_steering_override;
   uint32_t tcp_cache_KiB, gl1c_cache_KiB, gl2c_cache_KiB, sqc_data_cache_KiB, sqc_inst_cache_KiB, num_sqc_per_wgp;
   uint64_t mall_B;
   uint32_t low_ls_vgprs;        /* 1: erratum gfx9-ls-vgprs */
   uint32_t rolls_lose_scissors; /* 1: erratum gfx9-scissors */
   uint32_t has_etc2;            /* 1: textures of ETC2 and EAC blocks */
   uint32_t out_of_order;        /* 1: primitives may be rasterised in another order than they come in */
   uint32_t bad_dcc_loads;       /* 1: erratum image-load-dcc */
   uint32_t more_vgprs;          /* 1: half as many again as others of the generation (observed: RADV) */

   /* Ranges of GPU addresses open to user space: [first, end). */
   uint64_t va_first, va_end, high_va_first, high_va_end;

   struct amd_firmware me, pfp, mec;
};

/* Compute units of a shader array, a bit each. */
static inline uint32_t
amd_chip_cu_bits(const struct amd_chip *chip, unsigned se, unsigned sa)
{
   return chip->cu_bitmap[se % 4][se / 4 * 2 + sa];
}

extern const struct amd_chip amd_chips[];
extern const unsigned amd_chip_count;

/* NULL if no row has the name. */
const struct amd_chip *amd_chip_by_name(const char *name);

/* The row whose family and external_rev range match what a device reports, or NULL. */
const struct amd_chip *amd_chip_by_revision(uint32_t family, uint32_t external_rev);

#endif
