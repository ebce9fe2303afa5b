/* indium order: draws whose primitives may be rasterised out of order. */
#include "tools/order.h"

static int
run(int argc, char **argv)
{
   struct order_request request = {0};
   int count = parse_options(&command_order, argv, &request);
   if (count < 0)
      return 2;
   if (!request.explain)
      return usage_error("order", "say what to do: --explain STATE");
   return count ? usage_error("order", "what is %s for?", argv[0]) : order_explain(request.explain);
}

static const struct option options[] = {
   {"--explain", "FILE|-|KEY=VALUE...", offsetof(struct order_request, explain),
    "whether radeonsi lets the chip rasterise a draw with the state out of order, and the sentence that decided. The "
    "state is KEY=VALUE, one a line or between spaces, or a JSON object with the same keys: a file, - for the "
    "standard "
    "input, or the text itself"},
   {0},
};

const struct command command_order = {
   .name = "order",
   .purpose = "draws whose primitives may be rasterised out of order",
   .synopsis = {"--explain STATE"},
   .text =
      "The keys of a state: chip; depth_buffer, stencil_buffer; depth_test, depth_write, depth_compare, "
      "depth_bounds; stencil_test, and front.KEY, back.KEY or stencil.KEY for both: compare, fail, depth_fail, "
      "pass, reference, compare_mask, write_mask; color0.KEY to color7.KEY: format, write_mask (rgba), blend, op, "
      "src, dst, each also with _rgb and _alpha; logic_op; early_tests, stores, discard, exports_mask, "
      "alpha_to_coverage, exports_stencil, reads_targets, interlock (none, ordered, unordered); occlusion (none, "
      "boolean, precise), statistics; relaxed; nooutoforder, assume_no_z_fights, commutative_blend_add. Values "
      "are numbers, yes and no, and Vulkan's names: less_or_equal, VK_BLEND_OP_MAX. What is not said is off, "
      "compares always, keeps stencil, or is written whole; the chip is vega10.\n\n"
      "Keys of state that makes no difference are taken and said to make none: depth_clamp, depth_bias, "
      "exports_depth, sample_shading, samples, shading_rate, multiview, transform_feedback, conservative.",
   .options = options,
   .run = run,
};
