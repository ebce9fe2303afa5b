/* Out-of-order rasterisation: orders that schedules choose, who has them, what pictures and their check see. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "amd/sim/base/gpu.h"
#include "amd/sim/base/reorder.h"
#include "drawn.h"

enum { COUNT = 300 };

static const struct sim_schedule in_order = {SIM_SCHEDULE_IN_ORDER, 0}, worst = {SIM_SCHEDULE_WORST, 0},
                                 turns = {SIM_SCHEDULE_ROUND_ROBIN, 0};

static struct sim_schedule
seeded(uint64_t seed)
{
   return (struct sim_schedule){SIM_SCHEDULE_SEED, seed};
}

/* Everything comes once, and is overtaken by fewer than `window` later things. */
static void
check_order(const struct sim_schedule *schedule, uint64_t salt, uint32_t window, uint32_t order[COUNT])
{
   uint32_t at[COUNT];
   memset(at, 0xff, sizeof(at));
   amd_reorder_choose(schedule, salt, window, COUNT, order);
   for (uint32_t i = 0; i < COUNT; i++) {
      assert_in_range(order[i], 0, COUNT - 1);
      assert_int_equal(at[order[i]], UINT32_MAX);
      at[order[i]] = i;
   }
   for (uint32_t i = 0; i < COUNT; i++) {
      for (uint32_t later = i + window; later < COUNT; later++)
         assert_true(at[i] < at[later]);
   }
}

static void
orders_keep_to_the_mark(void **state)
{
   uint32_t order[COUNT], other[COUNT];
   for (uint32_t window = 1; window <= AMD_REORDER_MOST; window *= 2) {
      check_order(&in_order, 0, window, order);
      for (uint32_t i = 0; i < COUNT; i++)
         assert_int_equal(order[i], i);
      check_order(&worst, 0, window, order);
      for (uint32_t i = 0; i < COUNT; i++) /* backwards, a window at a time */
         assert_int_equal(order[i], MIN2((i / window + 1) * window, COUNT) - 1 - i % window);
      check_order(&turns, 0, window, order);
      for (uint64_t seed = 0; seed < 20; seed++) {
         const struct sim_schedule schedule = seeded(seed);
         check_order(&schedule, 7, window, order);
         amd_reorder_choose(&schedule, 7, window, COUNT, other);
         assert_memory_equal(order, other, sizeof(order));
         amd_reorder_choose(&schedule, 8, window, COUNT, other);
         assert_int_equal(!memcmp(order, other, sizeof(order)), window == 1);
      }
   }
}

/* Of three things all six orders come, in 100 seeds. */
static void
seeds_find_all_orders(void **state)
{
   bool found[27] = {false};
   unsigned count = 0;
   for (uint64_t seed = 0; seed < 100; seed++) {
      uint32_t order[3];
      const struct sim_schedule schedule = seeded(seed);
      amd_reorder_choose(&schedule, 0, AMD_REORDER_MOST, 3, order);
      found[order[0] * 9 + order[1] * 3 + order[2]] = true;
   }
   for (unsigned i = 0; i < 27; i++)
      count += found[i];
   assert_int_equal(count, 6);
}

/* Source of the chips: Mesa's has_out_of_order_rast: GFX9 (and 8) with two shader engines or more. */
static void
chips_heed_the_bit(void **state)
{
   static const struct {
      const char *chip;
      bool has;
   } rows[] = {{"vega10", true},  {"raven", false},  {"renoir", false}, {"navi10", false},
               {"navi21", false}, {"navi31", false}, {"gfx1150", false}};
   static struct amd_regs regs;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct amd_chip *chip = amd_chip_by_name(rows[i].chip);
      struct amd_model *model = amd_model_create(chip->gen);
      struct amd_gpu gpu = {.chip = chip, .model = model, .regs = &regs, .reorder.schedule = worst};
      uint32_t *slot = amd_regs_slot(&regs, R_PA_SC_MODE_CNTL_1);
      *slot = S_PA_SC_MODE_CNTL_1_OUT_OF_ORDER_WATER_MARK(7);
      assert_int_equal(amd_reorder_window(&gpu), 1);
      for (unsigned mark = 0; mark < 8; mark++) {
         *slot =
            S_PA_SC_MODE_CNTL_1_OUT_OF_ORDER_PRIMITIVE_ENABLE(1) | S_PA_SC_MODE_CNTL_1_OUT_OF_ORDER_WATER_MARK(mark);
         gpu.reorder.schedule = worst;
         assert_int_equal(amd_reorder_window(&gpu), rows[i].has ? 1 << mark : 1);
         assert_int_equal(amd_reorder_is_let(&gpu), rows[i].has);
         gpu.reorder.schedule = in_order;
         assert_int_equal(amd_reorder_window(&gpu), 1);
      }
      free(model);
   }
}

