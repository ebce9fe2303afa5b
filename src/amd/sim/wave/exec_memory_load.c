/* Loads of buffer, typed buffer, flat, global and scratch instructions. */
#include <string.h>

#include "amd/sim/surface/formats.h"
#include "amd/sim/wave/exec_memory.h"
#include "sim/texel/numeric.h"
#include "util/macros.h"

/* Buffers with TFE: as write_status() of exec_image.c. True: the element is not there, and the lane keeps what it
 * had. */
static bool
note_missing(struct wave *w, const struct code *c, struct sim_va va, unsigned lane)
{
   uint64_t run_B;
   bool hole = false;
   if (!c->in.tfe || sim_vm_lookup(w->launch->vm, va, SIM_READ, &run_B, &hole) || !hole)
      return false;
   state_vgpr(&w->state, c->in.dst + c->info->dst.size_dw)[lane] = 1;
   return true;
}

static void
put_d16(const struct code *c, uint32_t *dst, uint32_t value)
{
   if (c->info->flags & AMD_FLAG_D16_HI)
      *dst = (*dst & 0xffff) | value << 16;
   else if (c->info->flags & AMD_FLAG_D16)
      *dst = (*dst & 0xffff0000) | (value & 0xffff);
   else
      *dst = value;
}

/* The line that the lanes before have found. */
struct found_line {
   uint64_t va;
   const uint8_t *bytes; /* NULL: each of its elements has to be looked at */
};

/* What a lane loads, if it is in range and all in one line, of which one look tells all. NULL: not so. */
static inline const uint8_t *
find_bytes(struct wave *w, const struct code *c, struct sim_va va, unsigned size_B, struct found_line *line)
{
   const unsigned into_B = va.va % AMD_CACHE_LINE_B;
   if (into_B + size_B > AMD_CACHE_LINE_B)
      return NULL;
   if (line->va != va.va - into_B)
      *line = (struct found_line){va.va - into_B, wave_read_line(w, c, sim_va(va.va - into_B))};
   return line->bytes ? line->bytes + into_B : NULL;
}

static void
put_element(const struct code *c, uint32_t *dst, uint32_t value)
{
   if (c->memory.sign)
      value = (uint32_t)sign_extend(value, c->memory.element_B * 8);
   put_d16(c, dst, value);
}

/* One by one. */
static bool
load_elements(struct wave *w, const struct code *c, const struct exec_access *a, unsigned l, uint32_t *dst)
{
   const unsigned size_B = c->memory.element_B;
   for (unsigned i = 0; i < c->memory.count; i++) {
      uint32_t value = 0;
      if (a->in_range[l] >> i & 1) {
         struct sim_va va = exec_byte_va(a, l, i * size_B);
         const uint8_t *host = wave_read_memory(w, c, va, size_B);
         if (!host)
            return false;
         if (note_missing(w, c, va, l))
            continue;
         memcpy(&value, host, size_B);
      }
      put_element(c, &dst[i * w->state.lanes + l], value);
   }
   return true;
}

/* Whether the elements of a lane lie side by side, and are dwords or one. */
static bool
are_together(const struct wave *w, const struct code *c, const struct exec_access *a)
{
   const bool side_by_side = a->step_B == UINT64_C(1) << a->piece_log2 && c->memory.element_B == 4;
   return (side_by_side || c->memory.count == 1) && !c->in.tfe && !w->engine->reference;
}

/* Of the lanes left, as far as they find their elements together. Returns those that are left then. */
static inline __attribute__((always_inline)) uint64_t
load_together(struct wave *w, const struct code *c, const struct exec_access *a, uint64_t lanes, unsigned count,
              struct found_line *line)
{
   const uint32_t all = (uint32_t)bit_mask(count);
   const unsigned stride = w->state.lanes, size_B = c->memory.element_B;
   const bool is_plain = count > 1 || (size_B == 4 && !(c->info->flags & (AMD_FLAG_D16 | AMD_FLAG_D16_HI)));
   uint32_t *dst = state_vgpr(&w->state, c->in.dst);
   for (; lanes; lanes &= lanes - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(lanes);
      const uint8_t *bytes =
         (a->in_range[l] & all) == all ? find_bytes(w, c, a->va[l], count > 1 ? 4 * count : size_B, line) : NULL;
      if (!bytes)
         break;
      uint32_t value = 0;
      if (!is_plain) {
         memcpy(&value, bytes, size_B);
         put_element(c, dst + l, value);
      }
      for (unsigned i = 0; i < count && is_plain; i++)
         memcpy(&dst[i * stride + l], bytes + 4 * i, 4);
   }
   return lanes;
}

