/* Whatever an invariant output is computed from becomes exact, so that two shaders with the same expression give the
 * same bits. While an output is invariant, so are the conditions that decide which value it gets. */
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"
#include "util/dynarray.h"
#include "util/within_memory.h"

static bool
add_src(struct nir_src *src, void *data)
{
   struct nir_instr *instr = src->def->parent;
   if (!instr->pass_flags) {
      instr->pass_flags = 1;
      dynarray_append((struct dynarray *)data, struct nir_instr *, instr);
   }
   return true;
}

static bool
is_invariant_store(const struct nir_instr *instr)
{
   if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_store_deref)
      return false;
   const struct nir_variable *variable = nir_deref_variable(nir_src_as_deref(nir_as_intrinsic(instr)->src[0]));
   return variable && variable->mode == NIR_VAR_SHADER_OUT && variable->invariant;
}

static void
collect(struct nir_shader *shader, struct dynarray *work)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block)
         instr->pass_flags = 0;
   }
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (is_invariant_store(instr))
            add_src(&nir_as_intrinsic(instr)->src[1], work);
      }
   }
   if (!work->size_B)
      return;
   nir_foreach_block(block, shader) {
      struct nir_cf_node *next = nir_cf_next(&block->cf);
      if (next && next->type == NIR_CF_IF)
         add_src(&nir_cf_as_if(next)->condition, work);
   }
}

bool
nir_propagate_invariant(struct nir_shader *shader)
{
   bool progress = false;
   struct dynarray work = {};
   struct owned owned;
   own(&owned, dynarray_release, &work);
   collect(shader, &work);
   while (work.size_B) {
      struct nir_instr *instr = dynarray_pop(&work, struct nir_instr *);
      if (instr->type == NIR_INSTR_ALU && !nir_as_alu(instr)->exact)
         nir_as_alu(instr)->exact = progress = true;
      nir_foreach_src(instr, add_src, &work);
   }
   disown(&owned);
   return progress;
}
