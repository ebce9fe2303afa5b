#include "amd/common/ac_surface_copy.h"

#include <stdlib.h>
#include <string.h>

#include "amd/common/ac_surface.h"
#include "amd/hw/swizzle.h"

/* A place: that of its block, and that in the block. */
struct place {
   uint64_t block_B, inside_B;
};

static struct place
place_of(const struct ac_surface *surface, unsigned level, uint32_t x_el, uint32_t y_el, uint32_t slice)
{
   const uint64_t mask = (UINT64_C(1) << surface->equation->block_log2) - 1;
   const uint64_t place_B = ac_surface_offset_B(surface, level, x_el, y_el, slice, 0);

   return (struct place){place_B & ~mask, place_B & mask};
}

static void
copy_bytes(char *image, char *memory, size_t size_B, bool to_image)
{
   memcpy(to_image ? image : memory, to_image ? memory : image, size_B);
}

/* What each column adds to the place of a row. */
struct columns {
   struct place *of;
   uint32_t count;
};

static void
copy_row(char *image, struct place row, const struct columns *columns, char *memory, size_t element_B, bool to_image)
{
   for (uint32_t x = 0; x < columns->count; x++) {
      uint64_t place_B = row.block_B + columns->of[x].block_B + (row.inside_B ^ columns->of[x].inside_B);

      copy_bytes(image + place_B, memory + x * element_B, element_B, to_image);
   }
}

/* Address bits inside of a block are sums without carry of bits of the coordinates: each coordinate has a part of its
 * own. */
static void
copy_tiled(const struct ac_surface *surface, char *image, const struct ac_surface_box *box,
           const struct ac_rows *rows, bool to_image, const struct columns *columns)
{
   const struct place origin = place_of(surface, box->level, 0, 0, 0);

   for (uint32_t x = 0; x < box->width_el; x++) {
      struct place place = place_of(surface, box->level, box->x_el + x, 0, 0);

      columns->of[x] = (struct place){place.block_B - origin.block_B, place.inside_B ^ origin.inside_B};
   }
   for (uint32_t i = 0; i < box->slices * box->height_el; i++) {
      uint32_t y = i % box->height_el, slice = i / box->height_el;

      copy_row(image, place_of(surface, box->level, 0, box->y_el + y, box->slice + slice), columns,
               rows->start + slice * rows->slice_B + y * rows->row_B, (size_t)1 << surface->element_log2, to_image);
   }
}

static void
copy_linear(const struct ac_surface *surface, char *image, const struct ac_surface_box *box,
            const struct ac_rows *rows, bool to_image)
{
   for (uint32_t i = 0; i < box->slices * box->height_el; i++) {
      uint32_t y = i % box->height_el, slice = i / box->height_el;
      uint64_t place_B = ac_surface_offset_B(surface, box->level, box->x_el, box->y_el + y, box->slice + slice, 0);

      copy_bytes(image + place_B, rows->start + slice * rows->slice_B + y * rows->row_B,
                 (size_t)box->width_el << surface->element_log2, to_image);
   }
}

bool
ac_surface_copy(const struct ac_surface *surface, char *image, const struct ac_surface_box *box,
                const struct ac_rows *rows, bool to_image)
{
   struct columns columns = {.count = box->width_el};

   if (!surface->equation) {
      copy_linear(surface, image, box, rows, to_image);
      return true;
   }
   columns.of = malloc((box->width_el + 1) * sizeof(*columns.of));
   if (!columns.of)
      return false;
   copy_tiled(surface, image, box, rows, to_image, &columns);
   free(columns.of);
   return true;
}
