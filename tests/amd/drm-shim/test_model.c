/* Submits that the model runs: packets reach memory, waits may be ended by the CPU, a fault loses the context. */
#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sync_file.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xf86drm.h>

#include <cmocka.h>

#define VA UINT64_C(0x800000000)
#define RWX (AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE | AMDGPU_VM_PAGE_EXECUTABLE)
#define PACKET3(opcode, payload_dw) (3u << 30 | ((payload_dw) - 1) << 16 | (opcode) << 8)
#define NOP 0xffff1000u
#define DATA_dw 512 /* results are after the commands */

static amdgpu_device_handle device;
static amdgpu_bo_handle bo;
static uint32_t *map;

static int
setup(void **state)
{
   uint32_t major, minor;
   int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
   struct amdgpu_bo_alloc_request request = {.alloc_size = 4096, .preferred_heap = AMDGPU_GEM_DOMAIN_GTT};
   if (amdgpu_device_initialize(fd, &major, &minor, &device) || amdgpu_bo_alloc(device, &request, &bo) ||
       amdgpu_bo_cpu_map(bo, (void **)&map))
      return -1;
   close(fd);
   return amdgpu_bo_va_op_raw(device, bo, 0, 4096, VA, RWX, AMDGPU_VA_OP_MAP);
}

static int
teardown(void **state)
{
   amdgpu_bo_free(bo);
   return amdgpu_device_deinitialize(device);
}

static uint32_t *
write_data(uint32_t *cs, uint64_t va, uint32_t value)
{
   const uint32_t packet[] = {PACKET3(0x37, 4), 5u << 8 | 1u << 20, (uint32_t)va, (uint32_t)(va >> 32), value};
   return (uint32_t *)memcpy(cs, packet, sizeof(packet)) + 5;
}

static uint32_t *
wait_equal(uint32_t *cs, uint64_t va, uint32_t value)
{
   const uint32_t packet[] = {PACKET3(0x3c, 6), 3 | 1u << 4, (uint32_t)va, (uint32_t)(va >> 32), value, ~0u, 4};
   return (uint32_t *)memcpy(cs, packet, sizeof(packet)) + 7;
}

static int
submit(amdgpu_context_handle context, uint64_t va, uint64_t *seq)
{
   struct drm_amdgpu_cs_chunk_ib ib = {.va_start = va, .ib_bytes = 64 * 4, .ip_type = AMDGPU_HW_IP_GFX};
   struct drm_amdgpu_cs_chunk chunk = {AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib};
   return amdgpu_cs_submit_raw2(device, context, 0, 1, &chunk, seq);
}

static struct amdgpu_cs_fence
fence_of(amdgpu_context_handle context, uint64_t seq)
{
   return (struct amdgpu_cs_fence){.context = context, .ip_type = AMDGPU_HW_IP_GFX, .fence = seq};
}

static bool
is_done(amdgpu_context_handle context, uint64_t seq, uint64_t timeout_ns)
{
   struct amdgpu_cs_fence fence = fence_of(context, seq);
   uint32_t expired = 0;
   assert_int_equal(amdgpu_cs_query_fence_status(&fence, timeout_ns, 0, &expired), 0);
   return expired;
}

static void
fill_nops(void)
{
   for (unsigned i = 0; i < DATA_dw; i++)
      map[i] = NOP;
   memset(map + DATA_dw, 0, 4096 - DATA_dw * 4);
}

static void
packets(void **state)
{
   amdgpu_context_handle context;
   uint64_t seq;
   assert_int_equal(amdgpu_cs_ctx_create(device, &context), 0);
   fill_nops();
   write_data(write_data(map, VA + DATA_dw * 4, 0x11111111), VA + DATA_dw * 4 + 8, 0x22222222);
   assert_int_equal(submit(context, VA, &seq), 0);
   assert_true(is_done(context, seq, AMDGPU_TIMEOUT_INFINITE));
   assert_int_equal(map[DATA_dw], 0x11111111);
   assert_int_equal(map[DATA_dw + 1], 0);
   assert_int_equal(map[DATA_dw + 2], 0x22222222);
   amdgpu_cs_ctx_free(context);
}

