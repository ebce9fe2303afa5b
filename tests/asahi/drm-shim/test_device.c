/* The node of an AGX as drivers find it, what it tells of itself, and its memory. */
#include <stdio.h>
#include <stdlib.h>

#include "node.h"

/* What the kernel's tables and Apple's data sheets say of the chips. */
static const struct {
   const char *gpu, *compatible;
   uint32_t generation, chip_id, dies, clusters, cores;
   char variant;
} chips[] = {
   {"m1", "apple,agx-g13g", 13, 0x8103, 1, 1, 8, 'G'},     {"m1pro", "apple,agx-g13s", 13, 0x6000, 1, 2, 16, 'S'},
   {"m1max", "apple,agx-g13c", 13, 0x6001, 1, 4, 32, 'C'}, {"m1ultra", "apple,agx-g13d", 13, 0x6002, 2, 8, 64, 'D'},
   {"m2", "apple,agx-g14g", 14, 0x8112, 1, 1, 10, 'G'},    {"m2pro", "apple,agx-g14s", 14, 0x6020, 1, 2, 19, 'S'},
   {"m2max", "apple,agx-g14c", 14, 0x6021, 1, 4, 38, 'C'}, {"m2ultra", "apple,agx-g14d", 14, 0x6022, 2, 8, 76, 'D'},
};

static unsigned
own_chip(void)
{
   for (unsigned i = 0; i < sizeof(chips) / sizeof(chips[0]); i++)
      if (!strcmp(getenv("INDIUM_GPU"), chips[i].gpu))
         return i;
   fail();
   return 0;
}

static void
found(void **state)
{
   drmDevicePtr device;
   char target[256], line[256];
   assert_int_equal(drmGetDevices2(0, &device, 1), 1);
   assert_int_equal(device->bustype, DRM_BUS_PLATFORM);
   assert_string_equal(device->businfo.platform->fullname, "/soc/gpu@406400000");
   assert_string_equal(device->deviceinfo.platform->compatible[0], chips[own_chip()].compatible);
   assert_string_equal(device->nodes[DRM_NODE_RENDER], NODE);
   drmFreeDevices(&device, 1);
   drmVersionPtr version = drmGetVersion(fd);
   assert_string_equal(version->name, "asahi");
   drmFreeVersion(version);

   ssize_t size = readlink("/sys/dev/char/226:128/device/subsystem", target, sizeof(target) - 1);
   assert_true(size > 0);
   target[size] = 0;
   assert_string_equal(strrchr(target, '/'), "/platform");
   assert_int_equal(access("/sys/dev/char/226:128/device/drm", F_OK), 0);
   FILE *uevent = fopen("/sys/dev/char/226:128/device/uevent", "r");
   assert_non_null(uevent);
   assert_non_null(fgets(line, sizeof(line), uevent));
   assert_string_equal(line, "DRIVER=asahi\n");
   fclose(uevent);
}

static void
params(void **state)
{
   struct drm_asahi_params_global all, part;
   struct drm_asahi_get_params args = {.pointer = (uintptr_t)&all, .size = sizeof(all)};
   unsigned chip = own_chip(), cores = 0;
   assert_int_equal(call(DRM_IOCTL_ASAHI_GET_PARAMS, &args), 0);
   assert_int_equal(all.gpu_generation, chips[chip].generation);
   assert_int_equal(all.gpu_variant, chips[chip].variant);
   assert_int_equal(all.chip_id, chips[chip].chip_id);
   assert_int_equal(all.num_dies, chips[chip].dies);
   assert_int_equal(all.num_clusters_total, chips[chip].clusters);
   for (unsigned i = 0; i < DRM_ASAHI_MAX_CLUSTERS; i++)
      cores += (unsigned)__builtin_popcountll(all.core_masks[i]);
   for (unsigned i = 0; i < DRM_ASAHI_MAX_CLUSTERS;
        i++) /* in the places of their cluster, and none beyond the last */
      assert_int_equal(all.core_masks[i] >> (i < all.num_clusters_total ? all.num_cores_per_cluster : 0), 0);
   assert_int_equal(cores, chips[chip].cores);
   assert_int_equal(all.features, getenv("INDIUM_NO_SOFT_FAULTS") ? 0 : DRM_ASAHI_FEATURE_SOFT_FAULTS);
   assert_int_equal(all.vm_start, 0x4000);
   assert_int_equal(all.vm_end, 0x7fffff8000);
   assert_int_equal(all.vm_kernel_min_size, 0x20000000);
   assert_int_equal(all.max_commands_per_submission, 64);
   assert_int_equal(all.max_attachments, 16);
   assert_int_equal(all.command_timestamp_frequency_hz, 1000000000);

   /* A program of an older or a newer header. */
   memset(&part, 0x5a, sizeof(part));
   args = (struct drm_asahi_get_params){.pointer = (uintptr_t)&part, .size = 20};
   assert_int_equal(call(DRM_IOCTL_ASAHI_GET_PARAMS, &args), 0);
   assert_memory_equal(&part, &all, 20);
   assert_int_equal(((unsigned char *)&part)[20], 0x5a);
   args.size = UINT64_MAX;
   assert_int_equal(call(DRM_IOCTL_ASAHI_GET_PARAMS, &args), 0);
   assert_memory_equal(&part, &all, sizeof(all));
}

