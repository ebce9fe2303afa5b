/* What the test of Y'CbCr expects: formats, texels, and the conversion as the Vulkan specification's chapter "Sampler
 * Y'CbCr conversion" has it. */
#ifndef YCBCR_REFERENCE_H
#define YCBCR_REFERENCE_H

#include "vkt.h"

enum { YCBCR_FORMATS = 24, SIZE_PX = 16, MAX_LAYERS = 2, MAX_PLANES = 3 };
enum { PLANE_B = SIZE_PX * SIZE_PX * MAX_LAYERS * 4 };

struct format {
   VkFormat format;
   const char *name;
   uint32_t planes, divisor_x, divisor_y, bits;
};

extern const struct format ycbcr_formats[YCBCR_FORMATS];

/* An image, how it is sampled, and its texels: tight rows of all layers of each plane. */
struct planar {
   const struct format *format;
   VkFormatFeatureFlags features;
   VkImage image;
   VkDeviceMemory memory[MAX_PLANES]; /* one, or one a plane */
   VkImageView view;
   VkSamplerYcbcrConversion conversion;
   VkSamplerYcbcrConversionCreateInfo info;
   VkSampler sampler;
   VkFilter filter;
   uint32_t layers;
   bool linear, disjoint;
   uint8_t texels[MAX_PLANES][PLANE_B];
};

uint32_t plane_width(const struct format *f, uint32_t plane);
uint32_t plane_height(const struct format *f, uint32_t plane);
uint32_t plane_components(const struct format *f, uint32_t plane);
uint32_t texel_B(const struct format *f, uint32_t plane);
uint32_t layer_B(const struct format *f, uint32_t plane);
VkFormat plane_format(const struct format *f, uint32_t plane);

/* Random ones; padding is 0. */
void fill_texels(struct planar *p);

/* A place in a plane, in its texels. */
struct spot {
   uint32_t plane, component;
   double u, v;
   uint32_t layer;
};

double filtered(const struct planar *p, const struct spot *spot, VkFilter filter);

/* What the sampler gives at (s, t, layer). shifted: cosited chroma lies there; without a linear filter devices may
 * take it for chroma at midpoints. */
void expected(const struct planar *p, const float place[4], bool shifted, double out[4]);

#endif
