/* The order of fragments of a pixel: `pixwait` sleeps until all older ones have ended or released its fences. */
#include "asahi/sim/wave/wave_helper.h"

/* Fences that the groups which a wave names, and theirs in turn, have released. */
static uint32_t
older_clear(const struct wave *w)
{
   const struct sim_rounds *r = w->base.rounds;
   uint32_t clear = UINT32_MAX;
   for (uint32_t i = 0; i < w->fragments.older_count; i++) {
      uint32_t older = w->fragments.older[i];
      if (older < r->first)
         continue;
      if (older >= w->base.group->index) /* the caller's mistake: it would wait for ever */
         return 0;
      clear &= ((const struct wave *)sim_group_wave(sim_rounds_group(r, older), 0))->clear;
   }
   return clear;
}

void
wave_order_advance(struct sim_rounds *r)
{
   for (uint32_t g = r->first; g < r->end; g++) {
      const struct sim_group *group = sim_rounds_group(r, g);
      struct wave *w = (struct wave *)sim_group_wave(group, 0);
      w->clear = group->starting ? 0 : older_clear(w) & (group->done ? UINT32_MAX : w->released);
   }
}

bool
wave_order_clears(const struct wave *w, uint32_t fences)
{
   return !(fences & ~older_clear(w));
}

bool
wave_order_wakes(const struct sim_wave *base)
{
   const struct wave *w = (const struct wave *)base;
   return w->base.instructions ? wave_order_clears(w, w->waits_for) : wave_stack_wakes(w);
}
