/* Vector and scalar operations one by one: random operands through a program, expectations written out again here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amd/sim/cp/dispatch.h"
#include "amd/sim/report.h"
#include "asm.h"
#include "report_to.h"
#include "sim/waves/pool.h"
#include "util/half.h"
#include "util/macros.h"

#define CODE_VA 0x200000000ull
#define DATA_VA 0x100000000ull
#define LANES 64

struct rig {
   struct sim_vm *vm;
   uint32_t *code, *data;
   struct sim_pool *pool;
   struct amd_wave_engine *engine;
};

static struct rig rig;
static struct amd_report counts;

static int
setup(void **state)
{
   rig.vm = sim_vm_create();
   rig.code = aligned_alloc(4096, 16384);
   rig.data = aligned_alloc(4096, 16384);
   sim_vm_map(rig.vm, sim_va(CODE_VA), 16384, rig.code, SIM_READ | SIM_EXECUTE);
   sim_vm_map(rig.vm, sim_va(DATA_VA), 16384, rig.data, SIM_READ | SIM_WRITE);
   rig.pool = sim_pool_create(1);
   rig.engine = amd_wave_engine_create(rig.pool);
   amd_wave_engine_set_report(rig.engine, &counts);
   return 0;
}

static int
teardown(void **state)
{
   amd_wave_engine_destroy(rig.engine);
   FILE *out = report_to();
   if (out) {
      amd_report_write(&counts, amd_chip_by_name("navi21"), out);
      fclose(out);
   }
   sim_pool_destroy(rig.pool);
   sim_vm_destroy(rig.vm);
   free(rig.code);
   free(rig.data);
   return 0;
}

/* FLOAT_MODE, which keeps denormals, and IEEE mode. */
static uint32_t float_mode = 0xf0;
static bool ieee = true;

/* Inputs: rows of LANES dwords at 0, 256, 512 .. bytes; result rows from row 8. v1..v6 hold rows 0..5 (pairs for 64
 * bits), v8, v9 the results, v0 the lane * 4. */
static void
run_body(const struct amd_inst *body, unsigned count)
{
   struct assembly a = {0};
   assemble(&a, OP2(v_lshlrev_b32, V(0), I(2), V(0)));
   for (unsigned i = 0; i < 6; i++) {
      struct amd_inst load = global_op(AMD_OP_global_load_dword, V(1 + i), 0, NONE, 0);
      load.offset = (int)(256 * i);
      assemble(&a, load);
   }
   assemble(&a, OP1(v_mov_b32, V(8), I(0)));
   assemble(&a, OP1(v_mov_b32, V(9), I(0)));
   assemble(&a, sopp(AMD_OP_s_waitcnt, WAIT_ALL));
   for (unsigned i = 0; i < count; i++)
      assemble(&a, body[i]);
   for (unsigned i = 0; i < 2; i++) {
      struct amd_inst address = OP2(v_add_nc_u32, V(10 + i), AMD_LITERAL, V(0));
      address.literal = 2048 + 256 * i;
      assemble(&a, address);
      assemble(&a, global_op(AMD_OP_global_store_dword, NONE, 10 + i, V(8 + i), 0));
   }
   assemble(&a, OP0(s_endpgm));
   memcpy(rig.code, a.words, a.count * 4);
   struct amd_dispatch d = {
      .chip = amd_chip_by_name("navi21"),
      .program = sim_va(CODE_VA),
      .rsrc1 = 3 | float_mode << 12 | 1 << 21 | (uint32_t)ieee << 23,
      .rsrc2 = 2 << 1 | 1 << 15, /* with LDS */
      .num_thread = {LANES, 1, 1},
      .dim = {1, 1, 1},
      .initiator = 1,
      .user_data = {(uint32_t)DATA_VA, (uint32_t)(DATA_VA >> 32)},
   };
   struct sim_fault fault = {0};
   if (!amd_sim_dispatch(rig.engine, rig.vm, &d, &fault))
      fail_msg("%s", fault.message);
}

static uint64_t seed = 1;

static uint32_t
rnd(void)
{
   seed = seed * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(seed >> 32);
}

static const uint32_t corners[] = {0,          1,          2,          31,         32,         0x7fffffff, 0x80000000,
                                   0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x3f000000,
                                   0x40490fdb, 0x00800000, 0x4b000000, 0xcf000000, 0x3c003c00, 0x7bff8001};

static void
fill_rows(bool floats)
{
   for (unsigned i = 0; i < 6 * LANES; i++) {
      uint32_t v = rnd();
      if (floats) /* moderate size, so that sums and products say something */
         v = (v & 0x807fffff) | (117 + (v >> 23 & 15)) << 23;
      rig.data[i] = rnd() % 4 ? v : corners[rnd() % ARRAY_SIZE(corners)];
   }
}

/* Without denormals, as v_rcp_f32 and v_sqrt_f32 have it. */
static float
normal(float v)
{
   return fabsf(v) < 0x1p-126f ? copysignf(0.0f, v) : v;
}

