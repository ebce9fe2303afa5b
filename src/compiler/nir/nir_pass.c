/* What INDIUM_DEBUG may ask of each pass of a pipeline. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"
#include "util/log.h"
#include "util/macros.h"

/* Without these programs are slower, and right. The other passes bring shaders into the form that comes next. */
static const char *const optional[] = {"nir_opt_algebraic",
                                       "nir_opt_algebraic_late",
                                       "nir_opt_conditional_discard",
                                       "nir_opt_constant_folding",
                                       "nir_opt_copy_prop",
                                       "nir_opt_cse",
                                       "nir_opt_dead_cf",
                                       "nir_opt_load_store_vectorize",
                                       "nir_opt_loop_unroll",
                                       "nir_opt_pair_16bit",
                                       "nir_opt_peephole_select",
                                       "nir_opt_undef",
                                       "nir_remove_phis"};

static bool
is_optional(const char *pass)
{
   for (unsigned i = 0; i < ARRAY_SIZE(optional); i++) {
      if (!strcmp(optional[i], pass))
         return true;
   }
   return false;
}

static void
refuse(const char *pass)
{
   static atomic_flag reported = ATOMIC_FLAG_INIT;
   char known[512] = "";
   if (is_optional(pass) || atomic_flag_test_and_set(&reported))
      return;
   for (unsigned i = 0; i < ARRAY_SIZE(optional); i++)
      snprintf(known + strlen(known), sizeof(known) - strlen(known), "%s%s", i ? ", " : "", optional[i]);
   log_error("INDIUM_DEBUG: no pass \"%s\" can be left out; these can: %s", pass, known);
}

/* In one piece, as threads compile. */
static void
dump(const struct nir_shader *shader, const char *when, const char *pass)
{
   char *text = NULL;
   size_t size_B;
   FILE *file = open_memstream(&text, &size_B);
   if (!file)
      return;
   fprintf(file, "# %s %s, %s shader %s\n", when, pass, nir_stage_names[shader->stage],
           shader->name ? shader->name : "without a name");
   nir_print(shader, file);
   fclose(file);
   fputs(text, stderr);
   free(text);
}

bool
nir_pass_begin(struct nir_shader *shader, const char *pass)
{
   if (!shader->watched)
      return true;
   debug_named("no", refuse, NULL);
   if (is_optional(pass) && debug_named("no", NULL, pass))
      return false;
   if (debug_named("nir", NULL, pass))
      dump(shader, "before", pass);
   return true;
}

bool
nir_pass_end(struct nir_shader *shader, const char *pass, bool progress)
{
   if (!shader->watched)
      return progress;
   if (debug_named("nir", NULL, pass)) {
      if (progress)
         dump(shader, "after", pass);
      else
         fprintf(stderr, "# nothing changed by %s\n", pass);
   }
   const char *error = progress && debug_flag(DEBUG_VALIDATE) ? nir_validate(shader) : NULL;
   if (error) {
      log_error("nir: invalid after %s: %s", pass, error);
      nir_print(shader, stderr);
      abort();
   }
   return progress;
}
