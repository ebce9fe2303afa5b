/* Blending of VK_EXT_blend_operation_advanced as arithmetic. Source: the Vulkan specification, "Advanced Blend
 * Operations", whose names these are: f of source and destination where both cover a pixel, and what the two give
 * where one of them does. */
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"

typedef struct nir_def *(*color_function)(struct nir_builder *b, struct nir_def *s, struct nir_def *d);

/* The value in as many components as `like` has. */
static struct nir_def *
number(struct nir_builder *b, struct nir_def *like, float value)
{
   struct nir_def *parts[4];

   for (unsigned i = 0; i < like->num_components; i++)
      parts[i] = nir_imm_float(b, value);
   return nir_vec(b, parts, like->num_components);
}

static struct nir_def *
splat(struct nir_builder *b, struct nir_def *x)
{
   struct nir_def *parts[3] = {x, x, x};

   return nir_vec(b, parts, 3);
}

static struct nir_def *
one_minus(struct nir_builder *b, struct nir_def *x)
{
   return nir_fsub(b, number(b, x, 1), x);
}

static struct nir_def *
twice(struct nir_builder *b, struct nir_def *x)
{
   return nir_fadd(b, x, x);
}

static struct nir_def *
at_most_1(struct nir_builder *b, struct nir_def *x)
{
   return nir_fmin(b, x, number(b, x, 1));
}

static struct nir_def *
divide(struct nir_builder *b, struct nir_def *x, struct nir_def *y)
{
   return nir_fdiv(b, x, y);
}

static struct nir_def *
is_below(struct nir_builder *b, struct nir_def *x, float value)
{
   return nir_flt(b, x, number(b, x, value));
}

/* ---- f of each component ---- */

static struct nir_def *
f_zero(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return number(b, s, 0);
}

static struct nir_def *
f_src(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return s;
}

static struct nir_def *
f_dst(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return d;
}

static struct nir_def *
f_multiply(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return nir_fmul(b, s, d);
}

static struct nir_def *
f_screen(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return nir_fsub(b, nir_fadd(b, s, d), nir_fmul(b, s, d));
}

static struct nir_def *
f_hardlight(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   struct nir_def *light = one_minus(b, twice(b, nir_fmul(b, one_minus(b, s), one_minus(b, d))));

   return nir_bcsel(b, nir_fge(b, number(b, s, 0.5f), s), twice(b, nir_fmul(b, s, d)), light);
}

static struct nir_def *
f_overlay(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return f_hardlight(b, d, s);
}

static struct nir_def *
f_darken(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return nir_fmin(b, s, d);
}

static struct nir_def *
f_lighten(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return nir_fmax(b, s, d);
}

static struct nir_def *
f_colordodge(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   struct nir_def *brighter =
      nir_bcsel(b, is_below(b, s, 1), at_most_1(b, divide(b, d, one_minus(b, s))), number(b, s, 1));

   return nir_bcsel(b, nir_fge(b, number(b, d, 0), d), number(b, s, 0), brighter);
}

static struct nir_def *
f_colorburn(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   struct nir_def *darker = one_minus(b, at_most_1(b, divide(b, one_minus(b, d), s)));

   darker = nir_bcsel(b, nir_fge(b, number(b, s, 0), s), number(b, s, 0), darker);
   return nir_bcsel(b, is_below(b, d, 1), darker, number(b, s, 1));
}

static struct nir_def *
f_softlight(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   struct nir_def *strength = nir_fsub(b, twice(b, s), number(b, s, 1)), *zero = number(b, d, 0);
   struct nir_def *dark = nir_fmul(b, d, one_minus(b, d));
   struct nir_def *cubic = nir_fsub(b, nir_fmul(b, d, number(b, d, 16)), number(b, d, 12));
   struct nir_def *low = nir_fmul(b, d, nir_fadd(b, nir_fmul(b, cubic, d), number(b, d, 3)));
   struct nir_def *high = nir_fsub(b, nir_fsqrt(b, nir_fmax(b, d, zero)), d);
   struct nir_def *light = nir_bcsel(b, nir_fge(b, number(b, d, 0.25f), d), low, high);

   return nir_fadd(b, d, nir_fmul(b, strength, nir_bcsel(b, nir_fge(b, number(b, s, 0.5f), s), dark, light)));
}

