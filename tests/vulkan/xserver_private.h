/* What the files of the X server share. */
#ifndef XSERVER_PRIVATE_H
#define XSERVER_PRIVATE_H

#include <pthread.h>
#include <stddef.h>
#include <xcb/xcb.h>

#include "display_image.h"
#include "xserver.h"

#define XSERVER_ROOT 1
#define XSERVER_VISUAL 2
#define XSERVER_DRI3 140 /* major opcodes */
#define XSERVER_PRESENT 141
#define XSERVER_XFIXES 142
#define XSERVER_SYNC_MAJOR 143
#define XSERVER_RESOURCES 64
#define XSERVER_CLIENTS 8
#define XSERVER_FDS 8

enum xserver_kind {
   XSERVER_NONE,
   XSERVER_WINDOW,
   XSERVER_PIXMAP,
   XSERVER_SYNC,  /* a timeline; handle */
   XSERVER_FENCE, /* of memory that client and server share */
};

struct xserver_client {
   struct xserver *server;
   pthread_t thread;
   int socket; /* -1: no client */
   uint16_t sequence;
   int fds[XSERVER_FDS]; /* that came and were not taken yet */
   uint32_t num_fds;
};

struct xserver_resource {
   enum xserver_kind kind;
   struct xserver_client *client;
   uint32_t id;
   uint16_t width, height;
   struct display_image image;
   uint32_t handle;
   int32_t *fence;
};

/* Who hears of presents to a window. */
struct xserver_listener {
   struct xserver_client *client; /* NULL: free */
   uint32_t id, window, mask;
};

/* A present that was not shown yet, or whose pixmap is in use. */
struct xserver_shown {
   uint32_t window, pixmap, serial, idle_fence, release_sync;
   uint64_t release_point;
};

struct xserver {
   struct xserver_options options;
   uint64_t modifiers[16];
   int device; /* the DRM node */
   pthread_mutex_t lock;
   struct xserver_client clients[XSERVER_CLIENTS];
   struct xserver_resource resources[XSERVER_RESOURCES];
   struct xserver_listener listeners[XSERVER_RESOURCES];
   bool by_hand;
   uint32_t hold, num_waiting, most_waiting, num_held, count;
   struct xserver_shown waiting[XSERVER_RESOURCES], held[XSERVER_RESOURCES]; /* oldest first */
   struct xserver_present presents[XSERVER_PRESENTS];
};

/* NULL: there is none of that kind (XSERVER_NONE: of any). */
struct xserver_resource *xserver_find(struct xserver *server, uint32_t id, enum xserver_kind kind);
struct xserver_resource *xserver_add(struct xserver_client *client, uint32_t id, enum xserver_kind kind);
void xserver_remove(struct xserver_resource *resource);

/* A descriptor of the request. */
int xserver_take_fd(struct xserver_client *client);
/* Sends a reply, with zeros up to 32 bytes; its length and sequence are filled in; fd: -1: none. */
void xserver_reply(struct xserver_client *client, const void *reply, size_t size_B, int fd);
void xserver_event(struct xserver_client *client, const void *event, size_t size_B);
void xserver_error(struct xserver_client *client, uint8_t code, const uint8_t *request);

/* Requests of the extensions. Under the lock. */
void xserver_dri3(struct xserver_client *client, const uint8_t *request);
void xserver_present_request(struct xserver_client *client, const uint8_t *request);
/* Shows all that waits. Under the lock. */
void xserver_show(struct xserver *server);

#endif
