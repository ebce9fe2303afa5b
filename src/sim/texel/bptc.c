#include "sim/texel/bptc.h"

#include <stdbool.h>
#include <string.h>

/* Bit i: subset of texel i, with two subsets. */
static const uint16_t partition_2[64] = {
   0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8,
   0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110,
   0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696,
   0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720,
   0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22};

/* Bits 2i+1:2i: subset of texel i, with three subsets. */
static const uint32_t partition_3[64] = {
   0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
   0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
   0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
   0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
   0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
   0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
   0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
   0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254};

/* The texel of each further subset whose index lacks its highest bit, one hexadecimal digit a partition. */
static const char anchor_2[] = "fffffffffffffffff282288f28228822ff6828ff28222ff66268ff22fffff22f";
static const char anchor_3b[] = "33ff83ff88666533338f336a588685ff8f356a8ff3f5ffff3f55585a5a8dfc33";
static const char anchor_3c[] = "f883ff38fffffff8f8f3f8f83f6affa8f3faa89a6f8f3668f3ffffffffff3ff8";

struct sim_bptc_reader
sim_bptc_start(const void *block)
{
   struct sim_bptc_reader r = {.at = 0};
   memcpy(r.words, block, 16);
   return r;
}

unsigned
sim_bptc_take(struct sim_bptc_reader *r, unsigned bits)
{
   unsigned value = 0;
   for (unsigned i = 0; i < bits; i++, r->at++)
      value |= (unsigned)(r->words[r->at / 64 & 1] >> (r->at % 64) & 1) << i;
   return value;
}

unsigned
sim_bptc_subset(unsigned subsets, unsigned partition, unsigned texel)
{
   return subsets == 1   ? 0
          : subsets == 2 ? partition_2[partition] >> texel & 1
                         : partition_3[partition] >> (2 * texel) & 3;
}

static unsigned
digit(char c)
{
   return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a') + 10;
}

static bool
is_anchor(unsigned subsets, unsigned partition, unsigned texel)
{
   return !texel || (subsets == 2 && texel == digit(anchor_2[partition])) ||
          (subsets == 3 && (texel == digit(anchor_3b[partition]) || texel == digit(anchor_3c[partition])));
}

void
sim_bptc_take_weights(struct sim_bptc_reader *r, unsigned subsets, unsigned partition, unsigned bits,
                      uint8_t weights[16])
{
   static const uint8_t four[4] = {0, 21, 43, 64}, eight[8] = {0, 9, 18, 27, 37, 46, 55, 64};
   static const uint8_t sixteen[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
   for (unsigned i = 0; i < 16; i++) {
      unsigned index = sim_bptc_take(r, bits - is_anchor(subsets, partition, i));
      weights[i] = bits == 2 ? four[index] : bits == 3 ? eight[index] : sixteen[index];
   }
}

unsigned
sim_bptc_take_weight(struct sim_bptc_reader *r, unsigned subsets, unsigned partition, unsigned bits, unsigned texel)
{
   uint8_t weights[16];
   sim_bptc_take_weights(r, subsets, partition, bits, weights);
   return weights[texel];
}
