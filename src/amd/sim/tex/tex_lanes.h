/* Texels of all lanes of a request at once: where those of a level lie, what the caches have there, and their
 * numbers, component by component. For files that are built twice (sim/wide.h). Internal to the texture unit. */
#ifndef INDIUM_AMD_SIM_TEX_LANES_H
#define INDIUM_AMD_SIM_TEX_LANES_H

#include <string.h>

#include "amd/hw/descriptors.h"
#include "amd/sim/tex/tex_plain.h"
#include "amd/sim/tex/tex_unpack.h"
#include "sim/wide.h"
#include "util/macros.h"

enum {
   N = AMD_TEX_LANES,
   HALF = 32, /* lanes of a word of them */
};

/* What a coordinate of each lane gives to the places of its texels: struct amd_surface_pixel, of all lanes. */
struct lane_pixels {
   _Alignas(64) uint32_t block_B[N], in_block_B[N];
};

/* Of one level: which texels the lanes read, one (nearest) or the four of a square. Axes are x, y and, of 3D images,
 * z, whose texels are squares of their own. */
struct places {
   _Alignas(64) int at[3][2][N];
   float part[3][N];       /* weight of the second one */
   uint64_t outside[3][2]; /* lanes whose texel is the border */
   uint64_t border[4];     /* the same of a square's texels */
   uint32_t slice[N];
   const uint32_t *sample; /* by lane; NULL: the first */
};

/* Component by component, 32 bits each. */
struct texels {
   _Alignas(64) uint32_t component[4][N];
};

/* Bit l: the highest bit of word l. */
static inline uint64_t
lanes_with_sign(int n, const uint32_t words[N])
{
   uint64_t lanes = 0;
   for (int l = 0; l < n; l += 8) {
      v8u eight;
      memcpy(&eight, words + l, sizeof(eight));
      lanes |= (uint64_t)wide_signs(eight) << l;
   }
   return lanes;
}

/* One or two halves: loops over them have no rest. */
static inline int
lane_count(const struct tex_plain *t)
{
   return (int)(t->request->lanes & (2 * HALF | HALF));
}

/* Eight lanes along an axis of a tiled surface: amd_surface_column() and amd_surface_row(). */
struct axis_tables {
   uint32_t tail, tile_log2, tile_B; /* tile_B: from one block to the next */
   const uint32_t *low, *high;
};

static void
find_pixels(int n, const struct axis_tables *axis, const int *at, struct lane_pixels *to)
{
   for (int l = 0; l < n; l += 8) {
      v8u place, in_block, block;
      memcpy(&place, at + l, sizeof(place));
      place += axis->tail;
      block = (place >> axis->tile_log2) * axis->tile_B;
      in_block = wide_look_up(axis->low, place & 127) ^ wide_look_up(axis->high, place >> 7 & 127);
      memcpy(to->block_B + l, &block, sizeof(block));
      memcpy(to->in_block_B + l, &in_block, sizeof(in_block));
   }
}

static void
find_columns(int n, const struct amd_surface *surface, const int *x, struct lane_pixels *to)
{
   const struct axis_tables axis = {surface->tail_x, surface->block_w_log2, 1u << surface->block_log2, surface->x_low,
                                    surface->x_high};
   find_pixels(n, &axis, x, to);
}

static void
find_rows(int n, const struct amd_surface *surface, const int *y, struct lane_pixels *to)
{
   const struct axis_tables axis = {surface->tail_y, surface->block_h_log2,
                                    (uint32_t)surface->blocks_per_row << surface->block_log2, surface->y_low,
                                    surface->y_high};
   find_pixels(n, &axis, y, to);
}

/* Rows of texels one after the other, without blocks. */
static void
find_linear(int n, const struct amd_surface *surface, const int *x, const int *y, const struct lane_pixels *slices,
            uint32_t offset_B[N])
{
   const uint32_t row_B = surface->pitch_el * surface->element_B, texel_B = surface->element_B;
   for (int l = 0; l < n; l++)
      offset_B[l] = slices->block_B[l] + (uint32_t)y[l] * row_B + (uint32_t)x[l] * texel_B;
}

