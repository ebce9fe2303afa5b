/* Parameters of pixels on GFX11: loads of a quad's P0, P10 and P20, interpolation from them, and waits. What is
 * expected is the "RDNA 3" ISA document's: D = P0 + I * P10 + J * P20 by two fused operations, in 16 bits with sums
 * of 32; EXEC of loads is that of quads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/sim/wave/wave.h"
#include "sim/waves/pool.h"
#include "text_program.h"
#include "util/macros.h"

#define CODE_VA 0x100000000ull

enum { LANES = 64, ATTRS = 3, PRIMS = 2, SECOND_PRIM_QUAD = 7 };

/* The first quad of the second primitive; 0 and 16: there is only one. */
static unsigned second_quad = SECOND_PRIM_QUAD;

/* Two primitives; attribute 2 holds halves in pairs: 1, 2 and 3 with 0.5, 2^-11 and 2^-12. */
static const uint32_t halves[3] = {0x38003c00, 0x10004000, 0x0c004200};
static float params[PRIMS][ATTRS][4][3];

struct pixel_run {
   uint64_t exec;
   bool retired;
   struct amd_wave_export exported;
};

static void
fill_params(void)
{
   for (unsigned p = 0; p < PRIMS; p++) {
      for (unsigned a = 0; a < ATTRS; a++) {
         for (unsigned c = 0; c < 4; c++) {
            for (unsigned i = 0; i < 3; i++)
               params[p][a][c][i] = (float)(p * 100 + a * 10 + c + 1) / (float)(3 + 2 * i);
            if (a == 2)
               memcpy(params[p][a][c], halves, sizeof(halves));
         }
      }
   }
}

static float
bary(unsigned j, unsigned lane)
{
   return (float)(lane * (3 + j) % 17) / 19.0f;
}

static void
start(void *user, uint32_t group, uint32_t wave, uint32_t scratch, struct amd_wave_start *s)
{
   const struct pixel_run *run = user;
   s->exec = run->exec;
   s->prim_mask = second_quad % 16 ? 1u << (15 + second_quad) : 0;
   s->sgpr[0] = s->prim_mask;
   s->sgpr_count = 1;
   s->vgpr_count = 4;
   for (unsigned l = 0; l < LANES; l++) {
      for (unsigned j = 0; j < 2; j++) {
         float value = bary(j, l);
         memcpy(&s->vgpr[j][l], &value, 4);
      }
      s->vgpr[2][l] = 0x3f800000; /* I and J of 16-bit inputs: 1 */
      s->vgpr[3][l] = 77;
   }
   s->params = (struct amd_wave_params){.data = &params[0][0][0][0], .attr_count = ATTRS};
   for (unsigned q = second_quad; q < LANES / 4; q++)
      s->params.quad_prim[q] = 1;
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   struct pixel_run *run = user;
   assert_int_equal(result->count, 1);
   run->exported = result->exports[0];
   run->retired = true;
}

static bool
run_pixels_on(const char *chip_name, const char *text, unsigned wave_size, uint64_t exec, struct pixel_run *run,
              struct sim_fault *fault)
{
   const struct amd_chip *chip = amd_chip_by_name(chip_name);
   struct sim_vm *vm = sim_vm_create();
   uint8_t *code = aligned_alloc(4096, 4096);
   memset(code, 0, 4096);
   write_text_program(code, chip->gen, wave_size == 64, text);
   assert_true(sim_vm_map(vm, sim_va(CODE_VA), 4096, code, SIM_READ | SIM_EXECUTE));
   struct sim_pool *pool = sim_pool_create(1);
   struct amd_wave_engine *engine = amd_wave_engine_create(pool);
   *run = (struct pixel_run){.exec = exec};
   *fault = (struct sim_fault){0};
   const struct amd_wave_launch launch = {
      .stage = AMD_STAGE_PS,
      .name = "PS",
      .vm = vm,
      .program = sim_va(CODE_VA),
      .wave_size = (uint8_t)wave_size,
      .float_mode = 0xf0,
      .vgpr_count = 16,
      .lds_size_B = 64,
      .waves_per_group = 1,
      .group_count = 1,
      .chip = chip,
      .user = run,
      .start = start,
      .retire = retire,
   };
   fill_params();
   bool ok = amd_wave_run(engine, &launch, fault);
   amd_wave_engine_destroy(engine);
   sim_pool_destroy(pool);
   sim_vm_destroy(vm);
   free(code);
   return ok;
}

