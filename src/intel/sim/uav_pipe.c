#include "intel/sim/uav_pipe.h"

#include <assert.h>

#include "intel/hw/uav_caps.h"
#include "intel/sim/uav_signals.h"

static struct uav_plan
make_plan(const struct uav_prim *prim)
{
   const struct intel_uav_caps *caps = &intel_uav_caps[prim->state.gen];
   bool pixels = intel_uav_signals(&prim->state).thread_dispatch;
   struct uav_plan plan = {.first = UAV_NONE, .last = UAV_NONE};
   for (int stage = INTEL_STAGES - 1; stage >= 0; stage--) {
      bool runs =
         prim->state.enabled[stage] && (stage != INTEL_VS || prim->new_vertices) && (stage != INTEL_PS || pixels);
      plan.writes |= runs ? prim->writes & 1 << stage : 0;
      plan.reads |= runs ? prim->reads & 1 << stage : 0;
      if (!prim->state.enabled[stage] || !prim->state.accesses_uav[stage])
         continue;
      plan.accesses |= (uint8_t)(1 << stage);
      plan.first = stage;
      plan.last = plan.last == UAV_NONE ? stage : plan.last;
   }
   plan.ps_hangs = caps->forced_dispatch_hangs_hz_op && prim->state.hz_op && pixels;
   plan.may_lose_flush = caps->loses_vs_flush && plan.accesses == 1 << INTEL_VS && !prim->new_vertices;
   plan.needs_coherency = prim->state.coherency_required;
   return plan;
}

void
uav_stream_init(struct uav_stream *stream, const struct uav_prim *prims, unsigned count)
{
   assert(count <= UAV_MAX_PRIMS);
   *stream = (struct uav_stream){.count = count, .prims = prims};
   for (unsigned i = 0; i < count; i++)
      stream->plans[i] = make_plan(&prims[i]);
}

/* All before the primitive has left the pipeline, and no flush is awaited. */
static bool
idle_before(const struct uav_pipe *pipe, unsigned prim)
{
   for (unsigned i = 0; i < prim; i++) {
      if (pipe->at[i] != UAV_OUT || pipe->flush[i] == UAV_FLUSH_SENT || pipe->flush[i] == UAV_FLUSH_LOST)
         return false;
   }
   return true;
}

/* The unit waits for the answer to an earlier primitive's flush that it has not sent. */
static bool
is_stuck(const struct uav_pipe *pipe, unsigned prim, int stage)
{
   for (unsigned i = 0; i < prim && stage == INTEL_VS; i++) {
      if (pipe->flush[i] == UAV_FLUSH_LOST)
         return true;
   }
   return false;
}

static bool
may_be_taken(const struct uav_stream *stream, const struct uav_pipe *pipe, unsigned prim, int stage)
{
   if (prim && pipe->at[prim - 1] <= pipe->at[prim])
      return false;
   if (is_stuck(pipe, prim, stage))
      return false;
   if (stage == INTEL_VS && stream->prims[prim].wait != UAV_WAIT_NONE && !idle_before(pipe, prim))
      return false;
   const struct uav_plan *plan = &stream->plans[prim];
   return !(plan->needs_coherency && stage == plan->first && pipe->counters[stage]);
}

static bool
may_be_processed(const struct uav_stream *stream, const struct uav_pipe *pipe, unsigned prim, int stage)
{
   return (!prim || pipe->at[prim - 1] > pipe->at[prim]) && !is_stuck(pipe, prim, stage) &&
          !(stage == INTEL_PS && stream->plans[prim].ps_hangs);
}

static bool
in_flight_before(const struct uav_pipe *pipe, unsigned prim)
{
   for (unsigned i = 0; i < prim; i++) {
      if (pipe->flush[i] == UAV_FLUSH_SENT)
         return true;
   }
   return false;
}

