/* Draws that meet in a tile: fragments of a pixel, each of another draw, wait for each other or get out of order. No
 * draw has two fragments of a pixel, so what is wrong here is wrong between draws. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render_try.h"
#include "util/macros.h"

enum {
   SIZE = 64, /* px: four tiles, or more */
   DRAWS = 7,
   SCHEDULES = 5,
   TEXT = 1024,
};

static unsigned failures;

#define EXPECT(condition, ...)                                                                                       \
   do {                                                                                                              \
      if (!(condition)) {                                                                                            \
         printf("%s: ", __func__);                                                                                   \
         printf(__VA_ARGS__);                                                                                        \
         printf("\n");                                                                                               \
         failures++;                                                                                                 \
      }                                                                                                              \
   } while (0)

static struct sim_schedule
schedule(unsigned n)
{
   static const enum sim_schedule_kind kinds[] = {SIM_SCHEDULE_IN_ORDER, SIM_SCHEDULE_ROUND_ROBIN,
                                                  SIM_SCHEDULE_WORST};
   return n < ARRAY_SIZE(kinds) ? (struct sim_schedule){.kind = kinds[n]}
                                : (struct sim_schedule){.kind = SIM_SCHEDULE_SEED, .seed = n};
}

/* Two triangles over all pixels. */
static void
add(struct render_try *r, struct render_draw *d, const char *program, float z)
{
   static const float corners[6][2] = {{-1, -1}, {1, -1}, {-1, 1}, {-1, 1}, {1, -1}, {1, 1}};
   float data[48] = {0};
   for (unsigned i = 0; i < 6; i++) {
      memcpy(data + i * 8, corners[i], sizeof(corners[i]));
      data[i * 8 + 2] = z;
      data[i * 8 + 3] = 1.0f;
   }
   d->data = data, d->data_count = 48, d->count = 6;
   d->fragment = program;
   render_add(r, d);
}

/* ---- the tile buffer: x = 3 x + number of the draw, which only one order gives ---- */

enum tile_program { WAITS, WAITS_NOT, WAITS_FOR_TESTS, WAITS_AFTER, COVERS, COVERS_NOT_WAITING };

static void
write_tile_program(char text[TEXT], enum tile_program kind, unsigned number, unsigned samples)
{
   static const char *const waits[] = {"pixwait 12, 0\n", "", "pixwait 1, 0\n", "", "pixwait 12, 0\n", ""};
   bool covers = kind == COVERS || kind == COVERS_NOT_WAITING;
   int used = snprintf(text, TEXT, "ldimm r8, %u\n%s", number, waits[kind]);
   for (unsigned s = 0; s < samples && !covers; s++)
      used += snprintf(text + used, TEXT - (size_t)used,
                       "ld_tile r2, 0, %u, 0, i32, x\nimadd r2, r2, 3, r8\n%sst_tile r2, 0, %u, 0, i32, x\n", 1u << s,
                       kind == WAITS_AFTER && !s ? "pixwait 12, 0\n" : "", 1u << s);
   if (covers)
      used += snprintf(text + used, TEXT - (size_t)used, "st_tile r8, 0, 255, 0, i32, x\n");
   snprintf(text + used, TEXT - (size_t)used, "stop\n");
}

/* Draws with that program at the numbers of the mask, and with the right one at the others. opaque: numbers of draws
 * that cover what is there: the tags that they leave are shaded ahead of the next one. What is right. */
static uint32_t
begin_tile(struct render_try *r, enum tile_program odd, uint32_t mask, uint32_t opaque, unsigned samples,
           unsigned schedule_number)
{
   char text[DRAWS][TEXT];
   uint32_t right = 0xff996633;
   render_begin(r, SIZE, SIZE, samples, 1);
   r->schedule = schedule(schedule_number);
   for (unsigned i = 0; i < DRAWS; i++) {
      bool covers = opaque >> i & 1;
      write_tile_program(text[i], mask >> i & 1 ? odd : covers ? COVERS : WAITS, i + 1, samples);
      struct render_draw d = render_draw(r);
      d.control.pass_type = covers ? AGX_PASS_TYPE_OPAQUE : AGX_PASS_TYPE_TRANSLUCENT;
      add(r, &d, text[i], 0.5f);
      right = covers ? i + 1 : right * 3 + i + 1;
   }
   return right;
}

static unsigned
run_tile(enum tile_program odd, uint32_t mask, uint32_t opaque, unsigned samples, unsigned schedule_number)
{
   struct render_try r;
   uint32_t right = begin_tile(&r, odd, mask, opaque, samples, schedule_number);
   unsigned wrong = 0;
   if (!render_run(&r)) {
      printf("%s\n", r.fault.message);
      exit(1);
   }
   for (unsigned i = 0; i < SIZE * SIZE * samples; i++)
      wrong += render_pixel(&r, i % SIZE, i / SIZE % SIZE, 0, i / (SIZE * SIZE)) != right;
   render_free(&r);
   return wrong;
}

