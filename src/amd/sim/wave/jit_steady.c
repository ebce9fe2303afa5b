#include "amd/sim/wave/jit_steady.h"

#include <pthread.h>
#include <stdlib.h>

#include "util/within_memory.h"

/* JUMPS: what a look for a situation costs is worth it in loops only. */
enum { MAX_SITUATIONS = 32, JUMPS = 3 };

struct jit_situation {
   uint32_t hash;
   union {
      struct wave_hazards hazards;
      struct wave_wait_states wait_states;
      struct wave_forwards forwards;
   } noted;
   _Atomic(const struct jit_situation *) after[]; /* by block; NULL: not known yet */
};

struct jit_situations {
   pthread_mutex_t lock; /* of who adds one */
   uint32_t block_count;
   atomic_uint count;
   struct jit_situation *list[MAX_SITUATIONS];
};

struct jit_situations *
jit_situations_create(uint32_t block_count)
{
   struct jit_situations *all = need_calloc("a program", 1, sizeof(*all));
   pthread_mutex_init(&all->lock, NULL);
   all->block_count = block_count;
   return all;
}

void
jit_situations_free(struct jit_situations *all)
{
   if (!all)
      return;
   for (unsigned i = 0; i < all->count; i++)
      free(all->list[i]);
   pthread_mutex_destroy(&all->lock);
   free(all);
}

/* ---- by kind of checks: a generation has one ---- */

static uint32_t
check(struct wave *w, uint32_t count)
{
   const struct amd_traits *traits = w->program->traits;
   const char *(*find)(struct wave *, const struct code *) = traits->has_wait_states ? wave_find_missing_wait
                                                             : traits->has_hazards   ? wave_find_hazard
                                                                                     : wave_find_forward;
   const struct code *c = &w->program->codes[w->base.next];
   uint32_t i = 0;
   while (i < count && !find(w, &c[i]))
      i++;
   return i;
}

static uint32_t
hash(const struct wave *w)
{
   const struct amd_traits *traits = w->program->traits;
   return traits->has_wait_states ? wave_wait_states_hash(&w->wait_states)
          : traits->has_hazards   ? wave_hazards_hash(&w->hazards)
                                  : wave_forwards_hash(&w->forwards);
}

static bool
is_in(const struct wave *w, const struct jit_situation *s)
{
   const struct amd_traits *traits = w->program->traits;
   return traits->has_wait_states ? wave_wait_states_alike(&s->noted.wait_states, &w->wait_states)
          : traits->has_hazards   ? wave_hazards_alike(&s->noted.hazards, &w->hazards)
                                  : wave_forwards_alike(&s->noted.forwards, &w->forwards);
}

static void
keep(struct jit_situation *s, const struct wave *w)
{
   const struct amd_traits *traits = w->program->traits;
   if (traits->has_wait_states)
      s->noted.wait_states = w->wait_states;
   else if (traits->has_hazards)
      s->noted.hazards = w->hazards;
   else
      s->noted.forwards = w->forwards;
}

static void
bring_up_to_date(struct wave *w, const struct jit_situation *s)
{
   const struct amd_traits *traits = w->program->traits;
   if (traits->has_wait_states)
      w->wait_states = s->noted.wait_states;
   else if (traits->has_hazards)
      w->hazards = s->noted.hazards;
   else
      w->forwards = s->noted.forwards;
}

/* One of the checks asks for the schedule, too. */
static bool
may_skip_checks(const struct wave *w)
{
   return w->base.rounds->schedule.kind != SIM_SCHEDULE_WORST;
}

/* ---- situations ---- */

static const struct jit_situation *
find(const struct jit_situations *all, const struct wave *w, uint32_t wanted, unsigned first, unsigned end)
{
   for (unsigned i = first; i < end; i++)
      if (all->list[i]->hash == wanted && is_in(w, all->list[i]))
         return all->list[i];
   return NULL;
}

/* Nobody else adds one; another thread may have, since these were looked at. */
static const struct jit_situation *
add(struct jit_situations *all, const struct wave *w, uint32_t wanted, unsigned looked_at)
{
   const unsigned count = atomic_load_explicit(&all->count, memory_order_relaxed);
   const struct jit_situation *found = find(all, w, wanted, looked_at, count);
   if (found || count == MAX_SITUATIONS)
      return found;
   struct jit_situation *s = need_calloc("a program", 1, sizeof(*s) + all->block_count * sizeof(s->after[0]));
   s->hash = wanted;
   keep(s, w);
   all->list[count] = s;
   atomic_store_explicit(&all->count, count + 1, memory_order_release);
   return s;
}

/* The one that the wave is in, of which all is up to date. NULL: there are too many. */
static const struct jit_situation *
situation(struct jit_situations *all, const struct wave *w)
{
   const uint32_t wanted = hash(w);
   const unsigned count = atomic_load_explicit(&all->count, memory_order_acquire);
   const struct jit_situation *s = find(all, w, wanted, 0, count);
   if (s || count == MAX_SITUATIONS)
      return s;
   pthread_mutex_lock(&all->lock);
   s = add(all, w, wanted, count);
   pthread_mutex_unlock(&all->lock);
   return s;
}

/* Where the block leads to; if that is not known, it is checked. */
static uint32_t
step(struct jit_steady *steady, struct wave *w, const struct jit *jit, const struct jit_block *block)
{
   struct jit_situation *from = (struct jit_situation *)steady->at;
   _Atomic(const struct jit_situation *) *after = &from->after[block - jit->blocks];
   steady->at = atomic_load_explicit(after, memory_order_acquire);
   if (steady->at)
      return block->count;
   bring_up_to_date(w, from);
   const uint32_t well = check(w, block->count);
   if (well < block->count)
      return well;
   steady->at = situation(jit->situations, w);
   steady->gives_up = !steady->at;
   if (steady->at)
      atomic_store_explicit(after, steady->at, memory_order_release);
   return well;
}

uint32_t
jit_steady_check(struct jit_steady *steady, struct wave *w, const struct jit *jit, const struct jit_block *block)
{
   steady->jumps += w->base.next <= steady->last;
   steady->last = w->base.next;
   if (!steady->at && steady->jumps >= JUMPS && !steady->gives_up && may_skip_checks(w)) {
      steady->at = situation(jit->situations, w);
      steady->gives_up = !steady->at;
   }
   return steady->at ? step(steady, w, jit, block) : check(w, block->count);
}

void
jit_steady_leave(struct jit_steady *steady, struct wave *w)
{
   if (steady->at)
      bring_up_to_date(w, steady->at);
   steady->at = NULL;
}
