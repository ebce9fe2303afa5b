#include <errno.h>
#include <stdlib.h>
#include <xf86drm.h>

#include "gallium/winsys/amdgpu/amdgpu_private.h"

/* libdrm's functions return -1 or -errno; errno is set in both cases. */
static int
checked(int result)
{
   return result ? -errno : 0;
}

int
amdgpu_ws_syncobj_create(struct amdgpu_ws *ws, bool signaled, uint32_t *syncobj)
{
   return checked(drmSyncobjCreate(ws->fd, signaled ? DRM_SYNCOBJ_CREATE_SIGNALED : 0, syncobj));
}

void
amdgpu_ws_syncobj_destroy(struct amdgpu_ws *ws, uint32_t syncobj)
{
   if (syncobj)
      drmSyncobjDestroy(ws->fd, syncobj);
}

int
amdgpu_ws_syncobj_reset(struct amdgpu_ws *ws, uint32_t syncobj)
{
   return checked(drmSyncobjReset(ws->fd, &syncobj, 1));
}

int
amdgpu_ws_syncobj_signal(struct amdgpu_ws *ws, struct amdgpu_ws_sync sync)
{
   return checked(sync.point ? drmSyncobjTimelineSignal(ws->fd, &sync.syncobj, &sync.point, 1)
                             : drmSyncobjSignal(ws->fd, &sync.syncobj, 1));
}

int
amdgpu_ws_syncobj_copy(struct amdgpu_ws *ws, uint32_t from, uint32_t to)
{
   return checked(drmSyncobjTransfer(ws->fd, to, 0, from, 0, 0));
}

int
amdgpu_ws_syncobj_wait(struct amdgpu_ws *ws, const struct amdgpu_ws_sync *syncs, unsigned count, unsigned flags,
                       int64_t timeout_ns)
{
   uint32_t few_handles[16], *handles = few_handles;
   uint64_t few_points[16], *points = few_points;
   uint32_t drm_flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
   if (!count)
      return 0;
   if (flags & AMDGPU_WS_WAIT_ALL)
      drm_flags |= DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
   if (flags & AMDGPU_WS_WAIT_PENDING)
      drm_flags |= DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
   if (count > 16) {
      handles = malloc(count * sizeof(*handles));
      points = malloc(count * sizeof(*points));
   }
   int result = -ENOMEM;
   if (handles && points) {
      for (unsigned i = 0; i < count; i++) {
         handles[i] = syncs[i].syncobj;
         points[i] = syncs[i].point;
      }
      result = checked(drmSyncobjTimelineWait(ws->fd, handles, points, count, timeout_ns, drm_flags, NULL));
   }
   if (count > 16) {
      free(handles);
      free(points);
   }
   return result;
}

int
amdgpu_ws_syncobj_query(struct amdgpu_ws *ws, uint32_t syncobj, uint64_t *point)
{
   return checked(drmSyncobjQuery(ws->fd, &syncobj, point, 1));
}

int
amdgpu_ws_syncobj_export(struct amdgpu_ws *ws, uint32_t syncobj, int *fd)
{
   return checked(drmSyncobjHandleToFD(ws->fd, syncobj, fd));
}

int
amdgpu_ws_syncobj_import(struct amdgpu_ws *ws, int fd, uint32_t *syncobj)
{
   return checked(drmSyncobjFDToHandle(ws->fd, fd, syncobj));
}

int
amdgpu_ws_sync_file_export(struct amdgpu_ws *ws, uint32_t syncobj, int *fd)
{
   return checked(drmSyncobjExportSyncFile(ws->fd, syncobj, fd));
}

int
amdgpu_ws_sync_file_import(struct amdgpu_ws *ws, uint32_t syncobj, int fd)
{
   return checked(drmSyncobjImportSyncFile(ws->fd, syncobj, fd));
}
