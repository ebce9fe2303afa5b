/* Dispatch packets: operands from the packet, from compute registers and from indirect buffers. */
#include "amd/hw/pm4.h"
#include "amd/hw/registers.h"
#include "amd/sim/amd_sim.h"
#include "amd/sim/cp/cp.h"
#include "amd/sim/cp/dispatch.h"
#include "util/macros.h"

bool
amd_cp_run_dispatch(struct amd_cp *cp, const uint32_t dim[3], uint32_t initiator, const struct amd_group_range *range)
{
   const struct amd_regs *regs = &cp->ring->regs;
   struct amd_dispatch d = {
      .program = amd_regs_get_va(regs, R_COMPUTE_PGM_LO, R_COMPUTE_PGM_HI),
      .rsrc1 = amd_regs_get(regs, R_COMPUTE_PGM_RSRC1),
      .rsrc2 = amd_regs_get(regs, R_COMPUTE_PGM_RSRC2),
      .rsrc3 = amd_regs_get(regs, R_COMPUTE_PGM_RSRC3),
      .tmpring_size = amd_regs_get(regs, R_COMPUTE_TMPRING_SIZE),
      .initiator = initiator,
      .range = range,
      .chip = cp->gpu->chip,
      .border = amd_regs_get_va(regs, R_TA_CS_BC_BASE_ADDR, R_TA_CS_BC_BASE_ADDR_HI),
      .scratch = amd_regs_get_va(regs, R_COMPUTE_DISPATCH_SCRATCH_BASE_LO, R_COMPUTE_DISPATCH_SCRATCH_BASE_HI),
      .time = amd_gpu_clock(cp->gpu),
      .caches = cp->gpu->caches,
      .gds = cp->gpu->gds,
   };
   uint64_t threads = 1;
   for (unsigned i = 0; i < 3; i++) {
      d.num_thread[i] = amd_regs_get(regs, R_COMPUTE_NUM_THREAD_X + 4 * i);
      d.start[i] = amd_regs_get(regs, R_COMPUTE_START_X + 4 * i);
      d.dim[i] = dim[i];
      threads *= (uint64_t)dim[i] * G_COMPUTE_NUM_THREAD_X_NUM_THREAD_FULL(d.num_thread[i]);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(d.user_data); i++)
      d.user_data[i] = amd_regs_get(regs, R_COMPUTE_USER_DATA_0 + 4 * i);
   /* Compute rings: observed in RADV 25 and 26, which set the register instead of sending PIPELINESTAT_START. */
   bool counted_by_register =
      cp->gpu->ring != AMD_SIM_RING_GFX &&
      G_COMPUTE_PIPELINESTAT_ENABLE_PIPELINESTAT_ENABLE(amd_regs_get(regs, R_COMPUTE_PIPELINESTAT_ENABLE));
   if (*cp->gpu->stats_on || counted_by_register)
      cp->gpu->counters->stats[AMD_STAT_CS_INVOCATIONS] += threads;
   if (!dim[0] || !dim[1] || !dim[2])
      return true;
   if (!amd_cp_continue_draws(cp))
      return false;
   amd_order_begin(cp->gpu->caches, cp->gpu->slot, cp->packet_name, cp->packet_va, false);
   amd_caches_launch(cp->gpu->caches);
   return amd_sim_dispatch(cp->gpu->engine, cp->gpu->vm, &d, cp->gpu->fault);
}

bool
amd_cp_dispatch_direct(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_dispatch_direct packet = amd_pm4_dispatch_direct_unpack(payload);
   const uint32_t dim[3] = {packet.dim_x, packet.dim_y, packet.dim_z};
   return amd_cp_run_dispatch(cp, dim, packet.initiator, NULL);
}

static bool
dispatch_indirect(struct amd_cp *cp, struct sim_va va, uint32_t initiator)
{
   uint32_t dim[3];
   return amd_cp_read_ahead(cp, va, dim, sizeof(dim)) && amd_cp_run_dispatch(cp, dim, initiator, NULL);
}

bool
amd_cp_dispatch_indirect(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   bool is_gfx = cp->gpu->ring == AMD_SIM_RING_GFX;
   if (is_gfx != (count == AMD_PM4_DISPATCH_INDIRECT_DW))
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                           is_gfx ? "the graphics ring takes an offset" : "a compute ring takes an address");
   if (is_gfx) {
      const struct amd_pm4_dispatch_indirect packet = amd_pm4_dispatch_indirect_unpack(payload);
      return dispatch_indirect(cp, sim_va_add(cp->ring->indirect_base, packet.offset_B), packet.initiator);
   }
   const struct amd_pm4_dispatch_indirect_mec packet = amd_pm4_dispatch_indirect_mec_unpack(payload);
   return dispatch_indirect(cp, sim_va(packet.address & ~UINT64_C(3)), packet.initiator_mec);
}
