/* Queues: what the kernel gets of a submit, and which families there are. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "gallium/auxiliary/aux_queue.h"
#include "gallium/auxiliary/aux_sync.h"
#include "gallium/drivers/radeonsi/cs/si_queue_scratch.h"
#include "gallium/drivers/radeonsi/resource/si_sparse.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "util/log.h"
#include "util/macros.h"

struct si_queue {
   struct aux_queue base;
   enum amdgpu_ws_ring ring;
   uint32_t index;
   struct amdgpu_ws_ctx *ctx;
   struct si_queue_scratch scratch; /* compute rings */
};

static struct si_queue *
si_queue(struct aux_queue *queue)
{
   return (struct si_queue *)queue;
}

/* What goes ahead of a submit's contexts: the preamble, and that of the compute ring if they have tasks, or scratch
 * memory of the queue if they need it. Returns how many; 0 when out of memory. */
static uint32_t
begin(struct si_queue *queue, const struct aux_submit *submit, struct amdgpu_ws_ib ibs[2])
{
   struct si_screen *screen = si_screen(&submit->screen->base);
   const struct amdgpu_ws_ib *scratch;
   uint32_t wave_B = 0;
   bool tasks = false;

   ibs[0] = screen->preambles[queue->ring];
   for (uint32_t i = 0; i < submit->num_contexts; i++) {
      wave_B = MAX2(wave_B, si_context(submit->contexts[i])->queue_scratch_wave_B);
      tasks |= si_context(submit->contexts[i])->tasks.started;
   }
   if (tasks) { /* graphics rings have no scratch of the queue */
      ibs[1] = screen->preambles[AMDGPU_WS_COMPUTE];
      ibs[1].follows = true;
      return 2;
   }
   if (!wave_B)
      return 1;
   scratch = si_queue_scratch_get(&queue->scratch, screen, wave_B);
   if (scratch)
      ibs[1] = *scratch;
   return scratch ? 2 : 0;
}

/* Of a submit: the next of its buffers. */
struct place {
   uint32_t context;
   const struct aux_chunk *chunk; /* of it; NULL: the first */
};

/* Where buffers jump to each other, the first stands for all of a context's. */
static struct amdgpu_ws_ib
next_buffer(const struct aux_submit *submit, struct place *place)
{
   const struct si_cs *cs = &si_context(submit->contexts[place->context])->cs;
   const struct aux_chunk *chunk = place->chunk ? place->chunk : cs->first;

   place->chunk = cs->is_sdma ? chunk->next : NULL;
   if (!place->chunk)
      place->context++;
   return (struct amdgpu_ws_ib){.va = chunk->va, .size_dw = cs->is_sdma ? si_cs_buffer_dw(chunk) : cs->first_size_dw};
}

/* Whether a part with `count` buffers takes what comes next: tasks are in one part with what draws them. */
static bool
has_room(const struct aux_submit *submit, const struct place *place, uint32_t count)
{
   return place->context < submit->num_contexts &&
          count + si_context(submit->contexts[place->context])->tasks.started < AMDGPU_WS_MAX_IBS;
}

/* In parts of as many buffers as the kernel takes, each after the preamble; the first waits, the last signals. */
static int
run_contexts(struct aux_queue *queue, const struct aux_submit *submit)
{
   struct amdgpu_ws_ib ibs[AMDGPU_WS_MAX_IBS];
   struct amdgpu_ws_submit part = {
      .ring = si_queue(queue)->ring, .ring_index = si_queue(queue)->index, .ibs = ibs, .syncs = submit->syncs};
   struct place place = {0};
   const uint32_t ahead = begin(si_queue(queue), submit, ibs);
   int error = ahead ? 0 : -ENOMEM;

   while (!error) {
      for (part.ib_count = ahead; has_room(submit, &place, part.ib_count);) {
         const struct si_context *ctx = si_context(submit->contexts[place.context]);

         if (ctx->tasks.started)
            ibs[part.ib_count++] = (struct amdgpu_ws_ib){
               .va = ctx->task_cs.first->va, .size_dw = ctx->task_cs.first_size_dw, .follows = true};
         ibs[part.ib_count++] = next_buffer(submit, &place);
      }
      part.syncs.num_signals = place.context == submit->num_contexts ? submit->syncs.num_signals : 0;
      error = amdgpu_ws_ctx_submit(si_queue(queue)->ctx, &part);
      part.syncs.num_waits = 0;
      if (place.context == submit->num_contexts)
         break;
   }
   if (error)
      log_error("the submit failed: error %d", -error);
   return error;
}

/* The kernel maps at once, so the processor waits for what the binds wait for; only the preamble signals. */
static int
run_binds(struct aux_queue *queue, const struct aux_submit *submit)
{
   struct si_screen *screen = si_screen(&submit->screen->base);
   enum amdgpu_ws_ring ring = si_queue(queue)->ring;
   const struct amdgpu_ws_submit part = {.ring = ring,
                                         .ring_index = si_queue(queue)->index,
                                         .ibs = &screen->preambles[ring],
                                         .ib_count = 1,
                                         .syncs = submit->syncs};
   int error = aux_submit_wait(submit, INT64_MAX);

   if (!error)
      error = si_sparse_bind(screen, submit->binds, submit->num_binds);
   if (!error)
      error = amdgpu_ws_ctx_submit(si_queue(queue)->ctx, &part);
   if (error)
      log_error("the binding of memory failed: error %d", -error);
   return error;
}

