/* Waves that go the way of one before them, without its checks, against the same waves with all of them: random
 * programs with loads and stores, waits that are sometimes missing, lanes that are off, branches that only some waves
 * take and registers that nobody has written. What they export and store, how many instructions they run and the
 * fault that they end in must be the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/sim/report.h"
#include "amd/sim/wave/wave_private.h"
#include "sim/waves/pool.h"
#include "sim/waves/schedule.h"
#include "chance.h"
#include "text_program.h"
#include "util/macros.h"

#define CODE_VA 0x100000000ull
#define DATA_VA 0x200000000ull

enum { WAVES = 24, VGPRS = 24, EXPORTS = 2, PROGRAMS = 40, LENGTH = 30 };
/* Words of each wave after the data, as many as fit: for some waves the memory may end too early. */
enum { DATA_B = 4096, STORED_B = 8192, WAVE_B = 256 };

struct run {
   uint64_t exec[WAVES]; /* that waves start with */
   uint32_t words[4];
   struct {
      uint32_t count;
      uint64_t instructions, exec[EXPORTS];
      uint32_t values[EXPORTS][4][64];
   } wave[WAVES];
   uint8_t stored[STORED_B];
   struct sim_fault fault;
};

/* s[0:1]: memory, s2: the wave, s3: PRIM_MASK, s[4:7]: words, v0: offsets of words there, v1 and v2: numbers. */
static void
start(void *user, uint32_t group, uint32_t wave, uint32_t slot, struct amd_wave_start *s)
{
   static const float params[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                  13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24};
   const struct run *run = user;
   s->exec = run->exec[group];
   s->sgpr[0] = (uint32_t)DATA_VA;
   s->sgpr[1] = (uint32_t)(DATA_VA >> 32);
   s->sgpr[2] = group;
   s->sgpr[3] = s->prim_mask = 77;
   memcpy(&s->sgpr[4], run->words, sizeof(run->words));
   s->sgpr_count = 8;
   s->vgpr_count = 3;
   for (unsigned l = 0; l < 64; l++) {
      s->vgpr[0][l] = 4 * l;
      s->vgpr[1][l] = 0x3f800000 + (l << 16) + group;
      s->vgpr[2][l] = group * l;
   }
   s->params = (struct amd_wave_params){.data = params, .attr_count = 1};
   for (unsigned quad = 0; quad < 16; quad++)
      s->params.quad_prim[quad] = quad > group;
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   struct run *run = user;
   run->wave[group].count = result->count;
   run->wave[group].instructions = result->instructions;
   for (unsigned i = 0; i < MIN2(result->count, EXPORTS); i++) {
      run->wave[group].exec[i] = result->exports[i].exec;
      for (unsigned k = 0; k < 4; k++)
         if (result->exports[i].en >> k & 1)
            memcpy(run->wave[group].values[i][k], result->exports[i].value[k], sizeof(run->wave[0].values[0][0]));
   }
}

/* ---- programs ---- */

struct text {
   char words[4096];
   size_t used;
};

static void __attribute__((format(printf, 2, 3)))
line(struct text *t, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   t->used += (size_t)vsnprintf(t->words + t->used, sizeof(t->words) - t->used, format, args);
   va_end(args);
}

/* Nearly always. */
static void
await(struct text *t, const char *wait)
{
   if (chance(20))
      line(t, "%s\n", wait);
}

static void
interpolate(struct text *t, enum amd_gen gen, unsigned dst, unsigned a)
{
   const unsigned load = 12 + chance(2);
   if (gen < AMD_GFX11) {
      line(t, "v_interp_p1_f32 v%u, v%u, attr0.%c\n", dst, a, "xy"[chance(2)]);
      return;
   }
   line(t, "lds_param_load v%u, attr0.%c wait_vdst:0\n", load, "xy"[chance(2)]);
   line(t, "v_interp_p10_f32 v%u, v%u, v%u, v%u wait_exp:%u\n", dst, load, a, load, chance(20) ? 0 : 1);
}