/* The submit returns although its commands wait for memory that the CPU writes later. */
static void
host_signal(void **state)
{
   amdgpu_context_handle context;
   uint64_t seq;
   assert_int_equal(amdgpu_cs_ctx_create(device, &context), 0);
   fill_nops();
   write_data(wait_equal(map, VA + DATA_dw * 4, 7), VA + DATA_dw * 4 + 4, 8);
   assert_int_equal(submit(context, VA, &seq), 0);
   assert_false(is_done(context, seq, 0));
   assert_int_equal(map[DATA_dw + 1], 0);
   __atomic_store_n(&map[DATA_dw], 7, __ATOMIC_SEQ_CST);
   assert_true(is_done(context, seq, AMDGPU_TIMEOUT_INFINITE));
   assert_int_equal(map[DATA_dw + 1], 8);
   amdgpu_cs_ctx_free(context);
}

#define SCHED_JOBS 32 /* amdgpu.sched_jobs: what a queue takes before a submit blocks */
static atomic_uint submitted;

static void *
submit_many(void *context)
{
   uint64_t seq;
   for (unsigned i = 0; i < 2 * SCHED_JOBS; i++) {
      assert_int_equal(submit(context, VA, &seq), 0);
      atomic_fetch_add(&submitted, 1);
   }
   return NULL;
}

/* A queue that does not get on takes so many submits, and the next one waits in the ioctl. */
static void
full_queue(void **state)
{
   amdgpu_context_handle context;
   pthread_t thread;
   assert_int_equal(amdgpu_cs_ctx_create(device, &context), 0);
   fill_nops();
   wait_equal(map, VA + DATA_dw * 4, 7);
   atomic_store(&submitted, 0);
   assert_int_equal(pthread_create(&thread, NULL, submit_many, context), 0);
   while (atomic_load(&submitted) < SCHED_JOBS)
      usleep(1000);
   usleep(20000); /* for a queue that wrongly takes more */
   assert_int_equal(atomic_load(&submitted), SCHED_JOBS);
   __atomic_store_n(&map[DATA_dw], 7, __ATOMIC_SEQ_CST);
   pthread_join(thread, NULL);
   assert_true(is_done(context, 2 * SCHED_JOBS, AMDGPU_TIMEOUT_INFINITE));
   amdgpu_cs_ctx_free(context);
}

static int
sync_file_of(amdgpu_context_handle context, uint64_t seq)
{
   struct amdgpu_cs_fence fence = fence_of(context, seq);
   uint32_t handle;
   assert_int_equal(amdgpu_cs_fence_to_handle(device, &fence, AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD, &handle), 0);
   return (int)handle;
}

static int
merge(int a, int b)
{
   struct sync_merge_data data = {.name = "merged", .fd2 = b};
   assert_int_equal(ioctl(a, SYNC_IOC_MERGE, &data), 0);
   return data.fence;
}

/* A merged sync file has a fence of each context, the last one, until all are signaled and after it. */
static void
merged_sync_files(void **state)
{
   amdgpu_context_handle contexts[2];
   struct sync_fence_info fences[2] = {0};
   struct sync_file_info info = {0}, whole = {.num_fences = 2, .sync_fence_info = (uintptr_t)fences};
   int files[3], both, all;
   uint64_t seq;
   fill_nops();
   wait_equal(map, VA + DATA_dw * 4, 7);
   for (unsigned i = 0; i < 3; i++) {
      if (i < 2)
         assert_int_equal(amdgpu_cs_ctx_create(device, &contexts[i]), 0);
      assert_int_equal(submit(contexts[i % 2], VA, &seq), 0);
      files[i] = sync_file_of(contexts[i % 2], seq);
   }
   both = merge(files[0], files[1]);
   all = merge(both, files[2]);
   assert_int_equal(ioctl(all, SYNC_IOC_FILE_INFO, &info), 0);
   assert_int_equal(info.num_fences, 2);
   assert_int_equal(info.status, 0);
   assert_string_equal(info.name, "merged");
   info = (struct sync_file_info){.num_fences = 1, .sync_fence_info = (uintptr_t)fences};
   assert_int_equal(ioctl(all, SYNC_IOC_FILE_INFO, &info), -1);
   assert_int_equal(errno, EINVAL);
   assert_int_equal(ioctl(all, SYNC_IOC_FILE_INFO, &whole), 0);
   assert_int_equal(fences[0].status, 0);
   assert_int_equal(fences[0].timestamp_ns, 0);

   __atomic_store_n(&map[DATA_dw], 7, __ATOMIC_SEQ_CST);
   assert_true(is_done(contexts[0], 2, AMDGPU_TIMEOUT_INFINITE));
   assert_true(is_done(contexts[1], 1, AMDGPU_TIMEOUT_INFINITE));
   assert_int_equal(ioctl(all, SYNC_IOC_FILE_INFO, &whole), 0);
   assert_int_equal(whole.status, 1);
   assert_int_equal(whole.num_fences, 2);
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(fences[i].status, 1);
      assert_true(fences[i].timestamp_ns > 0);
      amdgpu_cs_ctx_free(contexts[i]);
   }
   for (unsigned i = 0; i < 3; i++)
      close(files[i]);
   close(both);
   close(all);
}

