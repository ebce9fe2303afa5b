/* VK_EXT_blend_operation_advanced: every operation, with every overlap, of colours with and without their alpha,
 * against the equations of the specification. */
#include <math.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t vert[] = {
#include "format_uses_f.vert.inc"
};
static const uint32_t frag[] = {
#include "format_uses_f.frag.inc"
};

enum { SIDE = 8, COLORS = SIDE * SIDE, OPS = VK_BLEND_OP_BLUE_EXT - VK_BLEND_OP_ZERO_EXT + 1 };

struct color {
   double c[3], a;
};

struct variant {
   VkBlendOp op;
   VkBlendOverlapEXT overlap;
   bool src_straight, dst_straight;
};

static struct vkx *vkx;
static struct vkx_buffer buffers[2], result; /* source, destination */

/* ---- the specification's equations ---- */

static double
lum(const double c[3])
{
   return 0.30 * c[0] + 0.59 * c[1] + 0.11 * c[2];
}

static double
low(const double c[3])
{
   return fmin(fmin(c[0], c[1]), c[2]);
}

static double
high(const double c[3])
{
   return fmax(fmax(c[0], c[1]), c[2]);
}

static void
set_lum(const double base[3], const double of[3], double out[3])
{
   for (unsigned i = 0; i < 3; i++)
      out[i] = base[i] + lum(of) - lum(base);
   const double l = lum(out), n = low(out), x = high(out);
   for (unsigned i = 0; i < 3 && n < 0; i++)
      out[i] = l + (out[i] - l) * l / (l - n);
   for (unsigned i = 0; i < 3 && x > 1; i++)
      out[i] = l + (out[i] - l) * (1 - l) / (x - l);
}

static void
set_lum_sat(const double base[3], const double sat[3], const double of[3], double out[3])
{
   double scaled[3];
   const double own = high(base) - low(base);
   for (unsigned i = 0; i < 3; i++)
      scaled[i] = own > 0 ? (base[i] - low(base)) * (high(sat) - low(sat)) / own : 0;
   set_lum(scaled, of, out);
}

static double
soft(double s, double d)
{
   if (s <= 0.5)
      return d - (1 - 2 * s) * d * (1 - d);
   return d + (2 * s - 1) * (d <= 0.25 ? d * ((16 * d - 12) * d + 3) : sqrt(d) - d);
}

static double
vivid(double s, double d)
{
   if (s <= 0 || s >= 1)
      return s <= 0 ? 0 : 1;
   return s < 0.5 ? 1 - fmin(1, (1 - d) / (2 * s)) : fmin(1, d / (2 * (1 - s)));
}

static double
pin(double s, double d)
{
   if (2 * s - 1 > d)
      return s < 0.5 ? 0 : 2 * s - 1;
   return s < 0.5 * d ? 2 * s : d;
}

static double
hard(double s, double d)
{
   return s <= 0.5 ? 2 * s * d : 1 - 2 * (1 - s) * (1 - d);
}

