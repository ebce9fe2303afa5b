/* Memory as a wave sees it: reads at once, or as late as the schedule wants; writes queued until the serial phase. */
#include <string.h>

#include "amd/sim/cache/order.h"
#include "amd/sim/wave/wave_private.h"
#include "util/macros.h"
#include "util/within_memory.h"

static const uint8_t zeros[256];

enum step
wave_hazard(struct wave *w, const struct code *code, uint32_t tag, struct sim_va va, const char *access)
{
   struct sim_fault fault = {0};
   amd_order_fault(w->cache.caches, tag, va, access, &fault);
   return wave_fault(w, code, fault.kind, fault.va, "%.300s", fault.message);
}

static inline const uint8_t *
through_caches(struct wave *w, const struct code *code, struct sim_va va, const uint8_t *host, unsigned size_B)
{
   const uint8_t *data = amd_cache_read(&w->cache, code->path, va, host, size_B);
   if (!w->cache.hazard.tag)
      return data;
   wave_hazard(w, code, w->cache.hazard.tag, w->cache.hazard.va, "read");
   return NULL;
}

const uint8_t *
wave_read_memory(struct wave *w, const struct code *code, struct sim_va va, unsigned size_B)
{
   uint64_t into_B = va.va - w->tlb_va.va;
   if (into_B <= w->tlb_size_B - size_B && w->tlb_size_B >= size_B)
      return through_caches(w, code, va, w->tlb_host + into_B, size_B);
   uint64_t run_B = 0;
   bool prt = false;
   uint8_t *host = sim_vm_lookup(w->launch->vm, va, SIM_READ, &run_B, &prt);
   if (host && run_B >= size_B) {
      w->tlb_va = va;
      w->tlb_size_B = run_B;
      w->tlb_host = host;
      return through_caches(w, code, va, host, size_B);
   }
   if (prt)
      return zeros;
   if (host) {
      /* Across two mappings: through a copy that lives in the wave. */
      struct sim_va bad;
      if (sim_vm_read(w->launch->vm, va, w->straddle, size_B, &bad))
         return through_caches(w, code, va, w->straddle, size_B);
      va = bad;
   }
   wave_fault(w, code, SIM_FAULT_ADDRESS, va, "read of unmapped address 0x%llx",
              (unsigned long long)va.va);
   return NULL;
}

bool
wave_touches_queue(const struct wave *w, struct sim_va va, unsigned size_B)
{
   return w->queue_count && va.va < w->write_high && va.va + size_B > w->write_low;
}

static struct queued *
push(struct wave *w, struct sim_va va, unsigned size_B)
{
   if (w->queue_count == w->queue_capacity) {
      uint32_t capacity = w->queue_capacity ? w->queue_capacity * 2 : 64;
      w->queue = need_realloc("a wave's writes", w->queue, capacity * sizeof(*w->queue));
      w->queue_capacity = capacity;
   }
   if (!w->queue_count) {
      w->write_low = UINT64_MAX;
      w->write_high = 0;
   }
   if (size_B) {
      w->write_low = MIN2(w->write_low, va.va);
      w->write_high = MAX2(w->write_high, va.va + size_B);
   }
   return &w->queue[w->queue_count++];
}

/* Behind the bytes that payload_B counts. */
static void
copy_payload(struct wave *w, const void *data, unsigned size_B)
{
   if (w->payload_B + size_B > w->payload_capacity_B) {
      uint32_t capacity_B = w->payload_capacity_B ? w->payload_capacity_B * 2 : 4096;
      w->payload = need_realloc("a wave's writes", w->payload, capacity_B);
      w->payload_capacity_B = capacity_B;
   }
   memcpy(w->payload + w->payload_B, data, size_B);
}

void
wave_queue_load(struct wave *w, const struct code *code, const void *access, unsigned size_B)
{
   copy_payload(w, access, size_B);
   *push(w, sim_va(0), 0) = (struct queued){.size_B = size_B, .kind = QUEUED_LOAD, .pc_dw = code->pc_dw,
                                    .seq = w->issue_seq + 1, .payload = w->payload_B};
   w->payload_B += size_B;
   w->queued_loads++;
}