static bool
run_pixels(const char *text, unsigned wave_size, uint64_t exec, struct pixel_run *run, struct sim_fault *fault)
{
   return run_pixels_on("navi31", text, wave_size, exec, run, fault);
}

static const float *
params_at(unsigned attr, unsigned chan, unsigned lane)
{
   return params[lane / 4 >= second_quad][attr][chan];
}

static float
exported(const struct pixel_run *run, unsigned component, unsigned lane)
{
   float value;
   memcpy(&value, &run->exported.value[component][lane], 4);
   return value;
}

/* With two primitives in a wave, or one. */
static void
interpolates(void **state)
{
   static const char text[] = "s_mov_b32 m0, s0\n"
                              "lds_param_load v4, attr0.x wait_vdst:15\n"
                              "lds_param_load v5, attr1.y wait_vdst:15\n"
                              "v_interp_p10_f32 v6, v4, -v0, -v4 wait_exp:1\n"
                              "v_interp_p2_f32 v6, -v4, v1, v6 wait_exp:7\n"
                              "v_interp_p10_f32 v7, v5, v0, v5 wait_exp:0\n"
                              "v_interp_p2_f32 v7, -v5, v1, v7 clamp wait_exp:7\n"
                              "v_mov_b32_dpp v8, v4 quad_perm:[2,2,2,2] row_mask:0xf bank_mask:0xf bound_ctrl:1\n"
                              "exp mrt0 v6, v7, v8, v4 done\n"
                              "s_endpgm\n";
   for (unsigned i = 0; i < 4; i++) {
      const unsigned size = i % 2 ? 64 : 32;
      struct pixel_run run;
      struct sim_fault fault;
      second_quad = i < 2 ? LANES / 4 : SECOND_PRIM_QUAD;
      if (!run_pixels(text, size, UINT64_MAX, &run, &fault))
         fail_msg("%s", fault.message);
      for (unsigned l = 0; l < size; l++) {
         const float *x = params_at(0, 0, l), *y = params_at(1, 1, l);
         float second = fmaf(-y[2], bary(1, l), fmaf(y[1], bary(0, l), y[0]));
         float clamped = fminf(fmaxf(second, 0.0f), 1.0f);
         float first = fmaf(-x[2], bary(1, l), fmaf(x[1], -bary(0, l), -x[0]));
         assert_float_equal(exported(&run, 0, l), first, 0);
         assert_float_equal(exported(&run, 1, l), clamped, 0);
         assert_float_equal(exported(&run, 2, l), x[2], 0);
         assert_float_equal(exported(&run, 3, l), (l % 4 == 3 ? 0.0f : x[l % 4]), 0);
      }
   }
}

/* 1 + 2 + 3 and 0.5 + 2^-11 + 2^-12: of 11 bits the latter has 0.5 + 2^-11 towards zero, and to nearest 2^-11 more.
 */
