/* Inputs of fragments are what the barycentrics make of P0, P10 and P20, also where lanes have parted, and what the
 * lanes elsewhere hold survives. ACO_TEST_CHIP says on which chip. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aco_random.h"
#include "amd/sim/wave/wave.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "sim/waves/pool.h"

enum { CODE_VA = 0x10000, OUT_VA = 0x20000, PAGE_B = 4096, CODE_B = 4 * PAGE_B };
enum { PRIMS = 3, ATTRS = 3, KEPT = 12, WORDS = 4 + KEPT, PRIM_MASK = 0x1234500, USER_SGPRS = 10 };

/* Small numbers, so that sums of products are exact. */
static float
param(unsigned prim, unsigned attr, unsigned chan, unsigned vertex)
{
   return (float)((prim * 37 + attr * 11 + chan * 5 + vertex * 3) % 29);
}

static float
barycentric(unsigned lane, unsigned which)
{
   return (float)((lane * (which ? 3 : 5)) % 8) / 8.0f;
}

static unsigned
prim_of(unsigned lane)
{
   return lane / 4 % PRIMS;
}

/* Some quads whole, some in part, some not there. */
static bool
runs(unsigned lane)
{
   return (0x7ff00f6b37f1d0e8 >> lane) & 1;
}

static struct nir_def *
input(struct nir_builder *b, struct nir_def *ij, unsigned slot, unsigned chan)
{
   struct nir_def *zero = nir_imm_int(b, 0);
   if (!ij)
      return nir_load_input(b, 1, 32, zero, .slot = NIR_SLOT_VAR0 + slot, .component = chan,
                            .src_type = NIR_TYPE_FLOAT);
   return nir_load_interpolated_input(b, 1, 32, ij, zero, .slot = NIR_SLOT_VAR0 + slot, .component = chan);
}

/* Odd lanes go one way and load two inputs, even ones the other and add to what they have kept. */
static struct nir_shader *
shader(struct arena *arena)
{
   struct nir_shader *nir = nir_shader_create(arena, NIR_STAGE_FRAGMENT);
   struct nir_builder build = nir_builder_create(nir), *b = &build;
   struct nir_def *lane = nir_load_subgroup_invocation(b), *kept[KEPT], *result[WORDS], *out[WORDS];
   struct nir_def *ij = nir_load_barycentric_pixel(b, .interp = NIR_INTERP_SMOOTH);
   for (unsigned i = 0; i < KEPT; i++)
      kept[i] = nir_imul_imm(b, nir_iadd_imm(b, lane, i), 2 * i + 3);
   out[0] = input(b, ij, 0, 1);
   out[1] = input(b, NULL, 1, 2);
   struct nir_if *nif = nir_push_if(b, nir_ine(b, nir_iand_imm(b, lane, 1), nir_imm_int(b, 0)));
   result[2] = input(b, ij, 0, 3);
   result[3] = input(b, NULL, 2, 0);
   nir_push_else(b, nif);
   struct nir_def *other[WORDS] = {0};
   for (unsigned i = 0; i < KEPT; i++)
      other[4 + i] = nir_ixor(b, kept[i], nir_imul(b, kept[(i + 1) % KEPT], kept[i]));
   other[2] = input(b, ij, 2, 1);
   other[3] = lane;
   nir_pop_if(b, nif);
   for (unsigned i = 2; i < WORDS; i++)
      out[i] = nir_if_phi(b, i < 4 ? result[i] : lane, other[i]);
   struct nir_def *desc = nir_load_scalar_arg(b, 4, .base = 0);
   for (unsigned i = 0; i < WORDS; i++)
      nir_store_ssbo(b, out[i], desc, nir_iadd_imm(b, nir_imul_imm(b, lane, WORDS * 4), 4 * i), .align_mul = 4,
                     .write_mask = 1);
   assert_null(nir_validate(nir));
   return nir;
}

static float
interpolated(unsigned lane, unsigned attr, unsigned chan)
{
   unsigned prim = prim_of(lane);
   return param(prim, attr, chan, 0) + barycentric(lane, 0) * param(prim, attr, chan, 1) +
          barycentric(lane, 1) * param(prim, attr, chan, 2);
}

