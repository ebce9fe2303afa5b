#include "sim/texel/etc.h"

#include <assert.h>

#include "util/macros.h"

/* A block is one big-endian number. */
static uint64_t
read_block(const uint8_t *bytes)
{
   uint64_t block = 0;
   for (unsigned i = 0; i < 8; i++)
      block = block << 8 | bytes[i];
   return block;
}

/* Bits low to low + count - 1. */
static int
extract_bits(uint64_t block, unsigned low, unsigned count)
{
   return (int)(block >> low & ((1u << count) - 1));
}

static int
clamp_byte(int value)
{
   return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* A field of so many bits, repeated until it fills a byte. */
static int
expand(int value, unsigned bits)
{
   return bits == 7 ? value << 1 | value >> 6 : value << (8 - bits) | value >> (2 * bits - 8);
}

static int
signed_3(int value)
{
   return (value ^ 4) - 4;
}

/* The 2-bit code of a texel; texels are counted column by column. */
static unsigned
code_of(uint64_t block, unsigned x, unsigned y)
{
   unsigned i = x * 4 + y;
   return (unsigned)(extract_bits(block, 16 + i, 1) << 1 | extract_bits(block, i, 1));
}

/* What a block makes of one texel: 3 bytes, or nothing (punch-through). */
struct texel {
   int rgb[3];
   bool transparent;
};

static struct texel
add_to(const int base[3], int distance)
{
   struct texel t = {{0}, false};
   for (unsigned i = 0; i < 3; i++)
      t.rgb[i] = clamp_byte(base[i] + distance);
   return t;
}

static const uint8_t distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};

/* One colour, and a line of three around another one. */
static struct texel
mode_t(uint64_t b, unsigned code)
{
   const int first[3] = {expand(extract_bits(b, 59, 2) << 2 | extract_bits(b, 56, 2), 4),
                         expand(extract_bits(b, 52, 4), 4), expand(extract_bits(b, 48, 4), 4)};
   const int second[3] = {expand(extract_bits(b, 44, 4), 4), expand(extract_bits(b, 40, 4), 4),
                          expand(extract_bits(b, 36, 4), 4)};
   int distance = distances[extract_bits(b, 34, 2) << 1 | extract_bits(b, 32, 1)];
   if (code == 0)
      return add_to(first, 0);
   return add_to(second, code == 1 ? distance : code == 2 ? 0 : -distance);
}

/* Two lines of two. */
static struct texel
mode_h(uint64_t b, unsigned code)
{
   const int r[2] = {extract_bits(b, 59, 4), extract_bits(b, 43, 4)};
   const int g[2] = {extract_bits(b, 56, 3) << 1 | extract_bits(b, 52, 1), extract_bits(b, 39, 4)};
   const int blue[2] = {extract_bits(b, 51, 1) << 3 | extract_bits(b, 47, 3), extract_bits(b, 35, 4)};
   bool is_larger = (r[0] << 8 | g[0] << 4 | blue[0]) >= (r[1] << 8 | g[1] << 4 | blue[1]);
   int distance = distances[extract_bits(b, 34, 1) << 2 | extract_bits(b, 32, 1) << 1 | is_larger];
   unsigned line = code >> 1;
   const int base[3] = {expand(r[line], 4), expand(g[line], 4), expand(blue[line], 4)};
   return add_to(base, code & 1 ? -distance : distance);
}

/* A plane through three corners. */
static struct texel
mode_planar(uint64_t b, unsigned x, unsigned y)
{
   static const uint8_t bits[3] = {6, 7, 6};
   const int origin[3] = {extract_bits(b, 57, 6), extract_bits(b, 56, 1) << 6 | extract_bits(b, 49, 6),
                          extract_bits(b, 48, 1) << 5 | extract_bits(b, 43, 2) << 3 | extract_bits(b, 39, 3)};
   const int right[3] = {extract_bits(b, 34, 5) << 1 | extract_bits(b, 32, 1), extract_bits(b, 25, 7),
                         extract_bits(b, 19, 6)};
   const int below[3] = {extract_bits(b, 13, 6), extract_bits(b, 6, 7), extract_bits(b, 0, 6)};
   struct texel t = {{0}, false};
   for (unsigned i = 0; i < 3; i++) {
      int o = expand(origin[i], bits[i]), h = expand(right[i], bits[i]), v = expand(below[i], bits[i]);
      t.rgb[i] = clamp_byte(((int)x * (h - o) + (int)y * (v - o) + 4 * o + 2) >> 2);
   }
   return t;
}