static int
submit_queue(struct aux_queue *queue, const struct aux_submit *submit)
{
   return submit->num_binds ? run_binds(queue, submit) : run_contexts(queue, submit);
}

/* Binds wait on the processor. */
static bool
blocks(struct aux_queue *queue, const struct aux_submit *submit)
{
   return submit->num_binds && submit->syncs.num_waits;
}

static bool
lost(struct aux_queue *queue)
{
   return amdgpu_ws_ctx_reset_status(si_queue(queue)->ctx) != AMDGPU_WS_NO_RESET;
}

static const struct aux_queue_ops ops = {submit_queue, lost, blocks};

static enum pipe_result
queue_create(struct pipe_screen *screen, const struct pipe_queue_desc *desc, struct pipe_queue **out)
{
   static const int32_t priorities[] = {
      [PIPE_PRIORITY_LOW] = AMDGPU_CTX_PRIORITY_LOW,
      [PIPE_PRIORITY_MEDIUM] = AMDGPU_CTX_PRIORITY_NORMAL,
      [PIPE_PRIORITY_HIGH] = AMDGPU_CTX_PRIORITY_HIGH,
      [PIPE_PRIORITY_REALTIME] = AMDGPU_CTX_PRIORITY_VERY_HIGH,
   };
   struct si_queue *queue = calloc(1, sizeof(*queue));

   if (!queue)
      return PIPE_OUT_OF_HOST_MEMORY;
   queue->ring = (enum amdgpu_ws_ring)desc->family;
   queue->index = desc->index;
   int error = amdgpu_ws_ctx_create(si_screen(screen)->ws, priorities[desc->priority], &queue->ctx);
   if (error || !aux_queue_init(&queue->base, screen, &ops)) {
      if (!error)
         amdgpu_ws_ctx_destroy(queue->ctx);
      free(queue);
      return error == -EACCES ? PIPE_NOT_PERMITTED : PIPE_OUT_OF_HOST_MEMORY;
   }
   *out = aux_queue_handle(&queue->base);
   return PIPE_OK;
}

static void
queue_destroy(struct pipe_screen *screen, struct pipe_queue *pipe)
{
   struct si_queue *queue = si_queue(aux_queue(pipe));

   aux_queue_finish(&queue->base);
   si_queue_scratch_finish(&queue->scratch);
   amdgpu_ws_ctx_destroy(queue->ctx);
   free(queue);
}

static bool
last_fault(struct pipe_screen *screen, struct pipe_fault *fault)
{
   struct amdgpu_ws_fault of_kernel;

   if (!amdgpu_ws_last_fault(si_screen(screen)->ws, &of_kernel))
      return false;
   const uint32_t status = of_kernel.status;

   fault->address = of_kernel.va;
   fault->page_B = 4096;
   fault->writes = G_GCVM_L2_PROTECTION_FAULT_STATUS_RW(status);
   snprintf(fault->source, sizeof(fault->source), "hub %u, client 0x%x, permission faults 0x%x", of_kernel.hub,
            G_GCVM_L2_PROTECTION_FAULT_STATUS_CID(status),
            G_GCVM_L2_PROTECTION_FAULT_STATUS_PERMISSION_FAULTS(status));
   return true;
}

static uint64_t
timestamp(struct pipe_screen *screen)
{
   uint64_t ticks = 0;

   amdgpu_ws_timestamp(si_screen(screen)->ws, &ticks);
   return ticks;
}

/* A family a kind of rings, a queue a ring: as many as RADV has, but for transfers. */
static const struct pipe_queue_family families[AMDGPU_WS_RINGS] = {
   [AMDGPU_WS_GFX] = {PIPE_CAN_GRAPHICS | PIPE_CAN_COMPUTE | PIPE_CAN_TRANSFER | PIPE_CAN_BIND, 1},
   [AMDGPU_WS_COMPUTE] = {PIPE_CAN_COMPUTE | PIPE_CAN_TRANSFER | PIPE_CAN_BIND, 4},
   /* One, as temporary memory of what is recorded for it is (si_sdma.c). */
   [AMDGPU_WS_SDMA] = {PIPE_CAN_TRANSFER, 1},
};

static void
init_families(struct si_screen *screen)
{
   const struct amdgpu_ws_info *ws = amdgpu_ws_info(screen->ws);
   struct pipe_caps *caps = &screen->base.caps;

   for (unsigned ring = 0; ring < ARRAY_SIZE(families) && ws->num_rings[ring]; ring++) {
      caps->queue_families[ring] = families[ring];
      caps->queue_families[ring].count = MIN2(families[ring].count, ws->num_rings[ring]);
      caps->num_queue_families++;
   }
}

void
si_init_queue(struct si_screen *screen)
{
   init_families(screen);
   aux_init_sync(&screen->base);
   aux_init_queue(&screen->base);
   screen->base.queue_create = queue_create;
   screen->base.queue_destroy = queue_destroy;
   screen->base.caps.page_faults = true;
   screen->base.last_fault = last_fault;
   screen->base.timestamp = timestamp;
}