static float
fl(uint32_t v)
{
   return bits_float(v);
}

static bool
same_float(uint32_t a, uint32_t b)
{
   return a == b || (isnan(fl(a)) && isnan(fl(b)));
}

struct row3 {
   enum amd_op op;
   unsigned sources;
   char kind; /* f: floats, u: bits */
   uint32_t (*expect)(uint32_t a, uint32_t b, uint32_t c);
};

#define X(name, sources, kind, expr)                                                                                 \
   static uint32_t expect_##name(uint32_t a, uint32_t b, uint32_t c)                                                 \
   {                                                                                                                 \
      (void)a, (void)b, (void)c;                                                                                     \
      return (uint32_t)(expr);                                                                                       \
   }
#define FB(expr) float_bits(expr)
#define ROWS                                                                                                         \
   X(v_add_f32, 2, 'f', FB(fl(a) + fl(b)))                                                                           \
   X(v_sub_f32, 2, 'f', FB(fl(a) - fl(b)))                                                                           \
   X(v_subrev_f32, 2, 'f', FB(fl(b) - fl(a)))                                                                        \
   X(v_mul_f32, 2, 'f', FB(fl(a) * fl(b)))                                                                           \
   X(v_fma_f32, 3, 'f', FB(fmaf(fl(a), fl(b), fl(c))))                                                               \
   X(v_trunc_f32, 1, 'f', FB(truncf(fl(a))))                                                                         \
   X(v_ceil_f32, 1, 'f', FB(ceilf(fl(a))))                                                                           \
   X(v_floor_f32, 1, 'f', FB(floorf(fl(a))))                                                                         \
   X(v_rndne_f32, 1, 'f', FB(rintf(fl(a))))                                                                          \
   X(v_rcp_f32, 1, 'f', FB(normal(1.0f / normal(fl(a)))))                                                            \
   X(v_sqrt_f32, 1, 'f', FB(sqrtf(normal(fl(a)))))                                                                   \
   X(v_cvt_f32_i32, 1, 'u', FB((float)(int32_t)a))                                                                   \
   X(v_cvt_f32_u32, 1, 'u', FB((float)a))                                                                            \
   X(v_cvt_f32_ubyte2, 1, 'u', FB((float)(a >> 16 & 255)))                                                           \
   X(v_cvt_f32_f16, 1, 'u', FB(half_to_float((uint16_t)a)))                                                          \
   X(v_mov_b32, 1, 'u', a)                                                                                           \
   X(v_not_b32, 1, 'u', ~a)                                                                                          \
   X(v_and_b32, 2, 'u', a & b)                                                                                       \
   X(v_or_b32, 2, 'u', a | b)                                                                                        \
   X(v_xor_b32, 2, 'u', a ^ b)                                                                                       \
   X(v_xnor_b32, 2, 'u', ~(a ^ b))                                                                                   \
   X(v_lshlrev_b32, 2, 'u', b << (a & 31))                                                                           \
   X(v_lshrrev_b32, 2, 'u', b >> (a & 31))                                                                           \
   X(v_ashrrev_i32, 2, 'u', (int32_t)b >> (a & 31))                                                                  \
   X(v_add_nc_u32, 2, 'u', a + b)                                                                                    \
   X(v_sub_nc_u32, 2, 'u', a - b)                                                                                    \
   X(v_subrev_nc_u32, 2, 'u', b - a)                                                                                 \
   X(v_mul_lo_u32, 2, 'u', a * b)                                                                                    \
   X(v_mul_hi_u32, 2, 'u', ((uint64_t)a * b) >> 32)                                                                  \
   X(v_mul_hi_i32, 2, 'u', ((int64_t)(int32_t)a * (int32_t)b) >> 32)                                                 \
   X(v_mul_u32_u24, 2, 'u', (a & 0xffffff) * (b & 0xffffff))                                                         \
   X(v_min_i32, 2, 'u', (int32_t)a < (int32_t)b ? a : b)                                                             \
   X(v_max_i32, 2, 'u', (int32_t)a > (int32_t)b ? a : b)                                                             \
   X(v_min_u32, 2, 'u', a < b ? a : b)                                                                               \
   X(v_max_u32, 2, 'u', a > b ? a : b)                                                                               \
   X(v_bfi_b32, 3, 'u', (a & b) | (~a & c))                                                                          \
   X(v_bfe_u32, 3, 'u', (a >> (b & 31)) & bit_mask(c & 31))                                                          \
   X(v_alignbit_b32, 3, 'u', (((uint64_t)a << 32) | b) >> (c & 31))                                                  \
   X(v_alignbyte_b32, 3, 'u', (((uint64_t)a << 32) | b) >> (8 * (c & 3)))                                            \
   X(v_add3_u32, 3, 'u', a + b + c)                                                                                  \
   X(v_lshl_add_u32, 3, 'u', (a << (b & 31)) + c)                                                                    \
   X(v_add_lshl_u32, 3, 'u', (a + b) << (c & 31))                                                                    \
   X(v_lshl_or_b32, 3, 'u', (a << (b & 31)) | c)                                                                     \
   X(v_and_or_b32, 3, 'u', (a & b) | c)                                                                              \
   X(v_or3_b32, 3, 'u', a | b | c)                                                                                   \
   X(v_xor3_b32, 3, 'u', a ^ b ^ c)                                                                                  \
   X(v_xad_u32, 3, 'u', (a ^ b) + c)                                                                                 \
   X(v_mad_u32_u24, 3, 'u', (a & 0xffffff) * (b & 0xffffff) + c)                                                     \
   X(v_min3_u32, 3, 'u', MIN2(MIN2(a, b), c))                                                                        \
   X(v_max3_u32, 3, 'u', MAX2(MAX2(a, b), c))                                                                        \
   X(v_bcnt_u32_b32, 2, 'u', (uint32_t)__builtin_popcount(a) + b)                                                    \
   X(v_bfm_b32, 2, 'u', bit_mask(a & 31) << (b & 31))                                                                \
   X(v_ffbh_u32, 1, 'u', a ? (uint32_t)__builtin_clz(a) : ~0u)                                                       \
   X(v_ffbl_b32, 1, 'u', a ? (uint32_t)__builtin_ctz(a) : ~0u)                                                       \
   X(v_pack_b32_f16, 2, 'u', (a & 0xffff) | b << 16)                                                                 \
   X(v_add_nc_u16, 2, 'u', (a + b) & 0xffff)                                                                         \
   X(v_mul_lo_u16, 2, 'u', ((a & 0xffff) * (b & 0xffff)) & 0xffff)                                                   \
   X(v_lshlrev_b16, 2, 'u', (b << (a & 15)) & 0xffff)                                                                \
   X(v_max_i16, 2, 'u', (uint16_t)MAX2((int16_t)a, (int16_t)b))                                                      \
   X(v_pk_add_u16, 2, 'u', ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16)                                       \
   X(v_pk_sub_i16, 2, 'u', ((a - b) & 0xffff) | ((a >> 16) - (b >> 16)) << 16)                                       \
   X(v_pk_min_u16, 2, 'u', MIN2(a & 0xffff, b & 0xffff) | MIN2(a >> 16, b >> 16) << 16)                              \
   X(v_perm_b32, 3, 'u', permuted(a, b, c))                                                                          \
   X(v_sad_u32, 3, 'u', (a > b ? a - b : b - a) + c)

