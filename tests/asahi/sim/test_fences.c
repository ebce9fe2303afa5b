/* What the barriers of memory and images put into order, and what a program sees that lacks one. A row of 64 texels
 * of 32 bits lies at the data's 0x8000: it is texture state 0 to read, 1 to write. */
#include "wave_rig.h"

#include <string.h>

#include "asahi/hw/records.h"

#define IMAGE_AT_B 0x8000u
#define TEXELS 64

static void
open_bench(struct rig *r, unsigned threads)
{
   struct agx_program *p;
   rig_open(r, threads);
   p = r->program;
   agx_texture_pack(p->textures[0].words, &(struct agx_texture){.dimension = AGX_TEXTURE_DIMENSION_2D,
                                                                .channels = AGX_CHANNELS_R32,
                                                                .type = AGX_TEXTURE_TYPE_UINT,
                                                                .swizzle_r = AGX_CHANNEL_R,
                                                                .width_px = TEXELS,
                                                                .height_px = 1,
                                                                .stride_B = 4 * TEXELS,
                                                                .address = DATA_VA + IMAGE_AT_B});
   agx_pbe_pack(p->textures[1].words, &(struct agx_pbe){.dimension = AGX_TEXTURE_DIMENSION_2D,
                                                        .channels = AGX_CHANNELS_R32,
                                                        .type = AGX_TEXTURE_TYPE_UINT,
                                                        .width_px = TEXELS,
                                                        .height_px = 1,
                                                        .levels = 1,
                                                        .stride_B = 4 * TEXELS,
                                                        .address = DATA_VA + IMAGE_AT_B});
   agx_sampler_pack(p->samplers[0].words, &(struct agx_sampler){.mip_filter = AGX_MIP_FILTER_NEAREST,
                                                                .maximum_anisotropy = 1,
                                                                .wrap_s = AGX_WRAP_CLAMP_TO_BORDER,
                                                                .wrap_t = AGX_WRAP_CLAMP_TO_BORDER,
                                                                .wrap_r = AGX_WRAP_CLAMP_TO_BORDER});
   p->texture_count = 2;
   p->textures_bound[0] = 3;
   p->sampler_count = 4;
   p->samplers_bound = 1;
}

/* Each thread of two simd-groups writes its texel, and reads one: its own, or that of the thread 32 away. */
#define PLACE "mov r1, thread_index_in_threadgroup\nldimm r2, 0\nldimm r3, 0\nmov r6, r1\nldimm r7, 0\nldimm r8, 0\n"
#define OTHER "ldimm r9, 32\nxor r6, r6, r9\n"
#define WRITE "iadd r4, r1, 100\nimgw r4_r5_r6_r7, ts1, r1, 0, 2d\n"
#define STORE "iadd r4, r1, 100\nldimm r10, 8192\niadd r10, r10, r1\nstore r4, du0, r10, i32, x, a\n"
#define READ "smpi r12, ts0, ss0, r6, 0, 2d, x, auto_lod, b\n"
#define END "wait b\nstore r12, du0, r1, i32, x, a\n"

#define SEEDS 60
static const char *const schedules[] = {"in-order", "round-robin", "worst"};

enum seen { ALWAYS = 1, NEVER = 2, SOMETIMES = 3 };

/* Whether threads saw what was written: under each schedule, all told. */
static enum seen
see(struct rig *r, const char *text, bool other)
{
   unsigned seen = 0;
   for (unsigned s = 0; s < SEEDS; s++) {
      struct sim_schedule schedule = {SIM_SCHEDULE_SEED, s};
      uint32_t left[TEXELS];
      if (s < sizeof(schedules) / sizeof(schedules[0]))
         assert_true(sim_schedule_parse(schedules[s], &schedule));
      agx_wave_engine_set_schedule(r->engine, &schedule);
      memset(r->data, 0, DATA_B);
      if (!rig_run(r, text, TEXELS, TEXELS))
         fail_msg("%u: %s", s, r->fault.message);
      memcpy(left, r->data, sizeof(left));
      for (unsigned i = 0; i < TEXELS; i++) {
         if (left[i])
            assert_int_equal(left[i], (i ^ (other ? 32 : 0)) + 100);
         seen |= left[i] ? ALWAYS : NEVER;
      }
   }
   return (enum seen)seen;
}

/* Within a thread. */
static void
own_writes(void **state)
{
   static const struct {
      const char *text;
      enum seen seen;
   } rows[] = {
      {PLACE WRITE "image_barrier_1\nimage_barrier_2\n" READ END, ALWAYS},
      {PLACE STORE "memory_barrier\nflush_memory_to_texture\n" READ END, ALWAYS},
      {PLACE STORE "wait a\n" READ END, ALWAYS},
      {PLACE WRITE "flush_memory_to_texture\n" READ END, ALWAYS},
      {PLACE STORE "flush_memory_to_texture\n" READ END, ALWAYS},
   };
   static const char *const broken[] = {
      PLACE WRITE READ END,
      PLACE STORE READ END,
      PLACE WRITE "memory_barrier\n" READ END,
      PLACE WRITE "unknown_barrier_1\nunknown_barrier_2\n" READ END,
      PLACE STORE "image_barrier_1\nimage_barrier_4\n" READ END,
   };
   struct rig r;
   (void)state;
   open_bench(&r, 2);
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
      assert_int_equal(see(&r, rows[i].text, false), rows[i].seen);
   for (unsigned i = 0; i < sizeof(broken) / sizeof(broken[0]); i++)
      assert_true(see(&r, broken[i], false) & NEVER);
   rig_close(&r);
}

/* From simd-group to simd-group: what is written must be there before the threadgroup meets. */
static void
others_writes(void **state)
{
   struct rig r;
   (void)state;
   open_bench(&r, 2);
   assert_int_equal(see(&r, PLACE OTHER WRITE "image_barrier_1\nbarrier\n" READ END, true), ALWAYS);
   assert_int_equal(see(&r, PLACE OTHER STORE "memory_barrier\nbarrier\n" READ END, true), ALWAYS);
   assert_true(see(&r, PLACE OTHER WRITE "barrier\n" READ END, true) & NEVER);
   assert_true(see(&r, PLACE OTHER WRITE "memory_barrier\nbarrier\n" READ END, true) & NEVER);
   assert_true(see(&r, PLACE OTHER STORE "image_barrier_1\nbarrier\n" READ END, true) & NEVER);
   assert_true(see(&r, PLACE OTHER WRITE "image_barrier_1\n" READ END, true) & NEVER);
   rig_close(&r);
}

/* A read is over when it has been waited for: until then it may see what others write after a barrier. */
static void
late_reads(void **state)
{
   struct rig r;
   (void)state;
   open_bench(&r, 2);
   assert_int_equal(see(&r, PLACE OTHER READ "wait b\nbarrier\n" WRITE END, true), NEVER);
   assert_int_equal(see(&r, PLACE OTHER READ "barrier\n" WRITE END, true), SOMETIMES);
   rig_close(&r);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(own_writes),
      cmocka_unit_test(others_writes),
      cmocka_unit_test(late_reads),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
