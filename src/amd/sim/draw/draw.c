#include "amd/sim/draw/draw.h"

#include <string.h>

#include "amd/sim/cache/order.h"
#include "amd/sim/draw/draw_private.h"
#include "amd/sim/ge/ge.h"
#include "amd/sim/pa/pa.h"
#include "amd/sim/spi/spi.h"
#include "util/macros.h"

/* Vertices and primitives of the batch through the stages before the rasteriser. */
static bool
shade_vertices(struct amd_pipeline *p)
{
   static bool (*const paths[AMD_VERTEX_PATHS])(struct amd_pipeline *) = {
      [AMD_VERTEX_PATH_VS] = amd_spi_run_vertices,
      [AMD_VERTEX_PATH_GS] = amd_spi_run_gs,
      [AMD_VERTEX_PATH_NGG] = amd_spi_run_ngg,
   };
   return amd_draw_wait_launch(p->gpu, p->memory) && paths[p->state.geometry.path](p);
}

/* The quads of all bins, so many at a time. */
static bool
shade_pixels(struct amd_pipeline *p)
{
   struct amd_draw_memory *m = p->memory;
   uint32_t quads;
   bool ok = amd_spi_count_quads(p, &quads);
   for (uint32_t first = 0; ok && first < quads; first += AMD_LAUNCH_QUADS) {
      if (!amd_draw_wait_launch(p->gpu, m))
         return false;
      amd_spi_form_launch(p, first, MIN2(quads - first, (uint32_t)AMD_LAUNCH_QUADS));
      if (p->overlaps) {
         ok = amd_draw_add_launch(p);
         continue;
      }
      ok = amd_wave_run(p->gpu->engine, &m->wave_launch, p->gpu->fault);
      if (ok)
         amd_spi_commit_launch(p);
   }
   return ok;
}

/* About how many quads a primitive makes: half of its bounds. */
static uint64_t
estimate_quads(const struct amd_prim *prim)
{
   return (uint64_t)(prim->area.x1 - prim->area.x0 + 1) * (uint64_t)(prim->area.y1 - prim->area.y0 + 1) / 8 + 1;
}

/* The end of a run of primitives that make about as many quads as are rasterised at once. */
static uint32_t
find_end(const struct dynarray *prims, uint32_t first, uint32_t count)
{
   uint64_t quads = 0;
   uint32_t end = first;
   for (; end < count && (end == first || quads < AMD_BATCH_QUADS); end++)
      quads += estimate_quads(dynarray_at(prims, struct amd_prim, end));
   return end;
}

/* The primitives of prims_out, from setup to memory. */
static bool
rasterise(struct amd_pipeline *p)
{
   struct amd_draw_memory *m = p->memory;
   bool ok = amd_draw_wait_launch(p->gpu, m);
   m->prims.size_B = 0;
   if (ok && !p->state.clip.kill)
      amd_pa_run(p);
   if (ok)
      amd_reorder_prims(p);
   uint32_t count = (uint32_t)dynarray_count(&m->prims, struct amd_prim);
   for (uint32_t first = 0, end; ok && first < count; first = end) {
      end = find_end(&m->prims, first, count);
      if (!amd_draw_wait_launch(p->gpu, m))
         return false;
      amd_written_announce(p);
      p->alike = amd_spi_ps_alike(p);
      amd_sc_run(p, first, end);
      ok = p->alike ? amd_spi_run_alike(p) : shade_pixels(p);
   }
   m->vertex_data.size_B = m->prims_out.size_B = 0;
   return ok;
}

/* A batch of patches: hull waves of as many as their rings hold, then the domain points of each threadgroup. */
static bool
shade_patches(struct amd_pipeline *p)
{
   bool ok = true;
   while (ok && amd_ge_next_patches(p, &ok)) {
      ok = amd_spi_run_patches(p) && amd_ge_read_factors(p);
      while (ok && amd_ge_next_points(p)) {
         ok = shade_vertices(p);
         if (ok && dynarray_count(&p->memory->prims_out, struct amd_prim_out) >= AMD_BATCH_PRIMS)
            ok = rasterise(p);
      }
   }
   return ok;
}

static bool
run_batches(struct amd_pipeline *p)
{
   struct amd_draw_memory *m = p->memory;
   bool ok = amd_ge_start(p);
   m->vertex_data.size_B = m->prims_out.size_B = 0;
   while (ok && amd_ge_next(p, &ok))
      ok = (p->state.tess.enabled ? shade_patches(p) : shade_vertices(p)) && rasterise(p);
   return ok;
}

