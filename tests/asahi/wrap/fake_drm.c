#include "fake_drm.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#include "util/peek.h"

struct fake_drm fake_drm;

void
fake_drm_reset(void)
{
   fake_drm = (struct fake_drm){.next = 1};
}

static int
fail(int error)
{
   errno = error;
   return -1;
}

static int
take_submit(const struct drm_asahi_submit *args)
{
   fake_drm.submit = *args;
   fake_drm.submits++;
   uint64_t count = (uint64_t)args->in_sync_count + args->out_sync_count;
   const struct drm_asahi_sync *syncs = (const void *)(uintptr_t)args->syncs;
   return count && !peek_memory(syncs + count - 1, &fake_drm.last_sync, sizeof(fake_drm.last_sync)) ? fail(EFAULT)
                                                                                                    : 0;
}

static int
answer(unsigned nr, void *arg)
{
   switch (nr) {
   case DRM_COMMAND_BASE + DRM_ASAHI_VM_CREATE:
      ((struct drm_asahi_vm_create *)arg)->vm_id = fake_drm.next++;
      return 0;
   case DRM_COMMAND_BASE + DRM_ASAHI_GEM_CREATE:
      ((struct drm_asahi_gem_create *)arg)->handle = fake_drm.next++;
      return 0;
   case DRM_COMMAND_BASE + DRM_ASAHI_QUEUE_CREATE:
      ((struct drm_asahi_queue_create *)arg)->queue_id = fake_drm.next++;
      return 0;
   case DRM_COMMAND_BASE + DRM_ASAHI_GEM_MMAP_OFFSET: {
      struct drm_asahi_gem_mmap_offset *args = arg;
      args->offset = (uint64_t)args->handle * FAKE_PAGE_B;
      return 0;
   }
   case _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE):
      ((struct drm_prime_handle *)arg)->handle = fake_drm.next++;
      return 0;
   case DRM_COMMAND_BASE + DRM_ASAHI_SUBMIT:
      return take_submit(arg);
   default:
      return 0;
   }
}

static int
fake_ioctl(int fd, unsigned long request, ...)
{
   va_list args;
   va_start(args, request);
   void *arg = va_arg(args, void *);
   va_end(args);
   (void)fd;
   switch (request) {
   case DRM_IOCTL_SYNCOBJ_CREATE:
      ((struct drm_syncobj_create *)arg)->handle = 1000;
      return fake_drm.no_syncobj ? fail(ENOMEM) : 0;
   case DRM_IOCTL_SYNCOBJ_WAIT:
      /* A signal comes between. */
      return fake_drm.waits++ ? 0 : fail(EINTR);
   default:
      return fake_drm.error ? fail(fake_drm.error) : answer(_IOC_NR(request), arg);
   }
}

static void *
fake_mmap(void *address, size_t size_B, int protection, int flags, int fd, off_t offset_B)
{
   (void)flags, (void)fd, (void)protection;
   if (fake_drm.no_mmap)
      return MAP_FAILED;
   void *map = mmap(address, size_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (offset_B / (off_t)FAKE_PAGE_B < FAKE_BOS)
      fake_drm.maps[offset_B / (off_t)FAKE_PAGE_B] = map;
   return map;
}

const struct agx_drm_kernel fake_drm_kernel = {fake_ioctl, fake_mmap};
