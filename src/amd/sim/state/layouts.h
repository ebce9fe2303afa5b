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
      struct amd_meta_desc from; /* but for its pointers */
      struct amd_surface_desc desc;
      struct amd_meta meta;
   } metas[AMD_LAYOUTS];
};

/* amd_surface_init() and amd_meta_init(). */
bool amd_layouts_surface(struct amd_layouts *layouts, struct amd_surface *surface,
                         const struct amd_surface_desc *desc, unsigned level, struct sim_fault *fault);
bool amd_layouts_meta(struct amd_layouts *layouts, struct amd_meta *meta, const struct amd_meta_desc *from,
                      struct sim_fault *fault);

#endif
