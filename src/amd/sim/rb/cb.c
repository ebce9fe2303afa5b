/* Colour buffers: blending, logic operations, masks, resolve. A quad at a time, component by component. */
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/rb/rb.h"
#include "amd/sim/rb/blend.h"
#include "sim/texel/texel4.h"
#include "util/macros.h"

/* What the target takes of a colour R G B A, in the order of memory. */
static inline void
encode(const struct amd_target_state *t, const v4u rgba[4], v4u texels[4])
{
   v4u memory[4];
   for (unsigned i = 0; i < t->format.components; i++)
      memory[i] = rgba[t->component[i]];
   sim_texel_encode4(&t->format, memory, texels);
}

/* The target's texels as R G B A; what it does not hold is 0, alpha 1. */
static void
decode(const struct amd_target_state *t, const v4u texels[4], v4f rgba[4])
{
   v4u memory[4];
   for (unsigned i = 0; i < 4; i++)
      rgba[i] = v4_splat(i == 3 ? 1.0f : 0.0f);
   sim_texel_decode4(&t->format, texels, memory);
   for (unsigned i = 0; i < t->format.components; i++)
      rgba[t->component[i]] = (v4f)memory[i];
   if (t->force_alpha_one)
      rgba[3] = v4_splat(1.0f);
}

