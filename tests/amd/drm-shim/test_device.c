/* What libdrm finds in a process with the shim preloaded (Navi 21). */
#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <xf86drm.h>

#include <cmocka.h>

#define NODE "/dev/dri/renderD128"

static void
files(void **state)
{
   struct stat status;
   assert_int_equal(access(NODE, R_OK | W_OK), 0);
   assert_int_equal(stat(NODE, &status), 0);
   assert_true(S_ISCHR(status.st_mode));
   assert_int_equal(status.st_rdev, makedev(226, 128));
   assert_int_equal(access("/dev/dri/renderD129", F_OK), -1);

   unsigned entries = 0;
   DIR *directory = opendir("/dev/dri");
   assert_non_null(directory);
   for (struct dirent *it; (it = readdir(directory));)
      entries += !strcmp(it->d_name, "renderD128");
   closedir(directory);
   assert_int_equal(entries, 1);

   char path[PATH_MAX];
   assert_non_null(realpath("/sys/dev/char/226:128/device", path));
   assert_string_equal(path, "/sys/devices/pci0000:00/0000:04:00.0");
   strcat(path, "/vendor");
   FILE *file = fopen(path, "r");
   unsigned vendor = 0;
   assert_non_null(file);
   assert_int_equal(fscanf(file, "%x", &vendor), 1);
   fclose(file);
   assert_int_equal(vendor, 0x1002);
}

static void
descriptor(void **state)
{
   struct stat status;
   char link[64] = {0}, name[64];
   int fd = open(NODE, O_RDWR | O_CLOEXEC);
   assert_true(fd >= 0);
   assert_int_equal(fstat(fd, &status), 0);
   assert_true(S_ISCHR(status.st_mode));
   assert_int_equal(status.st_rdev, makedev(226, 128));
   assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
   snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
   assert_int_equal(readlink(name, link, sizeof(link)), strlen(NODE));
   assert_string_equal(link, NODE);
   close(fd);
   assert_int_equal(drmIoctl(fd, DRM_IOCTL_GET_CAP, &(struct drm_get_cap){.capability = DRM_CAP_PRIME}), -1);
   assert_int_equal(errno, EBADF);
}

/* However it is asked for, the node is the same file: programs compare st_dev and st_ino. */
static void
node_and_descriptor_agree(void **state)
{
   struct stat path, asked;
   struct statx x;
   int fd = open(NODE, O_RDWR | O_CLOEXEC);
   assert_int_equal(stat(NODE, &path), 0);
   assert_int_equal(fstat(fd, &asked), 0);
   assert_int_equal(asked.st_dev, path.st_dev);
   assert_int_equal(asked.st_ino, path.st_ino);
   assert_int_equal(asked.st_mode, path.st_mode);
   assert_int_equal(asked.st_nlink, path.st_nlink);
   assert_int_equal(fstatat(fd, "", &asked, AT_EMPTY_PATH), 0);
   assert_int_equal(asked.st_ino, path.st_ino);
   assert_int_equal(statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &x), 0);
   assert_int_equal(x.stx_ino, path.st_ino);
   assert_int_equal(makedev(x.stx_dev_major, x.stx_dev_minor), path.st_dev);
   assert_int_equal(makedev(x.stx_rdev_major, x.stx_rdev_minor), makedev(226, 128));
   assert_true(S_ISCHR(x.stx_mode));
   close(fd);
}

static unsigned
permissions(void)
{
   struct stat status;
   assert_int_equal(stat(NODE, &status), 0);
   assert_true(S_ISCHR(status.st_mode));
   return status.st_mode & 07777;
}

/* What the inode carries is the node's, by path and by descriptor. */
static void
inode(void **state)
{
   char value[16];
   int fd = open(NODE, O_RDWR | O_CLOEXEC);
   assert_int_equal(permissions(), 0666);
   assert_int_equal(chmod(NODE, 0640), 0);
   assert_int_equal(permissions(), 0640);
   assert_int_equal(fchmod(fd, 0600), 0);
   assert_int_equal(permissions(), 0600);
   assert_int_equal(fchmodat(AT_FDCWD, NODE, 0666, 0), 0);
   assert_int_equal(permissions(), 0666);
   assert_int_equal(chown(NODE, (uid_t)-1, getgid()), 0);
   assert_int_equal(lchown(NODE, getuid(), (gid_t)-1), 0);
   assert_int_equal(fchown(fd, getuid(), getgid()), 0);
   assert_int_equal(fchownat(AT_FDCWD, NODE, getuid(), getgid(), 0), 0);

   assert_int_equal(getxattr(NODE, "user.tag", value, sizeof(value)), -1);
   assert_int_equal(errno, ENODATA);
   assert_int_equal(lgetxattr(NODE, "user.tag", value, sizeof(value)), -1);
   assert_int_equal(errno, ENODATA);
   assert_true(listxattr(NODE, NULL, 0) >= 0);
   assert_true(llistxattr(NODE, NULL, 0) >= 0);
   assert_int_equal(setxattr(NODE, "user.tag", "1", 1, 0), -1);
   assert_int_equal(errno, EPERM);
   assert_int_equal(lsetxattr(NODE, "user.tag", "1", 1, 0), -1);
   assert_int_equal(errno, EPERM);
   assert_int_equal(removexattr(NODE, "user.tag"), -1);
   assert_int_equal(errno, EPERM);
   assert_int_equal(lremovexattr(NODE, "user.tag"), -1);
   assert_int_equal(errno, EPERM);
   close(fd);
}

