#include "amd/common/ac_surface_mode.h"

#include "amd/hw/descriptors.h"
#include "util/macros.h"
#include "util/mutant.h"

/* One row a generation. */
static const struct {
   bool mip_chain; /* the rules of GFX9 */
} rows[AMD_GEN_COUNT] = {
   [AMD_GFX9] = {.mip_chain = true},
};

uint8_t
ac_surface_sparse_mode(enum amd_gen gen, bool is_3d)
{
   if (!is_3d)
      return V_SW_64KB_D_T;
   return rows[gen].mip_chain ? V_SW_64KB_Z_T : V_SW_64KB_S_T;
}

struct choice {
   uint8_t mode;
   uint64_t size_B; /* 0: none yet */
};

static void
consider(struct choice *best, const struct ac_surface_desc *desc, uint8_t mode)
{
   struct ac_surface surface;
   struct ac_surface_desc other = *desc;

   other.tiling = mode == V_SW_LINEAR ? AC_TILING_NONE : AC_TILING_MODE;
   other.mode = mode;
   if (ac_surface_init(&surface, &other) && !(desc->max_alignment_B && surface.alignment_B > desc->max_alignment_B) &&
       (!best->size_B || surface.size_B * 2 <= best->size_B * 3))
      *best = (struct choice){mode, surface.size_B};
}

/* Blocks with depth, except for images that have none or whose slices are viewed one by one. */
static void
consider_3d(struct choice *best, const struct ac_surface_desc *desc)
{
   if (!desc->slices_are_targets)
      consider(best, desc, V_SW_4KB_S_X);
   if (desc->slices == 1)
      consider(best, desc, V_SW_64KB_R_X);
   if (!desc->slices_are_targets)
      consider(best, desc, V_SW_64KB_S_X);
}

/* Blocks without depth are D, but of chains of levels of what is deepest; with depth Z, of compressed formats S. */
static uint8_t
mip_chain_mode(const struct ac_surface_desc *desc)
{
   struct choice best = {V_SW_LINEAR, 0};
   uint64_t width_el = div_round_up(desc->width_px, desc->block_width_px);
   uint64_t height_el = div_round_up(desc->height_px, desc->block_height_px);
   bool compressed = desc->block_width_px > 1;
   bool thin = !desc->is_3d || desc->levels == 1 || desc->slices < MAX2(width_el, height_el);
   bool thick = desc->is_3d && !desc->slices_are_targets;

   if (height_el == 1 && !compressed)
      consider(&best, desc, V_SW_LINEAR);
   if (thin)
      consider(&best, desc, V_SW_4KB_D_X);
   if (thick)
      consider(&best, desc, compressed ? V_SW_4KB_S_X : V_SW_4KB_Z_X);
   if (thin)
      consider(&best, desc, V_SW_64KB_D_X);
   if (thick)
      consider(&best, desc, compressed ? V_SW_64KB_S_X : V_SW_64KB_Z_X);
   return best.mode;
}

static uint8_t
mip_chain_depth_mode(const struct ac_surface_desc *desc)
{
   struct choice best = {V_SW_64KB_Z_X, 0};
   bool xors = !desc->htile || desc->samples == 1 || desc->element_B * desc->samples < 8 || mutant("xors-kept");

   consider(&best, desc, xors ? V_SW_4KB_Z_X : V_SW_4KB_Z);
   consider(&best, desc, xors ? V_SW_64KB_Z_X : V_SW_64KB_Z);
   return best.mode;
}

uint8_t
ac_surface_mode(const struct ac_surface_desc *desc)
{
   struct choice best = {V_SW_LINEAR, 0};

   if (desc->depth_stencil)
      return rows[desc->gen].mip_chain ? mip_chain_depth_mode(desc) : V_SW_64KB_Z_X;
   if (desc->is_1d)
      return V_SW_LINEAR;
   if (rows[desc->gen].mip_chain)
      return mip_chain_mode(desc);
   if (desc->slices_are_targets && desc->slices > 1)
      return V_SW_LINEAR;
   if (desc->height_px <= desc->block_height_px)
      consider(&best, desc, V_SW_LINEAR);
   if (desc->is_3d) {
      consider_3d(&best, desc);
   } else {
      consider(&best, desc, V_SW_4KB_D_X);
      consider(&best, desc, desc->block_width_px > 1 ? V_SW_64KB_D_X : V_SW_64KB_R_X);
   }
   return best.mode;
}
