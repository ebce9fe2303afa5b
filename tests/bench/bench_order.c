/* Out-of-order rasterisation: what the decision costs, and for how many draws it is yes.
 *
 * Costs are of radeonsi's own functions: of a draw that changed nothing, of one that changed everything, of what the
 * context did not remember. The draws are those of programs on the model (without internal ones), read from the
 * registers that our driver sets for them; next to its decision that of Mesa's radeonsi on the same registers. A
 * query counts as precise there. Argument: the chip; vega10. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "amd/hw/registers.h"
#include "bench.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/order/si_order.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "util/format_enum.h"
#include "util/macros.h"

enum { ROUNDS = 301, CALLS = 2000 };

/* ---- costs ---- */

/* A whole state of a draw, as far as the decision looks at it. */
struct state {
   struct pipe_graphics_state gfx;
   uint8_t order_need[PIPE_MAX_COLOR_TARGETS];
   struct si_program program;
   bool has_depth, has_stencil;
   uint32_t color_mask;
   unsigned occlusion_queries;
};

static void
set_needs(struct state *state)
{
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++)
      state->order_need[i] = (uint8_t)si_order_gfx_need(&state->gfx, i, false);
}

#define FACES(...) .stencil_test = true, .stencil = {__VA_ARGS__}
static const struct pipe_graphics_state volume = {
   .depth_test = true,
   .depth_compare = PIPE_COMPARE_LESS,
   FACES({.compare = PIPE_COMPARE_ALWAYS, .depth_fail = PIPE_STENCIL_DECREMENT_WRAP},
         {.compare = PIPE_COMPARE_ALWAYS, .depth_fail = PIPE_STENCIL_INCREMENT_WRAP}),
};
static const struct pipe_graphics_state mark = {
   FACES({.compare = PIPE_COMPARE_NOT_EQUAL, .pass = PIPE_STENCIL_REPLACE},
         {.compare = PIPE_COMPARE_NOT_EQUAL, .pass = PIPE_STENCIL_REPLACE}),
};
static const struct pipe_graphics_state layers = {
   FACES({.compare = PIPE_COMPARE_EQUAL, .pass = PIPE_STENCIL_INCREMENT_WRAP},
         {.compare = PIPE_COMPARE_EQUAL, .pass = PIPE_STENCIL_INCREMENT_WRAP}),
};
/* Compared and written in different bits: four functions, which all commute, so that all pairs are looked at. */
static const struct pipe_graphics_state counts = {
   .depth_test = true,
   .depth_compare = PIPE_COMPARE_LESS,
   FACES({PIPE_STENCIL_INCREMENT_WRAP, PIPE_STENCIL_DECREMENT_WRAP, PIPE_STENCIL_INCREMENT_WRAP, PIPE_COMPARE_LESS},
         {PIPE_STENCIL_DECREMENT_WRAP, PIPE_STENCIL_INCREMENT_WRAP, PIPE_STENCIL_DECREMENT_WRAP, PIPE_COMPARE_LESS}),
};
static const struct pipe_graphics_state depth = {
   .depth_test = true, .depth_write = true, .depth_compare = PIPE_COMPARE_LESS};

static void
state_init(struct state *state, unsigned targets, const struct pipe_graphics_state *tests, uint8_t reference)
{
   const uint8_t one = PIPE_FACTOR_ONE, max = PIPE_BLEND_MAX;
   memset(state, 0, sizeof(*state));
   state->gfx = *tests;
   state->gfx.samples = 1;
   state->gfx.targets.num_colors = targets;
   state->gfx.color_write_mask = state->program.color_write_mask = UINT32_MAX;
   for (unsigned i = 0; i < targets; i++) {
      state->gfx.targets.color_formats[i] = FORMAT_R8G8B8A8_UNORM;
      state->gfx.blend[i] = (struct pipe_blend_equation){
         .src_rgb = one, .dst_rgb = one, .op_rgb = max, .src_alpha = one, .dst_alpha = one, .op_alpha = max};
      state->gfx.blend_enable |= (uint8_t)(1u << i);
   }
   for (unsigned face = 0; face < 2; face++) {
      state->gfx.stencil_reference[face] = reference;
      state->gfx.stencil_compare_mask[face] = state->gfx.stencil_write_mask[face] = 0xff;
   }
   set_needs(state);
   state->has_depth = true;
   state->has_stencil = tests->stencil_test;
   state->color_mask = targets == 8 ? UINT32_MAX : (1u << (4 * targets)) - 1;
   state->occlusion_queries = targets & 1;
}

