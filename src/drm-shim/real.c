#include "drm-shim/real.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "util/log.h"

static struct real_libc table;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *
resolve(const char *name)
{
   void *function = dlsym(RTLD_NEXT, name);
   if (!function) {
      log_error("drm-shim: the C library has no %s", name);
      abort();
   }
   return function;
}

static void
init(void)
{
#define RESOLVE(name) table.name = (__typeof__(table.name))resolve(#name)
   RESOLVE(open);
   RESOLVE(openat);
   RESOLVE(fopen);
   RESOLVE(fclose);
   RESOLVE(stat);
   RESOLVE(lstat);
   RESOLVE(fstat);
   RESOLVE(fstatat);
   RESOLVE(statx);
   RESOLVE(access);
   RESOLVE(faccessat);
   RESOLVE(chmod);
   RESOLVE(fchmod);
   RESOLVE(fchmodat);
   RESOLVE(chown);
   RESOLVE(lchown);
   RESOLVE(fchown);
   RESOLVE(fchownat);
   RESOLVE(getxattr);
   RESOLVE(lgetxattr);
   RESOLVE(listxattr);
   RESOLVE(llistxattr);
   RESOLVE(setxattr);
   RESOLVE(lsetxattr);
   RESOLVE(removexattr);
   RESOLVE(lremovexattr);
   RESOLVE(readlink);
   RESOLVE(readlinkat);
   RESOLVE(realpath);
   RESOLVE(opendir);
   RESOLVE(scandir);
   RESOLVE(ioctl);
   RESOLVE(mmap);
   RESOLVE(munmap);
   RESOLVE(mremap);
   RESOLVE(mprotect);
   RESOLVE(madvise);
   RESOLVE(read);
   RESOLVE(write);
   RESOLVE(lseek);
   RESOLVE(close);
   RESOLVE(close_range);
   RESOLVE(closefrom);
   RESOLVE(dup);
   RESOLVE(dup2);
   RESOLVE(dup3);
   RESOLVE(fcntl);
   RESOLVE(execve);
   RESOLVE(execvpe);
   RESOLVE(fexecve);
   RESOLVE(execveat);
   RESOLVE(posix_spawn);
   RESOLVE(posix_spawnp);
#undef RESOLVE
}

const struct real_libc *
real(void)
{
   pthread_once(&once, init);
   return &table;
}
