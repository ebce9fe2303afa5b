/* Primitive ordered pixel shading on the model: real instructions, every schedule, against order in C. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "amd/sim/pops/pops.h"
#include "amd/sim/state/draw_state_private.h"
#include "pops_scene.h"

enum { WORDS = POPS_W * POPS_H * 8 };

static uint32_t expected[WORDS];
static struct pops_rect rects[POPS_MAX_RECTS];

static const struct sim_schedule schedules[] = {{SIM_SCHEDULE_IN_ORDER, 0}, {SIM_SCHEDULE_ROUND_ROBIN, 0},
                                                {SIM_SCHEDULE_WORST, 0},    {SIM_SCHEDULE_SEED, 1},
                                                {SIM_SCHEDULE_SEED, 2},     {SIM_SCHEDULE_SEED, 3}};

/* Overlapping rectangles of all sizes with edges on the sixteenth of a pixel. */
static void
random_rects(unsigned count, unsigned seed, int size_px)
{
   uint32_t state = seed * 2654435761u + 1;
   for (unsigned i = 0; i < count; i++) {
      int v[4];
      for (unsigned k = 0; k < 4; k++) {
         state = state * 1664525 + 1013904223;
         v[k] = (int)(state >> 8);
      }
      int x = v[0] % (POPS_W * 16), y = v[1] % (POPS_H * 16);
      int w = 16 + v[2] % (size_px * 16), h = 16 + v[3] % (size_px * 16);
      rects[i] = (struct pops_rect){x, y, MIN2(x + w, POPS_W * 16), MIN2(y + h, POPS_H * 16)};
   }
}

static struct pops_draw
random_draw(unsigned count, unsigned seed, int size_px)
{
   random_rects(count, seed, size_px);
   return (struct pops_draw){.rects = rects, .rect_count = count, .first_id = 1};
}

/* Words that differ from the ordered result; -1 after a fault. */
static int
run_draw(struct stream *s, const struct pops_draw *d, const struct sim_schedule *schedule)
{
   size_t size_B = (size_t)POPS_W * POPS_H * 4 * MAX2(d->shader.samples, 1);
   memset(s->memory + POPS_WORDS_B, 0, size_B);
   memset(expected, 0, size_B);
   pops_reference(d, expected);
   amd_sim_set_schedule(s->sim, schedule);
   pops_record(s, d);
   if (!stream_run(s))
      return -1;
   const uint32_t *words = (const uint32_t *)(s->memory + POPS_WORDS_B);
   int wrong = 0;
   for (size_t i = 0; i < size_B / 4; i++)
      wrong += words[i] != expected[i];
   return wrong;
}

static void
must_be_ordered(struct stream *s, const struct pops_draw *d, const struct sim_schedule *schedule)
{
   int wrong = run_draw(s, d, schedule);
   if (wrong)
      fail_msg("schedule %u, seed %llu: %d wrong words: %s", schedule->kind, (unsigned long long)schedule->seed,
               wrong, s->fault.message);
}

static void
every_schedule_is_ordered(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(schedules); i++) {
      for (unsigned wave32 = 0; wave32 < 2; wave32++) {
         struct stream s = stream_create(1 + wave32);
         struct pops_draw d = random_draw(100, i, 24);
         d.wave32 = wave32;
         must_be_ordered(&s, &d, &schedules[i]);
         stream_destroy(&s);
      }
   }
}

/* Without the entry the result is wrong under `worst` and under some seeds, and not the same under all of them. */
static void
unordered_shaders_show(void **state)
{
   struct pops_draw d = random_draw(60, 9, 30);
   static uint32_t first[POPS_W * POPS_H];
   unsigned wrong = 0, different = 0;
   d.shader.no_entry = true;
   for (unsigned seed = 1; seed <= 4; seed++) {
      struct stream s = stream_create(1);
      wrong += run_draw(&s, &d, &(struct sim_schedule){SIM_SCHEDULE_SEED, seed}) > 0;
      different += seed > 1 && memcmp(first, s.memory + POPS_WORDS_B, sizeof(first));
      if (seed == 1)
         memcpy(first, s.memory + POPS_WORDS_B, sizeof(first));
      stream_destroy(&s);
   }
   assert_true(wrong >= 3);
   assert_true(different >= 2);
   struct stream s = stream_create(1);
   assert_true(run_draw(&s, &d, &schedules[2]) > 0);
   stream_destroy(&s);
}

