#include "amd/sim/draw/color_meta.h"

#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/draw/pipeline.h"
#include "amd/sim/draw/draw_state.h"
#include "amd/sim/draw/target_memory.h"
#include "amd/sim/surface/dcc.h"
#include "amd/sim/surface/surface_tile.h"
#include "util/macros.h"

enum {
   TARGET_STEP_B = 0x3c,
   TILE_PX = 8,          /* of CMASK */
   CMASK_NOT_CLEAR = 12, /* bits 3:2 */
};

static uint64_t
base_of(const struct amd_regs *regs, uint32_t low, uint32_t high)
{
   return (uint64_t)(amd_regs_get(regs, high) & 0xff) << 32 | amd_regs_get(regs, low);
}

/* Fields that generations have in different registers. */
struct places {
   bool dcc, fast_clear, fmask;
   struct amd_meta_align dcc_align, cmask_align;
   uint8_t fmask_mode;
};

static struct places
read_places(const struct amd_gpu *gpu, unsigned i)
{
   uint32_t info = amd_regs_get(gpu->regs, R_CB_COLOR0_INFO + TARGET_STEP_B * i);
   uint32_t attrib = amd_regs_get(gpu->regs, R_CB_COLOR0_ATTRIB + TARGET_STEP_B * i);
   uint32_t attrib3 = amd_regs_get(gpu->regs, R_CB_COLOR0_ATTRIB3 + 4 * i);
   uint32_t fdcc = amd_regs_get(gpu->regs, R_CB_COLOR0_FDCC_CONTROL + TARGET_STEP_B * i);
   if (gpu->model->traits->fdcc)
      return (struct places){.dcc = G_CB_COLOR0_FDCC_CONTROL_FDCC_ENABLE(fdcc),
                             .dcc_align.pipe = G_CB_COLOR0_ATTRIB3_DCC_PIPE_ALIGNED(attrib3)};
   struct places places = {.dcc = G_CB_COLOR0_INFO_DCC_ENABLE(info),
                           .fast_clear = G_CB_COLOR0_INFO_FAST_CLEAR(info),
                           .fmask = G_CB_COLOR0_INFO_COMPRESSION(info)};
   if (gpu->model->traits->pitch_of_every_mode) {
      places.fmask_mode = G_CB_COLOR0_ATTRIB_FMASK_SW_MODE(attrib);
      places.dcc_align.pipe = G_CB_COLOR0_ATTRIB_PIPE_ALIGNED(attrib);
      places.dcc_align.rb = G_CB_COLOR0_ATTRIB_RB_ALIGNED(attrib);
      places.cmask_align = places.dcc_align;
      return places;
   }
   places.fmask_mode = G_CB_COLOR0_ATTRIB3_FMASK_SW_MODE(attrib3);
   places.dcc_align.pipe = G_CB_COLOR0_ATTRIB3_DCC_PIPE_ALIGNED(attrib3);
   places.cmask_align.pipe = G_CB_COLOR0_ATTRIB3_CMASK_PIPE_ALIGNED(attrib3);
   return places;
}

static bool
init_dcc(struct amd_color_meta *m, const struct amd_gpu *gpu, unsigned i, const struct amd_surface_desc *desc,
         const struct amd_surface *surface, unsigned level, struct amd_meta_align align)
{
   enum amd_gen gen = gpu->model->gen;
   uint64_t base = base_of(gpu->regs, R_CB_COLOR0_DCC_BASE + TARGET_STEP_B * i,
                           R_CB_COLOR0_DCC_BASE_EXT(gen) + R_CB_COLOR0_DCC_BASE_EXT_STEP(gen) * i);
   return amd_layouts_meta(&(*gpu->draw_memory)->layouts, &m->dcc_layout, AMD_META_DCC, desc, surface, level, base,
                           align, gpu->fault) &&
          amd_target_map(gpu, m->dcc_layout.base, m->dcc_layout.size_B, "DCC", &m->dcc_memory.host,
                         &m->dcc_memory.run_B);
}

static uint8_t
fmask_element_log2(unsigned samples_log2)
{
   return samples_log2 == 3 ? 2 : 0;
}

static bool
init_fmask(struct amd_color_meta *m, const struct amd_gpu *gpu, unsigned i, const struct amd_surface_desc *of_fmask)
{
   enum amd_gen gen = gpu->model->gen;
   struct amd_surface_desc desc = *of_fmask;
   desc.base_256B = base_of(gpu->regs, R_CB_COLOR0_FMASK + TARGET_STEP_B * i,
                            R_CB_COLOR0_FMASK_BASE_EXT(gen) + R_CB_COLOR0_FMASK_BASE_EXT_STEP(gen) * i);
   desc.element_B = (uint8_t)(1u << desc.element_log2);
   desc.samples_log2 = 0;
   desc.pitch_el = 0;
   return amd_layouts_surface(&(*gpu->draw_memory)->layouts, &m->fmask_layout, &desc, 0, gpu->fault) &&
          amd_target_map(gpu, m->fmask_layout.base, m->fmask_layout.size_B, "FMASK", &m->fmask_memory.host,
                         &m->fmask_memory.run_B);
}

