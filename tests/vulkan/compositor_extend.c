/* Buffers of clients' GPUs, and protocols about when they are read and shown. */
#include "compositor_private.h"

#include <fcntl.h>
#include <libdrm/drm_fourcc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>

#include "fifo-v1-server-protocol.h"
#include "linux-dmabuf-v1-server-protocol.h"
#include "linux-drm-syncobj-v1-server-protocol.h"
#include "presentation-time-server-protocol.h"
#include "tearing-control-v1-server-protocol.h"

#define WAIT_NS INT64_C(10000000000) /* for the work of a client that has not ended yet */
#define REFRESH_NS 16666667

static void
destroy(struct wl_client *client, struct wl_resource *resource)
{
   wl_resource_destroy(resource);
}

/* ---- linux-dmabuf ---- */

static void
free_image(struct wl_resource *resource)
{
   struct display_image *image = wl_resource_get_user_data(resource);
   if (image && image->fd >= 0)
      close(image->fd);
   free(image);
}

static const struct wl_buffer_interface buffer_calls = {.destroy = destroy};

const struct display_image *
compositor_dmabuf(struct wl_resource *buffer)
{
   return wl_resource_instance_of(buffer, &wl_buffer_interface, &buffer_calls) ? wl_resource_get_user_data(buffer)
                                                                               : NULL;
}

static void
params_add(struct wl_client *client, struct wl_resource *resource, int32_t fd, uint32_t plane, uint32_t offset,
           uint32_t stride, uint32_t modifier_hi, uint32_t modifier_lo)
{
   /* size: the request's */
   struct display_image *image = wl_resource_get_user_data(resource);
   if (plane || image->fd >= 0) {
      wl_resource_post_error(resource, ZWP_LINUX_BUFFER_PARAMS_V1_ERROR_PLANE_IDX, "one plane");
      close(fd);
      return;
   }
   image->fd = fd;
   image->offset_B = offset;
   image->pitch_B = stride;
   image->modifier = (uint64_t)modifier_hi << 32 | modifier_lo;
}

/* Takes the parameters' image. */
static struct wl_resource *
create_buffer(struct wl_client *client, struct wl_resource *params, uint32_t id, int32_t width, int32_t height,
              uint32_t format)
{
   struct display_image *image = wl_resource_get_user_data(params);
   if (format != DRM_FORMAT_XRGB8888 && format != DRM_FORMAT_ARGB8888) {
      wl_resource_post_error(params, ZWP_LINUX_BUFFER_PARAMS_V1_ERROR_INVALID_FORMAT, "format 0x%x", format);
      return NULL;
   }
   image->width = (uint32_t)width;
   image->height = (uint32_t)height;
   struct wl_resource *buffer = wl_resource_create(client, &wl_buffer_interface, 1, id);
   wl_resource_set_implementation(buffer, &buffer_calls, image, free_image);
   wl_resource_set_user_data(params, NULL);
   return buffer;
}

static void
params_create(struct wl_client *client, struct wl_resource *params, int32_t width, int32_t height, uint32_t format,
              uint32_t flags)
{
   struct wl_resource *buffer = create_buffer(client, params, 0, width, height, format);
   if (buffer)
      zwp_linux_buffer_params_v1_send_created(params, buffer);
}

static void
params_create_immed(struct wl_client *client, struct wl_resource *params, uint32_t id, int32_t width, int32_t height,
                    uint32_t format, uint32_t flags)
{
   /* size: the request's */
   create_buffer(client, params, id, width, height, format);
}

static void
create_params(struct wl_client *client, struct wl_resource *resource, uint32_t id)
{
   static const struct zwp_linux_buffer_params_v1_interface calls = {destroy, params_add, params_create,
                                                                     params_create_immed};
   struct display_image *image = calloc(1, sizeof(*image));
   image->fd = -1;
   struct wl_resource *params =
      wl_resource_create(client, &zwp_linux_buffer_params_v1_interface, wl_resource_get_version(resource), id);
   wl_resource_set_implementation(params, &calls, image, free_image);
}

