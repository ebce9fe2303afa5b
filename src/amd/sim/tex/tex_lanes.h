/* Texels of all lanes of a request at once: where those of a level lie, what the caches have there, and their
 * numbers, component by component. For files that are built twice (sim/wide.h). Internal to the texture unit. */
#ifndef INDIUM_AMD_SIM_TEX_LANES_H
#define INDIUM_AMD_SIM_TEX_LANES_H

#include <string.h>

#include "amd/hw/descriptors.h"
#include "amd/sim/tex/tex_plain.h"
#include "amd/sim/tex/tex_unpack.h"
#include "sim/texel/block_memo.h"
#include "util/macros.h"

enum {
   N = AMD_TEX_LANES,
   HALF = 32, /* lanes of a word of them */
};

/* Of one level: which texels the lanes read, one (nearest) or the four of a square. */
struct places {
   _Alignas(64) int x[2][N], y[2][N];
   float fx[N], fy[N];
   uint64_t border[4]; /* lanes whose texel is the border */
};

/* Component by component, 32 bits each. */
struct texels {
   _Alignas(64) uint32_t component[4][N];
};

/* One or two halves: loops over them have no rest. */
static inline int
lane_count(const struct tex_plain *t)
{
   return (int)(t->request->lanes & (2 * HALF | HALF));
}

/* What a coordinate of each lane gives to the places of its texels: struct amd_surface_pixel, of all lanes. */
struct lane_pixels {
   _Alignas(64) uint32_t block_B[N], in_block_B[N];
};

static void
find_columns(int n, const struct amd_surface *surface, const int *x, struct lane_pixels *to)
{
   for (int l = 0; l < n; l++) {
      const struct amd_surface_pixel column = amd_surface_column(surface, (uint32_t)x[l]);
      to->block_B[l] = (uint32_t)column.block_B;
      to->in_block_B[l] = column.in_block_B;
   }
}

