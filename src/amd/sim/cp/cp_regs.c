/* Writes of registers by packets. */
#include <stdio.h>

#include "amd/hw/registers.h"
#include "amd/sim/cp/cp.h"
#include "amd/sim/base/dump.h"
#include "amd/sim/report.h"
#include "util/macros.h"

/* Uconfig registers of performance counters, streams of their samples and their clocks, which the model has none of:
 * results, then what is counted. Source: AMD register databases, where there is little else. */
enum { COUNTER_REG_START = 0x34000, COUNTER_REG_END = 0x38000 };

static void
reg_name(enum amd_gen gen, uint32_t offset_B, char *out, size_t out_size_B)
{
   unsigned index = 0;
   const struct amd_reg *reg = amd_reg_find(gen, offset_B, &index);
   if (reg)
      amd_reg_name(reg, index, out, out_size_B);
   else
      snprintf(out, out_size_B, "%s",
               offset_B >= COUNTER_REG_START && offset_B < COUNTER_REG_END ? "of performance counters"
                                                                           : "unknown register");
}

/* GFX9: user data of all stages at once. */
static void
set_common_user_data(struct amd_cp *cp, uint32_t offset_B, uint32_t value)
{
   static const uint32_t first[] = {R_SPI_SHADER_USER_DATA_PS_0, R_SPI_SHADER_USER_DATA_VS_0,
                                    R_SPI_SHADER_USER_DATA_ES_0, R_SPI_SHADER_USER_DATA_LS_0};
   uint32_t at_B = offset_B - R_SPI_SHADER_USER_DATA_COMMON_0;
   for (unsigned i = 0; i < ARRAY_SIZE(first) && at_B < 32 * 4; i++)
      *amd_regs_slot(&cp->ring->regs, first[i] + at_B) = value;
}

bool
amd_cp_set_reg(struct amd_cp *cp, uint32_t offset_B, uint32_t value)
{
   const struct amd_model *model = cp->gpu->model;
   uint32_t *slot = amd_regs_slot(&cp->ring->regs, offset_B);
   char name[64];
   if (!slot || offset_B % 4)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "0x%05x is in no register space",
                           offset_B);
   /* Context registers without a name have been 0 since CLEAR_STATE; whoever shadows writes whole ranges. */
   if (model->reg_class[offset_B / 4] == AMD_REG_UNKNOWN && !value && amd_cp_space(offset_B) == AMD_SPACE_CONTEXT &&
       !amd_reg_find(model->gen, offset_B, NULL))
      return true;
   if (model->reg_class[offset_B / 4] == AMD_REG_HOLE)
      return true;
   if (model->reg_class[offset_B / 4] == AMD_REG_UNKNOWN) {
      reg_name(model->gen, offset_B, name, sizeof(name));
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                           "the model does not have register 0x%05x (%s)", offset_B, name);
   }
   uint32_t unknown = value & model->unknown_bits[offset_B / 4];
   if (unknown) {
      reg_name(model->gen, offset_B, name, sizeof(name));
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "unknown bits 0x%08x set in register %s",
                           unknown, name);
   }
   *slot = value;
   cp->ring->regs.context_written |= amd_cp_space(offset_B) == AMD_SPACE_CONTEXT;
   cp->ring->regs.scissors_written |= offset_B == R_PA_SC_VPORT_SCISSOR_0_TL;
   if (model->traits->common_user_data)
      set_common_user_data(cp, offset_B, value);
   if (cp->gpu->report)
      cp->gpu->report->registers[offset_B / 4]++;
   if (cp->gpu->dump)
      amd_dump_written(cp->gpu->dump, cp->gpu, offset_B);
   return amd_cp_shadow(cp, offset_B, value);
}

void
amd_cp_clear_state(enum amd_gen gen, struct amd_regs *regs)
{
   for (uint32_t i = 0; i < ARRAY_SIZE(regs->context); i++)
      regs->context[i] = 0;
   const struct amd_reg *reg;
   for (unsigned n = 0; (reg = amd_reg_at(gen, n)); n++) {
      const struct amd_reg_layout *layout = &reg->gen[gen];
      if (!reg->clear || layout->offset_B < AMD_CONTEXT_REG_START || layout->offset_B >= AMD_CONTEXT_REG_END)
         continue;
      for (unsigned i = 0; i < reg->count; i++)
         *amd_regs_slot(regs, layout->offset_B + i * layout->step_B) = reg->clear;
   }
}
