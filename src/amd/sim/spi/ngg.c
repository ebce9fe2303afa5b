/* Subgroups of ES-GS waves: starting registers, what they allocate and export. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "amd/sim/spi/ngg_private.h"
#include "util/macros.h"

enum {
   TARGET_POS0 = 12,
   TARGET_POS4 = 16,
   TARGET_PRIM = 20,
   MESSAGE_GS_ALLOC_REQ = 9,
   USER_SGPRS = 8, /* user data starts there */
   FIRST_ES_VGPR = 5,
   MAX_OUT = 1 << 11, /* what the fields of GS_ALLOC_REQ hold */
};

/* What the subgroup that retires has given out so far. */
struct ngg_output {
   bool allocated;
   uint32_t vertices, prims;
   uint32_t first_vertex; /* in vertex_data */
   uint32_t prim[MAX_OUT];
   bool prim_done[MAX_OUT], vertex_done[MAX_OUT];
};

struct ngg_run {
   struct amd_pipeline *p;
   uint32_t waves_per_group;
   bool ok;
   struct ngg_output out;
};

static const struct ngg_group *
group_at(const struct amd_pipeline *p, uint32_t group)
{
   return dynarray_at(&p->memory->ngg_groups, struct ngg_group, group);
}

/* What the subgroup may give out: without a geometry shader no more vertices than it took in. */
static uint32_t
max_vertices(const struct amd_pipeline *p, const struct ngg_group *g)
{
   const struct amd_ngg_state *n = &p->state.ngg;
   return MIN2(n->gs ? ngg_gs_threads(g) * n->max_vert_out : g->vertex_count, (uint32_t)n->max_out_vertices);
}

static uint32_t
max_prims(const struct amd_pipeline *p, const struct ngg_group *g)
{
   return ngg_gs_threads(g) * p->state.ngg.amplification;
}

/* As many as anything that the subgroup takes in or may give out needs. */
static uint32_t
thread_count(const struct amd_pipeline *p, const struct ngg_group *g)
{
   uint32_t in = MAX2(g->vertex_count, ngg_gs_threads(g)), out = MAX2(max_vertices(p, g), max_prims(p, g));
   return MAX2(in, out);
}

static uint32_t
wave_count(const struct amd_pipeline *p, const struct ngg_group *g)
{
   return (uint32_t)div_round_up(thread_count(p, g), p->state.shaders[AMD_STAGE_GS].wave_size);
}

static void
start_sgprs(const struct amd_pipeline *p, const struct ngg_group *g, uint32_t wave, uint32_t scratch_slot,
            struct amd_wave_start *s)
{
   const struct amd_shader_state *shader = &p->state.shaders[AMD_STAGE_GS];
   uint32_t waves = wave_count(p, g);
   for (unsigned i = 0; i < USER_SGPRS; i++)
      s->sgpr[i] = AMD_WAVE_GARBAGE;
   s->sgpr[0] = shader->user_addr[0];
   s->sgpr[1] = shader->user_addr[1];
   s->sgpr[2] = (max_vertices(p, g) & 0x1ff) << 12 | (max_prims(p, g) & 0x1ff) << 22;
   s->sgpr[3] = ngg_in_wave(g->vertex_count, wave, shader->wave_size) |
                ngg_in_wave(ngg_gs_threads(g), wave, shader->wave_size) << 8 | wave << 24 | waves << 28;
   if (p->state.tess.enabled)
      s->sgpr[4] = p->offchip_offset_B;
   if (shader->scratch_en)
      s->sgpr[5] = scratch_slot * p->state.scratch_wave_B;
   memcpy(s->sgpr + USER_SGPRS, shader->user_data, shader->user_sgprs * 4);
   s->sgpr_count = USER_SGPRS + shader->user_sgprs;
}

static uint32_t
pair(const uint32_t *corners, uint32_t count, uint32_t first, uint32_t unit)
{
   uint32_t low = first < count ? corners[first] * unit : 0, high = first + 1 < count ? corners[first + 1] * unit : 0;
   return (low & 0xffff) | high << 16;
}

