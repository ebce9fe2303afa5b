/* What the search for endless loops (sim/waves/loop.h) asks of a wave, and what reports say of hangs. Places are
 * numbers of codes, which stand by address. */
#include "asahi/sim/wave/wave_loop.h"

#include <inttypes.h>
#include <stdio.h>

#include "asahi/sim/wave/wave_private.h"
#include "util/macros.h"

struct sim_traffic
wave_traffic(const struct sim_wave *base)
{
   const struct wave *w = (const struct wave *)base;
   return (struct sim_traffic){w->reads_issued, w->writes_issued};
}

uint64_t
wave_hash(const struct sim_wave *base)
{
   return state_hash(&((const struct wave *)base)->state) * 31 + base->next;
}

/* Other waves of the group change threadgroup memory and nobody notes it. */
bool
wave_has_other_inputs(const struct sim_wave *base)
{
   return ((const struct wave *)base)->code->has_local;
}

bool
wave_meets_group(const struct sim_wave *base)
{
   return ((const struct wave *)base)->code->has_barrier;
}

struct sim_va
wave_place_va(const struct sim_wave *base)
{
   const struct wave *w = (const struct wave *)base;
   return wave_va(w, &w->code->codes[base->next]);
}

void
wave_hang(struct sim_wave *base, const char *message)
{
   struct wave *w = (struct wave *)base;
   wave_fault(w, &w->code->codes[base->next], SIM_FAULT_HANG, w->code->va, "%s", message);
}

bool
wave_describe_wait(const struct sim_wave *base, char *text, size_t size_B)
{
   const struct wave *w = (const struct wave *)base;
   if (base->state != SIM_WAVE_SLEEP)
      return false;
   if (w->base.instructions)
      snprintf(text, size_B, "group %u waits at pixwait for older fragments of its pixels", base->group->index);
   else
      snprintf(text, size_B, "wave %u of group %u waits for private memory on core %u", base->index,
               base->group->index, w->core);
   return true;
}

void
wave_describe_loop(const struct sim_wave *base, char *text, size_t size_B)
{
   const struct wave *w = (const struct wave *)base;
   struct sim_jumps j = sim_loop_jumps(&base->loop);
   char back[160] = "?";
   text[0] = 0;
   if (!j.count)
      return;
   const struct code *first = &w->code->codes[j.first], *last = &w->code->codes[j.last];
   agx_isa_print(&last->in, back, sizeof(back));
   snprintf(text, size_B,
            "loop of %u instructions from pc 0x%" PRIx64 " to 0x%" PRIx64 " jumps back with `%s`; threads 0x%x",
            j.last - j.first + 1, wave_va(w, first).va, wave_va(w, last).va, back, w->state.exec);
}
