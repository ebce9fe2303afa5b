/* Which bits of the state a draw gets, of those that decide whether its pixel shader runs and whether its unordered
 * accesses (UAV) are tracked: pure functions. docs/drivers/intel/uav.md tells the story. */
#ifndef INDIUM_INTEL_UAV_RULE_H
#define INDIUM_INTEL_UAV_RULE_H

#include <stdbool.h>

#include "intel/hw/uav_state.h"

/* What shaders and the draw want. Shaders of stages that are not bound have no effects. */
struct intel_uav_input {
   enum intel_gen gen;
   bool side_effects[INTEL_STAGES]; /* image and buffer stores, atomics */
   bool pixel_shader;               /* one is bound; nothing below up to early_tests is said without */
   bool kills, writes_mask;         /* discards; writes the sample mask */
   enum intel_computed_depth computed_depth;
   bool computes_stencil; /* gen9 on */
   bool early_tests;      /* the shader asks for tests before it runs */
   /* The framebuffer and the masks leave the shader a colour to write. */
   bool color_writes;
   bool alpha_to_coverage;
   /* With the buffer there: a test that is on without one is off. */
   bool depth_test, depth_write, stencil_test, stencil_write;
   bool occlusion_query; /* samples that pass are counted */
   bool hz_op_follows;   /* an operation of 3DSTATE_WM_HZ_OP comes before the next draw's state */
};

/* What a driver decides. The rest of the state follows only from the input: intel_uav_state_of(). */
struct intel_uav_bits {
   bool accesses_uav[INTEL_STAGES]; /* PS: 3DSTATE_PS, or PS_EXTRA's Pixel Shader Has UAV */
   bool coherency_required;         /* 3DPRIMITIVE */
   bool dispatch_enable, uav_only;  /* where drivers say both */
   enum intel_force force_dispatch; /* where the hardware derives them */
   bool cs_stall;                   /* PIPE_CONTROL with a CS stall before the primitive */
   bool reset_wm;                   /* 3DSTATE_WM without force before the operation that follows */
};

enum intel_uav_reason {
   INTEL_UAV_NO_SHADER,
   INTEL_UAV_NOTHING_LOST,
   INTEL_UAV_EXPLICIT,
   INTEL_UAV_RUNS_ANYWAY,
   INTEL_UAV_FOR_EFFECTS,
   INTEL_UAV_FOR_COUNTS,
   INTEL_UAV_FORCED_FOR_EFFECTS,
   INTEL_UAV_FORCED_FOR_COUNTS,
   INTEL_UAV_REASONS
};

/* A sentence for each. */
extern const char *const intel_uav_reasons[INTEL_UAV_REASONS];

/* Our rule; reason: what decided about the pixel shader. */
struct intel_uav_bits intel_uav_rule(const struct intel_uav_input *input, enum intel_uav_reason *reason);

/* The state at a primitive of the draw, as the command stream holds it with these bits. */
struct intel_uav_state intel_uav_state_of(const struct intel_uav_input *input, const struct intel_uav_bits *bits);

/* False if no draw can be so: a pixel shader's properties without one, what the generation lacks. */
bool intel_uav_input_valid(const struct intel_uav_input *input);

/* Rules of drivers, for comparison: uav_rules.txt. */
struct intel_uav_text_rule {
   const char *name, *purpose;
   unsigned gens; /* mask of 1 << enum intel_gen */
   struct intel_uav_bits (*bits)(const struct intel_uav_input *input);
};

extern const struct intel_uav_text_rule intel_uav_text_rules[];
extern const unsigned intel_uav_text_rule_count;

/* NULL if there is none of the name for the generation. */
const struct intel_uav_text_rule *intel_uav_text_rule_by_name(const char *name, enum intel_gen gen);

#endif
