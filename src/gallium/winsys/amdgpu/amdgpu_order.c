/* The order of waves that append to memory (OA of GDS): the kernel gives a piece of it to the jobs that list it. */
#include <stdlib.h>

#include "gallium/winsys/amdgpu/amdgpu_private.h"
#include "util/log.h"

struct amdgpu_ws_bo *
amdgpu_ws_order_create(struct amdgpu_ws *ws)
{
   struct amdgpu_bo_alloc_request request = {
      .alloc_size = 1, .phys_alignment = 1, .preferred_heap = AMDGPU_GEM_DOMAIN_OA};
   amdgpu_bo_handle handle;
   struct amdgpu_ws_bo *order = calloc(1, sizeof(*order));
   if (!order)
      return NULL;
   order->ws = ws;
   if (amdgpu_bo_alloc(ws->dev, &request, &handle)) {
      log_error("winsys: the kernel has no ordered append left");
      free(order);
      return NULL;
   }
   order->bo = handle;
   if (amdgpu_bo_export(handle, amdgpu_bo_handle_type_kms, &order->handle) || !amdgpu_ws_add_shared(ws, order)) {
      amdgpu_bo_free(handle);
      free(order);
      return NULL;
   }
   return order;
}

void
amdgpu_ws_order_destroy(struct amdgpu_ws_bo *order)
{
   if (!order)
      return;
   amdgpu_ws_remove_shared(order->ws, order);
   amdgpu_bo_free(order->bo);
   free(order);
}
