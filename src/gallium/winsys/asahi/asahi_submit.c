#include <errno.h>
#include <linux/sync_file.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <xf86drm.h>

#include "gallium/winsys/asahi/asahi_private.h"
#include "util/macros.h"
#include "util/mutant.h"

struct asahi_ws_queue {
   struct asahi_ws *ws;
   uint32_t id;
   uint32_t done; /* syncobj that every submit signals: tells how the last one ended */
};

struct asahi_ws_queue *
asahi_ws_queue_create(struct asahi_ws *ws, enum drm_asahi_priority priority)
{
   struct asahi_ws_queue *queue = calloc(1, sizeof(*queue));
   struct drm_asahi_queue_create args = {
      .vm_id = ws->vm_id, .priority = priority, .usc_exec_base = ws->info.usc_base};
   if (!queue || ws_syncobj_create(ws->fd, true, &queue->done)) {
      free(queue);
      return NULL;
   }
   queue->ws = ws;
   if (drmIoctl(ws->fd, DRM_IOCTL_ASAHI_QUEUE_CREATE, &args)) {
      ws_syncobj_destroy(ws->fd, queue->done);
      free(queue);
      return NULL;
   }
   queue->id = args.queue_id;
   return queue;
}

void
asahi_ws_queue_destroy(struct asahi_ws_queue *queue)
{
   struct drm_asahi_queue_destroy args = {.queue_id = queue->id};
   drmIoctl(queue->ws->fd, DRM_IOCTL_ASAHI_QUEUE_DESTROY, &args);
   ws_syncobj_destroy(queue->ws->fd, queue->done);
   free(queue);
}

/* The kernel reports no faults but by the error of a fence. */
bool
asahi_ws_queue_lost(struct asahi_ws_queue *queue)
{
   struct sync_file_info info = {0};
   int fd;
   if (ws_sync_file_export(queue->ws->fd, queue->done, &fd))
      return true;
   /* A kernel that does not answer tells of no fault: Mesa's drm-shim has no sync files. */
   bool lost = !ioctl(fd, SYNC_IOC_FILE_INFO, &info) && info.status < 0;
   close(fd);
   return lost;
}

/* -- the flat buffer of a submit -- */

static size_t
payload_B(const struct asahi_ws_command *command)
{
   return command->render ? sizeof(command->render_cmd) : sizeof(command->compute_cmd);
}

/* Every command after all that come before it, of both kinds. */
static void
write_commands(char *out, const struct asahi_ws_command *commands, unsigned count)
{
   struct drm_asahi_cmd_header header = {0};
   for (unsigned i = 0; i < count; i++) {
      size_t size_B = payload_B(&commands[i]);
      header.cmd_type = commands[i].render ? DRM_ASAHI_CMD_RENDER : DRM_ASAHI_CMD_COMPUTE;
      header.size = (uint16_t)size_B;
      memcpy(out, &header, sizeof(header));
      memcpy(out + sizeof(header), &commands[i].render_cmd, size_B);
      out += sizeof(header) + size_B;
      if (mutant("agx-submit-barrier-missing"))
         continue;
      header.vdm_barrier += commands[i].render;
      header.cdm_barrier += !commands[i].render;
   }
}

static size_t
commands_B(const struct asahi_ws_command *commands, unsigned count)
{
   size_t size_B = 0;
   for (unsigned i = 0; i < count; i++)
      size_B += sizeof(struct drm_asahi_cmd_header) + payload_B(&commands[i]);
   return size_B;
}

static void
write_syncs(struct drm_asahi_sync *out, const struct ws_sync *syncs, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      out[i] = (struct drm_asahi_sync){
         .sync_type = syncs[i].point ? DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ : DRM_ASAHI_SYNC_SYNCOBJ,
         .handle = syncs[i].syncobj,
         .timeline_value = syncs[i].point,
      };
}

/* One call of the kernel. */
static int
submit_part(struct asahi_ws_queue *queue, const struct asahi_ws_command *commands, unsigned count,
            const struct ws_syncs *of)
{
   size_t size_B = commands_B(commands, count);
   size_t syncs_B = (of->num_waits + of->num_signals + 1) * sizeof(struct drm_asahi_sync);
   char *memory = malloc(syncs_B + size_B);
   struct drm_asahi_sync *syncs = (struct drm_asahi_sync *)memory;
   struct ws_sync done = {queue->done, 0};
   if (!memory)
      return -ENOMEM;
   write_syncs(syncs, of->waits, of->num_waits);
   write_syncs(syncs + of->num_waits, of->signals, of->num_signals);
   write_syncs(syncs + of->num_waits + of->num_signals, &done, 1);
   write_commands(memory + syncs_B, commands, count);
   struct drm_asahi_submit args = {
      .syncs = (uintptr_t)syncs,
      .cmdbuf = (uintptr_t)(memory + syncs_B),
      .queue_id = queue->id,
      .in_sync_count = of->num_waits,
      .out_sync_count = of->num_signals + 1,
      .cmdbuf_size = (uint32_t)size_B,
   };
   int error = drmIoctl(queue->ws->fd, DRM_IOCTL_ASAHI_SUBMIT, &args) ? -errno : 0;
   free(memory);
   return error;
}

int
asahi_ws_queue_submit(struct asahi_ws_queue *queue, const struct asahi_ws_submit *submit)
{
   unsigned most = MAX2(queue->ws->info.params.max_commands_per_submission, 1u);
   if (!submit->command_count)
      return -EINVAL;
   for (unsigned first = 0; first < submit->command_count; first += most) {
      unsigned count = MIN2(submit->command_count - first, most);
      struct ws_syncs syncs = submit->syncs;
      if (first)
         syncs.num_waits = 0;
      if (first + count < submit->command_count)
         syncs.num_signals = 0;
      int error = submit_part(queue, submit->commands + first, count, &syncs);
      if (error)
         return error;
   }
   return 0;
}
