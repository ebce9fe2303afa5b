/* Programs that are run so often that they are compiled, against the same in the interpreter alone: random loops of
 * arithmetic, branches and comparisons under part of the lanes, in all modes for floats, with loads whose wait is
 * sometimes missing, VGPRs that are not there, budgets that end within, and code that is replaced between launches.
 * Memory, registers, numbers of instructions, faults and timelines must be the same under every schedule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/sim/wave/jit.h"
#include "amd/sim/wave/wave.h"
#include "amd/sim/wave/wave_private.h"
#include "sim/waves/pool.h"
#include "sim/waves/trace.h"
#include "chance.h"
#include "choices.h"
#include "text_program.h"
#include "../../util/share.h"
#include "util/macros.h"

#define CODE_VA 0x100000000ull
#define DATA_VA 0x200000000ull

enum {
   GROUPS = 6,
   WAVES = 2,
   LAUNCHES = 3,
   VGPRS = 24,
   DATA_B = 4096,
   CODE_B = 4096,
   VERSIONS = 2,
   TRACE_B = 1 << 18
};

/* What a program is run with. */
struct setup {
   const struct amd_chip *chip;
   uint64_t seed;
   bool wave64, replaced, traced;
   uint32_t mode;
   uint64_t budget;
   struct sim_schedule schedule;
   uint8_t code[VERSIONS][CODE_B];
};

struct outcome {
   uint8_t memory[DATA_B];
   uint64_t instructions[LAUNCHES][GROUPS][WAVES], hash[LAUNCHES][GROUPS][WAVES];
   struct sim_fault fault;
   bool compiled;
   size_t trace_B;
   char trace[TRACE_B];
};

/* Of a launch. */
struct run {
   struct outcome *outcome;
   const struct setup *setup;
   unsigned launch;
};

/* ---- waves ---- */

/* Numbers that are NaN, infinite, denormal or zero come often. */
static uint32_t
number(uint64_t random)
{
   static const uint32_t special[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00001, 0xffc12345,
                                      0x7f812345, 0x00000001, 0x807fffff, 0x3f800000, 0xbf800000, 0x4f000000,
                                      0xcf000000, 0x4f800000, 0x7f7fffff, 0x00800000};
   const uint32_t bits = (uint32_t)(random >> 16);
   switch (random % 4) {
   case 0:
      return special[bits % ARRAY_SIZE(special)] + (bits >> 8) % 3;
   case 1:
      return bits;
   case 2:
      return 0x3f000000 + bits % 0x02000000;
   default:
      return bits % 1000;
   }
}

/* s[0:1]: memory, s2: the group, s3: the wave, s[4:15]: numbers, v0: offsets of words there, v1 on: numbers. */
static void
start(void *user, uint32_t group, uint32_t wave, uint32_t slot, struct amd_wave_start *s)
{
   const struct setup *setup = ((const struct run *)user)->setup;
   const uint64_t random = sim_schedule_random(setup->seed, group, 1000 + wave);
   s->exec = group % 3 ? UINT64_MAX : random | 1;
   s->sgpr[0] = (uint32_t)DATA_VA;
   s->sgpr[1] = (uint32_t)(DATA_VA >> 32);
   s->sgpr[2] = group;
   s->sgpr[3] = wave;
   for (unsigned i = 4; i < 16; i++)
      s->sgpr[i] = number(sim_schedule_random(setup->seed, group, 2000 + i));
   s->sgpr_count = 16;
   s->vgpr_count = VGPRS;
   for (unsigned l = 0; l < 64; l++) {
      s->vgpr[0][l] = 4 * ((group * WAVES + wave) * 64 + l) % DATA_B;
      for (unsigned v = 1; v < VGPRS; v++)
         s->vgpr[v][l] = number(sim_schedule_random(setup->seed, group * 64 + l, v));
   }
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   const struct run *run = user;
   run->outcome->instructions[run->launch][group][wave] = result->instructions;
   run->outcome->hash[run->launch][group][wave] = state_hash(result->state);
}

/* ---- programs ---- */

struct text {
   char words[8192];
   size_t used;
   enum amd_gen gen;
   bool wave64;
   unsigned labels;
};

