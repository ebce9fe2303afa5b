/* Each opcode of integer division at each size, lowered, against the opcode itself on edge values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_interp.h"
#include "compiler/nir/nir_passes.h"
#include "nir_random.h"
#include "util/macros.h"

#define LANES 256
#define SOURCES 2

static uint64_t
edge_value(uint64_t *state, unsigned bits)
{
   /* clang-format off */
   static const uint64_t edges[] = {
      0, 1, 2, 3, 7, 31, 32, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
      UINT64_C(0x7fffffffffffffff), UINT64_C(0x8000000000000000), UINT64_MAX, UINT64_C(0x100000000)
   };
   /* clang-format on */
   uint64_t value = nir_random_next(state) | (uint64_t)nir_random_next(state) << 32;
   switch (nir_random_next(state) % 3) {
   case 0:
      value = edges[nir_random_next(state) % ARRAY_SIZE(edges)];
      break;
   case 1:
      value >>= nir_random_next(state) % 64;
      break;
   default:
      break;
   }
   return value & bit_mask(bits);
}

static struct nir_shader *
one_op(struct arena *arena, enum nir_op op, unsigned bits)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_COMPUTE);
   struct nir_builder b = nir_builder_create(shader);
   shader->info.workgroup_size[0] = LANES;
   struct nir_def *lane = nir_load_local_invocation_index(&b), *src[SOURCES];
   for (unsigned i = 0; i < SOURCES; i++) {
      struct nir_def *offset = nir_iadd_imm(&b, nir_imul_imm(&b, lane, SOURCES * 8), i * 8);
      src[i] = nir_load_ssbo(&b, 1, bits, nir_imm_int(&b, 0), offset, .align_mul = 8);
   }
   struct nir_def *result = nir_build_alu(&b, op, src[0], src[1], NULL, NULL);
   nir_store_ssbo(&b, result, nir_imm_int(&b, 1), nir_imul_imm(&b, lane, 8), .align_mul = 8, .write_mask = 1);
   return shader;
}

static void
interpret(struct arena *arena, struct nir_shader *shader, void *in, void *out)
{
   memset(out, 0, LANES * 8);
   const struct nir_interp_buffer buffers[2] = {{.data = in, .size_B = LANES * SOURCES * 8},
                                                {.data = out, .size_B = LANES * 8}};
   const struct nir_interp_params params = {.subgroup_size = 64, .buffers = buffers, .num_buffers = 2};
   const char *error = nir_interp_run(arena, shader, &params).error;
   if (error)
      fail_msg("%s", error);
}

static bool
is_lowered(const struct nir_shader *shader, enum nir_op op)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_ALU && nir_as_alu(instr)->op == op)
            return false;
      }
   }
   return true;
}

static void
check(enum nir_op op, unsigned bits)
{
   struct arena arena = {};
   uint64_t in[LANES][SOURCES], plain[LANES], lowered[LANES], state = op * 131u + bits;
   for (uint32_t i = 0; i < LANES * SOURCES; i++)
      in[i / SOURCES][i % SOURCES] = edge_value(&state, bits);
   struct nir_shader *shader = one_op(&arena, op, bits);
   assert_null(nir_validate(shader));
   interpret(&arena, shader, in, plain);
   assert_true(nir_lower_alu_ops(shader));
   nir_opt_dce(shader);
   const char *error = nir_validate(shader);
   if (error)
      fail_msg("%s of %u bits: %s", nir_op_infos[op].name, bits, error);
   assert_true(is_lowered(shader, op));
   interpret(&arena, shader, in, lowered);
   for (uint32_t i = 0; i < LANES; i++) {
      if (plain[i] != lowered[i])
         fail_msg("%s of %u bits of %#lx %#lx: %#lx, lowered %#lx", nir_op_infos[op].name, bits, in[i][0], in[i][1],
                  plain[i], lowered[i]);
   }
   arena_free(&arena);
}

static void
every_division(void **state)
{
   static const enum nir_op ops[] = {NIR_OP_udiv, NIR_OP_umod, NIR_OP_idiv, NIR_OP_irem, NIR_OP_imod};
   for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
      for (unsigned bits = 8; bits <= 64; bits *= 2)
         check(ops[i], bits);
   }
}

/* Division by constants goes by multiplication: every divisor of a list against C's division. */
static void
constant_divisors(void **state)
{
   static const uint32_t divisors[] = {
      2,     3,       5,          6,          7,          9,          14,         11,           28,
      60,    100,     125,        255,        641,        1000,       3600,       65535,        65536,
      65537, 6700417, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, (uint32_t)-3, (uint32_t)-1000};
   for (unsigned k = 0; k < ARRAY_SIZE(divisors) * 3; k++) {
      static const enum nir_op ops[3] = {NIR_OP_udiv, NIR_OP_umod, NIR_OP_idiv};
      uint32_t d = divisors[k / 3];
      enum nir_op op = ops[k % 3];
      struct arena arena = {};
      uint32_t *in = arena_array(&arena, uint32_t, LANES *SOURCES * 2),
               *out = arena_array(&arena, uint32_t, LANES * 2);
      struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_COMPUTE);
      struct nir_builder b = nir_builder_create(shader);
      shader->info.workgroup_size[0] = LANES;
      struct nir_def *lane = nir_load_local_invocation_index(&b);
      struct nir_def *n = nir_load_ssbo(&b, 1, 32, nir_imm_int(&b, 0), nir_imul_imm(&b, lane, 4), .align_mul = 4);
      struct nir_def *result = nir_build_alu(&b, op, n, nir_imm_int(&b, (int32_t)d), NULL, NULL);
      nir_store_ssbo(&b, result, nir_imm_int(&b, 1), nir_imul_imm(&b, lane, 4), .align_mul = 4, .write_mask = 1);
      uint64_t sequence = d;
      for (uint32_t i = 0; i < LANES; i++)
         in[i] = i < 64 ? (uint32_t)(d * (uint64_t)(i / 4) + i % 4 - 2) : (uint32_t)edge_value(&sequence, 32);
      nir_lower_alu_ops(shader);
      nir_opt_constant_folding(shader);
      nir_opt_dce(shader);
      assert_null(nir_validate(shader));
      assert_true(is_lowered(shader, NIR_OP_frcp));
      interpret(&arena, shader, in, out);
      for (uint32_t i = 0; i < LANES; i++) {
         uint32_t expected = op == NIR_OP_udiv   ? in[i] / d
                             : op == NIR_OP_umod ? in[i] % d
                                                 : (uint32_t)((int64_t)(int32_t)in[i] / (int32_t)d);
         if (out[i] != expected)
            fail_msg("%s of %#x by %#x: %#x instead of %#x", nir_op_infos[op].name, in[i], d, out[i], expected);
      }
      arena_free(&arena);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(every_division), cmocka_unit_test(constant_divisors)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
