#include "amd/sim/tex/tex_plain.h"

#include <math.h>
#include <string.h>

#include "amd/hw/descriptors.h"
#include "amd/sim/tex/tex_coord.h"
#include "amd/sim/tex/tex_lod.h"
#include "sim/numeric.h"
#include "sim/wide.h"
#include "util/macros.h"

enum {
   N = 32, /* lanes at once */
};

/* Of one level: which texels the lanes read, one (nearest) or the four of a square. */
struct places {
   _Alignas(64) int x[2][N], y[2][N];
   float fx[N], fy[N];
   uint32_t border[4]; /* lanes whose texel is the border */
};

/* Component by component, 32 bits each. */
struct texels {
   _Alignas(64) uint32_t component[4][N];
};

static inline int
floor_of(float f)
{
   int i = (int)f;
   return i - ((float)i > f);
}

/* In texels: sim_wrap_coordinate(). */
static void
scale(enum sim_wrap mode, bool normalized, const float *from, float size, float *to)
{
   const bool repeat = mode == SIM_WRAP_REPEAT && normalized;
   const float by = normalized ? size : 1.0f;
   for (int l = 0; l < N; l++) {
      float c = from[l], turn = c > -4194304.0f && c < 4194304.0f ? c : 0.0f;
      c = repeat ? c - (float)floor_of(turn) : c;
      float u = normalized ? c * by : c;
      u = u > -16777216.0f ? u : u == u ? -16777216.0f : 0.0f;
      to[l] = u < 16777216.0f ? u : 16777216.0f;
   }
}

/* The texel that holds each coordinate, or the first of two around it and the second one's weight. */
static void
choose(bool linear, float weights, const float *u, int *first, float *part)
{
   for (int l = 0; l < N; l++) {
      float at = linear ? floorf((u[l] - 0.5f) * weights + 0.5f) / weights : u[l];
      int i = floor_of(at);
      part[l] = at - (float)i;
      first[l] = i;
   }
}

/* Under the address mode. Returns the lanes that read the border. */
static uint32_t
wrap(enum sim_wrap mode, uint32_t lanes, uint32_t size, int *i)
{
   uint32_t outside = 0, border = 0;
   for (int l = 0; l < N; l++)
      outside |= (uint32_t)i[l] >= size;
   for (uint32_t left = outside ? lanes : 0; left; left &= left - 1) {
      unsigned l = (unsigned)__builtin_ctz(left);
      int at = sim_wrap_texel(mode, i[l], (int)size);
      border |= (uint32_t)(at < 0) << l;
      i[l] = MAX2(at, 0);
   }
   return border;
}

/* Along one axis. Returns the lanes that read the border: first and second texel. */
static void
place_axis(const struct tex_plain *t, unsigned axis, bool linear, uint32_t size, uint32_t lanes, int (*at)[N],
           float *part, uint32_t border[2])
{
   const struct amd_tex_request *r = t->request;
   const struct sim_sampler *s = &t->sampler->filter;
   float u[N];
   scale(s->wrap[axis], !s->unnormalized, r->coord.f[axis] + t->first, (float)size, u);
   choose(linear, s->weights, u, at[0], part);
   for (int l = 0; l < N && r->has_offset; l++)
      at[0][l] += r->offset[axis][t->first + l];
   for (int l = 0; l < N && linear; l++)
      at[1][l] = at[0][l] + 1;
   border[0] = wrap(s->wrap[axis], lanes, size, at[0]);
   border[1] = linear ? wrap(s->wrap[axis], lanes, size, at[1]) : 0;
}

static void
place(const struct tex_plain *t, const struct tex_level *level, bool linear, uint32_t lanes, struct places *p)
{
   uint32_t x[2], y[2];
   place_axis(t, 0, linear, level->width, lanes, p->x, p->fx, x);
   place_axis(t, 1, linear, level->height, lanes, p->y, p->fy, y);
   for (unsigned i = 0; i < 4; i++)
      p->border[i] = x[i & 1] | y[i >> 1];
}

/* What a coordinate of each lane gives to the places of its texels: struct amd_surface_pixel, of all lanes. */
struct lane_pixels {
   _Alignas(64) uint64_t block_B[N];
   uint32_t in_block_B[N];
};

static void
find_columns(const struct amd_surface *surface, const int *x, struct lane_pixels *to)
{
   for (int l = 0; l < N; l++) {
      const struct amd_surface_pixel column = amd_surface_column(surface, (uint32_t)x[l]);
      to->block_B[l] = column.block_B;
      to->in_block_B[l] = column.in_block_B;
   }
}