static void
interpolates_halves(void **state)
{
   static const char text[] = "s_mov_b32 m0, s0\n"
                              "lds_param_load v4, attr2.z wait_vdst:15\n"
                              "v_interp_p10_f16_f32 v7, v4, v2, v4 wait_exp:0\n"
                              "v_interp_p2_f16_f32 v6, v4, v2, v7 wait_exp:7\n"
                              "v_interp_p10_f16_f32 v7, v4, v2, v4 op_sel:[1,0,1,0] wait_exp:7\n"
                              "v_interp_p2_f16_f32 v6, v4, v2, v7 op_sel:[1,0,0,1] wait_exp:7\n"
                              "v_interp_p10_rtz_f16_f32 v7, v4, v2, v4 op_sel:[1,0,1,0] wait_exp:7\n"
                              "v_interp_p2_rtz_f16_f32 v8, v4, v2, v7 op_sel:[1,0,0,0] wait_exp:7\n"
                              "v_and_b32 v8, 0xffff, v8\n"
                              "exp mrt0 v6, v8, v8, v8 done\n"
                              "s_endpgm\n";
   struct pixel_run run;
   struct sim_fault fault;
   if (!run_pixels(text, 32, UINT64_MAX, &run, &fault))
      fail_msg("%s", fault.message);
   for (unsigned l = 0; l < 32; l++) {
      assert_int_equal(run.exported.value[0][l], 0x38024600);
      assert_int_equal(run.exported.value[1][l], 0x3801);
   }
}

/* The same numbers up to GFX10.3, which takes the halves from where it computes ("RDNA 2" ISA). */
static void
interpolates_halves_at_once(void **state)
{
   static const char text[] = "s_mov_b32 m0, s0\n"
                              "s_nop 0\n"
                              "v_interp_p1ll_f16 v4, v2, attr2.z\n"
                              "v_interp_p2_f16 v5, v2, attr2.z, v4\n"
                              "v_interp_p1ll_f16 v6, v2, attr2.z high\n"
                              "v_interp_p2_f16 v7, v2, attr2.z, v6 high\n"
                              "exp mrt0 v4, v5, v6, v7 done vm\n"
                              "s_endpgm\n";
   static const char *const chips[] = {"vega10", "navi10", "navi21"};
   /* P1LV takes P0 from a register instead. */
   static const char with_p0[] = "s_mov_b32 m0, s0\n"
                                 "v_mov_b32 v8, 0xc0003800\n" /* -2 and 0.5 */
                                 "s_nop 0\n"
                                 "v_interp_p1lv_f16 v4, v2, attr2.z, v8\n"
                                 "v_interp_p1lv_f16 v6, v2, attr2.z, v8 high\n"
                                 "exp mrt0 v4, v6, v6, v6 done vm\n"
                                 "s_endpgm\n";
   for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
      struct pixel_run run;
      struct sim_fault fault;
      if (!run_pixels_on(chips[i], text, 64, UINT64_MAX, &run, &fault))
         fail_msg("%s: %s", chips[i], fault.message);
      for (unsigned l = 0; l < 64; l++) {
         assert_float_equal(exported(&run, 0, l), 3.0f, 0);
         assert_int_equal(run.exported.value[1][l] & 0xffff, 0x4600);
         assert_float_equal(exported(&run, 2, l), 0.5f + 1.0f / 2048.0f, 0);
         assert_int_equal(run.exported.value[3][l] & 0xffff, 0x3802);
      }
      if (!run_pixels_on(chips[i], with_p0, 64, UINT64_MAX, &run, &fault))
         fail_msg("%s: %s", chips[i], fault.message);
      for (unsigned l = 0; l < 64; l++) {
         assert_float_equal(exported(&run, 0, l), 0.5f + 2.0f, 0);
         assert_float_equal(exported(&run, 1, l), -2.0f + 1.0f / 2048.0f, 0);
      }
      const char *legacy = "s_mov_b32 m0, s0\ns_nop 0\n"
                           "v_interp_p1ll_f16 v4, v2, attr2.z high\n"
                           "v_interp_p2_legacy_f16 v5, v2, attr2.z, v4 high\n"
                           "exp mrt0 v5, v5, v5, v5 done vm\n"
                           "s_endpgm\n";
      if (i)
         continue;
      if (!run_pixels_on(chips[i], legacy, 64, UINT64_MAX, &run, &fault))
         fail_msg("%s: %s", chips[i], fault.message);
      for (unsigned l = 0; l < 64; l++)
         assert_int_equal(run.exported.value[0][l] & 0xffff, 0x3802);
   }
}

