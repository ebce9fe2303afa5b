#include "tools/mutants/mutants_check.h"

#include <assert.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/launch/parts.h"
#include "util/macros.h"

enum {
   MAX_ARGS = 27,
   TIMEOUT_s = 300,
   TIMED_OUT = 124, /* timeout(1) */
};

const struct mutants_check mutants_checks[] = {
#define OIT_ARGS "--width", "96", "--height", "64", "--triangles", "600", "--check"
#define OIT_ON(where, name, ...) {where, "oit " name, "examples/oit", {OIT_ARGS, __VA_ARGS__}, true, NULL}
#define OIT(name, ...) OIT_ON(MUTANTS_AMD, name, __VA_ARGS__)
   OIT("1x", "--samples", "1"),
   OIT("4x pixel", "--samples", "4", "--interlock", "pixel"),
   OIT("8x sample", "--samples", "8", "--interlock", "sample"),
   OIT("1x k-buffer", "--samples", "1", "--kbuffer"),
   {MUTANTS_INTRAWAVE, "oit 4x turns", "examples/oit", {OIT_ARGS, "--samples", "4"}, true, "RADEONSI_DEBUG=layers"},
   {MUTANTS_STALLED, "oit drained", "examples/oit", {OIT_ARGS}, true, "RADEONSI_DEBUG=drain"},
   OIT_ON(MUTANTS_AGX, "1x on AGX", "--samples", "1"),
   OIT_ON(MUTANTS_AGX, "2x sample on AGX", "--samples", "2", "--interlock", "sample"),
   OIT_ON(MUTANTS_AGX, "4x textured on AGX", "--samples", "4", "--textured"),
   {MUTANTS_AGX, "interlock draws on AGX", "tests/vulkan/interlock_draws", {NULL}, true, NULL},
   {MUTANTS_AGX, "interlock ways", "tests/vulkan/interlock_ways", {NULL}, true, NULL},
   {MUTANTS_AGX, "draws meet", "tests/vulkan/draws_meet", {NULL}, true, NULL},
#undef OIT
#undef OIT_ON
#undef OIT_ARGS
   {MUTANTS_MISSED_OVERLAP, "interlock draws", "tests/vulkan/interlock_draws", {"--quirks", "indium"}, true, NULL},
   {MUTANTS_AMD, "draw order", "tests/vulkan/draw_order", {NULL}, true, NULL},
   {MUTANTS_REORDERS, "orders", "tests/vulkan/orders", {NULL}, true, NULL},
   {MUTANTS_REORDERS, "order's inputs", "tests/vulkan/order_inputs", {NULL}, true, NULL},
   {MUTANTS_MESH, "tasks and meshes", "tests/vulkan/mesh_work", {NULL}, true, NULL},
   {MUTANTS_MESH, "mesh views", "tests/vulkan/mesh_views", {NULL}, true, NULL},
   {MUTANTS_MESH, "mesh queries", "tests/vulkan/mesh_queries", {"--cached", "0"}, true, NULL},
   {MUTANTS_VRS, "shading rates", "tests/vulkan/shading_rates", {"1"}, true, NULL},
   {MUTANTS_PAIRS, "pairs", "tests/vulkan/shaders/fragment", {"--quirks", "indium"}, true, "RADEONSI_DEBUG=wave32"},
   {MUTANTS_AMD, "random sections", "tests/amd/compiler/test_aco_pops_random", {NULL}, false, NULL},
   {MUTANTS_AMD, "metadata", "tests/vulkan/compression", {"--seed", "2"}, true, "RADEONSI_DEBUG=dcc"},
   {MUTANTS_AMD, "depth samples", "tests/vulkan/compression", {"--depth", "1"}, true, NULL},
   {MUTANTS_AMD, "geometry stages", "tests/vulkan/geometry", {NULL}, true, NULL},
   {MUTANTS_AMD, "tessellation", "tests/vulkan/tessellation", {NULL}, true, NULL},
   {MUTANTS_AMD, "captured vertices", "tests/vulkan/xfb", {NULL}, true, NULL},
   {MUTANTS_AMD, "emitted streams", "tests/vulkan/emitted", {NULL}, true, NULL},
   {MUTANTS_AMD, "generated commands", "tests/vulkan/generated", {NULL}, true, NULL},
   {MUTANTS_AMD, "merged modes", "tests/vulkan/merged_modes", {NULL}, true, NULL},
   {MUTANTS_AGX, "compute", "examples/compute", {"--count", "20000"}, true, NULL},
   {MUTANTS_AGX, "storage", "tests/vulkan/storage", {"--quirks", "indium"}, true, NULL},
   {MUTANTS_AGX, "vertices", "tests/vulkan/vertices", {"--quirks", "indium"}, true, NULL},
   {MUTANTS_AGX, "varyings", "tests/vulkan/varyings", {"--quirks", "indium"}, true, NULL},
   {MUTANTS_AGX, "barycentric", "tests/vulkan/barycentric", {NULL}, true, NULL},
   {MUTANTS_AGX, "emitted", "tests/vulkan/emitted", {NULL}, true, NULL},
   {MUTANTS_AGX, "tessellation", "tests/vulkan/tessellation", {NULL}, true, NULL},
   {MUTANTS_AGX, "two devices", "tests/vulkan/two_devices", {NULL}, true, NULL},
   {MUTANTS_AGX, "fixed functions", "tests/vulkan/fixed_functions", {NULL}, true, NULL},
   {MUTANTS_AGX, "captured", "tests/vulkan/xfb", {NULL}, true, NULL},
   {MUTANTS_AGX, "output", "tests/vulkan/shaders/output", {"--quirks", "indium"}, true, NULL},
   {MUTANTS_AGX, "edges", "tests/vulkan/edges", {"--quirks", "indium"}, true, NULL},
   {MUTANTS_AGX, "fragment", "tests/vulkan/shaders/fragment", {"--quirks", "indium"}, true, NULL},
   {MUTANTS_AGX, "passes", "tests/vulkan/passes", {"--quirks", "indium"}, true, NULL},
   {MUTANTS_AGX, "random draws", "tests/vulkan/random_draws", {"--seed", "1", "--count", "10"}, true, NULL},
   {MUTANTS_AGX, "commands", "tests/vulkan/commands", {"--quirks", "indium"}, true, NULL},
   {MUTANTS_AGX, "clears", "tests/vulkan/clears", {"--quirks", "indium"}, true, NULL},
   {MUTANTS_AGX, "compression", "tests/vulkan/compression", {"--rounds", "6"}, true, NULL},
   {MUTANTS_AGX, "modifiers", "tests/vulkan/modifiers", {NULL}, true, NULL},
   {MUTANTS_AGX, "paths", "tests/vulkan/paths", {"--seed", "111", "--count", "60"}, true, NULL},
   {MUTANTS_AGX, "views", "tests/vulkan/shaders/views", {NULL}, true, NULL},
   {MUTANTS_AGX, "msaa", "tests/vulkan/msaa", {"--samples", "4"}, true, NULL},
   {MUTANTS_AGX, "linked", "tests/vulkan/linked", {NULL}, true, NULL},
   {MUTANTS_AGX, "features", "tests/vulkan/features", {"--quirks", "indium"}, true, NULL},
   {MUTANTS_AGX, "sparse buffers", "tests/vulkan/sparse_buffers", {NULL}, true, NULL},
   {MUTANTS_AGX, "sparse images", "tests/vulkan/sparse_images", {NULL}, true, NULL},
   {MUTANTS_AMD, "sparse buffers on AMD", "tests/vulkan/sparse_buffers", {NULL}, true, NULL},
   {MUTANTS_AMD, "sparse images on AMD", "tests/vulkan/sparse_images", {NULL}, true, NULL},
#define HARD_FAULTS(name, program)                                                                                   \
   {MUTANTS_HARD_FAULTS, name ", hard faults", program, {"--quirks", "indium"}, true, "INDIUM_NO_SOFT_FAULTS=1"}
   HARD_FAULTS("robust", "tests/vulkan/shaders/robust"),
   HARD_FAULTS("guarded", "tests/vulkan/shaders/guarded"),
#undef HARD_FAULTS
};

