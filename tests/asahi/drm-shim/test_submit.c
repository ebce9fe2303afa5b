/* Submits: what the flat command buffer may hold, syncs, timestamps, and what a stream that is not there comes to. */
#include "node.h"

#define VA UINT64_C(0x2000000000)
#define NONE DRM_ASAHI_BARRIER_NONE

static uint32_t vm, queue, bo, object;
static char *memory;

static int
setup(void **state)
{
   if (open_node(state))
      return -1;
   vm = create_vm();
   queue = create_queue(vm);
   bo = create_bo(2 * PAGE_B, 0, 0);
   memory = map_bo(bo, 2 * PAGE_B);
   assert_int_equal(bind_op(vm, &(struct drm_asahi_gem_bind_op){RW, bo, 0, 2 * PAGE_B, VA}), 0);
   struct drm_asahi_gem_bind_object args = {
      .flags = DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS, .handle = bo, .offset = PAGE_B, .range = PAGE_B};
   assert_int_equal(call(DRM_IOCTL_ASAHI_GEM_BIND_OBJECT, &args), 0);
   object = args.object_handle;
   return 0;
}

static int
teardown(void **state)
{
   munmap(memory, 2 * PAGE_B);
   return close_node(state);
}

/* A command buffer under construction. */
static union {
   char bytes[1 << 17];
   uint64_t alignment;
} cmdbuf;
static uint32_t used_B;

static void
put(unsigned type, uint16_t vdm, uint16_t cdm, const void *payload, size_t payload_B)
{
   struct drm_asahi_cmd_header header = {(uint16_t)type, (uint16_t)payload_B, vdm, cdm};
   memcpy(cmdbuf.bytes + used_B, &header, sizeof(header));
   memcpy(cmdbuf.bytes + used_B + sizeof(header), payload, payload_B);
   used_B += (uint32_t)(sizeof(header) + payload_B);
}

static int
send(void)
{
   int result = submit_bytes(queue, cmdbuf.bytes, used_B);
   used_B = 0;
   return result;
}

/* As the triangle's. */
static struct drm_asahi_cmd_render
render(void)
{
   return (struct drm_asahi_cmd_render){
      .flags = DRM_ASAHI_RENDER_PROCESS_EMPTY_TILES,
      .vdm_ctrl_stream_base = VA,
      .width_px = 512,
      .height_px = 512,
      .layers = 1,
      .utile_width_px = 32,
      .utile_height_px = 32,
      .samples = 1,
      .sample_size_B = 8,
   };
}

static int
send_render(const struct drm_asahi_cmd_render *command)
{
   put(DRM_ASAHI_CMD_RENDER, 0, 0, command, sizeof(*command));
   return send();
}

/* One field of the triangle's command is another: what the kernel says. */
static void
render_fields(void **state)
{
#define ROW(field, value, result)                                                                                    \
   {offsetof(struct drm_asahi_cmd_render, field), sizeof(render().field), value, result}
   const struct {
      size_t offset_B, size_B;
      uint32_t value;
      int result;
   } rows[] = {
      ROW(flags, 0, 0),
      ROW(flags, 7 | 1 << 18, 0),
      ROW(flags, 8, -EINVAL),
      ROW(flags, 1u << 31, -EINVAL),
      ROW(width_px, 1, 0),
      ROW(width_px, 0, -EINVAL),
      ROW(width_px, 16384, 0),
      ROW(width_px, 16385, -EINVAL),
      ROW(height_px, 0, -EINVAL),
      ROW(height_px, 16384, 0),
      ROW(height_px, 16385, -EINVAL),
      ROW(layers, 0, -EINVAL),
      ROW(layers, 2048, 0),
      ROW(layers, 2049, -EINVAL),
      ROW(samples, 0, -EINVAL),
      ROW(samples, 2, 0),
      ROW(samples, 3, -EINVAL),
      ROW(samples, 4, 0),
      ROW(samples, 8, -EINVAL),
      ROW(utile_height_px, 16, 0),
      ROW(utile_width_px, 16, -EINVAL),
      ROW(utile_width_px, 0, -EINVAL),
      ROW(utile_height_px, 64, -EINVAL),
      ROW(ts_vtx.start.handle, 100, -ENOENT),
      ROW(ts_vtx.end.handle, 100, -ENOENT),
      ROW(ts_frag.start.handle, 100, -ENOENT),
      ROW(ts_frag.end.handle, 100, -ENOENT),
      ROW(ts_frag.end.offset, 0xfffffff8, 0), /* of no object */
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct drm_asahi_cmd_render command = render();
      memcpy((char *)&command + rows[i].offset_B, &rows[i].value, rows[i].size_B);
      int result = send_render(&command);
      if (result != rows[i].result)
         fail_msg("row %u: %d, not %d", i, result, rows[i].result);
   }
   struct drm_asahi_cmd_render small = render();
   small.utile_width_px = small.utile_height_px = 16;
   assert_int_equal(send_render(&small), 0);
}

