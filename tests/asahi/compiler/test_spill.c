/* What the innermost of nested loops reads stays in registers, however deep they nest, when what an outer loop reads
 * can go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asahi/compiler/agx_builder.h"

#define INNER 6
#define OUTER 18
#define REGISTERS_H 40 /* fewer than all values take */

static void
make_values(struct agx_builder *b, struct agx_ref *values, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      values[i] = agx_iadd(b, 32, agx_uniform(0, 32, 1), agx_uniform(2 * i, 32, 1));
}

static void
store_values(struct agx_builder *b, const struct agx_ref *values, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      agx_store(b, values[i], agx_uniform(0, 64, 1), agx_imm(i));
}

/* Ends the block, which leads to the new one. */
static void
next_block(struct agx_builder *b)
{
   struct agx_block *next = agx_ir_block(b->ir);
   agx_ir_link(b->ir, b->block, next);
   b->block = next;
}

/* The innermost loop stores some values twice; the loop at outer_depth stores others once, after the loops in it.
 * Returns the block of the innermost loop. */
static const struct agx_block *
build_loops(struct agx_ir *ir, unsigned depth, unsigned outer_depth)
{
   struct agx_builder b = {.ir = ir, .block = agx_ir_block(ir)};
   struct agx_ref inner[INNER], outer[OUTER];
   make_values(&b, inner, INNER);
   make_values(&b, outer, OUTER);
   for (unsigned d = 0; d < depth; d++) {
      agx_build_pseudo(&b, AGX_P_LOOP, 0, 0);
      next_block(&b);
   }
   const struct agx_block *innermost = b.block;
   store_values(&b, inner, INNER);
   store_values(&b, inner, INNER);
   for (unsigned d = depth; d > 0; d--) {
      if (d == outer_depth)
         store_values(&b, outer, OUTER);
      agx_build_pseudo(&b, AGX_P_NEXT, 0, 0);
      agx_ir_link(ir, b.block, ir->blocks[d]);
      next_block(&b);
      agx_build_pseudo(&b, AGX_P_ENDLOOP, 0, 0);
   }
   agx_build_pseudo(&b, AGX_P_END, 0, 0);
   return innermost;
}

static void
try_depth(unsigned depth, unsigned outer_depth)
{
   struct arena arena = {0};
   const struct agx_options options = {0};
   struct agx_ir *ir = agx_ir_create(&arena, &options);
   ir->registers_max_h = REGISTERS_H;
   const struct agx_block *innermost = build_loops(ir, depth, outer_depth);
   agx_spill(ir);
   assert_null(ir->error);
   assert_int_not_equal(ir->fills, 0);
   for (unsigned k = 0; k < innermost->count; k++) {
      if (innermost->instrs[k]->op == AGX_P_FILL)
         fail_msg("%u loops: the innermost fills what it reads, not loop %u", depth, outer_depth);
   }
   arena_free(&arena);
}

static void
test_nested_loops(void **state)
{
   (void)state;
   static const unsigned depths[] = {2, 31, 41, 255, 256, 257, 300, 1000};
   for (unsigned i = 0; i < sizeof(depths) / sizeof(depths[0]); i++) {
      try_depth(depths[i], 1);
      try_depth(depths[i], depths[i] - 1);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_nested_loops)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
