#include "sim/host/x86.h"

#include <assert.h>
#include <string.h>

/* A field of 32 bits at an offset of the code, relative to what follows its instruction. */
struct use {
   uint32_t at, end;
   uint32_t number;
};

struct constant {
   uint32_t words[8];
};

enum { REX = 0x40, REX_W = 0x48, OPCODE_GROUP_1 = 0x81, OPCODE_SHIFT = 0xd3, GROUP_3_NOT = 2 };

void
x86_free(struct x86 *c)
{
   dynarray_free(&c->bytes);
   dynarray_free(&c->constants);
   dynarray_free(&c->uses);
   dynarray_free(&c->labels);
   dynarray_free(&c->jumps);
}

uint32_t
x86_here(const struct x86 *c)
{
   return (uint32_t)c->bytes.size_B;
}

static void
put(struct x86 *c, unsigned byte)
{
   *(uint8_t *)dynarray_grow(&c->bytes, 1) = (uint8_t)byte;
}

static void
put32(struct x86 *c, uint32_t word)
{
   memcpy(dynarray_grow(&c->bytes, 4), &word, 4);
}

/* A distance that is known in the end. */
static void
put_later(struct x86 *c, struct dynarray *uses, unsigned after_B, uint32_t number)
{
   const struct use use = {x86_here(c), x86_here(c) + 4 + after_B, number};
   dynarray_append(uses, struct use, use);
   put32(c, 0);
}

/* MODRM, SIB and the offset. after_B: bytes of the instruction that follow. */
static void
put_operand(struct x86 *c, unsigned reg, struct x86_operand o, unsigned after_B)
{
   const unsigned middle = (reg & 7) << 3, low = o.reg & 7;
   if (o.kind == X86_REGISTER) {
      put(c, 0xc0 | middle | low);
      return;
   }
   if (o.kind == X86_CONSTANT) {
      put(c, middle | 5);
      put_later(c, &c->uses, after_B, (uint32_t)o.offset_B);
      return;
   }
   const bool small = o.offset_B >= -128 && o.offset_B < 128;
   put(c, (small ? 0x40u : 0x80u) | middle | low);
   if (low == X86_RSP)
      put(c, 0x24);
   if (small)
      put(c, (uint8_t)o.offset_B);
   else
      put32(c, (uint32_t)o.offset_B);
}

/* ---- vectors ---- */

static void
put_vector(struct x86 *c, enum x86_vector op, unsigned reg, unsigned first, struct x86_operand last, unsigned after_B)
{
   const unsigned far = last.kind != X86_CONSTANT && last.reg >= 8, wide = 4;
   put(c, 0xc4);
   put(c, (reg < 8) << 7 | 1 << 6 | !far << 5 | (unsigned)op >> 16);
   put(c, (~first & 15) << 3 | wide | ((unsigned)op >> 12 & 3));
   put(c, (unsigned)op & 255);
   put_operand(c, reg, last, after_B);
}

void
x86_vector(struct x86 *c, enum x86_vector op, unsigned to, unsigned first, struct x86_operand last)
{
   put_vector(c, op, to, first, last, 0);
}

void
x86_vector_byte(struct x86 *c, enum x86_vector op, unsigned to, unsigned first, struct x86_operand last, uint8_t byte)
{
   put_vector(c, op, to, first, last, 1);
   put(c, byte);
}

void
x86_vector_shift(struct x86 *c, enum x86_vector op, enum x86_shift shift, unsigned to, unsigned from, uint8_t bits)
{
   put_vector(c, op, shift, to, x86_reg(from), 1);
   put(c, bits);
}

void
x86_vector_end(struct x86 *c)
{
   put(c, 0xc5), put(c, 0xf8), put(c, 0x77);
}

/* ---- general instructions ---- */

static void
put_rex(struct x86 *c, bool wide, unsigned reg, struct x86_operand o)
{
   const unsigned rex = (wide ? REX_W : REX) | (reg >> 3) << 2 | (o.kind != X86_CONSTANT && o.reg >= 8);
   put(c, rex); /* also where it says nothing: bytes of RSI and RDI need it */
}

void
x86_op(struct x86 *c, bool wide, enum x86_op op, enum x86_reg to, struct x86_operand from)
{
   put_rex(c, wide, to, from);
   if (op >> 8)
      put(c, (unsigned)op >> 8);
   put(c, (unsigned)op & 255);
   put_operand(c, to, from, 0);
}

void
x86_op_number(struct x86 *c, bool wide, enum x86_op op, struct x86_operand to, int32_t number)
{
   put_rex(c, wide, 0, to);
   put(c, OPCODE_GROUP_1);
   put_operand(c, (unsigned)op >> 3, to, 4);
   put32(c, (uint32_t)number);
}

void
x86_store(struct x86 *c, bool wide, struct x86_operand to, enum x86_reg from)
{
   put_rex(c, wide, from, to);
   put(c, 0x89);
   put_operand(c, from, to, 0);
}

void
x86_store_byte(struct x86 *c, struct x86_operand to, enum x86_reg from)
{
   put_rex(c, false, from, to);
   put(c, 0x88);
   put_operand(c, from, to, 0);
}

