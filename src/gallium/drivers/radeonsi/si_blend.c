#include <string.h>

#include "amd/common/ac_format.h"
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/si_program.h"
#include "gallium/drivers/radeonsi/si_order.h"
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

static struct si_blend_key
key_of(const struct pipe_graphics_state *gfx, unsigned target)
{
   return (struct si_blend_key){
      .equation = gfx->blend[target],
      .enable_mask = (uint8_t)((gfx->color_write_mask >> (4 * target) & 0xf) | pipe_is_blended(gfx, target) << 4),
      .logic_op = gfx->logic_op_enable ? (uint8_t)(1 + gfx->logic_op) : 0,
      .format = gfx->targets.color_formats[target],
   };
}

static void
fill_memo(struct si_blend_memo *memo, const struct si_screen *screen, const struct pipe_graphics_state *gfx,
          unsigned target)
{
   struct ac_color_format color;
   const bool blendable = ac_format_color(gfx->targets.color_formats[target], &color) && color.blendable;

   memo->key = key_of(gfx, target);
   memo->control = pipe_is_blended(gfx, target) && !gfx->logic_op_enable && blendable
                      ? blend_control(screen->info.gen, &gfx->blend[target])
                      : S_CB_BLEND0_CONTROL_DISABLE_ROP3(0);
   memo->need = (uint8_t)si_order_gfx_need(gfx, target, screen->options.commutative_blend_add);
}

/* Of a target that is there. */
static const struct si_blend_memo *
find_memo(struct si_context *ctx, unsigned target)
{
   const struct si_blend_key key = key_of(&ctx->state.gfx, target);
   const struct pipe_blend_equation *e = &key.equation;
   const unsigned slot = (e->src_rgb ^ e->dst_rgb * 3u ^ e->op_rgb * 5u ^ key.enable_mask ^ key.format * 7u ^
                          key.logic_op ^ e->src_alpha ^ e->dst_alpha * 3u ^ e->op_alpha) %
                         SI_BLEND_MEMOS;
   struct si_blend_memo *memo = &ctx->blend_memos[slot];

   _Static_assert(sizeof(key) == 12, "keys have no bytes that say nothing");
   if (memcmp(&memo->key, &key, sizeof(key)))
      fill_memo(memo, ctx->screen, &ctx->state.gfx, target);
   return memo;
}

void
si_emit_blend(struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   const struct pipe_graphics_state *gfx = &ctx->state.gfx;
   struct si_cs *cs = &ctx->cs;
   uint32_t mask = gfx->color_write_mask & program->color_write_mask & ctx->state.framebuffer.color_mask;
   uint32_t controls[PIPE_MAX_COLOR_TARGETS];

   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++) {
      const struct si_blend_memo *memo = gfx->targets.color_formats[i] ? find_memo(ctx, i) : NULL;

      controls[i] = memo ? memo->control : S_CB_BLEND0_CONTROL_DISABLE_ROP3(0);
      ctx->state.order_need[i] = memo ? memo->need : 0;
   }
   si_cs_reserve(cs, 2 * (2 + PIPE_MAX_COLOR_TARGETS) + 3 + 6);
   si_cs_context_regs(cs, R_CB_BLEND0_CONTROL, PIPE_MAX_COLOR_TARGETS);
   si_cs_emit_array(cs, controls, PIPE_MAX_COLOR_TARGETS);
   /* Nothing is derived from factors. */
   si_cs_context_regs(cs, R_SX_MRT0_BLEND_OPT, PIPE_MAX_COLOR_TARGETS);
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++) {
      unsigned function = G_CB_BLEND0_CONTROL_ENABLE(controls[i]) ? V_OPT_COMB_NONE : V_OPT_COMB_BLEND_DISABLED;

      si_cs_emit(cs, S_SX_MRT0_BLEND_OPT_COLOR_COMB_FCN(function) | S_SX_MRT0_BLEND_OPT_ALPHA_COMB_FCN(function));
   }
   si_cs_context_reg(cs, R_DB_ALPHA_TO_MASK,
                     S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_ENABLE(gfx->alpha_to_coverage) |
                        S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET0(2) | S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET1(2) |
                        S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET2(2) | S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET3(2));
   /* RB+ is not used (DUAL_QUAD_DISABLE); it may not be with logic operations and two sources. */
   si_cs_context_reg(cs, R_CB_COLOR_CONTROL,
                     S_CB_COLOR_CONTROL_DISABLE_DUAL_QUAD(1) |
                        S_CB_COLOR_CONTROL_ROP3(rops[gfx->logic_op_enable ? gfx->logic_op : PIPE_LOGIC_COPY]) |
                        S_CB_COLOR_CONTROL_MODE(mask ? V_CB_NORMAL : V_CB_DISABLE));
   si_cs_context_reg(cs, R_CB_TARGET_MASK, mask);
}

void
si_emit_blend_constants(struct si_context *ctx)
{
   si_cs_reserve(&ctx->cs, 6);
   si_cs_context_regs(&ctx->cs, R_CB_BLEND_RED, 4);
   for (unsigned i = 0; i < 4; i++)
      si_cs_emit(&ctx->cs, float_bits(ctx->state.gfx.blend_constants[i]));
}
