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
   if (!tree_exists() || !shim_vendor()->has_fdinfo)
      return -1;
   const char *name = path && *path == '/' ? name_in_folder(path) : path;
   if (!name || !*name || strlen(name) > 9 || strspn(name, "0123456789") != strlen(name))
      return -1;
   int fd = atoi(name);
   return fds_is(fd, SHIM_FD_DRM) && (*path == '/' || is_folder(directory)) ? fd : -1;
}

static void
print_keys(FILE *out, struct shim_file *file)
{
   const struct shim_vendor *vendor = shim_vendor();
   fprintf(out, "drm-driver:\t%s\ndrm-client-id:\t%llu\n%s", vendor->driver, (unsigned long long)file->client_id,
           vendor->platform.name ? "" : "drm-pdev:\t" SHIM_PCI_SLOT "\n");
   shim_lock();
   if (vendor->print_fdinfo)
      vendor->print_fdinfo(out, file);
   shim_unlock();
}

/* What the system tells of the memory file that stands for the device. */
static void
copy_system(FILE *out, int fd)
{
   char path[48], text[1024];
   snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
   int system = real()->open(path, O_RDONLY | O_CLOEXEC);
   ssize_t size_B = system < 0 ? 0 : read(system, text, sizeof(text));
   if (size_B > 0)
      fwrite(text, 1, (size_t)size_B, out);
   if (system >= 0)
      real()->close(system);
}

int
shim_fdinfo_open(int fd, int flags)
{
   char *text = NULL;
   size_t size_B = 0;
   FILE *out = open_memstream(&text, &size_B);
   if (!out)
      return -1;
   copy_system(out, fd);
   struct shim_file *file = shim_file_pin(fd);
   if (file) {
      print_keys(out, file);
      shim_file_unpin(file);
   }
   int info = fclose(out) ? -1 : memfd_create("fdinfo", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
   if (info >= 0 && pwrite(info, text, size_B, 0) != (ssize_t)size_B) {
      real()->close(info);
      errno = EIO;
      info = -1;
   }
   free(text);
   return info;
}
