/* Ranges of addresses that get memory piece by piece. */
#include <errno.h>

#include "gallium/winsys/amdgpu/amdgpu_private.h"
#include "util/macros.h"

#define PAGE_B 4096

/* Of no buffer: a hole, or nothing at all. */
static int
bind_nothing(struct amdgpu_ws *ws, const struct amdgpu_ws_bind *bind)
{
   return bind->hole
             ? amdgpu_bo_va_op_raw(ws->dev, NULL, 0, bind->size_B, bind->va, AMDGPU_VM_PAGE_PRT, AMDGPU_VA_OP_REPLACE)
             : amdgpu_bo_va_op_raw(ws->dev, NULL, 0, bind->size_B, bind->va, 0, AMDGPU_VA_OP_CLEAR);
}

int
amdgpu_ws_bind(struct amdgpu_ws *ws, const struct amdgpu_ws_bind *bind)
{
   uint64_t flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE | AMDGPU_VM_PAGE_EXECUTABLE;

   return bind->bo ? amdgpu_bo_va_op_raw(ws->dev, bind->bo->bo, bind->offset_B, bind->size_B, bind->va, flags,
                                         AMDGPU_VA_OP_REPLACE)
                   : bind_nothing(ws, bind);
}

int
amdgpu_ws_range_create(struct amdgpu_ws *ws, uint64_t size_B, uint64_t alignment_B, unsigned flags,
                       struct amdgpu_ws_range *range)
{
   const bool low = flags & AMDGPU_WS_RANGE_VA_32BIT;
   const uint64_t halves[] = {AMDGPU_VA_RANGE_HIGH | (low ? AMDGPU_VA_RANGE_32_BIT : 0), 0}; /* of the addresses */
   amdgpu_va_handle handle;
   uint64_t whole_B = align_up(size_B, PAGE_B);

   const uint64_t va = range->va;
   *range = (struct amdgpu_ws_range){.size_B = whole_B};
   if (!size_B || whole_B < size_B)
      return -ENOMEM;
   int error = -ENOMEM;
   for (unsigned i = 0; i < (low ? 1 : ARRAY_SIZE(halves)) && error; i++) {
      const struct amdgpu_ws_reserve reserve = {whole_B, MAX2(alignment_B, PAGE_B), halves[i]};
      range->va = va;
      error = amdgpu_ws_reserve(ws, &reserve, &range->va, &handle);
   }
   if (error)
      return error;
   range->handle = handle;
   if (flags & AMDGPU_WS_RANGE_HOLES)
      error = bind_nothing(ws, &(struct amdgpu_ws_bind){.va = range->va, .size_B = whole_B, .hole = true});
   if (error) {
      amdgpu_va_range_free(handle);
      range->handle = NULL;
   }
   return error;
}

void
amdgpu_ws_range_destroy(struct amdgpu_ws *ws, const struct amdgpu_ws_range *range)
{
   if (!range->handle)
      return;
   bind_nothing(ws, &(struct amdgpu_ws_bind){.va = range->va, .size_B = range->size_B});
   amdgpu_va_range_free(range->handle);
}
