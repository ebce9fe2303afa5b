/* Races of pixel shaders: what draws of real instructions report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "pops_scene.h"

static struct pops_rect rects[64];

static const struct sim_schedule schedules[] = {
   {SIM_SCHEDULE_IN_ORDER, 0}, {SIM_SCHEDULE_ROUND_ROBIN, 0}, {SIM_SCHEDULE_WORST, 0}, {SIM_SCHEDULE_SEED, 1}};

/* Runs what is recorded; returns the report, which the caller frees. */
static char *
report_of(struct stream *s, const struct sim_schedule *schedule)
{
   char *text = NULL;
   size_t size = 0;
   FILE *out = open_memstream(&text, &size);
   amd_sim_set_races(s->sim, out);
   amd_sim_set_schedule(s->sim, schedule);
   bool ok = stream_run(s), any = amd_sim_races(s->sim) != 0;
   amd_sim_set_races(s->sim, NULL);
   fclose(out);
   if (!ok)
      fail_msg("%s", s->fault.message);
   if (any != (*text != 0))
      fail_msg("%s", text);
   return text;
}

/* Each mistake is reported where it is made, under every schedule; what is ordered or atomic is not. */
static void
mistakes_of_shaders(void **state)
{
   const struct {
      struct pops_shader shader;
      const char *text[2]; /* parts of the report; NULL: silence */
   } cases[] = {
      {{0}, {NULL}},
      {{.end_instruction = true}, {NULL}},
      {{.work = POPS_STORE}, {NULL}},
      {{.work = POPS_ATOMIC, .no_entry = true}, {NULL}},
      {{.no_entry = true}, {"write at 0x", "global_store_dword"}},
      {{.work = POPS_STORE, .no_entry = true}, {"write at 0x", "global_store_dword"}},
      {{.work = POPS_IMAGE}, {NULL}},
      {{.work = POPS_IMAGE, .no_entry = true}, {"image_store", "ahead of the section"}},
      {{.hoist_load = true}, {"global_load_dword", "ahead of the section"}},
      {{.no_store_wait = true}, {"global_store_dword", "after the section"}},
      {{.message_early = true}, {"global_store_dword", "after the section"}},
      {{.message_early = true, .work = POPS_IMAGE}, {"image_store", "after the section"}},
   };
   uint32_t random = 77;
   for (unsigned i = 0; i < 40; i++) {
      random = random * 1664525 + 1013904223;
      int x = (int)(random >> 16) % 500, y = (int)(random >> 8) % 500;
      rects[i] = (struct pops_rect){x, y, x + 480, y + 300};
   }
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      for (unsigned k = 0; k < ARRAY_SIZE(schedules); k++) {
         struct stream s = stream_create(1);
         struct pops_draw d = {.shader = cases[i].shader, .rects = rects, .rect_count = 40, .first_id = 1};
         pops_record(&s, &d);
         char *text = report_of(&s, &schedules[k]);
         for (unsigned t = 0; t < 2; t++)
            if (cases[i].text[t] ? !strstr(text, cases[i].text[t]) : !cases[i].text[0] && *text)
               fail_msg("case %u, schedule %u: %s", i, k, text);
         free(text);
         stream_destroy(&s);
      }
   }
}

/* The report names instruction, address and pixel. */
static void
text_of_a_report(void **state)
{
   struct stream s = stream_create(1);
   rects[0] = rects[1] = (struct pops_rect){5 * 16, 7 * 16, 6 * 16, 8 * 16};
   struct pops_draw d = {.shader = {.work = POPS_STORE},
                         .rects = rects,
                         .rect_count = 2,
                         .first_id = 1,
                         .no_enable = true,
                         .no_rsrc2 = true,
                         .no_pa_sc = true};
   d.shader.no_entry = true;
   pops_record(&s, &d);
   char *text = report_of(&s, &schedules[0]), want[256];
   struct assembly program;
   unsigned at = 0;
   pops_build(&program, &d.shader, false);
   while (program.words[at] >> 26 != 0x37) /* FLAT */
      at++;
   const char *store = "global_store_dword v5, v4, s[0:1] glc";
   unsigned long long va = stream_base + POPS_PS_B + at * 4;
   snprintf(want, sizeof(want),
            "indium: draw 0: 1 races of overlapping pixel shader invocations\n"
            "indium:   1 times, first at pixel (5, 7): write at 0x%llx (%s), then write at 0x%llx (%s); neither is "
            "ordered\n",
            va, store, va, store);
   assert_string_equal(text, want);
   free(text);
   stream_destroy(&s);
}

