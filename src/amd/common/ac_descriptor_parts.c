#include "amd/common/ac_descriptor_parts.h"

#include "amd/common/ac_format_parts.h"
#include "amd/common/ac_surface.h"

uint32_t
ac_buffer_word3_parts(uint32_t format, const uint8_t select[4])
{
   struct ac_format_parts parts = ac_format_parts(format);

   return S_SQ_BUF_RSRC_WORD3_DST_SEL_X(select[0]) | S_SQ_BUF_RSRC_WORD3_DST_SEL_Y(select[1]) |
          S_SQ_BUF_RSRC_WORD3_DST_SEL_Z(select[2]) | S_SQ_BUF_RSRC_WORD3_DST_SEL_W(select[3]) |
          S_SQ_BUF_RSRC_WORD3_NUM_FORMAT(parts.number) | S_SQ_BUF_RSRC_WORD3_DATA_FORMAT(parts.data);
}

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
ac_image_descriptor_parts(const struct ac_image_view *view, uint32_t type, uint32_t words[AC_IMAGE_DESCRIPTOR_DW])
{
   const struct ac_surface *surface = view->surface;
   struct ac_format_parts parts = ac_format_parts(view->format);
   bool msaa = surface->samples_log2 > 0, is_1d = view->type == AC_VIEW_1D || view->type == AC_VIEW_1D_ARRAY;
   uint32_t depth = view->type == AC_VIEW_3D ? view->depth_px - 1 : view->last_layer;

   if (view->meta_va && view->beside_B)
      parts.data = view->beside_B == 2 ? S8_16 : S8_32;
   words[0] = (uint32_t)(view->va >> 8);
   words[1] = S_SQ_IMG_RSRC_WORD1_BASE_ADDRESS_HI(view->va >> 40) | S_SQ_IMG_RSRC_WORD1_DATA_FORMAT(parts.data) |
              S_SQ_IMG_RSRC_WORD1_NUM_FORMAT(parts.number) |
              S_SQ_IMG_RSRC_WORD1_MIN_LOD(ac_fixed_8(view->min_lod, 0, 15));
   words[2] = S_SQ_IMG_RSRC_WORD2_WIDTH(view->width_px - 1) |
              S_SQ_IMG_RSRC_WORD2_HEIGHT(is_1d ? 0 : view->height_px - 1) | S_SQ_IMG_RSRC_WORD2_PERF_MOD(4);
   words[3] = S_SQ_IMG_RSRC_WORD3_DST_SEL_X(view->select[0]) | S_SQ_IMG_RSRC_WORD3_DST_SEL_Y(view->select[1]) |
              S_SQ_IMG_RSRC_WORD3_DST_SEL_Z(view->select[2]) | S_SQ_IMG_RSRC_WORD3_DST_SEL_W(view->select[3]) |
              S_SQ_IMG_RSRC_WORD3_BASE_LEVEL(msaa ? 0 : view->base_level) |
              S_SQ_IMG_RSRC_WORD3_LAST_LEVEL(msaa ? surface->samples_log2 : view->last_level) |
              S_SQ_IMG_RSRC_WORD3_SW_MODE(surface->mode) | S_SQ_IMG_RSRC_WORD3_TYPE(type_in_memory(type));
   words[4] = S_SQ_IMG_RSRC_WORD4_DEPTH(depth) | S_SQ_IMG_RSRC_WORD4_PITCH(surface->epitch_el - 1) |
              S_SQ_IMG_RSRC_WORD4_BC_SWIZZLE(view->border_swizzle);
   words[5] = S_SQ_IMG_RSRC_WORD5_BASE_ARRAY(view->base_layer) |
              S_SQ_IMG_RSRC_WORD5_MAX_MIP(AMD_GFX9, msaa ? surface->samples_log2 : surface->num_levels - 1u);
   words[6] = words[7] = 0;
   if (view->meta_va) {
      words[5] |= S_SQ_IMG_RSRC_WORD5_META_DATA_ADDRESS(view->meta_va >> 40) |
                  S_SQ_IMG_RSRC_WORD5_META_PIPE_ALIGNED(1) | S_SQ_IMG_RSRC_WORD5_META_RB_ALIGNED(1);
      words[6] = view->meta_word6 | S_SQ_IMG_RSRC_WORD6_COMPRESSION_EN(1);
      words[7] = (uint32_t)(view->meta_va >> 8);
   }
}
