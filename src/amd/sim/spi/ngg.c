/* Subgroups of ES-GS waves: starting registers, what they allocate and export. */
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/spi/ngg_private.h"
#include "util/macros.h"

enum {
   USER_SGPRS = 8, /* user data starts there */
   FIRST_ES_VGPR = 5,
};

const struct ngg_group *
ngg_group_at(const struct amd_pipeline *p, uint32_t group)
{
   return dynarray_at(&p->memory->ngg_groups, struct ngg_group, group);
}

/* What the subgroup may give out: without a geometry shader no more vertices than it took in. */
uint32_t
ngg_max_vertices(const struct amd_pipeline *p, const struct ngg_group *g)
{
   const struct amd_ngg_state *n = &p->state.ngg;
   if (n->mesh.threads)
      return n->mesh.max_vertices;
   return MIN2(n->gs ? ngg_gs_threads(g) * n->max_vert_out : g->vertex_count, (uint32_t)n->max_out_vertices);
}

uint32_t
ngg_max_prims(const struct amd_pipeline *p, const struct ngg_group *g)
{
   const struct amd_ngg_state *n = &p->state.ngg;
   return n->mesh.threads ? n->mesh.max_prims : ngg_gs_threads(g) * n->amplification;
}

/* As many as anything that the subgroup takes in or may give out needs. A mesh shader's VGT_GS_MAX_VERT_OUT is its
 * workgroup's size, whatever it gives out. */
static uint32_t
thread_count(const struct amd_pipeline *p, const struct ngg_group *g)
{
   const struct amd_ngg_state *n = &p->state.ngg;
   if (n->mesh.threads)
      return n->mesh.threads;
   uint32_t in = MAX2(g->vertex_count, ngg_gs_threads(g)), out = MAX2(ngg_max_vertices(p, g), ngg_max_prims(p, g));
   uint32_t most = MAX2(in, out);
   return n->fast_launch ? MAX2(most, (uint32_t)n->max_vert_out) : most;
}

uint32_t
ngg_wave_count(const struct amd_pipeline *p, const struct ngg_group *g)
{
   return (uint32_t)div_round_up(thread_count(p, g), p->state.shaders[AMD_STAGE_GS].wave_size);
}

static void
start_sgprs(const struct amd_pipeline *p, const struct ngg_group *g, uint32_t wave, uint32_t scratch_slot,
            struct amd_wave_start *s)
{
   const struct amd_shader_state *shader = &p->state.shaders[AMD_STAGE_GS];
   uint32_t waves = ngg_wave_count(p, g);
   for (unsigned i = 0; i < USER_SGPRS; i++)
      s->sgpr[i] = AMD_WAVE_GARBAGE;
   s->sgpr[0] = shader->user_addr[0];
   s->sgpr[1] = shader->user_addr[1];
   s->sgpr[2] = p->state.ngg.wave_ids ? g->id : AMD_WAVE_GARBAGE & 0xfff;
   s->sgpr[2] |= (ngg_max_vertices(p, g) & 0x1ff) << 12 | (ngg_max_prims(p, g) & 0x1ff) << 22;
   s->sgpr[3] = ngg_in_wave(g->vertex_count, wave, shader->wave_size) |
                ngg_in_wave(ngg_gs_threads(g), wave, shader->wave_size) << 8 | wave << 24 | waves << 28;
   if (p->state.tess.enabled)
      s->sgpr[4] = p->offchip_offset_B;
   if (p->state.ngg.ring.part_B)
      s->sgpr[5] = g->ring_B / NGG_RING_UNIT_B;
   amd_spi_start_scratch(p, AMD_STAGE_GS, scratch_slot, 5, s);
   memcpy(s->sgpr + USER_SGPRS, shader->user_data, shader->user_sgprs * 4);
   s->sgpr_count = USER_SGPRS + shader->user_sgprs;
}

/* As a compute shader: X and Y of the workgroup in one SGPR, Z above the ring's place; threads in one VGPR. Both
 * counts of threads are the wave's (assumed). Source: public drivers' arguments. */
