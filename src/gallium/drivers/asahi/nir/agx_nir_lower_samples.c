/* Shading by samples: a fragment program runs once for a pixel, so that its body becomes a loop.
 * Of programs made of parts, the parts are in one together (agx_shader_complete.c). */
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"

static struct nir_def *
sample_id(struct nir_builder *b, const struct agx_fragment_key *key, struct nir_variable *sample)
{
   if (sample)
      return nir_load_var(b, sample);
   return key->per_sample ? nir_load_register_agx(b, .base = AGX_PART_SAMPLE_H) : nir_imm_int(b, 0);
}

static void
replace_sample_id(struct nir_shader *shader, const struct agx_fragment_key *key, struct nir_variable *sample)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_sample_id)
            continue;
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));

         nir_def_replace(&nir_as_intrinsic(instr)->def, sample_id(&b, key, sample));
         nir_instr_remove(instr);
      }
   }
}

/* Everything goes into the else side of an if at the start of an endless loop, which is left when the samples are
 * done:  loop { if (sample >= samples) break; else { body; sample++ } } */
static struct nir_if *
build_loop(struct nir_shader *shader, struct nir_variable *sample, unsigned samples)
{
   struct nir_builder b = nir_builder_at(shader, nir_before_block(nir_first_block(shader)));

   nir_store_var(&b, sample, nir_imm_int(&b, 0), 1);
   struct nir_loop *loop = nir_push_loop(&b);
   struct nir_if *nif = nir_push_if(&b, nir_uge(&b, nir_load_var(&b, sample), nir_imm_int(&b, (int32_t)samples)));

   nir_break(&b);
   nir_pop_if(&b, nif);
   nir_pop_loop(&b, loop);
   return nif;
}

/* The nodes after the loop, all but nothing: the shader ends with an empty block instead. */
static void
move_body(struct nir_shader *shader, struct nir_if *nif, struct nir_cf_node *loop)
{
   struct nir_block *end = nir_block_split(shader, nir_after_block(nir_cf_list_last(&shader->body)));
   struct nir_cf_node *node = nir_cf_next(loop), *next;

   list_remove(&nir_cf_list_first(&nif->else_list)->cf.link);
   for (; node != &end->cf; node = next) {
      next = nir_cf_next(node);
      list_remove(&node->link);
      nir_cf_link(node, &nif->cf, &nif->else_list, nif->else_list.prev);
   }
}

void
agx_nir_lower_samples(struct nir_shader *shader, const struct agx_fragment_key *key)
{
   if (!key->per_sample || key->open) {
      replace_sample_id(shader, key, NULL);
      return;
   }
   struct nir_variable *sample =
      nir_variable_create(shader, NIR_VAR_FUNCTION_TEMP, nir_type_vector(NIR_TYPE_UINT, 32, 1), "sample");
   struct nir_if *nif = build_loop(shader, sample, key->tile.samples);

   move_body(shader, nif, nif->cf.parent);
   struct nir_builder b = nir_builder_at(shader, nir_after_block(nir_cf_list_last(&nif->else_list)));

   nir_store_var(&b, sample, nir_iadd_imm(&b, nir_load_var(&b, sample), 1), 1);
   replace_sample_id(shader, key, sample);
}
