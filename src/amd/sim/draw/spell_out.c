#include "amd/sim/draw/spell_out.h"

#include "amd/sim/rb/rb.h"
#include "amd/sim/surface/surface_tile.h"
#include "util/macros.h"

static void
spell_color(const struct amd_color_state *color, const struct amd_target_state *target)
{
   struct amd_target_state t = *target;
   t.written = t.meta.dcc_memory.written = t.meta.dcc_memory.looked = NULL;
   t.meta.cmask_memory.written = t.meta.cmask_memory.looked = NULL;
   t.meta.fmask_memory.written = t.meta.fmask_memory.looked = NULL;
   for (uint32_t slice = t.first_slice; slice <= t.last_slice; slice++)
      for (uint32_t y = 0; y < t.surface.height_el; y += AMD_TILE_PX)
         for (uint32_t x = 0; x < t.surface.width_el; x += AMD_TILE_PX)
            amd_color_meta_open_tile(&t, color->gen, x, y, slice, amd_surface_tile_inside(&t.surface, x, y));
}

static void
spell_depth(const struct amd_depth_state *depth)
{
   struct amd_depth_state d = *depth;
   struct amd_htile_memo memo = {.valid = false};
   struct amd_htile_clear clear;
   const struct amd_surface *surface = d.has_z ? &d.z : &d.stencil;
   d.z_written = d.stencil_written = d.htile.memory.written = d.htile.memory.looked = NULL;
   d.htile.expand_z = d.htile.expand_stencil = true;
   for (uint32_t slice = d.first_slice; slice <= d.last_slice; slice++)
      for (uint32_t y = 0; y < surface->height_el; y += AMD_TILE_PX)
         for (uint32_t x = 0; x < surface->width_el; x += AMD_TILE_PX)
            amd_htile_open(&d, &memo, x, y, slice, false, &clear);
}

void
amd_draw_spell_out(const struct amd_draw_memory *memory)
{
   const struct amd_draw_state *state = &memory->pipeline->state;
   for (unsigned i = 0; i < state->color.count; i++) {
      const struct amd_target_state *t = &state->color.target[i];
      if (t->enable && (t->meta.dcc || t->meta.cmask))
         spell_color(&state->color, t);
   }
   if (state->depth.any && state->depth.htile.enable)
      spell_depth(&state->depth);
}

static bool
is_within(const void *host, const uint8_t *start, uint64_t size_B)
{
   return start && (const uint8_t *)host >= start && (const uint8_t *)host < start + size_B;
}

static bool
is_in_meta(const void *host, bool enable, const struct amd_meta_memory *memory, uint64_t size_B)
{
   return enable && is_within(host, memory->host, MIN2(memory->run_B, size_B));
}

static bool
is_in_surface(const void *host, const struct amd_surface *surface, const uint8_t *start, uint64_t run_B)
{
   return is_within(host, start, MIN2(run_B, surface->size_B));
}

enum amd_draw_place
amd_draw_place(const struct amd_draw_memory *memory, const void *host)
{
   const struct amd_draw_state *state = &memory->pipeline->state;
   const struct amd_depth_state *d = &state->depth;
   for (unsigned i = 0; i < state->color.count; i++) {
      const struct amd_target_state *t = &state->color.target[i];
      if (!t->enable)
         continue;
      if (is_in_meta(host, t->meta.dcc, &t->meta.dcc_memory, t->meta.dcc_layout.size_B) ||
          is_in_meta(host, t->meta.cmask, &t->meta.cmask_memory, t->meta.cmask_layout.size_B) ||
          is_in_meta(host, t->meta.fmask, &t->meta.fmask_memory, t->meta.fmask_layout.size_B))
         return AMD_DRAW_PLACE_META;
      if (is_in_surface(host, &t->surface, t->host, t->run_B))
         return AMD_DRAW_PLACE_COLOR;
   }
   if (is_in_meta(host, d->any && d->htile.enable, &d->htile.memory, d->htile.layout.size_B))
      return AMD_DRAW_PLACE_META;
   if (d->has_z && is_in_surface(host, &d->z, d->z_host, d->z_run_B))
      return AMD_DRAW_PLACE_DEPTH;
   return d->has_stencil && is_in_surface(host, &d->stencil, d->stencil_host, d->stencil_run_B)
             ? AMD_DRAW_PLACE_STENCIL
             : AMD_DRAW_PLACE_OTHER;
}

const struct amd_draw_state *
amd_draw_last_state(const struct amd_draw_memory *memory)
{
   return &memory->pipeline->state;
}
