/* Ready-made packets of a program or a preamble. */
#ifndef INDIUM_SI_PM4_H
#define INDIUM_SI_PM4_H

#include <assert.h>

#include "gallium/drivers/radeonsi/cs/si_cs.h"

#define SI_PM4_MAX_DW 192

struct si_pm4 {
   uint32_t count_dw;
   uint32_t last_header; /* index of the header of a run that may continue */
   uint32_t next_reg;    /* byte offset that continues the run, 0: none */
   uint32_t dw[SI_PM4_MAX_DW];
};

/* Adds one register write; consecutive registers share a packet. */
static inline void
si_pm4_reg(struct si_pm4 *pm4, uint32_t reg, uint32_t value)
{
   bool context = reg >= AMD_CONTEXT_REG_START && reg < AMD_CONTEXT_REG_END;
   uint32_t start = context ? AMD_CONTEXT_REG_START : reg < AMD_SH_REG_END ? AMD_SH_REG_START : AMD_UCONFIG_REG_START;
   uint32_t opcode = context ? PKT3_SET_CONTEXT_REG : reg < AMD_SH_REG_END ? PKT3_SET_SH_REG : PKT3_SET_UCONFIG_REG;

   assert(pm4->count_dw + 3 <= SI_PM4_MAX_DW && "the packets fit into its room");
   if (pm4->next_reg == reg && reg) {
      pm4->dw[pm4->last_header] += S_PKT3_COUNT(1);
   } else {
      pm4->last_header = pm4->count_dw;
      amd_pm4_set_reg_pack(pm4->dw + pm4->count_dw, opcode,
                           &(const struct amd_pm4_set_reg){.reg_offset = (reg - start) / 4}, 1);
      pm4->count_dw += 1 + AMD_PM4_SET_REG_DW;
   }
   pm4->dw[pm4->count_dw++] = value;
   pm4->next_reg = reg + 4;
}

static inline void
si_pm4_emit(struct si_cs *cs, const struct si_pm4 *pm4)
{
   si_cs_reserve(cs, pm4->count_dw);
   si_cs_emit_array(cs, pm4->dw, pm4->count_dw);
}

#endif
