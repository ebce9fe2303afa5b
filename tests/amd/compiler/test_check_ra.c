/* The allocation check takes what the allocator makes and refuses it when one register in it is changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aco_random.h"
#include "amd/compiler/aco_ir.h"
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"

static struct aco_program *
allocate(struct arena *arena, uint32_t seed, const struct aco_options *options, const struct aco_args *args)
{
   struct nir_random_options random = {.seed = seed, .workgroup_size = 64, .subgroup_size = 32};
   struct nir_shader *nir = aco_random_shader(arena, &random);
   nir_lower_variables(nir);
   nir_optimize(nir);
   struct aco_program *program = aco_program_create(arena);
   program->options = options;
   program->args = args;
   program->out = arena_new(arena, struct aco_output);
   program->hw = aco_random_stage(nir).hw;
   program->stage = nir->stage;
   program->gen = AMD_GFX10_3;
   program->wave_size = 32;
   program->lm = ACO_S1;
   program->target = aco_target(program->gen);
   program->max_sgprs = program->scratch_sgpr = (uint16_t)(program->target->sgprs - 2);
   program->max_vgprs = 256;
   aco_lower_nir(program->target, nir, false);
   assert_true(aco_select(program, nir));
   aco_dead_code(program);
   aco_optimise(program);
   aco_spill(program);
   aco_register_allocation(program);
   assert_null(program->error);
   return program;
}

/* A register of the same kind that is not the same. */
static uint16_t
other_register(uint16_t reg)
{
   if (amd_is_vgpr(reg))
      return amd_vgpr((unsigned)(reg - AMD_VGPR0) ^ 1);
   return reg >= 100 ? (uint16_t)(reg - 4) : (uint16_t)(reg + 4);
}

static void
corrupted_reads(void **state)
{
   unsigned caught = 0;
   for (uint32_t seed = 0; seed < 25; seed++) {
      struct arena arena = {0};
      struct aco_options options = aco_test_options(32);
      struct aco_args args = aco_random_args();
      struct aco_program *program = allocate(&arena, seed, &options, &args);
      assert_null(aco_check_ra(program));
      uint64_t random = seed + 1;
      for (unsigned n = 0; n < 20; n++) {
         struct aco_block *block = program->blocks[nir_random_next(&random) % program->num_blocks];
         struct aco_instr *instr = block->count ? block->instrs[nir_random_next(&random) % block->count] : NULL;
         if (!instr || !instr->num_ops || instr->op == ACO_P_PHI || instr->op == ACO_P_LINEAR_PHI)
            continue;
         struct aco_operand *op = &instr->ops[nir_random_next(&random) % instr->num_ops];
         if (op->kind != ACO_OP_TEMP)
            continue;
         uint16_t right = op->reg;
         op->reg = other_register(right);
         const char *fault = aco_check_ra(program);
         if (!fault)
            fail_msg("seed %u: a read of register %u instead of %u passes", seed, op->reg, right);
         caught++;
         op->reg = right;
      }
      assert_null(aco_check_ra(program));
      arena_free(&arena);
   }
   assert_true(caught > 100);
}

static void
corrupted_results(void **state)
{
   unsigned caught = 0;
   for (uint32_t seed = 100; seed < 125; seed++) {
      struct arena arena = {0};
      struct aco_options options = aco_test_options(32);
      struct aco_args args = aco_random_args();
      struct aco_program *program = allocate(&arena, seed, &options, &args);
      uint64_t random = seed + 1;
      for (unsigned n = 0; n < 20; n++) {
         struct aco_block *block = program->blocks[nir_random_next(&random) % program->num_blocks];
         struct aco_instr *instr = block->count ? block->instrs[nir_random_next(&random) % block->count] : NULL;
         if (!instr || instr->num_defs != 1 || !instr->defs[0].temp || instr->defs[0].kill)
            continue;
         uint16_t right = instr->defs[0].reg;
         instr->defs[0].reg = other_register(right);
         if (!aco_check_ra(program))
            fail_msg("seed %u: a result in register %u instead of %u passes", seed, instr->defs[0].reg, right);
         caught++;
         instr->defs[0].reg = right;
      }
      arena_free(&arena);
   }
   assert_true(caught > 100);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(corrupted_reads),
      cmocka_unit_test(corrupted_results),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
