/* Memory that goes while a job uses it: the application's, whose mappings stay until the job is done, and that of
 * buffers, which the job keeps. */
#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xf86drm.h>

#include <cmocka.h>

#define VA UINT64_C(0x800000000)
#define PLACE (VA + 0x10000)
#define PAGE_B 4096
#define RWX (AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE | AMDGPU_VM_PAGE_EXECUTABLE)
#define PACKET3(opcode, payload_dw) (3u << 30 | ((payload_dw) - 1) << 16 | (opcode) << 8)
#define JOB_dw 64
/* Dwords of the buffer of commands that the job and the test tell each other things by. */
#define BEGUN_dw 512
#define GO_dw 513
#define READ_dw 514

static int fd;
static amdgpu_device_handle device;
static amdgpu_bo_handle commands;
static uint32_t *map;

static int
setup(void **state)
{
   uint32_t major, minor;
   struct amdgpu_bo_alloc_request request = {.alloc_size = PAGE_B, .preferred_heap = AMDGPU_GEM_DOMAIN_GTT};
   fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
   if (amdgpu_device_initialize(fd, &major, &minor, &device) || amdgpu_bo_alloc(device, &request, &commands) ||
       amdgpu_bo_cpu_map(commands, (void **)&map) ||
       amdgpu_bo_va_op_raw(device, commands, 0, PAGE_B, VA, RWX, AMDGPU_VA_OP_MAP))
      return -1;
   close(fd);
   fd = amdgpu_device_get_fd(device); /* libdrm's own */
   return 0;
}

static int
teardown(void **state)
{
   amdgpu_bo_free(commands);
   return amdgpu_device_deinitialize(device);
}

struct job {
   amdgpu_context_handle context;
   uint64_t seq;
};

static unsigned
put(unsigned at, const uint32_t *packet, size_t size_B)
{
   memcpy(map + at, packet, size_B);
   return at + (unsigned)(size_B / 4);
}

/* Says that it has begun, waits until GO_dw is 7, and unless `reads` stores 9 to PLACE; then reads that back. The
 * handle is in its list if it is not 0. */
static struct job
submit(uint32_t listed, bool reads)
{
   const uint64_t begun = VA + BEGUN_dw * 4, go = VA + GO_dw * 4, read = VA + READ_dw * 4;
   const uint32_t control = 5u << 8 | 1u << 20;
   const uint32_t say[] = {PACKET3(0x37, 4), control, (uint32_t)begun, begun >> 32, 1};
   const uint32_t wait[] = {PACKET3(0x3c, 6), 3u | 1u << 4, (uint32_t)go, go >> 32, 7, ~0u, 4};
   const uint32_t store[] = {PACKET3(0x37, 4), control, (uint32_t)PLACE, PLACE >> 32, 9};
   const uint32_t load[] = {PACKET3(0x40, 5), 1 | 5u << 8, (uint32_t)PLACE, PLACE >> 32, (uint32_t)read, read >> 32};
   struct job job = {0};
   for (unsigned i = 0; i < PAGE_B / 4; i++)
      map[i] = i < BEGUN_dw ? 0xffff1000u : 0;
   unsigned at = put(put(0, say, sizeof(say)), wait, sizeof(wait));
   at = reads ? at : put(at, store, sizeof(store));
   put(at, load, sizeof(load));
   struct drm_amdgpu_bo_list_entry entry = {.bo_handle = listed};
   struct drm_amdgpu_bo_list_in list = {~0u, ~0u, 1, sizeof(entry), (uintptr_t)&entry};
   struct drm_amdgpu_cs_chunk_ib ib = {.va_start = VA, .ib_bytes = JOB_dw * 4};
   struct drm_amdgpu_cs_chunk chunks[2] = {{AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib},
                                           {AMDGPU_CHUNK_ID_BO_HANDLES, sizeof(list) / 4, (uintptr_t)&list}};
   assert_int_equal(amdgpu_cs_ctx_create(device, &job.context), 0);
   assert_int_equal(amdgpu_cs_submit_raw2(device, job.context, 0, listed ? 2 : 1, chunks, &job.seq), 0);
   return job;
}

