/* Draws whose pixels all export the same, or all those of a primitive: a quad for them runs, and what it exports goes
 * to all tiles. */
#include <string.h>

#include "amd/sim/batch/tiles.h"
#include "amd/sim/spi/spi_ps.h"
#include "sim/texel/texel.h"
#include "util/macros.h"

/* The launch, and where its quads are. */
struct alike {
   struct amd_launch l;
   const uint32_t *quad_of; /* by primitive; NULL: there is one quad */
};

enum amd_waves_alike
amd_spi_ps_alike(struct amd_pipeline *p)
{
   const struct amd_draw_state *state = &p->state;
   const struct amd_shader_state *shader = &state->shaders[AMD_STAGE_PS];
   const struct amd_launch l = {.p = p};
   if (!p->shade || state->pops.enable || state->samples.iterations != 1 ||
       shader->user_sgprs > ARRAY_SIZE(shader->user_data) || !amd_spi_ps_takes_tiles(&l))
      return AMD_WAVES_DIFFER;
   const struct amd_wave_launch launch = {.vm = p->gpu->vm,
                                          .caches = p->gpu->caches,
                                          .program = shader->program,
                                          .wave_size = shader->wave_size,
                                          .chip = p->gpu->chip,
                                          .races = p->gpu->races};
   return amd_wave_alike(p->gpu->engine, &launch, shader->user_sgprs);
}

static const struct amd_bin *
touched_bin(const struct amd_pipeline *p, unsigned i)
{
   return &p->memory->bins[*dynarray_at(&p->memory->touched_bins, uint32_t, i)];
}

static unsigned
touched_bins(const struct amd_pipeline *p)
{
   return (unsigned)dynarray_count(&p->memory->touched_bins, uint32_t);
}

/* A quad of each primitive that has tiles, or of the first one. Its lanes may start with anything, and one lives. */
static void
list_quads(struct alike *alike)
{
   const struct amd_pipeline *p = alike->l.p;
   struct amd_draw_memory *m = p->memory;
   const size_t tile_B = amd_alike_tile_B(amd_surface_samples(&p->state.samples));
   const bool by_primitive = p->alike == AMD_WAVES_ALIKE_BY_PRIMITIVE;
   const uint32_t prims = (uint32_t)dynarray_count(&m->prims, struct amd_prim);
   m->alike.size_B = 0;
   uint32_t *quad_of = by_primitive ? dynarray_grow(&m->alike, prims * sizeof(*quad_of)) : NULL;
   if (quad_of)
      memset(quad_of, 0xff, prims * sizeof(*quad_of));
   for (unsigned i = 0; i < touched_bins(p) && (by_primitive || !alike->l.count); i++) {
      const struct dynarray *tiles = &touched_bin(p, i)->tiles;
      for (size_t at_B = 0; at_B < tiles->size_B && (by_primitive || !alike->l.count); at_B += tile_B) {
         const struct amd_alike_tile *tile = (const void *)((const char *)tiles->data + at_B);
         if (quad_of && quad_of[tile->prim] != UINT32_MAX)
            continue;
         dynarray_append(
            &m->quads, struct amd_quad,
            (struct amd_quad){.prim = tile->prim, .x = tile->x, .y = tile->y, .cover = {1}, .raster = {1}});
         if (quad_of)
            quad_of[tile->prim] = alike->l.count;
         alike->l.count++;
      }
   }
   alike->quad_of = quad_of;
}

/* What the quad's first lane exported. */
static void
take_texels(const struct amd_launch *l, uint32_t quad, struct amd_cb_fill *fill)
{
   const struct amd_color_state *color = &l->p->state.color;
   const uint32_t wave = quad / l->quads_per_wave, lane = quad % l->quads_per_wave * 4;
   for (unsigned i = 0; i < color->count; i++) {
      const struct amd_target_state *t = &color->target[i];
      uint32_t components[4] = {0};
      v4u rgba[4];
      if (!t->enable)
         continue;
      amd_spi_ps_read_slot(l, wave, t->export, lane, t->export_format, rgba);
      for (unsigned c = 0; c < t->format.components; c++)
         components[c] = rgba[t->component[c]][0];
      sim_texel_encode(&t->format, components, fill->target[i].texel);
   }
   amd_cb_fill_begin(color, fill);
}

