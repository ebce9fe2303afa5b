/* indium layout: where the bytes of an AGX image lie. */
#include "tools/layout/layout.h"

#include <string.h>

#include "tools/indium.h"

struct request {
   struct layout_image image;
   const char *plot, *check; /* NULL: not given */
   bool json;
};

static int
layout_main(int argc, char **argv)
{
   if (argc > 1 && !strcmp(argv[1], "--check"))
      return argc > 2 ? layout_check(argv + 2, argc - 2) : usage_error("layout", "--check needs files");

   struct request r = {.image = LAYOUT_IMAGE};
   struct ail_layout layout;
   int count = parse_options(&command_layout, argv, &r);
   if (count < 0)
      return 2;
   if (r.check)
      return usage_error("layout", "--check comes first and takes only files");
   int status = layout_read_image("layout", &r.image, argv, count, &layout);
   if (status)
      return status;
   const struct layout_at *at = r.image.at_text ? &r.image.at : NULL;
   if (r.json)
      layout_print_json(&layout, at);
   else
      layout_print(&layout, at);
   return r.plot && !layout_plot(&layout, r.plot) ? 2 : 0;
}

#define VALUE(member) offsetof(struct request, member)

static const struct option options[] = {
   {"--levels", "N|full", VALUE(image.levels), "mipmap levels; default 1"},
   {"--layers", "N", VALUE(image.layers), "array layers, a multiple of 6 for cubes; default 1"},
   {"--samples", "1|2|4", VALUE(image.samples), "samples per pixel; default 1"},
   {"--tiling", "auto|linear|gpu|twiddled", VALUE(image.tiling), "the order of texels; default auto"},
   {"--dim", "1d|2d|3d|cube", VALUE(image.dimension), "default 3d with DEPTH, else 2d"},
   {"--stride", "BYTES", VALUE(image.stride), "force the row stride of a linear image"},
   {"--compressed", NULL, VALUE(image.image.compressed), "use lossless compression"},
   {"--sparse", NULL, VALUE(image.image.sparse), "map it by a sparse page table"},
   {"--writeable", NULL, VALUE(image.image.writeable), "usage: written by shaders"},
   {"--renderable", NULL, VALUE(image.image.renderable), "usage: attachment"},
   {"--json", NULL, VALUE(json), "print JSON"},
   {"--plot", "FILE.svg|FILE.png", VALUE(plot), "draw the memory map"},
   {"--at", "X,Y,LAYER,LEVEL[,SAMPLE]", VALUE(image.at_text),
    "print the offset of an element (a pixel or compressed block) and the steps to it"},
   {"--check", "FILE.csv...", VALUE(check), "compare rows of measured layouts with computed ones"},
   {0},
};

const struct command command_layout = {
   .name = "layout",
   .purpose = "prints the memory layout of an AGX image, draws it, checks measured layouts",
   .synopsis = {"WIDTHxHEIGHT[xDEPTH] FORMAT [OPTION]...", "--check FILE.csv..."},
   .text = "Prints the levels of an AGX image: offset, size, tile, row pitch, metadata. FORMAT is the name of a "
           "VkFormat.",
   .options = options,
   .run = layout_main,
};
