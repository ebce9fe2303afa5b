/* Each opcode at each size, lowered by every option, against the opcode itself on edge values. */
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
#define SOURCES 4

static const struct nir_lower_options everything = {
   .idiv32 = true, .int64_div = true, .int64_arith = true, .small_int = true, .imul_2x32_64 = true, .bitfield = true,
   .isub = true, .fsub = true, .ffract = true, .fsign = true, .fdot = true, .frexp = true, .fquantize2f16 = true,
   .pack = true,
};

static uint64_t
edge_value(uint64_t *state, unsigned bits)
{
   static const uint64_t edges[] = {0,
                                    1,
                                    2,
                                    3,
                                    7,
                                    31,
                                    32,
                                    63,
                                    64,
                                    0x7f,
                                    0x80,
                                    0xff,
                                    0x7fff,
                                    0x8000,
                                    0xffff,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    UINT64_C(0x7fffffffffffffff),
                                    UINT64_C(0x8000000000000000),
                                    UINT64_MAX,
                                    UINT64_C(0x100000000),
                                    0x3f800000,
                                    0xbf000000,
                                    0x7f800000,
                                    0x4f800000,
                                    UINT64_C(0x3ff0000000000000),
                                    UINT64_C(0xc3e0000000000000),
                                    0x3c00,
                                    0xfc00};
   uint64_t value = nir_random_next(state) | (uint64_t)nir_random_next(state) << 32;
   switch (nir_random_next(state) % 4) {
   case 0:
      value = edges[nir_random_next(state) % ARRAY_SIZE(edges)];
      break;
   case 1:
      value >>= nir_random_next(state) % 64;
      break;
   case 2:
      if (bits == 32)
         value = float_bits((float)(int32_t)(value % 20000) / 16 - 600);
      if (bits == 64)
         value = double_bits(((double)(value >> 20) - 0x1p43) * 64);
      break;
   default:
      break;
   }
   return value & bit_mask(bits);
}

/* src_bits: size of the unsized operands. */
static struct nir_shader *
one_op(struct arena *arena, enum nir_op op, unsigned bits)
{
   const struct nir_op_info *info = &nir_op_infos[op];
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_COMPUTE);
   struct nir_builder b = nir_builder_create(shader);
   shader->info.workgroup_size[0] = LANES;
   struct nir_def *lane = nir_load_local_invocation_index(&b), *src[4] = {};
   for (unsigned i = 0; i < info->num_srcs; i++) {
      unsigned size = info->src_bits[i] ? info->src_bits[i] : bits, count = MAX2(info->src_components[i], 1);
      struct nir_def *offset = nir_iadd_imm(&b, nir_imul_imm(&b, lane, SOURCES * 32), i * 32);
      struct nir_def *value = nir_load_ssbo(&b, count, MAX2(size, 8u), nir_imm_int(&b, 0), offset, .align_mul = 32);
      src[i] = size == 1 ? nir_ine_imm(&b, nir_iand_imm(&b, value, 1), 0) : value;
   }
   struct nir_def *result = nir_build_alu(&b, op, src[0], src[1], src[2], src[3]);
   if (result->bit_size == 1)
      result = nir_b2iN(&b, result, 32);
   nir_store_ssbo(&b, result, nir_imm_int(&b, 1), nir_imul_imm(&b, lane, 32), .align_mul = 32,
                  .write_mask = (1u << result->num_components) - 1);
   return shader;
}

static void
fill(enum nir_op op, unsigned bits, uint8_t *in)
{
   const struct nir_op_info *info = &nir_op_infos[op];
   uint64_t state = op * 131u + bits;
   for (uint32_t lane = 0; lane < LANES; lane++) {
      for (unsigned i = 0; i < info->num_srcs; i++) {
         unsigned size = info->src_bits[i] ? info->src_bits[i] : bits;
         for (unsigned c = 0; c < 4; c++) {
            uint64_t value = edge_value(&state, size);
            /* Fields inside the word, as SPIR-V demands. */
            if (op == NIR_OP_bitfield_insert && i == 2)
               value %= 33;
            if (op == NIR_OP_bitfield_insert && i == 3)
               value %= 33 - MIN2(in[(lane * SOURCES + 2) * 32], 32);
            if ((op == NIR_OP_ubitfield_extract || op == NIR_OP_ibitfield_extract) && i == 1)
               value %= 33;
            if ((op == NIR_OP_ubitfield_extract || op == NIR_OP_ibitfield_extract) && i == 2)
               value %= 33 - MIN2(in[(lane * SOURCES + 1) * 32], 32);
            memcpy(&in[(lane * SOURCES + i) * 32 + c * MAX2(size, 8u) / 8], &value, MAX2(size, 8u) / 8);
         }
      }
   }
}

static void
run(struct arena *arena, struct nir_shader *shader, uint8_t *in, uint8_t *out)
{
   memset(out, 0, LANES * 32);
   const struct nir_interp_buffer buffers[2] = {{.data = in, .size_B = LANES * SOURCES * 32},
                                                {.data = out, .size_B = LANES * 32}};
   const struct nir_interp_params params = {.subgroup_size = 64, .buffers = buffers, .num_buffers = 2};
   const char *error = nir_interp_run(arena, shader, &params).error;
   if (error)
      fail_msg("%s", error);
}

