#include "amd/sim/state/layouts.h"

#include <string.h>

#include "util/macros.h"

/* Field by field: the bytes between them may differ. */
_Static_assert(sizeof(struct amd_surface_desc) == 40, "all fields are compared");
static bool
are_alike(const struct amd_surface_desc *a, const struct amd_surface_desc *b)
{
   return a->gen == b->gen && a->gb_addr_config == b->gb_addr_config && a->base_256B == b->base_256B &&
          a->mode == b->mode && a->element_log2 == b->element_log2 && a->element_B == b->element_B &&
          a->samples_log2 == b->samples_log2 && a->levels == b->levels && a->texel_px == b->texel_px &&
          a->is_3d == b->is_3d && a->width_px == b->width_px && a->height_px == b->height_px &&
          a->slices == b->slices && a->pitch_el == b->pitch_el;
}

bool
amd_layouts_surface(struct amd_layouts *layouts, struct amd_surface *surface, const struct amd_surface_desc *desc,
                    unsigned level, struct sim_fault *fault)
{
   for (unsigned i = 0; i < MIN2(layouts->surface_count, AMD_LAYOUTS); i++) {
      const struct amd_layouts_surface *kept = &layouts->surfaces[i];
      if (kept->level == level && are_alike(&kept->desc, desc)) {
         *surface = kept->surface;
         return true;
      }
   }
   if (!amd_surface_init(surface, desc, level, fault))
      return false;
   layouts->surfaces[layouts->surface_count++ % AMD_LAYOUTS] = (struct amd_layouts_surface){*desc, level, *surface};
   return true;
}

static bool
is_meta_of(const struct amd_layouts_meta *kept, const struct amd_meta_desc *from)
{
   const struct amd_meta_desc *k = &kept->from;
   return k->level == from->level && k->kind == from->kind && k->base_256B == from->base_256B &&
          k->align.pipe == from->align.pipe && k->align.rb == from->align.rb && are_alike(&kept->desc, from->desc);
}

bool
amd_layouts_meta(struct amd_layouts *layouts, struct amd_meta *meta, const struct amd_meta_desc *from,
                 struct sim_fault *fault)
{
   for (unsigned i = 0; i < MIN2(layouts->meta_count, AMD_LAYOUTS); i++) {
      const struct amd_layouts_meta *kept = &layouts->metas[i];
      if (is_meta_of(kept, from)) {
         *meta = kept->meta;
         return true;
      }
   }
   if (!amd_meta_init(meta, from, fault))
      return false;
   layouts->metas[layouts->meta_count++ % AMD_LAYOUTS] = (struct amd_layouts_meta){*from, *from->desc, *meta};
   return true;
}
