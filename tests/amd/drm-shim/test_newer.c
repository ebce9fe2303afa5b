/* What DRM 3.55 to 3.64 added, by the kernel's header of 3.64, which libdrm of the system may not know. */
#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

#include <cmocka.h>

#define VA UINT64_C(0x800000000)
#define PLACE (VA + 0x10000)
#define NONE 12345 /* a handle that does not exist */
#define RWX (AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE | AMDGPU_VM_PAGE_EXECUTABLE)
#define PACKET3(opcode, payload_dw) (3u << 30 | ((payload_dw) - 1) << 16 | (opcode) << 8)
#define DATA_dw 512
#define AVAILABLE DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE
#define NOT_SUPPORTED 524 /* the kernel's ENOTSUPP */

struct gem_va {
   uint32_t handle, pad, operation, flags;
   uint64_t address, offset, size, point;
   uint32_t out, input_count;
   uint64_t inputs;
};

static int fd;
static amdgpu_device_handle device;
static amdgpu_context_handle context;
static amdgpu_bo_handle commands;
static uint32_t *map, buffer;

static int
setup(void **state)
{
   uint32_t major, minor;
   struct amdgpu_bo_alloc_request request = {.alloc_size = 4096, .preferred_heap = AMDGPU_GEM_DOMAIN_GTT};
   union drm_amdgpu_gem_create bo = {.in = {.bo_size = 4096, .domains = AMDGPU_GEM_DOMAIN_GTT}};
   fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
   if (amdgpu_device_initialize(fd, &major, &minor, &device) || major != 3 || minor != 64 ||
       amdgpu_bo_alloc(device, &request, &commands) || amdgpu_bo_cpu_map(commands, (void **)&map) ||
       amdgpu_bo_va_op_raw(device, commands, 0, 4096, VA, RWX, AMDGPU_VA_OP_MAP) ||
       amdgpu_cs_ctx_create(device, &context))
      return -1;
   close(fd);
   fd = amdgpu_device_get_fd(device); /* that of libdrm, which keeps its own */
   if (drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, &bo))
      return -1;
   buffer = bo.out.handle;
   return 0;
}

static int
teardown(void **state)
{
   amdgpu_cs_ctx_free(context);
   amdgpu_bo_free(commands);
   return amdgpu_device_deinitialize(device);
}

static int
call(unsigned long request, void *arg)
{
   return ioctl(fd, request, arg) ? errno : 0;
}

static int
va(struct gem_va args)
{
   args.address = args.address ? args.address : PLACE;
   args.size = 4096;
   args.handle = args.handle ? args.handle : buffer;
   return call(DRM_IOW(DRM_COMMAND_BASE + DRM_AMDGPU_GEM_VA, struct gem_va), &args);
}

static int
map_it(void)
{
   return va((struct gem_va){.operation = AMDGPU_VA_OP_MAP, .flags = RWX});
}

static int
unmap_it(void)
{
   return va((struct gem_va){.operation = AMDGPU_VA_OP_UNMAP});
}

static uint32_t
syncobj(uint32_t flags)
{
   uint32_t handle = 0;
   assert_int_equal(drmSyncobjCreate(fd, flags, &handle), 0);
   return handle;
}

/* 0: signaled; ETIME: there, and not signaled; EINVAL: not there. */
static int
state_of(uint32_t handle, uint64_t point)
{
   return -drmSyncobjTimelineWait(fd, &handle, &point, 1, 0, 0, NULL);
}

static int
submit(uint32_t offset_B, uint64_t *seq)
{
   struct drm_amdgpu_cs_chunk_ib ib = {.va_start = VA + offset_B, .ib_bytes = 256};
   struct drm_amdgpu_cs_chunk chunk = {AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib};
   return amdgpu_cs_submit_raw2(device, context, 0, 1, &chunk, seq);
}

/* A job that ends when map[DATA_dw] is 7. */
static uint64_t
submit_waiting(void)
{
   const uint32_t packet[] = {PACKET3(0x3c, 6), 3u | 1u << 4, (uint32_t)(VA + DATA_dw * 4), VA >> 32, 7, ~0u, 4};
   uint64_t seq = 0;
   for (unsigned i = 0; i < DATA_dw; i++)
      map[i] = 0xffff1000u;
   map[DATA_dw] = 0;
   memcpy(map, packet, sizeof(packet));
   assert_int_equal(submit(0, &seq), 0);
   return seq;
}

