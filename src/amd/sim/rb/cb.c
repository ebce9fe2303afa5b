/* Colour buffers: blending, logic operations, masks, resolve. */
#include <assert.h>
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/draw/pipeline.h"
#include "util/macros.h"

typedef float v4f __attribute__((vector_size(16)));

static inline v4f
splat(float f)
{
   return (v4f){f, f, f, f};
}

static inline v4f
with_alpha(v4f rgb, float alpha)
{
   rgb[3] = alpha;
   return rgb;
}

static v4f
clamp_color(v4f color, float low)
{
   for (unsigned i = 0; i < 4; i++)
      color[i] = color[i] > 1.0f ? 1.0f : color[i] > low ? color[i] : low;
   return color;
}

static v4f
factor(enum amd_blend_factor code, v4f src, v4f dst, v4f src1, v4f constant)
{
   const v4f one = splat(1.0f);
   float saturate;
   switch (code) {
   case AMD_FACTOR_ONE:
      return one;
   case AMD_FACTOR_SRC_COLOR:
      return src;
   case AMD_FACTOR_ONE_MINUS_SRC_COLOR:
      return one - src;
   case AMD_FACTOR_SRC_ALPHA:
      return splat(src[3]);
   case AMD_FACTOR_ONE_MINUS_SRC_ALPHA:
      return splat(1.0f - src[3]);
   case AMD_FACTOR_DST_ALPHA:
      return splat(dst[3]);
   case AMD_FACTOR_ONE_MINUS_DST_ALPHA:
      return splat(1.0f - dst[3]);
   case AMD_FACTOR_DST_COLOR:
      return dst;
   case AMD_FACTOR_ONE_MINUS_DST_COLOR:
      return one - dst;
   case AMD_FACTOR_SRC_ALPHA_SATURATE:
      saturate = src[3] < 1.0f - dst[3] ? src[3] : 1.0f - dst[3];
      return with_alpha(splat(saturate), 1.0f);
   case AMD_FACTOR_CONSTANT_COLOR:
      return constant;
   case AMD_FACTOR_ONE_MINUS_CONSTANT_COLOR:
      return one - constant;
   case AMD_FACTOR_SRC1_COLOR:
      return src1;
   case AMD_FACTOR_ONE_MINUS_SRC1_COLOR:
      return one - src1;
   case AMD_FACTOR_SRC1_ALPHA:
      return splat(src1[3]);
   case AMD_FACTOR_ONE_MINUS_SRC1_ALPHA:
      return splat(1.0f - src1[3]);
   case AMD_FACTOR_CONSTANT_ALPHA:
      return splat(constant[3]);
   case AMD_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
      return splat(1.0f - constant[3]);
   case AMD_FACTOR_ZERO:
   case AMD_FACTOR_UNKNOWN:
      break;
   }
   return splat(0.0f);
}

static v4f
combine(unsigned func, v4f src, v4f src_factor, v4f dst, v4f dst_factor)
{
   v4f result;
   switch (func) {
   case V_COMB_SRC_MINUS_DST:
      return src * src_factor - dst * dst_factor;
   case V_COMB_DST_MINUS_SRC:
      return dst * dst_factor - src * src_factor;
   case V_COMB_MIN_DST_SRC:
      for (unsigned i = 0; i < 4; i++)
         result[i] = src[i] < dst[i] ? src[i] : dst[i];
      return result;
   case V_COMB_MAX_DST_SRC:
      for (unsigned i = 0; i < 4; i++)
         result[i] = src[i] > dst[i] ? src[i] : dst[i];
      return result;
   case V_COMB_DST_PLUS_SRC:
      return src * src_factor + dst * dst_factor;
   }
   assert(!"refused with the state");
   return splat(0.0f);
}

static v4f
blend(const struct amd_blend_state *b, v4f src, v4f dst, v4f src1, v4f constant)
{
   v4f color = combine(b->func[0], src, factor(b->src[0], src, dst, src1, constant), dst,
                       factor(b->dst[0], src, dst, src1, constant));
   if (!b->separate_alpha)
      return color;
   v4f alpha = combine(b->func[1], src, factor(b->src[1], src, dst, src1, constant), dst,
                       factor(b->dst[1], src, dst, src1, constant));
   return with_alpha(color, alpha[3]);
}

/* The target's texel as R G B A; what it does not hold is 0, alpha 1. */
static v4f
load_color(const struct amd_target_state *t, const uint8_t *at)
{
   uint32_t memory[4];
   v4f color = {0.0f, 0.0f, 0.0f, 1.0f};
   sim_texel_decode(&t->format, at, memory);
   for (unsigned i = 0; i < t->format.components; i++)
      color[t->component[i]] = bits_float(memory[i]);
   if (t->force_alpha_one)
      color[3] = 1.0f;
   return color;
}

static inline void
encode(const struct amd_target_state *t, const uint32_t rgba[4], uint32_t texel[4])
{
   uint32_t memory[4];
   for (unsigned i = 0; i < t->format.components; i++)
      memory[i] = rgba[t->component[i]];
   sim_texel_encode(&t->format, memory, texel);
}

