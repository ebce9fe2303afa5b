/* A small X server of the test's own, as Xvfb has neither DRI3 nor Present: it knows windows and pixmaps, and notes
 * what Present shows. A thread for each connection serves it. */
#ifndef XSERVER_H
#define XSERVER_H

#include <stdbool.h>
#include <stdint.h>

#define XSERVER_PRESENTS 4096 /* at most; later ones are not noted */

struct xserver;

struct xserver_options {
   bool explicit_sync; /* DRI3 and Present 1.4, else 1.2 */
   uint32_t num_modifiers;
   const uint64_t *modifiers;
};

/* What a request of Present showed. */
struct xserver_present {
   uint32_t window, serial, options, width, height, color, wrong;
   uint64_t modifier;
   bool synced, unready; /* by points; its first one was not signaled in time */
};

/* Ends the program if it cannot be made, as where there is no DRM node. */
struct xserver *xserver_start(const struct xserver_options *options);
/* A socket for xcb_connect_to_fd or --client. */
int xserver_connect(struct xserver *server);
/* How many of the pixmaps that were shown last the server goes on using; 1 at first. */
void xserver_hold(struct xserver *server, uint32_t count);
/* By hand: what is presented waits for xserver_refresh, which shows the last of each window; others are skipped. */
void xserver_by_hand(struct xserver *server, bool by_hand);
void xserver_refresh(struct xserver *server);
uint32_t xserver_presents(struct xserver *server);
struct xserver_present xserver_present(struct xserver *server, uint32_t index);
/* The most presents that waited for a refresh at the same time, since the last call. */
uint32_t xserver_most_waiting(struct xserver *server);
/* Pixmaps, and names for synchronisation objects, that clients have. */
uint32_t xserver_resources(struct xserver *server);
/* As if the user closed it. */
void xserver_destroy_window(struct xserver *server, uint32_t window);
/* Ends all connections, at once. */
void xserver_stop(struct xserver *server);

#endif
