#include "drm-shim/fdinfo.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drm-shim/fds.h"
#include "drm-shim/file.h"
#include "drm-shim/real.h"
#include "drm-shim/shim.h"
#include "drm-shim/tree.h"

/* What follows the folder of this process's fdinfo in the path, or NULL. */
static const char *
name_in_folder(const char *path)
{
   char own[48];
   snprintf(own, sizeof(own), "/proc/%d/fdinfo", getpid());
   const char *const folders[] = {"/proc/self/fdinfo", own};
   for (unsigned i = 0; i < 2; i++) {
      size_t size_B = strlen(folders[i]);
      if (!strncmp(path, folders[i], size_B) && (path[size_B] == '/' || !path[size_B]))
         return path + size_B + (path[size_B] == '/');
   }
   return NULL;
}

static bool
is_folder(int directory)
{
   char link[48], path[PATH_MAX] = {0};
   snprintf(link, sizeof(link), "/proc/self/fd/%d", directory);
   if (real()->readlink(link, path, sizeof(path) - 1) < 0)
      return false;
   const char *name = name_in_folder(path);
   return name && !*name;
}

int
shim_fdinfo_of(int directory, const char *path)
{
   if (!tree_exists())
      return -1;
   const char *name = path && *path == '/' ? name_in_folder(path) : path;
   if (!name || !*name || strlen(name) > 9 || strspn(name, "0123456789") != strlen(name))
      return -1;
   int fd = atoi(name);
   return fds_is(fd, SHIM_FD_DRM) && (*path == '/' || is_folder(directory)) ? fd : -1;
}

static int
write_keys(char *text, size_t size_B, uint64_t client_id)
{
   const struct shim_vendor *vendor = shim_vendor();
   return snprintf(text, size_B, "drm-driver:\t%s\ndrm-client-id:\t%llu\n%s", vendor->driver,
                   (unsigned long long)client_id, vendor->platform.name ? "" : "drm-pdev:\t" SHIM_PCI_SLOT "\n");
}

int
shim_fdinfo_open(int fd, int flags)
{
   char path[48], text[2048];
   struct shim_file *file = shim_file_pin(fd);
   snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
   int system = real()->open(path, O_RDONLY | O_CLOEXEC);
   ssize_t size_B = system < 0 ? 0 : read(system, text, 1024);
   if (system >= 0)
      real()->close(system);
   size_B = size_B < 0 ? 0 : size_B;
   size_B += write_keys(text + size_B, sizeof(text) - (size_t)size_B, file ? file->client_id : 0);
   if (file)
      shim_file_unpin(file);
   int info = memfd_create("fdinfo", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
   if (info < 0 || pwrite(info, text, (size_t)size_B, 0) == size_B)
      return info;
   real()->close(info);
   errno = EIO;
   return -1;
}
