/* AMDGPU_CS: chunks become a job. */
#include <drm.h>
#include <errno.h>
#include <stdlib.h>

#include "amd/drm-shim/amd_shim.h"
#include "amd/sim/chip_limits.h"
#include "drm-shim/ioctl.h"
#include "drm-shim/shim.h"
#include "drm-shim/syncobj.h"
#include "drm-shim/user_memory.h"
#include "util/log.h"
#include "util/macros.h"

#define MAX_CHUNKS 512
#define MAX_CHUNK_DW 65536
#define GANG_SIZE 4 /* AMDGPU_CS_GANG_SIZE: rings that a submit may name */
_Static_assert(AMDGPU_HW_IP_GFX == AMD_SIM_RING_GFX && AMDGPU_HW_IP_COMPUTE == AMD_SIM_RING_COMPUTE &&
                  AMDGPU_HW_IP_DMA == AMD_SIM_RING_SDMA,
               "rings of the model have the numbers of the kernel's");

#define BATCH 64 /* of user_read_many */
#define SMALL_B 4096

struct chunk {
   uint32_t id, size_B;
   const void *data;
};

struct signal {
   struct shim_syncobj *syncobj; /* a reference */
   uint64_t point;
};

struct member {
   uint32_t ip, ring;
   unsigned ib_count; /* 0: none */
};

struct submit {
   struct shim_file *file;
   struct amd_job *job;
   bool has_bo_list; /* by handle or as a chunk, not both */
   struct member gang[GANG_SIZE];
   struct dynarray signals; /* struct signal */
};

/* One more of this ring: false if the ring takes no more, or the gang no other ring. */
static bool
count_ib(struct submit *submit, const struct drm_amdgpu_cs_chunk_ib *ib)
{
   struct member *it = submit->gang;
   while (it < submit->gang + GANG_SIZE && it->ib_count && (it->ip != ib->ip_type || it->ring != ib->ring))
      it++;
   if (it == submit->gang + GANG_SIZE || it->ib_count >= amd_max_ibs(ib->ip_type))
      return false;
   *it = (struct member){ib->ip_type, ib->ring, it->ib_count + 1};
   return true;
}

static int
add_ib(struct submit *submit, const struct drm_amdgpu_cs_chunk_ib *ib)
{
   struct amd_job *job = submit->job;
   if (!amd_ctx_queue(job->ctx, ib->ip_type, ib->ip_instance, ib->ring) || !count_ib(submit, ib))
      return -EINVAL;
   const bool is_ce = ib->ip_type == AMDGPU_HW_IP_GFX && ib->flags & AMDGPU_IB_FLAG_CE;
   if (is_ce && !amd_device.chip->ce_ram_B)
      return -EINVAL;
   /* Of several rings (a gang) the last buffer's is the leader: its queue's number is that of the submit. */
   job->base.rings |= UINT64_C(1) << (ib->ip_type * AMD_MAX_RINGS + ib->ring);
   job->ip = ib->ip_type;
   job->ring = ib->ring;
   struct amd_sim_ib *out = dynarray_grow(&job->ibs, sizeof(*out));
   *out = (struct amd_sim_ib){sim_va(ib->va_start), ib->ib_bytes / 4,
                              is_ce ? AMD_SIM_RING_CE : (enum amd_sim_ring)ib->ip_type, /* numbered alike */
                              ib->flags & AMDGPU_IB_FLAG_EMIT_MEM_SYNC, (uint8_t)ib->ring};
   return 0;
}

static int
add_user_fence(struct submit *submit, const struct drm_amdgpu_cs_chunk_fence *fence)
{
   struct amd_bo *bo = (struct amd_bo *)shim_bo_get(submit->file, fence->handle);
   if (!bo || bo->base.is_user_memory || bo->base.size_B != AMD_PAGE_B || fence->offset > AMD_PAGE_B - 8 ||
       fence->offset % 8 || submit->job->user_fence)
      return -EINVAL;
   shim_bo_ref(&bo->base);
   submit->job->user_fence = bo;
   submit->job->user_fence_offset_B = fence->offset;
   return 0;
}

static void
add_wait(struct submit *submit, struct shim_fence *fence)
{
   shim_job_wait_for(&submit->job->base, fence);
}

static int
add_dependency(struct submit *submit, const struct drm_amdgpu_cs_chunk_dep *dep)
{
   struct drm_amdgpu_fence name = {dep->ctx_id, dep->ip_type, dep->ip_instance, dep->ring, dep->handle};
   struct shim_fence *fence;
   int error = amd_ctx_fence(submit->file, &name, &fence);
   if (!error)
      add_wait(submit, fence);
   return error;
}

static int
add_sync_wait(struct submit *submit, const struct drm_amdgpu_cs_chunk_syncobj *sync)
{
   struct shim_fence *fence;
   int error = shim_syncobj_find_fence(submit->file, sync->handle, sync->point,
                                       sync->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, &fence);
   if (!error)
      add_wait(submit, fence);
   return error;
}

