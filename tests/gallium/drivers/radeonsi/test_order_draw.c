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
#include "gallium/drivers/radeonsi/si_program.h"
#include "gallium/drivers/radeonsi/si_state.h"
#include "order_rows.h"
#include "util/macros.h"

struct fixture {
   struct pipe_screen *screen;
   struct si_context *ctx;
   struct si_program program;
   struct pipe_blend *blend;
   struct pipe_depth_stencil *depth_stencil;
   struct pipe_rasterizer *rasterizer;
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
destroy_objects(struct fixture *f)
{
   f->screen->blend_destroy(f->screen, f->blend);
   f->screen->depth_stencil_destroy(f->screen, f->depth_stencil);
   f->screen->rasterizer_destroy(f->screen, f->rasterizer);
}

static void
close_screen(struct fixture *f)
{
   f->ctx->base.destroy(&f->ctx->base);
   f->screen->destroy(f->screen);
}

/* Options count when objects are created. */
static void
create_objects(struct fixture *f, const struct order_row *row)
{
   si_screen(f->screen)->options.assume_no_z_fights = row->assume_no_z_fights;
   si_screen(f->screen)->options.commutative_blend_add = row->commutative_blend_add;
   f->blend = f->screen->blend_create(f->screen, &row->blend);
   f->depth_stencil = f->screen->depth_stencil_create(f->screen, &row->tests);
   f->rasterizer = f->screen->rasterizer_create(
      f->screen, &(struct pipe_rasterizer_desc){.samples = 1, .relaxed_order = row->relaxed});
   f->program = (struct si_program){.order = row->shader, .color_write_mask = UINT32_MAX, .samples = 1};
}

static void
bind(struct fixture *f, const struct order_row *row)
{
   struct pipe_context *pipe = &f->ctx->base;
   struct si_framebuffer *fb = &f->ctx->state.framebuffer;

   f->ctx->programs[PIPE_BIND_GRAPHICS] = &f->program;
   pipe->bind_blend(pipe, f->blend);
   pipe->bind_depth_stencil(pipe, f->depth_stencil);
   pipe->bind_rasterizer(pipe, f->rasterizer);
   pipe->set_stencil_reference(pipe, 3, row->reference);
   pipe->set_stencil_compare_mask(pipe, 3, 0xff);
   pipe->set_stencil_write_mask(pipe, 3, row->write_mask);
   fb->has_depth = row->has_depth;
   fb->has_stencil = row->has_stencil;
   fb->color_mask = 0;
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++)
      fb->color_mask |= row->blend.formats[i] ? 0xfu << (4 * i) : 0;
   f->ctx->occlusion_queries = row->occlusion != SI_OCCLUSION_NONE;
   f->ctx->precise_occlusion = row->occlusion == SI_OCCLUSION_PRECISE;
   f->ctx->statistics_queries = row->statistics;
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

      create_objects(&f, row);
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
      f.ctx->base.begin(&f.ctx->base, NULL, false); /* which forgets the objects */
      destroy_objects(&f);
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
      create_objects(&f, i ? &relaxed : &none);
      bind(&f, i ? &relaxed : &none);
      si_emit_order(f.ctx);
      assert_false(is_out_of_order(&f));
      f.ctx->base.begin(&f.ctx->base, NULL, false);
      destroy_objects(&f);
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
   create_objects(&f, &prepass);
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
   destroy_objects(&f);
   close_screen(&f);
}