static void
payloads(void **state)
{
   struct compute_cmdbuf compute = compute_at(VA);
   char longer[sizeof(compute.compute) + 8] = {0};
   memcpy(longer, &compute.compute, sizeof(compute.compute));

   /* Shorter ones end in zeros: only base is enough. Longer ones do. */
   put(DRM_ASAHI_CMD_COMPUTE, 0, 0, longer, 16);
   assert_int_equal(send(), 0);
   put(DRM_ASAHI_CMD_COMPUTE, 0, 0, longer, sizeof(longer));
   put(DRM_ASAHI_CMD_COMPUTE, 0, 0, longer, sizeof(longer));
   assert_int_equal(send(), 0);
   longer[sizeof(longer) - 1] = 1;
   put(DRM_ASAHI_CMD_COMPUTE, 0, 0, longer, sizeof(longer));
   assert_int_equal(send(), -EINVAL);
   compute.compute.flags = 1;
   put(DRM_ASAHI_CMD_COMPUTE, 0, 0, &compute.compute, sizeof(compute.compute));
   assert_int_equal(send(), -EINVAL);
   /* A render command of no size is one of no dimensions. */
   put(DRM_ASAHI_CMD_RENDER, 0, 0, longer, 0);
   assert_int_equal(send(), -EINVAL);
   put(5, NONE, NONE, longer, 0);
   assert_int_equal(send(), -EINVAL);
   assert_int_equal(submit_bytes(queue, cmdbuf.bytes, 0), -EINVAL);

   /* Cut anywhere but at the end. */
   compute = compute_at(VA);
   for (uint32_t size_B = 0; size_B <= sizeof(compute); size_B++)
      assert_int_equal(submit_bytes(queue, &compute, size_B), size_B == sizeof(compute) ? 0 : -EINVAL);
   assert_int_equal(submit_bytes(queue, (void *)BAD_POINTER, 8), -EFAULT);
   assert_int_equal(submit_bytes(queue, cmdbuf.bytes, UINT32_MAX), -ENOMEM);
   assert_int_equal(submit_bytes(100, &compute, sizeof(compute)), -ENOENT);
   struct drm_asahi_submit args = {.cmdbuf = (uintptr_t)&compute, .queue_id = queue, .cmdbuf_size = sizeof(compute)};
   args.flags = 1;
   assert_int_equal(call(DRM_IOCTL_ASAHI_SUBMIT, &args), -EINVAL);
   args.flags = 0;
   args.pad = 1;
   assert_int_equal(call(DRM_IOCTL_ASAHI_SUBMIT, &args), -EINVAL);
}

