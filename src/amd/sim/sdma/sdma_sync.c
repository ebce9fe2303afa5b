#include "amd/hw/pm4.h"
#include "amd/hw/sdma.h"
#include "amd/sim/cache/order.h"
#include "amd/sim/cp/atomic.h"
#include "amd/sim/cp/poll.h"
#include "amd/sim/sdma/sdma_private.h"

static void
wait_for_copies(struct amd_sdma *sdma)
{
   amd_order_wait(sdma->gpu->caches, sdma->gpu->ring, 1u << AMD_WRITER_SDMA);
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
   wait_for_copies(sdma);
   return sdma_memory_write(sdma, sdma_va(&words[1]), &words[3], 4);
}

/* The places of its functions are those of WAIT_REG_MEM. */
bool
sdma_poll(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   enum { FOR_EVER = 0xfff };
   uint32_t function = G_SDMA_POLL_REGMEM_HEADER_FUNCTION(words[0]);
   uint32_t retries = G_SDMA_POLL_REGMEM_RETRY_COUNT(words[5]);
   if (!G_SDMA_POLL_REGMEM_HEADER_MEMORY(words[0]))
      return sdma_refuse(sdma, "POLL_REGMEM of a register", words[1]);
   if (function > V_WAIT_GREATER)
      return sdma_refuse(sdma, "POLL_REGMEM FUNCTION", function);
   if (retries != FOR_EVER)
      return sdma_refuse(sdma, "POLL_REGMEM that gives up: retries", retries);
   const struct amd_poll poll = {.va = sdma_va(&words[1]),
                                 .function = function,
                                 .reference = words[3],
                                 .mask = words[4],
                                 .wait = sdma->wait,
                                 .wait_data = sdma->wait_data};
   return amd_poll(sdma->gpu, &poll);
}

bool
sdma_timestamp(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   uint64_t time = amd_gpu_clock(sdma->gpu);
   return sdma_memory_write(sdma, sdma_va(&words[1]), &time, 8);
}

bool
sdma_atomic(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   uint32_t op = G_SDMA_ATOMIC_HEADER_ATOMIC(words[0]);
   unsigned size_B = amd_atomic_size_B(op);
   struct sim_va va = sdma_va(&words[1]);
   uint64_t value = 0, operand = sdma_va(&words[3]).va, compare = sdma_va(&words[5]).va;
   if (!size_B)
      return sdma_refuse(sdma, "ATOMIC operation", op);
   if (G_SDMA_ATOMIC_HEADER_LOOP(words[0]))
      return sdma_refuse(sdma, "ATOMIC that loops", 1);
   if (!sdma_memory_read(sdma, va, &value, size_B))
      return false;
   value = amd_atomic_result(op, value, operand, compare);
   return sdma_memory_write(sdma, va, &value, size_B);
}
