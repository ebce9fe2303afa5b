/* Removes instructions whose values nobody needs: marks those with effects, then, from the end to the start, what
 * marked ones read, then sweeps. */
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"

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

#define MARKED 1u
#define PASSED 2u /* without a mark */
#define READ 4u   /* its sources have marks */

struct marks {
   unsigned missing; /* instructions without a mark */
   bool late;        /* some got theirs after its visit: phis of loops read what comes later */
};

static bool
mark_src(struct nir_src *src, void *data)
{
   struct marks *marks = data;
   struct nir_instr *instr = src->def->parent;
   if (!(instr->pass_flags & MARKED)) {
      marks->missing--;
      marks->late |= instr->pass_flags & PASSED;
      instr->pass_flags |= MARKED;
   }
   return true;
}

static void
mark_block(struct nir_block *block, struct marks *marks)
{
   for (struct list_head *link = block->instrs.prev; link != &block->instrs; link = link->prev) {
      struct nir_instr *instr = list_entry(link, struct nir_instr, link);
      if (!(instr->pass_flags & MARKED)) {
         instr->pass_flags = PASSED;
      } else if (!(instr->pass_flags & READ)) {
         instr->pass_flags |= READ;
         nir_foreach_src(instr, mark_src, marks);
      }
   }
}

static void
mark_list(const struct list_head *list, struct marks *marks)
{
   for (struct list_head *link = list->prev; link != list; link = link->prev) {
      struct nir_cf_node *node = list_entry(link, struct nir_cf_node, link);
      if (node->type == NIR_CF_BLOCK) {
         mark_block(nir_cf_as_block(node), marks);
      } else if (node->type == NIR_CF_IF) {
         mark_list(&nir_cf_as_if(node)->else_list, marks);
         mark_list(&nir_cf_as_if(node)->then_list, marks);
         mark_src(&nir_cf_as_if(node)->condition, marks);
      } else {
         mark_list(&nir_cf_as_loop(node)->body, marks);
      }
   }
}

static bool
unlink_src(struct nir_src *src, void *data)
{
   nir_src_unlink(src);
   return true;
}

static void
sweep(struct nir_shader *shader)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->pass_flags & MARKED)
            continue;
         nir_foreach_src(instr, unlink_src, NULL);
         list_remove(&instr->link);
         instr->block = NULL;
      }
   }
}

bool
nir_opt_dce(struct nir_shader *shader)
{
   struct marks marks = {0};
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         instr->pass_flags = has_effect(instr) ? MARKED : 0;
         marks.missing += !instr->pass_flags;
      }
   }
   do {
      marks.late = false;
      mark_list(&shader->body, &marks);
   } while (marks.late);
   if (marks.missing)
      sweep(shader);
   return marks.missing;
}
