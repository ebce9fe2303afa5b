#include "amd/sim/wave/wave_state.h"

#include <stdlib.h>
#include <string.h>

#include "amd/sim/wave/wave.h"
#include "util/hash.h"
#include "util/macros.h"
#include "util/within_memory.h"

void
state_fill_garbage(uint32_t *words, size_t count)
{
   static const uint32_t garbage[] = {[0 ... 1023] = AMD_WAVE_GARBAGE};
   for (size_t i = 0; i < count; i += ARRAY_SIZE(garbage))
      memcpy(words + i, garbage, MIN2(count - i, ARRAY_SIZE(garbage)) * sizeof(*words));
}

static void
start_vgprs(struct wave_state *s, uint32_t count, const struct amd_wave_start *start)
{
   uint32_t size = count * s->lanes;
   if (size > s->memory.vgpr_capacity) {
      void *memory = NULL;
      if (posix_memalign(&memory, 64, (size_t)size * 4))
         out_of_memory("a wave's registers", (size_t)size * 4);
      free(s->memory.vgpr);
      s->memory.vgpr = memory;
      s->memory.vgpr_capacity = size;
   }
   s->vgpr = s->memory.vgpr;
   s->vgpr_count = count;
   for (uint32_t i = 0; i < start->vgpr_count; i++)
      memcpy(s->vgpr + (size_t)i * s->lanes, start->vgpr[i], s->lanes * 4);
   s->given_vgprs = start->vgpr_count;
}

void
state_start(struct wave_state *s, const struct amd_wave_launch *launch, const struct amd_wave_start *start)
{
   s->scc = false;
   s->flat_scratch = 0;
   s->lanes = launch->wave_size;
   s->halves = launch->wave_size / HALF;
   s->mode = launch->float_mode | (uint32_t)launch->dx10_clamp << 8 | (uint32_t)launch->ieee << 9;
   state_fill_garbage(s->sgpr, ARRAY_SIZE(s->sgpr));
   s->sgpr[AMD_NULL] = s->sgpr[AMD_M0] = 0; /* M0: see docs/quirks.md */
   s->flat_scratch = start->flat_scratch;
   memcpy(s->sgpr, start->sgpr, MIN2(start->sgpr_count, AMD_WAVE_START_SGPRS) * 4);
   s->sgpr[AMD_EXEC_LO] = (uint32_t)start->exec;
   s->sgpr[AMD_EXEC_HI] = s->lanes == 64 ? (uint32_t)(start->exec >> 32) : 0;
   uint32_t shared = s->lanes == 64 ? launch->shared_vgprs : 0;
   start_vgprs(s, MAX2(launch->vgpr_count, start->vgpr_count) + shared, start);
   s->first_shared = s->vgpr_count - shared;
}

void
state_free(struct wave_state *s)
{
   free(s->memory.vgpr);
}

uint64_t
state_hash(const struct wave_state *s)
{
   const uint64_t parts[] = {hash_bytes(s->sgpr, sizeof(s->sgpr)),
                             hash_bytes(s->vgpr, (size_t)s->vgpr_count * s->lanes * 4), s->scc, s->mode,
                             s->flat_scratch};
   return hash_bytes(parts, sizeof(parts));
}
