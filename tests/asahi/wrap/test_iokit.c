/* The tracer's front for macOS before an IOKit of the test's: each entry point, and each selector's request and
 * response, right and wrong. Layouts stand here by hand, as bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "asahi/hw/records.h"
#include "asahi/wrap/iokit_calls.h"
#include "asahi/wrap/wrap_macos.h"
#include "fake_iokit.h"

static char folder[] = "/tmp/indium-wrap-XXXXXX", text_path[64], recording_path[64];
static char text[1 << 20], recording[1 << 20];

static void
read_file(const char *path, char *into, size_t size_B)
{
   FILE *file = fopen(path, "re");
   assert_non_null(file);
   into[fread(into, 1, size_B - 1, file)] = 0;
   fclose(file);
}

/* The line stands in what was written, and how many reports do. */
static void
said(const char *line, unsigned reports)
{
   unsigned count = 0;
   read_file(text_path, text, sizeof(text));
   for (const char *at = text; (at = strstr(at, "# ")); at += 2)
      count++;
   if (!strstr(text, line) || count != reports)
      fail_msg("not \"%s\", or %u reports and not %u, in:\n%s", line, count, reports, text);
}

static void
recorded(const char *line)
{
   read_file(recording_path, recording, sizeof(recording));
   if (!strstr(recording, line))
      fail_msg("\"%s\" is not in:\n%s", line, recording);
}

static kern_return_t
call(uint32_t selector, const uint64_t *input, uint32_t input_count, const void *request, size_t request_B,
     void *response, size_t *response_B)
{
   /* size: as IOKit has it */
   return TRACED(IOConnectCallMethod)(FAKE_CONNECTION, selector, input, input_count, request, request_B, NULL, NULL,
                                      response, response_B);
}

static void
connect(void)
{
   assert_int_equal(call(AGX_IOKIT_SET_API, NULL, 0, "Metal\0\0\0\0\0\0\0\0\0\0", 16, NULL, NULL), 0);
}

static int
setup(void **state)
{
   (void)state;
   snprintf(text_path, sizeof(text_path), "%s/text.0000", folder);
   snprintf(recording_path, sizeof(recording_path), "%s/recording", folder);
   wrap_macos_reset();
   unlink(text_path);
   fake_iokit_reset();
   connect();
   return 0;
}

/* Words of a request of ALLOCATE_MEM: 24, mode the sixth, size the 17th, flags the 21st. */
static struct fake_allocated
allocate(uint32_t size_B)
{
   uint32_t request[24] = {[5] = 0x800, [16] = size_B, [20] = 0x48000000};
   struct fake_allocated response = {0};
   size_t response_B = sizeof(response);
   assert_int_equal(call(AGX_IOKIT_ALLOCATE_MEM, NULL, 0, request, sizeof(request), &response, &response_B), 0);
   return response;
}

static struct fake_shmem
create_shmem(uint64_t size_B)
{
   const uint64_t input[2] = {size_B, 0};
   struct fake_shmem response = {0};
   size_t response_B = sizeof(response);
   assert_int_equal(call(AGX_IOKIT_CREATE_SHMEM, input, 2, NULL, 0, &response, &response_B), 0);
   return response;
}

static uint64_t
create_queue(void)
{
   uint64_t response[2] = {0};
   size_t response_B = sizeof(response);
   assert_int_equal(call(AGX_IOKIT_CREATE_COMMAND_QUEUE, NULL, 0, "?", 1, response, &response_B), 0);
   return response[0];
}

static kern_return_t
call_number(uint32_t selector, uint64_t number)
{
   return TRACED(IOConnectCallScalarMethod)(FAKE_CONNECTION, selector, &number, 1, NULL, NULL);
}