/* Two groups: one of another device, whose modifiers a client must not take, then this one's. */
static void
send_feedback(const struct compositor *compositor, struct wl_resource *feedback)
{
   struct stat status;
   struct wl_array device, indices;
   fstat(compositor->device, &status);
   wl_array_init(&device);
   wl_array_init(&indices);
   dev_t *number = wl_array_add(&device, sizeof(*number));
   *number = status.st_rdev;
   for (int i = 0; i < compositor->num_pairs; i++)
      *(uint16_t *)wl_array_add(&indices, sizeof(uint16_t)) = (uint16_t)i;
   zwp_linux_dmabuf_feedback_v1_send_main_device(feedback, &device);
   zwp_linux_dmabuf_feedback_v1_send_format_table(feedback, compositor->table, (uint32_t)compositor->num_pairs * 16);
   for (unsigned other = 1; other < 2; other--) {
      *number = other ? 1 : status.st_rdev;
      zwp_linux_dmabuf_feedback_v1_send_tranche_target_device(feedback, &device);
      zwp_linux_dmabuf_feedback_v1_send_tranche_flags(feedback, 0);
      zwp_linux_dmabuf_feedback_v1_send_tranche_formats(feedback, &indices);
      zwp_linux_dmabuf_feedback_v1_send_tranche_done(feedback);
   }
   zwp_linux_dmabuf_feedback_v1_send_done(feedback);
   wl_array_release(&device);
   wl_array_release(&indices);
}

static void
get_default_feedback(struct wl_client *client, struct wl_resource *resource, uint32_t id)
{
   static const struct zwp_linux_dmabuf_feedback_v1_interface calls = {destroy};
   struct wl_resource *feedback =
      wl_resource_create(client, &zwp_linux_dmabuf_feedback_v1_interface, wl_resource_get_version(resource), id);
   wl_resource_set_implementation(feedback, &calls, NULL, NULL);
   send_feedback(wl_resource_get_user_data(resource), feedback);
}

static void
get_surface_feedback(struct wl_client *client, struct wl_resource *resource, uint32_t id, struct wl_resource *surface)
{
   get_default_feedback(client, resource, id);
}

static void
bind_dmabuf(struct wl_client *client, void *data, uint32_t version, uint32_t id)
{
   static const struct zwp_linux_dmabuf_v1_interface calls = {destroy, create_params, get_default_feedback,
                                                              get_surface_feedback};
   struct wl_resource *resource = wl_resource_create(client, &zwp_linux_dmabuf_v1_interface, (int)version, id);
   wl_resource_set_implementation(resource, &calls, data, NULL);
}

/* Each modifier with both formats. */
static void
make_table(struct compositor *compositor)
{
   static const uint32_t formats[] = {DRM_FORMAT_XRGB8888, DRM_FORMAT_ARGB8888};
   compositor->table = memfd_create("formats", MFD_CLOEXEC);
   for (uint32_t i = 0; i < 2 * compositor->options.num_modifiers; i++) {
      const struct {
         uint32_t format, pad;
         uint64_t modifier;
      } pair = {formats[i % 2], 0, compositor->options.modifiers[i / 2]};
      if (write(compositor->table, &pair, sizeof(pair)) != sizeof(pair))
         abort();
      compositor->num_pairs++;
   }
}

/* ---- linux-drm-syncobj ---- */

struct timeline {
   const struct compositor *compositor;
   uint32_t handle;
};

static void
free_timeline(struct wl_resource *resource)
{
   struct timeline *timeline = wl_resource_get_user_data(resource);
   if (timeline->handle)
      drmSyncobjDestroy(timeline->compositor->device, timeline->handle);
   free(timeline);
}

static struct compositor_point
point_of(struct wl_resource *timeline, uint32_t hi, uint32_t lo)
{
   return (struct compositor_point){((struct timeline *)wl_resource_get_user_data(timeline))->handle,
                                    (uint64_t)hi << 32 | lo};
}

static void
set_acquire(struct wl_client *client, struct wl_resource *resource, struct wl_resource *timeline, uint32_t hi,
            uint32_t lo)
{
   ((struct compositor_surface *)wl_resource_get_user_data(resource))->acquire = point_of(timeline, hi, lo);
}

static void
set_release(struct wl_client *client, struct wl_resource *resource, struct wl_resource *timeline, uint32_t hi,
            uint32_t lo)
{
   ((struct compositor_surface *)wl_resource_get_user_data(resource))->release = point_of(timeline, hi, lo);
}

static void
leave_sync(struct wl_resource *resource)
{
   ((struct compositor_surface *)wl_resource_get_user_data(resource))->has_sync = false;
}