/* Six triangles over each other, of six grays. */
static void
draw_grays(struct stream *s)
{
   for (unsigned i = 0; i < 6; i++) {
      set_vertex_px(3 * i, 0, 0, 0.5f, (float)(i + 1) / 16);
      set_vertex_px(3 * i + 1, 2 * W, 0, 0.5f, (float)(i + 1) / 16);
      set_vertex_px(3 * i + 2, 0, 2 * H, 0.5f, (float)(i + 1) / 16);
   }
   draw_auto(s, V_DI_PT_TRILIST, 18);
}

/* The number of the triangle that all pixels show. */
static unsigned
shown(const struct stream *s)
{
   const uint32_t first = pixel(s, 0, 0);
   for (unsigned y = 0; y < H; y++)
      for (unsigned x = 0; x < W; x++)
         assert_int_equal(pixel(s, x, y), first);
   return ((first & 255) * 16 + 128) / 255 - 1;
}

static void
the_last_one_is_another(void **state)
{
   unsigned seen = 0;
   struct stream s = open_stream(2);
   for (uint64_t seed = 0; seed < 64; seed++) {
      const struct sim_schedule schedule = seeded(seed);
      amd_sim_set_schedule(s.sim, &schedule);
      amd_sim_set_out_of_order(s.sim, seed >= 8);
      draw_grays(&s);
      must_run(&s);
      if (seed < 8) /* the driver does not let it */
         assert_int_equal(shown(&s), 5);
      else
         seen |= 1u << shown(&s);
   }
   assert_int_equal(seen, 63);
   amd_sim_set_schedule(s.sim, &worst);
   draw_grays(&s);
   must_run(&s);
   assert_int_equal(shown(&s), 0);
   amd_sim_set_schedule(s.sim, &in_order);
   draw_grays(&s);
   must_run(&s);
   assert_int_equal(shown(&s), 5);
   stream_destroy(&s);
}

static void
expect_report(const struct stream *s, const char *words, bool there)
{
   char *text = NULL;
   size_t size_B = 0;
   FILE *out = open_memstream(&text, &size_B);
   amd_sim_write_order(s->sim, out);
   fclose(out);
   if (!strstr(text, words) != !there)
      fail_msg("%s%s: %s", there ? "" : "not ", words, text);
   free(text);
}

/* Replaced colours depend on the order, their maximum does not; and what is tried is taken back. */
static void
the_check_tells(void **state)
{
   struct stream s = open_stream(2);
   amd_sim_check_order(s.sim, 4);
   memset(s.memory + TARGET_B, 0x20, W * H * 4);
   set_reg(&s, R_CB_BLEND0_CONTROL,
           S_CB_BLEND0_CONTROL_ENABLE(1) | S_CB_BLEND0_CONTROL_COLOR_COMB_FCN(V_COMB_MAX_DST_SRC) |
              S_CB_BLEND0_CONTROL_COLOR_SRCBLEND(V_BLEND_ONE) | S_CB_BLEND0_CONTROL_COLOR_DESTBLEND(V_BLEND_ONE));
   draw_grays(&s);
   must_run(&s);
   expect_report(&s, "1 kept     free | no depth, colour MAX", true);
   expect_report(&s, "sensitive:", false);
   assert_int_equal(shown(&s), 5);
   set_reg(&s, R_CB_BLEND0_CONTROL, 0);
   draw_grays(&s);
   set_reg(&s, R_CB_TARGET_MASK, 0);
   draw_grays(&s);
   must_run(&s);
   assert_int_equal(shown(&s), 5);
   expect_report(&s, "1 kept     sensitive: colour | no depth, colour replaced\n", true);
   expect_report(&s, "1 sensitive\n", true);
   expect_report(&s, "let through: 0\n", true);
   stream_destroy(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_keep_to_the_mark), cmocka_unit_test(seeds_find_all_orders),
      cmocka_unit_test(chips_heed_the_bit),      cmocka_unit_test(the_last_one_is_another),
      cmocka_unit_test(the_check_tells),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
