/* Every opcode against values worked out by hand or by plain C arithmetic here, not by the table's expressions. */
/* size: one line per case */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir.h"
#include "util/macros.h"

#define F(x) float_bits(x)
#define D(x) double_bits(x)
#define NAN32 0x7fc00000u
#define INF32 0x7f800000u

/* bits: of the unsized types. Sources and results component by component. */
struct row {
   enum nir_op op;
   unsigned bits;
   uint64_t src[4][4], result[4];
   unsigned ulp; /* tolerated in the last place, for functions that IEEE 754 does not fix */
};

#define OP1(name, bits, a, r) {NIR_OP_##name, bits, {{a}}, {r}, 0}
#define OP2(name, bits, a, b, r) {NIR_OP_##name, bits, {{a}, {b}}, {r}, 0}
#define OP3(name, bits, a, b, c, r) {NIR_OP_##name, bits, {{a}, {b}, {c}}, {r}, 0}
#define OP4(name, bits, a, b, c, d, r) {NIR_OP_##name, bits, {{a}, {b}, {c}, {d}}, {r}, 0}
#define NEAR1(name, bits, a, r) {NIR_OP_##name, bits, {{a}}, {r}, 1}
#define V(...) __VA_ARGS__

static void
values(void **state)
{
   /* size: the table of cases */
   const struct row rows[] = {
      OP1(mov, 32, 0x12345678, 0x12345678),
      OP1(mov, 1, 1, 1),
      OP1(mov, 64, 0x123456789abcdef0, 0x123456789abcdef0),
      {NIR_OP_vec2, 32, {{1}, {2}}, {1, 2}, 0},
      {NIR_OP_vec3, 16, {{1}, {2}, {3}}, {1, 2, 3}, 0},
      {NIR_OP_vec4, 1, {{1}, {0}, {0}, {1}}, {1, 0, 0, 1}, 0},
      OP3(bcsel, 32, 1, 5, 6, 5),
      OP3(bcsel, 32, 0, 5, 6, 6),
      OP3(bcsel, 1, 1, 0, 1, 0),

      OP2(fadd, 32, F(1.5f), F(2.25f), F(3.75f)),
      OP2(fadd, 16, 0x3c00, 0x4000, 0x4200),
      OP2(fadd, 64, D(1), D(2), D(3)),
      OP2(fadd, 16, 0x7bff, 0x7bff, 0x7c00),
      OP2(fsub, 32, F(1), F(3), F(-2)),
      OP2(fmul, 32, F(3), F(-2), F(-6)),
      OP2(fmul, 16, 0x4200, 0x4200, 0x4880),
      OP2(fdiv, 32, F(1), F(4), F(0.25f)),
      OP2(fdiv, 32, F(1), 0, INF32),
      OP2(fdiv, 64, D(1), D(3), D(1.0 / 3)),
      OP2(fdiv, 32, 0, 0, NAN32),
      /* (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24 only without rounding of the product */
      OP3(ffma, 32, F(1 + 0x1p-12f), F(1 + 0x1p-12f), F(-(1 + 0x1p-11f)), F(0x1p-24f)),
      OP3(ffma, 16, 0x3c01, 0x3c01, 0xbc02, 0x0010), /* (1 + 2^-10)^2 - (1 + 2^-9) = 2^-20 */
      OP3(ffma, 64, D(2), D(3), D(4), D(10)),
      OP1(fneg, 32, F(1), F(-1)),
      OP1(fneg, 32, 0, 0x80000000),
      OP1(fabs, 32, F(-2), F(2)),
      OP1(fabs, 16, 0xc000, 0x4000),
      OP1(fsat, 32, F(-1), 0),
      OP1(fsat, 32, F(0.5f), F(0.5f)),
      OP1(fsat, 32, F(7), F(1)),
      OP1(fsat, 32, NAN32, 0),
      OP1(fsign, 32, F(-3), F(-1)),
      OP1(fsign, 32, F(9), F(1)),
      OP1(fsign, 32, 0, 0),
      OP2(fmin, 32, F(1), F(2), F(1)),
      OP2(fmin, 32, NAN32, F(2), F(2)),
      OP2(fmin, 32, F(3), NAN32, F(3)),
      OP2(fmax, 32, F(1), F(2), F(2)),
      OP2(fmax, 32, NAN32, F(-2), F(-2)),
      OP1(ffloor, 32, F(-1.5f), F(-2)),
      OP1(fceil, 32, F(-1.5f), F(-1)),
      OP1(ftrunc, 32, F(-1.75f), F(-1)),
      OP1(fround_even, 32, F(2.5f), F(2)),
      OP1(fround_even, 32, F(3.5f), F(4)),
      OP1(ffract, 32, F(-0.25f), F(0.75f)),
      OP1(frcp, 32, F(8), F(0.125f)),
      OP1(frsq, 32, F(16), F(0.25f)),
      OP1(fsqrt, 32, F(9), F(3)),
      OP1(fsqrt, 64, D(2), D(1.4142135623730951)),
      OP1(fexp2, 32, F(5), F(32)),
      OP1(flog2, 32, F(0.125f), F(-3)),
      OP2(fpow, 32, F(3), F(4), F(81)),
      OP2(fmulz, 32, F(3), F(-2), F(-6)),
      OP2(fmulz, 32, 0, INF32, 0),
      OP2(fmulz, 32, NAN32, 0, 0),
      OP2(fmulz, 32, INF32, F(-2), F(-INFINITY)),
      NEAR1(fsin, 32, F(1), F(0.84147098f)),
      NEAR1(fcos, 32, F(1), F(0.54030231f)),
      OP2(fldexp, 32, F(1.5f), 4, F(24)),
      OP2(fldexp, 32, F(1.5f), (uint32_t)-1, F(0.75f)),
      OP1(ffrexp_sig, 32, F(24), F(0.75f)),
      OP1(ffrexp_exp, 32, F(24), 5),
      OP1(ffrexp_exp, 32, 0, 0),
      OP1(ffrexp_sig, 32, F(-0x1p-149f), F(-0.5f)),
      OP1(ffrexp_exp, 32, F(-0x1p-149f), (uint32_t)-148),
      OP1(fquantize2f16, 0, F(1.0002f), F(1)),
      OP1(fquantize2f16, 0, F(0x1p-15f), 0),
      OP1(fquantize2f16, 0, F(70000), INF32),
      {NIR_OP_fdot2, 32, {{F(1), F(2)}, {F(3), F(4)}}, {F(11)}, 0},
      {NIR_OP_fdot3, 32, {{F(1), F(2), F(3)}, {F(4), F(5), F(6)}}, {F(32)}, 0},
      {NIR_OP_fdot4, 32, {{F(1), F(2), F(3), F(4)}, {F(5), F(6), F(7), F(8)}}, {F(70)}, 0},
      OP2(flt, 32, F(1), F(2), 1),
      OP2(flt, 32, F(1), NAN32, 0),
      OP2(fge, 32, F(2), F(2), 1),
      OP2(fge, 32, NAN32, F(1), 0),
      OP2(feq, 32, 0, 0x80000000, 1),
      OP2(feq, 32, NAN32, NAN32, 0),
      OP2(fneu, 32, NAN32, NAN32, 1),
      OP2(fneu, 32, F(1), F(1), 0),
      OP2(ford, 32, F(1), F(2), 1),
      OP2(ford, 32, F(1), NAN32, 0),
      OP2(funord, 16, 0x7e00, 0, 1),
      OP2(funord, 32, 0, 0, 0),
      OP1(fisnan, 32, NAN32, 1),
      OP1(fisnan, 32, INF32, 0),
      OP1(fisinf, 32, 0xff800000, 1),
      OP1(fisinf, 32, NAN32, 0),

      OP2(iadd, 32, 0xffffffff, 2, 1),
      OP2(iadd, 8, 200, 100, 44),
      OP2(iadd, 64, UINT64_MAX, 1, 0),
      OP2(isub, 16, 1, 3, 0xfffe),
      OP2(imul, 32, 0x10001, 0x10001, 0x20001),
      OP2(imul, 8, 16, 17, 16),
      OP2(imul_high, 0, 0xffffffff, 2, 0xffffffff),
      OP2(umul_high, 0, 0xffffffff, 2, 1),
      OP2(imul_2x32_64, 0, 0xffffffff, 3, (uint64_t)-3),
      OP2(umul_2x32_64, 0, 0xffffffff, 3, 0x2fffffffd),
      OP2(idiv, 32, (uint32_t)-7, 2, (uint32_t)-3),
      OP2(idiv, 32, 5, 0, 0),
      OP2(idiv, 32, 0x80000000, 0xffffffff, 0x80000000),
      OP2(idiv, 8, 0x80, 0xff, 0x80),
      OP2(udiv, 32, 0xfffffffe, 2, 0x7fffffff),
      OP2(udiv, 32, 5, 0, 0),
      OP2(irem, 32, (uint32_t)-7, 3, (uint32_t)-1),
      OP2(irem, 32, 7, (uint32_t)-3, 1),
      OP2(irem, 32, 7, 0, 0),
      OP2(imod, 32, (uint32_t)-7, 3, 2),
      OP2(imod, 32, 7, (uint32_t)-3, (uint32_t)-2),
      OP2(imod, 64, 6, 3, 0),
      OP2(umod, 32, 0xffffffff, 16, 15),
      OP2(umod, 32, 3, 0, 0),
      OP1(ineg, 32, 1, 0xffffffff),
      OP1(ineg, 8, 0x80, 0x80),
      OP1(iabs, 32, (uint32_t)-5, 5),
      OP1(iabs, 16, 0x8000, 0x8000),
      OP1(isign, 32, (uint32_t)-9, 0xffffffff),
      OP1(isign, 64, 9, 1),
      OP2(imin, 32, 0xffffffff, 1, 0xffffffff),
      OP2(imax, 32, 0xffffffff, 1, 1),
      OP2(umin, 32, 0xffffffff, 1, 1),
      OP2(umax, 8, 0xff, 1, 0xff),
      OP2(uadd_carry, 32, 0xffffffff, 1, 1),
      OP2(uadd_carry, 32, 1, 1, 0),
      OP2(uadd_carry, 8, 0xff, 1, 1),
      OP2(usub_borrow, 32, 1, 2, 1),
      OP2(usub_borrow, 32, 2, 1, 0),
      OP2(iand, 32, 0xff00ff, 0xf0f0f0, 0xf000f0),
      OP2(iand, 1, 1, 0, 0),
      OP2(ior, 32, 0xf0, 0x0f, 0xff),
      OP2(ior, 1, 1, 0, 1),
      OP2(ixor, 32, 0xff, 0x0f, 0xf0),
      OP2(ixor, 1, 1, 1, 0),
      OP1(inot, 32, 0xff, 0xffffff00),
      OP1(inot, 1, 1, 0),
      OP2(ishl, 32, 1, 33, 2),
      OP2(ishl, 8, 0x81, 1, 2),
      OP2(ishr, 32, 0x80000000, 31, 0xffffffff),
      OP2(ishr, 16, 0x8000, 17, 0xc000),
      OP2(ushr, 32, 0x80000000, 31, 1),
      OP2(ushr, 64, UINT64_C(1) << 63, 63, 1),
      OP1(bitfield_reverse, 0, 1, 0x80000000),
      OP1(bit_count, 32, 0xf0f0, 8),
      OP1(bit_count, 64, UINT64_MAX, 64),
      OP1(find_lsb, 32, 8, 3),
      OP1(find_lsb, 32, 0, 0xffffffff),
      OP1(ufind_msb, 32, 0x90, 7),
      OP1(ufind_msb, 8, 0, 0xffffffff),
      OP1(ufind_msb, 64, UINT64_C(1) << 40, 40),
      OP1(ifind_msb, 0, 0xffffffff, 0xffffffff),
      OP1(ifind_msb, 0, 0xfffffffe, 0),
      OP1(ifind_msb, 0, 0x40, 6),
      OP4(bitfield_insert, 0, 0xffffffff, 0, 8, 8, 0xffff00ff),
      OP4(bitfield_insert, 0, 1, 0xabcd, 0, 32, 0xabcd),
      OP4(bitfield_insert, 0, 5, 9, 4, 0, 5),
      OP3(ubitfield_extract, 0, 0xabcd1234, 8, 8, 0x12),
      OP3(ubitfield_extract, 0, 0xabcd1234, 0, 32, 0xabcd1234),
      OP3(ubitfield_extract, 0, 5, 3, 0, 0),
      OP3(ibitfield_extract, 0, 0x0000f000, 12, 4, 0xffffffff),
      OP3(ibitfield_extract, 0, 0x7000, 12, 4, 7),
      OP2(ilt, 32, 0xffffffff, 0, 1),
      OP2(ige, 32, 0, 0xffffffff, 1),
      OP2(ieq, 32, 4, 4, 1),
      OP2(ieq, 1, 0, 1, 0),
      OP2(ine, 64, UINT64_C(1) << 40, 0, 1),
      OP2(ine, 1, 0, 1, 1),
      OP2(ult, 32, 0xffffffff, 0, 0),
      OP2(uge, 8, 0xff, 0x7f, 1),

      OP1(f2f16, 32, F(65520), 0x7c00),
      OP1(f2f16, 32, F(1 + 0x1p-11f), 0x3c00),
      OP1(f2f16, 32, F(1 + 3 * 0x1p-11f), 0x3c02),
      /* rounding a double to float first would make a tie of it */
      OP1(f2f16, 64, D(1 + 0x1p-11 + 0x1p-40), 0x3c01),
      OP1(f2f32, 64, D(1.0 / 3), F(1.0f / 3)),
      OP1(f2f32, 16, 0x3555, F(0x1.554p-2f)),
      OP1(f2f64, 32, F(0.1f), D(0.1f)),
      OP1(f2f16_rtz, 32, F(65535), 0x7bff),
      OP1(f2f16_rtz, 32, F(-1.9999f), 0xbfff),
      OP1(f2f16_rtz, 32, INF32, 0x7c00),
      OP1(f2i8, 32, F(-200), 0x80),
      OP1(f2i8, 32, F(-1.9f), 0xff),
      OP1(f2i16, 32, F(1e6f), 0x7fff),
      OP1(f2i32, 32, F(-2.9f), 0xfffffffe),
      OP1(f2i32, 32, F(3e9f), 0x7fffffff),
      OP1(f2i32, 32, NAN32, 0),
      OP1(f2i64, 32, F(-0x1p62f), (uint64_t)-(INT64_C(1) << 62)),
      OP1(f2i64, 64, D(1e300), INT64_MAX),
      OP1(f2u8, 32, F(300), 255),
      OP1(f2u16, 32, F(-1), 0),
      OP1(f2u32, 32, F(3e9f), 3000000000u),
      OP1(f2u32, 32, F(5e9f), 0xffffffff),
      OP1(f2u64, 64, D(0x1p63), UINT64_C(1) << 63),
      OP1(i2f16, 32, (uint32_t)-2, 0xc000),
      OP1(i2f32, 32, 0xffffffff, F(-1)),
      OP1(i2f32, 8, 0x80, F(-128)),
      OP1(i2f64, 64, (uint64_t)-3, D(-3)),
      OP1(i2f32, 64, UINT64_C(0x1000001000000001), F(0x1.000002p60f)),
      OP1(u2f16, 32, 70000, 0x7c00),
      OP1(u2f32, 32, 0xffffffff, F(0x1p32f)),
      OP1(u2f64, 32, 0xffffffff, D(4294967295.0)),
      OP1(i2i8, 32, 0x1ff, 0xff),
      OP1(i2i16, 8, 0x80, 0xff80),
      OP1(i2i32, 16, 0x8000, 0xffff8000),
      OP1(i2i64, 32, 0x80000000, 0xffffffff80000000),
      OP1(u2u8, 32, 0x1ff, 0xff),
      OP1(u2u16, 8, 0x80, 0x80),
      OP1(u2u32, 16, 0x8000, 0x8000),
      OP1(u2u64, 32, 0x80000000, 0x80000000),
      OP1(b2f16, 0, 1, 0x3c00),
      OP1(b2f32, 0, 1, F(1)),
      OP1(b2f64, 0, 0, 0),
      OP1(b2i8, 0, 1, 1),
      OP1(b2i16, 0, 0, 0),
      OP1(b2i32, 0, 1, 1),
      OP1(b2i64, 0, 1, 1),

      OP3(sdot_4x8_iadd, 0, 0x80ff017f, 0x80027f7f, 1, 128 * 128 - 2 + 127 + 127 * 127 + 1),
      OP3(udot_4x8_uadd, 0, 0x80ff017f, 0x80027f7f, 0xffffffff, 128 * 128 + 510 + 127 + 127 * 127 - 1),
      OP3(sudot_4x8_iadd, 0, 0x80000002, 0x80000003, 5, (uint32_t)-128 * 128 + 6 + 5),
      OP3(sdot_2x16_iadd, 0, 0x80000002, 0x80000003, 5, 0x40000000 + 6 + 5),
      OP3(udot_2x16_uadd, 0, 0xffff0001, 0xffff0007, 0, 0xfffe0001 + 7),
      OP3(sdot_4x8_iadd_sat, 0, 0x80, 0x80, 0x7fffffff, 0x7fffffff),
      OP3(sdot_4x8_iadd_sat, 0, 0x80, 0x7f, 0x80000001, 0x80000000),
      OP3(udot_4x8_uadd_sat, 0, 0xff, 1, 0xffffff02, 0xffffffff),
      OP3(sudot_4x8_iadd_sat, 0, 0xff, 0xff, 0x80000001, 0x80000000),
      OP3(sdot_2x16_iadd_sat, 0, 0x80008000, 0x80008000, 0xffffffff, 0x7fffffff),
      OP3(sdot_2x16_iadd_sat, 0, 0x80000000, 0x7fff0000, 0xb0000000, 0x80000000),
      OP3(udot_2x16_uadd_sat, 0, 0xffffffff, 0xffffffff, 0, 0xffffffff),

      {NIR_OP_pack_half_2x16, 0, {{F(1), F(-2)}}, {0xc0003c00}, 0},
      {NIR_OP_unpack_half_2x16, 0, {{0xc0003c00}}, {F(1), F(-2)}, 0},
      {NIR_OP_pack_unorm_2x16, 0, {{F(1), F(0.5f)}}, {0x8000ffff}, 0},
      {NIR_OP_pack_snorm_2x16, 0, {{F(-1), F(1)}}, {0x7fff8001}, 0},
      {NIR_OP_pack_unorm_4x8, 0, {{F(0), F(1), F(2), F(0.2f)}}, {0x33ffff00}, 0},
      {NIR_OP_pack_snorm_4x8, 0, {{F(-1), F(1), F(0), F(-5)}}, {0x81007f81}, 0},
      {NIR_OP_unpack_unorm_2x16, 0, {{0x0000ffff}}, {F(1), 0}, 0},
      {NIR_OP_unpack_snorm_2x16, 0, {{0x80007fff}}, {F(1), F(-1)}, 0},
      {NIR_OP_unpack_unorm_4x8, 0, {{0xff003300}}, {0, F(0.2f), 0, F(1)}, 0},
      {NIR_OP_unpack_snorm_4x8, 0, {{0x80007f81}}, {F(-1), F(1), 0, F(-1)}, 0},
      {NIR_OP_pack_64_2x32, 0, {{0x11111111, 0x22222222}}, {0x2222222211111111}, 0},
      {NIR_OP_unpack_64_2x32, 0, {{0x2222222211111111}}, {0x11111111, 0x22222222}, 0},
      {NIR_OP_pack_32_2x16, 0, {{0x1111, 0x2222}}, {0x22221111}, 0},
      {NIR_OP_unpack_32_2x16, 0, {{0x22221111}}, {0x1111, 0x2222}, 0},
      /* +x looks along the first axis: s = -z, t = -y; the other faces as in the table of the Vulkan specification */
      {NIR_OP_cube_face, 0, {{F(2), F(0.5f), F(1)}}, {F(-1), F(-0.5f), F(4), F(0)}, 0},
      {NIR_OP_cube_face, 0, {{F(-2), F(0.5f), F(1)}}, {F(1), F(-0.5f), F(-4), F(1)}, 0},
      {NIR_OP_cube_face, 0, {{F(1), F(3), F(0.5f)}}, {F(1), F(0.5f), F(6), F(2)}, 0},
      {NIR_OP_cube_face, 0, {{F(1), F(-3), F(0.5f)}}, {F(1), F(-0.5f), F(-6), F(3)}, 0},
      {NIR_OP_cube_face, 0, {{F(1), F(0.5f), F(4)}}, {F(1), F(-0.5f), F(8), F(4)}, 0},
      {NIR_OP_cube_face, 0, {{F(1), F(0.5f), F(-4)}}, {F(-1), F(-0.5f), F(-8), F(5)}, 0},
   };
   bool seen[NIR_OP_COUNT] = {};
   for (unsigned r = 0; r < ARRAY_SIZE(rows); r++) {
      const struct row *row = &rows[r];
      const struct nir_op_info *info = &nir_op_infos[row->op];
      union nir_const_value src[4][4], result[4] = {};
      const union nir_const_value *srcs[4] = {src[0], src[1], src[2], src[3]};
      for (unsigned i = 0; i < 16; i++)
         src[i / 4][i % 4].u64 = row->src[i / 4][i % 4];
      unsigned count = MAX2(info->dest_components, 1);
      nir_eval_alu(row->op, count, row->bits, result, srcs);
      for (unsigned c = 0; c < count; c++) {
         uint64_t error_ulp =
            result[c].u64 > row->result[c] ? result[c].u64 - row->result[c] : row->result[c] - result[c].u64;
         seen[row->op] = true;
         if (error_ulp > row->ulp)
            fail_msg("row %u, %s of %u bits, component %u: %#lx instead of %#lx", r, info->name, row->bits, c,
                     result[c].u64, row->result[c]);
      }
   }
   for (unsigned op = 0; op < NIR_OP_COUNT; op++) {
      if (!seen[op] && !(nir_op_infos[op].flags & NIR_OP_FLAG_DERIVATIVE))
         fail_msg("no row for %s", nir_op_infos[op].name);
   }
}

static void
names(void **state)
{
   for (unsigned op = 0; op < NIR_OP_COUNT; op++)
      assert_int_equal(nir_op_from_name(nir_op_infos[op].name, strlen(nir_op_infos[op].name)), op);
   for (unsigned op = 0; op < NIR_INTRINSIC_COUNT; op++)
      assert_int_equal(nir_intrinsic_from_name(nir_intrinsic_infos[op].name, strlen(nir_intrinsic_infos[op].name)),
                       op);
   assert_int_equal(nir_op_from_name("fad", 3), NIR_OP_COUNT);
   assert_int_equal(nir_op_from_name("faddd", 5), NIR_OP_COUNT);
   assert_int_equal(nir_op_from_name("", 0), NIR_OP_COUNT);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(names)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
