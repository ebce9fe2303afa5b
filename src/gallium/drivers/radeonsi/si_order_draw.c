/* Out-of-order rasterisation of draws: what the bound state says to the rule (si_out_of_order.c), and the register
 * that has the answer. */
#include <stdatomic.h>

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

/* Dynamic state of faces. */
struct stencil {
   uint8_t reference[2], compare_mask[2], write_mask[2];
   bool has_depth, exports;
};

#define KEY_BITS 50

/* Two of them equal: si_order_kept() of the same object says the same. */
static uint64_t
stencil_key(const struct si_depth_stencil *state, const struct stencil *s)
{
   uint64_t key = (uint64_t)s->exports << 49 | (uint64_t)s->has_depth << 48;
   uint8_t reference[2], used[2], compared[2];

   for (unsigned face = 0; face < 2; face++) {
      compared[face] = state->order_compares[face] ? s->compare_mask[face] : 0;
      used[face] = compared[face] | (state->order_replaces[face] ? s->write_mask[face] : 0);
      reference[face] = s->exports ? 0 : s->reference[face] & used[face];
   }
   if (state->order_by_difference && !s->exports) {
      reference[0] = (s->reference[0] ^ s->reference[1]) & used[0] & used[1];
      reference[1] = 0;
   } else if (!is_partial(compared[0]) && !is_partial(compared[1]) && !is_partial(s->write_mask[0]) &&
              !is_partial(s->write_mask[1])) {
      classify_references(reference);
   }
   for (unsigned face = 0; face < 2; face++)
      key |= (uint64_t)s->write_mask[face] << (24 * face + 16) | (uint64_t)compared[face] << (24 * face + 8) |
             (uint64_t)reference[face] << (24 * face);
   return key;
}

static unsigned
kept_with_stencil(struct si_depth_stencil *state, const struct stencil *s)
{
   const uint64_t key = stencil_key(state, s);
   const unsigned slot = (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 58);
   const uint64_t known = key | UINT64_C(1) << 63;
   _Atomic uint64_t *memo = NULL;

   /* One of two slots: the other one is for what the first one does not have room for. */
   for (unsigned i = 0; i < 2; i++) {
      _Atomic uint64_t *one = &state->order_memos[slot ^ i];
      const uint64_t word = atomic_load_explicit(one, memory_order_relaxed);

      if ((word & ~((uint64_t)SI_ORDER_ALL << KEY_BITS)) == known)
         return (unsigned)(word >> KEY_BITS) & SI_ORDER_ALL;
      if (!memo)
         memo = word ? &state->order_memos[slot ^ 1] : one;
   }
   struct si_order_tests tests = tests_of_planes(state, s->has_depth, true);

   tests.stencil_export = s->exports;
   for (unsigned face = 0; face < 2; face++) {
      tests.faces[face].reference = mutant("order-references-forgotten") ? 0 : s->reference[face];
      tests.faces[face].compare_mask = mutant("order-compare-masks-forgotten") ? 0 : s->compare_mask[face];
      tests.faces[face].write_mask = mutant("order-masks-forgotten") ? 0xff : s->write_mask[face];
   }
   const unsigned kept = si_order_kept(&tests);

   atomic_store_explicit(memo, known | (uint64_t)kept << KEY_BITS, memory_order_relaxed);
   return kept;
}

/* What the checks must notice; constant false but in builds for them. */
static void
mistake_tests(struct si_order_tests *tests)
{
   if (mutant("order-bounds-forgotten"))
      tests->depth_bounds = false;
   if (mutant("order-write-forgotten"))
      tests->depth_write = false;
   if (mutant("order-compare-forgotten"))
      tests->depth_compare = PIPE_COMPARE_LESS;
   if (mutant("order-stencil-forgotten"))
      tests->stencil_test = false;
   if (mutant("order-fights-forgotten"))
      tests->assume_no_z_fights = true;
}

