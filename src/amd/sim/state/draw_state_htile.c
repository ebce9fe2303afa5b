/* Registers of HTILE. */
#include "amd/hw/registers.h"
#include "amd/sim/state/draw_state_private.h"
#include "sim/texel/compare.h"
#include "util/macros.h"

enum {
   TILE_PX = 8,
   SHADING_RATES = 0xcc0, /* in the place of the results of stencil tests, where HTILE has some */
};

bool
amd_draw_state_htile(struct amd_depth_state *d, struct amd_targets *targets, const struct amd_surface_desc *desc,
                     const struct amd_surface *surface, unsigned level)
{
   const struct amd_gpu *gpu = targets->gpu;
   const struct amd_regs *regs = gpu->regs;
   struct amd_htile_state *h = &d->htile;
   enum amd_gen gen = gpu->model->gen;
   uint32_t htile = amd_regs_get(regs, R_DB_HTILE_SURFACE);
   const struct amd_meta_desc from = {
      .kind = AMD_META_HTILE,
      .align = {G_DB_HTILE_SURFACE_PIPE_ALIGNED(htile), G_DB_HTILE_SURFACE_RB_ALIGNED(htile)},
      .desc = desc,
      .surface = surface,
      .level = level,
      .base_256B = (uint64_t)(amd_regs_get(regs, R_DB_HTILE_DATA_BASE_HI(gen)) & 0xff) << 32 |
                   amd_regs_get(regs, R_DB_HTILE_DATA_BASE),
   };
   bool has_rates = gpu->model->traits->coarse_shading && G_DB_HTILE_SURFACE_VRS_HTILE_ENCODING(htile);
   if (!amd_meta_has_level(desc, surface, level))
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, surface->base,
                           "HTILE of level %u, which is in the mip tail and not its first", level);
   h->kept = has_rates ? SHADING_RATES : 0;
   if (!amd_layouts_meta(&targets->layouts, &h->layout, &from, gpu->fault))
      return false;
   return amd_target_map(targets, h->layout.base, h->layout.size_B, "HTILE", &h->memory.host, &h->memory.run_B);
}

static bool
keeps_stencil(const struct amd_depth_state *d)
{
   bool keeps = true;
   for (unsigned i = 0; i < 2 && d->has_stencil && d->stencil_enable; i++)
      keeps &= !d->face[i].write_mask || (d->face[i].fail == V_STENCIL_KEEP && d->face[i].zfail == V_STENCIL_KEEP);
   return keeps;
}

void
amd_draw_state_culling(struct amd_depth_state *d, const struct amd_regs *regs)
{
   uint32_t override = amd_regs_get(regs, R_DB_RENDER_OVERRIDE), shader = amd_regs_get(regs, R_DB_SHADER_CONTROL);
   struct amd_htile_state *h = &d->htile;
   /* Rates lie where the range is if there is only depth. */
   bool ranges = h->enable && d->has_z && (h->has_stencil || !h->kept);
   bool tests = d->z_enable && !d->clear_z && !d->z_export && keeps_stencil(d) && d->zfunc != SIM_COMPARE_ALWAYS &&
                d->zfunc != SIM_COMPARE_NOT_EQUAL;
   h->culls = ranges && tests && G_DB_RENDER_OVERRIDE_FORCE_HIZ_ENABLE(override) != V_FORCE_DISABLE &&
              G_DB_RENDER_OVERRIDE_FORCE_FULL_Z_RANGE(override) != V_FORCE_ENABLE &&
              !G_DB_RENDER_OVERRIDE_IGNORE_SC_ZRANGE(override) && !G_DB_SHADER_CONTROL_EXEC_ON_HIER_FAIL(shader);
   h->summarises = ranges && d->first_slice <= d->last_slice &&
                   !G_DB_RENDER_OVERRIDE2_PRESERVE_ZRANGE(amd_regs_get(regs, R_DB_RENDER_OVERRIDE2));
   h->tiles_wide = div_round_up(d->z.width_el, (uint32_t)TILE_PX);
   h->tiles_high = div_round_up(d->z.height_el, (uint32_t)TILE_PX);
}
