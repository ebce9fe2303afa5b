/* Primitive ordered pixel shading on the model: real instructions, every schedule, against order in C. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "pops_scene.h"

enum { WORDS = POPS_W * POPS_H * 8 };

static uint32_t expected[WORDS];
static struct pops_rect rects[POPS_MAX_RECTS];

static const struct amd_schedule schedules[] = {
   {AMD_SCHEDULE_IN_ORDER, 0}, {AMD_SCHEDULE_ROUND_ROBIN, 0}, {AMD_SCHEDULE_WORST, 0},
   {AMD_SCHEDULE_SEED, 1},     {AMD_SCHEDULE_SEED, 2},        {AMD_SCHEDULE_SEED, 3},
};

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
run(struct stream *s, const struct pops_draw *d, const struct amd_schedule *schedule)
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
must_be_ordered(struct stream *s, const struct pops_draw *d, const struct amd_schedule *schedule)
{
   int wrong = run(s, d, schedule);
   if (wrong < 0)
      fail_msg("%s", s->fault.message);
   assert_int_equal(wrong, 0);
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

/* Without the entry the result is wrong under `worst` and under some seeds. */
static void
unordered_shaders_show(void **state)
{
   struct stream s = stream_create(1);
   struct pops_draw d = random_draw(60, 9, 30);
   d.shader.no_entry = true;
   unsigned wrong = 0;
   for (unsigned seed = 1; seed <= 4; seed++)
      wrong += run(&s, &d, &(struct amd_schedule){AMD_SCHEDULE_SEED, seed}) > 0;
   assert_true(wrong >= 3);
   assert_true(run(&s, &d, &schedules[2]) > 0);
   stream_destroy(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_schedule_is_ordered),
      cmocka_unit_test(unordered_shaders_show),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
