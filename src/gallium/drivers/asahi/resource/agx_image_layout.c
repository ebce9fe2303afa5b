#include "gallium/drivers/asahi/resource/agx_image_layout.h"

#include <stdio.h>

#include "asahi/hw/hw_modifiers.h"
#include "gallium/drivers/asahi/base/agx_debug.h"
#include "gallium/drivers/asahi/resource/agx_format.h"
#include "util/format.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/mutant.h"
#include "util/open_output.h"

/* ---- the choice ---- */

/* The compressor looks at channels: views of other ones would see something else. */
static bool
views_have_its_channels(const struct pipe_image_desc *desc)
{
   if (!desc->other_views)
      return true;
   for (unsigned i = 0; i < desc->num_view_formats; i++) {
      if (ail_format_channels(desc->view_formats[i]) != ail_format_channels(desc->format))
         return false;
   }
   return desc->num_view_formats > 0;
}

/* Metadata is allocated for levels that are halved rounding up. Of levels where that makes another number of tiles
 * than the size in pixels, as powers of two, nobody has told where a tile's metadata lies; and depth and stencil
 * targets have no size but that of the level. */
static bool
levels_have_known_places(const struct ail_layout *layout)
{
   for (unsigned i = 0; i < layout->image.levels; i++) {
      const struct ail_level *level = &layout->levels[i];

      if (level->compressed && (log2_ceil(level->metadata_width_tl) != level->metadata_width_log2_tl ||
                                log2_ceil(level->metadata_height_tl) != level->metadata_height_log2_tl))
         return false;
   }
   return true;
}

/* What forbids compression, whoever wants it; AGX_WHY_TARGET: nothing. */
static enum agx_layout_reason
obstacle(const struct pipe_image_desc *desc, const struct ail_image *plane)
{
   struct ail_image compressed = *plane;
   struct ail_layout layout;

   if (plane->tiling == AIL_TILING_LINEAR)
      return AGX_WHY_LINEAR;
   if (desc->usage & PIPE_USAGE_STORAGE)
      return AGX_WHY_STORAGE;
   if (desc->plain || (desc->usage & PIPE_USAGE_HOST_TRANSFER && !mutant("agx-host-compressed")))
      return AGX_WHY_HOST;
   if (!views_have_its_channels(desc))
      return AGX_WHY_VIEWS;
   if (!agx_format_same_channels(plane->format))
      return AGX_WHY_CHANNELS;
   compressed.compressed = true;
   if (ail_layout_init(&layout, &compressed) != AIL_OK)
      return AGX_WHY_SMALL;
   return levels_have_known_places(&layout) ? AGX_WHY_TARGET : AGX_WHY_LEVELS;
}

static enum agx_layout_reason
reason_of_compression(const struct pipe_image_desc *desc, const struct ail_image *plane)
{
   if (desc->sparse)
      return AGX_WHY_SPARSE;
   if (plane->tiling == AIL_TILING_LINEAR)
      return AGX_WHY_LINEAR;
   if (!(desc->usage & (PIPE_USAGE_COLOR | PIPE_USAGE_DEPTH_STENCIL)))
      return AGX_WHY_NO_TARGET;
   if (desc->shared)
      return AGX_WHY_SHARED;
   if (agx_debug(AGX_DEBUG_NOCOMPRESSION))
      return AGX_WHY_DEBUG;
   return obstacle(desc, plane);
}

static bool
views_have_its_format(const struct pipe_image_desc *desc)
{
   if (!desc->other_views)
      return true;
   for (unsigned i = 0; i < desc->num_view_formats; i++) {
      if (desc->view_formats[i] != desc->format)
         return false;
   }
   return desc->num_view_formats > 0;
}

/* Bits are seen by whoever shares the memory or maps rows, and by views of other formats. Samplers are not for images
 * of several samples. */
uint32_t
agx_stored_format(const struct pipe_image_desc *desc)
{
   const uint32_t turned = agx_format_turned(desc->format);
   bool seen = desc->linear || desc->has_modifier || desc->shared || !views_have_its_format(desc) ||
               mutant("agx-border-turned");

   return turned && desc->usage & PIPE_USAGE_SAMPLED && desc->samples == 1 && !seen ? turned : desc->format;
}

/* The modifier decides; all that is left is whether it can be so. */
static struct agx_image_layout
layout_of_modifier(const struct pipe_image_desc *desc, const struct ail_image *plane)
{
   struct ail_image tiled = *plane;
   struct agx_image_layout chosen = {.tiling_reason = AGX_WHY_MODIFIER, .compression_reason = AGX_WHY_MODIFIER};

   chosen.tiling = tiled.tiling = desc->modifier == AGX_MODIFIER_LINEAR ? AIL_TILING_LINEAR : AIL_TILING_GPU;
   chosen.compressed =
      desc->modifier == AGX_MODIFIER_GPU_TILED_COMPRESSED && !(desc->placed && mutant("agx-modifier-plain"));
   chosen.possible = true;
   if (chosen.compressed && obstacle(desc, &tiled) != AGX_WHY_TARGET) {
      chosen.compression_reason = obstacle(desc, &tiled);
      chosen.possible = false;
   }
   return chosen;
}

