/* indium wave: what runs on the model is a program of its own. */
#include "tools/indium.h"
#include "tools/launch/parts.h"

enum {
   MAX_FILES = 1000,
};

struct request {
   const char *gpu, *schedule;
};

static int
wave_main(int argc, char **argv)
{
   struct request request = {0};
   int count = parse_options(&command_wave, argv, &request);
   const char *arguments[MAX_FILES + 6] = {NULL};
   if (count < 0)
      return 2;
   if (!count || count > MAX_FILES)
      return usage_error("wave", "name a file, or up to %d", MAX_FILES);
   unsigned used = append_options(&command_wave, &request, arguments, 1);
   for (int i = 0; i < count; i++)
      arguments[used++] = argv[i];
   return exec_part(&command_wave, PART_AMDGPU_WAVE, arguments);
}

static const struct option options[] = {
   {"--gpu", "CHIP", offsetof(struct request, gpu), "the GPU, one of indium gpus; default the file's"},
   {"--schedule", "in-order|round-robin|seed=N|worst", offsetof(struct request, schedule),
    "which waves run next (see: indium run); default as the file says"},
   {0},
};

const struct command command_wave = {
   .name = "wave",
   .purpose = "runs single waves on the model: registers, memory and code as text",
   .synopsis = {"[OPTION]... FILE.wave..."},
   .text = "Starts waves with the registers and the memory that a file gives, runs its assembly on the model "
           "(docs/waves.md), and prints the results that the file names and compares them with its expectations: "
           "registers, memory, LDS, a fault. The status is 1 if a result differs.",
   .options = options,
   .run = wave_main,
};
