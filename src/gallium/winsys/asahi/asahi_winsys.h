/* The asahi kernel driver as the driver of the same name sees it: device, buffers with GPU addresses, queues,
 * submits.
 *
 * Knows no state and no records. Everything here may be called from any thread, except that destruction of an object
 * must be the last call on it. Functions that return int give 0 or a negative errno. Syncobjs: winsys/common, on
 * asahi_ws_fd().
 *
 * Addresses, from low to high:
 *    0 to 2^36          nothing: what is read there is zero, writes are dropped (soft faults; without
 *                       them, two pages that the user of this file binds)
 *    USC base           4 GiB: code and what lies next to it
 *    heap               all other buffers
 *    the top            the kernel's own */
#ifndef INDIUM_GALLIUM_WINSYS_ASAHI_ASAHI_WINSYS_H
#define INDIUM_GALLIUM_WINSYS_ASAHI_ASAHI_WINSYS_H

#include <stdbool.h>
#include <stdint.h>

#include <asahi_drm.h>

#include "gallium/winsys/common/ws_buffer.h"
#include "gallium/winsys/common/ws_syncobj.h"

struct asahi_ws;
struct asahi_ws_queue;

/* Of the hardware; the host's pages are its own matter. */
#define ASAHI_WS_PAGE_B 16384u

/* -- device -- */

/* What the kernel reports, and where the address space of the device is cut. */
struct asahi_ws_info {
   struct drm_asahi_params_global params;
   uint64_t usc_base, usc_size_B;
   uint64_t heap_start, heap_end;
   uint64_t system_memory_B; /* of the machine, which the GPU shares */
};

/* fd: an open DRM render node; it is duplicated. NULL, with one log line, if the kernel driver is not asahi, does not
 * answer. */
struct asahi_ws *asahi_ws_create(int fd);
void asahi_ws_destroy(struct asahi_ws *ws);
const struct asahi_ws_info *asahi_ws_info(const struct asahi_ws *ws);
int asahi_ws_fd(const struct asahi_ws *ws);

/* The GPU clock, in nanoseconds. */
int asahi_ws_timestamp(struct asahi_ws *ws, uint64_t *ns);

/* -- buffers -- */

enum asahi_ws_bo_flags {
   ASAHI_WS_BO_CACHED = 1 << 0,    /* the CPU reads it: its caches keep it (write-back) */
   ASAHI_WS_BO_USC = 1 << 1,       /* from the USC base on */
   ASAHI_WS_BO_SHAREABLE = 1 << 2, /* may be exported or bound as an object */
   ASAHI_WS_BO_READ_ONLY = 1 << 3, /* the GPU reads and executes, never writes */
};

/* The first fields are for the user to read. */
struct asahi_ws_bo {
   uint64_t va;     /* GPU address of the first byte */
   uint64_t size_B; /* rounded up to whole pages */
   void *map;       /* CPU address, NULL before asahi_ws_bo_map */
   uint32_t handle; /* GEM handle */
   uint32_t flags;  /* enum asahi_ws_bo_flags */

   /* private */
   struct asahi_ws *ws;
};

/* size_B > 0; alignment_B: 0 or a power of two, of the GPU address. The memory is zeroed. NULL when out of memory. */
struct asahi_ws_bo *asahi_ws_bo_create(struct asahi_ws *ws, uint64_t size_B, uint64_t alignment_B, unsigned flags);

/* The same at an address (or WS_VA_REPLAYED). NULL if it is taken, too. */
struct asahi_ws_bo *asahi_ws_bo_create_at(struct asahi_ws *ws, uint64_t size_B, uint64_t alignment_B, unsigned flags,
                                          uint64_t va);

/* The caller has made sure that the GPU no longer uses it. NULL is fine. */
void asahi_ws_bo_destroy(struct asahi_ws_bo *bo);

/* The CPU address of the whole buffer, the same at every call; it stays until the buffer is destroyed. NULL on
 * failure. */
void *asahi_ws_bo_map(struct asahi_ws_bo *bo);

/* Its first size_B bytes at these pages of the process, whatever was there; munmap(2) ends that. False: the kernel
 * cannot, or the buffer is smaller. */
bool asahi_ws_bo_map_at(struct asahi_ws_bo *bo, void *address, uint64_t size_B);

/* Buffers as of asahi_ws_bo_create(); ws outlives them. */
struct ws_buffer_source asahi_ws_buffers(struct asahi_ws *ws, unsigned flags);

/* *fd: a dma-buf, owned by the caller. The buffer was created SHAREABLE or imported. */
int asahi_ws_bo_export(struct asahi_ws_bo *bo, int *fd);

/* fd stays the caller's. Importing one dma-buf twice gives two structs with two addresses. NULL on failure. */
struct asahi_ws_bo *asahi_ws_bo_import(struct asahi_ws *ws, int fd, unsigned flags);

/* Makes timestamps of submits able to land in the buffer, which is SHAREABLE: *object for struct
 * drm_asahi_timestamp. */
int asahi_ws_bind_timestamps(struct asahi_ws_bo *bo, uint32_t *object);
void asahi_ws_unbind_timestamps(struct asahi_ws *ws, uint32_t object);

/* -- addresses that get memory piece by piece -- */

struct asahi_ws_range {
   uint64_t va, size_B; /* whole pages */
};

/* Addresses without memory, from the heap. range->va: the one that it must have, WS_VA_REPLAYED or 0. alignment_B as
 * of asahi_ws_bo_create. False when there are no more. */
bool asahi_ws_range_create(struct asahi_ws *ws, uint64_t size_B, uint64_t alignment_B, struct asahi_ws_range *range);

/* What is bound in it is unbound. */
void asahi_ws_range_destroy(struct asahi_ws *ws, const struct asahi_ws_range *range);

/* Whole pages of a range show a buffer from offset_B on, or its one page there again and again; bo NULL: nothing. */
struct asahi_ws_bind {
   uint64_t va, size_B;
   const struct asahi_ws_bo *bo;
   uint64_t offset_B;
   bool single_page, read_only;
};

/* In the order of the array, and at once: whatever the GPU does meanwhile. */
int asahi_ws_bind(struct asahi_ws *ws, const struct asahi_ws_bind *binds, uint32_t count);

/* -- queues and submits -- */

/* NULL on failure. */
struct asahi_ws_queue *asahi_ws_queue_create(struct asahi_ws *ws, enum drm_asahi_priority priority);
void asahi_ws_queue_destroy(struct asahi_ws_queue *queue);

/* Has work of the queue ended in a fault? */
bool asahi_ws_queue_lost(struct asahi_ws_queue *queue);

struct asahi_ws_command {
   bool render;
   union {
      struct drm_asahi_cmd_render render_cmd;
      struct drm_asahi_cmd_compute compute_cmd;
   };
};

struct asahi_ws_submit {
   const struct asahi_ws_command *commands;
   unsigned command_count; /* at least 1 */
   struct ws_syncs syncs;
};

/* Runs the commands one after the other after the waits and after all that was submitted to the queue before, then
 * signals; cut into as many calls of the kernel as it wants. Waits for points that nobody has submitted yet are the
 * caller's matter (WS_WAIT_PENDING first). All buffers of the device are resident. */
int asahi_ws_queue_submit(struct asahi_ws_queue *queue, const struct asahi_ws_submit *submit);

#endif