static double
each(VkBlendOp op, double s, double d)
{
   switch ((int)op) {
   case VK_BLEND_OP_SRC_EXT:
   case VK_BLEND_OP_SRC_OVER_EXT:
   case VK_BLEND_OP_SRC_IN_EXT:
   case VK_BLEND_OP_SRC_ATOP_EXT:
      return s;
   case VK_BLEND_OP_DST_EXT:
   case VK_BLEND_OP_DST_OVER_EXT:
   case VK_BLEND_OP_DST_IN_EXT:
   case VK_BLEND_OP_DST_ATOP_EXT:
      return d;
   case VK_BLEND_OP_MULTIPLY_EXT:
      return s * d;
   case VK_BLEND_OP_SCREEN_EXT:
      return s + d - s * d;
   case VK_BLEND_OP_OVERLAY_EXT:
      return hard(d, s);
   case VK_BLEND_OP_DARKEN_EXT:
      return fmin(s, d);
   case VK_BLEND_OP_LIGHTEN_EXT:
      return fmax(s, d);
   case VK_BLEND_OP_COLORDODGE_EXT:
      return d <= 0 ? 0 : s < 1 ? fmin(1, d / (1 - s)) : 1;
   case VK_BLEND_OP_COLORBURN_EXT:
      return d >= 1 ? 1 : s > 0 ? 1 - fmin(1, (1 - d) / s) : 0;
   case VK_BLEND_OP_HARDLIGHT_EXT:
      return hard(s, d);
   case VK_BLEND_OP_SOFTLIGHT_EXT:
      return soft(s, d);
   case VK_BLEND_OP_DIFFERENCE_EXT:
      return fabs(d - s);
   case VK_BLEND_OP_EXCLUSION_EXT:
      return s + d - 2 * s * d;
   case VK_BLEND_OP_INVERT_EXT:
      return 1 - d;
   case VK_BLEND_OP_INVERT_RGB_EXT:
      return s * (1 - d);
   case VK_BLEND_OP_LINEARDODGE_EXT:
      return s + d <= 1 ? s + d : 1;
   case VK_BLEND_OP_LINEARBURN_EXT:
      return s + d > 1 ? s + d - 1 : 0;
   case VK_BLEND_OP_VIVIDLIGHT_EXT:
      return vivid(s, d);
   case VK_BLEND_OP_LINEARLIGHT_EXT:
      return 2 * s + d > 2 ? 1 : 2 * s + d <= 1 ? 0 : 2 * s + d - 1;
   case VK_BLEND_OP_PINLIGHT_EXT:
      return pin(s, d);
   case VK_BLEND_OP_HARDMIX_EXT:
      return s + d < 1 ? 0 : 1;
   default: /* others: nothing of both */
      return 0;
   }
}

static void
of_both(VkBlendOp op, const double s[3], const double d[3], double f[3])
{
   if (op == VK_BLEND_OP_HSL_HUE_EXT)
      set_lum_sat(s, d, d, f);
   else if (op == VK_BLEND_OP_HSL_SATURATION_EXT)
      set_lum_sat(d, s, d, f);
   else if (op == VK_BLEND_OP_HSL_COLOR_EXT)
      set_lum(s, d, f);
   else if (op == VK_BLEND_OP_HSL_LUMINOSITY_EXT)
      set_lum(d, s, f);
   else
      for (unsigned i = 0; i < 3; i++)
         f[i] = each(op, s[i], d[i]);
}

/* Letters of X, Y, Z that are 1, of operations other than X Y Z. */
static const char *
terms(VkBlendOp op)
{
   static const char *const of[OPS] = {[0] = "",  [1] = "XY", [2] = "XZ",  [5] = "X",   [6] = "X",   [7] = "Y",
                                       [8] = "Z", [9] = "XZ", [10] = "XY", [11] = "YZ", [23] = "XZ", [24] = "XZ"};
   const char *found = of[op - VK_BLEND_OP_ZERO_EXT];
   return found ? found : "XYZ";
}

static struct color
covered(const struct variant *v, const struct color *src, const struct color *dst)
{
   const double as = src->a, ad = dst->a;
   const double p[3][3] = {{as * ad, as * (1 - ad), ad * (1 - as)},
                           {fmax(as + ad - 1, 0), fmin(as, 1 - ad), fmin(ad, 1 - as)},
                           {fmin(as, ad), fmax(as - ad, 0), fmax(ad - as, 0)}};
   const double *of = p[v->overlap];
   const char *t = terms(v->op);
   const double y = strchr(t, 'Y') ? of[1] : 0, z = strchr(t, 'Z') ? of[2] : 0;
   double s[3], d[3], f[3];
   for (unsigned i = 0; i < 3; i++) {
      s[i] = v->src_straight ? src->c[i] : as != 0 ? src->c[i] / as : 0;
      d[i] = v->dst_straight ? dst->c[i] : ad != 0 ? dst->c[i] / ad : 0;
   }
   of_both(v->op, s, d, f);
   struct color out = {.a = (strchr(t, 'X') ? of[0] : 0) + y + z};
   for (unsigned i = 0; i < 3; i++)
      out.c[i] = f[i] * of[0] + s[i] * y + d[i] * z;
   return out;
}

