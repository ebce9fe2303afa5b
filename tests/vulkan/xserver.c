/* The core of the protocol: connections, windows, and what clients ask before they use an extension. */
#include "xserver_private.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <xcb/bigreq.h>
#include <xcb/sync.h>
#include <xcb/xfixes.h>
#include <xf86drm.h>

/* ---- resources ---- */

struct xserver_resource *
xserver_find(struct xserver *server, uint32_t id, enum xserver_kind kind)
{
   for (unsigned i = 0; i < XSERVER_RESOURCES; i++) {
      struct xserver_resource *resource = &server->resources[i];
      if (resource->kind && resource->id == id && (!kind || resource->kind == kind))
         return resource;
   }
   return NULL;
}

struct xserver_resource *
xserver_add(struct xserver_client *client, uint32_t id, enum xserver_kind kind)
{
   for (unsigned i = 0; i < XSERVER_RESOURCES; i++) {
      struct xserver_resource *resource = &client->server->resources[i];
      if (resource->kind)
         continue;
      *resource = (struct xserver_resource){.kind = kind, .client = client, .id = id};
      return resource;
   }
   printf("xserver: too many resources\n");
   exit(1);
}

void
xserver_remove(struct xserver_resource *resource)
{
   if (resource->kind == XSERVER_PIXMAP && resource->image.fd >= 0)
      close(resource->image.fd);
   if (resource->kind == XSERVER_SYNC)
      drmSyncobjDestroy(resource->client->server->device, resource->handle);
   if (resource->kind == XSERVER_FENCE)
      munmap(resource->fence, sizeof(*resource->fence));
   resource->kind = XSERVER_NONE;
}

/* ---- the socket ---- */

int
xserver_take_fd(struct xserver_client *client)
{
   const int fd = client->num_fds ? client->fds[0] : -1;
   if (client->num_fds)
      memmove(client->fds, client->fds + 1, --client->num_fds * sizeof(fd));
   return fd;
}

static void
send_bytes(const struct xserver_client *client, const void *bytes, size_t size_B, int fd)
{
   char control[CMSG_SPACE(sizeof(int))] = {0};
   struct iovec data = {(void *)bytes, size_B};
   struct msghdr header = {.msg_iov = &data, .msg_iovlen = 1};
   if (fd >= 0) {
      header.msg_control = control;
      header.msg_controllen = sizeof(control);
      struct cmsghdr *c = CMSG_FIRSTHDR(&header);
      c->cmsg_level = SOL_SOCKET;
      c->cmsg_type = SCM_RIGHTS;
      c->cmsg_len = CMSG_LEN(sizeof(int));
      memcpy(CMSG_DATA(c), &fd, sizeof(int));
   }
   if (sendmsg(client->socket, &header, MSG_NOSIGNAL) != (ssize_t)size_B)
      shutdown(client->socket, SHUT_RDWR); /* it is gone */
}

void
xserver_reply(struct xserver_client *client, const void *bytes, size_t size_B, int fd)
{
   _Alignas(8) uint8_t wire[256] = {0};
   xcb_generic_reply_t *reply = (void *)wire;
   const size_t sent_B = size_B < 32 ? 32 : size_B;
   memcpy(wire, bytes, size_B);
   reply->response_type = 1;
   reply->sequence = client->sequence;
   reply->length = (uint32_t)(sent_B - 32) / 4;
   send_bytes(client, wire, sent_B, fd);
}

void
xserver_event(struct xserver_client *client, const void *event, size_t size_B)
{
   send_bytes(client, event, size_B, -1);
}

void
xserver_error(struct xserver_client *client, uint8_t code, const uint8_t *request)
{
   const xcb_generic_error_t error = {
      .error_code = code, .sequence = client->sequence, .minor_code = request[1], .major_code = request[0]};
   send_bytes(client, &error, 32, -1);
}

