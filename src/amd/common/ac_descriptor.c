#include "amd/common/ac_descriptor.h"

#include "amd/common/ac_descriptor_parts.h"
#include "amd/common/ac_format_renumbered.h"
#include "amd/common/ac_mutant.h"
#include "amd/common/ac_surface.h"
#include "amd/hw/descriptors.h"
#include "util/macros.h"

/* One row a generation. Source: register databases; of what samplers have, RADV and radeonsi. */
static const struct {
   bool parts;                            /* ac_descriptor_parts.h */
   bool resource_level;                   /* a bit that is 1 */
   bool renumbered;                       /* ac_format_renumbered.h; images have the number of levels in word 1 */
   uint32_t sampler_word0, sampler_word2; /* in each */
} forms[AMD_GEN_COUNT] = {
   [AMD_GFX9] = {.parts = true,
                 .sampler_word0 = S_SQ_IMG_SAMP_WORD0_COMPAT_MODE(1),
                 .sampler_word2 = S_SQ_IMG_SAMP_WORD2_FILTER_PREC_FIX(1)},
   [AMD_GFX10] = {.resource_level = true},
   [AMD_GFX10_3] = {.resource_level = true},
   [AMD_GFX11] = {.renumbered = true},
   [AMD_GFX11_5] = {.renumbered = true},
};

static uint32_t
format_number(enum amd_gen gen, uint32_t unified)
{
   return forms[gen].renumbered ? ac_format_renumbered(unified) : unified;
}

uint32_t
ac_buffer_word3(enum amd_gen gen, uint32_t format, const uint8_t select[4])
{
   if (forms[gen].parts)
      return ac_buffer_word3_parts(format, select);
   return S_SQ_BUF_RSRC_WORD3_DST_SEL_X(select[0]) | S_SQ_BUF_RSRC_WORD3_DST_SEL_Y(select[1]) |
          S_SQ_BUF_RSRC_WORD3_DST_SEL_Z(select[2]) | S_SQ_BUF_RSRC_WORD3_DST_SEL_W(select[3]) |
          S_SQ_BUF_RSRC_WORD3_FORMAT(gen, format_number(gen, format)) |
          S_SQ_BUF_RSRC_WORD3_RESOURCE_LEVEL(forms[gen].resource_level);
}

uint32_t
ac_raw_buffer_word3(enum amd_gen gen)
{
   static const uint8_t identity[4] = {V_SQ_SEL_X, V_SQ_SEL_Y, V_SQ_SEL_Z, V_SQ_SEL_W};

   return ac_buffer_word3(gen, V_GFX10_FORMAT_32_FLOAT, identity) |
          (forms[gen].parts ? 0 : S_SQ_BUF_RSRC_WORD3_OOB_SELECT(V_OOB_SELECT_RAW));
}

void
ac_typed_buffer_descriptor(enum amd_gen gen, const struct ac_typed_buffer *buffer,
                           uint32_t words[AC_BUFFER_DESCRIPTOR_DW])
{
   uint32_t records = buffer->size_B;
   uint32_t oob = V_OOB_SELECT_RAW;

   if (buffer->stride_B) {
      records = buffer->size_B < buffer->element_B ? 0 : (buffer->size_B - buffer->element_B) / buffer->stride_B + 1;
      oob = V_OOB_SELECT_STRUCTURED_WITH_OFFSET;
   }
   words[0] = (uint32_t)buffer->va;
   words[1] = S_SQ_BUF_RSRC_WORD1_BASE_ADDRESS_HI(buffer->va >> 32) | S_SQ_BUF_RSRC_WORD1_STRIDE(buffer->stride_B);
   words[2] = records;
   words[3] = ac_buffer_word3(gen, buffer->format, buffer->select) |
              (forms[gen].parts ? 0 : S_SQ_BUF_RSRC_WORD3_OOB_SELECT(oob));
   ac_mutate(gen, AC_MUTANT_SQ_BUF_RSRC, words, AC_BUFFER_DESCRIPTOR_DW);
}

static uint32_t
image_type(const struct ac_image_view *view)
{
   bool msaa = view->surface->samples_log2 > 0;

   switch (view->type) {
   case AC_VIEW_1D:
      return V_SQ_RSRC_IMG_1D;
   case AC_VIEW_2D:
      return msaa ? V_SQ_RSRC_IMG_2D_MSAA : V_SQ_RSRC_IMG_2D;
   case AC_VIEW_3D:
      return V_SQ_RSRC_IMG_3D;
   case AC_VIEW_CUBE:
      return V_SQ_RSRC_IMG_CUBE;
   case AC_VIEW_1D_ARRAY:
      return V_SQ_RSRC_IMG_1D_ARRAY;
   case AC_VIEW_2D_ARRAY:
      return msaa ? V_SQ_RSRC_IMG_2D_MSAA_ARRAY : V_SQ_RSRC_IMG_2D_ARRAY;
   }
   return V_SQ_RSRC_IMG_2D;
}