static int
add_sync_signal(struct submit *submit, const struct drm_amdgpu_cs_chunk_syncobj *sync)
{
   struct shim_syncobj *syncobj = shim_syncobj_get(submit->file, sync->handle);
   if (!syncobj)
      return -EINVAL;
   syncobj->refs++;
   struct signal *out = dynarray_grow(&submit->signals, sizeof(*out));
   *out = (struct signal){syncobj, sync->point};
   return 0;
}

static int
add_bo_list(struct submit *submit, const struct drm_amdgpu_bo_list_in *list)
{
   if (submit->has_bo_list)
      return -EINVAL;
   submit->has_bo_list = true;
   return amd_bo_list_check(submit->file, list, &submit->job->lists_user_memory);
}

/* One element of a chunk; the size of elements is known from element_B. */
static int
add_element(struct submit *submit, uint32_t chunk_id, const void *data)
{
   const struct drm_amdgpu_cs_chunk_sem *binary = data;
   switch (chunk_id) {
   case AMDGPU_CHUNK_ID_IB:
      return add_ib(submit, data);
   case AMDGPU_CHUNK_ID_FENCE:
      return add_user_fence(submit, data);
   case AMDGPU_CHUNK_ID_DEPENDENCIES:
   case AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES:
      return add_dependency(submit, data);
   case AMDGPU_CHUNK_ID_SYNCOBJ_IN:
      return add_sync_wait(submit, &(struct drm_amdgpu_cs_chunk_syncobj){.handle = binary->handle});
   case AMDGPU_CHUNK_ID_SYNCOBJ_OUT:
      return add_sync_signal(submit, &(struct drm_amdgpu_cs_chunk_syncobj){.handle = binary->handle});
   case AMDGPU_CHUNK_ID_BO_HANDLES:
      return add_bo_list(submit, data);
   case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT:
      return add_sync_wait(submit, data);
   case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL:
      return add_sync_signal(submit, data);
   default:
      return -EINVAL;
   }
}

/* 0: no such chunk. */
static size_t
element_B(uint32_t chunk_id, bool *is_array)
{
   *is_array = true;
   switch (chunk_id) {
   case AMDGPU_CHUNK_ID_DEPENDENCIES:
   case AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES:
      return sizeof(struct drm_amdgpu_cs_chunk_dep);
   case AMDGPU_CHUNK_ID_SYNCOBJ_IN:
   case AMDGPU_CHUNK_ID_SYNCOBJ_OUT:
      return sizeof(struct drm_amdgpu_cs_chunk_sem);
   case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT:
   case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL:
      return sizeof(struct drm_amdgpu_cs_chunk_syncobj);
   default:
      *is_array = false;
      return chunk_id == AMDGPU_CHUNK_ID_IB           ? sizeof(struct drm_amdgpu_cs_chunk_ib)
             : chunk_id == AMDGPU_CHUNK_ID_FENCE      ? sizeof(struct drm_amdgpu_cs_chunk_fence)
             : chunk_id == AMDGPU_CHUNK_ID_BO_HANDLES ? sizeof(struct drm_amdgpu_bo_list_in)
                                                      : 0;
   }
}

static int
add_chunk(struct submit *submit, const struct chunk *chunk)
{
   bool is_array;
   size_t one_B = element_B(chunk->id, &is_array);
   if (!one_B || (!is_array && chunk->size_B < one_B))
      return -EINVAL;
   size_t count = is_array ? chunk->size_B / one_B : 1;
   for (size_t i = 0; i < count; i++) {
      int error = add_element(submit, chunk->id, (const char *)chunk->data + i * one_B);
      if (error)
         return error;
   }
   return 0;
}

static int
read_batches(const struct user_range *ranges, uint32_t count)
{
   for (uint32_t i = 0; i < count; i += BATCH)
      if (user_read_many(ranges + i, MIN2(count - i, BATCH)))
         return -EFAULT;
   return 0;
}

