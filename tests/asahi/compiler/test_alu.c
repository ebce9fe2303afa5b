/* Every opcode of nir on values at the edges, compiled and run on the modelled simd-groups, next to what the table of
 * opcodes says. Where IEEE 754 does not fix a function, Vulkan's precision counts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agx_run.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "sim/waves/pool.h"
#include "util/half.h"
#include "util/macros.h"

#define THREADS 1024
#define SLOT_B 8                 /* of a component */
#define SOURCE_B (4 * SLOT_B)    /* of a source */
#define IN_STRIDE_B (4 * SOURCE_B)
#define OUT_STRIDE_B SOURCE_B

/* ---- values ---- */

static const uint64_t int_edges[] = {
   0,
   1,
   2,
   3,
   5,
   7,
   8,
   15,
   16,
   30,
   31,
   32,
   33,
   63,
   64,
   65,
   0x7f,
   0x80,
   0xff,
   0x100,
   0x7fff,
   0x8000,
   0xffff,
   0x10000,
   0x7fffffff,
   0x80000000,
   0xffffffff,
   0x100000000,
   0x7fffffffffffffff,
   0x8000000000000000,
   0xffffffffffffffff,
   0xfffffffffffffffe,
   0xffffffffffffff80,
   0xffffffffffff8000,
   0xffffffff80000000,
   0x12345678,
   0xdeadbeefcafef00d,
};

static const float float_edges[] = {
   0.0f,           -0.0f,         1.0f,       -1.0f,      0.5f,        -0.5f,         1.5f,          2.5f,
   -2.5f,          3.0f,          0.1f,       100.0f,     255.0f,      256.0f,        1e-5f,         1e-10f,
   65504.0f,       65519.0f,      65520.0f,   -65536.0f,  6e-5f,       6e-8f,         3.14159265f,   -1.57079633f,
   0.99999994f,    1.0000001f,    8388608.0f, 8388607.5f, 16777217.0f, 2147483520.0f, 2147483648.0f, -2147483904.0f,
   4294967040.0f,  4294967296.0f, 127.5f,     -128.5f,    32767.5f,    1e30f,         -1e30f,        3.4028235e38f,
   1.1754944e-38f, 1e-40f,        INFINITY,   -INFINITY,  NAN,
};

static uint64_t
value_of(enum nir_base_type base, unsigned bits, uint64_t *random)
{
   const uint32_t pick = nir_random_next(random), many = nir_random_next(random);
   const uint64_t mask = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
   if (bits == 1)
      return pick & 1;
   if (base != NIR_TYPE_FLOAT)
      return (pick % 4 ? int_edges[many % ARRAY_SIZE(int_edges)] : (uint64_t)many << 32 | nir_random_next(random)) &
             mask;
   float x = float_edges[many % ARRAY_SIZE(float_edges)];
   if (pick % 4 == 0)
      x = ((float)many / 0x1p31f - 1) * (pick % 8 ? 4.0f : 1000.0f);
   return bits == 16 ? half_from_float(x) : float_bits(x);
}

/* ---- what is tolerated ---- */

struct shape {
   unsigned bits; /* of the unsized types */
   unsigned dest_bits, dest_count, src_bits[4], src_count[4];
};

/* In units in the last place; SINE: an absolute error of 2^-11 within one turn, nothing beyond. */
#define SINE 0xff

static unsigned
tolerance(enum nir_op op)
{
   switch ((int)op) {
   case NIR_OP_frcp:
   case NIR_OP_unpack_unorm_2x16:
   case NIR_OP_unpack_unorm_4x8:
   case NIR_OP_unpack_snorm_2x16:
   case NIR_OP_unpack_snorm_4x8:
      return 1;
   case NIR_OP_frsq:
      return 2;
   case NIR_OP_fdiv:
   case NIR_OP_fsqrt:
   case NIR_OP_flog2:
      return 3;
   case NIR_OP_fexp2:
      return 16;
   case NIR_OP_fpow:
      return 200; /* of the exponents that the values have */
   case NIR_OP_fsin:
   case NIR_OP_fcos:
      return SINE;
   default: /* others: exact */
      return 0;
   }
}

