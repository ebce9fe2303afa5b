/* Binds of a submit: of ranges by the kernel, of tables by a program. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gallium/auxiliary/aux_submit.h"
#include "gallium/drivers/asahi/meta/agx_meta.h"
#include "gallium/drivers/asahi/resource/agx_sparse.h"
#include "util/dynarray.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/mutant.h"

static bool
is_of_range(const struct pipe_bind *bind)
{
   return agx_resource(bind->resource)->sparse.range.va != 0;
}

/* Memory that is not there is not bound, and the log says so: applications see to that. */
static bool
has_memory(const struct pipe_bind *bind, uint64_t size_B)
{
   const struct asahi_ws_bo *bo = bind->memory ? agx_memory(bind->memory)->bo : NULL;

   if (!bo || (bind->memory_offset_B % AIL_PAGE_B == 0 && bind->memory_offset_B <= bo->size_B &&
               size_B <= bo->size_B - bind->memory_offset_B))
      return true;
   log_error("a bind of %llu bytes from byte %llu of %llu of memory on is left out", (unsigned long long)size_B,
             (unsigned long long)bind->memory_offset_B, (unsigned long long)bo->size_B);
   return false;
}

/* ---- ranges ---- */

bool
agx_binds_ranges(const struct aux_submit *submit)
{
   for (uint32_t i = 0; i < submit->num_binds; i++) {
      if (is_of_range(&submit->binds[i]))
         return true;
   }
   return false;
}

/* Of one alias or of all four. */
static void
add_range(struct agx_screen *screen, const struct pipe_bind *bind, struct dynarray *binds)
{
   const struct agx_resource *resource = agx_resource(bind->resource);
   const struct agx_sparse *sparse = &resource->sparse;
   uint64_t end_B = agx_sparse_size_B(resource);

   if (bind->is_box || bind->offset_B % AIL_PAGE_B || bind->offset_B >= end_B) {
      log_error("a bind of a range at byte %llu of %llu is left out", (unsigned long long)bind->offset_B,
                (unsigned long long)end_B);
      return;
   }
   struct asahi_ws_bind part = {
      .va = sparse->range.va + bind->offset_B,
      .size_B = MIN2(align_up(bind->size_B, AIL_PAGE_B), end_B - bind->offset_B),
      .bo = bind->memory ? agx_memory(bind->memory)->bo : NULL,
      .offset_B = bind->memory ? bind->memory_offset_B : 0,
   };

   if (!has_memory(bind, part.size_B))
      return;
   dynarray_append(binds, struct asahi_ws_bind, part);
   if (!sparse->alias_B || mutant("agx-sparse-shadow-stale"))
      return;
   part.single_page = !part.bo;
   part.va += sparse->alias_B;
   part.bo = part.bo ? part.bo : screen->zero_page;
   part.read_only = true;
   dynarray_append(binds, struct asahi_ws_bind, part);
   part.va += sparse->alias_B;
   part.bo = part.single_page ? screen->scratch_page : part.bo;
   part.read_only = false;
   dynarray_append(binds, struct asahi_ws_bind, part);
   part.va += sparse->alias_B;
   part.bo = bind->memory ? screen->ones_page : screen->zero_page;
   part.offset_B = 0;
   part.single_page = part.read_only = true;
   dynarray_append(binds, struct asahi_ws_bind, part);
}

int
agx_bind_ranges(struct agx_screen *screen, const struct aux_submit *submit)
{
   struct dynarray binds = {0};

   for (uint32_t i = 0; i < submit->num_binds; i++) {
      if (is_of_range(&submit->binds[i]))
         add_range(screen, &submit->binds[i], &binds);
   }
   int error = asahi_ws_bind(screen->ws, binds.data, (uint32_t)(binds.size_B / sizeof(struct asahi_ws_bind)));

   dynarray_free(&binds);
   return error;
}

/* ---- tables ---- */

/* A word of a table, as the program takes it. */
struct entry {
   uint32_t index, word;
};

static void
add_page(struct dynarray *entries, const struct agx_resource *image, const struct pipe_bind *bind, uint32_t layer,
         uint64_t page, uint64_t memory_page)
{
   uint64_t index = ail_sparse_word_index(&image->planes[AGX_PLANE_MAIN], layer, page);
   struct entry entry = {.index = (uint32_t)index};

   if (index == AIL_NONE)
      return;
   if (mutant("agx-sparse-layer-padding"))
      entry.index -= layer * (AIL_FOLIO_WORDS - (uint32_t)image->planes[AGX_PLANE_MAIN].layer_stride_B / AIL_PAGE_B);
   if (bind->memory)
      ail_sparse_pack(agx_memory(bind->memory)->bo->va + bind->memory_offset_B + memory_page * AIL_PAGE_B,
                      &entry.word);
   dynarray_append(entries, struct entry, entry);
}

