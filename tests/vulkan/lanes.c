/* Rotations, votes of quads, expected values, clocks, and the operations of VK_AMD_shader_ballot and of
 * VK_EXT_shader_subgroup_ballot and _vote, against C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkt_dispatch.h"

static const uint32_t rotates_code[] = {
#include "lanes_rotates.inc"
};
static const uint32_t quads_code[] = {
#include "lanes_quads.inc"
};
static const uint32_t expects_code[] = {
#include "lanes_expects.inc"
};
static const uint32_t clock_code[] = {
#include "lanes_clock.inc"
};
static const uint32_t amd_code[] = {
#include "lanes_amd.inc"
};
static const uint32_t ballots_code[] = {
#include "lanes_ballots.inc"
};

enum { COUNT = 256, MAX_ROWS = 80, MODES = 3, MAX_LANES = 128, HEAD = 3 };

struct wave {
   unsigned size, index[MAX_LANES];
   uint32_t x[MAX_LANES];
   bool active[MAX_LANES];
   uint32_t distance;
};

struct results {
   const char *what;
   const uint32_t *words;
   unsigned row, wrong;
};

static void
expect(struct results *r, const struct wave *w, unsigned lane, bool defined, uint32_t want)
{
   const uint32_t got = r->words[r->row++ * COUNT + w->index[lane]];
   if (defined && got != want && r->wrong++ < 4)
      printf("   %s: row %u, lane %u of %u: %#x, not %#x\n", r->what, r->row - 1 - HEAD, lane, w->size, got, want);
}

/* What comes from a lane, if that is active. */
static void
expect_from(struct results *r, const struct wave *w, unsigned lane, unsigned from, uint32_t mask)
{
   expect(r, w, lane, w->active[from], w->x[from] & mask);
}

static unsigned
rotated(unsigned lane, uint32_t by, unsigned cluster)
{
   return (lane & ~(cluster - 1)) | ((lane + by) & (cluster - 1));
}

static void
check_rotates(struct results *r, const struct wave *w, unsigned lane)
{
   const uint32_t by = w->distance;
   const struct {
      uint32_t by;
      unsigned cluster;
      uint32_t mask;
   } rows[] = {{0, w->size, ~0u}, {1, w->size, ~0u}, {21, w->size, ~0u}, {by, w->size, ~0u}, {3, w->size, 1},
               {by, w->size, 1},  {3, 4, ~0u},       {by, 8, ~0u},       {by, 1, ~0u},       {5, 32, ~0u},
               {1, 2, ~0u},       {by, 16, ~0u},     {7, 16, 1023},      {by, 16, 1023},     {2, 8, ~0u}};
   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
      if (rows[i].cluster <= w->size)
         expect_from(r, w, lane, rotated(lane, rows[i].by, rows[i].cluster), rows[i].mask);
      else
         r->row++;
   }
}

static void
check_quads(struct results *r, const struct wave *w, unsigned lane)
{
   bool all = true, any = false;
   for (unsigned i = lane & ~3u; i <= (lane | 3); i++) {
      all &= !w->active[i] || w->x[i] & 1;
      any |= w->active[i] && w->x[i] & 1;
   }
   expect(r, w, lane, true, all);
   expect(r, w, lane, true, any);
   expect(r, w, lane, true, 1);
   expect(r, w, lane, true, 0);
}

/* Hints do not change values, whether they hold or not. */
static void
check_expects(struct results *r, const struct wave *w, unsigned lane)
{
   expect(r, w, lane, true, w->x[lane]);
   expect(r, w, lane, true, w->x[lane]);
   expect(r, w, lane, true, w->x[lane] & 1 ? 1 : 2);
}

static void
check_clock(struct results *r, const struct wave *w, unsigned lane)
{
   uint32_t before = 0;
   for (unsigned i = 0; i < 64; i++) {
      const uint32_t now = r->words[r->row * COUNT + w->index[lane]] & 0xfffff;
      expect(r, w, lane, now < before, ~0u); /* a clock that runs backwards */
      before = now;
   }
   vkt_expect(before, "%s: the clock stands still", r->what);
   expect(r, w, lane, true, 1);
   expect(r, w, lane, true, 1);
}

