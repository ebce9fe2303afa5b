/* Buffers of the shim through libdrm_amdgpu: mapping, sharing, GPU addresses. */
#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xf86drm.h>

#include <cmocka.h>

#define NODE "/dev/dri/renderD128"
#define RWX (AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE | AMDGPU_VM_PAGE_EXECUTABLE)

static int fd;
static amdgpu_device_handle device;

static int
setup(void **state)
{
   uint32_t major, minor;
   fd = open(NODE, O_RDWR | O_CLOEXEC);
   return fd < 0 || amdgpu_device_initialize(fd, &major, &minor, &device);
}

static int
teardown(void **state)
{
   amdgpu_device_deinitialize(device);
   return close(fd);
}

static amdgpu_bo_handle
create(uint64_t size_B)
{
   struct amdgpu_bo_alloc_request request = {.alloc_size = size_B, .preferred_heap = AMDGPU_GEM_DOMAIN_VRAM};
   amdgpu_bo_handle bo = NULL;
   assert_int_equal(amdgpu_bo_alloc(device, &request, &bo), 0);
   return bo;
}

static uint32_t
kms_handle(amdgpu_bo_handle bo)
{
   uint32_t handle = 0;
   assert_int_equal(amdgpu_bo_export(bo, amdgpu_bo_handle_type_kms, &handle), 0);
   return handle;
}

static void
mapped(void **state)
{
   amdgpu_bo_handle bo = create(10000);
   uint32_t *map;
   assert_int_equal(amdgpu_bo_cpu_map(bo, (void **)&map), 0);
   for (unsigned i = 0; i < 2500; i++)
      assert_int_equal(map[i], 0);
   map[2499] = 0x12345678;

   /* A second mapping, with an offset and an odd length, at a given place. */
   union drm_amdgpu_gem_mmap args = {.in = {.handle = kms_handle(bo)}};
   assert_int_equal(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &args), 0);
   char *place = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   char *second = mmap(place, 4000, PROT_READ, MAP_SHARED | MAP_FIXED, fd, (off_t)args.out.addr_ptr + 8192);
   assert_ptr_equal(second, place);
   assert_int_equal(*(uint32_t *)(second + 2499 * 4 - 8192), 0x12345678);
   munmap(place, 8192);
   assert_ptr_equal(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, (off_t)args.out.addr_ptr + 3 * 4096), MAP_FAILED);
   amdgpu_bo_free(bo);
   assert_ptr_equal(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, (off_t)args.out.addr_ptr), MAP_FAILED);
   assert_int_equal(errno, EINVAL);
}

static void
shared(void **state)
{
   amdgpu_bo_handle bo = create(65536);
   uint32_t *map, prime, handle, foreign_handle;
   assert_int_equal(amdgpu_bo_cpu_map(bo, (void **)&map), 0);
   map[5] = 55;
   struct amdgpu_bo_metadata metadata = {.tiling_info = 0x1234, .size_metadata = 8, .umd_metadata = {7, 8}};
   assert_int_equal(amdgpu_bo_set_metadata(bo, &metadata), 0);
   assert_int_equal(amdgpu_bo_export(bo, amdgpu_bo_handle_type_dma_buf_fd, &prime), 0);
   assert_int_equal(lseek((int)prime, 0, SEEK_END), 65536);

   /* The same file gets the same handle, another one an alias of the memory. */
   assert_int_equal(drmPrimeFDToHandle(fd, (int)prime, &handle), 0);
   assert_int_equal(handle, kms_handle(bo));
   int other = open(NODE, O_RDWR | O_CLOEXEC);
   assert_int_equal(drmPrimeFDToHandle(other, (int)prime, &foreign_handle), 0);
   struct drm_amdgpu_gem_metadata read_back = {.handle = foreign_handle, .op = AMDGPU_GEM_METADATA_OP_GET_METADATA};
   assert_int_equal(drmIoctl(other, DRM_IOCTL_AMDGPU_GEM_METADATA, &read_back), 0);
   assert_int_equal(read_back.data.tiling_info, 0x1234);
   assert_int_equal(read_back.data.data_size_bytes, 8);
   assert_int_equal(read_back.data.data[1], 8);
   amdgpu_bo_free(bo);

   union drm_amdgpu_gem_mmap args = {.in = {.handle = foreign_handle}};
   assert_int_equal(drmIoctl(other, DRM_IOCTL_AMDGPU_GEM_MMAP, &args), 0);
   uint32_t *alias = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, other, (off_t)args.out.addr_ptr);
   uint32_t *direct = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, (int)prime, 0);
   assert_int_equal(alias[5], 55);
   alias[6] = 66;
   assert_int_equal(direct[6], 66);
   munmap(alias, 4096);
   munmap(direct, 4096);
   close((int)prime);
   close(other);
}

