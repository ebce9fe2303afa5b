/* What the kernel's amdgpu_drm.h has for DRM 3.64. Debian 12's header lacks it, Debian 13's has a part of it. */
#ifndef INDIUM_AMD_DRM_SHIM_NEWER_UAPI_H
#define INDIUM_AMD_DRM_SHIM_NEWER_UAPI_H

#include <amdgpu_drm.h>
#include <stdint.h>

/* Numbers of ioctls. */
#define AMD_USERQ 0x16
#define AMD_USERQ_SIGNAL 0x17
#define AMD_USERQ_WAIT 0x18

#define AMD_GEM_CREATE_DISCARDABLE (1u << 12)
#define AMD_GEM_CREATE_GFX12_DCC (1u << 16)
#define AMD_VM_PAGE_NOALLOC (1u << 9)

/* Queries of AMDGPU_INFO. */
#define AMD_INFO_MAX_IBS 0x22
#define AMD_INFO_GPUVM_FAULT 0x23
#define AMD_INFO_UQ_FW_AREAS 0x24

/* drm_amdgpu_gem_va */
struct amd_gem_va_args {
   struct drm_amdgpu_gem_va base;
   uint64_t timeline_point;
   uint32_t timeline_syncobj; /* 0: none */
   uint32_t input_count;
   uint64_t inputs; /* uint32_t[input_count], handles of syncobjs */
};
_Static_assert(sizeof(struct drm_amdgpu_gem_va) == 40, "without the timeline");
_Static_assert(sizeof(struct amd_gem_va_args) == 64, "the part that DRM 3.64 has");

/* drm_amdgpu_info_hw_ip */
struct amd_hw_ip {
   union {
      struct drm_amdgpu_info_hw_ip base;
      struct {
         uint32_t older[7];
         uint32_t ip_discovery_version; /* _pad in Debian 12's header */
      };
   };
   uint32_t userq_slots;
};
_Static_assert(sizeof(struct drm_amdgpu_info_hw_ip) == 32, "without slots");

/* drm_amdgpu_info_gpuvm_fault */
struct amd_vm_fault {
   uint64_t va;     /* of the page, without the sign */
   uint32_t status; /* GCVM_L2_PROTECTION_FAULT_STATUS; 0: there was no fault */
   uint32_t hub;    /* 0: of graphics, 1: of memory, where SDMA 4 is */
};

#endif
