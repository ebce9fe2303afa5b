#include "sim/texel/astc.h"

#include <string.h>

#include "sim/texel/astc_private.h"
#include "util/macros.h"

/* What the first bits of a block say of its weights. */
struct grid {
   unsigned width, height;
   bool two_planes;
   struct astc_range range;
   unsigned count, size; /* weights, and their bits */
};

/* What the rest of its header says. */
struct header {
   unsigned partitions, seed;
   unsigned mode[4]; /* of the endpoints of each */
   unsigned colors;  /* bit that they begin at */
   unsigned top;     /* bit after them: planes, further modes and weights follow */
   unsigned plane;   /* component that the second plane is for */
};

/* Ranges of weights: by three bits, and one that doubles precision. */
static const struct astc_range weight_ranges[2][8] = {
   {{0, 0}, {0, 0}, {0, 1}, {3, 0}, {0, 2}, {5, 0}, {3, 1}, {0, 3}},
   {{0, 0}, {0, 0}, {5, 1}, {3, 2}, {0, 4}, {5, 2}, {3, 3}, {0, 5}},
};

/* Ranges of colours, the best first. */
static const struct astc_range color_ranges[] = {
   {0, 8}, {3, 6}, {5, 5}, {0, 7}, {3, 5}, {5, 4}, {0, 6}, {3, 4}, {5, 3},
   {0, 5}, {3, 3}, {5, 2}, {0, 4}, {3, 2}, {5, 1}, {0, 3}, {3, 1},
};

static void
grid_size(unsigned m, unsigned *width, unsigned *height)
{
   unsigned a = m >> 5 & 3, b = m >> 7 & 3;
   if (m & 3) {
      static const uint8_t b_is_width[4] = {1, 1, 0, 0};
      unsigned kind = m >> 2 & 3;
      if (kind < 3) {
         *width = b_is_width[kind] ? b + (kind ? 8 : 4) : a + 2;
         *height = b_is_width[kind] ? a + 2 : b + 8;
      } else {
         *width = b & 2 ? (b & 1) + 2 : a + 2;
         *height = b & 2 ? a + 2 : (b & 1) + 6;
      }
      return;
   }
   switch (b) {
   case 0:
      *width = 12;
      *height = a + 2;
      return;
   case 1:
      *width = a + 2;
      *height = 12;
      return;
   case 2:
      *width = a + 6;
      *height = (m >> 9 & 3) + 6;
      return;
   default: /* others: 3 */
      *width = a == 0 ? 6 : a == 1 ? 10 : 0;
      *height = a == 0 ? 10 : a == 1 ? 6 : 0;
   }
}

/* False: no block is such. */
static bool
read_grid(const struct astc_bits *b, unsigned block_w, unsigned block_h, struct grid *g)
{
   unsigned m = astc_take(b, 0, 11);
   bool is_plain = (m & 3) || (m >> 7 & 3) != 2;
   unsigned range = (m & 3 ? (m & 3) << 1 : (m >> 2 & 3) << 1) | (m >> 4 & 1);
   *g = (struct grid){.two_planes = is_plain && m >> 10 & 1};
   grid_size(m, &g->width, &g->height);
   g->range = weight_ranges[is_plain && m >> 9 & 1][range];
   g->count = g->width * g->height * (g->two_planes ? 2 : 1);
   g->size = astc_size(g->range, g->count);
   return range >= 2 && g->width && g->width <= block_w && g->height <= block_h && g->count <= 64 && g->size >= 24 &&
          g->size <= 96;
}

static void
read_modes(const struct astc_bits *b, struct header *h)
{
   unsigned select = astc_take(b, 23, 2), extra = 0, count = 3 * h->partitions - 4;
   if (!select) {
      for (unsigned i = 0; i < 4; i++)
         h->mode[i] = astc_take(b, 25, 4);
      return;
   }
   h->top -= count;
   extra = astc_take(b, 25, 4) | astc_take(b, h->top, count) << 4;
   for (unsigned i = 0; i < h->partitions; i++) {
      unsigned top = select - 1 + (extra >> i & 1), low = extra >> (h->partitions + 2 * i) & 3;
      h->mode[i] = top << 2 | low;
   }
}

static bool
read_header(const struct astc_bits *b, const struct grid *g, struct header *h)
{
   h->partitions = astc_take(b, 11, 2) + 1;
   h->seed = 0;
   h->colors = 17;
   h->mode[0] = astc_take(b, 13, 4);
   h->top = 128 - g->size;
   if (h->partitions > 1) {
      h->seed = astc_take(b, 13, 10);
      h->colors = 29;
      read_modes(b, h);
   }
   h->plane = 4;
   if (g->two_planes) {
      h->top -= 2;
      h->plane = astc_take(b, h->top, 2);
   }
   return !(g->two_planes && h->partitions == 4) && h->top > h->colors;
}

/* The two ends of one partition; false: none. */
static bool
read_ends(const struct astc_bits *b, const struct header *h, unsigned partition, int ends[2][4])
{
   unsigned count = 0, first = 0;
   for (unsigned i = 0; i < h->partitions; i++) {
      first = i == partition ? count : first;
      count += (h->mode[i] / 4 + 1) * 2;
   }
   if (count > 18)
      return false;
   for (unsigned i = 0; i < ARRAY_SIZE(color_ranges); i++) {
      if (astc_size(color_ranges[i], count) > h->top - h->colors)
         continue;
      uint8_t digit[18], bits[18];
      int values[8];
      astc_read(b, h->colors, color_ranges[i], count, digit, bits);
      for (unsigned k = 0; k < (h->mode[partition] / 4 + 1) * 2; k++)
         values[k] = astc_color(color_ranges[i], digit[first + k], bits[first + k]);
      return astc_endpoints(h->mode[partition], values, ends);
   }
   return false;
}

