#include "amd/common/ac_descriptor_parts.h"

#include "amd/common/ac_format_parts.h"
#include "amd/common/ac_surface.h"

/* Stencil whose HTILE lies as that of depth of 16 or 32 bits: its own bytes would place it elsewhere. Source:
 * register database gfx9.json, IMG_DATA_FORMAT; RADV. */
enum { S8_16 = 59, S8_32 = 60 };

/* Images of one dimension lie as those of two: their levels are rows of a plane. */
static uint32_t
type_in_memory(uint32_t type)
{
   return type == V_SQ_RSRC_IMG_1D         ? V_SQ_RSRC_IMG_2D
          : type == V_SQ_RSRC_IMG_1D_ARRAY ? V_SQ_RSRC_IMG_2D_ARRAY
                                           : type;
}

void
ac_image_descriptor_parts(const struct ac_image_view *view, struct amd_sq_img_rsrc *image)
{
   const struct ac_format_parts parts = ac_format_parts(view->format);

   image->data_format = view->meta_va && view->depth_B ? (view->depth_B == 2 ? S8_16 : S8_32) : parts.data;
   image->num_format = parts.number;
   image->type = type_in_memory(image->type);
   image->pitch = view->surface->epitch_el - 1;
   image->meta_rb_aligned = view->meta_va != 0;
}