static void __attribute__((format(printf, 2, 3)))
line(struct text *t, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   t->used += (size_t)vsnprintf(t->words + t->used, sizeof(t->words) - t->used, format, args);
   va_end(args);
}

/* names: up to GFX9, of GFX10, from GFX11 on; NULL: not there. */
struct operation {
   const char *names[3];
   unsigned sources;
   enum { WORDS, FLOATS, SCALED } type; /* FLOATS: neg and abs; SCALED: clamp and omod, too */
};
#define SAME(name) {name, name, name}

static const struct operation vectors[] = {
   {SAME("v_mov_b32"), 1, WORDS},
   {SAME("v_add_f32"), 2, SCALED},
   {SAME("v_sub_f32"), 2, SCALED},
   {SAME("v_subrev_f32"), 2, SCALED},
   {SAME("v_mul_f32"), 2, SCALED},
   {SAME("v_fma_f32"), 3, SCALED},
   {{NULL, "v_fmac_f32", "v_fmac_f32"}, 2, SCALED},
   {SAME("v_min_f32"), 2, SCALED},
   {SAME("v_max_f32"), 2, SCALED},
   {SAME("v_trunc_f32"), 1, FLOATS},
   {SAME("v_ceil_f32"), 1, FLOATS},
   {SAME("v_floor_f32"), 1, SCALED},
   {SAME("v_rndne_f32"), 1, FLOATS},
   {SAME("v_fract_f32"), 1, SCALED},
   {SAME("v_rcp_f32"), 1, SCALED},
   {SAME("v_sqrt_f32"), 1, SCALED},
   {SAME("v_exp_f32"), 1, SCALED},
   {SAME("v_med3_f32"), 3, SCALED},
   {SAME("v_min3_f32"), 3, FLOATS},
   {SAME("v_max3_f32"), 3, FLOATS},
   {SAME("v_med3_i32"), 3, WORDS},
   {SAME("v_med3_u32"), 3, WORDS},
   {SAME("v_min3_i32"), 3, WORDS},
   {SAME("v_max3_u32"), 3, WORDS},
   {SAME("v_rsq_f32"), 1, SCALED},
   {{"v_cvt_pkrtz_f16_f32", "v_cvt_pkrtz_f16_f32", "v_cvt_pk_rtz_f16_f32"}, 2, FLOATS},
   {{"v_add_u32", "v_add_nc_u32", "v_add_nc_u32"}, 2, WORDS},
   {{"v_sub_u32", "v_sub_nc_u32", "v_sub_nc_u32"}, 2, WORDS},
   {{"v_subrev_u32", "v_subrev_nc_u32", "v_subrev_nc_u32"}, 2, WORDS},
   {SAME("v_mul_lo_u32"), 2, WORDS},
   {SAME("v_mul_hi_u32"), 2, WORDS},
   {SAME("v_mul_hi_i32"), 2, WORDS},
   {SAME("v_mul_u32_u24"), 2, WORDS},
   {SAME("v_mul_i32_i24"), 2, WORDS},
   {SAME("v_mad_u32_u24"), 3, WORDS},
   {SAME("v_mad_i32_i24"), 3, WORDS},
   {SAME("v_min_i32"), 2, WORDS},
   {SAME("v_max_i32"), 2, WORDS},
   {SAME("v_min_u32"), 2, WORDS},
   {SAME("v_max_u32"), 2, WORDS},
   {SAME("v_lshlrev_b32"), 2, WORDS},
   {SAME("v_lshrrev_b32"), 2, WORDS},
   {SAME("v_ashrrev_i32"), 2, WORDS},
   {SAME("v_and_b32"), 2, WORDS},
   {SAME("v_or_b32"), 2, WORDS},
   {SAME("v_xor_b32"), 2, WORDS},
   {{NULL, "v_xnor_b32", "v_xnor_b32"}, 2, WORDS},
   {SAME("v_not_b32"), 1, WORDS},
   {SAME("v_bfe_u32"), 3, WORDS},
   {SAME("v_bfe_i32"), 3, WORDS},
   {SAME("v_bfi_b32"), 3, WORDS},
   {{NULL, "v_xor3_b32", "v_xor3_b32"}, 3, WORDS},
   {SAME("v_xad_u32"), 3, WORDS},
   {SAME("v_add3_u32"), 3, WORDS},
   {SAME("v_and_or_b32"), 3, WORDS},
   {SAME("v_or3_b32"), 3, WORDS},
   {SAME("v_lshl_add_u32"), 3, WORDS},
   {SAME("v_lshl_or_b32"), 3, WORDS},
   {SAME("v_add_lshl_u32"), 3, WORDS},
   {SAME("v_cvt_f32_i32"), 1, WORDS},
   {SAME("v_cvt_f32_u32"), 1, WORDS},
   {SAME("v_cvt_i32_f32"), 1, FLOATS},
   {SAME("v_cvt_u32_f32"), 1, FLOATS},
   {SAME("v_cvt_f32_ubyte0"), 1, WORDS},
   {SAME("v_cvt_f32_ubyte1"), 1, WORDS},
   {SAME("v_cvt_f32_ubyte2"), 1, WORDS},
   {SAME("v_cvt_f32_ubyte3"), 1, WORDS},
   {SAME("v_cvt_f16_f32"), 1, FLOATS},
};

