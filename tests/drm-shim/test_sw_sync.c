/* Timelines of sw_sync and the sync files of their fences, by drivers/dma-buf/sw_sync.c and sync_file.c. */
#include <errno.h>
#include <fcntl.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xf86drm.h>
#include <cmocka.h>

#define SW_SYNC "/sys/kernel/debug/sync/sw_sync"

/* The kernel has no header for these. */
struct create_args {
   uint32_t value;
   char name[32];
   int32_t fence;
};
struct deadline_args {
   uint64_t deadline_ns;
   uint32_t pad;
   int32_t fd;
};
struct set_deadline_args {
   uint64_t deadline_ns, pad;
};
#define CREATE_FENCE _IOWR('W', 0, struct create_args)
#define INC _IOW('W', 1, uint32_t)
#define GET_DEADLINE _IOWR('W', 2, struct deadline_args)
#define SET_DEADLINE _IOW('>', 5, struct set_deadline_args)

static int
open_timeline(void)
{
   int fd = open(SW_SYNC, O_RDWR | O_CLOEXEC);
   assert_true(fd >= 0);
   return fd;
}

static int
create(int timeline, uint32_t value)
{
   struct create_args args = {.value = value};
   assert_int_equal(ioctl(timeline, CREATE_FENCE, &args), 0);
   assert_true(fcntl(args.fence, F_GETFD) & FD_CLOEXEC);
   return args.fence;
}

static void
count_up(int timeline, uint32_t count)
{
   assert_int_equal(ioctl(timeline, INC, &count), 0);
}

static int
merge(int a, int b)
{
   struct sync_merge_data args = {.fd2 = b, .name = "both"};
   assert_int_equal(ioctl(a, SYNC_IOC_MERGE, &args), 0);
   return args.fence;
}

/* -errno, 0 or 1; poll must say the same. */
static int
status_of(int fence)
{
   struct sync_file_info info = {0};
   struct pollfd poll_fd = {.fd = fence, .events = POLLIN};
   assert_int_equal(ioctl(fence, SYNC_IOC_FILE_INFO, &info), 0);
   assert_int_equal(poll(&poll_fd, 1, 0), info.status != 0);
   return info.status;
}

static void
test_names(void **state)
{
   struct sync_fence_info fence_info;
   struct sync_file_info info = {.num_fences = 1, .sync_fence_info = (uintptr_t)&fence_info};
   unsigned long long context;
   unsigned seq;
   assert_int_equal(access(SW_SYNC, R_OK | W_OK), 0);
   prctl(PR_SET_NAME, "who opens it");
   int timeline = open_timeline(), fence = create(timeline, 7);
   assert_int_equal(ioctl(fence, SYNC_IOC_FILE_INFO, &info), 0);
   assert_int_equal(sscanf(info.name, "sw_sync-who opens it%llu-%u", &context, &seq), 2);
   assert_int_equal(seq, 7);
   assert_string_equal(fence_info.driver_name, "sw_sync");
   assert_string_equal(fence_info.obj_name, "who opens it");
   assert_int_equal(fence_info.timestamp_ns, 0);
   count_up(timeline, 7);
   assert_int_equal(ioctl(fence, SYNC_IOC_FILE_INFO, &info), 0);
   assert_int_equal(fence_info.status, 1);
   assert_true(fence_info.timestamp_ns);
   close(fence);
   close(timeline);
}

static int
error_of(int fd, unsigned long request, void *arg)
{
   return ioctl(fd, request, arg) ? errno : 0;
}

