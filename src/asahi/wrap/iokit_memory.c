/* Memory of the GPU, memory shared with the kernel, queues. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/wrap/iokit_private.h"
#include "util/within_memory.h"

/* Memory that the process may see, as tracers have found. */
#define MODE_KEPT 0x800u
#define MODE_SEEN 0x430u

static bool
is_request(size_t size_B)
{
   return size_B == AGX_IOKIT_ALLOCATE_REQUEST_SIZE_B || size_B == AGX_IOKIT_ALLOCATE_REQUEST_SIZE_B + 8;
}

void
agx_iokit_allocate(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy)
{
   struct agx_iokit_allocate_request request;
   if (!is_request(call->request_B)) {
      agx_wrap_report(iokit->wrap, "ALLOCATE_MEM: a request of %zu bytes, not %u", call->request_B,
                      AGX_IOKIT_ALLOCATE_REQUEST_SIZE_B);
      return;
   }
   agx_iokit_say(iokit, AGX_RECORD_IOKIT_ALLOCATE_REQUEST, copy->request);
   agx_iokit_allocate_request_unpack(&request, copy->request);
   request.mode = (request.mode & MODE_KEPT) | MODE_SEEN;
   memcpy(call->own_request, copy->request, sizeof(call->own_request));
   agx_iokit_allocate_request_pack(call->own_request, &request);
   call->request = call->own_request;
}

void
agx_iokit_allocated(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy)
{
   struct agx_iokit_allocate_response response;
   (void)call;
   agx_iokit_allocate_response_unpack(&response, copy->response);
   agx_iokit_say(iokit, AGX_RECORD_IOKIT_ALLOCATE_RESPONSE, copy->response);
   struct agx_wrap_memory *memory =
      agx_wrap_memory_add(iokit->wrap, (const void *)(uintptr_t)response.cpu, response.sub_size_B, false);
   struct agx_wrap_memory *before = agx_wrap_ids_set(&iokit->memories, response.handle, memory);
   if (before)
      agx_wrap_report(iokit->wrap, "ALLOCATE_MEM: handle %u was there already", response.handle);
   agx_wrap_memory_remove(before);
   if (!response.cpu)
      agx_wrap_report(iokit->wrap, "ALLOCATE_MEM: handle %u cannot be seen", response.handle);
   agx_wrap_bind(iokit->space, response.gpu_va, response.sub_size_B, memory, 0, 0, AGX_WRAP_READ | AGX_WRAP_WRITE);
}

static void
forget(struct agx_iokit *iokit, struct agx_wrap_ids *ids, uint64_t number, const char *name)
{
   struct agx_wrap_memory *memory = agx_wrap_ids_remove(ids, number);
   if (!memory)
      agx_wrap_report(iokit->wrap, "%s: 0x%" PRIx64 " was not seen before", name, number);
   agx_wrap_memory_remove(memory);
}

void
agx_iokit_freed(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy)
{
   (void)call;
   forget(iokit, &iokit->memories, copy->input[0], "FREE_MEM");
}

void
agx_iokit_shmem_created(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy)
{
   struct agx_iokit_shmem_response response;
   (void)call;
   agx_iokit_shmem_response_unpack(&response, copy->response);
   agx_iokit_say(iokit, AGX_RECORD_IOKIT_SHMEM_RESPONSE, copy->response);
   struct agx_wrap_memory *before = agx_wrap_ids_set(
      &iokit->shmems, response.id,
      agx_wrap_memory_add(iokit->wrap, (const void *)(uintptr_t)response.map, response.size_B, false));
   if (before)
      agx_wrap_report(iokit->wrap, "CREATE_SHMEM: %u was there already", response.id);
   agx_wrap_memory_remove(before);
}

void
agx_iokit_shmem_freed(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy)
{
   (void)call;
   forget(iokit, &iokit->shmems, copy->input[0], "FREE_SHMEM");
}

void
agx_iokit_queue_created(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy)
{
   struct agx_iokit_queue_response response;
   (void)call;
   agx_iokit_queue_response_unpack(&response, copy->response);
   agx_iokit_say(iokit, AGX_RECORD_IOKIT_QUEUE_RESPONSE, copy->response);
   struct agx_iokit_queue *queue = need_calloc("the tracer", 1, sizeof(*queue));
   free(agx_wrap_ids_set(&iokit->queues, response.id, queue));
}

void
agx_iokit_queue_freed(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy)
{
   (void)call;
   struct agx_iokit_queue *queue = agx_wrap_ids_remove(&iokit->queues, copy->input[0]);
   if (!queue)
      agx_wrap_report(iokit->wrap, "FREE_COMMAND_QUEUE: 0x%" PRIx64 " was not seen before", copy->input[0]);
   free(queue);
}
