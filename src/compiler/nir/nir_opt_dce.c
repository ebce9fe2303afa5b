/* Removes instructions whose values nobody needs: marks from those with effects, then sweeps. */
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"
#include "util/dynarray.h"
#include "util/within_memory.h"

static bool
has_effect(const struct nir_instr *instr)
{
   if (instr->type == NIR_INSTR_JUMP)
      return true;
   if (instr->type != NIR_INSTR_INTRINSIC)
      return false;
   const struct nir_intrinsic_info *info = &nir_intrinsic_infos[nir_as_intrinsic(instr)->op];
   if (!(info->flags & NIR_INTRINSIC_FLAG_ELIM))
      return true;
   return nir_intrinsic_has_access(nir_as_intrinsic(instr)) &&
          (nir_intrinsic_access(nir_as_intrinsic(instr)) & NIR_ACCESS_VOLATILE);
}

static bool
mark_src(struct nir_src *src, void *data)
{
   struct nir_instr *instr = src->def->parent;
   if (!instr->pass_flags) {
      instr->pass_flags = 1;
      dynarray_append((struct dynarray *)data, struct nir_instr *, instr);
   }
   return true;
}

static void
mark(struct nir_shader *shader, struct dynarray *work)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         instr->pass_flags = has_effect(instr);
         if (instr->pass_flags)
            dynarray_append(work, struct nir_instr *, instr);
      }
   }
   nir_foreach_block(block, shader) {
      struct nir_cf_node *next = nir_cf_next(&block->cf);
      if (next && next->type == NIR_CF_IF)
         mark_src(&nir_cf_as_if(next)->condition, work);
   }
   while (work->size_B)
      nir_foreach_src(dynarray_pop(work, struct nir_instr *), mark_src, work);
}

static bool
unlink_src(struct nir_src *src, void *data)
{
   nir_src_unlink(src);
   return true;
}

bool
nir_opt_dce(struct nir_shader *shader)
{
   bool progress = false;
   struct dynarray work = {};
   struct owned owned;
   own(&owned, dynarray_release, &work);
   mark(shader, &work);
   disown(&owned);
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (!instr->pass_flags)
            nir_foreach_src(instr, unlink_src, NULL);
      }
   }
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->pass_flags)
            continue;
         list_remove(&instr->link);
         instr->block = NULL;
         progress = true;
      }
   }
   return progress;
}
