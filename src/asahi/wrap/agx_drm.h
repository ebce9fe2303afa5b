/* The tracer's front for Linux: the ioctls of DRM asahi (include/drm-uapi/asahi_drm.h) that a driver makes, whether
 * the kernel answers them or a model of it. Each continues as it is, but for SUBMIT while a recording is made, which
 * gets a sync object more to be waited for: so nothing runs while memory is looked at. */
#ifndef INDIUM_ASAHI_WRAP_AGX_DRM_H
#define INDIUM_ASAHI_WRAP_AGX_DRM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "asahi/wrap/ids.h"
#include "asahi/wrap/wrap.h"

/* What is behind the tracer. As ioctl(2) and mmap(2). */
struct agx_drm_kernel {
   int (*ioctl)(int fd, unsigned long request, ...);
   void *(*mmap)(void *address, size_t size_B, int protection, int flags, int fd, off_t offset_B);
};

/* One open of the node. */
struct agx_drm_file {
   unsigned fd_count; /* descriptors of it */
   const struct agx_drm_kernel *kernel;
   struct agx_tracer *wrap;
   struct agx_wrap_ids bos, vms, queues; /* struct agx_drm_bo, agx_wrap_space, agx_drm_queue */
   uint32_t done;                        /* a sync object: the last submission is; 0: none yet */
};

/* A buffer. It is looked at from the first bind on. */
struct agx_drm_bo {
   uint64_t size_B;
   void *map; /* ours; NULL: none */
   struct agx_wrap_memory *memory;
};

struct agx_drm_queue {
   struct agx_wrap_space *space; /* NULL: of a VM that is not known */
   uint64_t usc_base, submit_count;
};

/* Whether the node behind fd is of DRM asahi. */
bool agx_drm_is_asahi(const struct agx_drm_kernel *kernel, int fd);

/* Which GPU the node behind fd is of: the chip and gen of settings. False after a message: there are no tables of it.
 */
bool agx_drm_identify(const struct agx_drm_kernel *kernel, int fd, struct agx_wrap_settings *settings, char chip[16]);

/* fd_count is 0. */
struct agx_drm_file *agx_drm_file_open(const struct agx_drm_kernel *kernel, struct agx_tracer *wrap);

/* All that it has is gone. */
void agx_drm_file_close(struct agx_drm_file *file);

/* Whether anything is done about the ioctl. */
bool agx_drm_is_traced(unsigned long request);

/* A DRM ioctl, made and looked at. Returns as ioctl(2), with errno. arg: the caller's, not looked at without care. */
int agx_drm_ioctl(struct agx_drm_file *file, int fd, unsigned long request, void *arg);

#endif
