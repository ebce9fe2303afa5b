#include "amd/common/ac_descriptor.h"

#include "amd/common/ac_descriptor_parts.h"
#include "amd/common/ac_format_parts.h"
#include "amd/common/ac_format_renumbered.h"
#include "amd/common/ac_mutant.h"
#include "amd/common/ac_surface.h"
#include "amd/hw/descriptors.h"
#include "util/macros.h"

/* One row a generation. Source: register databases; of what samplers have, RADV and radeonsi. */
static const struct {
   bool parts;          /* ac_descriptor_parts.h */
   bool resource_level; /* a bit that is 1 */
   bool renumbered;     /* ac_format_renumbered.h */
   struct amd_sq_img_samp sampler;
} forms[AMD_GEN_COUNT] = {
   [AMD_GFX9] = {.parts = true, .sampler = {.compat_mode = true, .filter_prec_fix = true}},
   [AMD_GFX10] = {.resource_level = true},
   [AMD_GFX10_3] = {.resource_level = true},
   [AMD_GFX11] = {.renumbered = true},
   [AMD_GFX11_5] = {.renumbered = true},
};

/* Bits of an address that descriptors have. */
#define AC_VA_MASK UINT64_C(0xffffffffffff)

static uint32_t
format_number(enum amd_gen gen, uint32_t unified)
{
   return forms[gen].renumbered ? ac_format_renumbered(unified) : unified;
}

/* With format and selection. */
static struct amd_sq_buf_rsrc
buffer_of_format(enum amd_gen gen, uint32_t format, const uint8_t select[4])
{
   struct amd_sq_buf_rsrc buffer = {
      .dst_sel_x = select[0], .dst_sel_y = select[1], .dst_sel_z = select[2], .dst_sel_w = select[3]};

   if (forms[gen].parts) {
      const struct ac_format_parts parts = ac_format_parts(format);

      buffer.num_format = parts.number;
      buffer.data_format = parts.data;
   } else {
      buffer.format = format_number(gen, format);
      buffer.resource_level = forms[gen].resource_level;
   }
   return buffer;
}

static uint32_t
word3_of(enum amd_gen gen, const struct amd_sq_buf_rsrc *buffer)
{
   uint32_t words[AC_BUFFER_DESCRIPTOR_DW];

   amd_sq_buf_rsrc_pack(gen, buffer, words);
   return words[3];
}

uint32_t
ac_buffer_word3(enum amd_gen gen, uint32_t format, const uint8_t select[4])
{
   const struct amd_sq_buf_rsrc buffer = buffer_of_format(gen, format, select);

   return word3_of(gen, &buffer);
}

uint32_t
ac_raw_buffer_word3(enum amd_gen gen)
{
   static const uint8_t identity[4] = {V_SQ_SEL_X, V_SQ_SEL_Y, V_SQ_SEL_Z, V_SQ_SEL_W};
   struct amd_sq_buf_rsrc buffer = buffer_of_format(gen, V_GFX10_FORMAT_32_FLOAT, identity);

   buffer.oob_select = forms[gen].parts ? 0 : V_OOB_SELECT_RAW;
   return word3_of(gen, &buffer);
}