static struct nir_def *
f_difference(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return nir_fabs(b, nir_fsub(b, d, s));
}

static struct nir_def *
f_exclusion(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return nir_fsub(b, nir_fadd(b, s, d), twice(b, nir_fmul(b, s, d)));
}

static struct nir_def *
f_invert(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return one_minus(b, d);
}

static struct nir_def *
f_invert_rgb(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return nir_fmul(b, s, one_minus(b, d));
}

static struct nir_def *
f_lineardodge(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return at_most_1(b, nir_fadd(b, s, d));
}

static struct nir_def *
f_linearburn(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return nir_fmax(b, nir_fsub(b, nir_fadd(b, s, d), number(b, s, 1)), number(b, s, 0));
}

static struct nir_def *
f_vividlight(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   struct nir_def *burn = one_minus(b, at_most_1(b, divide(b, one_minus(b, d), twice(b, s))));
   struct nir_def *dodge = at_most_1(b, divide(b, d, twice(b, one_minus(b, s))));
   struct nir_def *middle = nir_bcsel(b, is_below(b, s, 0.5f), burn, dodge);

   middle = nir_bcsel(b, is_below(b, s, 1), middle, number(b, s, 1));
   return nir_bcsel(b, nir_fge(b, number(b, s, 0), s), number(b, s, 0), middle);
}

static struct nir_def *
f_linearlight(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   struct nir_def *sum = nir_fsub(b, nir_fadd(b, twice(b, s), d), number(b, s, 1));

   return nir_fmax(b, at_most_1(b, sum), number(b, s, 0));
}

static struct nir_def *
f_pinlight(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   struct nir_def *bright = nir_fsub(b, twice(b, s), number(b, s, 1));
   struct nir_def *above = nir_bcsel(b, is_below(b, s, 0.5f), number(b, s, 0), bright);

   return nir_bcsel(b, nir_flt(b, d, bright), above, nir_fmin(b, twice(b, s), d));
}

static struct nir_def *
f_hardmix(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return nir_bcsel(b, is_below(b, nir_fadd(b, s, d), 1), number(b, s, 0), number(b, s, 1));
}

/* ---- f of hue, saturation and luminosity ---- */

static struct nir_def *
least(struct nir_builder *b, struct nir_def *c)
{
   return nir_fmin(b, nir_fmin(b, nir_channel(b, c, 0), nir_channel(b, c, 1)), nir_channel(b, c, 2));
}

static struct nir_def *
greatest(struct nir_builder *b, struct nir_def *c)
{
   return nir_fmax(b, nir_fmax(b, nir_channel(b, c, 0), nir_channel(b, c, 1)), nir_channel(b, c, 2));
}

static struct nir_def *
luminosity(struct nir_builder *b, struct nir_def *c)
{
   const float weights[3] = {0.30f, 0.59f, 0.11f};
   struct nir_def *sum = NULL;

   for (unsigned i = 0; i < 3; i++) {
      struct nir_def *part = nir_fmul_imm(b, nir_channel(b, c, i), weights[i]);

      sum = sum ? nir_fadd(b, sum, part) : part;
   }
   return sum;
}

/* lum + (c - lum) scaled */
static struct nir_def *
toward(struct nir_builder *b, struct nir_def *c, struct nir_def *lum, struct nir_def *scale)
{
   return nir_fadd(b, splat(b, lum), nir_fmul(b, nir_fsub(b, c, splat(b, lum)), splat(b, scale)));
}

static struct nir_def *
clip_color(struct nir_builder *b, struct nir_def *c)
{
   struct nir_def *lum = luminosity(b, c), *low = least(b, c), *high = greatest(b, c);
   struct nir_def *raised = toward(b, c, lum, divide(b, lum, nir_fsub(b, lum, low)));

   c = nir_bcsel(b, splat(b, is_below(b, low, 0)), raised, c);
   struct nir_def *lowered = toward(b, c, lum, divide(b, one_minus(b, lum), nir_fsub(b, high, lum)));
   return nir_bcsel(b, splat(b, nir_flt(b, number(b, high, 1), high)), lowered, c);
}

static struct nir_def *
set_lum(struct nir_builder *b, struct nir_def *base, struct nir_def *of)
{
   struct nir_def *more = nir_fsub(b, luminosity(b, of), luminosity(b, base));

   return clip_color(b, nir_fadd(b, base, splat(b, more)));
}

