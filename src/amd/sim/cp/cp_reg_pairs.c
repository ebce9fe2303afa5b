/* Registers by pairs of GFX11, each with its own offset. Source: AMD's PAL (its packets' dwords), radeonsi's writer.
 */
#include "amd/hw/pm4.h"
#include "amd/sim/cp/cp.h"

static bool
set_pairs(struct amd_cp *cp, uint32_t base_B, const uint32_t *payload, uint32_t count)
{
   if (count % 2)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "a register without a value");
   for (uint32_t i = 0; i < count; i += 2)
      if (!amd_cp_set_reg(cp, base_B + payload[i] * 4, payload[i + 1]))
         return false;
   return true;
}

/* A count, then threes: two offsets, two values. An odd count is padded by one of the registers again. */
static bool
set_packed(struct amd_cp *cp, uint32_t base_B, const uint32_t *payload, uint32_t count)
{
   uint32_t writes = amd_pm4_set_reg_pairs_packed_unpack(payload).regs;
   if (count != 1 + writes / 2 * 3 || writes % 2)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "%u registers in %u dwords", writes,
                           count - 1);
   for (uint32_t i = 0; i < writes; i++) {
      const uint32_t *three = &payload[AMD_PM4_SET_REG_PAIRS_PACKED_DW + i / 2 * 3];
      if (!amd_cp_set_reg(cp, base_B + (three[0] >> (i % 2 * 16) & 0xffff) * 4, three[1 + i % 2]))
         return false;
   }
   return true;
}

bool
amd_cp_set_context_reg_pairs(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return set_pairs(cp, AMD_CONTEXT_REG_START, payload, count);
}

bool
amd_cp_set_context_reg_pairs_packed(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return set_packed(cp, AMD_CONTEXT_REG_START, payload, count);
}

bool
amd_cp_set_sh_reg_pairs(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return set_pairs(cp, AMD_SH_REG_START, payload, count);
}

bool
amd_cp_set_sh_reg_pairs_packed(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return set_packed(cp, AMD_SH_REG_START, payload, count);
}
