#include "amd/sim/base/reorder.h"

#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/base/gpu.h"
#include "util/macros.h"

bool
amd_reorder_is_let(const struct amd_gpu *gpu)
{
   return gpu->chip->out_of_order &&
          G_PA_SC_MODE_CNTL_1_OUT_OF_ORDER_PRIMITIVE_ENABLE(amd_regs_get(gpu->regs, R_PA_SC_MODE_CNTL_1));
}

uint32_t
amd_reorder_window(const struct amd_gpu *gpu)
{
   if (gpu->reorder.schedule.kind == SIM_SCHEDULE_IN_ORDER)
      return 1;
   if (gpu->reorder.forced)
      return AMD_REORDER_MOST;
   return amd_reorder_is_let(gpu)
             ? 1u << G_PA_SC_MODE_CNTL_1_OUT_OF_ORDER_WATER_MARK(amd_regs_get(gpu->regs, R_PA_SC_MODE_CNTL_1))
             : 1;
}

/* Which of n that wait, the oldest first, is next. */
static uint32_t
choose(const struct sim_schedule *schedule, uint64_t salt, uint32_t step, uint32_t n)
{
   switch (schedule->kind) {
   case SIM_SCHEDULE_IN_ORDER:
      return 0;
   case SIM_SCHEDULE_WORST:
      return n - 1;
   case SIM_SCHEDULE_ROUND_ROBIN:
      return step % 2 ? 0 : n - 1;
   case SIM_SCHEDULE_SEED:
      return (uint32_t)(sim_schedule_random(schedule->seed, salt, step) % n);
   }
   return 0;
}

void
amd_reorder_choose(const struct sim_schedule *schedule, uint64_t salt, uint32_t window, uint32_t count,
                   uint32_t *order)
{
   uint32_t waiting[AMD_REORDER_MOST], n = 0, next = 0;
   for (uint32_t step = 0; step < count; step++) {
      while (next < count && (!n || next < waiting[0] + window))
         waiting[n++] = next++;
      const uint32_t at = choose(schedule, salt, step, n);
      order[step] = waiting[at];
      memmove(&waiting[at], &waiting[at + 1], (--n - at) * sizeof(*waiting));
   }
}
