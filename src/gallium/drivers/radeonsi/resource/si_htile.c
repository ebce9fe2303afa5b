#include "gallium/drivers/radeonsi/resource/si_htile.h"

#include "amd/common/ac_format.h"
#include "amd/common/ac_htile.h"
#include "amd/hw/descriptors.h"
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/base/si_debug.h"
#include "gallium/drivers/radeonsi/resource/si_metadata.h"
#include "util/macros.h"

static bool
has_erratum(const struct ac_gpu_info *info, const struct pipe_image_desc *desc)
{
   return info->plain_d16_4x && desc->samples == 4 && ac_format_depth(desc->format) == V_Z_16;
}

bool
si_htile_wanted(const struct si_screen *screen, const struct pipe_image_desc *desc)
{
   return screen->info.htile && !si_debug(SI_DEBUG_NOHTILE) && ac_format_depth(desc->format) && !desc->linear &&
          !desc->plain && !(desc->usage & PIPE_USAGE_HOST_TRANSFER) && !desc->shared && !desc->concurrent &&
          !desc->sparse && desc->usage & PIPE_USAGE_DEPTH_STENCIL && !has_erratum(&screen->info, desc) &&
          desc->width_px >= AC_HTILE_TILE_PX && desc->height_px >= AC_HTILE_TILE_PX &&
          (desc->levels == 1 || (desc->layers == 1 && !screen->info.mip_chain));
}

void
si_htile_init(const struct si_screen *screen, struct si_resource *image, uint64_t *size_B)
{
   if (!si_htile_wanted(screen, &image->desc) || !si_metadata_init(screen, image, AMD_META_HTILE, size_B))
      return;
   if (screen->info.iterates_256 && image->desc.samples > 1)
      image->metadata_fields.iterate_256 = true;
   image->stencil_in_htile = image->plane_format[SI_PLANE_STENCIL] && image->desc.levels == 1;
   image->clear_depths_offset_B = *size_B;
   *size_B += 4 * image->desc.levels;
}

uint64_t
si_clear_depth_va(const struct si_resource *image, unsigned level)
{
   return image->va + image->clear_depths_offset_B + 4 * level;
}

uint32_t
si_htile_bits(const struct si_resource *image, uint32_t aspects)
{
   uint32_t bits = 0;

   if (!image->stencil_in_htile)
      return aspects & PIPE_ASPECT_DEPTH ? UINT32_MAX : 0;
   bits |= aspects & PIPE_ASPECT_DEPTH ? AC_HTILE_DEPTH_BITS : 0;
   bits |= aspects & PIPE_ASPECT_STENCIL ? AC_HTILE_STENCIL_BITS : 0;
   return bits;
}

uint32_t
si_htile_plain(const struct si_resource *image)
{
   return ac_htile_plain(image->stencil_in_htile);
}

uint32_t
si_htile_clear(struct si_context *ctx, const struct si_resource *image, unsigned level, uint32_t aspects, float depth,
               uint8_t stencil)
{
   uint32_t done = 0, clear_depth = float_bits(depth);

   if (!si_metadata_of_level(image, level))
      return aspects;
   if (depth == 0 || depth == 1)
      done |= aspects & PIPE_ASPECT_DEPTH;
   if (image->stencil_in_htile && stencil == 0)
      done |= aspects & PIPE_ASPECT_STENCIL;
   if (!done)
      return aspects;
   si_metadata_finish(ctx);
   si_metadata_write(ctx, image, (struct si_layers){level, 0, image->desc.layers}, si_htile_bits(image, done),
                     ac_htile_clear(image->stencil_in_htile, depth == 1));
   if (done & PIPE_ASPECT_DEPTH)
      si_write_ahead(ctx, si_clear_depth_va(image, level), &clear_depth, 1);
   si_metadata_finish(ctx);
   si_mark_dirty(ctx, SI_ATOM_FRAMEBUFFER);
   return aspects & ~done;
}
