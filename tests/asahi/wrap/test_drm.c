/* The tracer's front for Linux before a kernel that takes everything: what it says, what it records, what it hands
 * on, and that nothing wrong is more than a report. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "asahi/hw/records.h"
#include "fake_drm.h"

#define FD 5
#define VA UINT64_C(0x2000000000)
#define RW (DRM_ASAHI_BIND_READ | DRM_ASAHI_BIND_WRITE)

static struct {
   char *text, *recording;
   size_t text_B, recording_B;
   FILE *text_file, *recording_file;
   struct agx_tracer *wrap;
   struct agx_drm_file *file;
   uint32_t vm, bo, queue;
} t;

static int
call(unsigned long request, void *arg)
{
   errno = 0;
   return agx_drm_ioctl(t.file, FD, request, arg);
}

static uint32_t
create_bo(uint64_t size_B)
{
   struct drm_asahi_gem_create args = {.size = size_B};
   assert_int_equal(call(DRM_IOCTL_ASAHI_GEM_CREATE, &args), 0);
   return args.handle;
}

static int
bind_op(struct drm_asahi_gem_bind_op op)
{
   struct drm_asahi_vm_bind args = {.vm_id = t.vm, .num_binds = 1, .stride = sizeof(op), .userptr = (uintptr_t)&op};
   return call(DRM_IOCTL_ASAHI_VM_BIND, &args);
}

static int
bind_bo(uint32_t handle, uint64_t va, uint64_t size_B, uint64_t offset_B)
{
   return bind_op((struct drm_asahi_gem_bind_op){RW, handle, offset_B, size_B, va});
}

static int
setup(void **state)
{
   (void)state;
   fake_drm_reset();
   t.text_file = open_memstream(&t.text, &t.text_B);
   t.recording_file = open_memstream(&t.recording, &t.recording_B);
   t.wrap = agx_wrap_create(&(struct agx_wrap_settings){"m1", AGX_G13, t.text_file, t.recording_file, 0});
   t.file = agx_drm_file_open(&fake_drm_kernel, t.wrap);
   struct drm_asahi_vm_create vm = {.kernel_start = 1, .kernel_end = 2};
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_CREATE, &vm), 0);
   t.vm = vm.vm_id;
   t.bo = create_bo(FAKE_BO_B);
   assert_int_equal(bind_bo(t.bo, VA, FAKE_BO_B, 0), 0);
   struct drm_asahi_queue_create queue = {.vm_id = t.vm, .usc_exec_base = 0x1100000000};
   assert_int_equal(call(DRM_IOCTL_ASAHI_QUEUE_CREATE, &queue), 0);
   t.queue = queue.queue_id;
   assert_int_equal(agx_wrap_reports(t.wrap), 0);
   return 0;
}

static int
teardown(void **state)
{
   (void)state;
   agx_drm_file_close(t.file);
   agx_wrap_destroy(t.wrap);
   fclose(t.text_file);
   fclose(t.recording_file);
   free(t.text);
   free(t.recording);
   return 0;
}

static bool
has(FILE *file, char *const *text, const char *line)
{
   fflush(file);
   return strstr(*text, line);
}

static void
said(const char *line)
{
   if (!has(t.text_file, &t.text, line))
      fail_msg("\"%s\" is not in:\n%s", line, t.text);
}

static void
recorded(const char *line)
{
   if (!has(t.recording_file, &t.recording, line))
      fail_msg("\"%s\" is not in:\n%s", line, t.recording);
}

/* One report more, which says so. */
static void
reported(unsigned before, const char *line)
{
   assert_int_equal(agx_wrap_reports(t.wrap), before + 1);
   said(line);
}

/* The header and the struct of dispatches, whose stream is at va. */
struct dispatches {
   struct drm_asahi_cmd_header header;
   struct drm_asahi_cmd_compute compute;
};

static struct dispatches
dispatches(uint64_t va)
{
   return (struct dispatches){{DRM_ASAHI_CMD_COMPUTE, sizeof(struct drm_asahi_cmd_compute), 0, 0},
                              {.cdm_ctrl_stream_base = va}};
}

static int
submit(struct drm_asahi_submit *args)
{
   return call(DRM_IOCTL_ASAHI_SUBMIT, args);
}

static int
submit_stream(uint64_t va)
{
   struct dispatches commands = dispatches(va);
   return submit(&(struct drm_asahi_submit){
      .queue_id = t.queue, .cmdbuf = (uintptr_t)&commands, .cmdbuf_size = sizeof(commands)});
}

static void
put_end(uint64_t offset_B)
{
   assert_non_null(fake_drm.maps[t.bo]);
   agx_cdm_stream_terminate_pack((char *)fake_drm.maps[t.bo] + offset_B, &(struct agx_cdm_stream_terminate){0});
}