/* The keys in what is read; the number of the client. */
static unsigned long long
client_of(int info)
{
   char text[4096] = {0};
   assert_true(info >= 0);
   assert_true(read(info, text, sizeof(text) - 1) > 0);
   close(info);
   assert_non_null(strstr(text, "flags:"));
   assert_non_null(strstr(text, "\ndrm-driver:\tamdgpu\n"));
   assert_non_null(strstr(text, "\ndrm-pdev:\t0000:04:00.0\n"));
   const char *client = strstr(text, "\ndrm-client-id:\t");
   assert_non_null(client);
   return strtoull(client + strlen("\ndrm-client-id:\t"), NULL, 10);
}

static void
fdinfo(void **state)
{
   char path[64], name[16], line[128];
   int fd = open(NODE, O_RDWR | O_CLOEXEC), other = open(NODE, O_RDWR | O_CLOEXEC), copy = dup(fd);
   snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
   unsigned long long client = client_of(open(path, O_RDONLY));
   snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", getpid(), copy);
   assert_int_equal(client_of(open(path, O_RDONLY)), client);
   int folder = open("/proc/self/fdinfo", O_RDONLY | O_DIRECTORY);
   snprintf(name, sizeof(name), "%d", other);
   assert_int_not_equal(client_of(openat(folder, name, O_RDONLY)), client);
   snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
   FILE *file = fopen(path, "r");
   unsigned keys = 0;
   while (fgets(line, sizeof(line), file))
      keys += !strncmp(line, "drm-driver:", 11) || !strncmp(line, "drm-pdev:", 9) || !strncmp(line, "pos:", 4);
   fclose(file);
   assert_int_equal(keys, 3);

   /* Of what is no device, what the system says. */
   snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", folder);
   file = fopen(path, "r");
   while (fgets(line, sizeof(line), file))
      assert_int_not_equal(strncmp(line, "drm-", 4), 0);
   fclose(file);
   close(folder);
   close(fd);
   close(other);
   close(copy);
}

/* By a name that counts from the folder. */
static void
from_folder(void **state)
{
   DIR *directory = opendir("/dev/dri");
   assert_non_null(directory);
   int fd = openat(dirfd(directory), "renderD128", O_RDWR | O_CLOEXEC);
   assert_true(fd >= 0);
   assert_int_equal(drmIoctl(fd, DRM_IOCTL_GET_CAP, &(struct drm_get_cap){.capability = DRM_CAP_PRIME}), 0);
   close(fd);
   closedir(directory);
}

static void
libdrm_devices(void **state)
{
   drmDevicePtr devices[4];
   assert_int_equal(drmGetDevices2(DRM_DEVICE_GET_PCI_REVISION, devices, 4), 1);
   assert_int_equal(devices[0]->bustype, DRM_BUS_PCI);
   assert_int_equal(devices[0]->available_nodes, 1 << DRM_NODE_RENDER);
   assert_string_equal(devices[0]->nodes[DRM_NODE_RENDER], NODE);
   assert_int_equal(devices[0]->deviceinfo.pci->vendor_id, 0x1002);
   assert_int_equal(devices[0]->deviceinfo.pci->device_id, 0x73bf);
   assert_int_equal(devices[0]->deviceinfo.pci->revision_id, 0xc3);
   assert_int_equal(devices[0]->businfo.pci->bus, 4);
   drmFreeDevices(devices, 1);
}

