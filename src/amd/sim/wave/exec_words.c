/* Vector instructions whose operands are words: one register a source, and one register or a mask of lanes as the
 * result. Nearly all that shaders run; exec_valu.c has the rest. */
#include <string.h>

#include "amd/sim/wave/exec_private.h"
#include "sim/wide.h"

/* Operands that are not VGPRs in place. */
struct operands {
   _Alignas(64) uint32_t scalar[3][HALF];
   uint32_t changed[3][HALF]; /* moved across lanes, with another sign */
   uint32_t result[HALF];
};

static inline v8u
load(const uint32_t *from)
{
   v8u v;
   memcpy(&v, from, sizeof(v));
   return v;
}

static inline void
store(uint32_t *to, v8u v)
{
   memcpy(to, &v, sizeof(v));
}

static void
broadcast(uint32_t *to, uint32_t value)
{
   for (int i = 0; i < HALF; i++)
      to[i] = value;
}

/* A VGPR in the lanes of a half. Both halves have the same of a shared one. */
static inline uint32_t *
lanes_of(struct wave_state *s, unsigned reg, unsigned half)
{
   return state_vgpr(s, reg) + (reg - AMD_VGPR0 < s->first_shared ? half * HALF : 0);
}

/* Lanes whose source is not active read 0. Returns them. */
static uint32_t
drop_inactive(const struct exec_words *words, uint32_t exec, uint32_t *lanes)
{
   uint32_t dropped = 0;
   for (unsigned l = 0; l < HALF; l++) {
      bool active = exec >> ((l & 16) + (words->row_source[l & 15] & 15)) & 1;
      lanes[l] = active ? lanes[l] : 0;
      dropped |= (uint32_t)!active << l;
   }
   return dropped;
}

/* DPP within rows of 16 lanes. Returns the lanes that are not written. */
static uint32_t
move_in_rows(const struct code *c, unsigned half, uint32_t exec, const uint32_t *from, uint32_t *to)
{
   typedef uint8_t v8u8 __attribute__((vector_size(8)));
   const struct exec_words *words = &c->words;
   v8u8 bytes[2];
   memcpy(bytes, words->row_source, sizeof(bytes));
   for (unsigned row = 0; row < HALF; row += 16) {
      const v8u low = load(from + row), high = load(from + row + 8);
      for (unsigned i = 0; i < 2; i++) {
         const v8u source = __builtin_convertvector(bytes[i], v8u);
         store(to + row + 8 * i, __builtin_shuffle(low, high, source & 15) & (v8u)(source < 16));
      }
   }
   uint32_t invalid = words->outside;
   if (!c->in.fetch_inactive && exec != UINT32_MAX)
      invalid |= drop_inactive(words, exec, to);
   return (c->in.modifier == AMD_MOD_DPP16 && !c->in.bound_ctrl ? invalid : 0) | words->masked[half];
}

static void
change_sign(const struct exec_words *words, unsigned i, const uint32_t *from, uint32_t *to)
{
   const uint32_t keep = words->keep[i], flip = words->flip[i];
   for (int l = 0; l < HALF; l++)
      to[l] = (from[l] & keep) ^ flip;
}

/* Of single precision. */
static void
scale_and_clamp(const struct code *c, bool dx10, uint32_t *lanes)
{
   static const float scales[4] = {1, 2, 4, 0.5f};
   const float scale = scales[c->in.omod];
   const bool clamp = c->in.clamp;
   const uint32_t nan = dx10 ? 0 : UINT32_MAX;
   for (int l = 0; l < HALF; l++) {
      float v = bits_float(lanes[l]);
      v *= scale; /* also by 1: denormals may count as 0 */
      float inside = v < 0 ? 0 : v > 1 ? 1 : v;
      inside = bits_float(float_bits(inside) & (v == v ? UINT32_MAX : nan));
      lanes[l] = float_bits(clamp ? inside : v);
   }
}

static void
write_masked(uint32_t *to, const uint32_t *from, const uint32_t *mask)
{
   for (int i = 0; i < HALF; i += 8)
      store(to + i, (load(from + i) & load(mask + i)) | (load(to + i) & ~load(mask + i)));
}

/* Those lanes of the mask that are not off. */
static void
write_some(uint32_t *to, const uint32_t *from, uint32_t bits)
{
   for (int i = 0; i < HALF; i++)
      to[i] = bits >> i & 1 ? from[i] : to[i];
}

/* Returns the mask that the kernel makes. */
static uint32_t
run_half(struct wave *w, const struct code *c, unsigned half, struct operands *o, uint64_t carry)
{
   struct wave_state *s = &w->state;
   const struct exec_words *words = &c->words;
   const uint32_t exec = s->exec_bits[half], *in[3];
   uint32_t off = 0;
   for (unsigned i = 0; i < 3; i++)
      in[i] = c->src[i].kind == SOURCE_VGPR ? lanes_of(s, c->src[i].reg, half) : o->scalar[i];
   if (words->moves) {
      off = move_in_rows(c, half, exec, in[0], o->changed[0]);
      in[0] = o->changed[0];
   }
   for (unsigned i = 0; i < words->signs; i++) {
      change_sign(words, i, in[i], o->changed[i]);
      in[i] = o->changed[i];
   }
   uint32_t *dst = c->info->dst.cls == AMD_CLASS_VGPR ? lanes_of(s, c->in.dst, half) : NULL;
   bool whole = dst && (exec & ~off) == UINT32_MAX;
   struct lanes x = {.a = in[0], .b = in[1], .c = in[2], .code = c};
   x.old = dst;
   x.d = whole ? dst : o->result;
   x.carry_in = (uint32_t)(carry >> 32 * half);
   c->kernel(&x);
   if (words->scales)
      scale_and_clamp(c, s->mode >> 8 & 1, x.d);
   if (dst && off)
      write_some(dst, o->result, exec & ~off);
   else if (dst && !whole)
      write_masked(dst, o->result, s->exec_mask[half]);
   return x.mask;
}

static enum step
run_words(struct wave *w, const struct code *c)
{
   struct wave_state *s = &w->state;
   struct operands o;
   uint64_t carry = 0, mask = 0;
   for (unsigned i = 0; i < c->info->src_count; i++) {
      if (c->info->src[i].cls == AMD_CLASS_MASK)
         carry = exec_scalar(w, c, i);
      else if (c->src[i].kind != SOURCE_VGPR)
         broadcast(o.scalar[i], c->src[i].kind == SOURCE_CONST ? c->src[i].lo : (uint32_t)exec_scalar(w, c, i));
   }
   for (unsigned half = 0; half < s->halves; half++) {
      exec_update_mask(s, half);
      if (s->exec_bits[half])
         mask |= (uint64_t)run_half(w, c, half, &o, carry) << 32 * half;
   }
   if (!c->words.makes_mask)
      return STEP_NEXT;
   mask &= state_exec(s);
   if (c->info->dst.cls == AMD_CLASS_MASK)
      state_write_mask(s, c->in.dst, mask);
   if (c->info->flags & AMD_FLAG_WRITES_EXEC)
      state_write_mask(s, AMD_EXEC_LO, mask);
   if (c->info->sdst.cls)
      state_write_mask(s, c->in.sdst, mask);
   return STEP_NEXT;
}

const struct exec_wide WIDE(exec_wide) = {WIDE(exec_kernel), run_words};
