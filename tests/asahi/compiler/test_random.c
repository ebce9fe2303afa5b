/* Random programs compile with many and with few registers, pass the validator and the allocation check; every
 * instruction of their code is one, and reads back to its bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agx_random.h"
#include "asahi/hw/isa.h"
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"
#include "share.h"

static void
check_code(uint32_t seed, const uint8_t *code, uint32_t code_B)
{
   for (uint32_t at = 0; at < code_B;) {
      struct agx_inst inst, again;
      char text[256];
      uint8_t bytes[AGX_INST_MAX_B];
      const unsigned size_B = agx_isa_decode(code + at, code_B - at, &inst);
      if (!size_B)
         fail_msg("seed %u: no instruction at byte %u", seed, at);
      agx_isa_print(&inst, text, sizeof(text));
      if (!agx_isa_parse(text, &again))
         fail_msg("seed %u: %s is no text of an instruction", seed, text);
      assert_int_equal(agx_isa_encode(&inst, bytes), size_B);
      assert_memory_equal(bytes, code + at, size_B);
      at += size_B;
   }
}

static void
compile_all(unsigned registers_h, uint32_t first, uint32_t count, unsigned statements)
{
   for (uint32_t seed = first; seed < first + test_share_of(count); seed++) {
      struct arena arena = {0};
      struct nir_random_options options = {
         .seed = seed, .workgroup_size = 64, .statements = statements, .only_exact_float = true};
      struct nir_shader *nir = agx_random_shader(&arena, &options);
      nir_lower_variables(nir);
      nir_optimize(nir);
      struct agx_options agx = agx_test_options();
      agx.registers_max_h = registers_h;
      struct agx_output out = {0};
      const char *error = NULL;
      if (getenv("AGX_TEST_PRINT"))
         nir_print(nir, stderr);
      if (!agx_compile(&arena, nir, &agx, &out, &error))
         fail_msg("seed %u: %s", seed, error);
      check_code(seed, out.code, out.code_B);
      arena_free(&arena);
   }
}

static void
many_registers(void **state)
{
   compile_all(0, 0, 300, 0);
}

static void
few_registers(void **state)
{
   compile_all(48, 2000, 100, 60);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_registers),
      cmocka_unit_test(few_registers),
   };
   cmocka_set_test_filter(getenv("AGX_TEST_VARIANT"));
   return cmocka_run_group_tests(tests, NULL, NULL);
}
