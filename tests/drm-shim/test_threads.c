/* Threads that open, close, duplicate, map and call ioctls on the same descriptors of the node, as no program should:
 * calls may fail, and the process continues. Any vendor's shim is preloaded. Arguments: calls a thread. */
#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#define NODE "/dev/dri/renderD128"
#define THREADS 4
#define PLACES 8
#define ARG_B 128

/* TSan takes the use of a descriptor that another thread closes for a race. Here it is what is tried. */
const char *__tsan_default_suppressions(void);
__attribute__((visibility("default"))) const char *
__tsan_default_suppressions(void)
{
   return "race_top:close\nrace_top:open\nrace_top:dup\nrace_top:fstat\nrace_top:fcntl\n";
}

static unsigned calls = 2000;
/* Descriptors that all threads know; -1: none. Who takes one out of its place is the only one to close it. */
static atomic_int places[PLACES];
static uint64_t zeros[512];
/* Of buffers that show memory of the application. */
#define PAGES 8
#define PAGE_B 4096
static char *pages;

struct thread {
   pthread_t id;
   uint64_t state;
   atomic_uint done[16]; /* calls of each kind */
};

static uint32_t
draw(struct thread *thread, uint32_t limit)
{
   thread->state = thread->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (uint32_t)(thread->state >> 33) % limit;
}

static int
any_fd(struct thread *thread)
{
   return atomic_load(&places[draw(thread, PLACES)]);
}

/* fd goes to a place, and what was there is closed. */
static void
put_fd(struct thread *thread, int fd)
{
   int old = fd < 0 ? -1 : atomic_exchange(&places[draw(thread, PLACES)], fd);
   if (old >= 0)
      close(old);
}

static void
open_node(struct thread *thread)
{
   put_fd(thread, open(NODE, O_RDWR | O_CLOEXEC));
}

static void
close_node(struct thread *thread)
{
   int fd = atomic_exchange(&places[draw(thread, PLACES)], -1);
   if (fd >= 0 && draw(thread, 2))
      close(fd);
   else if (fd >= 0)
      close_range((unsigned)fd, (unsigned)fd, 0);
}

static void
duplicate(struct thread *thread)
{
   int from = any_fd(thread);
   if (draw(thread, 2)) {
      put_fd(thread, draw(thread, 2) ? dup(from) : fcntl(from, F_DUPFD_CLOEXEC, 3));
      return;
   }
   int to = atomic_exchange(&places[draw(thread, PLACES)], -1);
   if (to >= 0 && from != to)
      dup3(from, to, O_CLOEXEC);
   put_fd(thread, to);
}

/* Handles, sizes, addresses, flags: often what a call takes. */
static uint64_t
word(struct thread *thread)
{
   switch (draw(thread, 8)) {
   case 0:
   case 1:
      return 0;
   case 2:
      return 4096u << draw(thread, 4);
   case 3:
      return draw(thread, 2) ? (uintptr_t)zeros : (uintptr_t)pages + draw(thread, PAGES) * PAGE_B;
   case 4:
      return (uint64_t)draw(thread, 4) << 32 | draw(thread, 4);
   case 5:
      return draw(thread, 1u << 31);
   default:
      return draw(thread, 6);
   }
}

static void
call_at_random(struct thread *thread, unsigned nr)
{
   uint64_t arg[ARG_B / 8];
   for (unsigned i = 0; i < ARG_B / 8; i++)
      arg[i] = word(thread);
   /* Nobody may ever count a fence of sw_sync up: no wait continues after the second second since the start. */
   arg[1] %= nr == _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT) ? 1u << 31 : UINT64_MAX;
   arg[2] %= nr == _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT) ? 1u << 31 : UINT64_MAX;
   ioctl(any_fd(thread), _IOC(_IOC_READ | _IOC_WRITE, 'd', nr, ARG_B), arg);
}

static void
call_vendor(struct thread *thread)
{
   call_at_random(thread, DRM_COMMAND_BASE + draw(thread, 24));
}

static void
call_syncobj(struct thread *thread)
{
   static const unsigned numbers[] = {
      _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE),
      _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY),
      _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT),
      _IOC_NR(DRM_IOCTL_SYNCOBJ_RESET),
      _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL),
      _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT),
      _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL),
      _IOC_NR(DRM_IOCTL_SYNCOBJ_TRANSFER),
      _IOC_NR(DRM_IOCTL_SYNCOBJ_QUERY),
      _IOC_NR(DRM_IOCTL_GEM_CLOSE),
   };
   call_at_random(thread, numbers[draw(thread, sizeof(numbers) / sizeof(numbers[0]))]);
}

static void
export_buffer(struct thread *thread)
{
   struct drm_prime_handle prime = {.handle = draw(thread, 6), .flags = DRM_CLOEXEC, .fd = -1};
   if (!ioctl(any_fd(thread), DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime)) {
      ioctl(any_fd(thread), DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime);
      close(prime.fd);
   }
}

static void
export_syncobj(struct thread *thread)
{
   struct drm_syncobj_handle args = {.handle = draw(thread, 6), .flags = draw(thread, 2), .fd = -1};
   if (!ioctl(any_fd(thread), DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &args))
      put_fd(thread, args.fd);
   args.flags = draw(thread, 2);
   args.fd = any_fd(thread);
   ioctl(any_fd(thread), DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &args);
}