static uint64_t
load_lanes(struct wave *w, const struct code *c, const struct exec_access *a, uint64_t lanes, struct found_line *line)
{
   switch (c->memory.count) {
   case 1:
      return load_together(w, c, a, lanes, 1, line);
   case 2:
      return load_together(w, c, a, lanes, 2, line);
   case 3:
      return load_together(w, c, a, lanes, 3, line);
   case 4:
      return load_together(w, c, a, lanes, 4, line);
   default:
      return lanes;
   }
}

bool
exec_load_plain(struct wave *w, const struct code *c, const struct exec_access *a)
{
   const bool together = are_together(w, c, a);
   struct found_line line = {.va = UINT64_MAX};
   for (uint64_t lanes = a->exec; lanes; lanes &= lanes - 1) {
      lanes = together ? load_lanes(w, c, a, lanes, &line) : lanes;
      if (!lanes)
         break;
      if (!load_elements(w, c, a, (unsigned)__builtin_ctzll(lanes), state_vgpr(&w->state, c->in.dst)))
         return false;
   }
   return true;
}

bool
exec_memory_late_load(struct wave *w, const struct code *c, const void *access)
{
   struct exec_access a;
   memcpy(&a, access, sizeof(a));
   return exec_load_plain(w, c, &a);
}

static uint32_t
selected(const uint32_t value[4], unsigned select, bool integer)
{
   if (select < 2)
      return select ? (integer ? 1 : 0x3f800000) : 0;
   return value[select & 3];
}

bool
exec_load_format(struct wave *w, const struct code *c, const struct exec_access *a, unsigned format, unsigned select)
{
   bool d16 = c->info->flags & (AMD_FLAG_D16 | AMD_FLAG_D16_HI), integer = amd_format_is_integer(format);
   unsigned size_B = amd_format_size_B(format);
   const bool by_line = !c->in.tfe && !w->engine->reference;
   struct found_line line = {.va = UINT64_MAX};
   uint32_t *dst = state_vgpr(&w->state, c->in.dst);
   for (unsigned l = 0; l < w->state.lanes; l++) {
      if (!(a->exec >> l & 1))
         continue;
      uint32_t value[4] = {0}, out[4] = {0};
      if (a->in_range[l] & 1) {
         const uint8_t *host = by_line ? find_bytes(w, c, a->va[l], size_B, &line) : NULL;
         host = host ? host : wave_read_memory(w, c, a->va[l], size_B);
         if (!host)
            return false;
         if (note_missing(w, c, a->va[l], l))
            continue;
         uint32_t texel[4];
         memcpy(texel, host, size_B);
         amd_format_unpack(format, texel, value);
      }
      /* Out of range, too: a component that the format does not have is 1 (observed: dEQP-VK.robustness.robustness2
       * asks for it, and RADV leaves it to the load). */
      for (unsigned i = 0; i < 4; i++)
         out[i] = selected(value, select >> 3 * i & 7, integer);
      for (unsigned i = 0; i < c->memory.count && !d16; i++)
         dst[i * w->state.lanes + l] = out[i];
      for (unsigned i = 0; i < c->memory.count && d16; i++) {
         uint32_t bits = exec_loaded_half(out[i], format), *to = &dst[i / 2 * w->state.lanes + l];
         bool high = i & 1 || c->info->flags & AMD_FLAG_D16_HI;
         *to = high ? (*to & 0xffff) | bits << 16 : (*to & 0xffff0000) | bits;
      }
   }
   return true;
}

uint32_t
exec_loaded_half(uint32_t value, unsigned format)
{
   if (amd_format_is_signed_integer(format))
      return sim_sint_saturate((int32_t)value, 16);
   return amd_format_is_integer(format) ? sim_uint_saturate(value, 16) : wave_half_bits(value, false);
}
