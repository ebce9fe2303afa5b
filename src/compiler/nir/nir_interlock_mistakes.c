/* Wrong placements of ordered sections, for tests that must find them. Not in ordinary builds. */
#include "compiler/nir/nir_ordered_section.h"
#include "util/mutant.h"

static bool
is_op(const struct nir_instr *instr, enum nir_intrinsic_op a, enum nir_intrinsic_op b)
{
   if (instr->type != NIR_INSTR_INTRINSIC)
      return false;
   enum nir_intrinsic_op op = nir_as_intrinsic((struct nir_instr *)instr)->op;
   return op == a || op == b;
}

static void
move_after(struct nir_instr *instr, struct nir_instr *place)
{
   list_remove(&instr->link);
   list_add_after(&instr->link, &place->link);
   instr->block = place->block;
}

static struct nir_instr *
first(const struct nir_ordered_section *section, enum nir_intrinsic_op op)
{
   nir_foreach_block(block, section->shader) {
      nir_foreach_instr(instr, block) {
         if (is_op(instr, op, op))
            return instr;
      }
   }
   return NULL;
}

static struct nir_instr *
first_load(const struct nir_ordered_section *section)
{
   bool inside = false;
   nir_foreach_instr(instr, section->enter->block) {
      if (inside && is_op(instr, NIR_INTRINSIC_load_ssbo, NIR_INTRINSIC_image_load))
         return instr;
      inside |= instr == section->enter;
   }
   return NULL;
}

static struct nir_instr *
last_store(const struct nir_ordered_section *section)
{
   struct nir_instr *store = NULL;
   nir_foreach_instr(instr, section->leave->block) {
      if (instr == section->leave)
         break;
      if (is_op(instr, NIR_INTRINSIC_store_ssbo, NIR_INTRINSIC_image_store))
         store = instr;
   }
   return store;
}

void
nir_interlock_mistakes(const struct nir_ordered_section *section, bool layers)
{
   struct nir_instr *load = first_load(section), *store = last_store(section);
   struct nir_instr *begin = first(section, NIR_INTRINSIC_begin_invocation_interlock);
   struct nir_instr *end = first(section, NIR_INTRINSIC_end_invocation_interlock);
   if (mutant("loads-hoisted") && load)
      move_after(section->enter, load);
   if (mutant("stores-sunk") && store)
      move_after(store, section->leave);
   if (mutant("entered-in-branch") && begin && !layers) /* a loop must hold both */
      move_after(section->enter, begin);
   if (mutant("release-early") && end)
      move_after(section->leave, end);
}
