/* Sources: Mesa's article on POPS ("Drawing context setup", April 2023) for what it covers; AMD's register databases
 * for which register exists; the rows of GFX11.5 are taken over from GFX11 (the databases agree), but for the
 * blending erratum, which public drivers limit to GFX11. Nothing here was observed on silicon by us. */
#include "amd/common/ac_pops_caps.h"

#include <string.h>

#include "util/macros.h"

#define GFX9   .wave_ids = true, .intrawave = true, .overlap_samples = true, .has_dfsm = true
#define GFX10  GFX9, .skips_exports = true
#define GFX103 GFX10, .has_vrs = true, .vrs_forced_fine = true, .vrs_depth_export = true, .vrs_frag_z = true
#define GFX11_ORDER .coverage_from_z_info = true, .skips_exports = true
#define GFX11       GFX11_ORDER, .has_vrs = true, .has_vrs_fine_pops = true, .vrs_8x_hang = true

static const struct ac_pops_caps rows[] = {
   {"vega10", "gfx900", GFX9, .pops_missed_overlap = true},
   {"raven", "gfx902", GFX9, .pops_missed_overlap = true},
   {"renoir", "gfx90c", GFX9},
   {"navi10", "gfx1010", GFX10, .pops_stalled = true},
   {"navi12", "gfx1011", GFX10, .pops_stalled = true},
   {"navi14", "gfx1012", GFX10, .pops_stalled = true},
   {"navi21", "gfx1030", GFX103},
   {"vangogh", "gfx1033", GFX103},
   {"navi31", "gfx1100", GFX11, .export_conflict_blend = true},
   {"phoenix", "gfx1103", GFX11, .export_conflict_blend = true},
   {"strix", "gfx1150", GFX11},
};

const struct ac_pops_caps *
ac_pops_caps(const char *gfx_target)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (!strcmp(rows[i].gfx_target, gfx_target))
         return &rows[i];
   }
   return NULL;
}
