/* Memory as a wave sees it: reads at once, or as late as the schedule wants; writes queued until the serial phase. */
#include <string.h>

#include "amd/sim/cache/meta_cache.h"
#include "amd/sim/cache/order.h"
#include "amd/sim/base/gds.h"
#include "amd/sim/wave/exec.h"
#include "amd/sim/base/model.h"
#include "amd/sim/wave/wave_private.h"
#include "util/macros.h"
#include "util/within_memory.h"

static const uint8_t zeros[256];

enum step
wave_hazard(struct wave *w, const struct code *code, uint64_t tag, struct sim_va va, const char *access)
{
   struct sim_fault fault = {0};
   if (w->cache.hazard.stale_meta)
      amd_meta_fault(w->cache.caches, AMD_META_CACHE_TEX, tag, va, &fault);
   else
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

/* A PRT hole within the bytes. */
static bool
reads_hole(const struct wave *w, struct sim_va va, unsigned size_B, bool starts_in_one)
{
   bool ends_in_one = false;
   uint64_t run_B;
   sim_vm_lookup(w->launch->vm, sim_va_add(va, (int64_t)size_B - 1), SIM_READ, &run_B, &ends_in_one);
   return starts_in_one || ends_in_one;
}

static bool
spoils_scalars(const struct wave *w, const struct code *code)
{
   return code->in.enc == AMD_ENC_SMEM && w->program->traits->scalar_holes_fault;
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
   if (spoils_scalars(w, code) && reads_hole(w, va, size_B, prt)) {
      wave_fault(w, code, SIM_FAULT_ADDRESS, va,
                 "scalar read of a page without memory, of a sparse resource, at 0x%llx (erratum smem-null-prt)",
                 (unsigned long long)va.va);
      return NULL;
   }
   if (prt && run_B >= size_B)
      return zeros;
   if (host || prt) {
      /* Across two mappings: through a copy that lives in the wave. */
      struct sim_va bad;
      if (sim_vm_read(w->launch->vm, va, w->straddle, size_B, &bad))
         return through_caches(w, code, va, w->straddle, size_B);
      va = bad;
   }
   wave_fault(w, code, SIM_FAULT_ADDRESS, va, "read of unmapped address 0x%llx", (unsigned long long)va.va);
   return NULL;
}

const uint8_t *
wave_read_line(struct wave *w, const struct code *code, struct sim_va line)
{
   uint64_t into_B = line.va - w->tlb_va.va;
   if (w->tlb_size_B < AMD_CACHE_LINE_B || into_B > w->tlb_size_B - AMD_CACHE_LINE_B) {
      uint64_t run_B = 0;
      uint8_t *host = sim_vm_lookup(w->launch->vm, line, SIM_READ, &run_B, NULL);
      if (!host)
         return NULL;
      w->tlb_va = line;
      w->tlb_size_B = run_B;
      w->tlb_host = host;
      into_B = 0;
   }
   return amd_cache_read_line(&w->cache, code->path, line, w->tlb_host + into_B);
}

/* A store without GLC has CU scope, where nothing but ORDERED_PS_DONE comes after its wait (docs/caches.md). What
 * the wave writes later, with GLC or by an atomic, lands after it: under the two schedules that hold stores back. */
bool
wave_stays_in_l0(const struct wave *w, const struct code *store)
{
   enum sim_schedule_kind kind = w->base.rounds->schedule.kind;
   bool may = w->pops.info && !w->program->traits->one_scope_bit;
   return may && !(store->path & AMD_PATH_GLC) && (kind == SIM_SCHEDULE_SEED || kind == SIM_SCHEDULE_WORST);
}

/* Under `worst` all others continue while a wave of a draw with ordered sections waits for a load: the lines that it
 * has brought into its L0 go stale there, where the next waves of the unit meet them. The wave's own stores evict
 * them.
 */
bool
wave_lets_others(const struct wave *w)
{
   const struct wave_pops *pops = &w->pops;
   const bool inside = pops->info && !pops->sent && (pops->entered || !pops->overlap);
   return inside && w->base.rounds->schedule.kind == SIM_SCHEDULE_WORST;
}

void
wave_queue_atomic(struct wave *w, const struct code *code, struct sim_va va, unsigned size_B, unsigned lane,
                  unsigned dst, uint64_t operand, uint64_t compare)
{
   sim_queue_atomic(&w->base.queue, &(struct sim_queued){.va = va,
                                                         .size_B = size_B,
                                                         .lane = (uint8_t)lane,
                                                         .atomic = code->info->atomic,
                                                         .dst = (uint16_t)dst,
                                                         .place = code->pc_dw,
                                                         .data = {operand, compare}});
}

/* Floats, in order. Not by the host's comparisons: these follow MODE, and atomics tell denormals apart in every mode
 * ("Vega" ISA, DS_MIN_F32: "handles NaN/INF/denorm"). */
static int64_t
float_order(uint64_t bits, unsigned size_B)
{
   const int64_t magnitude = (int64_t)(bits & bit_mask(8 * size_B - 1));
   return bits >> (8 * size_B - 1) & 1 ? -magnitude : magnitude;
}

static bool
are_numbers(uint64_t a, uint64_t b, unsigned size_B)
{
   const uint64_t infinity = size_B == 8 ? UINT64_C(0x7ff) << 52 : 0x7f800000, mask = bit_mask(8 * size_B - 1);
   return (a & mask) <= infinity && (b & mask) <= infinity;
}

static bool
is_below(uint64_t a, uint64_t b, unsigned size_B)
{
   return are_numbers(a, b, size_B) && float_order(a, size_B) < float_order(b, size_B);
}

static bool
is_equal(uint64_t a, uint64_t b, unsigned size_B)
{
   return are_numbers(a, b, size_B) && float_order(a, size_B) == float_order(b, size_B);
}

uint64_t
wave_atomic(enum amd_atomic kind, unsigned size_B, uint64_t old, uint64_t operand, uint64_t compare)
{
   int64_t s_old = sign_extend(old, size_B * 8), s_operand = sign_extend(operand, size_B * 8);
   switch (kind) {
   case AMD_ATOMIC_SWAP:
      return operand;
   case AMD_ATOMIC_CMPSWAP:
   case AMD_ATOMIC_CMPSTORE:
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
      return is_below(operand, old, size_B) ? operand : old;
   case AMD_ATOMIC_FMAX:
      return is_below(old, operand, size_B) ? operand : old;
   case AMD_ATOMIC_FCMPSWAP:
   case AMD_ATOMIC_FCMPSTORE:
      return is_equal(old, compare, size_B) ? operand : old;
   case AMD_ATOMIC_FADD:
      return size_B == 8 ? double_bits(bits_double(old) + bits_double(operand))
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

void
wave_return_old(struct wave *w, const struct sim_queued *q, uint64_t old)
{
   if (q->dst && w->base.state != SIM_WAVE_END) {
      uint32_t *dst = state_vgpr(&w->state, AMD_VGPR0 + q->dst - 1u) + q->lane;
      dst[0] = (uint32_t)old;
      if (q->size_B == 8)
         dst[w->state.lanes] = (uint32_t)(old >> 32);
   }
}

static uint64_t
new_value(const struct sim_queued *q, uint64_t old)
{
   return wave_atomic((enum amd_atomic)q->atomic, q->size_B, old, q->data[0], q->data[1]);
}

static bool
commit_atomic(struct wave *w, const struct sim_queued *q, struct sim_va *bad)
{
   uint64_t old = 0;
   if (!sim_vm_read(w->launch->vm, q->va, &old, q->size_B, bad))
      return false;
   uint64_t value = new_value(q, old);
   sim_loop_note_write(w->base.rounds, w->launch->vm, q->va, &value, q->size_B);
   if (!sim_vm_write(w->launch->vm, q->va, &value, q->size_B, bad))
      return false;
   wave_return_old(w, q, old);
   return true;
}

/* The address is an offset in GDS; exec_gds.c has checked it. */
static bool
land_gds(struct wave *w, const struct sim_queued *q)
{
   uint64_t old = 0;
   memcpy(&old, w->launch->gds->bytes + q->va.va, q->size_B);
   uint64_t value = new_value(q, old);
   memcpy(w->launch->gds->bytes + q->va.va, &value, q->size_B);
   w->base.rounds->changes++;
   wave_return_old(w, q, old);
   return true;
}

static const struct code *
code_of(const struct wave *w, const struct sim_queued *q)
{
   return &w->program->codes[w->program->index_of[q->place]];
}

/* Registers of a wave that has ended hold nothing. The lines that it evicts go at once. */
static bool
land_load(struct wave *w, const struct sim_queued *q)
{
   bool ok =
      w->base.state == SIM_WAVE_END || exec_memory_late_load(w, code_of(w, q), sim_queue_payload(&w->base.queue, q));
   amd_cache_port_commit(&w->cache);
   return ok;
}

/* A write is about to land. */
static bool
announce(struct wave *w, const struct sim_queued *q)
{
   struct sim_va at;
   if (!w->cache.caches)
      return true;
   const struct code *code = code_of(w, q);
   bool evicts = q->kind == SIM_QUEUED_ATOMIC || code->path & AMD_PATH_GLC;
   uint64_t tag =
      amd_cache_store(&w->cache, q->va, q->size_B, evicts ? NULL : sim_queue_payload(&w->base.queue, q), &at);
   if (tag)
      wave_hazard(w, code, tag, at, "write");
   return !tag;
}

static bool
commit_store(struct wave *w, const struct sim_queued *q, struct sim_va *bad)
{
   const uint8_t *data = sim_queue_payload(&w->base.queue, q);
   sim_loop_note_write(w->base.rounds, w->launch->vm, q->va, data, q->size_B);
   return sim_vm_write(w->launch->vm, q->va, data, q->size_B, bad);
}

static bool
land_write(struct wave *w, const struct sim_queued *q)
{
   struct sim_va bad;
   if (!announce(w, q))
      return false;
   if (q->kind == SIM_QUEUED_ATOMIC ? commit_atomic(w, q, &bad) : commit_store(w, q, &bad))
      return true;
   wave_fault(w, code_of(w, q), SIM_FAULT_STORE, bad, "write to unmapped address 0x%llx", (unsigned long long)bad.va);
   return false;
}

/* Pieces that lie in the line of the one that has just landed, all at once. Returns how many. */
static uint32_t
land_more(struct wave *w, const struct sim_queued *q, uint32_t first, uint32_t end)
{
   const struct sim_va va = sim_va_add(q->va, (int64_t)first * q->step_B);
   const uint32_t ahead_B = (uint32_t)((va.va - q->step_B) % AMD_CACHE_LINE_B);
   const uint32_t fit = (AMD_CACHE_LINE_B - MIN2(ahead_B + q->piece_B, (uint32_t)AMD_CACHE_LINE_B)) / q->step_B;
   const struct sim_vm_pieces p = {va, MIN2(fit, end - first), q->piece_B, q->step_B,
                                   sim_queue_payload(&w->base.queue, q) + first * q->piece_B};
   if (!p.count || (w->cache.caches && !amd_cache_store_more(&w->cache, &p, code_of(w, q)->path & AMD_PATH_GLC)))
      return 0;
   sim_loop_note_pieces(w->base.rounds, w->launch->vm, &p);
   return sim_vm_write_pieces(w->launch->vm, &p) ? p.count : 0;
}

static bool
land_pieces(struct wave *w, const struct sim_queued *q)
{
   const uint32_t end = sim_queued_pieces(q);
   for (uint32_t i = 0; i < end; i += land_more(w, q, i, end)) {
      struct sim_queued piece = *q;
      piece.va = sim_va_add(q->va, (int64_t)i * q->step_B);
      piece.payload = q->payload + i * q->piece_B;
      piece.size_B = q->piece_B;
      if (!land_write(w, &piece))
         return false;
      i++;
   }
   return true;
}

bool
wave_land(struct sim_wave *base, const struct sim_queued *q, struct sim_fault *fault)
{
   struct wave *w = (struct wave *)base;
   const struct code *code = code_of(w, q);
   bool ok = q->kind == SIM_QUEUED_LOAD ? land_load(w, q)
             : code->land               ? code->land(w, code, q)
             : code->in.gds             ? land_gds(w, q)
             : q->step_B                ? land_pieces(w, q)
                                        : land_write(w, q);
   if (!ok)
      *fault = base->fault;
   return ok;
}
