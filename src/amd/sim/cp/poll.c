#include "amd/sim/cp/poll.h"

#include <assert.h>
#include <time.h>

#include "amd/hw/pm4.h"
#include "amd/sim/cache/order.h"
#include "amd/sim/draw/draw.h"

#define DEFAULT_LIMIT_MS 10000

bool
amd_poll_satisfied(uint32_t function, uint32_t value, uint32_t reference)
{
   switch (function) {
   case V_WAIT_LESS:
      return value < reference;
   case V_WAIT_LESS_EQUAL:
      return value <= reference;
   case V_WAIT_EQUAL:
      return value == reference;
   case V_WAIT_NOT_EQUAL:
      return value != reference;
   case V_WAIT_GREATER_EQUAL:
      return value >= reference;
   case V_WAIT_GREATER:
      return value > reference;
   case V_WAIT_ALWAYS:
      return true;
   }
   assert(!"refused before");
   return true;
}

static uint64_t
now_ms(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void
tell_end(struct amd_gpu *gpu, struct sim_va va, bool waited)
{
   uint64_t run_B;
   const void *host = gpu->wait_ended ? sim_vm_lookup(gpu->vm, va, SIM_READ, &run_B, NULL) : NULL;
   if (host)
      gpu->wait_ended(gpu->job, host, waited);
}

bool
amd_poll(struct amd_gpu *gpu, const struct amd_poll *poll)
{
   const unsigned limit_ms = gpu->wait_limit_ms ? gpu->wait_limit_ms : DEFAULT_LIMIT_MS;
   uint64_t end_ms = 0;
   bool waited = false;
   for (;;) {
      uint32_t value;
      struct sim_va bad;
      if (!sim_vm_read(gpu->vm, poll->va, &value, 4, &bad))
         return sim_fault_set(gpu->fault, SIM_FAULT_ADDRESS, bad, "read of unmapped address 0x%012lx", (long)bad.va);
      if (amd_poll_satisfied(poll->function, value & poll->mask, poll->reference)) {
         tell_end(gpu, poll->va, waited);
         amd_order_seen(gpu->caches, gpu->slot, poll->va);
         return true;
      }
      if (!end_ms) {
         end_ms = now_ms() + limit_ms;
         if (!amd_draws_wait(gpu))
            return false;
         continue;
      }
      if (now_ms() >= end_ms)
         return sim_fault_set(
            gpu->fault, SIM_FAULT_HANG, poll->va,
            "waited %u ms for memory at 0x%012lx: 0x%08x, wanted function %u of 0x%08x under mask 0x%08x", limit_ms,
            (long)poll->va.va, value, poll->function, poll->reference, poll->mask);
      waited = true;
      if (!poll->wait(poll->wait_data))
         return false;
   }
}
