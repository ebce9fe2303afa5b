#include <errno.h>
#include <stdlib.h>

#include "gallium/winsys/amdgpu/amdgpu_private.h"
#include "util/macros.h"

#define PAGE_B 4096
#define RWX (AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE | AMDGPU_VM_PAGE_EXECUTABLE)

int
amdgpu_va_alloc(struct amdgpu_ws *ws, uint64_t size_B, uint64_t alignment_B, bool low, uint64_t *va,
                amdgpu_va_handle *range)
{
   /* Whole fragments make short page tables. */
   uint64_t fragment_B = ws->info.dev.pte_fragment_size;
   alignment_B = MAX2(alignment_B, size_B >= fragment_B ? fragment_B : PAGE_B);
   return amdgpu_va_range_alloc(ws->dev, amdgpu_gpu_va_range_general, size_B, alignment_B, 0, va, range,
                                AMDGPU_VA_RANGE_HIGH | (low ? AMDGPU_VA_RANGE_32_BIT : 0));
}

struct amdgpu_ws_va *
amdgpu_ws_va_create(struct amdgpu_ws *ws, uint64_t size_B, uint64_t alignment_B)
{
   amdgpu_va_handle range;
   struct amdgpu_ws_va *va = calloc(1, sizeof(*va));
   if (!va)
      return NULL;
   va->ws = ws;
   va->size_B = align_up(size_B, PAGE_B);
   if (amdgpu_va_alloc(ws, va->size_B, alignment_B, false, &va->va, &range)) {
      free(va);
      return NULL;
   }
   va->va_range = range;
   if (amdgpu_bo_va_op_raw(ws->dev, NULL, 0, va->size_B, va->va, AMDGPU_VM_PAGE_PRT, AMDGPU_VA_OP_MAP)) {
      amdgpu_va_range_free(range);
      free(va);
      return NULL;
   }
   return va;
}

void
amdgpu_ws_va_destroy(struct amdgpu_ws_va *va)
{
   amdgpu_bo_va_op_raw(va->ws->dev, NULL, 0, va->size_B, va->va, 0, AMDGPU_VA_OP_CLEAR);
   amdgpu_va_range_free(va->va_range);
   free(va);
}

int
amdgpu_ws_va_bind(struct amdgpu_ws_va *va, uint64_t offset_B, uint64_t size_B, struct amdgpu_ws_bo *bo,
                  uint64_t bo_offset_B)
{
   if (offset_B > va->size_B || size_B > va->size_B - offset_B)
      return -EINVAL;
   return amdgpu_bo_va_op_raw(va->ws->dev, bo ? bo->bo : NULL, bo ? bo_offset_B : 0, size_B, va->va + offset_B,
                              bo ? RWX : AMDGPU_VM_PAGE_PRT, AMDGPU_VA_OP_REPLACE);
}
