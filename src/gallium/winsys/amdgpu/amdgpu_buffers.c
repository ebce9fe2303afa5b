/* Buffers by the neutral interface of winsys/common. */
#include "gallium/winsys/amdgpu/amdgpu_winsys.h"

static bool
create_mapped(const struct ws_buffer_source *source, uint64_t size_B, struct ws_buffer *buffer)
{
   struct amdgpu_ws_bo *bo =
      amdgpu_ws_bo_create(source->ws, size_B, source->alignment_B, source->domain, source->flags);

   if (!bo || !amdgpu_ws_bo_map(bo)) {
      amdgpu_ws_bo_destroy(bo);
      return false;
   }
   *buffer = (struct ws_buffer){.bo = bo, .va = bo->va, .size_B = bo->size_B, .map = bo->map};
   return true;
}

static void
destroy_mapped(struct ws_buffer *buffer)
{
   amdgpu_ws_bo_destroy(buffer->bo);
}

struct ws_buffer_source
amdgpu_ws_buffers(struct amdgpu_ws *ws, uint64_t alignment_B, enum amdgpu_ws_domain domain, unsigned flags)
{
   return (struct ws_buffer_source){.create = create_mapped,
                                    .destroy = destroy_mapped,
                                    .ws = ws,
                                    .alignment_B = alignment_B,
                                    .domain = domain,
                                    .flags = flags};
}