static void
add_random(struct text *t, enum amd_gen gen)
{
   const unsigned dst = 3 + chance(7), a = chance(11), b = chance(11), s = 8 + chance(4);
   const bool is_new = gen >= AMD_GFX11;
   switch (chance(12)) {
   case 0:
      line(t, "v_add_f32 v%u, v%u, v%u\n", dst, a, b);
      break;
   case 1:
      line(t, "v_fma_f32 v%u, v%u, v%u, v%u\n", dst, a, b, 3 + chance(7));
      break;
   case 2:
      line(t, "v_mov_b32 v%u, s%u\n", dst, s);
      break;
   case 3:
      line(t, "v_xor_b32 v%u, v%u, v%u\n", dst, a, b);
      break;
   case 4:
      line(t, is_new ? "s_load_b32 s%u, s[0:1], 0x%x\n" : "s_load_dword s%u, s[0:1], 0x%x\n", s, 4 * chance(32));
      await(t, "s_waitcnt lgkmcnt(0)");
      break;
   case 5:
      line(t, is_new ? "global_load_b32 v%u, v0, s[0:1]\n" : "global_load_dword v%u, v0, s[0:1]\n", dst);
      await(t, "s_waitcnt vmcnt(0)");
      break;
   case 6:
      line(t, "s_nop %u\n", chance(5));
      break;
   case 7:
      line(t, "v_cmp_gt_u32 vcc, v%u, v%u\ns_nop 4\nv_cndmask_b32 v%u, v%u, v%u, vcc\n", a, b, dst, a, b);
      break;
   case 8:
      line(t, "v_mul_f32 v%u, 0x%x, v%u\n", dst, 0x3f000000 + chance(1 << 24), a);
      break;
   case 9: /* lanes that are off are read, where the generation can, or not */
      line(t,
           "s_nop 4\nv_mul_f32_dpp v%u, v%u, v%u quad_perm:[%u,%u,2,1] row_mask:0xf bank_mask:0xf bound_ctrl:1%s\n",
           dst, a, b, chance(4), chance(4), gen > AMD_GFX9 && chance(2) ? " fi:1" : "");
      break;
   case 10:
      line(t, "v_mul_f32 v%u, -v%u, |v%u|%s\n", dst, a, b, chance(2) ? " clamp" : "");
      break;
   default:
      interpolate(t, gen, dst, a);
   }
}

/* Some lanes off, for a while. */
static void
add_block(struct text *t, enum amd_gen gen)
{
   line(t, "v_cmp_gt_u32 vcc, v%u, v%u\ns_and_saveexec_b64 s[20:21], vcc\n", chance(11), chance(3));
   if (chance(2))
      line(t, "s_cbranch_execz off\n");
   for (unsigned i = 0; i < 4; i++)
      add_random(t, gen);
   line(t, "off:\ns_mov_b64 exec, s[20:21]\n");
}

/* Waves up to some number or from there on jump over it, and may have missed a wait where they do not. */
static void
add_branch(struct text *t, enum amd_gen gen)
{
   line(t, "s_cmp_gt_u32 s2, %u\ns_cbranch_scc%u over\n", chance(WAVES), chance(2));
   if (!chance(3))
      line(t, gen >= AMD_GFX11 ? "s_load_b32 s8, s[0:1], 0x0\nv_mov_b32 v3, s8\n"
                               : "s_load_dword s8, s[0:1], 0x0\nv_mov_b32 v3, s8\n");
   for (unsigned i = 0; i < 3; i++)
      add_random(t, gen);
   line(t, "over:\n");
}

/* Of what the exports have read, or read while they do not; after a wait there is no way. */
static void
add_stores(struct text *t, enum amd_gen gen)
{
   const unsigned first = (DATA_B + (chance(8) ? 0 : STORED_B - 8 * WAVE_B)) / WAVE_B;
   line(t, "s_add_u32 s13, s2, %u\nv_lshl_add_u32 v11, s13, 8, v0\n", first);
   for (unsigned i = 0, count = 1 + chance(3); i < count; i++) {
      line(t, "global_store_%s v11, v%u, s[0:1]%s\n", gen >= AMD_GFX11 ? "b32" : "dword", 3 + chance(11),
           chance(3) ? "" : " offset:64");
      if (!chance(3))
         line(t, "v_add_f32 v%u, v%u, v2\n", 14 + chance(3), chance(3));
      if (!chance(12))
         line(t, gen >= AMD_GFX10 ? "s_waitcnt_vscnt null, 0x0\n" : "s_waitcnt vmcnt(0)\n");
   }
}

static void
make_program(struct text *t, enum amd_gen gen)
{
   const unsigned block = chance(2 * LENGTH), branch = chance(LENGTH);
   t->used = 0;
   line(t, "s_mov_b32 m0, s3\ns_mov_b64 vcc, 0\ns_nop 4\n");
   for (unsigned i = 0; i < LENGTH; i++) {
      if (i == block)
         add_block(t, gen);
      if (i == branch)
         add_branch(t, gen);
      add_random(t, gen);
   }
   const char *vm = gen >= AMD_GFX11 ? "" : " vm";
   line(t, "s_waitcnt vmcnt(0) lgkmcnt(0)\nexp mrt0 v3, v4, v%u, v0\nexp mrt1 v5, v6, v7, v8 done%s\n", 9 + chance(9),
        vm);
   if (!chance(4))
      line(t, "v_mov_b32 v5, v4\n");
   if (chance(2))
      add_stores(t, gen);
   line(t, "s_endpgm\n");
}