static const struct operation scalars[] = {
   {SAME("s_mov_b32"), 1, WORDS},
   {SAME("s_not_b32"), 1, WORDS},
   {SAME("s_brev_b32"), 1, WORDS},
   {SAME("s_add_u32"), 2, WORDS},
   {SAME("s_sub_u32"), 2, WORDS},
   {SAME("s_add_i32"), 2, WORDS},
   {SAME("s_sub_i32"), 2, WORDS},
   {SAME("s_addc_u32"), 2, WORDS},
   {SAME("s_and_b32"), 2, WORDS},
   {SAME("s_or_b32"), 2, WORDS},
   {SAME("s_xor_b32"), 2, WORDS},
   {SAME("s_xnor_b32"), 2, WORDS},
   {{"s_andn2_b32", "s_andn2_b32", "s_and_not1_b32"}, 2, WORDS},
   {{"s_orn2_b32", "s_orn2_b32", "s_or_not1_b32"}, 2, WORDS},
   {SAME("s_lshl_b32"), 2, WORDS},
   {SAME("s_lshr_b32"), 2, WORDS},
   {SAME("s_ashr_i32"), 2, WORDS},
   {SAME("s_mul_i32"), 2, WORDS},
   {SAME("s_max_u32"), 2, WORDS},
   {SAME("s_cselect_b32"), 2, WORDS},
   {SAME("s_bfe_u32"), 2, WORDS},
};

static const char *const pairs[][3] = {SAME("s_and_b64"),     SAME("s_or_b64"),
                                       SAME("s_xor_b64"),     {"s_andn2_b64", "s_andn2_b64", "s_and_not1_b64"},
                                       SAME("s_cselect_b64"), SAME("s_lshl_b64")};
static const char *const conditions[] = {"eq", "lg", "gt", "ge", "lt", "le"};
static const char *const float_conditions[] = {"lt", "eq",  "le",  "gt",  "lg",  "ge",  "o",
                                               "u",  "nge", "nlg", "ngt", "nle", "neq", "nlt"};
static const char *const word_conditions[] = {"lt", "eq", "le", "gt", "ne", "ge"};

static const char *
name_of(const struct text *t, const char *const names[3])
{
   return names[t->gen >= AMD_GFX11 ? 2 : t->gen >= AMD_GFX10];
}

/* Rarely one that the wave does not have. */
static unsigned
vgpr(void)
{
   return chance(2000) ? 1 + chance(VGPRS - 1) : VGPRS + chance(4);
}

static void
scalar_source(char *to, size_t size)
{
   static const char *const constants[] = {"0", "1", "-1", "64", "17", "1.0", "-2.0", "0.5"};
   if (chance(3))
      snprintf(to, size, "s%u", 4 + chance(28));
   else
      snprintf(to, size, "%s", constants[chance(ARRAY_SIZE(constants))]);
}

