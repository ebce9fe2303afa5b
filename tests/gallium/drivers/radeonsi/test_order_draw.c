/* Out-of-order rasterisation in the driver: what it programs for bound state, and how often. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "amd/hw/registers.h"
#include "fake_gpu.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "order_rows.h"
#include "util/macros.h"

struct fixture {
   struct pipe_screen *screen;
   struct si_context *ctx;
   struct si_program program;
   struct pipe_graphics_state state;
};

static void
open_screen(struct fixture *f, const char *chip)
{
   memset(f, 0, sizeof(*f));
   fake_chip = chip;
   f->screen = fake_screen_create();
   assert_non_null(f->screen);
   f->ctx = si_context(f->screen->context_create(f->screen, 0));
   assert_int_equal(f->ctx->base.begin(&f->ctx->base, NULL, false), PIPE_OK);
}

static void
close_screen(struct fixture *f)
{
   f->ctx->base.destroy(&f->ctx->base);
   f->screen->destroy(f->screen);
}

static void
set(struct fixture *f, uint64_t changed)
{
   f->ctx->base.set_graphics_state(&f->ctx->base, &f->state, changed);
}

/* A screen's options never change: what the context has worked out with others is forgotten. */
static void
set_options(struct fixture *f, const struct order_row *row)
{
   struct si_screen *screen = si_screen(f->screen);

   if (screen->options.assume_no_z_fights == row->assume_no_z_fights &&
       screen->options.commutative_blend_add == row->commutative_blend_add)
      return;
   screen->options.assume_no_z_fights = row->assume_no_z_fights;
   screen->options.commutative_blend_add = row->commutative_blend_add;
   memset(f->ctx->blend_memos, 0, sizeof(f->ctx->blend_memos));
   memset(f->ctx->order_memos, 0, sizeof(f->ctx->order_memos));
}

static void
bind(struct fixture *f, const struct order_row *row)
{
   struct si_framebuffer *fb = &f->ctx->state.framebuffer;

   set_options(f, row);
   f->program = (struct si_program){.order = row->shader, .color_write_mask = UINT32_MAX};
   f->ctx->programs[PIPE_BIND_GRAPHICS] = &f->program;
   f->state = order_row_state(row);
   set(f, PIPE_ALL_STATES);
   fb->has_depth = row->has_depth;
   fb->has_stencil = row->has_stencil;
   fb->color_mask = 0;
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++)
      fb->color_mask |= row->blend.formats[i] ? 0xfu << (4 * i) : 0;
   f->ctx->occlusion_queries = row->occlusion != SI_OCCLUSION_NONE;
   f->ctx->precise_occlusion = row->occlusion == SI_OCCLUSION_PRECISE;
   f->ctx->statistics_queries = row->statistics;
   si_emit_blend(f->ctx);
}

static bool
is_out_of_order(const struct fixture *f)
{
   return G_PA_SC_MODE_CNTL_1_OUT_OF_ORDER_PRIMITIVE_ENABLE(f->ctx->last_scan_mode);
}

/* What the row becomes on the chip; with the answer of the table, or none for a chip that cannot. */
static void
check_rows(const char *chip, bool available)
{
   struct fixture f;

   open_screen(&f, chip);
   for (unsigned i = 0; i < ARRAY_SIZE(order_rows); i++) {
      const struct order_row *row = &order_rows[i];

      bind(&f, row);
      si_emit_order(f.ctx);
      if (is_out_of_order(&f) != (available && row->right))
         fail_msg("%s: %s: %s", chip, row->name, is_out_of_order(&f) ? "out of order" : "in order");
      assert_int_equal(G_PA_SC_MODE_CNTL_1_OUT_OF_ORDER_WATER_MARK(f.ctx->last_scan_mode), 7);
      /* No clear, whatever the application has bound. */
      f.ctx->state.is_clear = true;
      si_emit_order(f.ctx);
      assert_false(is_out_of_order(&f));
      f.ctx->state.is_clear = false;
      f.ctx->base.begin(&f.ctx->base, NULL, false);
   }
   close_screen(&f);
}

static void
test_rows(void **state)
{
   check_rows("vega10", true);
}

static void
test_other_chips(void **state)
{
   static const char *const chips[] = {"raven", "renoir", "navi10", "navi21", "vangogh", "navi31", "gfx1150"};

   for (unsigned i = 0; i < ARRAY_SIZE(chips); i++)
      check_rows(chips[i], false);
}

static void
test_switched_off(void **state)
{
   struct fixture f;
   const struct order_row relaxed = {.relaxed = true}, none = {0};

   open_screen(&f, "vega10");
   si_screen(f.screen)->options.nooutoforder = true;
   for (unsigned i = 0; i < 2; i++) {
      bind(&f, i ? &relaxed : &none);
      si_emit_order(f.ctx);
      assert_false(is_out_of_order(&f));
      f.ctx->base.begin(&f.ctx->base, NULL, false);
   }
   close_screen(&f);
}

