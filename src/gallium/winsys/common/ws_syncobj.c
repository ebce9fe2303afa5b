#include <errno.h>
#include <stdlib.h>
#include <xf86drm.h>

#include "gallium/winsys/common/ws_syncobj.h"

/* libdrm's functions return -1 or -errno; errno is set in both cases. */
static int
checked(int result)
{
   return result ? -errno : 0;
}

int
ws_syncobj_create(int fd, bool signaled, uint32_t *syncobj)
{
   return checked(drmSyncobjCreate(fd, signaled ? DRM_SYNCOBJ_CREATE_SIGNALED : 0, syncobj));
}

void
ws_syncobj_destroy(int fd, uint32_t syncobj)
{
   if (syncobj)
      drmSyncobjDestroy(fd, syncobj);
}

int
ws_syncobj_reset(int fd, uint32_t syncobj)
{
   return checked(drmSyncobjReset(fd, &syncobj, 1));
}

int
ws_syncobj_signal(int fd, struct ws_sync sync)
{
   return checked(sync.point ? drmSyncobjTimelineSignal(fd, &sync.syncobj, &sync.point, 1)
                             : drmSyncobjSignal(fd, &sync.syncobj, 1));
}

int
ws_syncobj_copy(int fd, uint32_t from, uint32_t to)
{
   return checked(drmSyncobjTransfer(fd, to, 0, from, 0, 0));
}

int
ws_syncobj_wait(int fd, const struct ws_sync *syncs, unsigned count, unsigned flags, int64_t timeout_ns)
{
   uint32_t few_handles[16], *handles = few_handles;
   uint64_t few_points[16], *points = few_points;
   uint32_t drm_flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
   if (!count)
      return 0;
   if (flags & WS_WAIT_ALL)
      drm_flags |= DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
   if (flags & WS_WAIT_PENDING)
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
      result = checked(drmSyncobjTimelineWait(fd, handles, points, count, timeout_ns, drm_flags, NULL));
   }
   if (count > 16) {
      free(handles);
      free(points);
   }
   return result;
}

int
ws_syncobj_query(int fd, uint32_t syncobj, uint64_t *point)
{
   return checked(drmSyncobjQuery(fd, &syncobj, point, 1));
}

int
ws_syncobj_export(int fd, uint32_t syncobj, int *out)
{
   return checked(drmSyncobjHandleToFD(fd, syncobj, out));
}

int
ws_syncobj_import(int fd, int in, uint32_t *syncobj)
{
   return checked(drmSyncobjFDToHandle(fd, in, syncobj));
}

int
ws_sync_file_export(int fd, uint32_t syncobj, int *out)
{
   return checked(drmSyncobjExportSyncFile(fd, syncobj, out));
}

int
ws_sync_file_import(int fd, uint32_t syncobj, int in)
{
   return checked(drmSyncobjImportSyncFile(fd, syncobj, in));
}
