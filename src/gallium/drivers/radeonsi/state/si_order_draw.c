/* Out-of-order rasterisation of draws: what the bound state says to the rule (si_out_of_order.c), and the register
 * that has the answer. */
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/cs/si_mutant.h"
#include "gallium/drivers/radeonsi/order/si_order.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "util/macros.h"
#include "util/mutant.h"

static bool
face_compares(const struct pipe_stencil_face *face)
{
   return face->compare != PIPE_COMPARE_ALWAYS && face->compare != PIPE_COMPARE_NEVER;
}

static bool
face_replaces(const struct pipe_stencil_face *face)
{
   return face->fail == PIPE_STENCIL_REPLACE || face->depth_fail == PIPE_STENCIL_REPLACE ||
          face->pass == PIPE_STENCIL_REPLACE;
}

/* Does it take any two values the same way, as long as they differ in the same bits? Then stored values and
 * references may be inverted together in any bits. */
static bool
face_is_blind_to_values(const struct pipe_stencil_face *face)
{
   const unsigned blind = 1u << PIPE_STENCIL_KEEP | 1u << PIPE_STENCIL_REPLACE | 1u << PIPE_STENCIL_INVERT;

   return (!face_compares(face) || face->compare == PIPE_COMPARE_EQUAL || face->compare == PIPE_COMPARE_NOT_EQUAL) &&
          !((1u << face->fail | 1u << face->depth_fail | 1u << face->pass) & ~blind);
}

/* Where masks are full, references matter to si_order_kept() by their order among each other, their complements and
 * the ends, and by how near they are to these: what fragments do changes at such values and next to them, and where
 * there are six values or more between two of these, it is all the same how many (init_values() of
 * si_order_tests.c). So all references that are alike in this are taken for the same. */
static void
classify_references(uint8_t reference[2])
{
   enum { FAR = 6 };
   const bool upper[2] = {reference[0] > 127, reference[1] > 127};
   const uint8_t a = upper[0] ? (uint8_t)~reference[0] : reference[0];
   const uint8_t b = upper[1] ? (uint8_t)~reference[1] : reference[1];
   const bool swap = a > b;
   uint8_t low = swap ? b : a, high = swap ? a : b; /* below the middle */

   if (255 - 2 * high < FAR) {
      if (high - low >= FAR)
         low = MIN2(low, FAR);
   } else {
      const uint8_t distance = (uint8_t)MIN2(high - low, FAR);

      low = MIN2(low, FAR);
      high = (uint8_t)(low + distance);
   }
   for (unsigned face = 0; face < 2; face++) {
      const uint8_t value = (face == 1) != swap ? high : low;

      reference[face] = upper[face] ? (uint8_t)~value : value;
   }
}

static bool
is_partial(uint8_t mask)
{
   return (uint8_t)(mask + 1) > 1;
}

static struct si_order_tests
tests_of(const struct si_context *ctx, bool has_depth, bool has_stencil)
{
   const struct pipe_graphics_state *gfx = ctx->state.gfx;
   struct si_order_tests tests = {
      .depth_test = gfx->depth_test,
      .depth_write = gfx->depth_write,
      .depth_bounds = gfx->depth_bounds_test,
      .stencil_test = gfx->stencil_test,
      .depth_compare = gfx->depth_compare,
      .faces = {{.face = gfx->stencil[0]}, {.face = gfx->stencil[1]}},
      .stencil_max = 0xff,
      .assume_no_z_fights = ctx->screen->options.assume_no_z_fights,
   };

   has_depth &= !gfx->targets.pass_depth_over;
   tests.depth_test &= has_depth;
   tests.depth_bounds &= has_depth;
   tests.stencil_test &= has_stencil && !gfx->targets.pass_stencil_over;
   for (unsigned face = 0; face < 2 && tests.stencil_test; face++) {
      tests.faces[face].reference = gfx->stencil_reference[face];
      tests.faces[face].compare_mask = gfx->stencil_compare_mask[face];
      tests.faces[face].write_mask = gfx->stencil_write_mask[face];
   }
   si_mutate_struct(MUTANT_si_order_tests, 0, &tests);
   return tests;
}

static uint64_t
face_key(const struct pipe_stencil_face *face)
{
   return (uint64_t)face->fail | (uint64_t)face->depth_fail << 3 | (uint64_t)face->pass << 6 |
          (uint64_t)face->compare << 9;
}

/* Tests without what faces have. */
static uint64_t
tests_key(const struct si_order_tests *tests)
{
   return (uint64_t)tests->depth_test | (uint64_t)tests->depth_write << 1 | (uint64_t)tests->depth_bounds << 2 |
          (uint64_t)tests->stencil_export << 3 | (uint64_t)tests->depth_compare << 4 |
          face_key(&tests->faces[0].face) << 8 | face_key(&tests->faces[1].face) << 20;
}

