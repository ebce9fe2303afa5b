#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"

/* Where a use takes place: a phi reads at the end of the predecessor. */
static const struct nir_cf_node *
place_of(const struct nir_src *src)
{
   if (src->parent_if)
      return &src->parent_if->cf;
   if (src->parent_instr->type != NIR_INSTR_PHI)
      return &src->parent_instr->block->cf;
   return &container_of(src, struct nir_phi_src, src)->pred->cf;
}

static bool
close_value(struct nir_shader *shader, struct nir_loop *loop, struct nir_def *def)
{
   struct nir_block *after = nir_cf_block_after(&loop->cf);
   struct nir_phi_instr *phi = NULL;
   nir_foreach_use_safe(use, def) {
      if (nir_cf_is_inside(place_of(use), loop) ||
          (use->parent_instr && use->parent_instr->type == NIR_INSTR_PHI && use->parent_instr->block == after))
         continue;
      if (!phi) {
         phi = nir_phi_create(shader);
         nir_def_init(shader, &phi->instr, &phi->def, def->num_components, def->bit_size);
         phi->def.divergent = loop->divergent || def->divergent;
         nir_instr_insert(nir_before_block(after), &phi->instr);
      }
      nir_src_rewrite(use, &phi->def);
   }
   for (uint32_t i = 0; phi && i < after->num_preds; i++)
      nir_phi_add_src(shader, phi, after->preds[i], def);
   return phi;
}

bool
nir_lower_to_lcssa(struct nir_shader *shader)
{
   bool progress = false;
   nir_compute_preds(shader);
   nir_foreach_block(block, shader) {
      if (!nir_cf_loop_around(&block->cf))
         continue;
      nir_foreach_instr(instr, block) {
         struct nir_def *def = nir_instr_def(instr);
         /* Constants and the like are the same everywhere; a phi of one loop may need one of the next. */
         if (!def || instr->type == NIR_INSTR_LOAD_CONST || instr->type == NIR_INSTR_UNDEF ||
             instr->type == NIR_INSTR_DEREF)
            continue;
         struct nir_loop *loop = nir_cf_loop_around(&block->cf);
         progress |= close_value(shader, loop, def);
      }
   }
   return progress;
}
