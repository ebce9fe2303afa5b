/* indium replay, indium decode: the model's part of them is a program of its own for each vendor, which refuses the
 * recordings of others. Those of AGX are printed by a third, without a model. */
#include <stdio.h>
#include <string.h>

#include "tools/indium.h"
#include "tools/parts.h"

struct request {
   const char *gpu, *schedule, *budget, *trace, *dump;
   bool changes, races;
};

/* Whether a line of the file says that the recording is of AGX. What cannot be read is left to the program. */
static bool
is_of_agx(const char *path)
{
   static const char device[] = "device asahi ";
   char line[256];
   bool found = false;
   FILE *file = fopen(path, "re");
   while (file && !found && fgets(line, sizeof(line), file))
      found = !strncmp(line, device, sizeof(device) - 1);
   if (file)
      fclose(file);
   return found;
}

static int
run_replay(int argc, char **argv)
{
   struct request request = {0};
   int count = parse_options(&command_replay, argv, &request);
   if (count < 0)
      return 2;
   if (count != 1)
      return usage_error("replay", "name one recording");
   const char *arguments[3 + 2 * 8] = {NULL, argv[0]};
   append_options(&command_replay, &request, arguments, 2);
   return exec_part(&command_replay, is_of_agx(argv[0]) ? PART_AGX_REPLAY : PART_AMDGPU_REPLAY, arguments);
}

static int
run_decode(int argc, char **argv)
{
   int count = parse_options(&command_decode, argv, NULL);
   if (count < 0)
      return 2;
   if (count != 1)
      return usage_error("decode", "name one recording");
   if (is_of_agx(argv[0]))
      return exec_part(&command_decode, PART_AGX_DECODE, (const char *[]){NULL, argv[0], NULL});
   return exec_part(&command_decode, PART_AMDGPU_REPLAY, (const char *[]){NULL, argv[0], "--decode", NULL});
}

static const struct option options[] = {
   {"--gpu", "CHIP", offsetof(struct request, gpu), "one of indium gpus; the one of the recording"},
   {"--schedule", "in-order|round-robin|seed=N|worst", offsetof(struct request, schedule),
    "which waves run next (see: indium run); as recorded"},
   {"--budget", "N", offsetof(struct request, budget),
    "instructions that a wave may run until it counts as endless (see: indium run); 134217728"},
   {"--races", NULL, offsetof(struct request, races),
    "report accesses of overlapping pixel shader invocations that no ordered section separates, and those of a "
    "group's waves to LDS that no barrier does, on stderr"},
   {"--trace", "FILE.json", offsetof(struct request, trace), "write a timeline of all waves (see: indium trace)"},
   {"--dump-state", "FILE", offsetof(struct request, dump),
    "write the packets as they run, and all registers set so far before each draw and dispatch"},
   {"--changes", NULL, offsetof(struct request, changes),
    "print the words that each submission changes, as the lines that would expect them"},
   {0},
};

const struct command command_replay = {
   .name = "replay",
   .purpose = "a recording, run again on the model",
   .synopsis = {"[OPTION]... FILE"},
   .text = "Runs a recording, of `indium run --record FILE` or written by hand, on the model: without the program "
           "and without a driver. Prints what hash the changed memory has after each submission.\n\n"
           "With the chip and the schedule of the recording, hashes, expected words and faults are compared, and the "
           "status is 1 if something differs. Otherwise they are only printed, and the status is 1 after a fault "
           "that the recording does not have.",
   .options = options,
   .run = run_replay,
};

const struct command command_decode = {
   .name = "decode",
   .purpose = "a recording with packets and shaders in words",
   .synopsis = {"FILE"},
   .text = "Prints a recording that says the same and that people can read and change: packets by name, registers "
           "by field, shaders as assembly. `indium replay` runs that too.\n\n"
           "Of a recording of AGX: every record and program that a submission leads to. "
           "What nobody knows stands behind a #, and the status is 1.",
   .run = run_decode,
};
