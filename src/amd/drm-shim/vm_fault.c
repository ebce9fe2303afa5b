/* What AMDGPU_INFO_GPUVM_FAULT tells of a fault. */
#include "amd/drm-shim/amd_shim.h"
#include "amd/hw/registers.h"
#include "sim/vm/vm.h"

/* Bits of PERMISSION_FAULTS (assumed, from kernel logs: 3 for reads and 5 for writes where nothing is mapped). */
#define FAULT_NOT_MAPPED 1u
#define FAULT_READ 2u
#define FAULT_WRITE 4u

#define CLIENT_UNKNOWN 0x1ffu /* the model does not tell which block it was: no client has this number */

#define SDMA_4 4u
#define HUB_GRAPHICS 0u
#define HUB_MEMORY 1u

void
amd_vm_fault_note(struct amd_job *job, const struct sim_fault *fault)
{
   bool writes = fault->kind == SIM_FAULT_STORE;
   if (fault->kind != SIM_FAULT_ADDRESS && !writes)
      return;
   struct sim_va page = sim_va(fault->va.va & ~(uint64_t)(AMD_PAGE_B - 1));
   bool mapped = sim_vm_lookup(job->file->vm, page, SIM_READ, NULL, NULL) ||
                 sim_vm_lookup(job->file->vm, page, SIM_WRITE, NULL, NULL);
   unsigned lacks = writes ? FAULT_WRITE : FAULT_READ;
   bool memory = job->ip == AMDGPU_HW_IP_DMA && amd_device.chip->sdma_version >> 16 == SDMA_4;
   job->file->vm_fault = (struct amd_vm_fault){
      .va = page.va & UINT64_C(0xffffffffffff),
      .status = S_GCVM_L2_PROTECTION_FAULT_STATUS_PERMISSION_FAULTS(lacks | (mapped ? 0 : FAULT_NOT_MAPPED)) |
                S_GCVM_L2_PROTECTION_FAULT_STATUS_CID(CLIENT_UNKNOWN) |
                S_GCVM_L2_PROTECTION_FAULT_STATUS_RW((unsigned)writes),
      .hub = memory ? HUB_MEMORY : HUB_GRAPHICS,
   };
}