static void
find_rows(const struct amd_surface *surface, const int *y, struct lane_pixels *to)
{
   for (int l = 0; l < N; l++) {
      const struct amd_surface_pixel row = amd_surface_row(surface, (uint32_t)y[l]);
      to->block_B[l] = row.block_B;
      to->in_block_B[l] = row.in_block_B;
   }
}

/* Rows of texels one behind the other, without blocks. */
static void
find_linear(const struct amd_surface *surface, const struct places *p, const struct lane_pixels *slices, unsigned i,
            uint64_t offset_B[N])
{
   const uint32_t row_B = surface->pitch_el * surface->element_B, texel_B = surface->element_B;
   const int *x = p->x[i & 1], *y = p->y[i >> 1];
   for (int l = 0; l < N; l++)
      offset_B[l] = slices->block_B[l] + (uint64_t)(uint32_t)y[l] * row_B + (uint64_t)(uint32_t)x[l] * texel_B;
}

static void
find_slices(const struct tex_plain *t, const struct amd_surface *surface, uint32_t lanes, struct lane_pixels *to)
{
   const struct tex_image *image = t->image;
   const struct amd_surface_pixel slice = amd_surface_slice(surface, image->base_array);
   for (int l = 0; l < N; l++) {
      to->block_B[l] = slice.block_B;
      to->in_block_B[l] = slice.in_block_B;
   }
   for (uint32_t left = t->request->dim == TEX_DIM_2D_ARRAY ? lanes : 0; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctz(left);
      const struct amd_surface_pixel own =
         amd_surface_slice(surface, tex_layer_slice(image, t->request->coord.f[2][t->first + l]));
      to->block_B[l] = own.block_B;
      to->in_block_B[l] = own.in_block_B;
   }
}

