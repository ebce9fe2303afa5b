/* Syncobjs of the kernel, the same for every driver: handles that belong to a file descriptor of a DRM node, 0 is
 * none. point 0 means a binary syncobj. Functions that return int give 0 or a negative errno. Any thread may call. */
#ifndef INDIUM_GALLIUM_WINSYS_COMMON_WS_SYNCOBJ_H
#define INDIUM_GALLIUM_WINSYS_COMMON_WS_SYNCOBJ_H

#include <stdbool.h>
#include <stdint.h>

struct ws_sync {
   uint32_t syncobj;
   uint64_t point;
};

/* Of a submit. */
struct ws_syncs {
   struct ws_sync *waits, *signals;
   uint32_t num_waits, num_signals;
};

int ws_syncobj_create(int fd, bool signaled, uint32_t *syncobj);
void ws_syncobj_destroy(int fd, uint32_t syncobj);
int ws_syncobj_reset(int fd, uint32_t syncobj);

/* Signals from the CPU. */
int ws_syncobj_signal(int fd, struct ws_sync sync);

/* Gives the fence of a binary syncobj, which has one, to another. */
int ws_syncobj_copy(int fd, uint32_t from, uint32_t to);

enum ws_wait_flags {
   WS_WAIT_ALL = 1 << 0,     /* otherwise any */
   WS_WAIT_PENDING = 1 << 1, /* only until a submit that will signal has reached the kernel */
};

/* Waits for the syncs, also for those whose signal has not been submitted yet. timeout_ns: absolute, CLOCK_MONOTONIC;
 * INT64_MAX waits for ever, 0 only looks. -ETIME if the time is up. */
int ws_syncobj_wait(int fd, const struct ws_sync *syncs, unsigned count, unsigned flags, int64_t timeout_ns);

/* The last signaled point of a timeline. */
int ws_syncobj_query(int fd, uint32_t syncobj, uint64_t *point);

/* Opaque: *out names the same syncobj. Imports make a new handle. */
int ws_syncobj_export(int fd, uint32_t syncobj, int *out);
int ws_syncobj_import(int fd, int in, uint32_t *syncobj);

/* Sync files: *out names the fence the syncobj holds now. The import replaces the fence of an existing syncobj. */
int ws_sync_file_export(int fd, uint32_t syncobj, int *out);
int ws_sync_file_import(int fd, uint32_t syncobj, int in);

#endif