static void
amdgpu(void **state)
{
   uint32_t major, minor;
   amdgpu_device_handle device;
   struct amdgpu_gpu_info info;
   struct amdgpu_heap_info heap;
   struct drm_amdgpu_info_hw_ip ip;
   int fd = open(NODE, O_RDWR | O_CLOEXEC);
   drmVersionPtr version = drmGetVersion(fd);
   assert_string_equal(version->name, "amdgpu");
   drmFreeVersion(version);
   assert_int_equal(amdgpu_device_initialize(fd, &major, &minor, &device), 0);
   assert_int_equal(major, 3);
   assert_true(minor >= 27);
   assert_int_equal(amdgpu_query_gpu_info(device, &info), 0);
   assert_int_equal(info.asic_id, 0x73bf);
   assert_int_equal(info.family_id, 143);
   assert_int_equal(info.num_shader_engines, 4);
   assert_int_equal(info.cu_active_number, 60);
   assert_int_equal(info.gb_addr_cfg, 0x444);
   assert_int_equal(amdgpu_query_heap_info(device, AMDGPU_GEM_DOMAIN_VRAM, 0, &heap), 0);
   assert_int_equal(heap.heap_size, 17163091968);
   assert_int_equal(amdgpu_query_hw_ip_info(device, AMDGPU_HW_IP_GFX, 0, &ip), 0);
   assert_int_equal(ip.hw_ip_version_major, 10);
   assert_int_equal(ip.available_rings, 1);
   assert_int_equal(amdgpu_query_hw_ip_info(device, AMDGPU_HW_IP_DMA, 0, &ip), 0);
   assert_int_equal(ip.available_rings, 15); /* four engines */
   assert_int_equal(ip.hw_ip_version_major, 5);
   assert_int_equal(ip.hw_ip_version_minor, 2);
   assert_int_equal(amdgpu_query_hw_ip_info(device, AMDGPU_HW_IP_UVD, 0, &ip), 0);
   assert_int_equal(ip.available_rings, 0);
   assert_string_equal(amdgpu_get_marketing_name(device), "AMD Radeon RX 6800");

   uint64_t first, second;
   assert_int_equal(amdgpu_query_info(device, AMDGPU_INFO_TIMESTAMP, 8, &first), 0);
   assert_int_equal(amdgpu_query_info(device, AMDGPU_INFO_TIMESTAMP, 8, &second), 0);
   assert_true(second >= first);
   amdgpu_device_deinitialize(device);
   close(fd);
}

static bool
same_description(int a, int b)
{
   return syscall(SYS_kcmp, getpid(), getpid(), KCMP_FILE, a, b) == 0;
}

static uint32_t
create_syncobj(int fd)
{
   uint32_t handle = 0;
   assert_int_equal(drmSyncobjCreate(fd, 0, &handle), 0);
   return handle;
}

/* Handles belong to an open; duplicates share it, whatever made them. */
static void
opens_and_duplicates(void **state)
{
   int fd = open(NODE, O_RDWR | O_CLOEXEC), other = open(NODE, O_RDWR), copies[4];
   assert_false(same_description(fd, other));
   uint32_t handle = create_syncobj(fd);
   assert_int_equal(create_syncobj(fd), handle + 1);
   assert_int_equal(create_syncobj(other), handle);

   copies[0] = dup(fd);
   copies[1] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
   copies[2] = dup2(fd, 500);
   copies[3] = (int)syscall(SYS_dup, fd); /* unseen by the shim */
   close(fd);
   for (unsigned i = 0; i < 4; i++) {
      assert_true(copies[i] >= 0);
      assert_true(same_description(copies[0], copies[i]));
      assert_int_equal(create_syncobj(copies[i]), handle + 2 + i);
   }
   /* dup2 onto a descriptor closes what was there. */
   assert_int_equal(dup2(other, 500), 500);
   assert_int_equal(create_syncobj(500), handle + 1);
   for (unsigned i = 0; i < 3; i++)
      close(copies[i]);
   assert_int_equal(create_syncobj(other), handle + 2);
   close(other);
   close(copies[3]);
}

static void
after_fork(void **state)
{
   int fd = open(NODE, O_RDWR | O_CLOEXEC);
   uint32_t handle = create_syncobj(fd);
   pid_t child = fork();
   if (!child) {
      uint32_t own;
      bool fine = !drmSyncobjCreate(fd, 0, &own) && own == handle + 1 && open(NODE, O_RDWR) >= 0;
      _exit(fine ? 0 : 1);
   }
   int status;
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   assert_int_equal(create_syncobj(fd), handle + 1);
   close(fd);
}

/* A child made by vfork(2) closes its descriptors in its parent's memory: the parent's stay. */
static void
after_vfork(void **state)
{
   int fd = open(NODE, O_RDWR | O_CLOEXEC);
   uint32_t handle = create_syncobj(fd);
   pid_t child = vfork();
   if (!child) {
      close(fd);
      _exit(0);
   }
   int status;
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(create_syncobj(fd), handle + 1);
   close(fd);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(files),
      cmocka_unit_test(node_and_descriptor_agree),
      cmocka_unit_test(inode),
      cmocka_unit_test(fdinfo),
      cmocka_unit_test(descriptor),
      cmocka_unit_test(from_folder),
      cmocka_unit_test(libdrm_devices),
      cmocka_unit_test(amdgpu),
      cmocka_unit_test(opens_and_duplicates),
      cmocka_unit_test(after_fork),
      cmocka_unit_test(after_vfork),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
