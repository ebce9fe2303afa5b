/* Descriptors that come to a process through a socket: of a node, and of a syncobj. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xf86drm.h>
#include <cmocka.h>

#define RENDER "/dev/dri/renderD128"

union control {
   struct cmsghdr header;
   char space[CMSG_SPACE(sizeof(int))];
};

static void
send_fd(int socket, int fd)
{
   union control control = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
   struct iovec io = {&(char){1}, 1};
   const struct msghdr message = {
      .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};
   memcpy(CMSG_DATA(&control.header), &fd, sizeof(int));
   assert_int_equal(sendmsg(socket, &message, 0), 1);
}

static int
receive_fd(int socket)
{
   char byte;
   int fd = -1;
   union control control;
   struct iovec io = {&byte, 1};
   struct msghdr message = {
      .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};
   if (recvmsg(socket, &message, 0) == 1)
      memcpy(&fd, CMSG_DATA(&control.header), sizeof(int));
   return fd;
}

static int
pass(int fd)
{
   int ends[2];
   assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends), 0);
   send_fd(ends[0], fd);
   const int received = receive_fd(ends[1]);
   assert_true(received >= 0);
   close(ends[0]);
   close(ends[1]);
   return received;
}

static int
is_node(int fd)
{
   struct stat status;
   return !fstat(fd, &status) && S_ISCHR(status.st_mode) && status.st_rdev == makedev(226, 128);
}

static void
test_node(void **state)
{
   const int own = open(RENDER, O_RDWR | O_CLOEXEC), fd = pass(own);
   uint64_t value = 0;
   assert_true(is_node(fd));
   assert_int_equal(drmGetCap(fd, DRM_CAP_SYNCOBJ, &value), 0);
   close(fd);
   close(own);
}

/* A process of its own, which has not opened the node. */
static void
test_other_process(void **state)
{
   int ends[2], status, fd = open(RENDER, O_RDWR | O_CLOEXEC);
   char number[16];
   assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
   send_fd(ends[0], fd);
   snprintf(number, sizeof(number), "%d", ends[1]);
   const pid_t child = fork();
   if (!child) {
      execl("/proc/self/exe", "test_sent_fds", number, NULL);
      _exit(99);
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   close(ends[0]);
   close(ends[1]);
   close(fd);
}

static void
test_syncobj(void **state)
{
   const int drm = open(RENDER, O_RDWR | O_CLOEXEC);
   uint32_t syncobj, received, other, first;
   int own, fd, kept;
   assert_int_equal(drmSyncobjCreate(drm, 0, &other), 0);
   assert_int_equal(drmSyncobjHandleToFD(drm, other, &kept), 0);
   assert_int_equal(drmSyncobjCreate(drm, 0, &syncobj), 0);
   assert_int_equal(drmSyncobjHandleToFD(drm, syncobj, &own), 0);
   fd = pass(own);
   close(own); /* as libxcb does when it has sent one */
   assert_int_equal(drmSyncobjFDToHandle(drm, fd, &received), 0);
   assert_int_equal(drmSyncobjSignal(drm, &received, 1), 0);
   assert_int_equal(drmSyncobjWait(drm, &syncobj, 1, 0, 0, &first), 0);
   assert_int_not_equal(drmSyncobjWait(drm, &other, 1, 0, 0, &first), 0);
   /* It stays without handles as long as there is a descriptor. */
   assert_int_equal(drmSyncobjDestroy(drm, received), 0);
   assert_int_equal(drmSyncobjDestroy(drm, syncobj), 0);
   assert_int_equal(drmSyncobjFDToHandle(drm, fd, &received), 0);
   assert_int_equal(drmSyncobjWait(drm, &received, 1, 0, 0, &first), 0);
   assert_int_equal(drmSyncobjFDToHandle(drm, kept, &received), 0);
   close(fd);
   close(kept);
   close(drm);
}

static unsigned
count_fds(void)
{
   unsigned count = 0;
   for (int fd = 0; fd < 4096; fd++)
      count += fcntl(fd, F_GETFD) >= 0;
   return count;
}

/* Nobody has a handle, or a descriptor outside of the socket. */
static void
test_on_the_way(void **state)
{
   const int drm = open(RENDER, O_RDWR | O_CLOEXEC);
   uint32_t syncobj, first;
   int ends[2], own, fd;
   assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends), 0);
   assert_int_equal(drmSyncobjCreate(drm, DRM_SYNCOBJ_CREATE_SIGNALED, &syncobj), 0);
   assert_int_equal(drmSyncobjHandleToFD(drm, syncobj, &own), 0);
   send_fd(ends[0], own);
   close(own);
   assert_int_equal(drmSyncobjDestroy(drm, syncobj), 0);
   assert_int_equal(drmSyncobjCreate(drm, 0, &syncobj), 0);
   fd = receive_fd(ends[1]);
   assert_int_equal(drmSyncobjFDToHandle(drm, fd, &syncobj), 0);
   assert_int_equal(drmSyncobjWait(drm, &syncobj, 1, 0, 0, &first), 0);
   close(fd);
   close(ends[0]);
   close(ends[1]);
   close(drm);
}

static void
test_none_are_left(void **state)
{
   const int drm = open(RENDER, O_RDWR | O_CLOEXEC);
   uint32_t syncobj;
   int fd;
   assert_int_equal(drmSyncobjCreate(drm, 0, &syncobj), 0);
   const unsigned before = count_fds();
   for (unsigned i = 0; i < 100; i++) {
      assert_int_equal(drmSyncobjHandleToFD(drm, syncobj, &fd), 0);
      close(fd);
   }
   assert_int_equal(drmSyncobjCreate(drm, 0, &syncobj), 0);
   assert_int_equal(count_fds(), before);
   close(drm);
}

int
main(int argc, char **argv)
{
   if (argc > 1)
      return !is_node(receive_fd(atoi(argv[1])));
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_node),       cmocka_unit_test(test_other_process), cmocka_unit_test(test_syncobj),
      cmocka_unit_test(test_on_the_way), cmocka_unit_test(test_none_are_left),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
