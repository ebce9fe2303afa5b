/* One meaning of an operand's bits, both ways. */
#include "asahi/hw/isa/isa_tables.h"

/* Halves of registers; uniforms have twice as many. */
#define HALVES 256

static bool
is_register(unsigned kind)
{
   return kind == AGX_REG || kind == AGX_UNIFORM;
}

static bool
flag(uint32_t raw, unsigned at)
{
   return at && raw >> (at - 1) & 1;
}

static unsigned
bits2(uint32_t raw, unsigned at)
{
   return at ? raw >> (at - 1) & 3 : 0;
}

static unsigned
count_of(const struct isa_case *c, uint32_t raw)
{
   unsigned count = c->fixed_count;
   if (c->count)
      count = bits2(raw, c->count) ? bits2(raw, c->count) : 4;
   if (c->popcount)
      count = (unsigned)__builtin_popcount(raw >> (c->popcount - 1) & 15);
   return count ? count : 1;
}

/* What all registers must keep to: they exist, and those of 32 and 64 bits begin at an even half. */
static bool
registers_exist(const struct agx_operand *o)
{
   unsigned halves = o->size / 16u;
   return o->value >= 0 && (halves == 1 || !(o->value & 1)) &&
          (unsigned)o->value + o->count * halves <= (o->kind == AGX_REG ? HALVES : 2 * HALVES);
}

static int32_t
value_of(const struct isa_case *c, uint32_t raw)
{
   uint32_t value = 0;
   for (const struct isa_piece *p = isa_pieces + c->first; p < isa_pieces + c->first + c->pieces; p++)
      value |= (raw >> p->low & isa_ones(p->width)) << p->to;
   if (c->kind == AGX_SIMM && value >> (c->bits - 1))
      value |= ~isa_ones(c->bits);
   return (int32_t)(value << c->shift);
}

bool
isa_case_decode(const struct isa_case *c, uint32_t raw, struct agx_operand *o)
{
   *o = (struct agx_operand){0};
   if ((raw & c->mask) != c->value)
      return false;
   if (c->kind == AGX_NONE)
      return true;
   o->kind = c->kind;
   o->value = value_of(c, raw);
   unsigned hint = bits2(raw, c->hint);
   if (c->hint && !hint)
      return false;
   o->cache = flag(raw, c->cache) || hint == 2;
   o->discard = flag(raw, c->discard) || hint == 3;
   o->abs = flag(raw, c->abs);
   o->neg = flag(raw, c->neg);
   o->sext = c->kind == AGX_SIMM || (c->sext && flag(raw, c->sext) != c->inverted);
   if (!is_register(c->kind))
      return true;
   o->size = flag(raw, c->size64) ? 64 : flag(raw, c->size32) ? 32 : c->size;
   o->count = (uint8_t)count_of(c, raw);
   return registers_exist(o);
}

static bool
encode_value(const struct isa_case *c, int32_t value, uint32_t *raw)
{
   uint32_t rest = (uint32_t)value >> c->shift;
   if ((int32_t)(rest << c->shift) != value)
      return false;
   uint32_t beyond = rest & ~isa_ones(c->bits);
   bool negative = c->kind == AGX_SIMM && value < 0;
   if (c->kind == AGX_SIMM &&
       ((rest >> (c->bits - 1) & 1) != negative || beyond != (negative ? ~isa_ones(c->bits) : 0)))
      return false;
   if (c->kind != AGX_SIMM && beyond)
      return false;
   for (const struct isa_piece *p = isa_pieces + c->first; p < isa_pieces + c->first + c->pieces; p++)
      *raw |= (rest >> p->to & isa_ones(p->width)) << p->low;
   return true;
}

static bool
encode_flag(bool set, unsigned at, uint32_t *raw)
{
   if (set && !at)
      return false;
   *raw |= set ? 1u << (at - 1) : 0;
   return true;
}

static bool
encode_hints(const struct isa_case *c, const struct agx_operand *o, uint32_t *raw)
{
   if (c->hint) {
      *raw |= (o->discard ? 3u : o->cache ? 2u : 1u) << (c->hint - 1);
      return !(o->cache && o->discard);
   }
   return encode_flag(o->cache, c->cache, raw) && encode_flag(o->discard, c->discard, raw);
}

static bool
encode_size(const struct isa_case *c, const struct agx_operand *o, uint32_t *raw)
{
   if (!is_register(c->kind))
      return o->size == 0 && o->count == 0;
   if (o->size != 16 && o->size != 32 && o->size != 64)
      return false;
   if (c->count)
      *raw |= (o->count & 3u) << (c->count - 1);
   if (o->count < 1 || o->count > (c->count || c->popcount ? 4 : c->fixed_count) ||
       (!c->count && !c->popcount && o->count != c->fixed_count))
      return false;
   if (o->size == 64 && c->size64)
      *raw |= 1u << (c->size64 - 1);
   if (o->size >= 32 && c->size32)
      *raw |= 1u << (c->size32 - 1);
   bool sizes[] = {c->size == 16 || c->size32, c->size == 32 || c->size32, c->size == 64 || c->size64};
   return sizes[o->size / 32] && registers_exist(o);
}

bool
isa_case_encode(const struct isa_case *c, const struct agx_operand *o, uint32_t *raw)
{
   *raw = c->value;
   if (c->kind != o->kind)
      return false;
   if (c->kind == AGX_NONE)
      return true;
   bool extends = c->kind != AGX_SIMM && (c->inverted ? !o->sext : o->sext);
   return encode_value(c, o->value, raw) && encode_hints(c, o, raw) && encode_size(c, o, raw) &&
          encode_flag(o->abs, c->abs, raw) && encode_flag(o->neg, c->neg, raw) && encode_flag(extends, c->sext, raw);
}