static struct nir_def *
saturation(struct nir_builder *b, struct nir_def *c)
{
   return nir_fsub(b, greatest(b, c), least(b, c));
}

static struct nir_def *
set_lum_sat(struct nir_builder *b, struct nir_def *base, struct nir_def *sat, struct nir_def *lum)
{
   struct nir_def *own = saturation(b, base), *low = splat(b, least(b, base));
   struct nir_def *scaled = nir_fmul(b, nir_fsub(b, base, low), splat(b, divide(b, saturation(b, sat), own)));
   struct nir_def *has = splat(b, nir_flt(b, nir_imm_float(b, 0), own));

   return set_lum(b, nir_bcsel(b, has, scaled, number(b, base, 0)), lum);
}

static struct nir_def *
f_hsl_hue(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return set_lum_sat(b, s, d, d);
}

static struct nir_def *
f_hsl_saturation(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return set_lum_sat(b, d, s, d);
}

static struct nir_def *
f_hsl_color(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return set_lum(b, s, d);
}

static struct nir_def *
f_hsl_luminosity(struct nir_builder *b, struct nir_def *s, struct nir_def *d)
{
   return set_lum(b, d, s);
}

/* X, Y, Z: whether the two together, the source alone and the destination alone count. */
static const struct {
   color_function f;
   bool x, y, z;
} modes[] = {
   [PIPE_ADVANCED_ZERO] = {f_zero, 0, 0, 0},
   [PIPE_ADVANCED_SRC] = {f_src, 1, 1, 0},
   [PIPE_ADVANCED_DST] = {f_dst, 1, 0, 1},
   [PIPE_ADVANCED_SRC_OVER] = {f_src, 1, 1, 1},
   [PIPE_ADVANCED_DST_OVER] = {f_dst, 1, 1, 1},
   [PIPE_ADVANCED_SRC_IN] = {f_src, 1, 0, 0},
   [PIPE_ADVANCED_DST_IN] = {f_dst, 1, 0, 0},
   [PIPE_ADVANCED_SRC_OUT] = {f_zero, 0, 1, 0},
   [PIPE_ADVANCED_DST_OUT] = {f_zero, 0, 0, 1},
   [PIPE_ADVANCED_SRC_ATOP] = {f_src, 1, 0, 1},
   [PIPE_ADVANCED_DST_ATOP] = {f_dst, 1, 1, 0},
   [PIPE_ADVANCED_XOR] = {f_zero, 0, 1, 1},
   [PIPE_ADVANCED_MULTIPLY] = {f_multiply, 1, 1, 1},
   [PIPE_ADVANCED_SCREEN] = {f_screen, 1, 1, 1},
   [PIPE_ADVANCED_OVERLAY] = {f_overlay, 1, 1, 1},
   [PIPE_ADVANCED_DARKEN] = {f_darken, 1, 1, 1},
   [PIPE_ADVANCED_LIGHTEN] = {f_lighten, 1, 1, 1},
   [PIPE_ADVANCED_COLORDODGE] = {f_colordodge, 1, 1, 1},
   [PIPE_ADVANCED_COLORBURN] = {f_colorburn, 1, 1, 1},
   [PIPE_ADVANCED_HARDLIGHT] = {f_hardlight, 1, 1, 1},
   [PIPE_ADVANCED_SOFTLIGHT] = {f_softlight, 1, 1, 1},
   [PIPE_ADVANCED_DIFFERENCE] = {f_difference, 1, 1, 1},
   [PIPE_ADVANCED_EXCLUSION] = {f_exclusion, 1, 1, 1},
   [PIPE_ADVANCED_INVERT] = {f_invert, 1, 0, 1},
   [PIPE_ADVANCED_INVERT_RGB] = {f_invert_rgb, 1, 0, 1},
   [PIPE_ADVANCED_LINEARDODGE] = {f_lineardodge, 1, 1, 1},
   [PIPE_ADVANCED_LINEARBURN] = {f_linearburn, 1, 1, 1},
   [PIPE_ADVANCED_VIVIDLIGHT] = {f_vividlight, 1, 1, 1},
   [PIPE_ADVANCED_LINEARLIGHT] = {f_linearlight, 1, 1, 1},
   [PIPE_ADVANCED_PINLIGHT] = {f_pinlight, 1, 1, 1},
   [PIPE_ADVANCED_HARDMIX] = {f_hardmix, 1, 1, 1},
   [PIPE_ADVANCED_HSL_HUE] = {f_hsl_hue, 1, 1, 1},
   [PIPE_ADVANCED_HSL_SATURATION] = {f_hsl_saturation, 1, 1, 1},
   [PIPE_ADVANCED_HSL_COLOR] = {f_hsl_color, 1, 1, 1},
   [PIPE_ADVANCED_HSL_LUMINOSITY] = {f_hsl_luminosity, 1, 1, 1},
};