static float
as_float(uint64_t bits, unsigned size)
{
   return size == 16 ? half_to_float((uint16_t)bits) : bits_float((uint32_t)bits);
}

static int64_t
ordered(uint64_t bits, unsigned size)
{
   const int64_t sign = INT64_C(1) << (size - 1), value = (int64_t)(bits & (uint64_t)(sign - 1));
   return bits & (uint64_t)sign ? -value : value;
}

static bool
is_dot(enum nir_op op)
{
   return op == NIR_OP_fdot2 || op == NIR_OP_fdot3 || op == NIR_OP_fdot4;
}

/* Of what a dot product adds up, the sizes. */
static double
size_of_terms(enum nir_op op, const struct shape *s, const uint8_t *in)
{
   double sum = 0;
   for (unsigned c = 0; is_dot(op) && c < s->src_count[0]; c++) {
      uint64_t x, y;
      memcpy(&x, in + c * SLOT_B, sizeof(x));
      memcpy(&y, in + SOURCE_B + c * SLOT_B, sizeof(y));
      sum += fabs((double)as_float(x, s->bits) * (double)as_float(y, s->bits));
   }
   return sum;
}

static bool
float_matches(enum nir_op op, unsigned size, uint64_t want, uint64_t got, double first, double second, double scale)
{
   /* size: an operation, its sources and both results */
   const float a = as_float(want, size), b = as_float(got, size);
   const unsigned ulp = tolerance(op);
   if (op == NIR_OP_fdiv && size == 32 && !(fabs(second) >= 0x1p-126 && fabs(second) <= 0x1p126))
      return true; /* outside of the range that Vulkan asks for */
   if (op == NIR_OP_frcp && size == 32 && fabs(first) > 0x1p126)
      return true;
   if (op == NIR_OP_fpow && second == 0)
      return b == 1; /* whatever the base */
   if (op == NIR_OP_fmulz && (fabs(first) < 0x1p-126 || fabs(second) < 0x1p-126) && b == 0)
      return true; /* a denormal may count as zero */
   if (op == NIR_OP_fpow && !(first > 0 && first < INFINITY && fabs(second) < INFINITY))
      return true; /* undefined */
   if (is_dot(op) && size == 16 && !(fabsf(b) <= 65504))
      return true; /* a sum on the way may overflow */
   if (is_dot(op) && fabsf(a - b) <= scale * (size == 16 ? 0x1p-9 : 0x1p-21) + (size == 16 ? 0x1p-22 : 0x1p-124))
      return true; /* each step is rounded, and what is denormal may be flushed */
   if (isnan(a))
      return isnan(b) || ulp == SINE || op == NIR_OP_fpow;
   if (ulp == SINE)
      return fabs(first) > 3.1416 || fabsf(a - b) <= 0x1p-11f;
   if (size == 32 && fabsf(a) <= 1.17549435e-38f && b == 0)
      return true; /* denormals may be flushed, before or after rounding */
   if ((op == NIR_OP_fmin || op == NIR_OP_fmax) && a == 0 && b == 0)
      return true;
   if (ulp && isinf(a) != isinf(b))
      return fabsf(isinf(a) ? b : a) > (size == 16 ? 65000.0f : 1e38f);
   return llabs(ordered(want, size) - ordered(got, size)) <= ulp;
}

/* ---- one opcode ---- */

static struct shape
shape_of(enum nir_op op, unsigned bits)
{
   const struct nir_op_info *info = &nir_op_infos[op];
   struct shape s = {.bits = bits};
   s.dest_bits = info->dest_bits ? info->dest_bits : bits;
   if (info->dest_base == NIR_TYPE_BOOL)
      s.dest_bits = 1;
   s.dest_count = info->dest_components ? info->dest_components : 1;
   for (unsigned i = 0; i < info->num_srcs; i++) {
      s.src_bits[i] = info->src_base[i] == NIR_TYPE_BOOL ? 1 : info->src_bits[i] ? info->src_bits[i] : bits;
      s.src_count[i] = info->src_components[i] ? info->src_components[i] : 1;
   }
   return s;
}

