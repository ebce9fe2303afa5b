/* What sampling returns, from the formulas of Vulkan's chapter "Image Operations" in doubles. Knows no driver. */
#ifndef IMAGE_REFERENCE_H
#define IMAGE_REFERENCE_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

enum { REF_MAX_LEVELS = 5 };

/* Texels are multiples of 1/64 below 1 that follow from the place, so that nobody has to keep them. */
struct ref_image {
   unsigned dims; /* 1 to 3: of a texel; cubes: 2 and is_cube */
   bool is_cube, is_shadow;
   int size[3];
   unsigned layers, levels; /* layers: faces too */
   bool is_array;
};

struct ref_sampler {
   VkFilter mag, min;
   VkSamplerMipmapMode mip;
   VkSamplerAddressMode address[3];
   double bias, min_lod, max_lod;
   double max_anisotropy; /* 0: not anisotropic */
   VkCompareOp compare;   /* of shadow images: the reference against a texel */
   double border;         /* of all components but alpha, which is border_alpha */
   double border_alpha;
};

/* Where and how, before projection. */
struct ref_access {
   double coord[4];             /* dimensions (cubes: 3), then the layer */
   double ddx[3], ddy[3];       /* of the coordinates, not of a projection */
   double divisor;              /* 1: no projection */
   double bias, lod, reference; /* lod: if has_lod */
   bool has_lod;
   int offset[3];
};

/* undefined: too near to a place where rounding decides,
 * or a filter or a probe across the edge of a cube's face. */
struct ref_result {
   double value[4];
   bool undefined;
};

double ref_texel(const struct ref_image *image, unsigned level, int x, int y, int z, unsigned layer,
                 unsigned channel); /* size: a texel by its coordinates */
int ref_level_size(const struct ref_image *image, unsigned level, unsigned dim);

/* The direction to a point of a face: sc, tc in [-m, m]. Derivatives too, with m their change. */
void ref_cube_direction(unsigned face, double sc, double tc, double m, double out[3]);

/* lambda before and after the sampler's clamp. */
void ref_lod(const struct ref_image *image, const struct ref_sampler *sampler, const struct ref_access *access,
             double *free_lod, double *clamped);

struct ref_result ref_sample(const struct ref_image *image, const struct ref_sampler *sampler,
                             const struct ref_access *access);

/* The four texels of a linear filter with the first offset, or the first texel of four filters, each with an offset
 * of its own; component 0 to 3, or a comparison. */
struct ref_result ref_gather(const struct ref_image *image, const struct ref_sampler *sampler,
                             const struct ref_access *access, unsigned component, bool four, const int offsets[4][2]);

#endif
