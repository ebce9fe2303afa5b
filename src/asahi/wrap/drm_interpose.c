/* The C library's names that the tracer takes over. Behind them stand the next library's: the shim's, if it is
 * preloaded after the tracer, or the C library's. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "asahi/wrap/drm_fds.h"
#include "drm-shim/interpose.h"
#include "util/log.h"

static struct {
   struct agx_drm_kernel kernel;
   int (*close)(int);
   int (*close_range)(unsigned, unsigned, int);
   void (*closefrom)(int);
   int (*dup)(int);
   int (*dup2)(int, int);
   int (*dup3)(int, int, int);
   int (*fcntl)(int, int, ...);
} next;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *
resolve(const char *name)
{
   void *function = dlsym(RTLD_NEXT, name);
   if (!function) {
      log_error("wrap: the C library has no %s", name);
      abort();
   }
   return function;
}

static void
resolve_all(void)
{
#define RESOLVE(place, name) place = (__typeof__(place))resolve(name)
   RESOLVE(next.kernel.ioctl, "ioctl");
   RESOLVE(next.kernel.mmap, "mmap");
   RESOLVE(next.close, "close");
   RESOLVE(next.close_range, "close_range");
   RESOLVE(next.closefrom, "closefrom");
   RESOLVE(next.dup, "dup");
   RESOLVE(next.dup2, "dup2");
   RESOLVE(next.dup3, "dup3");
   RESOLVE(next.fcntl, "fcntl");
#undef RESOLVE
}

static void
init(void)
{
   pthread_once(&once, resolve_all);
}

PUBLIC int
ioctl(int fd, unsigned long request, ...)
{
   va_list args;
   va_start(args, request);
   void *arg = va_arg(args, void *);
   va_end(args);
   init();
   return _IOC_TYPE(request) == 'd' ? agx_drm_fds_ioctl(&next.kernel, fd, request, arg)
                                    : next.kernel.ioctl(fd, request, arg);
}

PUBLIC int
close(int fd)
{
   init();
   if (fd >= 0)
      agx_drm_fds_close((unsigned)fd, (unsigned)fd);
   return next.close(fd);
}

PUBLIC int
close_range(unsigned first, unsigned last, int flags)
{
   init();
   if (!flags)
      agx_drm_fds_close(first, last);
   return next.close_range(first, last, flags);
}

PUBLIC void
closefrom(int first)
{
   init();
   agx_drm_fds_close(first < 0 ? 0 : (unsigned)first, ~0u);
   next.closefrom(first);
}

PUBLIC int
dup(int fd)
{
   init();
   int copy = next.dup(fd);
   agx_drm_fds_dup(fd, copy);
   return copy;
}

PUBLIC int
dup2(int fd, int copy)
{
   init();
   int result = next.dup2(fd, copy);
   if (result >= 0)
      agx_drm_fds_dup(fd, copy);
   return result;
}

PUBLIC int
dup3(int fd, int copy, int flags)
{
   init();
   int result = next.dup3(fd, copy, flags);
   if (result >= 0)
      agx_drm_fds_dup(fd, copy);
   return result;
}

PUBLIC int
fcntl(int fd, int command, ...)
{
   va_list args;
   va_start(args, command);
   void *arg = va_arg(args, void *);
   va_end(args);
   init();
   int result = next.fcntl(fd, command, arg);
   if (result >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC))
      agx_drm_fds_dup(fd, result);
   return result;
}
INTERPOSE_ALIAS(fcntl64, fcntl)