static uint32_t
permuted(uint32_t a, uint32_t b, uint32_t c)
{
   uint32_t r = 0;
   for (unsigned i = 0; i < 4; i++) {
      unsigned s = c >> 8 * i & 255, byte;
      if (s <= 3)
         byte = b >> 8 * s & 255;
      else if (s <= 7)
         byte = a >> 8 * (s - 4) & 255;
      else if (s <= 11)
         byte = ((s - 8 < 2 ? b : a) >> (s % 2 ? 31 : 15) & 1) ? 255 : 0;
      else
         byte = s == 12 ? 0 : 255;
      r |= byte << 8 * i;
   }
   return r;
}

ROWS
#undef X
#define X(name, sources, kind, expr) {AMD_OP_##name, sources, kind, expect_##name},
   static const struct row3 rows[] = {ROWS};

static void
test_rows(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct row3 *row = &rows[i];
      fill_rows(row->kind == 'f');
      struct amd_inst in = inst(row->op, V(8), V(1), row->sources > 1 ? V(2) : NONE, row->sources > 2 ? V(3) : NONE);
      if (amd_isa_op_info(AMD_GFX10_3, row->op)->encs & 1u << AMD_ENC_VOP3P)
         in.op_sel_hi = 7;
      run_body(&in, 1);
      for (unsigned l = 0; l < LANES; l++) {
         uint32_t a = rig.data[l], b = rig.data[LANES + l], c = rig.data[2 * LANES + l], got = rig.data[512 + l];
         uint32_t want = row->expect(a, b, c);
         if (row->kind == 'f' ? !same_float(got, want) : got != want && !same_float(got, want))
            fail_msg("%s(0x%x, 0x%x, 0x%x): 0x%x instead of 0x%x", amd_isa_op_name(row->op), a, b, c, got, want);
      }
   }
}

/* Eighths of turns, after up to 2^20 whole ones: no range is too large on GFX9 and later. */
static void
test_turns(void **state)
{
   static const float quarter[8] = {0, (float)M_SQRT1_2,  1,  (float)M_SQRT1_2,
                                    0, -(float)M_SQRT1_2, -1, -(float)M_SQRT1_2};
   for (unsigned l = 0; l < LANES; l++) {
      float turns = (float)((l % 2 ? -1 : 1) * (int)(1u << l % 21)) + (float)(l / 4 % 8) / 8.0f;
      memcpy(&rig.data[l], &turns, 4);
   }
   struct amd_inst sine = OP1(v_sin_f32, V(8), V(1)), cosine = OP1(v_cos_f32, V(9), V(1));
   const struct amd_inst both[2] = {sine, cosine};
   run_body(both, 2);
   for (unsigned l = 0; l < LANES; l++) {
      unsigned eighth = l / 4 % 8;
      assert_true(fabsf(fl(rig.data[512 + l]) - quarter[eighth]) < 1e-6f);
      assert_true(fabsf(fl(rig.data[512 + LANES + l]) - quarter[(eighth + 2) % 8]) < 1e-6f);
   }
}