/* What is unmapped while commands that use it wait stays until they are done; what comes to its place is seen
 * later. */
static void
late_unmap(void **state)
{
   amdgpu_context_handle context;
   amdgpu_bo_handle old, new;
   uint32_t *old_map, *new_map;
   uint64_t first, second, place = VA + 0x10000;
   struct amdgpu_bo_alloc_request request = {.alloc_size = 4096, .preferred_heap = AMDGPU_GEM_DOMAIN_GTT};
   assert_int_equal(amdgpu_cs_ctx_create(device, &context), 0);
   assert_int_equal(amdgpu_bo_alloc(device, &request, &old), 0);
   assert_int_equal(amdgpu_bo_alloc(device, &request, &new), 0);
   assert_int_equal(amdgpu_bo_cpu_map(old, (void **)&old_map), 0);
   assert_int_equal(amdgpu_bo_cpu_map(new, (void **)&new_map), 0);
   assert_int_equal(amdgpu_bo_va_op_raw(device, old, 0, 4096, place, RWX, AMDGPU_VA_OP_MAP), 0);
   fill_nops();
   write_data(wait_equal(map, VA + DATA_dw * 4, 7), place, 1);
   write_data(map + 64, place + 4, 2);
   assert_int_equal(submit(context, VA, &first), 0);
   assert_int_equal(amdgpu_bo_va_op_raw(device, old, 0, 4096, place, 0, AMDGPU_VA_OP_UNMAP), 0);
   assert_int_equal(amdgpu_bo_va_op_raw(device, new, 0, 4096, place, RWX, AMDGPU_VA_OP_MAP), 0);
   assert_int_equal(submit(context, VA + 64 * 4, &second), 0);
   __atomic_store_n(&map[DATA_dw], 7, __ATOMIC_SEQ_CST);
   assert_true(is_done(context, second, AMDGPU_TIMEOUT_INFINITE));
   assert_int_equal(old_map[0], 1);
   assert_int_equal(old_map[1], 0);
   assert_int_equal(new_map[0], 0);
   assert_int_equal(new_map[1], 2);
   amdgpu_bo_free(old);
   amdgpu_bo_free(new);
   amdgpu_cs_ctx_free(context);
}

