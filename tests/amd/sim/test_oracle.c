/* Every vector and scalar operation of every generation: random operands through the wave interpreter, and what the
 * rows of oracle_vector.c and oracle_scalar.c make of them. What has no row stands in `left_out`, with the reason. */
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/sim/report.h"
#include "amd/sim/wave/wave.h"
#include "amd/sim/wave/wave_state.h"
#include "oracle.h"
#include "report_to.h"
#include "sim/waves/pool.h"

#define CODE_VA 0x100000000ull

enum {
   LANES = 64,
   REPEATS = 3,
   SCALAR_REPEATS = 24,
   KEEPS_ALL = 0xf0, /* denormals */
   OPERAND = 2,
   RESULT = 8,
   S_RESULT = 20,
   S_MASK = 22,
   S_OPERAND = 30
};

#define VECTOR_ENCS                                                                                                  \
   (1u << AMD_ENC_VOP1 | 1u << AMD_ENC_VOP2 | 1u << AMD_ENC_VOPC | 1u << AMD_ENC_VOP3 | 1u << AMD_ENC_VOP3P)
#define SCALAR_ENCS (1u << AMD_ENC_SOP1 | 1u << AMD_ENC_SOP2 | 1u << AMD_ENC_SOPK | 1u << AMD_ENC_SOPC)

static const struct {
   const char *names; /* of operations, or how several begin */
   const char *why;
} left_out[] = {
   {"v_nop v_pipeflush v_clrexcp", "no result"},
   {"v_readfirstlane v_readlane v_writelane v_permlane", "between lanes: test_ops.c, waves/"},
   {"v_movrel v_swap s_movrel s_set_gpr", "between registers: test_ops.c, waves/"},
   {"v_interp", "test_interp.c"},
   {"v_wmma", "between lanes: waves/gfx11_wmma*.wave"},
   {"v_div_scale v_div_fmas", "test_divide.c"},
   {"v_dot2_bf16_bf16", "waves/gfx11_bf16.wave"},
   {"v_fma_mixhi_f16 v_mad_mixhi_f16 v_cvt_pkaccum v_cvt_pk_u8_f32", "into a part of the old result: test_ops.c"},
   {"s_getpc s_setpc s_swappc s_call s_subvector s_getreg s_setreg s_waitcnt s_version s_sendmsg",
    "of the wave: test_jumps.c, waves/"},
};

static const char *const unmodelled[] = {
   "v_trig_preop", "v_qsad", "v_mqsad", "v_screen_partition", "s_rfe", "s_cbranch_", "s_setvskip",
};

struct rig {
   const struct amd_chip *chip;
   struct sim_vm *vm;
   uint32_t *code;
   struct sim_pool *pool;
   struct amd_wave_engine *engine;
   /* Of the run */
   uint64_t operand[4][LANES]; /* the fourth: the result's register before */
   uint64_t mask, exec;
   uint32_t literal;
   uint8_t mode; /* FLOAT_MODE */
   bool scalar;
   bool to_zero; /* what MODE rounds the result to */
   bool mild;    /* numbers are around 1 */
   bool small;   /* numbers may be denormal, or have denormal results */
   bool halves;  /* sources of v_fma_mix and v_mad_mix */
   uint64_t result[LANES], bits, end_exec;
   bool scc;
};

static struct amd_report counts; /* of a chip */
static uint64_t seed = 5;

static uint32_t
rnd(void)
{
   seed = seed * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(seed >> 32);
}