/* Equal bits; NaNs are one value; the exponent of an unorm product may round once more. */
static bool
close_enough(enum nir_op op, unsigned bits, const uint8_t *a, const uint8_t *b)
{
   const struct nir_op_info *info = &nir_op_infos[op];
   unsigned size = info->dest_bits ? info->dest_bits : bits, count = MAX2(info->dest_components, 1);
   bool unpack = op >= NIR_OP_unpack_unorm_2x16 && op <= NIR_OP_unpack_snorm_4x8;
   for (unsigned c = 0; c < count; c++) {
      union nir_const_value x = {}, y = {};
      memcpy(&x, a + c * MAX2(size, 8u) / 8, MAX2(size, 8u) / 8);
      memcpy(&y, b + c * MAX2(size, 8u) / 8, MAX2(size, 8u) / 8);
      if (x.u64 == y.u64)
         continue;
      if (info->dest_base != NIR_TYPE_FLOAT)
         return false;
      double p = nir_const_as_float(x, size), q = nir_const_as_float(y, size);
      if (p != q && !(p != p && q != q) && !(unpack && x.u32 - y.u32 + 1 <= 2))
         return false;
   }
   return true;
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
check(enum nir_op op, unsigned bits, unsigned *lowered)
{
   struct arena arena = {};
   uint8_t *in = arena_alloc(&arena, LANES * SOURCES * 32), *plain = arena_alloc(&arena, LANES * 32),
           *lower = arena_alloc(&arena, LANES * 32);
   fill(op, bits, in);
   struct nir_shader *shader = one_op(&arena, op, bits);
   assert_null(nir_validate(shader));
   run(&arena, shader, in, plain);
   nir_lower_alu_ops(shader, &everything);
   nir_opt_dce(shader);
   const char *error = nir_validate(shader);
   if (error)
      fail_msg("%s of %u bits: %s", nir_op_infos[op].name, bits, error);
   *lowered += is_lowered(shader, op);
   run(&arena, shader, in, lower);
   for (uint32_t lane = 0; lane < LANES; lane++) {
      if (close_enough(op, bits, plain + lane * 32, lower + lane * 32))
         continue;
      const uint64_t *x = (const uint64_t *)&in[lane * SOURCES * 32];
      fail_msg("%s of %u bits of %#lx %#lx %#lx %#lx: %#lx, lowered %#lx", nir_op_infos[op].name, bits, x[0], x[4],
               x[8], x[12], *(uint64_t *)(plain + lane * 32), *(uint64_t *)(lower + lane * 32));
   }
   arena_free(&arena);
}

static void
every_opcode(void **state)
{
   unsigned lowered = 0;
   for (unsigned op = 0; op < NIR_OP_COUNT; op++) {
      const struct nir_op_info *info = &nir_op_infos[op];
      if (info->flags & NIR_OP_FLAG_DERIVATIVE)
         continue;
      if (!info->bit_sizes)
         check((enum nir_op)op, 0, &lowered);
      for (unsigned bits = 8; bits <= 64; bits *= 2) {
         /* A dot product of halves rounds once in the table, after each step when lowered. */
         bool dot = op >= NIR_OP_fdot2 && op <= NIR_OP_fdot4 && bits == 16;
         if ((info->bit_sizes & bits) && !dot)
            check((enum nir_op)op, bits, &lowered);
      }
   }
   assert_true(lowered > 80);
}

/* Division by constants goes by multiplication: every divisor of a list against C's division. */
static void
constant_divisors(void **state)
{
   static const uint32_t divisors[] = {
      2,     3,       5,          6,          7,          9,          10,         11,           25,
      60,    100,     125,        255,        641,        1000,       3600,       65535,        65536,
      65537, 6700417, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, (uint32_t)-3, (uint32_t)-1000};
   for (unsigned k = 0; k < ARRAY_SIZE(divisors) * 3; k++) {
      static const enum nir_op ops[3] = {NIR_OP_udiv, NIR_OP_umod, NIR_OP_idiv};
      uint32_t d = divisors[k / 3];
      enum nir_op op = ops[k % 3];
      struct arena arena = {};
      uint32_t *in = arena_array(&arena, uint32_t, LANES * SOURCES * 8),
               *out = arena_array(&arena, uint32_t, LANES * 8);
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
      nir_lower_alu_ops(shader, &everything);
      nir_opt_constant_folding(shader);
      nir_opt_dce(shader);
      assert_null(nir_validate(shader));
      assert_true(is_lowered(shader, NIR_OP_frcp));
      run(&arena, shader, (uint8_t *)in, (uint8_t *)out);
      for (uint32_t i = 0; i < LANES; i++) {
         uint32_t expected = op == NIR_OP_udiv ? in[i] / d : op == NIR_OP_umod ? in[i] % d
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
   const struct CMUnitTest tests[] = {cmocka_unit_test(every_opcode), cmocka_unit_test(constant_divisors)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
