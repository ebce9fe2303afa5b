/* Synchronisation objects: kernel syncobjs. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "gallium/drivers/radeonsi/si_screen.h"
#include "gallium/drivers/radeonsi/si_sync.h"

enum pipe_result
si_result_of_errno(int error)
{
   switch (-error) {
   case 0:
      return PIPE_OK;
   case ETIME:
      return PIPE_TIMEOUT;
   case ENOMEM:
      return PIPE_OUT_OF_HOST_MEMORY;
   default:
      return PIPE_DEVICE_LOST;
   }
}

static enum pipe_result
sync_create(struct pipe_screen *screen, bool signaled, struct pipe_sync **out)
{
   struct si_sync *sync = calloc(1, sizeof(*sync));

   if (!sync || amdgpu_ws_syncobj_create(si_screen(screen)->ws, signaled, &sync->syncobj)) {
      free(sync);
      return PIPE_OUT_OF_HOST_MEMORY;
   }
   *out = si_sync_handle(sync);
   return PIPE_OK;
}

static void
sync_destroy(struct pipe_screen *screen, struct pipe_sync *sync)
{
   amdgpu_ws_syncobj_destroy(si_screen(screen)->ws, si_sync(sync)->syncobj);
   free(si_sync(sync));
}

static enum pipe_result
sync_wait(struct pipe_screen *screen, struct pipe_sync *const *syncs, const uint64_t *points, uint32_t count,
          bool all, int64_t timeout_ns)
{
   struct amdgpu_ws_sync *list = malloc(count * sizeof(*list));
   int error;

   if (!count || !list) {
      free(list);
      return count ? PIPE_OUT_OF_HOST_MEMORY : PIPE_OK;
   }
   for (uint32_t i = 0; i < count; i++)
      list[i] = (struct amdgpu_ws_sync){si_sync(syncs[i])->syncobj, points ? points[i] : 0};
   error = amdgpu_ws_syncobj_wait(si_screen(screen)->ws, list, count, all ? AMDGPU_WS_WAIT_ALL : 0, timeout_ns);
   free(list);
   return si_result_of_errno(error);
}

static enum pipe_result
sync_reset(struct pipe_screen *screen, struct pipe_sync *sync)
{
   return si_result_of_errno(amdgpu_ws_syncobj_reset(si_screen(screen)->ws, si_sync(sync)->syncobj));
}

static enum pipe_result
sync_signal(struct pipe_screen *screen, struct pipe_sync *sync, uint64_t point)
{
   return si_result_of_errno(
      amdgpu_ws_syncobj_signal(si_screen(screen)->ws, (struct amdgpu_ws_sync){si_sync(sync)->syncobj, point}));
}

static enum pipe_result
sync_query(struct pipe_screen *screen, struct pipe_sync *sync, uint64_t *point)
{
   return si_result_of_errno(amdgpu_ws_syncobj_query(si_screen(screen)->ws, si_sync(sync)->syncobj, point));
}

static enum pipe_result
sync_export(struct pipe_screen *screen, struct pipe_sync *sync, bool sync_file, int *fd)
{
   struct amdgpu_ws *ws = si_screen(screen)->ws;
   uint32_t syncobj = si_sync(sync)->syncobj;
   int error = sync_file ? amdgpu_ws_sync_file_export(ws, syncobj, fd) : amdgpu_ws_syncobj_export(ws, syncobj, fd);

   return error ? PIPE_OUT_OF_HOST_MEMORY : PIPE_OK;
}

static enum pipe_result
sync_import(struct pipe_screen *screen, struct pipe_sync *pipe, bool sync_file, int fd)
{
   struct si_sync *sync = si_sync(pipe);
   struct amdgpu_ws *ws = si_screen(screen)->ws;
   uint32_t syncobj;

   if (sync_file && fd < 0)
      return sync_signal(screen, pipe, 0);
   if (sync_file) {
      if (amdgpu_ws_sync_file_import(ws, sync->syncobj, fd))
         return PIPE_INVALID_HANDLE;
   } else {
      if (amdgpu_ws_syncobj_import(ws, fd, &syncobj))
         return PIPE_INVALID_HANDLE;
      amdgpu_ws_syncobj_destroy(ws, sync->syncobj);
      sync->syncobj = syncobj;
   }
   close(fd);
   return PIPE_OK;
}

static void
sync_consume(struct pipe_screen *screen, struct pipe_sync *sync)
{
   si_sync(sync)->once = true;
}

void
si_init_sync(struct si_screen *screen)
{
   screen->base.sync_create = sync_create;
   screen->base.sync_destroy = sync_destroy;
   screen->base.sync_wait = sync_wait;
   screen->base.sync_reset = sync_reset;
   screen->base.sync_signal = sync_signal;
   screen->base.sync_query = sync_query;
   screen->base.sync_export = sync_export;
   screen->base.sync_import = sync_import;
   screen->base.sync_consume = sync_consume;
}
