#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"

/* A chain of derefs that ends in nothing. */
static void
remove_dead_derefs(struct nir_shader *shader)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_DEREF)
            continue;
         struct nir_deref_instr *deref = nir_as_deref(instr);
         while (deref && list_is_empty(&deref->def.uses)) {
            struct nir_deref_instr *parent = nir_deref_parent(deref);
            nir_instr_remove(&deref->instr);
            deref = parent; /* stands before: the iteration is after it */
         }
      }
   }
}

bool
nir_remove_dead_variables(struct nir_shader *shader, uint32_t modes)
{
   bool progress = false;
   remove_dead_derefs(shader);
   /* The index serves as the mark: variables that a deref names keep the top bit for a moment. */
   const uint32_t mark = 1u << 31;
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_DEREF && nir_as_deref(instr)->deref_type == NIR_DEREF_VAR)
            nir_as_deref(instr)->var->index |= mark;
      }
   }
   list_for_each_safe(struct nir_variable, variable, &shader->variables, link) {
      if (!(variable->index & mark) && (variable->mode & modes)) {
         list_remove(&variable->link);
         progress = true;
      }
      variable->index &= ~mark;
   }
   return progress;
}