/* More quads than a launch of the model takes at once. */
static void
long_draws(void **state)
{
   struct stream s = stream_create(1);
   for (unsigned i = 0; i < 50; i++)
      rects[i] = (struct pops_rect){0, 0, POPS_W * 16, POPS_H * 16};
   struct pops_draw d = {.rects = rects, .rect_count = 50, .first_id = 1};
   pops_record(&s, &d);
   char *text = report_of(&s, &schedules[0]);
   assert_string_equal(text, "");
   free(text);
   stream_destroy(&s);
}

/* Two draws with the same rectangles. */
static void
draws(void **state)
{
   enum { NOTHING, WAIT, NEW_JOB };
   const struct {
      struct pops_shader shader;
      bool ordered[2];
      unsigned between;
      const char *text;
   } cases[] = {
      {{0}, {true, true}, NOTHING, NULL},
      {{.work = POPS_STORE}, {true, true}, NOTHING, NULL},
      {{.work = POPS_STORE, .no_entry = true}, {false, false}, NOTHING, " of draw 0, then write at 0x"},
      {{.work = POPS_STORE, .no_entry = true}, {false, false}, WAIT, NULL},
      {{.work = POPS_STORE, .no_entry = true}, {false, false}, NEW_JOB, NULL},
      {{.work = POPS_ATOMIC, .no_entry = true}, {false, false}, NOTHING, NULL},
      {{.work = POPS_STORE}, {true, false}, NOTHING, "the second is not ordered"},
      {{.work = POPS_STORE}, {false, true}, NOTHING, "the first is not ordered"},
      {{.work = POPS_STORE}, {true, false}, WAIT, NULL},
      {{.hoist_load = true}, {true, true}, NOTHING, "ahead of the section"},
      {{.hoist_load = true}, {true, true}, WAIT, NULL},
      {{.no_store_wait = true}, {true, true}, NOTHING, "after the section"},
      {{.no_store_wait = true}, {true, true}, NEW_JOB, NULL},
      {{.glance = POPS_SCALAR}, {true, true}, NOTHING, "s_load_dword"},
      {{.glance = POPS_SCALAR}, {true, true}, WAIT, NULL},
      {{.glance = POPS_SAMPLE}, {true, true}, NOTHING, "image_sample_lz"},
      {{.glance = POPS_SAMPLE}, {true, true}, WAIT, NULL},
   };
   rects[0] = (struct pops_rect){0, 0, POPS_W * 16, POPS_H * 16};
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      struct stream s = stream_create(1);
      struct pops_draw d = {.shader = cases[i].shader, .rects = rects, .rect_count = 1, .first_id = 1};
      char *text[2] = {NULL};
      for (unsigned n = 0; n < 2; n++) {
         d.no_enable = !cases[i].ordered[n];
         pops_record(&s, &d);
         if (!n && cases[i].between == WAIT)
            emit_packet(&s, PKT3_EVENT_WRITE, 1, (const uint32_t[1]){V_PS_PARTIAL_FLUSH | 4 << 8});
         if (n || cases[i].between == NEW_JOB)
            text[n] = report_of(&s, &schedules[0]);
      }
      if (cases[i].text ? !strstr(text[1], cases[i].text) : *text[1] != 0)
         fail_msg("case %u: %s", i, text[1]);
      free(text[0]);
      free(text[1]);
      stream_destroy(&s);
   }
}

/* One word for all samples of a pixel: sample interlock is not enough. */
static void
too_fine_an_interlock(void **state)
{
   rects[0] = (struct pops_rect){0, 0, 3 * 16 + 8, 16 * 16};
   rects[1] = (struct pops_rect){3 * 16 + 8, 0, 8 * 16, 16 * 16};
   for (unsigned log2 = 0; log2 <= 2; log2 += 2) {
      struct stream s = stream_create(1);
      struct pops_draw d = {
         .rects = rects, .rect_count = 2, .first_id = 1, .samples_log2 = 2, .overlap_samples_log2 = log2};
      pops_record(&s, &d);
      char *text = report_of(&s, &schedules[0]);
      if (!log2)
         assert_string_equal(text, "");
      else
         assert_non_null(strstr(text, "they share no sample"));
      free(text);
      stream_destroy(&s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(mistakes_of_shaders),
      cmocka_unit_test(text_of_a_report),
      cmocka_unit_test(long_draws),
      cmocka_unit_test(draws),
      cmocka_unit_test(too_fine_an_interlock),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
