#include "amd/common/ac_mutant.h"

#include "util/mutant_row.h"

void
ac_mutate(enum amd_gen gen, enum ac_mutant_descriptor kind, uint32_t *words, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      const struct mutant_object object = {.number = kind + 4 * i, .gen = gen, .data = &words[i]};
      mutate(ac_descriptor_rows, num_ac_descriptor_rows, &object);
   }
}
