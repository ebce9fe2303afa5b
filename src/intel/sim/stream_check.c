#include "intel/sim/stream_check.h"

#include "intel/hw/uav_caps.h"
#include "intel/sim/uav_needs.h"
#include "intel/sim/uav_signals.h"
#include "util/macros.h"

static const char *const stage_names[INTEL_STAGES] = {"VS", "HS", "DS", "GS", "PS"};

struct check {
   FILE *out;
   bool all;
   const struct intel_submit *submit;
   struct intel_stream_counts *counts;
   unsigned draw;     /* of the submit, from 1 */
   bool vs_in_flight; /* a primitive before sent the vertex shader's flush, and nobody has waited since */
};

static void
begin_line(const struct check *check, const struct intel_draw *draw)
{
   fprintf(check->out, "submit %u, %s %u at 0x%llx: ", check->submit->number,
           draw->is_hz_op ? "HiZ operation" : "draw", check->draw, (unsigned long long)draw->va);
}

static void
print_needs(FILE *out, unsigned needs)
{
   static const char *const names[] = {"stores to memory", "the samples that a query counts", "colour", "depth"};
   const char *separator = "";
   for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
      if (needs >> i & 1)
         fprintf(out, "%s%s", separator, names[i]), separator = ", ";
   }
}

static void
print_reasons(FILE *out, const struct intel_uav_signals *signals)
{
   const char *separator = "";
   for (unsigned i = 0; i < INTEL_DISPATCH_REASONS; i++) {
      if (signals->dispatch_reasons >> i & 1)
         fprintf(out, "%s%s", separator, intel_dispatch_reason_text(i)), separator = "; ";
   }
}

/* --all: what the draw is. */
static void
print_draw(const struct check *check, const struct intel_draw *draw, const struct intel_uav_signals *signals)
{
   begin_line(check, draw);
   for (unsigned i = 0; i < INTEL_STAGES; i++) {
      if (draw->state.enabled[i])
         fprintf(check->out, "%s%s%s ", stage_names[i],
                 draw->stores[i] == INTEL_STORES           ? " stores"
                 : draw->stores[i] == INTEL_STORES_UNKNOWN ? " may store"
                                                           : "",
                 draw->state.accesses_uav[i] ? " (accesses UAV)," : ",");
   }
   fprintf(check->out, "%s; pixel shader %s", draw->counted ? "counted" : "not counted",
           signals->thread_dispatch ? "runs: " : "does not run");
   print_reasons(check->out, signals);
   fprintf(check->out, "%s\n", signals->uav_only ? "; UAV-only" : "");
}

/* Bits that are set, for the table of what drivers do. */
static void
count_bits(struct intel_stream_counts *counts, const struct intel_draw *draw)
{
   bool stores = false, unknown = false;
   for (unsigned i = 0; i < INTEL_STAGES; i++) {
      counts->accesses[i] += draw->state.enabled[i] && draw->state.accesses_uav[i];
      stores |= draw->stores[i] == INTEL_STORES;
      unknown |= draw->stores[i] == INTEL_STORES_UNKNOWN;
   }
   counts->stores += stores;
   counts->pixel += draw->stores[INTEL_PS] == INTEL_STORES;
   counts->unknown += unknown;
   counts->coherency += draw->state.coherency_required;
   counts->uav_only += draw->state.wm.uav_only;
   counts->forced += draw->state.wm.force_dispatch == INTEL_FORCE_ON;
}

/* The lowest stage with the bit sends a flush; nobody waits for it unless coherency is required. */
static void
check_flush(struct check *check, const struct intel_draw *draw, const struct uav_prim *prim)
{
   struct uav_cost cost = uav_cost(prim, 1);
   if (draw->state.coherency_required || !cost.needless)
      return;
   check->counts->needless += cost.needless;
   begin_line(check, draw);
   fprintf(check->out, "flushes without need:");
   for (unsigned i = 0; i < INTEL_STAGES; i++)
      if (draw->state.enabled[i] && draw->state.accesses_uav[i])
         fprintf(check->out, " %s", stage_names[i]);
   fprintf(check->out, " says that it accesses UAVs\n");
}

