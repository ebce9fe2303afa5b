/* DRI3 and Present: pixmaps of clients' buffers, and when they are shown, read and given back. */
#include "xserver_private.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <xcb/dri3.h>
#include <xcb/present.h>
#include <xf86drm.h>

#define WAIT_NS INT64_C(10000000000) /* for the work of a client that has not ended yet */

/* Requests of version 1.4, which libxcb 1.15 does not have: dri3.xml and present.xml of xcb-proto 1.17. */
#define DRI3_SET_DEVICE_IN_USE 9
#define DRI3_IMPORT_SYNCOBJ 10
#define DRI3_FREE_SYNCOBJ 11
#define PRESENT_PIXMAP_SYNCED 5
#define PRESENT_CAPABILITY_SYNCOBJ 16

struct pixmap_synced {
   uint32_t head, window, pixmap, serial, valid, update, offset, crtc, acquire_sync, release_sync;
   uint64_t acquire_point, release_point;
   uint32_t options, pad;
};

/* ---- DRI3 ---- */

static void
get_modifiers(struct xserver_client *client)
{
   struct {
      xcb_dri3_get_supported_modifiers_reply_t head;
      uint64_t modifiers[16];
   } reply = {.head = {.num_screen_modifiers = client->server->options.num_modifiers}};
   memcpy(reply.modifiers, client->server->modifiers, sizeof(reply.modifiers));
   xserver_reply(client, &reply, 32 + client->server->options.num_modifiers * sizeof(uint64_t), -1);
}

static void
pixmap_from_buffers(struct xserver_client *client, const uint8_t *request)
{
   const xcb_dri3_pixmap_from_buffers_request_t *from = (const void *)request;
   struct xserver_resource *pixmap = xserver_add(client, from->pixmap, XSERVER_PIXMAP);
   pixmap->width = from->width;
   pixmap->height = from->height;
   pixmap->image = (struct display_image){.fd = xserver_take_fd(client),
                                          .width = from->width,
                                          .height = from->height,
                                          .offset_B = from->offset0,
                                          .pitch_B = from->stride0,
                                          .modifier = from->modifier};
   if (pixmap->image.fd < 0 || from->num_buffers != 1 || from->depth != 24 || from->bpp != 32)
      xserver_error(client, XCB_VALUE, request);
}

static void
import_sync(struct xserver_client *client, const uint8_t *request)
{
   const uint32_t *words = (const uint32_t *)(const void *)request;
   const int fd = xserver_take_fd(client);
   struct xserver_resource *sync = xserver_add(client, words[1], XSERVER_SYNC);
   if (drmSyncobjFDToHandle(client->server->device, fd, &sync->handle))
      xserver_error(client, XCB_VALUE, request);
   close(fd);
}