/* Dwords that the atom stores. */
static unsigned
emitted(struct fixture *f)
{
   const uint32_t *before = f->ctx->cs.cur;

   si_emit_order(f->ctx);
   return (unsigned)(f->ctx->cs.cur - before);
}

/* The register is written when its value changes, and when nobody knows what it holds. */
static void
test_only_changes(void **state)
{
   const struct order_row prepass = {
      .has_depth = true, .tests = {.depth_test = true, .depth_write = true, .depth_compare = PIPE_COMPARE_LESS}};
   struct fixture f;

   open_screen(&f, "vega10");
   bind(&f, &prepass);
   assert_int_equal(emitted(&f), 3);
   assert_true(is_out_of_order(&f));
   assert_int_equal(emitted(&f), 0);
   f.ctx->occlusion_queries = 1; /* boolean */
   assert_int_equal(emitted(&f), 0);
   f.ctx->precise_occlusion = true;
   assert_int_equal(emitted(&f), 3);
   assert_false(is_out_of_order(&f));
   assert_int_equal(emitted(&f), 0);
   si_forget_state(f.ctx);
   assert_int_equal(emitted(&f), 3);
   close_screen(&f);
}

/* The atom is dirty after states that may change the answer, and after no others. */
static void
test_dirty(void **state)
{
   static const bool decide[PIPE_STATES] = {
      [PIPE_STATE_RELAXED_ORDER] = true,
      [PIPE_STATE_SAMPLES] = true,
      [PIPE_STATE_DEPTH_TEST] = true,
      [PIPE_STATE_DEPTH_WRITE] = true,
      [PIPE_STATE_DEPTH_COMPARE] = true,
      [PIPE_STATE_DEPTH_BOUNDS_TEST] = true,
      [PIPE_STATE_STENCIL_TEST] = true,
      [PIPE_STATE_STENCIL] = true,
      [PIPE_STATE_STENCIL_COMPARE_MASK] = true,
      [PIPE_STATE_STENCIL_WRITE_MASK] = true,
      [PIPE_STATE_STENCIL_REFERENCE] = true,
      [PIPE_STATE_COLOR_WRITE_MASK] = true,
      [PIPE_STATE_COLOR_WRITE_OFF] = true,
      [PIPE_STATE_LOGIC_OP_ENABLE] = true,
      [PIPE_STATE_LOGIC_OP] = true,
      [PIPE_STATE_TARGETS] = true,
   };
   const struct order_row row = {0};
   struct fixture f;
   struct pipe_context *pipe;

   open_screen(&f, "vega10");
   pipe = &f.ctx->base;
   bind(&f, &row);
#define IS_DIRTY(call) (f.ctx->dirty = 0, call, f.ctx->dirty >> SI_ATOM_ORDER & 1)
   assert_false(IS_DIRTY(set(&f, 0)));
   for (unsigned i = 0; i < PIPE_STATES; i++) {
      if (IS_DIRTY(set(&f, UINT64_C(1) << i)) != decide[i])
         fail_msg("state %u", i);
   }
   /* Of blending, what asks for another order. */
   f.state.targets.num_colors = 1;
   f.state.targets.color_formats[0] = FORMAT_R8G8B8A8_UNORM;
   f.state.blend[0] = (struct pipe_blend_equation){.op_rgb = PIPE_BLEND_MIN, .op_alpha = PIPE_BLEND_MIN};
   f.state.blend_enable = 1;
   f.state.color_write_mask = 0xf;
   set(&f, PIPE_BIT(TARGETS));
   si_emit_blend(f.ctx);
   f.state.blend[0].op_rgb = f.state.blend[0].op_alpha = PIPE_BLEND_MAX;
   assert_false(IS_DIRTY((set(&f, PIPE_BIT(BLEND)), si_emit_blend(f.ctx))));
   f.state.blend[0].op_rgb = PIPE_BLEND_ADD;
   assert_true(IS_DIRTY((set(&f, PIPE_BIT(BLEND)), si_emit_blend(f.ctx))));
   f.state.blend_enable = 0;
   assert_true(IS_DIRTY((set(&f, PIPE_BIT(BLEND_ENABLE)), si_emit_blend(f.ctx))));
   f.ctx->programs[PIPE_BIND_GRAPHICS] = NULL;
   assert_true(IS_DIRTY(pipe->bind_program(pipe, PIPE_BIND_GRAPHICS, si_program_handle(&f.program))));
   /* Targets, which no picture shows: other targets need other programs. */
   const struct pipe_rendering rendering = {.width = 8, .height = 8, .layers = 1, .resuming = true};
   assert_true(IS_DIRTY(pipe->begin_rendering(pipe, &rendering)));
   struct pipe_query_pool *pool;
   assert_int_equal(f.screen->query_pool_create(f.screen, PIPE_QUERY_OCCLUSION, 1, 0, &pool), PIPE_OK);
   assert_true(IS_DIRTY(pipe->query_begin(pipe, pool, 0, true)));
   assert_true(IS_DIRTY(pipe->query_end(pipe, pool, 0)));
   f.screen->query_pool_destroy(f.screen, pool);
#undef IS_DIRTY
   close_screen(&f);
}

