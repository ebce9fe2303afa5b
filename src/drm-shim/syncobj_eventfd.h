/* Eventfds that count up when a point of a syncobj is signaled, or there. The shim's lock is held. */
#ifndef INDIUM_DRM_SHIM_SYNCOBJ_EVENTFD_H
#define INDIUM_DRM_SHIM_SYNCOBJ_EVENTFD_H

#include <stdbool.h>
#include <stdint.h>

struct shim_syncobj;

/* Once: at the signal of the point's fence, or, if `available`, as soon as there is one. The caller may close fd.
 * -EBADF; -EINVAL: no eventfd; -EMFILE. */
int shim_syncobj_eventfd_add(struct shim_syncobj *syncobj, uint64_t point, bool available, int fd);

/* A syncobj has another fence. */
void shim_syncobj_eventfd_look(void);

/* The syncobj goes: what still waits for a fence of it will see none. */
void shim_syncobj_eventfd_forget(const struct shim_syncobj *syncobj);

#endif
