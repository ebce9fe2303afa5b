/* What the GPU must draw, on the CPU: triangle after triangle, with the same integers, coverage from first
 * principles. */
#include <stdlib.h>
#include <string.h>

#include "oit.h"

#define WORDS(setup) ((setup)->kbuffer ? 1u + 2u * OIT_LAYERS : 1u)

/* Vulkan 1.3, "Standard Sample Locations": x and y of each sample in 1/16 pixel. */
static const uint8_t locations[4][8][2] = {
   {{8, 8}},
   {{12, 12}, {4, 4}},
   {{6, 2}, {14, 6}, {2, 10}, {10, 14}},
   {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}},
};

struct edge {
   int64_t a, b, c; /* a * x + b * y + c > 0 inside; = 0 counts as inside if `owned` */
   bool owned;
};

/* Edge from p to q of a triangle that runs clockwise on the screen (y down): the inside is to its right hand. */
static struct edge
edge_between(const struct oit_vertex *p, const struct oit_vertex *q)
{
   int64_t dx = (int64_t)q->x - p->x, dy = (int64_t)q->y - p->y;

   return (struct edge){
      .a = -dy, .b = dx, .c = dy * p->x - dx * p->y, .owned = (dy == 0 && dx > 0) || dy < 0, /* top or left */
   };
}

static bool
covers(const struct edge edges[3], int64_t x, int64_t y)
{
   for (unsigned i = 0; i < 3; i++) {
      int64_t value = edges[i].a * x + edges[i].b * y + edges[i].c;

      if (value < 0 || (value == 0 && !edges[i].owned))
         return false;
   }
   return true;
}

/* round(s * a / 255 + d * (255 - a) / 255) of a channel. */
static uint32_t
mix(uint32_t s, uint32_t d, uint32_t a)
{
   return (2 * (s * a + d * (255 - a)) + 255) / 510;
}

static uint32_t
over(uint32_t s, uint32_t d, uint32_t a)
{
   uint32_t result = 0;

   for (unsigned shift = 0; shift < 24; shift += 8)
      result |= mix(s >> shift & 255, d >> shift & 255, a) << shift;
   return result;
}

static void
insert(uint32_t *words, uint32_t z, uint32_t colour)
{
   unsigned place = 0;

   while (place < OIT_LAYERS && words[1 + 2 * place] <= z)
      place++;
   if (place == OIT_LAYERS) {
      words[0] = over(colour, words[0], colour >> 24);
      return;
   }
   uint32_t last = words[2 * OIT_LAYERS];
   memmove(words + 3 + 2 * place, words + 1 + 2 * place, (OIT_LAYERS - 1 - place) * 8);
   words[1 + 2 * place] = z;
   words[2 + 2 * place] = colour;
   words[0] = over(last, words[0], last >> 24);
}

static uint32_t
at_pixel(const uint32_t plane[3], uint32_t x, uint32_t y)
{
   return plane[0] + plane[1] * x + plane[2] * y;
}

static void
shade(const struct oit_setup *setup, const struct oit_vertex *paint, const struct edge edges[3], uint32_t x,
      uint32_t y, uint32_t *words)
{
   unsigned log2_samples = (unsigned)__builtin_ctz(setup->samples);
   int32_t value = (int32_t)at_pixel(paint->opacity, x, y) >> 16;
   uint32_t opacity = (uint32_t)(value < 0 ? 0 : value > 255 ? 255 : value);

   for (unsigned s = 0; s < setup->samples; s++, words += WORDS(setup)) {
      const uint8_t *at = locations[log2_samples][s];

      if (!covers(edges, (int64_t)x * 256 + at[0] * 16, (int64_t)y * 256 + at[1] * 16))
         continue;
      if (setup->kbuffer)
         insert(words, at_pixel(paint->depth, x, y), paint->colour | opacity << 24);
      else
         words[0] = over(paint->colour, words[0], opacity);
   }
}

static int32_t
clamp(int32_t value, int32_t low, int32_t high)
{
   return value < low ? low : value > high ? high : value;
}

