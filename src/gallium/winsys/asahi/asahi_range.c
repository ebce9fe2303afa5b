/* Ranges of addresses that get memory piece by piece. */
#include <errno.h>
#include <stdlib.h>

#include "gallium/winsys/asahi/asahi_private.h"
#include "util/macros.h"

bool
asahi_ws_range_create(struct asahi_ws *ws, uint64_t size_B, uint64_t alignment_B, struct asahi_ws_range *range)
{
   uint64_t whole_B = align_up(size_B, ASAHI_WS_PAGE_B);
   const uint64_t va = range->va;
   *range = (struct asahi_ws_range){.size_B = whole_B};
   if (size_B && whole_B >= size_B)
      range->va = asahi_va_alloc_at(&ws->heap, whole_B, alignment_B, va);
   return range->va != 0;
}

void
asahi_ws_range_destroy(struct asahi_ws *ws, const struct asahi_ws_range *range)
{
   struct asahi_ws_bind nothing = {.va = range->va, .size_B = range->size_B};
   if (!range->va)
      return;
   asahi_ws_bind(ws, &nothing, 1);
   asahi_va_free(&ws->heap, range->va, range->size_B);
}

static struct drm_asahi_gem_bind_op
op_of(const struct asahi_ws_bind *bind)
{
   if (!bind->bo)
      return (struct drm_asahi_gem_bind_op){.flags = DRM_ASAHI_BIND_UNBIND, .range = bind->size_B, .addr = bind->va};
   return (struct drm_asahi_gem_bind_op){
      .flags = DRM_ASAHI_BIND_READ | (bind->read_only ? 0 : DRM_ASAHI_BIND_WRITE) |
               (bind->single_page ? DRM_ASAHI_BIND_SINGLE_PAGE : 0),
      .handle = bind->bo->handle,
      .offset = bind->offset_B,
      .range = bind->size_B,
      .addr = bind->va,
   };
}

int
asahi_ws_bind(struct asahi_ws *ws, const struct asahi_ws_bind *binds, uint32_t count)
{
   struct drm_asahi_gem_bind_op *ops = malloc(MAX2(count, 1u) * sizeof(*ops));
   if (!ops)
      return -ENOMEM;
   for (uint32_t i = 0; i < count; i++)
      ops[i] = op_of(&binds[i]);
   int error = count ? asahi_vm_binds(ws, ops, count) : 0;
   free(ops);
   return error;
}
