/* Prints compiled random programs for the comparison with LLVM: per program a line of its words, then its listing.
 * Usage: aco_dump WAVE_SIZE FIRST_SEED COUNT */
#include <stdlib.h>

#include "aco_random.h"
#include "compiler/nir/nir_passes.h"

int
main(int argc, char **argv)
{
   if (argc != 4)
      return 2;
   unsigned wave_size = (unsigned)atoi(argv[1]), first = (unsigned)atoi(argv[2]), count = (unsigned)atoi(argv[3]);
   for (uint32_t seed = first; seed < first + count; seed++) {
      struct arena arena = {0};
      struct nir_random_options options = {.seed = seed, .workgroup_size = 64, .subgroup_size = wave_size};
      struct nir_shader *nir = aco_random_shader(&arena, &options);
      nir_lower_variables(nir);
      nir_optimize(nir);
      struct aco_args args = aco_random_args();
      struct aco_options aco = aco_test_options(wave_size);
      aco.listing = true;
      struct aco_output out;
      const char *error;
      if (!aco_compile(&arena, nir, &args, &aco, &out, &error)) {
         fprintf(stderr, "seed %u: %s\n", seed, error);
         return 1;
      }
      printf("code");
      for (unsigned i = 0; i < out.exec_dw; i++)
         printf(" %08x", out.code[i]);
      printf("\n%s", out.listing);
      arena_free(&arena);
   }
   return 0;
}
