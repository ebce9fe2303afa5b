/* indium replay, indium decode: the model's part of them is a program of its own for each vendor, which refuses the
 * recordings of others. Those of AGX are printed by a third, without a model. */
#include <stdio.h>
#include <string.h>

#include "tools/indium.h"
#include "tools/launch/parts.h"

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
   {"--gpu", "CHIP", offsetof(struct request, gpu), "the GPU, one of indium gpus; default the recording's"},
   {"--schedule", "in-order|round-robin|seed=N|worst", offsetof(struct request, schedule),
    "which waves run next (see: indium run); default as recorded"},
   {"--budget", "N", offsetof(struct request, budget),
    "instructions after which a wave counts as endless (see: indium run); default 134217728"},
   {"--races", NULL, offsetof(struct request, races),
    "report on stderr accesses of overlapping pixel shader invocations that no ordered section orders, and LDS "
    "accesses of a group's waves that no barrier orders"},
   {"--trace", "FILE.json", offsetof(struct request, trace), "write a timeline of all waves (see: indium trace)"},
   {"--dump-state", "FILE", offsetof(struct request, dump),
    "write the packets as they run, and before each draw and dispatch all registers set so far"},
   {"--changes", NULL, offsetof(struct request, changes),
    "print the words that each submission changes, as lines of a recording that expect them"},
   {0},
};

const struct command command_replay = {
   .name = "replay",
   .purpose = "runs a recording again on the model",
   .synopsis = {"[OPTION]... FILE"},
   .text = "Runs a recording, made by `indium run --record FILE` or written by hand, on the model, without the "
           "program and without a driver. Prints a hash of the changed memory after each submission.\n\n"
           "With the chip and the schedule of the recording, hashes, expected words and faults are compared; the "
           "status is 1 if something differs. With others they are only printed; the status is 1 after a fault "
           "that the recording does not have.",
   .options = options,
   .run = run_replay,
};

const struct command command_decode = {
   .name = "decode",
   .purpose = "prints a recording with packets and shaders in words",
   .synopsis = {"FILE"},
   .text = "Prints an equivalent recording that people can read and edit: packets by name, registers by field, "
           "shaders as assembly. `indium replay` runs it, too.\n\n"
           "For a recording of AGX, prints every record and program that a submission reaches. Unknown words "
           "follow a #, and the status is 1.",
   .run = run_decode,
};
