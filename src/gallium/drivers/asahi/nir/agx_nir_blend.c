/* Blending and logic operations as arithmetic: the tile buffer stores, it does not blend. */
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"

struct operands {
   struct nir_def *src, *src1, *dst, *constant;
};

static struct nir_def *
alpha(struct nir_builder *b, struct nir_def *color)
{
   return nir_channel(b, color, 3);
}

static struct nir_def *
one_minus(struct nir_builder *b, struct nir_def *value)
{
   return nir_fsub(b, nir_imm_float(b, 1), value);
}

/* One or four components: what multiplies a colour. NULL: one. */
static struct nir_def *
factor(struct nir_builder *b, const struct operands *o, enum pipe_blend_factor factor)
{
   switch (factor) {
   case PIPE_FACTOR_ZERO:
      return nir_imm_float(b, 0);
   case PIPE_FACTOR_ONE:
      return NULL;
   case PIPE_FACTOR_SRC_COLOR:
      return o->src;
   case PIPE_FACTOR_ONE_MINUS_SRC_COLOR:
      return one_minus(b, o->src);
   case PIPE_FACTOR_DST_COLOR:
      return o->dst;
   case PIPE_FACTOR_ONE_MINUS_DST_COLOR:
      return one_minus(b, o->dst);
   case PIPE_FACTOR_SRC_ALPHA:
      return alpha(b, o->src);
   case PIPE_FACTOR_ONE_MINUS_SRC_ALPHA:
      return one_minus(b, alpha(b, o->src));
   case PIPE_FACTOR_DST_ALPHA:
      return alpha(b, o->dst);
   case PIPE_FACTOR_ONE_MINUS_DST_ALPHA:
      return one_minus(b, alpha(b, o->dst));
   case PIPE_FACTOR_CONSTANT_COLOR:
      return o->constant;
   case PIPE_FACTOR_ONE_MINUS_CONSTANT_COLOR:
      return one_minus(b, o->constant);
   case PIPE_FACTOR_CONSTANT_ALPHA:
      return alpha(b, o->constant);
   case PIPE_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
      return one_minus(b, alpha(b, o->constant));
   case PIPE_FACTOR_SRC_ALPHA_SATURATE:
      return nir_fmin(b, alpha(b, o->src), one_minus(b, alpha(b, o->dst))); /* of colours: see alpha_factor() */
   case PIPE_FACTOR_SRC1_COLOR:
      return o->src1;
   case PIPE_FACTOR_ONE_MINUS_SRC1_COLOR:
      return one_minus(b, o->src1);
   case PIPE_FACTOR_SRC1_ALPHA:
      return alpha(b, o->src1);
   case PIPE_FACTOR_ONE_MINUS_SRC1_ALPHA:
      return one_minus(b, alpha(b, o->src1));
   }
   return NULL;
}

static struct nir_def *
times(struct nir_builder *b, struct nir_def *color, enum pipe_blend_factor kind, struct nir_def *by)
{
   if (kind == PIPE_FACTOR_ZERO)
      return nir_imm_zero(b, color->num_components, 32); /* also of infinities */
   return by ? nir_fmul(b, color, by) : color;
}

static struct nir_def *
combine(struct nir_builder *b, enum pipe_blend_op op, struct nir_def *src, struct nir_def *dst)
{
   switch (op) {
   case PIPE_BLEND_ADD:
      return nir_fadd(b, src, dst);
   case PIPE_BLEND_SUBTRACT:
      return nir_fsub(b, src, dst);
   case PIPE_BLEND_REVERSE_SUBTRACT:
      return nir_fsub(b, dst, src);
   case PIPE_BLEND_MIN:
      return nir_fmin(b, src, dst);
   case PIPE_BLEND_MAX:
      return nir_fmax(b, src, dst);
   }
   return src;
}

/* The components of the mask by one equation. */
static struct nir_def *
equation(struct nir_builder *b, const struct operands *o, enum pipe_blend_op op, enum pipe_blend_factor src_factor,
         enum pipe_blend_factor dst_factor, unsigned mask)
{
   struct nir_def *src = nir_channels(b, o->src, mask), *dst = nir_channels(b, o->dst, mask);

   if (op == PIPE_BLEND_MIN || op == PIPE_BLEND_MAX)
      return combine(b, op, src, dst);
   struct nir_def *by[2] = {factor(b, o, src_factor), factor(b, o, dst_factor)};

   for (unsigned i = 0; i < 2; i++) {
      if (by[i] && by[i]->num_components == 4)
         by[i] = nir_channels(b, by[i], mask);
   }
   return combine(b, op, times(b, src, src_factor, by[0]), times(b, dst, dst_factor, by[1]));
}

static enum pipe_blend_factor
alpha_factor(enum pipe_blend_factor factor)
{
   return factor == PIPE_FACTOR_SRC_ALPHA_SATURATE ? PIPE_FACTOR_ONE : factor;
}

