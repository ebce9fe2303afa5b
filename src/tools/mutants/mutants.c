/* indium mutants: each mistake of tests/mutants is switched on in turn, and the checks must find it. */
#include <assert.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/indium.h"
#include "tools/mutants/mutants_check.h"
#include "tools/mutants/mutants_chip.h"
#include "tools/launch/parts.h"
#include "util/macros.h"
#include "util/mutants_list.h"

enum { MAX_JOBS = 64 };

static const struct mutant {
   enum mutants_where where;
   const char *name, *purpose, *checks; /* checks: that must find it, "A; B" */
} mutants[] = {
#define X(name, where, purpose, checks) {MUTANTS_##where, name, purpose, checks},
   MUTANTS(X)
#undef X
};

/* The checks in the order of their last success: the mistakes of one part of a driver stand together, and what found
 * one is likely to find the next. */
static unsigned order[MUTANTS_MAX_CHECKS];

static void
start_order(void)
{
   for (unsigned i = 0; i < mutants_num_checks; i++)
      order[i] = i;
}

static void
move_to_front(const struct mutants_check *check)
{
   const unsigned number = (unsigned)(check - mutants_checks);
   unsigned at = 0;
   while (order[at] != number)
      at++;
   memmove(order + 1, order, at * sizeof(*order));
   order[0] = number;
}

/* The number of the check whose name is at the start of `names`, "A; B". */
static unsigned
first_check(const char *names)
{
   const size_t length = strcspn(names, ";");
   unsigned number = 0;
   while (number < mutants_num_checks &&
          (strncmp(mutants_checks[number].name, names, length) || mutants_checks[number].name[length]))
      number++;
   return number;
}

/* A mistake's own checks come first. */
static void
order_for(const struct mutant *mutant, unsigned own_order[MUTANTS_MAX_CHECKS])
{
   bool own[MUTANTS_MAX_CHECKS] = {0};
   unsigned count = 0;
   for (const char *at = mutant ? mutant->checks : ""; *at; at += strspn(at, "; ")) {
      const unsigned number = first_check(at);
      assert(number < mutants_num_checks && "tests/mutants names checks that exist");
      own[number] = true;
      own_order[count++] = number;
      at += strcspn(at, ";");
   }
   for (unsigned i = 0; i < mutants_num_checks; i++) {
      if (!own[order[i]])
         own_order[count++] = order[i];
   }
}

/* mutant: NULL without a mistake. */
static bool
is_wanted(const struct mutants_chip *chip, const struct mutant *mutant, const struct mutants_check *check)
{
   const bool alike = !mutant || (mutant->where == MUTANTS_HARD_FAULTS) == (check->where == MUTANTS_HARD_FAULTS);
   return chip->has[check->where] && alike;
}

/* Runs the chip's checks under `seeds` schedules until one fails. True then: *found is its run. */
static bool
hunt(const struct mutants_chip *chip, const struct mutant *mutant, unsigned seeds, unsigned jobs,
     struct mutants_run *found, unsigned *runs)
{
   unsigned seed = 0, at = 0, own_order[MUTANTS_MAX_CHECKS];
   order_for(mutant, own_order);
   *runs = 0;
   while (seed < seeds) {
      struct mutants_run started[MAX_JOBS];
      unsigned count = 0;
      while (count < jobs && seed < seeds) {
         struct mutants_run *job = &started[count];
         *job = (struct mutants_run){.check = &mutants_checks[own_order[at]]};
         mutants_choose_schedule(seed, job->schedule);
         bool wanted = is_wanted(chip, mutant, job->check) && (job->check->model || !seed);
         if (++at == mutants_num_checks)
            at = 0, seed++;
         if (!wanted)
            continue;
         if (!mutants_start(job, chip->name)) {
            perror("indium mutants: cannot start a check");
            exit(2);
         }
         count++;
      }
      const unsigned first = mutants_wait(started, count);
      *runs += first + (first < count);
      if (first < count) {
         *found = started[first];
         return true;
      }
   }
   return false;
}

/* Mistakes write a byte into this file when they are made (util/mutant.c): one that is never made tests nothing. */
static int note = -1;

static bool
open_note(void)
{
   char path[] = "/tmp/indium-mutant-XXXXXX", *place = path;
   note = mkostemp(place, O_CLOEXEC);
   if (note >= 0)
      setenv("INDIUM_MUTANT_NOTE", path, 1);
   return note >= 0;
}

static void
close_note(void)
{
   unlink(getenv("INDIUM_MUTANT_NOTE"));
   close(note);
}

static void
clear_note(void)
{
   if (ftruncate(note, 0))
      perror("indium mutants: a note of mistakes made");
}