static struct nir_def *
load(struct nir_builder *b, struct nir_def *buffer, struct nir_def *lane, unsigned at_B, unsigned bits)
{
   struct nir_def *offset = nir_iadd_imm(b, nir_imul_imm(b, lane, IN_STRIDE_B), at_B);
   struct nir_def *x = nir_load_ssbo(b, 1, MAX2(bits, 8), buffer, offset, .align_mul = SLOT_B);
   return bits == 1 ? nir_ine_imm(b, x, 0) : x;
}

static struct nir_shader *
shader_of(struct arena *arena, enum nir_op op, const struct shape *s)
{
   struct nir_shader *nir = nir_shader_create(arena, NIR_STAGE_COMPUTE);
   struct nir_builder b = nir_builder_create(nir);
   struct nir_def *src[4] = {NULL};
   nir->info.workgroup_size[0] = THREADS;
   nir->info.workgroup_size[1] = nir->info.workgroup_size[2] = 1;
   struct nir_def *lane = nir_load_local_invocation_index(&b);
   struct nir_def *in = nir_load_uniform_agx(&b, 4, 32, .base = AGX_RANDOM_IN_H);
   struct nir_def *out = nir_load_uniform_agx(&b, 4, 32, .base = AGX_RANDOM_OUT_H);
   for (unsigned i = 0; i < nir_op_infos[op].num_srcs; i++) {
      struct nir_def *parts[4];
      for (unsigned c = 0; c < s->src_count[i]; c++)
         parts[c] = load(&b, in, lane, i * SOURCE_B + c * SLOT_B, s->src_bits[i]);
      src[i] = nir_vec(&b, parts, s->src_count[i]);
   }
   b.exact = true;
   struct nir_def *result = nir_build_alu(&b, op, src[0], src[1], src[2], src[3]);
   for (unsigned c = 0; c < s->dest_count; c++) {
      struct nir_def *x = nir_channel(&b, result, c);
      struct nir_def *offset = nir_iadd_imm(&b, nir_imul_imm(&b, lane, OUT_STRIDE_B), c * SLOT_B);
      nir_store_ssbo(&b, x->bit_size == 1 ? nir_b2i32(&b, x) : x, out, offset, .align_mul = SLOT_B, .write_mask = 1);
   }
   return nir;
}

static uint64_t
flushed(enum nir_base_type base, unsigned bits, uint64_t value)
{
   const bool denormal = base == NIR_TYPE_FLOAT && bits == 32 && !(value & 0x7f800000);
   return denormal ? value & 0x80000000 : value;
}

static void
evaluate(enum nir_op op, const struct shape *s, const uint8_t *in, bool flush, union nir_const_value *out)
{
   union nir_const_value values[4][4];
   const union nir_const_value *src[4];
   memset(values, 0, sizeof(values));
   for (unsigned i = 0; i < nir_op_infos[op].num_srcs; i++) {
      for (unsigned c = 0; c < s->src_count[i]; c++) {
         uint64_t x;
         memcpy(&x, in + i * SOURCE_B + c * SLOT_B, sizeof(x));
         values[i][c].u64 = flush ? flushed(nir_op_infos[op].src_base[i], s->src_bits[i], x) : x;
      }
      src[i] = values[i];
   }
   memset(out, 0, 4 * sizeof(*out));
   nir_eval_alu(op, s->dest_count, s->bits, out, src);
}

static unsigned failures;

/* One failure of an opcode does not hide those of the next. */
static bool
compare(enum nir_op op, const struct shape *s, const uint8_t *in, const uint8_t *found)
{
   const bool is_float = nir_op_infos[op].dest_base == NIR_TYPE_FLOAT;
   const unsigned bytes = MAX2(s->dest_bits, 8) / 8;
   union nir_const_value want[2][4];
   for (unsigned flush = 0; flush < 2; flush++)
      evaluate(op, s, in, flush, want[flush]);
   for (unsigned c = 0; c < s->dest_count; c++) {
      uint64_t got = 0, x, y;
      bool good = false;
      memcpy(&got, found + c * SLOT_B, bytes);
      memcpy(&x, in, sizeof(x));
      memcpy(&y, in + SOURCE_B, sizeof(y));
      const unsigned size = MIN2(s->src_bits[0], 32);
      for (unsigned flush = 0; flush < 2; flush++) {
         const uint64_t w = want[flush][c].u64;
         good |= is_float ? float_matches(op, s->dest_bits, w, got, as_float(x, size), as_float(y, size),
                                          size_of_terms(op, s, in))
                          : w == got;
      }
      if (!good) {
         print_error("%s of %u bits, component %u: of %llx, %llx: expected %llx, found %llx\n", nir_op_infos[op].name,
                     s->bits, c, (unsigned long long)x, (unsigned long long)y, (unsigned long long)want[0][c].u64,
                     (unsigned long long)got);
         failures++;
         return false;
      }
   }
   return true;
}

