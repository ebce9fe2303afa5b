/* Which descriptors of the process are of DRM asahi. Thread-safe by themselves. */
#ifndef INDIUM_ASAHI_WRAP_DRM_FDS_H
#define INDIUM_ASAHI_WRAP_DRM_FDS_H

#include "asahi/wrap/agx_drm.h"

/* A DRM ioctl on fd, through the tracer if it is one of DRM asahi. */
int agx_drm_fds_ioctl(const struct agx_drm_kernel *kernel, int fd, unsigned long request, void *arg);

/* fd was made by duplication of `from`. */
void agx_drm_fds_dup(int from, int fd);

/* Descriptors [first, last] are about to be closed, or were replaced. */
void agx_drm_fds_close(unsigned first, unsigned last);

#endif
