#include "asahi/wrap/drm_fds.h"

#include <drm.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "asahi/wrap/outputs.h"
#include "drm-shim/settings.h"

/* Descriptors above are not looked at; the kernel hands out the lowest free number. */
#define MAX_FD 65536

enum state {
   UNKNOWN,
   NOT_ASAHI,
   ASAHI,
};

static struct {
   enum state state;
   struct agx_drm_file *file; /* of ASAHI */
} table[MAX_FD];
static unsigned table_end; /* from here on all are unknown */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct agx_tracer *wrap; /* made at the first node */
static bool off; /* in the child of a fork(2), whose outputs are the parent's; or there is no table of the GPU */

/* Ahead of a fork(2). */
static void
hold(void)
{
   pthread_mutex_lock(&lock);
   if (wrap)
      agx_wrap_flush(wrap);
}

static void
take_lock(void)
{
   pthread_mutex_lock(&lock);
}

static void
give_lock(void)
{
   pthread_mutex_unlock(&lock);
}

static void
forked(void)
{
   off = true;
   give_lock();
}

__attribute__((constructor)) static void
watch_forks(void)
{
   pthread_atfork(hold, give_lock, forked);
}

static bool
outputs_failed(void)
{
   return agx_wrap_failed(wrap);
}

static bool
has_wrap(const struct agx_drm_kernel *kernel, int fd)
{
   char chip[16];
   struct agx_wrap_settings settings = {0};
   if (wrap || off)
      return wrap && !off;
   off = !agx_drm_identify(kernel, fd, &settings, chip);
   if (off)
      return false;
   agx_wrap_open_outputs(&settings);
   wrap = agx_wrap_create(&settings);
   shim_need_outputs(outputs_failed);
   return true;
}

static void
set(int fd, enum state state, struct agx_drm_file *file)
{
   table[fd].state = state;
   table[fd].file = file;
   if (file)
      file->fd_count++;
   if ((unsigned)fd >= table_end)
      table_end = (unsigned)fd + 1;
}

static void
forget(int fd)
{
   struct agx_drm_file *file = table[fd].file;
   set(fd, UNKNOWN, NULL);
   if (file && !--file->fd_count)
      agx_drm_file_close(file);
}

/* NULL: not one of DRM asahi. A driver's first call on a node asks who it is: a number may have become another node's
 * unseen. */
static struct agx_drm_file *
file_of(const struct agx_drm_kernel *kernel, int fd, unsigned long request)
{
   if (fd < 0 || fd >= MAX_FD || off)
      return NULL;
   bool asks = _IOC_NR(request) == _IOC_NR(DRM_IOCTL_VERSION);
   if (table[fd].state != UNKNOWN && !asks)
      return table[fd].file;
   bool is_asahi = agx_drm_is_asahi(kernel, fd);
   if (table[fd].state == ASAHI && is_asahi)
      return table[fd].file;
   forget(fd);
   if (is_asahi && has_wrap(kernel, fd))
      set(fd, ASAHI, agx_drm_file_open(kernel, wrap));
   else
      set(fd, NOT_ASAHI, NULL);
   return table[fd].file;
}

int
agx_drm_fds_ioctl(const struct agx_drm_kernel *kernel, int fd, unsigned long request, void *arg)
{
   int before = errno;
   take_lock();
   struct agx_drm_file *file = file_of(kernel, fd, request);
   errno = before;
   if (!file || !agx_drm_is_traced(request)) {
      give_lock();
      return kernel->ioctl(fd, request, arg);
   }
   int result = agx_drm_ioctl(file, fd, request, arg), error = errno;
   give_lock();
   errno = error;
   return result;
}

void
agx_drm_fds_dup(int from, int fd)
{
   if (from < 0 || from >= MAX_FD || fd < 0 || fd >= MAX_FD || from == fd)
      return;
   take_lock();
   if (!off) {
      forget(fd);
      if (table[from].state != UNKNOWN)
         set(fd, table[from].state, table[from].file);
   }
   give_lock();
}

void
agx_drm_fds_close(unsigned first, unsigned last)
{
   take_lock();
   for (unsigned fd = first; !off && fd <= last && fd < table_end; fd++)
      forget((int)fd);
   give_lock();
}
