/* Registers of DCC, CMASK and FMASK. */
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/state/draw_state_private.h"
#include "amd/sim/surface/dcc.h"
#include "amd/sim/surface/surface_tile.h"
#include "util/macros.h"

enum { TARGET_STEP_B = 0x3c, TILE_PX = 8 };

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
init_dcc(struct amd_color_meta *m, struct amd_targets *targets, unsigned i, struct amd_meta_desc from)
{
   const struct amd_gpu *gpu = targets->gpu;
   enum amd_gen gen = gpu->model->gen;
   from.kind = AMD_META_DCC;
   from.base_256B = base_of(gpu->regs, R_CB_COLOR0_DCC_BASE + TARGET_STEP_B * i,
                            R_CB_COLOR0_DCC_BASE_EXT(gen) + R_CB_COLOR0_DCC_BASE_EXT_STEP(gen) * i);
   return amd_layouts_meta(&targets->layouts, &m->dcc_layout, &from, gpu->fault) &&
          amd_target_map(targets, m->dcc_layout.base, m->dcc_layout.size_B, "DCC", &m->dcc_memory.host,
                         &m->dcc_memory.run_B);
}

static uint8_t
fmask_element_log2(unsigned samples_log2)
{
   return samples_log2 == 3 ? 2 : 0;
}

static bool
init_fmask(struct amd_color_meta *m, struct amd_targets *targets, unsigned i, const struct amd_surface_desc *of_fmask)
{
   const struct amd_gpu *gpu = targets->gpu;
   enum amd_gen gen = gpu->model->gen;
   struct amd_surface_desc desc = *of_fmask;
   desc.base_256B = base_of(gpu->regs, R_CB_COLOR0_FMASK + TARGET_STEP_B * i,
                            R_CB_COLOR0_FMASK_BASE_EXT(gen) + R_CB_COLOR0_FMASK_BASE_EXT_STEP(gen) * i);
   desc.element_B = (uint8_t)(1u << desc.element_log2);
   desc.samples_log2 = 0;
   desc.pitch_el = 0;
   return amd_layouts_surface(&targets->layouts, &m->fmask_layout, &desc, 0, gpu->fault) &&
          amd_target_map(targets, m->fmask_layout.base, m->fmask_layout.size_B, "FMASK", &m->fmask_memory.host,
                         &m->fmask_memory.run_B);
}

static bool
init_cmask(struct amd_color_meta *m, struct amd_targets *targets, unsigned i, struct amd_meta_desc from)
{
   const struct amd_gpu *gpu = targets->gpu;
   enum amd_gen gen = gpu->model->gen;
   from.kind = AMD_META_CMASK;
   from.base_256B = base_of(gpu->regs, R_CB_COLOR0_CMASK + TARGET_STEP_B * i,
                            R_CB_COLOR0_CMASK_BASE_EXT(gen) + R_CB_COLOR0_CMASK_BASE_EXT_STEP(gen) * i);
   return amd_layouts_meta(&targets->layouts, &m->cmask_layout, &from, gpu->fault) &&
          amd_target_map(targets, m->cmask_layout.base, m->cmask_layout.size_B, "CMASK", &m->cmask_memory.host,
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
amd_draw_state_color_meta(struct amd_target_state *t, struct amd_targets *targets, unsigned i,
                          const struct amd_surface_desc *desc, unsigned level)
{
   const struct amd_gpu *gpu = targets->gpu;
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
   if (m->dcc && !init_dcc(m, targets, i,
                           (struct amd_meta_desc){
                              .align = places.dcc_align, .desc = desc, .surface = &t->surface, .level = level}))
      return false;
   if (m->fmask && !init_fmask(m, targets, i, &of_fmask))
      return false;
   if (m->cmask &&
       !init_cmask(m, targets, i,
                   (struct amd_meta_desc){.align = places.cmask_align, .desc = &of_fmask, .surface = &t->surface}))
      return false;
   if (m->dcc || m->cmask)
      load_clear_color(m, gpu, i, t->format.size_B);
   m->tile_at_once = amd_color_meta_is_of_tiles(t);
   return true;
}