uint8_t
ac_border_swizzle(const uint8_t select[4])
{
   /* Which component of the colour each value puts into X, Y, Z and W of a texel. */
   static const uint8_t orders[][4] = {
      [V_BC_SWIZZLE_XYZW] = {0, 1, 2, 3}, [V_BC_SWIZZLE_XWYZ] = {0, 3, 1, 2}, [V_BC_SWIZZLE_WZYX] = {3, 2, 1, 0},
      [V_BC_SWIZZLE_WXYZ] = {3, 0, 1, 2}, [V_BC_SWIZZLE_ZYXW] = {2, 1, 0, 3}, [V_BC_SWIZZLE_YXWZ] = {1, 0, 3, 2}};

   for (uint8_t i = 0; i < ARRAY_SIZE(orders); i++) {
      bool fits = true;

      for (unsigned c = 0; c < 4; c++)
         fits &= select[c] < V_SQ_SEL_X || orders[i][select[c] - V_SQ_SEL_X] == c;
      if (fits)
         return i;
   }
   return V_BC_SWIZZLE_XYZW;
}

uint32_t
ac_fixed_8(float value, float low, float high)
{
   value = value >= low ? MIN2(value, high) : low;
   return (uint32_t)(int32_t)(value * 256);
}

void
ac_image_descriptor(enum amd_gen gen, const struct ac_image_view *view, uint32_t words[AC_IMAGE_DESCRIPTOR_DW])
{
   const struct ac_surface *surface = view->surface;
   bool msaa = surface->samples_log2 > 0;
   uint32_t width = view->width_px - 1;
   uint32_t height = view->type == AC_VIEW_1D || view->type == AC_VIEW_1D_ARRAY ? 0 : view->height_px - 1;
   uint32_t depth = view->type == AC_VIEW_3D ? view->depth_px - 1 : view->last_layer, base_layer = view->base_layer;
   uint32_t max_level = msaa ? surface->samples_log2 : surface->num_levels - 1u;
   uint32_t min_lod = ac_fixed_8(view->min_lod, 0, 15);
   uint64_t va = view->va;

   if (forms[gen].parts) {
      ac_image_descriptor_parts(view, image_type(view), words);
      ac_mutate(gen, AC_MUTANT_SQ_IMG_RSRC, words, AC_IMAGE_DESCRIPTOR_DW);
      return;
   }
   if (!surface->equation && (view->type == AC_VIEW_1D || view->type == AC_VIEW_2D)) {
      va += base_layer * surface->slice_B;
      depth = base_layer = 0;
   }
   words[0] = (uint32_t)(va >> 8);
   words[1] = S_SQ_IMG_RSRC_WORD1_BASE_ADDRESS_HI(va >> 40) |
              S_SQ_IMG_RSRC_WORD1_FORMAT(gen, format_number(gen, view->format)) |
              S_SQ_IMG_RSRC_WORD1_WIDTH_LO(width) |
              (forms[gen].renumbered ? S_SQ_IMG_RSRC_WORD1_MAX_MIP(max_level) : S_SQ_IMG_RSRC_WORD1_MIN_LOD(min_lod));
   words[2] = S_SQ_IMG_RSRC_WORD2_WIDTH_HI(width >> 2) | S_SQ_IMG_RSRC_WORD2_HEIGHT(height) |
              S_SQ_IMG_RSRC_WORD2_RESOURCE_LEVEL(forms[gen].resource_level);
   words[3] = S_SQ_IMG_RSRC_WORD3_DST_SEL_X(view->select[0]) | S_SQ_IMG_RSRC_WORD3_DST_SEL_Y(view->select[1]) |
              S_SQ_IMG_RSRC_WORD3_DST_SEL_Z(view->select[2]) | S_SQ_IMG_RSRC_WORD3_DST_SEL_W(view->select[3]) |
              S_SQ_IMG_RSRC_WORD3_BASE_LEVEL(msaa ? 0 : view->base_level) |
              S_SQ_IMG_RSRC_WORD3_LAST_LEVEL(msaa ? surface->samples_log2 : view->last_level) |
              S_SQ_IMG_RSRC_WORD3_SW_MODE(surface->mode) | S_SQ_IMG_RSRC_WORD3_TYPE(image_type(view)) |
              S_SQ_IMG_RSRC_WORD3_BC_SWIZZLE(view->border_swizzle);
   if (view->slices_of_level) /* with ARRAY_PITCH, DEPTH is the last slice of the view */
      depth = view->last_layer;
   words[4] = S_SQ_IMG_RSRC_WORD4_DEPTH(depth) | S_SQ_IMG_RSRC_WORD4_BASE_ARRAY(base_layer);
   words[5] = (forms[gen].renumbered ? 0 : S_SQ_IMG_RSRC_WORD5_MAX_MIP(gen, max_level)) |
              S_SQ_IMG_RSRC_WORD5_PERF_MOD(4) | S_SQ_IMG_RSRC_WORD5_ARRAY_PITCH(gen, view->slices_of_level) |
              (forms[gen].renumbered ? S_SQ_IMG_RSRC_WORD5_MIN_LOD_LO(min_lod) : 0);
   words[6] = forms[gen].renumbered ? S_SQ_IMG_RSRC_WORD6_MIN_LOD_HI(min_lod >> 5) : 0;
   words[7] = 0;
   if (view->meta_va) {
      words[6] |= view->meta_word6 | S_SQ_IMG_RSRC_WORD6_COMPRESSION_EN(1) |
                  S_SQ_IMG_RSRC_WORD6_META_PIPE_ALIGNED(1) |
                  S_SQ_IMG_RSRC_WORD6_META_DATA_ADDRESS_LO(view->meta_va >> 8);
      words[7] = (uint32_t)(view->meta_va >> 16);
   }
   ac_mutate(gen, AC_MUTANT_SQ_IMG_RSRC, words, AC_IMAGE_DESCRIPTOR_DW);
}

