/* indium uav: accesses of shaders to memory on Intel's gen7.5 to gen9. */
#include "tools/uav.h"

static int
run(int argc, char **argv)
{
   struct uav_request request = {0};
   int count = parse_options(&command_uav, argv, &request);
   if (count < 0)
      return 2;
   if (count)
      return usage_error("uav", "what is %s for?", argv[0]);
   if (!request.timeline)
      return usage_error("uav", "say what to do: --timeline FILE");
   return uav_timeline(request.timeline);
}

static const struct option options[] = {
   {"--timeline", "FILE.png|FILE.svg", offsetof(struct uav_request, timeline),
    "draw what hangs Broadwell over time, as the model has it: three primitives whose vertex shaders store, the "
    "second "
    "without a vertex of its own; with the bit \"Accesses UAV\", with CS stalls beside it, and without the bit"},
   {0},
};

const struct command command_uav = {
   .name = "uav",
   .purpose = "shaders that write memory on Intel's Haswell to Skylake",
   .synopsis = {"--timeline FILE"},
   .text = "Units of time are made up; what waits for what is not.",
   .options = options,
   .run = run,
};
