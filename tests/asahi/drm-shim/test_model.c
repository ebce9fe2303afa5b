/* Submits that the model runs: they end later than the ioctl, in the order of their queue, and their fences tell of
 * faults. The programs are written here, instruction by instruction. */
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "asahi/hw/isa.h"
#include "asahi/hw/records.h"
#include "node.h"

#define USC UINT64_C(0x1100000000)
#define DATA UINT64_C(0x2000000000)
#define STREAM (DATA + PAGE_B)
#define NOWHERE UINT64_C(0x3000000000)
#define WQ_SIZE 0x500 /* of the kernel: what a queue gives to the firmware */
#define THREADS 70 /* three simd groups, the last one of six */

enum { LIST_B = 0, CODE_B = 0x400, UNIFORMS_B = 0x800 }; /* of a program's 0x1000 bytes, from USC on */

static uint32_t vm, queue, code_bo, data_bo, object, syncobj;
static char *code, *data;

static int
setup(void **state)
{
   if (open_node(state))
      return -1;
   vm = create_vm();
   struct drm_asahi_queue_create args = {.vm_id = vm, .priority = DRM_ASAHI_PRIORITY_MEDIUM, .usc_exec_base = USC};
   assert_int_equal(call(DRM_IOCTL_ASAHI_QUEUE_CREATE, &args), 0);
   queue = args.queue_id;
   code_bo = create_bo(4 * PAGE_B, 0, 0);
   data_bo = create_bo(4 * PAGE_B, 0, 0);
   code = map_bo(code_bo, 4 * PAGE_B);
   data = map_bo(data_bo, 4 * PAGE_B);
   assert_int_equal(bind_op(vm, &(struct drm_asahi_gem_bind_op){RW, code_bo, 0, 4 * PAGE_B, USC}), 0);
   assert_int_equal(bind_op(vm, &(struct drm_asahi_gem_bind_op){RW, data_bo, 0, 4 * PAGE_B, DATA}), 0);
   struct drm_asahi_gem_bind_object bind = {
      .flags = DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS, .handle = data_bo, .offset = 3 * PAGE_B, .range = PAGE_B};
   assert_int_equal(call(DRM_IOCTL_ASAHI_GEM_BIND_OBJECT, &bind), 0);
   object = bind.object_handle;
   assert_int_equal(drmSyncobjCreate(fd, 0, &syncobj), 0);
   return 0;
}

static int
teardown(void **state)
{
   munmap(code, 4 * PAGE_B);
   munmap(data, 4 * PAGE_B);
   return close_node(state);
}

static char *
put_instruction(char *at, const char *text)
{
   struct agx_inst inst;
   uint8_t bytes[AGX_INST_MAX_B];
   if (!agx_isa_parse(text, &inst))
      fail_msg("%s", text);
   unsigned size_B = agx_isa_encode(&inst, bytes);
   assert_true(size_B);
   memcpy(at, bytes, size_B);
   return at + size_B;
}

/* Program `number`: its USC list and its code. Its uniforms u0 and u1 hold `pointer`, u2 `value`. */
static void
put_program(unsigned number, const char *const *lines, uint64_t pointer, uint32_t value)
{
   char *program = code + 0x1000 * number, *list = program + LIST_B, *at = program + CODE_B;
   memcpy(program + UNIFORMS_B, &pointer, 8);
   memcpy(program + UNIFORMS_B + 8, &value, 4);
   agx_usc_uniform_pack(list, &(struct agx_usc_uniform){.size = 6, .buffer = USC + 0x1000 * number + UNIFORMS_B});
   agx_usc_shared_pack(list + 8, &(struct agx_usc_shared){.layout = AGX_SHARED_LAYOUT_VERTEX_COMPUTE,
                                                          .sample_count = 1,
                                                          .threadgroup_B = 65536});
   agx_usc_shader_pack(list + 12, &(struct agx_usc_shader){.unk_10 = 3, .code = 0x1000 * number + CODE_B});
   agx_usc_registers_pack(list + 18, &(struct agx_usc_registers){.registers = 16, .unk_24 = 1});
   agx_usc_no_preshader_pack(list + 22, &(struct agx_usc_no_preshader){0});
   for (; *lines; lines++)
      at = put_instruction(at, *lines);
   for (unsigned i = 0; i < 8; i++)
      at = put_instruction(at, "trap");
}

/* A dispatch of program `number`, and an end if it is the last. */
#define FULL_BARRIER 0x600fffffu /* as drivers have it */
static uint32_t barrier = FULL_BARRIER;

