/* Vertex waves: starting registers from the batch's vertices, exports into vertex data. */
#include <string.h>

#include "amd/sim/draw/pipeline.h"
#include "util/macros.h"

static uint32_t
vertex_count(const struct amd_pipeline *p)
{
   return (uint32_t)dynarray_count(&p->memory->vertices_in, struct amd_vertex_in);
}

void
amd_spi_vertex_args(const struct amd_pipeline *p, uint32_t vertex, uint32_t args[4])
{
   const struct amd_vertex_in *in = dynarray_at(&p->memory->vertices_in, struct amd_vertex_in, vertex);
   if (p->state.tess.enabled) {
      args[0] = float_bits(in->u);
      args[1] = float_bits(in->v);
      args[2] = in->rel_patch_id;
      args[3] = in->prim_id;
      return;
   }
   bool second = p->gpu->model->traits->instance_id_second;
   args[0] = in->index;
   args[1] = second ? in->instance : 0;
   args[2] = in->prim_id;
   args[3] = second ? 0 : in->instance;
}

struct run {
   struct amd_pipeline *p;
   uint32_t first; /* of its vertices in vertex_data */
};

static void
start(void *user, uint32_t group, uint32_t wave, uint32_t scratch_slot, struct amd_wave_start *s)
{
   const struct amd_pipeline *p = ((const struct run *)user)->p;
   const struct amd_shader_state *shader = &p->state.shaders[AMD_STAGE_VS];
   uint32_t first = group * shader->wave_size, lanes = MIN2(vertex_count(p) - first, (uint32_t)shader->wave_size);
   s->exec = bit_mask(lanes);
   s->sgpr_count = shader->user_sgprs;
   memcpy(s->sgpr, shader->user_data, shader->user_sgprs * 4);
   /* The configuration of stream output comes with the off-chip buffer's place too. Observed: public drivers. */
   if (p->state.geometry.offchip_sgpr) {
      s->sgpr[s->sgpr_count++] = AMD_WAVE_GARBAGE;
      s->sgpr[s->sgpr_count++] = p->offchip_offset_B;
   }
   if (shader->scratch_en)
      s->sgpr[s->sgpr_count++] = scratch_slot * p->state.scratch_wave_B;
   s->vgpr_count = p->state.geometry.vgpr_comp_cnt + 1;
   for (uint32_t lane = 0; lane < lanes; lane++) {
      uint32_t args[4];
      amd_spi_vertex_args(p, first + lane, args);
      for (unsigned i = 0; i < s->vgpr_count; i++)
         s->vgpr[i][lane] = args[i];
   }
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   const struct run *run = user;
   uint32_t first = run->first + group * run->p->state.shaders[AMD_STAGE_VS].wave_size;
   for (uint32_t e = 0; e < result->count; e++)
      amd_spi_store_export(run->p, &result->exports[e], first);
}

/* As they were assembled. */
static void
pass_primitives(struct amd_pipeline *p, uint32_t first)
{
   uint32_t count = (uint32_t)dynarray_count(&p->memory->prims_in, struct amd_prim_in);
   struct amd_prim_out *out = dynarray_grow(&p->memory->prims_out, count * sizeof(*out));
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t *corners = amd_corners(p, i);
      out[i].edges = dynarray_at(&p->memory->prims_in, struct amd_prim_in, i)->edges;
      for (unsigned k = 0; k < AMD_PRIM_VERTICES; k++)
         out[i].vertex[k] = first + corners[MIN2(k, p->prim_in_vertices - 1)];
   }
}

bool
amd_spi_check_stage(const struct amd_pipeline *p, enum amd_stage stage)
{
   const struct amd_shader_state *shader = &p->state.shaders[stage];
   if (!shader->program.va)
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0), "draw without a program for its stage %s",
                           amd_stage_infos[stage].name);
   if (shader->user_sgprs > ARRAY_SIZE(shader->user_data))
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0), "%u user SGPRs", shader->user_sgprs);
   return true;
}

bool
amd_spi_run_vertices(struct amd_pipeline *p)
{
   const struct amd_shader_state *shader = &p->state.shaders[AMD_STAGE_VS];
   uint32_t count = vertex_count(p);
   if (!amd_spi_check_stage(p, AMD_STAGE_VS))
      return false;
   struct run run = {.p = p, .first = amd_spi_add_vertices(p, count)};
   pass_primitives(p, run.first);
   struct amd_wave_launch launch = amd_draw_launch(p, AMD_STAGE_VS);
   launch.name = "vertex shader";
   launch.group_count = (uint32_t)div_round_up(count, shader->wave_size);
   launch.user = &run;
   launch.start = start;
   launch.retire = retire;
   if (*p->gpu->stats_on)
      p->gpu->counters->stats[AMD_STAT_VS_INVOCATIONS] += count;
   return amd_wave_run(p->gpu->engine, &launch, p->gpu->fault);
}
