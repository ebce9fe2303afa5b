#include "gallium/drivers/asahi/resource/agx_sparse.h"

#include <stdlib.h>
#include <string.h>

#include "asahi/compiler/agx.h"
#include "gallium/drivers/asahi/resource/agx_format.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"
#include "gallium/drivers/asahi/agx_screen.h"
#include "util/format.h"
#include "util/macros.h"

/* Of images but 3D ones, whose slices are layers: Vulkan's standard block, 4 pages. */
#define BLOCK_2D_B (4 * AIL_PAGE_B)

/* ---- aliases ---- */

/* Without soft faults: where programs go that have no place in a buffer. */
static bool
bind_nowhere(const struct agx_screen *screen)
{
   const struct asahi_ws_bind binds[] = {
      {(uint64_t)AGX_NO_SOFT_FAULTS_READ_HI << 32, AIL_PAGE_B, screen->zero_page, 0, true, true},
      {(uint64_t)AGX_NO_SOFT_FAULTS_WRITE_HI << 32, AIL_PAGE_B, screen->scratch_page, 0, true, false},
   };

   return !screen->no_soft_faults || !asahi_ws_bind(screen->ws, binds, ARRAY_SIZE(binds));
}

bool
agx_sparse_start(struct agx_screen *screen)
{
   screen->zero_page = asahi_ws_bo_create(screen->ws, AIL_PAGE_B, 0, ASAHI_WS_BO_READ_ONLY);
   screen->scratch_page = asahi_ws_bo_create(screen->ws, AIL_PAGE_B, 0, 0);
   screen->ones_page = asahi_ws_bo_create(screen->ws, AIL_PAGE_B, 0, ASAHI_WS_BO_READ_ONLY);
   void *ones = screen->ones_page ? asahi_ws_bo_map(screen->ones_page) : NULL;

   if (ones)
      memset(ones, 0xff, AIL_PAGE_B);
   return screen->zero_page && screen->scratch_page && ones && bind_nowhere(screen);
}

void
agx_sparse_stop(struct agx_screen *screen)
{
   asahi_ws_bo_destroy(screen->zero_page);
   asahi_ws_bo_destroy(screen->scratch_page);
   asahi_ws_bo_destroy(screen->ones_page);
}

/* Binds nothing, to all of the range. */
static bool
init_aliases(struct agx_screen *screen, const struct agx_sparse *sparse)
{
   const struct asahi_ws_bind binds[] = {
      {sparse->range.va + sparse->alias_B, sparse->alias_B, screen->zero_page, 0, true, true},
      {sparse->range.va + 2 * sparse->alias_B, sparse->alias_B, screen->scratch_page, 0, true, false},
      {sparse->range.va + 3 * sparse->alias_B, sparse->alias_B, screen->zero_page, 0, true, true},
   };

   return !sparse->alias_B || !asahi_ws_bind(screen->ws, binds, ARRAY_SIZE(binds));
}

/* ---- pieces ---- */

/* Pages of a block, side by side and one below the other: of tiles, as many as make the standard size. */
struct block {
   unsigned page_w_log2, page_h_log2; /* elements */
   unsigned w_log2, h_log2;           /* pages */
};

static struct block
block_of(unsigned block_B, unsigned samples, bool is_3d)
{
   unsigned area_log2 = 14 - log2_floor(block_B * samples);
   struct block block = {.page_w_log2 = (area_log2 + 1) / 2, .page_h_log2 = area_log2 / 2};

   if (is_3d)
      return block;
   /* With samples the standard sizes are those without, of which 2 halve the width, 4 both sides. */
   unsigned standard_log2 = 16 - log2_floor(block_B);
   unsigned w_log2 = (standard_log2 + 1) / 2 - (samples > 1), h_log2 = standard_log2 / 2 - (samples > 2);

   block.w_log2 = w_log2 - block.page_w_log2;
   block.h_log2 = h_log2 - block.page_h_log2;
   return block;
}

static struct block
block_of_image(const struct agx_resource *image)
{
   const struct ail_layout *layout = &image->planes[AGX_PLANE_MAIN];

   return block_of(layout->block_B, layout->image.samples, image->desc.type == PIPE_IMAGE_3D);
}

uint64_t
agx_sparse_block_B(const struct agx_resource *resource)
{
   return resource->sparse.table && resource->desc.type != PIPE_IMAGE_3D ? BLOCK_2D_B : AIL_PAGE_B;
}

static struct pipe_sparse_format
format_of(const struct format_info *info, const struct block *block, bool is_3d)
{
   return (struct pipe_sparse_format){
      .block_width_px = (uint32_t)info->block_width_el << (block->page_w_log2 + block->w_log2),
      .block_height_px = (uint32_t)info->block_height_el << (block->page_h_log2 + block->h_log2),
      .block_depth_px = 1,
      .single_tail = is_3d,
      .standard = !is_3d,
   };
}

