/* Bounded integers: digits of base 3 come five at a time in 8 bits, those of base 5 three at a time in 7. */
#include "sim/texel/astc_private.h"
#include "util/macros.h"

unsigned
astc_size(struct astc_range range, unsigned count)
{
   unsigned digits = range.base == 3 ? (8 * count + 4) / 5 : range.base == 5 ? (7 * count + 2) / 3 : 0;
   return count * range.bits + digits;
}

static void
base_3(unsigned t, uint8_t digit[5])
{
   unsigned c = t & 31;
   if ((t >> 2 & 7) == 7) {
      c = (t >> 5 & 7) << 2 | (t & 3);
      digit[4] = digit[3] = 2;
   } else if ((t >> 5 & 3) == 3) {
      digit[4] = 2;
      digit[3] = t >> 7 & 1;
   } else {
      digit[4] = t >> 7 & 1;
      digit[3] = t >> 5 & 3;
   }
   if ((c & 3) == 3) {
      digit[2] = 2;
      digit[1] = c >> 4 & 1;
      digit[0] = (uint8_t)((c >> 3 & 1) << 1 | (c >> 2 & ~(c >> 3) & 1));
   } else if ((c >> 2 & 3) == 3) {
      digit[2] = digit[1] = 2;
      digit[0] = c & 3;
   } else {
      digit[2] = c >> 4 & 1;
      digit[1] = c >> 2 & 3;
      digit[0] = (uint8_t)((c >> 1 & 1) << 1 | (c & ~(c >> 1) & 1));
   }
}

static void
base_5(unsigned q, uint8_t digit[3])
{
   if ((q >> 1 & 3) == 3 && !(q >> 5 & 3)) {
      unsigned low = q & 1;
      digit[2] = (uint8_t)(low << 2 | (q >> 4 & ~low & 1) << 1 | (q >> 3 & ~low & 1));
      digit[1] = digit[0] = 4;
      return;
   }
   unsigned c = q & 31;
   digit[2] = q >> 5 & 3;
   if ((q >> 1 & 3) == 3) {
      digit[2] = 4;
      c = (q >> 3 & 3) << 3 | (~(q >> 5) & 3) << 1 | (q & 1);
   }
   digit[1] = (c & 7) == 5 ? 4 : c >> 3 & 3;
   digit[0] = (c & 7) == 5 ? c >> 3 & 3 : c & 7;
}

void
astc_read(const struct astc_bits *b, unsigned low, struct astc_range range, unsigned count, uint8_t *digit,
          uint8_t *bits)
{
   /* Bits of the packed digits that stand after each number. */
   static const uint8_t after_3[5] = {2, 2, 1, 2, 1}, after_5[3] = {3, 2, 2};
   const uint8_t *after = range.base == 3 ? after_3 : after_5;
   unsigned group = range.base == 3 ? 5 : range.base == 5 ? 3 : 1, end = low + astc_size(range, count);
   for (unsigned first = 0; first < count; first += group) {
      unsigned packed = 0, shift = 0;
      uint8_t digits[5] = {0};
      for (unsigned i = 0; i < group; i++) {
         unsigned value = astc_take(b, low, range.bits);
         low += range.bits;
         if (first + i < count)
            bits[first + i] = (uint8_t)value;
         for (unsigned k = 0; range.base && k < after[i]; k++, low++)
            packed |= (low < end ? astc_take(b, low, 1) : 0) << shift++;
      }
      if (range.base == 3)
         base_3(packed, digits);
      else if (range.base == 5)
         base_5(packed, digits);
      for (unsigned i = 0; i < group && first + i < count; i++)
         digit[first + i] = digits[i];
   }
}

/* Copies of the bits from the top down. */
static unsigned
repeat(unsigned value, unsigned bits, unsigned to)
{
   unsigned result = 0;
   for (int at = (int)to - (int)bits; at > -(int)bits; at -= (int)bits)
      result |= at >= 0 ? value << at : value >> -at;
   return result;
}

/* A pattern of a range: letters are bits of the number, a the lowest; from the top. */
static unsigned
pattern(const char *letters, unsigned bits)
{
   unsigned result = 0;
   for (; *letters; letters++)
      result = result << 1 | (*letters == '0' ? 0 : bits >> (*letters - 'a') & 1);
   return result;
}

/* digit * factor + pattern, then the lowest bit turns all of it. width: of the result. */
static unsigned
mix(unsigned digit, unsigned bits, unsigned factor, const char *letters, unsigned width)
{
   unsigned all = (1u << (width + 1)) - 1, turn = bits & 1 ? all : 0;
   return (turn & 1u << (width - 1)) | ((digit * factor + pattern(letters, bits)) ^ turn) >> 2;
}