static void
draw(const struct oit_setup *setup, const struct oit_vertex *v, uint32_t *words)
{
   int64_t area = (int64_t)(v[1].x - v[0].x) * (v[2].y - v[0].y) - (int64_t)(v[1].y - v[0].y) * (v[2].x - v[0].x);
   const struct oit_vertex *order[3] = {v, v + 1, v + 2};
   int32_t x[2] = {INT32_MAX, INT32_MIN}, y[2] = {INT32_MAX, INT32_MIN};
   struct edge edges[3];

   if (area == 0)
      return;
   if (area < 0) {
      order[1] = v + 2;
      order[2] = v + 1;
   }
   for (unsigned i = 0; i < 3; i++) {
      edges[i] = edge_between(order[i], order[(i + 1) % 3]);
      x[0] = v[i].x < x[0] ? v[i].x : x[0];
      x[1] = v[i].x > x[1] ? v[i].x : x[1];
      y[0] = v[i].y < y[0] ? v[i].y : y[0];
      y[1] = v[i].y > y[1] ? v[i].y : y[1];
   }
   int32_t right = clamp((x[1] >> 8) + 1, 0, (int32_t)setup->width), left = clamp(x[0] >> 8, 0, right);
   int32_t bottom = clamp((y[1] >> 8) + 1, 0, (int32_t)setup->height), top = clamp(y[0] >> 8, 0, bottom);
   for (int32_t py = top; py < bottom; py++) {
      for (int32_t px = left; px < right; px++) {
         size_t pixel = (size_t)py * setup->width + (size_t)px;

         shade(setup, v, edges, (uint32_t)px, (uint32_t)py, words + pixel * setup->samples * WORDS(setup));
      }
   }
}

static void
clear(const struct oit_setup *setup, uint32_t *words)
{
   for (uint32_t y = 0; y < setup->height; y++) {
      uint32_t glow = y * 48 / setup->height;
      uint32_t background = (8 + glow / 3) | (10 + glow / 2) << 8 | (24 + glow) << 16;

      for (uint32_t i = 0; i < setup->width * setup->samples; i++) {
         *words++ = background;
         for (unsigned layer = 0; setup->kbuffer && layer < OIT_LAYERS; layer++) {
            *words++ = UINT32_MAX;
            *words++ = 0;
         }
      }
   }
}

/* picture: the pixel's two words. */
static void
resolve(const struct oit_setup *setup, const uint32_t *words, uint32_t picture[2])
{
   uint32_t sums[3] = {0}, hash = 0;

   for (unsigned s = 0; s < setup->samples; s++, words += WORDS(setup)) {
      uint32_t colour = words[0];

      hash = (hash ^ colour) * 0x9e3779b1;
      for (unsigned layer = setup->kbuffer ? OIT_LAYERS : 0; layer > 0; layer--) {
         hash = (hash ^ words[2 * layer - 1]) * 0x9e3779b1;
         hash = (hash ^ words[2 * layer]) * 0x9e3779b1;
         colour = over(words[2 * layer], colour, words[2 * layer] >> 24);
      }
      for (unsigned i = 0; i < 3; i++)
         sums[i] += colour >> (8 * i) & 255;
   }
   picture[0] = 0xff000000;
   for (unsigned i = 0; i < 3; i++)
      picture[0] |= (sums[i] + setup->samples / 2) / setup->samples << (8 * i);
   picture[1] = hash;
}

uint32_t *
oit_reference(const struct oit_setup *setup, const struct oit_vertex *vertices)
{
   size_t pixels = (size_t)setup->width * setup->height, words_per_pixel = setup->samples * WORDS(setup);
   uint32_t *words = malloc(pixels * words_per_pixel * 4), *picture = malloc(pixels * 8);

   if (!words || !picture)
      abort();
   clear(setup, words);
   for (uint32_t i = 0; i < setup->triangles; i++)
      draw(setup, vertices + 3 * i, words);
   for (size_t i = 0; i < pixels; i++)
      resolve(setup, words + i * words_per_pixel, picture + 2 * i);
   free(words);
   return picture;
}
