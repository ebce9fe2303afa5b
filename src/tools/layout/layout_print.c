/* The levels of a layout as a table and as JSON, and the steps to an element. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "tools/layout/layout.h"

static const char *const dimension_titles[] = {"1D", "2D", "3D", "cube"};

/* Bytes of elements that a level of one layer shows. */
static uint64_t
used_B(const struct ail_layout *layout, const struct ail_level *level)
{
   return (uint64_t)level->width_el * level->height_el * layout->element_B;
}

static void
print_title(const struct ail_layout *layout)
{
   const struct ail_image *i = &layout->image;
   printf("%s %s %ux%u", ail_format_name(i->format), dimension_titles[i->dimension], i->width_px, i->height_px);
   if (i->dimension == AIL_3D)
      printf("x%u", i->depth_px);
   printf(", %u level%s", i->levels, i->levels == 1 ? "" : "s");
   if (layout->allocated_levels != i->levels)
      printf(" (memory for %u)", layout->allocated_levels);
   if (i->dimension != AIL_3D)
      printf(", %u layer%s", i->layers, i->layers == 1 ? "" : "s");
   printf(", %u sample%s, %s%s%s\n", i->samples, i->samples == 1 ? "" : "s", layout_tiling_name(i->tiling),
          i->compressed ? ", compressed" : "", i->sparse ? ", sparse" : "");
   printf("size %" PRIu64 " B, alignment %u B, layer stride %" PRIu64 " B%s\n", layout->size_B, layout->alignment_B,
          layout->layer_stride_B, layout->page_aligned_layers ? " (whole pages)" : "");
   printf("element %u B", layout->element_B);
   if (layout->block_width_px > 1)
      printf(", a block of %ux%u px", layout->block_width_px, layout->block_height_px);
   if (i->samples > 1)
      printf(", %u samples of %u B", i->samples, layout->block_B);
   printf("\n");
   if (i->compressed)
      printf("metadata at %" PRIu64 ", %" PRIu64 " B a layer\n", layout->metadata_offset_B,
             layout->metadata_layer_stride_B);
   if (i->sparse) {
      printf("sparse page table %" PRIu64 " B, %u folio%s a layer", layout->sparse_table_size_B,
             layout->folios_per_layer, layout->folios_per_layer == 1 ? "" : "s");
      if (layout->mip_tail_size_B)
         printf(", mip tail from level %u: %" PRIu64 " B at %" PRIu64, layout->mip_tail_first_level,
                layout->mip_tail_size_B, layout->mip_tail_offset_B);
      printf("\n");
   }
}

static void
print_level(const struct ail_layout *layout, uint32_t index)
{
   const struct ail_level *l = &layout->levels[index];
   char size[24], tile[24];
   snprintf(size, sizeof(size), "%ux%u", l->width_px, l->height_px);
   if (layout->image.tiling == AIL_TILING_LINEAR)
      snprintf(tile, sizeof(tile), "-");
   else
      snprintf(tile, sizeof(tile), "%ux%u", 1u << l->tile_width_log2_el, 1u << l->tile_height_log2_el);
   printf("%5u%c %12s %12" PRIu64 " %12" PRIu64 " %5.1f %9s %10u %12" PRIu64, index,
          index < layout->image.levels ? ' ' : '*', size, l->offset_B, l->size_B,
          l->size_B ? 100.0 * (double)used_B(layout, l) / (double)l->size_B : 0.0, tile,
          layout->image.tiling == AIL_TILING_LINEAR ? 1 : l->tiles_per_row, ail_row_pitch_B(layout, index));
   if (layout->image.compressed && l->metadata_allocated)
      printf(" %10" PRIu64 " %10" PRIu64 " %s", l->metadata_offset_B, l->metadata_size_B,
             l->compressed ? "yes" : "no");
   printf("\n");
}

/* "1011" of the low bits of value. */
static const char *
binary(uint32_t value, unsigned bits, char out[33])
{
   for (unsigned i = 0; i < bits; i++)
      out[i] = value >> (bits - 1 - i) & 1 ? '1' : '0';
   out[bits ? bits : 1] = 0;
   if (!bits)
      out[0] = '-';
   return out;
}

/* "label   formula = value", values below each other. */
static void __attribute__((format(printf, 3, 4)))
print_step(const char *label, uint64_t value, const char *formula, ...)
{
   char text[128];
   va_list args;
   va_start(args, formula);
   vsnprintf(text, sizeof(text), formula, args);
   va_end(args);
   printf("  %-12s %-68s = %12" PRIu64 "\n", label, text, value);
}

