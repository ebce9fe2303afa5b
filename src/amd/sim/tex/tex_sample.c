#include "amd/sim/tex/tex_sample.h"

#include <string.h>

#include "amd/hw/descriptors.h"
#include "util/macros.h"

static const enum sim_wrap wraps[8] = {
   [V_SQ_TEX_WRAP] = SIM_WRAP_REPEAT,
   [V_SQ_TEX_MIRROR] = SIM_WRAP_MIRROR,
   [V_SQ_TEX_CLAMP_LAST_TEXEL] = SIM_WRAP_EDGE,
   [V_SQ_TEX_MIRROR_ONCE_LAST_TEXEL] = SIM_WRAP_MIRROR_ONCE_EDGE,
   [V_SQ_TEX_CLAMP_HALF_BORDER] = SIM_WRAP_HALF_BORDER,
   [V_SQ_TEX_MIRROR_ONCE_HALF_BORDER] = SIM_WRAP_MIRROR_ONCE_HALF_BORDER,
   [V_SQ_TEX_CLAMP_BORDER] = SIM_WRAP_BORDER,
   [V_SQ_TEX_MIRROR_ONCE_BORDER] = SIM_WRAP_MIRROR_ONCE_BORDER,
};

_Static_assert((int)V_SQ_TEX_DEPTH_COMPARE_LESS == SIM_COMPARE_LESS &&
                  (int)V_SQ_TEX_DEPTH_COMPARE_EQUAL == SIM_COMPARE_EQUAL &&
                  (int)V_SQ_TEX_DEPTH_COMPARE_GREATER == SIM_COMPARE_GREATER,
               "functions of samplers are sets of outcomes");

static const enum sim_reduction reductions[4] = {
   [V_SQ_IMG_FILTER_MODE_BLEND] = SIM_REDUCTION_BLEND,
   [V_SQ_IMG_FILTER_MODE_MIN] = SIM_REDUCTION_MIN,
   [V_SQ_IMG_FILTER_MODE_MAX] = SIM_REDUCTION_MAX,
   [3] = SIM_REDUCTION_MAX, /* not defined (assumed) */
};

/* Eight bits of fraction: subTexelPrecisionBits and mipmapPrecisionBits of every Vulkan driver for these chips, and
 * the samplers' own levels of detail have as many (doc). That it is the nearest that is taken, is assumed. */
#define WEIGHTS 256

static void
decode(struct tex_sampler *sampler, enum amd_gen gen, const uint32_t w[4])
{
   const struct amd_sq_img_samp s = amd_sq_img_samp_unpack(gen, w);
   unsigned mag = s.xy_mag_filter, min = s.xy_min_filter;
   *sampler = (struct tex_sampler){
      .filter =
         {
            .wrap = {wraps[s.clamp_x], wraps[s.clamp_y], wraps[s.clamp_z]},
            .compare = (uint8_t)s.depth_compare_func,
            .mag_linear = mag & 1,
            .min_linear = min & 1,
            .max_anisotropy = (uint8_t)((mag | min) & 2 ? 1 << s.max_aniso_ratio : 1),
            .mip = (uint8_t)s.mip_filter,
            .reduction = reductions[s.filter_mode],
            .unnormalized = s.force_unnormalized,
            .seamless = !s.disable_cube_wrap,
            .weights = WEIGHTS,
            .min_lod = (float)s.min_lod / 256.0f,
            .max_lod = (float)s.max_lod / 256.0f,
         },
      .samp = s,
      .lod_bias = (float)sign_extend(s.lod_bias, 14) / 256.0f,
   };
}

void
tex_sampler_decode(struct tex_sampler *sampler, enum amd_gen gen, const uint32_t w[4])
{
   /* The last one: the next request mostly has it, too. */
   static _Thread_local struct {
      bool valid;
      enum amd_gen gen;
      uint32_t words[4];
      struct tex_sampler sampler;
   } last;
   if (!last.valid || last.gen != gen || memcmp(last.words, w, sizeof(last.words)) != 0) {
      decode(&last.sampler, gen, w);
      memcpy(last.words, w, sizeof(last.words));
      last.gen = gen;
      last.valid = true;
   }
   *sampler = last.sampler;
}

enum sim_image_kind
tex_image_kind(const struct tex_image *image)
{
   return image->type == V_SQ_RSRC_IMG_CUBE ? SIM_IMAGE_CUBE
          : image->desc.is_3d               ? SIM_IMAGE_3D
          : image->desc.height_px == 1      ? SIM_IMAGE_1D
                                            : SIM_IMAGE_2D;
}

static v4u
texel(struct sim_image *image, unsigned number, uint32_t x, uint32_t y, uint32_t slice)
{
   struct tex_source *source = container_of(image, struct tex_source, image);
   const struct tex_level *level = tex_image_level(source->of, number, source->fault);
   if (level)
      return tex_image_texel(source->of, level, (struct tex_place){x, y, slice, 0}, source->bad);
   *source->bad = true;
   return (v4u){0};
}

static bool
square(struct sim_image *image, unsigned number, uint32_t x, uint32_t y, uint32_t slice, v4f texels[4])
{
   struct tex_source *source = container_of(image, struct tex_source, image);
   struct tex_image *of = source->of;
   const struct tex_level *level = tex_image_level(source->of, number, source->fault);
   if (!level)
      return false;
   const struct amd_surface *surface = &level->surface;
   uint64_t at[4] = {
      amd_surface_offset(surface, x, y, slice, 0),
      amd_surface_offset(surface, x + 1, y, slice, 0),
      amd_surface_offset(surface, x, y + 1, slice, 0),
      amd_surface_offset(surface, x + 1, y + 1, slice, 0),
   };
   for (unsigned i = 0; i < 4; i++) {
      bool here = at[i] + of->format.size_B <= of->run_B;
      const uint8_t *texel_B = here ? tex_image_bytes(of, at[i]) : tex_image_piece(of, at[i], source->bad);
      sim_texel_decode(&of->format, texel_B, (uint32_t *)&texels[i]);
   }
   return true;
}

struct tex_source
tex_source(struct tex_image *image, struct sim_fault *fault, bool *bad)
{
   return (struct tex_source){
      .image =
         {
            .kind = tex_image_kind(image),
            .is_int = image->is_int,
            .is_signed = image->format.numeric == SIM_SINT,
            .clamps_reference = image->clamps_reference,
            .width = image->desc.width_px,
            .height = image->desc.height_px,
            .depth = image->desc.is_3d ? image->desc.slices : 1,
            .base_level = image->base_level,
            .last_level = image->last_level,
            .texel = texel,
            .square = image->compressed || image->has_meta || image->fmask_samples_log2 ? NULL : square,
         },
      .of = image,
      .fault = fault,
      .bad = bad,
   };
}