static void
start(void *user, uint32_t group, uint32_t wave, uint32_t scratch, struct amd_wave_start *s)
{
   const struct rig *rig = user;
   s->exec = rig->exec;
   s->sgpr_count = 40;
   s->vgpr_count = 12;
   s->sgpr[S_MASK] = (uint32_t)rig->mask;
   s->sgpr[S_MASK + 1] = (uint32_t)(rig->mask >> 32);
   for (unsigned i = 0; i < 4; i++) {
      s->sgpr[S_OPERAND + 2 * i] = (uint32_t)rig->operand[i][0];
      s->sgpr[S_OPERAND + 2 * i + 1] = (uint32_t)(rig->operand[i][0] >> 32);
      for (unsigned l = 0; l < LANES; l++) {
         s->vgpr[OPERAND + 2 * i][l] = (uint32_t)rig->operand[i][l];
         s->vgpr[OPERAND + 2 * i + 1][l] = (uint32_t)(rig->operand[i][l] >> 32);
      }
   }
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   struct rig *rig = user;
   unsigned first = rig->scalar ? S_OPERAND + 6 : AMD_VGPR0 + RESULT;
   for (unsigned l = 0; l < LANES; l++)
      rig->result[l] = state_read(result->state, first, l) | (uint64_t)state_read(result->state, first + 1, l) << 32;
   rig->bits = state_read(result->state, S_RESULT, 0) | (uint64_t)state_read(result->state, S_RESULT + 1, 0) << 32;
   rig->end_exec = state_exec(result->state);
   rig->scc = state_read(result->state, AMD_SCC, 0);
}

/* ---- operands ---- */

static const uint32_t corners[] = {0, 1, 2, 31, 32, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};

static uint64_t
any_bits(void)
{
   uint64_t v = rnd() | (uint64_t)rnd() << 32, low = corners[rnd() % ARRAY_SIZE(corners)];
   switch (rnd() % 4) {
   case 0:
      return low | (uint64_t)corners[rnd() % ARRAY_SIZE(corners)] << 32;
   case 1:
      return v >> rnd() % 63;
   default:
      return v;
   }
}

static double
mild(void)
{
   return ldexp(((int)(rnd() % 0x7ffffe) - 0x3fffff) / 4194304.0, (int)(rnd() % 5) - 1);
}

/* Of any size that the format has, denormals among them. */
static uint64_t
any_small(enum amd_type type)
{
   const double v = rnd() % 4 ? mild() : rnd() & 1 ? 0.0 : -0.0;
   const unsigned kind = rnd() % 4;
   if (type == AMD_TYPE_F64)
      return bits64(kind ? ldexp(v, (int)(rnd() % 2100) - 1078) : ldexp(v, -1024 - (int)(rnd() % 50)));
   if (type == AMD_TYPE_F32)
      return bits32((float)ldexp(v, kind ? (int)(rnd() % 270) - 150 : -128 - (int)(rnd() % 22)));
   return bits16(ldexp(v, kind ? (int)(rnd() % 40) - 26 : -16 - (int)(rnd() % 9)));
}

static uint64_t
any_float(enum amd_type type, bool special)
{
   static const double specials[] = {0,    -0.0,  1,      -1,   INFINITY, -INFINITY, NAN,      0.5,
                                     -2.5, 65504, -65504, 1e30, -1e30,    0x1p-24,   -0x1p-140};
   double v = special && rnd() % 4 == 0 ? specials[rnd() % ARRAY_SIZE(specials)] : mild();
   if (type == AMD_TYPE_F64)
      return bits64(v);
   if (type == AMD_TYPE_F32)
      return bits32((float)v) | (uint64_t)rnd() << 32;
   uint64_t high = bits16(special && rnd() % 4 == 0 ? specials[rnd() % ARRAY_SIZE(specials)] : mild());
   return bits16(v) | high << 16;
}

static uint64_t
any_operand(const struct rig *rig, const struct oracle_row *row, enum amd_type type)
{
   bool is_float = type == AMD_TYPE_F16 || type == AMD_TYPE_F32 || type == AMD_TYPE_F64 || type == AMD_TYPE_V2F16;
   if (rig->halves && type == AMD_TYPE_F32)
      type = AMD_TYPE_F16;
   if (is_float && rig->mild)
      return any_float(type, false);
   if (is_float && rig->small && rnd() % 2)
      return any_small(type) | (type == AMD_TYPE_V2F16 ? any_small(type) << 16 : 0);
   if (row->input == ORACLE_BITS || (!is_float && rnd() % 2))
      return any_bits();
   return is_float ? any_float(type, row->input == ORACLE_FLOATS) : rnd() % 80 - 40;
}

/* ---- programs ---- */

