/* The node of an Intel GPU as drivers find it, what it tells of itself, its memory, and what is submitted to it. */
#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

#include <cmocka.h>

#define NODE "/dev/dri/renderD128"
#define PAGE_B UINT64_C(4096)

/* Of Intel's data sheets and the kernel's tables. */
static const struct {
   const char *gpu;
   int device, subslices, eus, timestamp_Hz;
   uint64_t space_B;
   int address_B; /* that a relocation writes */
} chips[] = {
   {"hsw", 0x0412, 2, 20, 12500000, UINT64_C(1) << 31, 4},
   {"bdw", 0x1616, 3, 24, 12500000, UINT64_C(1) << 48, 8},
   {"skl", 0x1912, 3, 24, 12000000, UINT64_C(1) << 48, 8},
};

static int fd; /* of the node */

static int
call(unsigned long request, void *arg)
{
   return ioctl(fd, request, arg) ? -errno : 0;
}

static unsigned
own_chip(void)
{
   for (unsigned i = 0; i < sizeof(chips) / sizeof(chips[0]); i++)
      if (!strcmp(getenv("INDIUM_GPU"), chips[i].gpu))
         return i;
   fail();
   return 0;
}

static int
param(int which)
{
   int value = -1;
   struct drm_i915_getparam args = {.param = which, .value = &value};
   int error = call(DRM_IOCTL_I915_GETPARAM, &args);
   return error ? error : value;
}

static uint32_t
create_bo(uint64_t size_B)
{
   struct drm_i915_gem_create args = {.size = size_B};
   assert_int_equal(call(DRM_IOCTL_I915_GEM_CREATE, &args), 0);
   return args.handle;
}

static void *
map_bo(uint32_t handle, uint64_t size_B)
{
   struct drm_i915_gem_mmap_offset args = {.handle = handle, .flags = I915_MMAP_OFFSET_WB};
   assert_int_equal(call(DRM_IOCTL_I915_GEM_MMAP_OFFSET, &args), 0);
   void *map = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)args.offset);
   assert_ptr_not_equal(map, MAP_FAILED);
   return map;
}

static void
found(void **state)
{
   drmDevicePtr device;
   assert_int_equal(drmGetDevices2(DRM_DEVICE_GET_PCI_REVISION, &device, 1), 1);
   assert_int_equal(device->bustype, DRM_BUS_PCI);
   assert_int_equal(device->deviceinfo.pci->vendor_id, 0x8086);
   assert_int_equal(device->deviceinfo.pci->device_id, chips[own_chip()].device);
   assert_string_equal(device->nodes[DRM_NODE_RENDER], NODE);
   drmFreeDevices(&device, 1);
   drmVersionPtr version = drmGetVersion(fd);
   assert_string_equal(version->name, "i915");
   drmFreeVersion(version);
}

static void
params(void **state)
{
   unsigned chip = own_chip();
   assert_int_equal(param(I915_PARAM_CHIPSET_ID), chips[chip].device);
   assert_int_equal(param(I915_PARAM_EU_TOTAL), chips[chip].eus);
   assert_int_equal(param(I915_PARAM_SUBSLICE_TOTAL), chips[chip].subslices);
   assert_int_equal(param(I915_PARAM_CS_TIMESTAMP_FREQUENCY), chips[chip].timestamp_Hz);
   assert_int_equal(param(I915_PARAM_HAS_LLC), 1);
   assert_int_equal(param(I915_PARAM_MMAP_GTT_VERSION), 4);
   assert_int_equal(param(1000), -EINVAL);
   struct drm_i915_gem_context_param space = {.param = I915_CONTEXT_PARAM_GTT_SIZE};
   assert_int_equal(call(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &space), 0);
   assert_true(space.value == chips[chip].space_B);
}

