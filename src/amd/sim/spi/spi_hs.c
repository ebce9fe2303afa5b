/* Waves of LS and HS, one program: threadgroups of patches. */
#include <string.h>

#include "amd/sim/spi/spi_private.h"
#include "util/macros.h"

enum { MESSAGE_HS_TESSFACTOR = 2 };

struct launch {
   struct amd_pipeline *p;
   bool ok;
};

/* Lanes of a wave that have a thread, of a group's `threads`. */
static uint32_t
lanes_of(const struct amd_shader_state *shader, uint32_t threads, uint32_t wave)
{
   uint32_t before = wave * shader->wave_size;
   return threads > before ? MIN2(threads - before, (uint32_t)shader->wave_size) : 0;
}

/* VGPRs 0, 1: the patch's primitive id; its number in the group and that of the control point. From 2 on LS's; with
 * erratum gfx9-ls-vgprs from 0 on in waves without HS threads. */
static void
start_vgprs(const struct launch *l, uint32_t first, uint32_t wave, uint32_t ls_lanes, uint32_t hs_lanes,
            struct amd_wave_start *s)
{
   const struct amd_pipeline *p = l->p;
   const struct amd_tess_state *t = &p->state.tess;
   uint32_t thread = wave * p->state.shaders[AMD_STAGE_HS].wave_size;
   s->vgpr_count = 2 + t->ls_vgpr_comp_cnt + 1;
   amd_spi_leave_lanes(s, MIN2(ls_lanes, hs_lanes), p->state.shaders[AMD_STAGE_HS].wave_size);
   for (uint32_t i = 0; i < hs_lanes; i++) {
      uint32_t patch = (thread + i) / t->out_vertices;
      s->vgpr[0][i] = dynarray_at(&p->memory->patch_prims_in, struct amd_prim_in, first + patch)->prim_id;
      s->vgpr[1][i] = patch | (thread + i) % t->out_vertices << 8;
   }
   for (uint32_t i = 0; i < ls_lanes; i++) {
      uint32_t patch = (thread + i) / t->in_vertices;
      uint32_t corner = (first + patch) * t->in_vertices + (thread + i) % t->in_vertices;
      uint32_t vertex = *dynarray_at(&p->memory->patch_corners, uint32_t, corner);
      const struct amd_vertex_in *in = dynarray_at(&p->memory->patch_vertices_in, struct amd_vertex_in, vertex);
      bool early_instance = p->gpu->model->traits->instance_id_second;
      unsigned at = p->gpu->chip->low_ls_vgprs && !hs_lanes ? 0 : 2;
      s->vgpr[at][i] = in->index;
      s->vgpr[at + 1][i] = thread + i;
      s->vgpr[at + 2][i] = early_instance ? in->instance : 0;
      s->vgpr[at + 3][i] = early_instance ? 0 : in->instance;
   }
}

/* SGPRs 0 to 7, then the user's. 6 and 7 are not for programs. Source: public drivers' arguments of merged stages. */
static void
start(void *user, uint32_t group, uint32_t wave, uint32_t scratch_slot, struct amd_wave_start *s)
{
   const struct launch *l = user;
   const struct amd_tess_state *t = &l->p->state.tess;
   const struct amd_shader_state *shader = &l->p->state.shaders[AMD_STAGE_HS];
   uint32_t first = group * t->patches, patches = MIN2(l->p->patches.count - first, (uint32_t)t->patches);
   uint32_t ls_lanes = lanes_of(shader, patches * t->in_vertices, wave);
   uint32_t hs_lanes = lanes_of(shader, patches * t->out_vertices, wave);
   s->exec = bit_mask(MAX2(ls_lanes, hs_lanes));
   s->sgpr[0] = shader->user_addr[0];
   s->sgpr[1] = shader->user_addr[1];
   s->sgpr[2] = amd_tess_offchip_at_B(t, group);
   s->sgpr[3] = ls_lanes | hs_lanes << 8;
   s->sgpr[4] = amd_tess_factors_at_B(t, group);
   s->sgpr[5] = AMD_WAVE_GARBAGE;
   if (l->p->gpu->model->traits->numbers_hull_waves)
      s->sgpr[5] = (AMD_WAVE_GARBAGE & ~7u) | wave;
   amd_spi_start_scratch(l->p, AMD_STAGE_HS, scratch_slot, 5, s);
   s->sgpr[6] = s->sgpr[7] = AMD_WAVE_GARBAGE;
   memcpy(&s->sgpr[AMD_MERGED_SGPRS], shader->user_data, shader->user_sgprs * 4);
   s->sgpr_count = AMD_MERGED_SGPRS + shader->user_sgprs;
   start_vgprs(l, l->p->patches.first + first, wave, ls_lanes, hs_lanes, s);
}

/* HS_TESSFACTOR: M0 bit 0 says whether all factors of the threadgroup are 1, or else 0. Source: "RDNA3" ISA,
 * S_SENDMSG; that all such messages of a threadgroup must agree is assumed. */
static void
retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   struct launch *l = user;
   enum amd_tess_told *told = &l->p->memory->told_factors[group];
   for (uint32_t i = 0; i < result->message_count; i++) {
      const struct amd_wave_message *message = &result->messages[i];
      enum amd_tess_told now = message->m0 & 1 ? AMD_TESS_TOLD_ONE : AMD_TESS_TOLD_ZERO;
      if ((message->simm16 & 15) != MESSAGE_HS_TESSFACTOR || !l->p->gpu->model->traits->factors_by_message)
         continue;
      if (*told != AMD_TESS_TOLD_NOTHING && *told != now && l->ok)
         l->ok = sim_fault_set(l->p->gpu->fault, SIM_FAULT_STATE, l->p->state.shaders[AMD_STAGE_HS].program,
                               "messages HS_TESSFACTOR of one threadgroup that contradict each other");
      *told = now;
   }
}

bool
amd_spi_run_patches(struct amd_pipeline *p)
{
   const uint32_t count = p->patches.count;
   const struct amd_tess_state *t = &p->state.tess;
   const struct amd_shader_state *shader = &p->state.shaders[AMD_STAGE_HS];
   struct launch l = {.p = p, .ok = true};
   uint32_t threads = (uint32_t)t->patches * MAX2(t->in_vertices, t->out_vertices);
   if (!amd_spi_check_stage(p, AMD_STAGE_HS))
      return false;
   struct amd_wave_launch launch = amd_spi_launch(p, AMD_STAGE_HS);
   launch.name = "hull shader";
   launch.waves_per_group = (uint32_t)div_round_up(threads, shader->wave_size);
   launch.group_count = (uint32_t)div_round_up(count, t->patches);
   launch.user = &l;
   launch.start = start;
   launch.retire = retire;
   memset(p->memory->told_factors, 0, sizeof(p->memory->told_factors));
   if (*p->gpu->stats_on) {
      p->gpu->counters->stats[AMD_STAT_VS_INVOCATIONS] += (uint64_t)count * t->in_vertices;
      p->gpu->counters->stats[AMD_STAT_HS_INVOCATIONS] += count;
   }
   return amd_wave_run(p->gpu->engine, &launch, p->gpu->fault) && l.ok;
}
