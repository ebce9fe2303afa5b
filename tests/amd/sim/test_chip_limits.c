/* Chips of other shapes than those that have a model: what runs on a small one runs on them, and gives the same;
 * rows that are out of limits are refused. The instruction set is that of GFX10.3 throughout. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "amd/sim/chip_limits.h"
#include "amd/sim/pops/pops.h"
#include "shaded.h"
#include "util/macros.h"

enum { COUNTS_B = 12 << 20, CODE_B = (2 << 20) + 8192, OUT_B = 16 << 20, IN_B = 20 << 20, GROUPS = 600, READ = 77 };

/* A shape with as many units as the bitmap can say. */
static struct amd_chip
shape(unsigned engines, unsigned arrays, unsigned units, unsigned backends, unsigned packers_log2)
{
   struct amd_chip chip = *amd_chip_by_name("navi21");
   chip.name = "made-up";
   chip.num_se = engines;
   chip.num_sa_per_se = arrays;
   chip.num_cu_per_sa = units;
   for (unsigned i = 0; i < 16; i++)
      chip.cu_bitmap[i / 4][i % 4] = (uint32_t)bit_mask(MIN2(units, 32));
   chip.num_rb_pipes = backends;
   chip.enabled_rb_pipes_mask = (uint32_t)bit_mask(MIN2(backends, 32));
   chip.gb_addr_config = (chip.gb_addr_config & ~(7u << 8)) | packers_log2 << 8;
   return chip;
}

static struct amd_chip
shape_of_navi31(void)
{
   struct amd_chip chip = *amd_chip_by_name("navi31");
   chip.gen = AMD_GFX10_3;
   return chip;
}

/* A triangle, whose samples are counted. */
static void
draw(struct stream *s)
{
   const uint64_t counts = stream_base + COUNTS_B;
   set_reg(s, R_DB_COUNT_CONTROL, S_DB_COUNT_CONTROL_ZPASS_ENABLE(1));
   set_vertex(s, 0, 0, 0, 0, 0);
   set_vertex(s, 1, 40, 0, 1, 0);
   set_vertex(s, 2, 0, 40, 0, 1);
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t event[3] = {V_ZPASS_DONE | 1 << 8, (uint32_t)counts + 8 * i, (uint32_t)(counts >> 32)};
      emit_packet(s, PKT3_EVENT_WRITE, 3, event);
      if (!i)
         draw_auto(s, V_DI_PT_TRILIST, 3);
   }
}

/* Each of GROUPS groups loads a word through the scalar and the vector cache, and stores the sum at its number. */
static void
dispatch(struct stream *s)
{
   struct program p = {.at = s->memory + CODE_B};
   struct amd_inst scalar = make("s_load_dword", AMD_ENC_SMEM), vector = make("global_load_dword", AMD_ENC_GLOBAL);
   struct amd_inst sum = make("v_add_nc_u32", AMD_ENC_VOP2), store = make("global_store_dword", AMD_ENC_GLOBAL);
   struct amd_inst at = make("v_lshlrev_b32", AMD_ENC_VOP2);
   scalar.dst = amd_sgpr(8);
   scalar.src[0] = vector.src[2] = amd_sgpr(0);
   scalar.src[1] = AMD_NULL;
   vector.dst = vector.src[0] = sum.src[1] = sum.dst = store.src[1] = amd_vgpr(2);
   sum.src[0] = amd_sgpr(8);
   at.dst = at.src[1] = store.src[0] = amd_vgpr(3);
   at.src[0] = amd_inline_int(2);
   store.src[2] = amd_sgpr(2);
   add(&p, scalar);
   add(&p, move_to_vgpr(2, amd_inline_int(0)));
   add(&p, move_to_vgpr(3, amd_sgpr(4)));
   add(&p, vector);
   add(&p, wait_all());
   add(&p, sum);
   add(&p, at);
   add(&p, store);
   add(&p, make("s_endpgm", AMD_ENC_SOPP));
   const uint32_t read = READ, user[4] = {(uint32_t)(stream_base + IN_B), (uint32_t)(stream_base >> 32),
                                          (uint32_t)(stream_base + OUT_B), (uint32_t)(stream_base >> 32)};
   memcpy(s->memory + IN_B, &read, 4);
   set_reg(s, R_COMPUTE_PGM_LO, (uint32_t)((stream_base + CODE_B) >> 8));
   set_reg(s, R_COMPUTE_PGM_HI, (uint32_t)((stream_base + CODE_B) >> 40));
   set_reg(s, R_COMPUTE_PGM_RSRC1, S_COMPUTE_PGM_RSRC1_VGPRS(3) | S_COMPUTE_PGM_RSRC1_FLOAT_MODE(0xf0));
   set_reg(s, R_COMPUTE_PGM_RSRC2, S_COMPUTE_PGM_RSRC2_USER_SGPR(4) | S_COMPUTE_PGM_RSRC2_TGID_X_EN(1));
   for (unsigned i = 0; i < 3; i++)
      set_reg(s, R_COMPUTE_NUM_THREAD_X + 4 * i, 1);
   for (unsigned i = 0; i < 4; i++)
      set_reg(s, R_COMPUTE_USER_DATA_0 + 4 * i, user[i]);
   emit_packet(s, PKT3_DISPATCH_DIRECT, 4, (const uint32_t[4]){GROUPS, 1, 1, 1 | 1 << 15});
}