static void
release(uint64_t seq)
{
   struct amdgpu_cs_fence fence = {.context = context, .ip_type = AMDGPU_HW_IP_GFX, .fence = seq};
   uint32_t done = 0;
   __atomic_store_n(&map[DATA_dw], 7, __ATOMIC_SEQ_CST);
   assert_int_equal(amdgpu_cs_query_fence_status(&fence, AMDGPU_TIMEOUT_INFINITE, 0, &done), 0);
   assert_int_equal(done, 1);
}

/* The points of a timeline are signaled as the GPU's view follows: unmaps with the jobs before them, and what is
 * mapped there after that, other addresses at once. */
static void
points(void **state)
{
   uint32_t timeline = syncobj(0);
   uint64_t value = 0;
   assert_int_equal(va((struct gem_va){.operation = AMDGPU_VA_OP_MAP, .flags = RWX, .out = timeline, .point = 3}), 0);
   assert_int_equal(state_of(timeline, 3), 0);
   uint64_t seq = submit_waiting();
   assert_int_equal(va((struct gem_va){.operation = AMDGPU_VA_OP_UNMAP, .out = timeline, .point = 4}), 0);
   assert_int_equal(state_of(timeline, 4), ETIME);
   assert_int_equal(va((struct gem_va){.operation = AMDGPU_VA_OP_MAP, .flags = RWX, .out = timeline, .point = 5}), 0);
   assert_int_equal(state_of(timeline, 5), ETIME);
   uint32_t other = syncobj(0);
   assert_int_equal(
      va((struct gem_va){
         .operation = AMDGPU_VA_OP_MAP, .flags = RWX, .address = PLACE + 4096, .out = other, .point = 1}),
      0);
   assert_int_equal(state_of(other, 1), 0);
   assert_int_equal(
      va((struct gem_va){.operation = AMDGPU_VA_OP_CLEAR, .address = PLACE + 4096, .out = other, .point = 2}), 0);
   assert_int_equal(state_of(other, 2), ETIME);
   assert_int_equal(drmSyncobjQuery(fd, &timeline, &value, 1), 0);
   assert_int_equal(value, 3);
   release(seq);
   for (uint64_t point = 4; point <= 5; point++)
      assert_int_equal(drmSyncobjTimelineWait(fd, &timeline, &point, 1, INT64_MAX, 0, NULL), 0);
   assert_int_equal(state_of(other, 2), 0);
   assert_int_equal(unmap_it(), 0);
   drmSyncobjDestroy(fd, timeline);
   drmSyncobjDestroy(fd, other);
}

/* Point 0 replaces what the syncobj held; who delays the update is told nothing; a call that fails neither. */
static void
binary_and_delayed(void **state)
{
   uint32_t binary = syncobj(0), timeline = syncobj(0);
   uint64_t seq = submit_waiting();
   assert_int_equal(
      va((struct gem_va){
         .operation = AMDGPU_VA_OP_MAP, .flags = RWX | AMDGPU_VM_DELAY_UPDATE, .out = timeline, .point = 1}),
      0);
   assert_int_equal(state_of(timeline, 1), EINVAL);
   assert_int_equal(va((struct gem_va){.operation = AMDGPU_VA_OP_MAP, .flags = RWX, .out = timeline, .point = 1}),
                    EINVAL); /* taken */
   assert_int_equal(state_of(timeline, 1), EINVAL);
   assert_int_equal(va((struct gem_va){.operation = AMDGPU_VA_OP_REPLACE, .flags = RWX, .out = binary}), 0);
   assert_int_equal(state_of(binary, 0), ETIME);
   release(seq);
   assert_int_equal(drmSyncobjWait(fd, &binary, 1, INT64_MAX, 0, NULL), 0);
   assert_int_equal(unmap_it(), 0);
   drmSyncobjDestroy(fd, binary);
   drmSyncobjDestroy(fd, timeline);
}

struct waiter {
   struct gem_va args;
   int returned, error;
};

static void *
wait_and_map(void *argument)
{
   struct waiter *waiter = argument;
   waiter->error = va(waiter->args);
   __atomic_store_n(&waiter->returned, 1, __ATOMIC_SEQ_CST);
   return NULL;
}