/* A buffer of another process, handed over by its descriptor. */
static void
from_another_process(void **state)
{
   amdgpu_bo_handle bo = create(4096);
   uint32_t *map, prime;
   assert_int_equal(amdgpu_bo_cpu_map(bo, (void **)&map), 0);
   assert_int_equal(amdgpu_bo_export(bo, amdgpu_bo_handle_type_dma_buf_fd, &prime), 0);
   pid_t child = fork();
   if (!child) {
      uint32_t handle;
      int own = open(NODE, O_RDWR);
      union drm_amdgpu_gem_mmap args = {0};
      bool fine = !drmPrimeFDToHandle(own, (int)prime, &handle);
      args.in.handle = handle;
      fine = fine && !drmIoctl(own, DRM_IOCTL_AMDGPU_GEM_MMAP, &args);
      uint32_t *alias = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, own, (off_t)args.out.addr_ptr);
      fine = fine && alias != MAP_FAILED;
      if (fine)
         alias[3] = 33;
      _exit(fine ? 0 : 1);
   }
   int status;
   waitpid(child, &status, 0);
   assert_int_equal(status, 0);
   assert_int_equal(map[3], 33);
   close((int)prime);
   amdgpu_bo_free(bo);
}

/* A memory file that this process knows nothing of: what another process exports. */
static void
foreign(void **state)
{
   uint32_t handle;
   uint64_t before, during, after;
   struct drm_amdgpu_gem_create_in info = {0};
   int alien = memfd_create("alien", MFD_CLOEXEC);
   assert_int_equal(ftruncate(alien, 8192), 0);
   assert_int_equal(amdgpu_query_info(device, AMDGPU_INFO_VRAM_USAGE, 8, &before), 0);
   assert_int_equal(drmPrimeFDToHandle(fd, alien, &handle), 0);
   struct drm_amdgpu_gem_op ask = {
      .handle = handle, .op = AMDGPU_GEM_OP_GET_GEM_CREATE_INFO, .value = (uintptr_t)&info};
   struct drm_amdgpu_gem_op place = {
      .handle = handle, .op = AMDGPU_GEM_OP_SET_PLACEMENT, .value = AMDGPU_GEM_DOMAIN_VRAM};
   assert_int_equal(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_OP, &ask), 0);
   assert_int_equal(info.bo_size, 8192);
   assert_int_equal(info.domains, AMDGPU_GEM_DOMAIN_GTT);
   assert_int_equal(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_OP, &place), 0);
   assert_int_equal(amdgpu_query_info(device, AMDGPU_INFO_VRAM_USAGE, 8, &during), 0);
   assert_int_equal(during - before, 8192);
   assert_int_equal(drmCloseBufferHandle(fd, handle), 0);
   assert_int_equal(amdgpu_query_info(device, AMDGPU_INFO_VRAM_USAGE, 8, &after), 0);
   assert_int_equal(after, before);
   close(alien);
}

static int
va_op(uint32_t handle, uint32_t operation, uint32_t flags, uint64_t va, uint64_t offset_B, uint64_t size_B)
{
   struct drm_amdgpu_gem_va args = {.handle = handle,
                                    .operation = operation,
                                    .flags = flags,
                                    .va_address = va,
                                    .offset_in_bo = offset_B,
                                    .map_size = size_B};
   return drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_VA, &args) ? errno : 0;
}