static void
test_tile(unsigned samples)
{
   static const struct {
      const char *what;
      enum tile_program odd;
      uint32_t mask, opaque;
      bool right;
   } rows[] = {
      {"all wait", WAITS, 0, 0, true},
      {"opaque draws between", WAITS, 0, 0x24, true},
      {"the oldest one waits for nobody", WAITS_NOT, 1, 0, true},
      {"none waits", WAITS_NOT, 0x7f, 0, false},
      {"one does not wait", WAITS_NOT, 0x10, 0, false},
      {"one waits for the tests", WAITS_FOR_TESTS, 0x10, 0, false},
      {"one waits after its load", WAITS_AFTER, 0x10, 0, false},
      {"an opaque one does not wait", COVERS_NOT_WAITING, 0x10, 0x10, false},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      unsigned shown = 0;
      for (unsigned n = 0; n < SCHEDULES; n++)
         shown += run_tile(rows[i].odd, rows[i].mask, rows[i].opaque, samples, n) != 0;
      EXPECT(rows[i].right ? !shown : shown, "%s, %u samples: wrong under %u of %u schedules", rows[i].what, samples,
             shown, SCHEDULES);
   }
}

/* What is wrong depends on the schedule, not on the number of host threads. */
static void
test_threads(void)
{
   static uint32_t pixels[3][SIZE * SIZE];
   for (unsigned n = 0; n < 4; n++) {
      for (unsigned i = 0; i < ARRAY_SIZE(pixels); i++) {
         struct render_try r;
         begin_tile(&r, WAITS_NOT, 0x7f, 0, 1, n);
         r.threads = i == 2 ? 5 : i + 1;
         EXPECT(render_run(&r), "%s", r.fault.message);
         for (unsigned p = 0; p < SIZE * SIZE; p++)
            pixels[i][p] = render_pixel(&r, p % SIZE, p / SIZE, 0, 0);
         render_free(&r);
         EXPECT(!memcmp(pixels[0], pixels[i], sizeof(pixels[0])), "schedule %u, %u threads", n, i == 2 ? 5 : i + 1);
      }
   }
}

/* ---- memory, in ordered sections: the same with words of a buffer ---- */

#define PLACE                                                                                                        \
   "mov r1, thread_in_grid_x\nmov r2, thread_in_grid_y\nshl r2, r2, 6\niadd r1, r1, r2\n"                            \
   "ldimm r4, %u\nldimm r5, %u\nldimm r8, %u\n"
#define LOAD "load r3, dr4, r1, i32, x, coherent, a\nwait a\n"
#define LOAD_CACHED "load r3, dr4, r1, i32, x, a\nwait a\n"
#define STORE "imadd r3, r3, 3, r8\nstore r3, dr4, r1, i32, x, coherent, b\n"
#define STORE_CACHED "imadd r3, r3, 3, r8\nstore r3, dr4, r1, i32, x, b\n"
#define LEAVE "memory_barrier\nstop\n"

static const char whole_section[] = PLACE "pixwait 12, 0\n" LOAD STORE LEAVE;

static unsigned
run_memory(const char *odd, uint32_t mask, unsigned schedule_number)
{
   struct render_try r;
   char text[DRAWS][TEXT];
   uint32_t right = 0;
   unsigned wrong = 0;
   render_begin(&r, SIZE, SIZE, 1, 1);
   r.schedule = schedule(schedule_number);
   uint64_t words = render_memory(&r, NULL, SIZE * SIZE * 4);
   for (unsigned i = 0; i < DRAWS; i++) {
      snprintf(text[i], TEXT, mask >> i & 1 ? odd : whole_section, (unsigned)words, (unsigned)(words >> 32), i + 1);
      struct render_draw d = render_draw(&r);
      d.control.pass_type = AGX_PASS_TYPE_TRANSLUCENT;
      add(&r, &d, text[i], 0.5f);
      right = right * 3 + i + 1;
   }
   if (!render_run(&r)) {
      printf("%s\n", r.fault.message);
      exit(1);
   }
   const uint32_t *have = render_host(&r, words);
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      wrong += have[i] != right;
   render_free(&r);
   return wrong;
}

