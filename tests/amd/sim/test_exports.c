/* What pixel waves of GFX11 export: targets, pairs of halves, the mask of the last one, two sources of blending, and
 * ordered sections, which begin with an event and end with the last export. What is expected is the "RDNA 3" ISA
 * document's (exports), LLPC's arrangement of two sources, and the article's on primitive ordered pixel shading. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/sim/pops/pops.h"
#include "amd/sim/spi/spi_ps.h"
#include "sim/waves/pool.h"
#include "text_program.h"
#include "util/macros.h"

#define CODE_VA 0x100000000ull
#define DATA_VA 0x200000000ull

enum { WAVES = 40, WORDS = 32 };

struct ordered_run {
   struct amd_wave_export last; /* of the last wave */
   uint32_t words[WORDS];
};

static void
start(void *user, uint32_t group, uint32_t wave, uint32_t scratch, struct amd_wave_start *s)
{
   s->exec = UINT32_MAX;
   s->sgpr[0] = (uint32_t)DATA_VA;
   s->sgpr[1] = (uint32_t)(DATA_VA >> 32);
   s->sgpr[2] = group + 1;
   s->sgpr_count = 3;
   s->vgpr_count = 1;
   for (unsigned l = 0; l < WORDS; l++)
      s->vgpr[0][l] = 4 * l;
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   struct ordered_run *run = user;
   if (result->count)
      run->last = result->exports[result->count - 1];
}

/* Waves of one packer, each of which overlaps the one before. */
static void
make_chain(struct amd_pops_launch *launch, struct amd_pops_wave waves[WAVES])
{
   for (uint32_t i = 0; i < WAVES; i++) {
      waves[i] = (struct amd_pops_wave){.first = i,
                                        .count = 1,
                                        .seq = i,
                                        .newest = i ? i - 1 : AMD_POPS_NONE,
                                        .next = i + 1 < WAVES ? i + 1 : AMD_POPS_NONE};
   }
   *launch = (struct amd_pops_launch){.packers = {1, 0}, .waves = waves, .wave_count = WAVES};
   memset(launch->first, 0xff, sizeof(launch->first));
   launch->first[0] = 0;
}

static bool
run_waves(const char *text, const char *schedule, struct ordered_run *run, struct sim_fault *fault)
{
   const struct amd_chip *chip = amd_chip_by_name("navi31");
   struct amd_pops_wave waves[WAVES];
   struct amd_pops_launch pops;
   struct sim_schedule how;
   struct sim_vm *vm = sim_vm_create();
   uint8_t *code = aligned_alloc(4096, 4096), *data = aligned_alloc(4096, 4096);
   memset(code, 0, 4096);
   memset(data, 0, 4096);
   write_text_program(code, chip->gen, false, text);
   assert_true(sim_vm_map(vm, sim_va(CODE_VA), 4096, code, SIM_READ | SIM_EXECUTE));
   assert_true(sim_vm_map(vm, sim_va(DATA_VA), 4096, data, SIM_READ | SIM_WRITE));
   struct sim_pool *pool = sim_pool_create(1);
   struct amd_wave_engine *engine = amd_wave_engine_create(pool);
   assert_true(sim_schedule_parse(schedule, &how));
   amd_wave_engine_set_schedule(engine, &how);
   *run = (struct ordered_run){0};
   *fault = (struct sim_fault){0};
   make_chain(&pops, waves);
   const struct amd_wave_launch launch = {
      .stage = AMD_STAGE_PS,
      .name = "PS",
      .vm = vm,
      .program = sim_va(CODE_VA),
      .wave_size = 32,
      .float_mode = 0xf0,
      .vgpr_count = 16,
      .waves_per_group = 1,
      .group_count = WAVES,
      .chip = chip,
      .pops = &pops,
      .user = run,
      .start = start,
      .retire = retire,
   };
   bool ok = amd_wave_run(engine, &launch, fault);
   memcpy(run->words, data, sizeof(run->words));
   amd_wave_engine_destroy(engine);
   sim_pool_destroy(pool);
   sim_vm_destroy(vm);
   free(code);
   free(data);
   return ok;
}

static uint32_t
in_order(void)
{
   uint32_t word = 0;
   for (uint32_t i = 0; i < WAVES; i++)
      word = word * 3 + i + 1;
   return word;
}

#define SECTION(wait, stored)                                                                                        \
   wait "global_load_b32 v1, v0, s[0:1] glc\ns_waitcnt vmcnt(0)\nv_mul_lo_u32 v1, v1, 3\n"                           \
        "v_add_nc_u32 v1, s2, v1\nglobal_store_b32 v0, v1, s[0:1]\n" stored
#define WAIT "s_wait_event 0x0\n"
#define STORED "s_waitcnt_vscnt null, 0x0\n"
#define LAST "exp mrt0 off, off, off, off done\ns_endpgm\n"

static const char *const schedules[] = {"in-order", "round-robin", "worst", "seed=1", "seed=2", "seed=3"};

static bool
is_ordered(const char *text, const char *schedule)
{
   struct ordered_run run;
   struct sim_fault fault;
   if (!run_waves(text, schedule, &run, &fault))
      fail_msg("%s: %s", schedule, fault.message);
   bool ordered = true;
   for (unsigned l = 0; l < WORDS; l++)
      ordered &= run.words[l] == in_order();
   return ordered;
}

