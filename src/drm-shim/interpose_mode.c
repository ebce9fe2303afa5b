/* The C library's functions that change or read what an inode carries: mode, owner, extended attributes. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "drm-shim/file.h"
#include "drm-shim/interpose.h"
#include "drm-shim/real.h"
#include "drm-shim/tree.h"

PUBLIC int
chmod(const char *path, mode_t mode)
{
   char buffer[PATH_MAX];
   return real()->chmod(tree_rewrite(path, buffer), mode);
}

PUBLIC int
fchmodat(int directory, const char *path, mode_t mode, int flags)
{
   char buffer[PATH_MAX];
   return real()->fchmodat(directory, tree_rewrite(path, buffer), mode, flags);
}

/* A descriptor of the device stands for the node's inode. */
PUBLIC int
fchmod(int fd, mode_t mode)
{
   char buffer[PATH_MAX];
   enum tree_node node = shim_file_node(fd);
   return node != TREE_NO_NODE ? real()->chmod(tree_rewrite(tree_node_path(node), buffer), mode)
                               : real()->fchmod(fd, mode);
}

PUBLIC int
chown(const char *path, uid_t user, gid_t group)
{
   char buffer[PATH_MAX];
   return real()->chown(tree_rewrite(path, buffer), user, group);
}

PUBLIC int
lchown(const char *path, uid_t user, gid_t group)
{
   char buffer[PATH_MAX];
   return real()->lchown(tree_rewrite(path, buffer), user, group);
}

PUBLIC int
fchownat(int directory, const char *path, uid_t user, gid_t group, int flags)
{
   char buffer[PATH_MAX];
   return real()->fchownat(directory, tree_rewrite(path, buffer), user, group, flags);
}

PUBLIC int
fchown(int fd, uid_t user, gid_t group)
{
   char buffer[PATH_MAX];
   enum tree_node node = shim_file_node(fd);
   return node != TREE_NO_NODE ? real()->chown(tree_rewrite(tree_node_path(node), buffer), user, group)
                               : real()->fchown(fd, user, group);
}

PUBLIC ssize_t
getxattr(const char *path, const char *name, void *value, size_t size_B)
{
   char buffer[PATH_MAX];
   return real()->getxattr(tree_rewrite(path, buffer), name, value, size_B);
}

PUBLIC ssize_t
lgetxattr(const char *path, const char *name, void *value, size_t size_B)
{
   char buffer[PATH_MAX];
   return real()->lgetxattr(tree_rewrite(path, buffer), name, value, size_B);
}

PUBLIC ssize_t
listxattr(const char *path, char *names, size_t size_B)
{
   char buffer[PATH_MAX];
   return real()->listxattr(tree_rewrite(path, buffer), names, size_B);
}

PUBLIC ssize_t
llistxattr(const char *path, char *names, size_t size_B)
{
   char buffer[PATH_MAX];
   return real()->llistxattr(tree_rewrite(path, buffer), names, size_B);
}

/* Only regular files and directories carry attributes of users (fs/xattr.c, xattr_permission). */
static bool
refuses(const char *path, const char *name)
{
   struct stat status;
   if (strncmp(name, "user.", strlen("user.")) || real()->stat(path, &status) ||
       !tree_is_device(tree_find_node(status.st_dev, status.st_ino)))
      return false;
   errno = EPERM;
   return true;
}

PUBLIC int
setxattr(const char *path, const char *name, const void *value, size_t size_B, int flags)
{
   char buffer[PATH_MAX];
   path = tree_rewrite(path, buffer);
   return refuses(path, name) ? -1 : real()->setxattr(path, name, value, size_B, flags);
}

PUBLIC int
lsetxattr(const char *path, const char *name, const void *value, size_t size_B, int flags)
{
   char buffer[PATH_MAX];
   path = tree_rewrite(path, buffer);
   return refuses(path, name) ? -1 : real()->lsetxattr(path, name, value, size_B, flags);
}

PUBLIC int
removexattr(const char *path, const char *name)
{
   char buffer[PATH_MAX];
   path = tree_rewrite(path, buffer);
   return refuses(path, name) ? -1 : real()->removexattr(path, name);
}

PUBLIC int
lremovexattr(const char *path, const char *name)
{
   char buffer[PATH_MAX];
   path = tree_rewrite(path, buffer);
   return refuses(path, name) ? -1 : real()->lremovexattr(path, name);
}
