/* indium mutants: each mistake of mutants.h is switched on in turn, and the checks below must find it. */
#include "tools/mutants.h"

#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "amd/hw/chips.h"
#include "gallium/drivers/radeonsi/si_shader_alone.h"
#include "tools/indium.h"
#include "tools/parts.h"
#include "util/macros.h"

enum {
   MAX_ARGS = 27,
   JOBS = 2,
   TIMEOUT_s = 300,
   TIMED_OUT = 124, /* timeout(1) */
};

/* Whose mistakes, and the chip that their checks run on. */
enum vendor { AMD, AGX, VENDORS };
static const char *chips[VENDORS] = {"navi21", "m1"};

static const struct mutant {
   enum vendor vendor;
   const char *name, *purpose;
} mutants[] = {
#define X(name, purpose) {AMD, name, purpose},
   MUTANTS(X)
#undef X
#define X(name, purpose) {AGX, name, purpose},
      AGX_MUTANTS(X)
#undef X
};

/* A program of the build folder. Those on the model run under a schedule; the others once, by themselves. */
static const struct check {
   enum vendor vendor;
   const char *name, *program, *args[12];
   bool model;
   const char *environment; /* "NAME=VALUE" */
   const char *chip;        /* that the check is about, NULL: the vendor's */
} checks[] = {
#define OIT_ARGS "--width", "96", "--height", "64", "--triangles", "600", "--check"
#define OIT(name, ...) {AMD, "oit " name, "examples/oit", {OIT_ARGS, __VA_ARGS__}, true, NULL, NULL}
   OIT("1x", "--samples", "1"),
   OIT("4x pixel", "--samples", "4", "--interlock", "pixel"),
   OIT("8x sample", "--samples", "8", "--interlock", "sample"),
   OIT("1x k-buffer", "--samples", "1", "--kbuffer"),
   {AMD, "oit 4x turns", "examples/oit", {OIT_ARGS, "--samples", "4"}, true, "RADEONSI_DEBUG=layers", NULL},
   {AMD, "oit drained", "examples/oit", {OIT_ARGS}, true, "RADEONSI_DEBUG=drain", "navi10"},
#undef OIT
#undef OIT_ARGS
   {AMD, "registers", "tests/gallium/drivers/radeonsi/test_si_pops_program", {NULL}, false, NULL, NULL},
   {AMD, "random sections", "tests/amd/compiler/test_aco_pops_random", {NULL}, false, NULL, NULL},
   {AGX, "compute", "examples/compute", {"--count", "20000"}, true, NULL, NULL},
   {AGX, "storage", "tests/vulkan/storage", {"--quirks", "indium"}, true, NULL, NULL},
   {AGX, "vertices", "tests/vulkan/vertices", {"--quirks", "indium"}, true, NULL, NULL},
   {AGX, "output", "tests/vulkan/shaders/output", {"--quirks", "indium"}, true, NULL, NULL},
   {AGX, "edges", "tests/vulkan/edges", {"--quirks", "indium"}, true, NULL, NULL},
   {AGX, "fragment", "tests/vulkan/shaders/fragment", {"--quirks", "indium"}, true, NULL, NULL},
   {AGX, "passes", "tests/vulkan/passes", {"--quirks", "indium"}, true, NULL, NULL},
   {AGX, "random draws", "tests/vulkan/random_draws", {"--seed", "1", "--count", "10"}, true, NULL, NULL},
   {AGX, "commands", "tests/vulkan/commands", {"--quirks", "indium"}, true, NULL, NULL},
   {AGX, "clears", "tests/vulkan/clears", {"--quirks", "indium"}, true, NULL, NULL},
   {AGX, "compression", "tests/vulkan/compression", {"--rounds", "6"}, true, NULL, NULL},
   {AGX, "msaa", "tests/vulkan/msaa", {"--samples", "4"}, true, NULL, NULL},
   {AGX, "features", "tests/vulkan/features", {"--quirks", "indium"}, true, NULL, NULL},
};

/* One run of a check. */
struct job {
   const struct check *check;
   char schedule[24]; /* "": none */
   FILE *log;         /* what it printed; a file without a name */
   pid_t pid;
   int status;
};

/* The schedules that break ordering most easily come first. */
static void
choose_schedule(unsigned n, char schedule[24])
{
   static const char *const fixed[] = {"worst", "in-order", "round-robin"};
   if (n < ARRAY_SIZE(fixed))
      strcpy(schedule, fixed[n]);
   else
      snprintf(schedule, 24, "seed=%u", n - (unsigned)ARRAY_SIZE(fixed) + 1);
}

