#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xf86drm.h>

#include "gallium/winsys/asahi/asahi_private.h"
#include "util/log.h"
#include "util/macros.h"

/* Below nothing is mapped but what the driver binds there (agx_sparse.c): an address with the high word 0 and any
 * index that the hardware adds stays there. */
#define NOWHERE_END (UINT64_C(1) << 36)
#define USC_SIZE_B (UINT64_C(1) << 32)

/* True if the kernel driver is one we speak with. */
static bool
is_asahi(int fd)
{
   drmVersionPtr version = drmGetVersion(fd);
   if (!version)
      return false;
   bool fits = !strcmp(version->name, "asahi");
   if (!fits)
      log_error("winsys: kernel driver %s, not asahi", version->name);
   drmFreeVersion(version);
   return fits;
}

static int
read_params(struct asahi_ws *ws)
{
   struct drm_asahi_get_params args = {.pointer = (uintptr_t)&ws->info.params, .size = sizeof(ws->info.params)};
   return drmIoctl(ws->fd, DRM_IOCTL_ASAHI_GET_PARAMS, &args) ? -errno : 0;
}

static int
cut_addresses(struct asahi_ws *ws)
{
   struct asahi_ws_info *info = &ws->info;
   const struct drm_asahi_params_global *params = &info->params;
   uint64_t kernel_B = align_up(params->vm_kernel_min_size, ASAHI_WS_PAGE_B);
   info->usc_base = align_up(MAX2(params->vm_start, NOWHERE_END), USC_SIZE_B);
   info->usc_size_B = USC_SIZE_B;
   info->heap_start = info->usc_base + USC_SIZE_B;
   info->heap_end = params->vm_end - kernel_B;
   if (params->vm_end < kernel_B || info->heap_end <= info->heap_start)
      return -ENOSPC;
   struct drm_asahi_vm_create args = {.kernel_start = info->heap_end, .kernel_end = params->vm_end};
   if (drmIoctl(ws->fd, DRM_IOCTL_ASAHI_VM_CREATE, &args))
      return -errno;
   ws->vm_id = args.vm_id;
   /* The first page is nobody's: offset 0 from the USC base means none in records. */
   if (!asahi_va_init(&ws->usc, info->usc_base + ASAHI_WS_PAGE_B, info->heap_start) ||
       !asahi_va_init(&ws->heap, info->heap_start, info->heap_end))
      return -ENOMEM;
   return 0;
}

struct asahi_ws *
asahi_ws_create(int fd)
{
   struct asahi_ws *ws;
   if (!is_asahi(fd) || !(ws = calloc(1, sizeof(*ws))))
      return NULL;
   pthread_mutex_init(&ws->shared_lock, NULL);
   ws->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
   int error = ws->fd < 0 ? -errno : read_params(ws);
   error = error ? error : cut_addresses(ws);
   if (error) {
      log_error("winsys: asahi device does not answer: %s", strerror(-error));
      asahi_ws_destroy(ws);
      return NULL;
   }
   ws->info.system_memory_B = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
   return ws;
}

void
asahi_ws_destroy(struct asahi_ws *ws)
{
   if (ws->vm_id) {
      struct drm_asahi_vm_destroy args = {.vm_id = ws->vm_id};
      drmIoctl(ws->fd, DRM_IOCTL_ASAHI_VM_DESTROY, &args);
   }
   asahi_va_finish(&ws->usc);
   asahi_va_finish(&ws->heap);
   if (ws->fd >= 0)
      close(ws->fd);
   pthread_mutex_destroy(&ws->shared_lock);
   free(ws->shared);
   free(ws);
}

const struct asahi_ws_info *
asahi_ws_info(const struct asahi_ws *ws)
{
   return &ws->info;
}

int
asahi_ws_fd(const struct asahi_ws *ws)
{
   return ws->fd;
}

int
asahi_ws_timestamp(struct asahi_ws *ws, uint64_t *ns)
{
   struct drm_asahi_get_time args = {0};
   if (drmIoctl(ws->fd, DRM_IOCTL_ASAHI_GET_TIME, &args))
      return -errno;
   *ns = args.gpu_timestamp;
   return 0;
}