static void
use_sync_file(struct thread *thread)
{
   struct sync_merge_data merge = {.fd2 = any_fd(thread)};
   struct sync_file_info info = {0};
   struct pollfd poll_fd = {any_fd(thread), POLLIN, 0};
   if (!ioctl(any_fd(thread), SYNC_IOC_MERGE, &merge))
      put_fd(thread, merge.fence);
   ioctl(any_fd(thread), SYNC_IOC_FILE_INFO, &info);
   poll(&poll_fd, 1, 0);
}

static void
use_sw_sync(struct thread *thread)
{
   struct {
      uint32_t value;
      char name[32];
      int32_t fence;
   } args = {.value = draw(thread, 64)};
   uint32_t count = draw(thread, 8);
   if (!draw(thread, 4))
      put_fd(thread, open("/sys/kernel/debug/sync/sw_sync", O_RDWR | O_CLOEXEC));
   if (!ioctl(any_fd(thread), _IOC(_IOC_READ | _IOC_WRITE, 'W', 0, sizeof(args)), &args))
      put_fd(thread, args.fence);
   ioctl(any_fd(thread), _IOC(_IOC_WRITE, 'W', 1, sizeof(count)), &count);
}

static void
map_buffer(struct thread *thread)
{
   off_t offset_B = (off_t)draw(thread, 6) << 36;
   void *map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, any_fd(thread), offset_B);
   if (map != MAP_FAILED)
      munmap(map, 4096);
}

/* Only of amdgpu: other vendors refuse the number, or the argument. */
static void
show_pages(struct thread *thread)
{
   const unsigned first = draw(thread, PAGES);
   struct {
      uint64_t address, size_B;
      uint32_t flags, handle;
   } args = {(uintptr_t)pages + first * PAGE_B, (1 + draw(thread, PAGES - first)) * PAGE_B, 1 /* READONLY */, 0};
   ioctl(any_fd(thread), _IOWR('d', DRM_COMMAND_BASE + 0x11, args), &args);
}

/* Nothing is left without a mapping, which others might get. */
static void
change_pages(struct thread *thread)
{
   char *page = pages + draw(thread, PAGES) * PAGE_B;
   switch (draw(thread, 4)) {
   case 0:
      mprotect(page, PAGE_B, draw(thread, 2) ? PROT_READ : PROT_READ | PROT_WRITE);
      break;
   case 1:
      madvise(page, PAGE_B, MADV_DONTNEED);
      break;
   case 2:
      assert_ptr_equal(mremap(page, PAGE_B, PAGE_B, 0), page);
      break;
   default:
      assert_ptr_equal(mmap(page, PAGE_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
                       page);
   }
   lseek(any_fd(thread), 0, SEEK_SET);
}

static void
look(struct thread *thread)
{
   char path[64], text[256];
   struct stat status;
   struct statx more;
   int fd = any_fd(thread);
   snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
   fstat(fd, &status);
   statx(fd, "", AT_EMPTY_PATH, STATX_ALL, &more);
   if (readlink(path, text, sizeof(text)) < 0)
      errno = 0;
   assert_int_equal(stat(NODE, &status), 0);
   assert_true(S_ISCHR(status.st_mode));
   assert_int_equal(access(NODE, R_OK | W_OK), 0);
}

static void (*const kinds[])(struct thread *thread) = {
   open_node,     close_node,     duplicate,     call_vendor, call_vendor, call_vendor, call_syncobj, call_syncobj,
   export_buffer, export_syncobj, use_sync_file, use_sw_sync, map_buffer,  look,        show_pages,   change_pages,
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void *
work(void *data)
{
   struct thread *thread = data;
   for (unsigned i = 0; i < calls; i++) {
      unsigned kind = draw(thread, KINDS);
      kinds[kind](thread);
      atomic_fetch_add(&thread->done[kind], 1);
   }
   return NULL;
}

static void
test_threads(void **state)
{
   static struct thread threads[THREADS];
   pages = mmap(NULL, PAGES * PAGE_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   for (unsigned i = 0; i < PLACES; i++)
      atomic_store(&places[i], open(NODE, O_RDWR | O_CLOEXEC));
   for (unsigned i = 0; i < THREADS; i++) {
      threads[i].state = i + 1;
      assert_int_equal(pthread_create(&threads[i].id, NULL, work, &threads[i]), 0);
   }
   for (unsigned i = 0; i < THREADS; i++)
      pthread_join(threads[i].id, NULL);
   for (unsigned kind = 0; kind < KINDS; kind++)
      assert_true(atomic_load(&threads[0].done[kind]) > 0);
   for (unsigned i = 0; i < PLACES; i++) {
      int fd = atomic_load(&places[i]);
      if (fd >= 0)
         assert_int_equal(close(fd), 0);
   }
}

/* After all this the device is as it was. */
static void
test_afterwards(void **state)
{
   char name[16] = "";
   struct drm_version version = {.name_len = sizeof(name) - 1, .name = name};
   struct drm_syncobj_create create = {.flags = DRM_SYNCOBJ_CREATE_SIGNALED};
   struct drm_syncobj_wait wait = {.handles = (uintptr_t)&create.handle, .count_handles = 1};
   int fd = open(NODE, O_RDWR | O_CLOEXEC);
   assert_int_equal(ioctl(fd, DRM_IOCTL_VERSION, &version), 0);
   assert_true(name[0]);
   assert_int_equal(ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &create), 0);
   assert_int_equal(create.handle, 1);
   assert_int_equal(ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait), 0);
   assert_int_equal(close(fd), 0);
   assert_int_equal(ioctl(fd, DRM_IOCTL_VERSION, &version), -1);
   assert_int_equal(errno, EBADF);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads), cmocka_unit_test(test_afterwards)};
   if (argc > 1)
      calls = (unsigned)atoi(argv[1]);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