static void
topology(void **state)
{
   union {
      struct drm_i915_query_topology_info info;
      uint8_t bytes[256];
   } answer = {0};
   struct drm_i915_query_item item = {.query_id = DRM_I915_QUERY_TOPOLOGY_INFO};
   struct drm_i915_query query = {.num_items = 1, .items_ptr = (uintptr_t)&item};
   assert_int_equal(call(DRM_IOCTL_I915_QUERY, &query), 0);
   assert_in_range(item.length, sizeof(answer.info), sizeof(answer));
   item.data_ptr = (uintptr_t)&answer;
   assert_int_equal(call(DRM_IOCTL_I915_QUERY, &query), 0);
   int eus = 0;
   for (int i = 0; i < item.length - (int)sizeof(answer.info) - answer.info.eu_offset; i++)
      eus += __builtin_popcount(answer.info.data[answer.info.eu_offset + i]);
   assert_int_equal(eus, chips[own_chip()].eus);
   assert_int_equal(__builtin_popcount(answer.info.data[answer.info.subslice_offset]), chips[own_chip()].subslices);

   item = (struct drm_i915_query_item){.query_id = 99};
   assert_int_equal(call(DRM_IOCTL_I915_QUERY, &query), 0);
   assert_int_equal(item.length, -EINVAL);
}

static void
memory(void **state)
{
   uint32_t handle = create_bo(100);
   uint32_t *map = map_bo(handle, PAGE_B);
   uint32_t words[2] = {0x11223344, 0x55667788};
   struct drm_i915_gem_pwrite out = {.handle = handle, .offset = 16, .size = 8, .data_ptr = (uintptr_t)words};
   assert_int_equal(call(DRM_IOCTL_I915_GEM_PWRITE, &out), 0);
   assert_int_equal(map[5], 0x55667788);
   map[5] = 7;
   struct drm_i915_gem_pread in = {.handle = handle, .offset = 20, .size = 4, .data_ptr = (uintptr_t)words};
   assert_int_equal(call(DRM_IOCTL_I915_GEM_PREAD, &in), 0);
   assert_int_equal(words[0], 7);
   in.offset = PAGE_B - 3;
   assert_int_equal(call(DRM_IOCTL_I915_GEM_PREAD, &in), -EINVAL);
   struct drm_i915_gem_set_tiling tiling = {.handle = handle, .tiling_mode = I915_TILING_Y, .stride = 100};
   assert_int_equal(call(DRM_IOCTL_I915_GEM_SET_TILING, &tiling), -EINVAL);
   tiling.stride = 256;
   assert_int_equal(call(DRM_IOCTL_I915_GEM_SET_TILING, &tiling), 0);
   struct drm_i915_gem_get_tiling got = {.handle = handle};
   assert_int_equal(call(DRM_IOCTL_I915_GEM_GET_TILING, &got), 0);
   assert_int_equal(got.tiling_mode, I915_TILING_Y);
   munmap(map, PAGE_B);
}

static int
execute(struct drm_i915_gem_exec_object2 *objects, unsigned count, uint64_t flags)
{
   struct drm_i915_gem_execbuffer2 args = {
      .buffers_ptr = (uintptr_t)objects, .buffer_count = count, .flags = I915_EXEC_RENDER | flags};
   return call(DRM_IOCTL_I915_GEM_EXECBUFFER2, &args);
}

/* An address arrives where a relocation names it, unless the program has guessed it right. */
static void
relocations(void **state)
{
   uint32_t data = create_bo(PAGE_B), batch = create_bo(PAGE_B);
   uint32_t *map = map_bo(batch, PAGE_B);
   memset(map, 0xee, 64);
   struct drm_i915_gem_relocation_entry entry = {
      .target_handle = data, .delta = 0x10, .offset = 8, .presumed_offset = UINT64_MAX};
   struct drm_i915_gem_exec_object2 objects[2] = {
      {.handle = data}, {.handle = batch, .relocation_count = 1, .relocs_ptr = (uintptr_t)&entry}};
   assert_int_equal(execute(objects, 2, 0), 0);
   uint64_t va = objects[0].offset, written = 0;
   memcpy(&written, map + 2, (size_t)chips[own_chip()].address_B);
   assert_true(va && va % PAGE_B == 0 && va != objects[1].offset);
   assert_true(written == va + 0x10);
   assert_true(entry.presumed_offset == va);
   assert_int_equal(map[1], 0xeeeeeeee);
   assert_int_equal(map[chips[own_chip()].address_B == 4 ? 3 : 4], 0xeeeeeeee);

   map[2] = 5;
   assert_int_equal(execute(objects, 2, I915_EXEC_NO_RELOC), 0);
   assert_int_equal(map[2], 5);
   entry.presumed_offset = UINT64_MAX;
   entry.target_handle = 0;
   assert_int_equal(execute(objects, 2, I915_EXEC_HANDLE_LUT), 0);
   assert_int_equal(map[2], (uint32_t)va + 0x10);
   entry.target_handle = 2;
   assert_int_equal(execute(objects, 2, I915_EXEC_HANDLE_LUT), -ENOENT);
   entry.target_handle = 0;
   entry.offset = PAGE_B - 2;
   assert_int_equal(execute(objects, 2, I915_EXEC_HANDLE_LUT), -EINVAL);
   munmap(map, PAGE_B);
}

