#include "nir_try.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compiler/nir/nir_passes.h"
#include "nir_random.h"

static void
check_shader(struct arena *arena, struct nir_shader *shader, const char *text, bool optimize)
{
   const char *error = nir_validate(shader);
   if (error)
      fail_msg("%s\n%s", error, text);
   char *first = nir_shader_text(shader);
   shader = nir_parse(arena, first, &error);
   if (!shader)
      fail_msg("%s\n%s", error, first);
   char *second = nir_shader_text(shader);
   assert_string_equal(first, second);
   free(first);
   free(second);
   if (!optimize)
      return;
   nir_optimize(shader);
   nir_lower_to_lcssa(shader);
   nir_divergence_analysis(shader);
   error = nir_validate(shader);
   if (error)
      fail_msg("%s after optimising\n%s", error, text);
}

bool
nir_try_text(const char *text, bool optimize)
{
   struct arena arena = {};
   const char *error = NULL;
   struct nir_shader *shader = nir_parse(&arena, text, &error);
   if (shader)
      check_shader(&arena, shader, text, optimize);
   else
      assert_non_null(error);
   bool accepted = shader != NULL;
   arena_free(&arena);
   return accepted;
}
