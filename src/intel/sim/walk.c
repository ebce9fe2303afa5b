#include "intel/sim/walk.h"

#include <stdio.h>
#include <string.h>

#include "util/macros.h"

#define MAX_DWORDS (64u << 20)
#define MAX_LEVELS 3
#define WRITE_PS_DEPTH_COUNT 2

struct cursor {
   uint64_t va;
   uint64_t back[MAX_LEVELS]; /* of second-level batches: where it continues */
   unsigned level;
   uint32_t words[INTEL_MAX_COMMAND_DW];
};

static bool
fail(struct intel_walk *walk, const char *what, uint64_t value)
{
   snprintf(walk->error, sizeof(walk->error), "%s 0x%llx", what, (unsigned long long)value);
   return false;
}

/* Waits and counts, and the operation of WM_HZ_OP, which the write after it starts. */
static void
pipe_control(struct intel_walk *walk, struct intel_walk_state *s, uint64_t va, const struct intel_words *packet)
{
   unsigned post_sync = intel_field_get(walk->gen, INTEL_PIPE_CONTROL_POST_SYNC, packet->words);
   bool stalls = intel_field_get(walk->gen, INTEL_PIPE_CONTROL_CS_STALL, packet->words);
   if (s->state.hz_op && post_sync && intel_packets[INTEL_3DSTATE_WM_HZ_OP].length_dw[walk->gen]) {
      struct intel_draw draw = intel_walk_draw(walk, s, va);
      draw.is_hz_op = true;
      walk->draw(walk->data, &draw);
      s->stalled = s->flushed = false;
   }
   s->stalled |= stalls;
   s->flushed |= stalls && intel_field_get(walk->gen, INTEL_PIPE_CONTROL_DC_FLUSH, packet->words);
   s->counting ^= post_sync == WRITE_PS_DEPTH_COUNT;
}

static void
primitive(struct intel_walk *walk, struct intel_walk_state *s, uint64_t va)
{
   struct intel_draw draw = intel_walk_draw(walk, s, va);
   walk->draw(walk->data, &draw);
   s->stalled = s->flushed = false;
}

static bool
start(struct intel_walk *walk, struct cursor *cursor, const struct intel_words *packet)
{
   if (intel_field_get(walk->gen, INTEL_MI_BATCH_BUFFER_START_SECOND_LEVEL, packet->words)) {
      if (cursor->level == MAX_LEVELS)
         return fail(walk, "batches are nested too deep at", cursor->va);
      cursor->back[cursor->level++] = cursor->va;
   }
   cursor->va = intel_get_address(walk, packet, INTEL_MI_BATCH_BUFFER_START_ADDRESS_LO);
   return true;
}

/* A whole packet. */
static bool
fetch(struct intel_walk *walk, struct cursor *cursor, struct intel_words *packet)
{
   if (!walk->batch.read(walk->batch.data, cursor->va, cursor->words, 4))
      return fail(walk, "nothing is there to be read at", cursor->va);
   packet->words = cursor->words;
   packet->count = intel_command_length_dw(cursor->words[0]);
   packet->packet = intel_packet_find(walk->gen, cursor->words[0]);
   if (!packet->count)
      return fail(walk, "no packet begins with", cursor->words[0]);
   if (packet->packet != INTEL_PACKET_NONE && packet->count != intel_packets[packet->packet].length_dw[walk->gen])
      return fail(walk, "a packet has not the length that its generation gives it, at", cursor->va);
   if (packet->count > 1 &&
       !walk->batch.read(walk->batch.data, cursor->va + 4, cursor->words + 1, (packet->count - 1) * 4))
      return fail(walk, "a packet ends after what is there, at", cursor->va);
   return true;
}

/* False: the batch is over, or wrong. */
static bool
step(struct intel_walk *walk, struct intel_walk_state *s, struct cursor *cursor, const struct intel_words *packet)
{
   uint64_t va = cursor->va;
   cursor->va += 4 * (uint64_t)packet->count;
   if (packet->packet != INTEL_PACKET_NONE &&
       !intel_uav_apply_packet(&s->state, packet->packet, packet->words, packet->count))
      return fail(walk, "a field has a value that means nothing, in the packet at", va);
   switch ((int)packet->packet) { /* others: do not move the walk or hold addresses */
   case INTEL_MI_BATCH_BUFFER_END:
      if (!cursor->level)
         return false;
      cursor->va = cursor->back[--cursor->level];
      return true;
   case INTEL_MI_BATCH_BUFFER_START:
      return start(walk, cursor, packet);
   case INTEL_PIPE_CONTROL:
      pipe_control(walk, s, va, packet);
      return true;
   case INTEL_3DPRIMITIVE:
      primitive(walk, s, va);
      return true;
   default: /* others: state */
      intel_walk_set(walk, s, packet);
      return true;
   }
}

bool
intel_walk(struct intel_walk *walk, struct intel_walk_state *state, uint64_t va)
{
   struct cursor cursor = {.va = va};
   struct intel_words packet;
   bool going = true;
   walk->error[0] = 0;
   state->state.gen = walk->gen;
   for (uint32_t done_dw = 0; going; done_dw += packet.count) {
      if (done_dw > (walk->limit_dw ? walk->limit_dw : MAX_DWORDS)) {
         fail(walk, "the batch does not end, which begins at", va);
         break;
      }
      if (!fetch(walk, &cursor, &packet))
         break;
      if (walk->packet)
         walk->packet(walk->data, cursor.va, &packet);
      going = step(walk, state, &cursor, &packet);
   }
   dynarray_free(&walk->kernels);
   walk->kernels = (struct dynarray){0};
   return !walk->error[0];
}