static void
test_submit(void **state)
{
   (void)state;
   put_end(0x4010);
   assert_int_equal(submit_stream(VA + 0x4010), 0);
   assert_int_equal(agx_wrap_reports(t.wrap), 0);
   said("VM_BIND vm 1: 0x2000000000, 0x10000 bytes: rw of handle 2 at 0x0\n");
   said("SUBMIT queue 3, 72 bytes, waits for 0, signals 0\n");
   said("2000004010   CDM_STREAM_TERMINATE\n");
   recorded("indium recording 1\ndevice asahi m1\nmemory 1 0x10000\nmap 1 0x2000000000 0x10000 rwx 1 0x0\n"
            "write 1 0x4010\n  40000000\nsubmit 1 queue # queue 3, submit 1\n  usc 0x1100000000\n"
            "  words 00400001 00000000 00000000 00000000 00004010 00000020 ");
   assert_false(has(t.recording_file, &t.recording, "wrote"));
}

/* A sync object more is signalled, and waited for; the caller's list and argument stay. */
static void
test_waits(void **state)
{
   (void)state;
   put_end(0);
   struct dispatches commands = dispatches(VA);
   struct drm_asahi_sync syncs[2] = {{DRM_ASAHI_SYNC_SYNCOBJ, 7, 0}, {DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ, 8, 9}};
   struct drm_asahi_submit args = {.syncs = (uintptr_t)syncs,
                                   .in_sync_count = 1,
                                   .out_sync_count = 1,
                                   .queue_id = t.queue,
                                   .cmdbuf = (uintptr_t)&commands,
                                   .cmdbuf_size = sizeof(commands)},
                           before = args;
   assert_int_equal(submit(&args), 0);
   assert_memory_equal(&args, &before, sizeof(args));
   assert_int_equal(fake_drm.submit.in_sync_count, 1);
   assert_int_equal(fake_drm.submit.out_sync_count, 2);
   assert_int_equal(fake_drm.last_sync.handle, 1000);
   assert_int_equal(fake_drm.last_sync.sync_type, DRM_ASAHI_SYNC_SYNCOBJ);
   assert_int_equal(fake_drm.waits, 2); /* a signal came between */
   assert_int_equal(agx_wrap_reports(t.wrap), 0);

   args.syncs = 16;
   assert_int_equal(submit(&args), -1); /* the kernel cannot read them either */
   assert_int_equal(errno, EFAULT);
   reported(0, "# SUBMIT: its 2 sync objects cannot be read\n");
   said("SUBMIT: Bad address\n");
   assert_int_equal(fake_drm.submit.out_sync_count, 1);
   args.syncs = (uintptr_t)syncs;
   args.in_sync_count = UINT32_MAX;
   assert_int_equal(submit(&args), -1);
   reported(1, "# SUBMIT: its end cannot be waited for\n");
}

/* Each goes to the kernel as it is, whatever the tracer thinks of it. */
static void
test_bad_submits(void **state)
{
   (void)state;
   struct dispatches commands = dispatches(VA);
   struct drm_asahi_submit good = {.queue_id = t.queue,
                                   .cmdbuf = (uintptr_t)&commands,
                                   .cmdbuf_size = sizeof(commands)},
                           args = good;
   args.queue_id = 99;
   assert_int_equal(submit(&args), 0);
   reported(0, "# SUBMIT: queue 99, or its vm, was not seen before\n");
   args = good;
   args.cmdbuf = 16;
   assert_int_equal(submit(&args), 0);
   reported(1, "# SUBMIT: 72 bytes of commands at 0x10 cannot be read\n");
   args.cmdbuf_size = UINT32_MAX;
   assert_int_equal(submit(&args), 0);
   reported(2, "# SUBMIT: 4294967295 bytes of commands, which no kernel takes\n");
   assert_int_equal(fake_drm.submits, 3);
   assert_int_equal(call(DRM_IOCTL_ASAHI_SUBMIT & ~IOCSIZE_MASK, &good), 0);
   reported(3, "# SUBMIT: its argument has another size, or cannot be read\n");
   /* Commands that are none, and a stream that nobody has bound. */
   args = good;
   args.cmdbuf_size = 5;
   assert_int_equal(submit(&args), 0);
   reported(4, "# 5 bytes are no command\n");
   assert_int_equal(submit_stream(VA + FAKE_BO_B), 0);
   reported(5, "# a stream: no memory\n");
   assert_false(has(t.recording_file, &t.recording, "queue 99"));
   /* What the kernel refuses is in no recording. */
   fake_drm.error = EINVAL;
   put_end(0);
   assert_int_equal(submit_stream(VA), -1);
   assert_int_equal(errno, EINVAL);
   said("SUBMIT: Invalid argument\n");
   assert_false(has(t.recording_file, &t.recording, "submit 3"));
}

