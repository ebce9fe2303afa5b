/* Calls that the kernel refuses, each with its error; and calls at random, which may do anything but end us. */
#include "node.h"

/* What the rows name: made before each. */
static uint32_t vm, other_vm, bo, private_bo, queue, object;
static uint64_t params_B[1024];
static struct drm_asahi_gem_bind_op ops[2];

#define VA UINT64_C(0x2000000000)
#define BO_B (4 * PAGE_B)

static int
setup(void **state)
{
   struct drm_asahi_gem_bind_object bind = {.flags = DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS, .range = PAGE_B};
   if (open_node(state))
      return -1;
   vm = create_vm();
   other_vm = create_vm();
   bo = create_bo(BO_B, 0, 0);
   private_bo = create_bo(BO_B, DRM_ASAHI_GEM_VM_PRIVATE, vm);
   queue = create_queue(vm);
   bind.handle = bo;
   assert_int_equal(call(DRM_IOCTL_ASAHI_GEM_BIND_OBJECT, &bind), 0);
   object = bind.object_handle;
   return 0;
}

static void
params(void **state)
{
   const struct {
      struct drm_asahi_get_params args;
      int result;
   } rows[] = {
      {{.pointer = (uintptr_t)params_B, .size = 0}, 0},
      {{.pointer = BAD_POINTER, .size = 0}, 0},
      {{.param_group = 1, .pointer = (uintptr_t)params_B, .size = 8}, -EINVAL},
      {{.pad = 1, .pointer = (uintptr_t)params_B, .size = 8}, -EINVAL},
      {{.pointer = BAD_POINTER, .size = 8}, -EFAULT},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct drm_asahi_get_params args = rows[i].args;
      assert_int_equal(call(DRM_IOCTL_ASAHI_GET_PARAMS, &args), rows[i].result);
   }
   assert_int_equal(call(DRM_IOCTL_ASAHI_GET_TIME, &(struct drm_asahi_get_time){.flags = 1}), -EINVAL);
   assert_int_equal(call(DRM_IOCTL_ASAHI_GET_TIME, (void *)BAD_POINTER), -EFAULT);
   assert_int_equal(call(DRM_IOW(DRM_COMMAND_BASE + DRM_ASAHI_SUBMIT + 1, struct drm_asahi_submit), params_B),
                    -EINVAL);
}

static void
vms(void **state)
{
   const struct {
      uint64_t start, end;
      int result;
   } rows[] = {
      {0x4000, 0x20004000, 0},
      {KERNEL_END - 0x20000000, KERNEL_END, 0},
      {0x4000, 0x20000000, -EINVAL},
      {0, 0x20000000, -EINVAL},
      {0x5000, 0x20008000, -EINVAL},
      {0x4000, 0x20005000, -EINVAL},
      {KERNEL_START, KERNEL_END + PAGE_B, -EINVAL},
      {KERNEL_END, KERNEL_START, -EINVAL},
      {0, UINT64_MAX, -EINVAL},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct drm_asahi_vm_create args = {.kernel_start = rows[i].start, .kernel_end = rows[i].end};
      assert_int_equal(call(DRM_IOCTL_ASAHI_VM_CREATE, &args), rows[i].result);
   }
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_DESTROY, &(struct drm_asahi_vm_destroy){.vm_id = 0}), -ENOENT);
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_DESTROY, &(struct drm_asahi_vm_destroy){.vm_id = 100}), -ENOENT);
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_DESTROY, &(struct drm_asahi_vm_destroy){.vm_id = other_vm}), 0);
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_DESTROY, &(struct drm_asahi_vm_destroy){.vm_id = other_vm}), -ENOENT);
}

static void
buffers(void **state)
{
   const struct {
      struct drm_asahi_gem_create args;
      int result;
   } rows[] = {
      {{.size = PAGE_B, .flags = DRM_ASAHI_GEM_VM_PRIVATE | DRM_ASAHI_GEM_WRITEBACK, .vm_id = vm}, 0},
      {{.size = PAGE_B, .flags = 4}, -EINVAL},
      {{.size = PAGE_B, .vm_id = vm}, -EINVAL},
      {{.size = PAGE_B, .flags = DRM_ASAHI_GEM_VM_PRIVATE}, -ENOENT},
      {{.size = PAGE_B, .flags = DRM_ASAHI_GEM_VM_PRIVATE, .vm_id = 100}, -ENOENT},
      {{.size = 0}, -EINVAL},
      {{.size = UINT64_MAX}, -ENOMEM},
      {{.size = UINT64_C(1) << 62}, -ENOMEM},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct drm_asahi_gem_create args = rows[i].args;
      assert_int_equal(call(DRM_IOCTL_ASAHI_GEM_CREATE, &args), rows[i].result);
   }
   struct drm_asahi_gem_mmap_offset offset = {.handle = 100};
   assert_int_equal(call(DRM_IOCTL_ASAHI_GEM_MMAP_OFFSET, &offset), -ENOENT);
   offset = (struct drm_asahi_gem_mmap_offset){.handle = bo, .flags = 1};
   assert_int_equal(call(DRM_IOCTL_ASAHI_GEM_MMAP_OFFSET, &offset), -EINVAL);
}

