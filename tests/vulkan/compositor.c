#include "compositor_private.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum compositor_word {
   COMPOSITOR_END = -1,
   COMPOSITOR_REFRESH = -2,
};

static void
forget_buffer(struct wl_listener *listener, void *data)
{
   struct compositor_held *held = wl_container_of(listener, held, gone);
   held->buffer = NULL;
}

static void
hold(struct compositor_surface *surface, struct wl_resource *buffer)
{
   struct compositor_held *held = calloc(1, sizeof(*held));
   *held = (struct compositor_held){.gone = {.notify = forget_buffer}, .buffer = buffer, .release = surface->release};
   wl_resource_add_destroy_listener(buffer, &held->gone);
   surface->held[surface->num_held++] = held;
}

static void
let_go(struct compositor_surface *surface, bool released)
{
   struct compositor_held *oldest = surface->held[0];
   if (oldest->buffer) {
      wl_list_remove(&oldest->gone.link);
      if (released && !oldest->release.handle)
         wl_buffer_send_release(oldest->buffer);
   }
   compositor_signal_point(surface->compositor, &oldest->release);
   free(oldest);
   surface->num_held--;
   for (uint32_t i = 0; i < surface->num_held; i++)
      surface->held[i] = surface->held[i + 1];
}

static void
destroy(struct wl_client *client, struct wl_resource *resource)
{
   wl_resource_destroy(resource);
}

static void
attach(struct wl_client *client, struct wl_resource *resource, struct wl_resource *buffer, int32_t x, int32_t y)
{
   ((struct compositor_surface *)wl_resource_get_user_data(resource))->pending = buffer;
}

static void
damage(struct wl_client *client, struct wl_resource *resource, int32_t x, int32_t y, int32_t width, int32_t height)
{
}

/* Of a region or a number: nothing that tests use. */
static void
ignore_region(struct wl_client *client, struct wl_resource *resource, struct wl_resource *region)
{
}

static void
ignore_number(struct wl_client *client, struct wl_resource *resource, int32_t number)
{
}

static void
frame(struct wl_client *client, struct wl_resource *resource, uint32_t id)
{
   struct wl_resource *callback = wl_resource_create(client, &wl_callback_interface, 1, id);
   wl_callback_send_done(callback, 0);
   wl_resource_destroy(callback);
}

static struct compositor_commit
read_shm(struct wl_shm_buffer *shm)
{
   struct compositor_commit commit = {.width = (uint32_t)wl_shm_buffer_get_width(shm),
                                      .height = (uint32_t)wl_shm_buffer_get_height(shm),
                                      .format = wl_shm_buffer_get_format(shm)};
   wl_shm_buffer_begin_access(shm);
   const char *rows = wl_shm_buffer_get_data(shm);
   const uint32_t pixel_B = compositor_pixel_B(commit.format);
   commit.color = compositor_color(commit.format, rows);
   for (uint32_t y = 0; y < commit.height; y++, rows += wl_shm_buffer_get_stride(shm)) {
      for (uint32_t x = 0; x < commit.width; x++)
         commit.wrong += compositor_color(commit.format, rows + (size_t)x * pixel_B) != commit.color;
   }
   wl_shm_buffer_end_access(shm);
   return commit;
}

static struct compositor_commit
read_direct(const struct compositor_surface *surface, const struct display_image *image)
{
   const bool synced = surface->acquire.handle;
   const bool unready = synced && !compositor_wait_point(surface->compositor, &surface->acquire);
   const struct display_color found = display_image_color(image);
   return (struct compositor_commit){.width = image->width,
                                     .height = image->height,
                                     .color = found.color,
                                     .wrong = found.wrong,
                                     .format = WL_SHM_FORMAT_XRGB8888,
                                     .direct = true,
                                     .synced = synced,
                                     .unready = unready,
                                     .modifier = image->modifier};
}

static void
note(struct compositor_surface *surface, struct compositor_commit commit)
{
   struct compositor *compositor = surface->compositor;
   commit.surface = surface->number;
   commit.sets_barrier = surface->sets_barrier;
   commit.waits_barrier = surface->waits_barrier;
   commit.tears = surface->tears;
   surface->sets_barrier = surface->waits_barrier = false;
   pthread_mutex_lock(&compositor->lock);
   if (compositor->count < COMPOSITOR_COMMITS)
      compositor->commits[compositor->count++] = commit;
   pthread_mutex_unlock(&compositor->lock);
}

/* All but the newest, as many as are held back. */
static void
release_others(struct compositor_surface *surface)
{
   pthread_mutex_lock(&surface->compositor->lock);
   const uint32_t kept = surface->compositor->hold;
   pthread_mutex_unlock(&surface->compositor->lock);
   while (surface->num_held > kept)
      let_go(surface, true);
}

static void
commit(struct wl_client *client, struct wl_resource *resource)
{
   struct compositor_surface *surface = wl_resource_get_user_data(resource);
   struct compositor *compositor = surface->compositor;
   struct wl_shm_buffer *shm = surface->pending ? wl_shm_buffer_get(surface->pending) : NULL;
   const struct display_image *direct = surface->pending && !shm ? compositor_dmabuf(surface->pending) : NULL;
   if (!shm && !direct)
      return;
   note(surface, shm ? read_shm(shm) : read_direct(surface, direct));
   hold(surface, surface->pending);
   surface->pending = NULL;
   surface->acquire = surface->release = (struct compositor_point){0};
   release_others(surface);
   pthread_mutex_lock(&compositor->lock);
   const bool by_hand = compositor->by_hand;
   pthread_mutex_unlock(&compositor->lock);
   if (!by_hand)
      compositor_show(compositor);
}

