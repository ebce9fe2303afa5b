/* Atoms of the state and the preamble as text, compared with golden files; the graphics preamble of each vertex
 * pipeline. To write them anew: test_si_golden FOLDER write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fake_gpu.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/base/si_debug.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "pm4_text.h"
#include "util/format_enum.h"

static const char *folder;
static bool writes;

static char *
read_file(const char *path)
{
   FILE *file = fopen(path, "r");
   char *text = calloc(1, 1 << 20);

   if (file) {
      size_t size = fread(text, 1, (1 << 20) - 1, file);

      text[size] = 0;
      fclose(file);
   }
   return text;
}

static void
check(const char *name, const uint32_t *dw, uint32_t count_dw)
{
   char path[512], *text = NULL, *golden;
   size_t size;
   FILE *stream = open_memstream(&text, &size);

   pm4_text(stream, dw, count_dw);
   fclose(stream);
   snprintf(path, sizeof(path), "%s/%s.txt", folder, name);
   if (writes) {
      FILE *file = fopen(path, "w");

      assert_non_null(file);
      fputs(text, file);
      fclose(file);
   }
   golden = read_file(path);
   assert_string_equal(text, golden);
   free(golden);
   free(text);
}

static void
test_preamble(void **state)
{
   const struct si_screen *screen = si_screen(*state);
   const char *graphics = si_debug(SI_DEBUG_NONGG) ? "preamble_nongg" : "preamble";

   for (unsigned i = 0; i <= AMDGPU_WS_COMPUTE; i++)
      check(i == AMDGPU_WS_GFX ? graphics : "preamble_compute",
            fake_memory(screen->preambles[i].va, screen->preambles[i].size_dw * 4), screen->preambles[i].size_dw);
}

/* A context that has the state. */
static struct si_context *
context_with(struct pipe_screen *screen, const struct pipe_graphics_state *gfx, struct si_program *program)
{
   struct si_context *ctx = si_context(screen->context_create(screen, 0));

   assert_int_equal(ctx->base.begin(&ctx->base, NULL, false), PIPE_OK);
   ctx->programs[PIPE_BIND_GRAPHICS] = program;
   ctx->base.set_graphics_state(&ctx->base, gfx, PIPE_ALL_STATES);
   return ctx;
}

/* Without CB_COLOR_CONTROL and CB_TARGET_MASK, which depend on the program and its targets. */
static void
test_blend(void **state)
{
   struct pipe_graphics_state gfx = {
      .color_write_mask = 0xff,
      .blend_enable = 3,
      .alpha_to_coverage = true,
      .targets = {.num_colors = 2, .color_formats = {FORMAT_R8G8B8A8_UNORM, FORMAT_R32_UINT}},
   };
   struct si_program program = {0};

   for (unsigned i = 0; i < 2; i++)
      gfx.blend[i] = (struct pipe_blend_equation){.src_rgb = PIPE_FACTOR_SRC1_ALPHA,
                                                  .dst_rgb = PIPE_FACTOR_ONE_MINUS_CONSTANT_COLOR,
                                                  .src_alpha = PIPE_FACTOR_SRC_ALPHA_SATURATE,
                                                  .dst_alpha = PIPE_FACTOR_DST_ALPHA,
                                                  .op_rgb = PIPE_BLEND_REVERSE_SUBTRACT,
                                                  .op_alpha = PIPE_BLEND_MIN};
   struct si_context *ctx = context_with(*state, &gfx, &program);
   const uint32_t *start = ctx->cs.cur;

   si_emit_blend(ctx);
   si_emit_color_control(ctx);
   check("blend", start, (uint32_t)(ctx->cs.cur - start) - 6);
   ctx->base.destroy(&ctx->base);
}

static void
test_rasterizer(void **state)
{
   const struct pipe_graphics_state gfx = {.depth_clamp = true,
                                           .depth_bias_enable = true,
                                           .cull = PIPE_CULL_FRONT,
                                           .polygon_mode = PIPE_POLYGON_LINE,
                                           .samples = 4};
   struct si_context *ctx = context_with(*state, &gfx, NULL);
   const uint32_t *start = ctx->cs.cur;

   si_emit_rasterizer(ctx);
   check("rasterizer", start, (uint32_t)(ctx->cs.cur - start));
   ctx->base.destroy(&ctx->base);
}

/* A chip that rasterises out of order: what a depth prepass programs, again, and next to a precise query. */
static void
test_order(void **state)
{
   const char *chip = fake_chip;
   const struct pipe_graphics_state gfx = {
      .depth_test = true, .depth_write = true, .depth_compare = PIPE_COMPARE_LESS, .samples = 1};
   struct si_program program = {0};

   fake_chip = "vega10";
   struct pipe_screen *screen = fake_screen_create();
   struct si_context *ctx = context_with(screen, &gfx, &program);

   fake_chip = chip;
   ctx->state.framebuffer.has_depth = true;
   const uint32_t *start = ctx->cs.cur;
   si_emit_order(ctx);
   si_emit_order(ctx);
   ctx->occlusion_queries = 1;
   ctx->precise_occlusion = true;
   si_emit_order(ctx);
   si_emit_order(ctx);
   check("order", start, (uint32_t)(ctx->cs.cur - start));
   ctx->base.destroy(&ctx->base);
   screen->destroy(screen);
}

static int
setup(void **state)
{
   *state = fake_screen_create();
   return *state ? 0 : -1;
}

static int
teardown(void **state)
{
   struct pipe_screen *screen = *state;

   screen->destroy(screen);
   return 0;
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_preamble), cmocka_unit_test(test_blend),
                                      cmocka_unit_test(test_rasterizer), cmocka_unit_test(test_order)};

   if (argc < 2)
      return 2;
   folder = argv[1];
   writes = argc > 2 && !strcmp(argv[2], "write");
   return cmocka_run_group_tests(tests, setup, teardown);
}
