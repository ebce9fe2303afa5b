/* What a draw reads and writes of its targets past the shader caches: depth, colour, metadata. */
#include <string.h>

#include "amd/sim/cache/meta_cache.h"
#include "amd/sim/cache/order.h"
#include "amd/sim/draw/draw_private.h"
#include "amd/sim/rb/rb.h"
#include "util/macros.h"

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

void
amd_written_announce(struct amd_pipeline *p)
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

void
amd_written_start(struct amd_pipeline *p)
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
      uint64_t tag = !dwords || dwords[line - first] ? amd_meta_look(p->gpu->caches, cache, at) : 0;
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
      if (dwords[line - first] && !amd_target_store(&p->memory->targets, surface->base, line * line_B, line_B))
         return false;
   return dwords || amd_target_store(&p->memory->targets, surface->base, first * line_B, (end - first) * line_B);
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
   const uint64_t by = amd_order_packet_tag(&p->packet, surface->writer);
   struct sim_va at;
   if (p->memory->targets.copies.size_B && !store_lines(p, surface, first, end, dwords))
      return false;
   uint64_t tag = dwords ? amd_order_mark_lines(caches, by, start, dwords, (unsigned)(end - first), &at)
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

bool
amd_written_mark(struct amd_pipeline *p)
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
