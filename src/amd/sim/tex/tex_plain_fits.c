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

/* Whether metadata and caches find the same in any order. */
static bool
has_any_order(const struct tex_image *image)
{
   return !(image->has_meta && image->path & (AMD_PATH_GLC | AMD_PATH_DLC));
}

/* Whether the instruction sees the image as it is. */
static bool
has_own_dim(const struct tex_image *image, const struct amd_tex_request *r)
{
   switch (tex_image_kind(image)) {
   case SIM_IMAGE_CUBE:
      return r->dim == TEX_DIM_CUBE && image->desc.width_px == image->desc.height_px;
   case SIM_IMAGE_3D:
      return r->dim == TEX_DIM_3D && r->kind == AMD_TEX_SAMPLE;
   case SIM_IMAGE_1D:
      return tex_is_1d(r->dim) || r->dim == TEX_DIM_2D || r->dim == TEX_DIM_2D_ARRAY;
   case SIM_IMAGE_2D:
      break;
   }
   return r->dim == TEX_DIM_2D || r->dim == TEX_DIM_2D_ARRAY;
}

bool
tex_plain_fits(const struct tex_image *image, const struct tex_sampler *sampler, const struct amd_tex_request *r)
{
   const struct sim_sampler *s = &sampler->filter;
   const bool is_kind = r->kind == AMD_TEX_SAMPLE || r->kind == AMD_TEX_GATHER4;
   const bool is_wrapped = is_plain_wrap(s->wrap[0]) && is_plain_wrap(s->wrap[1]) && is_plain_wrap(s->wrap[2]);
   return is_kind && !r->reference && !r->watch && !r->missing && is_wrapped && s->weights && has_own_dim(image, r) &&
          (s->reduction == SIM_REDUCTION_BLEND || !image->is_int) && !(image->has_meta && image->compressed) &&
          !image->fmask_samples_log2 && has_any_order(image) && has_small_texels(image);
}

/* Loads that evict lines do so lane by lane, and metadata has its place between them. */
bool
tex_plain_fits_load(const struct tex_image *image, const struct amd_tex_request *r)
{
   return !r->reference && !r->watch && !r->missing && has_small_texels(image) && has_any_order(image);
}

bool
tex_plain_ignores_lod(const struct tex_image *image, const struct tex_sampler *sampler,
                      const struct amd_tex_request *r)
{
   const struct sim_sampler *s = &sampler->filter;
   if (r->kind == AMD_TEX_GATHER4)
      return image->base_level == image->last_level;
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