/* Copies headers and contents. *storage is freed by the caller. */
static int
read_chunks(const struct drm_amdgpu_cs_in *in, struct chunk *chunks, char *small, void **storage)
{
   uint64_t addresses[MAX_CHUNKS];
   struct drm_amdgpu_cs_chunk headers[MAX_CHUNKS];
   struct user_range ranges[MAX_CHUNKS];
   if (user_read(addresses, in->chunks, in->num_chunks * sizeof(addresses[0])))
      return -EFAULT;
   for (uint32_t i = 0; i < in->num_chunks; i++)
      ranges[i] = (struct user_range){&headers[i], addresses[i], sizeof(headers[i])};
   if (read_batches(ranges, in->num_chunks))
      return -EFAULT;

   size_t total_B = 0;
   for (uint32_t i = 0; i < in->num_chunks; i++) {
      if (headers[i].length_dw > MAX_CHUNK_DW)
         return -ENOMEM;
      total_B += align_up(headers[i].length_dw * 4, 8);
   }
   char *place = total_B <= SMALL_B ? small : (*storage = shim_alloc(total_B));
   for (uint32_t i = 0; i < in->num_chunks; i++) {
      uint32_t size_B = headers[i].length_dw * 4;
      ranges[i] = (struct user_range){place, headers[i].chunk_data, size_B};
      chunks[i] = (struct chunk){headers[i].chunk_id, size_B, place};
      place += align_up(size_B, 8);
   }
   return read_batches(ranges, in->num_chunks);
}

static int
fill_job(struct submit *submit, const struct drm_amdgpu_cs_in *in)
{
   struct chunk chunks[MAX_CHUNKS];
   _Alignas(8) char small[SMALL_B];
   void *storage = NULL;
   int error = read_chunks(in, chunks, small, &storage);
   for (uint32_t i = 0; !error && i < in->num_chunks; i++)
      error = add_chunk(submit, &chunks[i]);
   free(storage);
   if (!error && !submit->job->ibs.size_B)
      error = -EINVAL;
   return error;
}

/* The model, made at the first submit. False if the chip has none. */
static bool
has_model(void)
{
   static bool complained;
   if (amd_device.mode == SHIM_MODE_NOOP || amd_device.sim)
      return true;
   amd_device.sim = amd_sim_create(amd_device.chip, amd_device.threads);
   if (amd_device.sim) {
      if (!amd_sim_set_dump(amd_device.sim, amd_device.dump))
         log_error("INDIUM_DUMP_STATE: out of memory");
      amd_sim_set_budget(amd_device.sim, amd_device.budget);
      amd_sim_set_schedule(amd_device.sim, &amd_device.schedule);
      amd_sim_set_out_of_order(amd_device.sim, amd_device.out_of_order);
      amd_sim_set_reference(amd_device.sim, amd_device.reference);
      if (amd_device.order_check && !amd_sim_check_order(amd_device.sim, amd_device.order_seeds))
         log_error("INDIUM_ORDER_CHECK: out of memory");
      amd_sim_set_races(amd_device.sim, amd_device.races ? stderr : NULL);
      amd_sim_set_trace(amd_device.sim, amd_device.trace);
      if (amd_device.recorder)
         amd_sim_set_waits(amd_device.sim, &(struct amd_sim_waits){.ended = amd_record_waited});
      if (amd_device.report && !amd_sim_count(amd_device.sim))
         log_error("INDIUM_REPORT: out of memory");
   }
   if (!amd_device.sim && !complained) {
      complained = true;
      const char *why = amd_chip_refused(amd_device.chip);
      log_error("%s %s: submits fail (INDIUM_MODE=noop skips them instead)", amd_device.chip->name,
                why ? why : "has no model for lack of memory");
   }
   return amd_device.sim != NULL;
}

int
amd_cs(struct shim_file *file, void *arg)
{
   union drm_amdgpu_cs *args = arg;
   const struct drm_amdgpu_cs_in in = args->in;
   struct amd_ctx *ctx = shim_handles_get(&amd_file(file)->contexts, in.ctx_id);
   if (!in.num_chunks || in.num_chunks > MAX_CHUNKS || !ctx)
      return -EINVAL;
   if (ctx->guilty)
      return -ECANCELED;
   const bool *list = in.bo_list_handle ? shim_handles_get(&amd_file(file)->bo_lists, in.bo_list_handle) : NULL;
   if (in.bo_list_handle && !list)
      return -ENOENT;
   if (!has_model())
      return -ENODEV;

   struct amd_job *job = shim_alloc(sizeof(*job));
   struct submit submit = {.file = file, .job = job, .has_bo_list = in.bo_list_handle};
   job->file = amd_file(file);
   job->ctx = ctx;
   job->lists_user_memory = list && *list;
   job->fence = shim_fence_create();
   job->file->refs++;
   ctx->refs++;
   int error = fill_job(&submit, &in);
   if (!error)
      amd_job_wait_for_room(job);
   if (!error && ctx->guilty) /* the lock was given up while waiting */
      error = -ECANCELED;
   if (!error && !amd_job_prepare(job))
      error = -ENOMEM;
   if (!error)
      dynarray_for_each(struct signal, it, &submit.signals)
         shim_syncobj_set(it->syncobj, it->point, job->fence);
   dynarray_for_each(struct signal, it, &submit.signals)
      shim_syncobj_unref(it->syncobj);
   dynarray_free(&submit.signals);
   if (error) {
      amd_job_free(job);
      return error;
   }
   args->out.handle = amd_job_submit(job);
   return 0;
}
