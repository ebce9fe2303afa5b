/* size: flat switches over opcodes */
/* Vector arithmetic: VOP1, VOP2, VOP3, VOPC, VOP3P, VINTRP, EXP. */
#include <math.h>

#include "amd/sim/standin.h"
#include "sim/numeric.h"
#include "util/dynarray.h"
#include "util/half.h"

static inline float
h2f(uint32_t h)
{
   return half_to_float((uint16_t)h);
}

static inline uint32_t
f2h(float f)
{
   return half_from_float(f);
}

static bool
is_16_bit(unsigned type)
{
   return type == AMD_TYPE_F16 || type == AMD_TYPE_B16 || type == AMD_TYPE_I16 || type == AMD_TYPE_U16;
}

static uint32_t
constant_of_type(const struct wave *w, const struct amd_inst *inst, unsigned operand, unsigned type)
{
   static const uint16_t halves[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
   if (operand >= 240 && operand <= 248 && (is_16_bit(type) || type == AMD_TYPE_V2F16))
      return halves[operand - 240];
   return scalar_operand(w, inst, operand);
}

static uint32_t
select_sdwa(uint32_t value, unsigned sel, bool sext)
{
   switch (sel) {
   case AMD_SDWA_BYTE_0: case AMD_SDWA_BYTE_1: case AMD_SDWA_BYTE_2: case AMD_SDWA_BYTE_3:
      value = value >> (8 * sel) & 0xff;
      return sext ? (uint32_t)(int8_t)value : value;
   case AMD_SDWA_WORD_0: case AMD_SDWA_WORD_1:
      value = value >> (16 * (sel - AMD_SDWA_WORD_0)) & 0xffff;
      return sext ? (uint32_t)(int16_t)value : value;
   default:
      return value;
   }
}

/* The lane that DPP reads for lane l, or -1. */
static int
dpp_lane(const struct amd_inst *inst, int l)
{
   unsigned c = inst->dpp_ctrl;
   int row = l & ~15, in = l & 15;
   if (inst->modifier == AMD_MOD_DPP8)
      return (l & ~7) | (int)(inst->dpp8 >> (3 * (l & 7)) & 7);
   if (c < 0x100)
      return (l & ~3) | (int)(c >> (2 * (l & 3)) & 3);
   switch (c & ~15u) {
   case AMD_DPP_ROW_SHL:
      return in + (int)(c & 15) < 16 ? l + (int)(c & 15) : -1;
   case AMD_DPP_ROW_SHR:
      return in - (int)(c & 15) >= 0 ? l - (int)(c & 15) : -1;
   case AMD_DPP_ROW_ROR:
      return row | ((in - (int)(c & 15)) & 15);
   case AMD_DPP_ROW_SHARE:
      return row | (int)(c & 15);
   case AMD_DPP_ROW_XMASK:
      return row | (in ^ (int)(c & 15));
   default:
      return c == AMD_DPP_ROW_MIRROR ? (row | (15 - in)) : c == AMD_DPP_ROW_HALF_MIRROR ? (l & ~7) | (7 - (l & 7)) : l;
   }
}

/* Permutes src0; lanes that must not be written leave *write. */
static void
apply_dpp(const struct wave *w, const struct amd_inst *inst, const uint32_t *in, uint32_t *out, uint64_t *write)
{
   uint64_t exec = wave_exec(w);
   uint32_t copy[LANES];
   memcpy(copy, in, sizeof(copy));
   for (int l = 0; l < w->size; l++) {
      int from = dpp_lane(inst, l);
      bool valid = from >= 0 && (inst->fetch_inactive || (exec >> from & 1));
      out[l] = valid ? copy[from] : 0;
      bool masked = inst->modifier == AMD_MOD_DPP16 &&
                    (!(inst->row_mask >> (l / 16) & 1) || !(inst->bank_mask >> (l / 4 % 4) & 1));
      if (masked || (!valid && !inst->bound_ctrl && inst->modifier == AMD_MOD_DPP16))
         *write &= ~(UINT64_C(1) << l);
   }
}

struct sources {
   const uint32_t *s[3];
   uint32_t buffer[3][LANES];
   uint64_t write; /* lanes that take the result */
};

static void
fetch_source(struct wave *w, const struct amd_inst *inst, unsigned i, unsigned type, bool modifiers, struct sources *out)
{
   unsigned operand = inst->src[i];
   uint32_t *buffer = out->buffer[i];
   if (amd_is_vgpr((uint16_t)operand)) {
      out->s[i] = w->vgpr[operand - AMD_VGPR0];
   } else {
      uint32_t value = constant_of_type(w, inst, operand, type);
      for (unsigned l = 0; l < LANES; l++)
         buffer[l] = value;
      out->s[i] = buffer;
   }
   bool sdwa = inst->modifier == AMD_MOD_SDWA && i < 2 && (inst->sdwa_src_sel[i] != AMD_SDWA_DWORD || inst->sdwa_sext);
   bool dpp = (inst->modifier == AMD_MOD_DPP16 || inst->modifier == AMD_MOD_DPP8) && i == 0;
   bool high = inst->enc == AMD_ENC_VOP3 && (inst->op_sel >> i & 1) && is_16_bit(type);
   bool neg = modifiers && (inst->neg >> i & 1), abs = modifiers && (inst->abs >> i & 1);
   if (!sdwa && !dpp && !high && !neg && !abs)
      return;
   if (out->s[i] != buffer)
      memcpy(buffer, out->s[i], sizeof(out->buffer[i]));
   out->s[i] = buffer;
   if (dpp)
      apply_dpp(w, inst, buffer, buffer, &out->write);
   for (unsigned l = 0; sdwa && l < LANES; l++)
      buffer[l] = select_sdwa(buffer[l], inst->sdwa_src_sel[i], inst->sdwa_sext >> i & 1);
   for (unsigned l = 0; high && l < LANES; l++)
      buffer[l] >>= 16;
   uint32_t sign = type == AMD_TYPE_F16 ? 0x8000 : 0x80000000u;
   for (unsigned l = 0; abs && l < LANES; l++)
      buffer[l] &= ~sign;
   for (unsigned l = 0; neg && l < LANES; l++)
      buffer[l] ^= sign;
}

/* 64-bit source of a lane. */
static uint64_t
source64(const struct wave *w, const struct amd_inst *inst, unsigned i, unsigned type, unsigned lane)
{
   unsigned operand = inst->src[i];
   uint64_t value;
   if (amd_is_vgpr((uint16_t)operand)) {
      value = (uint64_t)w->vgpr[operand - AMD_VGPR0 + 1][lane] << 32 | w->vgpr[operand - AMD_VGPR0][lane];
   } else if (type == AMD_TYPE_F64 && operand >= 240 && operand <= 248) {
      value = double_bits(operand == 248 ? 0.15915494309189532 : (double)as_float(constant_operand(w, inst, operand)));
   } else if (type == AMD_TYPE_F64 && operand == AMD_LITERAL) {
      value = (uint64_t)inst->literal << 32;
   } else {
      value = scalar_operand64(w, inst, operand);
   }
   if (type == AMD_TYPE_F64) {
      if (inst->abs >> i & 1)
         value &= INT64_MAX;
      if (inst->neg >> i & 1)
         value ^= UINT64_C(1) << 63;
   }
   return value;
}

static float
finish_float(const struct amd_inst *inst, float f)
{
   static const float scales[4] = {1.0f, 2.0f, 4.0f, 0.5f};
   if (inst->omod)
      f *= scales[inst->omod & 3];
   if (inst->clamp)
      f = f > 0.0f ? (f < 1.0f ? f : 1.0f) : 0.0f;
   return f;
}

static void
write_result(struct wave *w, const struct amd_inst *inst, unsigned type, uint32_t *out, uint64_t write)
{
   unsigned n = inst->dst - AMD_VGPR0;
   uint32_t *dst = w->vgpr[n & 255];
   bool finish = inst->omod || inst->clamp;
   for (unsigned l = 0; finish && type == AMD_TYPE_F32 && l < w->size; l++)
      out[l] = as_bits(finish_float(inst, as_float(out[l])));
   for (unsigned l = 0; finish && type == AMD_TYPE_F16 && l < w->size; l++)
      out[l] = f2h(finish_float(inst, h2f(out[l])));
   if (inst->modifier == AMD_MOD_SDWA && inst->sdwa_dst_sel != AMD_SDWA_DWORD) {
      unsigned sel = inst->sdwa_dst_sel, bits = sel <= AMD_SDWA_BYTE_3 ? 8 : 16;
      unsigned shift = sel <= AMD_SDWA_BYTE_3 ? 8 * sel : 16 * (sel - AMD_SDWA_WORD_0);
      uint32_t mask = (uint32_t)bit_mask(bits) << shift;
      for (unsigned l = 0; l < w->size; l++) {
         uint32_t field = out[l] << shift & mask;
         if (inst->sdwa_dst_unused == AMD_SDWA_UNUSED_PRESERVE)
            field |= dst[l] & ~mask;
         else if (inst->sdwa_dst_unused == AMD_SDWA_UNUSED_SEXT)
            field = (uint32_t)sign_extend((uint64_t)out[l] << shift & bit_mask(shift + bits), shift + bits);
         out[l] = field;
      }
   } else if (is_16_bit(type)) {
      bool high = inst->enc == AMD_ENC_VOP3 && (inst->op_sel & 8);
      for (unsigned l = 0; l < w->size; l++)
         out[l] = high ? (dst[l] & 0xffff) | out[l] << 16 : (dst[l] & 0xffff0000u) | (out[l] & 0xffff);
   }
   if (write == bit_mask(w->size)) {
      memcpy(dst, out, w->size * 4u);
      return;
   }
   for (; write; write &= write - 1) {
      unsigned l = (unsigned)__builtin_ctzll(write);
      dst[l] = out[l];
   }
}

static void
write64(struct wave *w, const struct amd_inst *inst, unsigned lane, uint64_t value)
{
   unsigned n = inst->dst - AMD_VGPR0;
   w->vgpr[n & 255][lane] = (uint32_t)value;
   w->vgpr[(n + 1) & 255][lane] = (uint32_t)(value >> 32);
}

static float
minf(float a, float b)
{
   return a != a ? b : b != b ? a : a < b || (a == b && signbit(a)) ? a : b;
}

static float
maxf(float a, float b)
{
   return a != a ? b : b != b ? a : a > b || (a == b && !signbit(a)) ? a : b;
}

static float
med3f(float a, float b, float c)
{
   if (a != a || b != b || c != c)
      return minf(minf(a, b), c);
   return maxf(minf(a, b), minf(maxf(a, b), c));
}

static uint32_t
to_u32(float f)
{
   return !(f > 0.0f) ? 0 : f >= 4294967296.0f ? UINT32_MAX : (uint32_t)f;
}

static int32_t
to_i32(float f)
{
   return f != f ? 0 : f >= 2147483648.0f ? INT32_MAX : f <= -2147483648.0f ? INT32_MIN : (int32_t)f;
}

static float
fractf(float f)
{
   float r = f - floorf(f);
   return r < 1.0f ? r : 0x1.fffffep-1f;
}

static float
sine(float turns, bool cosine)
{
   if (!isfinite(turns))
      return NAN;
   double angle = ((double)turns - floor((double)turns)) * 6.283185307179586;
   return (float)(cosine ? cos(angle) : sin(angle));
}

static uint32_t
bfe(uint32_t a, uint32_t offset, uint32_t bits, bool is_signed)
{
   offset &= 31, bits &= 31;
   if (!bits)
      return 0;
   uint32_t v = a >> offset;
   if (offset + bits >= 32)
      return is_signed ? (uint32_t)((int32_t)a >> offset) : v;
   v &= (uint32_t)bit_mask(bits);
   return is_signed ? (uint32_t)sign_extend(v, bits) : v;
}

static uint32_t
perm(uint32_t a, uint32_t b, uint32_t sel)
{
   uint64_t data = (uint64_t)a << 32 | b;
   uint32_t r = 0;
   for (unsigned i = 0; i < 4; i++) {
      unsigned s = sel >> (8 * i) & 0xff, byte;
      if (s < 8)
         byte = data >> (8 * s) & 0xff;
      else if (s < 12)
         byte = (data >> (16 * (s - 8) + 15) & 1) ? 0xff : 0;
      else
         byte = s == 12 ? 0 : 0xff;
      r |= byte << (8 * i);
   }
   return r;
}

static uint32_t
sad_u8(uint32_t a, uint32_t b, uint32_t c)
{
   for (unsigned i = 0; i < 4; i++) {
      int d = (int)(a >> (8 * i) & 0xff) - (int)(b >> (8 * i) & 0xff);
      c += (uint32_t)(d < 0 ? -d : d);
   }
   return c;
}

/* Cube map: face, and coordinates and major axis on it. */
static float
cube(unsigned what, float x, float y, float z)
{
   float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
   unsigned axis = az >= ax && az >= ay ? 2 : ay >= ax ? 1 : 0;
   switch (what) {
   case 0: /* id */
      return axis == 2 ? (z < 0 ? 5.0f : 4.0f) : axis == 1 ? (y < 0 ? 3.0f : 2.0f) : (x < 0 ? 1.0f : 0.0f);
   case 1: /* sc */
      return axis == 2 ? (z < 0 ? -x : x) : axis == 1 ? x : (x < 0 ? z : -z);
   case 2: /* tc */
      return axis == 1 ? (y < 0 ? -z : z) : -y;
   default:
      return 2.0f * (axis == 2 ? z : axis == 1 ? y : x);
   }
}

static float
div_fixup(float q, float den, float num)
{
   bool sign = signbit(den) != signbit(num);
   float r;
   if (num != num || den != den)
      return NAN;
   if ((num == 0.0f && den == 0.0f) || (isinf(num) && isinf(den)))
      return NAN;
   if (den == 0.0f || isinf(num))
      r = INFINITY;
   else if (num == 0.0f || isinf(den))
      r = 0.0f;
   else
      r = fabsf(q);
   return sign ? -r : r;
}

static double
div_fixup64(double q, double den, double num)
{
   bool sign = signbit(den) != signbit(num);
   double r;
   if (num != num || den != den || (num == 0.0 && den == 0.0) || (isinf(num) && isinf(den)))
      return NAN;
   if (den == 0.0 || isinf(num))
      r = INFINITY;
   else if (num == 0.0 || isinf(den))
      r = 0.0;
   else
      r = fabs(q);
   return sign ? -r : r;
}

static uint32_t
pknorm(float a, float b, bool is_signed)
{
   return is_signed ? sim_snorm_from_float(a, 16) | sim_snorm_from_float(b, 16) << 16
                    : sim_unorm_from_float(a, 16) | sim_unorm_from_float(b, 16) << 16;
}

static uint32_t
half_toward_zero(float f)
{
   uint32_t h = f2h(f);
   if (isinf(f) || f != f)
      return h;
   float back = h2f(h);
   return fabsf(back) > fabsf(f) ? h - 1 : h;
}

/* A compare operation from its name: conditions are sets of outcomes: 1 less, 2 equal, 4 greater, 8 unordered. */
struct compare_info {
   uint8_t valid, condition, type; /* enum amd_type */
   bool exec, class;
};
static struct compare_info compares[AMD_OP_COUNT];

__attribute__((constructor)) static void
parse_compares(void)
{
   static const struct {
      const char *name;
      uint8_t condition;
   } conditions[] = {{"f", 0}, {"lt", 1}, {"eq", 2}, {"le", 3}, {"gt", 4}, {"lg", 5}, {"ne", 5}, {"ge", 6}, {"o", 7}, {"t", 7},
                     {"u", 8}, {"nge", 9}, {"nlg", 10}, {"ngt", 11}, {"nle", 12}, {"neq", 13}, {"nlt", 14}, {"tru", 15}};
   static const struct {
      const char *name;
      uint8_t type;
   } types[] = {{"f32", AMD_TYPE_F32}, {"f64", AMD_TYPE_F64}, {"f16", AMD_TYPE_F16}, {"i32", AMD_TYPE_I32}, {"u32", AMD_TYPE_U32},
                {"i64", AMD_TYPE_I64}, {"u64", AMD_TYPE_U64}, {"i16", AMD_TYPE_I16}, {"u16", AMD_TYPE_U16}};
   for (unsigned op = 0; op < AMD_OP_COUNT; op++) {
      const char *name = amd_isa_op_info((enum amd_op)op)->name;
      bool exec = !strncmp(name, "v_cmpx_", 7);
      if (strncmp(name, "v_cmp_", 6) && !exec)
         continue;
      name += exec ? 7 : 6;
      const char *end = strchr(name, '_');
      struct compare_info *c = &compares[op];
      c->exec = exec;
      for (unsigned i = 0; end && i < ARRAY_SIZE(types); i++) {
         if (!strcmp(end + 1, types[i].name))
            c->type = types[i].type;
      }
      for (unsigned i = 0; end && i < ARRAY_SIZE(conditions); i++) {
         if (strlen(conditions[i].name) == (size_t)(end - name) && !strncmp(name, conditions[i].name, (size_t)(end - name))) {
            c->condition = conditions[i].condition;
            c->valid = c->type != 0;
         }
      }
      if (!strncmp(name, "class_", 6)) {
         c->class = true;
         c->valid = c->type != 0;
      }
   }
}

static bool
float_class(double v, bool quiet, bool denormal, unsigned mask)
{
   unsigned bit;
   if (v != v)
      bit = quiet ? 1 : 0;
   else if (isinf(v))
      bit = v < 0 ? 2 : 9;
   else if (v == 0)
      bit = signbit(v) ? 5 : 6;
   else
      bit = denormal ? (v < 0 ? 4 : 7) : (v < 0 ? 3 : 8);
   return mask >> bit & 1;
}

#define OUTCOME(a, b) ((unsigned)((a) < (b)) | (unsigned)((a) == (b)) << 1 | (unsigned)((a) > (b)) << 2)
#define COMPARE_LOOP(T, A, B)                                                                                        \
   for (unsigned l = 0; l < w->size; l++) {                                                                          \
      T a = (A), b = (B);                                                                                            \
      unsigned outcome = OUTCOME(a, b);                                                                              \
      outcome |= (unsigned)!outcome << 3;                                                                            \
      bits |= (uint64_t)((outcome & c->condition) != 0) << l;                                                        \
   }

static bool
run_compare(struct wave *w, const struct amd_inst *inst, const struct compare_info *c)
{
   struct sources in;
   in.write = wave_exec(w);
   bool wide = c->type == AMD_TYPE_F64 || c->type == AMD_TYPE_I64 || c->type == AMD_TYPE_U64;
   bool is_float = c->type == AMD_TYPE_F32 || c->type == AMD_TYPE_F16;
   if (!wide) {
      fetch_source(w, inst, 0, c->type, is_float, &in);
      fetch_source(w, inst, 1, c->class ? AMD_TYPE_U32 : c->type, is_float && !c->class, &in);
   } else if (c->class) {
      fetch_source(w, inst, 1, AMD_TYPE_U32, false, &in);
   }
   uint64_t bits = 0;
   if (c->class) {
      for (unsigned l = 0; l < w->size; l++) {
         uint64_t raw = wide ? source64(w, inst, 0, c->type, l) : in.s[0][l];
         double v = wide ? bits_double(raw) : c->type == AMD_TYPE_F16 ? (double)h2f((uint32_t)raw) : (double)as_float((uint32_t)raw);
         bool quiet = wide ? raw >> 51 & 1 : c->type == AMD_TYPE_F16 ? raw >> 9 & 1 : raw >> 22 & 1;
         bool denormal = wide ? !(raw >> 52 & 0x7ff) : c->type == AMD_TYPE_F16 ? !(raw >> 10 & 31) : !(raw >> 23 & 255);
         bits |= (uint64_t)float_class(v, quiet, denormal, in.s[1][l]) << l;
      }
   } else {
      switch (c->type) {
      case AMD_TYPE_F32: COMPARE_LOOP(float, as_float(in.s[0][l]), as_float(in.s[1][l])) break;
      case AMD_TYPE_F16: COMPARE_LOOP(float, h2f(in.s[0][l]), h2f(in.s[1][l])) break;
      case AMD_TYPE_I32: COMPARE_LOOP(int32_t, (int32_t)in.s[0][l], (int32_t)in.s[1][l]) break;
      case AMD_TYPE_U32: COMPARE_LOOP(uint32_t, in.s[0][l], in.s[1][l]) break;
      case AMD_TYPE_I16: COMPARE_LOOP(int16_t, (int16_t)in.s[0][l], (int16_t)in.s[1][l]) break;
      case AMD_TYPE_U16: COMPARE_LOOP(uint16_t, (uint16_t)in.s[0][l], (uint16_t)in.s[1][l]) break;
      case AMD_TYPE_F64: COMPARE_LOOP(double, bits_double(source64(w, inst, 0, c->type, l)), bits_double(source64(w, inst, 1, c->type, l))) break;
      case AMD_TYPE_I64: COMPARE_LOOP(int64_t, (int64_t)source64(w, inst, 0, c->type, l), (int64_t)source64(w, inst, 1, c->type, l)) break;
      default: COMPARE_LOOP(uint64_t, source64(w, inst, 0, c->type, l), source64(w, inst, 1, c->type, l)) break;
      }
   }
   bits &= wave_exec(w);
   if (c->exec)
      set_mask(w, AMD_EXEC_LO, bits);
   else
      set_mask(w, inst->dst == AMD_OPERAND_NONE ? AMD_VCC_LO : inst->dst, bits);
   return true;
}

static bool
carry_ops(struct wave *w, const struct amd_inst *inst, const struct sources *in, uint32_t *out)
{
   uint64_t carry = 0, carry_in = 0;
   bool uses_carry = inst->op == AMD_OP_v_add_co_ci_u32 || inst->op == AMD_OP_v_sub_co_ci_u32 || inst->op == AMD_OP_v_subrev_co_ci_u32;
   if (uses_carry)
      carry_in = mask_operand(w, inst, inst->src[2] == AMD_OPERAND_NONE ? AMD_VCC_LO : inst->src[2]);
   for (unsigned l = 0; l < w->size; l++) {
      uint64_t a = in->s[0][l], b = in->s[1][l], c = carry_in >> l & 1, r;
      switch ((int)inst->op) {
      case AMD_OP_v_add_co_u32: case AMD_OP_v_add_co_ci_u32: r = a + b + c; break;
      case AMD_OP_v_sub_co_u32: case AMD_OP_v_sub_co_ci_u32: r = a - b - c; break;
      default: r = b - a - c; break;
      }
      out[l] = (uint32_t)r;
      carry |= (r >> 32 & 1) << l;
   }
   set_mask(w, inst->sdst == AMD_OPERAND_NONE ? AMD_VCC_LO : inst->sdst, carry & wave_exec(w));
   return true;
}

/* Instructions on lanes as such. */
static bool
lane_ops(struct wave *w, const struct amd_inst *inst)
{
   uint64_t exec = wave_exec(w);
   unsigned first = exec ? (unsigned)__builtin_ctzll(exec) : 0, lane;
   struct sources in;
   in.write = exec;
   switch ((int)inst->op) {
   case AMD_OP_v_readfirstlane_b32:
   case AMD_OP_v_readlane_b32:
      lane = inst->op == AMD_OP_v_readlane_b32 ? scalar_operand(w, inst, inst->src[1]) % w->size : first;
      set_sgpr(w, inst->dst, amd_is_vgpr(inst->src[0]) ? w->vgpr[inst->src[0] - AMD_VGPR0][lane] : scalar_operand(w, inst, inst->src[0]));
      return true;
   case AMD_OP_v_writelane_b32:
      lane = scalar_operand(w, inst, inst->src[1]) % w->size;
      w->vgpr[inst->dst - AMD_VGPR0][lane] = scalar_operand(w, inst, inst->src[0]);
      return true;
   case AMD_OP_v_permlane16_b32:
   case AMD_OP_v_permlanex16_b32: {
      uint32_t out[LANES];
      uint64_t select = (uint64_t)scalar_operand(w, inst, inst->src[2]) << 32 | scalar_operand(w, inst, inst->src[1]);
      fetch_source(w, inst, 0, AMD_TYPE_B32, false, &in);
      bool fetch_inactive = inst->op_sel & 1, bound = inst->op_sel & 2;
      for (unsigned l = 0; l < w->size; l++) {
         unsigned row = l & ~15u;
         if (inst->op == AMD_OP_v_permlanex16_b32)
            row ^= 16;
         unsigned from = row | (select >> (4 * (l & 15)) & 15);
         bool valid = fetch_inactive || (exec >> from & 1);
         out[l] = valid ? in.s[0][from] : bound ? 0 : w->vgpr[inst->dst - AMD_VGPR0][l];
      }
      write_result(w, inst, AMD_TYPE_B32, out, exec);
      return true;
   }
   case AMD_OP_v_swap_b32:
      for (; exec; exec &= exec - 1) {
         unsigned l = (unsigned)__builtin_ctzll(exec);
         uint32_t t = w->vgpr[inst->dst - AMD_VGPR0][l];
         w->vgpr[inst->dst - AMD_VGPR0][l] = w->vgpr[inst->src[0] - AMD_VGPR0][l];
         w->vgpr[inst->src[0] - AMD_VGPR0][l] = t;
      }
      return true;
   default:
      return false;
   }
}

/* Instructions with 64-bit operands or results. */
static bool
wide_ops(struct wave *w, const struct amd_inst *inst)
{
   /* size: a flat switch over opcodes */
   struct sources in;
   uint64_t exec = wave_exec(w), carry = 0;
   const struct amd_op_info *info = amd_isa_op_info((enum amd_op)inst->op);
   in.write = exec;
   for (unsigned i = 0; i < info->src_count && i < 3; i++) {
      if (info->src[i].size_dw == 1)
         fetch_source(w, inst, i, info->src[i].type, info->src[i].type == AMD_TYPE_F32, &in);
   }
   uint32_t out[LANES];
#define D(i) bits_double(source64(w, inst, i, AMD_TYPE_F64, l))
#define U(i) source64(w, inst, i, AMD_TYPE_U64, l)
#define EACH for (uint64_t m = exec; m; m &= m - 1) for (unsigned l = (unsigned)__builtin_ctzll(m), once = 1; once; once = 0)
#define WIDE(expr) do { uint64_t r[LANES]; EACH r[l] = (expr); EACH write64(w, inst, l, r[l]); return true; } while (0)
#define WIDEF(expr) do { uint64_t r[LANES]; EACH r[l] = double_bits(expr); EACH write64(w, inst, l, r[l]); return true; } while (0)
#define NARROW(expr) do { EACH out[l] = (expr); write_result(w, inst, info->dst.type, out, exec); return true; } while (0)
   switch ((int)inst->op) {
   case AMD_OP_v_fma_f64: WIDEF(fma(D(0), D(1), D(2)));
   case AMD_OP_v_add_f64: WIDEF(D(0) + D(1));
   case AMD_OP_v_mul_f64: WIDEF(D(0) * D(1));
   case AMD_OP_v_min_f64: WIDEF(fmin(D(0), D(1)));
   case AMD_OP_v_max_f64: WIDEF(fmax(D(0), D(1)));
   case AMD_OP_v_ldexp_f64: WIDEF(ldexp(D(0), (int32_t)in.s[1][l]));
   case AMD_OP_v_trunc_f64: WIDEF(trunc(D(0)));
   case AMD_OP_v_ceil_f64: WIDEF(ceil(D(0)));
   case AMD_OP_v_rndne_f64: WIDEF(nearbyint(D(0)));
   case AMD_OP_v_floor_f64: WIDEF(floor(D(0)));
   case AMD_OP_v_fract_f64: WIDEF(D(0) - floor(D(0)));
   case AMD_OP_v_rcp_f64: WIDEF(1.0 / D(0));
   case AMD_OP_v_rsq_f64: WIDEF(1.0 / sqrt(D(0)));
   case AMD_OP_v_sqrt_f64: WIDEF(sqrt(D(0)));
   case AMD_OP_v_frexp_mant_f64: { uint64_t r[LANES]; EACH { int e; r[l] = double_bits(frexp(D(0), &e)); } EACH write64(w, inst, l, r[l]); return true; }
   case AMD_OP_v_frexp_exp_i32_f64: EACH { int e = 0; if (isfinite(D(0))) frexp(D(0), &e); out[l] = (uint32_t)e; } write_result(w, inst, AMD_TYPE_I32, out, exec); return true;
   case AMD_OP_v_cvt_f64_f32: WIDEF((double)as_float(in.s[0][l]));
   case AMD_OP_v_cvt_f64_i32: WIDEF((double)(int32_t)in.s[0][l]);
   case AMD_OP_v_cvt_f64_u32: WIDEF((double)in.s[0][l]);
   case AMD_OP_v_cvt_f32_f64: NARROW(as_bits((float)D(0)));
   case AMD_OP_v_cvt_i32_f64: NARROW(D(0) != D(0) ? 0 : D(0) >= 2147483648.0 ? INT32_MAX : D(0) <= -2147483648.0 ? (uint32_t)INT32_MIN : (uint32_t)(int32_t)D(0));
   case AMD_OP_v_cvt_u32_f64: NARROW(!(D(0) > 0) ? 0 : D(0) >= 4294967296.0 ? UINT32_MAX : (uint32_t)D(0));
   case AMD_OP_v_div_fixup_f64: WIDEF(div_fixup64(D(0), D(1), D(2)));
   case AMD_OP_v_div_fmas_f64: WIDEF(fma(D(0), D(1), D(2)));
   case AMD_OP_v_div_scale_f64: set_mask(w, inst->sdst, 0); WIDE(U(0));
   case AMD_OP_v_lshlrev_b64: WIDE(U(1) << (in.s[0][l] & 63));
   case AMD_OP_v_lshrrev_b64: WIDE(U(1) >> (in.s[0][l] & 63));
   case AMD_OP_v_ashrrev_i64: WIDE((uint64_t)((int64_t)U(1) >> (in.s[0][l] & 63)));
   case AMD_OP_v_mad_u64_u32: case AMD_OP_v_mad_i64_i32: {
      uint64_t r[LANES];
      EACH {
         unsigned __int128 sum = (unsigned __int128)((uint64_t)in.s[0][l] * in.s[1][l]) + U(2);
         r[l] = inst->op == AMD_OP_v_mad_u64_u32 ? (uint64_t)sum : (uint64_t)((int64_t)(int32_t)in.s[0][l] * (int32_t)in.s[1][l]) + U(2);
         carry |= (uint64_t)(sum >> 64 != 0) << l;
      }
      EACH write64(w, inst, l, r[l]);
      if (inst->sdst != AMD_OPERAND_NONE)
         set_mask(w, inst->sdst, carry);
      return true;
   }
   default:
      return false;
   }
}

#define a in.s[0][l]
#define b in.s[1][l]
#define c in.s[2][l]
#define fa as_float(in.s[0][l])
#define fb as_float(in.s[1][l])
#define fc as_float(in.s[2][l])
#define ha h2f(in.s[0][l])
#define hb h2f(in.s[1][l])
#define hc h2f(in.s[2][l])
#define ia (int32_t)in.s[0][l]
#define ib (int32_t)in.s[1][l]
#define ic (int32_t)in.s[2][l]
#define OP(name, expr) case AMD_OP_##name: for (unsigned l = 0; l < n; l++) out[l] = (uint32_t)(expr); break
#define FOP(name, expr) OP(name, as_bits(expr))
#define HOP(name, expr) OP(name, f2h(expr))

static bool
arithmetic(struct wave *w, const struct amd_inst *inst)
{
   /* size: a flat switch over opcodes */
   const struct amd_op_info *info = amd_isa_op_info((enum amd_op)inst->op);
   unsigned n = w->size;
   struct sources in;
   uint32_t out[LANES];
   in.write = wave_exec(w);
   for (unsigned i = 0; i < info->src_count && i < 3; i++) {
      unsigned type = info->src[i].type;
      if (info->src[i].cls == AMD_CLASS_MASK)
         continue;
      fetch_source(w, inst, i, type, (info->mods >> i & 1) != 0, &in);
   }
   if (info->flags & AMD_FLAG_READS_DST && info->src_count < 3) {
      in.s[2] = w->vgpr[inst->dst - AMD_VGPR0];
   }
   switch ((int)inst->op) {
   case AMD_OP_v_nop: return true;
   OP(v_mov_b32, a);
   case AMD_OP_v_cndmask_b32: {
      uint64_t mask = mask_operand(w, inst, inst->src[2] == AMD_OPERAND_NONE ? AMD_VCC_LO : inst->src[2]);
      for (unsigned l = 0; l < n; l++)
         out[l] = mask >> l & 1 ? b : a;
      break;
   }
   FOP(v_add_f32, fa + fb);
   FOP(v_sub_f32, fa - fb);
   FOP(v_subrev_f32, fb - fa);
   FOP(v_mul_f32, fa * fb);
   FOP(v_mul_legacy_f32, fa == 0.0f || fb == 0.0f ? 0.0f : fa * fb);
   FOP(v_fmac_legacy_f32, fa == 0.0f || fb == 0.0f ? fc : fmaf(fa, fb, fc));
   FOP(v_fma_legacy_f32, fa == 0.0f || fb == 0.0f ? fc : fmaf(fa, fb, fc));
   FOP(v_fma_f32, fmaf(fa, fb, fc));
   FOP(v_fmac_f32, fmaf(fa, fb, fc));
   FOP(v_fmamk_f32, fmaf(fa, fb, fc)); /* the literal is src1, then the addend */
   FOP(v_fmaak_f32, fmaf(fa, fb, fc));
   FOP(v_min_f32, minf(fa, fb));
   FOP(v_max_f32, maxf(fa, fb));
   FOP(v_min3_f32, minf(minf(fa, fb), fc));
   FOP(v_max3_f32, maxf(maxf(fa, fb), fc));
   FOP(v_med3_f32, med3f(fa, fb, fc));
   FOP(v_mullit_f32, fb == -INFINITY || fc <= 0.0f || fc != fc ? -3.402823466e38f : fa * fb);
   OP(v_mul_i32_i24, (int64_t)(ia << 8 >> 8) * (ib << 8 >> 8));
   OP(v_mul_hi_i32_i24, (uint64_t)((int64_t)(ia << 8 >> 8) * (ib << 8 >> 8)) >> 32);
   OP(v_mul_u32_u24, (uint64_t)(a & 0xffffff) * (b & 0xffffff));
   OP(v_mul_hi_u32_u24, (uint64_t)(a & 0xffffff) * (b & 0xffffff) >> 32);
   OP(v_mad_i32_i24, (uint32_t)((ia << 8 >> 8) * (int64_t)(ib << 8 >> 8)) + c);
   OP(v_mad_u32_u24, (uint32_t)((uint64_t)(a & 0xffffff) * (b & 0xffffff)) + c);
   OP(v_min_i32, ia < ib ? ia : ib);
   OP(v_max_i32, ia > ib ? ia : ib);
   OP(v_min_u32, a < b ? a : b);
   OP(v_max_u32, a > b ? a : b);
   OP(v_min3_i32, MIN2(MIN2(ia, ib), ic));
   OP(v_max3_i32, MAX2(MAX2(ia, ib), ic));
   OP(v_med3_i32, MAX2(MIN2(ia, ib), MIN2(MAX2(ia, ib), ic)));
   OP(v_min3_u32, MIN2(MIN2(a, b), c));
   OP(v_max3_u32, MAX2(MAX2(a, b), c));
   OP(v_med3_u32, MAX2(MIN2(a, b), MIN2(MAX2(a, b), c)));
   OP(v_lshrrev_b32, b >> (a & 31));
   OP(v_ashrrev_i32, ib >> (a & 31));
   OP(v_lshlrev_b32, b << (a & 31));
   OP(v_and_b32, a & b);
   OP(v_or_b32, a | b);
   OP(v_xor_b32, a ^ b);
   OP(v_xnor_b32, ~(a ^ b));
   OP(v_add_nc_u32, a + b);
   OP(v_sub_nc_u32, a - b);
   OP(v_subrev_nc_u32, b - a);
   OP(v_add_nc_i32, a + b);
   OP(v_sub_nc_i32, a - b);
   case AMD_OP_v_add_co_u32: case AMD_OP_v_sub_co_u32: case AMD_OP_v_subrev_co_u32: case AMD_OP_v_add_co_ci_u32:
   case AMD_OP_v_sub_co_ci_u32: case AMD_OP_v_subrev_co_ci_u32:
      carry_ops(w, inst, &in, out);
      break;
   OP(v_cvt_pkrtz_f16_f32, half_toward_zero(fa) | half_toward_zero(fb) << 16);
   HOP(v_add_f16, ha + hb);
   HOP(v_sub_f16, ha - hb);
   HOP(v_subrev_f16, hb - ha);
   HOP(v_mul_f16, ha * hb);
   HOP(v_fmac_f16, fmaf(ha, hb, hc));
   HOP(v_fmamk_f16, fmaf(ha, hb, hc));
   HOP(v_fmaak_f16, fmaf(ha, hb, hc));
   HOP(v_fma_f16, fmaf(ha, hb, hc));
   HOP(v_max_f16, maxf(ha, hb));
   HOP(v_min_f16, minf(ha, hb));
   HOP(v_min3_f16, minf(minf(ha, hb), hc));
   HOP(v_max3_f16, maxf(maxf(ha, hb), hc));
   HOP(v_med3_f16, med3f(ha, hb, hc));
   HOP(v_ldexp_f16, ldexpf(ha, (int16_t)b));
   HOP(v_div_fixup_f16, div_fixup(ha, hb, hc));
   FOP(v_cvt_f32_i32, (float)ia);
   FOP(v_cvt_f32_u32, (float)a);
   OP(v_cvt_u32_f32, to_u32(fa));
   OP(v_cvt_i32_f32, to_i32(fa));
   HOP(v_cvt_f16_f32, fa);
   FOP(v_cvt_f32_f16, ha);
   OP(v_cvt_rpi_i32_f32, to_i32(floorf(fa + 0.5f)));
   OP(v_cvt_flr_i32_f32, to_i32(floorf(fa)));
   FOP(v_cvt_off_f32_i4, (float)((int32_t)(a << 28) >> 28) / 16.0f);
   FOP(v_cvt_f32_ubyte0, (float)(a & 0xff));
   FOP(v_cvt_f32_ubyte1, (float)(a >> 8 & 0xff));
   FOP(v_cvt_f32_ubyte2, (float)(a >> 16 & 0xff));
   FOP(v_cvt_f32_ubyte3, (float)(a >> 24));
   FOP(v_fract_f32, fractf(fa));
   FOP(v_trunc_f32, truncf(fa));
   FOP(v_ceil_f32, ceilf(fa));
   FOP(v_rndne_f32, nearbyintf(fa));
   FOP(v_floor_f32, floorf(fa));
   FOP(v_exp_f32, exp2f(fa));
   FOP(v_log_f32, log2f(fa));
   FOP(v_rcp_f32, 1.0f / fa);
   FOP(v_rcp_iflag_f32, 1.0f / fa);
   FOP(v_rsq_f32, 1.0f / sqrtf(fa));
   FOP(v_sqrt_f32, sqrtf(fa));
   FOP(v_sin_f32, sine(fa, false));
   FOP(v_cos_f32, sine(fa, true));
   OP(v_not_b32, ~a);
   case AMD_OP_v_bfrev_b32:
      for (unsigned l = 0; l < n; l++) {
         uint32_t v = a, r = 0;
         for (unsigned i = 0; i < 32; i++)
            r |= (v >> i & 1) << (31 - i);
         out[l] = r;
      }
      break;
   OP(v_ffbh_u32, a ? (uint32_t)__builtin_clz(a) : UINT32_MAX);
   OP(v_ffbl_b32, a ? (uint32_t)__builtin_ctz(a) : UINT32_MAX);
   OP(v_ffbh_i32, a == 0 || a == UINT32_MAX ? UINT32_MAX : (uint32_t)__builtin_clz(ia < 0 ? ~a : a));
   case AMD_OP_v_frexp_exp_i32_f32: for (unsigned l = 0; l < n; l++) { int e = 0; if (isfinite(fa)) frexpf(fa, &e); out[l] = (uint32_t)e; } break;
   case AMD_OP_v_frexp_mant_f32: for (unsigned l = 0; l < n; l++) { int e; out[l] = as_bits(frexpf(fa, &e)); } break;
   case AMD_OP_v_frexp_exp_i16_f16: for (unsigned l = 0; l < n; l++) { int e = 0; if (isfinite(ha)) frexpf(ha, &e); out[l] = (uint16_t)e; } break;
   case AMD_OP_v_frexp_mant_f16: for (unsigned l = 0; l < n; l++) { int e; out[l] = f2h(frexpf(ha, &e)); } break;
   HOP(v_cvt_f16_u16, (float)(a & 0xffff));
   HOP(v_cvt_f16_i16, (float)(int16_t)a);
   OP(v_cvt_u16_f16, MIN2(to_u32(ha), 0xffffu));
   OP(v_cvt_i16_f16, (uint16_t)MAX2(MIN2(to_i32(ha), 32767), -32768));
   HOP(v_rcp_f16, 1.0f / ha);
   HOP(v_sqrt_f16, sqrtf(ha));
   HOP(v_rsq_f16, 1.0f / sqrtf(ha));
   HOP(v_log_f16, log2f(ha));
   HOP(v_exp_f16, exp2f(ha));
   HOP(v_floor_f16, floorf(ha));
   HOP(v_ceil_f16, ceilf(ha));
   HOP(v_trunc_f16, truncf(ha));
   HOP(v_rndne_f16, nearbyintf(ha));
   HOP(v_fract_f16, fractf(ha));
   HOP(v_sin_f16, sine(ha, false));
   HOP(v_cos_f16, sine(ha, true));
   OP(v_cvt_norm_i16_f16, sim_snorm_from_float(ha, 16));
   OP(v_cvt_norm_u16_f16, sim_unorm_from_float(ha, 16));
   OP(v_sat_pk_u8_i16, MIN2(MAX2((int16_t)a, 0), 255) | MIN2(MAX2((int16_t)(a >> 16), 0), 255) << 8);
   FOP(v_cubeid_f32, cube(0, fa, fb, fc));
   FOP(v_cubesc_f32, cube(1, fa, fb, fc));
   FOP(v_cubetc_f32, cube(2, fa, fb, fc));
   FOP(v_cubema_f32, cube(3, fa, fb, fc));
   OP(v_bfe_u32, bfe(a, b, c, false));
   OP(v_bfe_i32, bfe(a, b, c, true));
   OP(v_bfi_b32, (a & b) | (~a & c));
   OP(v_alignbit_b32, ((uint64_t)a << 32 | b) >> (c & 31));
   OP(v_alignbyte_b32, ((uint64_t)a << 32 | b) >> (8 * (c & 3)));
   OP(v_lerp_u8, ((((a & 0xff) + (b & 0xff) + (c & 1)) >> 1) & 0xff) | (((((a >> 8) & 0xff) + ((b >> 8) & 0xff) + ((c >> 8) & 1)) >> 1) & 0xff) << 8 |
                 (((((a >> 16) & 0xff) + ((b >> 16) & 0xff) + ((c >> 16) & 1)) >> 1) & 0xff) << 16 | (((((a >> 24)) + ((b >> 24)) + ((c >> 24) & 1)) >> 1) & 0xff) << 24);
   OP(v_sad_u8, sad_u8(a, b, c));
   OP(v_sad_u32, (a > b ? a - b : b - a) + c);
   OP(v_cvt_pk_u8_f32, (c & ~(0xffu << (8 * (b & 3)))) | MIN2(to_u32(fa), 255u) << (8 * (b & 3)));
   FOP(v_div_fixup_f32, div_fixup(fa, fb, fc));
   FOP(v_div_fmas_f32, fmaf(fa, fb, fc));
   case AMD_OP_v_div_scale_f32: set_mask(w, inst->sdst, 0); for (unsigned l = 0; l < n; l++) out[l] = a; break;
   OP(v_mul_lo_u32, a * b);
   OP(v_mul_hi_u32, (uint64_t)a * b >> 32);
   OP(v_mul_hi_i32, (uint64_t)((int64_t)ia * ib) >> 32);
   OP(v_xor3_b32, a ^ b ^ c);
   OP(v_add_nc_u16, a + b);
   OP(v_sub_nc_u16, a - b);
   OP(v_add_nc_i16, a + b);
   OP(v_sub_nc_i16, a - b);
   OP(v_mul_lo_u16, a * b);
   OP(v_lshrrev_b16, (uint16_t)b >> (a & 15));
   OP(v_ashrrev_i16, (int16_t)b >> (a & 15));
   OP(v_lshlrev_b16, b << (a & 15));
   OP(v_max_u16, MAX2((uint16_t)a, (uint16_t)b));
   OP(v_max_i16, MAX2((int16_t)a, (int16_t)b));
   OP(v_min_u16, MIN2((uint16_t)a, (uint16_t)b));
   OP(v_min_i16, MIN2((int16_t)a, (int16_t)b));
   OP(v_mad_u16, a * b + c);
   OP(v_mad_i16, a * b + c);
   OP(v_min3_i16, MIN2(MIN2((int16_t)a, (int16_t)b), (int16_t)c));
   OP(v_max3_i16, MAX2(MAX2((int16_t)a, (int16_t)b), (int16_t)c));
   OP(v_min3_u16, MIN2(MIN2((uint16_t)a, (uint16_t)b), (uint16_t)c));
   OP(v_max3_u16, MAX2(MAX2((uint16_t)a, (uint16_t)b), (uint16_t)c));
   OP(v_med3_i16, MAX2(MIN2((int16_t)a, (int16_t)b), MIN2(MAX2((int16_t)a, (int16_t)b), (int16_t)c)));
   OP(v_med3_u16, MAX2(MIN2((uint16_t)a, (uint16_t)b), MIN2(MAX2((uint16_t)a, (uint16_t)b), (uint16_t)c)));
   OP(v_pack_b32_f16, (a & 0xffff) | b << 16);
   OP(v_cvt_pknorm_i16_f16, pknorm(ha, hb, true));
   OP(v_cvt_pknorm_u16_f16, pknorm(ha, hb, false));
   OP(v_cvt_pknorm_i16_f32, pknorm(fa, fb, true));
   OP(v_cvt_pknorm_u16_f32, pknorm(fa, fb, false));
   OP(v_cvt_pk_u16_u32, MIN2(a, 0xffffu) | MIN2(b, 0xffffu) << 16);
   OP(v_cvt_pk_i16_i32, (uint16_t)MAX2(MIN2(ia, 32767), -32768) | (uint32_t)MAX2(MIN2(ib, 32767), -32768) << 16);
   OP(v_perm_b32, perm(a, b, c));
   OP(v_xad_u32, (a ^ b) + c);
   OP(v_lshl_add_u32, (a << (b & 31)) + c);
   OP(v_add_lshl_u32, (a + b) << (c & 31));
   OP(v_add3_u32, a + b + c);
   OP(v_lshl_or_b32, (a << (b & 31)) | c);
   OP(v_and_or_b32, (a & b) | c);
   OP(v_or3_b32, a | b | c);
   OP(v_mad_u32_u16, (a & 0xffff) * (b & 0xffff) + c);
   OP(v_mad_i32_i16, (uint32_t)((int16_t)a * (int16_t)b) + c);
   FOP(v_ldexp_f32, ldexpf(fa, ib));
   OP(v_bfm_b32, (uint32_t)bit_mask(a & 31) << (b & 31));
   OP(v_bcnt_u32_b32, (uint32_t)__builtin_popcount(a) + b);
   OP(v_mbcnt_lo_u32_b32, (uint32_t)__builtin_popcount(a & (uint32_t)bit_mask(MIN2(l, 32u))) + b);
   OP(v_mbcnt_hi_u32_b32, (l < 32 ? 0 : (uint32_t)__builtin_popcount(a & (uint32_t)bit_mask(l - 32))) + b);
   case AMD_OP_v_movrels_b32: {
      unsigned from = (inst->src[0] - AMD_VGPR0 + w->sgpr[AMD_M0]) & 255;
      memcpy(out, w->vgpr[from], sizeof(out));
      break;
   }
   case AMD_OP_v_movreld_b32: {
      struct amd_inst moved = *inst;
      moved.dst = amd_vgpr((inst->dst - AMD_VGPR0 + w->sgpr[AMD_M0]) & 255);
      memcpy(out, in.s[0], sizeof(out));
      write_result(w, &moved, AMD_TYPE_B32, out, in.write);
      return true;
   }
   default:
      return false;
   }
   write_result(w, inst, info->dst.type, out, in.write);
   return true;
}
#undef a
#undef b
#undef c
#undef fa
#undef fb
#undef fc
#undef ha
#undef hb
#undef hc
#undef ia
#undef ib
#undef ic

static uint32_t
packed_half(const struct amd_inst *inst, uint32_t value, unsigned i, bool high, bool is_float)
{
   bool upper = high ? inst->op_sel_hi >> i & 1 : inst->op_sel >> i & 1;
   uint32_t h = upper ? value >> 16 : value & 0xffff;
   if (is_float && ((high ? inst->neg_hi : inst->neg) >> i & 1))
      h ^= 0x8000;
   return h;
}

static uint32_t
packed_op(const struct amd_inst *inst, uint32_t x, uint32_t y, uint32_t z)
{
   float fx = h2f(x), fy = h2f(y), fz = h2f(z), r;
   int16_t sx = (int16_t)x, sy = (int16_t)y;
   switch ((int)inst->op) {
   case AMD_OP_v_pk_fma_f16: case AMD_OP_v_pk_fmac_f16: r = fmaf(fx, fy, fz); break;
   case AMD_OP_v_pk_add_f16: r = fx + fy; break;
   case AMD_OP_v_pk_mul_f16: r = fx * fy; break;
   case AMD_OP_v_pk_min_f16: r = minf(fx, fy); break;
   case AMD_OP_v_pk_max_f16: r = maxf(fx, fy); break;
   case AMD_OP_v_pk_mad_i16: case AMD_OP_v_pk_mad_u16: return (x * y + z) & 0xffff;
   case AMD_OP_v_pk_mul_lo_u16: return x * y & 0xffff;
   case AMD_OP_v_pk_add_i16: case AMD_OP_v_pk_add_u16: return (x + y) & 0xffff;
   case AMD_OP_v_pk_sub_i16: case AMD_OP_v_pk_sub_u16: return (x - y) & 0xffff;
   case AMD_OP_v_pk_lshlrev_b16: return y << (x & 15) & 0xffff;
   case AMD_OP_v_pk_lshrrev_b16: return (y & 0xffff) >> (x & 15);
   case AMD_OP_v_pk_ashrrev_i16: return (uint16_t)(sy >> (x & 15));
   case AMD_OP_v_pk_max_i16: return (uint16_t)MAX2(sx, sy);
   case AMD_OP_v_pk_min_i16: return (uint16_t)MIN2(sx, sy);
   case AMD_OP_v_pk_max_u16: return MAX2(x, y);
   default: return MIN2(x, y); /* v_pk_min_u16 */
   }
   return f2h(inst->clamp ? (r > 0.0f ? (r < 1.0f ? r : 1.0f) : 0.0f) : r);
}

static bool
vop3p(struct wave *w, const struct amd_inst *inst)
{
   const struct amd_op_info *info = amd_isa_op_info((enum amd_op)inst->op);
   struct sources in;
   uint32_t out[LANES];
   in.write = wave_exec(w);
   in.s[2] = in.buffer[2];
   memset(in.buffer[2], 0, sizeof(in.buffer[2]));
   for (unsigned i = 0; i < info->src_count && i < 3; i++)
      fetch_source(w, inst, i, info->src[i].type, false, &in);
   bool mix = inst->op == AMD_OP_v_fma_mix_f32 || inst->op == AMD_OP_v_fma_mixlo_f16 || inst->op == AMD_OP_v_fma_mixhi_f16;
   uint32_t *dst = w->vgpr[inst->dst - AMD_VGPR0];
   if (mix) {
      for (unsigned l = 0; l < w->size; l++) {
         float v[3];
         for (unsigned i = 0; i < 3; i++) {
            bool half = inst->op_sel_hi >> i & 1;
            v[i] = half ? h2f(inst->op_sel >> i & 1 ? in.s[i][l] >> 16 : in.s[i][l] & 0xffff) : as_float(in.s[i][l]);
            if (inst->neg_hi >> i & 1)
               v[i] = fabsf(v[i]);
            if (inst->neg >> i & 1)
               v[i] = -v[i];
         }
         float r = fmaf(v[0], v[1], v[2]);
         if (inst->clamp)
            r = r > 0.0f ? (r < 1.0f ? r : 1.0f) : 0.0f;
         out[l] = inst->op == AMD_OP_v_fma_mix_f32 ? as_bits(r) : inst->op == AMD_OP_v_fma_mixlo_f16
                  ? (dst[l] & 0xffff0000u) | f2h(r) : (dst[l] & 0xffff) | f2h(r) << 16;
      }
   } else if (inst->op >= AMD_OP_v_pk_mad_i16 && inst->op <= AMD_OP_v_pk_max_f16) {
      bool is_float = inst->op >= AMD_OP_v_pk_fma_f16;
      for (unsigned l = 0; l < w->size; l++) {
         uint32_t half[2];
         for (unsigned h = 0; h < 2; h++)
            half[h] = packed_op(inst, packed_half(inst, in.s[0][l], 0, h, is_float), packed_half(inst, in.s[1][l], 1, h, is_float),
                                packed_half(inst, in.s[2][l], 2, h, is_float));
         out[l] = half[0] | half[1] << 16;
      }
   } else {
      return false;
   }
   struct amd_inst plain = *inst;
   plain.clamp = false;
   write_result(w, &plain, AMD_TYPE_B32, out, in.write);
   return true;
}

static bool
interpolate(struct wave *w, const struct amd_inst *inst)
{
   const struct amd_wave_params *p = &w->params;
   uint32_t out[LANES];
   if (!p->data || inst->attr >= p->attr_count)
      return standin_fault(w, SIM_FAULT_INSTRUCTION, sim_va(0), "interpolation of an attribute that is not there");
   const uint32_t *in = amd_is_vgpr(inst->src[0]) ? w->vgpr[inst->src[0] - AMD_VGPR0] : NULL;
   const uint32_t *old = w->vgpr[inst->dst - AMD_VGPR0];
   for (unsigned l = 0; l < w->size; l++) {
      const float *v = &p->data[((p->quad_prim[l / 4] * p->attr_count + inst->attr) * 4u + inst->chan) * 3];
      switch ((int)inst->op) {
      case AMD_OP_v_interp_p1_f32: out[l] = as_bits(fmaf(v[1], as_float(in[l]), v[0])); break;
      case AMD_OP_v_interp_p2_f32: out[l] = as_bits(fmaf(v[2], as_float(in[l]), as_float(old[l]))); break;
      default: memcpy(&out[l], &v[inst->simm16 == 2 ? 0 : inst->simm16 + 1], 4); break;
      }
   }
   write_result(w, inst, AMD_TYPE_F32, out, wave_exec(w));
   return true;
}

static bool
export(struct wave *w, const struct amd_inst *inst)
{
   if (dynarray_count(w->exports, struct amd_wave_export) >= AMD_WAVE_MAX_EXPORTS)
      return standin_fault(w, SIM_FAULT_INSTRUCTION, sim_va(0), "too many exports");
   struct amd_wave_export *e = dynarray_grow(w->exports, sizeof(*e));
   *e = (struct amd_wave_export){.target = inst->exp_target, .en = inst->exp_en, .compr = inst->exp_compr, .done = inst->exp_done,
                                 .vm = inst->exp_vm, .exec = wave_exec(w)};
   for (unsigned i = 0; i < (inst->exp_compr ? 2 : 4); i++) {
      if (amd_is_vgpr(inst->src[i]))
         memcpy(e->value[i], w->vgpr[inst->src[i] - AMD_VGPR0], sizeof(e->value[i]));
   }
   return true;
}

bool
standin_vector(struct wave *w, const struct amd_inst *inst)
{
   if (inst->enc == AMD_ENC_EXP)
      return export(w, inst);
   if (inst->enc == AMD_ENC_VINTRP)
      return interpolate(w, inst);
   if (inst->enc == AMD_ENC_VOP3P)
      return vop3p(w, inst);
   const struct compare_info *compare = &compares[inst->op];
   if (compare->valid)
      return run_compare(w, inst, compare);
   const struct amd_op_info *info = amd_isa_op_info((enum amd_op)inst->op);
   bool wide = info->dst.size_dw == 2 && info->dst.cls != AMD_CLASS_MASK;
   for (unsigned i = 0; i < info->src_count; i++)
      wide |= info->src[i].size_dw == 2 && info->src[i].cls != AMD_CLASS_MASK;
   if (wide)
      return wide_ops(w, inst);
   return lane_ops(w, inst) || (w->fault->kind == SIM_FAULT_NONE && arithmetic(w, inst));
}
