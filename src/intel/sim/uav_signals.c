#include "intel/sim/uav_signals.h"

#include <assert.h>

#include "intel/hw/uav_caps.h"

/* The equation is the internal signal's in the PRM of Broadwell and Skylake; quoted by Mesa's commits, from where it
 * was taken. */
#define PRM "doc: PRM of Broadwell and Skylake, 3DSTATE_WM, as Mesa quotes it"
static const struct {
   const char *text, *grade;
} reasons[INTEL_DISPATCH_REASONS] = {
   [INTEL_DISPATCH_EXPLICIT] = {"3DSTATE_WM.Thread Dispatch Enable", "doc: the mail, of gen7"},
   [INTEL_DISPATCH_FORCED] = {"Force Thread Dispatch is ON", PRM},
   [INTEL_DISPATCH_HAS_UAV] = {"Pixel Shader Has UAV", PRM},
   [INTEL_DISPATCH_KILLS] = {"KillPixel", PRM},
   [INTEL_DISPATCH_RT_INDEPENDENT] = {"rasterisation is independent of targets", PRM},
   [INTEL_DISPATCH_TARGET] = {"a target is writeable and the shader writes it", PRM},
   [INTEL_DISPATCH_DEPTH] = {"the shader computes depth, which is tested or written", PRM},
   [INTEL_DISPATCH_STENCIL] = {"the shader computes stencil, which is tested", PRM},
   [INTEL_DISPATCH_PSEXEC] = {"EDSC is PSEXEC, and depth or stencil is tested or written", PRM},
};

const char *
intel_dispatch_reason_text(enum intel_dispatch_reason reason)
{
   assert(reason < INTEL_DISPATCH_REASONS);
   return reasons[reason].text;
}

const char *
intel_dispatch_reason_grade(enum intel_dispatch_reason reason)
{
   assert(reason < INTEL_DISPATCH_REASONS);
   return reasons[reason].grade;
}

struct intel_depth_stencil
intel_depth_stencil(const struct intel_uav_state *s)
{
   return (struct intel_depth_stencil){
      .depth_test = s->zs.depth_test && s->buffer.depth,
      .depth_write = s->zs.depth_write && s->buffer.depth && s->buffer.depth_write,
      .stencil_test = s->zs.stencil_test && s->buffer.stencil,
      .stencil_write = s->zs.stencil_write && s->buffer.stencil && s->buffer.stencil_write,
   };
}

/* Kills count only where depth or stencil would be written for the pixel, and the tests come after the shader. */
static bool
kill_pixel(const struct intel_uav_state *s)
{
   if (s->wm.force_kill != INTEL_FORCE_NORMAL)
      return s->wm.force_kill == INTEL_FORCE_ON;
   struct intel_depth_stencil zs = intel_depth_stencil(s);
   bool writes = zs.depth_write || zs.stencil_write;
   bool kills =
      s->psx.kills || s->psx.omask || s->blend.alpha_to_coverage || s->blend.alpha_test || s->chroma_key_kill;
   return !s->hz_op && s->wm.edsc != INTEL_EDSC_PREPS && writes && kills;
}

static unsigned
dispatch_reasons(const struct intel_uav_state *s, bool kills)
{
   /* Also during a HiZ operation: erratum forced-dispatch-hiz. */
   if (s->wm.force_dispatch == INTEL_FORCE_ON)
      return 1u << INTEL_DISPATCH_FORCED;
   if (s->wm.force_dispatch == INTEL_FORCE_OFF || s->hz_op || !s->psx.valid)
      return 0;
   struct intel_depth_stencil zs = intel_depth_stencil(s);
   bool depth = zs.depth_test || zs.depth_write;
   return (unsigned)s->accesses_uav[INTEL_PS] << INTEL_DISPATCH_HAS_UAV | (unsigned)kills << INTEL_DISPATCH_KILLS |
          (unsigned)s->rt_independent_raster << INTEL_DISPATCH_RT_INDEPENDENT |
          (unsigned)(!s->psx.no_rt_write && s->blend.has_writeable_rt) << INTEL_DISPATCH_TARGET |
          (unsigned)(s->psx.computed_depth && depth) << INTEL_DISPATCH_DEPTH |
          (unsigned)(s->psx.computed_stencil && zs.stencil_test) << INTEL_DISPATCH_STENCIL |
          (unsigned)(s->wm.edsc == INTEL_EDSC_PSEXEC && (depth || zs.stencil_test)) << INTEL_DISPATCH_PSEXEC;
}

struct intel_uav_signals
intel_uav_signals(const struct intel_uav_state *state)
{
   struct intel_uav_signals signals = {0};
   if (!intel_uav_caps[state->gen].derives_dispatch) {
      signals.dispatch_reasons = (unsigned)state->wm.dispatch_enable << INTEL_DISPATCH_EXPLICIT;
      signals.kill_pixel = state->wm.kills;
      signals.uav_only = state->wm.uav_only;
   } else {
      signals.kill_pixel = kill_pixel(state);
      signals.dispatch_reasons = dispatch_reasons(state, signals.kill_pixel);
      /* Assumed: the manuals name the signal and not its equation. Nothing in the model depends on it. */
      signals.uav_only = signals.dispatch_reasons == 1u << INTEL_DISPATCH_HAS_UAV;
   }
   signals.thread_dispatch = signals.dispatch_reasons != 0;
   return signals;
}