static void
test_errors(void **state)
{
   int timeline = open_timeline(), fence = create(timeline, 1);
   struct create_args args = {.value = 1};
   struct set_deadline_args set = {.deadline_ns = 1, .pad = 1};
   uint32_t count = 1;
   assert_int_equal(error_of(timeline, _IOW('W', 1, uint64_t), &args), ENOTTY);
   assert_int_equal(error_of(timeline, _IO('W', 3), NULL), ENOTTY);
   assert_int_equal(error_of(timeline, SYNC_IOC_FILE_INFO, &args), ENOTTY);
   assert_int_equal(error_of(timeline, CREATE_FENCE, NULL), EFAULT);
   assert_int_equal(error_of(timeline, INC, NULL), EFAULT);
   assert_int_equal(error_of(fence, INC, &count), ENOTTY);
   assert_int_equal(error_of(timeline, GET_DEADLINE, &(struct deadline_args){.fd = timeline}), EINVAL);
   assert_int_equal(error_of(timeline, GET_DEADLINE, &(struct deadline_args){.fd = fence, .pad = 1}), EINVAL);
   assert_int_equal(error_of(timeline, GET_DEADLINE, &(struct deadline_args){1, 0, fence}), EINVAL);
   assert_int_equal(error_of(fence, SET_DEADLINE, &set), EINVAL);
   assert_int_equal(error_of(fence, SET_DEADLINE, NULL), EFAULT);
   assert_int_equal(status_of(fence), 0);
   close(fence);
   assert_int_equal(close(timeline), 0);
   assert_int_equal(error_of(timeline, INC, &count), EBADF);
}

/* Of files without these operations; and a timeline may be opened by stdio. */
static void
test_no_file(void **state)
{
   FILE *stream = fopen(SW_SYNC, "r+e");
   assert_non_null(stream);
   int fence = create(fileno(stream), 1);
   const int fds[] = {fileno(stream), fence};
   char byte = 0;
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(read(fds[i], &byte, 1), -1);
      assert_int_equal(errno, EINVAL);
      assert_int_equal(write(fds[i], &byte, 1), -1);
      assert_int_equal(errno, EINVAL);
      assert_int_equal(lseek(fds[i], 5, SEEK_SET), -1);
      assert_int_equal(errno, ESPIPE);
   }
   assert_int_equal(status_of(fence), 0);
   count_up(fileno(stream), 1);
   assert_int_equal(status_of(fence), 1);
   int left = create(fileno(stream), 2);
   fclose(stream);
   assert_int_equal(status_of(left), -ENOENT);
   close(fence);
   close(left);
   /* A stream of the node is an open of it. */
   stream = fopen("/dev/dri/renderD128", "r+");
   assert_non_null(stream);
   drmVersionPtr version = drmGetVersion(fileno(stream));
   assert_non_null(version);
   drmFreeVersion(version);
   assert_int_equal(write(fileno(stream), &byte, 1), -1);
   assert_int_equal(errno, EINVAL);
   fclose(stream);
}

static uint64_t
deadline_of(int timeline, int fence)
{
   struct deadline_args args = {.fd = fence};
   int error = error_of(timeline, GET_DEADLINE, &args);
   assert_true(error == 0 || error == ENOENT);
   return args.deadline_ns;
}

static void
set_deadline(int fence, uint64_t deadline_ns)
{
   struct set_deadline_args args = {.deadline_ns = deadline_ns};
   assert_int_equal(ioctl(fence, SET_DEADLINE, &args), 0);
}

/* The earliest counts; a merged fence passes it on to those that are not signaled. */
static void
test_deadlines(void **state)
{
   int timelines[] = {open_timeline(), open_timeline()};
   int fences[] = {create(timelines[0], 1), create(timelines[1], 1)};
   int both = merge(fences[0], fences[1]);
   assert_int_equal(deadline_of(timelines[0], fences[0]), 0);
   assert_int_equal(error_of(timelines[0], GET_DEADLINE, &(struct deadline_args){.fd = both}), EINVAL);
   set_deadline(fences[0], 500);
   set_deadline(both, 700);
   assert_int_equal(deadline_of(timelines[0], fences[0]), 500);
   assert_int_equal(deadline_of(timelines[0], fences[1]), 700);
   count_up(timelines[0], 1);
   set_deadline(both, 300);
   assert_int_equal(deadline_of(timelines[0], fences[0]), 500);
   assert_int_equal(deadline_of(timelines[1], fences[1]), 300);
   for (unsigned i = 0; i < 2; i++) {
      close(fences[i]);
      close(timelines[i]);
   }
   close(both);
}

