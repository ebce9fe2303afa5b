#include "random_tile.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { UNORM, SNORM, UINT, SINT, FLOAT, SRGB };

/* Channels from the lowest bit on; VK_FORMAT_UNDEFINED: words. */
static const struct layout {
   VkFormat format;
   enum kind kind;
   uint8_t bits[4];
} layouts[] = {
   {VK_FORMAT_UNDEFINED, UINT, {32}},
   {VK_FORMAT_R5G6B5_UNORM_PACK16, UNORM, {5, 6, 5}},
   {VK_FORMAT_A1R5G5B5_UNORM_PACK16, UNORM, {5, 5, 5, 1}},
   {VK_FORMAT_B4G4R4A4_UNORM_PACK16, UNORM, {4, 4, 4, 4}},
   {VK_FORMAT_R8_UNORM, UNORM, {8}},
   {VK_FORMAT_R8_SNORM, SNORM, {8}},
   {VK_FORMAT_R8_UINT, UINT, {8}},
   {VK_FORMAT_R8_SINT, SINT, {8}},
   {VK_FORMAT_R8G8_UNORM, UNORM, {8, 8}},
   {VK_FORMAT_R8G8_SNORM, SNORM, {8, 8}},
   {VK_FORMAT_R8G8_UINT, UINT, {8, 8}},
   {VK_FORMAT_R8G8_SINT, SINT, {8, 8}},
   {VK_FORMAT_R8G8B8A8_UNORM, UNORM, {8, 8, 8, 8}},
   {VK_FORMAT_R8G8B8A8_SNORM, SNORM, {8, 8, 8, 8}},
   {VK_FORMAT_R8G8B8A8_UINT, UINT, {8, 8, 8, 8}},
   {VK_FORMAT_R8G8B8A8_SINT, SINT, {8, 8, 8, 8}},
   {VK_FORMAT_R8G8B8A8_SRGB, SRGB, {8, 8, 8, 8}},
   {VK_FORMAT_B8G8R8A8_UNORM, UNORM, {8, 8, 8, 8}},
   {VK_FORMAT_B8G8R8A8_SRGB, SRGB, {8, 8, 8, 8}},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, UNORM, {10, 10, 10, 2}},
   {VK_FORMAT_A2B10G10R10_UINT_PACK32, UINT, {10, 10, 10, 2}},
   {VK_FORMAT_R16_UNORM, UNORM, {16}},
   {VK_FORMAT_R16_SNORM, SNORM, {16}},
   {VK_FORMAT_R16_UINT, UINT, {16}},
   {VK_FORMAT_R16_SINT, SINT, {16}},
   {VK_FORMAT_R16_SFLOAT, FLOAT, {16}},
   {VK_FORMAT_R16G16_UNORM, UNORM, {16, 16}},
   {VK_FORMAT_R16G16_SNORM, SNORM, {16, 16}},
   {VK_FORMAT_R16G16_UINT, UINT, {16, 16}},
   {VK_FORMAT_R16G16_SINT, SINT, {16, 16}},
   {VK_FORMAT_R16G16_SFLOAT, FLOAT, {16, 16}},
   {VK_FORMAT_R16G16B16A16_UNORM, UNORM, {16, 16, 16, 16}},
   {VK_FORMAT_R16G16B16A16_SNORM, SNORM, {16, 16, 16, 16}},
   {VK_FORMAT_R16G16B16A16_UINT, UINT, {16, 16, 16, 16}},
   {VK_FORMAT_R16G16B16A16_SINT, SINT, {16, 16, 16, 16}},
   {VK_FORMAT_R16G16B16A16_SFLOAT, FLOAT, {16, 16, 16, 16}},
   {VK_FORMAT_R32_UINT, UINT, {32}},
   {VK_FORMAT_R32_SINT, SINT, {32}},
   {VK_FORMAT_R32_SFLOAT, FLOAT, {32}},
   {VK_FORMAT_R32G32_UINT, UINT, {32, 32}},
   {VK_FORMAT_R32G32_SINT, SINT, {32, 32}},
   {VK_FORMAT_R32G32_SFLOAT, FLOAT, {32, 32}},
   {VK_FORMAT_R32G32B32A32_UINT, UINT, {32, 32, 32, 32}},
   {VK_FORMAT_R32G32B32A32_SINT, SINT, {32, 32, 32, 32}},
   {VK_FORMAT_R32G32B32A32_SFLOAT, FLOAT, {32, 32, 32, 32}},
   {VK_FORMAT_B10G11R11_UFLOAT_PACK32, FLOAT, {11, 11, 10}},
   {VK_FORMAT_D16_UNORM, UNORM, {16}},
   {VK_FORMAT_X8_D24_UNORM_PACK32, UNORM, {24}},
   {VK_FORMAT_D24_UNORM_S8_UINT, UNORM, {24}},
   {VK_FORMAT_D32_SFLOAT, FLOAT, {32}},
   {VK_FORMAT_D32_SFLOAT_S8_UINT, FLOAT, {32}},
   {VK_FORMAT_S8_UINT, UINT, {8}},
};

