/* What primitive ordered pixel shading (POPS) is on a chip: one row per chip, capabilities and errata as columns. */
#ifndef INDIUM_AC_POPS_CAPS_H
#define INDIUM_AC_POPS_CAPS_H

#include <stdbool.h>

struct ac_pops_caps {
   const char *chip;       /* "navi21" */
   const char *gfx_target; /* "gfx1030": LLVM's name, as in the rows of amd/hw */

   /* How a wave learns that it may enter. */
   bool wave_ids;  /* COLLISION_WAVEID and the exiting wave id; otherwise the "export ready" state */
   bool intrawave; /* overlapping invocations may share a wave: INTRAWAVE_COLLISION */
   /* How draws are set up. */
   bool overlap_samples;      /* granularity in POPS_OVERLAP_NUM_SAMPLES; otherwise in OVERRIDE_INTRINSIC_RATE */
   bool coverage_from_z_info; /* DB_Z_INFO.NUM_SAMPLES counts the coverage, depth target or not */
   bool has_dfsm;             /* DB_DFSM_CONTROL exists */
   bool skips_exports;        /* a shader without export space runs without exports; POPS must not */
   /* Variable rate shading. */
   bool has_vrs;
   bool vrs_forced_fine;   /* POPS draws are shaded at 1x1 */
   bool has_vrs_fine_pops; /* PA_SC_VRS_SURFACE_CNTL_1.FORCE_SC_VRS_RATE_FINE_POPS: 1x1 on demand */

   /* Errata: docs/errata.md has an entry of each name. */
   bool pops_missed_overlap;   /* 8 samples and more hang unless pixel shaders drain on overlap */
   bool pops_stalled;          /* draining on overlap hangs unless partial squads wait for a hang */
   bool vrs_depth_export;      /* pixel shaders that export depth or stencil are shaded at 1x1 */
   bool vrs_frag_z;            /* the depth that shaders of coarse fragments read is that left of their centre */
   bool vrs_8x_hang;           /* coarse fragments of 8 samples hang */
   bool export_conflict_blend; /* blending at one sample is slow unless the intrinsic rate is overridden */
};

/* The row of a chip by LLVM's name of its instruction set, or NULL. */
const struct ac_pops_caps *ac_pops_caps(const char *gfx_target);

#endif
