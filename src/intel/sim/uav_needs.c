#include "intel/sim/uav_needs.h"

#include "intel/sim/uav_signals.h"

unsigned
uav_needs(const struct intel_uav_state *s, bool stores, bool counted)
{
   unsigned needs = stores ? UAV_NEED_STORES : 0;
   bool late = s->wm.edsc != INTEL_EDSC_PREPS;
   struct intel_depth_stencil zs = intel_depth_stencil(s);
   bool coverage = s->psx.kills || s->wm.kills || s->psx.omask || s->wm.omask || s->blend.alpha_to_coverage ||
                   s->blend.alpha_test || s->chroma_key_kill;
   bool computes_depth = s->psx.computed_depth || s->wm.computed_depth;
   bool tested = (computes_depth && zs.depth_test) || (s->psx.computed_stencil && zs.stencil_test);
   if (late && counted && (coverage || tested))
      needs |= UAV_NEED_COUNT;
   if (s->blend.has_writeable_rt && !s->psx.no_rt_write)
      needs |= UAV_NEED_TARGET;
   if (late && (zs.depth_write || zs.stencil_write) && (coverage || tested || computes_depth))
      needs |= UAV_NEED_DEPTH;
   return needs;
}

unsigned
uav_lost(const struct uav_prim *prim)
{
   return intel_uav_signals(&prim->state).thread_dispatch ? 0 : prim->needs;
}

/* Without the bit the pixel shader would be lost. */
static bool
dispatches(const struct uav_prim *prim)
{
   struct uav_prim without = *prim;
   without.state.accesses_uav[INTEL_PS] = false;
   return uav_lost(&without) & ~uav_lost(prim);
}

static bool
is_flush_needed(const struct uav_stream *stream, unsigned prim)
{
   const struct uav_plan *plan = &stream->plans[prim];
   if (plan->last == INTEL_PS && dispatches(&stream->prims[prim]))
      return true;
   for (unsigned i = prim + 1; i < stream->count && plan->writes; i++) {
      if (stream->prims[i].wait == UAV_WAIT_FLUSH)
         return false;
      if (stream->plans[i].needs_coherency)
         return true;
   }
   return false;
}

struct uav_cost
uav_cost(const struct uav_prim *prims, unsigned count)
{
   struct uav_cost cost = {0};
   struct uav_stream stream;
   uav_stream_init(&stream, prims, count);
   for (unsigned i = 0; i < count; i++) {
      bool flushes = stream.plans[i].last != UAV_NONE;
      cost.flushes += flushes;
      cost.needless += flushes && !is_flush_needed(&stream, i);
      cost.stalls += prims[i].wait != UAV_WAIT_NONE;
   }
   return cost;
}
