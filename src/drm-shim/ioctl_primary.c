/* The ioctls that only a card's node has. The device is one without displays: of mode setting it has what the kernel
 * answers for a driver without DRIVER_MODESET. */
#include <drm.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "drm-shim/bo.h"
#include "drm-shim/file.h"
#include "drm-shim/flink.h"
#include "drm-shim/ioctl.h"
#include "drm-shim/master.h"
#include "drm-shim/shim.h"
#include "drm-shim/user_memory.h"
#include "util/macros.h"

#define OVERFLOW_UID 65534
#define IF_MAJOR 1 /* the version of the interface itself */
#define IF_MINOR 4

static int
get_unique(struct shim_file *file, void *arg)
{
   struct drm_unique *args = arg;
   const char *unique = shim_master_unique(file);
   const size_t room_B = args->unique_len;
   args->unique_len = strlen(unique);
   return room_B >= args->unique_len ? user_write((uintptr_t)args->unique, unique, args->unique_len) : 0;
}

static int
get_magic(struct shim_file *file, void *arg)
{
   struct drm_auth *args = arg;
   return shim_master_get_magic(file, &args->magic);
}

static int
auth_magic(struct shim_file *file, void *arg)
{
   const struct drm_auth *args = arg;
   return shim_master_auth_magic(file, args->magic);
}

/* The kernel tells only of the caller. */
static int
get_client(struct shim_file *file, void *arg)
{
   struct drm_client *args = arg;
   if (args->idx)
      return -EINVAL;
   *args = (struct drm_client){.auth = file->authenticated, .pid = (unsigned long)getpid(), .uid = OVERFLOW_UID};
   return 0;
}

static int
get_stats(struct shim_file *file, void *arg)
{
   memset(arg, 0, sizeof(struct drm_stats));
   return 0;
}

static int
set_version(struct shim_file *file, void *arg)
{
   const struct shim_vendor *vendor = shim_vendor();
   struct drm_set_version *args = arg;
   int error = 0;
   if (args->drm_di_major != -1 &&
       (args->drm_di_major != IF_MAJOR || args->drm_di_minor < 0 || args->drm_di_minor > IF_MINOR))
      error = -EINVAL;
   else if (args->drm_di_major != -1 && args->drm_di_minor >= 1)
      shim_master_set_unique(file);
   if (!error && args->drm_dd_major != -1 &&
       (args->drm_dd_major != vendor->version_major || args->drm_dd_minor < 0 ||
        args->drm_dd_minor > vendor->version_minor))
      error = -EINVAL;
   *args = (struct drm_set_version){IF_MAJOR, IF_MINOR, vendor->version_major, vendor->version_minor};
   return error;
}

static int
set_master(struct shim_file *file, void *arg)
{
   return shim_master_set(file);
}

static int
drop_master(struct shim_file *file, void *arg)
{
   return shim_master_drop(file);
}

static int
gem_flink(struct shim_file *file, void *arg)
{
   struct drm_gem_flink *args = arg;
   struct shim_bo *bo = shim_bo_get(file, args->handle);
   if (!bo)
      return -ENOENT;
   args->name = shim_flink_name(bo);
   return 0;
}

/* Each open makes another handle. */
static int
gem_open(struct shim_file *file, void *arg)
{
   struct drm_gem_open *args = arg;
   struct shim_bo *bo = shim_flink_find(args->name);
   if (!bo)
      return -ENOENT;
   if (bo->is_private)
      return -EPERM;
   args->handle = shim_bo_add_handle(file, bo);
   args->size = bo->size_B;
   return 0;
}

static int
no_displays(struct shim_file *file, void *arg)
{
   return -EOPNOTSUPP;
}

static int
no_dumb_buffers(struct shim_file *file, void *arg)
{
   return -ENOSYS;
}

static int
nothing(struct shim_file *file, void *arg)
{
   return 0;
}

struct row {
   unsigned char first, last; /* numbers */
   unsigned needs;
   struct shim_ioctl ioctl;
};

