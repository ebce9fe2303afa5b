#include "intel/common/intel_uav_rule.h"

#include "intel/hw/uav_caps.h"

const char *const intel_uav_reasons[INTEL_UAV_REASONS] = {
   [INTEL_UAV_NO_SHADER] = "there is no pixel shader to run",
   [INTEL_UAV_NOTHING_LOST] =
      "nothing is lost where the hardware leaves the pixel shader out: it stores nothing, and "
      "no count depends on it",
   [INTEL_UAV_EXPLICIT] =
      "the driver says in 3DSTATE_WM whether the pixel shader runs, and needs no other bit for it",
   [INTEL_UAV_RUNS_ANYWAY] = "the pixel shader runs for what it does to colour, depth or stencil, and the bit would "
                             "cost a flush for nothing",
   [INTEL_UAV_FOR_EFFECTS] = "the pixel shader stores to memory and writes nothing else, so that only the bit makes "
                             "it run",
   [INTEL_UAV_FOR_COUNTS] =
      "the pixel shader drops samples that a query counts, and writes nothing, so that only the "
      "bit makes it run",
   [INTEL_UAV_FORCED_FOR_EFFECTS] =
      "the pixel shader stores to memory and writes nothing else, and is forced to run, "
      "as the bit has hung this generation",
   [INTEL_UAV_FORCED_FOR_COUNTS] = "the pixel shader drops samples that a query counts, and writes nothing, and is "
                                   "forced to run, as the bit has hung this generation",
};

static bool
drops_samples(const struct intel_uav_input *in)
{
   return in->kills || in->writes_mask || in->alpha_to_coverage;
}

static enum intel_edsc
edsc_of(const struct intel_uav_input *in)
{
   /* Not all that runs has effects: early tests do not make a shader run, PSEXEC does. */
   if (in->early_tests)
      return INTEL_EDSC_PREPS;
   return in->side_effects[INTEL_PS] ? INTEL_EDSC_PSEXEC : INTEL_EDSC_NORMAL;
}

/* Whether the shader does something to the targets: it runs then, without the UAV bit and without force. */
static bool
writes_targets(const struct intel_uav_input *in)
{
   const bool writes = in->depth_write || in->stencil_write, late = !in->early_tests;
   return in->color_writes || (late && writes && drops_samples(in)) ||
          (in->computed_depth != INTEL_DEPTH_OFF && (in->depth_test || in->depth_write)) ||
          (in->computes_stencil && in->stencil_test);
}

/* Stores are tested early though they run for everything that passes: the control that says so makes them run. */
static bool
runs_anyway(const struct intel_uav_input *in)
{
   const bool tests = in->depth_test || in->depth_write || in->stencil_test;
   return writes_targets(in) || (edsc_of(in) == INTEL_EDSC_PSEXEC && tests);
}

/* Early tests count before the shader can drop anything. */
static bool
changes_counts(const struct intel_uav_input *in)
{
   return in->occlusion_query && drops_samples(in) && !in->early_tests;
}

/* Where 3DSTATE_WM says both: a shader runs if it does anything, and is one of only UAV if it does nothing else. */
static enum intel_uav_reason
decide_explicit(const struct intel_uav_input *in, struct intel_uav_bits *bits)
{
   const bool effects = in->side_effects[INTEL_PS];
   bits->dispatch_enable = effects || writes_targets(in) || changes_counts(in);
   bits->uav_only = effects && !writes_targets(in);
   return bits->dispatch_enable ? INTEL_UAV_EXPLICIT : INTEL_UAV_NOTHING_LOST;
}

/* "None of this is required by the usual image, atomic counter and SSBO APIs, which have very relaxed cross-primitive
 * coherency and ordering requirements": no draw requires coherency.
 *
 * "Ordering with respect to shader invocations from previous stages on the same primitive where there is a data
 * dependency is already guaranteed regardless of this mechanism": nor do later stages of a primitive need it.
 *
 * "Most of the bits don't seem to have any side effects other than the implicit DC flushes and the related
 * book-keeping in anticipation for a subsequent primitive with UAV Coherency Required": as none comes, VS, HS, DS and
 * GS never have the bit, "though the documentation says must". "The hardware coherency mechanism is buggy and will
 * hang on Gen8 when VS is the only stage": cannot happen without the bit there. "The proposed workaround is to insert
 * CS STALLs": nothing to work around.
 *
 * "On Gen8+ the PS_EXTRA UAV access bit influences the calculation of the PS UAV-only and ThreadDispatchEnable
 * signals which on previous generations were set explicitly by the driver, so we cannot always avoid enabling it":
 * on gen7.5 PS does not have the bit either; later it does where the shader would not run otherwise.
 *
 * "If we know that HAS_WRITEABLE_RT is going to be set and NO_RT_WRITE is not, it shouldn't make any difference, so
 * we may just disable it": and so where anything else makes it run. The input has framebuffer and colour masks,
 * depth and stencil state and queries in it: who caches the decision asks again when any of these changes.
 *
 * What came later. Shaders that discard must run, too, where samples that pass are counted: nothing in the equations
 * says so without depth or stencil writes. Gen8 with the bit in PS has hung, cause unknown, though its documentation
 * wants Force Thread Dispatch normal: of the two the one that works. Force runs the shader even in operations of
 * 3DSTATE_WM_HZ_OP, which then hang gen9: an unforced 3DSTATE_WM goes before. It also rules out the PMA fix of depth
 * tests, so that nothing is forced without need. */