/* Lets a thread wait in the ioctl for a job; closes the buffer meanwhile if asked. */
static int
map_after_job(uint32_t bo, bool closes)
{
   uint64_t seq = submit_waiting();
   union drm_amdgpu_fence_to_handle named = {.in = {.what = AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ}};
   uint32_t inputs[] = {syncobj(DRM_SYNCOBJ_CREATE_SIGNALED), 0};
   named.in.fence = (struct drm_amdgpu_fence){.ctx_id = 1, .seq_no = seq};
   assert_int_equal(call(DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, &named), 0);
   inputs[1] = named.out.handle;
   struct waiter waiter = {0};
   waiter.args = (struct gem_va){.handle = bo, .operation = AMDGPU_VA_OP_MAP, .flags = RWX, .input_count = 2};
   waiter.args.inputs = (uintptr_t)inputs;
   pthread_t thread;
   assert_int_equal(pthread_create(&thread, NULL, wait_and_map, &waiter), 0);
   usleep(20000);
   assert_int_equal(__atomic_load_n(&waiter.returned, __ATOMIC_SEQ_CST), 0);
   if (closes)
      assert_int_equal(drmCloseBufferHandle(fd, bo), 0);
   release(seq);
   pthread_join(thread, NULL);
   drmSyncobjDestroy(fd, inputs[0]);
   drmSyncobjDestroy(fd, inputs[1]);
   return waiter.error;
}

static void
inputs(void **state)
{
   union drm_amdgpu_gem_create bo = {.in = {.bo_size = 4096, .domains = AMDGPU_GEM_DOMAIN_GTT}};
   assert_int_equal(map_after_job(buffer, false), 0);
   assert_int_equal(map_it(), EINVAL); /* so it is there */
   assert_int_equal(unmap_it(), 0);
   assert_int_equal(call(DRM_IOCTL_AMDGPU_GEM_CREATE, &bo), 0);
   assert_int_equal(map_after_job(bo.out.handle, true), ENOENT);
   assert_int_equal(map_it(), 0);
   assert_int_equal(unmap_it(), 0);
}

static void
bad_addresses(void **state)
{
   uint32_t empty = syncobj(0), zero = 0, none = NONE;
   struct gem_va args = {.operation = AMDGPU_VA_OP_MAP, .flags = RWX, .input_count = 1};
#define EXPECT(error, field, value)                                                                                  \
   do {                                                                                                              \
      struct gem_va wrong = args;                                                                                    \
      wrong.field = value;                                                                                           \
      assert_int_equal(va(wrong), error);                                                                            \
   } while (0)
   EXPECT(EFAULT, inputs, 16);
   EXPECT(EINVAL, inputs, (uintptr_t)&zero);
   EXPECT(ENOENT, inputs, (uintptr_t)&none);
   EXPECT(EINVAL, inputs, (uintptr_t)&empty);
   EXPECT(ENOMEM, input_count, UINT32_MAX);
   args.input_count = 0;
   EXPECT(ENOENT, out, NONE);
   EXPECT(EINVAL, operation, 5);
   EXPECT(ENOENT, handle, NONE);
   assert_int_equal(map_it(), 0); /* none of them has mapped */
   assert_int_equal(unmap_it(), 0);
   drmSyncobjDestroy(fd, empty);
}

static int
query(uint32_t what, uint32_t type, void *out, uint32_t size_B)
{
   struct drm_amdgpu_info info = {(uintptr_t)out, size_B, what, .query_hw_ip = {.type = type}};
   return call(DRM_IOCTL_AMDGPU_INFO, &info);
}

/* No chip has user queues, as under a kernel that was not told to offer them. */
static void
user_queues(void **state)
{
   uint64_t argument[16] = {1};
   uint32_t words[128];
   for (unsigned number = 0x16; number <= 0x18; number++)
      assert_int_equal(call(DRM_IOWR(DRM_COMMAND_BASE + number, argument), argument), NOT_SUPPORTED);
   assert_int_equal(call(DRM_IOWR(DRM_COMMAND_BASE + 0x16, argument), NULL), EFAULT);
   memset(words, 0x77, sizeof(words));
   assert_int_equal(query(AMDGPU_INFO_DEV_INFO, 0, words, sizeof(words)), 0);
   assert_int_equal(words[436 / 4], 0); /* userq_ip_mask */
   assert_int_equal(words[448 / 4], 0x77777777);
   memset(words, 0x77, sizeof(words));
   assert_int_equal(query(AMDGPU_INFO_HW_IP_INFO, AMDGPU_HW_IP_GFX, words, sizeof(words)), 0);
   assert_int_equal(words[8], 0); /* userq_num_slots */
   assert_int_equal(words[10], 0x77777777);
   assert_int_equal(query(0x24, AMDGPU_HW_IP_GFX, words, sizeof(words)), EOPNOTSUPP);
   assert_int_equal(query(0x24, AMDGPU_HW_IP_COMPUTE, words, sizeof(words)), EINVAL);
}

