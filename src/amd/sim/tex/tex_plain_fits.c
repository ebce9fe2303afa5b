/* Which requests are samples of plain 2D images, and which build of tex_plain.c runs them. */
#include "amd/sim/tex/tex_lod.h"
#include "amd/sim/tex/tex_plain.h"
#include "sim/wide.h"
#include "util/macros.h"

static bool
is_plain_wrap(enum sim_wrap mode)
{
   return mode != SIM_WRAP_HALF_BORDER && mode != SIM_WRAP_MIRROR_ONCE_HALF_BORDER;
}

/* Places of texels are 32 bits. */
static bool
is_small(const struct tex_image *image)
{
   const struct amd_surface *base = &image->levels[image->base_level].surface;
   return base->size_B <= UINT32_MAX - (1u << AMD_CACHE_PAGE_LOG2);
}

bool
tex_plain_fits(const struct tex_image *image, const struct tex_sampler *sampler, const struct amd_tex_request *r)
{
   const struct sim_sampler *s = &sampler->filter;
   const bool is_2d = r->dim == TEX_DIM_2D || r->dim == TEX_DIM_2D_ARRAY;
   return r->kind == AMD_TEX_SAMPLE && is_2d && !r->compare && tex_image_kind(image) == SIM_IMAGE_2D &&
          image->format.layout == SIM_TEXEL_PLAIN && is_power_of_two(image->format.size_B) && !image->has_meta &&
          !image->fmask_samples_log2 && !r->missing && !r->watch && s->reduction == SIM_REDUCTION_BLEND &&
          s->weights && is_plain_wrap(s->wrap[0]) && is_plain_wrap(s->wrap[1]) && is_small(image);
}

bool
tex_plain_ignores_lod(const struct tex_image *image, const struct tex_sampler *sampler)
{
   const struct sim_sampler *s = &sampler->filter;
   return s->mag_linear == s->min_linear && s->max_anisotropy == 1 &&
          (s->mip == SIM_MIP_NONE || image->base_level == image->last_level);
}

void
tex_plain_sample(const struct tex_plain *plain, uint32_t result[4][AMD_TEX_LANES])
{
#if defined(__x86_64__)
   if (sim_has_avx2()) {
      tex_plain_sample_avx2(plain, result);
      return;
   }
#endif
   tex_plain_sample_base(plain, result);
}
