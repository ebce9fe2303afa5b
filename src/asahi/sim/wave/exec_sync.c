/* Waits, barriers, the order of fragments. */
#include "asahi/sim/wave/exec.h"

static enum step
run_wait(struct wave *w, const struct code *c)
{
   return sim_pending_wait(&w->state.pending, &w->base.queue, c->in.mod.group, 0) ? STEP_NEXT : STEP_AGAIN;
}

/* A threadgroup's tile is memory of the threadgroup: what was stored there is there. */
static enum step
run_barrier(struct wave *w, const struct code *c)
{
   (void)c;
   bool has_tile = w->program->stage == AGX_STAGE_COMPUTE && w->launch->hooks;
   return has_tile && w->base.queue.count ? STEP_AGAIN : STEP_BARRIER;
}

/* All that the wave has sent of these kinds (bits) is in memory then, and what it sent before that. Loads are not:
 * they have waits. */
static enum step
run_fence(struct wave *w, uint32_t kinds, bool with_cached)
{
   struct sim_queue *q = &w->base.queue;
   uint32_t count = q->count;
   while (count && (!(kinds >> q->entries[count - 1].kind & 1) ||
                    (!with_cached && wave_cache_keeps(w, &w->code->codes[q->entries[count - 1].place]))))
      count--;
   if (!count)
      return STEP_NEXT;
   q->needed_seq = q->entries[count - 1].seq;
   return STEP_AGAIN;
}

enum {
   FENCE_MEMORY = 1 << SIM_QUEUED_STORE | 1 << SIM_QUEUED_ATOMIC,
   FENCE_IMAGES = 1 << SIM_QUEUED_OTHER,
};

static enum step
run_memory_fence(struct wave *w, const struct code *c)
{
   (void)c;
   return run_fence(w, FENCE_MEMORY, false);
}

static enum step
run_image_fence(struct wave *w, const struct code *c)
{
   (void)c;
   return run_fence(w, FENCE_IMAGES, false);
}

static enum step
run_texture_fence(struct wave *w, const struct code *c)
{
   (void)c;
   return run_fence(w, FENCE_MEMORY | FENCE_IMAGES, true);
}

/* Nobody knows what it is for, and drivers have it only among others. */
static enum step
run_nothing(struct wave *w, const struct code *c)
{
   (void)w;
   (void)c;
   return STEP_NEXT;
}

static enum step
run_pixwait(struct wave *w, const struct code *c)
{
   w->entered |= c->in.mod.fences;
   if (w->program->stage != AGX_STAGE_FRAGMENT || wave_order_clears(w, c->in.mod.fences))
      return STEP_NEXT;
   w->waits_for = c->in.mod.fences;
   return STEP_SLEEP;
}

/* What the wave has done to its pixels must be there before others may continue. */
static enum step
run_pixrel(struct wave *w, const struct code *c)
{
   if (w->base.queue.count)
      return STEP_AGAIN;
   w->released |= c->in.mod.fences;
   return STEP_NEXT;
}

bool
exec_sync_bind(struct code *c)
{
   switch (c->in.op) {
   case AGX_OP_WAIT:
      c->run = run_wait;
      return true;
   case AGX_OP_BARRIER:
      c->run = run_barrier;
      return true;
   case AGX_OP_PIXWAIT:
      c->run = run_pixwait;
      return true;
   case AGX_OP_PIXREL:
      c->run = run_pixrel;
      return true;
   case AGX_OP_MEMORY_BARRIER:
   case AGX_OP_MEMORY_BARRIER_2:
   case AGX_OP_MEMORY_BARRIER_3:
   case AGX_OP_DEVICE_BARRIER_1:
   case AGX_OP_DEVICE_BARRIER_2:
      c->run = run_memory_fence;
      return true;
   case AGX_OP_IMAGE_BARRIER_1:
   case AGX_OP_IMAGE_BARRIER_2:
   case AGX_OP_IMAGE_BARRIER_3:
   case AGX_OP_IMAGE_BARRIER_4:
      c->run = run_image_fence;
      return true;
   case AGX_OP_FLUSH_MEMORY_TO_TEXTURE:
      c->run = run_texture_fence;
      return true;
   case AGX_OP_UNKNOWN_BARRIER_1:
   case AGX_OP_UNKNOWN_BARRIER_2:
      c->run = run_nothing;
      return true;
   default: /* others: of other classes */
      return false;
   }
}