/* In the child of a fork(2) that its parent's commands wait for, nothing waits. */
static void
fork_amid_work(void **state)
{
   amdgpu_context_handle context;
   amdgpu_bo_handle old, new;
   uint32_t *new_map;
   uint64_t first, second, place = VA + 0x10000;
   struct amdgpu_bo_alloc_request request = {.alloc_size = 4096, .preferred_heap = AMDGPU_GEM_DOMAIN_GTT};
   assert_int_equal(amdgpu_cs_ctx_create(device, &context), 0);
   assert_int_equal(amdgpu_bo_alloc(device, &request, &old), 0);
   assert_int_equal(amdgpu_bo_alloc(device, &request, &new), 0);
   assert_int_equal(amdgpu_bo_cpu_map(new, (void **)&new_map), 0);
   assert_int_equal(amdgpu_bo_va_op_raw(device, old, 0, 4096, place, RWX, AMDGPU_VA_OP_MAP), 0);
   fill_nops();
   wait_equal(map, VA + DATA_dw * 4, 7);
   write_data(map + 64, place, 2);
   assert_int_equal(submit(context, VA, &first), 0);
   assert_int_equal(amdgpu_bo_va_op_raw(device, old, 0, 4096, place, 0, AMDGPU_VA_OP_UNMAP), 0);
   int status;
   pid_t child = fork();
   if (!child) {
      bool fine = !amdgpu_bo_va_op_raw(device, new, 0, 4096, place, RWX, AMDGPU_VA_OP_MAP) &&
                  !submit(context, VA + 64 * 4, &second) && is_done(context, second, AMDGPU_TIMEOUT_INFINITE);
      _exit(fine && new_map[0] == 2 ? 0 : 1);
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   assert_false(is_done(context, first, 0));
   __atomic_store_n(&map[DATA_dw], 7, __ATOMIC_SEQ_CST);
   assert_true(is_done(context, first, AMDGPU_TIMEOUT_INFINITE));
   amdgpu_bo_free(old);
   amdgpu_bo_free(new);
   amdgpu_cs_ctx_free(context);
}

static void
fault(void **state)
{
   amdgpu_context_handle context, innocent;
   uint64_t good, seq, flags;
   uint32_t done;
   assert_int_equal(amdgpu_cs_ctx_create(device, &context), 0);
   assert_int_equal(amdgpu_cs_ctx_create(device, &innocent), 0);
   assert_int_equal(amdgpu_cs_query_reset_state2(context, &flags), 0);
   assert_int_equal(flags, 0);

   fill_nops();
   assert_int_equal(submit(context, VA, &good), 0);

   /* The report goes to stderr: one line that names the address. */
   char report[1024] = {0};
   int kept = dup(2), channel[2];
   assert_int_equal(pipe(channel), 0);
   dup2(channel[1], 2);
   assert_int_equal(submit(context, VA + 0x40000, &seq), 0);
   struct amdgpu_cs_fence fences[] = {fence_of(context, good), fence_of(context, seq)};
   assert_int_equal(amdgpu_cs_query_fence_status(&fences[1], AMDGPU_TIMEOUT_INFINITE, 0, &done), -ECANCELED);
   assert_int_equal(submit(context, VA, &seq), -ECANCELED);
   dup2(kept, 2);
   assert_true(read(channel[0], report, sizeof(report) - 1) > 0);
   assert_non_null(strstr(report, "GPU fault"));
   assert_non_null(strstr(report, "800040000"));
   assert_ptr_equal(strchr(report, '\n'), report + strlen(report) - 1);
   assert_true(is_done(context, good, 0));
   assert_int_equal(amdgpu_cs_wait_fences(fences, 1, true, AMDGPU_TIMEOUT_INFINITE, &done, NULL), 0);
   assert_int_equal(amdgpu_cs_wait_fences(fences, 2, true, AMDGPU_TIMEOUT_INFINITE, &done, NULL), -ECANCELED);
   assert_int_equal(amdgpu_cs_wait_fences(fences, 2, false, AMDGPU_TIMEOUT_INFINITE, &done, NULL), 0);
   assert_int_equal(amdgpu_cs_wait_fences(fences + 1, 1, false, AMDGPU_TIMEOUT_INFINITE, &done, NULL), -ECANCELED);
   close(kept);
   close(channel[0]);
   close(channel[1]);

   assert_int_equal(amdgpu_cs_query_reset_state2(context, &flags), 0);
   assert_int_equal(flags, AMDGPU_CTX_QUERY2_FLAGS_RESET | AMDGPU_CTX_QUERY2_FLAGS_GUILTY);
   assert_int_equal(amdgpu_cs_query_reset_state(context, &done, &(uint32_t){0}), 0);
   assert_int_equal(done, AMDGPU_CTX_GUILTY_RESET);

   fill_nops();
   write_data(map, VA + DATA_dw * 4, 5);
   assert_int_equal(submit(innocent, VA, &seq), 0);
   assert_true(is_done(innocent, seq, AMDGPU_TIMEOUT_INFINITE));
   assert_int_equal(map[DATA_dw], 5);
   amdgpu_cs_ctx_free(context);
   amdgpu_cs_ctx_free(innocent);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(packets),    cmocka_unit_test(host_signal),
      cmocka_unit_test(full_queue), cmocka_unit_test(merged_sync_files),
      cmocka_unit_test(late_unmap), cmocka_unit_test(fork_amid_work),
      cmocka_unit_test(fault),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
