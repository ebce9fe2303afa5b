/* Each pass on a small program: golden/PASS[-variant].nir holds the input, a line "# becomes", and the output. Run
 * with UPDATE=1 in the environment to write the outputs anew; then read them before believing them. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir.h"
#include "compiler/nir/nir_clone.h"
#include "compiler/nir/nir_passes.h"
#include "util/macros.h"

static void
run_pass(struct nir_shader *shader, const char *name)
{
   static const struct {
      const char *name;
      bool (*run)(struct nir_shader *shader);
      /* clang-format off */
   } plain[] = {
#define PLAIN(pass) {#pass, nir_##pass}
      PLAIN(lower_initializers), PLAIN(lower_copies), PLAIN(lower_io_to_temporaries), PLAIN(lower_vars_to_ssa),
      PLAIN(lower_vars_to_scratch), PLAIN(lower_shared), PLAIN(lower_explicit_io), PLAIN(lower_io),
      PLAIN(lower_alu_ops), PLAIN(lower_alu_to_scalar), PLAIN(lower_phis_to_scalar), PLAIN(opt_conditional_discard),
      PLAIN(opt_constant_folding), PLAIN(opt_algebraic), PLAIN(opt_algebraic_late), PLAIN(opt_copy_prop),
      PLAIN(opt_cse), PLAIN(opt_dce), PLAIN(opt_dead_cf), PLAIN(opt_undef), PLAIN(remove_phis),
      PLAIN(opt_load_store_vectorize), PLAIN(opt_pair_16bit), PLAIN(lower_to_lcssa), PLAIN(propagate_invariant)
   };
   /* clang-format on */
   for (unsigned i = 0; i < ARRAY_SIZE(plain); i++) {
      if (!strcmp(plain[i].name, name)) {
         assert_true(plain[i].run(shader));
         return;
      }
   }
   if (!strcmp(name, "lower_indirect_derefs"))
      assert_true(nir_lower_indirect_derefs(shader, 16));
   else if (!strcmp(name, "opt_peephole_select"))
      assert_true(nir_opt_peephole_select(shader, 4));
   else if (!strcmp(name, "opt_loop_unroll"))
      assert_true(nir_opt_loop_unroll(shader, 100));
   else if (!strcmp(name, "optimize"))
      nir_optimize(shader);
   else if (!strcmp(name, "lower_variables"))
      nir_lower_variables(shader);
   else
      fail_msg("no pass %s", name);
}

static char *
read_text(const char *path)
{
   FILE *file = fopen(path, "r");
   assert_non_null(file);
   char *text = calloc(1, 1 << 18);
   size_t length = fread(text, 1, (1 << 18) - 1, file);
   text[length] = 0;
   fclose(file);
   return text;
}

static char *
print(struct nir_shader *shader)
{
   char *text = NULL;
   size_t size_B;
   FILE *stream = open_memstream(&text, &size_B);
   nir_print(shader, stream);
   fclose(stream);
   return text;
}

/* It reads the same, and passes may change it. */
static void
check_clone(struct nir_shader *shader, const char *name, const char *pass)
{
   struct nir_shader *copy = nir_clone_shader(shader);
   char *texts[] = {print(shader), print(copy)};
   const char *error = nir_validate(copy);
   if (error)
      fail_msg("%s, cloned: %s", name, error);
   if (strcmp(texts[0], texts[1]))
      fail_msg("%s: the copy is\n%s", name, texts[1]);
   free(texts[0]);
   free(texts[1]);
   run_pass(copy, pass);
   error = nir_validate(copy);
   if (error)
      fail_msg("the copy of %s: %s", name, error);
}

static void
check_file(const char *path, const char *name)
{
   static const char separator[] = "# becomes\n";
   struct arena arena = {};
   char pass[64] = {}, *text = read_text(path), *output;
   strncpy(pass, name, strcspn(name, "-."));
   char *expected = strstr(text, separator);
   size_t input_B = expected ? (size_t)(expected - text) : strlen(text);
   char *input = strndup(text, input_B);
   const char *error;
   struct nir_shader *shader = nir_parse(&arena, input, &error);
   if (!shader)
      fail_msg("%s: %s", name, error);
   run_pass(shader, pass);
   error = nir_validate(shader);
   if (error)
      fail_msg("%s: %s", name, error);
   check_clone(nir_parse(&arena, input, &error), name, pass);
   output = print(shader);
   if (getenv("UPDATE")) {
      FILE *file = fopen(path, "w");
      fprintf(file, "%s%s%s", input, separator, output);
      fclose(file);
   } else {
      assert_non_null(expected);
      if (strcmp(expected + strlen(separator), output))
         fail_msg("%s: became\n%s", name, output);
   }
   free(input);
   free(text);
   free(output);
   arena_free(&arena);
}

static void
golden(void **state)
{
   DIR *folder = opendir(GOLDEN_FOLDER);
   assert_non_null(folder);
   unsigned count = 0;
   for (struct dirent *entry; (entry = readdir(folder));) {
      char path[512];
      if (!strstr(entry->d_name, ".nir"))
         continue;
      snprintf(path, sizeof(path), "%s/%s", GOLDEN_FOLDER, entry->d_name);
      check_file(path, entry->d_name);
      count++;
   }
   closedir(folder);
   assert_true(count >= 25);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(golden)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