static void
time_rises(void **state)
{
   struct drm_asahi_get_time first = {0}, second = {0};
   assert_int_equal(call(DRM_IOCTL_ASAHI_GET_TIME, &first), 0);
   assert_int_equal(call(DRM_IOCTL_ASAHI_GET_TIME, &second), 0);
   assert_true(first.gpu_timestamp && second.gpu_timestamp >= first.gpu_timestamp);
}

static void
memory(void **state)
{
   /* Sizes are whole pages of 16 KiB. */
   uint32_t bo = create_bo(1, DRM_ASAHI_GEM_WRITEBACK, 0), vm = create_vm();
   char *map = map_bo(bo, PAGE_B), *again = map_bo(bo, PAGE_B);
   map[PAGE_B - 1] = 42;
   assert_int_equal(again[PAGE_B - 1], 42);
   munmap(map, PAGE_B);
   munmap(again, PAGE_B);

   /* Shared by a descriptor, unless it is private to an address space. */
   int shared;
   uint32_t other, private = create_bo(PAGE_B, DRM_ASAHI_GEM_VM_PRIVATE, vm);
   assert_int_equal(drmPrimeHandleToFD(fd, bo, DRM_CLOEXEC | DRM_RDWR, &shared), 0);
   assert_int_equal(drmPrimeFDToHandle(fd, shared, &other), 0);
   assert_int_equal(other, bo);
   close(shared);
   assert_true(drmPrimeHandleToFD(fd, private, DRM_CLOEXEC | DRM_RDWR, &shared) < 0);
   assert_int_equal(drmCloseBufferHandle(fd, bo), 0);
   assert_int_equal(drmCloseBufferHandle(fd, private), 0);
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_DESTROY, &(struct drm_asahi_vm_destroy){.vm_id = vm}), 0);
}

/* Numbers are the lowest free ones, from 1. */
static void
numbers(void **state)
{
   uint32_t first = create_vm(), second = create_vm();
   assert_int_equal(first, 1);
   assert_int_equal(second, 2);
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_DESTROY, &(struct drm_asahi_vm_destroy){.vm_id = first}), 0);
   assert_int_equal(create_vm(), first);
   assert_int_equal(create_queue(first), 1);
   assert_int_equal(create_queue(second), 2);
}

/* Kernel drivers in Rust say nothing there. */
static void
no_fdinfo(void **state)
{
   char path[64], line[128];
   unsigned lines = 0;
   snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
   FILE *file = fopen(path, "r");
   assert_non_null(file);
   for (; fgets(line, sizeof(line), file); lines++)
      assert_int_not_equal(strncmp(line, "drm-", 4), 0);
   assert_true(lines > 0);
   fclose(file);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(found, open_node, close_node),
      cmocka_unit_test_setup_teardown(params, open_node, close_node),
      cmocka_unit_test_setup_teardown(time_rises, open_node, close_node),
      cmocka_unit_test_setup_teardown(memory, open_node, close_node),
      cmocka_unit_test_setup_teardown(numbers, open_node, close_node),
      cmocka_unit_test_setup_teardown(no_fdinfo, open_node, close_node),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