static void
addresses(void **state)
{
   const uint64_t va = 0x800000000;
   amdgpu_bo_handle bo = create(65536);
   uint32_t handle = kms_handle(bo);
   assert_int_equal(va_op(handle, AMDGPU_VA_OP_MAP, RWX, va, 0, 65536), 0);
   assert_int_equal(va_op(handle, AMDGPU_VA_OP_MAP, RWX, va + 4096, 0, 4096), EINVAL); /* taken */
   assert_int_equal(va_op(handle, AMDGPU_VA_OP_UNMAP, 0, va + 4096, 0, 4096), ENOENT); /* not its start */
   assert_int_equal(va_op(handle, AMDGPU_VA_OP_UNMAP, 0, va, 0, 0), 0);                /* only the address */
   assert_int_equal(va_op(handle, AMDGPU_VA_OP_UNMAP, 0, va, 0, 65536), ENOENT);

   /* Sparse: a hole, a buffer in its middle, all cleared. */
   assert_int_equal(va_op(0, AMDGPU_VA_OP_MAP, AMDGPU_VM_PAGE_PRT, va, 0, 65536), 0);
   assert_int_equal(va_op(handle, AMDGPU_VA_OP_REPLACE, RWX, va + 8192, 0, 4096), 0);
   assert_int_equal(va_op(handle, AMDGPU_VA_OP_MAP, RWX, va + 12288, 0, 4096), EINVAL);
   assert_int_equal(va_op(0, AMDGPU_VA_OP_CLEAR, 0, va, 0, 65536), 0);
   assert_int_equal(va_op(handle, AMDGPU_VA_OP_MAP, RWX, va, 0, 65536), 0);
   /* Closing the handle drops the mapping. */
   amdgpu_bo_free(bo);
   bo = create(4096);
   assert_int_equal(va_op(kms_handle(bo), AMDGPU_VA_OP_MAP, RWX, va, 0, 4096), 0);

   assert_int_equal(va_op(kms_handle(bo), AMDGPU_VA_OP_MAP, RWX, va + 4096, 0, 8192), EINVAL); /* beyond the buffer */
   assert_int_equal(va_op(kms_handle(bo), AMDGPU_VA_OP_MAP, RWX, 0x900000000000, 0, 4096), EINVAL); /* no address */
   assert_int_equal(va_op(kms_handle(bo), AMDGPU_VA_OP_MAP, RWX, 0x1000, 0, 4096), EINVAL);
   assert_int_equal(va_op(kms_handle(bo), AMDGPU_VA_OP_MAP, RWX, 0xffff800000000000, 0, 4096), 0);
   assert_int_equal(va_op(kms_handle(bo), 9, RWX, va + 4096, 0, 4096), EINVAL);
   amdgpu_bo_free(bo);
}

static void
user_memory(void **state)
{
   void *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   amdgpu_bo_handle bo;
   assert_int_equal(amdgpu_create_bo_from_user_mem(device, memory, 8192, &bo), 0);
   assert_int_equal(va_op(kms_handle(bo), AMDGPU_VA_OP_MAP, RWX, 0x900000000, 4096, 4096), 0);
   amdgpu_bo_free(bo);
   assert_int_equal(amdgpu_create_bo_from_user_mem(device, (char *)memory + 8, 4096, &bo), -EINVAL);
   munmap(memory, 8192);
   assert_int_equal(amdgpu_create_bo_from_user_mem(device, memory, 4096, &bo), -EFAULT);
}

/* More buffers than the usual limit of descriptors; and the accounting comes back to where it was. */
static void
many(void **state)
{
   uint64_t before = 0, during = 0, after = 0;
   amdgpu_bo_handle bos[1500];
   assert_int_equal(amdgpu_query_info(device, AMDGPU_INFO_VRAM_USAGE, 8, &before), 0);
   for (unsigned i = 0; i < 1500; i++)
      bos[i] = create(4096);
   assert_int_equal(amdgpu_query_info(device, AMDGPU_INFO_VRAM_USAGE, 8, &during), 0);
   assert_int_equal(during - before, 1500 * 4096);
   int low = open("/dev/null", O_RDONLY);
   assert_true(low < 100);
   close(low);
   for (unsigned i = 0; i < 1500; i++)
      amdgpu_bo_free(bos[i]);
   assert_int_equal(amdgpu_query_info(device, AMDGPU_INFO_VRAM_USAGE, 8, &after), 0);
   assert_int_equal(after, before);
}

/* ---- heaps that get full ---- */

static struct drm_amdgpu_memory_info
memory_info(void)
{
   struct drm_amdgpu_memory_info info;
   assert_int_equal(amdgpu_query_info(device, AMDGPU_INFO_MEMORY, sizeof(info), &info), 0);
   return info;
}

static int
try_create(uint64_t size_B, uint32_t heap, uint64_t flags, amdgpu_bo_handle *bo)
{
   struct amdgpu_bo_alloc_request request = {.alloc_size = size_B, .preferred_heap = heap, .flags = flags};
   return amdgpu_bo_alloc(device, &request, bo);
}

