/* Compute dispatch: COMPUTE_* registers to workgroups. */
#include "amd/sim/cp/dispatch.h"

#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/base/model.h"
#include "util/macros.h"

struct dispatch {
   const struct amd_dispatch *d;
   struct amd_group_range range;
   uint32_t start[3], groups[3], size[3], last_size[3]; /* last: threads of the last group of each axis */
   uint32_t wave_size, waves;
   uint32_t scratch_wave_B;
   bool packed_ids, scratch_in_registers;
};

static void
group_position(const struct dispatch *s, uint32_t started, uint32_t position[3])
{
   uint32_t group = s->range.first + started;
   position[0] = group % s->groups[0];
   position[1] = group / s->groups[0] % s->groups[1];
   position[2] = group / s->groups[0] / s->groups[1];
}

static void
start_sgprs(const struct dispatch *s, const uint32_t position[3], uint32_t wave, uint32_t slot,
            struct amd_wave_start *start)
{
   uint32_t rsrc2 = s->d->rsrc2, n = MIN2(G_COMPUTE_PGM_RSRC2_USER_SGPR(rsrc2), 16u);
   const bool wants_position[3] = {G_COMPUTE_PGM_RSRC2_TGID_X_EN(rsrc2), G_COMPUTE_PGM_RSRC2_TGID_Y_EN(rsrc2),
                                   G_COMPUTE_PGM_RSRC2_TGID_Z_EN(rsrc2)};
   memcpy(start->sgpr, s->d->user_data, n * 4);
   for (unsigned i = 0; i < 3; i++)
      if (wants_position[i])
         start->sgpr[n++] = s->start[i] + position[i];
   /* Waves 5:0; the wave in its group 17:6 (the term of ordered appends) and 24:20; first wave 31. Observed: RADV
    * 22.3.6 reads the one, 25.0.7 and 26.1.6 the other from GFX10.3 on. */
   if (G_COMPUTE_PGM_RSRC2_TG_SIZE_EN(rsrc2))
      start->sgpr[n++] = s->waves | wave << 6 | wave << 20 | (uint32_t)(wave == 0) << 31;
   bool scratch = G_COMPUTE_PGM_RSRC2_SCRATCH_EN(rsrc2);
   if (scratch && s->scratch_in_registers)
      start->flat_scratch = sim_va_add(s->d->scratch, (int64_t)slot * s->scratch_wave_B).va;
   else if (scratch) /* byte offset of the wave */
      start->sgpr[n++] = slot * s->scratch_wave_B;
   start->sgpr_count = n;
}

/* Of a whole group. */
static inline void
next_thread(const struct dispatch *s, uint32_t id[3])
{
   if (++id[0] < s->size[0])
      return;
   id[0] = 0;
   id[2] += ++id[1] == s->size[1];
   id[1] = id[1] < s->size[1] ? id[1] : 0;
}

/* Threads that follow each other along the first axis. */
static void
start_row(const struct dispatch *s, const uint32_t id[3], struct amd_wave_start *start)
{
   const uint32_t others = s->packed_ids ? id[1] << 10 | id[2] << 20 : 0;
   start->exec = bit_mask(s->wave_size);
   for (uint32_t l = 0; l < s->wave_size; l++)
      start->vgpr[0][l] = (id[0] + l) | others;
   for (unsigned i = 1; i < start->vgpr_count; i++)
      for (uint32_t l = 0; l < s->wave_size; l++)
         start->vgpr[i][l] = id[i];
}

static void
start_wave(void *user, uint32_t group, uint32_t wave, uint32_t slot, struct amd_wave_start *start)
{
   const struct dispatch *s = user;
   uint32_t position[3], size[3], comps = G_COMPUTE_PGM_RSRC2_TIDIG_COMP_CNT(s->d->rsrc2);
   group_position(s, group, position);
   for (unsigned i = 0; i < 3; i++)
      size[i] = position[i] + 1 == s->groups[i] ? s->last_size[i] : s->size[i];
   start_sgprs(s, position, wave, slot, start);
   start->vgpr_count = s->packed_ids ? 1 : MIN2(comps, 2) + 1;
   const uint32_t row = wave * s->wave_size / s->size[0];
   uint32_t id[3] = {wave * s->wave_size % s->size[0], row % s->size[1], row / s->size[1]};
   if (id[0] + s->wave_size <= MIN2(s->size[0], size[0]) && id[1] < size[1] && id[2] < size[2]) {
      start_row(s, id, start);
      return;
   }
   for (uint32_t l = 0; l < s->wave_size; l++, next_thread(s, id)) {
      const bool inside = id[0] < size[0] && id[1] < size[1] && id[2] < size[2];
      start->exec |= (uint64_t)inside << l;
      if (s->packed_ids)
         start->vgpr[0][l] = id[0] | id[1] << 10 | id[2] << 20;
      for (unsigned i = 0; i < start->vgpr_count && !s->packed_ids; i++)
         start->vgpr[i][l] = id[i];
   }
}

