/* Which pairs of accesses race. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "sim/waves/race.h"
#include "util/macros.h"

enum {
   W = SIM_RACE_WRITE,
   A = SIM_RACE_WRITE | SIM_RACE_ATOMIC,
   EARLY = SIM_RACE_EARLY,
   LATE = SIM_RACE_LATE,
   FREE = SIM_RACE_EARLY | SIM_RACE_UNORDERED,
};

/* Two accesses; what differs from a plain one of pixel (1, 1) to word 5 in wave 0, all samples, one granule. */
struct pair {
   struct sim_race_access a, b;
   bool race;
};

static const struct pair pairs[] = {
   {{.flags = W}, {.wave = 1, .flags = W}, false}, /* in order */
   {{.flags = W}, {.wave = 1, .flags = W | EARLY}, true},
   {{.flags = W}, {.wave = 1, .flags = EARLY}, true},
   {{.flags = 0}, {.wave = 1, .flags = W | EARLY}, true},
   {{.flags = 0}, {.wave = 1, .flags = EARLY}, false},     /* reads */
   {{.flags = W | EARLY}, {.wave = 1, .flags = W}, false}, /* early with respect to older waves only */
   {{.flags = W | LATE}, {.wave = 1}, true},
   {{.flags = LATE}, {.wave = 1, .flags = W}, true},
   {{.flags = W}, {.wave = 1, .flags = W | LATE}, false},
   {{.flags = W | FREE}, {.wave = 1, .flags = W | FREE}, true},
   {{.flags = A | FREE}, {.wave = 1, .flags = A | FREE}, false},
   {{.flags = A | FREE}, {.wave = 1, .flags = W | FREE}, true},
   {{.flags = A | FREE}, {.wave = 1, .flags = FREE}, true},
   {{.flags = W | FREE}, {.wave = 1, .flags = W | FREE, .x = 2}, false},
   {{.flags = W | FREE}, {.wave = 1, .flags = W | FREE, .y = 2}, false},
   {{.flags = W | FREE}, {.wave = 1, .flags = W | FREE, .word = 6}, false},
   /* bytes of one dword */
   {{.flags = W | FREE, .bytes = 3}, {.wave = 1, .flags = W | FREE, .bytes = 12}, false},
   {{.flags = W | FREE, .bytes = 3}, {.wave = 1, .flags = W | FREE, .bytes = 6}, true},
   /* one wave: lanes of one instruction */
   {{.flags = W}, {.lane = 9, .flags = W}, true},
   {{.flags = W}, {.lane = 9, .flags = W, .instance = 8}, false},
   {{.flags = W | FREE}, {.flags = W | FREE, .instance = 8}, false},
   /* samples: by the granularity of the interlock; of two draws, the coarser */
   {{.flags = W, .samples = 1, .samples_log2 = 2}, {.wave = 1, .flags = W, .samples = 2, .samples_log2 = 2}, true},
   {{.flags = W, .samples = 3, .samples_log2 = 2}, {.wave = 1, .flags = W, .samples = 2, .samples_log2 = 2}, false},
   {{.flags = W, .samples = 1, .samples_log2 = 2}, {.wave = 1, .flags = W, .samples = 16, .samples_log2 = 2}, false},
   {{.flags = W, .samples = 1, .samples_log2 = 3}, {.wave = 1, .flags = W, .samples = 16, .samples_log2 = 3}, true},
   {{.flags = W, .samples = 1}, {.wave = 1, .flags = W, .samples = 2}, false},
   {{.flags = W, .samples = 1, .samples_log2 = 2}, {.wave = 1, .flags = W, .samples = 2}, false},
};

static struct sim_race_access
filled(struct sim_race_access a)
{
   a.word = a.word ? a.word : 5;
   a.instance = a.instance ? a.instance : 7;
   a.x = a.x ? a.x : 1;
   a.y = a.y ? a.y : 1;
   a.samples = a.samples ? a.samples : 0xff;
   a.bytes = a.bytes ? a.bytes : 15;
   return a;
}

static void
pairs_of_accesses(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(pairs); i++) {
      struct sim_race_access a = filled(pairs[i].a), b = filled(pairs[i].b);
      FILE *out = fopen("/dev/null", "w");
      struct sim_races *races = sim_races_create(out);
      sim_races_begin_draw(races, 1, 0);
      sim_races_begin_launch(races, sim_va(0), NULL, NULL);
      sim_races_add(races, &a);
      sim_races_add(races, &b);
      if (sim_races_end_draw(races) != pairs[i].race)
         fail_msg("pair %u", i);
      sim_races_destroy(races);
      fclose(out);
   }
}

/* The same wave number in two launches, and in two draws: two waves. A draw that was waited for is forgotten, and
 * only that. */
static void
launches_and_draws(void **state)
{
   struct sim_race_access write = filled((struct sim_race_access){.flags = W});
   struct sim_race_access loose = filled((struct sim_race_access){.flags = W | FREE, .lane = 3});
   FILE *out = fopen("/dev/null", "w");
   struct sim_races *r = sim_races_create(out);
   sim_races_begin_draw(r, 10, 9);
   for (unsigned launch = 0; launch < 3; launch++) {
      sim_races_begin_launch(r, sim_va(0), NULL, NULL);
      write.lane = (uint8_t)launch;
      sim_races_add(r, &write);
   }
   assert_int_equal(sim_races_end_draw(r), 0);
   sim_races_begin_draw(r, 11, 9);
   sim_races_begin_launch(r, sim_va(0), NULL, NULL);
   sim_races_add(r, &loose);
   assert_int_equal(sim_races_end_draw(r), 1);
   sim_races_begin_draw(r, 12, 10); /* draw 11 is still under way */
   sim_races_begin_launch(r, sim_va(0), NULL, NULL);
   sim_races_add(r, &loose);
   assert_int_equal(sim_races_end_draw(r), 1);
   sim_races_begin_draw(r, 13, 12);
   sim_races_begin_launch(r, sim_va(0), NULL, NULL);
   sim_races_add(r, &loose);
   assert_int_equal(sim_races_end_draw(r), 0);
   assert_int_equal(sim_races_count(r), 2);
   sim_races_destroy(r);
   fclose(out);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_of_accesses),
      cmocka_unit_test(launches_and_draws),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
