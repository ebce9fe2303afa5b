/* What subgroups of ES-GS waves allocate and export, as the vertices and primitives that primitive assembly takes. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "amd/sim/spi/ngg_private.h"
#include "util/macros.h"

enum {
   TARGET_POS0 = 12,
   TARGET_POS4 = 16,
   TARGET_PRIM = 20,
   TARGET_PARAM0 = 32,
   MESSAGE_GS_ALLOC_REQ = 9,
};

static bool __attribute__((format(printf, 2, 3)))
broken(struct ngg_run *run, const char *format, ...)
{
   if (!run->ok)
      return false;
   char text[160];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   run->ok = false;
   return sim_fault_set(run->p->gpu->fault, SIM_FAULT_HANG, run->p->state.shaders[AMD_STAGE_GS].program, "NGG: %s",
                        text);
}

static bool
allocate(struct ngg_run *run, const struct ngg_group *g, uint32_t vertices, uint32_t prims)
{
   struct ngg_output *out = &run->out;
   uint32_t most_vertices = MIN2(ngg_max_vertices(run->p, g), (uint32_t)NGG_MAX_OUT);
   uint32_t most_prims = MIN2(ngg_max_prims(run->p, g), (uint32_t)NGG_MAX_OUT);
   if (out->allocated)
      return broken(run, "a second GS_ALLOC_REQ of a subgroup");
   if (vertices > most_vertices || prims > most_prims)
      return broken(run, "GS_ALLOC_REQ of %u vertices and %u primitives, a subgroup has up to %u and %u", vertices,
                    prims, most_vertices, most_prims);
   if (run->p->gpu->model->traits->ngg_empty_hangs && (!vertices || !prims))
      return broken(run, "GS_ALLOC_REQ of %u vertices and %u primitives hangs (erratum ngg-fully-culled)", vertices,
                    prims);
   out->allocated = true;
   out->vertices = vertices;
   out->prims = prims;
   out->first_vertex = amd_spi_add_vertices(run->p, MAX2(vertices, prims));
   memset(out->prim_done, 0, prims);
   memset(out->vertex_done, 0, vertices);
   return true;
}

/* Erratum ngg-early-alloc: not every wave may run yet. Only a barrier says that they do. */
static bool
is_early(const struct ngg_run *run, const struct ngg_group *g, const struct amd_wave_message *message)
{
   return run->p->gpu->model->traits->ngg_early_alloc_hangs && !message->barriers && ngg_wave_count(run->p, g) > 1;
}

/* GS_ALLOC_REQ of the first wave: vertices M0[10:0], primitives M0[22:12]. */
static void
take_allocation(struct ngg_run *run, const struct ngg_group *g, uint32_t wave, const struct amd_wave_result *result)
{
   if (run->p->state.ngg.no_message && !wave)
      allocate(run, g, g->vertex_count, g->prim_count);
   for (uint32_t i = 0; i < result->message_count; i++) {
      const struct amd_wave_message *message = &result->messages[i];
      if ((message->simm16 & 15) != MESSAGE_GS_ALLOC_REQ)
         continue;
      if (wave)
         broken(run, "GS_ALLOC_REQ from wave %u of a subgroup, it is the first one's", wave);
      else if (message->exports)
         broken(run, "%u exports ahead of GS_ALLOC_REQ", message->exports);
      else if (is_early(run, g, message))
         broken(run, "GS_ALLOC_REQ ahead of any barrier of the subgroup's waves (erratum ngg-early-alloc)");
      else
         allocate(run, g, message->m0 & 0x7ff, message->m0 >> 12 & 0x7ff);
   }
}

static void
take_prims(struct ngg_run *run, const struct amd_wave_export *export, uint32_t first)
{
   struct ngg_output *out = &run->out;
   for (uint64_t lanes = export->exec; lanes; lanes &= lanes - 1) {
      uint32_t lane = (uint32_t)__builtin_ctzll(lanes), i = first + lane;
      if (i >= out->prims)
         broken(run, "export of primitive %u, %u are allocated", i, out->prims);
      else if (out->prim_done[i])
         broken(run, "primitive %u is exported twice", i);
      else if (export->en != (run->p->state.ngg.payload ? 3 : 1) || !export->done)
         broken(run, "an export of primitives without done, or of other components than SPI_SHADER_IDX_FORMAT has");
      if (!run->ok)
         return;
      out->prim_done[i] = true;
      out->prim[i] = export->value[0][lane];
      out->payload[i] = export->en & 2 ? export->value[1][lane] : 0;
   }
}