static void
append(struct rig *rig, unsigned *count, struct amd_inst inst)
{
   unsigned size;
   if (!inst.enc || inst.enc == AMD_ENC_NONE)
      inst.enc = (uint8_t)amd_isa_pick_encoding(rig->chip->gen, &inst);
   if (!amd_isa_encode(rig->chip->gen, &inst, rig->code + *count, &size))
      fail_msg("%s: %s has no encoding", rig->chip->name, amd_isa_op_name((enum amd_op)inst.op));
   *count += size;
}

static struct amd_inst
make(const struct rig *rig, enum amd_op op, const struct amd_op_info *info)
{
   bool packed = info->encs & 1u << AMD_ENC_VOP3P;
   struct amd_inst in = amd_inst_init(op, packed ? AMD_ENC_VOP3P : AMD_ENC_NONE);
   for (unsigned i = 0; i < 3; i++) {
      unsigned cls = info->src[i].cls;
      if (cls)
         in.src[i] = cls == AMD_CLASS_MASK      ? amd_sgpr(S_MASK)
                     : cls == AMD_CLASS_LITERAL ? AMD_LITERAL
                     : rig->scalar              ? amd_sgpr(S_OPERAND + 2 * i)
                                                : amd_vgpr(OPERAND + 2 * i);
   }
   in.literal = rig->literal;
   if (rig->halves)
      in.op_sel_hi = 7;
   if (info->sdst.cls)
      in.sdst = amd_sgpr(S_RESULT);
   if (info->dst.cls)
      in.dst = info->dst.cls == AMD_CLASS_MASK ? amd_sgpr(S_RESULT)
               : rig->scalar                   ? amd_sgpr(S_OPERAND + 6)
                                               : amd_vgpr(RESULT);
   return in;
}

/* False: a fault, which *fault tells. */
static bool
run_instruction(struct rig *rig, struct amd_inst in, bool scc, struct sim_fault *fault)
{
   unsigned count = 0;
   struct amd_inst compare = amd_inst_init(AMD_OP_s_cmp_eq_u32, AMD_ENC_SOPC);
   compare.src[0] = amd_inline_int(1);
   compare.src[1] = amd_inline_int(scc);
   append(rig, &count, compare);
   append(rig, &count, in);
   append(rig, &count, amd_inst_init(AMD_OP_s_nop, AMD_ENC_SOPP));
   append(rig, &count, amd_inst_init(AMD_OP_s_endpgm, AMD_ENC_SOPP));
   const struct amd_wave_launch launch = {.stage = AMD_STAGE_CS,
                                          .name = "oracle",
                                          .vm = rig->vm,
                                          .program = sim_va(CODE_VA),
                                          .wave_size = LANES,
                                          .float_mode = rig->mode,
                                          .vgpr_count = 24,
                                          .waves_per_group = 1,
                                          .group_count = 1,
                                          .chip = rig->chip,
                                          .user = rig,
                                          .start = start,
                                          .retire = retire};
   return amd_wave_run(rig->engine, &launch, fault);
}

/* ---- results ---- */

static double
number_of(enum amd_type type, uint64_t bits)
{
   return type == AMD_TYPE_F64 ? f64(bits) : type == AMD_TYPE_F32 ? f32(bits) : f16(bits);
}

static bool
is_near(enum amd_type type, uint64_t got, uint64_t want, double ulps, double slack)
{
   const int digits = type == AMD_TYPE_F64 ? 53 : type == AMD_TYPE_F32 ? 24 : 11;
   const int smallest = type == AMD_TYPE_F64 ? -1074 : type == AMD_TYPE_F32 ? -149 : -24;
   double x = number_of(type, got), y = number_of(type, want);
   int e;
   if (got == want || (isnan(x) && isnan(y)))
      return true;
   if (!isfinite(x) || !isfinite(y) || (ulps == 0 && slack == 0))
      return false;
   frexp(y, &e);
   return fabs(x - y) <= ulps * ldexp(1, MAX2(e - digits, smallest)) + slack;
}

