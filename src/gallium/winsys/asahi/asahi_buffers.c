/* Buffers by the neutral interface of winsys/common. */
#include "gallium/winsys/asahi/asahi_winsys.h"

static bool
create_mapped(const struct ws_buffer_source *source, uint64_t size_B, struct ws_buffer *buffer)
{
   struct asahi_ws_bo *bo = asahi_ws_bo_create(source->ws, size_B, source->alignment_B, source->flags);

   if (!bo || !asahi_ws_bo_map(bo)) {
      asahi_ws_bo_destroy(bo);
      return false;
   }
   *buffer = (struct ws_buffer){.bo = bo, .va = bo->va, .size_B = bo->size_B, .map = bo->map};
   return true;
}

static void
destroy_mapped(struct ws_buffer *buffer)
{
   asahi_ws_bo_destroy(buffer->bo);
}

struct ws_buffer_source
asahi_ws_buffers(struct asahi_ws *ws, unsigned flags)
{
   return (struct ws_buffer_source){.create = create_mapped, .destroy = destroy_mapped, .ws = ws, .flags = flags};
}