/* Whether the schedules that look for trouble find some. */
static bool
goes_wrong(const struct pops_draw *d)
{
   struct stream s = stream_create(1);
   bool wrong = false;
   for (unsigned i = 2; i < ARRAY_SIZE(schedules); i++) {
      int words = run_draw(&s, d, &schedules[i]);
      if (words < 0)
         fail_msg("%s", s.fault.message);
      wrong |= words > 0;
   }
   stream_destroy(&s);
   return wrong;
}

/* What the article says loses synchronisation: wrong results, no fault. */
static void
synchronisation_gets_lost(void **state)
{
   struct pops_draw d = random_draw(60, 4, 30);
   assert_false(goes_wrong(&d));
   struct pops_draw broken[7] = {d, d, d, d, d, d, d};
   broken[0].no_rsrc2 = true;
   broken[1].no_pa_sc = true;
   broken[2].no_export_space = true;
   broken[3].no_enable = true;
   broken[4].shader.no_export = true;
   broken[5].shader.skip_export = true;
   broken[6].intrawave = broken[6].no_pa_intrawave = broken[6].shader.intrawave_loop = true;
   for (unsigned i = 0; i < ARRAY_SIZE(broken); i++)
      if (!goes_wrong(&broken[i]))
         fail_msg("case %u stays ordered", i);
}

/* Stores that are not waited for before the message, and loads before the entry. */
static void
memory_outside_of_the_section(void **state)
{
   struct pops_draw d = random_draw(60, 5, 30);
   d.shader.no_store_wait = true;
   assert_true(goes_wrong(&d));
   d.shader = (struct pops_shader){.hoist_load = true};
   assert_true(goes_wrong(&d));
   d.shader = (struct pops_shader){.message_without_entry = true};
   assert_true(goes_wrong(&d));
}

/* Stores land late under `worst`, and under seeds too: each alone shows a message that does not wait for them. */
static void
stores_land_late(void **state)
{
   struct stream s = stream_create(1);
   struct pops_draw d = random_draw(60, 5, 30);
   d.shader.no_store_wait = true;
   assert_true(run_draw(&s, &d, &schedules[2]) > 0);
   unsigned wrong = 0;
   for (unsigned seed = 1; seed <= 4; seed++)
      wrong += run_draw(&s, &d, &(struct sim_schedule){SIM_SCHEDULE_SEED, seed}) > 0;
   assert_true(wrong >= 2);
   /* In order they land with the round: nothing shows. */
   assert_int_equal(run_draw(&s, &d, &schedules[0]), 0);
   stream_destroy(&s);
}

/* A wait says nothing of stores without GLC, of buffers and of images. In order nothing shows. */
static void
plain_stores_stay(void **state)
{
   static const unsigned works[] = {POPS_UPDATE, POPS_STORE, POPS_IMAGE};
   for (unsigned i = 0; i < ARRAY_SIZE(works); i++) {
      struct stream s = stream_create(1);
      struct pops_draw d = random_draw(60, 6, 30);
      d.shader.work = works[i];
      assert_false(goes_wrong(&d));
      d.shader.plain_store = true;
      assert_true(goes_wrong(&d));
      assert_int_equal(run_draw(&s, &d, &schedules[0]), 0);
      stream_destroy(&s);
   }
}

/* Pixels where the invocations did not all read back their own id. */
static unsigned
foreign_reads(struct stream *s, const struct pops_draw *d, const struct sim_schedule *schedule)
{
   static uint32_t sums[POPS_W * POPS_H];
   memset(s->memory + POPS_WORDS_B, 0, POPS_SUMS_B + sizeof(sums));
   amd_sim_set_schedule(s->sim, schedule);
   pops_record(s, d);
   if (!stream_run(s))
      fail_msg("%s", s->fault.message);
   memcpy(sums, s->memory + POPS_WORDS_B + POPS_SUMS_B, sizeof(sums));
   unsigned wrong = 0;
   for (unsigned i = 0; i < POPS_W * POPS_H; i++) {
      for (unsigned n = 0; n < d->rect_count; n++)
         sums[i] -= pops_coverage(&d->rects[n], 0, i % POPS_W, i / POPS_W) * (d->first_id + n);
      wrong += sums[i] != 0;
   }
   return wrong;
}