static bool
init_cmask(struct amd_color_meta *m, const struct amd_gpu *gpu, unsigned i, const struct amd_surface_desc *of_fmask,
           const struct amd_surface *surface, struct amd_meta_align align)
{
   enum amd_gen gen = gpu->model->gen;
   uint64_t base = base_of(gpu->regs, R_CB_COLOR0_CMASK + TARGET_STEP_B * i,
                           R_CB_COLOR0_CMASK_BASE_EXT(gen) + R_CB_COLOR0_CMASK_BASE_EXT_STEP(gen) * i);
   return amd_layouts_meta(&(*gpu->draw_memory)->layouts, &m->cmask_layout, AMD_META_CMASK, of_fmask, surface, 0,
                           base, align, gpu->fault) &&
          amd_target_map(gpu, m->cmask_layout.base, m->cmask_layout.size_B, "CMASK", &m->cmask_memory.host,
                         &m->cmask_memory.run_B);
}

/* Of 16 bytes the first word is that of three components. */
static void
load_clear_color(struct amd_color_meta *m, const struct amd_gpu *gpu, unsigned i, unsigned size_B)
{
   uint32_t word[2] = {amd_regs_get(gpu->regs, R_CB_COLOR0_CLEAR_WORD0 + TARGET_STEP_B * i),
                       amd_regs_get(gpu->regs, R_CB_COLOR0_CLEAR_WORD1 + TARGET_STEP_B * i)};
   bool wide = size_B == 16;
   memcpy(m->clear, word, 8);
   for (unsigned k = 0; wide && k < 4; k++)
      memcpy(m->clear + 4 * k, &word[k == 3], 4);
}

/* Whether one place stands for all pixels of an aligned tile. */
static bool
is_of_tiles(const struct amd_meta *layout)
{
   uint32_t terms = layout->start_x % TILE_PX | layout->start_y % TILE_PX;
   for (unsigned i = 1; i < TILE_PX; i *= 2)
      terms |= layout->x_low[i] | layout->y_low[i];
   return !terms && layout->width_log2 >= 3 && layout->height_log2 >= 3;
}

/* Samples of a tile lie in one block of DCC then, too. */
bool
amd_color_meta_is_of_tiles(const struct amd_target_state *t)
{
   const struct amd_color_meta *m = &t->meta;
   uint32_t terms = 0;
   for (unsigned i = 1; i < TILE_PX; i *= 2)
      terms |= t->surface.x_low[i] | t->surface.y_low[i];
   bool dcc = !t->surface.linear && amd_surface_has_tiles(&t->surface) && terms < AMD_DCC_BLOCK_B;
   return !m->fmask && (!m->dcc || (dcc && is_of_tiles(&m->dcc_layout))) &&
          (!m->cmask || is_of_tiles(&m->cmask_layout));
}

bool
amd_color_meta_init(struct amd_target_state *t, const struct amd_gpu *gpu, unsigned i,
                    const struct amd_surface_desc *desc, unsigned level)
{
   struct amd_color_meta *m = &t->meta;
   uint32_t info = amd_regs_get(gpu->regs, R_CB_COLOR0_INFO + TARGET_STEP_B * i);
   unsigned swap = G_CB_COLOR0_INFO_COMP_SWAP(info);
   m->alpha_on_msb = t->format.components == 1 ? swap == V_SWAP_ALT_REV : swap <= V_SWAP_ALT;
   const struct places places = read_places(gpu, i);
   struct amd_surface_desc of_fmask = *desc;
   of_fmask.mode = places.fmask_mode;
   /* CMASK lies as FMASK's elements say, whatever colours are. Source: AMD's address library, GetFmaskBpp(). */
   of_fmask.element_log2 = fmask_element_log2(desc->samples_log2);
   m->dcc = places.dcc;
   m->fmask = places.fmask;
   /* With DCC the bit of fast clears means the codes of DCC where there is no FMASK. */
   m->cmask = places.fmask || (places.fast_clear && !places.dcc);
   if (m->dcc && !amd_meta_has_level(desc, &t->surface, level))
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, t->surface.base,
                           "DCC of level %u, which is in the mip tail and not its first", level);
   if (m->dcc && !init_dcc(m, gpu, i, desc, &t->surface, level, places.dcc_align))
      return false;
   if (m->fmask && !init_fmask(m, gpu, i, &of_fmask))
      return false;
   if (m->cmask && !init_cmask(m, gpu, i, &of_fmask, &t->surface, places.cmask_align))
      return false;
   if (m->dcc || m->cmask)
      load_clear_color(m, gpu, i, t->format.size_B);
   m->tile_at_once = amd_color_meta_is_of_tiles(t);
   return true;
}

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
