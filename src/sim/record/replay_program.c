#include "sim/record/replay_program.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/waves/trace.h"
#include "util/macros.h"

#define MAX_THREADS 64
#define MAX_BUDGET UINT64_C(999999999999999999)

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
cannot_write(const char *path)
{
   fprintf(stderr, "indium: cannot write %s: %s\n", path, strerror(errno));
   return false;
}

/* Files that were opened stay so until the end of the process. */
static bool
read_request(const struct request *request, const char *schedule, struct sim_replay_model *model)
{
   const char *threads = getenv("INDIUM_THREADS");
   long count = threads ? strtol(threads, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
   model->threads = (unsigned)MIN2(MAX2(count, 1), MAX_THREADS);
   model->races = request->races ? stderr : NULL;
   if (!sim_schedule_parse(schedule, &model->schedule))
      return fprintf(stderr, "indium: no schedule is called \"%s\"\n", schedule), false;
   if (request->budget && (!sim_record_number(request->budget, MAX_BUDGET, &model->budget) || !model->budget))
      return fprintf(stderr, "indium: the budget is a number of instructions, not \"%s\"\n", request->budget), false;
   if (request->trace && !(model->trace = sim_trace_open(request->trace)))
      return cannot_write(request->trace);
   if (request->dump && !(model->dump = fopen(request->dump, "we")))
      return cannot_write(request->dump);
   return true;
}

static int
run_request(const struct request *request, const struct sim_recording *recording,
            const struct sim_replay_vendor *vendor)
{
   struct sim_replay_model model = {.chip = request->gpu ? request->gpu : recording->chip,
                                    .option = recording->option};
   const char *recorded = recording->schedule ? recording->schedule : "in-order";
   const char *schedule = request->schedule ? request->schedule : recorded;
   struct sim_record_error error;
   void *sim = read_request(request, schedule, &model) ? vendor->create(&model) : NULL;
   if (!sim)
      return 2;
   struct sim_replay replay = {
      .path = request->path,
      .recording = recording,
      .shows = request->shows,
      .data = sim,
      .submit = vendor->submit,
      .compares = !strcmp(model.chip, recording->chip) && !strcmp(schedule, recorded),
   };
   enum sim_replay_end end = sim_replay_run(&replay, &error);
   vendor->destroy(sim);
   if (model.trace)
      sim_trace_close(model.trace);
   if (model.dump && (ferror(model.dump) | fclose(model.dump)))
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
sim_replay_main(char **argv, const struct sim_replay_vendor *vendor)
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
   if (!sim_recording_read(&recording, text, size_B, vendor->languages, &error))
      status = sim_record_report(request.path, &error);
   else if (strcmp(recording.driver, vendor->driver))
      status = (sim_record_fail(&error, 0, "recordings of %.40s are not replayed here", recording.driver),
                sim_record_report(request.path, &error));
   else if (request.decodes && vendor->decode)
      status = vendor->decode(&recording, stdout, &error) ? 0 : sim_record_report(request.path, &error);
   else
      status = run_request(&request, &recording, vendor);
   sim_recording_free(&recording);
   free(text);
   if (fflush(stdout) || ferror(stdout)) {
      perror("indium: standard output");
      return 2;
   }
   return status;
}
