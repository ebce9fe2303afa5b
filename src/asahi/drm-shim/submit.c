/* Queues, and what is submitted to them. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/drm-shim/asahi_shim.h"
#include "drm-shim/ioctl.h"
#include "drm-shim/shim.h"
#include "drm-shim/syncobj.h"
#include "drm-shim/user_memory.h"
#include "util/log.h"

#define SMALL_B 4096
#define MAX_COPIED_B (4u << 20) /* what the kernel's allocator gives in one piece */

static struct list_head queues = {&queues, &queues};

int
asahi_queue_create(struct shim_file *file, void *arg)
{
   struct drm_asahi_queue_create *args = arg;
   /* HIGH and REALTIME are for later, or for processes with more rights than a render client has. */
   if (args->flags || args->priority >= DRM_ASAHI_PRIORITY_HIGH)
      return -EINVAL;
   struct asahi_vm *vm = shim_handles_get(&asahi_file(file)->vms, args->vm_id);
   if (!vm)
      return -ENOENT;
   struct asahi_queue *queue = shim_alloc(sizeof(*queue));
   *queue = (struct asahi_queue){
      .refs = 1, .vm = vm, .usc_exec_base = args->usc_exec_base, .fence_context = shim_fence_new_context()};
   asahi_queue_init_worker(queue);
   list_add_tail(&queue->link, &queues);
   vm->refs++;
   args->queue_id = queue->id = shim_handles_add(&asahi_file(file)->queues, queue);
   return 0;
}

void
asahi_queue_unref(struct asahi_queue *queue)
{
   if (--queue->refs)
      return;
   list_remove(&queue->link);
   asahi_vm_unref(queue->vm);
   free(queue);
}

void
asahi_queue_close(struct asahi_queue *queue)
{
   queue->closed = true;
   shim_wake(); /* an idle one ends its thread */
   asahi_queue_unref(queue);
}

void
asahi_queues_forked(void)
{
   list_for_each(struct asahi_queue, queue, &queues, link) {
      list_for_each(struct asahi_job, job, &queue->worker.jobs, base.link)
         job->fence->signaled = true;
      shim_worker_forked(&queue->worker);
      queue->job_count = 0;
   }
}

int
asahi_queue_destroy(struct shim_file *file, void *arg)
{
   const struct drm_asahi_queue_destroy *args = arg;
   struct asahi_queue *queue = shim_handles_remove(&asahi_file(file)->queues, args->queue_id);
   if (!queue)
      return -ENOENT;
   asahi_queue_close(queue);
   return 0;
}

struct signal {
   struct shim_syncobj *syncobj; /* a reference */
   bool is_timeline;
   uint64_t point;
};

typedef struct shim_fence *fence_pointer;

struct submit {
   struct shim_file *file;
   struct dynarray waits;    /* struct shim_fence *, references */
   struct dynarray signals;  /* struct signal */
   struct dynarray commands; /* struct asahi_command */
};

static int
add_sync(struct submit *submit, const struct drm_asahi_sync *sync, bool is_out)
{
   bool is_timeline = sync->sync_type == DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ;
   if (!is_timeline && (sync->sync_type != DRM_ASAHI_SYNC_SYNCOBJ || sync->timeline_value))
      return -EINVAL;
   struct shim_syncobj *syncobj = shim_syncobj_get(submit->file, sync->handle);
   if (!syncobj)
      return -ENOENT;
   if (is_out) {
      syncobj->refs++;
      dynarray_append(&submit->signals, struct signal, (struct signal){syncobj, is_timeline, sync->timeline_value});
      return 0;
   }
   struct shim_fence *fence = shim_syncobj_find(syncobj, sync->timeline_value);
   if (!fence)
      return -EINVAL;
   dynarray_append(&submit->waits, struct shim_fence *, fence);
   return 0;
}

static int
read_syncs(struct submit *submit, const struct drm_asahi_submit *args)
{
   uint64_t count = (uint64_t)args->in_sync_count + args->out_sync_count;
   struct drm_asahi_sync sync;
   if (count > MAX_COPIED_B / sizeof(sync))
      return -ENOMEM;
   for (uint64_t i = 0; i < count; i++) {
      if (user_read(&sync, args->syncs + i * sizeof(sync), sizeof(sync)))
         return -EFAULT;
      int error = add_sync(submit, &sync, i >= args->in_sync_count);
      if (error)
         return error;
   }
   return 0;
}

/* *copy: of the command buffer, for the caller to free unless it is `small`. */
static int
read_commands(struct submit *submit, const struct drm_asahi_submit *args, char *small, char **copy)
{
   if (args->cmdbuf_size > MAX_COPIED_B)
      return -ENOMEM;
   *copy = args->cmdbuf_size <= SMALL_B ? small : shim_alloc(args->cmdbuf_size);
   int error = user_read(*copy, args->cmdbuf, args->cmdbuf_size);
   return error ? error : asahi_commands_read(asahi_file(submit->file), *copy, args->cmdbuf_size, &submit->commands);
}

