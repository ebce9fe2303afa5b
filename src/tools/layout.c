/* indium layout: where the bytes of an AGX image lie. */
#include "tools/layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/indium.h"
#include "util/macros.h"

static const char usage[] =
   "usage: indium layout WIDTHxHEIGHT[xDEPTH] FORMAT [OPTION]...\n"
   "       indium layout --check FILE.csv...\n\n"
   "Prints the levels of an AGX image: offset, size, tile, row pitch, metadata. FORMAT is the name of a VkFormat.\n\n"
   "  --levels N|full     mipmap levels (1)\n"
   "  --layers N          array layers (1), a multiple of 6 for cubes\n"
   "  --samples N         1, 2 or 4 (1)\n"
   "  --tiling T          auto, linear, gpu or twiddled (auto)\n"
   "  --dim D             1d, 2d, 3d or cube (3d with DEPTH, else 2d)\n"
   "  --stride BYTES      force the row stride of a linear image\n"
   "  --compressed        with lossless compression\n"
   "  --sparse            behind a sparse page table\n"
   "  --writeable         shaders write it\n"
   "  --renderable        it is an attachment\n"
   "  --json              print JSON\n"
   "  --plot FILE         draw the memory map into FILE.svg or FILE.png\n"
   "  --at X,Y,LAYER,LEVEL[,SAMPLE]\n"
   "                      the offset of an element (a pixel or compressed block) and the steps to it\n"
   "  --check FILE.csv... compare rows of measured layouts with ours\n";

struct request {
   struct ail_image image;
   const char *size, *format, *plot;
   bool full_chain, has_dimension, has_at, json;
   struct layout_at at;
};

/* A decimal number up to 2^32 - 1 that ends at one of the characters of ends, or at the end of the string. */
static bool
parse_number(const char **text, const char *ends, uint32_t *value)
{
   char *end;
   errno = 0;
   if (**text < '0' || **text > '9')
      return false;
   unsigned long long number = strtoull(*text, &end, 10);
   if (errno || number > UINT32_MAX || (*end && !strchr(ends, *end)))
      return false;
   *value = (uint32_t)number;
   *text = end;
   return true;
}

static bool
parse_whole_number(const char *text, uint32_t *value)
{
   return parse_number(&text, "", value);
}

static bool
parse_size(const char *text, struct request *r)
{
   if (!parse_number(&text, "x", &r->image.width_px) || *text++ != 'x' ||
       !parse_number(&text, "x", &r->image.height_px))
      return false;
   if (!*text)
      return true;
   text++;
   if (!r->has_dimension)
      r->image.dimension = AIL_3D;
   return parse_whole_number(text, &r->image.depth_px);
}

static bool
parse_at(const char *text, struct layout_at *at)
{
   uint32_t *const fields[] = {&at->x_el, &at->y_el, &at->layer, &at->level, &at->sample};
   unsigned count = 0;
   while (count < ARRAY_SIZE(fields) && parse_number(&text, ",", fields[count])) {
      count++;
      if (!*text)
         return count >= 4;
      text++;
   }
   return false;
}

static int
parse_choice(const char *value, const char *const *names, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (!strcmp(value, names[i]))
         return (int)i;
   }
   return -1;
}

static const char *const tiling_names[] = {"auto", "linear", "twiddled", "gpu"};
static const char *const dimension_names[] = {"1d", "2d", "3d", "cube"};

const char *
layout_tiling_name(enum ail_tiling tiling)
{
   return tiling_names[tiling];
}

/* Options without a value; false when the name is none of them. */
static bool
parse_flag(struct request *r, const char *name)
{
   const struct {
      const char *name;
      bool *flag;
   } flags[] = {
      {"--compressed", &r->image.compressed}, {"--sparse", &r->image.sparse}, {"--writeable", &r->image.writeable},
      {"--renderable", &r->image.renderable}, {"--json", &r->json},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(flags); i++) {
      if (!strcmp(name, flags[i].name)) {
         *flags[i].flag = true;
         return true;
      }
   }
   return false;
}

