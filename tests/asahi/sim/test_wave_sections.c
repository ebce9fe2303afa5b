/* Ordered sections: fragments of a pixel that change memory one after another, and what happens without one of the
 * things that make it so. */
#include "wave_rig.h"

#include <stdio.h>
#include <string.h>

#include "asahi/hw/isa.h"
#include "asahi/hw/records.h"
#include "util/macros.h"

#define GROUPS 40
#define SCHEDULES 16

static bool
test_samples(void *user, const struct agx_wave_test *test, uint8_t passed[AGX_WAVE_LANES], struct sim_fault *fault)
{
   (void)user;
   (void)fault;
   memcpy(passed, test->samples, AGX_WAVE_LANES);
   return true;
}

/* All have the same 8 by 4 pixels; r1 is the pixel's number, r5 the fragment's. */
static void
start(void *user, uint32_t group, uint32_t wave, struct agx_wave_start *start)
{
   (void)user;
   (void)wave;
   start->lanes = UINT32_MAX;
   start->register_count = 6;
   for (unsigned l = 0; l < AGX_WAVE_LANES; l++) {
      start->reg[1][l] = l;
      start->reg[5][l] = group;
      start->fragments.samples[l] = 1;
      start->fragments.x[l] = (uint16_t)(l % 8);
      start->fragments.y[l] = (uint16_t)(l / 8);
   }
   start->fragments.older_count = group > 0;
   start->fragments.older[0] = group - 1;
}

static const struct agx_wave_hooks hooks = {.test = test_samples};

static void
set_schedule(struct rig *r, unsigned n)
{
   struct sim_schedule schedule = {.kind = n < SIM_SCHEDULE_SEED ? (enum sim_schedule_kind)n : SIM_SCHEDULE_SEED,
                                   .seed = n};
   if (n == SIM_SCHEDULE_SEED)
      schedule.kind = SIM_SCHEDULE_WORST;
   agx_wave_engine_set_schedule(r->engine, &schedule);
}

static void
draw(struct rig *r, const char *text)
{
   const struct agx_wave_launch launch = {.program = r->program,
                                          .vm = r->vm,
                                          .group_count = GROUPS,
                                          .waves_per_group = 1,
                                          .hooks = &hooks,
                                          .start = start};
   memset(r->data, 0, DATA_B);
   rig_assemble(r, 0, text);
   r->program->stage = AGX_STAGE_FRAGMENT;
   r->fault = (struct sim_fault){0};
   if (!agx_wave_run(r->engine, &launch, &r->fault))
      fail_msg("%s: %s", text, r->fault.message);
}

/* x = 3 x + number of the fragment: only one order gives this. */
static unsigned
wrong_pixels(const struct rig *r)
{
   const uint32_t *pixel = (const void *)r->data;
   uint32_t right = 0;
   unsigned wrong = 0;
   for (uint32_t g = 0; g < GROUPS; g++)
      right = right * 3 + g;
   for (unsigned l = 0; l < AGX_WAVE_LANES; l++)
      wrong += pixel[l] != right;
   return wrong;
}

#define LOAD "load r3, du0, r1, i32, x, coherent, a\nwait a\n"
#define LOAD_CACHED "load r3, du0, r1, i32, x, a\nwait a\n"
#define STORE "imadd r3, r3, 3, r5\nstore r3, du0, r1, i32, x, coherent, b\n"
#define STORE_CACHED "imadd r3, r3, 3, r5\nstore r3, du0, r1, i32, x, b\n"
#define LEAVE "memory_barrier\n"

static const struct {
   const char *what, *text;
   bool right;
} rows[] = {
   {"all there is", "pixwait 12, 0\n" LOAD STORE LEAVE, true},
   {"each fence by itself", "pixwait 4, 0\npixwait 8, 0\n" LOAD STORE LEAVE, true},
   {"release after all", "pixwait 12, 0\n" LOAD STORE LEAVE "pixrel 12, 0\n", true},
   {"tests after it", "pixwait 12, 0\n" LOAD STORE LEAVE "pixwait 1, 0\nsample_mask 255, 255\n", true},
   {"no wait", LOAD STORE LEAVE, false},
   {"the fence of tests", "pixwait 1, 0\n" LOAD STORE LEAVE, false},
   {"the fence of tests, ahead of which they are", "sample_mask 255, 255\npixwait 1, 0\n" LOAD STORE LEAVE, false},
   {"the wait after the load", LOAD "pixwait 12, 0\n" STORE LEAVE, false},
   {"release ahead of all", "pixwait 12, 0\npixrel 12, 0\n" LOAD STORE LEAVE, false},
   {"a load that is not coherent", "pixwait 12, 0\n" LOAD_CACHED STORE LEAVE, false},
   {"a store that is not coherent", "pixwait 12, 0\n" LOAD STORE_CACHED LEAVE, false},
   {"no barrier", "pixwait 12, 0\n" LOAD STORE, false},
   {"no barrier, and tests after it", "pixwait 12, 0\n" LOAD STORE "pixwait 1, 0\nsample_mask 255, 255\n", false},
   {"the barrier of images", "pixwait 12, 0\n" LOAD STORE "image_barrier_1\n", false},
};

