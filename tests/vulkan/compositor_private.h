/* What the files of the compositor share. All is its thread's but what is under the lock. */
#ifndef COMPOSITOR_PRIVATE_H
#define COMPOSITOR_PRIVATE_H

#include <pthread.h>

#include <wayland-server.h>

#include "compositor.h"
#include "display_image.h"

#define COMPOSITOR_HELD 8
#define COMPOSITOR_FEEDBACKS 64

struct compositor {
   struct compositor_options options;
   struct wl_display *display;
   struct wl_event_source *source;
   int device;           /* the DRM node; -1: none */
   int table, num_pairs; /* of formats and modifiers */
   pthread_t thread;
   int wake[2];                     /* numbers of 4 bytes: enum compositor_word, or a client's descriptor */
   struct compositor_surface *last; /* of all that there were: things of one may go after it */
   struct wl_resource *feedbacks[COMPOSITOR_FEEDBACKS]; /* of commits that were not shown yet; NULL: free */
   pthread_mutex_t lock;
   uint32_t surfaces, hold, count, shown;
   bool by_hand;
   struct compositor_commit commits[COMPOSITOR_COMMITS];
};

/* A point of a client's timeline; handle 0: none. */
struct compositor_point {
   uint32_t handle;
   uint64_t point;
};

/* A buffer that is not released yet. */
struct compositor_held {
   struct wl_listener gone;
   struct wl_resource *buffer; /* NULL: the client has destroyed it */
   struct compositor_point release;
};

struct compositor_surface {
   struct compositor *compositor;
   struct compositor_surface *before;
   uint32_t number, num_held;
   struct compositor_held *held[COMPOSITOR_HELD]; /* oldest first */
   /* For the next commit: */
   struct wl_resource *pending;
   struct compositor_point acquire, release;
   bool has_fifo, has_tearing, has_sync, sets_barrier, waits_barrier, tears;
};

/* Formats of wl_shm: bytes of a pixel, its colour as 0xaarrggbb, and all that this compositor reads. */
uint32_t compositor_pixel_B(uint32_t code);
uint32_t compositor_color(uint32_t code, const char *bytes);
void compositor_add_formats(struct compositor *compositor);

/* Offers what the options say. */
void compositor_extend(struct compositor *compositor);
/* NULL: the buffer is none of a client's GPU. */
const struct display_image *compositor_dmabuf(struct wl_resource *buffer);
/* Whether the point is signaled in time. */
bool compositor_wait_point(const struct compositor *compositor, const struct compositor_point *point);
void compositor_signal_point(const struct compositor *compositor, const struct compositor_point *point);
/* Tells those who asked that all commits so far are shown. */
void compositor_show(struct compositor *compositor);

#endif
