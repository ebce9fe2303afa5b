/* What the GPU must draw, on the CPU: triangle after triangle, with the same integers, coverage from first
 * principles. */
#include <stdlib.h>
#include <string.h>

#include "coverage.h"
#include "oit.h"

#define WORDS(setup) ((setup)->kbuffer ? 1u + 2u * OIT_LAYERS : 1u)

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

static uint32_t
opacity_at(const struct oit_vertex *paint, uint32_t x, uint32_t y)
{
   int32_t value = (int32_t)at_pixel(paint->opacity, x, y) >> 16;

   return (uint32_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static uint32_t
colour_at(const struct oit_setup *setup, const struct oit_vertex *paint, uint32_t x, uint32_t y)
{
   uint32_t corner = paint->opacity[0], mask = OIT_TEXELS - 1;

   if (!setup->textured)
      return paint->colour;
   uint32_t texel = oit_texel((x + corner) & mask, (y + corner / OIT_TEXELS) & mask);
   return over(texel, paint->colour, texel >> 24);
}

static void
shade(const struct oit_setup *setup, const struct oit_vertex *paint, uint32_t covered, uint32_t x, uint32_t y,
      uint32_t *words)
{
   uint32_t opacity = opacity_at(paint, x, y), colour = colour_at(setup, paint, x, y);

   for (unsigned s = 0; s < setup->samples; s++, words += WORDS(setup)) {
      if (!(covered >> s & 1))
         continue;
      if (setup->kbuffer)
         insert(words, at_pixel(paint->depth, x, y), colour | opacity << 24);
      else
         words[0] = over(colour, words[0], opacity);
   }
}

/* What remains of everybody who covered the pixel, in their order. */
static uint32_t
remember(const struct oit_setup *setup, uint32_t history, const struct oit_vertex *paint, uint32_t x, uint32_t y)
{
   return (history ^ colour_at(setup, paint, x, y) ^ opacity_at(paint, x, y) << 24) * 0x9e3779b1;
}

static void
draw(const struct oit_setup *setup, const struct oit_vertex *v, uint32_t *words, uint32_t *history)
{
   const int32_t xy[3][2] = {{v[0].x, v[0].y}, {v[1].x, v[1].y}, {v[2].x, v[2].y}};
   struct coverage coverage = coverage_setup(xy, setup->width, setup->height);
   unsigned samples_log2 = (unsigned)__builtin_ctz(setup->samples);

   for (int32_t y = coverage.top; y < coverage.bottom; y++) {
      for (int32_t x = coverage.left; x < coverage.right; x++) {
         uint32_t covered = coverage_of_pixel(&coverage, samples_log2, (uint32_t)x, (uint32_t)y);
         size_t pixel = (size_t)y * setup->width + (size_t)x;

         if (!covered)
            continue;
         history[pixel] = remember(setup, history[pixel], v, (uint32_t)x, (uint32_t)y);
         shade(setup, v, covered, (uint32_t)x, (uint32_t)y, words + pixel * setup->samples * WORDS(setup));
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
resolve(const struct oit_setup *setup, const uint32_t *words, uint32_t history, uint32_t picture[2])
{
   uint32_t sums[3] = {0}, hash = setup->history ? history : 0;

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
   uint32_t *history = calloc(pixels, 4);

   if (!words || !picture || !history)
      abort();
   clear(setup, words);
   for (uint32_t i = 0; i < setup->triangles; i++)
      draw(setup, vertices + 3 * i, words, history);
   for (size_t i = 0; i < pixels; i++)
      resolve(setup, words + i * words_per_pixel, history[i], picture + 2 * i);
   free(history);
   free(words);
   return picture;
}
