/* Submits and syncobjs of the shim in noop mode: order, waits and numbers are those of the kernel, work is not
 * done. */
#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <time.h>
#include <linux/sync_file.h>
#include <unistd.h>
#include <xf86drm.h>

#include <cmocka.h>

#define NODE "/dev/dri/renderD128"
#define FOR_SUBMIT DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT

static int fd;
static amdgpu_device_handle device;
static amdgpu_context_handle context;

static int
setup(void **state)
{
   uint32_t major, minor;
   int node = open(NODE, O_RDWR | O_CLOEXEC);
   if (node < 0 || amdgpu_device_initialize(node, &major, &minor, &device))
      return -1;
   fd = amdgpu_device_get_fd(device);
   close(node);
   return amdgpu_cs_ctx_create(device, &context);
}

static int
teardown(void **state)
{
   amdgpu_cs_ctx_free(context);
   return amdgpu_device_deinitialize(device);
}

/* One buffer of commands on the gfx ring between a wait and a signal; syncobj 0: none. */
static int
submit(amdgpu_context_handle ctx, uint32_t wait, uint64_t wait_point, uint32_t signal, uint64_t signal_point,
       uint64_t *seq)
{
   struct drm_amdgpu_cs_chunk_ib ib = {.va_start = 0x800000000, .ib_bytes = 32, .ip_type = AMDGPU_HW_IP_GFX};
   struct drm_amdgpu_cs_chunk_syncobj in = {wait, FOR_SUBMIT, wait_point}, out = {signal, 0, signal_point};
   struct drm_amdgpu_cs_chunk chunks[3] = {{AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib}};
   int count = 1;
   if (wait)
      chunks[count++] =
         (struct drm_amdgpu_cs_chunk){AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT, sizeof(in) / 4, (uintptr_t)&in};
   if (signal)
      chunks[count++] =
         (struct drm_amdgpu_cs_chunk){AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL, sizeof(out) / 4, (uintptr_t)&out};
   uint64_t number;
   return amdgpu_cs_submit_raw2(device, ctx, 0, count, chunks, seq ? seq : &number);
}

static uint32_t
syncobj(uint32_t flags)
{
   uint32_t handle = 0;
   assert_int_equal(drmSyncobjCreate(fd, flags, &handle), 0);
   return handle;
}

static int
wait_for(uint32_t handle, uint64_t point, int64_t timeout_ns, uint32_t flags)
{
   return drmSyncobjTimelineWait(fd, &handle, &point, 1, timeout_ns, flags, NULL);
}

static void
binary_syncobjs(void **state)
{
   uint32_t a = syncobj(0), b = syncobj(DRM_SYNCOBJ_CREATE_SIGNALED), both[] = {a, b}, first = 9;
   assert_int_equal(drmSyncobjWait(fd, &b, 1, 0, 0, NULL), 0);
   assert_int_equal(drmSyncobjWait(fd, &a, 1, 0, 0, NULL), -EINVAL);
   assert_int_equal(drmSyncobjWait(fd, &a, 1, 0, FOR_SUBMIT, NULL), -ETIME);
   assert_int_equal(drmSyncobjWait(fd, both, 2, 0, FOR_SUBMIT, &first), 0);
   assert_int_equal(first, 1);
   assert_int_equal(drmSyncobjWait(fd, both, 2, 0, FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL, NULL), -ETIME);
   assert_int_equal(drmSyncobjSignal(fd, &a, 1), 0);
   assert_int_equal(drmSyncobjWait(fd, both, 2, 0, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL, NULL), 0);
   assert_int_equal(drmSyncobjReset(fd, both, 2), 0);
   assert_int_equal(drmSyncobjWait(fd, both, 2, 0, 0, NULL), -EINVAL);
   assert_int_equal(drmSyncobjDestroy(fd, a), 0);
   assert_int_equal(drmSyncobjDestroy(fd, a), -1);
   assert_int_equal(drmSyncobjWait(fd, both, 2, 0, FOR_SUBMIT, NULL), -ENOENT);
   drmSyncobjDestroy(fd, b);
}

static uint32_t waited[2];

/* Up to 0.2 s. */
static void *
wait_for_all(void *state)
{
   const uint32_t flags = FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   int64_t until_ns = now.tv_sec * INT64_C(1000000000) + now.tv_nsec + 200000000;
   return (void *)(intptr_t)drmSyncobjWait(fd, waited, 2, until_ns, flags, NULL);
}

/* A wait for all keeps the fences that it has found: one that is reset meanwhile has ended for it. A wait that began
 * too late to find it is tried again. With none to wait for there is nothing to wait. */