static void
objects(void **state)
{
   enum { BIND = DRM_ASAHI_BIND_OBJECT_OP_BIND, UNBIND = DRM_ASAHI_BIND_OBJECT_OP_UNBIND };
   enum { TIME = DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS };
   const struct {
      struct drm_asahi_gem_bind_object args;
      int result;
   } rows[] = {
      {{.op = BIND, .flags = TIME, .handle = bo, .offset = PAGE_B, .range = 3 * PAGE_B}, 0},
      {{.op = BIND, .flags = TIME, .handle = bo, .offset = PAGE_B, .range = 4 * PAGE_B}, -EINVAL},
      {{.op = BIND, .flags = TIME, .handle = bo, .offset = 0x1000, .range = PAGE_B}, -EINVAL},
      {{.op = BIND, .flags = TIME, .handle = bo, .range = 0x1000}, -EINVAL},
      {{.op = BIND, .flags = TIME, .handle = bo, .offset = UINT64_MAX & ~(PAGE_B - 1), .range = PAGE_B}, -EINVAL},
      {{.op = BIND, .flags = TIME, .handle = bo}, -ENOSPC},
      {{.op = BIND, .handle = bo, .range = PAGE_B}, -EINVAL},
      {{.op = BIND, .flags = TIME | 2, .handle = bo, .range = PAGE_B}, -EINVAL},
      {{.op = BIND, .flags = TIME, .handle = 100, .range = PAGE_B}, -ENOENT},
      {{.op = BIND, .flags = TIME, .handle = private_bo, .range = PAGE_B}, -EINVAL},
      {{.op = BIND, .flags = TIME, .handle = bo, .vm_id = vm, .range = PAGE_B}, -EINVAL},
      {{.op = BIND, .flags = TIME, .handle = bo, .range = PAGE_B, .pad = 1}, -EINVAL},
      {{.op = 2, .flags = TIME, .handle = bo, .range = PAGE_B}, -EINVAL},
      {{.op = UNBIND, .object_handle = 100}, -ENOENT},
      {{.op = UNBIND, .flags = TIME, .object_handle = object}, -EINVAL},
      {{.op = UNBIND, .handle = bo, .object_handle = object}, -EINVAL},
      {{.op = UNBIND, .range = PAGE_B, .object_handle = object}, -EINVAL},
      {{.op = UNBIND, .offset = PAGE_B, .object_handle = object}, -EINVAL},
      {{.op = UNBIND, .object_handle = object}, 0},
      {{.op = UNBIND, .object_handle = object}, -ENOENT},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct drm_asahi_gem_bind_object args = rows[i].args;
      assert_int_equal(call(DRM_IOCTL_ASAHI_GEM_BIND_OBJECT, &args), rows[i].result);
   }
}

static void
queues(void **state)
{
   const struct {
      struct drm_asahi_queue_create args;
      int result;
   } rows[] = {
      {{.vm_id = vm, .priority = DRM_ASAHI_PRIORITY_LOW, .usc_exec_base = 0x1100000000}, 0},
      {{.vm_id = vm, .flags = 1}, -EINVAL},
      {{.vm_id = vm, .priority = DRM_ASAHI_PRIORITY_HIGH}, -EINVAL},
      {{.vm_id = vm, .priority = DRM_ASAHI_PRIORITY_REALTIME}, -EINVAL},
      {{.vm_id = vm, .priority = 4}, -EINVAL},
      {{.vm_id = 100}, -ENOENT},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct drm_asahi_queue_create args = rows[i].args;
      assert_int_equal(call(DRM_IOCTL_ASAHI_QUEUE_CREATE, &args), rows[i].result);
   }
   struct drm_asahi_queue_destroy destroy = {.queue_id = queue};
   assert_int_equal(call(DRM_IOCTL_ASAHI_QUEUE_DESTROY, &destroy), 0);
   assert_int_equal(call(DRM_IOCTL_ASAHI_QUEUE_DESTROY, &destroy), -ENOENT);
   assert_int_equal(submit_bytes(queue, ops, sizeof(ops)), -ENOENT);
}

