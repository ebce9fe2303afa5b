/* Texels of all lanes, from memory, metadata or the border. For files that are built twice (sim/wide.h). Internal to
 * the texture unit. */
#ifndef INDIUM_AMD_SIM_TEX_FETCH_H
#define INDIUM_AMD_SIM_TEX_FETCH_H

#include "amd/sim/surface/dcc.h"
#include "amd/sim/tex/tex_lanes.h"
#include "amd/sim/tex/tex_meta.h"
#include "sim/texel/block_memo.h"

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
   for (unsigned axis = 0; axis < 2; axis++)
      for (unsigned i = 0; i < 2; i++)
         for (int l = 0; l < n; l++)
            blocks->at[axis][i][l] = texels->at[axis][i][l] >> 2;
}

/* Whether metadata at a place says nothing but that the texel is in memory: what most of it says. */
static inline bool
is_in_memory(const struct tex_image *image, const struct tex_level *level, uint64_t at, uint32_t sample)
{
   if (image->meta_kind != AMD_META_DCC || at >= image->meta_run_B)
      return false;
   return sample >= level->meta.key_samples ||
          amd_dcc_key(image->desc.gen, __atomic_load_n(&image->meta_host[at], __ATOMIC_ACQUIRE)) == AMD_DCC_PLAIN;
}

/* Texels that metadata has instead of memory: takes those lanes out of *lanes. i: of the square. */
static void
read_meta(const struct tex_plain *t, const struct tex_level *level, const struct places *p, unsigned i,
          uint64_t *lanes, struct texels *to)
{
   /* size: where texels are, and what they are */
   struct tex_image *image = t->image;
   uint64_t line = UINT64_MAX; /* that the texture unit has looked at last */
   for (uint64_t left = *lanes; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(left);
      const struct tex_place place = {(uint32_t)p->at[0][i & 1][l], (uint32_t)p->at[1][i >> 1][l], p->slice[l],
                                      p->sample ? p->sample[l] : 0};
      const uint64_t at = amd_meta_offset(&level->meta, place.x, place.y, place.slice, place.sample);
      uint8_t texel[16];
      uint32_t value[4];
      if (is_in_memory(image, level, at, place.sample)) {
         if (image->port && at >> AMD_CACHE_LINE_LOG2 != line)
            amd_meta_read(image->port, sim_va_add(level->meta.base, (int64_t)at));
         line = at >> AMD_CACHE_LINE_LOG2;
         continue;
      }
      if (!tex_meta_texel(image, level, place,
                          amd_surface_offset(&level->surface, place.x, place.y, place.slice, place.sample), texel,
                          t->bad))
         continue;
      *lanes &= ~(UINT64_C(1) << l);
      sim_texel_decode(&image->format, texel, value);
      for (unsigned k = 0; k < 4; k++)
         to->component[k][l] = value[k];
   }
}

/* One texel of each lane, its number in the square being i. */
static void
fetch_one(const struct tex_plain *t, const struct tex_level *level, uint64_t lanes, const struct places *p,
          unsigned i, uint32_t offset_B[N], struct texels *to)
{
   /* size: texels, and where they are */
   const struct sim_texel_format *format = &t->image->format;
   struct texels from_meta;
   uint64_t plain = lanes;
   if (t->image->has_meta && !level->plain)
      read_meta(t, level, p, i, &plain, &from_meta);
   if (plain) {
      fill_up(t, plain, offset_B);
      const uint8_t *place = read_in_place(t, offset_B) ? t->image->host : NULL;
      if (can_unpack(format)) {
         uint32_t words[4][N];
         read_words(t, place, offset_B, words);
         unpack(lane_count(t), format, words, to->component);
      } else {
         decode_each(t, place, plain, offset_B, p->at[0][i & 1], p->at[1][i >> 1], to);
      }
   }
   for (unsigned k = 0; k < 4 && plain != lanes; k++)
      put_lanes(t, lanes & ~plain, from_meta.component[k], to->component[k]);
}

/* count: texels of each lane: 1, 2 side by side or 4. Other lanes get anything. */
static void
fetch(const struct tex_plain *t, const struct tex_level *level, uint64_t lanes, const struct places *p,
      unsigned count, struct texels *to)
{
   struct places blocks;
   struct lane_pixels slices;
   uint32_t offset_B[4][N];
   find_slices(lane_count(t), &level->surface, p->slice, p->sample, &slices);
   if (t->image->compressed)
      to_blocks(lane_count(t), p, &blocks);
   locate(t, &level->surface, t->image->compressed ? &blocks : p, &slices, count, offset_B);
   for (unsigned i = 0; i < count; i++) {
      const uint64_t inside = lanes & ~p->border[i];
      if (inside)
         fetch_one(t, level, inside, p, i, offset_B[i], &to[i]);
      put_border(t, lanes & ~inside, &to[i]);
   }
}

/* What a DST_SEL makes of texels. */
static void
put_component(const struct tex_plain *t, uint64_t lanes, unsigned select, const struct texels *texels,
              uint32_t *result)
{
   const uint32_t constant = tex_constant(t->image, select);
   if (select >= V_SQ_SEL_X)
      put_lanes(t, lanes, texels->component[select - V_SQ_SEL_X], result);
   for (uint64_t left = select >= V_SQ_SEL_X ? 0 : lanes; left; left &= left - 1)
      result[__builtin_ctzll(left)] = constant;
}

static void
select_components(const struct tex_plain *t, uint64_t lanes, const struct texels *texels, uint32_t result[4][N])
{
   for (unsigned c = 0; c < 4; c++)
      put_component(t, lanes, t->image->dst_sel[c], texels, result[c]);
}

#endif
