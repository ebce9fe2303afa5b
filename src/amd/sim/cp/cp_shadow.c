/* Register shadowing: CONTEXT_CONTROL says which spaces are loaded and shadowed, LOAD_*_REG where their copies lie
 * and what is loaded. A copy holds its whole space, a register at its offset from the space's start. Source: RADV's
 * preamble with shadowregs, AMD's PAL (state shadowing). */
#include "amd/hw/pm4.h"
#include "amd/sim/cp/cp.h"

bool
amd_cp_shadow(struct amd_cp *cp, uint32_t offset_B, uint32_t value)
{
   const struct amd_shadow *shadow = &cp->ring->shadow[amd_cp_space(offset_B)];
   struct sim_va va = sim_va_add(shadow->va, (int64_t)(offset_B - amd_cp_space_start(amd_cp_space(offset_B))));
   return !shadow->written || !shadow->va.va || amd_cp_write(cp, va, &value, 4);
}

bool
amd_cp_context_control(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_context_control packet = amd_pm4_context_control_unpack(payload);
   struct amd_shadow *shadow = cp->ring->shadow;
   if (packet.load_update) {
      shadow[AMD_SPACE_CONTEXT].loaded = packet.load_context;
      shadow[AMD_SPACE_UCONFIG].loaded = packet.load_uconfig;
      shadow[AMD_SPACE_SH].loaded = packet.load_gfx_sh || packet.load_cs_sh;
   }
   if (packet.shadow_update) {
      shadow[AMD_SPACE_CONTEXT].written = packet.shadow_context;
      shadow[AMD_SPACE_UCONFIG].written = packet.shadow_uconfig;
      shadow[AMD_SPACE_SH].written = packet.shadow_gfx_sh || packet.shadow_cs_sh;
   }
   return true;
}

/* Pairs of a register's number in its space and how many. */
static bool
load(struct amd_cp *cp, enum amd_space space, const uint32_t *payload, uint32_t count)
{
   struct amd_shadow *shadow = &cp->ring->shadow[space];
   shadow->va = sim_va(amd_pm4_load_reg_unpack(payload).address & ~UINT64_C(3));
   if (count % 2)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "a range of registers without a count");
   if (!shadow->loaded)
      return true;
   for (uint32_t i = AMD_PM4_LOAD_REG_DW; i < count; i += 2) {
      for (uint32_t n = 0; n < payload[i + 1]; n++) {
         int64_t offset_B = ((int64_t)payload[i] + n) * 4;
         uint32_t value;
         if (!amd_cp_read_ahead(cp, sim_va_add(shadow->va, offset_B), &value, 4) ||
             !amd_cp_set_reg(cp, amd_cp_space_start(space) + (uint32_t)offset_B, value))
            return false;
      }
   }
   return true;
}

bool
amd_cp_load_uconfig_reg(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return load(cp, AMD_SPACE_UCONFIG, payload, count);
}

bool
amd_cp_load_context_reg(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return load(cp, AMD_SPACE_CONTEXT, payload, count);
}

bool
amd_cp_load_sh_reg(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return load(cp, AMD_SPACE_SH, payload, count);
}
