/* Simd-groups among each other: fragments of a pixel in order or not, the same bytes for any number of threads, and
 * programs that are no programs. */
#include "wave_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/isa.h"
#include "sim/waves/race.h"
#include "util/macros.h"

#define GROUPS 40

/* A tile of 8 by 4 pixels, of which each group has fragments of all. */
struct tile {
   uint32_t pixel[AGX_WAVE_LANES];
   uint32_t tests;
   bool fails; /* samples do not pass */
};

static bool
load_tile(void *user, const struct agx_wave_tile_access *a, uint32_t value[4][AGX_WAVE_LANES],
          struct sim_fault *fault)
{
   (void)fault;
   memcpy(value[0], ((struct tile *)user)->pixel, sizeof(value[0]));
   return a->mask == 1;
}

static bool
store_tile(void *user, const struct agx_wave_tile_access *a, const uint32_t value[4][AGX_WAVE_LANES],
           struct sim_fault *fault)
{
   struct tile *tile = user;
   (void)fault;
   for (unsigned l = 0; l < AGX_WAVE_LANES; l++)
      if (a->lanes >> l & 1 && a->samples[l])
         tile->pixel[l] = value[0][l];
   return true;
}

static bool
test_samples(void *user, const struct agx_wave_test *test, uint8_t passed[AGX_WAVE_LANES], struct sim_fault *fault)
{
   struct tile *tile = user;
   (void)fault;
   tile->tests++;
   memcpy(passed, test->samples, AGX_WAVE_LANES);
   if (tile->fails)
      memset(passed, 0, AGX_WAVE_LANES);
   return true;
}

static void
start(void *user, uint32_t group, uint32_t wave, struct agx_wave_start *start)
{
   (void)user;
   (void)wave;
   start->lanes = UINT32_MAX;
   start->register_count = 6;
   for (unsigned l = 0; l < AGX_WAVE_LANES; l++) {
      start->reg[5][l] = group;
      start->fragments.samples[l] = 1;
      start->fragments.x[l] = (uint16_t)(l % 8);
      start->fragments.y[l] = (uint16_t)(l / 8);
   }
   if (group) {
      start->fragments.older_count = 1;
      start->fragments.older[0] = group - 1;
   }
}

static const struct agx_wave_hooks hooks = {.load_tile = load_tile, .store_tile = store_tile, .test = test_samples};

static struct sim_races *races; /* that look at draws */

static bool
draw(struct rig *r, struct tile *tile, const char *text)
{
   rig_assemble(r, 0, text);
   r->program->stage = AGX_STAGE_FRAGMENT;
   r->fault = (struct sim_fault){0};
   const struct agx_wave_launch launch = {.program = r->program,
                                          .vm = r->vm,
                                          .group_count = GROUPS,
                                          .waves_per_group = 1,
                                          .hooks = &hooks,
                                          .races = races,
                                          .user = tile,
                                          .start = start};
   return agx_wave_run(r->engine, &launch, &r->fault);
}

static void
set_schedule(struct rig *r, unsigned kind, uint64_t seed)
{
   struct sim_schedule schedule = {.kind = (enum sim_schedule_kind)kind, .seed = seed};
   agx_wave_engine_set_schedule(r->engine, &schedule);
}

/* x = 3 x + number of the fragment: only one order gives this. */
#define BLEND                                                                                                        \
   "ld_tile r2, 0, 255, 0, i32, x\n"                                                                                 \
   "imadd r2, r2, 3, r5\n"                                                                                           \
   "st_tile r2, 0, 255, 0, i32, x\n"

static bool
is_blended(const struct tile *tile)
{
   uint32_t right = 0;
   for (uint32_t g = 0; g < GROUPS; g++)
      right = right * 3 + g;
   for (unsigned l = 0; l < AGX_WAVE_LANES; l++)
      if (tile->pixel[l] != right)
         return false;
   return true;
}

static void
test_pixwait(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 2);
   for (unsigned kind = 0; kind < 12; kind++) {
      struct tile tile = {.pixel = {0}}, without = {.pixel = {0}};
      set_schedule(&r, MIN2(kind, 3), kind);
      if (kind > 3)
         set_schedule(&r, SIM_SCHEDULE_SEED, kind);
      if (!draw(&r, &tile, "pixwait 12, 0\n" BLEND))
         fail_msg("%s", r.fault.message);
      assert_true(is_blended(&tile));
      assert_true(draw(&r, &without, BLEND));
      assert_false(is_blended(&without));
   }
   rig_close(&r);
}