/* Up to GFX10.3, in waves of one primitive, of two, and of pixels that are not all there. */
static void
interpolates_from_lds(void **state)
{
   static const char text[] = "s_mov_b32 m0, s0\n"
                              "v_mov_b32 v5, v3\n"
                              "v_mov_b32 v6, v3\n"
                              "v_interp_p1_f32 v4, v0, attr1.y\n"
                              "v_interp_p2_f32 v4, v1, attr1.y\n"
                              "v_interp_mov_f32 v5, p10, attr0.x\n"
                              "v_interp_mov_f32 v6, p0, attr0.z\n"
                              "exp mrt0 v4, v5, v6, v3 done vm\n"
                              "s_endpgm\n";
   static const char *const chips[] = {"vega10", "navi10", "navi21"};
   static const uint8_t seconds[] = {0, 8, SECOND_PRIM_QUAD, 16};
   for (unsigned i = 0; i < ARRAY_SIZE(chips) * ARRAY_SIZE(seconds) * 2; i++) {
      const char *chip = chips[i / 2 % ARRAY_SIZE(chips)];
      const uint64_t exec = i % 2 ? UINT64_MAX : UINT64_MAX - 2;
      struct pixel_run run;
      struct sim_fault fault;
      second_quad = seconds[i / 2 / ARRAY_SIZE(chips)];
      if (!run_pixels_on(chip, text, 64, exec, &run, &fault))
         fail_msg("%s: %s", chip, fault.message);
      for (unsigned l = 0; l < 64; l++) {
         const float *y = params_at(1, 1, l);
         if (!(exec >> l & 1))
            continue;
         assert_float_equal(exported(&run, 0, l), fmaf(y[2], bary(1, l), fmaf(y[1], bary(0, l), y[0])), 0);
         assert_float_equal(exported(&run, 1, l), params_at(0, 0, l)[1], 0);
         assert_float_equal(exported(&run, 2, l), params_at(0, 2, l)[0], 0);
      }
   }
   second_quad = SECOND_PRIM_QUAD;
}

/* One pixel of a quad is enough for all four; other quads keep what they had. */
static void
loads_whole_quads(void **state)
{
   static const char text[] = "s_mov_b32 m0, s0\n"
                              "v_mov_b32 v4, 1.0\n"
                              "s_mov_b32 exec_lo, 0x20\n"
                              "lds_param_load v4, attr0.x wait_vdst:0\n"
                              "s_waitcnt expcnt(0)\n"
                              "s_mov_b32 exec_lo, -1\n"
                              "exp mrt0 v4, v4, v4, v4 done\n"
                              "s_endpgm\n";
   struct pixel_run run;
   struct sim_fault fault;
   if (!run_pixels(text, 32, UINT64_MAX, &run, &fault))
      fail_msg("%s", fault.message);
   for (unsigned l = 0; l < 32; l++) {
      float loaded = l % 4 == 3 ? 0.0f : params_at(0, 0, l)[l % 4];
      assert_float_equal(exported(&run, 0, l), (l / 4 == 1 ? loaded : 1.0f), 0);
   }
}

/* M0: address 15:0; type 18:16, of which 4 is a signed byte and 1 two bytes without a sign. */
static void
loads_directly(void **state)
{
   static const char text[] = "v_mov_b32 v4, 12\n"
                              "v_mov_b32 v5, 0x8182f384\n"
                              "ds_store_b32 v4, v5\n"
                              "s_waitcnt lgkmcnt(0)\n"
                              "s_mov_b32 m0, 0x4000c\n"
                              "lds_direct_load v6 wait_vdst:15\n"
                              "s_mov_b32 m0, 0x1000c\n"
                              "lds_direct_load v7 wait_vdst:15\n"
                              "s_mov_b32 m0, 0x2000c\n"
                              "lds_direct_load v8 wait_vdst:15\n"
                              "s_waitcnt expcnt(0)\n"
                              "exp mrt0 v6, v7, v8, v8 done\n"
                              "s_endpgm\n";
   struct pixel_run run;
   struct sim_fault fault;
   if (!run_pixels(text, 64, UINT64_MAX, &run, &fault))
      fail_msg("%s", fault.message);
   for (unsigned l = 0; l < 64; l++) {
      assert_int_equal(run.exported.value[0][l], 0xffffff84);
      assert_int_equal(run.exported.value[1][l], 0xf384);
      assert_int_equal(run.exported.value[2][l], 0x8182f384);
   }
}