/* Takes buffers of size_B until there are no more; how many. */
static unsigned
fill(uint64_t size_B, uint32_t heap, uint64_t flags, amdgpu_bo_handle *bos, unsigned max)
{
   unsigned count = 0;
   int error = 0;
   while (count < max && !(error = try_create(size_B, heap, flags, &bos[count])))
      count++;
   assert_int_equal(error, -ENOMEM);
   return count;
}

static uint64_t
room_B(const struct drm_amdgpu_heap_info *heap)
{
   return heap->usable_heap_size - heap->heap_usage;
}

/* VRAM overflows into GTT; only what has room in neither is refused, and what must lie in GTT when that is full. */
static void
full_heaps(void **state)
{
   const uint64_t size_B = 512 << 20;
   amdgpu_bo_handle bos[256];
   struct drm_amdgpu_memory_info empty = memory_info();
   unsigned in_gtt = fill(size_B, AMDGPU_GEM_DOMAIN_GTT, 0, bos, 256);
   assert_int_equal(in_gtt, room_B(&empty.gtt) / size_B);
   assert_int_equal(memory_info().vram.heap_usage, empty.vram.heap_usage);
   unsigned count = in_gtt + fill(size_B, AMDGPU_GEM_DOMAIN_VRAM, 0, bos + in_gtt, 256 - in_gtt);
   assert_int_equal(count - in_gtt, room_B(&empty.vram) / size_B);
   struct drm_amdgpu_memory_info full = memory_info();
   assert_true(room_B(&full.vram) < size_B && room_B(&full.gtt) < size_B);

   /* What becomes free in GTT is VRAM's overflow. */
   amdgpu_bo_free(bos[0]);
   assert_int_equal(try_create(size_B, AMDGPU_GEM_DOMAIN_VRAM, 0, &bos[0]), 0);
   assert_int_equal(memory_info().gtt.heap_usage, full.gtt.heap_usage);
   assert_int_equal(memory_info().vram.heap_usage, full.vram.heap_usage);
   for (unsigned i = 0; i < count; i++)
      amdgpu_bo_free(bos[i]);
   assert_memory_equal(&empty, &(struct drm_amdgpu_memory_info[1]){memory_info()}, sizeof(empty));
}

/* VRAM that the CPU reaches ends first; then buffers go where it does not. */
static void
full_visible_vram(void **state)
{
   const uint64_t size_B = 64 << 20;
   amdgpu_bo_handle bos[8];
   struct drm_amdgpu_memory_info empty = memory_info();
   unsigned fitting = (unsigned)(room_B(&empty.cpu_accessible_vram) / size_B);
   assert_in_range(fitting, 1, 7);
   for (unsigned i = 0; i < 8; i++) {
      assert_int_equal(try_create(size_B, AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED, &bos[i]), 0);
      struct drm_amdgpu_memory_info now = memory_info();
      assert_int_equal(now.vram.heap_usage - empty.vram.heap_usage, (i + 1) * size_B);
      assert_int_equal(now.cpu_accessible_vram.heap_usage - empty.cpu_accessible_vram.heap_usage,
                       (i < fitting ? i + 1 : fitting) * size_B);
   }
   for (unsigned i = 0; i < 8; i++)
      amdgpu_bo_free(bos[i]);
   assert_memory_equal(&empty, &(struct drm_amdgpu_memory_info[1]){memory_info()}, sizeof(empty));
}

/* Sizes at the ends of what 64 bits hold. */
static void
absurd_sizes(void **state)
{
   const uint64_t sizes[] = {UINT64_MAX, UINT64_MAX - 4095, UINT64_MAX - 4096, 1ull << 63, 1ull << 40};
   for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
      union drm_amdgpu_gem_create args = {.in = {.bo_size = sizes[i], .domains = AMDGPU_GEM_DOMAIN_VRAM}};
      assert_int_equal(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, &args), -1);
      assert_int_equal(errno, ENOMEM);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(mapped),       cmocka_unit_test(shared),     cmocka_unit_test(from_another_process),
      cmocka_unit_test(foreign),      cmocka_unit_test(addresses),  cmocka_unit_test(user_memory),
      cmocka_unit_test(many),         cmocka_unit_test(full_heaps), cmocka_unit_test(full_visible_vram),
      cmocka_unit_test(absurd_sizes),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
