/* Contexts: queues of jobs, their state after a fault, and waiting for their submits. */
#include <errno.h>
#include <stdlib.h>

#include "amd/drm-shim/amd_shim.h"
#include "drm-shim/ioctl.h"
#include "drm-shim/shim.h"
#include "drm-shim/sync_file.h"
#include "drm-shim/syncobj.h"
#include "drm-shim/syncobj_file.h"
#include "drm-shim/turns.h"
#include "drm-shim/user_memory.h"
#include "util/macros.h"

#define MAX_FENCES 4096

static struct amd_ctx *
get_ctx(struct shim_file *file, uint32_t id)
{
   return shim_handles_get(&amd_file(file)->contexts, id);
}

static int
alloc(struct shim_file *file, union drm_amdgpu_ctx *args)
{
   /* These need rights that a render client lacks; numbers without a name are taken as NORMAL. */
   if (args->in.priority == AMDGPU_CTX_PRIORITY_HIGH || args->in.priority == AMDGPU_CTX_PRIORITY_VERY_HIGH)
      return -EACCES;
   struct amd_ctx *ctx = shim_alloc(sizeof(*ctx));
   ctx->refs = 1;
   for (unsigned i = 0; i < AMD_IPS * AMD_MAX_RINGS; i++)
      amd_queue_init(ctx, &ctx->queues[i / AMD_MAX_RINGS][i % AMD_MAX_RINGS]);
   ctx->id = shim_handles_add(&amd_file(file)->contexts, ctx);
   args->out.alloc.ctx_id = ctx->id;
   args->out.alloc._pad = 0;
   return 0;
}

void
amd_ctx_unref(struct amd_ctx *ctx)
{
   if (!--ctx->refs)
      free(ctx);
}

int
amd_ctx_ioctl(struct shim_file *file, void *arg)
{
   union drm_amdgpu_ctx *args = arg;
   if (args->in.flags & ~(args->in.op == AMDGPU_CTX_OP_SET_STABLE_PSTATE ? AMDGPU_CTX_STABLE_PSTATE_FLAGS_MASK : 0))
      return -EINVAL;
   if (args->in.op == AMDGPU_CTX_OP_ALLOC_CTX)
      return alloc(file, args);
   struct amd_ctx *ctx = get_ctx(file, args->in.ctx_id);
   if (!ctx)
      return -EINVAL;
   switch (args->in.op) {
   case AMDGPU_CTX_OP_FREE_CTX:
      shim_handles_remove(&amd_file(file)->contexts, args->in.ctx_id);
      ctx->closed = true;
      shim_wake(); /* its threads end */
      amd_ctx_unref(ctx);
      return 0;
   case AMDGPU_CTX_OP_QUERY_STATE:
      args->out.state.flags = 0;
      args->out.state.hangs = ctx->guilty;
      args->out.state.reset_status = ctx->guilty && !ctx->reported ? AMDGPU_CTX_GUILTY_RESET : AMDGPU_CTX_NO_RESET;
      ctx->reported = ctx->guilty;
      return 0;
   case AMDGPU_CTX_OP_QUERY_STATE2:
      args->out.state.flags = ctx->guilty ? AMDGPU_CTX_QUERY2_FLAGS_RESET | AMDGPU_CTX_QUERY2_FLAGS_GUILTY : 0;
      args->out.state.hangs = args->out.state.reset_status = 0;
      return 0;
   case AMDGPU_CTX_OP_GET_STABLE_PSTATE:
      args->out.pstate.flags = ctx->stable_pstate;
      return 0;
   case AMDGPU_CTX_OP_SET_STABLE_PSTATE:
      if (args->in.flags > AMDGPU_CTX_STABLE_PSTATE_PEAK)
         return -EINVAL;
      ctx->stable_pstate = args->in.flags;
      return 0;
   default:
      return -EINVAL;
   }
}

struct amd_queue *
amd_ctx_queue(struct amd_ctx *ctx, uint32_t ip, uint32_t instance, uint32_t ring)
{
   const uint32_t rings[AMD_IPS] = {AMD_GFX_RINGS, AMD_COMPUTE_RINGS, amd_device.chip->sdma_rings};
   return instance == 0 && ip < AMD_IPS && ring < rings[ip] ? &ctx->queues[ip][ring] : NULL;
}