static void
test_entry_points(void **state)
{
   (void)state;
   uint32_t size_B = 7;
   uint64_t reference[1] = {0}, input[2] = {1, 2};
   assert_int_equal(fake_dyld_count(), 11);
   assert_int_equal(TRACED(IOConnectCallScalarMethod)(FAKE_CONNECTION, 3, input, 2, NULL, NULL), 0);
   assert_true(!fake_iokit.is_async && fake_iokit.selector == 3 && fake_iokit.input_count == 2);
   said("selector 0x3 0x1 0x2, 0 bytes\n", 0);
   assert_int_equal(TRACED(IOConnectCallStructMethod)(FAKE_CONNECTION, 4, "abc", 4, NULL, NULL), 0);
   assert_true(!fake_iokit.is_async && fake_iokit.request_B == 4 && !strcmp(fake_iokit.request, "abc"));
   said("selector 0x4, 4 bytes\n  request +0: 61 62 63 00\n", 0);
   assert_int_equal(TRACED(IOConnectCallAsyncScalarMethod)(FAKE_CONNECTION, 3, 9, reference, 1, input, 1, NULL, NULL),
                    0);
   assert_true(fake_iokit.is_async && fake_iokit.wake_port == 9 && fake_iokit.input_count == 1);
   said("  comes back at port 0x9\n", 0);
   assert_int_equal(TRACED(IOConnectCallAsyncStructMethod)(FAKE_CONNECTION, 4, 8, reference, 1, "abc", 4, NULL, NULL),
                    0);
   assert_true(fake_iokit.is_async && fake_iokit.wake_port == 8 && fake_iokit.request_B == 4);
   assert_int_equal(TRACED(IOConnectCallAsyncMethod)(FAKE_CONNECTION, 5, 7, reference, 1, input, 1, "abc", 4, NULL,
                                                     NULL, NULL, NULL),
                    0);
   assert_true(fake_iokit.is_async && fake_iokit.selector == 5 && fake_iokit.request_B == 4);
   fake_iokit.result = 0x11;
   assert_int_equal(call(5, NULL, 0, NULL, 0, NULL, NULL), 0x11);
   said("  fails: 0x11\n", 0);
   assert_int_equal(TRACED(IOConnectSetNotificationPort)(FAKE_CONNECTION, 1, 2, 3), 0x11);
   assert_int_equal(TRACED(IODataQueueAllocateNotificationPort)(), 0x55);
   assert_int_equal(TRACED(IODataQueueWaitForAvailableData)(NULL, 2), 0x11);
   assert_null(TRACED(IODataQueuePeek)(NULL));
   assert_int_equal(TRACED(IODataQueueDequeue)(NULL, NULL, &size_B), 0x11);
   assert_int_equal(TRACED(IODataQueueDequeue)(NULL, NULL, NULL), 0x11);
   assert_int_equal(fake_iokit.notifications, 6);
   said("takes a notification of 7 bytes: 0x11\n", 0);
}

/* Others than the one that says which API it is go by. */
static void
test_connections(void **state)
{
   (void)state;
   said("SET_API \"Metal\"\n", 0);
   assert_int_equal(TRACED(IOConnectCallScalarMethod)(FAKE_CONNECTION + 1, 3, NULL, 0, NULL, NULL), 0);
   assert_int_equal(fake_iokit.calls, 2);
   read_file(text_path, text, sizeof(text));
   assert_null(strstr(text, "selector"));
   assert_int_equal(call(AGX_IOKIT_SET_API, NULL, 0, "abcdefghijklmnop", 16, NULL, NULL), 0);
   said("# SET_API: a name without an end\n", 1);
   assert_int_equal(call(AGX_IOKIT_SET_API, NULL, 0, "abc", 4, NULL, NULL), 0);
   said("# SET_API: a request of 4 bytes, not 16\n", 2);
   assert_int_equal(call(0x32, NULL, 0, NULL, 0, NULL, NULL), 0);
   said("# selector 0x32: there are 0x32\n", 3);
   assert_int_equal(call(UINT32_MAX, NULL, 0, NULL, 0, NULL, NULL), 0);
   said("# selector 0xffffffff: there are 0x32\n", 4);
}

static void
test_memory(void **state)
{
   (void)state;
   struct fake_allocated memory = allocate(0x8000);
   uint32_t mode;
   memcpy(&mode, fake_iokit.request + 20, 4);
   assert_int_equal(mode, 0xc30); /* so that it can be seen */
   said("ALLOCATE_MEM, 96 bytes\n  IOKIT_ALLOCATE_REQUEST mode=0x800 size_B=32768 flags=CODE\n", 0);
   said("gpu_va=0x1500000000", 0);
   recorded("memory 1 0x8000\nmap 1 0x1500000000 0x8000 rwx 1 0x0\n");
   assert_int_equal(call_number(AGX_IOKIT_FREE_MEM, memory.handle), 0);
   assert_int_equal(call_number(AGX_IOKIT_FREE_MEM, memory.handle), 0);
   said("# FREE_MEM: 0x1 was not seen before\n", 1);
   assert_int_equal(call(AGX_IOKIT_FREE_MEM, NULL, 0, NULL, 0, NULL, NULL), 0);
   said("# FREE_MEM: 0 numbers, not 1\n", 2);
   assert_int_equal(call(AGX_IOKIT_FREE_MEM, (void *)16, 1, NULL, 0, NULL, NULL), 0);
   said("# FREE_MEM: its 1 numbers cannot be read\n", 4);
   said("# FREE_MEM: its numbers or its request of 0 bytes cannot be read\n", 4);
}

