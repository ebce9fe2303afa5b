#include "gallium/drivers/radeonsi/shader/si_pops.h"

#include <string.h>

#include "amd/common/ac_pops_caps.h"
#include "amd/hw/registers.h"

static bool
per_sample(enum nir_interlock interlock)
{
   return interlock == NIR_INTERLOCK_SAMPLE_ORDERED || interlock == NIR_INTERLOCK_SAMPLE_UNORDERED;
}

static bool
in_order(enum nir_interlock interlock)
{
   return interlock == NIR_INTERLOCK_PIXEL_ORDERED || interlock == NIR_INTERLOCK_SAMPLE_ORDERED;
}

/* The hardware only offers order, so the unordered modes are programmed as the ordered ones. Two invocations overlap
 * if their coverage of a pixel has a bit in common, after the bits were merged to 2^granularity: 0 is the whole
 * pixel, the number of exposed samples is what sample interlock asks for and no more. */
static void
set_overlap(const struct si_pops_key *key, struct si_pops *out)
{
   uint8_t granularity = per_sample(key->interlock) ? key->raster_samples_log2 : 0;

   out->primitive_ordered_pixel_shader = true;
   out->load_collision_waveid = key->caps->wave_ids;
   out->load_intrawave_collision = key->caps->intrawave && key->intrawave_loop;
   if (key->caps->overlap_samples) {
      out->pops_overlap_num_samples = granularity;
   } else {
      out->override_intrinsic_rate_enable = true;
      out->override_intrinsic_rate = granularity;
   }
}

/* Erratum export-conflict-blend; the override belongs to POPS where a draw uses that. */
static void
set_blend_rate(const struct si_pops_key *key, struct si_pops *out)
{
   if (!key->caps->export_conflict_blend || !key->blends || key->raster_samples_log2)
      return;
   out->override_intrinsic_rate_enable = true;
   out->override_intrinsic_rate = 2;
}

/* Errata pops-missed-overlap and pops-stalled. Draws without interlock get the fields' defaults back. */
static void
set_drain(const struct si_pops_key *key, struct si_pops *out)
{
   bool depth_8 = key->depth_samples_log2 != SI_POPS_NO_DEPTH && key->depth_samples_log2 >= 3;
   bool many = key->raster_samples_log2 >= 3 || depth_8;

   if (!key->caps->has_dfsm)
      return;
   out->punchout_mode = V_PUNCHOUT_MODE_FORCE_OFF;
   if (!key->interlock)
      return;
   out->pops_drain_ps_on_overlap = (key->caps->pops_missed_overlap && many) || key->force_drain;
   if (out->pops_drain_ps_on_overlap && key->caps->pops_stalled)
      out->partial_squad_launch_control = V_PSLC_ON_HANG_ONLY;
}

/* Ordering needs space in the export buffer even if nothing is exported; so does telling what was discarded. */
static uint32_t
export_format(const struct si_pops_key *key)
{
   bool needs_space = key->interlock || key->kills || !key->caps->skips_exports;

   if (key->col_format || key->z_format || !needs_space)
      return key->col_format;
   return V_SPI_SHADER_32_R;
}

bool
si_pops_is_driven(const struct si_pops_key *key)
{
   bool same = key->depth_samples_log2 == key->raster_samples_log2 || key->depth_samples_log2 == SI_POPS_NO_DEPTH;

   return same && key->raster_samples_log2 <= 3 && (!key->intrawave_loop || (key->interlock && key->caps->intrawave));
}

bool
si_pops(const struct si_pops_key *key, struct si_pops *out)
{
   bool has_depth = key->depth_samples_log2 != SI_POPS_NO_DEPTH;
   bool uses = key->interlock != NIR_INTERLOCK_NONE;

   memset(out, 0, sizeof(*out));
   if (uses && key->caps->coverage_from_z_info && has_depth && key->depth_samples_log2 != key->raster_samples_log2)
      return false;
   if (uses)
      set_overlap(key, out);
   else
      set_blend_rate(key, out);
   set_drain(key, out);
   out->col_format = export_format(key);
   out->coarse_shading = key->vrs && key->caps->has_vrs && !(uses && key->caps->vrs_forced_fine);
   out->may_reorder = !in_order(key->interlock);
   return true;
}
