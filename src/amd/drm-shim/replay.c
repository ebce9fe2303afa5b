/* indium-replay: runs a recording on the model, or prints it so that people can read it. Started by `indium replay`
 * and `indium decode`:
 *
 *    indium-replay FILE [--gpu CHIP] [--schedule SCHEDULE] [--changes]
 *    indium-replay FILE --decode */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "amd/drm-shim/decode.h"
#include "amd/drm-shim/packet_text.h"
#include "amd/hw/chips.h"
#include "amd/sim/amd_sim.h"
#include "sim/replay.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/within_memory.h"

#define MAX_THREADS 64

struct request {
   const char *path, *gpu, *schedule;
   bool shows, decodes;
};

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

/* The whole file and a zero behind it, or NULL after a message. */
static char *
read_file(const char *path, size_t *size_B)
{
   FILE *file = fopen(path, "re");
   struct stat stat;
   char *text = NULL;
   if (!file || fstat(fileno(file), &stat)) {
      fprintf(stderr, "indium: cannot read %s: %s\n", path, strerror(errno));
   } else if (!S_ISREG(stat.st_mode)) {
      fprintf(stderr, "indium: cannot read %s: not a file\n", path);
   } else {
      text = need_malloc("a recording", (size_t)stat.st_size + 1);
      *size_B = fread(text, 1, (size_t)stat.st_size, file);
      text[*size_B] = 0;
   }
   if (file)
      fclose(file);
   return text;
}

static int
bad(const char *path, const struct sim_record_error *error)
{
   if (error->line)
      fprintf(stderr, "indium: %s:%u: %s\n", path, error->line, error->message);
   else
      fprintf(stderr, "indium: %s: %s\n", path, error->message);
   return 2;
}

static int
run(const struct request *request, const struct sim_recording *recording)
{
   const char *gpu = request->gpu ? request->gpu : recording->chip;
   const char *recorded = recording->schedule ? recording->schedule : "in-order";
   const char *schedule = request->schedule ? request->schedule : recorded;
   const struct amd_chip *chip = amd_chip_by_name(gpu);
   const char *threads = getenv("INDIUM_THREADS");
   long count = threads ? strtol(threads, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
   struct sim_schedule order;
   struct sim_record_error error = {0};
   if (!chip)
      sim_record_fail(&error, 0, "no chip is called \"%.40s\"", gpu);
   else if (!sim_schedule_parse(schedule, &order))
      sim_record_fail(&error, 0, "no schedule is called \"%.40s\"", schedule);
   if (*error.message)
      return bad(request->path, &error);
   struct amd_sim *sim = amd_sim_create(chip, (unsigned)MIN2(MAX2(count, 1), MAX_THREADS));
   if (!sim) {
      fprintf(stderr, "indium: %s has no model\n", chip->name);
      return 2;
   }
   amd_sim_set_schedule(sim, &order);
   struct sim_replay replay = {
      .path = request->path, .recording = recording, .shows = request->shows, .data = sim, .submit = run_submit,
      .compares = !strcmp(gpu, recording->chip) && !strcmp(schedule, recorded),
   };
   enum sim_replay_end end = sim_replay_run(&replay, &error);
   amd_sim_destroy(sim);
   return end == SIM_REPLAY_BAD ? bad(request->path, &error) : end == SIM_REPLAY_OTHER;
}

static void
read_arguments(char **argv, struct request *request)
{
   request->path = argv[1];
   for (unsigned i = 2; argv[1] && argv[i]; i++) {
      request->shows |= !strcmp(argv[i], "--changes");
      request->decodes |= !strcmp(argv[i], "--decode");
      if (!strcmp(argv[i], "--gpu") && argv[i + 1])
         request->gpu = argv[++i];
      else if (!strcmp(argv[i], "--schedule") && argv[i + 1])
         request->schedule = argv[++i];
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
   char *text = request.path ? read_file(request.path, &size_B) : NULL;
   if (!text)
      return 2;
   int status;
   if (!sim_recording_read(&recording, text, size_B, &amd_packet_language, &error))
      status = bad(request.path, &error);
   else if (strcmp(recording.driver, "amdgpu"))
      status = (sim_record_fail(&error, 0, "recordings of %.40s are not replayed here", recording.driver),
                bad(request.path, &error));
   else if (request.decodes)
      status = amd_decode(&recording, stdout, &error) ? 0 : bad(request.path, &error);
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
