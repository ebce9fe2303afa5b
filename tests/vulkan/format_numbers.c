#include "format_numbers.h"

#include <string.h>

/* Formats with the same components follow each other. */
static const struct {
   uint16_t first, last;
   uint8_t size_B;
   uint8_t kinds, uint_at, sint_at; /* numeric kinds in turn, and which are integers; 0: none */
   uint8_t least_bits;
} ranges[] = {
   {VK_FORMAT_R4G4_UNORM_PACK8, VK_FORMAT_R4G4_UNORM_PACK8, 1, 1, 0, 0, 4},
   {VK_FORMAT_R4G4B4A4_UNORM_PACK16, VK_FORMAT_B4G4R4A4_UNORM_PACK16, 2, 1, 0, 0, 4},
   {VK_FORMAT_R5G6B5_UNORM_PACK16, VK_FORMAT_A1R5G5B5_UNORM_PACK16, 2, 1, 0, 0, 5},
   {VK_FORMAT_R8_UNORM, VK_FORMAT_R8_SRGB, 1, 7, 4, 5, 8},
   {VK_FORMAT_R8G8_UNORM, VK_FORMAT_R8G8_SRGB, 2, 7, 4, 5, 8},
   {VK_FORMAT_R8G8B8_UNORM, VK_FORMAT_R8G8B8_SRGB, 3, 7, 4, 5, 8},
   {VK_FORMAT_B8G8R8_UNORM, VK_FORMAT_B8G8R8_SRGB, 3, 7, 4, 5, 8},
   {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB, 4, 7, 4, 5, 8},
   {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB, 4, 7, 4, 5, 8},
   {VK_FORMAT_A8B8G8R8_UNORM_PACK32, VK_FORMAT_A8B8G8R8_SRGB_PACK32, 4, 7, 4, 5, 8},
   {VK_FORMAT_A2R10G10B10_UNORM_PACK32, VK_FORMAT_A2R10G10B10_SINT_PACK32, 4, 6, 4, 5, 2},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_A2B10G10R10_SINT_PACK32, 4, 6, 4, 5, 2},
   {VK_FORMAT_R16_UNORM, VK_FORMAT_R16_SFLOAT, 2, 7, 4, 5, 16},
   {VK_FORMAT_R16G16_UNORM, VK_FORMAT_R16G16_SFLOAT, 4, 7, 4, 5, 16},
   {VK_FORMAT_R16G16B16_UNORM, VK_FORMAT_R16G16B16_SFLOAT, 6, 7, 4, 5, 16},
   {VK_FORMAT_R16G16B16A16_UNORM, VK_FORMAT_R16G16B16A16_SFLOAT, 8, 7, 4, 5, 16},
   {VK_FORMAT_R32_UINT, VK_FORMAT_R32_SFLOAT, 4, 3, 3, 1, 32},
   {VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32_SFLOAT, 8, 3, 3, 1, 32},
   {VK_FORMAT_R32G32B32_UINT, VK_FORMAT_R32G32B32_SFLOAT, 12, 3, 3, 1, 32},
   {VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_R32G32B32A32_SFLOAT, 16, 3, 3, 1, 32},
   {VK_FORMAT_B10G11R11_UFLOAT_PACK32, VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, 4, 1, 0, 0, 10},
   {VK_FORMAT_D16_UNORM, VK_FORMAT_D16_UNORM, 2, 1, 0, 0, 16},
   {VK_FORMAT_X8_D24_UNORM_PACK32, VK_FORMAT_D32_SFLOAT, 4, 1, 0, 0, 16},
   {VK_FORMAT_D16_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT, 4, 1, 0, 0, 16},
   {VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_FORMAT_BC1_RGBA_SRGB_BLOCK, 8, 1, 0, 0, 8},
   {VK_FORMAT_BC2_UNORM_BLOCK, VK_FORMAT_BC3_SRGB_BLOCK, 16, 1, 0, 0, 8},
   {VK_FORMAT_BC4_UNORM_BLOCK, VK_FORMAT_BC4_SNORM_BLOCK, 8, 1, 0, 0, 8},
   {VK_FORMAT_BC5_UNORM_BLOCK, VK_FORMAT_BC7_SRGB_BLOCK, 16, 1, 0, 0, 8},
   {VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK, 8, 1, 0, 0, 8},
   {VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK, VK_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK, 16, 1, 0, 0, 8},
   {VK_FORMAT_EAC_R11_UNORM_BLOCK, VK_FORMAT_EAC_R11_SNORM_BLOCK, 8, 1, 0, 0, 8},
   {VK_FORMAT_EAC_R11G11_UNORM_BLOCK, VK_FORMAT_EAC_R11G11_SNORM_BLOCK, 16, 1, 0, 0, 8},
};