static char *
put_dispatch(char *at, unsigned number, uint32_t threads, bool is_last)
{
   agx_cdm_launch_pack(
      at, &(struct agx_cdm_launch){
             .uniforms = 64, .textures = 8, .preshader_registers = 16, .pipeline = 0x1000 * number + LIST_B});
   agx_cdm_global_size_pack(at + 8, &(struct agx_cdm_global_size){threads, 1, 1});
   agx_cdm_local_size_pack(at + 20, &(struct agx_cdm_local_size){64, 1, 1});
   memcpy(at + 32, &barrier, sizeof(barrier));
   if (is_last)
      agx_cdm_stream_terminate_pack(at + 36, &(struct agx_cdm_stream_terminate){0});
   return at + 36;
}

static int
submit(const struct compute_cmdbuf *commands, unsigned count)
{
   struct drm_asahi_sync sync = {.sync_type = DRM_ASAHI_SYNC_SYNCOBJ, .handle = syncobj};
   struct drm_asahi_submit args = {.syncs = (uintptr_t)&sync,
                                   .cmdbuf = (uintptr_t)commands,
                                   .queue_id = queue,
                                   .out_sync_count = 1,
                                   .cmdbuf_size = (uint32_t)(count * sizeof(*commands))};
   return call(DRM_IOCTL_ASAHI_SUBMIT, &args);
}

/* Waits; what the fence says of the work. */
static int
finish(void)
{
   assert_int_equal(drmSyncobjWait(fd, &syncobj, 1, INT64_MAX, 0, NULL), 0);
   return fence_status(syncobj);
}

static const char *const store_value[] = {"mov r1, thread_in_grid_x", "mov r2, u2", "store r2, du0, r1, i32, x, a",
                                          "stop", NULL};
static const char *const copy_value[] = {"mov r1, thread_in_grid_x",
                                         "load r2, du0, r1, i32, x, a",
                                         "wait a",
                                         "iadd r2, r2, u2",
                                         "store r2, du0, r1, i32, x, a",
                                         "stop",
                                         NULL};
static const char *const endless[] = {"jmp_any 0", "stop", NULL};

static struct compute_cmdbuf
command(void)
{
   struct compute_cmdbuf compute = compute_at(STREAM);
   compute.compute.cdm_ctrl_stream_end = STREAM + PAGE_B;
   return compute;
}

/* Each thread of two groups, and none after the last. */
static void
stores(void **state)
{
   uint32_t words[THREADS + 1];
   put_program(0, store_value, DATA, 0x12345678);
   put_dispatch(data + PAGE_B, 0, THREADS, true);
   struct compute_cmdbuf compute = command();
   assert_int_equal(submit(&compute, 1), 0);
   assert_int_equal(finish(), 1);
   memcpy(words, data, sizeof(words));
   for (unsigned i = 0; i <= THREADS; i++)
      assert_int_equal(words[i], i < THREADS ? 0x12345678 : 0);
}

/* Dispatches of a stream, commands of a submit and submits follow each other. */
static void
order(void **state)
{
   uint32_t word;
   put_program(0, store_value, DATA, 1);
   put_program(1, copy_value, DATA, 10);
   put_dispatch(put_dispatch(data + PAGE_B, 0, THREADS, false), 1, THREADS, true);
   put_dispatch(data + PAGE_B + 0x400, 1, THREADS, true);
   struct compute_cmdbuf first = command(), later[2] = {command(), command()};
   later[0].compute.cdm_ctrl_stream_base = later[1].compute.cdm_ctrl_stream_base = STREAM + 0x400;
   later[1].header.cdm_barrier = 1;
   assert_int_equal(submit(&first, 1), 0);
   for (unsigned i = 0; i < 20; i++)
      assert_int_equal(submit(later, 2), 0);
   assert_int_equal(finish(), 1);
   memcpy(&word, data + 4 * (THREADS - 1), 4);
   assert_int_equal(word, 11 + 2 * 20 * 10);
}

/* A store of 1 and an addition of 10 that nothing puts into an order, by what `run` submits. */
static void
expect_no_order(void (*run)(void))
{
   const char *schedule = getenv("INDIUM_SCHEDULE");
   uint32_t word;
   put_program(0, store_value, DATA, 1);
   put_program(1, copy_value, DATA, 10);
   run();
   assert_int_equal(finish(), 1);
   memcpy(&word, data, 4);
   if (!strcmp(schedule, "in-order"))
      assert_int_equal(word, 11);
   else if (!strcmp(schedule, "worst"))
      assert_int_equal(word, 1);
   else
      assert_true(word == 1 || word == 11);
}