static int
submit_many(unsigned count, uint32_t ip, const uint32_t *rings)
{
   static struct drm_amdgpu_cs_chunk_ib ibs[256];
   static struct drm_amdgpu_cs_chunk chunks[256];
   uint64_t seq = 0;
   for (unsigned i = 0; i < count; i++) {
      ibs[i] = (struct drm_amdgpu_cs_chunk_ib){.va_start = VA, .ib_bytes = 256, .ip_type = ip};
      if (rings) /* the last one is of graphics */
         ibs[i].ring = i < 4 ? rings[i] : 0;
      if (rings && i == 4)
         ibs[i].ip_type = AMDGPU_HW_IP_GFX;
      chunks[i] = (struct drm_amdgpu_cs_chunk){AMDGPU_CHUNK_ID_IB, sizeof(ibs[i]) / 4, (uintptr_t)&ibs[i]};
   }
   const int error = amdgpu_cs_submit_raw2(device, context, 0, (int)count, chunks, &seq);
   const struct drm_amdgpu_cs_chunk_ib *last = &ibs[count - 1];
   struct amdgpu_cs_fence fence = {.context = context, .ip_type = last->ip_type, .ring = last->ring, .fence = seq};
   uint32_t done = 0;
   if (error)
      return error;
   /* Else it would run what other tests write there later. */
   assert_int_equal(amdgpu_cs_query_fence_status(&fence, AMDGPU_TIMEOUT_INFINITE, 0, &done), 0);
   assert_true(done);
   return 0;
}

static void
most_buffers(void **state)
{
   const uint32_t rings[] = {0, 1, 2, 3};
   uint32_t counts[10];
   assert_int_equal(query(0x22, 0, counts, sizeof(counts)), 0);
   for (unsigned ip = 0; ip < 10; ip++)
      assert_int_equal(counts[ip], ip == 0 ? 192 : ip == 1 ? 125 : ip == 8 ? 16 : 49);
   for (unsigned i = 0; i < 64; i++)
      map[i] = 0xffff1000u;
   assert_int_equal(submit_many(192, AMDGPU_HW_IP_GFX, NULL), 0);
   assert_int_equal(submit_many(193, AMDGPU_HW_IP_GFX, NULL), -EINVAL);
   assert_int_equal(submit_many(125, AMDGPU_HW_IP_COMPUTE, NULL), 0);
   assert_int_equal(submit_many(126, AMDGPU_HW_IP_COMPUTE, NULL), -EINVAL);
   assert_int_equal(submit_many(4, AMDGPU_HW_IP_COMPUTE, rings), 0);
   assert_int_equal(submit_many(5, AMDGPU_HW_IP_COMPUTE, rings), -EINVAL);
}

/* All memory is cleared, and said to be. */
static void
cleared(void **state)
{
   union drm_amdgpu_gem_create bo = {
      .in = {.bo_size = 4096, .domains = AMDGPU_GEM_DOMAIN_VRAM, .domain_flags = 1 << 16}};
   struct drm_amdgpu_gem_create_in made = {0};
   assert_int_equal(call(DRM_IOCTL_AMDGPU_GEM_CREATE, &bo), 0);
   struct drm_amdgpu_gem_op op = {bo.out.handle, AMDGPU_GEM_OP_GET_GEM_CREATE_INFO, (uintptr_t)&made};
   assert_int_equal(call(DRM_IOCTL_AMDGPU_GEM_OP, &op), 0);
   assert_int_equal(made.domain_flags, 1 << 16 | AMDGPU_GEM_CREATE_VRAM_CLEARED);
   assert_int_equal(drmCloseBufferHandle(fd, bo.out.handle), 0);
}

struct vm_fault {
   uint64_t address;
   uint32_t status, hub;
};

static struct vm_fault
fault_of(const uint32_t *packet, size_t size_B)
{
   struct vm_fault fault;
   uint64_t seq;
   uint32_t done;
   amdgpu_context_handle lost;
   for (unsigned i = 0; i < 64; i++)
      map[i] = 0xffff1000u;
   memcpy(map, packet, size_B);
   assert_int_equal(amdgpu_cs_ctx_create(device, &lost), 0);
   struct drm_amdgpu_cs_chunk_ib ib = {.va_start = VA, .ib_bytes = 256};
   struct drm_amdgpu_cs_chunk chunk = {AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib};
   assert_int_equal(amdgpu_cs_submit_raw2(device, lost, 0, 1, &chunk, &seq), 0);
   struct amdgpu_cs_fence fence = {.context = lost, .ip_type = AMDGPU_HW_IP_GFX, .fence = seq};
   assert_int_equal(amdgpu_cs_query_fence_status(&fence, AMDGPU_TIMEOUT_INFINITE, 0, &done), -ECANCELED);
   amdgpu_cs_ctx_free(lost);
   assert_int_equal(query(0x23, 0, &fault, sizeof(fault)), 0);
   return fault;
}