/* Programs that do not wait, or whose M0 says nothing. */
static void
mistakes_are_found(void **state)
{
   static const struct {
      const char *text, *words;
   } rows[] = {
      {"s_mov_b32 m0, s0\nlds_param_load v4, attr0.x wait_vdst:15\n"
       "v_interp_p10_f32 v6, v4, v0, v4 wait_exp:1\ns_endpgm\n",
       "v4 is used before the wait"},
      {"s_mov_b32 m0, s0\nlds_param_load v4, attr0.x wait_vdst:15\nlds_param_load v5, attr0.y wait_vdst:15\n"
       "v_interp_p10_f32 v6, v5, v0, v5 wait_exp:1\ns_endpgm\n",
       "v5 is used before the wait"},
      {"s_mov_b32 m0, s0\nlds_param_load v4, attr0.x wait_vdst:15\n"
       "v_mov_b32_dpp v8, v4 quad_perm:[2,2,2,2] row_mask:0xf bank_mask:0xf bound_ctrl:1\ns_endpgm\n",
       "v4 is used before the wait"},
      {"s_mov_b32 m0, s0\ns_mov_b32 exec_lo, 1\nlds_param_load v4, attr0.x wait_vdst:15\ns_mov_b32 exec_lo, 8\n"
       "v_mov_b32 v6, v4\ns_endpgm\n",
       "v4 is used before the wait"},
      /* Exports and loads need not be done in order: a wait for one of them is none for the other. */
      {"s_mov_b32 m0, s0\nexp mrt0 v3, off, off, off\nlds_param_load v4, attr0.x wait_vdst:15\n"
       "exp mrt1 v3, off, off, off\ns_waitcnt expcnt(1)\nv_mov_b32 v6, v4\ns_endpgm\n",
       "v4 is used before the wait"},
      {"s_mov_b32 m0, s0\nexp mrt0 v3, off, off, off\nlds_param_load v3, attr0.x wait_vdst:15\ns_endpgm\n",
       "v3 is overwritten while an export reads it"},
      {"s_mov_b32 m0, 0\nlds_param_load v4, attr0.x wait_vdst:15\ns_endpgm\n", "and not PRIM_MASK"},
      {"s_mov_b32 m0, s0\nlds_param_load v4, attr3.x wait_vdst:15\ns_endpgm\n", "attribute 3 of 3"},
      {"s_mov_b32 m0, 0x60000\nlds_direct_load v4 wait_vdst:15\ns_endpgm\n", "no type of data"},
      {"s_mov_b32 m0, 0x20002\nlds_direct_load v4 wait_vdst:15\ns_endpgm\n", "not of a dword"},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct pixel_run run;
      struct sim_fault fault;
      if (run_pixels(rows[i].text, 32, UINT32_MAX, &run, &fault) || !strstr(fault.message, rows[i].words))
         fail_msg("row %u: no fault with \"%s\": %s", i, rows[i].words, fault.message);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(interpolates),
      cmocka_unit_test(interpolates_halves),
      cmocka_unit_test(interpolates_halves_at_once),
      cmocka_unit_test(interpolates_from_lds),
      cmocka_unit_test(loads_whole_quads),
      cmocka_unit_test(loads_directly),
      cmocka_unit_test(mistakes_are_found),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