/* With the descriptors that came with them. False: the client is gone. */
static bool
receive(struct xserver_client *client, void *bytes, size_t size_B)
{
   for (size_t done_B = 0; done_B < size_B;) {
      char control[CMSG_SPACE(XSERVER_FDS * sizeof(int))];
      struct iovec data = {(char *)bytes + done_B, size_B - done_B};
      struct msghdr header = {
         .msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
      const ssize_t got_B = recvmsg(client->socket, &header, MSG_CMSG_CLOEXEC);
      if (got_B <= 0)
         return false;
      done_B += (size_t)got_B;
      struct cmsghdr *c = CMSG_FIRSTHDR(&header);
      const size_t count = c ? (c->cmsg_len - CMSG_LEN(0)) / sizeof(int) : 0;
      if (client->num_fds + count > XSERVER_FDS)
         return false;
      if (count)
         memcpy(client->fds + client->num_fds, CMSG_DATA(c), count * sizeof(int));
      client->num_fds += (uint32_t)count;
   }
   return true;
}

/* ---- the connection's begin ---- */

struct setup {
   xcb_setup_t head;
   xcb_format_t formats[2];
   xcb_screen_t screen;
   xcb_depth_t depth;
   xcb_visualtype_t visual;
};

/* One screen with one depth of one visual. */
static void
welcome(const struct xserver_client *client)
{
   const uint32_t base = (uint32_t)(client - client->server->clients + 1) << 21;
   const struct setup setup = {
      .head = {.status = 1,
               .protocol_major_version = 11,
               .length = (sizeof(setup) - 8) / 4,
               .resource_id_base = base,
               .resource_id_mask = (1u << 21) - 1,
               .maximum_request_length = 0xffff,
               .roots_len = 1,
               .pixmap_formats_len = 2,
               .bitmap_format_scanline_unit = 32,
               .bitmap_format_scanline_pad = 32,
               .min_keycode = 8,
               .max_keycode = 255},
      .formats = {{.depth = 24, .bits_per_pixel = 32, .scanline_pad = 32},
                  {.depth = 1, .bits_per_pixel = 1, .scanline_pad = 32}},
      .screen = {.root = XSERVER_ROOT,
                 .width_in_pixels = 1024,
                 .height_in_pixels = 768,
                 .root_visual = XSERVER_VISUAL,
                 .root_depth = 24,
                 .allowed_depths_len = 1},
      .depth = {.depth = 24, .visuals_len = 1},
      .visual = {.visual_id = XSERVER_VISUAL,
                 ._class = XCB_VISUAL_CLASS_TRUE_COLOR,
                 .bits_per_rgb_value = 8,
                 .colormap_entries = 256,
                 .red_mask = 0xff0000,
                 .green_mask = 0xff00,
                 .blue_mask = 0xff},
   };
   send_bytes(client, &setup, sizeof(setup), -1);
}

/* ---- core requests ---- */

static void
create_window(struct xserver_client *client, const uint8_t *request)
{
   const xcb_create_window_request_t *create = (const void *)request;
   struct xserver_resource *window = xserver_add(client, create->wid, XSERVER_WINDOW);
   window->width = create->width;
   window->height = create->height;
}

/* Its size: width and height are the third and fourth value. */
static void
configure_window(struct xserver_client *client, const uint8_t *request)
{
   const xcb_configure_window_request_t *configure = (const void *)request;
   struct xserver_resource *window = xserver_find(client->server, configure->window, XSERVER_WINDOW);
   const uint32_t *value = (const uint32_t *)(configure + 1);
   for (uint16_t bit = 1; window && bit <= XCB_CONFIG_WINDOW_HEIGHT; bit = (uint16_t)(bit << 1)) {
      if (configure->value_mask & bit & XCB_CONFIG_WINDOW_WIDTH)
         window->width = (uint16_t)*value;
      if (configure->value_mask & bit & XCB_CONFIG_WINDOW_HEIGHT)
         window->height = (uint16_t)*value;
      value += !!(configure->value_mask & bit);
   }
}

static void
get_geometry(struct xserver_client *client, const uint8_t *request)
{
   const uint32_t id = ((const xcb_get_geometry_request_t *)(const void *)request)->drawable;
   const struct xserver_resource *of = xserver_find(client->server, id, XSERVER_NONE);
   xcb_get_geometry_reply_t reply = {.depth = 24, .root = XSERVER_ROOT, .width = 1024, .height = 768};
   if (of) {
      reply.width = of->width;
      reply.height = of->height;
   }
   if (of || id == XSERVER_ROOT)
      xserver_reply(client, &reply, sizeof(reply), -1);
   else
      xserver_error(client, XCB_DRAWABLE, request);
}

static void
get_attributes(struct xserver_client *client, const uint8_t *request)
{
   const uint32_t id = ((const xcb_get_window_attributes_request_t *)(const void *)request)->window;
   xcb_get_window_attributes_reply_t reply = {
      .visual = XSERVER_VISUAL, ._class = XCB_WINDOW_CLASS_INPUT_OUTPUT, .map_state = XCB_MAP_STATE_VIEWABLE};
   if (xserver_find(client->server, id, XSERVER_WINDOW) || id == XSERVER_ROOT)
      xserver_reply(client, &reply, sizeof(reply), -1);
   else
      xserver_error(client, XCB_WINDOW, request);
}

static void
query_extension(struct xserver_client *client, const uint8_t *request)
{
   static const struct {
      const char *name;
      uint8_t major;
   } rows[] = {
      {"DRI3", XSERVER_DRI3}, {"Present", XSERVER_PRESENT}, {"XFIXES", XSERVER_XFIXES}, {"SYNC", XSERVER_SYNC_MAJOR}};
   const xcb_query_extension_request_t *query = (const void *)request;
   xcb_query_extension_reply_t reply = {0};
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      if (strlen(rows[i].name) == query->name_len && !memcmp(rows[i].name, query + 1, query->name_len)) {
         reply.present = 1;
         reply.major_opcode = rows[i].major;
      }
   }
   xserver_reply(client, &reply, sizeof(reply), -1);
}