/* Of a thing that a surface has one of. */
static struct wl_resource *
create_only(struct wl_client *client, struct wl_resource *manager, const struct wl_interface *interface, uint32_t id,
            bool *has)
{
   if (*has)
      wl_resource_post_error(manager, 0, "the surface has one");
   *has = true;
   return wl_resource_create(client, interface, 1, id);
}

static void
get_sync(struct wl_client *client, struct wl_resource *manager, uint32_t id, struct wl_resource *of)
{
   static const struct wp_linux_drm_syncobj_surface_v1_interface calls = {destroy, set_acquire, set_release};
   struct compositor_surface *surface = wl_resource_get_user_data(of);
   struct wl_resource *resource =
      create_only(client, manager, &wp_linux_drm_syncobj_surface_v1_interface, id, &surface->has_sync);
   wl_resource_set_implementation(resource, &calls, surface, leave_sync);
}

/* The client may have destroyed it already, and the model's shim forgets it then: nobody uses it any more, or a
 * commit that does is noted as one without points. */
static void
import_timeline(struct wl_client *client, struct wl_resource *manager, uint32_t id, int32_t fd)
{
   static const struct wp_linux_drm_syncobj_timeline_v1_interface calls = {destroy};
   struct timeline *timeline = calloc(1, sizeof(*timeline));
   timeline->compositor = wl_resource_get_user_data(manager);
   if (drmSyncobjFDToHandle(timeline->compositor->device, fd, &timeline->handle))
      timeline->handle = 0;
   close(fd);
   struct wl_resource *resource = wl_resource_create(client, &wp_linux_drm_syncobj_timeline_v1_interface, 1, id);
   wl_resource_set_implementation(resource, &calls, timeline, free_timeline);
}

static void
bind_syncs(struct wl_client *client, void *data, uint32_t version, uint32_t id)
{
   static const struct wp_linux_drm_syncobj_manager_v1_interface calls = {destroy, get_sync, import_timeline};
   struct wl_resource *resource =
      wl_resource_create(client, &wp_linux_drm_syncobj_manager_v1_interface, (int)version, id);
   wl_resource_set_implementation(resource, &calls, data, NULL);
}

bool
compositor_wait_point(const struct compositor *compositor, const struct compositor_point *point)
{
   struct timespec now;
   uint32_t handle = point->handle;
   uint64_t value = point->point;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return !drmSyncobjTimelineWait(compositor->device, &handle, &value, 1,
                                  now.tv_sec * INT64_C(1000000000) + now.tv_nsec + WAIT_NS,
                                  DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, NULL);
}

void
compositor_signal_point(const struct compositor *compositor, const struct compositor_point *point)
{
   uint32_t handle = point->handle;
   uint64_t value = point->point;
   if (handle)
      drmSyncobjTimelineSignal(compositor->device, &handle, &value, 1);
}

/* ---- fifo ---- */

static void
set_barrier(struct wl_client *client, struct wl_resource *resource)
{
   ((struct compositor_surface *)wl_resource_get_user_data(resource))->sets_barrier = true;
}

static void
wait_barrier(struct wl_client *client, struct wl_resource *resource)
{
   ((struct compositor_surface *)wl_resource_get_user_data(resource))->waits_barrier = true;
}

static void
leave_fifo(struct wl_resource *resource)
{
   ((struct compositor_surface *)wl_resource_get_user_data(resource))->has_fifo = false;
}

static void
get_fifo(struct wl_client *client, struct wl_resource *manager, uint32_t id, struct wl_resource *of)
{
   static const struct wp_fifo_v1_interface calls = {set_barrier, wait_barrier, destroy};
   struct compositor_surface *surface = wl_resource_get_user_data(of);
   struct wl_resource *resource = create_only(client, manager, &wp_fifo_v1_interface, id, &surface->has_fifo);
   wl_resource_set_implementation(resource, &calls, surface, leave_fifo);
}

static void
bind_fifos(struct wl_client *client, void *data, uint32_t version, uint32_t id)
{
   static const struct wp_fifo_manager_v1_interface calls = {destroy, get_fifo};
   struct wl_resource *resource = wl_resource_create(client, &wp_fifo_manager_v1_interface, (int)version, id);
   wl_resource_set_implementation(resource, &calls, data, NULL);
}

/* ---- tearing-control ---- */