/* Those of its cover that pass. */
static bool
test_tile(struct amd_commit *commit, const struct amd_prim *prim, struct amd_cb_tile *tile)
{
   const struct amd_pipeline *p = commit->l->p;
   uint64_t any = 0;
   amd_db_test_tile(&p->state, &commit->htile, prim, tile->x, tile->y, true, tile->cover);
   for (unsigned s = 0; s < tile->samples; s++) {
      commit->samples_passed += amd_tile_count(tile->cover[s]);
      any |= tile->cover[s];
   }
   return any;
}

/* Tiles whose memory comes while those before them are written. */
enum { AHEAD = 4 };

static void
commit_bin(void *data, unsigned task)
{
   const struct alike *alike = data;
   struct amd_pipeline *p = alike->l.p;
   const struct dynarray *tiles = &touched_bin(p, task)->tiles;
   struct amd_commit commit = {.l = &alike->l};
   struct amd_cb_tile tile;
   struct amd_cb_fill fill = {.tile = &tile};
   uint32_t quad = UINT32_MAX;
   tile.samples = amd_surface_samples(&p->state.samples);
   const size_t tile_B = amd_alike_tile_B(tile.samples);
   for (size_t at_B = 0; at_B < tiles->size_B; at_B += tile_B) {
      const struct amd_alike_tile *at = (const void *)((const char *)tiles->data + at_B);
      const struct amd_prim *prim = dynarray_at(&p->memory->prims, struct amd_prim, at->prim);
      const uint32_t its_quad = alike->quad_of ? alike->quad_of[at->prim] : 0;
      const size_t later_B = MIN2(at_B + AHEAD * tile_B, tiles->size_B - tile_B);
      const struct amd_alike_tile *later = (const void *)((const char *)tiles->data + later_B);
      amd_cb_expect_tile(&p->state.color, later->x, later->y, prim->layer);
      tile.x = at->x;
      tile.y = at->y;
      memcpy(tile.cover, at->cover, tile.samples * sizeof(*tile.cover));
      if (!p->test_at_raster && !test_tile(&commit, prim, &tile))
         continue;
      if (quad != its_quad)
         take_texels(&alike->l, its_quad, &fill);
      quad = its_quad;
      amd_cb_fill_tile(&p->state.color, &fill, prim->layer);
   }
   amd_htile_close(&p->state.depth, &commit.htile);
   __atomic_fetch_add(&p->samples_passed, commit.samples_passed, __ATOMIC_RELAXED);
}

bool
amd_spi_run_alike(struct amd_pipeline *p)
{
   struct alike alike = {.l = {.p = p, .quads_per_wave = p->state.shaders[AMD_STAGE_PS].wave_size / 4}};
   const uint32_t per_wave = alike.l.quads_per_wave;
   uint64_t quads = 0;
   list_quads(&alike);
   if (!alike.l.count)
      return true;
   for (unsigned i = 0; i < touched_bins(p); i++)
      quads += touched_bin(p, i)->tile_quads;
   /* The clock of recordings counts launches. */
   for (uint64_t more = AMD_LAUNCH_QUADS; more < quads; more += AMD_LAUNCH_QUADS)
      amd_gpu_clock(p->gpu);
   const uint32_t waves = (uint32_t)div_round_up(alike.l.count, per_wave);
   amd_spi_ps_allocate(&alike.l, waves, false);
   const struct amd_wave_launch launch =
      amd_spi_ps_launch(&alike.l, waves, (uint32_t)div_round_up(quads, per_wave) - waves);
   if (!amd_wave_run(p->gpu->engine, &launch, p->gpu->fault))
      return false;
   sim_pool_run(p->gpu->pool, touched_bins(p), commit_bin, &alike);
   return true;
}
