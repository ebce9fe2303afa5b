#include <string.h>

#include "amd/common/ac_format.h"
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/cs/si_mutant.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "gallium/drivers/radeonsi/order/si_order.h"
#include "util/macros.h"

static uint32_t
blend_factor(enum amd_gen gen, enum pipe_blend_factor factor)
{
   switch (factor) {
   case PIPE_FACTOR_ZERO:
      return V_BLEND_ZERO;
   case PIPE_FACTOR_ONE:
      return V_BLEND_ONE;
   case PIPE_FACTOR_SRC_COLOR:
      return V_BLEND_SRC_COLOR;
   case PIPE_FACTOR_ONE_MINUS_SRC_COLOR:
      return V_BLEND_ONE_MINUS_SRC_COLOR;
   case PIPE_FACTOR_DST_COLOR:
      return V_BLEND_DST_COLOR;
   case PIPE_FACTOR_ONE_MINUS_DST_COLOR:
      return V_BLEND_ONE_MINUS_DST_COLOR;
   case PIPE_FACTOR_SRC_ALPHA:
      return V_BLEND_SRC_ALPHA;
   case PIPE_FACTOR_ONE_MINUS_SRC_ALPHA:
      return V_BLEND_ONE_MINUS_SRC_ALPHA;
   case PIPE_FACTOR_DST_ALPHA:
      return V_BLEND_DST_ALPHA;
   case PIPE_FACTOR_ONE_MINUS_DST_ALPHA:
      return V_BLEND_ONE_MINUS_DST_ALPHA;
   case PIPE_FACTOR_CONSTANT_COLOR:
      return V_BLEND_CONSTANT_COLOR(gen);
   case PIPE_FACTOR_ONE_MINUS_CONSTANT_COLOR:
      return V_BLEND_ONE_MINUS_CONSTANT_COLOR(gen);
   case PIPE_FACTOR_CONSTANT_ALPHA:
      return V_BLEND_CONSTANT_ALPHA(gen);
   case PIPE_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
      return V_BLEND_ONE_MINUS_CONSTANT_ALPHA(gen);
   case PIPE_FACTOR_SRC_ALPHA_SATURATE:
      return V_BLEND_SRC_ALPHA_SATURATE;
   case PIPE_FACTOR_SRC1_COLOR:
      return V_BLEND_SRC1_COLOR(gen);
   case PIPE_FACTOR_ONE_MINUS_SRC1_COLOR:
      return V_BLEND_INV_SRC1_COLOR(gen);
   case PIPE_FACTOR_SRC1_ALPHA:
      return V_BLEND_SRC1_ALPHA(gen);
   case PIPE_FACTOR_ONE_MINUS_SRC1_ALPHA:
      return V_BLEND_INV_SRC1_ALPHA(gen);
   }
   return V_BLEND_ZERO;
}

static const uint8_t functions[] = {
   [PIPE_BLEND_ADD] = V_COMB_DST_PLUS_SRC,
   [PIPE_BLEND_SUBTRACT] = V_COMB_SRC_MINUS_DST,
   [PIPE_BLEND_REVERSE_SUBTRACT] = V_COMB_DST_MINUS_SRC,
   [PIPE_BLEND_MIN] = V_COMB_MIN_DST_SRC,
   [PIPE_BLEND_MAX] = V_COMB_MAX_DST_SRC,
};

/* ROP3 codes: a truth table of source and destination, the pattern operand ignored. */
static const uint8_t rops[] = {
   [PIPE_LOGIC_CLEAR] = 0x00,         [PIPE_LOGIC_AND] = 0x88,          [PIPE_LOGIC_AND_REVERSE] = 0x44,
   [PIPE_LOGIC_COPY] = 0xcc,          [PIPE_LOGIC_AND_INVERTED] = 0x22, [PIPE_LOGIC_NO_OP] = 0xaa,
   [PIPE_LOGIC_XOR] = 0x66,           [PIPE_LOGIC_OR] = 0xee,           [PIPE_LOGIC_NOR] = 0x11,
   [PIPE_LOGIC_EQUIVALENT] = 0x99,    [PIPE_LOGIC_INVERT] = 0x55,       [PIPE_LOGIC_OR_REVERSE] = 0xdd,
   [PIPE_LOGIC_COPY_INVERTED] = 0x33, [PIPE_LOGIC_OR_INVERTED] = 0xbb,  [PIPE_LOGIC_NAND] = 0x77,
   [PIPE_LOGIC_SET] = 0xff,
};

/* Minimum and maximum ignore the factors; the hardware does not. */
static uint32_t
factor_of(enum amd_gen gen, unsigned op, unsigned factor)
{
   return op == PIPE_BLEND_MIN || op == PIPE_BLEND_MAX ? V_BLEND_ONE
                                                       : blend_factor(gen, (enum pipe_blend_factor)factor);
}