static uint64_t
pair(unsigned row, unsigned lane)
{
   return rig.data[row * LANES + lane] | (uint64_t)rig.data[(row + 1) * LANES + lane] << 32;
}

/* Doubles and 64-bit integers: v[1:2], v[3:4], v[5:6] to v[8:9]. */
static void
test_64bit(void **state)
{
   static const enum amd_op ops[] = {AMD_OP_v_add_f64,     AMD_OP_v_mul_f64,     AMD_OP_v_fma_f64,
                                     AMD_OP_v_lshlrev_b64, AMD_OP_v_ashrrev_i64, AMD_OP_v_mad_u64_u32};
   for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
      fill_rows(false);
      struct amd_inst in = OP3(v_fma_f64, V(8), V(1), V(3), V(5));
      in.op = (uint16_t)ops[i];
      if (i != 2 && i != 5)
         in.src[2] = NONE;
      if (i == 5) {
         in.src[1] = V(2);
         in.sdst = AMD_VCC_LO;
      }
      run_body(&in, 1);
      for (unsigned l = 0; l < LANES; l++) {
         uint64_t a = pair(0, l), b = pair(2, l), c = pair(4, l), got = pair(8, l);
         double x = bits_double(a), y = bits_double(b), z = bits_double(c);
         uint64_t want[6] = {double_bits(x + y),
                             double_bits(x * y),
                             double_bits(fma(x, y, z)),
                             b << (a & 63),
                             (uint64_t)((int64_t)b >> (a & 63)),
                             (a & 0xffffffff) * (a >> 32) + c};
         bool nans = i < 3 && isnan(bits_double(got)) && isnan(bits_double(want[i]));
         if (got != want[i] && !nans)
            fail_msg("%s: 0x%llx instead of 0x%llx", amd_isa_op_name(ops[i]), (unsigned long long)got,
                     (unsigned long long)want[i]);
      }
   }
}

/* Modifiers: neg, abs, omod and clamp around an addition. Where denormals of results are kept or in IEEE mode, omod
 * has no effect; else it makes -0 a 0 ("RDNA 3" ISA, 7.2.3.1). */
static void
check_modifiers(void)
{
   const bool flushes = float_mode == 0xc0, scales = flushes && !ieee;
   for (unsigned i = 0; i < 64; i++) {
      fill_rows(true);
      struct amd_inst in = OP2(v_add_f32, V(8), V(1), V(2));
      in.enc = AMD_ENC_VOP3;
      in.neg = i & 3;
      in.abs = i >> 2 & 3;
      in.omod = i >> 4 & 3;
      in.clamp = i & 1;
      run_body(&in, 1);
      for (unsigned l = 0; l < LANES; l++) {
         float a = fl(rig.data[l]), b = fl(rig.data[LANES + l]);
         a = flushes ? normal(a) : a, b = flushes ? normal(b) : b;
         a = in.abs & 1 ? fabsf(a) : a, b = in.abs & 2 ? fabsf(b) : b;
         a = in.neg & 1 ? -a : a, b = in.neg & 2 ? -b : b;
         const unsigned omod = scales ? in.omod : 0;
         float want = flushes ? normal(a + b) : a + b;
         want *= omod == 1 ? 2 : omod == 2 ? 4 : omod == 3 ? 0.5f : 1;
         want = flushes ? normal(want) : want;
         if (in.clamp)
            want = isnan(want) ? 0 : want < 0 ? 0 : want > 1 ? 1 : want;
         const uint32_t got = rig.data[512 + l];
         const bool right = want == 0 ? (omod ? got == 0 : fl(got) == 0) : same_float(got, float_bits(want));
         if (!right)
            fail_msg("modifiers %u of %g and %g: %g instead of %g", i, a, b, fl(got), want);
      }
   }
}

static void
test_modifiers(void **state)
{
   check_modifiers();
   float_mode = 0xc0;
   check_modifiers();
   ieee = false;
   check_modifiers();
   float_mode = 0xf0;
   check_modifiers();
   ieee = true;
}