static void
set_state(struct si_context *ctx, struct state *state)
{
   ctx->state.gfx = &state->gfx;
   memcpy(ctx->state.order_need, state->order_need, sizeof(state->order_need));
   ctx->programs[PIPE_BIND_GRAPHICS] = &state->program;
   ctx->state.framebuffer.has_depth = state->has_depth;
   ctx->state.framebuffer.has_stencil = state->has_stencil;
   ctx->state.framebuffer.color_mask = state->color_mask;
   ctx->occlusion_queries = state->occlusion_queries;
}

/* References: any, two; and such that the context does not know, since what it knew is wiped. */
enum kind { SETTING, UNCHANGED, DIRTY, CHANGED, REFERENCE, TWO_REFERENCES, UNKNOWN_REFERENCE };

/* A context of nothing but what the decision uses, and a stream that starts again and again. */
static double
measure(struct si_context *ctx, struct state *states, enum kind kind)
{
   static uint32_t stream[64];
   double times[ROUNDS];
   ctx->cs.start = stream;
   ctx->cs.end = stream + ARRAY_SIZE(stream);
   for (unsigned round = 0; round < ROUNDS; round++) {
      double start = bench_now_s();
      for (unsigned i = 0; i < CALLS; i++) {
         ctx->cs.cur = stream;
         if (kind == UNCHANGED) {
            if (*(volatile uint32_t *)&ctx->dirty >> SI_ATOM_ORDER & 1)
               si_emit_order(ctx);
            continue;
         }
         if (kind != DIRTY)
            set_state(ctx, &states[kind >= REFERENCE ? 0 : i & 1]);
         if (kind >= REFERENCE) {
            states[0].gfx.stencil_reference[0] = (uint8_t)i;
            states[0].gfx.stencil_reference[1] = (uint8_t)(i + (kind == TWO_REFERENCES));
         }
         if (kind == UNKNOWN_REFERENCE)
            memset(ctx->order_memos, 0, sizeof(ctx->order_memos));
         if (kind != SETTING)
            si_emit_order(ctx);
         __asm__ volatile("" ::: "memory");
      }
      times[round] = (bench_now_s() - start) / CALLS * 1e9;
   }
   return bench_median(times, ROUNDS);
}

static double
measure_blend(struct state *state)
{
   double times[ROUNDS];
   for (unsigned round = 0; round < ROUNDS; round++) {
      double start = bench_now_s();
      for (unsigned i = 0; i < CALLS; i++) {
         set_needs(state);
         __asm__ volatile("" ::"r"(state) : "memory");
      }
      times[round] = (bench_now_s() - start) / CALLS * 1e9;
   }
   return bench_median(times, ROUNDS);
}

static void
print_costs(void)
{
   struct si_screen *screen = calloc(1, sizeof(*screen));
   struct si_context *ctx = calloc(1, sizeof(*ctx));
   struct state *states = calloc(2, sizeof(*states));
   screen->info.out_of_order = true;
   ctx->screen = screen;
   state_init(&states[0], 1, &volume, 1);
   state_init(&states[1], 8, &depth, 0);
   printf("of a draw, ns (limits: unchanged 5, all changed 40):\n");
   double setting = measure(ctx, states, SETTING);
   printf("  %-44s %7.1f\n", "nothing changed", measure(ctx, states, UNCHANGED));
   printf("  %-44s %7.1f\n", "something may have, and has not", measure(ctx, states, DIRTY));
   printf("  %-44s %7.1f\n", "all changed, the register too", measure(ctx, states, CHANGED) - setting);
   printf("  %-44s %7.1f\n", "depth and stencil, worked out anew", measure(ctx, states, UNKNOWN_REFERENCE) - setting);
   state_init(&states[0], 1, &mark, 1);
   printf("  %-44s %7.1f\n", "any reference, compared and stored", measure(ctx, states, REFERENCE) - setting);
   printf("  %-44s %7.1f\n", "two, one for each face", measure(ctx, states, TWO_REFERENCES) - setting);
   printf("  %-44s %7.1f\n", "and worked out anew", measure(ctx, states, UNKNOWN_REFERENCE) - setting);
   state_init(&states[0], 1, &layers, 1);
   printf("  %-44s %7.1f\n", "any reference, compared and counted", measure(ctx, states, REFERENCE) - setting);
   printf("  %-44s %7.1f\n", "two, one for each face", measure(ctx, states, TWO_REFERENCES) - setting);
   printf("  %-44s %7.1f\n", "and worked out anew", measure(ctx, states, UNKNOWN_REFERENCE) - setting);
   state_init(&states[0], 1, &counts, 1);
   memset(states[0].gfx.stencil_compare_mask, 0xf0, 2);
   memset(states[0].gfx.stencil_write_mask, 0x0f, 2);
   printf("  %-44s %7.1f\n", "four functions that commute, anew", measure(ctx, states, UNKNOWN_REFERENCE) - setting);
   printf("  %-44s %7.1f\n", "blending of eight targets, anew (limit 1000)", measure_blend(&states[1]));
   free(states);
   free(ctx);
   free(screen);
}

