/* The amdgpu kernel driver as radeonsi sees it: device, buffers with GPU addresses, contexts, submits. Syncobjs:
 * winsys/common, on amdgpu_ws_fd().
 *
 * Knows no state and no packets. Everything here may be called from any thread, except that calls on one
 * amdgpu_ws_bo's destruction must be the last. Functions that return int give 0 or a negative errno. */
#ifndef INDIUM_GALLIUM_WINSYS_AMDGPU_AMDGPU_WINSYS_H
#define INDIUM_GALLIUM_WINSYS_AMDGPU_AMDGPU_WINSYS_H

#include <stdbool.h>
#include <stdint.h>

#include <amdgpu_drm.h>

#include "gallium/winsys/common/ws_buffer.h"
#include "gallium/winsys/common/ws_syncobj.h"

struct amdgpu_ws;
struct amdgpu_ws_ctx;

/* -- device -- */

enum amdgpu_ws_ring {
   AMDGPU_WS_GFX,
   AMDGPU_WS_COMPUTE,
   AMDGPU_WS_SDMA,
   AMDGPU_WS_RINGS,
};

/* What the kernel reports; nothing is derived but address32_hi. */
struct amdgpu_ws_info {
   struct drm_amdgpu_info_device dev; /* device ids, family, external_rev, shader engines, CUs, RBs, clocks ... */
   uint32_t gb_addr_config;
   uint64_t vram_B, gtt_B;
   uint32_t address32_hi; /* high dword of every address in the 32-bit range */
   uint16_t pci_domain;
   uint8_t pci_bus, pci_dev, pci_func;
   char marketing_name[128];
   uint32_t num_rings[AMDGPU_WS_RINGS]; /* that take submits */
};

/* fd: an open DRM render node; it is duplicated. NULL, with one log line, if the kernel driver is not amdgpu 3.27 or
 * newer or does not answer. */
struct amdgpu_ws *amdgpu_ws_create(int fd);
void amdgpu_ws_destroy(struct amdgpu_ws *ws);
const struct amdgpu_ws_info *amdgpu_ws_info(const struct amdgpu_ws *ws);

/* What handles of all kinds belong to. */
int amdgpu_ws_fd(const struct amdgpu_ws *ws);

/* The GPU clock, in ticks of info.dev.gpu_counter_freq (kHz). */
int amdgpu_ws_timestamp(struct amdgpu_ws *ws, uint64_t *ticks);

/* -- buffers -- */

enum amdgpu_ws_domain {
   AMDGPU_WS_VRAM = AMDGPU_GEM_DOMAIN_VRAM,
   AMDGPU_WS_GTT = AMDGPU_GEM_DOMAIN_GTT,
};

enum amdgpu_ws_bo_flags {
   AMDGPU_WS_BO_CPU_ACCESS = 1 << 0,     /* will be mapped by the CPU */
   AMDGPU_WS_BO_WRITE_COMBINED = 1 << 1, /* GTT only: the CPU only writes */
   AMDGPU_WS_BO_VA_32BIT = 1 << 2,       /* address in the 32-bit range: high dword is info.address32_hi */
   AMDGPU_WS_BO_SHAREABLE = 1 << 3,      /* may be exported; costs an entry in every submit's buffer list */
   AMDGPU_WS_BO_READ_ONLY = 1 << 4,      /* the GPU reads and executes, never writes */
};

/* The first fields are for the user to read. */
struct amdgpu_ws_bo {
   uint64_t va;     /* GPU address of the first byte */
   uint64_t size_B; /* rounded up to whole pages */
   void *map;       /* CPU address, NULL before amdgpu_ws_bo_map */
   uint32_t handle; /* GEM handle */
   uint32_t flags;  /* enum amdgpu_ws_bo_flags */

   /* private */
   struct amdgpu_ws *ws;
   void *bo;       /* libdrm's handle */
   void *va_range; /* libdrm's handle */
   bool is_listed; /* in the list of shared buffers */
   bool is_host;   /* of amdgpu_ws_bo_of_host */
};

/* What the kernel knows of the last access of this process that found no page; of its registers. */
struct amdgpu_ws_fault {
   uint64_t va;     /* of the page, without the sign; a page of 4096 bytes */
   uint32_t status; /* GCVM_L2_PROTECTION_FAULT_STATUS; 0: there was none */
   uint32_t hub;
};

/* False: the kernel does not tell (DRM 3.55 does), or there was none. */
bool amdgpu_ws_last_fault(struct amdgpu_ws *ws, struct amdgpu_ws_fault *fault);

/* size_B > 0; alignment_B: 0 or a power of two, of the GPU address. The memory is zeroed. NULL when out of memory. */
struct amdgpu_ws_bo *amdgpu_ws_bo_create(struct amdgpu_ws *ws, uint64_t size_B, uint64_t alignment_B,
                                         enum amdgpu_ws_domain domain, unsigned flags);

/* The same at an address (or WS_VA_REPLAYED). NULL if it is taken, too. */
struct amdgpu_ws_bo *amdgpu_ws_bo_create_at(struct amdgpu_ws *ws, uint64_t size_B, uint64_t alignment_B,
                                            enum amdgpu_ws_domain domain, unsigned flags, uint64_t va);

/* The caller has made sure that the GPU no longer uses it. NULL is fine. */
void amdgpu_ws_bo_destroy(struct amdgpu_ws_bo *bo);

/* All submits from now on may order their waves by DS_ORDERED_COUNT. It has no memory. NULL after a line in the log:
 * there are 16 for all processes. Source: RADV; amdgpu's amdgpu_gds.c. */