static enum intel_uav_reason
decide_derived(const struct intel_uav_input *in, struct intel_uav_bits *bits)
{
   const bool effects = in->side_effects[INTEL_PS];
   if (!effects && !changes_counts(in))
      return INTEL_UAV_NOTHING_LOST;
   if (runs_anyway(in))
      return INTEL_UAV_RUNS_ANYWAY;
   if (intel_uav_caps[in->gen].ps_uav_hangs) {
      bits->force_dispatch = INTEL_FORCE_ON;
      bits->reset_wm = in->hz_op_follows;
      return effects ? INTEL_UAV_FORCED_FOR_EFFECTS : INTEL_UAV_FORCED_FOR_COUNTS;
   }
   bits->accesses_uav[INTEL_PS] = true;
   return effects ? INTEL_UAV_FOR_EFFECTS : INTEL_UAV_FOR_COUNTS;
}

struct intel_uav_bits
intel_uav_rule(const struct intel_uav_input *in, enum intel_uav_reason *reason)
{
   struct intel_uav_bits bits = {.force_dispatch = INTEL_FORCE_NORMAL};
   if (!in->pixel_shader)
      *reason = INTEL_UAV_NO_SHADER;
   else if (intel_uav_caps[in->gen].derives_dispatch)
      *reason = decide_derived(in, &bits);
   else
      *reason = decide_explicit(in, &bits);
   return bits;
}

bool
intel_uav_input_valid(const struct intel_uav_input *in)
{
   const bool of_shader = in->side_effects[INTEL_PS] || in->kills || in->writes_mask || in->computes_stencil ||
                          in->early_tests || in->color_writes || in->computed_depth != INTEL_DEPTH_OFF;
   if (!in->pixel_shader && of_shader)
      return false;
   /* Tests before the shader make what it computes of depth and stencil moot: APIs drop it. */
   if (in->early_tests && (in->computed_depth != INTEL_DEPTH_OFF || in->computes_stencil))
      return false;
   return intel_uav_caps[in->gen].computes_stencil || !in->computes_stencil;
}

struct intel_uav_state
intel_uav_state_of(const struct intel_uav_input *in, const struct intel_uav_bits *bits)
{
   const bool derives = intel_uav_caps[in->gen].derives_dispatch;
   struct intel_uav_state state = {
      .gen = in->gen,
      .coherency_required = bits->coherency_required,
      .wm = {.statistics = true, .edsc = edsc_of(in)},
      .blend = {.has_writeable_rt = in->color_writes, .alpha_to_coverage = in->alpha_to_coverage},
      .zs = {in->depth_test, in->depth_write, in->stencil_test, in->stencil_write},
      .buffer = {in->depth_test || in->depth_write, in->depth_write, in->stencil_test || in->stencil_write,
                 in->stencil_write},
   };
   for (unsigned i = 0; i < INTEL_STAGES; i++) {
      state.enabled[i] = i == INTEL_VS || in->side_effects[i];
      state.accesses_uav[i] = bits->accesses_uav[i];
   }
   /* Domain shaders come with hull shaders. */
   state.enabled[INTEL_HS] = state.enabled[INTEL_DS] = state.enabled[INTEL_HS] || state.enabled[INTEL_DS];
   state.enabled[INTEL_PS] = in->pixel_shader;
   if (derives) {
      state.wm.force_dispatch = bits->force_dispatch;
      state.psx.valid = in->pixel_shader;
      state.psx.no_rt_write = !in->color_writes;
      state.psx.kills = in->kills;
      state.psx.omask = in->writes_mask;
      state.psx.computed_depth = in->computed_depth;
      state.psx.computed_stencil = in->computes_stencil;
   } else {
      state.wm.dispatch_enable = bits->dispatch_enable;
      state.wm.uav_only = bits->uav_only;
      state.wm.kills = in->kills || in->alpha_to_coverage;
      state.wm.omask = in->writes_mask;
      state.wm.computed_depth = in->computed_depth;
   }
   return state;
}