static void
test_bad_memory(void **state)
{
   (void)state;
   uint32_t request[26] = {[16] = 0x4000};
   struct fake_allocated response;
   size_t response_B = sizeof(response);
   assert_int_equal(call(AGX_IOKIT_ALLOCATE_MEM, NULL, 0, request, 90, &response, &response_B), 0);
   said("# ALLOCATE_MEM: a request of 90 bytes, not 96\n", 1);
   response_B = sizeof(response);
   assert_int_equal(call(AGX_IOKIT_ALLOCATE_MEM, NULL, 0, request, 104, &response, &response_B), 0);
   said("# ALLOCATE_MEM: a request of 90 bytes, not 96\n", 1);
   fake_iokit.response_B = 72;
   response_B = sizeof(response);
   assert_int_equal(call(AGX_IOKIT_ALLOCATE_MEM, NULL, 0, request, 96, &response, &response_B), 0);
   said("# ALLOCATE_MEM: a response of 72 bytes, not 80\n", 2);
   fake_iokit.response_B = 0;
   assert_int_equal(call(AGX_IOKIT_ALLOCATE_MEM, NULL, 0, request, 96, NULL, NULL), 0);
   said("# ALLOCATE_MEM: a response of 0 bytes, not 80\n", 3);
   fake_iokit.no_cpu = true;
   allocate(0x4000);
   said("cannot be seen\n", 5); /* and not recorded */
   fake_iokit.no_cpu = false;
   fake_iokit.gpu_va = UINT64_MAX - 0x1000;
   allocate(0x4000);
   said("bytes: more addresses than there are\n", 6);
   fake_iokit.next = 1;
   fake_iokit.gpu_va = 0x1500000000;
   allocate(0x4000);
   said("# ALLOCATE_MEM: handle 1 was there already\n", 7);
}

static void
test_shmem(void **state)
{
   (void)state;
   struct fake_shmem shmem = create_shmem(0x4000);
   said("CREATE_SHMEM 0x4000 0x0, 0 bytes\n  IOKIT_SHMEM_RESPONSE map=0x", 0);
   assert_int_equal(call_number(AGX_IOKIT_FREE_SHMEM, shmem.id), 0);
   said("FREE_SHMEM 0x1, 0 bytes\n", 0);
   assert_int_equal(call_number(AGX_IOKIT_FREE_SHMEM, 99), 0);
   said("# FREE_SHMEM: 0x63 was not seen before\n", 1);
   fake_iokit.next = 5;
   create_shmem(1);
   fake_iokit.next = 5;
   create_shmem(1);
   said("# CREATE_SHMEM: 5 was there already\n", 2);
   const uint64_t input[3] = {1, 2, 3};
   assert_int_equal(call(AGX_IOKIT_CREATE_SHMEM, input, 3, NULL, 0, &shmem, &(size_t){sizeof(shmem)}), 0);
   said("# CREATE_SHMEM: 3 numbers, not 2\n", 3);
   fake_iokit.response_B = 8;
   assert_int_equal(call(AGX_IOKIT_CREATE_SHMEM, input, 2, NULL, 0, &shmem, &(size_t){sizeof(shmem)}), 0);
   said("# CREATE_SHMEM: a response of 8 bytes, not 16\n", 4);
}

