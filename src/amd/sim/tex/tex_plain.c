#include "amd/sim/tex/tex_plain.h"

#include <math.h>
#include <string.h>

#include "amd/hw/descriptors.h"
#include "amd/sim/tex/tex_coord.h"
#include "amd/sim/tex/tex_lod.h"
#include "sim/texel/numeric.h"
#include "sim/wide.h"
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

static inline int
floor_of(float f)
{
   int i = (int)f;
   return i - ((float)i > f);
}

/* In texels: sim_wrap_coordinate(). */
static void
scale(int n, enum sim_wrap mode, bool normalized, const float *from, float size, float *to)
{
   const bool repeat = mode == SIM_WRAP_REPEAT && normalized;
   const float by = normalized ? size : 1.0f;
   for (int l = 0; l < n && repeat; l++) {
      float c = from[l], turn = c > -4194304.0f && c < 4194304.0f ? c : 0.0f;
      to[l] = (c - (float)floor_of(turn)) * by;
   }
   for (int l = 0; l < n && !repeat; l++)
      to[l] = from[l] * by;
   for (int l = 0; l < n; l++) {
      float u = to[l] > -16777216.0f ? to[l] : to[l] == to[l] ? -16777216.0f : 0.0f;
      to[l] = u < 16777216.0f ? u : 16777216.0f;
   }
}

/* The texel that holds each coordinate, or the first of two around it and the second one's weight. */
static void
choose(int n, bool linear, float weights, const float *u, int *first, float *part)
{
   for (int l = 0; l < n && !linear; l++)
      first[l] = floor_of(u[l]);
   for (int l = 0; l < n && linear; l++) {
      float at = floorf((u[l] - 0.5f) * weights + 0.5f) / weights;
      int i = floor_of(at);
      part[l] = at - (float)i;
      first[l] = i;
   }
}

/* All of that where coordinates are clamped to the edge, the nearest texel is meant and nothing is added: NaN is 0.
 */
static void
choose_clamped(int n, const float *from, float by, uint32_t size, int *to)
{
   const float last = (float)(size - 1);
   for (int l = 0; l < n; l++) {
      float u = from[l] * by;
      u = u > 0.0f ? u : 0.0f;
      u = u < last ? u : last;
      to[l] = (int)u;
   }
}

/* Under the address mode. Returns the lanes that read the border. */
static uint64_t
wrap(int n, enum sim_wrap mode, uint64_t lanes, int size, int *i)
{
   uint64_t border = 0;
   uint32_t outside = 0;
   if (mode == SIM_WRAP_EDGE) {
      for (int l = 0; l < n; l++)
         i[l] = i[l] < 0 ? 0 : i[l] < size ? i[l] : size - 1;
      return 0;
   }
   for (int l = 0; l < n; l++)
      outside |= (uint32_t)i[l] >= (uint32_t)size;
   for (uint64_t left = outside ? lanes : 0; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(left);
      int at = sim_wrap_texel(mode, i[l], size);
      border |= (uint64_t)(at < 0) << l;
      i[l] = MAX2(at, 0);
   }
   return border;
}

/* Along one axis. Returns the lanes that read the border: first and second texel. */
static void
place_axis(const struct tex_plain *t, unsigned axis, bool linear, uint32_t size, uint64_t lanes, int (*at)[N],
           float *part, uint64_t border[2])
{
   /* size: one axis: what it reads, and three results */
   const struct amd_tex_request *r = t->request;
   const struct sim_sampler *s = &t->sampler->filter;
   const int n = lane_count(t);
   float u[N];
   if (s->wrap[axis] == SIM_WRAP_EDGE && !linear && !r->has_offset) {
      choose_clamped(n, r->coord.f[axis], s->unnormalized ? 1.0f : (float)size, size, at[0]);
      border[0] = border[1] = 0;
      return;
   }
   scale(n, s->wrap[axis], !s->unnormalized, r->coord.f[axis], (float)size, u);
   choose(n, linear, s->weights, u, at[0], part);
   for (int l = 0; l < n && r->has_offset; l++)
      at[0][l] += r->offset[axis][l];
   for (int l = 0; l < n && linear; l++)
      at[1][l] = at[0][l] + 1;
   border[0] = wrap(n, s->wrap[axis], lanes, (int)size, at[0]);
   border[1] = linear ? wrap(n, s->wrap[axis], lanes, (int)size, at[1]) : 0;
}

