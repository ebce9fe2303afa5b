/* When programs are compiled, and when what they were compiled to may run. */
#include "amd/sim/wave/jit.h"

#include "amd/sim/wave/exec_private.h"
#include "amd/sim/wave/jit_steady.h"
#include "sim/wide.h"

enum { HOT = 64 }; /* times that the interpreter has run a program's instructions, on average */

enum jit_state { JIT_COLD, JIT_COMPILED };

bool
jit_fits_host(void)
{
   return sim_has_avx2();
}

static bool
may_compile(const struct wave *w)
{
   return !w->engine->reference && !w->engine->report && jit_fits_host();
}

/* Whether its instructions are checked against those ahead of them. */
static bool
has_checks(const struct program *p)
{
   return p->traits->has_wait_states || p->traits->has_hazards || p->traits->has_forwards;
}

bool
jit_outruns_ways(const struct wave *w)
{
   return may_compile(w) && !has_checks(w->program);
}

const struct jit *
jit_make(const struct wave *w)
{
   struct program *p = w->program;
   unsigned cold = JIT_COLD;
   if (may_compile(w) && atomic_compare_exchange_strong(&p->jit_state, &cold, (unsigned)JIT_COMPILED))
      atomic_store_explicit(&p->jit, jit_compile(p, w->state.mode), memory_order_release);
   return atomic_load_explicit(&p->jit, memory_order_acquire);
}

void
jit_note_heat(struct wave *w, uint64_t instructions)
{
   struct program *p = w->program;
   if (atomic_load_explicit(&p->jit_state, memory_order_relaxed) != JIT_COLD || !may_compile(w))
      return;
   const uint64_t heat = atomic_fetch_add_explicit(&p->heat, instructions, memory_order_relaxed) + instructions;
   if (heat >= (uint64_t)HOT * p->code_count)
      jit_make(w);
}

const struct jit *
jit_of(const struct wave *w)
{
   if (w->notes_way || !may_compile(w))
      return NULL;
   return atomic_load_explicit(&w->program->jit, memory_order_acquire);
}

/* What the interpreter would check ahead of each instruction. */
static bool
may_enter(const struct wave *w, const struct jit_region *region)
{
   const struct wave_state *s = &w->state;
   const struct sim_pending *pending = &s->pending;
   if (region->vgpr_end > s->first_shared || exec_has_index_mode(w))
      return false;
   return !pending->with_registers ||
          (!pending->count[COUNTER_EXP] && !sim_pending_may_write(pending, &region->used));
}

/* Instructions that have been checked, one by one. */
static void
run_checked(struct wave *w, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      const struct code *c = &w->program->codes[w->base.next++];
      w->base.instructions++;
      c->run_checked(w, c);
   }
}

/* Whether the block's instructions run into nothing; else those ahead of that have been run. */
static bool
is_well(struct wave *w, const struct jit *jit, const struct jit_block *block, struct jit_steady *steady)
{
   const uint32_t well = jit_steady_check(steady, w, jit, block);
   if (well < block->count)
      run_checked(w, well); /* the interpreter reports it */
   return well == block->count;
}

bool
jit_run(struct wave *w, const struct jit *jit, uint64_t end)
{
   const uint64_t start = w->base.instructions;
   const bool checks = has_checks(w->program);
   struct jit_steady steady = {0};
   while (w->base.next < w->program->code_count) {
      const struct jit_block *block = jit_block_at(jit, w->base.next);
      uint64_t left = end - w->base.instructions;
      if (!block || left < block->count || w->state.mode != jit->mode || !may_enter(w, block->region))
         break;
      if (checks && !is_well(w, jit, block, &steady))
         break;
      left = checks ? block->count : left;
      w->base.instructions += left - jit->enter(w, block->code, left);
   }
   jit_steady_leave(&steady, w);
   return w->base.instructions != start;
}
