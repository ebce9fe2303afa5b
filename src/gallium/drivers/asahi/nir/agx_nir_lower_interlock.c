/* Ordered sections (docs/drivers/asahi/interlock.md): where invocations begin and end becomes one section of the
 * simd-group, and what it reads and writes goes past the caches of a core. */
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"
#include "util/mutant.h"

static bool
is_load(enum nir_intrinsic_op op)
{
   return op == NIR_INTRINSIC_load_ssbo || op == NIR_INTRINSIC_load_global || op == NIR_INTRINSIC_image_deref_load;
}

static bool
is_store(enum nir_intrinsic_op op)
{
   return op == NIR_INTRINSIC_store_ssbo || op == NIR_INTRINSIC_store_global || op == NIR_INTRINSIC_image_deref_store;
}

/* Others may write what a binding or the application promises not to write: through another one. */
static void
mark(struct nir_intrinsic_instr *instr)
{
   bool loads = is_load(instr->op), stores = is_store(instr->op);
   uint32_t promises = NIR_ACCESS_NON_WRITEABLE | NIR_ACCESS_CAN_REORDER;

   if (loads || stores)
      nir_intrinsic_set_access(instr, (nir_intrinsic_access(instr) & ~promises) | NIR_ACCESS_COHERENT);
}

#ifdef INDIUM_MUTANTS
/* A mistake that tests must find. */
static void
wait_after_first_load(struct nir_instr *enter)
{
   bool inside = false;

   nir_foreach_instr_safe(instr, enter->block) {
      if (inside && instr->type == NIR_INSTR_INTRINSIC && is_load(nir_as_intrinsic(instr)->op)) {
         list_remove(&enter->link);
         list_add_after(&enter->link, &instr->link);
         return;
      }
      inside |= instr == enter;
   }
}
#endif

bool
agx_nir_lower_interlock(struct nir_shader *shader)
{
   bool inside = false;

   if (!nir_lower_interlock(shader, false))
      return false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC)
            continue;
         bool enters = nir_as_intrinsic(instr)->op == NIR_INTRINSIC_enter_ordered_section;
#ifdef INDIUM_MUTANTS
         if (enters && !inside && mutant("agx-interlock-wait-late"))
            wait_after_first_load(instr);
#endif
         inside |= enters;
         inside &= nir_as_intrinsic(instr)->op != NIR_INTRINSIC_leave_ordered_section;
         if (inside)
            mark(nir_as_intrinsic(instr));
      }
   }
   return true;
}
