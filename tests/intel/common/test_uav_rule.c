/* Our rule against what the mail says, in cases written by hand; what other drivers' rules say of the same draws. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "intel/common/intel_uav_rule.h"

/* A draw that only stores, then what changes about it. */
#define STORES .pixel_shader = true, .side_effects = {[INTEL_PS] = true}
#define COUNTED .pixel_shader = true, .kills = true, .occlusion_query = true

static const struct {
   struct intel_uav_input input;
   bool has_uav, forced, reset_wm, dispatch, uav_only;
   enum intel_uav_reason reason;
} cases[] = {
   /* The hardware says: the mail's bit, only without writeable targets. */
   {{INTEL_GEN9, STORES}, true, .reason = INTEL_UAV_FOR_EFFECTS},
   {{INTEL_GEN9, STORES, .color_writes = true}, false, .reason = INTEL_UAV_RUNS_ANYWAY},
   {{INTEL_GEN9, STORES, .depth_test = true}, false, .reason = INTEL_UAV_RUNS_ANYWAY},
   {{INTEL_GEN9, STORES, .depth_test = true, .early_tests = true}, true, .reason = INTEL_UAV_FOR_EFFECTS},
   {{INTEL_GEN9, STORES, .depth_write = true, .depth_test = true, .early_tests = true, .kills = true},
    true,
    .reason = INTEL_UAV_FOR_EFFECTS},
   {{INTEL_GEN9, .pixel_shader = true}, false, .reason = INTEL_UAV_NOTHING_LOST},
   {{INTEL_GEN9, .side_effects = {[INTEL_VS] = true}}, false, .reason = INTEL_UAV_NO_SHADER},
   /* Discards, where they are counted and nothing else is written. */
   {{INTEL_GEN9, COUNTED}, true, .reason = INTEL_UAV_FOR_COUNTS},
   {{INTEL_GEN9, COUNTED, .depth_test = true}, true, .reason = INTEL_UAV_FOR_COUNTS},
   {{INTEL_GEN9, COUNTED, .depth_test = true, .depth_write = true}, false, .reason = INTEL_UAV_RUNS_ANYWAY},
   {{INTEL_GEN9, COUNTED, .early_tests = true}, false, .reason = INTEL_UAV_NOTHING_LOST},
   {{INTEL_GEN9, .pixel_shader = true, .kills = true}, false, .reason = INTEL_UAV_NOTHING_LOST},
   /* Where the bit has hung, force instead, taken back before operations on depth. */
   {{INTEL_GEN8, STORES}, false, true, .reason = INTEL_UAV_FORCED_FOR_EFFECTS},
   {{INTEL_GEN8, STORES, .hz_op_follows = true}, false, true, true, .reason = INTEL_UAV_FORCED_FOR_EFFECTS},
   {{INTEL_GEN8, STORES, .color_writes = true, .hz_op_follows = true}, false, .reason = INTEL_UAV_RUNS_ANYWAY},
   {{INTEL_GEN8, COUNTED}, false, true, .reason = INTEL_UAV_FORCED_FOR_COUNTS},
   /* The driver says. */
   {{INTEL_GEN7_5, STORES}, false, false, false, true, true, INTEL_UAV_EXPLICIT},
   {{INTEL_GEN7_5, STORES, .color_writes = true}, false, false, false, true, false, INTEL_UAV_EXPLICIT},
   {{INTEL_GEN7_5, STORES, .computed_depth = INTEL_DEPTH_ON, .depth_write = true},
    false,
    false,
    false,
    true,
    false,
    INTEL_UAV_EXPLICIT},
   {{INTEL_GEN7_5, COUNTED}, false, false, false, true, false, INTEL_UAV_EXPLICIT},
   {{INTEL_GEN7_5, .pixel_shader = true}, false, .reason = INTEL_UAV_NOTHING_LOST},
};