static void
check_hang(struct check *check, const struct intel_draw *draw)
{
   const struct intel_uav_caps *caps = &intel_uav_caps[draw->state.gen];
   unsigned accesses = 0;
   for (unsigned i = 0; i < INTEL_STAGES; i++)
      accesses |= (unsigned)(draw->state.enabled[i] && draw->state.accesses_uav[i]) << i;
   bool vs_only = accesses == 1u << INTEL_VS;
   if (draw->stalled)
      check->vs_in_flight = false;
   const char *what = NULL;
   if (caps->loses_vs_flush && vs_only && check->vs_in_flight)
      what =
         "only the vertex shader says that it accesses UAVs, and a flush of a draw before may be in flight: if all "
         "vertices are those of that draw, none comes for this one (lost-vs-flush)";
   if (caps->forced_dispatch_hangs_hz_op && draw->state.hz_op && draw->state.wm.force_dispatch == INTEL_FORCE_ON)
      what = "threads are forced during a HiZ operation (forced-dispatch-hiz)";
   check->vs_in_flight = vs_only;
   if (!what)
      return;
   check->counts->hangs++;
   begin_line(check, draw);
   fprintf(check->out, "can hang: %s\n", what);
}

static void
check_draw(void *data, const struct intel_draw *draw)
{
   struct check *check = data;
   struct intel_uav_signals signals = intel_uav_signals(&draw->state);
   struct uav_prim prim = {.state = draw->state, .new_vertices = true};
   check->draw++;
   for (unsigned i = 0; i < INTEL_STAGES; i++)
      prim.writes |= (uint8_t)((draw->stores[i] == INTEL_STORES) << i);
   bool runs = draw->state.enabled[INTEL_PS] && !draw->state.hz_op;
   prim.needs = runs ? (uint8_t)uav_needs(&draw->state, draw->stores[INTEL_PS] == INTEL_STORES, draw->counted) : 0;
   if (draw->is_hz_op)
      check->counts->hz_ops++;
   else
      check->counts->draws++, count_bits(check->counts, draw);
   if (check->all)
      print_draw(check, draw, &signals);
   unsigned lost = uav_lost(&prim);
   if (lost) {
      check->counts->lost++;
      begin_line(check, draw);
      fprintf(check->out, "loses ");
      print_needs(check->out, lost);
      fprintf(check->out, ": the pixel shader does not run\n");
   }
   check_flush(check, draw, &prim);
   check_hang(check, draw);
}

struct context {
   unsigned number;
   struct intel_walk_state state;
};

static struct intel_walk_state *
find_context(struct dynarray *contexts, unsigned number)
{
   dynarray_for_each(struct context, context, contexts)
      if (context->number == number)
         return &context->state;
   struct context *added = dynarray_grow(contexts, sizeof(*added));
   *added = (struct context){.number = number};
   return &added->state;
}

bool
intel_stream_check(FILE *out, const struct intel_stream *stream, bool all, struct intel_stream_counts *counts,
                   char error[160])
{
   struct dynarray contexts = {0};
   struct check check = {.out = out, .all = all, .counts = counts};
   bool fine = true;
   *counts = (struct intel_stream_counts){0};
   for (size_t i = 0; fine && i < dynarray_count(&stream->submits, struct intel_submit); i++) {
      const struct intel_submit *submit = dynarray_at(&stream->submits, struct intel_submit, i);
      struct intel_memory memory = intel_submit_memory(submit);
      struct intel_walk walk = {
         .gen = stream->chip->gen, .batch = memory, .memory = memory, .draw = check_draw, .data = &check};
      check.submit = submit;
      check.draw = 0;
      if (!submit->is_render)
         continue;
      fine = intel_walk(&walk, find_context(&contexts, submit->context), submit->va);
      if (!fine)
         snprintf(error, 160, "line %u: submit %u: %s", submit->line, submit->number, walk.error);
   }
   dynarray_free(&contexts);
   return fine;
}