int
amd_ctx_fence(struct shim_file *file, const struct drm_amdgpu_fence *fence, struct shim_fence **result)
{
   struct amd_ctx *ctx = get_ctx(file, fence->ctx_id);
   struct amd_queue *queue = ctx ? amd_ctx_queue(ctx, fence->ip_type, fence->ip_instance, fence->ring) : NULL;
   if (!queue)
      return -EINVAL;
   uint64_t seq = fence->seq_no == UINT64_MAX ? queue->last_seq : fence->seq_no;
   if (seq > queue->last_seq)
      return -EINVAL;
   list_for_each(struct amd_job, job, &queue->worker.jobs, base.link) {
      if (job->seq == seq) {
         *result = shim_fence_ref(job->fence);
         return 0;
      }
   }
   *result = shim_fence_signaled();
   if (queue->lost_seq && seq >= queue->lost_seq) {
      *result = shim_fence_create();
      shim_fence_signal(*result, -ECANCELED);
   }
   return 0;
}

int64_t
amd_until_ns(uint64_t timeout_ns)
{
   return (int64_t)MIN2(timeout_ns, (uint64_t)INT64_MAX);
}

int
amd_wait_cs(struct shim_file *file, void *arg)
{
   union drm_amdgpu_wait_cs *args = arg;
   const struct drm_amdgpu_wait_cs_in in = args->in;
   struct drm_amdgpu_fence name = {in.ctx_id, in.ip_type, in.ip_instance, in.ring, in.handle};
   struct shim_fence *fence;
   int error = amd_ctx_fence(file, &name, &fence);
   if (error)
      return error;
   bool done = shim_fence_wait(fence, amd_until_ns(in.timeout));
   args->out.status = !done;
   error = done ? fence->error : 0;
   shim_fence_unref(fence);
   return error;
}

/* Index of the first signaled fence, or count; *done: how many are. */
static uint32_t
first_signaled(struct shim_fence *const *fences, uint32_t count, uint32_t *done)
{
   uint32_t first = count;
   *done = 0;
   for (uint32_t i = count; i-- > 0;) {
      if (shim_fence_is_signaled(fences[i])) {
         first = i;
         ++*done;
      }
   }
   return first;
}

int
amd_wait_fences(struct shim_file *file, void *arg)
{
   union drm_amdgpu_wait_fences *args = arg;
   const struct drm_amdgpu_wait_fences_in in = args->in;
   if (!in.fence_count || in.fence_count > MAX_FENCES)
      return in.fence_count ? -ENOMEM : -EINVAL;
   struct drm_amdgpu_fence *names = shim_alloc(in.fence_count * sizeof(*names));
   struct shim_fence **fences = shim_alloc(in.fence_count * sizeof(*fences));
   int error = user_read(names, in.fences, in.fence_count * sizeof(*names));
   uint32_t count = 0, done, first;
   for (; !error && count < in.fence_count; count++) {
      error = amd_ctx_fence(file, &names[count], &fences[count]);
      if (error)
         break;
   }
   if (!error) {
      for (bool in_time = true;; in_time = shim_sleep(amd_until_ns(in.timeout_ns))) {
         shim_turns_look();
         first = first_signaled(fences, count, &done);
         if (!in_time || (in.wait_all ? done == count : done > 0))
            break;
      }
      args->out.status = in.wait_all ? done == count : done > 0;
      args->out.first_signaled = first;
      for (uint32_t i = 0; i < count && !error; i++)
         if (i == first || in.wait_all)
            error = fences[i]->error;
   }
   while (count--)
      shim_fence_unref(fences[count]);
   free(fences);
   free(names);
   return error;
}

int
amd_fence_to_handle(struct shim_file *file, void *arg)
{
   union drm_amdgpu_fence_to_handle *args = arg;
   struct shim_fence *fence;
   int error = amd_ctx_fence(file, &args->in.fence, &fence);
   if (error)
      return error;
   struct shim_syncobj *syncobj = shim_syncobj_create();
   shim_syncobj_replace(syncobj, fence);
   int result = -EINVAL;
   switch (args->in.what) {
   case AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ:
      syncobj->refs++;
      result = (int)shim_handles_add(&file->syncobjs, syncobj);
      break;
   case AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ_FD:
      result = shim_syncobj_export(syncobj);
      break;
   case AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD:
      result = shim_sync_file_create(fence);
      break;
   }
   shim_syncobj_unref(syncobj);
   shim_fence_unref(fence);
   if (result < 0)
      return result;
   args->out.handle = (uint32_t)result;
   return 0;
}
