/* Queues: what the kernel gets of a submit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gallium/auxiliary/aux_queue.h"
#include "gallium/drivers/asahi/assembly/agx_assembly_programs.h"
#include "gallium/auxiliary/aux_sync.h"
#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/resource/agx_sparse.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/mutant.h"

struct agx_queue {
   struct aux_queue base;
   struct asahi_ws_queue *ws;
   struct agx_binder binder;
   struct ws_sync heap_done; /* a timeline: the last work that used the heap of draws */
};

static struct agx_queue *
agx_queue(struct aux_queue *queue)
{
   return (struct agx_queue *)queue;
}

bool
agx_empty_stream_init(struct agx_screen *screen)
{
   struct agx_cs cs;

   screen->empty_stream = asahi_ws_bo_create(screen->ws, AGX_CS_TAIL_B, 0, ASAHI_WS_BO_READ_ONLY);
   if (!screen->empty_stream || !asahi_ws_bo_map(screen->empty_stream))
      return false;
   agx_cs_init(&cs, &screen->chunks, AGX_CS_CDM);
   cs.cur = screen->empty_stream->map;
   agx_cs_end(&cs);
   return true;
}

/* The kernel takes no submit without a command. */
static struct asahi_ws_command
empty_command(const struct agx_screen *screen)
{
   uint64_t va = screen->empty_stream->va;

   return (struct asahi_ws_command){.compute_cmd = {.cdm_ctrl_stream_base = va, .cdm_ctrl_stream_end = va + 8}};
}

/* All contexts of a submit, one after the other. */
struct work {
   struct asahi_ws_command *commands;
   struct agx_event_wait *waits;
   uint32_t num_commands, num_waits;
   uint32_t done; /* of the commands */
   bool started;  /* the kernel knows what the submit waits for */
};

static bool
gather(const struct aux_submit *submit, struct work *work)
{
   uint32_t commands = 0, waits = 0;

   for (uint32_t i = 0; i < submit->num_contexts; i++) {
      commands += agx_context(submit->contexts[i])->num_commands;
      waits += agx_context(submit->contexts[i])->num_event_waits;
   }
   *work = (struct work){.commands = malloc(MAX2(commands, 1u) * sizeof(*work->commands)),
                         .waits = malloc(MAX2(waits, 1u) * sizeof(*work->waits))};
   for (uint32_t i = 0; i < submit->num_contexts && work->commands && work->waits; i++) {
      const struct agx_context *ctx = agx_context(submit->contexts[i]);

      for (uint32_t j = 0; j < ctx->num_event_waits; j++)
         work->waits[work->num_waits++] =
            (struct agx_event_wait){work->num_commands + ctx->event_waits[j].commands, ctx->event_waits[j].word};
      for (uint32_t j = 0; j < ctx->num_commands; j++)
         work->commands[work->num_commands++] = ctx->commands[j];
   }
   return work->commands && work->waits;
}

/* Commands up to `end`; what comes last signals. */
static int
run_part(struct aux_queue *queue, const struct aux_submit *submit, struct work *work, uint32_t end, bool is_last)
{
   struct asahi_ws_command empty = empty_command(agx_screen(&queue->screen->base));
   uint32_t count = end - work->done;
   struct asahi_ws_submit part = {
      .commands = count ? work->commands + work->done : &empty,
      .command_count = count ? count : 1,
      .syncs = submit->syncs,
   };

   if (work->started)
      part.syncs.num_waits = 0;
   if (!is_last)
      part.syncs.num_signals = 0;

   work->done = end;
   work->started = true;
   agx_assembly_check_heap(agx_screen(&queue->screen->base));
   return asahi_ws_queue_submit(agx_queue(queue)->ws, &part);
}

/* Until the event is set, or nobody will set it any more. */
static int
wait_event(struct aux_queue *queue, const uint32_t *word)
{
   const struct timespec nap = {.tv_nsec = 100000};

   for (unsigned i = 1; __atomic_load_n(word, __ATOMIC_ACQUIRE) != 1; i++) {
      if (i % 64 == 0 && asahi_ws_queue_lost(agx_queue(queue)->ws))
         return -EIO;
      nanosleep(&nap, NULL);
   }
   return 0;
}