static void
print_tile_steps(const struct ail_layout *layout, const struct layout_at *at)
{
   const struct ail_level *l = &layout->levels[at->level];
   unsigned w = l->tile_width_log2_el, h = l->tile_height_log2_el;
   uint32_t tile_x = at->x_el >> w, tile_y = at->y_el >> h;
   uint32_t x = at->x_el & ((1u << w) - 1), y = at->y_el & ((1u << h) - 1);
   uint64_t tile = (uint64_t)tile_y * l->tiles_per_row + tile_x, tile_B = (uint64_t)layout->element_B << (w + h);
   uint64_t start =
      ail_element_offset_B(layout, at->x_el & ~((1u << w) - 1), at->y_el & ~((1u << h) - 1), at->layer, at->level, 0);
   uint64_t in_tile = ail_element_offset_B(layout, at->x_el, at->y_el, at->layer, at->level, 0) - start;
   char x_bits[33], y_bits[33], code[33];
   print_step("tile", tile * tile_B, "(%u, %u) of %ux%u: tile %u * %u + %u = %" PRIu64 ", * %" PRIu64 " B", tile_x,
              tile_y, 1u << w, 1u << h, tile_y, l->tiles_per_row, tile_x, tile, tile_B);
   uint32_t morton = (uint32_t)(in_tile / layout->element_B);
   print_step("in the tile", in_tile, "(%u, %u): x %s, y %s, woven %s = %u, * %u B", x, y, binary(x, w, x_bits),
              binary(y, h, y_bits), binary(morton, w + h, code), morton, layout->element_B);
}

static void
print_at(const struct ail_layout *layout, const struct layout_at *at)
{
   const struct ail_level *l = &layout->levels[at->level];
   uint64_t offset = ail_element_offset_B(layout, at->x_el, at->y_el, at->layer, at->level, at->sample);
   printf("\nelement (%u, %u), layer %u, level %u, sample %u\n", at->x_el, at->y_el, at->layer, at->level,
          at->sample);
   if (layout->block_width_px > 1)
      printf("  holds the pixels from (%u, %u) on\n", at->x_el * layout->block_width_px,
             at->y_el * layout->block_height_px);
   print_step("layer", at->layer * layout->layer_stride_B, "%u * %" PRIu64 " B", at->layer, layout->layer_stride_B);
   print_step("level", l->offset_B, "level %u", at->level);
   if (layout->image.tiling == AIL_TILING_LINEAR) {
      print_step("row", (uint64_t)at->y_el * layout->stride_B, "%u * %u B", at->y_el, layout->stride_B);
      print_step("element", (uint64_t)at->x_el * layout->element_B, "%u * %u B", at->x_el, layout->element_B);
   } else {
      print_tile_steps(layout, at);
   }
   if (layout->image.samples > 1)
      print_step("sample", (uint64_t)at->sample * layout->block_B, "%u * %u B", at->sample, layout->block_B);
   printf("  %-12s %-68s = %12" PRIu64 " (0x%" PRIx64 ")\n", "offset", "sum", offset, offset);

   uint32_t tile_px[2];
   ail_compression_tile_px(layout, &tile_px[0], &tile_px[1]);
   uint32_t x_tl = at->x_el / tile_px[0], y_tl = at->y_el / tile_px[1];
   uint64_t metadata = ail_metadata_offset_B(layout, x_tl, y_tl, at->layer, at->level);
   if (metadata != AIL_NONE)
      printf("  metadata of compression tile (%u, %u) at %" PRIu64 "\n", x_tl, y_tl, metadata);
   if (layout->image.sparse) {
      uint64_t in_layer = offset - at->layer * layout->layer_stride_B;
      printf("  page %" PRIu64 " of the layer, byte %" PRIu64 ": word %" PRIu64 " of the sparse page table\n",
             in_layer / AIL_PAGE_B, in_layer % AIL_PAGE_B,
             ail_sparse_word_index(layout, at->layer, in_layer / AIL_PAGE_B));
   }
}

void
layout_print(const struct ail_layout *layout, const struct layout_at *at)
{
   print_title(layout);
   printf("\nlevel         size     offset_B       size_B used%%   tile_el tiles/row  row_pitch_B%s\n",
          layout->image.compressed ? " metadata_B     size_B compressed" : "");
   for (uint32_t i = 0; i < layout->allocated_levels; i++)
      print_level(layout, i);
   if (layout->allocated_levels > layout->image.levels)
      printf("* reserved: the image does not show this level\n");
   if (at)
      print_at(layout, at);
}