static void
start_mesh(const struct amd_pipeline *p, const struct ngg_group *g, uint32_t wave, struct amd_wave_start *s)
{
   const struct amd_mesh_state *m = &p->state.ngg.mesh;
   const uint32_t *groups = p->draw->groups;
   uint32_t size = p->state.shaders[AMD_STAGE_GS].wave_size, lanes = ngg_in_wave(m->threads, wave, size);
   uint32_t number = *dynarray_at(&p->memory->ngg_vertices, uint32_t, g->first_vertex);
   uint32_t i = dynarray_at(&p->memory->vertices_in, struct amd_vertex_in, number)->index;
   s->sgpr[3] = (s->sgpr[3] & 0xffff0000) | lanes | lanes << 8;
   s->sgpr[4] = i % groups[0] | i / groups[0] % groups[1] << 16;
   s->sgpr[5] = (s->sgpr[5] & 0xffff) | i / groups[0] / groups[1] << 16;
   s->vgpr_count = 1;
   amd_spi_leave_lanes(s, lanes, size);
   for (uint32_t lane = 0; lane < lanes; lane++) {
      uint32_t thread = wave * size + lane, row = thread / m->size[0];
      s->vgpr[0][lane] = thread % m->size[0] | row % m->size[1] << 10 | row / m->size[1] << 20;
   }
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
   amd_spi_leave_lanes(s, 0, size);
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
   const struct ngg_group *g = ngg_group_at(p, run->first_group + group);
   uint32_t lanes = ngg_in_wave(thread_count(p, g), wave, p->state.shaders[AMD_STAGE_GS].wave_size);
   if (wave >= ngg_wave_count(p, g))
      return;
   start_sgprs(p, g, wave, scratch_slot, s);
   if (p->state.ngg.mesh.threads)
      start_mesh(p, g, wave, s);
   else
      ngg_start_vgprs(p, g, wave, s);
   for (uint32_t lane = 0; lane < lanes && p->state.ngg.fast_launch; lane++)
      start_es_thread(p, g, 0, lane, s);
   /* What else EXEC has is not said: programs of public drivers set it first. */
   s->exec = p->state.ngg.mesh.threads || p->state.ngg.fast_launch ? bit_mask(lanes) : 1;
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
   const struct amd_ngg_state *n = &p->state.ngg;
   if (!shader->program.va)
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0), "draw without a primitive shader");
   if (shader->user_sgprs > ARRAY_SIZE(shader->user_data))
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0), "%u user SGPRs", shader->user_sgprs);
   if (n->mesh.threads && !p->draw->groups[0])
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "a draw packet with GS_FAST_LAUNCH 2: workgroups have packets of their own");
   if (!ngg_form_groups(p))
      return false;
   p->kind = p->state.ngg.out_kind;
   struct ngg_run run = {.p = p, .ok = true};
   struct amd_wave_launch launch = amd_spi_launch(p, AMD_STAGE_GS);
   launch.name = "primitive shader";
   uint32_t count = (uint32_t)dynarray_count(&p->memory->ngg_groups, struct ngg_group);
   for (uint32_t i = 0; i < count; i++)
      run.waves_per_group = MAX2(run.waves_per_group, ngg_wave_count(p, ngg_group_at(p, i)));
   launch.waves_per_group = run.waves_per_group;
   launch.user = &run;
   launch.ring = (struct amd_wave_ring){n->ring.base, (uint64_t)n->ring.part_B * n->ring.parts};
   launch.ordered.regs = amd_regs_slot(p->gpu->regs, R_GDS_STRMOUT_DWORDS_WRITTEN_0);
   launch.ordered.mask = n->wave_ids ? NGG_MAX_WAVE_ID : 0;
   launch.start = start;
   launch.retire = ngg_retire;
   if (*p->gpu->stats_on)
      count_statistics(p);
   const size_t prims = dynarray_count(&p->memory->prims_out, struct amd_prim_out);
   for (; run.first_group < count && run.ok; run.first_group += launch.group_count) {
      launch.group_count = ngg_ring_place(p, run.first_group);
      launch.ordered.first = ngg_group_at(p, run.first_group)->id;
      if (!launch.group_count || !amd_wave_run(p->gpu->engine, &launch, p->gpu->fault))
         return false;
   }
   if (n->gs && *p->gpu->stats_on && p->gpu->model->traits->ngg_counts_prims)
      p->gpu->counters->stats[AMD_STAT_GS_PRIMITIVES] +=
         dynarray_count(&p->memory->prims_out, struct amd_prim_out) - prims;
   return run.ok;
}