/* libxshmfence's: an int in shared memory, 1 when it is triggered, -1 when somebody waits. */
static void
import_fence(struct xserver_client *client, const uint8_t *request)
{
   const xcb_dri3_fence_from_fd_request_t *from = (const void *)request;
   const int fd = xserver_take_fd(client);
   struct xserver_resource *fence = xserver_add(client, from->fence, XSERVER_FENCE);
   fence->fence = mmap(NULL, sizeof(*fence->fence), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   close(fd);
}

static void
trigger(int32_t *fence)
{
   if (__sync_val_compare_and_swap(fence, 0, 1) != -1)
      return;
   __atomic_store_n(fence, 1, __ATOMIC_SEQ_CST);
   syscall(SYS_futex, fence, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void
free_sync(struct xserver_client *client, const uint8_t *request)
{
   struct xserver_resource *sync =
      xserver_find(client->server, ((const uint32_t *)(const void *)request)[1], XSERVER_SYNC);
   if (sync)
      xserver_remove(sync);
   else
      xserver_error(client, XCB_VALUE, request);
}

void
xserver_dri3(struct xserver_client *client, const uint8_t *request)
{
   xcb_dri3_query_version_reply_t version = {.major_version = 1,
                                             .minor_version = client->server->options.explicit_sync ? 4 : 2};
   xcb_dri3_open_reply_t opened = {.nfd = 1};
   switch (request[1]) {
   case XCB_DRI3_QUERY_VERSION:
      xserver_reply(client, &version, sizeof(version), -1);
      break;
   case XCB_DRI3_OPEN:
      xserver_reply(client, &opened, sizeof(opened), client->server->device);
      break;
   case XCB_DRI3_GET_SUPPORTED_MODIFIERS:
      get_modifiers(client);
      break;
   case XCB_DRI3_PIXMAP_FROM_BUFFERS:
      pixmap_from_buffers(client, request);
      break;
   case XCB_DRI3_FENCE_FROM_FD:
      import_fence(client, request);
      break;
   case DRI3_IMPORT_SYNCOBJ:
      import_sync(client, request);
      break;
   case DRI3_FREE_SYNCOBJ:
      free_sync(client, request);
      break;
   case DRI3_SET_DEVICE_IN_USE:
      break;
   default: /* others: older ones */
      xserver_error(client, XCB_REQUEST, request);
   }
}

/* ---- Present ---- */

/* CompleteNotify (40 bytes) and IdleNotify (32) as they are sent; libxcb's structs have a number more. */
struct present_event {
   uint8_t type, extension;
   uint16_t sequence;
   uint32_t length;
   uint16_t kind;
   uint8_t complete_kind, mode;
   uint32_t id, window, serial;
   uint32_t pixmap, fence; /* CompleteNotify: a time */
   uint64_t refresh;
};

static void
tell(struct xserver *server, uint32_t mask, struct present_event *event, size_t size_B)
{
   for (unsigned i = 0; i < XSERVER_RESOURCES; i++) {
      const struct xserver_listener *listener = &server->listeners[i];
      if (!listener->client || listener->window != event->window || !(listener->mask & mask))
         continue;
      event->type = XCB_GE_GENERIC;
      event->extension = XSERVER_PRESENT;
      event->sequence = listener->client->sequence;
      event->length = (uint32_t)(size_B - 32) / 4;
      event->id = listener->id;
      xserver_event(listener->client, event, size_B);
   }
}

static void
complete(struct xserver *server, const struct xserver_shown *shown, bool skipped)
{
   struct present_event event = {
      .kind = XCB_PRESENT_EVENT_COMPLETE_NOTIFY,
      .mode = skipped ? XCB_PRESENT_COMPLETE_MODE_SKIP : XCB_PRESENT_COMPLETE_MODE_FLIP,
      .window = shown->window,
      .serial = shown->serial,
   };
   tell(server, XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY, &event, 40);
}

static void
idle(struct xserver *server, const struct xserver_shown *shown)
{
   const struct xserver_resource *fence = xserver_find(server, shown->idle_fence, XSERVER_FENCE);
   const struct xserver_resource *sync = xserver_find(server, shown->release_sync, XSERVER_SYNC);
   struct present_event event = {
      .kind = XCB_PRESENT_EVENT_IDLE_NOTIFY,
      .window = shown->window,
      .serial = shown->serial,
      .pixmap = shown->pixmap,
      .fence = shown->idle_fence,
   };
   uint32_t handle = sync ? sync->handle : 0;
   uint64_t point = shown->release_point;
   if (fence)
      trigger(fence->fence);
   if (sync)
      drmSyncobjTimelineSignal(server->device, &handle, &point, 1);
   tell(server, XCB_PRESENT_EVENT_MASK_IDLE_NOTIFY, &event, 32);
}

static bool
is_last(const struct xserver *server, uint32_t index)
{
   for (uint32_t i = index + 1; i < server->num_waiting; i++) {
      if (server->waiting[i].window == server->waiting[index].window)
         return false;
   }
   return true;
}

static void
let_go(struct xserver *server)
{
   while (server->num_held > server->hold) {
      idle(server, &server->held[0]);
      server->num_held--;
      memmove(server->held, server->held + 1, server->num_held * sizeof(server->held[0]));
   }
}

void
xserver_show(struct xserver *server)
{
   for (uint32_t i = 0; i < server->num_waiting; i++) {
      const struct xserver_shown *shown = &server->waiting[i];
      const bool last = is_last(server, i);
      complete(server, shown, !last);
      if (last)
         server->held[server->num_held++] = *shown;
      else
         idle(server, shown);
      let_go(server);
   }
   server->num_waiting = 0;
}

/* A pixmap that came with the request, and what is to be done with it. */
static void
show(struct xserver *server, const struct xserver_shown *shown, struct xserver_present note)
{
   const struct xserver_resource *pixmap = xserver_find(server, shown->pixmap, XSERVER_PIXMAP);
   const struct display_color found = display_image_color(&pixmap->image);
   note.window = shown->window;
   note.serial = shown->serial;
   note.width = pixmap->width;
   note.height = pixmap->height;
   note.modifier = pixmap->image.modifier;
   note.color = found.color;
   note.wrong = found.wrong;
   if (server->count < XSERVER_PRESENTS)
      server->presents[server->count++] = note;
   server->waiting[server->num_waiting++] = *shown;
   if (server->most_waiting < server->num_waiting)
      server->most_waiting = server->num_waiting;
   if (!server->by_hand || server->num_waiting + server->hold > XSERVER_RESOURCES - 2)
      xserver_show(server);
}

static bool
is_there(struct xserver_client *client, const uint8_t *request, uint32_t window, uint32_t pixmap)
{
   const bool found = xserver_find(client->server, window, XSERVER_WINDOW);
   if (!found)
      xserver_error(client, XCB_WINDOW, request);
   else if (!xserver_find(client->server, pixmap, XSERVER_PIXMAP))
      xserver_error(client, XCB_PIXMAP, request);
   return found && xserver_find(client->server, pixmap, XSERVER_PIXMAP);
}

static void
present_pixmap(struct xserver_client *client, const uint8_t *request)
{
   const xcb_present_pixmap_request_t *of = (const void *)request;
   const struct xserver_shown shown = {
      .window = of->window, .pixmap = of->pixmap, .serial = of->serial, .idle_fence = of->idle_fence};
   if (is_there(client, request, of->window, of->pixmap))
      show(client->server, &shown, (struct xserver_present){.options = of->options});
}

static int64_t
until_ns(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return now.tv_sec * INT64_C(1000000000) + now.tv_nsec + WAIT_NS;
}

/* Points must be greater than 0; those of one timeline in order. */
static void
present_synced(struct xserver_client *client, const uint8_t *request)
{
   const struct pixmap_synced *of = (const void *)request;
   struct xserver *server = client->server;
   const struct xserver_resource *acquire = xserver_find(server, of->acquire_sync, XSERVER_SYNC);
   const struct xserver_shown shown = {.window = of->window,
                                       .pixmap = of->pixmap,
                                       .serial = of->serial,
                                       .release_sync = of->release_sync,
                                       .release_point = of->release_point};
   uint64_t point = of->acquire_point;
   if (!is_there(client, request, of->window, of->pixmap))
      return;
   if (!acquire || !xserver_find(server, of->release_sync, XSERVER_SYNC) || !point || !of->release_point ||
       (of->acquire_sync == of->release_sync && point >= of->release_point)) {
      xserver_error(client, XCB_VALUE, request);
      return;
   }
   uint32_t handle = acquire->handle;
   const int waited = drmSyncobjTimelineWait(server->device, &handle, &point, 1, until_ns(),
                                             DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, NULL);
   show(server, &shown, (struct xserver_present){.options = of->options, .synced = true, .unready = waited});
}

/* A mask of 0 ends it. */
static void
select_input(struct xserver_client *client, const uint8_t *request)
{
   const xcb_present_select_input_request_t *select = (const void *)request;
   struct xserver_listener *found = NULL, *free = NULL;
   for (unsigned i = 0; i < XSERVER_RESOURCES; i++) {
      struct xserver_listener *listener = &client->server->listeners[i];
      if (!listener->client)
         free = listener;
      else if (listener->client == client && listener->id == select->eid)
         found = listener;
   }
   struct xserver_listener *listener = found ? found : free;
   if (!found && !xserver_find(client->server, select->window, XSERVER_WINDOW)) {
      xserver_error(client, XCB_WINDOW, request);
      return;
   }
   *listener = (struct xserver_listener){client, select->eid, select->window, select->event_mask};
   if (!select->event_mask)
      listener->client = NULL;
}

void
xserver_present_request(struct xserver_client *client, const uint8_t *request)
{
   const bool synced = client->server->options.explicit_sync;
   xcb_present_query_version_reply_t version = {.major_version = 1, .minor_version = synced ? 4 : 2};
   xcb_present_query_capabilities_reply_t can = {.capabilities = XCB_PRESENT_CAPABILITY_ASYNC |
                                                                 (synced ? PRESENT_CAPABILITY_SYNCOBJ : 0)};
   switch (request[1]) {
   case XCB_PRESENT_QUERY_VERSION:
      xserver_reply(client, &version, sizeof(version), -1);
      break;
   case XCB_PRESENT_QUERY_CAPABILITIES:
      xserver_reply(client, &can, sizeof(can), -1);
      break;
   case XCB_PRESENT_SELECT_INPUT:
      select_input(client, request);
      break;
   case XCB_PRESENT_PIXMAP:
      present_pixmap(client, request);
      break;
   case PRESENT_PIXMAP_SYNCED:
      present_synced(client, request);
      break;
   default: /* others: NotifyMSC */
      xserver_error(client, XCB_REQUEST, request);
   }
}

/* ---- what tests ask ---- */

void
xserver_hold(struct xserver *server, uint32_t count)
{
   pthread_mutex_lock(&server->lock);
   server->hold = count;
   let_go(server);
   pthread_mutex_unlock(&server->lock);
}

void
xserver_by_hand(struct xserver *server, bool by_hand)
{
   pthread_mutex_lock(&server->lock);
   server->by_hand = by_hand;
   xserver_show(server);
   pthread_mutex_unlock(&server->lock);
}

void
xserver_refresh(struct xserver *server)
{
   pthread_mutex_lock(&server->lock);
   xserver_show(server);
   pthread_mutex_unlock(&server->lock);
}

uint32_t
xserver_presents(struct xserver *server)
{
   pthread_mutex_lock(&server->lock);
   const uint32_t count = server->count;
   pthread_mutex_unlock(&server->lock);
   return count;
}

struct xserver_present
xserver_present(struct xserver *server, uint32_t index)
{
   pthread_mutex_lock(&server->lock);
   const struct xserver_present present = server->presents[index];
   pthread_mutex_unlock(&server->lock);
   return present;
}

uint32_t
xserver_most_waiting(struct xserver *server)
{
   pthread_mutex_lock(&server->lock);
   const uint32_t most = server->most_waiting;
   server->most_waiting = server->num_waiting;
   pthread_mutex_unlock(&server->lock);
   return most;
}

uint32_t
xserver_resources(struct xserver *server)
{
   uint32_t count = 0;
   pthread_mutex_lock(&server->lock);
   for (unsigned i = 0; i < XSERVER_RESOURCES; i++)
      count += server->resources[i].kind > XSERVER_WINDOW;
   pthread_mutex_unlock(&server->lock);
   return count;
}

void
xserver_destroy_window(struct xserver *server, uint32_t window)
{
   pthread_mutex_lock(&server->lock);
   struct xserver_resource *resource = xserver_find(server, window, XSERVER_WINDOW);
   if (resource)
      xserver_remove(resource);
   pthread_mutex_unlock(&server->lock);
}