unsigned
uav_pipe_steps(const struct uav_stream *stream, const struct uav_pipe *pipe, struct uav_step steps[UAV_MAX_STEPS])
{
   unsigned count = 0;
   for (unsigned prim = 0; prim < stream->count; prim++) {
      int stage = pipe->at[prim] / 2;
      if (pipe->at[prim] == UAV_OUT)
         continue;
      if (pipe->at[prim] % 2 == 0 && may_be_taken(stream, pipe, prim, stage))
         steps[count++] = (struct uav_step){UAV_TAKEN, (uint8_t)prim, (enum intel_stage)stage};
      if (pipe->at[prim] % 2 && may_be_processed(stream, pipe, prim, stage))
         steps[count++] = (struct uav_step){UAV_PROCESSED, (uint8_t)prim, (enum intel_stage)stage};
   }
   /* The data cache answers in the order of the flushes. */
   for (unsigned prim = 0; prim < stream->count; prim++) {
      if (pipe->flush[prim] != UAV_FLUSH_SENT)
         continue;
      steps[count++] = (struct uav_step){UAV_FLUSHED, (uint8_t)prim, (enum intel_stage)stream->plans[prim].last};
      break;
   }
   return count;
}

void
uav_pipe_take(const struct uav_stream *stream, struct uav_pipe *pipe, struct uav_step step)
{
   const struct uav_plan *plan = &stream->plans[step.prim];
   switch (step.kind) {
   case UAV_TAKEN:
      pipe->at[step.prim]++;
      pipe->counters[step.stage] += plan->last >= (int)step.stage;
      return;
   case UAV_PROCESSED:
      pipe->at[step.prim]++;
      if (plan->last == (int)step.stage)
         pipe->flush[step.prim] =
            plan->may_lose_flush && in_flight_before(pipe, step.prim) ? UAV_FLUSH_LOST : UAV_FLUSH_SENT;
      return;
   case UAV_FLUSHED:
      pipe->flush[step.prim] = UAV_FLUSH_DONE;
      for (int stage = 0; stage < INTEL_STAGES && stage <= plan->last; stage++) {
         assert(pipe->counters[stage] && "a counter below zero");
         pipe->counters[stage]--;
      }
      return;
   }
}

static const char *
why_unfinished(const struct uav_stream *stream, const struct uav_pipe *pipe, unsigned prim)
{
   if (stream->plans[prim].ps_hangs && pipe->at[prim] == 2 * INTEL_PS + 1)
      return "pixel shaders are dispatched during a HiZ operation";
   return "the request is never taken";
}

bool
uav_pipe_hangs(const struct uav_stream *stream, const struct uav_pipe *pipe, struct uav_hang *hang)
{
   for (unsigned prim = 0; prim < stream->count; prim++) {
      if (pipe->flush[prim] == UAV_FLUSH_LOST) {
         *hang = (struct uav_hang){prim, (enum intel_stage)stream->plans[prim].last, "its flush is never sent"};
         return true;
      }
      if (pipe->at[prim] != UAV_OUT) {
         *hang = (struct uav_hang){prim, (enum intel_stage)(pipe->at[prim] / 2), why_unfinished(stream, pipe, prim)};
         return true;
      }
   }
   for (unsigned stage = 0; stage < INTEL_STAGES; stage++) {
      if (pipe->counters[stage]) {
         *hang = (struct uav_hang){stream->count - 1, (enum intel_stage)stage, "its counter never returns to zero"};
         return true;
      }
   }
   return false;
}

/* A wait that makes earlier writes coherent stands between the two. */
static bool
flushed_between(const struct uav_stream *stream, unsigned writer, unsigned reader)
{
   for (unsigned i = writer + 1; i <= reader; i++) {
      if (stream->prims[i].wait == UAV_WAIT_FLUSH)
         return true;
   }
   return false;
}

bool
uav_pipe_overtakes(const struct uav_stream *stream, const struct uav_pipe *pipe, struct uav_step step,
                   struct uav_overtaking *overtaking)
{
   const struct uav_plan *plan = &stream->plans[step.prim];
   if (step.kind != UAV_TAKEN || !plan->needs_coherency || !(plan->reads >> step.stage & 1))
      return false;
   for (unsigned writer = 0; writer < step.prim; writer++) {
      if (flushed_between(stream, writer, step.prim))
         continue;
      bool done = pipe->flush[writer] == UAV_FLUSH_DONE;
      for (int stage = 0; stage < INTEL_STAGES; stage++) {
         if (!(stream->plans[writer].writes >> stage & 1) || (done && stage <= stream->plans[writer].last))
            continue;
         *overtaking = (struct uav_overtaking){writer, (enum intel_stage)stage};
         return true;
      }
   }
   return false;
}
