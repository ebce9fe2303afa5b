/* The mail's sequence over time: three primitives on Broadwell, of which the second has no vertex of its own. */
#include "intel/hw/uav_caps.h"
#include "intel/sim/uav_explore.h"
#include "intel/sim/uav_history.h"
#include "tools/trace/trace.h"
#include "tools/uav/uav.h"
#include "util/macros.h"

/* Of one run: shaders take SHADER_TIME, stages without any 1, flushes FLUSH_TIME; all units are made up. */
enum { PRIMS = 3, END = 28, SHADER_TIME = 3, FLUSH_TIME = 6, NEVER = -1 };

struct times {
   int taken[PRIMS][INTEL_STAGES], processed[PRIMS][INTEL_STAGES], sent[PRIMS], flushed[PRIMS];
   int counter[END]; /* of the vertex shader */
   bool lost[PRIMS];
};

struct way {
   const char *name;
   bool vs_accesses;
   enum uav_wait wait;
};

static const struct way ways[] = {
   {"bit in VS", true, UAV_WAIT_NONE},
   {"and CS stalls", true, UAV_WAIT_STALL},
   {"no bit", false, UAV_WAIT_NONE},
};

static void
make_prims(const struct way *way, struct uav_prim prims[PRIMS])
{
   enum intel_gen gen = 0;
   while (!intel_uav_caps[gen].loses_vs_flush)
      gen++;
   for (unsigned i = 0; i < PRIMS; i++) {
      prims[i] = (struct uav_prim){.new_vertices = i != 1, .wait = i ? way->wait : UAV_WAIT_NONE};
      prims[i].state = (struct intel_uav_state){.gen = gen, .psx.valid = true, .blend.has_writeable_rt = true};
      prims[i].state.enabled[INTEL_VS] = prims[i].state.enabled[INTEL_PS] = true;
      prims[i].state.accesses_uav[INTEL_VS] = way->vs_accesses;
   }
}

static bool
is_due(const struct times *t, const struct uav_prim *prims, struct uav_step step, int now)
{
   bool shades = step.stage == INTEL_PS || (step.stage == INTEL_VS && prims[step.prim].new_vertices);
   switch (step.kind) {
   case UAV_TAKEN:
      return step.stage != INTEL_VS || now >= (int)step.prim;
   case UAV_PROCESSED:
      return now >= t->taken[step.prim][step.stage] + (shades ? SHADER_TIME : 1);
   case UAV_FLUSHED:
      return now >= t->sent[step.prim] + FLUSH_TIME;
   }
   return false;
}

static void
note(struct times *t, const struct uav_pipe *pipe, struct uav_step step, int now)
{
   if (step.kind == UAV_TAKEN)
      t->taken[step.prim][step.stage] = now;
   if (step.kind == UAV_PROCESSED)
      t->processed[step.prim][step.stage] = now;
   if (step.kind == UAV_FLUSHED)
      t->flushed[step.prim] = now;
   if (t->sent[step.prim] == NEVER && pipe->flush[step.prim] != UAV_FLUSH_NONE)
      t->sent[step.prim] = now;
   t->lost[step.prim] = pipe->flush[step.prim] == UAV_FLUSH_LOST;
}

/* One step that is due, if there is any. */
static bool
advance(struct times *t, const struct uav_stream *stream, struct uav_pipe *pipe, int now)
{
   struct uav_step steps[UAV_MAX_STEPS];
   unsigned count = uav_pipe_steps(stream, pipe, steps);
   for (unsigned i = 0; i < count; i++) {
      if (!is_due(t, stream->prims, steps[i], now))
         continue;
      uav_pipe_take(stream, pipe, steps[i]);
      note(t, pipe, steps[i], now);
      return true;
   }
   return false;
}

/* What can happen happens as soon as it is due. */
static struct times
run_pipe(const struct uav_prim prims[PRIMS])
{
   struct times t;
   struct uav_stream stream;
   struct uav_pipe pipe = {0};
   uav_stream_init(&stream, prims, PRIMS);
   for (unsigned i = 0; i < PRIMS; i++) {
      t.sent[i] = t.flushed[i] = NEVER;
      t.lost[i] = false;
      for (unsigned s = 0; s < INTEL_STAGES; s++)
         t.taken[i][s] = t.processed[i][s] = NEVER;
   }
   for (int now = 0; now < END; now++) {
      while (advance(&t, &stream, &pipe, now))
         ;
      t.counter[now] = pipe.counters[INTEL_VS];
   }
   return t;
}

/* ---- the picture ---- */

static void
add_track(struct trace *trace, unsigned way, const char *name)
{
   int64_t thread = (int64_t)dynarray_count(&trace->tracks, struct trace_track);
   dynarray_append(&trace->tracks, struct trace_track, (struct trace_track){way, thread, ways[way].name, name});
}

/* On the newest track; end NEVER: it has none. */
static void
add_span(struct trace *trace, const char *name, const char *category, int start, int end)
{
   uint32_t track = (uint32_t)dynarray_count(&trace->tracks, struct trace_track) - 1;
   if (start != NEVER)
      dynarray_append(&trace->events, struct trace_event,
                      (struct trace_event){name, category, track, start, end == NEVER ? END : end, false});
}

static void
add_prim(struct trace *trace, unsigned way, const struct times *t, unsigned prim)
{
   static const char *const labels[PRIMS] = {"A", "B", "C"};
   add_track(trace, way, labels[prim]);
   if (t->taken[prim][INTEL_VS] != (int)prim)
      add_span(trace, "waits", "wait", (int)prim, t->taken[prim][INTEL_VS]);
   for (enum intel_stage s = INTEL_VS; s < INTEL_STAGES; s++)
      add_span(trace, uav_stage_name(s), "request", t->taken[prim][s], t->processed[prim][s]);
}

static void
add_flush(struct trace *trace, unsigned way, const struct times *t, unsigned prim)
{
   static const char *const labels[PRIMS] = {"flush of A", "flush of B", "flush of C"};
   if (t->sent[prim] == NEVER)
      return;
   add_track(trace, way, labels[prim]);
   add_span(trace, t->lost[prim] ? "never sent" : "flush", t->lost[prim] ? "wait" : "flush", t->sent[prim],
            t->flushed[prim]);
}

static void
add_counter(struct trace *trace, unsigned way, const struct times *t)
{
   static const char *const values[] = {"0", "1", "2", "3"};
   add_track(trace, way, "counter VS");
   for (int now = 0, from = 0; now <= END; now++) {
      if (now < END && t->counter[now] == t->counter[from])
         continue;
      if (t->counter[from])
         add_span(trace, values[t->counter[from]], "counter", from, now);
      from = now;
   }
}

int
uav_timeline(const char *path)
{
   struct trace trace = {0};
   for (unsigned way = 0; way < ARRAY_SIZE(ways); way++) {
      struct uav_prim prims[PRIMS];
      make_prims(&ways[way], prims);
      struct times t = run_pipe(prims);
      for (unsigned i = 0; i < PRIMS; i++)
         add_prim(&trace, way, &t, i);
      for (unsigned i = 0; i < PRIMS; i++)
         add_flush(&trace, way, &t, i);
      if (ways[way].vs_accesses)
         add_counter(&trace, way, &t);
   }
   bool good = trace_plot(&trace, path);
   trace_free(&trace);
   return !good;
}
