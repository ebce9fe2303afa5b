/* Vector instructions whose operands are words: one register a source, and one register or a mask of lanes as the
 * result. Nearly all that shaders run; exec_valu.c has the rest. */
#include "amd/sim/wave/exec_lanes.h"

/* Operands that are not VGPRs in place. */
struct operands {
   _Alignas(64) uint32_t scalar[3][HALF];
   uint32_t changed[3][HALF]; /* moved across lanes, with another sign */
   uint32_t result[HALF];
};

static const uint32_t *
change_sign(const struct exec_words *words, unsigned i, const uint32_t *from, uint32_t *to)
{
   const uint32_t keep = words->keep[i], flip = words->flip[i];
   for (int l = 0; l < HALF; l++)
      to[l] = (from[l] & keep) ^ flip;
   return to;
}

/* A source or the result: its lanes in the first half, and how far away those of the second are. */
struct operand {
   uint32_t *lanes;
   uint8_t step;
};

static inline struct operand
vgpr(struct wave_state *s, unsigned reg)
{
   return (struct operand){state_vgpr(s, reg), reg - AMD_VGPR0 < s->first_shared ? HALF : 0};
}

static inline struct operand
source(struct wave_state *s, const struct code *c, unsigned i, struct operands *o)
{
   return c->src[i].kind == SOURCE_VGPR ? vgpr(s, c->src[i].reg) : (struct operand){o->scalar[i], 0};
}

/* Returns the mask that the kernel makes, of lanes that are not off. Pointers that went through an array on the stack
 * would be read in pairs, ahead of their way to memory. */
static inline uint32_t
run_half(struct wave *w, const struct code *c, unsigned half, struct operands *o, struct lanes *x, uint32_t *dst)
{
   struct wave_state *s = &w->state;
   const struct exec_words *words = &c->words;
   const uint32_t exec = s->exec_bits[half];
   uint32_t off = 0;
   if (words->moves) {
      off = lanes_move(c, half, exec, x->a, o->changed[0]);
      x->a = o->changed[0];
   }
   if (words->signs > 0)
      x->a = change_sign(words, 0, x->a, o->changed[0]);
   if (words->signs > 1)
      x->b = change_sign(words, 1, x->b, o->changed[1]);
   if (words->signs > 2)
      x->c = change_sign(words, 2, x->c, o->changed[2]);
   bool whole = dst && (exec & ~off) == UINT32_MAX;
   x->old = dst;
   x->d = whole ? dst : o->result;
   x->mask = 0;
   c->kernel(x);
   if (words->scales)
      lanes_scale_and_clamp(c, s->mode, x->d);
   if (dst && off)
      lanes_write_some(dst, o->result, exec & ~off);
   else if (dst && !whole)
      lanes_write(s, half, dst, o->result);
   return x->mask & ~off;
}

/* Whether the wave's lanes suit exec_plain(), too. */
static inline bool
is_plain(const struct wave_state *s, const struct code *c)
{
   if (!c->words.plain || c->vgpr_end > s->first_shared)
      return false;
   return !c->words.shuffles || c->in.fetch_inactive || state_has_all_lanes(s);
}

/* Lanes of a VGPR, shuffled or with other signs. */
static inline void
change_lanes(const struct wave_state *s, const struct code *c, const struct exec_plain *p, unsigned i, uint32_t *made)
{
   const uint32_t keep = p->abs >> i & 1 ? 0x7fffffff : UINT32_MAX, flip = (uint32_t)(p->neg >> i & 1) << 31;
   const uint32_t *from = s->vgpr + (size_t)p->src[i] * s->lanes;
   for (unsigned half = 0; half < s->halves; half++, from += HALF, made += HALF) {
      const bool shuffles = i == 0 && p->shuffles;
      if (shuffles)
         lanes_shuffle(&c->words, from, made);
      if (!shuffles || keep != UINT32_MAX || flip)
         for (int l = 0; l < HALF; l++)
            made[l] = ((shuffles ? made : from)[l] & keep) ^ flip;
   }
}

