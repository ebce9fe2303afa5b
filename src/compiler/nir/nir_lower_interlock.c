#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_ordered_section.h"
#include "compiler/nir/nir_passes.h"
#include "util/mutant.h"

/* The list that the section lies in, its first and last node, and the first and last begin or end. */
struct extent {
   struct list_head *list;
   struct nir_cf_node *first, *last;
   struct nir_intrinsic_instr *first_mark, *last_mark;
};

static bool
is_mark(const struct nir_instr *instr)
{
   if (instr->type != NIR_INSTR_INTRINSIC)
      return false;
   enum nir_intrinsic_op op = nir_as_intrinsic((struct nir_instr *)instr)->op;
   return op == NIR_INTRINSIC_begin_invocation_interlock || op == NIR_INTRINSIC_end_invocation_interlock;
}

static void find_marks(struct list_head *list, struct extent *extent);

/* In source order. */
static void
find_marks_of(struct nir_cf_node *node, struct extent *extent)
{
   switch (node->type) {
   case NIR_CF_BLOCK:
      nir_foreach_instr(instr, nir_cf_as_block(node)) {
         if (!is_mark(instr))
            continue;
         extent->last_mark = nir_as_intrinsic(instr);
         if (!extent->first_mark)
            extent->first_mark = extent->last_mark;
      }
      break;
   case NIR_CF_IF:
      find_marks(&nir_cf_as_if(node)->then_list, extent);
      find_marks(&nir_cf_as_if(node)->else_list, extent);
      break;
   case NIR_CF_LOOP:
      find_marks(&nir_cf_as_loop(node)->body, extent);
      break;
   }
}

static void
find_marks(struct list_head *list, struct extent *extent)
{
   nir_foreach_cf(node, list)
      find_marks_of(node, extent);
}

static void
find_extent(struct list_head *list, struct extent *extent)
{
   *extent = (struct extent){.list = list};
   nir_foreach_cf(node, list) {
      struct extent inner = {0};
      find_marks_of(node, &inner);
      if (!inner.first_mark)
         continue;
      if (!extent->first) {
         extent->first = node;
         extent->first_mark = inner.first_mark;
      }
      extent->last = node;
      extent->last_mark = inner.last_mark;
   }
}

static bool may_be_left_early(struct list_head *list, bool in_loop);

/* A discard in a loop ends lanes while others continue: after it, a wave without lanes may leave the list in the
 * middle. It leaves the section by ending, and in a branch the lanes next to it would end too. */
static bool
node_may_be_left_early(struct nir_cf_node *node, bool in_loop)
{
   if (node->type == NIR_CF_LOOP)
      return may_be_left_early(&nir_cf_as_loop(node)->body, true);
   if (node->type == NIR_CF_IF)
      return may_be_left_early(&nir_cf_as_if(node)->then_list, in_loop) ||
             may_be_left_early(&nir_cf_as_if(node)->else_list, in_loop);
   nir_foreach_instr(instr, nir_cf_as_block(node)) {
      enum nir_intrinsic_op op =
         instr->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(instr)->op : NIR_INTRINSIC_COUNT;
      if (in_loop && (op == NIR_INTRINSIC_discard || op == NIR_INTRINSIC_discard_if))
         return true;
   }
   return false;
}

static bool
may_be_left_early(struct list_head *list, bool in_loop)
{
   nir_foreach_cf(node, list) {
      if (node_may_be_left_early(node, in_loop))
         return true;
   }
   return false;
}

static bool
lasts_to_end(const struct extent *extent)
{
   return extent->last_mark->op == NIR_INTRINSIC_begin_invocation_interlock;
}

/* layers: turns put the nodes of the section into a loop. */
static bool
section_may_be_left_early(const struct extent *extent, bool layers)
{
   bool inside = false;
   nir_foreach_cf(node, extent->list) {
      inside |= node == extent->first;
      if (node_may_be_left_early(node, layers && inside))
         return true;
      inside &= node != extent->last || lasts_to_end(extent);
   }
   return false;
}

