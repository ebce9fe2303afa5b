#include "sim/texel/bc7.h"

#include <stdbool.h>
#include <string.h>

#include "sim/texel/bptc.h"

static const struct mode {
   uint8_t subsets, partition_bits, rotation_bits, selector_bits, color_bits, alpha_bits;
   bool own_low_bit, shared_low_bit; /* one per endpoint, one per subset */
   uint8_t index_bits, index2_bits;
} modes[8] = {{3, 4, 0, 0, 4, 0, true, false, 3, 0},  {2, 6, 0, 0, 6, 0, false, true, 3, 0},
              {3, 6, 0, 0, 5, 0, false, false, 2, 0}, {2, 6, 0, 0, 7, 0, true, false, 2, 0},
              {1, 0, 2, 1, 5, 6, false, false, 2, 3}, {1, 0, 2, 0, 7, 8, false, false, 2, 2},
              {1, 0, 0, 0, 7, 7, true, false, 4, 0},  {2, 6, 0, 0, 5, 5, true, false, 2, 0}};

/* Endpoints of all subsets: [endpoint][channel], 8 bits. */
static void
take_endpoints(struct sim_bptc_reader *r, const struct mode *m, unsigned ends[6][4])
{
   unsigned count = m->subsets * 2u, channels = m->alpha_bits ? 4 : 3;
   for (unsigned c = 0; c < channels; c++) {
      for (unsigned e = 0; e < count; e++)
         ends[e][c] = sim_bptc_take(r, c < 3 ? m->color_bits : m->alpha_bits);
   }
   bool low = m->own_low_bit || m->shared_low_bit;
   unsigned bit = 0;
   for (unsigned e = 0; e < count; e++) {
      if (m->own_low_bit || (m->shared_low_bit && e % 2 == 0))
         bit = sim_bptc_take(r, 1);
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

/* What a block says ahead of its indices. */
struct head {
   const struct mode *mode; /* NULL: reserved, all zeros */
   unsigned partition, rotation, swapped, ends[6][4];
};

static struct head
take_head(struct sim_bptc_reader *r)
{
   struct head h;
   unsigned number = (unsigned)__builtin_ctz((unsigned)r->words[0] & 0xff ? (unsigned)r->words[0] & 0xff : 0x100);
   h.mode = number > 7 ? NULL : &modes[number];
   if (!h.mode)
      return h;
   r->at = number + 1;
   h.partition = sim_bptc_take(r, h.mode->partition_bits);
   h.rotation = sim_bptc_take(r, h.mode->rotation_bits);
   h.swapped = sim_bptc_take(r, h.mode->selector_bits);
   take_endpoints(r, h.mode, h.ends);
   return h;
}

/* weight: by the first and the second index. */
static void
mix_ends(const struct head *h, unsigned texel, const unsigned weight[2], float color[4])
{
   unsigned subset = sim_bptc_subset(h->mode->subsets, h->partition, texel), value[4];
   for (unsigned c = 0; c < 4; c++) {
      unsigned w = weight[(c == 3) != (h->swapped != 0)];
      value[c] = (h->ends[subset * 2][c] * (64 - w) + h->ends[subset * 2 + 1][c] * w + 32) >> 6;
   }
   if (h->rotation) {
      unsigned alpha = value[3];
      value[3] = value[h->rotation - 1];
      value[h->rotation - 1] = alpha;
   }
   for (unsigned c = 0; c < 4; c++)
      color[c] = (float)value[c] / 255.0f;
}

void
sim_bc7_decode(const void *block, unsigned texel, float color[4])
{
   struct sim_bptc_reader r = sim_bptc_start(block);
   const struct head h = take_head(&r);
   const struct mode *m = h.mode;
   memset(color, 0, 16);
   if (!m)
      return;
   unsigned weight[2];
   weight[0] = weight[1] = sim_bptc_take_weight(&r, m->subsets, h.partition, m->index_bits, texel);
   if (m->index2_bits)
      weight[1] = sim_bptc_take_weight(&r, m->subsets, h.partition, m->index2_bits, texel);
   mix_ends(&h, texel, weight, color);
}

void
sim_bc7_decode_all(const void *block, float color[16][4])
{
   struct sim_bptc_reader r = sim_bptc_start(block);
   const struct head h = take_head(&r);
   const struct mode *m = h.mode;
   uint8_t weights[2][16];
   memset(color, 0, 16 * sizeof(*color));
   if (!m)
      return;
   sim_bptc_take_weights(&r, m->subsets, h.partition, m->index_bits, weights[0]);
   memcpy(weights[1], weights[0], 16);
   if (m->index2_bits)
      sim_bptc_take_weights(&r, m->subsets, h.partition, m->index2_bits, weights[1]);
   for (unsigned i = 0; i < 16; i++)
      mix_ends(&h, i, (const unsigned[2]){weights[0][i], weights[1][i]}, color[i]);
}