static bool
agrees(const struct rig *rig, const struct amd_op_info *info, const struct oracle_row *row, uint64_t got,
       const struct oracle_out *out, uint64_t old)
{
   enum amd_type type = (enum amd_type)info->dst.type;
   bool half = type >= AMD_TYPE_B16 && type <= AMD_TYPE_U16;
   uint64_t width = half ? 0xffff : info->dst.size_dw == 2 ? ~0ull : 0xffffffff;
   /* Halves keep the upper one, but on GFX9 (waves/gfx9_sdwa_halves.wave) and in scalar registers. */
   if (half && !rig->scalar && rig->chip->gen != AMD_GFX9 && (got ^ old) & 0xffff0000)
      return false;
   got &= width;
   switch ((int)type) {
   case AMD_TYPE_F16:
   case AMD_TYPE_F32:
   case AMD_TYPE_F64:
      return is_near(type, got, out->value & width, row->ulps, out->slack);
   case AMD_TYPE_V2F16:
      return is_near(AMD_TYPE_F16, got & 0xffff, out->value & 0xffff, row->ulps, out->slack) &&
             is_near(AMD_TYPE_F16, got >> 16, out->value >> 16, row->ulps, out->slack);
   default: /* others: bits */
      return got == (out->value & width);
   }
}

/* A source as the operation's row gets it. */
static uint64_t
source_of(const struct rig *rig, const struct oracle_row *row, const struct amd_operand_info *info, uint64_t bits)
{
   const bool halves = rig->halves && info->type == AMD_TYPE_F32, high = row->op == AMD_OP_s_cvt_hi_f32_f16;
   const enum amd_type type = halves ? AMD_TYPE_F16 : high ? AMD_TYPE_V2F16 : (enum amd_type)info->type;
   bits &= info->size_dw == 2 ? ~0ull : 0xffffffff;
   bits = oracle_flush(row->op, type, bits, rig->mode, ORACLE_SOURCE);
   return halves ? bits32((float)f16(bits)) : bits;
}

static void
flush_result(const struct rig *rig, const struct oracle_row *row, const struct amd_op_info *info,
             struct oracle_out *out)
{
   const bool two = row->op == AMD_OP_v_cvt_pkrtz_f16_f32 || row->op == AMD_OP_s_cvt_pk_rtz_f16_f32;
   const enum amd_type type = two ? AMD_TYPE_V2F16 : (enum amd_type)info->dst.type;
   out->value = oracle_flush(row->op, type, out->value, rig->mode, ORACLE_RESULT);
}

static void
make_operands(struct rig *rig, const struct oracle_row *row, const struct amd_op_info *info)
{
   rig->mask = rnd() | (uint64_t)rnd() << 32;
   rig->literal = (uint32_t)any_float(info->dst.type == AMD_TYPE_F16 ? AMD_TYPE_F16 : AMD_TYPE_F32, false);
   rig->literal &= info->dst.type == AMD_TYPE_F16 ? 0xffff : UINT32_MAX;
   for (unsigned i = 0; i < 4; i++)
      for (unsigned l = 0; l < LANES; l++)
         rig->operand[i][l] = i == 3 ? any_operand(rig, row, (enum amd_type)info->dst.type)
                                     : any_operand(rig, row, (enum amd_type)info->src[i].type);
}

static void
run_rounded(const struct rig *rig, const struct oracle_row *row, const struct oracle_in *in, struct oracle_out *out)
{
   fesetround(rig->to_zero ? FE_TOWARDZERO : FE_TONEAREST);
   row->run(in, out);
   fesetround(FE_TONEAREST);
}

/* What the row makes of a lane. */
static struct oracle_in
run_row(const struct rig *rig, const struct oracle_row *row, const struct amd_op_info *info, unsigned lane,
        struct oracle_out *out)
{
   struct oracle_in in = {.lane = lane, .bit = rig->mask >> lane & 1};
   uint64_t *const to[3] = {&in.a, &in.b, &in.c};
   for (unsigned i = 0; i < 3; i++)
      *to[i] = source_of(rig, row, &info->src[i],
                         info->src[i].cls == AMD_CLASS_LITERAL ? rig->literal : rig->operand[i][lane]);
   in.old = info->dst.size_dw < 2 ? rig->operand[3][lane] & 0xffffffff : rig->operand[3][lane];
   in.old = oracle_flush(row->op, (enum amd_type)info->dst.type, in.old, rig->mode, ORACLE_SOURCE);
   *out = (struct oracle_out){0};
   run_rounded(rig, row, &in, out);
   flush_result(rig, row, info, out);
   return in;
}

