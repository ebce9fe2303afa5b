/* One open of a node of the device: its handles and the vendor's state. */
#ifndef INDIUM_DRM_SHIM_FILE_H
#define INDIUM_DRM_SHIM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "drm-shim/handles.h"
#include "drm-shim/tree.h"
#include "util/list.h"

struct shim_file {
   struct shim_handles bos, syncobjs; /* struct shim_bo *, struct shim_syncobj * */
   void *vendor_data;

   /* private */
   struct list_head link;
   dev_t device;
   ino_t inode;
   unsigned pin_count; /* calls that use it now: it outlives its last descriptor until they end */
   bool closed;
   uint64_t client_id; /* of fdinfo: no other open has it */
   enum tree_node node;
   int access_mode; /* O_RDONLY, O_WRONLY or O_RDWR */
   pid_t opener;
   /* As struct drm_file has them (drm-shim/master.h) */
   struct shim_master *master; /* NULL: a render client */
   bool is_master, was_master, authenticated;
   uint32_t magic; /* 0: none yet */
};

/* A new file descriptor of a node of the device, or -1 with errno. flags as for open(2). */
int shim_file_open(enum tree_node node, int flags);

/* The file of fd, also if fd came to the process by a way that the shim did not see; NULL for other descriptors. It
 * stays until shim_file_unpin(), whoever closes fd. The lock is not held. */
struct shim_file *shim_file_pin(int fd);
void shim_file_unpin(struct shim_file *file);

/* The node that fd is an open of, or TREE_NO_NODE. The lock is not held. */
enum tree_node shim_file_node(int fd);

/* The same, also if fd came to the process by a way that the shim did not see. */
enum tree_node shim_file_find_node(int fd);

/* The same of a descriptor that another process sent: its memory file has the node's path as its name. */
enum tree_node shim_file_sent_node(int fd);

/* Runs an ioctl of type 'd': 0 or a negative errno. The lock is not held. */
int shim_file_ioctl(struct shim_file *file, unsigned long request, void *arg);

/* mmap(2) of the file: -1 with errno, as MAP_FAILED. */
void *shim_file_mmap(struct shim_file *file, void *address, size_t size_B, int protection, int flags, off_t offset_B);

#endif
