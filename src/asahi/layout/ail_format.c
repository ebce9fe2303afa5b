/* The formats of AGX: names and channels codes. */
#include <stdio.h>
#include <string.h>

#include "asahi/layout/ail_internal.h"
#include "util/format_enum.h"

/* Names that drivers use and Vulkan does not. */
static const struct {
   const char *name;
   uint32_t format;
} pipe_names[] = {
   {"Z16_UNORM", FORMAT_D16_UNORM},
   {"Z32_FLOAT", FORMAT_D32_SFLOAT},
   {"ETC1_RGB8", FORMAT_ETC2_R8G8B8_UNORM_BLOCK},
   {"ETC2_RGB8", FORMAT_ETC2_R8G8B8_UNORM_BLOCK},
   {"ETC2_SRGB8", FORMAT_ETC2_R8G8B8_SRGB_BLOCK},
   {"ETC2_RGB8A1", FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK},
   {"ETC2_SRGB8A1", FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK},
   {"ETC2_RGBA8", FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK},
   {"ETC2_SRGBA8", FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK},
   {"ETC2_R11_UNORM", FORMAT_EAC_R11_UNORM_BLOCK},
   {"ETC2_R11_SNORM", FORMAT_EAC_R11_SNORM_BLOCK},
   {"ETC2_RG11_UNORM", FORMAT_EAC_R11G11_UNORM_BLOCK},
   {"ETC2_RG11_SNORM", FORMAT_EAC_R11G11_SNORM_BLOCK},
   {"DXT1_RGB", FORMAT_BC1_RGB_UNORM_BLOCK},
   {"DXT1_SRGB", FORMAT_BC1_RGB_SRGB_BLOCK},
   {"DXT1_RGBA", FORMAT_BC1_RGBA_UNORM_BLOCK},
   {"DXT1_SRGBA", FORMAT_BC1_RGBA_SRGB_BLOCK},
   {"DXT3_RGBA", FORMAT_BC2_UNORM_BLOCK},
   {"DXT3_SRGBA", FORMAT_BC2_SRGB_BLOCK},
   {"DXT5_RGBA", FORMAT_BC3_UNORM_BLOCK},
   {"DXT5_SRGBA", FORMAT_BC3_SRGB_BLOCK},
   {"RGTC1_UNORM", FORMAT_BC4_UNORM_BLOCK},
   {"RGTC1_SNORM", FORMAT_BC4_SNORM_BLOCK},
   {"RGTC2_UNORM", FORMAT_BC5_UNORM_BLOCK},
   {"RGTC2_SNORM", FORMAT_BC5_SNORM_BLOCK},
   {"BPTC_RGB_FLOAT", FORMAT_BC6H_SFLOAT_BLOCK},
   {"BPTC_RGB_UFLOAT", FORMAT_BC6H_UFLOAT_BLOCK},
   {"BPTC_RGBA_UNORM", FORMAT_BC7_UNORM_BLOCK},
   {"BPTC_SRGBA", FORMAT_BC7_SRGB_BLOCK},
   {"R10G10B10A2_UNORM", FORMAT_A2B10G10R10_UNORM_PACK32},
   {"R10G10B10A2_UINT", FORMAT_A2B10G10R10_UINT_PACK32},
   {"B10G10R10A2_UNORM", FORMAT_A2R10G10B10_UNORM_PACK32},
   {"R11G11B10_FLOAT", FORMAT_B10G11R11_UFLOAT_PACK32},
   {"R9G9B9E5_FLOAT", FORMAT_E5B9G9R9_UFLOAT_PACK32},
   {"B5G6R5_UNORM", FORMAT_R5G6B5_UNORM_PACK16},
   {"R5G6B5_UNORM", FORMAT_B5G6R5_UNORM_PACK16},
   {"B5G5R5A1_UNORM", FORMAT_A1R5G5B5_UNORM_PACK16},
   {"A1R5G5B5_UNORM", FORMAT_B5G5R5A1_UNORM_PACK16},
   {"B4G4R4A4_UNORM", FORMAT_A4R4G4B4_UNORM_PACK16},
   {"R4G4B4A4_UNORM", FORMAT_A4B4G4R4_UNORM_PACK16},
};

/* Channels codes by the bits of the components, lowest first; the order of the channels is a swizzle, not a code.
 * Observed in descriptors that Metal writes. 0x0e has alpha in the highest bit: reported, Mesa's table of formats
 * names it R5G5B5A1 and uses it so; that 0x0d has it in the lowest bit is assumed. */
static const struct {
   uint8_t bits[4];
   uint8_t code;
} channels[] = {{{8}, 0x00},          {{16}, 0x09},         {{8, 8}, 0x0a},           {{5, 6, 5}, 0x0b},
                {{4, 4, 4, 4}, 0x0c}, {{1, 5, 5, 5}, 0x0d}, {{5, 5, 5, 1}, 0x0e},     {{32}, 0x21},
                {{16, 16}, 0x23},     {{11, 11, 10}, 0x25}, {{10, 10, 10, 2}, 0x26},  {{9, 9, 9}, 0x27},
                {{8, 8, 8, 8}, 0x28}, {{32, 32}, 0x31},     {{16, 16, 16, 16}, 0x32}, {{32, 32, 32, 32}, 0x38}};

