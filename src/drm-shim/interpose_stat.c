/* The C library's stat functions: the node and its descriptors look like a character device. */
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "drm-shim/file.h"
#include "drm-shim/interpose.h"
#include "drm-shim/real.h"
#include "drm-shim/tree.h"

/* Of a descriptor, too, all but the size is the node's: who compares st_dev and st_ino finds that it is the same. */
static void
make_device(struct stat *status, enum tree_node node)
{
   char buffer[PATH_MAX];
   struct stat inode;
   if (!real()->stat(tree_rewrite(tree_node_path(node), buffer), &inode))
      *status = inode;
   status->st_mode = S_IFCHR | (status->st_mode & 07777);
   status->st_rdev = makedev(SHIM_DRM_MAJOR, tree_node_minor(node));
   status->st_size = 0;
}

static int
disguise(int result, struct stat *status)
{
   enum tree_node node = result ? TREE_NO_NODE : tree_find_node(status->st_dev, status->st_ino);
   if (tree_is_device(node))
      make_device(status, node);
   return result;
}

static int
stat_path(const char *path, struct stat *status)
{
   char buffer[PATH_MAX];
   return disguise(real()->stat(tree_rewrite(path, buffer), status), status);
}

static int
stat_link(const char *path, struct stat *status)
{
   char buffer[PATH_MAX];
   return disguise(real()->lstat(tree_rewrite(path, buffer), status), status);
}

/* A memory file may have come through a socket: its number says nothing. */
static int
stat_fd(int fd, struct stat *status)
{
   int result = disguise(real()->fstat(fd, status), status);
   enum tree_node node = result ? TREE_NO_NODE : shim_file_node(fd);
   const bool memory = !result && node == TREE_NO_NODE && S_ISREG(status->st_mode) && !status->st_nlink;
   node = memory ? shim_file_find_node(fd) : node;
   node = memory && node == TREE_NO_NODE ? shim_file_sent_node(fd) : node;
   if (node != TREE_NO_NODE)
      make_device(status, node);
   return result;
}

static int
stat_at(int directory, const char *path, struct stat *status, int flags)
{
   char buffer[PATH_MAX];
   if ((flags & AT_EMPTY_PATH) && !*path)
      return stat_fd(directory, status);
   return disguise(real()->fstatat(directory, tree_rewrite(path, buffer), status, flags), status);
}

/* One name of a function. None calls another: a sanitizer's library may stand in for some of them. */
#define STAT(name, parameters, call)                                                                                 \
   PUBLIC int name parameters                                                                                        \
   {                                                                                                                 \
      return call;                                                                                                   \
   }
STAT(stat, (const char *path, struct stat *status), stat_path(path, status))
STAT(lstat, (const char *path, struct stat *status), stat_link(path, status))
STAT(fstat, (int fd, struct stat *status), stat_fd(fd, status))
STAT(fstatat, (int directory, const char *path, struct stat *status, int flags),
     stat_at(directory, path, status, flags))
INTERPOSE_ALIAS(stat64, stat)
INTERPOSE_ALIAS(lstat64, lstat)
INTERPOSE_ALIAS(fstat64, fstat)
INTERPOSE_ALIAS(fstatat64, fstatat)

/* Names that programs linked with a C library before 2.33 use. */
STAT(__xstat, (int version, const char *path, struct stat *status), stat_path(path, status))
STAT(__lxstat, (int version, const char *path, struct stat *status), stat_link(path, status))
STAT(__fxstat, (int version, int fd, struct stat *status), stat_fd(fd, status))
STAT(__fxstatat, (int version, int directory, const char *path, struct stat *status, int flags),
     stat_at(directory, path, status, flags))
INTERPOSE_ALIAS(__xstat64, __xstat)
INTERPOSE_ALIAS(__lxstat64, __lxstat)
INTERPOSE_ALIAS(__fxstat64, __fxstat)
INTERPOSE_ALIAS(__fxstatat64, __fxstatat)

PUBLIC int
statx(int directory, const char *path, int flags, unsigned mask, struct statx *status)
{
   char buffer[PATH_MAX];
   int result = real()->statx(directory, tree_rewrite(path, buffer), flags, mask, status);
   if (result)
      return result;
   enum tree_node node = (flags & AT_EMPTY_PATH) && !*path ? shim_file_node(directory) : TREE_NO_NODE;
   if (node == TREE_NO_NODE)
      node = tree_find_node(makedev(status->stx_dev_major, status->stx_dev_minor), status->stx_ino);
   else if (real()->statx(AT_FDCWD, tree_rewrite(tree_node_path(node), buffer), 0, mask, status))
      return -1;
   if (tree_is_device(node)) {
      status->stx_mode = S_IFCHR | (status->stx_mode & 07777);
      status->stx_rdev_major = SHIM_DRM_MAJOR;
      status->stx_rdev_minor = tree_node_minor(node);
      status->stx_size = 0;
   }
   return 0;
}
