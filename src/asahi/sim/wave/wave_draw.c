/* What the waves of a launch run: one program, or that of each draw. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "asahi/sim/wave/wave_private.h"
#include "util/hash.h"

static bool
add_draw(struct agx_wave_engine *e, const struct draw *of, struct sim_va va, unsigned registers,
         struct sim_fault *fault)
{
   struct draw draw = *of;
   draw.code = wave_program(e, e->launch->vm, va, registers);
   if (!draw.code)
      return sim_fault_set(fault, SIM_FAULT_ADDRESS, va, "no executable memory at 0x%" PRIx64, va.va);
   if (draw.code->uniform_end > draw.program->uniform_halves)
      return sim_fault_set(fault, SIM_FAULT_STATE, va,
                           "the program at 0x%" PRIx64 " names half %u of uniforms, of which it has %u", va.va,
                           draw.code->uniform_end - 1, draw.program->uniform_halves);
   dynarray_append(&e->draws, struct draw, draw);
   return true;
}

bool
wave_draws_begin(struct agx_wave_engine *e, struct sim_fault *fault)
{
   const struct agx_wave_launch *l = e->launch;
   e->draws.size_B = 0;
   e->race_draw = NULL;
   e->launches++;
   if (!l->draw_count) {
      const struct draw only = {.program = l->program, .coefficients_bound = l->coefficients_bound};
      bool preamble = e->bindings != NULL;
      return add_draw(e, &only, preamble ? l->program->preamble : l->program->code,
                      preamble ? l->program->preamble_registers : l->program->registers, fault);
   }
   for (uint32_t i = 0; i < l->draw_count; i++) {
      const struct agx_wave_draw *d = &l->draws[i];
      const struct draw draw = {
         .program = d->program, .coefficients_bound = d->coefficients_bound, .number = d->number};
      if (!add_draw(e, &draw, d->program->code, d->program->registers, fault))
         return false;
   }
   return true;
}

void
wave_set_draw(struct wave *w, uint32_t number)
{
   w->draw = dynarray_at(&w->engine->draws, struct draw, number);
   w->code = w->draw->code;
   w->program = w->draw->program;
   w->base.next = w->code->entry;
}

/* Whose fault it is; the first draw's if it is no wave's. */
static const struct draw *
draw_of(const struct agx_wave_engine *e, const struct sim_fault *fault)
{
   const struct sim_rounds *r = &e->rounds;
   for (uint32_t g = r->first; g < r->end; g++) {
      const struct sim_group *group = sim_rounds_group(r, g);
      for (uint32_t i = 0; i < group->wave_count && !group->starting; i++) {
         const struct wave *w = (const struct wave *)sim_group_wave(group, i);
         if (w->base.fault.kind && !strcmp(w->base.fault.message, fault->message))
            return w->draw;
      }
   }
   return wave_first_draw(e);
}

void
wave_draws_name(const struct agx_wave_engine *e, struct sim_fault *fault)
{
   const struct program *p = draw_of(e, fault)->code;
   size_t used = strlen(fault->message);
   uint64_t hash = p->stretch_count ? hash_bytes(p->stretches[0].bytes, p->stretches[0].size_B) : 0;
   snprintf(fault->message + used, sizeof(fault->message) - used, "; shader %016" PRIx64 " at 0x%" PRIx64, hash,
            p->va.va);
}
