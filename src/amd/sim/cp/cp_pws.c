/* Pixel wait sync of GFX11: RELEASE_MEM counts, ACQUIRE_MEM waits for one of its counts, and no memory is written.
 * What has been counted is what the release waited for; order.h remembers it under addresses that nothing maps. All
 * stages that may wait are taken as the micro engine, but for the prefetch parser. */
#include "amd/hw/pm4.h"
#include "amd/hw/registers.h"
#include "amd/sim/cp/cp.h"

enum { KEPT = 64 }; /* counts that can be waited for: PWS_COUNT has 6 bits */

static struct sim_va
place(const struct amd_cp *cp, uint32_t counter, uint32_t number)
{
   return sim_va(UINT64_C(1) << 63 | (uint64_t)cp->gpu->slot << 32 | counter << 16 | (number % KEPT) << 2);
}

static uint32_t
counter_of(uint32_t event)
{
   return event == V_PS_DONE ? V_PWS_COUNTER_PS : event == V_CS_DONE ? V_PWS_COUNTER_CS : V_PWS_COUNTER_TS;
}

void
amd_cp_pws_release(struct amd_cp *cp, uint32_t event, unsigned writers)
{
   uint32_t counter = counter_of(event);
   amd_order_release(cp->gpu->caches, cp->gpu->slot, writers, place(cp, counter, ++cp->ring->pws[counter]));
}

/* PWS_COUNT: how many newer counts may be under way. */
bool
amd_cp_pws_acquire(struct amd_cp *cp, const struct amd_pm4_acquire_mem *packet)
{
   const uint32_t counter = packet->pws_counter_sel, newer = packet->pws_count;
   if (counter > V_PWS_COUNTER_CS)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "the model does not have PWS counter %u",
                           counter);
   if (newer < cp->ring->pws[counter])
      amd_order_seen(cp->gpu->caches, cp->gpu->slot, place(cp, counter, cp->ring->pws[counter] - newer));
   return true;
}
