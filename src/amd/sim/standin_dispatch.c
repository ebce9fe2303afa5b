#include "amd/sim/dispatch.h"

#include "amd/hw/registers.h"
#include "util/macros.h"

struct compute {
   const struct amd_dispatch *d;
   uint32_t start[3], groups[3], full[3], partial[3];
   uint32_t wave_size, waves_per_group, scratch_wave_B;
};

/* Threads of a group along one axis: the last group of an unaligned dispatch is partial. */
static uint32_t
threads_along(const struct compute *c, unsigned axis, uint32_t group)
{
   bool partial = (c->d->initiator & S_COMPUTE_DISPATCH_INITIATOR_PARTIAL_TG_EN(1)) && group + 1 == c->groups[axis] && c->partial[axis];
   return partial ? c->partial[axis] : c->full[axis];
}

static void
start(void *user, uint32_t index, uint32_t wave, uint32_t scratch_slot, struct amd_wave_start *s)
{
   const struct compute *c = user;
   const struct amd_dispatch *d = c->d;
   uint32_t group[3] = {index % c->groups[0], index / c->groups[0] % c->groups[1], index / c->groups[0] / c->groups[1]};
   uint32_t size[3], total = 1;
   for (unsigned i = 0; i < 3; i++) {
      size[i] = threads_along(c, i, group[i]);
      total *= size[i];
   }
   unsigned n = G_COMPUTE_PGM_RSRC2_USER_SGPR(d->rsrc2);
   for (unsigned i = 0; i < n && i < ARRAY_SIZE(d->user_data); i++)
      s->sgpr[i] = d->user_data[i];
   for (unsigned i = 0; i < 3; i++) {
      if (d->rsrc2 >> (7 + i) & 1)
         s->sgpr[n++] = c->start[i] + group[i];
   }
   if (G_COMPUTE_PGM_RSRC2_TG_SIZE_EN(d->rsrc2))
      s->sgpr[n++] = c->waves_per_group | wave << 6 | (uint32_t)(wave == 0) << 31;
   if (G_COMPUTE_PGM_RSRC2_SCRATCH_EN(d->rsrc2))
      s->sgpr[n++] = scratch_slot * c->scratch_wave_B;
   s->sgpr_count = n;
   s->vgpr_count = G_COMPUTE_PGM_RSRC2_TIDIG_COMP_CNT(d->rsrc2) + 1;
   for (uint32_t lane = 0; lane < c->wave_size; lane++) {
      uint32_t thread = wave * c->wave_size + lane;
      if (thread >= total)
         break;
      s->exec |= UINT64_C(1) << lane;
      s->vgpr[0][lane] = thread % size[0];
      s->vgpr[1][lane] = thread / size[0] % size[1];
      s->vgpr[2][lane] = thread / size[0] / size[1];
   }
}

bool
amd_sim_dispatch(struct amd_wave_engine *engine, const struct sim_vm *vm, const struct amd_dispatch *d, struct sim_fault *fault)
{
   struct compute c = {.d = d};
   bool from_zero = d->initiator & S_COMPUTE_DISPATCH_INITIATOR_FORCE_START_AT_000(1);
   uint64_t threads = 1, groups = 1;
   for (unsigned i = 0; i < 3; i++) {
      c.full[i] = d->num_thread[i] & 0xffff;
      c.partial[i] = d->num_thread[i] >> 16;
      c.start[i] = from_zero ? 0 : d->start[i];
      uint32_t end = d->dim[i];
      if (d->initiator & S_COMPUTE_DISPATCH_INITIATOR_USE_THREAD_DIMENSIONS(1)) {
         c.partial[i] = c.full[i] ? end % c.full[i] : 0;
         end = c.full[i] ? (uint32_t)div_round_up(end, c.full[i]) : 0;
      }
      c.groups[i] = end > c.start[i] ? end - c.start[i] : 0;
      threads *= c.full[i];
      groups *= c.groups[i];
   }
   if (!threads || threads > 1024)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "workgroup of %lu threads", (long)threads);
   if (!groups)
      return true;
   if (groups > UINT32_MAX)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "dispatch of %lu workgroups", (long)groups);
   c.wave_size = d->initiator & S_COMPUTE_DISPATCH_INITIATOR_CS_W32_EN(1) ? 32 : 64;
   c.waves_per_group = (uint32_t)div_round_up(threads, c.wave_size);
   c.scratch_wave_B = (d->tmpring_size >> 12 & 0x1fff) * 1024;
   bool scratch = G_COMPUTE_PGM_RSRC2_SCRATCH_EN(d->rsrc2);
   const struct amd_wave_launch launch = {
      .stage = AMD_WAVE_COMPUTE,
      .name = "compute shader",
      .vm = vm,
      .program = sim_va((uint64_t)(d->pgm_hi & 0xff) << 40 | (uint64_t)d->pgm_lo << 8),
      .wave_size = (uint8_t)c.wave_size,
      .float_mode = G_COMPUTE_PGM_RSRC1_FLOAT_MODE(d->rsrc1),
      .dx10_clamp = G_COMPUTE_PGM_RSRC1_DX10_CLAMP(d->rsrc1),
      .ieee = G_COMPUTE_PGM_RSRC1_IEEE_MODE(d->rsrc1),
      .vgpr_count = (uint16_t)((G_COMPUTE_PGM_RSRC1_VGPRS(d->rsrc1) + 1) * (c.wave_size == 32 ? 8 : 4)),
      .lds_size_B = G_COMPUTE_PGM_RSRC2_LDS_SIZE(d->rsrc2) * 512,
      .waves_per_group = c.waves_per_group,
      .group_count = (uint32_t)groups,
      .scratch_waves = scratch ? d->tmpring_size & 0xfff : 0,
      .gb_addr_config = d->gb_addr_config,
      .border = d->border,
      .time = d->time,
      .user = &c,
      .start = start,
   };
   return amd_wave_run(engine, &launch, fault);
}