/* The smallest list around all marks: a branch that has them all is entered instead of the whole shader, never a
 * loop. */
static void
find_section(struct nir_shader *shader, bool layers, struct extent *extent)
{
   find_extent(&shader->body, extent);
   while (extent->first && extent->first == extent->last && extent->first->type == NIR_CF_IF) {
      struct nir_if *nif = nir_cf_as_if(extent->first);
      struct extent then_side, else_side;
      find_extent(&nif->then_list, &then_side);
      find_extent(&nif->else_list, &else_side);
      if (then_side.first && else_side.first)
         return;
      const struct extent *side = then_side.first ? &then_side : &else_side;
      if (section_may_be_left_early(side, layers && !mutant("turns-left-in-branch")) && !mutant("left-in-branch"))
         return;
      *extent = *side;
   }
}

static struct nir_cursor
enter_cursor(const struct extent *extent)
{
   if (extent->first->type == NIR_CF_BLOCK)
      return nir_before_instr(&extent->first_mark->instr);
   return nir_after_block(nir_cf_block_before(extent->first));
}

/* After the last end; a beginning that no end follows lasts until the list ends. */
static struct nir_cursor
leave_cursor(const struct extent *extent)
{
   if (lasts_to_end(extent))
      return nir_after_block(nir_cf_list_last(extent->list));
   if (extent->last->type == NIR_CF_BLOCK)
      return nir_after_instr(&extent->last_mark->instr);
   return nir_before_block(nir_cf_block_after(extent->last));
}

static void
remove_marks(struct nir_shader *shader)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (is_mark(instr))
            nir_instr_remove(instr);
      }
   }
}

/* ---- instructions of a section ---- */

struct walk {
   const struct nir_ordered_section *section;
   void (*visit)(struct nir_instr *instr, void *data);
   void *data;
   bool inside;
};

static void
walk_list(struct walk *w, struct list_head *list)
{
   nir_foreach_cf(node, list) {
      if (node->type == NIR_CF_IF) {
         walk_list(w, &nir_cf_as_if(node)->then_list);
         walk_list(w, &nir_cf_as_if(node)->else_list);
      } else if (node->type == NIR_CF_LOOP) {
         walk_list(w, &nir_cf_as_loop(node)->body);
      } else {
         nir_foreach_instr_safe(instr, nir_cf_as_block(node)) {
            w->inside &= instr != w->section->leave;
            if (w->inside)
               w->visit(instr, w->data);
            w->inside |= instr == w->section->enter;
         }
      }
   }
}

void
nir_foreach_section_instr(const struct nir_ordered_section *section,
                          void (*visit)(struct nir_instr *instr, void *data), void *data)
{
   struct walk walk = {.section = section, .visit = visit, .data = data};
   walk_list(&walk, &section->shader->body);
}

bool
nir_lower_interlock(struct nir_shader *shader, bool layers)
{
   struct extent extent;
   find_section(shader, layers, &extent);
   if (!extent.first)
      return false;
   struct nir_intrinsic_instr *enter = nir_intrinsic_create(shader, NIR_INTRINSIC_enter_ordered_section);
   struct nir_intrinsic_instr *leave = nir_intrinsic_create(shader, NIR_INTRINSIC_leave_ordered_section);
   nir_instr_insert(leave_cursor(&extent), &leave->instr);
   nir_instr_insert(enter_cursor(&extent), &enter->instr);
   struct nir_ordered_section section = {shader, &enter->instr, &leave->instr};
   nir_mark_ordered_accesses(&section);
   nir_interlock_mistakes(&section, layers);
   remove_marks(shader);
   if (layers) {
      nir_loop_over_layers(&section);
      nir_lower_vars_to_ssa(shader);
   }
   return true;
}
