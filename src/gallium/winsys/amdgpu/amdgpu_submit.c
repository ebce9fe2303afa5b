#include <errno.h>
#include <stdlib.h>

#include "gallium/winsys/amdgpu/amdgpu_private.h"

uint32_t
amdgpu_ws_ip_type(enum amdgpu_ws_ring ring)
{
   static const uint32_t types[AMDGPU_WS_RINGS] = {
      [AMDGPU_WS_GFX] = AMDGPU_HW_IP_GFX,
      [AMDGPU_WS_COMPUTE] = AMDGPU_HW_IP_COMPUTE,
      [AMDGPU_WS_SDMA] = AMDGPU_HW_IP_DMA,
   };
   return types[ring];
}

int
amdgpu_ws_ctx_create(struct amdgpu_ws *ws, int32_t priority, struct amdgpu_ws_ctx **out)
{
   struct amdgpu_ws_ctx *ctx = calloc(1, sizeof(*ctx));
   if (!ctx)
      return -ENOMEM;
   ctx->ws = ws;
   int error = amdgpu_cs_ctx_create2(ws->dev, (uint32_t)priority, &ctx->ctx);
   if (error) {
      free(ctx);
      return error;
   }
   *out = ctx;
   return 0;
}

void
amdgpu_ws_ctx_destroy(struct amdgpu_ws_ctx *ctx)
{
   amdgpu_cs_ctx_free(ctx->ctx);
   free(ctx);
}

enum amdgpu_ws_reset
amdgpu_ws_ctx_reset_status(struct amdgpu_ws_ctx *ctx)
{
   uint64_t flags;
   if (amdgpu_cs_query_reset_state2(ctx->ctx, &flags) || !(flags & AMDGPU_CTX_QUERY2_FLAGS_RESET))
      return AMDGPU_WS_NO_RESET; /* the other flags say more about a reset, and nothing without one */
   return flags & AMDGPU_CTX_QUERY2_FLAGS_GUILTY ? AMDGPU_WS_GUILTY : AMDGPU_WS_INNOCENT;
}

#define FEW_SYNCS 32
/* Buffers, waits, signals, the list of shared buffers. */
#define MAX_CHUNKS (AMDGPU_WS_MAX_IBS + 3)

struct chunks {
   struct drm_amdgpu_cs_chunk chunk[MAX_CHUNKS];
   struct drm_amdgpu_cs_chunk_ib ib[AMDGPU_WS_MAX_IBS];
   struct drm_amdgpu_bo_list_in list;
   unsigned count;
};

static void
add_chunk(struct chunks *chunks, uint32_t id, const void *data, size_t size_B)
{
   chunks->chunk[chunks->count++] = (struct drm_amdgpu_cs_chunk){id, (uint32_t)(size_B / 4), (uintptr_t)data};
}

static void
add_ibs(struct chunks *chunks, const struct amdgpu_ws_submit *submit)
{
   for (unsigned i = 0; i < submit->ib_count; i++) {
      chunks->ib[i] = (struct drm_amdgpu_cs_chunk_ib){
         .va_start = submit->ibs[i].va,
         .ib_bytes = submit->ibs[i].size_dw * 4,
         .ip_type = amdgpu_ws_ip_type(submit->ibs[i].follows ? AMDGPU_WS_COMPUTE : submit->ring),
         .ring = submit->ibs[i].follows ? 0 : submit->ring_index,
      };
      add_chunk(chunks, AMDGPU_CHUNK_ID_IB, &chunks->ib[i], sizeof(chunks->ib[i]));
   }
}

static void
add_syncs(struct chunks *chunks, uint32_t id, const struct ws_sync *syncs, unsigned count,
          struct drm_amdgpu_cs_chunk_syncobj *storage)
{
   if (!count)
      return;
   for (unsigned i = 0; i < count; i++)
      storage[i] = (struct drm_amdgpu_cs_chunk_syncobj){.handle = syncs[i].syncobj, .point = syncs[i].point};
   add_chunk(chunks, id, storage, count * sizeof(*storage));
}

/* The lock of the list is held for reading. */
static void
add_shared(struct chunks *chunks, const struct amdgpu_ws *ws)
{
   if (!ws->shared_count)
      return;
   chunks->list = (struct drm_amdgpu_bo_list_in){
      .operation = ~0u,
      .list_handle = ~0u,
      .bo_number = ws->shared_count,
      .bo_info_size = sizeof(*ws->shared),
      .bo_info_ptr = (uintptr_t)ws->shared,
   };
   add_chunk(chunks, AMDGPU_CHUNK_ID_BO_HANDLES, &chunks->list, sizeof(chunks->list));
}

int
amdgpu_ws_ctx_submit(struct amdgpu_ws_ctx *ctx, const struct amdgpu_ws_submit *submit)
{
   struct amdgpu_ws *ws = ctx->ws;
   struct chunks chunks;
   struct drm_amdgpu_cs_chunk_syncobj few[FEW_SYNCS], *syncs = few;
   const struct ws_syncs *of = &submit->syncs;
   unsigned sync_count = of->num_waits + of->num_signals;
   uint64_t number; /* of the submit on its ring: syncobjs tell when it is done */
   if (!submit->ib_count || submit->ib_count > AMDGPU_WS_MAX_IBS)
      return -EINVAL;
   if (sync_count > FEW_SYNCS && !(syncs = malloc(sync_count * sizeof(*syncs))))
      return -ENOMEM;
   chunks.count = 0;
   add_ibs(&chunks, submit);
   add_syncs(&chunks, AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT, of->waits, of->num_waits, syncs);
   add_syncs(&chunks, AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL, of->signals, of->num_signals, syncs + of->num_waits);
   pthread_rwlock_rdlock(&ws->shared_lock);
   add_shared(&chunks, ws);
   int result = amdgpu_cs_submit_raw2(ws->dev, ctx->ctx, 0, (int)chunks.count, chunks.chunk, &number);
   pthread_rwlock_unlock(&ws->shared_lock);
   if (syncs != few)
      free(syncs);
   return result;
}