/* Loads land late under seeds: a message that does not wait for them lets the next one store first. */
static void
loads_land_late(void **state)
{
   struct stream s = stream_create(1);
   struct pops_draw d = random_draw(60, 5, 30);
   d.shader.work = POPS_READ;
   for (unsigned i = 0; i < ARRAY_SIZE(schedules); i++)
      assert_int_equal(foreign_reads(&s, &d, &schedules[i]), 0);
   d.shader.no_load_wait = true;
   unsigned wrong = 0;
   for (unsigned seed = 1; seed <= 12; seed++)
      wrong += foreign_reads(&s, &d, &(struct sim_schedule){SIM_SCHEDULE_SEED, seed}) > 0;
   assert_true(wrong > 0);
   for (unsigned i = 0; i < 3; i++) /* elsewhere they read at once */
      assert_int_equal(foreign_reads(&s, &d, &schedules[i]), 0);
   stream_destroy(&s);
}

/* What hangs hardware is a fault that names the rule and the instruction, under each schedule. */
static void
hangs_are_faults(void **state)
{
   const struct {
      struct pops_shader shader;
      const char *rule, *instruction;
   } cases[] = {
      {{.poll_always = true}, "although COLLISION_WAVEID says that there are none", "src_pops_exiting_wave_id"},
      {{.no_packer_set = true}, "before POPS_PACKER is set", "src_pops_exiting_wave_id"},
      {{.no_message = true}, "ends without ORDERED_PS_DONE", "s_endpgm"},
      {{.message_twice = true}, "ORDERED_PS_DONE a second time", "s_sendmsg"},
      {{.poll_after_message = true}, "after ORDERED_PS_DONE", "src_pops_exiting_wave_id"},
      {{.wrong_packer = true}, "polls packer", "at pc 0x"},
      {{.wrong_packer = true, .finite_sleep = true}, "polls packer", "at pc 0x"},
      {{.wrong_packer = true, .no_sleep = true}, "polls packer", "at pc 0x"},
      {{.message_elsewhere = true}, "packer", NULL},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      for (unsigned k = 0; k < 4; k++) {
         struct stream s = stream_create(1);
         struct pops_draw d = random_draw(40, 6, 24);
         d.shader = cases[i].shader;
         if (run_draw(&s, &d, &schedules[k]) >= 0)
            fail_msg("case %u ends under schedule %u", i, k);
         if (s.fault.kind != SIM_FAULT_ORDER && s.fault.kind != SIM_FAULT_HANG)
            fail_msg("case %u: %s", i, s.fault.message);
         if (!strstr(s.fault.message, cases[i].rule) ||
             (cases[i].instruction && !strstr(s.fault.message, cases[i].instruction)))
            fail_msg("case %u: %s", i, s.fault.message);
         stream_destroy(&s);
      }
   }
}

/* Where the shader reads the exiting id: s_add_i32 with operand 239. */
static uint64_t
polling_va(const struct stream *s)
{
   const uint32_t *words = (const uint32_t *)(s->memory + POPS_PS_B);
   unsigned i = 0;
   while ((words[i] & 0xff8000ff) != 0x810000ef)
      i++;
   return stream_base + POPS_PS_B + 4 * i;
}

/* One pixel, two waves: the second one waits at another packer of its shader engine. */
static void
hang_says_who_waits(void **state)
{
   struct stream s = stream_create(1);
   uint32_t packer = amd_pops_packer_of(&(struct amd_pops_packers){16, 2}, 20, 40);
   rects[0] = rects[1] = (struct pops_rect){20 * 16, 40 * 16, 21 * 16, 41 * 16};
   struct pops_draw d = {.shader = {.wrong_packer = true}, .rects = rects, .rect_count = 2, .first_id = 1};
   char expected_text[160];
   assert_int_equal(run_draw(&s, &d, &schedules[0]), -1);
   snprintf(
      expected_text, sizeof(expected_text),
      "no wave of the launch can continue: wave 1 (packer %u.%u, id 1) polls packer %u.%u at pc 0x%llx for exits "
      "past id 0, exiting id is 0",
      packer / 4, packer % 4, packer / 4, packer % 4 ^ 1, (unsigned long long)polling_va(&s));
   if (!strstr(s.fault.message, expected_text))
      fail_msg("%s\nnot\n%s", s.fault.message, expected_text);
   stream_destroy(&s);
}

