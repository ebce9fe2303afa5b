/* What helpers must not do: write to memory. The hardware's own do not (docs/quirks.md), so what is left are those
 * that a discard made, and samples that a shader of samples runs for though they are not covered. */
#include "compiler/nir/nir_cf.h"
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"
#include "util/dynarray.h"
#include "util/macros.h"
#include "util/within_memory.h"

static bool
writes_memory(enum nir_intrinsic_op op)
{
   switch ((int)op) {
   case NIR_INTRINSIC_store_ssbo:
   case NIR_INTRINSIC_ssbo_atomic:
   case NIR_INTRINSIC_ssbo_atomic_swap:
   case NIR_INTRINSIC_store_global:
   case NIR_INTRINSIC_global_atomic:
   case NIR_INTRINSIC_global_atomic_swap:
   case NIR_INTRINSIC_image_deref_store:
   case NIR_INTRINSIC_image_deref_atomic:
   case NIR_INTRINSIC_image_deref_atomic_swap:
      return true;
   default: /* others: read, or compute */
      return false;
   }
}

static struct nir_def *
is_helper(struct nir_builder *b, struct nir_variable *killed, bool per_sample)
{
   struct nir_def *helper = nir_load_helper_invocation(b);

   if (per_sample) {
      struct nir_def *covered = nir_load_sr_agx(b, 32, .base = AGX_SR_INPUT_SAMPLE_MASK);
      struct nir_def *bit = nir_ishl(b, nir_imm_int(b, 1), nir_load_sample_id(b));

      helper = nir_ior(b, helper, nir_ieq_imm(b, nir_iand(b, covered, bit), 0));
   }
   return killed ? nir_ior(b, helper, nir_load_var(b, killed)) : helper;
}

/* Moves the instruction into an if. */
static void
guard(struct nir_shader *shader, struct nir_intrinsic_instr *instr, struct nir_variable *killed, bool per_sample)
{
   struct nir_builder b = nir_builder_at(shader, nir_before_instr(&instr->instr));
   struct nir_if *nif = nir_push_if(&b, nir_inot(&b, is_helper(&b, killed, per_sample)));
   struct nir_block *then = nir_cf_list_first(&nif->then_list);
   bool has_def = nir_instr_def(&instr->instr) != NULL;

   list_remove(&instr->instr.link);
   list_add_tail(&instr->instr.link, &then->instrs);
   instr->instr.block = then;
   nir_pop_if(&b, nif);
   if (!has_def)
      return;
   struct nir_builder start = nir_builder_at(shader, nir_before_block(nir_first_block(shader)));
   struct nir_def *nothing = nir_imm_zero(&start, instr->def.num_components, instr->def.bit_size);
   struct nir_def *phi = nir_if_phi(&b, &instr->def, nothing);

   nir_foreach_use_safe(use, &instr->def) {
      if (use->parent_if || use->parent_instr != phi->parent)
         nir_src_rewrite(use, phi);
   }
}

bool
agx_nir_lower_helper_writes(struct nir_shader *shader, struct nir_variable *killed, bool per_sample)
{
   struct dynarray writes = {0};
   struct owned owned;

   own(&owned, dynarray_release, &writes);
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && writes_memory(nir_as_intrinsic(instr)->op))
            dynarray_append(&writes, struct nir_intrinsic_instr *, nir_as_intrinsic(instr));
      }
   }
   size_t count = dynarray_count(&writes, struct nir_intrinsic_instr *);
   for (size_t i = 0; i < count && (killed || per_sample); i++)
      guard(shader, *dynarray_at(&writes, struct nir_intrinsic_instr *, i), killed, per_sample);
   disown(&owned);
   return count > 0;
}
