/* What threads know of themselves: places in the grid, and special registers. */
#include "asahi/sim/wave/wave_helper.h"
#include "util/macros.h"

bool
agx_wave_set_grid(struct agx_wave_launch *launch, const uint32_t threads[3], const uint32_t group_size[3])
{
   uint64_t groups = 1, in_group = 1;
   for (unsigned i = 0; i < 3; i++) {
      if (!threads[i] || !group_size[i] || group_size[i] > 1024)
         return false;
      launch->grid[i] = threads[i];
      launch->group_size[i] = group_size[i];
      in_group *= MIN2(group_size[i], threads[i]);
      groups *= div_round_up(threads[i], group_size[i]);
      if (groups > UINT32_MAX || in_group > 1024)
         return false;
   }
   launch->group_count = (uint32_t)groups;
   launch->waves_per_group = (uint32_t)div_round_up(in_group, LANES);
   return true;
}

/* Threads of a group in rows, x first; 32 of them are a wave. */
void
wave_start_compute(struct wave *w, struct agx_wave_start *start)
{
   const struct agx_wave_launch *launch = w->launch;
   uint32_t rest = w->base.group->index;
   for (unsigned i = 0; i < 3; i++) {
      uint32_t groups = (uint32_t)div_round_up(launch->grid[i], launch->group_size[i]);
      w->group_at[i] = rest % groups;
      rest /= groups;
      w->group_size[i] = MIN2(launch->group_size[i], launch->grid[i] - w->group_at[i] * launch->group_size[i]);
   }
   uint32_t count = w->group_size[0] * w->group_size[1] * w->group_size[2];
   for (unsigned l = 0; l < LANES; l++) {
      uint32_t thread = w->base.index * LANES + l;
      start->lanes |= (uint32_t)(thread < count) << l;
      w->thread_at[0][l] = (uint16_t)(thread % w->group_size[0]);
      w->thread_at[1][l] = (uint16_t)(thread / w->group_size[0] % w->group_size[1]);
      w->thread_at[2][l] = (uint16_t)(thread / w->group_size[0] / w->group_size[1]);
   }
}

static uint32_t
active_below(uint32_t exec, unsigned first, unsigned lane)
{
   return (uint32_t)__builtin_popcount(exec & (uint32_t)bit_mask(lane) & ~(uint32_t)bit_mask(first));
}

static uint32_t
of_group(const struct wave *w, enum agx_sr sr, unsigned lane, bool *known)
{
   const uint32_t exec = w->state.exec;
   unsigned quad = lane & ~3u;
   switch ((unsigned)sr) {
   case AGX_SR_CORE_INDEX:
      return w->core;
   case AGX_SR_VM_SLOT:
      return 0;
   case AGX_SR_THREAD_INDEX_IN_SIMDGROUP:
      return lane;
   case AGX_SR_ACTIVE_THREAD_INDEX_IN_QUADGROUP:
      return active_below(exec, quad, lane);
   case AGX_SR_TOTAL_ACTIVE_THREADS_IN_QUADGROUP:
      return active_below(exec, quad, quad + 4);
   case AGX_SR_ACTIVE_THREAD_INDEX_IN_SIMDGROUP:
      return active_below(exec, 0, lane);
   case AGX_SR_TOTAL_ACTIVE_THREADS_IN_SIMDGROUP:
      return (uint32_t)__builtin_popcount(exec);
   default: /* others: of one stage, or without a model */
      *known = false;
      return 0;
   }
}

static uint32_t
of_compute(const struct wave *w, enum agx_sr sr, unsigned lane, bool *known)
{
   unsigned i = (unsigned)sr & 3;
   switch ((unsigned)sr) {
   case AGX_SR_THREADGROUP_IN_GRID_X:
   case AGX_SR_THREADGROUP_IN_GRID_Y:
   case AGX_SR_THREADGROUP_IN_GRID_Z:
      return w->group_at[i];
   case AGX_SR_THREADS_PER_THREADGROUP_X:
   case AGX_SR_THREADS_PER_THREADGROUP_Y:
   case AGX_SR_THREADS_PER_THREADGROUP_Z:
      return w->group_size[i];
   case AGX_SR_DISPATCH_THREADS_PER_THREADGROUP_X:
   case AGX_SR_DISPATCH_THREADS_PER_THREADGROUP_Y:
   case AGX_SR_DISPATCH_THREADS_PER_THREADGROUP_Z:
      return w->launch->group_size[i];
   case AGX_SR_THREAD_IN_THREADGROUP_X:
   case AGX_SR_THREAD_IN_THREADGROUP_Y:
   case AGX_SR_THREAD_IN_THREADGROUP_Z:
      return w->thread_at[i][lane];
   case AGX_SR_THREAD_INDEX_IN_THREADGROUP:
      return w->base.index * LANES + lane;
   case AGX_SR_SIMDGROUP_INDEX_IN_THREADGROUP:
      return w->base.index;
   case AGX_SR_THREAD_IN_GRID_X:
   case AGX_SR_THREAD_IN_GRID_Y:
   case AGX_SR_THREAD_IN_GRID_Z:
      return w->group_at[i] * w->launch->group_size[i] + w->thread_at[i][lane];
   case AGX_SR_IS_ACTIVE_THREAD:
      return 1;
   default: /* others: of all stages, or of fragments */
      return of_group(w, sr, lane, known);
   }
}

static uint32_t
of_fragment(const struct wave *w, enum agx_sr sr, unsigned lane, bool *known)
{
   const struct agx_wave_fragments *f = &w->fragments;
   switch ((unsigned)sr) {
   case AGX_SR_THREADGROUP_IN_GRID_Z:
      return f->layer;
   case AGX_SR_SAMPLES_LOG2:
      return w->launch->samples_log2;
   case AGX_SR_INTERNAL_COVERAGE_MASK:
      return w->live[lane];
   case AGX_SR_INPUT_SAMPLE_MASK:
      return f->samples[lane];
   case AGX_SR_BACKFACING:
      return f->back_facing >> lane & 1;
   case AGX_SR_IS_ACTIVE_THREAD: /* a fragment whose samples have all failed or are killed is a helper */
      return w->live[lane] != 0;
   case AGX_SR_THREAD_IN_GRID_X:
      return f->x[lane];
   case AGX_SR_THREAD_IN_GRID_Y:
      return f->y[lane];
   default: /* others: of all stages, or of compute */
      return of_group(w, sr, lane, known);
   }
}

static uint32_t
of_helper(const struct wave *w, enum agx_sr sr, bool *known)
{
   switch ((unsigned)sr) {
   case AGX_SR_CORE_INDEX:
      return w->helps->group.base.index;
   case AGX_SR_HELPER_OP:
      return w->helps->op;
   case AGX_SR_HELPER_ARG_L:
      return w->helps->argument[0];
   case AGX_SR_HELPER_ARG_H:
      return w->helps->argument[1];
   default: /* others: it has no grid */
      *known = false;
      return 0;
   }
}

uint32_t
wave_special_register(const struct wave *w, unsigned sr, unsigned lane, bool *known)
{
   if (w->helps)
      return of_helper(w, (enum agx_sr)sr, known);
   if (w->engine->bindings || w->program->stage == AGX_STAGE_VERTEX)
      return of_group(w, (enum agx_sr)sr, lane, known);
   return (w->program->stage == AGX_STAGE_COMPUTE ? of_compute : of_fragment)(w, (enum agx_sr)sr, lane, known);
}