/* ---- runs ---- */

static void
run_waves(const struct amd_chip *chip, const struct sim_vm *vm, struct amd_wave_engine *engine, bool anywhere,
          struct run *run)
{
   const struct amd_wave_launch launch = {.stage = AMD_STAGE_PS,
                                          .vm = vm,
                                          .program = sim_va(CODE_VA),
                                          .wave_size = 64,
                                          .float_mode = 0xf0,
                                          .vgpr_count = VGPRS,
                                          .waves_per_group = 1,
                                          .group_count = WAVES,
                                          .chip = chip,
                                          .user = run,
                                          .start = start,
                                          .retires_anywhere = anywhere,
                                          .retire = retire};
   amd_wave_run(engine, &launch, &run->fault);
}

static bool
has_way(const struct amd_wave_engine *engine)
{
   for (unsigned i = 0; i < ARRAY_SIZE(engine->programs); i++)
      if (engine->programs[i] && atomic_load(&engine->programs[i]->way))
         return true;
   return false;
}

static void
compare(const char *program, const struct run *want, const struct run *got)
{
   if (strcmp(want->fault.message, got->fault.message) != 0)
      fail_msg("\"%s\" instead of \"%s\":\n%s", got->fault.message, want->fault.message, program);
   for (unsigned i = 0; i < WAVES && !want->fault.kind; i++) {
      if (want->wave[i].instructions != got->wave[i].instructions)
         fail_msg("%u instructions instead of %u in wave %u:\n%s", (unsigned)got->wave[i].instructions,
                  (unsigned)want->wave[i].instructions, i, program);
      if (memcmp(&want->wave[i], &got->wave[i], sizeof(want->wave[i])) != 0)
         fail_msg("other exports of wave %u:\n%s", i, program);
   }
   if (!want->fault.kind && memcmp(want->stored, got->stored, sizeof(want->stored)) != 0)
      fail_msg("other stores:\n%s", program);
}

static struct sim_vm *vm;
static struct sim_pool *pool;
static uint8_t *code, *stored;
static uint32_t *data;

static int
setup(void **state)
{
   vm = sim_vm_create();
   pool = sim_pool_create(2);
   code = aligned_alloc(4096, 4096);
   data = aligned_alloc(4096, DATA_B + STORED_B);
   for (unsigned i = 0; i < DATA_B / 4; i++)
      data[i] = 0x3f000000 + i * 0x12345;
   assert_true(sim_vm_map(vm, sim_va(CODE_VA), 4096, code, SIM_READ | SIM_EXECUTE));
   assert_true(sim_vm_map(vm, sim_va(DATA_VA), DATA_B, data, SIM_READ));
   stored = (uint8_t *)data + DATA_B;
   assert_true(sim_vm_map(vm, sim_va(DATA_VA + DATA_B), STORED_B, stored, SIM_READ | SIM_WRITE));
   return 0;
}

static int
teardown(void **state)
{
   sim_pool_destroy(pool);
   sim_vm_destroy(vm);
   free(data);
   free(code);
   return 0;
}

static bool
stores(const struct run *run)
{
   for (unsigned i = 0; i < STORED_B; i++)
      if (run->stored[i])
         return true;
   return false;
}

/* Whether the waves have a way then. */
static bool
compare_runs(const struct amd_chip *chip, const char *program, struct run runs[3])
{
   static struct amd_report report;
   bool way = false;
   write_text_program(memset(code, 0, 4096), chip->gen, true, program);
   memset(runs, 0, 3 * sizeof(*runs));
   for (unsigned how = 0; how < 3; how++) {
      for (unsigned wave = 0; wave < WAVES; wave++)
         runs[how].exec[wave] = wave % 3 ? UINT64_MAX : sim_schedule_random(seed, wave, 1);
      struct amd_wave_engine *engine = amd_wave_engine_create(pool);
      amd_wave_engine_set_report(engine, how ? NULL : &report); /* has all instructions go their general way */
      memset(stored, 0, STORED_B);
      run_waves(chip, vm, engine, how == 2, &runs[how]);
      memcpy(runs[how].stored, stored, STORED_B);
      way = has_way(engine);
      amd_wave_engine_destroy(engine);
   }
   compare(program, &runs[0], &runs[1]);
   compare(program, &runs[0], &runs[2]);
   return way;
}