static void
two_dispatches(void)
{
   struct compute_cmdbuf compute = command();
   put_dispatch(put_dispatch(data + PAGE_B, 0, THREADS, false), 1, THREADS, true);
   assert_int_equal(submit(&compute, 1), 0);
}

static void
two_commands(void)
{
   struct compute_cmdbuf commands[2] = {command(), command()};
   put_dispatch(data + PAGE_B, 0, THREADS, true);
   put_dispatch(data + PAGE_B + 0x400, 1, THREADS, true);
   commands[1].compute.cdm_ctrl_stream_base += 0x400;
   assert_int_equal(submit(commands, 2), 0);
}

/* Barriers that set fewer bits than any driver does, and commands that do not wait for each other. */
static void
disorder(void **state)
{
   barrier = FULL_BARRIER & ~1u;
   expect_no_order(two_dispatches);
   barrier = FULL_BARRIER;
   memset(data, 0, PAGE_B);
   expect_no_order(two_commands);
}

/* For a point of a timeline, which has to be there. */
static void
waits(void **state)
{
   uint32_t gate, word;
   assert_int_equal(drmSyncobjCreate(fd, 0, &gate), 0);
   struct drm_asahi_sync syncs[2] = {
      {.sync_type = DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ, .handle = gate, .timeline_value = 3},
      {.sync_type = DRM_ASAHI_SYNC_SYNCOBJ, .handle = syncobj}};
   struct compute_cmdbuf compute = command();
   struct drm_asahi_submit args = {.syncs = (uintptr_t)syncs,
                                   .cmdbuf = (uintptr_t)&compute,
                                   .queue_id = queue,
                                   .in_sync_count = 1,
                                   .out_sync_count = 1,
                                   .cmdbuf_size = sizeof(compute)};
   uint64_t point = 3;
   assert_int_equal(call(DRM_IOCTL_ASAHI_SUBMIT, &args), -EINVAL);
   assert_int_equal(drmSyncobjTimelineSignal(fd, &gate, &point, 1), 0);
   put_program(0, store_value, DATA, 7);
   put_dispatch(data + PAGE_B, 0, THREADS, true);
   assert_int_equal(call(DRM_IOCTL_ASAHI_SUBMIT, &args), 0);
   assert_int_equal(finish(), 1);
   memcpy(&word, data, 4);
   assert_int_equal(word, 7);
}

static void
faults(void **state)
{
   struct compute_cmdbuf compute = command();
   uint32_t word;
   /* No stream, a word that begins nothing, a program that is nowhere, one that does not end. */
   compute.compute.cdm_ctrl_stream_base = NOWHERE;
   assert_int_equal(submit(&compute, 1), 0);
   assert_int_equal(finish(), -EIO);
   compute = command();
   memset(data + PAGE_B, 0xff, 4);
   assert_int_equal(submit(&compute, 1), 0);
   assert_int_equal(finish(), -EIO);
   put_program(0, store_value, DATA, 5);
   put_dispatch(data + PAGE_B, 9, THREADS, true);
   assert_int_equal(submit(&compute, 1), 0);
   assert_int_equal(finish(), -EIO);
   put_program(1, endless, DATA, 0);
   put_dispatch(data + PAGE_B, 1, THREADS, true);
   assert_int_equal(submit(&compute, 1), 0);
   assert_int_equal(finish(), -ETIMEDOUT);
   /* A store to where nothing is mapped is dropped only by soft faults. */
   put_program(2, store_value, NOWHERE, 5);
   put_dispatch(data + PAGE_B, 2, THREADS, true);
   assert_int_equal(submit(&compute, 1), 0);
   assert_int_equal(finish(), getenv("INDIUM_NO_SOFT_FAULTS") ? -EIO : 1);
   /* The queue continues. */
   put_dispatch(data + PAGE_B, 0, THREADS, true);
   assert_int_equal(submit(&compute, 1), 0);
   assert_int_equal(finish(), 1);
   memcpy(&word, data, 4);
   assert_int_equal(word, 5);
}

static void
timestamps(void **state)
{
   uint64_t times[4];
   struct compute_cmdbuf compute[2] = {command(), command()};
   put_program(0, store_value, DATA, 5);
   put_dispatch(data + PAGE_B, 0, THREADS, true);
   compute[0].compute.ts = (struct drm_asahi_timestamps){{object, 0}, {object, 8}};
   compute[1].compute.ts = (struct drm_asahi_timestamps){{object, 16}, {object, 24}};
   compute[1].header.cdm_barrier = 1;
   assert_int_equal(submit(compute, 2), 0);
   assert_int_equal(finish(), 1);
   memcpy(times, data + 3 * PAGE_B, sizeof(times));
   assert_true(times[0] && times[0] < times[1] && times[1] <= times[2] && times[2] < times[3]);
}