/* A counter in memory for each pixel. */
#define COUNT                                                                                                        \
   "mov r1, thread_in_grid_x\nmov r2, thread_in_grid_y\nshl r2, r2, 3\niadd r1, r1, r2\n"                            \
   "load r3, du0, r1, i32, x, a\nwait a\niadd r3, r3, 1\nstore r3, du0, r1, i32, x, a\n"

/* What the search for races says of a draw, "" if nothing. */
static void
search(struct rig *r, const char *text, char report[1024])
{
   struct tile tile = {.pixel = {0}};
   FILE *file = tmpfile();
   assert_non_null(file);
   races = sim_races_create(file);
   sim_races_begin_draw(races, 1, 0);
   sim_races_name_draw(races, 7);
   if (!draw(r, &tile, text))
      fail_msg("%s", r->fault.message);
   sim_races_end_draw(races);
   sim_races_destroy(races);
   races = NULL;
   rewind(file);
   report[fread(report, 1, 1023, file)] = 0;
   fclose(file);
}

static void
test_races(void **state)
{
   static const struct {
      const char *text, *words;
   } rows[] = {
      {COUNT, "neither is ordered"},
      {"pixwait 4, 0\n" COUNT, "neither is ordered"},
      {COUNT "pixwait 12, 0\n", "then read at 0x1100040018 (load     r3, du0, r1, i32, x, a) ahead of the section"},
      {"pixwait 12, 0\npixrel 12, 0\n" COUNT, " after the section, then "},
      {"mov r1, thread_in_grid_x\nldimm r3, 1\natomic r4, r3, du0, r1, add, coherent1, a\nstore r3, du0, r1, i32, x, "
       "a\n",
       "atomic at "},
      {"ldimm r1, 0\nmov r3, r1\npixwait 12, 0\nstore r3, du0, r1, i32, x, a\n", ""}, /* of several pixels */
      {"pixwait 12, 0\n" COUNT, ""},
      {"pixwait 4, 0\npixwait 8, 0\n" COUNT, ""},
      {"mov r1, thread_in_grid_x\nload r3, du0, r1, i32, x, a\nwait a\n", ""},
      {"mov r1, thread_in_grid_x\nldimm r3, 1\natomic r4, r3, du0, r1, add, coherent1, a\n", ""},
   };
   struct rig r;
   (void)state;
   rig_open(&r, 2);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      char report[1024];
      search(&r, rows[i].text, report);
      if (*rows[i].words ? !strstr(report, rows[i].words) || strncmp(report, "indium: draw 7: ", 16) : *report)
         fail_msg("row %u: %s", i, report);
   }
   rig_close(&r);
}

/* Every third group is of the second draw, whose program is another one. */
static void
start_two(void *user, uint32_t group, uint32_t wave, struct agx_wave_start *begin)
{
   start(user, group, wave, begin);
   begin->draw = group % 3 == 2;
}

static bool
draw_two(struct rig *r, struct tile *tile, const char *first, const char *second)
{
   struct agx_program other = *r->program;
   rig_assemble(r, 0, first);
   rig_assemble(r, 4096, second);
   r->program->stage = other.stage = AGX_STAGE_FRAGMENT;
   other.code = sim_va_add(other.code, 4096);
   r->fault = (struct sim_fault){0};
   const struct agx_wave_draw draws[] = {{r->program, 7, NULL}, {&other, 9, NULL}};
   const struct agx_wave_launch launch = {.draws = draws,
                                          .draw_count = ARRAY_SIZE(draws),
                                          .vm = r->vm,
                                          .group_count = GROUPS,
                                          .waves_per_group = 1,
                                          .hooks = &hooks,
                                          .races = races,
                                          .user = tile,
                                          .start = start_two};
   return agx_wave_run(r->engine, &launch, &r->fault);
}