const unsigned mutants_num_checks = ARRAY_SIZE(mutants_checks);
static_assert(ARRAY_SIZE(mutants_checks) <= MUTANTS_MAX_CHECKS, "their order has a place for each");

void
mutants_choose_schedule(unsigned n, char schedule[24])
{
   static const char *const fixed[] = {"worst", "in-order", "round-robin"};
   if (n < ARRAY_SIZE(fixed))
      strcpy(schedule, fixed[n]);
   else
      snprintf(schedule, 24, "seed=%u", n - (unsigned)ARRAY_SIZE(fixed) + 1);
}

bool
mutants_start(struct mutants_run *job, const char *chip)
{
   char program[PATH_MAX], indium[PATH_MAX], seconds[16];
   const char *argv[MAX_ARGS];
   unsigned count = 0;
   if (!build_path(job->check->program, program) || !build_path("src/tools/indium", indium))
      return false;
   snprintf(seconds, sizeof(seconds), "%d", TIMEOUT_s);
   argv[count++] = "timeout";
   argv[count++] = "--foreground"; /* in our process group: what stops us stops it */
   argv[count++] = seconds;
   if (job->check->environment) {
      argv[count++] = "env";
      argv[count++] = job->check->environment;
   }
   if (job->check->model) {
      argv[count++] = indium;
      argv[count++] = "run";
      argv[count++] = "--gpu";
      argv[count++] = chip;
      argv[count++] = "--schedule";
      argv[count++] = job->schedule;
      argv[count++] = "--";
   }
   argv[count++] = program;
   for (unsigned i = 0; i < ARRAY_SIZE(job->check->args) && job->check->args[i]; i++)
      argv[count++] = job->check->args[i];
   argv[count] = NULL;

   job->log = tmpfile();
   if (!job->log)
      return false;
   posix_spawn_file_actions_t actions;
   posix_spawn_file_actions_init(&actions);
   posix_spawn_file_actions_adddup2(&actions, fileno(job->log), 1);
   posix_spawn_file_actions_adddup2(&actions, fileno(job->log), 2);
   bool good = !posix_spawnp(&job->pid, argv[0], &actions, NULL, (char *const *)argv, environ);
   posix_spawn_file_actions_destroy(&actions);
   return good;
}

