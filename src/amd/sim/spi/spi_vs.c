/* Vertex waves: starting registers from vertices, exports into vertex data. Programs of this stage are vertex
 * shaders, domain shaders, and copy shaders, which read what a geometry shader has written. */
#include <string.h>

#include "amd/sim/spi/spi_private.h"
#include "util/macros.h"

struct run {
   struct amd_pipeline *p;
   const struct amd_vs_input *in;
   const uint32_t *list; /* of vertices; NULL: their own numbers */
   uint32_t count, per_wave;
   bool raster;
   uint32_t first; /* raster: of the vertices in vertex_data */
   struct amd_strmout_run strmout;
};

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

/* User data, the configuration of stream output (with the off-chip buffer's place too. Observed: public drivers), its
 * write index, its buffers' offsets, the off-chip buffer's place, scratch. */
static void
start_sgprs(const struct run *run, uint32_t first, uint32_t lanes, uint32_t scratch_slot, struct amd_wave_start *s)
{
   const struct amd_pipeline *p = run->p;
   const struct amd_shader_state *shader = &p->state.shaders[AMD_STAGE_VS];
   const struct amd_vs_args *args = &p->state.geometry.vs_args;
   memcpy(s->sgpr, shader->user_data, shader->user_sgprs * 4);
   s->sgpr_count = shader->user_sgprs;
   if (args->strmout || args->offchip)
      s->sgpr[s->sgpr_count++] = amd_strmout_config(&run->strmout, first, lanes);
   if (args->strmout)
      s->sgpr[s->sgpr_count++] = run->strmout.first_vertex + first;
   for (unsigned i = 0; i < AMD_STRMOUT_BUFFERS; i++) {
      if (args->strmout_base >> i & 1)
         s->sgpr[s->sgpr_count++] = run->strmout.offset_dw[i];
   }
   if (args->offchip)
      s->sgpr[s->sgpr_count++] = p->offchip_offset_B;
   s->sgpr_count += amd_spi_start_scratch(p, AMD_STAGE_VS, scratch_slot, s->sgpr_count, s);
}

static void
start(void *user, uint32_t group, uint32_t wave, uint32_t scratch_slot, struct amd_wave_start *s)
{
   const struct run *run = user;
   uint32_t first = group * run->per_wave, lanes = MIN2(run->count - first, run->per_wave);
   s->exec = bit_mask(lanes);
   start_sgprs(run, first, lanes, scratch_slot, s);
   s->vgpr_count = run->p->state.geometry.vs_args.vgpr_comp_cnt + 1;
   amd_spi_leave_lanes(s, lanes, run->p->state.shaders[AMD_STAGE_VS].wave_size);
   for (uint32_t lane = 0; lane < lanes; lane++) {
      uint32_t vertex = run->list ? run->list[first + lane] : first + lane, args[4] = {vertex};
      if (!run->in->copy)
         amd_spi_vertex_args(run->p, vertex, args);
      for (unsigned i = 0; i < s->vgpr_count; i++)
         s->vgpr[i][lane] = args[i];
   }
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   const struct run *run = user;
   for (uint32_t e = 0; e < result->count && run->raster; e++)
      amd_spi_store_export(run->p, &result->exports[e], run->first + group * run->per_wave);
}

/* Each primitive has vertices of its own. */
static void
expand(struct run *run)
{
   const struct amd_vs_input *in = run->in;
   struct dynarray *list = &run->p->memory->vs_list;
   run->count = in->prim_count * in->prim_vertices;
   run->per_wave -= run->per_wave % in->prim_vertices;
   list->size_B = 0;
   uint32_t *out = dynarray_grow(list, run->count * sizeof(*out));
   for (uint32_t i = 0; i < run->count; i++)
      out[i] = in->vertices ? in->vertices[in->corners[i]] : in->corners[i];
   run->list = out;
}

static void
pass_primitives(const struct run *run, bool expanded)
{
   const struct amd_vs_input *in = run->in;
   struct amd_prim_out *out = dynarray_grow(&run->p->memory->prims_out, in->prim_count * sizeof(*out));
   for (uint32_t i = 0; i < in->prim_count; i++) {
      out[i].edges = in->prims ? in->prims[i].edges : AMD_ALL_EDGES;
      out[i].starts = in->prims ? in->prims[i].starts : run->p->kind == AMD_PRIM_TRIANGLE;
      for (unsigned k = 0; k < AMD_PRIM_VERTICES; k++) {
         uint32_t corner = i * in->prim_vertices + MIN2(k, in->prim_vertices - 1);
         out[i].vertex[k] = run->first + (expanded ? corner : in->corners[corner]);
      }
   }
}

bool
amd_spi_run_vs(struct amd_pipeline *p, const struct amd_vs_input *in)
{
   const struct amd_shader_state *shader = &p->state.shaders[AMD_STAGE_VS];
   struct run run = {.p = p,
                     .in = in,
                     .list = in->vertices,
                     .count = in->vertex_count,
                     .per_wave = shader->wave_size,
                     .raster = in->stream == p->state.strmout.raster_stream};
   bool streams = amd_strmout_begin(p, in->stream, in->prim_count, in->prim_vertices, &run.strmout);
   if ((!streams && !run.raster) || !in->prim_count)
      return true;
   if (!amd_spi_check_stage(p, AMD_STAGE_VS))
      return false;
   if (streams)
      expand(&run);
   if (run.raster) {
      run.first = amd_spi_add_vertices(p, run.count);
      pass_primitives(&run, streams);
   }
   struct amd_wave_launch launch = amd_spi_launch(p, AMD_STAGE_VS);
   launch.name = in->copy ? "copy shader" : p->state.tess.enabled ? "domain shader" : "vertex shader";
   launch.group_count = (uint32_t)div_round_up(run.count, run.per_wave);
   launch.user = &run;
   launch.start = start;
   launch.retire = retire;
   launch.retires_anywhere = true;
   if (*p->gpu->stats_on && !in->copy && !p->state.tess.enabled)
      p->gpu->counters->stats[AMD_STAT_VS_INVOCATIONS] += run.count;
   return amd_wave_run(p->gpu->engine, &launch, p->gpu->fault);
}

bool
amd_spi_run_vertices(struct amd_pipeline *p)
{
   const struct amd_draw_memory *m = p->memory;
   const struct amd_vs_input in = {
      .vertex_count = (uint32_t)dynarray_count(&m->vertices_in, struct amd_vertex_in),
      .corners = m->corners.data,
      .prims = m->prims_in.data,
      .prim_count = (uint32_t)dynarray_count(&m->prims_in, struct amd_prim_in),
      .prim_vertices = p->prim_in_vertices,
   };
   return amd_spi_run_vs(p, &in);
}
