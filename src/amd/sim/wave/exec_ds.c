/* LDS: loads, stores, atomics, and the lane crossbar (permute, swizzle). */
#include <string.h>

#include "amd/sim/wave/exec_private.h"
#include "amd/sim/wave/wave_watch.h"
#include "util/macros.h"

/* Bytes of LDS at an address; beyond the allocation reads give 0 and writes are dropped. */
static void
lds_read(const struct wave *w, uint32_t address, void *data, unsigned size_B)
{
   memset(data, 0, size_B);
   if ((uint64_t)address + size_B <= w->launch->lds_size_B)
      memcpy(data, w->lds + address, size_B);
}

static void
lds_write(struct wave *w, uint32_t address, const void *data, unsigned size_B)
{
   if ((uint64_t)address + size_B <= w->launch->lds_size_B)
      memcpy(w->lds + address, data, size_B);
}

static void
watch(struct wave *w, const struct code *c, uint32_t address, unsigned size_B, unsigned flags, const void *value)
{
   if (w->lds_watch)
      wave_race_note_lds(w, c, address, size_B, flags, value);
}

static void
result_pending(struct wave *w, const struct code *c)
{
   wave_outstanding(w, COUNTER_LGKM, c->in.dst == AMD_OPERAND_NONE ? 0 : c->in.dst,
                    c->in.dst == AMD_OPERAND_NONE ? 0 : c->info->dst.size_dw, false, false);
}

static uint32_t *
data(struct wave *w, const struct code *c, unsigned i)
{
   return state_vgpr(&w->state, c->in.src[i]);
}

static void
offsets(const struct code *c, unsigned size_B, uint32_t out[2])
{
   unsigned scale = c->info->offset_units * size_B;
   bool two = c->info->flags & AMD_FLAG_TWO_OFFSETS;
   out[0] = two ? ((uint32_t)c->in.offset & 255) * scale : (uint32_t)c->in.offset;
   out[1] = two ? ((uint32_t)c->in.offset >> 8) * scale : 0;
}

/* Of all active lanes, while nobody looks. */
static inline __attribute__((always_inline)) void
load_words(struct wave *w, const struct code *c, const uint32_t offset[2], unsigned size_dw, unsigned count)
{
   const uint32_t *address = c->in.src[0] == AMD_OPERAND_NONE ? NULL : data(w, c, 0);
   const uint32_t m0 = w->state.sgpr[AMD_M0] & 0xffff, lanes = w->state.lanes, size_B = 4 * size_dw;
   const uint64_t lds_B = w->launch->lds_size_B;
   const uint8_t *lds = w->lds;
   uint32_t *dst = state_vgpr(&w->state, c->in.dst);
   for (uint64_t exec = state_exec(&w->state); exec; exec &= exec - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(exec);
      const uint32_t base = address ? address[l] : m0 + 4 * l;
      uint32_t words[4] = {0};
      for (unsigned i = 0; i < count; i++)
         if ((uint64_t)(base + offset[i]) + size_B <= lds_B)
            memcpy(words + i * size_dw, lds + (base + offset[i]), size_B);
      for (unsigned i = 0; i < size_dw * count; i++)
         dst[i * lanes + l] = words[i];
   }
}

static inline __attribute__((always_inline)) void
store_words(struct wave *w, const struct code *c, const uint32_t offset[2], unsigned size_dw, unsigned count)
{
   const uint32_t *address = c->in.src[0] == AMD_OPERAND_NONE ? NULL : data(w, c, 0);
   const uint32_t *from[2] = {data(w, c, 1), count > 1 ? data(w, c, 2) : NULL};
   const uint32_t m0 = w->state.sgpr[AMD_M0] & 0xffff, lanes = w->state.lanes, size_B = 4 * size_dw;
   const uint64_t lds_B = w->launch->lds_size_B;
   uint8_t *lds = w->lds;
   for (uint64_t exec = state_exec(&w->state); exec; exec &= exec - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(exec);
      const uint32_t base = address ? address[l] : m0 + 4 * l;
      for (unsigned i = 0; i < count; i++)
         for (unsigned k = 0; k < size_dw && (uint64_t)(base + offset[i]) + size_B <= lds_B; k++)
            memcpy(lds + (base + offset[i]) + 4 * k, &from[i][k * lanes + l], 4);
   }
}