/* In the model's words. */
static bool
tells_of_hang(const char *line)
{
   return strstr(line, "hang") || strstr(line, "no wave of the launch can continue") || strstr(line, "for ever");
}

const char *
mutants_reason(const struct mutants_run *run, char text[128])
{
   char line[512], last[512] = "";
   bool fault = false;
   rewind(run->log);
   while (!fault && fgets(line, sizeof(line), run->log)) {
      line[strcspn(line, "\n")] = 0;
      if (*line)
         strcpy(last, line);
      fault = strstr(line, "fault");
   }
   const char *submit = strstr(last, "submit "), *sentence = submit ? strstr(submit, ": ") : NULL;
   snprintf(text, 128, "%.110s", sentence ? sentence + 2 : last);
   return !fault ? "pixels" : tells_of_hang(last) ? "hang" : "report";
}

/* Why the end of a run says nothing of what it checks, or NULL. */
static const char *
find_end(const struct mutants_run *job)
{
   enum { BY_SIGNAL = 128 }; /* as a shell tells it */
   if (WIFSIGNALED(job->status) || WEXITSTATUS(job->status) > BY_SIGNAL)
      return "crashed";
   return WEXITSTATUS(job->status) == TIMED_OUT ? "took too long" : NULL;
}

static bool
failed(const struct mutants_run *job)
{
   return !WIFEXITED(job->status) || WEXITSTATUS(job->status);
}

unsigned
mutants_wait(struct mutants_run *jobs, unsigned count)
{
   unsigned first = count;
   for (unsigned i = 0; i < count; i++) {
      if (first < count)
         kill(jobs[i].pid, SIGTERM);
      waitpid(jobs[i].pid, &jobs[i].status, 0);
      if (first == count && find_end(&jobs[i])) {
         char line[128];
         mutants_reason(&jobs[i], line);
         fprintf(stderr, "indium mutants: %s %s, which says nothing: %s\n", jobs[i].check->name, find_end(&jobs[i]),
                 line);
         exit(2);
      }
      if (first == count && failed(&jobs[i]))
         first = i;
      else
         fclose(jobs[i].log);
   }
   return first;
}
