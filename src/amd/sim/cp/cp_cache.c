/* ACQUIRE_MEM: invalidates caches of the shader cores. L2 is the model's memory, so its bits have nothing to do but
 * for metadata (DCC, HTILE): what invalidates GFX9's L2 invalidates its metadata, later ones have GLM for that. */
#include "amd/hw/pm4.h"
#include "amd/sim/cp/cp.h"

static bool
bad_range(struct amd_cp *cp, const char *field, uint32_t value)
{
   return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                        "the model does not have %s %u: it invalidates whole caches", field, value);
}

/* GFX9 names caches by the units that have them; TC is L2. */
static bool
levels_of_actions(struct amd_cp *cp, uint32_t actions, unsigned *levels, bool *meta)
{
   if (G_ACQUIRE_MEM_COHER_CNTL_CB_ACTION_ENA(actions) || G_ACQUIRE_MEM_COHER_CNTL_DB_ACTION_ENA(actions))
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                           "the model flushes CB and DB by events only (COHER_CNTL 0x%08x)", actions);
   *meta = G_ACQUIRE_MEM_COHER_CNTL_TC_ACTION_ENA(actions) &&
           (G_ACQUIRE_MEM_COHER_CNTL_TC_INV_METADATA_ACTION_ENA(actions) ||
            !G_ACQUIRE_MEM_COHER_CNTL_TC_NC_ACTION_ENA(actions));
   *levels = (G_ACQUIRE_MEM_COHER_CNTL_TCL1_ACTION_ENA(actions) ? AMD_CACHE_L0 : 0) |
             (G_ACQUIRE_MEM_COHER_CNTL_SH_KCACHE_ACTION_ENA(actions) ? AMD_CACHE_SCALAR : 0) |
             (G_ACQUIRE_MEM_COHER_CNTL_SH_ICACHE_ACTION_ENA(actions) ? AMD_CACHE_CODE : 0);
   return true;
}

static bool
levels_of_gcr(struct amd_cp *cp, uint32_t gcr, unsigned *out, bool *meta)
{
   uint32_t code = G_ACQUIRE_MEM_GCR_CNTL_GLI_INV(gcr);
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
   *out = levels;
   *meta = G_ACQUIRE_MEM_GCR_CNTL_GLM_INV(gcr);
   return true;
}

bool
amd_cp_cache_packet(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   unsigned levels = 0;
   bool meta = false;
   if (!cp->gpu->model->traits->cache_actions && G_ACQUIRE_MEM_POLL_INTERVAL_PWS_ENA(payload[5]) &&
       !amd_cp_pws_acquire(cp, payload))
      return false;
   if (!(cp->gpu->model->traits->cache_actions ? levels_of_actions(cp, payload[0], &levels, &meta)
                                               : levels_of_gcr(cp, payload[6], &levels, &meta)))
      return false;
   if (levels)
      amd_caches_invalidate(cp->gpu->caches, levels);
   if (meta)
      amd_meta_invalidate(cp->gpu->caches, 1u << AMD_META_CACHE_TEX);
   /* PFP waits for it too, unless PWS has another stage wait. */
   bool pws = !cp->gpu->model->traits->cache_actions && G_ACQUIRE_MEM_POLL_INTERVAL_PWS_ENA(payload[5]);
   if (!pws || G_ACQUIRE_MEM_COHER_CNTL_PWS_STAGE_SEL(payload[0]) == V_PWS_STAGE_CP_PFP)
      amd_order_sync_pfp(cp->gpu->caches, cp->gpu->ring);
   return true;
}
