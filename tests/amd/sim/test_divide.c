/* Divisions as LLVM writes them, by v_div_scale, v_div_fmas and v_div_fixup: what the host divides, to the last bit
 * and for all kinds of numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/sim/wave/wave.h"
#include "amd/sim/wave/wave_state.h"
#include "sim/waves/pool.h"
#include "text_program.h"
#include "util/macros.h"

#define CODE_VA 0x100000000ull

enum { LANES = 64, ROUNDS = 60 };

/* Numerator v[0:1], denominator v[2:3], quotient v[20:21]. LLVM 19: fdiv with denormals, AMDGPULegalizerInfo.cpp. */
static const char single[] = "v_div_scale_f32 v4, s[4:5], v2, v2, v0\n"
                             "v_rcp_f32 v5, v4\n"
                             "v_fma_f32 v6, -v4, v5, 1.0\n"
                             "v_fma_f32 v5, v6, v5, v5\n"
                             "v_div_scale_f32 v6, vcc, v0, v2, v0\n"
                             "v_mul_f32 v7, v6, v5\n"
                             "v_fma_f32 v8, -v4, v7, v6\n"
                             "v_fma_f32 v7, v8, v5, v7\n"
                             "v_fma_f32 v8, -v4, v7, v6\n"
                             "s_nop 4\n"
                             "v_div_fmas_f32 v8, v8, v5, v7\n"
                             "v_div_fixup_f32 v20, v8, v2, v0\n"
                             "v_mov_b32 v21, 0\n";
static const char twice[] = "v_div_scale_f64 v[4:5], s[4:5], v[2:3], v[2:3], v[0:1]\n"
                            "v_rcp_f64 v[6:7], v[4:5]\n"
                            "v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0\n"
                            "v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]\n"
                            "v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0\n"
                            "v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]\n"
                            "v_div_scale_f64 v[8:9], vcc, v[0:1], v[2:3], v[0:1]\n"
                            "v_mul_f64 v[10:11], v[8:9], v[6:7]\n"
                            "v_fma_f64 v[4:5], -v[4:5], v[10:11], v[8:9]\n"
                            "s_nop 4\n"
                            "v_div_fmas_f64 v[4:5], v[4:5], v[6:7], v[10:11]\n"
                            "v_div_fixup_f64 v[20:21], v[4:5], v[2:3], v[0:1]\n";

struct division {
   uint64_t num[LANES], den[LANES], quotient[LANES];
};

static uint64_t seed = 11;

static uint64_t
rnd(void)
{
   seed = seed * 6364136223846793005u + 1442695040888963407u;
   return seed >> 32 ^ seed << 32;
}

static void
start(void *user, uint32_t group, uint32_t wave, uint32_t scratch, struct amd_wave_start *s)
{
   const struct division *d = user;
   s->exec = UINT64_MAX;
   s->vgpr_count = 4;
   for (unsigned l = 0; l < LANES; l++) {
      s->vgpr[0][l] = (uint32_t)d->num[l];
      s->vgpr[1][l] = (uint32_t)(d->num[l] >> 32);
      s->vgpr[2][l] = (uint32_t)d->den[l];
      s->vgpr[3][l] = (uint32_t)(d->den[l] >> 32);
   }
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   struct division *d = user;
   for (unsigned l = 0; l < LANES; l++)
      d->quotient[l] =
         state_read(result->state, AMD_VGPR0 + 20, l) | (uint64_t)state_read(result->state, AMD_VGPR0 + 21, l) << 32;
}

static uint64_t
float_of(bool is_double, unsigned kind)
{
   static const double specials[] = {0, -0.0, INFINITY, -INFINITY, NAN, 1, -3};
   uint64_t bits = rnd();
   if (kind == 0) {
      float small = (float)specials[bits % ARRAY_SIZE(specials)];
      memcpy(&bits, &specials[bits % ARRAY_SIZE(specials)], 8);
      return is_double ? bits : float_bits(small);
   }
   if (!is_double)
      bits &= 0xffffffff;
   if (kind == 1) /* a denormal, or nearly */
      bits &= is_double ? 0x801fffffffffffff : 0x80ffffff;
   if (kind == 2) /* a large one */
      bits |= is_double ? 0x7f00000000000000 : 0x7c000000;
   return bits;
}

static void
divide(const char *chip_name, bool is_double)
{
   const struct amd_chip *chip = amd_chip_by_name(chip_name);
   struct sim_vm *vm = sim_vm_create();
   uint8_t *code = aligned_alloc(4096, 4096);
   char text[2048];
   snprintf(text, sizeof(text), "%ss_nop 0\ns_endpgm\n", is_double ? twice : single);
   memset(code, 0, 4096);
   write_text_program(code, chip->gen, true, text);
   assert_true(sim_vm_map(vm, sim_va(CODE_VA), 4096, code, SIM_READ | SIM_EXECUTE));
   struct sim_pool *pool = sim_pool_create(1);
   struct amd_wave_engine *engine = amd_wave_engine_create(pool);
   for (unsigned n = 0; n < ROUNDS; n++) {
      struct division d;
      struct sim_fault fault = {0};
      for (unsigned l = 0; l < LANES; l++) {
         d.num[l] = float_of(is_double, (unsigned)(rnd() % 6));
         d.den[l] = float_of(is_double, (unsigned)(rnd() % 6));
      }
      const struct amd_wave_launch launch = {.stage = AMD_STAGE_CS,
                                             .name = "division",
                                             .vm = vm,
                                             .program = sim_va(CODE_VA),
                                             .wave_size = LANES,
                                             .float_mode = 0xf0,
                                             .vgpr_count = 24,
                                             .waves_per_group = 1,
                                             .group_count = 1,
                                             .chip = chip,
                                             .user = &d,
                                             .start = start,
                                             .retire = retire};
      if (!amd_wave_run(engine, &launch, &fault))
         fail_msg("%s: %s", chip_name, fault.message);
      for (unsigned l = 0; l < LANES; l++) {
         double num = is_double ? bits_double(d.num[l]) : (double)bits_float((uint32_t)d.num[l]);
         double den = is_double ? bits_double(d.den[l]) : (double)bits_float((uint32_t)d.den[l]);
         double got = is_double ? bits_double(d.quotient[l]) : (double)bits_float((uint32_t)d.quotient[l]);
         double want = is_double ? num / den : (double)((float)num / (float)den);
         if (memcmp(&got, &want, 8) && !(isnan(got) && isnan(want)))
            fail_msg("%s: %a / %a: %a instead of %a", chip_name, num, den, got, want);
      }
   }
   amd_wave_engine_destroy(engine);
   sim_pool_destroy(pool);
   sim_vm_destroy(vm);
   free(code);
}

static void
floats(void **state)
{
   divide("vega10", false);
   divide("navi10", false);
   divide("navi21", false);
}

static void
doubles(void **state)
{
   divide("vega10", true);
   divide("navi10", true);
   divide("navi21", true);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(floats), cmocka_unit_test(doubles)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