static void
test_queues(void **state)
{
   (void)state;
   uint64_t queue = create_queue(), response[2];
   said("CREATE_COMMAND_QUEUE, 1 bytes\n", 0);
   said("  IOKIT_QUEUE_RESPONSE id=1 unk_64=0x7f\n", 0);
   assert_int_equal(call_number(AGX_IOKIT_FREE_COMMAND_QUEUE, queue), 0);
   assert_int_equal(call_number(AGX_IOKIT_FREE_COMMAND_QUEUE, queue), 0);
   said("# FREE_COMMAND_QUEUE: 0x1 was not seen before\n", 1);
   fake_iokit.response_B = 4;
   assert_int_equal(call(AGX_IOKIT_CREATE_COMMAND_QUEUE, NULL, 0, NULL, 0, response, &(size_t){16}), 0);
   said("# CREATE_COMMAND_QUEUE: a response of 4 bytes, not 16\n", 2);
   fake_iokit.response_B = 0;
   assert_int_equal(call(AGX_IOKIT_CREATE_NOTIFICATION_QUEUE, NULL, 0, NULL, 0, response, &(size_t){16}), 0);
   said("  IOKIT_NOTIFICATION_RESPONSE queue=0x3 unk_64=0x7f\n", 2);
   assert_int_equal(call_number(AGX_IOKIT_FREE_NOTIFICATION_QUEUE, 3), 0);
   said("FREE_NOTIFICATION_QUEUE 0x3, 0 bytes\n", 2);
   assert_int_equal(call(AGX_IOKIT_GET_GLOBAL_IDS, NULL, 0, NULL, 0, response, &(size_t){16}), 0);
   said("GET_GLOBAL_IDS, 0 bytes\n  response +0: 04 00 00 00 00 00 00 00 7f", 2);
   assert_int_equal(call(AGX_IOKIT_GET_VERSION, NULL, 0, NULL, 0, response, &(size_t){16}), 0);
   said("GET_VERSION, 0 bytes\n  response +0: 05", 2);
}

/* A command buffer of dispatches, and the list of what it uses. */
struct submitted {
   struct fake_allocated memory;
   struct fake_shmem commands, segments;
   uint64_t queue;
   uint32_t request[2 + 10];
};

static struct submitted
prepare(void)
{
   struct submitted s = {
      .memory = allocate(0x4000), .commands = create_shmem(0x1000), .segments = create_shmem(0x400)};
   s.queue = create_queue();
   uint32_t *stream = (uint32_t *)(uintptr_t)s.memory.cpu;
   stream[4] = 0x40000000; /* the end of a stream */
   /* total size the second word, offsets and counts from the 10th on; kind the 14th; encoder the last two. */
   uint32_t header[16] = {0x10000, 64 + 384, 4, [12] = 0x30, [13] = 3, [14] = 0x10, [15] = 0x15};
   memcpy((void *)(uintptr_t)s.commands.map, header, sizeof(header));
   /* 48 bytes, the count of groups last; a group: six numbers, and how many of them count at its end. */
   uint32_t *segments = (uint32_t *)(uintptr_t)s.segments.map;
   segments[10] = segments[11] = 1;
   segments[12] = s.memory.handle;
   segments[12 + 15] = 1u << 16;
   s.request[1] = 1;
   s.request[2] = s.commands.id;
   s.request[3] = s.segments.id;
   return s;
}

static kern_return_t
submit(const struct submitted *s, size_t request_B)
{
   return call(AGX_IOKIT_SUBMIT_COMMAND_BUFFERS, &s->queue, 1, s->request, request_B, NULL, NULL);
}

static void
test_submit(void **state)
{
   (void)state;
   struct submitted s = prepare();
   assert_int_equal(submit(&s, 48), 0);
   said("SUBMIT_COMMAND_BUFFERS 0x4, 48 bytes\n  IOKIT_SUBMIT_HEADER count=1\n"
        "  IOKIT_SUBMIT_COMMAND command_buffer=2 segment_list=3\n",
        0);
   said("         0   IOGPU_COMPUTE\n", 0);
   said("1500000010     CDM_STREAM_TERMINATE\n", 0);
   recorded("submit 1 iogpu # command buffer 2, submit 1\n  usc 0x0\n  words 00010000 000001c0 00000004");
}

static void
test_refused(void **state)
{
   (void)state;
   struct submitted s = prepare();
   fake_iokit.result = 5;
   assert_int_equal(submit(&s, 48), 5);
   said("  fails: 0x5\n", 0);
   read_file(recording_path, recording, sizeof(recording));
   assert_null(strstr(recording, "submit"));
}