static void
sections_are_ordered(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(schedules); i++) {
      assert_true(is_ordered(SECTION(WAIT, STORED) LAST, schedules[i]));
      assert_true(is_ordered(SECTION("s_wait_event 0x2\n", STORED) LAST, schedules[i]));
   }
}

/* Without the event, with the bit that asks for none, or without the wait for the store. */
static void
lost_order_shows(void **state)
{
   static const char *const texts[] = {SECTION("", STORED) LAST, SECTION("s_wait_event 0x1\n", STORED) LAST,
                                       SECTION(WAIT, "") LAST};
   for (unsigned i = 0; i < ARRAY_SIZE(texts); i++) {
      bool ordered = true;
      for (unsigned k = 0; k < ARRAY_SIZE(schedules); k++)
         ordered &= is_ordered(texts[i], schedules[k]);
      if (ordered)
         fail_msg("program %u is in order under every schedule", i);
   }
}

static void
mistakes_are_found(void **state)
{
   static const struct {
      const char *text, *words;
   } rows[] = {
      {WAIT "s_endpgm\n", "without a last export"},
      {WAIT "exp mrt0 v0, off, off, off\ns_endpgm\n", "without a last export"},
      {WAIT "exp mrt0 v0, off, off, off done\nexp mrt0 v0, off, off, off done\ns_endpgm\n", "a second time"},
      {"s_wait_event 0x4\n" LAST, "no event"},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct ordered_run run;
      struct sim_fault fault;
      if (run_waves(rows[i].text, "in-order", &run, &fault) || !strstr(fault.message, rows[i].words))
         fail_msg("row %u: %s", i, fault.message);
   }
}

/* EXEC of the last export is what lives. */
static void
last_export_has_the_mask(void **state)
{
   struct ordered_run run;
   struct sim_fault fault;
   if (!run_waves("s_mov_b32 exec_lo, 0x5a\nexp mrt0 v0, off, off, off done\ns_endpgm\n", "in-order", &run, &fault))
      fail_msg("%s", fault.message);
   assert_true(run.last.vm && run.last.done);
   assert_int_equal(run.last.exec, 0x5a);
}

/* ---- what becomes of exports ---- */

static uint32_t
source(unsigned number, unsigned component, unsigned lane)
{
   return number << 24 | component << 16 | lane;
}

static struct amd_wave_export
export_of(unsigned target, unsigned en)
{
   return (struct amd_wave_export){.target = (uint8_t)target, .en = (uint8_t)en, .exec = UINT64_MAX};
}

/* LLPC, of lanes 0, 1, 2, 3: the left export is S0[0] S1[0] S0[2] S1[2], the right one S0[1] S1[1] S0[3] S1[3]. */
static void
two_sources(void **state)
{
   enum { COMPONENTS = 4 * AMD_WAVE_MAX_LANES };
   static uint32_t values[2 * COMPONENTS];
   struct amd_wave_out out;
   struct amd_launch launch = {.out = &out, .values = values, .slots = 2};
   struct amd_wave_export exports[2] = {export_of(21, 15), export_of(22, 15)};
   memset(launch.slot_index, 0xff, sizeof(launch.slot_index));
   launch.slot_index[0] = 0;
   launch.slot_index[1] = 1;
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES; lane++) {
         exports[0].value[c][lane] = source(lane & 1, c, lane & ~1u);
         exports[1].value[c][lane] = source(lane & 1, c, lane | 1);
      }
   }
   const struct amd_wave_result result = {.count = 2, .exports = exports};
   amd_spi_ps_retire(&launch, 0, 0, &result);
   assert_int_equal(out.present, 3);
   for (unsigned s = 0; s < 2; s++) {
      for (unsigned i = 0; i < COMPONENTS; i++)
         assert_int_equal(values[s * COMPONENTS + i], source(s, i / AMD_WAVE_MAX_LANES, i % AMD_WAVE_MAX_LANES));
   }
}

/* Where the format says halves, a VGPR has two components. */
static void
halves(void **state)
{
   static const uint8_t components[16] = {[1] = 3, [2] = 12, [3] = 15};
   static uint32_t values[4 * AMD_WAVE_MAX_LANES];
   for (unsigned en = 1; en < 4; en++) {
      struct amd_wave_out out;
      struct amd_launch launch = {.out = &out, .values = values, .slots = 1, .halves = 1};
      memset(launch.slot_index, 0xff, sizeof(launch.slot_index));
      launch.slot_index[0] = 0;
      const struct amd_wave_export export = export_of(0, en);
      const struct amd_wave_result result = {.count = 1, .exports = &export};
      amd_spi_ps_retire(&launch, 0, 0, &result);
      assert_int_equal(out.compr, 1);
      assert_int_equal(out.en[0], components[en]);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(sections_are_ordered), cmocka_unit_test(lost_order_shows),
      cmocka_unit_test(mistakes_are_found),   cmocka_unit_test(last_export_has_the_mask),
      cmocka_unit_test(two_sources),          cmocka_unit_test(halves),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