/* At most 64 hardware commands, attachments not counted; barriers name what came before. */
static void
counts_and_barriers(void **state)
{
   struct compute_cmdbuf compute = compute_at(VA);
   struct drm_asahi_cmd_render command = render();
   const struct drm_asahi_attachment attachment = {.pointer = VA, .size = PAGE_B};
   for (unsigned count = 64; count <= 65; count++) {
      for (unsigned i = 0; i < count; i++) {
         put(DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, NONE, NONE, &attachment, sizeof(attachment));
         put(DRM_ASAHI_CMD_COMPUTE, 0, (uint16_t)i, &compute.compute, sizeof(compute.compute));
      }
      assert_int_equal(send(), count == 64 ? 0 : -EINVAL);
   }
   put(DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, NONE, NONE, &attachment, sizeof(attachment));
   assert_int_equal(send(), -EINVAL); /* nothing to do */

   const struct {
      uint16_t vdm, cdm;
      int result;
   } rows[] = {
      {0, 0, 0},
      {1, 0, 0},
      {1, 1, 0},
      {NONE, NONE, 0},
      {NONE, 1, 0},
      {2, 0, -EINVAL},
      {0, 2, -EINVAL},
      {0xfffe, 0, -EINVAL},
      {0, 0xfffe, -EINVAL},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      put(DRM_ASAHI_CMD_RENDER, NONE, NONE, &command, sizeof(command));
      put(DRM_ASAHI_CMD_COMPUTE, NONE, NONE, &compute.compute, sizeof(compute.compute));
      put(DRM_ASAHI_CMD_RENDER, rows[i].vdm, rows[i].cdm, &command, sizeof(command));
      assert_int_equal(send(), rows[i].result);
   }
}

static void
attachments(void **state)
{
   const struct compute_cmdbuf compute = compute_at(VA);
   struct drm_asahi_attachment list[17] = {0};
   const struct {
      size_t size_B;
      uint16_t vdm, cdm;
      struct drm_asahi_attachment first;
      int result;
   } rows[] = {
      {0, NONE, NONE, {0}, 0},
      {16 * 24, NONE, NONE, {VA, 0x40800, 0, 0}, 0},
      {17 * 24, NONE, NONE, {VA, 0x40800, 0, 0}, -EINVAL},
      {23, NONE, NONE, {0}, -EINVAL},
      {24, 0, NONE, {0}, -EINVAL},
      {24, NONE, 0, {0}, -EINVAL},
      {24, NONE, NONE, {.flags = 1}, -EINVAL},
      {24, NONE, NONE, {.pad = 1}, -EINVAL},
      {24, NONE, NONE, {.size = UINT64_MAX}, -EINVAL},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      for (unsigned type = DRM_ASAHI_SET_VERTEX_ATTACHMENTS; type <= DRM_ASAHI_SET_COMPUTE_ATTACHMENTS; type++) {
         list[0] = rows[i].first;
         put(type, rows[i].vdm, rows[i].cdm, list, rows[i].size_B);
         put(DRM_ASAHI_CMD_COMPUTE, 0, 0, &compute.compute, sizeof(compute.compute));
         assert_int_equal(send(), rows[i].result);
      }
   }
}

static int
submit_syncs(const struct drm_asahi_sync *syncs, uint32_t in, uint32_t out)
{
   struct compute_cmdbuf compute = compute_at(VA);
   struct drm_asahi_submit args = {(uintptr_t)syncs, (uintptr_t)&compute, 0, queue, in, out, sizeof(compute), 0};
   return call(DRM_IOCTL_ASAHI_SUBMIT, &args);
}