struct nir_def *
agx_nir_blend(struct nir_builder *b, const struct pipe_blend_equation *blend, struct nir_def *src,
              struct nir_def *src1, struct nir_def *dst, struct nir_def *constant)
{
   struct operands o = {src, src1, dst, constant};

   if (blend->advanced)
      return agx_nir_blend_advanced(b, blend, src, dst);
   struct nir_def *rgb = equation(b, &o, blend->op_rgb, blend->src_rgb, blend->dst_rgb, 0x7);
   struct nir_def *a =
      equation(b, &o, blend->op_alpha, alpha_factor(blend->src_alpha), alpha_factor(blend->dst_alpha), 0x8);
   struct nir_def *out[4] = {nir_channel(b, rgb, 0), nir_channel(b, rgb, 1), nir_channel(b, rgb, 2), a};

   return nir_vec(b, out, 4);
}

static bool
is_constant_factor(enum pipe_blend_factor factor)
{
   return factor >= PIPE_FACTOR_CONSTANT_COLOR && factor <= PIPE_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
}

bool
agx_blend_reads_constant(const struct pipe_blend_equation *blend)
{
   return is_constant_factor(blend->src_rgb) || is_constant_factor(blend->dst_rgb) ||
          is_constant_factor(blend->src_alpha) || is_constant_factor(blend->dst_alpha);
}

static bool
source_reads_target(enum pipe_blend_factor factor)
{
   return factor == PIPE_FACTOR_DST_COLOR || factor == PIPE_FACTOR_ONE_MINUS_DST_COLOR ||
          factor == PIPE_FACTOR_DST_ALPHA || factor == PIPE_FACTOR_ONE_MINUS_DST_ALPHA ||
          factor == PIPE_FACTOR_SRC_ALPHA_SATURATE;
}

static bool
is_second(enum pipe_blend_factor factor)
{
   return factor == PIPE_FACTOR_SRC1_COLOR || factor == PIPE_FACTOR_ONE_MINUS_SRC1_COLOR ||
          factor == PIPE_FACTOR_SRC1_ALPHA || factor == PIPE_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

bool
agx_blends_second(const struct pipe_graphics_state *state)
{
   const struct pipe_blend_equation *blend = state && pipe_is_blended(state, 0) ? &state->blend[0] : NULL;

   return blend && (is_second(blend->src_rgb) || is_second(blend->dst_rgb) || is_second(blend->src_alpha) ||
                    is_second(blend->dst_alpha));
}

static bool
equation_reads_target(enum pipe_blend_op op, enum pipe_blend_factor src, enum pipe_blend_factor dst)
{
   return op == PIPE_BLEND_MIN || op == PIPE_BLEND_MAX || dst != PIPE_FACTOR_ZERO || source_reads_target(src);
}

bool
agx_blend_reads_target(const struct pipe_blend_equation *blend)
{
   return blend->advanced || equation_reads_target(blend->op_rgb, blend->src_rgb, blend->dst_rgb) ||
          equation_reads_target(blend->op_alpha, blend->src_alpha, blend->dst_alpha);
}

struct nir_def *
agx_nir_logic_op(struct nir_builder *b, enum pipe_logic_op op, struct nir_def *src, struct nir_def *dst)
{
   switch (op) {
   case PIPE_LOGIC_CLEAR:
      return nir_imm_zero(b, src->num_components, 32);
   case PIPE_LOGIC_AND:
      return nir_iand(b, src, dst);
   case PIPE_LOGIC_AND_REVERSE:
      return nir_iand(b, src, nir_inot(b, dst));
   case PIPE_LOGIC_COPY:
      return src;
   case PIPE_LOGIC_AND_INVERTED:
      return nir_iand(b, nir_inot(b, src), dst);
   case PIPE_LOGIC_NO_OP:
      return dst;
   case PIPE_LOGIC_XOR:
      return nir_ixor(b, src, dst);
   case PIPE_LOGIC_OR:
      return nir_ior(b, src, dst);
   case PIPE_LOGIC_NOR:
      return nir_inot(b, nir_ior(b, src, dst));
   case PIPE_LOGIC_EQUIVALENT:
      return nir_inot(b, nir_ixor(b, src, dst));
   case PIPE_LOGIC_INVERT:
      return nir_inot(b, dst);
   case PIPE_LOGIC_OR_REVERSE:
      return nir_ior(b, src, nir_inot(b, dst));
   case PIPE_LOGIC_COPY_INVERTED:
      return nir_inot(b, src);
   case PIPE_LOGIC_OR_INVERTED:
      return nir_ior(b, nir_inot(b, src), dst);
   case PIPE_LOGIC_NAND:
      return nir_inot(b, nir_iand(b, src, dst));
   case PIPE_LOGIC_SET:
      return nir_inot(b, nir_imm_zero(b, src->num_components, 32));
   }
   return src;
}