/* Requests that make nothing and have no reply: those of graphics contexts and of properties, MapWindow. */
static bool
is_ignored(uint8_t opcode)
{
   return opcode == XCB_CREATE_GC || opcode == XCB_FREE_GC || opcode == XCB_MAP_WINDOW ||
          opcode == XCB_CHANGE_PROPERTY || opcode == XCB_CHANGE_WINDOW_ATTRIBUTES;
}

static void
destroy(struct xserver_client *client, const uint8_t *request, enum xserver_kind kind, uint8_t error)
{
   struct xserver_resource *resource =
      xserver_find(client->server, ((const xcb_free_pixmap_request_t *)(const void *)request)->pixmap, kind);
   if (resource)
      xserver_remove(resource);
   else
      xserver_error(client, error, request);
}

/* Every window is the root's child, and has none. */
static void
query_tree(struct xserver_client *client)
{
   xcb_query_tree_reply_t reply = {.root = XSERVER_ROOT, .parent = XSERVER_ROOT};
   xserver_reply(client, &reply, sizeof(reply), -1);
}

static void
answer_empty(struct xserver_client *client)
{
   xcb_get_property_reply_t reply = {0};
   xserver_reply(client, &reply, sizeof(reply), -1);
}

static void
xfixes(struct xserver_client *client, const uint8_t *request)
{
   xcb_xfixes_query_version_reply_t reply = {.major_version = 5};
   if (request[1] == XCB_XFIXES_QUERY_VERSION)
      xserver_reply(client, &reply, sizeof(reply), -1);
}

/* Only what ends a fence that DRI3 made. */
static void
sync_extension(struct xserver_client *client, const uint8_t *request)
{
   if (request[1] == XCB_SYNC_DESTROY_FENCE)
      destroy(client, request, XSERVER_FENCE, XCB_VALUE);
   else
      xserver_error(client, XCB_REQUEST, request);
}

static void
serve_request(struct xserver_client *client, const uint8_t *request)
{
   switch (request[0]) {
   case XCB_CREATE_WINDOW:
      create_window(client, request);
      break;
   case XCB_CONFIGURE_WINDOW:
      configure_window(client, request);
      break;
   case XCB_DESTROY_WINDOW:
      destroy(client, request, XSERVER_WINDOW, XCB_WINDOW);
      break;
   case XCB_FREE_PIXMAP:
      destroy(client, request, XSERVER_PIXMAP, XCB_PIXMAP);
      break;
   case XCB_GET_GEOMETRY:
      get_geometry(client, request);
      break;
   case XCB_GET_WINDOW_ATTRIBUTES:
      get_attributes(client, request);
      break;
   case XCB_QUERY_EXTENSION:
      query_extension(client, request);
      break;
   case XCB_QUERY_TREE:
      query_tree(client);
      break;
   case XCB_GET_INPUT_FOCUS: /* libxcb's way to wait */
   case XCB_INTERN_ATOM:
   case XCB_GET_PROPERTY:
      answer_empty(client);
      break;
   case XSERVER_DRI3:
      xserver_dri3(client, request);
      break;
   case XSERVER_PRESENT:
      xserver_present_request(client, request);
      break;
   case XSERVER_SYNC_MAJOR:
      sync_extension(client, request);
      break;
   case XSERVER_XFIXES:
      xfixes(client, request);
      break;
   default: /* others: no client of these tests has them */
      if (!is_ignored(request[0]))
         xserver_error(client, XCB_REQUEST, request);
   }
}