static void
test_bad_submits(void **state)
{
   (void)state;
   struct submitted good = prepare(), s = good;
   assert_int_equal(submit(&s, 47), 0);
   said("a request of 47 bytes that says 1 command buffers\n", 1);
   assert_int_equal(submit(&s, 7), 0);
   said("a request of 7 bytes, less than its header\n", 2);
   s.request[1] = UINT32_MAX;
   assert_int_equal(submit(&s, 48), 0);
   said("a request of 48 bytes that says 4294967295 command buffers\n", 3);
   s = good;
   s.queue = 77;
   assert_int_equal(submit(&s, 48), 0);
   said("# SUBMIT_COMMAND_BUFFERS: queue 0x4d was not seen before\n", 4);
   s = good;
   s.request[2] = 77;
   assert_int_equal(submit(&s, 48), 0);
   said("# command buffer 77 was not seen before", 5);
   s = good;
   s.request[3] = 77;
   assert_int_equal(submit(&s, 48), 0);
   said("# segment list 77 was not seen before", 6);
   uint32_t *segments = (uint32_t *)(uintptr_t)good.segments.map;
   segments[12] = 77;
   assert_int_equal(submit(&good, 48), 0);
   said("# resource 0x4d was not seen before\n", 7);
   segments[12 + 15] = 7u << 16;
   assert_int_equal(submit(&good, 48), 0);
   said("# a group of 7 resources, which has 6 places\n", 14); /* and none of the six was seen */
   segments[11] = UINT32_MAX;
   segments[12 + 15] = 0;
   assert_int_equal(submit(&good, 48), 0);
   said("# segment list 3 ends in group 15 of 4294967295\n", 15);
}

static void
test_bad_buffers(void **state)
{
   (void)state;
   struct submitted s = prepare();
   uint32_t *header = (uint32_t *)(uintptr_t)s.commands.map;
   header[1] = 0x1001;
   assert_int_equal(submit(&s, 48), 0);
   said("# command buffer 2: it says 4097 bytes, of which there are 4096\n", 1);
   header[1] = 63;
   assert_int_equal(submit(&s, 48), 0);
   said("# command buffer 2: it says 63 bytes", 2);
   header[1] = 64 + 383;
   assert_int_equal(submit(&s, 48), 0);
   said("# IOGPU_COMPUTE at byte 64 of a command buffer of 447\n", 3);
   header[1] = 64 + 384;
   header[9] = 1;
   header[10] = UINT32_MAX;
   assert_int_equal(submit(&s, 48), 0);
   said("# IOGPU_ATTACHMENT_COUNT at byte 4294967295 of a command buffer of 448\n", 4);
   header[10] = 448 - 16;
   header[(448 - 16) / 4 + 3] = 2;
   assert_int_equal(submit(&s, 48), 0);
   said("# IOGPU_ATTACHMENT at byte 448 of a command buffer of 448\n", 5);
   header[9] = 0;
   header[(448 - 16) / 4 + 3] = 0;
   header[14] = 0x4000;
   assert_int_equal(submit(&s, 48), 0);
   said("1500004000     # a stream: no memory\n", 6);
   header[14] = 0x10;
   header[16] = 1;
   assert_int_equal(submit(&s, 48), 0);
   said("# IOGPU_COMPUTE: bit 0 is set, which nobody knows\n", 7);
   /* Memory that is gone without a call. */
   fake_iokit.cpu = 16;
   struct fake_shmem gone = create_shmem(0x1000);
   s.request[2] = gone.id;
   assert_int_equal(submit(&s, 48), 0);
   said("# command buffer 5 was not seen before, or is shorter than its header\n", 8);
}

static int
teardown_group(void **state)
{
   (void)state;
   wrap_macos_reset();
   fake_iokit_reset();
   unlink(text_path);
   unlink(recording_path);
   return rmdir(folder);
}

int
main(void)
{
   char base[64];
   if (!mkdtemp(folder))
      return 2;
   snprintf(base, sizeof(base), "%s/recording", folder);
   setenv("INDIUM_WRAP", base, 1);
   snprintf(base, sizeof(base), "%s/text", folder);
   setenv("AGXDECODE_DUMP_FILE", base, 1);
#define TEST(name) cmocka_unit_test_setup(name, setup)
   const struct CMUnitTest tests[] = {
      TEST(test_entry_points), TEST(test_connections), TEST(test_memory), TEST(test_bad_memory),
      TEST(test_shmem),        TEST(test_queues),      TEST(test_submit), TEST(test_refused),
      TEST(test_bad_submits),  TEST(test_bad_buffers),
   };
   return cmocka_run_group_tests(tests, NULL, teardown_group);
}