static unsigned
check_vector(struct rig *rig, const struct oracle_row *row, const struct amd_op_info *info)
{
   const struct sim_fault none = {0};
   unsigned wrong = 0;
   for (unsigned n = 0; n < (rig->small ? 1 : REPEATS); n++) {
      struct sim_fault fault = none;
      rig->exec = n || rig->small ? rnd() | (uint64_t)rnd() << 32 | 1 : UINT64_MAX;
      make_operands(rig, row, info);
      /* RESULT lies where the fourth operand does. */
      if (!run_instruction(rig, make(rig, row->op, info), false, &fault))
         fail_msg("%s: %s", rig->chip->name, fault.message);
      uint64_t bits = 0;
      bool has_bits = info->dst.cls == AMD_CLASS_MASK || info->sdst.cls || info->flags & AMD_FLAG_WRITES_EXEC;
      for (unsigned l = 0; l < LANES; l++) {
         struct oracle_out out;
         const struct oracle_in in = run_row(rig, row, info, l, &out);
         bool on = rig->exec >> l & 1, in_lane = info->dst.cls == AMD_CLASS_VGPR;
         bits |= (uint64_t)(on && out.bit) << l;
         bool right = !in_lane || (on ? agrees(rig, info, row, rig->result[l], &out, rig->operand[3][l])
                                      : rig->result[l] == rig->operand[3][l]);
         if (!right && !wrong++)
            printf("%s: %s(%#lx, %#lx, %#lx; %#lx), MODE %#x%s: %#lx instead of %#lx\n", rig->chip->name,
                   amd_isa_op_name(row->op), (long)in.a, (long)in.b, (long)in.c, (long)in.old, rig->mode,
                   rig->halves ? ", halves" : "", (long)rig->result[l], (long)out.value);
      }
      uint64_t got = info->flags & AMD_FLAG_WRITES_EXEC ? rig->end_exec : rig->bits;
      if (has_bits && got != bits && !wrong++)
         printf("%s: %s, MODE %#x: lanes %#lx instead of %#lx\n", rig->chip->name, amd_isa_op_name(row->op),
                rig->mode, (long)got, (long)bits);
   }
   return wrong;
}

