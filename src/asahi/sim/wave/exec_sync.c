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

/* What each of them is for is not known: all that the wave has sent is in memory then. */
static enum step
run_fence(struct wave *w, const struct code *c)
{
   (void)c;
   return w->base.queue.count ? STEP_AGAIN : STEP_NEXT;
}

static enum step
run_pixwait(struct wave *w, const struct code *c)
{
   if (w->program->stage != AGX_STAGE_FRAGMENT || wave_order_clears(w, c->in.mod.fences))
      return STEP_NEXT;
   w->waits_for = c->in.mod.fences;
   return STEP_SLEEP;
}

/* What the wave has done to its pixels must be there before others may go on. */
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
   default: /* others: barriers of memory and images */
      c->run = run_fence;
      return true;
   }
}