static void
pinned(void **state)
{
   uint32_t first = create_bo(2 * PAGE_B), second = create_bo(PAGE_B);
   struct drm_i915_gem_exec_object2 objects[2] = {{.handle = first, .offset = 0x100000, .flags = EXEC_OBJECT_PINNED},
                                                  {.handle = second, .offset = 0x101000}};
   assert_int_equal(execute(objects, 2, 0), 0);
   assert_int_equal(objects[0].offset, 0x100000);
   assert_true(objects[1].offset >= 0x102000 || objects[1].offset < 0x100000);
   objects[1] = (struct drm_i915_gem_exec_object2){.handle = second, .offset = 0x101000, .flags = EXEC_OBJECT_PINNED};
   assert_int_equal(execute(objects, 2, 0), -ENOSPC);
   objects[1].offset = 0x101001;
   assert_int_equal(execute(objects, 2, 0), -EINVAL);
   objects[1].offset = chips[own_chip()].space_B;
   assert_int_equal(execute(objects, 2, 0), chips[own_chip()].address_B == 4 ? -EINVAL : 0);
}

static void
fences(void **state)
{
   uint32_t batch = create_bo(PAGE_B), out, in;
   assert_int_equal(drmSyncobjCreate(fd, 0, &out), 0);
   assert_int_equal(drmSyncobjCreate(fd, 0, &in), 0);
   struct drm_i915_gem_exec_fence list[] = {{out, I915_EXEC_FENCE_SIGNAL}, {in, I915_EXEC_FENCE_WAIT}};
   struct drm_i915_gem_exec_object2 object = {.handle = batch};
   struct drm_i915_gem_execbuffer2 args = {.buffers_ptr = (uintptr_t)&object,
                                           .buffer_count = 1,
                                           .flags = I915_EXEC_RENDER | I915_EXEC_FENCE_ARRAY | I915_EXEC_FENCE_OUT,
                                           .cliprects_ptr = (uintptr_t)list,
                                           .num_cliprects = 2};
   assert_int_equal(call(DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &args), -EINVAL); /* nothing to wait for yet */
   assert_int_equal(drmSyncobjSignal(fd, &in, 1), 0);
   assert_int_equal(call(DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &args), 0);
   assert_int_equal(drmSyncobjWait(fd, &out, 1, 0, 0, NULL), 0);
   assert_int_equal(close((int)(args.rsvd2 >> 32)), 0);
}

static void
wrong(void **state)
{
   struct drm_i915_gem_exec_object2 object = {.handle = 12345};
   assert_int_equal(execute(&object, 1, 0), -ENOENT);
   assert_int_equal(execute(NULL, 0, 0), -EINVAL);
   assert_int_equal(execute(NULL, 1, 0), -EFAULT);
   object.handle = create_bo(PAGE_B);
   assert_int_equal(execute(&object, 1, UINT64_C(1) << 40), -EINVAL);
   assert_int_equal(execute(&object, 1, 7), -EINVAL); /* no such engine */
   struct drm_i915_gem_create none = {.size = 0};
   assert_int_equal(call(DRM_IOCTL_I915_GEM_CREATE, &none), -EINVAL);
   struct drm_i915_gem_context_destroy context = {.ctx_id = 77};
   assert_int_equal(call(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &context), -ENOENT);
   struct drm_i915_perf_open_param perf = {0};
   assert_int_equal(call(DRM_IOCTL_I915_PERF_OPEN, &perf), -EINVAL);
}

static int
open_node(void **state)
{
   fd = open(NODE, O_RDWR | O_CLOEXEC);
   return fd < 0;
}

static int
close_node(void **state)
{
   return close(fd);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(found),       cmocka_unit_test(params), cmocka_unit_test(topology), cmocka_unit_test(memory),
      cmocka_unit_test(relocations), cmocka_unit_test(pinned), cmocka_unit_test(fences),   cmocka_unit_test(wrong)};
   return cmocka_run_group_tests(tests, open_node, close_node);
}