#define ONE(name) _IOC_NR(DRM_IOCTL_##name), _IOC_NR(DRM_IOCTL_##name)
#define MODE_SETTING 0xa0, 0xbe
/* Newer than Debian's header, or named otherwise there */
#define LEASES 0xc6, 0xc9
#define GETFB2 0xce, 0xce
#define CLOSEFB 0xd0, 0xd0

/* drivers/gpu/drm/drm_ioctl.c; the first row counts. */
static const struct row rows[] = {
   {ONE(GET_UNIQUE), 0, {get_unique, sizeof(struct drm_unique)}},
   {ONE(GET_MAGIC), 0, {get_magic, sizeof(struct drm_auth)}},
   {ONE(GET_CLIENT), 0, {get_client, sizeof(struct drm_client)}},
   {ONE(GET_STATS), 0, {get_stats, sizeof(struct drm_stats)}},
   {ONE(SET_VERSION), SHIM_NEEDS_MASTER, {set_version, sizeof(struct drm_set_version)}},
   {ONE(GEM_FLINK), SHIM_NEEDS_AUTH, {gem_flink, sizeof(struct drm_gem_flink)}},
   {ONE(GEM_OPEN), SHIM_NEEDS_AUTH, {gem_open, sizeof(struct drm_gem_open)}},
   {ONE(SET_CLIENT_CAP), 0, {no_displays, sizeof(struct drm_set_client_cap)}},
   {ONE(AUTH_MAGIC), SHIM_NEEDS_MASTER, {auth_magic, sizeof(struct drm_auth)}},
   {ONE(SET_MASTER), 0, {set_master, 0}},
   {ONE(DROP_MASTER), 0, {drop_master, 0}},
   {ONE(WAIT_VBLANK), 0, {no_displays, 0}},
   {ONE(CRTC_GET_SEQUENCE), 0, {no_displays, 0}},
   {ONE(CRTC_QUEUE_SEQUENCE), 0, {no_displays, 0}},
   {ONE(MODE_ATTACHMODE), SHIM_NEEDS_MASTER, {nothing, 0}},
   {ONE(MODE_DETACHMODE), SHIM_NEEDS_MASTER, {nothing, 0}},
   {ONE(MODE_CREATE_DUMB), 0, {no_dumb_buffers, 0}},
   {ONE(MODE_MAP_DUMB), 0, {no_dumb_buffers, 0}},
   {ONE(MODE_DESTROY_DUMB), 0, {no_dumb_buffers, 0}},
   {ONE(MODE_SETCRTC), SHIM_NEEDS_MASTER, {no_displays, 0}},
   {ONE(MODE_SETPLANE), SHIM_NEEDS_MASTER, {no_displays, 0}},
   {ONE(MODE_CURSOR), SHIM_NEEDS_MASTER, {no_displays, 0}},
   {ONE(MODE_CURSOR2), SHIM_NEEDS_MASTER, {no_displays, 0}},
   {ONE(MODE_SETGAMMA), SHIM_NEEDS_MASTER, {no_displays, 0}},
   {ONE(MODE_SETPROPERTY), SHIM_NEEDS_MASTER, {no_displays, 0}},
   {ONE(MODE_OBJ_SETPROPERTY), SHIM_NEEDS_MASTER, {no_displays, 0}},
   {ONE(MODE_PAGE_FLIP), SHIM_NEEDS_MASTER, {no_displays, 0}},
   {ONE(MODE_DIRTYFB), SHIM_NEEDS_MASTER, {no_displays, 0}},
   {ONE(MODE_ATOMIC), SHIM_NEEDS_MASTER, {no_displays, 0}},
   {LEASES, SHIM_NEEDS_MASTER, {no_displays, 0}},
   {MODE_SETTING, 0, {no_displays, 0}},
   {GETFB2, 0, {no_displays, 0}},
   {CLOSEFB, 0, {no_displays, 0}},
};

struct shim_ioctl
shim_primary_ioctl(unsigned nr, unsigned *needs)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (nr >= rows[i].first && nr <= rows[i].last) {
         *needs = rows[i].needs | SHIM_NEEDS_PRIMARY;
         return rows[i].ioctl;
      }
   }
   return (struct shim_ioctl){0};
}
