#include "amd/sim/rb/rb.h"

#include <string.h>

#include "amd/sim/surface/dcc.h"
#include "amd/sim/surface/surface_tile.h"

enum {
   TILE_PX = 8,          /* of CMASK */
   CMASK_NOT_CLEAR = 12, /* bits 3:2 */
};

static void
fill_block(const struct amd_target_state *t, uint64_t block_B, const uint8_t texel[16])
{
   unsigned size_B = t->format.size_B;
   if (block_B >= t->run_B)
      return;
   for (unsigned at = 0; at < AMD_DCC_BLOCK_B && block_B + at + size_B <= t->run_B; at += size_B)
      memcpy(t->host + block_B + at, texel, size_B);
   amd_note(t->written, block_B, AMD_DCC_BLOCK_B);
}

/* The 256 bytes that a sample lies in. */
static void
open_dcc(const struct amd_target_state *t, enum amd_gen gen, uint32_t x, uint32_t y, uint32_t slice, unsigned sample)
{
   const struct amd_color_meta *m = &t->meta;
   uint64_t at_B = amd_meta_offset(&m->dcc_layout, x, y, slice, sample);
   if (sample >= m->dcc_layout.key_samples)
      return;
   if (at_B >= m->dcc_memory.run_B) {
      amd_note_outside(m->dcc_memory.outside);
      return;
   }
   amd_note(m->dcc_memory.looked, at_B, 1);
   if (m->dcc_memory.host[at_B] == AMD_DCC_BYTE_PLAIN)
      return;
   uint64_t block_B = amd_surface_offset(&t->surface, x, y, slice, sample) & ~(uint64_t)(AMD_DCC_BLOCK_B - 1);
   enum amd_dcc_key key = amd_dcc_key(gen, m->dcc_memory.host[at_B]);
   uint8_t texel[16];
   if (amd_dcc_constant(key, &t->format, m->alpha_on_msb, texel)) {
      fill_block(t, block_B, texel);
   } else if (key == AMD_DCC_REGISTER) {
      fill_block(t, block_B, m->clear);
   } else if (key == AMD_DCC_SINGLE && block_B + t->format.size_B <= t->run_B) {
      memcpy(texel, t->host + block_B, t->format.size_B);
      fill_block(t, block_B, texel);
   }
   m->dcc_memory.host[at_B] = AMD_DCC_BYTE_PLAIN;
   amd_note(m->dcc_memory.written, at_B, 1);
}

/* Reads and replaces an element of FMASK. */
static uint32_t
take_fmask(const struct amd_target_state *t, uint32_t x, uint32_t y, uint32_t slice, uint32_t identity)
{
   const struct amd_color_meta *m = &t->meta;
   uint64_t at_B = amd_surface_offset(&m->fmask_layout, x, y, slice, 0);
   uint32_t bits = identity, size_B = m->fmask_layout.element_B;
   if (at_B + size_B > m->fmask_memory.run_B) {
      amd_note_outside(m->fmask_memory.outside);
      return identity;
   }
   bits = 0;
   amd_note(m->fmask_memory.looked, at_B, size_B);
   memcpy(&bits, m->fmask_memory.host + at_B, size_B);
   if (bits != identity) {
      memcpy(m->fmask_memory.host + at_B, &identity, size_B);
      amd_note(m->fmask_memory.written, at_B, size_B);
   }
   return bits;
}

/* Gives each sample of a pixel a fragment of its own, with the colour it had. */
static void
spread_samples(const struct amd_target_state *t, uint32_t x, uint32_t y, uint32_t slice, unsigned state)
{
   const struct amd_color_meta *m = &t->meta;
   uint8_t texels[AMD_MAX_SAMPLES][16];
   unsigned size_B = t->format.size_B, samples = 1u << t->samples_log2;
   uint32_t identity = amd_fmask_identity(t->samples_log2), bits = identity;
   bool clear = state < CMASK_NOT_CLEAR;
   if (m->fmask)
      bits = take_fmask(t, x, y, slice, identity);
   if (!(state & 3) && m->fmask)
      bits = 0;
   if (bits == identity && !clear)
      return;
   struct amd_surface_pixel pixel = amd_surface_pixel(&t->surface, x, y, slice);
   for (unsigned s = 0; s < samples; s++) {
      unsigned fragment = amd_fmask_fragment(bits, t->samples_log2, s) & (samples - 1);
      uint64_t at_B = amd_surface_sample(&t->surface, pixel, fragment);
      if (clear || at_B + size_B > t->run_B)
         memcpy(texels[s], m->clear, size_B);
      else
         memcpy(texels[s], t->host + at_B, size_B);
   }
   for (unsigned s = 0; s < samples; s++) {
      uint64_t at_B = amd_surface_sample(&t->surface, pixel, s);
      if (at_B + size_B > t->run_B)
         continue;
      memcpy(t->host + at_B, texels[s], size_B);
      amd_note(t->written, at_B, size_B);
   }
}

/* The 8x8 pixels that a pixel lies in. */
static void
open_tile(const struct amd_target_state *t, enum amd_gen gen, uint32_t x, uint32_t y, uint32_t slice)
{
   const struct amd_color_meta *m = &t->meta;
   uint64_t at = amd_meta_offset(&m->cmask_layout, x, y, slice, 0);
   if (at / 2 >= m->cmask_memory.run_B) {
      amd_note_outside(m->cmask_memory.outside);
      return;
   }
   amd_note(m->cmask_memory.looked, at / 2, 1);
   uint8_t *byte = m->cmask_memory.host + at / 2;
   unsigned shift = at % 2 * 4, state = *byte >> shift & 15;
   unsigned plain = CMASK_NOT_CLEAR | (m->fmask ? t->samples_log2 : 3u);
   if (state == plain) {
      if (m->fmask)
         spread_samples(t, x, y, slice, state);
      return;
   }
   for (uint32_t i = 0; i < TILE_PX * TILE_PX; i++) {
      uint32_t px = (x & ~7u) + i % TILE_PX, py = (y & ~7u) + i / TILE_PX;
      if (px >= t->surface.width_el || py >= t->surface.height_el)
         continue;
      for (unsigned s = 0; m->dcc && s < 1u << t->samples_log2; s++)
         open_dcc(t, gen, px, py, slice, s);
      spread_samples(t, px, py, slice, state);
   }
   *byte = (uint8_t)((*byte & ~(15u << shift)) | plain << shift);
   amd_note(m->cmask_memory.written, at / 2, 1);
}

void
amd_color_meta_open(const struct amd_target_state *t, enum amd_gen gen, uint32_t x, uint32_t y, uint32_t slice)
{
   if (t->meta.dcc) {
      for (unsigned s = 0; s < 1u << t->samples_log2; s++)
         open_dcc(t, gen, x, y, slice, s);
   }
   if (t->meta.cmask)
      open_tile(t, gen, x, y, slice);
}

void
amd_color_meta_open_tile(const struct amd_target_state *t, enum amd_gen gen, uint32_t x, uint32_t y, uint32_t slice,
                         uint64_t pixels)
{
   for (uint64_t left = pixels; left; left &= left - 1) {
      unsigned i = (unsigned)__builtin_ctzll(left);
      amd_color_meta_open(t, gen, x + i % TILE_PX, y + i / TILE_PX, slice);
      if (t->meta.tile_at_once)
         return;
   }
}
