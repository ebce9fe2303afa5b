#include "amd/sim/draw/draw.h"

#include <stdlib.h>
#include <string.h>

#include "amd/sim/cache/meta_cache.h"
#include "amd/sim/cache/order.h"
#include "amd/sim/draw/pipeline.h"
#include "amd/sim/draw/target_memory.h"
#include "amd/sim/draw/tiles.h"
#include "sim/race.h"
#include "util/macros.h"
#include "util/within_memory.h"

/* About how many quads a primitive makes: half of its bounds. */
static uint64_t
estimate_quads(const struct amd_prim *prim)
{
   return (uint64_t)(prim->area.x1 - prim->area.x0 + 1) * (uint64_t)(prim->area.y1 - prim->area.y0 + 1) / 8 + 1;
}

/* A surface that the draw writes. */
struct written_surface {
   enum amd_writer writer;
   struct sim_va base;
   uint64_t size_B;
   struct amd_note_page **written; /* where the stage that writes looks */
   struct amd_note_page **looked;  /* of metadata: the same, of what is read; else NULL */
   uint8_t **outside;              /* the same of pixels past size_B */
   const char *what;
   bool read_only;
};

enum { MAX_SURFACES = AMD_DRAW_SURFACES };

static struct written_surface
meta_surface(enum amd_writer writer, const char *what, struct sim_va base, uint64_t size_B,
             struct amd_meta_memory *memory)
{
   return (struct written_surface){.writer = writer,
                                   .base = base,
                                   .size_B = MIN2(size_B, memory->run_B),
                                   .written = &memory->written,
                                   .outside = &memory->outside,
                                   .looked = &memory->looked,
                                   .what = what};
}

static unsigned
list_color(struct amd_target_state *t, struct written_surface *list)
{
   struct amd_color_meta *m = &t->meta;
   unsigned count = 0;
   list[count++] = (struct written_surface){.writer = AMD_WRITER_CB,
                                            .base = t->surface.base,
                                            .size_B = MIN2(t->surface.size_B, t->run_B),
                                            .written = &t->written,
                                            .outside = &t->outside,
                                            .what = "colour target"};
   if (m->dcc)
      list[count++] =
         meta_surface(AMD_WRITER_CB_META, "DCC", m->dcc_layout.base, m->dcc_layout.size_B, &m->dcc_memory);
   if (m->cmask)
      list[count++] =
         meta_surface(AMD_WRITER_CB_META, "CMASK", m->cmask_layout.base, m->cmask_layout.size_B, &m->cmask_memory);
   if (m->fmask)
      list[count++] =
         meta_surface(AMD_WRITER_CB_META, "FMASK", m->fmask_layout.base, m->fmask_layout.size_B, &m->fmask_memory);
   return count;
}

static unsigned
list_surfaces(struct amd_pipeline *p, struct written_surface list[MAX_SURFACES])
{
   struct amd_depth_state *d = &p->state.depth;
   unsigned count = 0;
   for (unsigned i = 0; i < p->state.color.count; i++)
      if (p->state.color.target[i].enable)
         count += list_color(&p->state.color.target[i], &list[count]);
   if (d->has_z)
      list[count++] = (struct written_surface){.writer = AMD_WRITER_DB,
                                               .base = d->z.base,
                                               .size_B = MIN2(d->z.size_B, d->z_run_B),
                                               .written = &d->z_written,
                                               .outside = &d->z_outside,
                                               .what = "depth surface"};
   if (d->has_stencil)
      list[count++] = (struct written_surface){.writer = AMD_WRITER_DB,
                                               .base = d->stencil.base,
                                               .size_B = MIN2(d->stencil.size_B, d->stencil_run_B),
                                               .written = &d->stencil_written,
                                               .outside = &d->stencil_outside,
                                               .what = "stencil surface"};
   if (d->any && d->htile.enable)
      list[count++] =
         meta_surface(AMD_WRITER_DB_META, "HTILE", d->htile.layout.base, d->htile.layout.size_B, &d->htile.memory);
   if (p->state.rate.by_surface && !p->state.rate.by_image) {
      list[count] = meta_surface(AMD_WRITER_DB_META, "shading rates", p->state.rate.surface.base,
                                 p->state.rate.surface.size_B, &p->state.rate.memory);
      list[count++].read_only = true;
   }
   return count;
}