static double
plain(VkBlendOp op, double s, double as, double d, double ad)
{
   const double a = fmin(1, as + ad);
   switch ((int)op) {
   case VK_BLEND_OP_PLUS_EXT:
      return s + d;
   case VK_BLEND_OP_PLUS_CLAMPED_EXT:
      return fmin(1, s + d);
   case VK_BLEND_OP_PLUS_CLAMPED_ALPHA_EXT:
      return fmin(a, s + d);
   case VK_BLEND_OP_PLUS_DARKER_EXT:
      return fmax(0, a - ((as - s) + (ad - d)));
   case VK_BLEND_OP_MINUS_EXT:
      return d - s;
   case VK_BLEND_OP_MINUS_CLAMPED_EXT:
      return fmax(0, d - s);
   case VK_BLEND_OP_CONTRAST_EXT:
      return ad / 2 + 2 * (d - ad / 2) * (s - as / 2);
   case VK_BLEND_OP_INVERT_OVG_EXT:
      return as * (1 - d) + (1 - as) * d;
   default: /* others: one component */
      return d;
   }
}

static double
plain_alpha(VkBlendOp op, double as, double ad)
{
   if (op == VK_BLEND_OP_INVERT_OVG_EXT)
      return as + ad - as * ad;
   if (op == VK_BLEND_OP_CONTRAST_EXT || op >= VK_BLEND_OP_RED_EXT)
      return ad;
   if (op == VK_BLEND_OP_PLUS_CLAMPED_ALPHA_EXT || op == VK_BLEND_OP_PLUS_DARKER_EXT)
      return fmin(1, as + ad);
   return plain(op, as, as, ad, ad);
}

static struct color
premultiplied(const struct variant *v, const struct color *src, const struct color *dst)
{
   if (v->op < VK_BLEND_OP_PLUS_EXT)
      return covered(v, src, dst);
   struct color out = {.a = plain_alpha(v->op, src->a, dst->a)};
   for (unsigned i = 0; i < 3; i++) {
      const double s = src->c[i] * (v->src_straight ? src->a : 1), d = dst->c[i] * (v->dst_straight ? dst->a : 1);
      out.c[i] = (unsigned)v->op == VK_BLEND_OP_RED_EXT + i ? s : plain(v->op, s, src->a, d, dst->a);
   }
   return out;
}

/* The result is as the destination is: with its alpha or without. False where that divides by less than something. */
static bool
expected(const struct variant *v, const struct color *src, const struct color *dst, struct color *out)
{
   *out = premultiplied(v, src, dst);
   for (unsigned i = 0; i < 3 && v->dst_straight; i++)
      out->c[i] /= out->a;
   return !v->dst_straight || out->a > 0.01;
}

/* ---- draws ---- */

/* Alphas and components away from where equations change, after the division, too. */
static struct color
color_of(unsigned which, unsigned number, bool straight)
{
   static const double alphas[2][4] = {{1, 0.25, 0.5, 0.75}, {1, 0.375, 0.875, 0.625}};
   struct color color = {.a = alphas[which][(number / (which ? 5 : 1)) % 4]};
   for (unsigned i = 0; i < 3; i++) {
      const unsigned step = which ? number * 5 + i * 3 : number + number / 8 + i * 2;
      const double c = (2 * (step % 8) + 1) / 16.0 + (which ? 0.02 : 0);
      color.c[i] = straight ? c : c * color.a;
   }
   return color;
}

static float
half_to_float(uint16_t half)
{
   const int exponent = half >> 10 & 31, mantissa = half & 0x3ff;
   const double size = exponent ? ldexp(mantissa + 1024, exponent - 25) : ldexp(mantissa, -24);
   return (float)(half & 0x8000 ? -size : size);
}

static void
fill(const struct variant *v)
{
   for (unsigned which = 0; which < 2; which++) {
      float *to = buffers[which].map;
      for (unsigned n = 0; n < COLORS; n++) {
         const struct color color = color_of(which, n, which ? v->dst_straight : v->src_straight);
         for (unsigned i = 0; i < 4; i++)
            to[4 * n + i] = (float)(i < 3 ? color.c[i] : color.a);
      }
   }
}

