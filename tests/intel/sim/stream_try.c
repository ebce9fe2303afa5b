#include "stream_try.h"

#include <stdlib.h>
#include <string.h>

#include "intel/sim/walk.h"
#include "intel/sim/uav_needs.h"
#include "intel/sim/uav_signals.h"

#define BASE 0x1000

struct world {
   const uint32_t *words;
   unsigned count;
   struct stream_tried tried;
};

static bool
read_words(void *data, uint64_t va, void *bytes, uint32_t size_B)
{
   const struct world *world = data;
   uint64_t size = (uint64_t)world->count * 4;
   if (va < BASE || va - BASE > size || size_B > size - (va - BASE))
      return false;
   memcpy(bytes, (const char *)world->words + (va - BASE), size_B);
   return true;
}

static void
see_packet(void *data, uint64_t va, const struct intel_words *packet)
{
   struct world *world = data;
   world->tried.packets++;
   if (!packet->count || va < BASE)
      abort();
}

static void
see_draw(void *data, const struct intel_draw *draw)
{
   struct world *world = data;
   struct uav_prim prim = {.state = draw->state, .new_vertices = true};
   prim.needs = (uint8_t)uav_needs(&draw->state, draw->stores[INTEL_PS] == INTEL_STORES, draw->counted);
   struct uav_cost cost = uav_cost(&prim, 1);
   if ((uav_lost(&prim) && intel_uav_signals(&draw->state).thread_dispatch) || cost.flushes > 1)
      abort();
   world->tried.draws++;
}

struct stream_tried
stream_try(enum intel_gen gen, const uint32_t *words, unsigned count)
{
   struct world world = {.words = words, .count = count};
   struct intel_walk_state state = {0};
   struct intel_memory memory = {read_words, &world};
   struct intel_walk walk = {.gen = gen,
                             .batch = memory,
                             .memory = memory,
                             .packet = see_packet,
                             .draw = see_draw,
                             .data = &world,
                             .limit_dw = 4096};
   world.tried.ends = intel_walk(&walk, &state, BASE);
   if (!world.tried.ends && !walk.error[0])
      abort();
   return world.tried;
}