static void
print_json_level(const struct ail_layout *layout, uint32_t index)
{
   const struct ail_level *l = &layout->levels[index];
   printf("    {\"level\": %u, \"reserved\": %s, \"width_px\": %u, \"height_px\": %u, \"width_el\": %u,"
          " \"height_el\": %u, \"offset_B\": %" PRIu64 ", \"size_B\": %" PRIu64 ", \"used_B\": %" PRIu64
          ", \"row_pitch_B\": %" PRIu64,
          index, index < layout->image.levels ? "false" : "true", l->width_px, l->height_px, l->width_el,
          l->height_el, l->offset_B, l->size_B, used_B(layout, l), ail_row_pitch_B(layout, index));
   if (layout->image.tiling != AIL_TILING_LINEAR)
      printf(", \"tile_width_el\": %u, \"tile_height_el\": %u, \"tiles_per_row\": %u", 1u << l->tile_width_log2_el,
             1u << l->tile_height_log2_el, l->tiles_per_row);
   if (l->metadata_allocated)
      printf(", \"metadata_offset_B\": %" PRIu64 ", \"metadata_size_B\": %" PRIu64 ", \"compressed\": %s",
             l->metadata_offset_B, l->metadata_size_B, l->compressed ? "true" : "false");
   printf("}%s\n", index + 1 < layout->allocated_levels ? "," : "");
}

void
layout_print_json(const struct ail_layout *layout, const struct layout_at *at)
{
   static const char *const dimensions[] = {"1d", "2d", "3d", "cube"};
   const struct ail_image *i = &layout->image;
   printf("{\n  \"format\": \"%s\", \"dimension\": \"%s\", \"tiling\": \"%s\",\n", ail_format_name(i->format),
          dimensions[i->dimension], layout_tiling_name(i->tiling));
   printf("  \"width_px\": %u, \"height_px\": %u, \"depth_px\": %u, \"layers\": %u, \"levels\": %u,"
          " \"samples\": %u,\n",
          i->width_px, i->height_px, i->depth_px, i->layers, i->levels, i->samples);
   printf("  \"compressed\": %s, \"sparse\": %s, \"writeable\": %s, \"renderable\": %s,\n",
          i->compressed ? "true" : "false", i->sparse ? "true" : "false", i->writeable ? "true" : "false",
          i->renderable ? "true" : "false");
   printf("  \"size_B\": %" PRIu64 ", \"alignment_B\": %u, \"element_B\": %u, \"layer_count\": %u,\n", layout->size_B,
          layout->alignment_B, layout->element_B, layout->layer_count);
   printf("  \"layer_stride_B\": %" PRIu64 ", \"page_aligned_layers\": %s", layout->layer_stride_B,
          layout->page_aligned_layers ? "true" : "false");
   if (i->tiling == AIL_TILING_LINEAR)
      printf(", \"stride_B\": %u", layout->stride_B);
   if (i->compressed)
      printf(",\n  \"metadata_offset_B\": %" PRIu64 ", \"metadata_layer_stride_B\": %" PRIu64,
             layout->metadata_offset_B, layout->metadata_layer_stride_B);
   if (i->sparse)
      printf(",\n  \"sparse_table_size_B\": %" PRIu64 ", \"folios_per_layer\": %u, \"mip_tail_first_level\": %u,"
             " \"mip_tail_offset_B\": %" PRIu64 ", \"mip_tail_size_B\": %" PRIu64,
             layout->sparse_table_size_B, layout->folios_per_layer, layout->mip_tail_first_level,
             layout->mip_tail_offset_B, layout->mip_tail_size_B);
   printf(",\n  \"level_layouts\": [\n");
   for (uint32_t l = 0; l < layout->allocated_levels; l++)
      print_json_level(layout, l);
   printf("  ]");
   if (at)
      printf(",\n  \"at\": {\"x_el\": %u, \"y_el\": %u, \"layer\": %u, \"level\": %u, \"sample\": %u,"
             " \"offset_B\": %" PRIu64 "}",
             at->x_el, at->y_el, at->layer, at->level, at->sample,
             ail_element_offset_B(layout, at->x_el, at->y_el, at->layer, at->level, at->sample));
   printf("\n}\n");
}