static uint32_t
blend_control(enum amd_gen gen, const struct pipe_blend_equation *e)
{
   return S_CB_BLEND0_CONTROL_ENABLE(1) | S_CB_BLEND0_CONTROL_SEPARATE_ALPHA_BLEND(1) |
          S_CB_BLEND0_CONTROL_COLOR_SRCBLEND(factor_of(gen, e->op_rgb, e->src_rgb)) |
          S_CB_BLEND0_CONTROL_COLOR_COMB_FCN(functions[e->op_rgb]) |
          S_CB_BLEND0_CONTROL_COLOR_DESTBLEND(factor_of(gen, e->op_rgb, e->dst_rgb)) |
          S_CB_BLEND0_CONTROL_ALPHA_SRCBLEND(factor_of(gen, e->op_alpha, e->src_alpha)) |
          S_CB_BLEND0_CONTROL_ALPHA_COMB_FCN(functions[e->op_alpha]) |
          S_CB_BLEND0_CONTROL_ALPHA_DESTBLEND(factor_of(gen, e->op_alpha, e->dst_alpha));
}

static void
fill_memo(struct si_blend_memo *memo, const struct si_screen *screen, const struct pipe_graphics_state *gfx,
          unsigned target)
{
   struct ac_color_format color;
   const bool blendable = ac_format_color(gfx->targets.color_formats[target], &color) && color.blendable;

   memo->control = pipe_is_blended(gfx, target) && !gfx->logic_op_enable && blendable
                      ? blend_control(screen->info.gen, &gfx->blend[target])
                      : S_CB_BLEND0_CONTROL_DISABLE_ROP3(0);
   memo->need = (uint8_t)si_order_gfx_need(gfx, target, screen->options.commutative_blend_add);
}

/* What memos are found by. */
struct memo_key {
   uint32_t equation, rest;
};

static inline uint32_t
equation_word(const struct pipe_graphics_state *gfx, unsigned target)
{
   uint32_t word;

   _Static_assert(sizeof(gfx->blend[0]) == sizeof(word), "an equation is a word");
   memcpy(&word, &gfx->blend[target], sizeof(word));
   return word;
}

static inline struct memo_key
memo_key(const struct pipe_graphics_state *gfx, unsigned target)
{
   return (struct memo_key){.equation = equation_word(gfx, target),
                            .rest = (pipe_color_masks(gfx) >> (4 * target) & 0xf) |
                                    (uint32_t)pipe_is_blended(gfx, target) << 4 |
                                    (gfx->logic_op_enable ? 1 + (uint32_t)gfx->logic_op : 0) << 5 |
                                    gfx->targets.color_formats[target] << 10};
}

static inline struct si_blend_memo *
memo_of(struct si_context *ctx, struct memo_key key)
{
   return &ctx->blend_memos[(key.equation ^ key.rest << 7) * 0x9e3779b9u / (UINT32_MAX / SI_BLEND_MEMOS + 1)];
}

static inline bool
is_memo_of(const struct si_blend_memo *memo, struct memo_key key)
{
   return memo->rest == key.rest && memo->equation == key.equation;
}

/* Of a target that is there. */
static const struct si_blend_memo *
find_memo(struct si_context *ctx, unsigned target)
{
   const struct memo_key key = memo_key(ctx->state.gfx, target);
   struct si_blend_memo *memo = memo_of(ctx, key);

   if (is_memo_of(memo, key))
      return memo;
   memo->equation = key.equation;
   memo->rest = key.rest;
   fill_memo(memo, ctx->screen, ctx->state.gfx, target);
   return memo;
}

/* Nothing is derived from factors. */
static uint32_t
blend_opt(bool enabled)
{
   const unsigned function = enabled ? V_OPT_COMB_NONE : V_OPT_COMB_BLEND_DISABLED;

   return S_SX_MRT0_BLEND_OPT_COLOR_COMB_FCN(function) | S_SX_MRT0_BLEND_OPT_ALPHA_COMB_FCN(function);
}

static bool
blends(uint32_t control)
{
   return G_CB_BLEND0_CONTROL_ENABLE(control);
}

/* The registers from the first to the last of targets; opts: whether to blend has changed. */
static void
emit_controls(struct si_cs *cs, const uint32_t *controls, uint32_t targets, bool opts)
{
   const unsigned first = (unsigned)__builtin_ctz(targets), end = 32 - (unsigned)__builtin_clz(targets);

   si_cs_reserve(cs, 2 * (2 + PIPE_MAX_COLOR_TARGETS));
   si_cs_context_regs(cs, R_CB_BLEND0_CONTROL + 4 * first, end - first);
   for (unsigned i = first; i < end; i++)
      si_cs_emit(cs, controls[i]);
   if (!opts)
      return;
   si_cs_context_regs(cs, R_SX_MRT0_BLEND_OPT + 4 * first, end - first);
   for (unsigned i = first; i < end; i++)
      si_cs_emit(cs, blend_opt(blends(controls[i])));
}