/* How much of a pixel both cover, only the source, only the destination. */
static void
weigh(struct nir_builder *b, enum pipe_overlap overlap, struct nir_def *as, struct nir_def *ad, struct nir_def *p[3])
{
   struct nir_def *zero = nir_imm_float(b, 0);

   if (overlap == PIPE_OVERLAP_UNCORRELATED) {
      p[0] = nir_fmul(b, as, ad);
      p[1] = nir_fmul(b, as, one_minus(b, ad));
      p[2] = nir_fmul(b, ad, one_minus(b, as));
   } else if (overlap == PIPE_OVERLAP_DISJOINT) {
      p[0] = nir_fmax(b, nir_fsub(b, nir_fadd(b, as, ad), nir_imm_float(b, 1)), zero);
      p[1] = nir_fmin(b, as, one_minus(b, ad));
      p[2] = nir_fmin(b, ad, one_minus(b, as));
   } else {
      p[0] = nir_fmin(b, as, ad);
      p[1] = nir_fmax(b, nir_fsub(b, as, ad), zero);
      p[2] = nir_fmax(b, nir_fsub(b, ad, as), zero);
   }
}

/* A colour without its alpha; nothing where that is zero. */
static struct nir_def *
unmultiplied(struct nir_builder *b, struct nir_def *color)
{
   struct nir_def *a = splat(b, nir_channel(b, color, 3)), *rgb = nir_channels(b, color, 7);
   struct nir_def *zero = number(b, rgb, 0);

   return nir_bcsel(b, nir_feq(b, a, zero), zero, divide(b, rgb, a));
}

static struct nir_def *
with_alpha(struct nir_builder *b, struct nir_def *rgb, struct nir_def *a)
{
   return nir_vec4(b, nir_channel(b, rgb, 0), nir_channel(b, rgb, 1), nir_channel(b, rgb, 2), a);
}

static struct nir_def *
by_mode(struct nir_builder *b, const struct pipe_blend_equation *blend, struct nir_def *src, struct nir_def *dst)
{
   const unsigned mode = blend->advanced;
   struct nir_def *s = blend->op_rgb & PIPE_STRAIGHT_SRC ? nir_channels(b, src, 7) : unmultiplied(b, src);
   struct nir_def *d = blend->op_rgb & PIPE_STRAIGHT_DST ? nir_channels(b, dst, 7) : unmultiplied(b, dst);
   struct nir_def *p[3], *rgb, *a = nir_imm_float(b, 0);

   weigh(b, (enum pipe_overlap)blend->op_alpha, nir_channel(b, src, 3), nir_channel(b, dst, 3), p);
   rgb = nir_fmul(b, modes[mode].f(b, s, d), splat(b, p[0]));
   a = modes[mode].x ? p[0] : a;
   if (modes[mode].y) {
      rgb = nir_fadd(b, rgb, nir_fmul(b, s, splat(b, p[1])));
      a = nir_fadd(b, a, p[1]);
   }
   if (modes[mode].z) {
      rgb = nir_fadd(b, rgb, nir_fmul(b, d, splat(b, p[2])));
      a = nir_fadd(b, a, p[2]);
   }
   return with_alpha(b, rgb, a);
}

/* ---- those that know no overlap, of colours with their alpha ---- */

static struct nir_def *
premultiplied(struct nir_builder *b, struct nir_def *color, bool is_straight)
{
   struct nir_def *a = nir_channel(b, color, 3);

   return is_straight ? with_alpha(b, nir_fmul(b, nir_channels(b, color, 7), splat(b, a)), a) : color;
}

static struct nir_def *
plus_clamped_alpha(struct nir_builder *b, struct nir_def *src, struct nir_def *dst)
{
   struct nir_def *sum = nir_fadd(b, src, dst), *a = at_most_1(b, nir_channel(b, sum, 3));

   return with_alpha(b, nir_fmin(b, nir_channels(b, sum, 7), splat(b, a)), a);
}