/* Minima, maxima and comparisons in LDS tell denormals apart in every mode ("Vega" ISA, DS_MIN_F32). */
static void
test_lds_floats(void **state)
{
   static const enum amd_op ops[] = {AMD_OP_ds_min_f32, AMD_OP_ds_max_f32, AMD_OP_ds_cmpst_f32};
   static const uint32_t small[] = {0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x807fffff, 0x800000, 0x7fc00000};
   for (unsigned i = 0; i < 2 * ARRAY_SIZE(ops); i++) {
      const enum amd_op op = ops[i / 2];
      float_mode = i & 1 ? 0xc0 : 0xf0;
      for (unsigned l = 0; l < 3 * LANES; l++)
         rig.data[l] = small[rnd() % ARRAY_SIZE(small)];
      const struct amd_inst body[] = {
         inst(AMD_OP_ds_write_b32, NONE, V(0), V(1), NONE),
         inst(op, NONE, V(0), V(2), op == AMD_OP_ds_cmpst_f32 ? V(3) : NONE),
         inst(AMD_OP_ds_read_b32, V(8), V(0), NONE, NONE),
         sopp(AMD_OP_s_waitcnt, WAIT_ALL),
      };
      run_body(body, ARRAY_SIZE(body));
      for (unsigned l = 0; l < LANES; l++) {
         const uint32_t *in = &rig.data[l];
         const float old = fl(in[0]), a = fl(in[LANES]);
         const uint32_t want = op == AMD_OP_ds_min_f32   ? a < old ? in[LANES] : in[0]
                                 : op == AMD_OP_ds_max_f32 ? a > old ? in[LANES] : in[0]
                                 : a == old ? in[2 * LANES]
                                                         : in[0];
         if (rig.data[512 + l] != want)
            fail_msg("%s, MODE %#x: of %#x and %#x: %#x instead of %#x", amd_isa_op_name(op), float_mode, in[0],
                     in[LANES], rig.data[512 + l], want);
      }
   }
   float_mode = 0xf0;
}

/* DPP, SDWA, swizzle, permutes and readlane against plain loops over lanes. */
static void
test_lanes(void **state)
{
   fill_rows(false);
   struct amd_inst dpp = OP1(v_mov_b32, V(8), V(1));
   dpp.enc = AMD_ENC_VOP1;
   dpp.modifier = AMD_MOD_DPP16;
   dpp.dpp_ctrl = AMD_DPP_ROW_SHR + 3;
   dpp.bound_ctrl = true;
   struct amd_inst sdwa = OP2(v_add_nc_u32, V(9), V(1), V(2));
   sdwa.enc = AMD_ENC_VOP2;
   sdwa.modifier = AMD_MOD_SDWA;
   sdwa.sdwa_src_sel[0] = AMD_SDWA_BYTE_2;
   sdwa.sdwa_src_sel[1] = AMD_SDWA_WORD_1;
   sdwa.sdwa_sext = 1;
   sdwa.sdwa_dst_unused = AMD_SDWA_UNUSED_PAD;
   struct amd_inst both[2] = {dpp, sdwa};
   run_body(both, 2);
   for (unsigned l = 0; l < LANES; l++) {
      assert_int_equal(rig.data[512 + l], l % 16 >= 3 ? rig.data[l - 3] : 0);
      assert_int_equal(rig.data[576 + l], (uint32_t)(int8_t)(rig.data[l] >> 16) + (rig.data[LANES + l] >> 16));
   }
   struct amd_inst moves[] = {
      OP2(v_lshlrev_b32, V(7), I(2), V(2)),
      OP2(ds_bpermute_b32, V(8), V(7), V(1)),
      OP1(ds_swizzle_b32, V(9), V(1)),
      sopp(AMD_OP_s_waitcnt, WAIT_LGKM),
   };
   moves[2].offset = 0x041f; /* lane ^ 1 */
   run_body(moves, 4);
   for (unsigned l = 0; l < LANES; l++) {
      assert_int_equal(rig.data[512 + l], rig.data[(l & 32) + (rig.data[LANES + l] & 31)]);
      assert_int_equal(rig.data[576 + l], rig.data[l ^ 1]);
   }
   struct amd_inst read[] = {OP2(v_readlane_b32, S(9), V(1), I(37)), OP1(v_mov_b32, V(8), S(9)),
                             OP2(v_mbcnt_lo_u32_b32, V(9), AMD_EXEC_LO, I(0)),
                             OP2(v_mbcnt_hi_u32_b32, V(9), AMD_EXEC_HI, V(9))};
   run_body(read, 4);
   for (unsigned l = 0; l < LANES; l++) {
      assert_int_equal(rig.data[512 + l], rig.data[37]);
      assert_int_equal(rig.data[576 + l], l);
   }
}

/* RDNA2 ISA, 13.7.1, DPP_CTRL; which lane of its row each lane reads, -1: beyond the row. */
static int
lane_of_row(unsigned control, int lane)
{
   int n = (int)(control & 15);
   switch (control >> 4) {
   case 0x10: /* row_shl */
      return lane + n < 16 ? lane + n : -1;
   case 0x11: /* row_shr */
      return lane - n;
   case 0x12: /* row_ror */
      return (lane - n) & 15;
   case 0x14: /* row_mirror, row_half_mirror */
      return control == 0x140 ? 15 - lane : lane ^ 7;
   case 0x15: /* row_share */
      return n;
   case 0x16: /* row_xmask */
      return lane ^ n;
   default: /* quad_perm */
      return (lane & 12) | (int)(control >> 2 * (lane & 3) & 3);
   }
}