static void
check_ballots(struct results *r, const struct wave *w, unsigned lane)
{
   uint32_t odd[4] = {0};
   unsigned first = MAX_LANES, count = 0, yes = 0;
   for (unsigned i = 0; i < w->size; i++) {
      if (!w->active[i])
         continue;
      first = first < i ? first : i;
      count++;
      yes += w->x[i] & 1;
      odd[i / 32] |= (w->x[i] & 1) << i % 32;
   }
   expect(r, w, lane, true, odd[0]);
   expect(r, w, lane, true, odd[1]);
   expect(r, w, lane, true, w->x[first]);
   expect_from(r, w, lane, 3, ~0u);
   expect_from(r, w, lane, w->distance & 7, ~0u);
   expect(r, w, lane, true, yes == count);
   expect(r, w, lane, true, yes != 0);
   expect(r, w, lane, true, yes == count || !yes);
   expect(r, w, lane, true, 1);
   expect(r, w, lane, true, 0);
}

/* Over all active lanes, and over those up to one's own. */
struct folded {
   uint32_t sum, below, least, most, least_half, most_half, sum_byte;
   int32_t least_signed, most_signed;
   bool all;
};

static struct folded
fold(const struct wave *w, unsigned lane)
{
   struct folded f = {
      .least = ~0u, .least_half = ~0u, .least_signed = INT32_MAX, .most_signed = INT32_MIN, .all = true};
   for (unsigned i = 0; i < w->size; i++) {
      const uint32_t x = w->x[i];
      f.all &= w->active[i];
      if (!w->active[i])
         continue;
      f.sum += x;
      f.below += i < lane ? x : 0;
      f.least = x < f.least ? x : f.least;
      f.most = x > f.most ? x : f.most;
      f.least_half = (x & 0xffff) < f.least_half ? x & 0xffff : f.least_half;
      f.most_half = (x & 0xffff) > f.most_half ? x & 0xffff : f.most_half;
      f.sum_byte += x & 0xff;
      f.least_signed = (int32_t)x < f.least_signed ? (int32_t)x : f.least_signed;
      f.most_signed = (int32_t)x > f.most_signed ? (int32_t)x : f.most_signed;
   }
   return f;
}

/* The operations without NonUniform are defined where all lanes are active. */
static void
check_amd(struct results *r, const struct wave *w, unsigned lane)
{
   static const unsigned offsets[4] = {1, 3, 0, 2};
   const struct folded f = fold(w, lane);
   const uint64_t below = UINT64_C(0xf0f0f0f0aaaaaaaa) & ((UINT64_C(1) << (lane & 63)) - 1);
   expect_from(r, w, lane, (lane & ~3u) + offsets[lane & 3], ~0u);
   expect_from(r, w, lane, (lane & ~31u) | (((lane & 0x15) | 2) ^ 8), ~0u);
   expect(r, w, lane, true, lane == (w->distance & 3) ? w->distance : w->x[lane]);
   expect(r, w, lane, true, (uint32_t)__builtin_popcountll(below));
   expect(r, w, lane, true, f.sum);
   expect(r, w, lane, true, f.least);
   expect(r, w, lane, true, (uint32_t)f.most_signed);
   expect(r, w, lane, true, f.most_half);
   expect(r, w, lane, true, f.sum_byte);
   expect(r, w, lane, true, f.least_half);
   expect(r, w, lane, true, (uint32_t)f.least_signed);
   expect(r, w, lane, true, f.most);
   expect(r, w, lane, true, f.below + w->x[lane]);
   expect(r, w, lane, true, f.below);
   expect(r, w, lane, f.all, f.sum);
   expect(r, w, lane, f.all, f.most);
   expect(r, w, lane, f.all, (uint32_t)f.least_signed);
   expect(r, w, lane, f.all, f.least_half);
   expect(r, w, lane, f.all, f.sum_byte);
   expect(r, w, lane, f.all, f.least);
   expect(r, w, lane, f.all, (uint32_t)f.most_signed);
   expect(r, w, lane, f.all, f.most_half);
}

