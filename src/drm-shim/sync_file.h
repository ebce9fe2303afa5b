/* Sync files: a fence as a file descriptor, readable (poll) when signaled. The shim's lock is held. */
#ifndef INDIUM_DRM_SHIM_SYNC_FILE_H
#define INDIUM_DRM_SHIM_SYNC_FILE_H

struct shim_fence;

/* A new descriptor (close-on-exec) for the fence, or a negative errno. */
int shim_sync_file_create(struct shim_fence *fence);

/* The fence (no new reference) behind a sync file's descriptor, or NULL. */
struct shim_fence *shim_sync_file_fence(int fd);

/* An ioctl of type '>' on it: 0 or a negative errno. The lock is not held. */
int shim_sync_file_ioctl(int fd, unsigned long request, void *arg);

#endif
