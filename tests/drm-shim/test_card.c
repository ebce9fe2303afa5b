/* The node of a card next to the render node (INDIUM_CARD=1), by drivers/gpu/drm/drm_auth.c and drm_ioctl.c. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <xf86drm.h>
#include <cmocka.h>

#include "null_vendor.h"

#define CARD "/dev/dri/card0"
#define RENDER "/dev/dri/renderD128"

static int
open_node(const char *path)
{
   int fd = open(path, O_RDWR | O_CLOEXEC);
   assert_true(fd >= 0);
   return fd;
}

static int
error_of(int fd, unsigned long request, void *arg)
{
   return ioctl(fd, request, arg) ? errno : 0;
}

static void
test_device(void **state)
{
   drmDevicePtr devices[4], own;
   assert_int_equal(drmGetDevices2(0, devices, 4), 1);
   assert_int_equal(devices[0]->available_nodes, 1 << DRM_NODE_PRIMARY | 1 << DRM_NODE_RENDER);
   assert_string_equal(devices[0]->nodes[DRM_NODE_PRIMARY], CARD);
   assert_string_equal(devices[0]->nodes[DRM_NODE_RENDER], RENDER);
   drmFreeDevices(devices, 1);
   const char *const paths[] = {CARD, RENDER};
   for (unsigned i = 0; i < 2; i++) {
      int fd = open_node(paths[i]);
      char link[32], *name = drmGetRenderDeviceNameFromFd(fd), *primary = drmGetPrimaryDeviceNameFromFd(fd);
      struct stat by_fd, by_path;
      assert_string_equal(name, RENDER);
      assert_string_equal(primary, CARD);
      free(name);
      free(primary);
      assert_int_equal(drmGetNodeTypeFromFd(fd), i ? DRM_NODE_RENDER : DRM_NODE_PRIMARY);
      assert_int_equal(fstat(fd, &by_fd), 0);
      assert_int_equal(stat(paths[i], &by_path), 0);
      assert_int_equal(by_fd.st_rdev, makedev(226, i ? 128 : 0));
      assert_int_equal(by_fd.st_rdev, by_path.st_rdev);
      assert_int_equal(by_fd.st_ino, by_path.st_ino);
      assert_int_equal(drmGetDevice2(fd, 0, &own), 0);
      assert_string_equal(own->nodes[DRM_NODE_PRIMARY], CARD);
      drmFreeDevice(&own);
      /* Another open by way of the descriptor */
      snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
      int again = open_node(link);
      assert_int_equal(drmGetNodeTypeFromFd(again), i ? DRM_NODE_RENDER : DRM_NODE_PRIMARY);
      uint32_t syncobj;
      assert_int_equal(drmSyncobjCreate(fd, 0, &syncobj), 0);
      assert_int_equal(drmSyncobjDestroy(again, syncobj), -1);
      close(again);
      close(fd);
   }
   DIR *folder = opendir("/dev/dri");
   unsigned nodes = 0;
   for (struct dirent *entry; (entry = readdir(folder));)
      nodes += entry->d_name[0] != '.';
   closedir(folder);
   assert_int_equal(nodes, 2);
}

static void
test_master(void **state)
{
   int master = open_node(CARD), other = open_node(CARD);
   assert_true(drmIsMaster(master));
   assert_false(drmIsMaster(other));
   assert_int_equal(error_of(other, DRM_IOCTL_SET_MASTER, NULL), geteuid() ? EACCES : EBUSY);
   assert_int_equal(error_of(other, DRM_IOCTL_DROP_MASTER, NULL), geteuid() ? EACCES : EINVAL);
   assert_int_equal(error_of(master, DRM_IOCTL_SET_MASTER, NULL), 0);
   assert_int_equal(error_of(master, DRM_IOCTL_DROP_MASTER, NULL), 0);
   assert_false(drmIsMaster(master));
   assert_int_equal(error_of(master, DRM_IOCTL_DROP_MASTER, NULL), EINVAL);
   /* Nobody is: the next to open the node becomes it. */
   int third = open_node(CARD);
   assert_true(drmIsMaster(third));
   assert_int_equal(error_of(master, DRM_IOCTL_SET_MASTER, NULL), EBUSY);
   close(third);
   assert_int_equal(error_of(master, DRM_IOCTL_SET_MASTER, NULL), 0);
   assert_true(drmIsMaster(master));
   close(master);
   close(other);
}