/* v_sub with a source that DPP moves, for some lanes: those that are off, that the masks of rows and banks leave out
 * and whose source is not there keep what they have, the last ones but with bound_ctrl: then it is 0. */
static void
test_moves(void **state)
{
   static const uint16_t bases[] = {0x000, 0x100, 0x110, 0x120, 0x140, 0x141, 0x150, 0x160};
   for (unsigned i = 0; i < 400; i++) {
      fill_rows(false);
      struct amd_inst in[6] = {OP1(s_mov_b32, AMD_EXEC_LO, AMD_LITERAL),
                               OP1(s_mov_b32, AMD_EXEC_HI, AMD_LITERAL),
                               OP1(v_mov_b32, V(8), V(3)),
                               OP2(v_sub_nc_u32, V(8), V(1), V(2)),
                               OP1(s_mov_b32, AMD_EXEC_LO, I(-1)),
                               OP1(s_mov_b32, AMD_EXEC_HI, I(-1))};
      struct amd_inst keep = in[2];
      for (unsigned half = 0; half < 2; half++)
         in[half].literal = i % 4 ? rnd() | (i % 8 == 1 ? rnd() | rnd() : 0) : UINT32_MAX;
      uint64_t exec = in[0].literal | (uint64_t)in[1].literal << 32;
      struct amd_inst *dpp = &in[3];
      unsigned base = bases[rnd() % ARRAY_SIZE(bases)];
      bool has_number = base >= 0x100 && base >> 4 != 0x14;
      dpp->enc = AMD_ENC_VOP2;
      dpp->modifier = AMD_MOD_DPP16;
      dpp->dpp_ctrl = (uint16_t)(base ? base | (has_number ? 1 + rnd() % 15 : 0) : rnd() & 255);
      dpp->row_mask = rnd() % 2 ? 15 : rnd() & 15;
      dpp->bank_mask = rnd() % 2 ? 15 : rnd() & 15;
      dpp->bound_ctrl = rnd() & 1;
      dpp->fetch_inactive = rnd() & 1;
      memmove(in + 1, in, 2 * sizeof(*in));
      in[0] = keep;
      run_body(in, 6);
      for (int l = 0; l < LANES; l++) {
         int from = lane_of_row(dpp->dpp_ctrl, l & 15), other = (l & 48) + from;
         bool there = from >= 0 && (dpp->fetch_inactive || exec >> other & 1);
         bool writes = exec >> l & 1 && dpp->row_mask >> l / 16 & 1 && dpp->bank_mask >> (l & 15) / 4 & 1 &&
                       (there || dpp->bound_ctrl);
         uint32_t want = writes ? (there ? rig.data[other] : 0) - rig.data[LANES + l] : rig.data[2 * LANES + l];
         if (rig.data[512 + l] != want)
            fail_msg("case %u, control 0x%x, lane %d: 0x%x instead of 0x%x", i, dpp->dpp_ctrl, l, rig.data[512 + l],
                     want);
      }
   }
}

/* v_fma_mix: which sources are halves, and of what, a constant among them; the result as a number or as one half of
 * its register. */
static void
test_mix(void **state)
{
   static const enum amd_op ops[3] = {AMD_OP_v_fma_mix_f32, AMD_OP_v_fma_mixlo_f16, AMD_OP_v_fma_mixhi_f16};
   for (unsigned i = 0; i < 200; i++) {
      for (unsigned k = 0; k < 6 * LANES; k++) /* both halves and the whole are moderate numbers */
         rig.data[k] = (rnd() & 0x83ff83ff) | (0x3c003c00 + (rnd() & 0x04000400));
      struct amd_inst in[2] = {OP1(v_mov_b32, V(8), V(4)), OP3(v_fma_mix_f32, V(8), V(1), V(2), V(3))};
      struct amd_inst *mix = &in[1];
      mix->op = ops[i % 3];
      mix->op_sel = rnd() & 7;
      mix->op_sel_hi = rnd() & 7;
      mix->neg = rnd() & 7;
      mix->neg_hi = rnd() & 7;
      mix->clamp = rnd() & 1;
      const bool constant = rnd() & 1;
      if (constant) {
         mix->src[2] = AMD_FLOAT_0_5;
         mix->op_sel &= 3; /* nobody asks for the upper half of one */
      }
      run_body(in, 2);
      for (unsigned l = 0; l < LANES; l++) {
         float v[3];
         for (unsigned k = 0; k < 3; k++) {
            uint32_t bits = rig.data[k * LANES + l];
            v[k] = mix->op_sel_hi >> k & 1 ? half_to_float((uint16_t)(bits >> (mix->op_sel >> k & 1 ? 16 : 0)))
                                           : fl(bits);
            v[k] = constant && k == 2 ? 0.5f : v[k];
            v[k] = mix->neg_hi >> k & 1 ? fabsf(v[k]) : v[k];
            v[k] = mix->neg >> k & 1 ? -v[k] : v[k];
         }
         float r = fmaf(v[0], v[1], v[2]);
         r = mix->clamp ? fmaxf(fminf(r, 1), 0) : r;
         uint32_t half = half_from_float(r), old = rig.data[3 * LANES + l], got = rig.data[512 + l];
         uint32_t want = i % 3 == 0   ? float_bits(r)
                         : i % 3 == 1 ? (old & 0xffff0000) | half
                                      : (old & 0xffff) | half << 16;
         if (got != want && !(r == 0 && (got & 0x7fffffff) == (want & 0x7fffffff)))
            fail_msg("mix %u of %g, %g and %g: 0x%x instead of 0x%x", i, v[0], v[1], v[2], got, want);
      }
   }
}

