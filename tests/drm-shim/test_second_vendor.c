/* A program over the shim of a vendor that is not AMD: libdrm finds its node, and its ioctls are the vendor's. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>
#include <cmocka.h>

#include "null_vendor.h"

static void
test_second_vendor(void **state)
{
   drmDevicePtr device;

   assert_int_equal(drmGetDevices2(0, &device, 1), 1);
   assert_int_equal(device->deviceinfo.pci->vendor_id, 0x1234);
   assert_int_equal(device->deviceinfo.pci->device_id, 0x5678);
   int fd = open(device->nodes[DRM_NODE_RENDER], O_RDWR | O_CLOEXEC);
   assert_true(fd >= 0);
   drmVersionPtr version = drmGetVersion(fd);
   assert_string_equal(version->name, "null");
   assert_int_equal(version->version_major, 7);
   drmFreeVersion(version);
   drmFreeDevices(&device, 1);

   struct null_create create = {.size_B = 4096, .tag = 11};
   assert_int_equal(drmCommandWriteRead(fd, NULL_CREATE, &create, sizeof(create)), 0);
   assert_int_equal(create.freed, 0);
   char *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)create.offset_B);
   assert_ptr_not_equal(map, MAP_FAILED);
   strcpy(map, "what the GPU would see");
   munmap(map, 4096);
   assert_int_equal(drmCloseBufferHandle(fd, create.handle), 0);
   assert_int_equal(drmCommandWriteRead(fd, NULL_CREATE, &create, sizeof(create)), 0);
   assert_int_equal(create.freed, 11);
   /* The neutral part has its own ioctls for every vendor. */
   uint32_t syncobj;
   assert_int_equal(drmSyncobjCreate(fd, 0, &syncobj), 0);
   assert_int_equal(drmSyncobjDestroy(fd, syncobj), 0);
   assert_true(drmCommandWriteRead(fd, NULL_CREATE + 1, &create, sizeof(create)) < 0);
   close(fd);
}

/* drm_syncobj_eventfd, which is newer than Debian's header. */
struct eventfd_args {
   uint32_t handle, flags;
   uint64_t point;
   int32_t fd;
   uint32_t pad;
};

static int
watch(int drm_fd, struct eventfd_args args)
{
   return drmIoctl(drm_fd, DRM_IOWR(0xcf, struct eventfd_args), &args) ? -errno : 0;
}

static uint64_t
count(int event)
{
   uint64_t value = 0;
   return read(event, &value, sizeof(value)) == sizeof(value) ? value : 0;
}

/* Each call of the ioctl counts up once: at the point's signal, or when a fence is there. */
static void
test_syncobj_eventfd(void **state)
{
   const uint32_t available = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
   int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC), event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
   int sync_file;
   uint32_t syncobj, other;
   uint64_t point = 2;
   assert_int_equal(drmSyncobjCreate(fd, 0, &syncobj), 0);
   assert_int_equal(drmSyncobjCreate(fd, DRM_SYNCOBJ_CREATE_SIGNALED, &other), 0);
   assert_int_equal(drmSyncobjExportSyncFile(fd, other, &sync_file), 0);

   assert_int_equal(watch(fd, (struct eventfd_args){.handle = 99, .fd = event}), -ENOENT);
   assert_int_equal(watch(fd, (struct eventfd_args){.handle = syncobj, .fd = 999}), -EBADF);
   assert_int_equal(watch(fd, (struct eventfd_args){.handle = syncobj, .fd = fd}), -EINVAL);
   assert_int_equal(watch(fd, (struct eventfd_args){.handle = syncobj, .fd = sync_file}), -EINVAL);
   assert_int_equal(watch(fd, (struct eventfd_args){.handle = syncobj, .fd = event, .flags = 1}), -EINVAL);
   assert_int_equal(watch(fd, (struct eventfd_args){.handle = syncobj, .fd = event, .pad = 1}), -EINVAL);
   assert_int_equal(count(event), 0);

   assert_int_equal(watch(fd, (struct eventfd_args){.handle = other, .fd = event}), 0);
   assert_int_equal(count(event), 1); /* signaled already */
   assert_int_equal(watch(fd, (struct eventfd_args){syncobj, 0, 1, event, 0}), 0);
   assert_int_equal(watch(fd, (struct eventfd_args){syncobj, 0, 2, event, 0}), 0);
   assert_int_equal(watch(fd, (struct eventfd_args){syncobj, available, 2, event, 0}), 0);
   assert_int_equal(watch(fd, (struct eventfd_args){syncobj, 0, 3, event, 0}), 0);
   assert_int_equal(count(event), 0);
   assert_int_equal(drmSyncobjTimelineSignal(fd, &syncobj, &point, 1), 0);
   assert_int_equal(count(event), 3);
   point = 3;
   int copy = dup(event);
   close(event); /* the kernel keeps it */
   assert_int_equal(drmSyncobjTimelineSignal(fd, &syncobj, &point, 1), 0);
   assert_int_equal(count(copy), 1);

   assert_int_equal(watch(fd, (struct eventfd_args){syncobj, 0, 4, copy, 0}), 0);
   assert_int_equal(drmSyncobjDestroy(fd, syncobj), 0);
   assert_int_equal(count(copy), 0);
   close(copy);
   close(sync_file);
   close(fd);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_second_vendor), cmocka_unit_test(test_syncobj_eventfd)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