static void
run_on(const struct amd_chip *chip)
{
   struct stream s = open_stream(2, false);
   amd_sim_destroy(s.sim);
   s.sim = amd_sim_create(chip, 2);
   assert_non_null(s.sim);
   draw(&s);
   dispatch(&s);
   if (!stream_run(&s))
      fail_msg("%s: %s", chip->name, s.fault.message);
   uint64_t covered = 0, counted = 0;
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++) {
         bool inside = x + y < 39; /* centres: x + y + 1 < 40 */
         assert_int_equal(s.memory[TARGET_B + (y * W + x) * 4 + 3], inside ? 255 : 0);
         covered += inside;
      }
   }
   for (unsigned i = 0; i < 64; i++) {
      uint64_t pair[2];
      memcpy(pair, s.memory + COUNTS_B + 16 * i, 16);
      counted += pair[1] - pair[0];
      assert_int_equal(pair[1] >> 63, i < chip->num_rb_pipes);
   }
   assert_int_equal(counted, covered);
   for (unsigned i = 0; i < GROUPS + 16; i++) {
      uint32_t found;
      memcpy(&found, s.memory + OUT_B + 4 * i, 4);
      assert_int_equal(found, i < GROUPS ? 2 * READ : 0);
   }
   stream_destroy(&s);
}

static void
other_shapes(void **state)
{
   const struct amd_chip chips[] = {shape(1, 1, 1, 1, 0),   shape_of_navi31(),      shape(5, 2, 9, 20, 5),
                                    shape(8, 2, 10, 32, 6), shape(4, 4, 10, 32, 6), shape(1, 4, 32, 32, 6)};
   for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
      assert_null(amd_chip_refused(&chips[i]));
      run_on(&chips[i]);
   }
}

/* A wave's packer, and the two bits that it is told of, mean the same for any number of engines. */
static void
packers_belong_to_engines(void **state)
{
   for (unsigned engines = 1; engines <= 8; engines++) {
      for (unsigned log2 = 0; log2 <= 6; log2++) {
         const struct amd_chip chip = shape(engines, 1, 2, 1, log2);
         const struct amd_pops_packers packers = amd_pops_packers(&chip);
         assert_int_equal(packers.count, 1u << log2);
         assert_true(packers.per_se_log2 <= 2);
         assert_true(packers.count < engines || packers.count >> packers.per_se_log2 >= engines);
      }
   }
   /* Two engines of two arrays, each a scan converter of two packers. */
   assert_int_equal(amd_pops_packers(amd_chip_by_name("navi10")).count, 8);
   assert_int_equal(amd_pops_packers(amd_chip_by_name("navi10")).per_se_log2, 2);
   /* Four engines of four render backends, one of two. */
   assert_int_equal(amd_pops_packers(amd_chip_by_name("vega10")).count, 8);
   assert_int_equal(amd_pops_packers(amd_chip_by_name("vega10")).per_se_log2, 1);
   assert_int_equal(amd_pops_packers(amd_chip_by_name("raven")).count, 1);
   const struct amd_chip navi31 = shape_of_navi31();
   assert_int_equal(amd_pops_packers(&navi31).count, 32);
   assert_int_equal(amd_pops_packers(&navi31).per_se_log2, 2); /* eight engines' worth, for six */
}

static void
out_of_limits(void **state)
{
   struct amd_chip no_units = shape(2, 2, 10, 16, 3);
   memset(no_units.cu_bitmap, 0, sizeof(no_units.cu_bitmap));
   const struct {
      struct amd_chip chip;
      const char *why;
   } rows[] = {
      {no_units, "no compute units"},
      {shape(0, 2, 10, 16, 3), "shader engines"},
      {shape(9, 2, 10, 16, 3), "shader engines"},
      {shape(4, 0, 10, 16, 3), "shader arrays"},
      {shape(4, 5, 10, 16, 3), "shader arrays"},
      {shape(5, 3, 2, 16, 3), "shader arrays"},
      {shape(4, 2, 0, 16, 3), "compute units"},
      {shape(1, 1, 33, 16, 3), "compute units"},
      {shape(4, 2, 10, 0, 3), "render backends"},
      {shape(4, 2, 10, 33, 3), "render backends"},
      {shape(4, 2, 10, 16, 7), "packers"},
      {shape(8, 2, 12, 16, 3), "caches"},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const char *why = amd_chip_refused(&rows[i].chip);
      if (!why || !strstr(why, rows[i].why))
         fail_msg("row %u (%s): %s", i, rows[i].why, why ? why : "has a model");
      assert_null(amd_sim_create(&rows[i].chip, 1));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_shapes),
      cmocka_unit_test(packers_belong_to_engines),
      cmocka_unit_test(out_of_limits),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
