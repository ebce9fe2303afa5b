/* Blocks of quads: where waves begin in them, and what becomes of a block when all its waves have run. */
#include <string.h>

#include "amd/sim/spi/spi_ps.h"
#include "sim/texel/texel4.h"
#include "util/macros.h"

const struct amd_block *
amd_spi_ps_find_block(const struct amd_block *blocks, uint32_t count, uint32_t quad)
{
   uint32_t first = 0;
   while (count) {
      const struct amd_block *middle = &blocks[first + count / 2];
      if (middle->first_quad + middle->count > quad) {
         count /= 2;
      } else {
         first += count / 2 + 1;
         count -= count / 2 + 1;
      }
   }
   return &blocks[first];
}

void
amd_spi_ps_place_blocks(struct amd_launch *l, uint32_t waves)
{
   struct amd_draw_memory *m = l->p->memory;
   const struct amd_block *block =
      amd_spi_ps_find_block(m->blocks.data, (uint32_t)dynarray_count(&m->blocks, struct amd_block), l->first);
   m->wave_params.size_B = m->params.size_B = 0;
   uint32_t *wave_blocks = dynarray_grow(&m->wave_params, waves * sizeof(*wave_blocks));
   l->blocks = block;
   for (uint32_t w = 0, quad = l->first; w < waves; w++, quad += l->quads_per_wave) {
      while (block->first_quad + block->count <= quad)
         block++;
      wave_blocks[w] = (uint32_t)(block - l->blocks);
   }
   l->wave_blocks = wave_blocks;
   /* A wave has as many primitives as blocks at most; the last one's are not counted here. */
   const size_t most = (size_t)wave_blocks[waves - 1] + waves + l->quads_per_wave;
   l->params = dynarray_grow(&m->params, most * l->prim_floats * 4 + 4);
}

/* Lanes of a block's quads that live: [first, end) of the launch's. */
static uint64_t
live_lanes(const struct amd_launch *l, const struct amd_block *block, uint32_t first, uint32_t end)
{
   const unsigned per_wave_log2 = (unsigned)__builtin_ctz(l->quads_per_wave);
   uint64_t live = 0;
   for (uint32_t q = first, count; q < end; q += count) {
      const uint32_t wave = q >> per_wave_log2, at = q & (l->quads_per_wave - 1);
      count = MIN2(end - q, l->quads_per_wave - at);
      live |= (l->out[wave].exec >> 4 * at & bit_mask(4 * count)) << 4 * (q + l->first - block->first_quad);
   }
   return live & block->cover;
}

/* What a target gets that the shader did not give a colour. */
static void
zero_texels(const struct amd_target_state *t, v4u words[4])
{
   const v4u zero[4] = {{0}};
   sim_texel_encode4(&t->format, zero, words);
}

/* Texels of the first of some quads, all in one wave. together: their places follow each other. */
static void
place_texels(const struct amd_launch *l, uint32_t wave, uint32_t at, uint32_t count, uint32_t quads, bool together,
             struct amd_cb_tile *tile)
{
   /* size: a part of a wave */
   const struct amd_color_state *color = &l->p->state.color;
   for (unsigned i = 0; i < color->count; i++) {
      const struct amd_target_state *t = &color->target[i];
      if (!t->enable)
         continue;
      v4u zero[4];
      const bool present = l->out[wave].present >> t->export & 1;
      const uint32_t *texels = present ? amd_launch_texels(l, wave, t->export) + 4 * at : NULL;
      if (!present)
         zero_texels(t, zero);
      for (unsigned w = 0; 4 * w < t->format.size_B; w++) {
         uint32_t *to = tile->words[i][w], left = quads;
         const uint32_t *from = present ? texels + w * l->quads_per_wave * 4 : (const uint32_t *)&zero[w];
         if (present && together)
            memcpy(to + 4 * __builtin_ctz(left), from, 16 * count);
         for (uint32_t q = 0; q < count && !(present && together); q++, left &= left - 1)
            memcpy(to + 4 * __builtin_ctz(left), from + (present ? 4 * q : 0), 16);
      }
   }
}

static void
commit_tile(struct amd_commit *commit, const struct amd_block *block, const struct amd_prim *prim, uint32_t first,
            uint32_t end)
{
   const struct amd_launch *l = commit->l;
   const struct amd_pipeline *p = l->p;
   const unsigned per_wave_log2 = (unsigned)__builtin_ctz(l->quads_per_wave);
   struct amd_cb_tile tile;
   const uint64_t live = live_lanes(l, block, first, end);
   if (!live)
      return;
   tile.x = block->x;
   tile.y = block->y;
   tile.samples = 1;
   tile.cover[0] = amd_tile_rows(amd_block_spread(live, block->quads));
   if (!p->test_at_raster) {
      amd_db_test_tile(&p->state, &commit->htile, prim, tile.x, tile.y, true, tile.cover);
      commit->samples_passed += amd_tile_count(tile.cover[0]);
      if (!tile.cover[0])
         return;
   }
   uint32_t quads = amd_block_drop(block->quads, first + l->first - block->first_quad);
   for (uint32_t q = first, count; q < end; q += count) {
      const uint32_t wave = q >> per_wave_log2, at = q & (l->quads_per_wave - 1);
      count = MIN2(end - q, l->quads_per_wave - at);
      place_texels(l, wave, at, count, quads, block->quads == AMD_ALL_QUADS, &tile);
      quads = amd_block_drop(quads, count);
   }
   amd_cb_write_tile(&p->state.color, &tile, prim->layer);
}

void
amd_spi_ps_commit_block(struct amd_commit *commit, const struct amd_block *block, const struct amd_block *next)
{
   const struct amd_launch *l = commit->l;
   const struct amd_prim *prim = dynarray_at(&l->p->memory->prims, struct amd_prim, block->prim);
   if (block->first_quad + block->count <= l->first || block->first_quad >= l->first + l->count)
      return;
   const uint32_t first = MAX2(block->first_quad, l->first) - l->first,
                  end = MIN2(block->first_quad + block->count - l->first, l->count);
   if (l->texels) {
      if (next)
         amd_cb_expect_tile(&l->p->state.color, next->x, next->y, prim->layer);
      commit_tile(commit, block, prim, first, end);
      return;
   }
   uint32_t index = first + l->first - block->first_quad, quads = amd_block_drop(block->quads, index);
   for (uint32_t q = first; q < end; q++, quads &= quads - 1) {
      const struct amd_quad quad = amd_block_quad(block, index++, (unsigned)__builtin_ctz(quads));
      amd_spi_ps_commit_quad(commit, &quad, q);
   }
}
