/* Proves that whoever enters an ordered section leaves it once, before the end: follows all paths at once. */
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_ordered_section.h"
#include "compiler/nir/nir_passes.h"
#include "util/arena.h"

static const char *
step(const struct nir_instr *instr, unsigned *states)
{
   if (instr->type != NIR_INSTR_INTRINSIC)
      return NULL;
   enum nir_intrinsic_op op = nir_as_intrinsic((struct nir_instr *)instr)->op;
   if (op == NIR_INTRINSIC_enter_ordered_section) {
      if (*states & NIR_SECTION_AFTER)
         return "a path enters the ordered section again";
      *states = NIR_SECTION_INSIDE;
   } else if (op == NIR_INTRINSIC_leave_ordered_section) {
      if (*states & NIR_SECTION_OUTSIDE)
         return "a path leaves the ordered section without entering";
      if (*states & NIR_SECTION_AFTER)
         return "a path leaves the ordered section twice";
      *states = NIR_SECTION_AFTER;
   }
   return NULL;
}

const char *
nir_follow_paths(const struct nir_shader *shader,
                 const char *(*step)(const struct nir_instr *instr, unsigned *states), unsigned *end)
{
   nir_index_blocks((struct nir_shader *)shader);
   unsigned *in = arena_array(shader->arena, unsigned, shader->num_blocks + 1);
   in[nir_first_block(shader)->index] = NIR_SECTION_OUTSIDE;
   *end = 0;
   for (bool changed = true; changed;) {
      changed = false;
      nir_foreach_block(block, shader) {
         unsigned states = in[block->index];
         nir_foreach_instr(instr, block) {
            const char *fault = states ? step(instr, &states) : NULL;
            if (fault)
               return fault;
         }
         struct nir_block *succ[2] = {NULL, NULL};
         nir_block_successors(shader, block, succ);
         for (unsigned i = 0; i < 2; i++) {
            unsigned *to = succ[i] == shader->end_block ? end : succ[i] ? &in[succ[i]->index] : NULL;
            /* Blocks come in order: only a back edge leads to one that has been visited. */
            changed |= to && to != end && to <= &in[block->index] && (states & ~*to);
            if (to)
               *to |= states;
         }
      }
   }
   return NULL;
}

const char *
nir_check_ordered_section(const struct nir_shader *shader)
{
   unsigned end;
   const char *fault = nir_follow_paths(shader, step, &end);
   return fault ? fault : end & NIR_SECTION_INSIDE ? "a path ends inside of the ordered section" : NULL;
}
