/* Internal to the passes of ordered sections. */
#ifndef INDIUM_NIR_ORDERED_SECTION_H
#define INDIUM_NIR_ORDERED_SECTION_H

#include "compiler/nir/nir.h"

/* Where the section lies: from `enter` to `leave`, instructions of blocks of one list. */
struct nir_ordered_section {
   struct nir_shader *shader;
   struct nir_instr *enter, *leave;
};

/* Calls visit for each instruction of the section in source order. */
void nir_foreach_section_instr(const struct nir_ordered_section *section,
                               void (*visit)(struct nir_instr *instr, void *data), void *data);

/* Where a path stands to the section, as bits of a set. */
enum nir_section_state {
   NIR_SECTION_OUTSIDE = 1 << 0, /* not entered */
   NIR_SECTION_INSIDE = 1 << 1,
   NIR_SECTION_AFTER = 1 << 2,
   NIR_SECTION_MARKED = 1 << 3, /* besides the others: the path has come to a begin or end of an invocation */
};

/* Follows all paths at once, from NIR_SECTION_OUTSIDE. step() takes the set of states in which some path comes to an
 * instruction to the set after it, or returns a sentence that ends the search. *end: the states at the end of the
 * shader. */
const char *nir_follow_paths(const struct nir_shader *shader,
                             const char *(*step)(const struct nir_instr *instr, unsigned *states), unsigned *end);

/* Flags of the memory accesses inside. */
void nir_mark_ordered_accesses(const struct nir_ordered_section *section);

/* Wraps the section into a loop over layers. Leaves variables for nir_lower_vars_to_ssa(). */
void nir_loop_over_layers(const struct nir_ordered_section *section);

#ifdef INDIUM_MUTANTS
/* Misplaces the section or an access of it, as util/mutant.h says. Before begin and end are removed. */
void nir_interlock_mistakes(const struct nir_ordered_section *section, bool layers);
#else
static inline void
nir_interlock_mistakes(const struct nir_ordered_section *section, bool layers)
{
}
#endif

#endif
