/* When programs are compiled, and when what they were compiled to may run. */
#include "amd/sim/wave/jit.h"

#include "amd/sim/wave/exec_private.h"
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

/* Programs whose instructions need no look at those ahead of them. */
bool
jit_may_run(const struct wave *w)
{
   const struct amd_traits *traits = w->program->traits;
   return may_compile(w) && !traits->has_wait_states && !traits->has_hazards && !traits->has_forwards;
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
   if (atomic_load_explicit(&p->jit_state, memory_order_relaxed) != JIT_COLD || !jit_may_run(w))
      return;
   const uint64_t heat = atomic_fetch_add_explicit(&p->heat, instructions, memory_order_relaxed) + instructions;
   if (heat >= (uint64_t)HOT * p->code_count)
      jit_make(w);
}

const struct jit *
jit_of(const struct wave *w)
{
   if (w->notes_way || !jit_may_run(w))
      return NULL;
   return atomic_load_explicit(&w->program->jit, memory_order_acquire);
}

/* What the interpreter would check ahead of each instruction. */
static bool
may_enter(const struct wave *w, const struct jit_region *region)
{
   const struct wave_state *s = &w->state;
   const struct sim_pending *pending = &s->pending;
   if (region->vgpr_end > s->first_shared)
      return false;
   return !pending->with_registers ||
          (!pending->count[COUNTER_EXP] && !sim_pending_may_write(pending, &region->used));
}

bool
jit_run(struct wave *w, const struct jit *jit, uint64_t end)
{
   const uint64_t start = w->base.instructions;
   while (w->base.next < w->program->code_count) {
      const struct jit_block *block = jit_block_at(jit, w->base.next);
      const uint64_t left = end - w->base.instructions;
      if (!block || left < block->count || !may_enter(w, block->region))
         break;
      w->base.instructions = end - jit->enter(w, block->code, left);
   }
   return w->base.instructions != start;
}
