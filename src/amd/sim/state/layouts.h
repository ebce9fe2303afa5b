/* Layouts of a draw's targets and of their metadata, which are those of the draws before: each is worked out once. */
#ifndef INDIUM_AMD_SIM_LAYOUTS_H
#define INDIUM_AMD_SIM_LAYOUTS_H

#include "amd/sim/surface/meta.h"

enum { AMD_LAYOUTS = 12 };

/* The last ones; zero at first. */
struct amd_layouts {
   unsigned surface_count, meta_count; /* ever */
   struct amd_layouts_surface {
      struct amd_surface_desc desc;
      unsigned level;
      struct amd_surface surface;
   } surfaces[AMD_LAYOUTS];
   struct amd_layouts_meta {
      struct amd_surface_desc desc;
      unsigned level;
      enum amd_meta_kind kind;
      uint64_t base_256B;
      struct amd_meta_align align;
      struct amd_meta meta;
   } metas[AMD_LAYOUTS];
};

/* amd_surface_init() and amd_meta_init(). */
bool amd_layouts_surface(struct amd_layouts *layouts, struct amd_surface *surface,
                         const struct amd_surface_desc *desc, unsigned level, struct sim_fault *fault);
bool amd_layouts_meta(struct amd_layouts *layouts, struct amd_meta *meta, enum amd_meta_kind kind,
                      const struct amd_surface_desc *desc, const struct amd_surface *surface, unsigned level,
                      uint64_t base_256B, struct amd_meta_align align, struct sim_fault *fault);
/* size: those of amd_meta_init(), and where the layout is kept */

#endif
