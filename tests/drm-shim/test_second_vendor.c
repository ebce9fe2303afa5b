/* A program over the shim of a vendor that is not AMD: libdrm finds its node, and its ioctls are the vendor's. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
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

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_second_vendor)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