/* As it stands in the register, or made here. */
static inline struct operand
plain_source(const struct wave_state *s, const struct code *c, const struct exec_plain *p, unsigned i, uint32_t *made)
{
   if (p->kind[i] == SOURCE_VGPR && !(p->changed >> i & 1))
      return (struct operand){s->vgpr + (size_t)p->src[i] * s->lanes, HALF};
   if (p->kind[i] == SOURCE_VGPR) {
      change_lanes(s, c, p, i, made);
      return (struct operand){made, HALF};
   }
   if (p->kind[i] != SOURCE_NONE) {
      const uint32_t value = p->kind[i] == SOURCE_CONST ? p->src[i] : s->sgpr[p->src[i]];
      lanes_broadcast(made, (p->abs >> i & 1 ? value & 0x7fffffff : value) ^ (uint32_t)(p->neg >> i & 1) << 31);
   }
   return (struct operand){made, 0};
}

/* The same where nothing but the kernel, and perhaps a shuffle and signs, is to be done. */
void
WIDE(exec_plain)(struct wave_state *s, const struct code *c, const struct exec_plain *p)
{
   _Alignas(64) uint32_t made[3][2 * HALF], result[HALF];
   const struct operand first = plain_source(s, c, p, 0, made[0]), second = plain_source(s, c, p, 1, made[1]),
                        third = plain_source(s, c, p, 2, made[2]);
   uint32_t *dst = s->vgpr + (size_t)p->dst * s->lanes;
   struct lanes x;
   x.code = c;
   x.flushes_halves = wave_float_flushed(s->mode) & WAVE_FLUSH_RESULTS;
   x.more = s->halves == 2 && (s->sgpr[AMD_EXEC_LO] & s->sgpr[AMD_EXEC_HI]) == UINT32_MAX;
   if (x.more) {
      x.a = first.lanes, x.step[0] = first.step;
      x.b = second.lanes, x.step[1] = second.step;
      x.c = third.lanes, x.step[2] = third.step;
      x.d = dst;
      x.old = dst;
      p->kernel(&x);
      return;
   }
   for (unsigned half = 0; half < s->halves; half++, dst += HALF) {
      const uint32_t exec = s->sgpr[AMD_EXEC_LO + half];
      if (!exec)
         continue;
      x.a = first.lanes + half * first.step;
      x.b = second.lanes + half * second.step;
      x.c = third.lanes + half * third.step;
      x.old = dst;
      x.d = exec == UINT32_MAX ? dst : result;
      p->kernel(&x);
      if (exec != UINT32_MAX) {
         exec_update_mask(s, half);
         lanes_write(s, half, dst, result);
      }
   }
}

enum step
WIDE(exec_words)(struct wave *w, const struct code *c)
{
   struct wave_state *s = &w->state;
   if (is_plain(s, c)) {
      struct exec_plain plain;
      exec_plain_bind(c, &plain);
      for (unsigned i = 0; i < c->info->src_count; i++) {
         if (plain.kind[i] != SOURCE_VGPR && plain.kind[i] != SOURCE_CONST) {
            plain.kind[i] = SOURCE_CONST;
            plain.src[i] = (uint32_t)exec_scalar(w, c, i);
         }
      }
      WIDE(exec_plain)(s, c, &plain);
      return STEP_NEXT;
   }
   struct operands o;
   uint64_t carry = 0, mask = 0;
   for (unsigned i = 0; i < c->info->src_count; i++) {
      if (c->info->src[i].cls == AMD_CLASS_MASK)
         carry = exec_scalar(w, c, i);
      else if (c->src[i].kind != SOURCE_VGPR)
         lanes_broadcast(o.scalar[i], c->src[i].kind == SOURCE_CONST ? c->src[i].lo : (uint32_t)exec_scalar(w, c, i));
   }
   const struct operand first = source(s, c, 0, &o), second = source(s, c, 1, &o), third = source(s, c, 2, &o);
   const struct operand dst = c->info->dst.cls == AMD_CLASS_VGPR ? vgpr(s, c->in.dst) : (struct operand){NULL, 0};
   struct lanes x;
   x.code = c;
   x.flushes_halves = wave_float_flushed(s->mode) & WAVE_FLUSH_RESULTS;
   x.more = false;
   for (unsigned half = 0; half < s->halves; half++) {
      exec_update_mask(s, half);
      if (!s->exec_bits[half])
         continue;
      x.a = first.lanes + half * first.step;
      x.b = second.lanes + half * second.step;
      x.c = third.lanes + half * third.step;
      x.carry_in = (uint32_t)(carry >> 32 * half);
      uint32_t *to = dst.lanes ? dst.lanes + half * dst.step : NULL;
      mask |= (uint64_t)run_half(w, c, half, &o, &x, to) << 32 * half;
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
