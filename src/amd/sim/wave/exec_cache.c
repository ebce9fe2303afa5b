/* Instructions that invalidate caches of the wave's own unit. They are in no wait counter (LLVM, SIInsertWaitcnts:
 * getMUBUFIsBufferInv). If hardware counts them, a wait that was made without them waits for more, never for less. */
#include "amd/sim/wave/exec_private.h"

static enum step
run_invalidate(struct wave *w, const struct code *c)
{
   amd_cache_port_invalidate(&w->cache, c->path);
   return STEP_NEXT;
}

bool
exec_cache_bind(struct code *c)
{
   switch ((int)c->in.op) {
   case AMD_OP_buffer_gl0_inv:
   case AMD_OP_buffer_wbinvl1: /* what it writes back is written through anyway */
   case AMD_OP_buffer_wbinvl1_vol:
      c->path = AMD_CACHE_L0;
      break;
   case AMD_OP_buffer_gl1_inv:
   case AMD_OP_s_gl1_inv:
      c->path = AMD_CACHE_L1;
      break;
   case AMD_OP_s_dcache_inv:
   case AMD_OP_s_dcache_inv_vol:
      c->path = AMD_CACHE_SCALAR;
      break;
   case AMD_OP_s_icache_inv:
      c->path = AMD_CACHE_CODE;
      break;
   default: /* others: no instructions for caches */
      return false;
   }
   c->run = run_invalidate;
   return true;
}
