/* Breadth first, so that the first history of a finding is a shortest one. */
#include "intel/sim/uav_explore.h"

#include <assert.h>
#include <string.h>

#include "sim/waves/schedule.h"
#include "util/dynarray.h"
#include "util/macros.h"

struct node {
   struct uav_pipe pipe;
   uint32_t from; /* index of the node before */
   struct uav_step step;
};

struct explorer {
   struct uav_stream stream;
   struct dynarray nodes; /* struct node */
   struct dynarray slots; /* uint32_t, a power of two of them, open addressing: index of a node + 1 */
   struct uav_found found;
};

/* Counters follow from where the primitives are and what became of their flushes. */
static uint64_t
pipe_key(const struct uav_pipe *pipe)
{
   uint64_t key = 0;
   for (unsigned i = 0; i < UAV_EXPLORE_PRIMS; i++)
      key = key << 6 | (uint64_t)(pipe->at[i] << 2 | pipe->flush[i]);
   return key;
}

static uint32_t *
find_slot(const struct explorer *e, uint64_t key)
{
   uint32_t *slots = dynarray_begin(&e->slots, uint32_t);
   uint32_t mask = (uint32_t)dynarray_count(&e->slots, uint32_t) - 1;
   uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
   while (slots[at] && pipe_key(&dynarray_at(&e->nodes, struct node, slots[at] - 1)->pipe) != key)
      at = (at + 1) & mask;
   return &slots[at];
}

static void
grow_slots(struct explorer *e)
{
   uint32_t count = (uint32_t)dynarray_count(&e->nodes, struct node);
   size_t size_B = MAX2(e->slots.size_B * 2, 1024 * sizeof(uint32_t));
   if (e->slots.size_B / 2 > count * sizeof(uint32_t))
      return;
   e->slots.size_B = 0;
   memset(dynarray_grow(&e->slots, size_B), 0, size_B);
   for (uint32_t i = 0; i < count; i++)
      *find_slot(e, pipe_key(&dynarray_at(&e->nodes, struct node, i)->pipe)) = i + 1;
}

static void
add_node(struct explorer *e, struct node node)
{
   grow_slots(e);
   uint32_t *slot = find_slot(e, pipe_key(&node.pipe));
   if (*slot)
      return;
   dynarray_append(&e->nodes, struct node, node);
   *slot = (uint32_t)dynarray_count(&e->nodes, struct node);
}

/* The steps to a node; node 0 is the empty pipeline. */
static void
write_history(const struct explorer *e, uint32_t node, struct uav_history *history)
{
   history->count = 0;
   for (uint32_t at = node; at; at = dynarray_at(&e->nodes, struct node, at)->from)
      history->count++;
   for (uint32_t at = node, i = history->count; at; at = dynarray_at(&e->nodes, struct node, at)->from)
      history->steps[--i] = dynarray_at(&e->nodes, struct node, at)->step;
}

static void
note_overtaking(struct explorer *e, uint32_t from, struct uav_step step)
{
   struct uav_overtaking overtaking;
   if (!uav_pipe_overtakes(&e->stream, &dynarray_at(&e->nodes, struct node, from)->pipe, step, &overtaking) ||
       e->found.overtakings++)
      return;
   e->found.overtaking = overtaking;
   write_history(e, from, &e->found.overtaking_history);
   e->found.overtaking_history.steps[e->found.overtaking_history.count++] = step;
}

static void
note_end(struct explorer *e, uint32_t node)
{
   struct uav_hang hang;
   e->found.ends++;
   if (!uav_pipe_hangs(&e->stream, &dynarray_at(&e->nodes, struct node, node)->pipe, &hang) || e->found.hangs++)
      return;
   e->found.hang = hang;
   write_history(e, node, &e->found.hang_history);
}

struct uav_found
uav_explore(const struct uav_prim *prims, unsigned count)
{
   assert(count <= UAV_EXPLORE_PRIMS);
   struct explorer e = {0};
   uav_stream_init(&e.stream, prims, count);
   add_node(&e, (struct node){0});
   for (uint32_t at = 0; at < dynarray_count(&e.nodes, struct node); at++) {
      struct uav_pipe pipe = dynarray_at(&e.nodes, struct node, at)->pipe;
      struct uav_step steps[UAV_MAX_STEPS];
      unsigned step_count = uav_pipe_steps(&e.stream, &pipe, steps);
      for (unsigned i = 0; i < step_count; i++) {
         struct node next = {pipe, at, steps[i]};
         note_overtaking(&e, at, steps[i]);
         uav_pipe_take(&e.stream, &next.pipe, steps[i]);
         add_node(&e, next);
      }
      if (!step_count)
         note_end(&e, at);
   }
   e.found.states = (unsigned)dynarray_count(&e.nodes, struct node);
   dynarray_free(&e.nodes);
   dynarray_free(&e.slots);
   return e.found;
}

struct uav_found
uav_walk(const struct uav_prim *prims, unsigned count, uint64_t seed)
{
   struct uav_stream stream;
   struct uav_pipe pipe = {0};
   struct uav_step steps[UAV_MAX_STEPS];
   struct uav_found found = {.states = 1, .ends = 1};
   struct uav_history history = {0};
   uav_stream_init(&stream, prims, count);
   for (unsigned step_count; (step_count = uav_pipe_steps(&stream, &pipe, steps)); found.states++) {
      struct uav_step step = steps[sim_schedule_random(seed, history.count, 0) % step_count];
      struct uav_overtaking overtaking;
      history.steps[history.count++] = step;
      if (uav_pipe_overtakes(&stream, &pipe, step, &overtaking) && !found.overtakings++) {
         found.overtaking = overtaking;
         found.overtaking_history = history;
      }
      uav_pipe_take(&stream, &pipe, step);
   }
   found.hangs = uav_pipe_hangs(&stream, &pipe, &found.hang);
   if (found.hangs)
      found.hang_history = history;
   return found;
}