static void
random_programs(void **state)
{
   const struct amd_chip *chip = amd_chip_by_name(*state);
   struct run *runs = calloc(3, sizeof(*runs));
   unsigned with_way = 0, faults = 0, faults_with_way = 0, stores_with_way = 0;
   for (unsigned i = 0; i < PROGRAMS; i++) {
      struct text program;
      seed = (uint64_t)i << 32 | 1;
      make_program(&program, chip->gen);
      const bool way = compare_runs(chip, program.words, runs);
      with_way += way;
      faults += runs[0].fault.kind != 0;
      faults_with_way += way && runs[0].fault.kind;
      stores_with_way += way && !runs[0].fault.kind && stores(&runs[0]);
   }
   assert_true(with_way > PROGRAMS / 5);
   assert_true(faults > PROGRAMS / 10);
   assert_true(faults_with_way > 0);
   assert_true(stores_with_way > PROGRAMS / 20);
   free(runs);
}

static const struct {
   const char *chip, *text;
   uint32_t words[4], later[4]; /* s[4:7] */
   const char *meets;
} rows[] = {
   /* turns off after a load, past the wait */
   {"navi21",
    "s_load_dword s8, s[0:1], 0x0\ns_cmp_eq_u32 s4, 0\ns_cbranch_scc0 past\ns_waitcnt lgkmcnt(0)\npast:\n"
    "v_mov_b32 v3, s8\nexp mrt0 v3, v3, v3, v3 done vm\ns_endpgm\n",
    {0},
    {1},
    "s8 is used before"},
   {"vega10",
    "v_readfirstlane_b32 s8, v1\ns_cmp_eq_u32 s4, 0\ns_cbranch_scc0 past\ns_nop 4\npast:\n"
    "v_readlane_b32 s9, v1, s8\nexp mrt0 v0, v0, v0, v0 done vm\ns_endpgm\n",
    {0},
    {1},
    "valu-lane-select"},
   {"navi31",
    "v_rcp_f32 v3, v1\ns_cmp_eq_u32 s4, 0\ns_cbranch_scc0 past\ns_waitcnt_depctr 0xfff\npast:\n"
    "v_mov_b32 v4, v3\nexp mrt0 v4, v4, v4, v4 done\ns_endpgm\n",
    {0},
    {1},
    "valu-trans-use"},
   {"navi10",
    "global_load_dword v3, v0, s[0:1]\ns_cmp_eq_u32 s4, 0\ns_cbranch_scc0 past\ns_waitcnt vmcnt(0)\npast:\n"
    "s_mov_b32 s0, 0\ns_waitcnt vmcnt(0)\nexp mrt0 v3, v3, v3, v3 done vm\ns_endpgm\n",
    {0},
    {1},
    "vmem-scalar-write"},
   /* loads in some lanes, and uses others: or the same */
   {"navi21",
    "s_mov_b64 exec, s[4:5]\nglobal_load_dword v3, v0, s[0:1]\ns_mov_b64 exec, s[6:7]\nv_mov_b32 v4, v3\n"
    "s_waitcnt vmcnt(0)\nexp mrt0 v4, v4, v4, v4 done vm\ns_endpgm\n",
    {1, 0, 0, 1},
    {1, 0, 1, 1},
    "v3 is used before"},
   /* loads in no lanes, or in some */
   {"navi31",
    "s_mov_b32 m0, s3\ns_mov_b64 exec, s[4:5]\nlds_param_load v3, attr0.x wait_vdst:0\nv_mov_b32 v4, v3\n"
    "s_waitcnt expcnt(0)\nexp mrt0 v4, v4, v4, v4 done\ns_endpgm\n",
    {0, 0},
    {1, 0},
    "v3 is used before"},
};

/* Waves that meet nothing, then others of the same program that do: these must not go where those went, or not get
 * lost when they turn off. */
static void
what_others_meet(void **state)
{
   struct run *run = calloc(1, sizeof(*run));
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct amd_chip *chip = amd_chip_by_name(rows[i].chip);
      struct amd_wave_engine *engine = amd_wave_engine_create(pool);
      write_text_program(memset(code, 0, 4096), chip->gen, true, rows[i].text);
      memset(run->exec, 0xff, sizeof(run->exec));
      memcpy(run->words, rows[i].words, sizeof(run->words));
      run_waves(chip, vm, engine, i % 2, run);
      if (run->fault.kind)
         fail_msg("%s of\n%s", run->fault.message, rows[i].text);
      memcpy(run->words, rows[i].later, sizeof(run->words));
      run_waves(chip, vm, engine, i % 2, run);
      if (!strstr(run->fault.message, rows[i].meets))
         fail_msg("\"%s\" and not \"%s\" of\n%s", run->fault.message, rows[i].meets, rows[i].text);
      run->fault = (struct sim_fault){0};
      amd_wave_engine_destroy(engine);
   }
   free(run);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(random_programs, "vega10"),  cmocka_unit_test_prestate(random_programs, "navi10"),
      cmocka_unit_test_prestate(random_programs, "navi21"),  cmocka_unit_test_prestate(random_programs, "navi31"),
      cmocka_unit_test_prestate(random_programs, "gfx1150"), cmocka_unit_test(what_others_meet),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