/* Where the texels lie, from the image's base. Lanes without any have numbers without meaning. */
static void
locate(const struct tex_plain *t, const struct amd_surface *surface, uint32_t lanes, const struct places *p,
       unsigned count, uint64_t offset_B[4][N])
{
   struct lane_pixels columns[2], rows[2], slices;
   find_slices(t, surface, lanes, &slices);
   for (unsigned i = 0; i < count && surface->linear; i++)
      find_linear(surface, p, &slices, i, offset_B[i]);
   if (surface->linear)
      return;
   for (unsigned i = 0; i < (count > 1 ? 2 : 1); i++) {
      find_columns(surface, p->x[i], &columns[i]);
      find_rows(surface, p->y[i], &rows[i]);
   }
   for (unsigned i = 0; i < count; i++) {
      const struct lane_pixels *column = &columns[i & 1], *row = &rows[i >> 1];
      for (int l = 0; l < N; l++) {
         const uint32_t in_block_B = column->in_block_B[l] ^ row->in_block_B[l] ^ slices.in_block_B[l];
         const struct amd_surface_pixel pixel = {column->block_B[l] + row->block_B[l] + slices.block_B[l],
                                                 in_block_B};
         offset_B[i][l] = amd_surface_sample(surface, pixel, 0);
      }
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

/* Lanes without a texel get that of another one. */
static void
fill_up(uint32_t lanes, uint64_t offset_B[N])
{
   const uint64_t some_B = offset_B[__builtin_ctz(lanes)];
   for (int l = 0; l < N; l++)
      offset_B[l] = lanes >> l & 1 ? offset_B[l] : some_B;
}

/* Whether all lanes' texels lie in one piece of memory, and loads of them find what it has. Power-of-two sizes: none
 * lies in two lines. */
static bool
read_in_place(const struct tex_plain *t, const uint64_t offset_B[N])
{
   const struct tex_image *image = t->image;
   const unsigned lines_log2 = AMD_CACHE_PAGE_LOG2 - AMD_CACHE_LINE_LOG2;
   const uint64_t end_B = image->run_B - MIN2(image->run_B, (uint64_t)image->format.size_B - 1);
   uint32_t line[N];     /* no image has so many that their low bits repeat */
   uint64_t outside = 0; /* its highest bit */
   for (int l = 0; l < N; l++) {
      outside |= end_B - 1 - offset_B[l];
      line[l] = (uint32_t)((image->base.va + offset_B[l]) >> AMD_CACHE_LINE_LOG2);
   }
   bool ok = !(outside >> 63);
   for (uint32_t left = ok && image->port ? UINT32_MAX : 0, pages = 0; left && ok; pages++) {
      const unsigned first = (unsigned)__builtin_ctz(left);
      const uint32_t page = line[first] >> lines_log2;
      uint32_t same = 0, lines = 0;
      for (int l = 0; l < N; l++) {
         const uint32_t mask = line[l] >> lines_log2 == page ? UINT32_MAX : 0;
         same |= mask & 1u << l;
         lines |= mask & 1u << (line[l] & ((1u << lines_log2) - 1));
      }
      left &= ~same;
      const uint64_t number = sim_va_add(image->base, (int64_t)offset_B[first]).va >> AMD_CACHE_PAGE_LOG2;
      ok = pages < AMD_CACHE_MEMO && (amd_cache_knows(image->port, image->path, number, lines) ||
                                      amd_cache_read_lines(image->port, image->path, number, lines));
   }
   return ok;
}

static void
load_words(const uint8_t *from, const uint64_t offset_B[N], uint32_t words[N])
{
   for (int l = 0; l < N; l += 4) {
      memcpy(&words[l], from + offset_B[l], 4);
      memcpy(&words[l + 1], from + offset_B[l + 1], 4);
      memcpy(&words[l + 2], from + offset_B[l + 2], 4);
      memcpy(&words[l + 3], from + offset_B[l + 3], 4);
   }
}

static bool
is_bytes(const struct sim_texel_format *f)
{
   return f->layout == SIM_TEXEL_PLAIN && f->components == 4 && f->bits[0] == 8 && f->bits[1] == 8 &&
          f->bits[2] == 8 && f->bits[3] == 8 && (f->numeric == SIM_UNORM || f->numeric == SIM_SRGB);
}

/* Four bytes a texel, as they lie in memory, to components. */
static void
unpack_bytes(bool srgb, const uint32_t *words, struct texels *to)
{
   for (unsigned k = 0; k < 4; k++) {
      for (int l = 0; l < N; l++)
         to->component[k][l] = float_bits((float)(int)(words[l] >> 8 * k & 255) / 255.0f);
   }
   for (unsigned k = 0; k < 3 && srgb; k++) {
      for (int l = 0; l < N; l++)
         to->component[k][l] = float_bits(sim_srgb_to_float[words[l] >> 8 * k & 255]);
   }
}

static void
put_border(const struct tex_plain *t, uint32_t lanes, struct texels *to)
{
   const struct sim_sampler *s = &t->sampler->filter;
   const v4u color = t->image->is_int ? s->border_bits : (v4u)s->border;
   for (; lanes; lanes &= lanes - 1)
      for (unsigned k = 0; k < 4; k++)
         to->component[k][__builtin_ctz(lanes)] = color[k];
}

/* count: texels of each lane, 1 or 4. */
static void
fetch(const struct tex_plain *t, const struct tex_level *level, uint32_t lanes, const struct places *p,
      unsigned count, struct texels *to)
{
   const struct sim_texel_format *format = &t->image->format;
   const bool bytes = is_bytes(format);
   uint64_t offset_B[4][N];
   locate(t, &level->surface, lanes, p, count, offset_B);
   for (unsigned i = 0; i < count; i++) {
      const uint32_t inside = lanes & ~p->border[i];
      uint32_t words[N];
      if (!inside) {
         put_border(t, lanes, &to[i]);
         continue;
      }
      fill_up(inside, offset_B[i]);
      const uint8_t *place = read_in_place(t, offset_B[i]) ? t->image->host : NULL;
      if (bytes && place)
         load_words(place, offset_B[i], words);
      for (int l = 0; l < N && bytes && !place; l++)
         memcpy(&words[l], read_texel(t, offset_B[i][l]), 4);
      for (uint32_t left = bytes ? 0 : inside; left; left &= left - 1) {
         const unsigned l = (unsigned)__builtin_ctz(left);
         uint32_t value[4];
         sim_texel_decode(format, place ? place + offset_B[i][l] : read_texel(t, offset_B[i][l]), value);
         for (unsigned k = 0; k < 4; k++)
            to[i].component[k][l] = value[k];
      }
      if (bytes)
         unpack_bytes(format->numeric == SIM_SRGB, words, &to[i]);
      put_border(t, lanes & ~inside, &to[i]);
   }
}

static void
mix(const uint32_t *a, const uint32_t *b, const float *part, uint32_t *to)
{
   for (int l = 0; l < N; l++) {
      float first = bits_float(a[l]), second = bits_float(b[l]);
      to[l] = float_bits(first + (second - first) * part[l]);
   }
}

/* To the first of the square, where other lanes get anything. */
static void
sample_level(const struct tex_plain *t, unsigned number, bool linear, uint32_t lanes, struct texels square[4])
{
   const struct tex_level *level = tex_image_level(t->image, number, t->fault);
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
         mix(result, square[1].component[k], p.fx, result);
         mix(square[2].component[k], square[3].component[k], p.fx, square[2].component[k]);
         mix(result, square[2].component[k], p.fy, result);
      }
   }
}