/* sample: NULL: the only one. */
static void
find_slices(int n, const struct amd_surface *surface, const uint32_t *slice, const uint32_t *sample,
            struct lane_pixels *to)
{
   for (int l = 0; l < n; l++) {
      to->block_B[l] =
         (slice[l] >> surface->slab_log2) * (uint32_t)surface->slice_B + (uint32_t)surface->level_offset_B;
      to->in_block_B[l] = (surface->linear ? 0 : surface->z[slice[l] & 255] ^ surface->in_block_xor) ^
                          surface->s[sample ? sample[l] & 15 : 0];
   }
}

/* Where the texels lie, from the image's base. Lanes without any have numbers without meaning. */
static void
locate(const struct tex_plain *t, const struct amd_surface *surface, const struct places *p,
       const struct lane_pixels *slices, unsigned count, uint32_t offset_B[4][N])
{
   struct lane_pixels columns[2], rows[2];
   const int n = lane_count(t);
   for (unsigned i = 0; i < count && surface->linear; i++)
      find_linear(n, surface, p->at[0][i & 1], p->at[1][i >> 1], slices, offset_B[i]);
   if (surface->linear)
      return;
   for (unsigned i = 0; i < (count > 1 ? 2 : 1); i++) {
      find_columns(n, surface, p->at[0][i], &columns[i]);
      find_rows(n, surface, p->at[1][i], &rows[i]);
   }
   for (unsigned i = 0; i < count; i++) {
      const struct lane_pixels *column = &columns[i & 1], *row = &rows[i >> 1];
      for (int l = 0; l < n; l++)
         offset_B[i][l] = column->block_B[l] + row->block_B[l] + slices->block_B[l] +
                          (column->in_block_B[l] ^ row->in_block_B[l] ^ slices->in_block_B[l]);
   }
}

/* Until the next call. */
static const uint8_t *
read_texel(const struct tex_plain *t, uint64_t offset_B)
{
   if (offset_B + t->image->format.size_B > t->image->run_B)
      return tex_image_piece(t->image, offset_B, t->bad);
   return tex_image_bytes(t->image, offset_B);
}

static inline bool
are_all(const struct tex_plain *t, uint64_t lanes)
{
   return lanes == UINT64_MAX >> (N - t->request->lanes);
}

/* Lanes without a texel get that of another one. */
static void
fill_up(const struct tex_plain *t, uint64_t lanes, uint32_t offset_B[N])
{
   const uint32_t some_B = offset_B[__builtin_ctzll(lanes)];
   const int n = are_all(t, lanes) ? 0 : lane_count(t);
   for (int first = 0; first < n; first += HALF, lanes >>= HALF) {
      const uint32_t half = (uint32_t)lanes;
      for (int l = 0; l < HALF; l++)
         offset_B[first + l] = half >> l & 1 ? offset_B[first + l] : some_B;
   }
}

/* Takes out of some lines, counted from a page on, those of that page: a bit for each. Returns the least one that is
 * left; UINT32_MAX is none. */
static inline uint32_t
take_lines(int n, uint32_t page, uint32_t line[N], uint32_t *lines)
{
   const unsigned lines_log2 = AMD_CACHE_PAGE_LOG2 - AMD_CACHE_LINE_LOG2;
   uint32_t some = 0, least = UINT32_MAX;
   for (int l = 0; l < n; l++) {
      const uint32_t own = line[l] >> lines_log2 == page ? UINT32_MAX : 0;
      some |= own & 1u << (line[l] & ((1u << lines_log2) - 1));
      line[l] |= own;
      least = MIN2(least, line[l]);
   }
   *lines = some;
   return least;
}

/* Whether all lanes' texels lie in one piece of memory, and loads of them find what it has. Power-of-two sizes: none
 * lies in two lines. */