/* Minterm i of the raster operation: source bit i >> 1, destination bit i & 1. */
static v4u
logic_op(unsigned rop, v4u src, v4u dst)
{
   v4u result = {0};
   result |= rop & 1 ? ~src & ~dst : result;
   result |= rop & 2 ? ~src & dst : result;
   result |= rop & 4 ? src & ~dst : result;
   result |= rop & 8 ? src & dst : result;
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

/* What comes out of the shader, as blending takes it. */
static void
load_sources(const struct amd_target_state *t, const struct amd_color_state *c, const v4u rgba[4], const v4u src1[4],
             struct amd_blend_colors *k)
{
   const v4f one = v4_splat(1.0f), low = v4_splat(t->format.numeric == SIM_SNORM ? -1.0f : 0.0f);
   for (unsigned i = 0; i < 4; i++) {
      k->constant[i] = v4_splat(c->constant[i]);
      k->src[i] = (v4f)rgba[i];
      k->src1[i] = (v4f)src1[i];
   }
   v4f *all[3] = {k->src, k->src1, k->constant};
   for (unsigned i = 0; i < 12 && t->blend_clamp; i++) {
      v4f *color = &all[i / 4][i % 4];
      *color = v4_select(*color > one, one, v4_select(*color > low, *color, low));
   }
}

/* New texels from the colours and the old texels. */
static void
merge(const struct amd_target_state *t, const struct amd_color_state *c, const v4u rgba[4], const v4u src1[4],
      const v4u old[4], v4u texels[4])
{
   uint32_t mask[4];
   v4u out[4];
   memcpy(out, rgba, sizeof(out));
   if (t->blend.enable) {
      struct amd_blend_colors k;
      load_sources(t, c, rgba, src1, &k);
      decode(t, old, k.dst);
      amd_blend(&t->blend, &k, (v4f *)out);
   }
   encode(t, out, texels);
   writable_bits(t, mask);
   for (unsigned i = 0; 4 * i < t->format.size_B; i++) {
      v4u value = t->logic == (V_ROP3_COPY & 15) ? texels[i] : logic_op(t->logic, texels[i], old[i]);
      texels[i] = (old[i] & ~mask[i]) | (value & mask[i]);
   }
}

/* The places of one sample of the pixels, and which of them have it, in memory. */
static unsigned
find_texels(const struct amd_target_state *t, const uint8_t cover[4], const uint64_t offset_B[4], unsigned sample,
            uint64_t at_B[4])
{
   const uint64_t toggled = t->surface.s[sample];
   unsigned found = 0;
   for (unsigned i = 0; i < 4; i++) {
      at_B[i] = offset_B[i] ^ toggled;
      if (!(cover[i] >> sample & 1))
         continue;
      if (at_B[i] + t->format.size_B <= t->run_B)
         found |= 1u << i;
      else
         amd_note_outside(t->outside);
   }
   return found;
}

static void
store(const struct amd_target_state *t, unsigned found, const uint64_t at_B[4], const v4u texels[4])
{
   for (unsigned i = 0; i < 4; i++) {
      if (!(found >> i & 1))
         continue;
      amd_note(t->written, at_B[i], t->format.size_B);
      sim_texel_store4(texels, i, t->host + at_B[i], t->format.size_B);
   }
}

static void
blend_samples(const struct amd_target_state *t, const struct amd_color_state *c, const uint8_t cover[4],
              const uint64_t offset_B[4], const v4u rgba[4], const v4u src1[4])
{
   const unsigned size_B = t->format.size_B;
   uint64_t at_B[4];
   v4u texels[4], old[4] = {{0}};
   for (unsigned left = amd_any_sample(cover); left; left &= left - 1) {
      unsigned sample = (unsigned)__builtin_ctz(left);
      unsigned found = find_texels(t, cover, offset_B, sample, at_B);
      for (unsigned i = 0; i < 4; i++)
         if (found >> i & 1)
            sim_texel_load4(old, i, t->host + at_B[i], size_B);
      merge(t, c, rgba, src1, old, texels);
      store(t, found, at_B, texels);
   }
}

/* Samples that take the colour as it is. */
static inline void
overwrite(const struct amd_target_state *t, const uint8_t cover[4], const uint64_t offset_B[4], const v4u texels[4],
          unsigned size_B)
{
   uint8_t *const host = t->host;
   struct amd_note_page *const written = t->written;
   const uint64_t run_B = t->run_B;
   for (unsigned left = amd_any_sample(cover); left; left &= left - 1) {
      unsigned sample = (unsigned)__builtin_ctz(left);
      const uint64_t toggled = t->surface.s[sample];
      for (unsigned i = 0; i < 4; i++) {
         uint64_t at_B = offset_B[i] ^ toggled;
         if (!(cover[i] >> sample & 1))
            continue;
         if (at_B + size_B > run_B) {
            amd_note_outside(t->outside);
            continue;
         }
         amd_note(written, at_B, size_B);
         sim_texel_store4(texels, i, host + at_B, size_B);
      }
   }
}

static void
write_target(const struct amd_target_state *t, const struct amd_color_state *c, const struct amd_pixels *px,
             const uint8_t cover[4], uint32_t slice, const struct amd_cb_colors *k, unsigned i)
{
   /* size: a quad and the target that it goes to */
   uint64_t offset_B[4];
   amd_surface_quad(&t->surface, px->x, px->y, slice, offset_B);
   if (t->reads_target) {
      blend_samples(t, c, cover, offset_B, k->rgba[i], k->rgba[amd_color_sources(c) > 1]);
      return;
   }
   if (t->format.size_B == 4)
      overwrite(t, cover, offset_B, k->texels[i], 4);
   else
      overwrite(t, cover, offset_B, k->texels[i], t->format.size_B);
}

void
amd_cb_encode(const struct amd_color_state *color, struct amd_cb_colors *colors)
{
   for (unsigned i = 0; i < color->count; i++) {
      const struct amd_target_state *t = &color->target[i];
      if (t->enable && !t->reads_target)
         encode(t, colors->rgba[i], colors->texels[i]);
   }
}

/* Of the pixels, what lies in the target: pixels inside of it, and samples that it has. Returns whether that is any.
 */
static inline bool
find_cover(const struct amd_target_state *t, const struct amd_pixels *px, uint8_t cover[4])
{
   amd_pixels_inside(px, t->surface.width_el, t->surface.height_el, cover);
   const uint32_t word = amd_cover_word(cover) & (uint32_t)bit_mask(amd_target_samples(t)) * 0x01010101;
   memcpy(cover, &word, sizeof(word));
   return word;
}

void
amd_cb_write(const struct amd_color_state *color, const struct amd_pixels *px, uint32_t layer,
             const struct amd_cb_colors *colors)
{
   for (unsigned i = 0; i < color->count; i++) {
      const struct amd_target_state *t = &color->target[i];
      uint32_t slice = MIN2(t->first_slice + layer, t->last_slice);
      uint8_t cover[4];
      if (!t->enable || !find_cover(t, px, cover))
         continue;
      for (unsigned p = 0; p < 4 && (t->meta.dcc || t->meta.cmask); p++)
         if (cover[p])
            amd_color_meta_open(t, color->gen, px->x + (p & 1), px->y + (p >> 1), slice);
      if (color->decompress)
         continue;
      write_target(t, color, px, cover, slice, colors, i);
      if (color->dual_source)
         return;
   }
}

/* One texel as R G B A. */
static v4f
load_color(const struct amd_target_state *t, const uint8_t *at)
{
   v4u texel[4] = {{0}};
   v4f color[4];
   sim_texel_load4(texel, 0, at, t->format.size_B);
   decode(t, texel, color);
   return (v4f){color[0][0], color[1][0], color[2][0], color[3][0]};
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
   v4f sum = v4_splat(0.0f);
   if (to_B + to->format.size_B > to->run_B) {
      amd_note_outside(to->outside);
      return;
   }
   amd_note(to->written, to_B, to->format.size_B);
   for (unsigned s = 0; s < samples; s++) {
      uint64_t from_B = amd_surface_offset(&from->surface, x, y, from->first_slice + layer, s);
      if (from_B + from->format.size_B > from->run_B) {
         amd_note_outside(from->outside);
         return;
      }
      /* Integers have no mean: the first sample stands for the pixel. */
      if (sim_numeric_is_int(from->format.numeric)) {
         memcpy(to->host + to_B, from->host + from_B, MIN2(to->format.size_B, from->format.size_B));
         return;
      }
      sum += load_color(from, from->host + from_B);
   }
   v4f mean = sum * v4_splat(1.0f / (float)samples);
   v4u rgba[4], texel[4];
   for (unsigned c = 0; c < 4; c++)
      rgba[c] = (v4u)v4_splat(mean[c]);
   encode(to, rgba, texel);
   sim_texel_store4(texel, 0, to->host + to_B, to->format.size_B);
}
