#include "ycbcr_reference.h"

#include <math.h>

#define ROW(name, planes, x, y, bits) {VK_FORMAT_##name, #name, planes, x, y, bits}
const struct format ycbcr_formats[YCBCR_FORMATS] = {
   ROW(G8_B8_R8_3PLANE_420_UNORM, 3, 2, 2, 8),
   ROW(G8_B8R8_2PLANE_420_UNORM, 2, 2, 2, 8),
   ROW(G8_B8_R8_3PLANE_422_UNORM, 3, 2, 1, 8),
   ROW(G8_B8R8_2PLANE_422_UNORM, 2, 2, 1, 8),
   ROW(G8_B8_R8_3PLANE_444_UNORM, 3, 1, 1, 8),
   ROW(G8_B8R8_2PLANE_444_UNORM, 2, 1, 1, 8),
   ROW(G10X6_B10X6_R10X6_3PLANE_420_UNORM_3PACK16, 3, 2, 2, 10),
   ROW(G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16, 2, 2, 2, 10),
   ROW(G10X6_B10X6_R10X6_3PLANE_422_UNORM_3PACK16, 3, 2, 1, 10),
   ROW(G10X6_B10X6R10X6_2PLANE_422_UNORM_3PACK16, 2, 2, 1, 10),
   ROW(G10X6_B10X6_R10X6_3PLANE_444_UNORM_3PACK16, 3, 1, 1, 10),
   ROW(G10X6_B10X6R10X6_2PLANE_444_UNORM_3PACK16, 2, 1, 1, 10),
   ROW(G12X4_B12X4_R12X4_3PLANE_420_UNORM_3PACK16, 3, 2, 2, 12),
   ROW(G12X4_B12X4R12X4_2PLANE_420_UNORM_3PACK16, 2, 2, 2, 12),
   ROW(G12X4_B12X4_R12X4_3PLANE_422_UNORM_3PACK16, 3, 2, 1, 12),
   ROW(G12X4_B12X4R12X4_2PLANE_422_UNORM_3PACK16, 2, 2, 1, 12),
   ROW(G12X4_B12X4_R12X4_3PLANE_444_UNORM_3PACK16, 3, 1, 1, 12),
   ROW(G12X4_B12X4R12X4_2PLANE_444_UNORM_3PACK16, 2, 1, 1, 12),
   ROW(G16_B16_R16_3PLANE_420_UNORM, 3, 2, 2, 16),
   ROW(G16_B16R16_2PLANE_420_UNORM, 2, 2, 2, 16),
   ROW(G16_B16_R16_3PLANE_422_UNORM, 3, 2, 1, 16),
   ROW(G16_B16R16_2PLANE_422_UNORM, 2, 2, 1, 16),
   ROW(G16_B16_R16_3PLANE_444_UNORM, 3, 1, 1, 16),
   ROW(G16_B16R16_2PLANE_444_UNORM, 2, 1, 1, 16),
};

/* ---- texels ---- */

uint32_t
plane_width(const struct format *f, uint32_t plane)
{
   return plane ? SIZE_PX / f->divisor_x : SIZE_PX;
}

uint32_t
plane_height(const struct format *f, uint32_t plane)
{
   return plane ? SIZE_PX / f->divisor_y : SIZE_PX;
}

uint32_t
plane_components(const struct format *f, uint32_t plane)
{
   return plane && f->planes == 2 ? 2 : 1;
}

uint32_t
texel_B(const struct format *f, uint32_t plane)
{
   return plane_components(f, plane) * (f->bits == 8 ? 1 : 2);
}

uint32_t
layer_B(const struct format *f, uint32_t plane)
{
   return plane_width(f, plane) * plane_height(f, plane) * texel_B(f, plane);
}

VkFormat
plane_format(const struct format *f, uint32_t plane)
{
   const bool two = plane_components(f, plane) == 2;
   return f->bits == 8    ? (two ? VK_FORMAT_R8G8_UNORM : VK_FORMAT_R8_UNORM)
          : f->bits == 10 ? (two ? VK_FORMAT_R10X6G10X6_UNORM_2PACK16 : VK_FORMAT_R10X6_UNORM_PACK16)
          : f->bits == 12 ? (two ? VK_FORMAT_R12X4G12X4_UNORM_2PACK16 : VK_FORMAT_R12X4_UNORM_PACK16)
                          : (two ? VK_FORMAT_R16G16_UNORM : VK_FORMAT_R16_UNORM);
}

/* One component of a texel, from 0 to 1; coordinates are clamped to the edge. */
static double
texel(const struct planar *p, uint32_t plane, uint32_t component, int x, int y, uint32_t layer)
{
   const struct format *f = p->format;
   const int width = (int)plane_width(f, plane), height = (int)plane_height(f, plane);
   x = x < 0 ? 0 : x >= width ? width - 1 : x;
   y = y < 0 ? 0 : y >= height ? height - 1 : y;
   const uint8_t *at = p->texels[plane] + layer * layer_B(f, plane) + (uint32_t)(y * width + x) * texel_B(f, plane);
   if (f->bits == 8)
      return at[component] / 255.0;
   return ((at[2 * component] | at[2 * component + 1] << 8) >> (16 - f->bits)) / (double)((1 << f->bits) - 1);
}

