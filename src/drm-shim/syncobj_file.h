/* Files of exported syncobjs. The shim's lock is held. */
#ifndef INDIUM_DRM_SHIM_SYNCOBJ_FILE_H
#define INDIUM_DRM_SHIM_SYNCOBJ_FILE_H

struct shim_syncobj;

/* A new descriptor of the syncobj; -EMFILE. */
int shim_syncobj_export(struct shim_syncobj *syncobj);

/* The syncobj of a descriptor; NULL: it is of none. One that came through a socket is found as long as somebody in
 * this process has a handle of the syncobj, or a descriptor that did not. */
struct shim_syncobj *shim_syncobj_of_fd(int fd);

/* The syncobj goes. */
void shim_syncobj_file_forget(const struct shim_syncobj *syncobj);

#endif
