#include "amd/sim/pops/pops_squares.h"

#include "amd/sim/state/draw_state.h"
#include "sim/waves/race.h"
#include "util/macros.h"

typedef uint64_t v2q __attribute__((vector_size(16)));

static inline bool
any(v4u mask)
{
   const v2q halves = (v2q)mask;
   return halves[0] | halves[1];
}

static inline uint32_t
largest(v4u v)
{
   return MAX2(MAX2(v[0], v[1]), MAX2(v[2], v[3]));
}

/* Waves of the launch, seq + 1, where there are. */
static inline v4u
in_launch(const struct pops_square *square, uint32_t started)
{
   const v4u number = square->newest - started;
   return (v4u)((v4i)number > 0) & number;
}

static void
add_part(struct pops_covered *c, uint32_t x, uint32_t y, const uint8_t buckets[4], struct pops_square *squares,
         uint32_t *samples)
{
   /* size: a place and what is there */
   const uint32_t at = y % AMD_BIN_PX / 2 * (AMD_BIN_PX / 2) + x % AMD_BIN_PX / 2;
   struct pops_part *part = &c->part[c->count];
   part->square = &squares[at];
   part->samples = samples + ((size_t)at << (2 + c->samples_log2));
   memcpy(part->buckets, buckets, 4);
   part->pixels = (v4u)((v4u){buckets[0], buckets[1], buckets[2], buckets[3]} != 0);
   c->count += amd_cover_word(buckets) != 0;
}

/* Bytes that are not 0, as 1. */
static inline uint32_t
set_bytes(uint32_t bytes)
{
   const uint32_t low = 0x7f7f7f7f;
   return (((bytes & low) + low) | bytes) >> 7 & 0x01010101;
}

/* Of samples that pixels have: those that count, in buckets. */
static void
fold(const struct amd_pops_state *state, const uint8_t covered[4], uint8_t buckets[4])
{
   const uint32_t seen = amd_cover_word(covered) & ~(state->unseen * 0x01010101u);
   const uint32_t some = set_bytes(seen);
   memcpy(buckets, state->samples_log2 ? &seen : &some, 4);
   for (unsigned i = 0; i < 4 && state->samples_log2; i++)
      buckets[i] = (uint8_t)sim_fold_samples(buckets[i], state->samples_log2);
}

void
pops_cover(struct pops_covered *c, const struct amd_pops_state *state, const struct amd_quad *quad, bool per_sample,
           struct pops_square *squares, uint32_t *samples)
{
   uint8_t buckets[4];
   c->count = 0;
   c->samples_log2 = state->samples_log2;
   for (unsigned i = 0; i < 4 && amd_quad_is_coarse(quad); i++) {
      const struct amd_pixels px = amd_quad_parts(quad, i);
      fold(state, px.cover, buckets);
      if (quad->cover[i])
         add_part(c, px.x, px.y, buckets, squares, samples);
   }
   if (amd_quad_is_coarse(quad))
      return;
   fold(state, per_sample ? quad->cover : quad->raster, buckets);
   const uint32_t left = amd_cover_word(buckets) & set_bytes(amd_cover_word(quad->cover)) * 0xff;
   memcpy(buckets, &left, 4);
   add_part(c, quad->x, quad->y, buckets, squares, samples);
}

static void
meet_samples(const struct pops_covered *c, const struct pops_part *part, uint32_t first_of_layer,
             struct pops_met *met)
{
   const uint32_t open = first_of_layer >> POPS_QUAD_BITS;
   const uint32_t *newest = part->samples;
   for (unsigned i = 0; i < 4; i++, newest += 1u << c->samples_log2) {
      for (unsigned left = part->buckets[i]; left; left &= left - 1) {
         const uint32_t code = newest[__builtin_ctz(left)], wave = code >> POPS_QUAD_BITS;
         met->in_layer |= wave == open && code >= first_of_layer;
         met->newest = MAX2(met->newest, wave == open ? 0 : wave);
      }
   }
}

struct pops_met
pops_meet(const struct pops_covered *c, uint32_t started, uint32_t open, uint32_t layer_start)
{
   struct pops_met met = {0, false};
   for (unsigned p = 0; p < c->count; p++) {
      const struct pops_part *part = &c->part[p];
      if (c->samples_log2) {
         meet_samples(c, part, open << POPS_QUAD_BITS | layer_start, &met);
         continue;
      }
      const v4u waves = in_launch(part->square, started) & part->pixels;
      if (!any(waves))
         continue;
      const v4u opened = (v4u)(waves == open);
      met.in_layer |= any(opened & (v4u)(part->square->quad >= layer_start));
      met.newest = MAX2(met.newest, largest(waves & ~opened));
   }
   return met;
}

/* Of pixels' newest waves of earlier launches: the distance of the newest that has not ended; 0: none. */
static uint32_t
look_back(v4u earlier, const struct pops_past *past)
{
   const v4u back = past->started - earlier; /* to the wave after it */
   const v4u counts = (v4u)(earlier != 0) & (v4u)(back < past->started - past->drained);
   uint32_t least = 0;
   for (unsigned i = 0; i < 4 && any(counts); i++)
      least = counts[i] && (!least || back[i] + 1 < least) ? back[i] + 1 : least;
   return least;
}

static void
mark_samples(const struct pops_covered *c, const struct pops_part *part, uint32_t code)
{
   uint32_t *newest = part->samples;
   for (unsigned i = 0; i < 4; i++, newest += 1u << c->samples_log2)
      for (unsigned left = part->buckets[i]; left; left &= left - 1)
         newest[__builtin_ctz(left)] = code;
}

uint32_t
pops_mark(const struct pops_covered *c, const struct pops_past *past, uint32_t seq, uint32_t index)
{
   uint32_t before = 0;
   for (unsigned p = 0; p < c->count; p++) {
      const struct pops_part *part = &c->part[p];
      struct pops_square *square = part->square;
      const v4u newest = square->newest;
      const v4i here = (v4i)(newest - past->started) > 0;
      const v4u earlier = v4_select_bits(here, square->earlier, newest);
      const uint32_t back = look_back(earlier & part->pixels, past);
      before = back && (!before || back < before) ? back : before;
      square->earlier = v4_select_bits((v4i)part->pixels, earlier, square->earlier);
      square->newest = v4_select_bits((v4i)part->pixels, v4_splat_bits(past->started + seq + 1), newest);
      square->quad = v4_select_bits((v4i)part->pixels, v4_splat_bits(index), square->quad);
      if (c->samples_log2)
         mark_samples(c, part, (seq + 1) << POPS_QUAD_BITS | index);
   }
   return before;
}