/* Comparison and selection, carry chain. */
static void
test_masks(void **state)
{
   fill_rows(false);
   struct amd_inst add_lo = OP2(v_add_co_u32, V(8), V(1), V(3)),
                   add_hi = OP3(v_add_co_ci_u32, V(9), V(2), V(4), AMD_VCC_LO);
   add_lo.sdst = add_hi.sdst = AMD_VCC_LO;
   struct amd_inst chain[2] = {add_lo, add_hi};
   run_body(chain, 2);
   for (unsigned l = 0; l < LANES; l++)
      assert_true(pair(8, l) == pair(0, l) + pair(2, l));
   fill_rows(true);
   struct amd_inst select[2] = {OP2(v_cmp_lt_f32, AMD_VCC_LO, V(1), V(2)),
                                OP3(v_cndmask_b32, V(8), V(3), V(4), AMD_VCC_LO)};
   run_body(select, 2);
   for (unsigned l = 0; l < LANES; l++)
      assert_int_equal(rig.data[512 + l],
                       fl(rig.data[l]) < fl(rig.data[LANES + l]) ? rig.data[3 * LANES + l] : rig.data[2 * LANES + l]);
   /* Parts of registers with their signs: the SDWA dword extends both sources before the choice. */
   select[1].enc = AMD_ENC_VOP2;
   select[1].modifier = AMD_MOD_SDWA;
   select[1].sdwa_src_sel[0] = AMD_SDWA_BYTE_1;
   select[1].sdwa_src_sel[1] = AMD_SDWA_WORD_1;
   select[1].sdwa_sext = 3;
   select[1].sdwa_dst_sel = AMD_SDWA_DWORD;
   run_body(select, 2);
   for (unsigned l = 0; l < LANES; l++)
      assert_int_equal((int32_t)rig.data[512 + l], fl(rig.data[l]) < fl(rig.data[LANES + l])
                                                      ? (int16_t)(rig.data[3 * LANES + l] >> 16)
                                                      : (int8_t)(rig.data[2 * LANES + l] >> 8));
}

/* Buffer bounds: what lies beyond the records reads 0 and stores are dropped. */
static void
test_buffer_bounds(void **state)
{
   fill_rows(false);
   struct amd_inst records = OP1(s_mov_b32, S(10), AMD_LITERAL), format = OP1(s_mov_b32, S(11), AMD_LITERAL);
   records.literal = 40 * 4;
   format.literal = 0x31014fac; /* 32 bits, raw bounds */
   struct amd_inst load = OP3(buffer_load_dword, V(8), V(0), S(8), I(0));
   load.offen = true;
   struct amd_inst body[] = {OP1(s_mov_b32, S(8), S(0)),     OP1(s_mov_b32, S(9), S(1)), records, format, load,
                             sopp(AMD_OP_s_waitcnt, WAIT_VM)};
   run_body(body, ARRAY_SIZE(body));
   for (unsigned l = 0; l < LANES; l++)
      assert_int_equal(rig.data[512 + l], l < 40 ? rig.data[l] : 0);
}

/* Half precision: add, multiply and packed forms round once; a result keeps the register's other half. */
static void
test_halves(void **state)
{
   fill_rows(false);
   for (unsigned i = 0; i < 6 * LANES; i++)
      rig.data[i] &= 0xbfffbfff; /* finite, below 2 */
   struct amd_inst pk = OP2(v_pk_mul_f16, V(9), V(1), V(2));
   pk.enc = AMD_ENC_VOP3P;
   pk.op_sel_hi = 7;
   struct amd_inst body[] = {OP1(v_mov_b32, V(8), V(3)), OP2(v_add_f16, V(8), V(1), V(2)), pk};
   run_body(body, 3);
   for (unsigned l = 0; l < LANES; l++) {
      uint32_t a = rig.data[l], b = rig.data[LANES + l];
      float a0 = half_to_float((uint16_t)a), b0 = half_to_float((uint16_t)b);
      float a1 = half_to_float((uint16_t)(a >> 16)), b1 = half_to_float((uint16_t)(b >> 16));
      assert_int_equal(rig.data[512 + l], (rig.data[2 * LANES + l] & 0xffff0000) | half_from_float(a0 + b0));
      assert_int_equal(rig.data[576 + l], half_from_float(a0 * b0) | (uint32_t)half_from_float(a1 * b1) << 16);
   }
}

