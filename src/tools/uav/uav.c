/* indium uav: accesses of shaders to memory on Intel's gen7.5 to gen9. */
#include "tools/uav/uav.h"

static int
uav_main(int argc, char **argv)
{
   struct uav_request request = {0};
   int count = parse_options(&command_uav, argv, &request);
   if (count < 0)
      return 2;
   if (count > 1 || (count && (request.timeline || request.explain)))
      return usage_error("uav", "unexpected argument %s", argv[count - 1]);
   if (count)
      return uav_check(argv[0], request.all);
   if (!request.timeline == !request.explain)
      return usage_error("uav", "name an action: FILE, --explain STATE or --timeline FILE");
   if (request.explain)
      return uav_explain(request.explain);
   return uav_timeline(request.timeline);
}

static const struct option options[] = {
   {"--explain", "FILE|-|KEY=VALUE...", offsetof(struct uav_request, explain),
    "say which stages of a draw are programmed as accessing UAVs and whether its pixel shader is forced to run, "
    "which sentence decided, and what other drivers do. The state is KEY=VALUE, one per line or separated by "
    "spaces, or a JSON object with the same keys: a file, - for standard input, or the text itself"},
   {"--all", NULL, offsetof(struct uav_request, all),
    "print a line for each draw of FILE: its stages, which of them write memory, and why the pixel shader runs"},
   {"--timeline", "FILE.png|FILE.svg", offsetof(struct uav_request, timeline),
    "draw the hang of Broadwell over time, as modelled: three primitives whose vertex shaders store, the second "
    "without a new vertex; with the bit \"Accesses UAV\", with that bit and CS stalls, and without the bit"},
   {0},
};

const struct command command_uav = {
   .name = "uav",
   .purpose = "checks shaders that write memory on Intel's Haswell to Skylake",
   .synopsis = {"FILE [--all]", "--explain STATE", "--timeline FILE"},
   .text =
      "Reads the packets that a driver has submitted (indium run --gpu hsw|bdw|skl --dump-state FILE) and names "
      "each draw that loses a side effect, flushes without need or can hang; the status is 1 if one loses a side "
      "effect or can hang.\n\n"
      "The keys of a STATE: gpu (skl); vs.stores, hs.stores, ds.stores, gs.stores, ps.stores; pixel_shader "
      "(yes), discard, exports_mask, exports_stencil, exports_depth (no, any, greater, less), early_tests; "
      "color_writes (framebuffer, masks and shader together), alpha_to_coverage, depth_test, depth_write, "
      "stencil_test, stencil_write; occlusion; hiz_follows (an operation on depth comes before the next draw's "
      "state). Values are yes and no; the default is no.\n\n"
      "The time units of --timeline are made up; the dependences are not.",
   .options = options,
   .run = uav_main,
};