static void
test_memory(void)
{
   static const struct {
      const char *what, *odd;
      uint32_t mask;
      bool right;
   } rows[] = {
      {"all there is", whole_section, 0, true},
      {"the first does not wait", PLACE LOAD STORE LEAVE, 1, true},
      {"the last has no barrier", PLACE "pixwait 12, 0\n" LOAD STORE "stop\n", 1u << (DRAWS - 1), true},
      {"one does not wait", PLACE LOAD STORE LEAVE, 0x10, false},
      {"one waits for the tests", PLACE "pixwait 1, 0\n" LOAD STORE LEAVE, 0x10, false},
      {"one waits after its load", PLACE LOAD "pixwait 12, 0\n" STORE LEAVE, 0x10, false},
      {"one has no barrier", PLACE "pixwait 12, 0\n" LOAD STORE "stop\n", 0x10, false},
      {"the first has no barrier", PLACE "pixwait 12, 0\n" LOAD STORE "stop\n", 1, false},
      {"one loads from a cache", PLACE "pixwait 12, 0\n" LOAD_CACHED STORE LEAVE, 0x10, false},
      {"one stores to a cache", PLACE "pixwait 12, 0\n" LOAD STORE_CACHED LEAVE, 0x10, false},
      {"one lets others continue too early", PLACE "pixwait 12, 0\npixrel 12, 0\n" LOAD STORE LEAVE, 0x10, false},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      unsigned shown = 0;
      for (unsigned n = 0; n < SCHEDULES; n++)
         shown += run_memory(rows[i].odd, rows[i].mask, n) != 0;
      EXPECT(rows[i].right ? !shown : shown, "%s: wrong under %u of %u schedules", rows[i].what, shown, SCHEDULES);
   }
}

/* ---- tests ---- */

/* Depth 0.25 always, then one at 0.5 that must be nearer: hidden, whoever tests. */
struct pair {
   const char *second; /* its program; NULL: early tests */
   unsigned samples;
};

static const char first_depth[] = "ldimm r8, 1048576000\nldimm r2, 1\npixwait 1, 0\nzs_emit 255, r8\n"
                                  "pixwait 12, 0\nst_tile r2, 0, 255, 0, i32, x\nstop\n";
static const char second_early[] = "ldimm r2, 2\npixwait 12, 0\nst_tile r2, 0, 255, 0, i32, x\nstop\n";
static const char second_late[] = "ldimm r8, 1056964608\nldimm r2, 2\npixwait 1, 0\nzs_emit 255, r8\n"
                                  "pixwait 12, 0\nst_tile r2, 0, 255, 0, i32, x\nstop\n";
static const char second_unordered[] = "ldimm r8, 1056964608\nldimm r2, 2\nzs_emit 255, r8\n"
                                       "pixwait 12, 0\nst_tile r2, 0, 255, 0, i32, x\nstop\n";

static void
add_pair(struct render_try *r, const struct pair *pair)
{
   struct render_draw d = render_draw(r);
   d.early = false;
   d.control.pass_type = AGX_PASS_TYPE_PUNCH_THROUGH;
   d.control.visibility_mode = AGX_VISIBILITY_MODE_COUNTING;
   d.query = 1;
   d.face.disable_depth_write = d.face_2.disable_depth_write = false;
   add(r, &d, first_depth, 0.9f);
   d.early = !pair->second;
   d.face.depth_function = d.face_2.depth_function = AGX_ZS_FUNC_LESS;
   d.control.pass_type = d.early ? AGX_PASS_TYPE_TRANSLUCENT : AGX_PASS_TYPE_PUNCH_THROUGH;
   d.query = 2;
   add(r, &d, d.early ? second_early : pair->second, 0.5f);
}

static bool
run_pair(const struct pair *pair, unsigned schedule_number)
{
   struct render_try r;
   render_begin(&r, SIZE, SIZE, pair->samples, 1);
   r.schedule = schedule(schedule_number);
   r.command.isp_bgobjdepth = 0x3f800000;
   add_pair(&r, pair);
   if (!render_run(&r)) {
      printf("%s\n", r.fault.message);
      exit(1);
   }
   const uint64_t *queries = render_host(&r, r.command.isp_oclqry_base);
   bool right = queries[1] == SIZE * SIZE * pair->samples && queries[2] == 0;
   for (unsigned i = 0; i < SIZE * SIZE * pair->samples; i++)
      right &= render_pixel(&r, i % SIZE, i / SIZE % SIZE, 0, i / (SIZE * SIZE)) == 1;
   render_free(&r);
   return right;
}

static void
test_tests(unsigned samples)
{
   static const struct {
      const char *what, *second;
      bool right;
   } rows[] = {
      {"early after late", NULL, true},
      {"late after late", second_late, true},
      {"late after late, and does not wait", second_unordered, false},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      unsigned shown = 0;
      for (unsigned n = 0; n < SCHEDULES; n++)
         shown += !run_pair(&(struct pair){rows[i].second, samples}, n);
      EXPECT(rows[i].right ? !shown : shown, "%s, %u samples: wrong under %u of %u schedules", rows[i].what, samples,
             shown, SCHEDULES);
   }
}

int
main(void)
{
   for (unsigned samples = 1; samples <= 4; samples *= 4) {
      test_tile(samples);
      test_tests(samples);
   }
   test_threads();
   test_memory();
   printf("%u failures\n", failures);
   return failures != 0;
}
