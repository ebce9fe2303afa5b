/* libwayland-client, loaded where it is. docs/decisions/windows.md says why the driver is not linked with it. */
#include <dlfcn.h>
#include <pthread.h>

#include "gallium/frontends/vulkan/wsi/wsi_wayland.h"

static struct wsi_wayland_functions functions;

static bool
load(void *library, const char *name, void *pointer)
{
   void *found = library ? dlsym(library, name) : NULL;
   memcpy(pointer, &found, sizeof(found));
   return found;
}

/* It stays loaded: connections are the application's, and end after the driver. */
static void
load_all(void)
{
   void *library = dlopen("libwayland-client.so.0", RTLD_NOW | RTLD_LOCAL);
   functions.is_there = true;
#define LOAD(name) functions.is_there &= load(library, #name, &functions.name##_);
   WSI_WAYLAND_FUNCTIONS(LOAD)
}

const struct wsi_wayland_functions *
wsi_wayland_functions(void)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   pthread_once(&once, load_all);
   return &functions;
}
