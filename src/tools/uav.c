/* indium uav: accesses of shaders to memory on Intel's gen7.5 to gen9. */
#include "tools/uav.h"

static int
run(int argc, char **argv)
{
   struct uav_request request = {0};
   int count = parse_options(&command_uav, argv, &request);
   if (count < 0)
      return 2;
   if (count > 1 || (count && (request.timeline || request.explain)))
      return usage_error("uav", "what is %s for?", argv[count - 1]);
   if (count)
      return uav_check(argv[0], request.all);
   if (!request.timeline == !request.explain)
      return usage_error("uav", "say what to do: FILE, --explain STATE or --timeline FILE");
   if (request.explain)
      return uav_explain(request.explain);
   return uav_timeline(request.timeline);
}

static const struct option options[] = {
   {"--explain", "FILE|-|KEY=VALUE...", offsetof(struct uav_request, explain),
    "which stages of a draw are said to access UAVs and whether its pixel shader is forced to run, the sentence that "
    "decided, and what other drivers say. The state is KEY=VALUE, one a line or between spaces, or a JSON object "
    "with "
    "the same keys: a file, - for the standard input, or the text itself"},
   {"--all", NULL, offsetof(struct uav_request, all),
    "of FILE, a line for each draw: stages, which of them write memory, "
    "and why the pixel shader runs"},
   {"--timeline", "FILE.png|FILE.svg", offsetof(struct uav_request, timeline),
    "draw what hangs Broadwell over time, as the model has it: three primitives whose vertex shaders store, the "
    "second "
    "without a vertex of its own; with the bit \"Accesses UAV\", with CS stalls beside it, and without the bit"},
   {0},
};

const struct command command_uav = {
   .name = "uav",
   .purpose = "shaders that write memory on Intel's Haswell to Skylake",
   .synopsis = {"FILE [--all]", "--explain STATE", "--timeline FILE"},
   .text =
      "Reads the packets that a driver has submitted (indium run --gpu hsw|bdw|skl --dump-state FILE) and names each "
      "draw that loses a side effect, flushes without need or can hang; the exit status is 1 if one loses or can "
      "hang.\n\n"
      "The keys of a STATE: gpu (skl); vs.stores, hs.stores, ds.stores, gs.stores, ps.stores; pixel_shader (yes), "
      "discard, exports_mask, exports_stencil, exports_depth (no, any, greater, less), early_tests; color_writes "
      "(framebuffer, masks and shader together), alpha_to_coverage, depth_test, depth_write, stencil_test, "
      "stencil_write; occlusion; hiz_follows (an operation on depth comes before the next draw's state). Values "
      "are yes and no; what is not said is off.\n\n"
      "Units of time of --timeline are made up; what waits for what is not.",
   .options = options,
   .run = run,
};
