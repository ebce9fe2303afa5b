/* Quads of pixels, and which samples of them are meant. */
#ifndef INDIUM_AMD_SIM_QUAD_H
#define INDIUM_AMD_SIM_QUAD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { AMD_BIN_PX = 64 }; /* side of the squares of the screen whose quads follow one another */

enum { AMD_COARSE_PIXELS = 4 }; /* at most, in one coarse pixel */

/* Pixels of a coarse pixel in each direction: 0: one, 1: two. */
struct amd_shading_rate {
   uint8_t x_log2, y_log2;
};

struct amd_quad {
   uint32_t prim;
   uint16_t x, y;     /* px of the first pixel, even */
   uint8_t cover[4];  /* samples of pixel (0,0) (1,0) (0,1) (1,1) that continue */
   uint8_t raster[4]; /* samples inside of the primitive */
   uint8_t iteration; /* of per-sample shading */
   /* Coarse: pixels above are x = 1 << x_log2 wide and y high; samples of each one's parts, the same four places. */
   struct amd_shading_rate rate;
   uint8_t part[4][AMD_COARSE_PIXELS];
};

/* How a quad's pixels lie: the first part of one, from the quad's first pixel. */
static inline unsigned
amd_quad_dx(const struct amd_quad *quad, unsigned pixel)
{
   return (pixel & 1) << quad->rate.x_log2;
}

static inline unsigned
amd_quad_dy(const struct amd_quad *quad, unsigned pixel)
{
   return pixel >> 1 << quad->rate.y_log2;
}

static inline bool
amd_quad_is_coarse(const struct amd_quad *quad)
{
   return quad->rate.x_log2 | quad->rate.y_log2;
}

/* Pixels (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1), x and y even, and which samples of each are meant. */
struct amd_pixels {
   uint32_t x, y;
   uint8_t cover[4];
};

static inline uint32_t
amd_cover_word(const uint8_t cover[4])
{
   uint32_t word;
   memcpy(&word, cover, 4);
   return word;
}

/* Samples that any of four pixels covers. */
static inline unsigned
amd_any_sample(const uint8_t cover[4])
{
   uint32_t word = amd_cover_word(cover);
   word |= word >> 16;
   return (word | word >> 8) & 0xff;
}

static inline unsigned
amd_cover_count(const uint8_t cover[4])
{
   uint32_t n = amd_cover_word(cover);
   n -= n >> 1 & 0x55555555;
   n = (n & 0x33333333) + (n >> 2 & 0x33333333);
   return ((n + (n >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/* The cover of what lies in a surface of that size. Returns whether anything is left. */
static inline bool
amd_pixels_inside(const struct amd_pixels *pixels, uint32_t width, uint32_t height, uint8_t cover[4])
{
   memcpy(cover, pixels->cover, 4);
   for (unsigned i = 0; i < 4 && (pixels->x + 1 >= width || pixels->y + 1 >= height); i++)
      cover[i] = pixels->x + (i & 1) < width && pixels->y + (i >> 1) < height ? cover[i] : 0;
   return amd_cover_word(cover);
}

/* Whether the quad's rate has part k of a coarse pixel. */
static inline bool
amd_quad_has_part(const struct amd_quad *quad, unsigned k)
{
   return (k & 1) <= quad->rate.x_log2 && k >> 1 <= quad->rate.y_log2;
}

/* All parts of a coarse pixel lie in one square of two by two: where in it. */
static inline unsigned
amd_quad_part_place(const struct amd_quad *quad, unsigned pixel, unsigned k)
{
   return ((amd_quad_dy(quad, pixel) + (k >> 1)) & 1) * 2 + ((amd_quad_dx(quad, pixel) + k) & 1);
}

static inline struct amd_pixels
amd_quad_parts(const struct amd_quad *quad, unsigned pixel)
{
   struct amd_pixels px = {
      (quad->x + amd_quad_dx(quad, pixel)) & ~1u, (quad->y + amd_quad_dy(quad, pixel)) & ~1u, {0}};
   for (unsigned k = 0; k < AMD_COARSE_PIXELS; k++)
      if (amd_quad_has_part(quad, k))
         px.cover[amd_quad_part_place(quad, pixel, k)] = quad->part[pixel][k];
   return px;
}

#endif
