#include "amd/sim/cache/order.h"
#include "amd/sim/sdma/sdma_private.h"

bool
sdma_memory_read(struct amd_sdma *sdma, struct sim_va va, void *data, uint64_t size_B)
{
   struct amd_gpu *gpu = sdma->gpu;
   struct sim_va at;
   uint64_t tag = amd_order_check(gpu->caches, gpu->slot, AMD_ENGINE_ME, va, size_B, &at);
   if (tag)
      return amd_order_fault(gpu->caches, tag, at, "read", gpu->fault);
   return sim_vm_read(gpu->vm, va, data, size_B, &at) ||
          sim_fault_set(gpu->fault, SIM_FAULT_ADDRESS, at, "read of unmapped address 0x%012lx", (long)at.va);
}

bool
sdma_memory_write(struct amd_sdma *sdma, struct sim_va va, const void *data, uint64_t size_B)
{
   struct amd_gpu *gpu = sdma->gpu;
   struct sim_va at;
   amd_caches_write(gpu->caches, va, size_B);
   return sim_vm_write(gpu->vm, va, data, size_B, &at) ||
          sim_fault_set(gpu->fault, SIM_FAULT_STORE, at, "write to unmapped address 0x%012lx", (long)at.va);
}

void
sdma_memory_begin(struct amd_sdma *sdma)
{
   amd_order_begin(sdma->gpu->caches, sdma->gpu->slot, sdma->packet_name, sdma->packet_va, false);
}

bool
sdma_memory_write_late(struct amd_sdma *sdma, struct sim_va va, const void *data, uint64_t size_B)
{
   struct amd_caches *caches = sdma->gpu->caches;
   if (!sdma_memory_write(sdma, va, data, size_B))
      return false;
   amd_order_mark(caches, amd_order_tag(caches, AMD_WRITER_SDMA), va, size_B);
   return true;
}