static unsigned
check_scalar(struct rig *rig, const struct oracle_row *row, const struct amd_op_info *info)
{
   const struct sim_fault none = {0};
   unsigned wrong = 0;
   bool with_immediate = info->encs & 1u << AMD_ENC_SOPK;
   for (unsigned n = 0; n < (rig->small ? SCALAR_REPEATS / 3 : SCALAR_REPEATS); n++) {
      struct sim_fault fault = none;
      bool scc = rnd() & 1;
      rig->exec = rnd() | (uint64_t)rnd() << 32 | 1;
      rig->literal = (uint32_t)bits32((float)mild());
      for (unsigned i = 0; i < 4; i++)
         rig->operand[i][0] = i == 3 ? any_operand(rig, row, (enum amd_type)info->dst.type)
                                     : any_operand(rig, row, (enum amd_type)info->src[i].type);
      if (rnd() % 8 == 0)
         rig->operand[1][0] = rig->operand[0][0];
      struct amd_inst in = make(rig, row->op, info);
      in.simm16 = (uint16_t)any_bits();
      struct oracle_in given = {.bit = scc, .exec = rig->exec, .old = rig->operand[3][0]};
      uint64_t *const to[3] = {&given.a, &given.b, &given.c};
      for (unsigned i = 0; i < 3; i++)
         *to[i] = source_of(rig, row, &info->src[i],
                            info->src[i].cls == AMD_CLASS_LITERAL ? rig->literal : rig->operand[i][0]);
      if (info->dst.size_dw < 2)
         given.old &= 0xffffffff;
      given.old = oracle_flush(row->op, (enum amd_type)info->dst.type, given.old, rig->mode, ORACLE_SOURCE);
      if (with_immediate) {
         given.a = info->dst.cls ? given.old : given.a;
         given.b = in.simm16;
      } else {
         in.simm16 = 0;
      }
      if (!run_instruction(rig, in, scc, &fault))
         fail_msg("%s: %s", rig->chip->name, fault.message);
      struct oracle_out out = {.exec = rig->exec, .bit = scc};
      run_rounded(rig, row, &given, &out);
      flush_result(rig, row, info, &out);
      bool equal = given.a == given.b, ties = row->op == AMD_OP_s_max_i32 || row->op == AMD_OP_s_max_u32 ||
                                              row->op == AMD_OP_s_min_i32 || row->op == AMD_OP_s_min_u32;
      bool right =
         (!info->dst.cls || agrees(rig, info, row, rig->result[0], &out, given.old)) && rig->end_exec == out.exec;
      if (info->flags & AMD_FLAG_WRITES_SCC)
         right &= (ties && equal) || rig->scc == out.bit;
      else
         right &= rig->scc == scc;
      if (!right && !wrong++)
         printf(
            "%s: %s(%#lx, %#lx, %#lx; %#lx, SCC %d), MODE %#x: %#lx, SCC %d, EXEC %#lx instead of %#lx, %d, %#lx\n",
            rig->chip->name, amd_isa_op_name(row->op), (long)given.a, (long)given.b, (long)given.c, (long)given.old,
            scc, rig->mode, (long)rig->result[0], rig->scc, (long)rig->end_exec, (long)out.value, out.bit,
            (long)out.exec);
   }
   return wrong;
}

/* ---- all of a generation ---- */

static const struct oracle_row *
find_row(const struct oracle_row *rows, unsigned count, enum amd_op op)
{
   for (unsigned i = 0; i < count; i++)
      if (rows[i].op == op)
         return &rows[i];
   return NULL;
}

static bool
is_left_out(const char *name)
{
   for (unsigned i = 0; i < ARRAY_SIZE(left_out); i++)
      for (const char *at = left_out[i].names; *at; at += strcspn(at, " "), at += *at == ' ')
         if (!strncmp(name, at, strcspn(at, " ")))
            return true;
   return false;
}

static bool
is_unmodelled(const char *name)
{
   for (unsigned i = 0; i < ARRAY_SIZE(unmodelled); i++)
      if (!strncmp(name, unmodelled[i], strlen(unmodelled[i])))
         return true;
   return false;
}

static void
open_rig(struct rig *rig, const char *chip)
{
   *rig = (struct rig){.chip = amd_chip_by_name(chip), .vm = sim_vm_create(), .code = aligned_alloc(4096, 4096)};
   memset(rig->code, 0, 4096);
   assert_true(sim_vm_map(rig->vm, sim_va(CODE_VA), 4096, rig->code, SIM_READ | SIM_EXECUTE));
   rig->pool = sim_pool_create(1);
   rig->engine = amd_wave_engine_create(rig->pool);
   counts = (struct amd_report){0};
   amd_wave_engine_set_report(rig->engine, &counts);
}

static void
close_rig(struct rig *rig)
{
   FILE *out = report_to();
   if (out) {
      amd_report_write(&counts, rig->chip, out);
      fclose(out);
   }
   amd_wave_engine_destroy(rig->engine);
   sim_pool_destroy(rig->pool);
   sim_vm_destroy(rig->vm);
   free(rig->code);
}

static bool
has_floats(const struct amd_op_info *info)
{
   const unsigned types[] = {info->dst.type, info->src[0].type, info->src[1].type, info->src[2].type};
   for (unsigned i = 0; i < ARRAY_SIZE(types); i++)
      if (types[i] == AMD_TYPE_F16 || types[i] == AMD_TYPE_F32 || types[i] == AMD_TYPE_F64 ||
          types[i] == AMD_TYPE_V2F16)
         return true;
   return false;
}