/* What EXP takes: vertices of 9 bits, each with its edge flag above, 10 bits apart. */
static uint32_t
packed_prim(const uint32_t *corners, uint32_t count, uint8_t edges)
{
   uint32_t packed = 0;
   for (uint32_t i = 0; i < MIN2(count, AMD_PRIM_VERTICES); i++)
      packed |= corners[i] << 10 * i | (uint32_t)(edges >> i & 1) << (10 * i + 9);
   return packed;
}

static void
start_gs_thread(const struct amd_pipeline *p, const struct ngg_group *g, uint32_t thread, uint32_t lane,
                struct amd_wave_start *s)
{
   const struct amd_ngg_state *n = &p->state.ngg;
   uint32_t prim = g->first_prim + thread / g->instances, count = p->prim_in_vertices;
   const struct amd_prim_in *in = dynarray_at(&p->memory->prims_in, struct amd_prim_in, prim);
   const uint32_t *corners = (const uint32_t *)p->memory->ngg_corners.data + (size_t)prim * count;
   const uint32_t values[] = {
      n->passthrough ? packed_prim(corners, count, in->edges) : pair(corners, count, 0, n->item_dw),
      pair(corners, count, 2, n->item_dw),
      in->prim_id,
      (g->first_instance + thread % g->instances) |
         (p->state.geometry.path == AMD_VERTEX_PATH_NGG ? (uint32_t)in->edges << 8 : 0),
   };
   for (unsigned i = 0; i <= n->gs_vgprs; i++)
      s->vgpr[i][lane] = values[i];
   if (count > 4)
      s->vgpr[4][lane] = pair(corners, count, 4, n->item_dw);
}

static void
start_es_thread(const struct amd_pipeline *p, const struct ngg_group *g, uint32_t thread, uint32_t lane,
                struct amd_wave_start *s)
{
   uint32_t number = *dynarray_at(&p->memory->ngg_vertices, uint32_t, g->first_vertex + thread), args[4];
   amd_spi_vertex_args(p, number, args);
   for (unsigned i = 0; i <= p->state.ngg.es_vgprs; i++)
      s->vgpr[FIRST_ES_VGPR + i][lane] = args[i];
}

void
ngg_start_vgprs(const struct amd_pipeline *p, const struct ngg_group *g, uint32_t wave, struct amd_wave_start *s)
{
   uint32_t size = p->state.shaders[AMD_STAGE_GS].wave_size, first = wave * size;
   s->vgpr_count = FIRST_ES_VGPR + p->state.ngg.es_vgprs + 1;
   for (unsigned i = 0; i < s->vgpr_count; i++) {
      for (unsigned lane = 0; lane < size; lane++)
         s->vgpr[i][lane] = AMD_WAVE_GARBAGE;
   }
   uint32_t gs = ngg_in_wave(ngg_gs_threads(g), wave, size), es = ngg_in_wave(g->vertex_count, wave, size);
   for (uint32_t lane = 0; lane < gs; lane++)
      start_gs_thread(p, g, first + lane, lane, s);
   for (uint32_t lane = 0; lane < es; lane++)
      start_es_thread(p, g, first + lane, lane, s);
}

static void
start(void *user, uint32_t group, uint32_t wave, uint32_t scratch_slot, struct amd_wave_start *s)
{
   const struct ngg_run *run = user;
   const struct amd_pipeline *p = run->p;
   const struct ngg_group *g = group_at(p, group);
   uint32_t size = p->state.shaders[AMD_STAGE_GS].wave_size;
   if (wave >= wave_count(p, g))
      return;
   start_sgprs(p, g, wave, scratch_slot, s);
   ngg_start_vgprs(p, g, wave, s);
   s->exec = bit_mask(ngg_in_wave(thread_count(p, g), wave, size));
}

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
   uint32_t most_vertices = MIN2(max_vertices(run->p, g), (uint32_t)MAX_OUT);
   uint32_t most_prims = MIN2(max_prims(run->p, g), (uint32_t)MAX_OUT);
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
   out->first_vertex = amd_spi_add_vertices(run->p, vertices);
   memset(out->prim_done, 0, prims);
   memset(out->vertex_done, 0, vertices);
   return true;
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
      else if (!(export->en & 1) || !export->done)
         broken(run, "an export of primitives without its component or without done");
      if (!run->ok)
         return;
      out->prim_done[i] = true;
      out->prim[i] = export->value[0][lane];
   }
}