static void
test_without_syncobj(void **state)
{
   (void)state;
   fake_drm.no_syncobj = true;
   put_end(0);
   assert_int_equal(submit_stream(VA), 0);
   reported(0, "# SUBMIT: its end cannot be waited for\n");
   assert_int_equal(fake_drm.submits, 1);
   assert_int_equal(fake_drm.waits, 0);
   recorded("submit 1 queue");
}

/* Over a part of what was there, a page again and again, nothing again. */
static void
test_binds(void **state)
{
   (void)state;
   uint32_t other = create_bo(2 * FAKE_PAGE_B);
   assert_int_equal(bind_bo(other, VA + FAKE_PAGE_B, FAKE_PAGE_B, FAKE_PAGE_B), 0);
   recorded("unmap 1 0x2000004000 0x4000\nmemory 2 0x8000\nmap 1 0x2000004000 0x4000 rwx 2 0x4000\n");
   assert_int_equal(bind_op((struct drm_asahi_gem_bind_op){DRM_ASAHI_BIND_READ | DRM_ASAHI_BIND_SINGLE_PAGE, other, 0,
                                                           2 * FAKE_PAGE_B, 2 * VA}),
                    0);
   said("0x4000000000, 0x8000 bytes: r one page again and again of handle 4 at 0x0\n");
   recorded("map 1 0x4000000000 0x4000 rx 2 0x0\nmap 1 0x4000004000 0x4000 rx 2 0x0\n");
   agx_cdm_stream_terminate_pack(fake_drm.maps[other], &(struct agx_cdm_stream_terminate){0});
   assert_int_equal(submit_stream(2 * VA + FAKE_PAGE_B), 0);
   said("4000004000   CDM_STREAM_TERMINATE\n");
   assert_int_equal(bind_op((struct drm_asahi_gem_bind_op){DRM_ASAHI_BIND_UNBIND, 0, 0, FAKE_PAGE_B, 2 * VA}), 0);
   recorded("unmap 1 0x4000000000 0x4000\n");
   assert_int_equal(agx_wrap_reports(t.wrap), 0);
   assert_int_equal(submit_stream(2 * VA), 0);
   reported(0, "4000000000   # a stream: no memory\n");
   /* A closed handle is bound nowhere. */
   struct drm_gem_close close = {.handle = other};
   assert_int_equal(call(DRM_IOCTL_GEM_CLOSE, &close), 0);
   recorded("unmap 1 0x2000004000 0x4000\nunmap 1 0x4000004000 0x4000\nfree 2\n");
   assert_int_equal(bind_bo(t.bo, 3 * VA, 0, 0), 0);
   assert_int_equal(agx_wrap_reports(t.wrap), 1);
}

static void
test_bad_binds(void **state)
{
   (void)state;
   assert_int_equal(bind_bo(99, VA, FAKE_PAGE_B, 0), 0);
   reported(0, "# VM_BIND: handle 99 was not seen before\n");
   assert_int_equal(bind_bo(t.bo, VA, FAKE_BO_B, FAKE_PAGE_B), 0);
   reported(1, "# 0x2000000000: 0x10000 bytes: more bytes than the memory has\n");
   assert_int_equal(bind_bo(t.bo, VA, FAKE_PAGE_B, UINT64_MAX - 1), 0);
   reported(2, "# 0x2000000000: 0x4000 bytes: more bytes than the memory has\n");
   assert_int_equal(bind_bo(t.bo, UINT64_MAX - 5, FAKE_PAGE_B, 0), 0);
   reported(3, "bytes: more addresses than there are\n");
   assert_int_equal(bind_bo(t.bo, VA + 5, FAKE_PAGE_B, 0), 0);
   reported(4, "# 0x2000000005: 0x4000 bytes that the recording cannot show\n");
   struct drm_asahi_gem_bind_op op = {RW | DRM_ASAHI_BIND_SINGLE_PAGE, t.bo, 0, UINT64_C(1) << 38, VA};
   assert_int_equal(bind_op(op), 0);
   reported(5, "more often than a recording takes\n");
   struct drm_asahi_vm_bind args = {.vm_id = t.vm, .num_binds = 3, .stride = sizeof(op), .userptr = 16};
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_BIND, &args), 0);
   reported(6, "# VM_BIND: bind 0 of 3 cannot be read\n");
   args.vm_id = 99;
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_BIND, &args), 0);
   reported(7, "# VM_BIND: vm 99 was not seen before\n");
   args = (struct drm_asahi_vm_bind){.vm_id = t.vm, .num_binds = UINT32_MAX};
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_BIND, &args), 0);
   fake_drm.no_mmap = true;
   uint32_t dark = create_bo(FAKE_PAGE_B);
   assert_int_equal(bind_bo(dark, VA, FAKE_PAGE_B, 0), 0);
   said("# handle 4: its 0x4000 bytes cannot be mapped, and will not be seen\n");
   assert_int_equal(agx_wrap_reports(t.wrap), 10);
}