static bool
is_mix(const struct amd_op_info *info, enum amd_op op)
{
   return info->encs & 1u << AMD_ENC_VOP3P && strstr(amd_isa_op_name(op), "_mix");
}

/* Results that are rounded once, towards zero: the row's arithmetic does so, too. */
static unsigned
check_rounding(struct rig *rig, const struct oracle_row *row, const struct amd_op_info *info)
{
   const bool is_single = info->dst.type == AMD_TYPE_F32;
   const bool is_float = is_single || info->dst.type == AMD_TYPE_F16 || info->dst.type == AMD_TYPE_F64 ||
                         info->dst.type == AMD_TYPE_V2F16;
   unsigned wrong = 0;
   if (!is_float || row->ulps > 0 || row->input == ORACLE_BITS || is_mix(info, row->op))
      return 0;
   rig->mild = true;
   for (unsigned i = 0; i < 2; i++) {
      rig->mode = KEEPS_ALL | (i ? 3 : 12);
      rig->to_zero = is_single == (bool)i;
      wrong += rig->scalar ? check_scalar(rig, row, info) : check_vector(rig, row, info);
   }
   rig->mild = rig->to_zero = false;
   return wrong;
}

/* In modes that flush sources, results or both, of single precision or of the others. */
static unsigned
check_row(struct rig *rig, const struct oracle_row *row, const struct amd_op_info *info)
{
   static const uint8_t modes[] = {KEEPS_ALL, 0xe0, 0xd0, 0xc0, 0xb0, 0x70, 0x30, 0x00};
   unsigned wrong = 0;
   rig->mode = KEEPS_ALL;
   rig->small = rig->halves = false;
   wrong += rig->scalar ? check_scalar(rig, row, info) : check_vector(rig, row, info);
   const bool follows = has_floats(info) && oracle_denormals(row->op) != ORACLE_UNKNOWN;
   rig->small = true;
   for (unsigned m = 0; m < ARRAY_SIZE(modes) && follows; m++) {
      rig->mode = modes[m];
      wrong += rig->scalar ? check_scalar(rig, row, info) : check_vector(rig, row, info);
      rig->halves = is_mix(info, row->op);
      wrong += rig->halves ? check_vector(rig, row, info) : 0;
      rig->halves = false;
   }
   rig->small = false;
   return wrong + check_rounding(rig, row, info);
}

static void
check_generation(const char *chip)
{
   struct rig rig;
   unsigned wrong = 0, ran = 0;
   open_rig(&rig, chip);
   for (enum amd_op op = 0; op < AMD_OP_COUNT; op++) {
      const struct amd_op_info *info = amd_isa_op_info(rig.chip->gen, op);
      const char *name = amd_isa_op_name(op);
      if (!(info->encs & (VECTOR_ENCS | SCALAR_ENCS)))
         continue;
      rig.scalar = info->encs & SCALAR_ENCS;
      const struct oracle_row *row = rig.scalar ? find_row(oracle_scalar_rows, oracle_num_scalar_rows, op)
                                                : find_row(oracle_vector_rows, oracle_num_vector_rows, op);
      if (!row && (is_left_out(name) || is_unmodelled(name)))
         continue;
      if (!row) {
         printf("%s: %s has no row\n", chip, name);
         wrong++;
         continue;
      }
      ran++;
      wrong += check_row(&rig, row, info);
   }
   close_rig(&rig);
   printf("%s: %u operations\n", chip, ran);
   assert_int_equal(wrong, 0);
   assert_true(ran > 400);
}

#define CHIP(name)                                                                                                   \
   static void name(void **state)                                                                                    \
   {                                                                                                                 \
      check_generation(#name);                                                                                       \
   }
CHIP(vega10)
CHIP(navi10)
CHIP(navi21)
CHIP(navi31)
CHIP(gfx1150)

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(vega10), cmocka_unit_test(navi10), cmocka_unit_test(navi21),
                                      cmocka_unit_test(navi31), cmocka_unit_test(gfx1150)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
