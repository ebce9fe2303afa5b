/* Vertex waves: starting registers from the batch's vertices, exports into vertex data. */
#include <string.h>

#include "amd/sim/draw/pipeline.h"
#include "util/macros.h"

enum {
   TARGET_POS0 = 12,
   TARGET_POS4 = 16,
   TARGET_PARAM0 = 32,
};

static uint32_t
vertex_count(const struct amd_pipeline *p)
{
   return (uint32_t)dynarray_count(&p->memory->vertices_in, struct amd_vertex_in);
}

static void
start(void *user, uint32_t group, uint32_t wave, uint32_t scratch_slot, struct amd_wave_start *s)
{
   const struct amd_pipeline *p = user;
   const struct amd_shader_state *shader = &p->state.shaders[AMD_STAGE_VS];
   uint32_t first = group * shader->wave_size, lanes = MIN2(vertex_count(p) - first, (uint32_t)shader->wave_size);
   const struct amd_vertex_in *in = dynarray_at(&p->memory->vertices_in, struct amd_vertex_in, first);
   s->exec = bit_mask(lanes);
   s->sgpr_count = shader->user_sgprs;
   memcpy(s->sgpr, shader->user_data, shader->user_sgprs * 4);
   if (shader->scratch_en)
      s->sgpr[s->sgpr_count++] = scratch_slot * p->state.scratch_wave_B;
   s->vgpr_count = p->state.geometry.vgpr_comp_cnt + 1;
   for (uint32_t i = 0; i < lanes; i++) {
      s->vgpr[0][i] = in[i].index;
      s->vgpr[1][i] = 0;
      s->vgpr[2][i] = in[i].prim_id;
      s->vgpr[3][i] = in[i].instance;
   }
}

/* Where in the vertex an export target goes, or -1: position vectors beyond the first are packed densely. */
static int
export_place(const struct amd_pipeline *p, unsigned target)
{
   const struct amd_geometry_state *g = &p->state.geometry;
   if (target >= TARGET_PARAM0)
      return target - TARGET_PARAM0 < g->param_count ? (int)(AMD_VERTEX_PARAM + 4 * (target - TARGET_PARAM0)) : -1;
   if (target < TARGET_POS0 || target > TARGET_POS4)
      return -1;
   unsigned n = target - TARGET_POS0;
   if (!n)
      return AMD_VERTEX_POS;
   if (g->misc_vec && !--n)
      return AMD_VERTEX_MISC;
   if (g->ccdist0 && n && !--n)
      return AMD_VERTEX_DIST;
   if (g->ccdist1 && n && !--n)
      return AMD_VERTEX_DIST + 4;
   return -1;
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   struct amd_pipeline *p = user;
   uint32_t first = group * p->state.shaders[AMD_STAGE_VS].wave_size;
   for (uint32_t e = 0; e < result->count; e++) {
      const struct amd_wave_export *export = &result->exports[e];
      int place = export_place(p, export->target);
      if (place < 0)
         continue;
      float *data = (float *)p->memory->vertex_data.data + (size_t)first * p->vertex_floats + (unsigned)place;
      for (uint64_t lanes = export->exec; lanes; lanes &= lanes - 1) {
         unsigned lane = (unsigned)__builtin_ctzll(lanes);
         for (unsigned c = 0; c < 4; c++) {
            if (export->en >> c & 1)
               memcpy(&data[(size_t)lane * p->vertex_floats + c], &export->value[c][lane], 4);
         }
      }
   }
}

bool
amd_spi_run_vertices(struct amd_pipeline *p)
{
   const struct amd_shader_state *shader = &p->state.shaders[AMD_STAGE_VS];
   uint32_t count = vertex_count(p);
   if (!shader->program.va)
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0), "draw without a vertex shader");
   if (shader->user_sgprs > ARRAY_SIZE(shader->user_data))
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0), "%u user SGPRs", shader->user_sgprs);
   p->memory->vertex_data.size_B = 0;
   float *data = dynarray_grow(&p->memory->vertex_data, (size_t)count * p->vertex_floats * 4);
   memset(data, 0, (size_t)count * p->vertex_floats * 4);
   struct amd_wave_launch launch = amd_draw_launch(p, AMD_STAGE_VS);
   launch.name = "vertex shader";
   launch.group_count = (uint32_t)div_round_up(count, shader->wave_size);
   launch.user = p;
   launch.start = start;
   launch.retire = retire;
   if (*p->gpu->stats_on)
      p->gpu->counters->stats[AMD_STAT_VS_INVOCATIONS] += count;
   return amd_wave_run(p->gpu->engine, &launch, p->gpu->fault);
}