static bool
sparse_format(const struct pipe_screen *screen, const struct pipe_image_desc *desc, struct pipe_sparse_format *format)
{
   const struct format_info *info = format_info(desc->format);
   struct agx_format_codes codes;

   /* Targets of depth and stencil are registers of a command, which know no tables; programs store samples to a
    * linear image of the same memory (agx_nir_sample). */
   if (!info || info->planes != 1 || info->components[0].name >= FORMAT_DEPTH ||
       !agx_format_codes(desc->format, &codes) || desc->block_views ||
       (desc->samples > 1 && (info->compression || desc->usage & PIPE_USAGE_STORAGE)))
      return false;
   struct block block = block_of(info->block_size_B, desc->samples, desc->type == PIPE_IMAGE_3D);

   *format = format_of(info, &block, desc->type == PIPE_IMAGE_3D);
   return true;
}

/* Bytes of the tail of a layer, in the offsets of pipe_bind. */
static uint64_t
tail_B(const struct agx_resource *image)
{
   return align_up(image->planes[AGX_PLANE_MAIN].mip_tail_size_B, agx_sparse_block_B(image));
}

static uint64_t
blocks_B(const struct agx_resource *image)
{
   const struct ail_layout *layout = &image->planes[AGX_PLANE_MAIN];

   return align_up(layout->layer_stride_B * layout->layer_count, agx_sparse_block_B(image));
}

uint64_t
agx_sparse_size_B(const struct agx_resource *resource)
{
   if (!resource->sparse.table)
      return align_up(MAX2(resource->size_B, 1u), AIL_PAGE_B);
   return blocks_B(resource) + tail_B(resource) * resource->planes[AGX_PLANE_MAIN].layer_count;
}

struct pipe_sparse_layout
agx_sparse_layout(const struct agx_resource *image)
{
   const struct ail_layout *layout = &image->planes[AGX_PLANE_MAIN];
   bool is_3d = image->desc.type == PIPE_IMAGE_3D;
   struct block block = block_of_image(image);
   struct pipe_sparse_layout out = {
      .format = format_of(format_info(image->desc.format), &block, is_3d),
      .tail_first_level = MIN2(layout->mip_tail_first_level, image->desc.levels),
      .tail_offset_B = blocks_B(image),
      .tail_size_B = is_3d ? tail_B(image) * layout->layer_count : tail_B(image),
      .tail_stride_B = tail_B(image),
   };

   if (out.tail_first_level == image->desc.levels)
      out.tail_size_B = 0;
   return out;
}

static struct pipe_sparse_layout
sparse_layout(const struct pipe_resource *image, uint32_t aspect)
{
   return agx_sparse_layout(agx_resource(image));
}

/* ---- life ---- */

static bool
init_table(struct agx_screen *screen, struct agx_resource *image)
{
   image->sparse.table =
      asahi_ws_bo_create(screen->ws, image->planes[AGX_PLANE_MAIN].sparse_table_size_B, 0, 0); /* zeros: no pages */
   image->va = image->sparse.table ? image->sparse.table->va : 0;
   image->bo = image->sparse.table;
   return image->bo != NULL;
}

bool
agx_sparse_init(struct agx_screen *screen, struct agx_resource *resource, enum pipe_sparse kind)
{
   struct agx_sparse *sparse = &resource->sparse;
   bool is_image = resource->alignment_B && resource->desc.format;

   sparse->kind = kind;
   if (is_image && kind == PIPE_SPARSE_RESIDENCY)
      return init_table(screen, resource);
   uint64_t size_B = agx_sparse_size_B(resource);

   sparse->alias_B = kind == PIPE_SPARSE_RESIDENCY ? size_B : 0;
   sparse->range.va = resource->va;
   if (!asahi_ws_range_create(screen->ws, sparse->alias_B ? 4 * size_B : size_B, 0, &sparse->range))
      return false;
   resource->va = sparse->range.va;
   return init_aliases(screen, sparse);
}

void
agx_sparse_finish(struct agx_screen *screen, struct agx_resource *resource)
{
   asahi_ws_range_destroy(screen->ws, &resource->sparse.range);
   asahi_ws_bo_destroy(resource->sparse.table);
}

static enum pipe_result
sparse_buffer_create(struct pipe_screen *screen, uint64_t size_B, enum pipe_sparse kind, bool descriptors,
                     uint64_t va, struct pipe_resource **out)
{
   struct agx_resource *buffer = calloc(1, sizeof(*buffer));

   if (!buffer)
      return PIPE_OUT_OF_HOST_MEMORY;
   buffer->size_B = size_B;
   buffer->va = va;
   buffer->alignment_B = AIL_PAGE_B;
   if (!agx_sparse_init(agx_screen(screen), buffer, kind)) {
      agx_sparse_finish(agx_screen(screen), buffer);
      free(buffer);
      return va > PIPE_VA_REPLAYED ? PIPE_ADDRESS_TAKEN : PIPE_OUT_OF_DEVICE_MEMORY;
   }
   *out = agx_resource_handle(buffer);
   return PIPE_OK;
}

void
agx_init_sparse(struct agx_screen *screen)
{
   screen->base.sparse_buffer_create = sparse_buffer_create;
   screen->base.sparse_format = sparse_format;
   screen->base.sparse_layout = sparse_layout;
}
