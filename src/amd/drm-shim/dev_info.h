/* The answer to AMDGPU_INFO_DEV_INFO of DRM 3.64. */
#ifndef INDIUM_AMD_DRM_SHIM_DEV_INFO_H
#define INDIUM_AMD_DRM_SHIM_DEV_INFO_H

#include <amdgpu_drm.h>
#include <stdint.h>

struct amd_dev_info {
   union {
      struct drm_amdgpu_info_device base; /* up to tcc_disabled_mask in Debian 12, up to csa_B in 13 */
      struct {
         uint32_t older[92];
         uint64_t min_engine_clock_kHz, min_memory_clock_kHz;
         uint32_t tcp_cache_KiB, num_sqc_per_wgp, sqc_data_cache_KiB, sqc_inst_cache_KiB, gl1c_cache_KiB;
         uint32_t gl2c_cache_KiB;
         uint64_t mall_B;
         uint32_t enabled_rb_pipes_mask_hi;
         uint32_t shadow_B, shadow_alignment_B, csa_B, csa_alignment_B;
         uint32_t userq_ips; /* 1 << AMDGPU_HW_IP_* */
         uint32_t padding[2];
      };
   };
};
_Static_assert(sizeof(struct amd_dev_info) == 448, "the part that DRM 3.64 has");

#endif
