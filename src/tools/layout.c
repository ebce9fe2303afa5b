/* indium layout: where the bytes of an AGX image lie. */
#include "tools/layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/indium.h"
#include "util/macros.h"

struct request {
   struct ail_image image;
   /* As they were given; NULL: not. */
   const char *levels, *layers, *samples, *tiling, *dimension, *stride, *at_text, *plot, *check;
   bool full_chain, json;
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
   if (!r->dimension)
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

static bool
choose_tiling(const char *text, struct request *r)
{
   int choice = parse_choice(text, tiling_names, ARRAY_SIZE(tiling_names));
   r->image.tiling = (enum ail_tiling)MAX2(choice, 0);
   return choice >= 0;
}

static bool
choose_dimension(const char *text, struct request *r)
{
   int choice = parse_choice(text, dimension_names, ARRAY_SIZE(dimension_names));
   r->image.dimension = (enum ail_dimension)MAX2(choice, 0);
   return choice >= 0;
}

static int
wrong_value(const char *option, const char *value)
{
   return usage_error("layout", "%s does not take \"%s\"", option, value);
}

/* 0, or 2 with a message. */
static int
read_values(struct request *r)
{
   r->full_chain = r->levels && !strcmp(r->levels, "full");
   r->image.force_stride = r->stride;
   const struct {
      const char *option, *text;
      uint32_t *number;
   } numbers[] = {
      {"--levels", r->full_chain ? NULL : r->levels, &r->image.levels},
      {"--layers", r->layers, &r->image.layers},
      {"--samples", r->samples, &r->image.samples},
      {"--stride", r->stride, &r->image.stride_B},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(numbers); i++) {
      if (numbers[i].text && !parse_whole_number(numbers[i].text, numbers[i].number))
         return wrong_value(numbers[i].option, numbers[i].text);
   }
   if (r->tiling && !choose_tiling(r->tiling, r))
      return wrong_value("--tiling", r->tiling);
   if (r->dimension && !choose_dimension(r->dimension, r))
      return wrong_value("--dim", r->dimension);
   if (r->at_text && !parse_at(r->at_text, &r->at))
      return wrong_value("--at", r->at_text);
   return 0;
}

static int
parse_arguments(struct request *r, char **argv)
{
   int count = parse_options(&command_layout, argv, r);
   int status = count < 0 ? 2 : read_values(r);
   if (status)
      return status;
   if (r->check)
      return usage_error("layout", "--check comes first and takes only files");
   if (count > 2)
      return usage_error("layout", "\"%s\" is too much", argv[2]);
   if (count < 2)
      return usage_error("layout", "say WIDTHxHEIGHT and FORMAT");
   if (!parse_size(argv[0], r))
      return usage_error("layout", "\"%s\" is no WIDTHxHEIGHT[xDEPTH]", argv[0]);
   r->image.format = ail_format_by_name(argv[1]);
   if (!r->image.format)
      return usage_error("layout", "no format is called \"%s\"", argv[1]);
   return 0;
}

static int
run(int argc, char **argv)
{
   if (argc > 1 && !strcmp(argv[1], "--check"))
      return argc > 2 ? layout_check(argv + 2, argc - 2) : usage_error("layout", "--check needs files");

   struct request r = {.image = {.dimension = AIL_2D, .depth_px = 1, .layers = 1, .levels = 1, .samples = 1}};
   int status = parse_arguments(&r, argv);
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
   const struct layout_at *at = r.at_text ? &r.at : NULL;
   if (at && ail_element_offset_B(&layout, at->x_el, at->y_el, at->layer, at->level, at->sample) == AIL_NONE)
      return usage_error("layout", "--at: the image has no such element, layer, level or sample");
   if (r.json)
      layout_print_json(&layout, at);
   else
      layout_print(&layout, at);
   return r.plot && !layout_plot(&layout, r.plot) ? 2 : 0;
}

#define VALUE(member) offsetof(struct request, member)

static const struct option options[] = {
   {"--levels", "N|full", VALUE(levels), "mipmap levels; 1"},
   {"--layers", "N", VALUE(layers), "array layers, a multiple of 6 for cubes; 1"},
   {"--samples", "1|2|4", VALUE(samples), "samples of a pixel; 1"},
   {"--tiling", "auto|linear|gpu|twiddled", VALUE(tiling), "the order of texels; auto"},
   {"--dim", "1d|2d|3d|cube", VALUE(dimension), "3d with DEPTH, else 2d"},
   {"--stride", "BYTES", VALUE(stride), "force the row stride of a linear image"},
   {"--compressed", NULL, VALUE(image.compressed), "with lossless compression"},
   {"--sparse", NULL, VALUE(image.sparse), "behind a sparse page table"},
   {"--writeable", NULL, VALUE(image.writeable), "shaders write it"},
   {"--renderable", NULL, VALUE(image.renderable), "it is an attachment"},
   {"--json", NULL, VALUE(json), "print JSON"},
   {"--plot", "FILE.svg|FILE.png", VALUE(plot), "draw the memory map"},
   {"--at", "X,Y,LAYER,LEVEL[,SAMPLE]", VALUE(at_text),
    "the offset of an element (a pixel or compressed block) and the steps to it"},
   {"--check", "FILE.csv...", VALUE(check), "compare rows of measured layouts with ours"},
   {0},
};

const struct command command_layout = {
   .name = "layout",
   .purpose = "where the bytes of an AGX image lie; draws it; checks measured layouts",
   .synopsis = {"WIDTHxHEIGHT[xDEPTH] FORMAT [OPTION]...", "--check FILE.csv..."},
   .text = "Prints the levels of an AGX image: offset, size, tile, row pitch, metadata. FORMAT is the name of a "
           "VkFormat.",
   .options = options,
   .run = run,
};
