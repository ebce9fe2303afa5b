/* Accesses of pixel waves, kept until the wave retires (race.h); those of LDS (race_lds.h). */
#include <stdio.h>

#include "amd/sim/cache/order.h"
#include "amd/sim/wave/wave_private.h"
#include "amd/sim/wave/wave_watch.h"
#include "sim/waves/race.h"
#include "util/macros.h"

struct wave_access {
   struct sim_race_access access;
   uint32_t index; /* among the operations of its counter, from 1 */
   uint8_t counter;
};

static unsigned
order_flags(const struct wave *w)
{
   const struct wave_pops *pops = &w->pops;
   bool never = !pops->info || pops->lost, early = never || (pops->overlap && !pops->entered);
   return (early ? SIM_RACE_EARLY : 0u) | (never ? SIM_RACE_UNORDERED : 0u) | (pops->sent ? SIM_RACE_LATE : 0u);
}

void
wave_race_note(struct wave *w, const struct code *c, unsigned lane, struct sim_va va, unsigned size_B,
               enum counter counter)
{
   bool store = c->info->flags & AMD_FLAG_STORE, atomic = c->info->flags & AMD_FLAG_ATOMIC;
   unsigned flags = order_flags(w) | (store || atomic ? SIM_RACE_WRITE : 0u) | (atomic ? SIM_RACE_ATOMIC : 0u);
   for (uint64_t word = va.va / 4; word <= (va.va + size_B - 1) / 4; word++) {
      unsigned first_B = word * 4 < va.va ? (unsigned)(va.va - word * 4) : 0;
      unsigned end_B = (unsigned)MIN2(va.va + size_B - word * 4, 4);
      struct wave_access *a = dynarray_grow(&w->accesses, sizeof(*a));
      *a = (struct wave_access){
         .access = {.word = word,
                    .wave = w->base.group->index,
                    .instance = (uint32_t)w->base.instructions,
                    .pc_B = c->pc_dw * 4,
                    .bytes = (uint8_t)(bit_mask(end_B) & ~bit_mask(first_B)),
                    .flags = (uint8_t)flags,
                    .lane = (uint8_t)lane},
         .index = w->state.pending.issued[wave_counter(w, counter)] + 1,
         .counter = (uint8_t)wave_counter(w, counter),
      };
   }
}

bool
wave_race_may_meet(const struct wave *w, struct sim_va va)
{
   return amd_order_has_pixels(w->launch->caches, va);
}

void
wave_race_note_scalar(struct wave *w, const struct code *c, struct sim_va va, unsigned size_B)
{
   for (uint64_t lanes = wave_race_may_meet(w, va) ? state_exec(&w->state) : 0; lanes; lanes &= lanes - 1)
      wave_race_note(w, c, (unsigned)__builtin_ctzll(lanes), va, size_B, COUNTER_LGKM);
}

void
wave_race_note_lds(struct wave *w, const struct code *c, uint32_t address_B, unsigned size_B, unsigned flags,
                   const void *value)
{
   if ((uint64_t)address_B + size_B > w->launch->lds_size_B)
      return; /* there is nothing */
   const struct sim_lds_access access = {.address_B = address_B,
                                         .size_B = size_B,
                                         .wave = w->base.index,
                                         .pc_B = c->pc_dw * 4,
                                         .program_va = w->program->va,
                                         .program = w->program,
                                         .flags = flags,
                                         .value = value};
   sim_lds_watch_add(w->lds_watch, w->barriers, &access, wave_race_print);
}

/* ORDERED_PS_DONE: what has not been waited for comes too late. */
void
wave_race_done(struct wave *w)
{
   dynarray_for_each(struct wave_access, a, &w->accesses) {
      if (a->index > w->state.pending.issued[a->counter] - w->state.pending.count[a->counter])
         a->access.flags |= SIM_RACE_LATE;
   }
}

/* Text of an instruction. */
void
wave_race_print(const void *data, uint32_t pc_B, char *text, unsigned size)
{
   const struct program *program = data;
   uint32_t index = pc_B / 4 < program->dw_count ? program->index_of[pc_B / 4] : UINT32_MAX;
   if (index == UINT32_MAX) {
      snprintf(text, size, "(in another program)");
      return;
   }
   const struct code *c = &program->codes[index];
   amd_isa_print(program->gen, &c->in, program->lanes == 64, text, size);
}

void
wave_race_retire(struct wave *w)
{
   const struct amd_wave_launch *launch = w->launch;
   dynarray_for_each(struct wave_access, a, &w->accesses) {
      struct amd_wave_pixel pixel = launch->pixel(launch->user, w->base.group->index, a->access.lane);
      a->access.x = pixel.x;
      a->access.y = pixel.y;
      a->access.samples = pixel.samples;
      a->access.samples_log2 = pixel.samples_log2;
      if (pixel.samples) /* helper lanes are no invocations */
         sim_races_add(launch->races, &a->access);
   }
   w->accesses.size_B = 0;
}
