#include "intel/sim/uav_history.h"

#include <string.h>

const char *
uav_stage_name(enum intel_stage stage)
{
   static const char *const names[INTEL_STAGES] = {"VS", "HS", "DS", "GS", "PS"};
   return names[stage];
}

/* The counters that a step changed: "VS 1, HS 0". */
static char *
changed_text(struct arena *arena, const struct uav_pipe *before, const struct uav_pipe *after)
{
   char *text = arena_strdup(arena, "");
   for (unsigned i = 0; i < INTEL_STAGES; i++) {
      if (before->counters[i] != after->counters[i])
         text =
            arena_printf(arena, "%s%s %s %u", text, *text ? "," : "; counter", uav_stage_name(i), after->counters[i]);
   }
   return text;
}

static const char *
step_text(const struct uav_stream *stream, const struct uav_pipe *after, struct uav_step step)
{
   switch (step.kind) {
   case UAV_TAKEN:
      return step.stage == INTEL_VS && !stream->prims[step.prim].new_vertices
                ? "takes the request, whose vertices are there already"
                : "takes the request";
   case UAV_PROCESSED:
      if (stream->plans[step.prim].last != (int)step.stage)
         return "has processed it";
      return after->flush[step.prim] == UAV_FLUSH_LOST ? "has processed it; a flush is in flight, and none is sent"
                                                       : "has processed it, and sends a flush";
   case UAV_FLUSHED:
      return "is told that the flush is complete";
   }
   return "";
}

char *
uav_history_text(struct arena *arena, const struct uav_prim *prims, unsigned count, const struct uav_history *history)
{
   char *text = arena_strdup(arena, "");
   struct uav_stream stream;
   struct uav_pipe pipe = {0};
   unsigned line = 0;
   uav_stream_init(&stream, prims, count);
   for (unsigned i = 0; i < history->count; i++) {
      struct uav_step step = history->steps[i];
      struct uav_pipe before = pipe;
      uav_pipe_take(&stream, &pipe, step);
      /* A stage that is not enabled hands the request on. */
      if (!prims[step.prim].state.enabled[step.stage] &&
          !memcmp(before.counters, pipe.counters, sizeof(pipe.counters)))
         continue;
      text = arena_printf(arena, "%s%3u. %c: %s %s%s\n", text, ++line, 'A' + step.prim, uav_stage_name(step.stage),
                          step_text(&stream, &pipe, step), changed_text(arena, &before, &pipe));
   }
   return text;
}

char *
uav_found_text(struct arena *arena, const struct uav_prim *prims, unsigned count, const struct uav_found *found)
{
   char *text = arena_strdup(arena, "");
   if (found->hangs)
      text = arena_printf(arena, "%u of %u ends hang: primitive %c, %s: %s\n%s", found->hangs, found->ends,
                          'A' + found->hang.prim, uav_stage_name(found->hang.stage), found->hang.what,
                          uav_history_text(arena, prims, count, &found->hang_history));
   if (!found->overtakings)
      return text;
   struct uav_step read = found->overtaking_history.steps[found->overtaking_history.count - 1];
   return arena_printf(
      arena, "%s%u reads overtake writes although coherency is required: %s of %c reads what %s of %c writes\n%s",
      text, found->overtakings, uav_stage_name(read.stage), 'A' + read.prim, uav_stage_name(found->overtaking.wrote),
      'A' + found->overtaking.writer, uav_history_text(arena, prims, count, &found->overtaking_history));
}