/* With one operand. */
static inline __attribute__((always_inline)) void
change_words(struct wave *w, const struct code *c, uint32_t offset, enum amd_atomic kind)
{
   const uint32_t *address = data(w, c, 0), *operand = data(w, c, 1);
   const uint64_t lds_B = w->launch->lds_size_B;
   uint8_t *lds = w->lds;
   uint32_t *dst = c->in.dst == AMD_OPERAND_NONE ? NULL : state_vgpr(&w->state, c->in.dst);
   for (uint64_t exec = state_exec(&w->state); exec; exec &= exec - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(exec);
      const uint32_t at = address[l] + offset;
      const bool is_there = (uint64_t)at + 4 <= lds_B;
      uint32_t old = 0;
      if (is_there)
         memcpy(&old, lds + at, 4);
      const uint32_t value =
         kind == AMD_ATOMIC_ADD ? old + operand[l] : (uint32_t)wave_atomic(kind, 4, old, operand[l], 0);
      if (is_there)
         memcpy(lds + at, &value, 4);
      if (dst)
         dst[l] = old;
   }
}

/* Dwords that nobody watches. */
static bool
is_simple(const struct wave *w, const struct code *c)
{
   return !w->lds_watch && !w->engine->reference && c->memory.element_B >= 4 && !c->info->is_signed &&
          !(c->info->flags & (AMD_FLAG_D16 | AMD_FLAG_D16_HI));
}

static bool
store_simply(struct wave *w, const struct code *c, const uint32_t offset[2], unsigned count)
{
   if (!is_simple(w, c))
      return false;
   if (c->memory.element_B == 4 && count == 1)
      store_words(w, c, offset, 1, 1);
   else
      store_words(w, c, offset, c->memory.element_B / 4, count);
   return true;
}

static bool
change_simply(struct wave *w, const struct code *c, uint32_t offset, unsigned count)
{
   const enum amd_atomic kind = (enum amd_atomic)c->info->atomic;
   if (!is_simple(w, c) || c->memory.element_B > 4 || count > 1 || c->in.src[2] != AMD_OPERAND_NONE)
      return false;
   if (kind == AMD_ATOMIC_ADD)
      change_words(w, c, offset, AMD_ATOMIC_ADD);
   else
      change_words(w, c, offset, kind);
   return true;
}

/* The commonest have a copy of their own. False: it is done lane by lane. */
static bool
load_simply(struct wave *w, const struct code *c, const uint32_t offset[2], unsigned count)
{
   const unsigned size_B = c->memory.element_B;
   if (!is_simple(w, c) || c->info->dst.size_dw != size_B / 4 * count)
      return false;
   if (size_B == 4 && count == 1)
      load_words(w, c, offset, 1, 1);
   else if (size_B == 4)
      load_words(w, c, offset, 1, 2);
   else if (size_B == 16)
      load_words(w, c, offset, 4, 1);
   else
      load_words(w, c, offset, size_B / 4, count);
   return true;
}

static enum step
run_load(struct wave *w, const struct code *c)
{
   unsigned size_B = c->memory.element_B, count = c->info->flags & AMD_FLAG_TWO_OFFSETS ? 2 : 1;
   uint32_t offset[2];
   uint64_t exec = state_exec(&w->state);
   offsets(c, size_B, offset);
   if (load_simply(w, c, offset, count)) {
      result_pending(w, c);
      return STEP_NEXT;
   }
   const uint32_t *address = c->in.src[0] == AMD_OPERAND_NONE ? NULL : data(w, c, 0);
   uint32_t *dst = state_vgpr(&w->state, c->in.dst), result[4];
   for (unsigned l = 0; l < w->state.lanes; l++) {
      if (!(exec >> l & 1))
         continue;
      uint32_t base = address ? address[l] : (w->state.sgpr[AMD_M0] & 0xffff) + 4 * l;
      memset(result, 0, sizeof(result));
      for (unsigned i = 0; i < count; i++) {
         lds_read(w, base + offset[i], (uint8_t *)result + i * size_B, size_B);
         watch(w, c, base + offset[i], size_B, 0, NULL);
      }
      if (c->info->is_signed)
         result[0] = (uint32_t)sign_extend(result[0], size_B * 8);
      if (c->info->flags & AMD_FLAG_D16)
         result[0] = (dst[l] & 0xffff0000) | (result[0] & 0xffff);
      if (c->info->flags & AMD_FLAG_D16_HI)
         result[0] = (dst[l] & 0xffff) | result[0] << 16;
      for (unsigned i = 0; i < c->info->dst.size_dw; i++)
         dst[i * w->state.lanes + l] = result[i];
   }
   result_pending(w, c);
   return STEP_NEXT;
}

