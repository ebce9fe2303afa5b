/* Which registers the model has. Every register that a stream may write stands in one of two lists: those that a
 * block reads, and those that it ignores, with the reason. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amd/sim/cp.h"
#include "amd/sim/cp_reg_lists.h"
#include "amd/sim/dump.h"
#include "amd/sim/sim_gen.h"
#include "util/macros.h"

enum reg_class {
   REG_UNKNOWN,
   REG_USED,
   REG_IGNORED,
};

/* One byte per register slot of each space, made at start-up from the lists. */
static uint8_t class_of[AMD_UCONFIG_REG_END / 4];
static uint32_t unknown_bits[AMD_UCONFIG_REG_END / 4];

/* Registers for address bits 47:40. Drivers write all bits from 40 up, copies of bit 47; the hardware drops the rest.
 */
static bool
holds_address_end(const char *name)
{
   size_t length = strlen(name);
   return (length > 9 && !strcmp(name + length - 9, "_BASE_EXT")) ||
          (length > 3 && !strcmp(name + length - 3, "_HI")) || strstr(name, "_PGM_HI_");
}

static void
mark(const char *name, enum reg_class class)
{
   const struct amd_reg *reg;
   unsigned n = 0;
   while ((reg = amd_reg_at(n)) && strcmp(reg->name, name))
      n++;
   if (!reg) {
      fprintf(stderr, "indium: the model names an unknown register %s\n", name);
      abort();
   }
   for (unsigned i = 0; i < reg->count; i++) {
      uint32_t offset_B = reg->offset_B[AMD_SIM_GEN] + i * reg->step_B;
      class_of[offset_B / 4] = (uint8_t)class;
      unknown_bits[offset_B / 4] = holds_address_end(name) ? 0 : amd_reg_unknown_bits(reg);
   }
}

__attribute__((constructor)) static void
build_lists(void)
{
   for (unsigned i = 0; i < ARRAY_SIZE(amd_cp_used_regs); i++)
      mark(amd_cp_used_regs[i], REG_USED);
   for (unsigned i = 0; i < ARRAY_SIZE(amd_cp_ignored_regs); i++)
      mark(amd_cp_ignored_regs[i].name, REG_IGNORED);
}

bool
amd_cp_set_reg(struct amd_cp *cp, uint32_t offset_B, uint32_t value)
{
   uint32_t *slot = amd_regs_slot(&cp->ring->regs, offset_B);
   if (!slot || offset_B % 4)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "0x%05x is in no register space",
                           offset_B);
   unsigned index = 0;
   if (class_of[offset_B / 4] == REG_UNKNOWN) {
      char name[64] = "unknown register";
      const struct amd_reg *reg = amd_reg_find(AMD_SIM_GEN, offset_B, &index);
      if (reg)
         amd_reg_name(reg, index, name, sizeof(name));
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                           "the model does not have register 0x%05x (%s)", offset_B, name);
   }
   if (value & unknown_bits[offset_B / 4]) {
      char name[64] = "?";
      const struct amd_reg *reg = amd_reg_find(AMD_SIM_GEN, offset_B, &index);
      if (reg)
         amd_reg_name(reg, index, name, sizeof(name));
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "unknown bits 0x%08x set in register %s",
                           value & unknown_bits[offset_B / 4], name);
   }
   *slot = value;
   if (cp->gpu->dump)
      amd_dump_written(cp->gpu->dump, cp->gpu, offset_B);
   return true;
}

void
amd_cp_clear_state(struct amd_regs *regs)
{
   for (uint32_t i = 0; i < ARRAY_SIZE(regs->context); i++)
      regs->context[i] = 0;
   const struct amd_reg *reg;
   for (unsigned n = 0; (reg = amd_reg_at(n)); n++) {
      uint32_t first_B = reg->offset_B[AMD_SIM_GEN];
      if (!reg->clear || first_B < AMD_CONTEXT_REG_START || first_B >= AMD_CONTEXT_REG_END)
         continue;
      for (unsigned i = 0; i < reg->count; i++)
         *amd_regs_slot(regs, first_B + i * reg->step_B) = reg->clear;
   }
}
