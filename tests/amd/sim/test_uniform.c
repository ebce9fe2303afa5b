/* Programs of which one wave tells what all export, or all of a primitive: what is said of them against what their
 * waves export. */
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

enum { WAVES = 3, LANES = 64, USER_SGPRS = 4 };

/* s[0:3]: floats, s4: PRIM_MASK, s5: the wave; v0: the lane. */
#define END "exp mrt0 v0, v1, off, off done\ns_endpgm\n"
static const struct {
   const char *chip, *text;
   enum amd_waves_alike alike;
} rows[] = {
   {"gfx1150",
    "s_setprio 2\ns_cvt_pk_rtz_f16_f32 s2, s2, s3\ns_cvt_pk_rtz_f16_f32 s6, s0, s1\nv_mov_b32 v0, s2\n"
    "v_mov_b32 v1, s6\n" END,
    AMD_WAVES_ALIKE},
   {"gfx1150",
    "s_add_f32 s6, s0, s1\ns_mul_f32 s6, s6, s2\ns_max_f32 s7, s6, s3\nv_mov_b32 v0, s6\nv_mov_b32 v1, s7\n" END,
    AMD_WAVES_ALIKE},
   {"gfx1150", "s_cvt_f32_u32 s6, s5\nv_mov_b32 v0, s6\nv_mov_b32 v1, s0\n" END, AMD_WAVES_DIFFER},
   {"gfx1150", "s_cvt_f32_u32 s6, exec_lo\nv_mov_b32 v0, s6\nv_mov_b32 v1, s0\n" END, AMD_WAVES_DIFFER},
   {"gfx1150", "s_add_f32 s6, s0, s1\nv_mov_b32 v1, s6\n" END, AMD_WAVES_DIFFER},
};

struct run {
   uint32_t first[2]; /* what the first lane of all exports */
   bool any, differ;
};

static void
start(void *user, uint32_t group, uint32_t wave, uint32_t slot, struct amd_wave_start *s)
{
   static const float floats[USER_SGPRS] = {0.3f, 2.7f, 1.1f, 77.7f};
   s->exec = UINT64_MAX << 8 * group;
   memcpy(s->sgpr, floats, sizeof(floats));
   s->sgpr[USER_SGPRS] = s->prim_mask = 0;
   s->sgpr[USER_SGPRS + 1] = group;
   s->sgpr_count = USER_SGPRS + 2;
   s->vgpr_count = 1;
   for (unsigned l = 0; l < LANES; l++)
      s->vgpr[0][l] = l;
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   struct run *run = user;
   assert_int_equal(result->count, 1);
   for (unsigned l = 0; l < LANES; l++) {
      const uint32_t value[2] = {result->exports[0].value[0][l], result->exports[0].value[1][l]};
      if (!(result->exports[0].exec >> l & 1))
         continue;
      if (!run->any)
         memcpy(run->first, value, sizeof(value));
      run->any = true;
      run->differ |= memcmp(run->first, value, sizeof(value)) != 0;
   }
}

static void
is_said_rightly(void **state)
{
   struct sim_vm *vm = sim_vm_create();
   struct sim_pool *pool = sim_pool_create(1);
   uint8_t *code = aligned_alloc(4096, 4096);
   assert_true(sim_vm_map(vm, sim_va(CODE_VA), 4096, code, SIM_READ | SIM_EXECUTE));
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct amd_wave_engine *engine = amd_wave_engine_create(pool);
      struct run run = {0};
      struct sim_fault fault = {0};
      const struct amd_wave_launch launch = {.stage = AMD_STAGE_PS,
                                             .vm = vm,
                                             .program = sim_va(CODE_VA),
                                             .wave_size = LANES,
                                             .float_mode = 0xf0,
                                             .vgpr_count = 8,
                                             .waves_per_group = 1,
                                             .group_count = WAVES,
                                             .chip = amd_chip_by_name(rows[i].chip),
                                             .user = &run,
                                             .start = start,
                                             .retire = retire};
      write_text_program(memset(code, 0, 4096), launch.chip->gen, true, rows[i].text);
      if (!amd_wave_run(engine, &launch, &fault))
         fail_msg("%s of\n%s", fault.message, rows[i].text);
      if (run.differ != (rows[i].alike == AMD_WAVES_DIFFER) ||
          amd_wave_alike(engine, &launch, USER_SGPRS) != rows[i].alike)
         fail_msg("program %u is another kind of:\n%s", i, rows[i].text);
      amd_wave_engine_destroy(engine);
   }
   sim_pool_destroy(pool);
   sim_vm_destroy(vm);
   free(code);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(is_said_rightly)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
