#include "sim/bc7.h"

#include <stdbool.h>
#include <string.h>

#include "util/macros.h"

/* Bit i: subset of texel i, with two subsets. */
static const uint16_t partition_2[64] = {
   0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8,
   0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110,
   0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696,
   0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720,
   0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
};

/* Bits 2i+1:2i: subset of texel i, with three subsets. */
static const uint32_t partition_3[64] = {
   0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
   0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
   0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
   0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
   0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
   0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
   0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
   0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
};

/* The texel of each further subset whose index lacks its highest bit, one hexadecimal digit a partition. */
static const char anchor_2[] = "fffffffffffffffff282288f28228822ff6828ff28222ff66268ff22fffff22f";
static const char anchor_3b[] = "33ff83ff88666533338f336a588685ff8f356a8ff3f5ffff3f55585a5a8dfc33";
static const char anchor_3c[] = "f883ff38fffffff8f8f3f8f83f6affa8f3faa89a6f8f3668f3ffffffffff3ff8";

static const struct mode {
   uint8_t subsets, partition_bits, rotation_bits, selector_bits, color_bits, alpha_bits;
   bool own_low_bit, shared_low_bit; /* one per endpoint, one per subset */
   uint8_t index_bits, index2_bits;
} modes[8] = {
   {3, 4, 0, 0, 4, 0, true, false, 3, 0},  {2, 6, 0, 0, 6, 0, false, true, 3, 0},
   {3, 6, 0, 0, 5, 0, false, false, 2, 0}, {2, 6, 0, 0, 7, 0, true, false, 2, 0},
   {1, 0, 2, 1, 5, 6, false, false, 2, 3}, {1, 0, 2, 0, 7, 8, false, false, 2, 2},
   {1, 0, 0, 0, 7, 7, true, false, 4, 0},  {2, 6, 0, 0, 5, 5, true, false, 2, 0},
};

struct reader {
   uint64_t words[2];
   unsigned at;
};

static unsigned
take(struct reader *r, unsigned bits)
{
   unsigned value = 0;
   for (unsigned i = 0; i < bits; i++, r->at++)
      value |= (unsigned)(r->words[r->at / 64 & 1] >> (r->at % 64) & 1) << i;
   return value;
}

static unsigned
digit(char c)
{
   return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a') + 10;
}

static bool
is_anchor(const struct mode *m, unsigned partition, unsigned texel)
{
   return !texel || (m->subsets == 2 && texel == digit(anchor_2[partition])) ||
          (m->subsets == 3 && (texel == digit(anchor_3b[partition]) || texel == digit(anchor_3c[partition])));
}

/* The index of one texel out of a run of all; leaves the reader behind the run. */
static unsigned
take_index(struct reader *r, const struct mode *m, unsigned partition, unsigned bits, unsigned texel)
{
   unsigned index = 0;
   for (unsigned i = 0; i < 16; i++) {
      unsigned value = take(r, bits - is_anchor(m, partition, i));
      index = i == texel ? value : index;
   }
   return index;
}

static unsigned
weight(unsigned bits, unsigned index)
{
   static const uint8_t four[4] = {0, 21, 43, 64}, eight[8] = {0, 9, 18, 27, 37, 46, 55, 64};
   static const uint8_t sixteen[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
   return bits == 2 ? four[index] : bits == 3 ? eight[index] : sixteen[index];
}

/* Endpoints of all subsets: [endpoint][channel], 8 bits. */
static void
take_endpoints(struct reader *r, const struct mode *m, unsigned ends[6][4])
{
   unsigned count = m->subsets * 2u, channels = m->alpha_bits ? 4 : 3;
   for (unsigned c = 0; c < channels; c++) {
      for (unsigned e = 0; e < count; e++)
         ends[e][c] = take(r, c < 3 ? m->color_bits : m->alpha_bits);
   }
   bool low = m->own_low_bit || m->shared_low_bit;
   unsigned bit = 0;
   for (unsigned e = 0; e < count; e++) {
      if (m->own_low_bit || (m->shared_low_bit && e % 2 == 0))
         bit = take(r, 1);
      for (unsigned c = 0; c < 4; c++) {
         unsigned bits = (c < 3 ? m->color_bits : m->alpha_bits) + (low ? 1u : 0u);
         if (c == channels) {
            ends[e][c] = 255;
            continue;
         }
         unsigned value = low ? ends[e][c] << 1 | bit : ends[e][c];
         value <<= 8 - bits;
         ends[e][c] = value | value >> bits;
      }
   }
}

void
sim_bc7_decode(const void *block, unsigned texel, float color[4])
{
   struct reader r = {.at = 0};
   memcpy(r.words, block, 16);
   memset(color, 0, 16);
   unsigned number = (unsigned)__builtin_ctz((unsigned)r.words[0] & 0xff ? (unsigned)r.words[0] & 0xff : 0x100);
   if (number > 7)
      return;
   const struct mode *m = &modes[number];
   unsigned ends[6][4], value[4];
   r.at = number + 1;
   unsigned partition = take(&r, m->partition_bits), rotation = take(&r, m->rotation_bits),
            swapped = take(&r, m->selector_bits);
   take_endpoints(&r, m, ends);
   unsigned first = weight(m->index_bits, take_index(&r, m, partition, m->index_bits, texel)), second = first;
   if (m->index2_bits)
      second = weight(m->index2_bits, take_index(&r, m, partition, m->index2_bits, texel));
   unsigned subset = m->subsets == 1 ? 0 : m->subsets == 2 ? partition_2[partition] >> texel & 1
                                                           : partition_3[partition] >> (2 * texel) & 3;
   for (unsigned c = 0; c < 4; c++) {
      unsigned w = (c == 3) != (swapped != 0) ? second : first;
      value[c] = (ends[subset * 2][c] * (64 - w) + ends[subset * 2 + 1][c] * w + 32) >> 6;
   }
   if (rotation) {
      unsigned alpha = value[3];
      value[3] = value[rotation - 1];
      value[rotation - 1] = alpha;
   }
   for (unsigned c = 0; c < 4; c++)
      color[c] = (float)value[c] / 255.0f;
}
