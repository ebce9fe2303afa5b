#include "fake_syncobj.h"

#include <errno.h>
#include <sched.h>

#include "gallium/winsys/common/ws_syncobj.h"

_Atomic bool fake_not_submitted;
_Atomic unsigned fake_num_cpu_signals;

int
ws_syncobj_create(int fd, bool signaled, uint32_t *syncobj)
{
   *syncobj = 1;
   return 0;
}

void
ws_syncobj_destroy(int fd, uint32_t syncobj)
{
}

#define NOTHING(name, ...) int name(int fd, __VA_ARGS__) { return 0; }
NOTHING(ws_syncobj_reset, uint32_t syncobj)
NOTHING(ws_syncobj_copy, uint32_t from, uint32_t to)
NOTHING(ws_syncobj_query, uint32_t syncobj, uint64_t *point)
NOTHING(ws_syncobj_export, uint32_t syncobj, int *out)
NOTHING(ws_syncobj_import, int in, uint32_t *syncobj)
NOTHING(ws_sync_file_export, uint32_t syncobj, int *out)
NOTHING(ws_sync_file_import, uint32_t syncobj, int in)

int
ws_syncobj_signal(int fd, struct ws_sync sync)
{
   fake_num_cpu_signals++;
   return 0;
}

int
ws_syncobj_wait(int fd, const struct ws_sync *syncs, unsigned count, unsigned flags, int64_t timeout_ns)
{
   while ((flags & WS_WAIT_PENDING) && fake_not_submitted) {
      if (!timeout_ns)
         return -ETIME;
      sched_yield();
   }
   return 0;
}
