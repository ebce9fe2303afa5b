#include "gallium/auxiliary/aux_sync.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "gallium/auxiliary/aux_screen.h"
#include "gallium/winsys/common/ws_syncobj.h"

enum pipe_result
aux_result_of_errno(int error)
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
   struct aux_sync *sync = calloc(1, sizeof(*sync));

   if (!sync || ws_syncobj_create(aux_screen(screen)->drm_fd, signaled, &sync->syncobj)) {
      free(sync);
      return PIPE_OUT_OF_HOST_MEMORY;
   }
   *out = aux_sync_handle(sync);
   return PIPE_OK;
}

static void
sync_destroy(struct pipe_screen *screen, struct pipe_sync *sync)
{
   ws_syncobj_destroy(aux_screen(screen)->drm_fd, aux_sync(sync)->syncobj);
   free(aux_sync(sync));
}

static enum pipe_result
sync_wait(struct pipe_screen *screen, const struct pipe_sync_point *points, uint32_t count, bool all,
          int64_t timeout_ns)
{
   struct ws_sync *list = malloc(count * sizeof(*list));
   int error;

   if (!count || !list) {
      free(list);
      return count ? PIPE_OUT_OF_HOST_MEMORY : PIPE_OK;
   }
   for (uint32_t i = 0; i < count; i++)
      list[i] = (struct ws_sync){aux_sync(points[i].sync)->syncobj, points[i].point};
   error = ws_syncobj_wait(aux_screen(screen)->drm_fd, list, count, all ? WS_WAIT_ALL : 0, timeout_ns);
   free(list);
   return aux_result_of_errno(error);
}

static enum pipe_result
sync_reset(struct pipe_screen *screen, struct pipe_sync *sync)
{
   return aux_result_of_errno(ws_syncobj_reset(aux_screen(screen)->drm_fd, aux_sync(sync)->syncobj));
}

static enum pipe_result
sync_signal(struct pipe_screen *screen, struct pipe_sync *sync, uint64_t point)
{
   return aux_result_of_errno(
      ws_syncobj_signal(aux_screen(screen)->drm_fd, (struct ws_sync){aux_sync(sync)->syncobj, point}));
}

static enum pipe_result
sync_query(struct pipe_screen *screen, struct pipe_sync *sync, uint64_t *point)
{
   return aux_result_of_errno(ws_syncobj_query(aux_screen(screen)->drm_fd, aux_sync(sync)->syncobj, point));
}

static enum pipe_result
sync_export(struct pipe_screen *screen, struct pipe_sync *sync, bool sync_file, int *fd)
{
   int drm = aux_screen(screen)->drm_fd;
   uint32_t syncobj = aux_sync(sync)->syncobj;
   int error = sync_file ? ws_sync_file_export(drm, syncobj, fd) : ws_syncobj_export(drm, syncobj, fd);

   return error ? PIPE_OUT_OF_HOST_MEMORY : PIPE_OK;
}

static enum pipe_result
sync_import(struct pipe_screen *screen, struct pipe_sync *pipe, bool sync_file, int fd)
{
   struct aux_sync *sync = aux_sync(pipe);
   int drm = aux_screen(screen)->drm_fd;
   uint32_t syncobj;

   if (sync_file && fd < 0)
      return sync_signal(screen, pipe, 0);
   if (sync_file) {
      if (ws_sync_file_import(drm, sync->syncobj, fd))
         return PIPE_INVALID_HANDLE;
   } else {
      if (ws_syncobj_import(drm, fd, &syncobj))
         return PIPE_INVALID_HANDLE;
      ws_syncobj_destroy(drm, sync->syncobj);
      sync->syncobj = syncobj;
   }
   close(fd);
   return PIPE_OK;
}

void
aux_init_sync(struct pipe_screen *screen)
{
   screen->sync_create = sync_create;
   screen->sync_destroy = sync_destroy;
   screen->sync_wait = sync_wait;
   screen->sync_reset = sync_reset;
   screen->sync_signal = sync_signal;
   screen->sync_query = sync_query;
   screen->sync_export = sync_export;
   screen->sync_import = sync_import;
}