static void
waits_keep_fences(void **state)
{
   struct drm_syncobj_wait none = {0};
   struct drm_syncobj_timeline_wait no_point = {0};
   void *result = &none;
   assert_int_equal(ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &none), 0);
   assert_int_equal(ioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &no_point), 0);
   for (unsigned i = 0; i < 20 && result; i++) {
      pthread_t thread;
      waited[0] = syncobj(DRM_SYNCOBJ_CREATE_SIGNALED);
      waited[1] = syncobj(0);
      assert_int_equal(pthread_create(&thread, NULL, wait_for_all, NULL), 0);
      usleep(5000 * i);
      assert_int_equal(drmSyncobjReset(fd, waited, 1), 0);
      assert_int_equal(drmSyncobjSignal(fd, &waited[1], 1), 0);
      pthread_join(thread, &result);
      drmSyncobjDestroy(fd, waited[0]);
      drmSyncobjDestroy(fd, waited[1]);
   }
   assert_null(result);
}

static void
numbers_and_fences(void **state)
{
   amdgpu_bo_handle bo;
   struct amdgpu_bo_alloc_request request = {.alloc_size = 4096, .preferred_heap = AMDGPU_GEM_DOMAIN_GTT};
   uint64_t *map, seq, base;
   uint32_t handle;
   assert_int_equal(amdgpu_bo_alloc(device, &request, &bo), 0);
   assert_int_equal(amdgpu_bo_cpu_map(bo, (void **)&map), 0);
   assert_int_equal(amdgpu_bo_export(bo, amdgpu_bo_handle_type_kms, &handle), 0);
   assert_int_equal(submit(context, 0, 0, 0, 0, &base), 0);

   struct drm_amdgpu_cs_chunk_ib ib = {.va_start = 0x800000000, .ib_bytes = 32, .ip_type = AMDGPU_HW_IP_GFX};
   struct drm_amdgpu_cs_chunk_fence fence = {handle, 64};
   struct drm_amdgpu_bo_list_entry entry = {handle, 0};
   struct drm_amdgpu_bo_list_in list = {~0u, ~0u, 1, sizeof(entry), (uintptr_t)&entry};
   struct drm_amdgpu_cs_chunk chunks[] = {
      {AMDGPU_CHUNK_ID_BO_HANDLES, sizeof(list) / 4, (uintptr_t)&list},
      {AMDGPU_CHUNK_ID_FENCE, sizeof(fence) / 4, (uintptr_t)&fence},
      {AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib},
      {AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib},
   };
   assert_int_equal(amdgpu_cs_submit_raw2(device, context, 0, 4, chunks, &seq), 0);
   assert_int_equal(seq, base + 1);
   assert_int_equal(map[8], seq); /* nothing to wait for: done already */

   /* Each ring counts for itself. */
   ib.ip_type = AMDGPU_HW_IP_COMPUTE;
   ib.ring = 2;
   assert_int_equal(amdgpu_cs_submit_raw2(device, context, 0, 4, chunks, &seq), 0);
   assert_int_equal(seq, 1);

   struct amdgpu_cs_fence name = {.context = context, .ip_type = AMDGPU_HW_IP_COMPUTE, .ring = 2, .fence = 1};
   uint32_t expired = 0;
   assert_int_equal(amdgpu_cs_query_fence_status(&name, 0, 0, &expired), 0);
   assert_int_equal(expired, 1);
   name.fence = 2;
   assert_int_equal(amdgpu_cs_query_fence_status(&name, 0, 0, &expired), -EINVAL);
   amdgpu_bo_free(bo);
}

static void
context_state(void **state)
{
   uint32_t power = 9, reset = 9, hangs = 9;
   uint64_t flags = 9;
   assert_int_equal(
      amdgpu_cs_ctx_stable_pstate(context, AMDGPU_CTX_OP_SET_STABLE_PSTATE, AMDGPU_CTX_STABLE_PSTATE_PEAK, NULL), 0);
   assert_int_equal(amdgpu_cs_ctx_stable_pstate(context, AMDGPU_CTX_OP_GET_STABLE_PSTATE, 0, &power), 0);
   assert_int_equal(power, AMDGPU_CTX_STABLE_PSTATE_PEAK);
   assert_int_equal(amdgpu_cs_query_reset_state(context, &reset, &hangs), 0);
   assert_int_equal(reset, AMDGPU_CTX_NO_RESET);
   assert_int_equal(amdgpu_cs_query_reset_state2(context, &flags), 0);
   assert_int_equal(flags, 0);
}