/* What was imported into a syncobj is the same fence. */
static void
test_syncobj(void **state)
{
   int drm = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC), timeline = open_timeline();
   int fence = create(timeline, 1);
   uint32_t syncobj, first;
   assert_int_equal(drmSyncobjCreate(drm, 0, &syncobj), 0);
   assert_int_equal(drmSyncobjImportSyncFile(drm, syncobj, fence), 0);
   close(fence);
   assert_int_equal(drmSyncobjWait(drm, &syncobj, 1, 0, 0, &first), -ETIME);
   count_up(timeline, 1);
   assert_int_equal(drmSyncobjWait(drm, &syncobj, 1, 0, 0, &first), 0);
   close(timeline);
   close(drm);
}

/* A child counts a timeline up that came to it through a socket, and closes its own. */
static void
test_child(void **state)
{
   int ends[2], timeline = open_timeline(), kept = open_timeline();
   int fence = create(timeline, 1), other = create(kept, 1);
   union {
      struct cmsghdr header;
      char space[CMSG_SPACE(sizeof(int))];
   } control = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
   char byte = 1;
   struct iovec io = {&byte, 1};
   struct msghdr message = {
      .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};
   memcpy(CMSG_DATA(&control.header), &timeline, sizeof(int));
   assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends), 0);
   assert_int_equal(sendmsg(ends[0], &message, 0), 1);
   pid_t child = fork();
   if (!child) {
      int received, status;
      uint32_t count = 1;
      close(kept);
      if (recvmsg(ends[1], &message, 0) != 1)
         _exit(1);
      memcpy(&received, CMSG_DATA(&control.header), sizeof(int));
      status = ioctl(received, INC, &count) ? errno : received == timeline;
      _exit(status);
   }
   int status;
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   assert_int_equal(poll(&(struct pollfd){.fd = fence, .events = POLLIN}, 1, 0), 1);
   assert_int_equal(status_of(other), 0);
   close(ends[0]);
   close(ends[1]);
   close(fence);
   close(other);
   close(timeline);
   close(kept);
}

/* Some timelines near the wrap of their 32 bits; fences at most 2^31 - 1 from the value, and merges of two. What
 * becomes of them is told by a list of the points and the values that each timeline had. */
#define TIMELINES 3
#define FENCES 40

struct model_timeline {
   int fd;
   uint64_t value; /* does not wrap */
   bool closed;
};

struct model_part {
   unsigned timeline;
   uint64_t point;
   int status;
};

struct model_fence {
   int fd;
   unsigned count;
   struct model_part parts[2];
};

struct model {
   uint64_t state;
   struct model_timeline timelines[TIMELINES];
   struct model_fence fences[FENCES];
   unsigned done[5]; /* steps of each kind, and merges of one timeline */
};

static uint32_t
draw(struct model *model, uint32_t limit)
{
   model->state = model->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (uint32_t)(model->state >> 33) % limit;
}

static void
look(struct model *model)
{
   for (unsigned i = 0; i < FENCES; i++) {
      struct model_fence *fence = &model->fences[i];
      int worst = 1;
      bool all = true;
      for (unsigned k = 0; k < fence->count; k++) {
         struct model_part *part = &fence->parts[k];
         const struct model_timeline *timeline = &model->timelines[part->timeline];
         part->status = part->status                     ? part->status
                        : part->point <= timeline->value ? 1
                        : timeline->closed               ? -ENOENT
                                                         : 0;
         all &= part->status != 0;
         worst = worst < 0 ? worst : part->status < 0 ? part->status : worst;
      }
      if (fence->count)
         assert_int_equal(status_of(fence->fd), all ? worst : 0);
   }
}

static void
put(struct model *model, struct model_fence fence)
{
   struct model_fence *place = &model->fences[draw(model, FENCES)];
   if (place->count)
      assert_int_equal(close(place->fd), 0);
   *place = fence;
}