static void
test_mistakes(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 2);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      unsigned bad = 0;
      for (unsigned n = 0; n < SCHEDULES; n++) {
         set_schedule(&r, n);
         draw(&r, rows[i].text);
         bad += wrong_pixels(&r) != 0;
      }
      if (rows[i].right ? bad : bad < 2)
         fail_msg("%s: %u of %u schedules give wrong pixels", rows[i].what, bad, SCHEDULES);
   }
   rig_close(&r);
}

#define PLACE "pixwait 12, 0\nmov r6, r1\nldimm r7, 0\n"
#define FETCH(bits) PLACE "smpi r3, ts0, ss0, r6, 0, " bits "2d, x, auto_lod, a\nwait a\n" STORE LEAVE

static void
bind_image(struct agx_program *p)
{
   agx_texture_pack(p->textures[0].words, &(struct agx_texture){.dimension = AGX_TEXTURE_DIMENSION_2D,
                                                                .channels = AGX_CHANNELS_R32,
                                                                .type = AGX_TEXTURE_TYPE_UINT,
                                                                .swizzle_r = AGX_CHANNEL_R,
                                                                .width_px = AGX_WAVE_LANES,
                                                                .height_px = 1,
                                                                .stride_B = 4 * AGX_WAVE_LANES,
                                                                .address = DATA_VA});
   agx_sampler_pack(p->samplers[0].words, &(struct agx_sampler){.maximum_anisotropy = 1});
   p->texture_count = 1;
   p->textures_bound[0] = 1;
   p->sampler_count = 1;
   p->samplers_bound = 1;
}

/* Fetches see what other cores have written with the bit of images, and other clusters with that of coherence. */
static void
test_clusters(void **state)
{
   static const struct {
      bool clusters, right;
      const char *text;
   } fetches[] = {
      {false, false, FETCH("")},    {false, true, FETCH("rw, ")},          {true, false, FETCH("")},
      {true, false, FETCH("rw, ")}, {true, true, FETCH("rw, coherent, ")},
   };
   struct rig r;
   (void)state;
   rig_open(&r, 2);
   bind_image(r.program);
   for (unsigned i = 0; i < ARRAY_SIZE(fetches); i++) {
      unsigned bad = 0;
      agx_wave_engine_set_clusters(r.engine, fetches[i].clusters);
      for (unsigned n = 0; n < SCHEDULES; n++) {
         set_schedule(&r, n);
         draw(&r, fetches[i].text);
         bad += wrong_pixels(&r) != 0;
      }
      if (fetches[i].right ? bad : bad < 2)
         fail_msg("fetch %u: %u of %u schedules give wrong pixels", i, bad, SCHEDULES);
   }
   rig_close(&r);
}

/* Whatever caches keep: what the simd-group has stored itself it loads. */
static void
test_own_stores(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 2);
   for (unsigned n = 0; n < SCHEDULES; n++) {
      const uint32_t *last = (const uint32_t *)(const void *)r.data + 64;
      set_schedule(&r, n);
      draw(&r, "pixwait 12, 0\nstore r5, du0, r1, i32, x, b\nload r3, du0, r1, i32, x, a\nwait a\n"
               "iadd r4, r1, 64\nstore r3, du0, r4, i32, x, coherent, b\nmemory_barrier\n");
      for (unsigned l = 0; l < AGX_WAVE_LANES; l++)
         assert_int_equal(last[l], GROUPS - 1);
   }
   rig_close(&r);
}

/* A draw's stores are there for the next one, coherent or not. */
static void
test_next_draw(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 2);
   set_schedule(&r, SIM_SCHEDULE_WORST);
   draw(&r, "store r1, du0, r1, i32, x, b\n");
   rig_assemble(&r, 0, "load r3, du0, r1, i32, x, a\nwait a\niadd r4, r1, 64\nstore r3, du0, r4, i32, x, b\n");
   const struct agx_wave_launch launch = {
      .program = r.program, .vm = r.vm, .group_count = 1, .waves_per_group = 1, .hooks = &hooks, .start = start};
   assert_true(agx_wave_run(r.engine, &launch, &r.fault));
   assert_int_equal(((const uint32_t *)(const void *)r.data)[64 + 31], 31);
   rig_close(&r);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mistakes),
      cmocka_unit_test(test_clusters),
      cmocka_unit_test(test_own_stores),
      cmocka_unit_test(test_next_draw),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