static void
syncs(void **state)
{
   uint32_t binary, timeline, empty;
   uint64_t point;
   assert_int_equal(drmSyncobjCreate(fd, 0, &binary), 0);
   assert_int_equal(drmSyncobjCreate(fd, 0, &timeline), 0);
   assert_int_equal(drmSyncobjCreate(fd, 0, &empty), 0);
   enum { B = DRM_ASAHI_SYNC_SYNCOBJ, T = DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ };

   struct drm_asahi_sync out[] = {{B, binary, 0}, {T, timeline, 5}};
   assert_int_equal(submit_syncs(out, 0, 2), 0);
   assert_int_equal(drmSyncobjWait(fd, &binary, 1, 0, 0, NULL), 0);
   assert_int_equal(drmSyncobjQuery(fd, &timeline, &point, 1), 0);
   assert_int_equal(point, 5);
   struct drm_asahi_sync both[] = {{B, binary, 0}, {T, timeline, 3}, {T, timeline, 0}, {T, timeline, 9}};
   assert_int_equal(submit_syncs(both, 3, 1), 0);
   assert_int_equal(drmSyncobjQuery(fd, &timeline, &point, 1), 0);
   assert_int_equal(point, 9);

   const struct {
      struct drm_asahi_sync sync;
      bool out;
      int result;
   } rows[] = {
      {{B, binary, 1}, false, -EINVAL}, {{B, binary, 1}, true, -EINVAL},     {{2, binary, 0}, false, -EINVAL},
      {{B, 100, 0}, false, -ENOENT},    {{T, 100, 1}, true, -ENOENT},        {{B, empty, 0}, false, -EINVAL},
      {{T, empty, 1}, false, -EINVAL},  {{T, timeline, 10}, false, -EINVAL},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
      assert_int_equal(submit_syncs(&rows[i].sync, !rows[i].out, rows[i].out), rows[i].result);
   assert_int_equal(submit_syncs((void *)BAD_POINTER, 1, 0), -EFAULT);
   assert_int_equal(submit_syncs(out, UINT32_MAX, UINT32_MAX), -ENOMEM);

   /* What is refused signals nothing. */
   struct drm_asahi_sync first[] = {{B, empty, 0}, {B, 100, 0}};
   assert_int_equal(submit_syncs(first, 0, 2), -ENOENT);
   assert_int_not_equal(drmSyncobjWait(fd, &empty, 1, 0, 0, NULL), 0);
}

/* A submit waits for a fence that a test signals later, and those after it wait for the submit. */
static void
later_fence(void **state)
{
   uint32_t in, done[2], one = 1;
   struct { /* of sw_sync, which has no header */
      uint32_t value;
      char name[32];
      int32_t fence;
   } fence = {.value = 1};
   int timeline = open("/sys/kernel/debug/sync/sw_sync", O_RDWR | O_CLOEXEC);
   assert_true(timeline >= 0);
   assert_int_equal(ioctl(timeline, _IOWR('W', 0, fence), &fence), 0);
   assert_int_equal(drmSyncobjCreate(fd, 0, &in), 0);
   assert_int_equal(drmSyncobjImportSyncFile(fd, in, fence.fence), 0);
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(drmSyncobjCreate(fd, 0, &done[i]), 0);
      const struct drm_asahi_sync syncs[] = {{DRM_ASAHI_SYNC_SYNCOBJ, in, 0}, {DRM_ASAHI_SYNC_SYNCOBJ, done[i], 0}};
      assert_int_equal(submit_syncs(syncs + i, !i, 1), 0);
   }
   for (unsigned i = 0; i < 2; i++)
      assert_int_equal(drmSyncobjWait(fd, &done[i], 1, 0, 0, NULL), -ETIME);
   assert_int_equal(ioctl(timeline, _IOW('W', 1, uint32_t), &one), 0);
   for (unsigned i = 0; i < 2; i++)
      assert_int_equal(drmSyncobjWait(fd, &done[i], 1, INT64_MAX, 0, NULL), 0);
   close(fence.fence);
   close(timeline);
}

static uint64_t
time_now(void)
{
   struct drm_asahi_get_time args = {0};
   assert_int_equal(call(DRM_IOCTL_ASAHI_GET_TIME, &args), 0);
   return args.gpu_timestamp;
}