/* GPUVM_FAULT: the page, and whether it was a write. Fields of the status: bits 7:4 what it lacks, 18 a write. */
static void
vm_fault(void **state)
{
   struct vm_fault none = {1, 1, 1}, fault;
   const uint64_t where = UINT64_C(0xffff800012345678);
   const uint32_t store[] = {PACKET3(0x37, 4), 5u << 8 | 1u << 20, (uint32_t)(VA + 0x51004), (VA + 0x51004) >> 32, 1};
   const uint32_t load[] = {PACKET3(0x40, 5), 1 | 5u << 8,         (uint32_t)where,
                            where >> 32,      (uint32_t)VA + 2048, VA >> 32};
   const uint32_t read_only[] = {PACKET3(0x37, 4), 5u << 8 | 1u << 20, (uint32_t)PLACE, PLACE >> 32, 1};
   assert_int_equal(query(0x23, 0, &none, sizeof(none)), 0);
   assert_true(!none.address && !none.status && !none.hub);
   fault = fault_of(store, sizeof(store));
   assert_int_equal(fault.address, VA + 0x51000);
   assert_int_equal(fault.status >> 4 & 0xf, 5);
   assert_int_equal(fault.status >> 18 & 1, 1);
   assert_int_equal(fault.hub, 0);
   fault = fault_of(load, sizeof(load));
   assert_int_equal(fault.address, where & UINT64_C(0xfffffffff000));
   assert_int_equal(fault.status >> 4 & 0xf, 3);
   assert_int_equal(fault.status >> 18 & 1, 0);
   assert_int_equal(va((struct gem_va){.operation = AMDGPU_VA_OP_MAP, .flags = AMDGPU_VM_PAGE_READABLE}), 0);
   fault = fault_of(read_only, sizeof(read_only));
   assert_int_equal(fault.address, PLACE);
   assert_int_equal(fault.status >> 4 & 0xf, 4);
   assert_int_equal(unmap_it(), 0);

   int other = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC), own = fd;
   fd = other;
   assert_int_equal(query(0x23, 0, &none, sizeof(none)), 0);
   assert_int_equal(none.status, 0);
   fd = own;
   close(other);
}

/* Memory that the application has unmapped is nothing to the GPU, and what it maps there later is shown again. */
static void
user_memory_goes(void **state)
{
   const uint32_t store[] = {PACKET3(0x37, 4), 5u << 8 | 1u << 20, (uint32_t)PLACE, PLACE >> 32, 7};
   /* Where no one else's memory comes while it is gone. */
   uint32_t *memory = mmap((void *)0x551000000000, 4096, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
   struct drm_amdgpu_gem_userptr args = {
      .addr = (uintptr_t)memory, .size = 4096, .flags = AMDGPU_GEM_USERPTR_REGISTER};
   assert_int_equal(call(DRM_IOCTL_AMDGPU_GEM_USERPTR, &args), 0);
   assert_int_equal(va((struct gem_va){.handle = args.handle, .operation = AMDGPU_VA_OP_MAP, .flags = RWX}), 0);
   for (unsigned round = 0; round < 2; round++) {
      uint64_t seq;
      for (unsigned i = 0; i < 64; i++)
         map[i] = 0xffff1000u;
      memcpy(map, store, sizeof(store));
      assert_int_equal(submit(0, &seq), 0);
      release(seq);
      assert_int_equal(memory[0], 7);
      assert_int_equal(munmap(memory, 4096), 0);
      struct vm_fault fault = fault_of(store, sizeof(store));
      assert_int_equal(fault.address, PLACE);
      assert_int_equal(fault.status >> 4 & 0xf, 5);
      assert_ptr_equal(mmap(memory, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
                       memory);
   }
   assert_int_equal(drmCloseBufferHandle(fd, args.handle), 0);
   munmap(memory, 4096);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(points),        cmocka_unit_test(binary_and_delayed), cmocka_unit_test(inputs),
      cmocka_unit_test(bad_addresses), cmocka_unit_test(user_queues),        cmocka_unit_test(most_buffers),
      cmocka_unit_test(cleared),       cmocka_unit_test(vm_fault),           cmocka_unit_test(user_memory_goes),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