static bool
read_in_place(const struct tex_plain *t, const uint32_t offset_B[N])
{
   const struct tex_image *image = t->image;
   const uint64_t end_B = image->run_B - MIN2(image->run_B, (uint64_t)image->format.size_B - 1);
   const uint64_t first_page = image->base.va >> AMD_CACHE_PAGE_LOG2;
   const uint32_t in_page_B = image->base.va & ((1u << AMD_CACHE_PAGE_LOG2) - 1);
   const int n = lane_count(t);
   uint32_t line[N], last_B = 0, least = UINT32_MAX;
   for (int l = 0; l < n; l++) {
      last_B = MAX2(last_B, offset_B[l]);
      line[l] = (in_page_B + offset_B[l]) >> AMD_CACHE_LINE_LOG2;
      least = MIN2(least, line[l]);
   }
   bool ok = last_B < end_B;
   for (uint32_t pages = 0, lines, old = 0; image->port && ok && least != UINT32_MAX; pages++) {
      const uint32_t page = least >> (AMD_CACHE_PAGE_LOG2 - AMD_CACHE_LINE_LOG2);
      least = take_lines(n, page, line, &lines);
      ok = pages < AMD_CACHE_MEMO &&
           (amd_cache_knows(image->port, image->path, first_page + page, lines) ||
            amd_cache_read_lines(image->port, image->path, first_page + page, lines, &old)) &&
           !old;
   }
   return ok;
}

/* The line that the lane before has read. */
struct read_line {
   uint64_t number;      /* of the address; UINT64_MAX: none */
   const uint8_t *bytes; /* NULL: its texels are to be looked at one by one */
};

/* read_texel() of a lane after others: those of a line share the look at it, unless they evict it each time. */
static inline const uint8_t *
read_after(const struct tex_plain *t, uint64_t offset_B, struct read_line *last)
{
   const struct tex_image *image = t->image;
   const uint64_t va = image->base.va + offset_B, number = va >> AMD_CACHE_LINE_LOG2;
   const uint32_t in_line_B = va & ((1u << AMD_CACHE_LINE_LOG2) - 1);
   if (!image->port || image->path & (AMD_PATH_GLC | AMD_PATH_DLC) || offset_B + image->format.size_B > image->run_B)
      return read_texel(t, offset_B);
   if (number != last->number) {
      last->number = number;
      last->bytes =
         amd_cache_read_line(image->port, image->path, sim_va(va - in_line_B), image->host + offset_B - in_line_B);
   }
   return last->bytes ? last->bytes + in_line_B : read_texel(t, offset_B);
}

/* The words of a texel. */
static inline void
copy_texel(const uint8_t *from, int size_B, uint32_t texel[4])
{
   switch (size_B) { /* others: 16 */
   case 1:
      texel[0] = from[0];
      break;
   case 2:
      texel[0] = (uint32_t)(from[0] | from[1] << 8);
      break;
   case 4:
      memcpy(texel, from, 4);
      break;
   case 8:
      memcpy(texel, from, 8);
      break;
   default:
      memcpy(texel, from, 16);
   }
}

/* Words of texels of one size, a size a loop. place: NULL if they are to be read one by one. */
static void
read_words(const struct tex_plain *t, const uint8_t *place, const uint32_t offset_B[N], uint32_t words[4][N])
{
   const int n = lane_count(t), size_B = t->image->format.size_B;
   const uint8_t *const host = t->image->host;
   if (!place) {
      struct read_line last = {.number = UINT64_MAX};
      for (int l = 0; l < n; l++) {
         uint32_t texel[4] = {0};
         copy_texel(read_after(t, offset_B[l], &last), size_B, texel);
         for (unsigned w = 0; w < 4; w++)
            words[w][l] = texel[w];
      }
      return;
   }
   for (int l = 0; l < n && size_B == 1; l++)
      words[0][l] = host[offset_B[l]];
   for (int l = 0; l < n && size_B == 2; l++)
      words[0][l] = (uint32_t)(host[offset_B[l]] | host[offset_B[l] + 1] << 8);
   for (int w = 0; w < size_B / 4; w++)
      wide_gather(host + 4 * w, offset_B, n, words[w]);
}

#endif
