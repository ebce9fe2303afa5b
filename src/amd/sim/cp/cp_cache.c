/* ACQUIRE_MEM: invalidates caches of the shader cores. L2 is the model's memory, so its bits have nothing to do; GLM
 * is the cache of metadata (DCC, HTILE), which the model does not have. */
#include "amd/hw/pm4.h"
#include "amd/sim/cp/cp.h"

static bool
bad_range(struct amd_cp *cp, const char *field, uint32_t value)
{
   return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                        "the model does not have %s %u: it invalidates whole caches", field, value);
}

bool
amd_cp_cache_packet(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   uint32_t gcr = payload[6], code = G_ACQUIRE_MEM_GCR_CNTL_GLI_INV(gcr);
   unsigned levels = 0;
   if (code > V_GLI_ALL)
      return bad_range(cp, "GLI_INV", code);
   if (G_ACQUIRE_MEM_GCR_CNTL_GL1_INV(gcr) && G_ACQUIRE_MEM_GCR_CNTL_GL1_RANGE(gcr) != V_GL1_ALL)
      return bad_range(cp, "GL1_RANGE", G_ACQUIRE_MEM_GCR_CNTL_GL1_RANGE(gcr));
   if (code == V_GLI_ALL)
      levels |= AMD_CACHE_CODE;
   if (G_ACQUIRE_MEM_GCR_CNTL_GLK_INV(gcr))
      levels |= AMD_CACHE_SCALAR;
   if (G_ACQUIRE_MEM_GCR_CNTL_GLV_INV(gcr))
      levels |= AMD_CACHE_L0;
   if (G_ACQUIRE_MEM_GCR_CNTL_GL1_INV(gcr))
      levels |= AMD_CACHE_L1;
   if (levels)
      amd_caches_invalidate(cp->gpu->caches, levels);
   /* PFP waits for it too. */
   amd_order_sync_pfp(cp->gpu->caches, cp->gpu->ring);
   return true;
}