/* The atom is dirty after calls that may change the answer, and after no others. */
static void
test_dirty(void **state)
{
   const struct order_row row = {0};
   struct fixture f;
   struct pipe_context *pipe;

   open_screen(&f, "vega10");
   pipe = &f.ctx->base;
   create_objects(&f, &row);
   bind(&f, &row);
#define IS_DIRTY(call) (f.ctx->dirty = 0, call, f.ctx->dirty >> SI_ATOM_ORDER & 1)
   assert_false(IS_DIRTY(pipe->bind_blend(pipe, f.blend)));
   assert_false(IS_DIRTY(pipe->bind_depth_stencil(pipe, f.depth_stencil)));
   assert_false(IS_DIRTY(pipe->set_depth_bounds(pipe, 0, 1)));
   assert_false(IS_DIRTY(pipe->set_depth_bias(pipe, 0, 0, 1)));
   assert_false(IS_DIRTY(pipe->set_blend_constants(pipe, (const float[4]){0})));
   assert_true(IS_DIRTY(pipe->set_stencil_reference(pipe, 1, 7)));
   assert_true(IS_DIRTY(pipe->set_stencil_write_mask(pipe, 1, 7)));
   assert_true(IS_DIRTY(pipe->set_stencil_compare_mask(pipe, 1, 7)));
   f.ctx->state.blend = NULL;
   assert_true(IS_DIRTY(pipe->bind_blend(pipe, f.blend)));
   f.ctx->state.depth_stencil = NULL;
   assert_true(IS_DIRTY(pipe->bind_depth_stencil(pipe, f.depth_stencil)));
   f.ctx->state.rasterizer = NULL;
   assert_true(IS_DIRTY(pipe->bind_rasterizer(pipe, f.rasterizer)));
   f.ctx->programs[PIPE_BIND_GRAPHICS] = NULL;
   assert_true(IS_DIRTY(pipe->bind_program(pipe, PIPE_BIND_GRAPHICS, si_program_handle(&f.program))));
   /* Targets, which no picture shows: other targets need other programs. */
   const struct pipe_rendering rendering = {.width = 8, .height = 8, .layers = 1, .resuming = true};
   assert_true(IS_DIRTY(pipe->begin_rendering(pipe, &rendering)));
   struct pipe_query_pool *pool;
   assert_int_equal(f.screen->query_pool_create(f.screen, PIPE_QUERY_OCCLUSION, 1, &pool), PIPE_OK);
   assert_true(IS_DIRTY(pipe->query_begin(pipe, pool, 0, true)));
   assert_true(IS_DIRTY(pipe->query_end(pipe, pool, 0)));
   f.screen->query_pool_destroy(f.screen, pool);
#undef IS_DIRTY
   destroy_objects(&f);
   close_screen(&f);
}

/* References and masks that come back: the answers are those of the first time. */
static void
test_memos(void **state)
{
   const struct order_row row = {STENCIL(FACE(ALWAYS, KEEP, KEEP, REPLACE), FACE(ALWAYS, KEEP, KEEP, REPLACE))};
   struct fixture f;
   struct pipe_context *pipe;

   open_screen(&f, "vega10");
   pipe = &f.ctx->base;
   create_objects(&f, &row);
   bind(&f, &row);
   for (unsigned i = 0; i < 100; i++) {
      /* Both faces store the same, or not: that does not commute. */
      pipe->set_stencil_reference(pipe, 1, (uint8_t)(i % 10));
      pipe->set_stencil_reference(pipe, 2, (uint8_t)(i / 10));
      si_emit_order(f.ctx);
      assert_int_equal(is_out_of_order(&f), i % 10 == i / 10);
   }
   destroy_objects(&f);
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
   struct pipe_context *pipe;

   open_screen(&f, "vega10");
   pipe = &f.ctx->base;
   for (unsigned i = 0; i < 2000; i++) {
      const struct order_row row = {.has_depth = i & 1,
                                    .has_stencil = true,
                                    .tests = {.depth_test = i & 1,
                                              .depth_compare = random_below(8),
                                              .stencil_test = true,
                                              .front = random_face(i & 2),
                                              .back = random_face(i & 2)}};
      struct si_order_tests tests = {.depth_test = row.tests.depth_test,
                                     .depth_compare = row.tests.depth_compare,
                                     .stencil_test = true,
                                     .faces = {{.face = row.tests.front}, {.face = row.tests.back}},
                                     .stencil_max = 0xff,
                                     .stencil_export = !random_below(4)};

      create_objects(&f, &row);
      f.program.order.exports_stencil = tests.stencil_export;
      bind(&f, &row);
      for (unsigned j = 0; j < 40; j++) {
         for (unsigned face = 0; face < 2; face++) {
            tests.faces[face].reference = (uint8_t)random_below(j < 20 ? 256 : 3);
            if (face && j & 1)
               tests.faces[1].reference = tests.faces[0].reference;
            else if (face && j & 2)
               tests.faces[1].reference = (uint8_t)(tests.faces[0].reference + random_below(16) - 8);
            tests.faces[face].compare_mask = masks[random_below(5)];
            tests.faces[face].write_mask = masks[random_below(5)];
            pipe->set_stencil_reference(pipe, 1 << face, tests.faces[face].reference);
            pipe->set_stencil_compare_mask(pipe, 1 << face, tests.faces[face].compare_mask);
            pipe->set_stencil_write_mask(pipe, 1 << face, tests.faces[face].write_mask);
         }
         si_emit_order(f.ctx);
         assert_int_equal(is_out_of_order(&f), si_order_kept(&tests) & SI_ORDER_DEPTH_STENCIL);
      }
      pipe->begin(pipe, NULL, false);
      destroy_objects(&f);
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
