/* A second vendor's shim: one ioctl, which makes a buffer and tells where it can be mapped. */
#include "null_vendor.h"

#include <errno.h>

#include "drm-shim/bo.h"
#include "drm-shim/file.h"
#include "drm-shim/shim.h"

struct null_bo {
   struct shim_bo base;
   uint32_t tag;
};

static unsigned freed;

static int
create(struct shim_file *file, void *arg)
{
   struct null_create *args = arg;
   struct shim_bo *bo = shim_bo_create(args->size_B);
   if (!bo)
      return -ENOMEM;
   ((struct null_bo *)bo)->tag = args->tag;
   args->handle = shim_bo_add_handle(file, bo);
   args->offset_B = shim_bo_mmap_offset(args->handle);
   args->freed = freed;
   shim_bo_unref(bo);
   return 0;
}

static void
bo_free(struct shim_bo *bo)
{
   freed += ((struct null_bo *)bo)->tag;
}

static void
bo_close(struct shim_file *file, struct shim_bo *bo)
{
}

static int
file_open(struct shim_file *file)
{
   return 0;
}

static void
file_close(struct shim_file *file)
{
}

static const struct shim_ioctl ioctls[] = {[NULL_CREATE] = {create, sizeof(struct null_create)}};

const struct shim_vendor *
shim_vendor_init(void)
{
   static const struct shim_vendor vendor = {.driver = "null",
                                             .description = "no GPU",
                                             .version_major = 7,
                                             .pci = {.vendor = 0x1234, .device = 0x5678},
                                             .tree_name = "null",
                                             .ioctls = ioctls,
                                             .ioctl_count = NULL_CREATE + 1,
                                             .bo_B = sizeof(struct null_bo),
                                             .bo_free = bo_free,
                                             .bo_close = bo_close,
                                             .file_open = file_open,
                                             .file_close = file_close};
   return &vendor;
}
