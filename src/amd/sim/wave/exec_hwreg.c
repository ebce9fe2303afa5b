/* Hardware registers. */
#include "amd/sim/wave/exec_salu_private.h"
#include "amd/sim/wave/wave_float.h"
#include "util/macros.h"

enum { MODE_PACKERS = 3 << 24 }; /* GFX9 */

/* Hardware registers that programs read or write. Those named without a value read as 0. */
enum step
exec_hwreg(struct wave *w, const struct code *c)
{
   unsigned id = amd_hwreg_id(c->in.simm16), offset = amd_hwreg_first(c->in.simm16);
   uint32_t mask = (uint32_t)bit_mask(MIN2(amd_hwreg_bits(c->in.simm16), 32 - offset)) << offset, value = 0;
   bool known = amd_isa_hwregs[w->program->gen] >> id & 1;
   switch (id) {
   case AMD_HWREG_MODE:
      value = w->state.mode;
      break;
   case AMD_HWREG_STATUS:
      value = (uint32_t)w->state.scc | (uint32_t)!state_exec(&w->state) << 9 |
              (uint32_t)!state_read_mask(&w->state, AMD_VCC_LO) << 10;
      break;
   case AMD_HWREG_FLAT_SCR_LO:
      value = (uint32_t)w->state.flat_scratch;
      break;
   case AMD_HWREG_FLAT_SCR_HI:
      value = (uint32_t)(w->state.flat_scratch >> 32);
      break;
   case AMD_HWREG_SHADER_CYCLES:
      /* It continues from draw to draw, slowly enough that one soon after another does not see it start anew. */
      value = (uint32_t)(((w->launch->time >> 4) + w->base.instructions) & 0xfffff);
      w->base.loop.read_clock |= known;
      break;
   case AMD_HWREG_POPS_PACKER:
      value = wave_pops_read_register(w);
      break;
   case AMD_HWREG_TRAPSTS:
   case AMD_HWREG_HW_ID1:
   case AMD_HWREG_HW_ID2:
      break;
   default: /* others: unknown, even if the chip has them */
      known = false;
   }
   if (!known)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "hardware register %u without a model", id);
   if (c->in.op == AMD_OP_s_getreg_b32) {
      state_write(&w->state, c->in.dst, (value & mask) >> offset);
      return STEP_NEXT;
   }
   uint32_t in = c->in.op == AMD_OP_s_setreg_b32 ? w->state.sgpr[c->in.src[0]] : c->in.literal;
   value = (value & ~mask) | (in << offset & mask);
   if (id == AMD_HWREG_MODE) {
      w->state.mode = value;
      wave_float_mode(value);
      if (w->program->traits->pops_in_mode && mask & MODE_PACKERS)
         return wave_pops_write_mode(w, c, (value & MODE_PACKERS) >> 24);
   } else if (id == AMD_HWREG_FLAT_SCR_LO) {
      w->state.flat_scratch = (w->state.flat_scratch & ~UINT64_C(0xffffffff)) | value;
   } else if (id == AMD_HWREG_FLAT_SCR_HI) {
      w->state.flat_scratch = (uint32_t)w->state.flat_scratch | (uint64_t)value << 32;
   } else if (id == AMD_HWREG_POPS_PACKER) {
      return wave_pops_write_register(w, c, value);
   } else if (id != AMD_HWREG_STATUS) {
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "write of hardware register %u", id);
   }
   return STEP_NEXT;
}