static uint32_t
expected(unsigned lane, unsigned word)
{
   float value = 0;
   bool odd = lane & 1;
   if (!runs(lane))
      return 0;
   if (word >= 4 && odd)
      return lane;
   if (word >= 4) {
      unsigned i = word - 4, next = (i + 1) % KEPT;
      uint32_t kept = (lane + i) * (2 * i + 3);
      return kept ^ (lane + next) * (2 * next + 3) * kept;
   }
   if (word == 3 && !odd)
      return lane;
   if (word == 0)
      value = interpolated(lane, 0, 1);
   else if (word == 1)
      value = param(prim_of(lane), 1, 2, 0);
   else if (word == 2)
      value = odd ? interpolated(lane, 0, 3) : interpolated(lane, 2, 1);
   else
      value = param(prim_of(lane), 2, 0, 0);
   uint32_t bits;
   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

static float params[PRIMS][ATTRS][4][3];

static void
start_wave(void *user, uint32_t group, uint32_t wave, uint32_t scratch_slot, struct amd_wave_start *start)
{
   const struct aco_output *program = user;
   const uint32_t desc[4] = {OUT_VA, 0, PAGE_B, 4 | 5 << 3 | 6 << 6 | 7 << 9 | 22u << 12 | 3u << 28};
   memcpy(start->sgpr, desc, sizeof(desc));
   start->sgpr_count = USER_SGPRS + 1;
   start->sgpr[USER_SGPRS] = start->prim_mask = PRIM_MASK;
   start->vgpr_count = 2;
   for (unsigned lane = 0; lane < program->wave_size; lane++) {
      for (unsigned i = 0; i < 2; i++) {
         float value = barycentric(lane, i);
         memcpy(&start->vgpr[i][lane], &value, sizeof(value));
      }
      start->exec |= (uint64_t)runs(lane) << lane;
      start->params.quad_prim[lane / 4] = (uint8_t)prim_of(lane);
   }
   start->params.data = &params[0][0][0][0];
   start->params.attr_count = ATTRS;
}

static void
check_output(const struct aco_output *program)
{
   struct sim_pool *pool = sim_pool_create(1);
   struct amd_wave_engine *engine = amd_wave_engine_create(pool);
   struct sim_vm *vm = sim_vm_create();
   uint8_t *code = aligned_alloc(PAGE_B, CODE_B);
   uint32_t *out = aligned_alloc(PAGE_B, PAGE_B);
   struct sim_fault fault = {0};
   assert_true(program->code_dw * 4 <= CODE_B);
   memcpy(code, program->code, program->code_dw * 4);
   memset(out, 0, PAGE_B);
   assert_true(sim_vm_map(vm, sim_va(CODE_VA), CODE_B, code, SIM_READ | SIM_EXECUTE));
   assert_true(sim_vm_map(vm, sim_va(OUT_VA), PAGE_B, out, SIM_READ | SIM_WRITE));
   const struct amd_wave_launch launch = {
      .stage = AMD_STAGE_PS,
      .name = "inputs",
      .vm = vm,
      .chip = aco_test_chip(),
      .program = sim_va(CODE_VA),
      .wave_size = (uint8_t)program->wave_size,
      .float_mode = program->float_mode,
      .dx10_clamp = true,
      .vgpr_count = (uint16_t)((program->num_vgprs + 7) / 8 * 8),
      .waves_per_group = 1,
      .group_count = 1,
      .user = (void *)program,
      .start = start_wave,
   };
   if (!amd_wave_run(engine, &launch, &fault))
      fail_msg("wave%u: %s\n%s", program->wave_size, fault.message, program->listing);
   for (unsigned lane = 0; lane < program->wave_size; lane++) {
      for (unsigned i = 0; i < WORDS; i++) {
         if (out[lane * WORDS + i] != expected(lane, i))
            fail_msg("wave%u: lane %u, word %u: expected 0x%x, found 0x%x\n%s", program->wave_size, lane, i,
                     expected(lane, i), out[lane * WORDS + i], program->listing);
      }
   }
   sim_vm_destroy(vm);
   amd_wave_engine_destroy(engine);
   sim_pool_destroy(pool);
   free(code);
   free(out);
}

static void
check(unsigned wave_size, bool no_optimise)
{
   struct arena arena = {0};
   struct aco_options options = aco_test_options(wave_size);
   struct aco_output program;
   const char *error;
   options.listing = true;
   options.no_optimise = no_optimise;
   const struct aco_stage stage = aco_random_stage(shader(&arena));
   if (!aco_compile(&arena, &stage, &options, &program, &error))
      fail_msg("%s", error);
   assert_int_equal(program.ps.input_ena, 1 << 1);
   assert_int_equal(program.ps.num_inputs, ATTRS);
   check_output(&program);
   arena_free(&arena);
}

static void
of_waves(void **state)
{
   for (unsigned prim = 0; prim < PRIMS; prim++)
      for (unsigned attr = 0; attr < ATTRS; attr++)
         for (unsigned i = 0; i < 12; i++)
            params[prim][attr][i / 3][i % 3] = param(prim, attr, i / 3, i % 3);
   for (unsigned wave_size = 32; wave_size <= 64; wave_size *= 2) {
      check(wave_size, false);
      check(wave_size, true);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(of_waves)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
