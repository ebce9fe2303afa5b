#include "asahi/sim/wave/wave_state.h"

#include <string.h>

#include "util/hash.h"

#define GARBAGE 0x7fadbeefu /* a NaN as a float, and its upper half too */

void
state_fill_garbage(uint32_t *words, size_t count)
{
   for (size_t i = 0; i < count; i++)
      words[i] = GARBAGE;
}

void
state_start(struct agx_wave_registers *s, const struct agx_wave_start *start, unsigned halves)
{
   state_fill_garbage(s->r[0], div_round_up(halves, 2) * LANES);
   memcpy(s->r, start->reg, start->register_count * sizeof(start->reg[0]));
   memset(s->any_dead, 0, sizeof(s->any_dead));
   memset(s->dead, 0, sizeof(s->dead));
   s->pending = (struct sim_pending){0};
   s->stack_depth_B = 0;
   s->lanes = start->lanes;
   state_set_exec(s, start->lanes);
}

uint64_t
state_hash(const struct agx_wave_registers *s)
{
   const uint64_t parts[] = {hash_bytes(s->r, sizeof(s->r)), s->exec, s->stack_depth_B};
   return hash_bytes(parts, sizeof(parts));
}