/* Source i of an instruction of several: only the first one may be scalar. */
static void
vector_source(char *to, size_t size, unsigned i, bool is_float)
{
   char plain[24];
   if (i == 0 && !chance(4))
      scalar_source(plain, sizeof(plain));
   else
      snprintf(plain, sizeof(plain), "v%u", vgpr());
   const bool abs = is_float && !chance(6), neg = is_float && !chance(6) && (plain[0] == 'v' || plain[0] == 's');
   snprintf(to, size, abs && plain[0] == 'v' ? "%s|%s|" : "%s%s", neg ? "-" : "", plain);
}

static void
add_vector(struct text *t)
{
   const struct operation *op = &vectors[chance(ARRAY_SIZE(vectors))];
   const char *name = name_of(t, op->names);
   if (!name)
      return;
   const bool scales = op->type == SCALED && !chance(5);
   line(t, "%s%s v%u", name, scales && op->sources < 3 ? "_e64" : "", 1 + chance(VGPRS - 1));
   for (unsigned i = 0; i < op->sources; i++) {
      char source[32];
      vector_source(source, sizeof(source), i, op->type != WORDS);
      line(t, ", %s", source);
   }
   if (scales)
      line(t, " %s", chance(2) ? "clamp" : chance(2) ? "mul:2" : "div:2");
   line(t, "\n");
}

/* SGPRs of a lane mask. */
static void
mask_name(const struct text *t, char *to, size_t size)
{
   const unsigned first = 20 + 2 * chance(4);
   if (chance(2))
      snprintf(to, size, t->wave64 ? "vcc" : "vcc_lo");
   else if (t->wave64)
      snprintf(to, size, "s[%u:%u]", first, first + 1);
   else
      snprintf(to, size, "s%u", first + chance(2));
}

static void
add_compare(struct text *t)
{
   static const char *const types[] = {"f32", "i32", "u32"};
   char mask[16], first[32], second[32];
   const unsigned type = chance(3);
   mask_name(t, mask, sizeof(mask));
   vector_source(first, sizeof(first), 0, type == 0);
   vector_source(second, sizeof(second), 1, type == 0);
   line(t, "v_cmp_%s_%s %s, %s, %s\n",
        type == 0 ? float_conditions[chance(ARRAY_SIZE(float_conditions))]
                  : word_conditions[chance(ARRAY_SIZE(word_conditions))],
        types[type], mask, first, second);
}

static void
add_select(struct text *t)
{
   char mask[16];
   mask_name(t, mask, sizeof(mask));
   line(t, "v_cndmask_b32 v%u, v%u, v%u, %s\n", 1 + chance(VGPRS - 1), vgpr(), vgpr(), mask);
}

static void
add_scalar(struct text *t)
{
   const unsigned kind = chance(8);
   const struct operation *op = &scalars[chance(ARRAY_SIZE(scalars))];
   char first[24], second[24];
   scalar_source(first, sizeof(first));
   scalar_source(second, sizeof(second));
   if (kind == 0)
      line(t, "s_cmp_%s_%s %s, %s\n", conditions[chance(ARRAY_SIZE(conditions))], chance(2) ? "i32" : "u32", first,
           second);
   else if (kind == 1)
      line(t, "s_cmpk_%s_%s s%u, 0x%x\n", conditions[chance(ARRAY_SIZE(conditions))], chance(2) ? "i32" : "u32",
           4 + chance(28), chance(0x8000));
   else if (kind == 2)
      line(t, "s_movk_i32 s%u, 0x%x\n", 16 + chance(12), chance(0x8000));
   else if (op->sources == 1)
      line(t, "%s s%u, %s\n", name_of(t, op->names), 16 + chance(12), first);
   else
      line(t, "%s s%u, %s, %s\n", name_of(t, op->names), 16 + chance(12), first, second);
}