static bool
set_sizes(struct dispatch *s, struct sim_fault *fault)
{
   const struct amd_dispatch *d = s->d;
   for (unsigned i = 0; i < 3; i++) {
      s->size[i] = G_COMPUTE_NUM_THREAD_X_NUM_THREAD_FULL(d->num_thread[i]);
      if (!s->size[i] || s->size[i] > 1024)
         return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "COMPUTE_NUM_THREAD of axis %u is %u", i,
                              s->size[i]);
      s->start[i] = G_COMPUTE_DISPATCH_INITIATOR_FORCE_START_AT_000(d->initiator) ? 0 : d->start[i];
      uint32_t partial = G_COMPUTE_NUM_THREAD_X_NUM_THREAD_PARTIAL(d->num_thread[i]);
      bool has_partial = G_COMPUTE_DISPATCH_INITIATOR_PARTIAL_TG_EN(d->initiator) && partial;
      s->last_size[i] = has_partial ? partial : s->size[i];
      uint32_t end = d->dim[i];
      if (G_COMPUTE_DISPATCH_INITIATOR_USE_THREAD_DIMENSIONS(d->initiator)) {
         if (end % s->size[i])
            s->last_size[i] = end % s->size[i];
         end = (uint32_t)div_round_up(end, s->size[i]);
      }
      s->groups[i] = end > s->start[i] ? end - s->start[i] : 0;
   }
   return true;
}

bool
amd_sim_dispatch(struct amd_wave_engine *engine, const struct sim_vm *vm, const struct amd_dispatch *dispatch,
                 struct sim_fault *fault)
{
   struct dispatch s = {.d = dispatch,
                        .range = dispatch->range ? *dispatch->range : (struct amd_group_range){0, UINT32_MAX},
                        .wave_size = G_COMPUTE_DISPATCH_INITIATOR_CS_W32_EN(dispatch->initiator) ? 32 : 64};
   const struct amd_traits *traits = &amd_traits[dispatch->chip->gen];
   const uint32_t rsrc1 = dispatch->rsrc1, rsrc2 = dispatch->rsrc2;
   if (!set_sizes(&s, fault))
      return false;
   if (G_COMPUTE_PGM_RSRC1_FP16_OVFL(rsrc1))
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0),
                           "the model does not have 16-bit floats that stay finite (COMPUTE_PGM_RSRC1 0x%08x)",
                           rsrc1);
   uint64_t count = (uint64_t)s.groups[0] * s.groups[1] * s.groups[2];
   if (count <= s.range.first)
      return true;
   s.waves = (uint32_t)div_round_up((uint64_t)s.size[0] * s.size[1] * s.size[2], s.wave_size);
   s.packed_ids = traits->packed_thread_ids;
   s.scratch_in_registers = traits->scratch_in_registers;
   s.scratch_wave_B =
      G_COMPUTE_TMPRING_SIZE_WAVESIZE(dispatch->chip->gen, dispatch->tmpring_size) * traits->scratch_granule_B;
   if (count >= UINT32_MAX || s.waves > AMD_WAVE_MAX_PER_GROUP)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "dispatch of %llu groups of %u waves",
                           (unsigned long long)count, s.waves);
   struct amd_wave_launch launch = {
      .stage = AMD_STAGE_CS,
      .vm = vm,
      .caches = dispatch->caches,
      .gds = dispatch->gds,
      .wgp_mode = G_COMPUTE_PGM_RSRC1_WGP_MODE(rsrc1),
      .program = dispatch->program,
      .wave_size = (uint8_t)s.wave_size,
      .float_mode = G_COMPUTE_PGM_RSRC1_FLOAT_MODE(rsrc1),
      .dx10_clamp = G_COMPUTE_PGM_RSRC1_DX10_CLAMP(rsrc1),
      .ieee = G_COMPUTE_PGM_RSRC1_IEEE_MODE(rsrc1),
      .vgpr_count = amd_traits_vgprs(traits, G_COMPUTE_PGM_RSRC1_VGPRS(rsrc1), s.wave_size),
      .shared_vgprs = (uint16_t)(G_COMPUTE_PGM_RSRC3_SHARED_VGPR_CNT(dispatch->rsrc3) * traits->shared_vgpr_granule),
      .lds_size_B = G_COMPUTE_PGM_RSRC2_LDS_SIZE(rsrc2) * traits->lds_granule_B,
      .waves_per_group = s.waves,
      .group_count = MIN2((uint32_t)count - s.range.first, s.range.count),
      .scratch_waves =
         G_COMPUTE_PGM_RSRC2_SCRATCH_EN(rsrc2) ? G_COMPUTE_TMPRING_SIZE_WAVES(dispatch->tmpring_size) : 0,
      .chip = dispatch->chip,
      .border = dispatch->border,
      .time = dispatch->time,
      .user = &s,
      .start = start_wave,
      .retires_anywhere = true, /* nobody hears of it */
   };
   return amd_wave_run(engine, &launch, fault);
}