static FILE *file;
static bool comparing, same, pairs, verbose;
static unsigned compared, skipped;

uint32_t
rnd(struct random_tile *tile, uint32_t limit)
{
   tile->state ^= tile->state << 13;
   tile->state ^= tile->state >> 17;
   tile->state ^= tile->state << 5;
   return (uint32_t)((uint64_t)tile->state * limit >> 32);
}

bool
chance(struct random_tile *tile, uint32_t percent)
{
   return rnd(tile, 100) < percent;
}

void
say(struct random_tile *tile, const char *format, ...)
{
   const size_t length = strlen(tile->text);
   va_list args;
   va_start(args, format);
   vsnprintf(tile->text + length, sizeof(tile->text) - length, format, args);
   va_end(args);
}

bool
need(struct random_tile *tile, bool has)
{
   tile->unsupported |= !has;
   return has;
}

bool
random_format_has(struct vkx *vkx, VkFormat format, VkFormatFeatureFlags features)
{
   VkFormatProperties properties;
   vkGetPhysicalDeviceFormatProperties(vkx->physical, format, &properties);
   return !(features & ~properties.optimalTilingFeatures);
}

static const struct layout *
layout_of(VkFormat format, VkImageAspectFlags aspect)
{
   if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT)
      format = VK_FORMAT_S8_UINT;
   for (unsigned i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
      if (layouts[i].format == format)
         return &layouts[i];
   }
   fprintf(stderr, "format %d has no row in random_tile.c\n", format);
   exit(1);
}

uint32_t
texel_size_B(VkFormat format, VkImageAspectFlags aspect)
{
   const struct layout *layout = layout_of(format, aspect);
   const uint32_t bits = layout->bits[0] + layout->bits[1] + layout->bits[2] + layout->bits[3];
   return bits == 24 ? 4 : bits / 8;
}

/* Bits of a small float: 11 and 10 bits have no sign. */
static double
small_float(uint32_t code, unsigned bits)
{
   if (bits == 32) {
      float value;
      memcpy(&value, &code, 4);
      return value;
   }
   const unsigned mantissa = bits == 16 ? 10 : bits - 5;
   const int exponent = code >> mantissa & 31;
   const double fraction = (double)(code & ((1u << mantissa) - 1)) / (1u << mantissa);
   const double sign = bits == 16 && code >> 15 ? -1 : 1;
   if (exponent == 31)
      return fraction != 0 ? NAN : sign * INFINITY;
   return sign * (exponent ? ldexp(1 + fraction, exponent - 15) : ldexp(fraction, -14));
}

/* The value of a code, and the distance to the next. */
static double
decode(enum kind kind, uint32_t code, unsigned bits, double *step)
{
   const double most = ldexp(1, (int)bits - (kind == SNORM)) - 1;
   const int32_t sign = (int32_t)(code << (32 - bits)) >> (32 - bits);
   const double real = kind == FLOAT ? small_float(code, bits) : 0;
   const int mantissa = bits == 32 ? 23 : bits == 16 ? 10 : (int)bits - 5;
   *step = 0;
   switch (kind) {
   case UINT:
      return code;
   case SINT:
      return sign;
   case FLOAT:
      *step = fmax(ldexp(fabs(real), -mantissa), ldexp(1, -14 - mantissa));
      return real;
   case SNORM:
      *step = 1 / most;
      return fmax(sign / most, -1);
   case SRGB: /* far below the middle a code is worth much less than 1 / 255 */
   case UNORM:
      *step = 1 / most;
      return code / most;
   }
   return 0;
}

static bool
texel_close(const struct random_tile *tile, const struct layout *layout, const uint8_t *a, const uint8_t *b)
{
   unsigned bit = 0;
   for (unsigned i = 0; i < 4 && layout->bits[i]; bit += layout->bits[i++]) {
      uint64_t codes[2] = {0};
      const unsigned bytes = (bit % 8 + layout->bits[i] + 7) / 8;
      memcpy(&codes[0], a + bit / 8, bytes);
      memcpy(&codes[1], b + bit / 8, bytes);
      double values[2], step;
      for (unsigned j = 0; j < 2; j++) {
         const uint32_t code = codes[j] >> (bit % 8) & (UINT32_MAX >> (32 - layout->bits[i]));
         values[j] = decode(layout->kind, code, layout->bits[i], &step);
      }
      const bool whole = layout->kind == UINT || layout->kind == SINT;
      const double slack = whole ? 0 : tile->slack * (layout->kind == SRGB ? 4 : 1) + step * 1.01;
      if (!(fabs(values[0] - values[1]) <= slack) && !(isnan(values[0]) && isnan(values[1])) &&
          values[0] != values[1])
         return false;
   }
   return true;
}

