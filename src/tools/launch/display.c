#include "tools/launch/display.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <wayland-client-core.h>
#include <xcb/xcb.h>

/* The libraries are loaded when they are needed: the command works without them. */
#define LOAD(library, name) __typeof__(&name) name##_ = (__typeof__(&name))dlsym(library, #name)

static bool
x_lacks_dri3(void *library)
{
   LOAD(library, xcb_connect);
   LOAD(library, xcb_connection_has_error);
   LOAD(library, xcb_query_extension);
   LOAD(library, xcb_query_extension_reply);
   LOAD(library, xcb_disconnect);
   if (!xcb_connect_ || !xcb_connection_has_error_ || !xcb_query_extension_ || !xcb_query_extension_reply_ ||
       !xcb_disconnect_)
      return false;
   xcb_connection_t *x = xcb_connect_(NULL, NULL);
   xcb_query_extension_reply_t *reply = NULL;
   if (!xcb_connection_has_error_(x))
      reply = xcb_query_extension_reply_(x, xcb_query_extension_(x, 4, "DRI3"), NULL);
   const bool lacks = reply && !reply->present;
   free(reply);
   xcb_disconnect_(x);
   return lacks;
}

/* wl_registry's event `global`. */
static void
see_global(void *data, struct wl_proxy *registry, uint32_t name, const char *interface, uint32_t version)
{
   bool *has = data;
   *has |= !strcmp(interface, "zwp_linux_dmabuf_v1");
}

static void
see_global_remove(void *data, struct wl_proxy *registry, uint32_t name)
{
}

static bool
wayland_lacks_dmabuf(void *library)
{
   static void (*listener[])(void) = {(void (*)(void))see_global, (void (*)(void))see_global_remove};
   enum { GET_REGISTRY = 1 };
   LOAD(library, wl_display_connect);
   LOAD(library, wl_display_disconnect);
   LOAD(library, wl_display_roundtrip);
   LOAD(library, wl_proxy_marshal_flags);
   LOAD(library, wl_proxy_add_listener);
   LOAD(library, wl_proxy_destroy);
   const struct wl_interface *interface = dlsym(library, "wl_registry_interface");
   if (!wl_display_connect_ || !wl_display_disconnect_ || !wl_display_roundtrip_ || !wl_proxy_marshal_flags_ ||
       !wl_proxy_add_listener_ || !wl_proxy_destroy_ || !interface)
      return false;
   struct wl_display *display = wl_display_connect_(NULL);
   if (!display)
      return false;
   bool has = false;
   struct wl_proxy *registry =
      wl_proxy_marshal_flags_((struct wl_proxy *)display, GET_REGISTRY, interface, 1, 0, NULL);
   const bool asked =
      registry && !wl_proxy_add_listener_(registry, listener, &has) && wl_display_roundtrip_(display) >= 0;
   if (registry)
      wl_proxy_destroy_(registry);
   wl_display_disconnect_(display);
   return asked && !has;
}

static bool
ask(const char *library, bool (*lacks)(void *library))
{
   void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
   const bool result = loaded && lacks(loaded);
   if (loaded)
      dlclose(loaded);
   return result;
}

/* On Wayland drivers that import memory of the host would render to what the compositor maps, which the kernel
 * refuses to AMD's: it is a file's (AMDGPU_GEM_USERPTR_ANONONLY). */
const char *
display_copies(void)
{
   if (getenv("WAYLAND_DISPLAY") && ask("libwayland-client.so.0", wayland_lacks_dmabuf))
      return "sw,noshm";
   return getenv("DISPLAY") && ask("libxcb.so.1", x_lacks_dri3) ? "sw" : NULL;
}