void
fill_texels(struct planar *p)
{
   const struct format *f = p->format;
   for (uint32_t plane = 0; plane < f->planes; plane++) {
      const uint32_t size_B = p->layers * layer_B(f, plane);
      for (uint32_t i = 0; i < size_B; i += f->bits == 8 ? 1 : 2) {
         const uint32_t value = vkt_random_below(1u << f->bits) << (f->bits == 8 ? 0 : 16 - f->bits);
         p->texels[plane][i] = (uint8_t)value;
         if (f->bits != 8)
            p->texels[plane][i + 1] = (uint8_t)(value >> 8);
      }
   }
}

/* ---- the reference ---- */

double
filtered(const struct planar *p, const struct spot *spot, VkFilter filter)
{
   const uint32_t plane = spot->plane, component = spot->component, layer = spot->layer;
   if (filter == VK_FILTER_NEAREST)
      return texel(p, plane, component, (int)floor(spot->u), (int)floor(spot->v), layer);
   const double x = floor(spot->u - 0.5), y = floor(spot->v - 0.5), a = spot->u - 0.5 - x, b = spot->v - 0.5 - y;
   const int i = (int)x, j = (int)y;
   return (1 - a) * (1 - b) * texel(p, plane, component, i, j, layer) +
          a * (1 - b) * texel(p, plane, component, i + 1, j, layer) +
          (1 - a) * b * texel(p, plane, component, i, j + 1, layer) +
          a * b * texel(p, plane, component, i + 1, j + 1, layer);
}

/* R, G, B and A: Cr, Y', Cb, 1. s, t: normalized. */
static void
reconstruct(const struct planar *p, double s, double t, uint32_t layer, bool shifted, double out[4])
{
   const struct format *f = p->format;
   double u = s * SIZE_PX / f->divisor_x, v = t * SIZE_PX / f->divisor_y;
   if (shifted && f->divisor_x == 2 && p->info.xChromaOffset == VK_CHROMA_LOCATION_COSITED_EVEN)
      u += 0.25;
   if (shifted && f->divisor_y == 2 && p->info.yChromaOffset == VK_CHROMA_LOCATION_COSITED_EVEN)
      v += 0.25;
   const struct spot luma = {0, 0, s * SIZE_PX, t * SIZE_PX, layer}, cb = {1, 0, u, v, layer};
   const struct spot cr = {f->planes - 1, f->planes == 2, u, v, layer};
   out[0] = filtered(p, &cr, p->info.chromaFilter);
   out[1] = filtered(p, &luma, p->filter);
   out[2] = filtered(p, &cb, p->info.chromaFilter);
   out[3] = 1;
}

static double
swizzled(const double in[4], VkComponentSwizzle swizzle, unsigned own)
{
   return swizzle == VK_COMPONENT_SWIZZLE_IDENTITY ? in[own]
          : swizzle == VK_COMPONENT_SWIZZLE_ZERO   ? 0
          : swizzle == VK_COMPONENT_SWIZZLE_ONE    ? 1
                                                   : in[swizzle - VK_COMPONENT_SWIZZLE_R];
}

void
expected(const struct planar *p, const float place[4], bool shifted, double out[4])
{
   static const double weights[][2] = {[VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709] = {0.2126, 0.0722},
                                       [VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601] = {0.299, 0.114},
                                       [VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_2020] = {0.2627, 0.0593}};
   const VkComponentMapping *map = &p->info.components;
   const double n = ldexp(1, (int)p->format->bits), unit = n / 256;
   const bool narrow = p->info.ycbcrRange == VK_SAMPLER_YCBCR_RANGE_ITU_NARROW;
   double raw[4];
   reconstruct(p, place[0], place[1], (uint32_t)place[2], shifted, raw);
   out[0] = swizzled(raw, map->r, 0);
   out[1] = swizzled(raw, map->g, 1);
   out[2] = swizzled(raw, map->b, 2);
   out[3] = swizzled(raw, map->a, 3);
   if (p->info.ycbcrModel == VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY)
      return;
   const double y = narrow ? (out[1] * (n - 1) - 16 * unit) / (219 * unit) : out[1];
   const double cb = narrow ? (out[2] * (n - 1) - 128 * unit) / (224 * unit) : out[2] - n / 2 / (n - 1);
   const double cr = narrow ? (out[0] * (n - 1) - 128 * unit) / (224 * unit) : out[0] - n / 2 / (n - 1);
   out[0] = cr;
   out[1] = y;
   out[2] = cb;
   if (p->info.ycbcrModel == VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_IDENTITY)
      return;
   const double kr = weights[p->info.ycbcrModel][0], kb = weights[p->info.ycbcrModel][1], kg = 1 - kr - kb;
   out[0] = y + 2 * (1 - kr) * cr;
   out[1] = y - 2 * kb * (1 - kb) / kg * cb - 2 * kr * (1 - kr) / kg * cr;
   out[2] = y + 2 * (1 - kb) * cb;
}