/* What the pixel back end never writes, which is blocks, need not be twiddled. */
static struct agx_image_layout
layout_of_sparse(const struct pipe_image_desc *desc)
{
   bool blocks = format_info(desc->format)->compression != NULL;

   return (struct agx_image_layout){.tiling = blocks ? AIL_TILING_GPU : AIL_TILING_TWIDDLED,
                                    .tiling_reason = blocks ? AGX_WHY_LOCALITY : AGX_WHY_SPARSE_TARGET,
                                    .compression_reason = AGX_WHY_SPARSE,
                                    .possible = true};
}

struct agx_image_layout
agx_image_layout(const struct pipe_image_desc *desc, const struct ail_image *plane)
{
   struct ail_image tiled = *plane;
   struct agx_image_layout chosen = {.tiling = desc->linear ? AIL_TILING_LINEAR : AIL_TILING_GPU,
                                     .tiling_reason = desc->linear ? AGX_WHY_ROWS : AGX_WHY_LOCALITY,
                                     .possible = true};

   if (desc->has_modifier)
      return layout_of_modifier(desc, plane);
   if (desc->sparse == PIPE_SPARSE_RESIDENCY)
      return layout_of_sparse(desc);
   tiled.tiling = chosen.tiling;
   chosen.compression_reason = reason_of_compression(desc, &tiled);
   chosen.compressed = chosen.compression_reason == AGX_WHY_TARGET;
   return chosen;
}

/* ---- in words ---- */

const char *
agx_layout_reason_text(enum agx_layout_reason reason)
{
   static const char *const texts[AGX_LAYOUT_REASONS] = {
      [AGX_WHY_ROWS] = "the application wants rows that it can address",
      [AGX_WHY_LOCALITY] = "nobody wants rows, and what is near in the picture shall be near in memory",
      [AGX_WHY_MODIFIER] = "its DRM format modifier says so",
      [AGX_WHY_SPARSE_TARGET] = "the pixel back end wants sparse images so",
      [AGX_WHY_SPARSE] = "its memory comes and goes",
      [AGX_WHY_TARGET] = "renders store to it, and the ends of their tiles compress",
      [AGX_WHY_LINEAR] = "only GPU-tiled images are",
      [AGX_WHY_NO_TARGET] = "nothing but the ends of renders' tiles compresses, and it is no target",
      [AGX_WHY_STORAGE] = "programs store to it",
      [AGX_WHY_HOST] =
         "the processor copies it, which does not know all modes of tiles, or the application forbids it",
      [AGX_WHY_SHARED] = "others see its memory, and nothing tells them of metadata",
      [AGX_WHY_VIEWS] = "views may have other channels than the compressor has seen",
      [AGX_WHY_CHANNELS] = "its channels have no integers to be copied as",
      [AGX_WHY_SMALL] = "it is smaller than a tile of 16x16 samples",
      [AGX_WHY_LEVELS] = "where the metadata of a level of its size lies is not known",
      [AGX_WHY_DEBUG] = "ASAHI_DEBUG=nocompression",
   };

   return texts[reason];
}

static const char *
tiling_name(enum ail_tiling tiling)
{
   switch (tiling) {
   case AIL_TILING_LINEAR:
      return "linear";
   case AIL_TILING_TWIDDLED:
      return "twiddled";
   case AIL_TILING_GPU:
   case AIL_TILING_AUTO:
      break;
   }
   return "GPU-tiled";
}

void
agx_image_layout_report(const struct agx_image_layout *chosen, const struct ail_layout *layout, bool turned)
{
   const struct ail_image *image = &layout->image;
   char line[512];

   snprintf(line, sizeof(line),
            "image %s %ux%ux%u, levels: %u, layers: %u, samples: %u, bytes: %lu. %s, because %s; %scompressed, "
            "because %s%s",
            ail_format_name(image->format), image->width_px, image->height_px, image->depth_px, image->levels,
            image->layers, image->samples, (unsigned long)layout->size_B, tiling_name(chosen->tiling),
            agx_layout_reason_text(chosen->tiling_reason), chosen->compressed ? "" : "not ",
            agx_layout_reason_text(chosen->compression_reason),
            turned ? "; texels are turned, so that borders have alpha where the format has it" : "");
   if (agx_debug(AGX_DEBUG_IMAGES))
      log_error("%s", line);
   FILE *file = append_output("ASAHI_LAYOUTS");
   if (!file)
      return;
   fprintf(file, "%s\n", line);
   if (file != stderr)
      fclose(file);
}