/* References and masks: where two of them are equal, and the tests, si_order_kept() says the same. */
static uint64_t
stencil_key(const struct si_order_tests *tests)
{
   uint8_t reference[2], used[2], compared[2], write_mask[2];
   uint64_t key = 0;

   for (unsigned face = 0; face < 2; face++) {
      const struct pipe_stencil_face *f = &tests->faces[face].face;

      write_mask[face] = tests->faces[face].write_mask;
      compared[face] = face_compares(f) ? tests->faces[face].compare_mask : 0;
      used[face] = compared[face] | (face_replaces(f) ? write_mask[face] : 0);
      reference[face] = tests->stencil_export ? 0 : tests->faces[face].reference & used[face];
   }
   if (!tests->stencil_export && face_is_blind_to_values(&tests->faces[0].face) &&
       face_is_blind_to_values(&tests->faces[1].face)) {
      reference[0] = (tests->faces[0].reference ^ tests->faces[1].reference) & used[0] & used[1];
      reference[1] = 0;
   } else if (!is_partial(compared[0]) && !is_partial(compared[1]) && !is_partial(write_mask[0]) &&
              !is_partial(write_mask[1])) {
      classify_references(reference);
   }
   for (unsigned face = 0; face < 2; face++)
      key |= (uint64_t)write_mask[face] << (24 * face + 16) | (uint64_t)compared[face] << (24 * face + 8) |
             (uint64_t)reference[face] << (24 * face);
   return key;
}

#define KEY_BITS 48

static unsigned
kept_with_stencil(struct si_context *ctx, const struct si_order_tests *tests)
{
   const uint64_t key = tests_key(tests), stencil = stencil_key(tests) | UINT64_C(1) << 63;
   const unsigned slot = (unsigned)((key ^ stencil) * UINT64_C(0x9e3779b97f4a7c15) >> 58) % SI_ORDER_MEMOS;
   struct si_order_memo *memo = NULL;

   /* One of two slots: the other one is for what the first one does not have room for. */
   for (unsigned i = 0; i < 2; i++) {
      struct si_order_memo *one = &ctx->order_memos[slot ^ i];

      if (one->tests == key && (one->stencil & ~((uint64_t)SI_ORDER_ALL << KEY_BITS)) == stencil)
         return (unsigned)(one->stencil >> KEY_BITS) & SI_ORDER_ALL;
      if (!memo)
         memo = one->stencil ? &ctx->order_memos[slot ^ 1] : one;
   }
   const unsigned kept = si_order_kept(tests);

   *memo = (struct si_order_memo){key, stencil | (uint64_t)kept << KEY_BITS};
   return kept;
}

static unsigned
kept(struct si_context *ctx, const struct si_program *program)
{
   const struct si_framebuffer *fb = &ctx->state.framebuffer;
   struct si_order_tests tests = tests_of(ctx, fb->has_depth, fb->has_stencil);

   if (!tests.stencil_test)
      return si_order_kept(&tests);
   tests.stencil_export = program->order.exports_stencil;
   return kept_with_stencil(ctx, &tests);
}

static unsigned
color_need(const struct si_context *ctx, const struct si_program *program)
{
   uint32_t mask = pipe_color_masks(ctx->state.gfx) & program->color_write_mask & ctx->state.framebuffer.color_mask;
   unsigned need = 0;

   while (mask) {
      unsigned target = (unsigned)__builtin_ctz(mask) / 4;

      need |= ctx->state.order_need[mutant("order-first-target") ? 0 : target];
      mask &= ~(0xfu << (4 * target));
   }
   return need;
}

/* The state that a draw has is whole: all that is emitted before this. */
static bool
allows_out_of_order(struct si_context *ctx, const struct si_program *program)
{
   const struct si_screen *screen = ctx->screen;

   if (!screen->info.out_of_order || ctx->state.is_clear)
      return false;
   struct si_out_of_order_key key = {
      .available = true,
      .off = screen->options.nooutoforder,
      .relaxed = ctx->state.gfx->relaxed_order,
      .kept = kept(ctx, program),
      .color = color_need(ctx, program),
      .shader = program->order,
      .occlusion = !ctx->occlusion_queries  ? SI_OCCLUSION_NONE
                   : ctx->precise_occlusion ? SI_OCCLUSION_PRECISE
                                            : SI_OCCLUSION_BOOLEAN,
      .statistics = ctx->statistics_queries > 0,
   };

   si_mutate_struct(MUTANT_si_out_of_order_key, 0, &key);
   return si_out_of_order(&key).allowed;
}

void
si_emit_order(struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   bool per_sample = program->per_sample && ctx->state.gfx->samples > 1;
   bool out_of_order = allows_out_of_order(ctx, program);
   uint32_t value = S_PA_SC_MODE_CNTL_1_WALK_ALIGN8_PRIM_FITS_ST(1) | S_PA_SC_MODE_CNTL_1_WALK_FENCE_ENABLE(1) |
                    S_PA_SC_MODE_CNTL_1_WALK_FENCE_SIZE(3) | S_PA_SC_MODE_CNTL_1_SUPERTILE_WALK_ORDER_ENABLE(1) |
                    S_PA_SC_MODE_CNTL_1_TILE_WALK_ORDER_ENABLE(1) | S_PA_SC_MODE_CNTL_1_PS_ITER_SAMPLE(per_sample) |
                    S_PA_SC_MODE_CNTL_1_MULTI_SHADER_ENGINE_PRIM_DISCARD_ENABLE(1) |
                    S_PA_SC_MODE_CNTL_1_FORCE_EOV_CNTDWN_ENABLE(1) | S_PA_SC_MODE_CNTL_1_FORCE_EOV_REZ_ENABLE(1) |
                    S_PA_SC_MODE_CNTL_1_OUT_OF_ORDER_PRIMITIVE_ENABLE(out_of_order) |
                    S_PA_SC_MODE_CNTL_1_OUT_OF_ORDER_WATER_MARK(7);

   if (value == ctx->last_scan_mode)
      return;
   si_cs_reserve(&ctx->cs, 3);
   si_cs_context_reg(&ctx->cs, R_PA_SC_MODE_CNTL_1, value);
   ctx->last_scan_mode = value;
}