static void
add_pair(struct text *t)
{
   const unsigned to = 20 + 2 * chance(4), first = 20 + 2 * chance(4), kind = chance(8);
   if (kind < 2) {
      line(t, "s_%s_b64 s[%u:%u], s[%u:%u]\n", kind ? "not" : "mov", to, to + 1, first, first + 1);
      return;
   }
   if (kind < 4) {
      line(t, "s_cmp_%s_u64 s[%u:%u], s[%u:%u]\n", kind == 2 ? "eq" : "lg", to, to + 1, first, first + 1);
      return;
   }
   if (kind == 4) {
      line(t, "s_%s_b64 s[%u:%u], s[%u:%u], s%u\n", chance(2) ? "lshr" : "lshl", to, to + 1, first, first + 1,
           4 + chance(28));
      return;
   }
   line(t, "%s s[%u:%u], s[%u:%u], s[%u:%u]\n", name_of(t, pairs[chance(ARRAY_SIZE(pairs) - 1)]), to, to + 1, first,
        first + 1, 4u, 5u);
}

/* One whose wait is sometimes missing. */
static void
add_load(struct text *t)
{
   line(t, t->gen >= AMD_GFX11 ? "global_load_b32 v%u, v0, s[0:1]\n" : "global_load_dword v%u, v0, s[0:1]\n",
        1 + chance(VGPRS - 1));
   if (chance(8))
      line(t, "s_waitcnt vmcnt(0)\n");
}

static void
add_random(struct text *t)
{
   const unsigned kind = chance(100);
   if (kind < 60)
      add_vector(t);
   else if (kind < 72)
      add_compare(t);
   else if (kind < 80)
      add_select(t);
   else if (kind < 93)
      add_scalar(t);
   else if (kind < 96)
      add_pair(t);
   else if (kind < 97)
      line(t, "v_readfirstlane_b32 s%u, v%u\n", 16 + chance(12), vgpr());
   else if (kind < 98)
      line(t, "v_swap_b32 v%u, v%u\n", 1 + chance(VGPRS - 1), 1 + chance(VGPRS - 1));
   else if (kind < 99)
      line(t, "s_nop 1\n");
   else
      add_load(t);
}

static void
add_some(struct text *t, unsigned most)
{
   for (unsigned i = 0, count = 1 + chance(most); i < count; i++)
      add_random(t);
}

/* Under a comparison's lanes, or jumped over. */
static void
add_branch(struct text *t)
{
   const unsigned label = t->labels++;
   const char *size = t->wave64 ? "b64" : "b32", *exec = t->wave64 ? "exec" : "exec_lo",
              *saved = t->wave64 ? "s[32:33]" : "s32", *vcc = t->wave64 ? "vcc" : "vcc_lo";
   if (!chance(4)) {
      line(t, "s_mov_%s %s, %s\n", size, saved, exec);
      line(t, "v_cmpx_%s_u32 %s%sv%u, v%u\n", word_conditions[chance(6)], t->gen < AMD_GFX10 ? vcc : "",
           t->gen < AMD_GFX10 ? ", " : "", vgpr(), vgpr());
      add_some(t, 8);
      line(t, "s_mov_%s %s, %s\n", size, exec, saved);
   } else if (chance(3)) {
      line(t, "v_cmp_%s_i32 %s, v%u, v%u\n", word_conditions[chance(6)], vcc, vgpr(), vgpr());
      static const char *const saves[][3] = {SAME("s_and_saveexec"),
                                             SAME("s_or_saveexec"),
                                             {"s_andn2_saveexec", "s_andn2_saveexec", "s_and_not1_saveexec"}};
      line(t, "%s_%s %s, %s\ns_cbranch_execz L%u\n", name_of(t, saves[chance(ARRAY_SIZE(saves))]), size, saved, vcc,
           label);
      add_some(t, 8);
      line(t, "L%u:\ns_mov_%s %s, %s\n", label, size, exec, saved);
   } else {
      line(t, "s_cbranch_%s L%u\n", chance(2) ? "scc1" : "vccz", label);
      add_some(t, 8);
      line(t, "L%u:\n", label);
   }
}

/* s34: turns left. */
static void
make_program(struct text *t)
{
   t->used = t->labels = 0;
   add_some(t, 10);
   line(t, "s_movk_i32 s34, 0x%x\nT:\n", chance(8) ? 2 + chance(30) : 2000);
   for (unsigned i = 0, count = 1 + chance(3); i < count; i++) {
      add_some(t, 14);
      if (chance(2))
         add_branch(t);
   }
   line(t, "s_sub_u32 s34, s34, 1\ns_cmp_lg_u32 s34, 0\ns_cbranch_scc1 T\n");
   line(t, t->gen >= AMD_GFX11 ? "global_store_b32 v0, v2, s[0:1]\n" : "global_store_dword v0, v2, s[0:1]\n");
   line(t, "s_endpgm\n");
}