/* Of an image: where it begins, and its first page in the bound memory. */
struct block {
   uint32_t x_el, y_el, layer;
   uint64_t memory_page;
};

/* The pages of one block, row by row; those outside of the level are not there. */
static void
add_block(struct dynarray *entries, const struct agx_resource *image, const struct pipe_bind *bind,
          const struct block *block)
{
   const struct ail_layout *layout = &image->planes[AGX_PLANE_MAIN];
   struct pipe_sparse_format format = agx_sparse_layout(image).format;
   uint32_t w_el = format.block_width_px / layout->block_width_px;
   uint32_t h_el = format.block_height_px / layout->block_height_px;
   uint32_t pages = (uint32_t)(agx_sparse_block_B(image) / AIL_PAGE_B);
   unsigned area_log2 = 14 - log2_floor(layout->element_B);
   uint32_t page_w = 1u << (area_log2 + 1) / 2, page_h = 1u << area_log2 / 2;

   for (uint32_t i = 0; i < pages; i++) {
      uint32_t x = block->x_el + i % (w_el / page_w) * page_w;
      uint32_t y = block->y_el + i / (w_el / page_w) % (h_el / page_h) * page_h;
      uint64_t at_B = ail_element_offset_B(layout, x, y, block->layer, bind->subresource.level, 0);

      if (at_B != AIL_NONE)
         add_page(entries, image, bind, block->layer, (at_B - block->layer * layout->layer_stride_B) / AIL_PAGE_B,
                  block->memory_page + i);
   }
}

static void
add_box(struct dynarray *entries, const struct agx_resource *image, const struct pipe_bind *bind)
{
   const struct ail_layout *layout = &image->planes[AGX_PLANE_MAIN];
   struct pipe_sparse_layout sparse = agx_sparse_layout(image);
   bool is_3d = image->desc.type == PIPE_IMAGE_3D;
   uint32_t columns = (uint32_t)div_round_up(bind->extent.width, sparse.format.block_width_px);
   uint32_t rows = (uint32_t)div_round_up(bind->extent.height, sparse.format.block_height_px);
   uint32_t slices = is_3d ? bind->extent.depth : 1, first = is_3d ? (uint32_t)bind->offset.z : 0;
   uint64_t blocks = (uint64_t)columns * rows * slices, pages = agx_sparse_block_B(image) / AIL_PAGE_B;

   if (bind->subresource.level >= sparse.tail_first_level || !has_memory(bind, blocks * pages * AIL_PAGE_B)) {
      log_error("a bind of blocks of level %u is left out", bind->subresource.level);
      return;
   }
   for (uint64_t i = 0; i < blocks; i++) {
      uint32_t x = (uint32_t)bind->offset.x + (uint32_t)(i % columns) * sparse.format.block_width_px;
      uint32_t y = (uint32_t)bind->offset.y + (uint32_t)(i / columns % rows) * sparse.format.block_height_px;
      uint32_t slice = first + (uint32_t)(i / columns / rows);

      const struct block block = {x / layout->block_width_px, y / layout->block_height_px,
                                  is_3d ? slice : bind->subresource.base_layer, i * pages};

      add_block(entries, image, bind, &block);
   }
}

/* The bytes of a range: the image as if it were not sparse, then the tails. */
static void
add_bytes(struct dynarray *entries, const struct agx_resource *image, const struct pipe_bind *bind)
{
   const struct ail_layout *layout = &image->planes[AGX_PLANE_MAIN];
   struct pipe_sparse_layout sparse = agx_sparse_layout(image);
   uint64_t end_B = MIN2(bind->offset_B + bind->size_B, agx_sparse_size_B(image));
   uint64_t tail_B = mutant("agx-sparse-tail-offset") ? 0 : layout->mip_tail_offset_B;

   if (bind->offset_B % AIL_PAGE_B || bind->offset_B >= end_B || !has_memory(bind, end_B - bind->offset_B)) {
      log_error("a bind of bytes from %llu on is left out", (unsigned long long)bind->offset_B);
      return;
   }
   for (uint64_t at_B = bind->offset_B; at_B < end_B; at_B += AIL_PAGE_B) {
      uint64_t memory_page = (at_B - bind->offset_B) / AIL_PAGE_B, in_B = at_B, layer_B = layout->layer_stride_B;
      bool in_tail = at_B >= sparse.tail_offset_B;

      if (in_tail) {
         in_B -= sparse.tail_offset_B;
         layer_B = sparse.tail_stride_B;
      }
      uint64_t offset_B = in_B % layer_B;

      if (in_tail && offset_B >= layout->mip_tail_size_B)
         continue;
      add_page(entries, image, bind, (uint32_t)(in_B / layer_B), (offset_B + (in_tail ? tail_B : 0)) / AIL_PAGE_B,
               memory_page);
   }
}

/* Invocations run in any order: of several words for a place the last counts. */
static int
compare_entries(const void *a, const void *b)
{
   const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

   return x < y ? -1 : x > y;
}

