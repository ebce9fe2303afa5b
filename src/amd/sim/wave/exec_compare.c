/* Comparisons and classes of vector operands: kernels as in exec_kernels.c, whose result is a mask of lanes. Built
 * twice (sim/wide.h). */
#include "amd/sim/wave/exec_kernels.h"
#include "util/macros.h"

/* Rows. */
/* clang-format off */

#define CMP(name, decl, cond)                                                                                        \
   static void k_cmp_##name(struct lanes *x)                                                                         \
   {                                                                                                                 \
      const uint32_t *restrict A = x->a, *restrict B = x->b;                                                         \
      uint32_t flags[HALF];                                                                                          \
      LOOP                                                                                                           \
      {                                                                                                              \
         decl;                                                                                                       \
         flags[i] = (uint32_t)(cond) << i;                                                                           \
      }                                                                                                              \
      uint32_t m = 0;                                                                                                \
      LOOP m |= flags[i];                                                                                            \
      x->mask = m;                                                                                                   \
   }
#define CMP_FLOAT(t, decl)                                                                                           \
   CMP(f_##t, decl, ((void)a, (void)b, 0))                                                                           \
   CMP(lt_##t, decl, a < b)                                                                                          \
   CMP(eq_##t, decl, a == b)                                                                                         \
   CMP(le_##t, decl, a <= b)                                                                                         \
   CMP(gt_##t, decl, a > b)                                                                                          \
   CMP(lg_##t, decl, a < b || a > b)                                                                                 \
   CMP(ge_##t, decl, a >= b)                                                                                         \
   CMP(o_##t, decl, a == a && b == b)                                                                                \
   CMP(u_##t, decl, a != a || b != b)                                                                                \
   CMP(nge_##t, decl, !(a >= b))                                                                                     \
   CMP(nlg_##t, decl, !(a < b || a > b))                                                                             \
   CMP(ngt_##t, decl, !(a > b))                                                                                      \
   CMP(nle_##t, decl, !(a <= b))                                                                                     \
   CMP(neq_##t, decl, !(a == b))                                                                                     \
   CMP(nlt_##t, decl, !(a < b))                                                                                      \
   CMP(tru_##t, decl, ((void)a, (void)b, 1))
#define CMP_INT(t, decl)                                                                                             \
   CMP(lt_##t, decl, a < b)                                                                                          \
   CMP(eq_##t, decl, a == b)                                                                                         \
   CMP(le_##t, decl, a <= b)                                                                                         \
   CMP(gt_##t, decl, a > b)                                                                                          \
   CMP(ne_##t, decl, a != b)                                                                                         \
   CMP(ge_##t, decl, a >= b)                                                                                         \
   CMP(f_##t, decl, ((void)a, (void)b, 0))                                                                           \
   CMP(t_##t, decl, ((void)a, (void)b, 1))
CMP_FLOAT(f32, float a = f(A[i]); float b = f(B[i]))
CMP_FLOAT(f16, float a = h(A[i]); float b = h(B[i]))
CMP_FLOAT(f64, double a = DA; double b = DB)
CMP_INT(i32, int32_t a = (int32_t)A[i]; int32_t b = (int32_t)B[i])
CMP_INT(u32, uint32_t a = A[i]; uint32_t b = B[i])
CMP_INT(i64, int64_t a = (int64_t)A64; int64_t b = (int64_t)B64)
CMP_INT(u64, uint64_t a = A64; uint64_t b = B64)
CMP_INT(i16, int16_t a = (int16_t)A[i]; int16_t b = (int16_t)B[i])
CMP_INT(u16, uint16_t a = (uint16_t)A[i]; uint16_t b = (uint16_t)B[i])

/* Class bits: sNaN qNaN -inf -normal -denormal -0 +0 +denormal +normal +inf. */
static inline uint32_t
class_of(uint64_t bits, unsigned exponent_bits, unsigned mantissa_bits)
{
   uint64_t m = bits & bit_mask(mantissa_bits), e = bits >> mantissa_bits & bit_mask(exponent_bits);
   bool s = bits >> (exponent_bits + mantissa_bits) & 1;
   if (e == bit_mask(exponent_bits))
      return m ? (m >> (mantissa_bits - 1) ? 2 : 1) : s ? 4 : 512;
   if (e)
      return s ? 8 : 256;
   return m ? (s ? 16 : 128) : s ? 32 : 64;
}
CMP(class_f32, , (class_of(A[i], 8, 23) & B[i]) != 0)
CMP(class_f16, , (class_of(A[i] & 0xffff, 5, 10) & B[i]) != 0)
CMP(class_f64, , (class_of(A64, 11, 52) & B[i]) != 0)

#define CROW(name) [AMD_OP_v_cmp_##name] = k_cmp_##name, [AMD_OP_v_cmpx_##name] = k_cmp_##name,
#define CROWSI(t)                                                                                                    \
   CROW(lt_##t) CROW(eq_##t) CROW(le_##t) CROW(gt_##t) CROW(ne_##t) CROW(ge_##t) CROW(f_##t) CROW(t_##t)
#define CROWSF(t)                                                                                                    \
   CROW(f_##t) CROW(lt_##t) CROW(eq_##t) CROW(le_##t) CROW(gt_##t) CROW(lg_##t) CROW(ge_##t) CROW(o_##t) CROW(u_##t) \
   CROW(nge_##t) CROW(nlg_##t) CROW(ngt_##t) CROW(nle_##t) CROW(neq_##t) CROW(nlt_##t) CROW(tru_##t)

static const kernel_fn kernels[AMD_OP_COUNT] = {
   CROWSF(f32) CROWSF(f16) CROWSF(f64) CROWSI(i32) CROWSI(u32) CROWSI(i64) CROWSI(u64) CROWSI(i16) CROWSI(u16)
   CROW(class_f32) CROW(class_f16) CROW(class_f64)
};

kernel_fn
WIDE(exec_compare_kernel)(enum amd_op op)
{
   return kernels[op];
}