static int
range_of(VkFormat format)
{
   for (unsigned i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
      if (format >= ranges[i].first && format <= ranges[i].last)
         return (int)i;
   }
   return -1;
}

enum number_kind
number_kind(VkFormat format)
{
   int i = range_of(format);
   if (i < 0 || ranges[i].kinds == 1)
      return NUMBER_FLOAT;
   unsigned kind = ((unsigned)format - ranges[i].first) % ranges[i].kinds;
   return kind == ranges[i].uint_at % ranges[i].kinds ? NUMBER_UINT
          : kind == ranges[i].sint_at                 ? NUMBER_SINT
                                                      : NUMBER_FLOAT;
}

bool
number_is_srgb(VkFormat format)
{
   int i = range_of(format);
   return i >= 0 && ranges[i].kinds == 7 && ranges[i].least_bits == 8 && format == (VkFormat)ranges[i].last;
}

uint32_t
number_size_B(VkFormat format)
{
   int i = range_of(format);
   return i < 0 ? 0 : ranges[i].size_B;
}

float
number_step(VkFormat format)
{
   int i = range_of(format);
   unsigned bits = i < 0 ? 8 : ranges[i].least_bits;
   return bits == 2 ? 0.01f : bits < 6 ? 1.1f / (float)((1u << bits) - 1) : 0.01f;
}

/* Half and single floats by their top exponent bit, which is cleared. */
static uint32_t
cleared_bits(VkFormat format)
{
   switch ((int)format) {
   case VK_FORMAT_R16_SFLOAT:
   case VK_FORMAT_R16G16_SFLOAT:
   case VK_FORMAT_R16G16B16_SFLOAT:
   case VK_FORMAT_R16G16B16A16_SFLOAT:
      return 0x40004000;
   case VK_FORMAT_R32_SFLOAT:
   case VK_FORMAT_R32G32_SFLOAT:
   case VK_FORMAT_R32G32B32_SFLOAT:
   case VK_FORMAT_R32G32B32A32_SFLOAT:
      return 0x40000000;
   case VK_FORMAT_B10G11R11_UFLOAT_PACK32:
      return 0x80200400;
   case VK_FORMAT_E5B9G9R9_UFLOAT_PACK32:
      return 0x80000000;
   default: /* others: any bits */
      return 0;
   }
}

/* The same for a format, whatever was asked before. */
static uint32_t
next_random(uint64_t *state)
{
   *state = *state * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(*state >> 32);
}

void
number_fill(VkFormat format, void *texels, size_t size_B)
{
   uint32_t *word = texels;
   uint64_t state = (uint64_t)format;
   for (size_t i = 0; i < size_B / 4; i++)
      word[i] = next_random(&state) & ~cleared_bits(format);
}

void
number_values(VkFormat format, void *values, unsigned count)
{
   uint64_t state = (uint64_t)format;
   const int i = range_of(format);
   const bool two_bits = i >= 0 && ranges[i].least_bits == 2;
   for (unsigned k = 0; k < count * 4; k++) {
      uint32_t random = next_random(&state) >> 8, integer = random & (two_bits && k % 4 == 3 ? 1 : 127);
      float value = (float)random / 0x1p24f * 1.25f - 0.125f;
      if (number_kind(format) == NUMBER_FLOAT)
         memcpy((uint32_t *)values + k, &value, 4);
      else
         memcpy((uint32_t *)values + k, &integer, 4);
   }
}
