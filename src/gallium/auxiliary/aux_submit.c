#include "gallium/auxiliary/aux_submit.h"

#include <stdlib.h>
#include <string.h>

#include "gallium/auxiliary/aux_sync.h"

static struct aux_submit *
allocate(struct aux_screen *screen, const struct pipe_submit *from)
{
   uint32_t num_signals = from->num_signals + 1;
   size_t syncs_B = ((size_t)from->num_waits + num_signals) * sizeof(struct ws_sync);
   size_t binds_B = from->num_binds * sizeof(struct pipe_bind);
   struct aux_submit *submit =
      calloc(1, sizeof(*submit) + syncs_B + binds_B + from->num_contexts * sizeof(struct pipe_context *) +
                   from->num_waits * sizeof(uint32_t));

   if (!submit)
      return NULL;
   submit->screen = screen;
   submit->syncs.waits = (struct ws_sync *)(submit + 1);
   submit->syncs.signals = submit->syncs.waits + from->num_waits;
   submit->binds = (struct pipe_bind *)(submit->syncs.signals + num_signals);
   submit->contexts = (struct pipe_context **)(submit->binds + from->num_binds);
   submit->taken = (uint32_t *)(submit->contexts + from->num_contexts);
   submit->syncs.num_waits = from->num_waits;
   submit->syncs.num_signals = num_signals;
   submit->num_contexts = from->num_contexts;
   submit->num_binds = from->num_binds;
   return submit;
}

/* Wait i. 0 or a negative errno. */
static int
take_wait(struct aux_submit *submit, uint32_t i, const struct pipe_sync_point *from)
{
   int drm = submit->screen->drm_fd;
   struct aux_sync *sync = aux_sync(from->sync);
   struct ws_sync *wait = &submit->syncs.waits[i];
   int error;

   *wait = (struct ws_sync){sync->syncobj, from->point};
   if (from->is_dropped) {
      submit->taken[i] = sync->syncobj;
      free(sync);
      return 0;
   }
   if (from->point)
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

struct aux_submit *
aux_submit_create(struct aux_screen *screen, const struct pipe_submit *from, uint32_t idle, int *error)
{
   struct aux_submit *submit = allocate(screen, from);

   *error = 0;
   for (uint32_t i = 0; i < from->num_waits; i++) {
      int taken = 0;

      if (submit)
         taken = take_wait(submit, i, &from->waits[i]);
      else if (from->waits[i].is_dropped)
         screen->base.sync_destroy(&screen->base, from->waits[i].sync);
      *error = *error ? *error : taken;
   }
   if (!submit)
      return NULL;
   for (uint32_t i = 0; i < from->num_signals; i++)
      submit->syncs.signals[i] = (struct ws_sync){aux_sync(from->signals[i].sync)->syncobj, from->signals[i].point};
   submit->syncs.signals[from->num_signals] = (struct ws_sync){idle, 0};
   if (from->num_contexts)
      memcpy(submit->contexts, from->contexts, from->num_contexts * sizeof(*from->contexts));
   if (from->num_binds)
      memcpy(submit->binds, from->binds, from->num_binds * sizeof(*from->binds));
   return submit;
}

int
aux_submit_wait_ready(const struct aux_submit *submit, int64_t timeout_ns)
{
   if (!submit->syncs.num_waits)
      return 0;
   return ws_syncobj_wait(submit->screen->drm_fd, submit->syncs.waits, submit->syncs.num_waits,
                          WS_WAIT_ALL | WS_WAIT_PENDING, timeout_ns);
}

int
aux_submit_wait(const struct aux_submit *submit, int64_t timeout_ns)
{
   if (!submit->syncs.num_waits)
      return 0;
   return ws_syncobj_wait(submit->screen->drm_fd, submit->syncs.waits, submit->syncs.num_waits, WS_WAIT_ALL,
                          timeout_ns);
}

void
aux_submit_free(struct aux_submit *submit)
{
   for (uint32_t i = 0; i < submit->syncs.num_waits; i++)
      ws_syncobj_destroy(submit->screen->drm_fd, submit->taken[i]);
   free(submit);
}

void
aux_submit_drop(const struct aux_submit *submit)
{
   for (uint32_t i = 0; i < submit->syncs.num_signals; i++)
      ws_syncobj_signal(submit->screen->drm_fd, submit->syncs.signals[i]);
}