static void
test_magic(void **state)
{
   int master = open_node(CARD), clients[3], others = open_node(CARD);
   drm_magic_t magic[3], again;
   for (unsigned i = 0; i < 3; i++) {
      clients[i] = open_node(CARD);
      assert_int_equal(drmGetMagic(clients[i], &magic[i]), 0);
      assert_int_equal(drmGetMagic(clients[i], &again), 0);
      assert_int_equal(magic[i], again);
      assert_true(magic[i] && (!i || magic[i] != magic[0]));
   }
   assert_int_equal(drmAuthMagic(others, magic[0]), -EACCES);
   assert_int_equal(drmAuthMagic(master, 99), -EINVAL);
   assert_int_equal(drmAuthMagic(master, magic[1]), 0);
   assert_int_equal(drmAuthMagic(master, magic[1]), -EINVAL);
   for (unsigned i = 0; i < 3; i++) {
      struct drm_client client = {0};
      assert_int_equal(error_of(clients[i], DRM_IOCTL_GET_CLIENT, &client), 0);
      assert_int_equal(client.auth, i == 1 || !geteuid());
      assert_int_equal(client.pid, getpid());
   }
   assert_int_equal(error_of(master, DRM_IOCTL_GET_CLIENT, &(struct drm_client){.idx = 1}), EINVAL);
   close(clients[0]);
   assert_int_equal(drmAuthMagic(master, magic[0]), -EINVAL);
   close(clients[1]);
   close(clients[2]);
   close(others);
   close(master);
}

static void
test_names(void **state)
{
   int master = open_node(CARD), other = open_node(CARD), render = open_node(RENDER);
   struct null_create create = {.size_B = 8192};
   char *busid = drmGetBusid(master);
   assert_string_equal(busid, "");
   drmFreeBusid(busid);
   drmSetVersion wanted = {1, 4, -1, -1};
   assert_int_equal(drmSetInterfaceVersion(other, &wanted), -EACCES);
   assert_int_equal(drmSetInterfaceVersion(master, &wanted), 0);
   assert_int_equal(wanted.drm_dd_major, 7);
   busid = drmGetBusid(other);
   assert_string_equal(busid, "pci:0000:04:00.0");
   drmFreeBusid(busid);
   assert_int_equal(drmSetInterfaceVersion(master, &(drmSetVersion){1, 5, -1, -1}), -EINVAL);
   assert_int_equal(drmSetInterfaceVersion(master, &(drmSetVersion){-1, 0, 8, 0}), -EINVAL);

   assert_int_equal(drmCommandWriteRead(master, NULL_CREATE, &create, sizeof(create)), 0);
   struct drm_gem_flink flink = {.handle = create.handle}, twice = flink, bad = {.handle = 99};
   assert_int_equal(error_of(master, DRM_IOCTL_GEM_FLINK, &bad), ENOENT);
   assert_int_equal(error_of(render, DRM_IOCTL_GEM_FLINK, &flink), EACCES);
   assert_int_equal(error_of(master, DRM_IOCTL_GEM_FLINK, &flink), 0);
   assert_int_equal(error_of(master, DRM_IOCTL_GEM_FLINK, &twice), 0);
   assert_int_equal(flink.name, twice.name);
   struct drm_gem_open opened = {.name = flink.name}, missing = {.name = 99};
   assert_int_equal(error_of(master, DRM_IOCTL_GEM_OPEN, &missing), ENOENT);
   assert_int_equal(error_of(render, DRM_IOCTL_GEM_OPEN, &opened), EACCES);
   assert_int_equal(error_of(master, DRM_IOCTL_GEM_OPEN, &opened), 0);
   assert_int_equal(opened.size, 8192);
   assert_int_not_equal(opened.handle, create.handle);
   int *one = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, master, (off_t)create.offset_B);
   int *two = mmap(NULL, 4096, PROT_READ, MAP_SHARED, master, (off_t)opened.handle << 36);
   assert_ptr_not_equal(two, MAP_FAILED);
   *one = 77;
   assert_int_equal(*two, 77);
   munmap(one, 4096);
   munmap(two, 4096);
   assert_int_equal(drmCloseBufferHandle(master, create.handle), 0);
   assert_int_equal(error_of(master, DRM_IOCTL_GEM_OPEN, &(struct drm_gem_open){.name = flink.name}), 0);
   close(master); /* with the last handle, the name goes */
   assert_int_equal(error_of(other, DRM_IOCTL_SET_MASTER, NULL), geteuid() ? EACCES : 0);
   if (!geteuid())
      assert_int_equal(error_of(other, DRM_IOCTL_GEM_OPEN, &(struct drm_gem_open){.name = flink.name}), ENOENT);
   close(other);
   close(render);
}