/* Block formats: the code of the first VkFormat of a run and how many VkFormat values share or step it. */
static const struct {
   uint32_t first, last;
   uint8_t code, formats_per_code;
} blocks[] = {
   {FORMAT_BC1_RGB_UNORM_BLOCK, FORMAT_BC1_RGBA_SRGB_BLOCK, 0x74, 4},
   {FORMAT_BC2_UNORM_BLOCK, FORMAT_BC5_SNORM_BLOCK, 0x75, 2},
   {FORMAT_BC6H_SFLOAT_BLOCK, FORMAT_BC6H_SFLOAT_BLOCK, 0x79, 1},
   {FORMAT_BC6H_UFLOAT_BLOCK, FORMAT_BC6H_UFLOAT_BLOCK, 0x7a, 1},
   {FORMAT_BC7_UNORM_BLOCK, FORMAT_BC7_SRGB_BLOCK, 0x7b, 2},
   {FORMAT_ETC2_R8G8B8_UNORM_BLOCK, FORMAT_ETC2_R8G8B8_SRGB_BLOCK, 0x58, 2},
   {FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK, FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK, 0x5a, 2},
   {FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK, FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK, 0x59, 2},
   {FORMAT_EAC_R11_UNORM_BLOCK, FORMAT_EAC_R11G11_SNORM_BLOCK, 0x5b, 2},
   {FORMAT_ASTC_4x4_UNORM_BLOCK, FORMAT_ASTC_12x12_SRGB_BLOCK, 0x60, 2},
   {FORMAT_ASTC_4x4_SFLOAT_BLOCK, FORMAT_ASTC_12x12_SFLOAT_BLOCK, 0x60, 1},
};

uint32_t
ail_format_by_name(const char *name)
{
   if (!name)
      return 0;
   for (unsigned i = 0; i < ARRAY_SIZE(pipe_names); i++) {
      if (!strcmp(name, pipe_names[i].name))
         return pipe_names[i].format;
   }
   const struct format_info *info = format_by_name(name);
   if (info)
      return info->format;
   /* R16_FLOAT is R16_SFLOAT; ASTC_4x4 is ASTC_4x4_UNORM_BLOCK, ASTC_4x4_SRGB is ASTC_4x4_SRGB_BLOCK. */
   char vulkan[64];
   size_t length = strlen(name);
   if (length + 16 > sizeof(vulkan))
      return 0;
   if (length > 6 && !strcmp(name + length - 6, "_FLOAT"))
      snprintf(vulkan, sizeof(vulkan), "%.*s_SFLOAT", (int)length - 6, name);
   else if (!strncmp(name, "ASTC_", 5) || !strncmp(name, "BC", 2))
      snprintf(vulkan, sizeof(vulkan), "%s%s", name,
               strstr(name, "_SRGB") || strstr(name, "NORM") ? "_BLOCK" : "_UNORM_BLOCK");
   else
      return 0;
   info = format_by_name(vulkan);
   return info ? info->format : 0;
}

const char *
ail_format_name(uint32_t format)
{
   const struct format_info *info = format_info(format);
   return info ? info->name : NULL;
}

/* AGX has no scaled and no fixed-point numbers, only UNORM in 16-bit words and no SNORM with 10 bits (observed:
 * Honeykrisp samples all others). */
static bool
has_numeric(const struct format_info *info)
{
   unsigned numeric = info->components[0].numeric, bits = info->components[0].bits;
   if (numeric == FORMAT_USCALED || numeric == FORMAT_SSCALED || numeric == FORMAT_FIXED)
      return false;
   if (info->packed_bits == 32 && bits == 10)
      return numeric != FORMAT_SNORM;
   return info->packed_bits != 16 || numeric == FORMAT_UNORM;
}

int
ail_format_channels(uint32_t format)
{
   const struct format_info *info = format_info(format);
   if (!info)
      return -1;
   for (unsigned i = 0; i < ARRAY_SIZE(blocks); i++) {
      if (format >= blocks[i].first && format <= blocks[i].last)
         return (int)(blocks[i].code + (format - blocks[i].first) / blocks[i].formats_per_code);
   }
   if (info->compression || info->planes > 1 || info->block_width_el > 1 || !has_numeric(info))
      return -1;
   for (unsigned i = 0; i < ARRAY_SIZE(channels); i++) {
      bool same = true;
      unsigned total = 0;
      for (unsigned c = 0; c < 4; c++) {
         unsigned bits = c < info->component_count ? info->components[c].bits : 0;
         same = same && bits == channels[i].bits[c];
         total += bits;
      }
      /* R10X6 and the like have padding bits, the shared exponent of E5B9G9R9 is none. */
      if (same && (total == info->block_size_B * 8u || total == 27))
         return channels[i].code;
   }
   return -1;
}
