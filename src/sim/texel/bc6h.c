#include "sim/texel/bc6h.h"

#include <stdlib.h>

#include "sim/texel/bptc.h"
#include "sim/texel/numeric.h"

/* Fields from the lowest bit up, after the mode: channel, endpoint (w and x of the first subset, y and z of the
 * second) and bits. "9:0" begins with bit 0, "10:15" with bit 15. */
static const struct mode {
   uint8_t number, number_bits;
   uint8_t subsets, base_bits, delta_bits[3];
   bool delta; /* endpoints but the first are differences from it */
   const char *fields;
} modes[] = {
   {0x00,
    2,
    2,
    10,
    {5, 5, 5},
    true,
    "gy4 by4 bz4 rw9:0 gw9:0 bw9:0 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"},
   {0x01,
    2,
    2,
    7,
    {6, 6, 6},
    true,
    "gy5 gz4 gz5 rw6:0 bz0 bz1 by4 gw6:0 by5 bz2 gy4 bw6:0 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 "
    "rz5:0"},
   {0x02,
    5,
    2,
    11,
    {5, 4, 4},
    true,
    "rw9:0 gw9:0 bw9:0 rx4:0 rw10 gy3:0 gx3:0 gw10 bz0 gz3:0 bx3:0 bw10 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"},
   {0x06,
    5,
    2,
    11,
    {4, 5, 4},
    true,
    "rw9:0 gw9:0 bw9:0 rx3:0 rw10 gz4 gy3:0 gx4:0 gw10 gz3:0 bx3:0 bw10 bz1 by3:0 ry3:0 bz0 bz2 rz3:0 gy4 bz3"},
   {0x0a,
    5,
    2,
    11,
    {4, 4, 5},
    true,
    "rw9:0 gw9:0 bw9:0 rx3:0 rw10 by4 gy3:0 gx3:0 gw10 bz0 gz3:0 bx4:0 bw10 by3:0 ry3:0 bz1 bz2 rz3:0 bz4 bz3"},
   {0x0e,
    5,
    2,
    9,
    {5, 5, 5},
    true,
    "rw8:0 by4 gw8:0 gy4 bw8:0 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"},
   {0x12,
    5,
    2,
    8,
    {6, 5, 5},
    true,
    "rw7:0 gz4 by4 gw7:0 bz2 gy4 bw7:0 bz3 bz4 rx5:0 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry5:0 rz5:0"},
   {0x16,
    5,
    2,
    8,
    {5, 6, 5},
    true,
    "rw7:0 bz0 by4 gw7:0 gy5 gy4 bw7:0 gz5 bz4 rx4:0 gz4 gy3:0 gx5:0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"},
   {0x1a,
    5,
    2,
    8,
    {5, 5, 6},
    true,
    "rw7:0 bz1 by4 gw7:0 by5 gy4 bw7:0 bz5 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx5:0 by3:0 ry4:0 bz2 rz4:0 bz3"},
   {0x1e,
    5,
    2,
    6,
    {6, 6, 6},
    false,
    "rw5:0 gz4 bz0 bz1 by4 gw5:0 gy5 by5 bz2 gy4 bw5:0 gz5 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 "
    "rz5:0"},
   {0x03, 5, 1, 10, {10, 10, 10}, false, "rw9:0 gw9:0 bw9:0 rx9:0 gx9:0 bx9:0"},
   {0x07, 5, 1, 11, {9, 9, 9}, true, "rw9:0 gw9:0 bw9:0 rx8:0 rw10 gx8:0 gw10 bx8:0 bw10"},
   {0x0b, 5, 1, 12, {8, 8, 8}, true, "rw9:0 gw9:0 bw9:0 rx7:0 rw10:11 gx7:0 gw10:11 bx7:0 bw10:11"},
   {0x0f, 5, 1, 16, {4, 4, 4}, true, "rw9:0 gw9:0 bw9:0 rx3:0 rw10:15 gx3:0 gw10:15 bx3:0 bw10:15"},
};

/* NULL: reserved. */
static const struct mode *
find_mode(unsigned bits)
{
   for (unsigned i = 0; i < ARRAY_SIZE(modes); i++) {
      if ((bits & (unsigned)bit_mask(modes[i].number_bits)) == modes[i].number)
         return &modes[i];
   }
   return NULL;
}

static void
take_fields(struct sim_bptc_reader *r, const char *text, int ends[4][3])
{
   while (*text) {
      unsigned channel = *text == 'r' ? 0 : *text == 'g' ? 1 : 2, end = (unsigned)(text[1] - 'w');
      char *rest;
      int last = (int)strtoul(text + 2, &rest, 10), bit = last;
      if (*rest == ':')
         bit = (int)strtoul(rest + 1, &rest, 10);
      int step = bit <= last ? 1 : -1;
      for (; bit != last + step; bit += step)
         ends[end][channel] |= (int)(sim_bptc_take(r, 1) << bit);
      text = rest + (*rest == ' ');
   }
}

/* Differences become endpoints, fields of signed formats numbers. */
static void
finish_endpoints(const struct mode *m, bool is_signed, int ends[4][3])
{
   for (unsigned c = 0; c < 3; c++) {
      for (unsigned e = 0; e < 2u * m->subsets; e++) {
         if (e && m->delta)
            ends[e][c] =
               (ends[0][c] + sign_extend((uint32_t)ends[e][c], m->delta_bits[c])) & (int)bit_mask(m->base_bits);
         if (is_signed)
            ends[e][c] = sign_extend((uint32_t)ends[e][c], m->base_bits);
      }
   }
}

/* To 16 bits. */
static int
unquantize(int value, unsigned bits, bool is_signed)
{
   unsigned size = (unsigned)abs(value), magnitude_bits = bits - is_signed;
   if (bits >= (is_signed ? 16 : 15) || !value)
      return value;
   int wide = is_signed ? 0x7fff : 0xffff;
   if (size < bit_mask(magnitude_bits))
      wide = (int)(((size << 15) + 0x4000) >> (bits - 1));
   return value < 0 ? -wide : wide;
}

static float
interpolate(int a, int b, unsigned weight, bool is_signed)
{
   int value = (a * (64 - (int)weight) + b * (int)weight + 32) >> 6;
   unsigned scaled = (unsigned)abs(value) * 31 >> (is_signed ? 5 : 6);
   return sim_half_to_float((uint16_t)(value < 0 ? scaled | 0x8000 : scaled));
}

void
sim_bc6h_decode(bool is_signed, const void *block, unsigned texel, float rgb[3])
{
   struct sim_bptc_reader r = sim_bptc_start(block);
   const struct mode *m = find_mode(r.words[0] & 31);
   rgb[0] = rgb[1] = rgb[2] = 0.0f;
   if (!m)
      return;
   int ends[4][3] = {{0}};
   r.at = m->number_bits;
   take_fields(&r, m->fields, ends);
   finish_endpoints(m, is_signed, ends);
   unsigned partition = m->subsets == 2 ? sim_bptc_take(&r, 5) : 0;
   unsigned weight = sim_bptc_take_weight(&r, m->subsets, partition, m->subsets == 2 ? 3 : 4, texel);
   unsigned first = 2 * sim_bptc_subset(m->subsets, partition, texel);
   for (unsigned c = 0; c < 3; c++)
      rgb[c] = interpolate(unquantize(ends[first][c], m->base_bits, is_signed),
                           unquantize(ends[first + 1][c], m->base_bits, is_signed), weight, is_signed);
}
