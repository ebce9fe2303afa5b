/* A Wayland compositor of a test: a thread that shows nothing and notes what clients commit to surfaces. */
#ifndef COMPOSITOR_H
#define COMPOSITOR_H

#include <stdint.h>

#define COMPOSITOR_COMMITS 4096 /* that are noted, of all surfaces */

struct compositor;

struct compositor_commit {
   uint32_t surface; /* in the order of their creation, from 0 */
   uint32_t width, height;
   uint32_t format; /* enum wl_shm_format */
   uint32_t color;  /* of the first pixel, as stored */
   uint32_t wrong;  /* pixels of another colour */
};

struct compositor *compositor_start(void);
/* A client's end of a connection: for wl_display_connect_to_fd. */
int compositor_connect(struct compositor *compositor);
/* Holds `count` buffers a surface back before it releases the oldest; 1: the one that is shown. */
void compositor_hold(struct compositor *compositor, uint32_t count);
/* How many commits there were so far. */
uint32_t compositor_commits(struct compositor *compositor);
struct compositor_commit compositor_commit(struct compositor *compositor, uint32_t index);
/* Closes the connections of all clients. */
void compositor_stop(struct compositor *compositor);

#endif