/* References and masks that come back: the answers are those of the first time. */
static void
test_memos(void **state)
{
   const struct order_row row = {STENCIL(FACE(ALWAYS, KEEP, KEEP, REPLACE), FACE(ALWAYS, KEEP, KEEP, REPLACE))};
   struct fixture f;

   open_screen(&f, "vega10");
   bind(&f, &row);
   for (unsigned i = 0; i < 100; i++) {
      /* Both faces store the same, or not: that does not commute. */
      f.state.stencil_reference[0] = (uint8_t)(i % 10);
      f.state.stencil_reference[1] = (uint8_t)(i / 10);
      set(&f, PIPE_BIT(STENCIL_REFERENCE));
      si_emit_order(f.ctx);
      assert_int_equal(is_out_of_order(&f), i % 10 == i / 10);
   }
   close_screen(&f);
}

static unsigned random_state = 1;

static unsigned
random_below(unsigned limit)
{
   random_state = random_state * 1664525 + 1013904223;
   return (random_state >> 8) % limit;
}

/* With operations and comparisons that say the same of many references, or any. */
static struct pipe_stencil_face
random_face(bool simple)
{
   static const enum pipe_stencil_op ops[] = {PIPE_STENCIL_KEEP, PIPE_STENCIL_REPLACE, PIPE_STENCIL_INVERT};
   static const enum pipe_compare compares[] = {PIPE_COMPARE_ALWAYS, PIPE_COMPARE_EQUAL, PIPE_COMPARE_NOT_EQUAL};

   if (simple)
      return (struct pipe_stencil_face){ops[random_below(3)], ops[random_below(3)], ops[random_below(3)],
                                        compares[random_below(3)]};
   return (struct pipe_stencil_face){random_below(8), random_below(8), random_below(8), random_below(8)};
}

/* What the driver remembers of one reference and says of another is what the functions say of that. */
static void
test_references(void **state)
{
   static const uint8_t masks[] = {0xff, 0xff, 0xff, 0, 0x81};
   struct fixture f;

   open_screen(&f, "vega10");
   for (unsigned i = 0; i < 2000; i++) {
      const struct order_row row = {.has_depth = i & 1,
                                    .has_stencil = true,
                                    .tests = {.depth_test = i & 1,
                                              .depth_compare = random_below(8),
                                              .stencil_test = true,
                                              .stencil = {random_face(i & 2), random_face(i & 2)}}};
      struct si_order_tests tests = {.depth_test = row.tests.depth_test,
                                     .depth_compare = row.tests.depth_compare,
                                     .stencil_test = true,
                                     .faces = {{.face = row.tests.stencil[0]}, {.face = row.tests.stencil[1]}},
                                     .stencil_max = 0xff,
                                     .stencil_export = !random_below(4)};

      bind(&f, &row);
      f.program.order.exports_stencil = tests.stencil_export;
      for (unsigned j = 0; j < 40; j++) {
         for (unsigned face = 0; face < 2; face++) {
            tests.faces[face].reference = (uint8_t)random_below(j < 20 ? 256 : 3);
            if (face && j & 1)
               tests.faces[1].reference = tests.faces[0].reference;
            else if (face && j & 2)
               tests.faces[1].reference = (uint8_t)(tests.faces[0].reference + random_below(16) - 8);
            tests.faces[face].compare_mask = masks[random_below(5)];
            tests.faces[face].write_mask = masks[random_below(5)];
            f.state.stencil_reference[face] = tests.faces[face].reference;
            f.state.stencil_compare_mask[face] = tests.faces[face].compare_mask;
            f.state.stencil_write_mask[face] = tests.faces[face].write_mask;
         }
         set(&f, PIPE_BIT(STENCIL_REFERENCE) | PIPE_BIT(STENCIL_COMPARE_MASK) | PIPE_BIT(STENCIL_WRITE_MASK));
         si_emit_order(f.ctx);
         assert_int_equal(is_out_of_order(&f), si_order_kept(&tests) & SI_ORDER_DEPTH_STENCIL);
      }
      f.ctx->base.begin(&f.ctx->base, NULL, false);
   }
   close_screen(&f);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),         cmocka_unit_test(test_other_chips), cmocka_unit_test(test_switched_off),
      cmocka_unit_test(test_only_changes), cmocka_unit_test(test_dirty),       cmocka_unit_test(test_memos),
      cmocka_unit_test(test_references),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