static bool
start(struct job *job)
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
      argv[count++] = job->check->chip ? job->check->chip : chips[job->check->vendor];
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

/* The line of the log that says what went wrong: a fault of the model, else the last one. */
static void
print_reason(const struct job *job)
{
   char line[512], last[512] = "";
   rewind(job->log);
   while (fgets(line, sizeof(line), job->log)) {
      line[strcspn(line, "\n")] = 0;
      if (*line)
         strcpy(last, line);
      if (strstr(line, "fault"))
         break;
   }
   const char *submit = strstr(last, "submit "), *text = submit ? strstr(submit, ": ") : NULL;
   printf("%.110s\n", text ? text + 2 : last);
}

static bool
failed(const struct job *job)
{
   return !WIFEXITED(job->status) || WEXITSTATUS(job->status);
}

/* The checks in the order of their last success: the mistakes of one part of a driver stand together, and what found
 * one is likely to find the next. */
static unsigned order[ARRAY_SIZE(checks)];

static void
start_order(void)
{
   for (unsigned i = 0; i < ARRAY_SIZE(order); i++)
      order[i] = i;
}

static void
move_to_front(const struct check *check)
{
   const unsigned number = (unsigned)(check - checks);
   unsigned at = 0;
   while (order[at] != number)
      at++;
   memmove(order + 1, order, at * sizeof(*order));
   order[0] = number;
}

/* Waits for the runs in turn. Those behind the first that failed are of no interest. Its number, or `count`. */
static unsigned
wait_for(struct job *jobs, unsigned count)
{
   unsigned first = count;
   for (unsigned i = 0; i < count; i++) {
      if (first < count)
         kill(jobs[i].pid, SIGTERM);
      waitpid(jobs[i].pid, &jobs[i].status, 0);
      if (first == count && WIFEXITED(jobs[i].status) && WEXITSTATUS(jobs[i].status) == TIMED_OUT) {
         fprintf(stderr, "indium mutants: %s took more than %d s, which says nothing\n", jobs[i].check->name,
                 TIMEOUT_s);
         exit(2);
      }
      if (first == count && failed(&jobs[i]))
         first = i;
      else
         fclose(jobs[i].log);
   }
   return first;
}

/* Runs the vendor's checks under `seeds` schedules until one fails. True then: *found is its run, *runs their number.
 */
static bool
hunt(enum vendor vendor, unsigned seeds, struct job *found, unsigned *runs)
{
   unsigned seed = 0, at = 0;
   *runs = 0;
   while (seed < seeds) {
      struct job jobs[JOBS];
      unsigned count = 0;
      while (count < JOBS && seed < seeds) {
         struct job *job = &jobs[count];
         *job = (struct job){.check = &checks[order[at]]};
         choose_schedule(seed, job->schedule);
         bool wanted = job->check->vendor == vendor && (job->check->model || !seed);
         if (++at == ARRAY_SIZE(checks))
            at = 0, seed++;
         if (!wanted)
            continue;
         if (!start(job)) {
            perror("indium mutants: cannot start a check");
            exit(2);
         }
         count++;
      }
      const unsigned first = wait_for(jobs, count);
      *runs += first + (first < count);
      if (first < count) {
         *found = jobs[first];
         return true;
      }
   }
   return false;
}

static bool
try_mutant(const struct mutant *mutant, unsigned seeds)
{
   struct job found;
   unsigned runs;
   setenv("INDIUM_MUTANT", mutant->name, 1);
   bool caught = hunt(mutant->vendor, seeds, &found, &runs);
   unsetenv("INDIUM_MUTANT");
   if (!caught) {
      printf("%-22s MISSED after %u runs: %s\n", mutant->name, runs, mutant->purpose);
   } else {
      printf("%-22s caught by %-14s after %3u runs (%s): ", mutant->name, found.check->name, runs, found.schedule);
      print_reason(&found);
      fclose(found.log);
      if (found.check->model) /* whose word counts: the others only find what it cannot */
         move_to_front(found.check);
   }
   fflush(stdout);
   return caught;
}

static bool
try_clean(enum vendor vendor, unsigned seeds)
{
   struct job found;
   unsigned runs;
   bool caught = hunt(vendor, seeds, &found, &runs);
   if (!caught) {
      printf("%-22s clean over %u schedules, %u runs\n", "no mistake", seeds, runs);
   } else {
      printf("%-22s FAILS in %s (%s): ", "no mistake", found.check->name, found.schedule);
      print_reason(&found);
      fclose(found.log);
   }
   return !caught;
}