static void
make_fence(struct model *model)
{
   const uint32_t near = draw(model, 12), sign = draw(model, 3);
   unsigned index = draw(model, TIMELINES);
   struct model_timeline *timeline = &model->timelines[index];
   if (timeline->closed)
      return;
   uint64_t point = sign == 0 ? timeline->value - near : timeline->value + near;
   if (!draw(model, 8))
      point = timeline->value + INT32_MAX;
   put(model,
       (struct model_fence){.fd = create(timeline->fd, (uint32_t)point), .count = 1, .parts = {{index, point, 0}}});
   model->done[0]++;
}

/* Of one timeline, only the later is left; what is signaled is left out. */
static void
make_merge(struct model *model)
{
   struct model_fence *a = &model->fences[draw(model, FENCES)], *b = &model->fences[draw(model, FENCES)];
   if (a->count != 1 || b->count != 1)
      return;
   struct model_part parts[2] = {a->parts[0], b->parts[0]};
   struct model_fence both = {.fd = merge(a->fd, b->fd)};
   struct sync_file_info info = {0};
   model->done[4] += parts[0].timeline == parts[1].timeline;
   for (unsigned i = 0; i < 2; i++) {
      struct model_part *first = &both.parts[0];
      if (parts[i].status)
         continue;
      if (both.count && first->timeline == parts[i].timeline)
         first->point = parts[i].point > first->point ? parts[i].point : first->point;
      else
         both.parts[both.count++] = parts[i];
   }
   assert_int_equal(ioctl(both.fd, SYNC_IOC_FILE_INFO, &info), 0);
   assert_int_equal(info.num_fences, both.count ? both.count : 1);
   assert_string_equal(info.name, "both");
   if (!both.count) { /* a fence that always was signaled */
      assert_int_equal(info.status, 1);
      close(both.fd);
      return;
   }
   put(model, both);
   model->done[1]++;
}

static void
count_or_close(struct model *model)
{
   struct model_timeline *timeline = &model->timelines[draw(model, TIMELINES)];
   const uint32_t near = draw(model, 8), kind = draw(model, 40);
   if (kind == 0 && !timeline->closed) {
      timeline->closed = true;
      close(timeline->fd);
      model->done[2]++;
   } else if (!timeline->closed) {
      const uint32_t count = kind == 1 ? INT32_MAX - 16 : near;
      count_up(timeline->fd, count);
      timeline->value += count;
      model->done[3]++;
   }
}

static void
test_random(void **state)
{
   unsigned done[5] = {0};
   for (uint64_t seed = 1; seed <= 30; seed++) {
      struct model model = {.state = seed};
      for (unsigned i = 0; i < TIMELINES; i++) {
         model.timelines[i].fd = open_timeline();
         model.timelines[i].value = UINT32_MAX - draw(&model, 20);
         count_up(model.timelines[i].fd, (uint32_t)model.timelines[i].value);
      }
      for (unsigned step = 0; step < 150; step++) {
         const uint32_t kind = draw(&model, 5);
         if (kind < 2)
            make_fence(&model);
         else if (kind < 3)
            make_merge(&model);
         else
            count_or_close(&model);
         look(&model);
      }
      for (unsigned i = 0; i < FENCES; i++)
         if (model.fences[i].count)
            close(model.fences[i].fd);
      for (unsigned i = 0; i < TIMELINES; i++)
         if (!model.timelines[i].closed)
            close(model.timelines[i].fd);
      for (unsigned i = 0; i < 5; i++)
         done[i] += model.done[i];
   }
   for (unsigned i = 0; i < 5; i++)
      assert_true(done[i] > 20);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),     cmocka_unit_test(test_errors),  cmocka_unit_test(test_no_file),
      cmocka_unit_test(test_deadlines), cmocka_unit_test(test_syncobj), cmocka_unit_test(test_child),
      cmocka_unit_test(test_random),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