static bool
was_made(void)
{
   return lseek(note, 0, SEEK_END) > 0;
}

/* A line on a terminal that the next one replaces; of empty words it goes. */
static void
show_progress(const char *chip, const char *name)
{
   if (isatty(STDERR_FILENO))
      fprintf(stderr, "\r\033[K%s%s%s", chip, *name ? " " : "", name);
}

/* What noticed a mistake on a chip; NULL: nothing did, or it was not asked for there. */
struct result {
   bool tried;
   const char *check, *reason;
};

static bool
try_mutant(const struct mutants_chip *chip, const struct mutant *mutant, unsigned seeds, unsigned jobs,
           struct result *result)
{
   struct mutants_run found;
   unsigned runs;
   char line[128];
   result->tried = true;
   clear_note();
   setenv("INDIUM_MUTANT", mutant->name, 1);
   show_progress(chip->name, mutant->name);
   bool caught = hunt(chip, mutant, seeds, jobs, &found, &runs);
   show_progress("", "");
   unsetenv("INDIUM_MUTANT");
   if (!was_made()) {
      printf("%-8s %-28s NEVER MADE in %u runs: %s\n", chip->name, mutant->name, runs, mutant->purpose);
      if (caught)
         fclose(found.log);
      caught = false;
   } else if (!caught) {
      printf("%-8s %-28s MISSED after %u runs: %s\n", chip->name, mutant->name, runs, mutant->purpose);
   } else {
      result->check = found.check->name;
      result->reason = mutants_reason(&found, line);
      printf("%-8s %-28s caught by %-15s after %3u runs (%s, %s): %s\n", chip->name, mutant->name, found.check->name,
             runs, found.schedule, result->reason, line);
      fclose(found.log);
      if (found.check->model) /* whose word counts: the others only find what it cannot */
         move_to_front(found.check);
   }
   fflush(stdout);
   return caught;
}

static bool
try_clean(const struct mutants_chip *chip, unsigned seeds, unsigned jobs)
{
   struct mutants_run found;
   unsigned runs;
   char line[128];
   bool caught = hunt(chip, NULL, seeds, jobs, &found, &runs);
   if (!caught) {
      printf("%-8s %-28s clean over %u schedules, %u runs\n", chip->name, "no mistake", seeds, runs);
   } else {
      mutants_reason(&found, line);
      printf("%-8s %-28s FAILS in %s (%s): %s\n", chip->name, "no mistake", found.check->name, found.schedule, line);
      fclose(found.log);
   }
   fflush(stdout);
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
   for (unsigned i = 0; i < mutants_num_checks; i++) {
      char program[PATH_MAX];
      if (!build_path(mutants_checks[i].program, program) || access(program, X_OK)) {
         usage_error("mutants", "%s is not built", mutants_checks[i].program);
         return false;
      }
   }
   return true;
}

#define MAX_CHIPS 8

struct request {
   const struct mutant *chosen[ARRAY_SIZE(mutants)];
   struct mutants_chip chips[MAX_CHIPS];
   struct result results[ARRAY_SIZE(mutants)][MAX_CHIPS];
   const char *seeds_text, *clean_text, *jobs_text, *gpu;
   unsigned count, num_chips, seeds, clean, jobs;
   bool list;
};

static bool
add_chip(struct request *request, const char *name)
{
   return mutants_chip_init(&request->chips[request->num_chips++], name);
}

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
   if (!read_count(request->jobs_text, &request->jobs) || !request->jobs || request->jobs > MAX_JOBS)
      return usage_error("mutants", "--jobs needs a number from 1 to %u", MAX_JOBS);
   bool all = request->gpu && !strcmp(request->gpu, "all");
   const char *const one[] = {request->gpu, NULL}, *const usual[] = {"vega10", "navi21", "navi31", "m1", NULL};
   for (const char *const *chip = all ? mutants_chips : request->gpu ? one : usual; *chip; chip++) {
      if (!add_chip(request, *chip))
         return usage_error("mutants", "the drivers do not support a chip %s", *chip);
   }
   for (int i = 0; i < count; i++) {
      if (!find_mutant(argv[i]) || request->count == ARRAY_SIZE(request->chosen))
         return usage_error("mutants", "no mistake is called \"%s\" (see: indium mutants --list)", argv[i]);
      request->chosen[request->count++] = find_mutant(argv[i]);
   }
   for (unsigned i = 0; !count && i < ARRAY_SIZE(mutants); i++)
      request->chosen[request->count++] = &mutants[i];
   return 0;
}

