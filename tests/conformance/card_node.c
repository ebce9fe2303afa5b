/* Preloaded into tests of the kernel (bin/conformance igt), which open the nodes of cards only: they find the shim's
 * render node under the name of the first card. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CARD "/dev/dri/card0"
#define RENDER_NODE "/dev/dri/renderD128"

struct stat64;

/* Stores the shim's function, which is next, in a pointer to a function: ISO C has no cast for it. */
static void
next(const char *name, void *call)
{
   void *function = dlsym(RTLD_NEXT, name);
   if (!function)
      abort();
   memcpy(call, &function, sizeof(function));
}

static const char *
node(const char *path)
{
   return path && !strcmp(path, CARD) ? RENDER_NODE : path;
}

int
open(const char *path, int flags, ...)
{
   va_list list;
   va_start(list, flags);
   int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;
   va_end(list);
   int (*call)(const char *, int, ...);
   next("open", &call);
   return call(node(path), flags, mode);
}

int
open64(const char *path, int flags, ...)
{
   va_list list;
   va_start(list, flags);
   int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;
   va_end(list);
   int (*call)(const char *, int, ...);
   next("open64", &call);
   return call(node(path), flags, mode);
}

int
stat(const char *restrict path, struct stat *restrict result)
{
   int (*call)(const char *, struct stat *);
   next("stat", &call);
   return call(node(path), result);
}

int
stat64(const char *restrict path, struct stat64 *restrict result)
{
   int (*call)(const char *, struct stat64 *);
   next("stat64", &call);
   return call(node(path), result);
}

int
access(const char *path, int mode)
{
   int (*call)(const char *, int);
   next("access", &call);
   return call(node(path), mode);
}
