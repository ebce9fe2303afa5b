/* A Wayland compositor with nothing but what tests of swapchains need. It notes each committed buffer: its size, its
 * first pixel, and how many others differ from that. A thread of its own serves the clients, all in this process. */
#ifndef COMPOSITOR_H
#define COMPOSITOR_H

#include <stdbool.h>
#include <stdint.h>

#define COMPOSITOR_COMMITS 4096 /* at most; later ones are not noted */

struct compositor;

/* Besides wl_shm. */
struct compositor_options {
   uint32_t num_modifiers; /* of linux-dmabuf, on the process's DRM node; 0: there is no linux-dmabuf */
   const uint64_t *modifiers;
   bool explicit_sync, fifo, tearing, presentation;
};

struct compositor_commit {
   uint32_t surface; /* in the order of their creation */
   uint32_t width, height;
   uint32_t color; /* 0xaarrggbb */
   uint32_t wrong;
   uint32_t format;              /* enum wl_shm_format; of direct ones as if it were */
   bool direct, synced, unready; /* no copy; by points; the first point was not signaled in time */
   bool sets_barrier, waits_barrier, tears;
   uint64_t modifier;
};

struct compositor *compositor_start(const struct compositor_options *options);
/* A socket for wl_display_connect_to_fd or WAYLAND_SOCKET. */
int compositor_connect(struct compositor *compositor);
/* From now on the newest `count` buffers of a surface are not released; 1 at first. */
void compositor_hold(struct compositor *compositor, uint32_t count);
/* By hand: commits are shown at compositor_refresh, else at once. What is held back does not depend on it. */
void compositor_by_hand(struct compositor *compositor, bool by_hand);
/* Returns when it is done. */
void compositor_refresh(struct compositor *compositor);
uint32_t compositor_commits(struct compositor *compositor);
struct compositor_commit compositor_commit(struct compositor *compositor, uint32_t index);
/* Ends all connections. */
void compositor_stop(struct compositor *compositor);

#endif