/* The next submit waits until fewer are under way. */
static void
full_queue(void **state)
{
   uint32_t timeline;
   struct compute_cmdbuf compute = command();
   put_program(0, store_value, DATA, 5);
   put_dispatch(data + PAGE_B, 0, THREADS, true);
   assert_int_equal(drmSyncobjCreate(fd, 0, &timeline), 0);
   uint64_t most = 0, last = 2 * WQ_SIZE;
   for (uint64_t point = 1; point <= last; point++) {
      struct drm_asahi_sync sync = {DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ, timeline, point};
      struct drm_asahi_submit args = {.syncs = (uintptr_t)&sync,
                                      .cmdbuf = (uintptr_t)&compute,
                                      .queue_id = queue,
                                      .out_sync_count = 1,
                                      .cmdbuf_size = sizeof(compute)};
      uint64_t done = 0;
      assert_int_equal(call(DRM_IOCTL_ASAHI_SUBMIT, &args), 0);
      assert_int_equal(drmSyncobjQuery(fd, &timeline, &done, 1), 0);
      most = point - done > most ? point - done : most;
   }
   assert_in_range(most, 1, WQ_SIZE);
   assert_int_equal(drmSyncobjTimelineWait(fd, &timeline, &last, 1, INT64_MAX, 0, NULL), 0);
   drmSyncobjDestroy(fd, timeline);
}

/* Another thread may destroy a queue that has no room. */
static void *
flood(void *argument)
{
   struct compute_cmdbuf compute = command();
   struct drm_asahi_sync sync = {.sync_type = DRM_ASAHI_SYNC_SYNCOBJ, .handle = syncobj};
   struct drm_asahi_submit args = {.syncs = (uintptr_t)&sync,
                                   .cmdbuf = (uintptr_t)&compute,
                                   .queue_id = queue,
                                   .out_sync_count = 1,
                                   .cmdbuf_size = sizeof(compute)};
   unsigned *count = argument;
   while (!call(DRM_IOCTL_ASAHI_SUBMIT, &args))
      __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
   return NULL;
}

static void
full_queue_goes(void **state)
{
   pthread_t thread;
   unsigned count = 0;
   put_program(0, store_value, DATA, 5);
   put_dispatch(data + PAGE_B, 0, THREADS, true);
   assert_int_equal(pthread_create(&thread, NULL, flood, &count), 0);
   while (__atomic_load_n(&count, __ATOMIC_SEQ_CST) < WQ_SIZE + 16)
      sched_yield();
   assert_int_equal(call(DRM_IOCTL_ASAHI_QUEUE_DESTROY, &(struct drm_asahi_queue_destroy){.queue_id = queue}), 0);
   pthread_join(thread, NULL);
   assert_int_equal(drmSyncobjWait(fd, &syncobj, 1, INT64_MAX, 0, NULL), 0);
}

/* Buffers, queue and address space may go while work of them is under way. */
static void
going(void **state)
{
   struct compute_cmdbuf compute = command();
   put_program(0, store_value, DATA, 5);
   put_dispatch(data + PAGE_B, 0, THREADS, true);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(submit(&compute, 1), 0);
   assert_int_equal(drmCloseBufferHandle(fd, data_bo), 0);
   assert_int_equal(drmCloseBufferHandle(fd, code_bo), 0);
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_DESTROY, &(struct drm_asahi_vm_destroy){.vm_id = vm}), 0);
   assert_int_equal(call(DRM_IOCTL_ASAHI_QUEUE_DESTROY, &(struct drm_asahi_queue_destroy){.queue_id = queue}), 0);
   assert_int_equal(drmSyncobjWait(fd, &syncobj, 1, INT64_MAX, 0, NULL), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(stores, setup, teardown),
      cmocka_unit_test_setup_teardown(order, setup, teardown),
      cmocka_unit_test_setup_teardown(disorder, setup, teardown),
      cmocka_unit_test_setup_teardown(waits, setup, teardown),
      cmocka_unit_test_setup_teardown(faults, setup, teardown),
      cmocka_unit_test_setup_teardown(timestamps, setup, teardown),
      cmocka_unit_test_setup_teardown(full_queue, setup, teardown),
      cmocka_unit_test_setup_teardown(full_queue_goes, setup, teardown),
      cmocka_unit_test_setup_teardown(going, setup, teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