/* A message that nobody waits for is missed all the same. */
static void
lost_messages(void **state)
{
   struct stream s = stream_create(1);
   rects[0] = (struct pops_rect){0, 0, 16, 16};
   struct pops_draw d = {.shader = {.message_elsewhere = true}, .rects = rects, .rect_count = 1, .first_id = 1};
   assert_int_equal(run_draw(&s, &d, &schedules[0]), -1);
   assert_int_equal(s.fault.kind, SIM_FAULT_ORDER);
   assert_non_null(strstr(s.fault.message, "its ORDERED_PS_DONE went to another packer"));
   stream_destroy(&s);
}

/* Other right ways to write the section. */
static void
variants_are_ordered(void **state)
{
   const struct pops_shader variants[] = {{.finite_sleep = true}, {.no_sleep = true},    {.end_instruction = true},
                                          {.set_always = true},   {.enter_twice = true}, {.dead_end = true}};
   for (unsigned i = 0; i < ARRAY_SIZE(variants); i++) {
      for (unsigned k = 0; k < ARRAY_SIZE(schedules); k++) {
         struct stream s = stream_create(1);
         struct pops_draw d = random_draw(50, 20 + i, 24);
         d.shader = variants[i];
         must_be_ordered(&s, &d, &schedules[k]);
         stream_destroy(&s);
      }
   }
}

/* Quad masks: the layers of a wave one after another. Without the loop the result is wrong. */
static void
layers_inside_of_a_wave(void **state)
{
   for (unsigned k = 0; k < ARRAY_SIZE(schedules); k++) {
      for (unsigned wave32 = 0; wave32 < 2; wave32++) {
         struct stream s = stream_create(1);
         struct pops_draw d = random_draw(60, 30 + k, 6);
         d.intrawave = d.shader.intrawave_loop = true;
         d.wave32 = wave32;
         must_be_ordered(&s, &d, &schedules[k]);
         d.shader.intrawave_loop = false;
         assert_true(run_draw(&s, &d, &schedules[k]) > 0);
         stream_destroy(&s);
      }
   }
}

/* Samples of 4x and 8x in the same pixel, with the interlock on pixels and on samples. */
static void
samples_are_ordered(void **state)
{
   for (unsigned log2 = 2; log2 <= 3; log2++) {
      for (unsigned k = 0; k < ARRAY_SIZE(schedules); k++) {
         struct stream s = stream_create(1);
         struct pops_draw d = random_draw(40, 40 + k, 10);
         d.samples_log2 = log2;
         d.shader.samples = 1u << log2;
         d.overlap_samples_log2 = log2;
         must_be_ordered(&s, &d, &schedules[k]);
         d.overlap_samples_log2 = 0;
         must_be_ordered(&s, &d, &schedules[k]);
         stream_destroy(&s);
      }
   }
}

/* One packer's region, more waves than ids: ids wrap, and a comparison that does not expect it goes wrong. */
static void
ids_wrap(void **state)
{
   for (unsigned i = 0; i < 1500; i++)
      rects[i] = (struct pops_rect){0, 0, 128, 128};
   for (unsigned k = 0; k < 4; k++) {
      struct stream s = stream_create(1);
      struct pops_draw d = {.rects = rects, .rect_count = 1500, .first_id = 1};
      must_be_ordered(&s, &d, &schedules[k]);
      d.shader.plain_comparison = true;
      assert_true(run_draw(&s, &d, &schedules[k]) != 0);
      stream_destroy(&s);
   }
}

/* More waves than are resident poll without an end, as on GFX9, where no exit wakes them: under `worst` the one that
 * may enter has its turn, and stores land that a wave has left behind. */
static void
all_poll(void **state)
{
   for (unsigned i = 0; i < 400; i++)
      rects[i] = (struct pops_rect){0, 0, 128, 128};
   for (unsigned k = 0; k < 4; k++) {
      struct stream s = stream_create(1);
      struct pops_draw d = {.rects = rects, .rect_count = 400, .first_id = 1, .shader = {.finite_sleep = true}};
      must_be_ordered(&s, &d, &schedules[k]);
      stream_destroy(&s);
   }
}

/* The same schedule gives the same bytes, right or wrong, on any number of threads. */
static void
threads_change_nothing(void **state)
{
   const size_t size_B = (size_t)POPS_W * POPS_H * 4;
   uint32_t *first = malloc(size_B);
   for (unsigned k = 0; k < ARRAY_SIZE(schedules); k++) {
      for (unsigned threads = 1; threads <= 3; threads++) {
         struct stream s = stream_create(threads);
         struct pops_draw d = random_draw(50, 50, 30);
         d.shader.no_entry = true;
         assert_true(run_draw(&s, &d, &schedules[k]) >= 0);
         if (threads == 1)
            memcpy(first, s.memory + POPS_WORDS_B, size_B);
         assert_memory_equal(first, s.memory + POPS_WORDS_B, size_B);
         stream_destroy(&s);
      }
   }
   free(first);
}

