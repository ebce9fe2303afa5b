/* Files of exported syncobjs. The shim's lock is held. */
#ifndef INDIUM_DRM_SHIM_SYNCOBJ_FILE_H
#define INDIUM_DRM_SHIM_SYNCOBJ_FILE_H

struct shim_syncobj;

/* A new descriptor of the syncobj; -EMFILE. */
int shim_syncobj_export(struct shim_syncobj *syncobj);

/* The syncobj of a descriptor, which may have come through a socket; NULL: it is of none of this process. */
struct shim_syncobj *shim_syncobj_of_fd(int fd);

/* Forgets the exports of which no descriptor is left. */
void shim_syncobj_files_look(void);

#endif