/* ---- shares ---- */

static const char *const names[] = {
   "PA_SC_MODE_CNTL_1", "DB_DEPTH_CONTROL",  "DB_STENCIL_CONTROL", "DB_STENCILREFMASK", "DB_STENCILREFMASK_BF",
   "DB_SHADER_CONTROL", "DB_COUNT_CONTROL",  "CB_TARGET_MASK",     "CB_COLOR_CONTROL",  "VGT_PRIMITIVE_TYPE",
   "CB_BLEND0_CONTROL", "CB_BLEND1_CONTROL", "CB_BLEND2_CONTROL",  "CB_BLEND3_CONTROL", "CB_BLEND4_CONTROL",
   "CB_BLEND5_CONTROL", "CB_BLEND6_CONTROL", "CB_BLEND7_CONTROL"};
enum { MODE, DEPTH, STENCIL, MASK, MASK_BF, SHADER, COUNT, TARGETS, CONTROL, PRIMITIVE, BLEND };

static bool
is_in(unsigned set, unsigned value)
{
   return set >> value & 1;
}

#define COMPARES_ORDERED                                                                                             \
   (1u << PIPE_COMPARE_NEVER | 1u << PIPE_COMPARE_LESS | 1u << PIPE_COMPARE_LESS_OR_EQUAL |                          \
    1u << PIPE_COMPARE_GREATER | 1u << PIPE_COMPARE_GREATER_OR_EQUAL)
#define COMPARES_FIXED (1u << PIPE_COMPARE_ALWAYS | 1u << PIPE_COMPARE_NEVER)

struct radeonsi_face {
   unsigned compare, fail, pass, depth_fail;
   bool writes;
};

static bool
commutes(const struct radeonsi_face *face)
{
   const unsigned ops = ~(1u << V_STENCIL_ADD_CLAMP | 1u << V_STENCIL_SUB_CLAMP | 1u << V_STENCIL_REPLACE_TEST);
   return !face->writes ||
          (face->compare == PIPE_COMPARE_ALWAYS && is_in(ops, face->pass) && is_in(ops, face->depth_fail)) ||
          (face->compare == PIPE_COMPARE_NEVER && is_in(ops, face->fail));
}

static bool
writes(const struct radeonsi_face *face, uint32_t mask)
{
   return G_DB_STENCILREFMASK_STENCILWRITEMASK(mask) && (face->fail || face->pass || face->depth_fail);
}

/* Whether depth and stencil end the same, and whether the same fragments pass. */
static void
radeonsi_tests(const uint32_t *regs, bool *ends, bool *passes)
{
   const uint32_t control = regs[DEPTH], ops = regs[STENCIL];
   struct radeonsi_face front = {G_DB_DEPTH_CONTROL_STENCILFUNC(control), G_DB_STENCIL_CONTROL_STENCILFAIL(ops),
                                 G_DB_STENCIL_CONTROL_STENCILZPASS(ops), G_DB_STENCIL_CONTROL_STENCILZFAIL(ops),
                                 false};
   struct radeonsi_face back = {G_DB_DEPTH_CONTROL_STENCILFUNC_BF(control), G_DB_STENCIL_CONTROL_STENCILFAIL_BF(ops),
                                G_DB_STENCIL_CONTROL_STENCILZPASS_BF(ops), G_DB_STENCIL_CONTROL_STENCILZFAIL_BF(ops),
                                false};
   const bool stencil = G_DB_DEPTH_CONTROL_STENCIL_ENABLE(control);
   front.writes = stencil && writes(&front, regs[MASK]);
   back.writes = stencil && writes(&back, regs[MASK_BF]);
   const bool writes_depth = G_DB_DEPTH_CONTROL_Z_ENABLE(control) && G_DB_DEPTH_CONTROL_Z_WRITE_ENABLE(control);
   const bool writes_stencil = front.writes || back.writes;
   const unsigned compare = G_DB_DEPTH_CONTROL_ZFUNC(control);
   const bool free_order = !writes_depth && commutes(&front) && commutes(&back);
   *ends = free_order || (!writes_stencil && is_in(COMPARES_ORDERED, compare));
   *passes = free_order || (!writes_stencil && is_in(COMPARES_FIXED, compare));
}

static bool
radeonsi_blends(uint32_t blend, bool alpha)
{
   const unsigned op = alpha ? G_CB_BLEND0_CONTROL_ALPHA_COMB_FCN(blend) : G_CB_BLEND0_CONTROL_COLOR_COMB_FCN(blend);
   return op == V_COMB_MIN_DST_SRC || op == V_COMB_MAX_DST_SRC;
}