static void
place(const struct tex_plain *t, const struct tex_level *level, bool linear, uint64_t lanes, struct places *p)
{
   uint64_t x[2], y[2];
   place_axis(t, 0, linear, level->width, lanes, p->x, p->fx, x);
   place_axis(t, 1, linear, level->height, lanes, p->y, p->fy, y);
   for (unsigned i = 0; i < 4; i++)
      p->border[i] = x[i & 1] | y[i >> 1];
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

static void
find_slices(const struct tex_plain *t, const struct amd_surface *surface, uint64_t lanes, struct lane_pixels *to)
{
   const struct tex_image *image = t->image;
   const int n = lane_count(t);
   const struct amd_surface_pixel slice = amd_surface_slice(surface, image->base_array);
   for (int l = 0; l < n; l++) {
      to->block_B[l] = (uint32_t)slice.block_B;
      to->in_block_B[l] = slice.in_block_B;
   }
   for (uint64_t left = t->request->dim == TEX_DIM_2D_ARRAY ? lanes : 0; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(left);
      const struct amd_surface_pixel own =
         amd_surface_slice(surface, tex_layer_slice(image, t->request->coord.f[2][l]));
      to->block_B[l] = (uint32_t)own.block_B;
      to->in_block_B[l] = own.in_block_B;
   }
}

/* Where the texels lie, from the image's base. Lanes without any have numbers without meaning. */
static void
locate(const struct tex_plain *t, const struct amd_surface *surface, uint64_t lanes, const struct places *p,
       unsigned count, uint32_t offset_B[4][N])
{
   struct lane_pixels columns[2], rows[2], slices;
   const int n = lane_count(t);
   find_slices(t, surface, lanes, &slices);
   for (unsigned i = 0; i < count && surface->linear; i++)
      find_linear(n, surface, p->x[i & 1], p->y[i >> 1], &slices, offset_B[i]);
   if (surface->linear)
      return;
   for (unsigned i = 0; i < (count > 1 ? 2 : 1); i++) {
      find_columns(n, surface, p->x[i], &columns[i]);
      find_rows(n, surface, p->y[i], &rows[i]);
   }
   for (unsigned i = 0; i < count; i++) {
      const struct lane_pixels *column = &columns[i & 1], *row = &rows[i >> 1];
      for (int l = 0; l < n; l++)
         offset_B[i][l] = column->block_B[l] + row->block_B[l] + slices.block_B[l] +
                          (column->in_block_B[l] ^ row->in_block_B[l] ^ slices.in_block_B[l] ^ surface->s[0]);
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

static bool
is_bytes(const struct sim_texel_format *f)
{
   return f->layout == SIM_TEXEL_PLAIN && f->components == 4 && f->bits[0] == 8 && f->bits[1] == 8 &&
          f->bits[2] == 8 && f->bits[3] == 8 && (f->numeric == SIM_UNORM || f->numeric == SIM_SRGB);
}

/* code / 255: the first product and the sum are exact but for the last rounding. */
static inline float
unorm8(uint32_t code)
{
   const float number = (float)(int)code;
   return number * 0x1.0101p-8f + number * 0x1.010102p-32f;
}

/* Four bytes a texel, as they lie in memory, to components. */
static void
unpack_bytes(int n, bool srgb, const uint32_t *words, struct texels *to)
{
   for (unsigned k = srgb ? 3 : 0; k < 4; k++) {
      for (int l = 0; l < n; l++)
         to->component[k][l] = float_bits(unorm8(words[l] >> 8 * k & 255));
   }
   for (unsigned k = 0; k < 3 && srgb; k++) {
      for (int l = 0; l < n; l++)
         to->component[k][l] = float_bits(sim_srgb_to_float[words[l] >> 8 * k & 255]);
   }
}

static void
put_border(const struct tex_plain *t, uint64_t lanes, struct texels *to)
{
   const struct sim_sampler *s = &t->sampler->filter;
   const v4u color = t->image->is_int ? s->border_bits : (v4u)s->border;
   for (; lanes; lanes &= lanes - 1)
      for (unsigned k = 0; k < 4; k++)
         to->component[k][__builtin_ctzll(lanes)] = color[k];
}

static void
fetch_bytes(const struct tex_plain *t, const uint8_t *place, const uint32_t offset_B[N], struct texels *to)
{
   const int n = lane_count(t);
   uint32_t words[N];
   for (int l = 0; l < n; l++)
      memcpy(&words[l], place ? place + offset_B[l] : read_texel(t, offset_B[l]), 4);
   unpack_bytes(n, t->image->format.numeric == SIM_SRGB, words, to);
}

/* count: texels of each lane, 1 or 4. */
static void
fetch(const struct tex_plain *t, const struct tex_level *level, uint64_t lanes, const struct places *p,
      unsigned count, struct texels *to)
{
   const struct sim_texel_format *format = &t->image->format;
   const bool bytes = is_bytes(format);
   uint32_t offset_B[4][N];
   locate(t, &level->surface, lanes, p, count, offset_B);
   for (unsigned i = 0; i < count; i++) {
      const uint64_t inside = lanes & ~p->border[i];
      if (!inside) {
         put_border(t, lanes, &to[i]);
         continue;
      }
      fill_up(t, inside, offset_B[i]);
      const uint8_t *place = read_in_place(t, offset_B[i]) ? t->image->host : NULL;
      if (bytes)
         fetch_bytes(t, place, offset_B[i], &to[i]);
      for (uint64_t left = bytes ? 0 : inside; left; left &= left - 1) {
         const unsigned l = (unsigned)__builtin_ctzll(left);
         uint32_t value[4];
         sim_texel_decode(format, place ? place + offset_B[i][l] : read_texel(t, offset_B[i][l]), value);
         for (unsigned k = 0; k < 4; k++)
            to[i].component[k][l] = value[k];
      }
      put_border(t, lanes & ~inside, &to[i]);
   }
}

static void
mix(int n, const uint32_t *a, const uint32_t *b, const float *part, uint32_t *to)
{
   for (int l = 0; l < n; l++) {
      float first = bits_float(a[l]), second = bits_float(b[l]);
      to[l] = float_bits(first + (second - first) * part[l]);
   }
}

/* To the first of the square, where other lanes get anything. */
static void
sample_level(const struct tex_plain *t, unsigned number, bool linear, uint64_t lanes, struct texels square[4])
{
   const struct tex_level *level = tex_image_level(t->image, number, t->fault);
   const int n = lane_count(t);
   struct places p;
   if (!level) {
      memset(square, 0, sizeof(*square));
      *t->bad = true;
      return;
   }
   linear &= !t->image->is_int;
   place(t, level, linear, lanes, &p);
   fetch(t, level, lanes, &p, linear ? 4 : 1, square);
   for (unsigned k = 0; k < 4; k++) {
      uint32_t *result = square[0].component[k];
      if (linear) {
         mix(n, result, square[1].component[k], p.fx, result);
         mix(n, square[2].component[k], square[3].component[k], p.fx, square[2].component[k]);
         mix(n, result, square[2].component[k], p.fy, result);
      }
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

/* Levels of the lanes, and how they are filtered: as sim_sample() does. */
struct levels {
   uint8_t first[N];
   bool linear[N];
   float between[N];
   uint64_t two; /* lanes that need the next level, too */
};

static void
choose_levels(const struct tex_plain *t, uint64_t lanes, struct levels *c)
{
   const struct sim_sampler *s = &t->sampler->filter;
   const float top = (float)(t->image->last_level - t->image->base_level);
   c->two = 0;
   for (; lanes; lanes &= lanes - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(lanes);
      const struct sim_mip_choice choice = sim_choose_level(s, top, t->lod[l]);
      c->linear[l] = choice.linear;
      c->first[l] = (uint8_t)choice.first;
      c->between[l] = choice.between;
      c->two |= (uint64_t)(choice.between != 0.0f && !t->image->is_int) << l;
   }
}

/* The lanes that share the first one's level and filter. */
static uint64_t
alike(const struct levels *c, uint64_t lanes)
{
   const unsigned first = (unsigned)__builtin_ctzll(lanes);
   uint64_t same = 0;
   for (uint64_t left = lanes; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(left);
      same |= (uint64_t)(c->first[l] == c->first[first] && c->linear[l] == c->linear[first]) << l;
   }
   return same;
}

static void
sample_levels(const struct tex_plain *t, uint64_t lanes, struct texels *near)
{
   struct levels c;
   struct texels square[4], far = {{{0}}};
   memset(near, 0, sizeof(*near));
   choose_levels(t, lanes, &c);
   for (uint64_t left = lanes, same; left; left &= ~same) {
      const unsigned l = (unsigned)__builtin_ctzll(left), level = t->image->base_level + c.first[l];
      same = alike(&c, left);
      sample_level(t, level, c.linear[l], same, square);
      for (unsigned k = 0; k < 4; k++)
         put_lanes(t, same, square[0].component[k], near->component[k]);
      if (!(same & c.two))
         continue;
      sample_level(t, level + 1, c.linear[l], same & c.two, square);
      for (unsigned k = 0; k < 4; k++)
         put_lanes(t, same & c.two, square[0].component[k], far.component[k]);
   }
   for (unsigned k = 0; k < 4 && c.two; k++) {
      uint32_t mixed[N];
      mix(lane_count(t), near->component[k], far.component[k], c.between, mixed);
      put_lanes(t, c.two, mixed, near->component[k]);
   }
}

void
WIDE(tex_plain_sample)(const struct tex_plain *t, uint32_t result[4][AMD_TEX_LANES])
{
   const uint64_t lanes = t->request->exec & UINT64_MAX >> (N - t->request->lanes);
   const uint8_t *select = t->image->dst_sel;
   struct texels texels[4];
   if (t->lod)
      sample_levels(t, lanes, texels);
   else
      sample_level(t, t->image->base_level, t->sampler->filter.mag_linear, lanes, texels);
   for (unsigned c = 0; c < 4; c++) {
      const uint32_t constant = tex_constant(t->image, select[c]);
      if (select[c] >= V_SQ_SEL_X)
         put_lanes(t, lanes, texels[0].component[select[c] - V_SQ_SEL_X], result[c]);
      for (uint64_t left = select[c] >= V_SQ_SEL_X ? 0 : lanes; left; left &= left - 1)
         result[c][__builtin_ctzll(left)] = constant;
   }
}