static const struct mutant *
find_mutant(const char *name)
{
   for (unsigned i = 0; i < ARRAY_SIZE(mutants); i++) {
      if (!strcmp(mutants[i].name, name))
         return &mutants[i];
   }
   return NULL;
}

static int
print_list(void)
{
   for (unsigned i = 0; i < ARRAY_SIZE(mutants); i++)
      printf("%-22s %s\n", mutants[i].name, mutants[i].purpose);
   printf("\nchecks:\n");
   for (unsigned i = 0; i < ARRAY_SIZE(checks); i++)
      printf("%-22s %s\n", checks[i].name, checks[i].program);
   return 0;
}

static bool
read_count(const char *text, unsigned *count)
{
   char *end;
   unsigned long value = strtoul(text, &end, 10);
   *count = (unsigned)value;
   return *text && !*end && value <= 100000;
}

/* A program that is not there would seem to find everything. */
static bool
check_programs(void)
{
   for (unsigned i = 0; i < ARRAY_SIZE(checks); i++) {
      char program[PATH_MAX];
      if (!build_path(checks[i].program, program) || access(program, X_OK)) {
         usage_error("mutants", "%s is not built", checks[i].program);
         return false;
      }
   }
   return true;
}

struct request {
   const struct mutant *chosen[ARRAY_SIZE(mutants)];
   const char *seeds_text, *clean_text, *gpu;
   unsigned count, seeds, clean;
   bool list;
};

static int
parse(char **argv, struct request *request)
{
   int count = parse_options(&command_mutants, argv, request);
   if (count < 0)
      return 2;
   if (!read_count(request->seeds_text, &request->seeds))
      return usage_error("mutants", "--seeds needs a number");
   if (!read_count(request->clean_text, &request->clean))
      return usage_error("mutants", "--clean needs a number");
   const struct amd_chip *chip = amd_chip_by_name(request->gpu);
   if (!chip || !si_shader_alone_has(chip))
      return usage_error("mutants", "the driver for AMD does not have a chip %s", request->gpu);
   chips[AMD] = request->gpu;
   setenv("ACO_TEST_CHIP", request->gpu, 1); /* of programs that compile by themselves */
   for (int i = 0; i < count; i++) {
      if (!find_mutant(argv[i]) || request->count == ARRAY_SIZE(request->chosen))
         return usage_error("mutants", "no mistake is called \"%s\" (see: indium mutants --list)", argv[i]);
      request->chosen[request->count++] = find_mutant(argv[i]);
   }
   return 0;
}

static int
run(int argc, char **argv)
{
   struct request request = {.seeds_text = "64", .clean_text = "200", .gpu = "navi21"};
   int status = parse(argv, &request);
   if (status || request.list)
      return status ? status : print_list();
#ifndef INDIUM_MUTANTS
   return usage_error("mutants", "this build has none: use bin/indium mutants, or configure with -Dmutants=true");
#endif
   if (!request.count) {
      request.count = ARRAY_SIZE(mutants);
      for (unsigned i = 0; i < ARRAY_SIZE(mutants); i++)
         request.chosen[i] = &mutants[i];
   }
   if (!check_programs())
      return 2;
   start_order();
   unsigned caught = 0;
   bool clean = true, asked[VENDORS] = {false};
   for (unsigned i = 0; i < request.count; i++) {
      caught += try_mutant(request.chosen[i], request.seeds);
      asked[request.chosen[i]->vendor] = true;
   }
   for (enum vendor vendor = 0; vendor < VENDORS && request.clean; vendor++)
      clean &= !asked[vendor] || try_clean(vendor, request.clean);
   printf("%u of %u mistakes caught\n", caught, request.count);
   return caught < request.count || !clean;
}

static const struct option options[] = {
   {"--seeds", "N", offsetof(struct request, seeds_text), "schedules for each mistake; 64"},
   {"--clean", "N", offsetof(struct request, clean_text), "schedules without a mistake; 200"},
   {"--gpu", "CHIP", offsetof(struct request, gpu), "the chip of the checks of AMD's mistakes; navi21"},
   {"--list", NULL, offsetof(struct request, list), "print the mistakes and the checks"},
   {0},
};

const struct command command_mutants = {
   .name = "mutants",
   .purpose = "known mistakes of the drivers, and which check finds each",
   .synopsis = {"[NAME]... [OPTION]..."},
   .text = "Switches on each known mistake of drivers and compilers (or those named) and runs the checks until one "
           "finds it; then runs them without a mistake. Exit status 1 if a mistake is missed or the clean driver "
           "fails. The checks lie in a source tree, whose bin/indium mutants makes the build that this needs "
           "(-Dmutants=true).",
   .options = options,
   .run = run,
};