/* ---- runs ---- */

static struct sim_vm *vm;
static struct sim_pool *pools[2];
static uint8_t *code, *data;

static struct amd_wave_launch
describe(const struct setup *setup, struct run *run)
{
   return (struct amd_wave_launch){.stage = AMD_STAGE_CS,
                                   .vm = vm,
                                   .program = sim_va(CODE_VA),
                                   .wave_size = setup->wave64 ? 64 : 32,
                                   .float_mode = setup->mode,
                                   .vgpr_count = VGPRS,
                                   .waves_per_group = WAVES,
                                   .group_count = GROUPS,
                                   .chip = setup->chip,
                                   .user = run,
                                   .start = start,
                                   .retire = retire};
}

static bool
has_compiled(const struct amd_wave_engine *engine)
{
   for (unsigned i = 0; i < ARRAY_SIZE(engine->programs); i++)
      for (struct program *p = engine->programs[i]; p; p = p->next)
         if (atomic_load(&p->jit))
            return true;
   return false;
}

static void
read_trace(const char *path, struct outcome *outcome)
{
   FILE *file = fopen(path, "r");
   outcome->trace_B = fread(outcome->trace, 1, TRACE_B, file);
   fclose(file);
   unlink(path);
}

static void
run_all(const struct setup *setup, bool reference, struct outcome *outcome)
{
   char path[] = "/tmp/test_compiled.XXXXXX";
   struct sim_trace *trace = setup->traced && close(mkstemp(path)) == 0 ? sim_trace_open(path) : NULL;
   struct amd_wave_engine *engine = amd_wave_engine_create(pools[!reference]);
   struct amd_caches *caches = amd_caches_create(setup->chip);
   memset(outcome, 0, sizeof(*outcome));
   for (unsigned i = 0; i < DATA_B / 4; i++)
      ((uint32_t *)data)[i] = number(sim_schedule_random(setup->seed, 7, i));
   amd_wave_engine_set_schedule(engine, &setup->schedule);
   amd_wave_engine_set_reference(engine, reference);
   amd_wave_engine_set_budget(engine, setup->budget);
   amd_wave_engine_set_trace(engine, trace);
   amd_caches_job_start(caches, vm);
   for (unsigned i = 0; i < LAUNCHES && !outcome->fault.kind; i++) {
      struct run run = {outcome, setup, i};
      struct amd_wave_launch launch = describe(setup, &run);
      launch.caches = caches;
      memcpy(code, setup->code[setup->replaced && i == 1], CODE_B);
      amd_caches_invalidate(caches, AMD_CACHE_ALL);
      amd_caches_launch(caches);
      amd_wave_run(engine, &launch, &outcome->fault);
      outcome->compiled |= has_compiled(engine);
   }
   amd_caches_job_end(caches);
   memcpy(outcome->memory, data, DATA_B);
   amd_wave_engine_destroy(engine);
   amd_caches_destroy(caches);
   if (!trace)
      return;
   sim_trace_close(trace);
   read_trace(path, outcome);
}

static void
compare(const char *program, const struct setup *setup, const struct outcome *want, const struct outcome *got)
{
   const char *differs = strcmp(want->fault.message, got->fault.message)                             ? "the fault"
                         : want->fault.kind                                                          ? NULL
                         : memcmp(want->memory, got->memory, DATA_B)                                 ? "memory"
                         : memcmp(want->instructions, got->instructions, sizeof(want->instructions)) ? "instructions"
                         : memcmp(want->hash, got->hash, sizeof(want->hash))                         ? "registers"
                         : want->trace_B != got->trace_B || memcmp(want->trace, got->trace, want->trace_B)
                            ? "the timeline"
                            : NULL;
   if (differs)
      fail_msg("seed %#llx, schedule %u, mode 0x%x: %s differs: \"%s\" instead of \"%s\":\n%s",
               (unsigned long long)setup->seed, setup->schedule.kind, setup->mode, differs, got->fault.message,
               want->fault.message, program);
}