/* Lines of the targets that shader caches hold become stale: depth and colour reach memory past those caches. */
static void
announce_writes(struct amd_pipeline *p)
{
   struct written_surface list[MAX_SURFACES];
   unsigned count = list_surfaces(p, list);
   amd_caches_settle(p->gpu->caches);
   for (unsigned i = 0; i < count; i++) {
      if (list[i].read_only)
         continue;
      amd_caches_write(p->gpu->caches, list[i].base, list[i].size_B);
      sim_vm_tell_write(p->gpu->vm, list[i].base, list[i].size_B);
   }
}

/* Zeros, of at least so many bytes. */
static uint8_t *
zeroed(struct dynarray *array, size_t size_B)
{
   size_t old = array->size_B;
   if (old < size_B)
      memset(dynarray_grow(array, size_B - old), 0, size_B - old);
   return array->data;
}

static void
start_noting_writes(struct amd_pipeline *p)
{
   struct amd_htile_state *h = &p->state.depth.htile;
   uint64_t slices = p->state.depth.last_slice - p->state.depth.first_slice + UINT64_C(1);
   if (h->summarises)
      h->opened = zeroed(&p->memory->opened_tiles, slices * ((uint64_t)h->tiles_wide * h->tiles_high + 1) + 8);
   struct written_surface list[MAX_SURFACES];
   unsigned count = list_surfaces(p, list);
   for (unsigned i = 0; i < count; i++) {
      const size_t pages = amd_note_pages(list[i].size_B), kinds = list[i].looked ? 2 : 1;
      struct amd_note_page *notes =
         (struct amd_note_page *)zeroed(&p->memory->notes[i], kinds * pages * sizeof(*notes) + 1);
      *list[i].written = notes;
      *list[i].outside = (uint8_t *)(notes + kinds * pages);
      if (list[i].looked)
         *list[i].looked = notes + pages;
   }
}

static bool
is_color(const struct written_surface *surface)
{
   return surface->writer == AMD_WRITER_CB || surface->writer == AMD_WRITER_CB_META;
}

/* CB and DB have read lines of metadata. False if their caches had older ones. */
static bool
look_at_lines(struct amd_pipeline *p, const struct written_surface *surface, uint64_t first, uint64_t end,
              const uint32_t *dwords)
{
   enum amd_meta_cache cache = is_color(surface) ? AMD_META_CACHE_CB : AMD_META_CACHE_DB;
   for (uint64_t line = first; line < end; line++) {
      struct sim_va at = sim_va_add(surface->base, (int64_t)(line << AMD_NOTE_LINE_LOG2));
      uint32_t tag = !dwords || dwords[line - first] ? amd_meta_look(p->gpu->caches, cache, at) : 0;
      if (tag)
         return amd_meta_fault(p->gpu->caches, cache, tag, at, p->gpu->fault);
   }
   return true;
}

/* False after a fault. */
static bool
store_lines(const struct amd_pipeline *p, const struct written_surface *surface, uint64_t first, uint64_t end,
            const uint32_t *dwords)
{
   const uint64_t line_B = 1 << AMD_NOTE_LINE_LOG2;
   for (uint64_t line = first; line < end && dwords; line++)
      if (dwords[line - first] && !amd_target_store(p->gpu, surface->base, line * line_B, line_B))
         return false;
   return dwords || amd_target_store(p->gpu, surface->base, first * line_B, (end - first) * line_B);
}