/* A submit's fence as syncobj, its descriptor and a sync file; waits with times of all kinds. */
static void
fences(void **state)
{
   uint64_t seq, past[] = {1, (uint64_t)INT64_MAX, UINT64_MAX, UINT64_C(1) << 63};
   uint32_t handle, imported, expired, first;
   assert_int_equal(submit(context, 0, 0, 0, 0, &seq), 0);
   struct amdgpu_cs_fence fence = {.context = context, .ip_type = AMDGPU_HW_IP_GFX, .fence = seq};
   for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(
         amdgpu_cs_query_fence_status(&fence, past[i], AMDGPU_QUERY_FENCE_TIMEOUT_IS_ABSOLUTE, &expired), 0);
      assert_int_equal(expired, 1);
   }
   struct amdgpu_cs_fence both[] = {fence, fence};
   assert_int_equal(amdgpu_cs_wait_fences(both, 2, false, 0, &expired, &first), 0);
   assert_int_equal(expired, 1);
   assert_int_equal(first, 0);

   assert_int_equal(amdgpu_cs_fence_to_handle(device, &fence, AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ, &handle), 0);
   assert_int_equal(drmSyncobjWait(fd, &handle, 1, -1, 0, NULL), 0);
   drmSyncobjDestroy(fd, handle);
   assert_int_equal(amdgpu_cs_fence_to_handle(device, &fence, AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ_FD, &handle), 0);
   assert_int_equal(drmSyncobjFDToHandle(fd, (int)handle, &imported), 0);
   assert_int_equal(drmSyncobjWait(fd, &imported, 1, 0, 0, NULL), 0);
   drmSyncobjDestroy(fd, imported);
   close((int)handle);
   assert_int_equal(amdgpu_cs_fence_to_handle(device, &fence, AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD, &handle), 0);
   struct pollfd wait = {(int)handle, POLLIN, 0};
   assert_int_equal(poll(&wait, 1, -1), 1);
   close((int)handle);
}

/* The wait comes before anybody submitted the point; another thread signals it. */
static void *
signal_point(void *argument)
{
   uint32_t handle = *(uint32_t *)argument;
   uint64_t point = 5;
   return (void *)(intptr_t)drmSyncobjTimelineSignal(fd, &handle, &point, 1);
}

static void
wait_before_signal(void **state)
{
   uint32_t start = syncobj(0), end = syncobj(0);
   pthread_t thread;
   void *result;
   assert_int_equal(wait_for(start, 5, 0, 0), -EINVAL);
   assert_int_equal(wait_for(start, 5, 0, FOR_SUBMIT), -ETIME);
   assert_int_equal(pthread_create(&thread, NULL, signal_point, &start), 0);
   assert_int_equal(submit(context, start, 5, end, 1, NULL), 0); /* sleeps until the point exists */
   assert_int_equal(wait_for(end, 1, INT64_MAX, 0), 0);
   pthread_join(thread, &result);
   assert_null(result);
   drmSyncobjDestroy(fd, start);
   drmSyncobjDestroy(fd, end);
}

/* A chain of submits over two contexts hangs on one syncobj that a submit has but has not signaled. */
static void
chains(void **state)
{
   amdgpu_context_handle other;
   assert_int_equal(amdgpu_cs_ctx_create(device, &other), 0);
   uint32_t gate = syncobj(0), line = syncobj(0), copy = syncobj(0), pending[2];
   uint64_t value = 9, last = 9;
   /* What makes a submit stay: a point of a timeline whose earlier points are not signaled. */
   struct drm_syncobj_timeline_array query = {.handles = (uintptr_t)&line,
                                              .points = (uintptr_t)&last,
                                              .count_handles = 1,
                                              .flags = DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED};
   uint64_t seq;
   int file;

   /* A syncobj that holds an unsignaled fence: the sync file of a job that waits for a gate opened below. */
   pthread_t thread;
   assert_int_equal(pthread_create(&thread, NULL, signal_point, &gate), 0);
   assert_int_equal(submit(context, gate, 5, line, 1, &seq), 0);
   assert_int_equal(submit(other, line, 1, line, 2, NULL), 0);
   assert_int_equal(submit(context, line, 2, line, 3, NULL), 0);
   assert_int_equal(drmIoctl(fd, DRM_IOCTL_SYNCOBJ_QUERY, &query), 0);
   assert_int_equal(last, 3);
   assert_int_equal(wait_for(line, 3, INT64_MAX, 0), 0);
   assert_int_equal(drmSyncobjQuery(fd, &line, &value, 1), 0);
   assert_int_equal(value, 3);
   pthread_join(thread, NULL);

   assert_int_equal(drmSyncobjTransfer(fd, copy, 0, line, 2, 0), 0);
   assert_int_equal(drmSyncobjWait(fd, &copy, 1, 0, 0, NULL), 0);
   assert_int_equal(drmSyncobjTransfer(fd, copy, 7, line, 9, 0), -1);
   assert_int_equal(errno, EINVAL);
   assert_int_equal(drmSyncobjExportSyncFile(fd, copy, &file), 0);
   pending[0] = syncobj(0);
   assert_int_equal(drmSyncobjImportSyncFile(fd, pending[0], file), 0);
   assert_int_equal(drmSyncobjWait(fd, pending, 1, 0, 0, NULL), 0);
   close(file);
   drmSyncobjDestroy(fd, pending[0]);
   drmSyncobjDestroy(fd, gate);
   drmSyncobjDestroy(fd, line);
   drmSyncobjDestroy(fd, copy);
   amdgpu_cs_ctx_free(other);
}