static VkPipeline
pipeline_create(const struct vkt_target *target, VkPipelineLayout layout, const struct variant *v)
{
   const VkVertexInputBindingDescription binding = {0, 16, VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription input = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
   const VkPipelineVertexInputStateCreateInfo vertex_input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = 1,
      .pVertexBindingDescriptions = &binding,
      .vertexAttributeDescriptionCount = 1,
      .pVertexAttributeDescriptions = &input};
   const VkPipelineColorBlendAdvancedStateCreateInfoEXT advanced = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_ADVANCED_STATE_CREATE_INFO_EXT,
      .srcPremultiplied = !(v && v->src_straight),
      .dstPremultiplied = !(v && v->dst_straight),
      .blendOverlap = v ? v->overlap : VK_BLEND_OVERLAP_UNCORRELATED_EXT};
   const VkPipelineColorBlendAttachmentState blend = {
      .blendEnable = true, .colorBlendOp = v ? v->op : 0, .alphaBlendOp = v ? v->op : 0, .colorWriteMask = 0xf};
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target->pass,
                                                               .layout = layout,
                                                               .vertex = VKT_CODE(vert),
                                                               .fragment = VKT_CODE(frag),
                                                               .points = true,
                                                               .vertex_input = &vertex_input,
                                                               .blend = v ? &blend : NULL,
                                                               .blend_next = v ? &advanced : NULL});
}

static void
compare(const struct variant *v)
{
   const uint16_t *got = result.map;
   for (unsigned n = 0; n < COLORS; n++) {
      const struct color src = color_of(0, n, v->src_straight), dst = color_of(1, n, v->dst_straight);
      struct color wanted;
      const unsigned parts = expected(v, &src, &dst, &wanted) ? 4 : 0;
      for (unsigned i = 0; i < parts; i++) {
         const double value = half_to_float(got[4 * n + i]), right = i < 3 ? wanted.c[i] : wanted.a;
         if (fabs(value - right) > 0.01) {
            vkt_expect(false, "operation %d, overlap %d, straight %d %d: component %u of %u is %g, not %g",
                       v->op - VK_BLEND_OP_ZERO_EXT, v->overlap, v->src_straight, v->dst_straight, i, n, value,
                       right);
            return;
         }
      }
   }
   vkt_expect(true, "as expected");
}

static void
check(const struct vkt_target *target, VkPipelineLayout layout, const struct variant *v)
{
   VkPipeline pipelines[2] = {pipeline_create(target, layout, v), pipeline_create(target, layout, NULL)};
   fill(v);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, target, target->pass, VK_SUBPASS_CONTENTS_INLINE);
   for (unsigned which = 2; which-- > 0;) {
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[which]);
      vkCmdBindVertexBuffers(cmd, 0, 1, &buffers[which].buffer, &(VkDeviceSize){0});
      vkCmdDraw(cmd, COLORS, 1, 0, 0);
   }
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &target->color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &result);
   compare(v);
   for (unsigned which = 0; which < 2; which++)
      vkDestroyPipeline(vkx->device, pipelines[which], NULL);
}

int
main(void)
{
   struct vkx device = vkt_create("blend_advanced");
   vkx = &device;
   if (!vkt_has("VK_EXT_blend_operation_advanced")) {
      vkt_skip("VK_EXT_blend_operation_advanced");
      vkt_expect(true, "nothing");
      return vkt_finish(vkx);
   }
   const VkPipelineLayoutCreateInfo empty = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
   VkPipelineLayout layout;
   vkx_check(vkCreatePipelineLayout(vkx->device, &empty, NULL, &layout), "vkCreatePipelineLayout");
   struct vkt_target target =
      vkt_target_create(vkx, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_UNDEFINED, (VkExtent2D){SIDE, SIDE}, 1, 1);
   for (unsigned i = 0; i < 2; i++)
      buffers[i] = vkt_buffer_create(vkx, COLORS * 16, 0);
   result = vkt_buffer_create(vkx, COLORS * 8, 0);
   for (unsigned op = 0; op < OPS; op++) {
      for (unsigned overlap = 0; overlap < 3; overlap++) {
         const unsigned straight = (op + overlap) % 4;
         check(&target, layout, &(struct variant){VK_BLEND_OP_ZERO_EXT + op, overlap, straight & 1, straight >> 1});
      }
   }
   for (unsigned i = 0; i < 2; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
   vkx_buffer_destroy(vkx, &result);
   vkt_target_destroy(vkx, &target);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   return vkt_finish(vkx);
}