static enum step
run_store(struct wave *w, const struct code *c)
{
   unsigned size_B = c->memory.element_B, count = c->info->flags & AMD_FLAG_TWO_OFFSETS ? 2 : 1;
   uint32_t offset[2];
   uint64_t exec = state_exec(&w->state);
   offsets(c, size_B, offset);
   if (store_simply(w, c, offset, count)) {
      result_pending(w, c);
      return STEP_NEXT;
   }
   const uint32_t *address = c->in.src[0] == AMD_OPERAND_NONE ? NULL : data(w, c, 0);
   for (unsigned l = 0; l < w->state.lanes; l++) {
      uint32_t base = address ? address[l] : (w->state.sgpr[AMD_M0] & 0xffff) + 4 * l;
      for (unsigned i = 0; i < count && exec >> l & 1; i++) {
         uint32_t value[4];
         for (unsigned k = 0; k < (size_B + 3) / 4; k++)
            value[k] = data(w, c, 1 + i)[k * w->state.lanes + l];
         if (c->info->flags & AMD_FLAG_D16_HI)
            value[0] >>= 16;
         lds_write(w, base + offset[i], value, size_B);
         watch(w, c, base + offset[i], size_B, SIM_LDS_WRITE, value);
      }
   }
   result_pending(w, c);
   return STEP_NEXT;
}

static enum step
run_atomic(struct wave *w, const struct code *c)
{
   unsigned size_B = c->memory.element_B, count = c->info->flags & AMD_FLAG_TWO_OFFSETS ? 2 : 1;
   enum amd_atomic kind = (enum amd_atomic)c->info->atomic;
   bool compare = wave_atomic_compares(kind), mask = kind == AMD_ATOMIC_MSKOR || wave_atomic_compares_second(kind);
   uint32_t offset[2];
   uint64_t exec = state_exec(&w->state);
   offsets(c, size_B, offset);
   if (change_simply(w, c, offset[0], count)) {
      result_pending(w, c);
      return STEP_NEXT;
   }
   for (unsigned l = 0; l < w->state.lanes; l++) {
      for (unsigned i = 0; i < count && exec >> l & 1; i++) {
         uint64_t old = 0, operand[2] = {0};
         for (unsigned k = 0; k < 2; k++)
            for (unsigned j = 0; j < size_B / 4 && c->in.src[1 + k] != AMD_OPERAND_NONE; j++)
               operand[k] |= (uint64_t)data(w, c, 1 + k)[j * w->state.lanes + l] << 32 * j;
         uint32_t address = data(w, c, 0)[l] + offset[i];
         lds_read(w, address, &old, size_B);
         uint64_t value = count == 2 ? operand[i]
                          : compare  ? wave_atomic(kind, size_B, old, operand[1], operand[0])
                                     : wave_atomic(kind, size_B, old, operand[0], mask ? operand[1] : 0);
         lds_write(w, address, &value, size_B);
         watch(w, c, address, size_B, SIM_LDS_WRITE | SIM_LDS_ATOMIC, NULL);
         if (c->in.dst == AMD_OPERAND_NONE)
            continue;
         uint32_t *dst = state_vgpr(&w->state, c->in.dst) + (size_t)i * (size_B / 4) * w->state.lanes;
         for (unsigned j = 0; j < size_B / 4; j++)
            dst[j * w->state.lanes + l] = (uint32_t)(old >> 32 * j);
      }
   }
   result_pending(w, c);
   return STEP_NEXT;
}

/* ds_append, ds_consume: one counter at M0[31:16] + offset goes up or down by the number of active lanes, all of
 * which get the old value (RDNA 2 ISA, "DS_APPEND"). */
static enum step
run_append(struct wave *w, const struct code *c)
{
   uint64_t exec = state_exec(&w->state);
   uint32_t address = (w->state.sgpr[AMD_M0] >> 16) + (uint32_t)c->in.offset, old;
   uint32_t lanes = (uint32_t)__builtin_popcountll(exec);
   lds_read(w, address, &old, 4);
   uint32_t value = c->in.op == AMD_OP_ds_append ? old + lanes : old - lanes;
   lds_write(w, address, &value, 4);
   watch(w, c, address, 4, SIM_LDS_WRITE | SIM_LDS_ATOMIC, NULL);
   for (unsigned l = 0; l < w->state.lanes; l++)
      if (exec >> l & 1)
         state_vgpr(&w->state, c->in.dst)[l] = old;
   result_pending(w, c);
   return STEP_NEXT;
}

