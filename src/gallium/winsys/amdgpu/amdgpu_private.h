/* Inside the winsys only. */
#ifndef INDIUM_GALLIUM_WINSYS_AMDGPU_AMDGPU_PRIVATE_H
#define INDIUM_GALLIUM_WINSYS_AMDGPU_AMDGPU_PRIVATE_H

#include <amdgpu.h>
#include <pthread.h>

#include "gallium/winsys/amdgpu/amdgpu_winsys.h"

struct amdgpu_ws {
   amdgpu_device_handle dev;
   int fd; /* libdrm's: handles of all kinds belong to it */
   struct amdgpu_ws_info info;

   /* Buffers that other processes may have; each submit names them. The kernel keeps all others resident by
    * itself. */
   pthread_rwlock_t shared_lock;
   struct drm_amdgpu_bo_list_entry *shared;
   uint32_t *shared_uses; /* how many amdgpu_ws_bo have this handle */
   uint32_t shared_count, shared_capacity;
};

/* AMDGPU_HW_IP_* */
uint32_t amdgpu_ws_ip_type(enum amdgpu_ws_ring ring);

/* Reserves addresses, in a half of them (AMDGPU_VA_RANGE_HIGH, _32_BIT). *va: the address that it must be,
 * WS_VA_REPLAYED or 0. 0 or a negative errno. */
struct amdgpu_ws_reserve {
   uint64_t size_B, alignment_B, half;
};
int amdgpu_ws_reserve(struct amdgpu_ws *ws, const struct amdgpu_ws_reserve *reserve, uint64_t *va,
                      amdgpu_va_handle *range);

/* Names the buffer in all submits from now on; false when out of memory. */
bool amdgpu_ws_add_shared(struct amdgpu_ws *ws, struct amdgpu_ws_bo *bo);
void amdgpu_ws_remove_shared(struct amdgpu_ws *ws, struct amdgpu_ws_bo *bo);

struct amdgpu_ws_ctx {
   struct amdgpu_ws *ws;
   amdgpu_context_handle ctx;
};

#endif