/* Minterm i of the raster operation: source bit i >> 1, destination bit i & 1. */
static uint32_t
logic_op(unsigned rop, uint32_t src, uint32_t dst)
{
   uint32_t result = 0;
   result |= rop & 1 ? ~src & ~dst : 0;
   result |= rop & 2 ? ~src & dst : 0;
   result |= rop & 4 ? src & ~dst : 0;
   result |= rop & 8 ? src & dst : 0;
   return result;
}

/* Bits of the texel that the write mask lets through. */
static void
writable_bits(const struct amd_target_state *t, uint32_t mask[4])
{
   memset(mask, 0, 16);
   for (unsigned i = 0; i < t->format.components; i++) {
      if (t->write_mask >> t->component[i] & 1)
         mask[t->format.shift[i] / 32] |= (uint32_t)bit_mask(t->format.bits[i]) << (t->format.shift[i] % 32);
   }
}

/* Source colour with what depends on the texel in memory. */
static void
write_sample(const struct amd_target_state *t, const struct amd_color_state *c, const uint32_t rgba[4],
             const uint32_t src1[4], const uint32_t mask[4], uint8_t *at)
{
   uint32_t old[4] = {0}, texel[4], out[4];
   memcpy(old, at, t->format.size_B);
   memcpy(out, rgba, 16);
   if (t->blend.enable) {
      v4f src, second, constant;
      memcpy(&src, rgba, 16);
      memcpy(&second, src1, 16);
      memcpy(&constant, c->constant, 16);
      if (t->blend_clamp) {
         float low = t->format.numeric == SIM_SNORM ? -1.0f : 0.0f;
         src = clamp_color(src, low);
         second = clamp_color(second, low);
         constant = clamp_color(constant, low);
      }
      v4f color = blend(&t->blend, src, load_color(t, at), second, constant);
      memcpy(out, &color, 16);
   }
   encode(t, out, texel);
   for (unsigned i = 0; i < 4; i++) {
      uint32_t value = t->logic == (V_ROP3_COPY & 15) ? texel[i] : logic_op(t->logic, texel[i], old[i]);
      texel[i] = (old[i] & ~mask[i]) | (value & mask[i]);
   }
   memcpy(at, texel, t->format.size_B);
}

void
amd_cb_write(const struct amd_color_state *color, uint32_t x, uint32_t y, uint32_t layer, uint8_t cover,
             const uint32_t rgba[AMD_MAX_TARGETS][4])
{
   for (unsigned i = 0; i < color->count; i++) {
      const struct amd_target_state *t = &color->target[i];
      uint32_t slice = MIN2(t->first_slice + layer, t->last_slice), texel[4], mask[4];
      if (!t->enable || x >= t->surface.width_el || y >= t->surface.height_el)
         continue;
      if (t->reads_target)
         writable_bits(t, mask);
      else
         encode(t, rgba[i], texel);
      if (t->meta.dcc || t->meta.cmask)
         amd_color_meta_open(t, color->gen, x, y, slice);
      if (color->decompress)
         continue;
      struct amd_surface_pixel at = amd_surface_pixel(&t->surface, x, y, slice);
      for (unsigned left = cover; left; left &= left - 1) {
         uint64_t offset_B = amd_surface_sample(&t->surface, at, (unsigned)__builtin_ctz(left));
         if (offset_B + t->format.size_B > t->run_B)
            continue;
         amd_note_write(t->written, offset_B);
         if (t->reads_target)
            write_sample(t, color, rgba[i], rgba[1], mask, t->host + offset_B);
         else if (t->format.size_B == 4)
            memcpy(t->host + offset_B, texel, 4);
         else
            memcpy(t->host + offset_B, texel, t->format.size_B);
      }
      if (color->dual_source)
         return;
   }
}

void
amd_cb_resolve(const struct amd_color_state *color, uint32_t x, uint32_t y, uint32_t layer, unsigned samples)
{
   const struct amd_target_state *from = &color->target[0], *to = &color->target[1];
   if (!from->enable || !to->enable || x >= from->surface.width_el || y >= from->surface.height_el ||
       x >= to->surface.width_el || y >= to->surface.height_el)
      return;
   for (unsigned i = 0; i < 2; i++) {
      const struct amd_target_state *t = &color->target[i];
      if (t->meta.dcc || t->meta.cmask)
         amd_color_meta_open(t, color->gen, x, y, t->first_slice + layer);
   }
   uint64_t to_B = amd_surface_offset(&to->surface, x, y, to->first_slice + layer, 0);
   v4f sum = splat(0.0f);
   amd_note_write(to->written, to_B);
   for (unsigned s = 0; s < samples; s++) {
      uint64_t from_B = amd_surface_offset(&from->surface, x, y, from->first_slice + layer, s);
      if (from_B + from->format.size_B > from->run_B)
         return;
      /* Integers have no mean: the first sample stands for the pixel. */
      if (sim_numeric_is_int(from->format.numeric)) {
         if (to_B + to->format.size_B <= to->run_B)
            memcpy(to->host + to_B, from->host + from_B, MIN2(to->format.size_B, from->format.size_B));
         return;
      }
      sum += load_color(from, from->host + from_B);
   }
   v4f mean = sum * splat(1.0f / (float)samples);
   uint32_t rgba[4], texel[4];
   memcpy(rgba, &mean, 16);
   encode(to, rgba, texel);
   if (to_B + to->format.size_B <= to->run_B)
      memcpy(to->host + to_B, texel, to->format.size_B);
}
