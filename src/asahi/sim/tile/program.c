/* The programs of tiles: at the begin one invocation for each pixel, at the end one for the tile. */
#include <string.h>

#include "asahi/sim/usc/usc.h"
#include "asahi/sim/tex/tex.h"
#include "asahi/sim/tile/tile.h"
#include "util/macros.h"
#include "util/within_memory.h"

struct launch {
   struct agx_tiles *t; /* first: the hooks of the tile buffer look here */
   const uint32_t *list;
   uint32_t waves_of_tile, quads_wide;
};

/* In units of a quad. */
static void
start_background(void *user, uint32_t group, uint32_t wave, struct agx_wave_start *start)
{
   (void)wave;
   const struct launch *l = user;
   const struct agx_tiles *t = l->t;
   struct agx_wave_fragments *f = &start->fragments;
   f->tile = l->list[group / l->waves_of_tile];
   const struct agx_tile *tile = &t->tiles[f->tile];
   f->layer = tile->layer;
   start->lanes = UINT32_MAX;
   for (unsigned lane = 0; lane < AGX_WAVE_LANES; lane++) {
      uint32_t quad = group % l->waves_of_tile * AGX_WAVE_QUADS + lane / 4;
      f->x[lane] = (uint16_t)(tile->x0 + quad % l->quads_wide * 2 + (lane & 1));
      f->y[lane] = (uint16_t)(tile->y0 + quad / l->quads_wide * 2 + (lane >> 1 & 1));
      f->samples[lane] = (uint8_t)((1u << t->render->samples) - 1);
   }
}

static void
start_end_of_tile(void *user, uint32_t group, uint32_t wave, struct agx_wave_start *start)
{
   (void)wave;
   const struct launch *l = user;
   struct agx_wave_fragments *f = &start->fragments;
   const struct agx_tile *tile = &l->t->tiles[l->list[group]];
   f->tile = l->list[group];
   f->layer = tile->layer;
   f->x[0] = tile->x0;
   f->y[0] = tile->y0;
   f->samples[0] = (uint8_t)((1u << l->t->render->samples) - 1);
   start->lanes = 1;
}

static bool
store_block(void *user, const struct agx_wave_block *a, struct sim_fault *fault)
{
   const struct launch *l = user;
   const struct agx_tiles *t = l->t;
   const struct agx_tile *tile = &t->tiles[a->fragments->tile];
   struct agx_tex_block block = {
      .dim = a->dim,
      .format = a->format,
      .rtz = a->round_to_zero,
      .tile = tile->colour,
      .sample_stride_B = t->render->command->sample_size_B,
      .offset_B = a->offset_B,
      .tile_width_px = t->row_px,
      .tile_height_px = t->pixels / t->row_px,
      .samples = t->render->samples,
      .x_px = tile->x0,
      .y_px = tile->y0,
      .lod = a->lod,
   };
   memcpy(block.pbe, a->texture, sizeof(block.pbe));
   if (a->explicit_coords) {
      block.x_px = a->coords[0];
      block.y_px = a->coords[1];
   }
   /* 16 bits; who knows what stands above them. */
   if (agx_tex_block_has_layer((enum agx_dim)a->dim))
      block.layer = a->coords[a->explicit_coords ? 2 : 0] & 0xffff;
   if (a->offset_B >= block.sample_stride_B)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "byte %u of a sample that has %u in the tile buffer",
                           a->offset_B, block.sample_stride_B);
   return agx_tex_write_block(t->render->gpu->vm, &block, fault);
}

/* Reads the program at the first tile that needs it. */
static const struct agx_program *
bind(struct agx_tiles *t, struct agx_program **program, enum agx_stage stage, uint32_t usc, uint32_t spec)
{
   if (*program)
      return *program;
   struct agx_counts counts;
   agx_counts_unpack(&counts, &spec);
   const struct agx_render_command *c = t->render->command;
   const struct agx_usc_request request = {
      .stage = stage,
      .offset_B = usc & ~63u,
      .uniforms = counts.uniforms,
      .textures = counts.textures,
      .samplers = counts.samplers,
      .preshader_registers = counts.preshader_registers,
      .helper = {c->fragment_helper_binary, c->fragment_helper_cfg, c->fragment_helper_data},
   };
   struct agx_program *read = need_calloc("a program", 1, sizeof(*read));
   *program = read; /* agx_tiles_run() frees it */
   return agx_usc_read(t->render->gpu, &request, read) ? read : NULL;
}

static bool
run_launch(struct agx_tiles *t, struct launch *l, struct agx_wave_launch *launch)
{
   launch->vm = t->render->gpu->vm;
   launch->soft_faults = t->render->gpu->soft_faults;
   launch->waves_per_group = 1;
   launch->samples_log2 = (uint8_t)t->render->samples_log2;
   launch->user = l;
   agx_sample_positions(t->render, launch);
   return agx_wave_run(t->render->gpu->engine, launch, t->render->gpu->fault);
}

bool
agx_background_run(struct agx_tiles *t, const uint32_t *list, uint32_t count, bool partial)
{
   static const struct agx_wave_hooks hooks = {.load_tile = agx_tile_load, .store_tile = agx_tile_store};
   const struct agx_render_command *c = t->render->command;
   struct launch l = {.t = t, .list = list, .waves_of_tile = t->pixels / AGX_WAVE_LANES, .quads_wide = t->row_px / 2};
   struct agx_wave_launch launch = {
      .name = partial ? "partial background" : "background",
      .group_count = count * l.waves_of_tile,
      .hooks = &hooks,
      .start = start_background,
   };
   launch.program =
      partial ? bind(t, &t->partial_background, AGX_STAGE_BACKGROUND, c->partial_bg_usc, c->partial_bg_rsrc_spec)
              : bind(t, &t->background, AGX_STAGE_BACKGROUND, c->bg_usc, c->bg_rsrc_spec);
   return launch.program && run_launch(t, &l, &launch);
}

bool
agx_end_of_tile_run(struct agx_tiles *t, const uint32_t *list, uint32_t count, bool partial)
{
   static const struct agx_wave_hooks hooks = {
      .load_tile = agx_tile_load, .store_tile = agx_tile_store, .store_block = store_block};
   const struct agx_render_command *c = t->render->command;
   struct launch l = {.t = t, .list = list};
   struct agx_wave_launch launch = {
      .name = partial ? "partial end of tile" : "end of tile",
      .group_count = count,
      .hooks = &hooks,
      .start = start_end_of_tile,
   };
   launch.program =
      partial ? bind(t, &t->partial_end_of_tile, AGX_STAGE_END_OF_TILE, c->partial_eot_usc, c->partial_eot_rsrc_spec)
              : bind(t, &t->end_of_tile, AGX_STAGE_END_OF_TILE, c->eot_usc, c->eot_rsrc_spec);
   return launch.program && run_launch(t, &l, &launch);
}