/* The mistakes, how many can matter on each chip, and the checks. */
static int
print_list(const struct request *request)
{
   for (unsigned i = 0; i < request->count; i++)
      printf("%-30s %s\n", request->chosen[i]->name, request->chosen[i]->purpose);
   printf("\nchips:\n");
   for (unsigned c = 0; c < request->num_chips; c++) {
      unsigned count = 0;
      for (unsigned i = 0; i < request->count; i++)
         count += request->chips[c].has[request->chosen[i]->where];
      printf("%-30s %u of %u mistakes can matter\n", request->chips[c].name, count, request->count);
   }
   printf("\nchecks:\n");
   for (unsigned i = 0; i < mutants_num_checks; i++)
      printf("%-30s %s\n", mutants_checks[i].name, mutants_checks[i].program);
   return 0;
}

/* Which check caught what on which chip; "-": it cannot matter there. */
static void
print_table(const struct request *request)
{
   printf("\n| mistake |");
   for (unsigned c = 0; c < request->num_chips; c++)
      printf(" %s |", request->chips[c].name);
   printf("\n|---|");
   for (unsigned c = 0; c < request->num_chips; c++)
      printf("---|");
   for (unsigned i = 0; i < request->count; i++) {
      printf("\n| %s |", request->chosen[i]->name);
      for (unsigned c = 0; c < request->num_chips; c++) {
         const struct result *result = &request->results[i][c];
         if (result->check)
            printf(" %s: %s |", result->check, result->reason);
         else
            printf(" %s |", result->tried ? "MISSED" : "-");
      }
   }
   printf("\n\n");
}

static unsigned
count_reason(const struct request *request, const char *reason)
{
   unsigned count = 0;
   for (unsigned i = 0; i < request->count; i++) {
      for (unsigned c = 0; c < request->num_chips; c++) {
         const char *found = request->results[i][c].reason;
         count += found && !strcmp(found, reason);
      }
   }
   return count;
}

static int
mutants_main(int argc, char **argv)
{
   struct request request = {.seeds_text = "64", .clean_text = "200", .jobs_text = "2"};
   int status = parse(argv, &request);
   if (status || request.list)
      return status ? status : print_list(&request);
#ifndef INDIUM_MUTANTS
   return usage_error("mutants", "this build has none: use bin/indium mutants, or configure with -Dmutants=true");
#endif
   if (!check_programs())
      return 2;
   if (!open_note()) {
      perror("indium mutants: a note of mistakes made");
      return 2;
   }
   unsigned caught = 0, tried = 0;
   bool clean = true;
   for (unsigned c = 0; c < request.num_chips; c++) {
      const struct mutants_chip *chip = &request.chips[c];
      const unsigned before = tried;
      setenv("ACO_TEST_CHIP", chip->name, 1); /* of programs that compile by themselves */
      start_order();
      for (unsigned i = 0; i < request.count; i++) {
         if (!chip->has[request.chosen[i]->where])
            continue;
         caught += try_mutant(chip, request.chosen[i], request.seeds, request.jobs, &request.results[i][c]);
         tried++;
      }
      if (tried > before && request.clean)
         clean &= try_clean(chip, request.clean, request.jobs);
   }
   close_note();
   if (request.num_chips > 1)
      print_table(&request);
   printf("%u of %u mistakes caught: %u by pixels, %u by a hang, %u by a report\n", caught, tried,
          count_reason(&request, "pixels"), count_reason(&request, "hang"), count_reason(&request, "report"));
   return caught < tried || !clean || !tried;
}

static const struct option options[] = {
   {"--seeds", "N", offsetof(struct request, seeds_text), "schedules for each mistake; default 64"},
   {"--clean", "N", offsetof(struct request, clean_text), "schedules without a mistake; default 200"},
   {"--jobs", "N", offsetof(struct request, jobs_text), "checks at once; default 2"},
   {"--gpu", "CHIP", offsetof(struct request, gpu),
    "the chip, or all: a chip of each kind of interlock, and m1; default vega10, navi21, navi31 and m1"},
   {"--list", NULL, offsetof(struct request, list), "print the mistakes and the checks"},
   {0},
};

const struct command command_mutants = {
   .name = "mutants",
   .purpose = "runs known mistakes of the drivers, reports which check catches each",
   .synopsis = {"[NAME]... [OPTION]..."},
   .text =
      "Switches on each known mistake of drivers and compilers (or the named ones) on the chips where it can "
      "matter, and runs the checks until one catches it: by wrong pixels, a hang or another report of the model. "
      "Then runs the checks without a mistake. The status is 1 if a mistake is missed or a check fails without "
      "one. The checks are in a source tree; its bin/indium mutants makes the build that they need "
      "(-Dmutants=true).",
   .options = options,
   .run = mutants_main,
};
