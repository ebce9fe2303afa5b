/* indium format NAME...: what an image format holds. */
#include <stdio.h>

#include "tools/indium.h"
#include "util/format.h"

static const char *const numerics[] = {
   [FORMAT_VOID] = "void",       [FORMAT_UNORM] = "unorm", [FORMAT_SNORM] = "snorm", [FORMAT_USCALED] = "uscaled",
   [FORMAT_SSCALED] = "sscaled", [FORMAT_UINT] = "uint",   [FORMAT_SINT] = "sint",   [FORMAT_UFLOAT] = "ufloat",
   [FORMAT_SFLOAT] = "sfloat",   [FORMAT_SRGB] = "srgb",   [FORMAT_FIXED] = "fixed"};

static void
print_format(const struct format_info *info)
{
   printf("%s value %u, block %u B of %ux%u texels", info->name, info->format, info->block_size_B,
          info->block_width_el, info->block_height_el);
   if (info->compression)
      printf(", compressed %s", info->compression);
   if (info->packed_bits)
      printf(", packed in %u bits", info->packed_bits);
   if (info->planes > 1)
      printf(", %u planes", info->planes);
   printf("\n");
   for (unsigned i = 0; i < info->component_count; i++) {
      const struct format_component *c = &info->components[i];
      printf("   %c %-7s", "RGBADS"[c->name], numerics[c->numeric]);
      if (c->bits)
         printf(" %2u bits @%u", c->bits, c->shift);
      printf("\n");
   }
}

static int
format_main(int argc, char **argv)
{
   int count = parse_options(&command_format, argv, NULL);
   if (count <= 0)
      return count ? 2 : usage_error("format", "name a format");
   for (int i = 0; i < count; i++) {
      if (!format_by_name(argv[i]))
         return usage_error("format", "no format is called \"%s\"", argv[i]);
   }
   for (int i = 0; i < count; i++)
      print_format(format_by_name(argv[i]));
   return 0;
}

const struct command command_format = {
   .name = "format",
   .purpose = "prints the layout of an image format",
   .synopsis = {"NAME..."},
   .text = "Prints value, block, planes and components (name, numeric type, bits, @lowest bit) of each format. "
           "NAME is a VkFormat with or without VK_FORMAT_.",
   .run = format_main,
};
