/* The C library's functions that take a path, with the device's paths led to the private tree. */
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drm-shim/fdinfo.h"
#include "drm-shim/file.h"
#include "drm-shim/interpose.h"
#include "drm-shim/real.h"
#include "drm-shim/sw_sync.h"
#include "drm-shim/tree.h"
#include "util/macros.h"

/* /proc/self/fd/N of a descriptor of the device names its node. No other file of /proc takes the shim's lock: TSan
 * reads some while it reports, whatever the thread holds. */
static enum tree_node
find_node(int fd, const char *path)
{
   struct stat status;
   if (real()->fstat(fd, &status))
      return TREE_NO_NODE;
   enum tree_node node = tree_find_node(status.st_dev, status.st_ino);
   const bool names_fd = !strncmp(path, "/proc/", strlen("/proc/")) && strstr(path, "/fd/");
   return node == TREE_NO_NODE && names_fd ? shim_file_find_node(fd) : node;
}

/* The node's stand-in may be named from a directory of the tree, too: the file that was opened tells. */
static int
open_path(int directory, const char *path, int flags, mode_t mode)
{
   char buffer[PATH_MAX];
   int shown = shim_fdinfo_of(directory, path);
   if (shown >= 0)
      return shim_fdinfo_open(shown, flags);
   int fd = real()->openat(directory, tree_rewrite(path, buffer), flags, mode);
   if (fd < 0 || !tree_exists() || (flags & O_PATH))
      return fd;
   enum tree_node node = find_node(fd, path);
   if (node == TREE_NO_NODE)
      return fd;
   real()->close(fd);
   return node == TREE_SW_SYNC ? sw_sync_open(flags) : shim_file_open(node, flags);
}

/* The argument after the flags, if they ask for one. */
static mode_t
read_mode(int flags, va_list args)
{
   return flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)) ? va_arg(args, mode_t) : 0;
}

PUBLIC int
open(const char *path, int flags, ...)
{
   va_list args;
   va_start(args, flags);
   int fd = open_path(AT_FDCWD, path, flags, read_mode(flags, args));
   va_end(args);
   return fd;
}

PUBLIC int
openat(int directory, const char *path, int flags, ...)
{
   va_list args;
   va_start(args, flags);
   int fd = open_path(directory, path, flags, read_mode(flags, args));
   va_end(args);
   return fd;
}

PUBLIC int
__open_2(const char *path, int flags)
{
   return open_path(AT_FDCWD, path, flags, 0);
}

PUBLIC int
__openat_2(int directory, const char *path, int flags)
{
   return open_path(directory, path, flags, 0);
}

INTERPOSE_ALIAS(open64, open)
INTERPOSE_ALIAS(openat64, openat)
INTERPOSE_ALIAS(__open64_2, __open_2)
INTERPOSE_ALIAS(__openat64_2, __openat_2)

/* A node of the tree, or sw_sync. */
static bool
is_node(const char *target)
{
   struct stat status;
   return !real()->stat(target, &status) && tree_find_node(status.st_dev, status.st_ino) != TREE_NO_NODE;
}

/* open(2)'s, of a file that is there. */
static int
flags_of_mode(const char *mode)
{
   return (strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY) | (strchr(mode, 'e') ? O_CLOEXEC : 0);
}

static FILE *
fopen_node(const char *path, const char *mode)
{
   int fd = open_path(AT_FDCWD, path, flags_of_mode(mode), 0);
   FILE *file = fd < 0 ? NULL : fdopen(fd, mode);
   if (!file && fd >= 0)
      close(fd);
   return file;
}

PUBLIC FILE *
fopen(const char *path, const char *mode)
{
   char buffer[PATH_MAX];
   int shown = shim_fdinfo_of(AT_FDCWD, path);
   if (shown >= 0) {
      int fd = shim_fdinfo_open(shown, strchr(mode, 'e') ? O_CLOEXEC : 0);
      FILE *file = fd < 0 ? NULL : fdopen(fd, mode);
      if (!file && fd >= 0)
         real()->close(fd);
      return file;
   }
   const char *target = tree_rewrite(path, buffer);
   return target != path && is_node(target) ? fopen_node(path, mode) : real()->fopen(target, mode);
}
INTERPOSE_ALIAS(fopen64, fopen)

PUBLIC int
access(const char *path, int mode)
{
   char buffer[PATH_MAX];
   return real()->access(tree_rewrite(path, buffer), mode);
}

PUBLIC int
faccessat(int directory, const char *path, int mode, int flags)
{
   char buffer[PATH_MAX];
   return real()->faccessat(directory, tree_rewrite(path, buffer), mode, flags);
}

/* /proc/self/fd/N of a DRM descriptor would tell of a memory file. */
static ssize_t
read_fd_link(const char *path, char *text, size_t size_B)
{
   static const char prefix[] = "/proc/self/fd/";
   char *end;
   if (strncmp(path, prefix, sizeof(prefix) - 1))
      return -1;
   long fd = strtol(path + sizeof(prefix) - 1, &end, 10);
   enum tree_node node = *end ? TREE_NO_NODE : shim_file_node((int)fd);
   if (node == TREE_NO_NODE)
      return -1;
   size_B = MIN2(size_B, strlen(tree_node_path(node)));
   memcpy(text, tree_node_path(node), size_B);
   return (ssize_t)size_B;
}

PUBLIC ssize_t
readlinkat(int directory, const char *path, char *text, size_t size_B)
{
   char buffer[PATH_MAX];
   ssize_t known_B = read_fd_link(path, text, size_B);
   return known_B >= 0 ? known_B : real()->readlinkat(directory, tree_rewrite(path, buffer), text, size_B);
}

PUBLIC ssize_t
readlink(const char *path, char *text, size_t size_B)
{
   return readlinkat(AT_FDCWD, path, text, size_B);
}

PUBLIC ssize_t
__readlink_chk(const char *path, char *text, size_t size_B, size_t object_B)
{
   return size_B > object_B ? (abort(), -1) : readlinkat(AT_FDCWD, path, text, size_B);
}

PUBLIC ssize_t
__readlinkat_chk(int directory, const char *path, char *text, size_t size_B, size_t object_B)
{
   return size_B > object_B ? (abort(), -1) : readlinkat(directory, path, text, size_B);
}

PUBLIC char *
realpath(const char *path, char *resolved)
{
   char buffer[PATH_MAX];
   const char *target = tree_rewrite(path, buffer);
   char *result = real()->realpath(target, resolved);
   if (result && target != path)
      tree_restore(result);
   return result;
}

PUBLIC char *
__realpath_chk(const char *path, char *resolved, size_t object_B)
{
   return object_B < PATH_MAX ? (abort(), NULL) : realpath(path, resolved);
}

PUBLIC char *
canonicalize_file_name(const char *path)
{
   return realpath(path, NULL);
}

PUBLIC DIR *
opendir(const char *path)
{
   char buffer[PATH_MAX];
   return real()->opendir(tree_rewrite(path, buffer));
}

PUBLIC int
scandir(const char *path, struct dirent ***names, int (*filter)(const struct dirent *),
        int (*compare)(const struct dirent **, const struct dirent **))
{
   char buffer[PATH_MAX];
   return real()->scandir(tree_rewrite(path, buffer), names, filter, compare);
}
INTERPOSE_ALIAS(scandir64, scandir)
