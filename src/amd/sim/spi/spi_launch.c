/* What launches of a draw's shaders have in common. */
#include "amd/sim/spi/spi_private.h"
#include "util/macros.h"

bool
amd_spi_start_scratch(const struct amd_pipeline *p, enum amd_stage stage, uint32_t slot, unsigned sgpr,
                      struct amd_wave_start *start)
{
   bool in_sgpr = !p->gpu->model->traits->scratch_in_registers;
   uint32_t offset_B = slot * p->state.scratch_wave_B;
   if (!p->state.shaders[stage].scratch_en)
      return false;
   if (in_sgpr)
      start->sgpr[sgpr] = offset_B;
   else
      start->flat_scratch = sim_va_add(p->state.scratch, offset_B).va;
   return in_sgpr;
}

struct amd_wave_launch
amd_spi_launch(const struct amd_pipeline *p, enum amd_stage stage)
{
   const struct amd_shader_state *shader = &p->state.shaders[stage];
   return (struct amd_wave_launch){
      .stage = stage,
      .vm = p->gpu->vm,
      .caches = p->gpu->caches,
      .program = shader->program,
      .wave_size = shader->wave_size,
      .float_mode = shader->float_mode,
      .dx10_clamp = shader->dx10_clamp,
      .ieee = shader->ieee,
      .vgpr_count = shader->vgpr_count,
      .shared_vgprs = shader->shared_vgprs,
      .lds_size_B = shader->lds_size_B,
      .gds = p->gpu->gds,
      .waves_per_group = 1,
      .scratch_waves = shader->scratch_en ? p->state.scratch_waves : 0,
      .chip = p->gpu->chip,
      .border = p->state.border,
      .time = amd_gpu_clock(p->gpu),
   };
}

void
amd_spi_leave_lanes(struct amd_wave_start *start, unsigned first, unsigned end)
{
   for (unsigned i = 0; i < start->vgpr_count; i++)
      for (unsigned lane = first; lane < end; lane++)
         start->vgpr[i][lane] = AMD_WAVE_GARBAGE;
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