/* 0, or -ECANCELED after a fault. */
static int
end(struct job *job)
{
   struct amdgpu_cs_fence fence = {.context = job->context, .ip_type = AMDGPU_HW_IP_GFX, .fence = job->seq};
   uint32_t done = 0;
   __atomic_store_n(&map[GO_dw], 7, __ATOMIC_SEQ_CST);
   int error = amdgpu_cs_query_fence_status(&fence, AMDGPU_TIMEOUT_INFINITE, 0, &done);
   amdgpu_cs_ctx_free(job->context);
   return error;
}

static uint32_t
wrap(void *memory, uint32_t flags)
{
   struct drm_amdgpu_gem_userptr args = {.addr = (uintptr_t)memory, .size = PAGE_B, .flags = flags};
   struct drm_amdgpu_gem_va va = {.operation = AMDGPU_VA_OP_MAP,
                                  .flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE,
                                  .va_address = PLACE,
                                  .map_size = PAGE_B};
   assert_int_equal(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_USERPTR, &args), 0);
   va.handle = args.handle;
   assert_int_equal(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_VA, &va), 0);
   return args.handle;
}

/* -- ways to take memory away -- */

static void
unmap_it(void *memory)
{
   munmap(memory, PAGE_B);
}

static void
replace_it(void *memory)
{
   mmap(memory, PAGE_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static void
move_it(void *memory)
{
   munmap(mremap(memory, PAGE_B, 2 * PAGE_B, MREMAP_MAYMOVE), 2 * PAGE_B);
}

static void
move_over_it(void *memory)
{
   void *other = mmap(NULL, PAGE_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   mremap(other, PAGE_B, PAGE_B, MREMAP_MAYMOVE | MREMAP_FIXED, memory);
}

static void
protect_it(void *memory)
{
   mprotect(memory, PAGE_B, PROT_NONE);
}

static void
drop_it(void *memory)
{
   madvise(memory, PAGE_B, MADV_DONTNEED);
}

struct taker {
   void (*take)(void *memory);
   void *memory;
   int id, done;
};

static void *
use_memory(void *argument)
{
   struct taker *taker = argument;
   __atomic_store_n(&taker->id, (int)syscall(SYS_gettid), __ATOMIC_SEQ_CST);
   taker->take(taker->memory);
   __atomic_store_n(&taker->done, 1, __ATOMIC_SEQ_CST);
   return NULL;
}

/* Until the thread sleeps; false if it is done instead. */
static bool
sleeps(struct taker *taker)
{
   for (;;) {
      char path[64], text[256] = "";
      int id = __atomic_load_n(&taker->id, __ATOMIC_SEQ_CST);
      snprintf(path, sizeof(path), "/proc/self/task/%d/stat", id);
      FILE *file = id ? fopen(path, "r") : NULL;
      if (__atomic_load_n(&taker->done, __ATOMIC_SEQ_CST)) {
         if (file)
            fclose(file);
         return false;
      }
      if (file && fgets(text, sizeof(text), file) && strstr(text, ") S ")) {
         fclose(file);
         return true;
      }
      if (file)
         fclose(file);
      sched_yield();
   }
}

static void
take_while_a_job_runs(void (*way)(void *), bool listed)
{
   int file = memfd_create("memory", MFD_CLOEXEC);
   assert_int_equal(ftruncate(file, 2 * PAGE_B), 0);
   uint32_t *witness = mmap(NULL, PAGE_B, PROT_READ, MAP_SHARED, file, 0);
   /* Where no one else's memory comes while it is gone. What is mapped after it makes mremap(2) move. */
   char *place =
      mmap((void *)0x551000000000, 2 * PAGE_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
   struct taker taker = {.take = way,
                         .memory = mmap(place, PAGE_B, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0)};
   uint32_t handle = wrap(taker.memory, AMDGPU_GEM_USERPTR_REGISTER);
   struct job job = submit(listed ? handle : 0, false);
   while (!__atomic_load_n(&map[BEGUN_dw], __ATOMIC_SEQ_CST) && !listed)
      sched_yield();
   pthread_t thread;
   assert_int_equal(pthread_create(&thread, NULL, use_memory, &taker), 0);
   bool waits = sleeps(&taker);
   int error = end(&job);
   pthread_join(thread, NULL);
   assert_true(waits);
   assert_int_equal(error, 0);
   assert_int_equal(map[READ_dw], 9);
   assert_int_equal(witness[0], 9);
   /* Memory that is gone, or not to be written, is a fault of the next job. */
   job = submit(handle, false);
   assert_int_equal(end(&job), way == drop_it ? 0 : -ECANCELED);
   assert_int_equal(drmCloseBufferHandle(fd, handle), 0);
   munmap(place, 2 * PAGE_B);
   munmap(witness, PAGE_B);
   close(file);
}

static void
application_takes_memory(void **state)
{
   void (*const ways[])(void *) = {unmap_it, replace_it, move_it, move_over_it, protect_it, drop_it};
   for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
      for (unsigned listed = 0; listed < 2; listed++)
         take_while_a_job_runs(ways[i], listed);
}

/* Who changes other memory waits for nothing. */
static void
other_memory(void **state)
{
   char *memory = mmap(NULL, 3 * PAGE_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint32_t handle = wrap(memory + PAGE_B, AMDGPU_GEM_USERPTR_REGISTER);
   struct job job = submit(handle, false);
   assert_int_equal(munmap(memory, PAGE_B), 0);
   assert_int_equal(mprotect(memory + 2 * PAGE_B, PAGE_B, PROT_NONE), 0);
   assert_int_equal(end(&job), 0);
   assert_int_equal(map[READ_dw], 9);
   assert_int_equal(drmCloseBufferHandle(fd, handle), 0);
   munmap(memory + PAGE_B, 2 * PAGE_B);
}

/* What the GPU may only read need not be writable, and a store is a fault. So it is where the application itself may
 * not write. */
static void
memory_to_read(void **state)
{
   uint32_t *memory = mmap(NULL, PAGE_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   memory[0] = 11;
   assert_int_equal(mprotect(memory, PAGE_B, PROT_READ), 0);
   for (unsigned only_reads = 0; only_reads < 2; only_reads++) {
      uint32_t handle = wrap(memory, only_reads ? AMDGPU_GEM_USERPTR_READONLY : AMDGPU_GEM_USERPTR_REGISTER);
      struct job job = submit(handle, true);
      assert_int_equal(end(&job), only_reads ? 0 : -ECANCELED);
      assert_int_equal(map[READ_dw], only_reads ? 11 : 0);
      job = submit(handle, false);
      assert_int_equal(end(&job), -ECANCELED);
      assert_int_equal(drmCloseBufferHandle(fd, handle), 0);
   }
   munmap(memory, PAGE_B);
}

/* The job keeps a buffer that has lost its handle, and its mappings by the CPU. */
static void
buffer_is_closed(void **state)
{
   union drm_amdgpu_gem_create create = {.in = {.bo_size = PAGE_B, .domains = AMDGPU_GEM_DOMAIN_GTT}};
   assert_int_equal(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, &create), 0);
   uint32_t handle = create.out.handle;
   struct drm_amdgpu_gem_va va = {.handle = handle,
                                  .operation = AMDGPU_VA_OP_MAP,
                                  .flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE,
                                  .va_address = PLACE,
                                  .map_size = PAGE_B};
   assert_int_equal(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_VA, &va), 0);
   union drm_amdgpu_gem_mmap place = {.in = {.handle = handle}};
   assert_int_equal(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &place), 0);
   void *mapped = mmap(NULL, PAGE_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)place.out.addr_ptr);
   assert_ptr_not_equal(mapped, MAP_FAILED);
   struct job job = submit(0, false);
   assert_int_equal(munmap(mapped, PAGE_B), 0);
   assert_int_equal(drmCloseBufferHandle(fd, handle), 0);
   assert_int_equal(end(&job), 0);
   assert_int_equal(map[READ_dw], 9);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(application_takes_memory),
      cmocka_unit_test(other_memory),
      cmocka_unit_test(memory_to_read),
      cmocka_unit_test(buffer_is_closed),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