void
wave_queue_store(struct wave *w, const struct code *code, struct sim_va va, const void *data, unsigned size_B)
{
   copy_payload(w, data, size_B);
   struct queued *last = w->queue_count ? &w->queue[w->queue_count - 1] : NULL;
   if (last && last->kind == QUEUED_STORE && last->va.va + last->size_B == va.va &&
       last->seq == w->issue_seq + 1) {
      last->size_B += size_B;
      w->write_high = MAX2(w->write_high, va.va + size_B);
   } else {
      *push(w, va, size_B) = (struct queued){.va = va, .size_B = size_B, .kind = QUEUED_STORE, .pc_dw = code->pc_dw,
                                             .seq = w->issue_seq + 1, .payload = w->payload_B};
   }
   w->payload_B += size_B;
}

void
wave_queue_atomic(struct wave *w, const struct code *code, struct sim_va va, unsigned size_B, unsigned lane,
                  unsigned dst, uint64_t operand, uint64_t compare)
{
   *push(w, va, size_B) = (struct queued){.va = va, .size_B = size_B, .kind = QUEUED_ATOMIC, .lane = (uint8_t)lane,
                                          .atomic = code->info->atomic, .dst = (uint16_t)dst,
                                          .pc_dw = code->pc_dw, .seq = w->issue_seq + 1, .data = {operand, compare}};
}

static double
as_float(uint64_t bits, unsigned size_B)
{
   return size_B == 8 ? bits_double(bits) : (double)bits_float((uint32_t)bits);
}

uint64_t
wave_atomic(enum amd_atomic kind, unsigned size_B, uint64_t old, uint64_t operand, uint64_t compare)
{
   int64_t s_old = sign_extend(old, size_B * 8), s_operand = sign_extend(operand, size_B * 8);
   double f_old = as_float(old, size_B), f_operand = as_float(operand, size_B);
   switch (kind) {
   case AMD_ATOMIC_SWAP:
      return operand;
   case AMD_ATOMIC_CMPSWAP:
      return old == compare ? operand : old;
   case AMD_ATOMIC_ADD:
      return old + operand;
   case AMD_ATOMIC_SUB:
      return old - operand;
   case AMD_ATOMIC_RSUB:
      return operand - old;
   case AMD_ATOMIC_CSUB:
      return old < operand ? 0 : old - operand;
   case AMD_ATOMIC_SMIN:
      return s_old < s_operand ? old : operand;
   case AMD_ATOMIC_SMAX:
      return s_old > s_operand ? old : operand;
   case AMD_ATOMIC_UMIN:
      return MIN2(old, operand);
   case AMD_ATOMIC_UMAX:
      return MAX2(old, operand);
   case AMD_ATOMIC_AND:
      return old & operand;
   case AMD_ATOMIC_OR:
      return old | operand;
   case AMD_ATOMIC_XOR:
      return old ^ operand;
   case AMD_ATOMIC_INC:
      return old >= operand ? 0 : old + 1;
   case AMD_ATOMIC_DEC:
      return !old || old > operand ? operand : old - 1;
   case AMD_ATOMIC_FMIN:
      return f_operand < f_old ? operand : old;
   case AMD_ATOMIC_FMAX:
      return f_operand > f_old ? operand : old;
   case AMD_ATOMIC_FCMPSWAP:
      return f_old == as_float(compare, size_B) ? operand : old;
   case AMD_ATOMIC_FADD:
      return size_B == 8 ? double_bits(f_old + f_operand)
                         : float_bits(bits_float((uint32_t)old) + bits_float((uint32_t)operand));
   case AMD_ATOMIC_MSKOR: /* compare: the second data operand */
      return (old & ~operand) | compare;
   case AMD_ATOMIC_APPEND: /* handlers of their own */
   case AMD_ATOMIC_CONSUME:
   case AMD_ATOMIC_WRAP:
   case AMD_ATOMIC_CONDXCHG:
   case AMD_ATOMIC_NONE:
      break;
   }
   return old;
}