/* Source: Mesa 24's radeonsi, as a rule. */
static bool
radeonsi_allows(const uint32_t *regs)
{
   bool ends, passes;
   radeonsi_tests(regs, &ends, &passes);
   const bool early_stores =
      G_DB_SHADER_CONTROL_EXEC_ON_NOOP(regs[SHADER]) && G_DB_SHADER_CONTROL_DEPTH_BEFORE_SHADER(regs[SHADER]);
   if (!ends || ((early_stores || G_DB_COUNT_CONTROL_PERFECT_ZPASS_COUNTS(regs[COUNT])) && !passes))
      return false;
   if (regs[TARGETS] && G_CB_COLOR_CONTROL_ROP3(regs[CONTROL]) != 0xcc)
      return false;
   for (unsigned i = 0; i < 8; i++) {
      const uint32_t mask = regs[TARGETS] >> (4 * i) & 0xf, blend = regs[BLEND + i];
      if (mask && (!G_CB_BLEND0_CONTROL_ENABLE(blend) || !passes || (mask & 7 && !radeonsi_blends(blend, false)) ||
                   (mask & 8 && !radeonsi_blends(blend, true))))
         return false;
   }
   return true;
}

struct shares {
   unsigned draws, ours, radeonsi, both;
};

/* What may be ordered less. */
#define OPTIONS "assume_no_z_fights,commutative_blend_add"

static void
count_draws(FILE *dump, struct shares *shares)
{
   uint32_t regs[ARRAY_SIZE(names)] = {0};
   char line[256], name[64];
   while (fgets(line, sizeof(line), dump)) {
      unsigned value, i = 0;
      if (!strncmp(line, "packet DRAW_", 12) && regs[PRIMITIVE] != V_DI_PT_RECTLIST) {
         const bool ours = G_PA_SC_MODE_CNTL_1_OUT_OF_ORDER_PRIMITIVE_ENABLE(regs[MODE]);
         const bool theirs = radeonsi_allows(regs);
         shares->draws++;
         shares->ours += ours;
         shares->radeonsi += theirs;
         shares->both += ours && theirs;
      }
      if (sscanf(line, "%63s %x", name, &value) != 2)
         continue;
      while (i < ARRAY_SIZE(names) && strcmp(names[i], name))
         i++;
      if (i < ARRAY_SIZE(names))
         regs[i] = value;
   }
}

static int
run_program(const char *build, const char *gpu, const char *program, const char *options, struct shares *shares)
{
   char command[12800], path[] = "/tmp/bench_order_XXXXXX";
   int file = mkstemp(path);
   *shares = (struct shares){0};
   snprintf(command, sizeof(command),
            "cd /tmp && RADEONSI_DEBUG=%s %s/src/tools/indium run --gpu %s --dump-state %s -- %s/%s >/dev/null 2>&1",
            options, build, gpu, path, build, program);
   int status = system(command);
   FILE *dump = file >= 0 ? fdopen(file, "r") : NULL;
   if (dump) {
      count_draws(dump, shares);
      fclose(dump);
   }
   unlink(path);
   return status;
}

static int
print_shares(const char *build, const char *gpu, const char *program)
{
   struct shares shares, free_shares;
   int status = run_program(build, gpu, program, "", &shares);
   status |= run_program(build, gpu, program, OPTIONS, &free_shares);
   const double all = shares.draws ? shares.draws : 1;
   printf("%-44.44s %6u %6u %5.1f%% %6u %5.1f%% %6u %6u%s\n", strchr(program, '/') + 1, shares.draws, shares.ours,
          100 * shares.ours / all, shares.radeonsi, 100 * shares.radeonsi / all, shares.both, free_shares.ours,
          status ? " failed" : "");
   fflush(stdout);
   return status != 0;
}

int
main(int argc, char **argv)
{
   static const char *const programs[] = {
      "examples/triangle -o /dev/null",
      "examples/scene -o /dev/null",
      "examples/oit --width 64 --height 64 --triangles 100",
      "examples/oit --width 64 --height 64 --triangles 100 --unordered",
      "tests/vulkan/raster_order",
      "tests/vulkan/queries",
      "tests/vulkan/passes",
      "tests/vulkan/commands",
      "tests/vulkan/features",
      "tests/vulkan/interlock_draws",
   };
   const char *gpu = argc > 1 ? argv[1] : "vega10";
   char build[4096];
   ssize_t length = readlink("/proc/self/exe", build, sizeof(build) - 1);
   int status = 0;
   build[length > 0 ? length : 0] = 0;
   char *end = strstr(build, "/tests/bench/");
   if (end)
      *end = 0;
   print_costs();
   printf("\n%-44s %6s %13s %13s %6s %6s\n", "draws out of order (last: with options)", "draws", "ours", "radeonsi's",
          "both", "free");
   for (unsigned i = 0; i < ARRAY_SIZE(programs); i++)
      status |= print_shares(build, gpu, programs[i]);
   return status;
}