/* ETC1's two modes: each half of the block has a base colour and a table of distances. */
static struct texel
mode_halves(uint64_t b, bool differential, bool has_alpha, unsigned x, unsigned y)
{
   static const uint8_t tables[8][2] = {{2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}};
   unsigned half = extract_bits(b, 32, 1) ? y >> 1 : x >> 1, code = code_of(b, x, y);
   int base[3];
   for (unsigned i = 0; i < 3; i++) {
      if (differential)
         base[i] = expand(extract_bits(b, 59 - 8 * i, 5) + (half ? signed_3(extract_bits(b, 56 - 8 * i, 3)) : 0), 5);
      else
         base[i] = expand(extract_bits(b, (half ? 56 : 60) - 8 * i, 4), 4);
   }
   const uint8_t *table = tables[extract_bits(b, half ? 34 : 37, 3)];
   int distance = has_alpha && !(code & 1) ? 0 : table[code & 1];
   return add_to(base, code & 2 ? -distance : distance);
}

/* has_alpha: bit 33 says "no transparent texels" instead of "differential". */
static struct texel
decode_color(uint64_t b, bool has_alpha, unsigned x, unsigned y)
{
   bool flag = extract_bits(b, 33, 1), punched = has_alpha && !flag;
   unsigned code = code_of(b, x, y);
   bool out[3];
   for (unsigned i = 0; i < 3; i++) {
      int second = extract_bits(b, 59 - 8 * i, 5) + signed_3(extract_bits(b, 56 - 8 * i, 3));
      out[i] = (has_alpha || flag) && (second < 0 || second > 31);
   }
   if (!out[0] && !out[1] && out[2])
      return mode_planar(b, x, y);
   struct texel t = out[0]   ? mode_t(b, code)
                    : out[1] ? mode_h(b, code)
                             : mode_halves(b, has_alpha || flag, punched, x, y);
   if (punched && code == 2)
      t = (struct texel){{0}, true};
   return t;
}

/* A base and a multiple of one of eight distances. */
static int
eac_distance(uint64_t b, unsigned x, unsigned y)
{
   static const int8_t tables[16][8] = {
      {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
      {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
      {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
      {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
      {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
      {-3, -5, -7, -9, 2, 4, 6, 8},
   };
   return tables[extract_bits(b, 48, 4)][extract_bits(b, 45 - 3 * (x * 4 + y), 3)];
}

static float
decode_alpha(uint64_t b, unsigned x, unsigned y)
{
   return (float)clamp_byte(extract_bits(b, 56, 8) + eac_distance(b, x, y) * extract_bits(b, 52, 4)) / 255.0f;
}

static float
decode_11_bits(uint64_t b, bool is_signed, unsigned x, unsigned y)
{
   int multiplier = extract_bits(b, 52, 4), step = eac_distance(b, x, y) * (multiplier ? 8 * multiplier : 1);
   if (!is_signed) {
      int value = extract_bits(b, 56, 8) * 8 + 4 + step;
      return (float)(value < 0 ? 0 : value > 2047 ? 2047 : value) / 2047.0f;
   }
   int base = (int8_t)extract_bits(b, 56, 8), value = (base == -128 ? -127 : base) * 8 + step;
   return (float)(value < -1023 ? -1023 : value > 1023 ? 1023 : value) / 1023.0f;
}

void
sim_etc_decode(enum sim_texel_layout layout, bool is_signed, const void *block, unsigned x, unsigned y,
               float color[4])
{
   uint64_t first = read_block(block);
   if (layout == SIM_TEXEL_EAC_R || layout == SIM_TEXEL_EAC_RG) {
      color[0] = decode_11_bits(first, is_signed, x, y);
      if (layout == SIM_TEXEL_EAC_RG)
         color[1] = decode_11_bits(read_block((const uint8_t *)block + 8), is_signed, x, y);
      return;
   }
   assert(layout == SIM_TEXEL_ETC2_RGB || layout == SIM_TEXEL_ETC2_RGBA || layout == SIM_TEXEL_ETC2_PUNCH);
   if (layout == SIM_TEXEL_ETC2_RGBA)
      color[3] = decode_alpha(first, x, y);
   uint64_t colors = layout == SIM_TEXEL_ETC2_RGBA ? read_block((const uint8_t *)block + 8) : first;
   struct texel t = decode_color(colors, layout == SIM_TEXEL_ETC2_PUNCH, x, y);
   for (unsigned i = 0; i < 3; i++)
      color[i] = (float)t.rgb[i] / 255.0f;
   if (t.transparent)
      color[3] = 0.0f;
}