static void
check(struct agx_wave_engine *engine, enum nir_op op, unsigned bits)
{
   struct arena arena = {0};
   const struct shape s = shape_of(op, bits);
   struct nir_shader *nir = shader_of(&arena, op, &s);
   struct agx_options options = agx_test_options();
   struct agx_output out = {0};
   const char *error = NULL;
   uint64_t random = (uint64_t)op * 64 + bits;
   nir_lower_alu_to_scalar(nir);
   if (!agx_compile(&arena, nir, &options, &out, &error)) {
      print_error("%s of %u bits: %s\n", nir_op_infos[op].name, bits, error);
      failures++;
      arena_free(&arena);
      return;
   }
   struct agx_run run = agx_run_open(THREADS * IN_STRIDE_B, THREADS * OUT_STRIDE_B, &out);
   for (unsigned lane = 0; lane < THREADS; lane++) {
      for (unsigned i = 0; i < nir_op_infos[op].num_srcs; i++) {
         for (unsigned c = 0; c < s.src_count[i]; c++) {
            const uint64_t x = value_of(nir_op_infos[op].src_base[i], s.src_bits[i], &random);
            memcpy(run.in + lane * IN_STRIDE_B + i * SOURCE_B + c * SLOT_B, &x, sizeof(x));
         }
      }
   }
   struct sim_fault fault = {0};
   if (!agx_run(&run, engine, &out, THREADS, &fault))
      fail_msg("%s of %u bits: %s", nir_op_infos[op].name, bits, fault.message);
   bool good = true;
   for (unsigned lane = 0; lane < THREADS && good; lane++)
      good = compare(op, &s, run.in + lane * IN_STRIDE_B, run.out + lane * OUT_STRIDE_B);
   agx_run_close(&run);
   arena_free(&arena);
}

/* The chip has no floats of 64 bits. */
static bool
is_double(enum nir_op op, const struct shape *s)
{
   const struct nir_op_info *info = &nir_op_infos[op];
   bool found = info->dest_base == NIR_TYPE_FLOAT && s->dest_bits == 64;
   for (unsigned i = 0; i < info->num_srcs; i++)
      found |= info->src_base[i] == NIR_TYPE_FLOAT && s->src_bits[i] == 64;
   return found;
}

static void
opcodes(void **state)
{
   static const unsigned sizes[] = {1, 8, 16, 32, 64};
   struct sim_pool *pool = sim_pool_create(1);
   struct agx_wave_engine *engine = agx_wave_engine_create(pool);
   const char *only = getenv("AGX_TEST_OP");
   unsigned count = 0;
   for (unsigned op = 0; op < NIR_OP_COUNT; op++) {
      const struct nir_op_info *info = &nir_op_infos[op];
      if (info->flags & NIR_OP_FLAG_DERIVATIVE || (only && strcmp(only, info->name)))
         continue;
      for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
         const unsigned bits = info->bit_sizes ? sizes[i] : 32;
         const struct shape s = shape_of((enum nir_op)op, bits);
         if ((info->bit_sizes && !(info->bit_sizes & bits)) || (!info->bit_sizes && i) ||
             is_double((enum nir_op)op, &s))
            continue;
         check(engine, (enum nir_op)op, bits);
         count++;
      }
   }
   assert_true(only || count > 150);
   assert_int_equal(failures, 0);
   agx_wave_engine_destroy(engine);
   sim_pool_destroy(pool);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(opcodes)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