/* Numbers, and what the master and another client get. A render client is refused, or there is no such ioctl. */
static void
test_displays(void **state)
{
   static const struct {
      unsigned nr;
      int master, other;
   } rows[] = {
      {0xa0, EOPNOTSUPP, EOPNOTSUPP},
      {0xa1, EOPNOTSUPP, EOPNOTSUPP},
      {0xa2, EOPNOTSUPP, EACCES},
      {0xa7, EOPNOTSUPP, EOPNOTSUPP},
      {0xa8, 0, EACCES},
      {0xae, EOPNOTSUPP, EOPNOTSUPP},
      {0xb0, EOPNOTSUPP, EACCES},
      {0xb2, ENOSYS, ENOSYS},
      {0xb5, EOPNOTSUPP, EOPNOTSUPP},
      {0xb9, EOPNOTSUPP, EOPNOTSUPP},
      {0xba, EOPNOTSUPP, EACCES},
      {0xbc, EOPNOTSUPP, EACCES},
      {0xbe, EOPNOTSUPP, EOPNOTSUPP},
      {0xc6, EOPNOTSUPP, EACCES},
      {0xce, EOPNOTSUPP, EOPNOTSUPP},
      {0x3a, EOPNOTSUPP, EOPNOTSUPP},
      {0x3b, EOPNOTSUPP, EOPNOTSUPP},
      {0x0d, EOPNOTSUPP, EOPNOTSUPP},
      {0x11, EINVAL, EACCES},
      {0x03, EINVAL, EINVAL},
   };
   int master = open_node(CARD), other = open_node(CARD), render = open_node(RENDER);
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      uint64_t arg[16] = {0};
      const unsigned long request = _IOC(_IOC_READ | _IOC_WRITE, 'd', rows[i].nr, sizeof(arg));
      assert_int_equal(error_of(master, request, arg), rows[i].master);
      assert_int_equal(error_of(other, request, arg), rows[i].other);
      assert_int_equal(error_of(render, request, arg), rows[i].nr == 0x03 ? EINVAL : EACCES);
   }
   uint64_t value = 5;
   assert_int_equal(drmGetCap(render, DRM_CAP_PRIME, &value), 0);
   assert_int_equal(value, DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT);
   assert_true(drmGetCap(master, DRM_CAP_DUMB_BUFFER, &value));
   assert_int_equal(errno, EOPNOTSUPP);
   close(master);
   close(other);
   close(render);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_device), cmocka_unit_test(test_master),   cmocka_unit_test(test_magic),
      cmocka_unit_test(test_names),  cmocka_unit_test(test_displays),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