/* Lane l is vertex first + l, or primitive if it exports parameters of whole primitives: their places are those of
 * threads, too (assumed: programs say nowhere else whose a parameter is). */
static void
take_vertices(struct ngg_run *run, const struct amd_wave_export *export, uint32_t first)
{
   struct ngg_output *out = &run->out;
   if (!export->exec)
      return;
   uint32_t last = first + 63 - (uint32_t)__builtin_clzll(export->exec);
   bool whole = export->target >= TARGET_PARAM0 && run->p->state.ngg.prim_params;
   uint32_t limit = whole ? MAX2(out->vertices, out->prims) : out->vertices;
   if (last >= limit) {
      broken(run, "export of vertex %u, %u are allocated", last, limit);
      return;
   }
   bool ends = export->done && export->target >= TARGET_POS0 && export->target <= TARGET_POS4;
   for (uint64_t lanes = export->exec; lanes && ends; lanes &= lanes - 1)
      out->vertex_done[first + (uint32_t)__builtin_ctzll(lanes)] = true;
   amd_spi_store_export(run->p, export, out->first_vertex + first);
}

static void
take_prim(struct ngg_run *run, uint32_t number)
{
   const uint32_t null_prim = 1u << 31, packed = run->out.prim[number];
   const struct ngg_output *out = &run->out;
   struct amd_pipeline *p = run->p;
   uint32_t count = amd_prim_vertices(p->kind);
   struct amd_prim_out prim = {.edges = AMD_ALL_EDGES,
                               .starts = p->kind == AMD_PRIM_TRIANGLE,
                               .payload = out->payload[number],
                               .thread = out->first_vertex + number};
   if (packed & null_prim)
      return;
   for (uint32_t i = 0; i < AMD_PRIM_VERTICES; i++) {
      uint32_t shift = 10 * MIN2(i, count - 1), vertex = packed >> shift & 0x1ff;
      if (vertex >= out->vertices) {
         broken(run, "a primitive of vertex %u, %u are allocated", vertex, out->vertices);
         return;
      }
      prim.vertex[i] = out->first_vertex + vertex;
      if (p->state.ngg.edge_flags && !(packed >> (shift + 9) & 1))
         prim.edges &= (uint8_t)~(1u << i);
   }
   dynarray_append(&p->memory->prims_out, struct amd_prim_out, prim);
}

static void
end_group(struct ngg_run *run, const struct ngg_group *g)
{
   struct ngg_output *out = &run->out;
   if (!out->allocated)
      broken(run, "a subgroup ended without GS_ALLOC_REQ");
   for (uint32_t i = 0; i < out->prims && run->ok; i++) {
      if (!out->prim_done[i])
         broken(run, "primitive %u of %u is never exported", i, out->prims);
      else
         take_prim(run, i);
   }
   for (uint32_t i = 0; i < out->vertices && run->ok; i++) {
      if (!out->vertex_done[i])
         broken(run, "vertex %u of %u is never exported", i, out->vertices);
   }
   if (run->ok)
      run->ok = ngg_ring_read(run->p, g, out);
   out->allocated = false;
   out->vertices = out->prims = 0;
}

/* The thread whose vertex or primitive lane 0 exports: the wave's first one, or that of a row of as many threads as a
 * wave has, which M0 names: a wave exports several rows where a workgroup has more vertices than threads. Source:
 * what public drivers put into M0 (the wave's number, then that and the number of waves). */
static bool
first_of(struct ngg_run *run, const struct amd_wave_export *export, uint32_t wave, uint32_t *first)
{
   const uint32_t row = export->row_en ? export->m0 : wave;
   *first = row * run->p->state.shaders[AMD_STAGE_GS].wave_size;
   return row < NGG_MAX_OUT || broken(run, "export of row %u", row);
}

void
ngg_retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   struct ngg_run *run = user;
   const struct amd_pipeline *p = run->p;
   const struct ngg_group *g = ngg_group_at(p, run->first_group + group);
   take_allocation(run, g, wave, result);
   if (result->count && !run->out.allocated)
      broken(run, "exports of a subgroup without GS_ALLOC_REQ");
   for (uint32_t i = 0; i < result->count && run->ok; i++) {
      const struct amd_wave_export *export = &result->exports[i];
      uint32_t first;
      if (!first_of(run, export, wave, &first))
         break;
      if (export->target == TARGET_PRIM)
         take_prims(run, export, first);
      else
         take_vertices(run, export, first);
   }
   if (wave == run->waves_per_group - 1)
      end_group(run, g);
}
