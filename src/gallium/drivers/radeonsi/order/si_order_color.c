/* What colour needs of the fragments that pass (si_order.h), by what a channel makes of the stored value d and the
 * fragment's s:
 *
 *   d                 nothing
 *   a constant        whether there are any
 *   s                 the last
 *   one function of d  how many: ~d (an even number leaves what was there), d * constant
 *   one of functions of d, chosen by s, that commute   which these are
 *   anything else     their sequence
 *
 * Sums and products of fixed point are rounded and clamped after every fragment, and may depend on the order then. */
#include "gallium/drivers/radeonsi/order/si_order.h"
#include "util/macros.h"

/* Of one bit, s chooses between two of d, ~d, 0 and 1. d and ~d commute, and so does d with either of 0 and 1. */
static const uint8_t logic_needs[] = {
   [PIPE_LOGIC_CLEAR] = SI_ORDER_ANY,
   [PIPE_LOGIC_AND] = SI_ORDER_SET,
   [PIPE_LOGIC_AND_REVERSE] = SI_ORDER_SEQUENCE,
   [PIPE_LOGIC_COPY] = SI_ORDER_LAST,
   [PIPE_LOGIC_AND_INVERTED] = SI_ORDER_SET,
   [PIPE_LOGIC_NO_OP] = 0,
   [PIPE_LOGIC_XOR] = SI_ORDER_SET,
   [PIPE_LOGIC_OR] = SI_ORDER_SET,
   [PIPE_LOGIC_NOR] = SI_ORDER_SEQUENCE,
   [PIPE_LOGIC_EQUIVALENT] = SI_ORDER_SET,
   [PIPE_LOGIC_INVERT] = SI_ORDER_COUNT,
   [PIPE_LOGIC_OR_REVERSE] = SI_ORDER_SEQUENCE,
   [PIPE_LOGIC_COPY_INVERTED] = SI_ORDER_LAST,
   [PIPE_LOGIC_OR_INVERTED] = SI_ORDER_SET,
   [PIPE_LOGIC_NAND] = SI_ORDER_SEQUENCE,
   [PIPE_LOGIC_SET] = SI_ORDER_ANY,
};

/* Factors that look at what is stored, which without alpha are constants; and where alpha is not written, to colours.
 */
static enum pipe_blend_factor
reduce_factor(const struct si_order_color *c, enum pipe_blend_factor factor, bool of_alpha)
{
   bool has_alpha = c->has_alpha;

   if (factor == PIPE_FACTOR_SRC_ALPHA_SATURATE && of_alpha)
      return PIPE_FACTOR_ONE;
   if (!has_alpha && factor == PIPE_FACTOR_DST_ALPHA)
      return PIPE_FACTOR_ONE;
   if (!has_alpha && factor == PIPE_FACTOR_ONE_MINUS_DST_ALPHA)
      return PIPE_FACTOR_ZERO;
   if (!has_alpha && factor == PIPE_FACTOR_SRC_ALPHA_SATURATE) /* min(As, 1 - Ad), and As may have a sign */
      return c->is_float || c->is_signed ? PIPE_FACTOR_SRC_ALPHA : PIPE_FACTOR_ZERO;
   if (!of_alpha && !(c->blend->write_mask & 8)) {
      if (factor == PIPE_FACTOR_DST_ALPHA || factor == PIPE_FACTOR_ONE_MINUS_DST_ALPHA)
         return PIPE_FACTOR_CONSTANT_ALPHA;
      if (factor == PIPE_FACTOR_SRC_ALPHA_SATURATE)
         return PIPE_FACTOR_SRC_ALPHA;
   }
   /* The alpha of alpha is the channel itself. */
   if (of_alpha && factor == PIPE_FACTOR_SRC_ALPHA)
      return PIPE_FACTOR_SRC_COLOR;
   if (of_alpha && factor == PIPE_FACTOR_DST_ALPHA)
      return PIPE_FACTOR_DST_COLOR;
   if (of_alpha && factor == PIPE_FACTOR_ONE_MINUS_DST_ALPHA)
      return PIPE_FACTOR_ONE_MINUS_DST_COLOR;
   return factor;
}

static bool
reads_stored(enum pipe_blend_factor factor)
{
   return (factor >= PIPE_FACTOR_DST_COLOR && factor <= PIPE_FACTOR_ONE_MINUS_DST_COLOR) ||
          factor == PIPE_FACTOR_DST_ALPHA || factor == PIPE_FACTOR_ONE_MINUS_DST_ALPHA ||
          factor == PIPE_FACTOR_SRC_ALPHA_SATURATE;
}