static void
find_rows(int n, const struct amd_surface *surface, const int *y, struct lane_pixels *to)
{
   for (int l = 0; l < n; l++) {
      const struct amd_surface_pixel row = amd_surface_row(surface, (uint32_t)y[l]);
      to->block_B[l] = (uint32_t)row.block_B;
      to->in_block_B[l] = row.in_block_B;
   }
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

/* Where the texels lie, from the image's base. Lanes without any have numbers without meaning. */
static void
locate(const struct tex_plain *t, const struct amd_surface *surface, const struct places *p,
       const struct lane_pixels *slices, unsigned count, uint32_t offset_B[4][N])
{
   struct lane_pixels columns[2], rows[2];
   const int n = lane_count(t);
   for (unsigned i = 0; i < count && surface->linear; i++)
      find_linear(n, surface, p->x[i & 1], p->y[i >> 1], slices, offset_B[i]);
   if (surface->linear)
      return;
   for (unsigned i = 0; i < (count > 1 ? 2 : 1); i++) {
      find_columns(n, surface, p->x[i], &columns[i]);
      find_rows(n, surface, p->y[i], &rows[i]);
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
   for (uint32_t pages = 0, lines; image->port && ok && least != UINT32_MAX; pages++) {
      const uint32_t page = least >> (AMD_CACHE_PAGE_LOG2 - AMD_CACHE_LINE_LOG2);
      least = take_lines(n, page, line, &lines);
      ok = pages < AMD_CACHE_MEMO && (amd_cache_knows(image->port, image->path, first_page + page, lines) ||
                                      amd_cache_read_lines(image->port, image->path, first_page + page, lines));
   }
   return ok;
}

static void
put_border(const struct tex_plain *t, uint64_t lanes, struct texels *to)
{
   if (!lanes)
      return; /* loads have no sampler */
   const struct sim_sampler *s = &t->sampler->filter;
   const v4u color = t->image->is_int ? s->border_bits : (v4u)s->border;
   for (; lanes; lanes &= lanes - 1)
      for (unsigned k = 0; k < 4; k++)
         to->component[k][__builtin_ctzll(lanes)] = color[k];
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
      for (int l = 0; l < n; l++)
         memcpy(&words[w][l], host + offset_B[l] + 4 * w, 4);
}

/* Texels that unpack() does not have, x and y being their places. */
static void
decode_each(const struct tex_plain *t, const uint8_t *place, uint64_t lanes, const uint32_t offset_B[N], const int *x,
            const int *y, struct texels *to)
{
   /* size: texels, and where they are */
   const struct sim_texel_format *format = &t->image->format;
   struct read_line last = {.number = UINT64_MAX};
   for (; lanes; lanes &= lanes - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(lanes);
      const uint8_t *texel = place ? place + offset_B[l] : read_after(t, offset_B[l], &last);
      uint32_t value[4];
      if (t->image->compressed)
         sim_block_memo_decode(format, texel, x[l] & 3, y[l] & 3, value);
      else
         sim_texel_decode(format, texel, value);
      for (unsigned k = 0; k < 4; k++)
         to->component[k][l] = value[k];
   }
}

/* Places of blocks instead of those of texels. */
static void
to_blocks(int n, const struct places *texels, struct places *blocks)
{
   for (unsigned i = 0; i < 2; i++)
      for (int l = 0; l < n; l++) {
         blocks->x[i][l] = texels->x[i][l] >> 2;
         blocks->y[i][l] = texels->y[i][l] >> 2;
      }
}

/* count: texels of each lane, 1 or 4. slices: what theirs give to their places. */
static void
fetch(const struct tex_plain *t, const struct tex_level *level, uint64_t lanes, const struct places *p,
      const struct lane_pixels *slices, unsigned count, struct texels *to)
{
   /* size: texels, and where they are */
   const struct sim_texel_format *format = &t->image->format;
   const bool at_once = can_unpack(format);
   const int n = lane_count(t);
   struct places blocks;
   uint32_t offset_B[4][N], words[4][N];
   if (t->image->compressed)
      to_blocks(n, p, &blocks);
   locate(t, &level->surface, t->image->compressed ? &blocks : p, slices, count, offset_B);
   for (unsigned i = 0; i < count; i++) {
      const uint64_t inside = lanes & ~p->border[i];
      if (!inside) {
         put_border(t, lanes, &to[i]);
         continue;
      }
      fill_up(t, inside, offset_B[i]);
      const uint8_t *place = read_in_place(t, offset_B[i]) ? t->image->host : NULL;
      if (at_once) {
         read_words(t, place, offset_B[i], words);
         unpack(n, format, words, to[i].component);
      } else {
         decode_each(t, place, inside, offset_B[i], p->x[i & 1], p->y[i >> 1], &to[i]);
      }
      put_border(t, lanes & ~inside, &to[i]);
   }
}

static void
put_lanes(const struct tex_plain *t, uint64_t lanes, const uint32_t *from, uint32_t *to)
{
   const int n = lane_count(t);
   if (are_all(t, lanes))
      memcpy(to, from, (size_t)n * 4);
   for (int first = 0; first < n && !are_all(t, lanes); first += HALF) {
      const uint32_t half = (uint32_t)(lanes >> first);
      for (int l = 0; l < HALF; l++)
         to[first + l] = half >> l & 1 ? from[first + l] : to[first + l];
   }
}

/* What DST_SEL makes of the texels. */
static void
select_components(const struct tex_plain *t, uint64_t lanes, const struct texels *texels, uint32_t result[4][N])
{
   const uint8_t *select = t->image->dst_sel;
   for (unsigned c = 0; c < 4; c++) {
      const uint32_t constant = tex_constant(t->image, select[c]);
      if (select[c] >= V_SQ_SEL_X)
         put_lanes(t, lanes, texels->component[select[c] - V_SQ_SEL_X], result[c]);
      for (uint64_t left = select[c] >= V_SQ_SEL_X ? 0 : lanes; left; left &= left - 1)
         result[c][__builtin_ctzll(left)] = constant;
   }
}

#endif
