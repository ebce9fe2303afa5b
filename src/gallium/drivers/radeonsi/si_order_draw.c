/* Out-of-order rasterisation of draws: what the bound state says to the rule (si_out_of_order.c), and the register
 * that has the answer. */
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/si_program.h"
#include "gallium/drivers/radeonsi/si_state.h"
#include "util/macros.h"
#include "util/mutant.h"

/* Stencil tests that a draw with the planes does. */
static struct si_order_tests
tests_of_planes(const struct si_depth_stencil *state, bool has_depth, bool has_stencil)
{
   struct si_order_tests tests = state->order_tests;

   tests.depth_test &= has_depth;
   tests.depth_bounds &= has_depth;
   tests.stencil_test &= has_stencil;
   return tests;
}

static bool
face_compares(const struct pipe_stencil_face *face)
{
   return face->compare != PIPE_COMPARE_ALWAYS && face->compare != PIPE_COMPARE_NEVER;
}

/* It compares with a reference or stores it. */
static bool
face_uses_reference(const struct pipe_stencil_face *face)
{
   return face_compares(face) || face->fail == PIPE_STENCIL_REPLACE || face->depth_fail == PIPE_STENCIL_REPLACE ||
          face->pass == PIPE_STENCIL_REPLACE;
}

void
si_order_init_tests(struct si_depth_stencil *state, const struct pipe_depth_stencil_desc *desc,
                    bool assume_no_z_fights)
{
   state->order_tests = (struct si_order_tests){
      .depth_test = desc->depth_test,
      .depth_write = desc->depth_write,
      .depth_bounds = desc->depth_bounds_test && !mutant("order-bounds-forgotten"),
      .stencil_test = desc->stencil_test,
      .depth_compare = desc->depth_compare,
      .faces = {{.face = desc->front}, {.face = mutant("order-back-forgotten") ? desc->front : desc->back}},
      .stencil_max = 0xff,
      .assume_no_z_fights = assume_no_z_fights,
   };
   state->order_compares = face_compares(&desc->front) || face_compares(&desc->back);
   state->order_by_reference = face_uses_reference(&desc->front) || face_uses_reference(&desc->back);
   for (unsigned has_depth = 0; has_depth < 2; has_depth++) {
      const struct si_order_tests tests = tests_of_planes(state, has_depth, false);
      state->order_kept[has_depth] = (uint8_t)si_order_kept(&tests);
   }
}

/* What a reference is to si_order_kept() if both faces store the same one, none compares and masks cover all bits:
 * what it leaves the same with who clears all, sets all or stops there depends on whether it is one of the ends. */
static uint8_t
reference_class(uint8_t reference)
{
   return reference == 0 || reference == 0xff ? reference : 1;
}

/* Two of them equal: si_order_kept() of the same object says the same. */
static uint64_t
stencil_key(const struct si_graphics_state *state)
{
   const uint8_t *reference = state->stencil_reference, *compared = state->stencil_compare_mask,
                 *written = state->stencil_write_mask;
   bool alike = !state->depth_stencil->order_compares && reference[0] == reference[1] &&
                (compared[0] & compared[1] & written[0] & written[1]) == 0xff;
   uint64_t key = 0;

   for (unsigned face = 0; face < 2; face++) {
      key |= (uint64_t)written[face] << (24 * face + 16);
      if (state->depth_stencil->order_by_reference)
         key |= (uint64_t)compared[face] << (24 * face + 8) |
                (uint64_t)(alike ? reference_class(reference[face]) : reference[face]) << (24 * face);
   }
   return key;
}

static unsigned
kept_with_stencil(struct si_context *ctx, const struct si_program *program)
{
   const struct si_graphics_state *state = &ctx->state;
   bool has_depth = state->framebuffer.has_depth, exports = program->order.exports_stencil;
   uint64_t key = (uint64_t)exports << 49 | (uint64_t)has_depth << 48 | stencil_key(state);
   uint64_t hash = ((uintptr_t)state->depth_stencil ^ key) * UINT64_C(0x9e3779b97f4a7c15);
   struct si_order_memo *memo = &ctx->order_memos[hash >> 61];

   if (memo->depth_stencil == state->depth_stencil && memo->key == key)
      return memo->kept;
   struct si_order_tests tests = tests_of_planes(state->depth_stencil, has_depth, true);

   tests.stencil_export = exports;
   for (unsigned face = 0; face < 2; face++) {
      tests.faces[face].reference = state->stencil_reference[face];
      tests.faces[face].compare_mask = state->stencil_compare_mask[face];
      tests.faces[face].write_mask = mutant("order-masks-forgotten") ? 0xff : state->stencil_write_mask[face];
   }
   *memo = (struct si_order_memo){state->depth_stencil, key, (uint8_t)si_order_kept(&tests)};
   return memo->kept;
}

static unsigned
kept(struct si_context *ctx, const struct si_program *program)
{
   const struct si_depth_stencil *state = ctx->state.depth_stencil;

   if (state->order_tests.stencil_test && ctx->state.framebuffer.has_stencil)
      return kept_with_stencil(ctx, program);
   return state->order_kept[ctx->state.framebuffer.has_depth];
}

static unsigned
color_need(const struct si_context *ctx, const struct si_program *program)
{
   const struct si_blend *blend = ctx->state.blend;
   uint32_t mask = blend->write_mask & program->color_write_mask & ctx->state.framebuffer.color_mask;
   unsigned need = 0;

   while (mask) {
      unsigned target = (unsigned)__builtin_ctz(mask) / 4;

      need |= blend->order_need[target];
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
   const struct si_out_of_order_key key = {
      .available = true,
      .off = screen->options.nooutoforder,
      .relaxed = ctx->state.rasterizer->relaxed_order,
      .kept = kept(ctx, program),
      .color = mutant("order-color-forgotten") ? 0 : color_need(ctx, program),
      .shader = program->order,
      .occlusion = !ctx->occlusion_queries                                       ? SI_OCCLUSION_NONE
                   : ctx->precise_occlusion && !mutant("order-counts-forgotten") ? SI_OCCLUSION_PRECISE
                                                                                 : SI_OCCLUSION_BOOLEAN,
      .statistics = ctx->statistics_queries > 0,
   };

   return si_out_of_order(&key).allowed || mutant("order-always");
}

void
si_emit_order(struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   bool per_sample = program->per_sample && ctx->state.rasterizer->samples > 1;
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