/* The article, "Hardware bug workarounds", as registers: what hangs with which erratum. */
static void
draining(void **state)
{
   enum { NO_DEPTH = 9 };
   static const char missed[] = "pops-missed-overlap", stalled[] = "pops-stalled";
   static const struct {
      const char *chip;
      unsigned samples_log2, depth_log2;
      bool unordered, drain;
      uint32_t launch;
      const char *hangs;
   } rows[] = {
      {"vega10", 2, 2, false, false, V_PSLC_AUTO, NULL},
      {"vega10", 3, NO_DEPTH, false, false, V_PSLC_AUTO, missed},
      {"vega10", 3, NO_DEPTH, true, false, V_PSLC_AUTO, NULL},
      {"vega10", 3, 3, false, true, V_PSLC_AUTO, NULL},
      {"raven", 2, 3, false, false, V_PSLC_AUTO, missed},
      {"renoir", 3, 3, false, false, V_PSLC_AUTO, NULL},
      {"navi10", 3, 3, false, false, V_PSLC_AUTO, NULL},
      {"navi10", 0, NO_DEPTH, false, true, V_PSLC_AUTO, stalled},
      {"navi10", 0, NO_DEPTH, false, true, V_PSLC_ASAP, stalled},
      {"navi10", 0, NO_DEPTH, false, true, V_PSLC_ON_HANG_ONLY, NULL},
      {"navi10", 0, NO_DEPTH, true, true, V_PSLC_AUTO, NULL},
      {"navi21", 3, 3, false, true, V_PSLC_AUTO, NULL},
   };
   static struct amd_regs regs;
   static struct amd_draw_state draw;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct amd_chip *chip = amd_chip_by_name(rows[i].chip);
      struct amd_model *model = amd_model_create(chip->gen);
      struct sim_fault fault = {0};
      const struct amd_gpu gpu = {.chip = chip, .model = model, .regs = &regs, .fault = &fault};
      bool depth = rows[i].depth_log2 != NO_DEPTH;
      draw.samples.log2 = (uint8_t)rows[i].samples_log2;
      draw.pixel.export_mask = 1;
      *amd_regs_slot(&regs, R_DB_SHADER_CONTROL) =
         S_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER(!rows[i].unordered);
      *amd_regs_slot(&regs, R_DB_Z_INFO(chip->gen)) =
         depth ? S_DB_Z_INFO_FORMAT(V_Z_32_FLOAT) | S_DB_Z_INFO_NUM_SAMPLES(rows[i].depth_log2) : 0;
      *amd_regs_slot(&regs, R_DB_DFSM_CONTROL(chip->gen)) =
         S_DB_DFSM_CONTROL_PUNCHOUT_MODE(V_PUNCHOUT_MODE_FORCE_OFF) |
         S_DB_DFSM_CONTROL_POPS_DRAIN_PS_ON_OVERLAP(rows[i].drain);
      *amd_regs_slot(&regs, R_DB_RENDER_OVERRIDE2) =
         S_DB_RENDER_OVERRIDE2_PARTIAL_SQUAD_LAUNCH_CONTROL(rows[i].launch);
      bool hangs = !amd_draw_state_pops(&draw, &gpu);
      if (hangs != (rows[i].hangs != NULL) || (hangs && !strstr(fault.message, rows[i].hangs)))
         fail_msg("row %u: %s", i, fault.message);
      memset(&regs, 0, sizeof(regs));
      free(model);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_schedule_is_ordered),
      cmocka_unit_test(unordered_shaders_show),
      cmocka_unit_test(synchronisation_gets_lost),
      cmocka_unit_test(memory_outside_of_the_section),
      cmocka_unit_test(stores_land_late),
      cmocka_unit_test(plain_stores_stay),
      cmocka_unit_test(loads_land_late),
      cmocka_unit_test(hangs_are_faults),
      cmocka_unit_test(hang_says_who_waits),
      cmocka_unit_test(lost_messages),
      cmocka_unit_test(variants_are_ordered),
      cmocka_unit_test(layers_inside_of_a_wave),
      cmocka_unit_test(samples_are_ordered),
      cmocka_unit_test(ids_wrap),
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(draining),
      cmocka_unit_test(all_poll),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