static void
binds(void **state)
{
   const uint32_t READ = DRM_ASAHI_BIND_READ, WRITE = DRM_ASAHI_BIND_WRITE, UNBIND = DRM_ASAHI_BIND_UNBIND;
   const uint32_t SINGLE = DRM_ASAHI_BIND_SINGLE_PAGE;
   const struct {
      uint32_t vm;
      struct drm_asahi_gem_bind_op op;
      int result;
   } rows[] = {
      {vm, {READ | WRITE, bo, 0, BO_B, VA}, 0},
      {vm, {READ, bo, PAGE_B, BO_B - PAGE_B, VA}, 0},
      {vm, {WRITE, private_bo, 0, BO_B, VA}, 0},
      {vm, {READ | SINGLE, bo, BO_B - PAGE_B, 100 * PAGE_B, VA}, 0},
      {vm, {READ, bo, 0, 0, VA}, 0},
      {vm, {READ, bo, 0, PAGE_B, 0x4000}, 0},
      {vm, {READ, bo, 0, PAGE_B, KERNEL_START - PAGE_B}, 0},
      {vm, {READ, bo, 0, PAGE_B, 0}, -EINVAL},
      {vm, {READ, bo, 0, 2 * PAGE_B, KERNEL_START - PAGE_B}, -EINVAL},
      {vm, {READ, bo, 0, PAGE_B, KERNEL_END - PAGE_B}, -EINVAL},
      {vm, {READ, bo, 0, PAGE_B, KERNEL_END}, -EINVAL},
      {vm, {READ, bo, 0, PAGE_B, UINT64_MAX & ~(PAGE_B - 1)}, -EINVAL},
      {vm, {READ, bo, 0, UINT64_MAX & ~(PAGE_B - 1), VA}, -EINVAL},
      {vm, {READ, bo, 0x1000, PAGE_B, VA}, -EINVAL},
      {vm, {READ, bo, 0, 0x1000, VA}, -EINVAL},
      {vm, {READ, bo, 0, PAGE_B, VA + 0x1000}, -EINVAL},
      {vm, {READ, bo, PAGE_B, BO_B, VA}, -EINVAL},
      {vm, {READ, bo, UINT64_MAX & ~(PAGE_B - 1), PAGE_B, VA}, -EINVAL},
      {vm, {READ | SINGLE, bo, BO_B, PAGE_B, VA}, -EINVAL},
      {vm, {0, bo, 0, PAGE_B, VA}, -EINVAL},
      {vm, {SINGLE, bo, 0, PAGE_B, VA}, -EINVAL},
      {vm, {READ | 16, bo, 0, PAGE_B, VA}, -EINVAL},
      {vm, {READ, 100, 0, PAGE_B, VA}, -ENOENT},
      {vm, {READ, 0, 0, PAGE_B, VA}, -ENOENT},
      {100, {READ, bo, 0, PAGE_B, VA}, -ENOENT},
      {other_vm, {READ, private_bo, 0, PAGE_B, VA}, -EINVAL},
      {vm, {UNBIND, 0, 0, 1000 * PAGE_B, VA}, 0},
      {vm, {UNBIND, 0, 0, 0, VA}, 0},
      {vm, {UNBIND | READ, 0, 0, PAGE_B, VA}, -EINVAL},
      {vm, {UNBIND, bo, 0, PAGE_B, VA}, -EINVAL},
      {vm, {UNBIND, 0, PAGE_B, PAGE_B, VA}, -EINVAL},
      {vm, {UNBIND, 0, 0, 0x1000, VA}, -EINVAL},
      {vm, {UNBIND, 0, 0, PAGE_B, 0}, -EINVAL},
      {vm, {UNBIND, 0, 0, KERNEL_END - VA, VA}, -EINVAL},
      {100, {UNBIND, 0, 0, PAGE_B, VA}, -ENOENT},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      int result = bind_op(rows[i].vm, &rows[i].op);
      if (result != rows[i].result)
         fail_msg("bind of row %u: %d, not %d", i, result, rows[i].result);
   }
}

