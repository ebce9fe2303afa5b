/* The windower's signals, against rows written by hand: each says what the documents say of one state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "intel/sim/uav_signals.h"
#include "util/macros.h"

/* Signals of a row, as letters. */
#define RUNS 1
#define KILLS 2
#define ONLY 4

struct row {
   const char *what;
   struct intel_uav_state state; /* gen8 and gen9: both derive the same */
   unsigned signals;
};

#define SHADER .psx.valid = true
#define UAV .accesses_uav[INTEL_PS] = true
#define KILLER .psx.valid = true, .psx.kills = true

/* Rows say what is tested and written; buffers are there (check()) but for these rows. */
static const struct row unbound[] = {
   {"discard, depth written, no buffer", {KILLER, .zs.depth_write = true}, 0},
   {"the same, none that is to be written", {KILLER, .zs.depth_write = true, .buffer.depth_write = true}, 0},
   {"the same, a buffer that is not written", {KILLER, .zs.depth_write = true, .buffer.depth = true}, 0},
   {"the same, and it is",
    {KILLER, .zs.depth_write = true, .buffer = {.depth = true, .depth_write = true}},
    RUNS | KILLS},
   {"computed depth, tested, no buffer", {.psx = {.valid = true, .computed_depth = 1}, .zs.depth_test = true}, 0},
   {"PSEXEC, stencil tested, a depth buffer",
    {SHADER, .wm.edsc = INTEL_EDSC_PSEXEC, .zs.stencil_test = true, .buffer.depth = true},
    0},
};

static const struct row derived[] = {
   {"no shader", {.blend.has_writeable_rt = true}, 0},
   {"a shader without any output", {SHADER}, 0},
   {"a target that is writeable", {SHADER, .blend.has_writeable_rt = true}, RUNS},
   {"the same, and the shader does not write it",
    {.psx = {.valid = true, .no_rt_write = true}, .blend.has_writeable_rt = true},
    0},
   /* "Gen8 hardware tries to compute ThreadDispatchEnable for us but doesn't take into account KillPixels when no
    * depth or stencil writes are enabled": Mesa, 2016. */
   {"discard without targets and depth writes", {KILLER}, 0},
   {"discard, depth tested", {KILLER, .zs.depth_test = true}, 0},
   {"discard, stencil tested", {KILLER, .zs.stencil_test = true}, 0},
   {"discard, depth written", {KILLER, .zs = {.depth_test = true, .depth_write = true}}, RUNS | KILLS},
   {"discard, stencil written", {KILLER, .zs = {.stencil_test = true, .stencil_write = true}}, RUNS | KILLS},
   {"discard after early tests", {KILLER, .zs.depth_write = true, .wm.edsc = INTEL_EDSC_PREPS}, 0},
   {"sample mask, depth written", {.psx = {.valid = true, .omask = true}, .zs.depth_write = true}, RUNS | KILLS},
   {"alpha to coverage, depth written",
    {SHADER, .blend.alpha_to_coverage = true, .zs.depth_write = true},
    RUNS | KILLS},
   {"alpha test, depth written", {SHADER, .blend.alpha_test = true, .zs.depth_write = true}, RUNS | KILLS},
   {"chroma key, depth written", {SHADER, .chroma_key_kill = true, .zs.depth_write = true}, RUNS | KILLS},
   {"depth written without a kill", {SHADER, .zs = {.depth_test = true, .depth_write = true}}, 0},
   {"kills are said to be on", {SHADER, .wm.force_kill = INTEL_FORCE_ON}, RUNS | KILLS},
   {"kills are said to be off", {KILLER, .zs.depth_write = true, .wm.force_kill = INTEL_FORCE_OFF}, 0},
   {"computed depth, nothing tested", {.psx = {.valid = true, .computed_depth = 1}}, 0},
   {"computed depth, tested", {.psx = {.valid = true, .computed_depth = 1}, .zs.depth_test = true}, RUNS},
   {"computed depth, written", {.psx = {.valid = true, .computed_depth = 2}, .zs.depth_write = true}, RUNS},
   {"computed stencil, nothing tested", {.psx = {.valid = true, .computed_stencil = true}}, 0},
   {"computed stencil, depth tested", {.psx = {.valid = true, .computed_stencil = true}, .zs.depth_test = true}, 0},
   {"computed stencil, tested", {.psx = {.valid = true, .computed_stencil = true}, .zs.stencil_test = true}, RUNS},
   {"PSEXEC, nothing tested", {SHADER, .wm.edsc = INTEL_EDSC_PSEXEC}, 0},
   {"PSEXEC, depth tested", {SHADER, .wm.edsc = INTEL_EDSC_PSEXEC, .zs.depth_test = true}, RUNS},
   {"PSEXEC, stencil tested", {SHADER, .wm.edsc = INTEL_EDSC_PSEXEC, .zs.stencil_test = true}, RUNS},
   {"PREPS, depth tested", {SHADER, .wm.edsc = INTEL_EDSC_PREPS, .zs.depth_test = true}, 0},
   {"has a UAV", {SHADER, UAV}, RUNS | ONLY},
   {"has a UAV, and a target to write", {SHADER, UAV, .blend.has_writeable_rt = true}, RUNS},
   {"has a UAV, and a target that it does not write",
    {.psx = {.valid = true, .no_rt_write = true}, UAV, .blend.has_writeable_rt = true},
    RUNS | ONLY},
   {"has a UAV, and kills where depth is written", {KILLER, UAV, .zs.depth_write = true}, RUNS | KILLS},
   {"has a UAV, and no shader is valid", {UAV}, 0},
   {"rasterised independently of targets", {SHADER, .rt_independent_raster = true}, RUNS},
   {"forced on", {SHADER, .wm.force_dispatch = INTEL_FORCE_ON}, RUNS},
   {"forced off", {SHADER, UAV, .blend.has_writeable_rt = true, .wm.force_dispatch = INTEL_FORCE_OFF}, 0},
   {"forced off, kills", {KILLER, .zs.depth_write = true, .wm.force_dispatch = INTEL_FORCE_OFF}, KILLS},
   {"HiZ operation", {SHADER, UAV, .blend.has_writeable_rt = true, .hz_op = true}, 0},
   {"HiZ operation, kills", {KILLER, .zs.depth_write = true, .hz_op = true}, 0},
   /* "even with HZ_OP active": what hung Skylake. */
   {"HiZ operation, forced on", {SHADER, .wm.force_dispatch = INTEL_FORCE_ON, .hz_op = true}, RUNS},
   /* Bits of Haswell's 3DSTATE_WM that later chips do not have. */
   {"3DSTATE_WM of Haswell", {SHADER, .wm = {.dispatch_enable = true, .uav_only = true, .kills = true}}, 0},
   {"UAV bits of other stages", {SHADER, .accesses_uav = {true, true, true, true, false}}, 0},
};