static void
test_two_draws(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 2);
   for (unsigned kind = 0; kind < 8; kind++) {
      struct tile tile = {.pixel = {0}}, without = {.pixel = {0}};
      set_schedule(&r, MIN2(kind, 3), kind);
      if (!draw_two(&r, &tile, "pixwait 12, 0\n" BLEND, "pixwait 4, 0\npixwait 8, 0\n" BLEND))
         fail_msg("%s", r.fault.message);
      assert_true(is_blended(&tile));
      assert_true(draw_two(&r, &without, "pixwait 12, 0\n" BLEND, BLEND));
      assert_false(is_blended(&without));
   }
   struct tile tile = {.pixel = {0}};
   assert_false(draw_two(&r, &tile, "pixwait 12, 0\n" BLEND, "pixwait 12, 0\ntrap\n"));
   if (!strstr(r.fault.message, "FS draw 9, group 2, ") || !strstr(r.fault.message, " at 0x1100041000"))
      fail_msg("%s", r.fault.message);
   rig_close(&r);
}

/* Each draw has a report of its own, which says what of another draw it met. */
static void
test_races_of_two_draws(void **state)
{
   char report[2048];
   struct rig r;
   (void)state;
   rig_open(&r, 2);
   for (unsigned ordered = 0; ordered < 2; ordered++) {
      struct tile tile = {.pixel = {0}};
      FILE *file = tmpfile();
      assert_non_null(file);
      races = sim_races_create(file);
      sim_races_begin_draw(races, 1, 0);
      assert_true(draw_two(&r, &tile, "pixwait 12, 0\n" COUNT, ordered ? "pixwait 12, 0\n" COUNT : COUNT));
      assert_true((sim_races_end_draw(races) == 0) == ordered);
      sim_races_destroy(races);
      races = NULL;
      rewind(file);
      report[fread(report, 1, sizeof(report) - 1, file)] = 0;
      fclose(file);
      if (ordered ? *report
                  : strncmp(report, "indium: draw 7: ", 16) || !strstr(report, "\nindium: draw 9: ") ||
                       !strstr(report, " of draw 9, then ") || !strstr(report, " of draw 7, then "))
         fail_msg("%s", report);
   }
   rig_close(&r);
}

/* The last one stays, if there is an order. */
static void
test_store_order(void **state)
{
   struct rig r;
   unsigned wrong = 0;
   (void)state;
   rig_open(&r, 2);
   for (uint64_t seed = 0; seed < 16; seed++) {
      struct tile tile = {.pixel = {0}}, without = {.pixel = {0}};
      set_schedule(&r, SIM_SCHEDULE_SEED, seed);
      assert_true(draw(&r, &tile, "pixwait 12, 0\nst_tile r5, 0, 255, 0, i32, x\n"));
      assert_int_equal(tile.pixel[7], GROUPS - 1);
      assert_true(draw(&r, &without, "st_tile r5, 0, 255, 0, i32, x\n"));
      wrong += without.pixel[7] != GROUPS - 1;
   }
   assert_true(wrong > 4);
   set_schedule(&r, SIM_SCHEDULE_IN_ORDER, 0);
   struct tile tile = {.pixel = {0}};
   assert_true(draw(&r, &tile, "st_tile r5, 0, 255, 0, i32, x\n"));
   assert_int_equal(tile.pixel[7], GROUPS - 1);
   rig_close(&r);
}

static void
expect_draw_fault(struct rig *r, const char *words, const char *text)
{
   struct tile tile = {.pixel = {0}};
   assert_false(draw(r, &tile, text));
   if (!strstr(r->fault.message, words))
      fail_msg("%s", r->fault.message);
}

/* Each sample is tested or killed, once, and dead ones write nothing. */
static void
test_tests(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   struct tile tile = {.pixel = {0}};
   assert_true(draw(&r, &tile, "pixwait 13, 0\nsample_mask 255, 255\nst_tile r5, 0, 255, 0, i32, x\n"));
   assert_int_equal(tile.tests, GROUPS);
   assert_int_equal(tile.pixel[0], GROUPS - 1);
   tile = (struct tile){.fails = true};
   assert_true(draw(&r, &tile, "pixwait 13, 0\nsample_mask 255, 255\nst_tile r5, 0, 255, 0, i32, x\n"));
   assert_int_equal(tile.pixel[0], 0);
   tile = (struct tile){.pixel = {0}};
   assert_true(draw(&r, &tile, "sample_mask 255, 0\nsample_mask 255, 255\nst_tile r5, 0, 255, 0, i32, x\n"));
   assert_int_equal(tile.pixel[0], 0);
   expect_draw_fault(&r, "samples 0x1 of lane 0 were tested already", "sample_mask 255, 255\nsample_mask 255, 255\n");
   expect_draw_fault(&r, "samples 0x1 of lane 0 are neither tested nor killed", "sample_mask 0, 255\n");
   rig_close(&r);
}