static void
sync_files(void **state)
{
   uint32_t a = syncobj(DRM_SYNCOBJ_CREATE_SIGNALED), b = syncobj(0), imported;
   int file, opaque;
   assert_int_equal(drmSyncobjExportSyncFile(fd, b, &file), -1);
   assert_int_equal(errno, EINVAL);
   assert_int_equal(submit(context, 0, 0, b, 0, NULL), 0);
   assert_int_equal(drmSyncobjExportSyncFile(fd, b, &file), 0);
   int copy = dup(file), second;
   assert_int_equal(drmSyncobjExportSyncFile(fd, a, &second), 0);
   struct sync_merge_data merge = {.name = "both", .fd2 = second};
   assert_int_equal(ioctl(copy, SYNC_IOC_MERGE, &merge), 0);
   struct sync_file_info info = {0};
   assert_int_equal(ioctl(merge.fence, SYNC_IOC_FILE_INFO, &info), 0);
   assert_int_equal(info.status, 1);
   struct pollfd wait = {merge.fence, POLLIN, 0};
   assert_int_equal(poll(&wait, 1, -1), 1);
   assert_int_equal(ioctl(copy, SYNC_IOC_MERGE, &(struct sync_merge_data){.fd2 = fd}), -1);
   close(copy);
   close(file);
   close(second);
   close(merge.fence);

   /* An opaque descriptor names the syncobj itself. */
   assert_int_equal(drmSyncobjReset(fd, &b, 1), 0);
   assert_int_equal(drmSyncobjHandleToFD(fd, b, &opaque), 0);
   assert_int_equal(drmSyncobjFDToHandle(fd, opaque, &imported), 0);
   assert_int_equal(drmSyncobjFDToHandle(fd, fd, &imported), -1);
   assert_int_not_equal(imported, b);
   assert_int_equal(drmSyncobjSignal(fd, &b, 1), 0);
   assert_int_equal(drmSyncobjWait(fd, &imported, 1, 0, 0, NULL), 0);
   close(opaque);
   drmSyncobjDestroy(fd, a);
   drmSyncobjDestroy(fd, b);
   drmSyncobjDestroy(fd, imported);
}

static void *
work(void *argument)
{
   unsigned failures = 0;
   amdgpu_context_handle own;
   failures += amdgpu_cs_ctx_create(device, &own) != 0;
   for (unsigned i = 0; i < 200; i++) {
      struct amdgpu_bo_alloc_request request = {.alloc_size = 4096, .preferred_heap = AMDGPU_GEM_DOMAIN_GTT};
      amdgpu_bo_handle bo;
      uint32_t *map = NULL, done = 0;
      uint64_t seq;
      failures += amdgpu_bo_alloc(device, &request, &bo) != 0 || amdgpu_bo_cpu_map(bo, (void **)&map) != 0;
      failures += map[0] != 0;
      map[0] = 1;
      failures += drmSyncobjCreate(fd, 0, &done) != 0;
      failures += submit(own, 0, 0, done, 0, &seq) != 0 || seq != i + 1;
      failures += drmSyncobjWait(fd, &done, 1, INT64_MAX, 0, NULL) != 0;
      failures += drmSyncobjDestroy(fd, done) != 0;
      failures += amdgpu_bo_free(bo) != 0;
   }
   amdgpu_cs_ctx_free(own);
   return (void *)(uintptr_t)failures;
}

static void
threads(void **state)
{
   pthread_t ids[8];
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(pthread_create(&ids[i], NULL, work, NULL), 0);
   for (unsigned i = 0; i < 8; i++) {
      void *failures;
      pthread_join(ids[i], &failures);
      assert_null(failures);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(binary_syncobjs),
                                      cmocka_unit_test(waits_keep_fences),
                                      cmocka_unit_test(numbers_and_fences),
                                      cmocka_unit_test(wait_before_signal),
                                      cmocka_unit_test(context_state),
                                      cmocka_unit_test(fences),
                                      cmocka_unit_test(chains),
                                      cmocka_unit_test(sync_files),
                                      cmocka_unit_test(threads)};
   return cmocka_run_group_tests(tests, setup, teardown);
}
