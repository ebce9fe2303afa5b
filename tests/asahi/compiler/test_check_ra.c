/* The allocation check takes what the allocator makes and refuses it when one register in it is changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agx_random.h"
#include "asahi/compiler/agx_ir.h"
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"

static struct agx_ir *
allocate(struct arena *arena, uint32_t seed, const struct agx_options *options)
{
   const struct nir_random_options random = {
      .seed = seed, .workgroup_size = 64, .subgroup_size = 32, .only_exact_float = true};
   struct nir_shader *nir = agx_random_shader(arena, &random);
   nir_lower_variables(nir);
   nir_optimize(nir);
   struct agx_output *out = arena_new(arena, struct agx_output);
   struct agx_ir *ir = agx_ir_create(arena, options), *preamble = agx_ir_create(arena, options);
   ir->out = preamble->out = out;
   ir->stage = preamble->stage = nir->stage;
   preamble->is_preamble = true;
   agx_lower_nir(nir, options);
   assert_true(agx_select(ir, preamble, nir));
   agx_optimise(ir);
   agx_dead_code(ir);
   agx_spill(ir);
   agx_regalloc(ir);
   assert_null(ir->error);
   return ir;
}

/* A random operand that is a value; results: of those that are read. */
static struct agx_ref *
some_operand(const struct agx_ir *ir, bool results, uint64_t *random)
{
   const struct agx_block *block = ir->blocks[nir_random_next(random) % ir->num_blocks];
   struct agx_instr *instr = block->count ? block->instrs[nir_random_next(random) % block->count] : NULL;
   const unsigned count = !instr ? 0 : results ? instr->num_dsts : instr->num_srcs;
   /* What a collect leaves stands in its sources, too: elsewhere it is no fault. */
   if (!count || instr->op == AGX_P_PHI || (results && agx_is_pseudo(instr)))
      return NULL;
   struct agx_ref *ref = &(results ? instr->dsts : instr->srcs)[nir_random_next(random) % count];
   return ref->kind != AGX_SSA || (results && ref->kill) ? NULL : ref;
}

static void
corrupted(bool results)
{
   unsigned caught = 0;
   for (uint32_t seed = 0; seed < 25; seed++) {
      struct arena arena = {0};
      const struct agx_options options = agx_test_options();
      struct agx_ir *ir = allocate(&arena, seed, &options);
      assert_null(agx_check_ra(ir));
      uint64_t random = seed + 1;
      for (unsigned n = 0; n < 20; n++) {
         struct agx_ref *ref = some_operand(ir, results, &random);
         if (!ref)
            continue;
         const uint16_t right = ref->reg;
         ref->reg = (uint16_t)(right ^ agx_alignment(ref->size));
         if (!agx_check_ra(ir))
            fail_msg("seed %u: register %u instead of %u passes", seed, ref->reg, right);
         caught++;
         ref->reg = right;
      }
      assert_null(agx_check_ra(ir));
      arena_free(&arena);
   }
   assert_true(caught > 100);
}

static void
corrupted_reads(void **state)
{
   (void)state;
   corrupted(false);
}

static void
corrupted_results(void **state)
{
   (void)state;
   corrupted(true);
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
