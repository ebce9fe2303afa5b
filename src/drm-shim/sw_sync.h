/* sw_sync: timelines that a program counts up itself, for tests of fences. Opening tree.h's SHIM_SW_SYNC_PATH makes
 * one (drivers/dma-buf/sw_sync.c). Its ioctls have no header in the C library. */
#ifndef INDIUM_DRM_SHIM_SW_SYNC_H
#define INDIUM_DRM_SHIM_SW_SYNC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>

struct sw_sync_create_fence_data {
   uint32_t value;
   char name[32]; /* nobody looks at it */
   int32_t fence; /* out: a sync file */
};

struct sw_sync_get_deadline {
   uint64_t deadline_ns; /* out: the earliest that was asked for */
   uint32_t pad;
   int32_t fence_fd;
};

#define SW_SYNC_IOC_MAGIC 'W'
#define SW_SYNC_IOC_CREATE_FENCE _IOWR(SW_SYNC_IOC_MAGIC, 0, struct sw_sync_create_fence_data)
#define SW_SYNC_IOC_INC _IOW(SW_SYNC_IOC_MAGIC, 1, uint32_t)
#define SW_SYNC_GET_DEADLINE _IOWR(SW_SYNC_IOC_MAGIC, 2, struct sw_sync_get_deadline)

/* A new descriptor of a timeline that stands at 0, or -1 with errno. Its fences are signaled when its count has come
 * to theirs; what is left when it is closed fails with -ENOENT. flags as for open(2). The lock is not held. */
int sw_sync_open(int flags);

/* Whether fd is one, also if it came to the process by a way that the shim did not see. The lock is not held. */
bool sw_sync_is(int fd);

/* An ioctl of this type on it: 0 or a negative errno. The lock is not held. */
int sw_sync_ioctl(int fd, unsigned long request, void *arg);

#endif
