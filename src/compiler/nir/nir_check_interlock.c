/* Whether any invocation can execute what SPV_EXT_fragment_shader_interlock asks for: a begin, then an end. Which
 * path it takes nobody knows here, so one good path is enough; what the others do wrong is undefined, and
 * nir_lower_interlock() makes one section of the wave of it. Several consecutive pairs are let pass, though
 * the extension wants one. */
#include "compiler/nir/nir_ordered_section.h"
#include "compiler/nir/nir_passes.h"

static const char *
step(const struct nir_instr *instr, unsigned *states)
{
   if (instr->type != NIR_INSTR_INTRINSIC)
      return NULL;
   enum nir_intrinsic_op op = nir_as_intrinsic((struct nir_instr *)instr)->op;
   if (op == NIR_INTRINSIC_begin_invocation_interlock)
      *states = NIR_SECTION_MARKED | (*states & (NIR_SECTION_OUTSIDE | NIR_SECTION_AFTER) ? NIR_SECTION_INSIDE : 0);
   else if (op == NIR_INTRINSIC_end_invocation_interlock)
      *states = NIR_SECTION_MARKED | (*states & NIR_SECTION_INSIDE ? NIR_SECTION_AFTER : 0);
   return NULL;
}

const char *
nir_check_interlock(const struct nir_shader *shader)
{
   unsigned end;
   nir_follow_paths(shader, step, &end);
   bool good = !(end & NIR_SECTION_MARKED) || end & NIR_SECTION_AFTER;
   return good ? NULL : "no path begins an ordered section and then ends it";
}
