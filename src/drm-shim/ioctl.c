#include "drm-shim/ioctl.h"

#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "drm-shim/bo.h"
#include "drm-shim/file.h"
#include "drm-shim/real.h"
#include "drm-shim/shim.h"
#include "drm-shim/user_memory.h"
#include "util/macros.h"

/* Copies what fits and reports the whole length. */
static int
put_string(char *user, __kernel_size_t *length_B, const char *text)
{
   size_t copy_B = MIN2(*length_B, strlen(text));
   *length_B = strlen(text);
   return user ? user_write((uintptr_t)user, text, copy_B) : 0;
}

static int
version(struct shim_file *file, void *arg)
{
   const struct shim_vendor *vendor = shim_vendor();
   struct drm_version *v = arg;
   v->version_major = vendor->version_major;
   v->version_minor = vendor->version_minor;
   v->version_patchlevel = 0;
   int error = put_string(v->name, &v->name_len, vendor->driver);
   error = error ? error : put_string(v->date, &v->date_len, "20150101");
   return error ? error : put_string(v->desc, &v->desc_len, vendor->description);
}

static int
get_cap(struct shim_file *file, void *arg)
{
   struct drm_get_cap *cap = arg;
   switch (cap->capability) {
   case DRM_CAP_PRIME:
      cap->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
      return 0;
   case DRM_CAP_TIMESTAMP_MONOTONIC:
   case DRM_CAP_SYNCOBJ:
   case DRM_CAP_SYNCOBJ_TIMELINE:
      cap->value = 1;
      return 0;
   default: /* others: of displays */
      return -EOPNOTSUPP;
   }
}

static int
gem_close(struct shim_file *file, void *arg)
{
   struct drm_gem_close *args = arg;
   return shim_bo_close_handle(file, args->handle);
}

static int
prime_handle_to_fd(struct shim_file *file, void *arg)
{
   struct drm_prime_handle *args = arg;
   struct shim_bo *bo = shim_bo_get(file, args->handle);
   if (args->flags & ~(DRM_CLOEXEC | DRM_RDWR))
      return -EINVAL;
   if (!bo)
      return -ENOENT;
   if (bo->is_user_memory || bo->is_private)
      return -EPERM;
   int error = shim_bo_need_file(bo);
   if (error)
      return error;
   args->fd = real()->fcntl(bo->fd, args->flags & DRM_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
   bo->is_exported |= args->fd >= 0;
   return args->fd < 0 ? -EMFILE : 0;
}

static int
prime_fd_to_handle(struct shim_file *file, void *arg)
{
   struct drm_prime_handle *args = arg;
   struct shim_bo *bo = shim_bo_import(args->fd);
   if (!bo)
      return real()->fcntl(args->fd, F_GETFD) < 0 ? -EBADF : -EINVAL;
   args->handle = shim_bo_find_handle(file, bo);
   if (!args->handle)
      args->handle = shim_bo_add_handle(file, bo);
   shim_bo_unref(bo);
   return 0;
}

struct shim_ioctl
shim_core_ioctl(unsigned nr)
{
   switch (nr) {
   case _IOC_NR(DRM_IOCTL_VERSION):
      return (struct shim_ioctl){version, sizeof(struct drm_version)};
   case _IOC_NR(DRM_IOCTL_GEM_CLOSE):
      return (struct shim_ioctl){gem_close, sizeof(struct drm_gem_close)};
   case _IOC_NR(DRM_IOCTL_GET_CAP):
      return (struct shim_ioctl){get_cap, sizeof(struct drm_get_cap)};
   case _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD):
      return (struct shim_ioctl){prime_handle_to_fd, sizeof(struct drm_prime_handle)};
   case _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE):
      return (struct shim_ioctl){prime_fd_to_handle, sizeof(struct drm_prime_handle)};
   default:
      return shim_syncobj_ioctl(nr);
   }
}
