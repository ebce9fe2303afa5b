/* indium order: draws whose primitives may be rasterised out of order. */
#include "tools/order.h"

#include "tools/driver_table.h"

static int
run(int argc, char **argv)
{
   struct order_request request = {0};
   int count = parse_options(&command_order, argv, &request);
   if (count < 0)
      return 2;
   if (!request.check == !request.explain)
      return usage_error("order", "say what to do: --check or --explain STATE");
   if (request.explain)
      return count ? usage_error("order", "what is %s for?", argv[0]) : order_explain(request.explain);
   return order_check(&request, (unsigned)count, argv);
}

static const struct option options[] = {
   {"--check", NULL, offsetof(struct order_request, check),
    "run the program, every draw of it in the order of submission, in the reverse and in random ones, and report "
    "which draws depend on the order"},
   {"--replay", "FILE", offsetof(struct order_request, replay),
    "in place of a program a recording (see: indium replay)"},
   {"--gpu", "CHIP", offsetof(struct order_request, gpu),
    "one of indium gpus (AMD); vega10, or the one of the recording"},
   {"--driver", DRIVER_NAMES "|FILE.json", offsetof(struct order_request, driver), "as of indium run; indium"},
   {"--seeds", "N", offsetof(struct order_request, seeds), "how many random orders, at most 1000; 8"},
   {"--schedule", "in-order|round-robin|seed=N|worst", offsetof(struct order_request, schedule),
    "in what order the program itself sees its draws, where the driver lets them change it, and its waves; in-order, "
    "or as recorded"},
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
   .synopsis = {"--check [OPTION]... -- PROGRAM [ARGUMENT]...", "--check --replay FILE [OPTION]...",
                "--explain STATE"},
   .text =
      "--check runs the program on a modelled GPU. Each draw, or batch of draws between which nothing is set, is "
      "first "
      "tried in several orders, as if the driver had let the chip rasterise it out of order, from the same "
      "memory each time. A line for each class of draws says whether the driver let them (the bit was set and "
      "the chip heeds it) or kept them in order, and what differed: targets, counts of samples, what shaders "
      "wrote. Whether a draw that is free in these orders is free in all is not for a run to say.\n\n"
      "What shaders store without ordered sections is told of, and is no fault: no API promises an order there. "
      "The status is 1 if the driver let a draw through that depends on the order (not if a count of samples alone "
      "does: the query may be a boolean one), or that of the program or replay.\n\n"
      "A Vulkan program may ask for relaxed order (VK_AMD_rasterization_order). A layer between it and the driver "
      "marks such draws; let through they are called relaxed, and are no fault. A recording has the marks if it was "
      "made with VK_LAYER_INDIUM_order (docs/drivers/amd/out-of-order.md).\n\n"
      "The keys of a STATE: chip; depth_buffer, stencil_buffer; depth_test, depth_write, depth_compare, "
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
   .runs_program = true,
   .run = run,
};
