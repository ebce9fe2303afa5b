/* Control flow: the same functions compiled by gcc and run on the device, as glslang writes them and after spirv-opt;
 * with values that differ between lanes, that a workgroup shares, and that are specialization constants. */

#include "vkt_dispatch.h"

#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wempty-body"
#include "../compiler/spirv/shaders/control_flow.inl"
#include "shaders/control.inl"

static const uint32_t plain[] = {
#include "control_plain.inc"
};
static const uint32_t with_phis[] = {
#include "control_ssa.inc"
};
static const uint32_t optimized[] = {
#include "control_opt.inc"
};

static const struct {
   const char *name;
   int (*function)(int x);
} rows[] = {{"early returns", early_returns},
            {"return in a loop", return_in_loop},
            {"switch with fallthrough", switch_fall},
            {"switch in a loop", switch_in_loop},
            {"nested breaks", nested_breaks},
            {"do while", do_while},
            {"calls", calls},
            {"short circuit", short_circuit},
            {"nested switch", nested_switch},
            {"values of a loop", loop_values},
            {"empty arms", empty_arms},
            {"many phis", many_phis},
            {"three loops", three_loops},
            {"sparse switch", sparse_switch},
            {"walk", wave_walk},
            {"unreached", unreached},
            {"masks", masks}};
enum { ROWS = sizeof(rows) / sizeof(*rows), COLUMNS = ROWS + 1 };

enum mode { DIVERGENT, UNIFORM, CONSTANT };

static void
run_control(struct vkx *vkx, const char *name, struct vkt_code code, enum mode mode, uint32_t value, uint32_t size)
{
   const uint32_t groups = mode == UNIFORM ? 64 : 3, constants[3] = {mode, value, size};
   struct vkx_buffer buffer = vkt_buffer_create(vkx, (VkDeviceSize)groups * size * COLUMNS * 4, 0);
   vkt_dispatch(vkx, &(struct vkt_dispatch){code, 1, &buffer, 3, constants, .groups = groups});
   const int32_t *results = buffer.map;
   for (unsigned row = 0; row <= ROWS; row++) {
      unsigned wrong = 0;
      for (uint32_t i = 0; i < groups * size; i++) {
         const int x = (int)(mode == DIVERGENT ? i % 64 : mode == UNIFORM ? i / size : value);
         const int want = row < ROWS ? rows[row].function(x) : x == 13 ? 0 : 12345;
         wrong += results[i * COLUMNS + row] != want;
      }
      vkt_expect(!wrong, "%s, %s, mode %d, value %u, groups of %u: %u of %u wrong",
                 row < ROWS ? rows[row].name : "the end", name, mode, value, size, wrong, groups * size);
   }
   vkx_buffer_destroy(vkx, &buffer);
}

int
main(void)
{
   const struct {
      const char *name;
      struct vkt_code code;
   } forms[] = {{"plain", VKT_CODE(plain)}, {"with phis", VKT_CODE(with_phis)}, {"optimized", VKT_CODE(optimized)}};
   struct vkx vkx = vkt_create("control");
   for (unsigned i = 0; i < 3; i++) {
      run_control(&vkx, forms[i].name, forms[i].code, DIVERGENT, 0, 64);
      run_control(&vkx, forms[i].name, forms[i].code, DIVERGENT, 0, 37);
      run_control(&vkx, forms[i].name, forms[i].code, UNIFORM, 0, 8);
      for (uint32_t value = 5; value < 60; value += 18)
         run_control(&vkx, forms[i].name, forms[i].code, CONSTANT, value, 33);
   }
   return vkt_finish(&vkx);
}
