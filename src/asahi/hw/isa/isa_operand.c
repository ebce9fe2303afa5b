/* One meaning of an operand's bits, both ways. */
#include "asahi/hw/isa/isa_tables.h"
#include "asahi/hw/hw_limits.h"

/* Halves of registers; uniforms have twice as many. */
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
          (unsigned)o->value + o->count * halves <= (o->kind == AGX_REG ? AGX_REGISTERS : AGX_UNIFORMS);
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

/* Whether a flag is set for which the meaning has no bit; with hints, whether both are. */
static bool
has_other_flags(const struct isa_case *c, const struct agx_operand *o, bool extends)
{
   const bool hints = c->hint ? o->cache & o->discard : (o->cache & !c->cache) | (o->discard & !c->discard);
   return hints | (o->abs & !c->abs) | (o->neg & !c->neg) | (extends & !c->sext);
}

/* Positions are bit + 1, and what is no flag of the meaning is not set. */
static uint32_t
flag_bits(const struct isa_case *c, const struct agx_operand *o, bool extends)
{
   uint32_t bits = ((uint32_t)o->abs << c->abs | (uint32_t)o->neg << c->neg | (uint32_t)extends << c->sext) >> 1;
   if (c->hint)
      return bits | (o->discard ? 3u : o->cache ? 2u : 1u) << (c->hint - 1);
   return bits | ((uint32_t)o->cache << c->cache | (uint32_t)o->discard << c->discard) >> 1;
}

static bool
encode_size(const struct isa_case *c, const struct agx_operand *o, uint32_t *raw)
{
   const bool counts = c->count || c->popcount;
   if (!is_register(c->kind))
      return o->size == 0 && o->count == 0;
   if ((o->size != 16 && o->size != 32 && o->size != 64) || o->count < 1 ||
       (counts ? o->count > 4 : o->count != c->fixed_count))
      return false;
   if (c->count)
      *raw |= (o->count & 3u) << (c->count - 1);
   if (o->size == 64 && c->size64)
      *raw |= 1u << (c->size64 - 1);
   if (o->size >= 32 && c->size32)
      *raw |= 1u << (c->size32 - 1);
   const bool fits = o->size == c->size || (o->size == 64 ? c->size64 : c->size32);
   return fits && registers_exist(o);
}

bool
isa_case_encode(const struct isa_case *c, const struct agx_operand *o, uint32_t *raw)
{
   *raw = c->value;
   if (c->kind != o->kind)
      return false;
   if (c->kind == AGX_NONE)
      return true;
   const bool extends = c->kind != AGX_SIMM && o->sext != c->inverted;
   if (has_other_flags(c, o, extends))
      return false;
   *raw |= flag_bits(c, o, extends);
   return encode_size(c, o, raw) && encode_value(c, o->value, raw);
}