/* Waves that meet in memory, whatever the schedule, on so many threads. */
static void
run_all(unsigned threads, unsigned kind, uint8_t *data)
{
   struct rig r;
   rig_open(&r, threads);
   set_schedule(&r, kind, 77);
   if (!rig_run(&r,
                "mov r1, thread_in_grid_x\n"
                "and r2, r1, 31\n"
                "ldimm r3, 1\n"
                "atomic r4, r1, du0, r2, xchg, a\n"
                "wait a\n"
                "iadd r5, r4, 64\n"
                "load r6, du0, r5, i32, x, b\n"
                "wait b\n"
                "iadd r6, r6, r1\n"
                "store r6, du0, r5, i32, x, a\n"
                "ldimm r7, 7000\n"
                "atomic _, r3, du0, r7, add, b\n",
                2048, 128))
      fail_msg("%s", r.fault.message);
   memcpy(data, r.data, 65536);
   rig_close(&r);
}

static void
test_threads(void **state)
{
   uint8_t *data[3];
   (void)state;
   for (unsigned i = 0; i < 3; i++)
      data[i] = malloc(65536);
   for (unsigned kind = 0; kind < 4; kind++) {
      for (unsigned i = 0; i < 3; i++)
         run_all(i == 2 ? 5 : i + 1, kind, data[i]);
      assert_int_equal(((uint32_t *)(void *)data[0])[7000], 2048);
      assert_memory_equal(data[0], data[1], 65536);
      assert_memory_equal(data[0], data[2], 65536);
   }
   for (unsigned i = 0; i < 3; i++)
      free(data[i]);
}

/* Random bytes, and programs with a few bytes changed: they end, one way or the other. */
static void
test_random(void **state)
{
   static const char *const texts[] = {
      "mov r1, thread_in_grid_x\nload r2_r3, du0, r1, i32, xy, a\nwait a\nffma r4, r2, r3, 0.5\n"
      "store r4, du0, r1, i32, x, a\nsimd r5, r1, iadd\nshuffle r6, r5, 3\n",
      "ldimm r0l, 0\nmov r1, thread_in_grid_x\nldimm r2, 0\nif 0.0, 0.0, 1, feq\nwhile r2, r1, 1, ult\n"
      "iadd r2, r2, 1\njmp_any -14\npop_exec 1\nlstore r1, r2l, 0, i32, x\nbarrier\nlload r3, r2l, 0, i32, x\n",
      "stack_adjust 16\nstack_store r1, 4, i32, x, a\nwait a\nstack_load r2, 4, i32, x, b\nwait b\n"
      "smpf r8_r9_r10_r11, ts0, ss0, r2, 0, 2d, xyzw, auto_lod, a\nwait a\n"
      "st_tile r8_r9_r10_r11, 0, 255, 0, u8norm, xyzw\n",
   };
   struct rig r;
   uint64_t ended = 0;
   (void)state;
   rig_open(&r, 1);
   agx_wave_engine_set_budget(r.engine, 20000);
   for (uint64_t seed = 0; seed < 3000; seed++) {
      uint64_t random = sim_schedule_random(seed, 1, 2);
      bool whole = sim_schedule_random(seed, 7, 0) % 4 == 0; /* nothing of the text is left */
      memset(r.code, 0, 4096);
      unsigned size_B = rig_assemble(&r, 0, texts[sim_schedule_random(seed, 6, 0) % ARRAY_SIZE(texts)]);
      for (unsigned i = 0; i < 1 + (random & 3); i++)
         r.code[sim_schedule_random(seed, 3, i) % size_B] = (uint8_t)sim_schedule_random(seed, 4, i);
      for (unsigned i = 0; i < 256 && whole; i++)
         r.code[i] = (uint8_t)sim_schedule_random(seed, 5, i);
      ended += rig_run(&r, NULL, 64, 64);
      assert_true(r.fault.kind == SIM_FAULT_NONE || r.fault.message[0]);
   }
   assert_true(ended > 100 && ended < 2900);
   rig_close(&r);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pixwait),     cmocka_unit_test(test_races),
      cmocka_unit_test(test_store_order), cmocka_unit_test(test_tests),
      cmocka_unit_test(test_threads),     cmocka_unit_test(test_random),
      cmocka_unit_test(test_two_draws),   cmocka_unit_test(test_races_of_two_draws),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
