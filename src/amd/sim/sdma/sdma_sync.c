#include "amd/hw/pm4.h"
#include "amd/hw/sdma.h"
#include "amd/sim/cache/order.h"
#include "amd/sim/cp/atomic.h"
#include "amd/sim/cp/poll.h"
#include "amd/sim/sdma/sdma_private.h"

static void
wait_for_copies(struct amd_sdma *sdma)
{
   amd_order_wait(sdma->gpu->caches, sdma->gpu->slot, 1u << AMD_WRITER_SDMA);
}

/* Source: RADV and radeonsi, which wait for pending copies by it. */
bool
sdma_nop(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   wait_for_copies(sdma);
   return true;
}

bool
sdma_fence(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   const struct amd_sdma_fence packet = amd_sdma_fence_unpack(sdma->gpu->model->gen, words);
   wait_for_copies(sdma);
   return sdma_memory_write(sdma, sim_va(packet.address), &packet.data, 4);
}

/* The places of its functions are those of WAIT_REG_MEM. */
bool
sdma_poll(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   enum { FOR_EVER = 0xfff };
   const struct amd_sdma_poll_regmem packet = amd_sdma_poll_regmem_unpack(sdma->gpu->model->gen, words);
   if (!packet.memory)
      return sdma_refuse(sdma, "POLL_REGMEM of a register", (uint32_t)packet.address);
   if (packet.function > V_WAIT_GREATER)
      return sdma_refuse(sdma, "POLL_REGMEM FUNCTION", packet.function);
   if (packet.count != FOR_EVER)
      return sdma_refuse(sdma, "POLL_REGMEM that gives up: retries", packet.count);
   const struct amd_poll poll = {.va = sim_va(packet.address),
                                 .function = packet.function,
                                 .reference = packet.reference,
                                 .mask = packet.mask,
                                 .wait = sdma->wait,
                                 .wait_data = sdma->wait_data};
   return amd_poll(sdma->gpu, &poll);
}

bool
sdma_timestamp(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   const struct amd_sdma_timestamp packet = amd_sdma_timestamp_unpack(sdma->gpu->model->gen, words);
   uint64_t time = amd_gpu_clock(sdma->gpu);
   return sdma_memory_write(sdma, sim_va(packet.address), &time, 8);
}

bool
sdma_atomic(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   const struct amd_sdma_atomic packet = amd_sdma_atomic_unpack(sdma->gpu->model->gen, words);
   const unsigned size_B = amd_atomic_size_B(packet.atomic);
   const struct sim_va va = sim_va(packet.address);
   uint64_t value = 0;
   if (!size_B)
      return sdma_refuse(sdma, "ATOMIC operation", packet.atomic);
   if (packet.loop)
      return sdma_refuse(sdma, "ATOMIC that loops", 1);
   if (!sdma_memory_read(sdma, va, &value, size_B))
      return false;
   value = amd_atomic_result(packet.atomic, value, packet.src, packet.cmp);
   return sdma_memory_write(sdma, va, &value, size_B);
}
