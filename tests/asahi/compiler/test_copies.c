/* Parallel copies become moves that do the same one after another: all copies of six halves of registers, in pairs or
 * alone, with and without a pair to spare. The witness reads everything before it writes anything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "asahi/compiler/agx_ir.h"

#define HALVES 6
#define SPARE HALVES /* a pair after them */
#define REGISTERS (HALVES + 2)

/* What a pair of registers gets: nothing, a pair, or each half nothing or a half. */
#define WAYS (1 + HALVES / 2 + (HALVES + 1) * (HALVES + 1))

struct copy {
   unsigned count;
   struct {
      uint8_t dst, src, halves;
   } at[HALVES];
};

static void
add(struct copy *copy, unsigned dst, unsigned src, unsigned halves)
{
   copy->at[copy->count].dst = (uint8_t)dst;
   copy->at[copy->count].src = (uint8_t)src;
   copy->at[copy->count++].halves = (uint8_t)halves;
}

static struct copy
copy_of(unsigned number)
{
   struct copy copy = {0};
   for (unsigned pair = 0; pair < HALVES; pair += 2) {
      unsigned way = number % WAYS;
      number /= WAYS;
      if (way && way <= HALVES / 2)
         add(&copy, pair, 2 * (way - 1), 2);
      if (way <= HALVES / 2)
         continue;
      way -= 1 + HALVES / 2;
      const unsigned sources[] = {way % (HALVES + 1), way / (HALVES + 1)};
      for (unsigned half = 0; half < 2; half++) {
         if (sources[half])
            add(&copy, pair + half, sources[half] - 1, 1);
      }
   }
   return copy;
}

static struct agx_ref
value_at(struct agx_ir *ir, unsigned reg, unsigned halves)
{
   struct agx_ref ref = agx_ir_value(ir, 16 * halves, 1);
   ref.reg = (uint16_t)reg;
   return ref;
}

static void
run_move(const struct agx_instr *instr, uint16_t registers[REGISTERS])
{
   const struct agx_ref *dst = &instr->dsts[0], *a = &instr->srcs[0], *b = &instr->srcs[1];
   assert_true(instr->op == AGX_OP_MOV || instr->op == AGX_OP_XOR);
   for (unsigned h = 0; h < agx_halves(dst); h++) {
      assert_true(dst->value + h < REGISTERS && a->value + h < REGISTERS && a->size == dst->size);
      assert_true(dst->size == 16 || !(dst->value & 1 || a->value & 1));
      registers[dst->value + h] = registers[a->value + h] ^ (instr->op == AGX_OP_XOR ? registers[b->value + h] : 0);
   }
}

static unsigned
check(unsigned number, bool spare)
{
   static const struct agx_options options;
   const struct copy copy = copy_of(number);
   struct arena arena = {0};
   struct agx_ir *ir = agx_ir_create(&arena, &options);
   struct agx_block *block = agx_ir_block(ir);
   struct agx_instr *instr = agx_ir_instr(ir, AGX_P_COPY, copy.count, copy.count);
   uint16_t registers[REGISTERS], expected[REGISTERS];
   for (unsigned h = 0; h < REGISTERS; h++)
      expected[h] = registers[h] = (uint16_t)(0x1111 * (h + 1));
   for (unsigned i = 0; i < copy.count; i++) {
      instr->dsts[i] = value_at(ir, copy.at[i].dst, copy.at[i].halves);
      instr->srcs[i] = value_at(ir, copy.at[i].src, copy.at[i].halves);
      for (unsigned h = 0; h < copy.at[i].halves; h++)
         expected[copy.at[i].dst + h] = registers[copy.at[i].src + h];
   }
   instr->mod.target = spare ? SPARE + 1 : 0;
   agx_ir_append(ir, block, instr);
   agx_lower_copies(ir);
   for (unsigned i = 0; i < block->count; i++)
      run_move(block->instrs[i], registers);
   if (memcmp(registers, expected, HALVES * sizeof(*registers)))
      fail_msg("copy %u%s is wrong", number, spare ? " with a spare pair" : "");
   const unsigned count = block->count;
   assert_true(spare || (registers[SPARE] == expected[SPARE] && registers[SPARE + 1] == expected[SPARE + 1]));
   arena_free(&arena);
   return count;
}

static void
all_copies(void **state)
{
   (void)state;
   unsigned moves[2] = {0};
   for (unsigned spare = 0; spare < 2; spare++) {
      for (unsigned number = 0; number < WAYS * WAYS * WAYS; number++)
         moves[spare] += check(number, spare);
   }
   assert_true(moves[1] < moves[0]); /* a circle of moves is shorter than one of swaps */
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(all_copies)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
