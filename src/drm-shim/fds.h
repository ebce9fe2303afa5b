/* Which file descriptors of the process belong to the shim. The shim's lock is not held where a comment does not ask
 * for it. */
#ifndef INDIUM_DRM_SHIM_FDS_H
#define INDIUM_DRM_SHIM_FDS_H

#include <stdbool.h>

enum shim_fd_kind {
   SHIM_FD_NONE,
   SHIM_FD_DRM,       /* object: struct shim_file */
   SHIM_FD_SYNC_FILE, /* object: struct shim_sync_file */
   SHIM_FD_SYNCOBJ,   /* object: struct shim_syncobj */
   SHIM_FD_SW_SYNC,   /* object: struct sw_timeline */
};

/* One open file description; descriptors that share it are counted. release gets the object when the last one is
 * closed, with the shim's lock held. */
struct shim_fd {
   enum shim_fd_kind kind;
   unsigned fd_count;
   void *object;
   void (*release)(void *object);
};

/* fd becomes a descriptor of a new description. The shim's lock is held. */
void fds_add(int fd, enum shim_fd_kind kind, void *object, void (*release)(void *object));

/* The object of fd if it is of this kind, or NULL. The shim's lock is held; another thread may close fd as soon as it
 * is not. */
void *fds_object(int fd, enum shim_fd_kind kind);

/* The kind of fd at the moment, and whether it is this one. */
enum shim_fd_kind fds_kind(int fd);
bool fds_is(int fd, enum shim_fd_kind kind);

/* fd was made by duplication of `from`. */
void fds_dup(int from, int fd);

/* fd is about to be closed, or was replaced. */
void fds_close(int fd);

/* As fds_close for every descriptor in [first, last]. */
void fds_close_range(unsigned first, unsigned last);

#endif