/* ds_wrap: down by data0 where that does not go below zero, else up by data1 (RDNA 2 ISA, "DS_WRAP_RTN_B32"). */
static enum step
run_wrap(struct wave *w, const struct code *c)
{
   uint64_t exec = state_exec(&w->state);
   for (unsigned l = 0; l < w->state.lanes; l++) {
      if (!(exec >> l & 1))
         continue;
      uint32_t address = data(w, c, 0)[l] + (uint32_t)c->in.offset, old;
      lds_read(w, address, &old, 4);
      uint32_t down = data(w, c, 1)[l], value = old >= down ? old - down : old + data(w, c, 2)[l];
      lds_write(w, address, &value, 4);
      watch(w, c, address, 4, SIM_LDS_WRITE | SIM_LDS_ATOMIC, NULL);
      state_vgpr(&w->state, c->in.dst)[l] = old;
   }
   result_pending(w, c);
   return STEP_NEXT;
}

/* Where a lane of a VGPR is: lanes l and l + 32 have the same place in a shared one. */
static unsigned
place_of(const struct wave *w, unsigned operand, unsigned lane)
{
   return operand - AMD_VGPR0 < w->state.first_shared ? lane : lane & 31;
}

/* ds_permute: each lane sends to the lane of its address / 4; ds_bpermute: reads from it. Within 32 lanes, or all. */
static enum step
run_permute(struct wave *w, const struct code *c)
{
   uint64_t exec = state_exec(&w->state);
   uint32_t from[AMD_WAVE_MAX_LANES], to[AMD_WAVE_MAX_LANES] = {0};
   memcpy(from, data(w, c, 1), w->state.lanes * 4);
   const uint32_t *address = data(w, c, 0);
   unsigned reach = w->program->traits->permutes_all_lanes ? 63 : 31;
   bool backward = c->in.op == AMD_OP_ds_bpermute_b32;
   for (unsigned l = 0; l < w->state.lanes; l++) {
      unsigned other = (l & ~reach) + ((address[l] + (uint32_t)c->in.offset) >> 2 & reach);
      if (backward)
         to[l] = exec >> other & 1 ? from[place_of(w, c->in.src[1], other)] : 0;
      else if (exec >> l & 1)
         to[other] = from[place_of(w, c->in.src[1], l)];
   }
   for (unsigned l = 0; l < w->state.lanes; l++)
      if (exec >> l & 1)
         state_vgpr(&w->state, c->in.dst)[place_of(w, c->in.dst, l)] = to[l];
   result_pending(w, c);
   return STEP_NEXT;
}

bool
exec_is_permute(const struct code *c)
{
   return c->run_checked == run_permute;
}

static enum step
run_swizzle(struct wave *w, const struct code *c)
{
   uint64_t exec = state_exec(&w->state);
   uint32_t from[AMD_WAVE_MAX_LANES], o = (uint32_t)c->in.offset;
   memcpy(from, data(w, c, 0), w->state.lanes * 4);
   for (unsigned l = 0; l < w->state.lanes; l++) {
      unsigned in = l & 31, other;
      if (o >> 14 == 3) { /* rotation: amount 9:5, direction 10, fixed bits 4:0 */
         unsigned keep = o & 31, by = o >> 5 & 31, moved = (o >> 10 & 1 ? in - by : in + by) & 31;
         other = (in & keep) | (moved & ~keep);
      } else if (o & 0x8000) {
         other = (in & ~3u) | (o >> 2 * (in & 3) & 3);
      } else {
         other = ((in & (o & 31)) | (o >> 5 & 31)) ^ (o >> 10 & 31);
      }
      other += l & ~31u;
      if (exec >> l & 1)
         state_vgpr(&w->state, c->in.dst)[l] = exec >> other & 1 ? from[other] : 0;
   }
   result_pending(w, c);
   return STEP_NEXT;
}

bool
exec_ds_bind(struct code *c)
{
   switch ((int)c->in.op) {
   case AMD_OP_ds_permute_b32:
   case AMD_OP_ds_bpermute_b32:
      c->run = run_permute;
      return true;
   case AMD_OP_ds_swizzle_b32:
      c->run = run_swizzle;
      return true;
   case AMD_OP_ds_append:
   case AMD_OP_ds_consume:
      c->run = run_append;
      return true;
   case AMD_OP_ds_wrap_rtn_b32:
      c->run = run_wrap;
      return true;
   case AMD_OP_ds_condxchg32_rtn_b64:
      return false;
   default: /* others: loads, stores and atomics */
      break;
   }
   bool atomic = c->info->flags & AMD_FLAG_ATOMIC;
   c->memory.element_B = (uint8_t)(atomic ? c->info->src[1].size_dw * 4 : c->info->element_B);
   if (atomic)
      c->run = run_atomic;
   else
      c->run = c->info->flags & AMD_FLAG_LOAD ? run_load : run_store;
   return atomic || c->info->flags & (AMD_FLAG_LOAD | AMD_FLAG_STORE); /* not those of two places in LDS */
}
