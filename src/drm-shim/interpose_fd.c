/* The C library's functions on file descriptors: DRM ioctls, and the bookkeeping of duplicates. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "drm-shim/fds.h"
#include "drm-shim/file.h"
#include "drm-shim/interpose.h"
#include "drm-shim/real.h"
#include "drm-shim/sw_sync.h"
#include "drm-shim/sync_file.h"

static int
with_errno(int result)
{
   if (result >= 0)
      return result;
   errno = -result;
   return -1;
}

PUBLIC int
ioctl(int fd, unsigned long request, ...)
{
   va_list args;
   va_start(args, request);
   void *arg = va_arg(args, void *);
   va_end(args);
   if (_IOC_TYPE(request) == 'd') {
      struct shim_file *file = shim_file_pin(fd);
      if (file) {
         int result = shim_file_ioctl(file, request, arg);
         shim_file_unpin(file);
         return with_errno(result);
      }
   } else if (_IOC_TYPE(request) == '>' && fds_is(fd, SHIM_FD_SYNC_FILE)) {
      return with_errno(shim_sync_file_ioctl(fd, request, arg));
   } else if (_IOC_TYPE(request) == SW_SYNC_IOC_MAGIC && sw_sync_is(fd)) {
      return with_errno(sw_sync_ioctl(fd, request, arg));
   }
   return real()->ioctl(fd, request, arg);
}

PUBLIC int
close(int fd)
{
   fds_close(fd);
   return real()->close(fd);
}

PUBLIC int
close_range(unsigned first, unsigned last, int flags)
{
   if (!flags)
      fds_close_range(first, last);
   return real()->close_range(first, last, flags);
}

PUBLIC void
closefrom(int first)
{
   fds_close_range(first < 0 ? 0 : (unsigned)first, ~0u);
   real()->closefrom(first);
}

PUBLIC int
dup(int fd)
{
   int copy = real()->dup(fd);
   if (copy >= 0)
      fds_dup(fd, copy);
   return copy;
}

PUBLIC int
dup2(int fd, int copy)
{
   int result = real()->dup2(fd, copy);
   if (result >= 0 && fd != copy)
      fds_dup(fd, copy);
   return result;
}

PUBLIC int
dup3(int fd, int copy, int flags)
{
   int result = real()->dup3(fd, copy, flags);
   if (result >= 0)
      fds_dup(fd, copy);
   return result;
}

PUBLIC int
fcntl(int fd, int command, ...)
{
   va_list args;
   va_start(args, command);
   void *arg = va_arg(args, void *);
   va_end(args);
   int result = real()->fcntl(fd, command, arg);
   if (result >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC))
      fds_dup(fd, result);
   return result;
}
INTERPOSE_ALIAS(fcntl64, fcntl)