static void
test_cases(void)
{
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      enum intel_uav_reason reason;
      assert(intel_uav_input_valid(&cases[i].input));
      const struct intel_uav_bits bits = intel_uav_rule(&cases[i].input, &reason);
      if (reason != cases[i].reason || bits.accesses_uav[INTEL_PS] != cases[i].has_uav ||
          (bits.force_dispatch == INTEL_FORCE_ON) != cases[i].forced || bits.reset_wm != cases[i].reset_wm ||
          bits.dispatch_enable != cases[i].dispatch || bits.uav_only != cases[i].uav_only) {
         fprintf(stderr, "case %u: %s\n", i, intel_uav_reasons[reason]);
         assert(!"a decision that the mail does not take");
      }
   }
}

/* VS, HS, DS and GS never have the bit, and nothing requires coherency or stalls, whatever the draw. */
static void
test_never(void)
{
   for (unsigned n = 0; n < 3u << 18; n++) {
      const unsigned b = n / 3;
      struct intel_uav_input in = {
         .gen = n % 3,
         .pixel_shader = b & 1,
         .kills = b >> 1 & 1,
         .writes_mask = b >> 2 & 1,
         .early_tests = b >> 3 & 1,
         .color_writes = b >> 4 & 1,
         .alpha_to_coverage = b >> 5 & 1,
         .depth_test = b >> 6 & 1,
         .depth_write = b >> 7 & 1,
         .stencil_test = b >> 8 & 1,
         .stencil_write = b >> 9 & 1,
         .occlusion_query = b >> 10 & 1,
         .hz_op_follows = b >> 11 & 1,
         .computed_depth = b >> 12 & 1,
      };
      for (unsigned i = 0; i < INTEL_STAGES; i++)
         in.side_effects[i] = b >> (13 + i) & 1;
      enum intel_uav_reason reason = INTEL_UAV_REASONS;
      const struct intel_uav_bits bits = intel_uav_rule(&in, &reason);
      assert(reason < INTEL_UAV_REASONS && intel_uav_reasons[reason]);
      assert(!bits.coherency_required && !bits.cs_stall);
      for (unsigned i = INTEL_VS; i < INTEL_PS; i++)
         assert(!bits.accesses_uav[i]);
      assert(!(bits.accesses_uav[INTEL_PS] && (in.color_writes || !in.pixel_shader)));
   }
}

static struct intel_uav_bits
by(const char *name, const struct intel_uav_input *input)
{
   const struct intel_uav_text_rule *rule = intel_uav_text_rule_by_name(name, input->gen);
   assert(rule);
   return rule->bits(input);
}

static void
test_text_rules(void)
{
   const struct intel_uav_input vs = {INTEL_GEN8, .side_effects = {[INTEL_VS] = true}};
   const struct intel_uav_input both = {INTEL_GEN8, STORES, .color_writes = true, .hz_op_follows = true};
   const struct intel_uav_input haswell = {INTEL_GEN7_5, STORES};
   assert(by("i965-2015", &vs).accesses_uav[INTEL_VS] && !by("i965-2015", &vs).cs_stall);
   assert(by("cs-stall", &vs).accesses_uav[INTEL_VS] && by("cs-stall", &vs).cs_stall);
   assert(!by("mail", &vs).accesses_uav[INTEL_VS]);
   assert(by("i965-2015", &both).accesses_uav[INTEL_PS] && !by("mail", &both).accesses_uav[INTEL_PS]);
   assert(by("iris", &both).force_dispatch == INTEL_FORCE_ON && by("iris", &both).reset_wm);
   assert(by("anv-2018", &both).force_dispatch == INTEL_FORCE_ON && !by("anv-2018", &both).reset_wm);
   assert(by("mail", &haswell).uav_only && by("mail", &haswell).dispatch_enable);
   assert(!by("mail", &haswell).accesses_uav[INTEL_PS] && by("i965-2015", &haswell).accesses_uav[INTEL_PS]);
   assert(!intel_uav_text_rule_by_name("hasvk", INTEL_GEN9) && !intel_uav_text_rule_by_name("mesa", INTEL_GEN9));
}

int
main(void)
{
   test_cases();
   test_never();
   test_text_rules();
   return 0;
}