void
si_order_init_tests(struct si_depth_stencil *state, const struct pipe_depth_stencil_desc *desc,
                    bool assume_no_z_fights)
{
   const struct pipe_stencil_face *faces[] = {&desc->front,
                                              mutant("order-back-forgotten") ? &desc->front : &desc->back};

   state->order_tests = (struct si_order_tests){
      .depth_test = desc->depth_test,
      .depth_write = desc->depth_write,
      .depth_bounds = desc->depth_bounds_test,
      .stencil_test = desc->stencil_test,
      .depth_compare = desc->depth_compare,
      .faces = {{.face = *faces[0]}, {.face = *faces[1]}},
      .stencil_max = 0xff,
      .assume_no_z_fights = assume_no_z_fights,
   };
   mistake_tests(&state->order_tests);
   for (unsigned face = 0; face < 2; face++) {
      state->order_compares[face] = face_compares(faces[face]);
      state->order_replaces[face] = face_replaces(faces[face]);
   }
   state->order_by_difference = face_is_blind_to_values(faces[0]) && face_is_blind_to_values(faces[1]);
   for (unsigned has_depth = 0; has_depth < 2; has_depth++) {
      const struct si_order_tests tests = tests_of_planes(state, has_depth, false);
      state->order_kept[has_depth] = (uint8_t)si_order_kept(&tests);
   }
   /* What most draws ask. */
   for (uint8_t reference = 0; desc->stencil_test && reference < 2; reference++)
      kept_with_stencil(state, &(struct stencil){.reference = {reference, reference},
                                                 .compare_mask = {0xff, 0xff},
                                                 .write_mask = {0xff, 0xff},
                                                 .has_depth = true});
}

static unsigned
kept(struct si_context *ctx, const struct si_program *program)
{
   const struct si_graphics_state *bound = &ctx->state;
   struct si_depth_stencil *state = bound->depth_stencil;

   if (!state->order_tests.stencil_test || !bound->framebuffer.has_stencil || mutant("order-plane-forgotten"))
      return state->order_kept[bound->framebuffer.has_depth && !mutant("order-depth-forgotten")];
   return kept_with_stencil(state,
                            &(struct stencil){
                               .reference = {bound->stencil_reference[0], bound->stencil_reference[1]},
                               .compare_mask = {bound->stencil_compare_mask[0], bound->stencil_compare_mask[1]},
                               .write_mask = {bound->stencil_write_mask[0], bound->stencil_write_mask[1]},
                               .has_depth = bound->framebuffer.has_depth,
                               .exports = program->order.exports_stencil,
                            });
}

static unsigned
color_need(const struct si_context *ctx, const struct si_program *program)
{
   const struct si_blend *blend = ctx->state.blend;
   uint32_t mask = blend->write_mask & program->color_write_mask & ctx->state.framebuffer.color_mask;
   unsigned need = 0;

   while (mask) {
      unsigned target = (unsigned)__builtin_ctz(mask) / 4;

      need |= blend->order_need[mutant("order-first-target") ? 0 : target];
      mask &= ~(0xfu << (4 * target));
   }
   return need;
}

/* What the checks must notice; constant false but in builds for them. */
static void
mistake_key(struct si_out_of_order_key *key)
{
   if (mutant("order-color-forgotten"))
      key->color = 0;
   if (mutant("order-counts-forgotten") && key->occlusion)
      key->occlusion = SI_OCCLUSION_BOOLEAN;
   if (mutant("order-occlusion-forgotten"))
      key->occlusion = SI_OCCLUSION_NONE;
   if (mutant("order-statistics-forgotten"))
      key->statistics = false;
   if (mutant("order-relaxed"))
      key->relaxed = true;
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
      .relaxed = ctx->state.rasterizer->relaxed_order,
      .kept = kept(ctx, program),
      .color = color_need(ctx, program),
      .shader = program->order,
      .occlusion = !ctx->occlusion_queries  ? SI_OCCLUSION_NONE
                   : ctx->precise_occlusion ? SI_OCCLUSION_PRECISE
                                            : SI_OCCLUSION_BOOLEAN,
      .statistics = ctx->statistics_queries > 0,
   };

   mistake_key(&key);
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
