/* Accesses of fragments, kept until the wave retires (sim/waves/race.h). What is ordered is after a `pixwait` for
 * both fences of memory, and ahead of a `pixrel` of one. */
#include "asahi/sim/wave/wave_watch.h"
#include "sim/waves/race.h"
#include "util/macros.h"

enum { FENCES = 0xc /* drivers wait for both ahead of tile and images */ };

static unsigned
order_flags(const struct wave *w)
{
   bool never = (w->code->fences & FENCES) != FENCES, early = (w->entered & FENCES) != FENCES;
   return (never ? SIM_RACE_UNORDERED : 0u) | (early ? SIM_RACE_EARLY : 0u) |
          (w->released & FENCES ? SIM_RACE_LATE : 0u);
}

static unsigned
kind_flags(const struct code *c)
{
   switch (c->in.op) {
   case AGX_OP_ATOMIC:
      return SIM_RACE_WRITE | SIM_RACE_ATOMIC;
   case AGX_OP_STORE:
   case AGX_OP_IMGW:
      return SIM_RACE_WRITE;
   default: /* others: read */
      return 0;
   }
}

void
wave_race_note(struct wave *w, const struct code *c, unsigned lane, struct sim_va va, unsigned size_B)
{
   const struct agx_wave_fragments *f = &w->fragments;
   unsigned flags = order_flags(w) | kind_flags(c);
   if (w->program->stage != AGX_STAGE_FRAGMENT || !f->samples[lane] || c->at_B < 0)
      return;
   for (uint64_t word = va.va / 4; word <= (va.va + size_B - 1) / 4; word++) {
      unsigned first_B = word * 4 < va.va ? (unsigned)(va.va - word * 4) : 0;
      unsigned end_B = (unsigned)MIN2(va.va + size_B - word * 4, 4);
      dynarray_append(&w->accesses, struct sim_race_access,
                      ((struct sim_race_access){.word = word,
                                                .wave = w->base.group->index,
                                                .instance = (uint32_t)w->base.instructions,
                                                .pc_B = (uint32_t)c->at_B,
                                                .x = f->x[lane],
                                                .y = f->y[lane],
                                                .samples = f->samples[lane],
                                                .bytes = (uint8_t)(bit_mask(end_B) & ~bit_mask(first_B)),
                                                .flags = (uint8_t)flags,
                                                .lane = (uint8_t)lane}));
   }
}

void
wave_race_note_image(struct wave *w, const struct code *c, uint32_t lanes, const uint64_t va[LANES], unsigned size_B)
{
   for (; lanes && size_B; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctz(lanes);
      if (va[lane])
         wave_race_note(w, c, lane, sim_va(va[lane]), size_B);
   }
}

static void
print(const void *data, uint32_t pc_B, char *text, unsigned size)
{
   const struct program *program = data;
   agx_isa_print(&program->codes[wave_code_at(program, pc_B)].in, text, size);
}

/* A launch of one program: its name is the caller's. */
void
wave_race_begin(struct agx_wave_engine *e)
{
   const struct draw *first = wave_first_draw(e);
   sim_races_begin_launch(e->launch->races, first->code->va, print, first->code);
   e->race_draw = e->launch->draw_count ? NULL : first;
}

void
wave_race_retire(struct wave *w)
{
   if (w->accesses.size_B && w->engine->race_draw != w->draw) {
      w->engine->race_draw = w->draw;
      sim_races_name_draw(w->launch->races, w->draw->number);
      sim_races_continue(w->launch->races, w->code->va, print, w->code);
   }
   dynarray_for_each(const struct sim_race_access, access, &w->accesses)
      sim_races_add(w->launch->races, access);
   w->accesses.size_B = 0;
}
