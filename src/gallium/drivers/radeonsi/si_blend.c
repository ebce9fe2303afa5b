#include <stdlib.h>

#include "amd/common/ac_format.h"
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/si_program.h"
#include "gallium/drivers/radeonsi/si_state.h"
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
factor_of(enum amd_gen gen, enum pipe_blend_op op, enum pipe_blend_factor factor)
{
   return op == PIPE_BLEND_MIN || op == PIPE_BLEND_MAX ? V_BLEND_ONE : blend_factor(gen, factor);
}

static uint32_t
blend_control(enum amd_gen gen, const struct pipe_blend_target *target)
{
   if (!target->enable)
      return S_CB_BLEND0_CONTROL_DISABLE_ROP3(0);
   return S_CB_BLEND0_CONTROL_ENABLE(1) | S_CB_BLEND0_CONTROL_SEPARATE_ALPHA_BLEND(1) |
          S_CB_BLEND0_CONTROL_COLOR_SRCBLEND(factor_of(gen, target->op_rgb, target->src_rgb)) |
          S_CB_BLEND0_CONTROL_COLOR_COMB_FCN(functions[target->op_rgb]) |
          S_CB_BLEND0_CONTROL_COLOR_DESTBLEND(factor_of(gen, target->op_rgb, target->dst_rgb)) |
          S_CB_BLEND0_CONTROL_ALPHA_SRCBLEND(factor_of(gen, target->op_alpha, target->src_alpha)) |
          S_CB_BLEND0_CONTROL_ALPHA_COMB_FCN(functions[target->op_alpha]) |
          S_CB_BLEND0_CONTROL_ALPHA_DESTBLEND(factor_of(gen, target->op_alpha, target->dst_alpha));
}

static struct pipe_blend *
blend_create(struct pipe_screen *screen, const struct pipe_blend_desc *desc)
{
   struct si_blend *blend = calloc(1, sizeof(*blend));
   struct ac_color_format color;
   unsigned blends = 0; /* targets; nothing is derived from their factors (SX_MRT0_BLEND_OPT) */

   if (!blend)
      return NULL;
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++) {
      struct pipe_blend_target target = desc->targets[i];

      if (desc->logic_op_enable ||
          (desc->formats[i] && ac_format_color(desc->formats[i], &color) && !color.blendable))
         target.enable = false;
      si_pm4_reg(&blend->regs, R_CB_BLEND0_CONTROL + 4 * i, blend_control(si_screen(screen)->info.gen, &target));
      blends |= (unsigned)target.enable << i;
      blend->write_mask |= (uint32_t)target.write_mask << (4 * i);
      blend->order_need[i] = (uint8_t)si_order_target_need(desc, i, si_screen(screen)->options.commutative_blend_add);
   }
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++) {
      unsigned function = blends & 1u << i ? V_OPT_COMB_NONE : V_OPT_COMB_BLEND_DISABLED;

      si_pm4_reg(&blend->regs, R_SX_MRT0_BLEND_OPT + 4 * i,
                 S_SX_MRT0_BLEND_OPT_COLOR_COMB_FCN(function) | S_SX_MRT0_BLEND_OPT_ALPHA_COMB_FCN(function));
   }
   si_pm4_reg(&blend->regs, R_DB_ALPHA_TO_MASK,
              S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_ENABLE(desc->alpha_to_coverage) |
                 S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET0(2) | S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET1(2) |
                 S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET2(2) | S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET3(2));
   /* RB+ is not used (DUAL_QUAD_DISABLE); it may not be with logic operations and two sources. */
   blend->color_control =
      S_CB_COLOR_CONTROL_DISABLE_DUAL_QUAD(1) |
      S_CB_COLOR_CONTROL_ROP3(desc->logic_op_enable ? rops[desc->logic_op] : rops[PIPE_LOGIC_COPY]);
   return si_blend_handle(blend);
}

static void
blend_destroy(struct pipe_screen *screen, struct pipe_blend *blend)
{
   free(si_blend(blend));
}

void
si_emit_blend(struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   struct si_cs *cs = &ctx->cs;
   uint32_t mask = ctx->state.blend->write_mask & program->color_write_mask & ctx->state.framebuffer.color_mask;

   si_pm4_emit(cs, &ctx->state.blend->regs);
   si_cs_reserve(cs, 6);
   si_cs_context_reg(cs, R_CB_COLOR_CONTROL,
                     ctx->state.blend->color_control | S_CB_COLOR_CONTROL_MODE(mask ? V_CB_NORMAL : V_CB_DISABLE));
   si_cs_context_reg(cs, R_CB_TARGET_MASK, mask);
}

void
si_emit_blend_constants(struct si_context *ctx)
{
   si_cs_reserve(&ctx->cs, 6);
   si_cs_context_regs(&ctx->cs, R_CB_BLEND_RED, 4);
   for (unsigned i = 0; i < 4; i++)
      si_cs_emit(&ctx->cs, float_bits(ctx->state.blend_constants[i]));
}

void
si_init_blend(struct si_screen *screen)
{
   screen->base.blend_create = blend_create;
   screen->base.blend_destroy = blend_destroy;
}