int
astc_color(struct astc_range range, unsigned digit, unsigned bits)
{
   static const struct {
      uint8_t factor;
      const char *letters;
   } of_3[] = {{0, ""},           {204, "000000000"}, {93, "b000b0bb0"}, {44, "cb000cbcb"},
               {22, "dcb000dcb"}, {11, "edcb000ed"},  {5, "fedcb000f"}},
     of_5[] = {{0, ""},           {113, "000000000"}, {54, "b0000bb00"},
               {26, "cb0000cbc"}, {13, "dcb0000dc"},  {6, "edcb0000e"}};
   if (!range.base)
      return (int)repeat(bits, range.bits, 8);
   if (range.base == 3)
      return (int)mix(digit, bits, of_3[range.bits].factor, of_3[range.bits].letters, 8);
   return (int)mix(digit, bits, of_5[range.bits].factor, of_5[range.bits].letters, 8);
}

int
astc_weight(struct astc_range range, unsigned digit, unsigned bits)
{
   static const struct {
      uint8_t factor;
      const char *letters;
   } of_3[] = {{0, ""}, {50, "0000000"}, {23, "b000b0b"}, {11, "cb000cb"}},
     of_5[] = {{0, ""}, {28, "0000000"}, {13, "b0000b0"}};
   static const uint8_t digits_3[3] = {0, 32, 63}, digits_5[5] = {0, 16, 32, 47, 63};
   unsigned w;
   if (!range.base)
      w = repeat(bits, range.bits, 6);
   else if (!range.bits)
      w = range.base == 3 ? digits_3[digit] : digits_5[digit];
   else if (range.base == 3)
      w = mix(digit, bits, of_3[range.bits].factor, of_3[range.bits].letters, 6);
   else
      w = mix(digit, bits, of_5[range.bits].factor, of_5[range.bits].letters, 6);
   return (int)(w > 32 ? w + 1 : w);
}

static int
clamp_byte(int value)
{
   return value < 0 ? 0 : value > 255 ? 255 : value;
}

static void
set(int end[4], int r, int g, int b, int a)
{
   const int color[4] = {r, g, b, a};
   for (unsigned i = 0; i < 4; i++)
      end[i] = clamp_byte(color[i]);
}

/* Red and green come as differences to blue. */
static void
contract(int end[4], int r, int g, int b, int a)
{
   set(end, (r + b) >> 1, (g + b) >> 1, b, a);
}

/* A bit of the offset belongs to the base; the offset has a sign. */
static void
transfer(int *offset, int *base)
{
   *base = *base >> 1 | (*offset & 0x80);
   *offset = (((*offset >> 1) & 0x3f) ^ 0x20) - 0x20;
}

static void
direct(const int *v, int alpha0, int alpha1, int ends[2][4])
{
   if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) {
      set(ends[0], v[0], v[2], v[4], alpha0);
      set(ends[1], v[1], v[3], v[5], alpha1);
   } else {
      contract(ends[0], v[1], v[3], v[5], alpha1);
      contract(ends[1], v[0], v[2], v[4], alpha0);
   }
}

static void
offsets(const int *values, bool has_alpha, int ends[2][4])
{
   int v[8] = {0, 0, 0, 0, 0, 0, 255, 0};
   for (unsigned i = 0; i < (has_alpha ? 8u : 6u); i++)
      v[i] = values[i];
   for (unsigned i = 0; i < (has_alpha ? 8u : 6u); i += 2)
      transfer(&v[i + 1], &v[i]);
   if (v[1] + v[3] + v[5] >= 0) {
      set(ends[0], v[0], v[2], v[4], v[6]);
      set(ends[1], v[0] + v[1], v[2] + v[3], v[4] + v[5], v[6] + v[7]);
   } else {
      contract(ends[0], v[0] + v[1], v[2] + v[3], v[4] + v[5], v[6] + v[7]);
      contract(ends[1], v[0], v[2], v[4], v[6]);
   }
}

/* Modes of luminance; false: another. */
static bool
luminance(unsigned mode, const int *values, int ends[2][4])
{
   int v[4] = {values[0], values[1], mode >= 4 ? values[2] : 255, mode >= 4 ? values[3] : 255};
   if (mode == 1) {
      int base = v[0] >> 2 | (v[1] & 0xc0), top = base + (v[1] & 0x3f);
      set(ends[0], base, base, base, 255);
      set(ends[1], top, top, top, 255);
      return true;
   }
   if (mode == 5) {
      transfer(&v[1], &v[0]);
      transfer(&v[3], &v[2]);
      v[1] += v[0];
      v[3] += v[2];
   }
   set(ends[0], v[0], v[0], v[0], v[2]);
   set(ends[1], v[1], v[1], v[1], v[3]);
   return mode == 0 || mode == 4 || mode == 5;
}

bool
astc_endpoints(unsigned mode, const int *v, int ends[2][4])
{
   switch (mode) { /* others: luminance, HDR */
   case 6:
   case 10:
      set(ends[0], v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, mode == 6 ? 255 : v[4]);
      set(ends[1], v[0], v[1], v[2], mode == 6 ? 255 : v[5]);
      return true;
   case 8:
      direct(v, 255, 255, ends);
      return true;
   case 12:
      direct(v, v[6], v[7], ends);
      return true;
   case 9:
   case 13:
      offsets(v, mode == 13, ends);
      return true;
   default: /* others: luminance, HDR */
      return mode < 6 && luminance(mode, v, ends);
   }
}