typedef void check(struct results *r, const struct wave *w, unsigned lane);

/* Returns how many invocations wrote. */
static unsigned
check_waves(struct results *r, const uint32_t *input, check *one)
{
   unsigned ran = 0;
   for (unsigned i = 0; i < COUNT; i++) {
      const uint32_t id = r->words[i];
      struct wave w = {.size = r->words[2 * COUNT + i], .distance = input[0]};
      bool known = !id || w.size < 4 || w.size > MAX_LANES;
      for (unsigned j = 0; j < i; j++)
         known |= r->words[j] == id;
      for (unsigned j = i; j < COUNT && !known; j++) {
         const uint32_t lane = r->words[COUNT + j];
         if (r->words[j] != id || lane >= w.size)
            continue;
         w.active[lane] = true;
         w.x[lane] = input[1 + j];
         w.index[lane] = j;
      }
      for (unsigned lane = 0; lane < w.size && !known; lane++) {
         r->row = HEAD;
         ran += w.active[lane];
         if (w.active[lane])
            one(r, &w, lane);
      }
   }
   return ran;
}

static void
run_case(struct vkx *vkx, const char *name, struct vkt_code code, check *one, uint32_t mode, uint32_t lanes)
{
   const uint32_t constants[2] = {mode, COUNT};
   char what[64];
   snprintf(what, sizeof(what), "%s, mode %u, subgroups of %u", name, mode, lanes);
   struct vkx_buffer buffers[2] = {vkt_buffer_create(vkx, 4 * (COUNT + 1), 0),
                                   vkt_buffer_create(vkx, 4 * MAX_ROWS * COUNT, 0)};
   uint32_t *input = buffers[0].map;
   for (unsigned i = 0; i <= COUNT; i++)
      input[i] = i ? vkt_random() : vkt_random_below(200);
   vkt_dispatch(vkx,
                &(struct vkt_dispatch){code, 2, buffers, 2, constants, .groups = COUNT / 64, .subgroup_size = lanes});
   struct results r = {what, buffers[1].map, 0, 0};
   const unsigned ran = check_waves(&r, input, one);
   vkt_expect(!r.wrong && (mode ? ran > COUNT / 2 && ran < COUNT : ran == COUNT), "%s: %u wrong, %u invocations",
              what, r.wrong, ran);
   for (unsigned i = 0; i < 2; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

int
main(void)
{
   struct vkx vkx = vkt_create("lanes");
   const struct {
      const char *name, *extension, *second;
      struct vkt_code code;
      check *one;
   } cases[] = {
      {"rotations", "VK_KHR_shader_subgroup_rotate", NULL, VKT_CODE(rotates_code), check_rotates},
      {"quads", "VK_KHR_shader_quad_control", NULL, VKT_CODE(quads_code), check_quads},
      {"expectations", "VK_KHR_shader_expect_assume", NULL, VKT_CODE(expects_code), check_expects},
      {"clocks", "VK_KHR_shader_clock", NULL, VKT_CODE(clock_code), check_clock},
      {"AMD's ballots", "VK_AMD_shader_ballot", NULL, VKT_CODE(amd_code), check_amd},
      {"ballots", "VK_EXT_shader_subgroup_ballot", "VK_EXT_shader_subgroup_vote", VKT_CODE(ballots_code),
       check_ballots},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      if (!vkt_has(cases[i].extension) || (cases[i].second && !vkt_has(cases[i].second))) {
         vkt_skip(cases[i].extension);
         continue;
      }
      for (uint32_t mode = 0; mode < MODES; mode++) {
         run_case(&vkx, cases[i].name, cases[i].code, cases[i].one, mode, 0);
         for (uint32_t lanes = 32; lanes <= 64; lanes *= 2) {
            if (vkt_offers_lanes(&vkx, lanes))
               run_case(&vkx, cases[i].name, cases[i].code, cases[i].one, mode, lanes);
         }
      }
   }
   return vkt_finish(&vkx);
}