static int
run_work(struct aux_queue *queue, const struct aux_submit *submit, struct work *work)
{
   int error = 0;

   for (uint32_t i = 0; i < work->num_waits && !error; i++) {
      if (work->waits[i].commands > work->done)
         error = run_part(queue, submit, work, work->waits[i].commands, false);
      error = error ? error : wait_event(queue, work->waits[i].word);
   }
   return error ? error : run_part(queue, submit, work, work->num_commands, true);
}

/* ---- the heap of draws ---- */

/* It is the screen's: queues of several devices use it in turns. The work of one is ordered anyway. */
static bool
uses_heap(const struct aux_submit *submit)
{
   for (uint32_t i = 0; i < submit->num_contexts; i++) {
      if (agx_context(submit->contexts[i])->uses_heap)
         return true;
   }
   return false;
}

/* One more wait and one more signal, from malloc(). */
static bool
add_turn(struct aux_submit *submit, const struct agx_heap_turn *turn, const struct agx_queue *queue)
{
   struct ws_syncs *syncs = &submit->syncs;
   struct ws_sync *waits = malloc((syncs->num_waits + 1) * sizeof(*waits));
   struct ws_sync *signals = malloc((syncs->num_signals + 1) * sizeof(*signals));

   if (waits && syncs->num_waits)
      memcpy(waits, syncs->waits, syncs->num_waits * sizeof(*waits));
   if (signals && syncs->num_signals)
      memcpy(signals, syncs->signals, syncs->num_signals * sizeof(*signals));
   syncs->waits = waits;
   syncs->signals = signals;
   if (!waits || !signals)
      return false;
   if (turn->last && turn->last != queue)
      waits[syncs->num_waits++] = turn->done;
   signals[syncs->num_signals++] = (struct ws_sync){queue->heap_done.syncobj, queue->heap_done.point + 1};
   return true;
}

static int
run_in_turn(struct aux_queue *queue, const struct aux_submit *from, struct work *work)
{
   struct agx_heap_turn *turn = &agx_screen(&queue->screen->base)->heap_turn;
   struct agx_queue *own = agx_queue(queue);
   struct aux_submit submit = *from;

   pthread_mutex_lock(&turn->lock);
   int error = add_turn(&submit, turn, own) ? run_work(queue, &submit, work) : -ENOMEM;

   if (!error) {
      own->heap_done.point++;
      turn->last = own;
      turn->done = own->heap_done;
   }
   pthread_mutex_unlock(&turn->lock);
   free(submit.syncs.waits);
   free(submit.syncs.signals);
   return error;
}

/* Of a queue that goes. */
static void
forget_turn(struct agx_heap_turn *turn, const struct agx_queue *queue)
{
   pthread_mutex_lock(&turn->lock);
   if (turn->last == queue)
      turn->last = NULL;
   pthread_mutex_unlock(&turn->lock);
}

/* Ranges are bound when the waits are over; programs that write tables are commands like others. */
static int
run_binds(struct aux_queue *queue, const struct aux_submit *submit)
{
   struct agx_screen *screen = agx_screen(&queue->screen->base);
   struct asahi_ws_command empty = empty_command(screen);
   uint32_t num_signals = submit->syncs.num_signals;
   struct ws_sync *signals = malloc((num_signals + 1) * sizeof(*signals));
   struct agx_bind_work *work = NULL;
   int error = signals ? 0 : -ENOMEM;

   if (!error && agx_binds_ranges(submit)) {
      error = mutant("agx-bind-order-missing") ? 0 : aux_submit_wait(submit, INT64_MAX);
      error = error ? error : agx_bind_ranges(screen, submit);
   }
   error = error ? error : agx_bind_tables(&agx_queue(queue)->binder, screen, submit, &work);
   struct agx_context *ctx = work ? agx_context(work->ctx) : NULL;
   struct asahi_ws_submit part = {
      .commands = ctx && ctx->num_commands ? ctx->commands : &empty,
      .command_count = ctx && ctx->num_commands ? ctx->num_commands : 1,
      .syncs = {submit->syncs.waits, signals, submit->syncs.num_waits, num_signals + (work != NULL)},
   };

   if (!error) {
      memcpy(signals, submit->syncs.signals, num_signals * sizeof(*signals));
      if (work)
         signals[num_signals] = (struct ws_sync){work->done, 0};
      error = asahi_ws_queue_submit(agx_queue(queue)->ws, &part);
   }
   if (error && work)
      ws_syncobj_signal(queue->screen->drm_fd, (struct ws_sync){work->done, 0});
   free(signals);
   return error;
}

