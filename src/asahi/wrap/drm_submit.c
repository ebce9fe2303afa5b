/* Queues, and what is submitted to them. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/wrap/drm_private.h"
#include "util/peek.h"
#include "util/within_memory.h"

#define MAX_COMMANDS_B (4u << 20)
#define MAX_SYNCS 65536u

void
agx_drm_queue_created(struct agx_drm_file *file, int fd, void *arg)
{
   const struct drm_asahi_queue_create *args = arg;
   (void)fd;
   struct agx_drm_queue *queue = need_calloc("the tracer", 1, sizeof(*queue));
   *queue = (struct agx_drm_queue){agx_wrap_ids_find(&file->vms, args->vm_id), args->usc_exec_base, 0};
   agx_wrap_say(file->wrap, "QUEUE_CREATE vm %u, priority %u, usc 0x%" PRIx64 ": queue %u", args->vm_id,
                args->priority, (uint64_t)args->usc_exec_base, args->queue_id);
   if (!queue->space)
      agx_wrap_report(file->wrap, "QUEUE_CREATE: vm %u was not seen before", args->vm_id);
   free(agx_wrap_ids_set(&file->queues, args->queue_id, queue));
}

void
agx_drm_queue_destroyed(struct agx_drm_file *file, int fd, void *arg)
{
   const struct drm_asahi_queue_destroy *args = arg;
   (void)fd;
   struct agx_drm_queue *queue = agx_wrap_ids_remove(&file->queues, args->queue_id);
   agx_wrap_say(file->wrap, "QUEUE_DESTROY queue %u", args->queue_id);
   if (!queue)
      agx_wrap_report(file->wrap, "QUEUE_DESTROY: queue %u was not seen before", args->queue_id);
   free(queue);
}

/* NULL after a report. To be freed. */
static void *
read_commands(struct agx_drm_file *file, const struct drm_asahi_submit *args)
{
   if (args->cmdbuf_size > MAX_COMMANDS_B) {
      agx_wrap_report(file->wrap, "SUBMIT: %u bytes of commands, which no kernel takes", args->cmdbuf_size);
      return NULL;
   }
   void *commands = need_malloc("the tracer", args->cmdbuf_size + 1u);
   if (peek_memory((const void *)(uintptr_t)args->cmdbuf, commands, args->cmdbuf_size))
      return commands;
   agx_wrap_report(file->wrap, "SUBMIT: %u bytes of commands at 0x%" PRIx64 " cannot be read", args->cmdbuf_size,
                   (uint64_t)args->cmdbuf);
   free(commands);
   return NULL;
}

/* The submission signals one sync object more: the list to hand on, or NULL, as it was. To be freed. */
static struct drm_asahi_sync *
add_sync(struct agx_drm_file *file, int fd, struct drm_asahi_submit *args)
{
   struct drm_syncobj_create create = {0};
   if (!file->done && !file->kernel->ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &create))
      file->done = create.handle;
   if (!file->done || args->in_sync_count > MAX_SYNCS || args->out_sync_count > MAX_SYNCS) {
      agx_wrap_report(file->wrap, "SUBMIT: its end cannot be waited for");
      return NULL;
   }
   size_t count = (size_t)args->in_sync_count + args->out_sync_count;
   struct drm_asahi_sync *syncs = need_calloc("the tracer", count + 1, sizeof(*syncs));
   if (!peek_memory((const void *)(uintptr_t)args->syncs, syncs, count * sizeof(*syncs))) {
      agx_wrap_report(file->wrap, "SUBMIT: its %zu sync objects cannot be read", count);
      free(syncs);
      return NULL;
   }
   syncs[count] = (struct drm_asahi_sync){.sync_type = DRM_ASAHI_SYNC_SYNCOBJ, .handle = file->done};
   args->syncs = (uintptr_t)syncs;
   args->out_sync_count++;
   return syncs;
}

static void
wait_for_end(struct agx_drm_file *file, int fd)
{
   struct drm_syncobj_wait wait = {.handles = (uintptr_t)&file->done, .timeout_nsec = INT64_MAX, .count_handles = 1};
   int result;
   do
      result = file->kernel->ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait);
   while (result && (errno == EINTR || errno == EAGAIN));
   if (result)
      agx_wrap_report(file->wrap, "SUBMIT: waiting for its end: %s", strerror(errno));
}

/* While a recording is made submissions run one after the other: what they write would be half there. */
static int
make(struct agx_drm_file *file, int fd, unsigned long request, struct drm_asahi_submit *args)
{
   struct drm_asahi_sync *syncs = agx_wrap_records(file->wrap) ? add_sync(file, fd, args) : NULL;
   int result = file->kernel->ioctl(fd, request, args), error = errno;
   if (syncs && !result)
      wait_for_end(file, fd);
   free(syncs);
   errno = error;
   return result;
}

static int
submit(struct agx_drm_file *file, int fd, unsigned long request, struct drm_asahi_submit *args,
       struct agx_drm_queue *queue, const void *commands)
{
   struct agx_wrap_submission submission = {
      .space = queue->space, .usc_base = queue->usc_base, .commands = commands, .size_B = args->cmdbuf_size};
   snprintf(submission.label, sizeof(submission.label), "queue %u, submit %" PRIu64, args->queue_id,
            queue->submit_count + 1);
   agx_wrap_submit_begin(file->wrap, &submission);
   int result = make(file, fd, request, args), error = errno;
   if (!result) {
      queue->submit_count++;
      agx_wrap_submit_taken(file->wrap, &submission);
   }
   errno = error;
   return result;
}

int
agx_drm_submit(struct agx_drm_file *file, int fd, unsigned long request, void *arg)
{
   struct drm_asahi_submit args = {0};
   if (_IOC_SIZE(request) != sizeof(args) || !peek_memory(arg, &args, sizeof(args))) {
      agx_wrap_report(file->wrap, "SUBMIT: its argument has another size, or cannot be read");
      return file->kernel->ioctl(fd, request, arg);
   }
   struct agx_drm_queue *queue = agx_wrap_ids_find(&file->queues, args.queue_id);
   agx_wrap_say(file->wrap, "SUBMIT queue %u, %u bytes, waits for %u, signals %u", args.queue_id, args.cmdbuf_size,
                args.in_sync_count, args.out_sync_count);
   if (!queue || !queue->space) {
      agx_wrap_report(file->wrap, "SUBMIT: queue %u, or its vm, was not seen before", args.queue_id);
      return file->kernel->ioctl(fd, request, arg);
   }
   void *commands = read_commands(file, &args);
   if (!commands)
      return file->kernel->ioctl(fd, request, arg);
   int result = submit(file, fd, request, &args, queue, commands), error = errno;
   free(commands);
   if (result)
      agx_wrap_say(file->wrap, "SUBMIT: %s", strerror(error));
   errno = error;
   return result;
}