/* 0, or 2 with a message. */
static int
parse_option(struct request *r, char **argv, int *i)
{
   enum { LEVELS, LAYERS, SAMPLES, TILING, DIM, STRIDE, PLOT, AT };
   static const char *const valued[] = {
      [LEVELS] = "--levels", [LAYERS] = "--layers", [SAMPLES] = "--samples", [TILING] = "--tiling",
      [DIM] = "--dim",       [STRIDE] = "--stride", [PLOT] = "--plot",       [AT] = "--at",
   };
   const char *value;
   unsigned option = 0;
   int choice = 0;
   bool good = true;
   while (option < ARRAY_SIZE(valued) && !option_value(valued[option], argv, i, &value))
      option++;
   if (option == ARRAY_SIZE(valued))
      return usage_error("layout", "there is no option %s", argv[*i]);
   if (!value)
      return usage_error("layout", "%s needs a value", valued[option]);
   switch (option) {
   case LEVELS:
      r->full_chain = !strcmp(value, "full");
      good = r->full_chain || parse_whole_number(value, &r->image.levels);
      break;
   case LAYERS:
      good = parse_whole_number(value, &r->image.layers);
      break;
   case SAMPLES:
      good = parse_whole_number(value, &r->image.samples);
      break;
   case TILING:
      choice = parse_choice(value, tiling_names, ARRAY_SIZE(tiling_names));
      r->image.tiling = (enum ail_tiling)MAX2(choice, 0);
      break;
   case DIM:
      choice = parse_choice(value, dimension_names, ARRAY_SIZE(dimension_names));
      r->image.dimension = (enum ail_dimension)MAX2(choice, 0);
      r->has_dimension = true;
      break;
   case STRIDE:
      good = r->image.force_stride = parse_whole_number(value, &r->image.stride_B);
      break;
   case PLOT:
      r->plot = value;
      break;
   case AT:
      good = r->has_at = parse_at(value, &r->at);
      break;
   }
   return good && choice >= 0 ? 0 : usage_error("layout", "%s does not take \"%s\"", valued[option], value);
}

static int
parse_arguments(struct request *r, int argc, char **argv)
{
   for (int i = 1; i < argc; i++) {
      if (!strcmp(argv[i], "--check"))
         return usage_error("layout", "--check comes first and takes only files");
      if (!strncmp(argv[i], "--", 2)) {
         if (parse_flag(r, argv[i]))
            continue;
         int status = parse_option(r, argv, &i);
         if (status)
            return status;
      } else if (!r->size) {
         r->size = argv[i];
      } else if (!r->format) {
         r->format = argv[i];
      } else {
         return usage_error("layout", "\"%s\" is too much", argv[i]);
      }
   }
   if (!r->size || !r->format)
      return usage_error("layout", "say WIDTHxHEIGHT and FORMAT");
   if (!parse_size(r->size, r))
      return usage_error("layout", "\"%s\" is no WIDTHxHEIGHT[xDEPTH]", r->size);
   r->image.format = ail_format_by_name(r->format);
   if (!r->image.format)
      return usage_error("layout", "no format is called \"%s\"", r->format);
   return 0;
}

int
command_layout(int argc, char **argv)
{
   if (wants_help(argc, argv)) {
      fputs(usage, stdout);
      return 0;
   }
   if (argc > 1 && !strcmp(argv[1], "--check"))
      return argc > 2 ? layout_check(argv + 2, argc - 2) : usage_error("layout", "--check needs files");

   struct request r = {.image = {.dimension = AIL_2D, .depth_px = 1, .layers = 1, .levels = 1, .samples = 1}};
   int status = parse_arguments(&r, argc, argv);
   if (status)
      return status;
   if (r.full_chain) {
      uint32_t longest = MAX2(r.image.width_px, r.image.height_px);
      if (r.image.dimension == AIL_3D)
         longest = MAX2(longest, r.image.depth_px);
      r.image.levels = longest ? log2_floor(longest) + 1 : 1;
   }
   struct ail_layout layout;
   enum ail_error error = ail_layout_init(&layout, &r.image);
   if (error)
      return usage_error("layout", "%s", ail_error_text(error));
   const struct layout_at *at = r.has_at ? &r.at : NULL;
   if (at && ail_element_offset_B(&layout, at->x_el, at->y_el, at->layer, at->level, at->sample) == AIL_NONE)
      return usage_error("layout", "--at: the image has no such element, layer, level or sample");
   if (r.json)
      layout_print_json(&layout, at);
   else
      layout_print(&layout, at);
   return r.plot && !layout_plot(&layout, r.plot) ? 2 : 0;
}