/* Every integer comparison against its meaning, through the mask. */
static void
test_comparisons(void **state)
{
   static const enum amd_op ops[12] = {AMD_OP_v_cmp_lt_i32, AMD_OP_v_cmp_eq_i32, AMD_OP_v_cmp_le_i32,
                                       AMD_OP_v_cmp_gt_i32, AMD_OP_v_cmp_ne_i32, AMD_OP_v_cmp_ge_i32,
                                       AMD_OP_v_cmp_lt_u32, AMD_OP_v_cmp_eq_u32, AMD_OP_v_cmp_le_u32,
                                       AMD_OP_v_cmp_gt_u32, AMD_OP_v_cmp_ne_u32, AMD_OP_v_cmp_ge_u32};
   for (unsigned i = 0; i < 12; i++) {
      fill_rows(false);
      struct amd_inst compare = inst(ops[i], S(20), V(1), V(2), NONE);
      struct amd_inst body[] = {compare, OP1(v_mov_b32, V(8), S(20)), OP1(v_mov_b32, V(9), S(21))};
      run_body(body, 3);
      uint64_t want = 0;
      for (unsigned l = 0; l < LANES; l++) {
         int64_t a = rig.data[l], b = rig.data[LANES + l];
         if (i < 6)
            a = (int32_t)a, b = (int32_t)b;
         bool results[6] = {a < b, a == b, a <= b, a > b, a != b, a >= b};
         want |= (uint64_t)results[i % 6] << l;
      }
      assert_true(pair(8, 0) == want);
   }
}

struct scalar_row {
   struct amd_inst in;
   uint32_t want;
};

static void
test_scalar(void **state)
{
   struct amd_inst a = OP1(s_mov_b32, S(4), AMD_LITERAL), b = OP1(s_mov_b32, S(5), AMD_LITERAL);
   a.literal = 0x8765432f;
   b.literal = 0x00080004;
   uint32_t x = a.literal, y = b.literal;
   const struct scalar_row rows_scalar[] = {
      {OP2(s_add_u32, S(6), S(4), S(5)), x + y},
      {OP2(s_sub_i32, S(6), S(4), S(5)), x - y},
      {OP2(s_and_b32, S(6), S(4), S(5)), x & y},
      {OP2(s_nand_b32, S(6), S(4), S(5)), ~(x & y)},
      {OP2(s_lshr_b32, S(6), S(4), S(5)), x >> 4},
      {OP2(s_ashr_i32, S(6), S(4), S(5)), (uint32_t)((int32_t)x >> 4)},
      {OP2(s_bfe_u32, S(6), S(4), S(5)), x >> 4 & 255},
      {OP2(s_bfe_i32, S(6), S(4), S(5)), (uint32_t)(int8_t)(x >> 4)},
      {OP2(s_mul_hi_u32, S(6), S(4), S(5)), (uint32_t)((uint64_t)x * y >> 32)},
      {OP2(s_pack_lh_b32_b16, S(6), S(4), S(5)), (x & 0xffff) | (y & 0xffff0000)},
      {OP2(s_bfm_b32, S(6), I(5), I(3)), 31 << 3},
      {OP1(s_brev_b32, S(6), S(4)), 0xf4c2a6e1},
      {OP1(s_bcnt1_i32_b32, S(6), S(4)), (uint32_t)__builtin_popcount(x)},
      {OP1(s_ff1_i32_b32, S(6), S(5)), 2},
      {OP1(s_flbit_i32_b32, S(6), S(5)), 12},
      {OP1(s_sext_i32_i8, S(6), S(4)), 0x2f},
      {OP1(s_wqm_b32, S(6), S(5)), 0x000f000f},
      {OP2(s_absdiff_i32, S(6), S(4), S(5)), y - x},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows_scalar); i++) {
      struct amd_inst body[] = {a, b, rows_scalar[i].in, OP1(v_mov_b32, V(8), S(6))};
      run_body(body, 4);
      if (rig.data[512] != rows_scalar[i].want)
         fail_msg("%s: 0x%x instead of 0x%x", amd_isa_op_name((enum amd_op)rows_scalar[i].in.op), rig.data[512],
                  rows_scalar[i].want);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),      cmocka_unit_test(test_turns),  cmocka_unit_test(test_64bit),
      cmocka_unit_test(test_modifiers), cmocka_unit_test(test_lanes),  cmocka_unit_test(test_mix),
      cmocka_unit_test(test_moves),     cmocka_unit_test(test_masks),  cmocka_unit_test(test_buffer_bounds),
      cmocka_unit_test(test_scalar),    cmocka_unit_test(test_halves), cmocka_unit_test(test_comparisons),
      cmocka_unit_test(test_lds_floats)};
   return cmocka_run_group_tests(tests, setup, teardown);
}