/* Whether a write changes memory: it says that it does while nobody asks. */
static bool
changes(const struct wave *w, struct sim_va va, const void *data, unsigned size_B)
{
   for (unsigned done_B = 0, part_B; w->engine->watches && done_B < size_B; done_B += part_B) {
      uint64_t run_B = 0;
      const void *host = sim_vm_lookup(w->launch->vm, sim_va_add(va, done_B), SIM_READ, &run_B, NULL);
      part_B = (unsigned)MIN2(run_B, size_B - done_B);
      if (!host || memcmp(host, (const uint8_t *)data + done_B, part_B))
         return true;
   }
   return !w->engine->watches;
}

static bool
commit_atomic(struct wave *w, const struct queued *q, struct sim_va *bad)
{
   uint64_t old = 0;
   if (!sim_vm_read(w->launch->vm, q->va, &old, q->size_B, bad))
      return false;
   uint64_t value = wave_atomic((enum amd_atomic)q->atomic, q->size_B, old, q->data[0], q->data[1]);
   w->engine->changes += changes(w, q->va, &value, q->size_B);
   if (!sim_vm_write(w->launch->vm, q->va, &value, q->size_B, bad))
      return false;
   if (q->dst && w->state != WAVE_END) {
      w->vgpr[(size_t)(q->dst - 1) * w->lanes + q->lane] = (uint32_t)old;
      if (q->size_B == 8)
         w->vgpr[(size_t)q->dst * w->lanes + q->lane] = (uint32_t)(old >> 32);
   }
   return true;
}

/* Registers of a wave that has ended hold nothing. The lines that it evicts go at once. */
static bool
land_load(struct wave *w, const struct queued *q, struct sim_fault *fault)
{
   w->queued_loads--;
   bool ok = w->state == WAVE_END || exec_memory_late_load(w, &w->program->codes[w->program->index_of[q->pc_dw]],
                                                           w->payload + q->payload);
   amd_cache_port_commit(&w->cache);
   if (!ok)
      *fault = w->fault;
   return ok;
}

/* A write is about to land. */
static bool
announce(struct wave *w, const struct queued *q)
{
   struct sim_va at;
   if (!w->cache.caches)
      return true;
   const struct code *code = &w->program->codes[w->program->index_of[q->pc_dw]];
   bool evicts = q->kind == QUEUED_ATOMIC || code->path & AMD_PATH_GLC;
   uint32_t tag = amd_cache_store(&w->cache, q->va, q->size_B,
                                  evicts ? NULL : w->payload + q->payload, &at);
   if (tag)
      wave_hazard(w, code, tag, at, "write");
   return !tag;
}

static bool
land(struct wave *w, const struct queued *q, struct sim_fault *fault)
{
   struct sim_va bad;
   if (q->kind == QUEUED_LOAD)
      return land_load(w, q, fault);
   if (!announce(w, q)) {
      *fault = w->fault;
      return false;
   }
   if (q->kind == QUEUED_STORE)
      w->engine->changes += changes(w, q->va, w->payload + q->payload, q->size_B);
   bool ok = q->kind == QUEUED_ATOMIC
                ? commit_atomic(w, q, &bad)
                : sim_vm_write(w->launch->vm, q->va, w->payload + q->payload, q->size_B, &bad);
   if (ok)
      return true;
   uint32_t index = w->program->index_of[q->pc_dw];
   wave_fault(w, &w->program->codes[index], SIM_FAULT_ADDRESS, bad, "write to unmapped address 0x%llx",
              (unsigned long long)bad.va);
   *fault = w->fault;
   return false;
}

bool
wave_commit(struct wave *w, uint32_t count, struct sim_fault *fault)
{
   uint32_t done = 0;
   while (done < w->queue_count && (done < count || (done && w->queue[done].seq == w->queue[done - 1].seq))) {
      if (!land(w, &w->queue[done++], fault))
         return false;
   }
   w->queue_count -= done;
   w->commit_seq = w->queue_count ? w->queue[done].seq - 1 : w->issue_seq;
   if (w->queue_count)
      memmove(w->queue, w->queue + done, w->queue_count * sizeof(*w->queue));
   else
      w->payload_B = 0;
   return true;
}
