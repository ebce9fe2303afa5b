/* Occlusion queries: 64-bit words in memory, by number, that a render adds to. */
#include "asahi/sim/tile/tile.h"
#include "util/within_memory.h"

void
agx_query_add(struct agx_render *render, const struct agx_drawn *drawn, uint64_t passed)
{
   if (!render->queries)
      render->queries = need_calloc("queries", AGX_MAX_QUERIES, sizeof(*render->queries));
   uint64_t *query = &render->queries[drawn->query];
   if (drawn->visibility == AGX_VISIBILITY_MODE_COUNTING)
      *query += passed;
   else
      *query |= passed != 0;
}

/* A word of 0 stays as it is: a query in whose draws nothing passed. */
bool
agx_queries_store(const struct agx_render *render)
{
   for (uint32_t i = 0; render->queries && i < AGX_MAX_QUERIES; i++) {
      struct sim_va va = sim_va_add(sim_va(render->command->isp_oclqry_base), (int64_t)i * 8), bad;
      uint64_t value;
      if (!render->queries[i])
         continue;
      if (!sim_vm_read(render->gpu->vm, va, &value, 8, &bad))
         return sim_fault_set(render->gpu->fault, SIM_FAULT_ADDRESS, bad,
                              "result of occlusion query %u at unmapped address 0x%010lx", i, (unsigned long)bad.va);
      value += render->queries[i];
      if (!sim_vm_write(render->gpu->vm, va, &value, 8, &bad))
         return sim_fault_set(render->gpu->fault, SIM_FAULT_ADDRESS, bad,
                              "result of occlusion query %u at 0x%010lx, which cannot be written", i,
                              (unsigned long)bad.va);
   }
   return true;
}