/* What CB and DB hold is theirs until it is flushed. False if something else may still write there. */
static bool
mark_lines(struct amd_pipeline *p, const struct written_surface *surface, uint64_t first, uint64_t end,
           const uint32_t *dwords)
{
   struct amd_caches *caches = p->gpu->caches;
   const uint64_t offset_B = first << AMD_NOTE_LINE_LOG2;
   const uint64_t size_B = MIN2(surface->size_B, end << AMD_NOTE_LINE_LOG2) - offset_B;
   const struct sim_va start = sim_va_add(surface->base, (int64_t)offset_B);
   const uint32_t by = amd_order_packet_tag(&p->packet, surface->writer);
   struct sim_va at;
   if (p->memory->copies.size_B && !store_lines(p, surface, first, end, dwords))
      return false;
   uint32_t tag = dwords ? amd_order_mark_lines(caches, by, start, dwords, (unsigned)(end - first), &at)
                         : amd_order_mark_target(caches, by, start, size_B, &at);
   return !tag || amd_order_fault(caches, tag, at, is_color(surface) ? "write by CB" : "write by DB", p->gpu->fault);
}

static bool
is_whole(const struct amd_note_page *notes)
{
   uint32_t all = UINT32_MAX;
   for (unsigned i = 0; i < AMD_NOTE_LINES; i++)
      all &= notes->line[i];
   return all == UINT32_MAX;
}

/* Calls `act` for each run of pages that were noted as a whole (dwords: NULL), and for the lines of each that was in
 * part, and forgets them, for the next draw. */
static bool
take_notes(struct amd_pipeline *p, const struct written_surface *surface, struct amd_note_page *notes,
           bool (*act)(struct amd_pipeline *, const struct written_surface *, uint64_t first, uint64_t end,
                       const uint32_t *dwords))
{
   const size_t pages = amd_note_pages(surface->size_B);
   bool ok = true;
   for (size_t page = 0, end; (page = amd_note_next(notes, page, pages)) < pages; page = end) {
      end = page + 1;
      const bool whole = is_whole(&notes[page]);
      while (whole && end < pages && is_whole(&notes[end]))
         end++;
      ok = ok && act(p, surface, page * AMD_NOTE_LINES, end * AMD_NOTE_LINES, whole ? NULL : notes[page].line);
      for (size_t i = page; i < end; i++)
         amd_note_forget(notes, i);
   }
   return ok;
}

static bool
mark_writes(struct amd_pipeline *p)
{
   struct written_surface list[MAX_SURFACES];
   unsigned count = list_surfaces(p, list);
   bool ok = true;
   amd_htile_summarise(&p->state.depth, p->gpu->pool);
   for (unsigned i = 0; i < count; i++) {
      if (list[i].looked)
         ok &= take_notes(p, &list[i], *list[i].looked, look_at_lines);
      ok &= take_notes(p, &list[i], *list[i].written, mark_lines);
      if (**list[i].outside)
         ok = sim_fault_set(p->gpu->fault, SIM_FAULT_ADDRESS, list[i].base,
                            "%s at 0x%012lx: pixels past the 0x%lx bytes that are mapped", list[i].what,
                            (long)list[i].base.va, (long)list[i].size_B);
      **list[i].outside = 0;
   }
   return ok;
}

bool
amd_draw_start_scratch(const struct amd_pipeline *p, enum amd_stage stage, uint32_t slot, unsigned sgpr,
                       struct amd_wave_start *start)
{
   bool in_sgpr = !p->gpu->model->traits->scratch_in_registers;
   uint32_t offset_B = slot * p->state.scratch_wave_B;
   if (!p->state.shaders[stage].scratch_en)
      return false;
   if (in_sgpr)
      start->sgpr[sgpr] = offset_B;
   else
      start->flat_scratch = sim_va_add(p->state.scratch, offset_B).va;
   return in_sgpr;
}

struct amd_wave_launch
amd_draw_launch(const struct amd_pipeline *p, enum amd_stage stage)
{
   const struct amd_shader_state *shader = &p->state.shaders[stage];
   return (struct amd_wave_launch){
      .stage = stage,
      .vm = p->gpu->vm,
      .caches = p->gpu->caches,
      .program = shader->program,
      .wave_size = shader->wave_size,
      .float_mode = shader->float_mode,
      .dx10_clamp = shader->dx10_clamp,
      .ieee = shader->ieee,
      .vgpr_count = shader->vgpr_count,
      .shared_vgprs = shader->shared_vgprs,
      .lds_size_B = shader->lds_size_B,
      .gds = p->gpu->gds,
      .waves_per_group = 1,
      .scratch_waves = shader->scratch_en ? p->state.scratch_waves : 0,
      .chip = p->gpu->chip,
      .border = p->state.border,
      .time = amd_gpu_clock(p->gpu),
   };
}

