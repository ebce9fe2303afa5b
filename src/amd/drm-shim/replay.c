/* indium-replay: runs a recording on the model, or prints it so that people can read it. Started by `indium replay`
 * and `indium decode`:
 *
 *    indium-replay FILE [--gpu CHIP] [--schedule SCHEDULE] [--budget N] [--trace FILE] [--dump-state FILE] [--races]
 *                       [--changes]
 *    indium-replay FILE --decode */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "amd/drm-shim/code_text.h"
#include "amd/drm-shim/decode.h"
#include "amd/drm-shim/packet_text.h"
#include "amd/hw/chips.h"
#include "amd/hw/pm4.h"
#include "amd/sim/amd_sim.h"
#include "sim/replay.h"
#include "sim/trace.h"
#include "util/macros.h"
#include "util/within_memory.h"

#define MAX_THREADS 64
#define S_CODE_END 0xbf9f0000 /* s_code_end */
#define MAX_BUDGET UINT64_C(999999999999999999)

static const struct sim_record_language languages[] = {
   {"packets", PKT3_NOP_PAD, amd_packet_parse},
   {"code32", S_CODE_END, amd_code_parse_32},
   {"code64", S_CODE_END, amd_code_parse_64},
   {0},
};

struct request {
   const char *path, *gpu, *schedule, *budget, *trace, *dump;
   bool races, shows, decodes;
};

static const struct {
   const char *name;
   size_t offset;
   bool has_value;
} arguments[] = {
   {"--gpu", offsetof(struct request, gpu), true},         {"--schedule", offsetof(struct request, schedule), true},
   {"--budget", offsetof(struct request, budget), true},   {"--trace", offsetof(struct request, trace), true},
   {"--dump-state", offsetof(struct request, dump), true}, {"--races", offsetof(struct request, races), false},
   {"--changes", offsetof(struct request, shows), false},  {"--decode", offsetof(struct request, decodes), false}};

static bool
run_submit(void *data, const struct sim_player *player, struct sim_vm *vm, const struct sim_record *submit,
           struct sim_fault *fault, struct sim_record_error *error)
{
   struct dynarray ibs = {0};
   uint64_t clock;
   bool ok = amd_submit_read(submit, &ibs, &clock, error);
   amd_sim_set_clock(data, ok ? clock : 0);
   if (ok)
      amd_sim_run(data, vm, ibs.data, dynarray_count(&ibs, struct amd_sim_ib), fault);
   dynarray_free(&ibs);
   return ok;
}

/* What watches the model. Files that were opened stay so until the end of the process. */
struct watchers {
   struct sim_trace *trace;
   FILE *dump;
};

static bool
cannot_write(const char *path)
{
   fprintf(stderr, "indium: cannot write %s: %s\n", path, strerror(errno));
   return false;
}

/* The model as it is asked for, or NULL after a message. */
static struct amd_sim *
create_model(const struct request *request, const char *gpu, const char *schedule, struct watchers *watchers)
{
   const struct amd_chip *chip = amd_chip_by_name(gpu);
   const char *threads = getenv("INDIUM_THREADS");
   long count = threads ? strtol(threads, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
   struct sim_schedule order;
   uint64_t budget = 0;
   if (!chip)
      return fprintf(stderr, "indium: no chip is called \"%s\" (see: indium gpus)\n", gpu), NULL;
   if (!sim_schedule_parse(schedule, &order))
      return fprintf(stderr, "indium: no schedule is called \"%s\"\n", schedule), NULL;
   if (request->budget && (!sim_record_number(request->budget, MAX_BUDGET, &budget) || !budget))
      return fprintf(stderr, "indium: the budget is a number of instructions, not \"%s\"\n", request->budget), NULL;
   if (request->trace && !(watchers->trace = sim_trace_open(request->trace)))
      return cannot_write(request->trace), NULL;
   if (request->dump && !(watchers->dump = fopen(request->dump, "we")))
      return cannot_write(request->dump), NULL;
   struct amd_sim *sim = amd_sim_create(chip, (unsigned)MIN2(MAX2(count, 1), MAX_THREADS));
   if (!sim)
      return fprintf(stderr, "indium: %s has no model\n", chip->name), NULL;
   amd_sim_set_schedule(sim, &order);
   amd_sim_set_budget(sim, budget);
   amd_sim_set_trace(sim, watchers->trace);
   amd_sim_set_races(sim, request->races ? stderr : NULL);
   if (!amd_sim_set_dump(sim, watchers->dump))
      out_of_memory("the dump of states", 0);
   return sim;
}

static int
run(const struct request *request, const struct sim_recording *recording)
{
   const char *gpu = request->gpu ? request->gpu : recording->chip;
   const char *recorded = recording->schedule ? recording->schedule : "in-order";
   const char *schedule = request->schedule ? request->schedule : recorded;
   struct sim_record_error error;
   struct watchers watchers = {0};
   struct amd_sim *sim = create_model(request, gpu, schedule, &watchers);
   if (!sim)
      return 2;
   struct sim_replay replay = {
      .path = request->path,
      .recording = recording,
      .shows = request->shows,
      .data = sim,
      .submit = run_submit,
      .compares = !strcmp(gpu, recording->chip) && !strcmp(schedule, recorded),
   };
   enum sim_replay_end end = sim_replay_run(&replay, &error);
   amd_sim_destroy(sim);
   if (watchers.trace)
      sim_trace_close(watchers.trace);
   if (watchers.dump && (ferror(watchers.dump) | fclose(watchers.dump)))
      return cannot_write(request->dump), 2;
   return end == SIM_REPLAY_BAD ? sim_record_report(request->path, &error) : end == SIM_REPLAY_OTHER;
}

static void
read_arguments(char **argv, struct request *request)
{
   request->path = argv[1];
   for (unsigned i = 2; argv[1] && argv[i]; i++) {
      for (unsigned n = 0; n < ARRAY_SIZE(arguments); n++) {
         void *place = (char *)request + arguments[n].offset;
         if (strcmp(argv[i], arguments[n].name))
            continue;
         if (!arguments[n].has_value)
            *(bool *)place = true;
         else if (argv[i + 1])
            *(const char **)place = argv[++i];
         break;
      }
   }
}

int
main(int argc, char **argv)
{
   struct request request = {0};
   struct sim_recording recording = {0};
   struct sim_record_error error = {0};
   size_t size_B;
   read_arguments(argv, &request);
   char *text = request.path ? sim_recording_load(request.path, &size_B) : NULL;
   if (!text)
      return 2;
   int status;
   if (!sim_recording_read(&recording, text, size_B, languages, &error))
      status = sim_record_report(request.path, &error);
   else if (strcmp(recording.driver, "amdgpu"))
      status = (sim_record_fail(&error, 0, "recordings of %.40s are not replayed here", recording.driver),
                sim_record_report(request.path, &error));
   else if (request.decodes)
      status = amd_decode(&recording, stdout, &error) ? 0 : sim_record_report(request.path, &error);
   else
      status = run(&request, &recording);
   sim_recording_free(&recording);
   free(text);
   if (fflush(stdout) || ferror(stdout)) {
      perror("indium: standard output");
      return 2;
   }
   return status;
}
