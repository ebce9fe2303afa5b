#include "attribute_formats.h"

#include <math.h>
#include <string.h>

const struct attribute_family attribute_families[ATTRIBUTE_FAMILIES] = {
   {VK_FORMAT_R8_UNORM, "usUSiI", 1, {8}, false, false},
   {VK_FORMAT_R8G8_UNORM, "usUSiI", 2, {8, 8}, false, false},
   {VK_FORMAT_R8G8B8_UNORM, "usUSiI", 3, {8, 8, 8}, false, false},
   {VK_FORMAT_B8G8R8_UNORM, "usUSiI", 3, {8, 8, 8}, false, true},
   {VK_FORMAT_R8G8B8A8_UNORM, "usUSiI", 4, {8, 8, 8, 8}, false, false},
   {VK_FORMAT_B8G8R8A8_UNORM, "usUSiI", 4, {8, 8, 8, 8}, false, true},
   {VK_FORMAT_A8B8G8R8_UNORM_PACK32, "usUSiI", 4, {8, 8, 8, 8}, true, false},
   {VK_FORMAT_A2R10G10B10_UNORM_PACK32, "usUSiI", 4, {10, 10, 10, 2}, true, true},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, "usUSiI", 4, {10, 10, 10, 2}, true, false},
   {VK_FORMAT_R16_UNORM, "usUSiIf", 1, {16}, false, false},
   {VK_FORMAT_R16G16_UNORM, "usUSiIf", 2, {16, 16}, false, false},
   {VK_FORMAT_R16G16B16_UNORM, "usUSiIf", 3, {16, 16, 16}, false, false},
   {VK_FORMAT_R16G16B16A16_UNORM, "usUSiIf", 4, {16, 16, 16, 16}, false, false},
   {VK_FORMAT_R32_UINT, "iIf", 1, {32}, false, false},
   {VK_FORMAT_R32G32_UINT, "iIf", 2, {32, 32}, false, false},
   {VK_FORMAT_R32G32B32_UINT, "iIf", 3, {32, 32, 32}, false, false},
   {VK_FORMAT_R32G32B32A32_UINT, "iIf", 4, {32, 32, 32, 32}, false, false},
};

/* What a shader sees of a component, as bits. */
static uint32_t
decode(char kind, uint32_t field, uint32_t bits)
{
   int32_t value = (int32_t)(field << (32 - bits)) >> (32 - bits);
   double top = kind == 's' ? (double)((1ull << (bits - 1)) - 1) : (double)((1ull << bits) - 1);
   float f = 0;
   uint32_t out;
   switch (kind) {
   case 'u':
      f = (float)(field / top);
      break;
   case 's':
      f = (float)(value / top < -1 ? -1 : value / top);
      break;
   case 'U':
      f = (float)field;
      break;
   case 'S':
      f = (float)value;
      break;
   case 'f':
      if (bits == 32)
         return field;
      f = ldexpf(1 + (float)(field & 0x3ff) / 1024, (int)(field >> 10 & 31) - 15); /* normal and positive */
      break;
   default:
      return kind == 'i' ? field : (uint32_t)value;
   }
   memcpy(&out, &f, 4);
   return out;
}

void
attribute_expected(const struct attribute_family *format, char kind, const uint8_t *data, uint32_t expected[4])
{
   const float one = 1;
   uint32_t shift = 0;
   memset(expected, 0, 16);
   expected[3] = 1;
   if (kind != 'i' && kind != 'I')
      memcpy(&expected[3], &one, 4);
   for (uint32_t c = 0; c < format->components; c++) {
      uint32_t bits = format->bits[c], to = format->bgra && c < 3 ? 2 - c : c;
      uint64_t word = 0;
      memcpy(&word, data + shift / 8, 5 > 16 - shift / 8 ? 16 - shift / 8 : 5);
      expected[to] = decode(kind, (uint32_t)(word >> shift % 8 & ((1ull << bits) - 1)), bits);
      shift += bits;
   }
}

bool
attribute_is_close(char kind, uint32_t a, uint32_t b)
{
   float fa, fb;
   memcpy(&fa, &a, 4);
   memcpy(&fb, &b, 4);
   return a == b || ((kind == 'u' || kind == 's') && fabsf(fa - fb) < 2e-7f);
}

uint32_t
attribute_size_B(const struct attribute_family *family)
{
   uint32_t bits = 0;
   for (uint32_t c = 0; c < family->components; c++)
      bits += family->bits[c];
   return bits / 8;
}
