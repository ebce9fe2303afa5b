/* Damaged submissions on the model: whatever is wrong in streams, records, descriptors, programs and data comes to a
 * fault or to nothing, and never to a crash. A damaged count may mean work for hours, so that each runs in a process
 * of its own, which an alarm ends.
 *
 * test_damaged FOLDER COUNT [FIRST]: COUNT seeds of each recording of FOLDER that is small enough, from FIRST on. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "asahi/hw/chips.h"
#include "asahi/sim/recorded.h"
#include "sim/replay.h"
#include "sim/schedule.h"

#define MAX_CHANGES 4

static const char *const names[] = {"triangle-submit0.txt", "gles-submit0.txt", "scene-submit0.txt",
                                    "compute-spill-submit0.txt"};

static bool
run_submit(void *data, const struct sim_player *player, struct sim_vm *vm, const struct sim_record *submit,
           struct sim_fault *fault, struct sim_record_error *error)
{
   (void)player;
   return agx_sim_run_recorded(data, vm, submit, fault, error);
}

static uint64_t
words_of(const struct sim_recording *recording)
{
   uint64_t count = 0;
   dynarray_for_each(const struct sim_record, record, &recording->records)
      count += record->kind == SIM_RECORD_WRITE ? dynarray_count(&record->words, uint32_t) : 0;
   return count;
}

static uint32_t *
word_at(const struct sim_recording *recording, uint64_t index)
{
   dynarray_for_each(const struct sim_record, record, &recording->records) {
      uint64_t count = record->kind == SIM_RECORD_WRITE ? dynarray_count(&record->words, uint32_t) : 0;
      if (index < count)
         return dynarray_at(&record->words, uint32_t, index);
      index -= count;
   }
   return NULL;
}

/* A bit, a byte, a small number, anything. */
static void
damage(const struct sim_recording *recording, uint64_t seed)
{
   uint64_t count = words_of(recording), changes = 1 + sim_schedule_random(seed, 0, 0) % MAX_CHANGES;
   for (uint64_t i = 1; i <= changes; i++) {
      uint32_t *word = word_at(recording, sim_schedule_random(seed, i, 0) % count);
      uint64_t random = sim_schedule_random(seed, i, 1);
      unsigned shift = (unsigned)(random >> 32) % 32;
      switch (random % 4) {
      case 0:
         *word ^= 1u << shift;
         break;
      case 1:
         *word ^= (uint32_t)(random >> 40 & 0xff) << (shift & 24);
         break;
      case 2:
         *word = (uint32_t)(random >> 40 & 15);
         break;
      default:
         *word = (uint32_t)(random >> 32);
         break;
      }
   }
}

static void
run_damaged(const char *path, uint64_t seed)
{
   static const struct sim_record_language no_languages[] = {{0}};
   struct sim_recording recording = {0};
   struct sim_record_error error = {0};
   size_t size_B;
   char *text = sim_recording_load(path, &size_B);
   if (!text || !sim_recording_read(&recording, text, size_B, no_languages, &error))
      abort();
   damage(&recording, seed);
   struct agx_sim *sim = agx_sim_create(agx_chip_by_name(seed & 1 ? "m1" : "m2"), 1);
   if (!sim)
      abort();
   agx_sim_set_budget(sim, 20000);
   agx_sim_set_schedule(sim, &(struct sim_schedule){seed & 2 ? SIM_SCHEDULE_IN_ORDER : SIM_SCHEDULE_SEED, seed});
   struct sim_replay replay = {.path = path, .recording = &recording, .data = sim, .submit = run_submit};
   if (sim_replay_run(&replay, &error) == SIM_REPLAY_BAD)
      abort();
   agx_sim_destroy(sim);
   sim_recording_free(&recording);
   free(text);
}

/* False if it crashed. */
static bool
try_seed(const char *path, uint64_t seed, unsigned *long_count)
{
   int status;
   fflush(NULL);
   pid_t child = fork();
   if (!child) {
      if (!freopen("/dev/null", "w", stdout) ||
          !freopen(getenv("DAMAGED_LOG") ? getenv("DAMAGED_LOG") : "/dev/null", "a", stderr))
         _exit(3);
      alarm(2);
      run_damaged(path, seed);
      exit(0);
   }
   if (child < 0 || waitpid(child, &status, 0) != child)
      return false;
   bool is_long = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
   *long_count += is_long;
   if (is_long || (WIFEXITED(status) && !WEXITSTATUS(status)))
      return true;
   printf("%s, seed %llu: %s %d\n", path, (unsigned long long)seed, WIFSIGNALED(status) ? "signal" : "status",
          WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
   return false;
}

int
main(int argc, char **argv)
{
   uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 0, first = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
   unsigned crashed = 0, long_count = 0;
   for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
      char path[4096];
      snprintf(path, sizeof(path), "%s/%s", argv[1], names[i]);
      for (uint64_t seed = first; seed < first + count; seed++)
         crashed += !try_seed(path, seed, &long_count);
   }
   printf("%llu seeds of each recording: %u crashed, %u were too long to wait for\n", (unsigned long long)count,
          crashed, long_count);
   return crashed || !count;
}