/* Whatever the fragment and the other channels are. */
static bool
is_same_to_all(enum pipe_blend_factor factor)
{
   return factor <= PIPE_FACTOR_ONE || factor == PIPE_FACTOR_DST_COLOR || factor == PIPE_FACTOR_ONE_MINUS_DST_COLOR ||
          (factor >= PIPE_FACTOR_CONSTANT_COLOR && factor <= PIPE_FACTOR_ONE_MINUS_CONSTANT_ALPHA);
}

/* Without signs: is what the factor makes of a colour never above what another one makes of the other colour? Nothing
 * is, and the product of both is neither above that nor above a colour. */
static bool
is_least(enum pipe_blend_factor factor, enum pipe_blend_factor product, enum pipe_blend_factor other,
         enum pipe_blend_factor other_product)
{
   return factor == PIPE_FACTOR_ZERO || (factor == product && (other == PIPE_FACTOR_ONE || other == other_product));
}

static unsigned
blend_need(const struct si_order_color *c, enum pipe_blend_op op, enum pipe_blend_factor src,
           enum pipe_blend_factor dst)
{
   /* Of floats, zeros have signs, and comparisons with NaN have no order. */
   if (op == PIPE_BLEND_MIN || op == PIPE_BLEND_MAX)
      return c->is_float && !c->commutative_add ? SI_ORDER_SEQUENCE : SI_ORDER_SET;
   if (!c->is_float && !c->is_signed &&
       ((op == PIPE_BLEND_SUBTRACT && is_least(src, PIPE_FACTOR_DST_COLOR, dst, PIPE_FACTOR_SRC_COLOR)) ||
        (op == PIPE_BLEND_REVERSE_SUBTRACT && is_least(dst, PIPE_FACTOR_SRC_COLOR, src, PIPE_FACTOR_DST_COLOR))))
      return SI_ORDER_ANY;                                            /* clamped to 0 */
   if (dst == PIPE_FACTOR_ZERO && !reads_stored(src) && !c->is_float) /* not of floats: infinity times 0 */
      return src == PIPE_FACTOR_ZERO ? SI_ORDER_ANY : SI_ORDER_LAST;
   if (dst == PIPE_FACTOR_ONE && src == PIPE_FACTOR_ZERO && op != PIPE_BLEND_SUBTRACT && !c->is_float)
      return 0;
   if (src == PIPE_FACTOR_ZERO && is_same_to_all(dst) && !c->is_float)
      return SI_ORDER_COUNT;
   /* Of floats the source may turn it to NaN, for good, and decides on the sign of zeros, which a negative constant
    * would change, too. */
   if (src == PIPE_FACTOR_ZERO && is_same_to_all(dst) && dst <= PIPE_FACTOR_ONE_MINUS_DST_COLOR &&
       op != PIPE_BLEND_SUBTRACT)
      return SI_ORDER_SET;
   if (!c->commutative_add)
      return SI_ORDER_SEQUENCE;
   /* d + s, d - s; d * s */
   if (dst == PIPE_FACTOR_ONE && !reads_stored(src) && op != PIPE_BLEND_SUBTRACT)
      return SI_ORDER_SET;
   if (src == PIPE_FACTOR_ZERO && !reads_stored(dst) && op != PIPE_BLEND_SUBTRACT)
      return SI_ORDER_SET;
   return SI_ORDER_SEQUENCE;
}

unsigned
si_order_color_need(const struct si_order_color *c)
{
   const struct si_order_blend *b = c->blend;
   unsigned need = 0;

   if (!b->write_mask)
      return 0;
   /* Not of floats, and instead of blending. */
   if (c->logic_op_enable)
      return c->is_float ? SI_ORDER_LAST : logic_needs[c->logic_op];
   if (!b->enable || c->is_integer)
      return SI_ORDER_LAST;
   if (b->write_mask & 7)
      need |= blend_need(c, b->op_rgb, reduce_factor(c, b->src_rgb, false), reduce_factor(c, b->dst_rgb, false));
   if (b->write_mask & 8 && c->has_alpha)
      need |= blend_need(c, b->op_alpha, reduce_factor(c, b->src_alpha, true), reduce_factor(c, b->dst_alpha, true));
   return need;
}
