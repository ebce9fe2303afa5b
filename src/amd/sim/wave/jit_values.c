/* Values of a strip in vector registers: what stands there is neither loaded nor stored again until the segment ends
 * or the registers do not suffice. */
#include <assert.h>

#include "amd/sim/wave/jit_private.h"

static struct x86_operand
place(const struct jit_builder *b, const struct jit_value *v)
{
   return x86_at(JIT_VGPRS, (int32_t)(v->key * b->lanes * 4));
}

/* Lanes that are off keep what memory has. */
static void
write_back(struct jit_builder *b, unsigned reg)
{
   struct jit_value *v = &b->values[reg];
   if (!v->dirty)
      return;
   if (b->partial)
      x86_vector_byte(&b->x86, X86_BLENDVPS, reg, reg, place(b, v), JIT_OFF << 4);
   x86_vector(&b->x86, X86_STOREPS, reg, 0, place(b, v));
   v->dirty = false;
}

/* The register that has been of no use for longest. */
static unsigned
allocate(struct jit_builder *b)
{
   unsigned best = JIT_VALUES;
   for (unsigned i = 0; i < JIT_VALUES; i++) {
      const struct jit_value *v = &b->values[i];
      if (!v->locked && (best == JIT_VALUES || v->age < b->values[best].age))
         best = i;
   }
   assert(best < JIT_VALUES && "an instruction uses fewer registers");
   write_back(b, best);
   b->values[best] = (struct jit_value){.locked = true, .age = ++b->now};
   return best;
}

static unsigned
find(struct jit_builder *b, int kind, uint32_t key)
{
   for (unsigned i = 0; i < JIT_VALUES; i++) {
      struct jit_value *v = &b->values[i];
      if ((int)v->kind == kind && v->key == key) {
         v->age = ++b->now;
         v->locked = true;
         return i;
      }
   }
   return JIT_VALUES;
}

static void
load(struct jit_builder *b, unsigned reg)
{
   static const uint32_t lanes[JIT_STRIP] = {1, 2, 4, 8, 16, 32, 64, 128};
   const struct jit_value *v = &b->values[reg];
   struct x86 *x = &b->x86;
   switch (v->kind) {
   case JIT_VGPR:
      x86_vector(x, X86_LOADPS, reg, 0, place(b, v));
      break;
   case JIT_SGPR:
      x86_vector(x, X86_PBROADCASTD, reg, 0, x86_at(JIT_SGPRS, (int32_t)(4 * v->key)));
      break;
   case JIT_MASK:
      x86_vector(x, X86_PBROADCASTB, reg, 0, x86_at(JIT_MASKS, (int32_t)(4 * v->key)));
      x86_vector(x, X86_ANDPS, reg, reg, x86_constants(x, lanes));
      x86_vector(x, X86_PCMPEQD, reg, reg, x86_constants(x, lanes));
      break;
   case JIT_NUMBER:
      x86_vector(x, X86_LOADPS, reg, 0, x86_constant(x, v->key));
      break;
   case JIT_NOTHING:
      break;
   }
}

static unsigned
value(struct jit_builder *b, int kind, uint32_t key)
{
   unsigned reg = find(b, kind, key);
   if (reg < JIT_VALUES)
      return reg;
   reg = allocate(b);
   b->values[reg].kind = kind;
   b->values[reg].key = key;
   load(b, reg);
   return reg;
}

unsigned
jit_temp(struct jit_builder *b)
{
   return allocate(b);
}

void
jit_drop(struct jit_builder *b, unsigned temp)
{
   b->values[temp] = (struct jit_value){0};
}

unsigned
jit_number(struct jit_builder *b, uint32_t word)
{
   return value(b, JIT_NUMBER, word);
}

unsigned
jit_mask(struct jit_builder *b, unsigned reg)
{
   return value(b, JIT_MASK, reg);
}

unsigned
jit_vgpr(struct jit_builder *b, unsigned operand)
{
   return value(b, JIT_VGPR, operand - AMD_VGPR0);
}

/* With another sign, in a register of its own. */
static unsigned
change_sign(struct jit_builder *b, unsigned reg, uint32_t keep, uint32_t flip)
{
   const unsigned to = jit_temp(b);
   if (keep != UINT32_MAX) {
      x86_vector(&b->x86, X86_ANDPS, to, reg, x86_constant(&b->x86, keep));
      reg = to;
   }
   if (flip)
      x86_vector(&b->x86, X86_XORPS, to, reg, x86_constant(&b->x86, flip));
   return to;
}

static uint32_t
constant(const struct code *c, unsigned i)
{
   return (c->src[i].lo & c->words.keep[i]) ^ c->words.flip[i];
}

unsigned
jit_source(struct jit_builder *b, const struct code *c, unsigned i)
{
   const struct source *s = &c->src[i];
   const uint32_t keep = c->words.keep[i], flip = c->words.flip[i];
   if (s->kind == SOURCE_CONST)
      return jit_number(b, constant(c, i));
   const unsigned reg = s->kind == SOURCE_VGPR ? value(b, JIT_VGPR, s->reg - AMD_VGPR0) : value(b, JIT_SGPR, s->reg);
   return keep == UINT32_MAX && !flip ? reg : change_sign(b, reg, keep, flip);
}

struct x86_operand
jit_last_source(struct jit_builder *b, const struct code *c, unsigned i)
{
   if (c->src[i].kind == SOURCE_CONST)
      return x86_constant(&b->x86, constant(c, i));
   return x86_reg(jit_source(b, c, i));
}

static void
drop(struct jit_builder *b, int kind, uint32_t key, unsigned but)
{
   for (unsigned i = 0; i < JIT_VALUES; i++) {
      struct jit_value *v = &b->values[i];
      if (i != but && (int)v->kind == kind && v->key == key)
         *v = (struct jit_value){.locked = v->locked};
   }
}

void
jit_set_vgpr(struct jit_builder *b, unsigned operand, unsigned reg)
{
   struct jit_value *v = &b->values[reg];
   drop(b, JIT_VGPR, operand - AMD_VGPR0, reg);
   v->kind = JIT_VGPR;
   v->key = operand - AMD_VGPR0;
   v->dirty = true;
}

void
jit_set_mask(struct jit_builder *b, unsigned mask, unsigned reg, bool is_value)
{
   drop(b, JIT_MASK, mask, JIT_VALUES);
   if (is_value) {
      b->values[reg].kind = JIT_MASK;
      b->values[reg].key = mask;
   }
}

void
jit_unlock(struct jit_builder *b)
{
   for (unsigned i = 0; i < JIT_VALUES; i++)
      b->values[i].locked = false;
}

void
jit_flush(struct jit_builder *b)
{
   for (unsigned i = 0; i < JIT_VALUES; i++)
      write_back(b, i);
   jit_forget(b);
}

void
jit_forget(struct jit_builder *b)
{
   memset(b->values, 0, sizeof(b->values));
   b->now = 0;
}