/* ---- clients ---- */

/* What a client had goes with it. */
static void
forget(struct xserver_client *client)
{
   struct xserver *server = client->server;
   for (unsigned i = 0; i < XSERVER_RESOURCES; i++) {
      if (server->resources[i].kind && server->resources[i].client == client)
         xserver_remove(&server->resources[i]);
      if (server->listeners[i].client == client)
         server->listeners[i].client = NULL;
   }
   while (client->num_fds)
      close(xserver_take_fd(client));
   close(client->socket);
   client->socket = -1;
}

/* The length of a request is in units of four bytes. */
static void *
serve(void *data)
{
   struct xserver_client *client = data;
   _Alignas(8) uint8_t request[4 * 0xffff];
   xcb_setup_request_t begin;
   bool is_there = receive(client, &begin, sizeof(begin));
   const size_t names_B = is_there ? ((begin.authorization_protocol_name_len + 3u) & ~3u) +
                                        ((begin.authorization_protocol_data_len + 3u) & ~3u)
                                   : 0;
   is_there = is_there && receive(client, request, names_B);
   if (is_there)
      welcome(client);
   while (is_there && receive(client, request, 4)) {
      const size_t size_B = 4 * (size_t)(request[2] | request[3] << 8);
      is_there = size_B >= 4 && receive(client, request + 4, size_B - 4);
      if (!is_there)
         break;
      pthread_mutex_lock(&client->server->lock);
      client->sequence++;
      serve_request(client, request);
      pthread_mutex_unlock(&client->server->lock);
   }
   pthread_mutex_lock(&client->server->lock);
   forget(client);
   pthread_mutex_unlock(&client->server->lock);
   return NULL;
}

static int
open_device(void)
{
   char path[32];
   int device = -1;
   for (unsigned i = 0; i < 4 && device < 0; i++) {
      snprintf(path, sizeof(path), "/dev/dri/renderD%u", 128 + i);
      device = open(path, O_RDWR | O_CLOEXEC);
   }
   if (device < 0) {
      printf("xserver: there is no DRM node\n");
      exit(1);
   }
   return device;
}

struct xserver *
xserver_start(const struct xserver_options *options)
{
   struct xserver *server = calloc(1, sizeof(*server));
   server->options = *options;
   memcpy(server->modifiers, options->modifiers, options->num_modifiers * sizeof(*options->modifiers));
   server->device = open_device();
   server->hold = 1;
   pthread_mutex_init(&server->lock, NULL);
   for (unsigned i = 0; i < XSERVER_CLIENTS; i++)
      server->clients[i] = (struct xserver_client){.server = server, .socket = -1};
   return server;
}

int
xserver_connect(struct xserver *server)
{
   int ends[2];
   struct xserver_client *client = server->clients;
   while (client->thread)
      client++;
   if (client == server->clients + XSERVER_CLIENTS || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
      printf("xserver: no more connections\n");
      exit(1);
   }
   client->socket = ends[0];
   pthread_create(&client->thread, NULL, serve, client);
   return ends[1];
}

void
xserver_stop(struct xserver *server)
{
   pthread_mutex_lock(&server->lock);
   for (unsigned i = 0; i < XSERVER_CLIENTS; i++) {
      if (server->clients[i].socket >= 0)
         shutdown(server->clients[i].socket, SHUT_RDWR);
   }
   pthread_mutex_unlock(&server->lock);
   for (unsigned i = 0; i < XSERVER_CLIENTS; i++) {
      if (server->clients[i].thread)
         pthread_join(server->clients[i].thread, NULL);
   }
   close(server->device);
   free(server);
   display_image_finish();
}
