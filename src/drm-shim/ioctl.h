/* The ioctls that every DRM driver has. */
#ifndef INDIUM_DRM_SHIM_IOCTL_H
#define INDIUM_DRM_SHIM_IOCTL_H

#include <stdbool.h>

#include "drm-shim/vendor.h"

/* NULL handler: no such ioctl. nr: number of a core ioctl. */
struct shim_ioctl shim_core_ioctl(unsigned nr);
struct shim_ioctl shim_syncobj_ioctl(unsigned nr);

/* Those that only a card's node has; *needs: of shim_master_permit(). */
struct shim_ioctl shim_primary_ioctl(unsigned nr, unsigned *needs);

struct shim_syncobj;
struct shim_fence;

/* NULL for a number that is no handle. */
struct shim_syncobj *shim_syncobj_get(struct shim_file *file, uint32_t handle);

/* Finds the fence of a point, waiting up to five seconds for somebody to submit it if `wait_for_submit`. *fence is a
 * new reference. -ENOENT: no such handle; -EINVAL: no fence; -ETIME. */
int shim_syncobj_find_fence(struct shim_file *file, uint32_t handle, uint64_t point, bool wait_for_submit,
                            struct shim_fence **fence);

#endif