static int
submit_queue(struct aux_queue *queue, const struct aux_submit *submit)
{
   if (submit->num_binds) {
      int failed = run_binds(queue, submit);

      if (failed)
         log_error("the binding of memory failed: error %d", -failed);
      return failed;
   }
   struct work work;
   int (*run)(struct aux_queue *, const struct aux_submit *, struct work *) =
      uses_heap(submit) ? run_in_turn : run_work;
   int error = gather(submit, &work) ? run(queue, submit, &work) : -ENOMEM;

   free(work.commands);
   free(work.waits);
   if (error)
      log_error("the submit failed: error %d", -error);
   return error;
}

static bool
blocks(struct aux_queue *queue, const struct aux_submit *submit)
{
   for (uint32_t i = 0; i < submit->num_contexts; i++) {
      if (agx_context(submit->contexts[i])->num_event_waits)
         return true;
   }
   return submit->syncs.num_waits && agx_binds_ranges(submit);
}

static bool
lost(struct aux_queue *queue)
{
   return asahi_ws_queue_lost(agx_queue(queue)->ws);
}

static const struct aux_queue_ops ops = {submit_queue, lost, blocks};

static enum pipe_result
queue_create(struct pipe_screen *screen, const struct pipe_queue_desc *desc, struct pipe_queue **out)
{
   struct agx_queue *queue;

   /* The kernel refuses the higher ones with an error that says nothing (asahi_drm.h: they are for later). */
   if (desc->priority > PIPE_PRIORITY_MEDIUM)
      return PIPE_NOT_PERMITTED;
   queue = calloc(1, sizeof(*queue));
   if (!queue)
      return PIPE_OUT_OF_HOST_MEMORY;
   queue->ws =
      asahi_ws_queue_create(agx_screen(screen)->ws,
                            desc->priority == PIPE_PRIORITY_LOW ? DRM_ASAHI_PRIORITY_LOW : DRM_ASAHI_PRIORITY_MEDIUM);
   int fd = agx_screen(screen)->aux.drm_fd;
   bool has_sync = queue->ws && !ws_syncobj_create(fd, false, &queue->heap_done.syncobj);

   if (!has_sync || !aux_queue_init(&queue->base, screen, &ops)) {
      if (has_sync)
         ws_syncobj_destroy(fd, queue->heap_done.syncobj);
      if (queue->ws)
         asahi_ws_queue_destroy(queue->ws);
      free(queue);
      return PIPE_OUT_OF_HOST_MEMORY;
   }
   *out = aux_queue_handle(&queue->base);
   return PIPE_OK;
}

static void
queue_destroy(struct pipe_screen *screen, struct pipe_queue *pipe)
{
   struct agx_queue *queue = agx_queue(aux_queue(pipe));

   aux_queue_finish(&queue->base);
   agx_binder_finish(&queue->binder, agx_screen(screen));
   forget_turn(&agx_screen(screen)->heap_turn, queue);
   ws_syncobj_destroy(agx_screen(screen)->aux.drm_fd, queue->heap_done.syncobj);
   asahi_ws_queue_destroy(queue->ws);
   free(queue);
}

static uint64_t
timestamp(struct pipe_screen *screen)
{
   uint64_t ns = 0;

   asahi_ws_timestamp(agx_screen(screen)->ws, &ns);
   return ns;
}

void
agx_init_queue(struct agx_screen *screen)
{
   screen->base.caps.num_queue_families = 1;
   screen->base.caps.queue_families[0] =
      (struct pipe_queue_family){PIPE_CAN_GRAPHICS | PIPE_CAN_COMPUTE | PIPE_CAN_TRANSFER | PIPE_CAN_BIND, 1};
   aux_init_sync(&screen->base);
   aux_init_queue(&screen->base);
   screen->base.queue_create = queue_create;
   screen->base.queue_destroy = queue_destroy;
   screen->base.timestamp = timestamp;
}