static const amd_vertex_path_fn vertex_paths[AMD_VERTEX_PATHS] = {
   [AMD_VERTEX_PATH_VS] = amd_spi_run_vertices,
   [AMD_VERTEX_PATH_GS] = amd_spi_run_gs,
   [AMD_VERTEX_PATH_NGG] = amd_spi_run_ngg,
};

static void
empty_batch(struct amd_draw_memory *m)
{
   m->vertices_in.size_B = 0;
   m->prims_in.size_B = 0;
   m->corners.size_B = 0;
}

static void
empty_output(struct amd_draw_memory *m)
{
   m->vertex_data.size_B = 0;
   m->prims_out.size_B = 0;
}

bool
amd_pipeline_vertices(struct amd_pipeline *p)
{
   return amd_draw_wait_launch(p->gpu, p->memory) && vertex_paths[p->state.geometry.path](p);
}

bool
amd_pipeline_rasterise(struct amd_pipeline *p)
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
      uint64_t quads = 0;
      for (end = first; end < count && (end == first || quads < AMD_BATCH_QUADS); end++)
         quads += estimate_quads(dynarray_at(&m->prims, struct amd_prim, end));
      ok = amd_draw_wait_launch(p->gpu, m);
      if (!ok)
         break;
      announce_writes(p);
      p->alike = amd_spi_ps_alike(p);
      amd_sc_run(p, first, end);
      ok = p->alike ? amd_spi_run_alike(p) : amd_spi_run_pixels(p);
   }
   empty_output(m);
   return ok;
}

bool
amd_pipeline_batch(struct amd_pipeline *p)
{
   struct amd_draw_memory *m = p->memory;
   bool ok = true;
   empty_output(m);
   if (dynarray_count(&m->prims_in, struct amd_prim_in))
      ok = (p->state.tess.enabled ? amd_tess_run(p) : amd_pipeline_vertices(p)) && amd_pipeline_rasterise(p);
   empty_batch(m);
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
   announce_writes(p);
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
   bool ok = mark_writes(p);
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

/* Depth tests ahead of the shaders must find what those of earlier draws behind their shaders leave. */
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
   amd_target_forget(p->memory);
   if (!amd_draw_state_decode(&p->state, p->gpu))
      return false;
   choose_order(p);
   return true;
}

/* Draws with scratch would have that of each other, and those that work on copies of targets would not see each
 * other's pixels: they do not overlap. */
static bool
wait_for_others(struct amd_pipeline *p)
{
   bool copies = p->memory->copies.size_B, alone = copies;
   for (unsigned i = 0; i < AMD_STAGES; i++)
      alone |= p->state.shaders[i].scratch_en;
   p->overlaps &= !alone;
   if (!p->overlaps)
      amd_order_alone(p->gpu->caches);
   if (!p->memory->common->pending_count || !(alone || meets_late_depth(p)))
      return true;
   return amd_draws_wait(p->gpu) && (!copies || decode(p));
}

static bool
run(struct amd_pipeline *p, uint32_t number)
{
   if (!decode(p) || !wait_for_others(p))
      return false;
   if (p->state.pops.enable)
      p->memory->common->pops.newest_draw = number;
   p->stipple_at = p->state.stipple.first_px;
   p->reorder_window = amd_reorder_window(p->gpu);
   p->vertex_floats = AMD_VERTEX_PARAM + 4 * p->state.geometry.param_count;
   start_noting_writes(p);
   p->state.rate.image.outside = &p->rates_outside;
   bool ok = amd_ge_run(p);
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
   empty_batch(p->memory);
   const uint32_t number = amd_order_pixels(gpu->caches, &p->done);
   if (p->done >= memory->common->pops.newest_draw)
      amd_pops_drain(&memory->common->pops);
   if (!p->overlaps)
      amd_draw_begin_races(p);
   bool ok = run(p, number);
   memory->is_last = true;
   if (!memory->pending)
      amd_draw_end_races(p);
   return ok;
}