void
x86_store_number(struct x86 *c, bool wide, struct x86_operand to, int32_t number)
{
   put_rex(c, wide, 0, to);
   put(c, 0xc7);
   put_operand(c, 0, to, 4);
   put32(c, (uint32_t)number);
}

void
x86_store_byte_number(struct x86 *c, struct x86_operand to, uint8_t number)
{
   put_rex(c, false, 0, to);
   put(c, 0xc6);
   put_operand(c, 0, to, 1);
   put(c, number);
}

void
x86_compare_byte(struct x86 *c, struct x86_operand at, uint8_t number)
{
   put_rex(c, false, 0, at);
   put(c, 0x80);
   put_operand(c, 7, at, 1);
   put(c, number);
}

void
x86_load_number(struct x86 *c, enum x86_reg to, uint64_t number)
{
   const bool wide = number >> 32;
   put_rex(c, wide, 0, x86_reg(to));
   put(c, 0xb8 | (to & 7));
   put32(c, (uint32_t)number);
   if (wide)
      put32(c, (uint32_t)(number >> 32));
}

void
x86_shift(struct x86 *c, bool wide, enum x86_shift shift, enum x86_reg reg)
{
   const unsigned field = shift == X86_SHIFT_LEFT ? 4 : shift == X86_SHIFT_RIGHT ? 5 : 7;
   put_rex(c, wide, 0, x86_reg(reg));
   put(c, OPCODE_SHIFT);
   put_operand(c, field, x86_reg(reg), 0);
}

void
x86_not(struct x86 *c, bool wide, enum x86_reg reg)
{
   put_rex(c, wide, 0, x86_reg(reg));
   put(c, 0xf7);
   put_operand(c, GROUP_3_NOT, x86_reg(reg), 0);
}

void
x86_set(struct x86 *c, enum x86_condition condition, struct x86_operand byte)
{
   put_rex(c, false, 0, byte);
   put(c, 0x0f);
   put(c, 0x90 | condition);
   put_operand(c, 0, byte, 0);
}

void
x86_push(struct x86 *c, enum x86_reg reg)
{
   put_rex(c, false, 0, x86_reg(reg));
   put(c, 0x50 | (reg & 7));
}

void
x86_pop(struct x86 *c, enum x86_reg reg)
{
   put_rex(c, false, 0, x86_reg(reg));
   put(c, 0x58 | (reg & 7));
}

void
x86_call(struct x86 *c, enum x86_reg reg)
{
   put_rex(c, false, 0, x86_reg(reg));
   put(c, 0xff);
   put_operand(c, 2, x86_reg(reg), 0);
}

void
x86_jump_to(struct x86 *c, enum x86_reg reg)
{
   put_rex(c, false, 0, x86_reg(reg));
   put(c, 0xff);
   put_operand(c, 4, x86_reg(reg), 0);
}

void
x86_return(struct x86 *c)
{
   put(c, 0xc3);
}

/* ---- constants and labels ---- */

struct x86_operand
x86_constants(struct x86 *c, const uint32_t words[8])
{
   const uint32_t count = (uint32_t)dynarray_count(&c->constants, struct constant);
   uint32_t number = 0;
   while (number < count && memcmp(dynarray_at(&c->constants, struct constant, number), words, 32))
      number++;
   if (number == count)
      memcpy(dynarray_grow(&c->constants, 32), words, 32);
   return (struct x86_operand){X86_CONSTANT, 0, (int32_t)number};
}

struct x86_operand
x86_constant(struct x86 *c, uint32_t word)
{
   const uint32_t words[8] = {word, word, word, word, word, word, word, word};
   return x86_constants(c, words);
}

unsigned
x86_label(struct x86 *c)
{
   dynarray_append(&c->labels, int64_t, -1);
   return (unsigned)dynarray_count(&c->labels, int64_t) - 1;
}

void
x86_place(struct x86 *c, unsigned label)
{
   *dynarray_at(&c->labels, int64_t, label) = x86_here(c);
}

void
x86_jump(struct x86 *c, enum x86_condition condition, unsigned label)
{
   if (condition == X86_ALWAYS) {
      put(c, 0xe9);
   } else {
      put(c, 0x0f);
      put(c, 0x80 | condition);
   }
   put_later(c, &c->jumps, 0, label);
}

static void
resolve(struct x86 *c, const struct use *use, int64_t target)
{
   const int32_t distance = (int32_t)(target - use->end);
   memcpy((uint8_t *)c->bytes.data + use->at, &distance, 4);
}

void
x86_finish(struct x86 *c)
{
   while (c->bytes.size_B % 32)
      put(c, 0xcc);
   const uint32_t constants = x86_here(c);
   if (c->constants.size_B)
      memcpy(dynarray_grow(&c->bytes, c->constants.size_B), c->constants.data, c->constants.size_B);
   dynarray_for_each(struct use, use, &c->uses)
      resolve(c, use, (int64_t)constants + 32 * (int64_t)use->number);
   dynarray_for_each(struct use, jump, &c->jumps) {
      const int64_t target = *dynarray_at(&c->labels, int64_t, jump->number);
      assert(target >= 0 && "a label that was placed");
      resolve(c, jump, target);
   }
}
