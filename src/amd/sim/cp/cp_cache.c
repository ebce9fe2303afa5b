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
levels_of_actions(struct amd_cp *cp, const uint32_t *payload, unsigned *levels, bool *meta)
{
   const struct amd_pm4_acquire_mem_gfx9 packet = amd_pm4_acquire_mem_gfx9_unpack(payload);
   if (packet.cb_action_ena || packet.db_action_ena)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                           "the model flushes CB and DB by events only (CB_ACTION_ENA %u, DB_ACTION_ENA %u)",
                           packet.cb_action_ena, packet.db_action_ena);
   *meta = packet.tc_action_ena && (packet.tc_inv_metadata_action_ena || !packet.tc_nc_action_ena);
   *levels = (packet.tcl1_action_ena ? AMD_CACHE_L0 : 0) | (packet.sh_kcache_action_ena ? AMD_CACHE_SCALAR : 0) |
             (packet.sh_icache_action_ena ? AMD_CACHE_CODE : 0);
   return true;
}

static bool
levels_of_gcr(struct amd_cp *cp, const struct amd_pm4_acquire_mem *packet, unsigned *out, bool *meta)
{
   unsigned levels = 0;
   if (packet->gli_inv > V_GLI_ALL)
      return bad_range(cp, "GLI_INV", packet->gli_inv);
   if (packet->gl1_inv && packet->gl1_range != V_GL1_ALL)
      return bad_range(cp, "GL1_RANGE", packet->gl1_range);
   if (packet->gli_inv == V_GLI_ALL)
      levels |= AMD_CACHE_CODE;
   if (packet->glk_inv)
      levels |= AMD_CACHE_SCALAR;
   if (packet->glv_inv)
      levels |= AMD_CACHE_L0;
   if (packet->gl1_inv)
      levels |= AMD_CACHE_L1;
   *out = levels;
   *meta = packet->glm_inv;
   return true;
}

bool
amd_cp_acquire_mem(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const bool actions = cp->gpu->model->traits->cache_actions;
   const struct amd_pm4_acquire_mem packet =
      actions ? (struct amd_pm4_acquire_mem){0} : amd_pm4_acquire_mem_unpack(payload);
   unsigned levels = 0;
   bool meta = false;
   if (packet.pws_ena && !amd_cp_pws_acquire(cp, &packet))
      return false;
   if (!(actions ? levels_of_actions(cp, payload, &levels, &meta) : levels_of_gcr(cp, &packet, &levels, &meta)))
      return false;
   if (levels)
      amd_caches_invalidate(cp->gpu->caches, levels);
   if (meta)
      amd_meta_invalidate(cp->gpu->caches, 1u << AMD_META_CACHE_TEX);
   /* PFP waits for it too, unless PWS has another stage wait. */
   if (!packet.pws_ena || packet.pws_stage_sel == V_PWS_STAGE_CP_PFP)
      amd_order_sync_pfp(cp->gpu->caches, cp->gpu->slot);
   return true;
}
