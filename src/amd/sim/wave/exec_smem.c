/* Scalar memory: constant loads and clocks. */
#include "amd/sim/wave/exec_private.h"
#include "amd/sim/wave/wave_watch.h"

/* Constant loads: s_load from a 64-bit base, s_buffer_load from a V# with its bounds. */
static enum step
run_smem(struct wave *w, const struct code *c)
{
   unsigned op = c->in.op;
   if (op == AMD_OP_s_memtime || op == AMD_OP_s_memrealtime) {
      w->base.loop.read_clock = true;
      state_write64(&w->state, c->in.dst,
                    w->launch->time + w->engine->rounds.round * 1024 + w->base.instructions / 16);
      wave_outstanding(w, COUNTER_LGKM, c->in.dst, 2, false, true);
      return STEP_NEXT;
   }
   unsigned count = c->info->dst.size_dw, base = c->in.src[0];
   uint64_t offset = (uint64_t)(int64_t)c->in.offset;
   if (c->in.src[1] != AMD_OPERAND_NONE && c->in.src[1] != AMD_NULL)
      offset += w->state.sgpr[c->in.src[1]];
   bool buffer = c->info->src[0].size_dw == 4;
   uint64_t start = base == AMD_NULL ? 0 : state_read64(&w->state, base); /* the 48 bits of sim_va() count */
   uint64_t limit = UINT64_MAX;
   if (buffer) {
      uint32_t stride = w->state.sgpr[base + 1] >> 16 & 0x3fff;
      limit = (uint64_t)w->state.sgpr[base + 2] * (stride ? stride : 1);
      offset &= 0xffffffff;
      if (w->state.sgpr[base + 3] >> 30 && limit)
         return wave_fault(w, c, SIM_FAULT_STATE, sim_va(start), "descriptor of TYPE %u, not of a buffer",
                           w->state.sgpr[base + 3] >> 30);
   }
   struct sim_va va = sim_va((start + offset) & ~UINT64_C(3));
   if (sim_queue_touches(&w->base.queue, va, count * 4))
      return STEP_AGAIN;
   uint32_t data[16] = {0};
   for (unsigned i = 0; i < count; i++) {
      if (buffer && (offset & ~UINT64_C(3)) + 4 * i + 4 > limit)
         continue;
      if (i == 0 && !(buffer && offset + 4 * count > limit)) {
         const uint8_t *host = wave_read_memory(w, c, va, count * 4);
         if (!host)
            return STEP_FAULT;
         __builtin_memcpy(data, host, count * 4);
         break;
      }
      const uint8_t *host = wave_read_memory(w, c, sim_va_add(va, 4 * i), 4);
      if (!host)
         return STEP_FAULT;
      __builtin_memcpy(&data[i], host, 4);
   }
   if (w->launch->races)
      wave_race_note_scalar(w, c, va, count * 4);
   for (unsigned i = 0; i < count; i++)
      state_write(&w->state, c->in.dst + i, data[i]);
   wave_outstanding(w, COUNTER_LGKM, c->in.dst, count, false, true);
   return STEP_NEXT;
}

/* Stores, atomics and accesses to scratch, which GFX10 has, are not modelled. */
bool
exec_smem_bind(struct code *c)
{
   switch ((int)c->in.op) { /* others: refused */
   case AMD_OP_s_load_dword:
   case AMD_OP_s_load_dwordx2:
   case AMD_OP_s_load_dwordx4:
   case AMD_OP_s_load_dwordx8:
   case AMD_OP_s_load_dwordx16:
   case AMD_OP_s_buffer_load_dword:
   case AMD_OP_s_buffer_load_dwordx2:
   case AMD_OP_s_buffer_load_dwordx4:
   case AMD_OP_s_buffer_load_dwordx8:
   case AMD_OP_s_buffer_load_dwordx16:
   case AMD_OP_s_memtime:
   case AMD_OP_s_memrealtime:
      c->run = run_smem;
      return true;
   }
   return false;
}