static void
test_unknown_numbers(void **state)
{
   (void)state;
   assert_int_equal(call(DRM_IOCTL_GEM_CLOSE, &(struct drm_gem_close){.handle = 99}), 0);
   reported(0, "# GEM_CLOSE: handle 99 was not seen before\n");
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_DESTROY, &(struct drm_asahi_vm_destroy){.vm_id = 99}), 0);
   reported(1, "# VM_DESTROY: vm 99 was not seen before\n");
   assert_int_equal(call(DRM_IOCTL_ASAHI_QUEUE_DESTROY, &(struct drm_asahi_queue_destroy){.queue_id = 99}), 0);
   reported(2, "# QUEUE_DESTROY: queue 99 was not seen before\n");
   assert_int_equal(call(DRM_IOCTL_ASAHI_QUEUE_CREATE, &(struct drm_asahi_queue_create){.vm_id = 99}), 0);
   reported(3, "# QUEUE_CREATE: vm 99 was not seen before\n");
   assert_int_equal(call(DRM_IOCTL_ASAHI_VM_DESTROY, &(struct drm_asahi_vm_destroy){.vm_id = t.vm}), 0);
   recorded("unmap 1 0x2000000000 0x10000\n");
   assert_int_equal(submit_stream(VA), 0);
   reported(4, "or its vm, was not seen before\n");
   assert_int_equal(call(DRM_IOCTL_ASAHI_QUEUE_DESTROY, &(struct drm_asahi_queue_destroy){.queue_id = t.queue}), 0);
   /* Numbers that come again without having gone. */
   fake_drm.next = t.bo;
   assert_int_equal(create_bo(FAKE_PAGE_B), t.bo);
   recorded("free 1\n");
   assert_int_equal(agx_wrap_reports(t.wrap), 5);
}

/* A buffer of another process has the size of its file. */
static void
test_import(void **state)
{
   (void)state;
   int fd = memfd_create("buffer", 0);
   assert_int_equal(ftruncate(fd, 2 * FAKE_PAGE_B), 0);
   struct drm_prime_handle args = {.fd = fd};
   assert_int_equal(call(DRM_IOCTL_PRIME_FD_TO_HANDLE, &args), 0);
   assert_int_equal(bind_bo(args.handle, 2 * VA, 2 * FAKE_PAGE_B, 0), 0);
   recorded("memory 2 0x8000\n");
   close(fd);
   assert_int_equal(agx_wrap_reports(t.wrap), 0);
   assert_int_equal(call(DRM_IOCTL_PRIME_FD_TO_HANDLE, &args), 0);
   reported(0, "# PRIME_FD_TO_HANDLE: handle 5 has no size\n");
}

/* What fails has happened to nobody. */
static void
test_failures(void **state)
{
   (void)state;
   const unsigned long requests[] = {DRM_IOCTL_ASAHI_VM_CREATE,    DRM_IOCTL_ASAHI_VM_DESTROY,
                                     DRM_IOCTL_ASAHI_VM_BIND,      DRM_IOCTL_ASAHI_GEM_CREATE,
                                     DRM_IOCTL_ASAHI_QUEUE_CREATE, DRM_IOCTL_ASAHI_QUEUE_DESTROY,
                                     DRM_IOCTL_GEM_CLOSE,          DRM_IOCTL_PRIME_FD_TO_HANDLE,
                                     DRM_IOCTL_ASAHI_GET_PARAMS,   DRM_IOCTL_ASAHI_GET_TIME};
   uint64_t zeros[16] = {0};
   fake_drm.error = EPERM;
   for (unsigned i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
      assert_int_equal(call(requests[i], zeros), -1);
      assert_int_equal(errno, EPERM);
   }
   said("VM_CREATE: Operation not permitted\n");
   assert_int_equal(agx_wrap_reports(t.wrap), 0);
   /* What others are none of its business. */
   assert_false(agx_drm_is_traced(DRM_IOCTL_MODE_ADDFB));
   assert_false(agx_drm_is_traced(DRM_IOCTL_SYNCOBJ_WAIT));
   assert_true(agx_drm_is_traced(DRM_IOCTL_ASAHI_SUBMIT));
   fake_drm.error = 0;
   assert_int_equal(call(DRM_IOCTL_ASAHI_GET_TIME, (void *)16), 0);
   reported(0, "# GET_TIME: its argument cannot be read\n");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
   const struct CMUnitTest tests[] = {
      TEST(test_submit),          TEST(test_waits),  TEST(test_bad_submits),
      TEST(test_without_syncobj), TEST(test_binds),  TEST(test_bad_binds),
      TEST(test_unknown_numbers), TEST(test_import), TEST(test_failures),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
