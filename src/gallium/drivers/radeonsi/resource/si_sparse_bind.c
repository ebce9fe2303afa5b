/* Binds of sparse resources: which addresses show which memory. */
#include "gallium/drivers/radeonsi/resource/si_resource.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "util/format.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/mutant.h"

/* What follows on in addresses and memory goes to the kernel in one call. */
struct binder {
   struct amdgpu_ws *ws;
   struct amdgpu_ws_bind next; /* size 0: none */
   int error;                  /* the first */
};

static void
flush(struct binder *binder)
{
   if (binder->next.size_B && !binder->error)
      binder->error = amdgpu_ws_bind(binder->ws, &binder->next);
   binder->next.size_B = 0;
}

static void
add_bind(struct binder *binder, const struct amdgpu_ws_bind *bind)
{
   struct amdgpu_ws_bind *next = &binder->next;
   bool follows = next->size_B && next->bo == bind->bo && next->hole == bind->hole &&
                  next->va + next->size_B == bind->va &&
                  (!bind->bo || next->offset_B + next->size_B == bind->offset_B);

   if (follows) {
      next->size_B += bind->size_B;
      return;
   }
   flush(binder);
   *next = *bind;
}

/* From byte in_memory_B of the bind's memory on, at offset_B of the resource's addresses. */
static void
add_piece(struct binder *binder, const struct pipe_bind *bind, uint64_t offset_B, uint64_t in_memory_B,
          uint64_t size_B)
{
   const struct si_sparse *sparse = &si_resource(bind->resource)->sparse;
   const struct amdgpu_ws_bind piece = {
      .va = sparse->range.va + offset_B,
      .size_B = size_B,
      .bo = bind->memory ? si_memory(bind->memory)->bo : NULL,
      .offset_B = bind->memory ? bind->memory_offset_B + in_memory_B : 0,
      .hole = sparse->kind == PIPE_SPARSE_RESIDENCY,
   };

   add_bind(binder, &piece);
}

static bool
has_memory(const struct pipe_bind *bind, uint64_t size_B)
{
   const struct amdgpu_ws_bo *bo = bind->memory ? si_memory(bind->memory)->bo : NULL;

   if (!bo || (bind->memory_offset_B % SI_SPARSE_PAGE_B == 0 && bind->memory_offset_B <= bo->size_B &&
               size_B <= bo->size_B - bind->memory_offset_B))
      return true;
   log_error("a bind of %llu bytes from byte %llu of %llu of memory on is left out", (unsigned long long)size_B,
             (unsigned long long)bind->memory_offset_B, (unsigned long long)bo->size_B);
   return false;
}

/* ---- bytes ---- */

static void
bind_bytes(struct binder *binder, const struct pipe_bind *bind)
{
   const struct si_resource *resource = si_resource(bind->resource);
   const struct ac_surface *surface = &resource->planes[SI_PLANE_MAIN];
   uint64_t end_B = si_sparse_size_B(resource), own_B = resource->sparse.range.size_B;

   if (bind->offset_B % SI_SPARSE_PAGE_B || bind->offset_B >= end_B) {
      log_error("a bind of a range at byte %llu of %llu is left out", (unsigned long long)bind->offset_B,
                (unsigned long long)end_B);
      return;
   }
   uint64_t size_B = MIN2(align_up(bind->size_B, SI_SPARSE_PAGE_B), end_B - bind->offset_B);
   uint64_t direct_B = bind->offset_B < own_B ? MIN2(size_B, own_B - bind->offset_B) : 0;

   if (!has_memory(bind, size_B))
      return;
   if (direct_B)
      add_piece(binder, bind, bind->offset_B, 0, direct_B);
   /* A tail of a 3D image: a block in each slab. */
   for (uint64_t done_B = direct_B, step_B; done_B < size_B; done_B += step_B) {
      uint64_t in_tail_B = bind->offset_B + done_B - own_B, inside_B = in_tail_B % SI_SPARSE_BLOCK_B;

      step_B = MIN2(SI_SPARSE_BLOCK_B - inside_B, size_B - done_B);
      add_piece(binder, bind,
                surface->levels[surface->first_tail_level].offset_B +
                   in_tail_B / SI_SPARSE_BLOCK_B * surface->slice_B + inside_B,
                done_B, step_B);
   }
}

/* ---- blocks ---- */

/* In blocks: where a bind begins, and how large it is. */
struct box {
   uint32_t x, y, z, columns, rows, slabs;
};

static struct box
box_of(const struct pipe_bind *bind, const struct pipe_sparse_format *format)
{
   return (struct box){
      .x = (uint32_t)bind->offset.x / format->block_width_px,
      .y = (uint32_t)bind->offset.y / format->block_height_px,
      .z = (uint32_t)bind->offset.z / format->block_depth_px,
      .columns = (uint32_t)div_round_up(bind->extent.width, format->block_width_px),
      .rows = (uint32_t)div_round_up(bind->extent.height, format->block_height_px),
      .slabs = (uint32_t)div_round_up(bind->extent.depth, format->block_depth_px),
   };
}

/* The blocks of a row follow each other at the level's addresses. */
static void
bind_row(struct binder *binder, const struct pipe_bind *bind, const struct box *box, uint32_t row, uint32_t slab)
{
   const struct si_resource *image = si_resource(bind->resource);
   const struct ac_surface *surface = &image->planes[SI_PLANE_MAIN];
   const struct ac_surface_level *level = &surface->levels[bind->subresource.level];
   uint32_t columns = (uint32_t)div_round_up(level->width_el, UINT64_C(1) << surface->block_width_log2);
   uint32_t rows = (uint32_t)div_round_up(level->height_el, UINT64_C(1) << surface->block_height_log2);
   uint32_t y = box->y + row, slice = (box->z + slab) << surface->slab_log2;
   uint64_t before = ((uint64_t)slab * box->rows + row) * box->columns;

   if (box->x >= columns || y >= rows || slice >= si_level_depth_px(image, bind->subresource.level))
      return;
   slice += mutant("bind-first-layer") ? 0 : bind->subresource.base_layer;
   uint64_t at_B = ac_surface_offset_B(surface, bind->subresource.level, box->x << surface->block_width_log2,
                                       y << surface->block_height_log2, slice, 0);

   add_piece(binder, bind, at_B & ~(uint64_t)(SI_SPARSE_BLOCK_B - 1), before * SI_SPARSE_BLOCK_B,
             (uint64_t)MIN2(box->columns, columns - box->x) * SI_SPARSE_BLOCK_B);
}

static void
bind_box(struct binder *binder, const struct pipe_bind *bind)
{
   const struct si_resource *image = si_resource(bind->resource);
   const struct pipe_sparse_layout layout = si_sparse_layout(image);
   const struct box box = box_of(bind, &layout.format);
   uint64_t blocks = (uint64_t)box.columns * box.rows * box.slabs;

   if (bind->subresource.level >= layout.tail_first_level || !has_memory(bind, blocks * SI_SPARSE_BLOCK_B)) {
      log_error("a bind of blocks of level %u is left out", bind->subresource.level);
      return;
   }
   for (uint32_t slab = 0; slab < box.slabs; slab++) {
      for (uint32_t row = 0; row < box.rows; row++)
         bind_row(binder, bind, &box, row, slab);
   }
}

int
si_sparse_bind(struct si_screen *screen, const struct pipe_bind *binds, uint32_t count)
{
   struct binder binder = {.ws = screen->ws};

   for (uint32_t i = 0; i < count; i++)
      (binds[i].is_box ? bind_box : bind_bytes)(&binder, &binds[i]);
   flush(&binder);
   return binder.error;
}
