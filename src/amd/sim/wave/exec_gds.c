/* GDS: atomics on the memory that all waves of the chip share. They land as those of memory do. */
#include "amd/sim/base/gds.h"
#include "amd/sim/wave/exec_private.h"
#include "util/macros.h"

/* M0: first byte 31:16, bytes that the wave may use 15:0. Beyond: reads 0, writes are dropped (RDNA 2 ISA, "GDS"). */
static enum step
run_atomic(struct wave *w, const struct code *c)
{
   unsigned size_B = c->memory.element_B, dw = size_B / 4;
   uint64_t exec = state_exec(&w->state);
   uint32_t m0 = w->state.sgpr[AMD_M0], limit_B = w->launch->gds ? m0 & 0xffff : 0, base_B = m0 >> 16;
   bool returns = c->in.dst != AMD_OPERAND_NONE;
   const uint32_t *address = state_vgpr(&w->state, c->in.src[0]);
   for (unsigned l = 0; l < w->state.lanes; l++) {
      uint64_t operand[2] = {0}, at = (uint64_t)address[l] + (uint32_t)c->in.offset;
      if (!(exec >> l & 1))
         continue;
      for (unsigned k = 0; k < 2; k++)
         for (unsigned j = 0; j < dw && c->in.src[1 + k] != AMD_OPERAND_NONE; j++)
            operand[k] |= (uint64_t)state_vgpr(&w->state, c->in.src[1 + k])[j * w->state.lanes + l] << 32 * j;
      bool compares = wave_atomic_compares((enum amd_atomic)c->info->atomic);
      for (unsigned j = 0; j < dw && returns; j++)
         state_vgpr(&w->state, c->in.dst)[j * w->state.lanes + l] = 0;
      if (at + size_B <= limit_B && base_B + at + size_B <= AMD_GDS_B)
         wave_queue_atomic(w, c, sim_va(base_B + at), size_B, l, returns ? c->in.dst - AMD_VGPR0 + 1u : 0,
                           operand[compares], operand[!compares]);
   }
   struct sim_operation reading = {
      .reg = c->in.src[0], .count = 1, .other_count = (uint8_t)dw, .lanes = exec, .reads = true};
   for (unsigned k = 0; k < 2; k++)
      reading.others[k] = c->in.src[1 + k] != AMD_OPERAND_NONE ? c->in.src[1 + k] : 0;
   wave_outstanding_operation(w, COUNTER_EXP, &reading, false);
   wave_outstanding(w, COUNTER_LGKM, returns ? c->in.dst : 0, returns ? dw : 0, true, false);
   return STEP_NEXT;
}

bool
exec_gds_bind(struct code *c)
{
   bool atomic = c->info->flags & AMD_FLAG_ATOMIC && !(c->info->flags & AMD_FLAG_TWO_OFFSETS);
   c->memory.element_B = (uint8_t)(c->info->src[1].size_dw * 4);
   switch ((int)c->in.op) {
   case AMD_OP_ds_append:
   case AMD_OP_ds_consume:
   case AMD_OP_ds_wrap_rtn_b32:
   case AMD_OP_ds_condxchg32_rtn_b64:
      return false;
   default: /* others: atomics of one address */
      c->run = run_atomic;
      return atomic;
   }
}
