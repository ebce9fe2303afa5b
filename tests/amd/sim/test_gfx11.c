/* What GFX11 and GFX11.5 brought to waves: pairs of operations, halves of registers, DPP of long forms, scalar
 * floats, thread ids in one register. The words are LLVM 19's (gfx1100 with true16, gfx1150). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/sim/cp/dispatch.h"
#include "amd/sim/surface/formats.h"
#include "sim/waves/pool.h"
#include "util/macros.h"

#define CODE_VA 0x100000000ull
#define DATA_VA 0x200000000ull
#define LANES 32

/* clang-format off */
static const uint32_t vector[] = {
   0x360000ff, 0x000003ff, /* v_and_b32_e32 v0, 0x3ff, v0 */
   0x30020082, /* v_lshlrev_b32_e32 v1, 2, v0 */
   0x4a0400ff, 0x00000064, /* v_add_nc_u32_e32 v2, 0x64, v0 */
   0x16060087, /* v_mul_u32_u24_e32 v3, 7, v0 */
   0xca100103, 0x02020102, /* v_dual_mov_b32 v2, v3 :: v_dual_mov_b32 v3, v2 */
   0xdc6a0000, 0x00000201, /* global_store_b32 v1, v2, s[0:1] */
   0xdc6a0080, 0x00000301, /* global_store_b32 v1, v3, s[0:1] offset:128 */
   0x7e0a02ff, 0x40003c00, /* v_mov_b32_e32 v5, 0x40003c00 */
   0x7e0802ff, 0x11112222, /* v_mov_b32_e32 v4, 0x11112222 */
   0x65090b05, /* v_add_f16_e32 v4.h, v5.l, v5.h */
   0xdc6a0100, 0x00000401, /* global_store_b32 v1, v4, s[0:1] offset:256 */
   0x7e0c02ff, 0x80ff7f01, /* v_mov_b32_e32 v6, 0x80ff7f01 */
   0xcc164007, 0x3c020d06, /* v_dot4_i32_iu8 v7, v6, v6, v0 neg_lo:[1,0,0] */
   0xdc6a0180, 0x00000701, /* global_store_b32 v1, v7, s[0:1] offset:384 */
   0xd6620008, 0x02510b00, /* v_maxmin_u32 v8, v0, 5, 20 */
   0xca200105, 0x09081083, /* v_dual_mov_b32 v9, v5 :: v_dual_add_nc_u32 v8, 3, v8 */
   0xdc6a0200, 0x00000801, /* global_store_b32 v1, v8, s[0:1] offset:512 */
   0xbf870091, /* s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1) */
   0xd581000a, 0x000000fa, 0xff091100, /* v_mov_b32_e64_dpp v10, v0 row_shr:1, all rows, bound_ctrl:1 */
   0xdc6a0280, 0x00000a01, /* global_store_b32 v1, v10, s[0:1] offset:640 */
   0xbc7c0000, /* s_waitcnt_vscnt null, 0x0 */
   0xbfb00000, /* s_endpgm */
};

static const uint32_t scalar_floats[] = {
   0xbe8400ff, 0x40200000, /* s_mov_b32 s4, 0x40200000 */
   0xa005f204, /* s_add_f32 s5, s4, 1.0 */
   0xa3850404, /* s_fmac_f32 s5, s4, s4 */
   0xbe866605, /* s_cvt_i32_f32 s6, s5 */
   0xbf4e0405, /* s_cmp_nlt_f32 s5, s4 */
   0x98078081, /* s_cselect_b32 s7, 1, 0 */
   0xa4080504, /* s_cvt_pk_rtz_f16_f32 s8, s4, s5 */
   0x7e020280, /* v_mov_b32_e32 v1, 0 */
   0x7e040205, /* v_mov_b32_e32 v2, s5 */
   0xdc6a0000, 0x00000201, /* global_store_b32 v1, v2, s[0:1] */
   0x7e060206, /* v_mov_b32_e32 v3, s6 */
   0xdc6a0004, 0x00000301, /* global_store_b32 v1, v3, s[0:1] offset:4 */
   0x7e080207, /* v_mov_b32_e32 v4, s7 */
   0xdc6a0008, 0x00000401, /* global_store_b32 v1, v4, s[0:1] offset:8 */
   0x7e0a0208, /* v_mov_b32_e32 v5, s8 */
   0xdc6a000c, 0x00000501, /* global_store_b32 v1, v5, s[0:1] offset:12 */
   0xbc7c0000, /* s_waitcnt_vscnt null, 0x0 */
   0xbfb00000, /* s_endpgm */
};
/* clang-format on */