static const struct wl_surface_interface surface_calls = {
   .destroy = destroy,
   .attach = attach,
   .damage = damage,
   .frame = frame,
   .set_opaque_region = ignore_region,
   .set_input_region = ignore_region,
   .commit = commit,
   .set_buffer_transform = ignore_number,
   .set_buffer_scale = ignore_number,
   .damage_buffer = damage,
};

static void
free_surface(struct wl_resource *resource)
{
   struct compositor_surface *surface = wl_resource_get_user_data(resource);
   while (surface->num_held)
      let_go(surface, false);
}

static void
create_surface(struct wl_client *client, struct wl_resource *resource, uint32_t id)
{
   struct compositor *compositor = wl_resource_get_user_data(resource);
   struct compositor_surface *surface = calloc(1, sizeof(*surface));
   *surface = (struct compositor_surface){
      .compositor = compositor, .before = compositor->last, .number = compositor->surfaces++};
   compositor->last = surface;
   struct wl_resource *made =
      wl_resource_create(client, &wl_surface_interface, wl_resource_get_version(resource), id);
   wl_resource_set_implementation(made, &surface_calls, surface, free_surface);
}

static const struct wl_compositor_interface compositor_calls = {.create_surface = create_surface};

static void
bind_compositor(struct wl_client *client, void *data, uint32_t version, uint32_t id)
{
   struct wl_resource *resource = wl_resource_create(client, &wl_compositor_interface, (int)version, id);
   wl_resource_set_implementation(resource, &compositor_calls, data, NULL);
}

static void
refresh(struct compositor *compositor)
{
   for (struct compositor_surface *it = compositor->last; it; it = it->before)
      release_others(it);
   compositor_show(compositor);
}

static int
woken(int fd, uint32_t mask, void *data)
{
   struct compositor *compositor = data;
   int client = -1;
   if (read(fd, &client, sizeof(client)) != sizeof(client) || client == COMPOSITOR_END)
      wl_display_terminate(compositor->display);
   else if (client == COMPOSITOR_REFRESH)
      refresh(compositor);
   else
      wl_client_create(compositor->display, client);
   return 0;
}

static void *
serve(void *data)
{
   struct compositor *compositor = data;
   wl_display_run(compositor->display);
   wl_display_destroy_clients(compositor->display);
   wl_event_source_remove(compositor->source);
   wl_display_destroy(compositor->display);
   return NULL;
}

struct compositor *
compositor_start(const struct compositor_options *options)
{
   struct compositor *compositor = calloc(1, sizeof(*compositor));
   compositor->options = *options;
   compositor->hold = 1;
   compositor->display = wl_display_create();
   pthread_mutex_init(&compositor->lock, NULL);
   if (pipe(compositor->wake) || wl_display_init_shm(compositor->display) ||
       !wl_global_create(compositor->display, &wl_compositor_interface, 4, compositor, bind_compositor)) {
      printf("no compositor can be made\n");
      exit(1);
   }
   compositor_add_formats(compositor);
   compositor_extend(compositor);
   compositor->source = wl_event_loop_add_fd(wl_display_get_event_loop(compositor->display), compositor->wake[0],
                                             WL_EVENT_READABLE, woken, compositor);
   pthread_create(&compositor->thread, NULL, serve, compositor);
   return compositor;
}

static void
tell(const struct compositor *compositor, int client)
{
   if (write(compositor->wake[1], &client, sizeof(client)) != sizeof(client))
      abort();
}

int
compositor_connect(struct compositor *compositor)
{
   int ends[2];
   if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
      return -1;
   tell(compositor, ends[0]);
   return ends[1];
}

void
compositor_hold(struct compositor *compositor, uint32_t count)
{
   pthread_mutex_lock(&compositor->lock);
   compositor->hold = count < COMPOSITOR_HELD ? count : COMPOSITOR_HELD - 1;
   pthread_mutex_unlock(&compositor->lock);
}

void
compositor_by_hand(struct compositor *compositor, bool by_hand)
{
   pthread_mutex_lock(&compositor->lock);
   compositor->by_hand = by_hand;
   pthread_mutex_unlock(&compositor->lock);
   compositor_refresh(compositor);
}

void
compositor_refresh(struct compositor *compositor)
{
   const struct timespec millisecond = {.tv_nsec = 1000000};
   pthread_mutex_lock(&compositor->lock);
   const uint32_t before = compositor->shown;
   pthread_mutex_unlock(&compositor->lock);
   tell(compositor, COMPOSITOR_REFRESH);
   for (bool done = false; !done; nanosleep(&millisecond, NULL)) {
      pthread_mutex_lock(&compositor->lock);
      done = compositor->shown != before;
      pthread_mutex_unlock(&compositor->lock);
   }
}

uint32_t
compositor_commits(struct compositor *compositor)
{
   pthread_mutex_lock(&compositor->lock);
   const uint32_t count = compositor->count;
   pthread_mutex_unlock(&compositor->lock);
   return count;
}

struct compositor_commit
compositor_commit(struct compositor *compositor, uint32_t index)
{
   pthread_mutex_lock(&compositor->lock);
   const struct compositor_commit commit = compositor->commits[index];
   pthread_mutex_unlock(&compositor->lock);
   return commit;
}

void
compositor_stop(struct compositor *compositor)
{
   tell(compositor, COMPOSITOR_END);
   pthread_join(compositor->thread, NULL);
   close(compositor->wake[0]);
   close(compositor->wake[1]);
   if (compositor->device >= 0) {
      close(compositor->device);
      close(compositor->table);
   }
   while (compositor->last) {
      struct compositor_surface *surface = compositor->last;
      compositor->last = surface->before;
      free(surface);
   }
   display_image_finish();
}
