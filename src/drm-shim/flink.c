#include "drm-shim/flink.h"

#include "drm-shim/bo.h"
#include "drm-shim/handles.h"

static struct shim_handles names; /* struct shim_bo *, no references */

uint32_t
shim_flink_name(struct shim_bo *bo)
{
   if (!bo->flink_name)
      bo->flink_name = shim_handles_add(&names, bo);
   return bo->flink_name;
}

struct shim_bo *
shim_flink_find(uint32_t name)
{
   return shim_handles_get(&names, name);
}

void
shim_flink_forget(struct shim_bo *bo)
{
   shim_handles_remove(&names, bo->flink_name);
   bo->flink_name = 0;
}