static void
take_vertices(struct ngg_run *run, const struct amd_wave_export *export, uint32_t first)
{
   struct ngg_output *out = &run->out;
   if (!export->exec)
      return;
   uint32_t last = first + 63 - (uint32_t)__builtin_clzll(export->exec);
   if (last >= out->vertices) {
      broken(run, "export of vertex %u, %u are allocated", last, out->vertices);
      return;
   }
   bool ends = export->done && export->target >= TARGET_POS0 && export->target <= TARGET_POS4;
   for (uint64_t lanes = export->exec; lanes && ends; lanes &= lanes - 1)
      out->vertex_done[first + (uint32_t)__builtin_ctzll(lanes)] = true;
   amd_spi_store_export(run->p, export, out->first_vertex + first);
}

static void
take_prim(struct ngg_run *run, uint32_t packed)
{
   const uint32_t null_prim = 1u << 31;
   const struct ngg_output *out = &run->out;
   struct amd_pipeline *p = run->p;
   uint32_t count = amd_prim_vertices(p->kind);
   struct amd_prim_out prim = {.edges = AMD_ALL_EDGES};
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
end_group(struct ngg_run *run)
{
   struct ngg_output *out = &run->out;
   if (!out->allocated)
      broken(run, "a subgroup ended without GS_ALLOC_REQ");
   for (uint32_t i = 0; i < out->prims && run->ok; i++) {
      if (!out->prim_done[i])
         broken(run, "primitive %u of %u is never exported", i, out->prims);
      else
         take_prim(run, out->prim[i]);
   }
   for (uint32_t i = 0; i < out->vertices && run->ok; i++) {
      if (!out->vertex_done[i])
         broken(run, "vertex %u of %u is never exported", i, out->vertices);
   }
   out->allocated = false;
   out->vertices = out->prims = 0;
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   struct ngg_run *run = user;
   const struct amd_pipeline *p = run->p;
   uint32_t first = wave * p->state.shaders[AMD_STAGE_GS].wave_size;
   take_allocation(run, group_at(p, group), wave, result);
   if (result->count && !run->out.allocated)
      broken(run, "exports of a subgroup without GS_ALLOC_REQ");
   for (uint32_t i = 0; i < result->count && run->ok; i++) {
      if (result->exports[i].target == TARGET_PRIM)
         take_prims(run, &result->exports[i], first);
      else
         take_vertices(run, &result->exports[i], first);
   }
   if (wave == run->waves_per_group - 1)
      end_group(run);
}

static void
count_statistics(const struct amd_pipeline *p)
{
   uint64_t *stats = p->gpu->counters->stats;
   dynarray_for_each(struct ngg_group, g, &p->memory->ngg_groups) {
      stats[AMD_STAT_VS_INVOCATIONS] += p->state.tess.enabled ? 0 : g->vertex_count;
      if (p->state.ngg.gs)
         stats[AMD_STAT_GS_INVOCATIONS] += ngg_gs_threads(g);
   }
}

bool
amd_spi_run_ngg(struct amd_pipeline *p)
{
   const struct amd_shader_state *shader = &p->state.shaders[AMD_STAGE_GS];
   if (!shader->program.va)
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0), "draw without a primitive shader");
   if (shader->user_sgprs > ARRAY_SIZE(shader->user_data))
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0), "%u user SGPRs", shader->user_sgprs);
   if (!ngg_form_groups(p))
      return false;
   p->kind = p->state.ngg.out_kind;
   struct ngg_run run = {.p = p, .ok = true};
   struct amd_wave_launch launch = amd_draw_launch(p, AMD_STAGE_GS);
   launch.name = "primitive shader";
   launch.group_count = (uint32_t)dynarray_count(&p->memory->ngg_groups, struct ngg_group);
   for (uint32_t i = 0; i < launch.group_count; i++)
      run.waves_per_group = MAX2(run.waves_per_group, wave_count(p, group_at(p, i)));
   launch.waves_per_group = run.waves_per_group;
   launch.user = &run;
   launch.start = start;
   launch.retire = retire;
   if (*p->gpu->stats_on)
      count_statistics(p);
   return amd_wave_run(p->gpu->engine, &launch, p->gpu->fault) && run.ok;
}
