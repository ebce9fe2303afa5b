/* /proc/PID/fdinfo/N of the device's descriptors. */
#ifndef INDIUM_DRM_SHIM_FDINFO_H
#define INDIUM_DRM_SHIM_FDINFO_H

/* The descriptor N if the path, which may count from the folder `directory`, is that of this process's fdinfo of a
 * DRM descriptor whose driver has such keys; -1 otherwise. The lock is not held. */
int shim_fdinfo_of(int directory, const char *path);

/* A file with what the system tells of the descriptor, the keys that every driver has, and the vendor's
 * (Documentation/gpu/drm-usage-stats.rst), or -1 with errno. */
int shim_fdinfo_open(int fd, int flags);

#endif