void
ac_typed_buffer_descriptor(enum amd_gen gen, const struct ac_typed_buffer *buffer,
                           uint32_t words[AC_BUFFER_DESCRIPTOR_DW])
{
   struct amd_sq_buf_rsrc out = buffer_of_format(gen, buffer->format, buffer->select);
   uint32_t oob = V_OOB_SELECT_RAW;

   out.base_address = buffer->va & AC_VA_MASK;
   out.stride = buffer->stride_B;
   out.num_records = buffer->size_B;
   if (buffer->stride_B) {
      out.num_records =
         buffer->size_B < buffer->element_B ? 0 : (buffer->size_B - buffer->element_B) / buffer->stride_B + 1;
      oob = V_OOB_SELECT_STRUCTURED_WITH_OFFSET;
   }
   out.oob_select = forms[gen].parts ? 0 : oob;
   amd_sq_buf_rsrc_pack(gen, &out, words);
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

/* In a descriptor of a linear image that is no array, DEPTH is the pitch: the view begins at its layer. */
static bool
begins_at_layer(enum amd_gen gen, const struct ac_image_view *view)
{
   return !forms[gen].parts && !view->surface->equation && (view->type == AC_VIEW_1D || view->type == AC_VIEW_2D);
}

/* DEPTH and BASE_ARRAY. With ARRAY_PITCH, DEPTH is the last slice of the view. */
static void
image_slices(enum amd_gen gen, const struct ac_image_view *view, struct amd_sq_img_rsrc *image)
{
   if (begins_at_layer(gen, view))
      return;
   image->array_pitch = view->slices_of_level && !forms[gen].parts;
   image->depth = view->type == AC_VIEW_3D && !image->array_pitch ? view->depth_px - 1 : view->last_layer;
   image->base_array = view->base_layer;
}

void
ac_image_descriptor(enum amd_gen gen, const struct ac_image_view *view, uint32_t words[AC_IMAGE_DESCRIPTOR_DW])
{
   const struct ac_surface *surface = view->surface;
   const bool msaa = surface->samples_log2 > 0;
   struct amd_sq_img_rsrc image = view->meta_va ? view->meta : (struct amd_sq_img_rsrc){0};
   uint64_t va = view->va;

   if (begins_at_layer(gen, view))
      va += view->base_layer * surface->slice_B;
   image.base_address = (va & AC_VA_MASK) >> 8;
   image.min_lod = ac_fixed_8(view->min_lod, 0, 15);
   image.width = view->width_px - 1;
   image.height = view->type == AC_VIEW_1D || view->type == AC_VIEW_1D_ARRAY ? 0 : view->height_px - 1;
   image.perf_mod = 4;
   image.dst_sel_x = view->select[0];
   image.dst_sel_y = view->select[1];
   image.dst_sel_z = view->select[2];
   image.dst_sel_w = view->select[3];
   image.base_level = msaa ? 0 : view->base_level;
   image.last_level = msaa ? surface->samples_log2 : view->last_level;
   image.max_mip = msaa ? surface->samples_log2 : surface->num_levels - 1u;
   image.sw_mode = surface->mode;
   image.type = image_type(view);
   image.bc_swizzle = view->border_swizzle;
   image_slices(gen, view, &image);
   if (view->meta_va) {
      image.compression_en = image.meta_pipe_aligned = true;
      image.meta_data_address = (view->meta_va & AC_VA_MASK) >> 8;
   }
   if (forms[gen].parts) {
      ac_image_descriptor_parts(view, &image);
   } else {
      image.format = format_number(gen, view->format);
      image.resource_level = forms[gen].resource_level;
   }
   amd_sq_img_rsrc_pack(gen, &image, words);
   ac_mutate(gen, AC_MUTANT_SQ_IMG_RSRC, words, AC_IMAGE_DESCRIPTOR_DW);
}

/* LOD_BIAS is a number with a sign, in 14 bits. */
#define LOD_BIAS_MASK 0x3fffu

static uint32_t
xy_filter(bool linear, uint32_t aniso)
{
   return (linear ? V_SQ_TEX_XY_FILTER_BILINEAR : V_SQ_TEX_XY_FILTER_POINT) + (aniso ? 2 : 0);
}

void
ac_sampler_descriptor(enum amd_gen gen, const struct ac_sampler *sampler, uint32_t words[AC_SAMPLER_DESCRIPTOR_DW])
{
   const uint32_t aniso = sampler->aniso_log2;
   struct amd_sq_img_samp out = forms[gen].sampler;

   out.clamp_x = sampler->clamp_x;
   out.clamp_y = sampler->clamp_y;
   out.clamp_z = sampler->clamp_z;
   out.max_aniso_ratio = out.aniso_bias = aniso;
   out.aniso_threshold = aniso >> 1;
   out.depth_compare_func = sampler->compare;
   out.force_unnormalized = sampler->unnormalized;
   out.trunc_coord = !sampler->mag_linear && !sampler->min_linear;
   out.min_lod = ac_fixed_8(sampler->min_lod, 0, 15);
   out.max_lod = ac_fixed_8(sampler->max_lod, 0, 15);
   out.perf_mip = aniso ? aniso + 6 : 0;
   out.lod_bias = ac_fixed_8(sampler->lod_bias, -16, 16) & LOD_BIAS_MASK;
   out.xy_mag_filter = xy_filter(sampler->mag_linear, aniso);
   out.xy_min_filter = xy_filter(sampler->min_linear, aniso);
   out.mip_filter = sampler->mip_filter;
   out.filter_mode = sampler->filter_mode;
   out.disable_cube_wrap = sampler->face_edges;
   out.border_color_type = sampler->border;
   out.border_color_ptr = sampler->border_entry;
   /* ANISO_OVERRIDE would take anisotropy from views of one level. */
   amd_sq_img_samp_pack(gen, &out, words);
   ac_mutate(gen, AC_MUTANT_SQ_IMG_SAMP, words, AC_SAMPLER_DESCRIPTOR_DW);
}