/* The array of binds itself. */
static void
arrays(void **state)
{
   struct {
      struct drm_asahi_gem_bind_op op;
      uint64_t newer;
   } longer[2] = {{{RW, bo, 0, PAGE_B, VA}, 0}, {{RW, bo, 0, PAGE_B, VA + PAGE_B}, 0}};
   ops[0] = ops[1] = (struct drm_asahi_gem_bind_op){RW, bo, 0, PAGE_B, VA};
   ops[1].handle = 100;
   const struct {
      struct drm_asahi_vm_bind args;
      int result;
   } rows[] = {
      {{vm, 0, 32, 0, BAD_POINTER}, 0},
      {{vm, 1, 32, 0, (uintptr_t)ops}, 0},
      {{vm, 2, 32, 0, (uintptr_t)ops}, -ENOENT},
      {{vm, 1, 0, 0, (uintptr_t)ops}, -EINVAL},
      {{vm, 1, 32, 1, (uintptr_t)ops}, -EINVAL},
      {{vm, 1, 32, 0, BAD_POINTER}, -EFAULT},
      {{vm, 1, 24, 0, (uintptr_t)ops}, -EINVAL}, /* the address is zero */
      {{vm, 2, sizeof(longer[0]), 0, (uintptr_t)longer}, 0},
      {{vm, UINT32_MAX, UINT32_MAX, 0, (uintptr_t)ops}, -EINVAL},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct drm_asahi_vm_bind args = rows[i].args;
      assert_int_equal(call(DRM_IOCTL_ASAHI_VM_BIND, &args), rows[i].result);
   }
   assert_int_equal(probe(queue, VA + PAGE_B), 1);
   longer[1].newer = 1;
   struct drm_asahi_vm_bind args = {vm, 2, sizeof(longer[0]), 0, (uintptr_t)longer};
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_BIND, &args), -EINVAL);
}

/* Numbers that exist, and numbers that do not, in all fields of all calls. */
static void
random_calls(void **state)
{
   static const unsigned long requests[] = {
      DRM_IOCTL_ASAHI_GET_PARAMS,      DRM_IOCTL_ASAHI_GET_TIME,        DRM_IOCTL_ASAHI_VM_CREATE,
      DRM_IOCTL_ASAHI_VM_DESTROY,      DRM_IOCTL_ASAHI_VM_BIND,         DRM_IOCTL_ASAHI_GEM_CREATE,
      DRM_IOCTL_ASAHI_GEM_MMAP_OFFSET, DRM_IOCTL_ASAHI_GEM_BIND_OBJECT, DRM_IOCTL_ASAHI_QUEUE_CREATE,
      DRM_IOCTL_ASAHI_QUEUE_DESTROY,   DRM_IOCTL_ASAHI_SUBMIT,
   };
   static uint64_t data[128], arg[8];
   const uint64_t values[] = {0,
                              1,
                              2,
                              3,
                              8,
                              32,
                              248,
                              PAGE_B,
                              2 * PAGE_B,
                              VA,
                              0x4000,
                              KERNEL_END,
                              0xf00,
                              ~0ul,
                              UINT32_MAX,
                              64,
                              24,
                              1ul << 32 | 1,
                              BAD_POINTER,
                              (uintptr_t)data,
                              (uintptr_t)params_B};
   uint32_t seed = 1;
   unsigned done = 0;
   for (unsigned step = 0; step < 50000; step++) {
      for (unsigned i = 0; i < 8 + 128; i++) {
         seed = seed * 1664525 + 1013904223;
         *(i < 8 ? &arg[i] : &data[i - 8]) = values[(seed >> 8) % (sizeof(values) / sizeof(values[0]))];
      }
      seed = seed * 1664525 + 1013904223;
      done += !call(requests[(seed >> 8) % (sizeof(requests) / sizeof(requests[0]))], arg);
   }
   assert_true(done > 1000 && done < 50000);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(params, setup, close_node),
      cmocka_unit_test_setup_teardown(vms, setup, close_node),
      cmocka_unit_test_setup_teardown(buffers, setup, close_node),
      cmocka_unit_test_setup_teardown(objects, setup, close_node),
      cmocka_unit_test_setup_teardown(queues, setup, close_node),
      cmocka_unit_test_setup_teardown(binds, setup, close_node),
      cmocka_unit_test_setup_teardown(arrays, setup, close_node),
      cmocka_unit_test_setup_teardown(random_calls, setup, close_node),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