struct amdgpu_ws_bo *amdgpu_ws_order_create(struct amdgpu_ws *ws);
void amdgpu_ws_order_destroy(struct amdgpu_ws_bo *order);

/* The CPU address of the whole buffer, the same at every call; it stays until the buffer is destroyed. NULL on
 * failure. */
void *amdgpu_ws_bo_map(struct amdgpu_ws_bo *bo);

/* Its first size_B bytes at these pages of the process, whatever was there; munmap(2) ends that. False: the kernel
 * cannot, or the buffer is smaller. */
bool amdgpu_ws_bo_map_at(struct amdgpu_ws_bo *bo, void *address, uint64_t size_B);

/* Of a SHAREABLE buffer: 0 to AMDGPU_WS_MAX_PRIORITY. The kernel rather moves others. */
#define AMDGPU_WS_MAX_PRIORITY 28 /* the kernel sorts by 32 levels; drivers use those above for what they need
                                   * themselves (observed: RADV) */
void amdgpu_ws_bo_set_priority(struct amdgpu_ws_bo *bo, uint32_t priority);

/* A buffer of the process's own pages, which stay there until it is destroyed. NULL on failure. */
struct amdgpu_ws_bo *amdgpu_ws_bo_of_host(struct amdgpu_ws *ws, void *bytes, uint64_t size_B, uint64_t alignment_B);

/* Buffers as of amdgpu_ws_bo_create(); ws outlives them. */
struct ws_buffer_source amdgpu_ws_buffers(struct amdgpu_ws *ws, uint64_t alignment_B, enum amdgpu_ws_domain domain,
                                          unsigned flags);

/* *fd: a dma-buf, owned by the caller. The buffer was created SHAREABLE or imported. */
int amdgpu_ws_bo_export(struct amdgpu_ws_bo *bo, int *fd);

/* fd stays the caller's. Importing one dma-buf twice gives two structs with two addresses. NULL on failure. */
struct amdgpu_ws_bo *amdgpu_ws_bo_import(struct amdgpu_ws *ws, int fd, uint64_t alignment_B, unsigned flags);

/* -- addresses that get memory piece by piece -- */

struct amdgpu_ws_range {
   uint64_t va, size_B; /* whole pages of 4 KiB */
   void *handle;        /* private: libdrm's */
};

enum amdgpu_ws_range_flags {
   AMDGPU_WS_RANGE_HOLES = 1 << 0,    /* at first all is a hole (PRT), where reads of vector memory give 0 and stores
                                       * are dropped; else an access faults */
   AMDGPU_WS_RANGE_VA_32BIT = 1 << 1, /* as AMDGPU_WS_BO_VA_32BIT */
};

/* range->va: the address that it must have, WS_VA_REPLAYED or 0. flags: enum amdgpu_ws_range_flags. alignment_B as of
 * amdgpu_ws_bo_create. 0 or a negative errno. */
int amdgpu_ws_range_create(struct amdgpu_ws *ws, uint64_t size_B, uint64_t alignment_B, unsigned flags,
                           struct amdgpu_ws_range *range);

/* What is bound in it is unbound. A range of zeros is fine. */
void amdgpu_ws_range_destroy(struct amdgpu_ws *ws, const struct amdgpu_ws_range *range);

/* Whole pages of a range show a buffer from offset_B on; bo NULL: a hole, or nothing. */
struct amdgpu_ws_bind {
   uint64_t va, size_B;
   const struct amdgpu_ws_bo *bo;
   uint64_t offset_B;
   bool hole;
};

/* Submits before see what was there, submits after what is bound: the kernel sees to that. */
int amdgpu_ws_bind(struct amdgpu_ws *ws, const struct amdgpu_ws_bind *bind);

/* -- contexts and submits -- */

enum amdgpu_ws_reset {
   AMDGPU_WS_NO_RESET,
   AMDGPU_WS_INNOCENT, /* another context's fault lost this one */
   AMDGPU_WS_GUILTY,   /* this context's work hung or faulted */
};

/* priority: AMDGPU_CTX_PRIORITY_*. Returns an error of the kernel; -EACCES: not this priority. */
int amdgpu_ws_ctx_create(struct amdgpu_ws *ws, int32_t priority, struct amdgpu_ws_ctx **ctx);
void amdgpu_ws_ctx_destroy(struct amdgpu_ws_ctx *ctx);
enum amdgpu_ws_reset amdgpu_ws_ctx_reset_status(struct amdgpu_ws_ctx *ctx);

struct amdgpu_ws_ib {
   uint64_t va;
   uint32_t size_dw; /* multiple of 8 */
   bool follows;     /* on the first compute ring, beside the submit's: a gang. The last one is the submit's */
};

struct amdgpu_ws_submit {
   enum amdgpu_ws_ring ring;
   uint32_t ring_index;            /* of the rings of this kind */
   const struct amdgpu_ws_ib *ibs; /* run in order */
   unsigned ib_count;              /* at least 1; at most AMDGPU_WS_MAX_IBS */
   struct ws_syncs syncs;
};
/* The kernel takes 49 a submit on SDMA, and more on other rings (its amdgpu_ring_max_ibs()). */
#define AMDGPU_WS_MAX_IBS 48

/* Starts the buffers after the waits; signals when their work is done. Waits for points that
 * nobody has submitted yet are the caller's matter (WS_WAIT_PENDING first). Every buffer of the device is
 * resident; none needs listing. -ECANCELED, -ENODATA, -ETIME: the context is lost. */
int amdgpu_ws_ctx_submit(struct amdgpu_ws_ctx *ctx, const struct amdgpu_ws_submit *submit);

#endif
