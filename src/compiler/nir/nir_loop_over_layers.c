/* Overlapping invocations of one wave take turns:
 *
 *    enter_ordered_section
 *    for (turn = 0; turn < layers; turn++)
 *       if (layer == turn)
 *          ... the section ...
 *    leave_ordered_section */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_ordered_section.h"
#include "util/dynarray.h"
#include "util/within_memory.h"

static struct nir_variable *
temporary(struct nir_shader *shader, unsigned bit_size, unsigned components)
{
   enum nir_base_type base = bit_size == 1 ? NIR_TYPE_BOOL : NIR_TYPE_UINT;
   return nir_variable_create(shader, NIR_VAR_FUNCTION_TEMP, nir_type_vector(base, bit_size, components), NULL);
}

/* An empty loop of the turns after the cursor; returns the if for the section. */
static struct nir_if *
build_turns(struct nir_shader *shader, struct nir_cursor cursor)
{
   struct nir_builder b = nir_builder_at(shader, cursor);
   struct nir_variable *turn = temporary(shader, 32, 1);
   struct nir_def *layers = nir_load_section_layers(&b), *layer = nir_load_section_layer(&b);
   nir_store_var(&b, turn, nir_imm_int(&b, 0), 1);
   struct nir_loop *loop = nir_push_loop(&b);
   struct nir_def *now = nir_load_var(&b, turn);
   struct nir_if *nif = nir_push_if(&b, nir_ieq(&b, layer, now));
   nir_pop_if(&b, nif);
   struct nir_def *next = nir_iadd_imm(&b, now, 1);
   nir_store_var(&b, turn, next, 1);
   struct nir_if *last = nir_push_if(&b, nir_uge(&b, next, layers));
   nir_break(&b);
   nir_pop_if(&b, last);
   nir_pop_loop(&b, loop);
   return nif;
}

/* Moves the nodes from first to last, blocks of one list, to the place of the (empty) branch. */
static void
move_into_branch(struct nir_if *nif, struct nir_block *first, struct nir_block *last)
{
   list_remove(&nir_cf_list_first(&nif->then_list)->cf.link);
   struct nir_cf_node *node = &first->cf, *next;
   for (bool more = true; more; node = next) {
      more = node != &last->cf;
      next = more ? nir_cf_next(node) : NULL;
      list_remove(&node->link);
      nir_cf_link(node, &nif->cf, &nif->then_list, nif->then_list.prev);
   }
}

static bool
is_inside(const struct nir_cf_node *node, const struct nir_if *nif)
{
   while (node && node != &nif->cf)
      node = node->parent;
   return node;
}

/* Where a value is read: for a phi the end of the predecessor, for an if the end of the block before. */
static struct nir_cursor
place_of_use(const struct nir_src *use)
{
   if (use->parent_if)
      return nir_after_block(nir_cf_block_before(&use->parent_if->cf));
   if (use->parent_instr->type == NIR_INSTR_PHI)
      return nir_after_block(container_of(use, struct nir_phi_src, src)->pred);
   return nir_before_instr(use->parent_instr);
}

static struct nir_block *
cursor_block(struct nir_cursor cursor)
{
   return cursor.instr ? cursor.instr->block : cursor.block;
}

/* Uses after the loop read a variable that the definition writes. */
static void
pass_out(struct nir_shader *shader, struct nir_def *def, const struct nir_if *nif)
{
   struct nir_variable *variable = NULL;
   nir_foreach_use_safe(use, def) {
      struct nir_cursor place = place_of_use(use);
      if (is_inside(&cursor_block(place)->cf, nif))
         continue;
      if (!variable)
         variable = temporary(shader, def->bit_size, def->num_components);
      struct nir_builder b = nir_builder_at(shader, place);
      nir_src_rewrite(use, nir_load_var(&b, variable));
   }
   if (!variable)
      return;
   bool phi = def->parent->type == NIR_INSTR_PHI;
   struct nir_cursor after = phi ? nir_before_block(def->parent->block) : nir_after_instr(def->parent);
   struct nir_builder b = nir_builder_at(shader, after);
   nir_store_var(&b, variable, def, (1u << def->num_components) - 1);
}

static void
collect_def(struct nir_instr *instr, void *data)
{
   struct nir_def *def = nir_instr_def(instr);
   if (def)
      dynarray_append((struct dynarray *)data, struct nir_def *, def);
}

void
nir_loop_over_layers(const struct nir_ordered_section *section)
{
   struct nir_shader *shader = section->shader;
   struct dynarray defs = {0};
   struct owned owned;
   own(&owned, dynarray_release, &defs);
   nir_foreach_section_instr(section, collect_def, &defs);
   struct nir_block *first = nir_block_split(shader, nir_after_instr(section->enter));
   struct nir_block *tail = nir_block_split(shader, nir_before_instr(section->leave));
   struct nir_block *last = nir_cf_as_block(nir_cf_prev(&tail->cf));
   struct nir_if *nif = build_turns(shader, nir_after_instr(section->enter));
   move_into_branch(nif, first, last);
   nir_block_merge(shader, nir_cf_as_block(nir_cf_prev(&tail->cf)), tail);
   for (size_t i = 0; i < dynarray_count(&defs, struct nir_def *); i++)
      pass_out(shader, *dynarray_at(&defs, struct nir_def *, i), nif);
   disown(&owned);
}