void
ac_sampler_descriptor(enum amd_gen gen, const struct ac_sampler *sampler, uint32_t words[AC_SAMPLER_DESCRIPTOR_DW])
{
   uint32_t aniso = sampler->aniso_log2;
   uint32_t mag = (sampler->mag_linear ? V_SQ_TEX_XY_FILTER_BILINEAR : V_SQ_TEX_XY_FILTER_POINT) + (aniso ? 2 : 0);
   uint32_t min = (sampler->min_linear ? V_SQ_TEX_XY_FILTER_BILINEAR : V_SQ_TEX_XY_FILTER_POINT) + (aniso ? 2 : 0);
   bool nearest_only = !sampler->mag_linear && !sampler->min_linear;

   words[0] = forms[gen].sampler_word0 | S_SQ_IMG_SAMP_WORD0_CLAMP_X(sampler->clamp_x) |
              S_SQ_IMG_SAMP_WORD0_CLAMP_Y(sampler->clamp_y) | S_SQ_IMG_SAMP_WORD0_CLAMP_Z(sampler->clamp_z) |
              S_SQ_IMG_SAMP_WORD0_MAX_ANISO_RATIO(aniso) | S_SQ_IMG_SAMP_WORD0_DEPTH_COMPARE_FUNC(sampler->compare) |
              S_SQ_IMG_SAMP_WORD0_FORCE_UNNORMALIZED(sampler->unnormalized) |
              S_SQ_IMG_SAMP_WORD0_ANISO_THRESHOLD(aniso >> 1) | S_SQ_IMG_SAMP_WORD0_ANISO_BIAS(aniso) |
              S_SQ_IMG_SAMP_WORD0_TRUNC_COORD(nearest_only) |
              S_SQ_IMG_SAMP_WORD0_DISABLE_CUBE_WRAP(sampler->face_edges) |
              S_SQ_IMG_SAMP_WORD0_FILTER_MODE(sampler->filter_mode);
   words[1] = S_SQ_IMG_SAMP_WORD1_MIN_LOD(ac_fixed_8(sampler->min_lod, 0, 15)) |
              S_SQ_IMG_SAMP_WORD1_MAX_LOD(ac_fixed_8(sampler->max_lod, 0, 15)) |
              S_SQ_IMG_SAMP_WORD1_PERF_MIP(aniso ? aniso + 6 : 0);
   /* ANISO_OVERRIDE would take anisotropy from views of one level. */
   words[2] = forms[gen].sampler_word2 | S_SQ_IMG_SAMP_WORD2_LOD_BIAS(ac_fixed_8(sampler->lod_bias, -16, 16)) |
              S_SQ_IMG_SAMP_WORD2_XY_MAG_FILTER(mag) | S_SQ_IMG_SAMP_WORD2_XY_MIN_FILTER(min) |
              S_SQ_IMG_SAMP_WORD2_MIP_FILTER(sampler->mip_filter);
   words[3] = S_SQ_IMG_SAMP_WORD3_BORDER_COLOR_TYPE(sampler->border) |
              S_SQ_IMG_SAMP_WORD3_BORDER_COLOR_PTR(gen, sampler->border_entry);
   ac_mutate(gen, AC_MUTANT_SQ_IMG_SAMP, words, AC_SAMPLER_DESCRIPTOR_DW);
}