static void
timestamps(void **state)
{
   struct drm_asahi_cmd_render command = render();
   uint64_t times[5];
   command.ts_vtx = (struct drm_asahi_timestamps){{object, 0}, {object, 8}};
   command.ts_frag = (struct drm_asahi_timestamps){{object, 16}, {object, PAGE_B - 8}};
   uint64_t before = time_now();
   assert_int_equal(send_render(&command), 0);
   uint64_t after = time_now();
   /* The object is the second page of the buffer. */
   memcpy(times, memory + PAGE_B, 32);
   memcpy(times + 4, memory + 2 * PAGE_B - 8, 8);
   assert_true(before <= times[0] && times[0] <= times[1] && times[1] <= times[2] && times[2] <= times[4] &&
               times[4] <= after);
   assert_int_equal(times[3], 0);

   struct compute_cmdbuf compute = compute_at(VA);
   compute.compute.ts = (struct drm_asahi_timestamps){{0, 0}, {object, 24}};
   assert_int_equal(submit_bytes(queue, &compute, sizeof(compute)), 0);
   memcpy(times, memory + PAGE_B + 24, 8);
   assert_true(times[0] >= after);

   compute.compute.ts.end.offset = PAGE_B - 7;
   assert_int_equal(submit_bytes(queue, &compute, sizeof(compute)), -ERANGE);
   compute.compute.ts.end.offset = UINT32_MAX;
   assert_int_equal(submit_bytes(queue, &compute, sizeof(compute)), -ERANGE);
   /* The object keeps the buffer. */
   compute.compute.ts.end.offset = 24;
   uint32_t second = create_bo(PAGE_B, 0, 0);
   assert_int_equal(bind_op(vm, &(struct drm_asahi_gem_bind_op){RW, second, 0, PAGE_B, VA}), 0);
   assert_int_equal(drmCloseBufferHandle(fd, bo), 0);
   assert_int_equal(submit_bytes(queue, &compute, sizeof(compute)), 0);
   memcpy(times + 1, memory + PAGE_B + 24, 8);
   assert_true(times[1] >= times[0]);
}

/* A stream where nothing is bound for reading is a fault of the submit, which its fence tells. */
static void
faults(void **state)
{
   const uint32_t UNBIND = DRM_ASAHI_BIND_UNBIND;
   assert_int_equal(probe(queue, VA), 1);
   assert_int_equal(probe(queue, VA + 2 * PAGE_B - 4), 1);
   assert_int_equal(probe(queue, VA + 2 * PAGE_B), -EIO);
   assert_int_equal(probe(queue, VA - 1), -EIO);
   assert_int_equal(probe(queue, 0), -EIO);
   assert_int_equal(probe(queue, UINT64_MAX), -EIO);
   assert_int_equal(probe(queue, VA), 1); /* the queue continues */

   assert_int_equal(bind_op(vm, &(struct drm_asahi_gem_bind_op){UNBIND, 0, 0, PAGE_B, VA}), 0);
   assert_int_equal(probe(queue, VA), -EIO);
   assert_int_equal(probe(queue, VA + PAGE_B), 1);
   assert_int_equal(bind_op(vm, &(struct drm_asahi_gem_bind_op){DRM_ASAHI_BIND_WRITE, bo, 0, PAGE_B, VA}), 0);
   assert_int_equal(probe(queue, VA), -EIO);
   /* Closing the buffer unbinds it, in all address spaces of the file. */
   assert_int_equal(drmCloseBufferHandle(fd, bo), 0);
   assert_int_equal(probe(queue, VA + PAGE_B), -EIO);

   /* A queue outlives its address space, which is empty then. */
   uint32_t other = create_bo(PAGE_B, DRM_ASAHI_GEM_VM_PRIVATE, vm);
   assert_int_equal(bind_op(vm, &(struct drm_asahi_gem_bind_op){RW, other, 0, PAGE_B, VA}), 0);
   assert_int_equal(probe(queue, VA), 1);
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_DESTROY, &(struct drm_asahi_vm_destroy){.vm_id = vm}), 0);
   assert_int_equal(probe(queue, VA), -EIO);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(render_fields, setup, teardown),
      cmocka_unit_test_setup_teardown(payloads, setup, teardown),
      cmocka_unit_test_setup_teardown(counts_and_barriers, setup, teardown),
      cmocka_unit_test_setup_teardown(attachments, setup, teardown),
      cmocka_unit_test_setup_teardown(syncs, setup, teardown),
      cmocka_unit_test_setup_teardown(later_fence, setup, teardown),
      cmocka_unit_test_setup_teardown(timestamps, setup, teardown),
      cmocka_unit_test_setup_teardown(faults, setup, teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
