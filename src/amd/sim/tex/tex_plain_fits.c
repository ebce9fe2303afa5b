/* Which requests go through all lanes at once, and which build of tex_plain.c and tex_load.c runs them. */
#include "amd/sim/tex/tex_lod.h"
#include "amd/sim/tex/tex_plain.h"
#include "sim/wide.h"
#include "util/macros.h"

static bool
is_plain_wrap(enum sim_wrap mode)
{
   return mode != SIM_WRAP_HALF_BORDER && mode != SIM_WRAP_MIRROR_ONCE_HALF_BORDER;
}

/* No texel lies in two lines of a cache, and its place has 32 bits. */
static bool
has_small_texels(const struct tex_image *image)
{
   const struct amd_surface *base = &image->levels[image->base_level].surface;
   return is_power_of_two(image->format.size_B) && base->size_B <= UINT32_MAX - (1u << AMD_CACHE_PAGE_LOG2);
}

bool
tex_plain_fits(const struct tex_image *image, const struct tex_sampler *sampler, const struct amd_tex_request *r)
{
   const struct sim_sampler *s = &sampler->filter;
   const bool is_2d = r->dim == TEX_DIM_2D || r->dim == TEX_DIM_2D_ARRAY;
   return r->kind == AMD_TEX_SAMPLE && !r->reference && is_2d && !r->compare &&
          tex_image_kind(image) == SIM_IMAGE_2D && !image->has_meta && !image->fmask_samples_log2 && !r->missing &&
          !r->watch && s->reduction == SIM_REDUCTION_BLEND && s->weights && is_plain_wrap(s->wrap[0]) &&
          is_plain_wrap(s->wrap[1]) && has_small_texels(image);
}

/* Loads that evict lines do so lane by lane, and metadata has its place between them. */
bool
tex_plain_fits_load(const struct tex_image *image, const struct amd_tex_request *r)
{
   return !r->reference && !r->watch && !r->missing && has_small_texels(image) &&
          !(image->has_meta && image->path & (AMD_PATH_GLC | AMD_PATH_DLC));
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

bool
tex_plain_load(const struct tex_plain *plain, uint32_t result[4][AMD_TEX_LANES])
{
#if defined(__x86_64__)
   if (sim_has_avx2())
      return tex_plain_load_avx2(plain, result);
#endif
   return tex_plain_load_base(plain, result);
}
