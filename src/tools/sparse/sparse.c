/* indium sparse: the page table of an AGX image. */
#include "tools/sparse/sparse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/indium.h"
#include "tools/layout/layout.h"
#include "util/macros.h"

struct request {
   struct layout_image image;
   const char *table, *plot; /* NULL: not given */
};

static void
print_title(const struct ail_layout *layout)
{
   const struct ail_image *i = &layout->image;
   printf("%s %ux%u", ail_format_name(i->format), i->width_px, i->height_px);
   if (i->dimension == AIL_3D)
      printf("x%u", i->depth_px);
   printf(", %u level%s, %u layer%s, %u sample%s, %s\n", i->levels, i->levels == 1 ? "" : "s", layout->layer_count,
          layout->layer_count == 1 ? "" : "s", i->samples, i->samples == 1 ? "" : "s", layout_tiling_name(i->tiling));
   printf("a layer: %u pages of 16384 B, in %u folio%s of 256; the table: %" PRIu64 " B, half of it counters\n",
          sparse_pages_per_layer(layout), layout->folios_per_layer, layout->folios_per_layer == 1 ? "" : "s",
          layout->sparse_table_size_B);
}

/* Pages of a layer's word from first to last, of which `bound` have memory. */
static void
print_row(const char *what, uint32_t level, uint64_t first, uint64_t last, const char *tiles)
{
   printf("%-6s %5u   %6" PRIu64 " to %-6" PRIu64 "   %s\n", what, level, first, last, tiles);
}

static void
print_levels(const struct ail_layout *layout)
{
   unsigned area_log2 = 14 - log2_floor(layout->element_B);
   uint32_t w = 1u << (area_log2 + 1) / 2, h = 1u << area_log2 / 2;
   printf("       level   pages              tile of a page: %ux%u el\n", w, h);
   for (uint32_t i = 0; i < layout->image.levels; i++) {
      const struct ail_level *l = &layout->levels[i];
      char tiles[40];
      bool in_tail = i >= layout->mip_tail_first_level;
      snprintf(tiles, sizeof(tiles), "%ux%u", (uint32_t)div_round_up(l->width_el, w),
               (uint32_t)div_round_up(l->height_el, h));
      print_row(in_tail ? "tail" : "", i, l->offset_B / AIL_PAGE_B,
                (l->offset_B + MAX2(l->size_B, 1u) - 1) / AIL_PAGE_B, in_tail ? "" : tiles);
   }
}

/* One line for each folio: its pages, '#' bound, '.' absent. */
static void
print_table(const struct ail_layout *layout, const uint32_t *words)
{
   uint32_t pages = sparse_pages_per_layer(layout);
   for (uint32_t layer = 0; layer < layout->layer_count; layer++) {
      for (uint32_t folio = 0; folio < layout->folios_per_layer; folio++) {
         const uint32_t *at = words + ((uint64_t)layer * layout->folios_per_layer + folio) * AIL_FOLIO_WORDS;
         uint32_t count = MIN2(pages - folio * AIL_FOLIO_PAGES, AIL_FOLIO_PAGES), bound = 0;
         uint64_t reads = 0;
         printf("layer %u, folio %u:", layer, folio);
         for (uint32_t i = 0; i < count; i++) {
            bound += ail_sparse_unpack(at[i], NULL);
            reads += at[AIL_FOLIO_PAGES + i];
            printf("%s%c", i % 64 ? "" : "\n  ", ail_sparse_unpack(at[i], NULL) ? '#' : '.');
         }
         printf("\n  %u of %u pages have memory, counters: %" PRIu64 "\n", bound, count, reads);
      }
   }
}

static void
print_walk(const struct ail_layout *layout, const uint32_t *words, const struct layout_at *at)
{
   uint64_t offset_B = ail_element_offset_B(layout, at->x_el, at->y_el, at->layer, at->level, at->sample) -
                       at->layer * layout->layer_stride_B;
   uint64_t page = offset_B / AIL_PAGE_B, va;
   printf("element (%u, %u) of level %u, layer %u: byte %" PRIu64 " of the layer, page %" PRIu64 "\n", at->x_el,
          at->y_el, at->level, at->layer, offset_B, page);
   printf("  folio %" PRIu64 ", word %" PRIu64 " of the table\n",
          at->layer * (uint64_t)layout->folios_per_layer + page / AIL_FOLIO_PAGES,
          ail_sparse_word_index(layout, at->layer, page));
   if (!words)
      return;
   if (ail_sparse_walk(layout, words, at->layer, offset_B, &va))
      printf("  no memory\n");
   else
      printf("  address 0x%010" PRIx64 "\n", va);
}

static int
sparse_main(int argc, char **argv)
{
   struct request r = {.image = LAYOUT_IMAGE};
   struct ail_layout layout;
   uint32_t *words = NULL;
   r.image.image.sparse = true;
   int count = parse_options(&command_sparse, argv, &r);
   int status = count < 0 ? 2 : layout_read_image("sparse", &r.image, argv, count, &layout);
   if (status)
      return status;
   if (r.table && !(words = sparse_read_table(&layout, r.table)))
      return 2;
   print_title(&layout);
   print_levels(&layout);
   if (words) {
      print_table(&layout, words);
      status = sparse_check_table(&layout, words) ? 1 : 0;
   }
   if (r.image.at_text)
      print_walk(&layout, words, &r.image.at);
   if (r.plot && !sparse_plot(&layout, words, r.plot))
      status = 2;
   free(words);
   return status;
}

#define VALUE(member) offsetof(struct request, member)

static const struct option options[] = {
   {"--levels", "N|full", VALUE(image.levels), "mipmap levels; default 1"},
   {"--layers", "N", VALUE(image.layers), "array layers, a multiple of 6 for cubes; default 1"},
   {"--samples", "1|2|4", VALUE(image.samples), "samples per pixel; default 1"},
   {"--tiling", "auto|gpu|twiddled", VALUE(image.tiling), "the order of texels; default auto, which is twiddled"},
   {"--dim", "1d|2d|3d|cube", VALUE(image.dimension), "default 3d with DEPTH, else 2d"},
   {"--table", "FILE", VALUE(table),
    "read the words of a table in hex (WORD*COUNT for repeated ones); print which pages have memory, and what is "
    "wrong with the table"},
   {"--plot", "FILE.svg|FILE.png", VALUE(plot), "draw folios and pages"},
   {"--at", "X,Y,LAYER,LEVEL[,SAMPLE]", VALUE(image.at_text),
    "print the walk to an element (a pixel or compressed block)"},
   {0},
};

const struct command command_sparse = {
   .name = "sparse",
   .purpose = "prints the page table of a sparse AGX image: folios, pages, what a table contains; draws it",
   .synopsis = {"WIDTHxHEIGHT[xDEPTH] FORMAT [OPTION]..."},
   .text = "Prints which pages of a layer contain which level, and the folios that describe them. Status 1: the "
           "table has words that no driver writes.",
   .options = options,
   .run = sparse_main,
};