/* The registers of targets whose words change. What colours need of the order of primitives is found on the way. */
void
si_emit_blend(struct si_context *ctx)
{
   const struct pipe_graphics_state *gfx = ctx->state.gfx;
   struct si_last_blend *last = &ctx->last_blend;
   const unsigned num_colors = gfx->targets.num_colors;
   const unsigned count = last->known ? MAX2(num_colors, last->num_colors) : PIPE_MAX_COLOR_TARGETS;
   uint32_t others = 0, other_opts = !last->known, other_needs = 0;

   _Static_assert(S_CB_BLEND0_CONTROL_DISABLE_ROP3(0) == 0, "what is not there has 0");
   for (unsigned i = 0; i < count; i++) {
      const struct si_blend_memo *memo = i < num_colors && gfx->targets.color_formats[i] ? find_memo(ctx, i) : NULL;
      const uint32_t control = memo ? memo->control : 0, before = last->controls[i];
      const uint8_t need = memo ? memo->need : 0;

      other_needs |= need ^ ctx->state.order_need[i];
      other_opts |= (control ^ before) & S_CB_BLEND0_CONTROL_ENABLE(1);
      others |= (uint32_t)(control != before || !last->known) << i;
      ctx->state.order_need[i] = need;
      last->controls[i] = control;
   }
   last->num_colors = num_colors;
   last->known = true;
   last->rest = num_colors == 1 ? memo_key(gfx, 0).rest : 0;
   if (others)
      emit_controls(&ctx->cs, last->controls, others, other_opts);
   if (other_needs && ctx->screen->info.out_of_order)
      ctx->dirty |= si_mutate_atoms(SI_MUTANT_STATE, 1u << SI_ATOM_BLEND | 1u << SI_ATOM_ORDER) & 1u << SI_ATOM_ORDER;
}

/* The most common change, and the cheapest: another equation, with a memo, of one target. What else memos are found
 * by is as si_emit_blend() left it. */
void
si_emit_blend_equation(struct si_context *ctx)
{
   struct si_last_blend *last = &ctx->last_blend;
   struct memo_key key = {.equation = equation_word(ctx->state.gfx, 0), .rest = last->rest};
   const struct si_blend_memo *memo = memo_of(ctx, key);
   struct si_cs *cs = &ctx->cs;

   if (!is_memo_of(memo, key) || !key.rest || cs->end - cs->cur < 3 ||
       (memo->need != ctx->state.order_need[0] && ctx->screen->info.out_of_order)) {
      si_emit_blend(ctx);
      return;
   }
   ctx->state.order_need[0] = memo->need;
   if (memo->control == last->controls[0])
      return;
   last->controls[0] = memo->control;
   si_cs_context_reg(cs, R_CB_BLEND0_CONTROL, memo->control);
}

static void
emit_if_other(struct si_cs *cs, bool known, uint32_t reg, uint32_t value, uint32_t *last)
{
   if (known && value == *last)
      return;
   si_cs_context_reg(cs, reg, value);
   *last = value;
}

void
si_emit_color_control(struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   const struct pipe_graphics_state *gfx = ctx->state.gfx;
   struct si_last_color_control *last = &ctx->last_color_control;
   struct si_cs *cs = &ctx->cs;
   const uint32_t mask = pipe_color_masks(gfx) & program->color_write_mask & ctx->state.framebuffer.color_mask;

   si_cs_reserve(cs, 9);
   emit_if_other(cs, last->known, R_DB_ALPHA_TO_MASK,
                 S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_ENABLE(gfx->alpha_to_coverage && !gfx->alpha_to_one) |
                    S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET0(2) | S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET1(2) |
                    S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET2(2) | S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET3(2),
                 &last->alpha_to_mask);
   /* RB+ is not used (DUAL_QUAD_DISABLE); it may not be with logic operations and two sources. */
   emit_if_other(cs, last->known, R_CB_COLOR_CONTROL,
                 S_CB_COLOR_CONTROL_DISABLE_DUAL_QUAD(1) |
                    S_CB_COLOR_CONTROL_ROP3(rops[gfx->logic_op_enable ? gfx->logic_op : PIPE_LOGIC_COPY]) |
                    S_CB_COLOR_CONTROL_MODE(mask ? V_CB_NORMAL : V_CB_DISABLE),
                 &last->color_control);
   emit_if_other(cs, last->known, R_CB_TARGET_MASK, mask, &last->target_mask);
   last->known = true;
}

void
si_emit_blend_constants(struct si_context *ctx)
{
   const float *constants = ctx->state.gfx->blend_constants;

   si_cs_reserve(&ctx->cs, 6);
   si_context_regs(&ctx->cs, {R_CB_BLEND_RED, float_bits(constants[0])}, {R_CB_BLEND_GREEN, float_bits(constants[1])},
                   {R_CB_BLEND_BLUE, float_bits(constants[2])}, {R_CB_BLEND_ALPHA, float_bits(constants[3])});
}