static void
set_hint(struct wl_client *client, struct wl_resource *resource, uint32_t hint)
{
   ((struct compositor_surface *)wl_resource_get_user_data(resource))->tears = hint;
}

static void
leave_tearing(struct wl_resource *resource)
{
   ((struct compositor_surface *)wl_resource_get_user_data(resource))->has_tearing = false;
}

static void
get_tearing(struct wl_client *client, struct wl_resource *manager, uint32_t id, struct wl_resource *of)
{
   static const struct wp_tearing_control_v1_interface calls = {set_hint, destroy};
   struct compositor_surface *surface = wl_resource_get_user_data(of);
   struct wl_resource *resource =
      create_only(client, manager, &wp_tearing_control_v1_interface, id, &surface->has_tearing);
   wl_resource_set_implementation(resource, &calls, surface, leave_tearing);
}

static void
bind_tearing(struct wl_client *client, void *data, uint32_t version, uint32_t id)
{
   static const struct wp_tearing_control_manager_v1_interface calls = {destroy, get_tearing};
   struct wl_resource *resource =
      wl_resource_create(client, &wp_tearing_control_manager_v1_interface, (int)version, id);
   wl_resource_set_implementation(resource, &calls, data, NULL);
}

/* ---- presentation-time ---- */

static void
forget_feedback(struct wl_resource *resource)
{
   *(struct wl_resource **)wl_resource_get_user_data(resource) = NULL;
}

static void
ask_feedback(struct wl_client *client, struct wl_resource *resource, struct wl_resource *surface, uint32_t id)
{
   struct compositor *compositor = wl_resource_get_user_data(resource);
   struct wl_resource **place = compositor->feedbacks;
   while (*place)
      place++;
   if (place == compositor->feedbacks + COMPOSITOR_FEEDBACKS)
      abort();
   *place = wl_resource_create(client, &wp_presentation_feedback_interface, 1, id);
   wl_resource_set_implementation(*place, NULL, place, forget_feedback);
}

static void
bind_presentation(struct wl_client *client, void *data, uint32_t version, uint32_t id)
{
   static const struct wp_presentation_interface calls = {destroy, ask_feedback};
   struct wl_resource *resource = wl_resource_create(client, &wp_presentation_interface, (int)version, id);
   wl_resource_set_implementation(resource, &calls, data, NULL);
   wp_presentation_send_clock_id(resource, CLOCK_MONOTONIC);
}

void
compositor_show(struct compositor *compositor)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   for (unsigned i = 0; i < COMPOSITOR_FEEDBACKS; i++) {
      struct wl_resource *feedback = compositor->feedbacks[i];
      if (!feedback)
         continue;
      wp_presentation_feedback_send_presented(feedback, 0, (uint32_t)now.tv_sec, (uint32_t)now.tv_nsec, REFRESH_NS, 0,
                                              0, WP_PRESENTATION_FEEDBACK_KIND_VSYNC);
      wl_resource_destroy(feedback);
   }
   pthread_mutex_lock(&compositor->lock);
   compositor->shown++;
   pthread_mutex_unlock(&compositor->lock);
}

/* ---- what is offered ---- */

static int
open_device(void)
{
   char path[32];
   int device = -1;
   for (unsigned i = 0; i < 4 && device < 0; i++) {
      snprintf(path, sizeof(path), "/dev/dri/renderD%u", 128 + i);
      device = open(path, O_RDWR | O_CLOEXEC);
   }
   return device;
}

void
compositor_extend(struct compositor *compositor)
{
   const struct compositor_options *options = &compositor->options;
   compositor->device = options->num_modifiers ? open_device() : -1;
   if (compositor->device >= 0) {
      make_table(compositor);
      wl_global_create(compositor->display, &zwp_linux_dmabuf_v1_interface, 4, compositor, bind_dmabuf);
   }
   if (options->explicit_sync)
      wl_global_create(compositor->display, &wp_linux_drm_syncobj_manager_v1_interface, 1, compositor, bind_syncs);
   if (options->fifo)
      wl_global_create(compositor->display, &wp_fifo_manager_v1_interface, 1, compositor, bind_fifos);
   if (options->tearing)
      wl_global_create(compositor->display, &wp_tearing_control_manager_v1_interface, 1, compositor, bind_tearing);
   if (options->presentation)
      wl_global_create(compositor->display, &wp_presentation_interface, 1, compositor, bind_presentation);
}
