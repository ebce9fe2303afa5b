/* Queries of generated primitives in NGG: waves add what they have to counters in memory, because the geometry engine
 * does not count there. Source: RADV. */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_cf.h"
#include "gallium/drivers/radeonsi/shader/si_nir_geometry.h"
#include "gallium/drivers/radeonsi/si_abi.h"

enum { SUBGROUP_SGPR = 2, WAVE_INFO_SGPR = 3, COUNTER_B = 8 };

static struct nir_def *
bits(struct nir_builder *b, struct nir_def *word, unsigned first, unsigned count)
{
   return nir_iand_imm(b, nir_ushr_imm(b, word, first), (1u << count) - 1);
}

static struct nir_def *
address_low(struct nir_builder *b)
{
   return nir_load_scalar_arg(b, 1, .base = SI_SGPR_VS_GENERATED);
}

/* By one lane. */
static void
add(struct nir_builder *b, const struct si_nir_options *options, unsigned stream, struct nir_def *count)
{
   struct nir_def *halves[] = {nir_iadd_imm(b, address_low(b), COUNTER_B * stream),
                               nir_imm_int(b, (int32_t)options->address32_hi)};
   struct nir_def *words[] = {count, nir_imm_int(b, 0)};

   nir_global_atomic(b, nir_pack_64_2x32(b, nir_vec(b, halves, 2)), nir_pack_64_2x32(b, nir_vec(b, words, 2)),
                     .atomic_op = NIR_ATOMIC_iadd);
}

/* The first wave knows how many the subgroup has; its first lane has a vertex. */
void
si_nir_count_generated(struct nir_shader *shader, const struct si_nir_options *options)
{
   struct nir_builder b = nir_builder_at(shader, nir_before_block(nir_first_block(shader)));
   struct nir_def *wave = bits(&b, nir_load_system_sgpr_amd(&b, .base = WAVE_INFO_SGPR), 24, 4);
   struct nir_def *first = nir_ieq_imm(&b, nir_ior(&b, wave, nir_load_subgroup_invocation(&b)), 0);

   nir_push_if(&b, nir_iand(&b, first, nir_ine_imm(&b, address_low(&b), 0)));
   add(&b, options, 0, bits(&b, nir_load_system_sgpr_amd(&b, .base = SUBGROUP_SGPR), 22, 9));
   nir_pop_if(&b, NULL);
}

void
si_nir_count_emitted(struct nir_builder *b, const struct si_nir_options *options,
                     struct nir_def *const flags[NIR_XFB_STREAMS])
{
   nir_push_if(b, nir_ine_imm(b, address_low(b), 0));
   for (unsigned s = 0; s < NIR_XFB_STREAMS; s++) {
      if (!flags[s])
         continue;
      struct nir_def *completes = nir_ine_imm(b, nir_iand_imm(b, flags[s], SI_EMITTED_COMPLETES), 0);
      struct nir_def *count = nir_ballot_bit_count_reduce(b, nir_ballot(b, completes));

      nir_push_if(b, nir_ieq_imm(b, nir_load_subgroup_invocation(b), 0));
      add(b, options, s, count);
      nir_pop_if(b, NULL);
   }
   nir_pop_if(b, NULL);
}