/* Whether pixel shaders run, and where the depth test stands. */
static void
choose_order(struct amd_pipeline *p)
{
   const struct amd_draw_state *s = &p->state;
   const struct amd_depth_state *d = &s->depth;
   bool results = false;
   for (unsigned i = 0; i < s->color.count; i++)
      results |= s->color.target[i].enable;
   results |= d->late_kill || d->z_export || d->stencil_export;
   p->shade = s->pixel.enabled && (results || s->pixel.exec_on_noop);
   p->test_at_raster = d->early || !p->shade;
}

void
amd_draw_commit(struct amd_pipeline *p)
{
   amd_written_announce(p);
   amd_spi_commit_launch(p);
}

static void
count(struct amd_pipeline *p)
{
   if (p->state.depth.count_samples)
      p->gpu->counters->zpass += p->samples_passed;
   if (*p->gpu->stats_on)
      p->gpu->counters->stats[AMD_STAT_PS_INVOCATIONS] += p->pixel_invocations;
   p->samples_passed = p->pixel_invocations = 0;
}

bool
amd_draw_end(struct amd_pipeline *p)
{
   bool ok = amd_written_mark(p);
   if (p->rates_outside)
      ok = sim_fault_set(p->gpu->fault, SIM_FAULT_ADDRESS, p->state.rate.image.surface.base,
                         "image of shading rates at 0x%012lx: pixels past what is mapped",
                         (long)p->state.rate.image.surface.base.va);
   if (p->coarse_hangs)
      ok = sim_fault_set(p->gpu->fault, SIM_FAULT_HANG, sim_va(0),
                         "SPI: coarse fragments of 8 samples (erratum vrs-8x-hang)");
   count(p);
   return ok;
}

/* Depth tests ahead of the shaders must find what those of earlier draws after their shaders leave. */
static bool
meets_late_depth(const struct amd_pipeline *p)
{
   const struct amd_draw_common *common = p->memory->common;
   const struct amd_depth_state *d = &p->state.depth;
   bool looks = p->state.rate.by_surface || (p->test_at_raster ? d->any : d->early_reject), late = false;
   for (unsigned i = 0; i < common->pending_count; i++)
      late |= !common->pending[i]->pipeline->test_at_raster && common->pending[i]->pipeline->state.depth.any;
   return looks && late;
}

static bool
decode(struct amd_pipeline *p)
{
   amd_targets_forget(&p->memory->targets);
   if (!amd_draw_state_decode(&p->state, p->gpu, &p->memory->targets))
      return false;
   choose_order(p);
   return true;
}

/* Draws with scratch would have that of each other, and those that work on copies of targets would not see each
 * other's pixels: they do not overlap. */
static bool
wait_for_others(struct amd_pipeline *p)
{
   bool copies = p->memory->targets.copies.size_B, serial = copies;
   for (unsigned i = 0; i < AMD_STAGES; i++)
      serial |= p->state.shaders[i].scratch_en;
   p->overlaps &= !serial;
   if (!p->overlaps)
      amd_order_serialize(p->gpu->caches);
   if (!p->memory->common->pending_count || !(serial || meets_late_depth(p)))
      return true;
   return amd_draws_wait(p->gpu) && (!copies || decode(p));
}

static bool
run_draw(struct amd_pipeline *p, uint64_t number)
{
   if (!decode(p) || !wait_for_others(p))
      return false;
   if (p->state.pops.enable)
      p->memory->common->pops.newest_draw = number;
   p->stipple_at = p->state.stipple.first_px;
   p->reorder_window = amd_reorder_window(p->gpu);
   p->vertex_floats = AMD_VERTEX_PARAM + 4 * p->state.geometry.param_count;
   amd_written_start(p);
   p->state.rate.image.outside = &p->rates_outside;
   bool ok = run_batches(p);
   ok &= amd_draw_end(p);
   if (p->state.stipple.enable)
      amd_sc_keep_stipple(p);
   return ok;
}

bool
amd_draw_run(struct amd_gpu *gpu, const struct amd_draw *draw)
{
   struct amd_draw_memory *memory = amd_draw_memory_take(gpu);
   struct amd_pipeline *p = memory->pipeline;
   if (!amd_draw_wait_launch(gpu, memory))
      return false;
   memset(&p->state + 1, 0, sizeof(*p) - sizeof(p->state));
   p->gpu = gpu;
   p->draw = draw;
   p->memory = memory;
   p->packet = amd_caches_packet(gpu->caches);
   p->overlaps = amd_wave_overlaps(gpu->engine);
   p->index = memory->common->draws++;
   memory->is_last = false;
   const uint64_t number = amd_order_pixels(gpu->caches, &p->done);
   if (p->done >= memory->common->pops.newest_draw)
      amd_pops_drain(&memory->common->pops);
   if (!p->overlaps)
      amd_draw_begin_races(p);
   bool ok = run_draw(p, number);
   memory->is_last = true;
   if (!memory->pending)
      amd_draw_end_races(p);
   return ok;
}