static uint32_t
hash(uint32_t p)
{
   p ^= p >> 15;
   p -= p << 17;
   p += p << 7;
   p += p << 4;
   p ^= p >> 5;
   p += p << 16;
   p ^= p >> 7;
   p ^= p >> 3;
   p ^= p << 6;
   return p ^ p >> 17;
}

static unsigned
partition_of(const struct header *h, unsigned x, unsigned y, bool is_small)
{
   if (h->partitions == 1)
      return 0;
   x <<= is_small;
   y <<= is_small;
   unsigned seed = h->seed + (h->partitions - 1) * 1024;
   uint32_t number = hash(seed), s[8];
   unsigned shift[2] = {seed & 2 ? 4 : 5, h->partitions == 3 ? 6 : 5};
   if (!(seed & 1)) {
      unsigned first = shift[0];
      shift[0] = shift[1];
      shift[1] = first;
   }
   for (unsigned i = 0; i < 8; i++) {
      uint32_t digit = number >> (4 * i) & 15;
      s[i] = digit * digit >> shift[i & 1];
   }
   unsigned best = 0, largest = 0;
   for (unsigned i = 0; i < h->partitions; i++) {
      unsigned value = (s[2 * i] * x + s[2 * i + 1] * y + (number >> (14 - 4 * i))) & 63;
      if (i == 0 || value > largest) {
         best = i;
         largest = value;
      }
   }
   return best;
}

/* Weight of a texel between those of the grid around it. */
static int
weight_at(const struct grid *g, const int *weights, unsigned plane, unsigned block_w, unsigned block_h, unsigned x,
          unsigned y)
{
   /* size: a texel by its coordinates */
   unsigned scale_x = (1024 + block_w / 2) / (block_w - 1), scale_y = (1024 + block_h / 2) / (block_h - 1);
   unsigned gx = (scale_x * x * (g->width - 1) + 32) >> 6, gy = (scale_y * y * (g->height - 1) + 32) >> 6;
   unsigned fx = gx & 15, fy = gy & 15, both = (fx * fy + 8) >> 4;
   const unsigned parts[4] = {16 - fx - fy + both, fx - both, fy - both, both};
   unsigned sum = 8, planes = g->two_planes ? 2 : 1;
   for (unsigned i = 0; i < 4; i++) {
      unsigned index = (gx >> 4) + (i & 1) + ((gy >> 4) + (i >> 1)) * g->width;
      if (parts[i])
         sum += parts[i] * (unsigned)weights[index * planes + plane];
   }
   return (int)(sum >> 4);
}

static void
read_weights(const struct astc_bits *b, const struct grid *g, int weights[64])
{
   /* They come from the top bit down. */
   struct astc_bits turned = {{0}};
   for (unsigned i = 0; i < 128; i++)
      turned.word[i / 64] |= (uint64_t)astc_take(b, 127 - i, 1) << i % 64;
   uint8_t digit[64], bits[64];
   astc_read(&turned, 0, g->range, g->count, digit, bits);
   for (unsigned i = 0; i < g->count; i++)
      weights[i] = astc_weight(g->range, digit[i], bits[i]);
}

/* 16 bits, of which sRGB takes the upper half. */
static float
component(unsigned value, bool srgb)
{
   return srgb ? (float)(value >> 8) / 255.0f : value == 65535 ? 1.0f : (float)value / 65536.0f;
}

static bool
decode(const struct astc_bits *b, unsigned width, unsigned height, bool srgb, unsigned x, unsigned y, float color[4])
{
   /* size: a texel by its coordinates */
   struct grid g;
   struct header h;
   int ends[2][4], weights[64];
   if (!read_grid(b, width, height, &g) || !read_header(b, &g, &h) ||
       !read_ends(b, &h, partition_of(&h, x, y, width * height < 31), ends))
      return false;
   read_weights(b, &g, weights);
   for (unsigned c = 0; c < 4; c++) {
      int weight = weight_at(&g, weights, c == h.plane, width, height, x, y), low = srgb ? 0x80 : 0, wide[2];
      for (unsigned i = 0; i < 2; i++)
         wide[i] = ends[i][c] << 8 | (srgb ? low : ends[i][c]);
      color[c] = component((unsigned)(wide[0] * (64 - weight) + wide[1] * weight + 32) >> 6, srgb);
   }
   return true;
}

/* A block of one colour; the rectangle it names must be one, or all ones. */
static bool
is_one_color(const struct astc_bits *b)
{
   unsigned edge[4], ones = 0;
   for (unsigned i = 0; i < 4; i++) {
      edge[i] = astc_take(b, 12 + 13 * i, 13);
      ones += edge[i] == 0x1fff;
   }
   return astc_take(b, 0, 12) == 0xdfc && (ones == 4 || (edge[0] < edge[1] && edge[2] < edge[3]));
}

void
sim_astc_decode(const void *block, unsigned width, unsigned height, bool srgb, unsigned x, unsigned y, float color[4])
{
   struct astc_bits b;
   memcpy(&b, block, sizeof(b));
   if (is_one_color(&b)) {
      for (unsigned c = 0; c < 4; c++)
         color[c] = component(astc_take(&b, 64 + 16 * c, 16), srgb);
      return;
   }
   if (!decode(&b, width, height, srgb, x, y, color)) {
      color[0] = color[2] = color[3] = 1.0f;
      color[1] = 0.0f;
   }
}