static int
setup_memory(void **state)
{
   vm = sim_vm_create();
   pools[0] = sim_pool_create(1);
   pools[1] = sim_pool_create(2);
   code = aligned_alloc(4096, CODE_B);
   data = aligned_alloc(4096, DATA_B);
   assert_true(sim_vm_map(vm, sim_va(CODE_VA), CODE_B, code, SIM_READ | SIM_EXECUTE));
   assert_true(sim_vm_map(vm, sim_va(DATA_VA), DATA_B, data, SIM_READ | SIM_WRITE));
   return 0;
}

static int
teardown_memory(void **state)
{
   sim_pool_destroy(pools[0]);
   sim_pool_destroy(pools[1]);
   sim_vm_destroy(vm);
   free(data);
   free(code);
   return 0;
}

static unsigned
program_count(void)
{
   const char *text = getenv("TEST_PROGRAMS");
   return text ? (unsigned)strtoul(text, NULL, 10) : test_share_of(50);
}

enum { WAVE32, REPLACED, TRACED, UNLIMITED, MODE, SCHEDULE, CHOICES };

static void
choose_setup(struct setup *setup, struct choices *choices, unsigned number)
{
   static const uint32_t modes[] = {0xf0, 0xc0, 0x00, 0x30, 0xf5, 0xfa, 0x3cf, 0x1f0};
   choices_draw_new(choices, number, 8);
   choices_count(choices);
   setup->wave64 = !choices->now[WAVE32];
   setup->replaced = choices->now[REPLACED];
   setup->traced = choices->now[TRACED];
   setup->mode = modes[choices->now[MODE]];
   setup->budget = choices->now[UNLIMITED] ? 0 : 500 + chance(20000);
   setup->schedule.kind = (enum sim_schedule_kind)choices->now[SCHEDULE];
   setup->schedule.seed = chance(1000);
}

static void
random_programs(void **state)
{
   static struct setup setup;
   static struct outcome want, got;
   static struct text programs[VERSIONS];
   static struct choices choices;
   const struct amd_chip *chip = amd_chip_by_name(*state);
   const struct choice table[CHOICES] = {
      {"wave32", chip->gen < AMD_GFX10 ? 1 : 2, 0, false},
      {"replaced", 2, 4, false},
      {"traced", 2, 4, false},
      {"unlimited", 2, 4, false},
      {"mode", 8, 0, false},
      {"schedule", 4, 0, false},
   };
   unsigned faults = 0, compiled = 0, count = program_count();
   memset(&choices, 0, sizeof(choices));
   choices.table = table, choices.count = CHOICES;
   for (unsigned i = 0; i < count; i++) {
      setup = (struct setup){.chip = chip, .seed = (uint64_t)i << 32 | 2};
      seed = setup.seed;
      choose_setup(&setup, &choices, i);
      for (unsigned k = 0; k < VERSIONS; k++) {
         programs[k].gen = setup.chip->gen;
         programs[k].wave64 = setup.wave64;
         make_program(&programs[k]);
         write_text_program(setup.code[k], setup.chip->gen, setup.wave64, programs[k].words);
      }
      run_all(&setup, true, &want);
      run_all(&setup, false, &got);
      compare(programs[0].words, &setup, &want, &got);
      faults += want.fault.kind != 0;
      compiled += got.compiled;
   }
   printf("%s: %u programs, %u faults, %u compiled\n", (const char *)*state, count, faults, compiled);
   assert_true(count < 50 || !jit_fits_host() || (faults > 0 && faults < count / 2 && compiled > count / 2));
   assert_true(count < 50 || !choices_missing(&choices, stderr));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(random_programs, (void *)"navi21"),
      cmocka_unit_test_prestate(random_programs, (void *)"vega10"),
      cmocka_unit_test_prestate(random_programs, (void *)"navi31"),
      cmocka_unit_test_prestate(random_programs, (void *)"navi10"),
   };
   return cmocka_run_group_tests(tests, setup_memory, teardown_memory);
}