/* "signals which on previous generations were set explicitly by the driver" (mail). */
static const struct row told[] = {
   {"nothing", {0}, 0},
   {"a target, and it is not enabled", {SHADER, .blend.has_writeable_rt = true}, 0},
   {"has a UAV, and it is not enabled", {SHADER, UAV}, 0},
   {"enabled", {.wm.dispatch_enable = true}, RUNS},
   {"enabled, kills", {.wm = {.dispatch_enable = true, .kills = true}}, RUNS | KILLS},
   {"enabled, UAV only", {UAV, .wm = {.dispatch_enable = true, .uav_only = true}}, RUNS | ONLY},
   {"UAV only, and it is not enabled", {UAV, .wm.uav_only = true}, ONLY},
   {"what Broadwell would force", {SHADER, .wm.force_dispatch = INTEL_FORCE_ON}, 0},
};

static void
check(const struct row *row, enum intel_gen gen, bool bound)
{
   struct intel_uav_state state = row->state;
   state.gen = gen;
   if (bound)
      state.buffer.depth = state.buffer.depth_write = state.buffer.stencil = state.buffer.stencil_write = true;
   struct intel_uav_signals s = intel_uav_signals(&state);
   unsigned signals = (s.thread_dispatch ? RUNS : 0) | (s.kill_pixel ? KILLS : 0) | (s.uav_only ? ONLY : 0);
   if (signals != row->signals || s.thread_dispatch != (s.dispatch_reasons != 0))
      fail_msg("%s: signals %u in place of %u", row->what, signals, row->signals);
}

static void
test_derived(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(derived); i++) {
      check(&derived[i], INTEL_GEN8, true);
      check(&derived[i], INTEL_GEN9, true);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(unbound); i++)
      check(&unbound[i], INTEL_GEN9, false);
}

static void
test_told(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(told); i++)
      check(&told[i], INTEL_GEN7_5, true);
}

static void
test_graded(void **state)
{
   for (enum intel_dispatch_reason reason = 0; reason < INTEL_DISPATCH_REASONS; reason++) {
      assert_non_null(intel_dispatch_reason_text(reason));
      const char *grade = intel_dispatch_reason_grade(reason);
      assert_true(grade && (grade[0] == 'd' || grade[0] == 'o' || grade[0] == 'a'));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_derived),
      cmocka_unit_test(test_told),
      cmocka_unit_test(test_graded),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