static void
put_lanes(uint32_t lanes, const struct texels *from, struct texels *to)
{
   for (unsigned k = 0; k < 4; k++)
      for (int l = 0; l < N; l++)
         to->component[k][l] = lanes >> l & 1 ? from->component[k][l] : to->component[k][l];
}

/* Levels of the lanes, and how they are filtered: as sim_sample() does. */
struct levels {
   uint8_t first[N];
   bool linear[N];
   float between[N];
   uint32_t two; /* lanes that need the next level, too */
};

static void
choose_levels(const struct tex_plain *t, uint32_t lanes, struct levels *c)
{
   const struct sim_sampler *s = &t->sampler->filter;
   const float top = (float)(t->image->last_level - t->image->base_level);
   c->two = 0;
   for (; lanes; lanes &= lanes - 1) {
      const unsigned l = (unsigned)__builtin_ctz(lanes);
      const struct sim_mip_choice choice = sim_choose_level(s, top, t->lod[t->first + l]);
      c->linear[l] = choice.linear;
      c->first[l] = (uint8_t)choice.first;
      c->between[l] = choice.between;
      c->two |= (uint32_t)(choice.between != 0.0f && !t->image->is_int) << l;
   }
}

/* The lanes that share the first one's level and filter. */
static uint32_t
alike(const struct levels *c, uint32_t lanes)
{
   const unsigned first = (unsigned)__builtin_ctz(lanes);
   uint32_t same = 0;
   for (uint32_t left = lanes; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctz(left);
      same |= (uint32_t)(c->first[l] == c->first[first] && c->linear[l] == c->linear[first]) << l;
   }
   return same;
}

static void
sample_levels(const struct tex_plain *t, uint32_t lanes, struct texels *near)
{
   struct levels c;
   struct texels square[4], far = {{{0}}};
   memset(near, 0, sizeof(*near));
   choose_levels(t, lanes, &c);
   for (uint32_t left = lanes, same; left; left &= ~same) {
      const unsigned l = (unsigned)__builtin_ctz(left), level = t->image->base_level + c.first[l];
      same = alike(&c, left);
      sample_level(t, level, c.linear[l], same, square);
      put_lanes(same, &square[0], near);
      if (!(same & c.two))
         continue;
      sample_level(t, level + 1, c.linear[l], same & c.two, square);
      put_lanes(same & c.two, &square[0], &far);
   }
   for (unsigned k = 0; k < 4 && c.two; k++) {
      uint32_t mixed[N];
      mix(near->component[k], far.component[k], c.between, mixed);
      for (int l = 0; l < N; l++)
         near->component[k][l] = c.two >> l & 1 ? mixed[l] : near->component[k][l];
   }
}

static void
sample_half(const struct tex_plain *t, uint32_t lanes, uint32_t result[4][AMD_TEX_LANES])
{
   const uint8_t *select = t->image->dst_sel;
   struct texels texels[4];
   if (t->lod)
      sample_levels(t, lanes, texels);
   else
      sample_level(t, t->image->base_level, t->sampler->filter.mag_linear, lanes, texels);
   for (unsigned c = 0; c < 4; c++) {
      const uint32_t constant = tex_constant(t->image, select[c]);
      const uint32_t *from = select[c] >= V_SQ_SEL_X ? texels[0].component[select[c] - V_SQ_SEL_X] : NULL;
      uint32_t *to = result[c] + t->first;
      if (from && lanes == UINT32_MAX)
         memcpy(to, from, N * 4);
      for (int l = 0; l < N && !(from && lanes == UINT32_MAX); l++)
         to[l] = !(lanes >> l & 1) ? to[l] : from ? from[l] : constant;
   }
}

void
WIDE(tex_plain_sample)(const struct tex_plain *of, uint32_t result[4][AMD_TEX_LANES])
{
   struct tex_plain t = *of;
   for (t.first = 0; t.first < t.request->lanes; t.first += N) {
      uint32_t lanes = (uint32_t)(t.request->exec >> t.first);
      if (lanes)
         sample_half(&t, lanes, result);
   }
}