static void
write_timestamp(const struct asahi_timestamp *timestamp)
{
   const struct asahi_object *object = timestamp->object;
   uint64_t now_ns = (uint64_t)shim_now_ns();
   if (object)
      memcpy((char *)object->bo->map + object->offset_B + timestamp->offset_B, &now_ns, sizeof(now_ns));
}

int
asahi_skip(const struct asahi_queue *queue, uint64_t number, const struct dynarray *commands)
{
   unsigned index = 0;
   dynarray_for_each(const struct asahi_command, command, commands) {
      uint64_t stream =
         command->is_render ? command->render.vdm_ctrl_stream_base : command->compute.cdm_ctrl_stream_base;
      if (!sim_vm_lookup(queue->vm->vm, sim_va(stream), SIM_READ, NULL, NULL)) {
         log_error("GPU fault: queue %u, submit %llu, command %u: nothing is bound at 0x%llx, where its %s stream is",
                   queue->id, (unsigned long long)number, index, (unsigned long long)stream,
                   command->is_render ? "VDM" : "CDM");
         return -EIO;
      }
      for (unsigned i = 0; i < ASAHI_TS_COUNT; i++)
         write_timestamp(&command->timestamps[i]);
      index++;
   }
   return 0;
}

static void
give_out(const struct submit *submit, struct shim_fence *fence)
{
   dynarray_for_each(const struct signal, it, &submit->signals) {
      if (it->is_timeline)
         shim_syncobj_set(it->syncobj, it->point, fence);
      else
         shim_syncobj_replace(it->syncobj, fence);
   }
}

/* Noop mode does a submit within the ioctl, unless it or an earlier one of the queue waits for a fence of sw_sync. */
static bool
is_done_at_once(const struct asahi_queue *queue, const struct submit *submit)
{
   bool waits = queue->job_count > 0;
   dynarray_for_each(fence_pointer, it, &submit->waits)
      waits |= !shim_fence_is_signaled(*it);
   return asahi_device.mode == SHIM_MODE_NOOP && !waits;
}

static void
skip(struct asahi_queue *queue, const struct submit *submit, const char *bytes, size_t size_B)
{
   struct shim_fence *fence = shim_fence_create();
   queue->submit_count++;
   asahi_record_submit(queue, queue->submit_count, bytes, size_B);
   shim_fence_signal(fence, asahi_skip(queue, queue->submit_count, &submit->commands));
   give_out(submit, fence);
   shim_fence_unref(fence);
}

/* The queue's thread does it. Takes the commands and the fences to wait for. Gives up the lock, so the
 * caller has a reference to the queue. */
static int
run_submit(struct asahi_queue *queue, struct submit *submit, const char *bytes, size_t size_B)
{
   asahi_queue_wait_for_room(queue);
   if (!asahi_job_prepare(queue))
      return -ENOMEM;
   struct asahi_job *job = shim_alloc(sizeof(*job));
   *job = (struct asahi_job){.queue = queue,
                             .number = ++queue->submit_count,
                             .fence = shim_fence_create(),
                             .commands = submit->commands,
                             .size_B = size_B};
   job->fence->context = queue->fence_context;
   job->fence->seq = job->number;
   submit->commands = (struct dynarray){0};
   queue->refs++;
   if (asahi_device.recorder)
      job->bytes = memcpy(shim_alloc(size_B), bytes, size_B);
   dynarray_for_each(fence_pointer, it, &submit->waits)
      shim_job_wait_for(&job->base, *it);
   submit->waits.size_B = 0;
   give_out(submit, job->fence);
   asahi_job_submit(job);
   return 0;
}

static void
free_submit(struct submit *submit)
{
   dynarray_for_each(fence_pointer, it, &submit->waits)
      shim_fence_unref(*it);
   dynarray_for_each(const struct signal, it, &submit->signals)
      shim_syncobj_unref(it->syncobj);
   dynarray_free(&submit->waits);
   dynarray_free(&submit->signals);
   asahi_commands_free(&submit->commands);
}

int
asahi_submit(struct shim_file *file, void *arg)
{
   const struct drm_asahi_submit *args = arg;
   if (args->flags || args->pad)
      return -EINVAL;
   struct asahi_queue *queue = shim_handles_get(&asahi_file(file)->queues, args->queue_id);
   if (!queue)
      return -ENOENT;
   queue->refs++;
   struct submit submit = {.file = file};
   char small[SMALL_B], *copy = small;
   int error = read_syncs(&submit, args);
   if (!error)
      error = read_commands(&submit, args, small, &copy);
   if (!error && is_done_at_once(queue, &submit))
      skip(queue, &submit, copy, args->cmdbuf_size);
   else if (!error)
      error = run_submit(queue, &submit, copy, args->cmdbuf_size);
   asahi_queue_unref(queue);
   if (copy != small)
      free(copy);
   free_submit(&submit);
   return error;
}