static void
print_texel(const struct layout *layout, uint32_t size_B, const uint8_t *texel)
{
   printf(" ");
   for (uint32_t i = 0; i < size_B; i++)
      printf("%02x", texel[size_B - 1 - i]);
   if (layout->kind == FLOAT && layout->bits[0] == 32)
      printf(" (%g)", *(const float *)texel);
}

static void
compare(struct random_tile *tile, const char *what, const struct layout *layout, uint32_t size_B, uint32_t width,
        uint32_t count, const uint8_t *got, const uint8_t *wanted)
{
   /* size: two pictures and how they are laid out */
   uint32_t different = 0, first = 0;
   for (uint32_t i = 0; i < count; i++) {
      if (!texel_close(tile, layout, got + i * size_B, wanted + i * size_B) && !different++)
         first = i;
   }
   compared++;
   if (vkt_expect(different <= tile->pixels, "seed %u, %s: %u of %u texels differ, first (%u, %u)", tile->seed, what,
                  different, count, first % width, first / width))
      return;
   printf("  has");
   print_texel(layout, size_B, got + first * size_B);
   printf(", not");
   print_texel(layout, size_B, wanted + first * size_B);
   printf("\n  %s\n", tile->text);
   for (uint32_t i = 0; verbose && i < count; i++)
      printf("%c%s", texel_close(tile, layout, got + i * size_B, wanted + i * size_B) ? '.' : '#',
             i % width == width - 1 ? "\n" : "");
}

static void
file_transfer(bool write, void *data, size_t size_B)
{
   if ((write ? fwrite(data, 1, size_B, file) : fread(data, 1, size_B, file)) != size_B) {
      fprintf(stderr, "the file is too short or full\n");
      exit(1);
   }
}

void
tile_result(struct random_tile *tile, const char *what, VkFormat format, VkImageAspectFlags aspect, uint32_t width,
            uint32_t count, const void *texels)
{
   const struct layout *layout = layout_of(format, aspect);
   const uint32_t size_B = texel_size_B(format, aspect);
   uint32_t header[3] = {tile->seed, tile->unsupported ? 0 : count, size_B}, other[3];
   if (verbose)
      printf("seed %u %s format %d %ux%u\n", tile->seed, what, format, width, count / width);
   if (file && !comparing) {
      file_transfer(true, header, sizeof(header));
      file_transfer(true, (void *)texels, (size_t)header[1] * size_B);
   }
   if (!comparing)
      return;
   file_transfer(false, other, sizeof(other));
   uint8_t *wanted = malloc((size_t)other[1] * other[2] + 1);
   file_transfer(false, wanted, (size_t)other[1] * other[2]);
   if (!vkt_expect(other[0] == tile->seed && other[2] == size_B && (other[1] == count || !other[1]),
                   "seed %u: the file has another tile", tile->seed))
      exit(1);
   if (header[1] && other[1] && (same ? !tile->radv_fails : !tile->vague))
      compare(tile, what, layout, size_B, width, count, texels, wanted);
   else
      skipped++;
   free(wanted);
}

int
random_tiles_main(int argc, char **argv, const struct random_program *program)
{
   const uint32_t first = (uint32_t)atoi(vkx_option(argc, argv, "--seed", "1"));
   const uint32_t count = (uint32_t)atoi(vkx_option(argc, argv, "--count", "40"));
   const char *out = vkx_option(argc, argv, "-o", NULL), *against = vkx_option(argc, argv, "--against", NULL);
   for (int i = 1; i < argc; i++) {
      same |= !strcmp(argv[i], "--same");
      pairs |= !strcmp(argv[i], "--pairs");
      verbose |= !strcmp(argv[i], "--verbose");
   }
   comparing = against != NULL;
   file = out || against ? fopen(against ? against : out, against ? "rb" : "wb") : NULL;
   if (!file && (out || against)) {
      perror(against ? against : out);
      return 1;
   }
   struct vkx vkx = vkt_create(program->name);
   for (uint32_t seed = first; seed < first + count; seed++) {
      struct random_tile tile = {.slack = 1e-5f, .seed = seed, .state = seed * 2654435761u ^ 0x5bd1e995u};
      for (unsigned i = 0; i < 8; i++)
         rnd(&tile, 2);
      tile.strict = chance(&tile, 75);
      tile.vague = !tile.strict;
      program->make(&vkx, &tile);
      if (verbose)
         printf("seed %u%s%s:%s\n", seed, tile.unsupported ? " unsupported" : "", tile.vague ? " vague" : "",
                tile.text);
      fflush(stdout);
   }
   vkt_expect(!comparing || compared > skipped, "%u results compared, %u not", compared, skipped);
   printf("%u results compared, %u not\n", compared, skipped);
   if (pairs) {
      const unsigned missing = choices_missing(program->pairs, stdout);
      vkt_expect(!missing, "%u pairs of choices that no tile had", missing);
   }
   if (file)
      fclose(file);
   program->finish();
   return vkt_finish(&vkx);
}
