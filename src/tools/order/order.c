/* indium order: draws whose primitives may be rasterised out of order. */
#include "tools/order/order.h"

#include "tools/launch/driver_table.h"

static int
order_main(int argc, char **argv)
{
   struct order_request request = {0};
   int count = parse_options(&command_order, argv, &request);
   if (count < 0)
      return 2;
   if (!request.check == !request.explain)
      return usage_error("order", "name an action: --check or --explain STATE");
   if (request.explain)
      return count ? usage_error("order", "unexpected argument %s", argv[0]) : order_explain(request.explain);
   return order_check(&request, (unsigned)count, argv);
}

static const struct option options[] = {
   {"--check", NULL, offsetof(struct order_request, check),
    "run every draw of the program in the order of submission, in the reverse order and in random orders, and "
    "report which draws depend on the order"},
   {"--replay", "FILE", offsetof(struct order_request, replay),
    "run a recording instead of a program (see: indium replay)"},
   {"--gpu", "CHIP", offsetof(struct order_request, gpu),
    "the GPU, one of indium gpus (AMD); default vega10, or the recording's"},
   {"--driver", DRIVER_NAMES "|FILE.json", offsetof(struct order_request, driver),
    "as for indium run; default indium"},
   {"--seeds", "N", offsetof(struct order_request, seeds), "how many random orders, at most 1000; default 8"},
   {"--schedule", "in-order|round-robin|seed=N|worst", offsetof(struct order_request, schedule),
    "the order in which the program itself runs its waves, and its draws where the driver allows it; default "
    "in-order, or as recorded"},
   {"--explain", "FILE|-|KEY=VALUE...", offsetof(struct order_request, explain),
    "say whether radeonsi lets the chip rasterise a draw with this state out of order, and which sentence "
    "decided. The state is KEY=VALUE, one per line or separated by spaces, or a JSON object with the same keys: "
    "a file, - for standard input, or the text itself"},
   {0},
};

const struct command command_order = {
   .name = "order",
   .purpose = "reports draws whose primitives may be rasterised out of order",
   .synopsis = {"--check [OPTION]... -- PROGRAM [ARGUMENT]...", "--check --replay FILE [OPTION]...",
                "--explain STATE"},
   .text =
      "--check runs the program on a modelled GPU. Each draw, or batch of draws with no state change between "
      "them, first runs in several orders, each from the same memory, as if the driver had let the chip "
      "rasterise it out of order. One line for each class of draws says whether the driver let the chip (the bit "
      "was set and the chip has it) or kept the order, and what differed: targets, counts of samples, stores of "
      "shaders. A run cannot prove that a draw which is free in these orders is free in all.\n\n"
      "Stores of shaders without ordered sections are reported but are no fault: no API promises an order there. "
      "The status is 1 if the driver let the chip reorder a draw that depends on the order (unless only a count "
      "of samples does: the query may be boolean); else it is the status of the program or replay.\n\n"
      "A Vulkan program may ask for relaxed order (VK_AMD_rasterization_order). A layer above the driver marks "
      "its draws; reordered, they are reported as relaxed and are no fault. A recording has the marks if it was "
      "made with VK_LAYER_INDIUM_order (docs/drivers/amd/out-of-order.md).\n\n"
      "The keys of a STATE: chip; depth_buffer, stencil_buffer; depth_test, depth_write, depth_compare, "
      "depth_bounds; stencil_test, and front.KEY, back.KEY or stencil.KEY for both: compare, fail, depth_fail, "
      "pass, reference, compare_mask, write_mask; color0.KEY to color7.KEY: format, write_mask (rgba), blend, "
      "op, src, dst, each also with _rgb and _alpha; logic_op; early_tests, stores, discard, exports_mask, "
      "alpha_to_coverage, exports_stencil, reads_targets, interlock (none, ordered, unordered); occlusion (none, "
      "boolean, precise), statistics; relaxed; nooutoforder, assume_no_z_fights, commutative_blend_add. Values "
      "are numbers, yes and no, and Vulkan's names: less_or_equal, VK_BLEND_OP_MAX. By default a feature is off, "
      "a comparison always passes, stencil is kept, a mask is full, and the chip is vega10.\n\n"
      "These keys are accepted, and reported to make no difference: depth_clamp, depth_bias, exports_depth, "
      "sample_shading, samples, shading_rate, multiview, transform_feedback, conservative.",
   .options = options,
   .runs_program = true,
   .run = order_main,
};
