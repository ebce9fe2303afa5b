#include "gallium/auxiliary/aux_submit.h"

#include <stdlib.h>

#include "gallium/auxiliary/aux_sync.h"

struct aux_submit *
aux_submit_create(struct aux_screen *screen, uint32_t num_contexts, uint32_t num_binds, uint32_t num_waits,
                  uint32_t num_signals)
{
   size_t syncs_B = ((size_t)num_waits + num_signals) * sizeof(struct ws_sync);
   size_t binds_B = num_binds * sizeof(struct pipe_bind);
   struct aux_submit *submit =
      calloc(1, sizeof(*submit) + syncs_B + binds_B + num_contexts * sizeof(struct pipe_context *) +
                   num_waits * sizeof(uint32_t));

   if (!submit)
      return NULL;
   submit->screen = screen;
   submit->waits = (struct ws_sync *)(submit + 1);
   submit->signals = submit->waits + num_waits;
   submit->binds = (struct pipe_bind *)(submit->signals + num_signals);
   submit->contexts = (struct pipe_context **)(submit->binds + num_binds);
   submit->taken = (uint32_t *)(submit->contexts + num_contexts);
   submit->num_contexts = num_contexts;
   submit->num_binds = num_binds;
   submit->num_waits = num_waits;
   submit->num_signals = num_signals;
   return submit;
}

int
aux_submit_wait_ready(const struct aux_submit *submit, int64_t timeout_ns)
{
   if (!submit->num_waits)
      return 0;
   return ws_syncobj_wait(submit->screen->drm_fd, submit->waits, submit->num_waits, WS_WAIT_ALL | WS_WAIT_PENDING,
                          timeout_ns);
}

int
aux_submit_wait(const struct aux_submit *submit, int64_t timeout_ns)
{
   if (!submit->num_waits)
      return 0;
   return ws_syncobj_wait(submit->screen->drm_fd, submit->waits, submit->num_waits, WS_WAIT_ALL, timeout_ns);
}

int
aux_submit_take(struct aux_submit *submit, uint32_t i, struct aux_sync *sync, uint64_t point)
{
   int drm = submit->screen->drm_fd;
   struct ws_sync *wait = &submit->waits[i];
   int error;

   *wait = (struct ws_sync){sync->syncobj, point};
   if (sync->once) {
      submit->taken[i] = sync->syncobj;
      free(sync);
      return 0;
   }
   if (point)
      return 0;
   error = ws_syncobj_wait(drm, wait, 1, WS_WAIT_ALL | WS_WAIT_PENDING, INT64_MAX);
   if (!error)
      error = ws_syncobj_create(drm, false, &submit->taken[i]);
   if (!error)
      error = ws_syncobj_copy(drm, sync->syncobj, submit->taken[i]);
   if (!error)
      error = ws_syncobj_reset(drm, sync->syncobj);
   wait->syncobj = submit->taken[i];
   return error;
}

void
aux_submit_free(struct aux_submit *submit)
{
   for (uint32_t i = 0; i < submit->num_waits; i++)
      ws_syncobj_destroy(submit->screen->drm_fd, submit->taken[i]);
   free(submit);
}

void
aux_submit_drop(const struct aux_submit *submit)
{
   for (uint32_t i = 0; i < submit->num_signals; i++)
      ws_syncobj_signal(submit->screen->drm_fd, submit->signals[i]);
}