static bool
keep_last(struct dynarray *entries)
{
   struct entry *all = entries->data;
   size_t count = entries->size_B / sizeof(*all), kept = 0;
   uint64_t *order = malloc(count * sizeof(*order));
   struct entry *out = malloc(count * sizeof(*out));

   for (size_t i = 0; i < count && order && out; i++)
      order[i] = (uint64_t)all[i].index << 32 | i;
   if (order && out) {
      qsort(order, count, sizeof(*order), compare_entries);
      for (size_t i = 0; i < count; i++) {
         if (i + 1 == count || order[i] >> 32 != order[i + 1] >> 32)
            out[kept++] = all[(uint32_t)order[i]];
      }
      memcpy(all, out, kept * sizeof(*out));
      entries->size_B = kept * sizeof(*out);
   }
   bool ok = order && out;

   free(order);
   free(out);
   return ok;
}

static void
write_table(struct agx_context *ctx, const struct agx_resource *image, const struct dynarray *entries)
{
   size_t count = entries->size_B / sizeof(struct entry), most = AUX_CHUNK_B / 2 / sizeof(struct entry);

   for (size_t first = 0; first < count; first += most) {
      struct agx_meta_table table = {.dst.va = image->va, .size = {(uint32_t)MIN2(count - first, most), 1, 1}};
      uint32_t size_B = table.size[0] * (uint32_t)sizeof(struct entry);

      memcpy(agx_upload_alloc(ctx, size_B, 16, &table.src.va), (struct entry *)entries->data + first, size_B);
      agx_meta_dispatch(ctx, AGX_META_WRITE_TABLE, &table);
   }
}

/* All binds of the image of bind `first`; those of one that came before are done. */
static bool
bind_image(struct agx_context *ctx, const struct aux_submit *submit, uint32_t first)
{
   const struct agx_resource *image = agx_resource(submit->binds[first].resource);
   struct dynarray entries = {0};

   for (uint32_t i = 0; i < first; i++) {
      if (submit->binds[i].resource == submit->binds[first].resource)
         return true;
   }
   for (uint32_t i = first; i < submit->num_binds; i++) {
      if (submit->binds[i].resource == submit->binds[first].resource)
         (submit->binds[i].is_box ? add_box : add_bytes)(&entries, image, &submit->binds[i]);
   }
   bool ok = !entries.size_B || keep_last(&entries);

   if (ok && entries.size_B)
      write_table(ctx, image, &entries);
   dynarray_free(&entries);
   return ok;
}

/* One whose program has run, or a new one. NULL when out of memory. */
static struct agx_bind_work *
find_work(struct agx_binder *binder, struct agx_screen *screen)
{
   int drm = screen->aux.drm_fd;
   struct agx_bind_work *work;

   for (work = binder->works; work; work = work->next) {
      const struct ws_sync done = {work->done, 0};

      if (!ws_syncobj_wait(drm, &done, 1, WS_WAIT_ALL, 0))
         return ws_syncobj_reset(drm, work->done) ? NULL : work;
   }
   work = calloc(1, sizeof(*work));
   if (!work)
      return NULL;
   work->ctx = agx_context_create(&screen->base, 0);
   if (!work->ctx || ws_syncobj_create(drm, false, &work->done)) {
      if (work->ctx)
         work->ctx->destroy(work->ctx);
      free(work);
      return NULL;
   }
   work->next = binder->works;
   binder->works = work;
   return work;
}

int
agx_bind_tables(struct agx_binder *binder, struct agx_screen *screen, const struct aux_submit *submit,
                struct agx_bind_work **out)
{
   struct agx_bind_work *work = NULL;
   bool ok = true;

   *out = NULL;
   for (uint32_t i = 0; i < submit->num_binds && ok; i++) {
      if (is_of_range(&submit->binds[i]))
         continue;
      if (!work) {
         work = find_work(binder, screen);
         ok = work && work->ctx->begin(work->ctx, NULL, false) == PIPE_OK;
      }
      ok = ok && bind_image(agx_context(work->ctx), submit, i);
   }
   if (work && (work->ctx->end(work->ctx) != PIPE_OK || !ok)) {
      ws_syncobj_signal(screen->aux.drm_fd, (struct ws_sync){work->done, 0});
      return -ENOMEM;
   }
   *out = work;
   return ok ? 0 : -ENOMEM;
}

void
agx_binder_finish(struct agx_binder *binder, struct agx_screen *screen)
{
   while (binder->works) {
      struct agx_bind_work *work = binder->works;
      const struct ws_sync done = {work->done, 0};

      binder->works = work->next;
      ws_syncobj_wait(screen->aux.drm_fd, &done, 1, WS_WAIT_ALL, INT64_MAX);
      ws_syncobj_destroy(screen->aux.drm_fd, work->done);
      work->ctx->destroy(work->ctx);
      free(work);
   }
}
