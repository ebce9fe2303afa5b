/* Memory as a wave sees it: reads at once, or as late as the schedule wants; writes queued until the serial phase. */
#include <string.h>

#include "asahi/sim/wave/exec.h"
#include "util/macros.h"

static const uint8_t zeros[64];

/* One that runs into another mapping: through a copy. */
static const uint8_t *
read_across(struct wave *w, struct sim_va va, unsigned size_B, struct sim_va *bad)
{
   return size_B <= sizeof(w->straddle) && sim_vm_read(w->launch->vm, va, w->straddle, size_B, bad) ? w->straddle
                                                                                                    : NULL;
}

const uint8_t *
wave_read_memory(struct wave *w, const struct code *c, struct sim_va va, unsigned size_B)
{
   uint64_t into_B = va.va - w->tlb_va.va;
   if (into_B < w->tlb_size_B && w->tlb_size_B - into_B >= size_B)
      return w->tlb_host + into_B;
   uint64_t run_B = 0;
   bool prt = false;
   uint8_t *host = sim_vm_lookup(w->launch->vm, va, SIM_READ, &run_B, &prt);
   if (host && run_B >= size_B) {
      w->tlb_va = va;
      w->tlb_size_B = run_B;
      w->tlb_host = host;
      return host;
   }
   struct sim_va bad = va;
   const uint8_t *copy = host ? read_across(w, va, size_B, &bad) : NULL;
   if (copy || prt || w->launch->soft_faults)
      return copy ? copy : zeros;
   wave_fault(w, c, SIM_FAULT_ADDRESS, bad, "read of unmapped address 0x%llx", (unsigned long long)bad.va);
   return NULL;
}

uint32_t
wave_atomic(enum agx_atomic_op op, uint32_t old, uint32_t operand, uint32_t compare)
{
   switch (op) {
   case AGX_ATOMIC_OP_ADD:
      return old + operand;
   case AGX_ATOMIC_OP_SUB:
      return old - operand;
   case AGX_ATOMIC_OP_XCHG:
      return operand;
   case AGX_ATOMIC_OP_CMPXCHG:
      return old == compare ? operand : old;
   case AGX_ATOMIC_OP_UMIN:
      return MIN2(old, operand);
   case AGX_ATOMIC_OP_IMIN:
      return (int32_t)operand < (int32_t)old ? operand : old;
   case AGX_ATOMIC_OP_UMAX:
      return MAX2(old, operand);
   case AGX_ATOMIC_OP_IMAX:
      return (int32_t)operand > (int32_t)old ? operand : old;
   case AGX_ATOMIC_OP_AND:
      return old & operand;
   case AGX_ATOMIC_OP_OR:
      return old | operand;
   case AGX_ATOMIC_OP_XOR:
      return old ^ operand;
   }
   return old;
}

/* A write that nobody takes is dropped where soft faults allow it. */
static bool
write_memory(struct wave *w, const struct code *c, struct sim_va va, const void *data, unsigned size_B)
{
   struct sim_va bad;
   wave_cache_note_write(w, va, size_B);
   sim_loop_note_write(w->base.rounds, w->launch->vm, va, data, size_B);
   if (sim_vm_write(w->launch->vm, va, data, size_B, &bad) || w->launch->soft_faults)
      return true;
   wave_fault(w, c, SIM_FAULT_ADDRESS, bad, "write to address 0x%llx, which is not mapped for it",
              (unsigned long long)bad.va);
   return false;
}

static bool
land_atomic(struct wave *w, const struct code *c, const struct sim_queued *q)
{
   uint32_t old = 0;
   struct sim_va bad;
   bool mapped = sim_vm_read(w->launch->vm, q->va, &old, 4, &bad);
   if (!mapped && !w->launch->soft_faults) {
      wave_fault(w, c, SIM_FAULT_ADDRESS, bad, "atomic at unmapped address 0x%llx", (unsigned long long)bad.va);
      return false;
   }
   uint32_t value = wave_atomic((enum agx_atomic_op)q->atomic, old, (uint32_t)q->data[0], (uint32_t)q->data[1]);
   if (mapped && !write_memory(w, c, q->va, &value, 4))
      return false;
   if (q->dst && w->base.state != SIM_WAVE_END)
      w->state.r[(q->dst - 1) / 2][q->lane] = mapped ? old : 0;
   return true;
}

/* Stores of one instruction to neighbours are one operation; each lands or is dropped for itself. */
static bool
land_store(struct wave *w, const struct code *c, const struct sim_queued *q)
{
   const uint8_t *data = sim_queue_payload(&w->base.queue, q);
   uint64_t run_B = 0;
   if (!w->launch->soft_faults ||
       (sim_vm_lookup(w->launch->vm, q->va, SIM_WRITE, &run_B, NULL) && run_B >= q->size_B))
      return write_memory(w, c, q->va, data, q->size_B);
   for (uint32_t i = 0; i < q->size_B; i++)
      write_memory(w, c, sim_va_add(q->va, i), data + i, 1);
   return true;
}

static bool
land(struct wave *w, const struct code *c, const struct sim_queued *q)
{
   const struct sim_queue *queue = &w->base.queue;
   enum agx_class class = (enum agx_class)agx_isa_op_info((enum agx_op)c->in.op).class;
   switch ((enum sim_queued_kind)q->kind) {
   case SIM_QUEUED_STORE:
      return land_store(w, c, q);
   case SIM_QUEUED_ATOMIC:
      return land_atomic(w, c, q);
   case SIM_QUEUED_LOAD: /* registers of a wave that has ended hold nothing */
      return w->base.state == SIM_WAVE_END ||
             (class == AGX_CLASS_TEXTURE ? exec_texture_late_read
                                         : exec_memory_late_load)(w, c, sim_queue_payload(queue, q));
   case SIM_QUEUED_OTHER:
      break;
   }
   return (class == AGX_CLASS_TILE ? exec_tile_land : exec_texture_land)(w, c, sim_queue_payload(queue, q));
}

bool
wave_land(struct sim_wave *base, const struct sim_queued *q, struct sim_fault *fault)
{
   struct wave *w = (struct wave *)base;
   if (land(w, &w->code->codes[q->place], q))
      return true;
   if (!fault->kind)
      *fault = base->fault;
   return false;
}