/* One group of one wave; s[0:1] data. data: what it left there. */
static bool
run_words(const char *chip, const uint32_t *words, size_t size_B, bool wave32, uint32_t data[1024],
          struct sim_fault *fault)
{
   struct sim_vm *vm = sim_vm_create();
   uint32_t *code = aligned_alloc(4096, 4096), *memory = aligned_alloc(4096, 4096);
   memset(code, 0, 4096);
   memset(memory, 0, 4096);
   memcpy(code, words, size_B);
   assert_true(sim_vm_map(vm, sim_va(CODE_VA), 4096, code, SIM_READ | SIM_EXECUTE));
   assert_true(sim_vm_map(vm, sim_va(DATA_VA), 4096, memory, SIM_READ | SIM_WRITE));
   struct sim_pool *pool = sim_pool_create(1);
   struct amd_wave_engine *engine = amd_wave_engine_create(pool);
   amd_wave_engine_set_budget(engine, 1000);
   const struct amd_dispatch d = {
      .chip = amd_chip_by_name(chip),
      .program = sim_va(CODE_VA),
      .rsrc1 = 3 | 0xf0 << 12 | 1 << 21 | 1 << 23,
      .rsrc2 = 2 << 1 | 1 << 7,
      .num_thread = {LANES, 2, 1}, /* the second row writes the same */
      .dim = {1, 1, 1},
      .initiator = 1 | (uint32_t)wave32 << 15,
      .user_data = {(uint32_t)DATA_VA, (uint32_t)(DATA_VA >> 32)},
   };
   *fault = (struct sim_fault){0};
   bool ok = amd_sim_dispatch(engine, vm, &d, fault);
   memcpy(data, memory, 4096);
   amd_wave_engine_destroy(engine);
   sim_pool_destroy(pool);
   sim_vm_destroy(vm);
   free(code);
   free(memory);
   return ok;
}

static void
vector_operations(void **state)
{
   static const char *const chips[] = {"navi31", "phoenix", "gfx1150"};
   uint32_t data[1024];
   struct sim_fault fault;
   for (unsigned c = 0; c < ARRAY_SIZE(chips); c++) {
      if (!run_words(chips[c], vector, sizeof(vector), true, data, &fault))
         fail_msg("%s: %s", chips[c], fault.message);
      for (uint32_t l = 0; l < LANES; l++) {
         /* 1 * 1 + 127 * 127 - 1 * 255 - 128 * 128 */
         const uint32_t most = l < 5 ? 5 : l > 20 ? 20 : l, dot = (uint32_t)(1 + 16129 - 255 - 16384) + l;
         const uint32_t expected[] = {7 * l, 100 + l, 0x42002222, dot, most + 3, l % 16 ? l - 1 : 0};
         for (unsigned i = 0; i < ARRAY_SIZE(expected); i++)
            assert_int_equal(data[LANES * i + l], expected[i]);
      }
   }
}

/* No pairs in waves of 64 lanes. */
static void
pairs_of_wave64(void **state)
{
   uint32_t data[1024];
   struct sim_fault fault;
   assert_false(run_words("navi31", vector, sizeof(vector), false, data, &fault));
   assert_non_null(strstr(fault.message, "two operations at once in a wave of 64 lanes"));
}

static void
scalar_float_operations(void **state)
{
   uint32_t data[1024];
   struct sim_fault fault;
   if (!run_words("gfx1150", scalar_floats, sizeof(scalar_floats), true, data, &fault))
      fail_msg("%s", fault.message);
   assert_int_equal(data[0], 0x411c0000); /* 2.5 * 2.5 + 3.5 */
   assert_int_equal(data[1], 9);
   assert_int_equal(data[2], 1);
   assert_int_equal(data[3], 0x48e04100);
   assert_false(run_words("navi31", scalar_floats, sizeof(scalar_floats), true, data, &fault)); /* GFX11 has none */
   assert_non_null(strstr(fault.message, "unknown instruction"));
}

/* Numbers of Mesa's table of formats, with what their names say. */
static void
numbers_of_formats(void **state)
{
   static const struct {
      uint8_t number, size_B, components, numeric;
   } rows[] = {
      {0, 0, 0, 0},           {1, 1, 1, SIM_UNORM},  {29, 4, 2, SIM_FLOAT}, {30, 4, 3, SIM_FLOAT},
      {31, 4, 3, SIM_FLOAT},  {32, 4, 4, SIM_UNORM}, {35, 4, 4, SIM_SINT},  {36, 4, 4, SIM_UNORM},
      {41, 4, 4, SIM_SINT},   {42, 4, 4, SIM_UNORM}, {47, 4, 4, SIM_SINT},  {48, 8, 2, SIM_UINT},
      {50, 8, 2, SIM_FLOAT},  {51, 8, 4, SIM_UNORM}, {57, 8, 4, SIM_FLOAT}, {58, 12, 3, SIM_UINT},
      {63, 16, 4, SIM_FLOAT}, {64, 1, 1, SIM_SRGB},  {66, 4, 4, SIM_SRGB},  {68, 2, 3, SIM_UNORM},
      {76, 4, 2, SIM_UNORM},  {81, 8, 1, SIM_FLOAT}, {90, 0, 0, 0},         {127, 0, 0, 0},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct sim_texel_format *f = amd_format_unified(amd_format_of_instruction(AMD_GFX11, rows[i].number));
      assert_int_equal(f->size_B, rows[i].size_B);
      assert_int_equal(f->components, rows[i].components);
      assert_int_equal(f->size_B ? f->numeric : 0, rows[i].numeric);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_of_formats),
      cmocka_unit_test(vector_operations),
      cmocka_unit_test(pairs_of_wave64),
      cmocka_unit_test(scalar_float_operations),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
