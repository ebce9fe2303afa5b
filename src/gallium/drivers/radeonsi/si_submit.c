#include "gallium/drivers/radeonsi/si_submit.h"

#include <stdlib.h>

#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/si_sync.h"
#include "util/log.h"
#include "util/macros.h"

struct si_submit *
si_submit_create(struct si_screen *screen, enum amdgpu_ws_ring ring, uint32_t num_contexts, uint32_t num_waits,
                 uint32_t num_signals)
{
   size_t syncs_B = ((size_t)num_waits + num_signals) * sizeof(struct amdgpu_ws_sync);
   struct si_submit *submit = calloc(1, sizeof(*submit) + syncs_B + num_contexts * sizeof(struct pipe_context *) +
                                           num_waits * sizeof(uint32_t));

   if (!submit)
      return NULL;
   submit->screen = screen;
   submit->ring = ring;
   submit->waits = (struct amdgpu_ws_sync *)(submit + 1);
   submit->signals = submit->waits + num_waits;
   submit->contexts = (struct pipe_context **)(submit->signals + num_signals);
   submit->taken = (uint32_t *)(submit->contexts + num_contexts);
   submit->num_contexts = num_contexts;
   submit->num_waits = num_waits;
   submit->num_signals = num_signals;
   return submit;
}

int
si_submit_wait_ready(const struct si_submit *submit, int64_t timeout_ns)
{
   if (!submit->num_waits)
      return 0;
   return amdgpu_ws_syncobj_wait(submit->screen->ws, submit->waits, submit->num_waits,
                                 AMDGPU_WS_WAIT_ALL | AMDGPU_WS_WAIT_PENDING, timeout_ns);
}

/* Contexts [first, first + count) behind the preamble; the first part waits, the last signals. */
static int
run_part(const struct si_submit *submit, struct amdgpu_ws_ctx *ctx, uint32_t first, uint32_t count)
{
   struct amdgpu_ws_ib ibs[AMDGPU_WS_MAX_IBS];
   bool is_last = first + count == submit->num_contexts;
   struct amdgpu_ws_submit part = {
      .ring = submit->ring,
      .ibs = ibs,
      .ib_count = 1 + count,
      .waits = submit->waits,
      .wait_count = first ? 0 : submit->num_waits,
      .signals = submit->signals,
      .signal_count = is_last ? submit->num_signals : 0,
   };

   ibs[0] = submit->screen->preambles[submit->ring];
   for (uint32_t i = 0; i < count; i++) {
      const struct si_cs *cs = &si_context(submit->contexts[first + i])->cs;

      ibs[1 + i] = (struct amdgpu_ws_ib){cs->first->va, cs->first_size_dw};
   }
   return amdgpu_ws_ctx_submit(ctx, &part);
}

int
si_submit_take(struct si_submit *submit, uint32_t i, struct si_sync *sync, uint64_t point)
{
   struct amdgpu_ws *ws = submit->screen->ws;
   struct amdgpu_ws_sync *wait = &submit->waits[i];
   int error;

   *wait = (struct amdgpu_ws_sync){sync->syncobj, point};
   if (sync->once) {
      submit->taken[i] = sync->syncobj;
      free(sync);
      return 0;
   }
   if (point)
      return 0;
   error = amdgpu_ws_syncobj_wait(ws, wait, 1, AMDGPU_WS_WAIT_ALL | AMDGPU_WS_WAIT_PENDING, INT64_MAX);
   if (!error)
      error = amdgpu_ws_syncobj_create(ws, false, &submit->taken[i]);
   if (!error)
      error = amdgpu_ws_syncobj_copy(ws, sync->syncobj, submit->taken[i]);
   if (!error)
      error = amdgpu_ws_syncobj_reset(ws, sync->syncobj);
   wait->syncobj = submit->taken[i];
   return error;
}

void
si_submit_free(struct si_submit *submit)
{
   for (uint32_t i = 0; i < submit->num_waits; i++)
      amdgpu_ws_syncobj_destroy(submit->screen->ws, submit->taken[i]);
   free(submit);
}

void
si_submit_drop(const struct si_submit *submit)
{
   for (uint32_t i = 0; i < submit->num_signals; i++)
      amdgpu_ws_syncobj_signal(submit->screen->ws, submit->signals[i]);
}

int
si_submit_run(const struct si_submit *submit, struct amdgpu_ws_ctx *ctx)
{
   uint32_t first = 0;
   int error;

   do {
      uint32_t count = MIN2(submit->num_contexts - first, AMDGPU_WS_MAX_IBS - 1u);

      error = run_part(submit, ctx, first, count);
      first += count;
   } while (!error && first < submit->num_contexts);
   if (error)
      log_error("the submit failed: error %d", -error);
   return error;
}