static struct nir_def *
plus_darker(struct nir_builder *b, struct nir_def *src, struct nir_def *dst)
{
   struct nir_def *sum = nir_fadd(b, src, dst), *whole = nir_channel(b, sum, 3), *a = at_most_1(b, whole);
   struct nir_def *missing = nir_fsub(b, splat(b, whole), nir_channels(b, sum, 7));
   struct nir_def *rgb = nir_fsub(b, splat(b, a), missing);

   return with_alpha(b, nir_fmax(b, rgb, number(b, rgb, 0)), a);
}

static struct nir_def *
contrast(struct nir_builder *b, struct nir_def *src, struct nir_def *dst)
{
   struct nir_def *half[2] = {splat(b, nir_fmul_imm(b, nir_channel(b, src, 3), 0.5f)),
                              splat(b, nir_fmul_imm(b, nir_channel(b, dst, 3), 0.5f))};
   struct nir_def *s = nir_fsub(b, nir_channels(b, src, 7), half[0]);
   struct nir_def *d = nir_fsub(b, nir_channels(b, dst, 7), half[1]);

   return with_alpha(b, nir_fadd(b, half[1], twice(b, nir_fmul(b, d, s))), nir_channel(b, dst, 3));
}

static struct nir_def *
invert_ovg(struct nir_builder *b, struct nir_def *src, struct nir_def *dst)
{
   struct nir_def *as = nir_channel(b, src, 3), *d = nir_channels(b, dst, 7);
   struct nir_def *inverted = nir_fmul(b, splat(b, as), one_minus(b, d));
   struct nir_def *rgb = nir_fadd(b, inverted, nir_fmul(b, splat(b, one_minus(b, as)), d));

   return with_alpha(b, rgb, f_screen(b, as, nir_channel(b, dst, 3)));
}

/* The destination with one component of the source. */
static struct nir_def *
component(struct nir_builder *b, struct nir_def *src, struct nir_def *dst, unsigned i)
{
   return nir_vector_insert_imm(b, dst, nir_channel(b, src, i), i);
}

static struct nir_def *
without_overlap(struct nir_builder *b, enum pipe_advanced op, struct nir_def *src, struct nir_def *dst)
{
   switch ((int)op) {
   case PIPE_ADVANCED_PLUS:
      return nir_fadd(b, src, dst);
   case PIPE_ADVANCED_PLUS_CLAMPED:
      return at_most_1(b, nir_fadd(b, src, dst));
   case PIPE_ADVANCED_PLUS_CLAMPED_ALPHA:
      return plus_clamped_alpha(b, src, dst);
   case PIPE_ADVANCED_PLUS_DARKER:
      return plus_darker(b, src, dst);
   case PIPE_ADVANCED_MINUS:
      return nir_fsub(b, dst, src);
   case PIPE_ADVANCED_MINUS_CLAMPED:
      return nir_fmax(b, nir_fsub(b, dst, src), number(b, dst, 0));
   case PIPE_ADVANCED_CONTRAST:
      return contrast(b, src, dst);
   case PIPE_ADVANCED_INVERT_OVG:
      return invert_ovg(b, src, dst);
   default: /* others: PIPE_ADVANCED_RED and after it */
      return component(b, src, dst, op - PIPE_ADVANCED_RED);
   }
}

struct nir_def *
agx_nir_blend_advanced(struct nir_builder *b, const struct pipe_blend_equation *blend, struct nir_def *src,
                       struct nir_def *dst)
{
   const enum pipe_advanced op = (enum pipe_advanced)blend->advanced;
   const bool is_straight = blend->op_rgb & PIPE_STRAIGHT_DST;
   struct nir_def *out = op < PIPE_ADVANCED_PLUS
                            ? by_mode(b, blend, src, dst)
                            : without_overlap(b, op, premultiplied(b, src, blend->op_rgb & PIPE_STRAIGHT_SRC),
                                              premultiplied(b, dst, is_straight));

   out = is_straight ? with_alpha(b, unmultiplied(b, out), nir_channel(b, out, 3)) : out;
   return blend->op_rgb & PIPE_CLAMPED_RESULTS ? at_most_1(b, nir_fmax(b, out, number(b, out, 0))) : out;
}
